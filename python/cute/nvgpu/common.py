"""Operations that every architecture has."""

from .._values.atoms import Trait
from ._accesses import (
    CopyG2ROp,
    CopyR2GOp,
    CopyR2SOp,
    CopyS2ROp,
    OutputMajorMode,
    SharedSpace,
    StoreCacheMode,
    normalize_field_to_ir_name,
)
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
    OperandMajorMode,
)

__all__ = [
    "CacheEvictionPriority",
    "CopyG2ROp",
    "CopyOp",
    "CopyR2GOp",
    "CopyR2SOp",
    "CopyS2ROp",
    "CopyUniversalOp",
    "L2PrefetchSize",
    "LoadCacheMode",
    "MemoryOrder",
    "MemoryScope",
    "MmaOp",
    "MmaUniversalOp",
    "Op",
    "OpError",
    "OperandMajorMode",
    "OutputMajorMode",
    "SharedSpace",
    "StoreCacheMode",
    "normalize_field_to_ir_name",
]

CopyG2RTrait = CopyR2GTrait = CopyR2STrait = CopyS2RTrait = CopyUniversalTrait = Trait
MmaUniversalTrait = Trait
