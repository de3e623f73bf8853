"""Products and copies of tensor memory (tcgen05), for sm_100a.

One thread of a block starts a product, which reads A and B from shared memory, or A
from tensor memory, and leaves its sums in tensor memory: here the whole warp calls
``gemm``, of which one lane starts it. Warps load the sums with ``make_tmem_copy``.
"""

from __future__ import annotations

import enum
from typing import Any

from .. import arch
from .._compat import placeholders as _placeholders
from .._compile import ir as _ir
from .._values import algebra as _algebra
from .._values.atoms import CopyAtom, TiledCopy
from .._values.mma import MmaAtom
from .._values.numeric import (
    BFloat16,
    Boolean,
    Float8E4M3FN,
    Float8E5M2,
    Float16,
    Float32,
    Int8,
    Int16,
    Int32,
    TFloat32,
    Uint8,
)
from .._values.operands import wrap
from .._values.pointer import AddressSpace, make_ptr
from .._values.tensor import Tensor, make_tensor
from .common import CopyOp, MmaOp, OpError
from .warpgroup import OperandMajorMode, SmemLayoutAtomKind, make_smem_layout_atom

__all__ = [
    "CtaGroup",
    "Field",
    "Ld16x128bOp",
    "Ld16x256bOp",
    "Ld16x32bx2Op",
    "Ld16x64bOp",
    "Ld32x32bOp",
    "MmaF16BF16Op",
    "MmaFP8Op",
    "MmaI8Op",
    "MmaTF32Op",
    "OperandMajorMode",
    "OperandSource",
    "Pack",
    "Repetition",
    "SmemLayoutAtomKind",
    "St16x128bOp",
    "St16x256bOp",
    "St16x32bx2Op",
    "St16x64bOp",
    "St32x32bOp",
    "Unpack",
    "commit",
    "is_tmem_load",
    "is_tmem_store",
    "make_smem_layout_atom",
    "make_tmem_copy",
]

_NAMES = {
    Float16: "half_t",
    BFloat16: "bfloat16_t",
    Float32: "float",
    TFloat32: "tfloat32_t",
    Float8E4M3FN: "float_e4m3_t",
    Float8E5M2: "float_e5m2_t",
    Int8: "int8_t",
    Uint8: "uint8_t",
    Int32: "int32_t",
}


class CtaGroup(enum.Enum):
    """The blocks that use tensor memory together."""

    ONE = 1
    TWO = 2


class OperandSource(enum.Enum):
    """Where A comes from."""

    TMEM = "tmem"
    SMEM = "smem"


class Field(enum.Enum):
    """What a tiled MMA takes besides its operands."""

    ACCUMULATE = "accum_c"
    NEGATE_A = "neg_a"
    NEGATE_B = "neg_b"
    SFA = "sf_a"
    SFB = "sf_b"


# ---- Products ---------------------------------------------------------------


class _TensorMma(MmaOp):
    """tcgen05.mma of 32 bytes of K; a new product's first does not add its sums."""

    admissible_fields = (Field.ACCUMULATE,)
    default_fields = {Field.ACCUMULATE: False}

    _family = ""
    _inputs: tuple[Any, ...] = ()
    _sums: tuple[Any, ...] = ()

    def __init__(
        self,
        a_dtype: Any,
        b_dtype: Any,
        acc_dtype: Any,
        instruction_shape: Any,
        cta_group: CtaGroup,
        a_src: OperandSource,
        a_major_mode: OperandMajorMode,
        b_major_mode: OperandMajorMode,
    ):
        for value, valid, what in (
            (a_dtype, self._inputs, "the type of A"),
            (b_dtype, self._inputs, "the type of B"),
            (acc_dtype, self._sums, "acc_dtype"),
        ):
            if value not in valid:
                names = ", ".join(map(str, valid))
                raise OpError(self, f"{what} is {value}", f"it can be {names}")
        k = 256 // a_dtype.width
        shape = tuple(instruction_shape)
        shape = (*shape, k) if len(shape) == 2 else shape
        if len(shape) != 3 or shape[2] != k:
            raise OpError(self, f"the shape is {shape}", f"K is {k}")
        self.a_dtype, self.b_dtype, self.acc_dtype = a_dtype, b_dtype, acc_dtype
        self.shape_mnk, self.cta_group, self.a_src = shape, cta_group, a_src
        self.a_major_mode, self.b_major_mode = a_major_mode, b_major_mode

    def atom_name(self) -> str:
        m, n, _k = self.shape_mnk
        pair = "_2x1SM" if self.cta_group is CtaGroup.TWO else ""
        source = "TS" if self.a_src is OperandSource.TMEM else "SS"
        types = ",".join(_NAMES[t] for t in (self.a_dtype, self.b_dtype, self.acc_dtype))
        majors = f"{self.a_major_mode.name},{self.b_major_mode.name}"
        return f"SM100_MMA_{self._family}{pair}_{source}<{types},{m},{n},{majors}>"

    def make_sums(self, tiled: MmaAtom, shape: Any) -> Tensor:
        """Returns the sums of a shape (V,M,N) or (V,M,N,stage), from the start of tensor
        memory on."""
        values, m, n, *stages = shape
        nowhere = make_ptr(self.acc_dtype, 0, AddressSpace.gmem, assumed_align=16)
        count = _algebra.size(n) * _algebra.size(tuple(stages))
        part = make_tensor(nowhere, _algebra.make_layout((values, m, count)))
        sums = wrap(_ir.apply("make_fragment_c", tiled.ir, part.ir))
        if not stages:
            return sums
        *rows, step = sums.stride
        last = step * _algebra.size(n)
        layout = _algebra.make_layout((*sums.shape[:2], n, *stages), stride=(*rows, step, last))
        return make_tensor(sums.iterator, layout)

    def gemm(self, atom: MmaAtom, d: Tensor, a: Tensor, b: Tensor, c: Tensor) -> None:
        """Lets one lane of the warp start the product."""
        adds = Boolean(atom.fields[Field.ACCUMULATE]).ir_value()
        with arch.elect_one():
            _ir.apply("gemm", atom.ir, d.ir, a.ir, b.ir, c.ir, adds, results=[])

    def __str__(self) -> str:
        return (
            f"tcgen05 MMA Operation\n"
            f"  A data type           = {self.a_dtype}, from {self.a_src.name}\n"
            f"  B data type           = {self.b_dtype}\n"
            f"  Accumulator data type = {self.acc_dtype}\n"
            f"  Instruction shape MNK = {self.shape_mnk}, blocks = {self.cta_group.value}"
        )


class MmaF16BF16Op(_TensorMma):
    """Products of f16 or bf16, with sums of f32 or, of f16, f16.

    >>> from cute.nvgpu.tcgen05 import CtaGroup, MmaF16BF16Op, OperandMajorMode, OperandSource
    >>> k = OperandMajorMode.K
    >>> op = MmaF16BF16Op(Float16, Float32, (128, 64, 16), CtaGroup.ONE, OperandSource.SMEM, k, k)
    >>> make_tiled_mma(op).thr_id, make_tiled_mma(op).shape_mnk
    (1:0, (128, 64, 16))
    """

    _family = "F16BF16"
    _inputs = (Float16, BFloat16)
    _sums = (Float32, Float16)

    def __init__(
        self,
        ab_dtype: Any,
        acc_dtype: Any,
        instruction_shape: Any,
        cta_group: CtaGroup,
        a_src: OperandSource,
        a_major_mode: OperandMajorMode,
        b_major_mode: OperandMajorMode,
    ):
        super().__init__(ab_dtype, ab_dtype, acc_dtype, instruction_shape, cta_group, a_src,
                         a_major_mode, b_major_mode)


class MmaTF32Op(_TensorMma):
    """Products of tf32."""

    _family = "TF32"
    _inputs = (TFloat32,)
    _sums = (Float32,)

    def __init__(
        self,
        instruction_shape: Any,
        cta_group: CtaGroup,
        a_src: OperandSource,
        a_major_mode: OperandMajorMode,
        b_major_mode: OperandMajorMode,
    ):
        super().__init__(TFloat32, TFloat32, Float32, instruction_shape, cta_group, a_src,
                         a_major_mode, b_major_mode)


class MmaFP8Op(_TensorMma):
    """Products of 8-bit floats, each operand of its type."""

    _family = "F8F6F4"
    _inputs = (Float8E4M3FN, Float8E5M2)
    _sums = (Float32, Float16)


class MmaI8Op(_TensorMma):
    """Products of 8-bit integers."""

    _family = "S8"
    _inputs = (Int8, Uint8)
    _sums = (Int32,)


def commit(
    mbar_ptr: Any, mask: Any = None, cta_group: CtaGroup = CtaGroup.ONE, *, loc: Any = None,
    ip: Any = None,
) -> None:
    """Has a barrier count an arrival when the thread's products so far are complete.

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
        """Copies, and waits for it."""
        if pred is not None:
            raise OpError(self, "a warp copies whole columns", "leave out pred")
        _ir.apply("copy", atom.ir, src.ir, dst.ir, results=[])
        if self.is_load:
            _ir.apply("tmem_wait", dst.ir, kind="ld", results=[])
        else:
            _ir.apply("tmem_wait", kind="st", results=[])

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
    """Returns the copy of four warps, each of which moves its 32 lanes of the tensor."""
    return TiledCopy(_ir.apply("make_tmem_copy", atom.ir, tmem_tensor.ir), atom.op, atom.fields)


def is_tmem_load(atom: CopyAtom) -> bool:
    """Tells whether an atom loads tensor memory."""
    return isinstance(atom.op, _TmemOp) and atom.op.is_load


def is_tmem_store(atom: CopyAtom) -> bool:
    """Tells whether an atom stores to tensor memory."""
    return isinstance(atom.op, _TmemOp) and not atom.op.is_load


__getattr__ = _placeholders.among(
    dict.fromkeys(
        "Cp128x256bOp Cp128x128bOp Cp4x256bOp Cp4x32x128bOp Cp2x64x128b0213Op "
        "Cp2x64x128b0123Op make_s2t_copy get_s2t_smem_desc_tensor make_umma_smem_desc".split(),
        "copies of shared memory to tensor memory",
    )
    | dict.fromkeys(
        "MmaOp MmaF8F6F4Op MmaMXF8Op MmaMXF8F6F4Op MmaMXF4Op MmaMXF4NVF4Op SM103MmaMXF4Op "
        "SM103MmaMXF4NVF4Op".split(),
        "products with scale factors",
    )
    | dict.fromkeys(
        "TmemLoadRedOp LdRed16x32bx2Op LdRed32x32bOp get_tmem_copy_properties "
        "find_tmem_tensor_col_offset tile_to_mma_shape".split(),
        "some of what concerns tensor memory",
    ),
    "cute.nvgpu.tcgen05",
)
