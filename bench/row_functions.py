"""Functions of rows: checks beside float64, and times beside torch and a copy.

Rates are in GB/s of what a function must read and write, medians with a cold L2 cache, in
turns.
"""
import importlib
import itertools
import random

import torch
from library_operands import (BF16, F32, NAMES, TOLERANCE, error_of, extent, guarded, matrix,
                              medians)

from cute import kernels

losses = importlib.import_module("cute.kernels.cross_entropy")
gradients = importlib.import_module("cute.kernels.softmax_gradient")
norms = importlib.import_module("cute.kernels.norm_gradient")
FUNCTIONS = torch.nn.functional


def rows_to_normalize(kind):
    rows = random.randrange(1, 300)
    columns = random.choice((extent(3000), extent(20000), 8 * extent(1500)))
    return matrix(rows, columns, kind, "rows"), *guarded((rows, columns), kind)


def check_softmax(kind):
    a, out, is_whole = rows_to_normalize(kind)
    kernels.softmax(a, out)
    error = error_of(out, torch.softmax(a.double(), -1))
    return f"{tuple(a.shape)}", error, TOLERANCE[kind], is_whole()


def check_log_softmax(kind):
    a, out, is_whole = rows_to_normalize(kind)
    kernels.log_softmax(a, out)
    error = error_of(out, torch.log_softmax(a.double(), -1))
    return f"{tuple(a.shape)}", error, TOLERANCE[kind], is_whole()


def check_softmax_backward(kind):
    a, out, is_whole = rows_to_normalize(kind)
    grad = matrix(*a.shape, kind, "rows")
    y, g = torch.softmax(a.double(), -1).to(kind), grad.double()
    gradients.softmax_backward(grad, y, out)
    y = y.double()
    expected = y * (g - (g * y).sum(-1, True))
    return f"{tuple(a.shape)}", error_of(out, expected), 2 * TOLERANCE[kind], is_whole()


def check_log_softmax_backward(kind):
    a, out, is_whole = rows_to_normalize(kind)
    grad = matrix(*a.shape, kind, "rows")
    y, g = torch.log_softmax(a.double(), -1).to(kind), grad.double()
    gradients.log_softmax_backward(grad, y, out)
    expected = g - y.double().exp() * g.sum(-1, True)
    return f"{tuple(a.shape)}", error_of(out, expected), 2 * TOLERANCE[kind], is_whole()


def check_layernorm(kind):
    a, out, is_whole = rows_to_normalize(kind)
    gamma, beta = (torch.randn(a.shape[1], device="cuda").to(kind) for _ in range(2))
    kernels.layernorm(a, gamma, beta, 1e-5, out)
    expected = FUNCTIONS.layer_norm(a.double(), a.shape[1:], gamma.double(), beta.double())
    return f"{tuple(a.shape)}", error_of(out, expected), 3 * TOLERANCE[kind], is_whole()


def check_rmsnorm(kind):
    a, out, is_whole = rows_to_normalize(kind)
    gamma = torch.randn(a.shape[1], device="cuda").to(kind)
    kernels.rmsnorm(a, gamma, 1e-5, out)
    x = a.double()
    expected = x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * gamma.double()
    return f"{tuple(a.shape)}", error_of(out, expected), 3 * TOLERANCE[kind], is_whole()


def check_norm_steps(kind):
    """Norms of a sum with 8-bit results: the worst rounding, in steps of the format."""
    rows, columns = random.randrange(1, 300), 8 * extent(4000)
    a, residual = (matrix(rows, columns, kind, "rows") for _ in range(2))
    if a.stride(0) % 8 or residual.stride(0) % 8:
        a, residual = a.contiguous(), residual.contiguous()
    gamma, total = torch.randn(columns, device="cuda").to(kind), a + residual
    expected = total.double()
    expected = expected * (expected.square().mean(-1, True) + 1e-5).rsqrt() * gamma.double()
    if kind == F32:
        out, found = kernels.rmsnorm(a, gamma, residual=residual)
        return f"{rows}x{columns}", error_of(out, expected), 3 * TOLERANCE[kind], torch.equal(found, total)
    worst, is_sum = 0.0, True
    for scales in ("rows", "blocks"):
        out, factors, found = kernels.rmsnorm(a, gamma, residual=residual, scales=scales)
        is_sum &= torch.equal(found, total)
        factors = factors[:, None] if scales == "rows" else factors.repeat_interleave(128, 1)
        factors = factors[:, :columns].double()
        error = (out.double() * factors - expected).abs()
        worst = max(worst, (error / (expected.abs() / 16 + factors * 2**-10)).max().item())
    return f"{rows}x{columns}", worst, 1.01, is_sum


def check_norm_backward(kind, backward, norm, *more):
    """The worst of all gradients; every other row of one that clusters have."""
    a, _, _ = rows_to_normalize(kind)
    if random.randrange(2):
        a = matrix(random.randrange(1, 700), 8 * extent(16384), kind, "rows").contiguous()
    grad, n = matrix(*a.shape, kind, "rows"), a.shape[1]
    vectors = [torch.randn(n, device="cuda").to(kind) for _ in (0, *more)]
    wide = [x.double().requires_grad_() for x in (a, *vectors)]
    norm(wide[0], (n,), *wide[1:], 1e-5).backward(grad.double())
    got = backward(grad, a, vectors[0])
    error = max(error_of(x, y.grad) for x, y in zip(got, wide))
    return f"{tuple(a.shape)}", error, 3 * TOLERANCE[kind], True


def check_layernorm_backward(kind):
    return check_norm_backward(kind, norms.layernorm_backward, FUNCTIONS.layer_norm, 1)


def check_rmsnorm_backward(kind):
    return check_norm_backward(kind, norms.rmsnorm_backward, FUNCTIONS.rms_norm)


def check_argmax(kind):
    """The place of an element that is as large as the largest."""
    a, _, _ = rows_to_normalize(kind)
    found = a.gather(1, kernels.argmax(a)[:, None])[:, 0]
    return f"{tuple(a.shape)}", error_of(found, a.amax(1)), 0.0, True


def check_topk(kind):
    a, _, _ = rows_to_normalize(kind)
    k = min(a.shape[1], random.choice((random.randrange(1, 20), random.randrange(1, 600))))
    values, places = kernels.topk(a, k)
    expected = a.topk(k).values
    error = max(error_of(values, expected), error_of(a.gather(1, places), expected))
    distinct = all(len(set(row)) == k for row in places.tolist())
    return f"{tuple(a.shape)} {k}", error, 0.0, distinct


def check_cumsum(kind):
    a, out, is_whole = rows_to_normalize(kind)
    kernels.cumsum(a, out)
    return f"{tuple(a.shape)}", error_of(out, a.double().cumsum(-1)), 2 * TOLERANCE[kind], is_whole()


def turned(x, cos, sin):
    """The rotary embedding of halves of heads (batch, head, row, d) by operations of torch."""
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def angles_of(rows, d):
    angles = torch.rand(rows, d // 2, device="cuda") * 6
    return angles.cos(), angles.sin()


def check_rope(kind):
    """Rows at random positions, and the same in slots of a cache."""
    batch, heads, rows = random.randrange(1, 4), random.randrange(1, 40), extent(200)
    d = 2 * random.choice((32, 40, 64, random.randrange(1, 100)))
    x = torch.randn(batch, rows, heads, d, device="cuda").to(kind).transpose(1, 2)
    cos, sin = angles_of(300, d)
    positions = torch.randint(300, (batch, rows), device="cuda")
    expected = turned(x.double(), *(t.double()[positions][:, None] for t in (cos, sin)))
    error = error_of(kernels.rope(x, cos, sin, positions), expected)
    slots = torch.randperm(batch * rows + 9, device="cuda")[:batch * rows].view(batch, rows)
    cache = torch.full((batch * rows + 9, heads, d), 77, device="cuda", dtype=kind)
    page = cache.transpose(0, 1)[None]
    kernels.rope(x, cos, sin, positions, cache=page, slots=slots)
    error = max(error, error_of(cache[slots].transpose(1, 2), expected))
    others = torch.ones(len(cache), dtype=torch.bool, device="cuda")
    others[slots.view(-1)] = False
    return f"{tuple(x.shape)}", error, TOLERANCE[kind], bool((cache[others] == 77).all())


def check_cross_entropy(kind):
    """The gradient, or the loss where that is wrong."""
    rows = random.randrange(1, 300)
    columns = random.choice((extent(3000), extent(40000), 8 * extent(5000)))
    a = matrix(rows, columns, kind, "rows").mul_(3)
    out, is_whole = guarded((rows, columns), kind)
    target = torch.randint(columns, (rows,), device="cuda")
    target[random.randrange(rows)] = -100
    x = a.double().requires_grad_()
    expected = FUNCTIONS.cross_entropy(x, target, reduction="sum")
    expected.backward()
    lse, *_, loss = losses.cross_entropy_forward(a, target, reduction="sum")
    ones = torch.ones((), device="cuda").expand(rows)
    losses.cross_entropy_backward(ones, a, target, lse, out=out)
    error = error_of(loss, expected.detach())
    if error > 1e-5:
        return f"loss {tuple(a.shape)}", error, 1e-5, is_whole()
    return f"{tuple(a.shape)}", error_of(out, x.grad), TOLERANCE[kind], is_whole()


CHECKS = [check_softmax, check_log_softmax, check_softmax_backward, check_log_softmax_backward,
          check_layernorm, check_rmsnorm, check_norm_steps, check_layernorm_backward, check_rmsnorm_backward,
          check_argmax, check_topk, check_cumsum, check_rope, check_cross_entropy]


# ---- Speed ------------------------------------------------------------------


def of_softmax(a, out):
    yield "softmax", 2, lambda: kernels.softmax(a, out), lambda: torch.softmax(a, -1)
    yield "log_softmax", 2, lambda: kernels.log_softmax(a, out), lambda: torch.log_softmax(a, -1)
    y, grad = torch.softmax(a, -1), torch.randn_like(a)
    yield ("softmax_backward", 3, lambda: gradients.softmax_backward(grad, y, out),
           lambda: torch.ops.aten._softmax_backward_data(grad, y, -1, a.dtype))
    y = torch.log_softmax(a, -1)
    yield ("log_softmax_backward", 3, lambda: gradients.log_softmax_backward(grad, y, out),
           lambda: torch.ops.aten._log_softmax_backward_data(grad, y, -1, a.dtype))


def of_norms(a, out):
    n = a.shape[1]
    gamma, beta = torch.randn_like(a[0]), torch.randn_like(a[0])
    yield ("layernorm", 2, lambda: kernels.layernorm(a, gamma, beta, 1e-5, out),
           lambda: FUNCTIONS.layer_norm(a, (n,), gamma, beta))
    yield ("rmsnorm", 2, lambda: kernels.rmsnorm(a, gamma, 1e-5, out),
           lambda: FUNCTIONS.rms_norm(a, (n,), gamma))


def of_norm_steps(a, out):
    """Beside torch's operations one by one; for 8-bit floats without a product's scales."""
    n, gamma, residual = a.shape[1], torch.randn_like(a[0]), torch.randn_like(a)
    yield ("rmsnorm residual", 4, lambda: kernels.rmsnorm(a, gamma, residual=residual),
           lambda: FUNCTIONS.rms_norm(a + residual, (n,), gamma))
    if a.dtype == F32:
        return
    for scales in ("rows", "blocks"):
        yield (f"rmsnorm fp8 {scales}", 1.5, lambda s=scales: kernels.rmsnorm(a, gamma, scales=s),
               lambda: FUNCTIONS.rms_norm(a, (n,), gamma).to(torch.float8_e4m3fn))
        yield (f"layernorm fp8 {scales}", 1.5, lambda s=scales: kernels.layernorm(a, gamma, gamma, scales=s),
               lambda: FUNCTIONS.layer_norm(a, (n,), gamma, gamma).to(torch.float8_e4m3fn))


def of_norm_gradients(a, out):
    n = a.shape[1]
    gamma, beta, grad = torch.randn_like(a[0]), torch.randn_like(a[0]), torch.randn_like(a)
    mean, scale = torch.native_layer_norm(a, (n,), gamma, beta, 1e-5)[1:]
    yield ("layernorm_backward", 3, lambda: norms.layernorm_backward(grad, a, gamma),
           lambda: torch.ops.aten.native_layer_norm_backward(
               grad, a, (n,), mean, scale, gamma, beta, (True,) * 3))
    x, weight = a.detach().requires_grad_(), gamma.detach().requires_grad_()
    y = FUNCTIONS.rms_norm(x, (n,), weight, 1e-5)
    yield ("rmsnorm_backward", 3, lambda: norms.rmsnorm_backward(grad, a, gamma),
           lambda: torch.autograd.grad(y, (x, weight), grad, retain_graph=True))


def of_cross_entropy(a, out):
    m, n = a.shape
    target = torch.randint(n, (m,), device="cuda")
    grad = torch.full((m,), 1 / m, device="cuda")
    yield ("cross_entropy", 1, lambda: kernels.cross_entropy(a, target),
           lambda: FUNCTIONS.cross_entropy(a, target))
    lse, *_ = losses.cross_entropy_forward(a, target)
    x = a.detach().requires_grad_()
    loss = FUNCTIONS.cross_entropy(x, target)
    yield ("cross_entropy_backward", 2,
           lambda: losses.cross_entropy_backward(grad, a, target, lse, out=out),
           lambda: torch.autograd.grad(loss, x, retain_graph=True))


def of_largest(a, out):
    yield "argmax", 1, lambda: kernels.argmax(a), lambda: a.argmax(-1)
    for k in (2, 8, 50):
        yield f"topk {k}", 1, lambda k=k: kernels.topk(a, k), lambda k=k: a.topk(k)


def of_cumsum(a, out):
    yield "cumsum", 2, lambda: kernels.cumsum(a, out), lambda: a.cumsum(-1)


def of_rope(a, out):
    """Heads of 128, 32 of a row."""
    x, to = (t.view(4, -1, 32, 128).transpose(1, 2) for t in (a, out))
    cos, sin = angles_of(x.shape[2], 128)
    positions = torch.arange(x.shape[2], device="cuda").expand(4, -1).contiguous()
    yield ("rope", 2, lambda: kernels.rope(x, cos, sin, positions, out=to),
           lambda: turned(x, cos.to(x.dtype), sin.to(x.dtype)))


LONG = ((16384, 8192), (16384, 4096), (4096, 32768), (1024, 131072))
SPEED = [(function, sizes) for functions, sizes in (
    ((of_softmax, of_norms, of_norm_steps), LONG),
    ((of_norm_gradients,), (*LONG, (32768, 2048), (8192, 16384), (2048, 65536))),
    ((of_cumsum,), ((16384, 8192), (4096, 32768))),
    ((of_largest,), ((65536, 256), (16384, 4096), (256, 128256))),
    ((of_rope,), ((16384, 4096),)),
    ((of_cross_entropy,), ((16384, 4096), (8192, 32000), (2048, 128256), (2048, 50257))),
) for function in functions]


def run_speed(pattern, kinds=(BF16, F32)):
    """Prints a line for each function, type and size, beside a copy that moves as many bytes."""
    print(f"{'GB/s, cold L2':<44} {'ours':>6} {'torch':>6} {'copy':>6}  ours/torch ours/copy")
    for (function, sizes), kind in itertools.product(SPEED, kinds):
        for m, n in sizes:
            a = torch.randn(m, n, device="cuda", dtype=kind)
            out = torch.empty_like(a)
            for name, moved, ours, theirs in function(a, out):
                row = f"{name} {NAMES[kind]} {m}x{n}"
                if pattern not in row:
                    continue
                some, to = (torch.empty(int(moved * a.nbytes) // 2, dtype=torch.int8, device="cuda") for _ in range(2))
                times = medians([ours, theirs, lambda: to.copy_(some)])
                rates = [moved * a.nbytes / time * 1e-3 for time in times]
                print(f"{row:<44} {rates[0]:6.0f} {rates[1]:6.0f} {rates[2]:6.0f}  "
                      f"{rates[0] / rates[1]:10.2f} {rates[0] / rates[2]:9.2f}", flush=True)
