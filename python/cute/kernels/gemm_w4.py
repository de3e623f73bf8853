"""D = A W^T for few rows of A and weights of 4 bits, scaled by groups along K.

Such a product reads each weight once, so that memory bounds it. Weights are packed so that 16
bytes of a thread are its operands of ``mma.sync`` 16x8x16 for 16 rows of W and 64 columns;
columns of A come in an order that gives a thread 8 neighbours at a time. Neither goes through
shared memory:

- a block has 16 or 32 rows of W and all of K; its warps take 64 columns each in turn, and
load the next turn's columns before they multiply;
- a weight q becomes a number by placing its bits below the bits of 1024 (128 in
bfloat16), from which
  1024 and the zero are subtracted; all of this is exact;
- the sums of a group are multiplied by its scale in float32, and all warps' sums are added
  in order, so that equal inputs give equal bits.

More rows of A than that is for read weights that are made wide first, and go to ``gemm``.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping

from .. import arch, core
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import minimum, range_constexpr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import BFloat16, Float16, Float32, Int32, Uint32
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from ..nvgpu import warp as _warp
from . import _access, _arrays, _calls, _loading, _text
from .gemm import gemm
from ._program import Program

TYPES = {"f16": Float16, "bf16": BFloat16}
# The bits of a number whose last bit is 1, the number, and whether 16 q fits behind the bits.
ONE = {"f16": (0x6400, 1024.0, True), "bf16": (0x4300, 128.0, False)}
AND_OR = 0xEA  # of lop3: a & b | c
STEP, HALF = 64, 32  # columns of a warp at a time, and of a load of A
MOST = 64  # rows of A that the loop is for
# By the rows of A of a block: tiles, warps and steps ahead that were fastest on an H100 for up
# to 4 tiles of W for each multiprocessor, up to 8, and more.
_PLANS = {8: ((1, 16, 1), (1, 8, 1), (2, 8, 1)), 16: ((2, 16, 1), (2, 8, 0), (2, 8, 1)),
          32: ((1, 8, 1), (2, 4, 1), (2, 4, 1))}


def pack_w4(q: Any) -> Any:
    """Returns weights (N,K) of 0 to 15, of uint8, as ``gemm_w4`` reads them.

    N is a multiple of 16, K of 64. The result is (N/16, K/64, 32, 4) of int32.
    """
    import torch

    if q.dtype != torch.uint8:
        raise TypeError(f"weights are of uint8, not of {q.dtype}")
    if q.dim() != 2 or q.shape[0] % 16 or q.shape[1] % STEP or 0 in q.shape:
        raise ValueError("weights are (N,K), N a multiple of 16 and K of 64, not "
                         f"{tuple(q.shape)}")
    if int(q.max()) > 15:
        raise ValueError(f"weights are 0 to 15, not {int(q.max())}")
    n, k = q.shape
    # 16 rows are 8 h + g, and 64 columns 32 u + 8 t + 4 j + 2 c + e: lane 4 g + t has, in word
    # 2 u + j, nibble h + 2 c + 4 e.
    parts = q.view(n // 16, 2, 8, k // STEP, 2, 4, 2, 2, 2).permute(0, 3, 2, 5, 4, 6, 8, 7, 1)
    nibbles = parts.reshape(n // 16, k // STEP, 32, 4, 8).long()
    shifts = torch.arange(0, 32, 4, device=q.device)
    words = (nibbles << shifts).sum(-1)
    return torch.where(words > 0x7FFFFFFF, words - (1 << 32), words).int()


def gemm_w4(a: Any, w: Any, scales: Any, zeros: Any = None, out: Any = None, *,
            stream: Any = None) -> Any:
    """Returns D = A W^T, with W[n,k] = scales[n,k/group] * (q[n,k] - zeros[n,k/group]).

    ``a`` is (M,K) of float16 or bfloat16, and D is (M,N) of its type. ``w`` are weights q of 0 to
    15 as ``pack_w4`` returns them. Scales are (N,K/group) of the type of ``a``, with groups of a
    multiple of 32, as are zeros, integers from 0 to 16 that are 8 by default. ``out`` is written
    if it is given. Does not wait.

    Up to 64 rows are multiplied as the weights are read. For more, the weights are widened
    first.
    """
    if a.dim() == 2 and a.shape[0] > MOST:
        wide = unpack_w4(w, scales, zeros, stream=stream)
        return gemm(a, wide, out, stream=stream)
    arrays = (a, w, scales, *(() if zeros is None else (zeros,)), out)
    return _calls.run(_prepare, arrays, stream)


def unpack_w4(w: Any, scales: Any, zeros: Any = None, out: Any = None, *, stream: Any = None
              ) -> Any:
    """Returns the weights (N,K) of ``gemm_w4`` in the type of the scales."""
    arrays = (w, scales, *(() if zeros is None else (zeros,)), out)
    return _calls.run(_prepare_wide, arrays, stream)


def _prepare(a: Any, w: Any, scales: Any, *rest: Any) -> Any:
    """Returns the call of a product."""
    zeros, out = rest if len(rest) == 2 else (None, rest[0])
    given = [x for x in (a, w, scales, zeros) if x is not None]
    ordinal = _loading.place(*given)
    n, k = _check(w, scales, zeros)
    if a.dim() != 2 or a.shape[1] != k or a.dtype != scales.dtype:
        raise ValueError(f"a is (M,{k}) of {scales.dtype}, not {tuple(a.shape)} of {a.dtype}")
    if a.stride(1) != 1 or a.stride(0) % 8 or a.data_ptr() % 16:
        raise ValueError("a: its rows are contiguous and begin at multiples of 16 bytes, not "
                         f"{tuple(a.stride())}")
    new = _arrays.maker((a.shape[0], n), a.dtype, a.device)
    out = _result(out, new, (a.shape[0], n), a.dtype)
    if not a.shape[0]:
        return _calls.Zero(new)
    _loading.place(*given, out)
    kind = _arrays.element(a), k // scales.shape[1], zeros is not None
    plan = _plan(kind, a.shape[0], n, _text.device(ordinal).multiprocessors)
    return _call(ordinal, plan, "gemm_w4", (*given, out), new)


def _plan(kind: Any, m: int, n: int, multiprocessors: int) -> Plan:
    """Returns how to multiply M rows by N of W.

    :param kind: the type, the group, and whether there are zeros
    """
    element, group, has_zeros = kind
    rows = next(r for r in _PLANS if r >= min(m, 32))
    turns = n / 16 / multiprocessors  # tiles of W of a multiprocessor
    tiles, warps, ahead = _PLANS[rows][(turns > 4) + (turns > 8)]
    return Plan(element, rows, tiles, group, has_zeros, warps, ahead)


def _prepare_wide(w: Any, scales: Any, *rest: Any) -> Any:
    """Returns the call that makes weights wide."""
    zeros, out = rest if len(rest) == 2 else (None, rest[0])
    given = [x for x in (w, scales, zeros) if x is not None]
    ordinal = _loading.place(*given)
    n, k = _check(w, scales, zeros)
    new = _arrays.maker((n, k), scales.dtype, scales.device)
    out = _result(out, new, (n, k), scales.dtype)
    _loading.place(*given, out)
    plan = Plan(_arrays.element(scales), 8, 1, k // scales.shape[1], zeros is not None)
    return _call(ordinal, plan, "unpack_w4", (*given, out), new)


def _call(ordinal: int, plan: Plan, name: str, arrays: Any, new: Any) -> Any:
    parameters = tuple(dataclasses.asdict(plan).items())
    loaded = _loading.kernel(program, parameters, name, ordinal)
    return _calls.Call(ordinal, [(loaded, tuple(map(_arrays.argument, arrays)), None)], new)


def _result(out: Any, new: Any, shape: tuple[int, int], dtype: Any) -> Any:
    if out is None:
        return new()
    if tuple(out.shape) != shape or out.dtype != dtype or out.stride(1) != 1 or (
            out.data_ptr() % 16 or out.stride(0) % 8):
        raise ValueError(f"out is {shape} of {dtype}, with contiguous rows that begin at multiples "
                         f"of 16 bytes, not {tuple(out.shape)} of {out.dtype} by {out.stride()}")
    return out


def _check(w: Any, scales: Any, zeros: Any) -> tuple[int, int]:
    """Returns N and K."""
    if str(scales.dtype) not in ("torch.float16", "torch.bfloat16"):
        raise TypeError(f"scales are of float16 or of bfloat16, not of {scales.dtype}")
    if str(w.dtype) != "torch.int32" or w.dim() != 4 or tuple(w.shape[2:]) != (32, 4) or (
            not w.is_contiguous() or 0 in w.shape or w.data_ptr() % 16):
        raise ValueError("w is contiguous, (N/16,K/64,32,4) of int32 as pack_w4 returns it, not "
                         f"{tuple(w.shape)} of {w.dtype}")
    n, k = 16 * w.shape[0], STEP * w.shape[1]
    if scales.dim() != 2 or scales.shape[0] != n or not scales.shape[1] or (
            k % scales.shape[1] or k // scales.shape[1] % HALF):
        raise ValueError(f"scales are ({n},{k}/group), groups of a multiple of 32, not "
                         f"{tuple(scales.shape)}")
    if zeros is not None and (zeros.shape != scales.shape or zeros.dtype != scales.dtype):
        raise ValueError(f"zeros are like scales, not {tuple(zeros.shape)} of {zeros.dtype}")
    return n, k


@dataclasses.dataclass(frozen=True)
class Plan:
    """How a block multiplies."""

    type: str
    rows: int  # of A
    tiles: int  # of 16 rows of W that a warp has
    group: int
    has_zeros: bool
    warps: int = 8  # of a block: they share K
    ahead: int = 1  # steps of a warp whose loads begin before they are needed

    @property
    def columns(self) -> int:
        """Instructions of a warp along the rows of A."""
        return self.rows // 8

    @property
    def height(self) -> int:
        """Rows of W that a block has."""
        return 16 * self.tiles

    @property
    def halves(self) -> int:
        """Parts of a step with scales of their own."""
        return 1 if self.group % STEP == 0 else 2


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    plan = Plan(**values)
    element = TYPES[plan.type].ir_name
    matrix = f'!cute.tensor<{element}, gmem, align<16>, "(?,?):(?{{i64 div=8}},1)">'
    table = f'!cute.tensor<{element}, gmem, align<2>, "(?,?):(?{{i64}},?{{i64}})">'
    words = ('!cute.tensor<i32, gmem, align<16>, '
             '"(?,?,32,4):(?{i64 div=128},128,4,1)">')
    beside = [table, table] if plan.has_zeros else [table]
    product, wide = (product_zeros, wide_zeros) if plan.has_zeros else (product_8, wide_8)
    made = Program("gemm_w4")
    made.add("gemm_w4", product, matrix, words, *beside, matrix, plan=plan, threads=32 * plan.warps,
             grid=[f"ceil_div(arg1.shape[0], {plan.tiles})",
                   f"ceil_div(arg0.shape[0], {plan.rows})"])
    made.add("unpack_w4", wide, words, *beside, matrix, plan=plan, threads=32 * plan.warps,
             grid=[f"ceil_div(arg0.shape[1], {plan.warps})", "arg0.shape[0]"])
    return made


@kernel
def product_8(a: Tensor, w: Tensor, scales: Tensor, out: Tensor, plan: Constexpr) -> None:
    """Writes the product of some rows of A and of W, all of whose zeros are 8."""
    multiply(plan, a, w, scales, None, out)


@kernel
def product_zeros(a: Tensor, w: Tensor, scales: Tensor, zeros: Tensor, out: Tensor,
                  plan: Constexpr) -> None:
    """Writes the product of some rows of A and of W."""
    multiply(plan, a, w, scales, zeros, out)


@kernel
def wide_8(w: Tensor, scales: Tensor, out: Tensor, plan: Constexpr) -> None:
    """Writes weights whose zeros are 8."""
    widen(plan, w, scales, None, out)


@kernel
def wide_zeros(w: Tensor, scales: Tensor, zeros: Tensor, out: Tensor, plan: Constexpr) -> None:
    """Writes weights."""
    widen(plan, w, scales, zeros, out)


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
        """Returns the words of 16 rows and a step, 16 columns each."""
        words = core.make_rmem_tensor(4, Int32)
        words.store(self.words[None, self.lane, step, tile].load())
        return [Uint32(words[i]) for i in range(4)]

    def beside(self, tile: Any, step: Any) -> Any:
        """Returns the scales and zeros of both rows for each part of a step with some of its
        own."""
        return [table and [self._beside(table, tile, step, half)
                           for half in range(self.plan.halves)]
                for table in (self.scales, self.zeros)]

    def _beside(self, table: Tensor, tile: Any, step: Any, half: int) -> Any:
        column = Int32(Uint32(step * STEP + half * HALF) // self.plan.group)
        row = tile * 16 + self.lane // 4
        return [table[row + 8 * h, column] for h in range(2)]

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
                values, one = values * self.dtype(0.0625), one / 16
            to[((None, h, None),)].store(values - (zero + one).to(self.dtype))


@jit
def multiply(plan: Plan, a: Tensor, w: Tensor, scales: Tensor, zeros: Any, out: Tensor) -> None:
    """Writes the product of some rows of A and of W."""
    tile, block, _ = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    first = block * plan.rows
    fetches = Fetches(plan, a, Weights(plan, w, scales, zeros, thread % 32), tile, first)
    op = _warp.MmaF16BF16Op(TYPES[plan.type], Float32, (16, 8, 16))
    mma = core.make_tiled_mma(op, core.make_layout((1, 1, 1)), (16, 8, 16))
    total = core.make_rmem_tensor(
        core.make_layout(((2, 2), plan.columns, plan.tiles)), Float32)
    _access.clear(total)
    begin = thread // 32
    queue = [fetches.load(begin + i * plan.warps) for i in range_constexpr(plan.ahead)]
    for step in range_(begin, Int32(w.shape[1]), plan.warps):
        queue = [*queue, fetches.load(step + plan.ahead * plan.warps)]
        add_step(plan, mma, fetches.weights, queue[0], total)
        queue = queue[1:]
    store(plan, total, out, first, tile)


class Fetches:
    """Loads of a warp's steps: operands of some tiles of W, and of some rows of A."""

    def __init__(self, plan: Plan, a: Tensor, weights: Weights, block: Any, first: Any):
        self.weights, self.pieces, self.lane = weights, pieces_of(a), weights.lane
        tiles, steps = weights.words.shape[3], weights.words.shape[2]
        self.last = Int32(steps) - 1
        self.tiles = [minimum(block * plan.tiles + i, Int32(tiles) - 1)
                      for i in range(plan.tiles)]
        self.rows = [minimum(first + 8 * n + self.lane // 4, Int32(a.shape[0]) - 1)
                     for n in range(plan.columns)]

    def load(self, step: Any) -> Any:
        """Returns the operands of a step, of the last one for all behind it."""
        step = minimum(step, self.last)
        of_w = [(self.weights.load(tile, step), self.weights.beside(tile, step))
                for tile in self.tiles]
        return of_w, [self.pieces[None, self.lane % 4, u, step, row].load()
                      for row in self.rows for u in range(2)]


def pieces_of(a: Tensor) -> Tensor:
    """Returns (element, lane, half of a step, step, row) of a matrix."""
    return make_tensor(a.iterator, core.make_layout(
        (8, 4, 2, Int32(a.shape[1]) // STEP, a.shape[0]),
        stride=(1, 8, HALF, STEP, core.assume(a.stride[0], divby=8))))


def add_step(plan: Plan, mma: Any, weights: Weights, loaded: Any, total: Tensor) -> None:
    """Adds the products of a step and some tiles of W to their sums, (value, column, tile)."""
    of_w, of_a = loaded
    b = operand_b(plan, of_a)
    for i, (words, (scales, zeros)) in enumerate(of_w):
        for half in range(plan.halves):
            of_half = range(half * 2, half * 2 + 2) if plan.halves == 2 else range(4)
            a = core.make_rmem_tensor(core.make_layout(((2, 2, 2), 1, len(of_half))),
                                      TYPES[plan.type])
            for place, j in enumerate(of_half):
                weights.less_zero(zeros and zeros[half], words[j], a[None, 0, place])
            sums = core.make_rmem_tensor(core.make_layout(((2, 2), 1, plan.columns)), Float32)
            _access.clear(sums)
            for place, j in enumerate(of_half):
                core.gemm(mma, sums, a[None, None, place], b[None, None, (j % 2, j // 2)], sums)
            for h in range(2):
                to = total[((None, h), None, i)]
                of_row = sums[((None, h), 0, None)].load()
                to.store(to.load() + of_row * scales[half][h].to(Float32))


def operand_b(plan: Plan, of_a: Any) -> Tensor:
    """Returns the loaded part of some rows of A as operand B."""
    b = core.make_rmem_tensor(core.make_layout(
        ((2, 2), plan.columns, (2, 2)), stride=((1, 2), 8, (4, 8 * plan.columns))),
        TYPES[plan.type])
    for i, piece in enumerate(of_a):
        n, u = divmod(i, 2)
        make_tensor(b[((None, None), n, (None, u))].iterator, core.make_layout(8)).store(piece)
    return b

@jit
def store(plan: Plan, total: Tensor, out: Tensor, first: Any, tile: Any) -> None:
    """Adds the sums of all warps and writes them."""
    thread, _, _ = arch.thread_idx()
    lane, warp_number = thread % 32, thread // 32
    pitch = plan.height + 4  # so that lanes meet in no bank
    shared = make_tensor(_allocate(Float32, plan.warps * plan.rows * pitch, 16), core.make_layout(
        (plan.height, plan.rows, plan.warps), stride=(1, pitch, plan.rows * pitch)))
    for i in range_constexpr(plan.tiles):
        for n in range_constexpr(plan.columns):
            for h in range_constexpr(2):
                for c in range_constexpr(2):
                    shared[16 * i + 8 * h + lane // 4, 8 * n + lane % 4 * 2 + c, warp_number] = (
                        total[((c, h), n, i)])
    arch.sync_threads()
    for at in range_(thread, plan.height * plan.rows, 32 * plan.warps):
        n, m = at % plan.height, at // plan.height
        value = Float32(0.0)
        for i in range_constexpr(plan.warps):
            value = value + shared[n, m, i]
        if first + m < Int32(out.shape[0]) and tile * plan.height + n < Int32(out.shape[1]):
            out[first + m, tile * plan.height + n] = value.to(out.element_type)


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
