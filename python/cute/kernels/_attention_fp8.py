"""Attention of 8-bit floats: a plain loop of products of float8_e4m3fn with sums in float32.

Tensor cores multiply such values only where the columns of V^T follow each other. So a kernel
transposes V first, and puts the columns of each 32 in the order in which a thread has P: 2 t,
2 t + 1, 2 t + 8 and 2 t + 9 for t of 0 to 3, and the same from 16 on. Columns that there are not
are 0.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping

from .. import arch, core
from .._compile.jit import jit, kernel
from .._values.numeric import Int32, Int64, Uint32
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import vector_of
from . import _arrays, _loading
from ._program import Program

HEADS = (32, 64, 96, 128, 192, 256)  # their sizes
# Warps, and keys at a time, of a block on H100 and H200, by the larger of both sizes.
TILES = {32: (8, 128), 64: (8, 256), 96: (8, 128), 128: (12, 96), 192: (8, 128)}
THREADS, GROUP = 128, 32  # of a block that transposes, and columns of a thread


def parameters(d: int, dv: int, is_hopper: bool) -> dict[str, Any]:
    """Returns values for the parameters of the plain loop for sizes of heads."""
    warps, keys = TILES.get(max(d, dv), (4, 64)) if is_hopper else (4, 64)
    return {"TO": "bf16", "FP8": 1, "WARPS": warps, "KEYS": keys, "D_TILE": d, "DV_TILE": dv,
            "ACROSS": _across(d, 512 * warps, 16 * warps, keys),
            "ACROSS_V": _across(keys, 512 * warps, dv), "ACROSS_O": _across(dv, 256 * warps, 16 * warps)}


def _across(extent: int, at_once: int, *rows: int) -> int:
    """Returns how many elements of a row threads copy side by side.

    :param extent: of the row
    :param at_once: elements that the threads of a block copy
    :param rows: of tiles that they are to share evenly
    """
    return next(n for n in range(extent, 0, -16)
                if extent % n == at_once % n == 0 and math.gcd(*rows) % (at_once // n) == 0)


def transposed(v: Any) -> Callable[[], Any]:
    """Returns a maker of an array for the transposed values, (batch, head, d, column)."""
    batches, heads, columns, d = v.shape
    return _arrays.maker((batches, heads, d, -(-columns // GROUP) * GROUP), v.dtype, v.device)


def transposing(ordinal: int, v: Any, to: Any) -> Any:
    """Returns the launch of the kernel that transposes, as a Call has it."""
    found = _loading.kernel(program, (), "transpose_values", ordinal)
    return found, (_words(v), _words(to)), None


def _words(array: Any) -> Any:
    """Returns an array as an argument whose elements are four of it."""
    *extents, last = array.shape
    strides = [stride // 4 for stride in array.stride()[:-1]]
    return array.data_ptr(), "i32", (*extents, last // 4), (*strides, 1)


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernel that transposes."""
    matrix = '!cute.tensor<i32, gmem, align<16>, "(?,?,?,?):(?{i64},?{i64},?{i64},1)">'
    made = Program("transpose_values")
    made.add("transpose_values", transpose_values, matrix, matrix, threads=THREADS,
             grid=[f"ceil_div(arg0.shape[3] * ceil_div(arg0.shape[2], {GROUP}), {THREADS})",
                   "arg0.shape[1]", "arg0.shape[0]"])
    return made


@kernel
def transpose_values(v: Tensor, to: Tensor) -> None:
    """Writes words of four columns, each of GROUP rows of ``v`` and four of its elements."""
    block, head, batch = arch.block_idx()
    thread, _, _ = arch.thread_idx()
    number, count = Uint32(block * THREADS + thread), Uint32(v.shape[3])
    place, group = Int32(number % count), Int32(number // count)
    if group * GROUP < v.shape[2]:
        rows = [word_of(v, batch, head, group * GROUP + i, place) for i in range(GROUP)]
        columns: list[list[Any]] = [[], [], [], []]
        for first in [*range(0, 8, 2), *range(16, 24, 2)]:
            for column, word in zip(columns, turned(*(rows[first + i] for i in (0, 1, 8, 9)))):
                column.append(word)
        for i, column in enumerate(columns):
            start = (Int64(batch) * to.stride[0] + Int64(head) * to.stride[1]
                     + Int64(4 * place + i) * to.stride[2] + Int64(group) * (GROUP // 4))
            start = core.assume(start, divby=GROUP // 4)
            to_words = make_tensor(to.iterator + start, core.make_layout(GROUP // 4))
            to_words.store(vector_of(column, Int32))


@jit
def word_of(v: Tensor, batch: Any, head: Any, row: Any, place: Any) -> Any:
    """Returns four elements of a row, 0 if there is no such row."""
    found = Int32(0)
    if row < v.shape[2]:
        found = v[batch, head, row, place]
    return found


def turned(a: Any, b: Any, c: Any, d: Any) -> list[Any]:
    """Returns the words of the first, second, third and fourth bytes of four words."""
    low, high = [[arch.prmt(x, y, selector) for x, y in ((a, b), (c, d))]
                 for selector in (0x5140, 0x7362)]
    return [arch.prmt(*pair, selector) for pair in (low, high) for selector in (0x5410, 0x7632)]
