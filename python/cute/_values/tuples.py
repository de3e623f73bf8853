"""Functions on tuples, and questions about layouts and integers."""

from __future__ import annotations

import re
from typing import Any, Callable

from .._compile import ir as _ir
from . import algebra as _algebra, operands as _values
from .layout import ComposedLayout, Layout, Swizzle, make_swizzle
from .numeric import Integer
from .operands import ScaledBasis

__all__ = (
    "basis_get basis_value filter_tuple find_if get_divisibility get_nonswizzle_portion "
    "get_swizzle_portion is_int_tuple_type mangle nullspace transform_apply unwrap wrap_tuple"
).split()


def wrap_tuple(x: Any) -> tuple[Any, ...]:
    """Returns a tuple: the value itself, or a tuple of it alone."""
    return x if isinstance(x, tuple) else (x,)


def unwrap(x: Any) -> Any:
    """Returns the item of a tuple of one item, unwrapped repeatedly; else x itself.

    >>> unwrap((3,)), unwrap((3, 4))
    (3, (3, 4))
    """
    while isinstance(x, tuple) and len(x) == 1:
        x = x[0]
    return x


def transform_apply(*args: Any, f: Callable[..., Any], g: Callable[..., Any]) -> Any:
    """Returns g of f's results for corresponding items of tuples, or for values that are
    not tuples.

    >>> transform_apply((1, 2, 3), f=lambda x: 2 * x, g=lambda *all: sum(all))
    12
    """
    if not isinstance(args[0], tuple):
        return g(f(*args))
    return g(*(f(*items) for items in zip(*args)))


def filter_tuple(*args: Any, f: Callable[..., tuple[Any, ...]]) -> tuple[Any, ...]:
    """Returns the concatenation of f's tuples for corresponding items of tuples.

    >>> filter_tuple((1, 2, 3), f=lambda x: (x,) if x > 1 else ())
    (2, 3)
    """
    return transform_apply(*args, f=f, g=lambda *parts: sum(map(tuple, parts), ()))


def find_if(
    t: Any, pred_fn: Callable[[Any, Any], bool], hierarchical: bool = True,
    *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the place of the first leaf for which ``pred_fn(leaf, place)`` holds, or None.

    :param hierarchical: the place within a nested tuple is a tuple; otherwise only the
    items of the outermost tuple are searched

    >>> find_if((2, (3, 4)), lambda x, i: x > 2)
    (1, 0)
    """
    if not isinstance(t, tuple):
        return 0 if pred_fn(t, 0) else None
    return _find(t, pred_fn, hierarchical, ())


def _find(t: tuple[Any, ...], pred_fn: Any, hierarchical: bool, path: tuple[int, ...]) -> Any:
    for i, item in enumerate(t):
        place = (*path, i)
        if hierarchical and isinstance(item, tuple):
            found = _find(item, pred_fn, True, place)
            if found is not None:
                return found
        elif pred_fn(item, place if path else i):
            return place if path else i
    return None


def basis_value(e: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of a scaled basis; an integer itself.

    >>> basis_value(3 * E(1))
    3
    """
    return e.value if isinstance(e, ScaledBasis) else e


def basis_get(basis: Any, t: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the part of a tuple or layout that a scaled basis names; all of it for an
    integer.

    >>> basis_get(E(1), (2, (3, 4)))
    (3, 4)
    """
    if not isinstance(basis, ScaledBasis):
        return t
    for mode in basis.mode:
        t = _algebra.get(t, mode=[mode])
    return t


def get_divisibility(x: Any, *, loc: Any = None, ip: Any = None) -> int:
    """Returns the known divisor of an integer; for a known integer, the integer itself.

    >>> get_divisibility(24)
    24
    """
    if isinstance(x, int):
        return abs(x)
    if not isinstance(x, Integer):
        raise TypeError(f"expected an integer, not {x!r}")
    if x.is_static:
        return abs(int(x))
    text = _ir.text_of(_ir.type_of(_values.int_tuple(x)))
    found = re.search(r"div=(\d+)", text)
    return int(found[1]) if found else 1


def get_swizzle_portion(layout: Any, *, loc: Any = None, ip: Any = None) -> Swizzle:
    """Returns the swizzle of a layout, S<0,4,3> if it has none.

    >>> get_swizzle_portion(make_composed_layout(make_swizzle(2, 0, 3), 0, make_layout((8, 8))))
    S<2,0,3>
    """
    inner = layout.inner if isinstance(layout, ComposedLayout) else None
    return inner if isinstance(inner, Swizzle) else make_swizzle(0, 4, 3)


def get_nonswizzle_portion(layout: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns a layout without its swizzle.

    >>> get_nonswizzle_portion(make_composed_layout(make_swizzle(2, 0, 3), 0, make_layout((8, 8))))
    (8,8):(1,8)
    """
    is_swizzled = isinstance(layout, ComposedLayout) and isinstance(layout.inner, Swizzle)
    return layout.outer if is_swizzled else layout


def nullspace(layout: Layout, *, loc: Any = None, ip: Any = None) -> Layout:
    """Returns the layout of the indices that a static layout maps to 0.

    The modes of stride 0 in their order, 1:0 if there are none.

    >>> nullspace(make_layout((4, 8), stride=(1, 0)))
    8:4
    """
    flat = _algebra.flatten(layout)
    shapes, strides = (_algebra.flatten_to_tuple(x) for x in (flat.shape, flat.stride))
    kept, step = [], 1
    for extent, stride in zip(shapes, strides):
        if isinstance(stride, int) and stride == 0 and extent != 1:
            kept.append((extent, step))
        step *= extent
    if not kept:
        return _algebra.make_layout(1, stride=0)
    made = tuple(zip(*kept))
    return _algebra.make_layout(unwrap(made[0]), stride=unwrap(made[1]))


def is_int_tuple_type(t: Any) -> bool:
    """Returns whether a type is ``IntTuple``, its name in annotations."""
    from ..typing import IntTuple

    return t is IntTuple


def mangle(name: str) -> str:
    """Returns a text as a C name: other characters than letters and digits become ``_``."""
    made = re.sub(r"\W", "_", name)
    return f"_{made}" if made[:1].isdigit() else made
