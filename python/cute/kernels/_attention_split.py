"""Attention of few query rows: the keys are split over blocks, whose results are summed.

Such a call reads each key and value once, so that memory bounds it, and it has too few rows
to fill a device with blocks of all keys. As flash-decoding does, a block takes a chunk of the
keys of one head for up to 16 query rows, from all query heads that share the keys. A warp
computes some of the keys at a time on tensor cores, with neither shared memory nor a barrier:

- S = Q K^T is mma.sync 16x8x16. Its sums run over d in any order, so that a thread loads 8
  elements of a key at a time, which are its operands of two instructions;
- O = O + P V is mma.sync, too, with P where S is. The columns of O may come in any order, so
  that a thread loads up to 8 elements of four values at a time, and pairs up elements of
  two;
- the rest of a row is with four neighbouring lanes: m, the maximum of c S with
  c = scale log2(e), P = 2^(c S - m), and l, the sum of P.

Warps add up their results in shared memory, so that the block writes one m, l and sum of P V,
in f32, for each row. A second kernel weighs the results of all chunks, in their order, so that
equal inputs give equal bits; of up to 8 chunks the blocks, which are a cluster then, do.

A row that sees no key has l = 0, and the result 0; one with a NaN has the result NaN.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Callable, Mapping

from .. import arch, core
from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import const_expr, maximum, minimum, range_constexpr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import BFloat16, Float16, Float32, Int32, Uint32
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from ..nvgpu import warp as _warp
from . import _access, _arrays, _calls, _loading, _text
from ._attention_operands import Options
from ._attention_sum import (LEAST, LOG2_E, WARPS, add_kernels, at, chosen, name_for, power,
                             sum_rows, weighed)
from ._program import Program

TYPES = {"f16": Float16, "bf16": BFloat16}
PIECE = 8
THREADS = 32 * WARPS
HEADS = (32, 64, 96, 128)  # their sizes
FEW = 4  # query rows of a head
EVEN = 8  # chunks, at most, that share out many tiles more evenly
TOGETHER = 8  # chunks, at most, whose blocks are a cluster, if each has a multiprocessor alone


def is_for(q: Any, k: Any) -> bool:
    """Returns whether these kernels are the ones for queries and keys."""
    blocks = max(q.shape[0], k.shape[1] * -(-q.shape[1] * FEW // k.shape[1]))
    return (q.shape[2] <= FEW and q.shape[3] in HEADS and k.shape[2] > THREADS
            and blocks < 1 << 16)


def call(ordinal: int, arrays: Mapping[str, Any], options: Options, new: Callable[[], Any]) -> Any:
    """Returns the call of both kernels for arrays that are checked.

    :param arrays: q, k, v and out, and ``lse`` if it is asked for; with keys in pages, k and v
        are (page, head, slot, d), and ``pages`` and ``lengths`` come before out
    :param options: without a cap
    """
    q, k, v = (arrays[name] for name in ("q", "k", "v"))
    device = _text.device(ordinal)
    batches, heads, rows, d = q.shape
    group, keys, page = heads // k.shape[1], k.shape[2], 0
    if "pages" in arrays:
        keys, page = arrays["pages"].shape[1] * k.shape[2], k.shape[2]
    window = options.window
    if window is not None:  # no more than all, and keys that some row sees, from a multiple of 16 on
        window = min(window, keys + rows)
        keys = min(keys, window + rows + 14)
    plan = Plan(_arrays.element(q), d, 8 if group * rows <= 8 else 16, group, options.is_causal,
                device.arch >= 90, page, "lse" in arrays, window is not None)
    once = WARPS * plan.keys
    tiles = batches * k.shape[1] * -(-group * rows // plan.rows)
    chunks = chunks_for(tiles, -(-keys // once), device.multiprocessors * plan.resident)
    chunk = -(-keys // (chunks * once)) * once
    shape = -(-keys // chunk), batches * heads * rows
    if shape[0] <= TOGETHER and tiles * shape[0] <= device.multiprocessors and plan.overlaps:
        plan = dataclasses.replace(plan, overlaps=False, together=shape[0])
    memory = _arrays.Memory([(*shape, n) for n in (d, 2)], q.device)  # sums of chunks; their m and l
    arguments = (*map(_arrays.argument, (*arrays.values(), *memory.arrays())), options.scale_for(q),
                 chunk, *[window] * plan.has_window)
    count = len(arrays)
    offsets, places = [0] * count + memory.offsets, [*range(count), count, count]
    parameters = tuple(dataclasses.asdict(plan).items())
    launches = [(_loading.kernel(program, parameters, name, ordinal), arguments, offsets)
                for name in ("attention_split", name_for(shape[0]))[:1 if plan.together else 2]]
    return _calls.Call(ordinal, launches, new, memory.new, [places] * len(launches))


def chunks_for(tiles: int, steps: int, slots: int) -> int:
    """Returns how many chunks keep a device busy.

    :param tiles: blocks of a chunk
    :param steps: of a block's loop over all keys
    :param slots: blocks that run at a time
    """
    def cost(chunks: int) -> int:  # in steps; starting and ending a block counts as one
        return -(-tiles * chunks // slots) * (-(-steps // chunks) + 1)

    most = max(4 * slots // tiles, EVEN)
    return min(range(1, max(1, min(steps, most)) + 1), key=cost)


@dataclasses.dataclass(frozen=True)
class Plan:
    """How a block shares keys and rows."""

    type: str
    d: int
    rows: int  # query rows of a block
    group: int  # query heads of a key head
    is_causal: bool
    overlaps: bool  # the sum's blocks begin before the others have ended
    page: int = 0  # keys of a page, or 0 for keys that are not in pages
    has_sums: bool = False  # the log-sum-exp of rows is a result
    has_window: bool = False  # a row sees the last keys alone
    together: int = 0  # chunks whose blocks weigh their results; 0: another kernel does

    @property
    def arguments(self) -> list[str]:
        """Names of the kernels' arguments."""
        return ["q", "k", "v", *["pages", "lengths"] * bool(self.page), "out",
                *["lse"] * self.has_sums, "parts", "sums", "scale", "chunk",
                *["window"] * self.has_window]

    def named(self, given: Any) -> Any:
        """Returns the arguments of a kernel by their names."""
        return types.SimpleNamespace(**dict(zip(self.arguments, given)))

    @property
    def keys(self) -> int:
        """Keys that a warp has at a time: 8 KiB of them and of values, or a little less."""
        return 128 // self.d * 16

    @property
    def resident(self) -> int:
        """Blocks of a multiprocessor, by their registers."""
        return 4 if self.d in (64, 96) else 3

    @property
    def piece(self) -> int:
        """Elements of a value that a thread loads at a time: a warp's are an 8th each."""
        return 8 if self.d % 64 == 0 else 4


def program(values: Mapping[str, Any]) -> Program:
    """Returns both kernels of some parameters."""
    plan = Plan(**values)
    element = TYPES[plan.type].ir_name
    matrix = (f'!cute.tensor<{element}, gmem, align<16>, '
              f'"(?,?,?,{plan.d}):(?{{i64}},?{{i64}},?{{i64}},1)">')
    kinds = {"pages": '!cute.tensor<i32, gmem, align<4>, "(?,?):(?{i64},1)">',
             "lengths": '!cute.tensor<i32, gmem, align<4>, "(?):(1)">',
             "lse": '!cute.tensor<f32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},1)">',
             "parts": f'!cute.tensor<f32, gmem, align<16>, "(?,?,{plan.d}):(?{{i64}},{plan.d},1)">',
             "sums": '!cute.tensor<f32, gmem, align<8>, "(?,?,2):(?{i64},2,1)">',
             "scale": Float32, "chunk": Int32, "window": Int32}
    arguments = [kinds.get(name, matrix) for name in plan.arguments]
    parts = f"arg{plan.arguments.index('parts')}"
    made = Program("attention_split")
    made.add("attention_split", split, *arguments, plan=plan, threads=THREADS,
             cluster=max(1, plan.together),
             grid=[f"{parts}.shape[0]", _tiles(plan), "arg0.shape[0]"])
    if plan.together:
        return made
    add_kernels(made, plan, arguments, f"{parts}.shape[1]", plan.overlaps)
    return made


def _tiles(plan: Plan) -> str:
    """Returns how many blocks the rows of a batch have, as the manifest has it."""
    return f"arg1.shape[1] * ceil_div(arg0.shape[2] * {plan.group}, {plan.rows})"


@kernel
def split(*given: Any, plan: Constexpr) -> None:
    """Writes the results of a chunk of the keys."""
    _, _, batch = arch.block_idx()
    a = plan.named(given)
    if plan.page:
        length = minimum(Int32(a.lengths[batch]), Int32(a.pages.shape[1]) * plan.page)
        keys, values = (pieces(x, size) for x, size in ((a.k, PIECE), (a.v, plan.piece)))
        where = Keys(length, plan.page, a.pages[batch, None])
    else:
        keys, values = (pieces(x, size, batch) for x, size in ((a.k, PIECE), (a.v, plan.piece)))
        where = Keys(a.k.shape[2])
    window = a.window if plan.has_window else None
    of_chunk(plan, a.q, keys, values, where, (a.parts, a.sums), a.scale, a.chunk, window)
    if const_expr(plan.together):
        sum_rows(plan, a)


class Keys:
    """Where a sequence's keys lie: in order, or in pages with numbers in a table."""

    def __init__(self, count: Any, page: int = 0, table: Any = None):
        self.count, self.page, self.table = Int32(count), page, table

    def find(self, begin: Any, last: Any) -> Callable[[Any], Any]:
        """Returns a function for the coordinates of a key among 16, whose first has a
        number that 16 divides; the number is not more than that of the last key."""
        if self.table is None:
            return lambda key: (key,)
        page = self.table[Int32(Uint32(minimum(begin, last)) // self.page)]
        return lambda key: (page, Int32(Uint32(key) % self.page))


@jit
def of_chunk(plan: Plan, q: Tensor, keys: Tensor, values: Tensor, where: Keys, results: Any,
             scale: Float32, chunk: Int32, window: Any) -> None:
    """Writes the results of a chunk of the keys.

    :param keys: (element, piece, head, ...), with coordinates of a key as ``where`` has them
    """
    if plan.overlaps:
        arch.griddepcontrol_launch_dependents()
    number, tile, batch = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    warp_number = thread // 32
    tiles = _access.ceil_div(Uint32(q.shape[2]) * plan.group, plan.rows)
    head = Int32(Uint32(tile) // tiles)
    first = Int32(Uint32(tile) % tiles) * plan.rows
    begin = number * chunk
    if const_expr(plan.has_window):
        begin = begin + maximum(where.count - window - Int32(q.shape[2]) + 1, 0) // 16 * 16
    end = minimum(begin + chunk, where.count)
    shift = where.count - Int32(q.shape[2])

    warp = Warp(plan, thread % 32)
    rows = [at(plan, q, head, first + r) for r in warp.rows]
    queries = pieces(q, PIECE, batch)
    warp.load_queries([queries[None, None, row[0], row[1]] for row in rows])
    lasts = [end for _ in rows]
    if plan.is_causal:
        lasts = [minimum(end, row[1] + shift + 1) for row in rows]
    firsts = [begin for _ in rows]
    if plan.has_window:
        firsts = [row[1] + shift + 1 - window for row in rows]
    c = scale * LOG2_E
    m, l = Float32(LEAST), Float32(0.0)
    m_8, l_8 = Float32(LEAST), Float32(0.0)  # of the row 8 further, if there is one
    for base in range_(begin + warp_number * plan.keys, end, WARPS * plan.keys):
        warp.load(keys, values, head, where, base, end - 1)
        warp.multiply_keys()
        m, l = warp.weigh(0, c, m, l, firsts[0] - base, lasts[0] - base)
        if plan.rows == 16:
            m_8, l_8 = warp.weigh(1, c, m_8, l_8, firsts[-1] - base, lasts[-1] - base)
        warp.multiply_values()
    merge(plan, *results, (number, batch, head, first), warp, warp_number,
          [(m, l), (m_8, l_8)], q)


class Warp:
    """The operands and sums of a warp, for some keys at a time.

    Lane 4 g + t has row g, and 8 + g if there are 16, and the columns 2 t and 2 t + 1 of each
    8. Rows that are not there are 0.
    """

    def __init__(self, plan: Plan, lane: Any):
        self.plan, self.g, self.t = plan, lane // 4, lane % 4
        self.rows = [self.g + 8 * i for i in range(plan.rows // 8)]
        op = _warp.MmaF16BF16Op(TYPES[plan.type], Float32, (16, 8, 16))
        self.mma = core.make_tiled_mma(op, core.make_layout((1, 1, 1)), (16, 8, 16))
        loads, n, steps = plan.d // 32, plan.keys // 8, plan.keys // 16
        self.q = self._registers(((2, 2, 2), 1, (2, loads)), ((1, 8 * loads, 2), 0, (4, 8)))
        self.k = self._registers(((2, 2), n, (2, loads)), ((1, 2), 8, (4, 8 * n)))
        columns = plan.piece, plan.d // (8 * plan.piece)
        self.v = self._registers(((2, 2), columns, steps),
                                 ((1, 2), (4, 4 * plan.piece), 4 * plan.d // 8))
        self.p = self._registers(((2, 2, 2), 1, steps), ((1, 2, 4), 0, 8))
        self.s = core.make_rmem_tensor(core.make_layout(
            ((2, 2), 1, n), stride=((1, 2), 0, 4)), Float32)
        self.o = core.make_rmem_tensor(core.make_layout(
            ((2, 2), 1, columns), stride=((1, 2), 0, (4, 4 * plan.piece))), Float32)
        for sums in (self.q, self.p, self.o):
            _access.clear(sums)

    def _registers(self, shape: Any, stride: Any) -> Tensor:
        layout = core.make_layout(shape, stride=stride)
        return core.make_rmem_tensor(layout, TYPES[self.plan.type])

    def load_queries(self, rows: Any) -> None:
        """Loads operand A of pieces (element, number) of rows."""
        for i, row in enumerate(rows):
            for x in range(self.plan.d // 32):
                to = self.q[((None, i, None), 0, (None, x))]
                flat = make_tensor(to.iterator, core.make_layout(PIECE))
                flat.store(row[None, 4 * x + self.t].load())

    def load(self, keys: Tensor, values: Tensor, head: Any, where: Keys, base: Any, last: Any
             ) -> None:
        """Loads operands B of keys and values from a number on, with the last one in place of
        missing ones."""
        plan = self.plan
        found = [where.find(base + 16 * i, last) for i in range(plan.keys // 16)]
        for n in range(plan.keys // 8):
            key = found[n // 2](minimum(base + 8 * n + self.g, last))
            for x in range(plan.d // 32):
                to = self.k[((None, None), n, (None, x))]
                flat = make_tensor(to.iterator, core.make_layout(PIECE))
                flat.store(keys[(None, 4 * x + self.t, head, *key)].load())
        for n in range(plan.keys // 8):
            for j in range(2):
                key = found[n // 2](minimum(base + 8 * n + 2 * self.t + j, last))
                for x in range(plan.d // (8 * plan.piece)):
                    to = self.v[((j, n % 2), (None, x), n // 2)]
                    to.store(values[(None, 8 * x + self.g, head, *key)].load())

    def multiply_keys(self) -> None:
        """S = Q K^T."""
        _access.clear(self.s)
        core.gemm(self.mma, self.s, self.q, self.k, self.s)

    def weigh(self, i: int, c: Any, m: Any, l: Any, first: Any, left: Any) -> tuple[Any, Any]:
        """Makes P of S in row ``8 i + g``, for the keys from the first that the row sees to the
        last ones left, and scales O; returns m and l, which is the lane's share."""
        s = self.s[((None, i), 0, None)]
        numbers = [(j, 8 * n + 2 * self.t + j, n)
                   for n in range(self.plan.keys // 8) for j in range(2)]
        sees = [number < left for _, number, _ in numbers]
        if self.plan.has_window:
            sees = [both(e, number >= first) for e, (_, number, _) in zip(sees, numbers)]
        x = [chosen(e, s[j, n] * c, Float32(LEAST)) for e, (j, _, n) in zip(sees, numbers)]
        most = m
        for value in x:
            most = _access.larger(most, value)
        for bit in (1, 2):
            most = _access.larger(most, arch.shuffle_sync_bfly(most, bit))
        shrink = power(m, most)
        l = l * shrink
        p = self.p[((None, i, None), 0, None)]
        for e, value, (j, _, n) in zip(sees, x, numbers):
            weight = chosen(e, power(value, most), Float32(0.0))
            l = l + weight
            p[j, n % 2, n // 2] = weight.to(TYPES[self.plan.type])
        o = self.o[((None, i), 0, None)]
        o.store(o.load() * shrink)
        return most, l

    def multiply_values(self) -> None:
        """O = O + P V."""
        if self.plan.rows == 8:  # registers of rows that are not there are free meanwhile
            _access.clear(self.o[((None, 1), 0, None)])
        core.gemm(self.mma, self.o, self.p, self.v, self.o)


def pieces(a: Tensor, size: int, batch: Any = None) -> Tensor:
    """Returns (element, piece, head, row) of a batch, or (element, piece, head, page, slot)."""
    strides = [core.assume(stride, divby=PIECE) for stride in a.stride[:3]]
    whole = make_tensor(a.iterator, core.make_layout(
        (size, a.shape[3] // size, a.shape[1], a.shape[0], a.shape[2]),
        stride=(1, size, strides[1], strides[0], strides[2])))
    return whole if batch is None else whole[None, None, None, batch, None]


@jit
def both(a: Any, b: Any) -> Any:
    """Returns whether both of two conditions hold."""
    return a and b


@jit
def merge(plan: Plan, parts: Tensor, sums: Tensor, where: Any, warp: Warp, warp_number: Any,
          found: Any, q: Tensor) -> None:
    """Writes the results of a block's warps as one."""
    number, batch, head, first = where
    shared = make_tensor(_allocate(Float32, WARPS * plan.rows * plan.d, 16),
                         core.make_layout((plan.d, plan.rows, WARPS)))
    pairs = make_tensor(_allocate(Float32, WARPS * plan.rows * 2, 16),
                        core.make_layout((2, plan.rows, WARPS)))
    columns = make_tensor(shared.iterator, core.make_layout(
        (plan.piece, 8, plan.d // (8 * plan.piece), plan.rows, WARPS),
        stride=(1, plan.piece, 8 * plan.piece, plan.d, plan.rows * plan.d)))
    for i in range_constexpr(plan.rows // 8):
        m, l = found[i]
        for bit in (1, 2):
            l = l + arch.shuffle_sync_bfly(l, bit)
        if warp.t == 0:
            pairs[0, warp.rows[i], warp_number] = m
            pairs[1, warp.rows[i], warp_number] = l
        for j in range_constexpr(2):
            to = columns[None, 2 * warp.t + j, None, warp.rows[i], warp_number]
            to.store(warp.o[((j, i), 0, (None, None))].load())
    arch.sync_threads()
    count = Int32(q.shape[2]) * plan.group
    per_batch = Int32(parts.shape[1]) // Int32(q.shape[0])
    t, _, _ = arch.thread_idx()
    for i in range_(t, plan.rows * plan.d, THREADS):
        r, x = i // plan.d, i % plan.d
        most, l_all, value = weighed(pairs[None, r, None], shared[x, r, None], WARPS)
        if first + r < count:
            row = batch * per_batch + head * count + first + r
            parts[number, row, x] = value
            if x == 0:
                sums[number, row, 0] = most
                sums[number, row, 1] = l_all
