"""Products of 8-bit floats with a scale for each 1x128 of A and each 128x128 of B."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional

from . import _arrays, _calls, _gemm_choice, _loading, _text, gemm_sm90
from ._gemm_arrays import is_line, is_whole, maker, matrix
from .gemm_sm90 import Product

BLOCK = 128
_FLOATS = ("f8E4M3FN", "f8E5M2")
_RESULTS = ("bf16", "f16", "f32")


def scaled_gemm(
    a: Any, b: Any, scale_a: Any, scale_b: Any, out: Any = None, *, m_indices: Any = None,
    masked_m: Any = None, out_dtype: Any = None, stream: Any = None,
) -> Any:
    """Returns ``a @ b.mT`` of 8-bit floats times a factor for each 1x128 of ``a`` and 128x128 of
    ``b``; the sums of 128 products are added to one another in float32.

    ``a`` is (M,K), ``b`` (N,K), ``scale_a`` (M, K / 128) and ``scale_b`` (N / 128, K / 128),
    rounded up, of float32 and any strides; they are loaded with the tiles if rows of ``scale_a``
    are contiguous, with strides (1, M), M a multiple of 4. The result is (M,N) of bfloat16, or
    ``out_dtype``. Does not wait.

    With groups ``b`` is (G,N,K) and ``scale_b`` (G, N / 128, K / 128), and only the kernel reads
    which rows a group has:

    :param m_indices: (M,) of int32, the group of each row: one for each 128 rows from a multiple of
        128 on. Rows between groups have -1, or the group before them, and results that are not
        defined
    :param masked_m: (G,) of int32, how many rows each group has: ``a`` is (G,M,K), ``scale_a``
        (G, M, K / 128), and the result (G,M,N), whose rows beyond are not defined

    This is what DeepGEMM asks of operands, dense, grouped contiguous (``m_indices``) and
    masked (``masked_m``); extents of A, B and the result may be any whose rows begin at 16 bytes.
    """
    if m_indices is not None and masked_m is not None:
        raise ValueError("groups are given by m_indices, or by masked_m, not by both")
    groups = "rows" if m_indices is not None else "counts" if masked_m is not None else ""
    numbers = [x for x in (m_indices, masked_m) if x is not None]
    arrays = (a, b, *numbers, scale_a, scale_b, out)
    return _calls.run(_prepare, arrays, stream, groups, out_dtype)


def _prepare(a: Any, b: Any, *rest: Any) -> Any:
    """Returns the call of a product."""
    *numbers, scale_a, scale_b, out, groups, out_dtype = rest
    ordinal = _loading.place(a, b, *numbers, scale_a, scale_b)
    _check_operands(a, b, groups)
    _check_scales("scale_a", scale_a, (*a.shape[:-1], -(-a.shape[-1] // BLOCK)))
    _check_scales("scale_b", scale_b, (*b.shape[:-2], *(-(-n // BLOCK) for n in b.shape[-2:])))
    if groups:
        _check_numbers({"rows": "m_indices", "counts": "masked_m"}[groups], numbers[0], a.shape[0])
    shape = (*a.shape[:-1], b.shape[-2])
    new = maker(shape, out_dtype or "bfloat16", a.device)
    made = new() if out is None else out
    if _arrays.element(made) not in _RESULTS or tuple(made.shape) != shape or (
            out_dtype not in (None, made.dtype)):
        raise ValueError(f"out is {shape} of bfloat16, float16 or float32, not "
                         f"{tuple(made.shape)} of {made.dtype}")
    if not is_line(made, 1):
        raise ValueError(f"out: its rows must be contiguous, not {made.stride()}")
    _loading.place(a, made)
    if 0 in shape or 0 in a.shape or 0 in b.shape:
        return _calls.Zero(new)
    _check_rows(a, b)
    product = Product(
        _arrays.element(a), _arrays.element(b), _arrays.element(made),
        whole=tuple(map(is_whole, (a, b, made))), in_levels=True, scaled=True, groups=groups,
        batches=(a.dim() == 3, b.dim() == 3, made.dim() == 3))
    size = (a.shape[-2], *b.shape[-2:])
    if groups == "rows":
        size = (-(-size[0] // b.shape[0]), *size[1:])
    device = _text.device(ordinal)
    product = dataclasses.replace(product, has_lines=device.arch == 90 and _has_lines(scale_a))
    product = _gemm_choice.chosen(product, size, b.shape[0] if groups else 1, int(device.arch),
                                  device.multiprocessors)
    kernel = _loading.kernel(gemm_sm90.program, (("product", product),), "gemm", ordinal)
    swapped = product.is_swapped
    arguments = [*(matrix(x, is_operand=True) for x in (a, b)), *map(_arrays.argument, numbers),
                 *map(_scales, (scale_a, scale_b)), matrix(made, swapped=swapped)]
    return _calls.Call(ordinal, [(kernel, tuple(arguments), None)], new)


def _has_lines(scales: Any) -> bool:
    """Returns whether the scales of rows lie side by side, in lines that begin at 16 bytes."""
    strides = list(scales.stride())
    return (strides.pop(-2) == 1 and scales.data_ptr() % 16 == 0
            and not any(stride % 4 for stride in strides))


def _scales(array: Any) -> Any:
    """Returns scales as an argument, groups last."""
    order = (-2, -1, -3)[:array.dim()]
    return (array.data_ptr(), "f32", tuple(array.shape[i] for i in order),
            tuple(array.stride(i) for i in order))


# ---- Checks -----------------------------------------------------------------


def _check_operands(a: Any, b: Any, groups: str) -> None:
    """Raises where A and B don't fit one another."""
    modes = {"": ("(M,K)", "(N,K)"), "rows": ("(M,K)", "(G,N,K)"), "counts": ("(G,M,K)", "(G,N,K)")}
    dims = [1 + text.count(",") for text in modes[groups]]
    fits = [a.dim(), b.dim()] == dims and a.shape[-1] == b.shape[-1]
    if not fits or (groups == "counts" and a.shape[0] != b.shape[0]):
        raise ValueError(f"a is {modes[groups][0]} and b is {modes[groups][1]}, not "
                         f"{tuple(a.shape)}, {tuple(b.shape)}")
    if not {_arrays.element(x) for x in (a, b)} <= set(_FLOATS):
        raise TypeError(f"a and b are of float8_e4m3fn or float8_e5m2, not {a.dtype}, {b.dtype}")


def _check_rows(a: Any, b: Any) -> None:
    """Raises where TMA cannot load A or B."""
    for name, x in (("a", a), ("b", b)):
        pitches = [s for s, n in zip(x.stride()[:-1], x.shape) if n > 1]
        if x.stride(-1) != 1 or x.data_ptr() % 16 or any(s % 16 for s in pitches):
            raise ValueError(f"{name}: K is contiguous and rows begin at multiples of 16 bytes, "
                             f"not with strides {tuple(x.stride())}")


def _check_scales(name: str, scales: Any, shape: tuple[int, ...]) -> None:
    """Raises where scales are not numbers of a shape."""
    if _arrays.element(scales) != "f32":
        raise TypeError(f"{name} is of float32, not {scales.dtype}")
    if tuple(scales.shape) != shape:
        raise ValueError(f"{name} is {shape}, not {tuple(scales.shape)}")


def _check_numbers(name: str, numbers: Any, count: Optional[int]) -> None:
    """Raises where the groups of rows, or how many each has, are not such a list."""
    if _arrays.element(numbers) != "i32":
        raise TypeError(f"{name} is of int32, not {numbers.dtype}")
    if tuple(numbers.shape) != (count,) or numbers.stride(0) != 1:
        raise ValueError(f"{name} has {count} contiguous elements, not {tuple(numbers.shape)} with "
                         f"strides {numbers.stride()}")
