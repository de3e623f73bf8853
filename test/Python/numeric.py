# REQUIRES: full
# RUN: %python %s
"""Numeric types: static ones against ctypes, struct, fractions and numpy."""

import ctypes
import itertools
import math
import operator
import random
import struct
import unittest
from fractions import Fraction

from emulator import Emulator, Value

import cute._frontend.builder as _builder
from cute._values import numeric as n
from cute._frontend.errors import StaticValueError

_CTYPES = {
    n.Int8: ctypes.c_int8,
    n.Int16: ctypes.c_int16,
    n.Int32: ctypes.c_int32,
    n.Int64: ctypes.c_int64,
    n.Uint8: ctypes.c_uint8,
    n.Uint16: ctypes.c_uint16,
    n.Uint32: ctypes.c_uint32,
    n.Uint64: ctypes.c_uint64,
}
_ARITHMETIC = "add sub mul floordiv mod".split()
_BITWISE = "and_ or_ xor".split()
_COMPARISONS = "eq ne lt le gt ge".split()
_NUMPY = {n.Float16: "float16", n.Float32: "float32", n.Float64: "float64"}

try:
    import numpy
except ImportError:
    numpy = None


def samples(dtype, draw):
    if dtype.is_float:
        edges = [0.0, -0.0, 1.0, 0.1, 65519.9, 65520.0, 1e-8, 3e38, 1e39, math.inf]
        return edges + [
            draw.uniform(-9, 9) * 10.0 ** draw.randrange(-9, 9) for _ in "x" * 40
        ]
    edges = [0, 1, -1, dtype.min, dtype.max, dtype.max + 1]
    return edges + [draw.randrange(-(2**40), 2**40) for _ in "x" * 20]


class Static(unittest.TestCase):
    def test_integers_wrap_as_in_c(self):
        for dtype, c in _CTYPES.items():
            values = samples(dtype, random.Random(dtype.width))
            for a in values:
                self.assertEqual(dtype(a).value, c(a).value)
            for a, b in itertools.product(values, values):
                x, y = c(a).value, c(b).value
                for name in _ARITHMETIC + _BITWISE:
                    if y == 0 and name in ("floordiv", "mod"):
                        continue
                    function = getattr(operator, name)
                    got = function(dtype(a), dtype(b))
                    self.assertIs(type(got), dtype)
                    self.assertEqual(got.value, c(function(x, y)).value, (name, a, b))

    def test_floats_are_rounded_to_nearest(self):
        for dtype, code in ((n.Float32, "<f"), (n.Float16, "<e")):
            for x in samples(dtype, random.Random(1)):
                try:
                    expected = struct.unpack(code, struct.pack(code, x))[0]
                except OverflowError:
                    expected = math.copysign(math.inf, x)
                self.assertEqual(dtype(x).value, expected)

    def test_small_formats_against_all_their_numbers(self):
        for dtype, count in (
            (n.Float8E4M3FN, 127),
            (n.Float8E5M2, 124),
            (n.Float4E2M1FN, 8),
            (n.Float6E3M2FN, 32),
            (n.Float6E2M3FN, 32),
            (n.Float8E4M3B11FNUZ, 128),
        ):
            numbers = list(_numbers(dtype))
            self.assertEqual(len(numbers), count, dtype)
            draw = random.Random(2)
            for x in [draw.uniform(-1.2, 1.2) * numbers[-1] for _ in range(300)]:
                best = min(abs(Fraction(abs(x)) - Fraction(v)) for v in numbers)
                got = dtype(x).value
                self.assertIn(abs(got), numbers)
                self.assertEqual(abs(Fraction(x) - Fraction(got)), best)

    def test_ties_go_to_even(self):
        self.assertEqual(n.BFloat16(1 + 2**-8).value, 1.0)
        self.assertEqual(n.BFloat16(1 + 3 * 2**-8).value, 1 + 2**-6)
        self.assertEqual(n.TFloat32(1 + 2**-11).value, 1.0)
        self.assertEqual(n.Float8E4M3FN(1 + 1 / 16).value, 1.0)

    def test_conversions_between_kinds(self):
        self.assertEqual(n.Int32(300).to(n.Int8).value, 44)
        self.assertEqual(n.Float32(3.14).to(n.Int32).value, 3)
        self.assertEqual(n.Float32(-3.9).to(n.Int32).value, -3)
        self.assertEqual(n.Float32(1e20).to(n.Int32).value, n.Int32.max)
        self.assertEqual(n.Float32(math.nan).to(n.Int8).value, 0)
        self.assertEqual(n.Int32(-1).to(n.Uint8).value, 255)
        self.assertIs(n.Int32(2).to(n.Boolean).value, True)
        self.assertEqual(n.Int32(42).to(float), 42.0)
        self.assertEqual(float(n.Float32(0.5)) + int(n.Int8(3)), 3.5)
        self.assertEqual([10, 20, 30][n.Int32(1)], 20)

    def test_promotion(self):
        for a, b, expected in [
            (n.Int32(1), n.Float32(1), n.Float32),
            (n.Int8(1), n.Int32(1), n.Int32),
            (n.Int32(1), n.Uint32(1), n.Uint32),
            (n.Int64(1), n.Uint32(1), n.Int64),
            (n.Float16(1), n.Float32(1), n.Float32),
            (n.Float16(1), n.BFloat16(1), n.Float16),
            (n.Float16(1), n.Int64(1), n.Float64),
            (n.Float16(1), n.Int16(1), n.Float16),
            (n.BFloat16(1), n.Int16(1), n.Float16),
            (n.BFloat16(1), n.Int8(1), n.BFloat16),
            (n.Float32(1), n.Int64(1), n.Float64),
            (n.Float16(1), 1, n.Float32),
            (n.Boolean(1), n.Boolean(1), n.Int32),
            (n.Boolean(1), n.Int8(1), n.Int8),
            (n.Int8(1), 1, n.Int32),
            (n.Int32(1), 2**40, n.Int64),
            (n.Float16(1), 1.0, n.Float32),
            (1.0, n.Int32(1), n.Float32),
        ]:
            self.assertIs(type(a + b), expected)
            self.assertIs(type(b + a), expected)
        self.assertIs(type(n.Boolean(1) & n.Boolean(0)), n.Boolean)
        self.assertIs(type(n.Int32(10) / n.Int32(3)), n.Float32)
        self.assertIs(type(n.Int64(10) / 3), n.Float32)
        for a, b, expected in [
            (n.Int8(1), 2, n.Int32), (n.Int8(1), n.Int8(2), n.Int8), (n.Uint8(200), 8, n.Int32),
            (n.Int32(-8), n.Uint32(1), n.Uint32), (n.Uint16(1), n.Int64(2), n.Int64),
        ]:
            self.assertIs(type(a << b), expected)
            self.assertIs(type(a >> b), expected)
        self.assertEqual((n.Uint8(200) << 8).value, 51200)
        self.assertEqual((n.Int32(-8) >> n.Uint32(1)).value, 0x7FFFFFFC)
        for number in (n.Float16(1), 1.5):
            with self.assertRaisesRegex(TypeError, "'lshift' takes integers"):
                n.Int32(1) << number

    def test_division_and_powers(self):
        self.assertAlmostEqual((n.Int32(10) / n.Int32(3)).value, 10 / 3, places=6)
        self.assertEqual((n.Float32(-7) // 2).value, -4.0)
        self.assertEqual((n.Float32(-7) % 3).value, 2.0)
        self.assertEqual((n.Float32(1) / 0).value, math.inf)
        self.assertEqual((n.Float32(-1) / 0).value, -math.inf)
        self.assertTrue(math.isnan((n.Float32(0) / 0).value))
        self.assertTrue(math.isnan((n.Float32(1) % 0).value))
        self.assertEqual((n.Int32(3) ** 4).value, 81)
        self.assertEqual((n.Int32(-3) ** 21).value, ctypes.c_int32((-3) ** 21).value)
        self.assertEqual((2.0 ** n.Int32(-2)).value, 0.25)
        self.assertEqual((n.Int32(2) ** -1).value, 0.5)
        with self.assertRaises(ZeroDivisionError):
            n.Int32(1) // 0

    def test_what_is_known_of_types(self):
        self.assertEqual(str(n.Int32), "Int32")
        self.assertEqual(
            (n.Uint16.width, n.Float8E5M2.width, n.Boolean.width), (16, 8, 1)
        )
        self.assertTrue(n.Int8.is_integer and not n.Int8.is_float)
        self.assertEqual((n.Int8.min, n.Uint8.max), (-128, 255))
        self.assertEqual(
            (n.Float32.inf, n.Float32.zero, n.Int32.zero), (math.inf, 0.0, 0)
        )
        self.assertTrue(
            issubclass(n.Boolean, n.Integer) and issubclass(n.Float16, n.Float)
        )
        self.assertIs(n.Numeric.from_mlir_type("i32"), n.Int32)
        with self.assertRaises(TypeError):
            n.Numeric.from_mlir_type("vector<4xf32>")
        with self.assertRaises(AttributeError):
            n.Int32.inf
        with self.assertRaises(TypeError):
            n.Integer(3)

    def test_numbers_are_values(self):
        self.assertEqual(str(n.Int32(3)), "3")
        self.assertEqual(len({n.Int32(3), n.Int32(3), n.Int32(4)}), 2)
        self.assertFalse(n.Int32(3) == None)  # noqa: E711
        self.assertEqual(n.minimum(3, 4), 3)
        self.assertEqual(n.maximum(n.Float32(3), 4).value, 4.0)
        with self.assertRaises(AttributeError):
            n.Int32(3).value = 4
        with self.assertRaises(TypeError):
            n.Float32(1) & 1
        with self.assertRaises(ValueError):
            n.Int32(1) << 32
        with self.assertRaises(TypeError):
            n.Int32(1) + "text"

    @unittest.skipUnless(numpy, "numpy is not there")
    def test_floats_compute_as_numpy_does(self):
        numpy.seterr(all="ignore")
        for dtype, name in _NUMPY.items():
            plain = getattr(numpy, name)
            values = samples(dtype, random.Random(3))
            for a, b in itertools.product(values, values):
                for op in ("add", "sub", "mul", "truediv", *_COMPARISONS):
                    function = getattr(operator, op)
                    got = function(dtype(a), dtype(b)).value
                    expected = function(plain(a), plain(b)).item()
                    self.assertTrue(
                        got == expected or got != got and expected != expected
                    )


def _numbers(dtype):
    """Yields the numbers of a format that are not negative, in order."""
    f = dtype.format
    step = f.lowest - f.precision + 1
    mantissa, exponent = 0, step
    while math.ldexp(mantissa, exponent) <= f.largest:
        yield math.ldexp(mantissa, exponent)
        mantissa += 1
        if mantissa == 2**f.precision:
            mantissa, exponent = mantissa // 2, exponent + 1


class Dynamic(unittest.TestCase):
    def compute(self, function, *values):
        """Computes a function of dynamic numbers by its operations."""
        emulator = Emulator()
        inputs = [Value(type(v).ir_name) for v in values]
        with _builder.use(emulator):
            result = function(*(type(v)(x) for v, x in zip(values, inputs)))
            value = result.ir_value()
        env = {x: _signed(v) for x, v in zip(inputs, values)}
        return type(result)(emulator.run([value], env)[0])

    def check(self, function, *values):
        expected, got = function(*values), self.compute(function, *values)
        self.assertIs(type(got), type(expected))
        same = got.value == expected.value or got.value != got.value
        self.assertTrue(same, (got, expected, [v.value for v in values]))

    def test_dynamic_numbers_compute_as_static_ones(self):
        draw = random.Random(4)
        types = [*_CTYPES, n.Boolean, n.Float16, n.Float32, n.BFloat16]
        for _ in range(1500):
            a, b = (draw.choice(types) for _ in "ab")
            x, y = a(draw.choice([0, 1, -7, 100, 3])), b(draw.choice([1, 2, 3, 8, 21]))
            name = draw.choice(_ARITHMETIC + _COMPARISONS + ["truediv"])
            self.check(getattr(operator, name), x, y)
            if a.is_integer and b.is_integer:
                self.check(getattr(operator, draw.choice(_BITWISE)), x, y)
            if b.signed or x.value >= 0:
                self.check(lambda v: v.to(b), x)
            self.check(operator.neg, x)
            self.check(abs, x)

    def test_division_by_powers_of_two_needs_none(self):
        for value in range(-9, 9):
            self.check(lambda v: v // 4, n.Int32(value))
            self.check(lambda v: v % 4, n.Int32(value))
        emulator = Emulator()
        with _builder.use(emulator):
            x = n.Int32(Value("i32"))
            x // 8, x % 8
        names = {op.name for op in emulator.body.ops}
        self.assertEqual(names, {"arith.constant", "arith.shrsi", "arith.andi"})

    def test_shifts_powers_and_inversion(self):
        for value in (-5, 0, 7):
            self.check(lambda v: v << 3, n.Int32(value))
            self.check(lambda v: v >> 1, n.Int32(value))
            self.check(lambda v: v >> 1, n.Uint32(value))
            self.check(lambda v: v**3, n.Int32(value))
            self.check(lambda v: ~v, n.Int32(value))
            self.check(lambda v: n.minimum(v, 3), n.Int32(value))
            self.check(lambda v: n.maximum(v, 3), n.Uint32(value))
        self.check(lambda v: ~v, n.Boolean(True))
        self.check(lambda v: v**2.5, n.Float32(2.0))

    def test_powers_with_exponents_that_are_not_known(self):
        emulator = Emulator()
        base, exponent = Value("i32"), Value("i32")
        with _builder.use(emulator):
            power = n.Int32(base) ** n.Int32(exponent)
        for x, y in ((3, 0), (3, 5), (-2, 31), (-1, 2**31 - 1), (0, 0)):
            wanted = n.Int32(pow(x, y, 2**33)).value
            self.assertEqual(emulator.run([power.value], {base: x, exponent: y}), [wanted])

    def test_shifts_by_the_width_or_more(self):
        for dtype, by in ((n.Int32, n.Int32), (n.Uint8, n.Int32), (n.Int8, n.Int64)):
            for name in ("__lshift__", "__rshift__"):
                emulator = Emulator()
                value, count = Value(dtype.ir_name), Value(by.ir_name)
                with _builder.use(emulator):
                    shifted = getattr(dtype(value), name)(by(count))
                for k in (0, dtype.width - 1, dtype.width, 64, 256):
                    wanted = dtype(getattr(100, name)(k)).value
                    got = emulator.run([shifted.value], {value: 100, count: k})
                    self.assertEqual(dtype(got[0]).value, wanted, (dtype, by, name, k))

    def test_what_has_no_hash(self):
        with _builder.use(Emulator()):
            x = n.Int32(Value("i32"))
            with self.assertRaisesRegex(StaticValueError, "hash needs a number that is known"):
                {x: 1}

    def test_dynamic_numbers_are_no_python_numbers(self):
        with _builder.use(Emulator()):
            x = n.Int32(Value("i32"))
            self.assertEqual(str(x), "?")
            self.assertEqual(str(n.Int32(5)), "?")
            with self.assertRaisesRegex(StaticValueError, "Python decides this in test_dynamic"):
                bool(x)
            for function in (int, float, range, [1, 2].__getitem__):
                with self.assertRaisesRegex(StaticValueError, "Int32 is dynamic"):
                    function(x)

    def test_constants_need_a_program(self):
        with self.assertRaisesRegex(RuntimeError, "under @cute.jit or @cute.kernel"):
            n.Int32(5).ir_value()


def _signed(number):
    value = number.value
    if isinstance(value, bool) or isinstance(value, float):
        return value
    return ctypes.c_int64(value << (64 - number.width)).value >> (64 - number.width)


if __name__ == "__main__":
    unittest.main()
