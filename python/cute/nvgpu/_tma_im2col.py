"""Copies of a convolution's im2col matrix by TMA, which the images are in memory.

A row of the matrix is a pixel under the filter's first place, and a column a channel at one place
of the filter. Programs tile and slice the matrix by plain coordinates (pixel, (channel, s, r, t));
a copy turns these into the pixel's coordinates in the images and the filter's place.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from .._compat.missing import NotThere
from .._compile import ir as _ir
from .._frontend.control import assert_
from .._values import (
    algebra as _algebra,
    layout_algebra as _layout_algebra,
    operands as _values,
    text as _text,
)
from .._values.layout import Layout
from .._values.operands import wrap
from .._values.tensor import Tensor, make_identity_tensor, make_tensor
from ._tma import (
    CopyBulkTensorTileG2SMulticastOp,
    CopyBulkTensorTileG2SOp,
    CopyBulkTensorTileS2GOp,
    TmaAtom,
    TmaInfo,
    TmaOp,
    _in_kernel,
    _of_elements,
    _promised,
    _without_gaps,
)
from ._tma_of_mma import _of_tile, _shape_of
from .common import OpError

__all__ = [
    "CopyBulkTensorIm2ColG2SMulticastOp",
    "CopyBulkTensorIm2ColG2SOp",
    "CopyBulkTensorIm2ColS2GOp",
    "make_im2col_tma_atom",
]

_LENGTHS = "one number for each of W, H and D that the images have"


class _Images(TmaOp):
    """A copy between shared memory and the im2col matrix of images."""

    def take_rows(self, rows: Any, shared_by: int) -> tuple[dict[str, Any], Any]:
        raise OpError(self, "it copies a convolution's matrix", "use make_im2col_tma_atom")

    def partition(self, atom: Any, smem: Tensor, coords: Any, cta: Any) -> tuple[Tensor, Tensor]:
        """Returns the parts of a tile that the atom's instructions move: in memory, and their
        coordinates in the matrix."""
        order = atom.fields["order_of_tile"]
        if order is not None:
            smem, coords = (_part_of(x, order, cta) for x in (smem, coords))
        near, _ = _ir.apply("tma_partition", atom.ir, smem.ir, atom.fields["matrix"].ir)
        values = Layout(_ir.type(f'!cute.layout<"{_text.parameters(atom.type_text)[4]}">'))
        return wrap(near, smem), _composed(coords, values)

    def with_rows(self, atom: Any, made: Any, src: Any, dst: Any) -> tuple[Any, Any, Any]:
        """Returns the atom, and the tensors that it copies, by coordinates in the images."""
        near, coords = (dst, src) if self.is_load else (src, dst)
        if not coords._is_coord or _algebra.rank(coords) != 1:
            raise OpError(self, f"it copies one tile, not {coords}",
                          "pass a part by tma_partition, sliced to one tile: part[None, m, k]")
        _, place = _ir.apply("tma_partition", atom.ir, near.ir, atom.fields["matrix"].ir)
        far = make_tensor(_place_of(atom, coords.iterator), wrap(place, coords).layout)
        return (made, far, dst) if self.is_load else (made, src, far)


def _composed(tensor: Tensor, tiler: Any) -> Any:
    """Returns a tensor whose mode 0 goes as a layout says."""
    others = (None,) * (_algebra.rank(tensor) - 1)
    return _layout_algebra.composition(tensor, (tiler, *others))


def _part_of(tensor: Any, order: Layout, cta: Any) -> Any:
    """Returns a tensor whose mode 0 is one block's part of the tile, pixels first."""
    others = (None,) * (_algebra.rank(tensor) - 1)
    part = cta() if _algebra.size(order, mode=[1]) > 1 else 0
    return _composed(tensor, order)[((None, part), *others)]


def _place_of(atom: Any, coord: Any) -> tuple[Any, Any]:
    """Returns ((n, d, h, w, c), (t, r, s)) of a coordinate in the matrix."""
    im2col: _Im2col = atom.fields["im2col"]
    pixel, (channel, *taps) = reversed(coord) if im2col.is_transposed else coord
    none = (0,) * len(taps)
    at = _layout_algebra.domain_offset((pixel, (channel, none)), atom.fields["matrix"]).iterator
    places = [low + step * tap for low, step, tap in zip(im2col.lower_srt, im2col.stride_srt, taps)]
    return at[0], tuple(reversed(places))


@dataclasses.dataclass(frozen=True)
class _Im2col:
    """A convolution's parameters for W, H and D, in this order.

    :ivar is_transposed: whether programs see channels before pixels
    """

    lower_corner: tuple[int, ...]
    upper_corner: tuple[int, ...]
    lower_padding: tuple[int, ...]
    upper_padding: tuple[int, ...]
    stride: tuple[int, ...]
    lower_srt: tuple[int, ...]
    stride_srt: tuple[int, ...]
    is_transposed: bool = False

    def filter(self) -> tuple[int, ...]:
        """Returns the filter's extents. The last place's offset is what the corners leave of the
        padding: above, or below where the filter is gone through backwards."""
        reach = [high - upper if step > 0 else low - lower for high, upper, low, lower, step in zip(
            self.upper_padding, self.upper_corner, self.lower_padding, self.lower_corner,
            self.stride_srt)]
        return tuple(r // abs(step) + 1 for r, step in zip(reach, self.stride_srt))

    def matrix(self, images: Tensor) -> Tensor:
        """Returns the coordinates of the matrix of images (N, D, H, W, C)."""
        count, *spatial, channels = images.shape
        extents = [(extent + upper - lower - 1) // step + 1 for extent, upper, lower, step in zip(
            reversed(spatial), self.upper_corner, self.lower_corner, self.stride)]
        pixels, columns = math.prod(extents) * count, (channels, *self.filter())
        return make_identity_tensor(
            (columns, pixels) if self.is_transposed else (pixels, columns))

    def operands(self) -> list[Any]:
        """Returns filter, step, lower and upper padding, dilation of ``make_im2col_tma_atom`` in
        the dialect, which has the corners from them: -lower, and upper - dilation (filter - 1)."""
        taps, steps = self.filter(), [abs(s) for s in self.stride_srt]
        upper = [high + s * (n - 1) for high, s, n in zip(self.upper_corner, steps, taps)]
        parts = (taps, self.stride, [-low for low in self.lower_corner], upper, steps)
        return [_values.int_tuple(tuple(reversed(p))) for p in parts]


class Im2colAtom(TmaAtom):
    """A TMA copy of tiles of a convolution's matrix, on the host the images."""

    __slots__ = ()

    def remade(self, ir: _ir.Operand) -> Any:
        if _ir.kind_of(_ir.type_of(ir)) != "tensor" or not _in_kernel():
            return Im2colAtom(ir, self._op, self.fields)
        made, matrix = _ir.apply("make_im2col_tma_atom", ir, self.fields["layout"].ir,
                                 *self.fields["im2col"].operands(), atom=self._op.name)
        return Im2colAtom(made, self._op, {**self.fields, "matrix": Tensor(matrix)})


class CopyBulkTensorIm2ColG2SOp(_Images, CopyBulkTensorTileG2SOp):
    """TMA of tiles of a convolution's matrix, from global to shared memory.

    >>> cute.nvgpu.cpasync.CopyBulkTensorIm2ColG2SOp().name
    'SM90_TMA_LOAD_IM2COL'
    """

    _row = "TMA_LOAD_IM2COL"


class CopyBulkTensorIm2ColG2SMulticastOp(_Images, CopyBulkTensorTileG2SMulticastOp):
    """The same to the shared memory of several blocks of a cluster."""

    _row = "TMA_LOAD_IM2COL_MULTICAST"

    def for_blocks(self, number: int) -> TmaOp:
        if self.is_of_pair and number == 1:
            return CopyBulkTensorIm2ColG2SOp(self.cta_group)
        return self


class CopyBulkTensorIm2ColS2GOp(_Images, CopyBulkTensorTileS2GOp):
    """TMA of tiles of pixels from shared memory to images."""

    name = "SM90_TMA_STORE_IM2COL"


def make_im2col_tma_atom(
    op: TmaOp,
    gmem_tensor: Tensor,
    smem_layout_: Any,
    cta_tiler: Any,
    lower_corner_whd: Any = None,
    upper_corner_whd: Any = None,
    lower_padding_whd: Any = None,
    upper_padding_whd: Any = None,
    stride_whd: Any = None,
    lower_srt: Any = None,
    stride_srt: Any = None,
    num_multicast: int = 1,
    *,
    internal_type: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> TmaInfo:
    """Returns the atom that copies tiles of a convolution's im2col matrix, and its coordinates.

    The matrix is (pixels, (C, S, R, T)); channels are contiguous in the images. Pixels that the
    filter covers outside the images are zeros. A store needs no numbers of the convolution.
    All numbers are static, W first.

    :param gmem_tensor: the images, ((W, H, D, N), C), or with one or two spatial modes; or
        (C, (W, H, D, N)), then the matrix is ((C, S, R, T), pixels)
    :param smem_layout_: of a tile, at most 256 pixels; modes after the tile's are stages
    :param cta_tiler: a tile's pixels, and its channels at one place of the filter, a
        divisor of all channels; (channels,) goes through each place's tiles, where the last may be partial
    :param lower_corner_whd: the first pixel under the filter's first place, minus the padding
    :param upper_corner_whd: the last one, from the images' end: the padding minus the filter's reach
    :param stride_whd: from one place of the filter to the next, at most 8
    :param lower_srt: the offset of the filter's first element
    :param stride_srt: the dilation; negative where the filter is gone through backwards
    :param num_multicast: how many blocks of a cluster load a part of the pixels each
    """
    if not isinstance(op, _Images):
        raise TypeError(f"expected an operation of images such as CopyBulkTensorIm2ColG2SOp, not {op!r}")
    given = (lower_corner_whd, upper_corner_whd, lower_padding_whd, upper_padding_whd, stride_whd,
             lower_srt, stride_srt)
    images, is_transposed = _images_of(op, gmem_tensor)
    im2col = _read(op, given, len(images.shape) - 2, is_transposed)
    layout, order = _tile_of(op, smem_layout_, cta_tiler, images, im2col, num_multicast)
    if internal_type not in (None, gmem_tensor.element_type):
        raise OpError(op, f"{gmem_tensor.element_type} is not copied as {internal_type}",
                      "leave out internal_type")
    if _in_kernel():
        raise OpError(op, "kernels write no maps of images", "make its atom before the launch")
    fields = {"layout": layout, "im2col": im2col, "num_multicast": num_multicast,
              "order_of_tile": order, "smem_layout": smem_layout_}
    return TmaInfo(Im2colAtom(_promised(images).ir, op, fields), im2col.matrix(images), smem_layout_)


def _images_of(op: TmaOp, tensor: Tensor) -> tuple[Tensor, bool]:
    """Returns images (N, D, H, W, C), and whether channels came first."""
    shape, stride = tensor.shape, tensor.stride
    ranks = [len(m) if isinstance(m, tuple) else 0 for m in shape] if isinstance(shape, tuple) else []
    if len(ranks) != 2 or sorted(map(bool, ranks)) != [False, True] or not 2 <= max(ranks) <= 4:
        raise OpError(op, f"{tensor} has no images", "they are ((W, H, D, N), C) or (C, (W, H, D, N))")
    near = ranks.index(0)
    made = _algebra.make_layout((*reversed(shape[1 - near]), shape[near]),
                                stride=(*reversed(stride[1 - near]), stride[near]))
    return make_tensor(tensor.iterator, made), near == 0


def _read(op: TmaOp, given: Any, rank: int, is_transposed: bool) -> _Im2col:
    if not op.is_load:
        zeros, ones = (0,) * rank, (1,) * rank
        return _Im2col(zeros, zeros, zeros, zeros, ones, zeros, ones, is_transposed)
    names = [field.name for field in dataclasses.fields(_Im2col)]
    for name, numbers in zip(names, given):
        if numbers is None:
            raise OpError(op, f"{name} is missing", f"a load takes {_LENGTHS}")
        if not isinstance(numbers, (tuple, list)) or len(numbers) != rank:
            raise OpError(op, f"{name} is {numbers}", f"it has {_LENGTHS}, here {rank}")
        if not all(isinstance(n, int) for n in numbers):
            raise OpError(op, f"{name} has numbers that are known only at run time",
                          "tensor maps of images take static numbers")
    made = _Im2col(*(tuple(numbers) for numbers in given), is_transposed)
    if 0 in made.stride_srt or min(made.filter()) < 1:
        raise OpError(op, f"no filter has corners {made.lower_corner} and {made.upper_corner} with "
                      f"padding {made.lower_padding} and {made.upper_padding}",
                      "the upper corner is the padding minus the filter's reach")
    return made


def _tile_of(
    op: TmaOp, layout: Any, tiler: Any, images: Tensor, im2col: _Im2col, shared_by: int
) -> tuple[Any, Layout | None]:
    """Returns the layout (pixel, channel) of a block's part of a tile, and the order (part, block)
    in which mode 0 of tensors has it; None if it is theirs."""
    extents = tuple(map(_algebra.size, tiler))
    if len(extents) == 2 and _algebra.rank(layout) == 3:
        layout = _algebra.select(layout, mode=[0, 1])
    sizes = tuple(_algebra.size(layout, mode=[i]) for i in range(_algebra.rank(layout)))
    if sizes != extents:
        raise OpError(op, f"a tile of {extents} has the layout {layout}",
                      "both are (pixels, channels), or channels first as in the tensor")
    pixel = 1 if im2col.is_transposed else 0
    pixels, channels = extents[pixel], extents[1 - pixel]
    total = images.shape[-1]
    if isinstance(tiler[1 - pixel], int) and not isinstance(total, int):
        assert_(total % channels == 0, lambda: f"channels of images are no multiple of a tile's {channels}",
                ("", 0, 0))
    elif isinstance(tiler[1 - pixel], int) and total % channels:
        raise OpError(op, f"a tile of {channels} channels goes beyond the {total} of a filter's place",
                      f"take a divisor of {total}, or ({channels},) for tiles at each place")
    if pixels % shared_by or (shared_by > 1 and not op._shares(None)):
        raise OpError(op, f"{shared_by} blocks share a load of {pixels} pixels",
                      "a multicast load takes a divisor of the pixels, and others take 1")
    layout = _of_elements(_without_gaps(layout), images)
    if im2col.is_transposed:
        layout = _algebra.select(layout, mode=[1, 0])
    part = pixels // shared_by
    if shared_by > 1:
        layout = _layout_algebra.composition(layout, (_algebra.make_layout(part), None))
    if not im2col.is_transposed and shared_by == 1:
        return layout, None
    steps = (channels, 1) if im2col.is_transposed else (1, pixels)
    return layout, _algebra.make_layout(((part, channels), shared_by),
                                        stride=(steps, steps[0] * part))


def make_im2col_tma_atom_A(  # noqa: N802 (the name of the reference)
    op: TmaOp, gmem_tensor: Tensor, smem_layout: Any, mma_tiler_mnk: Any, tiled_mma: Any,
    filter_trs: Any, upper_padding_dhw: Any, lower_padding_dhw: Any, stride_dhw: Any,
    dilation_dhw: Any, cluster_shape_vmnk: Any = None, *, internal_type: Any = None,
    loc: Any = None, ip: Any = None,
) -> TmaInfo:
    """Returns the atom that loads A of a convolution's product from images, and the coordinates of
    the im2col matrix (pixels, (C, S, R, T)).

    :param gmem_tensor: the images, ((W, H, D, N), C), channels contiguous
    :param smem_layout: of the tiled product's A, perhaps with stages
    :param mma_tiler_mnk: the product's tile in M, N and K; K, or its first mode, goes along channels
    :param filter_trs: the filter's extents; these and the following numbers are static, three each
    :param cluster_shape_vmnk: blocks of the cluster; those along N share a load
    """
    shape = (1, 1, 1, 1) if cluster_shape_vmnk is None else tuple(
        map(_algebra.size, _shape_of(cluster_shape_vmnk)))
    if shape[0] not in (1, getattr(getattr(tiled_mma.op, "cta_group", None), "value", 1)):
        raise NotThere("pairs of blocks multiply by tcgen05 with CtaGroup.TWO")
    is_multicast = isinstance(op, CopyBulkTensorIm2ColG2SMulticastOp)
    if is_multicast and cluster_shape_vmnk is None:
        raise OpError(op, "the blocks that share a load are missing", "pass cluster_shape_vmnk")
    others = shape[2] if is_multicast else 1
    if hasattr(op, "for_blocks"):
        op = op.for_blocks(others)
    reach = [(n - 1) * step for n, step in zip(filter_trs, dilation_dhw)]
    lower, upper, stride, dilation, far = (
        tuple(reversed(x)) for x in (lower_padding_dhw, upper_padding_dhw, stride_dhw, dilation_dhw,
                                     reach))
    made = make_im2col_tma_atom(
        op, gmem_tensor, _of_tile(smem_layout),
        (_algebra.size(mma_tiler_mnk[0]) // shape[0], mma_tiler_mnk[2]),
        tuple(-x for x in lower), tuple(high - x for high, x in zip(upper, far)),
        lower, upper, stride, (0,) * len(lower), dilation, others, internal_type=internal_type)
    return dataclasses.replace(made, smem_layout=smem_layout)
