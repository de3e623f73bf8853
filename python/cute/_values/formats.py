"""Rounding of Python numbers to the formats of the numeric types."""

from __future__ import annotations

import math
from typing import NamedTuple

from .. import _bridge


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


def _format(exponent_bits: int, mantissa_bits: int, infinite: bool, nan: bool) -> FloatFormat:
    """Returns a format by its bits; without infinities the last exponent has numbers,
    too, all but one if there is a NaN."""
    bias = 2 ** (exponent_bits - 1) - 1
    if not mantissa_bits:  # exponents alone
        return FloatFormat(1, -bias, bias, math.ldexp(1.0, bias), False, nan)
    highest = bias if infinite else bias + 1
    step = 2.0**-mantissa_bits
    significand = 2.0 - (2 * step if nan and not infinite else step)
    largest = math.ldexp(significand, highest)
    return FloatFormat(mantissa_bits + 1, 1 - bias, highest, largest, infinite, nan)


def _read() -> dict[str, tuple[int, FloatFormat]]:
    found = {}
    for name, (bits, *fields) in _bridge.float_formats().items():
        made = _format(*fields)
        # The device's conversions to 8 bits and fewer saturate.
        found[name] = bits, made._replace(infinite=made.infinite and bits > 8)
    return found


FORMATS = {
    **_read(),
    "f8E4M3": (8, _format(4, 3, True, True)),
    "f8E4M3B11FNUZ": (8, FloatFormat(4, -10, 4, 30.0, False)),
    "f8E5M3FNU": (8, FloatFormat(4, -14, 16, 114688.0, False)),
}
"""The bits and the format of each float by its name in the IR: the compiler's formats,
and three that it only names."""


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
