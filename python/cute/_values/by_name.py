"""Functions that are made of a table, called by the names of their operands, too."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable


def by_name(names: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function whose first operands have names, where ``function`` has them by place;
    "a|b" is a name with another one that callers may use.

    >>> from cute._values.by_name import by_name
    >>> by_name("y x", lambda *operands, **options: operands)(1, x=2)
    (1, 2)
    """
    operands = [name.split("|") for name in names.split()]

    @functools.wraps(function)
    def called(*args: Any, **options: Any) -> Any:
        rest = [name for each in operands[len(args):] for name in each] if options else []
        args += tuple(options.pop(name) for name in rest if name in options)
        return function(*args, **options)

    kept = [p for p in inspect.signature(function).parameters.values()
            if p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD) or p.default is not p.empty]
    by_place = inspect.Parameter.POSITIONAL_OR_KEYWORD
    first = [inspect.Parameter(name, by_place) for name, *_ in operands]
    called.__signature__ = inspect.Signature(first + kept)  # type: ignore[attr-defined]
    return called
