"""Mean and variance of rows by one exchange of numbers.

A warp w has n_w elements x of a row, their mean m_w, S_w, the sum of (x - m_w)^2, and of a second
number h for each element P_w, the sum of (x - m_w) h, and H_w, that of h. With n elements in all

    m = sum of n_w m_w / n
    sum of (x - m)^2 = sum of S_w + n_w (m_w - m)^2
    sum of (x - m) h = sum of P_w + (m_w - m) H_w

(Chan, Golub and LeVeque, 1979). A warp may add up x - c for an element c in place of x - m_w, and
warps take in place of m_w - m the distance d_w of m_w to the first warp's mean: for any c

    sum of (x - m)^2 = sum of (x - c)^2 - n (m - c)^2
    sum of (x - m) h = sum of (x - c) h - (m - c) sum of h

where c is as near as one of the numbers, or their mean over a warp, are to m, and one pass and
one exchange make all sums. At worst, if c alone is far from all other elements, n times the error of
a sum remains, for the n of a warp, and n / n_w times for warps.
"""

from __future__ import annotations

from typing import Any

from .. import arch
from .._values.numeric import Float32, Int32, maximum, minimum
from . import _access, _rows


def count_of_warp(row: Any) -> Any:
    """Returns how many elements a warp has of a row that fits, as Float32."""
    plan, found = row.plan, Int32(0)
    first = row.t - row.t % _rows.WARP
    for i in range(plan.pieces):
        left = Int32(row.columns) // plan.piece - (first + i * plan.threads)
        found = found + maximum(minimum(left, Int32(_rows.WARP)), Int32(0))
    return Float32(found * plan.piece)


def mean_of_warp(total: Any, count: Any) -> Any:
    """Returns the mean of a warp's elements from the sum of each thread's; 0 of none.

    What was read of them from shared memory is read anew after it, as registers are too few to
    keep it.
    """
    arch.sync_warp()
    return _access.quotient(_access.across("add", total), _access.larger(count, 1.0))


def about_mean(count: Any, first: Any, total: Any, square: Any, product: Any = None,
               least: Any = None) -> list[Any]:
    """Returns n_w, m_w and S_w of a warp, and P_w and H_w if there are products.

    :param total: the sum of x - c for the element c, ``first``; ``square`` and ``product`` are the sums
        of its square and of its products with h, ``least`` that of h
    """
    mean = _access.quotient(total, _access.larger(count, 1.0))
    found = [count, first + mean, _access.larger(square - total * mean, 0.0)]
    return found if product is None else [*found, product - mean * least, least]


def combine(row: Any, warps: Any, first: Any) -> Any:
    """Returns the mean of a row, and the means of its squares, of products and of h.

    :param warps: for lanes to combine: [n_w, m_w, S_w], and P_w and H_w where there are some
    :param first: m_w of the first warp
    """
    found = []
    for n, m, s, *products in warps:
        d = _rows.choose(n > 0, m - first, Float32(0.0))
        x = [n * d, s + n * d * d]
        if products:
            p, h = products
            x += [p + d * h, h]
        found.append(x)
    d, square, *products = means_of(row, found)
    made = [first + d, _access.larger(square - d * d, 0.0)]
    if products:
        product, least = products
        made += [product - d * least, least]
    return made


def means_of(row: Any, warps: Any) -> Any:
    """Returns sums of numbers of the warps of a row, divided by its length."""
    sums = [_access.across("add", _rows.sum_of_all(x), _rows.lanes(row) % _rows.WARP)
            for x in zip(*warps)]
    return [_access.quotient(x, Float32(row.columns)) for x in sums]
