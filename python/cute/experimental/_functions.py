"""Pipelines as values: functions of a pipeline and of a state, which stay what they are."""

from __future__ import annotations

from typing import Any

from .. import arch as _arch
from .._values.numeric import Boolean, Int32
from ..pipeline import PipelineState
from ._pipelines import advanced, consumer_release, kind_of, make_raw, make_states, operations_of


def create_pipeline(
    stage: int, producer: Any, consumer: Any, producer_arv_count: Any, consumer_arv_count: Any,
    arrival_mask: Any = None, *, locale: Any = None, loc: Any = None, ip: Any = None, **_: Any,
) -> tuple[Any, Any, Any]:
    """Makes the barriers of a pipeline; returns it and the first states of both sides.

    :param stage: how many stages it has
    :param producer: a member of ``OperationTypeEnum``, or a list of them; consumer alike
    :param producer_arv_count: how many threads arrive for a stage
    :param arrival_mask: a bit for each block of the cluster that products tell of a stage
    :param locale: a ``PipelineLocale``, for threads of several blocks
    :raises ValueError: where no pipeline leads from the producer to the consumer

    For example, in a kernel whose warp 0 fills what the others read::

        pipe, fill, use = cute_ext.create_pipeline(2, Kind.ST_SHARED, Kind.LD_SHARED, 32, 96)
    """
    raw = make_raw(stage, producer, consumer, (producer_arv_count, consumer_arv_count),
                   locale=locale, mask=arrival_mask)
    return raw, *make_states(stage)


def create_pipeline_with_mask(
    stage: int, producer: Any, consumer: Any, producer_arv_count: Any, consumer_arv_count: Any,
    arrival_mask: Any, *, locale: Any = None, loc: Any = None, ip: Any = None,
) -> tuple[Any, Any, Any]:
    """Is ``create_pipeline`` with a mask."""
    return create_pipeline(stage, producer, consumer, producer_arv_count, consumer_arv_count,
                           arrival_mask, locale=locale)


def create_pipeline_state_at(
    pipe: Any, stage: int, stage_index: Any, phase: Any, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a state of a pipeline with ``stage`` stages: an index and a phase."""
    return PipelineState(stage, 0, stage_index, phase)


def pipeline_advance_iterator(pipe: Any, state: Any, loc: Any = None, ip: Any = None) -> Any:
    """Returns the state after another one, which stays."""
    return advanced(state)


def normalize_skip_wait_token(token: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns a token as a Boolean of the program; None stays."""
    return token if token is None else Boolean(token)


def producer_acquire(pipe: Any, state: Any, loc: Any = None, ip: Any = None) -> Any:
    """Waits until a state's stage is empty; returns the state."""
    pipe.producer_acquire(state)
    return state


def producer_try_acquire(
    pipe: Any, state: Any, *, token: Any = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns whether a state's stage is empty already, and the token holds."""
    found = pipe.producer_try_acquire(state)
    return found if token is None else found & Boolean(token)


def consumer_wait(pipe: Any, state: Any, loc: Any = None, ip: Any = None) -> Any:
    """Waits until a state's stage is full; returns the state."""
    pipe.consumer_wait(state)
    return state


def consumer_try_wait(
    pipe: Any, state: Any, *, token: Any = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns whether a state's stage is full already, and the token holds."""
    found = pipe.consumer_try_wait(state)
    return found if token is None else found & Boolean(token)


def consumer_release_elect_one_sync(pipe: Any, state: Any, loc: Any = None, ip: Any = None) -> Any:
    """Signals, by one thread of the warp, that a state's stage is empty; returns the state."""
    return consumer_release(pipe, state, elect_one_sync=True)


def pipeline_tail(pipe: Any, state: Any, loc: Any = None, ip: Any = None) -> Any:
    """Waits until all stages are empty, from a producer's state on; returns the state."""
    pipe.producer_tail(state)
    return state


def consumer_tail(pipe: Any, state: Any, loc: Any = None, ip: Any = None) -> Any:
    """Is ``pipeline_tail``."""
    return pipeline_tail(pipe, state)


def get_pipeline_produce_stage(
    pipeline: Any, state: Any, loc: Any = None, ip: Any = None
) -> tuple[Any, Any]:
    """Returns a token of a producer's stage, for ``get_mbarrier``, and the stage's number."""
    return pipeline.producer_get_barrier(state), state.index


def get_pipeline_consume_stage(
    pipeline: Any, state: Any, loc: Any = None, ip: Any = None
) -> tuple[Any, Any]:
    """Returns a token of a consumer's stage, for ``get_mbarrier``, and the stage's number."""
    return pipeline.sync_object_empty.get_barrier(state.index), state.index


def get_pipeline_produce_phase(state: Any, loc: Any = None, ip: Any = None) -> Any:
    """Returns the phase of a producer's state: 1 in the first round."""
    return state.phase


def get_pipeline_consume_phase(state: Any, loc: Any = None, ip: Any = None) -> Any:
    """Returns the phase of a consumer's state: 0 in the first round."""
    return state.phase


def get_arrival_count(
    stage: int, producer: Any, consumer: Any, *, side: str, num_threads_per_cta: Any = 1,
    op_subset: Any = None, elect_one_sync: bool = False, elect_leader_cta: bool = False,
    fan_in: Any = None, locale: Any = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns how often a side arrives at a barrier for one commit or release.

    :param side: ``"producer"`` or ``"consumer"``
    :param num_threads_per_cta: the threads of a block that call it; a multiple of 32 if one of
        each warp arrives (``elect_one_sync``)
    :param op_subset: the operations of the side whose arrivals count, if not all
    :param elect_leader_cta: only the first block of a pair calls it
    :param fan_in: how many blocks arrive at a barrier; known without it but for shared loads
    :raises ValueError: for another side, threads that are no whole warps, or an unknown fan-in

    >>> from cute.experimental import OperationTypeEnum as Kind, get_arrival_count
    >>> get_arrival_count(2, Kind.SM90_TMA_LOAD, Kind.LD_SHARED, side="consumer",
    ...                   num_threads_per_cta=128)
    128
    >>> get_arrival_count(2, Kind.SM90_TMA_LOAD, Kind.LD_SHARED, side="consumer",
    ...                   num_threads_per_cta=128, elect_one_sync=True)
    4
    """
    if side not in ("producer", "consumer"):
        raise ValueError(f"a side is 'producer' or 'consumer', not {side!r}")
    operations = operations_of(op_subset or (producer if side == "producer" else consumer))
    if elect_one_sync and isinstance(num_threads_per_cta, int) and num_threads_per_cta % 32:
        raise ValueError(f"one thread of each warp arrives: {num_threads_per_cta} threads are no warps")
    other = consumer if side == "producer" else producer
    if fan_in is None:
        fan_in = _fan_in(operations, operations_of(other), elect_leader_cta, locale)
    if kind_of(operations) != "threads":
        return fan_in
    return (num_threads_per_cta // 32 if elect_one_sync else num_threads_per_cta) * fan_in


def _fan_in(operations: Any, others: Any, leads: bool, locale: Any) -> int:
    """Returns how many blocks arrive at one barrier of a side, by its operations and the other
    side's."""
    if any("MULTICAST" in operation.name for operation in (*operations, *others)):
        raise ValueError("how many blocks share a load is known to the program: give fan_in")
    is_pair = any("2SM" in operation.name for operation in others)
    gathers = kind_of(operations) == "threads" and is_pair and not leads and locale is None
    return 2 if gathers else 1


def mbarrier_expect_tx(
    mbarPtr: Any, txBytes: Any, ctaId: Any = None, elect_one_sync: bool = False,  # noqa: N803
    loc: Any = None, ip: Any = None,
) -> None:
    """Makes a barrier also wait for bytes.

    :param ctaId: the block of the cluster whose barrier it is; None for the own one
    :param elect_one_sync: by one thread of the warp
    """
    if not elect_one_sync:
        return _arch.mbarrier_expect_tx(mbarPtr, txBytes, ctaId)
    with _arch.elect_one():
        _arch.mbarrier_expect_tx(mbarPtr, txBytes, ctaId)


def elect_sync(loc: Any = None, ip: Any = None) -> Any:
    """Returns whether the thread is the one that its warp chooses: a Boolean."""
    from .._compile import ir as _ir

    return Boolean(_ir.apply("elect_one"))


class CircularBufferPipelineState:
    """A place in a ring of units, ``count_per_stage`` of them in each stage of a pipeline.

    Loops and branches carry the consumer's stage and the unit in it.
    """

    def __init__(self, state: Any, unit: Any, count_per_stage: int, count_per_iteration: int):
        self.state, self.unit = state, Int32(unit)
        self.count_per_stage, self.count_per_iteration = count_per_stage, count_per_iteration

    def __extract_mlir_values__(self) -> list[Any]:
        return [*self.state.__extract_mlir_values__(), self.unit.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        return CircularBufferPipelineState(
            self.state.__new_from_mlir_values__(values[:-1]), Int32(values[-1]),
            self.count_per_stage, self.count_per_iteration)


def create_circular_buffer_pipeline(
    pipeline: Any, pipeline_state: Any, stages: int, count_per_stage: int, count_per_iteration: int,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the first place of a consumer in a ring of units, which it takes in order.

    :param pipeline_state: the consumer's, of the stage with the first unit
    :param count_per_stage: the units of a stage
    :param count_per_iteration: the units that one iteration takes, at most a ring's
    :raises ValueError: for numbers that are not static and positive, or more units than there are
    """
    for name, number in (("stages", stages), ("count_per_stage", count_per_stage),
                         ("count_per_iteration", count_per_iteration)):
        if not isinstance(number, int) or number < 1:
            raise ValueError(f"{name} is a static number of at least 1, not {number!r}")
    if count_per_iteration > stages * count_per_stage:
        raise ValueError(f"an iteration takes {count_per_iteration} units, of "
                         f"{stages * count_per_stage} in all stages")
    return CircularBufferPipelineState(pipeline_state, 0, count_per_stage, count_per_iteration)


def _for_stages(place: Any, begins: Any, body: Any) -> Any:
    """Runs ``body`` for the stages in which units of the iteration are first, or last; returns
    the state and unit after the iteration."""
    from .._frontend.guards import choose, run_if

    state, unit = place.state, place.unit
    for _ in range(place.count_per_iteration):
        ends = unit == place.count_per_stage - 1
        where = state
        run_if((unit == 0) if begins else ends, lambda where=where: body(where))
        after = advanced(state)
        state = PipelineState(state.stages, choose(ends, after.count, state.count),
                              choose(ends, after.index, state.index),
                              choose(ends, after.phase, state.phase))
        unit = choose(ends, Int32(0), unit + 1)
    return state, unit


def circular_buffer_pipeline_consume(
    pipeline: Any, circular_buffer_pipeline_state: Any, *, elect_leader_cta: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Waits for the stages whose first unit this iteration takes."""
    _for_stages(circular_buffer_pipeline_state, True, pipeline.consumer_wait)


def circular_buffer_pipeline_consumer_release(
    pipeline: Any, circular_buffer_pipeline_state: Any, *, elect_one_sync: Any = None,
    elect_leader_cta: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Signals that the stages whose last unit this iteration took are empty."""
    _for_stages(circular_buffer_pipeline_state, False, lambda state: consumer_release(
        pipeline, state, elect_one_sync=elect_one_sync, elect_leader_cta=elect_leader_cta))


def circular_buffer_pipeline_advance_iterator(
    pipeline: Any, circular_buffer_pipeline_state: Any, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the place after this iteration's units."""
    place = circular_buffer_pipeline_state
    state, unit = _for_stages(place, True, lambda _: None)
    return CircularBufferPipelineState(state, unit, place.count_per_stage, place.count_per_iteration)
