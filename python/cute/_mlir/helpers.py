"""Functions on values by the names of the reference's helpers for arithmetic."""

from __future__ import annotations

from typing import Any

from .dialects import arith as _arith
from .ir import Type


def bitcast(src: Any, res_elem_type: Type, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns a value of another type with the same bits."""
    return _arith.bitcast(res_elem_type, src)
