# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Tasks: schedules that warps run, and what is wrong with some."""

import ctypes
import dataclasses
import os
import unittest
from typing import Any

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
import cutlass.utils
from cutlass import Boolean, Int32, pipeline
from cutlass.experimental.task_scheduling import (
    Every, WorkAttr, consumer_work, domain_loop, producer_work, schedule, when_false, when_true,
    work_tile_loop,
)
from cutlass.experimental.task_scheduling.exhaustive_checker import check_all_interleavings
from cutlass.experimental.task_scheduling.memory import (
    SmemAllocation, SmemAllocator, TmemAllocation, TmemAllocator,
)
from cutlass.experimental.task_scheduling.resources import (
    MemoryResource, PipelineConfig, StageInfo, TaskLocalVariable, TileSchedulerConfig, WorkQueue,
)
from cutlass.experimental.task_scheduling.schedule_builder import ScheduleError
from cutlass.experimental.task_scheduling.task import Task
from cutlass.experimental.task_scheduling.task_manager import TaskManager

STAGES, ROWS = 2, 7


@dataclasses.dataclass(kw_only=True)
class Rows(MemoryResource):
    """Rows of 32 numbers; a thread has a column."""

    tensor: Any
    item: cutlass.Constexpr[TaskLocalVariable] = TaskLocalVariable.uninitialized()
    is_odd: cutlass.Constexpr[TaskLocalVariable] = TaskLocalVariable.uninitialized()

    def __post_init__(self):
        self.item = TaskLocalVariable(dtype=Int32, default=Int32(0))
        self.is_odd = TaskLocalVariable(dtype=Boolean, default_factory=lambda: Boolean(False))

    @consumer_work(returns=(item, is_odd))
    @cute.jit
    def read(self, stage_info: StageInfo):
        value = self.tensor[cute.arch.thread_idx()[0] % 32, stage_info.loop_offset]
        return value, value % 2 == 1


@dataclasses.dataclass
class Tile(MemoryResource):
    """Rows in shared memory."""

    value: cutlass.Constexpr[TaskLocalVariable] = TaskLocalVariable.uninitialized()
    near: Any = dataclasses.field(init=False, default=None)
    part: cutlass.Constexpr[Any] = dataclasses.field(init=False, default=None)

    def __init__(self, **named):
        super().__init__(**named)
        self.value = TaskLocalVariable(dtype=Int32, default=Int32(0))
        self.part = SmemAllocation("rows", dtype=Int32, count=32 * STAGES)

    def get_smem_requirements(self):
        return [self.part]

    @cute.jit
    def find(self, stage_info):
        base = stage_info.context.smem_base.data_ptr() + self.part.offset
        self.near = cutlass.Array(base, dtype=Int32, shape=32 * STAGES, addrspace=3)

    @producer_work(work_attrs=WorkAttr.AUXILIARY)
    @cute.jit
    def begin(self, stage_info: StageInfo):
        self.find(stage_info)

    @consumer_work(work_attrs=WorkAttr.AUXILIARY)
    @cute.jit
    def begin_reading(self, stage_info: StageInfo):
        self.find(stage_info)

    @producer_work
    @cute.jit
    def write(self, stage_info: StageInfo, *, item: Int32):
        self.near[stage_info.stage_idx * 32 + cute.arch.thread_idx()[0] % 32] = item

    @consumer_work(returns=value)
    @cute.jit
    def take(self, stage_info: StageInfo):
        return self.near[stage_info.stage_idx * 32 + cute.arch.thread_idx()[0] % 32]


@dataclasses.dataclass(kw_only=True)
class Sums(MemoryResource):
    """Sums by kinds of iterations, and of the last row."""

    out: Any
    total: Any = dataclasses.field(init=False, default=None)
    last: Any = dataclasses.field(init=False, default=None)

    @producer_work(work_attrs=WorkAttr.AUXILIARY)
    @cute.jit
    def clear(self, stage_info: StageInfo):
        self.total = Int32(0)
        self.last = Int32(-1)

    @producer_work
    @cute.jit
    def add(self, stage_info: StageInfo, value: Int32, *, weight: cutlass.Constexpr[int]):
        self.total = self.total + value * weight

    @producer_work
    @cute.jit
    def keep(self, stage_info: StageInfo, value: Int32):
        self.last = value

    @producer_work
    @cute.jit
    def store(self, stage_info: StageInfo, value: Int32):
        thread = cute.arch.thread_idx()[0] % 32
        self.out[thread, 0] = self.total
        self.out[thread, 1] = self.last
        self.out[thread, 2] = value


def group(size):
    return pipeline.CooperativeGroup(pipeline.Agent.Thread, size)


def resources(rows, out, stages=STAGES, arrivals=32):
    config = PipelineConfig.create_async_async_pipeline_cfg(
        num_stages=stages, producer_group=group(arrivals), consumer_group=group(32))
    return Rows(name="rows", tensor=rows), Tile(name="tile", pipeline_config=config), \
        Sums(name="sums", out=out)


@cute.kernel
def copy_and_sum(rows: cute.Tensor, out: cute.Tensor, count: Int32, by_hand: cutlass.Constexpr):
    source, tile, sums = resources(rows, out)
    allocator = SmemAllocator()
    allocator.add_resource(tile)
    allocator.compute_layout()

    @schedule
    def load(source: Rows, tile: Tile):
        tile.begin()
        with domain_loop(count):
            item, is_odd = source.read()
            tile.try_acquire()
            tile.acquire()
            with when_true(is_odd):
                tile.write(item=item)
            with when_false(is_odd):
                tile.write(item=10)
            tile.commit()

    @schedule
    def add(tile: Tile, sums: Sums):
        tile.begin_reading()
        sums.clear()
        with domain_loop(0, count, 1) as loop:
            tile.try_wait()
            tile.wait()
            value = tile.take()
            tile.release()
            sums.add(value, weight=1)
            with loop.first_iter():
                sums.add(value, weight=100)
            with loop.every(3, start=1):
                sums.add(value, weight=1000)
            with loop.last_iter():
                sums.keep(value)
        sums.store(value)

    tasks = [
        Task([source], [tile], 0, 1, schedule=load(source, tile), name="load", num_registers=40),
        Task([tile], [sums], 1, 1, schedule=add(tile, sums), name="add", num_registers=40),
    ]
    manager = TaskManager(tasks, {tile: [source], sums: [tile]}, smem_allocator=allocator)
    manager.setup_resources_and_tasks()
    if cutlass.const_expr(by_hand):
        for task in tasks:
            task.run()
    else:
        manager.run()
    assert sums.total is None  # what a task's warps did is theirs


@cute.jit
def launch(rows: cute.Pointer, out: cute.Pointer, count: Int32, by_hand: cutlass.Constexpr):
    copy_and_sum(cute.make_tensor(rows, cute.make_layout((32, ROWS))),
                 cute.make_tensor(out, cute.make_layout((32, 3))), count, by_hand).launch(
                     grid=1, block=64)


class Queue(WorkQueue):
    def __init__(self, skipped, **named):
        super().__init__(**named)
        self.skipped = skipped

    @cute.jit
    def skip_work_tile_if(self, work_tile) -> Boolean:
        return work_tile.tile_idx[0] == self.skipped


@dataclasses.dataclass(kw_only=True)
class Marks(MemoryResource):
    out: Any

    @producer_work
    @cute.jit
    def mark(self, stage_info: StageInfo):
        x, y, _ = stage_info.work_tile.tile_idx
        self.out[stage_info.loop_offset, x, y] = cute.arch.block_idx()[2] + 1


class PartOfRows(Task):
    @cute.jit
    def get_domain(self, tile):
        return tile[0] + 1


@cute.kernel
def persistent(out: cute.Tensor, parameters: object):
    config = TileSchedulerConfig.create_static_persistent_tile_scheduler_params(parameters)
    queue = Queue(2, tile_scheduler_config=config, name="queue")
    marks = Marks(out=out, name="marks")

    @schedule
    def work(queue: WorkQueue, marks: Marks):
        queue.init_work_tile()
        with work_tile_loop(queue, skip_if=Queue.skip_work_tile_if) as loop:
            with loop.skippable(), domain_loop(PartOfRows.get_domain):
                marks.mark()
            queue.try_wait()
            queue.wait()
            queue.get_and_advance_work_tile()
            queue.release()

    task = PartOfRows([queue], [marks], 0, 1, schedule=work(queue, marks), name="work")
    manager = TaskManager([task], {marks: [queue]})
    manager.setup_resources_and_tasks()
    manager.run()


@cute.jit
def launch_persistent(out: cute.Pointer):
    parameters = cutlass.utils.PersistentTileSchedulerParams((4, 3, 1), (1, 1, 1))
    persistent(cute.make_tensor(out, cute.make_layout((4, 4, 3))), parameters).launch(
        grid=(1, 1, 5), block=32)


@cute.kernel
def stealing(out: cute.Tensor, parameters: object):
    response = cute.arch.alloc_smem(Int32, 4, 16)
    config = TileSchedulerConfig.create_clc_dynamic_persistent_tile_scheduler_params(
        parameters, response)
    stages = PipelineConfig.create_clc_fetch_async_pipeline_cfg(
        num_stages=1, num_bytes=16, producer_group=group(1), consumer_group=group(64))
    queue = WorkQueue(tile_scheduler_config=config, name="queue", pipeline_config=stages)
    marks = Marks(out=out, name="marks")

    @schedule
    def fetch(queue: WorkQueue):
        with work_tile_loop(queue):
            queue.acquire()
            queue.fetch_work_tile()
            queue.commit()
            queue.wait()
            queue.get_and_advance_work_tile()
            queue.release()

    @schedule
    def work(queue: WorkQueue, marks: Marks):
        with work_tile_loop(queue):
            with domain_loop(4):
                marks.mark()
            queue.try_wait()
            queue.wait()
            queue.get_and_advance_work_tile()
            queue.release()

    tasks = [Task([queue], [queue], 0, 1, schedule=fetch(queue), name="fetch"),
             Task([queue], [marks], 1, 1, schedule=work(queue, marks), name="work")]
    manager = TaskManager(tasks, {marks: [queue]})
    manager.setup_resources_and_tasks()
    manager.run()


@cute.jit
def launch_stealing(out: cute.Pointer):
    parameters = cutlass.utils.ClcDynamicPersistentTileSchedulerParams((4, 3, 1), (1, 1, 1))
    stealing(cute.make_tensor(out, cute.make_layout((4, 4, 3))), parameters).launch(
        grid=parameters.get_grid_shape(), block=64)


class Tasks(unittest.TestCase):
    @unittest.skipUnless(os.environ.get("CUTE_ARCH") == "sm_100a", "blocks are taken from sm_100 on")
    def test_stealing(self):
        """A warp fetches the tiles of blocks that have not begun; each is done once."""
        out = (ctypes.c_int32 * 48)()
        launch_stealing(cute.runtime.make_ptr(
            Int32, ctypes.addressof(out), cute.AddressSpace.gmem, 4))
        self.assertEqual(list(out), [1] * 48)

    def test_tiles(self):
        """Blocks go through their tiles, whose rows are as many as their numbers say."""
        out = (ctypes.c_int32 * 48)()
        launch_persistent(cute.runtime.make_ptr(
            Int32, ctypes.addressof(out), cute.AddressSpace.gmem, 4))
        for y in range(3):
            for x in range(4):
                rows = 0 if x == 2 else x + 1
                block = (x + 4 * y) % 5 + 1
                at = 4 * (x + 4 * y)
                self.assertEqual(list(out[at : at + 4]), [block] * rows + [0] * (4 - rows), (x, y))

    def test_pipeline(self):
        """The manager runs the tasks, or the kernel runs each."""
        for by_hand in (False, True):
            self.check_pipeline(by_hand)

    def check_pipeline(self, by_hand):
        rows = (ctypes.c_int32 * (32 * ROWS))(*(i * 7 % 50 for i in range(32 * ROWS)))
        out = (ctypes.c_int32 * 96)()
        places = [cute.runtime.make_ptr(Int32, ctypes.addressof(m), cute.AddressSpace.gmem, 4)
                  for m in (rows, out)]
        launch(*places, ROWS, by_hand)
        for thread in range(32):
            read = [rows[32 * i + thread] for i in range(ROWS)]
            values = [x if x % 2 else 10 for x in read]
            total = sum(values) + 100 * values[0] + 1000 * (values[1] + values[4])
            self.assertEqual(list(out[thread::32]), [total, values[-1], values[-1]], thread)

    def test_allocations(self):
        allocator = SmemAllocator()
        a, b, c = (allocator.add(SmemAllocation(n, size, alignment=align))
                   for n, size, align in (("a", 4, 4), ("b", 200, 128), ("c", 64, 16)))
        allocator.add_alias_group([[b], [c]])
        self.assertEqual(allocator.compute_layout(), 328)
        self.assertEqual([a.offset, b.offset, c.offset], [0, 128, 128])
        with self.assertRaisesRegex(ValueError, "has no type"):
            allocator.get(a)
        with self.assertRaisesRegex(ValueError, "both are positive"):
            SmemAllocation("none")
        columns = TmemAllocator()
        columns.add(TmemAllocation("sums", 512))
        self.assertEqual(columns.compute_layout(), 512)
        columns.add(TmemAllocation("more", 32))
        with self.assertRaisesRegex(ValueError, "512 columns, not 544"):
            columns.compute_layout()
        self.assertEqual([i for i in range(9) if Every(4, start=2).fires(i, 9)], [2, 6])


class Placed(MemoryResource):
    """Memory with a place, that schedules step through."""

    def __init__(self, ranges=(), **named):
        super().__init__(**named)
        self.ranges = list(ranges)

    def physical_ranges(self):
        return self.ranges


class Orders(unittest.TestCase):
    """Two tasks hand data on by two tiles, which may overlap in memory."""

    def found(self, first, second, ranges, stages=1, **options):
        def config():
            return PipelineConfig.create_async_async_pipeline_cfg(
                stages, group(32), group(32), (1, 1, 1, 1))

        a, b, *more = (Placed(r, name=n, pipeline_config=config())
                       for n, r in zip(("a", "b", "done"), ranges))
        tasks = [Task(more, [a, b], 0, 1, schedule=schedule(first)(a, b, *more), name="fill"),
                 Task([a, b], more, 1, 1, schedule=schedule(second)(a, b, *more), name="use")]
        return check_all_interleavings(tasks, **options)

    def test_shared_memory(self):
        def fill(a, b):
            with domain_loop(2):
                a.acquire()
                a.commit()
                b.acquire()
                b.commit()

        def use(a, b):
            with domain_loop(2):
                a.wait()
                a.release()
                b.wait()
                b.release()

        apart, together = ([("smem", 0, 64)], [("smem", 64, 128)]), ([("smem", 0, 64)], [("smem", 32, 96)])
        safe = self.found(fill, use, apart)
        self.assertTrue(safe.is_safe and safe.complete_count == 1 and not safe.hit_state_limit)
        unsafe = self.found(fill, use, together, early_exit=False)
        self.assertFalse(unsafe.is_safe)
        self.assertEqual(
            {(r.writer_resource, r.victim_resource, r.victim_access) for r in unsafe.race_states},
            {(x, y, how) for x, y in ("ab", "ba") for how in ("read", "data")})
        self.assertEqual({r.overlap_desc for r in unsafe.race_states}, {"smem 32 to 64"})
        self.assertEqual(len(self.found(fill, use, together).race_states), 1, "the first ends it")
        self.assertTrue(self.found(fill, use, apart, max_states=3).hit_state_limit)

    def test_turns(self):
        """The second tile is filled when the first has been read, which a third resource says."""
        def fill(a, b, done):
            a.acquire()
            a.commit()
            done.wait()
            done.release()
            b.acquire()
            b.commit()

        def use(a, b, done):
            a.wait()
            a.release()
            done.acquire()
            done.commit()
            b.wait()
            b.release()

        def too_early(a, b, done):
            done.acquire()
            done.commit()
            a.wait()
            a.release()
            b.wait()
            b.release()

        ranges = ([("smem", 0, 64)], [("smem", 0, 64)], [])
        self.assertTrue(self.found(fill, use, ranges).is_safe)
        found = self.found(fill, too_early, ranges, early_exit=False)
        self.assertEqual({(r.writer_task, r.writer_resource, r.victim_task, r.victim_access)
                          for r in found.race_states},
                         {("fill", "b", "use", "read"), ("fill", "b", "fill", "data")})

    def test_deadlocks(self):
        def fill(a, b):
            a.acquire()
            a.commit()
            b.acquire()
            b.commit()

        def use(a, b):
            b.wait()
            b.release()
            a.wait()
            a.release()
            a.wait()
            a.release()

        found = self.found(fill, use, ([], []))
        self.assertEqual(found.deadlock_states[0].blocked_tasks, [("use", "a", "wait")])
        self.assertEqual((found.complete_count, found.race_states, found.is_safe), (0, [], False))


class Mistakes(unittest.TestCase):
    def check(self, text, load=None, add=None, stages=STAGES, arrivals=32, graph=None, **second):
        source, tile, sums = resources(None, None, stages, arrivals)

        def usual_load(source, tile):
            with domain_loop(4):
                item, _ = source.read()
                tile.acquire()
                tile.write(item=item)
                tile.commit()

        def usual_add(tile, sums):
            with domain_loop(4):
                tile.wait()
                sums.add(tile.take(), weight=1)
                tile.release()

        with self.assertRaisesRegex(ScheduleError, text):
            first = schedule(load or usual_load)(source, tile)
            other = schedule(add or usual_add)(tile, sums)
            given = dict(warp_idx=1, num_warps=1, name="add", schedule=other) | second
            TaskManager([Task([source], [tile], 0, 1, schedule=first, name="load"),
                         Task([tile], [sums], **given)],
                        {tile: [source], sums: [tile]} if graph is None else graph(source, tile, sums))

    def test_of_tasks(self):
        self.check("warp 0 is load's and add's", warp_idx=0)
        self.check("add has 40 registers, and another task of its four warps None",
                   num_registers=40)
        self.check("no task makes sums of rows", graph=lambda a, b, c: {c: [a]})
        self.check("producer_group has 64 threads, and its tasks 1 warps: it can have 32 or 1",
                   arrivals=64)
        self.check("a task has a schedule", schedule=None)

    def test_of_brackets(self):
        def without_commit(source, tile):
            tile.acquire()

        def early(tile, sums):
            with domain_loop(4):
                tile.wait()
                tile.release()
                tile.take()

        def twice(source, tile):
            tile.acquire()
            tile.acquire()

        def uneven(tile, sums):
            with domain_loop(4):
                tile.wait()
            tile.release()

        def other_way(tile, sums):
            tile.write(item=3)

        def nested(source, tile):
            with domain_loop(4), domain_loop(4):
                source.read()

        def of_sums(tile, sums):
            sums.acquire()

        def asked(source, tile):
            if source.read()[0]:
                tile.acquire()

        self.check("load ends without tile.commit", load=without_commit)
        self.check("add calls tile.take of a stage that it does not hold: tile.wait", add=early)
        self.check("load calls tile.acquire while it holds a stage", load=twice)
        self.check("ends with another hold on tile", add=uneven)
        self.check("add calls tile.write, but tile is not among its dst_resources", add=other_way)
        self.check("a domain_loop cannot be inside another", load=nested)
        self.check("sums has no pipeline, so nothing to acquire", add=of_sums)
        self.check("rows.item is known only when the task runs", load=asked)
        with self.assertRaisesRegex(ScheduleError, "only valid in a function under @schedule"):
            with domain_loop(3):
                pass

    def test_of_all(self):
        """Tasks that wait for each other."""
        def few(tile, sums):
            tile.wait()
            tile.release()

        def many(tile, sums):
            with domain_loop(5):
                tile.wait()
                tile.release()

        self.check("load waits at tile.acquire", add=few)
        self.check("forever: add waits at tile.wait", add=many)

    def test_graph(self):
        source, tile, sums = resources(None, None)

        @schedule
        def load(source, tile):
            source.read()

        task = Task([source], [tile], 0, 1, schedule=load(source, tile), name="load")
        manager = TaskManager([task], {tile: [source]}, skip_validation=True)
        self.assertEqual(
            manager.get_marmaid_string_dependency_graph(),
            'flowchart TD\n    r0["rows"]\n    r1["tile: AsyncAsync, 2 stages"]\n'
            '    r0 -->|"load"| r1')
        with self.assertRaisesRegex(ScheduleError, "setup_resources_and_tasks comes first"):
            manager.run()
        with self.assertRaisesRegex(ScheduleError, "load runs after its manager's setup_resources_and"):
            task.run_body()
        with self.assertRaisesRegex(TypeError, "iket_enable_profilin"):
            Task([source], [tile], 0, 1, schedule=load(source, tile), iket_enable_profilin=True)


if __name__ == "__main__":
    unittest.main()
