"""C = A * transpose(B) on tensor cores by mma.sync, of any size.

A is (M,K) and B (N,K) of ``type``, C is (M,N) of ``out``, all with a third mode that counts
matrices if ``batched``. Contiguous are ``a_major`` in A, ``b_major`` in B and ``c_major`` in
C. With ``split``, sums are added to C.

How the work is split:

- a block has a ``bm`` x ``bn`` tile of C as it lies in memory, along K in steps of ``bk``,
  or along its share of K; with ``stream``, blocks do one tile after the other, and tiles
  that do not fill the grid are cut along K into equal shares for all blocks;
- warps share the tile as ``warps_m`` x ``warps_n``, and k-blocks as ``warps_k``;

and how the data moves:

- global -> shared: cp.async, 16 bytes a thread, ``stages`` tiles deep, so that loads run
  ``stages - 1`` tiles ahead of their use;
- shared -> registers: one k-block ahead of the MMAs;
- registers -> shared -> global: the sums of warps that share K, which are added up there,
  in order, and results of 16 bits, so that lines of C are written in pieces of 16 bytes;
- registers -> global: other results.

cp.async moves 16 bytes at a time, so lines of A and B must begin at multiples of 16 bytes.
They end there, too, or with ``partial`` anywhere: the last 16 bytes of a line are then read
in part. Other matrices take a plain loop without overlap instead.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping

from .. import arch, core
from .._compile.arguments import Constexpr
from .._frontend.control import maximum, minimum
from .._compile.jit import jit, kernel
from .._values.numeric import Int32, Uint32
from .._values.tensor import Tensor
from . import _access, _gemm_result, _stream_k
from ._gemm_plan import Plan
from ._gemm_tiles import Tile, pipelined, plain
from ._program import Program


_DERIVED = (
    "bits", "out_bits", "sum_bits", "sum", "atom", "atom_k", "vec", "out_vec", "threads",
    "k_blocks",
)


def plan_of(values: Mapping[str, Any]) -> Plan:
    """Returns the plan that values have the parameters of."""
    return Plan(**{f.name: values[f.name] for f in dataclasses.fields(Plan)})


def derived(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what follows from the parameters, for the tuner's expressions."""
    plan = plan_of(values)
    return {name: getattr(plan, name) for name in _DERIVED}


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernel of some parameters."""
    plan = plan_of(values)
    made = Program(values["name"])
    arguments, entry = plan.matrices, gemm
    if plan.stream:
        entry = gemm_stream
        arguments = [*arguments, f'!cute.tensor<{plan.sum}, gmem, align<16>, "?{{i64}}:1">',
                     '!cute.tensor<i32, gmem, align<4>, "?:1">']
    made.add(values["name"], entry, *arguments, threads=plan.threads, grid=plan.grid,
             plan=plan)
    return made


class Matrices:
    """The operands of a block, and their sizes.

    X is A, Y is B and Z is C; where the rows of C are contiguous, Z is C transposed, and
    with that X is B and Y is A.
    """

    def __init__(self, plan: Plan, a: Tensor, b: Tensor, c: Tensor):
        self.batch_pitches: Any = None
        self.c_batch: Any = None
        whole = (b, a) if plan.is_transposed else (a, b)
        if plan.batched:
            self.batch_pitches = [t.stride[2] for t in whole]
            self.c_batch = c.stride[2]
            _, _, z = arch.block_idx()
            a, b, c = (t[None, None, z] for t in (a, b, c))
        self.inputs = (b, a) if plan.is_transposed else (a, b)
        self.z = core.select(c, mode=[1, 0] if plan.is_transposed else [0, 1])
        self.k = Uint32(self.inputs[0].shape[1])
        self.k_tiles = self.k // plan.bk + minimum(self.k % plan.bk, Uint32(1))

    def tile(self, plan: Plan, at: Any) -> Tile:
        """Returns a block's tile."""
        thread, _, _ = arch.thread_idx()
        return Tile(plan, self.inputs, self.z, at, thread, self.batch_pitches)


@kernel
def gemm(a: Tensor, b: Tensor, c: Tensor, plan: Constexpr) -> None:
    """Writes a block's tile of C."""
    x, y, z = arch.block_idx()
    at = x, y
    if plan.group:
        tiles_x, tiles_y, _ = arch.grid_dim()
        at = _stream_k.place(y * tiles_x + x, tiles_x, tiles_y, plan.group)
    matrices = Matrices(plan, a, b, c)
    k_tiles = matrices.k_tiles
    k_begin, k_end = Uint32(0), k_tiles
    if plan.split > 1:
        share = _access.ceil_div(k_tiles, plan.split)
        k_begin = Uint32(z) * share
        k_end = minimum(k_begin + share, k_tiles)
    tile = matrices.tile(plan, at)
    add_up(tile, Int32(k_begin), Int32(k_end), Int32(k_tiles))
    meeting = _gemm_result.Meeting(tile) if plan.meets else None
    _gemm_result.store(tile, matrices.c_batch, meeting, False)


@kernel
def gemm_stream(a: Tensor, b: Tensor, c: Tensor, work: Tensor, counters: Tensor,
                plan: Constexpr) -> None:
    """Writes a block's tiles of C, or its parts of them to ``work``."""
    matrices = Matrices(plan, a, b, c)
    rows, columns = matrices.z.shape
    # There is one tile of zeros if there is no K.
    k_tiles = Int32(maximum(matrices.k_tiles, Uint32(1)))
    share = _stream_k.Share(plan, rows, columns, k_tiles)
    for unit in _stream_k.Units(share.units):
        number, at, k_begin, k_end = share.unit(unit)
        tile = matrices.tile(plan, at)
        add_up(tile, k_begin, k_end, k_tiles)
        finish(share, tile, (number, k_begin, k_end), work, counters)
        arch.sync_threads()


@jit
def finish(share: Any, tile: Tile, unit: Any, work: Tensor, counters: Tensor) -> None:
    """Writes a tile that is complete."""
    plan = tile.plan
    meeting, sums, to = None, tile.sums, None
    if plan.meets:
        meeting = _gemm_result.Meeting(tile)
        sums, to = meeting.add_up()
    if _stream_k.complete(share, tile, unit, sums, work, counters):
        if plan.meets:
            to.store(sums.load())
            arch.sync_threads()
        _gemm_result.store(tile, None, meeting, plan.meets)


@jit
def add_up(tile: Tile, k_begin: Any, k_end: Any, k_tiles: Any) -> None:
    """Adds up the products of the tiles from ``k_begin`` up to ``k_end`` along K."""
    if tile.is_aligned():
        pipelined(tile, k_begin, k_end, k_tiles)
    else:
        plain(tile, k_begin, k_end)
