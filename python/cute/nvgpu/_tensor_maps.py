"""Tensor maps that kernels write: TMA copies of tensors that they choose."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values.numeric import Int32
from .._values.pointer import AddressSpace, Pointer
from .._values.tensor import Tensor
from .._compile.diagnostics import DSLRuntimeError
from ._tma import TmaAtom

MAP_BYTES = 128

__all__ = [
    "copy_tensormap",
    "cp_fence_tma_desc_release",
    "fence_tma_desc_acquire",
    "fence_tma_desc_release",
    "update_tma_descriptor",
]


def _aligned(pointer: Any) -> Pointer:
    """Returns a pointer to a map, which is at a multiple of its size."""
    if not isinstance(pointer, Pointer):
        raise DSLRuntimeError(f"a tensor map is at a pointer, not {pointer!r}")
    return pointer.align(MAP_BYTES)


def copy_tensormap(
    tma_atom: TmaAtom, tensormap_ptr: Pointer, *, loc: Any = None, ip: Any = None
) -> None:
    """Writes the map of an atom, 128 bytes, to global or shared memory.

    One thread does it; fences let copies use the map.
    """
    _ir.apply("copy_tensor_map", tma_atom.ir, _aligned(tensormap_ptr).ir, results=[])


def update_tma_descriptor(
    tma_atom: TmaAtom,
    gmem_tensor: Tensor,
    tma_desc_ptr: Pointer,
    *,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Gives a map in memory another tensor: its address, extents and strides.

    :param tma_atom: whose map was copied there
    :param gmem_tensor: of the atom's element type and modes, in global memory; its
        extents and strides may be dynamic
    """
    from ._tma import _promised

    axes = tma_atom.fields["axes"]
    tensor = _promised(axes.map(gmem_tensor) if axes else gmem_tensor,
                       tma_atom.fields["narrow"])
    pointer = _aligned(tma_desc_ptr)
    _ir.apply("update_tensor_map", tma_atom.ir, tensor.ir, pointer.ir, results=[])


def _generic(pointer: Pointer) -> _ir.Value:
    address = _aligned(pointer).llvm_ptr
    trace = _ir.require("a fence of tensor maps")
    return trace.op("llvm.addrspacecast", [address], ["!llvm.ptr"])[0]


def fence_tma_desc_acquire(
    tma_desc_ptr: Pointer, *, loc: Any = None, ip: Any = None
) -> None:
    """Makes a released map visible to later copies."""
    place = _generic(tma_desc_ptr)
    _ir.require("a fence of tensor maps").op(
        "nvvm.fence.proxy.acquire", [place, Int32(MAP_BYTES).ir_value()], [],
        {"scope": "#nvvm.mem_scope<gpu>"},
    )  # fmt: skip


def fence_tma_desc_release(*, loc: Any = None, ip: Any = None) -> None:
    """Releases the maps in global memory that the thread changed."""
    _ir.require("a fence of tensor maps").op(
        "nvvm.fence.proxy.release", [], [], {"scope": "#nvvm.mem_scope<gpu>"}
    )


def cp_fence_tma_desc_release(
    tma_desc_global_ptr: Pointer,
    tma_desc_shared_ptr: Pointer,
    *,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Copies a map from shared to global memory and releases it; the whole warp executes it."""
    from .._mlir.dialects import llvm

    if tma_desc_shared_ptr.memspace is not AddressSpace.smem:
        raise DSLRuntimeError(f"the map is copied from shared memory, not {tma_desc_shared_ptr}")
    target = _aligned(tma_desc_global_ptr).toint()
    llvm.inline_asm(
        None,
        [target.ir_value(), _aligned(tma_desc_shared_ptr).toint().ir_value()],
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu"
        f".sync.aligned [$0], [$1], {MAP_BYTES};",
        "l,r,~{memory}",
        has_side_effects=True,
    )
