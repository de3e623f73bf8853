"""Operations of the reference's own dialect that programs call by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

from ..._compat import placeholders as _placeholders
from ..._compat.missing import NotThere
from ..._compile import ir as _ir
from ..._values.operands import wrap
from ..._values.pointer import Pointer
from .cute_nvgpu import TmaDescriptorTiledType


@dataclasses.dataclass(frozen=True)
class PtrType:
    """The type of a pointer, as ``recast_iter`` takes it."""

    pointee: Any
    memspace: Any
    alignment: int

    @staticmethod
    def get(pointee: Any, memspace: Any, alignment: int = 1, context: Any = None) -> PtrType:
        """Returns the type of pointers to a type, with their alignment in bytes."""
        return PtrType(pointee, memspace, alignment)

    def __str__(self) -> str:
        """Returns the type as the dialect has it."""
        space = getattr(self.memspace, "name", self.memspace)
        return f"!cute.ptr<{_ir.text_of(self.pointee)}, {space}, align<{self.alignment}>>"


def recast_iter(result: PtrType, iter: Any, *, loc: Any = None, ip: Any = None) -> Pointer:
    """Returns a pointer to a tensor map, for copies that name it.

    :raises NotThere: for a pointer to something else
    """
    if not isinstance(result, PtrType) or result.pointee is not TmaDescriptorTiledType:
        raise NotThere(f"pointers are recast to tensor maps here, not to {result}")
    pointer = iter if isinstance(iter, Pointer) else wrap(iter)
    return pointer.align(result.alignment)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _placeholders.Placeholder(f"cute.{name}", "operations of CuTe DSL by hand")
