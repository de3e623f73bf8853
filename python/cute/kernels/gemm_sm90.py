"""D = f(A B^T) for H100 and H200: a plain loop, which ``cute-optimize`` makes TMA, wgmma,
warp roles and persistent blocks of (docs/hopper.md).

A is (M,K), B is (N,K) and D (M,N), all with a third mode that counts matrices if ``batches``.
In a product of groups, rows of A and D lie group after group, each with its matrix B, or a batch
of A and D has only some of its rows. The loop copies a tile of A and of B to shared memory, waits, and multiplies; then come the
``steps`` on the sums in float32, and the store. Types, majors, tiles and steps are fields of
``Product``.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Sequence

from .. import arch, core
from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._values.numeric import Float32, Int32, Uint32
from .._values.tensor import Tensor
from . import _access
from ._gemm_groups import Factors, group_of
from ._gemm_plan import TYPES
from ._program import Program

THREADS = 128
_ATOMS = {
    "f16": "SM80_16x8x16_F32F16F16F32_TN",
    "bf16": "SM80_16x8x16_F32BF16BF16F32_TN",
    "tf32": "SM80_16x8x8_F32TF32TF32F32_TN",
    "i8": "SM80_16x8x32_S32S8S8S32_TN",
}
_FLOATS = {"f8E4M3FN": "E4M3", "f8E5M2": "E5M2"}


@dataclasses.dataclass(frozen=True)
class Step:
    """A step on the sums.

    :param kind: ``scale``, ``add`` (of ``factor`` times the tensor), or an activation
    :param factor: whether a number is passed with the tensor, or alone
    :param tensor: the element type of a tensor that is passed, or nothing
    :param along: where it has strides: ``mn`` and contiguous rows, ``m``, ``n``, nowhere, or
        any strides (``?``)
    :param in_pairs: whether rows begin and end at pairs of elements
    :param in_lines: whether they begin at multiples of 16 bytes
    """

    kind: str
    factor: bool = False
    tensor: str = ""
    along: str = "mn"
    in_pairs: bool = False
    in_lines: bool = False

    def transposed(self) -> Step:
        """Returns the step on the sums transposed."""
        along = {"m": "n", "n": "m", "mn": "?"}.get(self.along, self.along)
        return dataclasses.replace(self, along=along, in_pairs=self.in_pairs and along == "n",
                                   in_lines=False)


@dataclasses.dataclass(frozen=True)
class Product:
    """The product to compute, and its tiles.

    :param a, b: element types, of 8 bits or equal; ``out`` that of D
    :param majors: the contiguous modes of A and B: k, or m and n
    :param whole: whether extents along contiguous modes of A, B and D are multiples of 16
        bytes
    :param batches: of A, B and D, whether they have a third mode
    :param gate: an activation, if B is two tensors: D = gate(A B1^T) (A B2^T)
    :param is_swapped: whether B is passed before A
    :param in_levels: whether the sum of each tile along K is added to the rest in float32
    :param scaled: whether it is multiplied before, by a factor of each row of A and one of each 128
        rows of B, for every 128 of K, which is then a tile's depth; both tensors are passed after
        the inputs, (M, K / 128) and (N / 128, K / 128)
    :param has_lines: whether the factors of rows of A lie side by side, in lines that begin at 16
        bytes
    :param d_major: ``n``, or ``m``
    :param groups: what a tensor says that is passed after the inputs, and B has a matrix for each
        group: ``ends`` of groups of rows, the group of each row (``rows``), equal for 128 of
        them and -1 for none, or how many rows each matrix of A and D has (``counts``)
    :param schedule: choices for the passes, such as (("stages", 4),)
    """

    a: str
    b: str
    out: str
    majors: str = "kk"
    d_major: str = "n"
    whole: tuple[bool, bool, bool] = (True, True, True)
    batches: tuple[bool, bool, bool] = (False, False, False)
    gate: str = ""
    is_swapped: bool = False
    in_levels: bool = False
    scaled: bool = False
    has_lines: bool = False
    steps: tuple[Step, ...] = ()
    groups: str = ""
    bm: int = 128
    bn: int = 128
    bk: int = 64
    schedule: tuple[tuple[str, int], ...] = ()

    def swapped(self) -> Product:
        """Returns the transposed product: B A^T."""
        majors = "".join(x if x == "k" else other for x, other in zip(self.majors[::-1], "mn"))
        return dataclasses.replace(
            self, a=self.b, b=self.a, majors=majors, d_major="m" if self.d_major == "n" else "n",
            whole=(self.whole[1], self.whole[0], self.whole[2]),
            batches=(self.batches[1], self.batches[0], self.batches[2]),
            is_swapped=not self.is_swapped, steps=tuple(s.transposed() for s in self.steps))

    @property
    def sum(self) -> str:
        """The type of sums."""
        return "i32" if self.a == "i8" else "f32"

    @property
    def atom(self) -> str:
        """The instruction of the plain loop."""
        if self.a in _FLOATS:
            return f"SM89_16x8x32_F32{_FLOATS[self.a]}{_FLOATS[self.b]}F32_TN"
        return _ATOMS[self.a]

    @property
    def has_rows(self) -> bool:
        """Whether D is stored in whole lines, by TMA."""
        return self.whole[2] and (self.d_major == "n" or width(self.out) == 16)

    @property
    def warps(self) -> tuple[int, int]:
        """How warps share a tile."""
        return (2, 2) if self.bn % 32 == 0 else (4, 1)

    @property
    def inputs(self) -> int:
        """How many matrices are multiplied."""
        return 3 if self.gate else 2

    @property
    def grid(self) -> list[str]:
        """Expressions for the number of blocks; D is the last argument. Each group may have
        a tile that it does not fill."""
        count = sum(bool(step.tensor) + step.factor for step in self.steps)
        d = f"arg{self.inputs + self.beside + count}"
        sizes = [f"ceil_div({d}.shape[0], {self.bm})", f"ceil_div({d}.shape[1], {self.bn})"]
        if self.groups == "ends":
            return [f"({sizes[0]} + arg{self.inputs}.shape[0]) * {sizes[1]}"]
        return sizes + [f"{d}.shape[2]"] * self.batches[2]

    @property
    def beside(self) -> int:
        """The number of tensors for groups and scales, after the inputs."""
        return bool(self.groups) + 2 * self.scaled

    def arguments(self) -> list[Any]:
        """The types of A and B, of groups and scales, of what the steps take, and of D."""
        a = _matrix(self.a, self.majors[0] == "k", self.whole[0], self.batches[0])
        b = _matrix(self.b, self.majors[1] == "k", self.whole[1], self.batches[1])
        types: list[Any] = [b, a] if self.is_swapped else [a] + [b] * (self.inputs - 1)
        types += ['!cute.tensor<i32, gmem, align<4>, "?:1">'] * bool(self.groups)
        scales = [_scales(batched, self.has_lines and i == self.is_swapped)
                  for i, batched in enumerate(self.batches[:2]) if self.scaled]
        types += reversed(scales) if self.is_swapped else scales
        for step in self.steps:
            types += [_beside(step, self.batches[2])] if step.tensor else []
            types += [Float32] if step.factor else []
        return types + [_matrix(self.out, self.d_major == "n", self.whole[2], self.batches[2],
                                self.has_rows)]


def width(element: str) -> int:
    """Returns the bits of an element."""
    return 32 if element == "tf32" else TYPES[element].width


def _matrix(element: str, is_along: bool, is_whole: bool, is_batched: bool,
            has_rows: bool = True) -> str:
    """Returns the type of a matrix whose second or first mode is contiguous."""
    unit = 128 // width(element) if has_rows else 1
    extent, pitch = f"?{{div={unit}}}" if is_whole else "?", f"?{{i64 div={unit}}}"
    shape, strides = f"?,{extent}", f"{pitch},1"
    if not is_along:
        shape, strides = f"{extent},?", f"1,{pitch}"
    if is_batched:
        shape, strides = shape + ",?", strides + "," + pitch
    return f'!cute.tensor<{element}, gmem, align<{unit * width(element) // 8}>, "({shape}):({strides})">'


def _beside(step: Step, is_batched: bool) -> str:
    """Returns the type of a tensor combined with the sums."""
    size = width(step.tensor) // 8
    unit = 16 // size if step.in_lines else 2 if step.in_pairs else 1
    pair = f" div={unit}" if unit > 1 else ""
    strides = {"mn": f"?{{i64{pair}}},1", "m": "1,0", "n": "0,1", "": "0,0",
               "?": "?{i64},?{i64}"}[step.along]
    shape = "?,?{div=2}" if step.in_pairs else "?,?"
    if is_batched:
        shape, strides = shape + ",?", strides + f",?{{i64{pair}}}"
    return f'!cute.tensor<{step.tensor}, gmem, align<{size * unit}>, "({shape}):({strides})">'


def _scales(is_batched: bool, has_lines: bool) -> str:
    """Returns the type of the scales of an operand."""
    align, row, pitch = (16, "1", "?{i64 div=4}") if has_lines else (4, "?{i64}", "?{i64}")
    shape, strides = ("?,?,?", f"{row},{pitch},{pitch}") if is_batched else ("?,?", f"{row},{pitch}")
    return f'!cute.tensor<f32, gmem, align<{align}>, "({shape}):({strides})">'


def program(values: dict[str, Any]) -> Program:
    """Returns the kernel of a product, ``values["product"]``."""
    product = values["product"]
    made = Program("gemm", is_plain=True)
    schedule = dict(product.schedule)
    if product.groups:  # blocks beyond the last tile have no rounds, and cost nothing
        schedule["persist"] = 1
    made.add("gemm", gemm, *product.arguments(), threads=THREADS, grid=product.grid,
             schedule=schedule, plan=product)
    return made


# ---- The kernel -------------------------------------------------------------


class Operand:
    """A tile of A or B: shared memory, fragments, and the copies to both."""

    def __init__(self, plan: Product, number: int, tensor: Tensor, mma: Any, thread: Any):
        extent, depth = (plan.bn if number else plan.bm), plan.bk
        element = plan.b if number else plan.a
        is_k_major = plan.majors[number] == "k"
        self.tensor, self.tiler, self.thread = tensor, (extent, depth), thread
        strides = (depth, 1) if is_k_major else (1, extent)
        dtype = TYPES[element]
        shared = _access.allocate(dtype, core.make_layout(self.tiler, stride=strides), 128)
        self.fetch = _copy(CP_ASYNC, dtype, self.tiler, is_k_major)
        self.to_shared = self.fetch.get_slice(thread).partition_D(shared)
        part = mma.get_slice(thread)
        self.fragment = (mma.make_fragment_B(part.partition_B(shared)) if number
                         else mma.make_fragment_A(part.partition_A(shared)))
        sides = ("SM75_U32x2_LDSM_N", "SM75_U16x4_LDSM_T") if extent % 16 else ("SM75_U32x4_LDSM_N", "SM75_U16x8_LDSM_T")
        name = sides[0 if is_k_major else 1]
        make = core.make_tiled_copy_B if number else core.make_tiled_copy_A
        self.load = make(_access.copy_atom(name, dtype), mma)
        self.from_shared = self.load.get_slice(thread).partition_S(shared)
        self.to_fragment = self.load.retile(self.fragment)

    def copy(self, at: Any, origin: Any = None) -> None:
        """Begins to copy the tile at a coordinate, with zeros for what does not exist."""
        part = self.fetch.get_slice(self.thread)
        source, exist = part.predicated_tile_S(self.tensor, self.tiler, at, origin)
        core.copy(self.fetch, source, self.to_shared, pred=exist)

    def read(self) -> None:
        """Loads the fragment."""
        core.copy(self.load, self.from_shared, self.to_fragment)


# Copies of 16 bytes, and of 8.
CP_ASYNC = ("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>")
PLAIN = ("UniversalCopy<uint128_t>", "UniversalCopy<uint64_t>")


def _copy(names: tuple[str, str], dtype: Any, shape: tuple[int, int], is_along: bool) -> Any:
    """Returns a copy of a tile by all threads, of 16 bytes each, or of 8 if a tile has an odd multiple of
    8 lines, neighbours along the contiguous mode."""
    line, lines = shape[::-1] if is_along else shape
    for name, bits in zip(names, (128, 64)):
        unit = bits // dtype.width
        across = line // unit
        across = min(across & -across, THREADS)
        rows = min(THREADS // across, lines & -lines)
        if rows * across == THREADS:
            break
    threads = core.make_layout((rows, across), stride=(across, 1))
    values = core.make_layout((1, unit), stride=(0, 1))
    if not is_along:
        threads = core.make_layout((across, rows), stride=(1, across))
        values = core.make_layout((unit, 1), stride=(1, 0))
    return core.make_tiled_copy_tv(_access.copy_atom(name, dtype), threads, values)


@kernel
def gemm(*arguments: Any, plan: Constexpr) -> None:
    """Writes a block's tile of D."""
    m, n, batch = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    group = group_of(plan, arguments, m, batch)
    if group is not None:
        m, batch = group.tile, group.number
        n = n if group.column is None else group.column
    inputs, scales, more, d = _of_batch(plan, arguments, batch)
    rows, columns = plan.warps
    atom_k = 256 // width(plan.a)
    mma = core.make_tiled_mma(_access.mma_op(plan.atom),
                              core.make_layout((rows, columns, 1), stride=(1, rows, 0)),
                              (16 * rows, (plan.bn & 8 or 16) * columns, atom_k))
    operands = [Operand(plan, min(i, 1), x, mma, thread) for i, x in _numbered(inputs)]
    part = mma.get_slice(thread)
    tile = core.local_tile(core.make_identity_tensor(d.shape), (plan.bm, plan.bn), (m, n))
    sums = [mma.make_fragment_C(part.partition_C(tile)) for _ in inputs[1:]]
    factors = Factors(plan, mma, scales, (m, n), thread) if scales else None
    rounds = Rounds(plan, mma, operands, sums, (m, n), group, factors)
    tiles = Int32(_access.ceil_div(Uint32(operands[0].tensor.shape[1]), plan.bk))
    add_up(rounds, tiles if group is None else group.rounds(tiles))
    tail = Tail(plan, d, mma, (m, n), thread, group)
    tail.store(tail.finish(rounds.total, more))


def _numbered(items: Sequence[Any]) -> list[tuple[int, Any]]:
    """Returns items with their numbers."""
    return list(enumerate(items))


def _of_batch(plan: Product, arguments: Sequence[Any], batch: Any) -> Any:
    """Returns A and B, their scales, what the steps take, and D, of a block's batch."""
    inputs = list(arguments[:plan.inputs])
    scales = arguments[plan.inputs + bool(plan.groups):plan.inputs + plan.beside]
    if plan.is_swapped:
        inputs, scales = inputs[::-1], scales[::-1]
    flags = [plan.batches[min(i, 1)] for i in range(plan.inputs)]
    inputs = [x[None, None, batch] if flag else x for x, flag in zip(inputs, flags)]
    scales = [x[None, None, batch] if flag else x for x, flag in zip(scales, flags)]
    rest = [x[None, None, batch] if plan.batches[2] and isinstance(x, Tensor) else x
            for x in arguments[plan.inputs + plan.beside:]]
    return inputs, scales, rest[:-1], rest[-1]


class Rounds:
    """The rounds of the loop along K, and the sums."""

    def __init__(self, plan: Product, mma: Any, operands: list[Operand], sums: list[Tensor],
                 at: Any, group: Any, factors: Any):
        self.mma, self.operands, self.sums, self.at = mma, operands, sums, at
        self.factors = factors
        self.origins = [group.origin if group else None, *[None] * len(sums)]
        self.total = sums
        if plan.in_levels:
            self.total = [core.make_fragment_like(x) for x in sums]
        for x in (sums if self.total is sums else [*sums, *self.total]):
            _access.clear(x)

    def round(self, k: Any) -> None:
        """Adds the products of tile k."""
        for i, operand in enumerate(self.operands):
            operand.copy((self.at[min(i, 1)], k), self.origins[i])
        if self.factors:
            self.factors.copy(k)
        arch.cp_async_commit_group()
        arch.cp_async_wait_group(0)
        arch.sync_threads()
        for operand in self.operands:
            operand.read()
        a, *others = [operand.fragment for operand in self.operands]
        factors = self.factors.load(k) if self.factors else None
        for x, b in zip(self.sums, others):
            core.gemm(self.mma, x, a, b, x)
        if self.total is not self.sums:
            self._add_to_total(factors)
        arch.sync_threads()

    def _add_to_total(self, factors: Any) -> None:
        for all_of_it, x in zip(self.total, self.sums):
            sums = x.load() if factors is None else x.load() * factors
            all_of_it.store(all_of_it.load() + sums)
            _access.clear(x)


@jit
def add_up(rounds: Rounds, tiles: Any) -> None:
    """Adds up the products of the tiles along K."""
    for k in range(tiles):
        rounds.round(k)


# ---- Results ---------------------------------------------------------------


def _sigmoid(x: Any) -> Any:
    return 0.5 * _math.tanh(0.5 * x, fastmath=True) + 0.5


def _gelu(x: Any) -> Any:
    inner = x * (0.79788456 + 0.03567741 * x * x)
    return x * (0.5 * _math.tanh(inner, fastmath=True) + 0.5)


ACTIVATIONS = {
    "relu": lambda x: _access.larger(x, 0.0),
    "gelu": _gelu,  # by tanh
    "silu": lambda x: x * _sigmoid(x),
    "sigmoid": _sigmoid,
}


class Tail:
    """The block's tile of D, and what comes before its store.

    :param d: the matrix, (M,N)
    :param group: of whose rows the tile is, or None
    """

    def __init__(self, plan: Product, d: Tensor, mma: Any, at: Any, thread: Any, group: Any):
        self.plan, self.d, self.mma, self.at, self.thread = plan, d, mma, at, thread
        self.shape = (plan.bm, plan.bn)
        self.origin = None
        if group is not None and group.origin is not None:
            self.origin = group.origin
            layout = core.make_layout((group.end, d.shape[1]), stride=d.stride)
            self.d = core.make_tensor(d.iterator, layout)

    def finish(self, sums: Any, more: list[Any]) -> Tensor:
        """Returns the elements of D in registers.

        :param more: tensors and numbers of the steps, in their order
        """
        plan = self.plan
        result = core.make_fragment_like(sums[0], TYPES[plan.out])
        if not plan.steps and not plan.gate:
            _access.convert(sums[0], result)
            return result
        x = sums[0].load().to(Float32)
        if plan.gate:
            x = ACTIVATIONS[plan.gate](x) * sums[1].load()
        for step in plan.steps:
            x = self._step(step, x, sums[0], more)
        if width(plan.out) == 8:
            wide = core.make_fragment_like(sums[0])
            wide.store(x)
            _access.convert(wide, result)
        else:
            result.store(x.to(TYPES[plan.out]))
        return result

    def _step(self, step: Step, x: Any, like: Tensor, more: list[Any]) -> Any:
        if step.kind in ACTIVATIONS:
            return ACTIVATIONS[step.kind](x)
        value = self._read(step, more.pop(0), like) if step.tensor else None
        if step.factor:
            factor = more.pop(0)
            value = factor if value is None else value * factor
        return x * value if step.kind == "scale" else x + value

    def _read(self, step: Step, tensor: Tensor, like: Tensor) -> Any:
        """Returns the elements of a tensor that belong to D's elements, in float32."""
        dtype = TYPES[step.tensor]
        bits = dtype.width * (2 if step.in_pairs else 1)
        copy = core.make_tiled_copy_C(
            _access.copy_atom(f"UniversalCopy<uint{bits}_t>", dtype), self.mma)
        part = copy.get_slice(self.thread)
        source, exist = part.predicated_tile_S(tensor, self.shape, self.at)
        registers = core.make_fragment_like(like, dtype)
        _access.clear(registers)
        core.copy(copy, source, copy.retile(registers), pred=exist)
        return registers.load().to(Float32)

    def store(self, result: Tensor) -> None:
        """Writes the tile: in whole rows by way of shared memory, or from registers."""
        plan, dtype = self.plan, TYPES[self.plan.out]
        if plan.has_rows:
            self._by_shared(result, dtype)
            return
        atom = _access.copy_atom(f"UniversalCopy<uint{dtype.width}_t>", dtype)
        copy = core.make_tiled_copy_C(atom, self.mma)
        part = copy.get_slice(self.thread)
        to, exist = part.predicated_tile_D(self.d, self.shape, self.at, self.origin)
        core.copy(copy, copy.retile(result), to, pred=exist)

    def _by_shared(self, result: Tensor, dtype: Any) -> None:
        is_row, element = self.plan.d_major == "n", dtype.width
        stride = (self.plan.bn, 1) if is_row else (1, self.plan.bm)
        layout = core.make_layout(self.shape, stride=stride)
        shared = _access.allocate(dtype, layout, 128)
        unit = element * (2 if is_row else 1)
        copy = core.make_tiled_copy_C(_access.copy_atom(f"UniversalCopy<uint{unit}_t>", dtype), self.mma)
        core.copy(copy, copy.retile(result), copy.get_slice(self.thread).partition_D(shared))
        arch.sync_threads()
        rows = _copy(PLAIN, dtype, self.shape, is_row)
        part = rows.get_slice(self.thread)
        source = part.partition_S(shared)
        to, exist = part.predicated_tile_D(self.d, self.shape, self.at, self.origin)
        registers = core.make_fragment_like(source)
        core.copy(rows, source, registers)
        core.copy(rows, registers, to, pred=exist)
