"""Products of tensor memory (tcgen05.mma), for sm_100a."""

from __future__ import annotations

import enum
from typing import Any

from .. import arch
from .._compile import ir as _ir
from .._values import algebra as _algebra
from .._values.mma import MmaAtom
from .._values.numeric import (
    BFloat16,
    Boolean,
    Float4E2M1FN,
    Float6E2M3FN,
    Float6E3M2FN,
    Float8E4M3FN,
    Float8E5M2,
    Float16,
    Float32,
    Int8,
    Int32,
    TFloat32,
    Uint8,
)
from .._values.operands import wrap
from .._values.pointer import AddressSpace, make_ptr
from .._values.tensor import Tensor, make_tensor
from .._values.tensor_ssa import vector_of
from .common import MmaOp, OpError
from .warpgroup import OperandMajorMode

__all__ = [
    "CollectorOp",
    "CtaGroup",
    "Field",
    "MmaF16BF16Op",
    "MmaF8F6F4Op",
    "MmaFP8Op",
    "MmaI8Op",
    "MmaTF32Op",
    "OperandSource",
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
    Float6E2M3FN: "float_e2m3_t",
    Float6E3M2FN: "float_e3m2_t",
    Float4E2M1FN: "float_e2m1_t",
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
    """A tiled MMA's parameters besides its operands.

    DISABLE_OUTPUT_LANE is a bit for each lane of tensor memory, 4 Int32 or, of a pair of
    blocks, 8: products leave the sums of a lane as they are where its bit is 1.
    """

    ACCUMULATE = "accum_c"
    NEGATE_A = "neg_a"
    NEGATE_B = "neg_b"
    SFA = "sf_a"
    SFB = "sf_b"
    METADATA = "e"
    DISABLE_OUTPUT_LANE = "disable_output_lane"


class CollectorOp(enum.Enum):
    """What becomes of an operand that is kept between products."""

    DISCARD = 0
    LASTUSE = 1
    FILL = 2
    USE = 3

    @classmethod
    def _missing_(cls, value: Any) -> CollectorOp | None:
        """Returns the one of a name."""
        names = {member.name: member for member in cls}
        return names.get(value.upper()) if isinstance(value, str) else None


# ---- Products ---------------------------------------------------------------


def _scaled(stride: Any, step: Any) -> Any:
    """Returns strides times a step."""
    return tuple(_scaled(x, step) for x in stride) if isinstance(stride, tuple) else stride * step


class TensorMma(MmaOp):
    """tcgen05.mma of 32 bytes of K; a new product's first does not add its sums."""

    admissible_fields: tuple[Field, ...] = (Field.ACCUMULATE, Field.DISABLE_OUTPUT_LANE)
    default_fields = {Field.ACCUMULATE: False}

    _family = ""
    _ending = ""
    _k = 0  # where it is not 32 bytes
    _inputs: tuple[Any, ...] = ()
    _sums: tuple[Any, ...] = ()
    k_of_bytes = 0  # of elements of fewer bits, which have a byte each

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
        k = self._k or self.k_of_bytes or 256 // a_dtype.width
        shape = tuple(instruction_shape)
        shape = (*shape, k) if len(shape) == 2 else shape
        if len(shape) != 3 or shape[2] != k:
            raise OpError(self, f"the shape is {shape}", f"K is {k}")
        self.a_dtype, self.b_dtype, self.acc_dtype = a_dtype, b_dtype, acc_dtype
        self.shape_mnk, self.cta_group, self.a_src = shape, cta_group, a_src
        self.a_major_mode, self.b_major_mode = a_major_mode, b_major_mode

    def atom_name(self) -> str:
        pair = "_2x1SM" if self.cta_group is CtaGroup.TWO else ""
        source = "TS" if self.a_src is OperandSource.TMEM else "SS"
        majors = f"{self.a_major_mode.name},{self.b_major_mode.name}"
        arguments = f"{self.type_names()},{self.shape_names()},{majors}"
        return f"{self._family}{pair}_{source}{self._ending}<{arguments}>"

    def type_names(self) -> str:
        """Returns the types of A, B and the sums in an atom's name."""
        return ",".join(_NAMES[t] for t in (self.a_dtype, self.b_dtype, self.acc_dtype))

    def shape_names(self) -> str:
        """Returns M and N in an atom's name."""
        return ",".join(map(str, self.shape_mnk[:2]))

    def has_in_tmem(self, operand: str) -> bool:
        """Returns whether the operand "a", "b" or "c" is in tensor memory."""
        return operand == "c" or operand == "a" and self.a_src is OperandSource.TMEM

    def make_in_tmem(self, tiled: MmaAtom, operand: str, shape: Any) -> Tensor:
        """Returns the operand of a shape (V,MN,K) or (V,MN,K,stage), from the start of tensor
        memory on."""
        values, m, n, *stages = (*shape[:3], *map(_algebra.size, shape[3:]))
        dtype = self.acc_dtype if operand == "c" else self.a_dtype
        nowhere = make_ptr(dtype, 0, AddressSpace.gmem, assumed_align=16)
        count = _algebra.size(n) * _algebra.size(tuple(stages))
        part = make_tensor(nowhere, _algebra.make_layout((values, m, count)))
        made = wrap(_ir.apply(f"make_fragment_{operand}", tiled.ir, part.ir))
        if not stages:
            return made
        *rows, step = made.stride
        steps = _scaled(_algebra.make_layout(n).stride, step)
        last = step * _algebra.size(n)
        layout = _algebra.make_layout((*made.shape[:2], n, *stages), stride=(*rows, steps, last))
        return make_tensor(made.iterator, layout)

    @property
    def word_fields(self) -> dict[Field, int]:
        """The fields of several Int32, and how many these are."""
        return {Field.DISABLE_OUTPUT_LANE: 4 * self.cta_group.value}

    def gemm(self, atom: MmaAtom, d: Tensor, a: Tensor, b: Tensor, c: Tensor) -> None:
        self.start(atom, d, a, b, c)

    def start(self, atom: MmaAtom, *operands: Tensor) -> None:
        """Lets one lane of the warp start the product, after what others did to tensor memory
        before a barrier: programs leave out that fence, which becomes no instruction."""
        others = [Boolean(atom.fields[Field.ACCUMULATE]).ir_value()]
        lanes = atom.places.get(Field.DISABLE_OUTPUT_LANE)
        if lanes is not None:
            others.append((vector_of(lanes, Int32) if isinstance(lanes, list) else lanes).ir_value())
        with arch.elect_one():
            _ir.apply("tcgen05_fence", kind="after", results=[])
            _ir.apply("gemm", atom.ir, *(x.ir for x in operands), *others, results=[])

    def __str__(self) -> str:
        return (
            f"tcgen05 MMA Operation\n"
            f"  A data type           = {self.a_dtype}, from {self.a_src.name}\n"
            f"  B data type           = {self.b_dtype}\n"
            f"  Accumulator data type = {self.acc_dtype}\n"
            f"  Instruction shape MNK = {self.shape_mnk}, blocks = {self.cta_group.value}"
        )


class MmaF16BF16Op(TensorMma):
    """Products of f16 or bf16, with sums of f32 or, of f16, f16.

    >>> from cute.nvgpu.tcgen05 import CtaGroup, MmaF16BF16Op, OperandMajorMode, OperandSource
    >>> k = OperandMajorMode.K
    >>> op = MmaF16BF16Op(Float16, Float32, (128, 64, 16), CtaGroup.ONE, OperandSource.SMEM, k, k)
    >>> make_tiled_mma(op).thr_id, make_tiled_mma(op).shape_mnk
    (1:0, (128, 64, 16))
    """

    _family = "SM100_MMA_F16BF16"
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


class MmaTF32Op(TensorMma):
    """Products of tf32."""

    _family = "SM100_MMA_TF32"
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


class MmaFP8Op(MmaF16BF16Op):
    """Products of 8-bit floats of one type; MmaF8F6F4Op takes two."""

    _family = "SM100_MMA_F8F6F4"
    _inputs = (Float8E4M3FN, Float8E5M2)


class MmaF8F6F4Op(TensorMma):
    """Products of floats of 8, 6 and 4 bits, each operand of its type; each has a byte."""

    _family = "SM100_MMA_F8F6F4"
    _inputs = (Float8E4M3FN, Float8E5M2, Float6E2M3FN, Float6E3M2FN, Float4E2M1FN)
    _sums = (Float32, Float16)
    k_of_bytes = 32


class MmaI8Op(TensorMma):
    """Products of 8-bit integers, with sums of 32 bits.

    :param ab_dtype: Int8 or Uint8, or a pair (type of A, type of B)
    """

    _family = "SM100_MMA_S8"
    _inputs = (Int8, Uint8)
    _sums = (Int32,)

    def __init__(
        self,
        ab_dtype: Any,
        instruction_shape: Any,
        cta_group: CtaGroup,
        a_src: OperandSource,
        a_major_mode: OperandMajorMode,
        b_major_mode: OperandMajorMode,
    ):
        a_dtype, b_dtype = ab_dtype if isinstance(ab_dtype, tuple) else (ab_dtype, ab_dtype)
        super().__init__(a_dtype, b_dtype, Int32, instruction_shape, cta_group, a_src,
                         a_major_mode, b_major_mode)
