"""Tiles of the plain loop for a size, by a model of H100 and H200."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, NamedTuple

from .gemm_sm90 import Product, width

_MULTIPROCESSORS = 132
_BYTES = 3.0e6  # of memory, a microsecond


class Tile(NamedTuple):
    """A tile and what it costs, as fitted to times of bf16 on an H100.

    :param depth: bytes of K
    :param stages: of the pipeline, 0: as many as fit
    :param step: microseconds for two bytes of K, ``beside`` for the rest of a tile, and
        ``once`` for a launch
    """

    bm: int
    bn: int
    depth: int
    stages: int
    step: float
    beside: float
    once: float


_TILES = (
    Tile(128, 256, 128, 0, 0.0102, 2.0, 5), Tile(128, 192, 128, 0, 0.0080, 1.0, 5),
    Tile(256, 128, 128, 0, 0.0120, 0.5, 7), Tile(64, 256, 128, 0, 0.0058, 0.5, 5),
    Tile(128, 128, 128, 0, 0.0060, 0.0, 5), Tile(64, 192, 128, 0, 0.0046, 0.0, 7),
    Tile(64, 128, 128, 0, 0.0038, 0.0, 7), Tile(128, 64, 128, 0, 0.0040, 0.0, 6),
    Tile(64, 64, 128, 6, 0.0032, 0.0, 7),
)
# D transposed, of few columns.
_FEW = (
    Tile(64, 16, 256, 8, 0.0032, 1.0, 7), Tile(64, 32, 256, 8, 0.0032, 1.5, 7),
    Tile(128, 32, 256, 5, 0.0036, 3.0, 7), Tile(128, 64, 256, 4, 0.0042, 3.0, 7),
    Tile(64, 64, 256, 6, 0.0042, 4.0, 4),
)
_MOST_SUMS = 128 * 128  # of two products, or in levels


@functools.lru_cache(maxsize=None)
def chosen(product: Product, size: tuple[int, int, int], batch: int, arch: int) -> Product:
    """Returns a product with the tile for a size (M,N,K), perhaps transposed."""
    if arch != 90:
        bm, bn = (64, 64) if product.gate else (128, 128)
        return dataclasses.replace(product, bm=bm, bn=bn, bk=1024 // width(product.a))
    return _cheapest(product, size, batch)[1]


def microseconds(product: Product, size: tuple[int, int, int]) -> float:
    """Returns about how long the product of a size takes on an H100."""
    return _cheapest(product, size, 1)[0]


def _cheapest(product: Product, size: tuple[int, int, int], batch: int) -> tuple[float, Product]:
    return min(((_cost(p, tile, size, batch), p) for tile, p in candidates(product, size)),
               key=lambda found: found[0])


def candidates(product: Product, size: tuple[int, int, int]) -> list[tuple[Tile, Product]]:
    """Returns the product with each tile that may be the best for a size."""
    is_double = bool(product.gate) or product.in_levels
    beside = sum(bool(step.tensor) and step.along != "" for step in product.steps)
    most = _MOST_SUMS if is_double or beside > 1 else 128 * 256
    rows = size[1 if product.is_swapped else 0]
    made = [(t, _with(product, t)) for t in _TILES
            if t.bm * t.bn <= most and not (is_double and t.bm * t.bn == most and t.bm == 64)]
    few = [(t, _with(product.swapped(), t)) for t in _FEW]
    if product.gate or rows > 64:
        return made
    return few if rows <= 32 else few + made


def _with(product: Product, tile: Tile) -> Product:
    """Returns a product with a tile. Where a warpgroup has its sums twice, no other one
    has another tile meanwhile."""
    schedule = (("stages", tile.stages),) if tile.stages else ()
    if product.gate or product.in_levels or product.steps:
        schedule += (("pingpong", 2),)
    return dataclasses.replace(product, bm=tile.bm, bn=tile.bn, schedule=schedule,
                               bk=tile.depth * 8 // width(product.a))


def _cost(product: Product, tile: Tile, size: tuple[int, int, int], batch: int) -> float:
    m, n, k = size if not product.is_swapped else (size[1], size[0], size[2])
    tiles = math.ceil(m / tile.bm) * math.ceil(n / tile.bn) * batch
    pairs = k * width(product.a) / 16 * (product.inputs - 1)
    loop = math.ceil(tiles / _MULTIPROCESSORS) * (pairs * tile.step + tile.beside)
    moved = batch * (k * (m + n) * width(product.a) + m * n * width(product.out)) / 8
    return tile.once + max(loop, moved / _BYTES)


def is_slower(product: Product, plan: Any, size: tuple[int, int, int]) -> bool:
    """Says whether the plain loop takes longer than a plan by mma.sync."""
    return _by_warps(plan, size) < microseconds(product, size)


# Times of mma.sync in microseconds: of a step of K of bm x bn; where blocks share tiles, sums
# travel, and memory is made first.
_STEP, _STEP_OF_ELEMENT = 2.2e-3, 4.6e-7
_SHARING, _BEFORE_SHARING = 1.6, 5.0


def _by_warps(plan: Any, size: tuple[int, int, int]) -> float:
    m, n, k = size
    if plan.type == "f8E4M3FN":  # mma.sync is emulated there
        return math.inf
    waves = math.ceil(m / plan.bm) * math.ceil(n / plan.bn) / _MULTIPROCESSORS
    waves = waves * _SHARING if plan.stream else math.ceil(waves)
    took = waves * k * (_STEP + _STEP_OF_ELEMENT * plan.bm * plan.bn)
    return 6 + took + (_BEFORE_SHARING if plan.stream else 0)
