"""One function of Quack or FlashAttention-4 at a small size, beside torch in float64: what
`versions.py` runs for each version of these packages. Its argument names the function."""
import math
import sys

import torch


def close(name, ours, wanted, tolerance):
    error = (ours.detach().cpu().double() - wanted.detach().double()).abs().max().item()
    if not error <= tolerance:
        raise SystemExit(f"AssertionError: {name} differs by {error:.3g}, more than {tolerance}")


def on_device(*shape, grad=True):
    values = torch.randn(*shape).bfloat16()
    return values.cuda().requires_grad_(grad), values.double().requires_grad_(grad)


def check(name, function, wanted, inputs, tolerance=0.05):
    """Compares a function and its gradients."""
    ours, reference = [pair[0] for pair in inputs], [pair[1] for pair in inputs]
    result, expected = function(*ours), wanted(*reference)
    result = result[0] if isinstance(result, tuple) else result
    close(name, result, expected, tolerance)
    change = torch.randn(expected.shape)
    result.backward(change.to(result.dtype).cuda())
    expected.backward(change.to(result.dtype).double())
    for i, (x, y) in enumerate(inputs):
        close(f"gradient {i} of {name}", x.grad, y.grad, 2 * tolerance)


def softmax():
    from quack.softmax import softmax
    check("softmax", softmax, lambda x: x.softmax(-1), [on_device(8, 512)])


def rmsnorm():
    from quack.rmsnorm import rmsnorm

    def reference(x, w):
        return x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt() * w

    check("rmsnorm", lambda x, w: rmsnorm(x, w, eps=1e-6), reference,
          [on_device(8, 512), on_device(512)], 0.15)


def cross_entropy():
    from quack.cross_entropy import cross_entropy
    labels = torch.arange(8) * 7
    check("cross_entropy", lambda x: cross_entropy(x, labels.cuda(), reduction="none"),
          lambda x: torch.nn.functional.cross_entropy(x, labels, reduction="none"),
          [on_device(8, 512)])


def attention():
    from flash_attn.cute.interface import flash_attn_func

    def reference(q, k, v):
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
        hidden = ~torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(hidden, -math.inf)
        return torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v)

    shape = (1, 128, 1, 64)
    check("attention", lambda q, k, v: flash_attn_func(q, k, v, causal=True), reference,
          [on_device(*shape) for _ in range(3)])


if __name__ == "__main__":
    torch.manual_seed(0)
    {"softmax": softmax, "rmsnorm": rmsnorm, "cross_entropy": cross_entropy,
     "attention": attention}[sys.argv[1]]()
