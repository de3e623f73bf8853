"""Tiles of the plain loop for a size, by a model of H100 and H200."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import NamedTuple

from .gemm_sm90 import Product, Step, width

WITH_TENSOR_MEMORY = (100, 103, 110)
_BYTES = 4.24e6  # of memory, a microsecond
# Lines of 128 bytes of the L2 cache, a microsecond, and how many a row of a tile takes for its 128
# bytes of K, by the bytes that rows in memory begin at multiples of.
_LINES = 17.0e6 / 128
_OF_ROW = {128: 1.0, 64: 1.14, 32: 1.65, 16: 2.73}


class Tile(NamedTuple):
    """A tile and what it costs, as fitted to times of bf16 on an H200 (``./dev bench library --random``).

    :param depth: bytes of K
    :param stages: of the pipeline, 0: as many as fit
    :param in_turns: whether two warpgroups have a tile each, and take turns; with ``warpgroups``, which
        share a tile, whether they start the products of a round in turn
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
    split: int = 1  # blocks of a cluster that share the rounds of a tile
    cluster: int = 1  # blocks, one below the other, that share loads of B
    warpgroups: int = 0  # 0: one for each 64 rows, or two


_TILES = (
    Tile(128, 256, 128, 0, False, 0.00936, 1.7, 6.0),
    Tile(128, 224, 128, 0, False, 0.00866, 1.5, 6.4),
    Tile(128, 208, 128, 0, False, 0.00774, 1.1, 6.6),
    Tile(128, 192, 128, 0, False, 0.00717, 1.0, 6.7),
    Tile(128, 176, 128, 0, False, 0.00665, 1.2, 6.5),
    Tile(128, 160, 128, 0, False, 0.00598, 0.9, 6.4),
    Tile(128, 144, 128, 0, False, 0.00556, 0.9, 6.1),
    Tile(128, 128, 128, 0, False, 0.00495, 0.7, 6.2),
    Tile(64, 256, 128, 0, False, 0.00539, 0.7, 6.0),
    Tile(128, 128, 128, 0, True, 0.00484, 0.5, 5.8),
    Tile(64, 192, 128, 0, False, 0.00399, 0.7, 5.8),
    Tile(64, 160, 128, 0, False, 0.00341, 0.5, 5.8),
    Tile(64, 128, 128, 0, False, 0.00298, 0.4, 5.3),
    Tile(64, 96, 128, 0, False, 0.0024, 0.3, 6.0),
    Tile(64, 64, 256, 0, False, 0.00206, 0.2, 5.7),
    Tile(128, 256, 128, 0, False, 0.0093, 1.8, 7.0, cluster=2),
    Tile(128, 192, 128, 0, False, 0.00713, 1.2, 7.0, cluster=2),
    Tile(64, 64, 256, 0, False, 0.00246, 1.8, 6.7, 2),
    # Costs of these are those of the tile, and what two blocks cost beside, and more for more.
    Tile(64, 64, 256, 0, False, 0.00258, 2.9, 7.4, split=4),
    Tile(64, 64, 256, 0, False, 0.00258, 3.6, 7.6, split=8),
    Tile(64, 128, 128, 0, False, 0.00371, 2.8, 7.0, split=2),
    Tile(64, 128, 128, 0, False, 0.00371, 3.5, 7.2, split=4),
    Tile(128, 128, 128, 0, False, 0.0059, 3.2, 7.4, split=2),
    Tile(128, 128, 128, 0, False, 0.0059, 4.0, 7.6, split=4),
)
# D transposed, of few columns.
_FEW = (
    Tile(64, 16, 256, 8, False, 0.00151, 1.3, 8.4),
    Tile(64, 32, 256, 8, False, 0.00164, 1.7, 8.0),
    Tile(128, 32, 256, 5, False, 0.0024, 2.4, 10.1),
    Tile(64, 64, 256, 0, False, 0.00294, -0.7, 7.3),
    Tile(64, 16, 256, 6, False, 0.00133, 2.5, 10.5, split=2),
    Tile(64, 16, 256, 6, False, 0.00133, 3.2, 10.7, split=4),
    Tile(64, 32, 256, 6, False, 0.00209, 3.0, 10.3, split=2),
    Tile(64, 32, 256, 6, False, 0.00209, 3.7, 10.5, split=4),
    Tile(64, 64, 256, 0, False, 0.00295, 3.5, 9.6, split=4),
)
# Tiles of products in levels, whose sums threads add to others after each tile along K.
_LEVELS = (
    Tile(192, 128, 128, 0, True, 0.0093, 0.8, 7.0, warpgroups=3),
    Tile(128, 128, 128, 0, True, 0.0068, 0.6, 7.0, warpgroups=2),
)
_ALONE = 1.25  # a tile's time if nobody multiplies meanwhile, beside a product in one level
_GROUP = 1.0  # microseconds to find a tile's group, and for fewer tiles with the same weights
_FEWEST, _FEW_ROWS = 32, 64  # rows up to which only _FEW, or these, too, are tried
_MOST_SUMS = 128 * 128  # of two products, or in levels


@functools.lru_cache(maxsize=None)
def chosen(product: Product, size: tuple[int, int, int], batch: int, arch: int,
           multiprocessors: int) -> Product:
    """Returns a product with the tile for a size (M,N,K), perhaps transposed.

    :param batch: how many products of the size there are; groups count as such, too
    """
    if arch in WITH_TENSOR_MEMORY and not product.in_levels:
        return _in_tensor_memory(product, size, multiprocessors)
    if arch != 90:  # what registers and 99 KiB of shared memory have room for
        is_large = product.gate or product.in_levels or width(product.out) > 16
        extent = 64 if is_large else 128
        return dataclasses.replace(product, bm=extent, bn=extent, bk=1024 // width(product.a))
    return min(candidates(product, size), key=lambda found: microseconds(
        found[1], found[0], size, batch, multiprocessors))[1]


def _in_tensor_memory(product: Product, size: tuple[int, int, int], multiprocessors: int
                      ) -> Product:
    """Returns a product with a tile for tcgen05, the larger, the more tiles there are, and blocks
    alone where there is one row of tiles, which a pair would compute twice; no times were at
    hand."""
    is_plain = not product.steps and not product.gate and width(product.out) <= 16
    bm = 64 if size[0] <= 64 else 128
    tiles = math.ceil(size[0] / bm) * math.ceil(size[1] / 256)
    bn = 256 if is_plain and tiles >= multiprocessors else 128
    alone = (("cluster_x", 1),) if size[0] <= bm else ()
    return dataclasses.replace(product, bm=bm, bn=bn, bk=1024 // width(product.a),
                               schedule=product.schedule + alone)


def candidates(product: Product, size: tuple[int, int, int]) -> list[tuple[Tile, Product]]:
    """Returns the product with each tile that may be the best for a size."""
    is_double = bool(product.gate) or product.in_levels
    beside = sum(bool(step.tensor) and step.along != "" for step in product.steps)
    most = _MOST_SUMS if is_double or beside > 1 else 128 * 256
    by_warpgroups = 2 if is_double else 1  # that share so many sums
    has_turns = not is_double and all(map(_is_brought, product.steps)) and len(product.steps) < 2
    has_cluster = not (is_double or product.batches[2] or product.groups)
    made = [(t, _with(product, t)) for t in _for(product, _TILES)
            if t.bm * t.bn <= most and t.bm >= 64 * by_warpgroups * (t.bm * t.bn == most)
            and has_turns >= t.in_turns and has_cluster >= (t.split * t.cluster > 1)]
    if not (is_double or product.steps or product.groups) and product.swapped().has_rows:
        made += [(t, _with(product.swapped(), t)) for t, _ in made if t.bm != t.bn]
    if product.in_levels:  # rows of a group end at multiples of 128
        made += [(t, _with(product, t)) for t in _LEVELS
                 if product.groups != "rows" or 128 % t.bm == 0]
    rows = size[1 if product.is_swapped else 0]
    if product.gate or product.groups or rows > _FEW_ROWS:
        return made
    few = [(t, _with(product.swapped(), t)) for t in _for(product, _FEW)
           if t.bn >= rows and has_cluster >= (t.split > 1)]
    return few if rows <= _FEWEST else few + made


def _is_brought(step: Step) -> bool:
    """Says whether TMA brings the tile that a step adds, which takes few registers."""
    return step.kind == "add" and step.in_lines and width(step.tensor) <= 16


def _for(product: Product, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Returns tiles for a product: if it is scaled, those with one scale of B for each 128 of K."""
    if product.in_levels:
        tiles = tuple(t._replace(step=t.step * _ALONE) for t in tiles)
    if not product.scaled:
        return tiles
    return tuple(t._replace(depth=128, stages=t.stages * t.depth // 128) for t in tiles
                 if 128 % t.bn == 0)


def _with(product: Product, tile: Tile) -> Product:
    """Returns a product with a tile."""
    schedule = (("pingpong", 1 if tile.in_turns else 2),)
    schedule += (("stages", tile.stages),) if tile.stages else ()
    schedule += (("split", tile.split),) if tile.split > 1 else ()
    schedule += (("warpgroups", tile.warpgroups),) if tile.warpgroups else ()
    if product.groups:
        schedule += (("rows", 4),)  # of tiles: more seldom have the same matrix B
    schedule += (("cluster_x", tile.cluster),) if tile.cluster > 1 else ()
    return dataclasses.replace(product, bm=tile.bm, bn=tile.bn, schedule=schedule,
                               bk=tile.depth * 8 // width(product.a))


def _count(product: Product, tile: Tile, size: tuple[int, int, int]) -> int:
    """Returns how many tiles D has, with those of clusters that end beyond it; a group may end
    anywhere in its last one."""
    m, n = size[:2] if not product.is_swapped else (size[1], size[0])
    clusters = m / (tile.bm * tile.cluster)
    rows = clusters + 0.5 if product.groups else math.ceil(clusters) * tile.cluster
    return math.ceil(rows * math.ceil(n / tile.bn))


def microseconds(product: Product, tile: Tile, size: tuple[int, int, int], batch: int,
                 multiprocessors: int) -> float:
    """Returns about how long the product of a size takes, by the times of an H200: blocks
    multiply, or wait for the L2 cache, which all share, while memory is read."""
    m, n, k = size
    blocks = _count(product, tile, size) * batch * tile.split
    pairs = k / tile.split * width(product.a) / 16 * (product.inputs - 1)
    lines = min(blocks, multiprocessors) * _lines_of(product, tile, size) / _LINES
    beside = tile.beside + (_GROUP if product.groups else 0)
    loop = math.ceil(blocks / multiprocessors) * (pairs * max(tile.step, lines) + beside)
    moved = batch * (k * (m + n) * width(product.a) + m * n * width(product.out)) / 8
    return tile.once + math.hypot(loop, moved / _BYTES)


def _lines_of(product: Product, tile: Tile, size: tuple[int, int, int]) -> float:
    """Returns lines of the L2 cache of a tile's rows for two bytes of K."""
    m, n, k = size if not product.is_swapped else (size[1], size[0], size[2])
    found = 0.0
    for extent, other, major in zip((tile.bm, tile.bn / tile.cluster), (m, n), product.majors):
        along = (k if major == "k" else other) * width(product.a) // 8
        found += extent * _OF_ROW[max(16, math.gcd(along, 128))] * 2 / 128
    return found
