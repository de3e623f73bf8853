"""Kernels that are written in Python, compiled and loaded when first used."""

from __future__ import annotations

import functools
from typing import Any, Callable

from .. import _bridge
from .._device import devices as _device
from . import _arrays, _text
from ._program import LLVM_IR, PTX, Program


def place(*arrays: Any) -> int:
    """Returns the GPU that arrays are on, or the simulator's number for arrays of the
    host where it is the device.

    :raises TypeError: if one is not a tensor of torch
    """
    for array in arrays:
        if not hasattr(array, "data_ptr"):
            raise TypeError(f"expected a torch tensor, not {type(array).__name__}")
    if all(str(a.device) == "cpu" for a in arrays):
        if _device.ordinal() != _bridge.SIMULATED:
            raise ValueError("arrays on a GPU; CUTE_DEVICE=sim is for arrays on the host")
        return _bridge.SIMULATED
    return _arrays.ordinal(*arrays)


@functools.lru_cache(maxsize=None)
def kernel(
    program: Callable[..., Program],
    parameters: tuple[tuple[str, Any], ...],
    entry: str,
    ordinal: int,
) -> Any:
    """Returns a kernel of the program of some parameters, loaded once for a device."""
    manifest, code = _compiled(program, parameters, ordinal)
    return _bridge.Kernel(_text.device(ordinal), manifest, code, entry)


@functools.lru_cache(maxsize=8)
def _compiled(program: Callable[..., Program], parameters: tuple[tuple[str, Any], ...],
              ordinal: int) -> tuple[str, bytes]:
    """Returns how to launch the kernels of a program, and their code for a device."""
    gpu = _text.device(ordinal)
    arch = f"sm_{gpu.arch}a" if gpu.arch >= 90 else f"sm_{gpu.arch}"
    made = program(dict(parameters))
    made.optimize(arch)
    return made.manifest(arch), made.compile(arch, LLVM_IR if ordinal == _bridge.SIMULATED else PTX)


def is_simulated(ordinal: int) -> bool:
    """Returns whether the device is the simulator."""
    return ordinal == _bridge.SIMULATED


def is_hopper(ordinal: int) -> bool:
    """Returns whether the device is an H100, H200 or the like."""
    return not is_simulated(ordinal) and _text.device(ordinal).arch == 90
