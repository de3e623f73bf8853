"""Copies by TMA between a kernel's arguments and shared memory, whose maps nobody makes by hand."""

from __future__ import annotations

import math
from typing import Any

from .. import arch as _arch, core as _core
from .._compile import ir as _ir
from .._values.algebra import make_composed_layout
from .._values.operands import ScaledBasis
from .._frontend.guards import run_if
from ..nvgpu import cpasync, tcgen05
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


def _box(far: Any) -> tuple[Any, Any, Any, Any]:
    """Returns the argument that a tensor is part of; the part's extents there; its first element's
    coordinates and the next ones; and a map from its elements to these, None if they have the order
    of coordinates.

    :raises ValueError: for a tensor that is part of no argument
    """
    found = coordinates_of(far)
    if found is None:
        raise ValueError(f"{far} is not part of an argument of a kernel under experimental.kernel")
    coords, argument = found
    shape = tuple(map(_core.size, far.shape))
    if not any(isinstance(extent, tuple) for extent in far.shape):
        return argument, shape, coords, None
    extents = [1] * _core.rank(argument)
    for extent, step in zip(*(_core.flatten_to_tuple(x) for x in (far.shape, coords.layout.stride))):
        if isinstance(step, ScaledBasis):
            extents[step.mode[0]] += (extent - 1) * step.value
    box = _core.make_tensor(coords.iterator, _core.make_identity_layout(tuple(extents)))
    return argument, tuple(extents), box, coords.layout


def _parts(op: Any, near: Any, far: Any, cta_v_map: Any, sharing: Any = None) -> tuple[Any, Any, Any]:
    """Returns the atom for a copy, and what its instructions move: in shared memory, and
    coordinates in the argument.

    The atom is made where the kernel begins, once for equal copies.

    :param sharing: the blocks that load a part each: how many, and the own one's place
    """
    trace = _ir.require("a copy by TMA")
    argument, shape, coords, order = _box(far)
    tile = _as_tile(near, shape, cta_v_map if order is None else order)
    swizzle = near.iterator._swizzle
    layout = make_composed_layout(swizzle, 0, tile.layout) if swizzle else tile.layout
    blocks, own = sharing or (1, 0)
    key = ("tma", type(op), str(op), op.name, argument.ir, str(layout), shape, blocks)
    if key not in trace.made:
        with trace.at(trace.kernel.entry):
            trace.made[key] = make_tma_atom_of_argument(op, argument, layout, shape, blocks)
    atom: Any = trace.made[key]
    tile, box = (_core.group_modes(t, 0, len(shape)) for t in (tile, coords))
    return atom, *cpasync.tma_partition(atom, own, _core.make_layout(blocks), tile, box)


def _loads(tma_operation_type: Any, vmnk_layout: Any, multicast_mode: Any) -> tuple[Any, Any, Any]:
    """Returns the operation of a load, the blocks that share it with the own one's place, and a bit
    for each of them.

    :raises ValueError: for a load that blocks share without what says which
    """
    kind = getattr(tma_operation_type, "name", "SM90_TMA_LOAD")
    group = tcgen05.CtaGroup.TWO if "2SM" in kind else tcgen05.CtaGroup.ONE
    if "MULTICAST" not in kind:
        return cpasync.CopyBulkTensorTileG2SOp(group), None, None
    if vmnk_layout is None or multicast_mode not in (1, 2):
        raise ValueError(f"{kind} needs vmnk_layout, and multicast_mode 1 or 2, not {multicast_mode}")
    own = vmnk_layout.get_flat_coord(_arch.block_idx_in_cluster())
    mask = cpasync.create_tma_multicast_mask(vmnk_layout, own, multicast_mode)
    blocks = _core.size(vmnk_layout, mode=[multicast_mode])
    return cpasync.CopyBulkTensorTileG2SMulticastOp(group), (blocks, own[multicast_mode]), mask


def tma_load(
    src: Any, dst: Any, mbar: Any, *, cta_v_map: Any = None, tma_operation_type: Any = None,
    vmnk_layout: Any = None, multicast_mode: Any = None, update_expect_tx: bool = True,
    loc: Any = None, ip: Any = None,
) -> None:
    """Loads a tile of a kernel's argument to shared memory, from one thread of the
    warp.

    :param src: a part of the argument, by divisions and slices, or a product's part of it
    :param dst: shared memory for it, by ``cta_v_map``, in the order of the product's part, or by the
        tile's coordinates
    :param mbar: the barrier at which the bytes arrive, as ``get_mbarrier`` gives it; with an
        operation of pairs (2SM) that of the pair's first block, which announces the bytes of both
    :param tma_operation_type: SM90_TMA_LOAD by default; with one of MULTICAST, ``src`` is what
        all blocks get that differ in a mode of the cluster only, and each loads a part
    :param vmnk_layout: the cluster's layout; multicast_mode: that mode, 1 (M) or 2 (N)
    :param update_expect_tx: makes the barrier also wait for these bytes
    :raises ValueError: for a tensor that is not part of an argument
    """
    op, sharing, mask = _loads(tma_operation_type, vmnk_layout, multicast_mode)
    atom, near, coords = _parts(op, dst, src, cta_v_map, sharing)
    if update_expect_tx:
        _announce(mbar, _core.size_in_bytes(dst.element_type, dst.layout), op.is_of_pair)
    more = {} if mask is None else {"mcast_mask": mask}
    _core.copy(atom, coords, near, tma_bar_ptr=mbar, **more)


def _announce(mbar: Any, size: int, is_pair: bool) -> None:
    def expect() -> None:
        with _arch.elect_one():
            _arch.mbarrier_expect_tx(mbar, size * (2 if is_pair else 1))

    run_if(_arch.block_idx_in_cluster() % 2 == 0 if is_pair else None, expect)


def tma_load_multicast(
    src: Any, dst: Any, mbar: Any, *, vmnk_layout: Any, cta_v_map: Any = None,
    tma_operation_type: Any, multicast_mode: int, update_expect_tx: bool = True,
    loc: Any = None, ip: Any = None,
) -> None:
    """Is ``tma_load`` of what blocks share."""
    tma_load(src, dst, mbar, cta_v_map=cta_v_map, tma_operation_type=tma_operation_type,
             vmnk_layout=vmnk_layout, multicast_mode=multicast_mode,
             update_expect_tx=update_expect_tx)


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
