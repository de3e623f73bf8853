"""Operations of NVIDIA's GPUs: what a copy or MMA atom is made of.

An operation is a small immutable object. Its method ``atom_name`` gives the row of
dialect/hardware: ``atom_name()`` of an MMA, ``atom_name(bits)`` of a copy, where
``bits`` is what one thread copies at once, 0 if the program leaves
them open. ``make_mma_atom`` and ``make_copy_atom`` make atoms of them. An MMA
whose operands lie in shared memory, or that has fields, overrides nothing else:
the type of the atom says it.
"""

from . import common, cpasync, tcgen05, warp, warpgroup
from ._tma_im2col import make_im2col_tma_atom_A
from ._tma_of_mma import (
    make_tiled_tma_atom_A,
    make_tiled_tma_atom_B,
    make_tiled_tma_atom_C,
)
from .warpgroup import OperandMajorMode
from .common import (
    CacheEvictionPriority,
    CopyG2ROp,
    CopyG2RTrait,
    CopyOp,
    CopyR2GOp,
    CopyR2GTrait,
    CopyR2SOp,
    CopyR2STrait,
    CopyS2ROp,
    CopyS2RTrait,
    CopyUniversalOp,
    CopyUniversalTrait,
    L2PrefetchSize,
    LoadCacheMode,
    MemoryOrder,
    MemoryScope,
    MmaOp,
    MmaUniversalOp,
    MmaUniversalTrait,
    Op,
    OpError,
    OutputMajorMode,
    SharedSpace,
    StoreCacheMode,
    normalize_field_to_ir_name,
)
