"""Layouts of a sparse A and its metadata, for products of Blackwell."""

from __future__ import annotations

from typing import Any

from .. import core
from .._values.layout import Layout, make_swizzle
from .._values.numeric import (
    BFloat16,
    Float4E2M1FN,
    Float8E4M3FN,
    Float8E5M2,
    Float16,
    Float32,
    Int8,
    NumericMeta,
    TFloat32,
    Uint8,
)
from .._values.sparse import SparseElem, get_sparse_elem_type
from ..nvgpu import tcgen05

__all__ = [
    "make_sparse_a_dtype",
    "make_sparse_e_dtype",
    "make_sparse_gmem_layout_e",
    "make_sparse_smem_layout_a",
    "make_sparse_smem_layout_e",
    "make_sparse_tmem_layout_e",
    "make_tensor_e_atom_layout",
]

# The positions of the metadata of A's elements (m, k), by the bits of an element.
_ATOMS = {
    4: ((128, 256), (256, 1)),
    8: ((128, 128), (128, 1)),
    16: (((8, 2, 8), (16, 2, 4)), ((128, 16, 2048), (1, 1024, 32))),
    32: (((8, 2, 8), (8, 2, 4)), ((64, 8, 1024), (1, 512, 16))),
}
_KINDS = (Float4E2M1FN, Int8, Uint8, Float8E4M3FN, Float8E5M2, Float16, BFloat16, TFloat32, Float32)


def make_tensor_e_atom_layout(
    a_raw_dtype: NumericMeta, *, loc: Any = None, ip: Any = None
) -> Layout:
    """Returns the smallest layout of metadata, by A's rows and elements along K.

    :raises ValueError: for a type of A that no sparse product takes

    >>> from cute.utils import blackwell_helpers
    >>> str(blackwell_helpers.make_tensor_e_atom_layout(Int8))
    '(128,128):(128,1)'
    """
    _need(a_raw_dtype)
    shape, stride = _ATOMS[a_raw_dtype.width]
    return core.make_layout(shape, stride=stride)


def make_sparse_gmem_layout_e(
    problem_shape_mnkl: Any, a_raw_dtype: NumericMeta, *, loc: Any = None, ip: Any = None
) -> Layout:
    """Returns the layout of metadata of a problem (M, N, K, L): atoms along M, then along K.

    M and K are rounded up to whole atoms.

    :raises ValueError: for a type of A that no sparse product takes
    """
    m, _, k, batches = problem_shape_mnkl[:4]
    atom = make_tensor_e_atom_layout(a_raw_dtype)
    rows, columns = (core.size(atom, mode=[i]) for i in (0, 1))
    m, k = core.round_up(m, rows), core.round_up(k, columns)
    shape = ((atom.shape[0], m // rows), (atom.shape[1], k // columns), batches)
    stride = ((atom.stride[0], core.cosize(atom)), (atom.stride[1], m * columns), m * k)
    return core.make_layout(shape, stride=stride)


def _need(a_raw_dtype: Any) -> None:
    if a_raw_dtype not in _KINDS:
        known = ", ".join(map(str, _KINDS))
        raise ValueError(f"no sparse product takes A of {a_raw_dtype}; {known} can be used")


def make_sparse_a_dtype(a_raw_dtype: NumericMeta, *, loc: Any = None, ip: Any = None) -> SparseElem:
    """Returns the type of a sparse A's elements: one of two is stored; of 4 bits, two of four,
    which are a byte.

    >>> from cute.utils import blackwell_helpers
    >>> blackwell_helpers.make_sparse_a_dtype(Float16)
    !cute.sparse_elem<2, vector<1xf16>>
    """
    if a_raw_dtype is Float4E2M1FN:
        return get_sparse_elem_type(4, 1, Uint8)
    return get_sparse_elem_type(2, 1, a_raw_dtype)


def make_sparse_e_dtype(a_raw_dtype: NumericMeta, *, loc: Any = None, ip: Any = None) -> SparseElem:
    """Returns the type of the metadata: a byte for 4 of A's elements of 32 bits, 16 of 4 bits, or 8.

    :raises ValueError: for a type of A that no sparse product takes
    """
    _need(a_raw_dtype)
    return get_sparse_elem_type({4: 16, 32: 4}.get(a_raw_dtype.width, 8), 1, Uint8)


def _part(tiled_mma: Any, mma_tiler_mnk: Any) -> tuple[Any, tuple[int, int]]:
    """Returns the shape ((M,K) of a product, M, K) of a block's tile of A, and its extents."""
    op = tiled_mma.op
    m, k = op.shape_mnk[0] // op.cta_group.value, op.shape_mnk[2]
    rows = core.size(mma_tiler_mnk[0]) // op.cta_group.value
    columns = core.size(mma_tiler_mnk[2])
    return ((m, k), rows // m, columns // k), (rows, columns)


def make_sparse_smem_layout_a(
    tiled_mma: Any, mma_tiler_mnk: Any, a_raw_dtype: NumericMeta, num_stages: int, sparsity: int = 2,
    *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout of a sparse A's tiles, ((M,K) of a product, M, K, stage), in all elements.

    :param sparsity: the neighbours along K that share a stored element
    """
    from .blackwell_helpers import get_smem_layout_atom_ab

    op = tiled_mma.op
    shape, extents = _part(tiled_mma, mma_tiler_mnk)
    kind = get_smem_layout_atom_ab(op.a_major_mode, a_raw_dtype, extents, sparsity)
    atom = tcgen05.make_sparse_smem_layout_atom(kind, a_raw_dtype, sparsity)
    is_k = op.a_major_mode is tcgen05.OperandMajorMode.K
    return tcgen05.tile_to_mma_shape(atom, (*shape, num_stages), (0, 1, 2) if is_k else (1, 0, 2))


def make_sparse_smem_layout_e(
    tiled_mma: Any, mma_tiler_e_mnk: Any, a_raw_dtype: NumericMeta, num_stages: int, *,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout of tiles of the metadata, ((M,K) of a product, M, K, stage), by A's elements.

    :raises ValueError: for a type of A that no sparse product takes
    """
    atom = core.make_composed_layout(make_swizzle(0, 4, 3), 0, make_tensor_e_atom_layout(a_raw_dtype))
    shape, _ = _part(tiled_mma, mma_tiler_e_mnk)
    return tcgen05.tile_to_mma_shape(atom, (*shape, num_stages), (0, 1, 2))


# A product's metadata in tensor memory, by the bits of A's elements: a layout of (m, k) in units
# of a lane's column, 128 lanes fastest.
_IN_TMEM = {
    4: ((128, 128), (1, 128)),
    8: ((128, 64), (1, 128)),
    16: (((8, 2, 8), (16, 2)), ((1, 2048, 16), (128, 8))),
    32: (((8, 2, 8), (8, 2)), ((1, 1024, 16), (128, 8))),
}
# From a lane of tensor memory to the next, and its columns, where others than of 8 and 16 bits.
_LANES = {4: (1 << 21, 32768), 32: (1 << 20, 8192)}


def make_sparse_tmem_layout_e(
    tmem_shape: Any, a_raw_dtype: NumericMeta, *, loc: Any = None, ip: Any = None
) -> Layout:
    """Returns the layout of metadata in tensor memory, by A's elements.

    :param tmem_shape: of the metadata in shared memory without stages, ((128,K) of a product, M, K)
    :raises ValueError: for other shapes, and a type of A that no sparse product takes
    """
    _need(a_raw_dtype)
    shape, stride = _IN_TMEM[a_raw_dtype.width]
    rows, columns = (core.size(x) for x in tmem_shape[0])
    atom = core.make_layout(shape, stride=stride)
    if (rows, columns) != (128, core.size(atom, mode=[1])):
        raise ValueError(f"metadata of {a_raw_dtype} has 128 rows and {core.size(atom, mode=[1])} "
                         f"elements along K in a product, not {rows} and {columns}")
    whole = core.tiled_product(atom, core.make_layout(tuple(tmem_shape[1:])))
    lane, columns_of_lane = _LANES.get(a_raw_dtype.width, (1 << 21, 16384))
    lanes = core.make_layout((128, columns_of_lane), stride=(lane, 1))
    return core.composition(lanes, whole)
