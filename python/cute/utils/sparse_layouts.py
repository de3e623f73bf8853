"""Layouts in global memory of the metadata of sparse products for Blackwell."""

from __future__ import annotations

from typing import Any

from .. import core
from .._values.layout import Layout
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

__all__ = ["make_sparse_gmem_layout_e", "make_tensor_e_atom_layout"]

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
    if a_raw_dtype not in _KINDS:
        known = ", ".join(map(str, _KINDS))
        raise ValueError(f"no sparse product takes A of {a_raw_dtype}; {known} can be used")
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
