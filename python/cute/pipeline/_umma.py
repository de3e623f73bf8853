"""Pipelines of products in tensor memory (tcgen05): of their operands, and of their sums."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._compat.missing import NotThere
from .._compile import ir as _ir
from ..core import size
from ..nvgpu import tcgen05
from ._barriers import MbarrierArray, pipeline_init_arrive, pipeline_init_wait
from ._pipelines import PipelineAsync, _needs_pointer
from ._states import CooperativeGroup, PipelineOp, PipelineState


def _commit(barriers: MbarrierArray, index: Any) -> None:
    """Has one lane let the barrier of a stage follow the products that it has started."""
    with arch.elect_one():
        tcgen05.commit(barriers.get_barrier(index))


def _fence(kind: str) -> None:
    _ir.apply("tcgen05_fence", kind=kind, results=[])


class _Umma(PipelineAsync):
    """A pipeline one of whose sides is products."""

    _consumer_op = PipelineOp.AsyncThread

    @classmethod
    def create(  # type: ignore[override]
        cls,
        *,
        num_stages: int,
        producer_group: CooperativeGroup,
        consumer_group: CooperativeGroup,
        tx_count: int = 0,
        barrier_storage: Any = None,
        cta_layout_vmnk: Any = None,
        mcast_mode_mn: tuple[int, int] = (1, 1),
        defer_sync: bool = False,
        name: str | None = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        """Makes the barriers, ``2 * num_stages`` of them at ``barrier_storage``.

        :param tx_count: how many bytes fill a stage, of operands
        :raises NotThere: for clusters of several blocks
        """
        _needs_pointer(barrier_storage)
        if cta_layout_vmnk is not None and size(cta_layout_vmnk) != 1:
            raise NotThere("products of tensor memory by clusters are not in this package")
        full = MbarrierArray(
            barrier_storage, num_stages, (cls._producer_op, producer_group), tx_count
        )
        empty = MbarrierArray(
            barrier_storage + num_stages, num_stages, (cls._consumer_op, consumer_group)
        )
        if not defer_sync:
            pipeline_init_arrive()
            pipeline_init_wait()
        return cls(full, empty, num_stages)


class PipelineTmaUmma(_Umma):
    """TMA fills stages, which products empty."""

    _producer_op = PipelineOp.TmaLoad
    _consumer_op = PipelineOp.TCGen05Mma

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage is empty, and announces the bytes to come."""
        super().producer_acquire(state, try_acquire_token)
        self.sync_object_full.arrive_and_expect_tx(state.index, self.sync_object_full.tx_count)

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Does nothing: TMA says when its bytes have come."""

    def consumer_release(self, state: PipelineState, **_: Any) -> None:
        """Has the stage be empty when the products so far are complete."""
        _commit(self.sync_object_empty, state.index)


class PipelineUmmaAsync(_Umma):
    """Products fill stages of tensor memory, which threads empty."""

    _producer_op = PipelineOp.TCGen05Mma

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until threads have loaded the stage's sums."""
        super().producer_acquire(state, try_acquire_token)
        _fence("after")

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Has the stage be full when the products so far are complete."""
        _commit(self.sync_object_full, state.index)

    def consumer_wait(
        self, state: PipelineState, try_wait_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage's sums are complete."""
        super().consumer_wait(state, try_wait_token)
        _fence("after")

    def consumer_release(self, state: PipelineState, **_: Any) -> None:
        """Says that the thread has loaded the stage's sums."""
        _fence("before")
        super().consumer_release(state)
