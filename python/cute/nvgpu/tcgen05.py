"""Products and copies of tensor memory (tcgen05), for sm_100a.

One thread of a block starts a product, which reads A and B from shared memory, or A
from tensor memory, and leaves its sums in tensor memory: here the whole warp calls
``gemm``, and one lane starts it. Warps load the sums with ``make_tmem_copy``.
"""

from __future__ import annotations

import enum
from typing import Any

from .._compat import placeholders as _placeholders
from .._compile import ir as _ir
from .._values import algebra as _algebra, layout_algebra as _layout_algebra
from .._values.atoms import CopyAtom, TiledCopy, basic_copy
from .._values.layout import ComposedLayout
from .._values.numeric import Int16
from .._values.operands import wrap
from .._values.tensor import Tensor, make_fragment_like, make_rmem_tensor
from ._tcgen05_cp import (
    Cp2x64x128b0123Op,
    Cp2x64x128b0213Op,
    Cp4x32x128bOp,
    Cp4x256bOp,
    Cp128x128bOp,
    Cp128x256bOp,
    append_s2t_broadcast_mode,
    get_s2t_smem_desc_tensor,
    make_s2t_copy,
)
from ._tcgen05_mma import (
    CollectorOp,
    CtaGroup,
    Field,
    MmaF8F6F4Op,
    MmaF16BF16Op,
    MmaFP8Op,
    MmaI8Op,
    MmaTF32Op,
    OperandSource,
)
from ._tcgen05_scaled import (
    MmaMXF4NVF4Op,
    MmaMXF4Op,
    MmaMXF8F6F4Op,
    MmaMXF8Op,
    SM103MmaMXF4NVF4Op,
    SM103MmaMXF4Op,
)
from ._tcgen05_sparse import (
    MmaF16BF16SparseOp,
    MmaFP8SparseOp,
    SparseMetadataFormat,
    make_sparse_smem_layout_atom,
)
from ._umma_descriptors import (
    int_to_smem_descriptor,
    make_umma_smem_desc,
    smem_descriptor_to_int,
)
from .common import CopyOp, OpError
from .warpgroup import OperandMajorMode, SmemLayoutAtomKind, make_smem_layout_atom

__all__ = [
    "CollectorOp",
    "Cp128x128bOp",
    "Cp128x256bOp",
    "Cp2x64x128b0123Op",
    "Cp2x64x128b0213Op",
    "Cp4x256bOp",
    "Cp4x32x128bOp",
    "CtaGroup",
    "Field",
    "Ld16x128bOp",
    "Ld16x256bOp",
    "Ld16x32bx2Op",
    "Ld16x64bOp",
    "Ld32x32bOp",
    "LdRed16x32bx2Op",
    "LdRed32x32bOp",
    "MmaF16BF16Op",
    "MmaF16BF16SparseOp",
    "MmaF8F6F4Op",
    "MmaFP8Op",
    "MmaFP8SparseOp",
    "MmaI8Op",
    "MmaMXF4NVF4Op",
    "MmaMXF4Op",
    "MmaMXF8F6F4Op",
    "MmaMXF8Op",
    "MmaTF32Op",
    "OperandMajorMode",
    "OperandSource",
    "Pack",
    "Repetition",
    "SM103MmaMXF4NVF4Op",
    "SM103MmaMXF4Op",
    "SmemLayoutAtomKind",
    "St16x128bOp",
    "St16x256bOp",
    "St16x32bx2Op",
    "St16x64bOp",
    "St32x32bOp",
    "TmemLoadRedOp",
    "Unpack",
    "append_s2t_broadcast_mode",
    "commit",
    "find_tmem_tensor_col_offset",
    "get_s2t_smem_desc_tensor",
    "get_tmem_copy_properties",
    "int_to_smem_descriptor",
    "is_tmem_load",
    "is_tmem_store",
    "make_s2t_copy",
    "make_smem_layout_atom",
    "make_sparse_smem_layout_atom", "SparseMetadataFormat",
    "make_tmem_copy",
    "make_umma_smem_desc",
    "smem_descriptor_to_int",
    "tile_to_mma_shape",
]


# ---- Completion -------------------------------------------------------------


def commit(
    mbar_ptr: Any, mask: Any = None, cta_group: CtaGroup = CtaGroup.ONE, *, loc: Any = None,
    ip: Any = None,
) -> None:
    """Makes a barrier count an arrival when the thread's products so far are complete.

    :param mask: a bit for each block of the cluster whose barrier does
    """
    more = [] if mask is None else [Int16(mask).ir_value()]
    _ir.apply("tcgen05_commit", mbar_ptr.ir, *more, ctas=cta_group.value, results=[])


# ---- Copies -----------------------------------------------------------------


class Repetition(enum.Enum):
    """How often a load or store repeats its shape along columns."""

    x1 = 1
    x2 = 2
    x4 = 4
    x8 = 8
    x16 = 16
    x32 = 32
    x64 = 64
    x128 = 128


class Pack(enum.Enum):
    """Whether a load puts the low halves of two columns into a register."""

    NONE = "none"
    PACK_16b_IN_32b = "pack"


class Unpack(enum.Enum):
    """Whether a store does the contrary."""

    NONE = "none"
    UNPACK_32b_IN_16b = "unpack"


class _TmemOp(CopyOp):
    """A copy between registers and tensor memory by a warp, complete when it returns."""

    _shape = ""
    is_load = True

    def __init__(self, repeat: Any = Repetition.x1, pack: Any = Pack.NONE):
        self.repeat = repeat if isinstance(repeat, Repetition) else Repetition(repeat)
        self.pack = pack

    def atom_name(self, bits: int) -> str:
        way = "LOAD" if self.is_load else "STORE"
        packed = "" if self.pack.value == "none" else "_16b"
        return f"SM100_TMEM_{way}_{self._shape}{self.repeat.value}x{packed}"

    def copy(self, atom: CopyAtom, src: Tensor, dst: Tensor, *, pred: Any = None, **_: Any) -> None:
        """Copies after what barriers have ordered, and waits for it."""
        if pred is not None:
            raise OpError(self, "a warp copies whole columns", "leave out pred")
        _ir.apply("tcgen05_fence", kind="after", results=[])
        for near, far in self._pieces(src, dst):
            if not self.is_load:
                _ir.apply("copy", atom.ir, near.ir, far.ir, results=[])
                _ir.apply("tmem_wait", kind="st", results=[])
                continue
            # Registers of the program may be memory: only what has come may go there.
            loaded = make_fragment_like(far)
            _ir.apply("copy", atom.ir, near.ir, loaded.ir, results=[])
            _ir.apply("tmem_wait", loaded.ir, kind="ld", results=[])
            basic_copy(loaded, far)
        _ir.apply("tcgen05_fence", kind="before", results=[])

    def _pieces(self, src: Tensor, dst: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Returns the operands or, for loads of more registers than a wait names, the
        operands of one instruction each."""
        most, rank = 128 * 32, _algebra.rank(dst)
        fits = _algebra.size(dst) * dst.element_type.width <= most
        if not self.is_load or fits or rank == 1 or _algebra.rank(src) != rank:
            return [(src, dst)]
        near, far = (_algebra.group_modes(x, 1, rank) for x in (src, dst))
        return [(near[None, i], far[None, i]) for i in range(_algebra.size(far, mode=[1]))]

    def __str__(self) -> str:
        return f"tcgen05 {'load' if self.is_load else 'store'} Operation, {self.repeat.name}"


class Ld32x32bOp(_TmemOp):
    """Each lane gets columns of its own lane of tensor memory."""

    _shape = "32dp32b"


class Ld16x64bOp(_TmemOp):
    """16 lanes of tensor memory, 64 bits of each."""

    _shape = "16dp64b"


class Ld16x128bOp(_TmemOp):
    """16 lanes of tensor memory, 128 bits of each."""

    _shape = "16dp128b"


class Ld16x256bOp(_TmemOp):
    """16 lanes of tensor memory, 256 bits of each."""

    _shape = "16dp256b"


class Ld16x32bx2Op(_TmemOp):
    """16 lanes of tensor memory, whose columns the halves of the warp share."""

    _shape = "16dp32b"


class TmemLoadRedOp(enum.Enum):
    """What a load gives of the values that a thread gets."""

    MAX = "max"
    MAXABS = "max.abs"
    MIN = "min"
    MINABS = "min.abs"


class _ReducingOp(_TmemOp):
    """A load that also gives the largest or smallest of a thread's values (sm_103a, sm_110a).

    ``cute.copy`` takes a pair of destinations, registers for what is loaded and an element for
    each access; with the first alone nothing is compared.
    """

    def __init__(
        self, repeat: Any = Repetition.x1, pack: Any = Pack.NONE,
        redOp: TmemLoadRedOp = TmemLoadRedOp.MAX, nan: bool = False,
    ):
        super().__init__(repeat, pack)
        self.redOp, self.nan = redOp, nan

    def copy(self, atom: CopyAtom, src: Tensor, dst: Any, *, pred: Any = None, **_: Any) -> None:
        if not isinstance(dst, (tuple, list)):
            super().copy(atom, src, dst, pred=pred)
            return
        if pred is not None:
            raise OpError(self, "a warp copies whole columns", "leave out pred")
        values, reduced = dst
        near, far = (_algebra.group_modes(x, 1, _algebra.rank(x)) for x in (src, values))
        accesses = _algebra.size(far, mode=[1])
        if _algebra.size(reduced) != accesses:
            raise OpError(self, f"{accesses} accesses give {_algebra.size(reduced)} values",
                          "let the second destination have an element for each access")
        _ir.apply("tcgen05_fence", kind="after", results=[])
        for i in range(accesses):
            loaded = make_fragment_like(far[None, i])
            one = make_rmem_tensor((1,), far.element_type)
            kind = self.redOp.value + (".NaN" if self.nan else "")
            one[0] = wrap(_ir.apply("tmem_load_reduce", atom.ir, near[None, i].ir, loaded.ir,
                                    kind=kind))
            _ir.apply("tmem_wait", loaded.ir, one.ir, kind="ld", results=[])
            basic_copy(loaded, far[None, i])
            reduced[i] = one[0]
        _ir.apply("tcgen05_fence", kind="before", results=[])


class LdRed32x32bOp(_ReducingOp):
    """Loads as ``Ld32x32bOp``."""

    _shape = "32dp32b"


class LdRed16x32bx2Op(_ReducingOp):
    """Loads as ``Ld16x32bx2Op``; the halves of the warp have values of their own."""

    _shape = "16dp32b"

    def __init__(
        self, repeat: Any = Repetition.x1, pack: Any = Pack.NONE,
        redOp: TmemLoadRedOp = TmemLoadRedOp.MAX, nan: bool = False, half_split_off: int = 0,
    ):
        super().__init__(repeat, pack, redOp, nan)
        if half_split_off not in (0, self.repeat.value):
            raise OpError(self, f"half_split_off is {half_split_off}",
                          f"the second half is {self.repeat.value} columns further")


class _StoreOp(_TmemOp):
    is_load = False

    def __init__(self, repeat: Any = Repetition.x1, unpack: Any = Unpack.NONE):
        super().__init__(repeat, unpack)
        self.unpack = unpack


class St32x32bOp(_StoreOp):
    """Stores what ``Ld32x32bOp`` loads."""

    _shape = "32dp32b"


class St16x64bOp(_StoreOp):
    """Stores what ``Ld16x64bOp`` loads."""

    _shape = "16dp64b"


class St16x128bOp(_StoreOp):
    """Stores what ``Ld16x128bOp`` loads."""

    _shape = "16dp128b"


class St16x256bOp(_StoreOp):
    """Stores what ``Ld16x256bOp`` loads."""

    _shape = "16dp256b"


class St16x32bx2Op(_StoreOp):
    """Stores what ``Ld16x32bx2Op`` loads."""

    _shape = "16dp32b"


def make_tmem_copy(
    atom: CopyAtom, tmem_tensor: Tensor, *, loc: Any = None, ip: Any = None
) -> TiledCopy:
    """Returns the copy of four warps; each moves its 32 lanes of the tensor."""
    return TiledCopy(_ir.apply("make_tmem_copy", atom.ir, tmem_tensor.ir), atom.op, atom.fields)


def is_tmem_load(atom: CopyAtom) -> bool:
    """Tells whether an atom loads tensor memory."""
    return isinstance(atom.op, _TmemOp) and atom.op.is_load


def is_tmem_store(atom: CopyAtom) -> bool:
    """Tells whether an atom stores to tensor memory."""
    return isinstance(atom.op, _TmemOp) and not atom.op.is_load


def tile_to_mma_shape(
    atom: Any, mma_tile_shape: Any, order: Any = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a tile in shared memory repeated over ((MN,K) of a product, MN, K, stage).

    :param order: of (MN,K,stage), the fastest first; by default as they are

    >>> atom = cute.nvgpu.tcgen05.make_smem_layout_atom(
    ...     cute.nvgpu.tcgen05.SmemLayoutAtomKind.K_SW128, Float16)
    >>> cute.nvgpu.tcgen05.tile_to_mma_shape(atom, ((128, 16), 1, 4, 2))
    S<3,4,3> o 0 o ((128,16),1,4,(1,2)):((64,1),8192,16,(0,8192))
    """
    (mn, k), rest_mn, rest_k, *more = mma_tile_shape
    sizes = [_algebra.size(x) for x in (mn, k, rest_mn, rest_k)]
    shape = (sizes[0] * sizes[2], sizes[1] * sizes[3], *more)
    whole = _layout_algebra.tile_to_shape(atom, shape, order or tuple(range(len(shape))))
    if not isinstance(whole, ComposedLayout):
        return _layout_algebra.tiled_divide(whole, tuple(sizes[:2]))
    divided = _layout_algebra.tiled_divide(whole.outer, tuple(sizes[:2]))
    return _algebra.make_composed_layout(whole.inner, 0, divided)


def get_tmem_copy_properties(atom: CopyAtom) -> tuple[int, int, int, Any]:
    """Returns the lanes and the bits of each that a load or store repeats, how often, and
    whether it packs two elements.

    :raises TypeError: for another atom
    """
    op = atom.op
    if not isinstance(op, _TmemOp):
        raise TypeError(f"expected a copy of tensor memory, not {op!r}")
    lanes, bits = op._shape.removesuffix("b").split("dp")
    return int(lanes), int(bits), op.repeat.value, op.pack


def find_tmem_tensor_col_offset(tmem_tensor: Tensor, *, loc: Any = None, ip: Any = None) -> int:
    """Returns the columns that a tensor of a static layout takes: where the next may begin.

    :raises ValueError: for a layout that is not known
    """
    from ..utils.blackwell_helpers import compute_tmem_cols_from_layout

    return compute_tmem_cols_from_layout(tmem_tensor.layout, tmem_tensor.element_type)


__getattr__ = _placeholders.among(
    {"MmaOp": "the base of products"},
    "cute.nvgpu.tcgen05",
    dict.fromkeys(("copy", "helpers", "mma"), "cute.nvgpu.tcgen05"),
)
