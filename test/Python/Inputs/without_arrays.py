# c = a + b on arrays of the standard library, by pointers.
import array

import cute
from cute.runtime import make_ptr

THREADS = 64


@cute.kernel
def add(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    i = cute.arch.block_idx()[0] * THREADS + cute.arch.thread_idx()[0]
    if i < cute.size(c):
        c[i] = a[i] + b[i]


@cute.jit
def vector_add(a: cute.Pointer, b: cute.Pointer, c: cute.Pointer, n: cute.Int32):
    tensors = [cute.make_tensor(p, cute.make_layout(n)) for p in (a, b, c)]
    add(*tensors).launch(grid=(cute.ceil_div(n, THREADS), 1, 1), block=(THREADS, 1, 1))


a, b, c = (array.array("f", range(first, first + 1000)) for first in (0, 1, 2))
vector_add(*[make_ptr(cute.Float32, x.buffer_info()[0], cute.AddressSpace.gmem)
             for x in (a, b, c)], 1000)
right = list(c) == [x + y for x, y in zip(a, b)]
print("right," if right else "wrong,", "by", cute.__file__)
