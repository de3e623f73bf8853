# REQUIRES: torch, full
# TURN: 2 of 4
# RUN: env CUTE_DEVICE=sim %python %s
# RUN: env CUTE_DEVICE=sim CUTE_SIM=schedule=3 %python %s
"""Gradients of norms on the simulator, beside torch in float64."""

import dataclasses
import importlib
import unittest
import unittest.mock
import warnings

import torch

import cute
from cute.kernels import _access, _row_calls, _rows
from cute.kernels.norm_gradient import layernorm_backward, rmsnorm_backward
from cute.runtime import from_dlpack

norm_gradient = importlib.import_module("cute.kernels.norm_gradient")
FUNCTIONS = torch.nn.functional


def layernorm(x, gamma, beta, eps):
    return FUNCTIONS.layer_norm(x, x.shape[-1:], gamma, beta, eps)


def rmsnorm(x, gamma, _, eps):
    return x * (x.square().mean(-1, True) + eps).rsqrt() * gamma


@cute.kernel
def keep_order(out: cute.Tensor):
    numbers, same = (cute.make_rmem_tensor((2, 3), cute.Float32) for _ in range(2))
    for i in cute.range_constexpr(6):
        numbers[i] = cute.Float32(i)
    same.store(_access.computed_here(numbers.load()))
    for i in cute.range_constexpr(6):
        out[i] = same[i]


@cute.jit
def launch(out: cute.Tensor):
    keep_order(out).launch(grid=(1, 1, 1), block=(1, 1, 1))


class Helpers(unittest.TestCase):
    def test_order(self):
        """Elements that are computed where they stand keep their places."""
        out = torch.zeros(6)
        launch(from_dlpack(out))
        self.assertEqual(out.tolist(), [0, 1, 2, 3, 4, 5])


class Gradients(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def check(self, shape, dtype, eps=1e-3, mean=1.0):
        a, grad = (3 * torch.randn(shape) + mean).to(dtype), torch.randn(shape).to(dtype)
        gamma, beta = torch.randn(2, shape[-1]).to(dtype).contiguous()
        for backward, reference in ((layernorm_backward, layernorm),
                                    (rmsnorm_backward, rmsnorm)):
            wide = [x.double().requires_grad_() for x in (a, gamma, beta)]
            reference(*wide, eps).backward(grad.double())
            got = backward(grad, a, gamma.clone(), eps)
            for x, y in zip(got, wide):
                self.assertEqual(x.dtype, dtype)
                error = (x - y.grad).abs() / (y.grad.abs() + 1)
                least = 2e-6 + 3e-7 * (mean - 1)  # the mean is rounded
                self.assertLess(error.max().item(), 0.6 * torch.finfo(dtype).eps + least)

    def test_f16(self):
        """Rows of lanes, several for a block and several for a thread, and of a block."""
        for shape in ((37, 100), (35, 256), (2, 5, 1000), (5, 1025), (4, 2056)):
            with self.subTest(shape=shape):
                self.check(shape, torch.float16)

    def test_clusters(self):
        self.check((3, 8200), torch.bfloat16)
        self.check((3, 8201), torch.float32)

    def test_stages(self):
        """Several rows for a block and for a cluster, more than they have room for at once, of
        means that are large beside what is left."""
        for multiprocessors, shape, dtype, mean in (
            (1, (19, 1040), torch.float32, 300.0),
            (2, (7, 8208), torch.float32, 30.0),
            (2, (7, 17000), torch.bfloat16, 1.0),
        ):
            names = ("MULTIPROCESSORS", "IN_CLUSTERS")
            with unittest.mock.patch.multiple(_row_calls, **dict.fromkeys(names, multiprocessors)):
                self.check(shape, dtype, mean=mean)

    def test_gamma_in_shared_memory(self):
        """Where registers are too few for a thread's elements of it, as of 131072 columns."""
        functions = {name: dataclasses.replace(getattr(norm_gradient, name), staged=32)
                     for name in ("LAYERNORM", "RMSNORM")}
        with unittest.mock.patch.multiple(norm_gradient, **functions):
            self.check((5, 2000), torch.bfloat16)

    def test_one_row(self):
        """Of which a block, or a cluster, has room for one and a half, as of 131072 columns of float32."""
        for most in (16, 1):
            plan = _rows.Plan(_rows.TYPES["f32"], 2048, 32, 0, 3, most)
            with unittest.mock.patch.multiple(
                    _row_calls, _plan_staged=lambda *_: plan, MULTIPROCESSORS=2, IN_CLUSTERS=2):  # pylint: disable=cell-var-from-loop
                self.check((7 + most, 1964), torch.float32, mean=30.0)

    def test_parts(self):
        """A wave of blocks or clusters, and no more, sums up parts."""
        for length, parts in ((2048, 4 * 132), (3072, 2 * 132), (8192, 132), (16384, 66), (24576, 30),
                              (131072, 15)):
            plan = _row_calls._plan_staged(16, (6, 4, 8), _rows.TYPES["bf16"], length)
            self.assertEqual((plan.length, _row_calls.most_parts(plan)), (length, parts))
            self.assertEqual(plan.shared, {24576: 8}.get(length, 6))

    def test_types(self):
        for dtype in (torch.bfloat16, torch.float32):
            self.check((9, 516), dtype)
        self.check((5, 36), torch.float32, eps=0.0)

    def test_nothing(self):
        a, gamma = torch.zeros(0, 8), torch.ones(8)
        for x in layernorm_backward(a, a, gamma)[1:]:
            self.assertEqual(x.tolist(), [0] * 8)

    def test_rejected(self):
        a, gamma = torch.zeros(4, 64), torch.ones(64)
        with self.assertRaisesRegex(ValueError, r"grad is \(4, 64\) of torch.float32, not \(3, 64\)"):
            layernorm_backward(a[:3], a, gamma)
        with self.assertRaisesRegex(ValueError, r"gamma is \(64,\) of torch.float32, not \(32,\)"):
            rmsnorm_backward(a, a, gamma[:32])


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operators(unittest.TestCase):
    def test_as_torch_has_them(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        checks = ("test_schema", "test_autograd_registration", "test_faketensor",
                  "test_aot_dispatch_static")
        a, gamma, beta = (torch.randn(s).half().requires_grad_() for s in ((3, 20), (20,), (20,)))
        operators = torch.ops.cute
        torch.library.opcheck(operators.layernorm.default, (a, gamma, beta), test_utils=checks)
        torch.library.opcheck(operators.rmsnorm.default, (a, gamma), test_utils=checks)
        x, gamma, beta = (torch.randn(s, requires_grad=True) for s in ((2, 5), (5,), (5,)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # float32
            for function, arguments in (
                (lambda *given: operators.layernorm(*given, 0.5), (x, gamma, beta)),
                (lambda *given: operators.rmsnorm(*given, 0.5), (x, gamma)),
                (lambda *given: operators.rmsnorm(*given, 0.5).t(), (x, gamma)),
            ):
                torch.autograd.gradcheck(function, arguments, eps=1e-2, atol=1e-3, rtol=1e-2)


unittest.main()
