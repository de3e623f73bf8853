# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Tensor memory by single functions, pipelines from threads to products, the launch control."""

import array
import random
import shutil
import subprocess
import tempfile
import unittest

import cute
from cute import Float16, Float32, Int32, arch, pipeline, utils
from cute.nvgpu import cpasync, tcgen05
from cute.runtime import make_ptr
from cute.utils import blackwell_helpers

K = tcgen05.OperandMajorMode.K
M, N, TILE_K, TILES, STAGES, THREADS = 128, 32, 64, 3, 2, 128


ONE, TWO = tcgen05.CtaGroup.ONE, tcgen05.CtaGroup.TWO
ROWS = utils.LayoutEnum.ROW_MAJOR


def tiled_mma(rows=M):
    return blackwell_helpers.make_trivial_tiled_mma(
        Float16, Float16, K, K, Float32, ONE, (rows, N))


def operands(smem, mma):
    """Tiles of A and B in shared memory: what is stored to, and what products read."""
    found = []
    for make, rows in ((blackwell_helpers.make_smem_layout_a, M),
                       (blackwell_helpers.make_smem_layout_b, N)):
        layout = make(mma, (M, N, TILE_K), Float16, STAGES)
        found.append(smem.allocate_tensor(Float16, layout.outer, 128, swizzle=layout.inner))
    return found


def fill(tile, source, first, stage, thread, rows):
    """Stores a tile (rows, TILE_K) of floats as threads of a block."""
    for i in cute.range_constexpr(rows * TILE_K // THREADS):
        at = thread + i * THREADS
        row, column = at // TILE_K, at % TILE_K
        tile[(row, column % 16), 0, column // 16, stage] = \
            source[row, first + column].to(Float16)


def store(sums, out, thread):
    """Writes the sums of 32 lanes of each warp."""
    atom = blackwell_helpers.get_tmem_load_op((M, N, TILE_K), ROWS, Float32, Float32, (M, N), False)
    copy = tcgen05.make_tmem_copy(atom, sums[None, 0, 0]).get_slice(thread)
    part = copy.partition_D(out[None, 0, 0])
    held = cute.make_rmem_tensor(part.shape, Float32)
    cute.copy(copy, copy.partition_S(sums[None, 0, 0]), held)
    arch.fence_view_async_tmem_load()
    cute.autovec_copy(held, part)


@cute.kernel
def from_threads(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    mma = tiled_mma()
    thread, warp = arch.thread_idx()[0], arch.make_warp_uniform(arch.warp_idx())
    smem = utils.SmemAllocator()
    barriers = smem.allocate_array(cute.Int64, 2 * STAGES + 2)
    slot = smem.allocate_array(Int32, 1)
    tile_a, tile_b = operands(smem, mma)
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    all_ = pipeline.CooperativeGroup(pipeline.Agent.Thread, THREADS)
    filling, using = pipeline.PipelineAsyncUmma.create(
        num_stages=STAGES, producer_group=all_, consumer_group=one, barrier_storage=barriers,
    ).make_participants()
    of_sums = pipeline.PipelineUmmaAsync.create(
        num_stages=1, producer_group=one, consumer_group=all_,
        barrier_storage=barriers + 2 * STAGES)
    summing, storing = of_sums.make_participants()
    if warp == 0:
        arch.alloc_tmem(arch.get_min_tmem_alloc_cols("sm_100"), slot)
        arch.relinquish_tmem_alloc_permit()
    arch.sync_threads()
    place = arch.retrieve_tmem_ptr(Float32, 16, slot)
    sums = mma.make_fragment_C(mma.partition_shape_C((M, N)))
    cute.testing.assert_(utils.get_num_tmem_alloc_cols(sums) == 32, "columns")
    sums = cute.make_tensor(place, sums.layout)
    read_a, read_b = mma.make_fragment_A(tile_a), mma.make_fragment_B(tile_b)
    if warp == 0:
        summing.acquire_and_advance()
    for tile in range(TILES):
        empty = filling.acquire_and_advance()
        fill(tile_a, a, tile * TILE_K, empty.index, thread, M)
        fill(tile_b, b, tile * TILE_K, empty.index, thread, N)
        arch.fence_proxy("async.shared", space="cta")
        empty.commit()
        if warp == 0:
            full = using.wait_and_advance()
            for k in cute.range_constexpr(TILE_K // 16):
                cute.gemm(mma, sums, read_a[None, None, k, full.index],
                          read_b[None, None, k, full.index], sums)
                mma.set(tcgen05.Field.ACCUMULATE, True)
            full.release()
    if warp == 0:  # as summing.commit() does
        of_sums.sync_object_full.arrive(0, of_sums.producer_mask, of_sums.cta_group)
    done = storing.wait_and_advance()
    store(sums, mma.get_slice(0).partition_C(c), thread)
    done.release()
    arch.sync_threads()
    if warp == 0:
        arch.dealloc_tmem(place, 32)


@cute.kernel
def for_both(load_a, a, load_b, b, c: cute.Tensor, rows: cute.Tensor):
    """Products, and the sum of each row of A by a thread, of the same stages."""
    mma = tiled_mma()
    thread, warp = arch.thread_idx()[0], arch.make_warp_uniform(arch.warp_idx())
    smem = utils.SmemAllocator()
    barriers = smem.allocate_array(cute.Int64, 2 * STAGES + 2)
    slot = smem.allocate_array(Int32, 1)
    tile_a, tile_b = operands(smem, mma)
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    all_ = pipeline.CooperativeGroup(pipeline.Agent.Thread, THREADS)
    both = pipeline.PipelineTmaMultiConsumersAsync.create(
        num_stages=STAGES, producer_group=one, consumer_group_umma=one,
        consumer_group_async=all_, tx_count=(M + N) * TILE_K * 2, barrier_storage=barriers)
    filling = both.make_producer()
    states = [pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, STAGES)
              for _ in range(2)]
    summing, storing = pipeline.PipelineUmmaAsync.create(
        num_stages=1, producer_group=one, consumer_group=all_,
        barrier_storage=barriers + 2 * STAGES).make_participants()
    if warp == 0:
        arch.alloc_tmem(32, slot)
    part = mma.get_slice(0)
    copies = []
    for load, source, tile, partition, extent in (
            (load_a, a, tile_a, part.partition_A, M), (load_b, b, tile_b, part.partition_B, N)):
        tiles = cute.local_tile(source, (extent, TILE_K), (0, None))
        copies.append((load, *cpasync.tma_partition(
            load, 0, cute.make_layout(1), cute.group_modes(tile, 0, 3),
            cute.group_modes(partition(tiles), 0, 3))))
    arch.sync_threads()
    place = arch.retrieve_tmem_ptr(Float32, 16, slot)
    sums = mma.make_fragment_C(mma.partition_shape_C((M, N)))
    sums = cute.make_tensor(place, sums.layout)
    read_a, read_b = mma.make_fragment_A(tile_a), mma.make_fragment_B(tile_b)
    product, row = states
    total = Float32(0)
    if warp == 0:
        summing.acquire_and_advance()
    for tile in range(TILES):
        if warp == 0:
            empty = filling.acquire_and_advance()
            for load, to, source in copies:
                cute.copy(load, source[None, empty.count], to[None, empty.index],
                          tma_bar_ptr=empty.barrier)
            both.consumer_wait(product)
            for k in cute.range_constexpr(TILE_K // 16):
                cute.gemm(mma, sums, read_a[None, None, k, product.index],
                          read_b[None, None, k, product.index], sums)
                mma.set(tcgen05.Field.ACCUMULATE, True)
            both.consumer_release(product, pipeline.PipelineOp.TCGen05Mma)
            product.advance()
        both.consumer_wait(row)
        for k in cute.range_constexpr(TILE_K):
            total += tile_a[(thread, k % 16), 0, k // 16, row.index].to(Float32)
        both.consumer_release(row, pipeline.PipelineOp.AsyncThread)
        row.advance()
    rows[thread] = total
    if warp == 0:
        summing.commit()
    done = storing.wait_and_advance()
    store(sums, part.partition_C(c), thread)
    done.release()
    arch.sync_threads()
    if warp == 0:
        filling.tail()
        arch.dealloc_tmem(place, 32)


@cute.jit
def launch(pa: cute.Pointer, pb: cute.Pointer, pc: cute.Pointer, pr: cute.Pointer,
           by_tma: cute.Constexpr):
    a, b = (cute.make_tensor(p, cute.make_layout((r, TILES * TILE_K), stride=(TILES * TILE_K, 1)))
            for p, r in ((pa, M), (pb, N)))
    c = cute.make_tensor(pc, cute.make_layout((M, N), stride=(N, 1)))
    grid, block = (1, 1, 1), (THREADS, 1, 1)
    if cute.const_expr(not by_tma):
        from_threads(a, b, c).launch(grid=grid, block=block)
    else:
        mma, tile, op = tiled_mma(), (M, N, TILE_K), cpasync.CopyBulkTensorTileG2SOp()
        load_a, at_a = cute.nvgpu.make_tiled_tma_atom_A(
            op, a, blackwell_helpers.make_smem_layout_a(mma, tile, Float16, STAGES), tile, mma)
        load_b, at_b = cute.nvgpu.make_tiled_tma_atom_B(
            op, b, blackwell_helpers.make_smem_layout_b(mma, tile, Float16, STAGES), tile, mma)
        for_both(load_a, at_a, load_b, at_b, c, cute.make_tensor(pr, cute.make_layout(M))).launch(
            grid=grid, block=block)


class Pipelines(unittest.TestCase):
    def test_products(self):
        import struct

        chance = random.Random(5)
        a, b = ([[chance.randrange(-3, 4) for _ in range(TILES * TILE_K)] for _ in range(r)]
                for r in (M, N))
        wanted = [float(sum(x * y for x, y in zip(p, q))) for p in a for q in b]
        for by_tma in (False, True):
            code = "e" if by_tma else "f"
            memory = [bytearray(struct.pack(f"{r * TILES * TILE_K}{code}", *(x for p in m for x in p)))
                      for m, r in ((a, M), (b, N))]
            held = [array.array("B", bytes(16) + m) for m in memory]
            out, rows = array.array("f", [0] * M * N), array.array("f", [0] * M)
            places = []
            for m in held:
                address = m.buffer_info()[0] + 16
                places.append(make_ptr(Float16 if by_tma else Float32, address,
                                       cute.AddressSpace.gmem, assumed_align=16))
            for m in (out, rows):
                places.append(make_ptr(Float32, m.buffer_info()[0], cute.AddressSpace.gmem,
                                       assumed_align=4))
            launch(*places, by_tma)
            self.assertEqual(list(out), wanted, by_tma)
            if by_tma:
                self.assertEqual(list(rows), [float(sum(row)) for row in a])

    def test_rejected(self):
        with self.assertRaisesRegex(ValueError, "in sm_100, sm_103, sm_120, not in sm_90"):
            arch.get_max_tmem_alloc_cols("sm_90")
        self.assertEqual(arch.get_max_tmem_alloc_cols("sm_100"), 512)
        with self.assertRaisesRegex(ValueError, "32 to 512, not 48"):
            arch.alloc_tmem(48, None)
        with self.assertRaisesRegex(ValueError, "load or store, not 'both'"):
            arch.fence_view_async_tmem_load(kind="both")

    def test_choices(self):
        made = blackwell_helpers.make_trivial_tiled_mma
        e4, i8, tf = cute.Float8E4M3FN, cute.Int8, cute.TFloat32
        for arguments, name in (
            ((Float16, K, K, Float32, TWO, (256, 64)), "F16BF16_2x1SM_SS<half_t,half_t"),
            ((tf, tf, K, K, Float32, ONE, (128, 64)), "TF32_SS<tfloat32_t"),
            ((e4, cute.Float8E5M2, K, K, Float32, ONE, (64, 64), tcgen05.OperandSource.TMEM),
             "F8F6F4_TS<float_e4m3_t,float_e5m2_t"),
            ((i8, i8, K, K, Int32, ONE, (128, 64)), "S8_SS<int8_t"),
        ):
            self.assertIn(name, made(*arguments).op.atom_name())
        with self.assertRaisesRegex(TypeError, "takes Float16 and Int8"):
            made(Float16, i8, K, K, Float32, ONE, (128, 64))
        pair, single = made(Float16, K, K, Float32, TWO, (256, 64)).thr_id, cute.make_layout(1)
        for of, cluster, thr_id, shared, blocks in (
            (blackwell_helpers.cluster_shape_to_tma_atom_A, (2, 1, 1), pair, False, 2),
            (blackwell_helpers.cluster_shape_to_tma_atom_A, (2, 2, 1), pair, True, 2),
            (blackwell_helpers.cluster_shape_to_tma_atom_B, (2, 2, 1), pair, False, 2),
            (blackwell_helpers.cluster_shape_to_tma_atom_B, (4, 1, 1), pair, True, 2),
            (blackwell_helpers.cluster_shape_to_tma_atom_B, (2, 1, 1), single, True, 1),
        ):
            op = of(cluster, thr_id)
            self.assertEqual(
                (isinstance(op, cpasync.CopyBulkTensorTileG2SMulticastOp), op.cta_group.value),
                (shared, blocks), (of, cluster))
        with self.assertRaisesRegex(ValueError, "no whole pairs along M"):
            blackwell_helpers.cluster_shape_to_tma_atom_A((1, 2, 1), pair)
        load = blackwell_helpers.get_tmem_load_op
        for rows, tile, is_pair, name in ((128, (128, 32), True, "32dp32b32x"),
                                          (64, (64, 64), True, "32dp32b32x"),
                                          (64, (64, 64), False, "16dp256b8x")):
            atom = load((rows, 64, 64), ROWS, Float16, Float32, tile, is_pair)
            self.assertIn(f"SM100_TMEM_LOAD_{name}", atom.type_text)
            lanes, bits, times, _ = blackwell_helpers.get_tmem_copy_properties(atom)
            self.assertEqual(f"{lanes}dp{bits}b{times}x", name)
            self.assertTrue(blackwell_helpers.is_tmem_load(atom))
        with self.assertRaisesRegex(ValueError, "3 columns of tensor memory are not loaded"):
            load((128, 64, 64), ROWS, Float16, Float32, (128, 3), False)
        self.assertEqual(
            str(utils.get_smem_layout_atom_ab(K, Float16, (128, 32)).name), "K_SW64")
        self.assertEqual(utils.get_smem_layout_atom_epi(ROWS, Float16, (128, 16)).name, "K_SW32")
        self.assertEqual([utils.get_divisibility(n) for n in (48, 1024, 7)], [16, 128, 1])
        self.assertIs(utils.get_transform_a_source(K), tcgen05.OperandSource.TMEM)

    def test_columns(self):
        @cute.jit
        def host():
            for rows, wanted in ((64, 32), (128, 32)):
                mma = tiled_mma(rows)
                shape = mma.partition_shape_C((rows, N))
                sums, stages = mma.make_fragment_C(shape), mma.make_fragment_C((*shape, 2))
                self.assertEqual(utils.get_num_tmem_alloc_cols(sums, False), wanted)
                self.assertEqual(utils.get_num_tmem_alloc_cols([sums] * 3), 128)
                if rows == 128:
                    self.assertEqual(utils.get_num_tmem_alloc_cols(stages), 64)
            with self.assertRaisesRegex(ValueError, "has 512 columns of tensor memory, not 1024"):
                utils.get_num_tmem_alloc_cols([sums] * 17)

        host()

    def test_tiles_of_a_ring(self):
        @cute.jit
        def host(stage: Int32, count: Int32, offset: Int32):
            return pipeline.compute_k_tile(stage, count, offset, 4)

        for offset in range(4):
            for tile in range(12):
                stage = (offset + tile) % 4
                self.assertEqual(host(stage, tile // 4, offset), tile)


class LaunchControl(unittest.TestCase):
    """Responses come as bytes by another way here; launch_control.py has the control itself."""

    def test_pipeline(self):
        @cute.kernel
        def kernel(a: cute.Tensor):
            thread = arch.thread_idx()[0]
            smem = utils.SmemAllocator()
            barriers = smem.allocate_array(cute.Int64, 2)
            near = smem.allocate_tensor(Int32, cute.make_layout(4), 16)
            one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
            all_ = pipeline.CooperativeGroup(pipeline.Agent.Thread, 64)
            asking = pipeline.PipelineClcFetchAsync.create(
                num_stages=1, producer_group=one, consumer_group=all_, tx_count=16,
                barrier_storage=barriers)
            ask = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
            read = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
            for i in range(3):
                if arch.warp_idx() == 0:
                    asking.producer_acquire(ask)
                    if thread == 0:
                        cute.copy(cute.make_copy_atom(cpasync.CopyBulkG2SOp(), Int32),
                                  cute.make_tensor((a.iterator + 4 * i).align(16), cute.make_layout(4)), near,
                                  mbar_ptr=asking.producer_get_barrier(ask))
                    ask.advance()
                asking.consumer_wait(read)
                found = near[thread % 4]
                arch.fence_loads()
                asking.consumer_release(read)
                read.advance()
                a[16 + i * 64 + thread] = found

        @cute.jit
        def run(p: cute.Pointer):
            kernel(cute.make_tensor(p, cute.make_layout(256))).launch(
                grid=(1, 1, 1), block=(64, 1, 1))

        memory = array.array("i", range(256))
        run(make_ptr(Int32, memory.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16))
        self.assertEqual(list(memory[16:208]), [4 * (i // 64) + i % 4 for i in range(192)])

    def test_instructions(self):
        @cute.kernel
        def kernel(a: cute.Tensor):
            bar = arch.alloc_smem(cute.Int64, 1)
            response = arch.alloc_smem(Int32, 4, 16)
            arch.issue_clc_query(bar, response, multicast=False)
            for i, x in enumerate(arch.clc_response(response)):
                a[i] = x

        @cute.jit
        def run(p: cute.Pointer):
            kernel(cute.make_tensor(p, cute.make_layout(4))).launch(grid=(1, 1, 1), block=(1, 1, 1))

        p = make_ptr(Int32, 16, cute.AddressSpace.gmem, assumed_align=16)
        ptx = cute.compile(run, p, options="--gpu-arch sm_100a").__ptx__
        self.assertIn("clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128", ptx)
        if shutil.which("ptxas"):
            with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
                file.write(ptx)
                file.flush()
                subprocess.run(["ptxas", "-arch=sm_100a", "-o", "/dev/null", file.name], check=True)


if __name__ == "__main__":
    unittest.main()
