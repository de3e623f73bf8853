"""Tiles of the plain loop for a size, by a model of H100 and H200."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import NamedTuple

from .gemm_sm90 import Product, width

WITH_TENSOR_MEMORY = (100, 103, 110)
_MULTIPROCESSORS = 132
_BYTES = 3.0e6  # of memory, a microsecond


class Tile(NamedTuple):
    """A tile and what it costs, as fitted to times of bf16 of 48 sizes on an H100.

    :param depth: bytes of K
    :param stages: of the pipeline, 0: as many as fit
    :param in_turns: whether two warpgroups have a tile each, and take turns
    :param step: microseconds for two bytes of K, ``beside`` for the rest of a tile, and
        ``once`` for a launch
    """

    bm: int
    bn: int
    depth: int
    stages: int
    in_turns: bool
    step: float
    beside: float
    once: float
    split: int = 1  # blocks that share the rounds of a tile


_TILES = (
    Tile(128, 256, 128, 0, False, 0.0102, 2.0, 4.0),
    Tile(128, 192, 128, 0, False, 0.0080, 1.0, 5.5),
    Tile(128, 128, 128, 0, False, 0.0060, 0.0, 6.0),
    Tile(128, 128, 128, 0, True, 0.0059, 0.0, 6.5),
    Tile(64, 256, 128, 0, False, 0.0059, 0.5, 6.0),
    Tile(64, 192, 128, 0, False, 0.0049, 0.0, 6.5),
    Tile(64, 128, 128, 0, False, 0.0040, 0.0, 6.0),
    Tile(128, 64, 128, 0, True, 0.0049, 1.0, 4.5),
    Tile(64, 64, 256, 0, False, 0.0032, 0.0, 5.5),
)
# D transposed, of few columns.
_FEW = (
    Tile(64, 16, 256, 8, False, 0.0029, 0.5, 7.0),
    Tile(64, 32, 256, 8, False, 0.0030, 1.0, 7.0),
    Tile(128, 32, 256, 5, False, 0.0039, 3.0, 7.0),
    Tile(128, 64, 256, 4, False, 0.0049, 0.5, 7.0),
)
# Tiles that blocks of a cluster share, if there is a multiprocessor for each block.
_SPLIT = (
    Tile(64, 64, 256, 0, False, 0.0032, 0.0, 10.0, 2),
    Tile(64, 64, 256, 0, False, 0.0032, 0.0, 11.0, 4),
)
_FEWEST, _FEW_ROWS = 32, 64  # rows up to which only _FEW, or these, too, are tried
_MOST_SUMS = 128 * 128  # of two products, or in levels
_OVERLAP = 0.1  # of the loop that waits for memory as a whole


@functools.lru_cache(maxsize=None)
def chosen(product: Product, size: tuple[int, int, int], batch: int, arch: int) -> Product:
    """Returns a product with the tile for a size (M,N,K), perhaps transposed.

    :param batch: how many products of the size there are; groups count as such, too
    """
    if arch in WITH_TENSOR_MEMORY and not product.in_levels:
        return _in_tensor_memory(product, size)
    if arch != 90:  # what registers and 99 KiB of shared memory have room for
        is_large = product.gate or product.in_levels or width(product.out) > 16
        extent = 64 if is_large else 128
        return dataclasses.replace(product, bm=extent, bn=extent, bk=1024 // width(product.a))
    return min(candidates(product, size),
               key=lambda found: microseconds(found[1], found[0], size, batch))[1]


def _in_tensor_memory(product: Product, size: tuple[int, int, int]) -> Product:
    """Returns a product with a tile for tcgen05, the larger, the more tiles there are; no times
    were at hand."""
    is_plain = not product.steps and not product.gate and width(product.out) <= 16
    bm = 64 if size[0] <= 64 else 128
    tiles = math.ceil(size[0] / bm) * math.ceil(size[1] / 256)
    bn = 256 if is_plain and tiles >= _MULTIPROCESSORS else 128
    return dataclasses.replace(product, bm=bm, bn=bn, bk=1024 // width(product.a))


def candidates(product: Product, size: tuple[int, int, int]) -> list[tuple[Tile, Product]]:
    """Returns the product with each tile that may be the best for a size."""
    is_double = bool(product.gate) or product.in_levels
    beside = sum(bool(step.tensor) and step.along != "" for step in product.steps)
    most = _MOST_SUMS if is_double or beside > 1 else 128 * 256
    by_warpgroups = 2 if is_double else 1  # that share so many sums
    made = [(t, _with(product, t)) for t in _for(product, _TILES)
            if t.bm * t.bn <= most and t.bm >= 64 * by_warpgroups * (t.bm * t.bn == most)
            and not (t.in_turns and (is_double or product.steps or product.groups))]
    if product.groups:
        return made
    if not is_double and not product.batches[2]:
        made += [(t, _with(product, t)) for t in _SPLIT
                 if t.split * _count(product, t, size) <= _MULTIPROCESSORS]
    rows = size[1 if product.is_swapped else 0]
    if product.gate or rows > _FEW_ROWS:
        return made
    few = [(t, _with(product.swapped(), t)) for t in _for(product, _FEW) if t.bn >= rows]
    return few if rows <= _FEWEST else few + made


def _for(product: Product, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Returns tiles for a product: if it is scaled, those with one scale of B for each 128 of K."""
    if not product.scaled:
        return tiles
    return tuple(t._replace(depth=128, stages=t.stages * t.depth // 128) for t in tiles
                 if 128 % t.bn == 0)


def _with(product: Product, tile: Tile) -> Product:
    """Returns a product with a tile."""
    schedule = (("pingpong", 1 if tile.in_turns else 2),)
    schedule += (("stages", tile.stages),) if tile.stages else ()
    schedule += (("split", tile.split),) if tile.split > 1 else ()
    return dataclasses.replace(product, bm=tile.bm, bn=tile.bn, schedule=schedule,
                               bk=tile.depth * 8 // width(product.a))


def _count(product: Product, tile: Tile, size: tuple[int, int, int]) -> int:
    """Returns how many tiles D has."""
    m, n = size[:2] if not product.is_swapped else (size[1], size[0])
    return math.ceil(m / tile.bm) * math.ceil(n / tile.bn)


def microseconds(product: Product, tile: Tile, size: tuple[int, int, int], batch: int) -> float:
    """Returns about how long the product of a size takes on an H100."""
    m, n, k = size
    tiles = _count(product, tile, size) * batch * tile.split
    pairs = k / tile.split * width(product.a) / 16 * (product.inputs - 1)
    loop = math.ceil(tiles / _MULTIPROCESSORS) * (pairs * tile.step + tile.beside)
    moved = batch * (k * (m + n) * width(product.a) + m * n * width(product.out)) / 8
    return tile.once + max(loop, moved / _BYTES + _OVERLAP * loop)
