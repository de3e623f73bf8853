"""Layer and RMS normalization of the rows of a matrix, in float32.

    layer: B[m,n] = (A[m,n] - mean) / sqrt(variance + eps) * gamma[n] + beta[n]
    RMS:   B[m,n] = A[m,n] / sqrt(mean of squares + eps) * gamma[n]

A row is read from memory once and written once:

- load: a thread takes its elements, 16 bytes at a time, all before the first is used;
- reduce: mean and variance, or the squares alone: the lanes of a warp sum up,
  then one lane of each warp;
- store: the results from its elements and gamma's and beta's.

The variance is the mean of the squares of what the mean leaves, and not a difference of
large numbers. Of a longer row a thread keeps its elements in shared memory; a block that
has two rows at once reads gamma half as often. Rows that fit nowhere, and rows
that do not begin and end at 16 bytes, are read again each time, element by element.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Mapping

from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import kernel
from .._frontend.control import const_expr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float32
from .._values.tensor import Tensor
from .._values.tensor_ssa import ReductionOp
from . import _access, _row_moments, _rows, norm_steps as _norm_steps
from ._program import Program, function
from ._row_calls import MATRIX, VECTOR, Function

SUMMARY = (
    "layer or RMS normalization of the rows of a matrix, a kernel for each of several "
    "lengths of rows"
)
PARAMETERS = {
    "kind": {
        "default": "layer",
        "choices": ["layer", "rms"],
        "help": "layer: mean 0, variance 1, times gamma, plus beta; rms: mean of squares "
        "1, times gamma",
    },
    "name": {
        "default": {"kind": {"layer": "layernorm", "rms": "rmsnorm"}},
        "pattern": _rows.NAME,
        "help": "of the kernels, which are NAME_LENGTH; their module is NAME_module",
    },
    **_rows.PARAMETERS,
    "gamma": {
        "default": "auto",
        "choices": ["auto", "early", "late"],
        "help": "when gamma and beta are loaded: early, before the last sum is known, or "
        "late, which takes fewer registers; auto: early for f32 with up to 128 threads a row",
    },
}
problems = _rows.problems
lengths = _rows.lengths

PLAIN = _norm_steps.Steps(True, False, "")
EARLY = 128  # threads of a row of float32 up to which registers suffice for gamma and beta, too


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made = Program(values["name"])
    is_layer = values["kind"] == "layer"
    rows = layernorm_rows if is_layer else rmsnorm_rows
    for plan in _rows.plans(values):
        vectors = [plan.row] * (2 if is_layer else 1)
        late = is_late(values["gamma"], plan)
        _rows.add(made, values["name"], plan, rows, plan.matrix, *vectors, Float32,
                  plan.matrix, late=late, **_norm_steps.of_ring(plan))
    return made


def is_late(gamma: str, plan: _rows.Plan) -> bool:
    """Returns whether gamma and beta are loaded after the last sum is known."""
    is_better = plan.dtype.width == 16 or plan.threads > EARLY
    return gamma == "late" or gamma == "auto" and is_better


def layernorm(a: Any, gamma: Any, beta: Any, eps: float = 1e-5, out: Any = None, *,
              residual: Any = None, scales: str = "", stream: Any = None) -> Any:
    """Returns ``a`` normalized along its last mode: mean 0, variance 1, times ``gamma``,
    plus ``beta``.

    Elements are of float16, bfloat16 or float32, rows contiguous. ``out`` is written if it is
    given. Does not wait.

    The following options need rows of up to 262144 elements of 16 bits, or 131072 of float32, that
    begin and end at multiples of 16 bytes, and no ``out``; they make the result a tuple, whose last
    element is the sum:

    :param residual: like ``a``: what is normalized is the sum of both
    :param scales: ``rows`` or ``blocks``: the result is of float8_e4m3fn, and after it comes the factor
        of each row, or of 128 columns of it, as :func:`gemm` and :func:`scaled_gemm` take them
    """
    if residual is not None or scales:
        return _with_steps(a, (gamma, beta), eps, out, residual, scales, stream)
    return LAYERNORM(stream, (float(eps),), a, gamma, beta, out)


def rmsnorm(a: Any, gamma: Any, eps: float = 1e-5, out: Any = None, *, residual: Any = None,
            scales: str = "", stream: Any = None) -> Any:
    """Returns ``a`` along its last mode divided by the root of its mean square, times
    ``gamma``.

    Elements are of float16, bfloat16 or float32, rows contiguous. ``out`` is written if it is
    given. Does not wait. ``residual`` and ``scales`` are as in :func:`layernorm`.
    """
    if residual is not None or scales:
        return _with_steps(a, (gamma,), eps, out, residual, scales, stream)
    return RMSNORM(stream, (float(eps),), a, gamma, out)


def _with_steps(a: Any, vectors: Any, eps: float, out: Any, *given: Any) -> Any:
    """Returns a tuple of results."""
    if out is not None:
        raise ValueError("out is for a call without residual and scales")
    return _norm_steps.normalize(a, vectors, eps, *given)


LAYERNORM = Function(
    "layernorm", program, {"a": MATRIX, "gamma": VECTOR, "beta": VECTOR, "out": MATRIX},
    shared=1, staged=32, staged_rows=(3, 3, 3), staged_beyond=PLAIN.ring_beyond,
    parameters={"kind": "layer", "gamma": "auto"})
RMSNORM = Function(
    "rmsnorm", program, {"a": MATRIX, "gamma": VECTOR, "out": MATRIX}, shared=2,
    parameters={"kind": "rms", "gamma": "auto"})


@kernel
def layernorm_rows(a: Tensor, gamma: Tensor, beta: Tensor, eps: Float32, b: Tensor,
                   plan: Constexpr, late: Constexpr) -> None:
    """Writes the rows of ``a``, normalized, to the rows of ``b``."""
    row = _rows.begin(plan, a, 3 * max(1, plan.shared))
    if plan.shared > _norm_steps.SHARED_ROWS:
        if _rows.fits(plan, a, b):
            _norm_steps.in_ring(row, PLAIN, types.SimpleNamespace(a=a, gamma=gamma, beta=beta, eps=eps, out=b))
        else:
            _rows.meet(row)
            for turn in range_(0, _norm_steps.turns(row, a)):
                any_layer(_norm_steps.row_after(row, a, turn), a, gamma, beta, eps, b, 0)
    elif not _rows.fits(plan, a, b):
        _rows.meet(row)
        for i, one in enumerate(_rows.rows_of(row, a)):
            any_layer(one, a, gamma, beta, eps, b, 2 * i)
    elif const_expr(plan.shared or late):
        in_pieces(row, a, (gamma, beta), eps, b)
    else:
        layer_in_registers(row, a, gamma, beta, eps, b)


@kernel
def rmsnorm_rows(a: Tensor, gamma: Tensor, eps: Float32, b: Tensor, plan: Constexpr,
                 late: Constexpr) -> None:
    """Writes the rows of ``a``, scaled to a mean of squares of 1, to ``b``."""
    row = _rows.begin(plan, a, max(1, plan.shared))
    if not _rows.fits(plan, a, b):
        _rows.meet(row)
        for i, one in enumerate(_rows.rows_of(row, a)):
            any_rms(one, a, gamma, eps, b, i)
    elif const_expr(plan.shared or late):
        in_pieces(row, a, (gamma,), eps, b)
    else:
        rms_in_registers(row, a, gamma, eps, b)


# ---- Rows that fit ----------------------------------------------------------


@function
def load(row: Any, source: Tensor) -> Any:
    """Returns the thread's elements of a row, 0 for the ones that do not exist."""
    return _access.load(row.part(source), row.exist())


@function
def layer_in_registers(row: Any, a: Tensor, gamma: Tensor, beta: Tensor, eps: Any, b: Tensor) -> None:
    """For a row that fits, with gamma and beta loaded early.

    What does not exist was read as 0, which differs from the mean. The elements are loaded once more, from
    the L1 cache: to keep them would take more registers than two blocks of 512 threads have.
    """
    exist, to_b = row.exist(), row.of(b)
    x = load(row, row.of(a))
    f = x.to(Float32)
    _rows.meet(row)
    mean = mean_of(row, f.reduce(ReductionOp.ADD, 0.0, 0), 0)
    square = _row_moments.square_of_pieces(row, f - mean)
    x = load(row, row.of(a))
    g = load(row, gamma)
    h = load(row, beta)
    scale = _math.rsqrt(mean_of(row, square, 1) + eps)
    g, h = g.to(Float32), h.to(Float32)
    y = (x.to(Float32) - mean) * scale
    _access.store(_math.fma(y, g, h), row.part(to_b), exist)


@function
def rms_in_registers(row: Any, a: Tensor, gamma: Tensor, eps: Any, b: Tensor) -> None:
    """For a row that fits; gamma is loaded early, while squares are summed up."""
    f = load(row, row.of(a)).to(Float32)
    square = _access.dot(f, f)
    g = load(row, gamma)
    _rows.meet(row)
    scale = _math.rsqrt(mean_of(row, square, 0) + eps)
    _access.store(f * scale * g.to(Float32), row.part(row.of(b)), row.exist())


# ---- Rows that fit, with a piece of gamma and beta in registers at a time ------


@function
def in_pieces(row: Any, a: Tensor, vectors: Any, eps: Any, b: Tensor) -> None:
    """For a block's rows in shared memory, or one in registers: layer normalization with gamma and beta, RMS
    with gamma only."""
    rows, is_layer = (_rows.fetch if row.plan.shared else _rows.loaded)(row, a), len(vectors) > 1
    _rows.meet(row)
    if is_layer:
        means, squares = _row_moments.moments_of(row, rows)
    else:
        means = [Float32(0.0)] * len(rows)
        squares = _row_moments.means_of(row, [_row_moments.square_of_row(one, 0.0) for one in rows], 0)
    scales = [_math.rsqrt(square + eps) for square in squares]
    whole = dataclasses.replace(row, extent=row.columns)
    parts = [row.part(vector) for vector in vectors]
    outs = [one.part(one.of(b)) for one in rows]
    for i, pieces in enumerate(zip(*(one.pieces_kept(form=3) for one in rows))):
        factors = [_access.load(part[None, i], whole.exists(i)).to(Float32) for part in parts]
        for one, x, mean, scale, out in zip(rows, pieces, means, scales, outs):
            y = (x.to(Float32) - mean) * scale
            y = _math.fma(y, *factors) if len(factors) == 2 else y * factors[0]
            _access.store(y, out[None, i], one.exists(i))


# ---- Any row ----------------------------------------------------------------


@function
def any_layer(row: Any, a: Tensor, gamma: Tensor, beta: Tensor, eps: Any, b: Tensor,
              which: int) -> None:
    """Of any row, element by element; ``which`` as in :func:`mean_of`."""
    total = Float32(0.0)
    for i in row.columns_of_thread():
        total = total + Float32(a[row.number, i])
    mean = mean_of(row, total, which)
    square = Float32(0.0)
    for i in row.columns_of_thread():
        d = Float32(a[row.number, i]) - mean
        square = _math.fma(d, d, square)
    scale = _math.rsqrt(mean_of(row, square, which + 1) + eps)
    for i in row.columns_of_thread():
        y = (Float32(a[row.number, i]) - mean) * scale
        b[row.number, i] = _math.fma(y, Float32(gamma[i]), Float32(beta[i]))


@function
def any_rms(row: Any, a: Tensor, gamma: Tensor, eps: Any, b: Tensor, which: int) -> None:
    """Of any row, element by element; ``which`` as in :func:`mean_of`."""
    square = Float32(0.0)
    for i in row.columns_of_thread():
        f = Float32(a[row.number, i])
        square = _math.fma(f, f, square)
    scale = _math.rsqrt(mean_of(row, square, which) + eps)
    for i in row.columns_of_thread():
        b[row.number, i] = Float32(a[row.number, i]) * scale * Float32(gamma[i])


# ---- Sums -------------------------------------------------------------------


def mean_of(row: Any, x: Any, which: int) -> Any:
    """Returns the sum over the threads of a row, divided by the row's length.

    :param which: of the numbers that warps exchange
    """
    return _row_moments.means_of(row, [x], which)[0]
