"""Pipelines of products in tensor memory (tcgen05): of their operands, and of their sums."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._compile import ir as _ir
from .._frontend.guards import run_if
from .._values.numeric import Int32
from ..core import size
from ..nvgpu import cpasync, tcgen05
from ._barriers import MbarrierArray, pipeline_init_arrive, pipeline_init_wait
from ._pipelines import PipelineAsync, _storage
from ._states import CooperativeGroup, PipelineOp, PipelineState


def _is_pair(cluster: Any) -> bool:
    """Tells whether blocks multiply together: mode V of the cluster's layout has two."""
    return cluster is not None and size(cluster, mode=[0]) == 2


def _sharing(cluster: Any, modes: tuple[int, ...]) -> Any:
    """Returns a bit for each block that differs in one of the modes from this one or from
    the other of its pair; None for a single block."""
    if cluster is None or size(cluster) == 1:
        return None
    v, *rest = cluster.get_flat_coord(arch.block_idx_in_cluster())
    coords = [(v, *rest)]
    if _is_pair(cluster):
        coords.append((v ^ 1, *rest))
    mask = None
    for coord in coords:
        for mode in modes:
            found = cpasync.create_tma_multicast_mask(cluster, coord, mcast_mode=mode)
            mask = found if mask is None else mask | found
    return mask


def _fence(kind: str) -> None:
    _ir.apply("tcgen05_fence", kind=kind, results=[])


class _Umma(PipelineAsync):
    """A pipeline one of whose sides is products, of a block or of a pair.

    The first block of a pair starts its products, and waits for the loads of both.
    """

    _consumer_op = PipelineOp.AsyncThread
    _pair = False

    @classmethod
    def create(  # type: ignore[override]
        cls,
        *,
        num_stages: int,
        producer_group: CooperativeGroup,
        consumer_group: CooperativeGroup,
        tx_count: int = 0,
        barrier_storage: Any = None,
        cta_layout_vmnk: Any = None,
        mcast_mode_mn: tuple[int, int] = (1, 1),
        enable_multicast_signaling: bool = False,
        defer_sync: bool = False,
        name: str | None = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        """Makes the barriers, ``2 * num_stages`` of them at ``barrier_storage``.

        :param tx_count: how many bytes fill a stage, of operands, in both blocks of a pair
        :param cta_layout_vmnk: of the blocks of the cluster
        :param mcast_mode_mn: whether loads are shared along the cluster's M and N
        """
        barrier_storage = _storage(barrier_storage, num_stages)
        full = MbarrierArray(
            barrier_storage, num_stages, (cls._producer_op, producer_group), tx_count
        )
        empty = MbarrierArray(
            barrier_storage + num_stages, num_stages, (cls._consumer_op, consumer_group)
        )
        if not defer_sync:
            shape = None if cta_layout_vmnk is None else cta_layout_vmnk.shape
            pipeline_init_arrive(shape)
            pipeline_init_wait(shape)
        made = cls(full, empty, num_stages)
        made._pair = _is_pair(cta_layout_vmnk)
        made._blocks(cta_layout_vmnk, mcast_mode_mn)
        return made

    def _blocks(self, cluster: Any, mcast_mode_mn: tuple[int, int]) -> None:
        """Finds the blocks that each side tells of a stage."""

    @property
    def cta_group(self) -> Any:
        """Whether products are of a block or of a pair."""
        return tcgen05.CtaGroup.TWO if self._pair else tcgen05.CtaGroup.ONE

    @property
    def is_leader_cta(self) -> Any:
        """Whether this block starts the products: True, or a Boolean in pairs."""
        return arch.block_idx_in_cluster() % 2 == 0 if self._pair else True


class PipelineTmaUmma(_Umma):
    """TMA fills stages, which products empty."""

    _producer_op = PipelineOp.TmaLoad
    _consumer_op = PipelineOp.TCGen05Mma

    def _blocks(self, cluster: Any, mcast_mode_mn: tuple[int, int]) -> None:
        shared = [mode for mode, on in ((2, mcast_mode_mn[1]), (1, mcast_mode_mn[0])) if on]
        self.consumer_mask = _sharing(cluster, tuple(shared))

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage is empty, and announces the bytes to come."""
        super().producer_acquire(state, try_acquire_token)
        full = self.sync_object_full

        def announce() -> None:
            full.arrive_and_expect_tx(state.index, full.tx_count)

        run_if(self.is_leader_cta, announce)

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Does nothing: TMA signals when its bytes have arrived."""

    def consumer_release(self, state: PipelineState, **_: Any) -> None:
        """Marks the stage empty when the products so far are complete."""
        self.sync_object_empty.arrive(state.index, self.consumer_mask, self.cta_group)


class PipelineTmaMultiConsumersAsync(PipelineTmaUmma):
    """TMA fills stages, which both products and threads of the block empty."""

    @classmethod
    def create(  # type: ignore[override]
        cls,
        *,
        num_stages: int,
        producer_group: CooperativeGroup,
        consumer_group_umma: CooperativeGroup,
        consumer_group_async: CooperativeGroup,
        tx_count: int,
        barrier_storage: Any = None,
        cta_layout_vmnk: Any = None,
        mcast_mode_mn: tuple[int, int] = (1, 1),
        defer_sync: bool = False,
        name: str | None = None,
        loc: Any = None,
        ip: Any = None,
        **_: Any,
    ) -> Any:
        """Makes the barriers; a stage is empty when both groups have released it.

        :raises ValueError: for loads that several blocks share
        """
        if cta_layout_vmnk is not None and size(cta_layout_vmnk) > size(cta_layout_vmnk, mode=[0]):
            raise ValueError("loads for products and threads are not shared by blocks")
        both = CooperativeGroup(
            consumer_group_umma.agent, consumer_group_umma.size + consumer_group_async.size)
        return super().create(
            num_stages=num_stages, producer_group=producer_group, consumer_group=both,
            tx_count=tx_count, barrier_storage=barrier_storage, cta_layout_vmnk=cta_layout_vmnk,
            mcast_mode_mn=mcast_mode_mn, defer_sync=defer_sync)

    def consumer_release(  # type: ignore[override]
        self, state: PipelineState, op_type: PipelineOp = PipelineOp.TCGen05Mma, **_: Any
    ) -> None:
        """Signals that products or, with AsyncThread, this thread have read the stage.

        :raises ValueError: for another op_type
        """
        if op_type is PipelineOp.TCGen05Mma:
            super().consumer_release(state)
        elif op_type is PipelineOp.AsyncThread:
            arch.fence_loads()
            arch.mbarrier_arrive(self.sync_object_empty.get_barrier(state.index))
        else:
            raise ValueError(f"op_type is TCGen05Mma or AsyncThread, not {op_type}")


class PipelineAsyncUmma(_Umma):
    """Threads fill stages, which products empty.

    Threads must call ``cute.arch.fence_proxy("async.shared", space="cta")`` to order
    their stores before products.
    """

    _producer_op = PipelineOp.AsyncThread
    _consumer_op = PipelineOp.TCGen05Mma

    def _blocks(self, cluster: Any, mcast_mode_mn: tuple[int, int]) -> None:
        if self._pair:
            first = arch.block_idx_in_cluster() // 2 * 2
            self.producer_mask = first
            self.consumer_mask = Int32(3) << first

    def consumer_wait(
        self, state: PipelineState, try_wait_token: Any = None, **_: Any
    ) -> None:
        """Waits until threads have filled the stage, in shared or tensor memory."""
        super().consumer_wait(state, try_wait_token)
        _fence("after")

    def consumer_release(self, state: PipelineState, **_: Any) -> None:
        """Marks the stage empty when the products so far are complete."""
        self.sync_object_empty.arrive(state.index, self.consumer_mask, self.cta_group)


class PipelineUmmaAsync(_Umma):
    """Products fill stages of tensor memory, which threads empty."""

    _producer_op = PipelineOp.TCGen05Mma

    def _blocks(self, cluster: Any, mcast_mode_mn: tuple[int, int]) -> None:
        if self._pair:
            first = arch.block_idx_in_cluster() // 2 * 2
            self.producer_mask = Int32(3) << first
            self.consumer_mask = first

    def producer_acquire(
        self, state: PipelineState, try_acquire_token: Any = None, **_: Any
    ) -> None:
        """Waits until threads have loaded the stage's sums."""
        super().producer_acquire(state, try_acquire_token)
        _fence("after")

    def producer_commit(self, state: PipelineState, **_: Any) -> None:
        """Marks the stage full when the products so far are complete."""
        self.sync_object_full.arrive(state.index, self.producer_mask, self.cta_group)

    def producer_tail(self, state: PipelineState, **_: Any) -> None:
        """Waits until all stages are empty: the first block of a pair, which multiplies."""
        tail = super().producer_tail
        if self._pair:
            run_if(arch.block_idx_in_cluster() % 2 == 0, lambda: tail(state))
        else:
            tail(state)

    def consumer_wait(
        self, state: PipelineState, try_wait_token: Any = None, **_: Any
    ) -> None:
        """Waits until the stage's sums are complete."""
        super().consumer_wait(state, try_wait_token)
        _fence("after")

    def consumer_release(self, state: PipelineState, **_: Any) -> None:
        """Signals that the thread has loaded the stage's sums."""
        _fence("before")
        super().consumer_release(state)
