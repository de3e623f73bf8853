"""Mean and variance of rows by one exchange of numbers.

A warp w has n_w elements x of a row, their mean m_w, S_w, the sum of (x - m_w)^2, and of a second
number h for each element P_w, the sum of (x - m_w) h, and H_w, that of h. With n elements in all

    m = sum of n_w m_w / n
    sum of (x - m)^2 = sum of S_w + n_w (m_w - m)^2
    sum of (x - m) h = sum of P_w + (m_w - m) H_w

so that no number is a difference of large ones (Chan, Golub and LeVeque, 1979).
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


def combine(row: Any, warps: Any) -> Any:
    """Returns the mean of a row, and the means of its squares, of products and of h.

    :param warps: for lanes to combine: [n_w, m_w, S_w], and P_w and H_w where there are some
    """
    mean, = means_of(row, [[n * m] for n, m, *_ in warps])
    found = [[s + n * (m - mean) * (m - mean)] for n, m, s, *_ in warps]
    if len(warps[0]) > 3:
        found = [[*x, p + (m - mean) * h, h] for x, (_, m, _, p, h) in zip(found, warps)]
    return [mean, *means_of(row, found)]


def means_of(row: Any, warps: Any) -> Any:
    """Returns sums of numbers of the warps of a row, divided by its length."""
    sums = [_access.across("add", _rows.sum_of_all(x), _rows.lanes(row) % _rows.WARP)
            for x in zip(*warps)]
    return [_access.quotient(x, Float32(row.columns)) for x in sums]
