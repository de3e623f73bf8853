"""Schedules: the calls of a function are recorded once, and run later by a task's warps."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from typing import Any, Callable, Iterator

from .enums import FIRST_ITER, LAST_ITER, Every, IterationPredicate, OpaqueCondition, WorkAttr
from .resources import MemoryResource, Work

__all__ = [
    "Schedule",
    "ScheduleError",
    "domain_loop",
    "schedule",
    "when_false",
    "when_true",
    "work_tile_loop",
]

# The steps of a pipeline: (whether they are the producer's, their action).
STEPS = {"try_acquire": (True, "try"), "acquire": (True, "enter"), "commit": (True, "leave"),
         "try_wait": (False, "try"), "wait": (False, "enter"), "release": (False, "leave")}

# Methods that schedules call, also without a decorator.
HOOKS = ("consumer_work", "consumer_aux_work", "producer_work", "producer_aux_work")


class ScheduleError(ValueError):
    """An invalid schedule."""


@dataclasses.dataclass(eq=False)
class Token:
    """A variable that a work gives, as schedules hand it on."""

    resource: MemoryResource
    name: str

    @property
    def slot(self) -> tuple[MemoryResource, str]:
        return self.resource, self.name

    def __bool__(self) -> bool:
        raise ScheduleError(f"{self.resource.name}.{self.name} is known only when the task runs; "
                            "use when_true or when_false")


@dataclasses.dataclass(eq=False)
class Call:
    """A work method with its arguments: tokens, or their values."""

    resource: MemoryResource
    work: Work
    arguments: tuple[Any, ...]
    named: dict[str, Any]
    label: Any = None

    def __str__(self) -> str:
        return f"{self.resource.name}.{self.work.name}"

    @property
    def taken(self) -> list[Token]:
        return [x for x in (*self.arguments, *self.named.values()) if isinstance(x, Token)]


@dataclasses.dataclass(eq=False)
class Step:
    """A step of a resource's pipeline."""

    resource: MemoryResource
    name: str

    def __str__(self) -> str:
        return f"{self.resource.name}.{self.name}"


@dataclasses.dataclass(eq=False)
class Loop:
    """A loop over a range, whose counter is the works' ``loop_offset``."""

    start: Any
    stop: Any
    step: Any
    unroll: int | None
    body: list[Any]


@dataclasses.dataclass(eq=False)
class Block:
    """Works that run where a condition holds."""

    condition: Any
    body: list[Any]


@dataclasses.dataclass(eq=False)
class TileLoop:
    """A loop over the tiles that a queue gives this block."""

    queue: Any
    skip_if: Any
    body: list[Any]


@dataclasses.dataclass(eq=False)
class Skippable:
    """Works that a skipped tile leaves out."""

    loop: TileLoop
    body: list[Any]


@dataclasses.dataclass(eq=False)
class Schedule:
    """The steps of a task."""

    name: str
    body: list[Any]
    resources: list[MemoryResource]


def leaves(body: list[Any]) -> Iterator[Any]:
    """Yields the calls and steps of a body, also of what is within."""
    for node in body:
        if hasattr(node, "body"):
            yield from leaves(node.body)
        else:
            yield node


class _Open(threading.local):
    bodies: list[list[Any]] | None = None
    scopes: list[Any] = []


_open = _Open()


def _record(node: Any) -> None:
    if _open.bodies is None:
        raise ScheduleError("this is only valid in a function under @schedule")
    _open.bodies[-1].append(node)


@contextlib.contextmanager
def _within(node: Any, given: Any = None) -> Iterator[Any]:
    _record(node)
    assert _open.bodies is not None
    _open.bodies.append(node.body)
    _open.scopes.append(node)
    try:
        yield given
    finally:
        _open.bodies.pop()
        _open.scopes.pop()


class _Proxy:
    """A resource within a schedule: its calls are written down."""

    def __init__(self, resource: MemoryResource):
        self._resource = resource

    def __getattr__(self, name: str) -> Any:
        resource = self._resource
        if name in STEPS:
            return lambda: self._step(name)
        work = getattr(type(resource), name, None)
        if name in HOOKS and not isinstance(work, Work):
            is_auxiliary = WorkAttr.AUXILIARY if "aux" in name else WorkAttr.NONE
            work = Work(work, name.startswith("producer"), is_auxiliary, None)
        if not isinstance(work, Work):
            return getattr(resource, name)
        return lambda *args, label=None, **named: self._call(work, args, named, label)

    def _step(self, name: str) -> None:
        is_queue = hasattr(self._resource, "create_tile_scheduler")
        if self._resource.pipeline_config is None and not is_queue:
            raise ScheduleError(f"{self._resource.name} has no pipeline, so nothing to {name}")
        _record(Step(self._resource, name))

    def _call(self, work: Work, arguments: Any, named: Any, label: Any) -> Any:
        _record(Call(self._resource, work, arguments, named, label))
        tokens = tuple(Token(self._resource, name) for name in work.variables())
        if not tokens:
            return None
        return tokens[0] if work.is_single else tokens


def _resource(given: Any) -> MemoryResource:
    """Returns the resource that a schedule is given; a group names its members."""
    if hasattr(given, "member"):
        return given.member
    if not isinstance(given, MemoryResource):
        raise ScheduleError(f"a schedule is of resources, not of {given!r}")
    if given.pipeline_group is not None:
        group = given.pipeline_group.name
        raise ScheduleError(f"{given.name} is in the group {group}: pass {group}.{given.name}")
    return given


def schedule(fn: Callable[..., None]) -> Callable[..., Schedule]:
    """Turns a function of resources into one that returns the schedule of its calls.

    Python's own loops and branches in it run once, now.

    For example::

        @schedule
        def load(rows, tile):
            with domain_loop(0, count):
                row = rows.next_row()
                tile.acquire()
                tile.load(row=row)
                tile.commit()

        task = Task(..., schedule=load(rows, tile))
    """

    def capture(*resources: MemoryResource, **named: Any) -> Schedule:
        if _open.bodies is not None:
            raise ScheduleError("a schedule does not call another")
        resources = tuple(map(_resource, resources))
        named = {name: _resource(x) for name, x in named.items()}
        made = Schedule(fn.__name__, [], [*resources, *named.values()])
        _open.bodies, _open.scopes = [made.body], []
        try:
            fn(*(_Proxy(r) for r in resources), **{k: _Proxy(r) for k, r in named.items()})
        finally:
            _open.bodies = None
        return made

    capture.__name__, capture.__doc__ = fn.__name__, fn.__doc__
    return capture


class _LoopScope:
    """A loop that is open, and blocks of some of its iterations."""

    def __init__(self, loop: Loop):
        self._loop = loop

    def _block(self, predicate: IterationPredicate) -> Any:
        if self._loop not in _open.scopes:
            raise ScheduleError("a block of some iterations must be inside their loop")
        return _within(Block(predicate, []))

    def first_iter(self) -> Any:
        """Opens a block of the first iteration."""
        return self._block(FIRST_ITER)

    def last_iter(self) -> Any:
        """Opens a block of the last iteration."""
        return self._block(LAST_ITER)

    def every(self, period: int, *, start: int = 0) -> Any:
        """Opens a block of each ``period``-th iteration from ``start`` on."""
        return self._block(Every(period, start))


class _TileScope:
    """A loop over tiles that is open."""

    def __init__(self, loop: TileLoop):
        self._loop = loop

    def skippable(self) -> Any:
        """Opens a block that tiles skip where ``skip_if`` says so."""
        return _within(Skippable(self._loop, []))


# The names of the reference, for annotations.
DataFlowToken, ConditionalBlock, DomainLoop, WorkTileLoop = Token, Block, Loop, TileLoop
ResourceProxy, DomainLoopProxy, WorkTileLoopProxy = _Proxy, _LoopScope, _TileScope


def domain_loop(*bounds: Any, unroll: int | None = None) -> Any:
    """Opens a loop over ``range(*bounds)``, numbers or values of the kernel.

    :raises ScheduleError: for a loop in a loop
    """
    if not 1 <= len(bounds) <= 3:
        raise ScheduleError(f"a loop has 1 to 3 bounds, not {len(bounds)}")
    if any(isinstance(scope, Loop) for scope in _open.scopes):
        raise ScheduleError("a domain_loop cannot be inside another; write range_constexpr")
    start, stop = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
    loop = Loop(start, stop, bounds[2] if len(bounds) == 3 else 1, unroll, [])
    return _within(loop, _LoopScope(loop))


def work_tile_loop(wq: Any, *, skip_if: Any = None) -> Any:
    """Opens a loop that runs while the queue has tiles for this block.

    :param skip_if: ``f(queue, tile)``, a method of the queue or a function: which tiles leave
        out the ``skippable()`` blocks
    """
    if not hasattr(wq, "create_tile_scheduler"):
        raise ScheduleError("a work_tile_loop goes through the tiles of a WorkQueue")
    loop = TileLoop(wq._resource, skip_if, [])
    return _within(loop, _TileScope(loop))


def _condition(cond: Any, negated: bool) -> Any:
    if isinstance(cond, Token):
        cond = OpaqueCondition(cond)
    if isinstance(cond, OpaqueCondition):
        return _within(Block(OpaqueCondition(cond.key, cond.negated != negated), []))
    if not isinstance(cond, IterationPredicate) or negated:
        raise ScheduleError(f"a condition is what a work returns, not {cond!r}")
    return _within(Block(cond, []))


def when_true(cond: Any, *, key: Any = None) -> Any:
    """Opens a block that runs where a variable is true."""
    return _condition(cond, False)


def when_false(cond: Any, *, key: Any = None) -> Any:
    """Opens a block that runs where a variable is false."""
    return _condition(cond, True)


def __getattr__(name: str) -> Any:
    """Returns a name that the reference has here, and this package in another module."""
    from ._homes import elsewhere

    return elsewhere(__name__, name)
