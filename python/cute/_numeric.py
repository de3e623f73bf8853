"""Numeric types: numbers that are known now, or SSA values of the program.

A number that is known folds as its type computes: integers wrap, floats are
rounded after each operation.
"""

from __future__ import annotations

import math
import operator
from typing import Any, Callable

from . import _arith, _builder, _formats
from ._errors import StaticValueError

__all__ = (
    "BFloat16 Boolean Float Float16 Float32 Float4E2M1FN Float64 Float6E2M3FN "
    "Float6E3M2FN Float8E4M3 Float8E4M3B11FNUZ Float8E4M3FN Float8E5M2 Float8E8M0FNU "
    "Int128 Int16 Int32 Int4 Int64 Int8 Integer Numeric NumericMeta TFloat32 Uint128 "
    "Uint16 Uint32 Uint4 Uint64 Uint8"
).split()


class NumericMeta(type):
    """Type of the numeric types: what is known of a type without a value."""

    width: int
    ir_name: str

    def __repr__(cls) -> str:
        return cls.__name__

    __str__ = __repr__

    @property
    def mlir_type(cls) -> Any:
        """The type in the IR under construction."""
        from . import _ir

        return _ir.type(cls.ir_name)

    @property
    def zero(cls) -> int | float:
        return 0.0 if cls.is_float else 0

    @property
    def inf(cls) -> float:
        cls._need_float("inf")
        return math.inf

    @property
    def nan(cls) -> float:
        cls._need_float("nan")
        return math.nan

    @property
    def max(cls) -> int | float:
        if cls.is_float:
            return cls.format.largest
        return (1 << (cls.width - cls.signed)) - 1

    @property
    def min(cls) -> int | float:
        if cls.is_float:
            return -cls.format.largest
        return -(1 << (cls.width - 1)) if cls.signed else 0

    def _need_float(cls, name: str) -> None:
        if not cls.is_float:
            raise AttributeError(f"{cls} has no {name}: it is no float")

    @property
    def is_integer(cls) -> bool:
        return issubclass(cls, Integer)

    @property
    def is_float(cls) -> bool:
        return issubclass(cls, Float)

    @property
    def is_boolean(cls) -> bool:
        return issubclass(cls, Boolean)

    def is_same_kind(cls, other: type) -> bool:
        """Says whether both are integers, or both are floats."""
        return cls.is_integer == other.is_integer and cls.is_float == other.is_float

    def from_python(cls, value: bool | int | float) -> Numeric:
        """Returns a Python number as Boolean, Int32, Int64 or Float32."""
        return as_numeric(value)

    def from_mlir_type(cls, type: Any) -> NumericMeta:
        """Returns the numeric type of an MLIR type; integers are signed."""
        text = str(type)
        try:
            return _BY_IR_NAME[text]
        except KeyError:
            raise TypeError(f"no numeric type for the IR's {text}") from None


class Numeric(metaclass=NumericMeta):
    """A number of a type, static (a Python number) or dynamic (an SSA value)."""

    __slots__ = ("value",)
    width = 0
    ir_name = ""
    signed = False

    def __init__(self, value: Any, *, loc: Any = None, ip: Any = None):
        cls = type(self)
        if not cls.width:
            raise TypeError(f"{cls} is abstract: choose a type with a width")
        if isinstance(value, Numeric):
            value = _converted(value, cls)
        elif isinstance(value, (bool, int, float)):
            value = cls._fold(value)
        elif hasattr(value, "__index__") or hasattr(value, "__float__"):
            value = cls._fold(value.item() if hasattr(value, "item") else value)
        else:
            value = _adopted(value, cls)
        object.__setattr__(self, "value", value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self)} is immutable")

    @property
    def dtype(self) -> NumericMeta:
        return type(self)

    @property
    def is_static(self) -> bool:
        """Says whether the number is known now."""
        return isinstance(self.value, (bool, int, float))

    def ir_value(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the number as an SSA value."""
        if self.is_static:
            return _arith.constant(self.value, type(self))
        return self.value

    def to(self, dtype: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the number converted to a numeric type, or int, float, bool."""
        if isinstance(dtype, NumericMeta):
            return self if dtype is type(self) else dtype(self)
        if dtype in (int, float, bool):
            return dtype(self._known(dtype.__name__))
        raise TypeError(f"a number is converted to a numeric type, not {dtype!r}")

    def __extract_mlir_values__(self) -> list[Any]:
        return [self.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> Numeric:
        return type(self)(values[0])

    def _known(self, what: str) -> bool | int | float:
        if self.is_static:
            return self.value
        raise StaticValueError(
            f"{what} needs a number that is known when the program is compiled, "
            f"but this {type(self)} is dynamic; {_ADVICE.get(what, 'pass it as Constexpr')}"
        )

    def __bool__(self) -> bool:
        return bool(self._known("bool"))

    def __int__(self) -> int:
        return int(self._known("int"))

    def __float__(self) -> float:
        return float(self._known("float"))

    def __hash__(self) -> int:
        return hash(self.value) if self.is_static else id(self)

    def __str__(self) -> str:
        if self.is_static and _builder.current() is None:
            return str(self.value)
        return "?"

    __repr__ = __str__

    def __neg__(self) -> Numeric:
        number = _arithmetic(self)
        if number.is_static:
            return type(number)(-number.value)
        if number.dtype.is_float:
            value = _arith.unary("arith.negf", number.value, number.dtype)
            return type(number)(value)
        return type(number)(0) - number

    def __pos__(self) -> Numeric:
        return _arithmetic(self)

    def __abs__(self) -> Numeric:
        number = _arithmetic(self)
        if number.is_static:
            return type(number)(abs(number.value))
        if not number.dtype.signed:
            return number
        name = "math.absf" if number.dtype.is_float else "math.absi"
        return type(number)(_arith.unary(name, number.value, number.dtype))


_ADVICE = {
    "bool": "write the condition in an if, while, and, or, not of a function "
    "under @cute.jit or @cute.kernel",
    "index": "pass it as Constexpr, or write cutlass.range_constexpr for the loop",
}


class Integer(Numeric):
    """Base of the integer types."""

    __slots__ = ()
    signed = True

    @classmethod
    def _fold(cls, value: bool | int | float) -> int:
        if isinstance(value, float):
            value = _truncated(value, cls)
        return _formats.wrap_int(int(value), cls.width, cls.signed)

    def __index__(self) -> int:
        return int(self._known("index"))

    def __invert__(self) -> Numeric:
        return self ^ type(self)(-1)


class Float(Numeric):
    """Base of the floating point types."""

    __slots__ = ()
    signed = True
    format: _formats.FloatFormat

    @classmethod
    def _fold(cls, value: bool | int | float) -> float:
        return _formats.round_float(value, cls.format)


class Boolean(Integer):
    """One bit."""

    __slots__ = ()
    width = 1
    ir_name = "i1"
    signed = False

    @classmethod
    def _fold(cls, value: bool | int | float) -> bool:
        return bool(value)

    def __invert__(self) -> Numeric:
        return self ^ Boolean(True)


def _truncated(value: float, cls: NumericMeta) -> int:
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return cls.max if value > 0 else cls.min
    return max(cls.min, min(cls.max, int(value)))


def _converted(number: Numeric, cls: NumericMeta) -> Any:
    if number.is_static:
        return cls._fold(number.value)
    return _arith.convert(number.value, type(number), cls)


def _adopted(value: Any, cls: NumericMeta) -> Any:
    """Takes an SSA value, converted where its type is another one."""
    if hasattr(value, "ir_value"):
        value = value.ir_value()
    builder = _builder.current()
    if builder is None:
        raise TypeError(f"{cls} is made of a number, not of {value!r}")
    text = builder.type_of(value)
    if text == cls.ir_name:
        return value
    if text == "index":
        name = f"i{cls.width}"
        return builder.op("arith.index_cast", [value], [name])[0]
    return _arith.convert(value, Numeric.from_mlir_type(text), cls)


def _integer(name: str, width: int, signed: bool) -> NumericMeta:
    body = {
        "__slots__": (),
        "__doc__": f"Integer of {width} bits{'' if signed else ', unsigned'}.",
        "__module__": "cute",
        "width": width,
        "ir_name": f"i{width}",
        "signed": signed,
    }
    return NumericMeta(name, (Integer,), body)


def _float(name: str, width: int, ir_name: str, format: Any) -> NumericMeta:
    body = {
        "__slots__": (),
        "__doc__": f"Floating point number of {width} bits, {ir_name} in the IR.",
        "__module__": "cute",
        "width": width,
        "ir_name": ir_name,
        "format": format,
    }
    return NumericMeta(name, (Float,), body)


Int4 = _integer("Int4", 4, True)
Int8 = _integer("Int8", 8, True)
Int16 = _integer("Int16", 16, True)
Int32 = _integer("Int32", 32, True)
Int64 = _integer("Int64", 64, True)
Int128 = _integer("Int128", 128, True)
Uint4 = _integer("Uint4", 4, False)
Uint8 = _integer("Uint8", 8, False)
Uint16 = _integer("Uint16", 16, False)
Uint32 = _integer("Uint32", 32, False)
Uint64 = _integer("Uint64", 64, False)
Uint128 = _integer("Uint128", 128, False)
Float64 = _float("Float64", 64, "f64", _formats.F64)
Float32 = _float("Float32", 32, "f32", _formats.F32)
TFloat32 = _float("TFloat32", 32, "tf32", _formats.TF32)
Float16 = _float("Float16", 16, "f16", _formats.F16)
BFloat16 = _float("BFloat16", 16, "bf16", _formats.BF16)
Float8E5M2 = _float("Float8E5M2", 8, "f8E5M2", _formats.F8E5M2)
Float8E4M3 = _float("Float8E4M3", 8, "f8E4M3", _formats.F8E4M3)
Float8E4M3FN = _float("Float8E4M3FN", 8, "f8E4M3FN", _formats.F8E4M3FN)
Float8E4M3B11FNUZ = _float(
    "Float8E4M3B11FNUZ", 8, "f8E4M3B11FNUZ", _formats.F8E4M3B11FNUZ
)
Float8E8M0FNU = _float("Float8E8M0FNU", 8, "f8E8M0FNU", _formats.F8E8M0FNU)
Float6E3M2FN = _float("Float6E3M2FN", 6, "f6E3M2FN", _formats.F6E3M2FN)
Float6E2M3FN = _float("Float6E2M3FN", 6, "f6E2M3FN", _formats.F6E2M3FN)
Float4E2M1FN = _float("Float4E2M1FN", 4, "f4E2M1FN", _formats.F4E2M1FN)

ALL_TYPES = (
    (Boolean, Int4, Int8, Int16, Int32, Int64, Int128)
    + (Uint4, Uint8, Uint16, Uint32, Uint64, Uint128)
    + (Float64, Float32, TFloat32, Float16, BFloat16)
    + (Float8E5M2, Float8E4M3, Float8E4M3FN, Float8E4M3B11FNUZ, Float8E8M0FNU)
    + (Float6E3M2FN, Float6E2M3FN, Float4E2M1FN)
)
__all__ = ["Numeric", "Integer", "Float", "as_numeric", *map(str, ALL_TYPES)]
_BY_IR_NAME = {t.ir_name: t for t in reversed(ALL_TYPES)}
_BY_IR_NAME.update((t.ir_name, t) for t in (Boolean, Int8, Int16, Int32, Int64))


def as_numeric(value: Any) -> Numeric:
    """Returns a Python number or a numeric value as a numeric value.

    bool becomes Boolean, float Float32, int Int32, or Int64 where 32 bits are
    too few. Anything else is a TypeError.
    """
    if isinstance(value, Numeric):
        return value
    if isinstance(value, bool):
        return Boolean(value)
    if isinstance(value, int):
        if -(2**31) <= value < 2**31:
            return Int32(value)
        return Int64(value) if -(2**63) <= value < 2**63 else Int128(value)
    if isinstance(value, float):
        return Float32(value)
    raise TypeError(f"{value!r} is no number")


def _arithmetic(number: Numeric) -> Numeric:
    return Int32(number) if isinstance(number, Boolean) else number


def promote(a: NumericMeta, b: NumericMeta) -> NumericMeta:
    """Returns the type in which operands of types ``a`` and ``b`` meet.

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


_BITWISE = ("and", "or", "xor")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_SHIFTS = ("lshift", "rshift")


def operand_type(name: str, a: NumericMeta, b: NumericMeta) -> NumericMeta:
    """Returns the type to which ``a name b`` converts both operands."""
    dtype = promote(a, b)
    if name in _SHIFTS:
        dtype = a
    if name in _BITWISE + _SHIFTS and dtype.is_float:
        raise TypeError(f"'{name}' takes integers, not {a} and {b}")
    if dtype is Boolean and name not in _BITWISE + _COMPARISONS:
        dtype = Int32
    if name == "truediv" and not dtype.is_float:
        dtype = Float64 if dtype.width >= 64 else Float32
    return dtype


def apply(name: str, left: Any, right: Any) -> Any:
    """Computes ``left name right``, NotImplemented if one is no number."""
    try:
        a, b = as_numeric(left), as_numeric(right)
    except TypeError:
        return NotImplemented
    if name == "pow":
        return _power(a, b)
    dtype = operand_type(name, type(a), type(b))
    a, b = a.to(dtype), b.to(dtype)
    result = Boolean if name in _COMPARISONS else dtype
    if a.is_static and b.is_static:
        return result(_FOLDS[name](a.value, b.value, dtype))
    if name in _COMPARISONS:
        return Boolean(_arith.compare(name, a.ir_value(), b.ir_value(), dtype))
    if b.is_static and _is_power_of_two(b.value) and dtype.is_integer:
        special = _by_power_of_two(name, a, b.value)
        if special is not None:
            return special
    return result(_arith.binary(name, a.ir_value(), b.ir_value(), dtype))


def _is_power_of_two(n: int | float) -> bool:
    return isinstance(n, int) and n > 0 and n & (n - 1) == 0


def _by_power_of_two(name: str, a: Numeric, n: int) -> Numeric | None:
    """Divides with the rounding of Python by a shift, or by a mask."""
    if name == "floordiv":
        return a >> (n.bit_length() - 1)
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
        if not 0 <= b < dtype.width:
            raise ValueError(f"a shift of {dtype} by {b}")
        return function(a, b)

    return fold


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
        name, exponent = "math.ipowi", b.to(dtype)
    else:
        name, exponent = "math.powf", b.to(dtype)
    builder = _builder.require("**")
    operands = [a.to(dtype).ir_value(), exponent.ir_value()]
    return dtype(builder.op(name, operands, [dtype.ir_name])[0])


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


def _forward(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(name, self, other)

    return method


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(name, other, self)

    return method


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
        raise TypeError(f"{name} of {a!r} and {b!r}, which are no numbers")
    return result
