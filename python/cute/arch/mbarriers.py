"""Barriers in shared memory, and copies that are waited for."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values.numeric import Boolean
from ._ops import address, i32

__all__ = [
    "cp_async_shared_global",
    "cp_async_bulk_commit_group",
    "cp_async_bulk_wait_group",
    "cp_async_commit_group",
    "cp_async_mbarrier_arrive_noinc",
    "cp_async_wait_all",
    "cp_async_wait_group",
    "mbarrier_arrive",
    "mbarrier_arrive_and_expect_tx",
    "mbarrier_conditional_try_wait",
    "mbarrier_expect_tx",
    "mbarrier_init",
    "mbarrier_init_fence",
    "mbarrier_test_wait",
    "mbarrier_try_wait",
    "mbarrier_wait",
]


def cp_async_shared_global(
    dst: Any, src: Any, size: int, modifier: str, *, cp_size: Any = None, loc: Any = None,
    ip: Any = None,
) -> None:
    """Starts a copy of 4, 8 or 16 bytes from global to shared memory: cp.async.

    :param modifier: ``"ca"``, or ``"cg"`` for 16 bytes
    :param cp_size: how many of the bytes are read; the others are zeros
    """
    from ..instructions import primitives

    named = getattr(modifier, "name", modifier).upper()
    primitives.cp_async_shared_global(
        dst, src, size, primitives.LoadCacheModifier[named], cp_size=cp_size)


def cp_async_commit_group(*, loc: Any = None, ip: Any = None) -> None:
    """Closes the group of cp.async copies issued so far."""
    _ir.apply("cp_async_commit", results=[])


def cp_async_wait_group(n: int, *, loc: Any = None, ip: Any = None) -> None:
    """Waits until at most ``n`` of the latest groups are pending."""
    _ir.apply("cp_async_wait", n=int(n), results=[])


def cp_async_wait_all(*, loc: Any = None, ip: Any = None) -> None:
    """Waits for all cp.async copies of the thread."""
    _ir.apply("cp_async_wait_all", results=[])


def cp_async_bulk_commit_group(*, loc: Any = None, ip: Any = None) -> None:
    """Closes the group of bulk copies out of shared memory."""
    _ir.apply("cp_async_bulk_commit", results=[])


def cp_async_bulk_wait_group(
    group: int, *, read: bool = False, loc: Any = None, ip: Any = None
) -> None:
    """Waits until at most ``group`` groups are pending; with ``read``, to be read."""
    name = "cp_async_bulk_wait_read" if read else "cp_async_bulk_wait"
    _ir.apply(name, n=int(group), results=[])


def mbarrier_init(mbar_ptr: Any, cnt: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Makes a barrier in shared memory that waits for ``cnt`` arrivals.

    >>> import array
    >>> @cute.kernel
    ... def kernel(out: cute.Pointer):
    ...     thread = cute.arch.thread_idx()[0]
    ...     barrier = cute.arch.alloc_smem(Int64, 1)
    ...     near = cute.make_tensor(cute.arch.alloc_smem(Int32, 32), 32)
    ...     if thread == 0:
    ...         cute.arch.mbarrier_init(barrier, 32)
    ...     cute.arch.mbarrier_init_fence()
    ...     cute.arch.sync_threads()
    ...     if thread < 32:  # a warp writes and arrives, the other one waits
    ...         near[thread] = thread
    ...         cute.arch.mbarrier_arrive(barrier)
    ...     else:
    ...         cute.arch.mbarrier_wait(barrier, 0)
    ...         cute.make_tensor(out, 32)[thread - 32] = near[63 - thread]
    >>> @cute.jit
    ... def launch(out: cute.Pointer):
    ...     kernel(out).launch(grid=1, block=64)
    >>> numbers = array.array("i", [0] * 32)
    >>> launch(cute.runtime.make_ptr(Int32, numbers.buffer_info()[0], cute.AddressSpace.gmem))
    >>> numbers[:3].tolist()
    [31, 30, 29]
    """
    _ir.apply("mbarrier_init", address(mbar_ptr), i32(cnt), results=[])


def mbarrier_init_fence(*, loc: Any = None, ip: Any = None) -> None:
    """Makes barriers visible to bulk copies and to the cluster."""
    _ir.apply("fence_mbarrier_init", results=[])


def _of_block(mbar_ptr: Any, rank: Any) -> Any:
    """Returns a barrier, or that of another block of the cluster."""
    if rank is None:
        return address(mbar_ptr)
    return _ir.apply("mapa", address(mbar_ptr), i32(rank))


def mbarrier_arrive(
    mbar_ptr: Any,
    peer_cta_rank_in_cluster: Any = None,
    arrive_count: int = 1,
    *,
    relaxed: Any = None,
    scope: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Arrives at a barrier, which may be another block's."""
    for _ in range(int(arrive_count)):
        if peer_cta_rank_in_cluster is None:
            _ir.apply("mbarrier_arrive", address(mbar_ptr), results=[])
        else:
            rank = i32(peer_cta_rank_in_cluster)
            _ir.apply("mbarrier_arrive_remote", address(mbar_ptr), rank, results=[])


def mbarrier_arrive_and_expect_tx(
    mbar_ptr: Any,
    bytes: Any,
    peer_cta_rank_in_cluster: Any = None,
    relaxed: Any = None,
    scope: Any = None,
    *,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Arrives at a barrier, and makes it also wait for bytes of bulk copies."""
    place = _of_block(mbar_ptr, peer_cta_rank_in_cluster)
    _ir.apply("mbarrier_arrive_expect_tx", place, i32(bytes), results=[])


def mbarrier_expect_tx(
    mbar_ptr: Any,
    bytes: Any,
    peer_cta_rank_in_cluster: Any = None,
    *,
    relaxed: Any = None,
    scope: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Makes a barrier also wait for bytes of bulk copies."""
    place = _of_block(mbar_ptr, peer_cta_rank_in_cluster)
    _ir.apply("mbarrier_expect_tx", place, i32(bytes), results=[])


def mbarrier_wait(
    mbar_ptr: Any, phase: Any, *, loc: Any = None, ip: Any = None
) -> None:
    """Waits until the phase of a parity is complete."""
    _ir.apply("mbarrier_wait", address(mbar_ptr), i32(phase), results=[])


def mbarrier_try_wait(
    mbar_ptr: Any, phase: Any, *, loc: Any = None, ip: Any = None
) -> Boolean:
    """Waits for a limited time, and returns whether the phase is complete."""
    return Boolean(_ir.apply("mbarrier_try_wait", address(mbar_ptr), i32(phase)))


# PTX's test_wait does not wait; here both may.
mbarrier_test_wait = mbarrier_try_wait


def mbarrier_conditional_try_wait(
    cond: Any, mbar_ptr: Any, phase: Any, *, loc: Any = None, ip: Any = None
) -> Boolean:
    """Is ``mbarrier_try_wait`` if the condition holds, else true."""
    from .._frontend.control import ifexp

    wait = lambda: mbarrier_try_wait(mbar_ptr, phase)  # noqa: E731
    return Boolean(ifexp(cond, wait, lambda: Boolean(True), ("", 0, 0)))


def cp_async_mbarrier_arrive_noinc(
    mbar_ptr: Any, *, loc: Any = None, ip: Any = None
) -> None:
    """Arrives once all cp.async copies of the thread so far are complete."""
    _ir.apply("cp_async_mbarrier_arrive", address(mbar_ptr), noinc=True, results=[])
