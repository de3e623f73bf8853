"""Helpers of kernels: tile schedulers, layouts in shared memory, the hardware."""

from .._compat import placeholders as _placeholders
from .._values.struct import SmemAllocator, SmemPartition
from .block_copies import block_copy
from .blockscaled_layout import (
    make_smem_layout_sf,
    BlockScaledBasicChunk,
    make_smem_layout_sfa,
    make_smem_layout_sfb,
    make_tmem_layout_sfa,
    make_tmem_layout_sfb,
    tile_atom_to_shape_SF,
)
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
from .hopper_helpers import compute_tile_shape_or_override, sm90_get_smem_store_op
from .hopper_helpers import get_smem_layout_atom as sm90_get_smem_layout_atom
from .hopper_helpers import make_smem_layout_a as sm90_make_smem_layout_a
from .hopper_helpers import make_smem_layout_b as sm90_make_smem_layout_b
from .hopper_helpers import make_smem_layout_epi as sm90_make_smem_layout_epi
from .hopper_helpers import make_trivial_tiled_mma as sm90_make_trivial_tiled_mma
from .latex import PALETTES, Band, print_latex, print_latex_tv
from .grouped_gemm import (
    GroupedGemmGroupSearchState,
    GroupedGemmTileSchedulerHelper,
    GroupedWorkTileInfo,
    GroupSearchResult,
    StaticPersistentGroupTileScheduler,
    create_initial_search_state,
)
from .layout import LayoutEnum
from .mixed_input_helpers import (
    TransformMode,
    compute_smem_layout,
    contiguous_group_search,
    create_initial_contiguous_group_search_state,
    cvt_tensor_a,
    cvt_tensor_a_mxf8,
    epilog_gmem_copy_and_partition,
    epilog_smem_copy_and_partition,
    epilog_tmem_copy_and_partition,
    get_copy_atom_a_transform,
    get_divisibility,
    get_gmem_layout_scale,
    get_smem_layout_scale,
    get_tma_atom_kind,
    get_transform_a_source,
    is_shuffle_a,
    is_valid_mma_tiler_and_cluster_shape,
    is_valid_scale_granularity,
    is_valid_tensor_alignment,
    make_contiguous_group_work_tile_info,
    scale_partition,
    scale_tma_partition,
    store_transformed_a,
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
    "BlockScaledBasicChunk",
    "ClcDynamicPersistentTileScheduler",
    "ClcDynamicPersistentTileSchedulerParams",
    "GroupSearchResult",
    "GroupedGemmGroupSearchState",
    "GroupedGemmTileSchedulerHelper",
    "GroupedWorkTileInfo",
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
    "compute_tile_shape_or_override",
    "compute_tmem_cols_from_layout",
    "contiguous_group_search",
    "create_cute_tensor_for_fp8",
    "create_initial_contiguous_group_search_state",
    "create_initial_search_state",
    "cvt_tensor_a",
    "cvt_tensor_a_mxf8",
    "epilog_gmem_copy_and_partition",
    "epilog_smem_copy_and_partition",
    "epilog_tmem_copy_and_partition",
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
    "is_shuffle_a",
    "is_valid_mma_tiler_and_cluster_shape",
    "is_valid_scale_granularity",
    "is_valid_tensor_alignment",
    "make_blockscaled_trivial_tiled_mma",
    "make_contiguous_group_work_tile_info",
    "make_smem_layout",
    "make_smem_layout_a",
    "make_smem_layout_b",
    "make_smem_layout_epi",
    "make_smem_layout_sfa",
    "make_smem_layout_sfb",
    "make_tmem_layout_sfa",
    "make_tmem_layout_sfb",
    "make_trivial_tiled_mma",
    "print_latex",
    "print_latex_tv",
    "scale_partition",
    "scale_tma_partition",
    "sm90_get_smem_layout_atom",
    "sm90_get_smem_store_op",
    "sm90_make_smem_layout_a",
    "sm90_make_smem_layout_b",
    "sm90_make_smem_layout_epi",
    "sm90_make_trivial_tiled_mma",
    "store_transformed_a",
    "tile_atom_to_shape_SF",
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
