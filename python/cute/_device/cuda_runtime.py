"""Memory and streams by the functions of the CUDA runtime, on our device.

cuda-python, where it is installed, has them all; these are the few that programs
need without it. On the simulator memory is the host's.
"""

from __future__ import annotations

import ctypes
import enum
import functools
from typing import Any

from .. import _bridge
from . import devices as _device
from .._compile.diagnostics import DSLCudaRuntimeError


class cudaError_t(enum.IntEnum):  # noqa: N801
    """What functions of the runtime return first."""

    cudaSuccess = 0
    cudaErrorInvalidValue = 1
    cudaErrorMemoryAllocation = 2
    cudaErrorInitializationError = 3
    cudaErrorInvalidConfiguration = 9
    cudaErrorNoDevice = 100
    cudaErrorInvalidDevice = 101
    cudaErrorIllegalAddress = 700
    cudaErrorLaunchOutOfResources = 701
    cudaErrorLaunchFailure = 719
    cudaErrorCooperativeLaunchTooLarge = 720
    cudaErrorUnknown = 999

    @property
    def value(self) -> int:
        return int(self)


def checkCudaErrors(result: Any) -> Any:  # noqa: N802
    """Returns the values after a result's status: nothing, a value or several.

    :raises DSLCudaRuntimeError: where the status is an error
    """
    status, *values = result
    if int(status):
        raise DSLCudaRuntimeError(status, str(getattr(status, "name", status)))
    return values[0] if len(values) == 1 else tuple(values) or None


def _is_simulated() -> bool:
    return _device.compile_only or _device.ordinal() == _bridge.SIMULATED


@functools.cache
def _driver() -> Any:
    driver = ctypes.CDLL("libcuda.so.1")
    context, device = ctypes.c_void_p(), ctypes.c_int()
    driver.cuInit(0)
    driver.cuDeviceGet(ctypes.byref(device), _device.ordinal())
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
    driver.cuCtxSetCurrent(context)
    return driver


_memory: dict[int, Any] = {}


def _error(status: int) -> cudaError_t:
    try:
        return cudaError_t(status)
    except ValueError:
        return cudaError_t.cudaErrorUnknown


def cudaMalloc(size: int) -> tuple[cudaError_t, int]:  # noqa: N802
    """Allocates bytes of the device."""
    if _is_simulated():
        made = (ctypes.c_char * (size + 256))()
        address = -(-ctypes.addressof(made) // 256) * 256
        _memory[address] = made
        return cudaError_t.cudaSuccess, address
    address = ctypes.c_uint64()
    status = _driver().cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size))
    return _error(status), address.value


def cudaFree(pointer: Any) -> tuple[cudaError_t]:  # noqa: N802
    """Gives back what was allocated."""
    if _is_simulated():
        found = _memory.pop(int(pointer), None)
        return (cudaError_t.cudaErrorInvalidValue if found is None else cudaError_t(0),)
    return (_error(_driver().cuMemFree_v2(ctypes.c_uint64(int(pointer)))),)


def cudaMemset(pointer: Any, value: int, count: int) -> tuple[cudaError_t]:  # noqa: N802
    """Writes a byte so many times."""
    if _is_simulated():
        ctypes.memset(int(pointer), value, count)
        return (cudaError_t.cudaSuccess,)
    status = _driver().cuMemsetD8_v2(
        ctypes.c_uint64(int(pointer)), ctypes.c_ubyte(value), ctypes.c_size_t(count)
    )
    return (_error(status),)


def cudaDeviceSynchronize() -> tuple[cudaError_t]:  # noqa: N802
    """Waits for all that was launched."""
    if not _device.compile_only:
        _device.synchronize()
    return (cudaError_t.cudaSuccess,)


def cudaStreamSynchronize(stream: Any) -> tuple[cudaError_t]:  # noqa: N802
    """Waits for a stream."""
    return cudaDeviceSynchronize()


def cudaGetLastError() -> tuple[cudaError_t]:  # noqa: N802
    """Returns no error: functions raise, or return theirs."""
    return (cudaError_t.cudaSuccess,)
