"""Vectors of small numbers as wider ones: values of the IR, as programs have them from
``TensorSSA.ir_value()``, or vectors of this package."""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from .._values import arith as _arith
from .._values.by_name import by_name
from .._values.numeric import (
    BFloat16,
    Float4E2M1FN,
    Float8E4M3FN,
    Float16,
    Float32,
    Int4,
    Int8,
    Int16,
    Int32,
    NumericMeta,
    as_numeric,
)
from .._values.tensor_ssa import TensorSSA, vector_of


def _value(vector: Any) -> Any:
    return vector.ir_value() if hasattr(vector, "ir_value") else vector


def _length(text: str) -> int | None:
    return int(text[7:].partition("x")[0]) if text.startswith("vector<") else None


_WORDS = {f"i{dtype.width}": dtype for dtype in (Int8, Int16, Int32)}


def _unpacked(value: Any, source: NumericMeta) -> Any:
    """Returns a vector of the bits of a word, or the value itself."""
    word = _WORDS.get(_ir.text_of(value.type))
    if word is None or word.width <= source.width:
        return value
    return vector_of([word(value)], word).bitcast(source).ir_value()


def _conversion(
    name: str, operand: str, source: NumericMeta, target: NumericMeta
) -> Callable[..., Any]:
    """Returns a function of a vector of MLIR, or of this package, and its length."""

    def function(
        vector: Any, length: int | None = None, *, with_shuffle: bool = False,
        loc: Any = None, ip: Any = None,
    ) -> Any:
        value = _unpacked(_value(vector), source)
        count = length or _length(_ir.text_of(value.type))
        made = _arith.convert(value, source, target, count)
        return _unshuffled(made, count, target) if with_shuffle else made

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Returns a vector of {source} as one of {target}, values of the IR."
    return by_name(operand, function)


def _unshuffled(vector: Any, count: Any, dtype: NumericMeta) -> Any:
    """Returns a vector with elements 1 and 2 of each whole four exchanged."""
    given = TensorSSA(vector, (count,), dtype).to_elements()
    places = [i ^ 3 if i % 4 in (1, 2) and i | 3 < count else i for i in range(count)]
    return vector_of([given[i] for i in places], dtype).ir_value()


_CONVERSIONS = {
    "cvt_f32_bf16": ("src_f32", Float32, BFloat16),
    "cvt_f32x2_bf16x2": ("src_vec2", Float32, BFloat16),
    "cvt_f4e2m1_f16": ("src", Float4E2M1FN, Float16),
    "cvt_f4e2m1_f16_intrinsic": ("vec_f4e2m1", Float4E2M1FN, Float16),
    "cvt_f4e2m1x2_to_f16x2": ("src_vec2", Float4E2M1FN, Float16),
    "cvt_f4e2m1x4_to_f16x4": ("src_vec4", Float4E2M1FN, Float16),
    "cvt_f4e2m1x8_to_f16x8": ("src_vec8", Float4E2M1FN, Float16),
    "cvt_i4_bf16": ("src_i4", Int4, BFloat16),
    "cvt_i4_bf16_intrinsic": ("vec_i4", Int4, BFloat16),
    "cvt_i4x2_to_bf16x2": ("src_vec2", Int4, BFloat16),
    "cvt_i4x4_to_bf16x4": ("src_vec4", Int4, BFloat16),
    "cvt_i4x8_to_bf16x8": ("src_vec8", Int4, BFloat16),
    "cvt_i8_bf16": ("src_i8", Int8, BFloat16),
    "cvt_i8_bf16_intrinsic": ("vec_i8", Int8, BFloat16),
    "cvt_i8x2_to_bf16x2": ("src_vec2", Int8, BFloat16),
    "cvt_i8x2_to_f32x2": ("src_vec2", Int8, Float32),
    "cvt_i8x4_to_bf16x4": ("src_vec4", Int8, BFloat16),
    "cvt_i8x4_to_f32x4": ("src_vec4", Int8, Float32),
}
globals().update({name: _conversion(name, *row) for name, row in _CONVERSIONS.items()})


def cvt_i4_mxf8_intrinsic(
    vec_i4: Any, length: int, dst_type: NumericMeta = Float8E4M3FN, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns a vector of Int4 as floats of 8 bits, which have all of them exactly.

    :param length: its length, a multiple of 8
    :raises ValueError: for another length
    """
    if length % 8:
        raise ValueError(f"the length is a multiple of 8, not {length}")
    # A float of 8 bits has all integers of 4 bits exactly.
    single = _arith.convert(_value(vec_i4), Int4, Float32, length)
    return _arith.convert(single, Float32, dst_type, length)


def cvt_i4x8_to_mxf8x8(src_vec8: Any, dst_type: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns eight Int4 as Float8E4M3FN, a vector of elements of this type of 8 bits."""
    made = cvt_i4_mxf8_intrinsic(_unpacked(_value(src_vec8), Int4), 8)
    is_float = dst_type in (Float8E4M3FN, _ir.type(Float8E4M3FN.ir_name))
    return made if is_float else TensorSSA(made, (8,), Float8E4M3FN).bitcast(Int8).ir_value()


def sext_unpacked_i4x4_to_i8x4(src_vec4: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns four bytes as Int8, each with the sign of its lower four bits, the upper being 0."""
    return sext_unpacked_i4_i8_intrinsic(src_vec4, 4)


def sext_unpacked_i4_i8_intrinsic(
    vec_unpacked_i4: Any, length: int, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns bytes as Int8, each with the sign of its lower four bits, the upper being 0.

    :param length: their number, a multiple of 4
    :raises ValueError: for another length
    """
    if length % 4:
        raise ValueError(f"the length is a multiple of 4, not {length}")
    given = TensorSSA(_unpacked(_value(vec_unpacked_i4), Int8), (length,), Int8)
    return vector_of([(x ^ Int8(8)) - Int8(8) for x in given.to_elements()], Int8).ir_value()


def log2_of_pow2_int(a: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the exponent of a power of two, -1 for 0."""
    number = as_numeric(a)
    if number.is_static:
        return Int32(int(number.value).bit_length() - 1)
    word = Int32(number).ir_value()
    trace = _ir.require("log2_of_pow2_int")
    zeros = trace.create("math.ctlz", [word], None, [_ir.type("i32")]).results[0]
    return Int32(31) - Int32(zeros)


__all__ = [*_CONVERSIONS, "cvt_i4_mxf8_intrinsic", "cvt_i4x8_to_mxf8x8", "log2_of_pow2_int",
           "sext_unpacked_i4_i8_intrinsic", "sext_unpacked_i4x4_to_i8x4"]
