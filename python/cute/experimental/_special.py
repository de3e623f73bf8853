"""Pipelines of tile schedulers, and of rings whose stages are consumed in parts."""

from __future__ import annotations

from typing import Any, NoReturn

from .. import arch as _arch, pipeline as _pipeline
from .._frontend.guards import run_if
from ._functions import (
    circular_buffer_pipeline_advance_iterator,
    circular_buffer_pipeline_consume,
    circular_buffer_pipeline_consumer_release,
    create_circular_buffer_pipeline,
)
from ._pipelines import GenericPipelineBase, OperationTypeEnum, TMAToUMMAPipeline, make_states


class _Responses(_pipeline.PipelineClcFetchAsync):
    """The launch control fills stages of all blocks of the cluster."""

    def producer_acquire(self, state: Any, try_acquire_token: Any = None, **_: Any) -> None:
        """Waits until the stage is empty."""
        _pipeline.PipelineAsync.producer_acquire(self, state, try_acquire_token)


class CLCPipeline(GenericPipelineBase):
    """The launch control fills stages with the next tile, for warps of all blocks of a cluster.

    A warp of the cluster's first block asks; all consumers' threads release a stage there::

        pipe.producer_acquire()
        pipe.issue_next()
        pipe.producer_commit_and_advance()
    """

    def __init__(self, raw_pipeline: Any, num_stages: int, producer_state: Any, consumer_state: Any,
                 response_buffer: Any):
        super().__init__(raw_pipeline, num_stages, producer_state, consumer_state)
        self.response_buffer = response_buffer

    @staticmethod
    def create(*, num_stages: int, consumer_arv_count: Any, response_buffer: Any) -> CLCPipeline:
        """Makes the barriers, in shared memory; all threads of the cluster call it.

        :param consumer_arv_count: the threads of all blocks that release a stage
        :param response_buffer: shared memory, 16 bytes for each stage
        """
        groups = [_pipeline.CooperativeGroup(_pipeline.Agent.Thread, n) for n in (1, consumer_arv_count)]
        raw = _Responses.create(num_stages=num_stages, producer_group=groups[0],
                                consumer_group=groups[1], tx_count=16, consumer_mask=0,
                                defer_sync=True)
        _pipeline.pipeline_init_arrive((2,))
        _pipeline.pipeline_init_wait((2,))
        return CLCPipeline(raw, num_stages, *make_states(num_stages), response_buffer)

    def get_response_ptr(self, stage_idx: Any) -> Any:
        """Returns the place of a stage's response."""
        buffer = self.response_buffer
        return buffer.iterator + buffer.layout(stage_idx)

    def issue_next(self) -> None:
        """Asks for the next tile: a warp, after ``producer_acquire``."""
        stage = self.producer_state.index
        barrier = self.raw_pipeline.sync_object_full.get_barrier(stage)
        lane, blocks = _arch.lane_idx(), _arch.cluster_size()
        run_if(lane < blocks, lambda: _arch.mbarrier_arrive_and_expect_tx(barrier, 16, lane))
        _arch.sync_warp()
        with _arch.elect_one():
            _arch.issue_clc_query(barrier, self.get_response_ptr(stage))

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        half = len(values) // 2
        return CLCPipeline(self.raw_pipeline, self.num_stages,
                           self.producer_state.__new_from_mlir_values__(values[:half]),
                           self.consumer_state.__new_from_mlir_values__(values[half:]),
                           self.response_buffer)


class GroupedGemmSchedulerPipeline(GenericPipelineBase):
    """A warp fills stages of shared memory with tiles, which all other warps read."""

    @classmethod
    def create(cls, *, num_stages: int, producer_arv_count: Any, consumer_arv_count: Any) -> Any:
        """Makes the barriers, in shared memory.

        :param producer_arv_count: the threads that fill a stage
        :param consumer_arv_count: the threads that release it
        """
        return cls._of(num_stages, OperationTypeEnum.ST_SHARED, OperationTypeEnum.LD_SHARED,
                       (producer_arv_count, consumer_arv_count))


class TMAToUMMACircularPipeline(TMAToUMMAPipeline):
    """TMA fills stages; products take some units of them at a time.

    :param count_per_stage: the units of a stage
    :param count_per_iteration: the units that the products take at a time
    """

    def __init__(self, raw_pipeline: Any, num_stages: int, producer_state: Any, consumer_state: Any,
                 circular_buffer_state: Any = None, count_per_stage: int = 1,
                 count_per_iteration: int = 1):
        super().__init__(raw_pipeline, num_stages, producer_state, consumer_state)
        self.count_per_stage, self.count_per_iteration = count_per_stage, count_per_iteration
        self.circular_buffer_state = circular_buffer_state or create_circular_buffer_pipeline(
            raw_pipeline, consumer_state, num_stages, count_per_stage, count_per_iteration)

    @staticmethod
    def create(  # type: ignore[override]
        *, num_stages: int, mma_operation_type: Any, count_per_stage: int, count_per_iteration: int,
        tma_operation_type: Any = None, cluster_layout_vmnk: Any = None,
    ) -> Any:
        """Makes the barriers, in shared memory; see ``TMAToUMMAPipeline.create``."""
        made = TMAToUMMAPipeline.create(
            num_stages=num_stages, mma_operation_type=mma_operation_type,
            tma_operation_type=tma_operation_type, cluster_layout_vmnk=cluster_layout_vmnk)
        return TMAToUMMACircularPipeline(
            made.raw_pipeline, num_stages, made.producer_state, made.consumer_state, None,
            count_per_stage, count_per_iteration)

    def consumer_wait(self, state: Any = None) -> Any:
        """Waits for the stages that this iteration's units begin."""
        circular_buffer_pipeline_consume(self.raw_pipeline, self.circular_buffer_state)
        return self

    def consumer_release(self, *, elect_one_sync: Any = None, elect_leader_cta: Any = None) -> Any:
        """Signals that the stages that this iteration's units end are empty."""
        circular_buffer_pipeline_consumer_release(
            self.raw_pipeline, self.circular_buffer_state, elect_one_sync=elect_one_sync,
            elect_leader_cta=elect_leader_cta)
        return self

    def consumer_release_and_advance(self) -> Any:
        """Signals that stages are empty, and goes on to the next units."""
        self.consumer_release()
        self.circular_buffer_state = circular_buffer_pipeline_advance_iterator(
            self.raw_pipeline, self.circular_buffer_state)
        return self

    def _none(self, *_: Any, **__: Any) -> NoReturn:
        """:raises TypeError: always: an iteration may take parts of two stages"""
        raise TypeError("an iteration may take units of several stages: use circular_buffer_state")

    get_consumer_stage = consumer_wait_and_get_stage = consumer_tail = _none  # type: ignore[assignment]

    def __extract_mlir_values__(self) -> list[Any]:
        return [*self.producer_state.__extract_mlir_values__(),
                *self.circular_buffer_state.__extract_mlir_values__()]

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        count = len(self.producer_state.__extract_mlir_values__())
        return TMAToUMMACircularPipeline(
            self.raw_pipeline, self.num_stages,
            self.producer_state.__new_from_mlir_values__(values[:count]), self.consumer_state,
            self.circular_buffer_state.__new_from_mlir_values__(values[count:]),
            self.count_per_stage, self.count_per_iteration)
