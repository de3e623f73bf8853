"""Quotients by a divisor that a kernel uses many times."""

from __future__ import annotations

from typing import Any

from .numeric import Int32, as_numeric

__all__ = [
    "FastDivmodDivisor",
    "FastDivmodDivisorV2",
    "fast_divmod_compute",
    "fast_divmod_create_divisor",
    "fast_divmod_create_divisor_v2",
]


class FastDivmodDivisor:
    """A positive divisor of Int32: ``q, r = divmod(x, d)``, ``x // d``, ``x % d``.

    A divisor that is known when the kernel is compiled becomes a multiplication.
    """

    def __init__(self, divisor: Any, is_power_of_2: Any = None, *, loc: Any = None, ip: Any = None):
        self.divisor = divisor if isinstance(divisor, int) else Int32(divisor)

    def __rdivmod__(self, dividend: Any) -> tuple[Any, Any]:
        quotient = as_numeric(dividend) // self.divisor
        return quotient, dividend - quotient * self.divisor

    def __rfloordiv__(self, dividend: Any) -> Any:
        return as_numeric(dividend) // self.divisor

    def __rmod__(self, dividend: Any) -> Any:
        return as_numeric(dividend) % self.divisor

    def __extract_mlir_values__(self) -> list[Any]:
        return [] if isinstance(self.divisor, int) else [self.divisor.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> FastDivmodDivisor:
        return FastDivmodDivisor(Int32(values[0]) if values else self.divisor)


FastDivmodDivisorV2 = FastDivmodDivisor


def fast_divmod_create_divisor(divisor: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns a divisor for ``divmod`` and ``fast_divmod_compute``."""
    return FastDivmodDivisor(divisor)


fast_divmod_create_divisor_v2 = fast_divmod_create_divisor


def fast_divmod_compute(
    dividend: Any, divisor: FastDivmodDivisor, *, loc: Any = None, ip: Any = None
) -> tuple[Any, Any]:
    """Returns the quotient and the remainder."""
    return divisor.__rdivmod__(dividend)
