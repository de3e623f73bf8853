"""Functions of ops that have none of their own, from the dialect's declarations."""

from __future__ import annotations

import functools
import itertools
from typing import Any, Callable

from .._compile import ir as _ir
from . import operands as _values
from .._compile.diagnostics import CompileError
from .operands import IrObject, ScaledBasis


def _kinds_of(tree: Any) -> tuple[str, ...]:
    """Returns the kinds that a tuple may be, the likeliest first."""
    leaves = list(_leaves(tree))
    if any(x is None for x in leaves):
        return ("coord",)
    if any(isinstance(x, ScaledBasis) for x in leaves):
        return ("stride",)
    return ("int_tuple", "shape", "coord", "stride")


def _leaves(tree: Any) -> Any:
    if isinstance(tree, (tuple, list)):
        for x in tree:
            yield from _leaves(x)
    else:
        yield tree


def _choices(operand: Any) -> list[tuple[_ir.Type, Callable[[], _ir.Operand]]]:
    """Returns an operand's valid types in the dialect, and a maker for each."""
    if isinstance(operand, IrObject):
        return [(_ir.type_of(operand.ir), lambda: operand.ir)]
    if any(isinstance(x, IrObject) and x.is_static for x in _leaves(operand)):
        tile = _values.tiler(operand)
        return [(_ir.type_of(tile), lambda: tile)]
    return [
        (
            _values.tuple_type(operand, kind),
            functools.partial(_values.tuple_operand, operand, kind),
        )
        for kind in _kinds_of(operand)
    ]


@functools.lru_cache(maxsize=None)
def function_of(name: str) -> Callable[..., Any] | None:
    """Returns the function that applies ``cute.name``, or None if no op of this name
    only computes. Operands are Python's values, attributes keywords."""
    if not _ir.context().only_computes(name):
        return None

    def apply(*operands: Any, loc: Any = None, ip: Any = None, **attributes: Any) -> Any:
        first: CompileError | None = None
        for chosen in itertools.product(*map(_choices, operands)):
            try:
                _ir.infer(name, [type_ for type_, _ in chosen], attributes)
            except CompileError as error:
                first = first or error
                continue
            like = operands[0] if operands and isinstance(operands[0], IrObject) else None
            made = _ir.apply(name, *(make() for _, make in chosen), **attributes)
            return _values.wrap(made, like)
        if first is None:
            raise TypeError(f"{name}() takes operands")
        raise first

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"Applies the op ``cute.{name}`` (docs/Dialect.md)."
    return apply
