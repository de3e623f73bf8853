"""Pointers and tensors."""

from __future__ import annotations

import enum
from typing import Any

from . import _algebra, _ir, _text, _values
from ._errors import StaticValueError
from ._layout import ComposedLayout, Layout, Swizzle, TypeOf, make_swizzle
from ._numeric import Boolean, Int32, Int64, Integer, Numeric, NumericMeta
from ._values import IrObject, register, wrap

__all__ = (
    "AddressSpace Pointer Tensor make_fragment make_fragment_like "
    "make_identity_tensor make_ptr make_rmem_tensor make_rmem_tensor_like make_tensor "
    "print_tensor recast_ptr recast_tensor"
).split()


class AddressSpace(enum.Enum):
    """Where memory is."""

    generic = 0
    gmem = 1
    smem = 3
    rmem = 5
    tmem = 6
    dsmem = 7

    def __str__(self) -> str:
        return self.name


def element_text(dtype: Any) -> str:
    """Returns the dialect's name of an element type: f16, i32, ui8, i1."""
    if not dtype.is_float and not dtype.signed and dtype is not Boolean:
        return f"u{dtype.ir_name}"
    return dtype.ir_name


def element_type(text: str) -> Any:
    """Returns the numeric type of the dialect's name of an element type."""
    if text.startswith("ui"):
        from . import _numeric

        return getattr(_numeric, f"Uint{text[2:]}")
    return Numeric.from_mlir_type(text)


def _memory_name(dtype: Any) -> str:
    """Returns the name of an element type as the reference has it in memory."""
    return "i8" if dtype is Boolean else element_text(dtype)


class _Memory(IrObject):
    """What pointers and tensors share: element type, space and alignment.

    On the host memory is in the generic space, which the dialect does not
    distinguish from gmem: ``_space`` says so. A swizzle of the pointer of a tensor
    is in its layout for the dialect: ``_swizzle`` has it, counting bytes.
    """

    __slots__ = ("_space", "_swizzle")

    def __init__(
        self,
        ir: _ir.Operand,
        space: AddressSpace | None = None,
        swizzle: Swizzle | None = None,
    ):
        super().__init__(ir)
        self._space = space
        self._swizzle = swizzle

    def take_after(self, like: Any) -> None:
        if isinstance(like, _Memory):
            self._space = like._space
            self._swizzle = like._swizzle

    def remade(self, ir: _ir.Operand) -> Any:
        return type(self)(ir, self._space, self._swizzle)

    def __cute_signature__(self) -> Any:
        return (self.type_text, self._space, self._swizzle)

    def _parts(self) -> tuple[str, ...]:
        return _text.parameters(self.type_text)

    @property
    def _element(self) -> Any:
        return element_type(self._parts()[0])

    @property
    def memspace(self) -> AddressSpace:
        """Where the memory is."""
        return self._space or AddressSpace[self._parts()[1]]

    @property
    def alignment(self) -> int:
        """What is known of the address: a power of two in bytes."""
        return int(self._parts()[2][6:-1])

    @property
    def max_alignment(self) -> int:
        return self.alignment

    def _engine_text(self) -> str:
        dtype = self._element
        text = f"{_memory_name(dtype)}, {self.memspace}"
        if self.alignment > max(dtype.width // 8, 1):
            text += f", align<{self.alignment}>"
        if self._is_swizzled_pointer:
            text += f", {self._parts()[3]}"
        return text

    @property
    def _is_swizzled_pointer(self) -> bool:
        return self.type_text.startswith("!cute.ptr") and len(self._parts()) > 3


class _TypeOfPointer(TypeOf):
    """The type of a pointer; ``swizzle_type`` has no bits where it has no swizzle."""

    __slots__ = ("swizzle_type",)

    def __init__(self, text: str, swizzle: Swizzle | None):
        super().__init__(text)
        self.swizzle_type = make_swizzle(0, 4, 3) if swizzle is None else swizzle


@register("ptr")
class Pointer(_Memory):
    """An address of elements of a type."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """The numeric type of the elements."""
        return self._element

    value_type = dtype

    @property
    def swizzle(self) -> Swizzle | None:
        """The swizzle of its addresses, counting bytes; None where there is none."""
        if not self._is_swizzled_pointer:
            return None
        numbers = self._parts()[3][2:-1].split(",")
        return make_swizzle(*(int(n) for n in numbers))

    @property
    def type(self) -> TypeOf:
        """The type as the reference prints it, which also has the swizzle."""
        return _TypeOfPointer(f"!cute.ptr<{self._engine_text()}>", self.swizzle)

    def __str__(self) -> str:
        return f"ptr<{self._engine_text()}>"

    __repr__ = __str__

    def __add__(self, offset: Any) -> Pointer:
        """Returns the pointer some elements further."""
        return wrap(_ir.apply("add_offset", self.ir, _values.index(offset)), self)

    def __sub__(self, offset: Any) -> Pointer:
        return self + -offset

    def toint(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the address, Int32 in shared memory and Int64 elsewhere."""
        return wrap(_ir.apply("ptr_to_int", self._unswizzled()))

    def _unswizzled(self) -> _ir.Operand:
        """Returns the address as it is, where a swizzle leaves it where it is."""
        if not self._is_swizzled_pointer:
            return self.ir
        made = pointer_type(self.dtype, AddressSpace[self._parts()[1]], self.alignment)
        return _ir.apply("recast_ptr", self.ir, results=[made])

    @property
    def llvm_ptr(self) -> _ir.Value:
        """The address as a value of LLVM's dialect."""
        return _ir.apply("to_llvm_ptr", self._unswizzled())

    def to_llvm_ptr(self, *, loc: Any = None, ip: Any = None) -> _ir.Value:
        return self.llvm_ptr

    def align(self, min_align: int, *, loc: Any = None, ip: Any = None) -> Pointer:
        """Returns the pointer, of which an alignment in bytes is promised."""
        if min_align <= 0 or min_align & (min_align - 1):
            raise ValueError(f"{min_align} is no power of two")
        if min_align <= self.alignment:
            return self
        made = _ir.type(
            self.type_text.replace(f"align<{self.alignment}>", f"align<{min_align}>")
        )
        return wrap(_ir.apply("assume", self.ir, results=[made]), self)

    def load(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the element."""
        return make_tensor(self, _algebra.make_layout(1))[0]

    def store(self, value: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Writes the element."""
        make_tensor(self, _algebra.make_layout(1))[0] = value


@register("tensor", "coord_tensor")
class Tensor(_Memory):
    """A pointer with a layout, or coordinates with a layout."""

    __slots__ = ()

    @property
    def _is_coord(self) -> bool:
        return self.type_text.startswith("!cute.coord_tensor")

    @property
    def type(self) -> TypeOf:
        """The type as the reference prints it, ``!cute.memref<...>``."""
        if self._is_coord:
            return TypeOf(self.type_text)
        return TypeOf(f'!cute.memref<{self._engine_text()}, "{self._parts()[3]}">')

    def __str__(self) -> str:
        layout = self._parts()[-1]
        if self._is_coord:
            return f"tensor<{self._parts()[0]} o {layout}>"
        return f"tensor<ptr<{self._engine_text()}> o {layout}>"

    __repr__ = __str__

    @property
    def element_type(self) -> Any:
        """The numeric type of the elements."""
        if self._is_coord:
            from ._numeric import Int32

            return Int32
        return self._element

    dtype = element_type
    value_type = element_type
    _dtype = element_type  # by the name that public programs use

    @property
    def memspace(self) -> AddressSpace:
        if self._is_coord:
            raise AttributeError(f"{self} has coordinates, which are in no memory")
        return super().memspace

    @property
    def iterator(self) -> Any:
        """The pointer, or the coordinate at which the tensor begins."""
        start = wrap(_ir.apply("get_iter", self.ir), self)
        layout = self._whole_layout()
        if self._swizzle is None or not isinstance(layout, ComposedLayout):
            return start
        return recast_ptr(start, self._swizzle) + layout.offset

    def _whole_layout(self) -> Any:
        return wrap(_ir.apply("get_layout", self.ir))

    @property
    def layout(self) -> Any:
        """The layout, without a swizzle that is the pointer's."""
        layout = self._whole_layout()
        if self._swizzle is None or not isinstance(layout, ComposedLayout):
            return layout
        return layout.outer

    @property
    def shape(self) -> Any:
        return wrap(_ir.apply("get_shape", self.ir))

    @property
    def stride(self) -> Any:
        return self.layout.stride

    @property
    def leading_dim(self) -> Any:
        """The mode of stride 1, or None."""
        return _algebra.leading_dim(self.shape, self.stride)

    def __getitem__(self, coord: Any) -> Any:
        """Returns an element, or with None in the coordinate a part."""
        coord = _coordinate(coord)
        if _algebra.has_underscore(coord):
            return _algebra.slice_(self, coord)
        if self._is_coord:
            place = _ir.apply("slice", self.ir, _values.coord(coord))
            return wrap(_ir.apply("get_iter", place))
        loaded = _ir.apply("load", self.ir, _values.coord(coord))
        return self.element_type(loaded)

    def __setitem__(self, coord: Any, value: Any) -> None:
        """Writes an element, or to a part the elements of a TensorSSA."""
        self._need_memory("written to")
        coord = _coordinate(coord)
        if _algebra.has_underscore(coord):
            _algebra.slice_(self, coord).store(value)
            return
        if isinstance(value, Tensor):
            raise TypeError(
                f"an element of {self} is a number, not {value}: index that one, too, or write "
                "tensor.store(other.load()) or cute.autovec_copy(other, tensor)"
            )
        number = self.element_type(value).ir_value()
        _ir.apply("store", number, self.ir, _values.coord(coord), results=[])

    def _need_memory(self, what: str) -> None:
        if self._is_coord:
            raise TypeError(f"{self} has coordinates: it cannot be {what}")

    def load(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns all elements as a TensorSSA; the shape is static."""
        from ._tensor_ssa import TensorSSA

        self._need_memory("loaded from")
        if not _algebra.is_static(self.shape):
            raise ValueError(f"a tensor is loaded with a static shape, not {self}")
        vector = _ir.apply("load_vector", self.ir)
        return TensorSSA(vector, self.shape, self.element_type)

    def store(self, data: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Writes the elements of a TensorSSA, or one number to all."""
        self._need_memory("written to")
        if isinstance(data, (int, float, Numeric)):
            self.fill(data)
            return
        if _algebra.size(data.shape) != _algebra.size(self):
            raise ValueError(
                f"a vector of {_algebra.size(data.shape)} elements is stored to {self}, which "
                f"has {_algebra.size(self)}: slice the tensor, or load as many elements"
            )
        if data.dtype is not self.element_type:
            data = data.to(self.element_type)
        _ir.apply("store_vector", data.ir_value(), self.ir, results=[])

    def fill(self, value: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Writes a number to all elements."""
        self._need_memory("filled")
        number = self.element_type(value).ir_value()
        _ir.apply("fill", self.ir, number, results=[])

    def __len__(self) -> int:
        return _algebra.rank(self)

    def mark_layout_dynamic(self, leading_dim: int | None = None) -> Tensor:
        """Returns the tensor: within a program its layout is what it is."""
        return self


def _coordinate(coord: Any) -> Any:
    """Returns a coordinate without Python's slices: ``:`` is None."""
    if isinstance(coord, (tuple, list)):
        return tuple(_coordinate(c) for c in coord)
    if isinstance(coord, slice):
        if coord != slice(None):
            raise IndexError("a tensor takes : for all of a mode, and no ranges")
        return None
    if coord is None or isinstance(coord, (int, Integer)):
        return coord
    if hasattr(coord, "__index__"):
        return coord.__index__()
    raise TypeError(f"{coord!r} is no coordinate")


# ---- Making them ------------------------------------------------------------


def pointer_type(
    dtype: Any, space: AddressSpace, align: int, swizzle: str = ""
) -> _ir.Type:
    """Returns the dialect's type of a pointer."""
    name = "gmem" if space is AddressSpace.generic else space.name
    more = f", {swizzle}" if swizzle else ""
    return _ir.type(f"!cute.ptr<{element_text(dtype)}, {name}, align<{align}>{more}>")


def make_ptr(
    dtype: Any,
    value: Any,
    mem_space: AddressSpace = AddressSpace.generic,
    *,
    assumed_align: int | None = None,
    loc: Any = None,
    ip: Any = None,
) -> Pointer:
    """Returns a pointer to an address: an int, Int64, or LLVM's pointer.

    :param assumed_align: in bytes; without it that of the element
    """
    if not isinstance(dtype, NumericMeta):
        raise TypeError(f"a pointer has a numeric type, not {dtype!r}")
    if _ir.trace() is None:
        from . import runtime

        return runtime.make_ptr(dtype, value, mem_space, assumed_align)
    if isinstance(value, (int, Integer)):
        number = Int32 if mem_space is AddressSpace.smem else Int64
        value = number(value).ir_value()
    elif hasattr(value, "ir_value"):
        value = value.ir_value()
    if isinstance(value, _ir.Value) and _ir.text_of(value.type).startswith("!llvm.ptr"):
        width = "i32" if mem_space is AddressSpace.smem else "i64"
        value = _ir.require("make_ptr").op("llvm.ptrtoint", [value], [width])[0]
    align = assumed_align or max(dtype.width // 8, 1)
    made = pointer_type(dtype, mem_space, align)
    space = mem_space if mem_space is AddressSpace.generic else None
    return Pointer(_ir.apply("make_ptr", value, results=[made]), space)


def recast_ptr(
    ptr: Pointer,
    swizzle_: Swizzle | None = None,
    dtype: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> Pointer:
    """Returns the same address with another element type, and this swizzle or none."""
    space = AddressSpace[ptr._parts()[1]]
    swizzle = "" if swizzle_ is None else str(swizzle_)
    made = pointer_type(dtype or ptr.dtype, space, ptr.alignment, swizzle)
    return wrap(_ir.apply("recast_ptr", ptr.ir, results=[made]), ptr)


def make_tensor(iterator: Any, layout: Any, *, loc: Any = None, ip: Any = None) -> Tensor:
    """Returns the tensor whose element c is at iterator + layout(c).

    :param iterator: a pointer; or a tuple of integers, for coordinates
    :param layout: a layout, or a shape for its compact layout
    """
    operand = layout.ir if isinstance(layout, IrObject) else _values.shape(layout)
    if isinstance(iterator, Pointer):
        made = _ir.apply("make_tensor", iterator.ir, operand)
        return Tensor(made, iterator._space, iterator.swizzle)
    if _algebra.is_int_tuple(iterator):
        return wrap(_ir.apply("make_tensor", _values.int_tuple(iterator), operand))
    if hasattr(iterator, "__cute_pointer__"):
        return make_tensor(iterator.__cute_pointer__(), layout)
    raise ValueError(f"{iterator!r} is no pointer and no coordinate")


def make_identity_tensor(shape: Any, *, loc: Any = None, ip: Any = None) -> Tensor:
    """Returns the tensor whose elements are their own coordinates."""
    return wrap(_ir.apply("make_identity_tensor", _values.shape(shape)))


def make_rmem_tensor(
    layout_or_shape: Any, dtype: Any, *, loc: Any = None, ip: Any = None
) -> Tensor:
    """Returns a tensor in the registers of a thread, with undefined contents."""
    layout = layout_or_shape
    if not _algebra.is_static(layout):
        raise StaticValueError(
            "the shape of registers is known when the program is compiled, but this one is "
            "dynamic; pass its numbers as cutlass.Constexpr, or take it of a static layout"
        )
    operand = layout.ir if isinstance(layout, IrObject) else _values.shape(layout)
    element = _element_attribute(dtype)
    return Tensor(_ir.apply("make_fragment", operand, element=element))


make_fragment = make_rmem_tensor


def _element_attribute(dtype: Any) -> _ir.Type:
    return _ir.type(element_text(dtype))


def make_fragment_like(
    src: Any, dtype: Any = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns registers of the shape of a tensor; of a layout, such a layout.

    Mode 0 is compact at stride 1, the others follow in the order of the
    source's strides.
    """
    if isinstance(src, (Layout, ComposedLayout)) and dtype is None:
        made = _ir.infer("make_fragment_like", [_ir.own(src.ir)],
                         {"element": _ir.type("f32")})[0]
        return Layout(_ir.type(f'!cute.layout<"{_text.parameters(_ir.text_of(made))[3]}">'))
    dtype = dtype or src.element_type
    found = _ir.apply("make_fragment_like", src.ir, element=_element_attribute(dtype))
    return Tensor(found)


make_rmem_tensor_like = make_fragment_like


def recast_tensor(
    src: Tensor, dtype: Any, swizzle_: Any = None, *, loc: Any = None, ip: Any = None
) -> Tensor:
    """Returns the same memory in elements of another type."""
    found = _ir.apply("recast_tensor", src.ir, element=_element_attribute(dtype))
    return wrap(found, src)


def print_tensor(
    tensor: Tensor, *, verbose: bool = False, loc: Any = None, ip: Any = None
) -> None:
    """Prints a tensor with its elements when the program runs."""
    from . import _printing

    _printing.print_tensor(tensor, verbose)
