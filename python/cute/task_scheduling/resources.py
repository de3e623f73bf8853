"""Resources: memory, the work that writes and reads it, and the values that work passes on."""

from __future__ import annotations

import dataclasses
import dis
import types
from typing import Any, Callable

from .. import arch
from .._compile.arguments import Constexpr
from .._compile.jit import jit
from .enums import WorkAttr
from .pipeline import PipelineConfig

__all__ = [
    "MemoryResource",
    "PdlLaunchBarrier",
    "PdlWaitBarrier",
    "PipelineConfig",
    "StageInfo",
    "TaskLocalVariable",
    "Work",
    "WorkAttr",
    "consumer_work",
    "producer_work",
]

_NOTHING = object()


class TaskLocalVariable:
    """A value that a task holds, and that a consumer work of its resource returns.

    :param default: what it is before, or ``default_factory()``
    """

    def __init__(
        self, dtype: Any = None, default: Any = _NOTHING,
        default_factory: Callable[[], Any] | None = None, docs: str | None = None,
        runtime_slot_name: str | None = None,
    ):
        if default is not _NOTHING and default_factory is not None:
            raise ValueError("a variable has a default or a default_factory, not both")
        self.dtype, self.docs, self.field_name = dtype, docs, runtime_slot_name
        self._default, self._factory = default, default_factory

    @staticmethod
    def uninitialized() -> TaskLocalVariable:
        """Declares a field, which ``__init__`` or ``__post_init__`` assigns."""
        return TaskLocalVariable()

    def __set_name__(self, owner: Any, name: str) -> None:
        self.field_name = name

    @property
    def default(self) -> Any:
        """The variable's value before any work has set it.

        :raises ValueError: where there is none
        """
        if self._factory is not None:
            return self._factory()
        if self._default is _NOTHING:
            raise ValueError(f"{self.field_name} has no default: assign a TaskLocalVariable in "
                             "__init__ or __post_init__")
        return self._default


@dataclasses.dataclass
class StageInfo:
    """The iteration and the stage of a call of a work method.

    :param loop_offset: the loop's counter
    :param stage_idx: the stage of the resource's pipeline, None without one
    :param barrier: an Array of the barrier that TMA's bytes arrive at
    """

    loop_offset: Any = 0
    loop_start: Any = 0
    loop_end: Any = 0
    loop_step: Any = 1
    stage_idx: Any = None
    label: Any = None
    barrier: Any = None
    work_tile: Any = None
    num_active_stages: int = 0
    context: Any = None
    task_cache: Any = None


class Work:
    """A method of a resource that schedules call."""

    def __init__(self, method: Any, is_producer: bool, attributes: WorkAttr, returns: Any):
        if isinstance(returns, (list, tuple)):
            self.returns, self.is_single = tuple(returns), False
        else:
            self.returns, self.is_single = () if returns is None else (returns,), True
        self.method, self.is_producer = method, is_producer
        WorkAttr.validate(attributes, "work_attrs")
        self.is_auxiliary = attributes.is_auxiliary()
        self.__doc__ = method.__doc__
        self.name = method.__name__

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self if owner is None else types.MethodType(self.method, owner)

    def variables(self) -> tuple[str, ...]:
        """Returns the names of the variables that it gives."""
        return tuple(r if isinstance(r, str) else getattr(r, "field_name", None) or r.name
                     for r in self.returns)

    def assigned(self, owner: Any) -> set[str]:
        """Returns the attributes of its resource that it may assign, by itself or by methods
        that it calls."""
        found: set[str] = set()
        names, seen = [self.method], set()
        while names:
            function = getattr(names.pop(), "__wrapped__", None)
            code = getattr(function, "__code__", None)
            if code is None or code in seen:
                continue
            seen.add(code)
            for step in dis.get_instructions(code):
                if step.opname == "STORE_ATTR":
                    found.add(step.argval)
            for name in code.co_names:
                other = getattr(type(owner), name, None)
                names.append(other.method if isinstance(other, Work) else other)
        return found


def consumer_work(method: Any = None, *, work_attrs: WorkAttr = WorkAttr.NONE,
                  returns: Any = None) -> Any:
    """Makes a method one that reads its resource, and gives the variables ``returns``.

    For example::

        @consumer_work(returns=item)
        @cute.jit
        def get_item(self, stage_info: StageInfo) -> cutlass.Int16:
            return self.tensor[stage_info.loop_offset]
    """
    if method is None:
        return lambda m: Work(m, False, work_attrs, returns)
    return Work(method, False, work_attrs, returns)


def producer_work(method: Any = None, *, work_attrs: WorkAttr = WorkAttr.NONE) -> Any:
    """Makes a method one that writes its resource."""
    if method is None:
        return lambda m: Work(m, True, work_attrs, None)
    return Work(method, True, work_attrs, None)


@dataclasses.dataclass(eq=False)
class MemoryResource:
    """Memory that tasks share: derive a dataclass with fields and work methods.

    :param name: for messages
    :param pipeline_config: how its stages are handed over; none if nobody has to wait
    :param is_barrier: it has no data; its works only order others
    """

    name: Constexpr[str] = ""
    is_barrier: Constexpr[bool] = False
    pipeline_config: Constexpr[Any] = None
    pipeline: Constexpr[Any] = dataclasses.field(init=False, default=None)
    pipeline_group: Constexpr[Any] = dataclasses.field(init=False, default=None)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # @dataclass leaves these alone where a class has them: resources are keys.
        cls.__eq__, cls.__hash__ = object.__eq__, object.__hash__  # type: ignore[method-assign]

    def get_smem_requirements(self) -> list[Any]:
        """Returns the allocations of shared memory that the resource has."""
        return []

    def get_tmem_requirements(self) -> list[Any]:
        """Returns the allocations of tensor memory that the resource has."""
        return []

    def get_producer_requirements(self) -> list[Any] | None:
        """Returns the allocations that producers touch; None for all."""
        return None

    def get_consumer_requirements(self) -> list[Any] | None:
        """Returns the allocations that consumers touch; None for all."""
        return None

    def physical_ranges(self) -> list[tuple[str, int, int]]:
        """Returns what the resource takes of memories: (memory, first, end)."""
        return []

    def consumer_work(self, stage_info: StageInfo) -> None:
        """Reads the resource, where a schedule calls ``consumer_work()``; for resources that
        derive of this, as the next three."""

    def consumer_aux_work(self, stage_info: StageInfo) -> None:
        """Prepares a consumer, and touches no data."""

    def producer_work(self, stage_info: StageInfo) -> None:
        """Writes the resource."""

    def producer_aux_work(self, stage_info: StageInfo) -> None:
        """Prepares a producer, and touches no data."""


@dataclasses.dataclass(eq=False)
class PdlWaitBarrier(MemoryResource):
    """Waits for the launch before this one, which overlaps with it."""

    is_barrier: Constexpr[bool] = True

    @consumer_work
    @jit
    def wait_griddep(self, stage_info: StageInfo) -> None:
        """Waits until the memory of the launch before is there."""
        arch.griddepcontrol_wait()


@dataclasses.dataclass(eq=False)
class PdlLaunchBarrier(MemoryResource):
    """Lets the launch after this one begin."""

    is_barrier: Constexpr[bool] = True

    @producer_work
    @jit
    def launch_griddep(self, stage_info: StageInfo) -> None:
        """Lets the next launch begin, as far as this block is concerned."""
        arch.griddepcontrol_launch_dependents()


def __getattr__(name: str) -> Any:
    """Returns a name that the reference has here, and this package in another module."""
    from ._homes import elsewhere

    return elsewhere(__name__, name)
