"""Vectors in registers: constants, and choices element by element."""

from __future__ import annotations

import functools
import itertools
import operator
from typing import Any, Sequence

from ._values.array import Vector
from ._values.tensor_ssa import TensorSSA, all_, any_, vector_of
from ._values.tensor_ssa import empty_like, full_like, ones_like, zeros_like
from ._values.tensor_ssa import full as _full
from ._values.tensor_ssa import where as _where

__all__ = [
    "Vector",
    "all_",
    "any_",
    "broadcast_to",
    "create_mask",
    "empty_like",
    "full",
    "full_like",
    "ones_like",
    "outerproduct",
    "print_nd_vector",
    "where",
    "zeros_like",
]


def full(shape: Any, fill_value: Any, dtype: Any = None, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the vector of one number."""
    from ._values.numeric import as_numeric

    return _full(shape, fill_value, dtype or type(as_numeric(fill_value)))


def create_mask(
    shape: Sequence[int], dim_sizes: Sequence[Any], *, loc: Any = None, ip: Any = None
) -> TensorSSA:
    """Returns a vector of Booleans: of coordinates that are below a bound in each mode.

    :param dim_sizes: the bounds, one for each mode; they may be dynamic

    For example::

        create_mask((8,), (n,))  # whether i < n
    """
    from ._values.numeric import Boolean

    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    if len(dim_sizes) != len(extents):
        raise ValueError(f"{extents} has {len(extents)} modes, and {len(dim_sizes)} bounds are given")
    below = [[Boolean(i < bound) for i in range(n)] for n, bound in zip(extents, dim_sizes)]
    found = [functools.reduce(operator.and_, row) for row in itertools.product(*below[::-1])]
    return TensorSSA(vector_of(found, Boolean).ir_value(), extents, Boolean)


def where(cond: Any, x: Any, y: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns x where the condition holds, y elsewhere."""
    return _where(cond, x, y)


def broadcast_to(
    src: Any, target_shape: Sequence[int], *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a number or vector repeated along new first modes and modes of extent 1."""
    target = tuple(target_shape)
    if not isinstance(src, TensorSSA):
        return full(target, src)
    shape = src.shape if isinstance(src.shape, tuple) else (src.shape,)
    return src.reshape((1,) * (len(target) - len(shape)) + shape).broadcast_to(target)


def outerproduct(
    a: Any, b: Any, acc: Any = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the matrix of the products of two vectors' elements, added to ``acc``."""
    x, y = a.reshape((a.size, 1)), b.reshape((1, b.size))
    made = x * y
    return made if acc is None else made + acc


def print_nd_vector(src: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Prints a vector when the program runs, a row for each index of all modes but the last."""
    from ._values.printing import printf

    shape = src.shape if isinstance(src.shape, tuple) else (src.shape,)
    for place in itertools.product(*map(range, shape[:-1])):
        row = [src[(*place, i)] if place else src[i] for i in range(shape[-1])]
        printf("[" + ", ".join(["{}"] * len(row)) + "]", *row)
