"""Attention to keys and values in pages, as a server keeps them."""

from __future__ import annotations

import functools
import math
from typing import Any, Optional

from . import _arrays, _attention_split, _calls, _loading
from .attention import is_regular


def attention_paged(
    q: Any,
    k: Any,
    v: Any,
    pages: Any,
    lengths: Any,
    out: Any = None,
    *,
    scale: Optional[float] = None,
    is_causal: bool = False,
    stream: Any = None,
) -> Any:
    """Returns the attention of queries (batch, head, row, d) to keys and values in pages.

    Keys and values are (page, head, slot, d), of any strides but that of d, which is 1;
    ``page, slot, head`` in memory is a transposed view. Pages have a multiple of 16 slots, rows
    begin at multiples of 16 bytes, and d is 32, 64, 96 or 128. Key ``i`` of sequence ``b`` is in
    slot ``i % slots`` of page ``pages[b, i // slots]``, and there are ``lengths[b]`` of them, at
    most as many as its pages have. Both are of int32, on the device, and are read there: entries
    behind a sequence's length are not. If ``is_causal``, the last row sees all keys, the one
    before all but one, and so on; a row that sees none is 0. ``scale`` is 1/sqrt(d) by default.
    ``out`` is written if it is given. Does not wait.

    The loop is for few rows, as in decoding: each 16 rows of the heads that share a key read
    all of the keys.
    """
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    arrays = (q, k, v, pages, lengths, out)
    return _calls.find(_prepare, arrays, float(scale), bool(is_causal))(stream, *arrays)


def _prepare(q: Any, k: Any, v: Any, pages: Any, lengths: Any, out: Any, scale: float,
             is_causal: bool) -> Any:
    """Returns the call of an attention."""
    ordinal = _loading.place(q, k, v, pages, lengths)
    _check(q, k, v, pages, lengths)
    new = functools.partial(_arrays.empty, tuple(q.shape), q.dtype, q.device)
    if out is None:
        out = new()
    if out.shape != q.shape or out.dtype != q.dtype:
        raise ValueError(f"out is like q, not {tuple(out.shape)} of {out.dtype}")
    if not scale > 0:
        raise ValueError(f"the scale is positive, not {scale}")
    if 0 in (*k.shape, *q.shape, *pages.shape):
        return _calls.Zero(new)
    arrays = {"q": q, "k": k, "v": v, "pages": pages, "lengths": lengths, "out": out}
    _loading.place(*arrays.values())
    for name in ("q", "k", "v", "out"):
        if not is_regular(arrays[name]):
            raise ValueError(f"{name}: d is contiguous and rows begin at multiples of 16 bytes, "
                             f"not with strides {tuple(arrays[name].stride())}")
    return _attention_split.call(ordinal, arrays, scale, is_causal, new)


def _check(q: Any, k: Any, v: Any, pages: Any, lengths: Any) -> None:
    shapes = ", ".join(str(tuple(a.shape)) for a in (q, k, v))
    types = {str(a.dtype) for a in (q, k, v)}
    if types not in ({"torch.float16"}, {"torch.bfloat16"}):
        raise TypeError(
            f"q, k and v are of float16 or of bfloat16, not {', '.join(sorted(types))}")
    if any(a.dim() != 4 for a in (q, k, v)) or q.shape[-1] not in _attention_split.HEADS:
        raise ValueError(f"q is (batch, head, row, d), k and v are (page, head, slot, d), and d "
                         f"is 32, 64, 96 or 128, not {shapes}")
    if k.shape != v.shape or q.shape[-1] != k.shape[-1]:
        raise ValueError(f"k and v are alike and fit q, not {shapes}")
    if k.shape[1] == 0 or q.shape[1] % k.shape[1]:
        raise ValueError(f"q has a multiple of the heads of k and v, not {shapes}")
    if k.shape[2] % 16:
        raise ValueError(f"a page has a multiple of 16 slots, not {k.shape[2]}")
    for name, array, dims in (("pages", pages, 2), ("lengths", lengths, 1)):
        if str(array.dtype) != "torch.int32":
            raise TypeError(f"{name} is of int32, not {array.dtype}")
        if array.dim() != dims or array.shape[0] != q.shape[0]:
            shape = "(batch, page)" if dims == 2 else "(batch)"
            raise ValueError(f"{name} is {shape} for a batch of {q.shape[0]}, not "
                             f"{tuple(array.shape)}")
        if array.stride(-1) != 1:
            raise ValueError(f"{name}: its last mode is contiguous, not {array.stride()}")
    if q.shape[0] >= 1 << 16:
        raise ValueError(f"a batch has at most 65535 sequences, not {q.shape[0]}")
