# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Products with weights of 4 bits on the simulator, beside float64, and what they refuse."""
import dataclasses
import importlib
import re
import types
import unittest
import unittest.mock

import torch
from cute import kernels
from cute.kernels._program import PTX

gemm_w4 = importlib.import_module("cute.kernels.gemm_w4")


def weights(n, k, group, dtype, has_zeros=True):
    """(q, scales, zeros, weights in float64)."""
    q = torch.randint(0, 16, (n, k)).to(torch.uint8)
    scales = (torch.rand(n, k // group) + 0.1).to(dtype)
    zeros = torch.randint(0, 17, scales.shape).to(dtype) if has_zeros else None
    of_k = zeros.double().repeat_interleave(group, 1) if has_zeros else 8
    return q, scales, zeros, (q.double() - of_k) * scales.double().repeat_interleave(group, 1)


class Weights(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(9)

    def check(self, m, n, k, group, dtype, has_zeros, pitch=0):
        q, scales, zeros, wide = weights(n, k, group, dtype, has_zeros)
        a = torch.randn(m, k + pitch).to(dtype)[:, :k]
        wanted = a.double() @ wide.t()
        got = kernels.gemm_w4(a, kernels.pack_w4(q), scales, zeros)
        self.assertEqual((got.dtype, tuple(got.shape)), (dtype, (m, n)))
        error = ((got.double() - wanted).abs().max() / wanted.abs().max()).item()
        self.assertLess(error, 2e-3 if dtype == torch.float16 else 1e-2)

    def test_products(self):
        for dtype in (torch.float16, torch.bfloat16):
            self.check(1, 32, 128, 128, dtype, False)
            self.check(5, 48, 192, 64, dtype, True, pitch=8)
            self.check(9, 16, 1152, 32, dtype, True)
            self.check(20, 64, 128, 32, dtype, False)
            self.check(40, 48, 192, 96, dtype, True)

    def check_plan(self, m, n, k, group, dtype, has_zeros, **plan):
        """With a plan that is not the one for the size."""
        element = "f16" if dtype == torch.float16 else "bf16"
        chosen = gemm_w4.Plan(element, group=group, has_zeros=has_zeros, **plan)
        with unittest.mock.patch.object(gemm_w4, "best", lambda *_: chosen), self.subTest(**plan):
            self.check(m, n, k, group, dtype, has_zeros)

    def test_plans(self):
        """Operands in registers, of one and two steps; warps along both modes, rings of one and several turns, of one and two steps, fewer columns than
        warps, clusters that share K, and blocks that have more rows of W than there are."""
        f16, bf16 = torch.float16, torch.bfloat16
        self.check_plan(2, 32, 192, 64, bf16, True, rows=8, tiles=2, along=2, stages=2)
        self.check_plan(11, 80, 448, 32, bf16, True, rows=16, tiles=2, along=4, stages=0)
        self.check_plan(3, 48, 640, 128, f16, True, rows=8, tiles=1, along=4, steps=2, stages=0)
        self.check_plan(14, 80, 768, 64, bf16, True, rows=16, tiles=2, along=8, steps=2, stages=0)
        self.check_plan(9, 96, 512, 128, f16, True, rows=16, tiles=1, across=2, along=2, steps=2)
        self.check_plan(16, 80, 448, 32, bf16, True, rows=16, tiles=3, across=2, along=1, stages=2)
        self.check_plan(20, 64, 256, 32, f16, False, rows=32, tiles=2, across=2, along=2, stages=2)
        self.check_plan(39, 48, 512, 128, bf16, True, rows=64, tiles=2, across=2, along=1, steps=2, splits=2)
        self.check_plan(7, 48, 640, 128, bf16, True, rows=8, tiles=2, along=1, steps=2, stages=2, splits=4)
        self.check_plan(8, 64, 128, 128, f16, True, rows=8, tiles=3, across=1, along=4, stages=2, splits=2)
        self.check_plan(30, 48, 128, 64, f16, False, rows=16, tiles=1, across=3, along=2, stages=4)

    def test_weights_go_first(self):
        """The L2 cache need not keep weights, which are loaded in whole lines; scales and A it may."""
        plan = gemm_w4.Plan("bf16", 8, 1, 128, False, along=4, steps=2, stages=0)
        made = gemm_w4.program(dataclasses.asdict(plan))
        text = next(x for x in made.compile("sm_90a", PTX).decode().split(".entry ") if x.startswith("gemm_w4"))
        self.assertEqual(text.count("ld.global.L2::cache_hint.v4"), 2 * plan.steps)
        self.assertEqual(text.count("cache_hint"), 2 * plan.steps)

    def test_plan_of_any_size(self):
        """Has room in shared memory, one block for each thread's registers, and all of W."""
        for arch, multiprocessors in ((80, 108), (86, 84), (90, 132), (120, 170)):
            gpu = types.SimpleNamespace(arch=arch, multiprocessors=multiprocessors)
            for m in (1, 9, 17, 40, 64):
                for n in (16, 4096, 5120, 28672, 128256):
                    for k, group in ((64, 64), (128, 128), (4096, 32), (14336, 128), (5120, 96)):
                        plan = gemm_w4.best(("bf16", group, True), m, n, k, gpu)
                        self.assertLessEqual(m, plan.rows)
                        self.assertLessEqual(4 * plan.words, (227 if arch == 90 else 99) << 10)
                        self.assertLessEqual(plan.warps, 16)
                        self.assertEqual(k // 64 % plan.steps, 0)
                        self.assertLessEqual(plan.splits, 1 if arch < 90 else 8)

    def test_waves(self):
        """All blocks of a product of few rows are there at once, if registers suffice for their warps."""
        gpu = types.SimpleNamespace(arch=90, multiprocessors=132)
        for kind, rows, most in ((("bf16", 128, False), 8, 28), (("f16", 128, True), 8, 28), (("f16", 128, True), 16, 16),
                                 (("bf16", 128, True), 16, 12), (("bf16", 128, False), 16, 16)):
            for n in (1024, 4096, 6144, 8192, 10240, 14336, 22016):
                for k in (128, 2048, 4096, 14336):
                    plan = gemm_w4.best(kind, rows, n, k, gpu)
                    self.assertLessEqual(n // 16 / plan.tiles, plan.resident * gpu.multiprocessors)
                    self.assertLessEqual(plan.resident * plan.warps, most)

    def test_registers(self):
        """Registers are bounded where blocks would not be there at once otherwise."""
        for rows, along, resident, has_zeros, bound in ((16, 4, 4, False, ["4"]), (16, 4, 3, False, []),
                                                        (16, 4, 4, True, []), (8, 4, 7, False, [])):
            plan = gemm_w4.Plan("f16", rows, rows // 8, 128, has_zeros, along=along, steps=2, stages=0, resident=resident)
            text = gemm_w4.program(dataclasses.asdict(plan)).compile("sm_90a", PTX).decode()
            self.assertEqual(re.findall(r"gemm_w4\([^{]*\.minnctapersm (\d+)", text), bound)

    def test_many_rows(self):
        """More rows than the loop is for, and more weights than blocks share K of."""
        self.check(70, 16, 128, 64, torch.float16, True)
        self.check(3, 8208, 64, 64, torch.float16, False)

    def test_wide(self):
        """Weights in 16 bits are rounded once."""
        for dtype in (torch.float16, torch.bfloat16):
            for group in (32, 128):
                q, scales, zeros, wide = weights(32, 256, group, dtype)
                got = kernels.unpack_w4(kernels.pack_w4(q), scales, zeros)
                self.assertTrue(torch.equal(got, wide.float().to(dtype)))

    def test_infinity(self):
        """One row's infinity stays in its row."""
        q, scales, _, _ = weights(16, 128, 128, torch.float16, False)
        a = torch.randn(4, 128).half()
        a[2, 5] = torch.inf
        got = kernels.gemm_w4(a, kernels.pack_w4(q), scales)
        self.assertTrue(got[[0, 1, 3]].isfinite().all())
        self.assertFalse(got[2].isfinite().any())

    def test_refused(self):
        a, w = torch.zeros(2, 128).half(), torch.zeros(2, 2, 32, 4).int()
        scales = torch.ones(32, 1).half()
        for error, text, function, arguments in (
                (TypeError, "uint8, not of torch.int64", kernels.pack_w4, (torch.zeros(16, 64).long(),)),
                (ValueError, "N a multiple of 16 and K of 64, not \\(16, 32\\)", kernels.pack_w4,
                 (torch.zeros(16, 32).byte(),)),
                (ValueError, "0 to 15, not 16", kernels.pack_w4, (torch.full((16, 64), 16).byte(),)),
                (ValueError, "a is \\(M,128\\)", kernels.gemm_w4, (a[:, :64], w, scales)),
                (ValueError, "a: its rows", kernels.gemm_w4, (torch.zeros(128, 2).half().t(), w, scales)),
                (ValueError, "as pack_w4 returns", kernels.gemm_w4, (a, w.long(), scales)),
                (TypeError, "scales are of float16", kernels.gemm_w4, (a, w, scales.float())),
                (ValueError, "groups of a multiple of 32", kernels.gemm_w4,
                 (a, w, torch.ones(32, 8).half())),
                (ValueError, "rows are less than 2\\^23 elements apart", gemm_w4._check,  # pylint: disable=protected-access
                 (w, torch.empty_strided((32, 1), (1 << 24, 1), dtype=torch.half, device="meta"), None)),
                (ValueError, "zeros are like scales", kernels.gemm_w4, (a, w, scales, scales[:16])),
                (ValueError, "out is \\(2, 32\\)", kernels.gemm_w4,
                 (a, w, scales, None, torch.zeros(2, 16).half()))):
            with self.assertRaisesRegex(error, text):
                function(*arguments)


unittest.main()
