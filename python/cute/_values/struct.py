"""C structs in shared memory, and the allocator of shared memory."""

from __future__ import annotations

import enum
import sys
import typing
from typing import Any, NamedTuple

from . import algebra as _algebra
from .._compile import ir as _ir
from .layout import ComposedLayout, make_swizzle
from .numeric import Int8, NumericMeta
from .pointer import Pointer, recast_ptr, element_text
from .tensor import Tensor, make_tensor
from .operands import wrap


def _is_power_of_two(n: Any) -> bool:
    return isinstance(n, int) and n > 0 and n & (n - 1) == 0


def _bytes(dtype: NumericMeta, count: int) -> int:
    return -(-dtype.width * count // 8)


def _round_up(n: int, alignment: int) -> int:
    return -(-n // alignment) * alignment


class MemRange:
    """``MemRange[T, n]`` is an array of ``n`` elements of type ``T`` in a struct."""

    def __init__(self, dtype: NumericMeta, size: int):
        if not isinstance(dtype, NumericMeta):
            raise TypeError(f"MemRange has elements of a numeric type, not {dtype!r}")
        if not isinstance(size, int) or size < 0:
            raise TypeError(f"MemRange has a static number of elements, not {size!r}")
        self.dtype, self.size = dtype, size

    def __class_getitem__(cls, parameters: Any) -> MemRange:
        if not isinstance(parameters, tuple) or len(parameters) != 2:
            raise TypeError("write MemRange[type, number of elements]")
        return cls(*parameters)

    @property
    def elem_width(self) -> int:
        """The bits of an element."""
        return self.dtype.width

    @property
    def size_in_bytes(self) -> int:
        return _bytes(self.dtype, self.size)


class Align:
    """``Align[T, n]`` is ``T`` at an offset that is a multiple of ``n`` bytes."""

    def __init__(self, dtype: Any, align: int):
        if not _is_power_of_two(align):
            raise ValueError(f"an alignment is a power of two in bytes, not {align!r}")
        self.dtype, self.align = dtype, align
        _measure(dtype)

    def __class_getitem__(cls, parameters: Any) -> Align:
        if not isinstance(parameters, tuple) or len(parameters) != 2:
            raise TypeError("write Align[type, bytes]")
        return cls(*parameters)


def _measure(member: Any) -> tuple[Any, int, int]:
    """Returns a member's type without Align, its bytes and its alignment."""
    if isinstance(member, Align):
        inner, size, alignment = _measure(member.dtype)
        return inner, size, max(alignment, member.align)
    if isinstance(member, struct):
        return member, member.__sizeof__(), member.__alignof__()
    if isinstance(member, MemRange):
        return member, member.size_in_bytes, max(1, member.dtype.width // 8)
    if isinstance(member, NumericMeta) and member.width:
        size = _bytes(member, 1)
        return member, size, size
    raise TypeError(
        f"a member of a struct is a numeric type, MemRange, Align or a struct, "
        f"not {member!r}"
    )


class _Member(NamedTuple):
    offset: int
    type: Any


class struct:  # noqa: N801
    """Makes a C struct of a class with annotations, for shared memory.

    ::

        @cute.struct
        class Storage:
            barriers: cute.struct.MemRange[cutlass.Int64, 4]
            a: cute.struct.Align[cute.struct.MemRange[cutlass.Float16, 4096], 128]
            count: cutlass.Int32

        storage = SmemAllocator().allocate(Storage)
        storage.a.get_tensor(layout), storage.barriers.data_ptr(), storage.count.ptr

    :raises TypeError: if there are no members, or a member is of another kind
    """

    MemRange = MemRange
    Align = Align
    _is_union = False

    def __init__(self, cls: type):
        self._name = cls.__name__
        self._members: dict[str, _Member] = {}
        offset, self._alignment = 0, 1
        for name, annotation in _annotations(cls).items():
            member, size, alignment = _measure(annotation)
            place = 0 if self._is_union else _round_up(offset, alignment)
            self._members[name] = _Member(place, member)
            offset = max(offset, place + size)
            self._alignment = max(self._alignment, alignment)
        if not self._members:
            raise TypeError(f"the {type(self).__name__} {self._name} has no members")
        self._offsets = {name: member.offset for name, member in self._members.items()}
        self._size = _round_up(offset, self._alignment)

    def __sizeof__(self) -> int:
        return self._size

    def __alignof__(self) -> int:
        return self._alignment

    def size_in_bytes(self) -> int:
        """Returns the bytes of the struct, including padding."""
        return self._size

    def __call__(self, base: Pointer) -> _Instance:
        """Returns the struct that begins at a pointer."""
        return _Instance(self, recast_ptr(base, dtype=Int8))

    def __repr__(self) -> str:
        return f"<struct {self._name} of {self._size} bytes>"


class union(struct):  # noqa: N801
    """Makes a C union of a class with annotations: its members begin at one address."""

    _is_union = True


def _annotations(cls: type) -> dict[str, Any]:
    """Returns the annotations, with text evaluated in the class's scope."""
    found = dict(cls.__dict__.get("__annotations__", {}))
    if hasattr(cls, "__annotate__") and not found:
        found = dict(cls.__annotations__)
    if not any(isinstance(value, str) for value in found.values()):
        return found
    frame = sys._getframe(2)
    try:
        return typing.get_type_hints(cls, frame.f_globals, dict(frame.f_locals))
    except (NameError, TypeError):
        return {
            name: eval(v, frame.f_globals, frame.f_locals) if isinstance(v, str) else v
            for name, v in found.items()
        }


class _Instance:
    """A struct in memory; its members are attributes."""

    __slots__ = ("_struct", "_base")

    def __init__(self, layout: struct, base: Pointer):
        object.__setattr__(self, "_struct", layout)
        object.__setattr__(self, "_base", base)

    def _member(self, name: str) -> _Member:
        try:
            return self._struct._members[name]
        except KeyError:
            members = ", ".join(self._struct._members)
            raise AttributeError(
                f"struct {self._struct._name} has no member {name}; it has {members}"
            ) from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        offset, member = self._member(name)
        place = self._base + offset if offset else self._base
        if isinstance(member, struct):
            return _Instance(member, place)
        if isinstance(member, MemRange):
            return _Range(member, recast_ptr(place, dtype=member.dtype))
        return _Scalar(recast_ptr(place, dtype=member))

    def __setattr__(self, name: str, value: Any) -> None:
        member = getattr(self, name)
        if not isinstance(member, _Scalar):
            raise TypeError(f"{name} is not a number: assign to its elements")
        member.ptr.store(value)

    @property
    def ptr(self) -> Pointer:
        """Where the struct begins, as a pointer to Int8."""
        return self._base

    def __sizeof__(self) -> int:
        return self._struct.__sizeof__()

    def __alignof__(self) -> int:
        return self._struct.__alignof__()


class _Scalar:
    """The place of a number in a struct; it goes where a pointer goes."""

    __slots__ = ("ptr",)

    def __init__(self, ptr: Pointer):
        self.ptr = ptr

    def __cute_pointer__(self) -> Pointer:
        return self.ptr

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "ptr"), name)

    def __str__(self) -> str:
        return f"the place of a number in a struct, {self.ptr}"

    def __add__(self, elements: Any) -> Pointer:
        return self.ptr + elements

    def _is_no_number(self, *_: Any) -> Any:
        raise TypeError(f"{self} is not a number: write load()")


for _name in "radd sub rsub mul rmul truediv rtruediv lt le gt ge neg bool".split():
    setattr(_Scalar, f"__{_name}__", _Scalar._is_no_number)


class _Range:
    """An array in a struct."""

    __slots__ = ("_range", "_base")

    def __init__(self, memory: MemRange, base: Pointer):
        self._range, self._base = memory, base

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._range.size

    def data_ptr(self, *, loc: Any = None, ip: Any = None) -> Pointer:
        """Returns the array's address, also if it has no elements."""
        return self._base

    __cute_pointer__ = data_ptr

    def get_tensor(
        self,
        layout: Any,
        swizzle: Any = None,
        dtype: Any = None,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> Tensor:
        """Returns the array as a tensor.

        :param swizzle: of the addresses; then the layout has none of its own
        :param dtype: the type of the elements, if another than the array's
        """
        if swizzle is not None and isinstance(layout, ComposedLayout):
            raise TypeError("the layout has a swizzle: leave out the other one")
        if isinstance(layout, (int, tuple)):
            layout = _algebra.make_layout(layout)
        return _tensor_at(self.data_ptr(), layout, swizzle, dtype or self._range.dtype)

    def _check(self, index: Any) -> None:
        if isinstance(index, int) and not 0 <= index < self._range.size:
            raise IndexError(f"element {index} of an array of {self._range.size}")

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        return (self._base + index).load()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        (self._base + index).store(value)


class SmemPartition(enum.Enum):
    """Parts of shared memory, which are one here."""

    RESERVED = 0
    USER = 1


class SmemAllocator:
    """Hands out the block's shared memory, a new part each time."""

    def allocate(
        self,
        size_or_type: Any,
        byte_alignment: int = 1,
        *,
        partition: Any = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        """Returns bytes, a number or a struct in shared memory.

        :param size_or_type: a number of bytes, a numeric type, or a struct
        :param byte_alignment: at least; a power of two
        :return: a pointer; of a struct the struct
        """
        if isinstance(size_or_type, struct):
            alignment = max(byte_alignment, size_or_type.__alignof__())
            return size_or_type(_allocate(Int8, size_or_type.__sizeof__(), alignment))
        if isinstance(size_or_type, NumericMeta):
            return _allocate(size_or_type, 1, byte_alignment)
        if isinstance(size_or_type, bool) or not isinstance(size_or_type, int):
            raise TypeError(
                "shared memory is allocated for a static number of bytes, a numeric "
                f"type or a cute.struct, not for {size_or_type!r}"
            )
        if size_or_type < 0:
            raise ValueError(f"{size_or_type} bytes cannot be allocated")
        return _allocate(Int8, size_or_type, byte_alignment)

    def allocate_array(
        self,
        element_type: Any,
        num_elems: int = 1,
        byte_alignment: int = 1,
        *,
        partition: Any = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Pointer:
        """Returns a pointer to ``num_elems`` elements in shared memory."""
        return _allocate(element_type, num_elems, byte_alignment)

    @staticmethod
    def capacity_in_bytes(compute_capability: str | None = None) -> int:
        """Returns the bytes that a block can have, for example on "sm_90"."""
        from ..utils import get_smem_capacity_in_bytes

        return get_smem_capacity_in_bytes(compute_capability)

    def allocate_tensor(
        self,
        element_type: Any,
        layout: Any,
        byte_alignment: int = 1,
        swizzle: Any = None,
        *,
        partition: Any = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Tensor:
        """Returns a tensor of a static layout in shared memory.

        With a swizzle it begins where the swizzle's pattern does.
        """
        if swizzle is not None and isinstance(layout, ComposedLayout):
            raise TypeError("the layout has a swizzle: leave out the other one")
        if isinstance(layout, (int, tuple)):
            layout = _algebra.make_layout(layout)
        if hasattr(element_type, "num_logical"):  # of a sparse A
            element_type, layout = element_type.elem_type, element_type.stored(layout)
        trace = _ir.trace()
        if swizzle is None and trace is not None and trace.is_for_passes:
            return _allocate_tensor(element_type, layout, byte_alignment)
        if swizzle is not None and swizzle.num_bits:
            byte_alignment = max(byte_alignment, _period(swizzle))
        pointer = _allocate(element_type, _algebra.cosize(layout), byte_alignment)
        return _tensor_at(pointer, layout, swizzle, element_type)


def _period(swizzle: Any) -> int:
    """Returns the bytes after which a swizzle's pattern begins again."""
    return 1 << (swizzle.num_base + swizzle.num_bits + abs(swizzle.num_shift))


def _tensor_at(pointer: Pointer, layout: Any, swizzle: Any, dtype: Any) -> Tensor:
    """Returns memory as a tensor of elements of a type.

    A swizzle counts bytes. Where the pattern of 16-byte pieces begins with the tensor,
    it becomes a part of the layout, which TMA and products of warpgroups look at.
    """
    if dtype is not pointer.dtype:
        pointer = recast_ptr(pointer, None, dtype)
    if swizzle is None or swizzle.num_bits == 0:
        return make_tensor(pointer, layout)
    base, bits, shift = swizzle.num_base, swizzle.num_bits, swizzle.num_shift
    counted = base - dtype.width.bit_length() + 4  # elements of 8 bits are bytes
    if counted < 0 or pointer.alignment % _period(swizzle):
        return make_tensor(recast_ptr(pointer, swizzle, dtype), layout)
    inner = make_swizzle(bits, counted, shift)
    composed = _algebra.make_composed_layout(inner, 0, layout)
    return Tensor(make_tensor(pointer, composed).ir, None, swizzle)


def _allocate(dtype: Any, count: Any, alignment: int) -> Pointer:
    """Returns a pointer to elements in shared memory."""
    if not isinstance(dtype, NumericMeta) or not dtype.width:
        raise TypeError(f"elements in shared memory have a numeric type, not {dtype!r}")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError(
            f"shared memory is for a static number of elements, not {count!r}"
        )
    if not _is_power_of_two(alignment):
        raise ValueError(f"an alignment is a power of two in bytes, not {alignment!r}")
    made = _allocate_tensor(dtype, _algebra.make_layout(count), alignment)
    return wrap(_ir.apply("get_iter", made.ir))


def _allocate_tensor(dtype: Any, layout: Any, alignment: int) -> Tensor:
    """Returns a tensor in shared memory that is an allocation of its own, which passes may
    give another layout."""
    alignment, size = max(alignment, dtype.width // 8, 1), _algebra.cosize(layout)
    trace = _ir.trace()
    if trace is not None and trace.kernel is not None:
        trace.kernel.add_shared(-(-size * dtype.width // 8), alignment)
    element = _ir.type(element_text(dtype))
    return wrap(_ir.apply("alloc_smem", layout.ir, element=element, align=alignment))
