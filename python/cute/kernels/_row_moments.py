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
from .. import math as _math
from .._compile.jit import jit
from .._values.numeric import Float32, Int32, maximum, minimum
from .._values.tensor_ssa import ReductionOp
from . import _access, _rows
from ._row_exchange import across_each, lanes_for


def count_of_warp(row: Any) -> Any:
    """Returns how many elements the thread's warp has of a row that fits, as Float32."""
    return count_of(row, row.t - row.t % _rows.WARP, _rows.WARP)


def count_of(row: Any, first: Any, threads: int) -> Any:
    """Returns how many elements some threads of a row that fits have, as Float32.

    :param first: the place of the first of them
    """
    plan, found = row.plan, Int32(0)
    for i in range(plan.pieces):
        left = Int32(row.columns) // plan.piece - (first + i * plan.threads)
        found = found + maximum(minimum(left, Int32(threads)), Int32(0))
    return Float32(found * plan.piece)


def mean_of_warp(total: Any, count: Any) -> Any:
    """Returns the mean of a warp's elements from the sum of each thread's; 0 of none.

    What was read of them from shared memory is read anew after it, as registers are too few to
    keep it.
    """
    arch.sync_warp()
    return mean(_access.across("add", total), count)


def mean(total: Any, count: Any) -> Any:
    """Returns the mean of numbers from their sum; 0 of none."""
    return _access.quotient(total, _access.larger(count, 1.0))


def combine(parts: Any, first: Any, count: Any, lanes: int) -> list[Any]:
    """Returns m and S of a row, or of some of it, and P and H if there are products.

    :param parts: of warps, for lanes to combine: [n_w, m_w, S_w], and P_w and H_w where there are some
    :param first: m_w of one of them
    :param count: the sum of all n_w
    """
    found = []
    for n, m, s, *products in parts:
        d = _rows.choose(n > 0, m - first, Float32(0.0))
        x = [n * d, s + n * d * d]
        if products:
            p, h = products
            x += [p + d * h, h]
        found.append(x)
    total, square, *products = sums_of(found, lanes)
    d = mean(total, count)
    made = [first + d, _access.larger(square - d * total, 0.0)]
    if products:
        product, least = products
        made += [product - d * least, least]
    return made


def sums_of(parts: Any, lanes: int) -> Any:
    """Returns sums of numbers of warps, which lanes have."""
    return [_access.across("add", _rows.sum_of_all(x), lanes % _rows.WARP) if lanes > 1 else x[0]
            for x in zip(*parts)]


def moments_of(row: Any, rows: Any) -> Any:
    """Returns the means of rows, and the means of the squares of what they leave."""
    if row.plan.threads <= _rows.WARP:
        means = means_of(row, [sum_of_row(one) for one in rows], 0)
        return means, means_of(row, [square_of_row(one, mean) for one, mean in zip(rows, means)], 0)
    sent, count = [], count_of_warp(row)
    for one in rows:
        mean = mean_of_warp(sum_of_row(one), count)
        square = _access.across("add", square_of_row(one, mean))
        sent += [count, mean, square]
    _rows.send(row, sent, 0)
    found = _rows.receive(row, 0, [Float32(0.0)] * len(sent))
    means, squares = zip(*(
        combine([warp[3 * i:3 * i + 3] for warp in found], row.slots[0, 3 * i + 1],
                             Float32(row.columns), _rows.lanes(row))
        for i in range(len(rows))))
    return means, [_access.quotient(square, Float32(row.columns)) for square in squares]


def means_of(row: Any, numbers: Any, which: int) -> Any:
    """Returns the sums over the threads of rows, divided by the rows' length.

    :param which: of the numbers that warps exchange
    """
    return [_access.quotient(x, Float32(row.columns)) for x in _rows.sums_of(row, numbers, which)]


def normalized(row: Any, x: Any, mean: Any, scale: Any) -> Any:
    """Returns (x - mean) scale; of elements of 16 bits, whose rounding is larger, by one instruction."""
    if row.plan.dtype.width > 16:
        return (x - mean) * scale
    return _math.fma(x, scale, -(mean * scale))


def sum_of_row(row: Any) -> Any:
    """Returns the sum of the thread's elements."""
    total = Float32(0.0)
    for x in row.pieces_kept():
        total = total + x.to(Float32).reduce(ReductionOp.ADD, 0.0, 0)
    return total


def square_of_row(row: Any, mean: Any) -> Any:
    """Returns the sum of squares of the thread's elements less the mean."""
    return sum_of_squares(row, (x.to(Float32) - mean for x in row.pieces_kept(form=1)))


def square_of_pieces(row: Any, x: Any) -> Any:
    """Returns the sum of squares of elements in registers, (piece, pieces), that the row has."""
    return sum_of_squares(row, (x[None, i] for i in range(row.plan.pieces)))


def sum_of_squares(row: Any, pieces: Any) -> Any:
    """Returns the sum of squares of the pieces that the row has."""
    total = Float32(0.0)
    for i, x in enumerate(pieces):
        total = total + number_if(row.exists(i)[0], _access.dot(x, x))
    return total


@jit
def number_if(exists: Any, number: Any) -> Any:
    """Returns a number, or 0."""
    return number if exists else Float32(0.0)


class Sums:
    """Sums over a row of numbers of its threads, for an :class:`_row_exchange.Exchange`."""

    of_threads = staticmethod(across_each)

    def __init__(self, row: Any, count: int):
        self.plan, self.count, self.combined = row.plan, count, count

    def of_warps(self, numbers: Any) -> Any:
        """Returns the sums of a block's warps."""
        return sums_of([numbers], lanes_for(self.plan.warps))

    def of_blocks(self, numbers: Any) -> Any:
        """Returns the sums of a cluster's blocks."""
        return sums_of([numbers], self.plan.blocks)


class SumAndLargest:
    """A sum over a row, and the largest of numbers that are not negative, for an
    :class:`_row_exchange.Exchange`."""

    count = combined = 2

    def __init__(self, row: Any):
        self.plan = row.plan

    def of_threads(self, numbers: Any, thread: Any) -> Any:
        """Returns in a lane of a warp one of both."""
        total, most = self._of(numbers, 0)
        return _rows.choose(thread % 2 == 0, total, most)

    def of_warps(self, numbers: Any) -> Any:
        """Returns both of a block's warps."""
        return self._of(numbers, lanes_for(self.plan.warps))

    def of_blocks(self, numbers: Any) -> Any:
        """Returns both of a cluster's blocks."""
        return self._of(numbers, self.plan.blocks)

    @staticmethod
    def _of(numbers: Any, lanes: int) -> Any:
        return [_access.across(kind, x, lanes % _rows.WARP) if lanes != 1 else x
                for kind, x in zip(("add", "maximumf"), numbers)]


class Moments:
    """m and S of a row, and P and H if there are products, for an :class:`_row_exchange.Exchange`, to which
    warps give the sums of x - c, its squares, its products with h, and h, and c."""

    of_threads = staticmethod(across_each)

    def __init__(self, row: Any, has_products: bool):
        self.count, self.combined = (5, 4) if has_products else (3, 2)
        plan = self.plan = row.plan
        threads, lane = plan.threads // plan.blocks, row.local % lanes_for(row.plan.warps)
        before = row.rank * threads
        of_warp = count_of(row, before + lane * _rows.WARP, _rows.WARP)
        self.of_warp = _rows.choose(lane < plan.warps, of_warp, Float32(0.0))
        self.of_block = count_of(row, before, threads)
        self.of_rank = count_of(row, row.local % plan.blocks * threads, threads)
        self.of_row = Float32(row.columns)

    def of_warps(self, numbers: Any) -> Any:
        """Returns the moments of a block's warps."""
        total, square, *products, c = numbers
        less = mean(total, self.of_warp)
        made = [c + less, _access.larger(square - total * less, 0.0)]
        if products:
            product, least = products
            made += [product - less * least, least]
        return self._of(self.of_warp, made, self.of_block, lanes_for(self.plan.warps))

    def of_blocks(self, numbers: Any) -> Any:
        """Returns the moments of a cluster's blocks."""
        return self._of(self.of_rank, numbers, self.of_row, self.plan.blocks)

    @staticmethod
    def _of(count: Any, numbers: Any, of_all: Any, lanes: int) -> Any:
        first = arch.shuffle_sync(numbers[0], 0)
        return combine([[count, *numbers]], first, of_all, lanes)
