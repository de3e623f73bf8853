"""Kernels that are written in the dialect's text, compiled when first used."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, Mapping

from .. import _bridge
from .._compile import ir as _ir

_PTX = 3  # what Module.compile is to emit
_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "text")
_lock = threading.Lock()
_devices: dict[int, Any] = {}


def device(ordinal: int) -> Any:
    """Returns a GPU of this machine."""
    with _lock:
        if ordinal not in _devices:
            _devices[ordinal] = _bridge.Device(ordinal)
        return _devices[ordinal]


def compiled(name: str, arch: str, parameters: Mapping[str, str]) -> tuple[bytes, str]:
    """Returns the PTX of the text ``name`` and how to launch it.

    ``parameters`` are values for those that the text declares.
    """
    path = os.path.join(_FOLDER, f"{name}.mlir")
    with open(path, encoding="utf-8") as file:
        source = file.read()
    with _ir.errors():
        context = _ir.context()
        place = context.location(path, 1, 1)
        module = _bridge.Module(context, place, source, path, dict(parameters))
        manifest = module.manifest(arch, f"{name}.ptx")
        ptx = module.compile(arch, _PTX, 2, None)
    return ptx + b"\0", manifest


@functools.lru_cache(maxsize=None)
def _loaded(
    name: str, entry: str | None, ordinal: int, parameters: tuple[tuple[str, str], ...]
) -> Any:
    gpu = device(ordinal)
    arch = "sm_90a" if gpu.arch == 90 else f"sm_{gpu.arch}"
    ptx, manifest = compiled(name, arch, dict(parameters))
    return _bridge.Kernel(gpu, manifest, ptx, entry)


def kernel(
    name: str, ordinal: int, entry: str | None = None, **parameters: str
) -> Any:
    """Returns a kernel of a text, compiled for the GPU and loaded once.

    ``entry`` is its name where the text has several.
    """
    return _loaded(name, entry, ordinal, tuple(sorted(parameters.items())))
