"""Attention of the library: checks beside float64, and times beside torch."""
import random

import torch
from attention_reference import reference
from bursts import report
from library_operands import BF16, F8, F16, TOLERANCE, error_of, extent

from cute import kernels


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
    """Gradients beside float64's, the worst of the three, and equal bits where they are asked for."""
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
    got, again, fast = (kernels.attention_backward(*arrays, is_causal=causal, deterministic=ordered)
                        for ordered in (True, True, False))
    errors = [error_of(x, y.grad.nan_to_num(0)) for x, y in zip(got + fast, wide * 2)]
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
    window = random.choice((None, 1, 100, 1000)) if causal else None
    kernels.attention_paged(q, *in_pages(k, v, slots), lengths, out, is_causal=causal, window=window)
    expected = [reference(*(x.double() for x in (q[b:b + 1], k[b:b + 1, :, :n], v[b:b + 1, :, :n])), causal,
                          d ** -0.5, window)[0] for b, n in enumerate(lengths.tolist())]
    return (f"{batch}x{heads_k * group},{heads_k}x{rows}x{lengths.tolist()}x{d} {window}", error_of(out, torch.cat(expected)),
            4 * TOLERANCE[kind], bool((whole[0] == 77).all() and (whole[-1] == 77).all()))


def check_attention_fp8(kind):
    """8-bit operands with factors, the result beside float64 of what they are; ``kind`` is nothing."""
    d, heads_k, group = random.choice((32, 64, 96, 128, 192, 256)), random.randrange(1, 4), random.randrange(1, 4)
    batch, rows, columns, causal = random.randrange(1, 3), extent(700), extent(900), random.random() < 0.5
    q = torch.randn(batch, rows, heads_k * group, d, device="cuda").to(F8).transpose(1, 2)
    k, v = (torch.randn(batch, heads_k, columns, d, device="cuda").to(F8) for _ in "kv")
    factors = [torch.rand(batch, heads_k, device="cuda") + 0.5 for _ in "qkv"]
    wide = [x.double() * f.repeat_interleave(x.shape[1] // heads_k, 1)[..., None, None]
            for x, f in zip((q, k, v), factors)]
    expected, sums = reference(*wide, causal, d ** -0.5)
    out, lse = kernels.attention(q, k, v, is_causal=causal, return_lse=True,
                                 **dict(zip(("scale_q", "scale_k", "scale_v"), factors)))
    # Tensor cores add 8-bit products with 13 bits of fraction.
    is_right = bool(((lse - sums).nan_to_num(0, 0, 0).abs() < 2e-3 + 5e-4 * sums.nan_to_num(0, 0, 0).abs()).all())
    error = ((out - expected).norm() / expected.norm()).item()
    return f"{batch}x{heads_k * group},{heads_k}x{rows}x{columns}x{d}{' causal' if causal else ''}", error, 0.05, is_right


def latent_keys(batch, keys, d, kind):
    """(kv, table) of pages of 64 in a random order."""
    table = torch.randperm(batch * keys // 64, device="cuda").int().view(batch, -1)
    return torch.randn(table.numel(), 64, d, device="cuda", dtype=kind), table


def check_attention_latent(kind):
    heads, rows = random.choice((1, 5, 16, 30, 64, 128, 130)), random.choice((1, 1, 3))
    batch, keys, causal = random.randrange(1, 5), 64 * random.randrange(1, 60), random.random() < 0.5
    q = torch.randn(batch, rows, heads, 576, device="cuda", dtype=kind).transpose(1, 2)
    kv, table = latent_keys(batch, keys, 576, kind)
    lengths = torch.randint(0, keys + 1, (batch,), device="cuda").int()
    out, lse = kernels.attention_latent(q, kv, table, lengths, is_causal=causal, return_lse=True)
    found = []
    for b, n in enumerate(lengths.tolist()):
        k = kv[table[b].long()].view(1, 1, -1, 576)[:, :, :n].double()
        found.append(reference(q[b:b + 1].double(), k, k[..., :512], causal, 576 ** -0.5))
    expected, sums = (torch.cat(x) for x in zip(*found))
    is_right = bool(((lse - sums).nan_to_num(0, 0, 0).abs() < 1e-3).all())
    return f"{batch}x{heads}x{rows}x{lengths.tolist()}", error_of(out, expected), 4 * TOLERANCE[kind], is_right


CHECKS = (check_attention, check_attention_varlen, check_attention_backward, check_attention_options,
          check_attention_paged, check_attention_fp8, check_attention_latent)


def time_attention(row, kind, batch, heads, rows, d, causal):
    q, k, v = (torch.randn(batch, heads, rows, d, device="cuda", dtype=kind)
               for _ in range(3))
    report(row, 4 * batch * heads * rows * rows * d // (2 if causal else 1),
           lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal),
           {"attention": lambda: kernels.attention(q, k, v, is_causal=causal),
            "with lse": lambda: kernels.attention(q, k, v, is_causal=causal, return_lse=True)})


def time_attention_fp8(row, kind, batch, heads, rows, d, causal):
    """Beside our own attention of 16-bit floats; the time has that to transpose V."""
    arrays = [torch.randn(batch, heads, rows, d, device="cuda", dtype=kind) for _ in range(3)]
    bytes_ = [x.to(F8) for x in arrays]
    report(row, 4 * batch * heads * rows * rows * d // (2 if causal else 1),
           lambda: kernels.attention(*arrays, is_causal=causal),
           {"attention fp8": lambda: kernels.attention(*bytes_, is_causal=causal)})


def time_attention_varlen(row, kind, total, heads, count, d, lengths):
    """Sequences of random lengths beside torch's function for them, and of equal ones beside a batch."""
    ends = torch.randint(0, total + 1, (count - 1,)).sort().values.tolist()
    is_even = lengths == "equal"
    ends = [total // count * i for i in range(1, count)] if is_even else ends
    lengths = [b - a for a, b in zip([0, *ends], [*ends, total])]
    starts = starts_of(lengths)
    q, k, v = (torch.randn(total, heads, d, device="cuda", dtype=kind) for _ in range(3))
    batch = [x.view(count, -1, heads, d).transpose(1, 2) for x in (q, k, v)]
    other = lambda: torch.nn.functional.scaled_dot_product_attention(*batch)
    if not is_even:
        from torch.nn.attention.varlen import varlen_attn
        other = lambda: varlen_attn(q, k, v, starts, starts, max(lengths), max(lengths))
    report(f"{row} {'equal' if is_even else 'any'}", 4 * heads * d * sum(n * n for n in lengths), other,
           {"varlen": lambda: kernels.attention_varlen(q, k, v, starts, starts)})


def time_attention_values(row, kind, batch, heads, rows, d, dv, causal):
    """Heads of v of another size, as in latent attention."""
    q, k, v = (torch.randn(batch, heads, rows, n, device="cuda", dtype=kind) for n in (d, d, dv))
    report(row, 2 * batch * heads * rows * rows * (d + dv) // (2 if causal else 1),
           lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal),
           {"attention": lambda: kernels.attention(q, k, v, is_causal=causal)})


def time_attention_window(row, kind, batch, heads, rows, d, window):
    """Beside torch's causal attention without a window; operations count the window."""
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
    flops = 10 * batch * heads * rows * rows * d // (2 if causal else 1)
    ordered = {"deterministic": lambda: kernels.attention_backward(*arrays, out, lse, is_causal=causal,
                                                                   deterministic=True)}
    report(row, flops, lambda: torch.autograd.grad(expected, (q, k, v), grad, retain_graph=True),
           {"attention_backward": lambda: kernels.attention_backward(*arrays, out, lse, is_causal=causal), **ordered})
    report(f"{row} equal bits", flops, in_order(q, k, v, grad, causal), ordered)


def in_order(q, k, v, grad, causal):
    """torch's gradients by the function that it has where equal inputs are to give equal bits."""
    def once(function):
        torch.use_deterministic_algorithms(True)
        try:
            return function()
        finally:
            torch.use_deterministic_algorithms(False)
    torch.utils.deterministic.fill_uninitialized_memory = False
    expected = once(lambda: torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=causal, enable_gqa=q.shape[1] != k.shape[1]))
    return lambda: once(lambda: torch.autograd.grad(expected, (q, k, v), grad, retain_graph=True))


def time_decode(row, kind, batch, heads, shared, keys, d):
    """One query row; operations are bytes of K and V, in GB/s beside TFLOP/s."""
    q = torch.randn(batch, heads, 1, d, device="cuda", dtype=kind)
    k, v = (torch.randn(batch, shared, keys, d, device="cuda", dtype=kind) for _ in range(2))
    report(row, 2000 * k.numel() * k.element_size(),
           lambda: torch.nn.functional.scaled_dot_product_attention(
               q, k, v, enable_gqa=heads != shared),
           {"attention": lambda: kernels.attention(q, k, v)})


def time_latent(row, kind, batch, heads, keys):
    """One row to latent keys of 576, beside a copy of as many bytes; both products."""
    q = torch.randn(batch, heads, 1, 576, device="cuda", dtype=kind)
    kv, table = latent_keys(batch, keys, 576, kind)
    lengths, to = torch.full((batch,), keys, device="cuda").int(), torch.empty_like(kv[:len(kv) // 2])
    report(row, 2 * batch * heads * keys * (576 + 512), lambda: to.copy_(kv[:len(to)]),
           {"latent": lambda: kernels.attention_latent(q, kv, table, lengths)})


def speed_rows():
    for kind in (F16, BF16):
        for causal in (False, True):
            yield time_attention, kind, (4, 16, 4096, 128, causal)
        for d in (64, 128):
            yield time_attention_fp8, kind, (4, 16, 8192, d, False)
        for d in (32, 64, 96):
            yield time_attention, kind, (4, 16, 6144, d, False)
        for d in (80, 192):
            yield time_attention, kind, (4, 16, 4096, d, False)
        for causal in (False, True):
            yield time_attention_values, kind, (4, 16, 4096, 192, 128, causal)
        for lengths in ("any", "equal"):
            yield time_attention_varlen, kind, (16384, 16, 8, 128, lengths)
        yield time_attention_window, kind, (4, 16, 8192, 128, 1024)
        for shared in (16, 4):
            for d in (64, 128):
                yield time_attention_backward, kind, (4, 16, shared, 4096, d, shared == 16)
    for shape in ((32, 32, 8, 8192, 128), (32, 32, 32, 4096, 128), (1, 32, 8, 8192, 128), (64, 16, 2, 4096, 64)):
        yield time_decode, BF16, shape
    for shape in ((128, 16, 4096), (128, 128, 4096), (1, 128, 32768)):
        yield time_latent, BF16, shape
