"""Branches and loops that programs write by hand, as callables and blocks.

Python's own statements do the same: programs of before those could, and some that
choose what is compiled, have ``if_generate``, ``while_generate``, ``for_generate`` and
``yield_out``.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, Sequence

from . import builder as _builder
from .._values.numeric import Boolean, Int32, Numeric


def _operands(values: Any) -> list[Any]:
    if values is None:
        return []
    listed = list(values) if isinstance(values, (list, tuple)) else [values]
    return [v.ir_value() if hasattr(v, "ir_value") else v for v in listed]


def _like(value: Any, made: Any) -> Any:
    return type(value)(made) if isinstance(value, Numeric) else made


def if_generate(
    cond: Any,
    then_body: Callable[..., Any],
    else_body: Callable[..., Any] | None = None,
    input_args: Sequence[Any] | None = None,
    return_types: Sequence[Any] | None = None,
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """Runs one of two functions; returns their result, one value or a list.

    :param input_args: the arguments of both
    :param return_types: the numeric types of the results
    """
    builder = _builder.require("a dynamic if")
    types = list(return_types or ())
    bodies = [then_body, else_body or (lambda *args: None)]
    if types and else_body is None:
        raise ValueError("a branch that has results needs both bodies")
    regions = [builder.region() for _ in bodies]
    for region, body in zip(regions, bodies):
        with builder.inside(region):
            made = body(*(input_args or ()))
            builder.op("scf.yield", _operands(made) if types else [])
    results = builder.op(
        "scf.if", [Boolean(cond).ir_value()], [t.ir_name for t in types], {}, regions
    )
    values = [t(r) for t, r in zip(types, results)]
    return values[0] if len(values) == 1 else values or None


def yield_out(args: Any = None, *, loc: Any = None, ip: Any = None) -> None:
    """Ends the body of a loop with the values of the next iteration."""
    _builder.require("the end of a loop's body").op("scf.yield", _operands(args))


@contextlib.contextmanager
def while_generate(
    inputs: Sequence[Any],
    condition: Callable[..., Any],
    *,
    loc: Any = None,
    ip: Any = None,
) -> Iterator[tuple[Any, ...]]:
    """Opens a loop; its body gets the values, and ends with ``yield_out``.

    :param condition: tells for the values whether there is another iteration
    """
    builder = _builder.require("a dynamic while")
    start = _operands(inputs)
    types = [builder.type_of(v) for v in start]
    head, tail = builder.region(types), builder.region(types)
    with builder.inside(head):
        values = [_like(i, a) for i, a in zip(inputs, head.arguments)]
        choice = Boolean(condition(*values)).ir_value()
        builder.op("scf.condition", [choice, *head.arguments])
    with builder.inside(tail):
        yield tuple(_like(i, a) for i, a in zip(inputs, tail.arguments))
    builder.op("scf.while", start, types, {}, [head, tail])


def for_generate(
    start: Any,
    stop: Any = None,
    step: Any = None,
    iter_args: Sequence[Any] | None = None,
    *,
    loc: Any = None,
    ip: Any = None,
    **options: Any,
) -> Iterator[Any]:
    """Opens a loop: ``for i in for_generate(0, n)``, which ends with ``yield_out``.

    With ``iter_args`` it gives the number and the values of the iteration.
    """
    if stop is None:
        start, stop = 0, start
    builder = _builder.require("a dynamic for")
    bounds = [Int32(x).ir_value() for x in (start, stop, 1 if step is None else step)]
    given = list(iter_args or ())
    initial = _operands(given)
    types = [builder.type_of(v) for v in initial]
    body = builder.region(["i32", *types])
    with builder.inside(body):
        number, *values = body.arguments
        parts = [_like(g, v) for g, v in zip(given, values)]
        yield (Int32(number), *parts) if given else Int32(number)
    builder.op("scf.for", bounds + initial, types, {}, [body])
