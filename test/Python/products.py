# REQUIRES: full
# RUN: env CUTE_DEVICE=sim %python %s %S/Inputs
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s %S/Inputs Products
"""Products of the library on the simulator, of small integers whose sums are exact, with a
stand-in for tensors: all types, majors, batches, odd sizes and steps after the product."""

import dataclasses
import json
import os
import struct
import sys
import types
import unittest
from unittest import mock

from cute import kernels
from cute.kernels import _gemm_choice, _loading, gemm_sm90
from cute.kernels.gemm_sm90 import Product, Step

sys.path[:0] = [sys.argv.pop(1), os.path.join(os.path.dirname(__file__), os.pardir)]
from host_arrays import BF16, E4M3, E5M2, F16, F32, FORMATS, I8, I32, Array
from turns import take_turn


def columns(rows, count, dtype=F16):
    """A matrix whose columns are contiguous."""
    unit = 16 // struct.calcsize(FORMATS[dtype])
    return Array((rows, count), dtype, (1, -(-rows // unit) * unit))


def product(a, b, place):
    *batch, m, n = place
    x = batch if a.dim() == 3 else []
    y = batch if b.dim() == 3 else []
    return sum(a[(*x, m, k)] * b[(*y, n, k)] for k in range(a.shape[-1]))


class Products(unittest.TestCase):
    def setUp(self):
        """A module torch that makes copies of operands."""
        torch = types.SimpleNamespace(
            empty=lambda shape, dtype, device: mock.Mock(expand=lambda _: None) if shape == () else Array(shape, dtype),
            empty_like=lambda _: mock.MagicMock(), **{kind.removeprefix("torch."): kind for kind in FORMATS})
        patched = mock.patch.dict(sys.modules, torch=torch)
        patched.start()
        self.addCleanup(patched.stop)

    def check(self, a, b, out, then=lambda x, place: x, **given):
        self.assertIs(kernels.gemm(a.fill(1), b.fill(2), out, **given), out)
        for place in out.places():
            wanted = then(product(a, b, place), place)
            self.assertEqual(out[place], wanted, (place, a, b))

    def test_majors(self):
        for a, b in ((Array((40, 24)), columns(24, 24)), (columns(40, 24), Array((24, 24))),
                     (columns(37, 9), columns(21, 9))):
            self.check(a, b, Array((a.shape[0], b.shape[0])))

    def test_types(self):
        for kind, other, result in ((BF16, BF16, BF16), (F32, F32, F32), (I8, I8, I32),
                                    (E4M3, E4M3, F16), (E4M3, E5M2, F32), (F16, F16, F32)):
            self.check(Array((33, 32), kind), Array((17, 32), other), Array((33, 17), result))
        self.check(Array((9, 32), E4M3), Array((17, 32), E4M3), Array((9, 17)), fast_accum=True)

    def test_odd(self):
        """Rows that end anywhere, and operands that are copied."""
        self.check(Array((5, 3)), Array((7, 3)), Array((5, 7)))
        self.check(Array((1, 1)), Array((1, 1)), Array((1, 1)))
        self.check(Array((70, 13), strides=(13, 1)), Array((7, 13), offset=1), Array((70, 7)))
        self.check(columns(20, 9, I8), Array((7, 9), I8), Array((20, 7), I32))

    def test_results(self):
        self.check(Array((70, 16)), Array((9, 16)), Array((70, 9), strides=(1, 71)))
        self.check(Array((9, 16)), Array((16, 16)), Array((9, 16), F32, offset=1))

    def test_batches(self):
        three, two = (lambda rows: Array((3, rows, 24))), (lambda rows: Array((rows, 24)))
        for a, b in ((three(20), three(9)), (three(20), two(16)), (two(20), three(8))):
            self.check(a, b, Array((3, 20, b.shape[-2])))

    def test_steps(self):
        bias, residual = Array((22,)).fill(3), Array((20, 22)).fill(4)
        a, b, out = Array((20, 24)), Array((22, 24)), Array((20, 22), F32)
        self.check(a, b, out, lambda x, at: max(2 * x + bias[at[1:]], 0) + 0.5 * residual[at],
                   alpha=2, bias=bias, activation="relu", residual=residual, beta=0.5)
        scale_a, scale_b = Array((20,), F32).fill(5), Array((22,), F32).fill(6)
        self.check(a, b, out, lambda x, at: x * scale_a[at[:1]] * scale_b[at[1:]],
                   scale_a=scale_a, scale_b=scale_b)
        one = Array((1,), F32).fill(7)
        bias, residual = Array((21,), F32).fill(8), columns(20, 21).fill(9)
        self.check(a, Array((21, 24)), Array((20, 21), F32, (1, 20)),
                   lambda x, at: x * one[(0,)] + bias[at[1:]] + residual[at],
                   scale_b=one, bias=bias, residual=residual)
        batch = Array((2, 20, 22)).fill(4)
        self.check(Array((2, 20, 24)), b, Array((2, 20, 22)), lambda x, at: x + batch[at],
                   residual=batch)

    def test_no_products(self):
        bias, a, b = Array((4,)).fill(3), Array((5, 0)), Array((4, 0))
        self.check(a, b, Array((5, 4)), lambda x, at: bias[at[1:]], bias=bias)

    def test_gate(self):
        a, gate, up = Array((20, 24)).fill(1), Array((12, 24)).fill(2), Array((12, 24)).fill(3)
        out = kernels.gated_gemm(a, gate, up, Array((20, 12), F32), activation="relu")
        for place in out.places():
            wanted = max(product(a, gate, place), 0) * product(a, up, place)
            self.assertEqual(out[place], wanted)

    def check_groups(self, a, b, ends, out):
        offsets = Array((len(ends),), I32)
        for g, end in enumerate(ends):
            offsets[(g,)] = end
        kernels.grouped_gemm(a.fill(1), b.fill(2), offsets, out)
        for m, n in out.places():
            g = next((g for g, end in enumerate(ends) if m < end), None)
            wanted = 77 if g is None else sum(a[(m, k)] * b[(g, n, k)] for k in range(a.shape[1]))
            self.assertEqual(out[(m, n)], wanted, (m, n, ends))

    def test_groups(self):
        for kind, result, ends in ((F16, F16, (0, 3, 30, 30, 37)), (I8, I32, (37, 37)),
                                   (BF16, BF16, (1, 2, 3)), (F32, F32, (20, 40)), (E4M3, F16, (0, 0))):
            self.check_groups(Array((40, 32), kind), Array((len(ends), 17, 32), kind), ends,
                              Array((40, 17), result))
        self.check_groups(columns(40, 24), Array((2, 17, 24), strides=(24 * 24, 1, 24)), (13, 39), Array((40, 17)))
        self.check_groups(Array((9, 3)), Array((2, 7, 3)), (5, 9), Array((9, 7)))
        self.check_groups(Array((9, 3)), Array((0, 7, 3)), (), Array((9, 7)))

    def test_tiles_of_groups(self):
        """Each tile that can be chosen becomes a kernel by wgmma that is right."""
        groups = Product("f16", "f16", "f16", batches=(False, True, False), groups="ends")
        for _, tile in take_turn(_gemm_choice.candidates(groups, (64, 24, 24)), 4):
            program = gemm_sm90.program({"product": tile})
            program.optimize("sm_90a")
            said = " ".join(program.remarks)
            self.assertIn("wgmma multiplies", said, tile)
            self.assertIn("go from tile to tile", said, tile)
            with mock.patch.object(_gemm_choice, "chosen", lambda *_, tile=tile: tile):
                self.check_groups(Array((150, 24)), Array((3, 24, 24)), (70, 70, 149), Array((150, 24)))

    def test_scales(self):
        """Factors of blocks, in a last block of K that is not whole."""
        for m, n in ((70, 24), (5, 136)):
            a, b, out = Array((m, 160), E4M3).fill(1), Array((n, 160), E4M3).fill(2), Array((m, n), F32)
            scales = Array((m, 2), F32), Array((-(-n // 128), 2), F32)
            for i, array in enumerate(scales):
                for row, k in array.places():
                    array[(row, k)] = 2.0 ** ((row + 3 * k + i) % 4)
            kernels.scaled_gemm(a, b, *scales, out)
            for row, column in out.places():
                wanted = sum(a[(row, k)] * scales[0][(row, k // 128)] * b[(column, k)]
                             * scales[1][(column // 128, k // 128)] for k in range(160))
                self.assertEqual(out[(row, column)], wanted, (row, column, m, n))

    def test_loads_of_scales(self):
        """A thread of warpgroups loads one factor for each of its two rows, and one of the block."""
        program = gemm_sm90.program({"product": Product(
            "f8E4M3FN", "f8E4M3FN", "bf16", in_levels=True, scaled=True, bk=128, schedule=(("pingpong", 2),))})
        program.optimize("sm_90a")
        self.assertIn("wgmma multiplies", " ".join(program.remarks))
        self.assertEqual(program.compile("sm_90a").count(b"ld.global"), 3)

    def test_residual_by_tma(self):
        """Where rows of a residual begin at 16 bytes, its tile comes through the loop's stages."""
        add = Step("add", tensor="f16", along="mn", in_pairs=True, in_lines=True)
        for tile in (((128, 128), 1), ((128, 256), 2)):
            (bm, bn), turns = tile
            program = gemm_sm90.program({"product": Product(
                "f16", "f16", "f16", steps=(add,), bm=bm, bn=bn, schedule=(("pingpong", turns),))})
            program.optimize("sm_90a")
            self.assertIn("TMA loads the tile", " ".join(program.remarks), tile)
        residual = Array((70, 24)).fill(4)
        self.check(Array((70, 40)), Array((24, 40)), Array((70, 24)),
                   lambda x, at: x + residual[at], residual=residual)

    def test_wide_turns(self):
        """Two warpgroups take turns on tiles of 192 columns, in groups as well, unless a step needs registers."""
        add = Step("add", tensor="f16", along="mn", in_pairs=True, in_lines=True)
        dense = Product("f16", "f16", "f16")
        groups = dataclasses.replace(dense, batches=(False, True, False), groups="ends")
        for product, size, count, columns in ((dense, (3072, 3072, 768), 1, 192), (groups, (1024, 3072, 768), 8, 192),
                                              (dataclasses.replace(dense, steps=(add,)), (3072, 3072, 768), 1, 0)):
            chosen = _gemm_choice.chosen(product, size, count, 90, 132)
            is_turn = ("pingpong", 1) in chosen.schedule
            self.assertEqual(chosen.bn * is_turn * (chosen.bn > 128), columns, chosen)
            program = gemm_sm90.program({"product": chosen})
            program.optimize("sm_90a")
            self.assertEqual("take turns" in " ".join(program.remarks), is_turn)

    def test_streams(self):
        """The L2 cache lets operands go first that are read about once: with few rows or columns, and whole
        lines or not too many; of tiles that take as long, the one is chosen for which fewer tiles read them."""
        plain = Product("bf16", "bf16", "bf16")
        for size, is_stream in (((16, 4096, 4096), True), ((300, 6144, 2048), True), ((4096, 128, 4096), True),
                                ((64, 28672, 4104), False), ((256, 4096, 4104), True),
                                ((1024, 4096, 4096), False), ((8192, 8192, 1024), False)):
            chosen = _gemm_choice.chosen(plain, size, 1, 90, 132)
            self.assertEqual(("stream", 1) in chosen.schedule, is_stream, size)
            if is_stream:
                program = gemm_sm90.program({"product": chosen})
                program.optimize("sm_90a")
                loads = str(program).count("cute.with_barrier")
                self.assertEqual((loads > 1, str(program).count('cute.with_barrier<"evict_first">')), (True, loads))
        for size in ((192, 1536, 9216), (1536, 192, 9216)):
            chosen = _gemm_choice.chosen(plain, size, 1, 90, 132)
            self.assertEqual((chosen.bm, chosen.bn, chosen.is_swapped), (64, 96, size[0] < size[1]))
        groups = dataclasses.replace(plain, batches=(False, True, False), groups="ends")
        self.assertNotIn(("stream", 1), _gemm_choice.chosen(groups, (16, 4096, 4096), 8, 90, 132).schedule)

    def test_before_hopper(self):
        """Kernels by mma.sync, with steps and batches, fit other architectures."""
        add = Step("add", tensor="f16", along="n", in_pairs=True)
        for product, arch, kib in (
            (Product("f16", "f16", "f16", "mk", steps=(add, Step("gelu"))), 80, 163),
            (Product("bf16", "bf16", "f32", "kn", batches=(True, True, True)), 86, 99),
            (Product("f16", "f16", "f16", gate="silu"), 86, 99),
            (Product("f8E4M3FN", "f8E5M2", "f32", in_levels=True), 89, 99),
            (Product("tf32", "tf32", "f32", steps=(Step("relu"),)), 86, 99),
            (Product("f16", "f16", "f16", batches=(False, True, False), groups="ends"), 86, 99),
        ):
            chosen = _gemm_choice.chosen(product, (100, 100, 100), 1, arch, 132)
            program = gemm_sm90.program({"product": chosen})
            program.optimize(f"sm_{arch}")
            kernel, = json.loads(program.manifest(f"sm_{arch}"))["kernels"]
            self.assertLessEqual(kernel["dynamic_shared_bytes"], kib << 10, product)
            self.assertIn(b"mma.sync", program.compile(f"sm_{arch}"))

    def test_blackwell(self):
        """Products in tensor memory, whose tile depends on the size."""
        add = Step("add", tensor="f16", along="mn", in_pairs=True)
        for product, size, tile in (
            (Product("f16", "f16", "f16", "mk"), (8192, 8192, 64), (128, 256)),
            (Product("bf16", "bf16", "bf16", "kn", steps=(add, Step("gelu"))), (8192, 8192, 64), (128, 128)),
            (Product("f16", "f16", "f16", gate="silu"), (512, 512, 64), (128, 128)),
            (Product("f8E4M3FN", "f8E5M2", "f16"), (16, 512, 64), (64, 128)),
            (Product("tf32", "tf32", "f32"), (100, 100, 64), (128, 128)),
            (Product("f16", "f16", "f16", batches=(False, True, False), groups="ends"), (100, 100, 64), (128, 128)),
        ):
            chosen = _gemm_choice.chosen(product, size, 1, 100, 132)
            self.assertEqual((chosen.bm, chosen.bn), tile)
            program = gemm_sm90.program({"product": chosen})
            program.optimize("sm_100a")
            self.assertIn("tcgen05.mma multiplies", " ".join(program.remarks), product)
            in_pairs = size[0] > tile[0] and not product.groups
            self.assertEqual("multiply together" in " ".join(program.remarks), in_pairs, product)
            self.assertIn(b"tcgen05.mma", program.compile("sm_100a"))

    def test_tiles(self):
        """Each tile that can be chosen becomes a kernel by wgmma that is right."""
        made = []
        load = _loading.kernel

        def load_and_note(program, parameters, entry, ordinal):
            made.append(dict(parameters)["product"])
            return load(program, parameters, entry, ordinal)
        a, b, out = Array((70, 24)), Array((24, 24)), Array((70, 24))
        tiles = [tile for _, tile in _gemm_choice.candidates(Product("f16", "f16", "f16"), (64, 24, 24))]
        for tile in take_turn(tiles, 9):
            with mock.patch.object(_gemm_choice, "chosen", lambda *_, tile=tile: tile), \
                 mock.patch.object(_loading, "kernel", load_and_note):
                self.check(a, b, out)
        self.assertGreater(len(made), 4)
        for tile in made:
            self.check_choices(tile)

    def test_one_wave(self):
        """A tile for each block, and one with an odd multiple of 8 columns, both ways."""
        a, b = Array((70, 64)), Array((72, 64))
        self.check(a, b, Array((70, 72)))
        for product in (Product(*["f16"] * 3), Product(*["f16"] * 3).swapped()):
            tile = dataclasses.replace(product, bm=64, bn=40, schedule=(("persist", 2),))
            with mock.patch.object(_gemm_choice, "chosen", lambda *_, tile=tile: tile):
                self.check(a, b, Array((70, 72)))
            self.check_choices(tile)

    def test_choices(self):
        """The passes take all choices of the tiles that other products may have, clusters among them."""
        add = Step("add", tensor="bf16", along="mn", in_pairs=True, in_lines=True)
        bf16 = ["bf16"] * 3
        for product in (Product(*bf16, "mn"), Product("tf32", "tf32", "f32"), Product("f8E4M3FN", "f8E4M3FN", "f16"),
                        Product(*bf16, whole=(True, True, False)), Product(*bf16, steps=(add,))):
            tiles = dict.fromkeys(t for m in (8, 64, 500) for _, t in _gemm_choice.candidates(product, (m, 4096, 4096)))
            self.assertGreater(len(tiles), 40, product)
            for tile in take_turn(tiles, 23):
                self.check_choices(tile)

    def check_choices(self, tile):
        program = gemm_sm90.program({"product": tile})
        program.optimize("sm_90a")
        remarks, choices = " ".join(program.remarks), dict(tile.schedule)
        self.assertIn("wgmma multiplies", remarks, tile)
        for name, value in choices.items():
            self.assertIn(f"{name} = {value}", remarks, tile)

    def test_chosen(self):
        """The tile for a size, by the model of an H200: with parts of K for small D, blocks that share loads of
        rows that begin anywhere, turns only where blocks have several tiles, and one tile for each block where all
        run at once and D has few rows of tiles."""
        for kind, size, tile, choices in (
            ("kk", (4096, 4096, 4096), (128, 256), {}), ("kk", (23, 2064, 8640), (64, 32), {"split": 3, "stream": 1}),
            ("kk", (4096, 4096, 4072), (128, 256), {"cluster_x": 2}), ("mn", (4096, 4096, 4072), (128, 256), {}),
            ("kk", (3000, 512, 8200), (128, 112), {"cluster_x": 2, "cluster_y": 2, "stream": 1}),
            ("kk", (4096, 4096, 1024), (128, 128), {"pingpong": 1}), ("kk", (1199, 1600, 6464), (128, 128), {"persist": 2}),
            ("kk", (8192, 8192, 1024), (128, 192), {"pingpong": 1}), ("kk", (2000, 1000, 4000), (128, 128), {"persist": 2}),
            ("kk", (1400, 1500, 4000), (128, 128), {}), ("kk", (777, 4096, 4096), (128, 200), {"stream": 1}),
            ("kk", (256, 4096, 4096), (64, 128), {"stream": 1}),
        ):
            chosen = _gemm_choice.chosen(Product(*["bf16"] * 3, kind), size, 1, 90, 132)
            wanted = {"pingpong": 2} | choices
            self.assertEqual(((chosen.bm, chosen.bn), dict(chosen.schedule)), (tile, wanted), size)


class Rejected(unittest.TestCase):
    def fails(self, kind, text, function, *arrays, **given):
        with self.assertRaisesRegex(kind, text):
            function(*arrays, **given)

    def test_gemm(self):
        a, out, vector = Array((8, 8)), Array((8, 8)), Array((8,))
        for kind, text, given in (
            (ValueError, "activation is one of relu, gelu", {"activation": "tanh"}),
            (ValueError, "bias has 8 contiguous elements, not", {"bias": Array((9,))}),
            (TypeError, "bias is of f16, bf16, f32, not torch.int8", {"bias": Array((8,), I8)}),
            (TypeError, "scale_a is of float32, not torch.float16", {"scale_a": vector}),
            (ValueError, "residual is .8, 8. of f16", {"residual": Array((8, 9))}),
            (ValueError, "out is .8, 8. of torch.float32, not", {"out_dtype": F32}),
        ):
            self.fails(kind, text, kernels.gemm, a, a, out, **given)
        self.fails(ValueError, "a is .M,K. or .L,M,K.", kernels.gemm, Array((2, 8, 8)),
                   Array((3, 8, 8)), out)
        integers = Array((8, 8), I8)
        self.fails(TypeError, "out is of floats where int8 is scaled", kernels.gemm, integers,
                   integers, Array((8, 8), I32), alpha=2)
        self.fails(TypeError, "out is of floats, or of int32 for int8", kernels.gemm, a, a,
                   Array((8, 8), I32))

    def test_out_dtype(self):
        torch = types.SimpleNamespace()
        with mock.patch.dict(sys.modules, torch=torch):
            self.fails(TypeError, "out_dtype is one of torch.float16, .*, not 64", kernels.gemm,
                       Array((8, 8)), Array((8, 8)), out_dtype=64)

    def test_grouped_gemm(self):
        a, b, ends, out = Array((8, 8)), Array((2, 8, 8)), Array((2,), I32), Array((8, 8))
        for kind, text, arrays in (
            (ValueError, "a is .M,K. and b is .G,N,K., not .8, 8., .8, 8.", (a, a, ends, out)),
            (ValueError, "a is .M,K. and b is .G,N,K., not .8, 8., .2, 8, 9.", (a, Array((2, 8, 9)), ends, out)),
            (ValueError, "offsets has a contiguous element for each of 2 groups, not .3,.", (a, b, Array((3,), I32), out)),
            (ValueError, "offsets has a contiguous element for each of 2 groups, not .2,. with strides .2,.",
             (a, b, Array((2,), I32, (2,)), out)),
            (TypeError, "offsets is of int32, not torch.float32", (a, b, Array((2,), F32), out)),
            (ValueError, "out is .8, 8. of", (a, b, ends, Array((8, 9)))),
            (ValueError, "out: its rows must be contiguous", (a, b, ends, columns(8, 8))),
        ):
            self.fails(kind, text, kernels.grouped_gemm, *arrays)

    def test_gated_gemm(self):
        a, out = Array((8, 8)), Array((8, 8))
        self.fails(ValueError, "gate and up are .N,K.", kernels.gated_gemm, a, a, Array((9, 8)),
                   out)
        self.fails(ValueError, "out: its rows must be contiguous", kernels.gated_gemm, a, a, a,
                   columns(8, 8))


unittest.main()
