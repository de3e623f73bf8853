"""Streams of other packages: torch, CUDA's bindings and core, CuPy and Numba."""

from __future__ import annotations

from typing import Any

_HANDLES = ("CUstream", "cudaStream_t", "CUevent", "cudaEvent_t")


def is_stream(value: Any) -> bool:
    """Returns whether an object is a stream, or an event of CUDA's bindings."""
    kind = type(value)
    home = kind.__module__.partition(".")[0]
    return (
        kind.__name__ in _HANDLES
        or hasattr(value, "cuda_stream")
        or hasattr(value, "__cuda_stream__")
        or (home in ("cupy", "numba") and kind.__name__.endswith("Stream"))
    )


def handle_of(stream: Any) -> int:
    """Returns the handle of a stream, 0 of the default one.

    The protocol ``__cuda_stream__`` gives (version, handle), CuPy has ``ptr`` and Numba
    ``handle``, a pointer of C whose value is None by default.
    """
    if hasattr(stream, "cuda_stream"):
        return int(stream.cuda_stream)
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    home = type(stream).__module__.partition(".")[0]
    handle = {"cupy": "ptr", "numba": "handle"}.get(home)
    found = getattr(stream, handle, stream) if handle else stream
    return int(getattr(found, "value", found) or 0)
