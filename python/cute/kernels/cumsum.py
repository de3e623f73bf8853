"""Sums of the elements of each row up to each of them, in float32: B[m,n] = sum over k <= n of
A[m,k].

A row is read once and written once, as many elements at a time as a block has registers for. A
thread has pieces of 16 bytes; the threads of a row take one each in turn. So what is
before a piece is the sum of the pieces of earlier turns, of the same turn in earlier warps, and in
earlier lanes. Rows that do not begin and end at 16 bytes have pieces of one element.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping

from .. import arch
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float32, Int32, Uint32
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import vector_of
from . import _access, _rows
from ._program import Program, function
from ._row_calls import MATRIX, Function


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made = Program(values["name"])
    for plan in _rows.plans(values):
        _rows.add(made, values["name"], plan, cumsum_rows, plan.matrix, plan.matrix)
    return made


def cumsum(a: Any, out: Any = None, *, stream: Any = None) -> Any:
    """Returns the sums of ``a`` along its last mode, which is contiguous, up to each element.

    Elements are of float16, bfloat16 or float32, sums in float32. ``out`` is written if it is
    given, and may be ``a``. Does not wait.
    """
    return CUMSUM(stream, (), a, out)


CUMSUM = Function("cumsum", program, {"a": MATRIX, "out": MATRIX}, keeps=False)


@kernel
def cumsum_rows(a: Tensor, b: Tensor, plan: Constexpr) -> None:
    """Writes the sums of the rows of ``a`` to the rows of ``b``."""
    row = _rows.begin(plan, a, 2 * plan.pieces)
    if _rows.is_aligned(plan, a, b):
        by_pieces(row, a, b)
    else:
        by_elements(row, a, b)


@function
def by_pieces(row: Any, a: Tensor, b: Tensor) -> None:
    """For a row that begins and ends at multiples of 16 bytes."""
    from_a, to_b, carry = row.of(a), row.of(b), Float32(0.0)
    whole = dataclasses.replace(row, extent=row.columns)
    for i in whole.rounds():
        exist = row.exist(i)
        x = _access.load(row.part(from_a, i), exist).to(Float32)
        pieces = [sums_of(x[None, p].to_elements()) for p in range(row.plan.pieces)]
        ahead, total = before(row, [piece[-1] for piece in pieces], i % 2)
        sums = [y + (carry + less) for piece, less in zip(pieces, ahead) for y in piece]
        _access.store(vector_of(sums, Float32).reshape(x.shape), row.part(to_b, i), exist)
        carry = carry + total


@function
def by_elements(row: Any, a: Tensor, b: Tensor) -> None:
    """For any row."""
    carry, threads = Float32(0.0), row.plan.threads
    for i in range_(0, Int32(_access.ceil_div(Uint32(row.columns), threads))):
        column, x = i * threads + row.t, Float32(0.0)
        if column < row.extent:
            x = Float32(a[row.number, column])
        (ahead,), total = before(row, [x], i % 2)
        if column < row.extent:
            b[row.number, column] = x + (carry + ahead)
        carry = carry + total


def sums_of(numbers: Any) -> Any:
    """Returns the sums of numbers up to each."""
    found = [numbers[0]]
    for x in numbers[1:]:
        found.append(found[-1] + x)
    return found


def before(row: Any, pieces: Any, which: Any) -> Any:
    """Returns the sum of what a round has before each of the thread's pieces, and of the round.

    :param pieces: the sum of each
    :param which: of two places for the sums of warps, in turns
    """
    threads = min(row.plan.threads, _rows.WARP)
    lane, place = arch.lane_idx(), row.t % threads
    scanned = [scan(x, place, threads) for x in pieces]
    ahead = [previous(x, place, 1) for x in scanned]
    last = lane - place + (threads - 1)
    if row.plan.threads <= _rows.WARP:
        totals = sums_of([arch.shuffle_sync(x, last) for x in scanned])
        return [x + y for x, y in zip(ahead, [Float32(0.0), *totals])], totals[-1]
    warps, total = before_warps(row, lane, scanned, which * len(pieces))
    return [x + y for x, y in zip(ahead, warps)], total


def before_warps(row: Any, lane: Any, scanned: Any, first: Any) -> Any:
    """Returns the sum of what is before the warp of each of the pieces, and of all.

    The sums of warps lie one after the other, in the order of what they are sums of; a lane has
    as many as make a warp's.
    """
    warp, count = row.local // _rows.WARP, _rows.MOST_WARPS * len(scanned)
    keep(row, lane, warp, scanned, first)
    arch.sync_threads()
    of_lane = -(-count // _rows.WARP)
    sums = make_tensor(row.slots[None, first].iterator, count)
    mine = []
    for i in range(of_lane):
        number = lane * of_lane + i
        exists = (number < count) & (number % _rows.MOST_WARPS < row.plan.warps)
        mine.append(_rows.choose(exists, sums[number % count], Float32(0.0)))
    mine = sums_of(mine)
    scanned_lanes = scan(mine[-1], lane, _rows.WARP)
    ahead = [previous(scanned_lanes, lane, 1)]
    ahead += [ahead[0] + x for x in mine[:-1]]
    chosen = ahead[0]
    for i in range(1, of_lane):
        chosen = _rows.choose(warp % of_lane == i, ahead[i], chosen)
    found = []
    for first_warp in range(0, count, _rows.MOST_WARPS):
        found.append(arch.shuffle_sync(chosen, (first_warp + warp) // of_lane))
    return found, arch.shuffle_sync(scanned_lanes, _rows.WARP - 1)


@jit
def keep(row: Any, lane: Any, warp: Any, scanned: Any, first: Any) -> None:
    """Keeps the sums of a warp for others."""
    if lane == _rows.WARP - 1:
        for i, x in enumerate(scanned):
            row.slots[warp, first + i] = x


def scan(x: Any, place: Any, lanes: int) -> Any:
    """Returns the sum of the lanes of a group up to the own."""
    step = 1
    while step < lanes:
        x, step = x + previous(x, place, step), 2 * step
    return x


def previous(x: Any, place: Any, step: int) -> Any:
    """Returns the value of the lane this many before, 0 if the group has none."""
    return _rows.choose(place >= step, arch.shuffle_sync_up(x, step), Float32(0.0))
