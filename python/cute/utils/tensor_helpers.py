"""Tensors of 8-bit floats, which torch has as bytes."""

from __future__ import annotations

from typing import Any

from .._values.numeric import Float8E4M3B11FNUZ, Float8E4M3FN, Float8E4M3, Float8E5M2
from ..runtime import from_dlpack
from ..torch import convert_cute_tensor

__all__ = ["create_cute_tensor_for_fp8", "is_fp8_dtype"]


def is_fp8_dtype(dtype: Any) -> bool:
    """Says whether a numeric type is a float of 8 bits."""
    return dtype in (Float8E4M3FN, Float8E5M2, Float8E4M3, Float8E4M3B11FNUZ)


def create_cute_tensor_for_fp8(
    storage_tensor: Any,
    dtype: Any,
    leading_dim: int,
    source_f32_tensor: Any = None,
) -> Any:
    """Returns a tensor of torch as one of a numeric type, with dynamic layout.

    :param storage_tensor: of the type, or bytes for 8-bit floats
    :param source_f32_tensor: the numbers to write as 8-bit floats
    """
    made = from_dlpack(storage_tensor, assumed_align=16)
    if not is_fp8_dtype(dtype):
        return made.mark_layout_dynamic(leading_dim=leading_dim)
    made.element_type = dtype
    made = made.mark_layout_dynamic(leading_dim=leading_dim)
    if source_f32_tensor is None:
        return made
    return convert_cute_tensor(source_f32_tensor, made, dtype, is_dynamic_layout=True)
