"""Rows of some matrices on their way to shared memory, several for each block.

A thread fetches the pieces that it reads itself, so that no barrier is needed. It goes through a row
twice: the first time it waits for each piece, and after the second time a piece of a later row takes its
place. If the ring has room for two rows, the second is summed up while warps exchange the sums of the
first; of three, where they exchange twice. Otherwise it has room for one row and some pieces of the next.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Iterator

from .. import arch, core
from .._values.numeric import Int32, Uint32
from .._values.tensor import Tensor, make_tensor
from . import _access, _rows


@dataclasses.dataclass(frozen=True)
class Ring:
    """Room for pieces of 16 bytes of each of a thread's rows.

    :param memory: where it begins in shared memory
    :param count: how many pieces of a row fit, of all matrices
    :param at: returns the row of a turn
    :param ahead: how many rows are gone through the first time before one is the second time, if they fit
    """

    row: Any
    memory: Any
    count: int
    at: Callable[[Any], Any]
    matrices: Any
    ahead: int = 1

    @property
    def has_ahead(self) -> bool:
        """Whether the rows that are summed up ahead of one fit, too."""
        return self.count >= (self.ahead + 1) * self.row.plan.pieces

    def fill(self) -> None:
        """Begins to fetch as much as fits."""
        for i in range(self.count):
            self.fetch(0, i)

    def fetch(self, turn: Any, i: int) -> None:
        """Begins to fetch a piece of the row of a turn, or of a later row where i is beyond its
        pieces."""
        later, i = divmod(i, self.row.plan.pieces)
        mine, piece = self.at(turn + later), self.row.plan.piece
        copy = _access.copy_atom("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", self.row.plan.dtype)
        for matrix, to in zip(self.matrices, self.places(turn + later, i)):
            source = make_tensor(mine.part(mine.of(matrix))[None, i].iterator, core.make_layout((piece, 1)))
            core.copy(copy, source, to, pred=mine.exists(i))
        arch.cp_async_commit_group()

    def places(self, turn: Any, i: int) -> list[Tensor]:
        """Returns where a thread has a piece of the row of a turn, of each matrix."""
        plan, several = self.row.plan, len(self.matrices)
        place = Int32(Uint32(turn * plan.pieces) % self.count) + i
        if self.count % plan.pieces:
            place = _rows.choose(place < self.count, place, place - self.count)
        threads, piece = plan.threads // plan.blocks, plan.piece
        room = make_tensor(self.memory, core.make_layout(
            (piece, 1, threads, several, self.count),
            stride=(1, piece, piece, piece * threads, several * piece * threads)))
        return [room[None, None, self.row.local, k, place] for k in range(several)]

    def first_time(self, turn: Any) -> Iterator[Any]:
        """Returns the pieces of a row, one after the other, as registers are too few to read several at
        once. That of the turn before has been gone through twice, but where two fit."""
        later = self.ahead * self.row.plan.pieces if self.has_ahead else 0
        for i in range(self.row.plan.pieces):
            arch.cp_async_wait_group(self.count - later - 1 - i)
            yield self.read(turn, i)

    def second_time(self, turn: Any) -> Iterator[Any]:
        """Returns the same pieces, and has later ones fetched into their places."""
        for i in range(self.row.plan.pieces):
            yield self.read(turn, i)
            self.fetch(turn, i + self.count)

    def read(self, turn: Any, i: int) -> list[Any]:
        """Returns a piece of each matrix."""
        arch.sync_warp()
        return [place[None, 0].load() for place in self.places(turn, i)]
