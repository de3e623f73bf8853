# RUN: env CUTE_DEVICE=sim %python %s
"""A kernel with control flow, shared memory and exchange, on the simulator."""

import ctypes
import unittest

import cute
from cute import Float32, Int32, arch
from cute.utils import SmemAllocator


@cute.struct
class Storage:
    a: cute.struct.MemRange[Float32, 64]
    count: Int32


def added(start, count):
    """What a thread computes; the kernel does the same with dynamic numbers."""
    for i in range(count):
        if i % 2 == 0 and start > 3:
            start += i
    return start


@cute.kernel
def kernel(n: Int32, out: cute.Pointer):
    result = cute.make_tensor(out, 32)
    storage = SmemAllocator().allocate(Storage)
    x, _, _ = arch.thread_idx()
    storage.a[x] = Float32(x)
    if x == 0:
        storage.count = n
    arch.sync_threads()
    total = cute.jit(added)(storage.a[31 - x], storage.count.load())
    result[x] = arch.warp_reduction_sum(total, threads_in_group=4)


@cute.jit
def host(n: Int32, out: cute.Pointer):
    kernel(n, out).launch(grid=1, block=32)


class Simulated(unittest.TestCase):
    def test_kernel(self):
        out = (ctypes.c_float * 32)()
        address = ctypes.addressof(out)
        for n in (0, 1, 5):
            pointer = cute.runtime.make_ptr(Float32, address, cute.AddressSpace.gmem)
            host(Int32(n), pointer)
            each = [added(31 - x, n) for x in range(32)]
            groups = [sum(each[x // 4 * 4 : x // 4 * 4 + 4]) for x in range(32)]
            self.assertEqual(list(out), groups)


if __name__ == "__main__":
    unittest.main()
