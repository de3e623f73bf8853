"""Instructions of a warp from sm_100 and sm_120 on: matrices of bytes, scaled products."""

from __future__ import annotations

import enum
from typing import Any

from .._compile import ir as _ir
from .._values import algebra as _algebra, layout_algebra as _layout_algebra
from .._values.numeric import (
    Float4E2M1FN,
    Float8E4M3FN,
    Float8E5M2,
    Float8E8M0FNU,
    Float32,
)
from .._values.pointer import Pointer
from .._values.tensor import Tensor, make_tensor
from .common import CopyOp, MmaOp, OpError

__all__ = [
    "Field",
    "LdMatrix16x16x8bOp",
    "LdMatrix16x8x8bOp",
    "LdMatrix8x16x8bOp",
    "MXF8F6F4_SUPPORTED_PAIRS",
    "MmaMXF4NVF4Op",
    "MmaMXF4Op",
    "MmaMXF8F6F4Op",
    "MmaMXF8Op",
    "StMatrix16x8x8bOp",
]


# ---- Matrices of bytes ------------------------------------------------------


class _Bytes(CopyOp):
    """A copy of 1, 2 or 4 matrices of elements of 8 bits."""

    _counts: tuple[int, ...] = (1, 2, 4)
    _transposes = True

    def __init__(
        self, transpose: bool = False, num_matrices: int = 1, unpack_bits: int | None = None
    ):
        if num_matrices not in self._counts:
            names = ", ".join(map(str, self._counts))
            raise OpError(self, f"num_matrices is {num_matrices}", f"it can be {names}")
        if bool(transpose) != self._transposes:
            raise OpError(self, f"transpose is {bool(transpose)}", f"it is {self._transposes}")
        self.transpose, self.num_matrices = bool(transpose), num_matrices
        self.unpack_bits = self._unpacked(unpack_bits)

    def _unpacked(self, bits: int | None) -> int | None:
        if bits not in (None, 8):
            raise OpError(self, f"elements of {bits} bits are not widened", "leave it out")
        return None


class LdMatrix8x16x8bOp(_Bytes):
    """ldmatrix of matrices of 8x16 8-bit elements, which may be of 4 or 6 bits in memory.

    :param num_matrices: 1, 2 or 4
    :param unpack_bits: 4 or 6: 16 elements are widened, which 8 bytes of gaps, or 4, follow;
        from sm_100 on
    """

    _transposes = False

    def __init__(
        self, transpose: bool = False, num_matrices: int = 1, unpack_bits: int | None = None
    ):
        if transpose:
            raise OpError(self, "matrices of 8x16 elements are not transposed",
                          "take LdMatrix16x16x8bOp")
        super().__init__(transpose, num_matrices, unpack_bits)

    def _unpacked(self, bits: int | None) -> int | None:
        if bits not in (None, 4, 6, 8):
            raise OpError(self, f"unpack_bits is {bits}", "it can be 4, 6")
        return None if bits == 8 else bits

    def atom_name(self, bits: int) -> str:
        if self.unpack_bits:
            return f"SM100_SU{self.unpack_bits}_DU8x16_x{self.num_matrices}_LDSM_N"
        return f"SM75_U32x{self.num_matrices}_LDSM_N"


class LdMatrix16x16x8bOp(_Bytes):
    """ldmatrix of 1 or 2 transposed matrices of 16x16 8-bit elements, from sm_100 on.

    For example::

        cute.make_copy_atom(LdMatrix16x16x8bOp(True, 2), cutlass.Int8)
    """

    _counts = (1, 2)

    def atom_name(self, bits: int) -> str:
        return f"SM100_U8x{8 * self.num_matrices}_LDSM_T"


class LdMatrix16x8x8bOp(LdMatrix16x16x8bOp):
    """ldmatrix of 2 or 4 transposed matrices of 16x8 8-bit elements; two form one of 16x16."""

    _counts = (2, 4)

    def atom_name(self, bits: int) -> str:
        return f"SM100_U8x{4 * self.num_matrices}_LDSM_T"


class StMatrix16x8x8bOp(_Bytes):
    """stmatrix of 1, 2 or 4 transposed matrices of 16x8 8-bit elements, from sm_100 on."""

    def atom_name(self, bits: int) -> str:
        return f"SM100_U8x{4 * self.num_matrices}_STSM_T"


# ---- Scaled products --------------------------------------------------------


class Field(enum.Enum):
    """The atom's fields to set before a product."""

    ACCUMULATE = "accum_c"
    SFA = "sf_a"
    SFB = "sf_b"


_NAMES = {Float8E4M3FN: "e4m3", Float8E5M2: "e5m2", Float4E2M1FN: "e2m1"}

MXF8F6F4_SUPPORTED_PAIRS = frozenset(
    pair for wide in (Float8E4M3FN, Float8E5M2)
    for pair in ((wide, Float4E2M1FN), (Float4E2M1FN, wide))
)
"""The types of A and B of MmaMXF8F6F4Op."""


class _Scaled(MmaOp):
    """mma.sync of sm_120 whose products of blocks along K are scaled.

    ``gemm`` takes [A, its factors] and [B, its factors], or the factors are fields of the
    atom: tensors of a thread's part of them, or pointers to the factors of one
    instruction.
    """

    admissible_fields = memory_fields = (Field.SFA, Field.SFB)
    default_fields: dict[Field, Any] = {}
    shape_mnk = (16, 8, 32)
    sf_vec_size = 32
    _factor = Float8E8M0FNU

    def _check(self, a: Any, b: Any, acc: Any, factor: Any, pairs: Any) -> None:
        if (a, b) not in pairs:
            names = ", ".join(sorted(f"({x}, {y})" for x, y in pairs))
            raise OpError(self, f"the types of A and B are ({a}, {b})", f"they can be {names}")
        for given, wanted, what in ((acc, Float32, "acc_dtype"), (factor, self._factor, "sf_type")):
            if given is not wanted:
                raise OpError(self, f"{what} is {given}", f"it is {wanted}")
        self.a_dtype, self.b_dtype, self.acc_dtype, self.sf_type = a, b, acc, factor

    def atom_name(self) -> str:
        types = ",".join(f"float_{_NAMES[t]}_t" for t in (self.a_dtype, self.b_dtype))
        factor = "ue8m0" if self._factor is Float8E8M0FNU else "ue4m3"
        m, n, k = self.shape_mnk
        return f"SM120_{m}x{n}x{k}_TN_VS<{types},float,float_{factor}_t,{self.sf_vec_size}>"

    def gemm(self, atom: Any, d: Any, a: Any, b: Any, c: Any) -> None:
        """Writes the product of what a thread has, (V), with the factors.

        :raises OpError: where there are none
        """
        operands = [d.ir]
        factors = []
        for given, field in ((a, Field.SFA), (b, Field.SFB)):
            pair = given if isinstance(given, (list, tuple)) else (given, atom.places.get(field))
            if len(pair) != 2 or pair[1] is None:
                raise OpError(self, f"the factors of {field.name[-1]} are missing",
                              f"pass [{field.name[-1]}, factors], or set {field}")
            operands.append(pair[0].ir)
            given = pair[1]
            if isinstance(given, Pointer):
                given = given.window(self.shape_mnk[2] // self.sf_vec_size)
            factors.append(_without_shared(given).ir)
        _ir.apply("gemm", atom.ir, *operands, c.ir, *factors, results=[])

    def __str__(self) -> str:
        return (
            f"warp-level block-scaled MMA Operation\n"
            f"  A data type           = {self.a_dtype}\n"
            f"  B data type           = {self.b_dtype}\n"
            f"  Scale factor type     = {self.sf_type}, for {self.sf_vec_size} along K\n"
            f"  Accumulator data type = {self.acc_dtype}\n"
            f"  Instruction shape MNK = {self.shape_mnk}"
        )


def _without_shared(tensor: Tensor) -> Tensor:
    """Returns a thread's factors (V, ...) without the mode of elements that share one."""
    values, *rest = tensor.shape if isinstance(tensor.shape, tuple) else (tensor.shape,)
    if not isinstance(values, tuple):
        return tensor
    step, *steps = tensor.stride
    kept = _layout_algebra.filter(_algebra.make_layout(values, stride=step))
    layout = _algebra.make_layout((kept.shape, *rest), stride=(kept.stride, *steps))
    return make_tensor(tensor.iterator, layout)


class MmaMXF8Op(_Scaled):
    """mma.sync of 16x8x32 floats of 8 bits, a factor Float8E8M0FNU for 32 along K."""

    def __init__(self, ab_dtype: Any, acc_dtype: Any, sf_type: Any):
        pairs = [(t, t) for t in (Float8E4M3FN, Float8E5M2)]
        self._check(ab_dtype, ab_dtype, acc_dtype, sf_type, pairs)
        self.ab_dtype = ab_dtype


class MmaMXF8F6F4Op(_Scaled):
    """mma.sync of 16x8x32 floats of 8 and of 4 bits, a factor Float8E8M0FNU for 32 along K."""

    def __init__(self, a_dtype: Any, b_dtype: Any, acc_dtype: Any, sf_type: Any):
        self._check(a_dtype, b_dtype, acc_dtype, sf_type, MXF8F6F4_SUPPORTED_PAIRS)


class MmaMXF4Op(_Scaled):
    """mma.sync of 16x8x64 floats of 4 bits, a factor Float8E8M0FNU for 32 along K."""

    shape_mnk = (16, 8, 64)

    def __init__(self, ab_dtype: Any, acc_dtype: Any, sf_type: Any):
        self._check(ab_dtype, ab_dtype, acc_dtype, sf_type, [(Float4E2M1FN, Float4E2M1FN)])
        self.ab_dtype = ab_dtype


class MmaMXF4NVF4Op(MmaMXF4Op):
    """mma.sync of 16x8x64 floats of 4 bits, a factor Float8E4M3FN for 16 along K."""

    sf_vec_size = 16
    _factor = Float8E4M3FN
