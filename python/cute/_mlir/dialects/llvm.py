"""Inline PTX."""

from __future__ import annotations

import enum
from typing import Any, Sequence

from ... import _ir


class AsmDialect(enum.IntEnum):
    """How the text is written; PTX has one form only."""

    AD_ATT = 0
    AD_Intel = 1


def _as_register(value: _ir.Value, trace: Any) -> _ir.Value:
    """Returns an operand; a truth value is an i32."""
    value = value.ir_value() if hasattr(value, "ir_value") else value
    if trace.type_of(value) != "i1":
        return value
    return trace.op("arith.extui", [value], ["i32"])[0]


def inline_asm(
    res: Any,
    operands_: Sequence[Any],
    asm_string: str,
    constraints: str,
    *,
    has_side_effects: bool = False,
    is_align_stack: bool = False,
    asm_dialect: Any = AsmDialect.AD_ATT,
    loc: Any = None,
    ip: Any = None,
    **options: Any,
) -> Any:
    """Writes PTX, in which $0, $1 ... are the results and then the operands.

    :param res: the type of the result, or None; an i1 is kept in a register of
        32 bits, and is true where that is not 0
    :param constraints: "=r,r,i", a letter for each: r and l for integers of 32
        and 64 bits, f and d for floats, i for constants
    """
    trace = _ir.require("inline PTX")
    operands = [_as_register(x, trace) for x in operands_]
    text = None if res is None else _ir.text_of(res)
    results = [] if text is None else ["i32" if text == "i1" else text]
    attributes = {
        "asm_string": _ir.attribute(asm_string),
        "constraints": _ir.attribute(constraints),
    }
    if has_side_effects:
        attributes["has_side_effects"] = _ir.parsed("unit")
    made = trace.create(
        "llvm.inline_asm", operands, attributes, [_ir.type(t) for t in results]
    )
    if text is None:
        return made
    value = made.results[0]
    if text != "i1":
        return value
    zero = trace.constant("i32", 0)
    predicate = {"predicate": "1 : i64"}
    return trace.op("arith.cmpi", [value, zero], ["i1"], predicate)[0]
