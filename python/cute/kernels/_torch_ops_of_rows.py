"""The functions of rows as operators of torch, with gradients by kernels of the library."""

from __future__ import annotations

from typing import Any

import torch

from . import layernorm as _layernorm, rmsnorm as _rmsnorm, softmax as _softmax
from ._torch_ops_base import like, numbers_like, operator
from .cross_entropy import cross_entropy_backward as _cross_entropy_backward
from .cross_entropy import cross_entropy_forward as _cross_entropy_forward

_COMPOSED = torch.library.Library("cute", "FRAGMENT")


def _composed(schema: str, function: Any) -> Any:
    """Returns an operator that is computed, and differentiated, by others."""
    _COMPOSED.define(schema)
    name = schema.partition("(")[0]
    _COMPOSED.impl(name, function, "CompositeImplicitAutograd")
    return getattr(torch.ops.cute, name)


# ---- Softmax and norms ------------------------------------------------------

softmax = operator("softmax(Tensor a) -> Tensor", lambda a: _softmax(a), like)
layernorm = operator(
    "layernorm(Tensor a, Tensor gamma, Tensor beta, float eps=1e-5) -> Tensor",
    lambda a, gamma, beta, eps=1e-5: _layernorm(a, gamma, beta, eps), like)
rmsnorm = operator(
    "rmsnorm(Tensor a, Tensor gamma, float eps=1e-5) -> Tensor",
    lambda a, gamma, eps=1e-5: _rmsnorm(a, gamma, eps), like)


# ---- Cross entropy ----------------------------------------------------------


def _call_cross_entropy(a: Any, target: Any, ignore_index: int, reduction: str) -> Any:
    lse, *others, loss = _cross_entropy_forward(a, target, ignore_index, reduction)
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
    lambda grad, a, *rest: _cross_entropy_backward(grad, a, *rest),
    lambda grad, a, *rest: like(a))
cross_entropy = _composed(
    "cross_entropy(Tensor a, Tensor target, int ignore_index=-100, str reduction='mean') -> "
    "Tensor",
    lambda a, target, ignore_index=-100, reduction="mean": cross_entropy_forward(
        a, target, ignore_index, reduction)[2])
