# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Tasks of a pair of blocks: TMA of both, products of the first, results of both."""
import dataclasses
import unittest
from typing import Any

import cute
from cute import Float16, Float32, Int32, arch, pipeline, utils
from cute.nvgpu import cpasync, tcgen05
from cute.task_scheduling import consumer_work, domain_loop, producer_work, schedule
from cute.task_scheduling.enums import SignalingThreads
from cute.task_scheduling.resources import MemoryResource, PipelineConfig, StageInfo
from cute.task_scheduling.task import Task
from cute.task_scheduling.task_manager import TaskManager
from cute.utils import blackwell_helpers

M, N, TILE_K, STAGES, THREADS = 128, 64, 64, 2, 192
GROUP, K = tcgen05.CtaGroup.TWO, tcgen05.OperandMajorMode.K


@dataclasses.dataclass(eq=False)
class Operands(MemoryResource):
    moves: Any = None
    parts: Any = None

    @producer_work
    @cute.jit
    def load(self, stage_info: StageInfo):
        for atom, far, near in self.moves:
            cute.copy(atom, far[None, stage_info.loop_offset], near[None, stage_info.stage_idx],
                      tma_bar_ptr=stage_info.barrier.ptr)

    @consumer_work
    @cute.jit
    def read(self, stage_info: StageInfo):
        mma, sums, a, b = self.parts
        for k in cute.range_constexpr(TILE_K // 16):
            at = (None, None, k, stage_info.stage_idx)
            mma.set(tcgen05.Field.ACCUMULATE, (stage_info.loop_offset > 0) | (k > 0))
            cute.gemm(mma, sums, a[at], b[at], sums)


@dataclasses.dataclass(eq=False)
class Sums(MemoryResource):
    target: Any = None

    @consumer_work
    @cute.jit
    def store(self, stage_info: StageInfo):
        sums, result, thread = self.target
        atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), Float32)
        copy = tcgen05.make_tmem_copy(atom, sums[None, 0, 0]).get_slice(thread)
        stored = copy.partition_D(result[None, 0, 0])
        registers = cute.make_rmem_tensor(stored.shape, Float32)
        cute.copy(copy, copy.partition_S(sums[None, 0, 0]), registers)
        cute.autovec_copy(registers, stored)


@cute.kernel
def product(mma, load_a, a, load_b, b, c, layout_a: cute.ComposedLayout,
            layout_b: cute.ComposedLayout, cluster: cute.Layout):
    rank, thread = arch.block_idx_in_cluster(), arch.thread_idx()[0]
    smem = utils.SmemAllocator()
    slot, last = smem.allocate_array(Int32, 1), smem.allocate_array(cute.Int64, 1)
    tile_a = smem.allocate_tensor(Float16, layout_a.outer, 128, swizzle=layout_a.inner)
    tile_b = smem.allocate_tensor(Float16, layout_b.outer, 128, swizzle=layout_b.inner)
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, THREADS), is_two_cta=True,
                                 two_cta_tmem_dealloc_mbar_ptr=last)
    memory.allocate(64)
    part = mma.get_slice(rank)
    moves = []
    for atom, x, tile, rows, split in ((load_a, a, tile_a, 2 * M, part.partition_A),
                                       (load_b, b, tile_b, N, part.partition_B)):
        far = cute.group_modes(split(cute.local_tile(x, (rows, TILE_K), (0, None))), 0, 3)
        near, far = cpasync.tma_partition(atom, 0, cute.make_layout(1),
                                          cute.group_modes(tile, 0, 3), far)
        moves.append((atom, far, near))
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    sums = cute.make_tensor(
        place, mma.make_fragment_C(mma.partition_shape_C((2 * M, N))).layout)
    one, leader = pipeline.CooperativeGroup(pipeline.Agent.Thread), SignalingThreads.CtaLeader
    bytes_ = (2 * M + N) * TILE_K * 2
    operands = Operands(name="operands", pipeline_config=PipelineConfig.create_tma_umma_pipeline_cfg(
        STAGES, bytes_, one, one, cluster, consumer_signaling_threads=leader))
    operands.moves = tuple(moves)
    operands.parts = (mma, sums, mma.make_fragment_A(tile_a), mma.make_fragment_B(tile_b))
    result = Sums(name="sums", pipeline_config=PipelineConfig.create_umma_async_pipeline_cfg(
        1, one, pipeline.CooperativeGroup(pipeline.Agent.Thread, 256), cluster,
        producer_signaling_threads=leader))
    result.target = (sums, part.partition_C(c), thread)
    count = cute.size(a, mode=[1]) // TILE_K

    @schedule
    def fill(operands: Operands):
        with domain_loop(count):
            operands.acquire()
            operands.load()
            operands.commit()

    @schedule
    def multiply(operands: Operands, sums: Sums):
        sums.acquire()
        with domain_loop(count):
            operands.wait()
            operands.read()
            operands.release()
        sums.commit()

    @schedule
    def store(sums: Sums):
        sums.wait()
        sums.store()
        sums.release()

    tasks = [
        Task([result], [], 0, 4, schedule=store(result), name="store"),
        Task([operands], [result], 4, 1, schedule=multiply(operands, result), name="multiply",
             run_only_on_cta_id=0),
        Task([], [operands], 5, 1, schedule=fill(operands), name="fill"),
    ]
    manager = TaskManager(tasks, {result: [operands]})
    manager.setup_resources_and_tasks()
    manager.run()
    memory.relinquish_alloc_permit()
    pipeline.sync(barrier_id=1)
    memory.free(place)


@cute.jit
def launch(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    mma = cute.make_tiled_mma(tcgen05.MmaF16BF16Op(
        Float16, Float32, (2 * M, N, 16), GROUP, tcgen05.OperandSource.SMEM, K, K))
    tile = (2 * M, N, TILE_K)
    layout_a = blackwell_helpers.make_smem_layout_a(mma, tile, Float16, STAGES)
    layout_b = blackwell_helpers.make_smem_layout_b(mma, tile, Float16, STAGES)
    cluster = cute.tiled_divide(cute.make_layout((2, 1, 1)), (mma.thr_id,))
    op = cpasync.CopyBulkTensorTileG2SOp(GROUP)
    load_a, from_a = cute.nvgpu.make_tiled_tma_atom_A(op, a, layout_a, tile, mma, cluster.shape)
    load_b, from_b = cute.nvgpu.make_tiled_tma_atom_B(op, b, layout_b, tile, mma, cluster.shape)
    product(mma, load_a, from_a, load_b, from_b, c, layout_a, layout_b, cluster).launch(
        grid=(2, 1, 1), block=(THREADS, 1, 1), cluster=(2, 1, 1))


class Pairs(unittest.TestCase):
    def test_product(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        random, k = np.random.default_rng(5), 3 * TILE_K
        a = random.integers(-3, 4, (2 * M, k)).astype(np.float16)
        b = random.integers(-3, 4, (N, k)).astype(np.float16)
        c = np.full((2 * M, N), np.nan, np.float32)
        launch(*(from_dlpack(x, assumed_align=16) for x in (a, b, c)))
        self.assertTrue((c == a.astype(np.float64) @ b.astype(np.float64).T).all())


if __name__ == "__main__":
    unittest.main()
