"""Instructions of a warp: mma.sync, ldmatrix, stmatrix."""

from __future__ import annotations

from typing import Any

from .._compat import placeholders as _placeholders
from .._values.numeric import BFloat16, Float16, Float32
from .._values.numeric import Float8E4M3FN, Float8E5M2, Int8, Int32, TFloat32, Uint8
from ._tcgen05_sparse import SparseMetadataFormat  # noqa: F401
from ._warp_scaled import *  # noqa: F403
from .common import CopyOp, MmaOp, OpError

_NAMES = {
    Float16: "F16",
    BFloat16: "BF16",
    Float32: "F32",
    TFloat32: "TF32",
    Int8: "S8",
    Uint8: "U8",
    Int32: "S32",
    Float8E4M3FN: "E4M3",
    Float8E5M2: "E5M2",
}


def _shape_name(shape: Any) -> str:
    return "x".join(map(str, shape))


class _WarpMma(MmaOp):
    """mma.sync of a warp: A and B of one type, C and D of another."""

    _shapes: tuple[tuple[int, int, int], ...] = ()
    _inputs: tuple[Any, ...] = ()
    _sums: tuple[Any, ...] = ()

    def __init__(self, ab_dtype: Any, acc_dtype: Any, shape_mnk: Any):
        shape = tuple(shape_mnk)
        self._need(ab_dtype, self._inputs, "ab_dtype")
        self._need(acc_dtype, self._sums, "acc_dtype")
        self._need(shape, self._shapes, "shape_mnk")
        self.ab_dtype, self.acc_dtype, self.shape_mnk = ab_dtype, acc_dtype, shape

    def _need(self, value: Any, valid: tuple[Any, ...], what: str) -> None:
        if value not in valid:
            names = ", ".join(map(str, valid))
            raise OpError(self, f"{what} is {value}", f"it can be {names}")

    @property
    def _prefix(self) -> str:
        return "SM80"

    def atom_name(self) -> str:
        acc, ab = _NAMES[self.acc_dtype], _NAMES[self.ab_dtype]
        shape = _shape_name(self.shape_mnk)
        return f"{self._prefix}_{shape}_{acc}{ab}{ab}{acc}_TN"

    def __str__(self) -> str:
        return (
            f"warp-level {self.ab_dtype} MMA Operation\n"
            f"  A/B data type         = {self.ab_dtype}\n"
            f"  Accumulator data type = {self.acc_dtype}\n"
            f"  Instruction shape MNK = {self.shape_mnk}"
        )


class MmaF16BF16Op(_WarpMma):
    """mma.sync of f16 or bf16, with sums of f32 or, of f16, f16.

    >>> op = cute.nvgpu.warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
    >>> make_tiled_mma(op, (2, 2, 1)).size
    128
    >>> make_mma_atom(op).tv_layout_C
    ((4,8),(2,2)):((32,1),(16,8))
    """

    _shapes = ((16, 8, 8), (16, 8, 16))
    _inputs = (Float16, BFloat16)
    _sums = (Float16, Float32)

    def __init__(self, ab_dtype: Any, acc_dtype: Any, shape_mnk: Any):
        super().__init__(ab_dtype, acc_dtype, shape_mnk)
        if ab_dtype is BFloat16 and acc_dtype is Float16:
            raise OpError(self, "products of BFloat16 are summed in Float32 only")


class MmaTF32Op(_WarpMma):
    """mma.sync of tf32.

    >>> make_mma_atom(cute.nvgpu.warp.MmaTF32Op((16, 8, 8))).tv_layout_A
    ((4,8),(2,2)):((16,1),(8,64))
    """

    _shapes = ((16, 8, 4), (16, 8, 8))
    _inputs = (TFloat32,)
    _sums = (Float32,)

    def __init__(self, shape_mnk: Any):
        super().__init__(TFloat32, Float32, shape_mnk)


class MmaFP8Op(_WarpMma):
    """mma.sync of 8-bit floats, from sm_89 on.

    >>> make_mma_atom(cute.nvgpu.warp.MmaFP8Op(Float8E4M3FN, Float32, (16, 8, 32))).shape_mnk
    (16, 8, 32)
    """

    _shapes = ((16, 8, 32),)
    _inputs = (Float8E4M3FN, Float8E5M2)
    _sums = (Float32,)

    @property
    def _prefix(self) -> str:
        return "SM89"


class MmaI8Op(_WarpMma):
    """mma.sync of 8-bit integers; each operand may be signed or not.

    >>> make_mma_atom(cute.nvgpu.warp.MmaI8Op(Int8, Int8, Int32, (16, 8, 32))).shape_mnk
    (16, 8, 32)
    """

    _shapes = ((16, 8, 16), (16, 8, 32))
    _inputs = (Int8, Uint8)
    _sums = (Int32,)

    def __init__(self, a_dtype: Any, b_dtype: Any, acc_dtype: Any, shape_mnk: Any):
        super().__init__(a_dtype, acc_dtype, shape_mnk)
        self._need(b_dtype, self._inputs, "b_dtype")
        self.a_dtype, self.b_dtype = a_dtype, b_dtype

    def atom_name(self) -> str:
        a, b = _NAMES[self.a_dtype], _NAMES[self.b_dtype]
        return f"SM80_{_shape_name(self.shape_mnk)}_S32{a}{b}S32_TN"


class _Matrices(CopyOp):
    """A copy of 1, 2 or 4 matrices of 8x8 16-bit elements."""

    _prefix = _suffix = ""  # of the atom's name

    def __init__(self, transpose: bool = False, num_matrices: int = 1, **options: Any):
        if num_matrices not in (1, 2, 4):
            raise OpError(self, f"num_matrices is {num_matrices}", "it can be 1, 2, 4")
        self.transpose, self.num_matrices = bool(transpose), num_matrices

    def atom_name(self, bits: int) -> str:
        kind = f"U16x{2 * self.num_matrices}" if self.transpose else f"U32x{self.num_matrices}"
        return f"{self._prefix}_{kind}_{self._suffix}_{'T' if self.transpose else 'N'}"


class LdMatrix8x8x16bOp(_Matrices):
    """ldmatrix: 1, 2 or 4 matrices of 8x8 16-bit elements from shared memory.

    >>> make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(False, 4), Float16).layout_dst_tv
    (32,(2,4)):(2,(1,64))
    """

    _prefix, _suffix = "SM75", "LDSM"

    def __str__(self) -> str:
        return f"ldmatrix 8x8x16b copy Operation, {self.num_matrices} matrices"


class StMatrix8x8x16bOp(_Matrices):
    """stmatrix: 1, 2 or 4 matrices of 8x8 16-bit elements to shared memory.

    >>> make_copy_atom(cute.nvgpu.warp.StMatrix8x8x16bOp(False, 2), Float16).layout_src_tv
    (32,(2,2)):(2,(1,64))
    """

    _prefix, _suffix = "SM90", "STSM"

    def element_type(self, wanted: Any) -> Any:
        """Returns Float16 for wider elements, which it cannot transpose.

        Programs ask such an atom how many values each thread has, and copy by another.
        """
        return Float16 if self.transpose and wanted.width > 16 else wanted


__getattr__ = _placeholders.itself("cute.nvgpu.warp")
