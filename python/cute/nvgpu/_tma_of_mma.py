"""TMA atoms for the operands of a tiled product."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable

from .._values import algebra as _algebra
from .._compat.missing import NotThere
from .._values.layout import ComposedLayout
from .._values.tensor import Tensor
from ._tma import TmaAtom, TmaOp, make_tiled_tma_atom

__all__ = ["make_tiled_tma_atom_A", "make_tiled_tma_atom_B", "make_tiled_tma_atom_C"]


def _of_operand(
    which: int, op: TmaOp, tensor: Tensor, layout: Any, tiler: Any, mma: Any, cluster: Any,
    internal_type: Any,
) -> tuple[TmaAtom, Tensor]:
    """Returns the atom of A, 0, or B, 1: its tile is that of the product, shared by the
    blocks of the cluster along the other direction."""
    shape = (1, 1, 1, 1) if cluster is None else tuple(map(_algebra.size, _shape_of(cluster)))
    together = getattr(getattr(mma.op, "cta_group", None), "value", 1)
    if shape[0] not in (1, together):
        raise NotThere("pairs of blocks multiply by tcgen05 with CtaGroup.TWO")
    others = shape[2 - which] if "Multicast" in type(op).__name__ else 1
    if hasattr(op, "for_blocks"):
        op = op.for_blocks(others)
    tile = (_algebra.size(tiler[which]) // shape[0], tiler[2])
    made = make_tiled_tma_atom(op, tensor, _of_tile(layout), tile, others,
                               internal_type=internal_type)
    return dataclasses.replace(made, smem_layout=layout)


def _of_tile(layout: Any) -> Any:
    """Returns the layout (MN,K) of a tile that is ((MN,K) of a product, MN, K), perhaps with stages."""
    shape = layout.shape
    if len(shape) not in (3, 4) or not isinstance(shape[0], tuple):
        return layout
    outer = layout.outer if isinstance(layout, ComposedLayout) else layout
    (m, k), rest_m, rest_k = outer.shape[:3]
    (step_m, step_k), far_m, far_k = outer.stride[:3]
    tile = _algebra.make_layout(
        ((m, rest_m), (k, rest_k)), stride=((step_m, far_m), (step_k, far_k))
    )
    if outer is layout:
        return tile
    return _algebra.make_composed_layout(layout.inner, layout.offset, tile)


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
    """
    return make


make_tiled_tma_atom_A = _maker(0, "A")  # noqa: N816
make_tiled_tma_atom_B = _maker(1, "B")  # noqa: N816


def make_tiled_tma_atom_C(  # noqa: N802 (the name of the reference)
    op: TmaOp, gmem_tensor: Tensor, smem_layout: Any, mma_tiler_mnk: Any, tiled_mma: Any, *,
    internal_type: Any = None, loc: Any = None, ip: Any = None,
) -> tuple[TmaAtom, Tensor]:
    """Returns the atom that stores the result of a tiled product, and the tensor of coordinates.

    :param op: a store or a reduction
    :param smem_layout: of the tile (M,N), or of a product's parts of it
    :param mma_tiler_mnk: the tile of the product in M, N and K
    """
    together = getattr(getattr(tiled_mma.op, "cta_group", None), "value", 1)
    tile = (_algebra.size(mma_tiler_mnk[0]) // together, _algebra.size(mma_tiler_mnk[1]))
    made = make_tiled_tma_atom(op, gmem_tensor, _of_tile(smem_layout), tile,
                               internal_type=internal_type)
    return dataclasses.replace(made, smem_layout=smem_layout)
