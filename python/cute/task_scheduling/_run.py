"""Runs a task's schedule: writes its loops and branches, and calls its works in them."""

from __future__ import annotations

from typing import Any, Iterator

from .._frontend.branches import State, if_
from .._frontend.control import not_
from .._frontend.loops import LoopRange, for_, while_
from .enums import IterationPredicate
from .pipeline import Cursor, Side
from .resources import MemoryResource, StageInfo
from .schedule_builder import (
    STEPS,
    Block,
    Call,
    Loop,
    Skippable,
    Step,
    TileLoop,
    Token,
    leaves,
)

Slot = tuple[MemoryResource, str]


class Runner:
    """One task's warps: the variables they hold, and their places in pipelines.

    What changes in a loop or a branch goes through it as a value: variables that are needed
    after it, places in pipelines, and attributes that works assign.
    """

    def __init__(self, task: Any, context: Any, thread: Any, warps: dict[Any, int]):
        self.task, self.context, self.thread, self.warps = task, context, thread, warps
        self.slots: dict[Slot, Any] = {}
        self.sides: dict[tuple[MemoryResource, bool], Side] = {}
        self.cursors: dict[tuple[MemoryResource, bool, bool], Cursor] = {}
        self.loop = StageInfo()
        self.skips: dict[TileLoop, Any] = {}
        self.place = (f"the schedule of {task.name}", 0, 0)

    def run(self) -> None:
        """Runs the schedule, and leaves the resources' attributes as they were."""
        resources = dict.fromkeys(node.resource for node in leaves(self.task.schedule.body))
        before = [(resource, dict(vars(resource))) for resource in resources]
        for resource in resources:
            if hasattr(resource, "create_tile_scheduler"):
                resource.tile_scheduler = resource.create_tile_scheduler()
        try:
            self._body(self.task.schedule.body)
            for side in self.sides.values():
                side.tail()
        finally:
            for resource, held in before:
                vars(resource).clear()
                vars(resource).update(held)

    # ---- Nodes ----

    def _body(self, body: list[Any]) -> None:
        for i, node in enumerate(body):
            if isinstance(node, Call):
                self._call(node)
            elif isinstance(node, Step):
                self._step(node, body[i + 1 :])
            elif isinstance(node, Loop):
                self._loop(node)
            elif isinstance(node, TileLoop):
                self._tiles(node)
            else:
                self._block(node)

    def _slot(self, slot: Slot) -> Any:
        if slot not in self.slots:
            self.slots[slot] = getattr(*slot).default
        return self.slots[slot]

    def _side(self, resource: MemoryResource, is_producer: bool) -> Side:
        key, config = (resource, is_producer), resource.pipeline_config
        if key in self.sides:
            return self.sides[key]
        group = resource.pipeline_group
        shares = group is not None and group.shares(is_producer)
        owner = group if shares else resource
        splits = config.advance_on_acquire if is_producer else config.advance_on_wait
        self.sides[key] = Side(
            resource.pipeline, config, is_producer, self.thread, self.warps[owner, is_producer],
            self._cursor(owner, is_producer, False),
            self._cursor(owner, is_producer, splits), self.task.run_only_on_cta_id is not None,
            shares and is_producer and resource is not group.members[0])
        return self.sides[key]

    def _cursor(self, resource: MemoryResource, is_producer: bool, is_last: bool) -> Cursor:
        """Returns a side's place, or where it gives stages back if that is another one."""
        key = (resource, is_producer, is_last)
        if key not in self.cursors:
            config = resource.pipeline_config
            stride = config.interleave_strides[2 * (not is_producer) + is_last]
            lane = self._lane(stride) if stride > 1 else None
            self.cursors[key] = Cursor(config, is_producer, lane)
        return self.cursors[key]

    def _lane(self, stride: int) -> Any:
        """Returns the first stage of a warp, or of a task whose loop takes such steps."""
        loop = next((x for x in _loops(self.task.schedule.body)), None)
        if loop is not None and loop.step == stride != self.task.num_warps and isinstance(
                loop.start, int):
            return loop.start % stride
        return self.thread // 32

    def _call(self, node: Call) -> None:
        info = StageInfo(**vars(self.loop))
        info.label, info.context, info.task_cache = node.label, self.context, self.task.cache
        if node.resource.pipeline is not None:
            side = self._side(node.resource, node.work.is_producer)
            info.stage_idx, info.barrier = side.stage.index, side.barrier
        given = [self._value(x) for x in node.arguments]
        named = {name: self._value(x) for name, x in node.named.items()}
        result = node.work.method(node.resource, info, *given, **named)
        names = node.work.variables()
        for name, value in zip(names, (result,) if node.work.is_single else result or ()):
            self.slots[node.resource, name] = value

    def _value(self, given: Any) -> Any:
        return self._slot(given.slot) if isinstance(given, Token) else given

    def _step(self, node: Step, rest: list[Any]) -> None:
        is_producer, action = STEPS[node.name]
        if node.resource.pipeline_config is None:
            return  # a queue of tiles that are known
        side = self._side(node.resource, is_producer)
        if action == "leave":
            side.leave()
        elif action == "enter":
            side.enter()
        elif any(isinstance(x, Step) and x.resource is node.resource
                 and STEPS[x.name] == (is_producer, "enter") for x in rest):
            side.try_enter()  # a hint, of use only where this block then waits

    def _loop(self, node: Loop) -> None:
        outer = self.loop
        tile = getattr(outer.work_tile, "tile_idx", None)
        start, stop, step = (bound(self.task, tile) if callable(bound) else bound
                             for bound in (node.start, node.stop, node.step))
        unroll = {} if node.unroll is None else {"unroll": node.unroll}

        def body(i: Any) -> None:
            self.loop = StageInfo(i, start, stop, step, work_tile=outer.work_tile)
            self._body(node.body)
            self.loop = outer

        if node.body:
            for_(LoopRange(start, stop, step, **unroll), body, self._state(node), self.place)

    def _tiles(self, node: TileLoop) -> None:
        slot, outer = (node.queue, "work_tile"), self.loop

        def body(_: Any) -> None:
            tile = self._slot(slot)
            self.loop = StageInfo(work_tile=tile)
            if node.skip_if is not None:
                given = (tile,) if hasattr(node.skip_if, "__self__") else (node.queue, tile)
                self.skips[node] = node.skip_if(*given)
            self._body(node.body)
            self.loop = outer
            self.skips.pop(node, None)

        while_(lambda: self._slot(slot).is_valid_tile, body, self._state(node), self.place)

    def _block(self, node: Any) -> None:
        if isinstance(node, Skippable):
            condition = not_(self.skips[node.loop]) if node.loop in self.skips else True
        elif isinstance(node.condition, IterationPredicate):
            start, stop, step = self.loop.loop_start, self.loop.loop_end, self.loop.loop_step
            count = (stop - start + step - 1) // step
            condition = node.condition.fires((self.loop.loop_offset - start) // step, count)
        else:
            condition = self._value(node.condition.key)
            condition = not_(condition) if node.condition.negated else condition
        if_(condition, lambda: self._body(node.body), lambda: None, self._state(node), self.place)

    # ---- What goes through loops and branches ----

    def _state(self, node: Any) -> State:
        slots = [slot for slot in _given(node.body) if self._is_needed(slot, node)]
        if isinstance(node, TileLoop):
            slots.append((node.queue, "work_tile"))
        slots = list(dict.fromkeys(slots))
        for slot in slots:
            self._slot(slot)
        steps = dict.fromkeys(
            (x.resource, STEPS[x.name][0]) for x in leaves(node.body)
            if isinstance(x, Step) and STEPS[x.name][1] != "try"
            and x.resource.pipeline_config is not None)
        sides = list(dict.fromkeys(
            cursor for key in steps for cursor in (self._side(*key).enters, self._side(*key).leaves)))
        attributes = list(dict.fromkeys(
            (x.resource, name) for x in leaves(node.body) if isinstance(x, Call)
            for name in sorted(x.work.assigned(x.resource) | _carried(x.resource))
            if name in vars(x.resource)))
        names = [f"{resource.name}.{name}" for resource, name in (*slots, *attributes)]
        names[len(slots):len(slots)] = ["the place in a pipeline"] * len(sides)

        def get() -> tuple[Any, ...]:
            return (*(self.slots[slot] for slot in slots), *(side.state for side in sides),
                    *(getattr(*attribute) for attribute in attributes))

        def set_(values: tuple[Any, ...]) -> None:
            rest = iter(values)
            for slot in slots:
                self.slots[slot] = next(rest)
            for side in sides:
                side.state = next(rest)
            for owner, name in attributes:
                vars(owner)[name] = next(rest)

        count = len(names)
        return State(tuple(names), (True,) * count, ((),) * count, (True,) * count, get, set_)

    def _is_needed(self, slot: Slot, node: Any) -> bool:
        """Returns whether a variable that a construct gives is taken after it, or in it before."""
        inside = [x for x in leaves(node.body) if isinstance(x, Call)]
        others = set(map(id, inside))
        for call in leaves(self.task.schedule.body):
            taken = isinstance(call, Call) and slot in [t.slot for t in call.taken]
            if taken and id(call) not in others:
                return True
        if any(slot == getattr(key, "slot", None) for key in _conditions(self.task.schedule.body)):
            return True
        for call in inside:
            if slot in [t.slot for t in call.taken]:
                return True
            if slot in [(call.resource, name) for name in call.work.variables()]:
                return not any(call is x for x in node.body)
        return False


def _loops(body: list[Any]) -> Iterator[Loop]:
    """Yields the loops of a body."""
    for node in body:
        if isinstance(node, Loop):
            yield node
        elif hasattr(node, "body"):
            yield from _loops(node.body)


def _given(body: list[Any]) -> Iterator[Slot]:
    for node in leaves(body):
        if isinstance(node, Call):
            for name in node.work.variables():
                yield node.resource, name


def _conditions(body: list[Any]) -> Iterator[Any]:
    """Yields what blocks ask of variables."""
    for node in body:
        if isinstance(node, Block) and not isinstance(node.condition, IterationPredicate):
            yield node.condition.key
        if hasattr(node, "body"):
            yield from _conditions(node.body)


def _carried(resource: MemoryResource) -> set[str]:
    """Returns the attributes that change by what their own methods do."""
    return {"tile_scheduler"} if hasattr(resource, "create_tile_scheduler") else set()
