"""Atoms, tiled copies, tiled MMAs, and the copies and products that use them."""

from __future__ import annotations

from typing import Any

from . import _algebra, _ir, _text, _values
from ._layout import Layout, TypeOf
from ._numeric import Boolean
from ._tensor import Tensor, element_text, element_type, make_rmem_tensor
from ._values import IrObject, wrap
from ._op import CopyOp, CopyUniversalOp, MmaOp, Op
from ._pictures import Drawn

__all__ = (
    "Atom CopyAtom MmaAtom ThrCopy ThrMma TiledCopy TiledMma autovec_copy basic_copy "
    "basic_copy_if copy copy_atom_call gemm make_copy_atom make_cotiled_copy "
    "make_mma_atom make_tiled_copy make_tiled_copy_A make_tiled_copy_B "
    "make_tiled_copy_C make_tiled_copy_C_atom make_tiled_copy_D make_tiled_copy_S "
    "make_tiled_copy_tv make_tiled_mma mma_atom_call prefetch"
).split()


class Atom(Drawn, IrObject):
    """An operation with what the dialect knows of it."""

    __slots__ = ("_op", "fields")

    def __init__(self, ir: _ir.Operand, op: Op, fields: Any = None):
        super().__init__(ir)
        self._op = op
        self.fields = dict(fields or {})

    @property
    def op(self) -> Op:
        """The operation that it was made of."""
        return self._op

    @property
    def type(self) -> TypeOf:
        return TypeOf(self.type_text)

    def remade(self, ir: _ir.Operand) -> Any:
        return type(self)(ir, self._op, self.fields)

    def __cute_signature__(self) -> Any:
        return (self.type_text, type(self), self._op)

    def set(self, modifier: Any, value: Any, *, loc: Any = None, ip: Any = None) -> None:
        """Sets a field of the atom, such as warpgroup.Field.ACCUMULATE."""
        self.fields[modifier] = value

    def get(self, modifier: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns a field of the atom, None where it was not set."""
        return self.fields.get(modifier)

    def _tv(self, operand: str) -> Layout:
        return wrap(_ir.apply("get_tv_layout", self.ir, operand=operand))

    @property
    def thr_id(self) -> Layout:
        """The lanes: logical thread -> lane."""
        return wrap(_ir.apply("thr_id", self.ir))

    def __str__(self) -> str:
        return f"{type(self).__name__}\n{self._op}\n  {self.type_text}"


def _index(thread: Any) -> _ir.Operand:
    return _values.index(thread)


# ---- MMA --------------------------------------------------------------------


class MmaAtom(Atom):
    """One matrix multiplication of an instruction."""

    __slots__ = ()

    @property
    def __cute_fields__(self) -> dict[Any, Any]:
        """What loops and branches carry of the atom."""
        return self.fields

    @property
    def shape_mnk(self) -> Any:
        return wrap(_ir.apply("shape_mnk", self.ir))

    @property
    def tv_layout_A(self) -> Layout:  # noqa: N802
        return self._tv("A")

    @property
    def tv_layout_B(self) -> Layout:  # noqa: N802
        return self._tv("B")

    @property
    def tv_layout_C(self) -> Layout:  # noqa: N802
        return self._tv("C")

    def _fragment(self, operand: str, input: Any) -> Tensor:
        if not isinstance(input, Tensor):
            return make_rmem_tensor(input, self._operand_type(operand))
        return wrap(_ir.apply(f"make_fragment_{operand}", self.ir, input.ir))

    def _operand_type(self, operand: str) -> Any:
        if operand == "c":
            return getattr(self._op, "acc_dtype", None) or self._op.abacc_dtype
        for name in (f"{operand}_dtype", "ab_dtype", "abacc_dtype"):
            if hasattr(self._op, name):
                return getattr(self._op, name)
        raise TypeError(f"{self._op} does not say the type of operand {operand}")

    def make_fragment_A(self, input: Any, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns what the instruction reads of a part of A."""
        return self._fragment("a", input)

    def make_fragment_B(self, input: Any, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns what the instruction reads of a part of B."""
        return self._fragment("b", input)

    def make_fragment_C(self, input: Any, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns registers for the sums of a part of C, or of a shape."""
        return self._fragment("c", input)


class TiledMma(MmaAtom):
    """An MMA atom repeated over threads and values; ``tv_layout_A`` is the atom's."""

    __slots__ = ()

    def _tv(self, operand: str) -> Layout:
        return make_mma_atom(self._op)._tv(operand)

    @property
    def tv_layout_A_tiled(self) -> Layout:  # noqa: N802
        return super()._tv("A")

    @property
    def tv_layout_B_tiled(self) -> Layout:  # noqa: N802
        return super()._tv("B")

    @property
    def tv_layout_C_tiled(self) -> Layout:  # noqa: N802
        return super()._tv("C")

    @property
    def permutation_mnk(self) -> Any:
        return wrap(_ir.apply("get_tiler", self.ir))

    @property
    def thr_layout_vmnk(self) -> Layout:
        return wrap(_ir.apply("thr_layout_vmnk", self.ir))

    @property
    def size(self) -> int:
        """The number of threads."""
        return _algebra.size(self.thr_layout_vmnk)

    def __cute_size__(self) -> int:
        return self.size

    def get_tile_size(self, mode_idx: int) -> Any:
        """Returns the extent of the tile in M, N or K."""
        return wrap(_ir.apply("tile_size", self.ir, mode=[mode_idx]))

    def get_slice(self, thr_idx: Any) -> ThrMma:
        """Returns the part of one thread."""
        return ThrMma(self.ir, self._op, self.fields, thr_idx)

    def _partition_shape(self, operand: str, shape: Any) -> Any:
        return wrap(_ir.apply(f"partition_shape_{operand}", self.ir, _values.shape(shape)))

    def partition_shape_A(self, shape_mk: Any, *, loc: Any = None, ip: Any = None) -> Any:  # noqa: N802
        """Returns the shape (V,M,K) of a thread's part of a shape (M,K)."""
        return self._partition_shape("a", shape_mk)

    def partition_shape_B(self, shape_nk: Any, *, loc: Any = None, ip: Any = None) -> Any:  # noqa: N802
        """Returns the shape (V,N,K) of a thread's part of a shape (N,K)."""
        return self._partition_shape("b", shape_nk)

    def partition_shape_C(self, shape_mn: Any, *, loc: Any = None, ip: Any = None) -> Any:  # noqa: N802
        """Returns the shape (V,M,N) of a thread's part of a shape (M,N)."""
        return self._partition_shape("c", shape_mn)


class ThrMma(TiledMma):
    """A thread's part of a tiled MMA."""

    __slots__ = ("_thread",)

    def __init__(self, ir: _ir.Operand, op: Op, fields: Any, thread: Any):
        super().__init__(ir, op, fields)
        self._thread = thread

    def remade(self, ir: _ir.Operand) -> Any:
        return ThrMma(ir, self._op, self.fields, self._thread)

    @property
    def thr_idx(self) -> Any:
        return self._thread

    def _partition(self, operand: str, tensor: Tensor) -> Tensor:
        found = _ir.apply(
            f"partition_{operand}", self.ir, tensor.ir, _index(self._thread)
        )
        return wrap(found, tensor)

    def partition_A(self, input_mk: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the thread's part (V,M,K) of a tensor (M,K)."""
        return self._partition("a", input_mk)

    def partition_B(self, input_nk: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the thread's part (V,N,K) of a tensor (N,K)."""
        return self._partition("b", input_nk)

    def partition_C(self, input_mn: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the thread's part (V,M,N) of a tensor (M,N)."""
        return self._partition("c", input_mn)


def make_mma_atom(op: MmaOp, *, loc: Any = None, ip: Any = None, **kwargs: Any) -> MmaAtom:
    """Returns the atom of an MMA operation."""
    if not isinstance(op, MmaOp):
        raise TypeError(f"an MMA operation is wanted, not {op!r}")
    fields = {field: True for field in getattr(op, "admissible_fields", ())}
    return MmaAtom(_ir.type(f'!cute.mma_atom<"{op.atom_name()}">'), op, fields)


def make_tiled_mma(
    op_or_atom: Any,
    atom_layout_mnk: Any = (1, 1, 1),
    permutation_mnk: Any = None,
    *,
    loc: Any = None,
    ip: Any = None,
    **kwargs: Any,
) -> TiledMma:
    """Returns an atom repeated over the threads of a layout (M,N,K).

    :param permutation_mnk: the tile's extents, or layouts that permute it
    """
    atom = op_or_atom if isinstance(op_or_atom, MmaAtom) else make_mma_atom(op_or_atom)
    layout = _algebra.make_layout(atom_layout_mnk)
    more = [] if permutation_mnk is None else [_values.tiler(permutation_mnk)]
    return TiledMma(_ir.apply("make_tiled_mma", atom.ir, layout.ir, *more), atom.op, atom.fields)


def gemm(
    atom: MmaAtom, d: Any, a: Any, b: Any, c: Any, *, loc: Any = None, ip: Any = None,
    **kwargs: Any,
) -> None:
    """Computes d = a b + c over what a thread has of the matrices.

    The modes are (V,M,K) x (V,N,K) -> (V,M,N), without K, or (V) alone. A field
    ACCUMULATE of the atom that is false leaves out c.
    """
    operands = [x.ir for x in (d, *_listed(a), *_listed(b), c)]
    for field, value in atom.fields.items():
        if getattr(field, "name", field) == "ACCUMULATE" and value is not True:
            operands.append(Boolean(value).ir_value())
    _ir.apply("gemm", atom.ir, *operands, results=[])


def _listed(tensors: Any) -> list[Tensor]:
    return list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]


mma_atom_call = gemm


# ---- Copy -------------------------------------------------------------------


class CopyAtom(Atom):
    """One copy of an instruction."""

    __slots__ = ()

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


class TiledCopy(CopyAtom):
    """A copy atom repeated over threads and values."""

    __slots__ = ()

    @property
    def layout_tv_tiled(self) -> Layout:
        return self._tv("TV")

    @property
    def tiler_mn(self) -> Any:
        return wrap(_ir.apply("get_tiler", self.ir))

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
        """Returns registers with the modes that this copy has for them."""
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
        found = _ir.apply("partition_s", self.ir, src.ir, _index(self._thread))
        return wrap(found, src)

    def partition_D(self, dst: Tensor, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the thread's part ((values, rest), Rest...) of the destination."""
        found = _ir.apply("partition_d", self.ir, dst.ir, _index(self._thread))
        return wrap(found, dst)


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

    :param num_bits_per_copy: what one access of one thread moves
    """
    if not isinstance(op, CopyOp):
        raise TypeError(f"a copy operation is wanted, not {op!r}")
    fields = {}
    bits = num_bits_per_copy
    if bits == 0:
        bits = copy_internal_type.width
        fields["any_width"] = isinstance(op, CopyUniversalOp)
    name, element = op.atom_name(bits), element_text(op.element_type(copy_internal_type))
    return CopyAtom(_ir.type(f'!cute.copy_atom<"{name}", {element}>'), op, fields)


def _tiled_copy(name: str, atom: CopyAtom, *operands: _ir.Operand) -> TiledCopy:
    return TiledCopy(_ir.apply(name, atom.ir, *operands), atom.op, atom.fields)


def make_tiled_copy_tv(
    atom: CopyAtom, thr_layout: Layout, val_layout: Layout, *, loc: Any = None,
    ip: Any = None,
) -> TiledCopy:
    """Returns the copy of a layout of threads, each with a layout of values."""
    return _tiled_copy("make_tiled_copy_tv", atom, thr_layout.ir, val_layout.ir)


def make_tiled_copy(
    atom: CopyAtom, layout_tv: Layout, tiler_mn: Any, *, loc: Any = None, ip: Any = None
) -> TiledCopy:
    """Returns the copy of a layout (thread, value) -> index in a tile."""
    tiler = tiler_mn
    if isinstance(tiler_mn, (tuple, list)) and _algebra.is_int_tuple(tuple(tiler_mn)):
        operand = _values.shape(tuple(tiler_mn))
    else:
        operand = _values.tiler(tiler)
    return _tiled_copy("make_tiled_copy", atom, layout_tv.ir, operand)


def make_tiled_copy_A(atom: CopyAtom, tiled_mma: TiledMma, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy that gives threads what an MMA takes of A."""
    return _tiled_copy("make_tiled_copy_a", atom, tiled_mma.ir)


def make_tiled_copy_B(atom: CopyAtom, tiled_mma: TiledMma, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy that gives threads what an MMA takes of B."""
    return _tiled_copy("make_tiled_copy_b", atom, tiled_mma.ir)


def make_tiled_copy_C(atom: CopyAtom, tiled_mma: TiledMma, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy that takes from threads what an MMA gives of C."""
    return _tiled_copy("make_tiled_copy_c", atom, tiled_mma.ir)


def make_tiled_copy_S(atom: CopyAtom, tiled_copy: TiledCopy, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy of what threads have of another's source."""
    return _tiled_copy("make_tiled_copy_s", atom, tiled_copy.ir)


def make_tiled_copy_D(atom: CopyAtom, tiled_copy: TiledCopy, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the copy of what threads have of another's destination."""
    return _tiled_copy("make_tiled_copy_d", atom, tiled_copy.ir)


def make_tiled_copy_C_atom(atom: CopyAtom, mma: TiledMma, *, loc: Any = None, ip: Any = None) -> TiledCopy:  # noqa: N802
    """Returns the smallest copy that takes C as an MMA has it."""
    return _tiled_copy("make_tiled_copy_c_atom", atom, mma.ir)


def make_cotiled_copy(
    atom: CopyAtom, atom_layout_tv: Layout, data_layout: Layout, *, loc: Any = None,
    ip: Any = None,
) -> TiledCopy:
    """Returns the copy of the data that a layout of threads and values names."""
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
    """Copies what a thread has, by an atom or tiled copy.

    :param pred: a tensor of Boolean, one for each access: where it is false
        nothing is copied
    """
    if hasattr(atom.op, "copy"):
        atom.op.copy(atom, src, dst, pred=pred, **kwargs)
        return
    if kwargs:
        raise TypeError(f"{type(atom.op).__name__} takes no {', '.join(kwargs)}")
    if pred is None and atom.fields.get("any_width") and _size_is_static(src):
        autovec_copy(src, dst)
        return
    more = [] if pred is None else [pred.ir]
    _ir.apply("copy", atom.ir, src.ir, dst.ir, *more, results=[])


copy_atom_call = copy


def autovec_copy(src: Tensor, dst: Tensor, *, loc: Any = None, ip: Any = None) -> None:
    """Copies by the widest accesses that layouts and alignment allow."""
    _ir.apply("autovec_copy", src.ir, dst.ir, results=[])


def basic_copy(src: Tensor, dst: Tensor, *, loc: Any = None, ip: Any = None) -> None:
    """Copies element by element."""
    _ir.apply("basic_copy", src.ir, dst.ir, results=[])


def basic_copy_if(
    pred: Tensor, src: Tensor, dst: Tensor, *, loc: Any = None, ip: Any = None
) -> None:
    """Copies the elements where the predicate is true."""
    _ir.apply("basic_copy_if", pred.ir, src.ir, dst.ir, results=[])


def prefetch(atom: CopyAtom, src: Tensor, *, loc: Any = None, ip: Any = None) -> None:
    """Brings a thread's part of global memory to the caches."""
    _ir.apply("prefetch", src.ir, results=[])
