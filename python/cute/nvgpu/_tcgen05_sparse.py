"""Products of tensor memory with a sparse A (tcgen05.mma.sp), for sm_100a."""

from __future__ import annotations

import enum
from typing import Any

from .._compile import ir as _ir
from .._values import algebra as _algebra, layout_algebra as _layout_algebra
from .._values.layout import ComposedLayout
from .._values.mma import MmaAtom
from .._values.numeric import (
    BFloat16,
    Float8E4M3FN,
    Float8E5M2,
    Float16,
    Float32,
    Uint2,
)
from .._values.operands import wrap
from .._values.pointer import AddressSpace, make_ptr, recast_ptr
from .._values.tensor import Tensor, make_tensor
from ._tcgen05_mma import CtaGroup, Field, OperandSource, TensorMma
from .common import OpError
from .warpgroup import OperandMajorMode, SmemLayoutAtomKind, make_smem_layout_atom

__all__ = [
    "MmaF16BF16SparseOp",
    "MmaFP8SparseOp",
    "SparseMetadataFormat",
    "make_sparse_smem_layout_atom",
]


class SparseMetadataFormat(enum.Enum):
    """How the metadata of a sparse A is given."""

    TID = "tid"


class _Sparse(TensorMma):
    """tcgen05.mma.sp: of four elements of A along K, two are stored, which the metadata names.

    A is a tensor of the stored elements by all coordinates along K, where each has two: the
    layout (M,(2,K/2)):(K/2,(0,1)) of K/2 elements in a row. The metadata is a pointer to its
    first row in tensor memory, or a tensor there, as ``Field.METADATA`` or with A,
    ``gemm(mma, d, [a, metadata], b, d)``; ``metadata_layout`` says where the rest is.
    """

    admissible_fields = (*TensorMma.admissible_fields, Field.METADATA)
    memory_fields = (Field.METADATA,)
    _ending = "_SPARSE"

    def __init__(
        self,
        ab_dtype: Any,
        acc_dtype: Any,
        instruction_shape: Any,
        cta_group: CtaGroup,
        a_src: OperandSource,
        a_major_mode: OperandMajorMode,
        b_major_mode: OperandMajorMode,
        sparse_metadata_format: SparseMetadataFormat,
    ):
        if a_src is not OperandSource.SMEM:
            raise OpError(self, "A is in tensor memory", "a sparse A comes from shared memory here")
        if sparse_metadata_format is not SparseMetadataFormat.TID:
            raise OpError(self, f"the format of the metadata is {sparse_metadata_format!r}",
                          "it can be SparseMetadataFormat.TID")
        super().__init__(ab_dtype, ab_dtype, acc_dtype, instruction_shape, cta_group, a_src,
                         a_major_mode, b_major_mode)
        self.sparse_metadata_format = sparse_metadata_format

    def metadata_layout(self, atom: MmaAtom, tiles: int, steps: int) -> Any:
        """Returns where the metadata of so many products along M and K is in tensor memory:
        ((rows, numbers of 2 bits), tiles, steps)."""
        nowhere = make_ptr(Uint2, 0, AddressSpace.gmem, assumed_align=16)
        part = make_tensor(nowhere, _algebra.make_layout((1, tiles, steps)))
        return wrap(_ir.apply("make_fragment_operand", atom.ir, part.ir, operand="E")).layout

    def gemm(self, atom: MmaAtom, d: Tensor, a: Any, b: Tensor, c: Tensor) -> None:
        a, given = a if isinstance(a, (list, tuple)) else (a, atom.places.get(Field.METADATA))
        if given is None:
            raise OpError(self, "the metadata of A is missing",
                          "set tcgen05.Field.METADATA, or pass [a, metadata]")
        start = given.iterator if isinstance(given, Tensor) else given
        rank = _algebra.rank(a)
        tiles, steps = (_algebra.size(a, mode=[i]) if i < rank else 1 for i in (1, 2))
        layout = _algebra.select(self.metadata_layout(atom, tiles, steps), mode=list(range(rank)))
        metadata = make_tensor(recast_ptr(start, dtype=Uint2), layout)
        self.start(atom, d, a, b, c, metadata)


class MmaF16BF16SparseOp(_Sparse):
    """Products of f16 or bf16 with a sparse A, with sums of f32 or, of f16, f16."""

    _family = "SM100_MMA_F16BF16"
    _inputs = (Float16, BFloat16)
    _sums = (Float32, Float16)
    _k = 32


class MmaFP8SparseOp(_Sparse):
    """Products of 8-bit floats of one type with a sparse A."""

    _family = "SM100_MMA_F8F6F4"
    _inputs = (Float8E4M3FN, Float8E5M2)
    _sums = (Float32, Float16)
    _k = 64


def make_sparse_smem_layout_atom(
    kind: SmemLayoutAtomKind, element_type: Any, sparsity: int = 2, *, loc: Any = None,
    ip: Any = None,
) -> ComposedLayout:
    """Returns the smallest layout of a kind for a sparse A, in all elements.

    :param element_type: of the stored elements
    :param sparsity: the neighbours along K that share a stored element

    >>> from cute.nvgpu import tcgen05
    >>> tcgen05.make_sparse_smem_layout_atom(tcgen05.SmemLayoutAtomKind.K_SW128, Float16)
    S<3,4,3> o 0 o ((1,8),(2,64)):((0,128),(1,2))
    """
    stored = make_smem_layout_atom(kind, element_type)
    group = _algebra.make_layout((1, sparsity))
    return _algebra.make_composed_layout(
        stored.inner, 0, _layout_algebra.blocked_product(group, stored.outer))
