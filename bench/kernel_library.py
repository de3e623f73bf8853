#!/usr/bin/env python3
"""Checks the functions of cute.kernels on this machine's GPU beside float64, at random
sizes and with results between guards, and times them beside torch.

usage: kernel_library.py [--only PATTERN] [--cases N] [--seed S] [--rows check|speed|all]

Needs a GPU, torch and PYTHONPATH to the package. A check row is a function with a type,
as in `gemm f16`, run N times (8), each time at other sizes; speed rows print medians in
TFLOP/s and the ratio to torch, as bursts.py does. Functions of rows are in GB/s, beside torch
and a copy (row_functions.py). Rows `grid GROUP` are products, and attention of few rows,
in microseconds, medians with a cold L2 cache, in turns with torch, and the geometric mean
of torch's time over ours. PATTERN selects rows. The last line counts what
failed.
"""
import argparse
import math
import random

import row_functions
import torch
from attention_reference import reference
from bursts import attention_reference, report
from library_operands import (BF16, F8, F16, F32, NAMES, S8, S32, TOLERANCE, error_of, extent,
                              guarded, matrix, medians)

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


def check_attention(kind):
    d = 8 * random.randrange(1, 33)
    dv = random.choice((d, d, 8 * random.randrange(1, 33)))
    heads_k = random.randrange(1, 4)
    heads = heads_k * random.randrange(1, 4)
    batch, rows, columns = random.randrange(1, 4), extent(700), extent(900)
    q = torch.randn(batch, rows, heads, d, device="cuda", dtype=kind).transpose(1, 2)
    k, v = (torch.randn(batch, heads_k, columns, n, device="cuda", dtype=kind) for n in (d, dv))
    causal = random.random() < 0.5
    whole = torch.full((batch * heads * rows + 2, dv), 77, device="cuda", dtype=kind)
    out = whole[1:-1].view(batch, heads, rows, dv)
    _, lse = kernels.attention(q, k, v, out, is_causal=causal, return_lse=True)
    expected, sums = reference(*(x.double() for x in (q, k, v)), causal, d ** -0.5)
    is_right = torch.equal(lse.isinf(), sums.isinf()) and bool(
        ((lse - sums).nan_to_num(0, 0, 0).abs() < 1e-3).all())
    plain = kernels.attention(q, k, v, is_causal=causal)
    is_whole = is_right and bool((whole[0] == 77).all() and (whole[-1] == 77).all())
    size = f"{batch}x{heads},{heads_k}x{rows}x{columns}x{d},{dv}{' causal' if causal else ''}"
    return size, max(error_of(out, expected), error_of(plain, expected)), 4 * TOLERANCE[kind], is_whole


def starts_of(lengths):
    return torch.tensor([0, *lengths], device="cuda").cumsum(0).int()


def check_attention_varlen(kind):
    """The sequences one by one; guards behind the last."""
    d, heads_k, group = 8 * random.randrange(1, 25), random.randrange(1, 4), random.randrange(1, 4)
    lengths = [[random.choice((0, random.randrange(400))) for _ in range(random.randrange(1, 9))]]
    lengths.append([random.choice((n, random.randrange(400))) for n in lengths[0]])
    causal = random.random() < 0.5
    q = torch.randn(sum(lengths[0]) + 1, heads_k * group, d, device="cuda", dtype=kind)
    k, v = (torch.randn(sum(lengths[1]) + 1, heads_k, d, device="cuda", dtype=kind) for _ in "kv")
    out = torch.full_like(q, 77)
    kernels.attention_varlen(q, k, v, *map(starts_of, lengths), out, is_causal=causal)
    expected = [reference(*(x[None].double().transpose(1, 2) for x in one), causal, d ** -0.5)[0][0]
                for one in zip(*(x[:-1].split(n) for x, n in ((q, lengths[0]), (k, lengths[1]), (v, lengths[1]))))]
    error = error_of(out[:-1], torch.cat(expected, 1).transpose(0, 1))
    return f"{lengths} x{heads_k * group},{heads_k}x{d}", error, 4 * TOLERANCE[kind], bool((out[-1] == 77).all())


def check_attention_options(kind):
    """A window, a cap and sinks, each or all, forward and backward."""
    d, group = random.choice((64, 96, 128)), random.randrange(1, 4)
    rows, columns = extent(400), extent(500)
    q = torch.randn(2, rows, 2 * group, d, device="cuda", dtype=kind).transpose(1, 2)
    k, v = (torch.randn(2, 2, columns, d, device="cuda", dtype=kind) for _ in "kv")
    given = {"window": random.choice((None, 1, 40, 300)), "cap": random.choice((None, 1.0, 30.0))}
    sinks = random.choice((None, torch.randn(2 * group, device="cuda")))
    causal = bool(given["window"]) or random.random() < 0.5
    wide = [x.double().requires_grad_() for x in (q, k, v)]
    expected, _ = reference(*wide, causal, d ** -0.5, sinks=None if sinks is None else sinks.double(), **given)
    out, lse = kernels.attention(q, k, v, is_causal=causal, sinks=sinks, return_lse=True, **given)
    grad = torch.randn_like(q)
    expected.backward(grad.double())
    got = kernels.attention_backward(grad, q, k, v, out, lse, is_causal=causal, **given)
    errors = [error_of(out, expected.detach()), *(error_of(x, y.grad) for x, y in zip(got, wide))]
    return (f"{rows}x{columns}x{d} {given}{' sinks' * (sinks is not None)}", max(errors), 8 * TOLERANCE[kind], True)


def check_attention_backward(kind):
    """Gradients beside those of float64, the worst of the three, and equal bits."""
    d, heads_k, group = random.choice((32, 64, 80, 128)), random.randrange(1, 4), random.randrange(1, 4)
    batch, rows, columns = random.randrange(1, 3), extent(400), extent(500)
    causal = random.random() < 0.5
    q = torch.randn(batch, rows, heads_k * group, d, device="cuda", dtype=kind).transpose(1, 2)
    k, v = (torch.randn(batch, heads_k, columns, d, device="cuda", dtype=kind) for _ in "kv")
    wide = [x.double().requires_grad_() for x in (q, k, v)]
    out, lse = reference(*wide, causal, d ** -0.5)
    grad = torch.randn_like(q)
    out.backward(grad.double())
    arrays = grad, q, k, v, out.detach().to(kind), lse.detach().float()
    got, again = (kernels.attention_backward(*arrays, is_causal=causal) for _ in range(2))
    errors = [error_of(x, y.grad.nan_to_num(0)) for x, y in zip(got, wide)]
    return (f"{batch}x{heads_k * group},{heads_k}x{rows}x{columns}x{d}{' causal' if causal else ''}",
            max(errors), 8 * TOLERANCE[kind], all(map(torch.equal, got, again)))


def in_pages(k, v, slots):
    """(k, v, table) of pages in a random order, which are (slot, head) in memory."""
    batch, heads, keys, d = k.shape
    table = torch.randperm(batch * keys // slots, device="cuda").int().view(batch, -1)
    made = []
    for x in (k, v):
        pages = torch.empty(table.numel(), slots, heads, d, device="cuda", dtype=x.dtype)
        pages = pages.transpose(1, 2)
        whole = x.view(batch, heads, -1, slots, d).transpose(1, 2)
        pages[table.view(-1).long()] = whole.reshape(-1, heads, slots, d)
        made.append(pages)
    return (*made, table)


def check_attention_paged(kind):
    d, slots = random.choice((32, 64, 96, 128)), 16 * random.randrange(1, 9)
    heads_k, group, rows = (random.randrange(1, n) for n in (4, 9, 6))
    batch, keys = random.randrange(1, 5), slots * random.randrange(1, 40)
    q = torch.randn(batch, rows, heads_k * group, d, device="cuda", dtype=kind).transpose(1, 2)
    k, v = (torch.randn(batch, heads_k, keys, d, device="cuda", dtype=kind) for _ in range(2))
    lengths = torch.randint(0, keys + 1, (batch,), device="cuda").int()
    causal = random.random() < 0.5
    whole = torch.full((q.numel() // d + 2, d), 77, device="cuda", dtype=kind)
    out = whole[1:-1].view(q.shape)
    kernels.attention_paged(q, *in_pages(k, v, slots), lengths, out, is_causal=causal)
    expected = [attention_reference(q[b:b + 1], k[b:b + 1, :, :n], v[b:b + 1, :, :n], causal)
                for b, n in enumerate(lengths.tolist())]
    return (f"{batch}x{heads_k * group},{heads_k}x{rows}x{lengths.tolist()}x{d}", error_of(out, torch.cat(expected)),
            4 * TOLERANCE[kind], bool((whole[0] == 77).all() and (whole[-1] == 77).all()))


CHECKS = [(check_gemm, PRODUCTS), (check_gated_gemm, (F16, BF16, F32)), (check_grouped_gemm, (F16, BF16, F32)),
          (check_gemm_w4, (F16, BF16)),
          (check_attention, (F16, BF16)), (check_attention_varlen, (F16, BF16)),
          (check_attention_backward, (F16, BF16)),
          (check_attention_options, (F16, BF16)), (check_attention_paged, (F16, BF16)),
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


def time_gemm(row, kind, m, n, k):
    a, b = matrix(m, k, kind, "rows").contiguous(), matrix(n, k, kind, "rows").contiguous()
    report(row, 2 * m * n * k, product_of_torch(kind, a, b),
           {"gemm": lambda: kernels.gemm(a, b)})


def time_groups(row, kind, m, n, k, count):
    """Groups of unlike numbers of rows, beside torch's dense product of the size with one matrix."""
    a, b = (torch.randn(*shape, device="cuda").to(kind) for shape in ((m, k), (count, n, k)))
    ends = torch.cat([groups_of(m, count - 1), torch.tensor([m], device="cuda").int()])
    report(row, 2 * m * n * k, lambda: a @ b[0].t(),
           {"grouped_gemm": lambda: kernels.grouped_gemm(a, b, ends)})


def time_attention(row, kind, batch, heads, rows, d, causal):
    q, k, v = (torch.randn(batch, heads, rows, d, device="cuda", dtype=kind)
               for _ in range(3))
    report(row, 4 * batch * heads * rows * rows * d // (2 if causal else 1),
           lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal),
           {"attention": lambda: kernels.attention(q, k, v, is_causal=causal),
            "with lse": lambda: kernels.attention(q, k, v, is_causal=causal, return_lse=True)})


def time_attention_varlen(row, kind, total, heads, count, d, is_even):
    """Sequences of random lengths beside torch's function for them, and of equal ones beside a batch."""
    ends = torch.randint(0, total + 1, (count - 1,)).sort().values.tolist()
    ends = [total // count * i for i in range(1, count)] if is_even else ends
    lengths = [b - a for a, b in zip([0, *ends], [*ends, total])]
    starts = starts_of(lengths)
    q, k, v = (torch.randn(total, heads, d, device="cuda", dtype=kind) for _ in range(3))
    batch = [x.view(count, -1, heads, d).transpose(1, 2) for x in (q, k, v)]
    other = lambda: torch.nn.functional.scaled_dot_product_attention(*batch)
    if not is_even:
        from torch.nn.attention.varlen import varlen_attn
        other = lambda: varlen_attn(q, k, v, starts, starts, max(lengths), max(lengths))
    report(row, 4 * heads * d * sum(n * n for n in lengths), other,
           {"varlen": lambda: kernels.attention_varlen(q, k, v, starts, starts)})


def time_attention_values(row, kind, batch, heads, rows, d, dv, causal):
    """Heads of v of another size, as in latent attention."""
    q, k, v = (torch.randn(batch, heads, rows, n, device="cuda", dtype=kind) for n in (d, d, dv))
    report(row, 2 * batch * heads * rows * rows * (d + dv) // (2 if causal else 1),
           lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal),
           {"attention": lambda: kernels.attention(q, k, v, is_causal=causal)})


def time_attention_window(row, kind, batch, heads, rows, d, window):
    """Beside torch's causal attention without a window; operations are those of the window."""
    q, k, v = (torch.randn(batch, heads, rows, d, device="cuda", dtype=kind) for _ in range(3))
    report(row, 4 * batch * heads * rows * window * d,
           lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True),
           {"window": lambda: kernels.attention(q, k, v, is_causal=True, window=window),
            "cap": lambda: kernels.attention(q, k, v, is_causal=True, window=window, cap=30.0)})


def time_attention_backward(row, kind, batch, heads, shared, rows, d, causal):
    """The gradients alone, from results that are kept; five products."""
    q = torch.randn(batch, heads, rows, d, device="cuda", dtype=kind, requires_grad=True)
    k, v = (torch.randn(batch, shared, rows, d, device="cuda", dtype=kind, requires_grad=True)
            for _ in "kv")
    grad = torch.randn_like(q)
    expected = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=causal, enable_gqa=heads != shared)
    out, lse = kernels.attention(*(x.detach() for x in (q, k, v)), is_causal=causal, return_lse=True)
    arrays = [x.detach() for x in (grad, q, k, v)]
    report(row, 10 * batch * heads * rows * rows * d // (2 if causal else 1),
           lambda: torch.autograd.grad(expected, (q, k, v), grad, retain_graph=True),
           {"attention_backward": lambda: kernels.attention_backward(*arrays, out, lse, is_causal=causal)})


def time_decode(row, kind, batch, heads, shared, keys, d):
    """One query row; operations are bytes of K and V, in GB/s beside TFLOP/s."""
    q = torch.randn(batch, heads, 1, d, device="cuda", dtype=kind)
    k, v = (torch.randn(batch, shared, keys, d, device="cuda", dtype=kind) for _ in range(2))
    report(row, 2000 * k.numel() * k.element_size(),
           lambda: torch.nn.functional.scaled_dot_product_attention(
               q, k, v, enable_gqa=heads != shared),
           {"attention": lambda: kernels.attention(q, k, v)})


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
    for kind in (F16, BF16):
        for causal in (False, True):
            yield time_attention, kind, (4, 16, 4096, 128, causal)
        for d in (32, 64, 96):
            yield time_attention, kind, (4, 16, 6144, d, False)
        for d in (80, 192):
            yield time_attention, kind, (4, 16, 4096, d, False)
        for causal in (False, True):
            yield time_attention_values, kind, (4, 16, 4096, 192, 128, causal)
        for is_even in (False, True):
            yield time_attention_varlen, kind, (16384, 16, 8, 128, is_even)
        yield time_attention_window, kind, (4, 16, 8192, 128, 1024)
        for shared in (16, 4):
            for d in (64, 128):
                yield time_attention_backward, kind, (4, 16, shared, 4096, d, shared == 16)
    for shape in ((32, 32, 8, 8192, 128), (32, 32, 32, 4096, 128), (1, 32, 8, 8192, 128), (64, 16, 2, 4096, 64)):
        yield time_decode, BF16, shape
    for m in (1, 16, 64, 4096):
        yield time_w4, BF16, (m, 28672, 4096)


def run_speed(pattern):
    torch.backends.cuda.matmul.allow_tf32 = True
    print(f"{'TFLOP/s':<36} {'':<14} {'burst':>7} {'sustained':>9}")
    for time_row, kind, extents in speed_rows():
        row = f"{time_row.__name__.removeprefix('time_')} {NAMES[kind]}"
        size = "x".join(map(str, extents[:4])) + (" causal" if extents[-1] is True else "")
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
    "other": [(BF16, *size, "kk") for size in (  # to which no tile was fitted
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
    given = parser.parse_args()
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    print(f"seed {given.seed}")
    failed = run_checks(given.only, given.cases) if given.rows != "speed" else 0
    if given.rows != "check":
        run_speed(given.only)
        run_grid(given.only)
        row_functions.run_speed(given.only)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
