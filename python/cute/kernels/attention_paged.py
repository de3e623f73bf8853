"""Attention to keys and values in pages, as a server keeps them."""

from __future__ import annotations

import math
from typing import Any, Optional

from . import _attention_split, _calls, _loading
from ._attention_operands import (Options, check, check_out, maker, need_regular,
                                  results_of, run, without_sums)


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
    window: Optional[int] = None,
    return_lse: bool = False,
    stream: Any = None,
) -> Any:
    """Returns the attention of queries (batch, head, row, d) to keys and values in pages.

    Keys and values are (page, head, slot, d), of any strides but that of d, which is 1; ``page,
    slot, head`` in memory is a transposed view. Pages have a multiple of 16 slots, rows begin at
    multiples of 16 bytes, and d is 32, 64, 96 or 128. Key ``i`` of sequence ``b`` is in slot ``i %
    slots`` of page ``pages[b, i // slots]``, and there are ``lengths[b]`` of them, at most as many
    as its pages have. Both are int32 on the device and are read there, except entries beyond a
    sequence's length. If ``is_causal``, the last row sees all keys, the one before all but one, and
    so on; a row that sees none is 0. With ``window``, which needs ``is_causal``, a row sees the
    last ``window`` of its keys, and only the pages of these keys are read. ``scale`` is 1/sqrt(d)
    by default. ``out`` is written if it is given. With ``return_lse`` the result is a pair, as that
    of :func:`attention`. Does not wait.

    The loop is for few rows, as in decoding: each 16 rows of the heads that share a key read
    all of the keys.
    """
    options = (scale, bool(is_causal), window)
    return run(_prepare, (q, k, v, pages, lengths), out, stream, options, return_lse)


def _prepare(q: Any, k: Any, v: Any, pages: Any, lengths: Any, *rest: Any) -> Any:
    """Returns the call of an attention; ``rest`` as in that of ``attention``."""
    out, given, has_sums = without_sums(rest)
    options = Options(*given)
    ordinal = _loading.place(q, k, v, pages, lengths)
    check(q, k, v, _attention_split.HEADS, "(page, head, slot, d)")
    check_pages(q, k.shape[2], 16, pages, lengths)
    new = maker(q, v, out, has_sums)
    results = results_of(new, out, has_sums)
    arrays = {"q": q, "k": k, "v": v, "pages": pages, "lengths": lengths,
              "out": results[0]}
    check_out(q, v, arrays["out"])
    if 0 in (*k.shape, *q.shape, *pages.shape):
        return _calls.Zero(new, (0, -math.inf)[:len(results)])
    _loading.place(*arrays.values())
    need_regular(q=q, k=k, v=v, out=arrays["out"])
    arrays.update({"lse": results[1]} if has_sums else {})
    return _attention_split.call(ordinal, arrays, options, new)


def check_pages(q: Any, slots: int, step: int, pages: Any, lengths: Any) -> None:
    """Raises where a page has not a multiple of ``step`` slots, or the table of pages does not fit
    q."""
    if slots % step:
        raise ValueError(f"a page has a multiple of {step} slots, not {slots}")
    for name, array, dims in (("pages", pages, 2), ("lengths", lengths, 1)):
        if str(array.dtype) != "torch.int32":
            raise TypeError(f"{name} is of int32, not {array.dtype}")
        if array.dim() != dims or array.shape[0] != q.shape[0]:
            shape = "(batch, page)" if dims == 2 else "(batch)"
            raise ValueError(f"{name} is {shape} for a batch of {q.shape[0]}, not "
                             f"{tuple(array.shape)}")
        if array.stride(-1) != 1:
            raise ValueError(f"{name}: its last mode is contiguous, not {array.stride()}")
