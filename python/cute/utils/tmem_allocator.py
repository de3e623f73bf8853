"""Allocation of tensor memory (tcgen05.alloc) by one warp of a block."""

from __future__ import annotations

from typing import Any

from .. import arch as _arch
from .._compile import ir as _ir
from .._frontend.guards import run_if
from .._values.algebra import make_layout
from .._values.numeric import Float32, Int32, Int64
from .._values.pointer import AddressSpace, Pointer, make_ptr
from .._values.struct import SmemAllocator
from .._values.tensor import Tensor, make_tensor
from .blackwell_helpers import compute_tmem_cols_from_layout

__all__ = ["TmemAllocator", "TmemBufferPool"]

_COLUMNS = (32, 64, 128, 256, 512)


class TmemAllocator:
    """Allocates columns of tensor memory and passes their address to other warps.

    :param alloc_result_dst_smem_ptr: an Int32 in shared memory, for the address; None allocates
        it, and the Int64 of a pair
    :param barrier_for_retrieve: the NamedBarrier of the threads that read it
    :param allocator_warp_id: the warp that allocates and frees
    :param is_two_cta: a pair of blocks allocates, a warp of each
    :param two_cta_tmem_dealloc_mbar_ptr: an Int64 in shared memory of a pair, by which each
        block waits until the other frees
    :param arch: the architecture, which the program's target decides
    """

    def __init__(
        self,
        alloc_result_dst_smem_ptr: Pointer | None = None,
        barrier_for_retrieve: Any = None,
        allocator_warp_id: int = 0,
        is_two_cta: bool = False,
        num_allocated_columns: int = 0,
        two_cta_tmem_dealloc_mbar_ptr: Any = None,
        *,
        arch: str | None = None,
        loc: Any = None,
        ip: Any = None,
    ):
        if alloc_result_dst_smem_ptr is None:
            memory = SmemAllocator()
            alloc_result_dst_smem_ptr = memory.allocate_array(Int32, 1)
            if is_two_cta and two_cta_tmem_dealloc_mbar_ptr is None:
                two_cta_tmem_dealloc_mbar_ptr = memory.allocate_array(Int64, 1)
        self._slot, self._barrier = alloc_result_dst_smem_ptr, barrier_for_retrieve
        self._warp, self._columns = allocator_warp_id, num_allocated_columns
        self._ctas = 2 if is_two_cta else 1
        self._last = two_cta_tmem_dealloc_mbar_ptr if is_two_cta else None
        if self._last is not None:
            run_if(_arch.warp_idx() == self._warp, self._make_barrier)

    def _make_barrier(self) -> None:
        with _arch.elect_one():
            _arch.mbarrier_init(self._last, 32)
        _arch.mbarrier_init_fence()

    def _meet(self) -> None:
        """Waits until the other block of the pair is here."""
        _arch.mbarrier_arrive(self._last, _arch.block_idx_in_cluster() ^ 1)
        _arch.mbarrier_wait(self._last, 0)

    def _by_warp(self, name: str, *operands: Any, **attributes: Any) -> None:
        def run() -> None:
            if name == "tmem_dealloc" and self._last is not None:
                self._meet()
            _ir.apply(name, *operands, ctas=self._ctas, results=[], **attributes)

        run_if(_arch.warp_idx() == self._warp, run)

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

    def reserve(self, num_columns: int, *, loc: Any = None, ip: Any = None) -> TmemBufferPool:
        """Allocates columns, waits for the address, and returns a pool that hands them out.

        All threads of the barrier call it.
        """
        self.allocate(num_columns)
        self.wait_for_alloc()
        return TmemBufferPool(self.retrieve_ptr(), num_columns)

    def relinquish_alloc_permit(self, *, loc: Any = None, ip: Any = None) -> None:
        """Lets other blocks of the multiprocessor allocate; this one cannot any more."""
        self._by_warp("tmem_relinquish")

    def free(self, tmem_ptr: Pointer, num_columns: int = 0, *, loc: Any = None, ip: Any = None) -> None:
        """Frees the columns, after all threads have loaded what they need."""
        self._by_warp("tmem_dealloc", tmem_ptr.ir, columns=num_columns or self._columns)


class TmemBufferPool:
    """Hands out columns of tensor memory one after another.

    :param base_ptr: the first column
    :param total_cols: how many there are

    For example::

        pool = allocator.reserve(128)
        sums = pool.allocate_tensor(layout, Float32)  # columns 0-63 of a 128x64 tile
        factors = pool.allocate(4, Float8E8M0FNU)  # from column 64 on
    """

    def __init__(self, base_ptr: Pointer, total_cols: int):
        self._base, self._columns, self._used = base_ptr, total_cols, 0

    def allocate(
        self, size: Any, dtype: Any, *, loc: Any = None, ip: Any = None
    ) -> Pointer:
        """Returns a pointer to the next columns.

        :param size: a number of columns, or the layout of elements of the type that lie there
        :raises ValueError: where so many are not left
        """
        columns = size if isinstance(size, int) else compute_tmem_cols_from_layout(size, dtype)
        if columns > self._columns - self._used:
            raise ValueError(f"{columns} columns of tensor memory are requested, and "
                             f"{self._columns - self._used} of {self._columns} are left")
        first = self._base.toint() + self._used
        self._used += columns
        return make_ptr(dtype, Int32(first), AddressSpace.tmem, assumed_align=16)

    def allocate_tensor(
        self, layout: Any, dtype: Any, *, loc: Any = None, ip: Any = None
    ) -> Tensor:
        """Returns a tensor of the layout in the next columns."""
        return make_tensor(self.allocate(layout, dtype), layout)
