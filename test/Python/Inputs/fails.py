# A program with a mistake in a loop and a branch.
import cute
from cute import Int32
from cute.runtime import make_ptr


@cute.jit
def helper(a, n):
    i = Int32(0)
    while i < n:
        if i > 1:
            # cute has no such function
            a[i] = cute.nothing(i)
        i += 1

@cute.jit
def host(a: cute.Pointer, n: Int32):
    helper(cute.make_tensor(a, 4), n)


if __name__ == "__main__":
    host(make_ptr(Int32, 16, cute.AddressSpace.gmem), 4)
