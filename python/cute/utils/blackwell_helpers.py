"""Choices that kernels for Blackwell make alike: layouts of operands in shared memory."""

from __future__ import annotations

from typing import Any

from .. import core
from .._compat import placeholders as _placeholders
from ..nvgpu import tcgen05
from ..nvgpu.warpgroup import make_smem_layout_atom
from .hopper_helpers import get_smem_layout_atom
from .layout import LayoutEnum

__all__ = ["make_smem_layout_a", "make_smem_layout_b"]


def _operand(
    op: Any, major: Any, tile: tuple[int, int], instruction: tuple[int, int], dtype: Any,
    stages: int,
) -> Any:
    """Returns ((MN,K) of a product, MN, K, stage) of a block's tile (MN,K)."""
    is_k = major is tcgen05.OperandMajorMode.K
    layout = LayoutEnum.ROW_MAJOR if is_k else LayoutEnum.COL_MAJOR
    atom = make_smem_layout_atom(get_smem_layout_atom(layout, dtype, tile[is_k]), dtype)
    whole = core.tile_to_shape(atom, (*tile, stages), (0, 1, 2) if is_k else (1, 0, 2))
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
    return _operand(op, op.a_major_mode, tile, (m, k), a_dtype, num_stages)


def make_smem_layout_b(
    tiled_mma: Any, mma_tiler_mnk: Any, b_dtype: Any, num_stages: int, *,
    is_k_major: bool | None = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout of B's tiles: ((N,K) of a product, N, K, stage)."""
    op = tiled_mma.op
    n, k = op.shape_mnk[1] // op.cta_group.value, op.shape_mnk[2]
    tile = (core.size(mma_tiler_mnk[1]) // op.cta_group.value, core.size(mma_tiler_mnk[2]))
    return _operand(op, op.b_major_mode, tile, (n, k), b_dtype, num_stages)


__getattr__ = _placeholders.among(
    dict.fromkeys(
        "make_trivial_tiled_mma make_blockscaled_trivial_tiled_mma make_smem_layout_epi "
        "make_smem_layout get_tmem_load_op get_smem_store_op get_smem_layout_atom_ab "
        "get_smem_layout_atom_epi compute_epilogue_tile_shape cluster_shape_to_tma_atom_A "
        "cluster_shape_to_tma_atom_B cluster_shape_to_tma_atom_SFB thrfrg_SFA thrfrg_SFB "
        "get_num_tmem_alloc_cols".split(),
        "most helpers for Blackwell",
    ),
    "cute.utils.blackwell_helpers",
)
