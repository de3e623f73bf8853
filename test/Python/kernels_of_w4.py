# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Products with weights of 4 bits on the simulator, beside float64, and what they refuse."""
import unittest

import torch
from cute import kernels


def weights(n, k, group, dtype, has_zeros=True):
    """(q, scales, zeros, weights in float64)."""
    q = torch.randint(0, 16, (n, k)).to(torch.uint8)
    scales = (torch.rand(n, k // group) + 0.1).to(dtype)
    zeros = torch.randint(0, 17, scales.shape).to(dtype) if has_zeros else None
    of_k = zeros.double().repeat_interleave(group, 1) if has_zeros else 8
    return q, scales, zeros, (q.double() - of_k) * scales.double().repeat_interleave(group, 1)


class Weights(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(9)

    def check(self, m, n, k, group, dtype, has_zeros, pitch=0):
        q, scales, zeros, wide = weights(n, k, group, dtype, has_zeros)
        a = torch.randn(m, k + pitch).to(dtype)[:, :k]
        wanted = a.double() @ wide.t()
        got = kernels.gemm_w4(a, kernels.pack_w4(q), scales, zeros)
        self.assertEqual((got.dtype, tuple(got.shape)), (dtype, (m, n)))
        error = ((got.double() - wanted).abs().max() / wanted.abs().max()).item()
        self.assertLess(error, 2e-3 if dtype == torch.float16 else 1e-2)

    def test_products(self):
        for dtype in (torch.float16, torch.bfloat16):
            self.check(1, 32, 128, 128, dtype, False)
            self.check(5, 48, 192, 64, dtype, True, pitch=8)
            self.check(9, 16, 1152, 32, dtype, True)
            self.check(20, 64, 128, 32, dtype, False)
            self.check(40, 48, 192, 96, dtype, True)

    def test_many_rows(self):
        """More rows than the loop is for, and more weights than blocks share K of."""
        self.check(70, 16, 128, 64, torch.float16, True)
        self.check(3, 8208, 64, 64, torch.float16, False)

    def test_wide(self):
        """Weights in 16 bits are rounded once."""
        for dtype in (torch.float16, torch.bfloat16):
            for group in (32, 128):
                q, scales, zeros, wide = weights(32, 256, group, dtype)
                got = kernels.unpack_w4(kernels.pack_w4(q), scales, zeros)
                self.assertTrue(torch.equal(got, wide.float().to(dtype)))

    def test_infinity(self):
        """One row's infinity stays in its row."""
        q, scales, _, _ = weights(16, 128, 128, torch.float16, False)
        a = torch.randn(4, 128).half()
        a[2, 5] = torch.inf
        got = kernels.gemm_w4(a, kernels.pack_w4(q), scales)
        self.assertTrue(got[[0, 1, 3]].isfinite().all())
        self.assertFalse(got[2].isfinite().any())

    def test_refused(self):
        a, w = torch.zeros(2, 128).half(), torch.zeros(2, 2, 32, 4).int()
        scales = torch.ones(32, 1).half()
        for error, text, function, arguments in (
                (TypeError, "uint8, not of torch.int64", kernels.pack_w4, (torch.zeros(16, 64).long(),)),
                (ValueError, "N a multiple of 16 and K of 64, not \\(16, 32\\)", kernels.pack_w4,
                 (torch.zeros(16, 32).byte(),)),
                (ValueError, "0 to 15, not 16", kernels.pack_w4, (torch.full((16, 64), 16).byte(),)),
                (ValueError, "a is \\(M,128\\)", kernels.gemm_w4, (a[:, :64], w, scales)),
                (ValueError, "a: its rows", kernels.gemm_w4, (torch.zeros(128, 2).half().t(), w, scales)),
                (ValueError, "as pack_w4 returns", kernels.gemm_w4, (a, w.long(), scales)),
                (TypeError, "scales are of float16", kernels.gemm_w4, (a, w, scales.float())),
                (ValueError, "groups of a multiple of 32", kernels.gemm_w4,
                 (a, w, torch.ones(32, 8).half())),
                (ValueError, "zeros are like scales", kernels.gemm_w4, (a, w, scales, scales[:16])),
                (ValueError, "out is \\(2, 32\\)", kernels.gemm_w4,
                 (a, w, scales, None, torch.zeros(2, 16).half()))):
            with self.assertRaisesRegex(error, text):
                function(*arguments)


unittest.main()
