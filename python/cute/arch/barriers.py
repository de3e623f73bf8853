"""Barriers of blocks and clusters, fences, and registers of warpgroups."""

from __future__ import annotations

import contextlib
import enum
from typing import Any, Callable, Iterator

from .._frontend import builder as _builder
from .._compile import ir as _ir
from .._values.numeric import Int32
from ._ops import count, i32, op
from .inline import inline_ptx
from .lanes import FULL_MASK

__all__ = [
    "ProxyKind",
    "SharedSpace",
    "barrier",
    "barrier_arrive",
    "cluster_arrive",
    "cluster_arrive_relaxed",
    "cluster_wait",
    "elect_one",
    "fence_acq_rel_cluster",
    "fence_acq_rel_cta",
    "fence_acq_rel_gpu",
    "fence_acq_rel_sys",
    "fence_loads",
    "fence_proxy",
    "fence_view_async_shared",
    "griddepcontrol_launch_dependents",
    "griddepcontrol_wait",
    "setmaxregister_decrease",
    "setmaxregister_increase",
    "sync_threads",
    "sync_warp",
    "warpgroup_reg_alloc",
    "warpgroup_reg_dealloc",
]


def sync_threads(*, loc: Any = None, ip: Any = None) -> None:
    """Waits for all threads of the block.

    >>> import array
    >>> @cute.kernel
    ... def kernel(out: cute.Pointer):
    ...     thread = cute.arch.thread_idx()[0]
    ...     near = cute.make_tensor(cute.arch.alloc_smem(Int32, 64), 64)
    ...     near[thread] = thread
    ...     cute.arch.sync_threads()
    ...     cute.make_tensor(out, 64)[thread] = near[63 - thread]
    >>> @cute.jit
    ... def launch(out: cute.Pointer):
    ...     kernel(out).launch(grid=1, block=64)
    >>> numbers = array.array("i", [0] * 64)
    >>> launch(cute.runtime.make_ptr(Int32, numbers.buffer_info()[0], cute.AddressSpace.gmem))
    >>> numbers[:3].tolist()
    [63, 62, 61]
    """
    op("gpu.barrier")


def barrier(
    *,
    barrier_id: Any = None,
    number_of_threads: Any = None,
    aligned: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Waits at barrier 0 to 15 of the block until the given number of threads have
    arrived.

    Without a number, all threads of the block take part; without an id, it is
    ``sync_threads``.
    """
    if barrier_id is None:
        if number_of_threads is not None:
            raise ValueError("a barrier of some threads needs a barrier_id")
        sync_threads()
    elif number_of_threads is None:
        segments = {"operandSegmentSizes": "array<i32: 1, 0, 0>"}
        op("nvvm.barrier", [i32(barrier_id)], (), segments)
    else:
        _named("named_barrier_sync", barrier_id, number_of_threads)


def barrier_arrive(
    *,
    barrier_id: Any = None,
    number_of_threads: Any = None,
    aligned: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Arrives at a barrier of the block without waiting."""
    if barrier_id is None or number_of_threads is None:
        raise ValueError("barrier_arrive needs barrier_id and number_of_threads")
    _named("named_barrier_arrive", barrier_id, number_of_threads)


def _named(name: str, barrier_id: Any, threads: Any) -> None:
    if isinstance(barrier_id, int) and barrier_id == 0:  # that of sync_threads, too
        word = "arrive" if name == "named_barrier_arrive" else "sync"
        inline_ptx(f"barrier.cta.{word}.aligned 0, {{$r0}};", read_only_args=[Int32(threads)])
        return
    operands = [count(barrier_id), count(threads)]
    _ir.apply(name, *operands, results=[])


def sync_warp(mask: Any = FULL_MASK, *, loc: Any = None, ip: Any = None) -> None:
    """Waits for the threads of the warp in the mask."""
    op("nvvm.bar.warp.sync", [i32(mask)])


class ProxyKind(enum.Enum):
    """The ways to memory that ``fence_proxy`` orders."""

    alias = "alias"
    async_ = "async"
    async_global = "async.global"
    async_shared = "async.shared"


class SharedSpace(enum.Enum):
    """Whose shared memory ``fence_proxy`` is about."""

    shared_cta = "cta"
    shared_cluster = "cluster"


def fence_proxy(
    kind: Any,
    *,
    space: Any = None,
    use_intrinsic: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Orders the thread's writes before bulk copies and products on the same memory.

    :param kind: "async.shared", "async.global", "async" or "alias"
    """
    kind = getattr(kind, "value", kind)
    if kind == "alias":
        op("nvvm.fence.proxy", (), (), {"kind": "#nvvm.proxy_kind<alias>"})
    else:
        _ir.apply("fence_proxy", kind=kind, results=[])


def fence_loads(lanes: bool = False) -> None:
    """Completes the thread's loads of a stage, before it arrives where TMA waits.

    An arrival does not wait for loads that are under way, and the next bytes would overtake
    them. It is ``fence_proxy("async.shared")``, but nothing after a wait for products.

    :param lanes: wait for the lanes that execute it together, too: one arrives for all
    """
    _ir.apply("fence_loads", lanes=lanes or None, results=[])


def fence_view_async_shared(*, loc: Any = None, ip: Any = None) -> None:
    """Is ``fence_proxy("async.shared")``."""
    fence_proxy("async.shared")


def _fence(scope: str, what: str) -> Callable[..., None]:
    def fence(*, loc: Any = None, ip: Any = None) -> None:
        op("nvvm.memory.barrier", (), (), {"scope": f"#nvvm.mem_scope<{scope}>"})

    fence.__doc__ = f"Orders the thread's accesses to memory for {what}."
    return fence


fence_acq_rel_cta = _fence("cta", "the block")
fence_acq_rel_cluster = _fence("cluster", "the cluster")
fence_acq_rel_gpu = _fence("gpu", "the device")
fence_acq_rel_sys = _fence("sys", "all devices")


def cluster_arrive(*, aligned: Any = None, loc: Any = None, ip: Any = None) -> None:
    """Arrives at the barrier of the cluster."""
    _ir.apply("cluster_arrive", results=[])


def cluster_arrive_relaxed(
    *, aligned: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at the barrier of the cluster without ordering memory."""
    _ir.apply("cluster_arrive", relaxed=True, results=[])


def cluster_wait(*, aligned: Any = None, loc: Any = None, ip: Any = None) -> None:
    """Waits until all threads of the cluster have arrived."""
    _ir.apply("cluster_wait", results=[])


@contextlib.contextmanager
def elect_one(*, loc: Any = None, ip: Any = None) -> Iterator[None]:
    """Lets one thread of the warp execute the body of the ``with``."""
    builder = _builder.require("cute.arch.elect_one")
    chosen = _ir.apply("elect_one")
    regions = [builder.region(), builder.region()]
    with builder.inside(regions[0]):
        yield
    for region in regions:
        with builder.inside(region):
            builder.op("scf.yield")
    builder.op("scf.if", [chosen], [], {}, regions)


def griddepcontrol_wait(*, loc: Any = None, ip: Any = None) -> None:
    """Waits for the grids that this one depends on."""
    _ir.apply("griddepcontrol_wait", results=[])


def griddepcontrol_launch_dependents(*, loc: Any = None, ip: Any = None) -> None:
    """Lets the grids that depend on this one begin."""
    _ir.apply("griddepcontrol_launch_dependents", results=[])


def setmaxregister_increase(reg_count: int, *, loc: Any = None, ip: Any = None) -> None:
    """Gives each thread of the warpgroup this many registers."""
    _ir.apply("set_registers", action="increase", n=reg_count, results=[])


def setmaxregister_decrease(reg_count: int, *, loc: Any = None, ip: Any = None) -> None:
    """Reduces each thread of the warpgroup to this many registers."""
    _ir.apply("set_registers", action="decrease", n=reg_count, results=[])


warpgroup_reg_alloc = setmaxregister_increase
warpgroup_reg_dealloc = setmaxregister_decrease
