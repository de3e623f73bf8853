"""The GPU's properties from the CUDA driver; without one, from its architecture."""

from __future__ import annotations

import ctypes
import functools
from typing import Any, Optional

from .. import _bridge

__all__ = ["HardwareInfo", "get_smem_capacity_in_bytes"]

# CUdevice_attribute of the driver's API.
_MULTIPROCESSORS, _L2_BYTES = 16, 38
_EMPTY = b".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry empty() { ret; }\n"
# Limits of an H100 and H200, for programs that are only compiled.
_ASSUMED = {_MULTIPROCESSORS: 132, _L2_BYTES: 52428800}


class _LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute: that of a cluster's dimensions."""

    _fields_ = [
        ("id", ctypes.c_uint),
        ("padding", ctypes.c_char * 4),
        ("dimensions", ctypes.c_uint * 3),
        ("rest", ctypes.c_char * 52),
    ]


class _LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_LaunchAttribute)),
        ("num_attributes", ctypes.c_uint),
    ]


_CLUSTER_DIMENSION = 4


class HardwareInfo:
    """Properties of a GPU of this machine."""

    def __init__(self, device_id: int = 0):
        self.device_id = device_id
        self._driver = self._load()

    def _load(self) -> Optional[Any]:
        try:
            driver = ctypes.CDLL("libcuda.so.1")
        except OSError:
            return None
        return driver if driver.cuInit(0) == 0 else None

    def _call(self, name: str, *arguments: Any) -> None:
        assert self._driver is not None
        status = getattr(self._driver, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: error {status} of the CUDA driver")

    def _attribute(self, number: int) -> int:
        if self._driver is None:
            return _ASSUMED[number]
        device, value = ctypes.c_int(), ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(device), self.device_id)
        self._call("cuDeviceGetAttribute", ctypes.byref(value), number, device)
        return value.value

    def get_device_multiprocessor_count(self) -> int:
        """Returns how many multiprocessors the GPU has."""
        return self._attribute(_MULTIPROCESSORS)

    def get_l2_cache_size_in_bytes(self) -> int:
        """Returns the size of its L2 cache."""
        return self._attribute(_L2_BYTES)

    def get_max_active_clusters(self, cluster_size: int, stream: Any = None) -> int:
        """Returns how many clusters of that many blocks run at the same time.

        Each block has a multiprocessor to itself.
        """
        if not 1 <= cluster_size <= 32:
            raise ValueError(f"a cluster has 1 to 32 blocks, not {cluster_size}")
        if self._driver is None or cluster_size == 1:
            return self.get_device_multiprocessor_count() // cluster_size
        return self._active_clusters(cluster_size)

    def _active_clusters(self, cluster_size: int) -> int:
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuDeviceGet", ctypes.byref(device), self.device_id)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        try:
            self._call("cuCtxPushCurrent_v2", context)
            try:
                return self._occupancy(cluster_size)
            finally:
                self._call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
        finally:
            self._call("cuDevicePrimaryCtxRelease_v2", device)

    def _occupancy(self, cluster_size: int) -> int:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        shared = get_smem_capacity_in_bytes("sm_90")
        self._call("cuModuleLoadData", ctypes.byref(module), _EMPTY)
        try:
            self._call("cuModuleGetFunction", ctypes.byref(function), module, b"empty")
            # CU_FUNC_ATTRIBUTE: dynamic shared memory, clusters above 8 blocks.
            self._call("cuFuncSetAttribute", function, 8, shared)
            if cluster_size > 8:
                self._call("cuFuncSetAttribute", function, 14, 1)
            attribute = _LaunchAttribute(id=_CLUSTER_DIMENSION)
            attribute.dimensions[:] = [cluster_size, 1, 1]
            config = _LaunchConfig(
                shared_bytes=shared,
                attributes=ctypes.pointer(attribute),
                num_attributes=1,
            )
            config.grid[:] = [cluster_size, 1, 1]
            config.block[:] = [128, 1, 1]
            number = ctypes.c_int()
            self._call(
                "cuOccupancyMaxActiveClusters",
                ctypes.byref(number),
                function,
                ctypes.byref(config),
            )
            return number.value
        finally:
            self._call("cuModuleUnload", module)


@functools.lru_cache(maxsize=None)
def limits() -> dict[str, dict[str, Any]]:
    """Returns the architectures' limits by number, "90". CUDA 13 calls 110 what was 101."""
    found = {str(row["number"]): row for row in _bridge.architectures()}
    return {**found, "110": found["101"]}


def get_smem_capacity_in_bytes(compute_capability: Optional[str] = None) -> int:
    """Returns the bytes of shared memory that a block can have, for ``sm_80``, ``80``,
    ...

    None is the architecture that programs are compiled for.

    >>> cute.utils.get_smem_capacity_in_bytes('sm_90')
    232448
    """
    if compute_capability is None:
        from .._device.devices import arch as default_arch

        compute_capability = default_arch()
    number = compute_capability.lower().removeprefix("sm_").rstrip("af")
    if number not in limits():
        known = ", ".join(f"sm_{n}" for n in limits())
        raise ValueError(f"unknown architecture {compute_capability!r}: one of {known}")
    return limits()[number]["shared_kib"] * 1024
