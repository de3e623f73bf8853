# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a CUTE_SIM=schedule=4 %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_89 %python %s Scaled.test_dense Scaled.test_groups_of_rows
"""cute.kernels.scaled_gemm on the simulator: factors of blocks beside float64, groups, and what it
refuses."""
import dataclasses
import unittest
from unittest import mock

import torch

from cute import kernels
from cute.kernels import _gemm_choice, gemm_sm90
from cute.kernels.gemm_sm90 import Product

E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2


def blocks(n):
    return -(-n // 128)


def operands(m, n, k, kinds=(E4M3, E4M3), groups=(), batch=()):
    """(a, b, scale_a, scale_b), the scales of a with rows side by side."""
    a, b = torch.randn(*batch, m, k).to(kinds[0]), torch.randn(*groups, n, k).to(kinds[1])
    scale_a = (torch.rand(*batch, blocks(k), m) + 0.5).transpose(-1, -2)
    return a, b, scale_a, torch.rand(*groups, blocks(n), blocks(k)) + 0.5


def wide(x, scales, rows):
    """The numbers that elements and factors are."""
    m, k = x.shape[-2:]
    return x.double() * scales.double().repeat_interleave(rows, -2)[..., :m, :].repeat_interleave(
        128, -1)[..., :k]


class Scaled(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(8)

    def same(self, got, wanted, tolerance=6e-3):
        self.assertLess(((got.double() - wanted).abs().max() / wanted.abs().max()).item(), tolerance)

    def test_dense(self):
        for m, n, k, kinds, dtype in (
                (130, 200, 272, (E4M3, E4M3), torch.bfloat16), (70, 24, 128, (E5M2, E4M3), torch.float32),
                (3, 300, 400, (E4M3, E5M2), torch.float16), (64, 136, 16, (E4M3, E4M3), None)):
            a, b, *scales = operands(m, n, k, kinds)
            wanted = wide(a, scales[0], 1) @ wide(b, scales[1], 128).t()
            got = kernels.scaled_gemm(a, b, *scales, out_dtype=dtype)
            self.assertEqual(got.dtype, dtype or torch.bfloat16)
            self.same(got, wanted)

    def test_choice(self):
        """Warpgroups start the products of a round in turn where there are tiles for all multiprocessors, however long K is."""
        for groups, rows in (("", 192), ("rows", 128)):
            product = Product("f8E4M3FN", "f8E4M3FN", "bf16", in_levels=True, scaled=True, groups=groups)
            for n, k in ((7168, 16384), (7168, 2048), (24576, 1536)):
                chosen = _gemm_choice.chosen(product, (4096, n, k), 1, 90, 132)
                self.assertEqual((chosen.bm, chosen.bn), (rows, 128))
                self.assertIn(("pingpong", 1), chosen.schedule)

    def test_tiles(self):
        """Each tile that can be chosen becomes a kernel by wgmma that is right, without a spare load."""
        whole = Product("f8E4M3FN", "f8E4M3FN", "bf16", in_levels=True, scaled=True)
        a, b, scale_a, scale_b = operands(152, 144, 272)
        a, b, scale_a, scale_b = a[:, :256], b[:, :256], scale_a[:, :2], scale_b[:, :2]
        wanted = wide(a, scale_a, 1) @ wide(b, scale_b, 128).t()
        found = dict.fromkeys(tile for rows in (8, 32, 64, 152) for _, tile in
                              _gemm_choice.candidates(whole, (rows, 144, 256)))
        self.assertGreater(len(found), 4)
        for tile in (dataclasses.replace(t, has_lines=x) for t in found for x in (False, True)):
            program = gemm_sm90.program({"product": tile})
            program.optimize("sm_90a")
            remarks = " ".join(program.remarks)
            self.assertIn("wgmma multiplies", remarks, tile)
            self.assertIn(f"loads the tiles of {2 + tile.has_lines} tensors", remarks, tile)
            takes_turns = ("pingpong", 1) in tile.schedule
            self.assertEqual(takes_turns, "start the products of a round in turn" in remarks, tile)
            scales = scale_a if tile.has_lines else scale_a.contiguous()
            with mock.patch.object(_gemm_choice, "chosen", lambda *_, tile=tile: tile):
                self.same(kernels.scaled_gemm(a, b, scales, scale_b), wanted)

    def test_groups_of_rows(self):
        """A group of no row, rows between groups, and tiles of none."""
        a, b, *scales = operands(640, 72, 144, groups=(3,))
        m_indices = torch.tensor([0] * 128 + [2] * 100 + [-1] * 28 + [2] * 128 + [-1] * 128 + [1] * 128).int()
        out = torch.full((640, 72), 77).bfloat16()
        kernels.scaled_gemm(a, b, *scales, out, m_indices=m_indices)
        wanted = wide(a, scales[0], 1)[:, None] @ wide(b, scales[1], 128)[m_indices.long()].transpose(1, 2)
        is_there = m_indices >= 0
        self.same(out[is_there], wanted[is_there, 0])
        self.assertEqual(out[384:512].unique().tolist(), [77])

    def test_counts(self):
        a, b, *scales = operands(150, 72, 144, groups=(4,), batch=(4,))
        counts = torch.tensor([150, 0, 129, 3]).int()
        out = torch.full((4, 150, 72), 77).bfloat16()
        kernels.scaled_gemm(a, b, *scales, out, masked_m=counts)
        wanted = wide(a, scales[0], 1) @ wide(b, scales[1], 128).transpose(1, 2)
        for got, expected, count in zip(out, wanted, counts.tolist()):
            self.assertTrue((got[-(-count // 128) * 128:] == 77).all())
            if count:
                self.same(got[:count], expected[:count])

    def test_nothing(self):
        a, b, *scales = operands(5, 16, 0)
        self.assertEqual(kernels.scaled_gemm(a, b, *scales).abs().max().item(), 0)
        a, b, *scales = operands(0, 16, 32)
        self.assertEqual(tuple(kernels.scaled_gemm(a, b, *scales).shape), (0, 16))

    def test_operator(self):
        from cute.kernels import torch_ops  # noqa: F401
        checks = ("test_faketensor", "test_aot_dispatch_static")
        given = operands(20, 24, 144, groups=(2,))
        torch.library.opcheck(torch.ops.cute.scaled_gemm.default, (*given, torch.zeros(20).int()), test_utils=checks)
        torch.library.opcheck(torch.ops.cute.scaled_gemm.default, operands(20, 24, 144),
                              {"out_dtype": torch.float32}, test_utils=checks)

    def test_refused(self):
        good = dict(zip(("a", "b", "scale_a", "scale_b"), operands(9, 144, 272)))
        grouped = dict(zip(good, operands(9, 144, 272, groups=(2,))))
        numbers = torch.zeros(9).int()
        for error, text, given in (
                (ValueError, "a is \\(M,K\\) and b is \\(N,K\\), not", {**good, "b": grouped["b"]}),
                (ValueError, "b is \\(G,N,K\\), not", {**good, "m_indices": numbers}),
                (ValueError, "a is \\(G,M,K\\) and b", {**grouped, "masked_m": numbers}),
                (TypeError, "a and b are of float8_e4m3fn or", {**good, "a": good["a"].half()}),
                (TypeError, "scale_a is of float32", {**good, "scale_a": good["scale_a"].half()}),
                (ValueError, "scale_a is \\(9, 3\\), not \\(9, 2\\)", {**good, "scale_a": good["scale_a"][:, :2]}),
                (ValueError, "scale_b is \\(2, 3\\), not \\(144, 3\\)", {**good, "scale_b": torch.ones(144, 3)}),
                (ValueError, "a: K is contiguous and rows begin", {**good, "a": torch.zeros(9, 273).to(E4M3)[:, 1:]}),
                (ValueError, "out is \\(9, 144\\) of bfloat16", {**good, "out": torch.zeros(9, 144).int()}),
                (ValueError, "out: its rows must be contiguous", {**good, "out": torch.zeros(144, 9).t()}),
                (ValueError, "by m_indices, or by masked_m", {**grouped, "m_indices": numbers, "masked_m": numbers}),
                (TypeError, "m_indices is of int32", {**grouped, "m_indices": numbers.float()}),
                (ValueError, "m_indices has 9 contiguous elements", {**grouped, "m_indices": numbers[:8]})):
            with self.assertRaisesRegex(error, text):
                kernels.scaled_gemm(**given)


unittest.main()
