"""Functions of numbers that are instructions of the device."""

from __future__ import annotations

from typing import Any, Callable

from .. import _arith
from .. import math as _math
from .._numeric import (
    Float32,
    Int32,
    Int64,
    Integer,
    Uint32,
    as_numeric,
    maximum,
    minimum,
    operand_type,
)
from ._ops import i32, op, register

__all__ = [
    "add_packed_f32x2",
    "clock",
    "clz",
    "exp",
    "exp2",
    "fma_packed_f32x2",
    "fmax",
    "fmin",
    "globaltimer",
    "log",
    "log2",
    "mul_packed_f32x2",
    "popc",
    "prmt",
    "rcp_approx",
    "sub_packed_f32x2",
]


def _of_floats(name: str, plain: Callable[..., Any], what: str) -> Callable[..., Any]:
    def function(
        a: Any, b: Any, c: Any = None, *, loc: Any = None, ip: Any = None
    ) -> Any:
        if c is not None:
            return function(function(a, b), c)
        x, y = as_numeric(a), as_numeric(b)
        dtype = operand_type("add", type(x), type(y))
        if not dtype.is_float:
            return plain(x, y)
        x, y = x.to(dtype), y.to(dtype)
        if x.is_static and y.is_static:
            return y if x.value != x.value else x if y.value != y.value else plain(x, y)
        operands = [x.ir_value(), y.ir_value()]
        return dtype(op(f"arith.{name}", operands, [dtype.ir_name])[0])

    function.__doc__ = f"Returns the {what} of two or three numbers; NaN loses."
    return function


fmax = _of_floats("maxnumf", maximum, "largest")
fmin = _of_floats("minnumf", minimum, "smallest")


def rcp_approx(a: Any, *, loc: Any = None, ip: Any = None) -> Float32:
    """Returns 1 / a within 1 ulp, 0 for what would be subnormal."""
    number = Float32(a).ir_value()
    return Float32(op("nvvm.rcp.approx.ftz.f", [number], ["f32"])[0])


def exp2(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns 2 to the power of ``a`` by the device's instruction."""
    return _math.exp2(a, fastmath=True)


def exp(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns e to the power of ``a`` by the device's instruction."""
    return _math.exp(a, fastmath=True)


def log2(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the logarithm to base 2 by the device's instruction."""
    return _math.log2(a, fastmath=True)


def log(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the natural logarithm by the device's instruction."""
    return _math.log(a, fastmath=True)


def _pairs(function: Callable[..., Any], what: str) -> Callable[..., Any]:
    def packed(
        *operands: Any,
        rnd: Any = None,
        ftz: Any = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        return tuple(function(*map(Float32, pair)) for pair in zip(*operands))

    packed.__doc__ = f"Returns {what} for both numbers of pairs of Float32."
    return packed


add_packed_f32x2 = _pairs(lambda a, b: a + b, "a + b")
sub_packed_f32x2 = _pairs(lambda a, b: a - b, "a - b")
mul_packed_f32x2 = _pairs(lambda a, b: a * b, "a * b")
fma_packed_f32x2 = _pairs(lambda a, b, c: _math.fma(a, b, c), "a * b + c")


def prmt(a: Any, b: Any, selector: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns four bytes chosen from those of ``a`` (0 to 3) and ``b`` (4 to 7)."""
    operands = [i32(a), i32(b), i32(selector)]
    mode = {"mode": "#nvvm.permute_mode<default>"}
    dtype = type(as_numeric(a)) if as_numeric(a).dtype.is_integer else Uint32
    return dtype(op("nvvm.prmt", operands, ["i32"], mode)[0])


def popc(value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of bits that are set."""
    return _bits("math.ctpop", value)


def clz(value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of leading zeros."""
    return _bits("math.ctlz", value)


def _bits(name: str, value: Any) -> Any:
    number = as_numeric(value)
    if not isinstance(number, Integer):
        raise TypeError(f"the bits of {number.dtype} are not counted")
    return Int32(type(number)(_arith.unary(name, number.ir_value(), number.dtype)))


def clock(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns a counter of cycles."""
    return Int32(register("clock"))


def globaltimer(*, loc: Any = None, ip: Any = None) -> Int64:
    """Returns the time in nanoseconds."""
    return Int64(op("nvvm.read.ptx.sreg.globaltimer", (), ["i64"])[0])
