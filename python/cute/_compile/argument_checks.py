"""Arguments that parameters refuse in any case."""

from __future__ import annotations

from typing import Any

from .._frontend.errors import StaticValueError
from .._values.numeric import Numeric


def check_tensor(name: str, value: Any, annotation: Any) -> None:
    """Raises where numbers or a text are given for a tensor."""
    from .._values.tensor import Tensor

    parts = value if isinstance(value, (list, tuple)) and value else [value]
    if annotation is Tensor and all(isinstance(x, (str, int, float, Numeric)) for x in parts):
        given = f"a {type(value)}" if isinstance(value, Numeric) else repr(value)
        raise TypeError(f"{name} is a cute.Tensor: an array of torch, numpy or DLPack, not {given}")


def check_constexpr(name: str, value: Any, annotation: Any) -> None:
    """Raises where a kernel's Constexpr gets a number of the host function's run."""
    from .._frontend.tree import flatten
    from .arguments import is_constexpr

    if is_constexpr(annotation) and not all(getattr(x, "is_static", True) for x in flatten(value)[0]):
        raise StaticValueError(
            f"{name} is a Constexpr, but its argument is known only when the host function "
            f"runs: annotate {name} with a type of numbers, as cutlass.Int32, or make the "
            "argument a Constexpr of the host function, too"
        )
