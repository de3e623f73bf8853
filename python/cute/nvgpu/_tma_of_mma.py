"""TMA atoms for the operands of a tiled product."""

from __future__ import annotations

from typing import Any, Callable

from .._values import algebra as _algebra
from .._compat.missing import NotThere
from .._values.tensor import Tensor
from ._tma import TmaAtom, TmaOp, make_tiled_tma_atom

__all__ = ["make_tiled_tma_atom_A", "make_tiled_tma_atom_B"]


def _of_operand(
    which: int, op: TmaOp, tensor: Tensor, layout: Any, tiler: Any, mma: Any, cluster: Any,
    internal_type: Any,
) -> tuple[TmaAtom, Tensor]:
    """Returns the atom of A, 0, or B, 1: its tile is that of the product, shared by the
    blocks of the cluster along the other direction."""
    shape = (1, 1, 1, 1) if cluster is None else tuple(map(_algebra.size, _shape_of(cluster)))
    if shape[0] != 1 or _algebra.size(mma.thr_id) > 128:
        raise NotThere("products by pairs of blocks, Blackwell's, are not in this package")
    others = shape[2 - which]
    return make_tiled_tma_atom(
        op, tensor, layout, (tiler[which], tiler[2]),
        others if "Multicast" in type(op).__name__ else 1, internal_type=internal_type,
    )


def _shape_of(cluster: Any) -> Any:
    return cluster.shape if hasattr(cluster, "shape") else cluster


def _maker(which: int, name: str) -> Callable[..., tuple[TmaAtom, Tensor]]:
    """Returns the function that makes the atom of A, 0, or B, 1."""

    def make(
        op: TmaOp,
        gmem_tensor: Tensor,
        smem_layout: Any,
        mma_tiler_mnk: Any,
        tiled_mma: Any,
        cluster_shape_vmnk: Any = None,
        *,
        internal_type: Any = None,
        loc: Any = None,
        ip: Any = None,
    ) -> tuple[TmaAtom, Tensor]:
        return _of_operand(which, op, gmem_tensor, smem_layout, mma_tiler_mnk, tiled_mma,
                           cluster_shape_vmnk, internal_type)

    make.__name__ = make.__qualname__ = f"make_tiled_tma_atom_{name}"
    make.__doc__ = f"""Returns the atom that loads {name} of a tiled product, and the tensor of coordinates.

    :param mma_tiler_mnk: the tile of the product in M, N and K
    :param cluster_shape_vmnk: blocks of the cluster; those along {"NM"[which]} share a load
    :raises NotThere: for products by pairs of blocks
    """
    return make


make_tiled_tma_atom_A = _maker(0, "A")  # noqa: N816
make_tiled_tma_atom_B = _maker(1, "B")  # noqa: N816
