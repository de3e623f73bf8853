"""Pairs of small floats in one half of a word: what NVVM calls cvt.packfloat."""

from __future__ import annotations

from typing import Any

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
    Int8,
    Int16,
    Int32,
    Uint32,
)
from ._kinds import word
from ._numbers import _as, _narrow

__all__ = ["cvt_packfloat", "cvt_packfloat_f32"]

_HALVES = {"f16x2": Float16, "bf16x2": BFloat16}
_SMALL = {"e4m3x2": Float8E4M3FN, "e5m2x2": Float8E5M2, "e2m1x2": Float4E2M1FN,
          "e2m3x2": Float6E2M3FN, "e3m2x2": Float6E3M2FN, "ue8m0x2": Float8E8M0FNU}


def _type(kind: Any) -> Any:
    name = word("CVTPackFloat", str(kind.name).lower() if hasattr(kind, "name") else kind)
    found = (_HALVES | _SMALL).get(name)
    if found is None:
        known = ", ".join(_HALVES | _SMALL)
        raise ValueError(f"{name} is no pair of floats in a word; {known} are")
    return found


def _name(choice: Any) -> str | None:
    """Returns PTX's word for a way to round or to saturate, None for none."""
    name = str(getattr(choice, "name", choice)).lower()
    return None if choice is None or name == "none" else name


def _merged(low: Any, high: Any, dtype: Any, other: Any, extract_hi: Any, rnd: Any, sat: Any,
            relu: Any) -> Int32:
    """Returns a word with a pair in one half, or in its lowest byte for floats of 4 bits."""
    bits = Uint32(_narrow(low, high, dtype, _name(rnd), _name(sat), relu))
    if dtype in _HALVES.values():
        return Int32(bits)
    mask, shift = 0xFF if dtype is Float4E2M1FN else 0xFFFF, 16 if extract_hi else 0
    kept = Uint32(Int32(other)) & Uint32(0xFFFFFFFF ^ mask << shift)
    return Int32(kept | (bits & mask) << shift)


def cvt_packfloat_f32(
    src_a: Any, src_b: Any, src_c: Any, to: Any, *, rnd: Any = None, sat: Any = None,
    relu: bool | None = None, extract_hi: bool | None = None, loc: Any = None, ip: Any = None,
) -> Int32:
    """Returns ``src_c`` with two Float32 as small floats in its lower half, ``src_a`` above
    ``src_b``; pairs of 16 bits are the whole word.

    :param to: a CVTPackFloat
    :param rnd: an FPRoundingMode, RN by default and RZ for ue8m0x2
    :param extract_hi: the upper half instead
    :raises ValueError: for another kind

    For example::

        word = cvt_packfloat_f32(high, low, 0, CVTPackFloat.E4M3X2)
    """
    return _merged(Float32(src_b), Float32(src_a), _type(to), src_c, extract_hi, rnd, sat, relu)


def cvt_packfloat(
    src_a: Any, src_c: Any, from_: Any, to: Any, *, rnd: Any = None, sat: Any = None,
    relu: bool | None = None, extract_hi: bool | None = None, loc: Any = None, ip: Any = None,
) -> Int32:
    """Returns ``src_c`` with a pair of ``src_a`` as one of another kind; small floats are in
    the lower halves of both, with ``extract_hi`` in the upper ones.

    :raises ValueError: for a kind that is no pair
    """
    source, given = _type(from_), Uint32(Int32(src_a))
    if source in _HALVES.values():
        pair = _as(Int32(given), source)
    else:
        half = given >> 16 if extract_hi else given
        pair = _as((half & 0xFF).to(Int8) if source is Float4E2M1FN else half.to(Int16), source)
    low, high = (pair[i].to(Float32) for i in (0, 1))
    return _merged(low, high, _type(to), src_c, extract_hi, rnd, sat, relu)
