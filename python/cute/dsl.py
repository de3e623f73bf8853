"""The names of the reference's package ``cutlass`` itself."""

from __future__ import annotations

from typing import Any

import cute

from . import _numeric, cuda
from ._arguments import Constexpr
from ._compiled import GenerateLineInfo, GPUArch, OptLevel
from ._control import LoopRange, const_expr, dynamic_expr, range_constexpr
from ._control import maximum as max
from ._control import minimum as min
from ._numeric import *  # noqa: F403
from ._tree import extract_mlir_values, new_from_mlir_values

range = LoopRange


def dsl_user_op(function: Any) -> Any:
    """Marks a function that makes operations; it stays as it is."""
    return function


T = _numeric


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("utils", "pipeline", "torch", "testing"):
        import importlib

        return importlib.import_module(f"cute.{name}")
    from ._missing import NotThere

    raise NotThere(f"cutlass.{name} is not there in this package yet")
