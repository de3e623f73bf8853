"""Hovers over a program's names in editors: types, pictures and explanations of values.

A trace function sees what the user's functions assign while they are traced, since types are
known only then.
"""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
import sysconfig
from typing import Any, Iterator, NamedTuple

from . import ir as _ir

_LIBRARIES = tuple(sysconfig.get_path(name) + os.sep
                   for name in ("stdlib", "platstdlib", "purelib", "platlib"))
MOST = 8000  # characters of a picture; a larger one is left out


class _Place(NamedTuple):
    """The place of a name that a statement, of these lines, or a parameter gives a value."""

    line: int
    column: int
    first: int
    last: int


@functools.lru_cache(maxsize=None)
def _places(file: str) -> dict[str, list[_Place]]:
    found: dict[str, list[_Place]] = {}
    for statement in ast.walk(ast.parse("".join(linecache.getlines(file)))):
        if isinstance(statement, ast.stmt):
            body = getattr(statement, "body", None)
            last = body[0].lineno - 1 if body else statement.end_lineno
            for name, node in _names(statement):
                found.setdefault(name, []).append(_Place(
                    node.lineno, node.col_offset + 1, statement.lineno,
                    max(last or 0, statement.lineno)))
    return found


def _names(statement: ast.stmt) -> Iterator[tuple[str, Any]]:
    """The names that a statement itself assigns, without its body's."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for argument in ast.walk(statement.args):
            if isinstance(argument, ast.arg):
                yield argument.arg, argument
        return
    for field, value in ast.iter_fields(statement):
        if field in ("body", "orelse", "finalbody", "handlers"):
            continue
        for part in value if isinstance(value, list) else [value]:
            for node in ast.walk(part) if isinstance(part, ast.AST) else ():
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id, node


def _type_of(value: Any) -> str | None:
    """The type of a value of the dialect or of a number; None of anything else."""
    from .._values.numeric import Numeric
    from .._values.operands import IrObject
    from .._values.tensor_ssa import TensorSSA

    if isinstance(value, IrObject):
        return value.type_text
    if isinstance(value, TensorSSA):
        return str(value.type)
    return type(value).__name__ if isinstance(value, Numeric) else None


def _picture_of(value: Any) -> str | None:
    """The picture of a static layout, atom or tiled copy, without the lines between rows."""
    from .._values.pictures import Drawn, text_of

    if not isinstance(value, Drawn) or not value.is_static:
        return None
    try:
        picture = text_of(value)
    except ValueError:
        return None
    rows = [line for line in picture.splitlines() if not line.lstrip().startswith("+")]
    return "\n".join(rows) if len(picture) <= 2 * MOST else None


class Hovers:
    """Collects hovers while functions are traced."""

    def __init__(self) -> None:
        self.found: dict[Any, dict[str, Any]] = {}  # by place and type

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        sys.settrace(self._enter)

    def __exit__(self, *_: Any) -> None:
        sys.settrace(self._before)

    def _enter(self, frame: Any, event: str, argument: Any) -> Any:
        if not _ir.is_user(frame) or frame.f_code.co_filename.startswith(_LIBRARIES):
            return None
        seen: dict[str, Any] = {}
        self._look(frame, frame.f_code.co_firstlineno, seen)
        line = frame.f_lineno

        def follow(frame: Any, event: str, argument: Any) -> Any:
            nonlocal line
            self._look(frame, line, seen)
            line = frame.f_lineno
            return follow

        return follow

    def _look(self, frame: Any, line: int, seen: dict[str, Any]) -> None:
        """Takes the names that the line gave other values."""
        for name, value in frame.f_locals.items():
            if seen.get(name, seen) is value:
                continue
            seen[name] = value
            kind = _type_of(value)
            file = frame.f_code.co_filename
            at = next((place for place in _places(file).get(name, ())
                       if place.first <= line <= place.last), None)
            if kind and at and (file, at, kind) not in self.found:
                self.found[file, at, kind] = {
                    "file": file, "line": at.line, "column": at.column, "name": name,
                    "type": kind, "picture": _picture_of(value)}

    def explain(self, module: Any) -> None:
        """Adds how the operations of a traced module came to their results."""
        module.explain()
        for _, message, file, line, *_ in _ir.context().take_diagnostics():
            for (of, at, _), hover in self.found.items():
                if of == file and at.first <= line <= at.last:
                    hover.setdefault("explanation", message)

    def json(self) -> list[dict[str, Any]]:
        """The hovers in the order of the text, without what they have not."""
        shown = [{key: value for key, value in hover.items() if value}
                 for hover in self.found.values()]
        return sorted(shown, key=lambda hover: (hover["file"], hover["line"], hover["column"]))
