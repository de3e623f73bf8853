"""Rounding of Python numbers to the formats of the numeric types."""

from __future__ import annotations

import math
from typing import NamedTuple


class FloatFormat(NamedTuple):
    """A binary floating point format.

    ``precision`` counts the significant bits with the implicit one,
    ``lowest`` and ``highest`` are the exponents of the smallest and the
    largest normal number, ``largest`` is the largest finite number.
    ``infinite`` says whether the format has infinities; without them what is
    too large becomes ``largest``, as in the conversions of the device.
    """

    precision: int
    lowest: int
    highest: int
    largest: float
    infinite: bool
    nan: bool = True


def _ieee(precision: int, exponent_bits: int, infinite: bool = True) -> FloatFormat:
    highest = 2 ** (exponent_bits - 1) - 1
    largest = math.ldexp(2.0 - 2.0 ** (1 - precision), highest)
    return FloatFormat(precision, 1 - highest, highest, largest, infinite)


F64 = _ieee(53, 11)
F32 = _ieee(24, 8)
TF32 = _ieee(11, 8)
F16 = _ieee(11, 5)
BF16 = _ieee(8, 8)
F8E5M2 = _ieee(3, 5, infinite=False)
F8E4M3 = _ieee(4, 4)
F8E4M3FN = FloatFormat(4, -6, 8, 448.0, False)
F8E4M3B11FNUZ = FloatFormat(4, -10, 4, 30.0, False)
F8E8M0FNU = FloatFormat(1, -127, 127, math.ldexp(1.0, 127), False)
F6E3M2FN = FloatFormat(3, -2, 4, 28.0, False, nan=False)
F6E2M3FN = FloatFormat(4, 0, 2, 7.5, False, nan=False)
F4E2M1FN = FloatFormat(2, 0, 2, 6.0, False, nan=False)


def round_float(x: float, format: FloatFormat) -> float:
    """Returns the number of ``format`` that is nearest to ``x``.

    Ties go to the even one. What is too large becomes infinite, or the largest
    finite number where the format has no infinity.
    """
    x = float(x)
    if math.isnan(x):
        return x if format.nan else format.largest
    if math.isinf(x):
        return x if format.infinite else math.copysign(format.largest, x)
    if x == 0.0:
        return x
    exponent = math.frexp(x)[1] - format.precision
    quantum = max(exponent, format.lowest - format.precision + 1)
    y = math.ldexp(_round_even(math.ldexp(x, -quantum)), quantum)
    if abs(y) > format.largest:
        limit = math.inf if format.infinite else format.largest
        return math.copysign(limit, x)
    return math.copysign(y, x)


def encode_float(x: float, format: FloatFormat, width: int) -> int:
    """Returns the bits of the number of ``format`` that is nearest to ``x``."""
    x = round_float(x, format)
    bits = format.precision - 1
    sign = (math.copysign(1.0, x) < 0) << (width - 1)
    if math.isnan(x):
        return (1 << (width - 1)) - 1
    if math.isinf(x):
        return sign | (format.highest - format.lowest + 2) << bits
    exponent = max(math.frexp(x)[1] - 1, format.lowest) if x else format.lowest
    units = int(math.ldexp(abs(x), bits - exponent))
    return sign | (units + ((exponent - format.lowest) << bits))


def _round_even(x: float) -> float:
    return x if abs(x) >= 2.0**53 else float(round(x))


def wrap_int(x: int, width: int, signed: bool) -> int:
    """Returns ``x`` modulo 2**width in the range of the integer type."""
    x &= (1 << width) - 1
    if signed and x >> (width - 1):
        x -= 1 << width
    return x
