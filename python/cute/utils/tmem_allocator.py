"""Allocation of tensor memory (tcgen05.alloc) by one warp of a block."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._compile import ir as _ir
from .._frontend.guards import run_if
from .._values.algebra import make_layout
from .._values.numeric import Float32
from .._values.pointer import AddressSpace, Pointer, make_ptr
from .._values.tensor import make_tensor

__all__ = ["TmemAllocator"]

_COLUMNS = (32, 64, 128, 256, 512)


class TmemAllocator:
    """Allocates columns of tensor memory, whose address other warps read.

    :param alloc_result_dst_smem_ptr: an Int32 in shared memory, for the address
    :param barrier_for_retrieve: the NamedBarrier of the threads that read it
    :param allocator_warp_id: the warp that allocates and frees
    :param is_two_cta: a pair of blocks allocates, a warp of each
    :param two_cta_tmem_dealloc_mbar_ptr: an Int64 in shared memory of a pair, by which each
        block waits until the other frees
    """

    def __init__(
        self,
        alloc_result_dst_smem_ptr: Pointer,
        barrier_for_retrieve: Any = None,
        allocator_warp_id: int = 0,
        is_two_cta: bool = False,
        num_allocated_columns: int = 0,
        two_cta_tmem_dealloc_mbar_ptr: Any = None,
        *,
        loc: Any = None,
        ip: Any = None,
    ):
        self._slot, self._barrier = alloc_result_dst_smem_ptr, barrier_for_retrieve
        self._warp, self._columns = allocator_warp_id, num_allocated_columns
        self._ctas = 2 if is_two_cta else 1
        self._last = two_cta_tmem_dealloc_mbar_ptr if is_two_cta else None
        if self._last is not None:
            run_if(arch.warp_idx() == self._warp, self._make_barrier)

    def _make_barrier(self) -> None:
        with arch.elect_one():
            arch.mbarrier_init(self._last, 32)
        arch.mbarrier_init_fence()

    def _meet(self) -> None:
        """Waits until the other block of the pair is here."""
        arch.mbarrier_arrive(self._last, arch.block_idx_in_cluster() ^ 1)
        arch.mbarrier_wait(self._last, 0)

    def _by_warp(self, name: str, *operands: Any, **attributes: Any) -> None:
        def run() -> None:
            if name == "tmem_dealloc" and self._last is not None:
                self._meet()
            _ir.apply(name, *operands, ctas=self._ctas, results=[], **attributes)

        run_if(arch.warp_idx() == self._warp, run)

    def allocate(self, num_columns: int, *, loc: Any = None, ip: Any = None) -> None:
        """Allocates columns: 32, 64, 128, 256 or 512."""
        if num_columns not in _COLUMNS:
            raise ValueError(f"tensor memory is allocated in {_COLUMNS} columns, not {num_columns}")
        self._columns = num_columns
        self._by_warp("tmem_alloc", self._slot.ir, columns=num_columns)

    def wait_for_alloc(self, *, loc: Any = None, ip: Any = None) -> None:
        """Waits until the address is there."""
        self._barrier.arrive_and_wait()

    def retrieve_ptr(self, dtype: Any = Float32, *, loc: Any = None, ip: Any = None) -> Pointer:
        """Returns a pointer to the first column."""
        address = make_tensor(self._slot, make_layout(1))[0]
        return make_ptr(dtype, address, AddressSpace.tmem, assumed_align=16)

    def relinquish_alloc_permit(self, *, loc: Any = None, ip: Any = None) -> None:
        """Lets other blocks of the multiprocessor allocate; this one cannot any more."""
        self._by_warp("tmem_relinquish")

    def free(self, tmem_ptr: Pointer, num_columns: int = 0, *, loc: Any = None, ip: Any = None) -> None:
        """Frees the columns, which all threads have loaded what they need of."""
        self._by_warp("tmem_dealloc", tmem_ptr.ir, columns=num_columns or self._columns)
