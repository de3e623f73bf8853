"""Tiles of Q, K and V in shared memory, and how they get there.

Rows of 128 bytes have all banks once, in which S<3,3,3> permutes the eight 16-byte pieces
by the row number modulo 8, so that the 8 rows that ldmatrix reads at a time are in
different banks.
"""

from __future__ import annotations

from typing import Any

from .. import arch, core
from .._compile.jit import jit
from .._values.tensor import Tensor
from . import _access

ALIGNMENT = 128


class _Tiles:
    """The tiles of a block: Q, and two stages of K and V, with where they come from.

    :param q: the tile of Q, ``k`` and ``v`` all tiles (rows, d, tile) of K and V
    """

    def __init__(self, plan: Any, q: Tensor, k: Tensor, v: Tensor, thread: Any):
        self.plan, self.thread = plan, thread
        self.q, self.k, self.v = q, k, v
        self.queries = self._allocate((plan.bm, plan.d))
        self.keys = self._allocate((plan.bn, plan.d, 2))
        self.values = self._allocate((plan.bn, plan.d, 2))
        self._prepare()

    def _allocate(self, shape: Any) -> Tensor:
        atom = core.make_composed_layout(
            core.make_swizzle(3, 3, 3), 0, core.make_layout((8, 64), stride=(64, 1)))
        order = tuple(range(len(shape)))
        return _access.allocate(self.plan.dtype, core.tile_to_shape(atom, shape, order), ALIGNMENT)

    def _rows(self, count: int) -> Tensor:
        """Returns of each element of so many rows the number of its row."""
        return core.make_tensor(0, core.make_layout((count, self.plan.d), stride=(1, 0)))


class AsyncTiles(_Tiles):
    """Tiles that cp.async fetches, 16 bytes a thread, one step ahead. Rows that do not
    exist are zeros.

    A thread's row numbers are thread 0's, which are static, plus its first.
    Comparing the static ones with a bound that is less by the first keeps no number of
    each element in a register.
    """

    def _prepare(self) -> None:
        threads, d = self.plan.threads, self.plan.d
        self.layouts = (core.make_layout((threads * 8 // d, d // 8), stride=(d // 8, 1)),
                        core.make_layout((1, 8), stride=(0, 1)))
        atom = _access.copy_atom("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", self.plan.dtype)
        self.copy = core.make_tiled_copy_tv(atom, *self.layouts)
        part = self.copy.get_slice(self.thread)
        self.from_q, self.from_k, self.from_v = map(
            part.partition_S, (self.q, self.k, self.v))
        self.to_q, self.to_k, self.to_v = map(
            part.partition_D, (self.queries, self.keys, self.values))
        self.q_rows = _access.from_first(
            part.partition_S(self._rows(self.plan.bm))[0, None, None])
        self.k_rows = _access.from_first(
            part.partition_S(self._rows(self.plan.bn))[0, None, None])

    def fetch_queries(self, left: Any) -> None:
        """Begins to fetch Q, which has so many rows."""
        numbers, first = self.q_rows
        core.copy(self.copy, self.from_q, self.to_q,
                  pred=_access.below(numbers, left - first))

    def fetch(self, j: Any, stage: Any, columns: Any) -> None:
        """Begins to fetch tile j of K and V into a stage."""
        numbers, first = self.k_rows
        exist = _access.below(numbers, columns - j * self.plan.bn - first)
        for source, to in ((self.from_k, self.to_k), (self.from_v, self.to_v)):
            core.copy(self.copy, source[None, None, None, j], to[None, None, None, stage],
                      pred=exist)
        arch.cp_async_commit_group()

    def wait(self) -> None:
        """Waits until what was begun is there, for this thread."""
        arch.cp_async_wait_group(0)

    def store_rows(self, thread: Any, to: Tensor, left: Any) -> None:
        """Writes the tile that lies in place of Q, 16 bytes at a time."""
        atom = _access.copy_atom("UniversalCopy<uint128_t>", self.plan.dtype)
        copy = core.make_tiled_copy_tv(atom, *self.layouts)
        part = copy.get_slice(thread)
        source = part.partition_S(self.queries)
        values = core.make_fragment_like(source)
        numbers, first = _access.from_first(
            part.partition_D(self._rows(self.plan.bm))[0, None, None])
        exist = _access.below(numbers, left - first)
        core.copy(copy, source, values)
        core.copy(copy, values, part.partition_D(to), pred=exist)


class StripTiles(_Tiles):
    """Tiles that are fetched one step ahead, element by element, in strips of rows."""

    def _prepare(self) -> None:
        threads, d = self.plan.threads, self.plan.d
        self.strip = 8 * threads // d
        atom = _access.copy_atom("UniversalCopy<uint16_t>", self.plan.dtype)
        self.copy = core.make_tiled_copy_tv(
            atom, core.make_layout((threads // d, d), stride=(d, 1)),
            core.make_layout((1, 1), stride=(0, 0)))
        part = self.copy.get_slice(self.thread)
        self.numbers, self.first = _access.from_first(
            part.partition_S(self._rows(self.strip))[0, None, None])

    def _strip(self, tile: Tensor, i: Any) -> Tensor:
        return core.local_tile(tile, (self.strip, self.plan.d), (i, 0))

    def _exist(self, i: Any, left: Any) -> Tensor:
        """Returns which rows of strip i exist, of so many of the tile."""
        return _access.below(self.numbers, left - i * self.strip - self.first)

    def _fetch(self, source: Tensor, to: Tensor, i: Any, exist: Tensor) -> None:
        """Copies strip i of a tile, with zeros for rows that do not exist."""
        part = self.copy.get_slice(self.thread)
        source = part.partition_S(self._strip(source, i))
        to = part.partition_D(self._strip(to, i))
        values = core.make_fragment_like(source)
        _access.clear(values)
        core.copy(self.copy, source, values, pred=exist)
        core.copy(self.copy, values, to)

    @jit
    def fetch_queries(self, left: Any) -> None:
        """Fetches Q, which has so many rows."""
        for i in range(self.plan.bm // self.strip):
            self._fetch(self.q, self.queries, i, self._exist(i, left))

    @jit
    def fetch(self, j: Any, stage: Any, columns: Any) -> None:
        """Fetches tile j of K and V into a stage."""
        left = columns - j * self.plan.bn
        k, v = self.k[None, None, j], self.v[None, None, j]
        to_k, to_v = self.keys[None, None, stage], self.values[None, None, stage]
        for i in range(self.plan.bn // self.strip):
            exist = self._exist(i, left)
            self._fetch(k, to_k, i, exist)
            self._fetch(v, to_v, i, exist)

    def wait(self) -> None:
        """Waits for nothing: stores are complete."""

    @jit
    def store_rows(self, thread: Any, to: Tensor, left: Any) -> None:
        """Writes the tile that lies in place of Q."""
        part = self.copy.get_slice(thread)
        for i in range(self.plan.bm // self.strip):
            exist = self._exist(i, left)
            source = part.partition_S(self._strip(self.queries, i))
            values = core.make_fragment_like(source)
            core.copy(self.copy, source, values)
            core.copy(self.copy, values, part.partition_D(self._strip(to, i)), pred=exist)
