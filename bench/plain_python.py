#!/usr/bin/env python3
"""Times the plain loops of examples/python beside torch's cuBLAS and cuDNN, on a GPU.

usage: plain_python.py

Prints TFLOP/s of each and torch's time over ours, the better of two medians of 21 launches in
turn, after the largest error beside float64. PYTHONPATH leads to the package.
"""
import pathlib
import sys

import torch
from medians import median
from torch.nn.attention import SDPBackend, sdpa_kernel

import cute

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "examples/python"))
import attention
import gemm

HEADS, LENGTH = (4, 16), 4096


def compare(row, operations, error, ours, theirs):
    a, b = (min(times) for times in zip(*((median(ours, 21), median(theirs, 21)) for _ in range(2))))
    print(f"{row}: error {error:.1e}, plain {operations / a / 1e9:.0f}, torch "
          f"{operations / b / 1e9:.0f} TFLOP/s, {b / a:.3f}", flush=True)


def random_f16(*shape):
    return torch.randn(*shape, device="cuda").half()


def compare_gemm(columns, size):
    gemm.N = columns
    a, b, c = random_f16(size, size), random_f16(size, size), random_f16(size, size)
    arrays = [gemm.matrix(x) for x in (a, b, c)]
    compiled = cute.compile(gemm.gemm, *arrays)
    compiled(*arrays)
    wanted = a.double() @ b.double().t()
    error = ((c - wanted).abs().max() / wanted.abs().max()).item()
    compare(f"gemm {size} cubed, tile {gemm.M}x{columns}", 2 * size**3, error,
            lambda: compiled(*arrays), lambda: torch.matmul(a, b.t(), out=c))


def compare_attention(d):
    attention.HEAD = d
    q, k, v, o = (random_f16(HEADS[0] * HEADS[1], LENGTH, d) for _ in range(4))
    given = [*map(attention.heads, (q, k, v, o)), cute.Float32(d**-0.5)]
    compiled = cute.compile(attention.attention, *given)
    compiled(*given)
    scores = q[:2].double() @ k[:2].double().transpose(1, 2) * d**-0.5
    error = (o[:2] - torch.softmax(scores, -1) @ v[:2].double()).abs().max().item()
    wide = [x.view(*HEADS, LENGTH, d) for x in (q, k, v)]

    def cudnn():
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            torch.nn.functional.scaled_dot_product_attention(*wide)

    compare(f"attention 4x16x{LENGTH}x{d}", 4 * q.shape[0] * LENGTH**2 * d, error,
            lambda: compiled(*given), cudnn)


if __name__ == "__main__":
    for size in (4096, 8192):
        for columns in (128, 256):
            compare_gemm(columns, size)
    for d in (64, 128):
        compare_attention(d)
