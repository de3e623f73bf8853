"""The pipelines of resources, by their type."""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import pipeline as _pipelines
from .._frontend.guards import run_if
from .._values.algebra import make_layout
from .._values.array import Array
from ..core import size
from ..pipeline import PipelineOp
from ..pipeline._umma import _Umma
from .enums import PipelineType, SignalingThreads

__all__ = ["PipelineConfig", "PipelineUmmaUmma", "Side", "make_pipeline"]


class PipelineUmmaUmma(_Umma):
    """Products fill stages, which other products empty."""

    _producer_op = _consumer_op = PipelineOp.TCGen05Mma

    def producer_commit(self, state: Any, **_: Any) -> None:
        """Marks the stage full when the products so far are complete."""
        self.sync_object_full.arrive(state.index, self.producer_mask, self.cta_group)

    def consumer_release(self, state: Any, **_: Any) -> None:
        """Marks the stage empty when the products so far are complete."""
        self.sync_object_empty.arrive(state.index, self.consumer_mask, self.cta_group)


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
    mcast_mode_mn: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        if self.num_stages < 1:
            raise ValueError(f"a pipeline has at least 1 stage, not {self.num_stages}")


def _factory(kind: PipelineType, has_bytes: bool) -> staticmethod:
    def create(
        num_stages: int, *positional: Any, num_bytes: int = 0, producer_group: Any = None,
        consumer_group: Any = None, cta_layout_vmnk: Any = None,
        producer_signaling_threads: SignalingThreads = SignalingThreads.All,
        consumer_signaling_threads: SignalingThreads = SignalingThreads.All,
        barrier_ptr: Any = None, mcast_mode_mn: tuple[int, int] = (1, 1), **more: Any,
    ) -> PipelineConfig:
        names = ["num_bytes"] * has_bytes + ["producer_group", "consumer_group", "cta_layout_vmnk"]
        given = dict(num_bytes=num_bytes, producer_group=producer_group,
                     consumer_group=consumer_group, cta_layout_vmnk=cta_layout_vmnk)
        given.update(zip(names, positional))
        if more:
            raise TypeError(f"{kind.value} pipelines have no {', '.join(more)} here")
        return PipelineConfig(
            num_stages, pipeline_type=kind, barrier_ptr=barrier_ptr,
            producer_signaling_threads=producer_signaling_threads,
            consumer_signaling_threads=consumer_signaling_threads,
            mcast_mode_mn=mcast_mode_mn, **given)

    create.__doc__ = f"Returns the configuration of stages of type {kind.value}."
    return staticmethod(create)


for _kind, _name in ((PipelineType.AsyncAsync, "async_async"), (PipelineType.TmaAsync, "tma_async"),
                     (PipelineType.TmaUmma, "tma_umma"), (PipelineType.UmmaAsync, "umma_async"),
                     (PipelineType.AsyncUmma, "async_umma"), (PipelineType.UmmaUmma, "umma_umma"),
                     (PipelineType.ClcFetchAsync, "clc_fetch_async")):
    setattr(PipelineConfig, f"create_{_name}_pipeline_cfg",
            _factory(_kind, _kind.sides[0] in ("Tma", "ClcFetch")))


def make_pipeline(config: PipelineConfig, barriers: Any) -> Any:
    """Returns the pipeline of a configuration; the caller makes its barriers visible."""
    cluster = config.cta_layout_vmnk
    if isinstance(cluster, tuple):
        cluster = make_layout(cluster)
    if cluster is not None and size(cluster) == 1:
        cluster = None
    more: dict[str, Any] = {}
    filled, emptied = config.pipeline_type.sides
    if filled in ("Tma", "ClcFetch"):
        more["tx_count"] = config.num_bytes
    if (filled, emptied) != ("Async", "Async"):
        more["cta_layout_vmnk"] = cluster
    if filled == "Tma" or "Umma" in (filled, emptied):
        more["mcast_mode_mn"] = config.mcast_mode_mn
    made = _CLASSES[config.pipeline_type].create(
        num_stages=config.num_stages, producer_group=config.producer_group,
        consumer_group=config.consumer_group, barrier_storage=barriers, defer_sync=True, **more)
    if config.pipeline_type is PipelineType.TmaAsync and cluster is None:
        made.is_signalling_thread = None  # Side chooses the threads that arrive
    return made


class Side:
    """A task's place in a pipeline, as producer or as consumer.

    The group says which threads arrive: all, one of each warp, or one.
    """

    def __init__(self, pipe: Any, config: PipelineConfig, is_producer: bool, thread: Any,
                 num_warps: int):
        user = _pipelines.PipelineUserType
        self.pipe, self.is_producer = pipe, is_producer
        self.state = _pipelines.make_pipeline_state(
            user.Producer if is_producer else user.Consumer, config.num_stages)
        self.token: Any = None
        group = config.producer_group if is_producer else config.consumer_group
        word = config.pipeline_type.sides[0 if is_producer else 1]
        self.arrives: Any = None
        if word == "Async" and group.size != 32 * num_warps and size_of(config) == 1:
            self.arrives = thread % 32 == 0 if group.size == num_warps else thread == 0

    def try_enter(self) -> None:
        """Asks whether the stage is empty, or full, already."""
        ask = self.pipe.producer_try_acquire if self.is_producer else self.pipe.consumer_try_wait
        self.token = ask(self.state)

    def enter(self) -> None:
        """Acquires an empty stage, or waits for a full one."""
        wait = self.pipe.producer_acquire if self.is_producer else self.pipe.consumer_wait
        wait(self.state, self.token)
        self.token = None

    def leave(self) -> None:
        """Commits the stage, or releases it, and advances to the next."""
        end = self.pipe.producer_commit if self.is_producer else self.pipe.consumer_release
        run_if(self.arrives, lambda: end(self.state))
        self.state.advance()

    @property
    def barrier(self) -> Any:
        """The barrier that says that the stage is full, as an Array."""
        return Array(self.pipe.producer_get_barrier(self.state), shape=1)


def size_of(config: PipelineConfig) -> int:
    """Returns how many blocks a pipeline spans."""
    cluster = config.cta_layout_vmnk
    return 1 if cluster is None else size(cluster)
