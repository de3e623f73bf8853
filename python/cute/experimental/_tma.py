"""Copies by TMA between a kernel's arguments and shared memory, whose maps nobody makes by hand."""

from __future__ import annotations

import math
from typing import Any

from .. import arch as _arch, core as _core
from .._compile import ir as _ir
from .._values.algebra import make_composed_layout
from .._values.operands import ScaledBasis
from ..nvgpu import cpasync
from ..nvgpu._tma import make_tma_atom_of_argument
from ._parts import coordinates_of


def get_mbarrier(stage_token: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the barrier of a stage that a pipeline's producer has acquired."""
    return stage_token


def is_preferred_cluster(preferred_shape: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether the block's cluster has the launch's preferred size, not the fallback
    size."""
    x, y, z = (n == wanted for n, wanted in zip(_arch.block_in_cluster_dim(), preferred_shape))
    return x & y & z


def get_cta_v_map_ab(
    gmem_tensor: Any, mma_tiler_mnk: Any, tiled_mma: Any, input_operand: str, *,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the map from the elements of an operand's tile, in the product's order, to their
    coordinates in a tile: ``((128,16),(1,4)):((1@0,1@1),(0,16@1))``.

    :param gmem_tensor: the operand, (M,K) or (N,K), perhaps with more modes
    :param input_operand: ``"A"`` or ``"B"``
    """
    if input_operand not in ("A", "B"):
        raise ValueError(f"an operand is A or B, not {input_operand!r}")
    tile = mma_tiler_mnk["AB".index(input_operand)], mma_tiler_mnk[2]
    coords = _core.composition(_core.make_identity_layout(_extents(gmem_tensor, tile)), tile)
    return _core.get(tiled_mma._thrfrg(input_operand, coords), mode=[1])


def get_cta_v_map_c(gmem_tensor: Any, epi_tile: Any) -> Any:
    """Returns the map from the elements of a part of a result's tile to their coordinates."""
    tile = tuple(map(_core.size, epi_tile))
    return _core.composition(_core.make_identity_layout(_extents(gmem_tensor, tile)), tile)


def _extents(tensor: Any, tile: Any) -> Any:
    """Returns a static shape with the tensor's modes, in which the tile lies."""
    return (*tile, *(1,) * (_core.rank(tensor) - len(tile)))


def _as_tile(buffer: Any, shape: Any, cta_v_map: Any) -> Any:
    """Returns shared memory by the coordinates of the tile (shape) that it holds."""
    places = _core.make_layout(shape)
    if cta_v_map is not None:
        steps = [math.prod(shape[:i]) for i in range(len(shape))]
        stride = _core.transform_leaf(
            lambda s: s.value * steps[s.mode[0]] if isinstance(s, ScaledBasis) else 0,
            cta_v_map.stride)
        places = _core.composition(
            _core.right_inverse(_core.make_layout(cta_v_map.shape, stride=stride)), places)
    return _core.composition(_core.make_tensor(buffer.iterator, _core.coalesce(buffer.layout)), places)


def _parts(op: Any, near: Any, far: Any, cta_v_map: Any) -> tuple[Any, Any, Any]:
    """Returns the atom for a copy, and what its instructions move: in shared memory, and
    coordinates in the argument.

    The atom is made where the kernel begins, once for equal copies.
    """
    trace = _ir.require("a copy by TMA")
    found = coordinates_of(far)
    if found is None:
        raise ValueError(f"{far} is not part of an argument of a kernel under experimental.kernel")
    coords, argument = found
    shape = tuple(map(_core.size, far.shape))
    tile = _as_tile(near, shape, cta_v_map)
    swizzle = near.iterator._swizzle
    layout = make_composed_layout(swizzle, 0, tile.layout) if swizzle else tile.layout
    key = ("tma", type(op), str(op), argument.ir, str(layout), shape)
    if key not in trace.made:
        with trace.at(trace.kernel.entry):
            trace.made[key] = make_tma_atom_of_argument(op, argument, layout, shape)
    atom: Any = trace.made[key]
    tile, box = (_core.group_modes(t, 0, len(shape)) for t in (tile, coords))
    return atom, *cpasync.tma_partition(atom, 0, _core.make_layout(1), tile, box)


def tma_load(
    src: Any, dst: Any, mbar: Any, *, cta_v_map: Any = None, update_expect_tx: bool = True,
    loc: Any = None, ip: Any = None,
) -> None:
    """Loads a tile of a kernel's argument to shared memory, from one thread of the
    warp.

    :param src: a part of the argument, by divisions and slices
    :param dst: shared memory for it, by ``cta_v_map``, or by the tile's coordinates
    :param mbar: the barrier at which the bytes arrive, as ``get_mbarrier`` gives it
    :param update_expect_tx: makes the barrier also wait for these bytes
    :raises ValueError: for a tensor that is not part of an argument
    """
    atom, near, coords = _parts(cpasync.CopyBulkTensorTileG2SOp(), dst, src, cta_v_map)
    if update_expect_tx:
        with _arch.elect_one():
            _arch.mbarrier_expect_tx(mbar, _core.size_in_bytes(dst.element_type, dst.layout))
    _core.copy(atom, coords, near, tma_bar_ptr=mbar)


def tma_store(
    src: Any, dst: Any, *, cta_v_map: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Stores a tile in shared memory to a part of an argument, from one thread of the
    warp.

    The store belongs to the thread's next group (``cp_async_bulk_commit_group``), which a
    ``TMAStorePipeline`` ends.
    """
    atom, near, coords = _parts(cpasync.CopyBulkTensorTileS2GOp(), src, dst, cta_v_map)
    _core.copy(atom, near, coords)


def tma_reduce_store(
    src: Any, dst: Any, *, kind: Any, cta_v_map: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """As ``tma_store``, but combines the old elements with the stored ones.

    :param kind: a member of ``ReductionKind``
    """
    atom, near, coords = _parts(cpasync.CopyReduceBulkTensorTileS2GOp(kind), src, dst, cta_v_map)
    _core.copy(atom, near, coords)
