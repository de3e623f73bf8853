"""Choices of products whose A is converted on its way, as integers for floats."""

from __future__ import annotations

import enum
from typing import Any

from ..nvgpu import tcgen05

__all__ = ["TransformMode", "get_divisibility", "get_transform_a_source"]


class TransformMode(enum.Enum):
    """How A becomes what the product takes."""

    ConvertOnly = 1
    ConvertScale = 2


def get_divisibility(contiguous_dim_size: int, upper_bound: int = 128) -> int:
    """Returns the largest power of two that divides an extent, at most ``upper_bound``.

    For example::

        get_divisibility(48), get_divisibility(1024)
        # (16, 128)
    """
    return min(contiguous_dim_size & -contiguous_dim_size, upper_bound)


def get_transform_a_source(a_major_mode: Any) -> tcgen05.OperandSource:
    """Returns where a product reads the converted A: in tensor memory, if it is contiguous
    along K, as A must be there."""
    is_k = a_major_mode is tcgen05.OperandMajorMode.K
    return tcgen05.OperandSource.TMEM if is_k else tcgen05.OperandSource.SMEM
