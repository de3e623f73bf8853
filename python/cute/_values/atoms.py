"""Atoms, tiled copies, and the copies that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import algebra as _algebra, text as _text, operands as _values
from .._compile import ir as _ir
from .layout import Layout, TypeOf
from .numeric import Int32, Numeric, NumericMeta
from .pointer import element_text, element_type
from .tensor import Tensor, make_tensor
from .operands import IrObject, ir_of, wrap
from .op import CopyOp, CopyUniversalOp, Op
from .pictures import Drawn
from .shapes import size_of
from .tensor_ssa import TensorSSA, vector_of

if TYPE_CHECKING:
    from .mma import TiledMma

__all__ = (
    "Atom CopyAtom ThrCopy TiledCopy autovec_copy basic_copy basic_copy_if copy "
    "copy_atom_call make_copy_atom make_cotiled_copy make_tiled_copy "
    "make_tiled_copy_A make_tiled_copy_B make_tiled_copy_C make_tiled_copy_C_atom "
    "make_tiled_copy_D make_tiled_copy_S make_tiled_copy_tv prefetch"
).split()


class Trait:
    """A handwritten operation's result for an atom: CopyAtom(op, trait)."""

    def __init__(self, value: Atom):
        self.atom = value


class Atom(Drawn, IrObject):
    """An operation with its properties in the dialect.

    :ivar fields: its fields that were set, which loops and branches carry
    :ivar places: tensors, pointers and words that were set, each for the products that follow it
    """

    __slots__ = ("_op", "fields", "places")

    def __init__(self, ir: _ir.Operand, op: Op, fields: Any = None):
        if isinstance(op, Trait):
            ir, op, fields = op.atom.ir, ir, op.atom.fields
        super().__init__(ir)
        self._op = op
        self.fields = dict(fields or {})
        self.places: dict[Any, Any] = {}

    @property
    def op(self) -> Op:
        """The operation that it was made of."""
        return self._op

    @property
    def type(self) -> TypeOf:
        return TypeOf(self.type_text)

    def remade(self, ir: _ir.Operand) -> Any:
        made = type(self)(ir, self._op, self.fields)
        made.places = self.places
        return made

    def __cute_signature__(self) -> Any:
        return (self.type_text, type(self), self._op)

    def set(self, modifier: Any, value: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Sets a field of the atom, such as warpgroup.Field.ACCUMULATE.

        :raises ValueError: if the operation has no such field, or a field for words has others
        :raises TypeError: if the value is not a Boolean, or of a field for memory no tensor
        """
        fields = getattr(self._op, "admissible_fields", ())
        if modifier not in fields:
            known = ", ".join(map(str, fields)) or "none"
            raise ValueError(
                f"{type(self._op).__name__} has no field {modifier!r} to set; it has: {known}"
            )
        if words := getattr(self._op, "word_fields", {}).get(modifier):
            self.places[modifier] = _words(modifier, value, words)
            return
        is_memory = modifier in getattr(self._op, "memory_fields", ())
        if not is_memory and not isinstance(value, (bool, int, Numeric)):
            raise TypeError(f"{modifier} is a Boolean, not {value!r}")
        if is_memory and not hasattr(value, "memspace"):
            raise TypeError(f"{modifier} is a tensor or a pointer, not {value!r}")
        (self.places if is_memory else self.fields)[modifier] = value

    def with_(self, *, loc: Any = None, ip: Any = None, **given: Any) -> Any:
        """Returns the atom with arguments that every ``copy`` by it takes, such as ``tma_bar_ptr``.

        :raises TypeError: of an atom of products, and of one that takes none
        """
        if given and not hasattr(self._op, "copy"):
            raise TypeError(f"{type(self._op).__name__} takes no {', '.join(given)}")
        made = self.remade(self.ir)
        made.places = {**self.places, "with": {**self.places.get("with", {}), **given}}
        return made

    def get(self, field: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns a field of the atom, None if it was not set."""
        return {**self.fields, **self.places}.get(field)

    def _unpack(self, *, loc: Any = None, ip: Any = None, **kwargs: Any) -> _ir.Operand:
        return self.ir

    def _tv(self, operand: str) -> Layout:
        return wrap(_ir.apply("get_tv_layout", self.ir, operand=operand))

    @property
    def thr_id(self) -> Layout:
        """The lanes: logical thread -> lane."""
        return wrap(_ir.apply("thr_id", self.ir))

    def __str__(self) -> str:
        return f"{type(self).__name__}\n{self._op}\n  {self.type_text}"


def _words(field: Any, value: Any, count: int) -> Any:
    """Returns a field's words: of a sequence, a Vector or a tensor of so many Int32; zeros if
    the value is None. In a kernel they are a Vector, which branches do not carry."""
    value = [0] * count if value is None else value.load() if isinstance(value, Tensor) else value
    size = size_of(value.shape) if isinstance(value, TensorSSA) else \
        len(value) if isinstance(value, (list, tuple)) else "other than"
    if size != count:
        raise ValueError(f"{field} is {count} Int32, not {size}: {value!r}")
    words = [Int32(value[i]) for i in range(count)]
    return vector_of(words, Int32) if _ir.trace() else words


class CopyAtom(Atom):
    """One copy of an instruction."""

    __slots__ = ()

    def __new__(cls, ir: Any, op: Any, *more: Any) -> CopyAtom:
        return super().__new__(type(op.atom) if isinstance(op, Trait) else cls)

    @property
    def value_type(self) -> Any:
        """The numeric type of the elements."""
        return element_type(_text.parameters(self.type_text)[1])

    @property
    def layout_src_tv(self) -> Layout:
        return self._tv("S")

    @property
    def layout_dst_tv(self) -> Layout:
        return self._tv("D")

    @property
    def smem_layout(self) -> Any:
        return self.fields.get("smem_layout")


def layouts_of_tile(tile: Any) -> Any:
    """Returns a tile with layouts for its extents; what is not tiled stays None."""
    if isinstance(tile, tuple):
        return tuple(map(layouts_of_tile, tile))
    return _algebra.make_layout(tile) if isinstance(tile, int) else tile


class TiledCopy(CopyAtom):
    """A copy atom repeated over threads and values."""

    __slots__ = ()

    def _atom(self) -> CopyAtom:
        name, element = _text.parameters(self.type_text)[:2]
        return CopyAtom(_ir.type(f'!cute.copy_atom<"{name}", {element}>'), self._op)

    @property
    def layout_src_tv(self) -> Layout:
        """The atom's layout, as ``layout_dst_tv``; with ``_tiled`` the whole copy's."""
        return self._atom().layout_src_tv

    @property
    def layout_dst_tv(self) -> Layout:
        return self._atom().layout_dst_tv

    @property
    def layout_tv_tiled(self) -> Layout:
        return self._tv("TV")

    @property
    def tiler_mn(self) -> Any:
        """The tile, a layout for each mode."""
        return layouts_of_tile(wrap(_ir.apply("get_tiler", self.ir)))

    @property
    def layout_src_tv_tiled(self) -> Layout:
        return self._tv("S")

    @property
    def layout_dst_tv_tiled(self) -> Layout:
        return self._tv("D")

    @property
    def size(self) -> int:
        """The number of threads."""
        return _algebra.size(self.layout_tv_tiled, mode=[0])

    def __cute_size__(self) -> int:
        return self.size

    def get_slice(self, thr_idx: Any) -> ThrCopy:
        """Returns the part of one thread."""
        return ThrCopy(self.ir, self._op, self.fields, thr_idx)

    def retile(self, src: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:
        """Returns registers with this copy's modes."""
        return wrap(_ir.apply("retile", self.ir, src.ir), src)


class ThrCopy(TiledCopy):
    """A thread's part of a tiled copy."""

    __slots__ = ("_thread",)

    def __init__(self, ir: _ir.Operand, op: Op, fields: Any, thread: Any):
        super().__init__(ir, op, fields)
        self._thread = thread

    def remade(self, ir: _ir.Operand) -> Any:
        return ThrCopy(ir, self._op, self.fields, self._thread)

    @property
    def thr_idx(self) -> Any:
        return self._thread

    def partition_S(self, src: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the thread's part ((values, rest), Rest...) of the source."""
        found = _ir.apply("partition_s", self.ir, src.ir, _values.index(self._thread))
        return wrap(found, src)

    def partition_D(self, dst: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the thread's part ((values, rest), Rest...) of the destination."""
        found = _ir.apply("partition_d", self.ir, dst.ir, _values.index(self._thread))
        return wrap(found, dst)

    def predicated_tile_S(  # noqa: N802
        self, tensor: Tensor, tiler: Any, coord: Any, origin: Any = None
    ) -> tuple[Tensor, Tensor]:
        """Returns the thread's part of the tile of a tensor at a coordinate as the source,
        and a predicate for the accesses within the tensor.

        :param origin: a coordinate of the tensor from which on it is tiled; it may be negative
        """
        return self._predicated_tile("s", tensor, tiler, coord, origin)

    def predicated_tile_D(  # noqa: N802
        self, tensor: Tensor, tiler: Any, coord: Any, origin: Any = None
    ) -> tuple[Tensor, Tensor]:
        """Returns the thread's part of the tile of a tensor at a coordinate as the
        destination, and a predicate for the accesses within the tensor.

        :param origin: as in :meth:`predicated_tile_S`
        """
        return self._predicated_tile("d", tensor, tiler, coord, origin)

    def _predicated_tile(self, side: str, tensor: Tensor, tiler: Any, coord: Any,
                         origin: Any) -> Any:
        part, predicate = _ir.apply(
            f"predicated_tile_{side}", self.ir, tensor.ir, _values.shape(tiler),
            _values.coord(coord), _values.index(self._thread),
            *([] if origin is None else [_values.coord(origin)]))
        return wrap(part, tensor), wrap(predicate)


def make_copy_atom(
    op: CopyOp,
    copy_internal_type: Any,
    *,
    num_bits_per_copy: int = 0,
    loc: Any = None,
    ip: Any = None,
    **kwargs: Any,
) -> CopyAtom:
    """Returns the atom of a copy operation for elements of a type.

    :param num_bits_per_copy: the bits that one access of one thread moves
    :param kwargs: options of operations that have some, such as CopyG2ROp

    >>> print(make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float16, num_bits_per_copy=128))
    CopyAtom
    universal Copy Operation
      !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    """
    if not isinstance(op, CopyOp):
        raise TypeError(f"expected a copy operation, not {op!r}")
    if not isinstance(copy_internal_type, NumericMeta):
        raise TypeError(f"a copy atom has a numeric type, not {copy_internal_type!r}")
    if hasattr(op, "configured"):
        op = op.configured(**kwargs)
    fields = {}
    bits = num_bits_per_copy
    if bits == 0:
        bits = copy_internal_type.width
        fields["any_width"] = isinstance(op, CopyUniversalOp)
    elif isinstance(op, CopyUniversalOp):
        fields["values"] = bits // copy_internal_type.width
    name, element = op.atom_name(bits), element_text(op.element_type(copy_internal_type))
    return CopyAtom(_ir.type(f'!cute.copy_atom<"{name}", {element}>'), op, fields)


def _tiled_copy(name: str, atom: CopyAtom, *operands: _ir.Operand) -> TiledCopy:
    return TiledCopy(_ir.apply(name, atom.ir, *operands), atom.op, atom.fields)


def make_tiled_copy_tv(
    atom: CopyAtom, thr_layout: Layout, val_layout: Layout, *, loc: Any = None,
    ip: Any = None,
) -> TiledCopy:
    """Returns the copy of a layout of threads, each with a layout of values.

    >>> atom = make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float16, num_bits_per_copy=128)
    >>> copy = make_tiled_copy_tv(atom, make_layout((16, 8), stride=(8, 1)), make_layout((1, 8)))
    >>> copy.tiler_mn, copy.layout_tv_tiled
    ((16:1, 64:1), ((8,16),8):((128,1),16))
    """
    return _tiled_copy("make_tiled_copy_tv", atom, thr_layout.ir, val_layout.ir)


def make_tiled_copy(
    atom: CopyAtom, layout_tv: Layout, tiler_mn: Any, *, loc: Any = None, ip: Any = None
) -> TiledCopy:
    """Returns the copy of a layout (thread, value) -> index in a tile.

    >>> atom = make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32)
    >>> make_tiled_copy(atom, make_layout((32, 4), stride=(1, 32)), (32, 4)).size
    32
    """
    tiler = tiler_mn
    if isinstance(tiler_mn, (tuple, list)) and _algebra.is_int_tuple(tuple(tiler_mn)):
        operand = _values.shape(tuple(tiler_mn))
    else:
        operand = _values.tiler(tiler)
    return _tiled_copy("make_tiled_copy", atom, layout_tv.ir, operand)


def make_tiled_copy_A(atom: CopyAtom, tiled_mma: TiledMma, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy that gives threads an MMA's operand A.

    >>> mma = make_tiled_mma(cute.nvgpu.warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)), (2, 2, 1))
    >>> atom = make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(False, 4), Float16)
    >>> make_tiled_copy_A(atom, mma).tiler_mn
    (32:1, 16:1)
    """
    return _tiled_copy("make_tiled_copy_a", atom, tiled_mma.ir)


def make_tiled_copy_B(atom: CopyAtom, tiled_mma: TiledMma, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy that gives threads an MMA's operand B."""
    return _tiled_copy("make_tiled_copy_b", atom, tiled_mma.ir)


def make_tiled_copy_C(atom: CopyAtom, tiled_mma: TiledMma, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy that takes an MMA's C from threads."""
    return _tiled_copy("make_tiled_copy_c", atom, tiled_mma.ir)


def make_tiled_copy_S(atom: CopyAtom, tiled_copy: TiledCopy, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy of threads' parts of another copy's source."""
    return _tiled_copy("make_tiled_copy_s", atom, tiled_copy.ir)


def make_tiled_copy_D(atom: CopyAtom, tiled_copy: TiledCopy, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy of threads' parts of another copy's destination."""
    return _tiled_copy("make_tiled_copy_d", atom, tiled_copy.ir)


def make_tiled_copy_C_atom(atom: CopyAtom, mma: TiledMma, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the smallest copy that takes C in an MMA's distribution."""
    return _tiled_copy("make_tiled_copy_c_atom", atom, mma.ir)


def make_cotiled_copy(
    atom: CopyAtom, atom_layout_tv: Layout, data_layout: Layout, *, loc: Any = None,
    ip: Any = None,
) -> TiledCopy:
    """Returns the copy of the data that a layout of threads and values addresses."""
    return _tiled_copy("make_cotiled_copy", atom, atom_layout_tv.ir, data_layout.ir)


def _size_is_static(tensor: Tensor) -> bool:
    return isinstance(_algebra.size(tensor), int)


def copy(
    atom: CopyAtom,
    src: Any,
    dst: Any,
    *,
    pred: Tensor | None = None,
    loc: Any = None,
    ip: Any = None,
    **kwargs: Any,
) -> None:
    """Copies a thread's part, by an atom or tiled copy.

    :param pred: a tensor of Boolean, one for each access or, for an atom without a width, one
    for each element in the source's shape; nothing is copied if it is false
    """
    if not isinstance(atom, CopyAtom):
        raise TypeError(f"expected a copy atom or tiled copy, not {atom!r}")
    if hasattr(atom.op, "copy"):
        atom.op.copy(atom, src, dst, **{"pred": pred, **atom.places.get("with", {}), **kwargs})
        return
    if kwargs:
        raise TypeError(f"{type(atom.op).__name__} takes no {', '.join(kwargs)}")
    if pred is None and atom.fields.get("any_width") and _size_is_static(src):
        autovec_copy(src, dst)
        return
    if pred is not None and atom.fields.get("any_width") and _is_for_elements(pred, src):
        basic_copy_if(pred, src, dst)
        return
    if pred is None and _mode_needs_division(src, atom.fields.get("values")):
        accesses = _values.tiler((atom.fields["values"],))
        src, dst = (wrap(_ir.apply("logical_divide", x.ir, accesses), x) for x in (src, dst))
    more = [] if pred is None else [ir_of(pred)]
    _ir.apply("copy", atom.ir, ir_of(src), ir_of(dst), *more, results=[])


def _mode_needs_division(tensor: Any, values: int | None) -> bool:
    """Returns whether mode 0 has several accesses' values, none of its first parts one's."""
    extents = getattr(tensor, "shape", None)
    if values is None or not isinstance(extents, tuple) or not extents:
        return False
    while isinstance(extents, tuple) and extents:
        extents = extents[0]
        if _algebra.size(extents) == values:
            return False
    return isinstance(extents, int) and extents % values == 0


def _is_for_elements(pred: Any, src: Any) -> bool:
    """Returns whether a predicate has the source's shape, whose mode 0 holds several elements."""
    is_alike = _size_is_static(src) and pred.shape == src.shape
    return is_alike and _algebra.size(src, mode=[0]) != 1


def copy_atom_call(
    atom: CopyAtom, src: Any, dst: Any, *, pred: Any = None, loc: Any = None, ip: Any = None,
    **kwargs: Any,
) -> None:
    """Copies by one atom, whose width promises the alignment of plain memory: a device stops at
    an address that is not a multiple of it, as the simulator does.

    :param pred: as of ``copy``
    """
    if getattr(atom.op, "promises_alignment", False):
        values = _algebra.size(atom.layout_src_tv, mode=[1])
        src, dst = (_aligned(x, values) for x in (src, dst))
    copy(atom, src, dst, pred=pred, **kwargs)


def _aligned(tensor: Any, values: int) -> Any:
    """Returns a tensor whose address is a multiple of the bytes of so many elements."""
    bytes_ = values * tensor.element_type.width // 8
    if bytes_ <= tensor.alignment:
        return tensor
    if not isinstance(tensor.layout, Layout) or tensor._swizzle is not None:
        return tensor
    return make_tensor(tensor.iterator.align(bytes_), tensor.layout)


def autovec_copy(
    src: Tensor, dst: Tensor, *, l1c_evict_priority: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Copies by the widest accesses that layouts and alignment allow.

    :param l1c_evict_priority: a hint for the cache, without effect
    """
    _ir.apply("autovec_copy", ir_of(src), ir_of(dst), results=[])


def basic_copy(src: Tensor, dst: Tensor, *, loc: Any = None, ip: Any = None) -> None:
    """Copies element by element."""
    _ir.apply("basic_copy", ir_of(src), ir_of(dst), results=[])


def basic_copy_if(
    pred: Tensor, src: Tensor, dst: Tensor, *, loc: Any = None, ip: Any = None
) -> None:
    """Copies the elements where the predicate is true."""
    _ir.apply("basic_copy_if", ir_of(pred), ir_of(src), ir_of(dst), results=[])


def prefetch(atom: CopyAtom, src: Tensor, *, loc: Any = None, ip: Any = None) -> None:
    """Brings a thread's part of global memory to the caches.

    It is a hint, which is ignored for TMA atoms.
    """
    if _ir.kind_of(_ir.type_of(src.ir)) == "tensor":
        _ir.apply("prefetch", src.ir, results=[])
