"""What TMA and products need of a matrix product, checked before anything is made."""

from __future__ import annotations

import os
from typing import Any

from .._values.numeric import Int8, NumericMeta, Uint8
from ..testing import CantImplementError

__all__ = [
    "TMA_ALIGNMENT_BYTES",
    "check_gemm_tma_alignment",
    "check_int8_mma_arch",
    "check_tma_tensor_alignment",
    "get_tma_aligned_contiguous_elements",
]

TMA_ALIGNMENT_BYTES = 16


def get_tma_aligned_contiguous_elements(elem_ty: Any) -> int:
    """Returns how many elements take 16 bytes: rows have a multiple of them.

    :raises CantImplementError: for elements of 6 bits

    >>> from cute.utils import blackwell_helpers
    >>> blackwell_helpers.get_tma_aligned_contiguous_elements(Float16)
    8
    """
    if not isinstance(elem_ty, NumericMeta):
        raise TypeError(f"expected a numeric type, not {elem_ty!r}")
    if elem_ty.width == 6:
        raise CantImplementError("rows of elements of 6 bits have no alignment of their own")
    return TMA_ALIGNMENT_BYTES * 8 // elem_ty.width


def check_tma_tensor_alignment(
    tensor_name: str, elem_ty: Any, contiguous_dim_size: int, contiguous_dim_name: str
) -> None:
    """Checks that a matrix's rows are multiples of 16 bytes.

    :raises CantImplementError: otherwise
    """
    needed = get_tma_aligned_contiguous_elements(elem_ty)
    if contiguous_dim_size % needed:
        raise CantImplementError(
            f"{tensor_name}: {contiguous_dim_name} is {contiguous_dim_size}, and contiguous: it is "
            f"a multiple of {needed} {elem_ty}, {TMA_ALIGNMENT_BYTES} bytes")


def check_gemm_tma_alignment(
    m: int, n: int, k: int, a_dtype: Any, b_dtype: Any, d_dtype: Any, a_major: str, b_major: str,
    d_major: str | None, *, output_tensor_name: str = "D",
) -> None:
    """Checks A's, B's and, unless ``d_dtype`` is None, D's rows.

    :param a_major: "m" or "k", ``b_major`` "n" or "k", and ``d_major`` "m" or "n"
    :raises CantImplementError: for rows that TMA does not copy, or another mode
    """
    extents = {"m": m, "n": n, "k": k}
    for name, dtype, major, modes in (
        ("A", a_dtype, a_major, "mk"), ("B", b_dtype, b_major, "nk"),
        (output_tensor_name, d_dtype, d_major, "mn"),
    ):
        if dtype is None and name == output_tensor_name:
            continue
        if major not in tuple(modes):
            raise CantImplementError(f"{name} is contiguous along {modes[0]} or {modes[1]}, not "
                                     f"{major!r}")
        check_tma_tensor_alignment(name, dtype, extents[major], major.upper())


def check_int8_mma_arch(ab_dtype: Any, target_arch: str | None = None) -> None:
    """Checks that an architecture has products of integers in tensor memory.

    :param target_arch: "sm_100a"; by default that of CUTE_DSL_ARCH
    :raises CantImplementError: for sm_107, which has none
    """
    arch = target_arch or os.environ.get("CUTE_DSL_ARCH", "")
    if ab_dtype in (Int8, Uint8) and arch.strip().lower().removeprefix("sm_").startswith("107"):
        raise CantImplementError(f"{arch} has no products of {ab_dtype}")
