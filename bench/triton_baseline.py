#!/usr/bin/env python3
"""Rows for the table of speed.sh: an autotuned matrix product in Triton, and torch's
matmul and softmax. Needs torch and Triton; PATTERN selects rows.

  triton_baseline.py [PATTERN]
"""
import itertools
import sys

import torch
import triton
import triton.language as tl

SIZES = [(1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096),
         (8192, 8192, 8192), (4096, 14336, 4096), (128, 4096, 4096),
         (16, 4096, 4096), (1000, 1000, 1000)]
TYPES = {"f16": torch.float16, "bf16": torch.bfloat16}
CONFIGS = [triton.Config({"BM": bm, "BN": bn, "BK": bk, "GROUP": 8},
                         num_stages=stages, num_warps=warps)
           for bm, bn, bk, stages, warps in [
               (128, 256, 64, 3, 8), (256, 128, 64, 3, 8), (128, 128, 64, 4, 4),
               (128, 128, 32, 4, 4), (128, 64, 64, 4, 4), (64, 128, 64, 4, 4),
               (64, 64, 64, 5, 4), (16, 64, 128, 5, 4), (16, 128, 128, 4, 4)]]


@triton.autotune(configs=CONFIGS, key=["m", "n", "k"])
@triton.jit
def product(a, b, c, m, n, k, pitch_a, pitch_b, pitch_c, BM: tl.constexpr,
            BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    """C = A * transpose(B), row-major, with groups of rows of tiles."""
    number = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    start = number // (GROUP * tiles_n) * GROUP
    height = min(tiles_m - start, GROUP)
    row = start + number % (GROUP * tiles_n) % height
    column = number % (GROUP * tiles_n) // height
    rows, columns = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    at_a = a + (rows % m)[:, None] * pitch_a + depth[None, :]
    at_b = b + (columns % n)[None, :] * pitch_b + depth[:, None]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(tl.cdiv(k, BK)):
        left = k - step * BK
        part_a = tl.load(at_a, mask=depth[None, :] < left, other=0.0)
        part_b = tl.load(at_b, mask=depth[:, None] < left, other=0.0)
        total = tl.dot(part_a, part_b, total)
        at_a += BK
        at_b += BK
    tl.store(c + rows[:, None] * pitch_c + columns[None, :],
             total.to(c.dtype.element_ty),
             mask=(rows[:, None] < m) & (columns[None, :] < n))


def run_product(a, b):
    (m, k), n = a.shape, b.shape[0]
    c = torch.empty((m, n), device=a.device, dtype=a.dtype)
    product[lambda meta: (triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"]),)](
        a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0))
    return c


def print_row(label, work, run, wanted, baseline):
    """A row of cute-run's table; `work` is (count, unit), counted per run."""
    found = run().double()
    error = ((found - wanted).abs().max() / wanted.abs().max()).item()
    ms = triton.testing.do_bench(run, return_mode="median")
    other = triton.testing.do_bench(baseline, return_mode="median") if baseline else 0
    count, unit = work
    rate = (f"{count / ms * 1e-9:.1f} TFLOP/s" if unit == "flop"
            else f"{count / ms * 1e-6:.0f} GB/s")
    ratio = f"{other / ms:.2f}x torch" if other else "-"
    print(f"{label:<32} {error:<8.1e} {ms:<9.4g} {rate:<14} {ratio}", flush=True)


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else ""
    torch.manual_seed(1)
    for (name, dtype), (m, n, k) in itertools.product(TYPES.items(), SIZES):
        label = f"triton gemm {name} {m}x{n}x{k}"
        if pattern not in label:
            continue
        a = torch.randn((m, k), device="cuda", dtype=dtype)
        b = torch.randn((n, k), device="cuda", dtype=dtype)
        print_row(label, (2 * m * n * k, "flop"), lambda: run_product(a, b),
                  a.double() @ b.double().T, lambda: a @ b.T)
    for m, n in ((32768, 4096), (65536, 1024)):
        label = f"torch softmax {m}x{n}"
        if pattern in label:
            a = torch.randn((m, n), device="cuda", dtype=torch.float16)
            print_row(label, (4 * m * n, "byte"), lambda: torch.softmax(a, 1),
                      torch.softmax(a.double(), 1), None)


if __name__ == "__main__":
    main()
