"""Choices that kernels for Blackwell make alike: layouts in shared memory, tiles of results."""

from __future__ import annotations

from typing import Any

from .. import core
from .._compat import placeholders as _placeholders
from ..nvgpu import common, tcgen05
from ..nvgpu.warpgroup import make_smem_layout_atom
from .hopper_helpers import get_smem_layout_atom, make_smem_layout_epi
from .layout import LayoutEnum

__all__ = [
    "compute_epilogue_tile_shape",
    "get_smem_store_op",
    "make_smem_layout",
    "make_smem_layout_a",
    "make_smem_layout_b",
    "make_smem_layout_epi",
]


def make_smem_layout(
    leading_mode: tcgen05.OperandMajorMode, smem_tile_shape: Any, element_type: Any,
    num_stages: int, *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout (MN, K, stage) of tiles (MN, K) with the widest swizzle that fits."""
    is_k = leading_mode is tcgen05.OperandMajorMode.K
    tile = tuple(core.size(extent) for extent in smem_tile_shape)
    layout = LayoutEnum.ROW_MAJOR if is_k else LayoutEnum.COL_MAJOR
    kind = get_smem_layout_atom(layout, element_type, tile[is_k])
    return core.tile_to_shape(make_smem_layout_atom(kind, element_type), (*tile, num_stages),
                              (0, 1, 2) if is_k else (1, 0, 2))


def _operand(
    major: Any, tile: tuple[int, int], instruction: tuple[int, int], dtype: Any, stages: int,
) -> Any:
    """Returns ((MN,K) of a product, MN, K, stage) of a block's tile (MN,K)."""
    whole = make_smem_layout(major, tile, dtype, stages)
    divided = core.tiled_divide(whole.outer, instruction)
    return core.make_composed_layout(whole.inner, 0, divided)


def make_smem_layout_a(
    tiled_mma: Any, mma_tiler_mnk: Any, a_dtype: Any, num_stages: int, *,
    is_k_major: bool | None = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout of A's tiles: ((M,K) of a product, M, K, stage)."""
    op = tiled_mma.op
    m, k = op.shape_mnk[0] // op.cta_group.value, op.shape_mnk[2]
    tile = (core.size(mma_tiler_mnk[0]) // op.cta_group.value, core.size(mma_tiler_mnk[2]))
    return _operand(op.a_major_mode, tile, (m, k), a_dtype, num_stages)


def make_smem_layout_b(
    tiled_mma: Any, mma_tiler_mnk: Any, b_dtype: Any, num_stages: int, *,
    is_k_major: bool | None = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout of B's tiles: ((N,K) of a product, N, K, stage)."""
    op = tiled_mma.op
    n, k = op.shape_mnk[1] // op.cta_group.value, op.shape_mnk[2]
    tile = (core.size(mma_tiler_mnk[1]) // op.cta_group.value, core.size(mma_tiler_mnk[2]))
    return _operand(op.b_major_mode, tile, (n, k), b_dtype, num_stages)


def compute_epilogue_tile_shape(
    cta_tile_shape: Any, use_2cta_instrs: bool, layout_d: LayoutEnum, elem_ty_d: Any, *,
    layout_c: LayoutEnum | None = None, elem_ty_c: Any = None, loc: Any = None, ip: Any = None,
) -> tuple[int, Any]:
    """Returns the tile (M,N) of a block's sums that four warps store at a time.

    As CUTLASS chooses it: 4096 sums, or with a source C that is read too, as many columns as
    are fast. Pairs of blocks with 64 rows each have half of the columns in the upper lanes:
    two runs of the tile's columns.

    :param elem_ty_c: the type of a matrix C that is added; None if there is none
    """
    rows, columns = (core.size(extent) for extent in cta_tile_shape[:2])
    runs = 2 if rows == 64 and use_2cta_instrs else 1
    height = min(rows, 128 // runs)
    if elem_ty_c is None:
        fast = (8192 if elem_ty_d.width == 4 else 4096) // height
    else:
        is_small = rows > 64 and columns <= 128
        width = max(elem_ty_c.width, elem_ty_d.width)
        fast = {32: 16, 16: 32}.get(width, 64) if is_small else {32: 32, 16: 64}.get(width, 64)
    least = 8 if layout_d.is_m_major_c() else 128 // elem_ty_d.width
    wide = min(columns, max(fast, least * runs))
    if runs == 1:
        return height, wide
    return height, core.make_layout((wide // runs, runs), stride=(1, columns // runs))


def get_smem_store_op(
    layout_d: LayoutEnum, elem_ty_d: Any, elem_ty_acc: Any, tiled_tmem_load: Any, *,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the atom by which threads store what they have loaded of tensor memory: plain
    stores, as wide as the layout allows."""
    return core.make_copy_atom(common.CopyUniversalOp(), elem_ty_d)


__getattr__ = _placeholders.among(
    dict.fromkeys(
        "make_trivial_tiled_mma make_blockscaled_trivial_tiled_mma "
        "get_tmem_load_op get_smem_layout_atom_ab "
        "get_smem_layout_atom_epi cluster_shape_to_tma_atom_A "
        "cluster_shape_to_tma_atom_B cluster_shape_to_tma_atom_SFB thrfrg_SFA thrfrg_SFB "
        "get_num_tmem_alloc_cols".split(),
        "most helpers for Blackwell",
    ),
    "cute.utils.blackwell_helpers",
)
