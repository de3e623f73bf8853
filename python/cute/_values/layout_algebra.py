"""The layout algebra: tuples, indices, divisions and products of layouts."""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from . import text as _text, operands as _values
from .algebra import (
    _layout_of,
    _operand,
    flatten_to_tuple,
    is_static,
    make_layout,
    rank,
    slice_,
    transform_leaf,
)
from .tuple_arithmetic import *  # noqa: F403
from .tuple_arithmetic import __all__ as _of_tuples
from .tuple_modes import _tree_of
from .layout import FunctionLayout, Layout
from .numeric import Int32, Integer
from .operands import IrObject, wrap

__all__ = _of_tuples + (
    "assume blocked_product coalesce complement composition crd2idx domain_offset filter "
    "filter_zeros flat_divide flat_product idx2crd is_congruent is_weakly_congruent "
    "left_inverse local_partition local_tile logical_divide logical_product make_layout_tv "
    "max_common_layout max_common_vector pretty_str raked_product right_inverse "
    "slice_and_offset tile_to_shape tiled_divide tiled_product zipped_divide zipped_product"
).split()


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
    """Returns the coordinate of an index, colexicographically.

    >>> idx2crd(5, (4, 8))
    (1, 1)
    """
    if isinstance(shape, IrObject):
        shape = shape.shape
    return wrap(_ir.apply("idx2crd", _values.int_tuple(idx), _values.shape(shape)))


def slice_and_offset(coord: Any, src: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the slice of a layout, and the index of the slice's beginning.

    >>> slice_and_offset((None, 2), make_layout((4, 8)))
    ((4):(1), 8)
    """
    zeros = transform_leaf(lambda x: 0 if x is None else x, coord)
    return slice_(src, coord), crd2idx(zeros, src)


def domain_offset(coord: Any, tensor: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the tensor moved to begin at a coordinate, in which None is 0.

    >>> domain_offset((1, 2), make_identity_tensor((4, 8)))
    tensor<(1,2) o (4,8):(1@0,1@1)>
    """
    coord = transform_leaf(lambda c: 0 if c is None else c, coord)
    return wrap(_ir.apply("domain_offset", _values.coord(coord), tensor.ir), tensor)


# ---- Algebra ----------------------------------------------------------------


def coalesce(
    input: Any, *, target_profile: Any = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the same function of the index with as few modes as possible.

    A profile keeps its modes apart.

    >>> coalesce(make_layout((2, (1, 6)), stride=(1, (6, 2))))
    12:1
    >>> coalesce(make_layout((2, 3, 4)), target_profile=(None, None, None))
    (2,3,4):(1,2,6)
    """
    profile = [] if target_profile is None else [_values.coord(target_profile)]
    return wrap(_ir.apply("coalesce", input.ir, *profile), input)


def filter_zeros(
    input: Any, *, target_profile: Any = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the input with extent 1 where a stride is 0.

    >>> filter_zeros(make_layout((4, 8), stride=(1, 0)))
    (4,1):(1,0)
    """
    _need_layout(input)
    profile = [] if target_profile is None else [_values.coord(target_profile)]
    return wrap(_ir.apply("filter_zeros", input.ir, *profile), input)


def filter(input: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the input without modes of stride 0, coalesced.

    >>> filter(make_layout((4, 8), stride=(1, 0)))
    4:1
    """
    _need_layout(input)
    return wrap(_ir.apply("filter", input.ir), input)


def _need_layout(a: Any) -> None:
    if not isinstance(a, IrObject):
        raise TypeError(f"{a!r} is not a layout or tensor")


def composition(lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns R with R(c) = lhs(rhs(c)); for a tuple of tilers mode by mode.

    >>> composition(make_layout((6, 2), stride=(8, 2)), make_layout((4, 3), stride=(3, 1)))
    ((2,2),3):((24,2),8)
    """
    return wrap(_ir.apply("composition", lhs.ir, _values.tiler(rhs)), lhs)


def complement(input: Layout, cotarget: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the layout of the indices within a shape that the input does not reach.

    >>> complement(make_layout(4, stride=2), 24)
    (2,3):(1,8)
    """
    return wrap(_ir.apply("complement", input.ir, _operand(cotarget)))


def right_inverse(input: Layout, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns R with input(R(i)) = i.

    >>> right_inverse(make_layout((4, 8), stride=(8, 1)))
    (8,4):(4,1)
    """
    return wrap(_ir.apply("right_inverse", input.ir))


def left_inverse(input: Layout, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns R with R(input(i)) = i.

    >>> left_inverse(make_layout((4, 8), stride=(1, 5)))
    (5,8):(1,4)
    """
    return wrap(_ir.apply("left_inverse", input.ir))


def max_common_layout(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns the largest layout that both count contiguously.

    >>> max_common_layout(make_layout(8), make_layout((4, 2), stride=(1, 8)))
    4:1
    """
    return wrap(_ir.apply("max_common_layout", _layout_of(a).ir, _layout_of(b).ir))


def max_common_vector(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> int:
    """Returns how many elements are contiguous in both.

    >>> max_common_vector(make_layout(8), make_layout((4, 2), stride=(1, 8)))
    4
    """
    return wrap(_ir.apply("max_common_vector", _layout_of(a).ir, _layout_of(b).ir))


def is_congruent(a: Any, b: Any) -> bool:
    """Returns whether both have the same structure.

    >>> is_congruent((1, (2, 3)), (4, (5, 6)))
    True
    """
    a, b = _tree_of(a), _tree_of(b)
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(is_congruent(x, y) for x, y in zip(a, b))
    return not isinstance(a, (tuple, list)) and not isinstance(b, (tuple, list))


def is_weakly_congruent(a: Any, b: Any) -> bool:
    """Returns whether ``a`` is a leaf wherever the structures differ.

    >>> is_weakly_congruent((1, 2), (4, (5, 6)))
    True
    """
    a, b = _tree_of(a), _tree_of(b)
    if not isinstance(a, (tuple, list)):
        return True
    if not isinstance(b, (tuple, list)):
        return False
    return len(a) == len(b) and all(is_weakly_congruent(x, y) for x, y in zip(a, b))


def tile_to_shape(
    atom: Any, trg_shape: Any, order: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the atom repeated up to a shape, first in the mode of order 0.

    >>> tile_to_shape(make_layout((8, 4)), (16, 8), order=(0, 1))
    ((8,2),(4,2)):((1,32),(8,64))
    """
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
logical_divide.__doc__ = """Returns each mode as ((tile), (rest)).

>>> logical_divide(make_layout((8, 6)), (2, 3))
((2,4),(3,2)):((1,2),(8,24))
"""
zipped_divide = _tiled("zipped_divide")
zipped_divide.__doc__ = """Returns ((tiles of the modes), (rests of the modes)).

>>> zipped_divide(make_layout((8, 6)), (2, 3))
((2,3),(4,2)):((1,8),(2,24))
"""
tiled_divide = _tiled("tiled_divide")
tiled_divide.__doc__ = """Returns ((tiles of the modes), rest, rest, ...).

>>> tiled_divide(make_layout((8, 6)), (2, 3))
((2,3),4,2):((1,8),2,24)
"""
flat_divide = _tiled("flat_divide")
flat_divide.__doc__ = """Returns (tile, tile, ..., rest, rest, ...).

>>> flat_divide(make_layout((8, 6)), (2, 3))
(2,3,4,2):(1,8,2,24)
"""
logical_product = _product("logical_product")
logical_product.__doc__ = """Returns (block, tiler): the block repeated according to the tiler.

>>> logical_product(make_layout((2, 2)), make_layout(3))
((2,2),3):((1,2),4)
"""
zipped_product = _product("zipped_product")
zipped_product.__doc__ = """Returns ((block's modes), (tiler's modes)).

>>> zipped_product(make_layout((2, 2)), make_layout((3, 4)))
((2,2),(3,4)):((1,2),(4,12))
"""
tiled_product = _product("tiled_product")
tiled_product.__doc__ = """Returns ((block's modes), tiler's modes ...).

>>> tiled_product(make_layout((2, 2)), make_layout((3, 4)))
((2,2),3,4):((1,2),4,12)
"""
flat_product = _product("flat_product")
flat_product.__doc__ = """Returns (block's modes ..., tiler's modes ...).

>>> flat_product(make_layout((2, 2)), make_layout((3, 4)))
(2,2,3,4):(1,2,4,12)
"""
blocked_product = _product("blocked_product")
blocked_product.__doc__ = """Returns each mode as (block, tiler): blocks side by side.

>>> blocked_product(make_layout((2, 2)), make_layout((3, 4)))
((2,3),(2,4)):((1,4),(2,12))
"""
raked_product = _product("raked_product")
raked_product.__doc__ = """Returns each mode as (tiler, block): blocks interleaved.

>>> raked_product(make_layout((2, 2)), make_layout((3, 4)))
((3,2),(4,2)):((4,1),(12,2))
"""


def local_tile(
    input: Any, tiler: Any, coord: Any, proj: Any = None, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the tile at a coordinate; None in it keeps the mode of the rest.

    ``proj`` has None for the modes of tiler and coordinate to leave out; their modes
    beyond its own stay. For a tensor with one mode, the tile of ``(8,)`` has no tuple
    around its mode.
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
    """Returns the part of a tensor that thread ``index`` of a layout of threads has."""
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

    :param pow2: whether it is a power of two, too; this is not used

    >>> assume(8, divby=4)
    8
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
    """Returns a short readable text of a value.

    >>> print(pretty_str((2, (3, 4))))
    (2,(3,4))
    """
    return _values.show(arg)


def make_layout_tv(
    thr_layout: Layout, val_layout: Layout, *, loc: Any = None, ip: Any = None
) -> tuple[Any, Layout]:
    """Returns the tiler and the layout (thread, value) -> index in the tile.

    :param thr_layout: (m, n) -> thread, compact
    :param val_layout: (m, n) -> value

    >>> tiler, layout = make_layout_tv(make_layout((4, 8), stride=(8, 1)), make_layout((2, 4)))
    >>> tiler, layout
    ((8, 32), ((8,4),(2,4)):((32,2),(1,8)))
    """
    tile, layout = _ir.apply("make_layout_tv", thr_layout.ir, val_layout.ir)
    return wrap(tile), wrap(layout)
