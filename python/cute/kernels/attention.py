"""O = softmax(scale Q K^T) V."""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional

from . import _arrays, _attention_fp8, _attention_split, _calls, _loading, _text, attention_sm80
from ._attention_operands import (FLOAT8, PADDED, PRODUCTS, Options, check, check_out, is_regular,
                                  maker, need_regular, results_of, run, shared, without_sums)

HEADS = tuple(range(8, 257, 8))  # their sizes
# Warps, and keys at a time, of a block of the plain loop on H100 and H200, by the larger of both sizes.
TILES = {16: (4, 64), 32: (12, 96), 48: (12, 64), 64: (12, 96), 96: (12, 96), 128: (8, 128),
         160: (8, 64), 192: (8, 64)}
TILES_OF_BOTH = {(192, 128): (8, 96)}  # by both
FACTORS = "scale_q", "scale_k", "scale_v"
_ARGUMENTS = ("q", "k", "v", "out", "starts_q", "starts_k", "lse", "sinks", *FACTORS)
_CACHED = 35 << 20  # bytes of K and V that blocks read at a time, of an L2 cache of 50 MiB


def attention(
    q: Any,
    k: Any,
    v: Any,
    out: Any = None,
    *,
    scale: Optional[float] = None,
    is_causal: bool = False,
    window: Optional[int] = None,
    cap: Optional[float] = None,
    sinks: Any = None,
    scale_q: Any = None,
    scale_k: Any = None,
    scale_v: Any = None,
    return_lse: bool = False,
    stream: Any = None,
) -> Any:
    """Returns the attention of queries (batch, head, row, d), for d of 8 to 256 in steps of 8.

    Keys and values are (batch, head, column, d); q may have a multiple of their heads, and v and
    the result may have another d. All are float16 or bfloat16. If ``is_causal``, the last row sees
    all columns, the one before all but one, and so on; a row that sees none is 0. ``scale`` is
    1/sqrt(d) by default. ``out`` is written if it is given. Does not wait.

    With ``window``, which needs ``is_causal``, a row sees the last ``window`` of its columns.
    With ``cap`` a product x = scale q k becomes cap tanh(x / cap). ``sinks``, a number of
    float32 for each head of q, count among a row's products without a value. All three options
    need rows that begin at multiples of 16 bytes.

    With ``return_lse`` the result is a pair, with log(sum of e^(scale q k)) for each row, in
    float32 (batch, head, row), sinks included; -inf for a row that sees no column.

    All may also be float8_e4m3fn, for d of 32, 64, 96, 128, 192 and 256, from sm_89 on; the result
    is then bfloat16. ``scale_q``, ``scale_k`` and ``scale_v``, all or none, are then the elements'
    float32 factors (batch, head of k). Weights of values are rounded to 8 bits as well.

    The last modes are contiguous. Rows begin at multiples of 16 bytes, except for d of 64 and 128
    with none of these options. For d up to 192, such rows use wgmma on H100 and
    H200, for d of 16, 32, 48, 64, 96, 128, 160 and 192 without padding; everything else goes by
    mma.sync. Above 192 they need more shared memory than sm_86, sm_89 and sm_120 have. For up to
    4 rows over more than 128 keys and d of 32, 64, 96 and 128 the keys are split over the device.
    """
    arrays = (q, k, v, sinks, scale_q, scale_k, scale_v)
    return run(_prepare, arrays, out, stream, (scale, bool(is_causal), window, cap), return_lse)


def _prepare(q: Any, k: Any, v: Any, *rest: Any) -> Any:
    """Returns the call of an attention.

    :param rest: sinks and factors, the result, all or None, options, and whether the log-sum-exp
        is asked for
    """
    *given, out, numbers, has_sums = without_sums(rest)
    options = Options(*numbers)
    more = {name: x for name, x in zip(("sinks", *FACTORS), given) if x is not None}
    sinks = [x for name, x in more.items() if name == "sinks"]
    ordinal, is_fp8 = _loading.place(q, k, v, *more.values()), str(q.dtype) == FLOAT8
    check(q, k, v, _attention_fp8.HEADS if is_fp8 else HEADS, may_differ=True, others=[FLOAT8])
    check_sinks(q, *sinks)
    _check_factors(q, k, {name: x for name, x in more.items() if name in FACTORS}, is_fp8)
    new = maker(q, v, out, has_sums)
    results = results_of(new, out, has_sums)
    check_out(q, v, results[0])
    _loading.place(q, results[0])
    if 0 in (*k.shape, *q.shape):
        if sinks and has_sums:
            raise ValueError("with sinks and return_lse, q and k have a row at least")
        return _calls.Zero(new, (0, -math.inf)[:len(results)])
    arrays = {"q": q, "k": k, "v": v, "out": results[0]}
    has_pieces = all(map(is_regular, arrays.values()))
    named = {"q": q, "k": k, "v": v, **more, **dict(zip(("out", "lse"), results))}
    if is_fp8:
        need_regular(**arrays)
        return plain_call(ordinal, named, options, new)
    is_simple = options.cap is None and not sinks and q.shape[-1] == v.shape[-1]
    if has_pieces and is_simple and _attention_split.is_for(q, k):
        arrays.update({"lse": results[1]} if has_sums else {})
        return _attention_split.call(ordinal, arrays, options, new)
    is_short = is_simple and options.is_plain and not has_sums and q.shape[-1] in (64, 128)
    if has_pieces and (_is_hopper(ordinal) or not is_short):
        return plain_call(ordinal, named, options, new)
    if not is_short:
        raise ValueError(f"for d of {q.shape[-1]} rows begin at multiples of 16 bytes, and for "
                         "return_lse, a window, a cap and sinks")
    return _calls.Call(
        ordinal, _launches(ordinal, arrays, options.scale_for(q), options.is_causal), new)


def _is_hopper(ordinal: int) -> bool:
    return bool(_text.device(ordinal).arch == 90)


def plain_call(ordinal: int, arrays: Mapping[str, Any], options: Options, new: Any) -> Any:
    """Returns the call of the plain loop.

    :param arrays: the call's arrays in its order, by name: q, k, v and out, (batch, head, row, d),
        with lse, sinks, starts_q or starts_k among them or not
    """
    q, k, v = (arrays[name] for name in ("q", "k", "v"))
    launches: list[Any] = []
    workspace, order = None, list(arrays)
    parameters = plain_parameters(q, k, v, options, _is_hopper(ordinal))
    if "FP8" in parameters:
        workspace = _attention_fp8.transposed(v)
        arrays = {**arrays, "v": workspace()}
        launches, order = [_attention_fp8.transposing(ordinal, v, arrays["v"])], [*order, "v"]
        order[order.index("v")] = "given v"
    parameters.update({"LSE": int("lse" in arrays), "SINKS": int("sinks" in arrays),
                       "VARLEN": int("starts_q" in arrays), "FACTORS": int(FACTORS[0] in arrays)})
    kernel = _text.kernel("attention_plain", ordinal, **parameters)
    names = [name for name in _ARGUMENTS if name in arrays]
    arguments = (*[_arrays.argument(arrays[name]) for name in names], *options.numbers(q))
    places = [[order.index(name) for name in names]]
    if launches:
        places.insert(0, [order.index("given v"), order.index("v")])
    return _calls.Call(ordinal, [*launches, (kernel, arguments, None)], new, workspace,
                       places=places if names != order else ())


def _check_factors(q: Any, k: Any, factors: Mapping[str, Any], is_fp8: bool) -> None:
    """Raises where factors are not a number for each batch and head of k."""
    if factors and (len(factors) < len(FACTORS) or not is_fp8):
        raise ValueError("scale_q, scale_k and scale_v are for float8_e4m3fn, and given together")
    for name, array in factors.items():
        if tuple(array.shape) != (q.shape[0], k.shape[1]) or array.stride(-1) != 1 or (
                str(array.dtype) != "torch.float32"):
            raise ValueError(f"{name} is {(q.shape[0], k.shape[1])} of torch.float32, not "
                             f"{tuple(array.shape)} of {array.dtype}")


def check_sinks(q: Any, sinks: Any = None) -> None:
    """Raises where sinks are not a number for each head."""
    if sinks is not None and (tuple(sinks.shape) != (q.shape[1],) or sinks.stride(0) != 1
                              or str(sinks.dtype) != "torch.float32"):
        raise ValueError(f"sinks are {q.shape[1]} numbers of float32, one for each head of q, not "
                         f"{tuple(sinks.shape)} of {sinks.dtype}")


def plain_parameters(q: Any, k: Any, v: Any, options: Options, is_hopper: bool
                     ) -> dict[str, Any]:
    """Returns values for the parameters of the plain loop."""
    element, heads, group = _arrays.element(q), q.shape[1], q.shape[1] // k.shape[1]
    together = 16 if options.is_causal else 1
    while together > 1 and together * 4 * k.shape[2] * k.shape[3] > _CACHED * group:
        together //= 2
    tile = _attention_fp8.parameters if str(q.dtype) == FLOAT8 else _tile
    return {"T": element, "TO": element, "PRODUCT": PRODUCTS[element], "D": q.shape[-1], "DV": v.shape[-1],
            **tile(q.shape[-1], v.shape[-1], is_hopper), "GROUP": group,
            "TOGETHER": math.gcd(heads, together), **options.parameters}


def _tile(d: int, dv: int, is_hopper: bool) -> dict[str, int]:
    """Returns the tiles for sizes of heads."""
    sizes = tuple(next(size for size in PADDED if size >= n) for n in (d, dv))
    warps, keys = 4, 64 if max(sizes) < 128 else 32
    if is_hopper:
        warps, keys = TILES_OF_BOTH.get(sizes, TILES.get(max(sizes), (warps, keys)))
    (size, across), (size_v, across_v) = (shared(n, warps, keys) for n in (d, dv))
    return {"D_TILE": size, "DV_TILE": size_v, "ACROSS": across, "ACROSS_V": across_v,
            "WARPS": warps, "KEYS": keys}


def _launches(ordinal: int, arrays: Any, scale: float, is_causal: bool) -> Any:
    """Returns launches by mma.sync, as Call has them: one for each query head of a key head."""
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
