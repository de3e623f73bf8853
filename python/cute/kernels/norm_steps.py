"""Normalization of rows with a residual before it, and with a result of 8-bit floats.

What :mod:`norm` computes, of A + R, a sum that is rounded to the type of A and written, too; and
results of float8_e4m3fn with scales S of float32, one for each row or for each 128 columns of it, as
products take them: the largest element is 448 in magnitude, and B = result * S. A row begins and ends at
16 bytes, and is read once: into registers, or into shared memory, of a block or of a cluster. Of rows
without means blocks have several under way.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from typing import Any, Iterator, Mapping

from .. import arch
from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import range_constexpr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float8E4M3FN, Float32, Int32, Uint32, maximum
from .._values.tensor import Tensor
from .._values.tensor_ssa import ReductionOp, vector_of
from . import _access, _row_moments, _rows
from ._program import Program
from ._row_calls import BLOCKS, BYTES, MATRIX, NUMBERS, RESIDENT, VECTOR, Function, most_parts
from ._row_exchange import Exchange, across_each
from ._row_ring import Ring

SCALES = {"": "", "rows": NUMBERS, "blocks": BLOCKS}
SHARED_ROWS = 2  # of a block, which reads gamma once for both
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

    @property
    def has_two_exchanges(self) -> bool:
        """Whether what a row is divided by is known only after its mean is."""
        return self.is_layer and self.scales == "rows"

    @property
    def ring_beyond(self) -> int:
        """The columns beyond which a block has several rows in flight: as measured on an H200."""
        if not self.is_layer:
            return 16384
        if self.scales != "blocks":
            return 24576 if self.has_two_exchanges and not self.has_residual else 32768
        return 16384 if self.has_residual else 6144

    @property
    def ring_rows(self) -> int:
        """How many rows of one matrix that are: of a layer norm with a scale for each, at least three of all."""
        if self.has_two_exchanges:
            return 6 if self.has_residual else 4
        return 4 if self.has_residual else 3

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
                  steps=steps, **of_ring(plan))
    return made


def of_ring(plan: _rows.Plan) -> dict[str, Any]:
    """Returns how a kernel starts whose blocks have several rows in flight; nothing of another one."""
    if plan.shared <= SHARED_ROWS:
        return {}
    return {"grid": [str(most_parts(plan) * plan.blocks)],
            "resident": RESIDENT // (plan.threads // plan.blocks)}


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
                    results=len(steps.results), is_aligned=True, shared=1 if steps.is_layer else SHARED_ROWS,
                    staged=32, staged_rows=(steps.ring_rows,) * 3,
                    staged_beyond=steps.ring_beyond, parameters=dataclasses.asdict(steps))


@kernel
def normalize_rows(*given: Any, plan: Constexpr, steps: Constexpr) -> None:
    """Writes the results of each row."""
    of = steps.named(given)
    row = _rows.begin(plan, of.a, 4 * max(1, plan.shared))
    if plan.shared > SHARED_ROWS:
        in_ring(row, steps, of)
    elif plan.shared:
        in_shared_memory(row, steps, of)
    else:
        in_registers(row, steps, of)


def in_registers(row: Any, steps: Steps, of: Any) -> None:
    """Of a row that fits into registers."""
    exist = row.exist()
    x = _access.load(row.part(row.of(of.a)), exist)
    if steps.has_residual:
        more = _access.load(row.part(row.of(of.residual)), exist)
        x = (x.to(Float32) + more.to(Float32)).to(row.plan.dtype)
        _access.store(x, row.part(row.of(of.sum)), exist)
    x, gamma = x.to(Float32), _access.load(row.part(of.gamma), exist)
    _rows.meet(row)
    if not steps.is_layer:
        rms(row, steps, of, x, gamma.to(Float32))
        return
    x = x - _row_moments.means_of(row, [x.reduce(ReductionOp.ADD, 0.0, 0)], 0)[0]
    square = _row_moments.means_of(row, [_row_moments.square_of_pieces(row, x)], 1)[0]
    y = _math.fma(x * _math.rsqrt(square + of.eps), gamma.to(Float32),
                  _access.load(row.part(of.beta), exist).to(Float32))
    if steps.scales:
        largest = abs(y).reduce(ReductionOp.MAX, 0.0, (1, None))
        if steps.scales == "rows":
            most = _rows.largest_of(row, largest.reduce(ReductionOp.MAX, 0.0, 0), 2)
            y = y * write_row(row, scale_of(most), of.scales)
        else:
            y = by_blocks(y, write_blocks(row, largest, of.scales))
    _access.store(y, row.part(row.of(of.out)), exist)


def rms(row: Any, steps: Steps, of: Any, x: Any, gamma: Any) -> None:
    """Writes the results of a row without a mean, for which one exchange suffices: the largest element of
    a result is known up to a factor of the row."""
    square, y = _access.dot(x, x), x * gamma
    if not steps.scales:
        scale = factor_of(row, _rows.sum_of(row, square, 0), of.eps)
        _access.store(y * scale, row.part(row.of(of.out)), row.exist())
        return
    largest = abs(y).reduce(ReductionOp.MAX, 0.0, (1, None))
    if steps.scales == "rows":
        most = largest.reduce(ReductionOp.MAX, 0.0, 0)
        square, most = _rows.combined(row, [square, most], ["add", "maximumf"], 0)
        scale = factor_of(row, square, of.eps)
        y = y * (scale * write_row(row, scale_of(most * scale), of.scales))
    else:
        scale = factor_of(row, _rows.sum_of(row, square, 0), of.eps)
        y = by_blocks(y, [scale * x for x in write_blocks(row, largest * scale, of.scales)])
    _access.store(y, row.part(row.of(of.out)), row.exist())


def factor_of(row: Any, square: Any, eps: Any) -> Any:
    """Returns by what a row is multiplied, from the sum of its squares."""
    return _math.rsqrt(_access.quotient(square, Float32(row.columns)) + eps)


# ---- Rows that fit into shared memory ---------------------------------------


def in_shared_memory(row: Any, steps: Steps, of: Any) -> None:
    """Of a block's rows."""
    rows = sums_of(row, of) if steps.has_residual else _rows.fetch(row, of.a)
    whole = dataclasses.replace(row, extent=row.columns)
    vectors = [of.gamma, of.beta] if steps.is_layer else [of.gamma]
    parts = [whole.part(vector) for vector in vectors]
    _rows.meet(row)
    norms, largest = (layer_of_rows if steps.is_layer else rms_of_rows)(whole, steps, of, rows, parts)
    each = [write_row(one, scale_of(most), of.scales) for one, most in zip(rows, largest)]
    outs, found = [one.part(one.of(of.out)) for one in rows], [[] for _ in rows]
    for i, ys in enumerate(normalized(whole, rows, parts, norms)):
        for j, (one, y, out) in enumerate(zip(rows, ys, outs)):
            if steps.scales == "blocks":
                y = scaled(y, found[j])
            _access.store(y * each[j] if each else y, out[None, i], one.exists(i))
    for one, of_blocks in zip(rows, found):
        write_found(one, of_blocks, of)


def layer_of_rows(whole: Any, steps: Steps, of: Any, rows: Any, parts: Any) -> Any:
    """Returns means and scales of rows, and their largest elements where rows have a scale."""
    means, squares = _row_moments.moments_of(whole, rows)
    norms = list(zip(means, [_math.rsqrt(square + of.eps) for square in squares]))
    if steps.scales != "rows":
        return norms, []
    largest = largest_of_rows(whole, rows, parts, norms)
    return norms, _rows.combined(whole, largest, ["maximumf"] * len(rows), 3 * len(rows))


def rms_of_rows(whole: Any, steps: Steps, of: Any, rows: Any, parts: Any) -> Any:
    """Returns the same of rows without means, by one exchange, as :func:`rms`."""
    numbers, count = [_row_moments.square_of_row(one, 0.0) for one in rows], len(rows)
    kinds = ["add"] * count
    if steps.scales == "rows":
        numbers += largest_of_rows(whole, rows, parts, [(0.0, 1.0)] * count)
        kinds += ["maximumf"] * count
    found = _rows.combined(whole, numbers, kinds, 0)
    norms = [(0.0, factor_of(whole, square, of.eps)) for square in found[:count]]
    return norms, [most * scale for most, (_, scale) in zip(found[count:], norms)]


def sums_of(row: Any, of: Any) -> Any:
    """Returns the rows of a block, sums that it writes to shared memory, and as results."""
    rows = [dataclasses.replace(one, kept=row.kept[None, row.local, None, i])
            for i, one in enumerate(_rows.rows_of(row, of.a))]
    for one in rows:
        a, more, to = (one.part(one.of(x)) for x in (of.a, of.residual, of.sum))
        for i in range(row.plan.pieces):
            exists = one.exists(i)
            x, y = (_access.load(p[None, i], exists).to(Float32) for p in (a, more))
            x = (x + y).to(row.plan.dtype)
            one.kept[None, i].store(x)
            _access.store(x, to[None, i], exists)
    return rows


def normalized(whole: Any, rows: Any, parts: Any, norms: Any) -> Iterator[Any]:
    """Returns each piece of all rows, normalized: less the mean, times the scale and gamma, plus beta.

    :param norms: of each row its mean and scale
    """
    for i, pieces in enumerate(zip(*(one.pieces_kept() for one in rows))):
        gamma, *beta = [_access.load(part[None, i], whole.exists(i)).to(Float32) for part in parts]
        ys = [(x.to(Float32) - mean) * scale for x, (mean, scale) in zip(pieces, norms)]
        yield [_math.fma(y, gamma, beta[0]) if beta else y * gamma for y in ys]


def largest_of_rows(whole: Any, rows: Any, parts: Any, norms: Any) -> list[Any]:
    """Returns the magnitude of the largest of the thread's elements of each row."""
    found = [Float32(0.0)] * len(rows)
    for ys in normalized(whole, rows, parts, norms):
        found = [_access.larger(most, abs(y).reduce(ReductionOp.MAX, 0.0, 0))
                 for most, y in zip(found, ys)]
    return found


# ---- Several rows of a block, one after the other -----------------------------


@jit
def in_ring(row: Any, steps: Steps, of: Any) -> None:
    """For every so many rows; a block has several in flight."""
    whole = dataclasses.replace(row, extent=row.columns)
    matrices = [of.a, of.residual] if steps.has_residual else [of.a]
    ring = Ring(row, row.kept.iterator, row.plan.shared * row.plan.pieces // len(matrices),
                lambda turn: row_after(row, of.a, turn), matrices, 2 if steps.has_two_exchanges else 1)
    ring.fill()
    vectors = [of.gamma, of.beta] if steps.is_layer else [of.gamma]
    factors = [[_access.load(whole.part(vector)[None, i], whole.exists(i)) for vector in vectors]
               for i in range_constexpr(row.plan.pieces)]
    _rows.meet(row)
    exchange = Exchange(row, _row_moments.Moments(row, False) if steps.is_layer
                        else _row_moments.SumAndLargest(row))
    send(exchange, ring, Int32(0), steps, of, factors)
    if steps.has_two_exchanges:
        with_largest(exchange, ring, turns(row, of.a), steps, of, factors)
    else:
        for turn in range_(0, turns(row, of.a)):
            if ring.has_ahead:
                send(exchange, ring, turn + 1, steps, of, factors)
            write(ring, turn, exchange.receive(turn), steps, of, factors)
            if not ring.has_ahead:
                send(exchange, ring, turn + 1, steps, of, factors)
        exchange.end(turns(row, of.a))


@jit
def with_largest(exchange: Exchange, ring: Ring, count: Any, steps: Steps, of: Any, factors: Any) -> None:
    """For a layer norm's rows with a scale each, whose largest elements warps exchange after its moments. While
    both are under way, they sum up the row after the next."""
    row = ring.row
    largest = Exchange(row, _row_moments.SumAndLargest(row))
    send(exchange, ring, Int32(1), steps, of, factors)
    norm = norm_of(row, exchange.receive(Int32(0)), of)
    send_largest(largest, ring, Int32(0), norm, factors)
    for turn in range_(0, count):
        send(exchange, ring, turn + 2, steps, of, factors)
        later = norm_of(row, exchange.receive(turn + 1), of)
        send_largest(largest, ring, turn + 1, later, factors)
        _, most = largest.receive(turn)
        write_largest(ring, turn, norm, most, of, factors)
        norm = later
    exchange.end(count + 1)
    largest.end(count)


def norm_of(row: Any, found: Any, of: Any) -> Any:
    """Returns a row's mean, and by what it is multiplied."""
    mean, square = found
    return mean, factor_of(row, square, of.eps)


def send_largest(largest: Exchange, ring: Ring, turn: Any, norm: Any, factors: Any) -> None:
    """Finds the largest that the thread has of a row, and has its warp send that."""
    most = Float32(0.0)
    for i, vectors in enumerate(factors):
        y = normalized_piece(ring, ring.read(turn, i), norm, vectors)
        most = _access.larger(most, abs(y).reduce(ReductionOp.MAX, 0.0, 0))
    largest.send([Float32(0.0), most], turn)


def write_largest(ring: Ring, turn: Any, norm: Any, most: Any, of: Any, factors: Any) -> None:
    """Writes the results of a row whose largest element is known."""
    mine = ring.at(turn)
    factor, out = write_row(mine, scale_of(most), of.scales), mine.part(mine.of(of.out))
    for i, (xs, vectors) in enumerate(zip(ring.second_time(turn), factors)):
        _access.store(normalized_piece(ring, xs, norm, vectors) * factor, out[None, i], mine.exists(i))


def normalized_piece(ring: Ring, xs: Any, norm: Any, vectors: Any) -> Any:
    """Returns a piece of a row of a layer norm."""
    y = _row_moments.normalized(ring.row, sum_of_both(xs).to(Float32), *norm)
    return _math.fma(y, *(x.to(Float32) for x in vectors))


def stride_of(row: Any) -> Any:
    """Returns how many rows blocks or clusters have at once."""
    grid, _, _ = arch.grid_dim()
    return Int32(Uint32(grid) // row.plan.blocks)


def turns(row: Any, a: Tensor) -> Any:
    """Returns how many rows a block or a cluster has."""
    return Int32(_access.ceil_div(Uint32(maximum(Int32(a.shape[0]) - row.number, 0)), stride_of(row)))


def row_after(row: Any, a: Tensor, turn: Any) -> Any:
    """Returns the row of a turn."""
    number = row.number + turn * stride_of(row)
    return dataclasses.replace(row, number=number, extent=_rows.extent(a, number))


def send(exchange: Exchange, ring: Ring, turn: Any, steps: Steps, of: Any, factors: Any) -> None:
    """Sums up what the thread has of a row, and has its warp send that."""
    total, square, first, mine = Float32(0.0), Float32(0.0), Float32(0.0), ring.at(turn)
    for i, (xs, (gamma, *_)) in enumerate(zip(ring.first_time(turn), factors)):
        x = sum_of_both(xs)
        if steps.has_residual:
            _access.store(x, mine.part(mine.of(of.sum))[None, i], mine.exists(i))
        x = x.to(Float32)
        if steps.is_layer:
            first = arch.shuffle_sync(x[0], 0) if i == 0 else first
            x = x - first
            more = x.reduce(ReductionOp.ADD, 0.0, 0), _access.dot(x, x)
            total, square = (y + _rows.choose(mine.exists(i)[0], z, Float32(0.0))
                             for y, z in zip((total, square), more))
            continue
        square = square + _access.dot(x, x)
        if steps.scales == "rows":
            y = abs(x * gamma.to(Float32))
            total = _access.larger(total, y.reduce(ReductionOp.MAX, 0.0, 0))
    exchange.send(*(([total, square], turn, [first]) if steps.is_layer else ([square, total], turn)))


def write(ring: Ring, turn: Any, found: Any, steps: Steps, of: Any, factors: Any) -> None:
    """Writes the results of a row."""
    mine, mean, of_blocks = ring.at(turn), Float32(0.0), []
    if steps.is_layer:
        mean, *found = found
    scale = factor_of(mine, found[0], of.eps)
    if steps.scales == "rows":
        scale = scale * write_row(mine, scale_of(found[1] * scale), of.scales)
    out = mine.part(mine.of(of.out))
    for i, (xs, (gamma, *beta)) in enumerate(zip(ring.second_time(turn), factors)):
        y, gamma = sum_of_both(xs).to(Float32), gamma.to(Float32)
        y = (_math.fma(_row_moments.normalized(mine, y, mean, scale), gamma, beta[0].to(Float32))
             if beta else y * scale * gamma)
        if steps.scales == "blocks":
            y = scaled(y, of_blocks)
        _access.store(y, out[None, i], mine.exists(i))
    write_found(mine, of_blocks, of)


def sum_of_both(xs: Any) -> Any:
    """Returns a vector, or the sum of two, rounded to their type."""
    return xs[0] if len(xs) == 1 else (xs[0].to(Float32) + xs[1].to(Float32)).to(xs[0].dtype)


# ---- Scales -----------------------------------------------------------------


@jit
def write_row(row: Any, scale: Any, scales: Tensor) -> Any:
    """Writes the scale of a row; returns by what its elements are multiplied."""
    if (row.t == 0) & (row.extent > 0):
        scales[row.number] = scale
    return arch.rcp_approx(scale)


def write_blocks(row: Any, largest: Any, scales: Tensor) -> list[Any]:
    """Writes the scales of the 128 columns of each of the thread's pieces, which neighbouring lanes have;
    returns by what its elements are multiplied. A lane has the scale of one of the pieces.

    :param largest: the magnitude of the largest element of each piece
    """
    lanes, count = BLOCK // row.plan.piece, row.plan.pieces
    scale = scale_of(across_each(largest.to_elements(), row.t, lanes, _access.larger))
    write_own(row, row.t % lanes, scale, scales)
    factor, first = arch.rcp_approx(scale), arch.lane_idx() // count * count
    return [arch.shuffle_sync(factor, first + i) for i in range(count)]


def scaled(y: Any, found: list[Any]) -> Any:
    """Returns a piece divided by the scale of its 128 columns, which is added to a list."""
    lanes = BLOCK // y.size
    found.append(scale_of(_access.across("maximumf", abs(y).reduce(ReductionOp.MAX, 0.0, 0), lanes)))
    return y * arch.rcp_approx(found[-1])


def write_found(row: Any, found: list[Any], of: Any) -> None:
    """Writes the scales of all pieces, if there are some, each from another lane."""
    if found:
        piece, own = row.t % (BLOCK // row.plan.piece), found[0]
        for i, scale in enumerate(found[1:], 1):
            own = _rows.choose(piece == i, scale, own)
        write_own(row, piece, own, of.scales)


@jit
def write_own(row: Any, piece: Any, scale: Any, scales: Tensor) -> None:
    """Writes the scale of the 128 columns of one of the thread's pieces."""
    lanes = BLOCK // row.plan.piece
    block = row.t // lanes + piece * (row.plan.threads // lanes)
    if (piece < row.plan.pieces) & (block * BLOCK < row.extent):
        scales[block, row.number] = scale


def by_blocks(y: Any, factors: list[Any]) -> Any:
    """Returns pieces times a factor each."""
    pieces = [y[None, i] * factor for i, factor in enumerate(factors)]
    return vector_of([x for piece in pieces for x in piece.to_elements()], Float32).reshape(y.shape)


def scale_of(most: Any) -> Any:
    """Returns the scale of elements of at most some magnitude; of zeros one that is not 0."""
    return _access.larger(most * (1 / MOST), 1.0e-12)
