#!/usr/bin/env python3
"""Checks the functions of cute.kernels on this machine's GPU beside float64, at random
sizes and with results between guards, and times them beside torch.

usage: kernel_library.py [--only PATTERN] [--cases N] [--seed S] [--rows check|speed|all]
       kernel_library.py --random N [--seed S] [--fit]

Needs a GPU, torch and PYTHONPATH to the package. A check row is a function with a type,
as in `gemm f16`, run N times (8), each time at other sizes; speed rows print medians in
TFLOP/s and the ratio to torch, as bursts.py does. Functions of rows are in GB/s, beside torch
and a copy (row_functions.py). Rows `grid GROUP` are products, and attention of few rows,
in microseconds, medians with a cold L2 cache, in turns with torch, and the geometric mean
of torch's time over ours. PATTERN selects rows. The last line counts what
failed. With --random products of N random sizes are timed alone (tiles.py).
"""
import argparse
import math
import random
import sys

import attention_rows
import row_functions
import tiles
import torch
from bursts import report
from grouped import share_of_tiles
from library_operands import (BF16, F8, F16, F32, NAMES, S8, S32, TOLERANCE, error_of, extent,
                              device, guarded, matrix, medians)

from cute import kernels

PRODUCTS = {F16: (F16, 1e-3), BF16: (BF16, 5e-3), F32: (F32, 2e-3), S8: (S32, 0.0),
            F8: (F16, 1e-3)}  # type of the result, tolerance; f32 is multiplied as tf32


def check_gemm(kind):
    if kind != S8 and random.random() < 0.5:
        return check_steps(kind)
    result, tolerance = PRODUCTS[kind]
    step = random.choice((1, 16 // torch.empty((), dtype=kind).element_size()))
    m, n, k = extent(1500), extent(1500), max(step, extent(1000, step))
    a, b = matrix(m, k, kind), matrix(n, k, kind)
    out, is_whole = guarded((m, n), result)
    kernels.gemm(a, b, out)
    return f"{m}x{n}x{k}", error_of(out, a.double() @ b.double().t()), tolerance, is_whole()


def check_steps(kind):
    """A batch, or what comes before the store."""
    result, tolerance = PRODUCTS[kind]
    m, n, k, batch = extent(700), extent(700), extent(500), random.choice((0, 0, 3))
    a, b = ((torch.randn(*[batch][:batch], rows, k, device="cuda")).to(kind) for rows in (m, n))
    bias = torch.randn(n, device="cuda").to(result)
    residual = torch.randn(*[batch][:batch], m, n, device="cuda").to(result)
    got = kernels.gemm(a, b, bias=bias, activation="silu", residual=residual, alpha=0.5, beta=2.0)
    sums = 0.5 * (a.double() @ b.double().transpose(-1, -2)) + bias
    expected = torch.nn.functional.silu(sums) + 2 * residual.double()
    return f"{batch}x{m}x{n}x{k} steps", error_of(got, expected), 2 * tolerance, True


def check_gated_gemm(kind):
    _, tolerance = PRODUCTS[kind]
    m, n, k = extent(700), extent(700), extent(500)
    a, gate, up = (torch.randn(rows, k, device="cuda").to(kind) for rows in (m, n, n))
    x, y = (a.double() @ w.double().t() for w in (gate, up))
    expected = torch.nn.functional.silu(x) * y
    return (f"{m}x{n}x{k}", error_of(kernels.gated_gemm(a, gate, up), expected), 2 * tolerance,
            True)


def groups_of(m, count):
    """Where groups of rows end, at random; some have no rows."""
    return torch.randint(0, m + 1, (count,), device="cuda").sort().values.int()


def check_grouped_gemm(kind):
    result, tolerance = PRODUCTS[kind]
    m, n, k, count = extent(1500), extent(700), extent(500), random.randrange(1, 20)
    a, b = (torch.randn(*shape, device="cuda").to(kind) for shape in ((m, k), (count, n, k)))
    ends = groups_of(m, count)
    out, is_whole = guarded((m, n), result)
    before = out[ends[-1]:].clone()
    kernels.grouped_gemm(a, b, ends, out)
    group = torch.searchsorted(ends, torch.arange(int(ends[-1]), device="cuda"), right=True)
    expected = torch.cat([a[:int(ends[-1])][group == g].double() @ b[g].double().t() for g in range(count)])
    is_left = torch.equal(out[ends[-1]:].view(torch.uint8), before.view(torch.uint8))
    error = error_of(out[:int(ends[-1])], expected) if len(expected) else 0
    return f"{m}x{n}x{k} of {count}", error, tolerance, is_whole() and is_left


def scaled(rows, k, kind, *groups, block=1):
    """(elements, a factor for each `block` rows and 128 of K, in rows side by side, the numbers)."""
    x = torch.randn(*groups, rows, k, device="cuda").to(kind)
    scales = (torch.rand(*groups, -(-k // 128), -(-rows // block), device="cuda") + 0.5).transpose(-1, -2)
    wide = scales.double().repeat_interleave(block, -2)[..., :rows, :].repeat_interleave(128, -1)[..., :k]
    return x, scales, x.double() * wide


def check_scaled_gemm(kind):
    m, n, k, count = extent(900), extent(700), extent(900, 16), random.randrange(1, 6)
    k = max(k, 16)
    groups = random.choice(("", "m_indices", "masked_m"))
    m = -(-m // 128) * 128 if groups == "m_indices" else m
    a, scale_a, wide_a = scaled(m, k, kind, *[count] * (groups == "masked_m"))
    b, scale_b, wide_b = scaled(n, k, F8, *[count] * bool(groups), block=128)
    given = {}
    if groups == "m_indices":
        numbers = torch.randint(-1, count, (m // 128,), device="cuda").sort().values.repeat_interleave(128)
        given, is_there = {groups: numbers.int()}, numbers >= 0
        expected = torch.stack([wide_a[i] @ wide_b[g].t() for i, g in enumerate(numbers.tolist())])
    elif groups:
        counts = torch.randint(0, m + 1, (count,), device="cuda").int()
        given, is_there = {groups: counts}, torch.arange(m, device="cuda") < counts[:, None]
    if groups != "m_indices":
        expected = wide_a @ wide_b.transpose(-1, -2)
    got = kernels.scaled_gemm(a, b, scale_a, scale_b, **given)
    if groups:
        got, expected = got[is_there], expected[is_there]
    return f"{m}x{n}x{k} {groups} of {count}", error_of(got, expected) if got.numel() else 0, 5e-3, True


def weights_of_4_bits(n, k, group, kind):
    """(packed weights, scales, zeros, weights in float64)."""
    q = torch.randint(0, 16, (n, k), device="cuda").to(torch.uint8)
    scales = (torch.rand(n, k // group, device="cuda") + 0.1).to(kind)
    zeros = torch.randint(0, 17, scales.shape, device="cuda").to(kind)
    wide = (x.double().repeat_interleave(group, 1) for x in (zeros, scales))
    return kernels.pack_w4(q), scales, zeros, (q.double() - next(wide)) * next(wide)


def check_gemm_w4(kind):
    group = random.choice((32, 64, 96, 128))
    m, n, k = extent(140), 16 * random.randrange(1, 60), group * 2 * random.randrange(1, 20)
    w, scales, zeros, wide = weights_of_4_bits(n, k, group, kind)
    a = torch.randn(m, k, device="cuda").to(kind)
    out, is_whole = guarded((m, n), kind)
    kernels.gemm_w4(a, w, scales, zeros, out)
    return f"{m}x{n}x{k} of {group}", error_of(out, a.double() @ wide.t()), 4 * TOLERANCE[kind], is_whole()


CHECKS = [(check_gemm, PRODUCTS), (check_gated_gemm, (F16, BF16, F32)), (check_grouped_gemm, (F16, BF16, F32)),
          (check_scaled_gemm, (F8,)), (check_gemm_w4, (F16, BF16)),
          *((check, (F16, BF16)) for check in attention_rows.CHECKS),
          *((check, TOLERANCE) for check in row_functions.CHECKS)]


def run_checks(pattern, cases):
    """How many cases failed."""
    failed = 0
    for check, kinds in CHECKS:
        for kind in kinds:
            row = f"{check.__name__.removeprefix('check_')} {NAMES[kind]}"
            if pattern not in row:
                continue
            worst = 0.0
            for _ in range(cases):
                size, error, tolerance, is_whole = check(kind)
                worst = max(worst, error)
                if error <= tolerance and is_whole:
                    continue
                failed += 1
                print(f"{row} {size}: error {error:.1e}, allowed {tolerance:.1e}"
                      f"{'' if is_whole else '; writes outside of the result'}")
            print(f"{row:<16} {cases} cases, largest error {worst:.1e}", flush=True)
    return failed


# ---- Speed ------------------------------------------------------------------


def product_of_torch(kind, a, b):
    one = torch.ones((), device="cuda")
    if kind == F8:
        return lambda: torch._scaled_mm(  # pylint: disable=protected-access
            a, b.t(), one, one, out_dtype=BF16, use_fast_accum=True)
    if kind == S8:
        return lambda: torch._int_mm(a, b.t())  # pylint: disable=protected-access
    return lambda: torch.matmul(a, b.t())


def product_of_triton(kind, a, b):
    """Triton's, tuned and checked, in a dictionary, if it has one here."""
    if kind not in (F16, BF16):
        return {}
    try:
        from libraries import run_product
        out = torch.empty(a.shape[0], b.shape[0], device="cuda", dtype=kind)
        run_product(a, b, out)
    except (ImportError, RuntimeError, OSError) as error:
        print(f"no product of Triton: {str(error)[:90]}", file=sys.stderr)
        return {}
    assert error_of(out, a.double() @ b.double().t()) <= PRODUCTS[kind][1]
    return {"triton": lambda: run_product(a, b, out)}


def time_gemm(row, kind, m, n, k):
    a, b = matrix(m, k, kind, "rows").contiguous(), matrix(n, k, kind, "rows").contiguous()
    report(row, 2 * m * n * k, product_of_torch(kind, a, b),
           {"gemm": lambda: kernels.gemm(a, b), **product_of_triton(kind, a, b)})


def time_groups(row, kind, m, n, k, count):
    """Groups of unlike numbers of rows, beside torch's function, and its dense product with one matrix with the
    share of its speed that tiles allow."""
    a, b = (torch.randn(*shape, device="cuda").to(kind) for shape in ((m, k), (count, n, k)))
    ends = torch.cat([groups_of(m, count - 1), torch.tensor([m], device="cuda").int()])
    other = getattr(torch.nn.functional, "grouped_mm", torch._grouped_mm)  # pylint: disable=protected-access
    share = share_of_tiles(ends.diff(prepend=ends.new_zeros(1)).tolist(), n)
    report(row, 2 * m * n * k, lambda: other(a, b.transpose(1, 2), offs=ends),
           {"grouped_gemm": lambda: kernels.grouped_gemm(a, b, ends),
            f"dense, tiles allow {share:.2f}": lambda: a @ b[0].t()})


def time_scaled(row, kind, m, n, k, groups, count):
    """Beside torch's product with the same scales, dense; groups of equal sizes."""
    a, scale_a, _ = scaled(m, k, kind)
    b, scale_b, _ = scaled(n, k, kind, *[count] * bool(groups), block=128)
    given = {}
    functions = {"scaled_gemm": lambda: kernels.scaled_gemm(a, b, scale_a, scale_b, **given)}
    one, scales = (b[0], scale_b[0]) if groups else (b, scale_b)
    other = lambda: torch._scaled_mm(  # pylint: disable=protected-access
        a, one.t(), scale_a, scales.contiguous().t(), out_dtype=BF16)
    try:
        other()
    except (RuntimeError, ValueError) as error:
        print(f"torch has no such scales here, but one for a tensor: {str(error)[:90]}")
        other = product_of_torch(kind, a, one)
    if groups == "m_indices":
        given = {groups: torch.arange(count, device="cuda").repeat_interleave(m // count).int()}
    elif groups:
        parts = a.view(count, -1, k), scaled(m // count, k, kind, count)[1]
        given = {groups: torch.full((count,), m // count, device="cuda").int()}
        functions = {"masked": lambda: kernels.scaled_gemm(parts[0], b, parts[1], scale_b, **given)}
    report(row, 2 * m * n * k, other, functions)


def time_w4(row, kind, m, n, k):
    """Bytes of the packed weights, in GB/s, beside torch's product with weights of 16 bits."""
    w, scales, _, wide = weights_of_4_bits(n, k, 128, kind)
    a, wide = torch.randn(m, k, device="cuda").to(kind), wide.to(kind)
    report(row, 500 * n * k, lambda: a @ wide.t(), {"gemm_w4": lambda: kernels.gemm_w4(a, w, scales)})


def speed_rows():
    for kind in PRODUCTS:
        yield time_gemm, kind, (4096, 4096, 4096)
    for size in ((8192, 4096, 4096), (16384, 8192, 1024), (4096, 14336, 4096), (1024, 4096, 4096)):
        yield time_groups, BF16, (*size, 16)
    for size in ((64, 2112, 7168), (128, 24576, 1536), (4096, 2112, 7168), (4096, 24576, 1536),
                 (4096, 7168, 2048), (4096, 7168, 16384)):
        yield time_scaled, F8, (*size, "", 0)
    for groups in ("m_indices", "masked_m"):
        yield time_scaled, F8, (32768, 4096, 7168, groups, 4)
        yield time_scaled, F8, (8192, 4096, 7168, groups, 8)
    yield from attention_rows.speed_rows()
    for m in (1, 16, 64, 4096):
        yield time_w4, BF16, (m, 28672, 4096)


def run_speed(pattern):
    torch.backends.cuda.matmul.allow_tf32 = True
    print(f"{'TFLOP/s':<36} {'':<14} {'burst':>7} {'sustained':>9}")
    for time_row, kind, extents in speed_rows():
        row = f"{time_row.__name__.removeprefix('time_')} {NAMES[kind]}"
        size = "x".join(str(n) for n in extents if n and n is not True) + (" causal" if extents[-1] is True else "")
        if pattern in row:
            time_row(f"{row} {size}", kind, *extents)


# ---- The grid ---------------------------------------------------------------

WEIGHTS = ((4096, 4096), (10240, 8192), (28672, 4096), (4096, 14336))  # N, K
GRID = {  # type, M, N, K, and the modes of A and B that are contiguous
    "squares": [(BF16, s, s, s, "kk") for s in (1024, 1536, 2048, 3072, 4096, 5120, 6144, 8192)],
    "decode": [(BF16, m, *w, "kk") for w in WEIGHTS for m in (1, 4, 16, 32, 64)],
    "prefill": [(BF16, m, *w, "kk") for w in WEIGHTS for m in (128, 256, 512, 1024)],
    "majors": [(BF16, s, s, s, majors) for s in (2048, 4096, 8192)
               for majors in ("kn", "mk", "mn")],
    "e4m3": [(F8, *size, "kk") for size in (
        (128, 4096, 14336), (16, 10240, 8192), (1024,) * 3, (2048,) * 3, (4096,) * 3,
        (8192,) * 3, (4096, 14336, 4096))],
    "large": [(BF16, *size, "kk") for size in (
        (4096, 14336, 4096), (8192, 8192, 1024), (16384, 8192, 1024), (8192, 28672, 4096),
        (8192, 4096, 14336), (4096, 4096, 16384))],
    "other": [(BF16, *size, "kk") for size in (
        (96, 5120, 5120), (48, 2048, 8192), (200, 3000, 1000), (300, 6144, 2048),
        (777, 4096, 4096), (2000, 1000, 4000), (1500, 12288, 1536), (2560,) * 3,
        (640, 5120, 5120), (8, 14336, 4096), (192, 1536, 9216), (3500, 3504, 704))],
}


def time_cold(kind, m, n, k, majors):
    """Torch's time over ours."""
    a, b = (matrix(rows, k, kind, "rows" if major == "k" else "columns")
            for rows, major in ((m, majors[0]), (n, majors[1])))
    a, b = (x.contiguous() if major == "k" else x.t().contiguous().t()
            for x, major in ((a, majors[0]), (b, majors[1])))
    out = torch.empty(m, n, device="cuda", dtype=PRODUCTS[kind][0])
    return compared(f"{NAMES[kind]} {m}x{n}x{k} {majors}",
                    lambda: kernels.gemm(a, b, out, fast_accum=True), product_of_torch(kind, a, b))


def attention_cold(batch, heads, shared, rows, keys, d):
    """Torch's time over ours, for few query rows of bf16."""
    q = torch.randn(batch, heads, rows, d, device="cuda", dtype=BF16)
    k, v = (torch.randn(batch, shared, keys, d, device="cuda", dtype=BF16) for _ in range(2))
    out = torch.empty_like(q)
    return compared(f"{batch}x{heads},{shared}x{rows}x{keys}x{d}", lambda: kernels.attention(q, k, v, out),
                    lambda: torch.nn.functional.scaled_dot_product_attention(
                        q, k, v, enable_gqa=heads != shared))


def w4_cold(m, n, k):
    """Time of torch's product with weights of bf16 over ours with weights of 4 bits."""
    w, scales, _, wide = weights_of_4_bits(n, k, 128, BF16)
    a, wide = torch.randn(m, k, device="cuda").to(BF16), wide.to(BF16)
    out = torch.empty(m, n, device="cuda", dtype=BF16)
    return compared(f"{m}x{n}x{k}", lambda: kernels.gemm_w4(a, w, scales, out=out),
                    lambda: a @ wide.t())


def compared(label, mine, other):
    """Torch's time over ours."""
    mine, other = medians([mine, other])
    print(f"  {label}: {mine:.1f} us, torch {other:.1f}, {other / mine:.3f}", flush=True)
    return other / mine


COLD = {  # rows of the grid with a function of their own, which times them
    "attention": (attention_cold, [
        (32, 32, 8, 1, 8192, 128), (32, 32, 32, 1, 4096, 128), (1, 32, 8, 1, 8192, 128),
        (64, 16, 2, 1, 4096, 64), (32, 32, 8, 4, 8192, 128), (1, 8, 1, 1, 131072, 128)]),
    "w4": (w4_cold, [(m, *w) for w in WEIGHTS for m in (1, 16, 64, 4096)]),
}


def run_grid(pattern):
    grids = {label: (time_cold, rows) for label, rows in GRID.items()} | COLD
    for label, (time_row, rows) in grids.items():
        if pattern in f"grid {label}":
            print(f"grid {label}")
            ratios = [time_row(*row) for row in rows]
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print(f"grid {label}: geometric mean {mean:.3f}, least {min(ratios):.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--cases", type=int, default=8)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--rows", choices=("check", "speed", "all"), default="all")
    parser.add_argument("--random", type=int, metavar="N", help="products of N random sizes alone: torch's\n"
                        "time over ours, and the regret of the choice of tiles")
    parser.add_argument("--fit", action="store_true", help="beside --random: prints costs of the model that\n"
                        "fit these times better")
    given = parser.parse_args()
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    print(f"seed {given.seed}")
    print(f"on {device()}")
    if given.random:
        return tiles.run(given.random, given.fit)
    failed = run_checks(given.only, given.cases) if given.rows != "speed" else 0
    if given.rows != "check":
        run_speed(given.only)
        run_grid(given.only)
        row_functions.run_speed(given.only)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
