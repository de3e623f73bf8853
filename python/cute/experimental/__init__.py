"""Kernels whose copies know which argument each tensor is part of.

In a function under ``experimental.kernel`` the parts of its tensors (by divisions, slices and
``partition``) know their elements' coordinates: ``copy`` moves only elements inside the tensor,
and ``tma_load`` and ``tma_store`` need no atom. A list that a loop may change hides its contents.
"""

from typing import Any as _Any

from .._compat import placeholders as _placeholders
from .._compile.jit import compile, jit
from ._copies import allocate, copy, kernel, partition
from ._functions import (
    CircularBufferPipelineState,
    circular_buffer_pipeline_advance_iterator,
    circular_buffer_pipeline_consume,
    circular_buffer_pipeline_consumer_release,
    consumer_release_elect_one_sync,
    consumer_tail,
    consumer_try_wait,
    consumer_wait,
    create_circular_buffer_pipeline,
    create_pipeline,
    create_pipeline_state_at,
    create_pipeline_with_mask,
    elect_sync,
    get_arrival_count,
    get_pipeline_consume_phase,
    get_pipeline_consume_stage,
    get_pipeline_produce_phase,
    get_pipeline_produce_stage,
    mbarrier_expect_tx,
    normalize_skip_wait_token,
    pipeline_advance_iterator,
    pipeline_tail,
    producer_acquire,
    producer_try_acquire,
)
from ._gemm import epilogue_tma_store, mainloop_mma, mainloop_mma_sm120, make_tmem_layout_a
from ._mailbox import B32PayloadCodec, ClusterMailbox, b32_payload
from ._pipelines import (
    CTA_PAIR_PEER_LOCALE,
    AsyncToUMMAPipeline,
    GenericPipeline,
    GenericPipelineBase,
    MbarrierOwner,
    OperationTypeEnum,
    PipelineLocale,
    PipelineState,
    TMAToAsyncPipeline,
    TMAToUMMAPipeline,
    UMMAtoAsyncPipeline,
    consumer_release,
    producer_commit,
)
from ._products import (
    dot,
    dot_block_scaled,
    dot_sparse,
    make_t2r_rmem_layout,
    make_tmem_layout_acc,
    partition_and_copy,
)
from ._special import CLCPipeline, GroupedGemmSchedulerPipeline, TMAToUMMACircularPipeline
from ._stores import TMAStorePipeline
from ._sums import (
    AccumulatorBufferingKind,
    AccumulatorBufferingPlan,
    AccumulatorDrain,
    AccumulatorOverlapPolicy,
    TmemAllocationRequest,
    plan_accumulator_buffering,
)
from ._tiles import elementwise, predicated_tensor_origin, simt_auto_vec_copy, warp_reduce
from ._tma import (
    get_cta_v_map_ab,
    get_cta_v_map_c,
    get_mbarrier,
    is_preferred_cluster,
    tma_load,
    tma_load_multicast,
    tma_reduce_store,
    tma_store,
)

# Annotations: an operation or several, a block or its number, a token or None.
OperationTypeSpec = MbarrierOwnerSpec = SkipWaitToken = _Any

# Names of the closed compiler's runtime, which asks kernels for the memory that they work in.
_OF_THE_RUNTIME = "AllocationRequirement QueryDeviceWorkspaceFunc"

__getattr__ = _placeholders.among(
    dict.fromkeys(_OF_THE_RUNTIME.split(), "memory that a kernel asks for; use an argument"),
    "cute.experimental")

__all__ = [name for name in list(globals()) if name[0] != "_" and name not in ("annotations",)]
