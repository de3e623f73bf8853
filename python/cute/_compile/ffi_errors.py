"""Errors of calls in TVM-FFI's words: the argument and the signature that it does not fit."""

from __future__ import annotations

from typing import Any, Sequence

from .arguments import Scalar


def signature_of(name: str, parameters: Sequence[Any]) -> str:
    """Returns a function with its parameters, ``f(a: Tensor([n0, 4], float32), k: int32)``."""
    count = 0

    def shown(parameter: Any) -> str:
        nonlocal count
        what = getattr(parameter.what, "inner", parameter.what)
        value = getattr(what, "value", None)
        if isinstance(what, Scalar):
            return what.dtype.__name__.lower()
        if not hasattr(value, "_dynamic_shape"):
            return type(value).__name__
        extents = []
        for i, extent in enumerate(value._shape):
            is_open = i in value._dynamic_shape
            extents.append(f"n{count}" if is_open else str(extent))
            count += is_open
        return f"Tensor([{', '.join(extents)}], {value._dtype.__name__.lower()})"

    return f"{name}({', '.join(f'{p.name}: {shown(p)}' for p in parameters)})"


def mismatch(error: Exception, name: str, parameters: Sequence[Any], place: int) -> ValueError:
    """Returns the error of an argument that does not fit the compiled function.

    :param place: which of the parameters
    """
    return ValueError(
        f"Mismatched {parameters[place].name} on argument #{place} when calling: "
        f"`{signature_of(name, parameters)}`, {error}"
    )
