"""Stream-K: blocks that share k-tiles evenly instead of tiles of C.

Osama et al., "Stream-K: Work-centric Parallel Decomposition for Dense Matrix-Matrix
Multiplication on the GPU", 2023. Rounds of a tile for each block, as long as more than a
round is left. The k-tiles of the remaining tiles then form one row, tile after tile, and
each block takes a piece of it: from k-tile ``begin`` of its first tile to ``end`` of its
last. That is done first.

A block that has not all of a tile's K leaves its sums in a workspace, which has room for
two tiles of each block, and is counted in counters, two for each block, which hold zeros
before and after. The last one that is counted adds up the tile's sums, in the order of K.
"""

from __future__ import annotations

from typing import Any

from .. import arch, core
from .._frontend.builder import require
from .._frontend.control import maximum, minimum
from .._compile.jit import jit
from .._frontend.loops import LoopRange
from .._values.numeric import Boolean, Int32, Int64, Uint32, Uint64
from .._values.tensor import Tensor
from . import _access
from ._gemm_plan import TYPES, Plan
from ._gemm_tiles import Tile


class Units(LoopRange):
    """A loop whose values stay in it: registers are for the loop over k-tiles."""

    def attributes(self) -> dict[str, str]:
        annotation = "#llvm.loop_annotation<licm = <disable = true>>"
        return {**super().attributes(), "loop_annotation": annotation}


@jit
def place(number: Any, tiles_x: Any, tiles_y: Any, group: int) -> Any:
    """Returns the position of a tile by its number: ``group`` rows of tiles at a time,
    column by column, so that blocks which run together share rows in the L2 cache, or row
    by row."""
    number, tiles_x, tiles_y = Uint32(number), Uint32(tiles_x), Uint32(tiles_y)
    if not group:
        return Int32(number % tiles_x), Int32(number // tiles_x)
    in_group = Uint32(group) * tiles_y
    which, at = number // in_group, number % in_group
    first = which * group
    rows = minimum(tiles_x - first, Uint32(group))
    return Int32(first + at % rows), Int32(at // rows)


class Share:
    """How many tiles there are, and this block's share of them."""

    def __init__(self, plan: Plan, rows: Any, columns: Any, k_tiles: Any):
        self.plan, self.k_tiles = plan, k_tiles
        self.b, _, _ = arch.block_idx()
        self.blocks, _, _ = arch.grid_dim()
        blocks = Uint32(self.blocks)
        self.tiles_x = _access.ceil_div(Uint32(rows), plan.bm)
        self.tiles_y = _access.ceil_div(Uint32(columns), plan.bn)
        tiles = self.tiles_x * self.tiles_y
        rounds = tiles // blocks
        self.rounds = rounds - minimum(rounds, minimum(tiles % blocks, Uint32(1)))
        self.shared = tiles - self.rounds * blocks
        self._cut()

    def _cut(self) -> None:
        """Takes this block's piece of the row of k-tiles."""
        one = Uint64(1)
        self.depth = Uint64(Uint32(self.k_tiles))
        row = Uint64(self.shared) * self.depth
        self.share = maximum(_access.ceil_div(row, Uint64(Uint32(self.blocks))), one)
        begin = minimum(Uint64(Uint32(self.b)) * self.share, row)
        end = minimum(begin + self.share, row)
        last = end - one
        self.first_tile = Int32(begin // self.depth)
        self.begin = Int32(begin % self.depth)
        self.end = Int32(last % self.depth) + 1
        pieces = Int32(last // self.depth) - self.first_tile + 1
        self.pieces = _chosen(begin < end, pieces, Int32(0))
        self.units = self.pieces + Int32(self.rounds)

    def unit(self, unit: Any) -> Any:
        """Returns a unit's tile by number and place, and of its K where it begins and ends."""
        k_begin = _chosen(unit == 0, self.begin, Int32(0))
        k_end = _chosen(unit + 1 == self.pieces, self.end, self.k_tiles)
        in_round = (unit - self.pieces) * self.blocks + self.b
        is_piece = Uint32(unit) < Uint32(self.pieces)
        number = _chosen(is_piece, self.first_tile + unit, Int32(self.shared) + in_round)
        at = place(number, self.tiles_x, self.tiles_y, self.plan.group)
        return number, at, k_begin, k_end


@jit
def _chosen(condition: Any, a: Any, b: Any) -> Any:
    return a if condition else b


class Parts:
    """The parts of the workspace for a tile, as a thread has them."""

    def __init__(self, share: Share, tile: Tile, number: Any, work: Tensor):
        self.share, self.thread, self.work = share, tile.thread, work
        self.number = Uint64(Uint32(number))
        plan = tile.plan
        width = min(128 // plan.sum_bits, plan.count)
        atom = _access.copy_atom(f"UniversalCopy<uint{width * plan.sum_bits}_t>", TYPES[plan.sum])
        self.size = plan.count * plan.threads
        self.copy = core.make_tiled_copy_tv(
            atom, core.make_layout(plan.threads), core.make_layout(width))

    def of(self, block: Any) -> Tensor:
        """Returns a block's part: it has two, for its first tile and for its last."""
        block = Uint64(block)
        first = block * self.share.share // self.share.depth
        which = minimum(self.number - first, Uint64(1))
        at = Int64(block + block + which)
        part = core.local_tile(self.work, (self.size,), (at,))
        return self.copy.get_slice(self.thread).partition_D(part)

    def blocks(self) -> Any:
        """Returns the first and the last block of the tile's."""
        begin = self.number * self.share.depth
        last = begin + self.share.depth - Uint64(1)
        return begin // self.share.share, last // self.share.share


@jit
def complete(share: Share, tile: Tile, unit: Any, sums: Tensor, work: Tensor,
             counters: Tensor) -> Any:
    """Returns whether the tile is now complete in ``sums``."""
    number, k_begin, k_end = unit
    if k_end - k_begin == share.k_tiles:
        done = Boolean(True)
    else:
        done = pass_on(share, tile, number, sums, work, counters)
    return done


@jit
def pass_on(share: Share, tile: Tile, number: Any, sums: Tensor, work: Tensor,
            counters: Tensor) -> Any:
    """Leaves a block's sums, to be seen on the whole device before the counter is. The
    last block of the tile's is the one that sees all the others counted; it adds up all
    parts, in the order of K."""
    plan = tile.plan
    parts = Parts(share, tile, number, work)
    parts.of(Uint64(Uint32(share.b))).store(sums.load())
    arch.sync_threads()
    first, last = parts.blocks()
    pointer = core.recast_ptr(tile.shared[1 - plan.via].iterator, dtype=Int32)
    told = core.make_tensor(pointer, core.make_layout(1, stride=0))
    if tile.thread == 0:
        told[0] = Int32(_count(counters, number, Int32(last - first)))
    arch.sync_threads()
    is_last = told[0] != 0
    if is_last:
        _access.clear(sums)
        for i in range(Int64(first), Int64(last + Uint64(1))):
            values = parts.of(Uint64(i)).load()
            sums.store(sums.load() + values.reshape(sums.shape))
    return is_last


@jit
def _count(counters: Tensor, number: Any, others: Any) -> Any:
    """Counts this block; says whether it is the last, and resets the counter then."""
    builder = require("a counter")
    fence = {"ordering": "6 : i64", "syncscope": '"device"'}
    address = (counters.iterator + number).toint().ir_value()
    pointer = builder.op("llvm.inttoptr", [address], ["!llvm.ptr<1>"])[0]
    builder.op("llvm.fence", [], [], fence)
    counted = builder.op(
        "llvm.atomicrmw", [pointer, Int32(1).ir_value()], ["i32"],
        {"bin_op": "1 : i64", "ordering": "2 : i64", "syncscope": '"device"'})[0]
    builder.op("llvm.fence", [], [], fence)
    sees_all = Int32(counted) == others
    if sees_all:
        counters[number] = Int32(0)
    return sees_all
