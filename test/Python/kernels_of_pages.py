# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""cute.kernels.attention_paged on the simulator: keys of pages beside float64, and what it
refuses."""
import math
import unittest

import torch
from cute import kernels


def reference(q, k, v, causal, window=None):
    if not k.shape[1]:
        return torch.zeros_like(q, dtype=torch.float64)
    k, v = (x.double().repeat_interleave(q.shape[0] // x.shape[0], 0) for x in (k, v))
    s = q.double() @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    if causal:
        rows, columns = s.shape[1:]
        s = s.masked_fill(torch.ones(rows, columns).triu(columns - rows + 1).bool(), -math.inf)
        if window:
            s = s.masked_fill(torch.ones(rows, columns).tril(columns - rows - window).bool(), -math.inf)
    return torch.softmax(s, -1).nan_to_num(0) @ v


def of_sequence(a, pages, length):
    """(head, key, d) of the pages with some numbers."""
    return a[pages.long()].transpose(0, 1).flatten(1, 2)[:, :length]


class Pages(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(3)

    def check(self, heads, shared, rows, d, slots, causal, dtype=torch.float16, window=None):
        """Sequences of no key, of some pages and a part, and of all pages; entries behind the
        last page are no numbers of pages."""
        count, most, lengths = 13, 5, [0, 2 * slots + 5, 5 * slots]
        k = torch.randn(count, slots, shared, d).to(dtype).transpose(1, 2)
        v = torch.randn(count, shared, slots, d).to(dtype)
        q = torch.randn(3, rows, heads, d).to(dtype).transpose(1, 2)
        pages = torch.stack([torch.randperm(count)[:most] for _ in lengths]).int()
        wanted = []
        for b, length in enumerate(lengths):
            used = -(-length // slots)
            sequence = (of_sequence(x, pages[b, :used], length) for x in (k, v))
            wanted.append(reference(q[b], *sequence, causal, window))
            pages[b, used:] = -123456
            pages[b, :max(length - (window or length) - rows + 1, 0) // slots] = -123456
        got = kernels.attention_paged(q, k, v, pages, torch.tensor(lengths).int(),
                                      is_causal=causal, window=window)
        error = (got.double() - torch.stack(wanted)).abs().max().item()
        self.assertLess(error, 2e-3 if dtype == torch.float16 else 2e-2)

    def test_pages(self):
        self.check(4, 2, 1, 128, 16, False)
        self.check(6, 2, 3, 64, 48, True)
        self.check(8, 1, 2, 32, 64, False, torch.bfloat16)
        self.check(4, 1, 5, 96, 16, True)

    def test_windows(self):
        """Pages before the window of all rows have no numbers."""
        self.check(4, 2, 1, 128, 16, True, window=1)
        self.check(6, 2, 3, 64, 48, True, window=70)
        self.check(8, 1, 2, 32, 64, True, torch.bfloat16, (1 << 31) - 1)
        self.check(4, 4, 20, 64, 32, True, window=40)

    def test_many_rows(self):
        self.check(2, 2, 37, 64, 32, True)

    def test_log_sum_exp(self):
        q, k = torch.randn(2, 4, 1, 64).half(), torch.randn(3, 2, 16, 64).half()
        pages, lengths = torch.tensor([[2, 0], [1, 1]]).int(), torch.tensor([20, 0]).int()
        for out in (None, torch.empty_like(q)):
            got, lse = kernels.attention_paged(q, k, k, pages, lengths, out, return_lse=True)
            self.assertTrue(torch.equal(got, kernels.attention_paged(q, k, k, pages, lengths)))
            keys = of_sequence(k, pages[0], 20).double().repeat_interleave(2, 0)
            wanted = torch.logsumexp(q[0].double() @ keys.transpose(1, 2) / 8, -1)
            torch.testing.assert_close(lse[0].double(), wanted, rtol=0, atol=1e-5)
            self.assertEqual(lse[1].max().item(), -math.inf)

    def test_refused(self):
        good = {"q": torch.zeros(2, 4, 1, 64).half(), "k": torch.zeros(3, 2, 16, 64).half(),
                "v": torch.zeros(3, 2, 16, 64).half(), "pages": torch.zeros(2, 3).int(),
                "lengths": torch.zeros(2).int()}
        self.assertEqual(kernels.attention_paged(**good).abs().max().item(), 0)
        for error, text, changed in (
                (TypeError, "of float16 or of bfloat16", {"q": torch.zeros(2, 4, 1, 64)}),
                (ValueError, "d is a multiple of 32 from 32 to 128", {"q": torch.zeros(2, 4, 1, 40).half()}),
                (ValueError, "is_causal=True goes with it", {"window": 3}),
                (ValueError, "alike and fit q", {"v": torch.zeros(3, 2, 32, 64).half()}),
                (ValueError, "a multiple of the heads", {"q": torch.zeros(2, 3, 1, 64).half()}),
                (ValueError, "a multiple of 16 slots, not 8",
                 {name: torch.zeros(3, 2, 8, 64).half() for name in "kv"}),
                (TypeError, "pages is of int32", {"pages": torch.zeros(2, 3).long()}),
                (ValueError, "lengths is \\(batch\\) for a batch of 2",
                 {"lengths": torch.zeros(3).int()}),
                (ValueError, "pages is \\(batch, page\\)", {"pages": torch.zeros(2).int()}),
                (ValueError, "pages: its last mode", {"pages": torch.zeros(3, 2).int().t()}),
                (ValueError, "multiples of 16 bytes",
                 {"k": torch.zeros(3, 2, 16, 65).half()[..., :64]}),
                (ValueError, r"out is \(2, 4, 1, 64\) of", {"out": torch.zeros(2, 4, 2, 64).half()}),
                (ValueError, "the scale is positive", {"scale": -1.0})):
            with self.assertRaisesRegex(error, text):
                kernels.attention_paged(**{**good, **changed})


unittest.main()
