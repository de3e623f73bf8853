"""Functions on tuples, layouts and tensors, with the reference's names.

What is static is computed at once; a program under construction gets
operations for the rest. ``loc`` and ``ip`` are taken for compatibility: places
come from the caller's line, and operations go where the program is.
"""

from __future__ import annotations

from typing import Any, Callable

from . import _ir, _text, _values
from ._layout import ComposedLayout, FunctionLayout, Layout
from ._numeric import Int16, Int32, Integer, Numeric
from ._values import IrObject, ScaledBasis, wrap

__all__ = (
    "append append_ones assume blocked_product ceil_div coalesce complement "
    "composition cosize crd2idx depth dice domain_offset elem_less filter "
    "filter_zeros find flat_divide flat_product flatten flatten_to_tuple front get "
    "group_modes has_underscore idx2crd increment_coord is_congruent is_int_tuple "
    "is_integer is_major is_static is_weakly_congruent leading_dim left_inverse "
    "local_partition local_tile logical_divide logical_product make_composed_layout "
    "make_identity_layout make_layout make_layout_image_mask make_layout_like "
    "make_layout_tv make_ordered_layout max_common_layout max_common_vector prepend "
    "prepend_ones pretty_str product product_each product_like raked_product rank recast_layout "
    "repeat repeat_as_tuple repeat_like right_inverse round_up select shape_div size "
    "size_in_bytes slice_ slice_and_offset sum_ tile_to_shape tiled_divide "
    "tiled_product transform_leaf tuple_cat unflatten zipped_divide zipped_product"
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

    An int where it is known, else an Int32.

    :raises ValueError: for a mode that is no list of ints
    """
    if isinstance(a, FunctionLayout):
        a = a.outer
    if hasattr(a, "__cute_size__"):
        return a.__cute_size__()
    return wrap(_ir.apply("size", _operand(a), mode=_path(mode)))


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
    4:4
    """
    if isinstance(src, FunctionLayout):
        raise TypeError("a layout with a Python function cannot be sliced")
    found = _ir.apply("slice", _operand(src, "int_tuple"), _values.coord(coord))
    return wrap(found, src)


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


def make_layout_tv(
    thr_layout: Layout, val_layout: Layout, *, loc: Any = None, ip: Any = None
) -> tuple[Any, Layout]:
    """Returns the tiler and the layout (thread, value) -> index in the tile.

    :param thr_layout: (m, n) -> thread, compact
    :param val_layout: (m, n) -> value
    """
    mn = raked_product(thr_layout, val_layout)
    shape = product_each(mn.shape)
    threads, values = size(thr_layout), size(val_layout)
    both = make_layout((threads, values))
    inverse = right_inverse(mn)
    tv = composition(inverse, both)
    return shape, tv


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
    """Returns the first leaf of a tuple."""
    while isinstance(input, (tuple, list)):
        input = input[0]
    return input


def is_major(mode: int, stride: Any, *, loc: Any = None, ip: Any = None) -> bool:
    """Says whether the stride of a mode begins with 1."""
    first = front(stride[mode])
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


# ---- Tuples -----------------------------------------------------------------


def product(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the product of all leaves."""
    _need_tuple(a)
    return wrap(_ir.apply("tuple_product", _values.int_tuple(a)))


def product_like(a: Any, target_profile: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the products under each leaf of a profile."""
    _need_tuple(a)
    if not isinstance(target_profile, (tuple, list)):
        return product(a)
    if not isinstance(a, (tuple, list)) or len(a) != len(target_profile):
        raise ValueError(
            f"{_values.show(a)} has not the structure of {_values.show(target_profile)}"
        )
    return tuple(product_like(x, p) for x, p in zip(a, target_profile))


def product_each(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the tuple of the products of the modes."""
    _need_tuple(a)
    if not isinstance(a, (tuple, list)):
        return a
    return wrap(_ir.apply("tuple_product_each", _values.int_tuple(a)))


def _need_tuple(a: Any) -> None:
    if not is_int_tuple(tuple(a) if isinstance(a, list) else a):
        raise TypeError(f"{a!r} is no integer or tree of integers")


def sum_(a: Any) -> Any:
    """Returns the sum of all leaves."""
    return sum(flatten_to_tuple(a))


def ceil_div(input: Any, tiler: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of tiles that cover a shape, mode by mode.

    >>> ceil_div((10, 6), (3, 4))
    (4, 2)
    """
    divisor = tiler.ir if isinstance(tiler, Layout) else _divisor(tiler)
    return wrap(_ir.apply("ceil_div", _values.shape(input), divisor))


def _divisor(tiler: Any) -> _ir.Operand:
    leaves = flatten_to_tuple(tiler)
    if any(x is None or isinstance(x, IrObject) for x in leaves):
        return _values.tiler(tiler)
    return _values.shape(tiler)


def round_up(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the next multiples of the leaves of ``b``."""
    return wrap(_ir.apply("round_up", _values.shape(a), _values.shape(b)))


def shape_div(lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the shape that is left of ``lhs`` divided by ``rhs``."""
    return wrap(_ir.apply("shape_div", _values.shape(lhs), _values.shape(rhs)))


def elem_less(lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Says whether all leaves of ``lhs`` are below those of ``rhs``."""
    if is_static(lhs) and is_static(rhs):
        return _less(lhs, rhs)
    return wrap(_ir.apply("elem_less", _values.coord(lhs), _values.coord(rhs)))


def _less(a: Any, b: Any) -> bool:
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return all(_less(x, y) for x, y in zip(a, b))
    if isinstance(a, (tuple, list)):
        a = product(tuple(a))
    if isinstance(b, (tuple, list)):
        b = product(tuple(b))
    return a < b


def tuple_cat(*tuples: Any) -> tuple[Any, ...]:
    """Returns the tuples one after the other."""
    return tuple(x for t in tuples for x in (t if isinstance(t, tuple) else (t,)))


def increment_coord(coord: Any, shape: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the next coordinate, colexicographically."""
    found = _ir.apply("increment_coord", _values.coord(coord), _values.shape(shape))
    return wrap(found)


# ---- Indices ----------------------------------------------------------------


def crd2idx(coord: Any, layout: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the index of a coordinate in a layout, or in a compact shape.

    >>> crd2idx((2, 3), make_layout((5, 4), stride=(4, 1)))
    11
    """
    if isinstance(layout, FunctionLayout):
        return layout(coord)
    if isinstance(layout, IrObject):
        return _layout_of(layout)(coord)
    found = _ir.apply("crd2idx", _values.coord(coord), _values.shape(layout))
    return wrap(found)


def idx2crd(idx: Any, shape: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the coordinate of an index, colexicographically."""
    if isinstance(shape, IrObject):
        shape = shape.shape
    return wrap(_ir.apply("idx2crd", _values.int_tuple(idx), _values.shape(shape)))


def slice_and_offset(coord: Any, src: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the slice of a layout, and the index of the slice's beginning."""
    zeros = transform_leaf(lambda x: 0 if x is None else x, coord)
    return slice_(src, coord), crd2idx(zeros, src)


def domain_offset(coord: Any, tensor: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the tensor seen from a coordinate on."""
    return wrap(_ir.apply("domain_offset", _values.coord(coord), tensor.ir), tensor)


# ---- Algebra ----------------------------------------------------------------


def coalesce(
    input: Any, *, target_profile: Any = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the same function of the index with as few modes as possible.

    A profile keeps its modes apart.
    """
    profile = [] if target_profile is None else [_values.coord(target_profile)]
    return wrap(_ir.apply("coalesce", input.ir, *profile), input)


def filter_zeros(
    input: Any, *, target_profile: Any = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the input with extent 1 where a stride is 0."""
    _need_layout(input)
    profile = [] if target_profile is None else [_values.coord(target_profile)]
    return wrap(_ir.apply("filter_zeros", input.ir, *profile), input)


def filter(input: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the input without modes of stride 0, coalesced."""
    _need_layout(input)
    return wrap(_ir.apply("filter", input.ir), input)


def _need_layout(a: Any) -> None:
    if not isinstance(a, IrObject):
        raise TypeError(f"{a!r} is no layout or tensor")


def composition(lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns R with R(c) = lhs(rhs(c)); of a tuple of tilers mode by mode."""
    return wrap(_ir.apply("composition", lhs.ir, _values.tiler(rhs)), lhs)


def complement(input: Layout, cotarget: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the layout of what the input does not reach within a shape."""
    return wrap(_ir.apply("complement", input.ir, _operand(cotarget)))


def right_inverse(input: Layout, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns R with input(R(i)) = i."""
    return wrap(_ir.apply("right_inverse", input.ir))


def left_inverse(input: Layout, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns R with R(input(i)) = i."""
    return wrap(_ir.apply("left_inverse", input.ir))


def max_common_layout(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns the largest layout that both count contiguously."""
    a, b = _layout_of(a), _layout_of(b)
    common = coalesce(composition(a, right_inverse(b)))
    first = front(common.shape)
    if front(common.stride) != 1 or not isinstance(first, int):
        return make_layout(1, stride=0)
    return composition(right_inverse(b), make_layout(first))


def max_common_vector(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> int:
    """Returns how many elements lie side by side in both."""
    a, b = _layout_of(a), _layout_of(b)
    common = coalesce(composition(a, right_inverse(b)))
    first = front(common.shape)
    is_one = isinstance(first, int) and _is_equal(front(common.stride), 1)
    return first if is_one else 1


def is_congruent(a: Any, b: Any) -> bool:
    """Says whether both have the same structure."""
    a, b = _tree_of(a), _tree_of(b)
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(is_congruent(x, y) for x, y in zip(a, b))
    return not isinstance(a, (tuple, list)) and not isinstance(b, (tuple, list))


def is_weakly_congruent(a: Any, b: Any) -> bool:
    """Says whether ``a`` is a leaf wherever the structures differ."""
    a, b = _tree_of(a), _tree_of(b)
    if not isinstance(a, (tuple, list)):
        return True
    if not isinstance(b, (tuple, list)):
        return False
    return len(a) == len(b) and all(is_weakly_congruent(x, y) for x, y in zip(a, b))


def tile_to_shape(
    atom: Any, trg_shape: Any, order: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the atom repeated up to a shape, first in the mode of order 0."""
    return wrap(
        _ir.apply(
            "tile_to_shape", atom.ir, _values.shape(trg_shape), _values.int_tuple(order)
        )
    )


def _tiled(name: str) -> Callable[..., Any]:
    def divide(target: Any, tiler: Any, *, loc: Any = None, ip: Any = None) -> Any:
        return wrap(_ir.apply(name, target.ir, _values.tiler(tiler)), target)

    divide.__name__ = divide.__qualname__ = name
    return divide


def _product(name: str) -> Callable[..., Any]:
    def multiply(block: Any, tiler: Any, *, loc: Any = None, ip: Any = None) -> Any:
        return wrap(_ir.apply(name, block.ir, make_layout(tiler).ir), block)

    multiply.__name__ = multiply.__qualname__ = name
    return multiply


logical_divide = _tiled("logical_divide")
logical_divide.__doc__ = "Returns each mode as ((tile), (rest))."
zipped_divide = _tiled("zipped_divide")
zipped_divide.__doc__ = "Returns ((tiles of the modes), (rests of the modes))."
tiled_divide = _tiled("tiled_divide")
tiled_divide.__doc__ = "Returns ((tiles of the modes), rest, rest, ...)."
flat_divide = _tiled("flat_divide")
flat_divide.__doc__ = "Returns (tile, tile, ..., rest, rest, ...)."
logical_product = _product("logical_product")
logical_product.__doc__ = "Returns (block, tiler): the block repeated as the tiler says."
zipped_product = _product("zipped_product")
zipped_product.__doc__ = "Returns ((block's modes), (tiler's modes))."
tiled_product = _product("tiled_product")
tiled_product.__doc__ = "Returns ((block's modes), tiler's modes ...)."
flat_product = _product("flat_product")
flat_product.__doc__ = "Returns (block's modes ..., tiler's modes ...)."
blocked_product = _product("blocked_product")
blocked_product.__doc__ = "Returns each mode as (block, tiler): blocks side by side."
raked_product = _product("raked_product")
raked_product.__doc__ = "Returns each mode as (tiler, block): blocks interleaved."


def local_tile(
    input: Any, tiler: Any, coord: Any, proj: Any = None, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the tile at a coordinate; None in it keeps the mode of the rest.

    ``proj`` has None for the modes of tiler and coordinate to leave out; modes of
    these behind its own stay.
    """
    if proj is not None and isinstance(coord, tuple) and len(coord) > len(proj):
        kept = [i >= len(proj) or proj[i] is not None for i in range(len(coord))]
        coord = tuple(c for c, keep in zip(coord, kept) if keep)
        tiler = tuple(t for t, keep in zip(tiler, kept) if keep)
        proj = None
    found = _ir.apply(
        "local_tile",
        input.ir,
        _values.tiler(tiler),
        _values.coord(coord),
        proj=None if proj is None else _text_of_profile(proj),
    )
    return wrap(found, input)


def local_partition(
    target: Any, tiler: Any, index: Any, proj: Any = 1, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns what thread ``index`` of a layout of threads has of a tensor."""
    threads = tiler.ir if isinstance(tiler, Layout) else _values.shape(tiler)
    found = _ir.apply(
        "local_partition",
        target.ir,
        threads,
        _values.index(index),
        proj=None if proj == 1 else _text_of_profile(proj),
    )
    return wrap(found, target)


def _text_of_profile(tree: Any) -> str:
    if isinstance(tree, (tuple, list)):
        return "(" + ",".join(_text_of_profile(x) for x in tree) + ")"
    return "_" if tree is None else str(tree)


def assume(src: Any, divby: Any = None, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the integer or pointer, of which a divisor is promised."""
    if divby is None or isinstance(src, int):
        return src
    if not isinstance(src, Integer):
        raise TypeError(f"a divisor is promised of an integer, not of {src!r}")
    divisor = int(divby)
    width = 64 if src.width == 64 else 32
    made = _ir.type(f'!cute.int_tuple<"{_text.Dynamic(width, divisor)}">')
    number = src if src.width in (32, 64) else Int32(src)
    return wrap(_ir.apply("make_int_tuple", number.ir_value(), results=[made]))


def pretty_str(arg: Any) -> str:
    """Returns a short readable text of a value."""
    return _values.show(arg)
