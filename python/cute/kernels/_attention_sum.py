"""Attention of few query rows: results of chunks of the keys are combined."""

from __future__ import annotations

from typing import Any

from .. import arch, core
from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import const_expr, minimum, range_constexpr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float32, Int32, Int64, Uint32
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from . import _access

WARPS = 4  # of a block that has a chunk
SUM_WARPS, UNROLL = 8, 4  # of a block that weighs chunks, and chunks of a warp at a time
LOG2_E = 1.4426950408889634
LEAST = -3.4028234663852886e38  # m of no key: no finite product is less


def at(plan: Any, q: Tensor, head: Any, number: Any) -> Any:
    """Returns the query head and the row with a number among the rows that share keys, or
    the last one's."""
    number = minimum(number, Int32(q.shape[2]) * plan.group - 1)
    return head * plan.group + number % plan.group, number // plan.group


@jit
def chosen(condition: Any, a: Any, b: Any) -> Any:
    """Returns one of two numbers."""
    return a if condition else b


def power(x: Any, most: Any) -> Any:
    """Returns 2^(x - most), where ``most`` is not less than x."""
    return _math.exp2(x - most, fastmath=True)


def weighed(pairs: Tensor, values: Tensor, count: int) -> tuple[Any, Any, Any]:
    """Combines the parts' m, l and values into those for all of their keys, in order.

    :param pairs: (m and l, part)
    """
    most, l, value = Float32(LEAST), Float32(0.0), Float32(0.0)
    for p in range(count):
        most = _access.larger(most, pairs[0, p])
    for p in range(count):
        weight = power(pairs[0, p], most)
        l = l + pairs[1, p] * weight
        value = value + values[p] * weight
    return most, l, value


def name_for(chunks: int) -> str:
    """Returns the name of the kernel that weighs so many chunks."""
    return "attention_sum_of_few" if chunks <= UNROLL else "attention_sum"


def add_kernels(made: Any, plan: Any, arguments: Any, rows: str, overlaps: bool) -> None:
    """Adds both kernels to a program; ``rows`` is how many there are, as the manifest has it."""
    made.add("attention_sum", total, *arguments, plan=plan, threads=32 * SUM_WARPS, grid=[rows],
             overlaps=overlaps)
    made.add("attention_sum_of_few", total_of_few, *arguments, plan=plan, threads=32 * SUM_WARPS,
             grid=[f"ceil_div({rows}, {SUM_WARPS})"], overlaps=overlaps)


@kernel
def total(*given: Any, plan: Constexpr) -> None:
    """Weighs the results of all chunks for a row."""
    if plan.overlaps:
        arch.griddepcontrol_wait()
    row, _, _ = arch.block_idx()
    sum_row(plan, plan.named(given), row, SUM_WARPS)


@kernel
def total_of_few(*given: Any, plan: Constexpr) -> None:
    """Weighs the results of at most UNROLL chunks, each row with a warp of its own."""
    if plan.overlaps:
        arch.griddepcontrol_wait()
    a, (block, _, _), (thread, _, _) = plan.named(given), arch.block_idx(), arch.thread_idx()
    row, lane = block * SUM_WARPS + thread // 32, thread % 32
    if row < Int32(a.parts.shape[1]):
        m, l, values = sum_of_warp(plan, a, row, 0, 1)
        batch, head, place = place_of(plan, a, row)
        offset = sum((Int64(n) * stride for n, stride in zip((batch, head, place), a.out.stride)), Int64(0))
        to = make_tensor(a.out.iterator + core.assume(offset, divby=8), columns_of_lanes(plan))
        to[None, lane].store((values / _access.larger(l, 1.0e-30)).to(a.out.element_type))
        if plan.has_sums:
            if lane == 0:
                a.lse[batch, head, place] = (m + _math.log2(l, fastmath=True)) * (1 / LOG2_E)


@jit
def sum_rows(plan: Any, a: Any) -> None:
    """Weighs the results of the blocks of a cluster; each block has some of the rows."""
    number, tile, batch = arch.block_idx()
    count = Uint32(a.q.shape[2]) * plan.group
    tiles = _access.ceil_div(count, plan.rows)
    head, first = Int32(Uint32(tile) // tiles), Int32(Uint32(tile) % tiles) * plan.rows
    begin = batch * (Int32(a.parts.shape[1]) // Int32(a.q.shape[0])) + head * Int32(count)
    if const_expr(plan.together > 1):
        arch.cluster_arrive()
        arch.cluster_wait()
    for r in range_(first + number, minimum(first + plan.rows, Int32(count)), plan.together):
        arch.sync_threads()
        sum_row(plan, a, begin + r, WARPS)


def place_of(plan: Any, a: Any, row: Any) -> tuple[Any, Any, Any]:
    """Returns the batch, the query head and the row of a row of all."""
    count = Int32(a.q.shape[2]) * plan.group
    per_batch = Int32(a.parts.shape[1]) // Int32(a.q.shape[0])
    in_batch = row % per_batch
    return (row // per_batch, *at(plan, a.q, in_batch // count, in_batch % count))


def columns_of_lanes(plan: Any, *more: Any) -> Any:
    """Returns the layout (columns of a lane, lane) of a row, and of modes (extent, stride): up to 4
    columns side by side, so that lanes access whole lines together."""
    width = min(plan.d // 32, 4)
    return core.make_layout(
        ((width, plan.d // (32 * width)), 32, *(extent for extent, _ in more)),
        stride=((1, 32 * width), width, *(stride for _, stride in more)))


@jit
def sum_of_warp(plan: Any, a: Any, row: Any, first: Any, warps: int) -> Any:
    """Weighs the results of every so many chunks for a row; returns m, l and the lane's columns."""
    parts, sums = a.parts, a.sums
    thread, _, _ = arch.thread_idx()
    size, chunks = plan.d // 32, Int32(parts.shape[0])
    columns = make_tensor(parts.iterator, columns_of_lanes(
        plan, (parts.shape[0], core.assume(parts.stride[0], divby=plan.d)), (parts.shape[1], plan.d)))
    m, l = Float32(LEAST), Float32(0.0)
    sum_of_lane = _access.splat(0.0, size)
    for base in range_(first, chunks, warps * UNROLL):
        numbers = [base + u * warps for u in range_constexpr(UNROLL)]
        near = [minimum(i, chunks - 1) for i in numbers]
        pairs = [(sums[i, row, 0], sums[i, row, 1]) for i in near]
        vectors = [columns[None, thread % 32, i, row].load() for i in near]
        ms = [chosen(i < chunks, pair[0], Float32(LEAST)) for i, pair in zip(numbers, pairs)]
        most = m
        for x in ms:
            most = _access.larger(most, x)
        shrink = power(m, most)
        m, l, sum_of_lane = most, l * shrink, sum_of_lane * shrink
        for u in range_constexpr(UNROLL):
            weight = chosen(numbers[u] < chunks, power(ms[u], most), Float32(0.0))
            l = l + weight * pairs[u][1]
            sum_of_lane = sum_of_lane + vectors[u].reshape(size) * weight
    return m, l, sum_of_lane


@jit
def sum_row(plan: Any, a: Any, row: Any, warps: int) -> None:
    """Weighs the results of all chunks for a row: a warp some of them, then the block its
    warps' results."""
    thread, _, _ = arch.thread_idx()
    lane, warp_number = thread % 32, thread // 32
    m, l, sum_of_lane = sum_of_warp(plan, a, row, warp_number, warps)
    shared = make_tensor(_allocate(Float32, warps * plan.d, 16),
                         core.make_layout((plan.d, warps)))
    shared_pairs = make_tensor(_allocate(Float32, warps * 2, 16),
                               core.make_layout((2, warps)))
    to = make_tensor(shared.iterator, columns_of_lanes(plan, (warps, plan.d)))
    to[None, lane, warp_number].store(sum_of_lane)
    if lane == 0:
        shared_pairs[0, warp_number] = m
        shared_pairs[1, warp_number] = l
    arch.sync_threads()
    batch, head, place = place_of(plan, a, row)
    for first in range(0, plan.d, 32 * warps):
        if thread + first < plan.d:
            most, l_all, value = weighed(shared_pairs, shared[thread + first, None], warps)
            a.out[batch, head, place, thread + first] = (
                value / _access.larger(l_all, 1.0e-30)).to(a.out.element_type)
            if plan.has_sums and first == 0:
                if thread == 0:
                    lse = (most + _math.log2(l_all, fastmath=True)) * (1 / LOG2_E)
                    a.lse[batch, head, place] = lse
