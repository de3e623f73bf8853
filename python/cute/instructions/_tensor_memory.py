"""Instructions of tensor memory (tcgen05) one by one, and their descriptors, for sm_100a.

Who executes an instruction, and what it waits for, is in the PTX ISA under its name. Programs
leave out tcgen05.fence, which that wants on both sides of a barrier: what uses tensor memory
after one has a fence before it, and what waits one after it.
"""

from __future__ import annotations

from typing import Any

from .._compat.missing import NotThere
from .._compile import ir as _ir
from .._values.array import Vector
from .._values.numeric import Boolean, Int16, Int32, Numeric
from .._values.pointer import AddressSpace, make_ptr
from ._kinds import KINDS, word
from ._tensor_descriptors import Field
from ._write import place, registers, shared, word32, word64

__all__ = """
S2TCopyMode Tcgen05MMAScaleVecSize
TmemAddr make_tmem_ptr make_tmem_ptr_from_warp_row_col tcgen05_alloc tcgen05_commit tcgen05_cp
tcgen05_dealloc tcgen05_fence tcgen05_ld tcgen05_relinquish_alloc_permit tcgen05_shift tcgen05_st
tcgen05_wait
""".split()


def _call(name: str, *operands: Any, result: str | None = None) -> Any:
    """Calls LLVM's intrinsic llvm.nvvm.tcgen05.NAME of SSA values."""
    trace = _ir.require(f"tcgen05.{name}")
    attributes = {
        "intrin": f'"llvm.nvvm.tcgen05.{name}"',
        "op_bundle_sizes": "array<i32>",
        "operandSegmentSizes": f"array<i32: {len(operands)}, 0>",
    }
    made = trace.op("llvm.call_intrinsic", list(operands), [result] if result else [], attributes)
    return made[0] if result else None


def _constant(type: str, value: int) -> Any:
    return _ir.require("a constant").constant(type, value)


def _ctas(group: Any) -> int:
    return 1 if group is None else int(word("CTAGroup", group)[-1])


def _tensor_ptr(memory: Any) -> Any:
    """Returns a place in tensor memory as LLVM's pointer.

    :raises TypeError: for a place elsewhere
    """
    pointer = place(memory)
    if pointer.memspace is not AddressSpace.tmem:
        raise TypeError(f"expected tensor memory, not {pointer}")
    address = Int32(pointer.toint()).ir_value()
    return _ir.require("tensor memory").op("llvm.inttoptr", [address], ["!llvm.ptr<6>"])[0]


def _shared_ptr(memory: Any) -> Any:
    address = Int32(shared(memory).toint()).ir_value()
    return _ir.require("shared memory").op("llvm.inttoptr", [address], ["!llvm.ptr<3>"])[0]


# ---- Places -----------------------------------------------------------------


class TmemAddr(Int32):
    """An address in tensor memory: the column in the lower half, the row in the upper.

        TmemAddr.from_row_col(32, 8).as_ptr(Float32)
    """

    __slots__ = ()
    col_id = Field(0, 16)
    row_id = Field(16, 16)

    @classmethod
    def from_row_col(cls, row: Any, col: Any, *, loc: Any = None, ip: Any = None) -> TmemAddr:
        """Returns the address of a row and a column."""
        return cls((Int32(row) << 16 | Int32(col)).ir_value())

    def as_ptr(self, dtype: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the pointer to elements of a type there."""
        return make_tmem_ptr(self, dtype)


def make_tmem_ptr(tmem_addr: Any, dtype: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the pointer to elements of a type at an address in tensor memory.

    Offsets of elements of 8 bits count columns, as for Int32.
    """
    dtype = Int32 if dtype.width == 8 else dtype
    return make_ptr(dtype, Int32(tmem_addr), AddressSpace.tmem, assumed_align=4)


def make_tmem_ptr_from_warp_row_col(
    tmem_base: Any, warp: Any, base_col: Any, dtype: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the pointer to a warp's rows, 32 for each.

    :param tmem_base: the address of the first row and column
    :param warp: 0 to 3, the warp's number modulo 4
    :param base_col: columns further
    """
    return make_tmem_ptr(Int32(tmem_base) + (Int32(warp) << 21) + Int32(base_col), dtype)


# ---- Kinds ------------------------------------------------------------------


class S2TCopyMode:
    """Shapes of tcgen05.cp with the warps that get the rows: pairs for ``tcgen05_cp``."""

    S2T_128x256b = (KINDS["Tcgen05CpShape"].SHAPE_128X256B, None)
    S2T_128x128b = (KINDS["Tcgen05CpShape"].SHAPE_128X128B, None)
    S2T_4x256b = (KINDS["Tcgen05CpShape"].SHAPE_4X256B, None)
    S2T_32x128b_WARPX4 = (
        KINDS["Tcgen05CpShape"].SHAPE_32X128B, KINDS["Tcgen05CpMulticast"].WARPX4)
    S2T_64x128b_WARPX2_01_23 = (
        KINDS["Tcgen05CpShape"].SHAPE_64X128B, KINDS["Tcgen05CpMulticast"].WARPX2_01_23)
    S2T_64x128b_WARPX2_02_13 = (
        KINDS["Tcgen05CpShape"].SHAPE_64X128B, KINDS["Tcgen05CpMulticast"].WARPX2_02_13)


class Tcgen05MMAScaleVecSize:
    """How many neighbours along K have a factor, by several names of Tcgen05MMABlockScale."""

    X1 = BLOCK32 = KINDS["Tcgen05MMABlockScale"].BLOCK32
    X2 = KINDS["Tcgen05MMABlockScale"].BLOCK32
    X4 = BLOCK16 = KINDS["Tcgen05MMABlockScale"].BLOCK16
    DEFAULT = Default = KINDS["Tcgen05MMABlockScale"].DEFAULT


# ---- Allocation and order ---------------------------------------------------


def _check_exclusive(is_exclusive: Any) -> None:
    if is_exclusive:
        raise NotThere("exclusive allocations are for later architectures")


def tcgen05_alloc(
    addr: Any, n_cols: Any, *, is_exclusive: bool | None = None, group: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Allocates columns of tensor memory, and waits until they are free: one whole warp.

    :param addr: an Int32 in shared memory, for the address
    :param n_cols: a power of two, 32 to 512
    :param group: CTAGroup; of a pair of blocks a warp of each calls it
    :raises ValueError: for another number that is known
    """
    _check_exclusive(is_exclusive)
    if isinstance(n_cols, int) and n_cols not in (32, 64, 128, 256, 512):
        raise ValueError(f"a power of two of columns is allocated, 32 to 512, not {n_cols}")
    _call(f"alloc.shared.cg{_ctas(group)}", _shared_ptr(addr), word32(n_cols).ir_value())


def tcgen05_dealloc(
    taddr: Any, n_cols: Any, *, is_exclusive: bool | None = None, group: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Frees columns of tensor memory: one whole warp.

    :param n_cols: as many as were allocated
    """
    _check_exclusive(is_exclusive)
    _call(f"dealloc.cg{_ctas(group)}", _tensor_ptr(taddr), word32(n_cols).ir_value())


def tcgen05_relinquish_alloc_permit(
    *, group: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Lets other blocks of the multiprocessor allocate; this one cannot any more."""
    _call(f"relinq.alloc.permit.cg{_ctas(group)}")


def tcgen05_wait(kind: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Waits for the thread's loads, or stores, of tensor memory: tcgen05.wait."""
    _call(f"wait.{'ld' if word('Tcgen05Wait', kind) == 'load' else 'st'}")
    tcgen05_fence("before_thread_sync")


def tcgen05_fence(kind: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Orders operations on tensor memory before or after a barrier: tcgen05.fence."""
    _call(f"fence.{word('Tcgen05Fence', kind).replace('_', '.')}")


def tcgen05_commit(
    addr: Any, *, multicast_mask: Any = None, smem_a_read: bool | None = None,
    group: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Arrives at a barrier once the thread's earlier operations are complete.

    :param multicast_mask: a bit for each block of the cluster, whose barrier it is, too
    """
    if smem_a_read:
        raise NotThere("commits of reads of A alone are for later architectures")
    if multicast_mask is None:
        _call(f"commit.shared.cg{_ctas(group)}", _shared_ptr(addr))
    else:
        _call(f"commit.mc.shared.cg{_ctas(group)}", _shared_ptr(addr),
              Int16(multicast_mask).ir_value())


# ---- Loads, stores and copies -----------------------------------------------

_REGISTERS = {"16x32bx2": 1, "16x64b": 1, "32x32b": 1, "16x128b": 2, "16x256b": 4}


def _offset(shape: str, offset: Any) -> list[Any]:
    if (shape == "16x32bx2") != (offset is not None):
        raise ValueError("an offset is for the shape 16x32bx2, which has one")
    return [] if offset is None else [_constant("i64", int(offset))]


def tcgen05_ld(
    shape: Any, tmem_addr: Any, *, num: int = 1, pack: bool | None = None, offset: Any = None,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Loads rows of tensor memory to the registers of a warp: tcgen05.ld.

    :param shape: a Tcgen05LdStShape or its value, "32x32b"
    :param num: how often it is repeated along the columns, a power of two up to 128
    :param pack: takes the lower halves of two columns for a register
    :param offset: columns between the halves of 16x32bx2
    :return: a Vector of what a lane has, of the pointer's type if that has 32 bits, else Int32

        columns = tcgen05_ld("32x32b", make_tmem_ptr(address, Float32), num=32)
    """
    tcgen05_fence("after_thread_sync")
    kind = word("Tcgen05LdStShape", shape)
    count = _REGISTERS[kind] * num
    operands = [_tensor_ptr(tmem_addr), *_offset(kind, offset), _constant("i1", int(bool(pack)))]
    text = "i32" if count == 1 else f"vector<{count}xi32>"
    loaded = _call(f"ld.{kind}.x{num}", *operands, result=text)
    trace = _ir.require("tcgen05.ld")
    if count == 1:
        words = [loaded]
    else:
        words = [trace.op("llvm.extractelement", [loaded, _constant("i32", i)], ["i32"])[0]
                 for i in range(count)]
    dtype = place(tmem_addr).dtype
    made = Vector.from_elements([Int32(x) for x in words], Int32)
    return made.bitcast(dtype) if dtype.width == 32 else made


def tcgen05_st(
    shape: Any, tmem_addr: Any, val: Any, *, unpack: bool | None = None, offset: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Stores the registers of a warp to rows of tensor memory: tcgen05.st.

    :param val: a number of 32 bits, or a Vector of them: what a lane has
    :raises ValueError: for a count that the shape does not have
    """
    kind = word("Tcgen05LdStShape", shape)
    words = [x if x.dtype is Int32 else x.bitcast(Int32) for x in registers(val)]
    num, rest = divmod(len(words), _REGISTERS[kind])
    if rest or num not in (1, 2, 4, 8, 16, 32, 64, 128):
        raise ValueError(f"{kind} stores {_REGISTERS[kind]} registers times a power of two, "
                         f"not {len(words)}")
    trace = _ir.require("tcgen05.st")
    value = words[0].ir_value()
    if len(words) > 1:
        text = f"vector<{len(words)}xi32>"
        value = trace.op("llvm.mlir.poison", [], [text])[0]
        for i, x in enumerate(words):
            value = trace.op("llvm.insertelement", [value, x.ir_value(), _constant("i32", i)],
                             [text])[0]
    tcgen05_fence("after_thread_sync")
    _call(f"st.{kind}.x{num}", _tensor_ptr(tmem_addr), *_offset(kind, offset), value,
          _constant("i1", int(bool(unpack))))


def tcgen05_cp(
    shape: Any, taddr: Any, smem_desc: Any, *, group: Any = None, multicast: Any = None,
    src_format: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a copy of rows from shared to tensor memory, by one thread: tcgen05.cp.

    :param shape: a Tcgen05CpShape; with ``multicast`` a pair of S2TCopyMode
    :param smem_desc: a Tcgen05SmemDesc
    :raises ValueError: for a multicast that the shape does not have, or lacks
    """
    name = word("Tcgen05CpShape", shape).removeprefix("shape_")
    warps = None if multicast is None else word("Tcgen05CpMulticast", multicast)
    needed = {"64x128b": ("warpx2_02_13", "warpx2_01_23"), "32x128b": ("warpx4",)}.get(name, (None,))
    if warps not in needed:
        known = " or ".join(map(str, needed))
        raise ValueError(f"a copy of {name} has the multicast {known}, not {warps}")
    name += f"_{warps}" if warps else ""
    name += f".{word('Tcgen05CpSrcFormat', src_format)}" if src_format is not None else ""
    _call(f"cp.{name}.cg{_ctas(group)}", _tensor_ptr(taddr), word64(smem_desc).ir_value())


def tcgen05_shift(taddr: Any, *, group: Any = None, loc: Any = None, ip: Any = None) -> None:
    """Starts to move rows of 32 bytes one row down: tcgen05.shift."""
    _call(f"shift.down.cg{_ctas(group)}", _tensor_ptr(taddr))
