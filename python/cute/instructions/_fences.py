"""Fences: the order of a thread's accesses, one instruction of PTX each."""

from __future__ import annotations

from typing import Any

from .. import arch as _arch
from ._kinds import word
from ._write import place, write

__all__ = [
    "fence_acq_rel",
    "fence_proxy",
    "fence_proxy_acquire",
    "fence_proxy_async_acquire_sync_restrict",
    "fence_proxy_async_release_sync_restrict",
    "fence_proxy_release",
    "fence_proxy_sync_restrict",
    "fence_sync_restrict",
    "memory_barrier",
]



def memory_barrier(scope: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Orders the thread's accesses for a scope: fence.acq_rel."""
    getattr(_arch, f"fence_acq_rel_{word('MemScope', scope)}")()


fence_acq_rel = memory_barrier


def fence_proxy(kind: Any, *, space: Any = None, loc: Any = None, ip: Any = None) -> None:
    """Orders ordinary accesses and accesses through another proxy: fence.proxy."""
    name = word("Proxy", kind)
    if name.startswith("async.shared") and space is not None:
        name = f"async.{word('SharedSpace', space)}"
    write(f"fence.proxy.{name};")


def _map_proxy(from_proxy: Any, to_proxy: Any) -> None:
    given = word("Proxy", from_proxy or "generic"), word("Proxy", to_proxy or "tensormap")
    if given != ("generic", "tensormap"):
        raise ValueError(f"fences order generic accesses and tensormap's, not {given}")


def fence_proxy_acquire(
    scope: Any, addr: Any, size: Any, *, from_proxy: Any = None, to_proxy: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Lets copies after it see a tensor map that was released: fence.proxy.tensormap."""
    _map_proxy(from_proxy, to_proxy)
    write(f"fence.proxy.tensormap::generic.acquire.{word('MemScope', scope)} [{{0}}], {int(size)};",
          place(addr))


def fence_proxy_release(
    scope: Any, *, from_proxy: Any = None, to_proxy: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Releases the tensor maps that the thread changed: fence.proxy.tensormap."""
    _map_proxy(from_proxy, to_proxy)
    write(f"fence.proxy.tensormap::generic.release.{word('MemScope', scope)};")


def _restricted(order: Any) -> str:
    """Returns the modifiers of a fence of an order for the shared memory of a cluster.

    :raises ValueError: for another order than acquire and release
    """
    name = word("MemOrder", order)
    if name not in ("acquire", "release"):
        raise ValueError(f"the fence is acquire or release, not {name}")
    memory = "cluster" if name == "acquire" else "cta"
    return f"{name}.sync_restrict::shared::{memory}.cluster"


def fence_sync_restrict(order: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Orders accesses to shared memory of the cluster: fence.sync_restrict.

    :param order: MemOrder ACQUIRE, for the cluster's, or RELEASE, for the block's
    """
    write(f"fence.{_restricted(order)};")


def fence_proxy_sync_restrict(
    order: Any, *, from_proxy: Any = None, to_proxy: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Orders ordinary and asynchronous accesses to shared memory of the cluster.

    :param order: MemOrder ACQUIRE, for the cluster's, or RELEASE, for the block's
    :raises ValueError: for other proxies than generic and async
    """
    given = word("Proxy", from_proxy or "generic"), word("Proxy", to_proxy or "async")
    if given != ("generic", "async"):
        raise ValueError(f"the fence orders generic accesses and async's, not {given}")
    write(f"fence.proxy.async::generic.{_restricted(order)};")


def fence_proxy_async_acquire_sync_restrict(*, loc: Any = None, ip: Any = None) -> None:
    """Orders ordinary and asynchronous accesses to the cluster's shared memory: acquire."""
    fence_proxy_sync_restrict("acquire")


def fence_proxy_async_release_sync_restrict(*, loc: Any = None, ip: Any = None) -> None:
    """Orders ordinary and asynchronous accesses to the block's shared memory: release."""
    fence_proxy_sync_restrict("release")
