"""Pipelines: producers fill stages of shared memory, consumers empty them.

A stage has two barriers (mbarrier, PTX ISA 9.7.13.15). Producers wait until it is
*empty* and signal when it is *full*; consumers wait until it is full and signal when it
is empty. A barrier's phase is one bit, which changes whenever all expected arrivals
have come; a ``PipelineState`` has the next stage and the phase to wait for.

==================  =========================================  ====================
pipeline            who fills a stage                          who empties it
==================  =========================================  ====================
PipelineAsync       threads, by stores                         threads
PipelineCpAsync     threads, by cp.async                       threads
PipelineTmaAsync    TMA, started by one thread of a warp       threads of a cluster
PipelineTmaStore    threads, by stores                         TMA
PipelineTmaUmma     TMA                                        products (tcgen05)
PipelineUmmaAsync   products (tcgen05), of tensor memory       threads
PipelineAsyncUmma   threads, by stores                         products (tcgen05)
PipelineOrder       groups of threads take turns
==================  =========================================  ====================
"""

from .._compat import placeholders as _placeholders
from ._states import (
    Agent,
    CooperativeGroup,
    PipelineOp,
    PerStagePipelineState,
    PipelineState,
    PipelineUserType,
    make_pipeline_state,
)
from ._barriers import (
    MbarrierArray,
    NamedBarrier,
    SyncObject,
    TmaStoreFence,
    agent_sync,
    arrive,
    arrive_and_wait,
    arrive_unaligned,
    pipeline_init_arrive,
    pipeline_init_wait,
    sync,
    wait,
    wait_unaligned,
)
from ._pipelines import (
    PipelineAsync,
    PipelineCpAsync,
    PipelineOrder,
    PipelineTmaAsync,
    PipelineTmaStore,
    alloc_reserved_mbarrier,
)
from ._sides import PipelineConsumer, PipelineEmpty, PipelineProducer
from ._clc import MbarrierLayout, PipelineClcFetchAsync, compute_k_tile
from ._umma import (
    PipelineAsyncUmma,
    PipelineTmaMultiConsumersAsync,
    PipelineTmaUmma,
    PipelineUmmaAsync,
)

__all__ = [
    "Agent",
    "CooperativeGroup",
    "MbarrierArray",
    "MbarrierLayout",
    "NamedBarrier",
    "PerStagePipelineState",
    "PipelineAsync",
    "PipelineAsyncUmma",
    "PipelineClcFetchAsync",
    "PipelineConsumer",
    "PipelineEmpty",
    "PipelineCpAsync",
    "PipelineOp",
    "PipelineOrder",
    "PipelineProducer",
    "PipelineState",
    "PipelineTmaAsync",
    "PipelineTmaMultiConsumersAsync",
    "PipelineTmaStore",
    "PipelineTmaUmma",
    "PipelineUmmaAsync",
    "PipelineUserType",
    "SyncObject",
    "TmaStoreFence",
    "agent_sync",
    "alloc_reserved_mbarrier",
    "arrive",
    "arrive_and_wait",
    "arrive_unaligned",
    "compute_k_tile",
    "make_pipeline_state",
    "pipeline_init_arrive",
    "pipeline_init_wait",
    "sync",
    "wait",
    "wait_unaligned",
]

__getattr__ = _placeholders.among({}, "cute.pipeline")
