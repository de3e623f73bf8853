"""Kernels to call on torch tensors: products, attention, and row functions.

They run on all GPUs from sm_80 on, and on the simulator with host tensors. Products, and attention
of many rows on H100 and H200, are plain loops that passes make fast. The attention loops are in the
dialect's text (``text/``); all other kernels are in Python. Each is compiled at its first call,
products with parameters from a model or from the tuner's table, and started on torch's current
stream. Where torch records a call for gradients, the operator of ``cute.kernels.torch_ops`` runs
in its place; it is an error if that has no gradient.
"""

from .attention import attention
from .attention_gradient import attention_backward
from .attention_latent import attention_latent
from .attention_paged import attention_paged
from .attention_varlen import attention_varlen
from .cross_entropy import cross_entropy
from .cumsum import cumsum
from .gemm import gated_gemm, gemm, grouped_gemm
from .gemm_scaled import scaled_gemm
from .gemm_w4 import gemm_w4, pack_w4, unpack_w4
from .norm import layernorm, rmsnorm
from .rope import rope
from .softmax import log_softmax, softmax
from .topk import argmax, topk

__all__ = ["argmax", "attention", "attention_backward", "attention_latent", "attention_paged",
           "attention_varlen", "cross_entropy", "cumsum", "gated_gemm", "gemm", "gemm_w4",
           "grouped_gemm", "layernorm", "log_softmax", "pack_w4", "rmsnorm", "rope",
           "scaled_gemm", "softmax", "topk", "unpack_w4"]
