# RUN: %python %s
"""Vectors with CuTe shapes: types and operations of what Python's operators write."""

import math as plain
import operator
import unittest

from cute import _bridge, math
from cute._compile import ir as _ir
from cute._frontend.errors import StaticValueError
from cute._values.numeric import BFloat16, Boolean, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8
from cute._values.tensor_ssa import (
    ReductionOp,
    TensorSSA,
    all_,
    any_,
    broadcast_shape,
    empty_like,
    full,
    full_like,
    ones_like,
    where,
    zeros_like,
)


class Traced(unittest.TestCase):
    """Traces each test into a module, which is verified at its end."""

    def setUp(self):
        self.trace = _ir.Trace(_bridge.Module(_ir.context(), _ir.location()))
        scope = _ir.tracing(self.trace)
        scope.__enter__()
        self.addCleanup(scope.__exit__, None, None, None)
        self.addCleanup(lambda: self.trace.module.verify())

    def check(self, value, shape, dtype):
        self.assertIsInstance(value, TensorSSA)
        self.assertEqual((value.shape, value.dtype), (shape, dtype))

    def written(self):
        return str(self.trace.module)

    def dynamic(self, dtype=Int32, value=2):
        return dtype(self.trace.constant(dtype.ir_name, value))


class Shapes(Traced):
    def test_parts_and_elements(self):
        v = full((4, (2, 3)), 1, Int32)
        self.check(v[None, (1, None)], (4, (3,)), Int32)
        self.check(v[2, None], ((2, 3),), Int32)
        self.assertIs(type(v[5]), Int32)
        self.assertIs(type(v[3, (1, 2)]), Int32)
        self.assertIs(type(v[self.dynamic(), (0, 1)]), Int32)
        self.assertIn('cute.slice_vector<"(4,(2,3))", "(_,(1,_))">', self.written())
        self.assertIn("vector.extract", self.written())
        with self.assertRaisesRegex(StaticValueError, "static place"):
            v[self.dynamic(), None]
        with self.assertRaisesRegex(ValueError, "not a coordinate"):
            v[None, None, None]

    def test_broadcast(self):
        row, column = full((1, 3), 1.0, Float32), full((4, 1), 2.0, Float32)
        self.check(row + column, (4, 3), Float32)
        self.check(row.broadcast_to((4, 3)), (4, 3), Float32)
        self.check(full(4, 1.0, Float32) + column, (4, 1), Float32)
        self.check(
            full((1, (2, 2)), 1, Int32) + full((3, 1), 1, Int32), (3, (2, 2)), Int32
        )
        self.assertEqual(broadcast_shape((4,), (4, 3)), (4, 3))
        for a, b in (((2, 3), (4, 3)), ((2, (2, 2)), (2, 4))):
            with self.assertRaisesRegex(ValueError, "do not broadcast"):
                broadcast_shape(a, b)
        with self.assertRaises(ValueError):
            column.broadcast_to((1, 3))

    def test_reshape_and_print(self):
        v = full((3, 4), 0.0, Float32)
        self.assertEqual(str(v), "tensor_value<vector<12xf32> o (3, 4)>")
        self.check(v.reshape((2, (2, 3))), (2, (2, 3)), Float32)
        with self.assertRaisesRegex(ValueError, "12 elements cannot have the shape"):
            v.reshape((5, 2))

    def test_shapes_are_static(self):
        with self.assertRaisesRegex(ValueError, "is static"):
            full((4, self.dynamic()), 0, Int32)
        with self.assertRaisesRegex(ValueError, "does not hold"):
            TensorSSA(full(4, 0, Int32).ir_value(), (4, 2), Int32)


class Arithmetic(Traced):
    def test_types_meet_as_those_of_numbers(self):
        h, f, i = full(4, 1, Float16), full(4, 1, Float32), full(4, 1, Int32)
        self.check(h + f, 4, Float32)
        self.check(h * i, 4, Float32)
        self.check(h * 2 + full(4, 1, Int16), 4, Float32)
        self.check(h + full(4, 1, Int16), 4, Float16)
        self.check(h * h + full(4, 1, BFloat16), 4, Float16)
        self.check(f + full(4, 1, Int64), 4, Float64)
        self.check(h**2, 4, Float32)
        self.check(i / i, 4, Float32)
        self.check(i / 4, 4, Float32)
        self.check(2.0 - i, 4, Float32)
        self.check(f * self.dynamic(Float32), 4, Float32)
        self.check(self.dynamic(Float32) + f, 4, Float32)
        self.check(f < 2, 4, Boolean)
        self.check(~(f == f) | (i > 1), 4, Boolean)
        self.check(-full(4, 1, Int8), 4, Int8)
        self.check((i ^ 3) << 1, 4, Int32)
        self.check(abs(-f) ** 2, 4, Float32)
        self.check(f**0.5, 4, Float32)
        with self.assertRaises(TypeError):
            f & i
        with self.assertRaises(TypeError):
            f + "text"
        with self.assertRaisesRegex(StaticValueError, "cute.any_"):
            bool(f < 2)

    def test_division_by_powers_of_two_needs_none(self):
        v = full((2, 2), 7, Int32)
        v // 4, v % 4
        self.assertNotIn("floordivsi", self.written())
        self.assertNotIn("remsi", self.written())
        v // 3
        self.assertIn("arith.floordivsi", self.written())

    def test_conversions(self):
        v = full(4, 1.5, Float32)
        self.check(v.to(Float16), 4, Float16)
        self.check(v.to(Int32), 4, Int32)
        self.check(v.to(Uint8), 4, Uint8)
        self.assertIs(v.to(Float32), v)
        self.check(v.bitcast(Int32), 4, Int32)
        for name in ("arith.fptosi", "arith.minsi", "arith.trunci"):
            self.assertIn(name, self.written())
        for wrong in (3, Int32(3), "f32"):
            with self.assertRaises(TypeError):
                v.to(wrong)
        self.check(v.bitcast(Float16), 8, Float16)
        self.check(full(4, 1.5, Float16).bitcast(Int32), 2, Int32)
        with self.assertRaisesRegex(TypeError, "48 bits of Float16 are not a whole number of Int32"):
            full(3, 1.5, Float16).bitcast(Int32)

    def test_reductions(self):
        v = full((4, (5, 4)), 1.0, Float32)
        self.assertIs(
            type(v.reduce(ReductionOp.ADD, 0.0, reduction_profile=0)), Float32
        )
        self.check(v.reduce(operator.mul, 1.0, (None, 1)), (4,), Float32)
        self.check(v.reduce(max, -Float32.inf, (None, (None, 1))), (4, (5,)), Float32)
        full(4, 1, Uint8).reduce(ReductionOp.MIN, 255, 0)
        for text in ('"add", "(4,(5,4))", "0"', '"mul"', '"max"', '"minu"'):
            self.assertIn(f"cute.reduce_vector<{text}", self.written())
        with self.assertRaisesRegex(ValueError, "use cute.ReductionOp"):
            v.reduce(operator.sub, 0.0, 0)

    def test_choices(self):
        v = full((4, 2), 1.0, Float32)
        self.check(where(v > 0, v, 0.0), (4, 2), Float32)
        self.check(where(full((4, 1), True, Boolean), v, 1), (4, 2), Float32)
        self.assertIs(type(any_(v > 0)), Boolean)
        self.assertIs(type(all_(v)), Boolean)
        self.check(zeros_like(v), (4, 2), Float32)
        self.check(ones_like(v, Int8), (4, 2), Int8)
        self.check(empty_like(v), (4, 2), Float32)
        self.check(full_like(v, self.dynamic(Float32), Float16), (4, 2), Float16)
        self.assertIn("vector.reduction <or>", self.written())


class Math(Traced):
    def test_known_numbers_are_computed(self):
        self.assertEqual(math.exp2(3.0), 8.0)
        self.assertEqual(math.log(0.0), -plain.inf)
        self.assertTrue(plain.isnan(math.sqrt(-1.0)))
        self.assertEqual(math.exp(1e4), plain.inf)
        self.assertEqual(math.round(2.5), 3.0)
        self.assertEqual(math.sqrt(Float16(2.0)).value, Float16(2**0.5).value)
        self.assertEqual(math.fma(2.0, 3.0, 1), 7.0)
        self.assertEqual((math.max(2, 3.5), math.min(plain.nan, 2.0)), (3.5, 2.0))
        self.assertEqual(int(math.max(Int32(2), 3)), 3)
        self.assertNotIn("math.", self.written())

    def test_every_function_of_vectors_and_numbers(self):
        v = full((2, 2), 0.5, Float32)
        others = {"MathOperand", "RoundingMode", "absi", "fpowi", "ipowi", "isfinite", "isinf",
                  "isnan", "isnormal", "sincos"}
        counts = {"add": 2, "clamp": 3, "div": 2, "fma": 3, "atan2": 2, "copysign": 2, "max": 2,
                  "min": 2, "mul": 2, "pow": 2, "rem": 2, "sub": 2}
        for name in sorted(set(math.__all__) - others):
            count = counts.get(name, 1)
            function = getattr(math, name)
            self.check(function(*[v] * count), (2, 2), Float32)
            number = function(*[self.dynamic(Float32)] * count, fastmath=True)
            self.assertIs(type(number), Float32)
            self.assertTrue(function.__doc__)
        self.assertIn("math.exp2", self.written())
        self.assertIn("fastmath<fast>", self.written())

    def test_operands_meet(self):
        v = full((2, 2), 1, Float16)
        self.check(math.pow(v, 2), (2, 2), Float32)
        self.check(math.max(full((2,), 1, Int32), 2), (2,), Int32)
        self.check(math.atan2(1.0, v), (2, 2), Float32)
        self.assertIs(type(math.exp(self.dynamic(Int32))), Float32)
        with self.assertRaises(TypeError):
            math.exp("1")


if __name__ == "__main__":
    unittest.main()
