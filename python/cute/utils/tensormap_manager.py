"""Tensor maps of a thread block, which a warp changes while others copy by them."""

from __future__ import annotations

import enum
from typing import Any

from .. import arch
from .._frontend.control import const_expr
from .._compile.jit import jit
from .._values.numeric import Int64
from .._values.pointer import AddressSpace, Pointer, recast_ptr
from ..nvgpu import cpasync

__all__ = ["TensorMapManager", "TensorMapUpdateMode"]


class TensorMapUpdateMode(enum.Enum):
    """Where a map is changed: in shared memory, with a copy afterwards, or in place."""

    SMEM = 1
    GMEM = 2


class TensorMapManager:
    """Initializes and changes tensor maps in global memory.

    :param bytes_per_tensormap: 128
    """

    def __init__(self, tensormap_update_mode: Any, bytes_per_tensormap: int = 128):
        self.tensormap_update_mode = tensormap_update_mode
        self.bytes_per_tensormap = bytes_per_tensormap

    def get_tensormap_ptr(
        self,
        ptr: Pointer,
        address_space: AddressSpace = AddressSpace.gmem,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> Pointer:
        """Returns a pointer to a map that begins at a multiple of 128 bytes."""
        if address_space not in (AddressSpace.gmem, AddressSpace.generic):
            raise ValueError(f"copies use maps in gmem, not {address_space}")
        place = recast_ptr(ptr.align(self.bytes_per_tensormap), dtype=Int64)
        generic = address_space is AddressSpace.generic
        return Pointer(place.ir, address_space if generic else None)

    @jit
    def init_tensormap_from_atom(
        self, copy_atom: Any, dst_ptr: Any, warp_id: int, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Lets a warp write the map of an atom."""
        warp_idx = arch.make_warp_uniform(arch.warp_idx())
        if warp_idx == warp_id:
            with arch.elect_one():
                cpasync.copy_tensormap(copy_atom, dst_ptr)
            arch.sync_warp()

    def fence_tensormap_initialization(self, *, loc: Any = None, ip: Any = None) -> None:
        """Orders initialization before changes in global memory."""
        if self.tensormap_update_mode is TensorMapUpdateMode.GMEM:
            arch.fence_acq_rel_cta()

    def fence_tensormap_update(
        self, tensormap_ptr: Pointer, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Makes a changed map visible to later copies."""
        cpasync.fence_tma_desc_acquire(tensormap_ptr)

    @jit
    def update_tensormap(
        self,
        tensor_gmem: Any,
        tma_copy_atom: Any,
        tensormap_gmem_ptr: Any,
        warp_id: int,
        tensormap_smem_ptr: Any,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> None:
        """Lets a warp give maps other tensors.

        :param tensor_gmem: a tuple of tensors, one for each atom and map
        :param tensormap_smem_ptr: the maps in shared memory, of mode SMEM
        """
        in_smem = self.tensormap_update_mode is TensorMapUpdateMode.SMEM
        warp_idx = arch.make_warp_uniform(arch.warp_idx())
        if warp_idx == warp_id:
            arch.sync_warp()  # after the last change was copied
            if const_expr(in_smem):
                for atom, tensor, near in zip(tma_copy_atom, tensor_gmem, tensormap_smem_ptr):
                    cpasync.update_tma_descriptor(atom, tensor, near)
            with arch.elect_one():
                arch.cp_async_bulk_commit_group()
                arch.cp_async_bulk_wait_group(0, read=True)
            arch.sync_warp()
            if const_expr(in_smem):
                for place, near in zip(tensormap_gmem_ptr, tensormap_smem_ptr):
                    cpasync.cp_fence_tma_desc_release(place, near)
            else:
                for atom, tensor, place in zip(tma_copy_atom, tensor_gmem, tensormap_gmem_ptr):
                    cpasync.update_tma_descriptor(atom, tensor, place)
                arch.sync_warp()
                cpasync.fence_tma_desc_release()
