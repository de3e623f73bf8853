"""Groups of resources whose pipelines share the barriers of a side that one task is."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, Iterator

from .._compile.arguments import Constexpr
from ..pipeline import Agent, CooperativeGroup, PipelineOp
from .enums import PipelineGroupMode, PipelineType
from .pipeline import PipelineConfig, make_barriers, pipeline_of
from .resources import MemoryResource

__all__ = ["PipelineGroup"]


@dataclasses.dataclass(eq=False)
class MemberRef:
    """A member as its group names it, for schedules: ``group.member``."""

    group: Any
    member: MemoryResource


@dataclasses.dataclass(eq=False)
class PipelineGroup(MemoryResource):
    """Resources that one task fills together, or reads together.

    Merge: one task waits for each member, and releases all by ``group.release()``. Fork: one task
    acquires each member, and commits all by ``group.commit()``. FusedMerge: all members' producers
    fill one barrier, and one task calls ``group.wait()`` and ``group.release()``. A schedule gets
    the members as ``group.name``.

    :param members: resources with pipelines of their own, as many stages each
    :param pipeline_config: of the shared barriers; by default made of the members'
    :raises ValueError: for members whose pipelines do not go together

        loads = PipelineGroup(name="loads", members=[a, b], mode=PipelineGroupMode.Merge)
    """

    members: Constexpr[Any] = dataclasses.field(default_factory=list)
    mode: Constexpr[Any] = PipelineGroupMode.Merge

    def __post_init__(self) -> None:
        self.is_barrier = True
        if not self.members:
            raise ValueError("a PipelineGroup has members")
        for member in self.members:
            if member.pipeline_group is not None:
                raise ValueError(f"{member.name} is in the group {member.pipeline_group.name} already")
            if member.pipeline_config is None:
                raise ValueError(f"{member.name} has no pipeline, so nothing to share")
        merged = self._merged()
        if self.pipeline_config is None:
            self.pipeline_config = merged
        elif self.pipeline_config.num_stages != merged.num_stages:
            raise ValueError(f"the group {self.name} has {self.pipeline_config.num_stages} stages, "
                             f"and its members {merged.num_stages}")
        for member in self.members:
            member.pipeline_group = self

    def __getattr__(self, name: str) -> Any:
        for member in self.__dict__.get("members") or ():
            if member.name == name:
                return MemberRef(self, member)
        raise AttributeError(f"{type(self).__name__} has no member {name!r}")

    def shares(self, is_producer: bool) -> bool:
        """Returns whether members have their place in common on a side."""
        return is_producer == (self.mode is PipelineGroupMode.Fork)

    @property
    def group_pipeline(self) -> Any:
        """The pipeline of the first member, whose shared barrier all have."""
        return self.members[0].pipeline

    @property
    def num_barriers_per_stage(self) -> int:
        return 2 if self.mode is PipelineGroupMode.FusedMerge else len(self.members) + 1

    def _alike(self, name: str, values: Iterator[Any]) -> Any:
        found = list(dict.fromkeys(values))
        if len(found) > 1:
            raise ValueError(f"the members of {self.name} have different {name}: "
                             f"{', '.join(map(str, found))}")
        return found[0]

    def _merged(self) -> PipelineConfig:
        """Returns the configuration of the shared barriers."""
        configs = [member.pipeline_config for member in self.members]
        first, is_fork = configs[0], self.mode is PipelineGroupMode.Fork
        self._alike("num_stages", (c.num_stages for c in configs))
        shared = self._alike("kinds of the shared side", (
            c.pipeline_type.sides[not is_fork] for c in configs))
        arrivals = [[getattr(c, f"{side}_group").size for c in configs]
                    for side in ("producer", "consumer")]
        many = is_fork  # the side whose members arrive by themselves
        self._alike("arrivals of the shared side", iter(arrivals[1 - many]))
        sizes = [x[0] for x in arrivals]
        sizes[many] = sum(arrivals[many])
        if is_fork:
            self._alike("num_bytes", (c.num_bytes for c in configs))
        if self.mode is PipelineGroupMode.FusedMerge and first.has_interleaved_stride:
            raise ValueError(f"{self.name} is a FusedMerge, whose stages do not interleave")
        kinds = {c.pipeline_type for c in configs}
        kind = PipelineType(f"{shared}Async" if is_fork else f"Async{shared}")
        return dataclasses.replace(
            first, pipeline_type=kinds.pop() if len(kinds) == 1 else kind, barrier_ptr=None,
            num_bytes=first.num_bytes if is_fork else sum(c.num_bytes for c in configs),
            producer_group=CooperativeGroup(first.producer_group.agent or Agent.Thread, sizes[0]),
            consumer_group=CooperativeGroup(first.consumer_group.agent or Agent.Thread, sizes[1]))

    def make_pipelines(self, memory: Any) -> None:
        """Makes the barriers, ``num_barriers_per_stage`` for each stage, and gives the members
        their pipelines; the caller makes the barriers visible."""
        config, stages = self.pipeline_config, self.pipeline_config.num_stages
        configs = [member.pipeline_config for member in self.members]
        if self.mode is PipelineGroupMode.Fork:
            full = [make_barriers(memory, config, True)] * len(configs)
            empty = [make_barriers(memory + (1 + i) * stages, c, False)
                     for i, c in enumerate(configs)]
        elif self.mode is PipelineGroupMode.Merge:
            full = [make_barriers(memory + i * stages, c, True) for i, c in enumerate(configs)]
            empty = [make_barriers(memory + len(configs) * stages, config, False)] * len(configs)
        else:
            shared = make_barriers(memory, config, True)
            full = [_seen_by(shared, c.full_op, c.num_bytes) for c in configs]
            empty = [make_barriers(memory + stages, config, False)] * len(configs)
        for member, own, x, y in zip(self.members, configs, full, empty):
            member.pipeline = pipeline_of(own, x, y)


def _seen_by(barriers: Any, op: PipelineOp, num_bytes: int) -> Any:
    """Returns the same barriers for producers that arrive by another operation."""
    seen = copy.copy(barriers)
    seen.op_type, seen.tx_count = op, num_bytes
    return seen
