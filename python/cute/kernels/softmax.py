"""Softmax of the rows of a matrix, in float32: B[m,n] = e^A[m,n] / sum of e^A[m,k], or its
logarithm.

A row is read once and written once:

- load: a thread takes its elements, 16 bytes at a time, all before the first is used;
- reduce: with c = log2(e), it has m, the maximum of c x, and s, the sum of 2^(c x - m), and
  keeps these powers in registers. Two such pairs make one, m = max(m1, m2),
  s = s1 2^(m1 - m) + s2 2^(m2 - m): first the lanes of a warp, then one lane of each warp;
- store: its powers times 2^(its m - m - log2(s)), so that nothing is divided, and there is
  one power for each element. The logarithm is x - ln(2) (its m + log2(s)).

Of a longer row a thread keeps its elements in shared memory and makes the powers twice. Rows
that fit nowhere, and rows that do not begin and end at 16 bytes, are read twice, element by
element. The largest element of a row contributes 1 to s. Where there is none, m
is -10^30: less than c x can be, but not infinite, as infinity less infinity is not a number.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Mapping

from .. import math as _math
from .. import arch
from .._compile.arguments import Constexpr
from .._compile.jit import kernel
from .._values.numeric import Float32
from .._values.tensor import Tensor
from .._values.tensor_ssa import ReductionOp
from . import _access, _rows
from ._program import Program, function
from ._row_calls import MATRIX, Function

SUMMARY = "softmax of the rows of a matrix, a kernel for each of several lengths of rows"
PARAMETERS = {
    "kind": {
        "default": "softmax",
        "choices": ["softmax", "log_softmax"],
        "help": "log_softmax: its logarithm",
    },
    "name": {
        "default": {"kind": {"softmax": "softmax", "log_softmax": "log_softmax"}},
        "pattern": _rows.NAME,
        "help": "of the kernels, which are NAME_LENGTH; their module is NAME_module",
    },
    **_rows.PARAMETERS,
}
problems = _rows.problems
lengths = _rows.lengths

LOG2_E, LN_2 = 1.44269504, 0.69314718
LEAST = -1.0e30


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made = Program(values["name"])
    for plan in _rows.plans(values):
        _rows.add(made, values["name"], plan, softmax_rows, plan.matrix, plan.matrix,
                  is_log=values["kind"] == "log_softmax")
    return made


def softmax(a: Any, out: Any = None, *, stream: Any = None) -> Any:
    """Returns the softmax of ``a`` along its last mode, which is contiguous.

    Elements are of float16, bfloat16 or float32. ``out`` is written if it is given, and may be
    ``a``. Does not wait.
    """
    return SOFTMAX(stream, (), a, out)


def log_softmax(a: Any, out: Any = None, *, stream: Any = None) -> Any:
    """Returns the logarithm of the softmax of ``a`` along its last mode, as :func:`softmax`."""
    return LOG_SOFTMAX(stream, (), a, out)


SOFTMAX, LOG_SOFTMAX = (
    Function(kind, program, {"a": MATRIX, "out": MATRIX}, shared=1, parameters={"kind": kind})
    for kind in PARAMETERS["kind"]["choices"])


@kernel
def softmax_rows(a: Tensor, b: Tensor, plan: Constexpr, is_log: Constexpr) -> None:
    """Writes the softmax of the rows of ``a``, or its logarithm, to the rows of ``b``."""
    row = _rows.begin(plan, a, 2)
    if _rows.fits(plan, a, b):
        (in_shared_memory if plan.shared else in_registers)(row, a, b, is_log)
    else:
        any_row(row, a, b, is_log)


@function
def in_registers(row: Any, a: Tensor, b: Tensor, is_log: bool) -> None:
    """For a row that fits. Missing elements are -inf, which changes neither number."""
    exist = row.exist()
    x = _access.load(row.part(row.of(a)), exist, "-inf")
    most = Float32(x.reduce(ReductionOp.MAX, -math.inf, 0)) * LOG2_E
    m = _access.larger(most, LEAST)
    e = _math.exp2(_math.fma(x.to(Float32), LOG2_E, -m), fastmath=True)
    s = e.reduce(ReductionOp.ADD, 0.0, 0)
    m_row, s_row = combine(row, m, s)
    if is_log:
        less = (m_row + _math.log2(s_row, fastmath=True)) * LN_2
        _access.store(x.to(Float32) - less, row.part(row.of(b)), exist)
        return
    scale = _math.exp2(m - m_row - _math.log2(s_row, fastmath=True), fastmath=True)
    _access.store(e * scale, row.part(row.of(b)), exist)


@function
def in_shared_memory(row: Any, a: Tensor, b: Tensor, is_log: bool) -> None:
    """For a row that fits there."""
    row, = _rows.fetch(row, a)
    most = Float32(LEAST)
    for x in row.pieces_kept("-inf"):
        most = _access.larger(most, Float32(x.reduce(ReductionOp.MAX, -math.inf, 0)) * LOG2_E)
    s = Float32(0.0)
    for x in row.pieces_kept("-inf"):
        e = _math.exp2(_math.fma(x.to(Float32), LOG2_E, -most), fastmath=True)
        s = s + e.reduce(ReductionOp.ADD, 0.0, 0)
    m_row, s_row = combine(row, most, s)
    less, to_b = m_row + _math.log2(s_row, fastmath=True), row.part(row.of(b))
    for i, x in enumerate(row.pieces_kept()):
        y = x.to(Float32)
        y = y - less * LN_2 if is_log else _math.exp2(
            _math.fma(y, LOG2_E, -less), fastmath=True)
        _access.store(y, to_b[None, i], row.exists(i))


@function
def any_row(row: Any, a: Tensor, b: Tensor, is_log: bool) -> None:
    """For any row, element by element."""
    m, s = Float32(LEAST), Float32(0.0)
    for i in row.columns_of_thread():
        x = Float32(a[row.number, i])
        above = _access.larger(m, x * LOG2_E)
        scale = _math.exp2(m - above, fastmath=True)
        s = _math.fma(s, scale, _math.exp2(_math.fma(x, LOG2_E, -above), fastmath=True))
        m = above
    m, s = combine(row, m, s)
    logarithm = _math.log2(s, fastmath=True)
    for i in row.columns_of_thread():
        x = Float32(a[row.number, i])
        if is_log:
            b[row.number, i] = x - (m + logarithm) * LN_2
        else:
            less = _math.fma(x, LOG2_E, -m)
            b[row.number, i] = _math.exp2(less - logarithm, fastmath=True)


# ---- Pairs of m and s -------------------------------------------------------


def combine(row: Any, m: Any, s: Any) -> Any:
    """Combines the pairs of a row's threads into the row's."""
    if row.plan.threads > _rows.WARP:
        return of_block(row, m, s)
    return of_lanes(m, s, row.plan.threads)


def of_lanes(m: Any, s: Any, lanes: int) -> Any:
    """Returns the pair of a warp, or of groups of its lanes."""
    most = _access.across("maximumf", m, lanes)
    return most, _access.across("add", s * _math.exp2(m - most, fastmath=True), lanes)


@function
def of_block(row: Any, m: Any, s: Any) -> Any:
    """Returns the pair of all warps."""
    _rows.meet(row)
    _rows.send(row, of_lanes(m, s, _rows.WARP), 0)
    pairs = _rows.receive(row, 0, (Float32(LEAST), Float32(0.0)))
    most = functools.reduce(_access.larger, [m for m, _ in pairs])
    sums = [s * _math.exp2(m - most, fastmath=True) for m, s in pairs]
    return of_lanes(most, _rows.sum_of_all(sums), _rows.lanes(row))
