"""Helpers of kernels: tile schedulers, layouts in shared memory, the hardware."""

from .._struct import SmemAllocator
from .hardware_info import HardwareInfo, get_smem_capacity_in_bytes
from .latex import print_latex, print_latex_tv
from .layout import LayoutEnum
from .tile_scheduler import (
    PersistentTileSchedulerParams,
    StaticPersistentTileScheduler,
    WorkTileInfo,
)

__all__ = [
    "HardwareInfo",
    "LayoutEnum",
    "PersistentTileSchedulerParams",
    "SmemAllocator",
    "StaticPersistentTileScheduler",
    "WorkTileInfo",
    "get_smem_capacity_in_bytes",
    "print_latex",
    "print_latex_tv",
]
