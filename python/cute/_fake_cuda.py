"""CUDA tensors without memory, for `python -m cute run --compile-only`.

torch's fake tensors take the place of those on CUDA devices, and the program
ends, with exit status 0, where it would launch a kernel.
"""

from __future__ import annotations

import sys
from typing import Any

from . import _device


_FACTORIES = (
    "empty zeros ones full rand randn randint arange tensor empty_strided linspace "
    "normal randperm eye"
).split()


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
    for name in _FACTORIES:
        setattr(torch, name, _with_fakes(getattr(torch, name), mode))
    for name in ("cuda", "to"):
        _fake_moves(torch.Tensor, name, mode)


def _is_cuda(value: Any) -> bool:
    return str(value).startswith("cuda") or getattr(value, "type", "") == "cuda"


def _with_fakes(function: Any, mode: Any) -> Any:
    """Returns a function of torch whose results on CUDA devices are fake."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not _is_cuda(kwargs.get("device")):
            return function(*args, **kwargs)
        kwargs.pop("generator", None)
        with mode:
            return function(*args, **kwargs)

    return call


def _fake_moves(tensor: Any, name: str, mode: Any) -> None:
    """Lets tensors become fake where they are moved to a CUDA device."""
    plain = getattr(tensor, name)

    def move(self: Any, *args: Any, **kwargs: Any) -> Any:
        goes = name == "cuda" or any(map(_is_cuda, [*args, *kwargs.values()]))
        if not goes or type(self).__name__ == "FakeTensor":
            return self if goes else plain(self, *args, **kwargs)
        import torch

        with mode:
            made = torch.empty_strided(
                self.shape, self.stride(), dtype=self.dtype, device="cuda"
            )
        return made

    setattr(tensor, name, move)


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
