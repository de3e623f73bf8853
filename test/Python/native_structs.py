# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Structs as values: their fields, in branches and loops and as arguments of kernels."""
import array
import unittest

import cute
from cute import Constexpr, Float32, Int32, Int64, arch
from cute.runtime import make_ptr


@cute.native_struct
class Range:
    """Numbers from ``first`` on."""

    first: Int32
    count: Int32

    def last(self):
        return self.first + self.count - 1


@cute.native_struct(packed=True)
class Work:
    part: Range
    scale: Float32
    name: Constexpr

    def halved(self):
        self.part.count = self.part.count // 2


@cute.kernel
def fill(x: cute.Tensor, work: Work, n: Int32):
    i = arch.thread_idx()[0]
    mine = Range(first=i)
    if i > n:
        mine.first = mine.first + work.part.first
        mine.count = 2
    else:
        mine = Range(first=5, count=work.part.count)
    for _ in range(n):
        mine.count += 1
    first, count = mine
    x[i, 0], x[i, 1], x[i, 2] = first, count, mine.last()
    if cute.const_expr(work.name == "scaled"):
        x[i, 0] = Int32(x[i, 0] * work.scale)


@cute.jit
def run(x: cute.Pointer, n: Int32, name: Constexpr):
    work = Work(part=Range(first=100, count=8), scale=2, name=name)
    if n > 1:
        work.halved()
    x = cute.make_tensor(x, cute.make_layout((8, 3), stride=(3, 1)))
    fill(x, work, n).launch(grid=(1, 1, 1), block=(8, 1, 1))


class Values(unittest.TestCase):
    def test_kernel(self):
        for n in (0, 3):
            for name, scale in (("plain", 1), ("scaled", 2)):
                x = array.array("i", [0] * 24)
                run(make_ptr(Int32, x.buffer_info()[0], cute.AddressSpace.gmem), n, name)
                count = 4 if n > 1 else 8
                rows = [(i + 100, 2 + n) if i > n else (5, count + n) for i in range(8)]
                wanted = [y for first, c in rows for y in (first * scale, c, first + c - 1)]
                self.assertEqual(list(x), wanted, (n, name))

    def test_fields(self):
        one = Range(count=3)
        one.first = 2.9  # as Int32 has it
        self.assertEqual([int(x) for x in one], [2, 3])
        self.assertEqual(int(one.last()), 4)
        self.assertIs(type(cute.make_native_struct("Wide", x=Int64)(x=1).x), Int64)
        self.assertEqual(Work._struct_type(), "!llvm.struct<packed (struct<(i32, i32)>, f32)>")

    def test_rejected(self):
        one = Range()
        for call, error, wanted in (
            (lambda: Range(length=3), TypeError, "has no field length; it has first, count"),
            (lambda: setattr(one, "length", 3), AttributeError, "has no field length"),
            (lambda: Work(part=3), TypeError, "takes one, not 3"),
            (lambda: cute.native_struct(type("Empty", (), {})), TypeError, "Empty has no fields"),
        ):
            with self.assertRaisesRegex(error, wanted):
                call()


if __name__ == "__main__":
    unittest.main()
