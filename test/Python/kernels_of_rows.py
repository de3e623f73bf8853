# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim %python %s
"""Softmax and norms of torch tensors on the simulator, beside float64."""

import unittest

import torch
from torch.nn import functional

from cute import kernels

# Rows of lanes, of a block, longer than any kernel's, and whose ends are not at 16 bytes.
SHAPES = [(3, 100), (5, 512), (2, 3, 1000), (2, 1025), (1, 4104), (2, 17001)]


class Rows(unittest.TestCase):
    def near(self, got, expected, what):
        """The results agree within the rounding of one element, or of sums in float32."""
        rounding = torch.finfo(got.dtype).eps
        least = 1 if got.dtype == torch.float32 else 1e-4
        error = (got.double() - expected).abs() / (expected.abs() + least)
        self.assertLess(error.max().item(), 0.6 * rounding + 1e-6, what)

    def run_all(self, dtype, shapes):
        torch.manual_seed(1)
        for shape in shapes:
            n = shape[-1]
            a = (3 * torch.randn(shape)).to(dtype)
            g, b = torch.randn(n).to(dtype), torch.randn(n).to(dtype)
            x, gamma, beta = a.double(), g.double(), b.double()
            self.near(kernels.softmax(a), torch.softmax(x, -1), f"softmax {shape}")
            layer = functional.layer_norm(x, (n,), gamma, None, 1e-5)
            got = kernels.layernorm(a, g, torch.zeros_like(b))
            self.near(got, layer, f"layernorm {shape}")
            moved = kernels.layernorm(a, g, b).double() - layer
            self.assertLess((moved - beta).abs().max().item(), 0.1)
            rms = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 0.5) * gamma
            self.near(kernels.rmsnorm(a, g, 0.5), rms, f"rmsnorm {shape}")

    def test_f16(self):
        self.run_all(torch.float16, SHAPES)

    def test_bf16(self):
        self.run_all(torch.bfloat16, SHAPES[:1])

    def test_f32(self):
        self.run_all(torch.float32, [(3, 100), (3, 1), (2, 1028), (2, 1025)])

    def test_views(self):
        a = torch.randn(4, 128).half()
        part, whole = a[:, :100], torch.zeros(4, 200).half()
        out = whole[:, :100]
        self.assertIs(kernels.softmax(part, out), out)
        self.near(out, torch.softmax(part.double(), -1), "pitch of 200")
        self.assertEqual(whole[:, 100:].abs().max().item(), 0)
        kernels.softmax(a, a)
        self.assertLess((a.sum(-1) - 1).abs().max().item(), 1e-2)
        self.assertEqual(kernels.softmax(torch.empty(0, 8).half()).shape, (0, 8))

    def test_infinite(self):
        a = torch.full((2, 64), float("-inf")).half()
        a[:, 3] = 1
        self.assertEqual(kernels.softmax(a)[:, 3].tolist(), [1, 1])

    def fails(self, kind, text, function, *args):
        with self.assertRaises(kind) as caught:
            function(*args)
        self.assertIn(text, str(caught.exception))

    def test_rejected(self):
        a, g = torch.zeros(4, 64).half(), torch.zeros(64).half()
        self.fails(TypeError, "rows are of f16, bf16, f32, not torch.int8",
                   kernels.softmax, a.to(torch.int8))
        self.fails(ValueError, "out is (4, 64) of torch.float16, not (4, 32)", kernels.softmax, a, a[:, :32])
        self.fails(ValueError, "a: its rows must be contiguous", kernels.softmax, a.t())
        self.fails(ValueError, "a begins at a multiple of 16", kernels.softmax, a[:, 1:])
        self.fails(ValueError, "a: its rows must follow each other", kernels.softmax,
                   torch.zeros(4, 6, 64).half()[:, :4])
        self.fails(ValueError, "gamma is (64,) of torch.float16, not (32,)",
                   kernels.rmsnorm, a, g[:32])
        self.fails(ValueError, "beta is (64,) of torch.float16, not (64,) of "
                   "torch.float32", kernels.layernorm, a, g, g.float())
        self.fails(ValueError, "a has rows", kernels.softmax, g[0])
        self.fails(TypeError, "expected a torch tensor, not list", kernels.softmax, [1.0])


unittest.main()
