"""Attention of several sequences, one after another in memory."""

from __future__ import annotations

import math
from typing import Any, Optional

from . import _calls, _loading
from ._attention_operands import (Options, check, check_out, maker, need_regular,
                                  results_of, run, without_sums)
from .attention import HEADS, check_sinks, plain_call


def attention_varlen(
    q: Any,
    k: Any,
    v: Any,
    cu_seqlens_q: Any,
    cu_seqlens_k: Any,
    out: Any = None,
    *,
    scale: Optional[float] = None,
    is_causal: bool = False,
    window: Optional[int] = None,
    cap: Optional[float] = None,
    sinks: Any = None,
    return_lse: bool = False,
    stream: Any = None,
) -> Any:
    """Returns the attention of sequences of any lengths, by one kernel.

    Queries are (row, head, d), keys and values (column, head, d), sequence after sequence: rows
    ``cu_seqlens_q[s]`` to ``cu_seqlens_q[s + 1]`` see columns ``cu_seqlens_k[s]`` to
    ``cu_seqlens_k[s + 1]``. Both are of int32, on the device, begin with 0, and do not decrease;
    only the kernel reads them, so nothing waits and no maximum length is needed. A sequence may
    have no rows, or no columns: then its rows are 0. Rows of the result after the last sequence
    are undefined. d, types and options are as in :func:`attention`, and rows begin at multiples
    of 16 bytes.

    With ``return_lse`` the result is a pair, with the log-sum-exp of rows, (head, row).

    All values must be finite: an infinity or NaN in v, also after the last sequence, may make
    rows of the previous sequence NaN.
    """
    given = (q, k, v, cu_seqlens_q, cu_seqlens_k, *[sinks] * (sinks is not None))
    return run(_prepare, given, out, stream, (scale, bool(is_causal), window, cap), return_lse)


def _prepare(q: Any, k: Any, v: Any, starts_q: Any, starts_k: Any, *rest: Any) -> Any:
    """Returns the call of an attention; ``rest`` as in that of ``attention``."""
    *sinks, out, given, has_sums = without_sums(rest)
    options = Options(*given)
    ordinal = _loading.place(q, k, v, starts_q, starts_k, *sinks)
    check(q, k, v, HEADS, "(column, head, d)", "(row, head, d)", may_differ=True)
    _check_starts(starts_q, starts_k)
    check_sinks(q, *sinks)
    new = maker(q, v, out, has_sums)
    results = results_of(new, out, has_sums)
    check_out(q, v, results[0])
    _loading.place(q, results[0])
    if 0 in (*k.shape, *q.shape):
        if sinks and has_sums:
            raise ValueError("with sinks and return_lse, q and k have a row at least")
        return _calls.Zero(new, (0, -math.inf)[:len(results)])
    need_regular(q=q, k=k, v=v, out=results[0])
    names = ("q", "k", "v", "starts_q", "starts_k", *["sinks"] * len(sinks), "out", "lse")
    arrays = dict(zip(names, (q, k, v, starts_q, starts_k, *sinks, *results)))
    for name in ("q", "k", "v", "out"):  # a batch of one: (batch, head, row, d)
        arrays[name] = arrays[name].transpose(0, 1)[None]
    arrays.update({"lse": results[1][None]} if has_sums else {})
    return plain_call(ordinal, arrays, options, new)


def _check_starts(*starts: Any) -> None:
    """Raises where the starts of sequences are not such lists."""
    for name, array in zip(("cu_seqlens_q", "cu_seqlens_k"), starts):
        if str(array.dtype) != "torch.int32":
            raise TypeError(f"{name} is of int32, not {array.dtype}")
        if array.dim() != 1 or array.shape[0] < 2 or array.stride(0) != 1:
            raise ValueError(f"{name} is (sequences + 1), contiguous, not {tuple(array.shape)} "
                             f"with strides {array.stride()}")
    if starts[0].shape != starts[1].shape:
        raise ValueError("cu_seqlens_q and cu_seqlens_k have an element for each sequence, and one "
                         f"more, not {starts[0].shape[0]} and {starts[1].shape[0]}")
