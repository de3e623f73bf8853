"""Barriers and copies by the names of NVVM."""

from __future__ import annotations

import enum
from types import NoneType
from typing import Any, Sequence

from ..._compile import ir as _ir
from ... import arch
from ...arch import mbarrier_try_wait
from ..._values.numeric import (
    BFloat16,
    Boolean,
    Float16,
    Float32,
    Float64,
    Int32,
    Int64,
    Uint32,
    Uint64,
)
from ..._values.pointer import AddressSpace, make_ptr
from ..._compat.missing import NotThere
from ..ir import raw


def mbarrier_try_wait_parity_timelimit(
    addr: Any, phase: Any, ticks: Any, *, loc: Any = None, ip: Any = None
) -> _ir.Value:
    """Waits for a while, and returns the i1 that says whether the phase is complete.

    How long is a matter of the hardware: the limit in nanoseconds is not passed on.
    """
    address = _ir.require("an mbarrier").op("llvm.ptrtoint", [raw(addr)], ["i32"])[0]
    barrier = make_ptr(Int64, Int32(address), AddressSpace.smem, assumed_align=8)
    return mbarrier_try_wait(barrier, Int32(phase)).ir_value()


def exit(*, loc: Any = None, ip: Any = None) -> None:  # noqa: A001 (the name of the reference)
    """Ends the thread."""
    from . import llvm

    llvm.inline_asm(None, [], "exit;", "~{memory}", has_side_effects=True)


def read_ptx_sreg_globaltimer(*, loc: Any = None, ip: Any = None) -> Uint64:
    """Returns the nanoseconds of the device's clock."""
    from .llvm import inline_asm

    text = "mov.u64 $0, %globaltimer;"
    return Uint64(inline_asm(_ir.type("i64"), [], text, "=l", has_side_effects=True))


def elect_sync(*, loc: Any = None, ip: Any = None, **options: Any) -> _ir.Value:
    """Returns an i1 that is true in one thread of the warp."""
    return _ir.apply("elect_one")


def _count(value: Any) -> Any:
    return Int32(value) if isinstance(value, _ir.Value) else value


def barrier_cta_sync(
    barrier_id: Any, *, thread_count: Any = None, aligned: Any = None, loc: Any = None,
    ip: Any = None,
) -> None:
    """Waits at a barrier of the block, as ``cute.arch.barrier`` does."""
    arch.barrier(barrier_id=_count(barrier_id), number_of_threads=_count(thread_count))


def barrier_cta_arrive(
    barrier_id: Any, thread_count: Any, *, aligned: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a barrier of the block, as ``cute.arch.barrier_arrive`` does."""
    arch.barrier_arrive(barrier_id=_count(barrier_id), number_of_threads=_count(thread_count))


def _extremum(name: str, floats: str, what: str) -> Any:
    def apply(
        *operands: Any, c: Any = None, loc: Any = None, ip: Any = None, **options: Any
    ) -> _ir.Value:
        trace = _ir.require(f"nvvm.{name}")
        first, *rest = [raw(x) for x in (*operands, c) if not isinstance(x, (_ir.Type, NoneType))]
        for other in rest:
            first = trace.op(f"arith.{floats}", [first, other], [trace.type_of(first)])[0]
        return first

    apply.__name__ = name
    apply.__doc__ = f"Returns the {what} of two floats or three, after their type or without it."
    return apply


fmax = _extremum("fmax", "maxnumf", "largest")
fmin = _extremum("fmin", "minnumf", "smallest")


class AtomicOpKind(enum.Enum):
    """What ``atomicrmw`` does; INC and DEC wrap at the operand."""

    AND = "and"
    OR = "or"
    XOR = "xor"
    ADD = "add"
    FADD = "fadd"
    MAX = "max"
    MIN = "min"
    UMAX = "umax"
    UMIN = "umin"
    INC = "inc"
    DEC = "dec"
    EXCH = "exch"
    CAS = "cas"


class RoundingModeKind(enum.Enum):
    """How a result is rounded."""

    RN = "rn"
    RM = "rm"
    RP = "rp"
    RZ = "rz"


def _pairs(name: str) -> Any:
    def apply(*operands: Any, **options: Any) -> Any:
        return getattr(arch, f"{name}_packed_f32x2")(*operands, **options)

    apply.__name__, apply.__doc__ = f"{name}_packed_f32x2", "Computes with pairs of Float32."
    return apply


add_packed_f32x2, sub_packed_f32x2 = _pairs("add"), _pairs("sub")
mul_packed_f32x2, fma_packed_f32x2 = _pairs("mul"), _pairs("fma")


class MemOrderKind(enum.Enum):
    """The order of an access among others."""

    WEAK = None
    RELAXED = "relaxed"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"


class MemScopeKind(enum.Enum):
    """The threads among which an access is ordered."""

    CTA = "cta"
    CLUSTER = "cluster"
    GPU = "gpu"
    SYS = "sys"


# Numbers of LLVM for operations that have no function of cute.arch.
_WRAPPING = {"inc": 15, "dec": 16}
_FLOATS = {"f16": Float16, "bf16": BFloat16, "f32": Float32, "f64": Float64}
_NUMBERS = {"i32": (Int32, Uint32), "i64": (Int64, Uint64)}


def atomicrmw(
    op: Any = None,
    ptr: Any = None,
    a: Any = None,
    b: Any = None,
    *,
    res: Any = None,
    mem_order: Any = None,
    syncscope: Any = None,
    loc: Any = None,
    ip: Any = None,
    **options: Any,
) -> _ir.Value:
    """Atomically changes memory, and returns the old value.

    :param op: an AtomicOpKind
    :param ptr: a pointer of LLVM's
    :param a: the operand; of CAS what is compared, and ``b`` what is written
    :param res: the type, which is that of the operand
    """
    sem, scope = getattr(mem_order, "value", None), getattr(syncscope, "value", None)
    text = _ir.text_of(raw(a).type)
    if op.value in _WRAPPING:
        attributes = {"bin_op": f"{_WRAPPING[op.value]} : i64", "ordering": "2 : i64"}
        trace = _ir.require("nvvm.atomicrmw")
        return trace.op("llvm.atomicrmw", [ptr, raw(a)], [text], attributes)[0]
    name = op.value.removeprefix("f").removeprefix("u")
    number = _FLOATS[text] if text in _FLOATS else _NUMBERS[text][op.value.startswith("u")]
    if name == "cas":
        made = arch.atomic_cas(ptr, cmp=number(a), val=number(b), sem=sem, scope=scope)
    else:
        made = getattr(arch, f"atomic_{name}")(ptr, number(a), sem=sem, scope=scope)
    return made.ir_value()


class CpAsyncBulkTensorLoadMode(enum.Enum):
    """What the coordinates of a TMA load name."""

    TILE = 0


class CVTPackFloatKind(enum.IntEnum):
    """Kinds of pairs of floats in a word."""

    F32 = 0
    F16x2 = 1
    E4M3x2 = 2
    E5M2x2 = 3
    BF16x2 = 4
    E2M1x2 = 5
    E2M3x2 = 6
    E3M2x2 = 7
    UE8M0x2 = 8


class FPRoundingMode(enum.IntEnum):
    """How conversions round: to the nearest, down, up, or towards zero."""

    NONE = 0
    RN = 1
    RM = 2
    RP = 3
    RZ = 4
    RNA = 5
    RS = 6


class SaturationMode(enum.IntEnum):
    """What becomes of numbers that are too large."""

    NONE = 0
    SATFINITE = 1
    SAT = 2


SaturationModeKind = SaturationMode


def cvt_packfloat_f32(
    src_a: Any, src_b: Any, src_c: Any, to: Any, *, rnd: Any = None, sat: Any = None,
    relu: Any = None, extract_hi: Any = None, results: Any = None, loc: Any = None, ip: Any = None,
) -> _ir.Value:
    """Returns the word of ``cutlass.experimental.primitives.cvt_packfloat_f32``, an i32."""
    from ...instructions import primitives

    return primitives.cvt_packfloat_f32(
        Float32(src_a), Float32(src_b), Int32(src_c), to, rnd=rnd, sat=sat, relu=relu,
        extract_hi=extract_hi).ir_value()


def cvt_packfloat(
    src_a: Any, src_c: Any, from_: Any, to: Any, *, rnd: Any = None, sat: Any = None,
    relu: Any = None, extract_hi: Any = None, results: Any = None, loc: Any = None, ip: Any = None,
) -> _ir.Value:
    """Returns the word of ``cutlass.experimental.primitives.cvt_packfloat``, an i32."""
    from ...instructions import primitives

    return primitives.cvt_packfloat(
        Int32(src_a), Int32(src_c), from_, to, rnd=rnd, sat=sat, relu=relu,
        extract_hi=extract_hi).ir_value()


TMALoadMode = CpAsyncBulkTensorLoadMode


def CpAsyncBulkTensorGlobalToSharedClusterOp(
    dstMem: Any,
    tmaDescriptor: Any,
    coordinates: Sequence[Any],
    mbar: Any,
    im2colOffsets: Sequence[Any] = (),
    *,
    multicastMask: Any = None,
    l2CacheHint: Any = None,
    predicate: Any = None,
    mode: Any = TMALoadMode.TILE,
    loadMode: Any = TMALoadMode.TILE,
    loc: Any = None,
    ip: Any = None,
    **options: Any,
) -> None:
    """Starts a TMA load of a box.

    :param tmaDescriptor: a pointer of LLVM's to the tensor map
    :param coordinates: of the box, the innermost first
    :param mbar: the barrier that counts the bytes
    :param predicate: the i1 of the threads that do it; all, otherwise
    """
    from .llvm import inline_asm

    if im2colOffsets or TMALoadMode.TILE not in (mode, loadMode) or l2CacheHint is not None:
        raise NotThere("TMA loads by hand are of tiles, without a hint for the L2 cache")
    trace = _ir.require("a TMA load")
    operands = [trace.op("llvm.ptrtoint", [raw(x)], [width])[0]
                for x, width in ((dstMem, "i32"), (tmaDescriptor, "i64"), (mbar, "i32"))]
    operands += [raw(x) for x in coordinates]
    letters = ["r", "l", "r"] + ["r"] * len(coordinates)
    box = ", ".join(f"${3 + i}" for i in range(len(coordinates)))
    name = f"cp.async.bulk.tensor.{len(coordinates)}d.shared::cluster.global.tile"
    text = f"{name}.mbarrier::complete_tx::bytes"
    places = f"[$0], [$1, {{{box}}}], [$2]"
    if multicastMask is not None:
        text, places = f"{text}.multicast::cluster", f"{places}, ${len(operands)}"
        operands.append(raw(multicastMask))
        letters.append("h")
    text = f"{text} {places};"
    if predicate is not None:
        text = f"{{ .reg .pred p; setp.ne.b32 p, ${len(operands)}, 0; @p {text} }}"
        operands.append(raw(predicate))
        letters.append("r")
    inline_asm(None, operands, text, ",".join([*letters, "~{memory}"]), has_side_effects=True)


__all__ = ["Boolean", "mbarrier_try_wait_parity_timelimit", "read_ptx_sreg_globaltimer"]
