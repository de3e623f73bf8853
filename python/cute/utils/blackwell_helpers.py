"""Choices that kernels for Blackwell make alike: layouts in shared memory, tiles of results."""

from __future__ import annotations

from typing import Any

from .. import arch as device, core
from .._values.numeric import (
    BFloat16,
    Float4E2M1FN,
    Float8E4M3FN,
    Float8E5M2,
    Float8E8M0FNU,
    Float16,
    Float32,
    Int8,
    NumericMeta,
    TFloat32,
    Uint8,
)
from ..nvgpu import common, cpasync, tcgen05
from ..nvgpu.tcgen05 import get_tmem_copy_properties, is_tmem_load
from ..nvgpu.warpgroup import make_smem_layout_atom
from .gemm_checks import *  # noqa: F403
from .gemm_outputs import make_smem_layout_c, sm120_get_smem_store_op
from .hopper_helpers import get_smem_layout_atom, make_smem_layout_epi
from .layout import LayoutEnum
from .sparse_layouts import *  # noqa: F403
from .warp_factors import (
    get_layoutSFA_TV,
    get_layoutSFB_TV,
    partition_fragment_SFA,
    partition_fragment_SFB,
    thrfrg_SFA,
    thrfrg_SFB,
)

__all__ = [
    "cluster_shape_to_tma_atom_A",
    "cluster_shape_to_tma_atom_B",
    "cluster_shape_to_tma_atom_SFB",
    "compute_acc_tmem_cols_per_stage",
    "compute_epilogue_tile_shape",
    "compute_epilogue_tile_size",
    "compute_tmem_cols_from_layout",
    "get_layoutSFA_TV",
    "get_layoutSFB_TV",
    "get_num_tmem_alloc_cols",
    "get_permutation_mnk",
    "get_smem_layout_atom_ab",
    "get_smem_layout_atom_epi",
    "get_smem_store_op",
    "get_tmem_copy_properties",
    "get_tmem_load_op",
    "is_tmem_load",
    "make_blockscaled_trivial_tiled_mma",
    "make_smem_layout",
    "make_smem_layout_a",
    "make_smem_layout_b", "make_smem_layout_c", "sm120_get_smem_store_op",
    "make_smem_layout_epi",
    "make_trivial_tiled_mma",
    "sm103_make_blockscaled_trivial_tiled_mma",
    "tile_to_mma_shape",
    "partition_fragment_SFA",
    "partition_fragment_SFB",
    "thrfrg_SFA",
    "thrfrg_SFB",
]


def make_smem_layout(
    leading_mode: tcgen05.OperandMajorMode, smem_tile_shape: Any, a_dtype: Any,
    num_stages: int, *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout (MN, K, stage) of tiles (MN, K) with the widest swizzle that fits.

    >>> from cute.nvgpu import tcgen05
    >>> utils.make_smem_layout(tcgen05.OperandMajorMode.K, (128, 64), Float16, 2)
    S<3,4,3> o 0 o ((8,16),(64,1),(1,2)):((64,512),(1,0),(0,8192))
    """
    is_k = leading_mode is tcgen05.OperandMajorMode.K
    tile = tuple(core.size(extent) for extent in smem_tile_shape)
    kind = get_smem_layout_atom_ab(leading_mode, a_dtype, tile)
    return core.tile_to_shape(make_smem_layout_atom(kind, a_dtype), (*tile, num_stages),
                              (0, 1, 2) if is_k else (1, 0, 2))


def tile_to_mma_shape(
    atom: Any, mma_tile_shape: Any, order: Any = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns ((MN,K) of a product, MN, K, ...) of an atom in shared memory, repeated.

    :param mma_tile_shape: the result's shape :param order: of the repetitions along MN, K, ...,
    ascending by default

    >>> from cute.nvgpu import tcgen05
    >>> atom = tcgen05.make_smem_layout_atom(tcgen05.SmemLayoutAtomKind.K_SW128, Float16)
    >>> utils.blackwell_helpers.tile_to_mma_shape(atom, ((128, 16), 1, 4, 3))
    S<3,4,3> o 0 o ((128,16),1,4,3):((64,1),8192,16,8192)
    """
    (rows, columns), *counts = mma_tile_shape
    product = (core.size(rows), core.size(columns))
    tile = [n * core.size(count) for n, count in zip(product, counts)]
    tile += [core.size(n) for n in counts[2:]]
    whole = core.tile_to_shape(atom, tuple(tile), order or tuple(range(1, len(tile) + 1)))
    divided = core.tiled_divide(whole.outer, product)
    plain = core.coalesce(divided, target_profile=((1, 1), *(1,) * len(counts)))
    return core.make_composed_layout(whole.inner, 0, plain)


def _operand(
    major: Any, tile: tuple[int, int], instruction: tuple[int, int], dtype: Any, stages: int,
) -> Any:
    """Returns ((MN,K) of a product, MN, K, stage) of a block's tile (MN,K)."""
    whole = make_smem_layout(major, tile, dtype, stages)
    divided = core.tiled_divide(whole.outer, instruction)
    plain = core.coalesce(divided, target_profile=((1, 1), 1, 1, 1))
    return core.make_composed_layout(whole.inner, 0, plain)


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


def compute_epilogue_tile_size(
    cta_tile_m: int, cta_tile_n: int, use_2cta: bool, elem_width_d: int,
    elem_width_c: int | None = None, d_is_m_major: bool = True, c_is_m_major: bool = True,
    tmem_warp_shape_mn: tuple[int, int] | None = None,
) -> tuple[int, int]:
    """Returns the tile (M,N) of a block's sums that four warps store at a time.

    As CUTLASS chooses it: 4096 sums (8192 of 4 bits), or with a source C that is read too, as
    many columns as are fast; at least 8 where M is contiguous, otherwise 16 bytes, or 128
    elements of 6 bits; all columns where that does not divide them. Pairs of blocks with 64
    rows each have two warps for half of the columns each.

    :param elem_width_c: the bits of the elements of a matrix C that is added, None if none is
    :param tmem_warp_shape_mn: how many warps there are along M and N

    >>> utils.blackwell_helpers.compute_epilogue_tile_size(128, 256, False, 16)
    (128, 32)
    """
    warps_m, warps_n = tmem_warp_shape_mn or ((2, 2) if use_2cta and cta_tile_m == 64 else (4, 1))
    height = min(cta_tile_m, 32 * warps_m)
    if elem_width_c is None:
        fast = (8192 if elem_width_d == 4 else 4096) // height
    else:
        is_small = cta_tile_n <= 128
        widest = max(elem_width_c, elem_width_d)
        fast = {32: 16 if cta_tile_m > 64 and is_small else 32,
                16: 32 if is_small else 64}.get(widest, 64)
    while cta_tile_n % fast:
        fast //= 2

    def least(width: int | None, is_m_major: bool) -> int:
        if width is None:
            return 0
        return warps_n * (8 if is_m_major else 128 if width == 6 else 128 // width)

    wide = min(cta_tile_n, max(fast, least(elem_width_d, d_is_m_major),
                               least(elem_width_c, c_is_m_major)))
    return height, cta_tile_n if cta_tile_n % wide else wide


def compute_epilogue_tile_shape(
    cta_tile_shape: Any, use_2cta_instrs: bool, layout_d: LayoutEnum, elem_ty_d: Any, *,
    layout_c: LayoutEnum | None = None, elem_ty_c: Any = None, loc: Any = None, ip: Any = None,
) -> tuple[int, Any]:
    """Returns the tile (M,N) of ``compute_epilogue_tile_size``; for pairs of blocks with 64
    rows each, whose upper lanes have half of the columns, two runs of the tile's columns.

    :param elem_ty_c: the type of a matrix C that is added; None if there is none
    """
    rows, columns = (core.size(extent) for extent in cta_tile_shape[:2])
    height, wide = compute_epilogue_tile_size(
        rows, columns, use_2cta_instrs, elem_ty_d.width, elem_ty_c and elem_ty_c.width,
        layout_d.is_m_major_c(), layout_c is None or layout_c.is_m_major_c())
    if rows != 64 or not use_2cta_instrs:
        return height, wide
    return height, core.make_layout((wide // 2, 2), stride=(1, columns // 2))


def get_smem_store_op(
    layout_d: LayoutEnum, elem_ty_d: Any, elem_ty_acc: Any, tiled_tmem_load: Any, *,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the atom for threads' stores of data loaded from tensor memory: plain stores,
    as wide as the layout allows."""
    return core.make_copy_atom(common.CopyUniversalOp(), elem_ty_d)


# ---- Products and their loads -----------------------------------------------


def make_trivial_tiled_mma(
    a_dtype: Any, *rest: Any, a_source: Any = tcgen05.OperandSource.SMEM, loc: Any = None,
    ip: Any = None, **named: Any,
) -> Any:
    """Returns the product of tensor memory of a tile (M,N), by a block or a pair of them.

    The operands after ``a_dtype`` are ``b_dtype`` (which may be left out: A's),
    ``a_leading_mode``, ``b_leading_mode``, ``acc_dtype``, ``cta_group``, ``mma_tiler_mn`` and
    ``a_source``.

    Float32 is multiplied as TFloat32.

    :raises TypeError: for types that no product has

    For example::

        make_trivial_tiled_mma(Float16, Float16, K, K, Float32, CtaGroup.ONE, (128, 64))
    """
    names = ["b_dtype", "a_leading_mode", "b_leading_mode", "acc_dtype", "cta_group",
             "mma_tiler_mn", "a_source"]
    if rest and not isinstance(rest[0], NumericMeta):
        rest = (a_dtype, *rest)
    given = {"b_dtype": a_dtype, "a_source": a_source, **dict(zip(names, rest)), **named}
    b_dtype, acc_dtype = given["b_dtype"], given["acc_dtype"]
    group, (m, n) = given["cta_group"], (core.size(x) for x in given["mma_tiler_mn"][:2])
    shape = (m, n, _BITS_OF_K // a_dtype.width)
    more = (group, given["a_source"], given["a_leading_mode"], given["b_leading_mode"])
    if {a_dtype, b_dtype} <= {TFloat32, Float32}:
        op: Any = tcgen05.MmaTF32Op(shape, *more)
    elif a_dtype in (Float16, BFloat16) and a_dtype is b_dtype:
        op = tcgen05.MmaF16BF16Op(a_dtype, acc_dtype, shape, *more)
    elif {a_dtype, b_dtype} <= {Float8E4M3FN, Float8E5M2}:
        op = tcgen05.MmaF8F6F4Op(a_dtype, b_dtype, acc_dtype, shape, *more)
    elif {a_dtype, b_dtype} <= {Int8, Uint8}:
        op = tcgen05.MmaI8Op((a_dtype, b_dtype), shape, *more)
    else:
        raise TypeError(f"no product of tensor memory takes {a_dtype} and {b_dtype}")
    return core.make_tiled_mma(op)


def make_blockscaled_trivial_tiled_mma(
    a_dtype: Any, *rest: Any, a_source: Any = tcgen05.OperandSource.SMEM, loc: Any = None,
    ip: Any = None, **named: Any,
) -> Any:
    """Returns the product of tensor memory of a tile (M,N) with scale factors.

    The operands after ``a_dtype`` are ``b_dtype`` (which may be left out: A's),
    ``a_leading_mode``, ``b_leading_mode``, ``sf_dtype``, ``sf_vec_size``, ``cta_group``,
    ``mma_tiler_mn`` and ``a_source``. e2m1 has a factor for 16 elements, or for 32; other
    floats for 32.

    :raises TypeError: for types that no product has

    For example::

        make_blockscaled_trivial_tiled_mma(Float4E2M1FN, K, K, Float8E4M3FN, 16, CtaGroup.ONE,
                                           (128, 128))
    """
    names = ["b_dtype", "a_leading_mode", "b_leading_mode", "sf_dtype", "sf_vec_size",
             "cta_group", "mma_tiler_mn", "a_source"]
    if rest and not isinstance(rest[0], NumericMeta):
        rest = (a_dtype, *rest)
    given = {"b_dtype": a_dtype, "a_source": a_source, **dict(zip(names, rest)), **named}
    b_dtype, sf_dtype, vector = given["b_dtype"], given["sf_dtype"], given["sf_vec_size"]
    group, (m, n) = given["cta_group"], (core.size(x) for x in given["mma_tiler_mn"][:2])
    source = given["a_source"]
    majors = (given["a_leading_mode"], given["b_leading_mode"])
    if a_dtype is b_dtype is Float4E2M1FN and vector == 16:
        return core.make_tiled_mma(tcgen05.MmaMXF4NVF4Op(sf_dtype, (m, n, 64), group, source))
    if sf_dtype is not Float8E8M0FNU or vector != 32:
        raise TypeError(f"no product of {a_dtype} and {b_dtype} takes a {sf_dtype} for "
                        f"{vector} elements")
    if a_dtype is b_dtype is Float4E2M1FN:
        return core.make_tiled_mma(tcgen05.MmaMXF4Op((m, n, 64), group, source))
    return core.make_tiled_mma(
        tcgen05.MmaMXF8F6F4Op(a_dtype, b_dtype, (m, n, 32), group, source, *majors))


def sm103_make_blockscaled_trivial_tiled_mma(
    sf_dtype: Any, sf_vec_size: int, cta_group: tcgen05.CtaGroup, mma_tiler_mn: Any,
    a_source: tcgen05.OperandSource = tcgen05.OperandSource.SMEM,
) -> Any:
    """Returns sm_103's product of 96 elements e2m1 along K of a tile (M,N).

    :param sf_vec_size: 16, or 32 with ``sf_dtype`` Float8E8M0FNU
    :raises ValueError: for another number
    """
    shape = (*map(core.size, mma_tiler_mn), 96)
    if sf_vec_size == 16:
        return core.make_tiled_mma(
            tcgen05.SM103MmaMXF4NVF4Op(sf_dtype, shape, cta_group, a_source))
    if sf_vec_size == 32:
        return core.make_tiled_mma(tcgen05.SM103MmaMXF4Op(shape, cta_group, a_source))
    raise ValueError(f"a factor is for 16 or 32 elements, not {sf_vec_size}")


_BITS_OF_K = 256


def _loads(cluster_shape_mnk: Any, atom_thr_id: Any, sharing: int) -> Any:
    """Returns the loads of an operand that blocks along a mode of the cluster share."""
    blocks = core.size(atom_thr_id)
    if blocks not in (1, 2):
        raise ValueError(f"one block or two multiply, not {blocks}")
    if core.size(cluster_shape_mnk, mode=[0]) % blocks:
        raise ValueError(f"the cluster {cluster_shape_mnk} has no whole pairs along M")
    count = core.size(cluster_shape_mnk, mode=[sharing])
    if sharing == 0:
        count //= blocks
    group = tcgen05.CtaGroup(blocks)
    if count > 1:
        return cpasync.CopyBulkTensorTileG2SMulticastOp(group)
    return cpasync.CopyBulkTensorTileG2SOp(group)


def cluster_shape_to_tma_atom_A(  # noqa: N802 (the name of the reference)
    cluster_shape_mnk: Any, atom_thr_id: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the loads of A: for several blocks if the cluster has several along N.

    :param atom_thr_id: the product's layout of blocks, ``tiled_mma.thr_id``
    :raises ValueError: for a cluster that cannot be divided into pairs
    """
    return _loads(cluster_shape_mnk, atom_thr_id, 1)


def cluster_shape_to_tma_atom_B(  # noqa: N802 (the name of the reference)
    cluster_shape_mnk: Any, atom_thr_id: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the loads of B: for several blocks where the cluster has pairs, or with single
    blocks as many, along M."""
    return _loads(cluster_shape_mnk, atom_thr_id, 0)


def cluster_shape_to_tma_atom_SFB(  # noqa: N802 (the name of the reference)
    cluster_shape_mnk: Any, atom_thr_id: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the loads of B's scale factors: for all blocks along M, including a pair's,
    since each needs the factors of all columns."""
    blocks = _loads(cluster_shape_mnk, atom_thr_id, 1).cta_group
    if core.size(cluster_shape_mnk, mode=[0]) > 1:
        return cpasync.CopyBulkTensorTileG2SMulticastOp(blocks)
    return cpasync.CopyBulkTensorTileG2SOp(blocks)


def get_permutation_mnk(
    tile_shape_mnk: Any, sf_vec_size: int, use_mxf8f6f4: bool, *, loc: Any = None,
    ip: Any = None,
) -> tuple[int, Any, int]:
    """Returns the tile (M,N,K) of a tiled product of sm_120 with scale factors.

    Each warp has columns 0-7 and 16-23, or 8-15 and 24-31, of 32.

    :param sf_vec_size: how many elements along K have a factor
    :param use_mxf8f6f4: elements of 8 bits, K is 32; otherwise of 4 bits, K is 64
    :raises ValueError: for a tile whose K is not a multiple of ``sf_vec_size``

    >>> utils.get_permutation_mnk((128, 128, 128), 16, use_mxf8f6f4=False)
    (128, (8,2,2):(1,16,8), 64)
    """
    m, _, k = (core.size(extent) for extent in tile_shape_mnk)
    if k % sf_vec_size:
        raise ValueError(f"a factor is for {sf_vec_size} elements along K, which does not "
                         f"divide the tile's K, {k}")
    columns = core.make_layout((8, 2, 2), stride=(1, 16, 8))
    return min(m, 128), columns, 32 if use_mxf8f6f4 else 64


def get_smem_layout_atom_ab(
    major_mode: tcgen05.OperandMajorMode, element_type: Any, smem_shape_mn_k: Any,
    sparsity: int = 1, *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the widest swizzle whose lines fit into the contiguous mode of a tile (MN,K).

    For elements of 32 bits with M or N contiguous it is MN_SW128_32B.

    >>> from cute.nvgpu import tcgen05
    >>> utils.get_smem_layout_atom_ab(tcgen05.OperandMajorMode.K, Float16, (128, 64))
    <SmemLayoutAtomKind.K_SW128: 8>
    """
    is_k = major_mode is tcgen05.OperandMajorMode.K
    layout = LayoutEnum.ROW_MAJOR if is_k else LayoutEnum.COL_MAJOR
    extent = core.size(smem_shape_mn_k[1 if is_k else 0]) // (sparsity if is_k else 1)
    if not is_k and element_type.width == 32 and extent % 32 == 0:
        return tcgen05.SmemLayoutAtomKind.MN_SW128_32B
    return get_smem_layout_atom(layout, element_type, extent)


def get_smem_layout_atom_epi(
    layout: LayoutEnum, element_type: Any, epi_tile: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the widest swizzle whose lines fit into the contiguous mode of a result's tile."""
    line = core.size(epi_tile[1 if layout.is_n_major_c() else 0])
    return get_smem_layout_atom(layout, element_type, line)


# ---- Tensor memory ----------------------------------------------------------


def get_tmem_load_op(
    cta_tile_shape: Any, layout_d: LayoutEnum, elem_ty_d: Any, elem_ty_acc: Any, epi_tile: Any,
    use_2cta_instrs: bool, *, tmem_warp_shape_mn: tuple[int, int] | None = None,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the atom with which each of four warps loads its part of a result's tile at
    once.

    :param cta_tile_shape: of a block; 64 rows of a pair are in two halves
    :param epi_tile: the part that is loaded at a time (M,N)
    :raises ValueError: for columns that no instruction loads

    For example::

        get_tmem_load_op((128, 64, 64), LayoutEnum.ROW_MAJOR, Float16, Float32, (128, 32), False)
    """
    columns = core.size(epi_tile[1]) * elem_ty_acc.width // 32
    op, width = tcgen05.Ld32x32bOp, 1
    if core.size(cta_tile_shape[0]) == 64 and use_2cta_instrs:
        columns //= 2  # the other half is in lanes of its own
    elif core.size(epi_tile[0]) == 64:
        op, width = tcgen05.Ld16x256bOp, 8
    known = [r.value for r in tcgen05.Repetition]
    if columns % width or columns // width not in known:
        raise ValueError(f"{columns} columns of tensor memory are not loaded at once: "
                         f"{width} times {', '.join(map(str, known))} are")
    return core.make_copy_atom(op(tcgen05.Repetition(columns // width)), elem_ty_acc)


def compute_tmem_cols_from_layout(
    layout: Any, dtype: Any, *, loc: Any = None, ip: Any = None
) -> int:
    """Returns how many columns of tensor memory a static layout of elements takes.

    :raises ValueError: for a layout that is not known

    >>> utils.compute_tmem_cols_from_layout(make_layout((128, 64), stride=(65536, 1)), Float32)
    64
    """
    if not core.is_static(layout):
        raise ValueError(f"tensor memory is allocated for a static layout, not {layout}")
    words = core.recast_layout(32, dtype.width, layout)
    return (core.cosize(words) - 1) % (1 << 16) + 1


def compute_acc_tmem_cols_per_stage(
    cta_tile_m: int, cta_tile_n: int, use_2cta: bool, mma_n: int,
    transform_a_source_is_tmem: bool,
) -> int:
    """Returns the columns that a stage of a block's sums takes, before they are rounded up.

    Products of a block with 64 rows leave half of the lanes to another product, unless A is in
    tensor memory; of pairs, each block fills all lanes.

    >>> utils.blackwell_helpers.compute_acc_tmem_cols_per_stage(64, 64, False, 32, False)
    32
    """
    if use_2cta:
        return cta_tile_n * cta_tile_m // 128
    if cta_tile_m != 64 or transform_a_source_is_tmem:
        return cta_tile_n
    return -(-(cta_tile_n // mma_n) // 2) * mma_n


def get_num_tmem_alloc_cols(
    tmem_tensors: Any, rounding: bool = True, *, arch: str = "sm_100", loc: Any = None,
    ip: Any = None,
) -> int:
    """Returns the number of columns that adjacent tensors take.

    :param tmem_tensors: a tensor, or a list of them
    :param rounding: up to what can be allocated, a power of two
    :raises ValueError: for more than a block has

    For example::

        get_num_tmem_alloc_cols([sums, factors])
    """
    tensors = tmem_tensors if isinstance(tmem_tensors, (list, tuple)) else [tmem_tensors]
    columns = sum(compute_tmem_cols_from_layout(t.layout, t.element_type) for t in tensors)
    if rounding:
        columns = max(1 << (columns - 1).bit_length(), device.get_min_tmem_alloc_cols(arch))
    most = device.get_max_tmem_alloc_cols(arch)
    if columns > most:
        raise ValueError(f"a block has {most} columns of tensor memory, not {columns}")
    return columns
