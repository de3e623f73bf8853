"""Which rows a block of a plain product has, if they are in groups, and the scales of its tiles."""

from __future__ import annotations

import math
from typing import Any, Sequence

from .. import core
from .._compile.arguments import Constexpr
from .._compile.jit import jit
from .._values.numeric import Float32, Int32, Uint32, maximum, minimum
from .._values.tensor import Tensor
from . import _access


ROWS = 8  # of a group's tiles that blocks go through column by column


class Group:
    """The group of a block's tile: its number, which tile along the rows it is, whether it has rows,
    and, if groups do not begin at tiles, where the rows of the group start and end, and which tile
    along the columns it is."""

    def __init__(self, number: Any, tile: Any, is_there: Any, start: Any = None, end: Any = None,
                 column: Any = None):
        self.number, self.tile, self.is_there, self.end = number, tile, is_there, end
        self.origin, self.column = None if start is None else (start, 0), column

    @jit
    def rounds(self, tiles: Any) -> Any:
        """Returns how many of the tiles along K the block adds up."""
        return tiles if self.is_there else Int32(0)


def group_of(plan: Any, arguments: Sequence[Any], x: Any, batch: Any) -> Any:
    """Returns the group of a block, if rows are in groups. A block without rows has a tile beyond
    the last one, or rows from 0 to 0: it stores nothing."""
    if not plan.groups:
        return None
    numbers = arguments[plan.inputs]
    if plan.groups == "ends":
        return group_of_tile(plan, numbers, arguments[0].shape[0], arguments[-1].shape[1], x)
    beyond = _access.ceil_div(Uint32(arguments[-1].shape[0]), plan.bm)
    first = x * plan.bm
    if plan.groups == "counts":
        is_there = first < numbers[batch]
        return Group(batch, chosen(is_there, x, Int32(beyond)), is_there)
    number = numbers[first]
    is_there = Uint32(number) < Uint32(arguments[1].shape[2])
    return Group(chosen(is_there, number, Int32(0)), chosen(is_there, x, Int32(beyond)), is_there)


def group_of_tile(plan: Any, ends: Tensor, rows: Any, columns: Any, x: Any) -> Group:
    """Returns a block's group, for blocks that go through tiles group after group, ``ROWS`` rows
    of tiles at a time, so that the blocks without rows are the last."""
    columns = _access.ceil_div(Uint32(columns), plan.bn)
    of_rows = Uint32(x) // columns
    group, start, end, own = find_group(ends, rows, Int32(of_rows), plan.bm)
    first = Uint32(own) // ROWS * ROWS
    place = (Uint32(own) - first - of_rows) * columns + Uint32(x)
    height = minimum(_access.ceil_div(Uint32(end - start), plan.bm) - first, Uint32(ROWS))
    height = maximum(height, Uint32(1))
    column = place // height
    return Group(group, Int32(first + place - column * height), start < end, start, end, Int32(column))


@jit
def chosen(condition: Any, a: Any, b: Any) -> Any:
    """Returns one of two values."""
    return a if condition else b


@jit
def find_group(ends: Tensor, extent: Any, x: Any, rows: Constexpr) -> Any:
    """Returns the group of tile x along the rows, where it starts and ends, and which of its tiles it
    is.

    :param ends: where the groups end; beyond the extent it is that
    """
    before, first, passed, tiles, row = Int32(0), Int32(0), Int32(0), Int32(0), Int32(0)
    for g in range(Int32(core.size(ends))):
        following = Int32(ends[g])
        tiles = tiles + Int32(_access.ceil_div(Uint32(following - row), rows))
        if Uint32(tiles) <= Uint32(x):
            before, first, passed = before + 1, following, tiles
        row = following
    group = Int32(minimum(Uint32(before), Uint32(core.size(ends) - 1)))
    end = minimum(Uint32(ends[group]), Uint32(extent))
    return group, Int32(minimum(Uint32(first), end)), Int32(end), Int32(x) - passed


class Factors:
    """The factors of a tile's sums, of one tile along K.

    :param at: the tile of D
    """

    def __init__(self, plan: Any, mma: Any, scales: Sequence[Tensor], at: Any, thread: Any):
        self.plan, self.mma, self.thread = plan, mma, thread
        self.rows, self.blocks = scales[::-1] if plan.is_swapped else scales
        self.row, self.column = at[::-1] if plan.is_swapped else at
        self.extent, self.columns = (plan.bn, plan.bm) if plan.is_swapped else (plan.bm, plan.bn)
        self.shared = None
        if plan.has_lines:
            self.shared = _access.allocate(Float32, core.make_layout((self.extent, 1)), 128)
            threads = math.gcd(self.extent, 128)
            self.fetch = core.make_tiled_copy(
                _access.copy_atom("SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>", Float32),
                core.make_layout(((threads, 128 // threads), 1), stride=((1, 0), 0)), (threads, 1))

    def copy(self, k: Any) -> None:
        """Begins to copy the rows' factors to shared memory, where they are contiguous."""
        if self.shared is None:
            return
        part = self.fetch.get_slice(self.thread)
        source, exist = part.predicated_tile_S(self.rows, (self.extent, 1), (self.row, k))
        core.copy(self.fetch, source, part.partition_D(self.shared), pred=exist)

    def load(self, k: Any) -> Any:
        """Returns the factors of the sums, in float32. A thread has as many of rows as it has
        sums in a column."""
        of_block = self.blocks[self.column * self.columns // 128, k]
        places = self._part(core.make_tensor(0, self._layout(1)))
        factors = core.make_rmem_tensor_like(places, Float32)
        if self.shared is not None:
            source = self._part(core.make_tensor(self.shared.iterator, self._layout(1)))
            core.filter_zeros(factors).store(core.filter_zeros(source).load())
            return factors.load() * of_block
        of_rows, first = self.rows[None, k], self.row * self.extent
        pitch = of_rows.stride[0]
        source = self._part(core.make_tensor(of_rows.iterator + first * pitch, self._layout(pitch)))
        exist = _access.below(core.filter_zeros(places), of_rows.shape[0] - first)
        core.filter_zeros(factors).store(_access.load(core.filter_zeros(source), exist))
        return factors.load() * of_block

    def _layout(self, pitch: Any) -> Any:
        """Returns the tile's layout of its rows' factors."""
        stride = (0, pitch) if self.plan.is_swapped else (pitch, 0)
        return core.make_layout((self.plan.bm, self.plan.bn), stride=stride)

    def _part(self, tensor: Tensor) -> Tensor:
        return self.mma.get_slice(self.thread).partition_C(tensor)
