"""Elements of vectors."""

from __future__ import annotations

from typing import Any, Sequence

from ..._compile import ir as _ir


def extract(
    source: Any,
    dynamic_position: Sequence[Any] = (),
    static_position: Sequence[int] = (),
    *,
    loc: Any = None,
    ip: Any = None,
) -> _ir.Value:
    """Returns the element at a position that is known."""
    source = source.ir_value() if hasattr(source, "ir_value") else source
    trace = _ir.require("vector.extract")
    numbers = ", ".join(map(str, static_position))
    attributes = {"static_position": f"array<i64: {numbers}>"}
    text = trace.type_of(source)
    element = text[:-1].rpartition("x")[2]
    return trace.op("vector.extract", [source, *dynamic_position], [element], attributes)[0]


def from_elements(result: Any, elements: Sequence[Any], *, loc: Any = None, ip: Any = None) -> Any:
    """Returns a vector of scalars."""
    trace = _ir.require("vector.from_elements")
    operands = [x.ir_value() if hasattr(x, "ir_value") else x for x in elements]
    return trace.op("vector.from_elements", operands, [_ir.text_of(result)])[0]


def bitcast(result: Any, source: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the bits of a vector as one of other elements."""
    source = source.ir_value() if hasattr(source, "ir_value") else source
    return _ir.require("vector.bitcast").op("vector.bitcast", [source], [_ir.text_of(result)])[0]
