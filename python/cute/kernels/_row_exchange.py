"""Exchanges of numbers between the warps of a row, one after the other.

A warp leaves its numbers in shared memory and arrives at a barrier of its block. Where a row has
one block, each warp combines what all have left. In a cluster one warp of each block, another one
each time, combines them and sends what it finds to all blocks, whose barriers count the bytes; each warp
combines what blocks have sent.

A warp sends the numbers of turn t + 1, then receives the numbers of t. When it sends for t + 1, all
warps have sent for t - 1, and before that received for t - 3. So none of four places is written
anew while a warp may read it, and no barrier has to say so.
"""

from __future__ import annotations

import operator
from typing import Any

from .. import arch, core
from .._compile.jit import jit
from .._frontend.control import range_constexpr
from .._values.numeric import Float32, Int32, Int64, Uint32, minimum
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from . import _rows

PLACES = 4  # of the numbers of turns


class Exchange:
    """Exchanges between warps that send the numbers of the next turn before they receive a turn's.

    :param rule: how lanes combine numbers, as :class:`_row_moments.Sums`, ``SumAndLargest`` and ``Moments``:
        ``count`` of them of each warp of a block, and ``combined`` of each block of a cluster
    """

    def __init__(self, row: _rows.Row, rule: Any):
        plan, self.row, self.rule = row.plan, row, rule
        self.left = room(plan.warps, rule.count)
        self.sent = room(plan.blocks, rule.combined) if plan.blocks > 1 else None
        self.barriers = make_tensor(_allocate(Int64, 2 * PLACES, 8), core.make_layout(2 * PLACES))
        begin(row, self.barriers)

    def send(self, sums: Any, turn: Any, last: Any = ()) -> None:
        """Gives the sums over a warp of numbers of its threads, and at most one number ``last`` that is the
        same in all its threads."""
        number = self.rule.of_threads(sums, self.row.local)
        for x in last:
            number = _rows.choose(self.row.local % _rows.WARP == len(sums), x, number)
        leave(self.left[turn % PLACES, None, None], self.barrier(turn, 0), self.row.local, number)
        if self.sent is not None:
            pass_on(self, turn)

    def receive(self, turn: Any) -> Any:
        """Returns the numbers of all warps, combined."""
        arch.mbarrier_wait(*self.phase(turn, 0 if self.sent is None else 1))
        if self.sent is None:
            return self.rule.of_warps(self.numbers(self.left, turn, self.row.plan.warps))
        return self.rule.of_blocks(self.numbers(self.sent, turn, self.row.plan.blocks))

    def end(self, turns: Any) -> None:
        """Waits for what no warp receives any more, before blocks of a cluster end."""
        if self.sent is not None:
            arch.mbarrier_wait(*self.phase(turns, 1))
            arch.cluster_arrive()
            arch.cluster_wait()

    def numbers(self, places: Tensor, turn: Any, count: int) -> Any:
        """Returns for each lane the numbers of a warp or of a block, 0 if there is none."""
        lane = self.row.local % lanes_for(count)
        place = places[turn % PLACES, minimum(lane, Int32(count - 1)), None]
        return [_rows.choose(lane < count, place[i], Float32(0.0)) for i in range(places.shape[2])]

    def barrier(self, turn: Any, level: int) -> Any:
        """Returns a barrier: of level 0 for what warps leave, of level 1 for what blocks send."""
        return self.barriers.iterator + (turn % PLACES + level * PLACES)

    def phase(self, turn: Any, level: int) -> Any:
        """Returns a barrier and the parity of its phase."""
        return self.barrier(turn, level), turn // PLACES % 2


def across_each(numbers: Any, thread: Any, lanes: int = _rows.WARP, join: Any = operator.add) -> Any:
    """Returns in each lane of a warp the sum over its lanes, or groups of them, of
    ``numbers[lane % len(numbers)]``, whose number is a power of two; or what ``join`` makes of two in
    place of the sum. In each step a lane gives away half of its numbers, which takes fewer instructions
    than the sums of all numbers in all lanes."""
    for step in (1 << i for i in range(lanes.bit_length() - 1)):
        given = numbers
        if len(numbers) > 1:
            is_first, pairs = thread // step % 2 == 0, list(zip(numbers[::2], numbers[1::2]))
            given = [_rows.choose(is_first, b, a) for a, b in pairs]
            numbers = [_rows.choose(is_first, a, b) for a, b in pairs]
        numbers = [join(x, arch.shuffle_sync_bfly(y, step)) for x, y in zip(numbers, given)]
    return numbers[0]


def room(rows: int, columns: int) -> Tensor:
    """Returns places in shared memory for numbers of so many warps or blocks."""
    return make_tensor(_allocate(Float32, PLACES * rows * columns, 16), core.make_layout(
        (PLACES, rows, columns), stride=(rows * columns, columns, 1)))


def lanes_for(count: int) -> int:
    """Returns how many lanes combine numbers of so many warps or blocks."""
    return 1 << (count - 1).bit_length()


@jit
def begin(row: _rows.Row, barriers: Tensor) -> None:
    """Makes the barriers, and waits until all blocks have."""
    if row.local == 0:
        for i in range_constexpr(PLACES):
            arch.mbarrier_init(barriers.iterator + i, row.plan.warps)
            arch.mbarrier_init(barriers.iterator + (PLACES + i), row.plan.blocks)
    arch.mbarrier_init_fence()
    if row.plan.blocks == 1:
        arch.sync_threads()
    else:
        arch.cluster_arrive()
        arch.cluster_wait()


@jit
def leave(places: Tensor, barrier: Any, local: Any, number: Any) -> None:
    """Leaves the numbers of a warp's first lanes in its places."""
    lane = local % _rows.WARP
    if lane < places.shape[1]:
        places[local // _rows.WARP, lane] = number
    arch.sync_warp()
    if lane == 0:
        arch.mbarrier_arrive(barrier)


@jit
def pass_on(exchange: Exchange, turn: Any) -> None:
    """Sends all warps' numbers to all blocks, from one warp."""
    row, lane = exchange.row, exchange.row.local % _rows.WARP
    warp = arch.make_warp_uniform(row.local // _rows.WARP)
    if Int32(Uint32(turn) % row.plan.warps) == warp:
        arch.mbarrier_wait(*exchange.phase(turn, 0))
        found = exchange.rule.of_warps(exchange.numbers(exchange.left, turn, row.plan.warps))
        barrier = exchange.barrier(turn, 1)
        arch.sync_warp()
        if lane < row.plan.blocks:
            arch.mbarrier_arrive_and_expect_tx(barrier, 4 * len(found), lane)
            cell = exchange.sent[turn % PLACES, row.rank, None].iterator
            arch.store_async_dsmem(cell, tuple(x.bitcast(Int32) for x in found), barrier, lane)
