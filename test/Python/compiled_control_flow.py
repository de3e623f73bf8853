# REQUIRES: full
# RUN: %python %s
"""Random programs and numeric types, compiled for the host, against Python."""

import ctypes
import math
import operator
import os
import random
import unittest

from random_programs import Programs, compiled

import cute
from cute._frontend.tree import flatten
from cute.dsl import BFloat16, Boolean, Float16, Float32, Float64, Int8, Int16, Int32
from cute.dsl import Int64, Uint8, Uint16, Uint32, Uint64


def pointer(array, dtype):
    address = ctypes.addressof(array)
    return cute.runtime.make_ptr(dtype, address, cute.AddressSpace.generic)


class Compiled(unittest.TestCase):
    def test_random_programs_agree_with_python(self):
        for seed in range(int(os.environ.get("CUTE_RANDOM_PROGRAMS", "12"))):
            with self.subTest(seed=seed):
                self.check(compiled(Programs(seed).source(), f"compiled {seed}"), seed)

    def check(self, program, seed):
        inner = cute.jit(program)

        @cute.jit
        def host(x: Int32, y: Int32, out: cute.Pointer):
            leaves, _ = flatten(inner(x, y))
            results = cute.make_tensor(out, len(leaves))
            for i in cute.range_constexpr(len(leaves)):
                results[i] = leaves[i]

        draw = random.Random(seed)
        out = (ctypes.c_int32 * 16)()
        call = cute.compile(host, Int32(0), Int32(0), pointer(out, Int32))
        for _ in range(4):
            x, y = draw.randrange(-20, 20), draw.randrange(-20, 20)
            call(x, y, pointer(out, Int32))
            expected = flatten(program(x, y))[0]
            self.assertEqual(list(out)[: len(expected)], expected)

    def test_numbers_compute_as_static_ones(self):
        types = [Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64]
        floats = [Float16, BFloat16, Float32, Float64]
        names = "add sub mul floordiv mod truediv eq ne lt le gt ge".split()
        draw = random.Random(5)
        cases = []
        for _ in range(150):
            a, b = draw.choice(types + floats), draw.choice(types + floats)
            name = draw.choice(names)
            x = a(draw.choice([0, 1, -7, 100, 3, -128]))
            y = b(draw.choice([1, 2, 3, 8, 21, -5]))
            cases.append((getattr(operator, name), x, y))
        for _ in range(40):
            a = draw.choice(types)
            x = a(draw.randrange(-99, 99))
            cases.append((draw.choice([operator.and_, operator.xor]), x, a(12)))
            cases.append((draw.choice([operator.lshift, operator.rshift]), x, a(3)))
        self.compute(cases)

    def compute(self, cases):
        """Checks functions of two numbers, all in one compiled function."""
        wanted = [function(x, y) for function, x, y in cases]
        out = (ctypes.c_double * len(cases))()

        @cute.jit
        def host(one: Int32, out: cute.Pointer):
            results = cute.make_tensor(out, len(cases))
            for i in cute.range_constexpr(len(cases)):
                function, x, y = cases[i]
                value = function(type(x)(one) * x, type(y)(one) * y)
                self.assertIs(type(value), type(wanted[i]))
                results[i] = value.to(Float64)

        host(Int32(1), pointer(out, Float64))
        for got, expected, case in zip(out, wanted, cases):
            number = float(expected.to(Float64).value)
            same = got == number or math.isnan(got) and math.isnan(number)
            function, x, y = case
            names = type(x), x.value, type(y), y.value
            self.assertTrue(same, (function, *names, got, number))

    def test_vectors(self):
        a = (ctypes.c_float * 12)(*range(12))
        out = (ctypes.c_float * 12)()

        @cute.jit
        def host(a: cute.Pointer, out: cute.Pointer, where: Int32):
            source = cute.make_tensor(a, cute.make_layout((4, 3))).load()
            results = cute.make_tensor(out, 12)
            results[0] = source.reduce(cute.ReductionOp.ADD, 1.0, 0)
            sums = source.reduce(cute.ReductionOp.MAX, -1.0, (None, 1))
            for i in cute.range_constexpr(4):
                results[1 + i] = sums[i]
            results[5] = source[where, 2]
            column = cute.full((4, 1), 10.0, Float32)
            results[6] = (source + column)[3, 2]
            results[7] = (source // 4)[5]
            results[8] = cute.where(source > 5, source, 0.0)[4]
            results[9] = Float32(cute.any_(source > 10))
            results[10] = Float32(cute.all_(source > 0))
            results[11] = cute.math.exp2(source)[3]

        host(pointer(a, Float32), pointer(out, Float32), Int32(1))
        self.assertEqual(list(out), [67, 8, 9, 10, 11, 9, 21, 1, 0, 1, 0, 8])

    def test_assertions(self):
        @cute.jit
        def host(x: Int32):
            assert x > 3, "x is small"
            cute.testing.assert_(x < 9, "x is large")

        host(Int32(4))
        for wrong, text in ((2, "x is small"), (10, "x is large")):
            with self.assertRaisesRegex(Exception, text):
                host(Int32(wrong))

    def test_conversion_of_arrays(self):
        self.assertIs(type(Boolean(True)), Boolean)
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not there")
        source = numpy.arange(12, dtype=numpy.float32).reshape(3, 4) / 2
        for kind in (numpy.float16, numpy.int32, numpy.float64):
            target = numpy.zeros((4, 3), dtype=kind).T
            cute.testing.convert(
                cute.runtime.from_dlpack(source), cute.runtime.from_dlpack(target)
            )
            self.assertTrue((target == source.astype(kind)).all())
        with self.assertRaisesRegex(ValueError, "src has the shape"):
            cute.testing.convert(
                cute.runtime.from_dlpack(source), cute.runtime.from_dlpack(target.T)
            )


class Timing(unittest.TestCase):
    def test_workspaces_are_three_times_the_cache(self):
        count = cute.testing.workspace_count
        self.assertEqual(count(50 << 20, 10 << 20, 100), 15)
        self.assertEqual(count(50 << 20, 1 << 30, 100), 1)
        self.assertEqual(count(50 << 20, 1, 7), 7)

    def test_rejected(self):
        with self.assertRaisesRegex(ValueError, "iterations and workspaces at least 1"):
            cute.testing.benchmark(lambda: None, iterations=0)
        with self.assertRaisesRegex(TypeError, "JitArguments, not tuple"):
            cute.testing.benchmark(lambda: None, workspace_generator=lambda: (1, 2))
        with self.assertRaisesRegex(ValueError, "other than the default one"):
            cute.testing.benchmark(lambda: None, use_cuda_graphs=True)


if __name__ == "__main__":
    unittest.main()
