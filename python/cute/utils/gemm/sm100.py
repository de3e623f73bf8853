"""Epilogues of kernels for Blackwell: sums in tensor memory to the result in global memory.

``gemm_kernel`` is the program's own object; these functions take its attributes
``acc_dtype``, ``c_dtype``, ``c_layout``, ``cta_tile_shape_mnk``, ``use_2cta_instrs``,
``epilogue_warp_id``, ``epilog_sync_bar_id`` and, for stores by TMA, ``num_c_stage``.
"""

from __future__ import annotations

from typing import Any

from ... import arch, core, pipeline
from ..._compile.arguments import Constexpr
from ..._compile.jit import jit
from ..._frontend.control import const_expr
from ..._frontend.loops import range_constexpr
from ..._values.numeric import Boolean
from ...nvgpu import common, cpasync, tcgen05
from .. import blackwell_helpers as sm100

__all__ = [
    "epilogue",
    "epilogue_smem_copy_and_partition",
    "epilogue_tma_store",
    "epilogue_tmem_copy_and_partition",
    "transform_partitioned_tensor_layout",
]


def transform_partitioned_tensor_layout(tensor: Any) -> Any:
    """Returns a part ((M,N) of a product, M, N, ...) as ((M, products), (N, products), ...)."""
    (rows, columns), m, n, *rest = tensor.shape
    (row, column), step_m, step_n, *steps = tensor.stride
    layout = core.make_layout(((rows, m), (columns, n), *rest),
                              stride=((row, step_m), (column, step_n), *steps))
    return core.make_tensor(tensor.iterator, layout)


def epilogue_tmem_copy_and_partition(
    gemm_kernel: Any, tidx: Any, tAcc: Any, tCgC: Any, epi_tile: Any, use_2cta_instrs: Any, *,
    loc: Any = None, ip: Any = None,
) -> tuple[Any, Any, Any]:
    """Returns the copy of sums to registers, a thread's part of the sums, and its registers.

    :param tAcc: sums (M, N, stage), as ``transform_partitioned_tensor_layout`` gives them
    :param tCgC: the result (M, N, ...), likewise
    """
    atom = sm100.get_tmem_load_op(gemm_kernel.cta_tile_shape_mnk, gemm_kernel.c_layout,
                                  gemm_kernel.c_dtype, gemm_kernel.acc_dtype, epi_tile,
                                  use_2cta_instrs)
    sums = core.flat_divide(tAcc, epi_tile)
    first = sums[(None, None) + (0,) * (core.rank(sums) - 2)]
    copy = tcgen05.make_tmem_copy(atom, first)
    of_thread = copy.get_slice(tidx)
    far = of_thread.partition_D(core.flat_divide(tCgC, epi_tile))
    one = far[(None,) * 3 + (0,) * (core.rank(far) - 3)]
    registers = core.make_rmem_tensor(one.shape, gemm_kernel.acc_dtype)
    return copy, of_thread.partition_S(sums), registers


def epilogue_smem_copy_and_partition(
    gemm_kernel: Any, tiled_copy_t2r: Any, tTR_rC: Any, tidx: Any, sC: Any, *,
    loc: Any = None, ip: Any = None,
) -> tuple[Any, Any, Any]:
    """Returns the copy of results to shared memory, and a thread's registers and places."""
    atom = sm100.get_smem_store_op(gemm_kernel.c_layout, gemm_kernel.c_dtype,
                                   gemm_kernel.acc_dtype, tiled_copy_t2r)
    copy = core.make_tiled_copy_D(atom, tiled_copy_t2r)
    return copy, copy.retile(tTR_rC), copy.get_slice(tidx).partition_D(sC)


def _stages_of_result(
    gemm_kernel: Any, tidx: Any, tCtAcc_base: Any, tCgC: Any, epi_tile: Any,
    mma_tile_coord_mnl: Any, acc_consumer_state: Any,
) -> tuple[Any, Any, Any, Any]:
    """Returns the copy from tensor memory, a thread's sums by tiles of the epilogue in the
    state's stage, its registers, and the result's block tile (M,N)."""
    sums = transform_partitioned_tensor_layout(tCtAcc_base)
    result = transform_partitioned_tensor_layout(tCgC)
    copy, parts, registers = epilogue_tmem_copy_and_partition(
        gemm_kernel, tidx, sums, result, epi_tile, gemm_kernel.use_2cta_instrs)
    parts = parts[(None,) * 5 + (acc_consumer_state.index,)]
    parts = core.group_modes(parts, 3, core.rank(parts))
    return copy, parts, registers, result[(None, None, *mma_tile_coord_mnl)]


@jit
def epilogue_tma_store(
    gemm_kernel: Any, epi_tidx: Any, warp_idx: Any, tma_atom_c: Any, tCtAcc_base: Any, sC: Any,
    tCgC_base: Any, epi_tile: Any, num_tiles_executed: Any, epilogue_op: Constexpr,
    mma_tile_coord_mnl: Any, acc_consumer_state: Any, acc_pipeline: Any, c_pipeline: Any,
) -> Any:
    """Stores a tile of sums by TMA, through stages of shared memory.

    :param num_tiles_executed: by these warps so far, which says the next stage of ``sC``
    :param mma_tile_coord_mnl: the product's tile in the result
    :return: the state of the next sums
    """
    copy, sums, registers, result = _stages_of_result(
        gemm_kernel, epi_tidx, tCtAcc_base, tCgC_base, epi_tile, mma_tile_coord_mnl,
        acc_consumer_state)
    made = core.make_rmem_tensor(registers.shape, gemm_kernel.c_dtype)
    copy_near, made_near, near = epilogue_smem_copy_and_partition(
        gemm_kernel, copy, made, epi_tidx, sC)
    tiles = core.flat_divide(result, epi_tile)
    boxes, places = cpasync.tma_partition(
        tma_atom_c, 0, core.make_layout(1), core.group_modes(sC, 0, 2),
        core.group_modes(tiles, 0, 2))
    places = core.group_modes(places, 1, core.rank(places))
    everyone = pipeline.NamedBarrier(gemm_kernel.epilog_sync_bar_id,
                                     32 * len(gemm_kernel.epilogue_warp_id))
    acc_pipeline.consumer_wait(acc_consumer_state)
    count = core.size(sums.shape, mode=[3])
    before = num_tiles_executed * count
    for i in range(count):
        core.copy(copy, sums[(None, None, None, i)], registers)
        values = copy_near.retile(registers).load()
        made_near.store(epilogue_op(values.to(gemm_kernel.c_dtype)))
        stage = (before + i) % gemm_kernel.num_c_stage
        core.copy(copy_near, made_near, near[(None, None, None, stage)])
        arch.fence_proxy("async.shared", space="cta")
        everyone.arrive_and_wait()
        if warp_idx == gemm_kernel.epilogue_warp_id[0]:
            core.copy(tma_atom_c, boxes[(None, stage)], places[(None, i)])
            c_pipeline.producer_commit()
            c_pipeline.producer_acquire()
        everyone.arrive_and_wait()
    with arch.elect_one():
        acc_pipeline.consumer_release(acc_consumer_state)
    acc_consumer_state.advance()
    return acc_consumer_state


@jit
def epilogue(
    gemm_kernel: Any, epi_tidx: Any, tCtAcc_base: Any, tCgC_base: Any, epi_tile: Any,
    epilogue_op: Constexpr, mma_tile_coord_mnl: Any, acc_consumer_state: Any, acc_pipeline: Any,
    tCcC_base: Any = None, mC_mnl: Any = None, overlapping_accum: Constexpr = False,
) -> Any:
    """Stores a tile of sums by the threads themselves.

    :param tCcC_base: the coordinates of ``tCgC_base``, by which only what lies within
        ``mC_mnl`` is stored; without them tiles lie in the result as a whole
    :param overlapping_accum: not True: sums of two products have places of their own
    :return: the state of the next sums
    """
    if const_expr(overlapping_accum):
        raise ValueError("overlapping_accum: take two stages of sums with places of their own")
    copy, sums, registers, result = _stages_of_result(
        gemm_kernel, epi_tidx, tCtAcc_base, tCgC_base, epi_tile, mma_tile_coord_mnl,
        acc_consumer_state)
    far = copy.get_slice(epi_tidx).partition_D(core.flat_divide(result, epi_tile))
    far = core.group_modes(far, 3, core.rank(far))
    made = core.make_rmem_tensor(registers.shape, gemm_kernel.c_dtype)
    store = core.make_copy_atom(common.CopyUniversalOp(), gemm_kernel.c_dtype)
    places = None
    if const_expr(tCcC_base is not None and mC_mnl is not None):
        whole = transform_partitioned_tensor_layout(tCcC_base)[(None, None, *mma_tile_coord_mnl)]
        places = copy.get_slice(epi_tidx).partition_D(core.flat_divide(whole, epi_tile))
        places = core.group_modes(places, 3, core.rank(places))
    acc_pipeline.consumer_wait(acc_consumer_state)
    for i in range(core.size(sums.shape, mode=[3])):
        core.copy(copy, sums[(None, None, None, i)], registers)
        made.store(epilogue_op(registers.load().to(gemm_kernel.c_dtype)))
        if const_expr(places is None):
            core.copy(store, made, far[(None, None, None, i)])
        else:
            within = core.make_rmem_tensor(made.shape, Boolean)
            for k in range_constexpr(core.size(made)):
                within[k] = core.elem_less(places[(None, None, None, i)][k], mC_mnl.shape)
            core.basic_copy_if(within, made, far[(None, None, None, i)])
    with arch.elect_one():
        acc_pipeline.consumer_release(acc_consumer_state)
    acc_consumer_state.advance()
    return acc_consumer_state
