"""The layout algebra: tuples, indices, divisions and products of layouts."""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from . import text as _text, operands as _values
from .algebra import (
    _is_equal,
    _layout_of,
    _operand,
    _tree_of,
    flatten_to_tuple,
    front,
    is_int_tuple,
    is_static,
    make_layout,
    rank,
    size,
    slice_,
    transform_leaf,
)
from .layout import FunctionLayout, Layout
from .numeric import Int32, Integer
from .operands import IrObject, wrap

__all__ = (
    "assume blocked_product ceil_div coalesce complement composition crd2idx "
    "domain_offset elem_less filter filter_zeros flat_divide flat_product idx2crd "
    "increment_coord is_congruent is_weakly_congruent left_inverse local_partition "
    "local_tile logical_divide logical_product make_layout_tv max_common_layout "
    "max_common_vector "
    "pretty_str product product_each product_like raked_product right_inverse "
    "round_up shape_div slice_and_offset sum_ tile_to_shape tiled_divide "
    "tiled_product tuple_cat zipped_divide zipped_product"
).split()


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
    >>> ceil_div((6, 4), 8)
    3
    """
    as_operand = _values.tile_operand if _cuts(input, tiler) else _values.shape
    return wrap(_ir.apply("ceil_div", _values.shape(input), as_operand(tiler)))


def _cuts(shape: Any, tiler: Any) -> bool:
    """Tells whether a leaf of the tiler is no integer, or cuts several modes."""
    if isinstance(tiler, (tuple, list)) and isinstance(shape, (tuple, list)):
        return any(_cuts(s, t) for s, t in zip(shape, tiler))
    leaves = flatten_to_tuple(tiler)
    return isinstance(shape, (tuple, list)) or any(
        x is None or isinstance(x, IrObject) for x in leaves
    )


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
    """Returns the tensor seen from a coordinate on, in which None is 0."""
    coord = transform_leaf(lambda c: 0 if c is None else c, coord)
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
    return wrap(_ir.apply("max_common_layout", _layout_of(a).ir, _layout_of(b).ir))


def max_common_vector(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> int:
    """Returns how many elements lie side by side in both."""
    return wrap(_ir.apply("max_common_vector", _layout_of(a).ir, _layout_of(b).ir))


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
        whole = _without_leaves(target, tiler)
        return wrap(_ir.apply(name, whole, _values.tiler(tiler)), target)

    divide.__name__ = divide.__qualname__ = name
    return divide


def _without_leaves(target: Any, tiler: Any) -> _ir.Operand:
    """Returns a static target with each mode that is cut coalesced.

    The operation counts tiles along each leaf, as the open dialect's does: too
    few or too many where a tile ends inside one. A tiler of scaled bases cuts
    the modes that these name, not the whole.
    """
    shape = target.shape
    bases = any(
        isinstance(t, Layout) and "@" in str(t) for t in flatten_to_tuple(tiler)
    )
    if bases or not is_static(shape) or not _cuts_modes(shape, tiler):
        return target.ir
    profile = _values.coord(_profile(shape, tiler))
    return _ir.apply("coalesce", target.ir, profile)


def _cuts_modes(shape: Any, tiler: Any) -> bool:
    """Tells whether a leaf of the tiler cuts several modes of the shape."""
    if tiler is None or not isinstance(shape, tuple):
        return False
    if isinstance(tiler, (tuple, list)):
        return any(_cuts_modes(s, t) for s, t in zip(shape, tiler))
    return True


def _profile(shape: Any, tiler: Any) -> Any:
    """Returns 1 for each mode that is cut, and others as they are."""
    if tiler is None or (isinstance(tiler, (tuple, list)) and not tiler):
        return transform_leaf(lambda _: 1, shape)
    if not isinstance(tiler, (tuple, list)) or not isinstance(shape, tuple):
        return 1
    return tuple(_profile(s, t) for s, t in zip(shape, tiler))


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
    these behind its own stay. Of a tensor of one mode, the tile of ``(8,)`` has
    no tuple around its mode.
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
    made = wrap(found, input)
    if isinstance(tiler, tuple) and len(tiler) == 1 and rank(input) == 1:
        return slice_(made, ((None,), *[None] * (rank(made) - 1)))
    return made


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


def assume(
    src: Any, divby: Any = None, pow2: bool = False, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the integer or pointer with a promised divisor.

    :param pow2: that it is a power of two is promised, too, of which nothing is made
    """
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


def make_layout_tv(
    thr_layout: Layout, val_layout: Layout, *, loc: Any = None, ip: Any = None
) -> tuple[Any, Layout]:
    """Returns the tiler and the layout (thread, value) -> index in the tile.

    :param thr_layout: (m, n) -> thread, compact
    :param val_layout: (m, n) -> value
    """
    tile, layout = _ir.apply("make_layout_tv", thr_layout.ir, val_layout.ir)
    return wrap(tile), wrap(layout)
