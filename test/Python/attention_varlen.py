# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a CUTE_SIM=schedule=2 %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_80 CUTE_SIM=schedule=5 %python %s Lengths.test_lengths
"""cute.kernels.attention_varlen on the simulator: sequences of any lengths beside float64, and
what it refuses."""
import math
import pathlib
import sys
import unittest

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
from attention_reference import reference

from cute import kernels


def starts(lengths):
    return torch.tensor([0, *lengths]).cumsum(0).int()


class Lengths(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(5)

    def check(self, lengths_q, lengths_k, heads, shared, d, causal, dtype=torch.float16, **given):
        """Rows outside the sequences are as before."""
        dv = given.pop("dv", d)
        rows, columns = sum(lengths_q), sum(lengths_k)
        q = torch.randn(rows + 3, heads, d + 8).to(dtype)[..., :d]
        k, v = (torch.randn(columns + 2, shared, n).to(dtype) for n in (d, dv))
        whole = torch.full((rows + 3, heads, dv), 77).to(dtype)
        out, lse = kernels.attention_varlen(q, k, v, starts(lengths_q), starts(lengths_k), whole,
                                            is_causal=causal, return_lse=True, **given)
        sinks = given.pop("sinks", None)
        scale = given.pop("scale", d ** -0.5)
        at_q = at_k = 0
        for m, n in zip(lengths_q, lengths_k):
            one = (x[i:i + length].double().transpose(0, 1)[None]
                   for x, i, length in ((q, at_q, m), (k, at_k, n), (v, at_k, n)))
            expected, sums = reference(*one, causal, scale, sinks=sinks, **given)
            got = out[at_q:at_q + m].transpose(0, 1).double()
            self.assertLess((got - expected[0]).abs().amax(dim=(0, 1, 2)).item() if m else 0,
                            2e-3 if dtype == torch.float16 else 2e-2)
            torch.testing.assert_close(lse[:, at_q:at_q + m].double(), sums[0].double(), rtol=0, atol=1e-4)
            at_q, at_k = at_q + m, at_k + n
        self.assertEqual(whole[rows:].float().unique().tolist(), [77])

    def test_lengths(self):
        """Sequences of no row, of no column, of one, of tiles and of parts, in any order."""
        self.check((5, 0, 130, 64, 1), (70, 9, 0, 200, 33), 2, 1, 64, True)
        self.check((0, 3, 200, 0), (4, 1, 150, 0), 2, 2, 32, False, torch.bfloat16)

    def test_tiles(self):
        """Starts at multiples of a tile's rows, and one before and after them."""
        self.check((128, 127, 1, 129, 256, 0, 0), (3, 1, 2, 5, 4, 8, 0), 1, 1, 128, False)
        self.check((193,) * 3, (193,) * 3, 1, 1, 64, True)

    def test_many(self):
        lengths = [n % 7 for n in range(90)]
        self.check(lengths, lengths[::-1], 2, 1, 16, False)

    def test_options(self):
        self.check((150, 20), (220, 60), 2, 1, 64, True, window=30, sinks=torch.randn(2))
        self.check((40,), (60,), 1, 1, 64, True, window=2**31 - 1)
        self.check((50, 20), (22, 60), 2, 1, 72, True, cap=2.0, scale=0.3)
        self.check((50, 20), (22, 60), 1, 1, 192, True, torch.bfloat16, dv=128)

    def test_nothing(self):
        q, k = torch.randn(9, 2, 64).half(), torch.zeros(0, 1, 64).half()
        out, lse = kernels.attention_varlen(q, k, k, starts([4, 5]), starts([0, 0]), return_lse=True)
        self.assertEqual((out.abs().max().item(), lse.max().item()), (0, -math.inf))

    def test_operator(self):
        from cute.kernels import torch_ops  # noqa: F401
        q = torch.randn(20, 2, 64).half()
        given = (q, q, q, starts([7, 13]), starts([7, 13]), True)
        checks = ("test_schema", "test_faketensor", "test_aot_dispatch_static")
        torch.library.opcheck(torch.ops.cute.attention_varlen.default, given, test_utils=checks)
        torch.library.opcheck(torch.ops.cute.attention_varlen_lse.default, given, test_utils=checks)

    def test_refused(self):
        q = torch.zeros(9, 2, 64).half()
        good = {"q": q, "k": q, "v": q, "cu_seqlens_q": starts([4, 5]), "cu_seqlens_k": starts([4, 5])}
        for error, text, changed in (
                (ValueError, "q is \\(row, head, d\\), k and v are \\(column, head, d\\), and d is a "
                 "multiple of 8 from 8 to 256, not", {"q": q[None]}),
                (ValueError, "k and v are alike and fit q", {"v": q[:8]}),
                (TypeError, "cu_seqlens_q is of int32, not torch.int64", {"cu_seqlens_q": starts([9]).long()}),
                (ValueError, "cu_seqlens_k is \\(sequences \\+ 1\\), contiguous, not \\(1,\\)",
                 {"cu_seqlens_k": starts([])}),
                (ValueError, "for each sequence, and one more, not 3 and 2", {"cu_seqlens_k": starts([9])}),
                (ValueError, "out is \\(9, 2, 64\\) of torch.float16", {"out": q[:4]}),
                (ValueError, "k: d is contiguous and rows begin",
                 {"k": torch.zeros(9, 2, 65).half()[..., :64]}),
                (ValueError, "sinks are 2 numbers", {"sinks": torch.zeros(3)}),
                (ValueError, "is_causal=True goes with it", {"window": 3})):
            with self.assertRaisesRegex(error, text):
                kernels.attention_varlen(**{**good, **changed})


unittest.main()
