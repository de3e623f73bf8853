"""The pipelines of resources, by their type."""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import arch, pipeline as _pipelines
from .._frontend.guards import choose, run_if
from .._values.algebra import make_layout
from .._values.array import Array
from .._values.numeric import Boolean
from ..core import size
from ..pipeline import PipelineOp, PipelineState
from ..pipeline._umma import _is_pair, _Umma
from .enums import PipelineType, SignalingThreads

__all__ = ["Cursor", "PipelineConfig", "PipelineUmmaUmma", "Side", "TSPipelineUmmaUmma", "make_pipeline", "pipeline_of"]


class PipelineUmmaUmma(_Umma):
    """Products fill stages, which other products empty."""

    _producer_op = _consumer_op = PipelineOp.TCGen05Mma

    def producer_commit(self, state: Any, **_: Any) -> None:
        """Marks the stage full when the products so far are complete."""
        self.sync_object_full.arrive(state.index, self.producer_mask, self.cta_group)

    def consumer_release(self, state: Any, **_: Any) -> None:
        """Marks the stage empty when the products so far are complete."""
        self.sync_object_empty.arrive(state.index, self.consumer_mask, self.cta_group)


TSPipelineUmmaUmma = PipelineUmmaUmma  # the name of the reference

_CLASSES = {
    PipelineType.AsyncAsync: _pipelines.PipelineAsync,
    PipelineType.TmaAsync: _pipelines.PipelineTmaAsync,
    PipelineType.TmaUmma: _pipelines.PipelineTmaUmma,
    PipelineType.UmmaAsync: _pipelines.PipelineUmmaAsync,
    PipelineType.AsyncUmma: _pipelines.PipelineAsyncUmma,
    PipelineType.UmmaUmma: PipelineUmmaUmma,
    PipelineType.ClcFetchAsync: _pipelines.PipelineClcFetchAsync,
}


@dataclasses.dataclass
class PipelineConfig:
    """How a resource's stages are handed over.

    :param num_bytes: of a stage, that TMA brings
    :param producer_group: with as many threads as arrive when a stage is full; one for TMA and
        products
    :param consumer_group: with as many as arrive when it is empty
    :param consumer_wait_signaling_threads: of waits, where releases have others
    :param async_producer_op: AsyncLoad where threads fill stages by cp.async, between threads
    :param umma_consumer_producer_op: the same before products
    :param advance_on_wait: waits go on to the next stage, and releases give back the oldest
    :param advance_on_acquire: the same of acquires and commits
    :param num_bytes_per_warp_per_cta: the bytes of one of several warps, as information
    :param interleave_stride: warps of a task, or tasks whose loops start at different counts,
        take every so many-th stage: of acquires, commits, waits and releases, or all of them
    """

    num_stages: int
    num_bytes: int
    producer_group: Any
    consumer_group: Any
    pipeline_type: PipelineType
    barrier_ptr: Any = None
    cta_layout_vmnk: Any = None
    producer_signaling_threads: SignalingThreads = SignalingThreads.All
    consumer_signaling_threads: SignalingThreads = SignalingThreads.All
    consumer_wait_signaling_threads: SignalingThreads | None = None
    umma_consumer_producer_op: PipelineOp = PipelineOp.AsyncThread
    advance_on_wait: bool = False
    advance_on_acquire: bool = False
    num_bytes_per_warp_per_cta: int | None = None
    mcast_mode_mn: tuple[int, int] = (1, 1)
    interleave_stride: Any = 1
    async_producer_op: PipelineOp = PipelineOp.AsyncThread

    def __post_init__(self) -> None:
        if self.num_stages < 1:
            raise ValueError(f"a pipeline has at least 1 stage, not {self.num_stages}")
        for name in ("producer_signaling_threads", "consumer_signaling_threads"):
            SignalingThreads.validate(getattr(self, name), name)
        strides = self.interleave_strides
        if len(strides) != 4 or any(x < 1 or self.num_stages % x for x in strides):
            raise ValueError(f"interleave_stride is {self.interleave_stride}: one number or four "
                             f"that divide the {self.num_stages} stages")
        for op in (self.async_producer_op, self.umma_consumer_producer_op):
            if op not in (PipelineOp.AsyncThread, PipelineOp.AsyncLoad):
                raise ValueError(f"threads fill stages by AsyncThread or AsyncLoad, not {op}")
        for (first, last), splits, name in (
            (strides[:2], self.advance_on_acquire, "advance_on_acquire"),
            (strides[2:], self.advance_on_wait, "advance_on_wait"),
        ):
            if first != last and not splits:
                raise ValueError(f"strides {first} and {last} of one side need {name}")

    @property
    def interleave_strides(self) -> tuple[int, ...]:
        """The strides of acquires, commits, waits and releases."""
        given = self.interleave_stride
        return tuple(given) if isinstance(given, (tuple, list)) else (given,) * 4

    @property
    def producer_acquire_interleave_stride(self) -> int:
        return self.interleave_strides[0]

    @property
    def producer_commit_interleave_stride(self) -> int:
        return self.interleave_strides[1]

    @property
    def consumer_wait_interleave_stride(self) -> int:
        return self.interleave_strides[2]

    @property
    def consumer_release_interleave_stride(self) -> int:
        return self.interleave_strides[3]

    @property
    def max_interleave_stride(self) -> int:
        return max(self.interleave_strides)

    @property
    def has_interleaved_stride(self) -> bool:
        """Whether a side takes other stages than one after the other."""
        return self.max_interleave_stride > 1

    @property
    def cluster(self) -> Any:
        """The layout of the blocks; None for a single one."""
        layout = self.cta_layout_vmnk
        layout = make_layout(layout) if isinstance(layout, tuple) else layout
        return None if layout is None or size(layout) == 1 else layout

    @property
    def full_op(self) -> PipelineOp:
        """The operation that fills stages."""
        filled, emptied = self.pipeline_type.sides
        if filled == "Async":
            return self.umma_consumer_producer_op if emptied == "Umma" else self.async_producer_op
        return {"Tma": PipelineOp.TmaLoad, "Umma": PipelineOp.TCGen05Mma,
                "ClcFetch": PipelineOp.ClcLoad}[filled]

    @property
    def empty_op(self) -> PipelineOp:
        """The operation that empties stages."""
        is_product = self.pipeline_type.sides[1] == "Umma"
        return PipelineOp.TCGen05Mma if is_product else PipelineOp.AsyncThread


_OPTIONS = {
    "async_async": ("producer_op", "advance_on_acquire", "interleave_stride"),
    "tma_async": ("advance_on_wait", "interleave_stride", "num_bytes_per_warp_per_cta",
                  "mcast_mode_mn"),
    "tma_umma": ("advance_on_wait", "interleave_stride", "num_bytes_per_warp_per_cta",
                 "mcast_mode_mn"),
    "umma_async": ("interleave_stride", "mcast_mode_mn"),
    "async_umma": ("consumer_wait_signaling_threads", "producer_op", "advance_on_wait",
                   "advance_on_acquire", "interleave_stride", "mcast_mode_mn"),
    "umma_umma": ("mcast_mode_mn",),
    "clc_fetch_async": ("mcast_mode_mn",),
}


def _factory(kind: PipelineType, has_bytes: bool, options: tuple[str, ...]) -> staticmethod:
    of_loads = "umma_consumer_producer_op" if kind is PipelineType.AsyncUmma else \
        "async_producer_op"
    leaders = SignalingThreads.CtaLeader if kind is PipelineType.ClcFetchAsync else \
        SignalingThreads.All

    def create(
        num_stages: int, *positional: Any, num_bytes: int = 0, producer_group: Any = None,
        consumer_group: Any = None, cta_layout_vmnk: Any = None,
        producer_signaling_threads: SignalingThreads = leaders,
        consumer_signaling_threads: SignalingThreads = SignalingThreads.All,
        barrier_ptr: Any = None, **more: Any,
    ) -> PipelineConfig:
        names = ["num_bytes"] * has_bytes + ["producer_group", "consumer_group", "cta_layout_vmnk"]
        given = dict(num_bytes=num_bytes, producer_group=producer_group,
                     consumer_group=consumer_group, cta_layout_vmnk=cta_layout_vmnk)
        given.update(zip(names, positional))
        unknown = [name for name in more if name not in options]
        if unknown:
            raise TypeError(f"{kind.value} pipelines have no {', '.join(unknown)}; they have "
                            f"{', '.join(options)}")
        if "producer_op" in more:
            more[of_loads] = more.pop("producer_op")
        return PipelineConfig(
            num_stages, pipeline_type=kind, barrier_ptr=barrier_ptr,
            producer_signaling_threads=producer_signaling_threads,
            consumer_signaling_threads=consumer_signaling_threads, **given, **more)

    create.__doc__ = f"Returns the configuration of stages of type {kind.value}."
    return staticmethod(create)


for _kind, _name in ((PipelineType.AsyncAsync, "async_async"), (PipelineType.TmaAsync, "tma_async"),
                     (PipelineType.TmaUmma, "tma_umma"), (PipelineType.UmmaAsync, "umma_async"),
                     (PipelineType.AsyncUmma, "async_umma"), (PipelineType.UmmaUmma, "umma_umma"),
                     (PipelineType.ClcFetchAsync, "clc_fetch_async")):
    setattr(PipelineConfig, f"create_{_name}_pipeline_cfg",
            _factory(_kind, _kind.sides[0] in ("Tma", "ClcFetch"), _OPTIONS[_name]))


def make_pipeline(config: PipelineConfig, barriers: Any) -> Any:
    """Returns the pipeline of a configuration; the caller makes its barriers visible."""
    stages = config.num_stages
    full = make_barriers(barriers, config, True)
    return pipeline_of(config, full, make_barriers(barriers + stages, config, False))


def make_barriers(memory: Any, config: PipelineConfig, is_full: bool) -> Any:
    """Returns the barriers of full stages, or of empty ones."""
    op, group = (config.full_op, config.producer_group) if is_full else (
        config.empty_op, config.consumer_group)
    return _pipelines.MbarrierArray(memory, config.num_stages, (op, group),
                                    config.num_bytes if is_full else 0)


def pipeline_of(config: PipelineConfig, full: Any, empty: Any) -> Any:
    """Returns the pipeline of a configuration with these barriers."""
    cluster, kind = config.cluster, _CLASSES[config.pipeline_type]
    if issubclass(kind, _Umma):
        made = kind(full, empty, config.num_stages)
        made._pair = _is_pair(cluster)
        made._blocks(cluster, config.mcast_mode_mn)
        if config.full_op is PipelineOp.AsyncLoad:
            made.producer_mask = None  # these arrive in their own block
        return made
    if kind is _pipelines.PipelineTmaAsync:
        rank, signals = kind.init_empty_barrier_arrive_signal(cluster, None, config.mcast_mode_mn)
        if cluster is None:
            rank = signals = None  # Side chooses the threads that arrive
        return kind(full, empty, config.num_stages, None, rank, is_signalling_thread=signals)
    if kind is _pipelines.PipelineClcFetchAsync:
        blocks = size_of(config)
        return kind(full, empty, config.num_stages, None, 0 if blocks > 1 else None,
                    num_blocks=blocks, tx_count=config.num_bytes)
    return kind(full, empty, config.num_stages)


class Cursor:
    """A place in the stages of a pipeline, which the members of a group may share."""

    def __init__(self, config: PipelineConfig, is_producer: bool, lane: Any):
        user = _pipelines.PipelineUserType
        self.state = _pipelines.make_pipeline_state(
            user.Producer if is_producer else user.Consumer, config.num_stages)
        if lane is not None:
            self.state = PipelineState(config.num_stages, 0, lane, self.state.phase)

    def advance(self, stride: int) -> None:
        """Goes on by some stages."""
        if stride == 1:
            self.state.advance()
            return
        stages, after = self.state.stages, self.state.index + stride
        ends = after >= stages
        self.state = PipelineState(
            stages, self.state.count + stride, choose(ends, after - stages, after),
            choose(ends, self.state.phase ^ 1, self.state.phase))


class Side:
    """A task's place in a pipeline, as producer or as consumer.

    The group says which threads arrive: all, one of each warp, or one.

    :param enters: where acquires and waits are
    :param leaves: where commits and releases are: the same place, or its own
    :param is_alone: the task runs in one block of a cluster
    :param only_waits: another member of a group announces the bytes of TMA
    """

    def __init__(self, pipe: Any, config: PipelineConfig, is_producer: bool, thread: Any,
                 num_warps: int, enters: Cursor, leaves: Cursor, is_alone: bool = False,
                 only_waits: bool = False):
        self.pipe, self.config, self.is_producer = pipe, config, is_producer
        self.enters, self.leaves, self.thread = enters, leaves, thread
        self.is_alone, self.only_waits = is_alone, only_waits
        self.token: Any = None
        self.follows_enter = False
        first = 0 if is_producer else 2
        self.strides = config.interleave_strides[first:first + 2]
        group = config.producer_group if is_producer else config.consumer_group
        word = config.pipeline_type.sides[0 if is_producer else 1]
        self.arrives: Any = None
        warps = max(num_warps // self.strides[1], 1)  # of a stage
        if word == "Async" and group.size != 32 * warps and size_of(config) == 1:
            self.arrives = thread % 32 == 0 if group.size == warps else thread == 0

    def _leads(self, signaling: SignalingThreads) -> Any:
        """Returns whether this block takes part: None if all do."""
        if self.is_alone or not signaling.has_cta_leader() or self.config.cluster is None:
            return None
        rank = arch.make_warp_uniform(arch.block_idx_in_cluster())
        if self.config.pipeline_type is PipelineType.ClcFetchAsync:
            return rank == 0
        together = size(self.config.cluster, mode=[0])
        return None if together == 1 else rank % together == 0

    @property
    def _is_announced_by_leader(self) -> bool:
        return self.is_producer and self.config.pipeline_type.sides[0] == "Tma" and (
            self.config.producer_signaling_threads.has_task_warp_leader())

    def _enters_if(self) -> Any:
        config = self.config
        if not self.is_producer:
            waits = config.consumer_wait_signaling_threads
            return self._leads(waits or config.consumer_signaling_threads)
        if config.pipeline_type is PipelineType.TmaUmma or self._is_announced_by_leader:
            return None  # all warps wait; the pipeline knows the block that announces
        return self._leads(config.producer_signaling_threads)

    def try_enter(self) -> None:
        """Asks whether the stage is empty, or full, already."""
        if self._enters_if() is not None or self.only_waits or self._is_announced_by_leader:
            return
        ask = self.pipe.producer_try_acquire if self.is_producer else self.pipe.consumer_try_wait
        self.token = ask(self.enters.state)

    def enter(self) -> None:
        """Acquires an empty stage, or waits for a full one."""
        state, token = self.enters.state, self.token
        if not self.is_producer:
            run_if(self._enters_if(), lambda: self.pipe.consumer_wait(state, token))
        elif self.only_waits:
            run_if(self._enters_if(), lambda: self._wait_empty(state))
        elif self._is_announced_by_leader:
            self._wait_empty(state)
            run_if(self.thread < 32, lambda: self.pipe.producer_acquire(state, Boolean(True)))
        else:
            run_if(self._enters_if(), lambda: self.pipe.producer_acquire(state, token))
        self.token, self.follows_enter = None, True
        if self.enters is not self.leaves:
            self.enters.advance(self.strides[0])

    def _wait_empty(self, state: Any) -> None:
        self.pipe.sync_object_empty.wait(state.index, state.phase)

    def leave(self) -> None:
        """Commits the stage, or releases it, and advances to the next."""
        end = self.pipe.producer_commit if self.is_producer else self.pipe.consumer_release
        signaling = (self.config.producer_signaling_threads if self.is_producer
                     else self.config.consumer_signaling_threads)
        state = self.leaves.state
        run_if(self._leads(signaling), lambda: run_if(self.arrives, lambda: end(state)))
        self.leaves.advance(self.strides[1])
        self.follows_enter = False

    def tail(self) -> None:
        """Waits until the blocks of a cluster have emptied all stages."""
        if self.is_producer and self.config.cluster is not None and not self.only_waits:
            if not self.config.has_interleaved_stride:
                self.pipe.producer_tail(self.leaves.state)

    @property
    def stage(self) -> Any:
        """The stage that works fill or read."""
        if self.enters is self.leaves or self.is_producer and not self.follows_enter:
            return self.leaves.state
        state, stride = self.enters.state, self.strides[0]
        index = choose(state.index < stride, state.index - stride + state.stages,
                       state.index - stride)
        return PipelineState(state.stages, state.count - stride, index, state.phase)

    @property
    def barrier(self) -> Any:
        """The barrier that says that the stage is full, as an Array."""
        return Array(self.pipe.sync_object_full.get_barrier(self.stage.index), shape=1)


def size_of(config: PipelineConfig) -> int:
    """Returns how many blocks a pipeline spans."""
    cluster = config.cta_layout_vmnk
    return 1 if cluster is None else size(cluster)


def __getattr__(name: str) -> Any:
    """Returns a name that the reference has here, and this package in another module."""
    from ._homes import elsewhere

    return elsewhere(__name__, name)
