"""Parts of swizzled layouts as plain layouts from their first element on.

The index of an element of a part is S(o + x), where o is that of the part's first element
and x = outer(c). Where no bit of x meets another one in the swizzle, and o and x have no bit
in common, S(o + x) - S(o) is a sum with a term for each bit of x, whose sign is a bit of S(o):
a layout with strides that are known at run time (CuTe's ``make_swizzle_strides``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from . import layout_algebra as _algebra
from .layout import ComposedLayout, Layout, Swizzle


class Part(NamedTuple):
    """S(o + outer(c)) = start + layout(c)."""

    start: Any
    layout: Layout


def part_of(whole: ComposedLayout) -> Part | None:
    """Returns a swizzled layout from its first element on; None where it is not a plain layout:
    where bits of it meet in the swizzle, or its extents or strides are not powers of two."""
    swizzle, offset, outer = whole.inner, whole.offset, whole.outer
    if not isinstance(swizzle, Swizzle) or swizzle.num_shift <= 0 or _is_zero(offset):
        return None
    base, count, shift = swizzle.num_base, swizzle.num_bits, swizzle.num_shift
    low = ((1 << count) - 1) << base

    def is_plain(n: Any, d: Any) -> bool:
        """Returns whether a leaf lies outside the bits that the swizzle reads and changes."""
        return n == 1 or d % (1 << base + shift + count) == 0 or (n - 1) * d < 1 << base

    leaves = _leaves(outer.shape, outer.stride)
    if not all(isinstance(n, int) and isinstance(d, int) for n, d in leaves):
        return None
    leaves = [leaf for leaf in leaves if not is_plain(*leaf)]
    if not all(_is_power(n) and _is_power(d) for n, d in leaves):
        return None
    bits = sum((n - 1) * d for n, d in leaves)
    if (bits & low) & (bits >> shift):
        return None
    start = offset ^ ((offset & (low << shift)) >> shift)
    start = _algebra.assume(start, min(1 << base, getattr(offset, "divisibility", 1)))

    def stride(bit: int) -> Any:
        """Returns how far a bit of x leads."""
        other = bit if bit & low else (bit >> shift) & low
        if not other:
            return bit
        sign = start & other
        moved = other - sign - sign
        return _algebra.assume(moved if other == bit else bit + moved, other)

    def mode(n: int, d: int) -> tuple[Any, Any]:
        """Returns shape and stride of a leaf, whose bits in the swizzle are modes of their own."""
        if is_plain(n, d):
            return n, d
        parts: list[list[Any]] = []
        for bit in (d << i for i in range(n.bit_length() - 1)):
            is_outside = not (bit | bit >> shift) & low
            if parts and is_outside and parts[-1][2]:
                parts[-1][0] *= 2
            else:
                parts.append([2, stride(bit), is_outside])
        if len(parts) == 1:
            return parts[0][0], parts[0][1]
        return tuple(p[0] for p in parts), tuple(p[1] for p in parts)

    def rebuilt(shape: Any, strides: Any) -> tuple[Any, Any]:
        if not isinstance(shape, tuple):
            return mode(shape, strides)
        made = [rebuilt(n, d) for n, d in zip(shape, strides)]
        return tuple(m[0] for m in made), tuple(m[1] for m in made)

    shape, strides = rebuilt(outer.shape, outer.stride)
    return Part(start, _algebra.make_layout(shape, stride=strides))


def _is_zero(offset: Any) -> bool:
    return isinstance(offset, int) and offset == 0


def _is_power(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def _leaves(shape: Any, stride: Any) -> list[tuple[Any, Any]]:
    if isinstance(shape, tuple):
        return [leaf for n, d in zip(shape, stride) for leaf in _leaves(n, d)]
    return [(shape, stride)]
