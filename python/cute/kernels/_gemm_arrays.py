"""Operands and results of products: where their lines lie, and as arguments of kernels."""

from __future__ import annotations

from typing import Any, Callable

from . import _arrays
from .gemm_sm90 import Step, width


def is_line(array: Any, mode: int) -> bool:
    """Returns whether one of the last two modes is contiguous."""
    return array.stride(mode - 2) == 1 or array.shape[mode - 2] == 1 and mode == 1


def is_whole(array: Any) -> bool:
    """Returns whether lines end, and begin, with whole pieces of 16 bytes."""
    size = array.element_size()
    along = 1 if is_line(array, 1) else 0
    bits = array.shape[along - 2] * size | array.data_ptr()
    for mode, (stride, extent) in enumerate(zip(array.stride(), array.shape)):
        if mode != array.dim() - 2 + along and extent > 1:
            bits |= stride * size
    return bits % 16 == 0


def in_lines(array: Any) -> Any:
    """Returns a copy whose rows begin at multiples of 16 bytes."""
    return maker(tuple(array.shape), array.dtype, array.device)().copy_(array)


def matrix(array: Any, is_operand: bool = False, swapped: bool = False) -> Any:
    """Returns an array as an argument (rows, columns, batches) of a kernel, or transposed."""
    shape, strides = list(array.shape), list(array.stride())
    size, element = array.element_size(), _arrays.element(array)
    along = next((i for i in (-1, -2) if strides[i] == 1), -1)
    for i, extent in enumerate(shape):  # strides that nothing depends on
        if extent == 1:
            strides[i] = 1 if i - len(shape) == along else 16 // size
    order = [-1, -2] if swapped else [-2, -1]
    order += [-3] if len(shape) == 3 else []
    return (array.data_ptr(), "tf32" if element == "f32" and is_operand else element,
            tuple(shape[i] for i in order), tuple(strides[i] for i in order))


def wide(array: Any, step: Step, shape: tuple[int, ...], swapped: bool) -> Any:
    """Returns a step's argument in the result's shape."""
    strides = list(array.stride()) if step.along in ("mn", "?") else [0, 0]
    if step.along in ("m", "n"):
        strides = [int(step.along == "m"), int(step.along == "n")]
    strides = [0] * (len(shape) - len(strides)) + strides
    order = [-1, -2] if swapped else [-2, -1]
    order += [-3] if len(shape) == 3 else []
    return (array.data_ptr(), _arrays.element(array), tuple(shape[i] for i in order),
            tuple(strides[i] for i in order))


def maker(shape: tuple[int, ...], dtype: Any, device: Any) -> Callable[[], Any]:
    """Returns a maker of arrays whose rows begin at multiples of 16 bytes.

    :param dtype: a type of torch, or its name
    """
    return _arrays.maker(shape, dtype, device, pitch_of(shape, dtype))


def pitch_of(shape: tuple[int, ...], dtype: Any) -> int:
    """Returns the elements from row to row of such an array."""
    name = f"torch.{str(dtype).removeprefix('torch.')}"
    if name not in _arrays.ELEMENTS:
        raise TypeError(f"out_dtype is one of {', '.join(_arrays.ELEMENTS)}, not {dtype}")
    piece = 128 // width(_arrays.ELEMENTS[name])
    return -(-shape[-1] // piece) * piece
