"""Helpers of kernels: tile schedulers, layouts in shared memory, the hardware."""

from .._compat import placeholders as _placeholders
from .._values.struct import SmemAllocator, SmemPartition
from .block_copies import block_copy
from .blackwell_helpers import (
    cluster_shape_to_tma_atom_A,
    cluster_shape_to_tma_atom_B,
    cluster_shape_to_tma_atom_SFB,
    compute_epilogue_tile_shape,
    compute_tmem_cols_from_layout,
    get_num_tmem_alloc_cols,
    get_permutation_mnk,
    get_smem_layout_atom_ab,
    get_smem_layout_atom_epi,
    get_smem_store_op,
    get_tmem_load_op,
    make_blockscaled_trivial_tiled_mma,
    make_smem_layout,
    make_smem_layout_a,
    make_smem_layout_b,
    make_smem_layout_epi,
    make_trivial_tiled_mma,
)
from .dynamic_scheduler import (
    ClcDynamicPersistentTileScheduler,
    ClcDynamicPersistentTileSchedulerParams,
)
from .hardware_info import HardwareInfo, get_smem_capacity_in_bytes
from .hopper_helpers import get_smem_layout_atom as sm90_get_smem_layout_atom
from .hopper_helpers import make_trivial_tiled_mma as sm90_make_trivial_tiled_mma
from .latex import PALETTES, Band, print_latex, print_latex_tv
from .grouped_gemm import (
    GroupedGemmGroupSearchState,
    GroupedGemmTileSchedulerHelper,
    GroupSearchResult,
    StaticPersistentGroupTileScheduler,
    create_initial_search_state,
)
from .layout import LayoutEnum
from .mixed_input_helpers import (
    TransformMode,
    compute_smem_layout,
    get_copy_atom_a_transform,
    get_divisibility,
    get_gmem_layout_scale,
    get_smem_layout_scale,
    get_tma_atom_kind,
    get_transform_a_source,
    is_valid_scale_granularity,
    scale_partition,
    scale_tma_partition,
    transform_partition,
)
from .tensor_helpers import create_cute_tensor_for_fp8, get_kernel_smem_size, is_fp8_dtype
from .tensormap_manager import TensorMapManager, TensorMapUpdateMode
from .tmem_allocator import TmemAllocator, TmemBufferPool
from .tile_scheduler import (
    PersistentTileSchedulerParams,
    StaticPersistentRuntimeTileScheduler,
    StaticPersistentTileScheduler,
    WorkTileInfo,
)

__all__ = [
    "Band",
    "ClcDynamicPersistentTileScheduler",
    "ClcDynamicPersistentTileSchedulerParams",
    "GroupSearchResult",
    "GroupedGemmGroupSearchState",
    "GroupedGemmTileSchedulerHelper",
    "HardwareInfo",
    "LayoutEnum",
    "PALETTES",
    "PersistentTileSchedulerParams",
    "SmemAllocator",
    "SmemPartition",
    "StaticPersistentGroupTileScheduler",
    "StaticPersistentRuntimeTileScheduler",
    "StaticPersistentTileScheduler",
    "TensorMapManager",
    "TensorMapUpdateMode",
    "TmemAllocator",
    "TmemBufferPool",
    "TransformMode",
    "WorkTileInfo",
    "block_copy",
    "cluster_shape_to_tma_atom_A",
    "cluster_shape_to_tma_atom_B",
    "cluster_shape_to_tma_atom_SFB",
    "compute_epilogue_tile_shape",
    "compute_smem_layout",
    "compute_tmem_cols_from_layout",
    "create_cute_tensor_for_fp8",
    "create_initial_search_state",
    "get_copy_atom_a_transform",
    "get_divisibility",
    "get_gmem_layout_scale",
    "get_kernel_smem_size",
    "get_num_tmem_alloc_cols",
    "get_permutation_mnk",
    "get_smem_capacity_in_bytes",
    "get_smem_layout_atom_ab",
    "get_smem_layout_atom_epi",
    "get_smem_layout_scale",
    "get_smem_store_op",
    "get_tma_atom_kind",
    "get_tmem_load_op",
    "get_transform_a_source",
    "is_fp8_dtype",
    "is_valid_scale_granularity",
    "make_blockscaled_trivial_tiled_mma",
    "make_smem_layout",
    "make_smem_layout_a",
    "make_smem_layout_b",
    "make_smem_layout_epi",
    "make_trivial_tiled_mma",
    "print_latex",
    "print_latex_tv",
    "scale_partition",
    "scale_tma_partition",
    "sm90_get_smem_layout_atom",
    "sm90_make_trivial_tiled_mma",
    "transform_partition",
]

__getattr__ = _placeholders.among(
    {
        "rubin_helpers": "products of Rubin; use blackwell_helpers",
    },
    "cute.utils",
    {
        "sm90": "cute.utils.hopper_helpers",
        "sm100": "cute.utils.blackwell_helpers",
        "distributed_helpers": "cute.utils.distributed",
    },
)
