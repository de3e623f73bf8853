"""Gradients of softmax and of its logarithm along the rows of a matrix, in float32.

With B the result and G its gradient, that of A is

    softmax:     dA[m,n] = B[m,n] (G[m,n] - sum of B[m,k] G[m,k])
    log_softmax: dA[m,n] = G[m,n] - e^B[m,n] sum of G[m,k]

B and G are read once and dA is written once, where a row fits into registers. Longer rows are
read twice, and rows that do not begin and end at 16 bytes so element by element.
"""

from __future__ import annotations

from typing import Any, Mapping

from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import kernel
from .._values.numeric import Float32
from .._values.tensor import Tensor
from .._values.tensor_ssa import ReductionOp
from . import _access, _rows
from ._program import Program, function
from ._row_calls import MATRIX, Function
from .softmax import LOG2_E


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made = Program(values["name"])
    for plan in _rows.plans(values):
        _rows.add(made, values["name"], plan, gradient_rows, *[plan.matrix] * 3,
                  is_log=values["kind"] == "log_softmax")
    return made


def softmax_backward(grad: Any, b: Any, out: Any = None, *, stream: Any = None) -> Any:
    """Returns the gradient of ``a`` from that of ``b``, the softmax of ``a``. ``out`` may be
    ``grad``."""
    return SOFTMAX(stream, (), grad, b, out)


def log_softmax_backward(grad: Any, b: Any, out: Any = None, *, stream: Any = None) -> Any:
    """Returns the gradient of ``a`` from that of ``b``, its log-softmax. ``out`` may be
    ``grad``."""
    return LOG_SOFTMAX(stream, (), grad, b, out)


SOFTMAX, LOG_SOFTMAX = (
    Function(f"{kind}_gradient", program, {"grad": MATRIX, "b": MATRIX, "out": MATRIX}, parameters={"kind": kind})
    for kind in ("softmax", "log_softmax"))


@kernel
def gradient_rows(grad: Tensor, b: Tensor, out: Tensor, plan: Constexpr, is_log: Constexpr
                  ) -> None:
    """Writes the gradient of each row."""
    row = _rows.begin(plan, grad, 1)
    if _rows.fits(plan, grad, b, out):
        in_registers(row, grad, b, out, is_log)
    elif _rows.is_aligned(plan, grad, b, out):
        in_rounds(row, grad, b, out, is_log)
    else:
        any_row(row, grad, b, out, is_log)


@function
def in_registers(row: Any, grad: Tensor, b: Tensor, out: Tensor, is_log: bool) -> None:
    """For a row that fits."""
    g, y = load(row, grad, b)
    _rows.meet(row)
    total = _rows.sum_of(row, part_of_total(g, y, is_log), 0)
    if not is_log:
        g, y = _rows.still_narrow(row, g), _rows.still_narrow(row, y)
    store(row, g, y, total, out, is_log)


@function
def in_rounds(row: Any, grad: Tensor, b: Tensor, out: Tensor, is_log: bool) -> None:
    """For a longer row."""
    total = Float32(0.0)
    for i in row.rounds():
        total = total + part_of_total(*load(row, grad, b, i), is_log)
    _rows.meet(row)
    total = _rows.sum_of(row, total, 0)
    for i in row.rounds():
        store(row, *load(row, grad, b, i), total, out, is_log, i)


def load(row: Any, grad: Tensor, b: Tensor, round: Any = 0) -> Any:
    """Returns the thread's elements of both, 0 beyond the end."""
    return [_access.load(row.part(row.of(x), round), row.exist(round)) for x in (grad, b)]


def part_of_total(g: Any, y: Any, is_log: bool) -> Any:
    """Returns the thread's part of the sum."""
    g, y = g.to(Float32), y.to(Float32)
    return g.reduce(ReductionOp.ADD, 0.0, 0) if is_log else _access.dot(g, y)


def store(row: Any, g: Any, y: Any, total: Any, out: Tensor, is_log: bool, round: Any = 0) -> None:
    """Writes the gradient of the thread's elements."""
    g, y = g.to(Float32), y.to(Float32)
    found = _math.fma(power(y), -total, g) if is_log else y * (g - total)
    _access.store(found, row.part(row.of(out), round), row.exist(round))


@function
def any_row(row: Any, grad: Tensor, b: Tensor, out: Tensor, is_log: bool) -> None:
    """For any row, element by element."""
    total = Float32(0.0)
    for i in row.columns_of_thread():
        g = Float32(grad[row.number, i])
        total = total + g if is_log else _math.fma(g, Float32(b[row.number, i]), total)
    _rows.meet(row)
    total = _rows.sum_of(row, total, 0)
    for i in row.columns_of_thread():
        g, y = Float32(grad[row.number, i]), Float32(b[row.number, i])
        out[row.number, i] = g - power(y) * total if is_log else y * (g - total)


def power(y: Any) -> Any:
    """Returns e^y."""
    return _math.exp2(y * LOG2_E, fastmath=True)
