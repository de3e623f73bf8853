"""Products of warpgroups (wgmma), for sm_90a: 128 threads, operands in shared memory.

A program starts products with ``gemm``, closes a group of them with ``commit_group``,
and waits with ``wait_group`` until at most a given number of groups are in flight. Call
``fence`` before the first product, and after threads have written registers that
products use.
"""

from __future__ import annotations

import enum
from typing import Any

from .._compat import placeholders as _placeholders
from .._compile import ir as _ir
from .._values.layout import ComposedLayout, make_swizzle
from .._values.numeric import (
    BFloat16,
    Float8E4M3FN,
    Float8E5M2,
    Float16,
    Float32,
    Int8,
    Int32,
    TFloat32,
    Uint8,
)
from .common import MmaOp, OpError, OperandMajorMode

__all__ = [
    "Field",
    "MmaF16BF16Op",
    "MmaF8Op",
    "MmaI8Op",
    "MmaTF32Op",
    "OperandMajorMode",
    "OperandSource",
    "SmemLayoutAtomKind",
    "commit_group",
    "fence",
    "make_smem_layout_atom",
    "wait_group",
]

_NAMES = {
    Float16: "F16",
    BFloat16: "BF16",
    Float32: "F32",
    TFloat32: "TF32",
    Float8E4M3FN: "E4M3",
    Float8E5M2: "E5M2",
    Int8: "S8",
    Uint8: "U8",
    Int32: "S32",
}


class OperandSource(enum.Enum):
    """Where A comes from."""

    RMEM = "rmem"
    SMEM = "smem"


class Field(enum.Enum):
    """A tiled MMA's parameters besides its operands."""

    ACCUMULATE = "accum_c"


class _WarpgroupMma(MmaOp):
    """wgmma of 64 x N x 32 bytes."""

    admissible_fields = (Field.ACCUMULATE,)

    _inputs: tuple[Any, ...] = ()
    _sums: tuple[Any, ...] = ()
    _has_majors = False

    def __init__(
        self,
        a_dtype: Any,
        b_dtype: Any,
        acc_dtype: Any,
        instruction_shape: Any,
        a_src: OperandSource,
        a_major_mode: OperandMajorMode,
        b_major_mode: OperandMajorMode,
    ):
        shape = tuple(instruction_shape)
        self._need(a_dtype, self._inputs, "the type of A")
        self._need(b_dtype, self._inputs, "the type of B")
        self._need(acc_dtype, self._sums, "acc_dtype")
        k = 256 // a_dtype.width
        if len(shape) == 2:
            shape = (*shape, k)
        if shape[0] != 64 or shape[2] != k or shape[1] not in range(8, 257, 8):
            raise OpError(
                self, f"the shape is {shape}", f"it can be (64, 8 to 256 by 8, {k})"
            )
        k_major = OperandMajorMode.K
        if not self._has_majors and (a_major_mode, b_major_mode) != (k_major, k_major):
            raise OpError(self, f"operands of {a_dtype} are K-major")
        if a_src is OperandSource.RMEM and a_major_mode is not k_major:
            raise OpError(self, "A from registers is K-major")
        self.a_dtype, self.b_dtype, self.acc_dtype = a_dtype, b_dtype, acc_dtype
        self.shape_mnk, self.a_src = shape, a_src
        self.a_major_mode, self.b_major_mode = a_major_mode, b_major_mode

    def _need(self, value: Any, valid: tuple[Any, ...], what: str) -> None:
        if value not in valid:
            names = ", ".join(map(str, valid))
            raise OpError(self, f"{what} is {value}", f"it can be {names}")

    def atom_name(self) -> str:
        m, n, k = self.shape_mnk
        types = "".join(_NAMES[t] for t in (self.acc_dtype, self.a_dtype, self.b_dtype))
        source = "RS" if self.a_src is OperandSource.RMEM else "SS"
        majors = "_TN"
        if self._has_majors:
            majors = f"<{self.a_major_mode.name},{self.b_major_mode.name}>"
        return f"SM90_{m}x{n}x{k}_{types}_{source}{majors}"

    def __str__(self) -> str:
        return (
            f"warpgroup-level MMA Operation\n"
            f"  A data type           = {self.a_dtype}, from {self.a_src.name}\n"
            f"  B data type           = {self.b_dtype}\n"
            f"  Accumulator data type = {self.acc_dtype}\n"
            f"  Instruction shape MNK = {self.shape_mnk}"
        )


class MmaF16BF16Op(_WarpgroupMma):
    """wgmma of f16 or bf16, with sums of f32 or, of f16, f16.

    >>> from cute.nvgpu import warpgroup
    >>> k = warpgroup.OperandMajorMode.K
    >>> smem = warpgroup.OperandSource.SMEM
    >>> op = warpgroup.MmaF16BF16Op(Float16, Float32, (64, 128, 16), smem, k, k)
    >>> make_tiled_mma(op).size, make_tiled_mma(op).tv_layout_C
    (128, ((4,8,4),(2,2,16)):((128,1,16),(64,8,512)))
    """

    _inputs = (Float16, BFloat16)
    _sums = (Float32, Float16)
    _has_majors = True

    def __init__(
        self,
        ab_dtype: Any,
        acc_dtype: Any,
        instruction_shape: Any,
        a_src: OperandSource,
        a_major_mode: OperandMajorMode,
        b_major_mode: OperandMajorMode,
    ):
        super().__init__(
            ab_dtype, ab_dtype, acc_dtype, instruction_shape, a_src, a_major_mode,
            b_major_mode,
        )
        if ab_dtype is BFloat16 and acc_dtype is Float16:
            raise OpError(self, "products of BFloat16 are summed in Float32 only")


class MmaTF32Op(_WarpgroupMma):
    """wgmma of tf32."""

    _inputs = (TFloat32,)
    _sums = (Float32,)

    def __init__(self, instruction_shape: Any, a_src: OperandSource):
        k = OperandMajorMode.K
        super().__init__(TFloat32, TFloat32, Float32, instruction_shape, a_src, k, k)


class MmaF8Op(_WarpgroupMma):
    """wgmma of 8-bit floats, each operand of its type."""

    _inputs = (Float8E4M3FN, Float8E5M2)
    _sums = (Float32, Float16)


class MmaI8Op(_WarpgroupMma):
    """wgmma of 8-bit integers."""

    _inputs = (Int8, Uint8)
    _sums = (Int32,)


def fence(*, loc: Any = None, ip: Any = None) -> None:
    """Orders the threads' writes to registers before the products that follow."""
    _ir.apply("warpgroup_fence", results=[])


def commit_group(*, loc: Any = None, ip: Any = None) -> None:
    """Closes the group of the products that the warpgroup has started."""
    _ir.apply("warpgroup_commit", results=[])


def wait_group(group: int, *, loc: Any = None, ip: Any = None) -> None:
    """Waits until at most ``group`` groups are in flight."""
    if not isinstance(group, int) or not 0 <= group < 8:
        raise ValueError(f"0 to 7 groups may be under way, known now, not {group!r}")
    _ir.apply("warpgroup_wait", n=group, results=[])


# ---- Layouts of operands ----------------------------------------------------


class SmemLayoutAtomKind(enum.Enum):
    """The layouts of shared memory that wgmma and TMA share, by bytes of a line.

    The name says which mode is contiguous, and the bytes of a line; INTER has 16 and no
    swizzle. MN_SW128_32B moves 32 bytes at a time: only tcgen05.mma reads it, for 32-bit
    elements.
    """

    MN_INTER = 1
    MN_SW32 = 2
    MN_SW64 = 3
    MN_SW128 = 4
    K_INTER = 5
    K_SW32 = 6
    K_SW64 = 7
    K_SW128 = 8
    MN_SW128_32B = 9


def make_smem_layout_atom(
    kind: SmemLayoutAtomKind, element_type: Any, *, loc: Any = None, ip: Any = None
) -> ComposedLayout:
    """Returns the smallest layout of a kind, for ``tile_to_shape``.

    Its swizzle counts bytes, as a pointer's does.

    >>> from cute.nvgpu import warpgroup
    >>> warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.K_SW128, Float16)
    S<3,4,3> o 0 o (8,64):(64,1)
    """
    from .._values.algebra import make_composed_layout, make_layout

    if not isinstance(kind, SmemLayoutAtomKind):
        raise TypeError(f"expected a SmemLayoutAtomKind, not {kind!r}")
    line, *swizzle = {
        "INTER": (16, 0, 4, 3), "SW32": (32, 1, 4, 3), "SW64": (64, 2, 4, 3),
        "SW128": (128, 3, 4, 3), "SW128_32B": (128, 2, 5, 2),
    }[kind.name.partition("_")[2]]  # fmt: skip
    elements = line * 8 // element_type.width
    shape: tuple[int, int] = (8, elements)
    stride: tuple[int, int] = (elements, 1)
    if kind.name.startswith("MN"):
        shape, stride = shape[::-1], stride[::-1]
    return make_composed_layout(
        make_swizzle(*swizzle), 0, make_layout(shape, stride=stride)
    )


__getattr__ = _placeholders.itself("cute.nvgpu.warpgroup")
