"""The few names of the reference's MLIR bindings that programs use."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    homes = {"arith": "cute._mlir.helpers", "math": "cute.math", "vector": "cute.vector"}  # of the reference's helpers
    if name in homes:
        return importlib.import_module(homes[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def DialectAutoConvertProxy(dialect: Any) -> Any:  # noqa: N802 (the name of the reference)
    """Returns a dialect: its functions take numbers of programs as they are."""
    return dialect
