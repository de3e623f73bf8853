# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim %python %s %root
"""Products and attention of torch tensors on the simulator, beside float64."""

import dataclasses
import importlib
import math
import pathlib
import sys
import unittest
from unittest import mock

import torch

from cute import kernels
from cute.kernels import _gemm_plan, _tuned

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
from attention_reference import reference

sys.path.insert(0, f"{sys.argv.pop(1)}/kernels")
import kernel

F16 = {"type": "f16", "out": "f16", "a_major": "k", "b_major": "k", "c_major": "n",
       "batched": False}


class Gemm(unittest.TestCase):
    def near(self, got, a, b, tolerance):
        expected = a.double() @ b.double().t()
        error = (got.double() - expected).abs().max() / expected.abs().max()
        self.assertLessEqual(error.item(), tolerance)

    def test_f16(self):
        torch.manual_seed(1)
        for m, n, k in ((70, 90, 100), (64, 64, 72), (5, 7, 3)):
            a, b = torch.randn(m, k).half(), torch.randn(n, k).half()
            self.near(kernels.gemm(a, b), a, b, 1e-3)

    def test_padded(self):
        """Lines begin at multiples of 16 bytes and end anywhere, in rows and in columns."""
        a, b = torch.randn(40, 48).half()[:, :41], torch.randn(41, 32).half().t()[:25]
        self.near(kernels.gemm(a, b), a, b, 1e-3)

    def test_copied(self):
        """Strides that no copy by TMA has."""
        a, b = torch.randn(16, 20).half()[::2, ::2], torch.randn(9, 11).half()[:, 1:]
        self.near(kernels.gemm(a, b), a, b, 1e-3)

    def test_tiles_of_hopper(self):
        """Tiles of each order of operands, and of D and its transposed."""
        torch.manual_seed(4)
        gemm = importlib.import_module("cute.kernels.gemm")
        for majors in range(8):
            shapes = ((72, 88), (104, 88))
            a, b = (torch.randn(n, m).half().t() if majors >> i & 1 else torch.randn(m, n).half()
                    for i, (m, n) in enumerate(shapes))
            is_swapped = majors >> 2
            with mock.patch.object(gemm._Request, "_arch", lambda _: 90), \
                 mock.patch.object(gemm._gemm_choice, "chosen", lambda p, *_: dataclasses.replace(
                     p.swapped() if is_swapped else p, bm=64, bn=48)):
                self.near(kernels.gemm(a, b), a, b, 1e-3)

    def test_groups(self):
        torch.manual_seed(6)
        a, b = torch.randn(150, 96).half(), torch.randn(5, 72, 96).half()
        ends = [0, 5, 140, 140, 150]
        got = kernels.grouped_gemm(a, b, torch.tensor(ends, dtype=torch.int32))
        for g, (start, end) in enumerate(zip([0, *ends], ends)):
            if start < end:
                self.near(got[start:end], a[start:end], b[g], 1e-3)
        ends = torch.tensor([0, 7, 20, 400, -1], dtype=torch.int32)  # those beyond M are M
        got = kernels.grouped_gemm(a, b, ends)
        self.near(got[7:20], a[7:20], b[2], 1e-3)
        self.near(got[20:], a[20:], b[3], 1e-3)
        ends = torch.tensor([150], dtype=torch.int32)
        self.assertEqual(kernels.grouped_gemm(a[:0], b, ends.repeat(5)).shape, (0, 72))
        self.assertEqual(kernels.gemm(a[:0], b[0]).shape, (0, 72))
        self.assertEqual(kernels.grouped_gemm(a[:, :0], b[:1, :, :0], ends).abs().max().item(), 0)

    def test_steps(self):
        """Activations and types that small integers do not show."""
        a, b = torch.randn(20, 24), torch.randn(16, 24)
        x, functions = a.double() @ b.double().t(), torch.nn.functional
        for name, function in (("silu", functions.silu), ("sigmoid", torch.sigmoid),
                               ("gelu", lambda x: functions.gelu(x, approximate="tanh"))):
            got = kernels.gemm(a, b, activation=name)
            self.assertLess((got - function(x)).abs().max().item(), 2e-2)
        got = kernels.gated_gemm(a, b, b + 1, activation="silu")
        y = a.double() @ (b + 1).double().t()
        self.assertLess((got - functions.silu(x) * y).abs().max().item(), 0.5)
        got = kernels.gemm(a, b, out_dtype=torch.bfloat16, alpha=0.1)
        self.assertEqual(got.dtype, torch.bfloat16)
        self.assertLess((got - 0.1 * x).abs().max().item(), 2e-2)

    def test_i8_by_columns(self):
        a, b = torch.randint(-9, 9, (48, 40)).to(torch.int8).t(), torch.ones(30, 48).to(torch.int8)
        out = torch.empty(30, 40, dtype=torch.int32).t()
        self.assertIs(kernels.gemm(a, b, out), out)
        self.near(out, a, b, 0)

    def test_rejected(self):
        a = torch.zeros(8, 8).half()
        with self.assertRaisesRegex(TypeError, "no kernel accepts torch.float64"):
            kernels.gemm(a.double(), a.double())


class Plans(unittest.TestCase):
    def test_table(self):
        plan = _tuned.gemm_plan(F16, (16, 4096, 4096), "sm_90", False)
        self.assertEqual((plan.bm, plan.bn, plan.stream), (16, 64, 132))
        self.assertEqual(_tuned.gemm_plan(F16, (4096,) * 3, "sm_90", False).bn, 256)
        for arch, kib in (("sm_86", 99), ("sm_80", 163)):
            for kind in ("f16", "tf32", "i8"):
                problem = {**F16, "type": kind, "out": {"i8": "i32", "tf32": "f32"}.get(kind, kind)}
                for size in ((1, 4096, 64), (4096,) * 3, (77, 999, 100000)):
                    plan = _tuned.gemm_plan(problem, size, arch, False)
                    self.assertLessEqual(plan.shared_bytes, kib << 10)
                    gemm = kernel.find("gemm_sm80")
                    given = {n: getattr(plan, n) for n in gemm.parameters if n != "name"}
                    self.assertEqual(gemm.problems(gemm.complete(given)), [])

    def test_names(self):
        """Instructions have the names of kernels/gemm_sm80.json."""
        gemm = kernel.find("gemm_sm80")
        for kind in ("f16", "bf16", "tf32", "f64", "i8", "f8E4M3FN"):
            for arch in ("sm_89", "sm_90"):
                values = gemm.complete({"type": kind, "arch": arch})
                plan = _gemm_plan.Plan(**{n: values[n] for n in gemm.parameters if n != "name"})
                for name in ("atom", "atom_k", "sum", "bits", "vec", "threads", "k_blocks"):
                    self.assertEqual(getattr(plan, name), values[name], (kind, name))


class Attention(unittest.TestCase):
    def check(self, q, k, v, causal):
        got = kernels.attention(q, k, v, is_causal=causal)
        group = q.shape[1] // k.shape[1]
        k, v = (x.double().repeat_interleave(group, 1) for x in (k, v))
        s = q.double() @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
        if causal:
            rows, columns = s.shape[2:]
            later = torch.ones(rows, columns).triu(columns - rows + 1).bool()
            s = s.masked_fill(later, -math.inf)
        wanted = torch.softmax(s, -1).nan_to_num(0) @ v
        error = (got.double() - wanted).abs().max().item()
        self.assertLess(error, 2e-3 if q.dtype == torch.float16 else 2e-2)
        return got, torch.logsumexp(s, -1)

    def check_sums(self, q, k, v, causal):
        """The same result with the log-sum-exp of rows."""
        wanted, sums = self.check(q, k, v, causal)
        got, lse = kernels.attention(q, k, v, is_causal=causal, return_lse=True)
        torch.testing.assert_close(got, wanted, rtol=0, atol=2e-3)
        torch.testing.assert_close(lse.double(), sums, rtol=0, atol=1e-5)

    def test_log_sum_exp(self):
        """Of many and of few rows; some see no column; into a given tensor."""
        torch.manual_seed(8)
        for d, rows, columns, causal in ((64, 70, 50, True), (128, 5, 150, False), (96, 33, 40, True),
                                         (64, 1, 300, False), (128, 3, 200, True)):
            q = torch.randn(1, rows, 4, d).half().transpose(1, 2)
            k, v = (torch.randn(1, 2, columns, d).half() for _ in "kv")
            self.check_sums(q, k, v, causal)
        out = torch.empty_like(q)
        pair = kernels.attention(q, k, v, out, return_lse=True)
        self.assertIs(pair[0], out)
        torch.testing.assert_close(pair[1], kernels.attention(q, k, v, return_lse=True)[1])
        zero, lse = kernels.attention(q, k[:, :, :0], v[:, :, :0], return_lse=True)
        self.assertEqual((zero.abs().max().item(), lse.max().item()), (0, -math.inf))

    def test_options(self):
        """A window, a cap and sinks; few rows, too."""
        torch.manual_seed(10)
        for rows, columns, d, causal, given in (
                (150, 330, 64, True, {"window": 100}), (40, 30, 64, True, {"window": 1, "cap": 2.0}),
                (30, 150, 128, False, {"cap": 0.5}), (2, 200, 96, True, {"window": 9}), (1, 700, 64, True, {"window": 300}), (70, 33, 64, True, {})):
            q = torch.randn(1, rows, 4, d).bfloat16().transpose(1, 2)
            k, v = (torch.randn(1, 2, columns, d).bfloat16() for _ in "kv")
            for sinks in (None, 3 * torch.randn(4)):
                got, lse = kernels.attention(q, k, v, is_causal=causal, sinks=sinks, return_lse=True, **given)
                wide = None if sinks is None else sinks.double()
                wanted, sums = reference(q.double(), k.double(), v.double(), causal, d ** -0.5, sinks=wide, **given)
                self.assertLess((got.double() - wanted).abs().max().item(), 2e-2)
                torch.testing.assert_close(lse.double(), sums, rtol=0, atol=1e-5)
        self.assertTrue(torch.equal(kernels.attention(q, k, v, is_causal=True, sinks=sinks), got))
        self.assertEqual(kernels.attention(q, k[:, :, :0], v[:, :, :0], sinks=sinks).abs().max().item(), 0)
        for text, given in (("is_causal=True goes", {"window": 3}), ("the cap is positive", {"cap": 0.0}),
                            ("sinks are 4 numbers", {"sinks": sinks[:3]}), ("sinks are 4", {"sinks": sinks.half()})):
            with self.assertRaisesRegex(ValueError, text):
                kernels.attention(q, k, v, **given)
        with self.assertRaisesRegex(ValueError, "q and k have a row"):
            kernels.attention(q, k[:, :, :0], v[:, :, :0], sinks=sinks, return_lse=True)
        odd = torch.randn(1, 4, 9, 65).half()[..., :64]
        with self.assertRaisesRegex(ValueError, "multiples of 16 bytes, and for return_lse, a window"):
            kernels.attention(odd, odd, odd, cap=1.0)

    def test_heads(self):
        torch.manual_seed(2)
        q = torch.randn(1, 4, 50, 64).half()
        k, v = (torch.randn(1, 2, 50, 64).half() for _ in range(2))
        self.check(q, k, v, True)
        self.check(q[:, :2, :33], k, v, False)
        self.check(*[torch.randn(1, 1, 40, 65).half()[..., :64]] * 3, False)

    def test_wide_heads(self):
        """Rows and columns that no tile divides, and rows further apart than they are long."""
        torch.manual_seed(4)
        for d in (32, 96, 128):
            q = torch.randn(2, 35, 4, d + 8).half().transpose(1, 2)[..., :d]
            k, v = (torch.randn(2, 2, 70, d).half() for _ in range(2))
            self.check(q, k, v, False)
            self.check(q[:, :2], k, v, True)

    def test_all_sizes_of_heads(self):
        torch.manual_seed(11)
        for d in (8, 16, 40, 80, 104, 136, 160, 192, 200, 256):
            q, k, v = (torch.randn(1, h, n, d).half() for h, n in ((2, 35), (1, 50), (1, 50)))
            self.check(q, k, v, d % 32 == 0)

    def test_other_values(self):
        """Heads of v with another size than q's and k's."""
        torch.manual_seed(12)
        for d, dv in ((192, 128), (24, 56), (72, 8)):
            q, k, v = (torch.randn(1, h, n, size).half() for h, n, size in ((2, 135, d), (1, 150, d), (1, 150, dv)))
            self.check(q, k, v, d % 32 == 0)
            self.check_sums(q, k, v, d % 32 != 0)

    def test_few_rows(self):
        """Keys in chunks; the last chunk may have none that a row sees."""
        torch.manual_seed(6)
        for heads, shared, rows, keys, d in ((4, 2, 1, 333, 128), (6, 2, 3, 257, 64), (3, 3, 4, 130, 32),
                                             (16, 1, 2, 200, 64), (8, 8, 4, 129, 128), (1, 1, 1, 700, 64), (8, 2, 3, 300, 96)):
            for dtype in (torch.float16, torch.bfloat16):
                q = torch.randn(2, rows, heads, d + 8).to(dtype).transpose(1, 2)[..., :d]
                k, v = (torch.randn(2, shared, keys, d).to(dtype) for _ in range(2))
                for causal in (False, True):
                    with self.subTest(heads=heads, rows=rows, keys=keys, dtype=dtype, causal=causal):
                        self.check(q, k, v, causal)

    def test_few_rows_extremes(self):
        """Products below any bound that means no key, and NaN."""
        v = torch.randn(1, 1, 300, 64).bfloat16()
        q, k = torch.full((1, 2, 1, 64), 1e17).bfloat16(), torch.full((1, 1, 300, 64), -1e17).bfloat16()
        mean = v.double().mean(2, keepdim=True)
        self.assertLess((kernels.attention(q, k, v).double() - mean).abs().max().item(), 1e-2)
        k[0, 0, 7, 3] = math.nan
        self.assertTrue(kernels.attention(q, k, v).isnan().all())
        q[0, 0] = math.inf
        self.assertTrue(kernels.attention(q, k.nan_to_num(1), v)[0, 0].isnan().all())

    def test_few_rows_repeat(self):
        """Equal inputs give equal bits, and large products no infinity."""
        torch.manual_seed(7)
        q, k = 60 * torch.randn(1, 4, 1, 64).half(), torch.randn(1, 2, 500, 64).half()
        first = kernels.attention(q, k, k)
        self.assertTrue(first.isfinite().all())
        self.assertTrue(torch.equal(first, kernels.attention(q, k, k)))

    def test_tiles_of_others(self):
        """The tiles of GPUs without wgmma."""
        torch.manual_seed(5)
        attention = importlib.import_module("cute.kernels.attention")
        with mock.patch.dict(attention.TILES, clear=True):
            for d in (32, 48, 64, 96, 160):
                q, k = torch.randn(1, 2, 50, d).half(), torch.randn(1, 1, 70, d).half()
                self.check_sums(q, k, k, True) if d == 64 else self.check(q, k, k, True)

    def test_causal(self):
        """The last row sees all columns; the first of 150 rows see none of 40."""
        torch.manual_seed(3)
        q = torch.randn(1, 1, 150, 64).half()
        for dtype in (torch.float16, torch.bfloat16):
            for columns in (333, 151, 40, 1):
                k, v = (torch.randn(1, 1, columns, 64).to(dtype) for _ in range(2))
                self.check(q.to(dtype), k, v, True)
        self.assertEqual(kernels.attention(q, q[:, :, :0], q[:, :, :0]).abs().max().item(), 0)


unittest.main()
