"""The source of functions: their part of a file as a tree, with the file's places."""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
import linecache
import tokenize
import types
from typing import Any, Iterator

from .errors import ProgramError


def find_source(function: types.FunctionType) -> tuple[str, ast.FunctionDef]:
    """Returns a function's file and its tree, with the places of the file."""
    code = function.__code__
    if code.co_name == "<lambda>":
        raise ProgramError(
            "a lambda cannot be compiled: write a def, whose source @cute.jit reads",
            (code.co_filename, code.co_firstlineno, 0),
        )
    file, first = code.co_filename, code.co_firstlineno
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    if not lines:
        raise ProgramError(
            f"the source of {function.__qualname__} is not known ({file}): "
            "functions under @cute.jit and @cute.kernel are read from their file"
        )
    node = _parsed(lines, first, code.co_name)
    if node is None:
        raise ProgramError(
            f"line {first} of {file} is not the function "
            f"{function.__qualname__} any more: was the file changed?"
        )
    return file, node


def source_of_code(code: types.CodeType, names: dict[str, Any]) -> ast.FunctionDef | None:
    """Returns the tree of a function's code; None where its file does not have it."""
    lines = linecache.getlines(code.co_filename, names)
    return _parsed(lines, code.co_firstlineno, code.co_name) if lines else None


_MOST_ENDS = 8  # that are tried before Python's tokenizer finds the end


def _parsed(lines: list[str], first: int, name: str) -> ast.FunctionDef | None:
    """Parses the function of a name whose first line has this number, or returns None."""
    ends = itertools.islice(_ends(lines, first), _MOST_ENDS)
    for last in itertools.chain(ends, _end_of_block(lines, first)):
        try:
            return _parse_lines(lines[first - 1 : last], first, name)
        except SyntaxError:
            pass
    return None


def _end_of_block(lines: list[str], first: int) -> Iterator[int]:
    """Returns where Python's tokenizer finds a function's end, if it does."""
    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        yield first - 1 + len(inspect.getblock(lines[first - 1 :]))


def _ends(lines: list[str], first: int) -> Iterator[int]:
    """Returns where a function may end that begins in a line: before each line of code with
    no more indentation. Before its true end there are lines of its head, of brackets and
    of strings, where what is before cannot be parsed."""
    most = _indentation(lines[first - 1]) if first <= len(lines) else 0
    for number in range(first, len(lines)):
        line = lines[number]
        if _indentation(line) <= most and line.strip() and line.lstrip()[0] != "#":
            yield number
    yield len(lines)


def _indentation(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def _parse_lines(lines: list[str], first: int, name: str) -> ast.FunctionDef | None:
    """Parses a function whose first line has this number."""
    if not lines:
        return None
    is_inner = lines[0][0].isspace()
    if is_inner:
        before = "\n" * (first - 2) + "if True:\n" if first > 1 else "if True: "
    else:
        before = "\n" * (first - 1)
    module = ast.parse(before + "".join(lines))
    body = module.body[0].body if is_inner else module.body  # type: ignore[attr-defined]
    found = body[0] if len(body) == 1 else None
    is_it = isinstance(found, ast.FunctionDef) and found.name == name
    return found if is_it and _first_line(found) == first else None


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])
