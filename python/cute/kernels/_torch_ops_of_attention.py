"""Attention as operators of torch."""

from __future__ import annotations

from typing import Any

from . import attention as _attention, attention_paged as _attention_paged
from ._torch_ops_base import like, numbers_like, operator


def _call_attention(q: Any, k: Any, v: Any, is_causal: bool = False, scale: Any = None) -> Any:
    return _attention(q, k, v, is_causal=is_causal, scale=scale)


def _call_attention_lse(q: Any, k: Any, v: Any, is_causal: bool = False, scale: Any = None
                        ) -> Any:
    return _attention(q, k, v, is_causal=is_causal, scale=scale, return_lse=True)


def _like_with_lse(q: Any, *others: Any, **given: Any) -> Any:
    return like(q), numbers_like(q, *q.shape[:-1])


attention = operator(
    "attention(Tensor q, Tensor k, Tensor v, bool is_causal=False, float? scale=None) -> Tensor",
    _call_attention, like)
attention_lse = operator(
    "attention_lse(Tensor q, Tensor k, Tensor v, bool is_causal=False, float? scale=None) -> "
    "(Tensor, Tensor)", _call_attention_lse, _like_with_lse)


def _call_paged(q: Any, k: Any, v: Any, pages: Any, lengths: Any, is_causal: bool = False,
                scale: Any = None) -> Any:
    return _attention_paged(q, k, v, pages, lengths, is_causal=is_causal, scale=scale)


attention_paged = operator(
    "attention_paged(Tensor q, Tensor k, Tensor v, Tensor pages, Tensor lengths, "
    "bool is_causal=False, float? scale=None) -> Tensor", _call_paged, like)
