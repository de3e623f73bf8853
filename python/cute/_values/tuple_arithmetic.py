"""Arithmetic of tuples of integers: products, quotients, comparisons."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from . import operands as _values
from .algebra import flatten_to_tuple, is_int_tuple, is_static
from .operands import IrObject, wrap

__all__ = (
    "ceil_div elem_less increment_coord product product_each product_like round_up shape_div "
    "sum_ tuple_cat"
).split()


def product(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the product of all leaves.

    >>> product((2, (3, 4)))
    24
    """
    _need_tuple(a)
    return wrap(_ir.apply("tuple_product", _values.int_tuple(a)))


def product_like(a: Any, target_profile: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the products under each leaf of a profile.

    >>> product_like((2, (3, 4)), (0, 0))
    (2, 12)
    """
    _need_tuple(a)
    if not isinstance(target_profile, (tuple, list)):
        return product(a)
    if not isinstance(a, (tuple, list)) or len(a) != len(target_profile):
        raise ValueError(
            f"{_values.show(a)} does not have the structure of {_values.show(target_profile)}"
        )
    return tuple(product_like(x, p) for x, p in zip(a, target_profile))


def product_each(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the tuple of the products of the modes.

    >>> product_each((2, (3, 4)))
    (2, 12)
    """
    _need_tuple(a)
    if not isinstance(a, (tuple, list)):
        return a
    return wrap(_ir.apply("tuple_product_each", _values.int_tuple(a)))


def _need_tuple(a: Any) -> None:
    if not is_int_tuple(tuple(a) if isinstance(a, list) else a):
        raise TypeError(f"{a!r} is not an integer or a tree of integers")


def sum_(a: Any) -> Any:
    """Returns the sum of all leaves.

    >>> sum_((2, (3, 4)))
    9
    """
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
    """Tells whether a leaf of the tiler is not an integer, or cuts several modes."""
    if isinstance(tiler, (tuple, list)) and isinstance(shape, (tuple, list)):
        return any(_cuts(s, t) for s, t in zip(shape, tiler))
    leaves = flatten_to_tuple(tiler)
    return isinstance(shape, (tuple, list)) or any(
        x is None or isinstance(x, IrObject) for x in leaves
    )


def round_up(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the next multiples of the leaves of ``b``.

    >>> round_up(13, 8), round_up((13, 3), (8, 4))
    (16, (16, 4))
    """
    return wrap(_ir.apply("round_up", _values.shape(a), _values.shape(b)))


def shape_div(lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the shape ``lhs`` divided by ``rhs``.

    >>> shape_div((8, 6), 4)
    (2, 6)
    """
    return wrap(_ir.apply("shape_div", _values.shape(lhs), _values.shape(rhs)))


def elem_less(lhs: Any, rhs: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether each leaf of ``lhs`` is below the leaf of ``rhs``.

    >>> elem_less((1, 2), (4, 8)), elem_less((4, 2), (4, 8))
    (True, False)
    """
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
    """Returns the tuples one after the other.

    >>> tuple_cat((1, 2), (3,))
    (1, 2, 3)
    """
    return tuple(x for t in tuples for x in (t if isinstance(t, tuple) else (t,)))


def increment_coord(coord: Any, shape: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the next coordinate, colexicographically.

    >>> increment_coord((3, 0), (4, 8))
    (0, 1)
    """
    found = _ir.apply("increment_coord", _values.coord(coord), _values.shape(shape))
    return wrap(found)
