"""Copies of four rows of a matrix at once by TMA (gather4, scatter4), for sm_100a."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values import algebra as _algebra
from .._values.numeric import Int32
from .._values.operands import wrap
from .._values.tensor import Tensor, make_identity_tensor, make_tensor
from ._tma import (
    CopyBulkTensorTileG2SMulticastOp,
    CopyBulkTensorTileG2SOp,
    CopyBulkTensorTileS2GOp,
    TmaOp,
)
from .common import OpError

__all__ = [
    "CopyBulkTensor2DGather4G2SMulticastOp",
    "CopyBulkTensor2DGather4G2SOp",
    "CopyBulkTensor2DScatter4S2GOp",
]


class _Rows(TmaOp):
    """A copy of rows whose numbers are elements of another tensor, its atom's
    ``gmem_coord_tensor``."""

    _ending = ""

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"{super().name.replace('SM90', 'SM100')}_{self._ending}"

    def take_rows(self, rows: Any, shared_by: int) -> tuple[dict[str, Any], Tensor]:
        """Returns what the atom knows of the tensor of numbers, and the coordinates of what is
        copied, which has its shape."""
        if rows is None:
            raise OpError(self, "the numbers of the rows are missing", "pass gmem_coord_tensor")
        stride = rows.stride
        if rows.element_type is not Int32 or _algebra.rank(rows) != 2 or not _has_rows(stride):
            raise OpError(self, f"gmem_coord_tensor is {rows}",
                          "it has Int32 numbers, and strides (1, 0) or (0, 1)")
        if shared_by > 1:
            raise OpError(self, f"{shared_by} blocks cannot share a load of rows",
                          "let one block load for all, with num_multicast 1")
        return {"rows": stride.index(1)}, make_identity_tensor(rows.shape)

    def partition(
        self, atom: Any, smem: Tensor, coords: Any, cta: Any
    ) -> tuple[Tensor, ...]:
        """Returns the parts of [coordinates, numbers of rows] that the atom's instructions move."""
        coords, rows = coords
        near, far = _ir.apply("tma_partition", atom.ir, smem.ir, coords.ir)
        numbers, _ = _ir.apply("tma_partition", atom.ir, rows.ir, coords.ir)
        return wrap(near, smem), wrap(far, coords), wrap(numbers, rows)

    def with_rows(self, atom: Any, made: Any, src: Any, dst: Any) -> tuple[Any, Any, Any]:
        """Returns the atom that knows the numbers of the rows, and the tensors that it copies."""
        pair = src if self.is_load else dst
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise OpError(self, "the numbers of the rows are missing",
                          "pass [coordinates, rows], as tma_partition gives them")
        coords, rows = pair
        mode = atom.fields["rows"]
        start = tuple(0 if i == mode else at for i, at in enumerate(coords.iterator))
        numbers = make_tensor(rows.iterator, _algebra.make_layout(atom.fields["tiler"][mode]))
        made = _ir.apply("with_rows", made, numbers.ir)
        coords = make_tensor(start, coords.layout)
        return (made, coords, dst) if self.is_load else (made, src, coords)


def _has_rows(stride: Any) -> bool:
    return all(isinstance(s, int) for s in stride) and sorted(stride) == [0, 1]


class CopyBulkTensor2DGather4G2SOp(_Rows, CopyBulkTensorTileG2SOp):
    """TMA of matrix rows, four at a time, from global to shared memory.

    ``make_tiled_tma_atom`` takes the numbers of the rows as ``gmem_coord_tensor``, Int32 in the
    shape of what is copied, with the stride 0 along rows' elements; ``tma_partition`` and
    ``copy`` take [coordinates, numbers] in place of the coordinates.
    """

    _ending = "GATHER4"

    def __str__(self) -> str:
        return "cp.async GMEM -> SMEM bulk tensor gather4 copy Operation"


class CopyBulkTensor2DGather4G2SMulticastOp(_Rows, CopyBulkTensorTileG2SMulticastOp):
    """The same to the shared memory of several blocks of a cluster."""

    _ending = "GATHER4"

    def __str__(self) -> str:
        return "cp.async GMEM -> SMEM bulk tensor gather4 multicast copy Operation"


class CopyBulkTensor2DScatter4S2GOp(_Rows, CopyBulkTensorTileS2GOp):
    """TMA from shared memory to matrix rows, four at a time."""

    name = "SM100_TMA_STORE_SCATTER4"

    def __str__(self) -> str:
        return "cp.async SMEM -> GMEM bulk tensor scatter4 copy Operation"
