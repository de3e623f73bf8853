"""Barriers by the names of NVVM."""

from __future__ import annotations

from typing import Any

from ... import _ir
from ...arch import mbarrier_try_wait
from ..._numeric import Boolean, Int32, Int64, Uint64
from ..._tensor import AddressSpace, make_ptr
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


__all__ = ["Boolean", "mbarrier_try_wait_parity_timelimit", "read_ptx_sreg_globaltimer"]
