"""Kernels to call on torch tensors: products, attention, softmax and norms.

They are for all GPUs from sm_80 on, and for the simulator, which has tensors of the host.
H100 and H200 have products and attention by wgmma, in the dialect's text (``text/``); all
other kernels are written in Python. Each is compiled when first called, products with
parameters of the tuner's table, and started on torch's current stream. Results are without
a gradient.
"""

from .attention import attention
from .gemm import gemm
from .norm import layernorm, rmsnorm
from .softmax import softmax

__all__ = ["attention", "gemm", "layernorm", "rmsnorm", "softmax"]
