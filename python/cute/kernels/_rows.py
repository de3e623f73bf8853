"""Common parts of kernels that work on rows of a matrix: a row's threads and their pieces.

A row that fits into registers has 16 threads, or up to 16 warps, each with the same
number of elements: pieces of 16 bytes, which threads take in turn. Longer ones fit into the registers
or the shared memory of a block or, from sm_90 on, of a cluster of up to 8 blocks, whose
warps send numbers to the shared memory of all of them.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Any, Iterator, Mapping

from .. import arch, core
from .._compile.jit import jit
from .._frontend.loops import LoopRange as range_
from .._values.numeric import BFloat16, Float16, Float32, Int32, Int64, Uint32, maximum, minimum
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import TensorSSA
from . import _access
from ._program import Program, function

WARP = 32
MOST_WARPS = 16
# Bytes that a block of 16 warps keeps in shared memory, and blocks of a multiprocessor that can.
SHARED, RESIDENT = 65536, 3
TYPES = {"f16": Float16, "bf16": BFloat16, "f32": Float32}
LOWEST = {Float16: 0xFC00FC00, BFloat16: 0xFF80FF80, Float32: 0xFF800000}  # bits of -inf, or of two
# Policies of the L2 cache, as createpolicy returns them, and the bytes of matrices that leave other data there:
# fewer stay in it, too, and more push all else out of it anyway.
EVICT_FIRST, EVICT_NORMAL, PASSING = 0x12F0000000000000, 0x1000000000000000, (40 << 20, 300 << 20)

# Choices that softmax and norms have; kernels/kernel.py reads and explains them.
PARAMETERS: dict[str, dict[str, Any]] = {
    "type": {
        "default": "f16",
        "choices": list(TYPES),
        "help": "element type; sums are in f32",
    },
    "elements": {
        "default": 32,
        "choices": [16, 32],
        "help": "of a row that a thread keeps",
    },
    "lengths": {
        "default": {
            "elements": {
                "16": "512,1024,2048,4096,8192",
                "32": "512,1024,2048,3072,4096,5120,6144,8192,10240,12288,16384",
            }
        },
        "pattern": "[1-9][0-9]{0,5}(,[1-9][0-9]{0,5})*",
        "help": "up to which lengths of rows there is a kernel that keeps a row in "
        "registers: 16 threads have it, or up to 16 warps",
    },
    "block": {
        "default": 256,
        "choices": [64, 128, 256, 512],
        "help": "threads of a block where a warp has whole rows",
    },
}
NAME = "[A-Za-z_][A-Za-z0-9_]*"


def problems(values: Mapping[str, Any]) -> list[str]:
    """Explains why parameters do not fit together."""
    elements = values["elements"]
    found = []
    odd = [n for n in lengths(values)
           if n != elements * WARP // 2 and n % (elements * WARP)]
    if odd:
        found.append(
            f"lengths={values['lengths']}: each must be {16 * elements} or a multiple of "
            f"{32 * elements}, so that 16 threads or whole warps have {elements} "
            "elements each"
        )
    longest = lengths(values)[-1]
    most = MOST_WARPS * WARP
    if longest > most * elements:
        found.append(
            f"rows of {longest} at {elements} elements a thread take "
            f"{longest // elements} threads; at most {most}"
        )
    return found


def lengths(values: Mapping[str, Any]) -> list[int]:
    """Returns the lengths of rows in rising order."""
    return sorted(set(map(int, re.split(",", values["lengths"]))))


@dataclasses.dataclass(frozen=True)
class Plan:
    """How threads share the rows of one kernel."""

    dtype: Any
    length: int  # of the longest row that fits
    elements: int  # of a thread
    block: int  # threads of a block where a warp has whole rows
    shared: int = 0  # rows that a block keeps in shared memory at once; 0: one, in registers
    most: int = MOST_WARPS  # warps of a block

    @property
    def threads(self) -> int:
        """Threads of a row."""
        return self.length // self.elements

    @property
    def blocks(self) -> int:
        """Blocks of a row, a power of two."""
        return 1 << max(0, -(-self.threads // (self.most * WARP)) - 1).bit_length()

    @property
    def warps(self) -> int:
        """Warps that a row has in a block."""
        return self.threads // self.blocks // WARP

    @property
    def rows(self) -> int:
        """Rows of a block."""
        return self.block // self.threads if self.threads <= WARP else 1

    @property
    def piece(self) -> int:
        """Elements of 16 bytes."""
        return 128 // self.dtype.width

    @property
    def pieces(self) -> int:
        """Pieces of a thread."""
        return self.elements // self.piece

    @property
    def grid(self) -> str:
        """The number of blocks, as the manifest has it."""
        if self.rows == 1:
            rows = f"ceil_div(arg0.shape[0], {self.shared})" if self.shared > 1 else "arg0.shape[0]"
            return rows + f" * {self.blocks}" * (self.blocks > 1)
        return f"ceil_div(arg0.shape[0], {self.rows})"

    @property
    def matrix(self) -> str:
        """The type of a matrix whose rows are contiguous."""
        return f'!cute.tensor<{self.dtype.ir_name}, gmem, align<16>, "(?,?):(?{{i64}},1)">'

    @property
    def row(self) -> str:
        """The type of one row."""
        return f'!cute.tensor<{self.dtype.ir_name}, gmem, align<16>, "(?):(1)">'

    @staticmethod
    def column(dtype: Any) -> str:
        """The type of a vector with an element for each row."""
        return f'!cute.tensor<{dtype.ir_name}, gmem, align<{dtype.width // 8}>, "(?):(?{{i64}})">'


def plans(values: Mapping[str, Any]) -> Iterator[Plan]:
    """Returns the plan of each kernel. What a Function chooses for shared memory and for
    clusters is not a choice of whoever generates kernels."""
    for length in lengths(values):
        yield Plan(TYPES[values["type"]], length, values["elements"], values["block"],
                   values.get("shared", 0), values.get("most", MOST_WARPS))


def add(program: Program, name: str, plan: Plan, kernel: Any, *arguments: Any, **static: Any
        ) -> None:
    """Adds the kernel of a plan."""
    program.add(
        f"{name}_{plan.length}", kernel, *arguments, plan=plan,
        threads=plan.rows * plan.threads // plan.blocks, cluster=plan.blocks,
        **{"grid": [plan.grid], "resident": RESIDENT if plan.shared else 0, **static},
    )


@dataclasses.dataclass(frozen=True)
class Row:
    """A thread's row of a matrix, and the thread's place in it."""

    plan: Plan
    number: Any  # of the row
    t: Any  # the thread's number within the row
    columns: Any  # of the matrix
    extent: Any  # of the row: 0 if there is no such row
    rank: Any  # the block's rank within the row
    local: Any  # the thread's number among the row's threads in its block
    slots: Tensor  # (warps of the row, numbers that they exchange) in shared memory
    start: Any = 0  # pieces before the first one of the thread's elements
    kept: Any = None  # room for the rows of a block, or the thread's part of one, there or in registers

    def of(self, a: Tensor) -> Tensor:
        """Returns the row of a matrix whose rows begin at 16 bytes."""
        stride = core.assume(a.stride[0], divby=self.plan.piece)
        aligned = core.make_layout(a.shape, stride=(stride, 1))
        return make_tensor(a.iterator, aligned)[self.number, None]

    def part(self, row: Tensor, round: Any = 0) -> Tensor:
        """Returns the thread's elements of a row, (piece, pieces).

        :param round: of a row that has more elements than the plan
        """
        return make_tensor(row.iterator, self._pieces())[None, self.t, None, round, self.start]

    def rounds(self) -> Any:
        """Returns the loop over the row, as many elements at a time as the plan has."""
        return range_(0, _access.ceil_div(Uint32(self.extent), self.plan.length))

    def has(self, number: Any) -> Any:
        """Returns whether an element of a row that begins at 16 bytes is one of this thread's."""
        return Int32(Uint32(number) // self.plan.piece % self.plan.threads) == self.t

    def numbers(self, round: Any = 0) -> Tensor:
        """Returns the number of the first element of each of the thread's pieces."""
        begin = make_tensor(0, self._pieces())
        return begin[0, self.t, None, round, 0]

    def _pieces(self) -> Any:
        threads, piece = self.plan.threads, self.plan.piece
        rounds = _access.ceil_div(Uint32(self.extent), self.plan.length)
        return core.make_layout(
            (piece, threads, self.plan.pieces, Int32(rounds), Int64(1)),
            stride=(1, piece, piece * threads, self.plan.length, piece))

    def exist(self, round: Any = 0) -> Tensor:
        """Returns of each piece whether the row has it."""
        return _access.below(self.numbers(round), self.extent)

    def exists(self, piece: int) -> Tensor:
        """Returns whether the row has one of the pieces."""
        one = core.local_tile(self.numbers(), (1,), (piece,))
        return _access.below(one, self.extent)

    def pieces_kept(self, pad: str | None = None, form: int = 0) -> Iterator[Any]:
        """Returns the kept pieces, 0 or, from shared memory, ``pad`` in place of pieces that the row
        does not have.

        :param form: as of :func:`still_narrow`, for registers
        """
        for i in range(self.plan.pieces):
            piece = self.kept[None, i]
            if isinstance(piece, TensorSSA):
                yield still_narrow(self, piece, form)
            else:
                yield _access.load(piece, self.exists(i), pad) if pad else piece.load()

    def inside(self, a: Tensor) -> tuple[Row, Any]:
        """Returns the pieces of 16 bytes of a row of any matrix, as a row with the parts of
        ``a[0, None]``, and how many elements are before them: fewer than a piece."""
        piece = self.plan.piece
        begin = Int64(self.number) * Int64(a.stride[0])
        first = (begin + (piece - 1)) // piece
        last = (begin + Int64(self.extent)) // piece
        before = minimum(Int32(first * piece - begin), Int32(self.extent))
        pieces = maximum(Int32(last - first), Int32(0))
        return dataclasses.replace(self, extent=pieces * piece, start=first), before

    def edge(self, inside: Row, before: Any) -> tuple[Any, Any]:
        """Returns whether the thread has one of the elements that are not inside, and its
        column. There are fewer of them than threads."""
        return self.t < self.extent - inside.extent, column_of(self.t, inside, before)

    def columns_of_thread(self) -> Any:
        """Returns the loop over elements t, t + threads, ... of the row."""
        return range_(self.t, self.extent, self.plan.threads)


def overlaps(values: Mapping[str, Any]) -> bool:
    """Returns whether a kernel that sums up what another one writes begins before that has ended, as
    it may from sm_90 on."""
    return bool(values.get("overlaps"))


def begin(plan: Plan, a: Tensor, count: int, keeps_or_exchanges: bool = False) -> Row:
    """Returns the row of this thread.

    :param a: a matrix (rows, columns) whose rows are contiguous
    :param count: how many numbers the warps of a row exchange
    :param keeps_or_exchanges: whether it either keeps rows in shared memory or exchanges numbers
        there by :func:`send`
    """
    number, _, _ = arch.block_idx()
    t, _, _ = arch.thread_idx()
    if plan.rows > 1:
        thread = Uint32(t)
        number = number * plan.rows + Int32(thread // plan.threads)
        t = Int32(thread % plan.threads)
    local, rank = t, Int32(0)
    if plan.blocks > 1:
        block = Uint32(number)
        number, rank = Int32(block // plan.blocks), Int32(block % plan.blocks)
        t = t + rank * (plan.threads // plan.blocks)
        arch.cluster_arrive_relaxed()
    kept, shape = room(plan) if plan.shared else None, (MOST_WARPS * plan.blocks, count)
    slots = make_tensor(
        core.recast_ptr(kept.iterator, dtype=Float32) if kept is not None and keeps_or_exchanges
        else _allocate(Float32, shape[0] * count, 16), core.make_layout(shape))
    return Row(plan, number, t, a.shape[1], extent(a, number), rank, local, slots, kept=kept)


def room(plan: Plan) -> Tensor:
    """Returns room in shared memory for the rows of a block, (piece, threads, pieces, rows)."""
    threads, piece, of_row = plan.threads // plan.blocks, plan.piece, plan.length // plan.blocks
    return make_tensor(
        _allocate(plan.dtype, plan.shared * of_row, 16),
        core.make_layout((piece, threads, plan.pieces, plan.shared),
                         stride=(1, piece, piece * threads, of_row)))


def rows_of(row: Row, a: Tensor) -> list[Row]:
    """Returns the rows that the block has at once."""
    count = max(1, row.plan.shared)
    numbers = [row.number * count + i for i in range(count)]
    return [dataclasses.replace(row, number=n, extent=extent(a, n)) for n in numbers]


def fetch(row: Row, a: Tensor) -> list[Row]:
    """Returns the rows of a block, whose elements are in shared memory. A thread reads only the
    ones that it fetched, so that no barrier is needed."""
    rows = [dataclasses.replace(one, kept=row.kept[None, row.local, None, i])
            for i, one in enumerate(rows_of(row, a))]
    for one in rows:
        begin_fetch(one, a)
    arch.cp_async_commit_group()
    arch.cp_async_wait_group(0)
    return rows


def begin_fetch(row: Row, a: Tensor) -> None:
    """Begins to fetch the thread's elements of a row to where it keeps them, 0 for elements that
    do not exist."""
    copy = _access.copy_atom("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", row.plan.dtype)
    core.copy(copy, row.part(row.of(a)), row.kept, pred=row.exist())


@jit
def column_of(number: Any, inside: Row, before: Any) -> Any:
    """Returns the column of an element that is not inside."""
    return number if number < before else number + inside.extent


@jit
def extent(a: Tensor, number: Any) -> Any:
    """Returns how many elements a row has: none if there is no such row."""
    rows, columns = a.shape
    return columns if number < rows else 0


def fits(plan: Plan, *matrices: Tensor) -> Any:
    """Returns whether rows are short enough, and begin and end at 16 bytes."""
    return is_aligned(plan, *matrices) & (matrices[0].shape[1] <= plan.length)


def is_aligned(plan: Plan, *matrices: Tensor) -> Any:
    """Returns whether rows begin and end at 16 bytes."""
    bits = Int64(Uint32(matrices[0].shape[1]))
    for matrix in matrices:
        bits = bits | matrix.stride[0]
    return (bits & (plan.piece - 1)) == 0


def loaded(row: Row, a: Tensor) -> list[Row]:
    """Returns the row that a thread has a part of, in registers."""
    return [dataclasses.replace(row, kept=_access.load(row.part(row.of(a)), row.exist()))]


def read_once(row: Row, a: Tensor, round: Any) -> TensorSSA:
    """Returns the thread's elements of a round of a row that is read no other time, -inf where there is none."""
    size = Int64(a.shape[0]) * a.shape[1] * (row.plan.dtype.width // 8)
    passes = (size > PASSING[0]) & (size <= PASSING[1])
    policy = choose(passes, Int64(EVICT_FIRST), Int64(EVICT_NORMAL))
    return _access.load_once(row.part(a, round), row.exist(round), LOWEST[row.plan.dtype], policy)


def still_narrow(row: Row, x: TensorSSA, form: int = 1) -> TensorSSA:
    """Returns the same elements. If they have 16 bits, compilers take their conversion to float32 for another
    one in each of four forms, so that a thread does not keep it in registers from one use to the next."""
    if x.dtype.width == 32 or not form:
        return x
    zero = Uint32(row.extent >> 31)
    bits = x.bitcast(Uint32)
    bits = (bits ^ zero, bits | zero, bits + zero)[form - 1]
    return TensorSSA(bits.bitcast(x.dtype).ir_value(), x.shape, x.dtype)


# ---- Numbers that the warps of a row exchange -------------------------------


def meet(row: Row) -> None:
    """Waits until all blocks of a row have begun, as before their first exchange they must."""
    if row.plan.blocks > 1:
        arch.cluster_wait()


@jit
def send(row: Row, numbers: Any, which: Any) -> None:
    """Gives numbers of a warp, the same in all its lanes, to all blocks of the row.

    :param which: the first of the numbers that warps exchange, which must differ from the
    numbers of
        the exchange before
    """
    lane, warp = row.local % WARP, row.rank * MOST_WARPS + row.local // WARP
    if lane < row.plan.blocks:
        for i, number in enumerate(numbers):
            if row.plan.blocks == 1:
                row.slots[warp, which + i] = number
            else:
                cell = row.slots[None, which + i].iterator + warp
                arch.map_dsmem_ptr(cell, lane).store(number)
    if row.plan.blocks > 1:
        arch.cluster_arrive()


def receive(row: Row, which: Any, neutral: Any) -> Any:
    """Returns the numbers that a row's warps have sent: a list for each warp in turn, for
    :func:`lanes` lanes to combine; ``neutral`` for warps that do not exist."""
    if row.plan.blocks == 1:
        arch.sync_threads()
    else:
        arch.cluster_wait()
    return received(row, which, neutral)


def received(row: Row, which: Any, neutral: Any) -> Any:
    """Returns the numbers of :func:`receive`, which have come."""
    lane = row.local % lanes(row)
    exists = lane % MOST_WARPS < row.plan.warps
    return [[choose(exists, row.slots[lane + first, which + i], other)
             for i, other in enumerate(neutral)]
            for first in range(0, MOST_WARPS * row.plan.blocks, lanes(row))]


@jit
def choose(exists: Any, number: Any, other: Any) -> Any:
    """Returns one of two numbers."""
    return number if exists else other


def lanes(row: Row) -> int:
    """Returns how many lanes have what the warps of a row exchange."""
    return min(WARP, MOST_WARPS * row.plan.blocks)


def sum_of(row: Row, x: Any, which: int) -> Any:
    """Returns the sum over the threads of a row; ``which`` as of :func:`send`."""
    return sums_of(row, [x], which)[0]


def sums_of(row: Row, numbers: Any, which: Any) -> Any:
    """Returns sums over the threads of a row; ``which`` as of :func:`send`."""
    threads = row.plan.threads
    if threads > WARP:
        return sums_of_block(row, numbers, which)
    return [_access.across("add", x, threads if threads < WARP else 0) for x in numbers]


def largest_of(row: Row, x: Any, which: int) -> Any:
    """Returns the largest of numbers of the threads of a row that are not negative; ``which`` as
    of :func:`send`."""
    return combined(row, [x], ["maximumf"], which)[0]


def combined(row: Row, numbers: Any, kinds: Any, which: int) -> list[Any]:
    """Returns numbers combined over the threads of a row by one exchange, each by ``add`` or by
    ``maximumf``, which takes numbers that are not negative; ``which`` as of :func:`send`."""
    threads = row.plan.threads
    numbers = [_access.across(kind, x, threads if threads < WARP else 0)
               for kind, x in zip(kinds, numbers)]
    if threads <= WARP:
        return numbers
    send(row, numbers, which)
    found = receive(row, which, [Float32(0.0)] * len(numbers))
    joins = {"add": lambda a, b: a + b, "maximumf": _access.larger}
    return [_access.across(kind, functools.reduce(joins[kind], x), lanes(row) % WARP)
            for kind, x in zip(kinds, zip(*found))]


@function
def sums_of_block(row: Any, numbers: Any, which: Any) -> Any:
    """Returns sums over the warps of a row."""
    send(row, [_access.across("add", x) for x in numbers], which)
    found = receive(row, which, [Float32(0.0)] * len(numbers))
    return [_access.across("add", sum_of_all(x), lanes(row) % WARP) for x in zip(*found)]


def sum_of_all(numbers: Any) -> Any:
    """Returns the sum of some numbers."""
    return functools.reduce(lambda a, b: a + b, numbers)
