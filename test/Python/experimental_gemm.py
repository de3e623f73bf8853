# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
# REQUIRES: full
"""cute.experimental: products of pairs and of clusters, their loops, sums and epilogues."""
import array
import unittest

import cute
from cute import Float16, Float32, Int32, Int128, arch
from cute import experimental as cute_ext
from cute.nvgpu import tcgen05
from cute.runtime import make_ptr
from cute.utils import blackwell_helpers as helpers

Kind, Major = cute_ext.OperationTypeEnum, tcgen05.OperandMajorMode
K, LONG, DEPTH, TAKES = 128, 192, 64, 3


class Product:
    """One tile of each block: a warp loads, one multiplies, four bring the sums to memory."""

    def __init__(self, pair, cluster, shares, parts=False):
        self.pair, self.cluster, self.shares, self.parts = pair, cluster, shares, parts
        self.tile = (256 if pair else 128, 64)
        kind = "SM100_TMA_LOAD_2SM" if pair else "SM90_TMA_LOAD"
        self.load = Kind[kind + "_MULTICAST" * shares]
        self.mma = Kind.SM100_MMA_2SM_SS if pair else Kind.SM100_MMA_1SM_SS

    @cute_ext.kernel
    def kernel(self, a: cute.Tensor, b: cute.Tensor, d: cute.Tensor, amax: cute.Tensor):
        group = tcgen05.CtaGroup.TWO if self.pair else tcgen05.CtaGroup.ONE
        mma = helpers.make_trivial_tiled_mma(Float16, Major.K, Major.K, Float32, group, self.tile)
        tiler, blocks = (*self.tile, DEPTH), 2 if self.pair else 1
        near = [cute_ext.allocate(Float16, cute.AddressSpace.smem, make(mma, tiler, Float16, 2), 1024)
                for make in (helpers.make_smem_layout_a, helpers.make_smem_layout_b)]
        sums = cute_ext.allocate(Float32, cute.AddressSpace.tmem,
                                 cute_ext.make_tmem_layout_acc(mma, tiler, 1), 16, self.pair)
        vmnk = cute.tiled_divide(cute.make_layout((*self.cluster, 1)), (blocks,))
        loads = cute_ext.TMAToUMMAPipeline.create(
            num_stages=2, mma_operation_type=self.mma, tma_operation_type=self.load,
            cluster_layout_vmnk=vmnk)
        ready = cute_ext.UMMAtoAsyncPipeline.create(
            num_stages=1, mma_operation_type=self.mma, consumer=Kind.SM100_COPY_T2R,
            consumer_arv_count=128 * blocks, cluster_layout_vmnk=vmnk)
        stores = cute_ext.TMAStorePipeline(2, 128, barrier_id=1, tma_warp_id=0)
        warp = arch.make_warp_uniform(arch.warp_idx())
        row, column, _ = arch.block_idx()
        own, leads = row % blocks, row % blocks == 0
        thread = mma.get_slice(own)
        if warp == 5:
            for i in range(K // DEPTH):
                token, stage = loads.producer_acquire_and_get_stage()
                for which in cute.range_constexpr(2):
                    name, tensor = "AB"[which], (a, b)[which]
                    height = self.tile[which] // blocks
                    place = row if which == 0 else blocks * column + own
                    buffer, more = near[which][None, None, None, stage], {}
                    if cute.const_expr(self.shares or self.parts):
                        whole = cute.local_tile(tensor, (self.tile[which], DEPTH), (None, None))
                        divide = thread.partition_A if which == 0 else thread.partition_B
                        tile = row // blocks if which == 0 else column
                        source = divide(whole)[None, None, None, tile, i]
                    else:
                        source = cute.zipped_divide(tensor, (height, DEPTH))[(None, None), (place, i)]
                        more = {"cta_v_map": cute_ext.get_cta_v_map_ab(tensor, tiler, mma, name)}
                    if cute.const_expr(self.shares):
                        cute_ext.tma_load_multicast(
                            source, buffer, token, tma_operation_type=self.load, vmnk_layout=vmnk,
                            multicast_mode=2 - which, **more)
                    else:
                        cute_ext.tma_load(source, buffer, token, tma_operation_type=self.load, **more)
                loads.producer_commit_and_advance()
            loads.producer_tail()
        if warp == 4:
            if leads:
                _, place = ready.producer_acquire_and_get_stage()
                loads, _ = cute_ext.mainloop_mma(
                    mma, *near, sums[None, None, None, place], 0, K // DEPTH, DEPTH // 16, loads, loads)
                ready.producer_commit_and_advance()
                ready.producer_tail()
        if warp < 4:
            _, place = ready.consumer_wait_and_get_stage()
            tile = cute.shape_div(tiler, (blocks, 1, 1))
            stores = cute_ext.epilogue_tma_store(
                tile, self.pair, sums[(None, None), 0, 0, place], d, (row, column),
                stores, 0, lambda x: x * 2.0, amax_out=amax)
            ready.consumer_release_and_advance()

    @cute_ext.jit
    def __call__(self, a: cute.Pointer, b: cute.Pointer, d: cute.Pointer, amax: cute.Pointer,
                 m: cute.Constexpr, n: cute.Constexpr):
        tensors = [cute.make_tensor(p, cute.make_layout(shape, stride=(shape[1], 1)))
                   for p, shape in ((a, (m, K)), (b, (n, K)), (d, (m, n)))]
        rows = m // self.tile[0] * (2 if self.pair else 1)
        self.kernel(*tensors, cute.make_tensor(amax, cute.make_layout(1))).launch(
            grid=(rows, n // self.tile[1], 1), block=192, cluster=(*self.cluster, 1))


@cute_ext.kernel
def overlapping(a: cute.Tensor, b: cute.Tensor, d: cute.Tensor, plan_of: cute.Constexpr):
    """Three tiles along N of a block: the sums of one while the one before is stored."""
    mma = helpers.make_trivial_tiled_mma(
        Float16, Major.K, Major.K, Float32, tcgen05.CtaGroup.ONE, (128, 64))
    tiler = (128, 64, DEPTH)
    near_a, near_b = (
        cute_ext.allocate(Float16, cute.AddressSpace.smem, make(mma, tiler, Float16, 2), 1024)
        for make in (helpers.make_smem_layout_a, helpers.make_smem_layout_b))
    plan = plan_of(cute_ext.make_tmem_layout_acc(mma, tiler, 1))
    sums = cute_ext.allocate(Float32, cute.AddressSpace.tmem, plan.storage_layout, 16)
    loads = cute_ext.TMAToUMMAPipeline.create(num_stages=2, mma_operation_type=Kind.SM100_MMA_1SM_SS)
    ready = cute_ext.UMMAtoAsyncPipeline.create(
        num_stages=plan.synchronization_depth, mma_operation_type=Kind.SM100_MMA_1SM_SS,
        consumer=Kind.SM100_COPY_T2R, consumer_arv_count=128)
    stores = cute_ext.TMAStorePipeline(2, 128, barrier_id=1, tma_warp_id=0)
    warp = arch.make_warp_uniform(arch.warp_idx())
    thread = mma.get_slice(0)
    parts_a = thread.partition_A(cute.local_tile(a, (128, DEPTH), (None, None)))
    parts_b = thread.partition_B(cute.local_tile(b, (64, DEPTH), (None, None)))
    if warp == 5:
        for j in range(3):
            for i in range(K // DEPTH):
                token, stage = loads.producer_acquire_and_get_stage()
                cute_ext.tma_load(parts_a[None, None, None, 0, i], near_a[None, None, None, stage], token)
                cute_ext.tma_load(parts_b[None, None, None, j, i], near_b[None, None, None, stage], token)
                loads.producer_commit_and_advance()
        loads.producer_tail()
    if warp == 4:
        for j in range(3):
            view = plan.producer_acquire_and_get_view(ready, sums)
            loads, _ = cute_ext.mainloop_mma(
                mma, near_a, near_b, view, 0, K // DEPTH, DEPTH // 16, loads, loads)
            ready.producer_commit_and_advance()
        ready.producer_tail()
    if warp < 4:
        for j in range(3):
            view, drain = plan.consumer_wait_and_get_view(ready, sums)
            stores, ready = cute_ext.epilogue_tma_store(
                tiler, False, view[(None, None), 0, 0], d, (0, j), stores, 0, lambda x: x,
                accumulator_drain=drain)


@cute_ext.kernel
def in_units(a: cute.Tensor, b: cute.Tensor, d: cute.Tensor):
    """A tile whose stages have 4 products along K; an iteration takes ``TAKES`` of them."""
    mma = helpers.make_trivial_tiled_mma(
        Float16, Major.K, Major.K, Float32, tcgen05.CtaGroup.ONE, (128, 64))
    tiler, count = (128, 64, DEPTH), DEPTH // 16
    near_a, near_b = (
        cute_ext.allocate(Float16, cute.AddressSpace.smem, make(mma, tiler, Float16, 2), 1024)
        for make in (helpers.make_smem_layout_a, helpers.make_smem_layout_b))
    sums = cute_ext.allocate(Float32, cute.AddressSpace.tmem,
                             cute_ext.make_tmem_layout_acc(mma, tiler, 1), 16)
    loads = cute_ext.TMAToUMMACircularPipeline.create(
        num_stages=2, mma_operation_type=Kind.SM100_MMA_1SM_SS, count_per_stage=count,
        count_per_iteration=TAKES)
    ready = cute_ext.UMMAtoAsyncPipeline.create(
        num_stages=1, mma_operation_type=Kind.SM100_MMA_1SM_SS, consumer=Kind.SM100_COPY_T2R,
        consumer_arv_count=128)
    stores = cute_ext.TMAStorePipeline(2, 128, barrier_id=1, tma_warp_id=0)
    warp = arch.make_warp_uniform(arch.warp_idx())
    thread = mma.get_slice(0)
    parts_a = thread.partition_A(cute.local_tile(a, (128, DEPTH), (None, None)))
    parts_b = thread.partition_B(cute.local_tile(b, (64, DEPTH), (None, None)))
    if warp == 5:
        for i in range(LONG // DEPTH):
            token, stage = loads.producer_acquire_and_get_stage()
            cute_ext.tma_load(parts_a[None, None, None, 0, i], near_a[None, None, None, stage], token)
            cute_ext.tma_load(parts_b[None, None, None, 0, i], near_b[None, None, None, stage], token)
            loads.producer_commit_and_advance()
        loads.producer_tail()
    if warp == 4:
        _, place = ready.producer_acquire_and_get_stage()
        atom = cute.make_mma_atom(mma.op)
        atom.set(tcgen05.Field.ACCUMULATE, False)
        for i in range(LONG // 16 // TAKES):
            loads.consumer_wait()
            for k in cute.range_constexpr(TAKES):
                unit = (TAKES * i + k) % (2 * count)
                parts = [t[None, None, unit % count, unit // count] for t in (near_a, near_b)]
                cute_ext.dot(atom, *[cute.append_ones(t, up_to_rank=3) for t in parts],
                             sums[None, None, None, place])
                atom.set(tcgen05.Field.ACCUMULATE, True)
            loads.consumer_release_and_advance()
        ready.producer_commit_and_advance()
        ready.producer_tail()
    if warp < 4:
        _, place = ready.consumer_wait_and_get_stage()
        cute_ext.epilogue_tma_store(tiler, False, sums[(None, None), 0, 0, place], d, (0, 0), stores,
                                    0, lambda x: x)
        ready.consumer_release_and_advance()


@cute_ext.kernel
def controlled(out: cute.Tensor):
    """Each cluster of two blocks counts the tiles that the launch control gives it."""
    responses = cute_ext.allocate(Int128, cute.AddressSpace.smem, cute.make_layout(1), alignment=128)
    pipe = cute_ext.CLCPipeline.create(
        num_stages=1, consumer_arv_count=32 * 3, response_buffer=responses)
    warp, rank = arch.make_warp_uniform(arch.warp_idx()), arch.block_idx_in_cluster()
    tile, is_valid = arch.block_idx()[0], Int32(1)
    if warp == 0:
        if rank == 0:
            while is_valid != 0:
                pipe.producer_acquire()
                pipe.issue_next()
                pipe.producer_commit_and_advance()
                pipe.consumer_wait()
                _, _, _, is_valid = arch.clc_response(pipe.get_response_ptr(0))
                arch.fence_proxy("async.shared", space="cta")
                pipe.consumer_release_and_advance()
            pipe.producer_tail()
    else:
        while is_valid != 0:
            if arch.lane_idx() == 0:
                arch.atomic_add(out.iterator + tile, Int32(1))
            pipe.consumer_wait()
            first, _, _, is_valid = arch.clc_response(pipe.get_response_ptr(0))
            tile = first + rank
            arch.fence_proxy("async.shared", space="cta")
            pipe.consumer_release_and_advance()


def pointer(kind, memory):
    """(first element used, pointer): of 16 bytes, as TMA needs."""
    size = memory.itemsize
    first = -memory.buffer_info()[0] % 16 // size
    address = memory.buffer_info()[0] + size * first
    return first, make_ptr(kind, address, cute.AddressSpace.gmem, assumed_align=16)


HALVES = {-2: 0xC000, -1: 0xBC00, 0: 0, 1: 0x3C00, 2: 0x4000}


def operands(m, n, K=K):
    """Two matrices as whole numbers, and as memory of halves."""
    a = [(7 * i + i // 11) % 5 - 2 for i in range(m * K)]
    b = [(3 * i + i // 7) % 3 - 1 for i in range(n * K)]
    return [(x, array.array("H", [0] * 8 + [HALVES[v] for v in x] + [0] * 8)) for x in (a, b)]


def shifted(memory, values):
    first, place = pointer(Float16, memory)
    for i, v in enumerate(values):
        memory[first + i] = HALVES[v]
    return place


class Products(unittest.TestCase):
    def check(self, run, m, n, factor, K=K):
        (a, halves_a), (b, halves_b) = operands(m, n, K)
        result = array.array("f", [0.5] * (m * n + 4))
        first, d = pointer(Float32, result)
        run(shifted(halves_a, a), shifted(halves_b, b), d)
        largest = 0
        for i in range(0, m, 5):
            row = a[i * K : i * K + K]
            for j in range(0, n, 7):
                wanted = sum(map(int.__mul__, row, b[j * K : j * K + K]))
                self.assertEqual(result[first + i * n + j], factor * wanted, (i, j))
                largest = max(largest, abs(wanted))
        return largest

    def test_tiles(self):
        for pair, cluster, shares, parts, m, n in (
            (False, (1, 1), False, True, 128, 64),
            (False, (2, 2), True, False, 256, 128),
            (True, (2, 1), False, False, 256, 64),
            (True, (2, 1), False, True, 256, 64),
            (True, (4, 2), True, False, 512, 128),
        ):
            with self.subTest(pair=pair, cluster=cluster):
                amax = array.array("f", [0.0] * 8)
                at, place = pointer(Float32, amax)
                product = Product(pair, cluster, shares, parts)
                largest = self.check(lambda *p: product(*p, place, m, n), m, n, 2)
                self.assertGreaterEqual(amax[at], largest)

    def test_overlapping_sums(self):
        for allow, capacity, kind in ((True, 96, "OVERLAPPING"), (False, 512, "DISJOINT")):
            def plan(layout):
                made = cute_ext.plan_accumulator_buffering(
                    one_stage_layout=layout, accumulator_dtype=Float32, epilogue_subtile_columns=32,
                    tmem_capacity_columns=capacity, allow_overlap=allow)
                self.assertEqual(made.kind.name, kind)
                return made

            @cute_ext.jit
            def run(a: cute.Pointer, b: cute.Pointer, d: cute.Pointer):
                tensors = [cute.make_tensor(p, cute.make_layout(shape, stride=(shape[1], 1)))
                           for p, shape in ((a, (128, K)), (b, (192, K)), (d, (128, 192)))]
                overlapping(*tensors, plan).launch(grid=1, block=192)

            self.check(run, 128, 192, 1)

    def test_units_of_stages(self):
        @cute_ext.jit
        def run(a: cute.Pointer, b: cute.Pointer, d: cute.Pointer):
            tensors = [cute.make_tensor(p, cute.make_layout(shape, stride=(shape[1], 1)))
                       for p, shape in ((a, (128, LONG)), (b, (64, LONG)), (d, (128, 64)))]
            in_units(*tensors).launch(grid=1, block=192)

        self.check(run, 128, 64, 1, LONG)

    def test_launch_control(self):
        counts = array.array("i", [0] * 24)

        @cute_ext.jit
        def run(out: cute.Pointer):
            controlled(cute.make_tensor(out, cute.make_layout(24))).launch(
                grid=24, block=64, cluster=2)

        run(make_ptr(Int32, counts.buffer_info()[0], cute.AddressSpace.gmem))
        self.assertEqual(counts.tolist(), [1] * 24)


class Plans(unittest.TestCase):
    SUMS = cute.make_layout(((128, 128), 1, 1, 1), stride=((65536, 1), 0, 0, 0))

    def plan(self, **options):
        return cute_ext.plan_accumulator_buffering(
            one_stage_layout=self.SUMS, accumulator_dtype=Float32, epilogue_tile=(128, 32), **options)

    def test_plans(self):
        rest = [cute_ext.TmemAllocationRequest("scales", 100, 16)]
        apart = self.plan(auxiliary_tmem_allocations=rest)
        self.assertEqual((apart.kind.name, apart.storage_depth, apart.allocation_offsets,
                          apart.packed_columns, str(apart.storage_layout)),
                         ("DISJOINT", 2, (256,), 356, "((128,128),1,1,2):((65536,1),0,0,128)"))
        single = self.plan(tmem_capacity_columns=255)
        self.assertEqual((single.storage_depth, single.uses_overlap), (1, False))
        close = self.plan(tmem_capacity_columns=200, allow_overlap=True)
        self.assertEqual((close.overlap_columns, close.stage_stride_columns, close.physical_columns,
                          close.release_after_t2r_ordinal, close.synchronization_depth),
                         (64, 64, 192, 1, 1))

    def test_rejected(self):
        for words, options in (
            ("take 128 columns of 100", {"tmem_capacity_columns": 100}),
            ("parts of 48 columns do not divide the 128", {"epilogue_subtile_columns": 48}),
        ):
            with self.assertRaisesRegex(ValueError, words):
                self.plan(**options)
        with self.assertRaisesRegex(ValueError, "a column has 4 bytes"):
            cute_ext.TmemAllocationRequest.from_layout("x", self.SUMS, Float32, alignment_bytes=6)


if __name__ == "__main__":
    unittest.main()
