"""Options of tasks, resources and their pipelines."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, Hashable

__all__ = [
    "BlockGuard",
    "Every",
    "FIRST_ITER",
    "IterationPredicate",
    "LAST_ITER",
    "LoopGuard",
    "OpaqueCondition",
    "PipelineGroupMode",
    "PipelineType",
    "SKIPPABLE",
    "ScheduleStage",
    "ScheduleStageType",
    "SignalingThreads",
    "TileSchedulerType",
    "WorkAttr",
    "guard_fires",
    "is_iteration_predicate",
    "is_loop_guard",
    "is_skippable_guard",
]


class BlockGuard:
    """When a block of a schedule runs."""


class IterationPredicate(BlockGuard):
    """A condition on an iteration of a loop."""

    def fires(self, iter_idx: Any, num_iters: Any) -> Any:
        """Returns whether the block runs in an iteration, counted from 0."""
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class Every(IterationPredicate):
    """Each ``period``-th iteration from ``start`` on.

    >>> from cute.task_scheduling import Every
    >>> [i for i in range(8) if Every(3, start=1).fires(i, 8)]
    [1, 4, 7]
    """

    period: int
    start: int = 0

    def __post_init__(self) -> None:
        if not (type(self.period) is type(self.start) is int):
            raise TypeError(f"a period and a start are integers, not {self}")
        if not 0 < self.period < 1 << 31 or not 0 <= self.start < 1 << 31:
            raise ValueError(f"a period is positive and a start not negative, both of 32 bits, "
                             f"not {self}")

    def fires(self, iter_idx: Any, num_iters: Any) -> Any:
        if isinstance(iter_idx, int):
            return iter_idx >= self.start and (iter_idx - self.start) % self.period == 0
        return (iter_idx >= self.start) & ((iter_idx - self.start) % self.period == 0)


class _First(IterationPredicate):
    def fires(self, iter_idx: Any, num_iters: Any) -> Any:
        return iter_idx == 0


class _Last(IterationPredicate):
    def fires(self, iter_idx: Any, num_iters: Any) -> Any:
        return iter_idx == num_iters - 1


FIRST_ITER, LAST_ITER = _First(), _Last()


class _Skippable(BlockGuard):
    """What tiles leave out that are skipped."""


SKIPPABLE = _Skippable()


class LoopGuard(enum.Enum):
    """Iterations that a block runs in."""

    Always = "Always"
    LastIter = "LastIter"
    FirstIter = "FirstIter"


@dataclasses.dataclass(frozen=True)
class OpaqueCondition(BlockGuard):
    """A condition that a work method returned."""

    key: Hashable
    negated: bool = False
    resource: Any = None
    method_label: str | None = None
    result_name: str | None = None


class PipelineType(enum.Enum):
    """The producer and the consumer of a stage."""

    AsyncAsync = "AsyncAsync"
    TmaAsync = "TmaAsync"
    TmaUmma = "TmaUmma"
    UmmaAsync = "UmmaAsync"
    AsyncUmma = "AsyncUmma"
    UmmaUmma = "UmmaUmma"
    ClcFetchAsync = "ClcFetchAsync"

    @property
    def sides(self) -> tuple[str, str]:
        """The words of the name: Tma, Umma, Async or ClcFetch."""
        for word in ("ClcFetch", "Async", "Tma", "Umma"):
            if self.value.startswith(word):
                return word, self.value[len(word):]
        raise ValueError(self.value)


class TileSchedulerType(enum.Enum):
    """How blocks get their tiles."""

    StaticPersistent = "StaticPersistent"
    ClcDynamicPersistent = "ClcDynamicPersistent"


class PipelineGroupMode(enum.Enum):
    """Which side of a group's pipelines is one task, and shares a barrier.

    Merge: the consumer, which waits for each member and releases all at once. Fork: the
    producer, which acquires each member and commits all at once. FusedMerge: as Merge, and all
    producers fill one barrier, which the consumer waits for once.
    """

    Merge = "Merge"
    Fork = "Fork"
    FusedMerge = "FusedMerge"


class ScheduleStage(enum.Enum):
    """A step of a schedule."""

    ConsumerAuxWork = "ConsumerAuxWork"
    ConsumerRelease = "ConsumerRelease"
    ConsumerTryWait = "ConsumerTryWait"
    ConsumerWait = "ConsumerWait"
    ConsumerWork = "ConsumerWork"
    ProducerAuxWork = "ProducerAuxWork"
    ProducerTryAcquire = "ProducerTryAcquire"
    ProducerAcquire = "ProducerAcquire"
    ProducerCommit = "ProducerCommit"
    ProducerWork = "ProducerWork"


class ScheduleStageType(enum.Enum):
    """Where a step is: before the loop, in it, in some of its iterations, or after it."""

    Head = "Head"
    Loop = "Loop"
    LoopFirstIter = "LoopFirstIter"
    LoopLastIter = "LoopLastIter"
    Tail = "Tail"


class _Flags(enum.IntFlag):
    @classmethod
    def is_valid_combination(cls, value: Any) -> bool:
        """Returns whether options go together."""
        raise NotImplementedError

    @classmethod
    def validate(cls, value: Any, field_name: str) -> None:
        """Checks an option.

        :raises TypeError: for a value of another type
        :raises ValueError: for options that do not go together
        """
        if not isinstance(value, cls):
            raise TypeError(f"{field_name} is of {cls.__name__}, not {value!r}")
        if not cls.is_valid_combination(value):
            raise ValueError(f"{field_name} is {value!r}, whose parts do not go together")


class SignalingThreads(_Flags):
    """Which threads arrive at a barrier; how many the cooperative group says.

    CtaLeader: the first block of a pair alone takes these steps; TaskWarpLeader: the task's
    first warp alone announces the bytes of TMA.
    """

    All = 1
    CtaLeader = 2
    TaskWarpLeader = 4

    @classmethod
    def is_valid_combination(cls, value: Any) -> bool:
        return value == cls.All or 0 < int(value) <= 6 and not value & cls.All

    def has_cta_leader(self) -> bool:
        """Returns whether first blocks of pairs alone take part."""
        return bool(self & SignalingThreads.CtaLeader)

    def has_task_warp_leader(self) -> bool:
        """Returns whether the task's first warp alone announces bytes."""
        return bool(self & SignalingThreads.TaskWarpLeader)


class WorkAttr(_Flags):
    """Auxiliary work touches no data of its resource: its place is not checked."""

    NONE = 0
    AUXILIARY = 1

    @classmethod
    def is_valid_combination(cls, value: Any) -> bool:
        return value in (cls.NONE, cls.AUXILIARY)

    def is_auxiliary(self) -> bool:
        """Returns whether the work touches no data of its resource."""
        return bool(self & WorkAttr.AUXILIARY)


def is_iteration_predicate(guard: object) -> bool:
    """Returns whether a guard depends on the iteration alone."""
    return isinstance(guard, (IterationPredicate, LoopGuard))


def is_loop_guard(guard: object) -> bool:
    """Returns whether a guard can be of a block in a loop."""
    return isinstance(guard, (LoopGuard, IterationPredicate, OpaqueCondition))


def is_skippable_guard(guard: object) -> bool:
    """Returns whether a guard is of blocks that skipped tiles leave out."""
    return guard is SKIPPABLE


def guard_fires(
    guard: Any, iter_idx: Any, num_iters: Any, *,
    opaque_assignment: dict[Hashable, bool] | None = None,
) -> Any:
    """Returns whether a guard's block runs in an iteration, counted from 0.

    :param opaque_assignment: the conditions that works returned, by their keys
    :raises TypeError: for another guard

    >>> from cute.task_scheduling.enums import LAST_ITER, guard_fires
    >>> guard_fires(LAST_ITER, 3, 4)
    True
    """
    if isinstance(guard, LoopGuard):
        guard = {LoopGuard.FirstIter: FIRST_ITER, LoopGuard.LastIter: LAST_ITER}.get(guard)
        return guard is None or guard.fires(iter_idx, num_iters)
    if isinstance(guard, IterationPredicate):
        return guard.fires(iter_idx, num_iters)
    if isinstance(guard, OpaqueCondition):
        return (opaque_assignment or {}).get(guard.key, False) != guard.negated
    raise TypeError(f"a guard is a LoopGuard, an iteration's or a work's condition, not {guard!r}")
