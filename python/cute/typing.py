"""Types for annotations, with the reference's names."""

from __future__ import annotations

from typing import Any, Union

from ._layout import ComposedLayout, Layout, Swizzle
from ._numeric import *  # noqa: F403
from ._numeric import NumericMeta  # noqa: F401
from ._tensor import AddressSpace, Pointer, Tensor
from ._values import ScaledBasis

Int = Union[int, Any]
XTuple = Union[Any, tuple]
IntTuple = Union[Int, tuple]
Shape = Union[Int, tuple]
Stride = Union[Int, ScaledBasis, tuple]
Coord = Union[Int, None, tuple]
Tile = Union[Int, None, tuple, Layout]
Tiler = Union[Shape, Layout, Tile]
