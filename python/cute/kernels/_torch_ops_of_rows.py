"""The functions of rows, and the rotary embedding, as operators of torch, with gradients by
kernels of the library."""

from __future__ import annotations

from typing import Any

import torch

from . import argmax as _argmax, cumsum as _cumsum, layernorm as _layernorm, log_softmax as _log_softmax
from . import rmsnorm as _rmsnorm, softmax as _softmax, topk as _topk
from ._torch_ops_base import composed as _composed, like, numbers_like, operator
from .cross_entropy import cross_entropy_backward as _cross_entropy_backward
from .cross_entropy import cross_entropy_forward as _cross_entropy_forward
from .norm_gradient import layernorm_backward as _layernorm_backward
from .norm_gradient import rmsnorm_backward as _rmsnorm_backward
from .rope import rope as _rope
from .softmax_gradient import log_softmax_backward as _log_softmax_backward
from .softmax_gradient import softmax_backward as _softmax_backward

def _rows(a: Any) -> Any:
    """Returns a tensor as the kernels take rows: itself, or a copy."""
    is_taken = a.dim() > 0 and a.stride(-1) == 1 and a.data_ptr() % 16 == 0 and (
        a.dim() <= 2 or a.is_contiguous())
    return a if is_taken else a.clone(memory_format=torch.contiguous_format)


# ---- Softmax ----------------------------------------------------------------


def _softmax_operator(name: str, function: Any, gradient: Any) -> Any:
    """Returns an operator whose gradient needs its result."""
    made = operator(f"{name}(Tensor a) -> Tensor", lambda a: function(_rows(a)), like)
    backward = operator(f"{name}_backward(Tensor grad, Tensor b) -> Tensor",
                        lambda grad, b: gradient(_rows(grad), b), like)
    made.register_autograd(
        lambda ctx, grad: backward(grad, *ctx.saved_tensors),
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(output))
    return made


softmax = _softmax_operator("softmax", _softmax, _softmax_backward)
log_softmax = _softmax_operator("log_softmax", _log_softmax, _log_softmax_backward)


# ---- Norms ------------------------------------------------------------------

def _keep_norm(ctx: Any, inputs: Any, output: Any) -> None:
    a, gamma, *_, ctx.eps = inputs
    ctx.save_for_backward(a, gamma)


layernorm = operator(
    "layernorm(Tensor a, Tensor gamma, Tensor beta, float eps=1e-5) -> Tensor",
    lambda a, gamma, beta, eps=1e-5: _layernorm(*map(_rows, (a, gamma, beta)), eps), like)
layernorm_backward = operator(
    "layernorm_backward(Tensor grad, Tensor a, Tensor gamma, float eps) -> "
    "(Tensor, Tensor, Tensor)",
    lambda grad, a, gamma, eps: _layernorm_backward(*map(_rows, (grad, a, gamma)), eps),
    lambda grad, a, gamma, eps: (like(a), like(gamma), like(gamma)))
layernorm.register_autograd(
    lambda ctx, grad: (*layernorm_backward(grad, *ctx.saved_tensors, ctx.eps), None),
    setup_context=_keep_norm)
rmsnorm = operator(
    "rmsnorm(Tensor a, Tensor gamma, float eps=1e-5) -> Tensor",
    lambda a, gamma, eps=1e-5: _rmsnorm(*map(_rows, (a, gamma)), eps), like)
rmsnorm_backward = operator(
    "rmsnorm_backward(Tensor grad, Tensor a, Tensor gamma, float eps) -> (Tensor, Tensor)",
    lambda grad, a, gamma, eps: _rmsnorm_backward(*map(_rows, (grad, a, gamma)), eps),
    lambda grad, a, gamma, eps: (like(a), like(gamma)))
rmsnorm.register_autograd(
    lambda ctx, grad: (*rmsnorm_backward(grad, *ctx.saved_tensors, ctx.eps), None),
    setup_context=_keep_norm)


def _norm_operators(name: str, function: Any, backward: Any, vectors: tuple[str, ...]) -> Any:
    """Returns the operators of a norm of a sum, with a gradient, and of one of 8-bit floats."""
    names, count = ", ".join(f"Tensor {v}" for v in vectors), len(vectors)

    def call(a: Any, residual: Any, *rest: Any) -> Any:
        given, (eps,) = split(rest, 1e-5)
        return function(_rows(a), *given, eps, residual=_rows(residual))

    def split(rest: Any, *defaults: Any) -> Any:
        options = (*rest[count:], *defaults[len(rest) - count:])
        return map(_rows, rest[:count]), options

    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.eps = inputs[-1]
        ctx.save_for_backward(output[1], inputs[2])

    def gradient(ctx: Any, grad: Any, of_sum: Any) -> Any:
        of_a, *of_vectors = backward(grad, *ctx.saved_tensors, ctx.eps)
        return of_a + of_sum, of_a + of_sum, *of_vectors, None

    of_sum = operator(f"{name}_residual(Tensor a, Tensor residual, {names}, float eps=1e-5) -> "
                      "(Tensor, Tensor)", call, lambda a, *rest: (like(a), like(a)))
    of_sum.register_autograd(gradient, setup_context=keep)

    def call_fp8(a: Any, *rest: Any) -> Any:
        given, (eps, scales, residual) = split(rest, 1e-5, "rows", None)
        residual = None if residual is None else _rows(residual)
        found = function(_rows(a), *given, eps, scales=scales, residual=residual)
        return found if residual is not None else (*found, a.new_empty(0))

    def fake_fp8(a: Any, *rest: Any) -> Any:
        _, (_, scales, residual) = split(rest, 1e-5, "rows", None)
        of_blocks = numbers_like(a, -(-a.shape[-1] // 128), *a.shape[:-1]).movedim(0, -1)
        return (like(a).to(torch.float8_e4m3fn),
                numbers_like(a, *a.shape[:-1]) if scales == "rows" else of_blocks,
                a.new_empty(0) if residual is None else like(a))

    of_bytes = operator(f"{name}_fp8(Tensor a, {names}, float eps=1e-5, str scales='rows', "
                        "Tensor? residual=None) -> (Tensor, Tensor, Tensor)", call_fp8, fake_fp8)
    return of_sum, of_bytes


layernorm_residual, layernorm_fp8 = _norm_operators(
    "layernorm", _layernorm, layernorm_backward, ("gamma", "beta"))
rmsnorm_residual, rmsnorm_fp8 = _norm_operators(
    "rmsnorm", _rmsnorm, rmsnorm_backward, ("gamma",))


# ---- Cross entropy ----------------------------------------------------------


def _call_cross_entropy(a: Any, target: Any, ignore_index: int, reduction: str) -> Any:
    lse, *others, loss = _cross_entropy_forward(_rows(a), target, ignore_index, reduction)
    return lse, others[-1] if others else numbers_like(a, 0), loss


def _fake_cross_entropy(a: Any, target: Any, ignore_index: int, reduction: str) -> Any:
    scale, loss = ((0,), target.shape) if reduction == "none" else ((), ())
    return tuple(numbers_like(a, *shape) for shape in (target.shape, scale, loss))


def _keep_cross_entropy(ctx: Any, inputs: Any, output: Any) -> None:
    a, target, ctx.ignored, ctx.reduction = inputs
    lse, scale, _ = output
    ctx.mark_non_differentiable(lse, scale)
    ctx.save_for_backward(a, target, lse, scale)


def _gradient_of_cross_entropy(ctx: Any, of_lse: Any, of_scale: Any, grad: Any) -> Any:
    a, target, lse, scale = ctx.saved_tensors
    if ctx.reduction != "none":
        grad = (grad * scale).expand(target.shape)
    return cross_entropy_backward(grad, a, target, lse, ctx.ignored), None, None, None


cross_entropy_forward = operator(
    "cross_entropy_forward(Tensor a, Tensor target, int ignore_index, str reduction) -> "
    "(Tensor, Tensor, Tensor)", _call_cross_entropy, _fake_cross_entropy)
cross_entropy_forward.register_autograd(_gradient_of_cross_entropy,
                                        setup_context=_keep_cross_entropy)
cross_entropy_backward = operator(
    "cross_entropy_backward(Tensor grad, Tensor a, Tensor target, Tensor lse, int ignore_index) "
    "-> Tensor",
    lambda grad, a, *rest: _cross_entropy_backward(grad, _rows(a), *rest),
    lambda grad, a, *rest: like(a))
cross_entropy = _composed(
    "cross_entropy(Tensor a, Tensor target, int ignore_index=-100, str reduction='mean') -> "
    "Tensor",
    lambda a, target, ignore_index=-100, reduction="mean": cross_entropy_forward(
        a, target, ignore_index, reduction)[2])


# ---- Largest elements -------------------------------------------------------


def _fake_topk(a: Any, k: int) -> Any:
    shape = (*a.shape[:-1], k)
    return (torch.empty(shape, dtype=a.dtype, device=a.device),
            torch.empty(shape, dtype=torch.int64, device=a.device))


def _keep_topk(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.shape = inputs[0].shape
    ctx.mark_non_differentiable(output[1])
    ctx.save_for_backward(output[1])


def _gradient_of_topk(ctx: Any, grad: Any, of_indices: Any) -> Any:
    zeros = torch.zeros(ctx.shape, dtype=grad.dtype, device=grad.device)
    return zeros.scatter(-1, ctx.saved_tensors[0], grad), None


topk = operator("topk(Tensor a, int k) -> (Tensor, Tensor)", lambda a, k: _topk(_rows(a), k),
                _fake_topk)
topk.register_autograd(_gradient_of_topk, setup_context=_keep_topk)
argmax = operator(
    "argmax(Tensor a) -> Tensor", lambda a: _argmax(_rows(a)),
    lambda a: torch.empty(a.shape[:-1], dtype=torch.int64, device=a.device))


# ---- Sums -------------------------------------------------------------------


cumsum = operator("cumsum(Tensor a) -> Tensor", lambda a: _cumsum(_rows(a)), like)
cumsum.register_autograd(lambda ctx, grad: cumsum(grad.flip(-1)).flip(-1))


# ---- Rotary embedding -------------------------------------------------------


def _last(x: Any) -> Any:
    """Returns a tensor whose last mode is contiguous: itself, or a copy."""
    return x if x.stride(-1) == 1 else x.contiguous()


def _call_rope(x: Any, cos: Any, sin: Any, positions: Any = None, interleaved: bool = False,
               inverse: bool = False) -> Any:
    x, cos, sin = map(_last, (x, cos, sin))
    return _rope(x, cos, sin, positions, interleaved=interleaved, inverse=inverse)


def _call_rope_to_cache(x: Any, cos: Any, sin: Any, positions: Any, cache: Any, slots: Any,
                        interleaved: bool = False) -> None:
    x, cos, sin = map(_last, (x, cos, sin))
    _rope(x, cos, sin, positions, interleaved=interleaved, cache=cache, slots=slots)


def _keep_rope(ctx: Any, inputs: Any, output: Any) -> None:
    x, cos, sin, positions, ctx.interleaved, ctx.inverse = inputs
    ctx.save_for_backward(cos, sin, positions)


def _gradient_of_rope(ctx: Any, grad: Any) -> Any:
    of_x = rope(grad, *ctx.saved_tensors, ctx.interleaved, not ctx.inverse)
    return of_x, *[None] * 5


rope = operator(
    "rope(Tensor x, Tensor cos, Tensor sin, Tensor? positions=None, bool interleaved=False, "
    "bool inverse=False) -> Tensor", _call_rope, like)
rope.register_autograd(_gradient_of_rope, setup_context=_keep_rope)
rope_to_cache = operator(
    "rope_to_cache(Tensor x, Tensor cos, Tensor sin, Tensor positions, Tensor(a!) cache, "
    "Tensor slots, bool interleaved=False) -> ()", _call_rope_to_cache, lambda *given: None,
    ("cache",))
