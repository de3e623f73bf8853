"""Python values of the dialect's values, and back.

Tuples of the dialect are Python's tuples of ints and of Int32 or Int64; a tile
is a tuple of layouts, ints and None. Everything else has its own class,
which ``register`` names. Such an object holds ``ir``: a ``_ir.Value``, or the
``_ir.Type`` of a static one.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Iterator

from .._compile import ir as _ir
from . import text as _text
from .numeric import Int32, Int64, Integer, Numeric

_TUPLES = ("int_tuple", "shape", "stride", "coord")
_classes: dict[str, Callable[[_ir.Operand], Any]] = {}


def register(*kinds: str) -> Callable[[type], type]:
    """Makes a class that of values of these kinds."""

    def add(cls: type) -> type:
        for kind in kinds:
            _classes[kind] = cls
        return cls

    return add


class IrObject:
    """An immutable object of one value of the dialect."""

    __slots__ = ("ir", "__weakref__")
    __cute_immutable__ = True

    def __init__(self, ir: _ir.Operand):
        self.ir = ir

    @property
    def type_text(self) -> str:
        """The text of the type."""
        return _ir.text_of(_ir.type_of(self.ir))

    @property
    def value(self) -> Any:
        """Itself: what operations by hand take."""
        return self

    @property
    def is_static(self) -> bool:
        """Returns whether the value is known from its type."""
        return not isinstance(self.ir, _ir.Value)

    def __extract_mlir_values__(self) -> list[Any]:
        return [self.ir] if isinstance(self.ir, _ir.Value) else []

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        return self.remade(values[0]) if values else self

    def remade(self, ir: _ir.Operand) -> Any:
        """Returns an object like this of another value."""
        return type(self)(ir)

    def __cute_signature__(self) -> Any:
        return self.type_text

    def __eq__(self, other: Any) -> Any:
        if type(self) is not type(other):
            return NotImplemented
        return self.ir == other.ir

    def __hash__(self) -> int:
        return hash(self.ir)


def ir_of(value: Any, wanted: str = "tensor") -> _ir.Operand:
    """Returns an operation's operand for an object.

    :raises TypeError: if it is not an object of the dialect
    """
    if not isinstance(value, IrObject):
        raise TypeError(f"expected a {wanted}, not {value!r}")
    return value.ir


# ---- Tuples -----------------------------------------------------------------


class Ratio:
    """A quotient of two integers, for the scale of a ScaledBasis.

    >>> Ratio(2, 4).reduced(), Ratio(1, 2) * 4, Ratio(1, 2).is_integral()
    (1/2, 4/2, False)

    :raises TypeError: if one of them is not an integer
    :raises ZeroDivisionError: if the denominator is 0
    """

    __slots__ = ("numerator", "denominator")

    def __init__(self, numerator: int, denominator: int):
        if not (isinstance(numerator, int) and isinstance(denominator, int)):
            raise TypeError(f"a Ratio has two integers, not {numerator!r} and {denominator!r}")
        if denominator == 0:
            raise ZeroDivisionError(f"a Ratio of {numerator} and 0")
        self.numerator, self.denominator = numerator, denominator

    def is_integral(self) -> bool:
        """Returns whether it is an integer."""
        return self.numerator % self.denominator == 0

    def reduced(self) -> Ratio:
        """Returns the same number without a common factor, its denominator positive."""
        common = math.gcd(self.numerator, self.denominator)
        common = -common if self.denominator < 0 else common
        return Ratio(self.numerator // common, self.denominator // common)

    def to(self, dtype: Any) -> Any:
        """Returns this for dtype Ratio, else the value as a float or, if it is one, an
        integer.

        :raises TypeError: for another type, or an int where it is not integral
        """
        if dtype is Ratio:
            return self
        if dtype is float:
            return self.numerator / self.denominator
        if dtype is int and self.is_integral():
            return self.numerator // self.denominator
        raise TypeError(f"{self} cannot become {dtype!r}")

    def __mul__(self, factor: Any) -> Ratio:
        other = factor if isinstance(factor, Ratio) else Ratio(factor, 1)
        return Ratio(self.numerator * other.numerator, self.denominator * other.denominator)

    __rmul__ = __mul__

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, (Ratio, int)):
            return NotImplemented
        other = other if isinstance(other, Ratio) else Ratio(other, 1)
        return self.numerator * other.denominator == other.numerator * self.denominator

    def __hash__(self) -> int:
        if self.is_integral():
            return hash(self.to(int))
        least = self.reduced()
        return hash((least.numerator, least.denominator))

    def __str__(self) -> str:
        return f"{self.numerator}/{self.denominator}"

    __repr__ = __str__


class ScaledBasis:
    """A unit of a mode times a number: ``value@mode`` in strides.

    ``mode`` is a number or the path to a mode within modes.

    >>> 2 * E(1), E([0, 1])
    (2@1, 1@1@0)
    """

    __slots__ = ("_value", "_mode")
    __cute_immutable__ = True

    def __init__(self, value: Any, mode: int | list[int]):
        if isinstance(mode, int):
            mode = [mode]
        if not isinstance(mode, (list, tuple)) or not all(
            isinstance(m, int) for m in mode
        ):
            raise TypeError(f"a mode is an int or a list of ints, not {mode!r}")
        self._value = value
        self._mode = list(mode)

    @property
    def value(self) -> Any:
        return self._value

    @property
    def mode(self) -> list[int]:
        return list(self._mode)

    def is_static(self) -> bool:
        """Returns whether the value is known now."""
        return isinstance(self._value, (int, Ratio))

    def to(self, dtype: Any) -> Any:
        """Returns this, for dtype ScaledBasis."""
        if dtype is ScaledBasis:
            return self
        raise TypeError(f"a ScaledBasis cannot become {dtype!r}")

    def __mul__(self, factor: Any) -> ScaledBasis:
        return ScaledBasis(self._value * factor, self._mode)

    __rmul__ = __mul__

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, ScaledBasis):
            return NotImplemented
        return self._mode == other._mode and self._value == other._value

    def __hash__(self) -> int:
        return hash((self._value, *self._mode))

    def __str__(self) -> str:
        return "@".join([show(self._value), *map(str, reversed(self._mode))])

    __repr__ = __str__


def E(mode: int | list[int]) -> ScaledBasis:  # noqa: N802
    """Returns the unit of a mode, ``1@mode``.

    >>> E(0), 2 * E(1), E([0, 1])
    (1@0, 2@1, 1@1@0)
    """
    if isinstance(mode, bool) or not isinstance(mode, (int, list, tuple)):
        raise TypeError(f"a mode is an int or a list of ints, not {mode!r}")
    return ScaledBasis(1, mode)


def show(value: Any) -> str:
    """Returns a tuple as the reference prints it: ``(4,(?,2))``.

    Layouts and other objects print as themselves.
    """
    if value is None:
        return "_"
    if isinstance(value, Numeric):
        return "?"
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(show(x) for x in value) + ")"
    return str(value)


def _leaf(value: Any, values: list[_ir.Value]) -> str:
    """Returns the text of a leaf; a dynamic one adds its value."""
    if value is None:
        return "_"
    if isinstance(value, bool):
        raise TypeError("a bool is not a number of a shape, stride or coordinate")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Ratio) and value.is_integral():
        return str(value.to(int))
    if isinstance(value, ScaledBasis):
        modes = "@".join(map(str, reversed(value.mode)))
        return f"{_leaf(value.value, values)}@{modes}"
    if not isinstance(value, Integer):
        raise TypeError(f"{value!r} is not an integer of a shape, stride or coordinate")
    if _ir.trace() is None and value.is_static:
        return str(int(value))
    trace = _ir.require("a tuple with dynamic integers")
    if value.width not in (32, 64):
        value = Int32(value)
    ssa = value.ir_value()
    values.append(ssa)
    return str(_text.Dynamic(value.width, trace.divisors.get(ssa, 1)))


def _text_of(tree: Any, values: list[_ir.Value]) -> str:
    if isinstance(tree, (tuple, list)):
        return "(" + ",".join(_text_of(x, values) for x in tree) + ")"
    if hasattr(tree, "_shape_like"):
        return _text_of(tree._shape_like(), values)
    return _leaf(tree, values)


def tuple_type(tree: Any, kind: str) -> _ir.Type:
    """Returns the type of a tree as a value of this kind."""
    return _ir.type(f'!cute.{kind}<"{_text_of(tree, [])}">')


def tuple_operand(tree: Any, kind: str) -> _ir.Operand:
    """Returns a tree as an operand of this kind: shape, stride, coord, int_tuple."""
    values: list[_ir.Value] = []
    made = _ir.type(f'!cute.{kind}<"{_text_of(tree, values)}">')
    if not values:
        return made
    return _ir.apply(f"make_{kind}", *values, results=[made])


def shape(tree: Any) -> _ir.Operand:
    return tuple_operand(tree, "shape")


def stride(tree: Any) -> _ir.Operand:
    return tuple_operand(tree, "stride")


def coord(tree: Any) -> _ir.Operand:
    return tuple_operand(tree, "coord")


def int_tuple(tree: Any) -> _ir.Operand:
    return tuple_operand(tree, "int_tuple")


def index(value: Any) -> _ir.Operand:
    """Returns an integer as an operand that wants a scalar, with its divisor if one is known."""
    if isinstance(value, Integer) and not value.is_static:
        ssa = value.ir_value()
        trace = _ir.require("an index")
        divisor = math.lcm(trace.divisors.get(ssa, 1), trace.factors.get(ssa, 1))
        if divisor == 1 or value.width not in (32, 64):
            return ssa if divisor == 1 else int_tuple(value)
        made = _ir.type(f'!cute.int_tuple<"{_text.Dynamic(value.width, divisor)}">')
        return _ir.apply("make_int_tuple", ssa, results=[made])
    return int_tuple(int(value) if isinstance(value, Integer) else value)


# ---- Tiles ------------------------------------------------------------------


def _tile_text(tile: Any, values: list[_ir.Value]) -> str:
    if isinstance(tile, (tuple, list)):
        return "[" + ";".join(_tile_text(x, values) for x in tile) + "]"
    if isinstance(tile, IrObject):
        if not tile.is_static:
            values += scalars(tile.ir)
        return _text.parameters(tile.type_text)[0]
    text = _leaf(tile, values)
    return text if text == "_" else f"{text}:1"


def tiler(tile: Any) -> _ir.Operand:
    """Returns a layout, an int, or a tuple of such and None, as a tiler."""
    if isinstance(tile, IrObject):
        return tile.ir
    if isinstance(tile, (int, Integer)):
        return shape(tile)
    return tile_operand(tile)


def tile_operand(tile: Any) -> _ir.Operand:
    """Returns a layout, an int, or a tuple of such and None, as a tile."""
    values: list[_ir.Value] = []
    made = _ir.type(f'!cute.tile<"{_tile_text(tile, values)}">')
    if not values:
        return made
    return _ir.apply("make_tile", *values, results=[made])


# ---- From the dialect -------------------------------------------------------


def scalars(operand: _ir.Operand) -> list[_ir.Value]:
    """Returns the dynamic integers of a value, left to right."""
    found = _ir.apply("get_scalars", operand, only_dynamic=True)
    return list(found) if isinstance(found, tuple) else [found]


def _integer(leaf: _text.Dynamic, value: _ir.Value) -> Numeric:
    if leaf.divisor != 1:
        _ir.require("a divisor").divisors[value] = leaf.divisor
    return Int64(value) if leaf.width == 64 else Int32(value)


def _filled(tree: Any, values: Iterator[_ir.Value]) -> Any:
    if isinstance(tree, _text.Basis):
        return ScaledBasis(_filled(tree.value, values), list(tree.mode))
    if isinstance(tree, _text.Dynamic):
        return _integer(tree, next(values))
    if isinstance(tree, tuple):
        return tuple(_filled(x, values) for x in tree)
    return tree


def _filled_tile(tile: Any, values: Iterator[_ir.Value]) -> Any:
    if isinstance(tile, _text.LayoutText):
        made = _filled(tile.shape, values)
        return _make_layout(made, _filled(tile.stride, values))
    if isinstance(tile, tuple):
        return tuple(_filled_tile(x, values) for x in tile)
    return _filled(tile, values)


def _make_layout(made_shape: Any, made_stride: Any) -> Any:
    if made_stride == 1 and not isinstance(made_shape, tuple):
        return made_shape
    return wrap(_ir.apply("make_layout", shape(made_shape), stride(made_stride)))


def wrap(operand: Any, like: Any = None) -> Any:
    """Returns the Python value of a value of the dialect.

    ``like`` is what it was made of, from which it takes what its type does not
    say.
    """
    if isinstance(operand, tuple):
        return tuple(wrap(x, like) for x in operand)
    handle = _ir.type_of(operand)
    kind = _ir.kind_of(handle)
    text = _ir.text_of(handle)
    if kind in _TUPLES or kind == "tile":
        inner = _text.parameters(text)[0]
        values = iter(scalars(operand) if "?" in inner else ())
        if kind == "tile":
            return _filled_tile(_text.read_tile(inner), values)
        return _filled(_text.read_tree(inner), values)
    if kind in _classes:
        made = _classes[kind](operand)
        if like is not None and hasattr(made, "take_after"):
            made.take_after(like)
        return made
    return Numeric.from_mlir_type(text)(operand) if kind == "foreign" else operand
