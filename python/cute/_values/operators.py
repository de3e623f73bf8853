"""Operators of numeric types: promotion, folding, and what dynamic ones write."""

from __future__ import annotations

import math
import operator
from typing import Any, Callable

from . import arith as _arith
from .._frontend import builder as _builder
from .numeric import (BFloat16, Boolean, Float16, Float32, Float64, Int32, Numeric, NumericMeta,
                      as_numeric)


def _arithmetic(number: Numeric) -> Numeric:
    return Int32(number) if isinstance(number, Boolean) else number


def _negative(operand: Numeric) -> Numeric:
    number = _arithmetic(operand)
    if number.is_static:
        return type(number)(-number.value)
    if number.dtype.is_float:
        value = _arith.unary("arith.negf", number.value, number.dtype)
        return type(number)(value)
    return type(number)(0) - number


def _positive(operand: Numeric) -> Numeric:
    return _arithmetic(operand)


def _absolute(operand: Numeric) -> Numeric:
    number = _arithmetic(operand)
    if number.is_static:
        return type(number)(abs(number.value))
    if not number.dtype.signed:
        return number
    name = "math.absf" if number.dtype.is_float else "math.absi"
    return type(number)(_arith.unary(name, number.value, number.dtype))


def promote(a: NumericMeta, b: NumericMeta) -> NumericMeta:
    """Returns the type in which values of types ``a`` and ``b`` of two branches meet.

    A float wins over an integer, the wider type over the narrower, unsigned
    over signed of one width; two floats of one width meet in Float32.
    """
    if a is b:
        return a
    if a.is_float != b.is_float:
        return a if a.is_float else b
    if a.width != b.width:
        return a if a.width > b.width else b
    if a.is_float:
        return Float32
    return a if not a.signed else b


def _meeting(a: NumericMeta, b: NumericMeta) -> NumericMeta:
    """Returns the type in which the operands of arithmetic meet, as the reference has it.

    That of ``promote``, but that an integer and a narrower float meet in the float of the
    integer's width (Float16 and Int32 in Float32), and Float16 and BFloat16 in Float16.
    """
    dtype = promote(a, b)
    other = b if dtype is a else a
    if dtype.is_float and other.is_integer and other.width >= max(dtype.width, 16):
        return _FLOATS[other.width]
    return Float16 if {a, b} == {Float16, BFloat16} else dtype


def as_element(value: Any, dtype: NumericMeta) -> Numeric:
    """Returns a number of a type; a Python integer has to fit into its bits."""
    if type(value) is int and dtype.is_integer and dtype.width > 1:
        if not -(1 << dtype.width - 1) <= value < 1 << dtype.width:
            raise OverflowError(f"{value} does not fit into {dtype}")
    return dtype(value)


_FLOATS = {16: Float16, 32: Float32, 64: Float64}
_BITWISE = ("and", "or", "xor")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_SHIFTS = ("lshift", "rshift")
_DIVISIONS = ("floordiv", "mod")


def operand_type(name: str, a: NumericMeta, b: NumericMeta) -> NumericMeta:
    """Returns the type to which ``a name b`` converts both operands."""
    dtype = _meeting(a, b)
    if name in _BITWISE + _SHIFTS and dtype.is_float:
        raise TypeError(f"'{name}' takes integers, not {a} and {b}")
    if dtype is Boolean and name not in _BITWISE + _COMPARISONS:
        dtype = Int32
    if name == "truediv" and not dtype.is_float:
        dtype = Float32
    return dtype


def apply(name: str, left: Any, right: Any) -> Any:
    """Computes ``left name right``, NotImplemented if one is not a number."""
    try:
        a, b = as_numeric(left), as_numeric(right)
    except TypeError:
        return NotImplemented
    if name == "pow":
        return _power(a, b)
    dtype = operand_type(name, type(a), type(b))
    if name in _SHIFTS and not (a.is_static and b.is_static):
        return _shift(name, a.to(dtype), b)
    a, b = a.to(dtype), b.to(dtype)
    result = Boolean if name in _COMPARISONS else dtype
    if name in _DIVISIONS and dtype.is_integer and b.is_static and b.value == 0:
        if not getattr(_builder.current(), "is_in_branch", False):
            raise ZeroDivisionError(f"integer {name} by zero")
        return result(_arith.binary(name, a.ir_value(), b.ir_value(), dtype))
    if a.is_static and b.is_static:
        return result(_FOLDS[name](a.value, b.value, dtype))
    if name in _COMPARISONS:
        return Boolean(_arith.compare(name, a.ir_value(), b.ir_value(), dtype))
    if b.is_static and _is_power_of_two(b.value) and dtype.is_integer:
        special = _by_power_of_two(name, a, b.value)
        if special is not None:
            return special
    made = result(_arith.binary(name, a.ir_value(), b.ir_value(), dtype))
    if name in ("add", "mul") and is_positive(a) and is_positive(b):
        note_positive(made)
    if name in _FACTORS and dtype.is_integer:
        _note_factor(made, _FACTORS[name](_factor(a), _factor(b)))
    return made


def _shift(name: str, a: Numeric, b: Numeric) -> Numeric:
    dtype, by = type(a), type(b)
    if by is Boolean:
        b, by = b.to(dtype), dtype
    if b.is_static:
        _check_shift(b.value, dtype)
        made = dtype(_arith.binary(name, a.ir_value(), b.to(dtype).ir_value(), dtype))
        if name == "lshift":
            _note_factor(made, _factor(a) << b.value)
        return made
    return dtype(_arith.shift(name, a.ir_value(), b.ir_value(), dtype, by=by))


def _divmod(a: Numeric, b: Any) -> Any:
    quotient = apply("floordiv", a, b)
    return quotient if quotient is NotImplemented else (quotient, apply("mod", a, b))


def note_positive(number: Numeric) -> None:
    """Notes that a dynamic integer is 1 or more where it does not wrap."""
    known = getattr(_builder.current(), "positive", None)
    if known is not None:
        known.add(number.value)


def is_positive(number: Any) -> bool:
    """Returns whether an integer is known to be 1 or more."""
    value = getattr(number, "value", number)
    if isinstance(value, (bool, int, float)):
        return value > 0
    return value in getattr(_builder.current(), "positive", ())


_MOST = 1 << 20  # of the powers of two that are followed
_FACTORS: dict[str, Callable[[int, int], int]] = {
    "add": min, "sub": min, "or": min, "xor": min, "and": max, "mul": operator.mul}


def _factor(number: Numeric) -> int:
    """Returns a power of two that divides an integer, also where it has wrapped."""
    value = number.value
    if number.is_static:
        return min(value & -value, _MOST) if value else _MOST
    return getattr(_builder.current(), "factors", {}).get(value, 1)


def _note_factor(number: Numeric, factor: int) -> None:
    if factor > 1 and (known := getattr(_builder.current(), "factors", None)) is not None:
        known[number.value] = min(factor, _MOST)


def _is_power_of_two(n: int | float) -> bool:
    return isinstance(n, int) and n > 0 and n & (n - 1) == 0


def _by_power_of_two(name: str, a: Numeric, n: int) -> Numeric | None:
    """Divides with the rounding of Python by a shift, or by a mask."""
    if name == "floordiv":
        return a >> type(a)(n.bit_length() - 1)
    if name == "mod":
        return a & type(a)(n - 1)
    return None


def _fold_divide(a: float, b: float, dtype: NumericMeta) -> float:
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _fold_floor(a: Any, b: Any, dtype: NumericMeta) -> Any:
    if not dtype.is_float:
        return a // b
    quotient = dtype._fold(_fold_divide(a, b, dtype))
    return float(math.floor(quotient)) if math.isfinite(quotient) else quotient


def _fold_modulo(a: Any, b: Any, dtype: NumericMeta) -> Any:
    if dtype.is_float and (b == 0 or math.isinf(a)):
        return math.nan
    return a % b


def _fold_shift(function: Callable[..., int]) -> Callable[..., int]:
    def fold(a: int, b: int, dtype: NumericMeta) -> int:
        _check_shift(b, dtype)
        return function(a, b)

    return fold


def _check_shift(count: int, dtype: NumericMeta) -> None:
    if not 0 <= count < dtype.width:
        raise ValueError(f"a shift of {dtype} by {count}: it must be from 0 to {dtype.width - 1}")


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda a, b, dtype: function(a, b)


_FOLDS: dict[str, Callable[..., Any]] = {
    "add": _plain(operator.add),
    "sub": _plain(operator.sub),
    "mul": _plain(operator.mul),
    "truediv": _fold_divide,
    "floordiv": _fold_floor,
    "mod": _fold_modulo,
    "and": _plain(operator.and_),
    "or": _plain(operator.or_),
    "xor": _plain(operator.xor),
    "lshift": _fold_shift(operator.lshift),
    "rshift": _fold_shift(operator.rshift),
    "min": _plain(min),
    "max": _plain(max),
    **{name: _plain(getattr(operator, name)) for name in _COMPARISONS},
}


def _power(a: Numeric, b: Numeric) -> Numeric:
    dtype = operand_type("mul", type(a), type(b))
    if dtype.is_integer and b.is_static and b.value < 0:
        dtype = Float32
    if a.is_static and b.is_static:
        return dtype(_fold_power(dtype(a).value, b.value, dtype))
    if b.is_static and b.value == int(b.value) and 0 <= b.value <= 64:
        return _power_by_squaring(a.to(dtype), int(b.value))
    if dtype.is_integer:
        return _power_by_bits(a.to(dtype), b)
    builder = _builder.require("**")
    operands = [a.to(dtype).ir_value(), b.to(dtype).ir_value()]
    return dtype(builder.op("math.powf", operands, [dtype.ir_name])[0])


def _fold_power(a: Any, b: Any, dtype: NumericMeta) -> Any:
    if dtype.is_integer:
        return pow(a, b, 1 << (dtype.width + 1))
    try:
        power = a**b
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return math.inf
    return power if isinstance(power, float) else math.nan


def _power_by_squaring(a: Numeric, n: int) -> Numeric:
    result = type(a)(1)
    while n:
        if n & 1:
            result = a if result.is_static else result * a
        n >>= 1
        a = a * a if n else a
    return result


def _power_by_bits(a: Numeric, n: Numeric) -> Numeric:
    """Computes a power of integers, bit by bit of an exponent that is not known.

    The program asserts that the exponent is not negative: the power is a fraction there.
    """
    builder, dtype = _builder.require("**"), type(n)
    if dtype.signed and dtype.width > 1:
        message = '"a negative power of an integer is a fraction: convert it to Float32"'
        builder.op("cf.assert", [(n >= 0).ir_value()], [], {"msg": message})
    result = type(a)(1)
    for bit in range(dtype.width - (dtype.signed and dtype.width > 1)):
        is_set = (n >> bit if dtype.width > 1 else n) & 1 != 0
        more = _arith.select(is_set.ir_value(), (result * a).ir_value(), result.ir_value(), type(a))
        result, a = type(a)(more), a * a
    return result


def _forward(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(name, self, other)

    return method


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(name, other, self)

    return method


Numeric.__divmod__ = _divmod  # type: ignore[attr-defined]
Numeric.__rdivmod__ = lambda self, other: _divmod(as_numeric(other), self)  # type: ignore
Numeric.__neg__ = _negative  # type: ignore[attr-defined]
Numeric.__pos__ = _positive  # type: ignore[attr-defined]
Numeric.__abs__ = _absolute  # type: ignore[attr-defined]
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
for _name in _OPERATORS + _BITWISE + _SHIFTS:
    setattr(Numeric, f"__{_name}__", _forward(_name))
    setattr(Numeric, f"__r{_name}__", _reflected(_name))
for _name in _COMPARISONS:
    setattr(Numeric, f"__{_name}__", _forward(_name))
del _name


def minimum(a: Any, b: Any) -> Any:
    """Returns the smaller of two numbers; of Python numbers, a Python number."""
    return _extremum("min", min, a, b)


def maximum(a: Any, b: Any) -> Any:
    """Returns the larger of two numbers; of Python numbers, a Python number."""
    return _extremum("max", max, a, b)


def _extremum(name: str, plain: Callable[..., Any], a: Any, b: Any) -> Any:
    if not isinstance(a, Numeric) and not isinstance(b, Numeric):
        return plain(a, b)
    result = apply(name, a, b)
    if result is NotImplemented:
        raise TypeError(f"{name} of {a!r} and {b!r}, which are not numbers")
    return result
