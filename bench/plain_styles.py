#!/usr/bin/env python3
"""Times the plain products of test/Python/optimize_styles.py, as different authors write
them, beside torch's cuBLAS, on a GPU, after the largest error beside float64.

usage: plain_styles.py [SIZE ...]

PYTHONPATH leads to the package, and to the folder of that file. Without a size, 4096 and
8192 cubed. Sums in parts of K are of f32.
"""
import sys

import optimize_styles as styles
import torch
from medians import median

import cute

TILE = 128


def variants(a, b, r, c, sums):
    """Yields a name, the function, its arguments, and what it is to give."""
    product = a.double() @ b.double().t()
    arrays = [styles.dynamic(x) for x in (a, b, c)]
    for tiles in (styles.of_rest, styles.of_zipped, styles.of_three):
        yield (tiles.__name__, styles.gemm,
               [*arrays, styles.whole_tiles, styles.of_allocator, tiles], c, product)
    yield ("of_struct", styles.gemm,
           [*arrays, styles.whole_tiles, styles.of_struct], c, product)
    yield "in_blocks_of_k", styles.gemm, [*arrays, styles.in_blocks_of_k], c, product
    yield ("with_predicates", styles.gemm,
           [*arrays, styles.with_predicates, styles.inside], c, product)
    turned = styles.dynamic(b.t().contiguous())
    for move in (styles.directly, styles.through_registers):
        yield (move.__name__, styles.gemm,
               [arrays[0], turned, arrays[2], styles.by_threads, move], c, product)
    yield ("add_parts", styles.gemm,
           [*arrays[:2], styles.dynamic(sums), styles.add_parts], sums, product)
    wanted = product.relu() + r.double()
    for own in (styles.unrolled, styles.by_predicate, styles.by_comparison):
        yield (own.__name__, styles.gemm_and_residual,
               [*arrays[:2], styles.dynamic(r), arrays[2], own], c, wanted)


def compare(size, device):
    a, b, r = (torch.randn(size, size, device=device).half() for _ in range(3))
    c, sums = torch.empty_like(r), torch.empty_like(r, dtype=torch.float32)
    theirs = median(lambda: torch.matmul(a, b.t(), out=c)) if device == "cuda" else 0
    for name, function, given, result, wanted in variants(a, b, r, c, sums):
        result.zero_()
        compiled = cute.compile(function, *given, optimize=True)
        arrays = [x for x in given if not callable(x)]
        compiled(*arrays)
        error = ((result - wanted).abs().max() / wanted.abs().max()).item()
        way = "wgmma" if "wgmma" in compiled.__ptx__ else "mma.sync"
        line = f"{size} {name}: {way}, error {error:.1e}"
        if device == "cuda":
            ours = median(lambda: compiled(*arrays))  # noqa: B023
            line += f", {2 * size**3 / ours / 1e9:.0f} TFLOP/s, {theirs / ours:.3f} of cuBLAS"
        print(line, flush=True)


def main():
    styles.M = styles.N = TILE
    device = "cuda" if torch.cuda.is_available() else "cpu"
    for size in map(int, sys.argv[1:] or ("4096", "8192")):
        compare(size, device)


if __name__ == "__main__":
    main()
