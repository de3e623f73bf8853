"""O = softmax(scale * Q K^T) V on tensor cores by mma.sync, for each batch and head.

Q and O are (batch, head, row, d), K and V (batch, head, column, d) of one ``type``, in which
the last mode is contiguous and the others have any stride, with ``vec`` = 8 a multiple of 8.
Any extents. With ``causal`` = 0 a row sees all columns; with 1 + 2 s, where 1 is that of
squares, row m sees those up to m + s, and is 0 where there are none.

How the work is split (FlashAttention-2 of Tri Dao, 2023):

- a block has ``bm`` rows of Q of one head, in steps of ``bn`` rows of K and V;
- a warp has ``bm / warps`` of the rows and all columns: what a softmax needs stays in a
  warp, a row with four neighbouring threads;
- the instruction is mma.sync 16x8x16, once with S = Q K^T for its sums, once with
  O = O + P V.

S and P never leave registers: what an accumulator of S is to a thread, an operand of the
second product also is, except for the order of modes, which is a layout.

A step adds P = 2^(c S - m), with c = scale log2(e), to the rows' sums l, and P V to O. In
the end O is divided by l, so that any m does that all of a row have in common and no P
overflows with. It is the maximum of c S up to some step. Where a row of the warp has found
a maximum that is more than 8 larger, m becomes the maximum, and O and l are scaled by
2^(old m - new m); else P is at most 2^8.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Mapping

from .. import arch, core
from .. import math as _math
from .._compile.arguments import Constexpr
from .._frontend.control import maximum, minimum, range_constexpr
from .._compile.jit import jit, kernel
from .._values.numeric import BFloat16, Float16, Float32, Int32, Uint32
from .._values.tensor import Tensor
from .._values.tensor_ssa import ReductionOp, full_like, where
from ..nvgpu import warp
from . import _access
from ._strips import AsyncTiles, StripTiles
from ._program import Program

LOG2_E = 1.44269504
LEAST = -1.0e30
MOST_GROWTH = 8.0  # of a maximum, in log2, before sums are scaled
NEVER = 0x40000000
TYPES = {"f16": Float16, "bf16": BFloat16}


@dataclasses.dataclass(frozen=True)
class Plan:
    """How the kernel is cut into tiles."""

    type: str
    d: int
    bm: int
    bn: int
    vec: int
    warps: int

    @property
    def threads(self) -> int:
        return 32 * self.warps

    @property
    def dtype(self) -> Any:
        """The type of Q, K, V, O, and P as an operand."""
        return TYPES[self.type]

    @property
    def m_reps(self) -> int:
        """Instructions of a warp along M."""
        return self.bm // (16 * self.warps)

    @property
    def rows(self) -> int:
        """Rows of S that a thread has elements of."""
        return 2 * self.m_reps

    @property
    def matrix(self) -> str:
        """The type of Q, K, V and O."""
        stride, align = ("?{i64 div=8}", 16) if self.vec == 8 else ("?{i64}", 2)
        strides = ",".join([stride] * 3)
        return f'!cute.tensor<{self.type}, gmem, align<{align}>, "(?,?,?,{self.d}):({strides},1)">'


_DERIVED = (
    "threads", "m_reps", "rows",
)


def plan_of(values: Mapping[str, Any]) -> Plan:
    """Returns the plan that values have the parameters of."""
    return Plan(**{f.name: values[f.name] for f in dataclasses.fields(Plan)})


def derived(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what follows from the parameters, for the tuner's expressions."""
    plan = plan_of(values)
    return {name: getattr(plan, name) for name in _DERIVED}


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernel of some parameters."""
    plan = plan_of(values)
    made = Program(values["name"])
    made.add(
        values["name"], attention, *[plan.matrix] * 4, Float32, Int32,
        threads=plan.threads, plan=plan,
        grid=[f"ceil_div(arg0.shape[2], {plan.bm})", "arg0.shape[1]", "arg0.shape[0]"],
    )
    return made


class Products:
    """Both products of a block: fragments, and copies by ldmatrix to them.

    The permutation gives each warp two instructions side by side in N, whose B fragments
    one ldmatrix.x4 loads.
    """

    def __init__(self, plan: Plan, tiles: Any, thread: Any):
        self.plan, self.tiles = plan, tiles
        op = warp.MmaF16BF16Op(plan.dtype, Float32, (16, 8, 16))
        warps = core.make_layout((plan.warps, 1, 1), stride=(1, 0, 0))
        self.mma = core.make_tiled_mma(op, warps, (16 * plan.warps, 16, 16))
        of_thread = self.mma.get_slice(thread)
        values = core.select(tiles.values, mode=[1, 0, 2])  # V transposed
        self.q = of_thread.make_fragment_A(of_thread.partition_A(tiles.queries))
        self.k = of_thread.make_fragment_B(
            of_thread.partition_B(tiles.keys[None, None, 0]))
        self.v = of_thread.make_fragment_B(of_thread.partition_B(values[None, None, 0]))
        columns = core.make_tensor(0, core.make_layout((plan.bm, plan.bn), stride=(0, 1)))
        rows = core.make_tensor(0, core.make_layout((plan.bm, plan.d), stride=(1, 0)))
        self.s = of_thread.make_fragment_C(of_thread.partition_C(columns))
        self.o = of_thread.make_fragment_C(of_thread.partition_C(rows))
        self._pair_up()
        self._read_shared(thread, values)

    def _pair_up(self) -> None:
        """Takes two of the instructions that are side by side in N together, and P, which
        lies as S does, as operand A: two neighbours in N are one in K."""
        m, n = self.plan.m_reps, self.plan.bn // 16
        self.k_pairs, self.v_pairs = (
            core.logical_divide(x, (None, 2, None)) for x in (self.k, self.v))
        self.s_pairs, self.o_pairs = (
            core.logical_divide(x, (None, None, 2)) for x in (self.s, self.o))
        self.p = core.make_fragment_like(self.s, self.plan.dtype)
        as_a = core.make_layout(((2, 2, 2), m, n), stride=((1, 2, 4 * m), 4, 8 * m))
        self.s_as_a, self.p_as_a = (core.composition(x, as_a) for x in (self.s, self.p))

    def _read_shared(self, thread: Any, values: Tensor) -> None:
        dtype = self.plan.dtype
        plain = core.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), dtype)
        transposed = core.make_copy_atom(warp.LdMatrix8x8x16bOp(True, 4), dtype)
        self.load_q = core.make_tiled_copy_A(plain, self.mma)
        self.load_k = core.make_tiled_copy_B(plain, self.mma)
        self.load_v = core.make_tiled_copy_B(transposed, self.mma)
        self.from_q = self.load_q.get_slice(thread).partition_S(self.tiles.queries)
        self.from_k = self.load_k.get_slice(thread).partition_S(self.tiles.keys)
        self.from_v = self.load_v.get_slice(thread).partition_S(values)
        self.to_q = self.load_q.retile(self.q)
        self.to_k = self.load_k.retile(self.k)
        self.to_v = self.load_v.retile(self.v)

    def scores(self, stage: Any) -> None:
        """S = Q K^T of the keys of a stage."""
        _access.clear(self.s)
        for k in range(self.plan.d // 16):
            keys = self.from_k[None, None, k, stage]
            core.copy(self.load_q, self.from_q[None, None, k], self.to_q[None, None, k])
            to = self.to_k[None, None, k]
            for n in range(self.plan.bn // 16):
                core.copy(self.load_k, keys[None, n], to[None, n])
                sums = self.s_pairs[None, None, (None, n)]
                core.gemm(self.mma, sums, self.q[None, None, k],
                          self.k_pairs[None, (None, n), k], sums)

    def weigh(self, k: int, stage: Any) -> None:
        """O = O + P V of 16 columns of P, block k of them."""
        values, to = self.from_v[None, None, k, stage], self.to_v[None, None, k]
        for n in range(self.plan.d // 16):
            core.copy(self.load_v, values[None, n], to[None, n])
            sums = self.o_pairs[None, None, (None, n)]
            core.gemm(self.mma, sums, self.p_as_a[None, None, k],
                      self.v_pairs[None, (None, n), k], sums)


@kernel
def attention(q: Tensor, k: Tensor, v: Tensor, o: Tensor, scale: Float32, causal: Int32,
              plan: Constexpr) -> None:
    """Writes the attention of a block's rows to ``o``."""
    x, head, batch = arch.block_idx()
    blocks, _, _ = arch.grid_dim()
    thread, _, _ = arch.thread_idx()
    is_causal = causal != 0
    # The later rows have more to do and come first.
    tile = blocks - (x + 1) if is_causal else x
    first = tile * plan.bm
    q, k, v, o = (t[batch, head, None, None] for t in (q, k, v, o))
    rows, columns = q.shape[0], k.shape[0]
    kind = AsyncTiles if plan.vec == 8 else StripTiles
    tiles = kind(plan, core.local_tile(q, (plan.bm, plan.d), (tile, 0)),
                 *(core.local_tile(t, (plan.bn, plan.d), (None, 0)) for t in (k, v)), thread)
    products = Products(plan, tiles, thread)
    _access.clear(products.o)
    tiles.fetch_queries(rows - first)
    for j in range(1):
        tiles.fetch(j, j, columns)
    after = first + (causal >> 1)
    seen = among(after + plan.bm, columns) if is_causal else columns
    full = among(after + 1, columns) if is_causal else columns
    steps = Int32(Uint32(seen + (plan.bn - 1)) // plan.bn)
    full_steps = Int32(Uint32(full) // plan.bn)
    c = scale * LOG2_E
    m = _access.splat(LEAST, plan.rows)
    l = _access.splat(0.0, plan.rows)
    for j in range(steps):
        tiles.wait()
        arch.sync_threads()
        stage = j & 1
        tiles.fetch(j + 1, 1 - stage, columns)
        products.scores(stage)
        if j >= full_steps:
            mask(products, after, j, columns, is_causal)
        m, l = step(products, stage, c, m, l)
    tiles.wait()
    _store(products, tiles, l, core.local_tile(o, (plan.bm, plan.d), (tile, 0)), rows - first)


def among(column: Any, columns: Any) -> Any:
    """Returns how many columns there are before one."""
    return minimum(columns, maximum(column, 0))


@jit
def mask(products: Products, after: Any, j: Any, columns: Any, is_causal: Any) -> None:
    """Makes those elements of S -inf that do not count: column n does for row m if
    n < N and, if causal, n <= m + s; ``after`` is m + s of the block's first row."""
    plan = products.plan
    of_thread = products.mma.get_slice(_access.thread_anew())
    shape = (plan.bm, plan.bn)
    rows = of_thread.partition_C(
        core.make_tensor(0, core.make_layout(shape, stride=(1, 0))))
    numbers, column = _access.from_first(of_thread.partition_C(
        core.make_tensor(0, core.make_layout(shape, stride=(0, 1)))))
    column = j * plan.bn + column
    left = columns - column
    row = after + 1 + rows.iterator
    last = row - column if is_causal else Int32(NEVER)
    for i in range_constexpr(plan.rows):
        seen = last + (i % 2 * 8 + i // 2 * 16 * plan.warps)
        at = ((None, i % 2), i // 2, None)
        part = products.s[at]
        counts = _access.below(numbers[at], minimum(left, seen)).load()
        s = part.load()
        part.store(where(counts, s, full_like(s, -math.inf)))


def step(products: Products, stage: Any, c: Any, m: Any, l: Any) -> Any:
    """Adds P to the rows' sums and P V to O; returns the rows' m and l."""
    plan = products.plan
    s = products.s.load()
    of_thread = s.reduce(ReductionOp.MAX, LEAST, ((1, None), None, 1))
    here = _access.for_each(lambda x: _access.across("maximumf", x, 4), of_thread) * c
    most = _access.larger(m, here.reshape(m.shape))
    m, l = keep(products, m, l, most)
    minus_m = _access.repeat(-m, ((1, 2, 1), plan.m_reps), ((2, 2, 2), plan.m_reps))
    for k in range(plan.bn // 16):
        piece = products.s_as_a[None, None, k].load()
        p = _math.exp2(_math.fma(piece, c, minus_m), fastmath=True)
        l = l + p.reduce(ReductionOp.ADD, -0.0, ((1, None, 1), None)).reshape(l.shape)
        products.p_as_a[None, None, k].store(p.to(plan.dtype))
        products.weigh(k, stage)
    return m, l


@jit
def keep(products: Products, m: Any, l: Any, most: Any) -> Any:
    """Returns the rows' m and l: where a maximum has grown much, the maxima, and O and l
    are scaled."""
    growth = _access.largest(most - m)
    if arch.vote_any_sync(growth > MOST_GROWTH):
        factor = _math.exp2(m - most, fastmath=True)
        l = l * factor
        o = products.o.load()
        products.o.store(o * _of_rows(products, factor))
        m = most
    return m, l


def _of_rows(products: Products, factor: Any) -> Any:
    """Returns the factors of rows for each element of O."""
    m = products.plan.m_reps
    return _access.repeat(factor, ((1, 2), m, 1), ((2, 2), m, products.plan.d // 8))


def _store(products: Products, tiles: Any, l: Any, to: Tensor, rows: Any) -> None:
    """Writes O divided by l. Of no columns the sum is 0, and so is O."""
    total = _access.for_each(lambda x: _access.across("add", x, 4), l)
    inverse = 1.0 / _access.larger(total, 1.0e-30)
    o = (products.o.load() * _of_rows(products, inverse)).to(products.plan.dtype)
    result = core.make_fragment_like(products.o, products.plan.dtype)
    result.store(o)
    arch.sync_threads()
    thread = _access.thread_anew()
    atom = _access.copy_atom("UniversalCopy<uint32_t>", products.plan.dtype)
    copy = core.make_tiled_copy_C(atom, products.mma)
    core.copy(copy, copy.retile(result), copy.get_slice(thread).partition_D(tiles.queries))
    arch.sync_threads()
    tiles.store_rows(thread, to, rows)
