"""Pointers and streams that are passed to compiled functions."""

from __future__ import annotations

import sys
from array import array
from typing import Any

from .._compile import ir as _ir
from .._values.numeric import NumericMeta
from .._values.pointer import AddressSpace, Pointer as ProgramPointer
from .._values.pointer import _memory_name, pointer_type
from . import devices as _device


class Pointer:
    """An address that is passed to compiled functions."""

    __cute_signature_is_all__ = True

    def __init__(self, address: int, dtype: NumericMeta, space: AddressSpace, align: int):
        if address % align:
            raise ValueError(f"the address {address:#x} is not a multiple of {align}")
        self._address, self._dtype, self._space, self._align = address, dtype, space, align
        self._cell = array("Q", [address])

    @property
    def dtype(self) -> NumericMeta:
        return self._dtype

    value_type = dtype

    @property
    def _pointer(self) -> int:
        """The address, by the name that programs give to CUDA's functions."""
        return self._address

    @property
    def memspace(self) -> AddressSpace:
        return self._space

    @property
    def alignment(self) -> int:
        return self._align

    def toint(self) -> int:
        return self._address

    def at(self, address: int) -> Pointer:
        """Returns a pointer of the same kind to another address."""
        return type(self)(address, self._dtype, self._space, self._align)

    def __int__(self) -> int:
        return self._address

    def __get_mlir_types__(self) -> list[_ir.Type]:
        return [_ir.type("i64")]

    def __c_pointers__(self) -> list[int]:
        return [self._cell.buffer_info()[0]]

    def __cute_signature__(self) -> Any:
        return (self._dtype, self._space, self._align)

    def __new_from_mlir_values__(self, values: list[_ir.Value]) -> ProgramPointer:
        made = pointer_type(self._dtype, self._space, self._align)
        space = self._space if self._space is AddressSpace.generic else None
        return ProgramPointer(_ir.apply("make_ptr", values[0], results=[made]), space)

    def __extract_mlir_values__(self) -> list[Any]:
        return []

    def __str__(self) -> str:
        text = f"{_memory_name(self._dtype)}, {self._space}"
        if self._align > max(self._dtype.width // 8, 1):
            text += f", align<{self._align}>"
        return f"ptr<{text}>"

    __repr__ = __str__


def make_ptr(
    dtype: NumericMeta,
    value: Any,
    mem_space: AddressSpace = AddressSpace.generic,
    assumed_align: int | None = None,
) -> Pointer:
    """Returns an address as a pointer that can be passed.

    :param assumed_align: in bytes; without it that of the element
    """
    if hasattr(value, "value"):  # c_void_p of ctypes
        value = value.value or 0
    align = assumed_align or max(dtype.width // 8, 1)
    return Pointer(int(value), dtype, mem_space, align)


def nullptr(
    dtype: NumericMeta, mem_space: AddressSpace = AddressSpace.generic,
    assumed_align: int | None = None,
) -> Pointer:
    """Returns the address 0."""
    return make_ptr(dtype, 0, mem_space, assumed_align)


class Stream:
    """A stream within a program."""

    __cute_immutable__ = True

    def __init__(self, ir: _ir.Value):
        self.ir = ir

    def __extract_mlir_values__(self) -> list[Any]:
        return [self.ir]

    def __new_from_mlir_values__(self, values: list[Any]) -> Stream:
        return Stream(values[0])


class _Handle:
    """A stream by its handle."""

    def __init__(self, handle: int):
        self._cell = array("Q", [handle])

    def __c_pointers__(self) -> list[int]:
        return [self._cell.buffer_info()[0]]


def _current_stream() -> int:
    """Returns the handle of the stream that a caller by TVM-FFI has set, or else of torch's; 0
    on the simulator, which has one."""
    if _device.is_simulated():
        return 0
    torch, tvm_ffi = sys.modules.get("torch"), sys.modules.get("tvm_ffi")
    handle = tvm_ffi.get_raw_stream(tvm_ffi.device("cuda", _device.ordinal())) if tvm_ffi else 0
    return handle or (torch.cuda.current_stream().cuda_stream if torch else 0)


class _FakeStream:
    """A stream to compile for; where ``is_current``, calls leave it out and use the current one."""

    def __init__(self, is_current: bool = False) -> None:
        self.is_current = is_current
        self._cell = array("Q", [0])

    def __get_mlir_types__(self) -> list[_ir.Type]:
        return [_ir.type("i64")]

    def __cute_adapt__(self, other: Any) -> Any:
        """Returns a stream for a handle."""
        return _Handle(other) if isinstance(other, int) else other

    def __c_pointers__(self) -> list[int]:
        self._cell[0] = _current_stream() if self.is_current else 0
        return [self._cell.buffer_info()[0]]

    def __new_from_mlir_values__(self, values: list[_ir.Value]) -> Stream:
        return Stream(values[0])


def make_fake_stream(*, use_tvm_ffi_env_stream: bool = False) -> _FakeStream:
    """Returns a stream to compile for; calls with it use the default one.

    :param use_tvm_ffi_env_stream: calls omit the stream and use the TVM-FFI caller's or
    torch's current one; without either, the default one
    """
    return _FakeStream(use_tvm_ffi_env_stream)
