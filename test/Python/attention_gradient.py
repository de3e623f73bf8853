# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a CUTE_SIM=schedule=3 %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_80 %python %s Gradients.test_heads
"""Gradients of attention on the simulator beside float64's, and what they refuse."""
import math
import pathlib
import sys
import unittest

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
from attention_reference import reference

from cute.kernels.attention_gradient import attention_backward

if not hasattr(torch.library, "custom_op"):  # before 2.4
    raise SystemExit(0)


class Gradients(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(9)

    def check(self, heads, shared, rows, keys, d, causal, dtype=torch.float16, scale=None, **given):
        q = torch.randn(2, rows, heads, d + 8).to(dtype).transpose(1, 2)[..., :d]
        k, v = (torch.randn(2, shared, keys, d).to(dtype) for _ in "kv")
        grad = torch.randn(2, heads, rows, d).to(dtype)
        wide = [x.double().requires_grad_() for x in (q, k, v)]
        out, lse = reference(*wide, causal, scale or 1 / math.sqrt(d), **given)
        out.backward(grad.double())
        arrays = (grad, q, k, v, out.detach().to(dtype), lse.detach().float())
        for deterministic in (False, True):
            got = attention_backward(*arrays, is_causal=causal, scale=scale,
                                     deterministic=deterministic, **given)
            for x, y in zip(got, wide):
                error = (x.double() - y.grad).abs().max() / y.grad.abs().max()
                self.assertLess(error.item(), 1e-3 if dtype == torch.float16 else 1e-2)
        return arrays

    def test_heads(self):
        """Rows that see no key, keys that no row sees, and sizes that no tile divides."""
        self.check(2, 1, 70, 50, 64, True)
        self.check(1, 1, 33, 90, 128, False, torch.bfloat16)

    def test_more_heads(self):
        self.check(6, 2, 140, 70, 128, True)
        self.check(2, 2, 65, 129, 64, True, torch.bfloat16)
        self.check(1, 1, 130, 20, 64, False, scale=0.3)

    def test_other_sizes(self):
        for d in (8, 32, 48, 72, 96, 120):
            self.check(1, 1, 50, 40, d, d % 32 == 0)

    def test_window_and_cap(self):
        """Of tiles, some are before all windows of their rows, and some have a part of one."""
        self.check(2, 1, 150, 220, 64, True, window=30)
        self.check(1, 1, 40, 60, 64, True, window=2**31 - 1)
        self.check(1, 1, 90, 40, 64, True, window=70, cap=2.0)
        self.check(1, 1, 40, 50, 128, False, cap=0.7)

    def test_repeat(self):
        """Equal inputs give equal bits."""
        arrays = self.check(2, 2, 40, 50, 64, False)
        first, second = (attention_backward(*arrays, deterministic=True) for _ in range(2))
        self.assertTrue(all(map(torch.equal, first, second)))

    def test_repeat_operator(self):
        """The operator's where torch is asked for deterministic algorithms."""
        import cute.kernels.torch_ops  # pylint: disable=unused-import
        arrays = self.check(1, 1, 140, 300, 64, True)
        expected = attention_backward(*arrays, is_causal=True, deterministic=True)
        torch.use_deterministic_algorithms(True)
        try:
            got = torch.ops.cute.attention_backward(*arrays, True)
        finally:
            torch.use_deterministic_algorithms(False)
        self.assertTrue(all(map(torch.equal, got, expected)))

    def test_autograd(self):
        """Through the operators, with a gradient that is one number, of q in another order."""
        from cute.kernels import torch_ops
        for operator in (torch_ops.attention, lambda *given: torch_ops.attention_lse(*given)[0]):
            q = torch.randn(1, 35, 2, 64).half().transpose(1, 2).requires_grad_()
            k, v = (torch.randn(1, 1, 35, 64).half().requires_grad_() for _ in "kv")
            wide = [x.detach().double().requires_grad_() for x in (q, k, v)]
            operator(q, k, v, True, 0.2).sum().backward()
            reference(*wide, True, 0.2)[0].sum().backward()
            for x, y in zip((q, k, v), wide):
                error = (x.grad.double() - y.grad).abs().max() / y.grad.abs().max()
                self.assertLess(error.item(), 2e-3)

    def test_autograd_of_sinks(self):
        """With all options at once."""
        from cute.kernels import torch_ops
        q, k, v = (torch.randn(1, 2, 35, 64).half().requires_grad_() for _ in "qkv")
        sinks = torch.randn(2).requires_grad_()
        wide = [x.detach().double().requires_grad_() for x in (q, k, v, sinks)]
        torch_ops.attention(q, k, v, True, 0.2, 9, 3.0, sinks).sum().backward()
        reference(*wide[:3], True, 0.2, 9, 3.0, wide[3])[0].sum().backward()
        for x, y in zip((q, k, v, sinks), wide):
            error = (x.grad.double() - y.grad).abs().max() / y.grad.abs().max()
            self.assertLess(error.item(), 2e-3)

    def test_nothing(self):
        q, k = torch.randn(1, 2, 3, 64).half(), torch.zeros(1, 1, 0, 64).half()
        lse = torch.full((1, 2, 3), -math.inf)
        of_q, of_k, _ = attention_backward(q, q, k, k, q, lse)
        self.assertEqual((of_q.abs().max().item(), tuple(of_k.shape)), (0, (1, 1, 0, 64)))

    def test_refused(self):
        q = torch.zeros(1, 2, 9, 64).half()
        lse = torch.zeros(1, 2, 9)
        good = {"grad": q, "q": q, "k": q, "v": q, "out": q, "lse": lse}
        wide = torch.zeros(1, 2, 9, 256).half()
        for error, text, changed in (
                (ValueError, "multiple of 8 from 8 to 128, not", dict.fromkeys(("q", "k", "v"), wide)),
                (ValueError, r"grad is \(1, 2, 9, 64\) of torch.float16", {"grad": q[:, :1]}),
                (ValueError, "out is .* not .* of torch.float32", {"out": q.float()}),
                (ValueError, "lse is \\(1, 2, 9\\) of float32", {"lse": lse[..., :8]}),
                (ValueError, "lse is .* not .* of torch.float16", {"lse": lse.half()}),
                (ValueError, "grad: d is contiguous and rows begin",
                 {"grad": torch.zeros(1, 2, 9, 65).half()[..., :64]}),
                (ValueError, "the scale is positive", {"scale": 0}),
                (ValueError, "is_causal=True goes with it", {"window": 3}),
                (ValueError, "not 0", {"window": 0, "is_causal": True}),
                (ValueError, "the cap is positive", {"cap": -1.0})):
            with self.assertRaisesRegex(error, text):
                attention_backward(**{**good, **changed})


unittest.main()
