"""Normalization of rows with a residual before it, and with a result of 8-bit floats.

What :mod:`norm` computes, of A + R, a sum that is rounded to the type of A and written, too; and
results of float8_e4m3fn with scales S of float32, one for each row or for each 128 columns of it, as
products take them: the largest element is 448 in magnitude, and B = result * S. A row is read
once, into registers of a block or of a cluster, and begins and ends at 16 bytes.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from typing import Any, Mapping

from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._values.numeric import Float8E4M3FN, Float32
from .._values.tensor import Tensor
from .._values.tensor_ssa import ReductionOp, vector_of, where, zeros_like
from . import _access, _rows
from ._program import Program
from ._row_calls import BLOCKS, BYTES, MATRIX, NUMBERS, VECTOR, Function

SCALES = {"": "", "rows": NUMBERS, "blocks": BLOCKS}
BLOCK, MOST = 128, 448.0  # columns of a scale, and the largest float8_e4m3fn


@dataclasses.dataclass(frozen=True)
class Steps:
    """A normalization, and the steps fused with it."""

    is_layer: bool
    has_residual: bool
    scales: str

    @property
    def given(self) -> dict[str, str]:
        """The kinds of the operands that are read."""
        return {"a": MATRIX, "gamma": VECTOR, **({"beta": VECTOR} if self.is_layer else {}),
                **({"residual": MATRIX} if self.has_residual else {})}

    @property
    def results(self) -> dict[str, str]:
        """The kinds of the results; eps comes before the last."""
        return {**({"sum": MATRIX} if self.has_residual else {}),
                **({"scales": SCALES[self.scales]} if self.scales else {}),
                "out": BYTES if self.scales else MATRIX}

    def named(self, values: Any) -> Any:
        """Returns the arguments of a kernel by their names."""
        names = [*self.given, *self.results]
        return types.SimpleNamespace(**dict(zip([*names[:-1], "eps", names[-1]], values)))


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made = Program(values["name"])
    steps = Steps(values["is_layer"], values["has_residual"], values["scales"])
    for plan in _rows.plans(values):
        of_kind = {MATRIX: plan.matrix, VECTOR: plan.row, NUMBERS: plan.column(Float32),
                   BLOCKS: '!cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},1)">',
                   BYTES: dataclasses.replace(plan, dtype=Float8E4M3FN).matrix}
        kinds = [of_kind[kind] for kind in (*steps.given.values(), *steps.results.values())]
        _rows.add(made, values["name"], plan, normalize_rows, *kinds[:-1], Float32, kinds[-1],
                  steps=steps)
    return made


def normalize(a: Any, vectors: Any, eps: float, residual: Any, scales: str, stream: Any) -> Any:
    """Returns the result, then scales, then the sum, of what there is.

    :param vectors: gamma, and beta of a layer norm
    """
    if scales not in SCALES:
        raise ValueError(f"{scales} is not a valid value for scales: one of '', rows, blocks")
    steps = Steps(len(vectors) > 1, residual is not None, scales)
    if scales and a.element_size() != 2:
        raise TypeError(f"scales are for rows of float16 and bfloat16, not {a.dtype}")
    given = [a, *vectors, *[residual] * steps.has_residual]
    *others, out = _as_tuple(_function(steps)(
        stream, (float(eps),), *given, *[None] * len(steps.results)))
    found = [out, *reversed(others)]
    if scales == "blocks":
        found[1] = found[1].view(found[1].shape[0], *a.shape[:-1]).movedim(0, -1)
    return tuple(found)


def _as_tuple(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


@functools.lru_cache(maxsize=None)
def _function(steps: Steps) -> Function:
    name = "layernorm" if steps.is_layer else "rmsnorm"
    return Function(f"{name}_steps", program, {**steps.given, **steps.results},
                    results=len(steps.results), is_aligned=True,
                    parameters=dataclasses.asdict(steps))


@kernel
def normalize_rows(*given: Any, plan: Constexpr, steps: Constexpr) -> None:
    """Writes the results of each row."""
    of = steps.named(given)
    row = _rows.begin(plan, of.a, 3)
    exist = row.exist()
    x = _access.load(row.part(row.of(of.a)), exist)
    if steps.has_residual:
        more = _access.load(row.part(row.of(of.residual)), exist)
        x = (x.to(Float32) + more.to(Float32)).to(plan.dtype)
        _access.store(x, row.part(row.of(of.sum)), exist)
    x = x.to(Float32)
    _rows.meet(row)
    if steps.is_layer:
        x = x - mean_of(row, x, 0)
    pieces = (x * x).reduce(ReductionOp.ADD, 0.0, (1, None))
    scale = _math.rsqrt(mean_of(row, where(exist.load(), pieces, zeros_like(pieces)), 1) + of.eps)
    y = x * scale * _access.load(row.part(of.gamma), exist).to(Float32)
    if steps.is_layer:
        y = y + _access.load(row.part(of.beta), exist).to(Float32)
    if steps.scales:
        largest = abs(y).reduce(ReductionOp.MAX, 0.0, (1, None))
        write = write_rows if steps.scales == "rows" else write_blocks
        y = write(row, y, largest, of.scales)
    _access.store(y, row.part(row.of(of.out)), exist)


def mean_of(row: Any, x: Any, which: int) -> Any:
    """Returns the sum of the elements of a row's threads, divided by its length."""
    total = _rows.sum_of(row, x.reduce(ReductionOp.ADD, 0.0, 0), which)
    return _access.quotient(total, Float32(row.columns))


# ---- Scales -----------------------------------------------------------------


@jit
def write_rows(row: Any, y: Any, largest: Any, scales: Tensor) -> Any:
    """Writes the scale of a row; returns its elements divided by it.

    :param largest: the magnitude of each piece's largest
    """
    scale = scale_of(_rows.largest_of(row, largest.reduce(ReductionOp.MAX, 0.0, 0), 2))
    if (row.t == 0) & (row.extent > 0):
        scales[row.number] = scale
    return y * _access.quotient(Float32(1.0), scale)


@jit
def write_blocks(row: Any, y: Any, largest: Any, scales: Tensor) -> Any:
    """Writes the scales of 128 columns each, which neighbouring lanes have, as
    :func:`write_rows`."""
    lanes, found = BLOCK // row.plan.piece, []
    for i, most in enumerate(largest.to_elements()):
        scale = scale_of(_access.across("maximumf", most, lanes))
        column = row.numbers()[i]
        if (row.t % lanes == 0) & (column < row.extent):
            scales[column // BLOCK, row.number] = scale
        found.append(y[None, i] * _access.quotient(Float32(1.0), scale))
    return joined(found, y.shape)


def joined(pieces: Any, shape: Any) -> Any:
    """Returns vectors of a dtype as one."""
    return vector_of([x for piece in pieces for x in piece.to_elements()], Float32).reshape(shape)


def scale_of(most: Any) -> Any:
    """Returns the scale of elements of at most some magnitude; of zeros one that is not 0."""
    return _access.larger(most * (1 / MOST), 1.0e-12)
