"""O = softmax(scale Q K^T) V."""

from __future__ import annotations

import math
from typing import Any, Optional

from . import _arrays, _attention_split, _calls, _loading, _text, attention_sm80
from ._attention_operands import (PRODUCTS, check, check_out, is_regular, maker, new_sums,
                                  results_of, scale_of)

# Warps, and keys at a time, of a block of the plain loop: for H100 and H200, and for others.
TILES = {32: ((12, 96), (4, 64)), 64: ((12, 96), None), 96: ((12, 96), (6, 48)),
         128: ((8, 128), None)}
_CACHED = 35 << 20  # bytes of K and V that blocks read at a time, of an L2 cache of 50 MiB


def attention(
    q: Any,
    k: Any,
    v: Any,
    out: Any = None,
    *,
    scale: Optional[float] = None,
    is_causal: bool = False,
    return_lse: bool = False,
    stream: Any = None,
) -> Any:
    """Returns the attention of queries (batch, head, row, d), for d of 32, 64, 96 and 128.

    Keys and values are (batch, head, column, d); q may have a multiple of their heads. All
    are of float16 or bfloat16. If ``is_causal``, the last row sees all columns, the one
    before all but one, and so on; a row that sees none is 0. ``scale`` is 1/sqrt(d) by
    default. ``out`` is written if it is given. Does not wait.

    With ``return_lse`` the result is a pair, with log(sum of e^(scale q k)) for each row, in
    float32 (batch, head, row); -inf for a row that sees no column.

    The last modes are contiguous. Where rows begin at multiples of 16 bytes, as those of d = 32
    and 96 and all with ``return_lse`` must, H100 and H200 multiply by wgmma; all else goes by
    mma.sync. For up to 4 rows over more than 128 keys, the keys are split over the device.
    """
    call = _calls.find(_prepare, (q, k, v, out), scale, bool(is_causal), bool(return_lse))
    if return_lse and out is not None:
        sums = new_sums(q)
        call(stream, q, k, v, out, sums)
        return out, sums
    return call(stream, q, k, v, *[out] * (1 + return_lse))


def _prepare(q: Any, k: Any, v: Any, out: Any, scale: Optional[float], is_causal: bool,
             has_sums: bool) -> Any:
    """Returns the call of an attention."""
    ordinal = _loading.place(q, k, v)
    check(q, k, v, tuple(TILES))
    new = maker(q, has_sums)
    results = results_of(new, out, has_sums)
    arrays = {"q": q, "k": k, "v": v, "out": results[0]}
    check_out(q, arrays["out"])
    scale = scale_of(q, scale)
    _loading.place(*arrays.values())
    if 0 in (*k.shape, *q.shape):
        return _calls.Zero(new, (0, -math.inf)[:len(results)])
    has_pieces = all(map(is_regular, arrays.values()))
    arrays.update({"lse": results[1]} if has_sums else {})
    if has_pieces and _attention_split.is_for(q, k):
        return _attention_split.call(ordinal, arrays, scale, is_causal, new)
    is_hopper = _text.device(ordinal).arch == 90
    parameters = plain_parameters(q, k, is_causal, is_hopper, has_sums)
    if has_pieces and parameters:
        kernel = _text.kernel("attention_plain", ordinal, **parameters)
        arguments = (*map(_arrays.argument, arrays.values()), scale)
        return _calls.Call(ordinal, [(kernel, arguments, None)], new)
    if q.shape[-1] not in (64, 128) or has_sums:
        raise ValueError(f"for d of {q.shape[-1]}{' and return_lse' * has_sums} rows begin at "
                         "multiples of 16 bytes")
    return _calls.Call(ordinal, _launches(ordinal, arrays, scale, is_causal), new)


def plain_parameters(q: Any, k: Any, is_causal: bool, is_hopper: bool,
                     has_sums: bool = False) -> dict[str, Any]:
    """Returns values for the parameters of the plain loop, none where another is faster."""
    tile = TILES[q.shape[-1]][0 if is_hopper else 1] or (has_sums and (4, 64))
    if not tile:
        return {}
    element, heads, group = _arrays.element(q), q.shape[1], q.shape[1] // k.shape[1]
    together = 16 if is_causal else 1
    while together > 1 and together * 4 * k.shape[2] * k.shape[3] > _CACHED * group:
        together //= 2
    return {"T": element, "PRODUCT": PRODUCTS[element], "D": q.shape[-1],
            "WARPS": tile[0], "KEYS": tile[1], "GROUP": group,
            "CAUSAL": int(is_causal), "TOGETHER": math.gcd(heads, together),
            "LSE": int(has_sums)}


def _launches(ordinal: int, arrays: Any, scale: float, is_causal: bool) -> Any:
    """Returns launches by mma.sync, as Call has them: one for each query head of a key
    head."""
    q, k = arrays["q"], arrays["k"]
    for name, array in arrays.items():
        if array.stride(-1) != 1:
            raise ValueError(f"{name}: its last mode is contiguous, not {array.stride()}")
    d, vec = q.shape[-1], 8 if all(map(is_regular, arrays.values())) else 1
    bm, bn = 128, (64 if d == 128 else 128) // (2 if vec == 1 else 1)
    if _loading.is_simulated(ordinal):
        bm, bn = 64, 32
    parameters = {"name": "attention", "type": _arrays.element(q), "d": d, "bm": bm,
                  "bn": bn, "vec": vec, "warps": 4}
    loaded = _loading.kernel(
        attention_sm80.program, tuple(parameters.items()), "attention", ordinal)
    shift = k.shape[2] - q.shape[2]
    causal = 1 + 2 * shift if is_causal else 0
    group = q.shape[1] // k.shape[1]
    for i in range(group):
        parts = [a[:, i::group] if n in ("q", "out") else a for n, a in arrays.items()]
        offsets = [part.data_ptr() - whole.data_ptr()
                   for part, whole in zip(parts, arrays.values())]
        yield loaded, (*map(_arrays.argument, parts), scale, causal), offsets
