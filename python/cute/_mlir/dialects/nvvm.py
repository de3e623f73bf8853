"""Barriers and copies by the names of NVVM."""

from __future__ import annotations

import enum
from typing import Any, Sequence

from ... import _ir
from ...arch import mbarrier_try_wait
from ..._numeric import Boolean, Int32, Int64, Uint64
from ..._tensor import AddressSpace, make_ptr
from ..._missing import NotThere
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


def read_ptx_sreg_globaltimer(*, loc: Any = None, ip: Any = None) -> Uint64:
    """Returns the nanoseconds of the device's clock."""
    from .llvm import inline_asm

    text = "mov.u64 $0, %globaltimer;"
    return Uint64(inline_asm(_ir.type("i64"), [], text, "=l", has_side_effects=True))


def elect_sync(*, loc: Any = None, ip: Any = None, **options: Any) -> _ir.Value:
    """Returns an i1 that is true in one thread of the warp."""
    return _ir.apply("elect_one")


class CpAsyncBulkTensorLoadMode(enum.Enum):
    """What the coordinates of a TMA load name."""

    TILE = 0


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
