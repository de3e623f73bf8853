"""Tensors whose parts are followed: which one a part is of, and the same part of another.

``trace.origins`` has such a tensor under its value, and under that of a part the operation that
makes it of another: name, operands, attributes.
"""

from __future__ import annotations

from typing import Any

from .. import core as _core
from .._compile import ir as _ir
from .._values.operands import wrap
from .._values.pointer import AddressSpace


def follow(tensor: Any) -> Any:
    """Returns the tensor, whose parts will be known as such."""
    return _ir.require("a tensor").origins.setdefault(tensor.ir, tensor)


def whole_of(part: Any) -> Any:
    """Returns the tensor that a tensor is a part of, or None if that is not followed."""
    origins, value = _ir.require("a part").origins, part.ir
    while isinstance(found := origins.get(value), tuple):
        name, operands, _ = found
        value = operands[_ir.PARTS[name]]
    return found


def same_part_of(other: Any, part: Any) -> Any:
    """Returns the part of another tensor that ``part`` is of its own."""
    origins = _ir.require("a part").origins

    def follow_to(value: Any) -> Any:
        step = origins[value]
        if not isinstance(step, tuple):
            return other.ir
        name, operands, attributes = step
        which = _ir.PARTS[name]
        return _ir.apply(name, *operands[:which], follow_to(operands[which]), *operands[which + 1:],
                         **attributes)

    return wrap(follow_to(part.ir), other)


def coordinates_of(part: Any) -> tuple[Any, Any] | None:
    """Returns the coordinates of a part's elements in a kernel's argument, and that; None of a
    tensor that is not part of one."""
    whole = whole_of(part)
    if whole is None or whole.memspace is AddressSpace.smem:
        return None
    return same_part_of(_core.make_identity_tensor(whole.shape), part), whole
