"""The way of a tile's sums from registers to C, through shared memory or not."""

from __future__ import annotations

from typing import Any

from .. import arch, core
from .._compile.jit import jit
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Int32, Int64, Uint32
from .._values.tensor import Tensor
from .._values.tensor_ssa import ReductionOp
from . import _access
from ._gemm_plan import TYPES, Plan
from ._gemm_tiles import Strips, Tile


class Meeting:
    """Shared memory in which warps that share K meet with their sums, as tiles after one
    another, over an operand's tiles, which nobody reads any more."""

    def __init__(self, tile: Tile):
        self.tile, plan = tile, tile.plan
        base = plan.bn.bit_length() - 1
        shift = 3 if plan.bn == 64 else max(base, 5) - 3
        swizzle = core.make_swizzle(3 if plan.bn == 64 else 2, 2 if plan.bn == 64 else 3, shift)
        layout = core.make_layout((plan.bm, plan.bn, plan.warps_k),
                                  stride=(plan.bn, 1, plan.bm * plan.bn))
        pointer = core.recast_ptr(tile.shared[plan.via].iterator, dtype=TYPES[plan.sum])
        self.all = core.make_tensor(pointer, core.make_composed_layout(swizzle, 0, layout))
        arch.sync_threads()
        own = Int32(Uint32(tile.thread) // (plan.threads // plan.warps_k))
        atom = _access.copy_atom(f"UniversalCopy<uint{2 * plan.sum_bits}_t>", TYPES[plan.sum])
        to_shared(tile, atom, tile.sums, self.all[None, None, own])

    def total(self, parts: Tensor) -> Any:
        """Returns the sums of all warps, of a thread's elements of all tiles."""
        values = parts.load()
        count = values.size // self.tile.plan.warps_k
        values = values.reshape((count, self.tile.plan.warps_k))
        return values.reduce(ReductionOp.ADD, 0, (None, 1))

    def add_up(self) -> tuple[Tensor, Tensor]:
        """Returns the sums at the places in the tile that the thread is given, in
        registers, and these places."""
        plan = self.tile.plan
        atom = _access.copy_atom(f"UniversalCopy<uint{plan.sum_bits}_t>", TYPES[plan.sum])
        places = core.make_tiled_copy_tv(atom, *_threads(plan)).get_slice(self.tile.thread)
        to = places.partition_S(self.all[None, None, 0])
        sums = core.make_fragment_like(to)
        sums.store(self.total(places.partition_S(self.all)))
        return sums, to


def to_shared(tile: Tile, atom: Any, registers: Tensor, to: Tensor) -> None:
    """Writes registers to where they belong in a tile of C in shared memory."""
    copy = core.make_tiled_copy_C(atom, tile.mma)
    part = copy.get_slice(tile.thread).partition_D(to)
    core.copy(copy, copy.retile(registers), part)
    arch.sync_threads()


def _threads(plan: Plan) -> Any:
    """Returns the layouts of threads and values that C is written by."""
    across = plan.bn // plan.piece
    return (core.make_layout((plan.threads // across, across), stride=(across, 1)),
            core.make_layout((1, plan.piece), stride=(0, 1)))


def store(tile: Tile, c_batch: Any, meeting: Any, has_total: bool) -> None:
    """Writes the tile to C.

    :param c_batch: the stride of C's third mode, or nothing
    :param has_total: whether the sums in shared memory have been added up
    """
    plan = tile.plan
    if plan.out == plan.sum or plan.meets:
        result = tile.sums
    else:
        result = core.make_fragment_like(tile.sums, TYPES[plan.out])
        _access.convert(tile.sums, result)
    if plan.split > 1:
        kind = "S32" if plan.out == "i32" else "F32"
        _write(tile, tile.z, result, f"SM60_RED_ADD_{kind}")
    elif not plan.via_shared:
        from_registers(tile, c_batch, result)
    else:
        shared = _result_in_shared(tile, result, meeting, has_total)
        from_shared(tile, c_batch, shared, meeting, has_total)


def _lines_are_multiples(tile: Tile, c_batch: Any, of: int) -> Any:
    """Returns whether all lines of C begin and end at multiples of so many elements."""
    bits = Int64(Uint32(tile.shapes[1][0])) | _access.pitch(tile.z)
    if c_batch is not None:
        bits = bits | c_batch
    return (bits & (of - 1)) == 0


def _write(tile: Tile, z: Tensor, registers: Tensor, atom: str) -> None:
    """Writes registers to where they belong in C."""
    copy = core.make_tiled_copy_C(_access.copy_atom(atom, TYPES[tile.plan.out]), tile.mma)
    part = copy.get_slice(tile.thread)
    to = part.partition_D(tile.tile(z, 2))
    numbers = part.partition_D(tile.coords[2])[(0, None), None, None]
    exist = _access.below(numbers, tile.shapes[2])
    core.copy(copy, copy.retile(registers), to, pred=exist)


def _promise(tile: Tile, elements: int) -> Tensor:
    """Returns C, whose lines all begin at multiples of so many elements."""
    plan = tile.plan
    align = elements * plan.out_bits // 8
    return _access.assume(
        tile.z, plan.tensor(plan.out, True, align, f" div={elements}"))


@jit
def from_registers(tile: Tile, c_batch: Any, result: Tensor) -> None:
    """Four neighbouring threads write a part of a line, in pairs of elements if lines
    begin at even ones."""
    bits = tile.plan.out_bits
    if _lines_are_multiples(tile, c_batch, 2):
        _write(tile, _promise(tile, 2), result, f"UniversalCopy<uint{2 * bits}_t>")
    else:
        _write(tile, tile.z, result, f"UniversalCopy<uint{bits}_t>")


def _result_in_shared(tile: Tile, result: Tensor, meeting: Any, has_total: bool) -> Tensor:
    """Returns the tile of C in shared memory."""
    plan = tile.plan
    if plan.meets:
        return meeting.all[None, None, 0] if has_total else meeting.all
    arch.sync_threads()
    across = (plan.bn // plan.out_vec).bit_length() - 1
    swizzle = core.make_swizzle(min(3, across), plan.out_vec.bit_length() - 1, across)
    layout = core.make_layout((plan.bm, plan.bn), stride=(plan.bn, 1))
    shared = core.make_tensor(tile.shared[plan.via].iterator,
                              core.make_composed_layout(swizzle, 0, layout))
    name = ("SM90_U32x4_STSM_N" if plan.arch == "sm_90"
            else f"UniversalCopy<uint{2 * plan.out_bits}_t>")
    to_shared(tile, _access.copy_atom(name, TYPES[plan.out]), result, shared)
    return shared


def _take(tile: Tile, copy: Any, source: Tensor, like: Tensor, meeting: Any, has_total: bool
          ) -> Tensor:
    """Returns what a thread has of the result in shared memory in registers, laid out as
    where it is written to."""
    plan = tile.plan
    if not plan.meets:
        registers = core.make_fragment_like(source)
        core.copy(copy, source, registers)
        return registers
    total = source.load() if has_total else meeting.total(source)
    sums = core.make_fragment_like(like, TYPES[plan.sum])
    sums.store(total)
    if plan.out == plan.sum:
        return sums
    registers = core.make_fragment_like(like)
    _access.convert(sums, registers)
    return registers


@jit
def from_shared(tile: Tile, c_batch: Any, shared: Tensor, meeting: Any, has_total: bool
                ) -> None:
    """Writes lines of C in pieces of 16 bytes, or element by element."""
    if _lines_are_multiples(tile, c_batch, tile.plan.piece):
        in_pieces(tile, shared, meeting, has_total)
    else:
        by_element(tile, shared, meeting, has_total)


def in_pieces(tile: Tile, shared: Tensor, meeting: Any, has_total: bool) -> None:
    """Writes a tile whose lines begin at multiples of 16 bytes."""
    plan = tile.plan
    matrix = tile.tile(_promise(tile, plan.piece), 2)
    atom = _access.copy_atom(f"UniversalCopy<uint{plan.piece * plan.out_bits}_t>",
                             TYPES[plan.out])
    copy = core.make_tiled_copy_tv(atom, *_threads(plan))
    part = copy.get_slice(tile.thread)
    source, to = part.partition_S(shared), part.partition_D(matrix)
    numbers = part.partition_D(tile.coords[2])[0, None, None]
    exist = _access.below(numbers, tile.shapes[2])
    core.copy(copy, _take(tile, copy, source, to, meeting, has_total), to, pred=exist)


@jit
def by_element(tile: Tile, shared: Tensor, meeting: Any, has_total: bool) -> None:
    """Writes any tile."""
    plan = tile.plan
    matrix = tile.tile(tile.z, 2)
    atom = _access.copy_atom(f"UniversalCopy<uint{plan.out_bits}_t>", TYPES[plan.out])
    strips = Strips(plan.threads, (plan.bm, plan.bn), 1, atom)
    part = strips.copy.get_slice(tile.thread)
    for i in range_(strips.count, unroll=1):
        to = part.partition_D(strips.part(matrix, i))
        numbers = part.partition_D(strips.part(tile.coords[2], i))
        if plan.meets and not has_total:
            source = part.partition_S(
                core.local_tile(shared, strips.shape, strips.at(i)))
        else:
            source = part.partition_S(strips.part(shared, i))
        exist = _access.below(numbers[0, None, None], tile.shapes[2])
        values = _take(tile, strips.copy, source, to, meeting, has_total)
        core.copy(strips.copy, values, to, pred=exist)
