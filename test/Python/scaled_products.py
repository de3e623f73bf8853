# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_120a %python %s
"""Block-scaled products of a warp and matrices of bytes, against sums in float64."""

import array
import ctypes
import importlib.util
import random
import shutil
import subprocess
import tempfile
import unittest

import cute
from cute import utils, Float4E2M1FN, Float8E4M3FN, Float8E5M2, Float8E8M0FNU, Float32, Int8
from cute import experimental as cute_ext
from cute.nvgpu import OpError, warp
from cute.runtime import make_ptr
from cute.utils import blackwell_helpers as helpers, blockscaled_layout

M, N = 16, 8


@cute.kernel
def product(a: cute.Tensor, b: cute.Tensor, sa: cute.Tensor, sb: cute.Tensor, c: cute.Tensor,
            op: cute.Constexpr, by_field: cute.Constexpr):
    lane = cute.arch.thread_idx()[0]
    atom = cute.make_mma_atom(op)
    k = op.shape_mnk[2]
    factors = k // op.sf_vec_size
    parts = []
    for tensor, layout, dtype, rows in ((a, atom.tv_layout_A, op.a_dtype, M),
                                        (b, atom.tv_layout_B, op.b_dtype, N)):
        part = cute.make_rmem_tensor(cute.size(layout, mode=[1]), dtype)
        for v in cute.range_constexpr(cute.size(part)):
            index = layout((lane, v))
            part[v] = tensor[index % rows, index // rows].to(dtype)
        parts.append(part)
    # Threads of a quad have the factors of a row: rows t / 4 + 8 * (t % 2), columns t / 4.
    rows = (lane // 4 + 8 * (lane % 2), lane // 4)
    scales = []
    for tensor, row in zip((sa, sb), rows):
        scale = cute.make_rmem_tensor(factors, op.sf_type)
        for i in cute.range_constexpr(factors):
            scale[i] = tensor[row, i].to(op.sf_type)
        scales.append(scale)
    sums = cute.make_rmem_tensor(4, Float32)
    places = [atom.tv_layout_C((lane, v)) for v in range(4)]
    for v in cute.range_constexpr(4):
        sums[v] = c[places[v] % M, places[v] // M]
    if cute.const_expr(by_field):
        atom.set(warp.Field.SFA, scales[0])
        atom.set(warp.Field.SFB, scales[1].iterator)
        cute.gemm(atom, sums, parts[0], parts[1], sums)
    else:
        cute.gemm(atom, sums, [parts[0], scales[0]], [parts[1], scales[1]], sums)
    for v in cute.range_constexpr(4):
        c[places[v] % M, places[v] // M] = sums[v]


@cute.jit
def launch(pa: cute.Pointer, pb: cute.Pointer, psa: cute.Pointer, psb: cute.Pointer,
           pc: cute.Pointer, op: cute.Constexpr, by_field: cute.Constexpr):
    k = op.shape_mnk[2]
    n = k // op.sf_vec_size
    tensors = [cute.make_tensor(p, cute.make_layout(s)) for p, s in
               ((pa, (M, k)), (pb, (N, k)), (psa, (M, n)), (psb, (N, n)), (pc, (M, N)))]
    product(*tensors, op, by_field).launch(grid=(1, 1, 1), block=(32, 1, 1))


TILE = (64, 64, 128)


@cute.kernel
def product_of_tile(a: cute.Tensor, b: cute.Tensor, sfa: cute.Tensor, sfb: cute.Tensor,
                    c: cute.Tensor, tiled: cute.TiledMma):
    thread = cute.arch.thread_idx()[0]
    part = tiled.get_slice(thread)
    lane, m, n, k = tiled.thr_layout_vmnk.get_hier_coord(thread)
    held = [helpers.partition_fragment_SFA(sfa, part, thread),
            helpers.partition_fragment_SFB(sfb, part, thread)]
    mine = [helpers.thrfrg_SFA(sfa, tiled)[((lane, (m, k)), (None, (None, None)))],
            helpers.thrfrg_SFB(sfb, tiled)[((lane, (n, k)), (None, (None, None)))]]
    for i in cute.range_constexpr(2):
        cute.basic_copy(cute.filter_zeros(mine[i]), cute.filter_zeros(held[i]))
    operands = []
    for far, cut, make in ((a, part.partition_A, part.make_fragment_A),
                           (b, part.partition_B, part.make_fragment_B)):
        near = make(cut(far))
        cute.basic_copy(cut(far), near)
        operands.append(near)
    far = part.partition_C(c)
    sums = part.make_fragment_C(far)
    cute_ext.mainloop_mma_sm120(tiled, operands[0], held[0], operands[1], held[1], sums,
                                cute.size(operands[0], mode=[2]), accumulate_to_acc=False)
    cute.basic_copy(sums, far)


@cute.jit
def launch_tile(pa: cute.Pointer, pb: cute.Pointer, psa: cute.Pointer, psb: cute.Pointer,
                pc: cute.Pointer, op: cute.Constexpr):
    m, n, k = TILE
    tiled = cute.make_tiled_mma(op, (2, 2, 1), utils.get_permutation_mnk(
        TILE, op.sf_vec_size, op.shape_mnk[2] == 32))
    a, b = (cute.make_tensor(p, cute.make_layout((rows, k), stride=(k, 1)))
            for p, rows in ((pa, m), (pb, n)))
    # The factors of 128 rows; the tile has the first ones.
    factors = [cute.make_tensor(p, blockscaled_layout.make_smem_layout_sf(
        (128, k), op.sf_vec_size, 1)) for p in (psa, psb)]
    sfa, sfb = (cute.local_tile(f[None, None, 0], (rows, k), (0, 0))
                for f, rows in zip(factors, TILE))
    c = cute.make_tensor(pc, cute.make_layout((m, n), stride=(n, 1)))
    product_of_tile(a, b, sfa, sfb, c, tiled).launch(grid=(1, 1, 1), block=(128, 1, 1))


class Products(unittest.TestCase):
    def check(self, op, by_field):
        chance = random.Random(11)
        k, n = op.shape_mnk[2], op.shape_mnk[2] // op.sf_vec_size
        a, b = ([float(chance.choice([-2, -1, 0, 1, 3])) for _ in range(r * k)] for r in (M, N))
        sa, sb = ([2.0 ** chance.randrange(-2, 3) for _ in range(r * n)] for r in (M, N))
        c = [float(chance.randrange(9)) for _ in range(M * N)]
        memory = [array.array("f", x) for x in (a, b, sa, sb, c)]
        pointers = [make_ptr(Float32, m.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=4)
                    for m in memory]
        launch(*pointers, op, by_field)
        vec = op.sf_vec_size
        wanted = [c[i + M * j] + sum(a[i + M * x] * b[j + N * x] * sa[i + M * (x // vec)]
                                     * sb[j + N * (x // vec)] for x in range(k))
                  for j in range(N) for i in range(M)]
        self.assertEqual(list(memory[4]), wanted)

    def test_kinds(self):
        f4, e4, e5, e8 = Float4E2M1FN, Float8E4M3FN, Float8E5M2, Float8E8M0FNU
        for op in (warp.MmaMXF8Op(e4, Float32, e8), warp.MmaMXF8Op(e5, Float32, e8),
                   warp.MmaMXF4Op(f4, Float32, e8), warp.MmaMXF4NVF4Op(f4, Float32, e4),
                   *(warp.MmaMXF8F6F4Op(a, b, Float32, e8)
                     for a, b in sorted(warp.MXF8F6F4_SUPPORTED_PAIRS, key=str))):
            for by_field in (False, True):
                with self.subTest(op=str(op), by_field=by_field):
                    self.check(op, by_field)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not there")
    def test_tiles(self):
        """Warps find their factors."""
        import numpy as np

        chance = np.random.default_rng(3)
        m, n, k = TILE
        codes = chance.integers(0, 16, (m + n, k), dtype=np.uint8)
        sizes = np.array([0, .5, 1, 1.5, 2, 3, 4, 6], np.float32)
        values = np.concatenate([sizes, -sizes])[codes]
        packed = codes[:, ::2] | codes[:, 1::2] << 4
        exponents = chance.integers(-2, 3, (m + n, k // 16))
        for op in (warp.MmaMXF4Op(Float4E2M1FN, Float32, Float8E8M0FNU),
                   warp.MmaMXF4NVF4Op(Float4E2M1FN, Float32, Float8E4M3FN)):
            of = op.sf_vec_size
            scales = exponents[:, : k // of]
            bits = scales + 127 if of == 32 else (scales + 7) << 3
            held = []
            for rows in (slice(0, m), slice(m, None)):
                place = np.zeros(128 * k // of, np.uint8)
                for (row, i), x in np.ndenumerate(bits[rows]):
                    at = row % 32 * 16 + row // 32 * 4 + i % 4 + i // 4 * 512
                    place[at] = x
                held.append(place)
            c = np.full((m, n), np.nan, np.float32)
            a, b = (np.ascontiguousarray(packed[r]) for r in (slice(0, m), slice(m, None)))
            launch_tile(*(make_ptr(dtype, x.ctypes.data, cute.AddressSpace.gmem, 16)
                          for dtype, x in ((op.a_dtype, a), (op.a_dtype, b), (op.sf_type, held[0]),
                                           (op.sf_type, held[1]), (Float32, c))), op)
            scaled = values * 2.0 ** scales.repeat(of, axis=1)
            self.assertTrue((c == scaled[:m] @ scaled[m:].T).all(), str(op))

    def test_layouts_of_factors(self):
        """The same functions as in nvidia-cutlass-dsl 4.8.1."""
        op = warp.MmaMXF4NVF4Op(Float4E2M1FN, Float32, Float8E4M3FN)
        tile = (128, 128, 256)
        tiled = cute.make_tiled_mma(op, (4, 2, 1), utils.get_permutation_mnk(tile, 16, False))
        self.assertEqual(str(tiled.permutation_mnk[2]), "64:1")
        smem = [make(tiled, tile, 16, 3) for make in (
            blockscaled_layout.sm120_make_smem_layout_sfa,
            blockscaled_layout.sm120_make_smem_layout_sfb)]
        self.assertEqual(
            str(smem[0]), "(((32,4),1),((16,4),1,4),3):(((16,4),512),((0,1),4,512),2048)")
        of_stage = [cute.select(layout, mode=[0, 1]) for layout in smem]
        for found, wanted in (
            (helpers.thrfrg_SFA(of_stage[0], tiled),
             "(((2,2,8),((2,2),1)),((16,4),(2,4))):(((128,0,16),((256,4),0)),((0,1),(8,512)))"),
            (helpers.thrfrg_SFB(of_stage[1], tiled),
             "(((4,8),(2,1)),((16,4),((2,4),4))):(((0,16),(256,0)),((0,1),((128,4),512)))"),
            (helpers.get_layoutSFA_TV(tiled),
             "((2,2,8,4,2),(64,(2,1))):((8,0,1,16,0),(128,(64,8192)))"),
            (helpers.get_layoutSFB_TV(tiled),
             "((4,8,4,2),(64,(2,1))):((0,1,0,16),(32,(8,2048)))"),
        ):
            self.assertEqual(str(found), wanted)
        with self.assertRaisesRegex(ValueError, "multiples of 128 rows"):
            blockscaled_layout.sm120_make_smem_layout_sfa(tiled, (64, 64, 128), 16, 1)
        k = blockscaled_layout.OperandMajorMode.K
        self.assertEqual(str(blockscaled_layout.Sm103BlockScaledBasicChunk(16, k).layout),
                         "((8,4,4),(16,4)):((16,128,4),(0,1))")

        class Pair:
            thr_id = cute.make_layout(2)

        for make, tile, wanted in (
            (blockscaled_layout.sm103_make_smem_layout_sfa, (256, 128, 768),
             "(((8,4,4),(16,4)),1,3,2):(((16,128,4),(0,1)),0,512,1536)"),
            (blockscaled_layout.sm103_make_smem_layout_sfb, (256, 128, 768),
             "(((8,4,4),(16,4)),1,3,2):(((16,128,4),(0,1)),0,512,1536)"),
            (blockscaled_layout.sm103_make_smem_layout_sfb, (256, 256, 1536),
             "(((32,4,2),(16,4)),1,6,2):(((16,4,3072),(0,1)),0,512,6144)"),
        ):
            self.assertEqual(str(make(Pair, tile, 16, 2)), wanted)
        with self.assertRaisesRegex(ValueError, "multiples of 768"):
            blockscaled_layout.sm103_make_smem_layout_sfa(Pair, (256, 128, 384), 16, 2)

    def test_tiles_of_results(self):
        """The same choices as in nvidia-cutlass-dsl 4.8.1."""
        for given, wanted in (
            ((128, 256, False, 16), (128, 32)), ((64, 128, True, 16), (64, 64)),
            ((128, 256, False, 4), (128, 64)), ((128, 96, False, 16, 16, False, True), (128, 32)),
            ((128, 96, False, 6, None, False), (128, 96)), ((128, 48, False, 32, 32), (128, 16)),
            ((64, 192, True, 8, 16, False, False), (64, 64)),
        ):
            self.assertEqual(helpers.compute_epilogue_tile_size(*given), wanted, given)
        for given, wanted in (((64, 64, False, 32, False), 32), ((64, 64, False, 64, False), 64),
                              ((64, 64, False, 32, True), 64), ((32, 64, True, 64, False), 16)):
            self.assertEqual(helpers.compute_acc_tmem_cols_per_stage(*given), wanted, given)

    def test_rejected(self):
        f4, e8 = Float4E2M1FN, Float8E8M0FNU
        for text, make in (
            (r"the types of A and B are \(Int8, Int8\)", lambda: warp.MmaMXF8Op(Int8, Float32, e8)),
            ("sf_type is Float8E8M0FNU; it is Float8E4M3FN",
             lambda: warp.MmaMXF4NVF4Op(f4, Float32, e8)),
            ("acc_dtype is Int8; it is Float32", lambda: warp.MmaMXF4Op(f4, Int8, e8)),
            ("transpose is False; it is True", lambda: warp.LdMatrix16x16x8bOp()),
            ("num_matrices is 4; it can be 1, 2", lambda: warp.LdMatrix16x16x8bOp(True, 4)),
            ("unpack_bits is 5; it can be 4, 6",
             lambda: warp.LdMatrix8x16x8bOp(unpack_bits=5)),
            ("elements of 4 bits are not widened",
             lambda: warp.StMatrix16x8x8bOp(True, unpack_bits=4)),
        ):
            with self.assertRaisesRegex(OpError, text):
                make()

        @cute.jit
        def host():
            atom = cute.make_mma_atom(warp.MmaMXF4Op(f4, Float32, e8))
            part = cute.make_rmem_tensor(32, f4)
            with self.assertRaisesRegex(OpError, r"factors of A are missing; pass \[A, factors\]"):
                cute.gemm(atom, part, part, part, part)
            with self.assertRaisesRegex(TypeError, "is a tensor or a pointer, not True"):
                atom.set(warp.Field.SFA, True)

        host()

    def test_matrices_of_bytes(self):
        """The instructions, which ptxas accepts where it is there, and what they move."""
        @cute.kernel
        def kernel(out: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            near = cute.make_tensor(cute.arch.alloc_smem(Int8, 512, 128),
                                    cute.make_layout((16, 32), stride=(1, 16)))
            far = cute.make_tensor(cute.arch.alloc_smem(Int8, 512, 128),
                                   cute.make_layout((16, 32), stride=(1, 16)))
            for i in cute.range_constexpr(16):
                near[i, lane] = Int8(i * 8 + lane % 8)
            cute.arch.sync_warp()
            load = cute.make_copy_atom(warp.LdMatrix16x16x8bOp(True, 2), Int8)
            store = cute.make_copy_atom(warp.StMatrix16x8x8bOp(True, 4), Int8)
            held = cute.make_rmem_tensor(16, Int8)
            cute.copy(load, near[None, lane], held)
            cute.copy(store, held, far[None, lane])
            unpack = cute.make_copy_atom(warp.LdMatrix8x16x8bOp(False, 4, 6), Int8)
            cute.copy(unpack, near[None, lane], held)
            for i in cute.range_constexpr(16):
                out[i + 16 * lane] = Float32(held[i])
            cute.arch.sync_warp()
            for i in cute.range_constexpr(16):
                out[512 + i + 16 * lane] = Float32(far[i, lane])

        @cute.jit
        def run(p: cute.Pointer):
            kernel(cute.make_tensor(p, cute.make_layout(1024))).launch(
                grid=(1, 1, 1), block=(32, 1, 1))

        moved = (ctypes.c_float * 1024)()
        p = make_ptr(Float32, ctypes.addressof(moved), cute.AddressSpace.gmem, assumed_align=4)
        ptx = cute.compile(run, p, options="--gpu-arch sm_120a").__ptx__
        for text in ("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {",
                     "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [",
                     "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {"):
            self.assertIn(text, ptx)
        if shutil.which("ptxas"):
            with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
                file.write(ptx)
                file.flush()
                subprocess.run(["ptxas", "-arch=sm_120a", "-o", "/dev/null", file.name], check=True)
        run(p)
        for lane in range(32):
            # Rows 2 j and 2 j + 1 of a matrix come from lanes 4 j, ... of its lower half.
            row = lane % 16
            source = row % 2 + 2 * (row // 8) + 4 * (row // 2 % 4)
            for i in range(16):
                self.assertEqual(moved[512 + 16 * lane + i], i * 8 + source % 8)
                # Lane l has 4 elements of row l / 4 of each matrix, whose rows are alike.
                bits = sum((8 * j + lane // 4) << 8 * j for j in range(16))
                self.assertEqual(moved[16 * lane + i],
                                 bits >> 6 * (lane % 4 * 4 + i % 4) & 63)


if __name__ == "__main__":
    unittest.main()
