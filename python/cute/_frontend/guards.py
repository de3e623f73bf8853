"""Branches and choices for code of this package, which is not rewritten."""

from __future__ import annotations

import math
from typing import Any, Callable, Sequence

from .._values import arith as _arith
from . import builder as _builder
from .control import assert_, is_dynamic, truth
from .._values.numeric import Int64, as_numeric, promote


def run_if(condition: Any, body: Callable[[], None]) -> None:
    """Runs ``body`` where the condition holds; no condition always does.

    The body changes memory, but no Python variable.
    """
    if condition is None:
        body()
        return
    bit = truth(condition)
    if not is_dynamic(bit):
        if bit:
            body()
        return
    builder = _builder.require("a branch")
    regions = [builder.region(), builder.region()]
    with builder.inside(regions[0]):
        body()
        builder.op("scf.yield")
    with builder.inside(regions[1]):
        builder.op("scf.yield")
    builder.op("scf.if", [bit.ir_value()], [], {}, regions)


def choose(condition: Any, a: Any, b: Any) -> Any:
    """Returns ``a`` where the condition holds, else ``b``: two numbers."""
    bit = truth(condition)
    if not is_dynamic(bit):
        return a if bit else b
    a, b = as_numeric(a), as_numeric(b)
    dtype = promote(type(a), type(b))
    a, b = a.to(dtype), b.to(dtype)
    return dtype(_arith.select(bit.ir_value(), a.ir_value(), b.ir_value(), dtype))


def check_product(extents: Sequence[Any]) -> None:
    """Lets the program check that the product of extents fits into 32 bits."""
    factors = [Int64(x) for x in extents if not isinstance(x, int) or x != 1]
    if len(factors) > 1:
        message = "cute.size does not fit into Int32: multiply the extents as cute.Int64"
        assert_(math.prod(factors) < 2**31, lambda: message, ("", 0, 0))
