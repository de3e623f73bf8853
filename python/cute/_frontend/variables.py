"""The variables of traced functions that are still needed, found by their frames."""

from __future__ import annotations

import ast
import os
import sys
import types
from typing import Any, Iterator, NamedTuple

from .liveness import Liveness, effects, names_read
from .source import source_of_code
from .tracebacks import is_part, variables

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_CONSTRUCTS = ("if_", "for_", "while_", "_write_while")


class _Statement(NamedTuple):
    """A statement's lines; the names alive after it, or where the next iteration begins; what it
    reads, and what it assigns: ("x",) or ("x", "a") for ``x.a``."""

    kind: type
    first: int
    last: int
    after: set[str]
    start: set[str]
    reads: set[str]
    assigned: frozenset[tuple[str, ...]]


class _Lines(NamedTuple):
    """The statements of a function, by their lines."""

    first: int
    last: int
    statements: list[_Statement]

    def at(self, line: int) -> _Statement | None:
        """Returns the innermost statement at a line."""
        found = [s for s in self.statements if s.first <= line <= s.last]
        return max(found, key=lambda s: (s.first, -s.last), default=None)

    def in_branch(self, start: int, line: int) -> set[str]:
        """Returns what the rest of the branch that starts at a line reads after another line, with
        the loops around that."""
        branches = [s for s in self.statements if s.kind is ast.If and s.first == start]
        branch = max(branches, key=lambda s: s.last, default=None) or self
        inner = [s for s in self.statements if branch.first < s.first and s.last <= branch.last]
        loops = [s.first for s in inner if s.kind in _LOOPS and s.first < line <= s.last]
        return set().union(*(s.reads for s in inner if s.first > min([line, *loops])))


_LOOPS = (ast.For, ast.While)
_functions: dict[str, dict[int, _Lines]] = {}


def note_function(file: str, node: ast.FunctionDef, live: Liveness) -> _Lines:
    """Keeps which names are alive in a function, before it is rewritten."""
    statements = []
    for part, after in live.after.items():
        stored = frozenset() if isinstance(part, (ast.If, *_LOOPS)) else frozenset(
            {(name,) for name in effects(part).assigns}
            | {path for path in effects(part).stores if len(path) == 2})
        start = after | live.start.get(part, after)
        statements.append(_Statement(type(part), part.lineno, part.end_lineno, after, start,
                                     names_read(part), stored))
    lines = _Lines(node.lineno, node.end_lineno or node.lineno, statements)
    _functions.setdefault(file, {})[node.lineno] = lines
    return lines


def _lines_at(file: str, line: int) -> _Lines | None:
    """Returns the innermost function that was kept at a line."""
    found = [x for x in _functions.get(file, {}).values() if x.first <= line <= x.last]
    return max(found, key=lambda x: x.first, default=None)


class Variable(NamedTuple):
    """A variable that is needed later. ``replaced`` is its attribute that is about to be
    another object; ``is_read`` tells whether the construct that runs reads it; ``caller`` is
    the function that has it, "" for the innermost one."""

    name: str
    value: Any
    replaced: str
    is_read: bool
    caller: str

    @property
    def title(self) -> str:
        """The name in quotes, with the function's if that is another one."""
        return f"'{self.name}' of '{self.caller}'" if self.caller else f"'{self.name}'"


class _At(NamedTuple):
    """Where a function is: its frame, or that of a part of it; whether a construct runs there;
    and the line of the outermost dynamic branch that it is in, 0 if it is in none."""

    frame: types.FrameType
    construct: bool
    branch: int


def _functions_in_use() -> Iterator[_At]:
    """Yields where the user's functions are that are being traced, from within."""
    frame: types.FrameType | None = sys._getframe(1)
    inner: types.FrameType | None = None
    construct, branch, is_branch = False, 0, False
    starts_inside = False
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            branch = frame.f_lineno if is_branch else branch
            if inner is None:
                inner, starts_inside = frame, construct
            if not is_part(code):
                yield _At(inner, starts_inside, branch)
                inner, branch = None, 0
            construct, is_branch = False, False
        elif code.co_name == "trace_function":
            return
        elif "_frontend" in code.co_filename:
            construct = construct or code.co_name in _CONSTRUCTS
            is_branch = is_branch or code.co_name == "if_" and "builder" in frame.f_locals
        frame = frame.f_back


def needed(at_start: bool = False) -> Iterator[Variable]:
    """Yields the variables of the functions that are being traced, from within, that are needed
    after what they are at; ``at_start`` counts the next iteration of the innermost one's loop.

    Of a caller that is in a branch, what the branch reads counts: after it there are often the
    parts of other warps, which read the same variables, and which this one does not come to."""
    places = list(_functions_in_use())
    known = [_lines_at(at.frame.f_code.co_filename, at.frame.f_lineno) for at in places]
    while known and known[-1] is None:
        known.pop()
    for i, (at, lines) in enumerate(zip(places, known)):
        yield from _needed_in(at, lines, at_start and i == 0, i > 0)


def _needed_in(at: _At, lines: _Lines | None, at_start: bool, is_caller: bool
               ) -> Iterator[Variable]:
    file, line = at.frame.f_code.co_filename, at.frame.f_lineno
    if lines is None:
        node = source_of_code(at.frame.f_code, at.frame.f_globals)
        lines = note_function(file, node, Liveness(node)) if node is not None else None
    statement = lines.at(line) if lines else None
    if lines is None or statement is None:
        return
    names = statement.start if at_start else statement.after
    if not at.construct and statement.kind not in (ast.Assign, ast.AnnAssign, ast.Return):
        names = names | statement.reads
    names = names & lines.in_branch(at.branch, line) if is_caller and at.branch else names
    replaced = {path[0]: path[1] for path in statement.assigned if len(path) == 2}
    whole = set() if at.construct else {path[0] for path in statement.assigned if len(path) == 1}
    values = variables(at.frame)
    for name in sorted(names - whole):
        if name in values:
            yield Variable(name, values[name], replaced.get(name, ""),
                           not is_caller and name in statement.reads,
                           at.frame.f_code.co_name if is_caller else "")
