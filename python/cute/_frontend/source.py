"""The source of functions: their part of a file as a tree, with the file's places."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import types

from .errors import ProgramError


@functools.lru_cache(maxsize=64)
def _functions(file: str, text: str) -> dict[tuple[str, int], int]:
    """Returns the last line of each function of a file, by name and first line."""
    nodes: list[ast.AST] = [ast.parse(text, file)]
    found = {}
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef):
            found[node.name, _first_line(node)] = node.end_lineno or node.lineno
        for field in ("body", "orelse", "handlers", "finalbody", "cases"):
            children = getattr(node, field, ())
            nodes += children if isinstance(children, list) else ()
    return found


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
    try:
        last = _functions(file, "".join(lines)).get((code.co_name, first))
    except SyntaxError:
        last = first - 1 + len(inspect.getblock(lines[first - 1 :]))
    if last is None:
        raise ProgramError(
            f"line {first} of {file} is not the function "
            f"{function.__qualname__} any more: was the file changed?"
        )
    return file, _parse_lines(lines[first - 1 : last], first, code.co_name)


def _parse_lines(lines: list[str], first: int, name: str) -> ast.FunctionDef:
    """Parses a function whose first line has this number."""
    if lines[0][0].isspace():
        before = "\n" * (first - 2) + "if True:\n" if first > 1 else "if True: "
    else:
        before = "\n" * (first - 1)
    module = ast.parse(before + "".join(lines))
    body = module.body[0].body if lines[0][0].isspace() else module.body
    return next(n for n in body if isinstance(n, ast.FunctionDef) and n.name == name)


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])
