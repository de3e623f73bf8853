# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Products of integers and bf16: warps convert A on its way to tensor or shared memory."""
import unittest

import cute
from cute import BFloat16, Boolean, Float32, Int4, Int8, Int32, Int64, arch, pipeline, utils
from cute.dsl import const_expr
from cute.nvgpu import CopyUniversalOp, cpasync, tcgen05
from cute.runtime import make_ptr
from cute.utils import blackwell_helpers

M, N, K, TILE_N, TILE_K, STAGES = 256, 128, 192, 64, 64, 2
CONVERTERS, MULTIPLIER, LOADER, WARPS = 4, 8, 9, 10  # after four warps that store


def threads(count):
    return pipeline.CooperativeGroup(pipeline.Agent.Thread, count)


class Gemm:
    """Blocks, or pairs of them, of a tile of 128 columns."""

    def __init__(self, pair):
        self.use_2cta_instrs, self.blocks = pair, 2 if pair else 1
        self.group = tcgen05.CtaGroup(self.blocks)
        self.acc_dtype = self.c_dtype = Float32
        self.tile = (128 * self.blocks, TILE_N, TILE_K)
        self.cta_tile_shape_mnk = (128, TILE_N, TILE_K)
        self.epilogue_warp_id, self.epilog_sync_bar_id = (0, 1, 2, 3), 3

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
        self.c_layout = utils.LayoutEnum.from_tensor(c)
        major = utils.LayoutEnum.from_tensor(a).mma_major_mode()
        self.source = utils.get_transform_a_source(major)
        mma = blackwell_helpers.make_trivial_tiled_mma(
            BFloat16, major, utils.LayoutEnum.from_tensor(b).mma_major_mode(), Float32, self.group,
            self.tile[:2], self.source)
        cluster = cute.tiled_divide(cute.make_layout((self.blocks, 1, 1)), (mma.thr_id.shape,))
        raw, made = (blackwell_helpers.make_smem_layout_a(mma, self.tile, t, STAGES)
                     for t in (a.element_type, BFloat16))
        other = blackwell_helpers.make_smem_layout_b(mma, self.tile, BFloat16, STAGES)
        loads = []
        for make, tensor, layout, group in (
            (cute.nvgpu.make_tiled_tma_atom_A, a, raw, tcgen05.CtaGroup.ONE),
            (cute.nvgpu.make_tiled_tma_atom_B, b, other, self.group),
        ):
            loads += make(cpasync.CopyBulkTensorTileG2SOp(group), tensor,
                          cute.slice_(layout, (None, None, None, 0)), self.tile, mma,
                          cluster.shape)
        self.kernel(mma, *loads, c, raw, made, other, cluster).launch(
            grid=(M // 128, N // TILE_N, 1), block=32 * WARPS, cluster=(self.blocks, 1, 1))

    @cute.jit
    def convert(self, mma: cute.TiledMma, near: cute.Tensor, far: cute.Tensor, raw, made):
        thread = arch.thread_idx()[0] - 32 * CONVERTERS
        first = far[None, None, None, 0]
        if const_expr(self.source is tcgen05.OperandSource.TMEM):
            op, bits = tcgen05.St32x32bOp(tcgen05.Repetition.x8), 32
            to = tcgen05.make_tmem_copy(cute.make_copy_atom(op, BFloat16), first)
        else:
            atom = cute.make_copy_atom(CopyUniversalOp(), BFloat16, num_bits_per_copy=32)
            to = cute.make_cotiled_copy(atom, cute.make_layout((128, 2), stride=(2, 1)),
                                        first.layout)
            bits = 2 * near.element_type.width
        atom = cute.make_copy_atom(CopyUniversalOp(), near.element_type, num_bits_per_copy=bits)
        of = cute.make_tiled_copy_S(atom, to)
        source = of.get_slice(thread).partition_S(near)
        target = to.get_slice(thread).partition_D(far)
        shape = source[None, None, None, None, 0].shape
        given = cute.make_rmem_tensor(shape, near.element_type)
        changed = cute.make_rmem_tensor(shape, BFloat16)
        reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
        writes = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
        for _ in range(K // TILE_K):
            raw.consumer_wait(reads)
            made.producer_acquire(writes)
            cute.copy(of, source[None, None, None, None, reads.index], given)
            changed.store(given.load().to(BFloat16))
            cute.copy(to, changed, target[None, None, None, None, writes.index])
            if const_expr(self.source is tcgen05.OperandSource.TMEM):
                arch.fence_view_async_tmem_store()
            else:
                arch.fence_proxy("async.shared", space="cta")
            arch.sync_warp()
            raw.consumer_release(reads)
            made.producer_commit(writes)
            reads.advance()
            writes.advance()

    @cute.kernel
    def kernel(self, mma: cute.TiledMma, load_a: cute.CopyAtom, a: cute.Tensor,
               load_b: cute.CopyAtom, b: cute.Tensor, c: cute.Tensor,
               layout_raw: cute.ComposedLayout, layout_made: cute.ComposedLayout,
               layout_b: cute.ComposedLayout, cluster: cute.Layout):
        warp = arch.make_warp_uniform(arch.warp_idx())
        m, n, _ = arch.block_idx()
        rank, pair = m % self.blocks, m // self.blocks
        smem = utils.SmemAllocator()
        one = threads(1)
        barriers = [smem.allocate_array(Int64, 2 * STAGES) for _ in range(4)]
        last, slot = smem.allocate_array(Int64, 1), smem.allocate_array(Int32, 1)
        tile_raw = smem.allocate_tensor(self.a_dtype,
                                        layout_raw.outer, 128, swizzle=layout_raw.inner)
        tile_b = smem.allocate_tensor(BFloat16, layout_b.outer, 128, swizzle=layout_b.inner)
        sizes = [cute.size_in_bytes(t, cute.slice_(x, (None, None, None, 0)))
                 for t, x in ((self.a_dtype, layout_raw), (BFloat16, layout_b))]
        raw = pipeline.PipelineTmaAsync.create(
            barrier_storage=barriers[0], num_stages=STAGES, producer_group=one,
            consumer_group=threads(4), tx_count=sizes[0])
        loaded = pipeline.PipelineTmaUmma.create(
            barrier_storage=barriers[1], num_stages=STAGES, producer_group=one,
            consumer_group=one, tx_count=sizes[1] * self.blocks, cta_layout_vmnk=cluster)
        made = pipeline.PipelineAsyncUmma.create(
            barrier_storage=barriers[2], num_stages=STAGES,
            producer_group=threads(128 * self.blocks), consumer_group=one,
            cta_layout_vmnk=cluster)
        summed = pipeline.PipelineUmmaAsync.create(
            barrier_storage=barriers[3], num_stages=1, producer_group=one,
            consumer_group=threads(4 * self.blocks), cta_layout_vmnk=cluster)
        memory = utils.TmemAllocator(
            slot, pipeline.NamedBarrier(1, 32 * WARPS), is_two_cta=self.use_2cta_instrs,
            two_cta_tmem_dealloc_mbar_ptr=last)
        memory.allocate(256)
        memory.wait_for_alloc()
        place = memory.retrieve_ptr(Float32)
        shape = cute.append(mma.partition_shape_C(self.tile[:2]), 1)
        sums = cute.make_tensor(place, mma.make_fragment_C(shape).layout)
        if const_expr(self.source is tcgen05.OperandSource.TMEM):
            start = cute.recast_ptr(place + tcgen05.find_tmem_tensor_col_offset(sums),
                                    dtype=BFloat16)
            tile_made = operand_a = cute.make_tensor(
                start, mma.make_fragment_A(layout_made.outer.shape).layout)
        else:
            tile_made = smem.allocate_tensor(BFloat16, layout_made.outer, 128,
                                             swizzle=layout_made.inner)
            operand_a = mma.make_fragment_A(tile_made)
        operand_b = mma.make_fragment_B(tile_b)
        part = mma.get_slice(rank)
        result = part.partition_C(cute.local_tile(c, self.tile[:2], (None, None, None)))
        parts = [
            cpasync.tma_partition(
                load, 0, cute.make_layout(1), cute.group_modes(near, 0, 3),
                cute.group_modes(cut(cute.local_tile(x, shape, (at, None, 0))), 0, 3))
            for load, near, cut, x, shape, at in (
                (load_a, tile_raw, part.partition_A, a, (self.tile[0], TILE_K), pair),
                (load_b, tile_b, part.partition_B, b, (TILE_N, TILE_K), n))]
        if warp == LOADER:
            writes = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
            for k in range(K // TILE_K):
                for pipe, load, (near, far) in zip((raw, loaded), (load_a, load_b), parts):
                    pipe.producer_acquire(writes)
                    cute.copy(load, far[None, k], near[None, writes.index],
                              tma_bar_ptr=pipe.producer_get_barrier(writes))
                writes.advance()
        if warp >= CONVERTERS and warp < MULTIPLIER:
            self.convert(mma, tile_raw, tile_made, raw, made)
        if warp == MULTIPLIER and rank == 0:
            reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
            writes = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
            into = sums[None, None, None, 0]
            summed.producer_acquire(writes)
            mma.set(tcgen05.Field.ACCUMULATE, Boolean(False))
            for _ in range(K // TILE_K):
                loaded.consumer_wait(reads)
                made.consumer_wait(reads)
                for k in cute.range_constexpr(cute.size(operand_b, mode=[2])):
                    cute.gemm(mma, into, operand_a[None, None, k, reads.index],
                              operand_b[None, None, k, reads.index], into)
                    mma.set(tcgen05.Field.ACCUMULATE, Boolean(True))
                loaded.consumer_release(reads)
                made.consumer_release(reads)
                reads.advance()
            summed.producer_commit(writes)
        if warp < CONVERTERS:
            reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
            utils.gemm.sm100.epilogue(
                self, arch.thread_idx()[0], sums, result, self.cta_tile_shape_mnk[:2],
                lambda x: x, (pair, n, 0), reads, summed)
        arch.cluster_arrive()
        arch.cluster_wait()
        memory.relinquish_alloc_permit()
        memory.free(place)


@cute.jit
def multiply(pa: cute.Pointer, b: cute.Tensor, c: cute.Tensor, is_k: cute.Constexpr,
             gemm: cute.Constexpr):
    gemm.a_dtype = pa.dtype
    stride = (K, 1, M * K) if const_expr(is_k) else (1, M, M * K)
    a = cute.make_tensor(pa, cute.make_layout((M, K, 1), stride=stride))
    b = cute.make_tensor(b.iterator, cute.make_layout((N, K, 1), stride=(K, 1, N * K)))
    gemm(a, b, cute.make_tensor(c.iterator, cute.make_layout((M, N, 1), stride=(N, 1, M * N))))


class Mixed(unittest.TestCase):
    def test_run(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        random = np.random.default_rng(1)
        a = random.integers(-8, 8, (M, K))
        b = random.integers(-3, 4, (N, K)).astype(np.float32)
        bits = (b.view(np.uint32) >> 16).astype(np.uint16)
        tensor = from_dlpack(bits, assumed_align=16)
        tensor.element_type = BFloat16
        for dtype, is_k, pair in ((Int8, True, False), (Int4, True, False), (Int8, False, False),
                                  (Int8, True, True), (Int8, False, True)):
            held = np.ascontiguousarray(a if is_k else a.T)
            if dtype is Int4:
                held = (held[:, ::2] & 15) | ((held[:, 1::2] & 15) << 4)
            held = held.astype(np.uint8)
            c = np.full((M, N), np.nan, np.float32)
            start = make_ptr(dtype, from_dlpack(held, assumed_align=16).data_ptr,
                             cute.AddressSpace.gmem, assumed_align=16)
            multiply(start, tensor, from_dlpack(c, assumed_align=16), is_k, Gemm(pair))
            self.assertTrue((c == a @ b.T).all(), (dtype, is_k, pair))


if __name__ == "__main__":
    unittest.main()
