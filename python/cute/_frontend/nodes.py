"""Trees of Python: made from parts, and searched for jumps."""

from __future__ import annotations

import ast
from typing import Any

from . import CONTROL
from .liveness import effects

_JUMPS = {ast.Return: "return", ast.Break: "break", ast.Continue: "continue"}
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def arguments(args: list[ast.arg]) -> ast.arguments:
    return ast.arguments(
        posonlyargs=[], args=args, kwonlyargs=[], kw_defaults=[], defaults=[]
    )


def function_node(name: str, body: list[ast.stmt], args: ast.arguments) -> ast.FunctionDef:
    node = ast.FunctionDef(name=name, args=args, body=body, decorator_list=[])
    if hasattr(ast, "TypeAlias"):
        node.type_params = []  # type: ignore[attr-defined]
    return node


def lambda_of(body: ast.expr) -> ast.Lambda:
    return ast.Lambda(args=arguments([]), body=body)


def control_call(name: str, *args: ast.expr, **keywords: ast.expr) -> ast.Call:
    function = ast.Attribute(
        value=ast.Name(id=CONTROL, ctx=ast.Load()), attr=name, ctx=ast.Load()
    )
    given = [ast.keyword(arg=k, value=v) for k, v in keywords.items()]
    return ast.Call(func=function, args=list(args), keywords=given)


def placed(node: Any, made: Any) -> Any:
    """Gives what was made for ``node`` its place; what has one keeps it.

    The name of a method is at the first line only: Python takes its last one for the call's."""
    if "lineno" in made._attributes:
        if hasattr(made, "lineno"):
            return made
        made.lineno, made.end_lineno = node.lineno, node.end_lineno
        made.col_offset, made.end_col_offset = node.col_offset, node.end_col_offset
        if isinstance(made, ast.Attribute):
            made.end_lineno, made.end_col_offset = node.lineno, node.col_offset
    for field in made._fields:
        value = getattr(made, field, None)
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, ast.AST):
                placed(node, child)
    return made


def jump_in(statements: list[ast.stmt], allowed: str = "") -> str | None:
    """Returns a jump out of the statements (return, break, ...), if there is one.

    One of the name ``allowed`` does not count.
    """
    for statement in statements:
        found = _jump(statement, False, allowed)
        if found:
            return found
    return None


def _jump(node: ast.AST, in_loop: bool, allowed: str) -> str | None:
    if isinstance(node, ast.expr):
        return effects(node).waits
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return None
    name = _JUMPS.get(type(node))
    if in_loop and name in ("break", "continue") or name == allowed:
        return None
    if name:
        return name
    loop = isinstance(node, _LOOPS)
    for field, value in ast.iter_fields(node):
        inside = in_loop or (loop and field == "body")
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                found = _jump(child, inside, "" if inside else allowed)
                if found:
                    return found
    return None


def name_of(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Load())


def tuple_of(values: Any) -> ast.Constant:
    return ast.Constant(value=tuple(values))


# Expressions whose values are numbers, or no objects that can change.
NUMBERS = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.JoinedStr)

SYMBOLS = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
