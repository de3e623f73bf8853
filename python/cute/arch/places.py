"""Where a thread is in its block, cluster and grid."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values.numeric import Int32
from .._values.operators import note_positive
from ._ops import register
from .lanes import shuffle_sync

__all__ = [
    "block_dim",
    "block_idx",
    "block_idx_in_cluster",
    "block_in_cluster_dim",
    "block_in_cluster_idx",
    "cluster_dim",
    "cluster_idx",
    "dynamic_smem_size",
    "get_dyn_smem_size",
    "grid_dim",
    "lane_idx",
    "make_warp_uniform",
    "thread_idx",
    "warp_idx",
]


def _three(name: str) -> tuple[Int32, Int32, Int32]:
    x, y, z = (Int32(_ir.apply(name, dim=dim)) for dim in "xyz")
    return x, y, z


def _registers(name: str) -> tuple[Int32, Int32, Int32]:
    x, y, z = (Int32(register(f"{name}.{dim}")) for dim in "xyz")
    return x, y, z


def _sizes(numbers: tuple[Int32, Int32, Int32]) -> tuple[Int32, Int32, Int32]:
    """Returns the numbers, which are known not to be 0 from now on."""
    for number in numbers:
        note_positive(number)
    return numbers


def thread_idx(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the index (x, y, z) of the thread in its block.

    >>> import array
    >>> @cute.kernel
    ... def kernel(out: cute.Pointer):
    ...     i = cute.arch.block_idx()[0] * cute.arch.block_dim()[0] + cute.arch.thread_idx()[0]
    ...     cute.make_tensor(out, 6)[i] = 10 * i
    >>> @cute.jit
    ... def launch(out: cute.Pointer):
    ...     kernel(out).launch(grid=2, block=3)
    >>> numbers = array.array("i", [0] * 6)
    >>> launch(cute.runtime.make_ptr(Int32, numbers.buffer_info()[0], cute.AddressSpace.gmem))
    >>> numbers.tolist()
    [0, 10, 20, 30, 40, 50]
    """
    return _three("thread_idx")


def block_idx(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the index (x, y, z) of the block in the grid."""
    return _three("block_idx")


def block_dim(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the number of threads of a block in x, y and z."""
    return _sizes(_three("block_dim"))


def grid_dim(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the number of blocks of the grid in x, y and z."""
    return _sizes(_three("grid_dim"))


def cluster_idx(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the index of the cluster in the grid."""
    return _registers("clusterid")


def cluster_dim(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the number of clusters of the grid in x, y and z."""
    return _sizes(_registers("nclusterid"))


def block_in_cluster_idx(
    *, loc: Any = None, ip: Any = None
) -> tuple[Int32, Int32, Int32]:
    """Returns the index of the block in its cluster."""
    return _registers("cluster.ctaid")


def block_in_cluster_dim(
    *, loc: Any = None, ip: Any = None
) -> tuple[Int32, Int32, Int32]:
    """Returns the number of blocks of a cluster in x, y and z."""
    return _registers("cluster.nctaid")


def block_idx_in_cluster(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the rank of the block in its cluster, x fastest."""
    return Int32(_ir.apply("block_rank_in_cluster"))


def lane_idx(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of the thread in its warp, 0 to 31."""
    return Int32(_ir.apply("lane_idx"))


def warp_idx(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of the warp in its block.

    It is the same in all threads of the warp; ``make_warp_uniform`` tells the compiler
    so. In a branch that only some of them take, omit that call.
    """
    x, y, z = thread_idx()
    state = _ir.require("cute.arch.warp_idx").kernel
    block = getattr(state, "block_size", None) or ()
    is_known = len(block) == 3 and all(isinstance(n, int) for n in block)
    if is_known and block[1] == block[2] == 1:
        return x >> 5
    width, height, _ = block if is_known else block_dim()
    return x + (y + z * height) * width >> 5


def make_warp_uniform(value: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the first lane's value, which the compiler then knows is uniform."""
    return shuffle_sync(Int32(value), 0)


def get_dyn_smem_size(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the bytes of shared memory that the block was launched with.

    Without the launch's ``smem``, it is the kernel's allocations.
    """
    trace = _ir.trace()
    state = None if trace is None else trace.kernel
    known = state.shared_size(trace) if hasattr(state, "shared_size") else None
    return Int32(register("dynamic.smem.size")) if known is None else known


dynamic_smem_size = get_dyn_smem_size
