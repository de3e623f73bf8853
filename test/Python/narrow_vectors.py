# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Vectors of floats of 4, 6 and 19 bits, and tensors of composed layouts."""

import array
import bisect
import ctypes
import random
import unittest

import cute
from cute import Float32, Int4, Int8, TFloat32
from cute import Float4E2M1FN, Float6E2M3FN, Float6E3M2FN, Float8E8M0FNU
from cute.runtime import make_ptr

COUNT = 32


def tables(exponents, mantissas):
    """All numbers without a sign of a format without infinities and NaN, in order."""
    bias = 2 ** (exponents - 1) - 1
    least = [m * 2.0 ** (1 - bias - mantissas) for m in range(2**mantissas)]
    return least + [(1 + m / 2**mantissas) * 2.0 ** (e - bias)
                    for e in range(1, 2**exponents) for m in range(2**mantissas)]


NUMBERS = {Float4E2M1FN: tables(2, 1), Float6E2M3FN: tables(2, 3), Float6E3M2FN: tables(3, 2)}


def nearest(x, kind):
    """The nearest number of the format, of two the one with an even number in the table."""
    known, magnitude = NUMBERS[kind], min(abs(x), NUMBERS[kind][-1])
    right = bisect.bisect_left(known, magnitude)
    best = min((abs(known[i] - magnitude), i % 2, known[i])
               for i in (right - 1, right) if 0 <= i < len(known))[2]
    return -best if x < 0 else best


def to_tf32(x):
    """The float of 11 significant bits that is nearest, of two the even one."""
    bits = ctypes.c_uint32.from_buffer(ctypes.c_float(x)).value
    low = bits & 0x1FFF
    bits -= low
    if low > 0x1000 or low == 0x1000 and bits & 0x2000:
        bits += 0x2000
    return ctypes.c_float.from_buffer(ctypes.c_uint32(bits)).value


@cute.kernel
def convert(a: cute.Tensor, kind: cute.Constexpr, shape: cute.Constexpr):
    held = cute.make_rmem_tensor(shape, kind)
    held.store(a.load().to(kind).reshape(shape))
    near = cute.make_tensor(cute.arch.alloc_smem(kind, COUNT, 16), cute.make_layout(shape))
    near.store(held.load())
    back = near.load()
    a.store(back.to(Float32).reshape(COUNT))
    a[0] = Float32(held[0]) + Float32(back[1]) * 0.0


@cute.jit
def run(p: cute.Pointer, kind: cute.Constexpr, shape: cute.Constexpr):
    convert(cute.make_tensor(p, cute.make_layout(COUNT)), kind, shape).launch(
        grid=(1, 1, 1), block=(1, 1, 1))


def gmem(memory, element=Float32):
    return make_ptr(element, memory.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16)


class Vectors(unittest.TestCase):
    def setUp(self):
        chance = random.Random(3)
        self.values = [chance.gauss(0, 1) * 2.0 ** chance.randrange(-5, 5) for _ in range(COUNT)]
        self.values[:6] = [0.25, -2.5, 1000.0, -1000.0, 0.0, 5.0]

    def converted(self, kind, shape):
        memory = array.array("f", self.values)
        run(gmem(memory), kind, shape)
        return list(memory)

    def test_of_4_and_6_bits(self):
        for kind in NUMBERS:
            for shape in (COUNT, (4, 8), (2, (4, 4))):
                with self.subTest(kind=kind, shape=shape):
                    wanted = [nearest(x, kind) for x in array.array("f", self.values)]
                    self.assertEqual(self.converted(kind, shape), wanted)

    def test_of_tf32(self):
        self.values[:4] = [1 + 2.0**-11, 1 + 3 * 2.0**-11, float("inf"), 3.4e38]
        wanted = [to_tf32(x) for x in array.array("f", self.values)]
        self.assertEqual(self.converted(TFloat32, COUNT), wanted)
        self.assertEqual([TFloat32(x).value for x in wanted], wanted)

    def test_bytes_of_a_vector(self):
        @cute.kernel
        def kernel(a: cute.Tensor):
            held = cute.make_rmem_tensor(4, Float4E2M1FN)
            held.store(a.load().to(Float4E2M1FN))
            two = cute.recast_tensor(held, Int8)
            scales = cute.recast_tensor(cute.make_rmem_tensor(4, Float8E8M0FNU), Int8)
            for i in cute.range_constexpr(4):
                scales[i] = Int8(126 + i)
            exponents = cute.recast_tensor(scales, Float8E8M0FNU).load().to(Float32)
            a.store(exponents)
            a[0] += Float32(two[0]) * 16
            a[1] += Float32(two[1]) * 16

        @cute.jit
        def launch(p: cute.Pointer):
            kernel(cute.make_tensor(p, cute.make_layout(4))).launch(
                grid=(1, 1, 1), block=(1, 1, 1))

        memory = array.array("f", [0.5, 1.0, 6.0, -4.0])
        launch(gmem(memory))
        self.assertEqual(list(memory), [0.5 + 0x21 * 16, 1.0 + (0xE7 - 256) * 16, 2.0, 4.0])

    def test_integers_of_4_bits(self):
        self.values = [float(i % 16 - 8) for i in range(COUNT)]
        self.assertEqual(self.converted(Int4, (4, 8)), self.values)

    def test_of_exponents_alone(self):
        self.values[:8] = [0.0, 2.0**-127, 1.4 * 2.0**-127, 1.6 * 2.0**-127, 3.4e38,
                           float("inf"), 2.9, 3.1]
        self.values[8:] = map(abs, self.values[8:])
        found = self.converted(Float8E8M0FNU, COUNT)
        self.assertEqual(found[:8], [2.0**-127] * 3 + [2.0**-126, 2.0**127, 2.0**127, 2.0, 4.0])
        for x, y in zip(self.values[8:], found[8:]):
            self.assertEqual(y, min((2.0**e for e in range(-20, 20)), key=lambda p: abs(p - x)))
        self.values[2:4] = [float("nan"), -1.0]
        for x in self.converted(Float8E8M0FNU, COUNT)[2:4]:
            self.assertNotEqual(x, x)


class ComposedTensors(unittest.TestCase):
    def places(self, make, count=64):
        """Where in memory the elements of a tensor of a composed layout are."""
        @cute.kernel
        def kernel(a: cute.Tensor, out: cute.Tensor):
            found = cute.make_tensor(a.iterator, make(a))
            for i in cute.range_constexpr(cute.size(found)):
                out[i] = found[i]

        @cute.jit
        def launch(a: cute.Pointer, out: cute.Pointer):
            kernel(cute.make_tensor(a, cute.make_layout(count)),
                   cute.make_tensor(out, cute.make_layout(count))).launch(
                grid=(1, 1, 1), block=(1, 1, 1))

        memory, out = array.array("f", range(count)), array.array("f", [-1] * count)
        launch(gmem(memory), gmem(out))
        return [int(x) for x in out if x >= 0]

    def test_every_coordinate(self):
        for inner, stride, offset, outer in (
            (16, 2, 4, (4, 2)), ((4, 8), (8, 1), 0, (8, 2)), ((4, 8), (8, 1), 4, (4, 2)),
            ((2, 2, 4), (16, 1, 2), 4, ((2, 2), 2)), (1, 3, 5, 8),
        ):
            with self.subTest(inner=inner, offset=offset):
                def make(a):
                    return cute.make_composed_layout(
                        cute.make_layout(inner, stride=stride), offset, cute.make_layout(outer))

                @cute.jit
                def indices():
                    layout = make(None)
                    return [layout(i) for i in range(cute.size(layout))]

                self.assertEqual(self.places(make), indices())

    def test_offset_that_is_known_later(self):
        def make(a):
            return cute.make_composed_layout(
                cute.make_layout(16, stride=2), cute.Int32(a[3]), cute.make_layout((4, 2)))

        self.assertEqual(self.places(make), [6 + 2 * i for i in range(8)])

    def test_without_strides(self):
        def make(a, offset=1):
            return cute.make_composed_layout(
                cute.make_layout((4, 8), stride=(8, 1)), offset, cute.make_layout((8, 2)))

        with self.assertRaisesRegex(ValueError, r"has no strides: it has \(3, 0\) at 1, and 8 o"):
            self.places(make)
        with self.assertRaisesRegex(ValueError, "unless the inner layout has one mode"):
            self.places(lambda a: make(a, cute.Int32(a[3])))


if __name__ == "__main__":
    unittest.main()
