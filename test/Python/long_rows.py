# REQUIRES: full
# RUN: env CUTE_DEVICE=sim %python %s %S/Inputs
"""Rows that shared memory holds, of a block or of a cluster, on the simulator, beside float64."""

import math
import sys
import unittest

from cute import kernels

sys.path.insert(0, sys.argv.pop(1))
from host_arrays import F16, F32, Array


class Rows(unittest.TestCase):
    def near(self, got, row, wanted):
        rounding = 1e-5 if got.dtype == F32 else 1e-3
        wrong = [(i, got[(row, i)], number) for i, number in enumerate(wanted)
                 if not abs(got[(row, i)] - number) <= rounding * max(1, abs(number))]
        self.assertEqual(wrong[:4], [])

    def numbers(self, a, row):
        return [a[(row, i)] for i in range(a.shape[1])]

    def check(self, rows, columns, dtype=F32):
        a, out = Array((rows, columns), dtype).fill(1), Array((rows, columns), dtype)
        gamma, beta = (Array((columns,), dtype).fill(seed) for seed in (2, 3))
        kernels.softmax(a, out)
        for row in range(rows):
            powers = [math.exp(x) for x in self.numbers(a, row)]
            total = math.fsum(powers)
            self.near(out, row, [x / total for x in powers])
        kernels.rmsnorm(a, gamma, 1e-5, out)
        for row in range(rows):
            x = self.numbers(a, row)
            scale = (math.fsum(v * v for v in x) / columns + 1e-5) ** -0.5
            self.near(out, row, [v * scale * gamma[(i,)] for i, v in enumerate(x)])
        kernels.layernorm(a, gamma, beta, 1e-5, out)
        for row in range(rows):
            x = self.numbers(a, row)
            mean = math.fsum(x) / columns
            scale = (math.fsum((v - mean) ** 2 for v in x) / columns + 1e-5) ** -0.5
            self.near(out, row, [(v - mean) * scale * gamma[(i,)] + beta[(i,)]
                                 for i, v in enumerate(x)])

    def test_one_block(self):
        """RMS normalization takes two rows at once; the last one does not exist."""
        self.check(3, 17000, F16)

    def test_several_blocks(self):
        self.check(2, 20000)

    def test_odd(self):
        """Element by element, as rows do not begin at multiples of 16 bytes."""
        self.check(1, 16389)

    def test_eight_blocks(self):
        self.check(1, 98308)

    def test_longer(self):
        self.check(1, 131080)


unittest.main()
