"""The pipeline of responses of the launch control, and places in rings of stages."""

from __future__ import annotations

import enum
from typing import Any

from .. import arch
from .._frontend.guards import run_if
from .._values.numeric import Int32
from ..core import size
from ._barriers import MbarrierArray, pipeline_init_arrive, pipeline_init_wait
from ._pipelines import PipelineAsync, _storage, _wait
from ._states import CooperativeGroup, PipelineOp, PipelineState

__all__ = ["MbarrierLayout", "PipelineClcFetchAsync", "compute_k_tile"]


class MbarrierLayout(enum.Enum):
    """How a barrier lies in shared memory: 64 bits."""

    V0 = 1


def compute_k_tile(
    stage_idx: Any, stage_count: Any, stage_offset: Any, num_stages: int, *, loc: Any = None,
    ip: Any = None,
) -> Int32:
    """Returns the tile along K in a stage of a ring.

    :param stage_count: how often the stage was filled before, in this tile of the result
    :param stage_offset: the stage of tile 0

    For example::

        compute_k_tile(1, 2, 3, 4)  # stages 3, 0, 1 have tiles 0, 1, 2; then 4 more each time
        # 10
    """
    first = (stage_idx - stage_offset + num_stages) % num_stages
    return Int32(first + stage_count * num_stages)


class PipelineClcFetchAsync(PipelineAsync):
    """The launch control fills stages of all blocks of a cluster, whose threads empty them.

    The producer is a warp of the cluster's first block: it asks (``issue_clc_query``) with the
    barrier ``producer_get_barrier``. All threads of the consumers tell the first block when
    they have read a response.
    """

    def __init__(self, *args: Any, num_blocks: Any = 1, tx_count: int = 16):
        super().__init__(*args)
        self._num_blocks, self._tx_count = num_blocks, tx_count

    @classmethod
    def create(  # type: ignore[override]
        cls,
        *,
        num_stages: int,
        producer_group: CooperativeGroup,
        consumer_group: CooperativeGroup,
        tx_count: int,
        barrier_storage: Any = None,
        producer_mask: Any = None,
        consumer_mask: Any = None,
        cta_layout_vmnk: Any = None,
        defer_sync: bool = False,
        name: str | None = None,
    ) -> Any:
        """Makes the barriers, ``2 * num_stages`` of them at ``barrier_storage``.

        :param consumer_group: the threads of all blocks that release a stage
        :param tx_count: the bytes of a response, 16
        """
        barrier_storage = _storage(barrier_storage, num_stages)
        full = MbarrierArray(barrier_storage, num_stages, (PipelineOp.ClcLoad, producer_group),
                             tx_count)
        empty = MbarrierArray(barrier_storage + num_stages, num_stages,
                              (PipelineOp.AsyncThread, consumer_group))
        blocks = 1 if cta_layout_vmnk is None else size(cta_layout_vmnk)
        if not defer_sync:
            shape = None if cta_layout_vmnk is None else cta_layout_vmnk.shape
            pipeline_init_arrive(shape)
            pipeline_init_wait(shape)
        first = consumer_mask if consumer_mask is not None or blocks == 1 else 0
        return cls(full, empty, num_stages, producer_mask, first, num_blocks=blocks,
                   tx_count=tx_count)

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage is empty, and announces the bytes to every block: a warp."""
        _wait(self.sync_object_empty, state, try_acquire_token)
        barrier = self.sync_object_full.get_barrier(state.index)
        lane = arch.lane_idx()
        rank = None if self._num_blocks == 1 else lane
        run_if(lane < self._num_blocks,
               lambda: arch.mbarrier_arrive_and_expect_tx(barrier, self._tx_count, rank))

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Does nothing: the response signals its own arrival."""

    def consumer_get_barrier(self, state: PipelineState, **_: Any) -> Any:
        """Returns the barrier at which consumers arrive."""
        return self.sync_object_empty.get_barrier(state.index)
