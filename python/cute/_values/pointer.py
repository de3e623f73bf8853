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
    return dtype.element_name


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
        """The memory space."""
        return self._space or AddressSpace[self._parts()[1]]

    @property
    def alignment(self) -> int:
        """The address's known alignment: a power of two in bytes."""
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
    """An address of elements of a type.

    ``Pointer(p, dtype=T)`` is the address p of elements of type T, where p is a pointer
    or an LLVM value. ``Pointer[T, space]`` is an annotation.
    """

    __slots__ = ()

    def __class_getitem__(cls, parameters: Any) -> Any:
        """Returns the annotation ``Pointer[dtype, space]``."""
        from .typed import TypedPointer

        return TypedPointer(*parameters)

    def __new__(cls, base: Any, *args: Any, dtype: Any = None, **options: Any) -> Any:
        """Returns an object of its own type for a place whose memory is not known."""
        if hasattr(base, "recast"):
            return base if dtype is None else base.recast(dtype)
        return object.__new__(cls)

    def __init__(
        self,
        base: Any,
        space: AddressSpace | None = None,
        swizzle: Swizzle | None = None,
        *,
        dtype: Any = None,
    ):
        if isinstance(base, Pointer):
            base, space = recast_ptr(base, base.swizzle, dtype).ir, space or base._space
        elif isinstance(base, _ir.Value) and _ir.text_of(base.type).startswith("!llvm.ptr"):
            made = _from_llvm(base, dtype)
            base, space = made.ir, space or made._space
        super().__init__(base, space, swizzle)

    @property
    def space(self) -> AddressSpace:
        return self.memspace

    @property
    def natural_alignment(self) -> int:
        """The alignment of an element in bytes."""
        return max(self.dtype.width // 8, 1)

    @property
    def dtype(self) -> Any:
        """The numeric type of the elements."""
        return self._element

    value_type = dtype

    @property
    def swizzle(self) -> Swizzle | None:
        """The swizzle of its addresses, counting bytes; None if there is none."""
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

    def subview(self, offset: Any = 0, *, loc: Any = None, ip: Any = None) -> Pointer:
        """Returns the pointer some elements further, as in an array."""
        return self + offset

    def raw_ptr(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the pointer itself."""
        return self

    def data_ptr(self, idx: Any = 0, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the pointer to the element that many further, as in an array; in tensor memory
        an address for LLVM's additions, in bytes, where each byte is a column."""
        place = self + idx
        return _Columns(place.ir, place._space) if self.memspace is AddressSpace.tmem else place

    def toint(
        self, dtype: Any = None, *, loc: Any = None, ip: Any = None
    ) -> Any:
        """Returns the address, Int32 in shared memory and Int64 elsewhere, or as ``dtype``."""
        made = wrap(_ir.apply("ptr_to_int", self._unswizzled()))
        return made if dtype is None else dtype(made)

    def _unswizzled(self) -> _ir.Operand:
        """Returns the address as it is, where a swizzle leaves it where it is."""
        if not self._is_swizzled_pointer:
            return self.ir
        made = pointer_type(self.dtype, AddressSpace[self._parts()[1]], self.alignment)
        return _ir.apply("recast_ptr", self.ir, results=[made])

    @property
    def llvm_ptr(self) -> _ir.Value:
        """The address as a value of the llvm dialect."""
        return _ir.apply("to_llvm_ptr", self._unswizzled())

    def to_llvm_ptr(self, *, loc: Any = None, ip: Any = None) -> _ir.Value:
        return self.llvm_ptr

    def ir_value(self, *, loc: Any = None, ip: Any = None) -> _ir.Value:
        return self.llvm_ptr

    def tospace(self, space: AddressSpace, *, loc: Any = None, ip: Any = None) -> Pointer:
        """Returns the same place as a pointer to another memory, gmem or generic.

        :raises ValueError: where it is in another memory
        """
        reached = (AddressSpace.gmem, AddressSpace.generic)
        if space is self.memspace:
            return self
        if space not in reached or self.memspace not in reached:
            raise ValueError(f"{self} is not in {space}")
        return Pointer(self.ir, space if space is AddressSpace.generic else None)

    def align(self, min_align: int, *, loc: Any = None, ip: Any = None) -> Pointer:
        """Returns the pointer with a promised alignment in bytes."""
        if min_align <= 0 or min_align & (min_align - 1):
            raise ValueError(f"{min_align} is not a power of two")
        if min_align <= self.alignment:
            return self
        made = _ir.type(
            self.type_text.replace(f"align<{self.alignment}>", f"align<{min_align}>")
        )
        return wrap(_ir.apply("assume", self.ir, results=[made]), self)

    def window(self, shape: Any, alignment: int | None = None) -> Any:
        """Returns the tensor of the elements from here on.

        :param alignment: what is promised of the address, in bytes
        """
        from .tensor import make_tensor

        pointer = self if alignment is None else self.align(alignment)
        return make_tensor(pointer, _algebra.make_layout(shape))

    def load(
        self, alignment: int | None = None, *, count: int | None = None,
        loc: Any = None, ip: Any = None, **options: Any,
    ) -> Any:
        """Returns the element, or with ``count`` that many as a vector."""
        if count is None:
            return self.window(1)[0]
        return self.window(count, alignment).load()

    def store(
        self, value: Any, *, alignment: int | None = None, loc: Any = None, ip: Any = None,
        **options: Any,
    ) -> None:
        """Writes the element, or the elements of a vector."""
        if hasattr(value, "to_elements"):
            self.window(value.size, alignment).store(value.flat())
        else:
            self.window(1)[0] = value

    def __getitem__(self, idx: Any, *, loc: Any = None, ip: Any = None) -> Any:
        return (self + idx).load()

    def __setitem__(
        self, idx: Any, value: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        (self + idx).store(value)

    def masked_load(
        self, mask: Any, pass_thru: Any = None, *, alignment: int | None = None,
        loc: Any = None, ip: Any = None,
    ) -> Any:
        """Returns a vector of the elements where the mask holds, and of ``pass_thru``
        elsewhere.

        :param mask: a vector of Boolean
        :param pass_thru: a vector or a number; 0 where it is left out
        """
        from .atoms import basic_copy_if
        from .tensor import make_rmem_tensor

        held = make_rmem_tensor(mask.size, self.dtype)
        held.store(pass_thru if pass_thru is not None else self.dtype(0))
        basic_copy_if(_in_registers(mask), self.window(mask.size, alignment), held)
        return held.load()

    def masked_store(
        self, value: Any, mask: Any, *, alignment: int | None = None,
        loc: Any = None, ip: Any = None,
    ) -> None:
        """Writes the elements of a vector where the mask holds."""
        from .atoms import basic_copy_if

        target = self.window(mask.size, alignment)
        basic_copy_if(_in_registers(mask), _in_registers(value.to(self.dtype)), target)

    def apply_swizzle(self, swizzle: Swizzle, *, loc: Any = None, ip: Any = None) -> Pointer:
        """Returns the address that a swizzle, which counts bytes, maps this one to."""
        address, base = self.toint(), swizzle.num_base
        mask = ((1 << swizzle.num_bits) - 1) << base
        moved = address ^ ((address >> swizzle.num_shift) & type(address)(mask))
        align = min(self.alignment, 1 << base)
        return make_ptr(self.dtype, moved, self.memspace, assumed_align=align)

    def load_swizzled(
        self, swizzle: Swizzle, alignment: int | None = None, *, count: int | None = None,
        loc: Any = None, ip: Any = None,
    ) -> Any:
        """Returns the element, or some, of memory that a swizzle has moved."""
        return recast_ptr(self, swizzle).load(alignment, count=count)

    def store_swizzled(
        self, value: Any, swizzle: Swizzle, alignment: int | None = None, *,
        loc: Any = None, ip: Any = None,
    ) -> None:
        """Writes to memory that a swizzle moves."""
        recast_ptr(self, swizzle).store(value, alignment=alignment)


def _in_registers(vector: Any) -> Any:
    """Returns a vector as a tensor in registers."""
    from .tensor import make_rmem_tensor

    held = make_rmem_tensor(vector.size, vector.dtype)
    held.store(vector.flat())
    return held


def pointer_type(
    dtype: Any, space: AddressSpace, align: int, swizzle: str = ""
) -> _ir.Type:
    """Returns the dialect's type of a pointer."""
    name = "gmem" if space is AddressSpace.generic else space.name
    more = f", {swizzle}" if swizzle else ""
    return _ir.type(f"!cute.ptr<{element_text(dtype)}, {name}, align<{align}>{more}>")


# Memories whose addresses have 32 bits.
_NEAR = (AddressSpace.smem, AddressSpace.dsmem)


class _Columns(Pointer):
    """A pointer to tensor memory that advances by the bytes of its elements, each byte a column."""

    __slots__ = ()

    def __add__(self, offset: Any) -> Pointer:
        """Returns the pointer a column further for each byte of the elements."""
        columns = recast_ptr(Pointer(self.ir, self._space), dtype=Int32)
        return recast_ptr(columns + offset * self.dtype.width // 8, dtype=self.dtype)


def make_ptr(
    dtype: Any,
    value: Any,
    mem_space: AddressSpace | None = None,
    *,
    assumed_align: int | None = None,
    swizzle_: Swizzle | None = None,
    loc: Any = None,
    ip: Any = None,
) -> Pointer:
    """Returns a pointer to an address: an int, Int64, or LLVM's pointer.

    :param assumed_align: in bytes; without it that of the element
    :param swizzle_: of the addresses, counting bytes
    """
    mem_space = mem_space or AddressSpace.generic
    if not isinstance(dtype, NumericMeta):
        raise TypeError(f"a pointer has a numeric type, not {dtype!r}")
    if _ir.trace() is None:
        from .. import runtime

        return runtime.make_ptr(dtype, value, mem_space, assumed_align)
    if isinstance(value, (int, Integer)):
        number = Int32 if mem_space in _NEAR else Int64
        value = number(value).ir_value()
    elif hasattr(value, "ir_value"):
        value = value.ir_value()
    if isinstance(value, _ir.Value) and _ir.text_of(value.type).startswith("!llvm.ptr"):
        width = "i32" if mem_space in _NEAR else "i64"
        value = _ir.require("make_ptr").op("llvm.ptrtoint", [value], [width])[0]
    align = assumed_align or max(dtype.width // 8, 1)
    made = pointer_type(dtype, mem_space, align)
    space = mem_space if mem_space is AddressSpace.generic else None
    pointer = Pointer(_ir.apply("make_ptr", value, results=[made]), space)
    return pointer if swizzle_ is None else recast_ptr(pointer, swizzle_)


def _from_llvm(value: _ir.Value, dtype: Any) -> Pointer:
    """Returns the pointer of one of LLVM's, to bytes unless a type is given."""
    number = _ir.text_of(value.type).removeprefix("!llvm.ptr").strip("<>")
    from .numeric import Uint8

    return make_ptr(dtype or Uint8, value, AddressSpace(int(number or 0)))


def recast_ptr(
    ptr: Pointer,
    swizzle_: Swizzle | None = None,
    dtype: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> Pointer:
    """Returns the same address with another element type, and this swizzle or none.

    Wider elements promise that the address is aligned for them.
    """
    if hasattr(dtype, "num_logical"):  # of a sparse A
        from .sparse import sparse_pointer

        return sparse_pointer(ptr, swizzle_, dtype)
    width = max((dtype or ptr.dtype).width // 8, 1)
    if ptr.alignment < width:
        ptr = ptr.align(width)
    space = AddressSpace[ptr._parts()[1]]
    swizzle = "" if swizzle_ is None else str(swizzle_)
    made = pointer_type(dtype or ptr.dtype, space, ptr.alignment, swizzle)
    return wrap(_ir.apply("recast_ptr", ptr.ir, results=[made]), ptr)
