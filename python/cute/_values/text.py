"""What the texts of the dialect's types say, as trees of Python values."""

from __future__ import annotations

import functools
import re
from typing import Any, NamedTuple


def mode_of(mode: int, shape: Any) -> int:
    """Returns the mode counted from the first one; -1 is the last.

    :raises IndexError: where the shape has no such mode
    """
    if not -len(shape) <= mode < len(shape):
        raise IndexError(f"there is no mode {mode}; the tensor has {len(shape)}")
    return mode % len(shape)


class Dynamic(NamedTuple):
    """A leaf that is known at run time: its width in bits and a known divisor."""

    width: int = 32
    divisor: int = 1

    def __str__(self) -> str:
        parts = ["i64"] * (self.width == 64)
        if self.divisor != 1:
            parts.append(f"div={self.divisor}")
        return "?{" + " ".join(parts) + "}" if parts else "?"


class Basis(NamedTuple):
    """A leaf ``value@mode``, the outermost mode first."""

    value: Any
    mode: tuple[int, ...]


class LayoutText(NamedTuple):
    """A layout of a tile: the trees of its shape and stride."""

    shape: Any
    stride: Any


_TOKEN = r"\s*(\?(?:\{[^}]*\})?|-?\d+|[_(),@;:\[\]])"


class _Reader:
    def __init__(self, text: str):
        self.tokens = re.findall(_TOKEN, text)
        self.place = 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def many(self, one: Any, end: str) -> tuple[Any, ...]:
        self.take()
        found = []
        while self.peek() != end:
            if self.peek() in ",;":
                self.take()
            found.append(one())
        self.take()
        return tuple(found)

    def tree(self) -> Any:
        if self.peek() == "(":
            return self.many(self.tree, ")")
        leaf = _leaf(self.take())
        mode: list[int] = []
        while self.peek() == "@":
            self.take()
            mode.insert(0, int(self.take()))
        return Basis(leaf, tuple(mode)) if mode else leaf

    def tile(self) -> Any:
        if self.peek() == "[":
            return self.many(self.tile, "]")
        shape = self.tree()
        if self.peek() != ":":
            return shape
        self.take()
        return LayoutText(shape, self.tree())


def _leaf(token: str) -> Any:
    if token == "_":
        return None
    if not token.startswith("?"):
        return int(token)
    divisor = re.search(r"div=(\d+)", token)
    width = 64 if "i64" in token else 32
    return Dynamic(width, int(divisor.group(1)) if divisor else 1)


@functools.lru_cache(4096)
def read_tree(text: str) -> Any:
    """Returns the tuples, ints, None for ``_``, Dynamic and Basis of a tuple."""
    return _Reader(text).tree()


@functools.lru_cache(1024)
def read_tile(text: str) -> Any:
    """Returns the tuples of LayoutText, ints and None of a tile."""
    return _Reader(text).tile()


@functools.lru_cache(4096)
def parameters(text: str) -> tuple[str, ...]:
    """Returns the parameters of a type's text, strings without their quotes."""
    inner = text[text.index("<") + 1 : -1]
    found, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(inner + ","):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "<(":
            depth += 1
        elif not quoted and c in ">)":
            depth -= 1
        elif c == "," and not quoted and depth == 0:
            found.append(inner[start:i].strip().strip('"'))
            start = i + 1
    return tuple(found)

