"""Kernels whose copies know which argument each tensor is part of.

In a function under ``experimental.kernel`` the parts of its tensors (by divisions, slices and
``partition``) know their elements' coordinates: ``copy`` moves only elements inside the tensor,
and ``tma_load`` and ``tma_store`` need no atom. A list that a loop may change hides its contents.
"""

from .._compat import placeholders as _placeholders
from .._compile.jit import compile, jit
from ._copies import allocate, copy, kernel, partition
from ._pipelines import (
    AsyncToUMMAPipeline,
    GenericPipeline,
    GenericPipelineBase,
    OperationTypeEnum,
    TMAStorePipeline,
    TMAToAsyncPipeline,
    TMAToUMMAPipeline,
    UMMAtoAsyncPipeline,
)
from ._products import dot, make_t2r_rmem_layout, make_tmem_layout_acc, partition_and_copy
from ._tma import (
    get_cta_v_map_ab,
    get_cta_v_map_c,
    get_mbarrier,
    is_preferred_cluster,
    tma_load,
    tma_reduce_store,
    tma_store,
)

__all__ = [
    "AsyncToUMMAPipeline", "GenericPipeline", "GenericPipelineBase", "OperationTypeEnum",
    "TMAStorePipeline", "TMAToAsyncPipeline", "TMAToUMMAPipeline", "UMMAtoAsyncPipeline",
    "allocate", "compile", "copy", "dot", "get_cta_v_map_ab", "get_cta_v_map_c", "get_mbarrier",
    "is_preferred_cluster",
    "jit", "kernel", "make_t2r_rmem_layout", "make_tmem_layout_acc", "partition",
    "partition_and_copy", "tma_load", "tma_reduce_store", "tma_store",
]

# Names that no public page or program describes.
_UNDESCRIBED = """
AccumulatorBufferingKind AccumulatorBufferingPlan AccumulatorDrain AccumulatorOverlapPolicy
AllocationRequirement B32PayloadCodec CLCPipeline CTA_PAIR_PEER_LOCALE
CircularBufferPipelineState ClusterMailbox GroupedGemmSchedulerPipeline MbarrierOwner
PipelineLocale PipelineState QueryDeviceWorkspaceFunc TMAToUMMACircularPipeline
TmemAllocationRequest b32_payload circular_buffer_pipeline_advance_iterator
circular_buffer_pipeline_consume circular_buffer_pipeline_consumer_release consumer_release
consumer_release_elect_one_sync consumer_tail consumer_try_wait consumer_wait
create_circular_buffer_pipeline create_pipeline create_pipeline_state_at
create_pipeline_with_mask dot_block_scaled dot_sparse elect_sync elementwise
epilogue_tma_store get_arrival_count get_pipeline_consume_phase get_pipeline_consume_stage
get_pipeline_produce_phase get_pipeline_produce_stage mainloop_mma
mainloop_mma_sm120 make_tmem_layout_a mbarrier_expect_tx normalize_skip_wait_token
pipeline_advance_iterator pipeline_tail plan_accumulator_buffering predicated_tensor_origin
producer_acquire producer_commit producer_try_acquire simt_auto_vec_copy tma_load_multicast
warp_reduce
"""

__getattr__ = _placeholders.among(
    dict.fromkeys(_UNDESCRIBED.split(), "what no public page or program describes"),
    "cute.experimental")
