"""Functions on tuples, layouts and tensors, with the reference's names.

What is static is computed at once; a program under construction gets
operations for the rest. ``loc`` and ``ip`` are taken for compatibility: places
come from the caller's line, and operations go where the program is.
"""

from __future__ import annotations

import math
from typing import Any

from .._compile import ir as _ir
from . import operands as _values
from .._frontend.guards import check_product
from .layout import ComposedLayout, FunctionLayout, Layout, Swizzle
from .tuple_modes import *  # noqa: F403
from .tuple_modes import __all__ as _of_modes
from .tuple_modes import _is_view, _operand, _path
from .tuple_modes import flatten_to_tuple, get, is_integer, rank, repeat_like
from .numeric import Int16, Int32, Integer
from .operands import IrObject, wrap

__all__ = _of_modes + (
    "append append_ones cosize dice make_composed_layout make_identity_layout make_layout "
    "make_layout_image_mask make_layout_like make_ordered_layout prepend prepend_ones "
    "recast_layout size size_in_bytes slice_"
).split()


def size(obj: Any, mode: Any = (), *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of coordinates, in total or of the mode at a path.

    An int if it is known, else an Int32; a host function fails if that is too small.

    :raises ValueError: for a mode that is not a list of ints

    >>> size(make_layout((4, (2, 3)))), size((4, (2, 3)), mode=[1])
    (24, 6)
    """
    if isinstance(obj, FunctionLayout):
        obj = obj.outer
    if hasattr(obj, "__cute_size__"):
        return obj.__cute_size__()
    made = wrap(_ir.apply("size", _operand(obj), mode=_path(mode)))
    if isinstance(made, Int32) and _ir.require("size").kernel is None:
        shape = obj if isinstance(obj, (tuple, int, Integer)) else obj.shape
        path = _path(mode)
        check_product(flatten_to_tuple(get(shape, path) if path else shape))
    return made


def cosize(obj: Any, mode: Any = (), *, loc: Any = None, ip: Any = None) -> Any:
    """Returns one more than the largest index.

    >>> cosize(make_layout((4, 8), stride=(1, 10)))
    74
    """
    return wrap(_ir.apply("cosize", _layout_of(obj).ir, mode=_path(mode)))


def _layout_of(a: Any) -> Any:
    return a.layout if _is_view(a) else a


def size_in_bytes(dtype: Any, layout: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the bytes of the elements that a layout reaches; 0 for None.

    >>> size_in_bytes(Float16, make_layout((4, 8)))
    64
    """
    if layout is None:
        return 0
    swizzled = layout.outer if isinstance(layout, ComposedLayout) else layout
    return cosize(swizzled) * dtype.width // 8


def slice_(src: Any, coord: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the part of a layout, tensor or tuple with None in ``coord``.

    >>> slice_(make_layout((4, 4)), (1, None))
    (4):(4)
    """
    if isinstance(src, FunctionLayout):
        raise TypeError("a layout with a Python function cannot be sliced")
    if isinstance(src, ComposedLayout):
        return _slice_composed(src, coord)
    found = _ir.apply("slice", _operand(src, "int_tuple"), _values.coord(coord))
    return wrap(found, src)


def _slice_composed(src: ComposedLayout, coord: Any) -> Any:
    """Returns the slice, which keeps what is applied after the layout."""
    part, offset = map(wrap, _ir.apply("slice_and_offset", src.outer.ir, _values.coord(coord)))
    return make_composed_layout(src.inner, src.offset + offset, part)


def dice(src: Any, dicer: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the modes where ``dicer`` has no None.

    >>> dice((2, 3, 4), (1, None, 1))
    (2, 4)
    """
    return wrap(_ir.apply("dice", _operand(src, "int_tuple"), _values.coord(dicer)), src)


# ---- Construction -----------------------------------------------------------


class StrideOf(tuple):
    """The strides of a tensor of coordinates, which knows the extents that they belong to.

    The coordinates of scale factors divide a mode of the program: of 4 factors, two share a unit
    of 16 bits. ``make_layout`` with such strides divides the same mode of another shape.
    """

    extents: Any

    def __new__(cls, items: Any, extents: Any = None) -> StrideOf:
        made = super().__new__(cls, items)
        made.extents = extents
        return made


def _divided(shape: Any, extents: Any, stride: Any) -> Any:
    """Returns a shape whose modes are divided where the extents of strides are, as many in all."""
    if not isinstance(stride, tuple) or not isinstance(extents, tuple):
        return shape
    if isinstance(shape, tuple) and len(shape) == len(stride):
        return tuple(map(_divided, shape, extents, stride))
    flat = _flat(extents)
    same = isinstance(shape, int) and all(isinstance(x, int) for x in flat)
    return extents if same and math.prod(flat) == shape else shape


def _flat(tree: Any) -> list[Any]:
    return [x for part in tree for x in _flat(part)] if isinstance(tree, tuple) else [tree]


def make_layout(
    shape: Any, *, stride: Any = None, loc: Any = None, ip: Any = None
) -> Layout:
    """Returns the layout ``shape:stride``; without a stride the compact one.

    A list or tuple of layouts becomes the layout with these modes.

    >>> make_layout((4, 8), stride=(8, 1))
    (4,8):(8,1)
    """
    if isinstance(shape, Layout):
        return shape
    if stride is None and isinstance(shape, (tuple, list)) and _has_layout(shape):
        parts = [make_layout(x) for x in shape]
        return make_layout(
            tuple(x.shape for x in parts), stride=tuple(x.stride for x in parts)
        )
    if isinstance(stride, StrideOf) and isinstance(shape, tuple):
        shape = _divided(shape, stride.extents, stride)
    extents = _values.shape(shape)
    if stride is None:
        zeros = repeat_like(0, shape)
        order = tuple(range(rank(shape))) if isinstance(zeros, tuple) else 0
        return wrap(_compact(extents, shape, order))
    return wrap(_ir.apply("make_layout", extents, _values.stride(stride)))


def _has_layout(shape: Any) -> bool:
    return any(isinstance(x, Layout) for x in shape)


def _compact(extents: _ir.Operand, shape: Any, order: Any) -> _ir.Operand:
    keys = iter(range(1 << 20))
    order = _leafwise(shape, keys)
    return _ir.apply("make_ordered_layout", extents, _values.int_tuple(order))


def _leafwise(tree: Any, keys: Any) -> Any:
    if isinstance(tree, (tuple, list)):
        return tuple(_leafwise(x, keys) for x in tree)
    return next(keys)


def make_ordered_layout(
    shape: Any, order: Any, *, loc: Any = None, ip: Any = None
) -> Layout:
    """Returns the compact layout in which modes with smaller keys run faster.

    >>> make_ordered_layout((4, 4), order=(1, 0))
    (4,4):(4,1)
    """
    return wrap(
        _ir.apply("make_ordered_layout", _values.shape(shape), _values.int_tuple(order))
    )


def make_identity_layout(shape: Any, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns the layout whose value is its coordinate.

    >>> make_identity_layout((4, 8))
    (4,8):(1@0,1@1)
    """
    return wrap(_ir.apply("make_identity_layout", _values.shape(shape)))


def make_layout_like(input: Any, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns the compact layout in the order of another's strides.

    >>> make_layout_like(make_layout((4, 8), stride=(16, 2)))
    (4,8):(8,1)
    """
    return wrap(_ir.apply("make_layout_like", _layout_of(input).ir))


def make_composed_layout(
    inner: Any, offset: Any, outer: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns inner o offset o outer; inner is a layout, swizzle or function.

    A swizzle with no bits gives the outer layout alone, with the swizzle as its
    ``inner``.

    >>> make_composed_layout(make_swizzle(2, 0, 3), 0, make_layout((8, 8)))
    S<2,0,3> o 0 o (8,8):(1,8)
    """
    if not isinstance(inner, IrObject):
        if callable(inner):
            return FunctionLayout(inner, offset, outer)
        raise TypeError(f"an inner layout is a layout or swizzle, not {inner!r}")
    if isinstance(inner, Swizzle) and not inner.num_bits and isinstance(offset, int) and not offset:
        return outer
    return wrap(
        _ir.apply(
            "make_composed_layout", inner.ir, _values.int_tuple(offset), outer.ir
        )
    )


def make_layout_image_mask(
    lay: Layout, coord: Any, mode: int, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a bit for each index of the layout at coordinates that differ from
    ``coord`` in one mode: the blocks of a cluster that share a load.
    """
    others = tuple(0 if i == mode else c for i, c in enumerate(coord))
    zeros = (0,) * len(others)
    mask = 0
    for i in range(size(lay, mode=[mode])):
        index = lay((*zeros[:mode], i, *zeros[mode + 1 :]))
        if not isinstance(index, int):
            raise ValueError(f"the strides of {lay} must be known")
        mask |= 1 << index
    base = lay(others)
    if isinstance(base, int):
        return mask << base
    return Int16(Int32(mask) << base)


def recast_layout(
    new_type_bits: int, old_type_bits: int, src_layout: Any, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns a layout that counts elements of another width.

    >>> recast_layout(32, 16, make_layout((8, 4)))
    (4,4):(1,4)
    """
    return wrap(
        _ir.apply(
            "recast_layout",
            src_layout.ir,
            new_type_bits=new_type_bits,
            old_type_bits=old_type_bits,
        )
    )


# ---- More modes --------------------------------------------------------------


def _extend(name: str, input: Any, elem: Any, up_to_rank: int | None) -> Any:
    wanted = rank(input) + 1 if up_to_rank is None else up_to_rank
    if wanted < rank(input):
        raise ValueError(f"rank {wanted} is less than that of {_values.show(input)}")
    if isinstance(input, IrObject):
        if not isinstance(elem, IrObject):
            raise TypeError(f"{elem!r} cannot be a mode of {input}: write a layout")
        found = _ir.apply(f"{name}_to_rank", input.ir, _operand(elem), rank=wanted)
        return wrap(found, input)
    if not isinstance(input, (tuple, list)) and not is_integer(input):
        raise TypeError(f"{input!r} has no modes")
    modes = tuple(input) if isinstance(input, (tuple, list)) else (input,)
    more = (elem,) * (wanted - len(modes))
    return modes + more if name == "append" else more + modes


def prepend(
    input: Any, elem: Any, up_to_rank: int | None = None, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the input with ``elem`` before it, once or up to a rank.

    >>> prepend((2, 3), 4)
    (4, 2, 3)
    """
    return _extend("prepend", input, elem, up_to_rank)


def append(
    input: Any, elem: Any, up_to_rank: int | None = None, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the input with ``elem`` after it, once or up to a rank.

    >>> append((2, 3), 4)
    (2, 3, 4)
    >>> append(make_layout((2, 3)), make_layout(4, stride=6))
    (2,3,4):(1,2,6)
    """
    return _extend("append", input, elem, up_to_rank)


def prepend_ones(
    t: Any, up_to_rank: int | None = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a tensor with modes 1:0 before its own.

    >>> prepend_ones(make_layout(4), up_to_rank=3)
    (1,1,4):(0,0,1)
    """
    return prepend(t, make_layout(1, stride=0), up_to_rank)


def append_ones(
    t: Any, up_to_rank: int | None = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a tensor with modes 1:0 after its own.

    >>> append_ones(make_layout(4), up_to_rank=3)
    (4,1,1):(1,0,0)
    """
    return append(t, make_layout(1, stride=0), up_to_rank)
