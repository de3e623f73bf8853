"""Products in tensor memory, and copies of parts of tiles by a thread."""

from __future__ import annotations

from typing import Any

from .. import core as _core
from .._values.pointer import AddressSpace
from ._parts import same_part_of, whole_of


def make_tmem_layout_acc(
    tiled_mma: Any, mnk_tiler: Any, acc_stage: int, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the layout of the sums of a tile in tensor memory: a product's, M, N and stages."""
    shape = tiled_mma.partition_shape_C(mnk_tiler[:2])
    return tiled_mma.make_fragment_C(_core.append(shape, acc_stage)).layout


def make_t2r_rmem_layout(
    tiled_copy_t2r: Any, gC_mnl_epi: Any, tidx: Any, *, loc: Any = None, ip: Any = None  # noqa: N803
) -> Any:
    """Returns the layout of a thread's registers for its loads of a part of a tile.

    :param gC_mnl_epi: the result by parts, ``(M,N,Rest...)``
    """
    part = tiled_copy_t2r.get_slice(tidx).partition_D(gC_mnl_epi)
    kept = (None, None, None, *(0,) * (_core.rank(part) - 3))
    return _core.make_layout(_core.shape(part[kept]))


def partition_and_copy(
    tiled_copy: Any, src: Any, dst: Any, *, loc: Any = None, ip: Any = None
) -> None:
    """Copies a thread's part of a tile.

    :param tiled_copy: the thread's part of the copy
    :param src: a tile, or registers, which are the thread's already; dst alike
    """
    spaces = {src.memspace, dst.memspace}
    parts = []
    for tensor, divide in ((src, tiled_copy.partition_S), (dst, tiled_copy.partition_D)):
        if tensor.memspace is not AddressSpace.rmem:
            tensor = divide(tensor)
        elif AddressSpace.tmem not in spaces:
            tensor = tiled_copy.retile(tensor)  # made for a copy of tensor memory
        parts.append(tensor)
    _core.copy(tiled_copy, *parts)


def dot(
    mma_atom: Any, a: Any, b: Any, c: Any, *, loc: Any = None, ip: Any = None
) -> None:
    """Multiplies parts of tiles, in shared or tensor memory, into the sums ``c``.

    The atom's field ACCUMULATE tells whether it adds to them.
    """
    _core.gemm(mma_atom, c, *_operands(mma_atom, a, b), c)


def dot_block_scaled(
    mma_atom: Any, a: Any, sfa: Any, b: Any, sfb: Any, c: Any, loc: Any = None, ip: Any = None
) -> None:
    """Multiplies parts of tiles, scaled by factors in tensor memory, into the sums ``c``.

    :param sfa: the factors of the part of A, as the product's ``(V,M,K)``; sfb of B
    """
    first, second = _operands(mma_atom, a, b)
    _core.gemm(mma_atom, c, [first, sfa], [second, sfb], c)


def dot_sparse(
    mma_atom: Any, a: Any, e: Any, b: Any, c: Any, loc: Any = None, ip: Any = None
) -> None:
    """Multiplies parts of tiles, whose A has two of four elements, into the sums ``c``.

    :param e: which these are, in tensor memory, as the product's ``(V,M,K)``
    """
    first, second = _operands(mma_atom, a, b)
    _core.gemm(mma_atom, c, [first, e], second, c)


def _operands(atom: Any, a: Any, b: Any) -> list[Any]:
    """Returns what a product reads: registers and tensor memory, or descriptors of shared memory."""
    return [part if part._is_described or part.memspace is not AddressSpace.smem
            else _fragment(part, make) for part, make in ((a, atom.make_fragment_A), (b, atom.make_fragment_B))]


def _fragment(part: Any, make: Any) -> Any:
    """Returns what a product reads of a part of shared memory: descriptors of the whole buffer,
    whose rows begin a swizzle's pattern, and of these the part."""
    whole = whole_of(part)
    return make(part) if whole is None else same_part_of(make(whole), part)
