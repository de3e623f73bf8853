"""Where compiled functions run: a CUDA device, or the simulator."""

from __future__ import annotations

import functools
import os
import sys
from typing import Any

from .. import _bridge
from .._compat.missing import NotThere
from .._compile import cache as _cache, ir as _ir, switches as _switches


LLVM_IR, PTX, CUBIN = 2, 3, 4

# Set by `python -m cute run --compile-only`: nothing runs.
compile_only = False

# The list that launches go to instead of to the simulator while torch captures a graph.
SIMULATED = _bridge.SIMULATED

captured: list[Any] | None = None


@functools.cache
def ordinal() -> int:
    """Returns the number of the device: that of CUTE_DEVICE, else the first one.

    Where there is no CUDA device it is the simulator's. A device that fails, as one without
    free memory does, is a RuntimeError.
    """
    given = os.environ.get("CUTE_DEVICE", "")
    if given == "sim":
        return SIMULATED
    if given:
        return int(given)
    try:
        _bridge.describe_device(0)
    except _bridge.Error as error:
        text = error.args[0][0][1]
        if ": CUDA error " in text:  # of a device that is there
            raise RuntimeError(f"the GPU is not usable: {text}; CUTE_DEVICE=sim takes the "
                               "simulator") from None
        return SIMULATED
    return 0


def is_simulated() -> bool:
    """Returns whether kernels run on the simulator, which reads memory of the host."""
    return ordinal() == SIMULATED


@functools.cache
def arch() -> str:
    """Returns the architecture of CUTE_ARCH, or of the device."""
    given = _switches.text("ARCH")
    if given:
        return given
    if compile_only:
        return "sm_90a"
    number = _bridge.describe_device(ordinal())[1]
    return f"sm_{number}a" if number >= 90 else f"sm_{number}"


def synchronize(stream: Any = None) -> None:
    """Waits for all that was launched."""
    with _ir.errors():
        _bridge.synchronize_device(ordinal())


def has_arch(arch: str) -> bool:
    """Returns whether there is a GPU of an architecture, or no code is to run."""
    if compile_only or ordinal() == SIMULATED:
        return compile_only
    return int(arch.strip("sm_af")) == _bridge.describe_device(ordinal())[1]


class _NotRun:
    """A function whose kernels are compiled and not launched."""

    compiled_any = False

    def __init__(self, compiled: Any):
        size = len(compiled.__ptx__)
        names = ", ".join(compiled.traced.kernels)
        print(f"cute: compiled {names} for {compiled.arch}: {size} bytes of PTX", flush=True)
        _NotRun.compiled_any = True

    def call(self, addresses: list[int | bytes], kept: list[Any]) -> None:
        """Leaves all as it is."""


def compiled_any() -> bool:
    """Returns whether kernels were compiled with --compile-only."""
    return _NotRun.compiled_any


class _WithKernels:
    """A compiled function that launches kernels, which print by themselves."""

    def __init__(self, host: Any):
        self.host = host

    def call(self, addresses: list[int | bytes], kept: list[Any]) -> None:
        """Runs the function with the arguments at these addresses."""
        sys.stdout.flush()
        if captured is not None:
            captured.append((self, addresses, kept))
            return
        if ordinal() == SIMULATED:
            for value in sorted(kept, key=_is_written_to):
                _show_to_simulator(value)
        self.host.call(addresses)


def _is_written_to(value: Any) -> bool:
    """Returns whether kernels may write to a tensor's memory; read-only ones are shown first."""
    return not getattr(value, "is_read_only", False)


def _show_to_simulator(value: Any) -> None:
    """Lets simulated kernels access what a tensor or pointer points to.

    Of a pointer nobody knows how far its memory reaches: it is all that the
    process has mapped there.
    """
    if not hasattr(value, "__get_mlir_types__"):
        return
    if not hasattr(value, "memspace"):
        for part in getattr(value, "__dict__", {}).values():
            _show_to_simulator(part)
        return
    if hasattr(value, "span"):
        first, size = value.span
        _bridge.register_host(value.data_ptr + first, size, value.is_read_only)
        return
    import ctypes

    address = ctypes.c_void_p.from_address(value.__c_pointers__()[0]).value or 0
    with open("/proc/self/maps", encoding="ascii") as maps:
        for line in maps:
            start, end = (int(x, 16) for x in line.split(" ")[0].split("-"))
            if start <= address < end:
                _bridge.register_host(start, end - start)


class _HostOnly:
    """A compiled function that launches nothing."""

    def __init__(self, host: Any):
        self.host = host

    def call(self, addresses: list[int | bytes], kept: list[Any]) -> None:
        """Runs the function with the arguments at these addresses."""
        self.host.call(addresses)


@functools.cache
def _note_simulator() -> None:
    """Notes once that kernels run on the simulator although nobody asked for it."""
    if not os.environ.get("CUTE_DEVICE"):
        print(
            "note: there is no CUDA device: kernels run on the simulator (CUTE_DEVICE=sim asks "
            "for it)",
            file=sys.stderr,
        )


def load(compiled: Any) -> Any:
    """Returns an object whose ``call(addresses, kept)`` runs a compiled function."""
    has_kernels = bool(compiled.traced.kernels)
    if compile_only and has_kernels:
        return _NotRun(compiled)
    options = compiled.options
    is_simulated = has_kernels and ordinal() == SIMULATED
    if is_simulated:
        _note_simulator()
        _refuse_objects(compiled.traced.objects)
    with _ir.errors():
        host = _cache.host_module(
            compiled.traced.module,
            compiled.traced.name,
            (
                compiled.arch if has_kernels else "sm_90a",
                LLVM_IR if is_simulated else PTX,
                options.opt_level,
                options.ptxas or None,
                options.line_info or is_simulated,  # what is found has a place
            ),
        )
        if has_kernels and compiled.traced.objects:
            host.load(ordinal(), compiled.linked(host.code))
        elif has_kernels:
            host.load(ordinal())
    return running(host, has_kernels)


def _refuse_objects(objects: Any) -> None:
    """:raises NotThere: where kernels call machine code, which the simulator cannot run"""
    if objects:
        name = os.path.basename(objects[0][0])
        raise NotThere(f"{name} is code for a device, which the simulator cannot run: give LLVM "
                       "bitcode (clang -emit-llvm -c), or run on a GPU")


def running(host: Any, has_kernels: bool) -> Any:
    """Returns a callable for a function whose kernels are loaded."""
    return _WithKernels(host) if has_kernels else _HostOnly(host)
