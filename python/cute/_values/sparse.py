"""Elements that memory holds a part of: a sparse A's, and its metadata's.

A layout counts all elements; several neighbours share what is stored. A tensor on such a pointer
is one of the stored elements, with a stride of 0 between neighbours.
"""

from __future__ import annotations

from typing import Any

from . import algebra as _algebra
from .layout import ComposedLayout
from .pointer import Pointer, recast_ptr
from .tensor import Tensor, make_tensor

__all__ = ["SparseElem", "get_sparse_elem_type"]


class SparseElem:
    """A type: ``num_logical`` neighbours share ``num_phys`` stored elements of a type."""

    def __init__(self, num_logical: int, num_phys: int, elem_type: Any):
        self.num_logical, self.num_phys, self.elem_type = num_logical, num_phys, elem_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparseElem) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def ratio(self) -> int:
        """How many elements of a layout are one that is stored."""
        return self.num_logical // self.num_phys

    def __str__(self) -> str:
        stored = f"vector<{self.num_phys}x{self.elem_type.element_name}>"
        return f"!cute.sparse_elem<{self.num_logical}, {stored}>"

    __repr__ = __str__

    def stored(self, layout: Any) -> Any:
        """Returns the layout of the stored elements, at the coordinates of all.

        >>> get_sparse_elem_type(2, 1, Float16).stored(make_layout((8, 64), stride=(64, 1)))
        (8,(2,32)):(32,(0,1))

        :raises ValueError: where a mode steps within a stored element and beyond it unevenly
        """
        if isinstance(layout, ComposedLayout):
            return _algebra.make_composed_layout(
                layout.inner, layout.offset // self.ratio, self.stored(layout.outer))
        shape, stride = self._stored(layout.shape, layout.stride)
        return _algebra.make_layout(shape, stride=stride)

    def _stored(self, shape: Any, stride: Any) -> tuple[Any, Any]:
        if isinstance(shape, tuple):
            parts = [self._stored(*part) for part in zip(shape, stride)]
            return tuple(s for s, _ in parts), tuple(d for _, d in parts)
        if not isinstance(stride, int) or stride % self.ratio == 0:
            return shape, stride // self.ratio
        together = self.ratio // stride
        if self.ratio % stride == 0 and isinstance(shape, int):
            if shape <= together:
                return shape, 0
            if shape % together == 0:
                return (together, shape // together), (0, 1)
        raise ValueError(f"a mode {shape}:{stride} does not go along groups of {self.ratio} "
                         "elements; take extents and strides that divide them, or are multiples")


class SparsePointer:
    """A pointer to stored elements, at which ``make_tensor`` puts layouts of all elements."""

    def __init__(self, pointer: Pointer, dtype: SparseElem):
        self.pointer, self.dtype = pointer, dtype

    def __cute_tensor__(self, layout: Any) -> Tensor:
        return make_tensor(self.pointer, self.dtype.stored(layout))


def sparse_pointer(ptr: Pointer, swizzle: Any, dtype: SparseElem) -> SparsePointer:
    """Returns the pointer to stored elements of a sparse type at an address."""
    return SparsePointer(recast_ptr(ptr, swizzle, dtype.elem_type), dtype)


def get_sparse_elem_type(
    num_logical: int, num_phys: int, elem_type: Any, *, loc: Any = None, ip: Any = None
) -> SparseElem:
    """Returns the type of elements where memory has ``num_phys`` of ``num_logical`` neighbours.

    :raises ValueError: where the numbers do not divide
    """
    if num_phys < 1 or num_logical < 1 or num_logical % num_phys:
        raise ValueError(f"{num_phys} of {num_logical} neighbours are stored: the second is a "
                         "multiple of the first")
    return SparseElem(num_logical, num_phys, elem_type)
