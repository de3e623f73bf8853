"""Layouts and copies of a matrix product's result."""

from __future__ import annotations

from typing import Any

from .. import core
from .._values.numeric import NumericMeta
from ..nvgpu import common, tcgen05, warp
from .layout import LayoutEnum

__all__ = ["make_smem_layout_c", "sm120_get_smem_store_op"]


def make_smem_layout_c(
    tiled_mma: Any, mma_tiler_mnk: Any, c_dtype: Any, num_stages: int, is_m_major: bool, *,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout of whole tiles of C, ((M,N) of a product, M, N, stage), with the widest
    swizzle that fits.

    :param is_m_major: whether M is contiguous
    """
    from .blackwell_helpers import get_smem_layout_atom_ab

    shape = tiled_mma.partition_shape_C(tuple(mma_tiler_mnk)[:2])
    tile = (core.size(shape[0][0]) * shape[1], core.size(shape[0][1]) * shape[2])
    major = tcgen05.OperandMajorMode.MN if is_m_major else tcgen05.OperandMajorMode.K
    atom = tcgen05.make_smem_layout_atom(get_smem_layout_atom_ab(major, c_dtype, tile), c_dtype)
    order = (1, 0, 2) if is_m_major else (0, 1, 2)
    return tcgen05.tile_to_mma_shape(atom, (*shape, num_stages), order)


def sm120_get_smem_store_op(
    layout_d: LayoutEnum, elem_ty_d: Any, elem_ty_acc: Any, *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the atom that writes results of 16 bits from a warp's registers to shared memory,
    stmatrix; for others a plain copy.

    :raises TypeError: for something else than numeric types
    """
    for dtype in (elem_ty_d, elem_ty_acc):
        if not isinstance(dtype, NumericMeta):
            raise TypeError(f"expected a numeric type, not {dtype!r}")
    op = common.CopyUniversalOp()
    if elem_ty_d.width == 16:
        op = warp.StMatrix8x8x16bOp(layout_d.is_m_major_c(), 2)
    return core.make_copy_atom(op, elem_ty_d)
