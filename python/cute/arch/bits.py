"""Instructions on the bits of integers, and masks of lanes."""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from .._mlir.dialects.llvm import inline_asm
from .._values.numeric import Int32, Int64, Uint32, as_numeric
from ._ops import i32, register

__all__ = [
    "THREADS_PER_WARPGROUP",
    "WARPS_PER_WARPGROUP",
    "activemask",
    "bfe",
    "bfi",
    "cluster_size",
    "lanemask_eq",
    "lanemask_ge",
    "lanemask_gt",
    "lanemask_le",
    "lanemask_lt",
    "lop3",
    "mad24",
    "mul24",
    "nsmid",
    "nwarpid",
    "shf",
    "warpsize",
]

THREADS_PER_WARPGROUP = 128
WARPS_PER_WARPGROUP = 4


def _word(value: Any) -> Any:
    number = as_numeric(value)
    if not number.dtype.is_integer or number.width != 32:
        raise TypeError(f"an integer of 32 bits is needed, not {number.dtype}")
    return number


def _ptx(like: Any, text: str, *operands: Any) -> Any:
    """Applies an instruction to words, and returns a number of the type of ``like``."""
    values = [i32(x) for x in operands]
    constraints = ",".join(["=r", *["r"] * len(values)])
    return type(like)(inline_asm(_ir.type("i32"), values, text, constraints))


def lop3(a: Any, b: Any, c: Any, lut: int, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns a bitwise function of three words.

    :param lut: the function, given as its result for 0xF0, 0xCC and 0xAA
    """
    if not isinstance(lut, int) or not 0 <= lut <= 255:
        raise ValueError(f"lut is a number of 8 bits that is known, not {lut!r}")
    first = _word(a)
    return _ptx(first, f"lop3.b32 $0, $1, $2, $3, {lut};", first, _word(b), _word(c))


_SHIFTS = {"l": "l.wrap", "r": "r.wrap", "clamp_left": "l.clamp", "clamp_right": "r.clamp"}


def shf(
    a: Any, b: Any, shift: Any, kind: str = "l", *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a word of the 64 bits ``b:a`` that are shifted.

    :param kind: "l" or "r" for shifts modulo 32, whose upper or lower word is
        returned; "clamp_left" and "clamp_right" for shifts by at most 32
    """
    if kind not in _SHIFTS:
        raise ValueError(f"kind is one of {', '.join(_SHIFTS)}, not {kind!r}")
    low = _word(a)
    return _ptx(low, f"shf.{_SHIFTS[kind]}.b32 $0, $1, $2, $3;", low, _word(b), shift)


def bfe(value: Any, start: Any, length: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns ``length`` bits from ``start`` on, with their sign if the type has one."""
    word = _word(value)
    kind = "s32" if word.dtype.signed else "u32"
    return _ptx(word, f"bfe.{kind} $0, $1, $2, $3;", word, start, length)


def bfi(
    replacement: Any, value: Any, start: Any, length: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns ``value`` with ``length`` other bits from ``start`` on."""
    word = _word(value)
    bits = _word(replacement)
    return _ptx(word, "bfi.b32 $0, $1, $2, $3, $4;", bits, word, start, length)


def _bits24(a: Any) -> Any:
    """Returns the lower 24 bits, with their sign if the type has one."""
    word = _word(a)
    return Int64((word << 8) >> 8) if word.dtype.signed else Int64(word & 0xFFFFFF)


def mul24(a: Any, b: Any, hi: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns 32 bits of the product of two 24-bit integers: the lowest, or the highest of 48."""
    product = _bits24(a) * _bits24(b)
    return type(_word(a))(product >> 16 if hi else product)


def mad24(a: Any, b: Any, c: Any, hi: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the sum of mul24 and ``c``."""
    return mul24(a, b, hi) + c


def _lanes(name: str, what: str) -> Callable[..., Uint32]:
    def mask(*, loc: Any = None, ip: Any = None) -> Uint32:
        return Uint32(register(f"lanemask.{name}"))

    mask.__name__, mask.__doc__ = f"lanemask_{name}", f"Returns a bit for each lane {what}."
    return mask


lanemask_eq = _lanes("eq", "equal to the own: one bit")
lanemask_lt = _lanes("lt", "before the own")
lanemask_le = _lanes("le", "up to the own")
lanemask_gt = _lanes("gt", "after the own")
lanemask_ge = _lanes("ge", "from the own on")


def activemask(*, loc: Any = None, ip: Any = None) -> Uint32:
    """Returns a bit for each lane that executes this now."""
    made = inline_asm(_ir.type("i32"), [], "activemask.b32 $0;", "=r", has_side_effects=True)
    return Uint32(made)


def warpsize(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of lanes of a warp."""
    return Int32(register("warpsize"))


def nsmid(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of multiprocessors, or a bound of it."""
    return Int32(register("nsmid"))


def nwarpid(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of warps that a multiprocessor can have."""
    return Int32(register("nwarpid"))


def cluster_size(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of blocks of a cluster."""
    return Int32(register("cluster.nctarank"))
