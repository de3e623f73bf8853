"""Static shapes of vectors and the coordinates in them."""

from __future__ import annotations

import math
import operator
from typing import Any

Shape = Any  # an int, or a tuple of shapes


def size_of(shape: Shape) -> int:
    if isinstance(shape, (tuple, list)):
        return math.prod(map(size_of, shape))
    return shape


def shape_text(tree: Any) -> str:
    if tree is None:
        return "_"
    if isinstance(tree, (tuple, list)):
        return "(" + ",".join(map(shape_text, tree)) + ")"
    return str(int(tree))


def static_shape(shape: Any) -> Shape:
    if isinstance(shape, (tuple, list)):
        return tuple(static_shape(s) for s in shape)
    try:
        extent = operator.index(shape)
    except TypeError:
        raise ValueError(f"the shape of a vector is static, not {shape}") from None
    if extent < 1:
        raise ValueError(f"the extents of a vector are positive, not {extent}")
    return extent


def kept_modes(shape: Shape, coord: Any) -> list[Shape]:
    """Returns the modes of a shape that a coordinate has ``None`` for."""
    if coord is None:
        return [shape]
    if not isinstance(coord, tuple):
        return []
    if not isinstance(shape, tuple) or len(shape) != len(coord):
        raise ValueError(
            f"{shape_text(coord)} is not a coordinate of the shape {shape_text(shape)}")
    kept: list[Shape] = []
    for extent, c in zip(shape, coord):
        modes = kept_modes(extent, c)
        kept += [tuple(modes)] if isinstance(c, tuple) and modes else modes
    return kept


def leaves_of(tree: Any) -> list[Any]:
    if isinstance(tree, tuple):
        return [leaf for child in tree for leaf in leaves_of(child)]
    return [tree]


def nested_like(shape: Shape, leaves: Any) -> Any:
    """Returns leaves in the nesting of a shape."""
    rest = iter(leaves)

    def build(extent: Shape) -> Any:
        return tuple(map(build, extent)) if isinstance(extent, tuple) else next(rest)

    return build(shape)


def place_of(coord: Any, shape: Shape) -> Any:
    """Returns the place of an element in colexicographic order."""
    if not isinstance(coord, tuple):
        return coord
    if not isinstance(shape, tuple) or len(shape) != len(coord):
        raise ValueError(f"a coordinate of {len(coord)} modes for {shape_text(shape)}")
    place: Any = 0
    stride = 1
    for c, extent in zip(coord, shape):
        place = place + place_of(c, extent) * stride
        stride *= size_of(extent)
    return place


def broadcast_shape(a: Shape, b: Shape) -> Shape:
    """Returns the shape in which two shapes meet.

    Modes that one lacks, and modes of extent 1, repeat; others are equal.
    """
    if a == b:
        return a
    if isinstance(a, tuple) or isinstance(b, tuple):
        x = a if isinstance(a, tuple) else (a,)
        y = b if isinstance(b, tuple) else (b,)
        rank = max(len(x), len(y))
        x, y = x + (1,) * (rank - len(x)), y + (1,) * (rank - len(y))
        return tuple(_meet(p, q) for p, q in zip(x, y))
    return _meet(a, b)


def _meet(a: Shape, b: Shape) -> Shape:
    if size_of(a) == 1 and not (isinstance(a, tuple) and size_of(b) == 1):
        return b
    if size_of(b) == 1 or a == b:
        return a
    raise ValueError(
        f"shapes with the modes {shape_text(a)} and {shape_text(b)} do not broadcast"
    )
