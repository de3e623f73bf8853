"""Operations of MLIR's builtin dialect."""

from __future__ import annotations

from typing import Any, Sequence

from ..._compat.missing import NotThere


def unrealized_conversion_cast(
    results: Sequence[Any], operands: Sequence[Any], *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a value that types only name in another way: a tensor map, or a value of the type.

    :raises NotThere: for other conversions
    """
    (result,), (operand,) = results, operands
    is_same = getattr(operand, "type", None) == result
    if is_same or hasattr(operand, "__cute_map__"):
        return operand
    raise NotThere(f"values of {getattr(operand, 'type', operand)} are not converted to {result}")
