"""Tensors of 8-bit floats, which torch stores as bytes."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values.numeric import Float8E4M3B11FNUZ, Float8E4M3FN, Float8E4M3, Float8E5M2
from ..runtime import from_dlpack
from ..torch import convert_cute_tensor

__all__ = ["create_cute_tensor_for_fp8", "get_kernel_smem_size", "is_fp8_dtype"]


def get_kernel_smem_size(kernel: Any, *, loc: Any = None, ip: Any = None) -> int:
    """Returns the bytes of shared memory that a kernel allocates, in a host function after
    its launch.

    :raises ValueError: for a kernel that has not been launched before
    """
    sizes = _ir.require("get_kernel_smem_size").traced.shared_bytes
    function = getattr(kernel, "function", kernel)
    if function not in sizes:
        name = getattr(function, "__name__", kernel)
        raise ValueError(f"the size of {name} is known once it has been launched: call "
                         "get_kernel_smem_size after its launch")
    return sizes[function]


def is_fp8_dtype(dtype: Any) -> bool:
    """Returns whether a numeric type is a float of 8 bits.

    >>> utils.is_fp8_dtype(Float8E4M3FN), cute.utils.is_fp8_dtype(Float16)
    (True, False)
    """
    return dtype in (Float8E4M3FN, Float8E5M2, Float8E4M3, Float8E4M3B11FNUZ)


def create_cute_tensor_for_fp8(
    storage_tensor: Any,
    dtype: Any,
    leading_dim: int,
    source_f32_tensor: Any = None,
    assumed_align: int | None = 16,
    mark_dynamic_layout: bool = True,
) -> Any:
    """Returns a torch tensor as one of a numeric type, with dynamic layout.

    :param storage_tensor: of the type, or bytes for 8-bit floats
    :param source_f32_tensor: the numbers to write as 8-bit floats
    """
    made = from_dlpack(storage_tensor, assumed_align=assumed_align)
    if is_fp8_dtype(dtype):
        made.element_type = dtype
    if mark_dynamic_layout:
        made = made.mark_layout_dynamic(leading_dim=leading_dim)
    if source_f32_tensor is None or not is_fp8_dtype(dtype):
        return made
    return convert_cute_tensor(source_f32_tensor, made, dtype, is_dynamic_layout=mark_dynamic_layout)
