"""The library's functions as operators of torch: ``import cute.kernels.torch_ops`` makes
``torch.ops.cute.gemm``, ``gemm_w4``, ``gated_gemm``, ``grouped_gemm``, ``scaled_gemm``, and the
functions of attention (``_torch_ops_of_attention.py``) and of rows (``_torch_ops_of_rows.py``).

They work under ``torch.compile(fullgraph=True)``. All but ``attention_fp8``, ``attention_latent``,
``attention_paged``, ``attention_varlen``, ``gemm_w4``, ``grouped_gemm``, ``scaled_gemm`` and norms of 8-bit floats have
gradients.
"""

from __future__ import annotations

from typing import Any

import torch

from . import (gated_gemm as _gated_gemm, gemm as _gemm, gemm_w4 as _gemm_w4,
               grouped_gemm as _grouped_gemm, scaled_gemm as _scaled_gemm)
from ._torch_ops_of_attention import (attention, attention_fp8, attention_latent, attention_lse,
                                      attention_paged, attention_varlen, attention_varlen_lse)
from ._torch_ops_of_rows import (argmax, cross_entropy, cumsum, layernorm, layernorm_fp8,
                                 layernorm_residual, log_softmax, rmsnorm, rmsnorm_fp8,
                                 rmsnorm_residual, rope, rope_to_cache, softmax, topk)
from ._torch_ops_base import operator as _operator
from ._gemm_arrays import pitch_of
from .gemm import result_dtype

__all__ = ["argmax", "attention", "attention_fp8", "attention_latent", "attention_lse", "attention_paged", "attention_varlen",
           "attention_varlen_lse", "cross_entropy", "cumsum", "gated_gemm", "gemm",
           "gemm_w4", "grouped_gemm", "layernorm", "layernorm_fp8", "layernorm_residual", "log_softmax",
           "rmsnorm", "rmsnorm_fp8", "rmsnorm_residual", "rope", "rope_to_cache",
           "scaled_gemm", "softmax", "topk"]
_FUNCTIONS = {
    "relu": torch.relu,
    "gelu": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
    "silu": torch.nn.functional.silu,
    "sigmoid": torch.sigmoid,
}


def _matrix_like(a: Any, *others: Any, **given: Any) -> Any:
    """Returns an empty tensor as the result of a product with the last of ``others``."""
    b = others[-1]
    batch = next((tuple(x.shape[:1]) for x in (a, b) if x.dim() == 3), ())
    dtype = given.get("out_dtype") or result_dtype(a)
    return _empty((*batch, a.shape[-2], b.shape[-2]), dtype, a.device)


def _empty(shape: tuple[int, ...], dtype: Any, device: Any) -> Any:
    """Returns an empty tensor as the result of a product; extents may be symbols."""
    kind = getattr(torch, str(dtype).removeprefix("torch."))
    pitch = pitch_of(shape, dtype)
    whole = torch.empty((*shape[:-1], pitch), dtype=kind, device=device)
    return whole if pitch == shape[-1] else whole[..., :shape[-1]]


# ---- Products ---------------------------------------------------------------


def _call_gemm(a: Any, b: Any, bias: Any = None, residual: Any = None, activation: str = "",
               alpha: float = 1.0, beta: float = 1.0, scale_a: Any = None, scale_b: Any = None,
               out_dtype: Any = None, fast_accum: bool = False) -> Any:
    return _gemm(a, b, bias=bias, residual=residual, activation=activation, alpha=alpha,
                 beta=beta, scale_a=scale_a, scale_b=scale_b, out_dtype=out_dtype,
                 fast_accum=fast_accum)


def _fake_gemm(a: Any, b: Any, bias: Any = None, residual: Any = None, activation: str = "",
               alpha: float = 1.0, beta: float = 1.0, scale_a: Any = None, scale_b: Any = None,
               out_dtype: Any = None, fast_accum: bool = False) -> Any:
    return _matrix_like(a, b, out_dtype=out_dtype)


gemm = _operator(
    "gemm(Tensor a, Tensor b, Tensor? bias=None, Tensor? residual=None, str activation='', "
    "float alpha=1.0, float beta=1.0, Tensor? scale_a=None, Tensor? scale_b=None, "
    "ScalarType? out_dtype=None, bool fast_accum=False) -> Tensor", _call_gemm, _fake_gemm)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    """Keeps the operands of the gradients of ``gemm``."""
    a, b, bias, residual, activation, alpha, beta, scale_a, scale_b, *_ = inputs
    if scale_a is not None or scale_b is not None:
        raise NotImplementedError("gemm has no gradient with scale_a or scale_b")
    ctx.save_for_backward(a, b, bias)
    ctx.numbers, ctx.activation = (alpha, beta), activation
    ctx.added = None if residual is None else residual.dtype


def _gradients(ctx: Any, grad: Any) -> Any:
    """Returns the gradients of ``gemm``: two products, and sums."""
    a, b, bias = ctx.saved_tensors
    alpha, beta = ctx.numbers
    added = None if ctx.added is None else (grad * beta).to(ctx.added)
    if ctx.activation:
        sums = gemm(a, b, bias, alpha=alpha, out_dtype=torch.float32)
        grad = _through(ctx.activation, sums, grad)
    of_bias = None
    if bias is not None and ctx.needs_input_grad[2]:
        of_bias = grad.reshape(-1, grad.shape[-1]).sum(0).to(bias.dtype)
    grad = grad.to(a.dtype)
    of_a = _of_a(grad, a, b, alpha) if ctx.needs_input_grad[0] else None
    of_b = _of_b(grad, a, b, alpha) if ctx.needs_input_grad[1] else None
    return of_a, of_b, of_bias, added, *[None] * 7


def _through(activation: str, x: Any, grad: Any) -> Any:
    """Returns the gradient before an activation of ``x``."""
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        return torch.autograd.grad(_FUNCTIONS[activation](x), x, grad.to(x.dtype))[0]


def _of_a(grad: Any, a: Any, b: Any, alpha: float, residual: Any = None) -> Any:
    made = gemm(grad, b.transpose(-1, -2), residual=residual, alpha=alpha)
    return made.sum(0) if made.dim() > a.dim() else made


def _of_b(grad: Any, a: Any, b: Any, alpha: float) -> Any:
    if b.dim() < grad.dim():  # one matrix for all of a batch
        grad, a = (x.reshape(-1, x.shape[-1]) for x in (grad, a))
    return gemm(grad.transpose(-1, -2), a.transpose(-1, -2), alpha=alpha)


gemm.register_autograd(_gradients, setup_context=_keep)


def _call_gated(a: Any, gate: Any, up: Any, activation: str = "silu", out_dtype: Any = None
                ) -> Any:
    return _gated_gemm(a, gate, up, activation=activation, out_dtype=out_dtype)


def _fake_gated(a: Any, gate: Any, up: Any, activation: str = "silu", out_dtype: Any = None
                ) -> Any:
    return _matrix_like(a, gate, up, out_dtype=out_dtype)


gated_gemm = _operator(
    "gated_gemm(Tensor a, Tensor gate, Tensor up, str activation='silu', "
    "ScalarType? out_dtype=None) -> Tensor", _call_gated, _fake_gated)


def _keep_gated(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs[:3])
    ctx.activation = inputs[3]


def _gated_gradients(ctx: Any, grad: Any) -> Any:
    """Returns the gradients of ``gated_gemm``, for which both products are made again."""
    a, gate, up = ctx.saved_tensors
    x, y = (gemm(a, w, out_dtype=torch.float32) for w in (gate, up))
    of_x = _through(ctx.activation, x, grad * y).to(a.dtype)
    of_y = (grad * _FUNCTIONS[ctx.activation](x)).to(a.dtype)
    of_a = _of_a(of_y, a, up, 1.0, _of_a(of_x, a, gate, 1.0)) if ctx.needs_input_grad[0] else None
    return of_a, _of_b(of_x, a, gate, 1.0), _of_b(of_y, a, up, 1.0), None, None


gated_gemm.register_autograd(_gated_gradients, setup_context=_keep_gated)


def _call_groups(a: Any, b: Any, offsets: Any, out_dtype: Any = None, fast_accum: bool = False
                 ) -> Any:
    return _grouped_gemm(a, b, offsets, out_dtype=out_dtype, fast_accum=fast_accum)


def _fake_groups(a: Any, b: Any, offsets: Any, out_dtype: Any = None, fast_accum: bool = False
                 ) -> Any:
    return _matrix_like(a, b[0], out_dtype=out_dtype)


grouped_gemm = _operator(
    "grouped_gemm(Tensor a, Tensor b, Tensor offsets, ScalarType? out_dtype=None, "
    "bool fast_accum=False) -> Tensor", _call_groups, _fake_groups)


def _call_scaled(a: Any, b: Any, scale_a: Any, scale_b: Any, m_indices: Any = None,
                 masked_m: Any = None, out_dtype: Any = None) -> Any:
    return _scaled_gemm(a, b, scale_a, scale_b, m_indices=m_indices, masked_m=masked_m,
                        out_dtype=out_dtype)


def _fake_scaled(a: Any, b: Any, scale_a: Any, scale_b: Any, m_indices: Any = None,
                 masked_m: Any = None, out_dtype: Any = None) -> Any:
    return _empty((*a.shape[:-1], b.shape[-2]), out_dtype or "bfloat16", a.device)


scaled_gemm = _operator(
    "scaled_gemm(Tensor a, Tensor b, Tensor scale_a, Tensor scale_b, Tensor? m_indices=None, "
    "Tensor? masked_m=None, ScalarType? out_dtype=None) -> Tensor", _call_scaled, _fake_scaled)


def _call_w4(a: Any, w: Any, scales: Any, zeros: Any = None) -> Any:
    return _gemm_w4(a, w, scales, zeros)


def _fake_w4(a: Any, w: Any, scales: Any, zeros: Any = None) -> Any:
    return torch.empty((a.shape[0], 16 * w.shape[0]), dtype=a.dtype, device=a.device)


gemm_w4 = _operator("gemm_w4(Tensor a, Tensor w, Tensor scales, Tensor? zeros=None) -> Tensor",
                    _call_w4, _fake_w4)
