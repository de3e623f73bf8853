# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""cutlass.experimental.primitives: matrix products, against sums of products in float64."""

import random
import unittest

from primitives import run

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import Float16, Float32, Int8, Int32, Vector
from cutlass._mlir.dialects import llvm
from cutlass._mlir.extras import types as T
from cutlass.experimental import primitives as prims

SMEM = cutlass.AddressSpace.smem


def matrix(rows, columns, seed, whole=8):
    """Whole numbers, whose sums of products are exact."""
    chance = random.Random(seed)
    return [[chance.randrange(-whole, whole + 1) for _ in range(columns)] for _ in range(rows)]


def product(a, b):
    """A times B, which is given by columns."""
    return [[sum(float(x) * y for x, y in zip(row, column)) for column in b] for row in a]


def flat(*matrices):
    return [float(x) for m in matrices for row in m for x in row]


def pair(memory, at):
    """Two neighbours of a tensor of Float32 as vector<2xf16> of the IR."""
    return Vector.from_elements([memory[at].to(Float16), memory[at + 1].to(Float16)], Float16)


def write_c(out, base, width, lane, d):
    """Writes the registers of C of 16 rows: (row, 2 columns), then 8 rows below."""
    for i in cutlass.range_constexpr(4):
        row, column = lane // 4 + 8 * (i // 2), lane % 4 * 2 + i % 2
        out[base + row * width + column] = Float32(d[i])


class Warps(unittest.TestCase):
    def check(self, kernel, a, b, c=None):
        c = c or matrix(16, 8, 3)
        found = run(kernel, 16 * 8 + sum(map(len, a + b)), "f",
                    fill=lambda n: flat(c, a, b))
        wanted = [x + y for x, y in zip(flat(product(a, b)), flat(c))]
        self.assertEqual(found[:128], wanted)

    def test_of_f16(self):
        a, b = matrix(16, 16, 1), matrix(8, 16, 2)

        @cute.kernel
        def k(m: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            first, second = 128, 128 + 256
            row, column = lane // 4, lane % 4 * 2
            of_a = [pair(m, first + (row + 8 * (i % 2)) * 16 + column + 8 * (i // 2)).ir_value()
                    for i in range(4)]
            of_b = [pair(m, second + row * 16 + column + 8 * i).ir_value() for i in range(2)]
            of_c = [m[(row + 8 * (i // 2)) * 8 + column + i % 2] for i in range(4)]
            kind = llvm.StructType.get_literal([T.f32()] * 4)
            d = prims.mma_sync(kind, (16, 8, 16), prims.MMALayout.ROW, "col", of_a, of_b, of_c)
            d = [Float32(llvm.extractvalue(T.f32(), d, [i])) for i in range(4)]
            write_c(m, 0, 8, lane, d)

        self.check(k, a, b)

    def test_of_tf32(self):
        a, b = matrix(16, 8, 1), matrix(8, 8, 2)

        @cute.kernel
        def k(m: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            row, column = lane // 4, lane % 4
            of_a = [m[128 + (row + 8 * (i % 2)) * 8 + column + 4 * (i // 2)] for i in range(4)]
            of_b = [m[256 + row * 8 + column + 4 * i] for i in range(2)]
            of_c = [m[(row + 8 * (i // 2)) * 8 + column * 2 + i % 2] for i in range(4)]
            d = prims.mma_sync([Float32] * 4, {"m": 16, "n": 8, "k": 8}, "row", "col",
                               [prims.mov_b32(x) for x in of_a],
                               [prims.mov_b32(x) for x in of_b], of_c,
                               multiplicand_a_ptx_type=prims.MMAType.TF32,
                               multiplicand_b_ptx_type="tf32")
            write_c(m, 0, 8, lane, d)

        self.check(k, a, b)

    def test_of_integers(self):
        a, b = matrix(16, 16, 1), matrix(8, 16, 2)

        @cute.kernel
        def k(m: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            row, column = lane // 4, lane % 4 * 4

            def word(at):
                held = cute.make_rmem_tensor(4, Int8)
                for j in range(4):
                    held[j] = m[at + j].to(Int8)
                return cute.recast_tensor(held, Int32)[0]

            of_a = [word(128 + (row + 8 * i) * 16 + column) for i in range(2)]
            of_b = [word(384 + row * 16 + column)]
            of_c = [Int32(m[(row + 8 * (i // 2)) * 8 + lane % 4 * 2 + i % 2]) for i in range(4)]
            d = prims.mma_sync([Int32] * 4, (16, 8, 16), "row", "col", of_a, of_b, of_c,
                               int_overflow_behavior=prims.MMAIntOverflow.SATFINITE,
                               multiplicand_a_ptx_type="s8", multiplicand_b_ptx_type="s8")
            write_c(m, 0, 8, lane, d)

        self.check(k, a, b)

    def test_sparse(self):
        # A has the first two of four elements: metadata 0b0100 for each four.
        packed = matrix(16, 8, 1)
        a = [[x for i in range(0, 8, 2) for x in (row[i], row[i + 1], 0, 0)] for row in packed]
        b, c = matrix(8, 16, 2), matrix(16, 8, 3)

        @cute.kernel
        def k(m: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            row, column = lane // 4, lane % 4 * 2
            of_a = [pair(m, 128 + (row + 8 * i) * 8 + column).ir_value() for i in range(2)]
            of_b = [pair(m, 256 + row * 16 + column + 8 * i).ir_value() for i in range(2)]
            of_c = [m[(row + 8 * (i // 2)) * 8 + column + i % 2] for i in range(4)]
            d = prims.mma_sp_sync([Float32] * 4, (16, 8, 16), of_a, of_b, of_c,
                                  Int32(0x44444444), 0, ordered_metadata=True)
            write_c(m, 0, 8, lane, d)

        found = run(k, 128 + 128 + 128, "f", fill=lambda n: flat(c, packed, b), arch="sm_100a")
        wanted = [x + y for x, y in zip(flat(product(a, b)), flat(c))]
        self.assertEqual(found[:128], wanted)

    def test_wmma(self):
        a, b, c = matrix(16, 16, 1), matrix(16, 16, 2), matrix(16, 16, 3)

        @cute.kernel
        def k(m: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            near = cutlass.Array(Float16, 512, space=SMEM, alignment=128)
            for i in cutlass.range_constexpr(16):
                near[lane * 16 + i] = m[256 + lane * 16 + i].to(Float16)
            prims.barrier_cta_sync(0)
            sixteen = (16, 16, 16)
            of_a = prims.wmma_load([Int32] * 8, near, 16, *sixteen, "row", "f16", prims.MMAFrag.A)
            of_b = prims.wmma_load([Int32] * 8, near.data_ptr(256), 16, *sixteen, "col", "f16", "b")
            of_c = prims.wmma_load([Float32] * 8, m.iterator, 16, *sixteen, "row", "f32", "c")
            d = prims.wmma_mma([Float32] * 8, *sixteen, "row", "col", "f16", "f16",
                               [*of_a, *of_b, *of_c])
            prims.wmma_store(m.iterator, *sixteen, "row", "f32", d, 16)

        found = run(k, 256 * 3, "f", fill=lambda n: flat(c, a, b))
        wanted = [x + y for x, y in zip(flat(product(a, b)), flat(c))]
        self.assertEqual(found[:256], wanted)

    def test_rejected(self):
        @cute.kernel
        def k(m: cute.Tensor):
            with self.assertRaisesRegex(TypeError, "say which by multiplicand_a_ptx_type"):
                prims.mma_sync([Float32] * 4, (16, 8, 8), "row", "col", [Int32(0)] * 4,
                               [Int32(0)] * 2, [m[0]] * 4)
            with self.assertRaisesRegex(ValueError, "multiples of 16 bytes, not 8 and 16"):
                prims.WgmmaSmemDesc.create(0, 8, 16)

        run(k, 4, "f", block=1)


class Warpgroups(unittest.TestCase):
    def test_wgmma(self):
        # Tiles of 8 rows of 16 bytes: neighbours along k at 128 bytes, along m at 256.
        a, b = matrix(64, 16, 1), matrix(8, 16, 2)

        @cute.kernel
        def k(m: cute.Tensor):
            thread = cute.arch.thread_idx()[0]
            near = cutlass.Array(Float16, 72 * 16, space=SMEM, alignment=128)
            for i in cutlass.range_constexpr(9):
                at = thread * 9 + i
                row, column = at // 16, at % 16
                near[row // 8 * 128 + column // 8 * 64 + row % 8 * 8 + column % 8] = \
                    m[512 + at].to(Float16)
            prims.fence_proxy("async.shared::cta")
            prims.barrier_cta_sync(0)
            of_a = prims.WgmmaSmemDesc.create(near, 128, 256)
            of_b = prims.WgmmaSmemDesc.create(near.data_ptr(64 * 16), 128, 256,
                                              prims.WgmmaSwizzle.INTERLEAVE)
            d = [Float32(100.0)] * 4
            prims.wgmma_fence_aligned()
            for scale in ("zero", prims.WGMMAScaleOut.ONE):
                d = prims.wgmma_mma_async([Float32] * 4, d, of_a, of_b, (64, 8, 16), "f16", "f16",
                                          "f32", scale, "one", prims.WGMMAScaleIn.NEG, "row", "col")
            prims.wgmma_commit_group_sync_aligned()
            prims.wgmma_wait_group_sync_aligned(0)
            write_c(m, thread // 32 * 128, 8, thread % 32, d)

        found = run(k, 512 + 72 * 16, "f", block=128, fill=lambda n: [0.0] * 512 + flat(a, b))
        self.assertEqual(found[:512], [-2 * x for x in flat(product(a, b))])


if __name__ == "__main__":
    unittest.main()
