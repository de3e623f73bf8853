"""Options of tasks, resources and their pipelines."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, Hashable

__all__ = [
    "BlockGuard",
    "Every",
    "IterationPredicate",
    "LoopGuard",
    "OpaqueCondition",
    "PipelineType",
    "SignalingThreads",
    "TileSchedulerType",
    "WorkAttr",
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
        if self.period < 1 or self.start < 0:
            raise ValueError(f"a period is positive and a start not negative, not {self}")

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


class SignalingThreads(enum.IntFlag):
    """Which threads arrive at a barrier; how many the cooperative group says."""

    All = 1
    CtaLeader = 2
    TaskWarpLeader = 4


class WorkAttr(enum.IntFlag):
    """Auxiliary work touches no data of its resource: its place is not checked."""

    NONE = 0
    AUXILIARY = 1
