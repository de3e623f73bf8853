"""Copies of boxes of tensors by TMA (cp.async.bulk.tensor), for sm_90."""

from __future__ import annotations

import dataclasses
import types
import math
from typing import Any, Iterator

from .._values import (
    algebra as _algebra,
    atoms as _atoms,
    layout_algebra as _layout_algebra,
    text as _text,
    operands as _values,
)
from .._compile import ir as _ir
from .. import arch
from .._compile.diagnostics import DSLRuntimeError
from .._values.layout import ComposedLayout, Layout, make_swizzle
from .._values.numeric import Int16, Uint8
from .._values.tensor import Tensor
from .._values.op import ReductionKind as ReductionOp
from .._values.operands import wrap
from ._tma_order import find_order, map_leaves, without_broadcasts
from ._tma_packed import as_units, find_packing, first_page
from .common import CopyOp, OpError


_NARROW = {4: "B4X16_P64", 6: "B6X16_P32"}


class TmaOp(CopyOp):
    """A copy whose atom is made with a tensor, by make_tiled_tma_atom."""

    name = ""
    is_load = True

    def atom_name(self, bits: int) -> str:
        raise OpError(self, "its atom needs a tensor", "use make_tiled_tma_atom")

    def _to_ir(self) -> TmaOp:
        return self

    def name_of(self, narrow: int) -> str:
        """Returns the name of the atom whose elements have this many bits in global memory
        and a byte in shared memory; 0: the same in both."""
        if not narrow:
            return self.name
        if not self.is_load or narrow not in _NARROW:
            raise OpError(self, f"elements of {narrow} bits get no byte each",
                          "loads widen floats of 4 and 6 bits")
        return f"{self.name.replace('SM90', 'SM100')}_{_NARROW[narrow]}"

    def copy(
        self,
        atom: Any,
        src: Tensor,
        dst: Tensor,
        *,
        pred: Any = None,
        tma_bar_ptr: Any = None,
        mcast_mask: Any = None,
        cache_policy: Any = None,
        tma_desc_ptr: Any = None,
        **_: Any,
    ) -> None:
        """Starts the copy from one thread of the warp.

        :param tma_desc_ptr: a tensor map in global memory, in place of the atom's
        """
        if pred is not None:
            raise OpError(self, "boxes at the edge need no predicate", "leave out pred")
        if "mapped" in atom.fields and tma_desc_ptr is None:
            raise OpError(self, "an atom that a kernel makes has no tensor map",
                          "write one by copy_tensormap, and pass tma_desc_ptr")
        made, src, dst = self.with_rows(atom, atom.ir, src, dst)
        with arch.elect_one():
            if tma_desc_ptr is not None:
                place = tma_desc_ptr.align(128)
                made = _ir.apply("with_tensor_map", made, place.ir)
            if self.is_load:
                if tma_bar_ptr is None:
                    raise OpError(self, "a load arrives at a barrier", "pass tma_bar_ptr")
                more = [] if not self._shares(mcast_mask) else [_mask(mcast_mask)]
                made = _ir.apply("with_barrier", made, tma_bar_ptr.ir, *more)
            _ir.apply("copy", made, src.ir, dst.ir, results=[])

    def with_rows(self, atom: Any, made: Any, src: Any, dst: Any) -> tuple[Any, Any, Any]:
        """Returns the atom and the tensors that a copy takes."""
        return made, src, dst

    def take_rows(self, rows: Any, shared_by: int) -> tuple[dict[str, Any], Any]:
        """Returns the atom's information about row numbers, and the coordinates that replace
        the tensor's."""
        if rows is not None:
            raise OpError(self, "a box has neighbours alone", "leave out gmem_coord_tensor")
        return {}, None

    def partition(self, atom: Any, smem: Tensor, gmem: Any, cta: Any) -> tuple[Tensor, ...]:
        """Returns the parts of tiles that the atom's instructions move; ``cta()`` is the block's
        number among the blocks that share a load."""
        if atom.fields["unit"]:
            smem, gmem = as_units(atom.fields["axes"], atom.fields["layout"], smem, gmem)
        if atom.fields["order"]:
            smem, gmem = map(atom.fields["order"].tile, (smem, gmem))
        more = [_values.index(cta())] if atom.fields["num_multicast"] > 1 else []
        near, far = _ir.apply("tma_partition", atom.ir, smem.ir, gmem.ir, *more)
        return wrap(near, smem), wrap(far, gmem)

    def _shares(self, mask: Any) -> bool:
        return False


def _mask(mask: Any) -> _ir.Value:
    if mask is None:
        raise OpError("CopyBulkTensorTileG2SMulticastOp", "mcast_mask is missing")
    return Int16(mask).ir_value()


class CopyBulkTensorTileG2SOp(TmaOp):
    """TMA from global to shared memory."""

    _row = "TMA_LOAD"

    def __init__(self, cta_group: Any = None):
        self.cta_group = cta_group

    @property
    def is_of_pair(self) -> bool:
        """Whether the first block of a pair waits for the loads of both."""
        return getattr(self.cta_group, "value", 1) == 2

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"SM100_{self._row[:3]}_2SM{self._row[3:]}" if self.is_of_pair else f"SM90_{self._row}"

    def __str__(self) -> str:
        return "cp.async GMEM -> SMEM bulk tensor copy Operation"


class CopyBulkTensorTileG2SMulticastOp(CopyBulkTensorTileG2SOp):
    """TMA from global memory to the shared memory of several blocks of a cluster."""

    _row = "TMA_LOAD_MULTICAST"

    def _shares(self, mask: Any) -> bool:
        return True

    def for_blocks(self, number: int) -> TmaOp:
        """Returns the operation for this many blocks that share a load; for one block of a
        pair it is not a multicast."""
        return CopyBulkTensorTileG2SOp(self.cta_group) if self.is_of_pair and number == 1 else self

    def __str__(self) -> str:
        return "cp.async GMEM -> SMEM bulk tensor multicast copy Operation"


class CopyBulkTensorTileS2GOp(TmaOp):
    """TMA from shared to global memory."""

    name = "SM90_TMA_STORE"
    is_load = False

    def __str__(self) -> str:
        return "cp.async SMEM -> GMEM bulk tensor copy Operation"


class CopyReduceBulkTensorTileS2GOp(TmaOp):
    """TMA from shared memory that adds to global memory or combines with it otherwise."""

    is_load = False

    def __init__(self, reduction_kind: ReductionOp = ReductionOp.ADD):
        self.reduction_kind = reduction_kind

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"SM90_TMA_REDUCE_{self.reduction_kind.value}"


class TmaAtom(_atoms.CopyAtom):
    """A TMA copy of tiles of a tensor.

    On the host it is the tensor; a kernel that receives it makes the atom, and the
    launcher makes the tensor map.
    """

    __slots__ = ()

    def remade(self, ir: _ir.Operand) -> Any:
        if _ir.kind_of(_ir.type_of(ir)) == "tensor" and _in_kernel():
            ir = _make(self._op, ir, self.fields)
        return TmaAtom(ir, self._op, self.fields)

    @property
    def _trait(self) -> Any:
        """What the reference keeps of an atom: a value, whose type says what it copies."""
        word = "load" if self._op.is_load else "reduce" if "REDUCE" in self._op.name else "store"
        value = types.SimpleNamespace(atom=self, type=f"non_exec_tiled_tma_{word}")
        return types.SimpleNamespace(value=value)

    def __cute_signature__(self) -> Any:
        known = tuple(sorted((k, str(v)) for k, v in self.fields.items()))
        return (self.type_text, self._op, known)


@dataclasses.dataclass(frozen=True)
class TmaInfo:
    """A TMA atom with the tensor of coordinates and the layout of a tile; two to unpack."""
    copy_atom: TmaAtom
    tma_tensor: Tensor
    smem_layout: Any = None

    atom = property(lambda self: self.copy_atom)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.atom, self.tma_tensor))

    def __getitem__(self, index: int) -> Any:
        return (self.atom, self.tma_tensor)[index]


def _in_kernel() -> bool:
    trace = _ir.trace()
    return trace is not None and trace.kernel is not None


def _make(op: TmaOp, tensor: _ir.Operand, fields: Any) -> _ir.Value:
    ctas = fields["num_multicast"]
    more = [_values.int_tuple(ctas)] if ctas > 1 else []
    atom, _coordinates = _ir.apply(
        "make_tma_atom", tensor, fields["layout"].ir, _values.shape(fields["tiler"]),
        *more, atom=op.name_of(fields["narrow"]),
    )  # fmt: skip
    return atom


def make_tiled_tma_atom(
    op: TmaOp,
    gmem_tensor: Tensor,
    smem_layout_: Any,
    cta_tiler: Any,
    num_multicast: int = 1,
    *,
    gmem_coord_tensor: Any = None,
    internal_type: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> TmaInfo:
    """Returns the atom that copies tiles of a tensor, and the tensor of coordinates.

    In a kernel ``copy_tensormap`` writes its map, which copies name: ``tma_desc_ptr``.
    Coordinates have the map's order: first the mode that is contiguous in shared memory, none
    for a mode of extent 1. Tensors with nested modes keep the order of these.

    :param smem_layout_: of one tile, with a swizzle that counts bytes; modes after the
    tile's are stages :param cta_tiler: the tile's extents :param num_multicast: how many
    blocks of a cluster load a part of it each :param gmem_coord_tensor: the numbers of the rows
    that gather4 and scatter4 copy :param internal_type: ``Int16`` for scale factors; ``Uint8``
    for floats of 4 and 6 bits with a byte each in shared memory
    """
    if not isinstance(op, TmaOp):
        raise TypeError(f"expected a TMA operation, not {op!r}")
    fields, coordinates = op.take_rows(gmem_coord_tensor, num_multicast)
    made = describe_tma_copy(op, gmem_tensor, smem_layout_, cta_tiler, num_multicast, internal_type,
                             orders=coordinates is None)
    if _in_kernel():  # copy_tensormap writes its map
        fields["mapped"] = Tensor(made.atom.ir)
        here = TmaAtom(made.atom.ir, op, {**made.atom.fields, **fields}).remade(made.atom.ir)
        return TmaInfo(here, made.tma_tensor if coordinates is None else coordinates, smem_layout_)
    atom = TmaAtom(made.atom.ir, op, {**made.atom.fields, **fields})
    return made if coordinates is None else TmaInfo(atom, coordinates, smem_layout_)


def make_tma_atom_of_argument(op: TmaOp, argument: Tensor, *described: Any) -> TmaAtom:
    """Returns the atom that copies tiles of a kernel's argument, in that kernel."""
    made = describe_tma_copy(op, argument, *described).atom
    return made.remade(made.ir)


def describe_tma_copy(
    op: TmaOp, gmem_tensor: Tensor, smem_layout_: Any, cta_tiler: Any, num_multicast: int = 1,
    internal_type: Any = None, orders: bool = False,
) -> TmaInfo:
    """Returns the result of ``make_tiled_tma_atom``, whose atom is still the tensor.

    :param orders: whether coordinates have the order of a tile in shared memory
    """
    tile = smem_layout_
    if isinstance(cta_tiler, Layout):
        tile, cta_tiler = _first_mode(tile), _extents_of_map(_first_mode(cta_tiler))
    if isinstance(cta_tiler, tuple) and _algebra.rank(tile) > len(cta_tiler):
        tile = _algebra.select(tile, mode=list(range(len(cta_tiler))))
    packing = find_packing(gmem_tensor, tile, cta_tiler, internal_type)
    if not packing and internal_type is Uint8:
        tile, cta_tiler = first_page(tile, cta_tiler)
    if packing:
        mapped, coordinates = packing.mapped, packing.coordinates
        tile, cta_tiler = packing.layout, packing.tiler
    else:
        mapped, coordinates = without_broadcasts(gmem_tensor)
    layout = _padded(_of_elements(_without_gaps(tile), mapped), mapped)
    tiler = _padded_tiler(cta_tiler, mapped.shape)
    order = None if packing or not orders else find_order(mapped, layout, tiler)
    if order:
        layout, tiler = order.layout(layout), tuple(tiler[m] for m in order.modes)
        mapped, coordinates = order.map(mapped), order.coordinates(coordinates)
    fields = {
        "layout": layout,
        "tiler": tiler,
        "num_multicast": num_multicast,
        "unit": packing and packing.unit,
        "order": order,
        "axes": packing.axes if packing else order,
        "narrow": packing.narrow if packing else 0,
    }
    promised = _promised(mapped, fields["narrow"])
    return TmaInfo(TmaAtom(promised.ir, op, fields), coordinates, smem_layout_)


def _bits(dtype: Any) -> int:
    """Returns the logarithm of the bytes of an element."""
    return int(dtype.width // 8).bit_length() - 1


def _of_elements(layout: Any, tensor: Tensor) -> Any:
    """Returns a layout whose swizzle counts elements."""
    if not isinstance(layout, ComposedLayout):
        return layout
    swizzle = layout.inner
    if swizzle.num_bits == 0:
        return layout.outer
    base = swizzle.num_base - _bits(tensor.element_type)
    counted = make_swizzle(swizzle.num_bits, base, swizzle.num_shift)
    return _algebra.make_composed_layout(counted, layout.offset, layout.outer)


def _without_gaps(layout: Any) -> Any:
    """Returns a layout whose elements follow each other in the order of a static one: pages in
    a larger tile have gaps between boxes; an instruction copies each box."""
    outer = layout.outer if isinstance(layout, ComposedLayout) else layout
    if not outer.is_static or _algebra.size(outer) == _algebra.cosize(outer):
        return layout
    leaves = sorted(set(_leaves(outer.shape, outer.stride)), key=lambda leaf: leaf[1])
    steps, end = {}, 1
    for extent, stride in leaves:
        if extent > 1 and stride > 0 and stride not in steps:
            steps[stride] = end
            end *= extent
    stride = map_leaves(lambda s: steps.get(s, 0), outer.stride)
    outer = _algebra.make_layout(outer.shape, stride=stride)
    if isinstance(layout, ComposedLayout):
        return _algebra.make_composed_layout(layout.inner, layout.offset, outer)
    return outer


def _leaves(shape: Any, stride: Any) -> list[tuple[int, int]]:
    if isinstance(shape, tuple):
        return [x for parts in zip(shape, stride) for x in _leaves(*parts)]
    return [(shape, stride)]


def _first_mode(layout: Any) -> Any:
    """Returns the tile that is the only mode of a layout, ``((8,4)):((4,1))``, or the layout."""
    outer = layout.outer if isinstance(layout, ComposedLayout) else layout
    while _algebra.rank(outer) == 1 and _algebra.depth(outer) > 1:
        outer = _algebra.get(outer, mode=[0])
    if isinstance(layout, ComposedLayout):
        return _algebra.make_composed_layout(layout.inner, layout.offset, outer)
    return outer


def _extents_of_map(layout: Layout) -> tuple[Any, ...]:
    """Returns the extents of a tile that is given as a map to coordinates, ``(8,4):(1@0,1@1)``.

    :raises ValueError: where a mode leads elsewhere than along the coordinate of its number
    """
    modes = [_algebra.get(layout, mode=[i]) for i in range(_algebra.rank(layout))]
    steps = [_layout_algebra.coalesce(m).stride for m in modes]
    for i, (mode, step) in enumerate(zip(modes, steps)):
        if _algebra.size(mode) != 1 and str(step) != f"1@{i}":
            raise ValueError(f"a tile of TMA is a box, to which {layout} is not a map")
    return tuple(map(_algebra.size, modes))


def _extent(extent: Any, shape: Any) -> Any:
    """Returns the extent of a tile in a mode: by its modes where the tensor's has as many."""
    nested = isinstance(extent, tuple) and isinstance(shape, tuple)
    if nested and len(extent) == len(shape):
        return tuple(map(_extent, extent, shape))
    return _algebra.size(extent)


def _padded_tiler(tiler: Any, shape: Any) -> Any:
    extents = tiler if isinstance(tiler, (tuple, list)) else (tiler,)
    shape = shape if isinstance(shape, tuple) else (shape,)
    return (*map(_extent, extents, shape), *(1,) * (len(shape) - len(extents)))


def _padded(layout: Any, tensor: Tensor) -> Any:
    """Returns a layout with as many modes as the tensor."""
    missing = _algebra.rank(tensor) - _algebra.rank(layout)
    if missing <= 0:
        return layout
    outer = layout.outer if isinstance(layout, ComposedLayout) else layout
    for _ in range(missing):
        outer = _algebra.append(outer, _algebra.make_layout(1, stride=0))
    if isinstance(layout, ComposedLayout):
        return _algebra.make_composed_layout(layout.inner, layout.offset, outer)
    return outer


def _promised(tensor: Tensor, narrow: int = 0) -> Tensor:
    """Returns the tensor with what TMA needs of it as a promise: 16 bytes, or 32 of elements
    of ``narrow`` bits.

    The driver checks it when it encodes the map.
    """
    element, space, align, layout = _text.parameters(tensor.type_text)
    divisor = 256 // math.gcd(256, narrow) if narrow else 128 // tensor.element_type.width
    shape, _, strides = layout.partition(":")
    promised = _show(_divisible(_text.read_tree(strides), divisor))
    bytes_ = max(int(align[6:-1]), 16)
    made = _ir.type(
        f'!cute.tensor<{element}, {space}, align<{bytes_}>, "{shape}:{promised}">'
    )
    if _ir.text_of(made) == tensor.type_text:
        return tensor
    return wrap(_ir.apply("assume", tensor.ir, results=[made]), tensor)


def _divisible(tree: Any, divisor: int) -> Any:
    if isinstance(tree, _text.Dynamic):
        if tree.divisor % divisor == 0:
            return tree
        return _text.Dynamic(tree.width, divisor)
    if isinstance(tree, tuple):
        return tuple(_divisible(x, divisor) for x in tree)
    return tree


def _show(tree: Any) -> str:
    if isinstance(tree, tuple) and not isinstance(tree, _text.Dynamic):
        return "(" + ",".join(map(_show, tree)) + ")"
    return str(tree)


def tma_partition(
    atom: CopyAtom,
    cta_coord: Any,
    cta_layout: Any,
    smem_tensor: Tensor,
    gmem_tensor: Any,
    *,
    loc: Any = None,
    ip: Any = None,
) -> tuple[Tensor, ...]:
    """Returns the parts of tiles that the atom's instructions move: in memory, and
    their coordinates.

    With [coordinates, numbers of rows] also the parts of the numbers that they read. Mode 0 of both
    tensors is a tile. Of a multicast atom a block gets its part, by its coordinate among the blocks
    that share the load.
    """
    return atom.op.partition(atom, smem_tensor, gmem_tensor, lambda: cta_layout(cta_coord))


def prefetch_descriptor(tma_atom: CopyAtom, *, loc: Any = None, ip: Any = None) -> None:
    """Brings the map of an atom to the cache."""
    _ir.apply("prefetch_descriptor", tma_atom.ir, results=[])


def create_tma_multicast_mask(
    cta_layout_vmnk: Any, cta_coord_vmnk: Any, mcast_mode: int, *, loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns a bit for each block of the cluster that differs in one mode only.

    >>> cluster = make_layout((1, 2, 4, 1))
    >>> bin(int(cute.nvgpu.cpasync.create_tma_multicast_mask(cluster, (0, 1, 0, 0), mcast_mode=2)))
    '0b10101010'
    """
    return _algebra.make_layout_image_mask(cta_layout_vmnk, cta_coord_vmnk, mcast_mode)


__all__ = [
    "CopyBulkTensorTileG2SMulticastOp",
    "CopyBulkTensorTileG2SOp",
    "CopyBulkTensorTileS2GOp",
    "CopyReduceBulkTensorTileS2GOp",
    "ReductionOp",
    "TmaAtom",
    "TmaInfo",
    "create_tma_multicast_mask",
    "make_tiled_tma_atom",
    "prefetch_descriptor",
    "tma_partition",
]
