# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a CUTE_SIM=schedule=3 %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_80 %python %s Gradients.test_heads
"""Gradients of attention on the simulator beside those of float64, and what they refuse."""
import math
import unittest

import torch

from cute.kernels.attention_gradient import attention_backward

if not hasattr(torch.library, "custom_op"):  # before 2.4
    raise SystemExit(0)


def reference(q, k, v, causal, scale):
    """Attention and the log-sum-exp of rows, with zeros for rows that see no key."""
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    s = q @ k.transpose(2, 3) * scale
    later = torch.zeros(s.shape[2:]).bool()
    if causal:
        rows, columns = s.shape[2:]
        later = torch.ones(rows, columns).triu(columns - rows + 1).bool()
    empty = later.all(1, keepdim=True)
    p = torch.softmax(s.masked_fill(later & ~empty, -math.inf), -1).masked_fill(empty, 0)
    return p @ v, torch.logsumexp(s.masked_fill(later, -math.inf), -1)


class Gradients(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(9)

    def check(self, heads, shared, rows, keys, d, causal, dtype=torch.float16, scale=None):
        q = torch.randn(2, rows, heads, d + 8).to(dtype).transpose(1, 2)[..., :d]
        k, v = (torch.randn(2, shared, keys, d).to(dtype) for _ in "kv")
        grad = torch.randn(2, heads, rows, d).to(dtype)
        wide = [x.double().requires_grad_() for x in (q, k, v)]
        out, lse = reference(*wide, causal, scale or 1 / math.sqrt(d))
        out.backward(grad.double())
        arrays = (grad, q, k, v, out.detach().to(dtype), lse.detach().float())
        for x, y in zip(attention_backward(*arrays, is_causal=causal, scale=scale), wide):
            error = (x.double() - y.grad).abs().max() / y.grad.abs().max()
            self.assertLess(error.item(), 1e-3 if dtype == torch.float16 else 1e-2)
        return arrays

    def test_heads(self):
        """Rows that see no key, keys that no row sees, and sizes that no tile divides."""
        self.check(2, 1, 70, 50, 64, True)
        self.check(1, 1, 33, 90, 128, False, torch.bfloat16)

    def test_more_heads(self):
        self.check(4, 2, 40, 70, 128, True)
        self.check(2, 2, 65, 129, 64, True, torch.bfloat16)
        self.check(1, 1, 130, 20, 64, False, scale=0.3)

    def test_other_sizes(self):
        for d in (16, 32, 48, 80, 96, 112):
            self.check(1, 1, 50, 40, d, d % 32 == 0)

    def test_repeat(self):
        """Equal inputs give equal bits."""
        arrays = self.check(2, 2, 40, 50, 64, False)
        first, second = attention_backward(*arrays), attention_backward(*arrays)
        self.assertTrue(all(map(torch.equal, first, second)))

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
                (ValueError, "96, 112 or 128, not", dict.fromkeys(("q", "k", "v"), wide)),
                (ValueError, "grad is like q", {"grad": q[:, :1]}),
                (ValueError, "out is like q", {"out": q.float()}),
                (ValueError, "lse is \\(1, 2, 9\\) of float32", {"lse": lse[..., :8]}),
                (ValueError, "lse is .* not .* of torch.float16", {"lse": lse.half()}),
                (ValueError, "grad: d is contiguous and rows begin",
                 {"grad": torch.zeros(1, 2, 9, 65).half()[..., :64]}),
                (ValueError, "the scale is positive", {"scale": 0})):
            with self.assertRaisesRegex(error, text):
                attention_backward(**{**good, **changed})


unittest.main()
