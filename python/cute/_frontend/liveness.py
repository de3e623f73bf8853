"""Which variables a statement reads, assigns, may change, and leaves alive."""

from __future__ import annotations

import ast
from typing import Any, Iterable, Iterator

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_MARKS = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
LEAVES = frozenset((ast.Constant, *(leaf for mark in _MARKS for leaf in mark.__subclasses__())))


def _kinds(kind: type) -> Iterator[type]:
    yield kind
    for part in kind.__subclasses__():
        yield from _kinds(part)


_INNER = frozenset(_kinds(ast.AST)) - LEAVES
_NAMED = frozenset(kind for kind in _INNER if "name" in kind._fields and kind is not ast.alias)
_NONE: frozenset[Any] = frozenset()
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def declared(statements: list[ast.stmt], kind: type) -> set[str]:
    """Returns the names that Global or Nonlocal statements of a scope name."""
    names: set[str] = set()
    todo: list[ast.AST] = list(statements)
    while todo:
        node = todo.pop()
        if isinstance(node, kind):
            names.update(node.names)
        elif not isinstance(node, _SCOPES):
            for field in ("body", "orelse", "handlers", "finalbody", "cases"):
                children = getattr(node, field, ())
                todo += children if isinstance(children, list) else ()
    return names


_WAITS = {ast.Yield: "yield", ast.YieldFrom: "yield", ast.Await: "await"}


def children(node: ast.AST) -> list[ast.AST]:
    """Returns the nodes in a node, without leaves that are no names."""
    found: list[Any] = []
    for field in node._fields:
        value = getattr(node, field, None)
        kind = value.__class__
        if kind is list:
            found += [child for child in value if child.__class__ in _INNER]
        elif kind in _INNER:
            found.append(value)
    return found


class Effects:
    """The uses of names in an expression or a statement, found once for a node.

    ``reads`` are the ones that it or a nested function reads; ``assigns`` those it
    assigns in its scope; ``stores`` has ``("x", "a", "b")`` for each ``x.a.b =
    ...`` and ``("x",)`` for each ``x[i] = ...``; ``passes`` has ``x`` for ``x.method(...)`` and ``f(x)``, which may
    change the object; ``captures`` are the ones that nested functions read. ``waits`` is
    "yield" or "await" where it has one in its scope.
    """

    __slots__ = ("reads", "assigns", "stores", "passes", "captures", "walrus", "waits")

    def __init__(self, node: Any):
        self.reads = self.assigns = self.stores = _NONE
        self.passes = self.captures = _NONE
        self.walrus = isinstance(node, ast.NamedExpr)
        self.waits: str | None = _WAITS.get(node.__class__)
        kind = node.__class__
        if kind is ast.Name:
            self._add(node)
            return
        for child in children(node):
            self._join(effects(child))
        if kind in _SCOPES:
            self.reads = _free(node, self.reads)
            self.captures = self.reads
            self.assigns = self.stores = self.passes = _NONE
            self.waits = None
        elif kind in _COMPREHENSIONS:
            for generator in node.generators:
                self.assigns -= effects(generator.target).assigns
        self._add(node)

    def _join(self, other: Effects) -> None:
        if other.reads:
            self.reads = self.reads | other.reads if self.reads else other.reads
        if other.assigns:
            self.assigns = self.assigns | other.assigns
        if other.stores:
            self.stores = self.stores | other.stores
        if other.passes:
            self.passes = self.passes | other.passes
        if other.captures:
            self.captures = self.captures | other.captures
        self.walrus = self.walrus or other.walrus
        self.waits = self.waits or other.waits

    def _add(self, node: Any) -> None:
        kind = node.__class__
        if kind is ast.Name:
            if isinstance(node.ctx, ast.Load):
                self.reads = frozenset((node.id,))
            else:
                self.assigns = frozenset((node.id,))
        elif kind is ast.Call:
            if isinstance(node.func, ast.Attribute):
                self.passes |= _base(node.func.value)
            for argument in [*node.args, *(k.value for k in node.keywords)]:
                self.passes |= _base(argument)
        elif kind in (ast.Attribute, ast.Subscript):
            if not isinstance(node.ctx, ast.Load):
                self.stores |= _stored(node)
        elif kind in (ast.Import, ast.ImportFrom):
            self.assigns |= {(a.asname or a.name).split(".")[0] for a in node.names}
        elif kind is ast.Nonlocal:
            self.reads |= frozenset(node.names)
        elif kind is ast.MatchMapping and node.rest:
            self.assigns |= {node.rest}
        elif kind in _NAMED and isinstance(node.name, str):
            self.assigns |= {node.name}


def _free(scope: Any, reads: frozenset[str]) -> frozenset[str]:
    """Returns what a nested scope reads of others: not its parameters and variables."""
    if isinstance(scope, ast.ClassDef):
        return reads
    body = [scope.body] if isinstance(scope, ast.Lambda) else scope.body
    around = [scope.args, *getattr(scope, "decorator_list", ()), getattr(scope, "returns", None)]
    a = scope.args
    own = {x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if x}
    if isinstance(body, list):
        own |= assigned(body) - declared(body, ast.Nonlocal) - declared(body, ast.Global)
    within = frozenset().union(*(effects(s).reads for s in body)) - own
    return within.union(*(names_read(x) for x in around))


def effects(node: ast.AST) -> Effects:
    """Returns a node's effects as it was when they were asked for first."""
    found = node.__dict__.get("_cute_effects")
    if found is None:
        found = node._cute_effects = Effects(node)  # type: ignore[attr-defined]
    return found


def names_read(node: ast.AST | None) -> set[str]:
    """Returns all names that an expression reads, in nested functions, too."""
    return effects(node).reads if node is not None else set()


def assigned(statements: Iterable[ast.AST]) -> set[str]:
    """Returns the names that statements assign in their own scope."""
    return set().union(*(effects(s).assigns for s in statements))


def stored(statements: Iterable[ast.AST]) -> set[tuple[str, ...]]:
    """Returns the names, with attributes, whose parts statements assign to."""
    return set().union(*(effects(s).stores for s in statements))


def mutated(statements: Iterable[ast.AST]) -> set[str]:
    """Returns the names whose objects statements may change in place."""
    statements = list(statements)
    passed = set().union(*(effects(s).passes for s in statements))
    return passed | {path[0] for path in stored(statements)}


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yields a node and all in it, each before what is in it, as ``children`` does."""
    todo = [node]
    for node in todo:
        yield node
        todo += children(node)


def captured(statements: Iterable[ast.AST]) -> set[str]:
    """Returns the names that nested functions and classes read."""
    return set().union(*(effects(s).captures for s in statements))


def outward(body: list[ast.stmt]) -> dict[str, set[tuple[str, ...]]]:
    """Returns for nested functions, and names bound to them, what they do to variables
    of functions around them, also by calling each other: ("assigned", name) by ``nonlocal``,
    ("mutated", name) in place, and ("stored", name, ...) by a path as in ``stored``."""
    found: dict[str, set[tuple[str, ...]]] = {}
    named: list[tuple[str, frozenset[str]]] = []
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef):
            found[node.name] = _outward_of(node)
            named.append((node.name, effects(node).reads))
            continue
        if isinstance(node, ast.Assign):
            named += [(n, effects(node.value).reads) for n in effects(node).assigns]
        if not isinstance(node, _SCOPES):
            todo += [x for x in ast.iter_child_nodes(node) if isinstance(x, ast.stmt)]
    if not any(found.values()):
        return {}
    for _ in named:
        for name, reads in named:
            more = set().union(*(found.get(n, ()) for n in reads))
            found[name] = found.get(name, set()) | more
    return {name: names for name, names in found.items() if names}


def _outward_of(node: ast.FunctionDef) -> set[tuple[str, ...]]:
    outer = {n for x in walk(node) if isinstance(x, ast.Nonlocal) for n in x.names}
    a = node.args
    arguments = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    own = (assigned(node.body) | {x.arg for x in arguments if x}) - outer
    done = {("assigned", n) for n in outer} | {("mutated", n) for n in mutated(node.body) - own}
    return done | {("stored", *path) for path in stored(node.body) if path[0] not in own}


def _stored(node: ast.AST) -> set[tuple[str, ...]]:
    path: tuple[str, ...] = ()
    while isinstance(node, ast.Attribute):
        path, node = (node.attr, *path), node.value
    if isinstance(node, ast.Name):
        return {(node.id, *path)}
    return {(name,) for name in _base(node)}


def _base(node: ast.AST) -> set[str]:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


class Liveness:
    """Computes for constructs which names are alive behind and at their start.

    ``after[node]`` is what is alive behind an if, for or while, ``start[node]``
    what is alive where an iteration of a loop begins.
    """

    def __init__(self, function: ast.FunctionDef):
        self.after: dict[ast.AST, set[str]] = {}
        self.start: dict[ast.AST, set[str]] = {}
        self._always = captured(function.body)
        self._loops: list[tuple[set[str], set[str]]] = []
        self._block(function.body, set(self._always))

    def _block(self, statements: list[ast.stmt], out: set[str]) -> set[str]:
        for statement in reversed(statements):
            out = self._statement(statement, out)
        return out

    def _statement(self, node: ast.stmt, out: set[str]) -> set[str]:
        method = getattr(self, f"_{type(node).__name__}", None)
        if method:
            if not isinstance(node, (ast.If, ast.For, ast.While)):
                self._note(self.after, node, out if not isinstance(node, ast.Return) else set())
            return method(node, out)
        killed = set()
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if getattr(node, "value", None) is not None:
                killed = {n for t in targets for n in _plain_targets(t)}
        self._note(self.after, node, out)
        reads = set(names_read(node))
        if isinstance(node, ast.AugAssign):
            reads |= _base(node.target)
        return (out - killed) | reads | self._always

    def _If(self, node: ast.If, out: set[str]) -> set[str]:
        self._note(self.after, node, out)
        branches = self._block(node.body, out) | self._block(node.orelse, out)
        return branches | names_read(node.test)

    def _note(
        self, table: dict[ast.AST, set[str]], node: ast.AST, out: set[str]
    ) -> None:
        table[node] = table.get(node, set()) | out

    def _loop(
        self, node: ast.For | ast.While, out: set[str], head: set[str]
    ) -> set[str]:
        target = getattr(node, "target", None)
        killed = set(_plain_targets(target)) if target else set()
        behind = self._block(node.orelse, out)
        alive = behind | head
        while True:
            self._loops.append((out, alive))
            body = self._block(node.body, alive) - killed
            self._loops.pop()
            if body <= alive:
                break
            alive = alive | body
        self._note(self.after, node, behind)
        self._note(self.start, node, body | head)
        return alive

    def _For(self, node: ast.For, out: set[str]) -> set[str]:
        return self._loop(node, out, set()) | names_read(node.iter)

    def _While(self, node: ast.While, out: set[str]) -> set[str]:
        return self._loop(node, out, names_read(node.test))

    def _Break(self, node: ast.Break, out: set[str]) -> set[str]:
        return set(self._loops[-1][0]) if self._loops else out

    def _Continue(self, node: ast.Continue, out: set[str]) -> set[str]:
        return set(self._loops[-1][1]) if self._loops else out

    def _Return(self, node: ast.Return, out: set[str]) -> set[str]:
        return names_read(node.value) | self._always

    def _Raise(self, node: ast.Raise, out: set[str]) -> set[str]:
        return names_read(node) | out

    def _With(self, node: ast.With, out: set[str]) -> set[str]:
        inner = self._block(node.body, out)
        for item in reversed(node.items):
            if item.optional_vars is not None:
                inner = inner - set(_plain_targets(item.optional_vars))
            inner = inner | names_read(item)
        return inner

    def _Try(self, node: ast.Try, out: set[str]) -> set[str]:
        final = self._block(node.finalbody, out)
        handlers = [self._block(h.body, final) for h in node.handlers]
        alive = final.union(*handlers) if handlers else final
        alive = alive | self._block(node.orelse, final)
        return alive | self._block(node.body, alive) | names_read(node)

    _TryStar = _Try

    def _Match(self, node: ast.Match, out: set[str]) -> set[str]:
        bodies = [self._block(case.body, out) for case in node.cases]
        return out.union(*bodies) | names_read(node)

    def _FunctionDef(self, node: ast.FunctionDef, out: set[str]) -> set[str]:
        return (out - {node.name}) | names_read(node) | self._always

    _AsyncFunctionDef = _ClassDef = _FunctionDef


def _plain_targets(target: ast.AST) -> list[str]:
    """Returns the names that a target surely assigns."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [n for e in target.elts for n in _plain_targets(e)]
    return _plain_targets(target.value) if isinstance(target, ast.Starred) else []
