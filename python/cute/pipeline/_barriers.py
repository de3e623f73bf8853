"""Barriers: mbarriers, named barriers, fences of stores."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, Optional

from .. import arch
from .._frontend.guards import run_if
from .._values.numeric import Boolean
from ..core import size
from ..nvgpu import tcgen05
from ._states import Agent, CooperativeGroup, PipelineOp


class SyncObject:
    """A barrier by which threads wait for one another."""

    def arrive(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    def wait(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    def arrive_and_wait(self, *, loc: Any = None, ip: Any = None) -> None:
        raise NotImplementedError

    def arrive_and_drop(self, *, loc: Any = None, ip: Any = None) -> None:
        raise NotImplementedError

    def get_barrier(self, *, loc: Any = None, ip: Any = None) -> Any:
        return None

    def max(self) -> Optional[int]:
        return None


class MbarrierArray(SyncObject):
    """A barrier for each stage, in shared memory; 8 bytes each.

    ``agent`` is the operation by which its group arrives. One warp of the block
    initializes the barriers when the object is created.
    """

    def __init__(
        self,
        barrier_storage: Any,
        num_stages: int,
        agent: tuple[PipelineOp, CooperativeGroup],
        tx_count: Any = 0,
        *,
        loc: Any = None,
        ip: Any = None,
    ):
        self.barrier_storage = barrier_storage
        self.num_stages = num_stages
        self.op_type, self.cg = agent
        self.arrive_count = self.cg.size
        self.tx_count = tx_count
        if self.num_stages < 1:
            raise ValueError(f"a pipeline has at least one stage, not {num_stages}")
        if self.op_type is PipelineOp.TmaLoad and isinstance(tx_count, int):
            if tx_count < 0:
                raise ValueError(f"TMA brings at least 0 bytes, not {tx_count}")
        self.mbarrier_init()

    def mbarrier_init(self, *, loc: Any = None, ip: Any = None) -> None:
        """Initializes all stages' barriers, by one lane of warp 0."""
        def init() -> None:
            with arch.elect_one():
                for stage in range(self.num_stages):
                    arch.mbarrier_init(self.get_barrier(stage), self.arrive_count)

        run_if(arch.warp_idx() == 0, init)

    def test_wait(self, index: Any, phase: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns whether a phase of a stage's barrier is complete, without waiting for it."""
        return arch.mbarrier_test_wait(self.get_barrier(index), phase)

    def get_barrier(self, index: Any = 0, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the address of a stage's barrier."""
        return self.barrier_storage + index

    def arrive(
        self,
        index: Any,
        dst: Any = None,
        cta_group: Any = None,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> None:
        """Arrives at a stage's barrier, by the operation of its group.

        ``dst`` is a block of the cluster, whose barrier it is then; of products, a mask
        of blocks. These arrive from one thread of the warp, when the products so far are
        complete; ``cta_group`` says whether they are of a block or of a pair.
        """
        if self.op_type is PipelineOp.AsyncThread:
            arch.mbarrier_arrive(self.get_barrier(index), dst)
        elif self.op_type is PipelineOp.AsyncLoad:
            arch.cp_async_mbarrier_arrive_noinc(self.get_barrier(index))
        elif self.op_type is PipelineOp.TmaLoad:
            self.arrive_and_expect_tx(index, self.tx_count)
        elif self.op_type is PipelineOp.TCGen05Mma:
            with arch.elect_one():
                tcgen05.commit(
                    self.get_barrier(index), dst, cta_group or tcgen05.CtaGroup.ONE)
        else:
            raise NotImplementedError(f"no barrier accepts arrivals by {self.op_type}")

    def arrive_mbarrier(
        self, index: Any, dst_rank: Any = None, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Arrives as a thread, at the barrier of this block or another of the cluster."""
        arch.mbarrier_arrive(self.get_barrier(index), dst_rank)

    def arrive_cp_async_mbarrier(self, index: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Arrives when the thread's cp.async so far are complete."""
        arch.cp_async_mbarrier_arrive_noinc(self.get_barrier(index))

    def arrive_tcgen05mma(
        self, index: Any, mask: Any, cta_group: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Arrives from one thread of the warp when the products so far are complete.

        :param mask: a bit for each block whose barrier it is; None for the own one
        """
        with arch.elect_one():
            tcgen05.commit(self.get_barrier(index), mask, cta_group)

    def recast_to_new_op_type(self, new_op_type: PipelineOp) -> MbarrierArray:
        """Returns the same barriers with arrivals by another operation."""
        seen = copy.copy(self)
        seen.op_type = new_op_type
        return seen

    def arrive_and_expect_tx_with_dst(
        self, index: Any, tx_count: Any, dst: Any = None, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Arrives as a thread, and announces bytes, at the barrier of this block or another."""
        arch.mbarrier_arrive_and_expect_tx(self.get_barrier(index), tx_count, dst)

    def arrive_and_expect_tx(
        self, index: Any, tx_count: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Arrives from one thread of the warp and announces bytes that TMA will bring."""
        with arch.elect_one():
            arch.mbarrier_arrive_and_expect_tx(self.get_barrier(index), tx_count)

    def wait(
        self, index: Any, phase: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Waits until a phase of a stage's barrier is complete."""
        arch.mbarrier_wait(self.get_barrier(index), phase)

    def try_wait(
        self, index: Any, phase: Any, *, loc: Any = None, ip: Any = None
    ) -> Boolean:
        """Returns whether a phase is complete, after a short wait."""
        return arch.mbarrier_try_wait(self.get_barrier(index), phase)

    def max(self) -> Optional[int]:
        return 511


@dataclasses.dataclass(frozen=True)
class NamedBarrier(SyncObject):
    """One of the 16 barriers of a block (barrier.sync), for ``num_threads`` threads."""

    barrier_id: Any
    num_threads: int

    def __post_init__(self) -> None:
        barrier_id, num_threads = self.barrier_id, self.num_threads
        if isinstance(barrier_id, int) and not 0 <= barrier_id < 16:
            raise ValueError(f"a block has barriers 0 to 15, not {barrier_id}")
        if isinstance(num_threads, int) and (num_threads < 1 or num_threads % 32):
            raise ValueError(
                f"whole warps arrive at a named barrier: {num_threads} is not a "
                "multiple of 32"
            )

    def arrive(self, *, loc: Any = None, ip: Any = None) -> None:
        """Arrives without waiting."""
        arch.barrier_arrive(barrier_id=self.barrier_id, number_of_threads=self.num_threads)

    def arrive_unaligned(self, *, loc: Any = None, ip: Any = None) -> None:
        """As ``arrive``, but the threads of a warp may arrive one after another."""
        self.arrive()

    def arrive_and_wait(self, *, loc: Any = None, ip: Any = None) -> None:
        """Waits until all threads have arrived, with this one."""
        arch.barrier(barrier_id=self.barrier_id, number_of_threads=self.num_threads)

    def wait(self, *, loc: Any = None, ip: Any = None) -> None:
        """As ``arrive_and_wait``: the hardware has no wait without an arrival."""
        self.arrive_and_wait()

    def wait_unaligned(self, *, loc: Any = None, ip: Any = None) -> None:
        self.arrive_and_wait()

    def sync(self, *, loc: Any = None, ip: Any = None) -> None:
        self.arrive_and_wait()

    def get_barrier(self, *, loc: Any = None, ip: Any = None) -> Any:
        return self.barrier_id

    def max(self) -> Optional[int]:
        return 16


class TmaStoreFence(SyncObject):
    """Groups of TMA stores of a thread; ``num_stages`` of them may be in flight."""

    def __init__(self, num_stages: int = 0):
        if num_stages < 0:
            raise ValueError(f"at least 0 stages, not {num_stages}")
        self.num_stages = num_stages

    def arrive(self, *, loc: Any = None, ip: Any = None) -> None:
        """Ends a group: the stores started since the last one."""
        arch.cp_async_bulk_commit_group()

    def wait(self, *, loc: Any = None, ip: Any = None) -> None:
        """Waits until one of the stages has been read."""
        arch.cp_async_bulk_wait_group(self.num_stages - 1, read=True)

    def arrive_and_wait(self, *, loc: Any = None, ip: Any = None) -> None:
        self.arrive()
        self.wait()

    def arrive_and_drop(self, *, loc: Any = None, ip: Any = None) -> None:
        raise NotImplementedError("a fence of TMA stores counts no arrivals")

    def tail(self, *, loc: Any = None, ip: Any = None) -> None:
        """Waits until all stages have been read."""
        arch.cp_async_bulk_wait_group(0, read=True)


def arrive(barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None) -> None:
    """Arrives at a named barrier."""
    NamedBarrier(barrier_id, num_threads).arrive()


def arrive_unaligned(
    barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a named barrier, each thread by itself."""
    NamedBarrier(barrier_id, num_threads).arrive_unaligned()


def wait(barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None) -> None:
    """Arrives at a named barrier and waits."""
    NamedBarrier(barrier_id, num_threads).wait()


def wait_unaligned(
    barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a named barrier and waits, each thread by itself."""
    NamedBarrier(barrier_id, num_threads).wait_unaligned()


def arrive_and_wait(
    barrier_id: Any, num_threads: int, *, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a named barrier and waits."""
    NamedBarrier(barrier_id, num_threads).arrive_and_wait()


def sync(barrier_id: int = 0, *, loc: Any = None, ip: Any = None) -> None:
    """Waits for all threads of the block."""
    arch.barrier(barrier_id=barrier_id)


def agent_sync(
    group: Agent, is_relaxed: bool = False, *, loc: Any = None, ip: Any = None
) -> None:
    """Waits for all threads of a block, or of a cluster."""
    if group is Agent.ThreadBlock:
        arch.sync_threads()
    elif group is Agent.ThreadBlockCluster:
        (arch.cluster_arrive_relaxed if is_relaxed else arch.cluster_arrive)()
        arch.cluster_wait()
    else:
        raise ValueError(f"threads of a block or of a cluster wait, not of {group}")


def _is_cluster(shape: Any) -> bool:
    return shape is not None and size(shape) > 1


def pipeline_init_arrive(
    cluster_shape_mn: Any = None,
    is_relaxed: bool = False,
    *,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Publishes new barriers, and arrives at the cluster's barrier if there is a cluster."""
    arch.mbarrier_init_fence()
    if _is_cluster(cluster_shape_mn):
        (arch.cluster_arrive_relaxed if is_relaxed else arch.cluster_arrive)()


def pipeline_init_wait(
    cluster_shape_mn: Any = None, *, loc: Any = None, ip: Any = None
) -> None:
    """Waits until all threads of the block, or of the cluster, see the barriers."""
    if _is_cluster(cluster_shape_mn):
        arch.cluster_wait()
    else:
        arch.sync_threads()
