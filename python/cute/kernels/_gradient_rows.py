"""What goes before and after attention's gradients: a number for each row, zeros for the sums of dQ,
and dQ by these."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Mapping

from .. import arch, core
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import minimum
from .._values.numeric import Float32, Int32
from .._values.tensor import Tensor
from .._values.tensor_ssa import ReductionOp, full_like
from . import _access
from ._attention_sum import LOG2_E, chosen
from ._program import Program

PART = 8192  # elements of a tile of rows
PIECE, THREADS = 8, 128


def width_of(d: int) -> int:
    """Returns how many columns tiles have for heads of d elements, up to 128."""
    return 64 if d <= 64 else 128


def rows_of_tile(d: int) -> int:
    """Returns how many rows of Q and dO a tile has where one loop makes all gradients."""
    return PART // width_of(d)


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels."""
    d = values["d"]
    matrix = (f'!cute.tensor<{values["type"]}, gmem, align<16>, '
              f'"(?,?,?,{d}):(?{{i64 div=8}},?{{i64 div=8}},?{{i64 div=8}},1)">')
    sums = '!cute.tensor<f32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},1)">'
    total = f'!cute.tensor<f32, gmem, align<16>, "(?,?,?,{d}):(?{{i64 div=4}},?{{i64 div=4}},?{{i64 div=4}},1)">'
    made = Program("attention_gradient")
    grid = [f"ceil_div(arg3.shape[2], {THREADS * PIECE // width_of(d)})", "arg0.shape[1]",
            "arg0.shape[0]"]
    made.add("rows", rows, matrix, matrix, sums, sums, sums, d=d, threads=THREADS, grid=grid)
    made.add("rows_and_zeros", rows_and_zeros, matrix, matrix, sums, sums, sums, total, d=d,
             threads=THREADS, grid=grid)
    turns = '!cute.tensor<i32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},1)">'
    made.add("rows_zeros_and_turns", rows_zeros_and_turns, matrix, matrix, sums, sums, sums, total, turns,
             d=d, threads=THREADS, grid=grid)
    made.add("scaled", scaled, total, matrix, Float32, d=d, threads=THREADS,
             grid=[grid[0].replace("arg3", "arg1"), *grid[1:]], overlaps=True)
    return made


@dataclasses.dataclass
class _Place:
    """A row, and the lane that has a piece of its columns."""

    batch: Any
    head: Any
    row: Any
    lane: Any


def _place(d: int) -> _Place:
    """Returns the thread's. Neighbouring lanes share a row."""
    x, head, batch = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    lanes = width_of(d) // PIECE
    return _Place(batch, head, x * (THREADS // lanes) + thread // lanes, thread % lanes)


@kernel
def rows(grad: Tensor, out: Tensor, lse: Tensor, l2: Tensor, sums: Tensor, d: Constexpr) -> None:
    """Writes -log2(e) of the log-sum-exp, and the sum of dO O, of each row; -inf and 0 for rows
    that are not there or see no key, as far as ``l2`` has rows."""
    _write_rows(_place(d), grad, out, lse, l2, sums, d)


@kernel
def rows_and_zeros(grad: Tensor, out: Tensor, lse: Tensor, l2: Tensor, sums: Tensor, total: Tensor,
                   d: Constexpr) -> None:
    """Writes the same, and zeros for the sums of dQ."""
    at = _place(d)
    _write_zeros(at, total, d)
    _write_rows(at, grad, out, lse, l2, sums, d)


@kernel
def rows_zeros_and_turns(grad: Tensor, out: Tensor, lse: Tensor, l2: Tensor, sums: Tensor,
                         total: Tensor, turns: Tensor, d: Constexpr) -> None:
    """Writes the same, and zeros for the counters of tiles of dQ."""
    at, size = _place(d), rows_of_tile(d)
    if (at.lane == 0) & (at.row % size == 0) & (at.row < l2.shape[2]):
        turns[at.batch, at.head, at.row // size] = Int32(0)
    _write_zeros(at, total, d)
    _write_rows(at, grad, out, lse, l2, sums, d)


@kernel
def scaled(total: Tensor, dq: Tensor, scale: Float32, d: Constexpr) -> None:
    """Writes dQ, ``scale`` times its sums."""
    arch.griddepcontrol_wait()
    at = _place(d)
    if (at.row < dq.shape[2]) & (at.lane < d // PIECE):
        to = _piece(dq, at)
        to.store((_piece(total, at).load() * scale).to(to.element_type))


def _piece(tensor: Tensor, at: _Place) -> Tensor:
    """Returns the thread's columns of a tensor of rows."""
    return core.local_tile(tensor[at.batch, at.head, at.row, None], (PIECE,), (at.lane,))


@jit
def _write_zeros(at: _Place, total: Tensor, d: Constexpr) -> None:
    if (at.row < total.shape[2]) & (at.lane < d // PIECE):
        to = _piece(total, at)
        to.store(full_like(to, 0.0))


@jit
def _write_rows(at: _Place, grad: Tensor, out: Tensor, lse: Tensor, l2: Tensor, sums: Tensor,
                d: Constexpr) -> None:
    is_there = at.row < out.shape[2]
    near, piece = minimum(at.row, out.shape[2] - 1), minimum(at.lane, d // PIECE - 1)
    of_grad, of_out = (core.local_tile(t[at.batch, at.head, near, None], (PIECE,), (piece,)).load()
                       for t in (grad, out))
    products = of_grad.to(Float32) * of_out.to(Float32)
    total = Float32(products.reduce(ReductionOp.ADD, 0.0, 0))
    total = _access.across("add", chosen(at.lane == piece, total, Float32(0.0)),
                           width_of(d) // PIECE)
    if (at.lane == 0) & (at.row < l2.shape[2]):
        found = Float32(lse[at.batch, at.head, near])
        sees = is_there & (found > Float32(-math.inf))
        l2[at.batch, at.head, at.row] = chosen(sees, found * -LOG2_E, Float32(-math.inf))
        sums[at.batch, at.head, at.row] = chosen(is_there, total, Float32(0.0))
