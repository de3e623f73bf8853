"""Replacements of Python's control flow, which rewritten functions call.

``rewrite`` puts calls of these functions in place of statements. A
construct gets its branches as functions without arguments that share the
variables of the user's function, and a ``State`` that reads and sets these.
"""

from __future__ import annotations

import builtins
import contextlib
from typing import Any, Callable

from . import builder as _builder
from .branches import (
    State,
    and_,
    assert_,
    chain,
    if_,
    ifexp,
    is_dynamic,
    not_,
    or_,
    static_bool,
    truth,
)
from .errors import StaticValueError
from .loops import LoopRange, for_, loop_range, range_constexpr, static_items, while_
from .._values.numeric import Boolean, Float32, Int32, Numeric, as_numeric, maximum, minimum
from .tree import Undefined

__all__ = [
    "LoopRange",
    "State",
    "and_",
    "assert_",
    "builtin",
    "chain",
    "const_expr",
    "dynamic_expr",
    "for_",
    "if_",
    "ifexp",
    "is_dynamic",
    "loop_range",
    "maximum",
    "minimum",
    "not_",
    "or_",
    "peek",
    "range_constexpr",
    "static_bool",
    "static_items",
    "truth",
    "while_",
]


def peek(read: Callable[[], tuple[Any, ...]], names: tuple[str, ...]) -> tuple[Any, ...]:
    """Returns the values of variables, Undefined of one that has none.

    :param read: ``lambda: (x, y)`` of these names
    """
    try:
        return read()
    except NameError:
        code, cells = read.__code__, read.__closure__ or ()
        values = {name: read.__globals__[name] for name in names if name in read.__globals__}
        for name, cell in zip(code.co_freevars, cells):
            values.pop(name, None)
            with contextlib.suppress(ValueError):  # of an empty cell
                values[name] = cell.cell_contents
        return tuple(
            values[name] if name in values
            else Undefined(f"'{name}' is used before it is assigned")
            for name in names
        )


def const_expr(expression: Any) -> Any:
    """Returns a static value, and rejects a dynamic one."""
    if is_dynamic(expression):
        raise StaticValueError(
            "const_expr needs a value that is known when the program is compiled, "
            "but this one is dynamic; leave const_expr out"
        )
    return expression.value if isinstance(expression, Numeric) else expression


def dynamic_expr(expression: Any) -> Any:
    """Returns a value that the program evaluates when it runs."""
    if _builder.current() is None or not isinstance(expression, (bool, int, float, Numeric)):
        return expression
    number = as_numeric(expression)
    return type(number)(number.ir_value())


def _any(items: Any) -> Any:
    return _fold_items(items, or_, False)


def _all(items: Any) -> Any:
    return _fold_items(items, and_, True)


def _fold_items(items: Any, function: Any, start: bool) -> Any:
    result: Any = start
    for item in items:
        result = function(("", 0, 0), result, lambda item=item: item)
    choice = truth(result)
    return choice


def _min(*args: Any, **kwargs: Any) -> Any:
    return _extremum(builtins.min, minimum, args, kwargs)


def _max(*args: Any, **kwargs: Any) -> Any:
    return _extremum(builtins.max, maximum, args, kwargs)


def _extremum(plain: Any, two: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    items = list(args[0]) if len(args) == 1 else list(args)
    if kwargs or not any(map(is_dynamic, items)):
        return plain(items, **kwargs)
    result = items[0]
    for item in items[1:]:
        result = two(result, item)
    return result


def _number(plain: type, dtype: Any) -> Callable[..., Any]:
    def convert(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and is_dynamic(args[0]):
            return dtype(args[0])
        return plain(*args, **kwargs)

    return convert


_BUILTINS = {
    builtins.any: _any,
    builtins.all: _all,
    builtins.min: _min,
    builtins.max: _max,
    builtins.bool: _number(bool, Boolean),
    builtins.int: _number(int, Int32),
    builtins.float: _number(float, Float32),
}


format_r, format_s, format_a = repr, str, ascii


def printf_arguments(*parts: Any) -> list[Any]:
    """Returns the arguments of printf for an f-string: a text, and the dynamic values.

    :param parts: texts, and pairs of a value and what follows its colon
    """
    text, values = "", []
    for part in parts:
        if isinstance(part, tuple) and is_dynamic(part[0]):
            text += f"{{:{part[1]}}}" if part[1] else "{}"
            values.append(part[0])
        else:
            shown = part if isinstance(part, str) else format(part[0], part[1])
            text += shown.replace("%", "%%").replace("{", "{{").replace("}", "}}")
    return [text, *values]


def builtin(function: Any) -> Any:
    """Returns the replacement of one of Python's functions."""
    try:
        return _BUILTINS.get(function, function)
    except TypeError:
        return function
