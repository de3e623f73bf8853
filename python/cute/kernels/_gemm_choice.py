"""Tiles of the plain loop for a size, by a model of H100 and H200."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import NamedTuple

from .gemm_sm90 import Product, Step, width

WITH_TENSOR_MEMORY = (100, 103, 110)
# Microseconds by the times of 11000 products of bf16 on an H200 (``./dev bench library --random``).
_BYTES = 3.66e6  # of memory, a microsecond
_LINES = 17.5e6 / 128  # lines of 128 bytes of the L2 cache, a microsecond
# Lines that 128 bytes of K of a row take, by the bytes that rows in memory begin at multiples of.
_OF_ROW = {128: 1.0, 64: 1.33, 32: 1.46, 16: 2.26}
_PRODUCT, _ROW = 3.01e-7, 1.244e-5  # an element of D for two bytes of K, and a row of A or B
_SHARPNESS = 5.7  # of the largest of the concurrent activities
_SHARED_ROUND = 0.0187  # of the loop, if blocks share loads
_STORE, _IN_TURNS = 2.53e-5, 0.23  # of an element of D, and the part of it that no product overlaps
_ODD_STORE, _ODDEST_STORE = 0.16, 0.8  # of a tile whose rows are odd multiples of 32 bytes, or of 16
_ONCE, _CLUSTER, _LARGE_CLUSTER = 6.57, 0.36, 0.28  # a launch, in clusters, of four blocks or more
_SPLIT, _SUM = 1.6, 1.5e-4  # of a tile in parts of K, and of an element of another block's sums
# Blocks at a time, by cluster size: clusters do not fill all parts of the chip.
_AT_ONCE = {1: 132, 2: 132, 3: 117, 4: 120, 5: 110, 6: 102, 8: 120}
_SINGLE = 1.3  # a tile's time if a warpgroup has nobody to take turns with


class Tile(NamedTuple):
    """A tile and how blocks compute it.

    :param in_turns: whether two warpgroups have a tile each, and take turns; with ``warpgroups``, which
        share a tile, whether they start the products of a round in turn
    :param split: blocks of a cluster that share the rounds of a tile
    :param x, y: blocks of a cluster that share loads of B, or of A
    :param warpgroups: 0: one for each 64 rows, or two
    :param slowness: time of products over that of products in one level
    """

    bm: int
    bn: int
    in_turns: bool = False
    split: int = 1
    x: int = 1
    y: int = 1
    warpgroups: int = 0
    slowness: float = 1.0

    @property
    def depth(self) -> int:
        """Bytes of K: more leave too few stages to larger tiles."""
        return 256 if self.bm + self.bn <= 160 and self.bn < 96 else 128

    @property
    def cluster(self) -> int:
        """Blocks of a cluster."""
        return self.split * self.x * self.y


# Slowness that the costs above do not show.
_SLOWNESS = {(128, 256): 1.015, (192, 96): 0.97, (192, 144): 1.04}
# Tiles without which products of 290 sizes would be slower, out of all with multiples of 16 columns, up to
# 8 parts of K, and up to 8 blocks that share loads.
_TILES = tuple(
    Tile(bm, bn, slowness=_SLOWNESS.get((bm, bn), 1.0), **{key: int(value) for key, value in (
        x.split("=") for x in kind.split(","))}) for bm, bn, kinds in (
        (64, 16, "split=1 split=2 split=3 split=4 split=6"),
        (64, 32, "split=1 split=2 split=3 split=4 y=4"),
        (64, 48, "split=1 split=2 split=5"), (64, 64, "split=1 split=2 split=4 split=8 x=4 y=8"), (64, 80, "x=2,y=2"),
        (64, 96, "split=1 split=2 split=3 split=5 x=4 y=4"), (64, 112, "split=3"), (64, 128, "split=1 x=4 x=8"),
        (64, 144, "split=1"), (64, 160, "split=1 x=4"), (64, 192, "split=1 x=4"), (64, 224, "split=1"), (64, 240, "split=1"),
        (64, 256, "split=1"), (128, 16, "split=1"), (128, 32, "split=1"), (128, 48, "y=4"), (128, 64, "split=2"),
        (128, 96, "split=3 split=4 y=4"), (128, 112, "split=1 y=4 x=2,y=2"), (128, 128, "split=1 in_turns=1 in_turns=1,x=4,y=2"),
        (128, 144, "split=1 split=4 x=2 x=2,y=2"), (128, 160, "split=1 x=2 x=4 x=2,y=2"), (128, 176, "split=1"),
        (128, 192, "split=1 x=2 in_turns=1"), (128, 200, "split=1"), (128, 208, "split=1 split=2 x=2"),
        (128, 240, "split=1"), (128, 256, "split=1 x=2 x=4"),
        (192, 96, "warpgroups=3"), (192, 144, "warpgroups=3"),
    ) for kind in kinds.split())
# Tiles of products in levels, whose sums threads add to others after each tile along K.
_LEVELS = (
    Tile(192, 128, in_turns=True, warpgroups=3, slowness=1.25),
    Tile(128, 128, in_turns=True, warpgroups=2, slowness=1.42),
)
_ALONE = 1.5  # a tile's slowness if nobody multiplies meanwhile
_GROUP = 1.0  # microseconds to find a tile's group, and for fewer tiles with the same weights
# Rows or columns up to which the L2 cache need not keep operands; if they begin within lines, and of so many bytes.
_STREAM, _STREAM_WITHIN, _WITHIN = 800, 640, 64e6
_ROWS, _ROWS_WITHIN_LINES = 24, 8  # of tiles, that blocks of one wave may go through
_FEW_ROWS = 64  # up to which D may be transposed whatever comes before its store
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
    tile, made = min(candidates(product, size), key=lambda found: (
        microseconds(found[1], found[0], size, batch, multiprocessors), _count_reads(*found, size),
        _count_rows(*found, size)))
    return _in_one_wave(made, tile, size, batch, multiprocessors)


def _in_one_wave(product: Product, tile: Tile, size: tuple[int, int, int], batch: int,
                 multiprocessors: int) -> Product:
    """Returns a product whose blocks have one tile each if all of them run at once, which saves them the search
    for tiles: 0.2 to 0.5 us. They go through all rows of tiles first. Blocks that share columns of B are then
    neighbours, and such that share rows of A are not, which takes longer where there are many rows (21.9 us for
    18.8 at 256x4096x4096, of 64 rows of tiles), or more than 8 if rows of A and B begin within lines of the L2 cache."""
    is_alone = tile.cluster == 1 and not (tile.in_turns or product.groups or product.in_levels)
    rows, columns = (math.ceil(size[i ^ product.is_swapped] / extent) for i, extent in enumerate((tile.bm, tile.bn)))
    is_near = columns == 1 or rows <= (_ROWS if _has_lines(product, size) else _ROWS_WITHIN_LINES)
    if not (is_alone and is_near) or _count(product, tile, size) * batch > multiprocessors:
        return product
    return dataclasses.replace(product, schedule=product.schedule + (("persist", 2),))


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
    """Returns the product with each tile that may be the best for a size, perhaps transposed."""
    is_plain = not (product.gate or product.in_levels or product.steps or product.groups)
    if _is_stream(product, size):
        product = dataclasses.replace(product, schedule=(("stream", 1),))
    made = [(t, _with(product, t)) for t in _for(product, size) if is_plain or t.bn >= 64]
    if product.in_levels:  # rows of a group end at multiples of 128
        made += [(t, _with(product, t)) for t in _LEVELS
                 if product.groups != "rows" or 128 % t.bm == 0]
    if product.gate or product.groups:
        return made
    rows, swapped = size[1 if product.is_swapped else 0], product.swapped()
    is_free = is_plain and swapped.has_rows
    has_lines = _has_lines(product, size)
    return made + [(t, _with(swapped, t)) for t in _for(swapped, size) if not (t.bm == t.bn and has_lines) and is_free
                   or rows <= t.bn <= _FEW_ROWS >= rows]


def _is_stream(product: Product, size: tuple[int, int, int]) -> bool:
    """Returns whether operands are read about once, so that the L2 cache may let them go first: lines
    that two rounds share must not have gone."""
    m, n, k = size
    if _has_lines(product, size):
        return min(m, n) <= _STREAM and not product.groups
    return min(m, n) <= _STREAM_WITHIN and not product.groups and k * (m + n) * width(product.a) / 8 <= _WITHIN


def _has_lines(product: Product, size: tuple[int, int, int]) -> bool:
    """Returns whether rows of A and B as they lie in memory are whole lines of 128 bytes."""
    sides = size[:2] if not product.is_swapped else size[1::-1]
    return not any((size[2] if major == "k" else extent) * width(product.a) % 1024
                   for extent, major in zip(sides, product.majors))


def _count_reads(tile: Tile, product: Product, size: tuple[int, int, int]) -> int:
    """Returns how many tiles read each part of the larger operand, if that is a stream."""
    few = min(size[:2])
    extent = tile.bm if (few == size[0]) != product.is_swapped else tile.bn
    return math.ceil(few / extent) * (("stream", 1) in product.schedule)


def _count_rows(tile: Tile, product: Product, size: tuple[int, int, int]) -> int:
    """Returns how many rows of tiles D has, or 0 if rows of A and B are whole lines of the L2 cache."""
    return math.ceil(size[product.is_swapped] / tile.bm) * (not _has_lines(product, size))


def _for(product: Product, size: tuple[int, int, int]) -> list[Tile]:
    """Returns tiles for a product; if it is scaled, those with one scale of B for each 128 of K. Of three
    warpgroups where D has many rows and columns: 51.7 us for 44.1 at 153x11320x4656."""
    is_double = bool(product.gate) or product.in_levels
    beside = sum(bool(step.tensor) and step.along != "" for step in product.steps)
    most = _MOST_SUMS if is_double or beside > 1 else 128 * 256
    by_warpgroups = 2 if is_double else 1  # that share so many sums
    has_turns = not is_double and all(map(_is_brought, product.steps)) and len(product.steps) < 2
    is_direct = not (product.steps or product.is_swapped)
    most_in_turns = 128 * (192 if is_direct else 128)  # steps take registers, and transposed tiles a stage
    has_cluster = not (is_double or product.batches[2] or product.groups)
    is_plain = not (is_double or product.steps or product.groups) and width(product.out) <= 16
    return [t._replace(slowness=_ALONE if product.in_levels else t.slowness) for t in _TILES
            if (is_plain or not (t.bm > 128 or t.in_turns and t.cluster > 1)) and (t.bm <= 128 or min(size[:2]) > _STREAM)
            and (t.bn % 16 == 0 or is_plain and width(product.a) == 16 and product.d_major == "m")
            and t.bm * t.bn <= most and t.bm >= 64 * by_warpgroups * (t.bm * t.bn == most)
            and (has_turns and t.bm * t.bn <= most_in_turns) >= t.in_turns
            and has_cluster >= (t.cluster > 1) and _has_parts(product, t)
            and (not product.scaled or 128 % t.bn == 0)
            and (t.split == 1 or t.bn <= 192 or width(product.out) <= 16)]  # stages have room for sums


def _has_parts(product: Product, tile: Tile) -> bool:
    """Returns whether TMA can load a part of a tile for each block that shares it, and lines of 128 bytes
    along rows or columns where a tile has as many."""
    parts = ((tile.bm, tile.y, product.majors[0], product.a), (tile.bn, tile.x, product.majors[1], product.b))
    return all(extent % (count * (8 if major == "k" else 1024 // width(element))) == 0
               for extent, count, major, element in parts
               if count > 1 or (major != "k" and extent * width(element) > 1024))


def _is_brought(step: Step) -> bool:
    """Returns whether TMA brings the tile that a step adds, which takes few registers."""
    return step.kind == "add" and step.in_lines and width(step.tensor) <= 16


def _with(product: Product, tile: Tile) -> Product:
    """Returns a product with a tile."""
    schedule = product.schedule + (("pingpong", 1 if tile.in_turns else 2),)
    schedule += (("split", tile.split),) if tile.split > 1 else ()
    schedule += (("warpgroups", tile.warpgroups),) if tile.warpgroups else ()
    if product.groups or tile.in_turns and tile.cluster == 1 and any(map(_is_brought, product.steps)):
        schedule += (("rows", 4),)  # of tiles: more seldom have the same matrix B, or read more beside it
    schedule += (("cluster_x", tile.x),) if tile.x > 1 else ()
    schedule += (("cluster_y", tile.y),) if tile.y > 1 else ()
    depth = 128 if product.scaled else tile.depth
    return dataclasses.replace(product, bm=tile.bm, bn=tile.bn, schedule=schedule,
                               bk=depth * 8 // width(product.a))


def _count(product: Product, tile: Tile, size: tuple[int, int, int]) -> int:
    """Returns how many blocks compute D, including blocks of clusters beyond its end; a group may
    end anywhere in its last tile."""
    m, n = size[:2] if not product.is_swapped else (size[1], size[0])
    clusters = m / (tile.bm * tile.x)
    rows = clusters + 0.5 if product.groups else math.ceil(clusters) * tile.x
    return math.ceil(rows * math.ceil(n / (tile.bn * tile.y)) * tile.y) * tile.split


def microseconds(product: Product, tile: Tile, size: tuple[int, int, int], batch: int,
                 multiprocessors: int) -> float:
    """Returns about how long the product of a size takes, by the times of an H200: blocks
    multiply, or wait for the L2 cache, which all share, while memory is read."""
    m, n, k = size
    blocks = _count(product, tile, size) * batch
    at_once = _AT_ONCE[tile.cluster] * multiprocessors / 132
    pairs = k / tile.split * width(product.a) / 16 * (product.inputs - 1)
    has_turns = tile.in_turns and not tile.warpgroups
    is_single = has_turns and blocks <= at_once
    parts = (_PRODUCT * tile.bm * tile.bn * tile.slowness, _ROW * (tile.bm + tile.bn),
             min(blocks, at_once) * _lines_of(product, tile, size) / _LINES)
    step = math.hypot(*(x ** (_SHARPNESS / 2) for x in parts)) ** (2 / _SHARPNESS)
    step += _SHARED_ROUND * (tile.x * tile.y > 1) * 2 / tile.depth
    beside = (_STORE * tile.bm * tile.bn + _GROUP * bool(product.groups)) * (_IN_TURNS if has_turns else 1)
    beside += _ODD_STORE * (tile.bn % 32 > 0 and not product.is_swapped) + _ODDEST_STORE * (tile.bn % 16 > 0)
    once = _ONCE + _CLUSTER * (tile.cluster > 1) + _LARGE_CLUSTER * (tile.cluster > 3)
    if tile.split > 1:
        beside += _SPLIT + _SUM * (tile.split - 1) * tile.bm * tile.bn
    loop = math.ceil(blocks / at_once) * (pairs * step * (_SINGLE if is_single else 1) + beside)
    moved = batch * (k * (m + n) * width(product.a) + m * n * width(product.out)) / 8
    return once + math.hypot(loop, moved / _BYTES)


def _lines_of(product: Product, tile: Tile, size: tuple[int, int, int]) -> float:
    """Returns lines of the L2 cache of a tile's rows for two bytes of K."""
    m, n, k = size if not product.is_swapped else (size[1], size[0], size[2])
    found = 0.0
    for extent, other, major in zip((tile.bm / tile.y, tile.bn / tile.x), (m, n), product.majors):
        along = (k if major == "k" else other) * width(product.a) // 8
        found += extent * _OF_ROW[max(16, math.gcd(along, 128))] * 2 / 128
    return found
