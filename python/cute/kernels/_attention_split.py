"""Attention of few query rows: the keys are split over blocks, whose results are summed.

Such a call reads each key and value once, so that memory bounds it, and it has too few rows
to fill a device with blocks of all keys. As flash-decoding does, a block takes a chunk of the
keys of one head for up to 8 query rows, those of all query heads that share the keys:

- a key has d/8 lanes, which load 16 bytes each of it and of its value; a thread computes
  UNROLL keys at a time, whose loads are all under way at once;
- lanes add up their parts of products by giving half of them away in each step, so that
  each has the sums of a few: it keeps m, the maximum of the products c x of its row with
  c = scale log2(e), computes 2^(c x - m) and its sum l, and sends these to the others, which
  have 8 elements each of the sum of 2^(c x - m) v for all rows. These go through shared
  memory, so that the block writes one m, l and sum, in f32, for each row;
- a second kernel weighs the results of all chunks, in their order, so that equal inputs give
  equal bits.

A row that sees no key has l = 0, and the result 0; one with a NaN has the result NaN.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Callable, Mapping

from .. import arch, core
from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import minimum, range_constexpr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import BFloat16, Float16, Float32, Int32, Uint32
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import ReductionOp, TensorSSA
from . import _access, _arrays, _calls, _loading
from ._program import Program

TYPES = {"f16": Float16, "bf16": BFloat16}
THREADS, UNROLL, MOST_ROWS, PIECE = 128, 4, 8, 8
HEADS = (32, 64, 128)  # their sizes
FEW = 4  # query rows of a head
BLOCKS = 528  # four for each multiprocessor of an H100 or H200
LOG2_E = 1.4426950408889634
LEAST = -3.4028234663852886e38  # m of no key: no finite product is less


def is_for(q: Any, k: Any) -> bool:
    """Says whether these kernels are the ones for queries and keys."""
    blocks = max(q.shape[0], k.shape[1] * -(-q.shape[1] * FEW // k.shape[1]))
    return (q.shape[2] <= FEW and q.shape[3] in HEADS and k.shape[2] > THREADS
            and blocks < 1 << 16)


def call(ordinal: int, arrays: Mapping[str, Any], scale: float, is_causal: bool,
         new: Callable[[], Any]) -> Any:
    """Returns the call of both kernels for arrays that are checked."""
    q, k = arrays["q"], arrays["k"]
    batches, heads, rows, d = q.shape
    group = heads // k.shape[1]
    most = min(MOST_ROWS, group * rows)
    plan = Plan(_arrays.element(q), d, next(n for n in (1, 2, 4, 8) if n >= most), group,
                is_causal)
    once = plan.places * UNROLL  # keys that a block has under way
    tiles = batches * k.shape[1] * -(-group * rows // plan.rows)
    chunks = max(1, min(BLOCKS // tiles, -(-k.shape[2] // once)))
    chunk = -(-k.shape[2] // (chunks * once)) * once
    shape = -(-k.shape[2] // chunk), batches * heads * rows
    workspace = functools.partial(_workspace, shape, d, q.device)
    arguments = (*map(_arrays.argument, (*arrays.values(), *workspace())), scale, chunk)
    parameters = tuple(dataclasses.asdict(plan).items())
    launches = [(_loading.kernel(program, parameters, name, ordinal), arguments, None)
                for name in ("attention_split", "attention_sum")]
    return _calls.Call(ordinal, launches, new, workspace)


def _workspace(shape: tuple[int, int], d: int, device: Any) -> Any:
    """Returns memory for the sums of chunks, and for their m and l."""
    import torch

    return tuple(_arrays.empty((*shape, n), torch.float32, device) for n in (d, 2))


@dataclasses.dataclass(frozen=True)
class Plan:
    """How a block shares keys and rows."""

    type: str
    d: int
    rows: int  # query rows of a block
    group: int  # query heads of a key head
    is_causal: bool

    @property
    def lanes(self) -> int:
        """Threads of a key."""
        return self.d // PIECE

    @property
    def places(self) -> int:
        """Keys that the block's threads have at a time."""
        return THREADS // self.lanes


def program(values: Mapping[str, Any]) -> Program:
    """Returns both kernels of some parameters."""
    plan = Plan(**values)
    element = TYPES[plan.type].ir_name
    arrays = [f'!cute.tensor<{element}, gmem, align<16>, '
              f'"(?,?,?,{plan.d}):(?{{i64}},?{{i64}},?{{i64}},1)">'] * 4
    parts = f'!cute.tensor<f32, gmem, align<16>, "(?,?,{plan.d}):(?{{i64}},{plan.d},1)">'
    sums = '!cute.tensor<f32, gmem, align<8>, "(?,?,2):(?{i64},2,1)">'
    made = Program("attention_split")
    made.add("attention_split", split, *arrays, parts, sums, Float32, Int32, plan=plan,
             threads=THREADS, grid=["arg4.shape[0]", _tiles(plan), "arg0.shape[0]"])
    made.add("attention_sum", total, *arrays, parts, sums, Float32, Int32, plan=plan,
             threads=plan.d, grid=["arg4.shape[1]"])
    return made


def _tiles(plan: Plan) -> str:
    """Returns how many blocks the rows of a batch have, as the manifest has it."""
    return f"arg1.shape[1] * ceil_div(arg0.shape[2] * {plan.group}, {plan.rows})"


@kernel
def split(q: Tensor, k: Tensor, v: Tensor, out: Tensor, parts: Tensor, sums: Tensor,
          scale: Float32, chunk: Int32, plan: Constexpr) -> None:
    """Writes the results of a chunk of the keys."""
    number, tile, batch = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    lane, place = thread % plan.lanes, thread // plan.lanes
    tiles = _access.ceil_div(Uint32(q.shape[2]) * plan.group, plan.rows)
    head = Int32(Uint32(tile) // tiles)
    first = Int32(Uint32(tile) % tiles) * plan.rows
    keys, values = pieces(plan, k, batch, head), pieces(plan, v, batch, head)
    rows = [at(plan, q, head, first + r) for r in range_constexpr(plan.rows)]
    queries = [pieces(plan, q, batch, row[0])[None, lane, row[1]].load().to(Float32)
               * (scale * LOG2_E) for row in rows]
    begin = number * chunk
    end = minimum(begin + chunk, Int32(k.shape[2]))
    shift = Int32(k.shape[2]) - Int32(q.shape[2])

    mine = Products(plan, thread)
    m, l = Float32(LEAST), Float32(0.0)
    zeros = _access.splat(0.0, PIECE).ir_value()
    o = [TensorSSA(zeros, query.shape, Float32) for query in queries]
    for base in range_(begin, end, plan.places * UNROLL):
        numbers = [base + place + u * plan.places for u in range_constexpr(UNROLL)]
        near = [minimum(j, end - 1) for j in numbers]
        ks = [keys[None, lane, j].load() for j in near]
        vs = [values[None, lane, j].load() for j in near]
        s = mine.of(queries, [x.to(Float32) for x in ks])
        last = end
        if plan.is_causal:
            last = minimum(end, at(plan, q, head, first + mine.row)[1] + shift + 1)
        exists = [base + place + u * plan.places < last for u in mine.keys]
        s = [chosen(e, x, Float32(LEAST)) for e, x in zip(exists, s)]
        most = mine.largest(m, s)
        scale_of_sums = power(m, most)
        p = [chosen(e, power(x, most), Float32(0.0)) for e, x in zip(exists, s)]
        m, l = most, l * scale_of_sums
        for x in p:
            l = l + x
        vs = [x.to(Float32) for x in vs]
        for r in range_constexpr(plan.rows):
            o[r] = o[r] * mine.of_row(scale_of_sums, r)
            for u in range_constexpr(UNROLL):
                o[r] = o[r] + vs[u] * mine.of_key(p, r, u)
    merge(plan, parts, sums, (number, batch, head, first), (lane, place),
          (mine, m, mine.sum_of_row(l), o), q)


class Products:
    """The products of some rows and keys, spread over the lanes of a key.

    Product i is that of row i // UNROLL and of key i % UNROLL. Each lane has the sums of a few
    that follow each other, all of one row: where there are fewer products than lanes, lanes
    that follow each other have the same.
    """

    def __init__(self, plan: Plan, thread: Any):
        self.lanes, count = plan.lanes, plan.rows * UNROLL
        self.kept = max(1, count // self.lanes)  # of a lane
        self.copies = max(1, self.lanes // count)  # lanes that have the same
        self.lane = thread % self.lanes
        self.begin = thread % 32 - self.lane  # the key's first lane
        number = self.lane // self.copies * self.kept
        self.row = number // UNROLL
        self.keys = [number % UNROLL + i for i in range(self.kept)]

    def of(self, queries: Any, keys: Any) -> Any:
        """Returns a lane's sums: in each step it gives those of one half away."""
        found = [(query * x).reduce(ReductionOp.ADD, Float32(0.0), 0)
                 for query in queries for x in keys]
        bit = self.lanes // 2
        while bit:
            if len(found) > 1:
                half = len(found) // 2
                is_upper = (self.lane & bit) != 0
                pairs = list(zip(found[:half], found[half:]))
                given = [chosen(is_upper, a, b) for a, b in pairs]
                found = [chosen(is_upper, b, a) + arch.shuffle_sync_bfly(x, bit)
                         for (a, b), x in zip(pairs, given)]
            else:
                found = [found[0] + arch.shuffle_sync_bfly(found[0], bit)]
            bit //= 2
        return found

    def _lanes_of_row(self) -> Any:
        """Returns the bits of lanes by which products of a row differ."""
        lanes, bit = UNROLL // self.kept, self.copies
        return [bit << i for i in range(lanes.bit_length() - 1)]

    def largest(self, m: Any, products: Any) -> Any:
        """Returns the maximum of m and of all products of the lane's row."""
        for x in products:
            m = _access.larger(m, x)
        for bit in self._lanes_of_row():
            m = _access.larger(m, arch.shuffle_sync_bfly(m, bit))
        return m

    def sum_of_row(self, l: Any) -> Any:
        """Returns the sum over all products of the lane's row."""
        for bit in self._lanes_of_row():
            l = l + arch.shuffle_sync_bfly(l, bit)
        return l

    def of_row(self, value: Any, row: int) -> Any:
        """Returns the value that lanes of a row have."""
        return self._from(value, row * UNROLL)

    def of_key(self, values: Any, row: int, key: int) -> Any:
        """Returns the value of a product."""
        number = row * UNROLL + key
        return self._from(values[number % self.kept], number)

    def _from(self, value: Any, number: int) -> Any:
        return arch.shuffle_sync(value, self.begin + number // self.kept * self.copies)


def pieces(plan: Plan, a: Tensor, batch: Any, head: Any) -> Tensor:
    """Returns (element, lane, row) of a head."""
    strides = [core.assume(stride, divby=PIECE) for stride in a.stride[:3]]
    shape = (PIECE, plan.lanes, *a.shape[:3])
    whole = make_tensor(a.iterator, core.make_layout(shape, stride=(1, PIECE, *strides)))
    return whole[None, None, batch, head, None]


def at(plan: Plan, q: Tensor, head: Any, number: Any) -> Any:
    """Returns the query head and the row with a number among those that share keys, or the
    last one's."""
    number = minimum(number, Int32(q.shape[2]) * plan.group - 1)
    return head * plan.group + number % plan.group, number // plan.group


@jit
def chosen(condition: Any, a: Any, b: Any) -> Any:
    """Returns one of two numbers."""
    return a if condition else b


def power(x: Any, most: Any) -> Any:
    """Returns 2^(x - most), where ``most`` is not less than x."""
    return _math.exp2(x - most, fastmath=True)


@jit
def merge(plan: Plan, parts: Tensor, sums: Tensor, where: Any, thread: Any, found: Any,
          q: Tensor) -> None:
    """Writes the results of a block's threads as one."""
    number, batch, head, first = where
    lane, place = thread
    mine, m, l, o = found
    shared = make_tensor(_allocate(Float32, plan.places * plan.rows * plan.d, 16),
                         core.make_layout((plan.d, plan.rows, plan.places)))
    pairs = make_tensor(_allocate(Float32, plan.places * plan.rows * 2, 16),
                        core.make_layout((2, plan.rows, plan.places)))
    for r in range_constexpr(plan.rows):
        to = make_tensor(shared.iterator, core.make_layout(
            (PIECE, plan.lanes, plan.rows, plan.places),
            stride=(1, PIECE, plan.d, plan.rows * plan.d)))[None, lane, r, place]
        to.store(o[r])
    if lane % (mine.copies * (UNROLL // mine.kept)) == 0:
        pairs[0, mine.row, place] = m
        pairs[1, mine.row, place] = l
    arch.sync_threads()
    count = Int32(q.shape[2]) * plan.group
    per_batch = Int32(parts.shape[1]) // Int32(q.shape[0])
    t, _, _ = arch.thread_idx()
    for i in range_(t, plan.rows * plan.d, THREADS):
        r, x = i // plan.d, i % plan.d
        most, l_all, value = Float32(LEAST), Float32(0.0), Float32(0.0)
        for p in range_constexpr(plan.places):
            most = _access.larger(most, pairs[0, r, p])
        for p in range_constexpr(plan.places):
            weight = power(pairs[0, r, p], most)
            l_all = l_all + pairs[1, r, p] * weight
            value = value + shared[x, r, p] * weight
        if first + r < count:
            row = batch * per_batch + head * count + first + r
            parts[number, row, x] = value
            if x == 0:
                sums[number, row, 0] = most
                sums[number, row, 1] = l_all


@kernel
def total(q: Tensor, k: Tensor, v: Tensor, out: Tensor, parts: Tensor, sums: Tensor,
          scale: Float32, chunk: Int32, plan: Constexpr) -> None:
    """Weighs the results of all chunks for a row."""
    row, _, _ = arch.block_idx()
    x, _, _ = arch.thread_idx()
    most = Float32(LEAST)
    for i in range_(0, parts.shape[0]):
        most = _access.larger(most, sums[i, row, 0])
    l, value = Float32(0.0), Float32(0.0)
    for i in range_(0, parts.shape[0]):
        weight = power(sums[i, row, 0], most)
        l = l + weight * sums[i, row, 1]
        value = value + weight * parts[i, row, x]
    count = Int32(q.shape[2]) * plan.group
    per_batch = Int32(parts.shape[1]) // Int32(q.shape[0])
    in_batch = row % per_batch
    head, place = at(plan, q, in_batch // count, in_batch % count)
    out[row // per_batch, head, place, x] = (value / _access.larger(l, 1.0e-30)).to(
        out.element_type)
