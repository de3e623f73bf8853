"""Results of a host function: numbers that a call reads, and static values."""

from __future__ import annotations

from array import array
from typing import Any, Sequence

from . import ir as _ir
from .._frontend import tree as _tree
from .arguments import Scalar
from .diagnostics import DSLRuntimeError
from .._values.numeric import Float32, Numeric, NumericMeta


class Results:
    """The tree that a traced function returned.

    :raises DSLRuntimeError: for a value other than a number that is not known
    """

    def __init__(self, value: Any, name: str = ""):
        self._is_nothing = value is None
        self._leaves, self._spec = _tree.flatten(value)
        for leaf in self._leaves:
            if isinstance(leaf, _tree.SsaLeaf):
                raise DSLRuntimeError(
                    f"{name} returns a {leaf.type} that is known at run time only: numbers, "
                    "and tuples and lists of them, can be returned"
                )
        self._numbers = [Scalar(_passed_as(type(x))) for x in self._leaves if _is_dynamic(x)]

    def __bool__(self) -> bool:
        """Returns whether there is something to read."""
        return bool(self._numbers)

    def values(self) -> list[_ir.Value]:
        """Returns the operands of the function's last operation."""
        found = [leaf for leaf in self._leaves if _is_dynamic(leaf)]
        return [n.dtype(leaf).ir_value() for n, leaf in zip(self._numbers, found)]

    def cells(self) -> list[Any]:
        """Returns memory for the results of a call."""
        return [array(_code(number), [0]) for number in self._numbers]

    def read(self, cells: Sequence[Any]) -> Any:
        """Returns the tree with Python's numbers for what a call has written."""
        if self._is_nothing:
            return None
        rest = iter(zip(self._numbers, cells))
        made = [_read(*next(rest)) if _is_dynamic(x) else x for x in self._leaves]
        return _tree.unflatten(self._spec, iter(made), lambda _: False)


def _is_dynamic(leaf: Any) -> bool:
    return isinstance(leaf, Numeric) and not leaf.is_static


def _passed_as(dtype: NumericMeta) -> NumericMeta:
    """Returns the type that C has for one: Float32 for shorter floats."""
    return Float32 if dtype.is_float and dtype.width < 32 else dtype


def _code(number: Scalar) -> str:
    """Returns how memory holds a result, for ``array``; signed integers have a sign."""
    is_signed = not number.dtype.is_float and number.dtype.signed
    return number.code.lower() if is_signed else number.code


def _read(number: Scalar, cell: Any) -> Any:
    return bool(cell[0]) if number.dtype.width == 1 else cell[0]
