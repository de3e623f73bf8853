"""Copies of runs of bytes by cp.async.bulk, without a tensor map, for sm_90."""

from __future__ import annotations

from typing import Any

from .._values import algebra as _algebra
from .._compile import ir as _ir
from .._values.numeric import Int16
from .._values.tensor import Tensor
from .common import CopyOp, OpError

__all__ = [
    "CopyBulkG2SMulticastOp",
    "CopyBulkG2SOp",
    "CopyBulkS2GOp",
    "CopyBulkS2SOp",
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
            raise OpError(self, "a barrier waits for what comes to shared memory", wanted)
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


def group_bulk_copy_modes(
    src: Tensor, dst: Tensor, loc: Any = None, ip: Any = None
) -> tuple[Tensor, Tensor]:
    """Returns both tensors with all their modes in one."""
    return (
        _algebra.group_modes(src, 0, _algebra.rank(src)),
        _algebra.group_modes(dst, 0, _algebra.rank(dst)),
    )
