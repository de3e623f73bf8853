"""Who takes part in a pipeline, and the next stage of a side."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Optional

from .._frontend.guards import choose
from .._values.numeric import Int32


class Agent(enum.Enum):
    """The kind of a participant of a pipeline."""

    Thread = enum.auto()
    Warp = enum.auto()
    ThreadBlock = enum.auto()
    ThreadBlockCluster = enum.auto()


@dataclass(frozen=True)
class CooperativeGroup:
    """How many agents arrive at a barrier for one phase."""

    agent: Agent
    size: Any = 1
    alignment: Optional[int] = None

    def __post_init__(self) -> None:
        if isinstance(self.size, float) and self.size.is_integer():
            object.__setattr__(self, "size", int(self.size))
        if isinstance(self.size, int) and self.size < 1:
            raise ValueError(f"a group has at least one agent, not {self.size}")


class PipelineOp(enum.Enum):
    """The operation by which a producer or consumer works on a stage."""

    AsyncThread = enum.auto()
    TCGen05Mma = enum.auto()
    TmaLoad = enum.auto()
    ClcLoad = enum.auto()
    TmaStore = enum.auto()
    Composite = enum.auto()
    AsyncLoad = enum.auto()


class PipelineUserType(enum.Enum):
    """A side of a pipeline. Producers begin with all stages empty."""

    Producer = enum.auto()
    Consumer = enum.auto()
    ProducerConsumer = enum.auto()


class PipelineState:
    """The next stage of one side: ``index`` of ``stages``, ``phase``, ``count``.

    ``count`` is how often the state advanced since ``reset_count``. Loops and
    branches carry it as three integers.
    """

    def __init__(self, stages: int, count: Any, index: Any, phase: Any):
        self._stages = stages
        self._count = Int32(count)
        self._index = Int32(index)
        self._phase = Int32(phase)

    @property
    def stages(self) -> int:
        return self._stages

    @property
    def count(self) -> Int32:
        return self._count

    @property
    def index(self) -> Int32:
        return self._index

    @property
    def phase(self) -> Int32:
        return self._phase

    def clone(self, *, loc: Any = None, ip: Any = None) -> PipelineState:
        """Returns a copy of the state, which advances independently."""
        return PipelineState(self._stages, self._count, self._index, self._phase)

    def reset_count(self, *, loc: Any = None, ip: Any = None) -> None:
        self._count = Int32(0)

    def advance(self, count: int = 1, *, loc: Any = None, ip: Any = None) -> None:
        """Advances to the next stage, and after the last one to the first stage's next
        phase, a known number of times."""
        for _ in range(count):
            self._advance()

    def _advance(self) -> None:
        after = self._index + 1
        ends = after == self._stages
        self._index = choose(ends, Int32(0), after)
        self._phase = choose(ends, self._phase ^ 1, self._phase)
        self._count = self._count + 1

    def reverse(self, *, loc: Any = None, ip: Any = None) -> None:
        """Goes back to the stage before."""
        begins = self._index == 0
        self._index = choose(begins, Int32(self._stages - 1), self._index - 1)
        self._phase = choose(begins, self._phase ^ 1, self._phase)
        self._count = self._count - 1

    def __extract_mlir_values__(self) -> list[Any]:
        return [x.ir_value() for x in (self._count, self._index, self._phase)]

    def __new_from_mlir_values__(self, values: list[Any]) -> PipelineState:
        return PipelineState(self._stages, *(Int32(value) for value in values))


def make_pipeline_state(
    type: PipelineUserType, stages: int, *, loc: Any = None, ip: Any = None
) -> PipelineState:
    """Returns the first state of a side.

    A producer's phase is 1, the phase before the first, which is complete, so its first
    round does not wait.
    """
    if type in (PipelineUserType.Producer, PipelineUserType.ProducerConsumer):
        return PipelineState(stages, 0, 0, 1)
    if type is PipelineUserType.Consumer:
        return PipelineState(stages, 0, 0, 0)
    raise ValueError(f"a state is of a producer or a consumer, not {type}")


class PerStagePipelineState:
    """A place in a pipeline whose stages have phases and counts of their own, as they may be
    filled again.

    Loops and branches carry the stage; phases and counts are in registers.
    """

    def __init__(self, num_stages: int):
        from .._values.tensor import make_rmem_tensor

        self._num_stages, self._index = num_stages, Int32(0)
        self._phases, self._counts = (make_rmem_tensor(num_stages, Int32) for _ in range(2))
        self._phases.fill(0)
        self._counts.fill(0)

    @property
    def index(self) -> Int32:
        """The stage."""
        return self._index

    @property
    def phase(self) -> Int32:
        """The stage's phase."""
        return self._phases[self._index]

    @property
    def count(self) -> Int32:
        """How often the stage was valid."""
        return self._counts[self._index]

    def next(self, *, loc: Any = None, ip: Any = None) -> None:
        """Goes on to the next stage, after the last one to the first."""
        after = self._index + 1
        self._index = choose(after == self._num_stages, Int32(0), after)

    def mark_invalid(self, *, loc: Any = None, ip: Any = None) -> None:
        """Says that what came has to come again."""
        self._phases[self._index] = self.phase ^ 1

    def mark_valid(self, *, loc: Any = None, ip: Any = None) -> None:
        """Says that the stage is full."""
        self._phases[self._index] = self.phase ^ 1
        self._counts[self._index] = self.count + 1

    def reset_count(self, *, loc: Any = None, ip: Any = None) -> None:
        """Sets all counts to 0."""
        self._counts.fill(0)

    def __extract_mlir_values__(self) -> list[Any]:
        return [self._index.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> PerStagePipelineState:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, _index=Int32(values[0]))
        return made
