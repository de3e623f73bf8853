"""Mathematical functions of values."""

from __future__ import annotations

from typing import Any

from ... import _ir


def log(operand: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> _ir.Value:
    """Returns the natural logarithm."""
    value = operand.ir_value() if hasattr(operand, "ir_value") else operand
    trace = _ir.require("math.log")
    return trace.op("math.log", [value], [trace.type_of(value)])[0]
