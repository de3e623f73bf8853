# REQUIRES: torch, full
# TURN: 2 of 4
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a CUTE_SIM=schedule=2 %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a CUTE_SIM=schedule=5 %python %s Latent.test_rows
"""Attention to latent keys in pages on the simulator beside float64, and what it refuses."""
import pathlib
import sys
import unittest

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
from attention_reference import reference

from cute.kernels import attention_latent


class Latent(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(5)

    def check(self, heads, rows, lengths, d=128, dv=64, slots=64, causal=False, dtype=torch.float16):
        """Keys are in pages in any order, what lies beyond a length is no number, and queries are
        (row, head) in memory."""
        batch, count = len(lengths), max(1, -(-max(lengths) // slots))
        kv = torch.randn(batch * count + 1, slots, d).to(dtype)
        pages = torch.randperm(len(kv))[:batch * count].view(batch, count).int()
        for table, length in zip(pages, lengths):
            tail = kv[table.long()].view(-1, d)
            tail[length:] = float("nan")
            kv[table.long()] = tail.view(-1, slots, d)
        q = torch.randn(batch, rows, heads, d).to(dtype).transpose(1, 2)
        given = dict(dv=dv, is_causal=causal)
        out, lse = attention_latent(q, kv, pages, torch.tensor(lengths).int(), return_lse=True, **given)
        for b, n in enumerate(lengths):
            keys = kv[pages[b].long()].view(1, 1, -1, d)[:, :, :n].double()
            wanted, sums = reference(q[b:b + 1].double(), keys, keys[..., :dv], causal, d ** -0.5)
            self.assertLess((out[b] - wanted[0]).abs().max().item(), 2e-3 if dtype == torch.float16 else 2e-2)
            torch.testing.assert_close(lse[b].double(), sums[0], rtol=0, atol=1e-4)
        again = attention_latent(q, kv, pages, torch.tensor(lengths).int(), **given)
        self.assertTrue(torch.equal(out, again))

    def test_rows(self):
        """A part of a tile of 16, 32 and 64 rows, and more than one."""
        self.check(5, 1, (100, 0, 65))
        self.check(24, 1, (130,), slots=128)
        self.check(48, 1, (63,), dtype=torch.bfloat16)
        self.check(70, 1, (200,), dv=128)
        self.check(70, 1, (128, 0, 1, 330), slots=192, dv=128)

    def test_several_rows(self):
        """As in speculative decoding: the last sees all keys, the one before all but one."""
        self.check(9, 3, (77, 2), causal=True)
        self.check(9, 2, (70,))

    def test_latent(self):
        """As many elements as DeepSeek's keys have."""
        self.check(16, 1, (150,), 576, 512)
        self.check(128, 1, (130,), 576, 512, dtype=torch.bfloat16)

    def test_nothing(self):
        q, kv = torch.randn(1, 2, 1, 64).half(), torch.randn(1, 64, 64).half()
        out = attention_latent(q, kv, torch.zeros(1, 0).int(), torch.zeros(1).int(), dv=64)
        self.assertEqual(out.abs().max().item(), 0)

    def test_rejected(self):
        q, kv = torch.randn(1, 2, 1, 128).half(), torch.randn(3, 64, 128).half()
        pages, lengths = torch.zeros(1, 2).int(), torch.ones(1).int()
        for kind, text, given in (
            (TypeError, "q and kv are of float16 or of bfloat16, not torch.float16, torch.float32",
             (q, kv.float(), pages, lengths)),
            (ValueError, r"q is \(batch, head, row, d\) and kv \(page, slot, d\)", (q, kv[None], pages, lengths)),
            (ValueError, "d and dv are multiples of 64 up to 576, and dv is at most d, not 128 and 512",
             (q, kv, pages, lengths)),
            (ValueError, "a page has a multiple of 64 slots, not 63", (q, kv[:, 1:], pages, lengths, None, 64)),
            (TypeError, "pages is of int32, not torch.int64", (q, kv, pages.long(), lengths, None, 64)),
        ):
            *arrays, out, dv = given if len(given) == 6 else (*given, None, 512)
            with self.assertRaisesRegex(kind, text):
                attention_latent(*arrays, out, dv=dv)


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operators(unittest.TestCase):
    def test_as_torch_has_them(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        q, kv = torch.randn(1, 2, 1, 128).half(), torch.randn(3, 64, 128).half()
        torch.library.opcheck(torch.ops.cute.attention_latent.default,
                              (q, kv, torch.zeros(1, 2).int(), torch.tensor([70]).int(), 64),
                              test_utils=("test_schema", "test_faketensor", "test_aot_dispatch_static"))


unittest.main()
