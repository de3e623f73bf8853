# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a CUTE_SIM=schedule=3 %python %s
"""Schedulers by the launch control: every tile once, whichever cluster computes it; and clusters
of two sizes."""

import array
import os
import unittest

import cute
from cute import Int32, arch, experimental, pipeline, utils
from cute.runtime import make_ptr

TILES, CLUSTER = (4, 6, 2), (2, 1, 1)
SCHEDULER, WARPS = 0, 2


@cute.kernel
def count_tiles(a: cute.Tensor, params: utils.ClcDynamicPersistentTileSchedulerParams):
    """Adds 1 to a tile's element, by warp 1; warp 0 of a cluster's first block asks."""
    warp, rank = arch.warp_idx(), arch.block_idx_in_cluster()
    smem = utils.SmemAllocator()
    barriers = smem.allocate_array(cute.Int64, 2)
    response = smem.allocate_array(Int32, 4, 16)
    readers = 32 * (1 + CLUSTER[0] * (WARPS - 1))
    asking = pipeline.PipelineClcFetchAsync.create(
        num_stages=1, producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, readers), tx_count=16,
        barrier_storage=barriers,
        cta_layout_vmnk=cute.tiled_divide(cute.make_layout(CLUSTER), (1,)))
    scheduler = utils.ClcDynamicPersistentTileScheduler.create(
        params, arch.block_idx(), arch.grid_dim(), response)
    work = scheduler.initial_work_tile_info()
    read = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
    if warp == SCHEDULER and rank == 0:
        ask = pipeline.make_pipeline_state(pipeline.PipelineUserType.ProducerConsumer, 1)
        while work.is_valid_tile:
            asking.producer_acquire(ask)
            scheduler.advance_to_next_work(asking.producer_get_barrier(ask))
            ask.advance()
            asking.consumer_wait(read)
            work = scheduler.get_current_work()
            asking.consumer_release(read)
            read.advance()
        asking.producer_tail(ask)
    if warp == 1:
        while work.is_valid_tile:
            m, n, batch = work.tile_idx
            if arch.lane_idx() == 0 and m < TILES[0]:
                a[m, n, batch] = a[m, n, batch] + 1
            asking.consumer_wait(read)
            work = scheduler.get_current_work()
            asking.consumer_release(read)
            read.advance()
    arch.cluster_arrive()
    arch.cluster_wait()


@cute.kernel
def count_static(a: cute.Tensor, params: utils.PersistentTileSchedulerParams):
    """Adds 1 to the elements of the block's tiles."""
    scheduler = utils.StaticPersistentTileScheduler.create(
        params, arch.block_idx(), arch.grid_dim())
    work = scheduler.initial_work_tile_info()
    while work.is_valid_tile:
        m, n, batch = work.tile_idx
        if m < TILES[0] and n < TILES[1]:
            a[m, n, batch] = a[m, n, batch] + 1
        scheduler.advance_to_next_work()
        work = scheduler.get_current_work()


@cute.kernel
def count_in_steps(a: cute.Tensor, params: utils.ClcDynamicPersistentTileSchedulerParams):
    """Adds 1 to the elements of a block's tiles; all blocks of a cluster, of either shape, ask and
    read together."""
    smem = utils.SmemAllocator()
    bar, response = smem.allocate_array(cute.Int64, 1), smem.allocate_array(Int32, 4, 16)
    scheduler = utils.ClcDynamicPersistentTileScheduler.create(
        params, arch.block_idx(), arch.grid_dim(), response)
    is_first = arch.thread_idx()[0] == 0
    if is_first:
        arch.mbarrier_init(bar, 1)
    arch.mbarrier_init_fence()
    work, phase = scheduler.initial_work_tile_info(), Int32(0)
    while work.is_valid_tile:
        m, n, batch = work.tile_idx
        if is_first and m < TILES[0] and n < TILES[1]:
            a[m, n, batch] = a[m, n, batch] + 1
            arch.mbarrier_arrive_and_expect_tx(bar, 16)
        elif is_first:
            arch.mbarrier_arrive_and_expect_tx(bar, 16)
        arch.cluster_arrive()
        arch.cluster_wait()
        if arch.block_idx_in_cluster() == 0:
            scheduler.advance_to_next_work(bar)
        arch.mbarrier_wait(bar, phase)
        phase = 1 - phase
        work = scheduler.work_tile_info_from_clc_response(response)
        arch.cluster_arrive()
        arch.cluster_wait()


def counts_in_steps(cluster, fallback, **order):
    @cute.jit
    def run(p: cute.Pointer):
        params = utils.ClcDynamicPersistentTileSchedulerParams(
            TILES, cluster, fallback_cluster_shape_mnk=fallback, **order)
        count_in_steps(cute.make_tensor(p, cute.make_layout(TILES)), params).launch(
            grid=params.get_grid_shape(), block=32, cluster=cluster, fallback_cluster=fallback)

    memory = array.array("i", [0] * cute.size(TILES))
    run(make_ptr(Int32, memory.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16))
    return set(memory)


def counts_of_static(cluster, fallback, **order):
    """How often each tile was computed, by 3 clusters or as many blocks in smaller ones."""
    @cute.jit
    def run(p: cute.Pointer):
        params = utils.PersistentTileSchedulerParams(
            TILES, cluster, fallback_cluster_shape_mnk=fallback, **order)
        count_static(cute.make_tensor(p, cute.make_layout(TILES)), params).launch(
            grid=params.get_grid_shape(3), block=1, cluster=cluster, fallback_cluster=fallback)

    memory = array.array("i", [0] * cute.size(TILES))
    run(make_ptr(Int32, memory.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16))
    return set(memory)


def counts(tiles, **order):
    """How often each tile was computed."""
    @cute.jit
    def run(p: cute.Pointer):
        params = utils.ClcDynamicPersistentTileSchedulerParams(tiles, CLUSTER, **order)
        grid = utils.ClcDynamicPersistentTileScheduler.get_grid_shape(params)
        count_tiles(cute.make_tensor(p, cute.make_layout(tiles)), params).launch(
            grid=grid, block=(32 * WARPS, 1, 1), cluster=CLUSTER)

    memory = array.array("i", [0] * cute.size(tiles))
    run(make_ptr(Int32, memory.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16))
    return set(memory)


class Schedulers(unittest.TestCase):
    def test_every_tile_is_computed_once(self):
        self.assertEqual(counts(TILES), {1})

    def test_orders(self):
        self.assertEqual(counts(TILES, raster_along_m=False), {1})
        self.assertEqual(counts(TILES, swizzle_size=2), {1})
        self.assertEqual(counts(TILES, swizzle_size=2, raster_along_m=False), {1})

    def test_clusters_of_two_shapes(self):
        """Each tile is computed once, whichever shape the clusters have."""
        for cluster, fallback in (([4, 2, 1], [2, 1, 1]), ([2, 3, 1], [1, 1, 1]), ([4, 2, 1], [4, 1, 1])):
            for order in ({}, dict(raster_along_m=False), dict(swizzle_size=2)):
                self.assertEqual(counts_of_static(cluster, fallback, **order), {1})
                self.assertEqual(counts_in_steps(cluster, fallback, **order), {1})

    def test_grids_are_whole_clusters(self):
        params = utils.ClcDynamicPersistentTileSchedulerParams((3, 6, 2), CLUSTER)
        self.assertEqual(params.get_grid_shape(), (4, 6, 2))
        params = utils.ClcDynamicPersistentTileSchedulerParams((3, 6, 2), CLUSTER, 2)
        self.assertEqual(params.get_grid_shape(), (2, 1, 24))


@cute.kernel
def note_cluster(a: cute.Tensor):
    block = arch.block_idx()[0]
    is_preferred = experimental.is_preferred_cluster((4, 1, 1))
    a[block] = 100 * is_preferred.to(Int32) + 10 * arch.block_in_cluster_dim()[0] + (
        arch.block_idx_in_cluster())


class PreferredClusters(unittest.TestCase):
    """Blocks run in clusters of either size, which the schedule chooses."""

    def run_in(self, cluster, fallback):
        @cute.jit
        def run(p: cute.Pointer):
            note_cluster(cute.make_tensor(p, cute.make_layout(8))).launch(
                grid=8, block=1, cluster=cluster, fallback_cluster=fallback)

        memory = array.array("i", [0] * 8)
        run(make_ptr(Int32, memory.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16))
        return list(memory)

    def test_sizes(self):
        falls_back = "schedule=3" in os.environ.get("CUTE_SIM", "")
        four = [140 + i % 4 for i in range(8)]
        self.assertEqual(self.run_in([4, 1, 1], [2, 1, 1]),
                         [20 + i % 2 for i in range(8)] if falls_back else four)
        self.assertEqual(self.run_in([4, 1, 1], [4, 1, 1]), four)

    def test_rejected(self):
        for cluster, fallback in (([4, 1, 1], [3, 1, 1]), ([4, 1, 2], [2, 1, 1]), (None, [2, 1, 1])):
            with self.assertRaisesRegex(ValueError, "does not divide the cluster"):
                self.run_in(cluster, fallback)


class NumberedBarriers(unittest.TestCase):
    """Barrier 0, which sync_threads uses, of some threads."""

    def test_barrier_0(self):
        @cute.kernel
        def kernel(a: cute.Tensor):
            thread = arch.thread_idx()[0]
            near = utils.SmemAllocator().allocate_tensor(Int32, cute.make_layout(128))
            near[thread] = 2 * thread
            if thread >= 64:
                arch.barrier_arrive(barrier_id=0, number_of_threads=128)
            else:
                arch.barrier(barrier_id=0, number_of_threads=128)
                a[thread] = near[127 - thread]

        @cute.jit
        def run(p: cute.Pointer):
            kernel(cute.make_tensor(p, cute.make_layout(64))).launch(
                grid=(1, 1, 1), block=(128, 1, 1))

        memory = array.array("i", [0] * 64)
        run(make_ptr(Int32, memory.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16))
        self.assertEqual(list(memory), [2 * (127 - i) for i in range(64)])


if __name__ == "__main__":
    unittest.main()
