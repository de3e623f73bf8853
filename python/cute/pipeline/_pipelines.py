"""The kinds of pipelines."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._frontend.control import not_
from .._frontend.guards import choose, run_if
from .._values.numeric import Boolean, Int32, Int64
from ..core import size
from ._barriers import MbarrierArray, TmaStoreFence, pipeline_init_arrive, pipeline_init_wait
from ._sides import PipelineConsumer, PipelineProducer
from ._states import (
    CooperativeGroup,
    PipelineOp,
    PipelineState,
    PipelineUserType,
    make_pipeline_state,
)


def alloc_reserved_mbarrier(
    num_stages: int, *, multiplier: int = 2, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a pointer to shared memory for the barriers of a pipeline.

    :param multiplier: barriers of a stage: one signals full, one empty
    """
    return arch.alloc_smem(Int64, num_stages * multiplier, alignment=8)


def _storage(barrier_storage: Any, num_stages: int, multiplier: int = 2) -> Any:
    """Returns the place of barriers: the given one, or new shared memory.

    :raises TypeError: where something else than a pointer is given
    """
    if barrier_storage is None:
        return alloc_reserved_mbarrier(num_stages, multiplier=multiplier)
    if not hasattr(barrier_storage, "toint"):
        raise TypeError(
            "barrier_storage is a pointer to 64-bit integers in shared memory, "
            f"{multiplier} for each stage, not {barrier_storage!r}"
        )
    return barrier_storage


class PipelineAsync:
    """Threads fill stages and threads empty them.

    A warp fills two stages in turn, another one empties them:

    >>> import array
    >>> from cute import pipeline
    >>> @cute.kernel
    ... def kernel(out: cute.Pointer):
    ...     thread = cute.arch.thread_idx()[0]
    ...     near = cute.make_tensor(cute.arch.alloc_smem(Int32, 64), (32, 2))
    ...     warp = pipeline.CooperativeGroup(pipeline.Agent.Thread, 32)
    ...     fill, use = pipeline.PipelineAsync.create(
    ...         num_stages=2, producer_group=warp, consumer_group=warp,
    ...         barrier_storage=cute.arch.alloc_smem(Int64, 4)).make_participants()
    ...     if thread < 32:
    ...         for i in range(5):
    ...             empty = fill.acquire_and_advance()
    ...             near[thread, empty.index] = 10 * i + thread
    ...             empty.commit()
    ...     else:
    ...         for i in range(5):
    ...             full = use.wait_and_advance()
    ...             cute.make_tensor(out, (32, 5))[thread - 32, i] = near[thread - 32, full.index]
    ...             full.release()
    >>> @cute.jit
    ... def launch(out: cute.Pointer):
    ...     kernel(out).launch(grid=1, block=64)
    >>> numbers = array.array("i", [0] * 160)
    >>> launch(cute.runtime.make_ptr(Int32, numbers.buffer_info()[0], cute.AddressSpace.gmem))
    >>> numbers[::32].tolist()
    [0, 10, 20, 30, 40]
    """

    _producer_op = PipelineOp.AsyncThread

    def __init_subclass__(cls, **options: Any) -> None:
        """Gives classes that declare fields the pipeline's before them, for ``@dataclass``."""
        super().__init_subclass__(**options)
        own = cls.__dict__.get("__annotations__")
        if own:
            fields = "sync_object_full sync_object_empty num_stages producer_mask consumer_mask"
            cls.__annotations__ = {**dict.fromkeys(fields.split(), "Any"), **own}

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
        name: str | None = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        """Makes the barriers, ``2 * num_stages`` of them at ``barrier_storage``, or in
        shared memory.

        With ``defer_sync`` the caller makes them visible to all threads, by
        ``pipeline_init_arrive`` and ``pipeline_init_wait``.
        """
        barrier_storage = _storage(barrier_storage, num_stages)
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

    @staticmethod
    def _make_sync_object(
        barrier_storage: Any, num_stages: int, agent: Any, tx_count: Any = 0, **_: Any
    ) -> MbarrierArray:
        """Makes the barriers of stages, for pipelines that programs derive of this."""
        return MbarrierArray(barrier_storage, num_stages, agent, tx_count)

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage is empty, unless the token says that it is."""
        _wait(self.sync_object_empty, state, try_acquire_token)

    def producer_try_acquire(self, state: PipelineState, **_: Any) -> Boolean:
        """Returns a token: whether the stage is empty already."""
        return self.sync_object_empty.try_wait(state.index, state.phase)

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Signals that the stage is full."""
        self.sync_object_full.arrive(state.index, self.producer_mask)

    def producer_get_barrier(self, state: PipelineState, **_: Any) -> Any:
        """Returns the barrier that the stage's producers arrive at."""
        return self.sync_object_full.get_barrier(state.index)

    def consumer_get_barrier(self, state: PipelineState, **_: Any) -> Any:
        """Returns the barrier that the stage's consumers arrive at."""
        return self.sync_object_empty.get_barrier(state.index)

    def producer_tail(self, state: PipelineState, **_: Any) -> None:
        """Waits until all stages are empty; the block may end then."""
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
        """Signals that the stage is empty."""
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
    """Threads fill stages by cp.async, which arrives together with the data."""

    _producer_op = PipelineOp.AsyncLoad


class PipelineTmaAsync(PipelineAsync):
    """TMA fills stages, perhaps of several blocks, whose threads empty them.

    Each consumer warp arrives once at every block that sends it data: the size of
    ``consumer_group`` is the number of warps times the number of these blocks.
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
        enable_multicast_signaling: bool = True,
        defer_sync: bool = False,
        name: str | None = None,
        loc: Any = None,
        ip: Any = None,
    ) -> PipelineTmaAsync:
        """Makes the barriers.

        ``tx_count`` is how many bytes fill a stage. ``cta_layout_vmnk`` is the
        cluster's layout; ``mcast_mode_mn`` says whether loads are shared by the
        blocks of its M modes (for B) and N modes (for A).
        """
        barrier_storage = _storage(barrier_storage, num_stages)
        if not isinstance(consumer_group.size, int) or consumer_group.size < 1:
            raise ValueError(f"the number of consumers' arrivals is static, not {consumer_group.size!r}")
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

    @staticmethod
    def init_empty_barrier_arrive_signal(
        cta_layout_vmnk: Any, tidx: Any, mcast_mode_mn: tuple[int, int] = (1, 1), **_: Any
    ) -> tuple[Any, Any]:
        """Returns the block that a thread signals, and whether it does."""
        return _arrivals_of_lanes(cta_layout_vmnk, tidx, mcast_mode_mn)

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage is empty, and announces the bytes to come."""
        super().producer_acquire(state, try_acquire_token)
        self.sync_object_full.arrive_and_expect_tx(
            state.index, self.sync_object_full.tx_count
        )

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Does nothing: TMA signals when its bytes have arrived."""

    def consumer_release(self, state: PipelineState, **_: Any) -> None:
        """Signals that the stage is empty, to each block that shares its loads.

        The loads of the warp's lanes from the stage are complete before that, unless they have
        just waited for products.
        """
        arch.fence_loads(lanes=True)
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
        name: str | None = None,
        **_: Any,
    ) -> PipelineOrder:
        barrier_storage = _storage(barrier_storage, depth * length, 1)
        barriers = MbarrierArray(
            barrier_storage, depth * length, (PipelineOp.AsyncThread, producer_group)
        )
        first = Int32(group_id) == 0
        state = PipelineState(depth, 0, 0, choose(first, Int32(1), Int32(0)))
        if not defer_sync:
            pipeline_init_arrive()
            pipeline_init_wait()
        return cls(barriers, depth, length, group_id, state)

    def get_barrier_for_current_stage_idx(self, group_id: Any, state: Any = None) -> Any:
        """Returns the number of a group's barrier at a state, by default the group's own."""
        return (state or self.state).index * self.length + group_id

    def wait(self, **_: Any) -> None:
        """Waits for this group's turn."""
        self.sync_object_full.wait(self.get_barrier_for_current_stage_idx(self.group_id), self.state.phase)

    def arrive(self, **_: Any) -> None:
        """Passes the turn to the next group."""
        after = Int32(self.group_id) + 1
        following = choose(after == self.length, Int32(0), after)
        self.sync_object_full.arrive(self.get_barrier_for_current_stage_idx(following))
        self.state.advance()

    def __extract_mlir_values__(self) -> list[Any]:
        return self.state.__extract_mlir_values__()

    def __new_from_mlir_values__(self, values: list[Any]) -> PipelineOrder:
        return PipelineOrder(self.sync_object_full, self.depth, self.length,
                             self.group_id, self.state.__new_from_mlir_values__(values))
