"""Which mode of a matrix is contiguous."""

from __future__ import annotations

import enum
from typing import Any

__all__ = ["LayoutEnum"]


class LayoutEnum(enum.Enum):
    """Whether rows or columns of A (M,K), B (N,K) or C (M,N) are contiguous.

    >>> cute.utils.LayoutEnum.ROW_MAJOR.is_n_major_c(), cute.utils.LayoutEnum.COL_MAJOR.mma_major_mode()
    (True, <OperandMajorMode.MN: 'mn'>)
    """

    ROW_MAJOR = "row_major"
    COL_MAJOR = "col_major"

    def mma_major_mode(self) -> Any:
        """Returns which mode of A or B is contiguous, for tensor cores."""
        return self.sm90_mma_major_mode()

    def sm90_mma_major_mode(self) -> Any:
        """Returns which mode of A or B is contiguous, for products of a warpgroup."""
        from ..nvgpu.warpgroup import OperandMajorMode

        return OperandMajorMode.K if self.is_k_major_a() else OperandMajorMode.MN

    def is_k_major_a(self) -> bool:
        return self is LayoutEnum.ROW_MAJOR

    def is_m_major_a(self) -> bool:
        return self is LayoutEnum.COL_MAJOR

    def is_n_major_b(self) -> bool:
        return self is LayoutEnum.COL_MAJOR

    def is_k_major_b(self) -> bool:
        return self is LayoutEnum.ROW_MAJOR

    def is_n_major_c(self) -> bool:
        return self is LayoutEnum.ROW_MAJOR

    def is_m_major_c(self) -> bool:
        return self is LayoutEnum.COL_MAJOR

    @staticmethod
    def from_tensor(tensor: Any) -> LayoutEnum:
        """Returns which of the first two modes of a tensor has stride 1."""
        leading = tensor.leading_dim
        while isinstance(leading, tuple):
            leading = leading[0]
        if leading == 1:
            return LayoutEnum.ROW_MAJOR
        if leading == 0:
            return LayoutEnum.COL_MAJOR
        raise ValueError(
            f"neither of the first two modes of {tensor} is contiguous: its stride "
            "must be 1, and known (mark_layout_dynamic(leading_dim=...) keeps it)"
        )
