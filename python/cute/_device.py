"""Where compiled functions run."""

from __future__ import annotations

import os
from typing import Any

from ._diagnostics import DSLRuntimeError

# Set by `python -m cute run --compile-only`: nothing runs.
compile_only = False


def arch() -> str:
    """Returns the architecture of the device, or of CUTE_ARCH."""
    return os.environ.get("CUTE_ARCH", "sm_90a")


class _NotRun:
    """A compiled function that is not to run: its kernels were compiled."""

    def __init__(self, compiled: Any):
        self.compiled = compiled

    def call(self, addresses: list[int]) -> None:
        """Ends the program where a kernel would be launched."""
        from . import _fake_cuda

        _fake_cuda.stop(self.compiled)


def load(compiled: Any) -> Any:
    """Returns an object whose ``call(addresses)`` runs a compiled function."""
    if compile_only:
        return _NotRun(compiled)
    raise DSLRuntimeError(
        "this build compiles, but cannot run host functions: "
        "python -m cute run --compile-only stops before that"
    )
