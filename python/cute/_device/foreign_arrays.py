"""Reads arrays of other packages: torch, numpy, TVM-FFI, and all that give DLPack."""

from __future__ import annotations

import struct
import sys
from typing import Any, Sequence

from .._values import numeric as _numeric
from .._values.numeric import NumericMeta

_KINDS = {0: "Int", 1: "Uint", 2: "Float", 4: "BFloat", 6: "Boolean"}
_DLPACK_FLOAT8 = {
    7: "Float8E8M0FNU",
    8: "Float8E4M3",
    9: "Float8E4M3B11FNUZ",
    10: "Float8E4M3FN",
    12: "Float8E5M2",
    14: "Float8E8M0FNU",
}


_FOREIGN_ORDER = ">" if sys.byteorder == "little" else "<"


class _Array:
    """Address, device, element type, shape and strides of an array."""

    is_read_only = False

    def __init__(self, address: int, is_host: bool, dtype: NumericMeta, shape: Any, stride: Any):
        self.address, self.is_host, self.dtype = address, is_host, dtype
        self.shape, self.stride = tuple(shape), tuple(stride)


def _compact(shape: Sequence[int]) -> tuple[int, ...]:
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def _named(name: str) -> NumericMeta:
    dtype = getattr(_numeric, name, None)
    if dtype is None:
        raise TypeError(f"no numeric type is like {name}")
    return dtype


def _of_numpy(array: Any) -> _Array:
    interface = array.__array_interface__
    order, kind = interface["typestr"][:2]
    names = {"i": "Int", "u": "Uint", "f": "Float", "b": "Boolean"}
    if kind not in names:
        raise TypeError(f"arrays of {array.dtype} cannot be passed")
    if order == _FOREIGN_ORDER:
        raise TypeError(
            f"{array.dtype} has its bytes in the other order: pass "
            "x.astype(x.dtype.newbyteorder('='))"
        )
    size = int(interface["typestr"][2:])
    if any(s % size for s in array.strides):
        raise TypeError(f"strides of {array.strides} bytes are not multiples of {size}")
    name = names[kind] + (str(8 * size) if kind != "b" else "")
    strides = tuple(s // size for s in array.strides)
    address, is_read_only = interface["data"]
    made = _Array(address, True, _named(name), array.shape, strides)
    made.is_read_only = is_read_only
    return made


# Types of torch and TVM-FFI.
_NAMES = {
    "float64": "Float64",
    "float32": "Float32",
    "float16": "Float16",
    "bfloat16": "BFloat16",
    "float8_e4m3fn": "Float8E4M3FN",
    "float8_e5m2": "Float8E5M2",
    "float8_e8m0fnu": "Float8E8M0FNU",
    "float4_e2m1fn_x2": "Float4E2M1FN",
    "float4_e2m1fnx2": "Float4E2M1FN",
    "int8": "Int8",
    "int16": "Int16",
    "int32": "Int32",
    "int64": "Int64",
    "uint8": "Uint8",
    "uint16": "Uint16",
    "uint32": "Uint32",
    "uint64": "Uint64",
    "bool": "Boolean",
}


_torch_types: dict[Any, NumericMeta] = {}  # of dtypes that came already


def _type_of_torch(dtype: Any) -> NumericMeta:
    name = str(dtype).rpartition(".")[2]
    if name not in _NAMES:
        raise TypeError(f"tensors of {dtype} cannot be passed")
    return _torch_types.setdefault(dtype, _named(_NAMES[name]))


def _pairs(shape: Sequence[int], stride: Sequence[int]) -> tuple[list[int], list[int]]:
    """Returns the shape and strides of numbers that lie in pairs in the elements of these.

    :raises TypeError: where no mode has neighbours side by side
    """
    if 1 not in stride:
        raise TypeError(f"pairs of numbers lie along a mode of stride 1, not {tuple(stride)}")
    near = len(stride) - 1 - list(reversed(stride)).index(1)
    extents = [2 * n if i == near else n for i, n in enumerate(shape)]
    return extents, [s if i == near else 2 * s for i, s in enumerate(stride)]


class SeenArray:
    """A tensor of torch that was passed: what is passed of others of its type, shape and
    strides, at another address, is known.

    :param align: what divides their addresses
    :param rest: what is passed besides the address, as bytes
    """

    def __init__(self, tensor: Any, align: int, rest: list[bytes]):
        self._kind, self._dtype = type(tensor), tensor.dtype
        self._shape, self._stride = tensor.shape, tensor.stride()
        self._is_host, self._align, self._rest = tensor.is_cpu, align, rest

    def is_like(self, tensor: Any) -> bool:
        """Returns whether a tensor has the same type, shape, strides and place."""
        return (
            type(tensor) is self._kind
            and tensor.dtype is self._dtype
            and tensor.shape == self._shape
            and tensor.stride() == self._stride
            and tensor.is_cpu is self._is_host
        )

    def passed(self, tensor: Any) -> list[bytes] | None:
        """Returns the passed parts of a tensor; None if it is not like this one."""
        if not self.is_like(tensor):
            return None
        address = tensor.data_ptr()
        return None if address % self._align else [_word(address), *self._rest]


_word = struct.Struct("Q").pack


def is_plain_torch(array: Any) -> bool:
    """Returns whether an array is a tensor or parameter of torch, and of no class made of them."""
    kind = type(array)
    return kind.__module__.startswith("torch") and kind.__name__ in ("Tensor", "Parameter")


def _check_memory(tensor: Any) -> None:
    """Raises for a tensor of torch whose memory does not hold its elements."""
    if getattr(tensor, "is_sparse", False):
        raise TypeError("a tensor of torch is sparse: pass x.to_dense()")
    if getattr(tensor, "is_neg", bool)():
        raise TypeError("a tensor of torch has the other sign in memory: pass x.resolve_neg()")


def _is_of_tvm_ffi(array: Any) -> bool:
    """Returns whether an array is TVM-FFI's: one that a call lends gives no DLPack."""
    return type(array).__module__.startswith("tvm_ffi.")


def _of_torch(tensor: Any) -> _Array:
    """Reads a tensor of torch, or of TVM-FFI, whose strides are an attribute."""
    dtype = tensor.dtype
    is_fake = type(tensor).__name__ == "FakeTensor"
    if is_plain_torch(tensor):
        _check_memory(tensor)
    found = _torch_types.get(dtype) or _type_of_torch(dtype)
    shape = tensor.shape
    stride = tensor.strides if _is_of_tvm_ffi(tensor) else tensor.stride()
    if found.width < 8 and not found.is_boolean:
        shape, stride = _pairs(shape, stride)
    is_host = tensor.device.type == "cpu"
    return _Array(0 if is_fake else tensor.data_ptr(), is_host, found, shape, stride)


def _of_dlpack(array: Any) -> _Array:
    from .dlpack import capsule_of, tensor_of

    capsule = capsule_of(array)
    t, is_read_only = tensor_of(capsule)
    name = _DLPACK_FLOAT8.get(t.code) or _KINDS.get(t.code, "")
    if t.code in (0, 1, 2, 4):
        name += str(t.bits)
    shape = t.shape[: t.ndim]
    stride = t.strides[: t.ndim] if t.strides else _compact(shape)
    made = _Array((t.data or 0) + t.byte_offset, t.device_type == 1, _named(name), shape, stride)
    made.owner, made.is_read_only = capsule, is_read_only
    return made


def read_array(array: Any) -> _Array:
    if hasattr(array, "data_ptr") and (hasattr(array, "stride") or _is_of_tvm_ffi(array)):
        return _of_torch(array)
    if hasattr(array, "__array_interface__"):
        return _of_numpy(array)
    if hasattr(array, "__dlpack__"):
        return _of_dlpack(array)
    raise TypeError(f"{type(array).__name__} has no __dlpack__: it is not an array")
