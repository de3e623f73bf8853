"""O = softmax(scale Q K^T) V."""

from __future__ import annotations

import functools
import math
from typing import Any, Optional

from . import _arrays, _attention_split, _calls, _loading, _text, attention_sm80

PRODUCTS = {"f16": "F32F16F16", "bf16": "F32BF16BF16"}
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
    stream: Any = None,
) -> Any:
    """Returns the attention of queries (batch, head, row, d), for d of 32, 64, 96 and 128.

    Keys and values are (batch, head, column, d); q may have a multiple of their heads. All
    are of float16 or bfloat16. If ``is_causal``, the last row sees all columns, the one
    before all but one, and so on; a row that sees none is 0. ``scale`` is 1/sqrt(d) by
    default. ``out`` is written if it is given. Does not wait.

    The last modes are contiguous. Where rows begin at multiples of 16 bytes, as those of d = 32
    and 96 must, H100 and H200 multiply by wgmma; all else goes by mma.sync. For up to
    4 rows over more than 128 keys, the keys are split over the device.
    """
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    call = _calls.find(_prepare, (q, k, v, out), float(scale), bool(is_causal))
    return call(stream, q, k, v, out)


def _prepare(q: Any, k: Any, v: Any, out: Any, scale: float, is_causal: bool) -> Any:
    """Returns the call of an attention."""
    ordinal = _loading.place(q, k, v)
    _check(q, k, v)
    new = functools.partial(_arrays.empty, tuple(q.shape), q.dtype, q.device)
    if out is None:
        out = new()
    if out.shape != q.shape or out.dtype != q.dtype:
        raise ValueError(f"out is like q, not {tuple(out.shape)} of {out.dtype}")
    if not scale > 0:
        raise ValueError(f"the scale is positive, not {scale}")
    if 0 in (*k.shape, *q.shape):
        return _calls.Zero(new)
    arrays = {"q": q, "k": k, "v": v, "out": out}
    _loading.place(*arrays.values())
    has_pieces = all(map(is_regular, arrays.values()))
    if has_pieces and _attention_split.is_for(q, k):
        return _attention_split.call(ordinal, arrays, scale, is_causal, new)
    parameters = plain_parameters(q, k, is_causal, _text.device(ordinal).arch == 90)
    if has_pieces and parameters:
        kernel = _text.kernel("attention_plain", ordinal, **parameters)
        arguments = (*map(_arrays.argument, arrays.values()), scale)
        return _calls.Call(ordinal, [(kernel, arguments, None)], new)
    if q.shape[-1] not in (64, 128):
        raise ValueError(f"for d of {q.shape[-1]} rows begin at multiples of 16 bytes")
    return _calls.Call(ordinal, _launches(ordinal, arrays, scale, is_causal), new)


def plain_parameters(q: Any, k: Any, is_causal: bool, is_hopper: bool) -> dict[str, Any]:
    """Returns values for the parameters of the plain loop, none where another is faster."""
    tile = TILES[q.shape[-1]][0 if is_hopper else 1]
    if tile is None:
        return {}
    element, heads, group = _arrays.element(q), q.shape[1], q.shape[1] // k.shape[1]
    together = 16 if is_causal else 1
    while together > 1 and together * 4 * k.shape[2] * k.shape[3] > _CACHED * group:
        together //= 2
    return {"T": element, "PRODUCT": PRODUCTS[element], "D": q.shape[-1],
            "WARPS": tile[0], "KEYS": tile[1], "GROUP": group,
            "CAUSAL": int(is_causal), "TOGETHER": math.gcd(heads, together)}


def is_regular(array: Any) -> bool:
    """Says whether rows begin at multiples of 16 bytes."""
    strides = array.stride()
    steps = (s * array.element_size() % 16 for s in strides[:-1])
    return strides[-1] == 1 and not array.data_ptr() % 16 and not any(steps)


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


def _check(q: Any, k: Any, v: Any) -> None:
    shapes = ", ".join(str(tuple(a.shape)) for a in (q, k, v))
    types = {str(a.dtype) for a in (q, k, v)}
    if types not in ({"torch.float16"}, {"torch.bfloat16"}):
        raise TypeError(
            f"q, k and v are of float16 or of bfloat16, not {', '.join(sorted(types))}"
        )
    if any(a.dim() != 4 for a in (q, k, v)) or q.shape[-1] not in TILES:
        raise ValueError(f"q, k and v are (batch, head, row, 32, 64, 96 or 128), not {shapes}")
    if k.shape != v.shape or q.shape[0] != k.shape[0] or q.shape[-1] != k.shape[-1]:
        raise ValueError(f"k and v are alike and fit q, not {shapes}")
    if k.shape[1] == 0 or q.shape[1] % k.shape[1]:
        raise ValueError(f"q has a multiple of the heads of k and v, not {shapes}")

