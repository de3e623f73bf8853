"""Helpers of kernels: tile schedulers, layouts in shared memory, the hardware."""

from .._compat import placeholders as _placeholders
from .._values.struct import SmemAllocator, SmemPartition
from .blackwell_helpers import compute_epilogue_tile_shape
from .hardware_info import HardwareInfo, get_smem_capacity_in_bytes
from .latex import PALETTES, Band, print_latex, print_latex_tv
from .grouped_gemm import (
    GroupedGemmGroupSearchState,
    GroupedGemmTileSchedulerHelper,
    GroupSearchResult,
    StaticPersistentGroupTileScheduler,
    create_initial_search_state,
)
from .layout import LayoutEnum
from .tensor_helpers import create_cute_tensor_for_fp8, is_fp8_dtype
from .tensormap_manager import TensorMapManager, TensorMapUpdateMode
from .tmem_allocator import TmemAllocator
from .tile_scheduler import (
    PersistentTileSchedulerParams,
    StaticPersistentTileScheduler,
    WorkTileInfo,
)

__all__ = [
    "Band",
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
    "StaticPersistentTileScheduler",
    "TensorMapManager",
    "TensorMapUpdateMode",
    "TmemAllocator",
    "WorkTileInfo",
    "compute_epilogue_tile_shape",
    "create_cute_tensor_for_fp8",
    "create_initial_search_state",
    "get_smem_capacity_in_bytes",
    "is_fp8_dtype",
    "print_latex",
    "print_latex_tv",
]

__getattr__ = _placeholders.among(
    {
        "StaticPersistentRuntimeTileScheduler": "products of Blackwell",
        "get_num_tmem_alloc_cols": "tensor memory of Blackwell",
        "ClcDynamicPersistentTileScheduler": "scheduling by Blackwell's launch control",
        "ClcDynamicPersistentTileSchedulerParams": "scheduling by Blackwell's launch control",
        "TmemBufferPool": "tensor memory of Blackwell",
        "block_copy": "copies by blocks of threads",
        "gemm": "products of Blackwell",
        "rubin_helpers": "products of Rubin",
        "blockscaled_layout": "block-scaled products of Blackwell",
        "distributed": "multicast memory of several GPUs",
        "distributed_helpers": "multicast memory of several GPUs",
        "mixed_input_helpers": "products of Blackwell",
    },
    "cute.utils",
    {"sm90": "cute.utils.hopper_helpers", "sm100": "cute.utils.blackwell_helpers"},
)
