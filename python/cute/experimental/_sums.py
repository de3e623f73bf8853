"""Places of the sums of products in tensor memory: views that lie apart, or overlap."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, Sequence

from .. import core as _core
from .._values.numeric import Int32
from ..utils.blackwell_helpers import compute_tmem_cols_from_layout


class AccumulatorBufferingKind(enum.Enum):
    """Whether the views of a plan share columns."""

    DISJOINT = "disjoint"
    OVERLAPPING = "overlapping"


class AccumulatorOverlapPolicy(enum.Enum):
    """How many columns overlapping views share: as few as fit."""

    MINIMUM_LEGAL_FIT = "minimum_legal_fit"


@dataclasses.dataclass(frozen=True)
class TmemAllocationRequest:
    """Columns of tensor memory, of 32 bits, that a kernel allocates after the sums'.

    >>> from cute.experimental import TmemAllocationRequest
    >>> scales = make_layout((128, 8), stride=(65536, 1))
    >>> TmemAllocationRequest.from_layout("scales", scales, Int32, alignment_bytes=16)
    TmemAllocationRequest(name='scales', columns=8, alignment_columns=4)
    """

    name: str
    columns: int
    alignment_columns: int

    @staticmethod
    def from_layout(
        name: str, layout: Any, dtype: Any, *, alignment_bytes: int
    ) -> TmemAllocationRequest:
        """Returns the request of what ``allocate`` takes.

        :raises ValueError: for an alignment that is no multiple of 4 bytes
        """
        if alignment_bytes < 4 or alignment_bytes % 4:
            raise ValueError(f"a column has 4 bytes, and begins at {alignment_bytes} of them nowhere")
        return TmemAllocationRequest(
            name, compute_tmem_cols_from_layout(layout, dtype), alignment_bytes // 4)


@dataclasses.dataclass(frozen=True)
class AccumulatorBufferingPlan:
    """Where the sums of successive tiles lie, and after how much of one the next may begin.

    Of overlapping views, the pipeline between products and their consumer has one stage, whose
    phase chooses the view; the consumer loads the shared columns first.

    :param storage_depth: how many views there are; synchronization_depth: stages of the pipeline
    :param stage_stride_columns: from a view to the next; physical_columns: of all views
    :param release_after_t2r_ordinal: the load of a part, from 0, after which the view is released
    :param allocation_offsets: the columns where the requests begin; packed_columns: of all
    """

    kind: AccumulatorBufferingKind
    storage_depth: int
    synchronization_depth: int
    one_stage_columns: int
    stage_stride_columns: int
    physical_columns: int
    overlap_columns: int
    release_after_t2r_ordinal: int
    allocation_offsets: tuple[int, ...]
    packed_columns: int
    storage_layout: Any

    @property
    def uses_overlap(self) -> bool:
        """Whether views share columns."""
        return self.kind is AccumulatorBufferingKind.OVERLAPPING

    def _view(self, buffer: Any, stage: Any) -> Any:
        kept = (None,) * (_core.rank(buffer) - 1)
        return buffer[(*kept, stage)]

    def producer_acquire_and_get_view(self, pipeline: Any, buffer: Any) -> Any:
        """Waits until a view is free, and returns it: before the pipeline advances.

        :param buffer: of ``storage_layout``
        """
        if self.uses_overlap:
            return self._view(buffer, pipeline.producer_acquire_and_get_phase() ^ 1)
        return self._view(buffer, pipeline.producer_acquire_and_get_stage()[1])

    def consumer_wait_and_get_view(self, pipeline: Any, buffer: Any) -> tuple[Any, AccumulatorDrain]:
        """Waits until a view is full; returns it, and what ``epilogue_tma_store`` releases it by."""
        if self.uses_overlap:
            selector = pipeline.consumer_wait_and_get_phase()
        else:
            selector = pipeline.consumer_wait_and_get_stage()[1]
        return self._view(buffer, selector), AccumulatorDrain(self, pipeline, Int32(selector))


class AccumulatorDrain:
    """A full view of a plan, which its consumer loads part by part and releases."""

    def __init__(self, plan: AccumulatorBufferingPlan, pipeline: Any, consumer_selector: Any):
        self.plan, self.pipeline, self.consumer_selector = plan, pipeline, consumer_selector

    def __extract_mlir_values__(self) -> list[Any]:
        return [*self.pipeline.__extract_mlir_values__(), self.consumer_selector.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> AccumulatorDrain:
        return AccumulatorDrain(self.plan, self.pipeline.__new_from_mlir_values__(values[:-1]),
                                Int32(values[-1]))


def _packed(columns: int, requests: Sequence[TmemAllocationRequest]) -> tuple[tuple[int, ...], int]:
    """Returns where requests begin after so many columns, and how many there are with them."""
    offsets = []
    for request in requests:
        columns = -(-columns // request.alignment_columns) * request.alignment_columns
        offsets.append(columns)
        columns += request.columns
    return tuple(offsets), columns


def plan_accumulator_buffering(
    *, one_stage_layout: Any, accumulator_dtype: Any, epilogue_tile: Any = None,
    epilogue_subtile_columns: int | None = None,
    auxiliary_tmem_allocations: Sequence[TmemAllocationRequest] = (),
    tmem_capacity_columns: int = 512, desired_disjoint_depth: int = 2,
    max_auto_disjoint_depth: int = 2, allow_overlap: bool = False,
    overlap_alignment_columns: int = 1, accumulator_alignment_bytes: int = 16,
    overlap_policy: AccumulatorOverlapPolicy = AccumulatorOverlapPolicy.MINIMUM_LEGAL_FIT,
) -> AccumulatorBufferingPlan:
    """Returns where to put the sums of successive tiles beside other requests.

    As many views as are desired lie apart if they fit, up to ``max_auto_disjoint_depth``; else
    two views overlap, if that is allowed, by as few whole parts as make them fit; else there are
    as many apart as fit.

    :param one_stage_layout: of a tile's sums, whose last mode is one stage
    :param epilogue_tile: the part (M,N) that a consumer loads at a time; or its columns of 32 bits
    :param auxiliary_tmem_allocations: what the kernel allocates next, in order
    :raises ValueError: where not one view fits, and for parts that do not divide a view

    >>> from cute.experimental import plan_accumulator_buffering
    >>> sums = make_layout(((128, 256), 1, 1, 1), stride=((65536, 1), 0, 0, 0))
    >>> plan = plan_accumulator_buffering(
    ...     one_stage_layout=sums, accumulator_dtype=Float32, epilogue_tile=(128, 64),
    ...     auxiliary_tmem_allocations=[cute.experimental.TmemAllocationRequest("scales", 32, 4)],
    ...     allow_overlap=True)
    >>> plan.kind.value, plan.overlap_columns, plan.stage_stride_columns, plan.packed_columns
    ('overlapping', 64, 192, 480)
    """
    columns = compute_tmem_cols_from_layout(one_stage_layout, accumulator_dtype)
    part = epilogue_subtile_columns
    if part is None and epilogue_tile is not None:
        part = _core.size(epilogue_tile[1]) * accumulator_dtype.width // 32
    part = part or columns
    if columns % part:
        raise ValueError(f"parts of {part} columns do not divide the {columns} of a tile's sums")
    aligned = max(1, accumulator_alignment_bytes // 4)
    apart = -(-columns // aligned) * aligned

    def fits(physical: int) -> bool:
        return _packed(physical, auxiliary_tmem_allocations)[1] <= tmem_capacity_columns

    depths = range(min(desired_disjoint_depth, max_auto_disjoint_depth), 0, -1)
    depth = next((n for n in depths if fits(columns + apart * (n - 1))), 0)
    if depth < depths.start and allow_overlap:
        step = part
        while step % overlap_alignment_columns:
            step += part
        for overlap in range(step, columns, step):
            if fits(2 * columns - overlap):
                return _plan(AccumulatorBufferingKind.OVERLAPPING, 2, columns, columns - overlap,
                             overlap, overlap // part - 1, auxiliary_tmem_allocations,
                             one_stage_layout, accumulator_dtype)
    if not depth:
        needed = _packed(columns, auxiliary_tmem_allocations)[1]
        raise ValueError(f"the sums of a tile and the requests take {needed} columns of "
                         f"{tmem_capacity_columns}")
    return _plan(AccumulatorBufferingKind.DISJOINT, depth, columns, apart, 0, columns // part - 1,
                 auxiliary_tmem_allocations, one_stage_layout, accumulator_dtype)


def _plan(
    kind: Any, depth: int, columns: int, step: int, overlap: int, ordinal: int, requests: Any,
    layout: Any, dtype: Any,
) -> AccumulatorBufferingPlan:
    physical = columns + step * (depth - 1)
    offsets, packed = _packed(physical, requests)
    modes = list(range(_core.rank(layout) - 1))
    first = _core.select(layout, mode=modes)
    stages = _core.make_layout(depth, stride=step * 32 // dtype.width)
    return AccumulatorBufferingPlan(
        kind, depth, 1 if overlap else depth, columns, step, physical, overlap, ordinal, offsets,
        packed, _core.append(first, stages))
