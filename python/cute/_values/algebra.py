"""Functions on tuples, layouts and tensors, with the reference's names.

What is static is computed at once; a program under construction gets
operations for the rest. ``loc`` and ``ip`` are taken for compatibility: places
come from the caller's line, and operations go where the program is.
"""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from . import operands as _values
from .._frontend.guards import check_product
from .layout import ComposedLayout, FunctionLayout, Layout
from .numeric import Int16, Int32, Integer, Numeric
from .operands import IrObject, ScaledBasis, wrap

__all__ = (
    "append append_ones cosize depth dice find flatten flatten_to_tuple front get "
    "group_modes has_underscore is_int_tuple is_integer is_major is_static "
    "leading_dim make_composed_layout make_identity_layout make_layout "
    "make_layout_image_mask make_layout_like make_ordered_layout "
    "prepend prepend_ones rank recast_layout repeat repeat_as_tuple repeat_like "
    "select size size_in_bytes slice_ transform_leaf unflatten"
).split()


def is_integer(a: Any) -> bool:
    """Says whether ``a`` is an integer, known now or at run time."""
    return isinstance(a, (int, Integer)) and not isinstance(a, bool)


def is_int_tuple(a: Any) -> bool:
    """Says whether ``a`` is an integer or a tree of integers."""
    if isinstance(a, tuple):
        return all(is_int_tuple(x) for x in a)
    return is_integer(a)


def is_static(x: Any) -> bool:
    """Says whether all of ``x`` is known now."""
    if isinstance(x, (tuple, list)):
        return all(is_static(y) for y in x)
    if isinstance(x, Numeric):
        return False
    if isinstance(x, ScaledBasis):
        return x.is_static()
    if isinstance(x, IrObject):
        return "?" not in x.type_text if _is_view(x) else x.is_static
    if isinstance(x, (bool, int, float)) or x is None:
        return True
    raise TypeError(f"{x!r} is no value of the algebra")


def _is_view(x: Any) -> bool:
    return hasattr(x, "iterator")


def has_underscore(a: Any) -> bool:
    """Says whether None is anywhere in a tuple."""
    if isinstance(a, (tuple, list)):
        return any(has_underscore(x) for x in a)
    return a is None


def _tree_of(a: Any) -> Any:
    """Returns the tuple itself, or the shape of a layout or tensor."""
    return a if isinstance(a, (tuple, list)) or not hasattr(a, "shape") else a.shape


def depth(a: Any) -> int:
    """Returns the depth of a tuple or shape: 0 of an integer, 1 of (1, 2).

    >>> depth(((1, 2), (3, 4)))
    2
    """
    tree = _tree_of(a)
    if not isinstance(tree, (tuple, list)):
        return 0
    return 1 + max((depth(x) for x in tree), default=0)


def rank(a: Any, mode: Any = ()) -> int:
    """Returns the number of modes; 1 of an integer."""
    tree = _tree_of(a)
    for i in mode:
        tree = tree[i]
    return len(tree) if isinstance(tree, (tuple, list)) else 1


def _operand(a: Any, kind: str = "shape") -> _ir.Operand:
    if isinstance(a, IrObject):
        return a.ir
    return _values.tuple_operand(a, _kind_of(a, kind))


def _kind_of(a: Any, kind: str) -> str:
    """Returns the kind that holds the leaves of a tuple."""
    if isinstance(a, (tuple, list)):
        kinds = [_kind_of(x, kind) for x in a]
        return next((k for k in ("coord", "stride") if k in kinds), kind)
    if a is None:
        return "coord"
    return "stride" if isinstance(a, ScaledBasis) else kind


def _path(mode: Any) -> list[int] | None:
    if isinstance(mode, int):
        mode = [mode]
    if not all(isinstance(m, int) for m in mode):
        raise ValueError(f"a mode is a list of ints, not {mode!r}")
    return list(mode) or None


def size(a: Any, mode: Any = (), *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of coordinates, of all or of the mode at a path.

    An int where it is known, else an Int32; a host function ends with an error where
    that is too small.

    :raises ValueError: for a mode that is no list of ints
    """
    if isinstance(a, FunctionLayout):
        a = a.outer
    if hasattr(a, "__cute_size__"):
        return a.__cute_size__()
    made = wrap(_ir.apply("size", _operand(a), mode=_path(mode)))
    if isinstance(made, Int32) and _ir.require("size").kernel is None:
        shape = a if isinstance(a, (tuple, int, Integer)) else a.shape
        path = _path(mode)
        check_product(flatten_to_tuple(get(shape, path) if path else shape))
    return made


def cosize(a: Any, mode: Any = (), *, loc: Any = None, ip: Any = None) -> Any:
    """Returns one more than the largest index."""
    return wrap(_ir.apply("cosize", _layout_of(a).ir, mode=_path(mode)))


def _layout_of(a: Any) -> Any:
    return a.layout if _is_view(a) else a


def size_in_bytes(dtype: Any, layout: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the bytes of the elements that a layout reaches; 0 of None."""
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


def dice(src: Any, coord: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the modes where ``coord`` has no None."""
    return wrap(_ir.apply("dice", _operand(src, "int_tuple"), _values.coord(coord)), src)


# ---- Construction -----------------------------------------------------------


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
    """Returns the layout whose value is its coordinate."""
    return wrap(_ir.apply("make_identity_layout", _values.shape(shape)))


def make_layout_like(a: Any, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns the compact layout in the order of another's strides."""
    return wrap(_ir.apply("make_layout_like", _layout_of(a).ir))


def make_composed_layout(
    inner: Any, offset: Any, outer: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns inner o offset o outer; inner is a layout, swizzle or function."""
    if not isinstance(inner, IrObject):
        if callable(inner):
            return FunctionLayout(inner, offset, outer)
        raise TypeError(f"an inner layout is a layout or swizzle, not {inner!r}")
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
    """Returns a layout that counts elements of other bits."""
    return wrap(
        _ir.apply(
            "recast_layout",
            src_layout.ir,
            new_type_bits=new_type_bits,
            old_type_bits=old_type_bits,
        )
    )


# ---- Modes ------------------------------------------------------------------


def get(input: Any, mode: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the part at a path of modes."""
    if isinstance(mode, int):
        mode = [mode]
    if not all(isinstance(m, int) for m in mode):
        raise TypeError(f"a mode is a list of ints, not {mode!r}")
    if isinstance(input, (tuple, list)) or is_integer(input):
        for m in mode:
            if rank(input) <= m or m < 0:
                raise ValueError(f"{_values.show(input)} has no mode {m}")
            input = input[m] if isinstance(input, (tuple, list)) else input
        return input
    if not isinstance(input, IrObject):
        raise TypeError(f"{input!r} has no modes")
    for depth_, m in enumerate(mode):
        if not 0 <= m < rank(input, mode[:depth_]):
            raise ValueError(f"{input} has no mode {mode}")
    return wrap(_ir.apply("get", input.ir, mode=_path(mode)), input)


def select(input: Any, mode: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the tuple of the named modes."""
    if isinstance(input, (tuple, list)):
        for m in mode:
            if not 0 <= m < len(input):
                raise ValueError(f"{_values.show(input)} has no mode {m}")
        return tuple(input[m] for m in mode)
    if not isinstance(input, IrObject):
        raise TypeError(f"{input!r} has no modes")
    if any(not 0 <= m < rank(input) for m in mode):
        raise ValueError(f"{input} has not all of the modes {mode}")
    return wrap(_ir.apply("select", input.ir, mode=list(mode)), input)


def front(input: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the first leaf of a tuple, mode of a layout, or element of a tensor.

    >>> front(((4, 2), 8)), front(make_layout(((4, 2), 8), stride=((2, 1), 8)))
    (4, 4:2)
    """
    while isinstance(input, (tuple, list)):
        input = input[0]
    if not isinstance(input, IrObject):
        return input
    if _is_view(input):
        return input[0]
    while depth(input) > 0:
        input = get(input, mode=[0])
    return input


def is_major(mode: int, stride: Any, *, loc: Any = None, ip: Any = None) -> bool:
    """Says whether the stride of a mode begins with 1."""
    first = front(stride[mode] if isinstance(stride, (tuple, list)) else (stride,)[mode])
    return isinstance(first, int) and first == 1


def leading_dim(shape: Any, stride: Any) -> Any:
    """Returns the mode of stride 1 that is not of extent 1, or None."""
    return find(1, stride, exclude_when=(1, shape))


def find(
    x: int, t: Any, *, exclude_when: Any = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the first position of ``x`` in a tree: an int, a tuple or None.

    ``exclude_when`` is (value, tree): positions where that has the value do not
    count.
    """
    if not isinstance(x, int):
        raise TypeError(f"an int is looked for, not {x!r}")
    if not isinstance(t, (tuple, list)):
        if exclude_when is not None and _is_equal(exclude_when[1], exclude_when[0]):
            return None
        return 0 if _is_equal(t, x) else None
    for i, part in enumerate(t):
        inner = None
        if exclude_when is not None:
            inner = (exclude_when[0], exclude_when[1][i])
        found = find(x, part, exclude_when=inner)
        if found is not None:
            if not isinstance(part, (tuple, list)):
                return i
            return (i, *(found if isinstance(found, tuple) else (found,)))
    return None


def _is_equal(a: Any, b: int) -> bool:
    return isinstance(a, int) and a == b


def flatten_to_tuple(a: Any) -> tuple[Any, ...]:
    """Returns the leaves of a tree as one tuple."""
    if not isinstance(a, (tuple, list)):
        return (a,)
    return tuple(leaf for x in a for leaf in flatten_to_tuple(x))


def flatten(a: Any) -> Any:
    """Returns a tuple without nesting; an integer stays as it is."""
    if isinstance(a, IrObject):
        return wrap(_ir.apply("flatten", a.ir), a)
    return flatten_to_tuple(a) if isinstance(a, (tuple, list)) else a


def unflatten(sequence: Any, profile: Any) -> Any:
    """Returns the values of a sequence in the structure of a tree."""
    values = iter(sequence)
    return transform_leaf(lambda _: next(values), profile)


def transform_leaf(f: Callable[..., Any], *args: Any) -> Any:
    """Applies a function to the leaves of trees of one structure."""
    if isinstance(args[0], (tuple, list)):
        return tuple(transform_leaf(f, *parts) for parts in zip(*args))
    return f(*args)


def repeat_like(x: Any, target: Any) -> Any:
    """Returns a tree like ``target`` with ``x`` at each leaf.

    >>> repeat_like(1, ((1, 2), 3))
    ((1, 1), 1)
    """
    tree = _tree_of(target)
    if isinstance(tree, (tuple, list)):
        return tuple(repeat_like(x, y) for y in tree)
    return x


def repeat(x: Any, n: int) -> Any:
    """Returns ``x``, or for n > 1 a tuple of n times x."""
    if n < 1:
        raise ValueError(f"{n} is no number of repetitions")
    return x if n == 1 else (x,) * n


def repeat_as_tuple(x: Any, n: int) -> tuple[Any, ...]:
    """Returns a tuple of n times x."""
    if n < 1:
        raise ValueError(f"{n} is no number of repetitions")
    return (x,) * n


def group_modes(
    input: Any, begin: int, end: int = -1, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the input with modes [begin, end) as one mode."""
    if end == -1:
        end = rank(input)
    if isinstance(input, (tuple, list)):
        if not 0 <= begin < end <= len(input):
            raise ValueError(f"{_values.show(input)} has no modes [{begin}, {end})")
        grouped = tuple(input[begin:end])
        return (*input[:begin], grouped, *input[end:])
    return wrap(_ir.apply("group_modes", input.ir, begin=begin, end=end), input)


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
    """Returns the input with ``elem`` before it, once or up to a rank."""
    return _extend("prepend", input, elem, up_to_rank)


def append(
    input: Any, elem: Any, up_to_rank: int | None = None, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the input with ``elem`` after it, once or up to a rank."""
    return _extend("append", input, elem, up_to_rank)


def prepend_ones(
    t: Any, up_to_rank: int | None = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a tensor with modes 1:0 before its own."""
    return prepend(t, make_layout(1, stride=0), up_to_rank)


def append_ones(
    t: Any, up_to_rank: int | None = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a tensor with modes 1:0 after its own."""
    return append(t, make_layout(1, stride=0), up_to_rank)
