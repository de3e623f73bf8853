"""Arithmetic on SSA values, scalars and vectors alike.

A ``shape`` is the number of elements of a vector, None for a scalar; what an
operand means is its numeric type, since MLIR's integers have no sign.
"""

from __future__ import annotations

from typing import Any

from .._frontend import builder as _builder

_FLOAT = {"add": "addf", "sub": "subf", "mul": "mulf", "truediv": "divf"}
# As in CUDA, a product and a sum may become one instruction, rounded once.
_CONTRACT = {"fastmath": "#arith.fastmath<contract>"}
_CONTRACTED = ("addf", "subf", "mulf")
_INTEGER = {
    "add": "addi",
    "sub": "subi",
    "mul": "muli",
    "and": "andi",
    "or": "ori",
    "xor": "xori",
    "lshift": "shli",
}
_FLOAT_PREDICATE = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13}
_INTEGER_PREDICATE = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}


def type_text(dtype: Any, shape: int | None = None) -> str:
    """Returns the MLIR type of a scalar, or of a vector of ``shape`` elements."""
    name = dtype.ir_name
    return name if shape is None else f"vector<{shape}x{name}>"


def constant(value: Any, dtype: Any, shape: int | None = None) -> Any:
    """Writes a number of type ``dtype``."""
    builder = _builder.require(f"a constant of type {dtype}")
    return builder.constant(type_text(dtype, shape), value)


def unary(name: str, a: Any, dtype: Any, shape: int | None = None) -> Any:
    """Writes the operation ``name`` with one operand and a result like it."""
    builder = _builder.require(name)
    return builder.op(name, [a], [type_text(dtype, shape)])[0]


def _op(name: str, a: Any, b: Any, dtype: Any, shape: int | None) -> Any:
    builder = _builder.require(name)
    attributes = _CONTRACT if name in _CONTRACTED else {}
    types = [type_text(dtype, shape)]
    return builder.op(f"arith.{name}", [a, b], types, attributes)[0]


def binary(name: str, a: Any, b: Any, dtype: Any, shape: int | None = None) -> Any:
    """Writes ``a name b`` for two operands of type ``dtype``.

    ``name`` is that of Python's operator module without underscores.
    """
    if name == "floordiv":
        return _floor_divide(a, b, dtype, shape)
    if name == "mod":
        return _modulo(a, b, dtype, shape)
    if name in ("min", "max"):
        return _op(_extremum(name, dtype), a, b, dtype, shape)
    if dtype.is_float:
        return _op(_FLOAT[name], a, b, dtype, shape)
    if name == "rshift":
        return _op("shrsi" if dtype.signed else "shrui", a, b, dtype, shape)
    return _op(_INTEGER[name], a, b, dtype, shape)


def shift(name: str, a: Any, b: Any, dtype: Any, shape: int | None = None, by: Any = None) -> Any:
    """Writes a shift by a count that is not known: all bits go where it is the width or more.

    :param by: the count's type, if it is not ``dtype``
    """
    by = by or dtype
    bits = "i1" if shape is None else f"vector<{shape}xi1>"
    fits = _builder.require(name).op(
        "arith.cmpi", [b, constant(dtype.width, by, shape)], [bits], {"predicate": "6 : i64"})[0]
    count = convert(b, by, dtype, shape)
    if name == "rshift" and dtype.signed:
        count = select(fits, count, constant(dtype.width - 1, dtype, shape), dtype, shape)
        return binary(name, a, count, dtype, shape)
    shifted = binary(name, a, count, dtype, shape)
    return select(fits, shifted, constant(0, dtype, shape), dtype, shape)


def _extremum(name: str, dtype: Any) -> str:
    if dtype.is_float:
        return f"{name}imumf"
    return f"{name}si" if dtype.signed else f"{name}ui"


def _floor_divide(a: Any, b: Any, dtype: Any, shape: int | None) -> Any:
    if dtype.is_float:
        quotient = _op("divf", a, b, dtype, shape)
        return unary("math.floor", quotient, dtype, shape)
    name = "floordivsi" if dtype.signed else "divui"
    return _op(name, a, b, dtype, shape)


def _modulo(a: Any, b: Any, dtype: Any, shape: int | None) -> Any:
    """Writes the remainder that has the sign of ``b``, as Python does."""
    if not dtype.is_float and not dtype.signed:
        return _op("remui", a, b, dtype, shape)
    remainder = _op("remf" if dtype.is_float else "remsi", a, b, dtype, shape)
    zero = constant(0, dtype, shape)
    inexact = compare("ne", remainder, zero, dtype, shape)
    negative = compare("lt", remainder, zero, dtype, shape)
    other = compare("lt", b, zero, dtype, shape)
    builder = _builder.require("%")
    bits = builder.type_of(inexact)
    differs = builder.op("arith.xori", [negative, other], [bits])[0]
    fix = builder.op("arith.andi", [inexact, differs], [bits])[0]
    moved = binary("add", remainder, b, dtype, shape)
    return select(fix, moved, remainder, dtype, shape)


def compare(name: str, a: Any, b: Any, dtype: Any, shape: int | None = None) -> Any:
    """Writes a comparison of two operands of type ``dtype``; returns bits."""
    builder = _builder.require(name)
    if dtype.is_float:
        op, predicate = "arith.cmpf", _FLOAT_PREDICATE[name]
    else:
        op, predicate = "arith.cmpi", _INTEGER_PREDICATE[name]
        if not dtype.signed and predicate >= 2:
            predicate += 4
    result = "i1" if shape is None else f"vector<{shape}xi1>"
    return builder.op(op, [a, b], [result], {"predicate": f"{predicate} : i64"})[0]


def select(c: Any, a: Any, b: Any, dtype: Any, shape: int | None = None) -> Any:
    """Writes ``a`` where the bits ``c`` are set, else ``b``."""
    builder = _builder.require("a choice")
    return builder.op("arith.select", [c, a, b], [type_text(dtype, shape)])[0]


def convert(a: Any, source: Any, target: Any, shape: int | None = None) -> Any:
    """Writes the conversion of ``a`` from one numeric type to another."""
    if source.element_name == target.element_name and source.is_float == target.is_float:
        return a
    if target.is_boolean:
        return compare("ne", a, constant(0, source, shape), source, shape)
    if source.is_float and target.is_float:
        return _convert_float(a, source, target, shape)
    if source.is_float:
        return _truncate(a, source, target, shape)
    if target.is_float:
        return _cast("sitofp" if source.signed else "uitofp", a, target, shape)
    if source.width < target.width:
        return _cast("extsi" if source.signed else "extui", a, target, shape)
    return _cast("trunci", a, target, shape)


def _truncate(a: Any, source: Any, target: Any, shape: int | None) -> Any:
    """Writes the integer towards zero; the nearest one of the type beyond it, 0 for NaN.

    PTX does so for 32 and 64 bits. Narrower types go through Int32, and the host compares.
    """
    from .numeric import Int32, Int64

    if target.width < 32:
        wide = _truncate(a, source, Int32, shape)
        for name, bound in ("max", target.min), ("min", target.max):
            wide = binary(name, wide, constant(bound, Int32, shape), Int32, shape)
        return _cast("trunci", wide, target, shape)
    made = _cast("fptosi" if target.signed else "fptoui", a, target, shape)
    if getattr(_builder.current(), "kernel", made) is not None or target.width > Int64.width:
        return made
    for name, bound, value in (
        ("le", target.min, target.min), ("ge", target.max + 1, target.max), ("ne", None, 0)
    ):
        other = a if bound is None else constant(float(bound), source, shape)
        made = select(compare(name, a, other, source, shape), constant(value, target, shape),
                      made, target, shape)
    return made


def _cast(name: str, a: Any, target: Any, shape: int | None) -> Any:
    builder = _builder.require(f"a conversion to {target}")
    return builder.op(f"arith.{name}", [a], [type_text(target, shape)])[0]


def _convert_float(a: Any, source: Any, target: Any, shape: int | None) -> Any:
    from .numeric import Float8E8M0FNU, Float32, TFloat32

    if target in (TFloat32, Float8E8M0FNU):
        single = _convert_float(a, source, Float32, shape)
        return (_round_tf32 if target is TFloat32 else _round_exponent)(single, shape)
    if source is TFloat32:
        source = Float32
    if source.width < target.width:
        return _cast("extf", a, target, shape)
    if source.width > target.width:
        return _cast("truncf", a, target, shape)
    if source is target:
        return a
    if source is not Float32:
        a = _cast("extf", a, Float32, shape)
    return a if target is Float32 else _cast("truncf", a, target, shape)


def _round_exponent(a: Any, shape: int | None) -> Any:
    """Writes the power of two that is nearest to the f32 ``a``, f8E8M0FNU; NaN below 0."""
    from .numeric import Float8E8M0FNU, Float32, Int32, Uint8

    def both(name: str, x: Any, y: int) -> Any:
        return binary(name, x, constant(y, Int32, shape), Int32, shape)

    bits = both("and", _cast("bitcast", a, Int32, shape), 0x7FFFFFFF)
    power = both("rshift", both("add", bits, 0x400000), 23)
    large = compare("gt", power, constant(254, Int32, shape), Int32, shape)
    power = select(large, constant(254, Int32, shape), power, Int32, shape)
    # Between 2**-127 and 2**-126 there are no normal numbers.
    small = compare("lt", bits, constant(0x600000, Int32, shape), Int32, shape)
    power = select(small, constant(0, Int32, shape), power, Int32, shape)
    number = compare("ge", a, constant(0.0, Float32, shape), Float32, shape)
    power = select(number, power, constant(255, Int32, shape), Int32, shape)
    return _cast("bitcast", _cast("trunci", power, Uint8, shape), Float8E8M0FNU, shape)


def _round_tf32(a: Any, shape: int | None) -> Any:
    """Writes the f32 of 11 significant bits that is nearest to ``a``, the even one of two."""
    from .numeric import Float32, Uint32

    def word(value: int) -> Any:
        return constant(value, Uint32, shape)

    bits = _cast("bitcast", a, Uint32, shape)
    odd = binary("and", binary("rshift", bits, word(13), Uint32, shape), word(1), Uint32, shape)
    bits = binary("add", binary("add", bits, odd, Uint32, shape), word(0xFFF), Uint32, shape)
    rounded = binary("and", bits, word(0xFFFFE000), Uint32, shape)
    number = compare("eq", a, a, Float32, shape)
    return select(number, _cast("bitcast", rounded, Float32, shape), a, Float32, shape)
