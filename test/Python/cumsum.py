# REQUIRES: torch, full
# TURN: 3 of 4
# RUN: env CUTE_DEVICE=sim %python %s
# RUN: env CUTE_DEVICE=sim CUTE_SIM=schedule=3 %python %s
"""Sums of rows up to each element on the simulator, beside float64."""

import unittest
import warnings

import torch

from cute.kernels import cumsum


class Sums(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def check(self, a, out=None):
        wanted = a.double().cumsum(-1)
        got = cumsum(a, out)
        self.assertEqual((got.dtype, got.shape), (a.dtype, a.shape))
        error = (got - wanted).abs() / (wanted.abs() + 1)
        rounding = 0.6 * torch.finfo(a.dtype).eps + 3e-7 * a.shape[-1] ** 0.5
        self.assertLess(error.max().item(), rounding)
        return got

    def test_f16(self):
        """Rows of lanes, several of a warp, of a block and of several rounds."""
        for shape in ((3, 104), (37, 16), (2, 3, 1000), (2, 1032), (3, 4104), (2, 17008)):
            with self.subTest(shape=shape):
                self.check(torch.randn(shape).half())

    def test_odd(self):
        """Element by element, as rows do not begin at multiples of 16 bytes."""
        for shape in ((3, 77), (5, 1), (2, 1025), (3, 600)):
            self.check(torch.randn(shape).half()[:, :-1 if shape[1] > 1 else None])

    def test_types(self):
        for dtype in (torch.bfloat16, torch.float32):
            for columns in (516, 1500, 8200):
                self.check(torch.randn(3, columns).to(dtype))

    def test_exact(self):
        a = torch.randint(-8, 9, (2, 5000)).float()
        self.assertTrue(torch.equal(cumsum(a), a.cumsum(-1)))

    def test_places(self):
        a, whole = torch.randn(4, 100), torch.zeros(4, 200)
        out = whole[:, :100]
        self.assertIs(self.check(a, out), out)
        self.assertEqual(whole[:, 100:].abs().max().item(), 0)
        wanted = cumsum(a)
        self.assertTrue(torch.equal(cumsum(a, a), wanted))
        self.assertEqual(cumsum(a[:0]).shape, (0, 100))

    def test_special(self):
        """What is infinite or no number changes what follows it, and nothing before it."""
        a = torch.ones(2, 2000)
        a[0, 1200], a[1, 77] = float("inf"), float("nan")
        got = cumsum(a)
        self.assertEqual(got[0, :1200].tolist(), list(range(1, 1201)))
        self.assertTrue(torch.isinf(got[0, 1200:]).all())
        self.assertEqual(got[1, 76].item(), 77)
        self.assertTrue(torch.isnan(got[1, 77:]).all())

    def test_rejected(self):
        a = torch.zeros(4, 64)
        with self.assertRaisesRegex(TypeError, "rows are of f16, bf16, f32, not torch.int32"):
            cumsum(a.int())
        with self.assertRaisesRegex(ValueError, r"out is \(4, 64\) of torch.float32, not \(4, 32\)"):
            cumsum(a, a[:, :32])


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operators(unittest.TestCase):
    def test_as_torch_has_them(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        checks = ("test_schema", "test_autograd_registration", "test_faketensor",
                  "test_aot_dispatch_static")
        operator, a = torch.ops.cute.cumsum, torch.randn(3, 20).half().requires_grad_()
        torch.library.opcheck(operator.default, (a,), test_utils=checks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # float32
            x = torch.randn(2, 5, requires_grad=True)
            torch.autograd.gradcheck(operator, x, eps=1e-2, atol=1e-3, rtol=1e-2)
            torch.autograd.gradcheck(lambda x: operator(x.t()).t(), x, eps=1e-2, atol=1e-3,
                                     rtol=1e-2)


unittest.main()
