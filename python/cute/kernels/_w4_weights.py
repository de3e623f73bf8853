"""Weights of 4 bits as kernels read them, and how they become numbers of 16 bits."""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import arch, core
from .. import math as _math
from .._compile.jit import jit
from .._frontend.control import range_constexpr
from .._values.numeric import BFloat16, Float16, Float32, Int32, Uint32
from .._values.tensor import Tensor, make_tensor
from ..instructions._accesses import load_ext
from .._values.tensor_ssa import full_like

TYPES = {"f16": Float16, "bf16": BFloat16}
# The bits of a number whose last bit is 1, the number, and whether 16 q fits behind the bits.
ONE = {"f16": (0x6400, 1024.0, True), "bf16": (0x4300, 128.0, False)}
AND_OR = 0xEA  # of lop3: a & b | c
EVICT_FIRST = 0x12F0000000000000  # a policy of the L2 cache, as createpolicy returns it
STEP, HALF, WARP = 64, 32, 32  # columns of a warp at a time, and of a load of A; lanes


@dataclasses.dataclass(frozen=True)
class Plan:
    """How the blocks of a cluster multiply some rows of W and some of A.

    Warps of a block are ``across`` along the rows of W, each with ``tiles`` of 16 rows, times ``along``,
    which share K, as do the ``splits`` blocks of a cluster.
    """

    type: str
    rows: int  # of A
    tiles: int
    group: int
    has_zeros: bool
    across: int = 1
    along: int = 8
    splits: int = 1
    steps: int = 1  # of 64 columns that a warp takes in a turn; 2 have one scale
    stages: int = 1  # turns whose weights are under way; 0: in registers, without rings
    resident: int = 0  # blocks that a multiprocessor is to have at a time, with weights in registers; 0: any

    @property
    def columns(self) -> int:
        """Instructions of a warp along the rows of A."""
        return self.rows // 8

    @property
    def warps(self) -> int:
        """Warps of a block."""
        return self.across * self.along

    @property
    def height(self) -> int:
        """Rows of W that a block has."""
        return 16 * self.tiles * self.across

    @property
    def halves(self) -> int:
        """Parts of a turn with scales of their own."""
        return 1 if self.group % (STEP * self.steps) == 0 else 2

    @property
    def is_scaled(self) -> bool:
        """Whether weights are multiplied by their scales, and not sums: where registers are too few for
        the sums of a group."""
        return self.rows > 16

    @property
    def ahead(self) -> int:
        """Tiles whose scales are loaded before they are needed."""
        return self.tiles if self.is_scaled else 4 // self.halves

    @property
    def is_early(self) -> bool:
        """Whether loads of the next turn begin before this one's products, as few warps hide none: ptxas
        moves loads behind products, but not behind a barrier of the warp. That takes registers."""
        return not self.stages and self.steps == 2 and self.along == 8 and self.resident * self.columns <= 2

    @property
    def is_bounded(self) -> bool:
        """Whether ptxas is to take fewer registers than it would, for the resident blocks; with zeros it takes
        as few itself, but for 8 warps."""
        return self.rows == 16 and (not self.has_zeros or self.along == 8) and self.resident * self.warps > 12

    @property
    def pieces(self) -> int:
        """Pieces of 16 bytes of A that a lane needs in a turn."""
        return 2 * self.columns * self.steps

    @property
    def ring(self) -> tuple[int, int]:
        """Words of shared memory for weights, and for A, one turn more of it."""
        lane = 4 * WARP
        return (self.warps * self.tiles * self.stages * self.steps * lane,
                self.along * self.pieces * (self.stages + 1) * lane)

    @property
    def pitch(self) -> int:
        """From one row of A to the next in shared memory, so that lanes meet in no bank."""
        return self.height + 4

    @property
    def words(self) -> int:
        """Words of shared memory of a block."""
        return max(sum(self.ring) if self.stages else 0, self.along * self.rows * self.pitch)


class Weights:
    """A lane's weights: rows g and 8 + g of 16, where the lane is 4 g + t."""

    def __init__(self, plan: Plan, w: Tensor, scales: Tensor, zeros: Any, lane: Any):
        self.plan, self.lane = plan, lane
        self.words = make_tensor(w.iterator, core.make_layout(
            (4, 32, w.shape[1], w.shape[0]),
            stride=(1, 4, 128, core.assume(w.stride[0], divby=128))))
        self.scales, self.zeros = scales, zeros
        self.dtype = TYPES[plan.type]

    def load(self, tile: Any, step: Any) -> Any:
        """Returns the words of 16 rows and a step, 16 columns each, which no cache need keep."""
        words = load_ext(self.words[None, self.lane, step, tile].iterator, dtype=Uint32, count=4,
                         l2_cache_hint=EVICT_FIRST)
        return [words[i] for i in range(4)]

    def beside(self, tile: Any, turn: Any) -> Any:
        """Returns the scales and zeros of both rows for each part of a turn with some of its
        own."""
        return [table and [self._beside(table, tile, turn, half)
                           for half in range(self.plan.halves)]
                for table in (self.scales, self.zeros)]

    def _beside(self, table: Tensor, tile: Any, turn: Any, half: int) -> Any:
        row = tile * 16 + self.lane // 4
        return [table[row + 8 * h, self.column(turn, half)] for h in range(2)]

    def column(self, turn: Any, half: int) -> Any:
        """Returns the group of a part of a turn."""
        columns = STEP * self.plan.steps
        return Int32(Uint32(turn * columns + half * (columns // 2)) // self.plan.group)

    def number(self, beside: Any, word: Any, half: int, to: Tensor) -> None:
        """Writes q - zero of a word to operand A, times its scale where the plan has that.

        :param half: the part of a turn that the word is in
        """
        scales, zeros = (table and table[half if self.plan.halves > 1 else 0] for table in beside)
        self.less_zero(zeros, word, to)
        if self.plan.is_scaled:
            for h in range(2):
                part = to[((None, h, None),)]
                part.store(part.load() * scales[h])

    def less_zero(self, zeros: Any, word: Any, to: Tensor) -> None:
        """Writes q - zero of a word to operand A."""
        bits, one, has_high = ONE[self.plan.type]
        pairs = core.make_rmem_tensor(4, Uint32)
        for i in range(4):
            is_high = has_high and i % 2 == 1  # 16 q behind those bits
            shifted = word >> (4 * (i - is_high)) if i - is_high else word
            mask = 0x00F000F0 if is_high else 0x000F000F
            pairs[i] = arch.lop3(shifted, Uint32(mask), Uint32(bits << 16 | bits), AND_OR)
        numbers = make_tensor(core.recast_tensor(pairs, self.dtype).iterator,
                              core.make_layout((2, 2, 2)))
        for h in range(2):
            values = numbers[None, h, None].load()
            zero = Float32(8.0) if zeros is None else zeros[h].to(Float32)
            if has_high and h == 1:  # words h + 2 c of the four have row 8 h
                less = full_like(values, 0.0) - (zero + one / 16).to(self.dtype)
                to[((None, h, None),)].store(_math.fma(values, full_like(values, 0.0625), less))
            else:
                to[((None, h, None),)].store(values - (zero + one).to(self.dtype))


def pieces_of(a: Tensor) -> Tensor:
    """Returns (element, lane, half of a step, step, row) of a matrix."""
    return make_tensor(a.iterator, core.make_layout(
        (8, 4, 2, Int32(a.shape[1]) // STEP, a.shape[0]),
        stride=(1, 8, HALF, STEP, core.assume(a.stride[0], divby=8))))


@jit
def widen(plan: Plan, w: Tensor, scales: Tensor, zeros: Any, out: Tensor) -> None:
    """Writes the weights of 16 rows and some steps."""
    block, tile, _ = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    lane, step = thread % 32, block * plan.warps + thread // 32
    weights = Weights(plan, w, scales, zeros, lane)
    pieces = pieces_of(out)
    if step < Int32(w.shape[1]):
        words = weights.load(tile, step)
        scales, zeros_of_rows = weights.beside(tile, step)
        for half in range_constexpr(2):
            part = 0 if plan.halves == 1 else half
            numbers = core.make_rmem_tensor(core.make_layout(
                ((2, 2, 2), 2), stride=((1, 8, 2), 4)), TYPES[plan.type])
            for j in range_constexpr(2):
                weights.less_zero(zeros_of_rows and zeros_of_rows[part],
                                  words[2 * half + j], numbers[None, j])
            for h in range_constexpr(2):
                row = make_tensor(numbers[((None, h, None), None)].iterator, core.make_layout(8))
                wide = row.load().to(Float32) * scales[part][h].to(Float32)
                to = pieces[None, lane % 4, half, step, tile * 16 + 8 * h + lane // 4]
                to.store(wide.to(TYPES[plan.type]))
