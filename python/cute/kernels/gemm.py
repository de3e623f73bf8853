"""C = A B^T."""

from __future__ import annotations

from typing import Any

from . import _arrays, _text

# By the type of elements: the text, the kernel in it, parameters, the type of the result.
_PRODUCTS: dict[str, tuple[str, str, dict[str, str], str]] = {
    "f16": ("gemm_sm90", "gemm", {}, "float16"),
    "bf16": ("gemm_sm90", "gemm", {"T": "bf16", "PRODUCT": "F32BF16BF16"}, "bfloat16"),
    "f32": ("gemm_tf32_sm90", "gemm", {}, "float32"),
    "i8": (
        "gemm_tf32_sm90",
        "gemm",
        {"AB": "i8", "SUM": "i32", "K": "128", "PIECE": "4", "PRODUCT": "x32_S32S8S8"},
        "int32",
    ),
    "f8E4M3FN": ("gemm_fp8_sm90", "gemm_promoted", {}, "float16"),
}


def gemm(a: Any, b: Any, out: Any = None, *, stream: Any = None) -> Any:
    """Returns ``a @ b.T`` for matrices (M,K) and (N,K), both with contiguous rows.

    Elements are of float16, bfloat16 (sums in float32), float32 (multiplied as
    tf32), int8 (int32) or float8_e4m3fn (float16). Rows begin at multiples of 16
    bytes. ``out`` is written if it is given. Does not wait.
    """
    ordinal = _arrays.ordinal(a, b)
    element = _arrays.element(a)
    if element not in _PRODUCTS or _arrays.element(b) != element:
        raise TypeError(
            f"a and b have one type of {', '.join(_PRODUCTS)}, not {a.dtype}, {b.dtype}"
        )
    if a.dim() != 2 or b.dim() != 2 or a.shape[1] != b.shape[1]:
        raise ValueError(
            f"a is (M,K) and b is (N,K), not {tuple(a.shape)}, {tuple(b.shape)}"
        )
    name, entry, parameters, result = _PRODUCTS[element]
    if out is None:
        out = _new(a, b.shape[0], result)
    _check_out(out, (a.shape[0], b.shape[0]), result)
    if 0 in (*a.shape, *b.shape):
        return out.zero_()
    for what, array in (("a", a), ("b", b), ("out", out)):
        _arrays.need_rows(what, array, 16)
    operand = "tf32" if element == "f32" else element
    _text.kernel(name, ordinal, entry, **parameters).launch(
        _arrays.stream_of(a, stream),
        (
            _arrays.argument(a, operand),
            _arrays.argument(b, operand),
            _arrays.argument(out),
        ),
        None,
    )
    return out


def _new(a: Any, columns: int, dtype: str) -> Any:
    """Returns a matrix whose rows begin at multiples of 16 bytes."""
    import torch

    kind = getattr(torch, dtype)
    piece = 16 // kind.itemsize
    padded = -(-columns // piece) * piece
    return torch.empty(a.shape[0], padded, dtype=kind, device=a.device)[:, :columns]


def _check_out(out: Any, shape: tuple[int, int], dtype: str) -> None:
    if tuple(out.shape) != shape or str(out.dtype) != f"torch.{dtype}":
        raise ValueError(
            f"out is {shape} of {dtype}, not {tuple(out.shape)} of {out.dtype}"
        )
