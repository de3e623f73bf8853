"""Layouts of scale factors: in global memory as cuBLAS has them, in shared and tensor memory.

512 bytes hold the factors of 128 rows and 4 along K: row r at 16 (r mod 32) + 4 (r / 32), and
its four factors side by side. A stride of 0 repeats a factor for the elements that share it.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import core
from ..nvgpu.tcgen05 import OperandMajorMode

__all__ = [
    "BlockScaledBasicChunk",
    "Sm103BlockScaledBasicChunk",
    "make_smem_layout_sf",
    "make_smem_layout_sfa",
    "make_smem_layout_sfb",
    "make_tmem_layout_sfa",
    "make_tmem_layout_sfb",
    "sm103_make_smem_layout_sfa",
    "sm103_make_smem_layout_sfb",
    "sm120_make_smem_layout_sfa",
    "sm120_make_smem_layout_sfb",
    "tile_atom_to_shape_SF",
]

_ROWS, _FACTORS, _BYTES = 128, 4, 512


@dataclasses.dataclass(frozen=True)
class BlockScaledBasicChunk:
    """The 512 bytes of factors of 128 rows and 4 times ``sf_vec_size`` elements of K.

    >>> from cute.utils.blockscaled_layout import BlockScaledBasicChunk
    >>> BlockScaledBasicChunk(16).layout
    ((32,4),(16,4)):((16,4),(0,1))
    """

    sf_vec_size: int
    major_mode: OperandMajorMode = OperandMajorMode.K

    @property
    def layout(self) -> Any:
        rows, columns = ((32, 4), (self.sf_vec_size, _FACTORS)), ((16, 4), (0, 1))
        if self.major_mode is OperandMajorMode.K:
            return core.make_layout(rows, stride=columns)
        return core.make_layout(rows[::-1], stride=columns[::-1])


def tile_atom_to_shape_SF(  # noqa: N802 (the name of the reference)
    Shape: Any, sf_vec_size: int, *, loc: Any = None, ip: Any = None  # noqa: N803
) -> Any:
    """Returns the layout of the factors of a matrix (MN,K,L), chunks along K first.

    >>> from cute.utils.blockscaled_layout import tile_atom_to_shape_SF
    >>> tile_atom_to_shape_SF((256, 128, 1), 16)
    (((32,4),2),((16,4),2),(1,1)):(((16,4),1024),((0,1),512),(0,0))
    """
    return core.tile_to_shape(BlockScaledBasicChunk(sf_vec_size).layout, Shape, (1, 0, 2)[: len(Shape)])


def _smem(rows: int, k: int, k_of_product: int, sf_vec_size: int, stages: int) -> Any:
    """Returns ((rows, elements of a product's K), 1, products along K, stage)."""
    factors, chunks = k_of_product // sf_vec_size, k // (sf_vec_size * _FACTORS)
    if k % (sf_vec_size * _FACTORS) or not factors or _FACTORS % factors:
        raise ValueError(f"a tile has factors of multiples of {sf_vec_size * _FACTORS} elements "
                         f"of K, not of {k}")
    return core.make_layout(
        ((((32, 4), rows // _ROWS), (sf_vec_size, factors)), 1, (_FACTORS // factors, chunks),
         stages),
        stride=((((16, 4), _BYTES * chunks), (0, 1)), 0, (factors, _BYTES),
                _BYTES * chunks * (rows // _ROWS)))


def make_smem_layout_sfa(
    tiled_mma: Any, mma_tiler_mnk: Any, sf_vec_size: int, num_stages: int, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the layout of tiles of A's factors: ((M,K) of a product, 1, K, stage).

    :raises ValueError: for a tile whose factors fill no chunks of 512 bytes
    """
    m, _, k = (core.size(extent) for extent in mma_tiler_mnk)
    m //= core.size(tiled_mma.thr_id)
    return _smem(-(-m // _ROWS) * _ROWS, k, tiled_mma.op.shape_mnk[2], sf_vec_size, num_stages)


def make_smem_layout_sfb(
    tiled_mma: Any, mma_tiler_mnk: Any, sf_vec_size: int, num_stages: int, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the layout of tiles of B's factors, which each block of a pair has of all columns.

    :raises ValueError: for a tile whose factors fill no chunks of 512 bytes
    """
    _, n, k = (core.size(extent) for extent in mma_tiler_mnk)
    return _smem(-(-n // _ROWS) * _ROWS, k, tiled_mma.op.shape_mnk[2], sf_vec_size, num_stages)


def make_tmem_layout_sfa(
    tiled_mma: Any, mma_tiler_mnk: Any, sf_vec_size: int, smem_layout: Any, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the layout of a tile's factors of A in tensor memory: ((M,K) of a product, 1,
    K).

    :param smem_layout: of the tile, without stages; for products of 96 elements of K its mode
        0 is (rows, K) of any number of factors, from which the next begin
    """
    return _tmem(tiled_mma, "SFA", sf_vec_size, smem_layout)


def make_tmem_layout_sfb(
    tiled_mma: Any, mma_tiler_mnk: Any, sf_vec_size: int, smem_layout: Any, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the same of B's factors."""
    return _tmem(tiled_mma, "SFB", sf_vec_size, smem_layout)


def _tmem(tiled_mma: Any, operand: str, sf_vec_size: int, smem_layout: Any) -> Any:
    op, steps = tiled_mma.op, core.size(smem_layout, mode=[2])
    if op.shape_mnk[2] != 96:
        return op.factors_layout(tiled_mma, operand, 1, steps)
    rows, k = core.get(smem_layout.shape, mode=[0])
    each, next_four = core.size(k) // sf_vec_size, core.size(rows) // 32 * _FACTORS
    (down, _), *_ = op.factors_layout(tiled_mma, operand, 1, 1)
    fours = core.make_layout((_FACTORS, each * steps), stride=(1, next_four))
    factors = core.composition(fours, core.make_layout((each, steps)))
    along, further = (core.get(factors, mode=[i]) for i in (0, 1))
    return core.make_layout(
        ((down.shape, (sf_vec_size, along.shape)), 1, further.shape),
        stride=((down.stride, (0, along.stride)), 0, further.stride))


# ---- Products of 96 elements of K, and of warps ------------------------------


@dataclasses.dataclass(frozen=True)
class Sm103BlockScaledBasicChunk(BlockScaledBasicChunk):
    """The same 512 bytes by the 8 rows, 4 and 4 that a product of 96 elements of K reads."""

    @property
    def layout(self) -> Any:
        rows, columns = ((8, 4, 4), (self.sf_vec_size, _FACTORS)), ((16, 128, 4), (0, 1))
        if self.major_mode is OperandMajorMode.K:
            return core.make_layout(rows, stride=columns)
        return core.make_layout(rows[::-1], stride=columns[::-1])


def _smem_of_96(rows: int, k: int, sf_vec_size: int, stages: int) -> Any:
    """Returns ((rows, K) of a chunk, 1, chunks along K, stage) of a part of a tile's K: half of
    it with factors for 32 elements, otherwise a quarter."""
    chunks = k * sf_vec_size // 32 // 2 // (sf_vec_size * _FACTORS)
    if rows not in (_ROWS, 2 * _ROWS) or k % 768:
        raise ValueError(f"a tile has 128 or 256 rows of factors of multiples of 768 elements of "
                         f"K, not {rows} of {k}")
    is_one = rows == _ROWS
    shape, stride = ((8, 4, 4), (16, 128, 4)) if is_one else (
        (32, 4, 2), (16, 4, _BYTES * chunks))
    return core.make_layout(
        ((shape, (sf_vec_size, _FACTORS)), 1, chunks, stages),
        stride=((stride, (0, 1)), 0, _BYTES, _BYTES * chunks * (rows // _ROWS)))


def sm103_make_smem_layout_sfa(
    tiled_mma: Any, mma_tiler: Any, sf_vec_size: int, num_stages: int, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the layout of stages of A's factors for products of 96 elements of K.

    :raises ValueError: for a tile whose K is not a multiple of 768
    """
    m, _, k = (core.size(extent) for extent in mma_tiler)
    m //= core.size(tiled_mma.thr_id)
    return _smem_of_96(-(-m // _ROWS) * _ROWS, k, sf_vec_size, num_stages)


def sm103_make_smem_layout_sfb(
    tiled_mma: Any, mma_tiler: Any, sf_vec_size: int, num_stages: int, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the same of B's factors: 256 rows, or 128 where there are as many columns."""
    _, n, k = (core.size(extent) for extent in mma_tiler)
    return _smem_of_96(_ROWS if n == _ROWS else -(-n // 256) * 256, k, sf_vec_size, num_stages)


def make_smem_layout_sf(
    tile_shape: Any, sf_vec_size: int, num_stages: int, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the layout (rows, K, stage) of the factors of tiles (rows, K).

    >>> from cute.utils.blockscaled_layout import make_smem_layout_sf
    >>> make_smem_layout_sf((128, 256), 16, 3)
    (((32,4),1),((16,4),4),3):(((16,4),0),((0,1),512),2048)
    """
    rows, k = (core.size(extent) for extent in tile_shape)
    tiles, chunks = -(-rows // _ROWS), -(-k // (sf_vec_size * _FACTORS))
    step = _BYTES * chunks
    return core.make_layout(
        (((32, 4), tiles), ((sf_vec_size, _FACTORS), chunks), num_stages),
        stride=(((16, 4), step if tiles > 1 else 0), ((0, 1), _BYTES if chunks > 1 else 0),
                step * tiles))


def _smem_of_warps(
    tiled_mma: Any, rows: int, k: int, sf_vec_size: int, stages: int
) -> Any:
    """Returns (rows, (K of a product, products, chunks), stage) of a tile's factors."""
    if rows % _ROWS or k % (sf_vec_size * _FACTORS):
        raise ValueError(f"a tile has factors of multiples of 128 rows and "
                         f"{sf_vec_size * _FACTORS} elements of K, not of {rows} and {k}")
    tiles, chunks = rows // _ROWS, k // (sf_vec_size * _FACTORS)
    factors = tiled_mma.op.shape_mnk[2] // sf_vec_size
    step = _BYTES * tiles
    return core.make_layout(
        (((32, 4), tiles), ((sf_vec_size, factors), _FACTORS // factors, chunks), stages),
        stride=(((16, 4), _BYTES), ((0, 1), factors, step), step * chunks))


def sm120_make_smem_layout_sfa(
    tiled_mma: Any, tile_shape_mnk: Any, sf_vec_size: int, num_stages: int, *,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the layout of stages of A's factors for products of warps.

    :raises ValueError: for a tile that has no whole chunks of 512 bytes
    """
    m, _, k = (core.size(extent) for extent in tile_shape_mnk)
    return _smem_of_warps(tiled_mma, m, k, sf_vec_size, num_stages)


def sm120_make_smem_layout_sfb(
    tiled_mma: Any, tile_shape_mnk: Any, sf_vec_size: int, num_stages: int, *,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the same of B's factors."""
    _, n, k = (core.size(extent) for extent in tile_shape_mnk)
    return _smem_of_warps(tiled_mma, n, k, sf_vec_size, num_stages)
