# REQUIRES: torch, full
# TURN: 1 of 4
# RUN: env CUTE_DEVICE=sim %python %s
# RUN: env CUTE_DEVICE=sim CUTE_SIM=schedule=3 %python %s
"""Softmax, its logarithm and their gradients on the simulator, beside torch in float64."""

import math
import unittest
import unittest.mock
import warnings

import torch

from cute import kernels
from cute.kernels import _row_calls
from cute.kernels.softmax_gradient import log_softmax_backward, softmax_backward

FUNCTIONS = ((kernels.softmax, softmax_backward, torch.softmax),
             (kernels.log_softmax, log_softmax_backward, torch.log_softmax))


class Gradients(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def check(self, shape, dtype, is_in_place=False):
        a, grad = (3 * torch.randn(shape)).to(dtype), torch.randn(shape).to(dtype)
        for function, backward, reference in FUNCTIONS:
            b, x = function(a), a.double().requires_grad_()
            wanted = reference(x, -1)
            rounding = torch.finfo(dtype).eps
            # The logarithm is a difference of numbers of about 10.
            error = (b - wanted).abs() / (wanted.abs() + (1 if (b < 0).any() else 1e-4))
            self.assertLess(error.max().item(), 0.6 * rounding + 2e-6)
            # The gradient is that of the result as it was rounded.
            y, g = b.double(), grad.double()
            wanted = (y * (g - (g * y).sum(-1, True)) if function is kernels.softmax
                      else g - y.exp() * g.sum(-1, True))
            got = backward(grad.clone(), b, b if is_in_place else None)
            self.assertEqual(got is b, is_in_place)
            error = (got - wanted).abs() / (wanted.abs() + 1e-2)
            self.assertLess(error.max().item(), 0.6 * rounding + 1e-5)

    def test_f16(self):
        for shape in ((3, 100), (40, 16), (2, 3, 1000), (2, 1025), (1, 4104), (2, 17001)):
            with self.subTest(shape=shape):
                self.check(shape, torch.float16)

    def test_clusters(self):
        self.check((1, 20000), torch.bfloat16)

    def test_rounds(self):
        """Rows longer than what threads, or a cluster, have in registers."""
        for name, lengths, shape in (("KNOWN", (1024,), (3, 2056)), ("LONG", (24576,), (1, 25008))):
            with unittest.mock.patch.object(_row_calls, name, lengths):
                self.check(shape, torch.bfloat16)

    def test_types(self):
        for dtype in (torch.bfloat16, torch.float32):
            self.check((3, 1032), dtype, is_in_place=True)
            self.check((3, 99), dtype, is_in_place=True)

    def test_infinite(self):
        a = torch.full((1, 64), -math.inf)
        a[:, 3] = 1
        self.assertEqual(kernels.log_softmax(a).tolist(), torch.log_softmax(a, -1).tolist())

    def test_rejected(self):
        a = torch.zeros(4, 64)
        for _, backward, _ in FUNCTIONS:
            with self.assertRaisesRegex(ValueError, r"b is \(4, 64\) of torch.float32, not \(4, 32\)"):
                backward(a, a[:, :32])
            with self.assertRaisesRegex(ValueError, "b: its rows must be contiguous"):
                backward(a, torch.zeros(64, 4).t())


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operators(unittest.TestCase):
    def test_as_torch_has_them(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        checks = ("test_schema", "test_autograd_registration", "test_faketensor",
                  "test_aot_dispatch_static")
        a, x = torch.randn(3, 20).half().requires_grad_(), torch.randn(2, 5, requires_grad=True)
        for name in ("softmax", "log_softmax"):
            operator = getattr(torch.ops.cute, name)
            torch.library.opcheck(operator.default, (a,), test_utils=checks)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # float32
                torch.autograd.gradcheck(operator, x, eps=1e-2, atol=1e-3, rtol=1e-2)
                # Neither operands nor gradients need contiguous rows.
                torch.autograd.gradcheck(lambda x, f=operator: f(x.t()).t(), x,
                                         eps=1e-2, atol=1e-3, rtol=1e-2)


unittest.main()
