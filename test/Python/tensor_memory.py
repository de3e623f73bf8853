# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""What only Blackwell has: products of tensor memory, their pipelines, and its allocation."""
import unittest

import cute
from cute import Float16, Float32, Int32, arch, pipeline, utils
from cute.nvgpu import OpError, cpasync, tcgen05
from cute.utils import blackwell_helpers

ONE, SMEM = tcgen05.CtaGroup.ONE, tcgen05.OperandSource.SMEM
K, MN = tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.MN
M, N, TILE_K, STAGES, THREADS = 128, 64, 64, 2, 128


@cute.kernel
def product(mma, load_a, a, load_b, b, c, layout_a: cute.ComposedLayout,
            layout_b: cute.ComposedLayout, cluster: cute.Layout):
    blocks = cute.size(cluster, mode=[0])
    rank = arch.block_idx_in_cluster()
    leads = rank == 0
    thread, _, _ = arch.thread_idx()
    warp = arch.make_warp_uniform(arch.warp_idx())
    smem = utils.SmemAllocator()
    barriers = smem.allocate_array(cute.Int64, 2 * STAGES + 2)
    last = smem.allocate_array(cute.Int64, 1)
    slot = smem.allocate_array(Int32, 1)
    tile_a = smem.allocate_tensor(Float16, layout_a.outer, 128, swizzle=layout_a.inner)
    tile_b = smem.allocate_tensor(Float16, layout_b.outer, 128, swizzle=layout_b.inner)
    agent = pipeline.Agent.Thread
    one = pipeline.CooperativeGroup(agent)
    all_ = pipeline.CooperativeGroup(agent, blocks * THREADS)
    filling, using = pipeline.PipelineTmaUmma.create(
        num_stages=STAGES, producer_group=one, consumer_group=one,
        tx_count=(blocks * M + N) * TILE_K * 2, barrier_storage=barriers, cta_layout_vmnk=cluster,
    ).make_participants()
    summing, storing = pipeline.PipelineUmmaAsync.create(
        num_stages=1, producer_group=one, consumer_group=all_,
        barrier_storage=barriers + 2 * STAGES, cta_layout_vmnk=cluster,
    ).make_participants()
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, THREADS), is_two_cta=blocks == 2,
                                 two_cta_tmem_dealloc_mbar_ptr=last)
    memory.allocate(64)
    tiles_a = cute.local_tile(a, (blocks * M, TILE_K), (0, None))
    tiles_b = cute.local_tile(b, (N, TILE_K), (0, None))
    part = mma.get_slice(rank)
    result = part.partition_C(c)
    to_a, from_a = cpasync.tma_partition(
        load_a, 0, cute.make_layout(1), cute.group_modes(tile_a, 0, 3),
        cute.group_modes(part.partition_A(tiles_a), 0, 3))
    to_b, from_b = cpasync.tma_partition(
        load_b, 0, cute.make_layout(1), cute.group_modes(tile_b, 0, 3),
        cute.group_modes(part.partition_B(tiles_b), 0, 3))
    operand_a, operand_b = mma.make_fragment_A(tile_a), mma.make_fragment_B(tile_b)
    sums = mma.make_fragment_C(mma.partition_shape_C((blocks * M, N)))
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    sums = cute.make_tensor(place, sums.layout)
    if warp == 0:
        if leads:
            summing.acquire_and_advance()
        for _ in range(cute.size(tiles_a, mode=[2])):
            empty = filling.acquire_and_advance()
            cute.copy(load_a, from_a[None, empty.count], to_a[None, empty.index],
                      tma_bar_ptr=empty.barrier)
            cute.copy(load_b, from_b[None, empty.count], to_b[None, empty.index],
                      tma_bar_ptr=empty.barrier)
            if leads:
                full = using.wait_and_advance()
                for k in cute.range_constexpr(TILE_K // 16):
                    cute.gemm(mma, sums, operand_a[None, None, k, full.index],
                              operand_b[None, None, k, full.index], sums)
                    mma.set(tcgen05.Field.ACCUMULATE, True)
                full.release()
        if leads:
            summing.commit()
    memory.relinquish_alloc_permit()
    done = storing.wait_and_advance()
    atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), Float32)
    copy = tcgen05.make_tmem_copy(atom, sums[None, 0, 0]).get_slice(thread)
    loaded, stored = copy.partition_S(sums[None, 0, 0]), copy.partition_D(result[None, 0, 0])
    registers = cute.make_rmem_tensor(stored.shape, Float32)
    cute.copy(copy, loaded, registers)
    cute.autovec_copy(registers, stored)
    done.release()
    if warp == 0:
        filling.tail()
        if leads:
            summing.tail()
    pipeline.sync(barrier_id=1)
    memory.free(place)


@cute.jit
def multiply(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, blocks: cute.Constexpr[int]):
    group = tcgen05.CtaGroup(blocks)
    mma = cute.make_tiled_mma(
        tcgen05.MmaF16BF16Op(Float16, Float32, (blocks * M, N, 16), group, SMEM, K, K))
    tile = (blocks * M, N, TILE_K)
    layout_a = blackwell_helpers.make_smem_layout_a(mma, tile, Float16, STAGES)
    layout_b = blackwell_helpers.make_smem_layout_b(mma, tile, Float16, STAGES)
    cluster = cute.tiled_divide(cute.make_layout((blocks, 1, 1)), (mma.thr_id,))
    op = cpasync.CopyBulkTensorTileG2SMulticastOp(group)
    if cute.const_expr(blocks == 1):
        op = cpasync.CopyBulkTensorTileG2SOp(group)
    load_a, coords_a = cute.nvgpu.make_tiled_tma_atom_A(op, a, layout_a, tile, mma, cluster.shape)
    load_b, coords_b = cute.nvgpu.make_tiled_tma_atom_B(op, b, layout_b, tile, mma, cluster.shape)
    product(mma, load_a, coords_a, load_b, coords_b, c, layout_a, layout_b, cluster).launch(
        grid=(blocks, 1, 1), block=(THREADS, 1, 1), cluster=(blocks, 1, 1))


@cute.kernel
def rotate(c: cute.Tensor, count: Int32, is_long: cute.Boolean):
    thread, _, _ = arch.thread_idx()
    smem = utils.SmemAllocator()
    slot = smem.allocate_array(Int32, 1)
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, THREADS))
    memory.allocate(N)
    if is_long:
        near = smem.allocate_tensor(Float32, cute.make_layout(40000), 16)
        near[thread] = Float32(1)
    else:
        near = smem.allocate_tensor(Float32, cute.make_layout(50000), 16)
        near[thread] = Float32(2)
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    sums = cute.make_tensor(place, cute.make_layout((M, N), stride=(65536, 1)))
    store = cute.make_copy_atom(tcgen05.St32x32bOp(tcgen05.Repetition.x64), Float32)
    load = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), Float32)
    to, back = (tcgen05.make_tmem_copy(x, sums).get_slice(thread) for x in (store, load))
    given = cute.make_rmem_tensor(to.partition_S(c).shape, Float32)
    cute.autovec_copy(to.partition_S(c), given)
    cute.copy(to, given, to.partition_D(sums))
    loaded = cute.make_rmem_tensor(back.partition_D(c).shape, Float32)
    cute.copy(back, back.partition_S(sums), loaded)
    for i in range(count):
        c[thread, i] = loaded[(i + 1) % N]  # registers at places that nothing knows
    pipeline.sync(barrier_id=1)
    memory.relinquish_alloc_permit()
    memory.free(place)


@cute.jit
def rotated(c: cute.Tensor, count: Int32, is_long: cute.Boolean):
    rotate(c, count, is_long).launch(grid=1, block=THREADS, smem_merge_branch_allocs=True)


@cute.kernel
def relay(c: cute.Tensor, rounds: Int32):
    """Hands rows of numbers from one warpgroup to another, a piece at a time, by tensor memory."""
    thread = arch.thread_idx()[0] % THREADS
    is_first = arch.make_warp_uniform(arch.warp_idx()) < 4
    smem = utils.SmemAllocator()
    slot = smem.allocate_array(Int32, 1)
    all_ = pipeline.CooperativeGroup(pipeline.Agent.Thread, THREADS)
    giving, taking = pipeline.PipelineAsync.create(
        num_stages=1, producer_group=all_, consumer_group=all_,
        barrier_storage=smem.allocate_array(cute.Int64, 2)).make_participants()
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, 2 * THREADS))
    memory.allocate(N)
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    atoms = [cute.make_copy_atom(op(tcgen05.copy.Repetition.x16), Float32)
             for op in (tcgen05.copy.St32x32bOp, tcgen05.copy.Ld32x32bOp)]
    piece = cute.make_layout((M, 16), stride=(65536, 1))
    to, back = (tcgen05.make_tmem_copy(x, cute.make_tensor(place, piece)).get_slice(thread)
                for x in atoms)
    values = cute.make_rmem_tensor(to.partition_S(c).shape, Float32)
    if is_first:
        for i in range(rounds):
            handle = giving.acquire_and_advance()
            for part in cute.range_constexpr(N // 16):
                for j in cute.range_constexpr(16):
                    values[j] = Float32(i * N + part * 16 + j)
                cute.copy(to, values, to.partition_D(cute.make_tensor(place + part * 16, piece)))
            arch.fence_view_async_tmem_store()
            handle.commit()
    else:
        for i in range(rounds):
            handle = taking.wait_and_advance()
            for part in cute.range_constexpr(N // 16):
                cute.copy(back, back.partition_S(cute.make_tensor(place + part * 16, piece)), values)
                for j in cute.range_constexpr(16):
                    c[thread, j] = c[thread, j] + values[j]
            arch.fence_view_async_tmem_load()
            handle.release()
    pipeline.sync(barrier_id=1)
    memory.relinquish_alloc_permit()
    if arch.warp_idx() == 0:
        arch.dealloc_tmem(place, Int32(N))


@cute.jit
def relayed(c: cute.Tensor, rounds: Int32):
    relay(c, rounds).launch(grid=1, block=2 * THREADS)


class Products(unittest.TestCase):
    def test_between_warpgroups(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        c, rounds = np.zeros((M, 16), np.float32), 6
        relayed(from_dlpack(c, assumed_align=16), rounds)
        sums = np.arange(rounds * N).reshape(-1, 16).sum(0)
        self.assertTrue((c == sums).all(), c)

    def test_fragments_of_nested_steps(self):
        found = []

        @cute.jit
        def make(found: cute.Constexpr):
            mma = blackwell_helpers.make_trivial_tiled_mma(
                Float16, K, MN, Float32, ONE, (M, N), tcgen05.OperandSource.TMEM)
            layout = blackwell_helpers.make_smem_layout_a(mma, (M, N, 128), Float16, 1)
            place = cute.make_ptr(Float16, 0, cute.AddressSpace.tmem, assumed_align=16)
            found.append(mma.make_fragment_A(cute.make_tensor(place, layout.outer)).layout)

        make(found)
        self.assertEqual(str(found[0]), "((128,16),1,(4,2),1):((131072,1),0,(16,64),128)")

    def test_registers_of_unknown_places(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        given = np.arange(M * N, dtype=np.float32).reshape(M, N)
        c = given.copy()
        rotated(from_dlpack(c, assumed_align=16), N, cute.Boolean(False))
        self.assertTrue((c == np.roll(given, -1, axis=1)).all())

    def test_run(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        random = np.random.default_rng(1)
        for blocks in (1, 2):
            a = random.integers(-3, 4, (blocks * M, 3 * TILE_K)).astype(np.float16)
            b = random.integers(-3, 4, (N, 3 * TILE_K)).astype(np.float16)
            c = np.full((blocks * M, N), np.nan, np.float32)
            multiply(*(from_dlpack(x, assumed_align=16) for x in (a, b, c)), blocks)
            self.assertTrue((c == a.astype(np.float32) @ b.astype(np.float32).T).all(), blocks)

    def test_atoms(self):
        for op, name in (
            (tcgen05.MmaF16BF16Op(Float16, Float32, (128, 256), ONE, SMEM, K, MN),
             "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,K,MN>"),
            (tcgen05.MmaTF32Op((64, 8, 8), ONE, tcgen05.OperandSource.TMEM, K, K),
             "SM100_MMA_TF32_TS<tfloat32_t,tfloat32_t,float,64,8,K,K>"),
            (tcgen05.MmaF8F6F4Op(cute.Float8E4M3FN, cute.Float8E5M2, Float32, (256, 32, 32),
                                 tcgen05.CtaGroup.TWO, SMEM, K, K),
             "SM100_MMA_F8F6F4_2x1SM_SS<float_e4m3_t,float_e5m2_t,float,256,32,K,K>"),
            (tcgen05.MmaFP8Op(cute.Float8E5M2, Float16, (128, 8, 32), ONE, SMEM, K, K),
             "SM100_MMA_F8F6F4_SS<float_e5m2_t,float_e5m2_t,half_t,128,8,K,K>"),
            (tcgen05.MmaI8Op(cute.Int8, (128, 16, 32), ONE, SMEM, K, K),
             "SM100_MMA_S8_SS<int8_t,int8_t,int32_t,128,16,K,K>"),
            (tcgen05.MmaI8Op((cute.Uint8, cute.Int8), (128, 16, 32), ONE, SMEM, K, K),
             "SM100_MMA_S8_SS<uint8_t,int8_t,int32_t,128,16,K,K>"),
            (tcgen05.SM103MmaMXF4Op((128, 16, 96), ONE, SMEM),
             "SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,128,16,32,K,K>"),
            (tcgen05.SM103MmaMXF4NVF4Op(cute.Float8E4M3FN, (256, 64), tcgen05.CtaGroup.TWO, SMEM),
             "SM103_MXF4_ULTRA_2x1SM_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,256,64,16,K,K>"),
        ):
            self.assertEqual(op.atom_name(), name)
            cute.make_mma_atom(op)

    def test_copies(self):
        load = tcgen05.Ld16x256bOp(tcgen05.Repetition.x4, tcgen05.Pack.PACK_16b_IN_32b)
        store = tcgen05.St32x32bOp(tcgen05.Repetition(8))
        self.assertEqual(load.atom_name(0), "SM100_TMEM_LOAD_16dp256b4x_16b")
        self.assertEqual(store.atom_name(0), "SM100_TMEM_STORE_32dp32b8x")

        @cute.jit
        def host():
            place = cute.make_ptr(cute.Int8, 0, cute.AddressSpace.smem, assumed_align=16)
            near = cute.make_tensor(place, cute.make_layout(((128, 16), 1, 2)))
            for op, rows in ((tcgen05.Cp4x32x128bOp(), (128, 4)),
                             (tcgen05.Cp2x64x128b0213Op(), (128, 2)),
                             (tcgen05.Cp128x256bOp(), 128)):
                made = tcgen05.append_s2t_broadcast_mode(op, near)
                self.assertEqual(made.shape, ((rows, 16), 1, 2))
            with self.assertRaisesRegex(ValueError, "shared to tensor memory"):
                tcgen05.append_s2t_broadcast_mode(load, near)
            with self.assertRaisesRegex(ValueError, r"the first mode is \(rows, K\)"):
                tcgen05.append_s2t_broadcast_mode(tcgen05.Cp4x32x128bOp(), near[0, None, None])

        host()
        self.assertIs(tcgen05.CollectorOp("lastuse"), tcgen05.CollectorOp.LASTUSE)
        made = cute.make_copy_atom(store, Float32)
        self.assertEqual((tcgen05.is_tmem_load(made), tcgen05.is_tmem_store(made)), (False, True))

    def test_layouts(self):
        mma = cute.make_tiled_mma(
            tcgen05.MmaF16BF16Op(Float16, Float32, (M, N, 16), ONE, SMEM, K, K))
        self.assertEqual(
            str(blackwell_helpers.make_smem_layout_b(mma, (M, N, TILE_K), Float16, 2)),
            "S<3,4,3> o 0 o ((64,16),1,4,2):((64,1),4096,16,4096)")
        self.assertEqual(str(blackwell_helpers.make_smem_layout(MN, (64, 32), Float16, 1)),
                         "S<3,4,3> o 0 o ((64,1),(8,4),(1,1)):((1,0),(64,512),(0,0))")

    def test_tiles_of_results(self):
        row, f16 = utils.LayoutEnum.ROW_MAJOR, Float16
        self.assertEqual(utils.compute_epilogue_tile_shape((128, 256, 64), True, row, f16), (128, 32))
        self.assertEqual(
            utils.compute_epilogue_tile_shape((128, 256, 64), True, row, f16, layout_c=row,
                                              elem_ty_c=f16), (128, 64))
        height, width = utils.compute_epilogue_tile_shape((64, 128, 64), True, row, f16)
        self.assertEqual((height, str(width)), (64, "(32,2):(1,64)"))
        mma = cute.make_tiled_mma(
            tcgen05.MmaF16BF16Op(Float16, Float32, (M, N, 16), ONE, SMEM, K, K))
        self.assertEqual(mma.partition_shape_C((M, N)), ((M, N), 1, 1))

    def test_rejected(self):
        for text, make in (
            ("the type of A is Int8", lambda: tcgen05.MmaF16BF16Op(
                cute.Int8, Float32, (128, 8, 16), ONE, SMEM, K, K)),
            ("K is 16", lambda: tcgen05.MmaF16BF16Op(
                Float16, Float32, (128, 8, 32), ONE, SMEM, K, K)),
            ("acc_dtype is Int32", lambda: tcgen05.MmaFP8Op(
                cute.Float8E4M3FN, Int32, (128, 16, 32), ONE, SMEM, K, K)),
        ):
            with self.assertRaisesRegex(OpError, text):
                make()
        with self.assertRaisesRegex(ValueError, "not 48"):
            utils.TmemAllocator(0).allocate(48)
        with self.assertRaisesRegex(OpError, "A is in tensor memory"):
            tcgen05.SM103MmaMXF4Op((128, 8, 96), ONE, tcgen05.OperandSource.TMEM)
        with self.assertRaisesRegex(OpError, "the second half is 4 columns further"):
            tcgen05.LdRed16x32bx2Op(tcgen05.Repetition.x4, half_split_off=8)


if __name__ == "__main__":
    unittest.main()
