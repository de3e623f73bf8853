"""The struct of DLPack, by ctypes."""

from __future__ import annotations

import ctypes
from typing import Any


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    ]


_READ_ONLY = 1  # of the flags


def capsule_of(array: Any) -> Any:
    """Returns an array's capsule: of DLPack 1, which tells read-only memory, or before."""
    try:
        return array.__dlpack__(max_version=(1, 0))
    except TypeError:
        return array.__dlpack__()


def tensor_of(capsule: Any) -> tuple[Any, bool]:
    """Returns the DLTensor of a capsule, which has to outlive it, and whether its memory
    may be read only."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    named = ctypes.pythonapi.PyCapsule_IsValid
    named.argtypes = [ctypes.py_object, ctypes.c_char_p]
    if named(capsule, b"dltensor"):
        return _DLTensor.from_address(get(capsule, b"dltensor")), False
    made = _Versioned.from_address(get(capsule, b"dltensor_versioned"))
    return made.tensor, bool(made.flags & _READ_ONLY)
