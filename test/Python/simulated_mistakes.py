# RUN: env CUTE_DEVICE=sim %python %s
"""Kernels in Python with a mistake each: the simulator names the line that it is on."""

import ctypes
import math
import os
import unittest

import cute
from cute import AddressSpace, Constexpr, Float32, arch
from cute.nvgpu import cpasync
from cute.runtime import make_ptr
from cute.utils import SmemAllocator

T = 64


def shared(layout):
    return SmemAllocator().allocate_tensor(Float32, layout, 16)


@cute.kernel
def past_the_end(a: cute.Tensor, b: cute.Tensor, right: Constexpr):
    i = arch.block_idx()[0] * T + arch.thread_idx()[0]
    if cute.const_expr(right):
        if i < cute.size(b):
            b[i] = a[i]
    else:
        b[i] = a[i]  # past_the_end


@cute.kernel
def no_barrier(a: cute.Tensor, b: cute.Tensor, right: Constexpr):
    t, _, _ = arch.thread_idx()
    s = shared(cute.make_layout(T))
    s[t] = a[t]
    if cute.const_expr(right):
        arch.sync_threads()
    b[t] = s[T - 1 - t]  # no_barrier


@cute.kernel
def half_written(a: cute.Tensor, b: cute.Tensor, right: Constexpr):
    t, _, _ = arch.thread_idx()
    s = shared(cute.make_layout(T))
    if t < (T if right else T // 2):
        s[t] = a[t]
    arch.sync_threads()
    b[t] = s[T - 1 - t]  # half_written


@cute.kernel
def next_tile(a: cute.Tensor, b: cute.Tensor, right: Constexpr):
    t, _, _ = arch.thread_idx()
    s = shared(cute.make_layout((4, 16), stride=(16, 1)))
    other = shared(cute.make_layout((4, 16), stride=(16, 1)))
    s[t // 16, t % 16] = a[t]
    other[t // 16, t % 16] = a[t]
    arch.sync_threads()
    b[t] = s[t // 16 + (0 if right else 1), t % 16]  # next_tile


@cute.kernel
def missing_lanes(a: cute.Tensor, b: cute.Tensor, right: Constexpr):
    t, _, _ = arch.thread_idx()
    x = a[t]
    if cute.const_expr(right):
        x = x + arch.shuffle_sync_bfly(x, 1)
    else:
        if t % 2 == 0:
            x = x + arch.shuffle_sync_bfly(x, 1)  # missing_lanes
    b[t] = x


@cute.kernel
def shift(a: cute.Tensor, b: cute.Tensor, right: Constexpr):
    t, _, _ = arch.thread_idx()
    x = b[(t + 1) % T]
    if cute.const_expr(right):
        arch.sync_threads()
    b[t] = x + a[t]  # shift


@cute.kernel
def hasty_copy(a: cute.Tensor, b: cute.Tensor, right: Constexpr):
    t, _, _ = arch.thread_idx()
    s = shared(cute.make_layout((T // 4, 4), stride=(4, 1)))
    atom = cute.make_copy_atom(cpasync.CopyG2SOp(), Float32, num_bits_per_copy=128)
    rows = cute.make_tensor(a.iterator, cute.make_layout((T // 4, 4), stride=(4, 1)))
    if t < T // 4:
        cute.copy(atom, rows[t, None], s[t, None])
    arch.cp_async_commit_group()
    if cute.const_expr(right):
        arch.cp_async_wait_group(0)
    arch.sync_threads()
    b[t] = s[T // 4 - 1 - t // 4, t % 4]  # hasty_copy


@cute.jit
def launch(kernel: Constexpr, pa: cute.Pointer, pb: cute.Pointer, right: Constexpr,
           blocks: Constexpr):
    a, b = cute.make_tensor(pa, T), cute.make_tensor(pb, T)
    kernel(a, b, right).launch(grid=(blocks, 1, 1), block=(T, 1, 1))


def run(kernel, right, blocks):
    """Launches a kernel on new memory, and returns what it wrote."""
    a, b = (ctypes.c_float * T)(*range(T)), (ctypes.c_float * T)(*[math.pi] * T)
    pointers = (make_ptr(Float32, ctypes.addressof(x), AddressSpace.gmem, assumed_align=4 if
                         x is b else 16) for x in (a, b))
    launch(kernel, *pointers, right, blocks)
    return list(b)


def line_of(marker):
    with open(__file__, encoding="utf-8") as file:
        return 1 + [x.endswith(f"  # {marker}\n") for x in file].index(True)


class Mistakes(unittest.TestCase):
    def check(self, kernel, message, blocks=1):
        """The mistake is found on its line, and nothing where it is mended."""
        name = kernel.__name__
        run(kernel, True, blocks)
        with self.assertRaises(Exception) as raised:
            run(kernel, False, blocks)
        place = rf"{os.path.basename(__file__)}:{line_of(name)}:\d+: block \d+, thread \d+: "
        self.assertRegex(str(raised.exception), place + message)

    def test_mistakes(self):
        self.check(past_the_end, r"out of bounds: (reads|writes) 4 bytes of global memory at \w+, "
                   r"after the end of its tensor \(element 64 of argument (0|1), of shape 64\)", 2)
        self.check(no_barrier, r"race: reads shared memory at offset \d+ \(element \d+ of the "
                   r"tensor of line \d+\), which thread \d+ wrote on line")
        self.check(half_written, r"uninitialised: reads shared memory at offset \d+ \(element")
        self.check(next_tile, r"out of bounds: reads 4 bytes of shared memory at offset \d+, "
                   r"after the end of its tensor \(element \(4,\d+\) of the tensor of line")
        self.check(missing_lanes, r"shfl.sync.bfly.\w+ reads lane 1, which is not in the mask")
        self.check(shift, r"race: writes global memory at byte \d+ of an allocation of \d+ "
                   r"bytes \(element \d+ of argument 1, of shape 64\)")
        self.check(hasty_copy, r"too early: reads shared memory at offset \d+ \(element")


if __name__ == "__main__":
    unittest.main()
