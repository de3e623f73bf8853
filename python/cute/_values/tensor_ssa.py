"""Register tensors as values: a vector with a CuTe shape and a numeric type."""

from __future__ import annotations

import enum
import itertools
import operator
from typing import Any, Callable, Sequence

from . import arith as _arith
from .._frontend import builder as _builder
from .._compile import ir as _ir
from .._frontend.errors import StaticValueError
from .numeric import (
    Boolean,
    Float32,
    Integer,
    Int32,
    Numeric,
    NumericMeta,
    as_numeric,
    operand_type,
    as_element,
)
from .shapes import (
    Shape,
    broadcast_shape,
    kept_modes,
    leaves_of,
    nested_like,
    place_of,
    shape_text,
    size_of,
    static_shape,
)


class ReductionOp(enum.Enum):
    """How ``TensorSSA.reduce`` combines elements."""

    ADD = "add"
    MUL = "mul"
    MAX = "max"
    MIN = "min"


_REDUCTIONS: dict[Any, ReductionOp] = {
    operator.add: ReductionOp.ADD,
    operator.mul: ReductionOp.MUL,
    max: ReductionOp.MAX,
    min: ReductionOp.MIN,
    **{op: op for op in ReductionOp},
    **{op.value: op for op in ReductionOp},
}


class TensorSSA:
    """The elements of a thread's tensor as an immutable value.

    :param value: a vector of the elements, in colexicographic order
    :param shape: a static shape
    :param dtype: the numeric type of the elements; signed integers if it is left out
    :raises ValueError: if the shape is not static, or has another size
    """

    __slots__ = ("_value", "_shape", "_dtype")
    __cute_immutable__ = True
    __hash__ = object.__hash__

    def __init__(self, value: Any, shape: Shape, dtype: NumericMeta | None = None, *,
                 loc: Any = None, ip: Any = None):
        self._shape, self._value = static_shape(shape), value
        found = _builder.require("a vector").type_of(value)
        dtype = self._dtype = dtype or Float32.from_mlir_type(found.rpartition("x")[2][:-1])
        if found != _arith.type_text(dtype, size_of(self._shape)):
            raise ValueError(
                f"a value of type {found} does not hold {dtype} o {shape_text(self._shape)}"
            )

    @property
    def dtype(self) -> NumericMeta:
        return self._dtype

    element_type = dtype

    @property
    def shape(self) -> Shape:
        return self._shape

    @property
    def type(self) -> Any:
        """The vector's type in the IR."""
        return self._value.type

    @property
    def size(self) -> int:
        """The number of elements."""
        return size_of(self._shape)

    def ir_value(self, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the vector as an SSA value."""
        return self._value

    def __extract_mlir_values__(self) -> list[Any]:
        return [self._value]

    def __new_from_mlir_values__(self, values: list[Any]) -> TensorSSA:
        return TensorSSA(values[0], self._shape, self._dtype)

    def __cute_signature__(self) -> Any:
        return self._shape, self._dtype

    def __str__(self) -> str:
        vector = _arith.type_text(self._dtype, self.size)
        return f"tensor_value<{vector} o {self._shape}>"

    __repr__ = __str__

    def __bool__(self) -> bool:
        raise StaticValueError(
            "a vector has no truth value; use cute.any_(v) or cute.all_(v)"
        )

    # ---- Elements and shapes ----

    def numel(self) -> int:
        """Returns the number of elements."""
        return self.size

    def _places(self) -> list[tuple[int, ...]]:
        """Returns the coordinates of all elements, the last mode's neighbours side by side."""
        return list(itertools.product(*map(range, leaves_of(self._shape))))

    def to_elements(self, *, loc: Any = None, ip: Any = None) -> tuple[Numeric, ...]:
        """Returns the elements in row-major order."""
        return tuple(self[nested_like(self._shape, place)] for place in self._places())

    def flat(self) -> TensorSSA:
        """Returns the elements as a vector of one mode, in row-major order."""
        if sum(n > 1 for n in leaves_of(self._shape)) <= 1:
            return self.reshape(self.size)
        return vector_of(self.to_elements(), self._dtype)

    def _ranges(self, coord: tuple[Any, ...]) -> TensorSSA:
        """Returns the part at ranges of the modes."""
        extents = self._shape if isinstance(self._shape, tuple) else (self._shape,)
        if len(coord) != len(extents) or any(isinstance(n, tuple) for n in extents):
            raise IndexError(f"{coord} has no ranges of the modes {shape_text(self._shape)}")
        kept = [range(n)[c] if isinstance(c, slice) else [c] for c, n in zip(coord, extents)]
        shape = tuple(len(k) for k, c in zip(kept, coord) if isinstance(c, slice))
        places = itertools.product(*reversed(kept))
        elements = [self[nested_like(self._shape, place[::-1])] for place in places]
        return vector_of(elements, self._dtype).reshape(shape)

    def __getitem__(self, coord: Any, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns the element at a coordinate, or the part where it has None."""
        if isinstance(coord, list):
            coord = tuple(coord)
        if isinstance(coord, slice):
            coord = (coord,)
        if isinstance(coord, tuple) and any(isinstance(c, slice) for c in coord):
            return self if all(c == slice(None) for c in coord) else self._ranges(coord)
        shape = tuple(kept_modes(self._shape, coord))
        if any(isinstance(c, Numeric) and not c.is_static for c in leaves_of(coord)):
            if shape:
                raise StaticValueError(
                    "a part of a vector has a static place; for a dynamic one store "
                    "the vector to cute.make_rmem_tensor and slice that"
                )
            return self._element(coord)
        attributes = {"shape": shape_text(self._shape), "coord": shape_text(coord)}
        value = _ir.apply("slice_vector", self._value, **attributes)
        return TensorSSA(value, shape, self._dtype) if shape else self._dtype(value)

    def _element(self, coord: Any) -> Numeric:
        builder = _builder.require("an element of a vector")
        place = Int32(place_of(coord, self._shape)).ir_value()
        place = builder.op("arith.index_cast", [place], ["index"])[0]
        dynamic = {"static_position": "array<i64: -9223372036854775808>"}
        operands = [self._value, place]
        result = [self._dtype.ir_name]
        return self._dtype(builder.op("vector.extract", operands, result, dynamic)[0])

    def reshape(self, shape: Shape, *, loc: Any = None, ip: Any = None) -> TensorSSA:
        """Returns the same elements, in colexicographic order, in another shape."""
        if size_of(static_shape(shape)) != self.size:
            raise ValueError(
                f"{self.size} elements cannot have the shape {shape_text(shape)}"
            )
        return TensorSSA(self._value, shape, self._dtype)

    def broadcast_to(
        self, target_shape: Shape, *, loc: Any = None, ip: Any = None
    ) -> TensorSSA:
        """Returns the vector repeated along missing modes and modes of extent 1."""
        target = static_shape(target_shape)
        if target == self._shape:
            return self
        if broadcast_shape(self._shape, target) != target:
            raise ValueError(
                f"{shape_text(self._shape)} cannot be broadcast to {shape_text(target)}: each "
                "mode has extent 1 or that of the target"
            )
        source = self._shape if isinstance(self._shape, tuple) else (self._shape,)
        rank = len(target) if isinstance(target, tuple) else 1
        padded = source + (1,) * (rank - len(source))
        attributes = {"from": shape_text(padded), "to": shape_text(target)}
        value = _ir.apply("broadcast_vector", self._value, **attributes)
        return TensorSSA(value, target, self._dtype)

    def to(self, dtype: Any, *, loc: Any = None, ip: Any = None) -> TensorSSA:
        """Returns the elements converted to a numeric type."""
        if not isinstance(dtype, NumericMeta) or not dtype.width:
            raise TypeError(f"a vector is converted to a numeric type, not {dtype!r}")
        if dtype is self._dtype:
            return self
        value = _arith.convert(self._value, self._dtype, dtype, self.size)
        return TensorSSA(value, self._shape, dtype)

    def bitcast(self, dtype: NumericMeta, *, loc: Any = None, ip: Any = None) -> TensorSSA:
        """Returns the elements' bits as another type; if its width differs, neighbours
        become one element of a vector, or one becomes several.

        :raises TypeError: for wider elements that do not divide the vector
        """
        bits = self.size * self._dtype.width
        if bits % dtype.width:
            raise TypeError(f"{bits} bits of {self._dtype} are not a whole number of {dtype}")
        builder = _builder.require("a vector's bits")
        size = bits // dtype.width
        name = "arith.bitcast" if size == self.size else "vector.bitcast"
        value = builder.op(name, [self._value], [_arith.type_text(dtype, size)])[0]
        return TensorSSA(value, self._shape if size == self.size else size, dtype)

    # ---- Arithmetic ----

    def reduce(
        self,
        op: Any,
        init_val: Any = None,
        reduction_profile: Any = 0,
        *, loc: Any = None, ip: Any = None,
    ) -> Any:
        """Combines elements along the modes where the profile is not None.

        :param op: a ReductionOp or its name, or operator.add, operator.mul, max, min
        :param init_val: the number that all sums, products, ... begin with; the one
            that changes nothing if it is left out
        :param reduction_profile: None where a mode is kept; 0 for all of them
        :return: a TensorSSA of the kept modes, or a number if there are none
        """
        try:
            kind = _REDUCTIONS[op].value
        except (KeyError, TypeError):
            raise ValueError(f"{op!r} is not a reduction: use cute.ReductionOp") from None
        if init_val is None:
            init_val = self._neutral(kind)
        if not self._dtype.signed and kind in ("min", "max"):
            kind += "u"
        shape = tuple(kept_modes(self._shape, reduction_profile))
        value = _ir.apply(
            "reduce_vector",
            self._value,
            self._dtype(init_val).ir_value(),
            kind=kind,
            shape=shape_text(self._shape),
            profile=shape_text(reduction_profile),
        )
        return TensorSSA(value, shape, self._dtype) if shape else self._dtype(value)

    def _neutral(self, kind: str) -> Any:
        """Returns a number that reducing with changes nothing."""
        if kind in ("add", "mul"):
            return int(kind == "mul")
        return self._element(0)

    def apply_op(self, op: Any, other: Any, flip: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
        """Returns ``op(self, other)``, or ``op(other, self)`` with flip."""
        return op(other, self) if flip else op(self, other)

    def __neg__(self) -> TensorSSA:
        if not self._dtype.is_float:
            return zeros_like(self) - self
        value = _arith.unary("arith.negf", self._value, self._dtype, self.size)
        return TensorSSA(value, self._shape, self._dtype)

    def __pos__(self) -> TensorSSA:
        return self

    def __invert__(self) -> TensorSSA:
        if not issubclass(self._dtype, Integer):
            raise TypeError(f"'~' takes integers, not {self._dtype}")
        return self ^ full_like(self, True if self._dtype is Boolean else -1)

    def __abs__(self) -> TensorSSA:
        if not self._dtype.signed:
            return self
        name = "math.absf" if self._dtype.is_float else "math.absi"
        value = _arith.unary(name, self._value, self._dtype, self.size)
        return TensorSSA(value, self._shape, self._dtype)


def _operands(name: str, a: Any, b: Any) -> Any:
    """Returns both operands as vectors of one shape and type; a shift's has that of ``a``."""
    first, second = _typed(a), _typed(b)
    met = operand_type(name, first.dtype, second.dtype)
    dtype = first.dtype if name.endswith("shift") else met
    shapes = [x.shape for x in (first, second) if isinstance(x, TensorSSA)]
    shape = shapes[0] if len(shapes) == 1 else broadcast_shape(*shapes)
    return _spread(first.to(dtype), shape), _spread(second.to(dtype), shape), dtype


def _typed(x: Any) -> Any:
    return x if isinstance(x, TensorSSA) else as_numeric(x)


def _spread(x: Any, shape: Shape) -> TensorSSA:
    if isinstance(x, TensorSSA):
        return x.broadcast_to(shape)
    return full(shape, x, type(x))


def _apply(name: str, a: Any, b: Any) -> Any:
    """Computes ``a name b`` for elements, NotImplemented for what is not a number."""
    try:
        _typed(a), _typed(b)
    except TypeError:
        return NotImplemented
    if name == "pow":
        return _power(a, b)
    x, y, dtype = _operands(name, a, b)
    n = x.size
    if name in ("eq", "ne", "lt", "le", "gt", "ge"):
        value = _arith.compare(name, x.ir_value(), y.ir_value(), dtype, n)
        return TensorSSA(value, x.shape, Boolean)
    if isinstance(b, int) and dtype.is_integer and b > 0 and b & (b - 1) == 0:
        if name == "floordiv":
            name, y = "rshift", full(x.shape, b.bit_length() - 1, dtype)
        elif name == "mod":
            name, y = "and", full(x.shape, b - 1, dtype)
    write = _arith.shift if name.endswith("shift") and not isinstance(b, int) else _arith.binary
    return TensorSSA(write(name, x.ir_value(), y.ir_value(), dtype, n), x.shape, dtype)


def _power(a: Any, b: Any) -> TensorSSA:
    if isinstance(a, TensorSSA) and isinstance(b, (int, float)) and 0 < b <= 64 and b == int(b):
        return _power_by_squaring(_operands("mul", a, b)[0], int(b))
    x, y, dtype = _operands("mul", a, b)
    if not dtype.is_float:
        x, y, dtype = x.to(Float32), y.to(Float32), Float32
    builder = _builder.require("**")
    operands, result = [x.ir_value(), y.ir_value()], [_arith.type_text(dtype, x.size)]
    return TensorSSA(builder.op("math.powf", operands, result)[0], x.shape, dtype)


def _power_by_squaring(a: TensorSSA, n: int) -> TensorSSA:
    result = None
    while n:
        if n & 1:
            result = a if result is None else result * a
        n >>= 1
        a = a * a if n else a
    return result


def _forward(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: _apply(name, self, other)


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: _apply(name, other, self)


for _name in ("add sub mul truediv floordiv mod pow and or xor lshift rshift").split():
    setattr(TensorSSA, f"__{_name}__", _forward(_name))
    setattr(TensorSSA, f"__r{_name}__", _reflected(_name))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(TensorSSA, f"__{_name}__", _forward(_name))
del _name


# ---- Making and choosing ----------------------------------------------------


def vector_of(elements: Sequence[Any], dtype: NumericMeta) -> TensorSSA:
    """Returns the vector of numbers, of one mode."""
    from .tensor import make_rmem_tensor

    held = make_rmem_tensor(len(elements), dtype)
    for i, element in enumerate(elements):
        held[i] = element
    return held.load()


def full(
    shape: Shape,
    fill_value: Any,
    dtype: NumericMeta | None = None,
    *,
    loc: Any = None,
    ip: Any = None,
) -> TensorSSA:
    """Returns a vector of a shape and type, else the number's, with one number in all elements."""
    dtype = dtype or getattr(fill_value, "dtype", None) or type(as_numeric(fill_value))
    size = size_of(static_shape(shape))
    if isinstance(fill_value, TensorSSA):
        return fill_value.to(dtype).broadcast_to(shape)
    number = as_element(fill_value, dtype)
    if number.is_static:
        return TensorSSA(_arith.constant(number.value, dtype, size), shape, dtype)
    builder = _builder.require("a vector")
    result = [_arith.type_text(dtype, size)]
    value = builder.op("vector.broadcast", [number.ir_value()], result)[0]
    return TensorSSA(value, shape, dtype)


def _element_type(a: Any) -> NumericMeta:
    if not hasattr(a, "element_type"):
        raise TypeError(f"expected a vector or tensor, not {a!r}")
    return a.element_type


def full_like(
    a: Any,
    fill_value: Any,
    dtype: NumericMeta | None = None,
    *,
    loc: Any = None,
    ip: Any = None,
) -> TensorSSA:
    """Returns a vector like ``a`` with one number in all elements."""
    return full(a.shape, fill_value, dtype or _element_type(a))


def zeros_like(
    a: Any, dtype: NumericMeta | None = None, *, loc: Any = None, ip: Any = None
) -> TensorSSA:
    """Returns a vector like ``a`` of zeros."""
    return full_like(a, 0, dtype)


def ones_like(
    a: Any, dtype: NumericMeta | None = None, *, loc: Any = None, ip: Any = None
) -> TensorSSA:
    """Returns a vector like ``a`` of ones."""
    return full_like(a, 1, dtype)


def empty_like(
    a: Any, dtype: NumericMeta | None = None, *, loc: Any = None, ip: Any = None
) -> TensorSSA:
    """Returns a vector like ``a`` whose elements are undefined."""
    dtype = dtype or _element_type(a)
    size = size_of(static_shape(a.shape))
    builder = _builder.require("a vector")
    result, poison = [_arith.type_text(dtype, size)], {"value": "#ub.poison"}
    value = builder.op("ub.poison", [], result, poison)
    return TensorSSA(value[0], a.shape, dtype)


def where(cond: Any, x: Any, y: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns elements of ``x`` where ``cond`` is true, else of ``y``.

    ``x`` and ``y`` are vectors or numbers; they are converted to one type and shape.

    :raises ValueError: for a condition that is not a Boolean
    """
    if isinstance(cond, (Numeric, TensorSSA)) and cond.dtype is not Boolean:
        raise ValueError(f"a condition is Boolean, as x > 0 is, not {cond.dtype}")
    if not any(isinstance(v, TensorSSA) for v in (cond, x, y)):
        from .._frontend.control import ifexp

        return ifexp(cond, lambda: x, lambda: y, ("", 0, 0))
    first, second = _typed(x), _typed(y)
    dtype = operand_type("eq", first.dtype, second.dtype)
    vectors = [v.shape for v in (cond, x, y) if isinstance(v, TensorSSA)]
    shape = vectors[0]
    for other in vectors[1:]:
        shape = broadcast_shape(shape, other)
    a, b = _spread(first.to(dtype), shape), _spread(second.to(dtype), shape)
    bits = _spread(_typed(cond).to(Boolean), shape)
    value = _arith.select(bits.ir_value(), a.ir_value(), b.ir_value(), dtype, a.size)
    return TensorSSA(value, shape, dtype)


def any_(x: Any, *, loc: Any = None, ip: Any = None) -> Boolean:
    """Returns whether an element is not zero, of a vector or of a list of numbers."""
    return _all_bits(x, "or")


def all_(x: Any, *, loc: Any = None, ip: Any = None) -> Boolean:
    """Returns whether no element is zero, of a vector or of a list of numbers."""
    return _all_bits(x, "and")


def _all_bits(x: Any, kind: str) -> Boolean:
    vector = x if isinstance(x, TensorSSA) else vector_of([Boolean(n) for n in x], Boolean)
    operands, attributes = [vector.to(Boolean).ir_value()], {"kind": f"#vector.kind<{kind}>"}
    builder = _builder.require("a vector")
    return Boolean(builder.op("vector.reduction", operands, ["i1"], attributes)[0])
