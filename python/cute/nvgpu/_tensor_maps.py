"""Tensor maps that kernels write: TMA copies of tensors that they choose."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._mlir.dialects import llvm
from .._values import algebra as _algebra, text as _text
from .._values.numeric import Int32
from .._values.pointer import AddressSpace, Pointer, recast_ptr
from .._values.tensor import Tensor, make_tensor
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

    One thread does it; fences let copies use the map. That of an atom which a kernel makes is
    written field by field.
    """
    if "mapped" in tma_atom.fields:
        _write_map(tma_atom, _aligned(tensormap_ptr))
        return
    _ir.apply("copy_tensor_map", tma_atom.ir, _aligned(tensormap_ptr).ir, results=[])


# Numbers of types in maps (PTX ISA, "tensormap.replace").
_TYPES = {"ui8": 0, "i8": 0, "ui16": 1, "i16": 1, "ui32": 2, "i32": 3, "ui64": 4, "i64": 5, "f16": 6,
          "f32": 7, "f64": 9, "bf16": 10, "tf32": 11}


def _write_map(atom: TmaAtom, place: Pointer) -> None:
    """Writes the map of an atom of this kernel."""
    _name, dtype, swizzle, box, *_rest = _text.parameters(atom.type_text)
    shape, steps = (x.strip('"').strip() for x in box.split(":"))
    extents = [int(x) for x in shape.strip("()").split(",")]
    count = atom.fields["num_multicast"]
    if "@" not in steps or extents[-1] % count:
        raise DSLRuntimeError(f"{atom} has a box that a kernel cannot describe: {box}")
    extents[-1] //= count
    leaves = _algebra.flatten_to_tuple(atom.fields["mapped"].shape)
    extents += [1] * (len(leaves) - len(extents))
    swizzle = swizzle.strip('"')
    bits = int(swizzle[2:].split(",")[0]) if "S<" in swizzle else 0
    if bits and not swizzle.endswith("4,3>"):
        raise DSLRuntimeError(f"maps of kernels have the swizzles S<1,4,3> to S<3,4,3>, not {swizzle}")
    kind = {4: 14, 6: 15}.get(atom.fields["narrow"], _TYPES.get(dtype, 0))
    words = make_tensor(recast_ptr(place, dtype=Int32), _algebra.make_layout(MAP_BYTES // 4))
    words.fill(0)
    _replace(place, "rank", len(extents) - 1)
    for field, number in (
        ("elemtype", kind), ("interleave_layout", 0), ("swizzle_mode", bits),
        ("fill_mode", 0),
    ):
        _replace(place, field, number)
    for i, extent in enumerate(extents):
        _replace(place, "box_dim", extent, i)
        _replace(place, "element_stride", 1, i)
    _ir.apply("update_tensor_map", atom.ir, atom.fields["mapped"].ir, place.ir, results=[])


def _replace(place: Pointer, field: str, number: int, mode: int | None = None) -> None:
    """Writes a field of a map, a number that is known."""
    space, kind = ("shared::cta", "r") if place.memspace is AddressSpace.smem else ("global", "l")
    value = f"{number}" if mode is None else f"{mode}, {number}"
    _ir.require("a tensor map")
    llvm.inline_asm(
        None, [place.toint().ir_value()],
        f"tensormap.replace.tile.{field}.{space}.b1024.b32 [$0], {value};", f"{kind},~{{memory}}",
        has_side_effects=True)


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
