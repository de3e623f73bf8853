# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim %python %s
"""The library's functions as operators of torch, on the simulator: what torch checks of an
operator, under torch.compile, and gradients."""

import unittest

import torch

from cute import kernels

try:
    from cute.kernels import torch_ops
except ImportError as error:
    raise SystemExit(hasattr(torch.library, "custom_op") or "torch 2.4 or later" not in str(error))
from cute.kernels.cross_entropy import cross_entropy_forward

OPS = torch.ops.cute
CHECKS = ("test_schema", "test_faketensor", "test_aot_dispatch_static")
FUNCTIONS = torch.nn.functional


def random(*shape, dtype=torch.float16, grad=False):
    return torch.randn(*shape).to(dtype).requires_grad_(grad)


class Operators(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def check(self, operator, *arguments, **given):
        torch.library.opcheck(operator, arguments, given, test_utils=CHECKS)

    def test_as_torch_has_them(self):
        a, b, three = random(20, 24), random(13, 24), random(2, 20, 24)
        self.check(OPS.gemm.default, a, b)
        self.check(OPS.gemm.default, three, b, random(13), activation="relu", alpha=0.5,
                   out_dtype=torch.float32)
        self.check(OPS.gated_gemm.default, a, b, b)
        self.check(OPS.grouped_gemm.default, a, three, torch.tensor([7, 20]).int(), out_dtype=torch.float32)
        q = random(1, 1, 20, 64)
        self.check(OPS.attention.default, q, q, q, True)
        self.check(OPS.attention_forward.default, q, q, q, True)
        out, lse = OPS.attention_lse(q, q, q, True)
        self.check(OPS.attention_lse.default, q, q, q, True)
        self.check(OPS.attention_backward.default, out, q, q, q, out, lse, True)
        self.check(OPS.gemm_w4.default, random(3, 64), torch.zeros(2, 1, 32, 4).int(), random(32, 1))
        self.check(OPS.attention_paged.default, q, q[:, :, :16], q[:, :, :16],
                   torch.zeros(1, 2).int(), torch.tensor([20]).int())
        self.check(OPS.softmax.default, a)
        self.check(OPS.layernorm.default, a, a[0], a[1].contiguous())
        self.check(OPS.rmsnorm.default, a, a[0])

    def test_compiled(self):
        @torch.compile(fullgraph=True, backend="aot_eager")
        def block(x, w, gate, up):
            x = OPS.gemm(OPS.rmsnorm(x, x[0]), w, residual=x)
            return OPS.softmax(OPS.gated_gemm(x, gate, up))
        x, w, gate, up = random(20, 24), random(24, 24), random(16, 24), random(16, 24)
        y = x.double()
        y = y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt() * y[0]
        y = y @ w.double().t() + x
        y = torch.softmax(FUNCTIONS.silu(y @ gate.double().t()) * (y @ up.double().t()), -1)
        self.assertLess((block(x, w, gate, up) - y).abs().max().item(), 0.1)

    def same_gradients(self, function, reference, *tensors):
        wide = [x.detach().double().requires_grad_() for x in tensors]
        out, wanted = function(*tensors), reference(*wide)
        grad = torch.randn(out.shape)
        out.backward(grad.to(out.dtype))
        wanted.backward(grad.double())
        for x, y in zip(tensors, wide):
            error = (x.grad - y.grad).abs().max() / y.grad.abs().max()
            self.assertLess(error.item(), 1e-2)

    def test_gradients(self):
        a, b, bias = (random(*s, grad=True) for s in ((20, 24), (16, 24), (16,)))
        self.same_gradients(OPS.gemm, lambda a, b: a @ b.t(), a, b)
        for name in ("relu", "gelu", "silu", "sigmoid"):
            x = [t.detach().clone().requires_grad_() for t in (a, b, bias)]
            residual = random(20, 16, grad=True)
            self.same_gradients(
                lambda a, b, bias, c, name=name: OPS.gemm(a, b, bias, c, name, 0.5, 2.0),
                lambda a, b, bias, c, name=name: torch_ops._FUNCTIONS[name](
                    0.5 * (a @ b.t()) + bias) + 2 * c, *x, residual)

    def test_gradients_of_batches(self):
        for left, right in (((2, 20, 24), (2, 16, 24)), ((2, 20, 24), (16, 24)),
                            ((20, 24), (2, 16, 24))):
            self.same_gradients(OPS.gemm, lambda a, b: a @ b.transpose(-1, -2),
                                random(*left, grad=True), random(*right, grad=True))

    def test_gradients_of_gates(self):
        self.same_gradients(
            OPS.gated_gemm, lambda a, g, u: FUNCTIONS.silu(a @ g.t()) * (a @ u.t()),
            *[random(rows, 24, grad=True) for rows in (20, 16, 16)])

    def test_gradients_of_functions(self):
        """The functions themselves, where torch records them, twice: the second call is kept."""
        for _ in range(2):
            a, b, c = (random(*s, grad=True) for s in ((20, 24), (16, 24), (16,)))
            self.same_gradients(lambda a, b, c: kernels.gemm(a, b, bias=c, activation="relu",
                                                             out_dtype="float32"),
                                lambda a, b, c: torch.relu(a @ b.t() + c), a, b, c)
            a, b, c = (random(20, 24, grad=True) for _ in range(3))
            self.same_gradients(kernels.gated_gemm, lambda a, g, u:
                                FUNCTIONS.silu(a @ g.t()) * (a @ u.t()), a, b, c)
            q, k, v = (random(1, 2, 20, 64, grad=True) for _ in range(3))
            self.same_gradients(lambda *x: kernels.attention(*x, is_causal=True), lambda *x:
                                FUNCTIONS.scaled_dot_product_attention(*x, is_causal=True), q, k, v)
            self.same_gradients(lambda *x: kernels.attention(*x, return_lse=True)[0],
                                FUNCTIONS.scaled_dot_product_attention,
                                *(x.detach().requires_grad_() for x in (q, k, v)))

    def test_gradients_of_rows(self):
        wide = (24,)
        for function, reference, count in (
                (kernels.softmax, lambda a: torch.softmax(a, -1), 0),
                (kernels.log_softmax, lambda a: torch.log_softmax(a, -1), 0),
                (kernels.cumsum, lambda a: torch.cumsum(a, -1), 0),
                (lambda a: kernels.topk(a, 3)[0], lambda a: torch.topk(a, 3)[0], 0),
                (kernels.layernorm, lambda a, g, b: FUNCTIONS.layer_norm(a, wide, g, b), 2),
                (kernels.rmsnorm, lambda a, g: FUNCTIONS.rms_norm(a, wide, g, 1e-5), 1)):
            vectors = [random(24, grad=True) for _ in range(count)]
            self.same_gradients(function, reference, random(20, 24, grad=True), *vectors)
        target = torch.tensor([3, 0, 5])
        for reduction in ("mean", "sum", "none"):
            self.same_gradients(
                lambda a, r=reduction: kernels.cross_entropy(a, target, reduction=r),
                lambda a, r=reduction: FUNCTIONS.cross_entropy(a, target, reduction=r),
                random(3, 24, grad=True))
        x, cos, sin = random(1, 2, 6, 8, grad=True), torch.ones(6, 4), torch.zeros(6, 4)
        self.same_gradients(lambda x: kernels.rope(x, cos, sin), lambda x: x, x)

    def test_functions_without_gradients(self):
        a, rows = random(20, 24, grad=True), random(20, 24)
        self.assertEqual(kernels.argmax(a).tolist(), torch.argmax(a, -1).tolist())
        with self.assertRaisesRegex(RuntimeError, "^gemm with out or stream has no gradient, .*: "
                                                  "leave these out, or .* torch.no_grad"):
            kernels.gemm(a, rows, torch.empty(20, 20).half())
        with self.assertRaisesRegex(RuntimeError, "^softmax with out or stream has no gradient"):
            kernels.softmax(a, stream=0)
        with self.assertRaisesRegex(RuntimeError, r"^grouped_gemm has no gradient, .*: detach\(\)"):
            kernels.grouped_gemm(a, random(1, 16, 24), torch.tensor([20]).int())
        with self.assertRaisesRegex(RuntimeError, "^rmsnorm with residual or scales has no gradient"):
            kernels.rmsnorm(a, rows[0], residual=rows)
        with self.assertRaisesRegex(RuntimeError, "^cross_entropy_forward has no gradient"):
            cross_entropy_forward(a, torch.zeros(20).long())
        q = random(1, 1, 20, 64, grad=True)
        with self.assertRaisesRegex(RuntimeError, "^attention_varlen has no gradient"):
            kernels.attention_varlen(q[0].transpose(0, 1), q[0].transpose(0, 1), q[0].transpose(0, 1),
                                     torch.tensor([0, 20]).int(), torch.tensor([0, 20]).int())
        with torch.no_grad():
            self.assertFalse(kernels.gemm(a, rows).requires_grad)
        self.assertFalse(kernels.gemm(a.detach(), rows).requires_grad)

    def test_none(self):
        a = random(8, 16, grad=True)
        with self.assertRaisesRegex(NotImplementedError, "no gradient with scale_a"):
            OPS.gemm(a, a, scale_a=torch.ones(8)).sum().backward()


unittest.main()
