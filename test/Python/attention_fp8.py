# REQUIRES: torch, full
# TURN: 1 of 4
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a CUTE_SIM=schedule=2 %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_89 CUTE_SIM=schedule=5 %python %s Floats.test_rows
"""Attention of 8-bit floats on the simulator beside float64, and what it refuses."""
import pathlib
import sys
import unittest

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
from attention_reference import reference

from cute import kernels

FACTORS = "scale_q", "scale_k", "scale_v"


def floats(*shape):
    return torch.randn(shape).to(torch.float8_e4m3fn)


class Floats(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(5)

    def check(self, heads, shared, rows, columns, d, causal, dv=None, has_factors=False, **given):
        """Rows in memory are (row, head), and V's are further apart."""
        q = floats(2, rows, heads, d).transpose(1, 2)
        k, v = floats(2, shared, columns, d), floats(2, shared, columns, (dv or d) + 16)[..., :dv or d]
        factors = {name: torch.rand(2, shared) + 0.5 for name in FACTORS} if has_factors else {}
        out, lse = kernels.attention(q, k, v, is_causal=causal, return_lse=True, **factors, **given)
        wide = [x.double() for x in (q, k, v)]
        for i, factor in enumerate(factors.values()):
            factor = factor.repeat_interleave(wide[i].shape[1] // shared, 1)
            wide[i] = wide[i] * factor[..., None, None]
        given = {name: x.double() if name == "sinks" else x for name, x in given.items()}
        expected, sums = reference(*wide, causal, d ** -0.5, **given)
        self.assertEqual((out.dtype, out.shape), (torch.bfloat16, expected.shape))
        self.assertLess(((out - expected).norm() / expected.norm()).item(), 0.04)
        torch.testing.assert_close(lse.double(), sums, rtol=0, atol=1e-3)
        self.assertTrue(torch.equal(out, kernels.attention(
            q, k, v, is_causal=causal, **factors, **{n: x.float() if n == "sinks" else x for n, x in given.items()})))

    def test_rows(self):
        """One row and column, parts of tiles, and of groups of 32 columns."""
        self.check(2, 1, 77, 200, 64, False)
        self.check(1, 1, 1, 1, 128, True)
        self.check(4, 2, 130, 333, 128, True, has_factors=True)

    def test_sizes(self):
        for d, dv in ((32, 32), (96, 96), (192, 128), (64, 128), (256, 256)):
            self.check(1, 1, 20, 50, d, False, dv)

    def test_options(self):
        self.check(2, 1, 90, 140, 64, True, window=40, cap=5.0, sinks=torch.randn(2), has_factors=True)

    def test_exact(self):
        """Each value goes to its column: rows see one key each, and all keys differ."""
        n = 160
        q, k = (torch.zeros(1, 1, n, 192) for _ in range(2))
        for i in range(n):
            q[0, 0, i, i], k[0, 0, i, i] = 16, 16
        v = torch.randint(-8, 9, (1, 1, n, 192)).float()
        q, k, v = (x.to(torch.float8_e4m3fn) for x in (q, k, v))
        out = kernels.attention(q, k, v, scale=1.0)
        self.assertTrue(torch.equal(out.float(), v.float()))

    def test_nothing(self):
        q = floats(1, 1, 5, 64)
        self.assertEqual(kernels.attention(q, q[:, :, :0], q[:, :, :0]).abs().max().item(), 0)

    def test_rejected(self):
        q, ones = floats(1, 2, 5, 64), torch.ones(1, 2)
        for kind, text, function in (
            (TypeError, "q, k and v are of float16, of bfloat16 or of float8_e4m3fn, not torch.float16, "
             "torch.float8_e4m3fn", lambda: kernels.attention(q, q, q.half())),
            (ValueError, "d is 32, 64, 96, 128, 192 or 256", lambda: kernels.attention(*[q[..., :48]] * 3)),
            (ValueError, "q: d is contiguous and rows begin at multiples of 16 bytes",
             lambda: kernels.attention(floats(1, 2, 5, 65)[..., :64], q, q)),
            (ValueError, "scale_q, scale_k and scale_v are for float8_e4m3fn, and given together",
             lambda: kernels.attention(q, q, q, scale_q=ones)),
            (ValueError, "scale_q, scale_k and scale_v are for float8_e4m3fn, and given together",
             lambda: kernels.attention(*[q.half()] * 3, scale_q=ones, scale_k=ones, scale_v=ones)),
            (ValueError, r"scale_k is \(1, 2\) of torch.float32, not \(1, 1\)",
             lambda: kernels.attention(q, q, q, scale_q=ones, scale_k=ones[:, :1], scale_v=ones)),
        ):
            with self.assertRaisesRegex(kind, text):
                function()


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operators(unittest.TestCase):
    def test_as_torch_has_them(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        torch.manual_seed(5)
        q, ones = floats(1, 1, 20, 64), torch.ones(1, 1)
        for given in ((), (True, 0.5), (False, None, None, None, ones, ones, ones)):
            torch.library.opcheck(torch.ops.cute.attention_fp8.default, (q, q, q, *given),
                                  test_utils=("test_faketensor",))  # schemas need allclose of bytes


unittest.main()
