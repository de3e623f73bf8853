"""Annotations that say more of a tensor or a pointer: its elements, layout and memory."""

from __future__ import annotations

from typing import Any

from .numeric import NumericMeta
from .pointer import AddressSpace, Pointer
from .tensor import Tensor

__all__ = ["TypedPointer", "TypedTensor"]


def _is_in(memory: Any, space: Any) -> bool:
    """Returns whether memory is in a space; a generic one is any."""
    return space is AddressSpace.generic or memory.memspace is space or (
        memory.memspace is AddressSpace.generic and space is AddressSpace.gmem)


class _Type:
    """A type that is equal to others with the same members."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))


class TypedTensor(_Type):
    """The type of a tensor of known layout: ``Tensor[Float32, (16,), (1,)]``.

    As an annotation it rejects other tensors.

    :param dtype: the numeric type of the elements
    :param shape: static
    :param stride: static
    :param memspace: where they are; generic is anywhere
    :param assumed_align: the address's known minimum alignment, in bytes

    For example::

        TypedTensor(Float32, (16,), (1,)).isinstance(tensor)
        # True
    """

    def __init__(self, dtype: NumericMeta, shape: Any, stride: Any,
                 memspace: AddressSpace = AddressSpace.generic,
                 assumed_align: int | None = None):
        self.dtype, self.shape, self.stride = dtype, shape, stride
        self.memspace, self.assumed_align = memspace, assumed_align

    @property
    def element_type(self) -> NumericMeta:
        return self.dtype

    def isinstance(self, other: object) -> bool:
        """Returns whether a value is a tensor of this type."""
        if not isinstance(other, Tensor) or other.element_type is not self.dtype:
            return False
        if (other.shape, other.stride) != (self.shape, self.stride):
            return False
        return _is_in(other, self.memspace) and (
            self.assumed_align is None or other.iterator.alignment >= self.assumed_align)

    def __cute_take__(self, value: Any) -> Any:
        if isinstance(value, Tensor) and not self.isinstance(value):
            raise TypeError(f"expected {self}, not {value}")
        return value

    def __str__(self) -> str:
        return f"a tensor {self.dtype} o {self.shape}:{self.stride} in {self.memspace}"


class TypedPointer(_Type):
    """The type of a pointer: ``Pointer[Float32, AddressSpace.gmem]``.

    As an annotation it rejects other pointers.
    """

    def __init__(self, dtype: Any, space: Any):
        self.dtype, self.space = dtype, space

    def isinstance(self, other: object) -> bool:
        """Returns whether a value is a pointer of this type."""
        space = self.space if isinstance(self.space, AddressSpace) else AddressSpace(self.space)
        return isinstance(other, Pointer) and other.dtype is self.dtype and _is_in(other, space)

    def __cute_take__(self, value: Any) -> Any:
        if isinstance(value, Pointer) and not self.isinstance(value):
            raise TypeError(f"expected a pointer to {self.dtype} in {self.space}, not {value}")
        return value
