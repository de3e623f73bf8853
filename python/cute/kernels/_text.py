"""Kernels that are written in the dialect's text, compiled when first used."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, Mapping

from .. import _bridge
from .._compile import ir as _ir
from ._program import LLVM_IR, PTX

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "text")
_lock = threading.Lock()
_devices: dict[int, Any] = {}


def device(ordinal: int) -> Any:
    """Returns a GPU of this machine."""
    with _lock:
        if ordinal not in _devices:
            _devices[ordinal] = _bridge.Device(ordinal)
        return _devices[ordinal]


def compiled(name: str, arch: str, parameters: Mapping[str, str],
             emit: int = PTX) -> tuple[bytes, str]:
    """Returns the code of the text ``name``, changed by ``cute-optimize``, and how to launch it.

    ``parameters`` are values for the text's parameters.
    """
    path = os.path.join(_FOLDER, f"{name}.mlir")
    with open(path, encoding="utf-8") as file:
        source = file.read()
    with _ir.errors():
        context = _ir.context()
        place = context.location(path, 1, 1)
        module = _bridge.Module(context, place, source, path, dict(parameters))
        module.run_pipeline(f"cute-optimize{{arch={arch}}}")
        _ir.context().take_diagnostics()  # what the passes did
        manifest = module.manifest(arch, f"{name}.ptx")
        code = module.compile(arch, emit, 2, None)
    return code + b"\0", manifest


@functools.lru_cache(maxsize=8)
def _compiled(name: str, ordinal: int, parameters: tuple[tuple[str, str], ...]) -> tuple[str, bytes]:
    """Returns how to launch the kernels of a text, and their code for a device."""
    gpu = device(ordinal)
    arch = f"sm_{gpu.arch}a" if gpu.arch >= 90 else f"sm_{gpu.arch}"
    emit = LLVM_IR if ordinal == _bridge.SIMULATED else PTX
    code, manifest = compiled(name, arch, dict(parameters), emit)
    return manifest, code


@functools.lru_cache(maxsize=None)
def _loaded(name: str, ordinal: int, entry: str | None, parameters: tuple[tuple[str, str], ...]
            ) -> Any:
    return _bridge.Kernel(device(ordinal), *_compiled(name, ordinal, parameters), entry)


def kernel(name: str, ordinal: int, entry: str | None = None, **parameters: Any) -> Any:
    """Returns the kernel of a text, the one named ``entry`` of several, compiled for the device
    and loaded once."""
    values = sorted((key, str(value)) for key, value in parameters.items())
    return _loaded(name, ordinal, entry, tuple(values))
