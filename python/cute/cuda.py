"""Streams and contexts of CUDA, as far as host programs name them."""

from __future__ import annotations

import enum
from typing import Any

from ._compat.placeholders import Placeholder
from ._device.cuda_runtime import (
    checkCudaErrors,
    cudaDeviceSynchronize,
    cudaError_t,
    cudaFree,
    cudaGetLastError,
    cudaMalloc,
    cudaMemset,
    cudaStreamSynchronize,
)  # noqa: F401


class CUstream:
    """A stream by its handle; 0 is the default one."""

    def __init__(self, handle: Any = 0):
        self.handle = int(handle)

    def __int__(self) -> int:
        return self.handle

    def getPtr(self) -> int:  # noqa: N802
        return self.handle


cudaStream_t = CUstream


class CUevent:
    """An event by its handle."""

    def __init__(self, handle: Any = 0):
        self.handle = int(handle)

    def __int__(self) -> int:
        return self.handle


cudaEvent_t = CUevent


class CUstream_flags(enum.IntEnum):  # noqa: N801
    """What a stream is made with, and which stream is the default one."""

    CU_STREAM_DEFAULT = 0
    CU_STREAM_NON_BLOCKING = 1


class CUresult(enum.IntEnum):
    """What a function of the driver returns first."""

    CUDA_SUCCESS = 0


def cuInit(flags: int) -> tuple[CUresult]:  # noqa: N802
    """Does nothing: the first launch initializes the device."""
    return (CUresult.CUDA_SUCCESS,)


def cuCtxGetCurrent() -> tuple[CUresult, int]:  # noqa: N802
    """Returns the context of the thread, which the package binds itself: never none."""
    return CUresult.CUDA_SUCCESS, 1


def cuDeviceGetCount() -> tuple[CUresult, int]:  # noqa: N802
    """Returns True: there is a device, which may be the simulator."""
    return CUresult.CUDA_SUCCESS, 1


def initialize_cuda_context(device_id: int = 0) -> None:
    """Does nothing: the first launch initializes the device."""


def default_stream() -> CUstream:
    """Returns the default stream."""
    return CUstream(0)


def stream_sync(stream: Any = None) -> None:
    """Waits for a stream."""
    from ._device import devices as _device

    _device.synchronize(stream)


load_cubin_module_data = Placeholder("cuda.load_cubin_module_data", "the inside of CuTe DSL")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    from ._compat.missing import NoSuchName

    raise NoSuchName(f"cuda has no {name} here: install cuda-python for it")
