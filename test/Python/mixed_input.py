# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Products of integers and bf16: warps convert A on its way to tensor or shared memory."""
import importlib.util
import unittest

import cute
from cute import BFloat16, Boolean, Float32, Int4, Int8, Int32, Int64, arch, pipeline, utils
from cute.dsl import const_expr
from cute.nvgpu import CopyUniversalOp, cpasync, tcgen05
from cute.runtime import from_dlpack, make_ptr
from cute.utils import blackwell_helpers, mixed_input_helpers as mixed

try:
    import numpy as np
except ImportError:
    pass

GRANULARITY = 64  # of the scales along K
M, N, K, TILE_N, TILE_K, STAGES = 256, 128, 192, 64, 64, 2
CONVERTERS, MULTIPLIER, LOADER, WARPS = 4, 8, 9, 10  # after four warps that store


def threads(count):
    return pipeline.CooperativeGroup(pipeline.Agent.Thread, count)


class Gemm:
    """Blocks, or pairs of them, of a tile of 128 columns."""

    def __init__(self, pair, scaled=False):
        self.scaled = scaled
        self.use_2cta_instrs, self.blocks = pair, 2 if pair else 1
        self.group = tcgen05.CtaGroup(self.blocks)
        self.acc_dtype = self.c_dtype = Float32
        self.tile = (128 * self.blocks, TILE_N, TILE_K)
        self.cta_tile_shape_mnk = (128, TILE_N, TILE_K)
        self.epilogue_warp_id, self.epilog_sync_bar_id = (0, 1, 2, 3), 3

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, s: cute.Tensor):
        self.c_layout = utils.LayoutEnum.from_tensor(c)
        major = utils.LayoutEnum.from_tensor(a).mma_major_mode()
        self.source = utils.get_transform_a_source(major)
        mma = blackwell_helpers.make_trivial_tiled_mma(
            BFloat16, major, utils.LayoutEnum.from_tensor(b).mma_major_mode(), Float32, self.group,
            self.tile[:2], self.source)
        cluster = cute.tiled_divide(cute.make_layout((self.blocks, 1, 1)), (mma.thr_id.shape,))
        raw, made, other = mixed.compute_smem_layout(mma, self.tile, a.element_type, BFloat16,
                                                     STAGES, STAGES)
        loads = []
        for make, tensor, layout, is_b in (
            (cute.nvgpu.make_tiled_tma_atom_A, a, raw, False),
            (cute.nvgpu.make_tiled_tma_atom_B, b, other, True),
        ):
            loads += make(mixed.get_tma_atom_kind(False, self.use_2cta_instrs, is_b), tensor,
                          cute.slice_(layout, (None, None, None, 0)), self.tile, mma,
                          cluster.shape)
        self.kernel(mma, *loads, c, s, raw, made, other, cluster).launch(
            grid=(M // 128, N // TILE_N, 1), block=32 * WARPS, cluster=(self.blocks, 1, 1))

    @cute.jit
    def convert(self, mma: cute.TiledMma, near: cute.Tensor, far: cute.Tensor, scales, raw, made):
        thread = arch.thread_idx()[0] - 32 * CONVERTERS
        dtype = near.element_type
        out = mixed.get_copy_atom_a_transform(
            BFloat16, self.use_2cta_instrs, self.source, near.shape, dtype)
        atom = cute.make_copy_atom(CopyUniversalOp(), dtype, num_bits_per_copy=32)
        mode = mixed.TransformMode.ConvertScale if self.scaled else mixed.TransformMode.ConvertOnly
        load, to, source, target = mixed.transform_partition(
            self.source, mode, atom, out, near, far, thread)
        shape = source[None, None, None, None, 0].shape
        given = cute.make_rmem_tensor(shape, dtype)
        changed = cute.make_rmem_tensor(shape, BFloat16)
        if const_expr(self.scaled):
            load, factors, factor, seen = mixed.scale_partition(load, scales, thread, BFloat16)
        reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
        writes = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, STAGES)
        for k in range(K // TILE_K):
            raw.consumer_wait(reads)
            made.producer_acquire(writes)
            taken = source[None, None, None, None, reads.index]
            if const_expr(self.scaled):
                cute.copy(load, taken, given)
                cute.autovec_copy(cute.filter_zeros(factors[None, None, None, None, k]), factor)
                values = mixed.cvt_tensor_a(given, BFloat16, False)
                changed.store((values * seen.load()).to(BFloat16))
            else:
                cute.autovec_copy(taken, given)
                changed.store(mixed.cvt_tensor_a(given, BFloat16, False))
            mixed.store_transformed_a(changed, target[None, None, None, None, writes.index], to)
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
               load_b: cute.CopyAtom, b: cute.Tensor, c: cute.Tensor, s: cute.Tensor,
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
            scales = part.partition_A(cute.local_tile(s, (self.tile[0], TILE_K), (pair, None, 0)))
            self.convert(mma, tile_raw, tile_made, scales, raw, made)
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
def multiply(pa: cute.Pointer, b: cute.Tensor, c: cute.Tensor, s: cute.Tensor,
             is_k: cute.Constexpr, gemm: cute.Constexpr):
    gemm.a_dtype = pa.dtype
    stride = (K, 1, M * K) if const_expr(is_k) else (1, M, M * K)
    a = cute.make_tensor(pa, cute.make_layout((M, K, 1), stride=stride))
    b = cute.make_tensor(b.iterator, cute.make_layout((N, K, 1), stride=(K, 1, N * K)))
    major = tcgen05.OperandMajorMode.MN
    factors = cute.make_tensor(
        s.iterator, mixed.get_gmem_layout_scale((M, K, 1), 1, GRANULARITY, major))
    c = cute.make_tensor(c.iterator, cute.make_layout((M, N, 1), stride=(N, 1, M * N)))
    gemm(a, b, c, factors)


def bfloat16(numbers):
    """A tensor of what numpy has no type for."""
    tensor = from_dlpack((numbers.view(np.uint32) >> 16).astype(np.uint16), assumed_align=16)
    tensor.element_type = BFloat16
    return tensor


@cute.kernel
def convert_and_show(whole: cute.Pointer, out: cute.Tensor, dtype: cute.Constexpr):
    source = cute.make_tensor(whole, cute.make_layout(16))
    given = cute.make_rmem_tensor(16, Int4)
    cute.autovec_copy(source, given)
    rows = [mixed.cvt_tensor_a(given, BFloat16, False), mixed.cvt_tensor_a(given, BFloat16, True),
            mixed.cvt_tensor_a_mxf8(given, dtype), mixed.cvt_tensor_a_biased(given, dtype)]
    for i in cute.range_constexpr(4):
        values = rows[i].to(Float32)
        for j in cute.range_constexpr(16):
            out[i, j] = values[j]


@cute.jit
def conversions(whole: cute.Pointer, out: cute.Tensor, dtype: cute.Constexpr):
    convert_and_show(whole, out, dtype).launch(grid=1, block=1)


@cute.jit
def search(ends: cute.Tensor, out: cute.Tensor, mode: cute.Constexpr):
    state = mixed.create_initial_contiguous_group_search_state()
    for i in cute.range_constexpr(out.shape[0]):
        state = mixed.contiguous_group_search((128, 64, 64), Int32(5), Int32(i), state, ends, mode)
        for j, name in enumerate(state._parts):
            out[i, j] = getattr(state, name)


@cute.jit
def tiles(numbers: cute.Tensor, out: cute.Tensor):
    info = mixed.make_contiguous_group_work_tile_info(3, numbers)
    for j, name in enumerate(info._parts):
        out[j] = getattr(info, name)
    out[4] = Int32(info.is_valid_tile)


@unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not there")
class Mixed(unittest.TestCase):
    def test_run(self):
        random = np.random.default_rng(1)
        a = random.integers(-8, 8, (M, K))
        b = random.integers(-3, 4, (N, K)).astype(np.float32)
        s = 2.0 ** random.integers(-2, 3, (K // GRANULARITY, M)).astype(np.float32)
        for dtype, is_k, pair, scaled in (
            (Int8, True, False, False), (Int4, True, False, False), (Int8, False, False, False),
            (Int8, True, True, False), (Int8, False, True, False), (Int8, True, False, True),
            (Int8, False, True, True), (Int4, True, False, True),
        ):
            held = np.ascontiguousarray(a if is_k else a.T)
            if dtype is Int4:
                held = (held[:, ::2] & 15) | ((held[:, 1::2] & 15) << 4)
            held = held.astype(np.uint8)
            c = np.full((M, N), np.nan, np.float32)
            start = make_ptr(dtype, from_dlpack(held, assumed_align=16).data_ptr,
                             cute.AddressSpace.gmem, assumed_align=16)
            multiply(start, bfloat16(b), from_dlpack(c, assumed_align=16), bfloat16(s), is_k,
                     Gemm(pair, scaled))
            factors = s.T.repeat(GRANULARITY, axis=1) if scaled else 1
            self.assertTrue((c == (a * factors) @ b.T).all(), (dtype, is_k, pair, scaled))

    def test_conversions(self):
        numbers = np.arange(16) - 8
        held = ((numbers[::2] & 15) | ((numbers[1::2] & 15) << 4)).astype(np.uint8)
        out = np.zeros((4, 16), np.float32)
        start = make_ptr(Int4, from_dlpack(held).data_ptr, cute.AddressSpace.gmem, 8)
        conversions(start, from_dlpack(out), cute.Float8E4M3FN)
        self.assertTrue((out[[0, 2]] == numbers).all())
        order = np.array([0, 2, 1, 3, 4, 6, 5, 7])
        self.assertTrue((out[1] == numbers.reshape(2, 8)[:, order].ravel()).all())
        self.assertTrue((out[3] == (numbers + 8) / 512).all())

    def test_groups(self):
        """The same states as in nvidia-cutlass-dsl 4.8.1."""
        ends = np.array([0, 100, 100, 300, 364, 700], np.int32)
        out = np.zeros((9, 6), np.int32)
        search(from_dlpack(ends), from_dlpack(out), 0)
        self.assertEqual(out.tolist(), [
            [0, 100, 1, 1, 0, 0], [1, 300, 3, 3, 100, 100], [1, 300, 3, 3, 100, 228],
            [3, 364, 4, 4, 300, 300], [4, 700, 7, 5, 364, 364], [4, 700, 7, 5, 364, 492],
            [4, 700, 7, 5, 364, 620], [4, 700, 7, 6, 364, 748], [4, 700, 7, 7, 364, 876]])
        out = np.zeros((8, 6), np.int32)
        search(from_dlpack(ends), from_dlpack(out), 1)
        self.assertEqual(out[[1, 2, 5, 7]].tolist(), [
            [0, 100, 2, 1, 0, 64], [2, 300, 6, 3, 100, 100], [2, 300, 6, 3, 100, 292],
            [7, 700, 13, 5, 364, 364]])
        for numbers, valid in (([5, 6, 1, 8], 1), ([5, 6, 3, 8], 0)):
            out = np.zeros(5, np.int32)
            tiles(from_dlpack(np.array(numbers, np.int32)), from_dlpack(out))
            self.assertEqual(out.tolist(), [*numbers, valid])

    def test_what_is_allowed(self):
        self.assertTrue(mixed.is_valid_scale_granularity(1, 128, Int4, 1024, 64))
        for given in ((1, 32, Int4, 256, 64), (2, 64, Int4, 256, 64), (1, 256, Int4, 384, 64),
                      (0, 0, Int4, 256, 64), (1, 64, Int8, 256, 64)):
            self.assertFalse(mixed.is_valid_scale_granularity(*given), given)
        self.assertTrue(mixed.is_valid_scale_granularity(0, 0, Int8, 96, 64))
        for m, pair, cluster, valid in ((64, False, (1, 1), True), (256, False, (2, 1), False),
                                        (256, True, (2, 1), True), (256, True, (1, 2), False)):
            found = mixed.is_valid_mma_tiler_and_cluster_shape((m, 64, 64), cluster, pair)
            self.assertEqual(found, valid)

        def aligned(m, k, a_major, granularity):
            return mixed.is_valid_tensor_alignment(
                m, 64, k, Int4, BFloat16, BFloat16, BFloat16, a_major, "k", "n", (128, 64, 64),
                False, (1, 1), granularity, 64)

        self.assertTrue(aligned(4, 64, "k", 0))
        self.assertFalse(aligned(4, 64, "k", 1))  # scales of 8 bytes
        self.assertFalse(aligned(16, 64, "m", 0))
        self.assertFalse(mixed.is_shuffle_a("k", 64, Int4, BFloat16, 64))

    def test_layouts(self):
        """The same functions as in nvidia-cutlass-dsl 4.8.1."""
        k, mn = tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.MN
        for major, made in ((k, "((2,256),(64,16),3):((0,16),(0,1),4096)"),
                            (mn, "((2,256),(64,16),3):((0,1),(0,256),4096)")):
            self.assertEqual(str(mixed.get_gmem_layout_scale((512, 1000, 3), 2, 64, major)), made)
        tile, one, stages = mixed.get_smem_layout_scale((256, 128, 128), True, 1, 64, k, BFloat16, 2)
        self.assertEqual((tile, str(one), str(stages)), (
            (128, 128), "((1,128),(64,2)):((0,2),(0,1))", "((1,128),(64,2),2):((0,2),(0,1),256)"))
        mma = blackwell_helpers.make_trivial_tiled_mma(
            BFloat16, BFloat16, mn, k, Float32, tcgen05.CtaGroup.TWO, (256, 128))
        made = mixed.compute_smem_layout(mma, (256, 128, 64), Int4, BFloat16, 3, 2)
        self.assertEqual(list(map(str, made)), [
            "S<2,4,3> o 0 o ((128,16),1,4,3):((1,128),128,2048,8192)",
            "S<3,4,3> o 0 o (((64,2),16),1,4,2):(((1,4096),64),8192,1024,8192)",
            "S<3,4,3> o 0 o ((64,16),1,4,3):((64,1),4096,16,4096)"])


if __name__ == "__main__":
    unittest.main()
