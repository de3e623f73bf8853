"""Rotary embedding of queries or keys (batch, head, row, d), in float32.

Each pair (x, y) of the first r elements of a head becomes

    (x cos - y sin, y cos + x sin)

with an angle for the row's position and the pair: elements i and i + r/2 are a pair or, if it is
``interleaved``, 2i and 2i + 1. What is behind the first r elements is copied. A block has a row:
its threads take pairs of 16 bytes in turn, and load all before the first is used, so that
each element is read and written once.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Mapping

from .. import arch, core
from .._compile.arguments import Constexpr
from .._compile.jit import jit, kernel
from .._frontend.loops import LoopRange as range_
from .._values.numeric import BFloat16, Float16, Float32, Int32, Int64
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import vector_of
from . import _arrays, _calls, _loading
from ._program import Program

TYPES = {"f16": Float16, "bf16": BFloat16, "f32": Float32}
MOST_THREADS, MOST_BATCHES = 256, 65535


@dataclasses.dataclass(frozen=True)
class Plan:
    """How the threads of a block share a row."""

    type: str
    table: str  # type of cos and sin
    heads: int
    d: int
    r: int  # elements of a head that are rotated
    piece: int  # elements of an access
    interleaved: bool
    inverse: bool  # whether it turns back
    has_positions: bool
    has_slots: bool

    @property
    def pairs(self) -> int:
        """Pairs of pieces of a head."""
        return self.r // 2 // self.piece

    @property
    def rest(self) -> int:
        """Pieces of a head that are copied."""
        return (self.d - self.r) // self.piece

    @property
    def threads(self) -> int:
        """Threads of a block: a divisor of its pairs of pieces where there is a good one."""
        items = self.heads * self.pairs
        whole = [n for n in range(32, MOST_THREADS + 1, 32) if items % n == 0]
        if whole and whole[-1] * 8 >= items:
            return whole[-1]
        return min(MOST_THREADS, -(-items // 32) * 32)


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernel of some parameters."""
    plan = Plan(**values)
    width = TYPES[plan.type].width // 8 * plan.piece
    tensor = f'!cute.tensor<{plan.type}, gmem, align<{width}>, "(?,?,?,?):(?{{i64}},?{{i64}},?{{i64}},1)">'
    width = TYPES[plan.table].width // 8 * plan.piece
    table = f'!cute.tensor<{plan.table}, gmem, align<{min(16, width)}>, "(?,?):(?{{i64}},1)">'
    numbers = '!cute.tensor<i64, gmem, align<8>, "(?,?):(?{i64},?{i64})">'
    made = Program("rope")
    function, more = rows, []
    if plan.has_positions:
        function, more = rows_at, [numbers]
    if plan.has_slots:
        function, more = rows_to_slots, [numbers, numbers]
    made.add("rope", function, tensor, table, table, *more, tensor, plan=plan,
             threads=plan.threads, grid=["arg0.shape[2]", "arg0.shape[0]"])
    return made


# ---- Calls ------------------------------------------------------------------


def rope(x: Any, cos: Any, sin: Any, positions: Any = None, *, interleaved: bool = False,
         inverse: bool = False, out: Any = None, cache: Any = None, slots: Any = None,
         stream: Any = None) -> Any:
    """Returns ``x`` (batch, head, row, d) with the rotary embedding, of float16, bfloat16 or
    float32.

    Elements i and i + r/2 of the first r of a head are a pair, or 2i and 2i + 1 if it is
    ``interleaved``; the others are copied. ``inverse`` turns back, which is the gradient. ``out``
    is written if it is given, and may be ``x``. Does not wait.

    :param cos: (position, r/2), of float32 or of x's type; ``sin`` is like it :param positions:
    (batch, row), of int64; by default a row's own number. If ``cos`` has no such position, the
    result is NaN. :param cache: (page, head, slot, d), as :func:`attention_paged` has it, of any
    strides but
        that of d: is written in place of ``out``, and returned
    :param slots: (batch, row), of int64: a row goes to slot ``s % slots`` of page ``s // slots``.
        If there is no such page, as for -1, it is not written.
    """
    if (cache is None) != (slots is None):
        raise ValueError("cache and slots go together")
    if cache is not None and out is not None:
        raise ValueError("out or cache, not both")
    if cache is not None and positions is None:
        raise ValueError("rows that go to slots of a cache have positions")
    arrays = (x, cos, sin, positions, slots, out if cache is None else cache)
    return _calls.run(_prepare, arrays, stream, bool(interleaved), bool(inverse))


def _prepare(x: Any, cos: Any, sin: Any, positions: Any, slots: Any, out: Any,
             interleaved: bool, inverse: bool) -> Any:
    """Returns the call of an embedding."""
    given = {"x": x, "cos": cos, "sin": sin, "positions": positions, "slots": slots}
    given = {name: array for name, array in given.items() if array is not None}
    ordinal = _loading.place(*given.values())
    _check(given)
    new = _arrays.maker(tuple(x.shape), x.dtype, x.device)
    name = "out" if slots is None else "cache"
    to = new() if out is None else out
    _check_result(x, to, name, slots is not None)
    _loading.place(x, to)
    for array_name, array in {**given, name: to}.items():
        if array_name not in ("positions", "slots") and array.stride(-1) != 1:
            raise ValueError(f"{array_name}: its last mode is contiguous, not {array.stride()}")
    if 0 in x.shape or 0 in to.shape:
        return (_calls.Zero if slots is None else _calls.Nothing)(new)
    r = 2 * cos.shape[1]
    plan = Plan(
        _arrays.element(x), _arrays.element(cos), x.shape[1], x.shape[3], r,
        _piece(r, [x, to, cos, sin], x.shape[3]), interleaved, inverse, positions is not None,
        slots is not None)
    numbers = [_arrays.argument(given[n].expand(x.shape[0], x.shape[2]), "i64")
               for n in ("positions", "slots") if n in given]
    arguments = (*map(_arrays.argument, (x, cos, sin)), *numbers, _arrays.argument(to))
    kernel_of = _loading.kernel(program, tuple(dataclasses.asdict(plan).items()), "rope", ordinal)
    return _calls.Call(ordinal, [(kernel_of, arguments, None)], new)


def _piece(r: int, arrays: Any, d: int) -> int:
    """Returns how many elements each access has: 16 bytes where all are aligned, or one."""
    x = arrays[0]
    piece = 16 // x.element_size()
    steps = [r // 2, d, *(s for a in arrays for s in a.stride()[:-1])]
    is_aligned = all(a.data_ptr() % 16 == 0 for a in arrays)
    return piece if is_aligned and not any(step % piece for step in steps) else 1


def _check(given: Mapping[str, Any]) -> None:
    """Raises where operands do not go together."""
    x, cos, sin = given["x"], given["cos"], given["sin"]
    if _arrays.element(x) not in TYPES:
        raise TypeError(f"x is of {', '.join(TYPES)}, not {x.dtype}")
    if x.dim() != 4:
        raise ValueError(f"x is (batch, head, row, d), not {tuple(x.shape)}")
    if x.shape[0] > MOST_BATCHES:
        raise ValueError(f"x has at most {MOST_BATCHES} batches, not {x.shape[0]}")
    if cos.dim() != 2 or not 0 < 2 * cos.shape[1] <= x.shape[3]:
        raise ValueError(f"cos is (position, pair) with up to {x.shape[3] // 2} pairs, not "
                         f"{tuple(cos.shape)}")
    if sin.shape != cos.shape or sin.dtype != cos.dtype:
        raise ValueError(f"sin is like cos, not {tuple(sin.shape)} of {sin.dtype}")
    if str(cos.dtype) not in ("torch.float32", str(x.dtype)):
        raise TypeError(f"cos and sin are of float32 or of {x.dtype}, not {cos.dtype}")
    if "positions" not in given and cos.shape[0] < x.shape[2]:
        raise ValueError(f"cos has {cos.shape[0]} positions, x {x.shape[2]} rows")
    for name in ("positions", "slots"):
        array = given.get(name)
        shape = x.shape[0], x.shape[2]
        if array is not None and (tuple(array.shape) != shape or str(array.dtype) != "torch.int64"):
            raise ValueError(f"{name} is {shape} of torch.int64, not {tuple(array.shape)} of "
                             f"{array.dtype}")


def _check_result(x: Any, to: Any, name: str, has_slots: bool) -> None:
    """Raises if the result does not fit x."""
    if to.dtype != x.dtype:
        raise ValueError(f"{name} is of {x.dtype}, not {to.dtype}")
    if not has_slots:
        if to.shape != x.shape:
            raise ValueError(f"out is {tuple(x.shape)}, not {tuple(to.shape)}")
        return
    if to.dim() != 4 or to.shape[1::2] != x.shape[1::2]:
        raise ValueError(f"cache is (page, {x.shape[1]}, slot, {x.shape[3]}), not "
                         f"{tuple(to.shape)}")


# ---- The kernel -------------------------------------------------------------


@kernel
def rows(x: Tensor, cos: Tensor, sin: Tensor, out: Tensor, plan: Constexpr) -> None:
    """Rotates rows by their numbers."""
    row, batch, _ = arch.block_idx()
    rotate(plan, x, cos, sin, out, (batch, row), Int64(row), (batch, row))


@kernel
def rows_at(x: Tensor, cos: Tensor, sin: Tensor, positions: Tensor, out: Tensor,
            plan: Constexpr) -> None:
    """Rotates rows by their positions."""
    row, batch, _ = arch.block_idx()
    rotate(plan, x, cos, sin, out, (batch, row), positions[batch, row], (batch, row))


@kernel
def rows_to_slots(x: Tensor, cos: Tensor, sin: Tensor, positions: Tensor, slots: Tensor,
                  cache: Tensor, plan: Constexpr) -> None:
    """Rotates rows by their positions, and writes them to slots of a cache."""
    row, batch, _ = arch.block_idx()
    slot = slots[batch, row]
    page_size = Int64(cache.shape[2])
    if (slot >= 0) & (slot < page_size * Int64(cache.shape[0])):
        to = Int32(slot // page_size), Int32(slot % page_size)
        rotate(plan, x, cos, sin, cache, (batch, row), positions[batch, row], to)


def pieces(plan: Plan, tensor: Tensor, at: Any) -> Tensor:
    """Returns (element, piece, head) of a row."""
    strides = [core.assume(stride, divby=plan.piece) for stride in tensor.stride[:3]]
    batch, head, row = strides
    shape = plan.piece, plan.d // plan.piece, plan.heads, *tensor.shape[:3:2]
    layout = core.make_layout(shape, stride=(1, plan.piece, head, batch, row))
    return make_tensor(tensor.iterator, layout)[None, None, None, at[0], at[1]]


def angles(plan: Plan, table: Tensor, position: Any) -> Tensor:
    """Returns (element, piece) of a row of a table."""
    stride = core.assume(table.stride[0], divby=plan.piece)
    layout = core.make_layout((plan.piece, plan.pairs, table.shape[0]),
                              stride=(1, plan.piece, stride))
    return make_tensor(table.iterator, layout)[None, None, position]


@jit
def rotate(plan: Plan, x: Tensor, cos: Tensor, sin: Tensor, out: Tensor, source: Any,
           position: Any, to: Any) -> None:
    """Rotates the row (batch, row) at ``source`` and writes it to that at ``to``."""
    thread, _, _ = arch.thread_idx()
    exists = (position >= 0) & (position < Int64(cos.shape[0]))
    number = Int32(position) if exists else Int32(0)
    valid = Float32(1.0) if exists else Float32(math.nan)
    a, b = pieces(plan, x, source), pieces(plan, out, to)
    tables = [angles(plan, table, number) for table in (cos, sin)]
    items = plan.heads * plan.pairs
    if items % plan.threads == 0:
        places = [place_of(plan, thread + i) for i in range(0, items, plan.threads)]
        loaded = [load_pair(plan, a, tables, place) for place in places]
        for place, pair in zip(places, loaded):
            store_pair(plan, b, place, turned(plan, pair, valid))
    else:
        for i in range_(thread, items, plan.threads):
            place = place_of(plan, i)
            store_pair(plan, b, place, turned(plan, load_pair(plan, a, tables, place), valid))
    for i in range_(thread, plan.heads * plan.rest, plan.threads):
        piece, head = 2 * plan.pairs + i % max(1, plan.rest), i // max(1, plan.rest)
        b[None, piece, head].store(a[None, piece, head].load())


def place_of(plan: Plan, item: Any) -> Any:
    """Returns head and lane of a pair of pieces, and the numbers of both."""
    lane, head = item % plan.pairs, item // plan.pairs
    if plan.interleaved:
        return head, lane, (2 * lane, 2 * lane + 1)
    return head, lane, (lane, lane + plan.pairs)


def load_pair(plan: Plan, a: Tensor, tables: Any, place: Any) -> Any:
    """Returns the first and second elements of pairs, their cosines and sines."""
    head, lane, numbers = place
    loaded = [a[None, number, head].load().to(Float32) for number in numbers]
    if plan.interleaved:
        flat = [e for x in loaded for e in x.to_elements()]
        loaded = [vector_of(flat[i::2], Float32) for i in range(2)]
    return *loaded, *(table[None, lane].load().to(Float32) for table in tables)


def turned(plan: Plan, pair: Any, valid: Any) -> Any:
    """Returns both parts of pairs, rotated."""
    x, y, cos, sin = pair
    cos, sin = cos * valid, sin * (-valid if plan.inverse else valid)
    return x * cos - y * sin, y * cos + x * sin


def store_pair(plan: Plan, b: Tensor, place: Any, pair: Any) -> None:
    """Writes both parts of pairs."""
    head, _, numbers = place
    if plan.interleaved:
        flat = [e for both in zip(*(x.to_elements() for x in pair)) for e in both]
        pair = [vector_of(flat[i:i + plan.piece], Float32) for i in (0, plan.piece)]
    for number, x in zip(numbers, pair):
        b[None, number, head].store(x.to(b.element_type))
