"""Attention as operators of torch."""

from __future__ import annotations

from typing import Any

import torch

from . import (attention as _attention, attention_latent as _attention_latent,
               attention_paged as _attention_paged, attention_varlen as _attention_varlen)
from ._attention_operands import is_regular
from ._torch_ops_base import composed, like, numbers_like, operator
from .attention_gradient import attention_backward as _attention_backward


_OPTIONS = ("bool is_causal=False, float? scale=None, int? window=None, float? cap=None, "
            "Tensor? sinks=None")
_ARGUMENTS = f"Tensor q, Tensor k, Tensor v, {_OPTIONS}"


def _calling(function: Any, arrays: int, return_lse: bool = False) -> Any:
    """Returns a function of some arrays and the options of attention, in the order of operators."""
    def call(*given: Any) -> Any:
        names = ("is_causal", "scale", "window", "cap", "sinks")
        return function(*given[:arrays], return_lse=return_lse, **dict(zip(names, given[arrays:])))

    return call


def _like(q: Any, k: Any, v: Any, *others: Any) -> Any:
    return q.new_empty((*q.shape[:-1], v.shape[-1]))


def _like_with_lse(q: Any, k: Any, v: Any, *others: Any) -> Any:
    rows = q.shape[:-1] if q.dim() == 4 else (q.shape[1], q.shape[0])
    return _like(q, k, v), numbers_like(q, *rows)


attention_lse = operator(f"attention_lse({_ARGUMENTS}) -> (Tensor, Tensor)",
                         _calling(_attention, 3, True), _like_with_lse)
attention_forward = operator(f"attention_forward({_ARGUMENTS}) -> Tensor", _calling(_attention, 3),
                             _like)
_OF_LENGTHS = f"Tensor q, Tensor k, Tensor v, Tensor cu_seqlens_q, Tensor cu_seqlens_k, {_OPTIONS}"
attention_varlen = operator(f"attention_varlen({_OF_LENGTHS}) -> Tensor",
                            _calling(_attention_varlen, 5), _like)
attention_varlen_lse = operator(f"attention_varlen_lse({_OF_LENGTHS}) -> (Tensor, Tensor)",
                                _calling(_attention_varlen, 5, True), _like_with_lse)


def _choose(q: Any, k: Any, v: Any, is_causal: bool = False, scale: Any = None,
            window: Any = None, cap: Any = None, sinks: Any = None) -> Any:
    """Keeps what gradients need only where there will be some."""
    arguments = (q, k, v, is_causal, scale, window, cap, sinks)
    tensors = (q, k, v) if sinks is None else (q, k, v, sinks)
    if torch.is_grad_enabled() and any(x.requires_grad for x in tensors):
        return attention_lse(*arguments)[0]
    return attention_forward(*arguments)


attention = composed(f"attention({_ARGUMENTS}) -> Tensor", _choose)


def _call_fp8(q: Any, k: Any, v: Any, is_causal: bool = False, scale: Any = None,
              window: Any = None, cap: Any = None, *factors: Any) -> Any:
    given = dict(zip(("scale_q", "scale_k", "scale_v"), factors))
    return _attention(q, k, v, is_causal=is_causal, scale=scale, window=window, cap=cap, **given)


attention_fp8 = operator(
    "attention_fp8(Tensor q, Tensor k, Tensor v, bool is_causal=False, float? scale=None, int? window=None, "
    "float? cap=None, Tensor? scale_q=None, Tensor? scale_k=None, Tensor? scale_v=None) -> Tensor",
    _call_fp8, lambda *given: _like(*given).to(torch.bfloat16))


def _call_backward(grad: Any, q: Any, k: Any, v: Any, out: Any, lse: Any, is_causal: bool,
                   scale: Any = None, window: Any = None, cap: Any = None) -> Any:
    grad, q, k, v = (x if is_regular(x) else x.clone(memory_format=torch.contiguous_format)
                     for x in (grad, q, k, v))
    return _attention_backward(grad, q, k, v, out, lse, is_causal=is_causal, scale=scale,
                               window=window, cap=cap,
                               deterministic=torch.are_deterministic_algorithms_enabled())


attention_backward = operator(
    "attention_backward(Tensor grad, Tensor q, Tensor k, Tensor v, Tensor out, Tensor lse, "
    "bool is_causal, float? scale=None, int? window=None, float? cap=None) -> "
    "(Tensor, Tensor, Tensor)", _call_backward,
    lambda grad, q, k, v, *rest: (like(q), like(k), like(v)))


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    q, k, v, *ctx.options, sinks = inputs
    ctx.mark_non_differentiable(output[1])
    ctx.save_for_backward(q, k, v, *output, sinks)


def _gradients(ctx: Any, grad: Any, of_lse: Any) -> Any:
    *tensors, sinks = ctx.saved_tensors
    of_sinks = None
    if sinks is not None and ctx.needs_input_grad[7]:
        *_, out, lse = tensors
        weights = torch.exp(sinks[None, :, None] - lse)
        of_sinks = -(weights * (grad.float() * out.float()).sum(-1)).sum((0, 2))
    return *attention_backward(grad, *tensors, *ctx.options), *[None] * 4, of_sinks


attention_lse.register_autograd(_gradients, setup_context=_keep)


def _call_paged(q: Any, k: Any, v: Any, pages: Any, lengths: Any, is_causal: bool = False,
                scale: Any = None, window: Any = None) -> Any:
    return _attention_paged(q, k, v, pages, lengths, is_causal=is_causal, scale=scale, window=window)


attention_paged = operator(
    "attention_paged(Tensor q, Tensor k, Tensor v, Tensor pages, Tensor lengths, "
    "bool is_causal=False, float? scale=None, int? window=None) -> Tensor", _call_paged, like)


def _call_latent(q: Any, kv: Any, pages: Any, lengths: Any, dv: int = 512, is_causal: bool = False,
                 scale: Any = None) -> Any:
    return _attention_latent(q, kv, pages, lengths, dv=dv, is_causal=is_causal, scale=scale)


attention_latent = operator(
    "attention_latent(Tensor q, Tensor kv, Tensor pages, Tensor lengths, int dv=512, bool is_causal=False, "
    "float? scale=None) -> Tensor", _call_latent,
    lambda q, kv, pages, lengths, dv=512, *rest: q.new_empty((*q.shape[:-1], dv)))
