"""MMA atoms, tiled MMAs, and the products that use them."""

from __future__ import annotations

from typing import Any

from . import algebra as _algebra, operands as _values
from .. import _bridge
from .._compile import ir as _ir
from .._frontend.errors import StaticValueError
from .atoms import Atom, layouts_of_tile
from .layout import Layout
from .numeric import Boolean, Float32, TFloat32
from .op import MmaOp, Op
from .tensor import Tensor, make_rmem_tensor, make_tensor, recast_tensor
from .operands import ir_of, wrap

__all__ = (
    "MmaAtom ThrMma TiledMma gemm make_mma_atom make_tiled_mma mma_atom_call"
).split()


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
        if hasattr(self._op, "has_in_tmem") and self._op.has_in_tmem(operand):
            shape = input.shape if isinstance(input, (Tensor, Layout)) else input
            return self._op.make_in_tmem(self, operand, shape)
        trace = _ir.trace()
        is_named = not {"acc_dtype", "abacc_dtype"} & set(dir(self._op))  # says no types
        if isinstance(input, Tensor) and operand == "c" and trace and trace.is_for_passes and not is_named:
            input = input.shape  # of sums only that counts, not where a tile lies
        if not isinstance(input, Tensor):
            return make_rmem_tensor(input, self._operand_type(operand))
        tiled = self if isinstance(self, TiledMma) else make_tiled_mma(self)
        if input.element_type is Float32 and self._operand_type(operand) is TFloat32:
            input = recast_tensor(input, TFloat32)  # the instruction reads what it needs
        return wrap(_ir.apply(f"make_fragment_{operand}", tiled.ir, input.ir))

    def _operand_type(self, operand: str) -> Any:
        if operand == "c":
            return getattr(self._op, "acc_dtype", None) or self._op.abacc_dtype
        for name in (f"{operand}_dtype", "ab_dtype", "abacc_dtype"):
            if hasattr(self._op, name):
                return getattr(self._op, name)
        raise TypeError(f"{self._op} does not say the type of operand {operand}")

    def make_fragment_A(self, input: Any, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the instruction's operand for a part of A."""
        return self._fragment("a", input)

    def make_fragment_B(self, input: Any, *, loc: Any = None, ip: Any = None) -> Tensor:  # noqa: N802
        """Returns the instruction's operand for a part of B."""
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
        """The tile in M, N and K, layouts or None; scaled products always have K."""
        *tile, k = layouts_of_tile(wrap(_ir.apply("get_tiler", self.ir)))
        if k is None and hasattr(self._op, "sf_vec_size"):
            k = _algebra.make_layout(self.get_tile_size(2))
        return (*tile, k)

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
        return wrap(_ir.apply(f"partition_shape_{operand.lower()}", self.ir, _values.shape(shape)))

    def _thrfrg(self, operand: str, input: Any) -> Any:
        """Returns a static layout or a tensor of one, whose modes are all threads and all of
        their values: ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK))) for operand A.

        :raises StaticValueError: for a layout that is not known
        """
        layout = input.layout if isinstance(input, Tensor) else input
        if not _algebra.is_static(layout):
            raise StaticValueError(f"the parts of all threads need a static layout, not {layout}")
        text = _bridge.calculate(f"thrfrg_{operand}({self.type_text}, {layout})")
        made = Layout(_ir.type(f'!cute.layout<"{text}">'))
        return make_tensor(input.iterator, made) if isinstance(input, Tensor) else made

    def _thrfrg_A(self, input: Any, *, loc: Any = None, ip: Any = None) -> Any:  # noqa: N802
        return self._thrfrg("A", input)

    def _thrfrg_B(self, input: Any, *, loc: Any = None, ip: Any = None) -> Any:  # noqa: N802
        return self._thrfrg("B", input)

    def _thrfrg_C(self, input: Any, *, loc: Any = None, ip: Any = None) -> Any:  # noqa: N802
        return self._thrfrg("C", input)

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
            f"partition_{operand}", self.ir, tensor.ir, _values.index(self._thread)
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
    """Returns the atom of an MMA operation.

    >>> atom = make_mma_atom(cute.nvgpu.warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)))
    >>> atom.shape_mnk, atom.thr_id
    ((16, 8, 16), 32:1)
    """
    if not isinstance(op, MmaOp):
        raise TypeError(f"expected an MMA operation, not {op!r}")
    places = (*getattr(op, "memory_fields", ()), *getattr(op, "word_fields", ()))
    fields = {f: True for f in getattr(op, "admissible_fields", ()) if f not in places}
    fields.update(getattr(op, "default_fields", {}))
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

    >>> mma = make_tiled_mma(cute.nvgpu.MmaUniversalOp(Float32), (16, 16, 1))
    >>> mma.size, mma.tv_layout_A_tiled
    (256, ((16,16),(1,(1,1))):((1,0),(0,(0,0))))
    """
    atom = op_or_atom if isinstance(op_or_atom, MmaAtom) else make_mma_atom(op_or_atom)
    layout = _algebra.make_layout(atom_layout_mnk)
    if permutation_mnk is not None and hasattr(atom.op, "sf_vec_size"):
        # Factors count K in their own elements: a tile of the atoms' K leaves it as it is.
        *tile, k = permutation_mnk
        whole = atom.op.shape_mnk[2] * _algebra.size(layout, mode=[2])
        permutation_mnk = (*tile, None if k == whole else k)
    more = [] if permutation_mnk is None else [_values.tiler(permutation_mnk)]
    return TiledMma(_ir.apply("make_tiled_mma", atom.ir, layout.ir, *more), atom.op, atom.fields)


def gemm(
    atom: MmaAtom, d: Any, a: Any, b: Any, c: Any, *, loc: Any = None, ip: Any = None,
    **kwargs: Any,
) -> None:
    """Computes d = a b + c over a thread's parts of the matrices.

    The modes are (V,M,K) x (V,N,K) -> (V,M,N), without K, or (V) alone. If the atom's
    field ACCUMULATE is false, c is ignored.
    """
    a, b = (x.part_of(atom, operand) if hasattr(x, "part_of") else x
            for operand, x in (("a", a), ("b", b)))
    if hasattr(getattr(atom, "op", None), "gemm"):
        atom.op.gemm(atom, d, a, b, c)
        return
    operands = [ir_of(x) for x in (d, *_listed(a), *_listed(b), c)]
    for field, value in getattr(atom, "fields", {}).items():
        if getattr(field, "name", field) == "ACCUMULATE" and value is not True:
            operands.append(Boolean(value).ir_value())
    _ir.apply("gemm", ir_of(atom, "MMA atom"), *operands, results=[])


def _listed(tensors: Any) -> list[Tensor]:
    return list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]


mma_atom_call = gemm
