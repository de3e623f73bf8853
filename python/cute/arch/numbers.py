"""Functions of numbers that are instructions of the device."""

from __future__ import annotations

from typing import Any, Callable

from .._values.by_name import by_name
from .._values import arith as _arith, numeric as _numeric
from .. import math as _math
from .._values.numeric import (
    Float32,
    Int32,
    Int64,
    Integer,
    Uint32,
    as_numeric,
    maximum,
    minimum,
    operand_type,
)
from ._ops import i32, op, register

__all__ = [
    "add_packed_f32x2",
    "bfind",
    "brev",
    "calc_packed_f32x2_op",
    "clock",
    "clock64",
    "clz",
    "exp",
    "exp2",
    "exp_packed_f32x2",
    "fma_packed_f32x2",
    "fmax",
    "fmin",
    "globaltimer",
    "log",
    "log2",
    "log2_of_pow2_int",
    "mul_hi",
    "mul_packed_f32x2",
    "mul_wide",
    "nanosleep",
    "popc",
    "prmt",
    "rcp_approx",
    "smid",
    "sub_packed_f32x2",
]


def _of_floats(name: str, plain: Callable[..., Any], what: str) -> Callable[..., Any]:
    def function(
        a: Any, b: Any, c: Any = None, *, abs: bool = False, nan: bool = False,  # noqa: A002
        ftz: bool = False, loc: Any = None, ip: Any = None,
    ) -> Any:
        if c is not None:
            return function(function(a, b), c)
        x, y = as_numeric(a), as_numeric(b)
        if abs or nan or ftz:
            return _by_instruction(name[:3], Float32(x), Float32(y), abs, nan, ftz)
        dtype = operand_type("add", type(x), type(y))
        if not dtype.is_float:
            return plain(x, y)
        x, y = x.to(dtype), y.to(dtype)
        if x.is_static and y.is_static:
            return y if x.value != x.value else x if y.value != y.value else plain(x, y)
        operands = [x.ir_value(), y.ir_value()]
        return dtype(op(f"arith.{name}", operands, [dtype.ir_name])[0])

    function.__doc__ = f"Returns the {what} of two or three numbers; NaN loses."
    return function


def _by_instruction(name: str, x: Float32, y: Float32, abs: bool, nan: bool, ftz: bool) -> Any:  # noqa: A002
    """Returns max or min by PTX: with ``abs`` that of the sizes with the signs' product, with
    ``nan`` NaN if one is, with ``ftz`` 0 for subnormal numbers."""
    from .inline import inline_ptx

    text = f"{name}{'.ftz' if ftz else ''}{'.NaN' if nan else ''}.f32 {{$w0}}, {{$r0}}, {{$r1}};"
    operands = [x.__abs__(), y.__abs__()] if abs else [x, y]
    made = inline_ptx(text, write_only_types=[Float32], read_only_args=operands)
    if not abs:
        return made
    sign = (x.bitcast(Uint32) ^ y.bitcast(Uint32)) & Uint32(1 << 31)
    return (made.bitcast(Uint32) | sign).bitcast(Float32)


fmax = _of_floats("maxnumf", maximum, "largest")
fmin = _of_floats("minnumf", minimum, "smallest")


def rcp_approx(a: Any, *, loc: Any = None, ip: Any = None) -> Float32:
    """Returns 1 / a within 1 ulp, and 0 instead of a subnormal result."""
    number = Float32(a).ir_value()
    return Float32(op("nvvm.rcp.approx.ftz.f", [number], ["f32"])[0])


def exp2(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns 2 to the power of ``a`` by the device's instruction."""
    return _math.exp2(a, fastmath=True)


def exp(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns e to the power of ``a`` by the device's instruction."""
    return _math.exp(a, fastmath=True)


def log2(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the logarithm to base 2 by the device's instruction."""
    return _math.log2(a, fastmath=True)


def log(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the natural logarithm by the device's instruction."""
    return _math.log(a, fastmath=True)


def _pairs(function: Callable[..., Any], what: str) -> Callable[..., Any]:
    def packed(
        *operands: Any,
        rnd: Any = None,
        ftz: Any = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        return tuple(function(*map(Float32, pair)) for pair in zip(*operands))

    packed.__doc__ = f"Returns {what} for both numbers of pairs of Float32."
    return by_name("src_a src_b src_c"[: 6 * function.__code__.co_argcount - 1], packed)


add_packed_f32x2 = _pairs(lambda a, b: a + b, "a + b")
sub_packed_f32x2 = _pairs(lambda a, b: a - b, "a - b")
mul_packed_f32x2 = _pairs(lambda a, b: a * b, "a * b")
fma_packed_f32x2 = _pairs(lambda a, b, c: _math.fma(a, b, c), "a * b + c")


def calc_packed_f32x2_op(
    src_a: Any, src_b: Any, src_c: Any, calc_func: Callable[..., Any], *, rnd: Any = None,
    ftz: Any = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Applies a function of nvvm to pairs of Float32; one may be None."""
    operands = [x for x in (src_a, src_b, src_c) if x is not None]
    return calc_func(*operands, rnd=rnd, ftz=ftz)


def exp_packed_f32x2(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns e to the powers of a pair of Float32, by the device's instruction."""
    return tuple(exp(Float32(x)) for x in a)


def prmt(
    src: Any, src_reg_shifted: Any, prmt_indices: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns four bytes selected from ``src`` (0 to 3) and ``src_reg_shifted`` (4 to 7)."""
    operands = [i32(src), i32(src_reg_shifted), i32(prmt_indices)]
    mode = {"mode": "#nvvm.permute_mode<default>"}
    dtype = type(as_numeric(src)) if as_numeric(src).dtype.is_integer else Uint32
    return dtype(op("nvvm.prmt", operands, ["i32"], mode)[0])


def popc(value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of bits that are set."""
    return _bits("math.ctpop", value)


def clz(value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of leading zeros."""
    return _bits("math.ctlz", value)


def log2_of_pow2_int(a: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the exponent of a power of two, an Int32."""
    return Int32(31) - Int32(clz(Int32(a)))


def bfind(value: Any, *, loc: Any = None, ip: Any = None) -> Uint32:
    """Returns the position of the highest bit other than the sign's; 0xFFFFFFFF for none."""
    number = _integer(value, (32, 64))
    if number.dtype.signed:
        number = number ^ (number >> (number.dtype.width - 1))
    return Uint32(number.dtype.width - 1 - clz(number))


def brev(value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the bits in the opposite order."""
    number = _integer(value, (32, 64))
    made = op("llvm.intr.bitreverse", [number.ir_value()], [number.dtype.ir_name])
    return number.dtype(made[0])


def mul_wide(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the product of two integers of a type with twice its bits."""
    x, y = _two(a, b, (16, 32))
    wide = _named(x.dtype, 2 * x.dtype.width)
    return wide(x) * wide(y)


def mul_hi(a: Any, b: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the upper half of the product of two integers of a type."""
    x, y = _two(a, b, (32, 64))
    dtype = x.dtype
    if dtype.width == 32:
        return dtype(mul_wide(x, y) >> 32)
    name = "arith.mulsi_extended" if dtype.signed else "arith.mului_extended"
    return dtype(op(name, [x.ir_value(), y.ir_value()], [dtype.ir_name] * 2)[1])


def _named(like: Any, width: int) -> Any:
    return getattr(_numeric, f"{'Int' if like.signed else 'Uint'}{width}")


def _two(a: Any, b: Any, widths: tuple[int, ...]) -> tuple[Any, Any]:
    """Returns two integers of the type of one that is not Python's."""
    dtype = type(as_numeric(b if isinstance(a, int) else a))
    return _integer(dtype(a), widths), _integer(dtype(b), widths)


def _integer(value: Any, widths: tuple[int, ...]) -> Any:
    number = as_numeric(value)
    if not isinstance(number, Integer) or number.dtype.width not in widths:
        bits = " or ".join(map(str, widths))
        raise TypeError(f"an integer of {bits} bits is needed, not {number.dtype}")
    return number


def _bits(name: str, value: Any) -> Any:
    number = as_numeric(value)
    if not isinstance(number, Integer):
        raise TypeError(f"the bits of {number.dtype} are not counted")
    return Int32(type(number)(_arith.unary(name, number.ir_value(), number.dtype)))


def nanosleep(sleep_time: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Suspends the thread for about this many nanoseconds."""
    from .._mlir.dialects.llvm import inline_asm

    operand = Int32(sleep_time).ir_value()
    inline_asm(None, [operand], "nanosleep.u32 $0;", "r", has_side_effects=True)


def clock(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns a counter of cycles."""
    return Int32(register("clock"))


def clock64(*, loc: Any = None, ip: Any = None) -> Int64:
    """Returns a counter of cycles that does not wrap."""
    return Int64(op("nvvm.read.ptx.sreg.clock64", (), ["i64"])[0])


def smid(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of the multiprocessor that runs the thread."""
    return Int32(register("smid"))


def globaltimer(*, loc: Any = None, ip: Any = None) -> Int64:
    """Returns the time in nanoseconds."""
    return Int64(op("nvvm.read.ptx.sreg.globaltimer", (), ["i64"])[0])
