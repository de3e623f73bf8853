"""Arrays of torch as arguments of kernels. Nothing here imports torch."""

from __future__ import annotations

import functools
import math
import sys
from typing import Any, Callable, NamedTuple, Sequence

from .._device.stream_handles import handle_of

_APART = 32  # elements: arrays of one piece begin at multiples of them
# The dialect's names of torch's types of elements.
ELEMENTS = {
    "torch.float16": "f16",
    "torch.bfloat16": "bf16",
    "torch.float32": "f32",
    "torch.int8": "i8",
    "torch.int32": "i32",
    "torch.float8_e4m3fn": "f8E4M3FN",
    "torch.float8_e5m2": "f8E5M2",
}


def element(array: Any) -> str:
    """Returns the element type of an array."""
    name = str(array.dtype)
    if name not in ELEMENTS:
        raise TypeError(f"no kernel accepts {name}: one of {', '.join(ELEMENTS)}")
    return ELEMENTS[name]


def ordinal(*arrays: Any) -> int:
    """Returns the GPU that all of the arrays are on."""
    devices = {str(a.device): a.device for a in arrays}
    if len(devices) != 1 or not arrays[0].is_cuda:
        raise ValueError(f"arrays on one GPU, not on {', '.join(devices)}")
    return int(arrays[0].device.index or 0)


def argument(array: Any, as_element: str = "") -> Any:
    """Returns an array as a launch takes it."""
    return (
        array.data_ptr(),
        as_element or element(array),
        tuple(array.shape),
        tuple(array.stride()),
    )


def has_rows(array: Any, bytes_of_row: int) -> bool:
    """Returns whether rows of a matrix are runs that TMA can load."""
    pitch = array.stride(-2) * array.element_size()
    is_contiguous = array.stride(-1) == 1
    return is_contiguous and not array.data_ptr() % 16 and not pitch % bytes_of_row


def need_rows(name: str, array: Any, bytes_of_row: int) -> None:
    """Raises where rows of a matrix are not runs that TMA can load."""
    size = array.element_size()
    if array.stride(-1) != 1:
        raise ValueError(f"{name}: its rows must be contiguous, not {array.stride()}")
    if array.data_ptr() % 16 or array.stride(-2) * size % bytes_of_row:
        raise ValueError(
            f"{name}: rows begin at multiples of {bytes_of_row} bytes, not of "
            f"{array.stride(-2) * size}"
        )


def stream_of(ordinal: int, stream: Any) -> int:
    """Returns a CUDA stream as an integer: torch's current one of a device if it is None."""
    if stream is None:
        return _current_stream()(ordinal)
    return handle_of(stream)


@functools.lru_cache(maxsize=None)
def _current_stream() -> Callable[[int], int]:
    """Returns a function for the handle of torch's current stream of a device."""
    import torch

    found = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return found or (lambda ordinal: int(torch.cuda.current_stream(ordinal).cuda_stream))


def empty(shape: tuple[int, ...], dtype: Any, device: Any) -> Any:
    """Returns a new array of torch."""
    import torch

    return torch.empty(shape, dtype=dtype, device=device)


class Maker(NamedTuple):
    """Makes new arrays of torch, as calls that are like one before take it (``_bridge.call_keep``).

    :param function: makes them of ``arguments`` on the current device, in a third of the time that
        functions of torch take to read theirs
    :param otherwise: makes them on the device that is wanted
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    otherwise: Callable[[], Any]

    def __call__(self) -> Any:
        return self.otherwise()


class Makers(tuple[Any, ...]):
    """Several, for a tuple of arrays."""

    def __call__(self) -> Any:
        return tuple([make() for make in self])


def maker(shape: tuple[int, ...], dtype: Any, device: Any, pitch: int = 0) -> Callable[[], Any]:
    """Returns a maker of new torch arrays.

    :param dtype: a type of torch, or its name, as ``torch.float32``
    :param pitch: elements from row to row, if rows are apart
    """
    torch = sys.modules.get("torch")
    if not isinstance(device, getattr(torch, "device", ())):
        return functools.partial(empty, shape, dtype, device)
    kind, extents = getattr(torch, str(dtype).removeprefix("torch.")), [max(1, n) for n in shape]
    extents[-1:] = [max(1, pitch or n) for n in shape[-1:]]
    strides = tuple([math.prod(extents[i + 1:]) for i in range(len(shape))])
    otherwise = functools.partial(torch.empty_strided, shape, strides, dtype=kind, device=device)
    guards = getattr(getattr(torch._C, "_dynamo", None), "guards", None)
    fast = getattr(guards, f"_empty_strided_{device.type}", None)
    return Maker(fast, (shape, strides, kind), otherwise) if fast else otherwise


class Memory:
    """Arrays of float32 that a call makes for itself, in one piece.

    :param shapes: of each
    """

    def __init__(self, shapes: Sequence[tuple[int, ...]], device: Any):
        self._shapes, self._begins, end = shapes, [], 0
        for shape in shapes:
            self._begins.append(end)
            end += -(-math.prod(shape) // _APART) * _APART
        self.new = maker((end,), "torch.float32", device)

    @property
    def offsets(self) -> list[int]:
        """Where each begins, in bytes."""
        return [4 * begin for begin in self._begins]

    def arrays(self) -> list[Any]:
        """Returns new ones."""
        if not self._shapes:
            return []
        whole = self.new()
        return [whole[begin:begin + math.prod(shape)].view(shape)
                for begin, shape in zip(self._begins, self._shapes)]

