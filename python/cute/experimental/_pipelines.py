"""Pipelines that have the states of their producer and consumer with them."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

from .. import arch as _arch, core as _core, pipeline as _pipeline
from .._frontend.guards import run_if
from .._values.numeric import Int32
from ..pipeline import PipelineState, PipelineUserType, make_pipeline_state

# Operations by what they do with a pipeline's stage; all others are threads' operations.
_SHARED = "SM90_TMA_LOAD_MULTICAST SM100_TMA_LOAD_2SM_MULTICAST"
_TMA = f"SM90_TMA_LOAD SM100_TMA_LOAD_2SM {_SHARED}"
_PRODUCTS = " ".join(
    f"SM100_MMA_{kind}{pair}_{place}" for kind in ("", "SCALED_", "SPARSE_", "SCALED_SPARSE_")
    for pair in ("1SM", "2SM") for place in ("SS", "TS")) + " SM100_COPY_S2T SM100_COPY_S2T_2SM"
_CONTROL = "SM100_LAUNCH_CONTROL"
_OF_THREADS = """
UNARY_SIMT BINARY_SIMT TERNARY_SIMT LD_CONST LD_GLOBAL ST_GLOBAL LD_SHARED ST_SHARED ST_ASYNC_S
LD_SHARED_MATRIX ST_SHARED_MATRIX SIMT_MAC SM80_MMA SM89_MMA SM90_MMA_SS SM90_MMA_RS
SM120_MMA_SCALED SM100_COPY_T2R SM100_COPY_R2T REDUCE_ATOMIC_GLOBAL REDUCE_DOWN_SHUFFLE
REDUCE_SWAP_SHUFFLE
"""

OperationTypeEnum = enum.Enum(  # type: ignore[misc]
    "OperationTypeEnum", f"{_TMA} {_PRODUCTS} {_CONTROL} {_OF_THREADS}", module=__name__)
OperationTypeEnum.__doc__ = """By which operation a side of a pipeline works on a stage.

>>> from cute.experimental import OperationTypeEnum
>>> OperationTypeEnum.SM100_MMA_2SM_SS.name
'SM100_MMA_2SM_SS'
"""


class MbarrierOwner(enum.Enum):
    """The block whose barrier a side arrives at: the first of its pair, or the other one."""

    ALL = "all"
    CTA_PAIR_LEADER = "cta_pair_leader"
    CTA_PAIR_PEER = "cta_pair_peer"


@dataclasses.dataclass(frozen=True)
class PipelineLocale:
    """Whose barriers say that stages are full and empty: the own block's, or another's.

    >>> from cute.experimental import MbarrierOwner, PipelineLocale
    >>> PipelineLocale.cluster(full=MbarrierOwner.CTA_PAIR_PEER, empty=0)._empty
    0
    """

    _scope: str
    _full: Any = None
    _empty: Any = None

    @staticmethod
    def cta() -> PipelineLocale:
        """Returns the locale whose producers and consumers are in one block."""
        return PipelineLocale("cta")

    @staticmethod
    def cluster(full: Any, empty: Any) -> PipelineLocale:
        """Returns the locale of sides in several blocks.

        :param full: the ``MbarrierOwner`` that producers tell of a full stage, or a block's number
        :param empty: whom consumers tell of an empty one
        :raises ValueError: for something else, and for all blocks
        """
        for owner in (full, empty):
            is_rank = isinstance(owner, int) and owner >= 0
            if not is_rank and owner not in (MbarrierOwner.CTA_PAIR_LEADER, MbarrierOwner.CTA_PAIR_PEER):
                raise ValueError("threads arrive at the barrier of CTA_PAIR_LEADER, CTA_PAIR_PEER or "
                                 f"a block's number, not of {owner!r}")
        return PipelineLocale("cluster", full, empty)


CTA_PAIR_PEER_LOCALE = PipelineLocale.cluster(
    MbarrierOwner.CTA_PAIR_PEER, MbarrierOwner.CTA_PAIR_PEER)


def _rank_of(owner: Any) -> Any:
    """Returns the number of a block of the cluster; None for the own one."""
    if owner is None or isinstance(owner, int):
        return owner
    own = _arch.block_idx_in_cluster()
    return own ^ 1 if owner is MbarrierOwner.CTA_PAIR_PEER else own // 2 * 2


class _Announced:
    """A pipeline whose producer announces the bytes of each load (``tma_load``) by itself."""

    def producer_acquire(self, state: Any, token: Any = None, **_: Any) -> None:
        _pipeline.PipelineAsync.producer_acquire(self, state, token)  # type: ignore[arg-type]

    def producer_commit(self, state: Any, **_: Any) -> None:
        def arrive() -> None:
            with _arch.elect_one():
                _arch.mbarrier_arrive(self.sync_object_full.get_barrier(state.index))  # type: ignore[attr-defined]

        run_if(getattr(self, "is_leader_cta", True), arrive)


class _TmaUmma(_Announced, _pipeline.PipelineTmaUmma):
    """TMA fills stages, which products empty, of a block or a pair."""

    def _blocks(self, cluster: Any, mcast_mode_mn: tuple[int, int]) -> None:
        super()._blocks(cluster, mcast_mode_mn)
        if self._pair and mcast_mode_mn == (0, 0):
            self.consumer_mask = Int32(3) << _arch.block_idx_in_cluster() // 2 * 2


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


def operations_of(side: Any) -> list[Any]:
    """Returns the operations of a side, which is one or a sequence of them."""
    return list(side) if isinstance(side, (list, tuple)) else [side]


def kind_of(side: Any) -> str:
    """Returns what works on a side's stages: ``tma``, ``product`` or ``threads``.

    :raises ValueError: for operations that do not arrive alike
    """
    names = [operation.name for operation in operations_of(side)]
    kinds = {"tma" if name in _TMA.split() else "product" if name in _PRODUCTS.split() else
             "control" if name == _CONTROL else "threads" for name in names}
    if len(kinds) != 1:
        raise ValueError(f"the operations of a side are all TMA, products or threads', not {names}")
    return kinds.pop()


def _arrivals_of_products(cluster: Any, is_shared: bool) -> int:
    """Returns how many blocks' products tell a block that its stage is empty."""
    if not is_shared:
        return 1
    rows, columns = (_core.size(cluster, mode=[m]) for m in (1, 2))
    return rows + columns - 1


def _fences(side: Any, other: str) -> list[Any]:
    """Returns what orders a side's accesses before it arrives, so that the other side sees them."""
    names = [operation.name for operation in operations_of(side)]
    found = []
    if other == "product" and any(name.startswith("ST_SHARED") for name in names):
        found.append(lambda: _arch.fence_proxy("async.shared", space="cta"))
    if "SM100_COPY_R2T" in names:
        found.append(_arch.fence_view_async_tmem_store)
    if "SM100_COPY_T2R" in names:
        found.append(_arch.fence_view_async_tmem_load)
    return found


def make_raw(
    stages: int, producer: Any, consumer: Any, arrivals: tuple[Any, Any], cluster: Any = None,
    locale: PipelineLocale | None = None, mask: Any = None,
) -> Any:
    """Returns the pipeline of two sides, without their states.

    :param arrivals: of the producer and of the consumer, for a stage
    :param cluster: the layout (V,M,N,K) of its blocks, for loads and products of several
    :param mask: a bit for each block that products tell of a stage
    :raises ValueError: where no pipeline leads from the producer to the consumer, and for
        several blocks without a layout or mask
    """
    kind = _KINDS.get((kind_of(producer), kind_of(consumer)))
    names = [op.name for op in (*operations_of(producer), *operations_of(consumer))]
    if kind is None:
        raise ValueError(f"no pipeline leads from {' and '.join(names[:-1])} to {names[-1]}")
    is_shared = any(name in _SHARED.split() for name in names)
    if cluster is None and mask is None and (is_shared or any("2SM" in name for name in names)):
        raise ValueError(f"{' and '.join(names)} are of several blocks: give cluster_layout_vmnk")
    if is_shared and kind is not _TmaUmma:
        raise ValueError("loads that blocks share go to products: to one of SM100_MMA")
    sides = [_pipeline.CooperativeGroup(_pipeline.Agent.Thread, n) for n in arrivals]
    more = {}
    if issubclass(kind, (_pipeline.PipelineTmaUmma, _pipeline.PipelineAsyncUmma,
                         _pipeline.PipelineUmmaAsync)):
        more = {"cta_layout_vmnk": cluster, "mcast_mode_mn": (int(is_shared),) * 2}
    elif locale is not None and locale._scope == "cluster":
        more = {"producer_mask": _rank_of(locale._full), "consumer_mask": _rank_of(locale._empty),
                "defer_sync": True}
    raw = kind.create(num_stages=stages, producer_group=sides[0], consumer_group=sides[1], **more)
    if "defer_sync" in more:
        _pipeline.pipeline_init_arrive((2,))
        _pipeline.pipeline_init_wait((2,))
    raw.experimental_fences = _fences(producer, kind_of(consumer)), _fences(consumer, "threads")
    if mask is not None:
        setattr(raw, "producer_mask" if kind is _pipeline.PipelineUmmaAsync else "consumer_mask", mask)
    return raw


def make_states(stages: int) -> tuple[Any, Any]:
    """Returns the first states of a producer and a consumer."""
    return (make_pipeline_state(PipelineUserType.Producer, stages),
            make_pipeline_state(PipelineUserType.Consumer, stages))


def _by_one_of(condition: Any, elect_one_sync: Any, body: Any) -> None:
    """Runs ``body`` where the condition holds, by one thread of the warp if that is wanted."""
    def run() -> None:
        if not elect_one_sync:
            return body()
        with _arch.elect_one():
            body()

    run_if(condition, run)


def advanced(state: Any) -> Any:
    """Returns the state after another one, which stays."""
    after = state.clone()
    after.advance()
    return after


def _run_fences(pipe: Any, side: int) -> None:
    for fence in getattr(pipe, "experimental_fences", ((), ()))[side]:
        fence()


def producer_commit(pipe: Any, state: Any, *, elect_one_sync: Any = None,
                    elect_leader_cta: Any = None, loc: Any = None, ip: Any = None) -> Any:
    """Signals that a state's stage is full; returns the state.

    :param elect_one_sync: by one thread of the warp
    :param elect_leader_cta: in the first block of a pair only
    """
    leads = _arch.block_idx_in_cluster() % 2 == 0 if elect_leader_cta else None
    _run_fences(pipe, 0)
    _by_one_of(leads, elect_one_sync, lambda: pipe.producer_commit(state))
    return state


def consumer_release(pipe: Any, state: Any, *, elect_one_sync: Any = None,
                     elect_leader_cta: Any = None, loc: Any = None, ip: Any = None) -> Any:
    """Signals that a state's stage is empty; returns the state. See ``producer_commit``."""
    leads = _arch.block_idx_in_cluster() % 2 == 0 if elect_leader_cta else None
    _run_fences(pipe, 1)
    _by_one_of(leads, elect_one_sync, lambda: pipe.consumer_release(state))
    return state


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
    def _of(cls, stages: int, producer: Any, consumer: Any, arrivals: tuple[Any, Any],
            cluster: Any = None, locale: Any = None) -> Any:
        raw = make_raw(stages, producer, consumer, arrivals, cluster, locale)
        return cls(raw, stages, *make_states(stages))

    def producer_acquire(self) -> Any:
        """Waits until the producer's stage is empty."""
        self.raw_pipeline.producer_acquire(self.producer_state)
        return self

    def producer_try_acquire(self, *, token: Any = None) -> Any:
        """Returns a token: whether the stage is empty already.

        :param token: of another stage; there is nothing to wait for if it is false
        """
        found = self.raw_pipeline.producer_try_acquire(self.producer_state)
        return found if token is None else found & token

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

    def producer_acquire_and_get_phase(self, *, token: Any = None) -> Any:
        """Waits until the stage is empty; returns its phase, 1 in the first round."""
        self.raw_pipeline.producer_acquire(self.producer_state, token)
        return self.get_producer_phase()

    def producer_commit(self, *, elect_one_sync: Any = None, elect_leader_cta: Any = None) -> Any:
        """Signals that the stage is full.

        :param elect_one_sync: by one thread of the warp
        :param elect_leader_cta: in the first block of a pair only
        """
        producer_commit(self.raw_pipeline, self.producer_state, elect_one_sync=elect_one_sync,
                        elect_leader_cta=elect_leader_cta)
        return self

    def producer_commit_and_advance(
        self, *, elect_one_sync: Any = None, elect_leader_cta: Any = None
    ) -> Any:
        """Signals that the stage is full, and advances to the next."""
        self.producer_commit(elect_one_sync=elect_one_sync, elect_leader_cta=elect_leader_cta)
        self.producer_state.advance()
        return self

    def producer_tail(self) -> Any:
        """Waits until all stages are empty."""
        self.raw_pipeline.producer_tail(self.producer_state)
        return self

    def consumer_tail(self) -> Any:
        """Waits until all stages are full, from the consumer's on, as many as there are."""
        last = self.consumer_state.clone()
        for _ in range(self.num_stages):
            self.raw_pipeline.consumer_wait(last)
            last.advance()
        return self

    def increment_state(self, state: Any) -> Any:
        """Returns the state after another one, which stays."""
        return advanced(state)

    def create_state_at(self, stage_index: Any, phase: Any) -> Any:
        """Returns a state of a stage and a phase."""
        return PipelineState(self.num_stages, 0, stage_index, phase)

    def consumer_wait(self, state: Any = None) -> Any:
        """Waits until the consumer's stage is full, or that of another state."""
        self.raw_pipeline.consumer_wait(self.consumer_state if state is None else state)
        return self

    def consumer_try_wait(self, *, token: Any = None) -> Any:
        """Returns a token: whether the stage is full already.

        :param token: of another stage; there is nothing to wait for if it is false
        """
        found = self.raw_pipeline.consumer_try_wait(self.consumer_state)
        return found if token is None else found & token

    def consumer_wait_and_get_stage(self, *, token: Any = None) -> tuple[Any, Any]:
        """Waits until the stage is full; returns a token, and the stage's number.

        :param token: of ``consumer_try_wait``
        """
        self.raw_pipeline.consumer_wait(self.consumer_state, token)
        index = self.get_consumer_stage()
        return self.raw_pipeline.sync_object_empty.get_barrier(index), index

    def consumer_wait_and_get_phase(self, *, token: Any = None) -> Any:
        """Waits until the stage is full; returns its phase, 0 in the first round."""
        self.raw_pipeline.consumer_wait(self.consumer_state, token)
        return self.get_consumer_phase()

    def consumer_release(self, *, elect_one_sync: Any = None, elect_leader_cta: Any = None) -> Any:
        """Signals that the stage is empty.

        :param elect_one_sync: by one thread of the warp
        :param elect_leader_cta: in the first block of a pair only
        """
        consumer_release(self.raw_pipeline, self.consumer_state, elect_one_sync=elect_one_sync,
                         elect_leader_cta=elect_leader_cta)
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
               consumer_arv_count: Any, num_stages: int, locale: Any = None) -> Any:
        """Makes the barriers, in shared memory.

        :param producer: a member of ``OperationTypeEnum``; of TMA and products one thread arrives
        :param producer_arv_count: how many threads arrive for a stage
        :param locale: a ``PipelineLocale``, for threads of several blocks
        """
        return cls._of(num_stages, producer, consumer, (producer_arv_count, consumer_arv_count),
                       locale=locale)


class TMAToUMMAPipeline(GenericPipelineBase):
    """TMA fills stages, which products in tensor memory empty."""

    @classmethod
    def create(cls, *, num_stages: int, mma_operation_type: Any, tma_operation_type: Any = None,
               cluster_layout_vmnk: Any = None) -> Any:
        """Makes the barriers, in shared memory.

        :param tma_operation_type: SM90_TMA_LOAD by default
        :param cluster_layout_vmnk: needed for loads and products of several blocks
        """
        loads = tma_operation_type or OperationTypeEnum.SM90_TMA_LOAD
        shared = loads.name in _SHARED.split() and cluster_layout_vmnk is not None
        return cls._of(num_stages, loads, mma_operation_type,
                       (1, _arrivals_of_products(cluster_layout_vmnk, shared)), cluster_layout_vmnk)

    @classmethod
    def create_with_mask(cls, *, num_stages: int, tma_operation_type: Any, mma_operation_type: Any,
                         cluster_layout_vmnk: Any) -> Any:
        """Is ``create``, of loads that blocks share."""
        return cls.create(num_stages=num_stages, mma_operation_type=mma_operation_type,
                          tma_operation_type=tma_operation_type,
                          cluster_layout_vmnk=cluster_layout_vmnk)


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
               mma_operation_type: Any, cluster_layout_vmnk: Any = None) -> Any:
        """Makes the barriers, in shared memory.

        :param consumer_arv_count: the threads that release a stage, in both blocks of a pair
        :param cluster_layout_vmnk: needed for products of pairs
        """
        return cls._of(num_stages, mma_operation_type, consumer, (1, consumer_arv_count),
                       cluster_layout_vmnk)

    @classmethod
    def create_with_mask(cls, *, num_stages: int, consumer_type: Any, consumer_arv_count: Any,
                         mma_operation_type: Any, cluster_layout_vmnk: Any) -> Any:
        """Is ``create``, of products of pairs."""
        return cls.create(num_stages=num_stages, consumer=consumer_type,
                          consumer_arv_count=consumer_arv_count,
                          mma_operation_type=mma_operation_type,
                          cluster_layout_vmnk=cluster_layout_vmnk)
