"""Products of tensor memory whose blocks along K have scale factors, for sm_100a."""

from __future__ import annotations

from typing import Any

from .._compile import ir as _ir
from .._values import algebra as _algebra
from .._values.mma import MmaAtom
from .._values.numeric import (
    Float4E2M1FN,
    Float6E2M3FN,
    Float6E3M2FN,
    Float8E4M3FN,
    Float8E5M2,
    Float8E8M0FNU,
    Float32,
)
from .._values.operands import wrap
from .._values.pointer import AddressSpace, make_ptr
from .._values.tensor import Tensor, make_tensor
from ._tcgen05_mma import CtaGroup, Field, OperandSource, TensorMma
from .common import OpError
from .warpgroup import OperandMajorMode

__all__ = [
    "MmaMXF4NVF4Op",
    "MmaMXF4Op",
    "MmaMXF8F6F4Op",
    "MmaMXF8Op",
    "SM103MmaMXF4NVF4Op",
    "SM103MmaMXF4Op",
]

_K = OperandMajorMode.K
_BYTES = (Float8E4M3FN, Float8E5M2, Float6E2M3FN, Float6E3M2FN, Float4E2M1FN)


class _Scaled(TensorMma):
    """tcgen05.mma whose factors are fields of the atom: pointers to the factors of the first
    row of tensor memory, or operands of ``gemm``: [A, its factors] and [B, its factors].

    :ivar sf_dtype: the type of the factors
    :ivar sf_vec_size: how many elements along K have one
    """

    admissible_fields = (Field.ACCUMULATE, Field.SFA, Field.SFB)
    memory_fields = (Field.SFA, Field.SFB)
    sf_dtype: Any = Float8E8M0FNU
    sf_vec_size = 32
    _sums = (Float32,)

    def type_names(self) -> str:
        scale = "float_ue4m3_t" if self.sf_dtype is Float8E4M3FN else "float_ue8m0_t"
        return f"{super().type_names()},{scale}"

    def factors_layout(self, atom: MmaAtom, operand: str, tiles: int, steps: int) -> Any:
        """Returns the place of the factors of this many products along M or N, and K, in
        tensor memory: ((rows, elements of K), tiles, steps).

        :param operand: "SFA" or "SFB"
        """
        nowhere = make_ptr(self.sf_dtype, 0, AddressSpace.gmem, assumed_align=16)
        part = make_tensor(nowhere, _algebra.make_layout((1, tiles, steps)))
        made = _ir.apply("make_fragment_operand", atom.ir, part.ir, operand=operand)
        return wrap(made).layout

    def _factors(self, atom: MmaAtom, operand: str, given: Any, part: Tensor) -> Tensor:
        """Returns the factors of a part (V,MN) or (V,MN,K)."""
        if given is None:
            raise OpError(self, f"the factors {operand} are missing",
                          f"set tcgen05.Field.{operand}, or pass them with the operand")
        start = given.iterator if isinstance(given, Tensor) else given
        rank = _algebra.rank(part)
        tiles, steps = (_algebra.size(part, mode=[i]) if i < rank else 1 for i in (1, 2))
        layout = self.factors_layout(atom, operand, tiles, steps)
        return make_tensor(start, _algebra.select(layout, mode=list(range(rank))))

    def gemm(self, atom: MmaAtom, d: Tensor, a: Any, b: Any, c: Tensor) -> None:
        (a, sfa), (b, sfb) = (
            x if isinstance(x, (list, tuple)) else (x, atom.places.get(field))
            for x, field in ((a, Field.SFA), (b, Field.SFB))
        )
        factors = [self._factors(atom, "SFA", sfa, a), self._factors(atom, "SFB", sfb, b)]
        self.start(atom, d, a, b, c, *factors)


class MmaMXF8F6F4Op(_Scaled):
    """Products of floats of 8, 6 and 4 bits with a factor for each 32; each float has a byte."""

    _family = "SM100_MMA_MXF8F6F4"
    _inputs = _BYTES
    k_of_bytes = 32

    def __init__(
        self, a_dtype: Any, b_dtype: Any, instruction_shape: Any, cta_group: CtaGroup,
        a_src: OperandSource = OperandSource.SMEM, a_major_mode: OperandMajorMode = _K,
        b_major_mode: OperandMajorMode = _K,
    ):
        super().__init__(a_dtype, b_dtype, Float32, instruction_shape, cta_group, a_src,
                         a_major_mode, b_major_mode)


class MmaMXF8Op(MmaMXF8F6F4Op):
    """Products of floats of 8 bits with a factor for each 32."""

    _inputs = (Float8E4M3FN, Float8E5M2)

    def __init__(
        self, ab_dtype: Any, instruction_shape: Any, cta_group: CtaGroup,
        a_src: OperandSource = OperandSource.SMEM, a_major_mode: OperandMajorMode = _K,
        b_major_mode: OperandMajorMode = _K,
    ):
        super().__init__(ab_dtype, ab_dtype, instruction_shape, cta_group, a_src, a_major_mode,
                         b_major_mode)


class _Packed(_Scaled):
    """Products of e2m1, two in a byte."""

    _family = "SM100_MMA_MXF4"
    _inputs = (Float4E2M1FN,)

    def __init__(self, instruction_shape: Any, cta_group: CtaGroup, a_src: OperandSource):
        super().__init__(Float4E2M1FN, Float4E2M1FN, Float32, instruction_shape, cta_group,
                         a_src, _K, _K)

    def shape_names(self) -> str:
        return f"{super().shape_names()},{self.sf_vec_size}"


class MmaMXF4Op(_Packed):
    """Products of e2m1 with a factor without mantissa for each 32."""

    def __init__(
        self, instruction_shape: Any, cta_group: CtaGroup,
        a_src: OperandSource = OperandSource.SMEM,
    ):
        super().__init__(instruction_shape, cta_group, a_src)


class MmaMXF4NVF4Op(_Packed):
    """Products of e2m1 with a factor for each 16, e4m3 without a sign or ue8m0."""

    sf_vec_size = 16

    def __init__(
        self, sf_dtype: Any, instruction_shape: Any, cta_group: CtaGroup,
        a_src: OperandSource = OperandSource.SMEM,
    ):
        if sf_dtype not in (Float8E4M3FN, Float8E8M0FNU):
            raise OpError(self, f"sf_dtype is {sf_dtype}",
                          f"it can be {Float8E4M3FN}, {Float8E8M0FNU}")
        self.sf_dtype = sf_dtype
        super().__init__(instruction_shape, cta_group, a_src)


class _Of96(_Packed):
    """Products of 96 e2m1 along K, for sm_103a: the factors of a product, 3 or 6, may begin in
    the middle of four factors that lie together, so ``gemm`` takes one product at a time,
    with pointers to its factors."""

    _family = "SM103_MXF4_ULTRA"
    _ending = "_VS"
    _k = 96

    def __init__(self, instruction_shape: Any, cta_group: CtaGroup, a_src: OperandSource):
        if a_src is not OperandSource.SMEM:
            raise OpError(self, "A is in tensor memory", "these products have it in shared memory")
        super().__init__(instruction_shape, cta_group, a_src)


class SM103MmaMXF4Op(_Of96, MmaMXF4Op):
    """Products of 96 e2m1 with a factor without mantissa for each 32."""


class SM103MmaMXF4NVF4Op(MmaMXF4NVF4Op, _Of96):
    """Products of 96 e2m1 with a factor for each 16, e4m3 without a sign or ue8m0."""
