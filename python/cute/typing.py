"""Types for annotations, with the reference's names."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Protocol, Tuple, Type, Union  # noqa: F401

from ._values.layout import ComposedLayout, Layout, Swizzle
from ._compile.arguments import Constexpr  # noqa: F401
from ._values.array import Array, Vector  # noqa: F401
from .runtime import SymInt, sym_int, sym_int32, sym_int64  # noqa: F401
from ._values.algebra import is_int_tuple, is_integer  # noqa: F401
from ._values.numeric import *  # noqa: F403
from ._values.numeric import NumericMeta, NumericMeta as FloatMeta  # noqa: F401
from ._values.pointer import AddressSpace, Pointer
from ._values.tensor import Tensor
from ._values.tuples import is_int_tuple_type  # noqa: F401
from ._values.typed import TypedPointer, TypedTensor  # noqa: F401
from ._frontend.tree import get_c_pointers, get_mlir_types  # noqa: F401
from ._values.operands import ScaledBasis
from ._mlir import types as T  # noqa: N812, F401 (the name of the reference)

Int = Union[int, Any]
XTuple = Union[Any, tuple]
IntTuple = Union[Int, tuple]
Shape = Union[Int, tuple]
Stride = Union[Int, ScaledBasis, tuple]
Coord = Union[Int, None, tuple]
Tile = Union[Int, None, tuple, Layout]
Tiler = Union[Shape, Layout, Tile]


class JitArgument(Protocol):
    """An argument that says itself what is passed of it."""

    def __get_mlir_types__(self) -> list[Any]:
        """Returns the types of what is passed."""

    def __c_pointers__(self) -> list[Any]:
        """Returns the addresses of what is passed."""

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        """Returns the argument within the program."""


class DynamicExpression(Protocol):
    """An object that goes through branches, loops and calls as values."""

    def __extract_mlir_values__(self) -> list[Any]:
        """Returns its values."""

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        """Returns the object with other values."""
