"""Layouts, composed layouts and swizzles.

A static one is its type, so that it is made, compared and printed without a
program under construction.
"""

from __future__ import annotations

from typing import Any, Callable

from .. import _bridge
from .._compile import ir as _ir
from . import text as _text, operands as _values
from .pictures import Drawn
from .operands import IrObject, register, wrap

__all__ = (
    "ComposedLayout Layout Swizzle make_swizzle"
).split()


class TypeOf:
    """The type of a value, which prints as the reference prints it."""

    __slots__ = ("_text",)

    def __init__(self, text: str):
        self._text = text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def __eq__(self, other: Any) -> bool:
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(self._text)


class _Function(Drawn, IrObject):
    """What layouts and composed layouts share: a function of coordinates."""

    __slots__ = ()

    def expression(self) -> str:
        return str(self)

    @property
    def type(self) -> TypeOf:
        """The type, ``!cute.layout<"...">``."""
        return TypeOf(self.type_text)

    @property
    def shape(self) -> Any:
        """The extents, a tree of ints and Int32."""
        return wrap(_ir.apply("get_shape", self.ir))

    @property
    def max_alignment(self) -> int:
        """The widest vector, in elements: how many neighbours each run of indices
        has at least, and begins at a multiple of."""
        layout = _text.parameters(self.type_text)[0]
        return int(_bridge.calculate(f"max_alignment({layout})"))

    def __call__(self, coord: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the index at a coordinate, or for scaled bases a coordinate."""
        return wrap(_ir.apply("layout_eval", _values.coord(coord), self.ir))

    def __getitem__(self, mode: int) -> Any:
        """Returns a mode, a layout."""
        if not isinstance(mode, int):
            raise TypeError(f"a mode is an int, not {mode!r}")
        if mode < 0:
            mode += len(self)
        if not 0 <= mode < len(self):
            raise IndexError(f"{self} has no mode {mode}")
        return wrap(_ir.apply("get", self.ir, mode=[mode]))

    def __len__(self) -> int:
        shape = self._shape_tree()
        return len(shape) if isinstance(shape, tuple) else 1

    def _shape_tree(self) -> Any:
        made = _ir.infer("get_shape", [_ir.type_of(self.ir)], {})[0]
        return _text.read_tree(_text.parameters(_ir.text_of(made))[0])

    def __str__(self) -> str:
        return _text.parameters(self.type_text)[0]

    def __repr__(self) -> str:
        return str(self)


def _coordinates(index: Any, shape: Any, stride: Any) -> Any:
    """Returns (index / stride) mod shape, leaf by leaf."""
    if isinstance(shape, tuple):
        return tuple(_coordinates(index, n, d) for n, d in zip(shape, stride))
    if isinstance(shape, int) and shape == 1 or isinstance(stride, int) and stride == 0:
        return 0
    return (index // stride) % shape


def _number(coord: Any, shape: Any) -> tuple[Any, Any]:
    """Returns the number of a coordinate, the first mode fastest, and of all."""
    if not isinstance(shape, tuple):
        return coord, shape
    total, step = 0, 1
    for c, n in zip(coord, shape):
        number, count = _number(c, n)
        total, step = total + number * step, step * count
    return total, step


@register("layout")
class Layout(_Function):
    """A function from coordinates to indices, ``shape:stride``.

    >>> a = make_layout((4, (2, 3)), stride=(6, (3, 1)))
    >>> a((1, (0, 2))), a(9), a.shape, a.stride
    (8, 7, (4, (2, 3)), (6, (3, 1)))
    """

    __slots__ = ()

    @property
    def stride(self) -> Any:
        """What a step in each mode adds, a tree like the shape."""
        return wrap(_ir.apply("get_stride", self.ir))

    @property
    def inner(self) -> Swizzle:
        """The swizzle with no bits, which makes it a composed layout."""
        return Swizzle(0, 4, 3)

    @property
    def outer(self) -> Layout:
        """The layout itself, as for a part of a composed one."""
        return self

    @property
    def offset(self) -> int:
        """The offset of a composed layout, 0."""
        return 0

    def get_hier_coord(self, idx: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the coordinate, like the shape, whose index this is."""
        return _coordinates(idx, self.shape, self.stride)

    def get_flat_coord(self, idx: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the coordinate whose index this is, one number for each mode."""
        found = self.get_hier_coord(idx)
        if not isinstance(found, tuple):
            return found
        return tuple(_number(c, n)[0] for c, n in zip(found, self.shape))

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, Layout):
            return NotImplemented
        if self.is_static and other.is_static:
            return self.type_text == other.type_text
        return wrap(_ir.apply("equal", self.ir, other.ir))

    __hash__ = IrObject.__hash__



@register("composed_layout")
class ComposedLayout(_Function):
    """inner o offset o outer: R(c) = inner(offset + outer(c))."""

    __slots__ = ()

    @property
    def inner(self) -> Any:
        return wrap(_ir.apply("composed_get_inner", self.ir))

    @property
    def offset(self) -> Any:
        return wrap(_ir.apply("composed_get_offset", self.ir))

    @property
    def outer(self) -> Any:
        return wrap(_ir.apply("composed_get_outer", self.ir))


class FunctionLayout:
    """inner o offset o outer with a Python function as the inner part."""

    __cute_immutable__ = True

    def __init__(self, inner: Callable[[Any], Any], offset: Any, outer: Layout):
        self.inner = inner
        self.offset = offset
        self.outer = outer

    @property
    def shape(self) -> Any:
        return self.outer.shape

    def __call__(self, coord: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns inner(offset + outer(coord))."""
        index = self.outer(coord)
        if isinstance(index, tuple):
            index = tuple(a + b for a, b in zip(self.offset, index))
        else:
            index = self.offset + index
        return self.inner(index)

    def __str__(self) -> str:
        return f"({self.inner} o {self.offset} o {self.outer})"

    __repr__ = __str__


@register("swizzle")
class Swizzle(Drawn, IrObject):
    """S<bits,base,shift>: xors bits of an index into lower or higher ones.

    ``Swizzle(3, 4, 3)`` has these bits, base and shift.

    >>> s = make_swizzle(3, 4, 3)
    >>> s.num_bits, s.num_base, s.num_shift
    (3, 4, 3)
    """

    __slots__ = ()

    def __init__(self, *numbers: Any):
        if len(numbers) == 3:
            super().__init__(_ir.type(f'!cute.swizzle<"S<{",".join(map(str, numbers))}>">'))
        else:
            super().__init__(*numbers)

    @classmethod
    def from_name(cls, name: str) -> Swizzle:
        """Returns TMA's swizzle of bytes for rows of 128, 64 or 32 bytes.

        >>> Swizzle.from_name("s128b")
        S<3,4,3>

        :raises ValueError: for a name other than none, s32b, s64b and s128b
        """
        names = ("none", "s32b", "s64b", "s128b")
        if name not in names:
            raise ValueError(f"a swizzle is one of {', '.join(names)}, not {name!r}")
        return cls(names.index(name), 4, 3)

    def _numbers(self) -> tuple[int, ...]:
        text = _text.parameters(self.type_text)[0]
        return tuple(int(n) for n in text[2:-1].split(","))

    @property
    def type(self) -> TypeOf:
        return TypeOf(self.type_text)

    @property
    def num_bits(self) -> int:
        return self._numbers()[0]

    @property
    def num_base(self) -> int:
        return self._numbers()[1]

    @property
    def num_shift(self) -> int:
        return self._numbers()[2]

    def __str__(self) -> str:
        return _text.parameters(self.type_text)[0]

    __repr__ = __str__


def make_swizzle(b: int, m: int, s: int, *, loc: Any = None, ip: Any = None) -> Swizzle:
    """Returns the swizzle of ``b`` bits with base ``m`` and shift ``s``.

    >>> make_swizzle(3, 4, 3)
    S<3,4,3>
    """
    return Swizzle(_ir.type(f'!cute.swizzle<"S<{b},{m},{s}>">'))
