"""One handler of XLA's typed FFI, by which its programs call functions of this process.

Structures follow ``xla/ffi/api/c_api.h``, version 0; only functions import jax.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import secrets
from typing import Any, Callable, NamedTuple, Sequence

from .. import _bridge
from .._compat.missing import NotThere
from .._device import devices as _device

TARGET = "cute_call"
VERSION = 0, 3  # of the API whose structures are below

_METADATA, _EXECUTE, _INTERNAL = 1, 3, 13


class Buffer(NamedTuple):
    """Memory of an array of JAX: an address, and the array's shape."""

    address: int
    shape: tuple[int, ...]


Function = Callable[[int, bool, list[Buffer], list[Buffer]], None]


# ---- Structures -------------------------------------------------------------


def _structure(name: str, **fields: Any) -> Any:
    """Returns a structure that begins as all of the API: with its size and extensions."""
    head = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p)]
    return type(name, (ctypes.Structure,), {"_fields_": head + list(fields.items())})


class _Extension(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int),
                ("next", ctypes.c_void_p)]


class _Scalar(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("value", ctypes.POINTER(ctypes.c_int64))]


_Buffer = _structure("_Buffer", dtype=ctypes.c_int, data=ctypes.c_void_p, rank=ctypes.c_int64,
                     dims=ctypes.POINTER(ctypes.c_int64))
_Buffers = _structure("_Buffers", size=ctypes.c_int64, types=ctypes.c_void_p,
                      items=ctypes.POINTER(ctypes.POINTER(_Buffer)))
_Attributes = _structure("_Attributes", size=ctypes.c_int64, types=ctypes.c_void_p,
                         names=ctypes.c_void_p, items=ctypes.POINTER(ctypes.POINTER(_Scalar)))
_Version = _structure("_Version", major=ctypes.c_int, minor=ctypes.c_int)
_Api = _structure("_Api", version=_Version, internal=ctypes.c_void_p,
                  error_create=ctypes.c_void_p, error_message=ctypes.c_void_p,
                  error_destroy=ctypes.c_void_p, register=ctypes.c_void_p,
                  stream_get=ctypes.c_void_p)
_Frame = _structure("_Frame", api=ctypes.POINTER(_Api), context=ctypes.c_void_p,
                    stage=ctypes.c_int, arguments=_Buffers, results=_Buffers,
                    attributes=_Attributes)
_Error = _structure("_Error", message=ctypes.c_char_p, code=ctypes.c_int)
_Stream = _structure("_Stream", context=ctypes.c_void_p, stream=ctypes.c_void_p)


class _Metadata(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("version", _Version)]


class _MetadataExtension(ctypes.Structure):
    _fields_ = [("base", _Extension), ("metadata", ctypes.POINTER(_Metadata))]


_Handler = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Frame))


def _ask(function: int, made: Any) -> int | None:
    """Calls a function of the API with a structure; returns the error, None without."""
    made.struct_size = ctypes.sizeof(made)
    call = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(function)
    return call(ctypes.addressof(made))


def _buffers(listed: Any) -> list[Buffer]:
    items = [listed.items[i].contents for i in range(listed.size)]
    return [Buffer(item.data or 0, tuple(item.dims[: item.rank])) for item in items]


# ---- The handler ------------------------------------------------------------

_functions: dict[int, Function] = {}
_keys: dict[Any, int] = {}
# They begin anywhere, so that a program exported by another process finds no function here.
_numbers = itertools.count(secrets.randbits(62))


def number_of(key: Any, make: Callable[[], Function]) -> int:
    """Returns the number of a function in this process, which is made once for a key.

    It is called with a stream, whether memory is the CPU's, and buffers of inputs and results.
    """
    if key not in _keys:
        _keys[key] = next(_numbers)
        _functions[_keys[key]] = make()
    return _keys[key]


def _need_memory(is_host: bool) -> None:
    """Rejects arrays in memory that kernels do not reach."""
    if _device.compile_only:
        return
    if is_host and _device.ordinal() != _bridge.SIMULATED:
        raise NotThere("JAX's arrays lie in memory of the CPU, and kernels run on a GPU: install "
                       "jax with CUDA, or set CUTE_DEVICE=sim")
    if not is_host and _device.ordinal() == _bridge.SIMULATED:
        raise NotThere("JAX's arrays lie in memory of a GPU, and kernels run on the simulator: "
                       "set JAX_PLATFORMS=cpu")


def _execute(frame: Any, is_host: bool) -> None:
    number = frame.attributes.items[0].contents.value[0]
    if number not in _functions:
        raise NotThere(f"call {number} is not a function of this process: an exported program runs "
                       "in the process that called cutlass_call")
    _need_memory(is_host)
    stream = _Stream(context=frame.context)
    if not is_host and _ask(frame.api.contents.stream_get, stream):
        raise RuntimeError("XLA provides no stream")
    _functions[number](stream.stream or 0, is_host, _buffers(frame.arguments),
                       _buffers(frame.results))


def _handle(is_host: bool, pointer: Any) -> int | None:
    """Answers a call of XLA: says its version, or executes; returns an error, None without."""
    frame = pointer.contents
    extension = frame.extension_start
    if extension and _Extension.from_address(extension).type == _METADATA:
        version = _MetadataExtension.from_address(extension).metadata.contents.version
        version.major, version.minor = VERSION
        return None
    if frame.stage != _EXECUTE:
        return None
    try:
        _execute(frame, is_host)
    except BaseException as error:  # it may not pass through C
        text = f"{type(error).__name__}: {error}".encode()
        return _ask(frame.api.contents.error_create, _Error(message=text, code=_INTERNAL))
    return None


@functools.cache
def register() -> Sequence[Any]:
    """Registers the handlers with XLA, for the CPU and CUDA; returns them, which stay alive."""
    import jax

    handlers = []
    for platform in ("cpu", "CUDA"):
        handlers.append(_Handler(functools.partial(_handle, platform == "cpu")))
        address = ctypes.cast(handlers[-1], ctypes.c_void_p)
        jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(address), platform=platform)
    return handlers


def is_registered() -> bool:
    """Returns whether the handlers are known to XLA."""
    return register.cache_info().currsize > 0
