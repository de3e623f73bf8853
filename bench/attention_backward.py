#!/usr/bin/env python3
"""Times the gradients of attention that the compiler makes of one plain loop, five products, with
dQ's added up in memory (examples/attention_backward_plain.mlir, ONCE=1), beside
cuDNN of torch, and two plain loops; first compared with float64.

usage: attention_backward.py [check]

Needs torch and a GPU of sm_90; `check` alone runs on the simulator as well (CUTE_DEVICE=sim).
Prints TFLOP/s of five products, medians of 8 bursts of 6 calls: of all kernels of a call, including
the ones that write the sums of rows and dQ times the scale.
"""
import math
import os
import statistics
import sys

import torch
from attention_reference import reference
from cute.kernels import attention
from cute.kernels.attention_gradient import attention_backward

ODD = [(1, 1, 70, 50, 64, False), (2, 1, 70, 50, 64, True), (1, 1, 33, 90, 128, False),
       (2, 2, 140, 200, 64, True), (1, 1, 130, 300, 128, True)]


def operands(batch, heads, shared, rows, keys, d, device, dtype=torch.float16):
    q, grad = (torch.randn(batch, heads, rows, d).to(device, dtype) for _ in range(2))
    k, v = (torch.randn(batch, shared, keys, d).to(device, dtype) for _ in range(2))
    return q, k, v, grad


def check(device):
    for heads, shared, rows, keys, d, causal in ODD:
        q, k, v, grad = operands(2, heads, shared, rows, keys, d, device)
        wide = [x.double().requires_grad_() for x in (q, k, v)]
        out, lse = reference(*wide, causal, 1 / math.sqrt(d))
        out.backward(grad.double())
        gradients = attention_backward(grad, q, k, v, out.detach().half(), lse.detach().float(),
                                       is_causal=causal)
        for got, x in zip(gradients, wide):
            error = ((got.double() - x.grad).abs().max() / x.grad.abs().max()).item()
            if not error < 1e-3:
                sys.exit(f"heads of {d}, {rows}x{keys}{' causal' * causal}: error {error:.1e}")
    print(f"{len(ODD)} odd sizes are right", flush=True)


def median(run):
    times = []
    for i in range(9):
        torch.cuda._sleep(100_000_000)
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(6):
            run()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) / 6)
    return statistics.median(times[1:])


def cudnn(q, k, v, grad, causal):
    from torch.nn.attention import SDPBackend, sdpa_kernel
    wide = [x.clone().requires_grad_() for x in (q, k, v)]
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        out = torch.nn.functional.scaled_dot_product_attention(*wide, is_causal=causal)
    return lambda: torch.autograd.grad(out, wide, grad, retain_graph=True)


def main():
    device = "cpu" if os.environ.get("CUTE_DEVICE") == "sim" else "cuda"
    torch.manual_seed(0)
    check(device)
    if "check" in sys.argv:
        return
    print(f"{'':28}{'cuDNN':>7}{'once':>7}{'twice':>7}")
    for d in (128, 64):
        for causal in (False, True):
            q, k, v, grad = operands(4, 16, 16, 4096, 4096, d, device)
            out, lse = attention(q, k, v, is_causal=causal, return_lse=True)
            arrays = (grad, q, k, v, out, lse)
            runs = [cudnn(q, k, v, grad, causal),
                    lambda: attention_backward(*arrays, is_causal=causal),
                    lambda: attention_backward(*arrays, is_causal=causal, deterministic=True)]
            flops = 10 * 4 * 16 * 4096 * 4096 * d // (2 if causal else 1)
            name = f"4x16x4096x{d}{' causal' if causal else ''}"
            print(f"{name:28}" + "".join(f"{flops / median(run) / 1e9:7.0f}" for run in runs),
                  flush=True)


main()
