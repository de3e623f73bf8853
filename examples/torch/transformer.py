"""A small transformer, trained by the operators of cute.kernels and, from the same weights on the
same batches, by torch's own: two loss curves that differ by rounding, and the time of a step.

    python examples/torch/transformer.py                       on a GPU
    CUTE_DEVICE=sim python examples/torch/transformer.py --tiny --steps 3

The task: each token is a fixed permutation of the sum of the two before it. Weights are of float32
and are used as bfloat16; rows of activations are (batch * token, channel).
"""

import argparse
import dataclasses
import time
from types import SimpleNamespace

import torch
import torch.nn.functional as F

import cute.kernels.torch_ops  # noqa: F401


@dataclasses.dataclass
class Sizes:
    batch: int = 8
    tokens: int = 512
    channels: int = 512
    heads: int = 8
    shared: int = 2  # heads of keys and values
    hidden: int = 1408
    layers: int = 2
    vocabulary: int = 512

    @property
    def d(self):
        return self.channels // self.heads


TINY = Sizes(1, 24, 64, 4, 2, 96, 1, 40)


def rotated(x, cos, sin):
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)


CUTE = SimpleNamespace(
    linear=lambda x, w, residual=None: torch.ops.cute.gemm(x, w, residual=residual),
    norm=lambda x, gamma: torch.ops.cute.rmsnorm(x, gamma),
    gated=lambda x, gate, up: torch.ops.cute.gated_gemm(x, gate, up),
    rope=lambda x, cos, sin: torch.ops.cute.rope(x, cos, sin),
    attention=lambda q, k, v: torch.ops.cute.attention(q, k, v, True),
    loss=lambda x, target: torch.ops.cute.cross_entropy(x, target))
TORCH = SimpleNamespace(
    linear=lambda x, w, residual=None: x @ w.t() if residual is None else x @ w.t() + residual,
    norm=lambda x, gamma: F.rms_norm(x, x.shape[-1:], gamma, 1e-5),
    gated=lambda x, gate, up: F.silu(x @ gate.t()) * (x @ up.t()),
    rope=rotated,
    attention=lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True),
    loss=lambda x, target: F.cross_entropy(x.float(), target))


def weights(sizes, device):
    """Parameters of float32 by name, equal at each call."""
    chance = torch.Generator().manual_seed(1)
    c, kv = sizes.channels, sizes.shared * sizes.d
    shapes = {"embedding": (sizes.vocabulary, c), "norm": (c,), "head": (sizes.vocabulary, c)}
    for i in range(sizes.layers):
        shapes.update({f"{i}.{name}": shape for name, shape in {
            "norm_1": (c,), "q": (c, c), "k": (kv, c), "v": (kv, c), "o": (c, c), "norm_2": (c,),
            "gate": (sizes.hidden, c), "up": (sizes.hidden, c), "down": (c, sizes.hidden)}.items()})
    made = {name: torch.ones(shape) if "norm" in name else
            torch.randn(shape, generator=chance) * shape[-1] ** -0.5 for name, shape in shapes.items()}
    return {name: x.to(device).requires_grad_() for name, x in made.items()}


def batches(sizes, steps, device):
    """Tokens and the ones after them, for each step."""
    chance = torch.Generator().manual_seed(2)
    after = torch.randperm(sizes.vocabulary, generator=chance)
    for _ in range(steps):
        text = torch.randint(sizes.vocabulary, (sizes.batch, sizes.tokens + 1), generator=chance)
        for i in range(2, sizes.tokens + 1):
            text[:, i] = after[(text[:, i - 1] + text[:, i - 2]) % sizes.vocabulary]
        yield text[:, :-1].to(device), text[:, 1:].reshape(-1).to(device)


def forward(ops, sizes, given, text, target, turns):
    """The mean loss of a batch."""
    w = {name: x.bfloat16() for name, x in given.items()}
    heads = lambda x, count: x.view(*text.shape, count, sizes.d).transpose(1, 2)
    x = w["embedding"][text.reshape(-1)]
    for i in range(sizes.layers):
        y = ops.norm(x, w[f"{i}.norm_1"])
        q = ops.rope(heads(ops.linear(y, w[f"{i}.q"]), sizes.heads), *turns)
        k = ops.rope(heads(ops.linear(y, w[f"{i}.k"]), sizes.shared), *turns)
        v = heads(ops.linear(y, w[f"{i}.v"]), sizes.shared)
        y = ops.attention(q, k, v).transpose(1, 2).reshape(x.shape)
        x = ops.linear(y, w[f"{i}.o"], x)
        y = ops.gated(ops.norm(x, w[f"{i}.norm_2"]), w[f"{i}.gate"], w[f"{i}.up"])
        x = ops.linear(y, w[f"{i}.down"], x)
    return ops.loss(ops.linear(ops.norm(x, w["norm"]), w["head"]), target)


class Run:
    """A training by some operators; the losses, and how long steps took, in milliseconds."""

    def __init__(self, ops, sizes, device):
        self.ops, self.sizes, self.weights = ops, sizes, weights(sizes, device)
        self.optimizer = torch.optim.AdamW(self.weights.values(), lr=1e-3)
        angles = torch.arange(sizes.tokens)[:, None] * 1e4 ** (-torch.arange(sizes.d // 2) / (sizes.d // 2))
        self.turns = angles.cos().to(device), angles.sin().to(device)
        self.losses, self.times = [], []

    def step(self, text, target):
        begin = time.perf_counter()
        loss = forward(self.ops, self.sizes, self.weights, text, target, self.turns)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())
        self.times.append((time.perf_counter() - begin) * 1e3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--tiny", action="store_true", help="sizes for the simulator")
    given = parser.parse_args()
    sizes, device = TINY if given.tiny else Sizes(), "cpu" if given.tiny else "cuda"
    mine, other = (Run(ops, sizes, device) for ops in (CUTE, TORCH))
    print("step    cute   torch")
    for i, batch in enumerate(batches(sizes, given.steps, device)):
        mine.step(*batch)
        other.step(*batch)
        if i % 10 == 0 or i == given.steps - 1:
            print(f"{i:4} {mine.losses[-1]:7.4f} {other.losses[-1]:7.4f}", flush=True)
    difference = max(abs(a - b) for a, b in zip(mine.losses, other.losses))
    mine_ms, other_ms = (sorted(run.times)[len(run.times) // 2] for run in (mine, other))
    print(f"the largest difference is {difference:.4f}")
    print(f"a step takes {mine_ms:.1f} ms, by torch {other_ms:.1f}")


if __name__ == "__main__":
    main()
