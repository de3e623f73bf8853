"""Timing, conversion and checks for tests and examples."""

from __future__ import annotations

import ctypes
import functools
import os
import random
import sys
import time
from dataclasses import dataclass
from typing import Any, Callable

from . import _bridge
from ._frontend import control as _control
from ._device import devices as _device
from ._device.stream_handles import handle_of
from ._compile.assertions import Assertion, RuntimeAssertion
from ._compile.autotune import autotune_jit, tune
from ._compile.diagnostics import DSLRuntimeError
from ._compile.jit import jit, kernel
from ._values.numeric import Int8, Int32, Uint8
from .arch import block_dim, block_idx, thread_idx

__all__ = [
    "Assertion", "AssertionError", "CantImplementError", "CuptiProfiler", "JitArguments",
    "RuntimeAssertion", "TensorInitConfig", "add_tensor_init_args", "assert_", "autotune_jit",
    "benchmark", "convert", "get_workspace_count", "sample_pytest", "should_use_normal_init",
    "tensor_init_config_from_args", "tune", "validate_tensor_init_args",
]


def assert_(cond: Any, msg: str | None = None, *, loc: Any = None, ip: Any = None) -> None:
    """Checks a condition now if it is known, else when the program runs."""
    frame = sys._getframe(1)
    place = (frame.f_code.co_filename, frame.f_lineno, 0)
    _control.assert_(cond, lambda: msg or "", place)


class CantImplementError(DSLRuntimeError):
    """A kernel does not support a request; programs raise it."""


class AssertionError(RuntimeError):  # noqa: A001 (the name of the reference)
    """A condition that programs check does not hold."""


def add_tensor_init_args(parser: Any, *, supports_int_dtypes: bool = False) -> None:
    """Adds options that fill tensors with normal numbers: --init_normal, --normal_mean, --normal_std.

    :param supports_int_dtypes: the program also has integers, which it fills in its own
    way
    """
    also = "; integers as before" if supports_int_dtypes else ""
    parser.add_argument("--init_normal", action="store_true", help=f"normal numbers{also}")
    parser.add_argument("--normal_mean", type=float, default=0.0, help="their mean")
    parser.add_argument("--normal_std", type=float, default=1.0, help="their deviation, above 0")


def validate_tensor_init_args(args: Any, parser: Any) -> None:
    """Ends the program if the options of ``add_tensor_init_args`` are wrong."""
    if args.normal_std <= 0:
        parser.error(f"--normal_std is above 0, not {args.normal_std}")


@dataclass
class TensorInitConfig:
    """How programs fill tensors: with normal numbers, or in their own way."""

    init_normal: bool = False
    normal_mean: float = 0.0
    normal_std: float = 1.0


def tensor_init_config_from_args(args: Any) -> TensorInitConfig:
    """Returns what the options of ``add_tensor_init_args`` say."""
    return TensorInitConfig(args.init_normal, args.normal_mean, args.normal_std)


def should_use_normal_init(config: TensorInitConfig, dtype: Any) -> bool:
    """Returns whether a tensor gets normal numbers: not one of integers of 8 bits."""
    return config.init_normal and dtype not in (Int8, Uint8)


def sample_pytest(rand_cfg: tuple[int, float] | None = None) -> Callable[..., Any]:
    """Returns a decorator of tests with parameters: pytest then runs a random part of them.

    :param rand_cfg: a seed, and the part, 0 to 1; without it, or where a test is named in
        pytest's command, all run
    """
    chance, part = (random.Random(rand_cfg[0]), rand_cfg[1]) if rand_cfg else (None, 1.0)

    def decorated(test: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(test)
        def run(*args: Any, **kwargs: Any) -> Any:
            is_named = "-k" in sys.argv or any(".py::" in word for word in sys.argv)
            if chance and "PYTEST_CURRENT_TEST" in os.environ and not is_named:
                if chance.random() > part:
                    import pytest

                    pytest.skip(f"{part} of these tests run, and this one does not")
            return test(*args, **kwargs)

        return run

    return decorated


class CuptiProfiler:
    """The device's time between two calls, measured by its events.

    For example::

        profiler = CuptiProfiler()
        profiler.start(); compiled(tensor); profiler.stop()
        print(profiler.get_duration(), "ms")

    :param buffer_size: without effect, as events need no buffer
    """

    def __init__(self, buffer_size: int = 8388608):
        self._events: list[Any] = []

    def _now(self) -> Any:
        if _device.ordinal() == _bridge.SIMULATED:
            return time.perf_counter()
        event = ctypes.c_void_p()
        _call(_driver(), "cuEventCreate", ctypes.byref(event), 0)
        _call(_driver(), "cuEventRecord", event, ctypes.c_void_p(0))
        return event

    def start(self) -> None:
        """Begins to measure the default stream."""
        self._events = [self._now()]

    def stop(self) -> None:
        """Ends it.

        :raises RuntimeError: before ``start``
        """
        if len(self._events) != 1:
            raise RuntimeError("the profiler was not started")
        self._events.append(self._now())

    def get_duration(self) -> float:
        """Returns the milliseconds; on the simulator the host's.

        :raises RuntimeError: before ``stop``
        """
        if len(self._events) != 2:
            raise RuntimeError("the profiler was not stopped")
        start, end = self._events
        if isinstance(start, float):
            return (end - start) * 1e3
        _call(_driver(), "cuEventSynchronize", end)
        found = ctypes.c_float()
        _call(_driver(), "cuEventElapsedTime", ctypes.byref(found), start, end)
        return found.value


class JitArguments:
    """Arguments of one call of a compiled function, for ``benchmark``."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.args, self.kwargs = args, kwargs
        self.references: list[Any] = []

    def add_to_scope(self, references: list[Any]) -> None:
        """Keeps objects alive as long as the arguments."""
        self.references.extend(references)


# ---- Conversion of tensors --------------------------------------------------

_BLOCK = 256


@kernel
def _convert_elements(src: Any, dst: Any, count: Int32):
    place = block_idx()[0] * block_dim()[0] + thread_idx()[0]
    if place < count:
        dst[place] = src[place].to(dst.element_type)


@jit
def _convert_on_device(src: Any, dst: Any, count: Int32, blocks: Int32):
    _convert_elements(src, dst, count).launch(grid=(blocks, 1, 1), block=(_BLOCK, 1, 1))


@jit
def _convert_on_host(src: Any, dst: Any, count: Int32):
    for place in range(count):
        dst[place] = src[place].to(dst.element_type)


def convert(src: Any, dst: Any) -> None:
    """Writes the elements of a tensor to another one, converted to its type.

    :param src: a tensor of ``from_dlpack``
    :param dst: one of the same shape; both on the device, or both on the host
    """
    if tuple(src.shape) != tuple(dst.shape):
        raise ValueError(f"src has the shape {src.shape}, and dst {dst.shape}")
    if src.memspace != dst.memspace:
        raise ValueError("src and dst are both on the device, or both on the host")
    count = 1
    for extent in src.shape:
        count *= int(extent)
    if not count:
        return
    if src.memspace.name == "generic":
        _convert_on_host(src, dst, count)
    else:
        _convert_on_device(src, dst, count, -(-count // _BLOCK))


# ---- Timing -----------------------------------------------------------------

_L2_CACHE_SIZE = 38  # CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
_CAPTURE_RELAXED = 2  # CU_STREAM_CAPTURE_MODE_RELAXED


def _driver() -> Any:
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise DSLRuntimeError("timing needs a CUDA driver (libcuda.so.1)") from None


def _call(driver: Any, name: str, *args: Any) -> None:
    status = getattr(driver, name)(*args)
    if status:
        text = ctypes.c_char_p()
        driver.cuGetErrorString(status, ctypes.byref(text))
        message = (text.value or b"unknown error").decode()
        raise DSLRuntimeError(f"{name}: {message} ({status})")


def get_workspace_count(
    one_workspace_bytes: int, warmup_iterations: int, iterations: int
) -> int:
    """Returns the number of workspaces that keeps every call's data out of the L2
    cache.

    Together they have three times its size; there are at most as many as calls.
    """
    driver = _driver()
    _call(driver, "cuInit", 0)
    device, size = ctypes.c_int(), ctypes.c_int()
    _call(driver, "cuDeviceGet", ctypes.byref(device), 0)
    _call(driver, "cuDeviceGetAttribute", ctypes.byref(size), _L2_CACHE_SIZE, device)
    return workspace_count(
        size.value, one_workspace_bytes, warmup_iterations + iterations
    )


def workspace_count(cache_bytes: int, one_workspace_bytes: int, calls: int) -> int:
    """Is ``get_workspace_count`` for a cache of a known size."""
    wanted = -(-3 * cache_bytes // max(1, one_workspace_bytes))
    return max(1, min(calls, wanted))


def benchmark(
    callable: Callable[..., Any],
    *,
    warmup_iterations: int = 10,
    iterations: int = 100,
    stream: Any = None,
    kernel_arguments: JitArguments | None = None,
    workspace_generator: Callable[[], JitArguments] | None = None,
    workspace_count: int = 1,
    use_cuda_graphs: bool = False,
    use_cupti: bool = False,
    nvtx_tag: str | None = None,
) -> float:
    """Returns the microseconds of a call, by events on the stream.

    On the simulator they are the host's.

    :param callable: a compiled function
    :param use_cupti: accepted; events measure the time anyway
    :param kernel_arguments: its arguments; or
    :param workspace_generator: makes such arguments, ``workspace_count`` times,
        which the calls take in turn
    :param stream: that of the calls; the default one without it
    :param use_cuda_graphs: the calls are captured and launched as one graph,
        on a stream that is not the default one
    """
    if warmup_iterations < 0 or iterations < 1 or workspace_count < 1:
        raise ValueError(
            "warmup_iterations must be at least 0, iterations and workspaces at least 1"
        )
    if workspace_generator is None:
        spaces = [kernel_arguments or JitArguments()]
    else:
        spaces = [workspace_generator() for _ in range(workspace_count)]
    for space in spaces:
        if not isinstance(space, JitArguments):
            raise TypeError(f"arguments are JitArguments, not {type(space).__name__}")
    handle = ctypes.c_void_p(_handle(stream))
    if use_cuda_graphs and not handle.value:
        raise ValueError("a graph is captured on a stream other than the default one")

    def run(first: int, count: int) -> None:
        for i in range(first, first + count):
            space = spaces[i % len(spaces)]
            callable(*space.args, **space.kwargs)

    run(0, warmup_iterations)
    if _device.ordinal() == _bridge.SIMULATED:
        start = time.perf_counter()
        run(warmup_iterations, iterations)
        return (time.perf_counter() - start) * 1e6 / iterations
    driver = _driver()
    if use_cuda_graphs:
        go = _captured(driver, handle, lambda: run(warmup_iterations, iterations))
    else:
        go = lambda: run(warmup_iterations, iterations)  # noqa: E731
    return _elapsed(driver, handle, go) * 1e3 / iterations


def _handle(stream: Any) -> int:
    return 0 if stream is None else handle_of(stream)


def _captured(driver: Any, stream: Any, run: Callable[[], None]) -> Callable[[], None]:
    """Returns a function that launches the graph of the calls, after one launch."""
    graph, made = ctypes.c_void_p(), ctypes.c_void_p()
    _call(driver, "cuStreamSynchronize", stream)
    _call(driver, "cuStreamBeginCapture_v2", stream, _CAPTURE_RELAXED)
    run()
    _call(driver, "cuStreamEndCapture", stream, ctypes.byref(graph))
    _call(
        driver,
        "cuGraphInstantiateWithFlags",
        ctypes.byref(made),
        graph,
        ctypes.c_ulonglong(0),
    )
    go = lambda: _call(driver, "cuGraphLaunch", made, stream)  # noqa: E731
    go()
    return go


def _elapsed(driver: Any, stream: Any, run: Callable[[], None]) -> float:
    """Returns the milliseconds on the stream."""
    start, end = ctypes.c_void_p(), ctypes.c_void_p()
    for event in (start, end):
        _call(driver, "cuEventCreate", ctypes.byref(event), 0)
    _call(driver, "cuEventRecord", start, stream)
    run()
    _call(driver, "cuEventRecord", end, stream)
    _call(driver, "cuEventSynchronize", end)
    time = ctypes.c_float()
    _call(driver, "cuEventElapsedTime", ctypes.byref(time), start, end)
    for event in (start, end):
        _call(driver, "cuEventDestroy_v2", event)
    return time.value
