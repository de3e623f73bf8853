"""Values and types of the IR under construction."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._compile.ir import Location, Operation  # noqa: F401


class _OfBridge(type):
    """Lets values and types of the compiler count as instances of ``Value`` and ``Type``."""

    def __instancecheck__(cls, value: Any) -> bool:
        like = {"Value": _ir.Value, "Type": _ir.Type}.get(cls.__name__, ())
        return super().__instancecheck__(value) or isinstance(value, like)


class Type(metaclass=_OfBridge):
    """Types of MLIR."""

    @staticmethod
    def parse(text: str, context: Any = None) -> _ir.Type:
        """Returns the type of a text, "vector<4xf32>"."""
        return _ir.type(text)


class Value(metaclass=_OfBridge):
    """A value that classes of programs build on."""

    def __init__(self, value: Any):
        self._value = value.ir_value() if hasattr(value, "ir_value") else value

    @property
    def type(self) -> Type:
        return self._value.type

    def ir_value(self, *, loc: Any = None, ip: Any = None) -> _ir.Value:
        """Returns the value as the compiler has it."""
        return self._value

    def __extract_mlir_values__(self) -> list[Any]:
        return [self._value]

    def __new_from_mlir_values__(self, values: list[Any]) -> Value:
        return type(self)(values[0])


class Attribute:
    """Attributes of MLIR, as their text."""

    @staticmethod
    def parse(text: str, context: Any = None) -> str:
        """Returns the attribute of a text."""
        return text


class InsertionPoint:
    """Annotates what functions take for the reference's sake: operations go where the
    program is."""


class Context:
    """Stands for the compiler's context, which the compiler makes by itself: programs may derive
    from it, and a context that they make has no effect."""

    def enable_multithreading(self, enable: bool = True) -> None:
        """Does nothing: modules are compiled in the thread that asks for it."""

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_: Any) -> None:
        pass


class IntegerType:
    """Integers of so many bits."""

    @staticmethod
    def get_signless(width: int, context: Any = None) -> Type:
        return _ir.type(f"i{width}")

    get_signed = get_unsigned = get_signless


def _named(text: str) -> Any:
    """Returns a class whose ``get`` is the type of a text."""
    return type(text, (), {"get": staticmethod(lambda context=None: _ir.type(text))})


F16Type, BF16Type, F32Type, F64Type = map(_named, ("f16", "bf16", "f32", "f64"))
IndexType = _named("index")


class VectorType:
    """Vectors."""

    @staticmethod
    def get(shape: Any, element_type: Type, **options: Any) -> Type:
        extents = "".join(f"{n}x" for n in shape)
        return _ir.type(f"vector<{extents}{_ir.text_of(element_type)}>")


def raw(value: Any) -> Any:
    """Returns a value, number or known integer as an operand."""
    return value.ir_value() if hasattr(value, "ir_value") else value


_NUMBERS = {"i32": "Int32", "i64": "Int64", "f16": "Float16", "bf16": "BFloat16",
            "f32": "Float32", "f64": "Float64"}  # fmt: skip


def as_number(value: Any) -> Any:
    """Returns a scalar as a number that has operators, anything else as it is."""
    from .._values import numeric as _numeric

    name = _NUMBERS.get(_ir.text_of(value.type))
    return getattr(_numeric, name)(value) if name else value
