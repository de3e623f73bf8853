"""Copies of runs of bytes by cp.async.bulk, without a tensor map, for sm_90."""

from __future__ import annotations

from typing import Any

from .._values import algebra as _algebra
from .._compile import ir as _ir
from .._values import tensor as _tensor
from .._values.layout_algebra import coalesce
from .._values.numeric import Int16, Int32
from .._values.pointer import AddressSpace
from .._values.tensor import Tensor
from ..arch.inline import inline_ptx
from .common import CopyOp, OpError

__all__ = [
    "CopyBulkG2SMulticastOp",
    "CopyBulkG2SOp",
    "CopyBulkS2GByteMaskOp",
    "CopyBulkS2GOp",
    "CopyBulkS2SOp",
    "CopyDsmemStoreOp",
    "group_bulk_copy_modes",
]


class _BulkOp(CopyOp):
    """A copy of what lies in a row, by the thread that calls it."""

    name = ""
    needs_barrier = True
    is_multicast = False

    def atom_name(self, bits: int) -> str:
        return self.name

    def copy(
        self,
        atom: Any,
        src: Tensor,
        dst: Tensor,
        *,
        pred: Any = None,
        mbar_ptr: Any = None,
        mcast_mask: Any = None,
    ) -> None:
        """Starts the copy: 16 bytes, or a multiple, in each run.

        :param mbar_ptr: the barrier that waits for the bytes
        :param mcast_mask: a bit for each block of the cluster that gets them
        """
        if pred is not None:
            raise OpError(self, "a bulk copy has no predicate", "write it in an if")
        if self.needs_barrier != (mbar_ptr is not None):
            wanted = "pass mbar_ptr" if self.needs_barrier else "leave out mbar_ptr"
            raise OpError(self, "a barrier is for copies to shared memory", wanted)
        if self.is_multicast != (mcast_mask is not None):
            wanted = "pass mcast_mask" if self.is_multicast else "leave out mcast_mask"
            raise OpError(self, "a mask is for several blocks", wanted)
        made = atom.ir
        if self.needs_barrier:
            mask = [Int16(mcast_mask).ir_value()] if self.is_multicast else []
            kind = _ir.type_of(made)
            made = _ir.apply("with_barrier", made, mbar_ptr.ir, *mask, results=[kind])
        _ir.apply("copy", made, src.ir, dst.ir, results=[])


class CopyBulkG2SOp(_BulkOp):
    """cp.async.bulk from global to shared memory."""

    name = "SM90_BULK_COPY_G2S"


class CopyBulkG2SMulticastOp(_BulkOp):
    """cp.async.bulk from global memory to several blocks of a cluster."""

    name = "SM90_BULK_COPY_G2S_MULTICAST"
    is_multicast = True


class CopyBulkS2GOp(_BulkOp):
    """cp.async.bulk from shared to global memory; a bulk group is waited for."""

    name = "SM90_BULK_COPY_S2G"
    needs_barrier = False


class CopyBulkS2SOp(_BulkOp):
    """cp.async.bulk to the shared memory of another block of the cluster."""

    name = "SM90_BULK_COPY_S2S"


class CopyBulkS2GByteMaskOp(_BulkOp):
    """cp.async.bulk from shared to global memory of some bytes of each 16, from sm_100 on.

    ``copy`` takes ``byte_mask``, a bit for each of 16 bytes; a bulk group is waited for.
    """

    name = "SM90_BULK_COPY_S2G"

    def copy(  # type: ignore[override]
        self, atom: Any, src: Tensor, dst: Tensor, *, pred: Any = None, byte_mask: Any = None,
    ) -> None:
        """Starts the copy of neighbours in both memories, a multiple of 16 bytes.

        :raises OpError: for tensors whose elements are not side by side
        """
        if pred is not None or byte_mask is None:
            raise OpError(self, "the copy takes byte_mask, and no predicate")
        for tensor in (src, dst):
            flat = coalesce(tensor.layout)
            if str(flat) not in (f"{_algebra.size(flat)}:1", f"({_algebra.size(flat)}):(1)"):
                raise OpError(self, f"{tensor} has gaps", "copy one run at a time")
        size = _algebra.size(src) * src.element_type.width // 8
        inline_ptx("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [{$r0}], [{$r1}], {$r2}, "
                   "{$r3};", read_only_args=[dst.iterator, src.iterator, Int32(size),
                                             Int16(byte_mask)])


class CopyDsmemStoreOp(CopyOp):
    """st.async from registers to the shared memory of another block of the cluster.

    ``copy`` takes ``mbar_ptr``, that block's barrier, which counts the bytes; it and the
    destination are of ``cute.arch.map_dsmem_ptr``.
    """

    def atom_name(self, bits: int) -> str:
        return f"UniversalCopy<uint{bits}_t>"

    def copy(
        self, atom: Any, src: Tensor, dst: Tensor, *, pred: Any = None, mbar_ptr: Any = None
    ) -> None:
        """Starts stores of 4 bytes each.

        :raises OpError: for a destination or a barrier in other memory
        """
        if pred is not None or mbar_ptr is None:
            raise OpError(self, "the copy takes mbar_ptr, and no predicate")
        for place in (dst.iterator, mbar_ptr):
            if place.memspace is not AddressSpace.dsmem:
                raise OpError(self, f"{place} is not another block's", "take map_dsmem_ptr")
        words, places = (_tensor.recast_tensor(t, Int32) for t in (src, dst))
        name = "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32"
        for i in range(_algebra.size(words)):
            address = places.iterator + places.layout(i)
            inline_ptx(f"{name} [{{$r0}}], {{$r1}}, [{{$r2}}];",
                       read_only_args=[address, words[i], mbar_ptr])


def group_bulk_copy_modes(
    src: Tensor, dst: Tensor, loc: Any = None, ip: Any = None
) -> tuple[Tensor, Tensor]:
    """Returns both tensors with all their modes in one."""
    return (
        _algebra.group_modes(src, 0, _algebra.rank(src)),
        _algebra.group_modes(dst, 0, _algebra.rank(dst)),
    )
