"""The loop over K of products with weights of 4 bits, whose operands come from memory to registers.

A block has all of K; its warps take 64 or 128 columns each in turn, and load the next turn's columns before they
multiply. The L2 cache need not keep weights, which are read once: other data stays there. It is faster than the
loop with rings for few rows of A, and few rows of W.
"""

from __future__ import annotations

from typing import Any

from .. import arch, core
from .._compile.jit import jit
from .._frontend.control import minimum
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float32, Int32, Uint32
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from ..nvgpu import warp as _warp
from . import _access
from ._w4_loop import Place, operand as operand_a, store
from ._w4_weights import TYPES, WARP, Plan, Weights, pieces_of


@jit
def multiply(plan: Plan, a: Tensor, w: Tensor, scales: Tensor, zeros: Any, out: Tensor) -> None:
    """Writes the product of some rows of A and of W."""
    place = Place(plan, a, w, out)
    thread, _, _ = arch.thread_idx()
    fetches = Fetches(plan, a, Weights(plan, w, scales, zeros, thread % WARP), place.block, place.first)
    op = _warp.MmaF16BF16Op(TYPES[plan.type], Float32, (16, 8, 16))
    mma = core.make_tiled_mma(op, core.make_layout((1, 1, 1)), (16, 8, 16))
    total = core.make_rmem_tensor(
        core.make_layout(((2, 2), 1, plan.columns, plan.tiles)), Float32)
    _access.clear(total)
    begin = thread // WARP
    loaded = fetches.load(begin)
    for turn in range_(begin, fetches.last + 1, plan.warps):
        later = fetches.load(turn + plan.warps)
        if plan.is_early:
            arch.sync_warp()
        add_turn(plan, mma, fetches.weights, loaded, total)
        loaded = later
    store(plan, place, total, _allocate(Int32, plan.words, 128), out)


class Fetches:
    """Loads of a warp's turns: operands of some tiles of W, and of some rows of A."""

    def __init__(self, plan: Plan, a: Tensor, weights: Weights, block: Any, first: Any):
        self.steps = plan.steps
        self.weights, self.pieces, self.lane = weights, pieces_of(a), weights.lane
        tiles, steps = weights.words.shape[3], weights.words.shape[2]
        self.last = Int32(Uint32(steps) // plan.steps) - 1
        self.tiles = [minimum(block * plan.tiles + i, Int32(tiles) - 1)
                      for i in range(plan.tiles)]
        self.rows = [minimum(first + 8 * n + self.lane // 4, Int32(a.shape[0]) - 1)
                     for n in range(plan.columns)]

    def load(self, turn: Any) -> Any:
        """Returns the operands of a turn, or of the last one after the end."""
        turn = minimum(turn, self.last)
        steps = [turn * self.steps + i for i in range(self.steps)]
        of_w = [([word for step in steps for word in self.weights.load(tile, step)],
                 self.weights.beside(tile, turn)) for tile in self.tiles]
        return of_w, [self.pieces[None, self.lane % 4, u, step, row].load()
                      for row in self.rows for step in steps for u in range(2)]


def add_turn(plan: Plan, mma: Any, weights: Weights, loaded: Any, total: Tensor) -> None:
    """Adds the products of a turn and some tiles of W to their sums, (value, column, tile)."""
    of_w, of_a = loaded
    b = operand_b(plan, of_a)
    share = 4 * plan.steps // plan.halves
    for i, (words, (scales, zeros)) in enumerate(of_w):
        for half in range(plan.halves):
            sums = core.make_rmem_tensor(core.make_layout(((2, 2), 1, plan.columns)), Float32)
            _access.clear(sums)
            for j in range(half * share, (half + 1) * share):
                a = operand_a(plan)
                weights.less_zero(zeros and zeros[half], words[j], a[None, 0])
                core.gemm(mma, sums, a, b[None, None, (j % 2, j // 2)], sums)
            for h in range(2):
                to = total[((None, h), 0, None, i)]
                of_row = sums[((None, h), 0, None)].load()
                to.store(to.load() + of_row * scales[half][h].to(Float32))


def operand_b(plan: Plan, of_a: Any) -> Tensor:
    """Returns the loaded part of some rows of A as operand B."""
    halves = 2 * plan.steps
    b = core.make_rmem_tensor(core.make_layout(
        ((2, 2), plan.columns, (2, halves)), stride=((1, 2), 8, (4, 8 * plan.columns))),
        TYPES[plan.type])
    for i, piece in enumerate(of_a):
        n, u = divmod(i, halves)
        make_tensor(b[((None, None), n, (None, u))].iterator, core.make_layout(8)).store(piece)
    return b
