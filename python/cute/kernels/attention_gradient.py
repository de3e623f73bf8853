"""Gradients of attention.

A kernel writes what the others need of each row, the sum of dO O and the log-sum-exp. The others
are one plain loop (``text/attention_backward_plain.mlir``): on H100 and H200 it goes over the queries,
makes all gradients by five products, and adds to dQ in any order, or in that of the keys where equal
inputs are to give equal bits. Elsewhere, with a cap, and with a window where there is an order, the
loop over the keys writes dQ, and that over the queries dK and dV: a block adds to nothing that
another one writes.
"""

from __future__ import annotations

import math
from typing import Any, Optional

from . import _arrays, _calls, _gradient_rows, _loading, _text
from ._attention_operands import (PADDED, PRODUCTS, Options, check, check_out, need_regular,
                                  shared)

HEADS = tuple(range(8, 129, 8))
SIDE = 16  # heads whose blocks are launched in turn, where additions have an order
NAMES = ("grad", "q", "k", "v", "out", "lse", "dq", "dk", "dv", "l2", "sums", "total", "turns")
KINDS = ("torch.float32", "torch.float32", "torch.float32", "torch.int32")  # from l2 on
# Warps and columns at a time on H100 and H200, of dQ, and of dK and dV, by the width of tiles.
TILES = ({16: (4, 64), 64: (8, 128)}, {16: (4, 64), 128: (8, 32)})


def attention_backward(
    grad: Any,
    q: Any,
    k: Any,
    v: Any,
    out: Any,
    lse: Any,
    *,
    scale: Optional[float] = None,
    is_causal: bool = False,
    window: Optional[int] = None,
    cap: Optional[float] = None,
    deterministic: bool = False,
    stream: Any = None,
) -> tuple[Any, Any, Any]:
    """Returns the gradients of q, k and v from that of ``out``, their attention.

    ``lse`` is what ``attention(..., return_lse=True)`` returned with ``out``; ``scale``,
    ``is_causal``, ``window`` and ``cap`` are that call's arguments; the call may also have had
    sinks: the gradient of one is -sum of e^(sink - lse) (grad out) over the rows of its head. Rows
    begin at multiples of 16 bytes, and d is a multiple of 8 up to 128. If it is ``deterministic``,
    equal inputs give equal bits, which takes longer on H100 and H200. Does not wait.
    """
    arrays = (grad, q, k, v, out, lse, None, None, None)
    return _calls.run(_prepare, arrays, stream, scale, bool(is_causal), window, cap,
                      bool(deterministic))


def _prepare(grad: Any, q: Any, k: Any, v: Any, out: Any, lse: Any, *rest: Any) -> Any:
    """Returns the call of the gradients."""
    options, is_ordered = Options(*rest[3:-1]), rest[-1]
    ordinal = _loading.place(grad, q, k, v, out, lse)
    check(q, k, v, HEADS)
    check_out(q, v, out)
    check_out(q, v, grad, "grad")
    if lse.shape != q.shape[:-1] or str(lse.dtype) != "torch.float32" or lse.stride(-1) != 1:
        raise ValueError(f"lse is {tuple(q.shape[:-1])} of float32 with contiguous rows, not "
                         f"{tuple(lse.shape)} of {lse.dtype} with strides {tuple(lse.stride())}")
    new = _arrays.Makers(_arrays.maker(tuple(x.shape), x.dtype, x.device) for x in (q, k, v))
    if 0 in (*k.shape, *q.shape):
        return _calls.Zero(new)
    need_regular(grad=grad, q=q, k=k, v=v, out=out)
    is_hopper = _text.device(ordinal).arch == 90
    has_sums = is_hopper and options.cap is None and (not is_ordered or options.window is None)
    shapes, launches = (_at_once(ordinal, options, q, k, is_ordered) if has_sums else
                        _in_turn(ordinal, options, q, k))
    workspace = _arrays.Makers(_arrays.maker(x, kind, q.device) for x, kind in zip(shapes, KINDS))
    named = dict(zip(NAMES, (grad, q, k, v, out, lse, *new(), *workspace())))
    return _calls.Call(ordinal, [
        (loaded, (*[_arrays.argument(named[n]) for n in names.split()], *numbers), None)
        for loaded, numbers, names in launches], new, workspace,
        [[list(named).index(n) for n in names.split()] for *_, names in launches])


def _in_turn(ordinal: int, options: Options, q: Any, k: Any) -> tuple[Any, Any]:
    """Returns shapes of the workspace and the launches of kernels for dQ, and for dK and dV."""
    kind, d = _arrays.element(q), q.shape[-1]
    is_hopper = _text.device(ordinal).arch == 90
    tiles = [_tile(d, of_keys, is_hopper) for of_keys in (0, 1)]
    whole = math.lcm(*(n for tile in tiles for n in (16 * tile["WARPS"], tile["COLS"])))
    rows = (*q.shape[:2], -(-q.shape[2] // whole) * whole)
    parameters = {"T": kind, "PRODUCT": PRODUCTS[kind], "D": d, "GROUP": q.shape[1] // k.shape[1],
                  **options.parameters}
    numbers = options.numbers(q)
    return (rows, rows), [
        (_kernel("rows", ordinal, kind, d), (), "grad out lse l2 sums"),
        (_text.kernel("attention_backward_plain", ordinal, **tiles[0], **parameters), numbers,
         "q grad k v l2 sums dq"),
        (_text.kernel("attention_backward_plain", ordinal, **tiles[1], **parameters), numbers,
         "k v q grad l2 sums dk dv")]


def _at_once(ordinal: int, options: Options, q: Any, k: Any, is_ordered: bool) -> tuple[Any, Any]:
    """Returns the same of the kernel of all gradients, which adds up dQ in any order, or in that of
    the keys."""
    kind, d = _arrays.element(q), q.shape[-1]
    size, width = _gradient_rows.rows_of_tile(d), _gradient_rows.width_of(d)
    rows = (*q.shape[:2], -(-q.shape[2] // size) * size)
    loaded = _text.kernel(
        "attention_backward_plain", ordinal, ONCE=1, WARPS=8, COLS=size, D_TILE=width, D=d, T=kind,
        PRODUCT=PRODUCTS[kind], GROUP=q.shape[1] // k.shape[1], ORDER=int(is_ordered), **options.parameters)
    shapes, first, more, numbers = (rows, rows, (*rows, d)), "rows_and_zeros", "", options.numbers(q)
    if is_ordered:
        shapes, numbers = (*shapes, (*rows[:2], rows[2] // size)), (SIDE, *numbers)
        first, more = "rows_zeros_and_turns", " turns"
    return shapes, [
        (_kernel(first, ordinal, kind, d), (), "grad out lse l2 sums total" + more),
        (loaded, numbers, "k v q grad l2 sums dk dv total" + more),
        (_kernel("scaled", ordinal, kind, d), (options.scale_for(q),), "total dq")]


def _kernel(name: str, ordinal: int, kind: str, d: int) -> Any:
    """Returns a kernel that goes before or after the others."""
    return _loading.kernel(_gradient_rows.program, (("type", kind), ("d", d)), name, ordinal)


def _tile(d: int, of_keys: int, is_hopper: bool) -> dict[str, int]:
    """Returns the tiles of dQ, or of dK and dV."""
    padded = next(n for n in PADDED if n >= d)
    warps, columns = 4, 64 if padded < 128 else 32
    if is_hopper:
        warps, columns = TILES[of_keys].get(padded, (8, 64))
    size, across = shared(d, warps, columns)
    return {"KEYS": of_keys, "WARPS": warps, "COLS": columns, "D_TILE": size, "ACROSS": across}
