"""Cross entropy of the rows of a matrix with the indices of classes, and its gradient.

    lse[m] = log(sum over n of e^A[m,n]),  loss[m] = lse[m] - A[m, target[m]]
    dA[m,n] = (e^(A[m,n] - lse[m]) - (1 if n is target[m], else 0)) * d loss[m]

in float32, for any number of columns: each of both kernels reads a row once, as many
elements at a time as a block has registers for. A row whose target is ``ignore_index`` has
loss and gradient 0; one with another target that is not a column, NaN. A second kernel, of one
block, sums the losses up in a fixed order, so that equal inputs give equal bits; one block does
all of a small matrix.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Mapping

from .. import arch, core
from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float32, Int32, Int64
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import ReductionOp, TensorSSA
from . import _access, _rows
from ._program import Program, function
from ._row_calls import INDICES, MATRIX, NUMBERS, NUMBER, Function
from .softmax import LEAST, LN_2, LOG2_E, combine

TOTAL = 1024  # threads of the block that sums up losses
REDUCTIONS = ("none", "mean", "sum")


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made, kind = Program(values["name"]), values["reduction"]
    for plan in _rows.plans(values):
        numbers, indices = plan.column(Float32), plan.column(Int64)
        if kind == "gradient":
            _rows.add(made, values["name"], plan, gradient_rows, plan.matrix, indices, numbers,
                      numbers, Int64, plan.matrix)
        elif kind == "none":
            _rows.add(made, values["name"], plan, loss_rows, plan.matrix, indices, numbers,
                      Int64, numbers)
        else:
            arguments = plan.matrix, indices, *[numbers] * 3, Int64, numbers
            overlaps = _rows.overlaps(values)
            is_mean = kind == "mean"
            if values["alone"]:
                made.add(f"{values['name']}_alone", loss_alone, *arguments, grid=["1"], plan=plan,
                         threads=plan.rows * plan.threads, is_mean=is_mean)
                continue
            _rows.add(made, values["name"], plan, loss_rows_to_sum, *arguments, begins_next=overlaps)
            made.add(f"{values['name']}_total", total, *arguments, grid=["1"], overlaps=overlaps,
                     threads=TOTAL, is_mean=is_mean, waits=overlaps)
    return made


def cross_entropy(a: Any, target: Any, ignore_index: int = -100, reduction: str = "mean", *,
                  stream: Any = None) -> Any:
    """Returns the cross entropy of the rows of ``a`` with the classes of ``target``, in float32.

    ``a`` has a row of logits, of float16, bfloat16 or float32, for each element of ``target``,
    which is of int64. Rows whose target is ``ignore_index`` do not count; another target that is
    not a column makes the result NaN. ``reduction`` is ``none``, ``mean`` over the rows that
    count, or ``sum``. Does not wait.
    """
    return _forward(LOSS, reduction)(stream, (int(ignore_index),), a, target, None)


def cross_entropy_forward(a: Any, target: Any, ignore_index: int = -100,
                          reduction: str = "mean", *, stream: Any = None) -> Any:
    """Returns the gradient's inputs, and last the loss.

    First is the logarithm of the sum of each row's powers; before a mean or a sum is what its
    gradient is multiplied by for each row.
    """
    forward = _forward(FORWARD, reduction)
    return forward(stream, (int(ignore_index),), a, target, *[None] * forward.results)


def _forward(functions: Mapping[str, Function], reduction: str) -> Function:
    """Returns the function of a reduction."""
    if reduction not in functions:
        raise ValueError(f"{reduction} is not a valid value for reduction: one of "
                         f"{', '.join(REDUCTIONS)}")
    return functions[reduction]


def cross_entropy_backward(grad: Any, a: Any, target: Any, lse: Any, ignore_index: int = -100,
                           out: Any = None, *, stream: Any = None) -> Any:
    """Returns the gradient of ``a`` from that of each row's loss, of float32.

    :param lse: the first result of ``cross_entropy_forward``
    :param out: is written if it is given, and may be ``a``
    """
    return BACKWARD(stream, (int(ignore_index),), a, target, lse, grad, out)


_OPERANDS = {"a": MATRIX, "target": INDICES, "lse": NUMBERS, "losses": NUMBERS}
FORWARD = {
    "none": Function("cross_entropy", program, _OPERANDS, 2, keeps=False, rounds=(13312,),
                     parameters={"reduction": "none"}),
    **{reduction: Function(
        "cross_entropy", program, {**_OPERANDS, "scale": NUMBER, "out": NUMBER}, 4, keeps=False,
        rounds=(13312,),
        kernels=("{name}_{length}", "{name}_total"), alone=1 << 15,
        parameters={"reduction": reduction},
        empty=math.nan if reduction == "mean" else 0)
       for reduction in REDUCTIONS[1:]},
}
# The loss alone: what its gradient needs is memory of the call.
LOSS = {reduction: dataclasses.replace(forward, results=1, scratch=forward.results - 1)
        for reduction, forward in FORWARD.items()}
BACKWARD = Function(
    "cross_entropy_gradient", program,
    {"a": MATRIX, "target": INDICES, "lse": NUMBERS, "grad": NUMBERS, "out": MATRIX},
    keeps=False, parameters={"reduction": "gradient"})


# ---- Losses -----------------------------------------------------------------


@kernel
def loss_rows(a: Tensor, target: Tensor, lse: Tensor, ignored: Int64, losses: Tensor,
              plan: Constexpr) -> None:
    """Writes the loss of each row."""
    loss_of_row(_rows.begin(plan, a, 2), a, target, lse, losses, ignored)


@kernel
def loss_rows_to_sum(a: Tensor, target: Tensor, lse: Tensor, losses: Tensor, scale: Tensor,
                     ignored: Int64, out: Tensor, plan: Constexpr, begins_next: Constexpr) -> None:
    """Writes the loss of each row, for another kernel to sum up."""
    if begins_next:
        arch.griddepcontrol_launch_dependents()
    loss_of_row(_rows.begin(plan, a, 2), a, target, lse, losses, ignored)


@jit
def loss_of_row(row: Any, a: Tensor, target: Tensor, lse: Tensor, losses: Tensor, ignored: Any
                ) -> None:
    """Writes a row's loss, and the logarithm of the sum of its powers."""
    wanted, at_target = Int64(-1), Float32(0.0)
    is_first = (row.t == 0) & (row.extent > 0)
    if is_first:
        wanted = target[row.number]
    m, s = pair_of_thread(row, a)
    if is_column(wanted, row):
        at_target = Float32(a[row.number, Int32(wanted)])
    m, s = combine(row, m, s)
    if is_first:
        logarithm = (m + _math.log2(s)) * LN_2
        lse[row.number] = logarithm
        loss = logarithm - at_target if is_column(wanted, row) else Float32(math.nan)
        losses[row.number] = Float32(0.0) if wanted == ignored else loss


def is_column(wanted: Any, row: Any) -> Any:
    """Returns whether a class is one of the row's."""
    return (wanted >= 0) & (wanted < Int64(row.extent))


@function
def pair_of_thread(row: Any, a: Tensor) -> Any:
    """Returns m and s of a thread, of any row."""
    m, s = Float32(LEAST), Float32(0.0)
    inside, before = row.inside(a)
    has_edge, column = row.edge(inside, before)
    edge = Float32(-math.inf)
    if has_edge:
        edge = Float32(a[row.number, column])
    for i in inside.rounds():
        x = _rows.read_once(inside, a, i)
        most = Float32(x.reduce(ReductionOp.MAX, -math.inf, 0)) * LOG2_E
        m, s = added(m, s, x.to(Float32), most)
    return added(m, s, edge, edge * LOG2_E)


def added(m: Any, s: Any, x: Any, most: Any) -> Any:
    """Returns m and s with a number or a vector more, whose maximum times c is ``most``."""
    above = _access.larger(m, most)
    e = _math.exp2(_math.fma(x, LOG2_E, -above), fastmath=True)
    e = e.reduce(ReductionOp.ADD, 0.0, 0) if isinstance(e, TensorSSA) else e
    return above, _math.fma(s, _math.exp2(m - above, fastmath=True), e)


@kernel
def loss_alone(a: Tensor, target: Tensor, lse: Tensor, losses: Tensor, scale: Tensor,
               ignored: Int64, out: Tensor, plan: Constexpr, is_mean: Constexpr) -> None:
    """Writes what both of the other kernels do."""
    row = _rows.begin(plan, a, 2)
    for first in range_(0, a.shape[0], plan.rows):
        number = row.number + first
        one = dataclasses.replace(row, number=number, extent=_rows.extent(a, number))
        loss_of_row(one, a, target, lse, losses, ignored)
        arch.sync_threads()
    write_total(target, losses, scale, ignored, out, is_mean, False, plan.rows * plan.threads)


@kernel
def total(a: Tensor, target: Tensor, lse: Tensor, losses: Tensor, scale: Tensor,
          ignored: Int64, out: Tensor, is_mean: Constexpr, waits: Constexpr) -> None:
    """Writes the sum or the mean of the losses."""
    write_total(target, losses, scale, ignored, out, is_mean, waits, TOTAL)


@jit
def write_total(target: Tensor, losses: Tensor, scale: Tensor, ignored: Any, out: Tensor,
                is_mean: Any, waits: bool, threads: int) -> None:
    """Writes the sum or the mean of the losses, and by what the gradients of rows are
    multiplied."""
    t, _, _ = arch.thread_idx()
    loss, count = Float32(0.0), Float32(0.0)
    for i in range_(t, losses.shape[0], threads, unroll=16):
        counts = Float32(0.0) if target[i] == ignored else Float32(1.0)
        count = count + counts
    if waits:
        arch.griddepcontrol_wait()
    for i in range_(t, losses.shape[0], threads, unroll=16):
        loss = loss + losses[i]
    slots = make_tensor(_allocate(Float32, 2 * _rows.WARP, 16), core.make_layout((_rows.WARP, 2)))
    of_warp = [_access.across("add", x) for x in (loss, count)]
    if t % _rows.WARP == 0:
        slots[t // _rows.WARP, 0] = of_warp[0]
        slots[t // _rows.WARP, 1] = of_warp[1]
    arch.sync_threads()
    lane = t % _rows.WARP
    loss, count = (_access.across("add", _rows.choose(
        lane < threads // _rows.WARP, slots[lane, i], Float32(0.0))) for i in range(2))
    if t == 0:
        out[0] = loss / count if is_mean else loss
        scale[0] = Float32(1.0) / count if is_mean else Float32(1.0)


# ---- The gradient -----------------------------------------------------------


@kernel
def gradient_rows(a: Tensor, target: Tensor, lse: Tensor, grad: Tensor, ignored: Int64,
                  out: Tensor, plan: Constexpr) -> None:
    """Writes the gradient of each row of ``a``."""
    row = _rows.begin(plan, a, 1)
    wanted, scale, less = Int64(0), Float32(0.0), Float32(0.0)
    if row.extent > 0:
        wanted = target[row.number]
        scale = grad[row.number]
        less = lse[row.number] * LOG2_E
    exists = is_column(wanted, row) & (wanted != ignored)
    if not is_column(wanted, row):
        scale = Float32(math.nan)
    if wanted == ignored:
        scale = Float32(0.0)
    column = Int32(wanted) if exists else Int32(0)
    if ((a.stride[0] - out.stride[0]) & (plan.piece - 1)) == 0:
        gradient_pieces(row, a, less, scale, column, exists, out)
    else:
        gradient_elements(row, a, less, scale, column, exists, out)


def power(x: Any, less: Any) -> Any:
    """Returns e^x / 2^less."""
    return _math.exp2(_math.fma(x, LOG2_E, -less), fastmath=True)


@function
def gradient_pieces(row: Any, a: Tensor, less: Any, scale: Any, column: Any, exists: Any,
                    out: Tensor) -> None:
    """For a row with the same misalignment in both matrices. The thread that writes the
    element of the target writes it once more."""
    inside, before = row.inside(a)
    to, _ = row.inside(out)
    nearest = column - before
    mine = exists & (nearest >= 0) & (nearest < inside.extent) & row.has(nearest)
    at_target = Float32(0.0)
    if mine:
        at_target = Float32(a[row.number, column])
    later = _access.load(inside.part(a, 0), inside.exist(0))
    for i in inside.rounds():
        x, exist = later.to(Float32), inside.exist(i)
        later = _access.load(inside.part(a, i + 1), inside.exist(i + 1))
        _access.store(power(x, less) * scale, to.part(out, i), exist)
    if mine:
        out[row.number, column] = (power(at_target, less) - 1.0) * scale
    has_edge, number = row.edge(inside, before)
    if has_edge:
        gradient_element(row, a, less, scale, exists & (number == column), number, out)


@function
def gradient_elements(row: Any, a: Tensor, less: Any, scale: Any, column: Any, exists: Any,
                      out: Tensor) -> None:
    """For any row, element by element."""
    for i in row.columns_of_thread():
        gradient_element(row, a, less, scale, exists & (i == column), i, out)


@jit
def gradient_element(row: Any, a: Tensor, less: Any, scale: Any, is_target: Any, i: Any,
                     out: Tensor) -> None:
    """For one element."""
    one = Float32(1.0) if is_target else Float32(0.0)
    out[row.number, i] = (power(Float32(a[row.number, i]), less) - one) * scale
