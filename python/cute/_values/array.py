"""``Array``: memory that is indexed as in C, with parts of it as vectors."""

from __future__ import annotations

from typing import Any, Sequence

from . import algebra as _algebra
from .._compile import ir as _ir
from .._compat.missing import NotThere
from .numeric import NumericMeta
from .struct import SmemAllocator
from .pointer import AddressSpace, Pointer, recast_ptr
from .tensor import Tensor, make_rmem_tensor, make_tensor
from .tensor_ssa import TensorSSA, vector_of

__all__ = ["Array", "Vector", "make_array_view"]


class Array:
    """Contiguous elements of one type in memory, with the last mode fastest.

    A parameter with this annotation takes a tensor. Within a kernel ``Array(dtype,
    size)`` is a thread's own memory, and with ``space=AddressSpace.smem`` the block's;
    its contents are undefined at first.

    ``a[i]`` is an element, counted from the first, ``a[r, c]`` that of a coordinate, and
    ``a[i:V]`` the V elements from i on as a ``Vector``; all of them can be assigned.

    ``Array(pointer, shape, dtype=T)`` is existing memory.

    :param shape: an int, or the extents; known when the program is compiled
    """

    def __init__(
        self,
        base: Any = None,
        shape: Any = 1,
        space: AddressSpace = AddressSpace.generic,
        *,
        dtype: NumericMeta | None = None,
        name: str | None = None,
        init: Any = None,
        alignment: int | None = None,
        addrspace: Any = None,
    ):
        given, shape = shape, tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        if not all(isinstance(n, int) and n > 0 for n in shape):
            raise ValueError(f"an Array has extents that are known, not {given}")
        if isinstance(base, Pointer):
            self._view(base if dtype is None else recast_ptr(base, dtype=dtype), shape, alignment)
            return
        dtype = base if dtype is None else dtype
        if addrspace is not None:
            space = AddressSpace(addrspace)
        if space not in (AddressSpace.generic, AddressSpace.rmem, AddressSpace.smem):
            raise NotThere(f"Arrays in {space} outlive kernels: pass a tensor instead")
        if name is not None or init is not None:
            raise NotThere("Arrays with a name or contents are not there: write them")
        _ir.require("an Array")
        layout = _algebra.make_ordered_layout(shape, tuple(reversed(range(len(shape)))))
        if space is AddressSpace.smem:
            align = alignment or max(dtype.width // 8, 1)
            self._tensor = SmemAllocator().allocate_tensor(dtype, layout, align)
        else:
            self._tensor = make_rmem_tensor(layout, dtype)
        self._place = AddressSpace.generic if space is not AddressSpace.smem else space
        self._alignment = alignment or max(dtype.width // 8, 1)

    def _view(self, pointer: Pointer, shape: tuple[int, ...], alignment: int | None) -> None:
        """Makes this the memory at a pointer."""
        layout = _algebra.make_ordered_layout(shape, tuple(reversed(range(len(shape)))))
        self._tensor = make_tensor(pointer, layout)
        self._place = pointer.memspace
        self._alignment = alignment or pointer.alignment

    @classmethod
    def _of(cls, tensor: Tensor) -> Array:
        made = object.__new__(cls)
        made._tensor = tensor
        is_argument = tensor.memspace is AddressSpace.generic
        made._place = AddressSpace.gmem if is_argument else tensor.memspace
        made._alignment = tensor.iterator.alignment
        return made

    @classmethod
    def __cute_take__(cls, value: Any) -> Any:
        """Returns an argument as a function with this annotation receives it."""
        return cls._of(value) if isinstance(value, Tensor) else value

    def __cute_give__(self) -> Tensor:
        """Returns the values passed to a kernel."""
        return self._tensor

    @property
    def dtype(self) -> Any:
        return self._tensor.element_type

    element_type = dtype

    @property
    def shape(self) -> tuple[Any, ...]:
        shape = self._tensor.shape
        return shape if isinstance(shape, tuple) else (shape,)

    @property
    def strides(self) -> tuple[Any, ...]:
        stride = self._tensor.stride
        return stride if isinstance(stride, tuple) else (stride,)

    @property
    def address_space(self) -> AddressSpace:
        return self._place

    @property
    def alignment(self) -> int:
        """The address's known alignment: a power of two in bytes."""
        return self._alignment

    @property
    def ptr(self) -> Any:
        return self._tensor.iterator

    def raw_ptr(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the pointer to the first element."""
        return self.ptr

    def __len__(self) -> int:
        return self.shape[0]

    def __str__(self) -> str:
        return (
            f"Array(dtype={self.dtype}, address_space={self._place}, "
            f"shape={self.shape}, alignment={self._alignment})"
        )

    __repr__ = __str__

    @property
    def space(self) -> AddressSpace:
        return self._place

    @property
    def align(self) -> int:
        return self._alignment

    def ir_value(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the address of the first element as LLVM has it."""
        return self.ptr.llvm_ptr

    def _offset(self, index: Any) -> Any:
        """Returns how many elements further a place is: a number, or a coordinate."""
        return self._tensor.layout(index) if isinstance(index, tuple) else index

    def _like(self, tensor: Tensor) -> Array:
        made = Array._of(tensor)
        made._place = self._place
        return made

    def subview(self, idx: Any = 0, *, loc: Any = None, ip: Any = None) -> Array:
        """Returns the array that begins some elements further, or at a coordinate."""
        return self._like(make_tensor(self.ptr + self._offset(idx), self._tensor.layout))

    def tospace(self, space: AddressSpace, *, loc: Any = None, ip: Any = None) -> Array:
        """Returns the array as one of another memory, gmem or generic."""
        made = self._like(make_tensor(self.ptr.tospace(space), self._tensor.layout))
        made._place = space
        return made

    def data_ptr(self, idx: Any = 0, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the pointer to the element that many further, or at a coordinate."""
        return self.ptr + self._offset(idx)

    def _window(self, index: slice) -> Tensor:
        if index.step is not None or not isinstance(index.stop, int):
            raise IndexError("a[i:V] has V elements from i on; V is known")
        first = 0 if index.start is None else index.start
        return make_tensor(self.ptr + first, _algebra.make_layout(index.stop))

    def _element(self, index: Any) -> tuple[Tensor, Any]:
        """Returns a tensor, and where the element is in it."""
        if isinstance(index, tuple):
            if len(index) != len(self.shape):
                raise IndexError(f"{self} has {len(self.shape)} modes, not {len(index)}")
            return self._tensor, index if isinstance(self._tensor.shape, tuple) else index[0]
        if len(self.shape) == 1:
            return self._tensor, (index,) if isinstance(self._tensor.shape, tuple) else index
        return make_tensor(self.ptr + index, _algebra.make_layout(1)), 0

    def __getitem__(self, idx: Any, *, loc: Any = None, ip: Any = None) -> Any:
        if isinstance(idx, slice):
            return self._window(idx).load()
        if isinstance(idx, tuple) and any(i == slice(None) for i in idx):
            return self._like(self._tensor[idx])
        tensor, place = self._element(idx)
        return tensor[place]

    def __setitem__(
        self, idx: Any, value: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        if isinstance(idx, slice):
            self._window(idx).store(value)
            return
        tensor, place = self._element(idx)
        tensor[place] = value

    def load(
        self, idx: Any = 0, vector_size: int | None = None, *, alignment: int | None = None,
        loc: Any = None, ip: Any = None, **options: Any,
    ) -> Any:
        """Returns the element at a place, or with ``vector_size`` that many from there on."""
        if vector_size is None:
            return self[idx]
        return self.data_ptr(idx).load(alignment, count=vector_size)

    def store(
        self, value: Any, idx: Any = 0, vector_size: int | None = None, *,
        alignment: int | None = None, loc: Any = None, ip: Any = None, **options: Any,
    ) -> None:
        """Writes an element, or the elements of a vector, at a place."""
        self.data_ptr(idx).store(value, alignment=alignment)

    def masked_load(
        self, idx: Any, count: int, mask: Any, default: Any = None, *,
        alignment: int | None = None, loc: Any = None, ip: Any = None, **options: Any,
    ) -> Any:
        """Returns elements where a mask holds, ``default`` elsewhere, as a vector."""
        mask = mask[0:count] if isinstance(mask, Array) else mask
        return self.data_ptr(idx).masked_load(mask, default, alignment=alignment)

    def masked_store(
        self, idx: Any, value: Any, mask: Any, *, alignment: int | None = None,
        loc: Any = None, ip: Any = None, **options: Any,
    ) -> None:
        """Writes the elements of a vector where a mask holds."""
        value, mask = (x[0 : len(x)] if isinstance(x, Array) else x for x in (value, mask))
        self.data_ptr(idx).masked_store(value, mask, alignment=alignment)


def make_array_view(tensor: Tensor, *, loc: Any = None, ip: Any = None) -> Array:
    """Returns the memory of a tensor without nested modes as an Array."""
    shape = tensor.shape
    if any(isinstance(extent, tuple) for extent in shape if isinstance(shape, tuple)):
        raise ValueError(f"an Array has no modes within modes, unlike {tensor}")
    return Array._of(tensor)


class Vector(TensorSSA):
    """A value with several elements in registers; operations return new ones."""

    @classmethod
    def from_elements(
        cls, elements: Sequence[Any], dtype: NumericMeta, *, loc: Any = None, ip: Any = None
    ) -> TensorSSA:
        """Returns the vector of these numbers."""
        return vector_of(elements, dtype)
