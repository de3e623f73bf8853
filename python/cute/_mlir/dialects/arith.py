"""Arithmetic of values by the names of MLIR."""

from __future__ import annotations

import enum
from typing import Any, Callable

from ..._compile import ir as _ir
from ..ir import Type, as_number, raw

_BINARY = (
    "addf addi andi divf divsi divui maximumf maxnumf maxsi maxui minimumf minnumf minsi minui "
    "mulf muli ori remf remsi remui shli shrsi shrui subf subi xori ceildivsi floordivsi"
).split()
_CASTS = (
    "bitcast extf extsi extui fptosi fptoui index_cast sitofp truncf trunci uitofp"
).split()


class CmpIPredicate(enum.IntEnum):
    """How integers are compared."""

    eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge = range(10)


class CmpFPredicate(enum.IntEnum):
    """How floats are compared: o.. is false of NaN, u.. true."""

    AlwaysFalse, OEQ, OGT, OGE, OLT, OLE, ONE, ORD = range(8)
    UEQ, UGT, UGE, ULT, ULE, UNE, UNO, AlwaysTrue = range(8, 16)


def _operation(name: str, operands: list[Any], result: str, attributes: Any = None) -> Any:
    trace = _ir.require(f"arith.{name}")
    made = trace.op(f"arith.{name}", list(map(raw, operands)), [result], attributes or {})
    return as_number(made[0])


def _type_of(value: Any) -> str:
    return _ir.require("arith").type_of(raw(value))


def _binary(name: str) -> Callable[..., Any]:
    def apply(lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> Any:
        return _operation(name, [lhs, rhs], _type_of(lhs))

    apply.__name__, apply.__doc__ = name, f"Returns arith.{name} of two values of a type."
    return apply


def _cast(name: str) -> Callable[..., Any]:
    def apply(out: Type, in_: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> Any:
        return _operation(name, [in_], _ir.text_of(out))

    apply.__name__, apply.__doc__ = name, f"Returns arith.{name} of a value."
    return apply


globals().update({name: _binary(name) for name in _BINARY})
globals().update({name: _cast(name) for name in _CASTS})


def constant(result: Type, value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns a number of a type."""
    return as_number(_ir.require("a constant").constant(_ir.text_of(result), value))


def negf(operand: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> Any:
    """Returns -x of a float."""
    return _operation("negf", [operand], _type_of(operand))


def cmpi(predicate: Any, lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the i1 of a comparison of integers."""
    return _operation("cmpi", [lhs, rhs], "i1", {"predicate": f"{int(predicate)} : i64"})


def cmpf(predicate: Any, lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the i1 of a comparison of floats."""
    return _operation("cmpf", [lhs, rhs], "i1", {"predicate": f"{int(predicate)} : i64"})


def select(
    condition: Any, true_value: Any, false_value: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns one of two values of a type."""
    return _operation("select", [condition, true_value, false_value], _type_of(true_value))
