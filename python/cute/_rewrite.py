"""Rewrites functions so that control flow may depend on dynamic values.

``rewrite(f)`` parses the file of ``f``, and puts calls of ``_control`` in the
place of if, for, while, and, or, not, conditional expressions, chained
comparisons and assert. Lines and columns stay those of the user's file. A
construct's branches become nested functions that share its variables by
``nonlocal``; static conditions run them as Python would.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import types
from typing import Any

from . import _control
from ._errors import ProgramError
from ._liveness import Liveness, assigned, declared, effects, mutated, stored

_CONTROL = "_cute_control"
_JUMPS = {
    ast.Return: "return",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Await: "await",
}
_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_REPLACED = frozenset(("any", "all", "min", "max", "bool", "int", "float"))
_STATIC_CALLS = frozenset(("const_expr", "range_constexpr"))


def rewrite(function: types.FunctionType) -> types.FunctionType:
    """Returns the function with its control flow rewritten.

    The result shares globals, closure, defaults and annotations. A function
    whose source is unknown is a ProgramError.
    """
    file, node = _find_source(function)
    code = function.__code__
    owner = _owner(function.__qualname__)
    tree = _rewritten_module(node, file, code.co_freevars, owner)
    module = compile(tree, file, "exec", dont_inherit=True, flags=_future_flags(code))
    inner = _inner_code(module, node.name, len(code.co_freevars))
    inner = inner.replace(co_qualname=code.co_qualname) if _HAS_QUALNAME else inner
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    cells[_CONTROL] = types.CellType(_control)
    made = types.FunctionType(
        inner,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        tuple(cells[name] for name in inner.co_freevars),
    )
    made.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(made, function)
    return made


def _owner(qualname: str) -> str:
    """Returns the class that a method stands in, '' for other functions."""
    parts = qualname.split(".")
    return parts[-2] if len(parts) > 1 and parts[-2] != "<locals>" else ""


_HAS_QUALNAME = hasattr(types.CodeType, "co_qualname")


def _future_flags(code: types.CodeType) -> int:
    import __future__

    return code.co_flags & __future__.annotations.compiler_flag


def _inner_code(module: types.CodeType, name: str, free: int) -> types.CodeType:
    """Returns the code of the function in the module's outer function."""
    factory = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    return next(
        c
        for c in factory.co_consts
        if isinstance(c, types.CodeType) and c.co_name == name
    )


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


def _find_source(function: types.FunctionType) -> tuple[str, ast.FunctionDef]:
    """Returns a function's file and its tree, with the places of the file."""
    code = function.__code__
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


def _rewritten_module(
    node: ast.FunctionDef, file: str, free: tuple[str, ...], owner: str
) -> ast.Module:
    """Returns a module with a function that has the free names, around ``node``."""
    node.decorator_list = []
    _strip_signature(node)
    _Rewriter(file, owner).function(node)
    names = [ast.arg(arg=name) for name in (*free, _CONTROL)]
    factory = _function("_cute_factory", [node], _arguments(names))
    return ast.Module(body=[_at(node, factory)], type_ignores=[])


def _strip_signature(node: ast.FunctionDef) -> None:
    """Removes defaults and annotations, which the function has already."""
    node.returns = None
    a = node.args
    for arg in [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]:
        if arg is not None:
            arg.annotation = None
    none = ast.copy_location(ast.Constant(value=None), node)
    a.defaults = [none for _ in a.defaults]
    a.kw_defaults = [None if d is None else none for d in a.kw_defaults]


def _arguments(args: list[ast.arg]) -> ast.arguments:
    return ast.arguments(
        posonlyargs=[], args=args, kwonlyargs=[], kw_defaults=[], defaults=[]
    )


def _function(name: str, body: list[ast.stmt], args: ast.arguments) -> ast.FunctionDef:
    node = ast.FunctionDef(name=name, args=args, body=body, decorator_list=[])
    if hasattr(ast, "TypeAlias"):
        node.type_params = []  # type: ignore[attr-defined]
    return node


def _lambda(body: ast.expr) -> ast.Lambda:
    return ast.Lambda(args=_arguments([]), body=body)


def _control_call(name: str, *args: ast.expr, **keywords: ast.expr) -> ast.Call:
    function = ast.Attribute(
        value=ast.Name(id=_CONTROL, ctx=ast.Load()), attr=name, ctx=ast.Load()
    )
    given = [ast.keyword(arg=k, value=v) for k, v in keywords.items()]
    return ast.Call(func=function, args=list(args), keywords=given)


def _at(node: ast.AST, made: Any) -> Any:
    """Gives what was made for ``node`` its place; what has one keeps it."""
    if "lineno" in made._attributes:
        if hasattr(made, "lineno"):
            return made
        ast.copy_location(made, node)
    for child in ast.iter_child_nodes(made):
        _at(node, child)
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
    if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
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


def _is_static_call(node: ast.AST) -> bool:
    """Says whether an expression is ``const_expr(...)``, which stays Python's."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else None
    name = function.id if isinstance(function, ast.Name) else name
    return name in _STATIC_CALLS


def _has_walrus(*nodes: ast.AST) -> bool:
    return any(effects(node).walrus for node in nodes)


class _Rewriter(ast.NodeTransformer):
    """Rewrites one function and those nested in it."""

    def __init__(self, file: str, owner: str):
        self.file = file
        self.owner = owner.lstrip("_")
        self.live: Liveness
        self.locals: set[str] = set()
        self.globals: set[str] = set()
        self.continue_returns = False

    def function(self, node: ast.FunctionDef) -> None:
        """Rewrites a function's body in place."""
        saved = self.__dict__.copy()
        self.live = Liveness(node)
        a = node.args
        arguments = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
        self.globals = declared(node.body, ast.Global)
        self.locals = assigned(node.body) | {x.arg for x in arguments if x}
        bound = self.locals - self.globals - declared(node.body, ast.Nonlocal)
        docstring = node.body[:1] if ast.get_docstring(node) is not None else []
        body = self._body(node.body[len(docstring) :])
        node.body = docstring + [_at(node, self._bind(bound))] + body
        self.__dict__.update(saved)

    def _bind(self, names: set[str]) -> ast.stmt:
        """Makes names the function's own, though only branches assign them."""
        targets: list[ast.expr] = [
            ast.Name(id=name, ctx=ast.Store()) for name in sorted(names)
        ]
        if not targets:
            return ast.Pass()
        assign = ast.Assign(targets=targets, value=ast.Constant(value=None))
        return ast.If(test=ast.Constant(value=False), body=[assign], orelse=[])

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            result += made if isinstance(made, list) else [made]
        return result

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args = self.visit(node.args)
        self.function(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node

    # ---- Statements ----

    def _place(self, node: ast.AST) -> ast.expr:
        values = (self.file, node.lineno, node.col_offset)
        return ast.Tuple([ast.Constant(value=v) for v in values], ast.Load())

    def _state(self, node: ast.AST, parts: list[ast.stmt], alive: set[str]) -> Any:
        """Returns a State and the functions it needs, for a construct's parts."""
        new = assigned(parts)
        names = sorted(new | (mutated(parts) & self.locals))
        reads = [
            _control_call(
                "peek",
                _lambda(ast.Name(id=name, ctx=ast.Load())),
                ast.Constant(value=name),
            )
            for name in names
        ]
        getter = _lambda(ast.Tuple(reads, ast.Load()))
        stores = [ast.Name(id=name, ctx=ast.Store()) for name in names]
        assign: ast.stmt = ast.Pass()
        if stores:
            value = ast.Name(id="_cute_values", ctx=ast.Load())
            assign = ast.Assign(targets=[ast.Tuple(stores, ast.Store())], value=value)
        setter = _function(
            "_cute_set",
            [*self._declare(names), assign],
            _arguments([ast.arg(arg="_cute_values")]),
        )
        paths = sorted(stored(parts))
        parts_of = [tuple(p[1:] for p in paths if p[0] == n) for n in names]
        flags = [[n in new for n in names], parts_of, [n in alive for n in names]]
        state = _control_call(
            "State",
            _tuple(names),
            *(_tuple(flag) for flag in flags),
            getter,
            ast.Name(id="_cute_set", ctx=ast.Load()),
        )
        return setter, state

    def _declare(self, names: list[str]) -> list[ast.stmt]:
        inner = [n for n in names if n not in self.globals]
        outer = [n for n in names if n in self.globals]
        made: list[ast.stmt] = [ast.Nonlocal(names=inner)] if inner else []
        return made + ([ast.Global(names=outer)] if outer else [])

    def _part(self, name: str, body: list[ast.stmt], args: list[str] = []) -> Any:
        names = sorted(assigned(body))
        block = self._declare(names) + (self._body(body) or [ast.Pass()])
        return _function(name, block, _arguments([ast.arg(arg=a) for a in args]))

    def _loop_body(self, body: list[ast.stmt], is_function: bool) -> Any:
        """Rewrites a loop's body, which is a function or stays Python's."""
        saved, self.continue_returns = self.continue_returns, is_function
        if is_function:
            made = self._part("_cute_loop", body, ["_cute_item"])
        else:
            made = self._body(body)
        self.continue_returns = saved
        return made

    def visit_Continue(self, node: ast.Continue) -> Any:
        return _at(node, ast.Return()) if self.continue_returns else node

    def visit_If(self, node: ast.If) -> Any:
        jump = jump_in([*node.body, *node.orelse])
        if jump or _is_static_call(node.test) or _has_walrus(node.test):
            return self._static_if(node, jump or ":=")
        parts = [*node.body, *node.orelse]
        setter, state = self._state(node, parts, self.live.after[node])
        then = self._part("_cute_then", node.body)
        orelse = self._part("_cute_else", node.orelse)
        call = _control_call(
            "if_",
            self.visit(node.test),
            _name("_cute_then"),
            _name("_cute_else"),
            state,
            self._place(node),
        )
        made = [setter, then, orelse, ast.Expr(value=call)]
        return [_at(node, statement) for statement in made]

    def _static_if(self, node: ast.If, what: str) -> ast.If:
        test = self.visit(node.test)
        if not _is_static_call(node.test):
            test = self._static(test, what, node.test)
        node.test = test
        node.body = self._body(node.body)
        node.orelse = self._body(node.orelse)
        return node

    def _static(self, test: ast.expr, what: str, node: ast.AST) -> ast.expr:
        text = ast.Constant(value=what)
        return _at(node, _control_call("static_bool", test, text, self._place(node)))

    def visit_For(self, node: ast.For) -> Any:
        after, start = self.live.after[node], self.live.start[node]
        items = self._items(node.iter)
        jump = jump_in(node.body, "continue")
        if jump:
            items = _control_call(
                "static_items", items, ast.Constant(value=jump), self._place(node)
            )
        if jump or _is_static_call(node.iter):
            node.iter = _at(node.iter, items)
            node.body = self._loop_body(node.body, False)
            node.orelse = self._body(node.orelse)
            return node
        bind = ast.Assign(targets=[node.target], value=_name("_cute_item"))
        body = [_at(node.target, bind), *node.body]
        setter, state = self._state(node, body, after | start)
        part = self._loop_body(body, True)
        call = _control_call(
            "for_", _at(node.iter, items), _name("_cute_loop"), state, self._place(node)
        )
        made = [setter, part, ast.Expr(value=call)]
        return [_at(node, statement) for statement in made] + self._body(node.orelse)

    def _items(self, node: ast.expr) -> ast.expr:
        made = self.visit(node)
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
            return made
        call = _control_call("loop_range", made.func, *made.args)
        call.keywords = made.keywords
        return _at(node, call)

    def visit_While(self, node: ast.While) -> Any:
        after, start = self.live.after[node], self.live.start[node]
        jump = jump_in(node.body, "continue")
        if jump or _is_static_call(node.test) or _has_walrus(node.test):
            test = self.visit(node.test)
            if not _is_static_call(node.test):
                test = self._static(test, jump or ":=", node.test)
            node.test, node.body = test, self._loop_body(node.body, False)
            node.orelse = self._body(node.orelse)
            return node
        setter, state = self._state(node, node.body, after | start)
        part = self._loop_body(node.body, True)
        test = _lambda(self.visit(node.test))
        call = _control_call(
            "while_", test, _name("_cute_loop"), state, self._place(node)
        )
        made = [setter, part, ast.Expr(value=call)]
        return [_at(node, statement) for statement in made] + self._body(node.orelse)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        value, target = self.visit(node.value), self.visit(node.target)
        return _at(node, ast.Assign(targets=[target], value=value))

    def visit_Assert(self, node: ast.Assert) -> Any:
        message = ast.Constant(value=None) if node.msg is None else _lambda(node.msg)
        test = self.visit(node.test)
        call = _control_call("assert_", test, message, self._place(node))
        return _at(node, ast.Expr(value=call))

    # ---- Expressions ----

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        walrus = _has_walrus(*node.values[1:])
        values = [self.visit(value) for value in node.values]
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        if walrus:
            what = name.rstrip("_") + " with :="
            last = values[-1]
            node.values = [self._static(v, what, v) for v in values[:-1]] + [last]
            return node
        rest = [_lambda(value) for value in values[1:]]
        return _at(node, _control_call(name, self._place(node), values[0], *rest))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return _at(node, _control_call("not_", operand))
        node.operand = operand
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        walrus = _has_walrus(node.body, node.orelse)
        test, body, orelse = map(self.visit, (node.test, node.body, node.orelse))
        if walrus:
            node.test = self._static(test, "a choice with :=", node)
            node.body, node.orelse = body, orelse
            return node
        place = self._place(node)
        call = _control_call("ifexp", test, _lambda(body), _lambda(orelse), place)
        return _at(node, call)

    def visit_Compare(self, node: ast.Compare) -> Any:
        membership = isinstance(node.ops[0], (ast.In, ast.NotIn))
        plain = len(node.ops) == 1 and not membership
        plain = plain or _has_walrus(*node.comparators)
        self.generic_visit(node)
        if plain:
            return node
        links = [
            ast.Tuple([ast.Constant(value=_SYMBOLS[type(op)]), _lambda(c)], ast.Load())
            for op, c in zip(node.ops, node.comparators)
        ]
        return _at(node, _control_call("chain", self._place(node), node.left, *links))

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if self.owner and node.attr.startswith("__") and not node.attr.endswith("__"):
            node.attr = f"_{self.owner}{node.attr}"
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id in _REPLACED:
            if function.id not in self.locals:
                node.func = _at(function, _control_call("builtin", function))
        return node


_SYMBOLS = {
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


def _name(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Load())


def _tuple(values: Any) -> ast.Tuple:
    return ast.Tuple([ast.Constant(value=v) for v in values], ast.Load())
