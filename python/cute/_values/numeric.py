"""Numeric types: numbers that are known now, or SSA values of the program.

A number that is known folds as its type computes: integers wrap, floats are
rounded after each operation.
"""

from __future__ import annotations

import itertools
import math
import operator
import os
import sys
from typing import Any

from . import arith as _arith, formats as _formats
from .._frontend import CONTROL, builder as _builder
from .._frontend.errors import StaticValueError
from .numeric_facts import TypeFacts

__all__ = (
    "BFloat16 Boolean Float Float16 Float32 Float4E2M1FN Float64 Float6E2M3FN "
    "Float6E3M2FN Float8E4M3 Float8E4M3B11FNUZ Float8E4M3FN Float8E5M2 Float8E8M0FNU "
    "Int128 Int16 Int32 Int4 Int64 Int8 Integer Numeric NumericMeta TFloat32 Uint128 "
    "Uint16 Uint32 Uint4 Uint64 Uint8"
).split()


class NumericMeta(TypeFacts):
    """Type of the numeric types: what is known of a type without a value."""

    width: int
    ir_name: str

    def __new__(
        mcs, name: str, bases: Any, body: Any, *, width: int = 0, mlir_type: Any = None
    ) -> Any:
        """Makes a numeric type, of a user's class from its bits and its type in the IR."""
        if width:
            body = {**body, "width": width, "ir_name": str(mlir_type())}
        return super().__new__(mcs, name, bases, body)

    def __init__(cls, *args: Any, **options: Any):
        super().__init__(*args)

    @property
    def element_name(cls) -> str:
        """The dialect's element type of tensors; values have type ``ir_name``."""
        return vars(cls).get("element_name", cls.ir_name)

    def __repr__(cls) -> str:
        return cls.__name__

    __str__ = __repr__

    @property
    def mlir_type(cls) -> Any:
        """The type in the IR under construction."""
        from .._compile import ir as _ir

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
            raise AttributeError(f"{cls} has no {name}: it is not a float")

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
        """Returns whether both are integers, or both are floats."""
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
    """A number of a type, static (a Python number) or dynamic (an SSA value).

    >>> Int32(7) // 2, Float32(1.5) * 2, Int8.width
    (3, 3.0, 8)
    """

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
        """Returns whether the number is known now."""
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

    def bitcast(self, dtype: NumericMeta, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the number of another type with the same bits.

        :raises TypeError: where the types have not as many bits
        """
        if not isinstance(dtype, NumericMeta) or dtype.width != self.width:
            raise TypeError(f"the bits of {type(self)} are not a {dtype}")
        if dtype.ir_name == self.ir_name:
            return dtype(self.ir_value())
        builder = _builder.require("a cast of bits")
        return dtype(builder.op("arith.bitcast", [self.ir_value()], [dtype.ir_name])[0])

    def __extract_mlir_values__(self) -> list[Any]:
        return [self.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> Numeric:
        return type(self)(values[0])

    def __get_mlir_types__(self) -> list[Any]:
        """Returns the type of what is passed of the number."""
        return [type(self).mlir_type]

    def __c_pointers__(self) -> list[Any]:
        """Returns memory that holds the number, for classes that pass it."""
        import ctypes

        from .._compile.arguments import Scalar

        cells: list[Any] = []
        Scalar(type(self)).pack(self._known("an argument"), cells, [])
        return [ctypes.create_string_buffer(cells[0], len(cells[0]))]

    def _known(self, what: str) -> bool | int | float:
        if self.is_static:
            return self.value
        raise StaticValueError(
            f"{what} needs a number that is known when the program is compiled, "
            f"but this {type(self)} is dynamic; {_ADVICE.get(what, 'pass it as Constexpr')}"
        )

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Lets numpy's numbers meet ours in operators; its functions are an error."""
        apply = _UFUNCS.get(function.__name__)
        if apply is None or method != "__call__" or options:
            raise TypeError(
                f"np.{function.__name__} computes with arrays of the host; write "
                f"cute.math.{function.__name__} for {type(self)}, if that is there"
            )
        return apply(*(x.item() if hasattr(x, "item") else x for x in inputs))

    def __bool__(self) -> bool:
        if not self.is_static:
            _check_rewritten(sys._getframe(1))
        return bool(self._known("bool"))

    def __int__(self) -> int:
        return int(self._known("int"))

    def __float__(self) -> float:
        return float(self._known("float"))

    def __hash__(self) -> int:
        return hash(self._known("hash"))

    def __str__(self) -> str:
        if self.is_static and _builder.current() is None:
            return str(self.value)
        return "?"

    __repr__ = __str__
    def __format__(self, text: str) -> str:
        """Formats a known number; one with a format that is known at run time is an error."""
        if not text:
            return str(self)
        if not self.is_static:
            raise StaticValueError(
                f"'{{:{text}}}' formats a number now, but this {type(self)} is known only when the "
                "program runs: write cute.printf"
            )
        return format(self.value, text)


def _check_rewritten(frame: Any) -> None:
    """Raises where a condition of a helper, which Python runs, is known at run time only."""
    code = frame.f_code
    names = code.co_freevars + code.co_cellvars
    if CONTROL in names or code.co_name.startswith("<") or code.co_filename.startswith(_PACKAGE):
        return
    raise StaticValueError(
        f"Python decides this in {code.co_name}, but the value is known only when the program "
        f"runs: put @cute.jit above def {code.co_name}, which makes it part of the program",
        (code.co_filename, frame.f_lineno, _column(frame)),
    )


def _column(frame: Any) -> int:
    """Returns the column, from 0, of what a frame does; 0 before Python 3.11."""
    positions = getattr(frame.f_code, "co_positions", None)
    return next(itertools.islice(positions(), frame.f_lasti // 2, None))[2] or 0 if positions else 0


_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_ADVICE = {
    "hash": "in place of a dict, a set or a cache choose by if and elif, or use a tensor",
    "bool": "write the condition in an if, while, and, or, not of a function "
    "under @cute.jit or @cute.kernel: there they are part of the program, where match, sorted, "
    "filter and the if of a comprehension are Python's",
    "index": "pass it as Constexpr, write cutlass.range_constexpr for the loop, or keep the "
    "items in a tensor (cute.make_rmem_tensor)",
    "float": "write cute.math.exp(x) for math.exp(x), x.to(cutlass.Float32) for float(x)",
    "int": "write x.to(cutlass.Int32) for int(x), or pass it as Constexpr",
}

_UFUNCS = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "divide": operator.truediv, "true_divide": operator.truediv,
    "floor_divide": operator.floordiv, "remainder": operator.mod, "power": operator.pow,
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt,
    "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
    "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor,
    "left_shift": operator.lshift, "right_shift": operator.rshift,
}  # fmt: skip


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
    made = _arith.convert(number.value, type(number), cls)
    known = getattr(_builder.current(), "positive", ())
    if number.value in known and cls.is_integer and cls.width >= number.width:
        known.add(made)
    return made


def _adopted(value: Any, cls: NumericMeta) -> Any:
    """Takes an SSA value, converted where its type is another one."""
    given, builder = value, _builder.current()
    value = value.ir_value() if hasattr(value, "ir_value") else value
    if builder is None or value is None or isinstance(value, (str, bytes, tuple, list, dict)):
        raise TypeError(f"{cls} is made of a number, not of {value!r}")
    try:
        text = builder.type_of(value)
    except AttributeError:
        raise TypeError(f"{cls} is made of a number, not of {given}") from None
    if text.startswith(("!", "vector")):
        advice = "write load()" if hasattr(given, "load") else "index it"
        raise TypeError(f"{cls} is made of a number, not of {given}: {advice}")
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
    if width < 4:  # which only tensors have
        body["element_name"] = f"ui{width}"
    return NumericMeta(name, (Integer,), body)


def _float(name: str, ir_name: str) -> NumericMeta:
    width, format = _formats.FORMATS[ir_name]
    body = {
        "__slots__": (),
        "__doc__": f"Floating point number of {width} bits, {ir_name} in the IR.",
        "__module__": "cute",
        "width": width,
        "ir_name": ir_name,
        "format": format,
    }
    if ir_name == "tf32":  # a value is an f32 with fewer digits
        body |= {"ir_name": "f32", "element_name": "tf32"}
    return NumericMeta(name, (Float,), body)


Int4 = _integer("Int4", 4, True)
Int8 = _integer("Int8", 8, True)
Int16 = _integer("Int16", 16, True)
Int32 = _integer("Int32", 32, True)
Int64 = _integer("Int64", 64, True)
Int128 = _integer("Int128", 128, True)
Uint2 = _integer("Uint2", 2, False)
Uint4 = _integer("Uint4", 4, False)
Uint8 = _integer("Uint8", 8, False)
Uint16 = _integer("Uint16", 16, False)
Uint32 = _integer("Uint32", 32, False)
Uint64 = _integer("Uint64", 64, False)
Uint128 = _integer("Uint128", 128, False)
Float64 = _float("Float64", "f64")
Float32 = _float("Float32", "f32")
TFloat32 = _float("TFloat32", "tf32")
Float16 = _float("Float16", "f16")
BFloat16 = _float("BFloat16", "bf16")
Float8E5M2 = _float("Float8E5M2", "f8E5M2")
Float8E4M3 = _float("Float8E4M3", "f8E4M3")
Float8E4M3FN = _float("Float8E4M3FN", "f8E4M3FN")
Float8E4M3B11FNUZ = _float("Float8E4M3B11FNUZ", "f8E4M3B11FNUZ")
FloatNV8E5M3FNU = _float("FloatNV8E5M3FNU", "f8E5M3FNU")
Float8E8M0FNU = _float("Float8E8M0FNU", "f8E8M0FNU")
Float6E3M2FN = _float("Float6E3M2FN", "f6E3M2FN")
Float6E2M3FN = _float("Float6E2M3FN", "f6E2M3FN")
Float4E2M1FN = _float("Float4E2M1FN", "f4E2M1FN")


def _packed(element: NumericMeta, count: int) -> NumericMeta:
    """Returns the type of small floats that share bytes, for tensors that are only copied."""
    name = f"{element}x{count}"
    body = {
        "__slots__": (), "__module__": "cute", "width": element.width * count, "signed": True,
        "ir_name": f"i{element.width * count}", "format": element.format,
        "__doc__": f"{count} numbers of type {element} in {element.width * count // 8} bytes.",
    }
    return NumericMeta(name, (Float,), body)


Float4E2M1FNx2 = _packed(Float4E2M1FN, 2)
Float6E2M3FNx4 = _packed(Float6E2M3FN, 4)
Float6E3M2FNx4 = _packed(Float6E3M2FN, 4)

ALL_TYPES = (
    (Boolean, Int4, Int8, Int16, Int32, Int64, Int128)
    + (Uint4, Uint8, Uint16, Uint32, Uint64, Uint128)
    + (Float64, Float32, TFloat32, Float16, BFloat16)
    + (Float8E5M2, Float8E4M3, Float8E4M3FN, Float8E4M3B11FNUZ, FloatNV8E5M3FNU, Float8E8M0FNU)
    + (Float6E3M2FN, Float6E2M3FN, Float4E2M1FN)
)
PACKED_TYPES = (Float4E2M1FNx2, Float6E2M3FNx4, Float6E3M2FNx4)
__all__ = ["Numeric", "Integer", "Float", "as_numeric", *map(str, ALL_TYPES + PACKED_TYPES)]
_BY_IR_NAME = {name: t for t in reversed(ALL_TYPES) for name in (t.element_name, t.ir_name)}
_BY_IR_NAME.update((t.ir_name, t) for t in (Boolean, Int8, Int16, Int32, Int64))
_BY_IR_NAME["ui2"] = Uint2


def as_numeric(obj: Any) -> Numeric:
    """Returns a Python number or a numeric value as a numeric value.

    bool becomes Boolean, float Float32, int Int32, or Int64 if 32 bits are too few.
    Anything else raises a TypeError.

    >>> as_numeric(3), as_numeric(2.5)
    (3, 2.5)
    """
    if isinstance(obj, Numeric):
        return obj
    if isinstance(obj, bool):
        return Boolean(obj)
    if isinstance(obj, int):
        if -(2**31) <= obj < 2**31:
            return Int32(obj)
        if not -(2**127) <= obj < 2**127:
            raise OverflowError(f"{obj} does not fit into Int128")
        return Int64(obj) if -(2**63) <= obj < 2**63 else Int128(obj)
    if isinstance(obj, float):
        return Float32(obj)
    advice = ": write load(), or index it" if hasattr(obj, "load") else ""
    raise TypeError(f"{obj} is not a number{advice}")


from .operators import as_element, maximum, minimum, operand_type, promote  # noqa: E402, F401
