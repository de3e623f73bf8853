"""Choices that instructions leave: an enumeration for each, whose values are PTX's words.

Functions take a member, its value, or its name.
"""

from __future__ import annotations

import enum
from typing import Any

# A name, then its values; a member's name is the value in capitals, or is given before "=".
_TABLE = """
AtomicOp and or xor cas exch add inc dec min max
BarrierReduction popc and or
BarrierRedux and or popc
BlockScaleFormat ue8m0 ue4m3
CTAGroup cta_1 cta_2
CVTPackFloat f32 f16x2 e4m3x2 e5m2x2 bf16x2 e2m1x2 e2m3x2 e3m2x2 ue8m0x2
CacheLevel l1 l2
ClusterLaunchControlQueryType is_canceled GET_FIRST_CTA_ID_X=x GET_FIRST_CTA_ID_Y=y GET_FIRST_CTA_ID_Z=z
CmpOp eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan
ConvertFP4Type e2m1
ConvertScale ue8m0
CpReduceOp add min max inc dec and or xor
CpReduceType f16 bf16 b32 b64 u32 u64 s32 s64 f32 f64
CvtaSize u32 u64
CvtaSpace global shared shared::cta shared::cluster local const param param::entry
DotAccumulateType signed unsigned
EvictPriority first last normal unchanged noallocate
FPRoundingMode rn rm rp rz rna rs
GridDepAction wait launch_dependents
IntRoundingMode rni rzi rmi rpi
L1EvictKind normal first last noallocate unchanged
L2PrefetchSize size_64b size_128b size_256b
LdStMatrixEltType b16 b8 B8X16_B6X16_P32=b8x16.b6x16_p32 B8X16_B4X16_P64=b8x16.b4x16_p64
LoadCacheModifier ca cg cs lu cv
LoadShape m8n8 m8n16 m16n16
LoadSrcFormat b6x16_p32 b4x16_p64 b8
MBarrierScope cta cluster
MBarrierWait test try
MMAB1Op none XOR_POPC=xor.popc AND_POPC=and.popc
MMABlockScaleKind mxf8f6f4 mxf4 mxf4nvf4
MMACtaCount cta1=1 cta2=2
MMAFrag a b c
MMAIntOverflow satfinite wrapped
MMAKind f8f6f4
MMALayout row col
MMAType f16 f32 tf32 bf16 s8 u8 s32 s4 u4 b1 f64 e4m3 e5m2 e3m2 e2m3 e2m1
MatchSync any all
MemOrder weak relaxed acquire release acq_rel sc mmio volatile constant
MemScope cta cluster gpu sys
MulMode hi lo wide
MxScaleFormat ue4m3 e8m0 ue5m3
NVVMMemorySpace Generic=generic Global=global Shared=shared Constant=const Local=local Tensor=tensor SharedCluster=shared::cluster
PermuteMode default f4e b4e rc8 ecl ecr rc16
Proxy alias async ASYNC_GLOBAL=async.global ASYNC_SHARED=async.shared::cta tensormap generic
ReductionKind add and max min or umax umin xor FMIN=fmin FMAX=fmax
ReductionOp and or xor add inc dec min max
ReductionType b32 b64 u32 u64 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2
SaturationMode satfinite sat
SaturationModeKind satfinite
ScaleVecSize X1=1X X2=2X X4=4X
SetMaxRegisterAction decrease increase
SetpType b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 f32 f64 bf16
SharedSpace shared_cta=shared::cta shared_cluster=shared::cluster
Shfl bfly up down idx
SparsityFormat thread
StateSpace generic global SHARED_CTA=shared::cta SHARED_CLUSTER=shared::cluster CONSTANT=const local tensor
StoreCacheModifier wb cg cs wt
StoreShape m8n8 m16n8
TMALoadMode tile im2col im2col_w im2col_w_128 tile_gather4
TMARedux add max min inc dec and or xor
TMAStoreMode tile im2col tile_scatter4
Tcgen05CpMulticast warpx2_02_13 warpx2_01_23 warpx4
Tcgen05CpShape shape_128x256b shape_4x256b shape_128x128b shape_64x128b shape_32x128b
Tcgen05CpSrcFormat b6x16_p32 b4x16_p64
Tcgen05Fence before_thread_sync after_thread_sync
Tcgen05InputFormat f16 bf16 tf32 e2m3 e3m2 e2m1
Tcgen05LdStShape SHAPE_16X32BX2=16x32bx2 SHAPE_16X64B=16x64b SHAPE_32X32B=32x32b SHAPE_16X128B=16x128b SHAPE_16X256B=16x256b
Tcgen05MMABlockScale default block16 block32
Tcgen05MMACollectorBBuffer b0 b1 b2 b3
Tcgen05MMACollectorOp discard lastuse fill use
Tcgen05MMAKind mxf4nvf4 f8f6f4 mxf8f6f4 int8 f16 tf32 mxf4
Tcgen05OutputFormat f16 f32 s32
Tcgen05Wait load store
TensormapElemtype u8 u16 u32 s32 u64 s64 f16 f32 f32.ftz f64 bf16 tf32 tf32.ftz b4x16 b4x16_p64 b6x16_p32
TensormapField global_address rank box_dim global_dim global_stride element_stride elemtype interleave_layout swizzle_mode swizzle_atomicity fill_mode
TensormapFillMode zero oob_nan
TensormapInterleaveLayout no_interleave b16 b32
TensormapSpace const param
TensormapSwizzleAtomicity b16 b32 B32_FLIP_8B=b32_flip_b8 b64
TensormapSwizzleMode no_swizzling b32 b64 b128 b96
TmemLayout tmem_16dp_128bit=0 tmem_16dp_256bit=1 tmem_32dp_32bit=2 tmem_16dp_64bit=3 tmem_16dp_32bit_t0_t15=4 tmem_16dp_32bit_t16_t31=5
VoteSync any all ballot uni
WGMMAScaleIn one neg
WGMMAScaleOut zero one
WGMMAType f16 tf32 u8 s8 b1 bf16 e4m3 e5m2 f32 s32
"""


def _made(line: str) -> Any:
    name, *words = line.split()
    members = []
    for word in words:
        member, given, value = word.partition("=")
        plain = member.replace("::", "_").replace(".", "_").upper()
        members.append((member, value) if given else (plain, member))
    kind = enum.Enum(name, members, module=__name__)
    kind.__doc__ = f"One of {', '.join(m for m, _ in members)}."
    return kind


KINDS = {line.split()[0]: _made(line) for line in _TABLE.split("\n") if line}
globals().update(KINDS)


class WgmmaSwizzle(enum.IntEnum):
    """How rows of a matrix of wgmma lie in shared memory, as descriptors number it."""

    INTERLEAVE = 0
    SWIZZLE_128B = 1
    SWIZZLE_64B = 2
    SWIZZLE_32B = 3


class Tcgen05SmemSwizzle(enum.IntEnum):
    """How rows of a matrix of tcgen05 lie in shared memory, as descriptors number it."""

    NONE = 0
    SWIZZLE_128B_ATOM_32B = 1
    SWIZZLE_128B = 2
    SWIZZLE_64B = 4
    SWIZZLE_32B = 6


def word(kind: str, value: Any) -> str:
    """Returns PTX's word for a choice.

    :raises ValueError: for one that there is not
    """
    known = KINDS[kind]
    if isinstance(value, known):
        return value.value
    text = getattr(value, "value", value)
    for member in known:
        if text in (member.value, member.name, member.name.lower()):
            return member.value
    raise ValueError(f"{kind} is one of {', '.join(m.name for m in known)}, not {value!r}")
