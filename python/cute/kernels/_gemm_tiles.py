"""A block's tile of a product: shared memory, fragments, and the loops over K."""

from __future__ import annotations

from typing import Any

from .. import arch, core
from .._frontend.control import range_constexpr
from .._compile.jit import jit
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Int32, Int64, Uint32
from .._values.tensor import Tensor
from . import _access
from ._gemm_plan import PLAIN_STEPS, TYPES, Operand, Plan

ALIGNMENT = 128


class Tile:
    """The tile (rows, columns, K) of a block; each matrix takes the two of its modes. Of X
    and Y there are tiles all along K, a third mode. Tiles of coordinates say which elements
    exist.

    :param inputs: X and Y, ``z`` C so that its columns are contiguous
    :param batch_pitches: of A and B as a whole, or nothing
    """

    def __init__(self, plan: Plan, inputs: Any, z: Tensor, at: Any, thread: Any,
                 batch_pitches: Any):
        self.plan, self.inputs, self.z, self.thread = plan, inputs, z, thread
        self.batch_pitches = batch_pitches
        self.tiler, self.at = (plan.bm, plan.bn, plan.bk), (*at, None)
        self.shapes = [x.shape for x in (*inputs, z)]
        self.coords = [
            self.tile(core.make_identity_tensor(shape), number)
            for number, shape in enumerate(self.shapes)
        ]
        self.shared = [self._allocate(op) for op in plan.operands]
        self._make_fragments()

    def tile(self, tensor: Tensor, number: int) -> Tensor:
        """Returns the block's tiles of X, Y or Z."""
        proj = ((1, None, 1), (None, 1, 1), (1, 1, None))[number]
        return core.local_tile(tensor, self.tiler, self.at, proj=proj)

    def _allocate(self, op: Operand) -> Tensor:
        shape = (op.extent, self.plan.bk, self.plan.stages)
        layout = core.tile_to_shape(_lines(self.plan, op), shape, (0, 1, 2))
        return _access.allocate(TYPES[self.plan.type], layout, ALIGNMENT)

    def _make_fragments(self) -> None:
        """The permutation gives each warp two instructions side by side in N, whose
        operands one ldmatrix.x4 loads."""
        plan = self.plan
        m, n, k = plan.warps_m, plan.warps_n, plan.warps_k
        warps = core.make_layout((m, n, k), stride=(1, m, m * n if k > 1 else 0))
        permutation = (16 * m, 16 * n, plan.atom_k * k)
        self.mma = core.make_tiled_mma(_access.mma_op(plan.atom), warps, permutation)
        part = self.mma.get_slice(self.thread)
        x, y = (s[None, None, 0] for s in self.shared)
        self.fragments = [self.mma.make_fragment_A(part.partition_A(x)),
                          self.mma.make_fragment_B(part.partition_B(y))]
        self.sums = self.mma.make_fragment_C(part.partition_C(self.coords[2]))
        _access.clear(self.sums)
        loads = [_load_atom(plan, op) for op in plan.operands]
        self.loads = [core.make_tiled_copy_A(loads[0], self.mma),
                      core.make_tiled_copy_B(loads[1], self.mma)]
        self.from_shared = [load.get_slice(self.thread).partition_S(shared)
                            for load, shared in zip(self.loads, self.shared)]
        self.to_fragments = [load.retile(fragment)
                             for load, fragment in zip(self.loads, self.fragments)]

    def load(self, k: int, k_block: Any, stage: Any) -> None:
        """Loads a k-block of a stage into the fragments' block k."""
        for load, source, to in zip(self.loads, self.from_shared, self.to_fragments):
            core.copy(load, source[None, None, k_block, stage], to[None, None, k])

    def multiply(self, k: int) -> None:
        """Adds the product of the fragments' block k."""
        x, y = (fragment[None, None, k] for fragment in self.fragments)
        core.gemm(self.mma, self.sums, x, y, self.sums)

    def is_aligned(self) -> Any:
        """Returns whether lines of X and Y begin at multiples of 16 bytes and, where copies
        are not partial, end there."""
        pitches = [_access.pitch(x) for x in self.inputs]
        bits = pitches[0] | pitches[1]
        if not self.plan.partial:
            for op, shape in zip(self.plan.operands, self.shapes):
                bits = bits | Int64(Uint32(shape[1] if op.is_k_major else shape[0]))
        if self.batch_pitches:
            bits = bits | (self.batch_pitches[0] | self.batch_pitches[1])
        return (bits & (self.plan.vec - 1)) == 0


def _lines(plan: Plan, op: Operand) -> Any:
    """Returns a layout of 8 lines of shared memory, at most 128 bytes long, whose pieces
    are permuted by the line's number modulo how many there are: of 16 bytes for ldmatrix,
    which reads 8 lines at a time; of 32 bytes for elements of 64 bits, where half a warp
    reads 4 in each of 4 lines."""
    line = min(plan.bk if op.is_k_major else op.extent, 1024 // plan.bits)
    piece = max(plan.vec, 4)
    shape = ((8, line), (line, 1)) if op.is_k_major else ((line, 8), (1, line))
    layout = core.make_layout(shape[0], stride=shape[1])
    if line <= piece:
        return layout
    bits = _log2(line // piece)
    swizzle = core.make_swizzle(bits, _log2(piece), bits if plan.bits == 64 else 3)
    return core.make_composed_layout(swizzle, 0, layout)


def _log2(n: int) -> int:
    return n.bit_length() - 1


def _load_atom(plan: Plan, op: Operand) -> Any:
    name = "SM75_U32x4_LDSM_N" if op.is_k_major else "SM75_U16x8_LDSM_T"
    if plan.bits == 64 or not op.is_k_major and plan.bits != 16:
        name = f"UniversalCopy<uint{plan.bits}_t>"
    return _access.copy_atom(name, TYPES[plan.type])


# ---- The pipelined loop -----------------------------------------------------


class Fetches:
    """Copies of tiles of X and Y by cp.async, 16 bytes a thread, neighbours along lines.

    From here on the compiler may rely on what was tested.
    """

    def __init__(self, tile: Tile, k_tiles: Any, k_end: Any):
        self.tile, self.k_tiles, self.k_end = tile, k_tiles, k_end
        plan = tile.plan
        atom = _access.copy_atom("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", TYPES[plan.type])
        self.copies, self.sources, self.targets, self.coords = [], [], [], []
        for i, op in enumerate(plan.operands):
            made = plan.tensor(plan.type, op.is_k_major, 16, f" div={plan.vec}")
            matrix = tile.tile(_access.assume(tile.inputs[i], made), i)
            copy = core.make_tiled_copy_tv(atom, *_threads(plan, op))
            part = copy.get_slice(tile.thread)
            self.copies.append(copy)
            self.sources.append(part.partition_S(matrix))
            self.targets.append(part.partition_D(tile.shared[i]))
            self.coords.append(part.partition_S(tile.coords[i]))

    @jit
    def fetch(self, k: Any, stage: Any) -> None:
        """Begins to copy tile k into a stage: zeros for what does not exist, as all of a
        tile that is not the block's."""
        if self.tile.plan.in_parts:
            k = k if Uint32(k) < Uint32(self.k_end) else self.k_tiles
        for i in range_constexpr(2):
            exist = self.exist(i, k)
            core.copy(self.copies[i], self.sources[i][None, None, None, k],
                      self.targets[i][None, None, None, stage], pred=exist)
        arch.cp_async_commit_group()

    def exist(self, number: int, k: Any) -> Tensor:
        """Returns of each access of tile k whether it lies within X or Y, or how many of
        its elements do."""
        coords, shape = self.coords[number], self.tile.shapes[number]
        if self.tile.plan.partial:
            return _access.counts(self.copies[number], coords[None, None, None, k], shape)
        return _access.below(coords[0, None, None, k], shape)


def _threads(plan: Plan, op: Operand) -> Any:
    """Returns the layouts of threads and values of a copy of 16 bytes each."""
    if op.is_k_major:
        across = plan.bk // plan.vec
        return (core.make_layout((plan.threads // across, across), stride=(across, 1)),
                core.make_layout((1, plan.vec), stride=(0, 1)))
    across = op.extent // plan.vec
    return (core.make_layout((across, plan.threads // across), stride=(1, across)),
            core.make_layout((plan.vec, 1), stride=(1, 0)))


@jit
def pipelined(tile: Tile, k_begin: Any, k_end: Any, k_tiles: Any) -> None:
    """Adds up the products of tiles, which are fetched ``stages - 1`` ahead.

    Copies outside a matrix write zeros, even for whole tiles past the end of K.
    Of all loops only the main one is worth the time that ptxas takes for loops that are
    unrolled.
    """
    plan = tile.plan
    ahead = plan.stages - 1
    fetches = Fetches(tile, k_tiles, k_end)
    for k in range_(k_begin, k_begin + ahead, unroll=1):
        fetches.fetch(k, k - k_begin)
    arch.cp_async_wait_group(plan.stages - 2)
    arch.sync_threads()
    tile.load(0, 0, 0)
    read, write = Int32(0), Int32(ahead)
    for k in range(k_begin, k_end):
        read_next = read + 1
        read_next = Int32(0) if read_next == plan.stages else read_next
        for k_block in range_constexpr(plan.k_blocks):
            following = (k_block + 1) % plan.k_blocks
            if following == 0:
                arch.cp_async_wait_group(plan.stages - 2)
                arch.sync_threads()
            tile.load(following, following, read_next if following == 0 else read)
            if k_block == 0:
                fetches.fetch(k + ahead, write)
            tile.multiply(k_block)
        read, write = read_next, read
    arch.cp_async_wait_group(0)


# ---- The plain loop ---------------------------------------------------------


class Strips:
    """Copies element by element along the lines of a tile; in each strip a thread has a
    few elements at a time.

    :param along: the number of the mode that is contiguous
    """

    def __init__(self, threads: int, shape: tuple[int, int], along: int, atom: Any):
        self.along = along
        line, lines = shape[along], shape[1 - along]
        across = min(threads, line)
        rows = min(threads // across * PLAIN_STEPS, lines)
        if along:
            layout = core.make_layout((threads // across, across), stride=(across, 1))
        else:
            layout = core.make_layout((across, threads // across), stride=(1, across))
        value = core.make_layout((1, 1), stride=(0, 0))
        self.copy = core.make_tiled_copy_tv(atom, layout, value)
        self.shape = (rows, across) if along else (across, rows)
        self.across = line // across
        self.count = self.across * (lines // rows)

    def at(self, i: Any) -> Any:
        """Returns the coordinate of strip i."""
        number = Uint32(i)
        along, lines = Int32(number % self.across), Int32(number // self.across)
        return (lines, along) if self.along else (along, lines)

    def part(self, tensor: Tensor, i: Any) -> Tensor:
        """Returns strip i of a tile."""
        return core.local_tile(tensor, self.shape, self.at(i))


@jit
def plain(tile: Tile, k_begin: Any, k_end: Any) -> None:
    """Adds up the products of tiles without overlap, for lines that begin anywhere."""
    plan = tile.plan
    matrices = [tile.tile(x, i) for i, x in enumerate(tile.inputs)]
    atom = _access.copy_atom(f"UniversalCopy<uint{plan.bits}_t>", TYPES[plan.type])
    strips = [Strips(plan.threads, (op.extent, plan.bk), 1 if op.is_k_major else 0, atom)
              for op in plan.operands]
    for k in range(k_begin, k_end):
        arch.sync_threads()
        for i in range_constexpr(2):
            copy_plainly(tile, i, matrices[i][None, None, k], strips[i],
                         tile.coords[i][None, None, k])
        arch.sync_threads()
        for k_block in range_(plan.k_blocks, unroll=1):
            tile.load(0, k_block, 0)
            tile.multiply(0)


@jit
def copy_plainly(tile: Tile, number: int, matrix: Tensor, strips: Strips, coords: Tensor
                 ) -> None:
    """Copies a tile of X or Y into the first stage, with zeros for what does not exist."""
    target = tile.shared[number][None, None, 0]
    part = strips.copy.get_slice(tile.thread)
    for i in range_(strips.count, unroll=1):
        source = part.partition_S(strips.part(matrix, i))
        numbers = part.partition_S(strips.part(coords, i))
        to = part.partition_D(strips.part(target, i))
        exist = _access.below(numbers[0, None, None], tile.shapes[number])
        values = core.make_fragment_like(source)
        _access.clear(values)
        core.copy(strips.copy, source, values, pred=exist)
        core.copy(strips.copy, values, to)
