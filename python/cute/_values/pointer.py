"""Pointers."""

from __future__ import annotations

import enum
from typing import Any

from . import algebra as _algebra, text as _text, operands as _values
from .._compile import ir as _ir
from .layout import Swizzle, TypeOf, make_swizzle
from .numeric import Boolean, Int32, Int64, Integer, Numeric, NumericMeta
from .operands import IrObject, register, wrap

__all__ = "AddressSpace Pointer make_ptr recast_ptr".split()


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
        from . import numeric as _numeric

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

    def raw_ptr(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the pointer itself."""
        return self

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
        """Returns the pointer with a promised alignment in bytes."""
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
        from .tensor import make_tensor

        return make_tensor(self, _algebra.make_layout(1))[0]

    def store(self, value: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Writes the element."""
        from .tensor import make_tensor

        make_tensor(self, _algebra.make_layout(1))[0] = value


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
        from .. import runtime

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
