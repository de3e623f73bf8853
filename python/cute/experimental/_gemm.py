"""The parts of a product's kernel: its loop over K, and the way of its sums to memory."""

from __future__ import annotations

from typing import Any, Callable

from .. import arch as _arch, core as _core
from .._compile.jit import jit
from .._frontend.control import const_expr, range_constexpr
from .._frontend.guards import choose, run_if
from .._values.numeric import Float32, Int32
from .._values.pointer import AddressSpace
from ..math import absf
from ..nvgpu import tcgen05
from ..utils import blackwell_helpers as _helpers
from ..utils.layout import LayoutEnum
from ._copies import allocate
from ._products import dot, make_t2r_rmem_layout, partition_and_copy
from ._tma import tma_store


def make_tmem_layout_a(
    tiled_mma: Any, mk_tiler: Any, stage: int, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the layout of an operand A in tensor memory: a product's, M, K and stages."""
    return tiled_mma.make_fragment_A(
        _core.append(tiled_mma.partition_shape_A(mk_tiler[:2]), stage)).layout


def mainloop_mma_sm120(
    tiled_mma: Any, tCrA: Any, tCrSFA: Any, tCrB: Any, tCrSFB: Any, acc_buffer: Any,  # noqa: N803
    mma_inst_tile_k: int, accumulate_to_acc: bool = True,
) -> None:
    """Multiplies a warp's scaled fragments into its sums.

    :param tCrA: registers, as tCrB and the factors: products along K in the last mode
    :param mma_inst_tile_k: how many there are
    :param accumulate_to_acc: whether the sums are added to; else they begin with 0
    """
    if not accumulate_to_acc:
        acc_buffer.fill(0.0)
    for k in range(mma_inst_tile_k):
        parts = [_at_last(t, k) for t in (tCrA, tCrSFA, tCrB, tCrSFB)]
        _core.gemm(tiled_mma, acc_buffer, parts[:2], parts[2:], acc_buffer)


def _at_last(tensor: Any, k: Any) -> Any:
    return tensor[(*(None,) * (_core.rank(tensor) - 1), k)]


class _Part:
    """How a thread loads a part of the sums, converts it and puts it into shared memory."""

    def __init__(self, tile: Any, gmem: Any, pair: bool, sums: Any, thread: Any, major: Any):
        dtype, self.major = gmem.element_type, major
        self.epi_tile = _helpers.compute_epilogue_tile_shape(tile, pair, major, dtype)
        atom = _helpers.get_tmem_load_op(
            tile, major, dtype, sums.element_type, self.epi_tile, pair)
        self.sums = _core.flat_divide(sums, self.epi_tile)
        self.load = tcgen05.make_tmem_copy(atom, self.sums[None, None, 0, 0])
        self.thread = thread
        self.store = _core.make_tiled_copy_D(
            _helpers.get_smem_store_op(major, dtype, sums.element_type, self.load), self.load)

    def registers(self, parts: Any, dtype: Any) -> Any:
        layout = make_t2r_rmem_layout(self.load, parts, self.thread)
        return allocate(dtype, AddressSpace.rmem, layout, alignment=32)


def epilogue_tma_store(
    cta_tile_shape_mnk: Any, use_2cta_instrs: bool, tmem_acc_buffer_staged: Any, gmem_d: Any,
    cta_d_tile_coord: Any, tma_store_pipeline: Any, tma_store_warp_id: int,
    epilogue_op: Callable[[Any], Any], d_major_mode: Any = None, tid_x_in_group: Any = None,
    amax_out: Any = None, accumulator_drain: Any = None,
) -> Any:
    """Brings a tile's sums to memory, part by part: four warps load a part, apply a function,
    and put it into shared memory, which one warp stores by TMA. All of their threads call it.

    :param cta_tile_shape_mnk: the block's tile
    :param tmem_acc_buffer_staged: the tile's sums, of one stage
    :param gmem_d: an argument of the kernel, (M,N,...); cta_d_tile_coord: the tile in it
    :param tma_store_pipeline: a ``TMAStorePipeline``; tma_store_warp_id: its warp
    :param epilogue_op: from a vector of sums to a vector
    :param d_major_mode: a ``LayoutEnum``, if the argument's strides do not tell
    :param tid_x_in_group: the thread's number among the four warps', if not the block's
    :param amax_out: memory for one Float32, which becomes the largest absolute sum, if larger
    :param accumulator_drain: from a plan's ``consumer_wait_and_get_view``, whose pipeline the
        function then releases and advances
    :returns: the pipeline of stores; with ``accumulator_drain`` also that pipeline
    """
    thread = _arch.thread_idx()[0] if tid_x_in_group is None else tid_x_in_group
    major = d_major_mode or LayoutEnum.from_tensor(gmem_d)
    tile = tuple(_core.size(extent) for extent in cta_tile_shape_mnk[:2])
    place = cta_d_tile_coord[:_core.rank(gmem_d)]
    target = _core.zipped_divide(gmem_d, tile)[(None, None), place]
    how = _Part(cta_tile_shape_mnk, gmem_d, use_2cta_instrs, tmem_acc_buffer_staged, thread, major)
    targets = _core.flat_divide(target, how.epi_tile)
    held, out = (how.registers(targets, t) for t in
                 (tmem_acc_buffer_staged.element_type, gmem_d.element_type))
    stages = tma_store_pipeline.get_num_stages()
    near = allocate(gmem_d.element_type, AddressSpace.smem, _helpers.make_smem_layout_epi(
        gmem_d.element_type, major, how.epi_tile, stages), alignment=1024)
    order = _Order(targets, accumulator_drain)
    largest = Float32(0.0)
    for i in range(order.count):
        at = order.place(i)
        partition_and_copy(how.load.get_slice(thread), how.sums[(None, None, *at)], held)
        order.after(i)
        if amax_out is not None:
            largest = _larger(largest, held)
        out.store(epilogue_op(held.load()).to(gmem_d.element_type))
        tma_store_pipeline.acquire_sync()
        index = tma_store_pipeline.get_index()
        partition_and_copy(how.store.get_slice(thread), out, near[None, None, index])
        tma_store_pipeline.commit_sync()
        run_if(_arch.warp_idx() == tma_store_warp_id,
               lambda: tma_store(near[None, None, index], targets[(None, None, *at)]))
        tma_store_pipeline.release_advance()
    tma_store_pipeline.tail()
    if amax_out is not None:
        largest = _arch.warp_reduction_max(largest)
        run_if(_arch.lane_idx() == 0, lambda: _arch.atomic_fmax(amax_out.iterator, largest))
    return order.result(tma_store_pipeline)


def _larger(largest: Any, held: Any) -> Any:
    for i in range(_core.size(held)):
        largest = _arch.fmax(largest, absf(held[i]))
    return largest


class _Order:
    """In which order the parts of a tile are loaded, and when their sums are released."""

    def __init__(self, targets: Any, drain: Any):
        self.rows, self.columns = (_core.size(targets, mode=[m]) for m in (2, 3))
        self.count, self.drain = self.rows * self.columns, drain
        if drain is not None and drain.plan.uses_overlap and self.rows != 1:
            raise ValueError(f"views overlap by columns: the tile has {self.rows} parts of its rows")

    def place(self, i: int) -> tuple[Any, Any]:
        row, column = i % self.rows, i // self.rows
        if self.drain is None or not self.drain.plan.uses_overlap:
            return row, column
        selector = self.drain.consumer_selector
        return row, choose(selector == 0, Int32(self.columns - 1 - column), Int32(column))

    def after(self, i: int) -> None:
        """Releases the sums after the load that the plan names, or the last."""
        if self.drain is None:
            return
        plan = self.drain.plan
        if i == (plan.release_after_t2r_ordinal if plan.uses_overlap else self.count - 1):
            _arch.fence_view_async_tmem_load()
            self.drain.pipeline.consumer_release_and_advance()

    def result(self, stores: Any) -> Any:
        return stores if self.drain is None else (stores, self.drain.pipeline)


@jit
def mainloop_mma(
    tiled_mma: Any, a_buffer: Any, b_buffer: Any, acc_buffer: Any, k_tile_start: Any,
    k_tile_end: Any, mma_inst_tile_k: int, a_buffer_pipeline: Any, b_buffer_pipeline: Any,
    ab_buffer_same_pipeline: bool = True, accumulate_to_acc: bool = False,
) -> tuple[Any, Any]:
    """Multiplies the tiles that pipelines bring, into the sums of a tile: a warp calls it.

    :param a_buffer: shared memory: a product's, M, products along K in a tile, stages; b_buffer alike
    :param k_tile_start: the first tile along K, k_tile_end: after the last
    :param mma_inst_tile_k: the products along K of a tile
    :param ab_buffer_same_pipeline: whether one pipeline brings both operands
    :param accumulate_to_acc: whether the first product adds to the sums
    :returns: the pipelines of A and of B
    """
    atom = _core.make_mma_atom(tiled_mma.op)
    atom.set(tcgen05.Field.ACCUMULATE, accumulate_to_acc)
    first = a_buffer_pipeline
    second = None if ab_buffer_same_pipeline else b_buffer_pipeline
    for tile in range(k_tile_start, k_tile_end):
        stage_a = first.consumer_wait_and_get_stage()[1]
        stage_b = stage_a if second is None else second.consumer_wait_and_get_stage()[1]
        for k in range_constexpr(mma_inst_tile_k):
            parts = [_core.append_ones(buffer[None, None, k, stage], up_to_rank=3)
                     for buffer, stage in ((a_buffer, stage_a), (b_buffer, stage_b))]
            dot(atom, *parts, acc_buffer)
            atom.set(tcgen05.Field.ACCUMULATE, True)
        first.consumer_release_and_advance()
        if const_expr(second is not None):
            second.consumer_release_and_advance()
    return first, first if second is None else second
