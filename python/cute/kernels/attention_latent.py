"""Attention of few rows to latent keys in pages, as multi-head latent attention decodes.

All heads share one key, whose first elements are also the value: heads are rows of a product,
and a tile of keys is read from memory once for both. A block has up to 64 rows and a chunk of the
keys, 64 at a time, one step ahead:

- S = Q K^T by mma.sync 16x8x16: warps side by side have 16 keys each, and all of the rows, or half;
- m, the maximum of c S with c = scale log2(e), is that of all warps, by way of shared memory; so
  is P = 2^(c S - m);
- O = O + P V: each of the warps has a part of V's elements.

On Hopper, one row of each of many heads goes through the plain loop of
``examples/attention_latent_plain.mlir``, by TMA and wgmma.

A second kernel, that of :mod:`_attention_split`, weighs the results of all chunks, in their order,
so that equal inputs give equal bits. A row that sees no key is 0.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Mapping, Optional

from .. import arch, core
from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import maximum, minimum, range_constexpr
from .._values.numeric import Float32, Int32, Int64, Uint32
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import ReductionOp, full_like, vector_of, where
from ..nvgpu import warp
from . import _access, _arrays, _attention_split, _attention_sum, _calls, _loading, _text
from ._attention_operands import (PRODUCTS, Options, check_out, maker, need_regular, results_of,
                                  run, without_sums)
from ._attention_split import TYPES
from ._attention_sum import LEAST, LOG2_E, at
from ._program import Program
from .attention_paged import check_pages

KEYS, ACROSS = 64, 4  # keys at a time, and warps side by side
SIZES = (64, 128, 192, 256, 320, 384, 448, 512, 576)  # of keys, and of values that are no longer


def attention_latent(
    q: Any,
    kv: Any,
    pages: Any,
    lengths: Any,
    out: Any = None,
    *,
    dv: int = 512,
    scale: Optional[float] = None,
    is_causal: bool = False,
    return_lse: bool = False,
    stream: Any = None,
) -> Any:
    """Returns the attention of queries (batch, head, row, d) to latent keys in pages.

    Keys are (page, slot, d), and their first ``dv`` elements are the values: of float16 or
    bfloat16, d and ``dv`` multiples of 64 up to 576. Pages have a multiple of 64 slots, and
    ``pages`` and ``lengths`` are as for :func:`attention_paged`, as are ``is_causal``, ``out`` and
    ``return_lse``. ``scale`` is 1/sqrt(d) by default. Rows begin at multiples of 16 bytes.
    From sm_90 on. Does not wait.
    """
    options = (scale, bool(is_causal), int(dv))
    return run(_prepare, (q, kv, pages, lengths), out, stream, options, return_lse)


def _prepare(q: Any, kv: Any, pages: Any, lengths: Any, *rest: Any) -> Any:
    """Returns the call of an attention."""
    out, (scale, is_causal, dv), has_sums = without_sums(rest)
    options = Options(scale, is_causal)
    ordinal = _loading.place(q, kv, pages, lengths)
    _check(q, kv, dv)
    check_pages(q, kv.shape[1], KEYS, pages, lengths)
    values = kv[..., :dv]
    new = maker(q, values, out, has_sums)
    results = results_of(new, out, has_sums)
    arrays = {"q": q, "kv": kv, "pages": pages, "lengths": lengths, "out": results[0],
              **({"lse": results[1]} if has_sums else {})}
    check_out(q, values, results[0])
    if 0 in (*kv.shape, *q.shape, *pages.shape):
        return _calls.Zero(new, (0, -math.inf)[:len(results)])
    _loading.place(*arrays.values())
    need_regular(q=q, kv=kv, out=results[0])
    device, count = _text.device(ordinal), q.shape[1] * q.shape[2]
    if device.arch < 90:
        raise ValueError("attention_latent is for sm_90 and later: it takes 227 KiB of shared memory")
    rows = next(n for n in (16, 32, 64) if n >= min(count, 64))
    is_plain = device.arch == 90 and rows == 64 and q.shape[2] == 1 and dv % 128 == 0
    plan = Plan(_arrays.element(q), q.shape[-1], dv, q.shape[1], rows, is_causal, has_sums)
    tiles, steps = q.shape[0] * -(-count // plan.rows), -(-pages.shape[1] * kv.shape[1] // KEYS)
    chunks = _attention_split.chunks_for(tiles, steps, device.multiprocessors)
    chunk = -(-steps // chunks) * KEYS
    shape = -(-steps * KEYS // chunk), q.shape[0] * count
    workspace = _arrays.Makers(
        _arrays.maker((*shape, n), "torch.float32", q.device) for n in (dv, 2))
    arrays.update(zip(("parts", "sums"), workspace()))
    order, parameters = list(arrays), tuple(dataclasses.asdict(plan).items())
    names = [name for name in order if not is_plain or name not in ("out", "lse")]
    first = (_text.kernel("attention_latent_plain", ordinal, D=plan.width, DV=dv, T=plan.type,
                          PRODUCT=PRODUCTS[plan.type]) if is_plain else
             _loading.kernel(program, parameters, "attention_latent", ordinal))
    second = _loading.kernel(program_of_sum, parameters, _attention_sum.name_for(shape[0]), ordinal)
    launches = [(made, (*(_arrays.argument(arrays[name]) for name in taken),
                        options.scale_for(q), chunk), None)
                for made, taken in ((first, names), (second, order))]
    places = [[order.index(name) for name in taken] for taken in (names, order)]
    return _calls.Call(ordinal, launches, new, workspace, places=places if is_plain else ())


def _check(q: Any, kv: Any, dv: int) -> None:
    """Raises where q and kv do not fit one another."""
    types = {str(q.dtype), str(kv.dtype)}
    if types not in ({"torch.float16"}, {"torch.bfloat16"}):
        raise TypeError(f"q and kv are of float16 or of bfloat16, not {', '.join(sorted(types))}")
    if q.dim() != 4 or kv.dim() != 3 or q.shape[-1] != kv.shape[-1]:
        raise ValueError("q is (batch, head, row, d) and kv (page, slot, d), not "
                         f"{tuple(q.shape)} and {tuple(kv.shape)}")
    if q.shape[-1] not in SIZES or dv not in SIZES or dv > q.shape[-1]:
        raise ValueError(f"d and dv are multiples of 64 up to 576, and dv is at most d, not "
                         f"{q.shape[-1]} and {dv}")


@dataclasses.dataclass(frozen=True)
class Plan:
    """How a block shares keys and rows."""

    type: str
    width: int  # of keys
    d: int  # of values
    group: int  # heads
    rows: int  # of a block
    is_causal: bool
    has_sums: bool

    overlaps = True

    @property
    def dtype(self) -> Any:
        """The type of Q, K and P as operands."""
        return TYPES[self.type]

    @property
    def halves(self) -> int:
        """Warps on top of each other."""
        return min(2, self.rows // 16)

    @property
    def reps(self) -> int:
        """Instructions of a warp along the rows."""
        return self.rows // (16 * self.halves)

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return 32 * ACROSS * self.halves

    @property
    def arguments(self) -> list[str]:
        """Names of the kernels' arguments."""
        return ["q", "kv", "pages", "lengths", "out", *["lse"] * self.has_sums, "parts", "sums",
                "scale", "chunk"]

    named = _attention_split.Plan.named


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernel of chunks."""
    plan, made = Plan(**values), Program("attention_latent")
    parts = f"arg{plan.arguments.index('parts')}"
    made.add("attention_latent", latent, *_types(plan), plan=plan, threads=plan.threads,
             grid=[f"{parts}.shape[0]", f"ceil_div(arg0.shape[1] * arg0.shape[2], {plan.rows})",
                   "arg0.shape[0]"])
    return made


def program_of_sum(values: Mapping[str, Any]) -> Program:
    """Returns the kernel that weighs chunks, which needs less shared memory."""
    plan, made = Plan(**values), Program("attention_sum")
    parts = f"arg{plan.arguments.index('parts')}"
    _attention_sum.add_kernels(made, plan, _types(plan), f"{parts}.shape[1]", True)
    return made


def _types(plan: Plan) -> list[Any]:
    """Returns the types of the kernels' arguments."""
    rows = {name: f'!cute.tensor<{plan.dtype.ir_name}, gmem, align<16>, '
                  f'"(?,?,?,{d}):(?{{i64}},?{{i64}},?{{i64}},1)">'
            for name, d in (("q", plan.width), ("out", plan.d))}
    kinds = {**rows, "kv": f'!cute.tensor<{plan.dtype.ir_name}, gmem, align<16>, '
                           f'"(?,?,{plan.width}):(?{{i64}},?{{i64}},1)">',
             "pages": '!cute.tensor<i32, gmem, align<4>, "(?,?):(?{i64},1)">',
             "lengths": '!cute.tensor<i32, gmem, align<4>, "(?):(1)">',
             "lse": '!cute.tensor<f32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},1)">',
             "parts": f'!cute.tensor<f32, gmem, align<16>, "(?,?,{plan.d}):(?{{i64}},{plan.d},1)">',
             "sums": '!cute.tensor<f32, gmem, align<8>, "(?,?,2):(?{i64},2,1)">',
             "scale": Float32, "chunk": Int32}
    return [kinds[name] for name in plan.arguments]


@kernel
def latent(*given: Any, plan: Constexpr) -> None:
    """Writes the results of a chunk of the keys."""
    arch.griddepcontrol_launch_dependents()
    of = plan.named(given)
    number, tile, batch = arch.block_idx()
    length = minimum(Int32(of.lengths[batch]), Int32(of.pages.shape[1]) * Int32(of.kv.shape[1]))
    begin = number * of.chunk
    block = Block(plan, of, batch, tile * plan.rows, begin, minimum(begin + of.chunk, length), length)
    block.run(of.scale * LOG2_E)
    block.write(of.parts, of.sums, number)


class Block:
    """The tiles and sums of a block.

    Rows of 128 bytes in shared memory have all banks once, in which S<3,3,3> permutes the eight
    16-byte pieces by the row number modulo 8.
    """

    def __init__(self, plan: Plan, of: Any, batch: Any, first: Any, begin: Any, end: Any, length: Any):
        self.plan, self.of, self.batch, self.first = plan, of, batch, first
        self.begin, self.end, self.length = begin, end, length
        self.thread, _, _ = arch.thread_idx()
        self.queries = self._allocate((plan.rows, plan.width))
        self.keys = self._allocate((KEYS, plan.width, 2))
        self.weights = self._allocate((plan.rows, KEYS))
        self.of_warps = _access.allocate(Float32, core.make_layout((ACROSS, plan.rows)), 16)
        self._multiply()
        self._read_shared()

    def _allocate(self, shape: Any) -> Tensor:
        atom = core.make_composed_layout(
            core.make_swizzle(3, 3, 3), 0, core.make_layout((8, 64), stride=(64, 1)))
        layout = core.tile_to_shape(atom, shape, tuple(range(len(shape))))
        return _access.allocate(self.plan.dtype, layout, 128)

    def _multiply(self) -> None:
        """Makes the fragments of both products. The permutation gives each warp two instructions
        side by side in N, whose B fragments one ldmatrix.x4 loads."""
        plan = self.plan
        op = warp.MmaF16BF16Op(plan.dtype, Float32, (16, 8, 16))
        warps = core.make_layout((plan.halves, ACROSS, 1), stride=(1, plan.halves, 0))
        self.mma = core.make_tiled_mma(op, warps, (16 * plan.halves, 16 * ACROSS, 16))
        part = self.mma.get_slice(self.thread)
        keys = self.keys[None, None, 0]
        self.values = core.local_tile(core.select(self.keys, mode=[1, 0, 2]), (plan.d, KEYS, 2), (0, 0, 0))
        self.q = part.make_fragment_A(part.partition_A(self.queries))
        self.p = part.make_fragment_A(part.partition_A(self.weights))
        self.k = part.make_fragment_B(part.partition_B(keys))
        self.v = part.make_fragment_B(part.partition_B(self.values[None, None, 0]))
        self.s, self.o = (part.make_fragment_C(part.partition_C(core.make_tensor(
            0, core.make_layout((plan.rows, n), stride=(0, 1))))) for n in (KEYS, plan.d))
        self.rounded = core.make_fragment_like(self.s, plan.dtype)
        self.k_pairs, self.v_pairs = (core.logical_divide(x, (None, 2, None)) for x in (self.k, self.v))
        self.s_pairs, self.o_pairs = (core.logical_divide(x, (None, None, 2)) for x in (self.s, self.o))

    def _read_shared(self) -> None:
        """Makes the copies from shared memory, and that of P to it."""
        dtype, thread = self.plan.dtype, self.thread
        plain, turned = (core.make_copy_atom(warp.LdMatrix8x8x16bOp(t, 4), dtype) for t in (False, True))
        self.load_a = core.make_tiled_copy_A(plain, self.mma)
        self.load_k, self.load_v = (core.make_tiled_copy_B(x, self.mma) for x in (plain, turned))
        self.from_q, self.from_p = map(self.load_a.get_slice(thread).partition_S, (self.queries, self.weights))
        self.from_k = self.load_k.get_slice(thread).partition_S(self.keys)
        self.from_v = self.load_v.get_slice(thread).partition_S(self.values)
        self.to_q, self.to_p = map(self.load_a.retile, (self.q, self.p))
        self.to_k, self.to_v = self.load_k.retile(self.k), self.load_v.retile(self.v)
        self.store_p = core.make_tiled_copy_C(_access.copy_atom("UniversalCopy<uint32_t>", dtype), self.mma)

    # ---- From memory ----

    def fetch_queries(self) -> None:
        """Begins to fetch the rows, the last one in place of missing ones."""
        atom = _access.copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", self.plan.dtype)
        pieces = self.plan.width // 8
        for i in range(self.plan.rows * pieces // self.plan.threads):
            number = i * self.plan.threads + self.thread
            row, piece = number // pieces, number % pieces
            head, place = at(self.plan, self.of.q, 0, self.first + row)
            source = core.local_tile(_aligned(self.of.q, self.batch, head, place), (8,), (piece,))
            core.copy(atom, source, core.local_tile(self.queries[row, None], (8,), (piece,)))

    def fetch(self, j: Any, stage: Any) -> None:
        """Begins to fetch keys ``64 j`` of the chunk and on into a stage; keys that do not exist
        are 0."""
        left, slots = self.end - self.begin - j * KEYS, Uint32(self.of.kv.shape[1])
        number = Uint32(maximum(minimum(self.begin + j * KEYS, self.end - 1), 0) // KEYS * KEYS)
        page = self.of.pages[self.batch, Int32(number // slots)]
        tile = _aligned(self.of.kv, page, Int32(number % slots), rows=KEYS)
        atom = _access.copy_atom("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", self.plan.dtype)
        copy = core.make_tiled_copy_tv(
            atom, core.make_layout((self.plan.threads // 8, 8), stride=(8, 1)),
            core.make_layout((1, 8), stride=(0, 1)))
        part = copy.get_slice(self.thread)
        numbers = core.make_tensor(0, core.make_layout((KEYS, self.plan.width), stride=(1, 0)))
        numbers, first = _access.from_first(part.partition_S(numbers)[0, None, None])
        core.copy(copy, part.partition_S(tile), part.partition_D(self.keys[None, None, stage]),
                  pred=_access.below(numbers, left - first))
        arch.cp_async_commit_group()

    # ---- Products ----

    @jit
    def run(self, c: Any) -> None:
        """Adds up all keys of the chunk."""
        rows = 2 * self.plan.reps
        m, l = _access.splat(LEAST, rows), _access.splat(0.0, rows)
        _access.clear(self.o)
        self.fetch_queries()
        self.fetch(0, 0)
        steps = Int32(Uint32(maximum(self.end - self.begin, 0) + (KEYS - 1)) // KEYS)
        for j in range(steps):
            arch.cp_async_wait_group(0)
            arch.sync_threads()
            stage = j & 1
            self.fetch(j + 1, 1 - stage)
            self.scores(stage)
            left = self.end - self.begin - j * KEYS
            if self.plan.is_causal or left < KEYS:
                self.mask(j, left)
            m, l = self.step(stage, c, m, l)
        arch.cp_async_wait_group(0)
        self.m, self.l = m, l

    def scores(self, stage: Any) -> None:
        """S = Q K^T of the keys of a stage."""
        _access.clear(self.s)
        for k in range(self.plan.width // 16):
            core.copy(self.load_a, self.from_q[None, None, k], self.to_q[None, None, k])
            keys, to = self.from_k[None, None, k, stage], self.to_k[None, None, k]
            core.copy(self.load_k, keys[None, 0], to[None, 0])
            core.gemm(self.mma, self.s, self.q[None, None, k], self.k[None, None, k], self.s)

    def row_of(self, i: int) -> Any:
        """Returns the number in the block of a thread's row i."""
        warp_row = Int32(Uint32(self.thread // 32) % self.plan.halves) * 16
        return warp_row + i // 2 * 16 * self.plan.halves + i % 2 * 8 + self.thread % 32 // 4

    @jit
    def mask(self, j: Any, left: Any) -> None:
        """Makes those elements of S -inf that do not count, of so many keys that are left."""
        part, rows = self.mma.get_slice(self.thread), Int32(self.of.q.shape[2])
        numbers, first = _access.from_first(part.partition_C(core.make_tensor(
            0, core.make_layout((self.plan.rows, KEYS), stride=(0, 1)))))
        for i in range_constexpr(2 * self.plan.reps):
            seen = left
            if self.plan.is_causal:
                place = Int32(Uint32(self.first + self.row_of(i)) // self.plan.group)
                seen = minimum(left, self.length - rows + place + 1 - self.begin - j * KEYS)
            to = self.s[((None, i % 2), i // 2, None)]
            counts = _access.below(numbers[((None, i % 2), i // 2, None)], seen - first).load()
            s = to.load()
            to.store(where(counts, s, full_like(s, -math.inf)))

    def step(self, stage: Any, c: Any, m: Any, l: Any) -> Any:
        """Adds P to the rows' sums and P V to O; returns the rows' m and l."""
        reps = self.plan.reps
        s = self.s.load()
        here = _access.for_each(lambda x: _access.across("maximumf", x, 4),
                                s.reduce(ReductionOp.MAX, LEAST, ((1, None), None, 1)))
        most = _access.larger(m, self.of_all(here.reshape(m.shape) * c, _access.larger))
        shrink = _math.exp2(m - most, fastmath=True)
        minus_m = _access.repeat(-most, ((1, 2), reps, 1), ((2, 2), reps, 2))
        p = _math.exp2(_math.fma(s, c, minus_m.reshape(s.shape)), fastmath=True)
        l = l * shrink + p.reduce(ReductionOp.ADD, 0.0, ((1, None), None, 1)).reshape(l.shape)
        self.rounded.store(p.to(self.plan.dtype))
        part = self.store_p.get_slice(self.thread)
        core.copy(self.store_p, self.store_p.retile(self.rounded), part.partition_D(self.weights))
        o = self.o.load()
        columns = self.plan.d // (8 * ACROSS)
        factor = _access.repeat(shrink, ((1, 2), reps, 1), ((2, 2), reps, columns))
        self.o.store(o * factor.reshape(o.shape))
        arch.sync_threads()
        self.weigh(stage)
        return most, l

    def of_all(self, numbers: Any, combine: Any) -> Any:
        """Combines the numbers of warps side by side, for each of a thread's rows."""
        shared = self.of_warps
        self.keep_numbers(shared, self.thread // 32 // self.plan.halves, numbers)
        arch.sync_threads()
        found = []
        for i in range(numbers.size):
            row = self.row_of(i)
            one = shared[0, row]
            for w in range(1, ACROSS):
                one = combine(one, shared[w, row])
            found.append(one)
        return vector_of(found, Float32)

    @jit
    def keep_numbers(self, shared: Tensor, across: Any, numbers: Any) -> None:
        """Writes a warp's numbers of its rows."""
        if self.thread % 4 == 0:
            for i, x in enumerate(numbers.to_elements()):
                shared[across, self.row_of(i)] = x

    def weigh(self, stage: Any) -> None:
        """O = O + P V."""
        for k in range(KEYS // 16):
            core.copy(self.load_a, self.from_p[None, None, k], self.to_p[None, None, k])
            values, to = self.from_v[None, None, k, stage], self.to_v[None, None, k]
            for n in range(self.plan.d // (16 * ACROSS)):
                core.copy(self.load_v, values[None, n], to[None, n])
                sums = self.o_pairs[None, None, (None, n)]
                core.gemm(self.mma, sums, self.p[None, None, k], self.v_pairs[None, (None, n), k], sums)

    # ---- To memory ----

    @jit
    def write(self, parts: Tensor, sums: Tensor, number: Any) -> None:
        """Writes m, l and the sum of P V of each row that there is."""
        of_quad = _access.for_each(lambda x: _access.across("add", x, 4), self.l)
        arch.sync_threads()
        l = self.of_all(of_quad, lambda a, b: a + b)
        count = Int32(self.of.q.shape[1]) * Int32(self.of.q.shape[2])
        offset = (Int64(number) * parts.stride[0]
                  + Int64(self.batch * count + self.first) * self.plan.d)
        tile = make_tensor(parts.iterator + core.assume(offset, divby=self.plan.d), core.make_layout(
            (self.plan.rows, self.plan.d), stride=(self.plan.d, 1)))
        to = self.mma.get_slice(self.thread).partition_C(tile)
        for i in range_constexpr(2 * self.plan.reps):
            row = self.first + self.row_of(i)
            if row < count:
                to[((None, i % 2), i // 2, None)].store(self.o[((None, i % 2), i // 2, None)].load())
                if (self.thread // 32 // self.plan.halves == 0) & (self.thread % 4 == 0):
                    sums[number, self.batch * count + row, 0] = self.m[i]
                    sums[number, self.batch * count + row, 1] = l[i]


def _aligned(a: Tensor, *place: Any, rows: int = 0) -> Tensor:
    """Returns a row of pieces of 16 bytes, or so many rows from one on."""
    offset = sum((Int64(n) * stride for n, stride in zip(place, a.stride)), Int64(0))
    width = a.shape[-1]
    stride = core.assume(a.stride[len(place) - 1], divby=8)
    layout = core.make_layout((rows, width), stride=(stride, 1)) if rows else core.make_layout(width)
    return make_tensor(a.iterator + core.assume(offset, divby=8), layout)
