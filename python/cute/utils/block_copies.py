"""Copies by TMA of whole tiles, which partition what they move themselves."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._compat.missing import NotThere
from .._values.algebra import make_layout_image_mask
from .._values.tensor import Tensor
from ..core import copy, make_layout
from ..nvgpu.cpasync import TmaAtom, tma_partition


def block_copy(
    tiled_copy: Any,
    src: Tensor,
    dst: Tensor,
    *,
    tma_multicast: dict[str, Any] | None = None,
    loc: Any = None,
    ip: Any = None,
    **kwargs: Any,
) -> None:
    """Copies a tile by TMA. Mode 0 of both tensors is the tile, the others are the same.

    :param tiled_copy: a TMA atom, of a load or a store :param tma_multicast: for a load that
    blocks of a cluster share, a part of the tile each: ``cluster_shape``, (m, n), and
    ``multicast_dim``, "M" or "N", their direction :param kwargs: what ``cute.copy`` takes,
    as ``tma_bar_ptr`` :raises NotThere: for copies to tensor memory, and for pairs of blocks
    """
    if not isinstance(tiled_copy, TmaAtom):
        raise NotThere("block_copy moves tiles by TMA alone; use cute.copy")
    coord, layout = 0, make_layout(1)
    if tma_multicast is not None:
        coord, layout, mask = _shared(**tma_multicast)
        kwargs["mcast_mask"] = mask
    is_load = src.memspace.name != "smem" if hasattr(src.iterator, "memspace") else True
    near, far = tma_partition(tiled_copy, coord, layout, *((dst, src) if is_load else (src, dst)))
    copy(tiled_copy, *((far, near) if is_load else (near, far)), **kwargs)


def _shared(
    cluster_shape: tuple[int, int], multicast_dim: str, use_2cta_mma_inst: bool = False
) -> tuple[Any, Any, Any]:
    """Returns a block's coordinate among the blocks that share a load, their layout and mask."""
    if use_2cta_mma_inst:
        raise NotThere("block_copy has no multicast for pairs of blocks; use tma_partition")
    if multicast_dim not in ("M", "N"):
        raise ValueError(f"multicast_dim is 'M' or 'N', not {multicast_dim!r}")
    mode = "MN".index(multicast_dim)
    layout = make_layout(tuple(cluster_shape))
    place = layout.get_hier_coord(arch.make_warp_uniform(arch.block_idx_in_cluster()))
    mask = make_layout_image_mask(layout, place, mode=mode)
    return place[mode], make_layout(cluster_shape[mode]), mask
