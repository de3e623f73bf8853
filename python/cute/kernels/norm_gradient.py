"""Gradients of layer and RMS normalization, in float32.

With x the normalized row, s = 1 / sqrt(variance + eps), or of the mean of squares, G the
gradient of the result and h[n] = G[m,n] gamma[n],

    RMS:   dA[m,n] = s (h[n] - x[n] mean of x h)
    layer: dA[m,n] = s (h[n] - mean of h - x[n] mean of x h)
    dgamma[n] = sum over m of G[m,n] x[n],  dbeta[n] = sum over m of G[m,n]

A and G are read once and dA is written once. A block, or a cluster, takes every so many
rows and adds up its part of dgamma and dbeta in registers; a second kernel sums the parts
up in a fixed order, so that equal inputs give equal bits. Of rows that a warp or less has, the
next one is in registers while one is summed up. Longer ones have two to four under way in shared
memory, or one and some of the next: while the warps of the block or the cluster exchange the sums of
the one, each has begun with the next. More of them, 192 KiB in all, were slower. Rows that do not
fit, or do not begin and end at 16 bytes, are read three times, element by element.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Iterator, Mapping

from .. import arch, core
from .. import math as _math
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.control import const_expr, range_constexpr
from .._frontend.loops import LoopRange as range_
from .._values.numeric import Float32, Int32, Uint32
from .._values.struct import _allocate
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import ReductionOp, TensorSSA, where, zeros_like
from . import _access, _row_moments, _rows
from ._row_ring import Ring
from ._program import Program, function
from ._row_exchange import Exchange
from ._row_calls import MATRIX, PARTS, VECTOR, Function, most_parts

TOTAL = 512  # threads of a block that sums up parts
KEPT = 16  # elements of a thread, up to which gamma stays in registers
NUMBERS = 4  # of rows that warps exchange at once where they keep none in shared memory
# Rows of a plan whose blocks have room for one row and some of the next, and pieces of it.
ONE_ROW, PAIRS = 3, 13
RESIDENT = 512  # threads of a multiprocessor, of 128 registers each


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    made, is_layer = Program(values["name"]), values["kind"] == "layer"
    overlaps = _rows.overlaps(values)
    sums = 2 if is_layer else 1
    for plan in _rows.plans(values):
        parts = '!cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64},1)">'
        arguments = (plan.matrix, plan.row, plan.matrix, plan.matrix, *[parts] * sums,
                     *[plan.row] * (sums - 1), Float32, plan.row)
        rows, total = (layer_rows, layer_total) if is_layer else (rms_rows, rms_total)
        threads = plan.rows * plan.threads // plan.blocks
        made.add(f"{values['name']}_{plan.length}", rows, *arguments, plan=plan, threads=threads,
                 cluster=plan.blocks, resident=RESIDENT // threads if plan.rows == 1 else 0,
                 begins_next=overlaps,
                 grid=[f"arg4.shape[0] * {plan.blocks}"])
        groups = groups_of(plan)
        made.add(f"{values['name']}_total", total, *arguments, threads=TOTAL, groups=groups, resident=2,
                 grid=[f"ceil_div(arg0.shape[1], {TOTAL // groups})"], overlaps=overlaps, waits=overlaps)
    return made


def groups_of(plan: _rows.Plan) -> int:
    """Returns into how many groups parts are divided, each of them for one thread: about sixteen are
    in each, which one wave of blocks reads at once."""
    return 1 << min(6, max(1, (most_parts(plan) // 16).bit_length() - 1))


def layernorm_backward(grad: Any, a: Any, gamma: Any, eps: float = 1e-5, *, stream: Any = None
                       ) -> Any:
    """Returns the gradients of ``a``, ``gamma`` and ``beta`` from that of their layer norm."""
    out, _, _, of_gamma, of_beta = LAYERNORM(stream, (float(eps),), a, gamma, grad, *[None] * 5)
    return out, of_gamma, of_beta


def rmsnorm_backward(grad: Any, a: Any, gamma: Any, eps: float = 1e-5, *, stream: Any = None
                     ) -> Any:
    """Returns the gradients of ``a`` and ``gamma`` from that of their RMS norm."""
    out, _, of_gamma = RMSNORM(stream, (float(eps),), a, gamma, grad, *[None] * 3)
    return out, of_gamma


_SHARED: dict[str, Any] = {
    "kernels": ("{name}_{length}", "{name}_total"), "elements": 16, "block": 128}
LAYERNORM = Function(
    "layernorm_gradient", program,
    {"a": MATRIX, "gamma": VECTOR, "grad": MATRIX, "out": MATRIX, "of_gamma": PARTS,
     "of_beta": PARTS, "gammas": VECTOR, "betas": VECTOR},
    results=5, staged=16, staged_rows=(6, 4, 8), parameters={"kind": "layer"}, **_SHARED)
RMSNORM = Function(
    "rmsnorm_gradient", program,
    {"a": MATRIX, "gamma": VECTOR, "grad": MATRIX, "out": MATRIX, "of_gamma": PARTS,
     "gammas": VECTOR},
    results=3, staged=16, staged_rows=(6, 4, 8), parameters={"kind": "rms"}, **_SHARED)


@dataclasses.dataclass(frozen=True)
class Operands:
    """Arguments of both norms: the matrices, and tensors for parts of the sums over rows."""

    a: Tensor
    gamma: Tensor
    grad: Tensor
    out: Tensor
    eps: Any
    parts: Any  # each (part, columns), of gamma's gradient and, in a layer norm, of beta's
    kept: Any = ()  # the thread's pieces of gamma, where registers suffice

    @property
    def is_layer(self) -> bool:
        """Whether it is a layer norm."""
        return len(self.parts) > 1


@kernel
def layer_rows(a: Tensor, gamma: Tensor, grad: Tensor, out: Tensor, of_gamma: Tensor,
               of_beta: Tensor, gammas: Tensor, eps: Float32, betas: Tensor, plan: Constexpr,
               begins_next: Constexpr) -> None:
    """Writes the gradient of each row, and partial gradients of gamma and beta."""
    if begins_next:
        arch.griddepcontrol_launch_dependents()
    some_rows(plan, Operands(a, gamma, grad, out, eps, [of_gamma, of_beta]))


@kernel
def rms_rows(a: Tensor, gamma: Tensor, grad: Tensor, out: Tensor, of_gamma: Tensor,
             eps: Float32, gammas: Tensor, plan: Constexpr,
             begins_next: Constexpr) -> None:
    """Writes the gradient of each row, and parts of that of gamma."""
    if begins_next:
        arch.griddepcontrol_launch_dependents()
    some_rows(plan, Operands(a, gamma, grad, out, eps, [of_gamma]))


@jit
def some_rows(plan: Any, given: Any) -> None:
    """Writes every so many rows, and their part of the sums over all."""
    row = _rows.begin(dataclasses.replace(plan, shared=0) if plan.shared == ONE_ROW else plan,
                      given.a, NUMBERS, keeps_or_exchanges=True)
    if plan.shared == ONE_ROW:
        row = dataclasses.replace(row, plan=plan, kept=one_row(plan, len(given.parts) > 1))
    part = Int32(Uint32(row.number) // plan.rows)
    tiles = [shared_sums(plan) for _ in given.parts] if plan.rows > 1 else []
    if not _rows.fits(plan, given.a, given.grad, given.out):
        any_rows(row, part, given, tiles)
    elif const_expr(plan.shared):
        in_shared_memory(row, part, given)
    else:
        in_registers(row, part, given, tiles)
    if plan.rows > 1:
        arch.sync_threads()
        write_parts(row, part, given.parts, tiles)


def one_row(plan: Any, is_layer: bool) -> Tensor:
    """Returns room in shared memory for a row, and for some pieces of the next."""
    count = pairs(plan, is_layer) * 2 * plan.piece * (plan.threads // plan.blocks)
    return make_tensor(_allocate(plan.dtype, count, 16), core.make_layout(count))


def shared_sums(plan: Any) -> Tensor:
    """Returns room for the sums of the several rows of a block, (row, columns)."""
    shape = plan.rows, plan.length
    return make_tensor(_allocate(Float32, plan.rows * plan.length, 16),
                       core.make_layout(shape, stride=(plan.length, 1)))


def turns(row: Any, part: Any, given: Any) -> Any:
    """Returns how many rows the threads of a row have; all of a block have as many."""
    tiles = _access.ceil_div(Uint32(given.a.shape[0]), row.plan.rows)
    parts = Uint32(given.parts[0].shape[0])
    return Int32(_access.ceil_div(tiles - Uint32(part), parts))


def at(row: Any, turn: Any, given: Any) -> Any:
    """Returns the row of a turn."""
    number = row.number + turn * (Int32(given.parts[0].shape[0]) * row.plan.rows)
    return dataclasses.replace(row, number=number, extent=_rows.extent(given.a, number))


# ---- Rows that fit ----------------------------------------------------------


@function
def in_registers(row: Any, part: Any, given: Any, tiles: Any) -> None:
    """For rows that fit. Missing elements were read as 0."""
    plan = row.plan
    whole = dataclasses.replace(row, number=part, extent=row.columns)
    weight = _access.load(whole.part(given.gamma), whole.exist())
    zeros = _access.splat(0.0, plan.elements).ir_value()
    sums = [TensorSSA(zeros, (plan.piece, plan.pieces), Float32) for _ in given.parts]
    _rows.meet(row)
    loaded = load(at(row, 0, given), given)
    for turn in range_(0, turns(row, part, given)):
        mine = at(row, turn, given)
        exist = mine.exist()
        x, g = (x.to(Float32) for x in loaded)
        loaded = load(at(row, turn + 1, given), given)
        h = g * weight.to(Float32)
        if given.is_layer:
            x = x - mean_of(mine, [total(x)], 0)[0]
            of_pieces = (x * x).reduce(ReductionOp.ADD, 0.0, (1, None))
            square = total(where(exist.load(), of_pieces, zeros_like(of_pieces)))
            square, product, least = mean_of(mine, [square, _access.dot(x, h), total(h)], 1)
        else:
            square, product = mean_of(
                mine, [_access.dot(x, x), _access.dot(x, h)], turn % 2 * 2)
            least = 0.0
        scale = scale_of(mine, square, given.eps)
        x = x * scale
        _access.store(gradient(h, x, least, product, scale), mine.part(mine.of(given.out)), exist)
        sums[0] = _math.fma(g, x, sums[0])
        if given.is_layer:
            sums[1] = sums[1] + g
    found = [tile[row.number - part * plan.rows, None] for tile in tiles] or [
        whole.of(to) for to in given.parts]
    for to, x in zip(found, sums):
        _access.store(x, whole.part(to), whole.exist())


def load(row: Any, given: Any) -> Any:
    """Returns the thread's elements of a row, and of its gradient, 0 if there is none."""
    return [_access.load(row.part(row.of(matrix)), row.exist())
            for matrix in (given.a, given.grad)]


def total(x: Any) -> Any:
    """Returns the sum of a thread's elements."""
    return x.reduce(ReductionOp.ADD, 0.0, 0)


def mean_of(row: Any, numbers: Any, which: Any) -> Any:
    """Returns sums over the threads of a row, divided by the row's length."""
    return [_access.quotient(x, Float32(row.columns)) for x in _rows.sums_of(row, numbers, which)]


def gradient(h: Any, x: Any, least: Any, product: Any, scale: Any) -> Any:
    """Returns (h - least - x product scale) scale."""
    return _math.fma(x, -(product * scale * scale), _math.fma(h, scale, -(least * scale)))


@jit
def scale_of(row: Any, square: Any, eps: Any) -> Any:
    """Returns by what a row is multiplied, 0 if there is none."""
    return _math.rsqrt(square + eps) if row.extent > 0 else Float32(0.0)


# ---- Rows that fit into shared memory ---------------------------------------


@jit
def in_shared_memory(row: Any, part: Any, given: Any) -> None:
    """For rows that a block has several of in flight, or one and part of the next."""
    whole = dataclasses.replace(row, number=part, extent=row.columns)
    zero = zeros_like(_access.load(whole.part(given.gamma)[None, 0], whole.exists(0)).to(Float32))
    sums = [[zero] * row.plan.pieces for _ in given.parts]
    ring = Ring(row, row.kept.iterator, pairs(row.plan, given.is_layer),
                lambda turn: at(row, turn, given), [given.a, given.grad])
    ring.fill()
    given = dataclasses.replace(given, kept=gamma_of(whole, given))
    rule = _row_moments.Moments(row, True) if given.is_layer else _row_moments.Sums(row, 2)
    _rows.meet(row)
    exchange = Exchange(row, rule)
    send(exchange, ring, Int32(0), given)
    for turn in range_(0, turns(row, part, given)):
        if ring.has_ahead:
            send(exchange, ring, turn + 1, given)
        sums = write_row(ring, turn, exchange.receive(turn), sums, given)
        if not ring.has_ahead:
            send(exchange, ring, turn + 1, given)
    exchange.end(turns(row, part, given))
    for to, pieces in zip(given.parts, sums):
        for i, x in enumerate(pieces):
            _access.store(x, whole.part(whole.of(to))[None, i], whole.exists(i))


def send(exchange: Exchange, ring: Ring, turn: Any, given: Any) -> None:
    """Sums up what the thread has of a row, and has its warp send that."""
    sums, last = sums_of_thread(ring, turn, given)
    exchange.send(sums, turn, last)


def pairs(plan: Any, is_layer: bool) -> int:
    """Returns for how many pieces of a and of its gradient a thread has room, beside gamma where that is
    kept there, too."""
    if plan.shared != ONE_ROW:
        return plan.shared * plan.pieces // 2
    return PAIRS - plan.pieces // 2 * is_layer


def with_gamma(pieces: Any, kept: Any) -> Iterator[Any]:
    """Returns pieces of a row of a, of its gradient, and of gamma."""
    for (x, g), w in zip(pieces, kept):
        yield x, g, w.load() if isinstance(w, Tensor) else w


def gamma_of(row: Any, given: Any) -> Any:
    """Returns the thread's pieces of gamma: in registers, or in shared memory where they are too
    many."""
    pieces = [_access.load(row.part(given.gamma)[None, i], row.exists(i))
              for i in range(row.plan.pieces)]
    if row.plan.elements <= KEPT or row.plan.shared == ONE_ROW and not given.is_layer:
        return pieces
    kept = _rows.room(dataclasses.replace(row.plan, shared=1))
    places = [kept[None, row.local, i, 0] for i in range(row.plan.pieces)]
    for piece, place in zip(pieces, places):
        place.store(piece)
    return places


def sums_of_thread(ring: Ring, turn: Any, given: Any) -> Any:
    """Returns sums of a thread's elements, of squares and products, or as
    :class:`_row_moments.Moments` has them; and what it has of the warp."""
    first, found, mine = Float32(0.0), [Float32(0.0)] * 4, ring.at(turn)
    for i, (x, g, w) in enumerate(with_gamma(ring.first_time(turn), given.kept)):
        x, g, w = (x.to(Float32) for x in (x, g, w))
        if given.is_layer and i == 0:
            first = arch.shuffle_sync(x[0], 0)
        x, h = x - first, g * w
        own = [_rows.choose(mine.exists(i)[0], y, Float32(0.0))
               for y in (total(x), _access.dot(x, x))]
        found = [x + y for x, y in zip(found, (*own, _access.dot(x, h), total(h)))]
    return (found, [first]) if given.is_layer else (found[1:3], [])


def write_row(ring: Ring, turn: Any, found: Any, sums: Any, given: Any) -> Any:
    """Writes a row; returns the sums over rows with this one.

    :param found: what the exchange makes of what :func:`sums_of_thread` returns
    """
    mean, least, mine = Float32(0.0), Float32(0.0), ring.at(turn)
    if given.is_layer:
        mean, *found = found
    square, product, *rest = [_access.quotient(x, Float32(mine.columns)) for x in found]
    if given.is_layer:
        least, = rest
    scale, sums = scale_of(mine, square, given.eps), [list(pieces) for pieces in sums]
    to = mine.part(mine.of(given.out))
    for i, (x, g, w) in enumerate(with_gamma(ring.second_time(turn), given.kept)):
        x, g, w = (x.to(Float32) for x in (x, g, w))
        x = _row_moments.normalized(mine, x, mean, scale)
        sums[0][i] = _access.computed_here(_math.fma(g, x, sums[0][i]))
        if given.is_layer:
            sums[1][i] = _access.computed_here(sums[1][i] + g)
        _access.store(gradient(g * w, x, least, product, scale), to[None, i], mine.exists(i))
    return sums


# ---- Any row ----------------------------------------------------------------


@function
def any_rows(row: Any, part: Any, given: Any, tiles: Any) -> None:
    """For any rows, element by element."""
    sums = [tile[row.number - part * row.plan.rows, None] for tile in tiles] or [
        to[part, None] for to in given.parts]
    whole = dataclasses.replace(row, extent=row.columns)
    for i in whole.columns_of_thread():
        for s in sums:
            s[i] = Float32(0.0)
    _rows.meet(row)
    for turn in range_(0, turns(row, part, given)):
        mine = at(row, turn, given)
        mean, which = Float32(0.0), turn % 2 * 2
        if given.is_layer:
            for i in mine.columns_of_thread():
                mean = mean + Float32(given.a[mine.number, i])
            mean, which = mean_of(mine, [mean], 0)[0], 1
        numbers = [Float32(0.0)] * 3
        for i in mine.columns_of_thread():
            x, h = Float32(given.a[mine.number, i]) - mean, weighted(mine, i, given)
            numbers = [_math.fma(x, x, numbers[0]), _math.fma(x, h, numbers[1]), numbers[2] + h]
        found = mean_of(mine, numbers if given.is_layer else numbers[:2], which)
        least = found[2] if given.is_layer else Float32(0.0)
        scale = scale_of(mine, found[0], given.eps)
        for i in mine.columns_of_thread():
            x = (Float32(given.a[mine.number, i]) - mean) * scale
            h = weighted(mine, i, given)
            g = Float32(given.grad[mine.number, i])
            given.out[mine.number, i] = (h - least - x * (found[1] * scale)) * scale
            sums[0][i] = _math.fma(g, x, sums[0][i])
            if given.is_layer:
                sums[1][i] = sums[1][i] + g


def weighted(row: Any, i: Any, given: Any) -> Any:
    """Returns an element of the gradient times gamma's."""
    return Float32(given.grad[row.number, i]) * Float32(given.gamma[i])


# ---- Sums over rows ---------------------------------------------------------


@jit
def write_parts(row: Any, part: Any, parts: Any, tiles: Any) -> None:
    """Writes the sums over the rows of a block."""
    thread, _, _ = arch.thread_idx()
    for to, tile in zip(parts, tiles):
        for i in range_(thread, row.columns, row.plan.block):
            found = tile[0, i]
            for r in range_constexpr(1, row.plan.rows):
                found = found + tile[r, i]
            to[part, i] = found


@kernel
def layer_total(a: Tensor, gamma: Tensor, grad: Tensor, out: Tensor, of_gamma: Tensor,
                of_beta: Tensor, gammas: Tensor, eps: Float32, betas: Tensor,
                groups: Constexpr, waits: Constexpr) -> None:
    """Writes the gradients of gamma and beta."""
    if waits:
        arch.griddepcontrol_wait()
    sum_parts(groups, (of_gamma, of_beta), (gammas, betas))


@kernel
def rms_total(a: Tensor, gamma: Tensor, grad: Tensor, out: Tensor, of_gamma: Tensor,
              eps: Float32, gammas: Tensor, groups: Constexpr, waits: Constexpr) -> None:
    """Writes the gradient of gamma."""
    if waits:
        arch.griddepcontrol_wait()
    sum_parts(groups, (of_gamma,), (gammas,))


@jit
def sum_parts(groups: Constexpr, parts: Any, to: Any) -> None:
    """Writes the sums of some columns of all parts: a thread sums up every so many, and then one the sums
    of a column."""
    block, _, _ = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    columns = TOTAL // groups
    lane, group = thread % columns, thread // columns
    column = block * columns + lane
    exists = column < parts[0].shape[1]
    found = [Float32(0.0) for _ in parts]
    for i in range_(group, parts[0].shape[0] if exists else 0, groups, unroll=16):
        found = [x + part[i, column] for x, part in zip(found, parts)]
    shared = make_tensor(_allocate(Float32, TOTAL * len(parts), 16), core.make_layout(
        (groups, columns, len(parts)), stride=(columns, 1, TOTAL)))
    for k, x in enumerate(found):
        shared[group, lane, k] = x
    arch.sync_threads()
    if (group < len(parts)) & exists:
        for k, vector in enumerate(to):
            if group == k:
                write_total(shared[None, lane, k], vector, column)


@jit
def write_total(sums: Tensor, to: Tensor, column: Any) -> None:
    """Writes the sum of a column."""
    found = Float32(0.0)
    for i in range_(0, sums.shape[0]):
        found = found + sums[i]
    to[column] = found.to(to.element_type)
