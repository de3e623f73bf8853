"""TMA of elements that share a unit of the map: two of 4 bits a byte, scale factors of rows."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from .._values import algebra as _algebra, layout_algebra as _layout_algebra
from .._values.layout import ComposedLayout
from .._values.numeric import Int16, Uint8
from .._values.tensor import Tensor, make_identity_tensor, make_tensor, recast_tensor

_MOST = 256  # units of a box along an axis


@dataclasses.dataclass(frozen=True)
class Packing:
    """How a tensor is mapped in units.

    :ivar unit: the numeric type of the map
    :ivar mapped: the tensor of units
    :ivar coordinates: of the elements, whose zero strides are within units
    :ivar layout: of a tile of units in shared memory
    :ivar tiler: the tile's extents in units
    :ivar axes: where each axis of the map leads
    :ivar narrow: the bits of an element in global memory, which has a unit in shared memory;
        0: units are alike in both
    """

    unit: Any
    mapped: Tensor
    coordinates: Tensor
    layout: Any
    tiler: tuple[Any, ...]
    axes: Axes
    narrow: int = 0


@dataclasses.dataclass(frozen=True)
class Axes:
    """The leaves of a tensor that each axis of its map in units goes along.

    :ivar leaves: one, or several that follow each other without gaps; None for an axis of
        ``run`` units
    :ivar contiguous: the leaf whose neighbours share a unit, if an axis goes along it
    """

    unit: Any
    leaves: tuple[Any, ...]
    run: int = 0
    contiguous: int | None = None

    def map(self, tensor: Tensor) -> Tensor:
        """Returns the tensor of units of another tensor with the same leaves."""
        ratio = self.unit.width // tensor.element_type.width
        shape, stride = (_flat(x) for x in (tensor.shape, tensor.stride))
        extents: list[Any] = []
        steps: list[Any] = []
        for leaf in self.leaves:
            if leaf is None:
                extents, steps = [*extents, self.run], [*steps, 1]
            elif isinstance(leaf, tuple):
                extents = [*extents, math.prod(shape[i] for i in leaf)]
                steps = [*steps, stride[leaf[0]] // ratio]
            elif leaf == self.contiguous:
                extents, steps = [*extents, (shape[leaf] + ratio - 1) // ratio], [*steps, 1]
            else:
                extents, steps = [*extents, shape[leaf]], [*steps, stride[leaf] // ratio]
        layout = _algebra.make_layout(tuple(extents), stride=tuple(steps))
        return make_tensor(_units_of(tensor, self.unit), layout)


def _flat(tree: Any) -> list[Any]:
    return [x for part in tree for x in _flat(part)] if isinstance(tree, tuple) else [tree]


def find_packing(tensor: Tensor, layout: Any, tiler: Any, internal_type: Any) -> Packing | None:
    """Returns how a tensor is mapped in units; None where its elements are mapped themselves."""
    if tensor.element_type.width < 8 and internal_type is Uint8:
        return _widened(tensor, layout, tiler)
    if tensor.element_type.width == 4:
        return _pairs(tensor, layout, tiler)
    repeats = any(isinstance(x, int) and x == 0 for x in _flat(tensor.stride))
    is_factors = tensor.element_type.width == 8 and (
        internal_type is Int16 or internal_type is not None and repeats)
    return _runs(tensor, layout, tiler, internal_type) if is_factors else None


def first_page(tile: Any, tiler: Any) -> tuple[Any, Any]:
    """Returns the first page of a tile whose last mode has pages, ``(128,(128,3))``, and its
    extents: programs copy one at a time, by an atom of bytes for all."""
    outer = tile.outer if isinstance(tile, ComposedLayout) else tile
    if not isinstance(tiler, tuple) or not outer.is_static or _algebra.rank(outer) != len(tiler):
        return tile, tiler
    last = [x for x in zip(_flat(outer.shape[-1]), _flat(outer.stride[-1])) if x[0] > 1]
    if len(last) != 2:
        return tile, tiler
    (extent, stride), (_pages, step) = last
    extents = (*outer.shape[:-1], extent)
    page = _algebra.make_layout(extents, stride=(*outer.stride[:-1], stride))
    if _algebra.cosize(page) > step:
        return tile, tiler
    if isinstance(tile, ComposedLayout):
        page = _algebra.make_composed_layout(tile.inner, tile.offset, page)
    return page, extents


def as_units(axes: Axes, tile: Any, smem: Tensor, gmem: Tensor) -> tuple[Tensor, Tensor]:
    """Returns a tile in shared memory and one of coordinates, of units.

    Mode 0 is the tile; that of scale factors gets the order of memory.

    :param tile: the layout of a tile of units
    """
    gmem = _layout_algebra.filter_zeros(gmem)
    if not axes.run:
        return recast_tensor(smem, axes.unit), gmem
    near = _rest_in_units(_layout_algebra.filter_zeros(smem), axes.unit)
    basis = _algebra.make_identity_layout(tile.shape).stride
    return _with_tile(near, tile.shape, tile.stride), _with_tile(gmem, tile.shape, basis)


def _rest_in_units(tensor: Tensor, unit: Any) -> Tensor:
    """Returns a tensor of units without its mode 0, which a tile replaces."""
    ratio = unit.width // tensor.element_type.width
    rest = _algebra.transform_leaf(lambda step: step // ratio, tensor.stride[1:])
    layout = _algebra.make_layout((1, *tensor.shape[1:]), stride=(0, *rest))
    return make_tensor(_units_of(tensor, unit), layout)


def _with_tile(tensor: Tensor, shape: Any, stride: Any) -> Tensor:
    """Returns a tensor with another mode 0."""
    layout = _algebra.make_layout((shape, *tensor.shape[1:]), stride=(stride, *tensor.stride[1:]))
    return make_tensor(tensor.iterator, layout)


def _pairs(tensor: Tensor, layout: Any, tiler: Any) -> Packing:
    """Maps two elements of 4 bits as a byte."""
    mapped = recast_tensor(tensor, Uint8)
    identity = make_identity_tensor(mapped.shape)
    shape, stride, tile = list(mapped.shape), list(identity.stride), list(tiler)
    contiguous = None
    for i, step in enumerate(tensor.stride):
        if isinstance(step, int) and step == 1:
            contiguous = i
            shape[i], stride[i] = (2, shape[i]), (0, stride[i])
            if i < len(tile):
                tile[i] = _algebra.size(tile[i]) // 2
    coordinates = make_tensor(
        identity.iterator, _algebra.make_layout(tuple(shape), stride=tuple(stride)))
    outer = layout.outer if isinstance(layout, ComposedLayout) else layout
    units = _algebra.recast_layout(8, 4, outer)
    if isinstance(layout, ComposedLayout):
        units = _algebra.make_composed_layout(layout.inner, layout.offset, units)
    axes = Axes(Uint8, tuple(range(len(_flat(tensor.shape)))), contiguous=contiguous)
    return Packing(Uint8, mapped, coordinates, units, tuple(tile), axes)


def _widened(tensor: Tensor, layout: Any, tiler: Any) -> Packing:
    """Maps elements of 4 or 6 bits, which get a byte each in shared memory."""
    mapped = make_tensor(_units_of(tensor, Uint8), tensor.layout)
    return Packing(Uint8, mapped, make_identity_tensor(tensor.shape), layout, tiler,
                   _Whole(Uint8, ()), narrow=tensor.element_type.width)


class _Whole(Axes):
    """The axes of a map whose units are elements."""

    def map(self, tensor: Tensor) -> Tensor:
        return make_tensor(_units_of(tensor, self.unit), tensor.layout)


# ---- Scale factors ----------------------------------------------------------


@dataclasses.dataclass(eq=False)
class _Leaf:
    """A mode of a tensor without modes of its own.

    :ivar step: how far it goes in the mode of the tile
    :ivar tile: its part of the tile
    :ivar axis: of the map; None within a unit, or where it has extent 1
    """

    extent: Any
    stride: Any
    mode: int
    step: int
    tile: Any
    axis: int | None = None
    scale: Any = 0

    def is_static(self) -> bool:
        return isinstance(self.extent, int) and isinstance(self.stride, int)


def _leaves(shape: Any, stride: Any, mode: int, tile: list[int], step: list[int]) -> list[_Leaf]:
    """Returns the leaves of a mode; ``tile`` holds what they still divide of its tile."""
    if isinstance(shape, tuple):
        return [x for a, b in zip(shape, stride) for x in _leaves(a, b, mode, tile, step)]
    part = min(shape, tile[0]) if isinstance(shape, int) else tile[0]
    leaf = _Leaf(shape, stride, mode, step[0], part)
    tile[0] //= max(part, 1)
    step[0] *= part
    return [leaf]


def _runs(tensor: Tensor, layout: Any, tiler: Any, unit: Any) -> Packing:
    """Maps runs of neighbours, up to 256 units, and what is farther apart along axes."""
    ratio = unit.width // tensor.element_type.width
    leaves: list[_Leaf] = []
    for i, (shape, stride) in enumerate(zip(tensor.shape, tensor.stride)):
        tile = [_algebra.size(tiler[i])] if i < len(tiler) else [1]
        leaves += _leaves(shape, stride, i, tile, [1])
    run = _find_run(leaves, ratio)
    outer = _merged([x for x in leaves if x.axis is None and not _is_empty(x)], layout)
    for axis, group in enumerate(outer, start=1):
        scale = 1
        for leaf in group:
            leaf.axis, leaf.scale = axis, scale
            scale *= leaf.extent
    identity = make_identity_tensor((run, *(math.prod(x.extent for x in g) for g in outer)))
    mapped = make_tensor(
        _units_of(tensor, unit),
        _algebra.make_layout(identity.shape, stride=(1, *(g[0].stride // ratio for g in outer))))
    tiles = [math.prod(x.tile for x in g) for g in outer]
    steps = [next((_offset(layout, x) for x in g if x.tile > 1), 0) // ratio for g in outer]
    units = _algebra.make_layout((run, *tiles), stride=(1, *steps))
    remaining = iter(leaves)
    parts = [_coordinate(s, remaining, identity.stride, ratio) for s in tensor.shape]
    coordinates = make_tensor(identity.iterator, _algebra.make_layout(
        tuple(p[0] for p in parts), stride=tuple(p[1] for p in parts)))
    places = [tuple(leaves.index(x) for x in g) for g in outer]
    axes = Axes(unit, (None, *(p if len(p) > 1 else p[0] for p in places)), run)
    return Packing(unit, mapped, coordinates, units, (run, *tiles), axes)


def _merged(leaves: list[_Leaf], layout: Any) -> list[list[_Leaf]]:
    """Groups leaves that follow each other without gaps in both memories: whole leaves of a tile,
    then one of any extent. A group is an axis, so that more boxes divide among blocks."""
    groups: list[list[_Leaf]] = []
    for leaf in leaves:
        before = next((g for g in groups if _follows(leaf, g, layout)), None)
        if before:
            before.append(leaf)
        else:
            groups.append([leaf])
    return groups


def _follows(leaf: _Leaf, group: list[_Leaf], layout: Any) -> bool:
    """Returns whether a leaf lies behind the single one of a group without gaps."""
    last = group[-1]
    return (
        len(group) == 1 and last.is_static() and isinstance(leaf.stride, int)
        and leaf.stride == last.stride * last.extent and last.tile == last.extent
        and leaf.tile > 1 and last.tile * leaf.tile <= _MOST
        and _offset(layout, leaf) == _offset(layout, last) * last.extent)


def _is_empty(leaf: _Leaf) -> bool:
    """Returns whether nothing lies along a leaf."""
    return any(isinstance(x, int) and x == n for x, n in ((leaf.extent, 1), (leaf.stride, 0)))


def _units_of(tensor: Tensor, unit: Any) -> Any:
    from .._values.pointer import recast_ptr

    return recast_ptr(tensor.iterator, dtype=unit)


def _find_run(leaves: list[_Leaf], ratio: int) -> int:
    """Marks the leaves that follow each other without gaps; returns how many units they are."""
    end, found = 1, True
    while found:
        found = False
        for leaf in leaves:
            fits = leaf.is_static() and not _is_empty(leaf) and leaf.stride == end
            if fits and end * leaf.extent <= _MOST * ratio and leaf.tile == leaf.extent:
                leaf.axis, leaf.scale = 0, leaf.stride
                end, found = end * leaf.extent, True
                break
    if end % (ratio * 16 // ratio):
        raise ValueError(f"rows of {end} bytes are not a multiple of 16, which TMA copies")
    return end // ratio


def _offset(layout: Any, leaf: _Leaf) -> int:
    """Returns how far a leaf's neighbours are in a tile in shared memory."""
    at = [0] * _algebra.rank(layout)
    if leaf.mode >= len(at):
        return 0
    at[leaf.mode] = leaf.step
    return int(layout(tuple(at))) if leaf.tile > 1 else 0


def _coordinate(shape: Any, leaves: Any, basis: Any, ratio: int) -> tuple[Any, Any]:
    """Returns the shape and strides of a mode of coordinates."""
    if isinstance(shape, tuple):
        parts = [_coordinate(s, leaves, basis, ratio) for s in shape]
        return tuple(p[0] for p in parts), tuple(p[1] for p in parts)
    leaf = next(leaves)
    if leaf.axis is None:
        return shape, 0
    within = ratio // leaf.scale if leaf.axis == 0 else 1  # neighbours that share a unit
    if within > 1 and within >= shape:
        return shape, 0
    if within > 1:
        return (within, shape // within), (0, basis[0])
    return shape, basis[leaf.axis] * (leaf.scale // ratio if leaf.axis == 0 else leaf.scale)
