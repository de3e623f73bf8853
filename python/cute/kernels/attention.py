"""O = softmax(scale Q K^T) V."""

from __future__ import annotations

import math
from typing import Any, Optional

from . import _arrays, _text

_PANEL = 64  # columns that one row of a swizzle holds


def attention(
    q: Any,
    k: Any,
    v: Any,
    out: Any = None,
    *,
    scale: Optional[float] = None,
    is_causal: bool = False,
    stream: Any = None,
) -> Any:
    """Returns the attention of queries (batch, head, row, d), for d of 64 and 128.

    Keys and values are (batch, head, column, d), of float16; q may have a multiple of
    their heads. If ``is_causal``, the last row sees all columns, the one before all but
    one, and so on; a row that sees none is 0. ``scale`` is 1/sqrt(d) by default.
    ``out`` is written if it is given. Does not wait.
    """
    ordinal = _arrays.ordinal(q, k, v)
    _check(q, k, v)
    d = q.shape[-1]
    if out is None:
        import torch

        out = torch.empty(tuple(q.shape), dtype=q.dtype, device=q.device)
    if out.shape != q.shape or out.dtype != q.dtype:
        raise ValueError(f"out is like q, not {tuple(out.shape)} of {out.dtype}")
    if scale is None:
        scale = 1 / math.sqrt(d)
    if not scale > 0:
        raise ValueError(f"the scale is positive, not {scale}")
    if 0 in k.shape:
        return out.zero_()
    if 0 in q.shape:
        return out
    for name, array in (("q", q), ("k", k), ("v", v), ("out", out)):
        _arrays.need_rows(name, array, 16)
    text = "attention_d64_sm90" if d == _PANEL else "attention_sm90"
    _text.kernel(text, ordinal).launch(
        _arrays.stream_of(q, stream),
        (*map(_panels, (q, k, v, out)), float(scale), int(is_causal)),
        None,
    )
    return out


def _check(q: Any, k: Any, v: Any) -> None:
    shapes = ", ".join(str(tuple(a.shape)) for a in (q, k, v))
    if any(_arrays.element(a) != "f16" for a in (q, k, v)):
        raise TypeError("q, k and v are of float16")
    if any(a.dim() != 4 for a in (q, k, v)) or q.shape[-1] not in (64, 128):
        raise ValueError(f"q, k and v are (batch, head, row, 64 or 128), not {shapes}")
    if k.shape != v.shape or q.shape[0] != k.shape[0] or q.shape[-1] != k.shape[-1]:
        raise ValueError(f"k and v are alike and fit q, not {shapes}")
    if k.shape[1] == 0 or q.shape[1] % k.shape[1]:
        raise ValueError(f"q has a multiple of the heads of k and v, not {shapes}")


def _panels(array: Any) -> Any:
    """Returns an array as an argument, its columns in panels of 64."""
    address, element, extents, strides = _arrays.argument(array)
    if extents[-1] > _PANEL:
        extents = (*extents[:-1], _PANEL, extents[-1] // _PANEL)
        strides = (*strides, _PANEL)
    return address, element, extents, strides
