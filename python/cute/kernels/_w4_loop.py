"""The loop over K of products with weights of 4 bits.

All of a block's operands come by cp.async into rings of shared memory, so that enough bytes are under
way in each multiprocessor:

- a lane reads only the words of weights that it fetched, for which no barrier is needed; words of
  a later turn are fetched into their place as soon as they are in registers;
- of A a lane needs 8 neighbours of a row at a time, which the warps that share columns of K fetch for each
  other; they meet once a turn;
- the warps of a block, and the blocks of a cluster, that share K leave their sums in shared memory, where
  they are added up in order.
"""

from __future__ import annotations

from typing import Any

from .. import arch, core
from .._compile.jit import jit
from .._frontend.control import const_expr, minimum, range_constexpr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float32, Int32, Int64, Uint32
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from ..nvgpu import warp as _warp
from . import _access, _rows
from ._w4_weights import TYPES, WARP, Plan, Weights, pieces_of

COPY = "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"


@jit
def multiply(plan: Plan, a: Tensor, w: Tensor, scales: Tensor, zeros: Any, out: Tensor) -> None:
    """Writes the product of some rows of A and of W."""
    place = Place(plan, a, w, out)
    thread, _, _ = arch.thread_idx()
    weights = Weights(plan, w, scales, zeros, thread % WARP)
    memory = _allocate(Int32, plan.words, 128)
    rings = Rings(plan, place, memory, a, weights)
    op = _warp.MmaF16BF16Op(TYPES[plan.type], Float32, (16, 8, 16))
    mma = core.make_tiled_mma(op, core.make_layout((1, 1, 1)), (16, 8, 16))
    total = core.make_rmem_tensor(
        core.make_layout(((2, 2), 1, plan.columns, plan.tiles)), Float32)
    _access.clear(total)
    for turn in range_constexpr(plan.stages):
        rings.begin(turn)
    queue = [rings.beside(0, i) for i in range(plan.ahead)]
    for turn in range_(0, place.turns()):
        queue = (add_scaled if plan.is_scaled else add)(plan, mma, rings, turn, queue, total)
    arch.cp_async_wait_all()
    arch.sync_threads()
    store(plan, place, total, memory, out)


class Place:
    """A warp's place in the product."""

    def __init__(self, plan: Plan, a: Tensor, w: Tensor, out: Tensor):
        block, of_a, _ = arch.block_idx()
        thread, _, _ = arch.thread_idx()
        warp = Uint32(arch.make_warp_uniform(thread // WARP))
        self.plan, self.lane = plan, thread % WARP
        self.block, self.rank = Int32(Uint32(block) // plan.splits), Int32(Uint32(block) % plan.splits)
        self.across, self.along = Int32(warp % plan.across), Int32(warp // plan.across)
        self.first, self.rows = of_a * plan.rows, Int32(a.shape[0])
        self.units = Int32(Uint32(w.shape[1]) // plan.steps)
        last = Int32(w.shape[0]) - 1
        self.tile = minimum((self.block * plan.across + self.across) * plan.tiles, last)
        self.others = last - self.tile

    def turns(self) -> Any:
        """Returns how many turns the warp has."""
        stride = self.plan.along * self.plan.splits
        return Int32(Uint32(self.units - self.unit(0) + (stride - 1)) // stride)

    def unit(self, turn: Any) -> Any:
        """Returns which of the units of K the warp has in a turn."""
        return (turn * self.plan.splits + self.rank) * self.plan.along + self.along

    def near(self, i: int) -> Any:
        """Returns how many tiles of W after the warp's first one i is, the last one for all behind it."""
        return Uint32(minimum(Int32(i), _access.anew(self.others))) if i else Uint32(0)

    def meet(self) -> None:
        """Waits for the warps that share columns of K."""
        if self.plan.along == 1:
            arch.sync_threads()
        elif self.plan.across > 1:
            arch.barrier(barrier_id=self.along + 1, number_of_threads=WARP * self.plan.across)


class Rings:
    """Operands in shared memory, and on the way there."""

    def __init__(self, plan: Plan, place: Place, memory: Any, a: Tensor, weights: Weights):
        self.plan, self.place, self.weights = plan, place, weights
        self.dtype = TYPES[plan.type]
        thread, _, _ = arch.thread_idx()
        lane, count = 4 * WARP, plan.tiles * plan.steps
        self.words = make_tensor(memory, core.make_layout(
            (4, plan.steps, plan.tiles, plan.stages, WARP, plan.warps),
            stride=(1, lane, lane * plan.steps, lane * count, 4, lane * count * plan.stages)))[
                None, None, None, None, thread % WARP, thread // WARP]
        first = core.recast_ptr(memory + plan.ring[0], dtype=self.dtype)
        self.pieces = make_tensor(first, core.make_layout(
            (8, plan.pieces, plan.stages + 1, WARP, plan.along),
            stride=(1, 2 * lane, 2 * lane * plan.pieces, 8,
                    2 * lane * plan.pieces * (plan.stages + 1))))[
                        None, None, None, thread % WARP, place.along]
        self.from_w = Apart(weights.words[None, place.lane, 0, place.tile].iterator, weights.words.stride[3])
        self.tables = [table and [
            Apart(table[place.tile * 16 + place.lane // 4 + 8 * h, None].iterator, table.stride[0] * 16)
            for h in range(2)] for table in (weights.scales, weights.zeros)]
        self.a = pieces_of(a)[None, place.lane % 4, None, None, None]
        self.own = [self._own(i) for i in range(-(-plan.pieces // plan.across))]

    def _own(self, i: int) -> Any:
        """Returns one of the pieces that the warp fetches: its number, row and half, and which step."""
        number = Uint32(self.place.across + i * self.plan.across)
        n, part = number // (2 * self.plan.steps), number % (2 * self.plan.steps)
        row = minimum(self.place.first + Int32(n) * 8 + self.place.lane // 4, self.place.rows - 1)
        return Int32(number), row, Int32(part % 2), Int32(part // 2)

    def begin(self, turn: Any) -> None:
        """Begins to fetch what a turn needs."""
        for tile in range(self.plan.tiles):
            if tile == 0:
                self.fetch_a(turn)
            self.fetch(turn, tile)
            if tile == self.plan.tiles - 1 or not self.plan.is_scaled:
                arch.cp_async_commit_group()

    def fetch(self, turn: Any, tile: int) -> None:
        """Begins to fetch a tile's words for a turn, if there is one."""
        unit, copy = self.place.unit(turn), _access.copy_atom(COPY, Int32)
        exists = _access.below(make_tensor(unit, core.make_layout(1)), self.place.units)
        source = self.from_w.at(self.place.near(tile), unit * (4 * WARP * self.plan.steps), 4)
        for s in range(self.plan.steps):
            core.copy(copy, make_tensor(source + s * 4 * WARP, core.make_layout((4, 1))),
                      single(self.words[None, s, tile, turn % self.plan.stages]), pred=exists)

    def fetch_a(self, turn: Any) -> None:
        """Begins to fetch the warp's pieces of A for a turn, if there is one."""
        unit, copy = self.place.unit(turn), _access.copy_atom(COPY, self.dtype)
        stage = turn % (self.plan.stages + 1)
        for number, row, half, s in self.own:
            there = _rows.choose(number < self.plan.pieces, unit, self.place.units)
            exists = _access.below(make_tensor(there, core.make_layout(1)), self.place.units)
            source = self.a[None, half, unit * self.plan.steps + s, row]
            core.copy(copy, single(source), single(self.pieces[None, number, stage]), pred=exists)

    def wait(self) -> None:
        """Waits for the oldest that was begun."""
        each = 1 if self.plan.is_scaled else self.plan.tiles
        arch.cp_async_wait_group(each * self.plan.stages - 1)

    def read(self, turn: Any, tile: int) -> Any:
        """Returns a tile's words of a turn, of each step."""
        found = []
        for s in range(self.plan.steps):
            words = core.make_rmem_tensor(4, Int32)
            words.store(self.words[None, s, tile, turn % self.plan.stages].load())
            found.append([Uint32(words[i]) for i in range(4)])
        return found

    def read_a(self, turn: Any, parts: Any) -> Tensor:
        """Returns some halves of the steps of a turn as operand B."""
        columns, stage = self.plan.columns, turn % (self.plan.stages + 1)
        b = core.make_rmem_tensor(core.make_layout(
            ((2, 2), columns, (2, len(parts))), stride=((1, 2), 8, (4, 8 * columns))), self.dtype)
        for place, part in enumerate(parts):
            for n in range(columns):
                piece = self.pieces[None, n * 2 * self.plan.steps + part, stage].load()
                to = b[((None, None), n, (None, place))]
                make_tensor(to.iterator, core.make_layout(8)).store(piece)
        return b

    def beside(self, turn: Any, item: int) -> Any:
        """Returns scales and zeros of a tile, so many after the first of a turn."""
        later, tile = divmod(item, self.plan.tiles)
        unit = minimum(self.place.unit(turn + later), self.place.units - 1)
        near, found = self.place.near(tile), []
        for rows, table in zip(self.tables, (self.weights.scales, self.weights.zeros)):
            found.append(rows and [[
                row.at(near, self.weights.column(unit, half) * Int32(table.stride[1])).load()
                for row in rows] for half in range(self.plan.halves)])
        return found


class Apart:
    """A lane's part of its warp's tiles of W, which are so many elements apart."""

    def __init__(self, first: Any, apart: Any):
        self.first, self.apart = first, Uint32(apart)

    def at(self, tile: Any, offset: Any, divby: int = 1) -> Any:
        """Returns where elements of a tile begin."""
        found = Int64(tile * self.apart + Uint32(offset))
        return self.first + (core.assume(found, divby=divby) if divby > 1 else found)


def single(x: Tensor) -> Tensor:
    """Returns the same elements as (elements, 1), for a copy of all at once."""
    return make_tensor(x.iterator, core.make_layout((core.size(x.layout), 1)))


def add(plan: Plan, mma: Any, rings: Rings, turn: Any, queue: Any, total: Tensor) -> Any:
    """Adds the products of a turn, times the scales of their groups; returns the queue of scales.

    Words come tile by tile, and words of a later turn take their place.
    """
    b = None
    for i in range(plan.tiles):
        rings.wait()
        if i == 0:
            rings.place.meet()
            b = rings.read_a(turn, range(2 * plan.steps))
            rings.fetch_a(turn + plan.stages)
        words = rings.read(turn, i)
        rings.fetch(turn + plan.stages, i)
        arch.cp_async_commit_group()
        beside = queue[0]
        queue = [*queue[1:], rings.beside(turn, i + plan.ahead)]
        for half in range(plan.halves):
            blocks = range(half * 2, half * 2 + 2) if plan.halves == 2 else range(4 * plan.steps)
            sums = core.make_rmem_tensor(core.make_layout(((2, 2), 1, plan.columns)), Float32)
            _access.clear(sums)
            for j in blocks:
                a = operand(plan)
                rings.weights.number(beside, words[j // 4][j % 4], half, a[None, 0])
                core.gemm(mma, sums, a, b[None, None, (j % 2, j // 2)], sums)
            for h in range(2):
                to = total[((None, h), 0, None, i)]
                scale = beside[0][half][h].to(Float32)
                to.store(to.load() + sums[((None, h), 0, None)].load() * scale)
    return queue


def add_scaled(plan: Plan, mma: Any, rings: Rings, turn: Any, queue: Any, total: Tensor) -> Any:
    """Adds the products of a turn, of weights times their scales; returns the queue of scales."""
    rings.wait()
    rings.place.meet()
    words = [rings.read(turn, i) for i in range(plan.tiles)]
    rings.begin(turn + plan.stages)
    later = [rings.beside(turn + 1, i) for i in range(plan.tiles)]
    for part in range(2 * plan.steps):
        b = rings.read_a(turn, [part])
        for i in range(plan.tiles):
            for j in range(2):
                a = operand(plan)
                word = words[i][part // 2][part % 2 * 2 + j]
                rings.weights.number(queue[i], word, part % 2, a[None, 0])
                sums = total[None, None, None, i]
                core.gemm(mma, sums, a, b[None, None, (j, 0)], sums)
    return later


def operand(plan: Plan) -> Tensor:
    """Returns room for an operand A."""
    return core.make_rmem_tensor(core.make_layout(((2, 2, 2), 1)), TYPES[plan.type])


# ---- Sums -------------------------------------------------------------------


@jit
def store(plan: Plan, place: Place, total: Tensor, memory: Any, out: Tensor) -> None:
    """Adds the sums of all warps that share K, and of all blocks, and writes them."""
    thread, _, _ = arch.thread_idx()
    shared = make_tensor(core.recast_ptr(memory, dtype=Float32), core.make_layout(
        (plan.height, plan.rows, plan.along),
        stride=(1, plan.pitch, plan.rows * plan.pitch)))
    for i in range_constexpr(plan.tiles):
        for n in range_constexpr(plan.columns):
            for h in range_constexpr(2):
                for c in range_constexpr(2):
                    row = 16 * (place.across * plan.tiles + i) + 8 * h + place.lane // 4
                    shared[row, 8 * n + place.lane % 4 * 2 + c, place.along] = total[((c, h), 0, n, i)]
    arch.sync_threads()
    threads, size = WARP * plan.warps, plan.height * plan.rows
    if const_expr(plan.splits == 1):
        for at in range_(thread, size, threads):
            write(plan, place, out, at, sum_of_warps(plan, shared, at))
    else:
        for at in range_(thread, size, threads):
            shared[at % plan.height, at // plan.height, 0] = sum_of_warps(plan, shared, at)
        arch.cluster_arrive()
        arch.cluster_wait()
        for at in range_(place.rank * threads + thread, size, threads * plan.splits):
            write(plan, place, out, at, sum_of_blocks(plan, shared, at))
        arch.cluster_arrive()
        arch.cluster_wait()


def sum_of_warps(plan: Plan, shared: Tensor, at: Any) -> Any:
    """Returns the sum over a block's warps of an element."""
    value = Float32(0.0)
    for i in range(plan.along):
        value = value + shared[at % plan.height, at // plan.height, i]
    return value


def sum_of_blocks(plan: Plan, shared: Tensor, at: Any) -> Any:
    """Returns the sum over a cluster's blocks of an element."""
    cell = shared[None, at // plan.height, 0].iterator + at % plan.height
    value = Float32(0.0)
    for i in range(plan.splits):
        value = value + arch.map_dsmem_ptr(cell, i).load()
    return value


@jit
def write(plan: Plan, place: Place, out: Tensor, at: Any, value: Any) -> None:
    """Writes an element that there is."""
    m, n = place.first + at // plan.height, place.block * plan.height + at % plan.height
    if m < place.rows and n < Int32(out.shape[1]):
        out[m, n] = value.to(out.element_type)
