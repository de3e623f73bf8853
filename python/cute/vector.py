"""Vectors in registers: constants, and choices element by element."""

from __future__ import annotations

from typing import Any

from ._values.array import Vector
from ._values.tensor_ssa import full as _full
from ._values.tensor_ssa import where as _where

__all__ = ["Vector", "full", "where"]


def full(shape: Any, fill_value: Any, dtype: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the vector of one number."""
    return _full(shape, fill_value, dtype)


def where(cond: Any, x: Any, y: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns x where the condition holds, y elsewhere."""
    return _where(cond, x, y)
