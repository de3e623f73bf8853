"""The largest elements of each row and their places: ``topk`` for few, and ``argmax``.

An element has a key of 64 bits that orders as it does: its value as an unsigned integer, then
the complement of its place, so that of equal elements the first is the larger, and no two
are equal. A NaN is larger than all numbers. A thread has the largest key of its elements, of
which the block, or the lanes of a row, find the largest; its thread then looks for its own
largest one below. So the row is read from memory once, and what follows costs the same for
each of the k elements. Rows that fit stay in registers; of others a thread reads its
elements again, from the cache, when its largest was taken.
"""

from __future__ import annotations

import math
from typing import Any, Mapping

from .. import arch, core
from .._compile.arguments import Constexpr
from .._compile.jit import kernel
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float32, Int32, Int64, Uint32, Uint64
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import ReductionOp, vector_of, where
from . import _access, _rows
from ._program import Program, function
from ._row_calls import INDICES, MATRIX, TOP, TOP_INDICES, Function


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made = Program(values["name"])
    for plan in _rows.plans(values):
        if values["kind"] == "argmax":
            _rows.add(made, values["name"], plan, argmax_rows, plan.matrix, plan.column(Int64))
            continue
        few, places = (f'!cute.tensor<{t.ir_name}, gmem, align<{t.width // 8}>, "(?,?):(?{{i64}},1)">'
                       for t in (plan.dtype, Int64))
        _rows.add(made, values["name"], plan, topk_rows, plan.matrix, few, Int32, places)
    return made


def topk(a: Any, k: int, *, stream: Any = None) -> Any:
    """Returns the k largest elements of each row of ``a``, in falling order, and their places,
    of int64.

    Elements are of float16, bfloat16 or float32. Of equal ones the first counts as the
    larger, and NaN as larger than all. Made for few: each takes a turn of the block. Does not
    wait.
    """
    columns = a.shape[-1] if getattr(a, "shape", ()) else 0
    if not 0 <= k <= columns:
        raise ValueError(f"selected index k out of range: {k} of {columns} columns")
    return TOPK(stream, (int(k),), a, None, None)


def argmax(a: Any, *, stream: Any = None) -> Any:
    """Returns the place of the largest element of each row of ``a``, of int64: of the first
    one, or of the first NaN.

    Elements are of float16, bfloat16 or float32. Does not wait.
    """
    return ARGMAX(stream, (), a, None)


TOPK = Function("topk", program, {"a": MATRIX, "values": TOP, "indices": TOP_INDICES}, 2,
                keeps=False, parameters={"kind": "topk"})
ARGMAX = Function("argmax", program, {"a": MATRIX, "indices": INDICES}, keeps=False,
                  parameters={"kind": "argmax"})


@kernel
def topk_rows(a: Tensor, values: Tensor, count: Int32, indices: Tensor, plan: Constexpr) -> None:
    """Writes the largest elements of each row, and their places."""
    row = _rows.begin(plan, a, 1)
    slots = make_slots()
    if _rows.fits(plan, a):
        take(row, a, slots, count, values, indices, True)
    else:
        take(row, a, slots, count, values, indices, False)


@kernel
def argmax_rows(a: Tensor, indices: Tensor, plan: Constexpr) -> None:
    """Writes the place of the largest element of each row."""
    row = _rows.begin(plan, a, 1)
    top = largest_of_row(row, of_memory(row, a, None), make_slots(), 0)
    if (row.t == 0) & (row.extent > 0):
        indices[row.number] = Int64(place_of(top))


def make_slots() -> Tensor:
    """Returns room for two keys of each warp."""
    return make_tensor(_allocate(Uint64, 2 * _rows.MOST_WARPS, 16),
                       core.make_layout((_rows.MOST_WARPS, 2)))


@function
def take(row: Any, a: Tensor, slots: Tensor, count: Any, values: Tensor, indices: Tensor,
         fits: bool) -> None:
    """Writes the largest elements of a row, one after the other."""
    x = _access.load(row.part(row.of(a)), row.exist(), "-inf") if fits else None
    mine = largest(row, a, x, None)
    for i in range_(0, count):
        top = largest_of_row(row, mine, slots, i % 2)
        if (row.t == 0) & (row.extent > 0):
            place = place_of(top)
            indices[row.number, i] = Int64(place)
            values[row.number, i] = a[row.number, place]
        if (mine == top) & (i + 1 < count):
            mine = largest(row, a, x, top)


# ---- Keys -------------------------------------------------------------------


def key_of(x: Any, place: Any) -> Any:
    """Returns the keys of elements of Float32, numbers or a vector, at places."""
    bits = (x + 0.0).bitcast(Uint32)  # without -0
    is_negative = bits >= Uint32(1 << 31)
    ordered = where(is_negative, ~bits, bits | Uint32(1 << 31))
    is_nan = (bits & Uint32(0x7FFFFFFF)) > Uint32(0x7F800000)
    ordered = where(is_nan, Uint32(0xFFFFFFFF), ordered)
    return ordered.to(Uint64) * Uint64(1 << 32) + (~place).to(Uint64)


def place_of(key: Any) -> Any:
    """Returns the place of the element with a key."""
    return Int32(~Uint32(key & Uint64((1 << 32) - 1)))


def largest(row: Any, a: Tensor, x: Any, below: Any) -> Any:
    """Returns the largest key of the thread's elements, or of those below another; 0 if there
    is none.

    :param x: the elements, if the row fits
    """
    return of_memory(row, a, below) if x is None else of_vector(row, x, 0, row.extent, below)


@function
def of_memory(row: Any, a: Tensor, below: Any) -> Any:
    """Returns the largest key of any row."""
    found = Uint64(0)
    inside, before = row.inside(a)
    has_edge, column = row.edge(inside, before)
    if has_edge:
        key = key_of(Float32(a[row.number, column]), Uint32(column))
        found = key if below is None else where(key < below, key, Uint64(0))
    for i in inside.rounds():
        x = _access.load(inside.part(a, i), inside.exist(i), "-inf")
        column, end = before + i * row.plan.length, before + inside.extent
        found = larger(found, of_vector(row, x, column, end, below))
    return found


def of_vector(row: Any, x: Any, column: Any, end: Any, below: Any) -> Any:
    """Returns the largest key of elements from a column on, before column ``end``."""
    plan = row.plan
    step = plan.piece * plan.threads
    places = [e + step * p for p in range(plan.pieces) for e in range(plan.piece)]
    first = Uint32(row.t * plan.piece + column)
    places = vector_of([Uint32(n) for n in places], Uint32).reshape(x.shape) + first
    f = x.to(Float32)
    if below is None:
        return first_largest(f, Float32(x.reduce(ReductionOp.MAX, -math.inf, 0)), places, end)
    keys = key_of(f, places)
    keys = where((keys < below) & (places < Uint32(end)), keys, Uint64(0))
    return keys.reduce(ReductionOp.MAX, Uint64(0), 0)


def first_largest(x: Any, most: Any, places: Any, end: Any) -> Any:
    """Returns the key of the first element that is the largest, or of the first NaN."""
    is_found = (x >= most) | (x != x)
    place = where(is_found, places, Uint32(0xFFFFFFFF)).reduce(
        ReductionOp.MIN, Uint32(0xFFFFFFFF), 0)
    return where(place < Uint32(end), key_of(most, place), Uint64(0))


def larger(a: Any, b: Any) -> Any:
    """Returns the larger of two keys."""
    return where(a > b, a, b)


@function
def largest_of_row(row: Any, key: Any, slots: Tensor, which: Any) -> Any:
    """Returns the largest key of the threads of a row.

    :param which: of two slots for the keys of warps, in turns
    """
    threads = row.plan.threads
    if threads <= _rows.WARP:
        return _access.across("maxui", key, threads if threads < _rows.WARP else 0)
    of_warp = _access.across("maxui", key)
    if row.local % _rows.WARP == 0:
        slots[row.local // _rows.WARP, which] = of_warp
    arch.sync_threads()
    warp = row.local % _rows.MOST_WARPS
    one = slots[warp, which]
    return _access.across("maxui", one if warp < row.plan.warps else Uint64(0),
                          _rows.MOST_WARPS)
