"""Pipelines: producers fill stages of shared memory, consumers empty them.

A stage has two barriers (mbarrier, PTX ISA 9.7.13.15). Producers wait until it is
*empty* and say when it is *full*; consumers wait until it is full and say when it
is empty. A barrier's phase is one bit, which changes whenever all arrivals that it
counts have come; a ``PipelineState`` knows which stage is next, and which phase to
wait for.

==================  =========================================  ====================
pipeline            who fills a stage                          who empties it
==================  =========================================  ====================
PipelineAsync       threads, by stores                         threads
PipelineCpAsync     threads, by cp.async                       threads
PipelineTmaAsync    TMA, started by one thread of a warp       threads of a cluster
PipelineTmaStore    threads, by stores                         TMA
PipelineOrder       groups of threads take turns
==================  =========================================  ====================
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Optional

from . import arch
from ._control import not_
from ._guards import choose, run_if
from ._numeric import Boolean, Int32
from .core import size

__all__ = [
    "Agent",
    "CooperativeGroup",
    "MbarrierArray",
    "NamedBarrier",
    "PipelineAsync",
    "PipelineConsumer",
    "PipelineCpAsync",
    "PipelineOp",
    "PipelineOrder",
    "PipelineProducer",
    "PipelineState",
    "PipelineTmaAsync",
    "PipelineTmaStore",
    "PipelineUserType",
    "SyncObject",
    "TmaStoreFence",
    "agent_sync",
    "arrive",
    "arrive_and_wait",
    "arrive_unaligned",
    "make_pipeline_state",
    "pipeline_init_arrive",
    "pipeline_init_wait",
    "sync",
    "wait",
    "wait_unaligned",
]


class Agent(enum.Enum):
    """What takes part in a pipeline."""

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
        if isinstance(self.size, int) and self.size < 1:
            raise ValueError(f"a group has at least one agent, not {self.size}")


class PipelineOp(enum.Enum):
    """By which operation a producer or consumer works on a stage."""

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


# ---- States -----------------------------------------------------------------


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

    def clone(self) -> PipelineState:
        """Returns a state of the same place, which advances by itself."""
        return PipelineState(self._stages, self._count, self._index, self._phase)

    def reset_count(self) -> None:
        self._count = Int32(0)

    def advance(self, *, loc: Any = None, ip: Any = None) -> None:
        """Goes to the next stage, and after the last to the first one's next phase."""
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

    A producer's phase is 1: the one before the first, which is over, so that its
    first round does not wait.
    """
    if type is PipelineUserType.Producer:
        return PipelineState(stages, 0, 0, 1)
    if type is PipelineUserType.Consumer:
        return PipelineState(stages, 0, 0, 0)
    raise ValueError(f"a state is of a producer or a consumer, not {type}")


# ---- Barriers ---------------------------------------------------------------


class SyncObject:
    """What threads arrive at and wait for."""

    def arrive(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    def wait(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    def arrive_and_wait(self) -> None:
        raise NotImplementedError

    def arrive_and_drop(self) -> None:
        raise NotImplementedError

    def get_barrier(self) -> Any:
        return None

    def max(self) -> Optional[int]:
        return None


class MbarrierArray(SyncObject):
    """A barrier for each stage, in shared memory; 8 bytes each.

    ``agent`` says by which operation its group arrives. One warp of the block makes
    the barriers when the object is made.
    """

    def __init__(
        self,
        barrier_storage: Any,
        num_stages: int,
        agent: tuple[PipelineOp, CooperativeGroup],
        tx_count: Any = 0,
        *,
        loc: Any = None,
        ip: Any = None,
    ):
        self.barrier_storage = barrier_storage
        self.num_stages = num_stages
        self.op_type, self.cg = agent
        self.arrive_count = self.cg.size
        self.tx_count = tx_count
        if self.num_stages < 1:
            raise ValueError(f"a pipeline has at least one stage, not {num_stages}")
        if self.op_type is PipelineOp.TmaLoad and isinstance(tx_count, int):
            if tx_count < 0:
                raise ValueError(f"TMA brings at least 0 bytes, not {tx_count}")
        self._init()

    def _init(self) -> None:
        def init() -> None:
            with arch.elect_one():
                for stage in range(self.num_stages):
                    arch.mbarrier_init(self.get_barrier(stage), self.arrive_count)

        run_if(arch.warp_idx() == 0, init)

    def get_barrier(self, index: Any = 0, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the address of a stage's barrier."""
        return self.barrier_storage + index

    def arrive(
        self,
        index: Any,
        dst: Any = None,
        cta_group: Any = None,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> None:
        """Arrives at a stage's barrier, by the operation of its group.

        ``dst`` is a block of the cluster, whose barrier it is then.
        """
        if self.op_type is PipelineOp.AsyncThread:
            arch.mbarrier_arrive(self.get_barrier(index), dst)
        elif self.op_type is PipelineOp.AsyncLoad:
            arch.cp_async_mbarrier_arrive_noinc(self.get_barrier(index))
        elif self.op_type is PipelineOp.TmaLoad:
            self.arrive_and_expect_tx(index, self.tx_count)
        else:
            raise NotImplementedError(f"no barrier is arrived at by {self.op_type}")

    def arrive_and_expect_tx(
        self, index: Any, tx_count: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Has one thread of the warp arrive and announce bytes that TMA will bring."""
        with arch.elect_one():
            arch.mbarrier_arrive_and_expect_tx(self.get_barrier(index), tx_count)

    def wait(
        self, index: Any, phase: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Waits until a phase of a stage's barrier is over."""
        arch.mbarrier_wait(self.get_barrier(index), phase)

    def try_wait(
        self, index: Any, phase: Any, *, loc: Any = None, ip: Any = None
    ) -> Boolean:
        """Says whether a phase is over, after a short wait."""
        return arch.mbarrier_try_wait(self.get_barrier(index), phase)

    def max(self) -> Optional[int]:
        return 511


class NamedBarrier(SyncObject):
    """One of the 16 barriers of a block (barrier.sync), for ``num_threads`` threads."""

    def __init__(self, barrier_id: Any, num_threads: int):
        if isinstance(barrier_id, int) and not 0 <= barrier_id < 16:
            raise ValueError(f"a block has barriers 0 to 15, not {barrier_id}")
        if isinstance(num_threads, int) and (num_threads < 1 or num_threads % 32):
            raise ValueError(
                f"whole warps arrive at a named barrier: {num_threads} is no "
                "multiple of 32"
            )
        self.barrier_id = barrier_id
        self.num_threads = num_threads

    def arrive(self, *, loc: Any = None, ip: Any = None) -> None:
        """Arrives without waiting."""
        arch.barrier_arrive(barrier_id=self.barrier_id, number_of_threads=self.num_threads)

    def arrive_unaligned(self, *, loc: Any = None, ip: Any = None) -> None:
        """As ``arrive``, where threads of a warp may get there one after another."""
        self.arrive()

    def arrive_and_wait(self, *, loc: Any = None, ip: Any = None) -> None:
        """Waits until all threads have arrived, with this one."""
        arch.barrier(barrier_id=self.barrier_id, number_of_threads=self.num_threads)

    def wait(self, *, loc: Any = None, ip: Any = None) -> None:
        """As ``arrive_and_wait``: the hardware has no wait without an arrival."""
        self.arrive_and_wait()

    def wait_unaligned(self, *, loc: Any = None, ip: Any = None) -> None:
        self.arrive_and_wait()

    def sync(self, *, loc: Any = None, ip: Any = None) -> None:
        self.arrive_and_wait()

    def get_barrier(self) -> Any:
        return self.barrier_id

    def max(self) -> Optional[int]:
        return 16


class TmaStoreFence(SyncObject):
    """Groups of TMA stores of a thread, of which ``num_stages`` may be under way."""

    def __init__(self, num_stages: int = 0):
        if num_stages < 0:
            raise ValueError(f"at least 0 stages, not {num_stages}")
        self.num_stages = num_stages

    def arrive(self, *, loc: Any = None, ip: Any = None) -> None:
        """Ends a group: what was started since the last."""
        arch.cp_async_bulk_commit_group()

    def wait(self, *, loc: Any = None, ip: Any = None) -> None:
        """Waits until one of the stages has been read."""
        arch.cp_async_bulk_wait_group(self.num_stages - 1, read=True)

    def arrive_and_wait(self) -> None:
        self.arrive()
        self.wait()

    def arrive_and_drop(self) -> None:
        raise NotImplementedError("nobody is counted at a fence of TMA stores")

    def tail(self, *, loc: Any = None, ip: Any = None) -> None:
        """Waits until all stages have been read."""
        arch.cp_async_bulk_wait_group(0, read=True)


def arrive(barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None) -> None:
    """Arrives at a named barrier."""
    NamedBarrier(barrier_id, num_threads).arrive()


def arrive_unaligned(
    barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a named barrier, each thread by itself."""
    NamedBarrier(barrier_id, num_threads).arrive_unaligned()


def wait(barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None) -> None:
    """Arrives at a named barrier and waits."""
    NamedBarrier(barrier_id, num_threads).wait()


def wait_unaligned(
    barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a named barrier and waits, each thread by itself."""
    NamedBarrier(barrier_id, num_threads).wait_unaligned()


def arrive_and_wait(
    barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a named barrier and waits."""
    NamedBarrier(barrier_id, num_threads).arrive_and_wait()


def sync(barrier_id: int = 0, *, loc: Any = None, ip: Any = None) -> None:
    """Waits for all threads of the block."""
    arch.barrier(barrier_id=barrier_id)


def agent_sync(
    group: Agent, is_relaxed: bool = False, *, loc: Any = None, ip: Any = None
) -> None:
    """Waits for all threads of a block, or of a cluster."""
    if group is Agent.ThreadBlock:
        arch.sync_threads()
    elif group is Agent.ThreadBlockCluster:
        (arch.cluster_arrive_relaxed if is_relaxed else arch.cluster_arrive)()
        arch.cluster_wait()
    else:
        raise ValueError(f"threads of a block or of a cluster wait, not of {group}")


def _is_cluster(shape: Any) -> bool:
    return shape is not None and size(shape) > 1


def pipeline_init_arrive(
    cluster_shape_mn: Any = None,
    is_relaxed: bool = False,
    *,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Publishes the barriers that were made, and arrives at the cluster's, if it is one."""
    arch.mbarrier_init_fence()
    if _is_cluster(cluster_shape_mn):
        (arch.cluster_arrive_relaxed if is_relaxed else arch.cluster_arrive)()


def pipeline_init_wait(
    cluster_shape_mn: Any = None, *, loc: Any = None, ip: Any = None
) -> None:
    """Waits until all threads of the block, or of the cluster, see the barriers."""
    if _is_cluster(cluster_shape_mn):
        arch.cluster_wait()
    else:
        arch.sync_threads()


# ---- Pipelines --------------------------------------------------------------


def _needs_pointer(barrier_storage: Any) -> None:
    if barrier_storage is None or not hasattr(barrier_storage, "toint"):
        raise TypeError(
            "barrier_storage is a pointer to 64-bit integers in shared memory, two "
            f"for each stage, not {barrier_storage!r}"
        )


class PipelineAsync:
    """Threads fill stages and threads empty them."""

    _producer_op = PipelineOp.AsyncThread

    def __init__(
        self,
        sync_object_full: Any,
        sync_object_empty: Any,
        num_stages: int,
        producer_mask: Any = None,
        consumer_mask: Any = None,
    ):
        self.sync_object_full = sync_object_full
        self.sync_object_empty = sync_object_empty
        self.num_stages = num_stages
        self.producer_mask = producer_mask
        self.consumer_mask = consumer_mask

    @classmethod
    def create(
        cls,
        *,
        num_stages: int,
        producer_group: CooperativeGroup,
        consumer_group: CooperativeGroup,
        barrier_storage: Any = None,
        producer_mask: Any = None,
        consumer_mask: Any = None,
        defer_sync: bool = False,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        """Makes the barriers, ``2 * num_stages`` of them at ``barrier_storage``.

        With ``defer_sync`` the caller makes them visible to all threads, by
        ``pipeline_init_arrive`` and ``pipeline_init_wait``.
        """
        _needs_pointer(barrier_storage)
        full = MbarrierArray(
            barrier_storage, num_stages, (cls._producer_op, producer_group)
        )
        empty = MbarrierArray(
            barrier_storage + num_stages,
            num_stages,
            (PipelineOp.AsyncThread, consumer_group),
        )
        if not defer_sync:
            pipeline_init_arrive()
            pipeline_init_wait()
        return cls(full, empty, num_stages, producer_mask, consumer_mask)

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage is empty, unless the token says that it is."""
        _wait(self.sync_object_empty, state, try_acquire_token)

    def producer_try_acquire(self, state: PipelineState, **_: Any) -> Boolean:
        """Returns a token: whether the stage is empty already."""
        return self.sync_object_empty.try_wait(state.index, state.phase)

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Says that the stage is full."""
        self.sync_object_full.arrive(state.index, self.producer_mask)

    def producer_get_barrier(self, state: PipelineState, **_: Any) -> Any:
        """Returns the barrier at which those arrive that fill the stage."""
        return self.sync_object_full.get_barrier(state.index)

    def producer_tail(self, state: PipelineState, **_: Any) -> None:
        """Waits until all stages are empty, so that the block may end."""
        last = state.clone()
        for _i in range(self.num_stages):
            self.sync_object_empty.wait(last.index, last.phase)
            last.advance()

    def consumer_wait(
        self, state: PipelineState, try_wait_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage is full, unless the token says that it is."""
        _wait(self.sync_object_full, state, try_wait_token)

    def consumer_try_wait(self, state: PipelineState, **_: Any) -> Boolean:
        """Returns a token: whether the stage is full already."""
        return self.sync_object_full.try_wait(state.index, state.phase)

    def consumer_release(self, state: PipelineState, **_: Any) -> None:
        """Says that the stage is empty."""
        self.sync_object_empty.arrive(state.index, self.consumer_mask)

    def make_producer(self, **_: Any) -> PipelineProducer:
        state = make_pipeline_state(PipelineUserType.Producer, self.num_stages)
        return PipelineProducer(self, state)

    def make_consumer(self, **_: Any) -> PipelineConsumer:
        state = make_pipeline_state(PipelineUserType.Consumer, self.num_stages)
        return PipelineConsumer(self, state)

    def make_participants(self, **_: Any) -> tuple[PipelineProducer, PipelineConsumer]:
        """Returns a producer and a consumer, each with its state."""
        return self.make_producer(), self.make_consumer()


def _wait(barriers: MbarrierArray, state: PipelineState, token: Any) -> None:
    if token is None:
        barriers.wait(state.index, state.phase)
        return
    run_if(not_(token), lambda: barriers.wait(state.index, state.phase))


class PipelineCpAsync(PipelineAsync):
    """Threads fill stages by cp.async, which arrives when the data has."""

    _producer_op = PipelineOp.AsyncLoad


class PipelineTmaAsync(PipelineAsync):
    """TMA fills stages, perhaps of several blocks, whose threads empty them.

    Each warp of a consumer arrives once at every block from which it gets data: the
    size of ``consumer_group`` is the number of its warps times that of such blocks.
    """

    def __init__(self, *args: Any, is_signalling_thread: Any = None):
        super().__init__(*args)
        self.is_signalling_thread = is_signalling_thread

    @classmethod
    def create(  # type: ignore[override]
        cls,
        *,
        num_stages: int,
        producer_group: CooperativeGroup,
        consumer_group: CooperativeGroup,
        tx_count: int,
        barrier_storage: Any = None,
        cta_layout_vmnk: Any = None,
        tidx: Any = None,
        mcast_mode_mn: tuple[int, int] = (1, 1),
        defer_sync: bool = False,
        loc: Any = None,
        ip: Any = None,
    ) -> PipelineTmaAsync:
        """Makes the barriers.

        ``tx_count`` is how many bytes fill a stage. ``cta_layout_vmnk`` is the
        cluster's layout; ``mcast_mode_mn`` says whether loads are shared by the
        blocks of its M modes (for B) and N modes (for A).
        """
        _needs_pointer(barrier_storage)
        if not isinstance(consumer_group.size, int) or consumer_group.size < 1:
            raise ValueError("the number of consumers' arrivals is static")
        full = MbarrierArray(
            barrier_storage, num_stages, (PipelineOp.TmaLoad, producer_group), tx_count
        )
        empty = MbarrierArray(
            barrier_storage + num_stages,
            num_stages,
            (PipelineOp.AsyncThread, consumer_group),
        )
        rank, signals = _arrivals_of_lanes(cta_layout_vmnk, tidx, mcast_mode_mn)
        if not defer_sync:
            shape = None if cta_layout_vmnk is None else cta_layout_vmnk.shape
            pipeline_init_arrive(shape)
            pipeline_init_wait(shape)
        return cls(full, empty, num_stages, None, rank, is_signalling_thread=signals)

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage is empty, and announces the bytes to come."""
        super().producer_acquire(state, try_acquire_token)
        self.sync_object_full.arrive_and_expect_tx(
            state.index, self.sync_object_full.tx_count
        )

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Does nothing: TMA says when its bytes have come."""

    def consumer_release(self, state: PipelineState, **_: Any) -> None:
        """Says that the stage is empty, to each block that shares its loads."""
        run_if(
            self.is_signalling_thread,
            lambda: self.sync_object_empty.arrive(state.index, self.consumer_mask),
        )


def _arrivals_of_lanes(cluster: Any, tidx: Any, mcast_mode_mn: Any) -> tuple[Any, Any]:
    """Returns the block that a thread's lane signals, and whether it does.

    Lane ``i`` of each warp signals block ``i``, if that gets the same loads.
    """
    lane = arch.lane_idx() if tidx is None else tidx % 32
    if cluster is None or size(cluster) == 1:
        return None, lane == 0
    blocks = size(cluster)
    if blocks > 32:
        raise ValueError(f"a cluster has at most 16 blocks, not {blocks}")
    block = choose(lane < blocks, lane, Int32(0))
    mine = cluster.get_flat_coord(arch.block_idx_in_cluster())
    other = cluster.get_flat_coord(block)
    same_row = (mine[0] == other[0]) & (mine[1] == other[1])
    same_column = (mine[0] == other[0]) & (mine[2] == other[2])
    shares = (mine[0] == other[0]) & (mine[1] == other[1]) & (mine[2] == other[2])
    if mcast_mode_mn[1]:
        shares = shares | same_row
    if mcast_mode_mn[0]:
        shares = shares | same_column
    return block, (lane < blocks) & shares


class PipelineTmaStore:
    """Threads fill buffers, which TMA stores: one thread starts it, and waits."""

    def __init__(self, sync_object_full: TmaStoreFence, num_stages: int):
        self.sync_object_full = sync_object_full
        self.num_stages = num_stages

    @classmethod
    def create(
        cls, *, num_stages: int, producer_group: CooperativeGroup, **_: Any
    ) -> PipelineTmaStore:
        return cls(TmaStoreFence(num_stages), num_stages)

    def producer_acquire(self, **_: Any) -> None:
        """Waits until there is a buffer that has been read."""
        self.sync_object_full.wait()

    def producer_commit(self, **_: Any) -> None:
        """Ends the group of stores of a buffer."""
        self.sync_object_full.arrive()

    def producer_tail(self, **_: Any) -> None:
        """Waits until all buffers have been read."""
        self.sync_object_full.tail()


class PipelineOrder:
    """Groups take turns: ``length`` of them, each ``depth`` times before it waits.

    The first group's first turn is at once.
    """

    def __init__(self, barriers: MbarrierArray, depth: int, length: int, group_id: Any,
                 state: PipelineState):
        self.sync_object_full = barriers
        self.depth = depth
        self.length = length
        self.group_id = group_id
        self.state = state

    @classmethod
    def create(
        cls,
        barrier_storage: Any,
        depth: int,
        length: int,
        group_id: Any,
        producer_group: CooperativeGroup,
        defer_sync: bool = False,
        **_: Any,
    ) -> PipelineOrder:
        _needs_pointer(barrier_storage)
        barriers = MbarrierArray(
            barrier_storage, depth * length, (PipelineOp.AsyncThread, producer_group)
        )
        first = Int32(group_id) == 0
        state = PipelineState(depth, 0, 0, choose(first, Int32(1), Int32(0)))
        if not defer_sync:
            pipeline_init_arrive()
            pipeline_init_wait()
        return cls(barriers, depth, length, group_id, state)

    def _barrier(self, group: Any) -> Any:
        return self.state.index * self.length + group

    def wait(self, **_: Any) -> None:
        """Waits for this group's turn."""
        self.sync_object_full.wait(self._barrier(self.group_id), self.state.phase)

    def arrive(self, **_: Any) -> None:
        """Gives the turn to the next group."""
        after = Int32(self.group_id) + 1
        following = choose(after == self.length, Int32(0), after)
        self.sync_object_full.arrive(self._barrier(following))
        self.state.advance()

    def __extract_mlir_values__(self) -> list[Any]:
        return self.state.__extract_mlir_values__()

    def __new_from_mlir_values__(self, values: list[Any]) -> PipelineOrder:
        return PipelineOrder(self.sync_object_full, self.depth, self.length,
                             self.group_id, self.state.__new_from_mlir_values__(values))


# ---- A side with its state --------------------------------------------------


class _Participant:
    """A side of a pipeline with its state, which loops carry."""

    class ImmutableResourceHandle:
        """A stage that was acquired or waited for."""

        def __init__(self, origin: Any, state: PipelineState):
            self._origin = origin
            self._state = state

        @property
        def index(self) -> Int32:
            return self._state.index

        @property
        def count(self) -> Int32:
            return self._state.count

        def get_barrier(self) -> Any:
            return self._origin.producer_get_barrier(self._state)

        @property
        def barrier(self) -> Any:
            return self.get_barrier()

        def __extract_mlir_values__(self) -> list[Any]:
            return self._state.__extract_mlir_values__()

        def __new_from_mlir_values__(self, values: list[Any]) -> Any:
            return type(self)(self._origin, self._state.__new_from_mlir_values__(values))

    def __init__(self, pipeline: Any, state: PipelineState):
        self._pipeline = pipeline
        self._state = state

    def clone(self) -> Any:
        return type(self)(self._pipeline, self._state.clone())

    def advance(self, **_: Any) -> None:
        self._state.advance()

    def reset(self, **_: Any) -> None:
        """Begins again with the first stage and count 0."""
        self._state = make_pipeline_state(self._user, self._pipeline.num_stages)

    def reset_count(self) -> None:
        self._state.reset_count()

    def __extract_mlir_values__(self) -> list[Any]:
        return self._state.__extract_mlir_values__()

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        return type(self)(self._pipeline, self._state.__new_from_mlir_values__(values))


class PipelineProducer(_Participant):
    """The producer of a pipeline with its state."""

    _user = PipelineUserType.Producer

    class ImmutableResourceHandle(_Participant.ImmutableResourceHandle):
        """A stage to fill."""

        def commit(self, **_: Any) -> None:
            """Says that the stage is full."""
            self._origin.producer_commit(self._state)

    def acquire(self, try_acquire_token: Any = None, **_: Any) -> Any:
        """Waits for an empty stage."""
        self._pipeline.producer_acquire(self._state, try_acquire_token)
        return self.ImmutableResourceHandle(self._pipeline, self._state.clone())

    def acquire_and_advance(self, try_acquire_token: Any = None, **_: Any) -> Any:
        """Waits for an empty stage, and goes to the next."""
        handle = self.acquire(try_acquire_token)
        self.advance()
        return handle

    def try_acquire(self, **_: Any) -> Boolean:
        return self._pipeline.producer_try_acquire(self._state)

    def commit(self, handle: Any = None, **_: Any) -> None:
        """Says that a stage is full: the handle's, or the one to come."""
        if handle is not None:
            handle.commit()
        else:
            self._pipeline.producer_commit(self._state)

    def tail(self, **_: Any) -> None:
        """Waits until all stages are empty."""
        self._pipeline.producer_tail(self._state)


class PipelineConsumer(_Participant):
    """The consumer of a pipeline with its state."""

    _user = PipelineUserType.Consumer

    class ImmutableResourceHandle(_Participant.ImmutableResourceHandle):
        """A stage to empty."""

        def release(self, **_: Any) -> None:
            """Says that the stage is empty."""
            self._origin.consumer_release(self._state)

    def wait(self, try_wait_token: Any = None, **_: Any) -> Any:
        """Waits for a full stage."""
        self._pipeline.consumer_wait(self._state, try_wait_token)
        return self.ImmutableResourceHandle(self._pipeline, self._state.clone())

    def wait_and_advance(self, try_wait_token: Any = None, **_: Any) -> Any:
        """Waits for a full stage, and goes to the next."""
        handle = self.wait(try_wait_token)
        self.advance()
        return handle

    def try_wait(self, **_: Any) -> Boolean:
        return self._pipeline.consumer_try_wait(self._state)

    def release(self, handle: Any = None, **_: Any) -> None:
        """Says that a stage is empty: the handle's, or the one to come."""
        if handle is not None:
            handle.release()
        else:
            self._pipeline.consumer_release(self._state)
