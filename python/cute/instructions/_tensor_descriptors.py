"""Descriptors of products of tensor memory and of matrices that they read (tcgen05)."""

from __future__ import annotations

from typing import Any

from .._compat.missing import NotThere
from .._values.numeric import Int32, Int64
from ._kinds import word
from ._write import place

__all__ = ["Tcgen05InstrDesc", "Tcgen05MxInstrDesc", "Tcgen05MxOmmaInstrDesc", "Tcgen05SmemDesc"]


class Field:
    """Some bits of a descriptor, which may be in units of 16 bytes, as an integer."""

    def __init__(self, first: int, bits: int, unit: int = 1):
        self.first, self.bits, self.unit = first, bits, unit

    def __get__(self, descriptor: Any, kind: Any = None) -> Any:
        if descriptor is None:
            return self
        plain = Int64 if descriptor.width == 64 else Int32
        value = plain(descriptor.ir_value())
        return ((value >> self.first) & ((1 << self.bits) - 1)) * self.unit

    def of(self, value: int, name: str) -> int:
        """Returns the bits that hold a value.

        :raises ValueError: for one that does not fit
        """
        if value % self.unit or not 0 <= value // self.unit < 1 << self.bits:
            raise ValueError(f"{name} is {value}, not a multiple of {self.unit} below "
                             f"{self.unit << self.bits}")
        return value // self.unit << self.first


_INPUTS = {
    "Float16": 0, "BFloat16": 1, "Float32": 2, "TFloat32": 2, "Float8E4M3FN": 0, "Float8E5M2": 1,
    "Float6E2M3FN": 3, "Float6E3M2FN": 4, "Float4E2M1FN": 5, "Uint8": 0, "Int8": 1,
}
_OUTPUTS = {"Float16": 0, "Float32": 1, "Int32": 2}


def _format(table: dict[str, int], dtype: Any, what: str) -> int:
    if dtype is None:
        return 0
    if dtype.__name__ not in table:
        raise ValueError(f"{what} is {dtype}, which products of tensor memory do not take")
    return table[dtype.__name__]


class Tcgen05InstrDesc(Int32):
    """The instruction descriptor of tcgen05.mma: 32 bits (PTX ISA, "Instruction descriptor").

        Tcgen05InstrDesc.build(c_dtype=Float32, a_dtype=Float16, b_dtype=Float16,
                               m_dim=128, n_dim=64)
    """

    __slots__ = ()
    sparse_id2, sparse_flag, saturate = Field(0, 2), Field(2, 1), Field(3, 1)
    c_format, sparse_format = Field(4, 2), Field(6, 1)
    a_format, b_format = Field(7, 3), Field(10, 3)
    a_negate, b_negate, a_major, b_major = (Field(i, 1) for i in (13, 14, 15, 16))
    n_dim, m_dim = Field(17, 6, 8), Field(24, 5, 16)
    k_dim, max_shift = Field(29, 1), Field(30, 2)

    @classmethod
    def build(
        cls, sparse_id2: int = 0, sparse_flag: int = 0, saturate: int = 0,
        sparse_format: int = 0, c_dtype: Any = None, a_dtype: Any = None, b_dtype: Any = None,
        a_negate: int = 0, b_negate: int = 0, a_major: int = 0, b_major: int = 0, n_dim: int = 0,
        m_dim: int = 0, k_dim: int = 0, max_shift: int = 0, *, loc: Any = None, ip: Any = None,
    ) -> Tcgen05InstrDesc:
        """Returns the descriptor of a product, whose numbers are Python's.

        :param c_dtype: of the sums, Float16 where it is left out
        :param a_dtype: of A; Float32 means TFloat32
        :param a_major: 1 for an A that is contiguous along M
        :param m_dim: M, a multiple of 16
        :param n_dim: N, a multiple of 8
        :raises ValueError: for a type or a number that the descriptor does not hold
        """
        given = dict(
            sparse_id2=sparse_id2, sparse_flag=sparse_flag, saturate=saturate,
            sparse_format=sparse_format, c_format=_format(_OUTPUTS, c_dtype, "c_dtype"),
            a_format=_format(_INPUTS, a_dtype, "a_dtype"),
            b_format=_format(_INPUTS, b_dtype, "b_dtype"), a_negate=a_negate, b_negate=b_negate,
            a_major=a_major, b_major=b_major, n_dim=n_dim, m_dim=m_dim, k_dim=k_dim,
            max_shift=max_shift)
        bits = sum(vars(cls)[name].of(value, name) for name, value in given.items())
        return cls(bits - ((bits >> 31) << 32))


class _Scaled(Int32):
    """The instruction descriptor of tcgen05.mma with scale factors: 32 bits."""

    __slots__ = ()
    sparse_id2, sparse_flag, b_sf_id = Field(0, 2), Field(2, 1), Field(4, 2)
    a_format, b_format = Field(7, 3), Field(10, 3)
    a_negate, b_negate, scale_format = Field(13, 1), Field(14, 1), Field(23, 1)
    a_major, b_major = Field(15, 1), Field(16, 1)
    n_dim, m_dim, a_sf_id, k_dim = Field(17, 6, 8), Field(27, 2, 128), Field(29, 2), Field(31, 1)

    @classmethod
    def _made(cls, scale_format: Any, **given: Any) -> Any:
        if not isinstance(scale_format, int):
            scale_format = ("ue4m3", "e8m0").index(word("MxScaleFormat", scale_format))
        given["scale_format"] = scale_format
        bits = sum(getattr(cls, name).of(value, name) for name, value in given.items())
        return cls(bits - ((bits >> 31) << 32))

    def set_sf_ids(
        self, a_sf_id: Any = 0, b_sf_id: Any = 0, *, loc: Any = None, ip: Any = None
    ) -> Any:
        """Returns the descriptor with other bytes of a word of tensor memory, 0 to 3, where
        the factors of A and B begin."""
        kept = Int32(self.ir_value()) & ~(3 << 4 | 3 << 29)
        ids = (Int32(a_sf_id) & 3) << 29 | (Int32(b_sf_id) & 3) << 4
        return type(self)((kept | ids).ir_value())


class Tcgen05MxInstrDesc(_Scaled):
    """The instruction descriptor of tcgen05.mma with scale factors, floats of a byte each, kind
    mxf8f6f4: 32 bits (PTX ISA, "Instruction descriptor").

        Tcgen05MxInstrDesc.build(a_dtype=Float4E2M1FN, b_dtype=Float8E4M3FN, scale_format=1,
                                 m_dim=128, n_dim=128)
    """

    __slots__ = ()

    @classmethod
    def build(
        cls, sparse_id2: int = 0, sparse_flag: int = 0, b_sf_id: int = 0, a_dtype: Any = None,
        b_dtype: Any = None, a_negate: int = 0, b_negate: int = 0, a_major: int = 0,
        b_major: int = 0, n_dim: int = 0, scale_format: Any = 1, m_dim: int = 0,
        a_sf_id: int = 0, *, loc: Any = None, ip: Any = None,
    ) -> Tcgen05MxInstrDesc:
        """Returns the descriptor of a product, whose numbers are Python's.

        :param a_dtype: of A, a float of 8, 6 or 4 bits; so ``b_dtype``
        :param a_major: 1 for an A that is contiguous along M
        :param scale_format: 1 or E8M0: the type of the factors
        :param a_sf_id: the byte of a word of tensor memory where A's factors begin
        :param m_dim: M, 128 or 256
        :raises ValueError: for a type or a number that the descriptor does not hold
        """
        for dtype in (a_dtype, b_dtype):
            if dtype is not None and dtype.width > 8:
                raise ValueError(f"these products are of floats of 8, 6 and 4 bits, not {dtype}")
        return cls._made(
            scale_format, sparse_id2=sparse_id2, sparse_flag=sparse_flag, b_sf_id=b_sf_id,
            a_format=_format(_INPUTS, a_dtype, "a_dtype"),
            b_format=_format(_INPUTS, b_dtype, "b_dtype"), a_negate=a_negate, b_negate=b_negate,
            a_major=a_major, b_major=b_major, n_dim=n_dim, m_dim=m_dim, a_sf_id=a_sf_id)


class Tcgen05MxOmmaInstrDesc(_Scaled):
    """The instruction descriptor of tcgen05.mma with scale factors, kinds mxf4 and mxf4nvf4: 32 bits.

        Tcgen05MxOmmaInstrDesc.build(a_dtype=Float4E2M1FN, b_dtype=Float4E2M1FN, scale_format=0,
                                     m_dim=128, n_dim=256)
    """

    __slots__ = ()

    @classmethod
    def build(
        cls, sparse_id2: int = 0, sparse_flag: int = 0, b_sf_id: int = 0, a_dtype: Any = None,
        b_dtype: Any = None, a_negate: int = 0, b_negate: int = 0, n_dim: int = 0,
        scale_format: Any = 0, m_dim: int = 0, a_sf_id: int = 0, k_dim: int = 0, *,
        loc: Any = None, ip: Any = None,
    ) -> Tcgen05MxOmmaInstrDesc:
        """Returns the descriptor of a product, whose numbers are Python's.

        :param a_dtype: Float4E2M1FN, as ``b_dtype``
        :param scale_format: 0 or UE4M3, 1 or E8M0: the type of the factors
        :param a_sf_id: the byte of a word of tensor memory where A's factors begin
        :param m_dim: M, 128 or 256
        :param k_dim: 1: K is 96
        :raises ValueError: for a type or a number that the descriptor does not hold
        """
        for dtype in (a_dtype, b_dtype):
            if dtype is not None and dtype.__name__ != "Float4E2M1FN":
                raise ValueError(f"these products are of Float4E2M1FN, not {dtype}")
        return cls._made(
            scale_format, sparse_id2=sparse_id2, sparse_flag=sparse_flag, b_sf_id=b_sf_id,
            a_format=1, b_format=1, a_negate=a_negate, b_negate=b_negate, n_dim=n_dim,
            m_dim=m_dim, a_sf_id=a_sf_id, k_dim=k_dim)


class Tcgen05SmemDesc(Int64):
    """The place of a matrix in shared memory for tcgen05, 64 bits (PTX ISA, "Shared memory
    descriptor").

        Tcgen05SmemDesc.build(near, 16, 1024, layout=Tcgen05SmemSwizzle.SWIZZLE_128B)
    """

    __slots__ = ()
    start_address = Field(0, 14, 16)
    leading_byte_offset = Field(16, 14, 16)
    stride_byte_offset = Field(32, 14, 16)
    version, base_offset, layout_type = Field(46, 3), Field(49, 3), Field(61, 3)

    @classmethod
    def build(
        cls, start_address: Any, leading_byte_offset: int = 0, stride_byte_offset: int = 0,
        version: int = 1, base_offset: int = 0, layout: Any = 0, leading_dim_mode: int = 0,
        k_segment_offset: int = 0, *, loc: Any = None, ip: Any = None,
    ) -> Tcgen05SmemDesc:
        """Returns the descriptor of a matrix.

        :param start_address: an Array or a pointer, or the address in bytes
        :param leading_byte_offset: in bytes, a multiple of 16; so ``stride_byte_offset``
        :param layout: a Tcgen05SmemSwizzle or its number
        :raises ValueError: for a number that the descriptor does not hold
        """
        if leading_dim_mode or k_segment_offset:
            raise NotThere("absolute distances and segments along K are for later architectures")
        given = dict(leading_byte_offset=leading_byte_offset, base_offset=base_offset,
                     stride_byte_offset=stride_byte_offset, version=version,
                     layout_type=int(getattr(layout, "value", layout)))
        bits = sum(vars(cls)[name].of(value, name) for name, value in given.items())
        if hasattr(start_address, "data_ptr") or hasattr(start_address, "toint"):
            start_address = place(start_address).toint()
        start = (Int64(Int32(start_address)) >> 4) & 0x3FFF
        return cls((start | Int64(bits - ((bits >> 63) << 64))).ir_value())

    def advance_start_address(
        self, byte_increment: Any, *, loc: Any = None, ip: Any = None
    ) -> Tcgen05SmemDesc:
        """Returns the descriptor of the matrix so many bytes further, a multiple of 16."""
        if isinstance(byte_increment, int) and byte_increment % 16:
            raise ValueError(f"a matrix begins at a multiple of 16 bytes, not {byte_increment}")
        further = Int64(byte_increment) >> 4
        return type(self)((Int64(self.ir_value()) + further).ir_value())
