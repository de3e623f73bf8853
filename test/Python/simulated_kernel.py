# RUN: env CUTE_DEVICE=sim %python %s
"""A kernel with control flow, shared memory and exchange, on the simulator."""

import ctypes
import functools
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


class Limits:
    """Numbers that an object says itself how to take apart."""

    def __init__(self, step, last):
        self.step, self.last = step, last

    def __extract_mlir_values__(self):
        return [Int32(self.step).ir_value(), Int32(self.last).ir_value()]

    def __new_from_mlir_values__(self, values):
        return Limits(*map(Int32, values))


class Walk:
    def __init__(self, limits, place):
        self.limits, self.place = limits, place

    @cute.jit
    def end(self):
        limits = self.limits
        found = Int32(0)
        while found <= self.place:
            found += limits.step
            if found > limits.last:
                found = Int32(limits.last) + 1
        return found


@cute.kernel
def walking_kernel(step: Int32, last: Int32, out: cute.Pointer):
    result = cute.make_tensor(out, 32)
    x, _, _ = arch.thread_idx()
    make = functools.partial(Walk, Limits(step, last))
    if x < 16:
        result[x] = Float32(make(x).end())
    else:
        result[x] = Float32(make(x).end() + 100)


@cute.jit
def walking(step: Int32, last: Int32, out: cute.Pointer):
    walking_kernel(step, last, out).launch(grid=1, block=32)


class Simulated(unittest.TestCase):
    def test_objects_that_only_a_partial_function_has(self):
        """A loop in one branch leaves them as they were for the other one."""
        out = (ctypes.c_float * 32)()
        pointer = cute.runtime.make_ptr(Float32, ctypes.addressof(out), cute.AddressSpace.gmem)
        walking(3, 40, pointer)
        wanted = [x // 3 * 3 + 3 + 100 * (x >= 16) for x in range(32)]
        self.assertEqual(list(out), wanted)

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
