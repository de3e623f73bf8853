# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Products that leave the sums of some lanes of tensor memory as they are."""
import unittest

import cute
from cute import Float16, Float32, Int32, arch, pipeline, utils
from cute.instructions.primitives import tcgen05_fence
from cute.nvgpu import cpasync, tcgen05
from cute.utils import blackwell_helpers

ONE, TWO, K = tcgen05.CtaGroup.ONE, tcgen05.CtaGroup.TWO, tcgen05.OperandMajorMode.K
LANES = tcgen05.Field.DISABLE_OUTPUT_LANE
M, N, D, THREADS = 128, 32, 64, 128


def take(mma, of: cute.Constexpr, words):
    """Sets the lanes as a sequence, a tensor in registers or a Vector."""
    held = cute.make_rmem_tensor(4, Int32)
    for i in cute.range_constexpr(4):
        held[i] = words[i]
    mma.set(LANES, {"sequence": [words[i] for i in range(4)], "tensor": held,
                    "vector": held.load()}[of])


@cute.kernel
def multiply(mma, of: cute.Constexpr, load_a, load_b, a, b, c, words, layouts: cute.Constexpr):
    thread, _, _ = arch.thread_idx()
    warp = arch.make_warp_uniform(arch.warp_idx())
    smem = utils.SmemAllocator()
    barriers = smem.allocate_array(cute.Int64, 2)
    slot = smem.allocate_array(Int32, 1)
    tiles = [smem.allocate_tensor(Float16, x.outer, 1024, swizzle=x.inner) for x in layouts]
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, THREADS))
    memory.allocate(32)
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    if warp == 0:
        with arch.elect_one():
            for i in range(2):
                arch.mbarrier_init(barriers + i, 1)
            arch.mbarrier_init_fence()
    arch.sync_threads()
    parts = [(load_a, tiles[0], mma.get_slice(0).partition_A(a)),
             (load_b, tiles[1], mma.get_slice(0).partition_B(b))]
    if warp == 0:
        with arch.elect_one():
            arch.mbarrier_arrive_and_expect_tx(barriers, (M * D + N * D) * 2)
        for load, tile, part in parts:
            near, far = cpasync.tma_partition(load, 0, cute.make_layout(1),
                                              cute.group_modes(tile, 0, 3),
                                              cute.group_modes(part, 0, 3))
            cute.copy(load, far, near[None, 0], tma_bar_ptr=barriers)
    arch.mbarrier_wait(barriers, 0)
    tile_a, tile_b = mma.make_fragment_A(tiles[0]), mma.make_fragment_B(tiles[1])
    sums = mma.make_fragment_C(mma.partition_shape_C((M, N)))
    sums = cute.make_tensor(place, sums.layout)
    if warp == 0:
        for i in cute.range_constexpr(D // 16):
            cute.gemm(mma, sums, tile_a[None, None, i, 0], tile_b[None, None, i, 0], sums)
            mma.set(tcgen05.Field.ACCUMULATE, True)
        take(mma, of, words)
        for _ in range(2):
            for i in cute.range_constexpr(D // 16):
                cute.gemm(mma, sums, tile_a[None, None, i, 0], tile_b[None, None, i, 0], sums)
        mma.set(LANES, None)
        cute.gemm(mma, sums, tile_a[None, None, 0, 0], tile_b[None, None, 0, 0], sums)
        with arch.elect_one():
            tcgen05.commit(barriers + 1)
    arch.mbarrier_wait(barriers + 1, 0)
    tcgen05_fence("after_thread_sync")
    atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), Float32)
    copy = tcgen05.make_tmem_copy(atom, sums[None, 0, 0]).get_slice(thread)
    stored = copy.partition_D(mma.get_slice(0).partition_C(c)[None, 0, 0])
    registers = cute.make_rmem_tensor(stored.shape, Float32)
    cute.copy(copy, copy.partition_S(sums[None, 0, 0]), registers)
    cute.autovec_copy(registers, stored)
    memory.relinquish_alloc_permit()
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()
    memory.free(place)


@cute.jit
def launch(of: cute.Constexpr, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, words: cute.Tensor):
    mma = blackwell_helpers.make_trivial_tiled_mma(Float16, K, K, Float32, ONE, (M, N))
    layouts = (blackwell_helpers.make_smem_layout_a(mma, (M, N, D), Float16, 1),
               blackwell_helpers.make_smem_layout_b(mma, (M, N, D), Float16, 1))
    op = cpasync.CopyBulkTensorTileG2SOp(ONE)
    load_a, a_ = cute.nvgpu.make_tiled_tma_atom_A(op, a, layouts[0], (M, N, D), mma, (1, 1, 1, 1))
    load_b, b_ = cute.nvgpu.make_tiled_tma_atom_B(op, b, layouts[1], (M, N, D), mma, (1, 1, 1, 1))
    multiply(mma, of, load_a, load_b, a_, b_, c, words, layouts).launch(
        grid=(1, 1, 1), block=(THREADS, 1, 1))


class Lanes(unittest.TestCase):
    def test_run(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        random = np.random.default_rng(1)
        a, b = (random.integers(-3, 4, (n, D)).astype(np.float16) for n in (M, N))
        words = random.integers(-2**31, 2**31, 4).astype(np.int32)
        kept = np.array([words[m // 32] >> m % 32 & 1 for m in range(M)])[:, None]
        one, first = (x.astype(np.float64) @ y.astype(np.float64).T
                      for x, y in ((a, b), (a[:, :16], b[:, :16])))
        for of in ("sequence", "tensor", "vector"):
            c = np.full((M, N), np.nan, np.float32)
            launch(of, *(from_dlpack(x, assumed_align=16) for x in (a, b, c, words)))
            self.assertTrue((c == one * (3 - 2 * kept) + first).all(), of)

    def test_words(self):
        def mma(group, m):
            return cute.make_tiled_mma(tcgen05.MmaF16BF16Op(
                Float16, Float32, (m, 64, 16), group, tcgen05.OperandSource.SMEM, K, K))

        for group, m, count in ((ONE, 128, 4), (TWO, 256, 8)):
            right = mma(group, m)
            right.set(LANES, range_ := list(range(count)))
            self.assertEqual([int(x) for x in right.get(LANES)], range_)
            for wrong in (range_[1:], [0] * (12 - count), 7, True):
                with self.assertRaisesRegex(ValueError, f"DISABLE_OUTPUT_LANE is {count} Int32"):
                    right.set(LANES, wrong)
        scaled = cute.make_tiled_mma(tcgen05.MmaMXF4Op((128, 64, 64), ONE))
        with self.assertRaisesRegex(ValueError, "has no field .*DISABLE_OUTPUT_LANE"):
            scaled.set(LANES, [0] * 4)


if __name__ == "__main__":
    unittest.main()
