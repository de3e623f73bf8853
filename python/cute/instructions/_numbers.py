"""Arithmetic of pairs, conversions and integers, one instruction of PTX each."""

from __future__ import annotations

from typing import Any, Callable

from .. import arch as _arch
from .._compat.missing import NotThere
from .._compile import ir as _ir
from .._values.algebra import make_layout
from .._values.array import Vector
from .._values.numeric import (
    BFloat16,
    Float4E2M1FN,
    Float6E2M3FN,
    Float6E3M2FN,
    Float8E4M3FN,
    Float8E5M2,
    Float8E8M0FNU,
    Float16,
    Float32,
    Float64,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint32,
    as_numeric,
)
from .._values.pointer import AddressSpace
from .._values.tensor import make_rmem_tensor, recast_tensor
from ._kinds import word
from ._write import place, word32, write

__all__ = """
add_packed_bf16x2_f32x2_f32x2 add_packed_f16x2_f32x2_f32x2 add_packed_f32x2
add_packed_f32x2_bf16x2_f32x2 add_packed_f32x2_f16x2_f32x2 sub_packed_bf16x2_f32x2_f32x2
sub_packed_f16x2_f32x2_f32x2 sub_packed_f32x2 sub_packed_f32x2_bf16x2_f32x2
sub_packed_f32x2_f16x2_f32x2 mul_packed_f32x2 mul_packed_bf16x2_f32x2_f32x2
mul_packed_f16x2_f32x2_f32x2 mul_packed_bf16x2_bf16x2_f16x2 mul_packed_f16x2_f16x2_bf16x2
fma_packed_f32x2 fma_packed_f32x2_bf16x2_f32x2_f32x2 fma_packed_f32x2_f16x2_f32x2_f32x2
mul_bf16x2 convert convert_f8x2_to_bf16x2 cvt_f32x2_to_f4x2 cvt_f32x2_to_f8x2
cvt_e2m1x2_byte_to_bf16x2 cvt_e4m3x2_byte_to_bf16x2 cvt_e4m3x2_to_bf16x2
cvt_e4m3x2_word_to_bf16x2 cvt_e2m1_word_to_e4m3_words convert_float_to_integer
convert_float_to_tf32 convert_and_pack_integer prmt mul mov_b32 dot_accumulate_2way
dot_accumulate_4way fabs fmin atomicrmw cvta_to
""".split()


# ---- Pairs ------------------------------------------------------------------


def _both(x: Any) -> tuple[Any, ...]:
    """Returns the two numbers of a Vector, or of a pair of Python's."""
    pair = tuple(x.to_elements() if hasattr(x, "to_elements") else x)
    if len(pair) != 2:
        raise ValueError(f"expected a pair, not {len(pair)} numbers")
    return pair


def _rounded(opcode: str, rnd: Any, ftz: Any, operands: Any) -> Any:
    """Applies an instruction for Float32 to numbers, with a given rounding."""
    modifiers = f".{word('FPRoundingMode', rnd or 'rn')}{'.ftz' * bool(ftz)}"
    places = ", ".join(f"{{{i}}}" for i in range(len(operands)))
    return write(f"{opcode}{modifiers}.f32 $0, {places};", *map(Float32, operands),
                 results=[Float32])


def _packed(name: str, opcode: str, count: int, result: Any, what: str) -> Callable[..., Any]:
    def function(
        src_a: Any, src_b: Any, src_c: Any = None, *, rnd: Any = None, ftz: Any = None,
        loc: Any = None, ip: Any = None,
    ) -> Any:
        given = (src_a, src_b, src_c)[:count]
        if any(x is None for x in given):
            raise TypeError(f"{name} takes {count} pairs")
        made = [result(_rounded(opcode, rnd, ftz, each)) for each in zip(*map(_both, given))]
        if isinstance(src_a, tuple):
            return tuple(made)
        return Vector.from_elements(made, result)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Returns {what} of both numbers of pairs, computed in Float32, as {result}.\n\n"
        ":param rnd: an FPRoundingMode, RN where it is left out\n"
        ":param ftz: takes and makes 0 for subnormal numbers\n"
        ":return: a Vector of two numbers, or a tuple for operands that are tuples\n\n"
        f"For example::\n\n    pair = {name}({', '.join('abc'[:count])}, rnd=FPRoundingMode.RZ)"
    )
    return function


_SHORT = {"f16": Float16, "bf16": BFloat16}
for _name, _count, _what in (("add", 2, "a + b"), ("sub", 2, "a - b"), ("mul", 2, "a * b"),
                             ("fma", 3, "a * b + c")):
    _names = {f"{_name}_packed_f32x2": Float32}
    for _kind, _dtype in _SHORT.items():
        _tail = "_".join(["f32x2"] * (_count - 1))
        if _name in ("add", "sub", "fma"):
            _names[f"{_name}_packed_f32x2_{_kind}x2_{_tail}"] = Float32
        if _name != "fma":
            _names[f"{_name}_packed_{_kind}x2_f32x2_f32x2"] = _dtype
    if _name == "mul":
        _names |= {"mul_packed_bf16x2_bf16x2_f16x2": BFloat16,
                   "mul_packed_f16x2_f16x2_bf16x2": Float16}
    for _full, _dtype in _names.items():
        globals()[_full] = _packed(_full, _name, _count, _dtype, _what)


def mul_bf16x2(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the products of the two BFloat16 of words: mul.bf16x2."""
    return Int32(_arch.mul_packed_bf16x2(word32(a), word32(b)))


# ---- Floats in fewer bits ---------------------------------------------------

# PTX's name of a pair of small floats, and the type of a word that holds it.
_PAIRS = {
    Float16: ("f16x2", Int32), BFloat16: ("bf16x2", Int32), Float8E4M3FN: ("e4m3x2", Int16),
    Float8E5M2: ("e5m2x2", Int16), Float6E2M3FN: ("e2m3x2", Int16),
    Float6E3M2FN: ("e3m2x2", Int16), Float4E2M1FN: ("e2m1x2", Int8),
    Float8E8M0FNU: ("ue8m0x2", Int16),
}


def _as(value: Any, dtype: Any) -> Any:
    """Returns the bits of a Vector, or of a number, as numbers of another type: a tensor."""
    size = getattr(value, "size", 1)
    held = make_rmem_tensor(make_layout(size, stride=1), value.dtype)
    if hasattr(value, "to_elements"):
        held.store(value.reshape(size))
    else:
        held[0] = value
    return recast_tensor(held, dtype)


def _narrow(low: Any, high: Any, dtype: Any, rnd: Any, sat: Any, relu: Any) -> Any:
    """Returns a pair of Float32 as small floats in a word, an instruction of PTX.

    :raises TypeError: for a type that is not a small float
    """
    if dtype not in _PAIRS:
        raise TypeError(f"{dtype} is not a float of 16 bits or fewer")
    kind, result = _PAIRS[dtype]
    mode = word("FPRoundingMode", rnd or ("rz" if dtype is Float8E8M0FNU else "rn"))
    relued = ".relu" * bool(relu)
    if dtype in (Float16, BFloat16):
        name = f"cvt.{mode}{relued}{'.satfinite' * (sat is not None)}"
    else:
        name = f"cvt.{mode}.satfinite{relued}"
    operands = [Float32(high), Float32(low)]
    if result is not Int8:
        return write(f"{name}.{kind}.f32 $0, {{0}}, {{1}};", *operands, results=[result])
    text = f"{{ .reg .b8 d; {name}.{kind}.f32 d, {{0}}, {{1}}; cvt.u32.u8 $0, d; }}"
    return write(text, *operands, results=[Int32])


def _is_plain(**options: Any) -> bool:
    """Returns whether a conversion rounds to the nearest, as ``to`` does; some are not there.

    :raises NotThere: for scaled conversions and stochastic rounding
    """
    for name in ("scale_factor", "scale_factor_kind", "random_bits", "is_pzo"):
        if options.get(name) is not None:
            raise NotThere(f"conversions with {name} are not there: scale the numbers first")
    rnd = options.get("rnd")
    nearest = rnd is None or word("FPRoundingMode", rnd) == "rn"
    return nearest and options.get("relu") is None and options.get("sat") is None


def convert(
    src: Any, dst_dtype: Any, *, rnd: Any = None, sat: Any = None, relu: bool | None = None,
    scale_factor: Any = None, scale_factor_kind: Any = None, random_bits: Any = None,
    result_type: Any = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the floats of a vector as floats of another type: cvt.

    :param src: a Vector of 2 floats
    :param rnd: an FPRoundingMode that PTX has for these types; RN where it is left out
    :param sat: SaturationMode: numbers that are too large become the largest one
    :param relu: negative numbers become 0
    :param result_type: of a word that holds the bits; a Vector by default
    :raises NotThere: for scale_factor and random_bits

    For example::

        pair = convert(two_floats, Float8E4M3FN, relu=True)
    """
    plain = _is_plain(rnd=rnd, sat=sat, relu=relu, scale_factor=scale_factor,
                      scale_factor_kind=scale_factor_kind, random_bits=random_bits)
    if plain and dst_dtype is not Float8E8M0FNU or dst_dtype not in _PAIRS:
        made = src.to(dst_dtype)
    else:
        low, high = _both(src)
        bits = _narrow(low, high, dst_dtype, rnd, sat, relu)
        made = _as(bits.to(_PAIRS[dst_dtype][1]), dst_dtype).load()
    return made if result_type in (None, Vector) else _as(made, result_type)[0]


def cvt_f32x2_to_f8x2(
    a: Any, b: Any, dst_ty: Any, *, is_pzo: Any = None, scale_factor: Any = None,
    scale_factor_kind: Any = None, rnd: Any = None, sat: Any = None, relu: Any = None,
    loc: Any = None, ip: Any = None,
) -> Int16:
    """Returns two Float32 as floats of 8 bits, ``a`` in the upper byte.

    For example::

        word = cvt_f32x2_to_f8x2(high, low, Float8E4M3FN)
    """
    if dst_ty.width != 8:
        raise TypeError(f"{dst_ty} is not a float of 8 bits")
    pair = Vector.from_elements([Float32(b), Float32(a)], Float32)
    return convert(pair, dst_ty, rnd=rnd, sat=sat, relu=relu, scale_factor=scale_factor,
                   scale_factor_kind=scale_factor_kind, random_bits=is_pzo, result_type=Int16)


def cvt_f32x2_to_f4x2(
    a: Any, b: Any, dst_type: Any, *, is_pzo: Any = None, scale_factor: Any = None,
    scale_factor_kind: Any = None, rnd: Any = None, relu: Any = None,
    loc: Any = None, ip: Any = None,
) -> Int32:
    """Returns two Float32 as floats of 4 bits in the lowest byte, ``a`` in its upper half."""
    if dst_type is not Float4E2M1FN and word("ConvertFP4Type", dst_type) != "e2m1":
        raise TypeError(f"{dst_type} is not a float of 4 bits")
    pair = Vector.from_elements([Float32(b), Float32(a)], Float32)
    made = convert(pair, Float4E2M1FN, rnd=rnd, relu=relu, scale_factor=scale_factor,
                   scale_factor_kind=scale_factor_kind, random_bits=is_pzo, result_type=Int8)
    return made.to(Int32) & 0xFF


def convert_f8x2_to_bf16x2(
    src: Any, *, scale_factor: Any = None, relu: bool | None = None, loc: Any = None,
    ip: Any = None, **options: Any,
) -> Any:
    """Returns a Vector of two floats of 8 bits as one of BFloat16."""
    _is_plain(scale_factor=scale_factor, **options)
    wide = src.to(Float32)
    return convert(wide, BFloat16, relu=relu)


def _bf16_word(bits: Any, dtype: Any) -> Int32:
    return _as(_as(bits, dtype).load().to(BFloat16), Int32)[0]


def cvt_e2m1x2_byte_to_bf16x2(packed_byte: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the two Float4E2M1FN of a byte as BFloat16 in a word, the lower one below."""
    return _bf16_word(Int32(packed_byte).to(Int8), Float4E2M1FN)


def cvt_e4m3x2_to_bf16x2(packed_fp8: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the two Float8E4M3FN of 16 bits as BFloat16 in a word, the lower one below."""
    return _bf16_word(as_numeric(packed_fp8).to(Int16), Float8E4M3FN)


def cvt_e4m3x2_byte_to_bf16x2(packed_byte: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns a Float8E4M3FN, the lowest byte, as a BFloat16 in both halves of a word."""
    byte = Int32(packed_byte) & 0xFF
    return cvt_e4m3x2_to_bf16x2(byte | byte << 8)


def cvt_e4m3x2_word_to_bf16x2(
    packed_word: Any, shift: int, *, loc: Any = None, ip: Any = None
) -> Int32:
    """Returns the two Float8E4M3FN from bit ``shift`` of a word on as BFloat16 in a word."""
    return cvt_e4m3x2_to_bf16x2(Uint32(packed_word) >> shift)


def cvt_e2m1_word_to_e4m3_words(
    packed_word: Any, sf_byte: Any, *, loc: Any = None, ip: Any = None
) -> tuple[Int32, Int32]:
    """Returns the eight Float4E2M1FN of a word times a scale as Float8E4M3FN in two words.

    :param sf_byte: the scale, a Float8E4M3FN in the lowest byte
    """
    scale = _as(Int32(sf_byte).to(Int8), Float8E4M3FN).load().to(Float32)[0]
    values = _as(Int32(packed_word), Float4E2M1FN).load().to(Float32) * scale
    words = _as(values.to(Float8E4M3FN), Int32)
    return words[0], words[1]


def convert_float_to_tf32(
    src: Any, *, rnd: Any = None, sat: Any = None, relu: bool | None = None,
    loc: Any = None, ip: Any = None,
) -> Int32:
    """Returns the bits of a Float32 that is rounded to TFloat32.

    :param rnd: an FPRoundingMode: RNA where it is left out; RN and RZ from sm_90 on
    """
    mode = word("FPRoundingMode", rnd or "rna")
    more = ".satfinite" * (sat is not None) + ".relu" * bool(relu)
    return write(f"cvt.{mode}{more}.tf32.f32 $0, {{0}};", Float32(src), results=[Int32])


def convert_float_to_integer(
    src: Any, *, result_type: Any = Int32, rnd: Any = None, sat: bool | None = None,
    ftz: bool | None = None, is_signed: bool | None = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns a Float32 as an integer; numbers that are too large become the largest one.

    :param result_type: Int32, or Int8
    :param rnd: an IntRoundingMode, RZI (as in C) where it is left out

    For example::

        convert_float_to_integer(2.5, rnd=IntRoundingMode.RNI)  # 2
    """
    mode = word("IntRoundingMode", rnd or "rzi")
    kind = f"{'u' if is_signed is False else 's'}{result_type.width}"
    text = f"cvt.{mode}{'.ftz' * bool(ftz)}{'.sat' * bool(sat)}.{kind}.f32 $0, {{0}};"
    return write(text, Float32(src), results=[Int32]).to(result_type)


# ---- Integers ---------------------------------------------------------------


def convert_and_pack_integer(
    src_a: Any, src_b: Any, convert_type: Any, *, src_c: Any = None,
    is_signed: bool | None = None, loc: Any = None, ip: Any = None,
) -> Int32:
    """Returns two Int32 packed in a smaller type, with saturation: cvt.pack.sat.

    :param convert_type: i16, i8, i4 or i2: a numeric type, or one of the IR
    :param src_c: a word whose lower bits go above the pair; not for i16
    :param is_signed: of the smaller type; so it is unless this is False
    """
    width = int(str(getattr(convert_type, "ir_name", convert_type)).lstrip("i"))
    if width not in (2, 4, 8, 16) or width == 16 and src_c is not None:
        raise TypeError(f"integers of {width} bits are not packed"
                        + " above another word" * (src_c is not None))
    bits = width if is_signed is False else width - 1
    least, most = 0 if is_signed is False else -(1 << bits), (1 << bits) - 1

    def cut(x: Any) -> Any:
        held = _arch.fmax(_arch.fmin(Int32(x), Int32(most)), Int32(least))
        return held & ((1 << width) - 1)

    above = Int32(0 if src_c is None else src_c) << 2 * width if width < 16 else Int32(0)
    return above | cut(src_a) << width | cut(src_b)


def prmt(
    lo: Any, selector: Any, mode: Any, *, hi: Any = None, loc: Any = None, ip: Any = None
) -> Int32:
    """Returns four bytes selected from ``lo`` (0 to 3) and ``hi`` (4 to 7): prmt.

    :param mode: a PermuteMode; with DEFAULT four bits of the selector choose each byte
    """
    kind = word("PermuteMode", mode)
    suffix = "" if kind == "default" else f".{kind}"
    operands = [word32(lo), word32(lo if hi is None else hi), word32(selector)]
    return write(f"prmt.b32{suffix} $0, {{0}}, {{1}}, {{2}};", *operands, results=[Int32])


def mul(
    a: Any, b: Any, mode: Any, *, is_signed: bool | None = None, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the lower or upper half of a product of integers, or all of it: mul.

    :param mode: MulMode LO, HI, or WIDE, which has twice as many bits
    """
    x = as_numeric(a)
    kinds = {16: (Int16, Int32), 32: (Int32, Int64), 64: (Int64, None)}
    if not x.dtype.is_integer or x.width not in kinds:
        raise TypeError(f"mul takes integers of 16, 32 or 64 bits, not {x.dtype}")
    own, wide = kinds[x.width]
    name, sign = word("MulMode", mode), "u" if is_signed is False else "s"
    result = wide if name == "wide" else own
    if result is None:
        raise TypeError("mul.wide takes integers of 16 or 32 bits, not 64")
    return write(f"mul.{name}.{sign}{x.width} $0, {{0}}, {{1}};", own(x), own(b),
                 results=[result])


def mov_b32(a: Any, *, target_type: Any = Int32, loc: Any = None, ip: Any = None) -> Any:
    """Returns the bits of a number of 32 bits as another type."""
    number = as_numeric(a)
    if number.width != 32 or target_type.width != 32:
        raise TypeError(f"mov.b32 takes numbers of 32 bits, not {number.dtype}")
    return number.bitcast(target_type)


def _dot(text: str, a: Any, a_type: Any, b: Any, b_type: Any, c: Any) -> Int32:
    signs = ".".join({"signed": "s32", "unsigned": "u32"}[word("DotAccumulateType", t)]
                     for t in (a_type, b_type))
    words = [_as(x, Int32)[0] if hasattr(x, "to_elements") else word32(x) for x in (a, b)]
    return write(f"{text}.{signs} $0, {{0}}, {{1}}, {{2}};", *words, word32(c), results=[Int32])


def dot_accumulate_4way(
    a: Any, a_type: Any, b: Any, b_type: Any, c: Any, *, loc: Any = None, ip: Any = None
) -> Int32:
    """Returns c and the sum of the products of four integers of 8 bits: dp4a.

    :param a: a Vector of 4 Int8, or a word
    :param a_type: DotAccumulateType SIGNED or UNSIGNED
    """
    return _dot("dp4a", a, a_type, b, b_type, c)


def dot_accumulate_2way(
    a: Any, a_type: Any, b: Any, b_type: Any, c: Any, b_hi: bool, *,
    loc: Any = None, ip: Any = None,
) -> Int32:
    """Returns c and the sum of two products, of 16 bits by 8 bits: dp2a.

    :param a: a Vector of 2 Int16, or a word
    :param b: a Vector of 4 Int8, or a word whose two bytes are taken
    :param b_hi: the upper two
    """
    return _dot(f"dp2a.{'hi' if b_hi else 'lo'}", a, a_type, b, b_type, c)


# ---- Others -----------------------------------------------------------------


def _without_type(operands: tuple[Any, ...]) -> list[Any]:
    """Returns operands without the type of the result that may come first."""
    return list(operands[1:] if operands and isinstance(operands[0], _ir.Type) else operands)


def fabs(*operands: Any, loc: Any = None, ip: Any = None) -> Any:
    """Returns a float without its sign; the type of the result may come first."""
    (x,) = _without_type(operands)
    return abs(as_numeric(x))


def fmin(*operands: Any, loc: Any = None, ip: Any = None) -> Any:
    """Returns the smaller of two floats; NaN loses. The type of the result may come first."""
    a, b = _without_type(operands)
    return _arch.fmin(a, b)


def atomicrmw(
    op: Any, ptr: Any, a: Any, *, b: Any = None, mem_order: Any = None, syncscope: Any = None,
    space: Any = None, results: Any = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Atomically changes memory, and returns the old value: atom.

    :param op: an AtomicOp
    :param a: the operand; CAS compares with it and writes ``b``
    :raises ValueError: for CAS without ``b``

    For example::

        before = atomicrmw(AtomicOp.ADD, counter, 1, syncscope=MemScope.GPU)
    """
    from .._mlir.dialects import nvvm as _nvvm

    name, number = word("AtomicOp", op), as_numeric(a)
    if name == "cas" and b is None:
        raise ValueError("CAS takes two operands: what is compared, and what is written")
    order = None if mem_order is None else word("MemOrder", mem_order)
    scope = None if syncscope is None else word("MemScope", syncscope)
    pointer = place(ptr)
    if name in ("inc", "dec"):
        made = _nvvm.atomicrmw(_nvvm.AtomicOpKind(name), pointer.llvm_ptr, number.ir_value())
        return type(number)(made)
    given = {"cmp": number, "val": type(number)(b)} if name == "cas" else {"val": number}
    return getattr(_arch, f"atomic_{name}")(pointer, **given, sem=order, scope=scope)


_CVTA = {
    "global": AddressSpace.gmem, "shared": AddressSpace.smem, "shared::cta": AddressSpace.smem,
    "shared::cluster": AddressSpace.dsmem,
}


def cvta_to(addr: Any, space: Any, *, size: Any = "u64", loc: Any = None, ip: Any = None) -> Any:
    """Returns a generic address as one of a memory: cvta.to.

    :param addr: an Array or a pointer, which become one of that memory; or an integer
    :param space: a CvtaSpace
    :param size: CvtaSize, of an integer
    """
    name, bits = word("CvtaSpace", space), word("CvtaSize", size)
    if hasattr(addr, "tospace") and name in _CVTA:
        return addr.tospace(_CVTA[name])
    number = as_numeric(addr.toint() if hasattr(addr, "toint") else addr)
    result = Int64 if bits == "u64" else Int32
    return write(f"cvta.to.{name}.{bits} $0, {{0}};", result(number), results=[result])
