"""Pipelines that have the states of their producer and consumer with them."""

from __future__ import annotations

import enum
from typing import Any

from .. import arch as _arch, pipeline as _pipeline
from .._compat.missing import NotThere
from .._frontend.guards import run_if
from .._values.numeric import Int32
from ..pipeline import PipelineUserType, make_pipeline_state

# Operations by what they do with a pipeline's stage; all others are threads'
# operations.
_TMA = "SM90_TMA_LOAD SM90_TMA_LOAD_MULTICAST SM100_TMA_LOAD_2SM SM100_TMA_LOAD_2SM_MULTICAST"
_PRODUCTS = "SM100_MMA_1SM_SS SM100_MMA_1SM_TS SM100_MMA_SCALED_1SM_SS SM100_MMA_SCALED_1SM_TS"
_OF_PAIRS = "SM100_MMA_2SM_SS SM100_MMA_2SM_TS SM100_MMA_SCALED_2SM_SS SM100_MMA_SCALED_2SM_TS"
_OF_THREADS = """
UNARY_SIMT BINARY_SIMT TERNARY_SIMT LD_GLOBAL ST_GLOBAL LD_SHARED ST_SHARED LD_SHARED_MATRIX
ST_SHARED_MATRIX SIMT_MAC SM80_MMA SM89_MMA SM90_MMA_SS SM90_MMA_RS SM100_COPY_T2R SM100_COPY_R2T
"""

OperationTypeEnum = enum.Enum(  # type: ignore[misc]
    "OperationTypeEnum", f"{_TMA} {_PRODUCTS} {_OF_PAIRS} {_OF_THREADS}", module=__name__)
OperationTypeEnum.__doc__ = "By which operation a side of a pipeline works on a stage."


class _Announced:
    """A pipeline whose producer announces the bytes of each load (``tma_load``) by itself."""

    def producer_acquire(self, state: Any, token: Any = None, **_: Any) -> None:
        _pipeline.PipelineAsync.producer_acquire(self, state, token)  # type: ignore[arg-type]

    def producer_commit(self, state: Any, **_: Any) -> None:
        with _arch.elect_one():
            _arch.mbarrier_arrive(self.sync_object_full.get_barrier(state.index))  # type: ignore[attr-defined]


class _TmaUmma(_Announced, _pipeline.PipelineTmaUmma):
    """TMA fills stages, which products empty."""


class _TmaAsync(_Announced, _pipeline.PipelineAsync):
    """TMA fills stages, which threads empty."""


# Kinds of pipelines by what produces and what consumes.
_KINDS: dict[tuple[str, str], Any] = {
    ("tma", "product"): _TmaUmma,
    ("tma", "threads"): _TmaAsync,
    ("threads", "product"): _pipeline.PipelineAsyncUmma,
    ("threads", "threads"): _pipeline.PipelineAsync,
    ("product", "threads"): _pipeline.PipelineUmmaAsync,
}


def _kind_of(operation: Any) -> str:
    """:raises NotThere: for an operation of a pair of blocks"""
    if operation.name in f"{_OF_PAIRS} {_TMA[14:]}".split():
        raise NotThere(f"{operation.name} is of several blocks; use the classes of cute.pipeline")
    return ("tma" if operation.name in _TMA.split() else
            "product" if operation.name in _PRODUCTS.split() else "threads")


class GenericPipelineBase:
    """A pipeline with its sides' states, which loops and branches carry.

    A side waits for its stage, passes it on, and advances to the next::

        token, stage = pipe.producer_acquire_and_get_stage()
        tma_load(source, buffer[None, None, stage], get_mbarrier(token))
        pipe.producer_commit_and_advance()
    """

    def __init__(self, raw_pipeline: Any, num_stages: int, producer_state: Any, consumer_state: Any):
        self.raw_pipeline, self.num_stages = raw_pipeline, num_stages
        self.producer_state, self.consumer_state = producer_state, consumer_state

    @classmethod
    def _of(cls, stages: int, producer: Any, consumer: Any, arrivals: tuple[Any, Any]) -> Any:
        kind = _KINDS.get((_kind_of(producer), _kind_of(consumer)))
        if kind is None:
            raise ValueError(f"no pipeline leads from {producer.name} to {consumer.name}")
        sides = [_pipeline.CooperativeGroup(_pipeline.Agent.Thread, n) for n in arrivals]
        raw = kind.create(num_stages=stages, producer_group=sides[0], consumer_group=sides[1])
        return cls(raw, stages, *(make_pipeline_state(side, stages) for side in
                                  (PipelineUserType.Producer, PipelineUserType.Consumer)))

    def producer_acquire(self) -> Any:
        """Waits until the producer's stage is empty."""
        self.raw_pipeline.producer_acquire(self.producer_state)
        return self

    def producer_try_acquire(self) -> Any:
        """Returns a token: whether the stage is empty already."""
        return self.raw_pipeline.producer_try_acquire(self.producer_state)

    def get_producer_stage(self) -> Any:
        return self.producer_state.index

    def get_consumer_stage(self) -> Any:
        return self.consumer_state.index

    def get_producer_phase(self) -> Any:
        return self.producer_state.phase

    def get_consumer_phase(self) -> Any:
        return self.consumer_state.phase

    def producer_acquire_and_get_stage(self, *, token: Any = None) -> tuple[Any, Any]:
        """Waits until the stage is empty; returns a token for ``get_mbarrier``, and its number.

        :param token: of ``producer_try_acquire``
        """
        self.raw_pipeline.producer_acquire(self.producer_state, token)
        return self.raw_pipeline.producer_get_barrier(self.producer_state), self.get_producer_stage()

    def producer_commit(self) -> Any:
        """Signals that the stage is full."""
        self.raw_pipeline.producer_commit(self.producer_state)
        return self

    def producer_commit_and_advance(self) -> Any:
        """Signals that the stage is full, and advances to the next."""
        self.producer_commit()
        self.producer_state.advance()
        return self

    def producer_tail(self) -> Any:
        """Waits until all stages are empty."""
        self.raw_pipeline.producer_tail(self.producer_state)
        return self

    def consumer_wait(self) -> Any:
        """Waits until the consumer's stage is full."""
        self.raw_pipeline.consumer_wait(self.consumer_state)
        return self

    def consumer_try_wait(self) -> Any:
        """Returns a token: whether the stage is full already."""
        return self.raw_pipeline.consumer_try_wait(self.consumer_state)

    def consumer_wait_and_get_stage(self, *, token: Any = None) -> tuple[Any, Any]:
        """Waits until the stage is full; returns a token, and the stage's number.

        :param token: of ``consumer_try_wait``
        """
        self.raw_pipeline.consumer_wait(self.consumer_state, token)
        index = self.get_consumer_stage()
        return self.raw_pipeline.sync_object_empty.get_barrier(index), index

    def consumer_release(self) -> Any:
        """Signals that the stage is empty."""
        self.raw_pipeline.consumer_release(self.consumer_state)
        return self

    def consumer_release_and_advance(self) -> Any:
        """Signals that the stage is empty, and advances to the next."""
        self.consumer_release()
        self.consumer_state.advance()
        return self

    def __extract_mlir_values__(self) -> list[Any]:
        return [v for state in (self.producer_state, self.consumer_state)
                for v in state.__extract_mlir_values__()]

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        states = (self.producer_state.__new_from_mlir_values__(values[:3]),
                  self.consumer_state.__new_from_mlir_values__(values[3:]))
        return type(self)(self.raw_pipeline, self.num_stages, *states)


class GenericPipeline(GenericPipelineBase):
    """A pipeline of any two sides."""

    @classmethod
    def create(cls, *, producer: Any, consumer: Any, producer_arv_count: Any,
               consumer_arv_count: Any, num_stages: int) -> Any:
        """Makes the barriers, in shared memory.

        :param producer: a member of ``OperationTypeEnum``; of TMA and products one thread arrives
        :param producer_arv_count: how many threads arrive for a stage
        """
        return cls._of(num_stages, producer, consumer, (producer_arv_count, consumer_arv_count))


class TMAToUMMAPipeline(GenericPipelineBase):
    """TMA fills stages, which products in tensor memory empty."""

    @classmethod
    def create(cls, *, num_stages: int, mma_operation_type: Any,
               tma_operation_type: Any = OperationTypeEnum.SM90_TMA_LOAD) -> Any:
        return cls._of(num_stages, tma_operation_type, mma_operation_type, (1, 1))


class TMAToAsyncPipeline(GenericPipelineBase):
    """TMA fills stages, which threads empty."""

    @classmethod
    def create(cls, *, num_stages: int, consumer: Any, consumer_arv_count: Any) -> Any:
        return cls._of(num_stages, OperationTypeEnum.SM90_TMA_LOAD, consumer, (1, consumer_arv_count))


class AsyncToUMMAPipeline(GenericPipelineBase):
    """Threads fill stages, which products in tensor memory empty."""

    @classmethod
    def create(cls, *, num_stages: int, producer: Any, producer_arv_count: Any,
               mma_operation_type: Any) -> Any:
        return cls._of(num_stages, producer, mma_operation_type, (producer_arv_count, 1))


class UMMAtoAsyncPipeline(GenericPipelineBase):
    """Products fill stages of tensor memory, which threads empty."""

    @classmethod
    def create(cls, *, num_stages: int, consumer: Any, consumer_arv_count: Any,
               mma_operation_type: Any) -> Any:
        return cls._of(num_stages, mma_operation_type, consumer, (1, consumer_arv_count))


class TMAStorePipeline:
    """Threads fill buffers in shared memory, which one warp stores by TMA.

    :param stages: how many buffers there are
    :param arv_count: how many threads fill one; all of them call the methods
    :param barrier_id: a named barrier of the block for them
    :param tma_warp_id: the warp that stores
    """

    def __init__(self, stages: int, arv_count: int, barrier_id: int, tma_warp_id: int, index: Any = 0):
        self.stages, self.arv_count = stages, arv_count
        self.barrier_id, self.tma_warp_id, self.index = barrier_id, tma_warp_id, Int32(index)

    def _by_tma_warp(self, function: Any) -> None:
        run_if(_arch.warp_idx() == self.tma_warp_id, function)

    def _sync(self) -> Any:
        _arch.barrier(barrier_id=self.barrier_id, number_of_threads=self.arv_count)
        return self

    def get_num_stages(self) -> int:
        return self.stages

    def get_index(self) -> Any:
        """Returns the number of the buffer to fill."""
        return self.index

    def acquire_sync(self) -> Any:
        """Waits until TMA has read the buffer."""
        self._by_tma_warp(lambda: _arch.cp_async_bulk_wait_group(self.stages - 1, read=True))
        return self._sync()

    def commit_sync(self) -> Any:
        """Makes all threads' writes visible to TMA."""
        _arch.fence_proxy("async.shared", space="cta")
        return self._sync()

    def release_advance(self) -> Any:
        """Ends the group of the buffer's stores, and advances to the next buffer."""
        self._by_tma_warp(_arch.cp_async_bulk_commit_group)
        self.index = (self.index + 1) % self.stages
        return self

    def tail(self) -> Any:
        """Waits until TMA has read all buffers."""
        self._by_tma_warp(lambda: _arch.cp_async_bulk_wait_group(0, read=True))
        return self

    def __extract_mlir_values__(self) -> list[Any]:
        return [self.index.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        return TMAStorePipeline(self.stages, self.arv_count, self.barrier_id, self.tma_warp_id,
                                Int32(values[0]))
