"""The order of a TMA map's axes: a tile's in shared memory, the contiguous one first, then the
others of the tensor; a mode of extent 1 or stride 0 has none."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from .._values import algebra as _algebra, layout_algebra as _layout_algebra
from .._values.layout import ComposedLayout
from .._values.tensor import Tensor, make_identity_tensor, make_tensor


@dataclasses.dataclass(frozen=True)
class Order:
    """The modes of a tensor that the axes of its map go along, and a tile's extents."""

    modes: tuple[int, ...]
    extents: tuple[int, ...]

    def map(self, tensor: Tensor) -> Tensor:
        """Returns the tensor with the modes of the map."""
        shape, stride = (tuple(x[m] for m in self.modes) for x in (tensor.shape, tensor.stride))
        return make_tensor(tensor.iterator, _algebra.make_layout(shape, stride=stride))

    def coordinates(self, of: Tensor) -> Tensor:
        """Returns the places in the map of a tensor's coordinates."""
        identity = make_identity_tensor(tuple(of.shape[m] for m in self.modes))
        steps = [0] * len(of.shape)
        for mode, step in zip(self.modes, identity.stride):
            steps[mode] = 0 if of.stride[mode] == 0 else step
        layout = _algebra.make_layout(of.shape, stride=tuple(steps))
        return make_tensor(identity.iterator, layout)

    def layout(self, tile: Any) -> Any:
        """Returns the layout of a tile in shared memory with the modes of the map."""
        outer = tile.outer if isinstance(tile, ComposedLayout) else tile
        made = _algebra.make_layout(tuple(outer.shape[m] for m in self.modes),
                                    stride=tuple(outer.stride[m] for m in self.modes))
        if outer is tile:
            return made
        return _algebra.make_composed_layout(tile.inner, tile.offset, made)

    def tile(self, tensor: Tensor) -> Tensor:
        """Returns a tensor whose mode 0, a tile or several, goes along the axes of the map."""
        size = math.prod(self.extents)
        steps = [math.prod(self.extents[:m]) for m in self.modes]
        more = _algebra.size(tensor, mode=[0]) // size
        along = [m for m in self.modes if self.extents[m] > 1]
        if along == sorted(along):
            return tensor
        tiler = _algebra.make_layout((*(self.extents[m] for m in self.modes), more),
                                     stride=(*steps, size))
        others = (None,) * (_algebra.rank(tensor) - 1)
        return _layout_algebra.composition(tensor, (_layout_algebra.coalesce(tiler), *others))


def map_leaves(function: Any, *trees: Any) -> Any:
    """Returns the results for the leaves of trees of one profile."""
    if isinstance(trees[0], tuple):
        return tuple(map_leaves(function, *parts) for parts in zip(*trees))
    return function(*trees)


def without_broadcasts(tensor: Tensor) -> tuple[Tensor, Tensor]:
    """Returns what is mapped of a tensor, and the coordinates that it is copied at.

    A mode of stride 0 has extent 1 in the map, and is at 0 whatever its coordinate.
    """
    shape, stride = tensor.shape, tensor.stride
    identity = make_identity_tensor(shape)
    zeros: list[Any] = []
    map_leaves(lambda s: zeros.append(s) if _is(s, 0) else None, stride)
    if not zeros:
        return tensor, identity
    held = map_leaves(lambda n, s: 1 if _is(s, 0) else n, shape, stride)
    steps = map_leaves(lambda e, s: 0 if _is(s, 0) else e, identity.stride, stride)
    mapped = make_tensor(tensor.iterator, _algebra.make_layout(held, stride=stride))
    layout = _algebra.make_layout(shape, stride=steps)
    return mapped, make_tensor(identity.iterator, layout)


def find_order(tensor: Tensor, tile: Any, extents: tuple[Any, ...]) -> Order | None:
    """Returns the order of a tensor's modes in its map; None if it is theirs.

    :param tile: the layout of a tile in shared memory, with the tensor's modes
    """
    shape, outer = tensor.shape, tile.outer if isinstance(tile, ComposedLayout) else tile
    if not isinstance(shape, tuple) or any(isinstance(x, tuple) for x in shape):
        return None
    if not outer.is_static or not all(isinstance(x, int) for x in extents):
        return None
    near = sorted((i for i, n in enumerate(extents) if n > 1),
                  key=lambda i: _first_step(outer.shape[i], outer.stride[i]))
    far = [i for i, (n, step) in enumerate(zip(shape, tensor.stride))
           if extents[i] == 1 and not _is(n, 1) and not _is(step, 0)]
    modes = tuple(near + far) or (0,)
    return None if modes == tuple(range(len(shape))) else Order(modes, extents)


def _is(value: Any, number: int) -> bool:
    return isinstance(value, int) and value == number


def _first_step(shape: Any, stride: Any) -> int:
    """Returns the least stride of a mode."""
    if isinstance(shape, tuple):
        return min(map(_first_step, shape, stride))
    return stride if shape > 1 else 1 << 62
