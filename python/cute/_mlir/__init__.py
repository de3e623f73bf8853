"""The few names of the reference's MLIR bindings that programs use."""

from __future__ import annotations

from typing import Any


def DialectAutoConvertProxy(dialect: Any) -> Any:  # noqa: N802 (the name of the reference)
    """Returns a dialect: its functions take numbers of programs as they are."""
    return dialect
