"""Common choices of Hopper kernels: products, layouts, stores."""

from __future__ import annotations

from typing import Any, Optional

from .. import core
from .._values.numeric import BFloat16, Float8E4M3FN, Float8E5M2, Float16, Int8, Uint8
from ..nvgpu import common, warp, warpgroup
from .layout import LayoutEnum

__all__ = [
    "compute_tile_shape_or_override",
    "get_smem_layout_atom",
    "get_smem_store_op",
    "make_smem_layout_a",
    "make_smem_layout_b",
    "make_smem_layout_epi",
    "make_trivial_tiled_mma",
    "sm90_get_smem_store_op",
]

# The bits of K that one product takes: 16 elements of 16 bits, 32 of 8.
_BITS_OF_K = 256


def make_trivial_tiled_mma(
    a_dtype: Any,
    b_dtype: Any,
    a_leading_mode: Any,
    b_leading_mode: Any,
    acc_dtype: Any,
    atom_layout_mnk: Any,
    tiler_mn: tuple[int, int],
    a_source: Any = warpgroup.OperandSource.SMEM,
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns warpgroups' products of (64, tiler_mn[1]), laid out as ``atom_layout_mnk``."""
    shape = (64, tiler_mn[1], _BITS_OF_K // a_dtype.width)
    if a_dtype in (Float16, BFloat16):
        if a_dtype is not b_dtype:
            raise TypeError(f"A and B have one type of 16 bits, not {a_dtype}, {b_dtype}")
        op: Any = warpgroup.MmaF16BF16Op(
            a_dtype, acc_dtype, shape, a_source, a_leading_mode, b_leading_mode
        )
    elif a_dtype in (Float8E4M3FN, Float8E5M2):
        op = warpgroup.MmaF8Op(
            a_dtype, b_dtype, acc_dtype, shape, a_source, a_leading_mode, b_leading_mode
        )
    elif a_dtype in (Int8, Uint8):
        op = warpgroup.MmaI8Op(
            a_dtype, b_dtype, acc_dtype, shape, a_source, a_leading_mode, b_leading_mode
        )
    else:
        raise TypeError(f"no product of warpgroups takes {a_dtype} and {b_dtype}")
    return core.make_tiled_mma(core.make_mma_atom(op), atom_layout_mnk)


def get_smem_layout_atom(
    layout: LayoutEnum, element_type: Any, major_mode_size: int, **_: Any
) -> Any:
    """Returns the widest swizzle whose lines fit into the contiguous mode."""
    kinds = warpgroup.SmemLayoutAtomKind
    row = layout is LayoutEnum.ROW_MAJOR
    bits = major_mode_size * element_type.width
    for line, k_major, mn_major in (
        (1024, kinds.K_SW128, kinds.MN_SW128),
        (512, kinds.K_SW64, kinds.MN_SW64),
        (256, kinds.K_SW32, kinds.MN_SW32),
        (128, kinds.K_INTER, kinds.MN_INTER),
    ):
        if bits % line == 0:
            return k_major if row else mn_major
    raise ValueError(
        f"{major_mode_size} elements of {element_type} are {bits} bits, not a multiple of 16 "
        "bytes: no layout that TMA and products of warpgroups share has such lines"
    )


def _operand(
    layout: LayoutEnum, shape: Any, line: int, element_type: Any, stages: int
) -> Any:
    atom = warpgroup.make_smem_layout_atom(
        get_smem_layout_atom(layout, element_type, line), element_type
    )
    order = (0, 1, 2) if layout is LayoutEnum.ROW_MAJOR else (1, 0, 2)
    return core.tile_to_shape(atom, core.append(shape, stages), order)


def make_smem_layout_a(
    a_layout: LayoutEnum, mma_tiler_mnk: Any, a_dtype: Any, num_stages: int, **_: Any
) -> Any:
    """Returns the layout (M, K, stage) of A's tiles in shared memory."""
    shape = (mma_tiler_mnk[0], mma_tiler_mnk[2])
    line = core.size(mma_tiler_mnk[2 if a_layout.is_k_major_a() else 0])
    return _operand(a_layout, shape, line, a_dtype, num_stages)


def make_smem_layout_b(
    b_layout: LayoutEnum, mma_tiler_mnk: Any, b_dtype: Any, num_stages: int, **_: Any
) -> Any:
    """Returns the layout (N, K, stage) of B's tiles in shared memory."""
    shape = (mma_tiler_mnk[1], mma_tiler_mnk[2])
    line = core.size(mma_tiler_mnk[2 if b_layout.is_k_major_b() else 1])
    return _operand(b_layout, shape, line, b_dtype, num_stages)


def _contiguous(tile: Any) -> int:
    """Returns how many elements along a mode of a tile, an extent or a layout, are neighbours."""
    is_layout = hasattr(tile, "stride")
    return core.size(core.coalesce(core.right_inverse(tile)) if is_layout else tile)


def make_smem_layout_epi(
    epi_dtype: Any,
    epi_layout: LayoutEnum,
    epi_tile: Any,
    epi_stage: int,
    smem_trg_shape: Any = None,
    smem_order: Any = None,
    **_: Any,
) -> Any:
    """Returns the layout (M, N, stage) of the result's tiles in shared memory."""
    line = _contiguous(epi_tile[1 if epi_layout.is_n_major_c() else 0])
    atom = warpgroup.make_smem_layout_atom(
        get_smem_layout_atom(epi_layout, epi_dtype, line), epi_dtype
    )
    sizes = tuple(map(core.size, epi_tile))
    shape = (*sizes, epi_stage) if smem_trg_shape is None else smem_trg_shape
    order = smem_order
    if order is None:
        order = (1, 0, 2) if epi_layout.is_m_major_c() else (0, 1, 2)
    return core.tile_to_shape(atom, shape, order)


def compute_tile_shape_or_override(
    tile_shape_mnk: Any,
    element_type: Any,
    is_cooperative: bool = False,
    epi_tile_override: Optional[Any] = None,
    **_: Any,
) -> Any:
    """Returns the tile of the result that is stored at a time."""
    if epi_tile_override is not None:
        return epi_tile_override
    m, n = (core.size(tile_shape_mnk[i]) for i in (0, 1))
    if is_cooperative:
        return (min(128, m), min(32, n))
    return (min(64, m), min(64 if element_type.width == 8 else 32, n))


def sm90_get_smem_store_op(
    layout_d: LayoutEnum, elem_ty_d: Any, elem_ty_acc: Any, **_: Any
) -> Any:
    """Returns the copy of a result from registers to shared memory: stmatrix where it can."""
    if not isinstance(layout_d, LayoutEnum):
        raise TypeError(f"layout_d is a LayoutEnum, not {layout_d!r}")
    if elem_ty_d.width == 16:
        return core.make_copy_atom(
            warp.StMatrix8x8x16bOp(layout_d.is_m_major_c(), 4), elem_ty_d
        )
    return core.make_copy_atom(common.CopyUniversalOp(), elem_ty_d)


get_smem_store_op = sm90_get_smem_store_op
