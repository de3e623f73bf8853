"""Types of MLIR by short names: ``i32()``, ``vector(4, f32())``."""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from .ir import Type


def vector(*extents_and_element: Any) -> Type:
    """Returns the type of vectors, ``vector(4, f32())``."""
    *extents, element = extents_and_element
    shape = "".join(f"{n}x" for n in extents)
    return _ir.type(f"vector<{shape}{_ir.text_of(element)}>")


def bool() -> Type:  # noqa: A001 (the name of the reference)
    """Returns the type of truth values."""
    return _ir.type("i1")


def __getattr__(name: str) -> Callable[[], Type]:
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda: _ir.type(name)
