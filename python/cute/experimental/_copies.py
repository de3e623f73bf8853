"""Tensors that know where their elements lie in a kernel's argument, and copies of them."""

from __future__ import annotations

import functools
from typing import Any, Callable

from .. import arch as _arch, core as _core
from .._compile import ir as _ir, jit as _jit
from .._values.numeric import Boolean, Int32, Int64, Int128, Uint128
from .._values.pointer import AddressSpace
from .._values.struct import SmemAllocator
from ..utils.blackwell_helpers import compute_tmem_cols_from_layout
from ..utils.tmem_allocator import TmemAllocator
from ._parts import coordinates_of, follow


class _Kernel(_jit.KernelFunction):
    """A kernel that keeps the coordinates of its arguments' elements."""

    @functools.cached_property
    def rewritten(self) -> Callable[..., Any]:
        return functools.partial(self._begin, super().rewritten)

    @staticmethod
    def _begin(body: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            if isinstance(value, _core.Tensor) and not value._is_coord:
                follow(value)
        result = body(*args, **kwargs)
        _free_tensor_memory()
        return result


def kernel(function: Any = None, **options: Any) -> Any:
    """Makes a Python function a kernel in which ``copy`` knows where arguments end."""
    if function is None:
        return lambda f: kernel(f, **options)
    return _Kernel(_jit._callable(function, "kernel"), **options)


def allocate(
    dtype: Any, space: AddressSpace, layout: Any, alignment: int | None = None,
    is2cta: bool = False, *, loc: Any = None, ip: Any = None,
) -> _core.Tensor:
    """Returns a tensor in registers, shared or tensor memory, with undefined contents.

    All threads of the block call it for tensor memory, which is freed where the kernel ends.

    :param layout: a swizzle of shared memory counts bytes
    :param alignment: of its first element, in bytes; registers have what accesses need
    :param is2cta: tensor memory in both blocks of a pair, for their common products
    :raises ValueError: for another memory
    """
    if space is AddressSpace.rmem:
        return _core.make_rmem_tensor(layout, dtype)
    if space is AddressSpace.tmem:
        return _allocate_tensor_memory(dtype, layout, is2cta)
    if space is AddressSpace.smem:
        is_swizzled = isinstance(layout, _core.ComposedLayout)
        dtype = Uint128 if dtype is Int128 else dtype
        plain, swizzle = (layout.outer, layout.inner) if is_swizzled else (layout, None)
        return follow(SmemAllocator().allocate_tensor(dtype, plain, alignment or 16, swizzle))
    raise ValueError(f"memory is allocated in rmem, smem or tmem, not in {space}")


def _allocate_tensor_memory(dtype: Any, layout: Any, is_pair: bool) -> _core.Tensor:
    columns = compute_tmem_cols_from_layout(layout, dtype)
    if is_pair:
        allocator = TmemAllocator(
            _arch.alloc_smem(Int32, 1), is_two_cta=True,
            two_cta_tmem_dealloc_mbar_ptr=_arch.alloc_smem(Int64, 1))
    else:
        allocator = TmemAllocator(_arch.alloc_smem(Int32, 1))
    allocator.allocate(max(32, 1 << (columns - 1).bit_length()))
    _arch.sync_threads()
    pointer = allocator.retrieve_ptr(dtype)
    _ir.require("tensor memory").kernel.tensor_memory.append((allocator, pointer))
    return _core.make_tensor(pointer, layout)


def _free_tensor_memory() -> None:
    """Frees what the kernel has allocated, after all threads have used it."""
    held = _ir.require("a kernel").kernel.tensor_memory
    if held:
        _arch.sync_threads()
    for allocator, pointer in held:
        allocator.free(pointer)


def partition(tensor: Any, thread: Any, *, layout_tv: Any, tiler: Any) -> Any:
    """Returns a thread's elements of a tensor: ``(values, tiles)``.

    :param thread: its number, the first mode of ``layout_tv``
    :param layout_tv: from threads and values to places in a tile
    :param tiler: the tile's extents, which divide the tensor's
    """
    tiles = _core.zipped_divide(tensor, tiler)
    return _core.composition(tiles, (layout_tv, None))[(thread, None), None]


def copy(src: Any, dst: Any, *, copy_atom: Any) -> None:
    """Copies the elements that lie inside the kernel's arguments.

    An access of the atom is copied whole if all of its elements lie inside; if the edge
    cuts it, its elements are copied one by one.

    :param src: ``(values, tiles)``, as ``partition`` gives it; dst alike
    :raises ValueError: where the shapes differ, or the atom's access does not divide the values
    """
    if _core.shape(src) != _core.shape(dst):
        raise ValueError(f"{src} and {dst} have different shapes")
    width = _core.size(copy_atom.layout_src_tv, mode=[1])
    if _core.size(src, mode=[0]) % width:
        raise ValueError(f"an access has {width} elements, which do not divide the values of {src}")
    origins = [found for found in map(coordinates_of, (src, dst)) if found is not None]
    for i in range(_core.size(src, mode=[0]) // width):
        parts = [_access(tensor, i, width) for tensor in (src, dst)]
        if origins:
            inside = [(_access(c, i, width), whole.shape) for c, whole in origins]
            _copy_inside(*parts, copy_atom, inside)
        else:
            _core.copy(copy_atom, *parts)


def _access(tensor: Any, i: int, width: int) -> Any:
    """Returns the elements of the access with this number: ``(elements, tiles)``."""
    return _core.logical_divide(tensor, (width, None))[(None, i), None]


def _inside(origins: Any, coord: Any) -> Boolean:
    """Returns whether an element lies inside of all arguments."""
    found = Boolean(True)
    for coords, end in origins:
        found = found & Boolean(_core.elem_less(coords[coord], end))
    return found


def _copy_inside(src: Any, dst: Any, atom: Any, origins: Any) -> None:
    """Copies an access for each tile, by the atom where its last element lies inside."""
    width, tiles = _core.size(src, mode=[0]), _core.size(src, mode=[1])
    whole = _core.make_rmem_tensor(_core.shape(src)[1], Boolean)
    single = _core.make_rmem_tensor((width, tiles), Boolean)
    for j in range(tiles):
        whole[j] = _inside(origins, (width - 1, j))
        for i in range(width - 1):
            single[i, j] = _inside(origins, (i, j)) & ~whole[j]
        single[width - 1, j] = Boolean(False)
    _core.copy(atom, src, dst, pred=whole)
    if width > 1:
        _core.basic_copy_if(single, src, dst)
