# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Epilogues of cutlass.utils.gemm.sm100, and what programs with them need besides."""

import array
import random
import unittest

import cute
from cute import Float16, Float32, Int32, TFloat32, arch, pipeline, utils
from cute.nvgpu import cpasync, tcgen05
from cute.runtime import make_fake_compact_tensor, make_ptr, sym_int64
from cute.utils import blackwell_helpers
from cute.utils.gemm import sm100

ONE, K = tcgen05.CtaGroup.ONE, tcgen05.OperandMajorMode.K
M, N, DEPTH, TILES = 128, 64, 64, 3


class Gemm:
    """What the functions take of a program's object."""

    acc_dtype, c_dtype, c_layout = Float32, Float32, utils.LayoutEnum.ROW_MAJOR
    cta_tile_shape_mnk, use_2cta_instrs = (M, N, DEPTH), False
    epilogue_warp_id, epilog_sync_bar_id, num_c_stage = (0, 1, 2, 3), 1, 2

    def __init__(self, by_tma, dtype=Float16, major=K, has_edges=False):
        self.by_tma, self.dtype, self.major, self.has_edges = by_tma, dtype, major, has_edges
        self.epi_tile = (M, N)
        if by_tma:
            self.epi_tile = blackwell_helpers.compute_epilogue_tile_shape(
                self.cta_tile_shape_mnk, False, self.c_layout, self.c_dtype)

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
        mma = blackwell_helpers.make_trivial_tiled_mma(
            self.dtype, self.dtype, self.major, self.major, Float32, ONE, (M, N))
        near_a = blackwell_helpers.make_smem_layout_a(mma, (M, N, DEPTH), self.dtype, 1)
        near_b = blackwell_helpers.make_smem_layout_b(mma, (M, N, DEPTH), self.dtype, 1)
        near_c = blackwell_helpers.make_smem_layout_epi(
            Float32, self.c_layout, self.epi_tile, self.num_c_stage)
        op = cpasync.CopyBulkTensorTileG2SOp(ONE)
        cluster = cute.make_layout((1, 1, 1, 1))
        tile = (M, N, DEPTH)
        load_a, a = cute.nvgpu.make_tiled_tma_atom_A(op, a, near_a, tile, mma, cluster.shape)
        load_b, b = cute.nvgpu.make_tiled_tma_atom_B(op, b, near_b, tile, mma, cluster.shape)
        store_c = None
        if cute.const_expr(self.by_tma):
            store_c, c = cpasync.make_tiled_tma_atom(
                cpasync.CopyBulkTensorTileS2GOp(), c, cute.select(near_c, mode=[0, 1]),
                self.epi_tile)
        self.kernel(mma, load_a, a, load_b, b, store_c, c, near_a, near_b, near_c).launch(
            grid=(1, 1, 1), block=(192, 1, 1))

    @cute.kernel
    def kernel(self, mma, load_a, a, load_b, b, store_c, c, layout_a: cute.ComposedLayout,
               layout_b: cute.ComposedLayout, layout_c: cute.ComposedLayout):
        """Warp 4 multiplies, warps 0 to 3 store: tile after tile, along M."""
        thread, warp = arch.thread_idx()[0], arch.make_warp_uniform(arch.warp_idx())
        smem = utils.SmemAllocator()
        barriers, slot = smem.allocate_array(cute.Int64, 4), smem.allocate_array(Int32, 1)
        near_a = smem.allocate_tensor(self.dtype, layout_a.outer, 128, swizzle=layout_a.inner)
        near_b = smem.allocate_tensor(self.dtype, layout_b.outer, 128, swizzle=layout_b.inner)
        near_c = smem.allocate_tensor(Float32, layout_c.outer, 128, swizzle=layout_c.inner)
        one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
        filling, using = pipeline.PipelineTmaUmma.create(
            num_stages=1, producer_group=one, consumer_group=one, barrier_storage=barriers,
            tx_count=(M + N) * DEPTH * self.dtype.width // 8).make_participants()
        summing = pipeline.PipelineUmmaAsync.create(
            num_stages=1, producer_group=one,
            consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, 4),
            barrier_storage=barriers + 2)
        memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(2, 192))
        memory.allocate(64)
        memory.wait_for_alloc()
        part = mma.get_slice(0)
        far_c = part.partition_C(cute.local_tile(c, (M, N), (None, None, None)))
        sums = mma.make_fragment_C(cute.append(mma.partition_shape_C((M, N)), 1))
        sums = cute.make_tensor(memory.retrieve_ptr(Float32), sums.layout)
        if warp == 4:
            self.multiply(mma, part, load_a, a, near_a, load_b, b, near_b, filling, using,
                          summing, sums)
        if warp < 4:
            state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
            stores = pipeline.PipelineTmaStore.create(
                num_stages=2, producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, 128))
            for i in range(TILES):
                at = (i, 0, 0)
                if cute.const_expr(self.by_tma):
                    state = sm100.epilogue_tma_store(
                        self, thread, warp, store_c, sums, near_c, far_c, self.epi_tile,
                        Int32(i), lambda x: 2.0 * x, at, state, summing, stores)
                else:
                    places = part.partition_C(cute.local_tile(
                        cute.make_identity_tensor(c.shape), (M, N), (None, None, None)))
                    within = (places, c) if cute.const_expr(self.has_edges) else ()
                    state = sm100.epilogue(
                        self, thread, sums, far_c, self.epi_tile, lambda x: 2.0 * x, at, state,
                        summing, *within)
            if cute.const_expr(self.by_tma):
                stores.producer_tail()
        memory.relinquish_alloc_permit()
        pipeline.sync(barrier_id=0)
        memory.free(memory.retrieve_ptr(Float32))

    @cute.jit
    def multiply(self, mma, part, load_a, a, near_a, load_b, b, near_b, filling, using, summing,
                 sums):
        to_a, from_a = cpasync.tma_partition(
            load_a, 0, cute.make_layout(1), cute.group_modes(near_a, 0, 3), cute.group_modes(
                part.partition_A(cute.local_tile(a, (M, DEPTH), (None, None, None))), 0, 3))
        to_b, from_b = cpasync.tma_partition(
            load_b, 0, cute.make_layout(1), cute.group_modes(near_b, 0, 3), cute.group_modes(
                part.partition_B(cute.local_tile(b, (N, DEPTH), (None, None, None))), 0, 3))
        stage = sums[None, None, None, 0]
        left, right = mma.make_fragment_A(near_a), mma.make_fragment_B(near_b)
        state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
        for i in range(TILES):
            filling.reset()  # the stage goes on, the count does not
            cute.prefetch(load_a, from_a[None, i, 0, 0])
            empty = filling.acquire_and_advance()
            cute.copy(load_a, from_a[None, i, empty.count, 0], to_a[None, empty.index],
                      tma_bar_ptr=empty.barrier)
            cute.copy(load_b, from_b[None, 0, empty.count, 0], to_b[None, empty.index],
                      tma_bar_ptr=empty.barrier)
            full = using.wait_and_advance()
            summing.producer_acquire(state)
            for k in cute.range_constexpr(cute.size(left, mode=[2])):
                mma.set(tcgen05.Field.ACCUMULATE, k != 0)
                cute.gemm(mma, stage, left[None, None, k, full.index],
                          right[None, None, k, full.index], stage)
            full.release()
            summing.producer_commit(state)
            state.advance()
        filling.tail()
        summing.producer_tail(state)


def numbers(count, seed):
    draw = random.Random(seed)
    return [draw.randint(-3, 3) for _ in range(count)]


class Epilogues(unittest.TestCase):
    def check(self, by_tma, dtype=Float16, major=K, missing=(0, 0)):
        """Multiplies, and compares all but the last rows and columns, which are not there."""
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        kind, order = np.float16 if dtype is Float16 else np.float32, "C" if major is K else "F"
        a = np.array(numbers(TILES * M * DEPTH, 1), kind).reshape((TILES * M, DEPTH, 1), order=order)
        b = np.array(numbers(N * DEPTH, 2), kind).reshape((N, DEPTH, 1), order=order)
        rows, columns = TILES * M - missing[0], N - missing[1]
        c = np.full((rows, columns, 1), np.nan, np.float32)
        Gemm(by_tma, dtype, major, any(missing))(
            *(from_dlpack(x, assumed_align=16, force_tf32=x is not c and dtype is TFloat32)
              for x in (a, b, c)))
        wanted = 2 * a[..., 0].astype(np.float64) @ b[..., 0].astype(np.float64).T
        self.assertTrue((c[..., 0] == wanted[:rows, :columns]).all())

    def test_by_threads(self):
        self.check(False)

    def test_by_threads_within_the_result(self):
        self.check(False, missing=(37, 6))

    def test_by_tma(self):
        self.check(True)


    def test_tf32_by_columns(self):
        """Elements of 32 bits with M or N contiguous, in a swizzle of 32 bytes at a time."""
        kinds, mn = tcgen05.SmemLayoutAtomKind, tcgen05.OperandMajorMode.MN
        self.assertEqual(str(tcgen05.make_smem_layout_atom(kinds.MN_SW128_32B, TFloat32)),
                         "S<2,5,2> o 0 o (32,8):(1,32)")
        for extent, kind in ((64, kinds.MN_SW128_32B), (16, kinds.MN_SW64)):
            self.assertIs(utils.get_smem_layout_atom_ab(mn, Float32, (extent, 8)), kind)
        self.check(False, TFloat32, mn)


class Besides(unittest.TestCase):
    def test_symbols_in_tuples(self):
        """A function that is compiled for symbolic extents gets them in a tuple, too."""
        @cute.kernel
        def kernel(a: cute.Tensor, n: cute.Int64):
            a[arch.block_idx()[0]] = n

        @cute.jit
        def run(a: cute.Tensor, extents):
            kernel(a, extents[0]).launch(
                grid=(cute.ceil_div(extents[0], 4), 1, 1), block=(1, 1, 1))

        extent = sym_int64()
        compiled = cute.compile(
            run, make_fake_compact_tensor(cute.Int64, (extent,), assumed_align=8), (extent, 7))
        self.assertIn(".visible .entry", compiled.__ptx__)

    def test_boxes_in_structs(self):
        """A box may begin at any 128 bytes, within the pattern of its swizzle."""
        layout = cute.make_layout((8, 64), stride=(64, 1))

        @cute.kernel
        def kernel(load, a, c: cute.Tensor):
            @cute.struct
            class Storage:
                full: cute.struct.MemRange[cute.Int64, 1]
                none: cute.struct.MemRange[cute.Int64, 0]
                tile: cute.struct.Align[cute.struct.MemRange[Float16, 512], 128]

            storage = utils.SmemAllocator().allocate(Storage)
            storage.none.data_ptr()
            near = storage.tile.get_tensor(layout, swizzle=cute.make_swizzle(3, 4, 3))
            full, thread = storage.full.data_ptr(), arch.thread_idx()[0]
            to, source = cpasync.tma_partition(
                load, 0, cute.make_layout(1), cute.group_modes(near, 0, 2),
                cute.group_modes(cute.local_tile(a, (8, 64), (0, 0)), 0, 2))
            if thread == 0:
                arch.mbarrier_init(full, 1)
                arch.mbarrier_init_fence()
                arch.mbarrier_arrive_and_expect_tx(full, 1024)
            if arch.warp_idx() == 0:
                cute.copy(load, source, to, tma_bar_ptr=full)
            arch.sync_threads()
            arch.mbarrier_wait(full, 0)
            for i in range(8):
                c[i, thread] = near[i, thread]

        @cute.jit
        def run(a: cute.Pointer, c: cute.Pointer):
            swizzled = cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, layout)
            load, coords = cpasync.make_tiled_tma_atom(
                cpasync.CopyBulkTensorTileG2SOp(), cute.make_tensor(a, layout), swizzled, (8, 64))
            kernel(load, coords, cute.make_tensor(c, layout)).launch(
                grid=(1, 1, 1), block=(64, 1, 1))

        source, result = array.array("H", range(512)), array.array("H", [0] * 512)
        run(*(make_ptr(Float16, x.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16)
              for x in (source, result)))
        self.assertEqual(result, source)


if __name__ == "__main__":
    unittest.main()
