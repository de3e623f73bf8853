"""Marks of NVIDIA's profiler IKET in kernels: they are taken, and leave no code.

In CuTe DSL they record events where a program runs under that profiler. Here
``cute-run --device=sim --trace=FILE.json`` shows what warps wait for, line by line.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "RangeToken", "mark", "range_end", "range_pop", "range_push", "range_start", "sentinel_token"
]


class RangeToken:
    """A range that ``range_start`` begins; it has no values of the program."""

    def __extract_mlir_values__(self) -> list[Any]:
        return []

    def __new_from_mlir_values__(self, values: list[Any]) -> RangeToken:
        return self


def mark(event_name: str, payload: Any = None, *, loc: Any = None, ip: Any = None) -> None:
    """Marks a moment."""


def range_push(event_name: str, payload: Any = None, *, loc: Any = None, ip: Any = None) -> None:
    """Begins a range, which the next ``range_pop`` ends."""


def range_pop(*, loc: Any = None, ip: Any = None) -> None:
    """Ends the range that began last."""


def range_start(
    event_name: str, payload: Any = None, *, loc: Any = None, ip: Any = None
) -> RangeToken:
    """Begins a range that ``range_end`` ends by its token."""
    return RangeToken()


def sentinel_token(event_name: str, *, loc: Any = None, ip: Any = None) -> RangeToken:
    """Returns a token of no range, for a variable that a loop assigns."""
    return RangeToken()


def range_end(
    token: RangeToken, payload: Any = None, *, loc: Any = None, ip: Any = None
) -> None:
    """Ends the range of a token."""
