"""Helpers for Python values of an IR under construction.

Numeric types, vectors and control flow write their operations through the
builder that is in use. ``ir`` makes one on the compiler's library; tests make
one that interprets what was written.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any, Iterator, Mapping, Protocol, Sequence


class Region(Protocol):
    """A region of one block that belongs to no operation yet."""

    arguments: Sequence[Any]


class Builder(Protocol):
    """Writes operations at an insertion point. Types are MLIR's text."""

    def op(
        self,
        name: str,
        operands: Sequence[Any] = (),
        results: Sequence[str] = (),
        attributes: Mapping[str, str] = ...,
        regions: Sequence[Region] = (),
    ) -> list[Any]:
        """Appends an operation, which takes its regions; returns its results."""

    def constant(self, type: str, value: int | float) -> Any:
        """Returns a constant of a scalar type, or a vector with equal elements."""

    def type_of(self, value: Any) -> str:
        """Returns the type of an SSA value."""

    def region(self, types: Sequence[str] = ()) -> Region:
        """Returns a new region whose block has arguments of these types."""

    def inside(self, region: Region) -> contextlib.AbstractContextManager[None]:
        """Moves the insertion point to the end of the region's block."""

    def is_speculatable(self, region: Region) -> bool:
        """Returns whether the region's operations may run unasked."""

    def inline(self, region: Region) -> None:
        """Moves the region's operations to the insertion point."""


_state = threading.local()


def current() -> Builder | None:
    """Returns the builder in use by this thread, None outside of tracing."""
    return getattr(_state, "builder", None)


def require(what: str) -> Builder:
    """Returns the builder in use; ``what`` needs one."""
    builder = current()
    if builder is None:
        raise RuntimeError(
            f"{what} is an operation on values of a compiled program: "
            "call it in a function under @cute.jit or @cute.kernel"
        )
    return builder


@contextlib.contextmanager
def use(builder: Builder | None) -> Iterator[Builder | None]:
    """Puts ``builder`` in use for this thread; at the end, raises its doubts (``doubts``)."""
    previous = current()
    _state.builder = builder
    try:
        yield builder
        doubts = getattr(builder, "doubts", None)
        if doubts is not None:
            doubts.settle()
    finally:
        _state.builder = previous
