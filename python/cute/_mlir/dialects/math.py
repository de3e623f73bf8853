"""Mathematical functions of values."""

from __future__ import annotations

from typing import Any, Callable

from ..._compile import ir as _ir
from ..ir import as_number, raw


def _unary(name: str) -> Callable[..., Any]:
    def apply(operand: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> Any:
        trace = _ir.require(f"math.{name}")
        value = raw(operand)
        return as_number(trace.op(f"math.{name}", [value], [trace.type_of(value)])[0])

    apply.__name__, apply.__doc__ = name, f"Returns math.{name} of a value."
    return apply


log, log2, exp, exp2 = map(_unary, ("log", "log2", "exp", "exp2"))
sqrt, rsqrt, sin, cos, tanh = map(_unary, ("sqrt", "rsqrt", "sin", "cos", "tanh"))
absf, ceil, erf, floor, log10 = map(_unary, ("absf", "ceil", "erf", "floor", "log10"))


def fma(a: Any, b: Any, c: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> Any:
    """Returns a * b + c of floats of one type, rounded once."""
    operands = [raw(x) for x in (a, b, c)]
    trace = _ir.require("math.fma")
    return as_number(trace.op("math.fma", operands, [trace.type_of(operands[0])])[0])
