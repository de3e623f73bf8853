# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Tasks whose resources share barriers, and pipelines whose sides go on by other stages."""

import ctypes
import dataclasses
import types
import unittest
from typing import Any

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import Int32, pipeline
from cutlass.cute.nvgpu import cpasync
from cutlass.experimental.task_scheduling import (
    consumer_work, domain_loop, producer_work, schedule,
)
from cutlass.experimental.task_scheduling.enums import (
    FIRST_ITER, LAST_ITER, SKIPPABLE, LoopGuard, OpaqueCondition, PipelineGroupMode, PipelineType,
    SignalingThreads, WorkAttr, guard_fires, is_skippable_guard,
)
from cutlass.experimental.task_scheduling import pipeline as pipelines
from cutlass.experimental.task_scheduling.memory import SmemAllocation, SmemAllocator
from cutlass.experimental.task_scheduling.pipeline_group import PipelineGroup
from cutlass.experimental.task_scheduling.resources import (
    MemoryResource, PipelineConfig, StageInfo, TaskLocalVariable,
)
from cutlass.experimental.task_scheduling.task import ScheduleError, Task
from cutlass.experimental.task_scheduling.task_manager import TaskManager

COUNT = 6


def group(size):
    return pipeline.CooperativeGroup(pipeline.Agent.Thread, size)


def threads(stages, producers=32, consumers=32, **more):
    return PipelineConfig.create_async_async_pipeline_cfg(
        stages, group(producers), group(consumers), (1, 1, 1, 1), **more)


@dataclasses.dataclass
class Tile(MemoryResource):
    """Rows of 32 numbers in shared memory, by stages."""

    value: cutlass.Constexpr[TaskLocalVariable] = TaskLocalVariable.uninitialized()
    part: cutlass.Constexpr[Any] = dataclasses.field(init=False, default=None)

    def __init__(self, **named):
        super().__init__(**named)
        self.value = TaskLocalVariable(dtype=Int32, default=Int32(0))
        self.part = SmemAllocation("rows", dtype=Int32, count=32 * self.pipeline_config.num_stages)

    def get_smem_requirements(self):
        return [self.part]

    @cute.jit
    def place(self, stage_info):
        base = stage_info.context.smem_base.data_ptr() + self.part.offset
        near = cutlass.Array(base, dtype=Int32, shape=self.part.count, addrspace=3)
        return near, stage_info.stage_idx * 32 + cute.arch.thread_idx()[0] % 32

    @producer_work
    @cute.jit
    def write(self, stage_info: StageInfo, *, factor: cutlass.Constexpr[int]):
        near, at = self.place(stage_info)
        near[at] = (stage_info.loop_offset + 1) * factor

    @consumer_work(returns=value)
    @cute.jit
    def take(self, stage_info: StageInfo):
        near, at = self.place(stage_info)
        return near[at]


@dataclasses.dataclass(kw_only=True)
class Sums(MemoryResource):
    out: Any
    total: Any = dataclasses.field(init=False, default=None)

    @cute.jit
    def producer_aux_work(self, stage_info: StageInfo):
        self.total = Int32(0)

    @producer_work
    @cute.jit
    def add(self, stage_info: StageInfo, value: Int32):
        self.total = self.total * 3 + value

    @cute.jit
    def producer_work(self, stage_info: StageInfo):
        self.out[cute.arch.thread_idx()[0]] = self.total


def run(tasks, graph, tiles, groups=()):
    allocator = SmemAllocator()
    for tile in tiles:
        allocator.add_resource(tile)
    for one in groups:
        allocator.add_pipeline_group(one)
    allocator.compute_layout()
    manager = TaskManager(tasks, graph, smem_allocator=allocator)
    manager.setup_resources_and_tasks()
    manager.run()
    return allocator


def fill(factor, count=COUNT, first=0, step=1):
    @schedule
    def write(tile: Tile):
        with domain_loop(first, count, step):
            tile.acquire()
            tile.write(factor=factor)
            tile.commit()

    return write


@cute.kernel
def merge(out: cute.Tensor, mode: cutlass.Constexpr):
    a, b = (Tile(name=name, pipeline_config=threads(2)) for name in "ab")
    both = PipelineGroup(name="both", members=[a, b], mode=mode)
    sums = Sums(name="sums", out=out)

    @schedule
    def add(both: PipelineGroup, a: Tile, b: Tile, sums: Sums):
        sums.producer_aux_work()
        with domain_loop(COUNT):
            if mode is PipelineGroupMode.FusedMerge:
                both.wait()
            else:
                a.wait()
            sums.add(a.take())
            if mode is PipelineGroupMode.Merge:
                b.try_wait()
                b.wait()
            sums.add(b.take())
            both.release()
        sums.producer_work()

    tasks = [Task([], [a], 0, 1, schedule=fill(1)(both.a), name="a"),
             Task([], [b], 1, 1, schedule=fill(7)(both.b), name="b"),
             Task([a, b], [sums], 2, 1, schedule=add(both, both.a, both.b, sums), name="sums")]
    allocator = run(tasks, {sums: [a, b]}, [a, b], [both])
    wanted = 2 if mode is PipelineGroupMode.FusedMerge else 3
    assert allocator.barrier_smem_bytes == 8 * 2 * wanted


@cute.kernel
def fork(out: cute.Tensor, wide: cutlass.Constexpr):
    a, b = (Tile(name=name, pipeline_config=threads(2)) for name in "ab")
    both = PipelineGroup(name="both", members=[a, b], mode=PipelineGroupMode.Fork)
    first, second = (Sums(name=name, out=out) for name in ("first", "second"))

    @schedule
    def write(both: PipelineGroup, a: Tile, b: Tile):
        with domain_loop(COUNT):
            a.acquire()
            a.write(factor=2)
            b.acquire()
            b.write(factor=5)
            both.commit()

    @schedule
    def add(tile: Tile, sums: Sums):
        sums.producer_aux_work()
        with domain_loop(COUNT):
            tile.wait()
            sums.add(tile.take())
            tile.release()
        sums.producer_work()

    tasks = [Task([], [a, b], 0, 1, schedule=write(both, both.a, both.b), name="write"),
             Task([a], [first], 1, 1, schedule=add(both.a, first), name="first"),
             Task([b], [second], 2, 1, schedule=add(both.b, second), name="second")]
    run(tasks, {first: [a], second: [b]}, [a, b], [both])


@cute.kernel
def ahead(out: cute.Tensor, stages: cutlass.Constexpr):
    """The consumer holds a stage while it waits for the next, as the producer does."""
    config = dataclasses.replace(threads(stages, advance_on_acquire=True), advance_on_wait=True)
    tile, sums = Tile(name="tile", pipeline_config=config), Sums(name="sums", out=out)

    @schedule
    def write(tile: Tile):
        with domain_loop(COUNT // 2):
            tile.acquire()
            tile.write(factor=3)
            tile.acquire()
            tile.write(factor=4)
            tile.commit()
            tile.commit()

    @schedule
    def add(tile: Tile, sums: Sums):
        sums.producer_aux_work()
        with domain_loop(COUNT // 2):
            tile.wait()
            sums.add(tile.take())
            tile.wait()
            sums.add(tile.take())
            tile.release()
            tile.release()
        sums.producer_work()

    tasks = [Task([], [tile], 0, 1, schedule=write(tile), name="write"),
             Task([tile], [sums], 1, 1, schedule=add(tile, sums), name="add")]
    run(tasks, {sums: [tile]}, [tile])


@cute.kernel
def interleaved(out: cute.Tensor, stages: cutlass.Constexpr):
    """Two warps fill every other stage; two tasks read them, by where their loops begin."""
    tile = Tile(name="tile", pipeline_config=threads(stages, interleave_stride=2))
    even, odd = (Sums(name=name, out=out) for name in ("even", "odd"))

    def add(first):
        @schedule
        def work(tile: Tile, sums: Sums):
            sums.producer_aux_work()
            with domain_loop(first, COUNT, 2):
                tile.wait()
                sums.add(tile.take())
                tile.release()
            sums.producer_work()

        return work

    tasks = [Task([], [tile], 0, 2, schedule=fill(2, COUNT // 2)(tile), name="write"),
             Task([tile], [even], 2, 1, schedule=add(0)(tile, even), name="even"),
             Task([tile], [odd], 3, 1, schedule=add(1)(tile, odd), name="odd")]
    run(tasks, {even: [tile], odd: [tile]}, [tile])


@dataclasses.dataclass
class Copied(Tile):
    """Rows that cp.async brings."""

    rows: Any = None

    def __init__(self, rows, **named):
        super().__init__(**named)
        self.rows = rows

    @producer_work
    @cute.jit
    def fetch(self, stage_info: StageInfo):
        near, at = self.place(stage_info)
        atom = cute.make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(), Int32, num_bits_per_copy=32)
        i = 32 * stage_info.loop_offset + cute.arch.thread_idx()[0] % 32
        cute.copy_atom_call(atom, cute.make_tensor(self.rows.iterator + i, cute.make_layout(1)),
                            cute.make_tensor(near.ptr + at, cute.make_layout(1)))


@cute.kernel
def copied(out: cute.Tensor, stages: cutlass.Constexpr):
    """A warp fills stages by cp.async, whose completion arrives at the barrier."""
    config = threads(stages, producer_op=pipeline.PipelineOp.AsyncLoad)
    rows = cute.make_tensor(out.iterator, cute.make_layout(32 * COUNT))
    tile, sums = Copied(rows, name="tile", pipeline_config=config), Sums(name="sums", out=out)

    @schedule
    def write(tile: Tile):
        with domain_loop(2):
            tile.acquire()
            tile.fetch()
            tile.commit()

    @schedule
    def add(tile: Tile, sums: Sums):
        sums.producer_aux_work()
        with domain_loop(2):
            tile.wait()
            sums.add(tile.take())
            tile.release()
        sums.producer_work()

    tasks = [Task([], [tile], 0, 1, schedule=write(tile), name="write"),
             Task([tile], [sums], 3, 1, schedule=add(tile, sums), name="add")]
    run(tasks, {sums: [tile]}, [tile])


@cute.kernel
def leader(out: cute.Tensor, number: cutlass.Constexpr):
    """One block of a cluster runs the tasks."""
    tile, sums = Tile(name="tile", pipeline_config=threads(2)), Sums(name="sums", out=out)

    @schedule
    def add(tile: Tile, sums: Sums):
        sums.producer_aux_work()
        with domain_loop(COUNT):
            tile.wait()
            sums.add(tile.take())
            tile.release()
        sums.producer_work()

    tasks = [Task([], [tile], 0, 1, schedule=fill(1)(tile), name="a", run_only_on_cta_id=number),
             Task([tile], [sums], 1, 1, schedule=add(tile, sums), name="b",
                  run_only_on_cta_id=number)]
    run(tasks, {sums: [tile]}, [tile])


@dataclasses.dataclass
class Loaded(Tile):
    """Rows that bulk copies load, one for each stage."""

    source: Any = None

    def __init__(self, source, **named):
        super().__init__(**named)
        self.source = source

    @producer_work
    @cute.jit
    def load(self, stage_info: StageInfo):
        near, _ = self.place(stage_info)
        if cute.arch.thread_idx()[0] == 0:
            start = self.source.iterator + stage_info.loop_offset % 2 * 32
            row = cute.make_tensor(start.align(16), cute.make_layout(32))
            there = cute.make_tensor(near.data_ptr() + stage_info.stage_idx * 32,
                                     cute.make_layout(32))
            cute.copy(cute.make_copy_atom(cpasync.CopyBulkG2SOp(), Int32), row, there,
                      mbar_ptr=stage_info.barrier.ptr)


@cute.kernel
def announced(out: cute.Tensor, threads: cutlass.Constexpr):
    """A task of two warps: the first one announces the bytes of copies."""
    tile = Loaded(out, name="tile", pipeline_config=PipelineConfig.create_tma_async_pipeline_cfg(
        2, 128, group(1), group(32), (1, 1, 1, 1), producer_signaling_threads=threads))
    sums = Sums(name="sums", out=out)

    @schedule
    def load(tile: Tile):
        with domain_loop(COUNT):
            tile.acquire()
            tile.load()
            tile.commit()

    @schedule
    def add(tile: Tile, sums: Sums):
        sums.producer_aux_work()
        with domain_loop(COUNT):
            tile.wait()
            sums.add(tile.take())
            tile.release()
        sums.producer_work()

    tasks = [Task([], [tile], 0, 2, schedule=load(tile), name="a"),
             Task([tile], [sums], 2, 1, schedule=add(tile, sums), name="b")]
    run(tasks, {sums: [tile]}, [tile])


@cute.jit
def launch(kernel: cutlass.Constexpr, option: cutlass.Constexpr, out: cute.Pointer,
           blocks: cutlass.Constexpr):
    kernel(cute.make_tensor(out, cute.make_layout(128)), option).launch(
        grid=blocks, block=128, cluster=(blocks, 1, 1))


def horner(numbers):
    total = 0
    for number in numbers:
        total = 3 * total + number
    return total


@cute.kernel
def leaders(out: cute.Tensor, kinds: cute.Constexpr, cluster: cute.Constexpr):
    """Which blocks of a cluster take part where the leaders signal."""
    rank = cute.arch.block_idx_in_cluster()
    if cute.arch.thread_idx()[0] == 0:
        for i, kind in enumerate(kinds):
            config = types.SimpleNamespace(cluster=cluster, pipeline_type=kind)
            side = types.SimpleNamespace(is_alone=False, config=config)
            leads = pipelines.Side._leads(side, SignalingThreads.CtaLeader)
            out[i, rank] = Int32(1) if leads else Int32(0)


class Runs(unittest.TestCase):
    def sums(self, kernel, option, blocks=1, given=0):
        out = (ctypes.c_int32 * 128)(*[given + i // 32 for i in range(128)])
        launch(kernel, option, cute.runtime.make_ptr(
            Int32, ctypes.addressof(out), cute.AddressSpace.gmem, 4), blocks)
        rows = [set(out[i:i + 32]) for i in range(0, 128, 32)]
        self.assertTrue(all(len(row) == 1 for row in rows), rows)
        return [row.pop() for row in rows]

    def test_merge(self):
        wanted = horner(x for i in range(1, COUNT + 1) for x in (i, 7 * i))
        for mode in (PipelineGroupMode.Merge, PipelineGroupMode.FusedMerge):
            self.assertEqual(self.sums(merge, mode)[2], wanted, mode)

    def test_fork(self):
        self.assertEqual(self.sums(fork, None)[1:3], [
            horner(f * i for i in range(1, COUNT + 1)) for f in (2, 5)])

    def test_ahead(self):
        wanted = horner(f * i for i in range(1, COUNT // 2 + 1) for f in (3, 4))
        self.assertEqual(self.sums(ahead, 4)[1], wanted)
        with self.assertRaisesRegex(ScheduleError, "wait for each other forever"):
            self.sums(ahead, 1)

    def test_interleaved(self):
        wanted = horner(2 * i for i in range(1, COUNT // 2 + 1))
        self.assertEqual(self.sums(interleaved, 4)[2:], [wanted, wanted])

    def test_copied(self):
        self.assertEqual(self.sums(copied, 2, given=5)[3], horner([5, 6]))

    def test_leader(self):
        self.assertEqual(self.sums(leader, 1, 2)[1], horner(range(1, COUNT + 1)))


    def test_leaders(self):
        """The first block of each pair, or of the cluster where it fetches tiles for all."""
        kinds = (PipelineType.TmaUmma, PipelineType.ClcFetchAsync)

        @cute.jit
        def run(out: cute.Pointer):
            cluster = cute.make_layout((2, 2, 1, 1))
            leaders(cute.make_tensor(out, cute.make_layout((2, 4), stride=(4, 1))), kinds,
                    cluster).launch(grid=(4, 1, 1), block=32, cluster=(4, 1, 1))

        out = (ctypes.c_int32 * 8)(*[7] * 8)
        run(cute.runtime.make_ptr(Int32, ctypes.addressof(out), cute.AddressSpace.gmem, 4))
        self.assertEqual(list(out), [1, 0, 1, 0, 1, 0, 0, 0])

    def test_announced_by_the_first_warp(self):
        rows = self.sums(announced, SignalingThreads.TaskWarpLeader, given=4)
        self.assertEqual(rows[2], horner(4 + i % 2 for i in range(COUNT)))
        with self.assertRaises(cute._compile.diagnostics.SimulatorError):
            self.sums(announced, SignalingThreads.All, given=4)


class Names(unittest.TestCase):
    def test_guards(self):
        self.assertTrue(guard_fires(FIRST_ITER, 0, 3) and guard_fires(LAST_ITER, 2, 3))
        self.assertTrue(guard_fires(LoopGuard.Always, 1, 3))
        self.assertFalse(guard_fires(LoopGuard.LastIter, 1, 3))
        self.assertTrue(guard_fires(OpaqueCondition("x", negated=True), 0, 1))
        self.assertTrue(is_skippable_guard(SKIPPABLE) and not is_skippable_guard(FIRST_ITER))
        with self.assertRaisesRegex(TypeError, "a guard is"):
            guard_fires(3, 0, 1)

    def test_options(self):
        both = SignalingThreads.CtaLeader | SignalingThreads.TaskWarpLeader
        self.assertTrue(both.has_cta_leader() and both.has_task_warp_leader())
        with self.assertRaisesRegex(ValueError, "do not go together"):
            SignalingThreads.validate(SignalingThreads.All | both, "threads")
        with self.assertRaisesRegex(TypeError, "threads is of SignalingThreads, not 1"):
            SignalingThreads.validate(1, "threads")
        self.assertTrue(WorkAttr.AUXILIARY.is_auxiliary())
        with self.assertRaisesRegex(ValueError, "four that divide the 3 stages"):
            threads(3, interleave_stride=2)
        with self.assertRaisesRegex(ValueError, "need advance_on_acquire"):
            threads(4, interleave_stride=(2, 1, 1, 1))
        with self.assertRaisesRegex(TypeError, "AsyncAsync pipelines have no advance_on_wait"):
            threads(4, advance_on_wait=True)
        with self.assertRaisesRegex(ValueError, "AsyncThread or AsyncLoad"):
            threads(4, producer_op=pipeline.PipelineOp.TmaLoad)
        config = threads(4, interleave_stride=2)
        self.assertEqual((config.interleave_strides, config.max_interleave_stride), ((2,) * 4, 2))

    def test_groups(self):
        a, b = Tile(name="a", pipeline_config=threads(2)), Tile(name="b", pipeline_config=threads(3))
        with self.assertRaisesRegex(ValueError, "have different num_stages: 2, 3"):
            PipelineGroup(name="both", members=[a, b])
        alone = PipelineGroup(name="alone", members=[a])
        self.assertIs(alone.a.member, a)
        with self.assertRaisesRegex(ScheduleError, "a is in the group alone: pass alone.a"):
            fill(1)(a)
        with self.assertRaisesRegex(ValueError, "is in the group alone already"):
            PipelineGroup(name="again", members=[a])
        with self.assertRaisesRegex(AttributeError, "no member 'c'"):
            alone.c
        with self.assertRaisesRegex(ValueError, "b2 has no pipeline"):
            PipelineGroup(name="none", members=[MemoryResource(name="b2")])


if __name__ == "__main__":
    unittest.main()
