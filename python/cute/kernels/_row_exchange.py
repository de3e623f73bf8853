"""Exchanges of numbers between the warps of a row, one after the other."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._compile.jit import jit
from .._values.numeric import Float32, Int32
from . import _rows


class Exchange:
    """Exchanges of ``count`` numbers, one after the other, as :func:`_rows.send` and :func:`_rows.receive`
    have them. Between blocks barriers count the bytes that come and the warps that have read
    them, where a barrier of the cluster would wait for all that threads have stored."""

    def __init__(self, row: _rows.Row, count: int):
        self.row, self.count, self.room = row, count, row.slots.shape[1] // 2
        _rows.meet(row)

    def send(self, numbers: Any, turn: Any) -> None:
        """Gives numbers of a warp, the same in all its lanes, to all blocks of the row."""
        if self.row.plan.blocks == 1:
            _rows.send(self.row, numbers, turn % 2 * self.room)
        else:
            send_async(self.row, numbers, turn, turn % 2 * self.room)

    def wait(self, turn: Any) -> None:
        """Waits for the numbers of all warps."""
        if self.row.plan.blocks == 1:
            arch.sync_threads()
        else:
            arch.mbarrier_wait(self.row.barriers.iterator + turn % 2, turn // 2 % 2)

    def receive(self, turn: Any) -> Any:
        """Returns the numbers, 0 for warps that do not exist, and the second one of the first warp."""
        self.wait(turn)
        which = turn % 2 * self.room
        found = _rows.received(self.row, which, [Float32(0.0)] * self.count)
        first = self.row.slots[0, which + 1]
        if self.row.plan.blocks > 1:
            tell_read(self.row, turn)
        return found, first

    def end(self, turn: Any) -> None:
        """Waits for the last numbers, and until no block takes part any more."""
        self.wait(turn)
        if self.row.plan.blocks > 1:
            arch.cluster_arrive_relaxed()
            arch.cluster_wait()


@jit
def send_async(row: _rows.Row, numbers: Any, turn: Any, which: Any) -> None:
    """Sends numbers to slots of all blocks, whose barriers count their bytes."""
    lane, warp = row.local % _rows.WARP, row.rank * _rows.MOST_WARPS + row.local // _rows.WARP
    barrier = row.barriers.iterator + turn % 2
    if turn > 1:
        arch.mbarrier_wait(barrier + 2, turn // 2 % 2 ^ 1)
    if row.local == 0:
        arch.mbarrier_arrive_and_expect_tx(
            barrier, 4 * len(numbers) * row.plan.warps * row.plan.blocks)
    if lane < row.plan.blocks:
        for i, number in enumerate(numbers):
            cell = row.slots[None, which + i].iterator + warp
            arch.store_async_dsmem(cell, number.bitcast(Int32), barrier, lane)


@jit
def tell_read(row: _rows.Row, turn: Any) -> None:
    """Says to all blocks that a warp has read what they sent."""
    arch.sync_warp()
    lane = row.local % _rows.WARP
    if lane < row.plan.blocks:
        arch.mbarrier_arrive(row.barriers.iterator + turn % 2 + 2, lane)
