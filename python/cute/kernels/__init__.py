"""Kernels to call on torch tensors: products, attention, softmax and norms.

Softmax and norms are written in Python, for all GPUs and for the simulator. Products and
attention are written in the dialect's text (``text/``), for H100 and H200 (sm_90a) only.
Each is compiled when first called, and started on torch's current stream.
"""

from .attention import attention
from .gemm import gemm
from .norm import layernorm, rmsnorm
from .softmax import softmax

__all__ = ["attention", "gemm", "layernorm", "rmsnorm", "softmax"]
