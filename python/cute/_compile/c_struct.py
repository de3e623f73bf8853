"""Where the members of C structs lie that programs pass by address."""

from __future__ import annotations

_SIZES = {"ptr": 8, "f32": 4, "f64": 8, "f16": 2, "bf16": 2, "i1": 1}


def _members(text: str) -> list[str]:
    """Returns the parts between the commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "<(") - (c in ">)")
        if c == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    return [*parts, text[start:].strip()] if text.strip() else []


def _laid_out(text: str, base: int) -> tuple[list[int], int, int]:
    """Returns the offsets of the scalars of a type, its end, and its alignment."""
    if not text.startswith("struct<"):
        bare = text.split("<")[0]
        size = _SIZES.get(bare) or int(bare[1:]) // 8
        base = -(-base // size) * size
        return [base], base + size, size
    inner = text[len("struct<") : -1]
    is_packed = inner.startswith("packed ")
    members = _members(inner.removeprefix("packed ")[1:-1])
    if is_packed:
        raise ValueError("structs without gaps cannot be passed")
    align = max([_laid_out(m, 0)[2] for m in members], default=1)
    base = -(-base // align) * align
    offsets: list[int] = []
    for member in members:
        more, base, _ = _laid_out(member, base)
        offsets += more
    return offsets, -(-base // align) * align, align


def offsets_of(text: str) -> list[int]:
    """Returns the offsets of the scalars that a type has in memory, in their order.

    :param text: ``!llvm.struct<(ptr, i32)>``; of any other type it is 0 alone
    """
    if not text.startswith("!llvm.struct<"):
        return [0]
    return _laid_out(text[len("!llvm.") :], 0)[0]
