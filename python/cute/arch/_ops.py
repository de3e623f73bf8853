"""Operations and operands of the functions of cute.arch."""

from __future__ import annotations

from typing import Any

from .._frontend import builder as _builder
from .._compile import ir as _ir
from .._values.numeric import Int32, as_numeric


def op(
    name: str,
    operands: Any = (),
    results: Any = (),
    attributes: dict[str, str] | None = None,
) -> list[Any]:
    """Writes an operation of another dialect than cute."""
    return _builder.require(name).op(name, operands, results, attributes or {})


def i32(value: Any) -> Any:
    """Returns an Int32 as an SSA value."""
    return Int32(value).ir_value()


def address(pointer: Any) -> Any:
    """Returns a pointer's value."""
    return pointer.ir


def count(value: Any) -> Any:
    """Returns an operand of the dialect that takes static integers, too."""
    number = as_numeric(value)
    if number.is_static:
        return _ir.type(f'!cute.int_tuple<"{int(number)}">')
    return i32(number)


def register(name: str) -> Any:
    """Returns a special register of 32 bits."""
    return op(f"nvvm.read.ptx.sreg.{name}", (), ["i32"])[0]
