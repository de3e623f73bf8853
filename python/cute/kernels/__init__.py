"""Kernels to call on torch tensors: products, attention.

They are written in the dialect's text (``text/``), compiled for the GPU when first
called, and started on torch's current stream. H100 and H200 (sm_90a) only.
"""

from .attention import attention
from .gemm import gemm

__all__ = ["attention", "gemm"]
