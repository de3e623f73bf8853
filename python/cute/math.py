"""Functions of numbers and vectors, element by element.

Numbers that are known are computed now. With ``fastmath`` the device may use
instructions that approximate; docs/vectors.md has the errors of both.
"""

from __future__ import annotations

import builtins
import enum
import functools
import math as _math
from typing import Any, Callable

from ._values import arith as _arith
from ._frontend import builder as _builder
from ._values.by_name import by_name
from ._values.numeric import Float32, Numeric, as_numeric, maximum, minimum, operand_type
from ._values.tensor_ssa import TensorSSA, broadcast_shape, full, where

__all__ = (
    "MathOperand RoundingMode abs absf absi acos acosh add asin asinh atan atan2 atanh cbrt ceil clamp "
    "copysign cos cosh div erf erfc exp exp2 expm1 floor fma fpowi ipowi isfinite isinf isnan isnormal "
    "log log10 log1p log2 max min mul neg pow rcp rem round roundeven rsqrt sin sincos sinh sqrt sub "
    "tan tanh trunc"
).split()


MathOperand = Any


class RoundingMode(enum.Enum):
    """How a result is rounded."""

    NEAREST_EVEN = "rn"
    ZERO = "rz"
    UP = "rp"
    DOWN = "rm"


def _meeting_type(operands: list[Any]) -> Any:
    """Returns the float type in which operands meet."""
    dtype = operands[0].dtype
    for other in operands[1:]:
        dtype = operand_type("add", dtype, other.dtype)
    return dtype if dtype.is_float else Float32


def _attributes(fastmath: bool) -> dict[str, str]:
    return {"fastmath": "#arith.fastmath<fast>"} if fastmath else {}


def _apply(name: str, operands: list[Any], fastmath: bool) -> Any:
    """Writes one operation on operands of one type and shape, of MLIR's math if its
    name says nothing else."""
    dtype = operands[0].dtype
    vector = isinstance(operands[0], TensorSSA)
    size = operands[0].size if vector else None
    builder = _builder.require(f"cute.math.{name}")
    values = [x.ir_value() for x in operands]
    types = [_arith.type_text(dtype, size)]
    name = name if "." in name else f"math.{name}"
    made = builder.op(name, values, types, _attributes(fastmath))[0]
    return TensorSSA(made, operands[0].shape, dtype) if vector else dtype(made)


def _compute(name: str, plain: Callable[..., float], args: Any, fastmath: bool) -> Any:
    operands = [x if isinstance(x, TensorSSA) else as_numeric(x) for x in args]
    dtype = _meeting_type(operands)
    if all(isinstance(x, Numeric) and x.is_static for x in operands):
        value = _static(plain, [float(x) for x in operands])
        return dtype(value) if any(isinstance(x, Numeric) for x in args) else value
    operands = [x.to(dtype) for x in operands]
    shapes = [x.shape for x in operands if isinstance(x, TensorSSA)]
    if shapes:
        shape = functools.reduce(broadcast_shape, shapes)
        operands = [
            x.broadcast_to(shape) if isinstance(x, TensorSSA) else full(shape, x, dtype)
            for x in operands
        ]
    return _apply(name, operands, fastmath)


def _static(plain: Callable[..., float], numbers: list[float]) -> float:
    try:
        return plain(*numbers)
    except ValueError:
        return _math.nan
    except (OverflowError, ZeroDivisionError):
        return _math.inf


def _log(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: -_math.inf if x == 0 else function(x)


def _exp2(x: float) -> float:
    return 2.0**x


def _whole(function: Callable[[float], Any]) -> Callable[[float], float]:
    return lambda x: float(function(x)) if _math.isfinite(x) else x


def _away(x: float) -> float:
    return _math.copysign(_math.floor(builtins.abs(x) + 0.5), x)


def _cbrt(x: float) -> float:
    root = _math.copysign(builtins.abs(x) ** (1 / 3), x)
    return root - (root * root * root - x) / (3 * root * root) if x and _math.isfinite(x) else x


def _log1p(x: float) -> float:
    return -_math.inf if x == -1 else _math.log1p(x)


def _rsqrt(x: float) -> float:
    return 1.0 / _math.sqrt(x)


# The operation, its computation on known numbers, its meaning, and an argument with its
# value.
_UNARY: dict[str, tuple[str, Callable[[float], float], str, float, float]] = {
    "exp": ("exp", _math.exp, "e to the power of x", 0.0, 1.0),
    "exp2": ("exp2", _exp2, "2 to the power of x", 3.0, 8.0),
    "log": ("log", _log(_math.log), "the natural logarithm", 1.0, 0.0),
    "log2": ("log2", _log(_math.log2), "the logarithm to base 2", 8.0, 3.0),
    "log10": ("log10", _log(_math.log10), "the logarithm to base 10", 100.0, 2.0),
    "sqrt": ("sqrt", _math.sqrt, "the square root", 9.0, 3.0),
    "rsqrt": ("rsqrt", _rsqrt, "1 / sqrt(x)", 4.0, 0.5),
    "sin": ("sin", _math.sin, "the sine", 0.0, 0.0),
    "cos": ("cos", _math.cos, "the cosine", 0.0, 1.0),
    "tan": ("tan", _math.tan, "the tangent", 0.0, 0.0),
    "asin": ("asin", _math.asin, "the arc sine", 0.0, 0.0),
    "acos": ("acos", _math.acos, "the arc cosine", 1.0, 0.0),
    "atan": ("atan", _math.atan, "the arc tangent", 0.0, 0.0),
    "sinh": ("sinh", _math.sinh, "the hyperbolic sine", 0.0, 0.0),
    "cosh": ("cosh", _math.cosh, "the hyperbolic cosine", 0.0, 1.0),
    "tanh": ("tanh", _math.tanh, "the hyperbolic tangent", 0.0, 0.0),
    "asinh": ("asinh", _math.asinh, "the inverse hyperbolic sine", 0.0, 0.0),
    "acosh": ("acosh", _math.acosh, "the inverse hyperbolic cosine", 1.0, 0.0),
    "atanh": ("atanh", _math.atanh, "the inverse hyperbolic tangent", 0.0, 0.0),
    "cbrt": ("cbrt", _cbrt, "the cube root", 27.0, 3.0),
    "expm1": ("expm1", _math.expm1, "e to the power of x, minus 1", 0.0, 0.0),
    "log1p": ("log1p", _log1p, "the natural logarithm of 1 + x", 0.0, 0.0),
    "erf": ("erf", _math.erf, "the error function", 0.0, 0.0),
    "erfc": ("erfc", _math.erfc, "1 - erf(x)", 0.0, 1.0),
    "floor": ("floor", _whole(_math.floor), "the next integer below", -2.5, -3.0),
    "ceil": ("ceil", _whole(_math.ceil), "the next integer above", -2.5, -2.0),
    "trunc": ("trunc", _whole(_math.trunc), "the integer towards zero", -2.5, -2.0),
    "roundeven": ("roundeven", _whole(builtins.round), "the nearest integer, ties to even", 2.5, 2.0),
    "round": ("round", _whole(_away), "the nearest integer, ties away from zero", 2.5, 3.0),
}
_BINARY: dict[str, tuple[str, Callable[..., float], str, str]] = {
    "atan2": ("atan2", _math.atan2, "y x", "the angle of the point (x, y)"),
    "copysign": ("copysign", _math.copysign, "mag sign", "mag with the sign of sign"),
    "pow": ("powf", _math.pow, "base exponent", "base to the power of exponent"),
}


def _to_nearest(name: str, rounding: RoundingMode | None) -> None:
    if rounding not in (None, RoundingMode.NEAREST_EVEN):
        raise NotImplementedError(f"{name} rounds to the nearest, not by {rounding}")


def _unary(op: str, plain: Any, what: str, given: float, value: float) -> Callable[..., Any]:
    def function(
        x: Any,
        fastmath: bool = False,
        approx: bool = False,
        ftz: bool = False,
        rounding: RoundingMode | None = None,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        _to_nearest(op, rounding)
        return _compute(op, plain, (x,), fastmath or approx)

    function.__doc__ = (
        f"Returns {what}, of a number or of each element of a vector.\n\n"
        f">>> cute.math.{{}}(Float32({given}))\n{value}\n"
    )
    return function


def _binary(op: str, plain: Any, names: str, what: str) -> Callable[..., Any]:
    def function(
        a: Any, b: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None
    ) -> Any:
        return _compute(op, plain, (a, b), fastmath)

    function.__doc__ = f"Returns {what}, of numbers or of elements of vectors."
    return by_name(names, function)


for _name, _row in _UNARY.items():
    globals()[_name] = _unary(*_row)
    globals()[_name].__name__ = _name
    globals()[_name].__doc__ = globals()[_name].__doc__.format(_name)
for _name, _row in _BINARY.items():
    globals()[_name] = _binary(*_row)
    globals()[_name].__name__ = _name
del _name, _row


def _number(x: Any) -> Any:
    return x if isinstance(x, TensorSSA) else as_numeric(x)


def _extremum(op: str, plain: Any, a: Any, b: Any, fastmath: bool) -> Any:
    """Computes the larger or the smaller of two; NaN is neither."""
    x, y = _number(a), _number(b)
    if x.dtype.is_float or y.dtype.is_float:
        return _compute(op, plain, (a, b), fastmath)
    is_max = op.startswith("arith.max")
    if isinstance(x, TensorSSA) or isinstance(y, TensorSSA):
        return where(x > y, x, y) if is_max else where(x < y, x, y)
    return maximum(a, b) if is_max else minimum(a, b)


def _max(a: float, b: float) -> float:
    return a if b != b or a > b else b


def _min(a: float, b: float) -> float:
    return a if b != b or a < b else b


def _of_nan(plain: Callable[..., float]) -> Callable[..., float]:
    return lambda a, b: _math.nan if a != a or b != b else plain(a, b)


def max(  # noqa: A001
    x: Any, y: Any, propagate_nan: bool = False, ftz: bool = False, *, fastmath: bool = False,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the larger, of numbers or of elements of vectors; NaN is not, unless it is to
    propagate.

    >>> cute.math.max(Int32(3), 5)
    5
    """
    if propagate_nan:
        return _extremum("arith.maximumf", _of_nan(_max), x, y, fastmath)
    return _extremum("arith.maxnumf", _max, x, y, fastmath)


def min(  # noqa: A001
    x: Any, y: Any, propagate_nan: bool = False, ftz: bool = False, *, fastmath: bool = False,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the smaller, of numbers or of elements of vectors; NaN is not, unless it is to
    propagate.

    >>> cute.math.min(Float32(3.0), float("nan"))
    3.0
    """
    if propagate_nan:
        return _extremum("arith.minimumf", _of_nan(_min), x, y, fastmath)
    return _extremum("arith.minnumf", _min, x, y, fastmath)


def fma(
    a: Any, b: Any, c: Any, fastmath: bool = False, rounding: RoundingMode | None = None,
    ftz: bool = False, *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns a * b + c with one rounding.

    >>> cute.math.fma(Float32(2.0), 3.0, 4.0)
    10.0
    """
    _to_nearest("fma", rounding)
    return _compute("fma", _exact_fma, (a, b, c), fastmath)


def _exact_fma(a: float, b: float, c: float) -> float:
    from fractions import Fraction

    if not all(map(_math.isfinite, (a, b, c))):
        return a * b + c
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def _part(name: str, a: Any) -> Any:
    """Writes an operation of MLIR with one operand of a type that it takes."""
    vector = isinstance(a, TensorSSA)
    made = _arith.unary(name, a.ir_value(), a.dtype, a.size if vector else None)
    return TensorSSA(made, a.shape, a.dtype) if vector else a.dtype(made)


def abs(  # noqa: A001
    x: Any, fastmath: bool = False, ftz: bool = False, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the absolute value, of a number or of each element of a vector."""
    if isinstance(x, (int, float)):
        return builtins.abs(x)
    number = _number(x)
    if isinstance(number, Numeric) and number.is_static:
        return number.dtype(builtins.abs(number.value))
    if number.dtype.is_float:
        return _part("math.absf", number)
    return _part("math.absi", number) if number.dtype.signed else number


def absf(
    x: Any, fastmath: bool = False, ftz: bool = False, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the absolute value of a float, or of each element of a vector."""
    if not isinstance(x, float) and not _number(x).dtype.is_float:
        raise TypeError(f"absf takes floats, not {_number(x).dtype}")
    return abs(x)


def absi(x: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the absolute value of an integer, or of each element of a vector."""
    if not isinstance(x, int) and _number(x).dtype.is_float:
        raise TypeError(f"absi takes integers, not {_number(x).dtype}")
    return abs(x)


def neg(x: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns -x, of a number or of each element of a vector."""
    return -x


def rcp(
    x: Any,
    fastmath: bool = False,
    approx: bool = False,
    rounding: RoundingMode | None = None,
    ftz: bool = False,
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns 1 / x, of a number or of each element of a vector.

    :param approx: the device's instruction may be used, within 1 ulp, for Float32 on
        the device; ``fastmath`` allows it, too
    :raises NotImplementedError: for a rounding other than to the nearest
    """
    _to_nearest("rcp", rounding)
    if not isinstance(x, TensorSSA) and (approx or fastmath):
        from ._compile import ir as _ir
        from .arch import rcp_approx

        number, trace = as_numeric(x), _ir.trace()
        on_device = trace is not None and trace.kernel is not None
        if not number.is_static and type(number) is Float32 and on_device:
            return rcp_approx(number)
    return 1.0 / x


def clamp(
    x: Any, lo: Any, hi: Any, fastmath: bool = False, propagate_nan: bool = False,
    ftz: bool = False, *, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the number from ``lo`` to ``hi`` that is nearest to x."""
    return min(max(x, lo, fastmath, propagate_nan), hi, fastmath, propagate_nan)


def rem(x: Any, y: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the remainder of x / y that has the sign of x, as C does."""
    whole = all(not isinstance(v, float) and not _number(v).dtype.is_float for v in (x, y))
    if not whole:
        return _compute("arith.remf", _math.fmod, (x, y), fastmath)
    size = abs(x) % abs(y)
    return where(x < 0, -size, size)


def sincos(x: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None) -> tuple[Any, Any]:
    """Returns the sine and the cosine."""
    return globals()["sin"](x, fastmath), globals()["cos"](x, fastmath)


def isnan(x: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether a number, or each element of a vector, is not a number."""
    number = _number(x)
    return number != number


def isinf(x: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether a number, or each element of a vector, is infinite."""
    return abs(_number(x)) == _math.inf


def isfinite(x: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether a number, or each element of a vector, is finite."""
    return abs(_number(x)) < _math.inf


def isnormal(x: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns whether a number, or each element of a vector, is finite and not less than the
    least number with all digits of its type."""
    number = _number(x)
    least = 2.0 ** number.dtype.format.lowest
    return (abs(number) >= least) & isfinite(number)


def _arithmetic(name: str, sign: str, apply: Any) -> Any:
    def function(
        x: Any, y: Any, fastmath: bool = False, approx: bool = False, ftz: bool = False,
        full: bool = False, rounding: RoundingMode | None = None, *, loc: Any = None,
        ip: Any = None,
    ) -> Any:
        _to_nearest(name, rounding)
        return apply(x, y)

    def rounded(
        x: Any, y: Any, fastmath: bool = False, rounding: RoundingMode | None = None,
        ftz: bool = False, *, approx: bool = False, full: bool = False, loc: Any = None,
        ip: Any = None,
    ) -> Any:
        return function(x, y, fastmath, rounding=rounding)

    made = rounded if name in ("add", "mul") else function
    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"""Returns x {sign} y, of numbers or of each element of vectors.

    :raises NotImplementedError: for a rounding other than to the nearest
    """
    return made


add = _arithmetic("add", "+", lambda x, y: x + y)
sub = _arithmetic("sub", "-", lambda x, y: x - y)
mul = _arithmetic("mul", "*", lambda x, y: x * y)
div = _arithmetic("div", "/", lambda x, y: x / y)


def fpowi(
    base: Any, exponent: Any, fastmath: bool = False, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a float to the power of an integer."""
    return base**exponent


def ipowi(base: Any, exponent: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns an integer to the power of an integer."""
    return base**exponent
