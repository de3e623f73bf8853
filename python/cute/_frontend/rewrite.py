"""Rewrites functions so that control flow may depend on dynamic values.

``rewrite(f)`` parses the file of ``f``, and puts calls of ``control`` in place of if,
for, while, and, or, not, conditional expressions, chained comparisons and assert. Lines
and columns stay the user's. A construct's branches become nested functions that share
its variables by ``nonlocal``; static conditions run them as Python would.
"""

from __future__ import annotations

import ast
import functools
import types
from typing import Any

from . import CONTROL, control as _control
from .liveness import Liveness, assigned, declared, effects, mutated, names_read, outward
from .liveness import LEAVES, stored
from .nodes import (
    NUMBERS,
    SYMBOLS,
    arguments,
    control_call,
    function_node,
    jump_in,
    lambda_of,
    name_of,
    placed,
    tuple_of,
)
from .source import find_source
from .tracebacks import named_as
from .variables import note_function

_REPLACED = frozenset(("any", "all", "min", "max", "bool", "int", "float"))
_STATIC_CALLS = frozenset(("const_expr", "range_constexpr"))


def rewrite(function: types.FunctionType) -> types.FunctionType:
    """Returns the function with its control flow rewritten.

    The result shares globals, closure, defaults and annotations. Its own name, which
    it has in a factory of functions, is the global one's value. A function whose source
    is unknown is a ProgramError. A function inside a rewritten one is
    rewritten already, and stays as it is.
    """
    code = function.__code__
    if CONTROL in code.co_freevars:
        return function
    file, node = find_source(function)
    owner = _owner(function.__qualname__)
    tree = _rewritten_module(node, file, code.co_freevars, owner)
    module = compile(tree, file, "exec", dont_inherit=True, flags=_future_flags(code))
    inner = _inner_code(module, node.name, len(code.co_freevars))
    inner = named_as(inner, function.__name__)
    inner = inner.replace(co_qualname=code.co_qualname) if _HAS_QUALNAME else inner
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    cells[CONTROL] = types.CellType(_control)
    own = function.__globals__.get(function.__name__)
    cells.setdefault(function.__name__, types.CellType(own))
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
    """Returns the class of a method, '' for other functions."""
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


def _rewritten_module(
    node: ast.FunctionDef, file: str, free: tuple[str, ...], owner: str
) -> ast.Module:
    """Returns a module with a function that has the free names, around ``node``."""
    node.decorator_list = []
    _strip_signature(node)
    _Rewriter(file, owner).function(node)
    names = [ast.arg(arg=name) for name in (*free, CONTROL)]
    factory = function_node("_cute_factory", [node], arguments(names))
    return ast.Module(body=[placed(node, factory)], type_ignores=[])


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


def _is_static_call(node: ast.AST) -> bool:
    """Returns whether an expression is ``const_expr(...)``, which stays Python's."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else None
    name = function.id if isinstance(function, ast.Name) else name
    return name in _STATIC_CALLS


def _raises(node: ast.If) -> str | None:
    """Returns "raise" where one of the branches ends with that."""
    return "raise" if any(b and isinstance(b[-1], ast.Raise) for b in (node.body, node.orelse)) else None


def _read(function: str, names: list[str]) -> ast.Lambda:
    """Returns a function of the control module's result for variables."""
    values = ast.Tuple([name_of(name) for name in names], ast.Load())
    return lambda_of(control_call(function, lambda_of(values), tuple_of(names)))


def _has_walrus(*nodes: ast.AST) -> bool:
    return any(effects(node).walrus for node in nodes)


class _Rewriter(ast.NodeTransformer):
    """Rewrites one function and those nested in it."""

    def __init__(self, file: str, owner: str):
        self.file = file
        self.owner = owner.lstrip("_")
        self.static: set[ast.AST] = set()  # comparisons within const_expr
        self.live: Liveness
        self.locals: set[str] = set()
        self.globals: set[str] = set()
        self.outward: dict[str, set[tuple[str, ...]]] = {}
        self.continue_returns = False
        self.statement: Any = None

    def visit(self, node: ast.AST) -> Any:
        """Returns what replaces a node: leaves stay as they are."""
        if node.__class__ in LEAVES or isinstance(node, ast.Name):
            return node
        return super().visit(node)

    def function(self, node: ast.FunctionDef) -> None:
        """Rewrites a function's body in place."""
        saved = self.__dict__.copy()
        self.live = Liveness(node)
        note_function(self.file, node, self.live)
        a = node.args
        arguments = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
        self.globals = declared(node.body, ast.Global)
        self.locals = assigned(node.body) | {x.arg for x in arguments if x}
        self.outward = outward(node.body)
        bound = self.locals - self.globals - declared(node.body, ast.Nonlocal)
        docstring = node.body[:1] if ast.get_docstring(node) is not None else []
        body = self._body(node.body[len(docstring) :])
        node.body = docstring + [placed(node, self._bind(bound))] + body
        self.__dict__.update(saved)

    def _bind(self, names: set[str]) -> ast.stmt:
        """Makes names the function's own, though only branches assign them, and ``CONTROL`` a
        name of all rewritten code."""
        targets: list[ast.expr] = [
            ast.Name(id=name, ctx=ast.Store()) for name in sorted(names)
        ]
        body: list[ast.stmt] = [ast.Expr(value=name_of(CONTROL))]
        if targets:
            body.append(ast.Assign(targets=targets, value=ast.Constant(value=None)))
        return ast.If(test=ast.Constant(value=False), body=body, orelse=[])

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in statements:
            self.statement = statement
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
        return tuple_of((self.file, node.lineno, node.col_offset))

    def _state(self, node: ast.AST, parts: list[ast.stmt], alive: set[str]) -> Any:
        """Returns a State and the functions it needs, for a construct's parts."""
        new, called = assigned(parts), self._done_by_called(parts)
        new |= {name for what, name, *_ in called if what == "assigned"} & (self.locals | new)
        changed = mutated(parts) | {name for _, name, *_ in called}
        names = sorted(new | (changed & self.locals))
        stores = [ast.Name(id=name, ctx=ast.Store()) for name in names]
        assign: ast.stmt = ast.Pass()
        if stores:
            value = ast.Name(id="_cute_values", ctx=ast.Load())
            assign = ast.Assign(targets=[ast.Tuple(stores, ast.Store())], value=value)
        setter = function_node(
            "_cute_set",
            [*self._declare(names), assign],
            arguments([ast.arg(arg="_cute_values")]),
        )
        paths = sorted(stored(parts) | {tuple(p) for what, *p in called if what == "stored"})
        parts_of = [tuple(p[1:] for p in paths if p[0] == n) for n in names]
        flags = [[n in new for n in names], parts_of, [n in alive for n in names]]
        state = control_call(
            "State",
            tuple_of(names),
            *(tuple_of(flag) for flag in flags),
            _read("peek", names),
            ast.Name(id="_cute_set", ctx=ast.Load()),
        )
        return setter, state

    def _done_by_called(self, parts: list[ast.stmt]) -> set[tuple[str, ...]]:
        """Returns what nested functions that the parts name do to variables outside."""
        read = set().union(*map(names_read, parts)) & self.outward.keys()
        return set().union(*(self.outward[name] for name in read))

    def _declare(self, names: list[str]) -> list[ast.stmt]:
        inner = [n for n in names if n not in self.globals]
        outer = [n for n in names if n in self.globals]
        made: list[ast.stmt] = [ast.Nonlocal(names=inner)] if inner else []
        return made + ([ast.Global(names=outer)] if outer else [])

    def _part(self, name: str, body: list[ast.stmt], args: list[str] = []) -> Any:
        names = sorted(assigned(body))
        block = self._declare(names) + (self._body(body) or [ast.Pass()])
        return function_node(name, block, arguments([ast.arg(arg=a) for a in args]))

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
        return placed(node, ast.Return()) if self.continue_returns else node

    def visit_If(self, node: ast.If) -> Any:
        jump = jump_in([*node.body, *node.orelse]) or _raises(node)
        if jump or _is_static_call(node.test) or _has_walrus(node.test):
            return self._static_if(node, jump or ":=")
        parts = [*node.body, *node.orelse]
        setter, state = self._state(node, parts, self.live.after[node])
        then = self._part("_cute_then", node.body)
        orelse = self._part("_cute_else", node.orelse)
        call = control_call(
            "if_",
            self.visit(node.test),
            name_of("_cute_then"),
            name_of("_cute_else"),
            state,
            self._place(node),
        )
        made = [setter, then, orelse, ast.Expr(value=call)]
        return [placed(node, statement) for statement in made]

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
        return placed(node, control_call("static_bool", test, text, self._place(node)))

    def visit_For(self, node: ast.For) -> Any:
        after, start = self.live.after[node], self.live.start[node]
        items = self._items(node.iter)
        jump = jump_in(node.body, "continue")
        if jump:
            items = control_call(
                "static_items", items, ast.Constant(value=jump), self._place(node)
            )
        if jump or _is_static_call(node.iter):
            node.iter = placed(node.iter, items)
            node.body = self._loop_body(node.body, False)
            node.orelse = self._body(node.orelse)
            return node
        bind = ast.Assign(targets=[node.target], value=name_of("_cute_item"))
        body = [placed(node.target, bind), *node.body]
        setter, state = self._state(node, body, after | start)
        part = self._loop_body(body, True)
        call = control_call(
            "for_", placed(node.iter, items), name_of("_cute_loop"), state, self._place(node)
        )
        made = [setter, part, ast.Expr(value=call)]
        return [placed(node, statement) for statement in made] + self._body(node.orelse)

    def _items(self, node: ast.expr) -> ast.expr:
        made = self.visit(node)
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
            return made
        call = control_call("loop_range", made.func, *made.args)
        call.keywords = made.keywords
        return placed(node, call)

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
        test = lambda_of(self.visit(node.test))
        call = control_call(
            "while_", test, name_of("_cute_loop"), state, self._place(node)
        )
        made = [setter, part, ast.Expr(value=call)]
        return [placed(node, statement) for statement in made] + self._body(node.orelse)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        value, target = self.visit(node.value), self.visit(node.target)
        return placed(node, ast.Assign(targets=[target], value=value))

    def visit_Assert(self, node: ast.Assert) -> Any:
        message = ast.Constant(value=None) if node.msg is None else lambda_of(node.msg)
        test = self.visit(node.test)
        call = control_call("assert_", test, message, self._place(node))
        return placed(node, ast.Expr(value=call))

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
        rest = [lambda_of(value) for value in values[1:]]
        return placed(node, control_call(name, self._place(node), values[0], *rest))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return placed(node, control_call("not_", operand))
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
        is_whole = isinstance(self.statement, ast.Assign) and self.statement.value is node
        targets = self.statement.targets if is_whole else []
        name = [ast.Constant(value=t.id) for t in targets if isinstance(t, ast.Name)][:1]
        call = control_call("ifexp", test, lambda_of(body), lambda_of(orelse), place, *name)
        return placed(node, call)

    def visit_Compare(self, node: ast.Compare) -> Any:
        plain = len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot))
        plain = plain and (node in self.static or not _is_number(node.comparators[0]))
        plain = plain or _has_walrus(*node.comparators)
        self.generic_visit(node)
        if plain:
            return node
        links = [
            ast.Tuple([ast.Constant(value=SYMBOLS[type(op)]), lambda_of(c)], ast.Load())
            for op, c in zip(node.ops, node.comparators)
        ]
        return placed(node, control_call("chain", self._place(node), node.left, *links))

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if self.owner and node.attr.startswith("__") and not node.attr.endswith("__"):
            node.attr = f"_{self.owner}{node.attr}"
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        if _is_static_call(node):
            self.static.update(x for x in ast.walk(node) if isinstance(x, ast.Compare))
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id in _REPLACED:
            if function.id not in self.locals:
                node.func = placed(function, control_call("builtin", function))
        if _name(function) == "printf" and node.args:
            self._print_values(node)
        return node

    def _print_values(self, node: ast.Call) -> None:
        """Lets printf print the values of an f-string when the program runs."""
        text = node.args[0]
        if not isinstance(text, ast.JoinedStr):
            return
        parts = [
            p if isinstance(p, ast.Constant)
            else ast.Tuple([_shown(p), _format_of(p)], ast.Load())
            for p in text.values
        ]
        call = placed(text, control_call("printf_arguments", *parts))
        node.args[0] = placed(text, ast.Starred(value=call, ctx=ast.Load()))


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float))


def _name(function: ast.expr) -> str:
    """Returns the name of a function, without what it is an attribute of."""
    return getattr(function, "attr", getattr(function, "id", ""))


def _shown(part: Any) -> ast.expr:
    """Returns the value of a part of an f-string, as its conversion shows it."""
    if part.conversion < 0:
        return part.value
    call = f"format_{chr(part.conversion)}"
    return control_call(call, part.value)


def _format_of(part: Any) -> ast.expr:
    """Returns the text after the colon of a part of an f-string."""
    return part.format_spec or ast.Constant(value="")
