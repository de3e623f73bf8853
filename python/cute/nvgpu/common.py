"""Operations that every architecture has."""

from .._values.op import (
    CacheEvictionPriority,
    CopyOp,
    CopyUniversalOp,
    L2PrefetchSize,
    LoadCacheMode,
    MemoryOrder,
    MemoryScope,
    MmaOp,
    MmaUniversalOp,
    Op,
    OpError,
)

__all__ = [
    "CacheEvictionPriority",
    "CopyOp",
    "CopyUniversalOp",
    "L2PrefetchSize",
    "LoadCacheMode",
    "MemoryOrder",
    "MemoryScope",
    "MmaOp",
    "MmaUniversalOp",
    "Op",
    "OpError",
]
