"""Checks the schedules of a kernel's tasks, each by itself and all together."""

from __future__ import annotations

from typing import Any, Iterator

from .enums import IterationPredicate
from .pipeline import size_of
from .resources import MemoryResource
from .schedule_builder import (
    STEPS,
    Block,
    Call,
    Loop,
    ScheduleError,
    Skippable,
    Step,
    TileLoop,
    leaves,
)

Graph = dict[MemoryResource, list[MemoryResource]]
# Iterations of a loop that is not known, tiles of a queue, and steps before one gives up.
_ITERATIONS, _TILES, _MOST_STEPS = 3, 2, 200_000


def verify(tasks: list[Any], graph: Graph) -> None:
    """Checks everything.

    :raises ScheduleError: with the task and what is wrong
    """
    _check_warps(tasks)
    for task in tasks:
        _check_resources(task)
        _Brackets(task, graph).check()
    _check_graph(tasks, graph)
    _check_groups(tasks)
    for is_true in (True, False):
        _Simulation(tasks, is_true).run()


def _check_warps(tasks: list[Any]) -> None:
    owners: dict[int, Any] = {}
    registers: dict[int, int] = {}
    for task in tasks:
        for warp in range(task.warp_idx, task.warp_idx + task.num_warps):
            if warp in owners:
                raise ScheduleError(f"warp {warp} is {owners[warp].name}'s and {task.name}'s")
            owners[warp] = task
            known = registers.setdefault(warp // 4, task.num_registers)
            if known != task.num_registers:
                raise ScheduleError(f"{task.name} has {task.num_registers} registers, and another "
                                    f"task of its four warps {known}; they have as many")


def _check_resources(task: Any) -> None:
    """A task reads its sources, and writes its destinations."""
    for node in leaves(task.schedule.body):
        is_producer = (node.work.is_producer if isinstance(node, Call) else STEPS[node.name][0])
        listed, name = ((task.dst_resources, "dst_resources") if is_producer else
                        (task.src_resources, "src_resources"))
        if not any(r in listed for r in parts_of(node.resource)):
            raise ScheduleError(f"{task.name} calls {node}, but {node.resource.name} is not among "
                                f"its {name}")


def parts_of(resource: MemoryResource) -> list[MemoryResource]:
    """Returns the resource, with its members if it is a group."""
    return [resource, *getattr(resource, "members", [])]


class _Brackets:
    """Follows which stages a task holds: between acquire and commit, wait and release."""

    def __init__(self, task: Any, graph: Graph):
        self.task, self.graph = task, graph
        self.held: dict[tuple[MemoryResource, bool], int] = {}

    def check(self) -> None:
        self._body(self.task.schedule.body)
        for (resource, is_producer), is_held in self.held.items():
            if is_held:
                end = "commit" if is_producer else "release"
                raise ScheduleError(f"{self.task.name} ends without {resource.name}.{end}")

    def _body(self, body: list[Any]) -> None:
        for node in body:
            if isinstance(node, Step):
                self._step(node)
            elif isinstance(node, Call):
                self._call(node)
            else:
                before = dict(self.held)
                self._body(node.body)
                changed = [r.name for (r, p), on in self.held.items()
                           if on != before.get((r, p), 0)]
                if changed:
                    raise ScheduleError(f"a loop or block of {self.task.name} ends with another "
                                        f"hold on {', '.join(changed)} than it began with")

    def _step(self, node: Step) -> None:
        is_producer, action = STEPS[node.name]
        key = (node.resource, is_producer)
        config, parts = node.resource.pipeline_config, parts_of(node.resource)
        splits = config is not None and (
            config.advance_on_acquire if is_producer else config.advance_on_wait)
        if action == "enter" and self.held.get(key) and not splits:
            raise ScheduleError(f"{self.task.name} calls {node} while it holds a stage already")
        if action == "leave" and not any(self.held.get((r, is_producer)) for r in parts):
            raise ScheduleError(f"{self.task.name} calls {node} of a stage that it does not hold")
        if action != "try":
            for part in parts:
                held = self.held.get((part, is_producer), 0)
                self.held[part, is_producer] = (
                    held + 1 if action == "enter" else max(held - 1, 0))

    def _call(self, node: Call) -> None:
        if node.work.is_auxiliary:
            return
        key = (node.resource, node.work.is_producer)
        if node.resource.pipeline_config is not None and not self.held.get(key):
            start = "acquire" if node.work.is_producer else "wait"
            raise ScheduleError(f"{self.task.name} calls {node} of a stage that it does not hold: "
                                f"{node.resource.name}.{start} comes before")
        for source in self.graph.get(node.resource, []) if node.work.is_producer else []:
            config = source.pipeline_config
            reads = config is not None and config.pipeline_type.sides[1] == "Umma"
            if reads and source in self.task.src_resources and not self.held.get((source, False)):
                raise ScheduleError(f"{self.task.name} releases {source.name} before {node}, whose "
                                    "products read it; release it after")


def _check_graph(tasks: list[Any], graph: Graph) -> None:
    """Each dependence is some task's work, or goes through a resource that only orders."""
    for resource, sources in graph.items():
        for source in sources:
            if not (source.is_barrier or resource.is_barrier) and not any(
                    source in t.src_resources and resource in t.dst_resources for t in tasks):
                raise ScheduleError(f"no task makes {resource.name} of {source.name}, as the graph "
                                    "of resources says")


def users(tasks: list[Any], resource: MemoryResource, is_producer: bool) -> list[Any]:
    """Returns the tasks that fill a resource's stages, or empty them."""
    return [t for t in tasks if any(
        isinstance(n, Step) and n.resource is resource and STEPS[n.name] == (is_producer, "leave")
        for n in leaves(t.schedule.body))]


def counted(resource: MemoryResource, is_producer: bool) -> list[MemoryResource]:
    """Returns the resources whose commits or releases count for a side of this one."""
    group = resource.pipeline_group
    if group is not None and group.shares(is_producer):
        return [group]
    if hasattr(resource, "members") and not resource.shares(is_producer):
        return list(resource.members)
    return [resource]


def _check_groups(tasks: list[Any]) -> None:
    """As many threads arrive as the pipelines count."""
    known = [r for t in tasks for r in t.resources]
    groups = [r.pipeline_group for r in known if r.pipeline_group is not None]
    for resource in dict.fromkeys(known + groups):
        config = resource.pipeline_config
        if config is None:
            continue
        for is_producer, group, word in zip(
                (True, False), (config.producer_group, config.consumer_group),
                config.pipeline_type.sides):
            if resource not in counted(resource, is_producer):
                continue  # the group counts, or its members
            warps = sum(t.num_warps for t in users(tasks, resource, is_producer))
            role = "producer" if is_producer else "consumer"
            if not warps:
                raise ScheduleError(f"{resource.name} has a pipeline, and no {role}")
            if size_of(config) > 1 or not isinstance(group.size, int):
                continue  # of several blocks, whose schedules are the same
            stride = config.interleave_strides[3 * (not is_producer)]
            counts = tuple(x // stride for x in (32 * warps, warps)) if word == "Async" else ()
            if group.size not in (*counts, 1):
                raise ScheduleError(
                    f"{resource.name}'s {role}_group has {group.size} threads, and its tasks "
                    f"{warps} warps: it can have {' or '.join(map(str, dict.fromkeys((*counts, 1))))}")


class _Simulation:
    """Runs all schedules, stage by stage: whether one gets stuck depends on no order.

    Loops of unknown length have the same few iterations.
    """

    def __init__(self, tasks: list[Any], is_true: bool):
        self.tasks, self.is_true = tasks, is_true
        self.done: dict[tuple[MemoryResource, bool, Any], int] = {}
        known = {part for t in tasks for r in t.resources
                 for part in (r, r.pipeline_group) if part is not None}
        self.users = {(r, p): [(x, t) for x in counted(r, p) for t in users(tasks, x, p)]
                      for r in known for p in (True, False)}
        self.entered: dict[tuple[MemoryResource, bool, Any], int] = {}

    def run(self) -> None:
        running = {task: self._steps(task) for task in self.tasks}
        waiting = {task: next(steps, None) for task, steps in running.items()}
        for _ in range(_MOST_STEPS):
            ready = [t for t, step in waiting.items() if step and self._can(t, step)]
            if not ready:
                break
            for task in ready:
                self._do(task, waiting[task])
                waiting[task] = next(running[task], None)
        stuck = [f"{t.name} waits at {step}" for t, step in waiting.items() if step]
        if stuck and not any(step and self._can(t, step) for t, step in waiting.items()):
            raise ScheduleError("the tasks wait for each other forever: " + "; ".join(stuck))

    def _count(self, resource: MemoryResource, is_producer: bool) -> int:
        """Returns how many stages all producers have filled, or all consumers emptied."""
        config = resource.pipeline_config
        done = [self.done.get((x, is_producer, t), 0)
                for x, t in self.users[resource, is_producer]]
        # Warps or tasks that interleave have stages of their own.
        return sum(done) if config.has_interleaved_stride else min(done, default=0)

    def _can(self, task: Any, step: Step) -> bool:
        is_producer, action = STEPS[step.name]
        if action != "enter" or step.resource.pipeline_config is None:
            return True
        config = step.resource.pipeline_config
        if config.has_interleaved_stride:
            return True
        mine = self.entered.get((step.resource, is_producer, task), 0)
        others = self._count(step.resource, not is_producer)
        if is_producer:
            return mine - others < step.resource.pipeline_config.num_stages
        return others > mine

    def _do(self, task: Any, step: Any) -> None:
        is_producer, action = STEPS[step.name]
        key = (step.resource, is_producer, task)
        for name, counts in (("leave", self.done), ("enter", self.entered)):
            if action == name:
                counts[key] = counts.get(key, 0) + 1

    def _steps(self, task: Any) -> Iterator[Step]:
        yield from self._body(task.schedule.body, 0, 1)

    def _body(self, body: list[Any], i: int, count: int) -> Iterator[Step]:
        for node in body:
            if isinstance(node, Step):
                yield node
            elif isinstance(node, Loop):
                trips = _trips(node)
                for j in range(trips):
                    yield from self._body(node.body, j, trips)
            elif isinstance(node, TileLoop):
                for j in range(_TILES):
                    yield from self._body(node.body, j, _TILES)
            elif isinstance(node, Skippable) or isinstance(node, Block) and self._runs(node, i, count):
                yield from self._body(node.body, i, count)

    def _runs(self, node: Block, i: int, count: int) -> bool:
        if isinstance(node.condition, IterationPredicate):
            return bool(node.condition.fires(i, count))
        return self.is_true != node.condition.negated


def _trips(loop: Loop) -> int:
    bounds = (loop.start, loop.stop, loop.step)
    if all(isinstance(bound, int) for bound in bounds):
        return len(range(*bounds))
    return _ITERATIONS
