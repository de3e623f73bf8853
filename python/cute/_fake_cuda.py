"""CUDA tensors without memory, for `python -m cute run --compile-only`.

torch's fake tensors take the place of those on CUDA devices, and the program
ends, with exit status 0, where it would launch a kernel.
"""

from __future__ import annotations

import sys
from typing import Any

from . import _device


def install() -> None:
    """Lets programs compile what they would launch."""
    _device.compile_only = True
    try:
        import torch
        from torch._subclasses.fake_tensor import FakeTensorMode
    except ImportError:
        return
    torch.cuda.is_available = lambda: True
    torch.cuda.current_stream = lambda *args: _Stream()
    torch.cuda.synchronize = lambda *args: None
    torch.cuda.get_device_capability = lambda *args: _capability()
    mode: Any = FakeTensorMode()
    mode.allow_non_fake_inputs = True
    mode.__enter__()


def _capability() -> tuple[int, int]:
    digits = "".join(c for c in _device.arch() if c.isdigit())
    return int(digits[:-1]), int(digits[-1])


class _Stream:
    cuda_stream = 0


def stop(compiled: Any) -> None:
    """Compiles the kernels, and ends the program if there are any."""
    if not compiled.traced.kernels:
        return
    size = len(compiled.__ptx__)
    names = ", ".join(compiled.traced.kernels)
    print(f"cute: compiled {names} for {compiled.arch}: {size} bytes of PTX")
    sys.stdout.flush()
    raise SystemExit(0)
