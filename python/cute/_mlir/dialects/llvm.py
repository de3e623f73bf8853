"""Inline PTX, and structs of C."""

from __future__ import annotations

import enum
from typing import Any, Sequence

from ..._compile import ir as _ir
from ..ir import Type, as_number, raw
from . import arith as _arith


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


# ---- Pointers and structs ---------------------------------------------------


class PointerType:
    """Addresses, in a memory of LLVM's numbers."""

    @staticmethod
    def get(address_space: int = 0, **options: Any) -> Type:
        number = getattr(address_space, "value", address_space)
        return _ir.type(f"!llvm.ptr<{number}>" if number else "!llvm.ptr")


def _inner(member: Type) -> str:
    return _ir.text_of(member).removeprefix("!llvm.")


class StructType:
    """Structs of C."""

    @staticmethod
    def get_literal(members: Sequence[Type], packed: bool = False, **options: Any) -> Type:
        """Returns a struct without a name; packed, it has no gaps."""
        text = ", ".join(map(_inner, members))
        return _ir.type(f"!llvm.struct<{f'packed ({text})' if packed else f'({text})'}>")


class ArrayType:
    """Arrays of C."""

    @staticmethod
    def get(element: Type, count: int) -> Type:
        return _ir.type(f"!llvm.array<{count} x {_inner(element)}>")


def _positions(position: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, position))}>"


def _value(name: str, operands: Sequence[Any], result: Type, **attributes: str) -> Any:
    trace = _ir.require(f"llvm.{name}")
    made = trace.op(
        f"llvm.{name}", [raw(x) for x in operands], [_ir.text_of(result)], attributes
    )
    return as_number(made[0])


def extractvalue(
    res: Type, container: Any, position: Sequence[int], *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a member of a struct or array; the words of a tensor map stay together."""
    if hasattr(container, "__cute_map__"):
        return container
    return _value("extractvalue", [container], res, position=_positions(position))


def insertvalue(
    container: Any, value: Any, position: Sequence[int], *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a struct or array with another member."""
    if hasattr(value, "__cute_map__"):
        return value
    return _value(
        "insertvalue", [container, value], raw(container).type, position=_positions(position)
    )


def intr_ctlz(
    in_: Any, is_zero_poison: bool, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns how many bits of an integer are 0 from the top; all of 0."""
    trace = _ir.require("llvm.intr_ctlz")
    value = raw(in_)
    poison = {"is_zero_poison": str(bool(is_zero_poison)).lower()}
    return as_number(trace.op("llvm.intr.ctlz", [value], [trace.type_of(value)], poison)[0])


def ptrtoint(res: Type, arg: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns an address as an integer."""
    return _value("ptrtoint", [arg], res)


def inttoptr(res: Type, arg: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns an integer as an address."""
    return _value("inttoptr", [arg], res)


def addrspacecast(res: Type, arg: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns a pointer to the same place as one of another memory."""
    return arg if raw(arg).type == res else _value("addrspacecast", [arg], res)


def bitcast(res: Type, arg: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the bits of a value as another type."""
    return _value("bitcast", [arg], res)


def zext(res: Type, arg: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> Any:
    """Returns an integer, or integers of a vector, with more bits, which are 0."""
    return _arith.extui(res, arg)


def sext(res: Type, arg: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns an integer, or integers of a vector, with more bits, which repeat the sign."""
    return _arith.extsi(res, arg)


def trunc(res: Type, arg: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> Any:
    """Returns the low bits of an integer, or of a vector's."""
    return _arith.trunci(res, arg)


def mlir_undef(res: Type, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns any value of a type."""
    return _value("mlir.undef", [], res)


def mlir_zero(res: Type, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the value of a type whose bits are 0."""
    return _value("mlir.zero", [], res)


def extractelement(
    vector: Any, position: Any, *, results: Any = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns an element of a vector at a position."""
    element = _ir.text_of(raw(vector).type)[:-1].rpartition("x")[2]
    return _value("extractelement", [vector, position], _ir.type(element))


def insertelement(
    vector: Any, value: Any, position: Any, *, results: Any = None, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns a vector with another element at a position."""
    return _value("insertelement", [vector, value, position], raw(vector).type)


def load(res: Type, addr: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> Any:
    """Returns the value at an address."""
    return _value("load", [addr], res)


def store(value: Any, addr: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> None:
    """Writes to an address."""
    if hasattr(value, "__cute_map__"):
        value.__cute_map__(raw(addr))
        return
    _ir.require("llvm.store").create("llvm.store", [raw(value), raw(addr)], None, [])
