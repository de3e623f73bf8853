"""The largest elements of each row and their places: ``topk`` for few, and ``argmax``.

An element has a key of 64 bits that orders as it does: its value as an unsigned integer, then
the complement of its place, so that of equal elements the first is the larger, and no two are
equal. A NaN is larger than all numbers. A thread has the largest key of its elements; the
block, or the lanes of a row, find the largest of these keys, and its thread then looks for
its own largest one below. So the row is read from memory once, and what follows costs the
same for each of the k elements. Rows that fit stay in registers; of others a thread reads its
elements again, from the cache, when its largest was taken.

Where a bound is known that k elements or a few more reach, these are gathered and ranked by
counting. The k-th largest of the groups of threads is one, for fewer than there are groups; for
more, in a row that fits, a search bit by bit counts what reaches a value.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Mapping

from .. import arch, core
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import const_expr, range_constexpr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import (BFloat16, Float16, Float32, Int32, Int64, Uint32, Uint64,
                               maximum)
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import ReductionOp, vector_of, where
from . import _access, _rows
from ._program import Program, function
from ._row_calls import INDICES, MATRIX, TOP, TOP_INDICES, Function

GROUPS = 128  # of threads of a row, or about as many
FEW, FEW_GROUPS = 16, 32  # elements for which a bound of so many groups is near enough
BITS = {Float16: 19, BFloat16: 16, Float32: 32}  # the first of a number of Float32
ROOM = 512  # keys of a row for which a block has room, or fewer


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made = Program(values["name"])
    for plan in _rows.plans(values):
        if values["kind"] == "argmax":
            _rows.add(made, values["name"], plan, argmax_rows, plan.matrix, plan.column(Int64))
            continue
        few, places = (f'!cute.tensor<{t.ir_name}, gmem, align<{t.width // 8}>, "(?,?):(?{{i64}},1)">'
                       for t in (plan.dtype, Int64))
        threads = 768 if _rows.WARP < plan.threads < _rows.MOST_WARPS * _rows.WARP else 1024
        _rows.add(made, values["name"], plan, topk_rows, plan.matrix, few, Int32, places,
                  resident=threads // (plan.rows * plan.threads))
    return made


def topk(a: Any, k: int, *, stream: Any = None) -> Any:
    """Returns the k largest elements of each row of ``a``, in falling order, and their places,
    of int64.

    Elements are of float16, bfloat16 or float32. Among equal ones the first counts as the larger,
    and NaN as larger than all. Efficient for up to 128 elements of rows up to 1024, up to 512 of
    rows up to 16384, and 48 of longer ones; beyond that, each takes one step of the block. Does
    not wait.
    """
    return TOPK(stream, (int(k),), a, None, None)


def argmax(a: Any, *, stream: Any = None) -> Any:
    """Returns the index of the largest element of each row of ``a``, as int64: the first
    one, or the first NaN.

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
    row = _rows.begin(plan, a, 2)
    slots = make_slots()
    bounds = make_bounds(row)
    if _rows.fits(plan, a):
        largest_rows(row, a, bounds, slots, count, values, indices, True)
    else:
        largest_rows(row, a, bounds, slots, count, values, indices, False)


@function
def largest_rows(row: Any, a: Tensor, bounds: Any, slots: Tensor, count: Any, values: Tensor,
                 indices: Tensor, fits: bool) -> None:
    """Writes the largest elements of a row: by a bound, or in turns."""
    x = _access.load(row.part(row.of(a)), row.exist(), "-inf") if fits else None
    mine = largest(row, a, x, None)
    is_over = count > (bounds.room if fits else bounds.most)
    if not is_over:
        is_over = by_bound(row, a, x, mine, bounds, count, values, indices)
    if is_over:
        take(row, a, x, mine, slots, count, values, indices)


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


@jit
def take(row: Any, a: Tensor, x: Any, mine: Any, slots: Tensor, count: Any, values: Tensor,
         indices: Tensor) -> None:
    """Writes the largest elements of a row, one after the other."""
    for i in range_(0, count):
        top = largest_of_row(row, mine, slots, i % 2)
        if (row.t == 0) & (row.extent > 0):
            write(row, a, top, i, values, indices)
        if (mine == top) & (i + 1 < count):
            mine = largest(row, a, x, top)


def write(row: Any, a: Tensor, key: Any, i: Any, values: Tensor, indices: Tensor) -> None:
    """Writes element i of a row's result."""
    place = place_of(key)
    indices[row.number, i] = Int64(place)
    values[row.number, i] = a[row.number, place]


# ---- By a bound -------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Bounds:
    """Shared memory to find the elements of a row that reach a bound."""

    lanes: int  # neighbouring threads of a group
    of_groups: Tensor  # the largest key of each group of the row
    bound: Tensor  # one key
    keys: Tensor  # the keys that reach it
    count: Tensor  # how many of them there are
    counts: Tensor  # of all rows of the block

    @property
    def most(self) -> int:
        """The most elements of a row that are found so."""
        return core.size(self.of_groups) * 3 // 4

    @property
    def lanes_for_few(self) -> int:
        """Neighbouring threads of a group where few elements are asked for."""
        return lanes_of(core.size(self.of_groups) * self.lanes, FEW_GROUPS)

    @property
    def room(self) -> int:
        """Keys for which there is room."""
        return core.size(self.keys)


def make_bounds(row: Any) -> Bounds:
    """Returns the shared memory for a block's rows."""
    plan = row.plan
    lanes = lanes_of(plan.threads, GROUPS)
    thread, _, _ = arch.thread_idx()
    number = Int32(Uint32(thread) // plan.threads)
    counts = make_tensor(_allocate(Int32, plan.rows, 16), core.make_layout((1, plan.rows)))
    room = ROOM if plan.rows == 1 else ROOM // 4
    keys = [make_tensor(_allocate(Uint64, plan.rows * n, 16), core.make_layout((n, plan.rows)))
            for n in (plan.threads // lanes, 1, room)]
    return Bounds(lanes, *[x[None, number] for x in (*keys, counts)], counts)


def lanes_of(threads: int, groups: int) -> int:
    """Returns how many neighbouring threads are in each of so many groups, or fewer: a power of two."""
    return 1 << (-(-threads // groups) - 1).bit_length()


@jit
def by_bound(row: Any, a: Tensor, x: Any, mine: Any, bounds: Any, count: Any, values: Tensor,
             indices: Tensor) -> Any:
    """Writes the largest elements of a row; returns whether there was no room for the keys of
    one of the block's rows."""
    least = Uint64(0)
    if count <= FEW and bounds.lanes_for_few > bounds.lanes:
        least = bound_of(row, mine, bounds, count, bounds.lanes_for_few)
    elif count <= bounds.most:
        least = bound_of(row, mine, bounds, count, bounds.lanes)
    elif const_expr(x is not None):
        least = bound_of_bits(row, x, bounds, count)
    if (mine >= least) & (mine > Uint64(0)):
        keep_all(row, a, x, least, bounds)
    arch.sync_threads()
    most = Int32(0)
    for i in range_constexpr(row.plan.rows):
        most = maximum(most, bounds.counts[0, i])
    is_over = most > bounds.room
    if most <= bounds.room:
        found = bounds.count[0]
        for i in range_(row.t, found, row.plan.threads):
            place = Int32(0)
            for j in range_(0, found):
                place = place + Int32(bounds.keys[j] > bounds.keys[i])
            if place < count:
                write(row, a, bounds.keys[i], place, values, indices)
    return is_over


@jit
def bound_of(row: Any, mine: Any, bounds: Any, count: Any, lanes: Constexpr) -> Any:
    """Returns a key that as many keys of the row reach as are asked for, or all."""
    groups = row.plan.threads // lanes
    lane = Int32(Uint32(row.t) % lanes)
    of_group = _access.across("maxui", mine, lanes) if lanes > 1 else mine
    if lane == 0:
        bounds.of_groups[Int32(Uint32(row.t) // lanes)] = of_group
    if row.t == 0:
        bounds.bound[0] = Uint64(0)
        bounds.count[0] = Int32(0)
    arch.sync_threads()
    before = Int32(0)
    for j in range_(lane, groups, lanes):
        before = before + Int32(bounds.of_groups[j] > of_group)
    before = _access.across("add", before, lanes) if lanes > 1 else before
    if (lane == 0) & (before == count - 1) & (of_group > Uint64(0)):
        bounds.bound[0] = of_group
    arch.sync_threads()
    return bounds.bound[0]


@jit
def bound_of_bits(row: Any, x: Any, bounds: Any, count: Any) -> Any:
    """Returns the largest key, of an element at no place, that as many keys of the row reach as
    are asked for. What the row does not have counts as -inf, which changes no larger bound."""
    if row.t == 0:
        bounds.count[0] = Int32(0)
    arch.sync_threads()
    bits, found = ordered(x.to(Float32)), Uint32(0)
    for i in range_(0, BITS[row.plan.dtype]):
        tried = found + (Uint32(1 << 31) >> Uint32(i))
        reached = where(bits >= tried, Float32(1.0), Float32(0.0)).reduce(ReductionOp.ADD, 0.0, 0)
        reached = _rows.sum_of(row, reached, i % 2)
        found = tried if reached >= Float32(count) else found
    rest = Uint32((1 << (32 - BITS[row.plan.dtype])) - 1)  # ones where an element is negative
    found = found | rest if found < Uint32(1 << 31) else found
    return Uint64(found) * Uint64(1 << 32)


@jit
def keep_all(row: Any, a: Tensor, x: Any, least: Any, bounds: Any) -> None:
    """Keeps the thread's keys that reach the bound."""
    value = value_of(least)
    if x is not None:
        keep_vector(row, a, x, 0, row.extent, least, value, bounds)
    else:
        inside, before = row.inside(a)
        has_edge, column = row.edge(inside, before)
        if has_edge:
            keep(Float32(a[row.number, column]), column, row.extent, least, bounds)
        for i in inside.rounds():
            y = _access.load(inside.part(a, i), inside.exist(i), "-inf")
            column, end = before + i * row.plan.length, before + inside.extent
            keep_vector(row, a, y, column, end, least, value, bounds)


@jit
def keep_vector(row: Any, a: Tensor, x: Any, column: Any, end: Any, least: Any, value: Any, bounds: Any
                ) -> None:
    """Keeps keys of elements from a column on, before column ``end``: first marks the ones whose value is large
    enough; few threads have some."""
    plan, f = row.plan, x.to(Float32).reshape(row.plan.elements).to_elements()
    first, marks = Int32(row.t * plan.piece + column), Uint32(0)
    for i in range_constexpr(plan.elements):
        marks = marks | where(f[i] < value, Uint32(0), Uint32(1 << i))
    while marks != 0:
        i = Uint32(31) - arch.clz(marks)
        marks = marks ^ (Uint32(1) << i)
        place = first + Int32(i % plan.piece + i // plan.piece * (plan.piece * plan.threads))
        if place < end:
            keep(Float32(a[row.number, place]), place, end, least, bounds)


@jit
def keep(f: Any, place: Any, end: Any, least: Any, bounds: Any) -> None:
    """Keeps the key of an element before a place, if it reaches the bound."""
    key = key_of(f, Uint32(place))
    if (key >= least) & (place < end):
        i = arch.atomic_add(bounds.count.iterator, Int32(1), scope="cta")
        if i < bounds.room:
            bounds.keys[i] = key


# ---- Keys -------------------------------------------------------------------


def key_of(x: Any, place: Any) -> Any:
    """Returns the keys of elements of Float32, numbers or a vector, at places."""
    return ordered(x).to(Uint64) * Uint64(1 << 32) + (~place).to(Uint64)


def ordered(x: Any) -> Any:
    """Returns unsigned integers that order as elements of Float32 do."""
    bits = (x + 0.0).bitcast(Uint32)  # without -0
    is_negative = bits >= Uint32(1 << 31)
    found = where(is_negative, ~bits, bits | Uint32(1 << 31))
    is_nan = (bits & Uint32(0x7FFFFFFF)) > Uint32(0x7F800000)
    return where(is_nan, Uint32(0xFFFFFFFF), found)


def place_of(key: Any) -> Any:
    """Returns the place of the element with a key."""
    return Int32(~Uint32(key & Uint64((1 << 32) - 1)))


def value_of(key: Any) -> Any:
    """Returns the element with a key, the least one if there is none."""
    ordered = Uint32(key >> Uint64(32))
    is_positive = ordered >= Uint32(1 << 31)
    bits = where(is_positive, ordered ^ Uint32(1 << 31), ~ordered)
    return where(key == Uint64(0), Float32(-math.inf), bits.bitcast(Float32))


def largest(row: Any, a: Tensor, x: Any, below: Any) -> Any:
    """Returns the largest key of the thread's elements, or of those below another; 0 if there
    is none.

    :param x: the elements, if the row fits
    """
    return of_memory(row, a, below) if x is None else of_vector(row, x, 0, row.extent, below, True)


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
        x = _rows.read_once(inside, a, i)
        column, end = before + i * row.plan.length, before + inside.extent
        found = larger(found, of_vector(row, x, column, end, below))
    return found


def of_vector(row: Any, x: Any, column: Any, end: Any, below: Any, is_late: bool = False) -> Any:
    """Returns the largest key of elements from a column on, before column ``end``.

    :param is_late: whether to add the thread's first place to that of the largest, not to all: faster for a row
        in registers, and slower in a loop
    """
    plan = row.plan
    step = plan.piece * plan.threads
    places = [e + step * p for p in range(plan.pieces) for e in range(plan.piece)]
    first = Uint32(row.t * plan.piece + column)
    places, f = vector_of([Uint32(n) for n in places], Uint32).reshape(x.shape), x.to(Float32)
    if below is None and is_late:
        return first_largest(f, Float32(x.reduce(ReductionOp.MAX, -math.inf, 0)), places, first, end)
    places = places + first
    if below is None:
        return first_largest(f, Float32(x.reduce(ReductionOp.MAX, -math.inf, 0)), places, Uint32(0), end)
    keys = key_of(f, places)
    keys = where((keys < below) & (places < Uint32(end)), keys, Uint64(0))
    return keys.reduce(ReductionOp.MAX, Uint64(0), 0)


def first_largest(x: Any, most: Any, places: Any, first: Any, end: Any) -> Any:
    """Returns the key of the first element that is the largest, or of the first NaN; ``places`` are from
    ``first`` on."""
    is_found = (x >= most) | (x != x)
    place = where(is_found, places, Uint32(0xFFFFFFFF)).reduce(
        ReductionOp.MIN, Uint32(0xFFFFFFFF), 0) + first
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
