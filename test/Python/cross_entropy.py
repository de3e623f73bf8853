# REQUIRES: torch, full
# TURN: 3 of 4
# RUN: env CUTE_DEVICE=sim %python %s
# RUN: env CUTE_DEVICE=sim CUTE_SIM=schedule=3 %python %s
"""Cross entropy and its gradient on the simulator, beside torch in float64."""

import math
import unittest
import warnings

import torch

from cute import kernels
from cute.kernels.cross_entropy import cross_entropy_backward, cross_entropy_forward, program

REDUCTIONS = ("none", "mean", "sum")
# Rows of lanes, of a block, of several rounds of it, of 16384 and of 13312, and whose ends are not at 16 bytes.
SHAPES = [(9, 3), (3, 100), (2, 3, 1000), (2, 1025), (1, 4104), (1, 32007), (2, 33000)]


def reference(a, target, ignored, reduction):
    """Logits of float64 that require a gradient, and their cross entropy."""
    x = a.double().requires_grad_()
    loss = torch.nn.functional.cross_entropy(
        x.view(-1, x.shape[-1]), target.view(-1), ignore_index=ignored, reduction=reduction)
    return x, loss.view(target.shape) if reduction == "none" else loss


class CrossEntropy(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def make(self, shape, dtype, ignored=-100):
        """Logits, and targets with the last column and one that does not count."""
        a = (3 * torch.randn(shape)).to(dtype)
        target = torch.randint(0, shape[-1], shape[:-1])
        target.view(-1)[-1] = shape[-1] - 1
        if target.numel() > 1:
            target.view(-1)[0] = ignored
        return a, target

    def check(self, a, target, ignored, reduction):
        x, wanted = reference(a, target, ignored, reduction)
        lse, *others, loss = cross_entropy_forward(a, target, ignored, reduction)
        error = (loss - wanted).abs() / (wanted.abs() + 1)
        self.assertLess(error.max().item(), 2e-6)
        self.assertEqual((loss.dtype, loss.shape), (torch.float32, wanted.shape))
        self.assertLess((lse - x.logsumexp(-1)).abs().max().item(), 1e-5)
        of_loss = 100 * torch.rand(wanted.shape)
        wanted.backward(of_loss.double())
        of_rows = of_loss if reduction == "none" else (of_loss * others[-1]).expand(target.shape)
        got = cross_entropy_backward(of_rows, a, target, lse, ignored)
        error = (got.double() - x.grad).abs() / (x.grad.abs() + 1e-2)
        self.assertLess(error.max().item(), torch.finfo(a.dtype).eps + 2e-6)
        self.assertEqual(got.dtype, a.dtype)

    def test_other_data_stays(self):
        """Loads of the loss have a policy of the L2 cache, for a matrix that would push all else out of it; the gradient's have not."""
        plan = {"name": "x", "alone": False, "type": "bf16", "elements": 32, "lengths": "4096", "block": 256}
        loss, gradient = (program({**plan, "reduction": kind}).compile("sm_90a").decode() for kind in ("none", "gradient"))
        self.assertEqual(loss.count("ld.global.L2::cache_hint.v4.b32"), 4)
        self.assertNotIn("cache_hint", gradient)

    def test_reductions(self):
        a, target = self.make((40, 16), torch.float16)
        for reduction in REDUCTIONS:
            self.check(a, target, -100, reduction)

    def test_shapes(self):
        for shape in SHAPES:
            with self.subTest(shape=shape):
                self.check(*self.make(shape, torch.float16), -100, "mean")

    def test_types(self):
        for dtype in (torch.bfloat16, torch.float32):
            for shape in ((3, 100), (2, 1025)):
                a, target = self.make(shape, dtype, 7)
                self.check(a, target, 7, "mean")

    def test_in_place(self):
        """The gradient may overwrite the logits, also where a row is no whole vector."""
        for shape in ((3, 1032), (3, 99)):
            a, target = self.make(shape, torch.float32)
            x, wanted = reference(a, target, -100, "sum")
            wanted.backward()
            lse, *_ = cross_entropy_forward(a, target, -100, "sum")
            got = cross_entropy_backward(torch.ones(()).expand(3), a, target, lse, out=a)
            self.assertIs(got, a)
            self.assertLess((a - x.grad).abs().max().item(), 1e-6)

    def test_views(self):
        """Rows with a pitch, and strided targets; what is beside them is left alone."""
        whole, targets = torch.randn(4, 128).half(), torch.randint(0, 90, (4, 2))
        a, target = whole[:, :90], targets[:, 1]
        x, wanted = reference(a, target.contiguous(), -100, "sum")
        wanted.backward()
        lse, *_, loss = cross_entropy_forward(a, target, -100, "sum")
        self.assertLess((loss - wanted).abs().item(), 1e-5)
        out = torch.full((4, 130), 77.0).half()[:, :128]
        cross_entropy_backward(torch.ones(4), a, target, lse, out=out[:, :90])
        self.assertLess((out[:, :90] - x.grad).abs().max().item(), 1e-3)
        self.assertEqual(out[:, 90:].unique().tolist(), [77])

    def test_infinite(self):
        a = torch.full((3, 64), -math.inf)
        a[:, 3] = 1
        target = torch.tensor([3, 4, 3])
        self.assertEqual(kernels.cross_entropy(a, target, reduction="none").tolist(),
                         [0, math.inf, 0])
        a[2, 5] = math.nan
        self.assertTrue(kernels.cross_entropy(a, target, reduction="none")[2].isnan())

    def test_no_column(self):
        """A target that is no column makes its row NaN, and reads nothing."""
        for shape in ((3, 64), (3, 65)):
            a = torch.randn(shape)
            target = torch.tensor([shape[1], 5, -1])
            loss = kernels.cross_entropy(a, target, reduction="none")
            self.assertEqual(loss.isnan().tolist(), [True, False, True])
            lse, *_ = cross_entropy_forward(a, target)
            grad = cross_entropy_backward(torch.ones(3), a, target, lse)
            self.assertEqual(grad.isnan().all(-1).tolist(), [True, False, True])
            self.assertFalse(grad[1].isnan().any())

    def test_nothing(self):
        """The mean of no rows is NaN, their sum 0, as torch has it."""
        a, target = torch.randn(2, 8), torch.full((2,), -100)
        for rows in (2, 0):
            self.assertTrue(kernels.cross_entropy(a[:rows], target[:rows]).isnan())
            self.assertEqual(
                kernels.cross_entropy(a[:rows], target[:rows], reduction="sum").item(), 0)
        lse, *_ = cross_entropy_forward(a, target)
        grad = cross_entropy_backward(torch.full((2,), math.inf), a, target, lse)
        self.assertEqual(grad.abs().max().item(), 0)

    def test_rejected(self):
        a, target = torch.zeros(4, 64), torch.zeros(4, dtype=torch.int64)
        for kind, text, arguments in (
            (ValueError, r"target is \(4,\) of torch.int64, not \(3,\)", (a, target[:3])),
            (ValueError, r"target is \(4,\) of torch.int64, not \(4,\) of torch.int32",
             (a, target.int())),
            (ValueError, "most is not a valid value for reduction", (a, target, -100, "most")),
            (ValueError, "a has rows without elements", (a[:, :0], target)),
            (TypeError, "rows are of f16, bf16, f32", (a.to(torch.int8), target)),
            (ValueError, "a: its rows must be contiguous", (torch.zeros(64, 4).t(), target)),
        ):
            with self.assertRaisesRegex(kind, text):
                kernels.cross_entropy(*arguments)
        with self.assertRaisesRegex(ValueError, r"grad is \(4,\) of torch.float32, not \(2,\)"):
            cross_entropy_backward(torch.ones(2), a, target, torch.ones(4))


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operator(unittest.TestCase):
    def test_as_torch_has_it(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        operators = torch.ops.cute
        a, target = torch.randn(3, 20).half().requires_grad_(), torch.tensor([4, -100, 19])
        checks = ("test_schema", "test_autograd_registration", "test_faketensor",
                  "test_aot_dispatch_static")
        for reduction in REDUCTIONS:
            arguments = (a, target, -100, reduction)
            for operator in (operators.cross_entropy, operators.cross_entropy_forward):
                torch.library.opcheck(operator.default, arguments, test_utils=checks)
        x = torch.randn(2, 5, requires_grad=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # float32
            for reduction in REDUCTIONS:
                torch.autograd.gradcheck(
                    lambda x, r=reduction: operators.cross_entropy(x, target[::2], 19, r), x,
                    eps=1e-2, atol=1e-3, rtol=1e-2)
        compiled = torch.compile(lambda x: operators.cross_entropy(x, target[::2], 19),
                                 fullgraph=True, backend="aot_eager")
        compiled(x).backward()
        y, loss = reference(x.detach(), target[::2], 19, "mean")
        loss.backward()
        self.assertLess((x.grad - y.grad).abs().max().item(), 1e-6)


unittest.main()
