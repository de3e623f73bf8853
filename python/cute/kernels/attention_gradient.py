"""Gradients of attention.

Three kernels: one writes what the others need of each row, the sum of dO O and the log-sum-exp;
a plain loop over the keys writes dQ, and the same loop over the queries dK and dV
(``text/attention_backward_plain.mlir``). A block adds to nothing that another one writes, so
that equal inputs give equal bits.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Mapping, Optional

from .. import arch
from .._compile.arguments import Constexpr
from .._compile.jit import kernel
from .._frontend.control import minimum, range_constexpr
from .._values.numeric import Float32
from .._values.tensor import Tensor
from . import _access, _arrays, _calls, _loading, _text
from ._attention_operands import (PADDED, PRODUCTS, Options, check, check_out, need_regular,
                                  shared)
from ._attention_split import LOG2_E, chosen
from ._program import Program

HEADS = tuple(range(8, 129, 8))
# Warps and columns at a time on H100 and H200, of dQ, and of dK and dV, by the width of tiles.
TILES = ({16: (4, 64), 64: (8, 128)}, {16: (4, 64), 128: (8, 32)})
WARPS = 4  # of a block that prepares rows


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
    stream: Any = None,
) -> tuple[Any, Any, Any]:
    """Returns the gradients of q, k and v from that of ``out``, their attention.

    ``lse`` is what ``attention(..., return_lse=True)`` returned beside ``out``; ``scale``,
    ``is_causal``, ``window`` and ``cap`` are those of that call, which may have had sinks, too:
    the gradient of one is -sum of e^(sink - lse) (grad out) over the rows of its head. Rows begin
    at multiples of 16 bytes, and d is a multiple of 8 up to 128. Does not wait.
    """
    arrays = (grad, q, k, v, out, lse, None, None, None)
    return _calls.run(_prepare, arrays, stream, scale, bool(is_causal), window, cap)


def _prepare(grad: Any, q: Any, k: Any, v: Any, out: Any, lse: Any, *rest: Any) -> Any:
    """Returns the call of the gradients."""
    options = Options(*rest[3:])
    ordinal = _loading.place(grad, q, k, v, out, lse)
    check(q, k, v, HEADS)
    check_out(q, v, out)
    check_out(q, v, grad, "grad")
    if lse.shape != q.shape[:-1] or str(lse.dtype) != "torch.float32" or lse.stride(-1) != 1:
        raise ValueError(f"lse is {tuple(q.shape[:-1])} of float32 with contiguous rows, not "
                         f"{tuple(lse.shape)} of {lse.dtype} with strides {tuple(lse.stride())}")
    new = functools.partial(_like, q, k, v)
    if 0 in (*k.shape, *q.shape):
        return _calls.Zero(new)
    need_regular(grad=grad, q=q, k=k, v=v, out=out)
    is_hopper = _text.device(ordinal).arch == 90
    tiles = [_tile(q.shape[-1], of_keys, is_hopper) for of_keys in (0, 1)]
    whole = math.lcm(*(n for tile in tiles for n in (16 * tile["WARPS"], tile["COLS"])))
    rows = (*q.shape[:2], -(-q.shape[2] // whole) * whole)
    workspace = functools.partial(_workspace, rows, q.device)
    named = dict(zip(("grad", "q", "k", "v", "out", "lse", "dq", "dk", "dv", "l2", "sums"),
                     (grad, q, k, v, out, lse, *new(), *workspace())))
    parameters = {"T": _arrays.element(q), "PRODUCT": PRODUCTS[_arrays.element(q)],
                  "D": q.shape[-1], "GROUP": q.shape[1] // k.shape[1], **options.parameters}
    values = ("type", parameters["T"]), ("d", q.shape[-1])
    launches = [
        (_loading.kernel(program, values, "attention_rows", ordinal), [],
         ("grad", "out", "lse", "l2", "sums")),
        (_text.kernel("attention_backward_plain", ordinal, **tiles[0], **parameters),
         options.numbers(q), ("q", "grad", "k", "v", "l2", "sums", "dq")),
        (_text.kernel("attention_backward_plain", ordinal, **tiles[1], **parameters),
         options.numbers(q), ("k", "v", "q", "grad", "l2", "sums", "dk", "dv"))]
    return _calls.Call(ordinal, [
        (loaded, (*[_arrays.argument(named[n]) for n in names], *numbers), None)
        for loaded, numbers, names in launches], new, workspace,
        [[list(named).index(n) for n in names] for *_, names in launches])


def _tile(d: int, of_keys: int, is_hopper: bool) -> dict[str, int]:
    """Returns the tiles of dQ, or of dK and dV."""
    padded = next(n for n in PADDED if n >= d)
    warps, columns = 4, 64 if padded < 128 else 32
    if is_hopper:
        warps, columns = TILES[of_keys].get(padded, (8, 64))
    size, across = shared(d, warps, columns)
    return {"KEYS": of_keys, "WARPS": warps, "COLS": columns, "D_TILE": size, "ACROSS": across}


def _like(*arrays: Any) -> tuple[Any, ...]:
    """Returns new arrays of such shapes and types."""
    return tuple(_arrays.empty(tuple(a.shape), a.dtype, a.device) for a in arrays)


def _workspace(rows: tuple[int, ...], device: Any) -> Any:
    """Returns memory for what the plain loops need of each row."""
    import torch

    return tuple(_arrays.empty(rows, torch.float32, device) for _ in range(2))


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernel that prepares rows."""
    matrix = (f'!cute.tensor<{values["type"]}, gmem, align<16>, '
              f'"(?,?,?,{values["d"]}):(?{{i64}},?{{i64}},?{{i64}},1)">')
    sums = '!cute.tensor<f32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},1)">'
    made = Program("attention_rows")
    made.add("attention_rows", prepare_rows, matrix, matrix, sums, sums, sums,
             d=values["d"], threads=32 * WARPS,
             grid=[f"ceil_div(arg3.shape[2], {WARPS})", "arg0.shape[1]", "arg0.shape[0]"])
    return made


@kernel
def prepare_rows(grad: Tensor, out: Tensor, lse: Tensor, l2: Tensor, sums: Tensor, d: Constexpr
                 ) -> None:
    """Writes -log2(e) of the log-sum-exp, and the sum of dO O, for a row of each warp; -inf and
    0 for rows that are not there or see no key, as far as ``l2`` has rows."""
    x, head, batch = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    row, lane = x * WARPS + thread // 32, thread % 32
    is_there = row < out.shape[2]
    near = minimum(row, out.shape[2] - 1)
    total = Float32(0.0)
    for i in range_constexpr(-(-d // 32)):
        column = minimum(32 * i + lane, d - 1)
        product = Float32(grad[batch, head, near, column]) * Float32(out[batch, head, near, column])
        total = total + chosen(32 * i + lane < d, product, Float32(0.0))
    total = _access.across("add", total)
    if lane == 0:
        found = Float32(lse[batch, head, near])
        sees = found > Float32(-math.inf)
        power = chosen(sees, found * -LOG2_E, Float32(-math.inf))
        if row < l2.shape[2]:
            l2[batch, head, row] = chosen(is_there, power, Float32(-math.inf))
            sums[batch, head, row] = chosen(is_there, total, Float32(0.0))
