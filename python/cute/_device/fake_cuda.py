"""torch's CUDA tensors without CUDA: they live on the host.

`python -m cute run` does this where kernels are simulated, or only compiled. A
tensor that a program asks a CUDA device for is one of the host that says that it
is on cuda:0.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time
import types
from typing import Any, Iterator

from .. import _bridge
from . import _scaled_mm, devices as _device, older_torch as _older_torch

_FACTORIES = (
    "empty zeros ones full rand randn randint arange tensor empty_strided linspace "
    "normal randperm eye as_tensor empty_like zeros_like ones_like full_like rand_like "
    "randn_like randint_like logspace"
).split()


def install() -> None:
    """Lets torch take any CUDA device for the host."""
    try:
        import torch
    except ImportError:
        return
    if torch.cuda.is_available():
        return
    if not hasattr(torch.Tensor, "dim_order"):
        torch.Tensor.dim_order = lambda self: tuple(
            sorted(range(self.dim()), key=lambda i: -self.stride(i))
        )
    _older_torch.fill_in(torch)
    _patch_device_functions(torch)
    made = _tensor_class(torch)
    for name in _FACTORIES:
        setattr(torch, name, _on_host(torch, getattr(torch, name), made))
    torch._scaled_mm = _scaled_mm.scaled_mm(torch, torch._scaled_mm)
    plain = torch.Tensor.to
    torch.Tensor.to = lambda self, *args, **kwargs: _moved(
        torch, made, plain, self, args, kwargs
    )
    torch.Tensor.is_cuda = property(lambda self: True)  # gradients are of no class of ours
    torch.library.custom_op = _of_any_device(torch.library.custom_op)
    torch.Tensor.cuda = lambda self, *args, **kwargs: self.as_subclass(made)
    torch.Tensor.cpu = lambda self, *args, **kwargs: self.as_subclass(torch.Tensor)


def install_for_jax() -> None:
    """Registers with JAX for the CPU what a program registers for GPUs by TVM-FFI."""
    try:
        import jax_tvm_ffi
    except ImportError:
        return
    plain = jax_tvm_ffi.register_ffi_target

    def register(
        name: str, function: Any, arg_spec: Any = None, platform: str = "cpu", **kwargs: Any
    ) -> Any:
        return plain(name, function, arg_spec, "cpu", **kwargs)

    jax_tvm_ffi.register_ffi_target = register


def _patch_device_functions(torch: Any) -> None:
    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: 1
    torch.cuda.current_device = lambda: 0
    torch.cuda.set_device = lambda *args: None
    torch.cuda.device = lambda *args: contextlib.nullcontext()
    torch.cuda.current_stream = lambda *args: _Stream()
    torch.cuda.default_stream = lambda *args: _Stream()
    torch.cuda.Stream = _Stream
    torch.cuda.Event = _Event
    torch.cuda.CUDAGraph = _Graph
    torch.cuda.graph = _capture
    torch.cuda.stream = lambda stream: contextlib.nullcontext()
    torch.cuda.synchronize = lambda *args: _device.synchronize()
    torch.cuda.get_device_capability = lambda *args: _capability()
    torch.cuda.manual_seed = torch.manual_seed
    torch.cuda.manual_seed_all = lambda seed: None
    torch.cuda.is_current_stream_capturing = lambda: _device.captured is not None
    torch.cuda.get_device_properties = lambda *args: _properties()
    torch.cuda.get_device_name = lambda *args: _properties().name
    for name in ("empty_cache", "init", "reset_peak_memory_stats", "ipc_collect"):
        setattr(torch.cuda, name, lambda *args: None)
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved"):
        setattr(torch.cuda, name, lambda *args: 0)


def _tensor_class(torch: Any) -> Any:
    class CudaTensor(torch.Tensor):
        """A tensor of the host that says that it is on a CUDA device."""

        @property
        def device(self) -> Any:
            return torch.device("cuda", 0)

        @property
        def is_cuda(self) -> bool:
            return True

        def data_ptr(self) -> int:
            """Returns the address, which kernels may find in memory: they know it."""
            _show(self)
            return super().data_ptr()

    CudaTensor.__name__ = "Tensor"
    return CudaTensor


def _show(tensor: Any) -> None:
    """Lets simulated kernels access all of a tensor's memory."""
    if _device.compile_only or _device.ordinal() != _bridge.SIMULATED:
        return
    storage = tensor.untyped_storage()
    if storage.nbytes():
        _bridge.register_host(storage.data_ptr(), storage.nbytes())


def _is_cuda(value: Any) -> bool:
    return str(value).startswith("cuda") or getattr(value, "type", "") == "cuda"


_ALIGNMENT = 512  # of what CUDA allocates, in bytes


def _aligned(torch: Any, tensor: Any) -> Any:
    """Returns a tensor like a new one at an address such as CUDA gives."""
    storage = tensor.untyped_storage()
    size = storage.nbytes()
    if not size or storage.data_ptr() % _ALIGNMENT == 0 or tensor.requires_grad:
        return tensor
    room = bytearray(size + _ALIGNMENT)
    start = -ctypes.addressof(ctypes.c_char.from_buffer(room)) % _ALIGNMENT
    memory = torch.frombuffer(room, dtype=torch.uint8, count=size, offset=start)
    moved = torch.empty(0, dtype=tensor.dtype)
    place = memory.untyped_storage(), tensor.storage_offset(), tensor.shape, tensor.stride()
    return moved.set_(*place).copy_(tensor)


def _on_host(torch: Any, function: Any, made: Any) -> Any:
    """Returns a function of torch whose tensors on CUDA devices lie on the host."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not _is_cuda(kwargs.get("device")):
            return function(*args, **kwargs)
        kwargs.pop("device")
        kwargs.pop("generator", None)
        is_leaf = kwargs.pop("requires_grad", False)
        result = _aligned(torch, function(*args, **kwargs)).as_subclass(made)
        return result.requires_grad_() if is_leaf else result

    return call


def _of_any_device(custom_op: Any) -> Any:
    """Returns torch.library.custom_op: its ops for CUDA take tensors of the host."""

    def make(name: str, function: Any = None, /, **kwargs: Any) -> Any:
        kwargs.pop("device_types", None)
        return custom_op(name, function, **kwargs)

    return make


def _moved(torch: Any, made: Any, plain: Any, tensor: Any, args: Any, kwargs: Any) -> Any:
    """Does what Tensor.to does."""
    args = list(args)
    where = [x for x in [*args, kwargs.get("device")] if _is_device(torch, x)]
    rest = [x for x in args if not _is_device(torch, x)]
    kwargs.pop("device", None)
    if where and rest and rest[0] is None:  # the type that it has, as Module.to says
        rest[0] = tensor.dtype
    result = plain(tensor, *rest, **kwargs) if rest or kwargs else tensor
    if not where:
        return result
    return result.as_subclass(made if _is_cuda(where[0]) else torch.Tensor)


def _is_device(torch: Any, value: Any) -> bool:
    return isinstance(value, torch.device) or (
        isinstance(value, str) and value.partition(":")[0] in ("cuda", "cpu")
    )


def _capability() -> tuple[int, int]:
    digits = "".join(c for c in _device.arch() if c.isdigit())
    return int(digits[:-1]), int(digits[-1])


def _properties() -> Any:
    """Returns the properties that programs ask for, of a missing device."""
    from ..utils.hardware_info import HardwareInfo, limits

    major, minor = _capability()
    info = HardwareInfo()
    limit = limits()[f"{major}{minor}"]
    return types.SimpleNamespace(
        name="simulator", major=major, minor=minor, warp_size=32, total_memory=80 << 30,
        multi_processor_count=info.get_device_multiprocessor_count(),
        L2_cache_size=info.get_l2_cache_size_in_bytes(), regs_per_multiprocessor=limit["registers"],
        max_threads_per_multi_processor=32 * limit["warps"],
        shared_memory_per_block=1024 * limit["static_kib"],
        shared_memory_per_block_optin=1024 * limit["shared_kib"],
        shared_memory_per_multiprocessor=1024 * limit["total_shared_kib"],
    )


class _Stream:
    """The only stream."""

    cuda_stream = 0

    def __init__(self, *args: Any, **kwargs: Any):
        pass

    def synchronize(self) -> None:
        _device.synchronize()

    def wait_stream(self, stream: Any) -> None:
        """Does nothing: there is one stream."""

    def wait_event(self, event: Any) -> None:
        """Does nothing: there is one stream."""

    def record_event(self, event: Any = None) -> Any:
        event = event or _Event()
        event.record(self)
        return event


class _Event:
    """A time of the host."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.cuda_event = id(self)
        self.time = 0.0

    def record(self, stream: Any = None) -> None:
        self.time = time.perf_counter()

    def wait(self, stream: Any = None) -> None:
        """Does nothing: there is one stream."""

    def query(self) -> bool:
        return True

    def synchronize(self) -> None:
        _device.synchronize()

    def elapsed_time(self, end: _Event) -> float:
        return (end.time - self.time) * 1e3


class _Graph:
    """Launches that wait for ``replay``."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.calls: list[Any] = []

    def replay(self) -> None:
        for host, addresses, kept in self.calls:
            host.call(addresses, kept)


@contextlib.contextmanager
def _capture(graph: _Graph, *args: Any, **kwargs: Any) -> Iterator[None]:
    """Keeps what is launched until the end for the graph, instead of running it."""
    before, _device.captured = _device.captured, graph.calls
    try:
        yield
    finally:
        _device.captured = before

