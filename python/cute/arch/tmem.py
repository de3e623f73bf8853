"""Tensor memory of a warp's program (tcgen05), and the launch control of sm_100."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values.algebra import make_layout
from .._values.numeric import Int32, Integer, NumericMeta
from .._values.pointer import AddressSpace, Pointer, make_ptr
from .._values.tensor import make_tensor
from .inline import inline_ptx

__all__ = [
    "SM100_TMEM_CAPACITY_COLUMNS",
    "SM100_TMEM_MIN_ALLOC_COLUMNS",
    "TMEM_MAX_ALLOC_COLUMNS_MAP",
    "TMEM_MIN_ALLOC_COLUMNS_MAP",
    "fence_view_async_tmem_op",
    "alloc_tmem",
    "clc_response",
    "dealloc_tmem",
    "fence_view_async_tmem_load",
    "fence_view_async_tmem_store",
    "get_max_tmem_alloc_cols",
    "get_min_tmem_alloc_cols",
    "is_tmem_allocation_exclusive",
    "issue_clc_query",
    "relinquish_tmem_alloc_permit",
    "retrieve_tmem_ptr",
]

# The columns that a block may allocate at once: the fewest, and the most.
_COLUMNS = {"sm_100": (32, 512), "sm_103": (32, 512), "sm_120": (32, 512)}
SM100_TMEM_MIN_ALLOC_COLUMNS, SM100_TMEM_CAPACITY_COLUMNS = _COLUMNS["sm_100"]
TMEM_MIN_ALLOC_COLUMNS_MAP = {name: columns[0] for name, columns in _COLUMNS.items()}
TMEM_MAX_ALLOC_COLUMNS_MAP = {name: columns[1] for name, columns in _COLUMNS.items()}


def _columns(compute_capability: str) -> tuple[int, int]:
    if compute_capability not in _COLUMNS:
        known = ", ".join(_COLUMNS)
        raise ValueError(f"tensor memory is in {known}, not in {compute_capability}")
    return _COLUMNS[compute_capability]


def is_tmem_allocation_exclusive(num_columns: int, arch: Any) -> bool:
    """Returns whether so many columns are allocated by one block at a time: more than 512, which
    sm_107 alone has; no architecture of this package."""
    return num_columns > 512 and "107" in str(arch)


def get_max_tmem_alloc_cols(compute_capability: str) -> int:
    """Returns the most columns of tensor memory in one allocation.

    :param compute_capability: "sm_100", "sm_103" or "sm_120"
    :raises ValueError: for another architecture
    """
    return _columns(compute_capability)[1]


def get_min_tmem_alloc_cols(compute_capability: str) -> int:
    """Returns the fewest columns of tensor memory in one allocation."""
    return _columns(compute_capability)[0]


def _blocks(is_two_cta: bool | None) -> int:
    return 2 if is_two_cta else 1


def _known(columns: Any) -> Any:
    """Returns a number of columns as an int, if it is known now."""
    return columns.value if isinstance(columns, Integer) and columns.is_static else columns


def alloc_tmem(
    num_columns: Any, smem_ptr_to_write_address: Pointer, is_two_cta: bool | None = None, *,
    arch: str = "sm_100", loc: Any = None, ip: Any = None,
) -> None:
    """Allocates columns of tensor memory, and waits until they are free: one whole warp.

    :param num_columns: 32, 64, 128, 256 or 512
    :param smem_ptr_to_write_address: an Int32 in shared memory, for the address
    :param is_two_cta: for a pair of blocks; a warp of each calls it
    :raises ValueError: for another number of columns

    For example::

        alloc_tmem(128, slot)
    """
    least, most = _columns(arch)
    num_columns = _known(num_columns)
    if not isinstance(num_columns, int) or not least <= num_columns <= most or (
            num_columns & (num_columns - 1)):
        raise ValueError(f"a power of two of columns is allocated, {least} to {most}, "
                         f"not {num_columns}")
    _ir.apply("tmem_alloc", smem_ptr_to_write_address.ir, columns=num_columns,
              ctas=_blocks(is_two_cta), results=[])


def dealloc_tmem(
    tmem_ptr: Pointer, num_columns: Any, is_two_cta: bool | None = None, *,
    arch: str = "sm_100", loc: Any = None, ip: Any = None,
) -> None:
    """Frees columns of tensor memory that are no longer read: one whole warp.

    :param num_columns: as many as were allocated
    """
    _ir.apply("tmem_dealloc", tmem_ptr.ir, columns=_known(num_columns), ctas=_blocks(is_two_cta),
              results=[])


def relinquish_tmem_alloc_permit(
    is_two_cta: bool | None = None, *, loc: Any = None, ip: Any = None
) -> None:
    """Lets other blocks of the multiprocessor allocate; this one cannot any more."""
    _ir.apply("tmem_relinquish", ctas=_blocks(is_two_cta), results=[])


def retrieve_tmem_ptr(
    element_type: NumericMeta, alignment: int, ptr_to_buffer_holding_addr: Pointer, *,
    loc: Any = None, ip: Any = None,
) -> Pointer:
    """Returns the pointer to tensor memory whose address lies in shared memory.

    :param alignment: in bytes
    :param ptr_to_buffer_holding_addr: the Int32 that ``alloc_tmem`` wrote, after a barrier
    """
    address = make_tensor(ptr_to_buffer_holding_addr, make_layout(1))[0]
    return make_ptr(element_type, address, AddressSpace.tmem, assumed_align=alignment)


def fence_view_async_tmem_load(
    *, kind: str = "load", loc: Any = None, ip: Any = None
) -> None:
    """Waits until the thread's loads of tensor memory are complete."""
    _wait(kind)


def fence_view_async_tmem_store(
    *, kind: str = "store", loc: Any = None, ip: Any = None
) -> None:
    """Waits until the thread's stores to tensor memory are complete."""
    _wait(kind)


def fence_view_async_tmem_op(kind: str, *, loc: Any = None, ip: Any = None) -> None:
    """Waits until the thread's loads or stores, "load" or "store", are complete."""
    _wait(kind)


def _wait(kind: str) -> None:
    if kind not in ("load", "store"):
        raise ValueError(f"kind is load or store, not {kind!r}")
    _ir.apply("tmem_wait", kind={"load": "ld", "store": "st"}[kind], results=[])


# ---- Launch control ---------------------------------------------------------


def issue_clc_query(
    mbar_ptr: Pointer, clc_response_ptr: Pointer, multicast: bool = True, loc: Any = None,
    ip: Any = None,
) -> None:
    """Asks to replace a cluster that has not begun: clusterlaunchcontrol.try_cancel.

    :param mbar_ptr: the barrier that counts the 16 bytes of the response
    :param clc_response_ptr: where the response goes, 16 bytes of shared memory
    :param multicast: it goes to every block of the cluster
    """
    name = "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
    name += ".multicast::cluster::all" * bool(multicast)
    inline_ptx(f"{name}.b128 [{{$r0}}], [{{$r1}}];", read_only_args=[clc_response_ptr, mbar_ptr])


def clc_response(
    result_addr: Pointer, loc: Any = None, ip: Any = None
) -> tuple[Int32, Int32, Int32, Int32]:
    """Decodes a response: the cluster's first block (x, y, z), and 1 if there is a
    cluster, else 0.

    :param result_addr: the response, 16 bytes of shared memory
    """
    text = (
        "{ .reg .pred p; .reg .b128 r; ld.shared.b128 r, [{$r0}]; "
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r; "
        "selp.u32 {$w3}, 1, 0, p; mov.u32 {$w0}, 0; mov.u32 {$w1}, 0; mov.u32 {$w2}, 0; "
        "@p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 "
        "{{$w0}, {$w1}, {$w2}, _}, r; }"
    )
    return inline_ptx(text, write_only_types=[Int32] * 4, read_only_args=[result_addr])
