# REQUIRES: torch, full
# TURN: 4 of 4
# RUN: env CUTE_DEVICE=sim %python %s
# RUN: env CUTE_DEVICE=sim CUTE_SIM=schedule=3 %python %s
"""Norms of a sum, and with results of 8-bit floats, on the simulator beside torch in float64."""

import dataclasses
import unittest
import unittest.mock
import warnings

import torch

from cute import kernels
from cute.kernels import _row_calls

FUNCTIONS = torch.nn.functional


class Steps(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        few = unittest.mock.patch.multiple(_row_calls, MULTIPROCESSORS=1, IN_CLUSTERS=2)
        few.start()
        self.addCleanup(few.stop)

    def functions(self, gamma, beta):
        """Both norms, each with the one in float64."""
        n, wide = gamma.shape, [x.double() for x in (gamma, beta)]
        yield (lambda a, **given: kernels.layernorm(a, gamma, beta, 1e-3, **given),
               lambda x: FUNCTIONS.layer_norm(x, n, *wide, 1e-3))
        yield (lambda a, **given: kernels.rmsnorm(a, gamma, 1e-3, **given),
               lambda x: x * (x.square().mean(-1, True) + 1e-3).rsqrt() * wide[0])

    def check(self, shape, dtype, is_scaled=True):
        a, residual = (3 * torch.randn(2, *shape) + 1).to(dtype)
        gamma, beta = torch.randn(2, shape[-1]).to(dtype)
        for function, reference in self.functions(gamma.clone(), beta.clone()):
            out, total = function(a, residual=residual)
            self.assertTrue(torch.equal(total, a + residual))
            wanted = reference(total.double())
            error = (out - wanted).abs() / (wanted.abs() + 1)
            self.assertLess(error.max().item(), 0.6 * torch.finfo(dtype).eps + 2e-6)
            if is_scaled:
                self.check_scales(function, residual, a, wanted)
                self.check_scales(function, None, total, wanted)

    def check_scales(self, function, residual, a, wanted):
        for scales in ("rows", "blocks"):
            out, factors, *more = function(a, residual=residual, scales=scales)
            self.assertEqual(len(more), int(residual is not None))
            self.assertEqual((out.dtype, factors.dtype), (torch.float8_e4m3fn, torch.float32))
            if scales == "rows":
                most, each = wanted.abs().amax(-1), factors[..., None]
            else:
                padded = torch.nn.functional.pad(wanted, (0, -wanted.shape[-1] % 128))
                most = padded.unflatten(-1, (-1, 128)).abs().amax(-1)
                each = factors.repeat_interleave(128, -1)[..., :wanted.shape[-1]]
            self.assertLess(((factors * 448 - most).abs() / most).max().item(), 1e-5)
            error = (out.double() * each - wanted).abs()
            self.assertTrue((error <= wanted.abs() * 2**-4 + each * 2**-10 * 1.01).all())

    def test_shapes(self):
        """Rows of lanes, several for a block, of a block and of a cluster."""
        for shape in ((5, 256), (37, 104), (2, 3, 1000), (3, 4104)):
            self.check(shape, torch.float16)
        self.check((7, 17408), torch.bfloat16)

    def test_rows_of_a_block(self):
        """At once, where registers are too few, as beyond 131072 columns; and of one and some of the next."""
        with unittest.mock.patch.object(_row_calls, "LONG", (16400,)):
            self.check((3, 16640), torch.bfloat16)
        plan = _row_calls._plan_staged(32, (3, 3, 3), _row_calls._rows.TYPES["f32"], 131072)  # pylint: disable=protected-access
        one = _row_calls._rows.Plan(plan.dtype, 2048, plan.elements, 0, plan.shared, 1)  # pylint: disable=protected-access
        plan_of = _row_calls._plan  # pylint: disable=protected-access
        with unittest.mock.patch.object(_row_calls, "_plan", lambda function, *rest: (
                one if function.name == "rmsnorm_steps" else plan_of(function, *rest))):
            self.check((9, 1964), torch.float32, is_scaled=False)

    def test_several_rows(self):
        """Layer norms alone, as of more than 32768 columns: also where rows do not begin at 16 bytes."""
        near = dataclasses.replace(kernels.norm.LAYERNORM, staged_beyond=1024)
        for shape in ((40, 1032), (40, 1033), (5, 2104)):
            a = (3 * torch.randn(shape) + 1).half()
            gamma, beta = (torch.randn(shape[1]).half() for _ in range(2))
            wanted = FUNCTIONS.layer_norm(a.double(), shape[1:], gamma.double(), beta.double(), 1e-3)
            error = (near(None, (1e-3,), a, gamma, beta, None) - wanted).abs() / (wanted.abs() + 1)
            self.assertLess(error.max().item(), 1e-3)

    def test_two_exchanges(self):
        """A layer norm's rows with a scale each, as of more than 24576 columns: of a block, and of a cluster."""
        plan = _row_calls._plan  # pylint: disable=protected-access
        for shape, most in (((24, 1032), 16), ((9, 1544), 1)):
            with unittest.mock.patch.object(_row_calls, "_plan", lambda function, *rest, most=most: (
                    dataclasses.replace(plan(dataclasses.replace(function, staged_beyond=1024), *rest), most=most))):
                self.check(shape, torch.float16)

    def test_float32(self):
        self.check((5, 516), torch.float32, is_scaled=False)

    def test_one(self):
        """The pitch of a row that is alone is not asked for."""
        whole, gamma = torch.randn(1, 261).half(), torch.ones(256).half()
        out, _ = kernels.rmsnorm(whole[:, :256], gamma, residual=whole[:, :256])
        wanted = 2 * whole[:, :256].double()
        self.assertLess((out - wanted * (wanted.square().mean() + 1e-5).rsqrt()).abs().max().item(), 3e-3)

    def test_zeros(self):
        a, gamma = torch.zeros(3, 256).half(), torch.ones(256).half()
        for scales in ("rows", "blocks"):
            out, factors = kernels.rmsnorm(a, gamma, scales=scales)
            self.assertEqual(out.float().abs().max().item(), 0)
            self.assertTrue((factors > 0).all())

    def test_product(self):
        """What comes out is what products with scales take."""
        a, w = torch.randn(20, 256).half(), torch.randn(128, 256)
        wide, w = a.double(), w.to(torch.float8_e4m3fn)
        wide = wide * (wide.square().mean(-1, True) + 1e-5).rsqrt()
        out, factors = kernels.rmsnorm(a, torch.ones(256).half(), scales="blocks")
        wanted = wide @ w.double().t()
        got = kernels.scaled_gemm(out, w, factors, torch.ones(1, 2))
        self.assertLess(((got - wanted).norm() / wanted.norm()).item(), 0.04)

    def test_nothing(self):
        a, gamma = torch.zeros(0, 64).half(), torch.ones(64).half()
        out, factors, total = kernels.rmsnorm(a, gamma, residual=a, scales="blocks")
        self.assertEqual([x.shape for x in (out, factors, total)], [(0, 64), (0, 1), (0, 64)])

    def test_rejected(self):
        a, gamma = torch.zeros(4, 64).half(), torch.ones(64).half()
        for kind, text, function in (
            (ValueError, "half is not a valid value for scales: one of '', rows, blocks",
             lambda: kernels.rmsnorm(a, gamma, scales="half")),
            (TypeError, "scales are for rows of float16 and bfloat16, not torch.float32",
             lambda: kernels.rmsnorm(a.float(), gamma.float(), scales="rows")),
            (ValueError, "out is for a call without residual and scales",
             lambda: kernels.rmsnorm(a, gamma, out=a, residual=a)),
            (ValueError, r"residual is \(4, 64\) of torch.float16, not \(3, 64\)",
             lambda: kernels.rmsnorm(a, gamma, residual=a[:3])),
            (ValueError, "a: its rows begin and end at multiples of 16 bytes, not of 62 elements",
             lambda: kernels.rmsnorm(a[:, :62], gamma[:62], residual=a[:, :62])),
            (ValueError, "a has rows of at most 262144 elements, not 262152",
             lambda: kernels.rmsnorm(torch.zeros(1, 262152).half(), torch.zeros(262152).half(),
                                     scales="rows")),
        ):
            with self.assertRaisesRegex(kind, text):
                function()


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operators(unittest.TestCase):
    def test_as_torch_has_them(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        checks = ("test_schema", "test_autograd_registration", "test_faketensor",
                  "test_aot_dispatch_static")
        operators = torch.ops.cute
        a, b, gamma, beta = (torch.randn(s).half() for s in ((3, 256), (3, 256), (256,), (256,)))
        for given in ((), (1e-5, "blocks"), (1e-5, "rows", b)):
            torch.library.opcheck(operators.rmsnorm_fp8.default, (a, gamma, *given), test_utils=checks)
            torch.library.opcheck(operators.layernorm_fp8.default, (a, gamma, beta, *given),
                                  test_utils=checks)
        for x in (a, b, gamma, beta):
            x.requires_grad_()
        torch.library.opcheck(operators.rmsnorm_residual.default, (a, b, gamma), test_utils=checks)
        torch.library.opcheck(operators.layernorm_residual.default, (a, b, gamma, beta),
                              test_utils=checks)
        x, y, gamma, beta = (torch.randn(s, requires_grad=True) for s in ((2, 8), (2, 8), (8,), (8,)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # float32
            torch.autograd.gradcheck(lambda *given: operators.rmsnorm_residual(*given, 0.5),
                                     (x, y, gamma), eps=1e-2, atol=1e-3, rtol=1e-2)
            torch.autograd.gradcheck(lambda *given: operators.layernorm_residual(*given, 0.5),
                                     (x, y, gamma, beta), eps=1e-2, atol=1e-3, rtol=1e-2)


unittest.main()
