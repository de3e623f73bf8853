"""Python's objects that branches and loops reach: their contents, and what must not change.

The body of a dynamic ``if`` or loop is traced once. An object that it changes, other than a
variable or a tree that the construct hands on, would change once and for good.
"""

from __future__ import annotations

import functools
import types
from typing import Any, Callable, Iterable, Iterator

from .contents import CONTAINERS, held_by_container, held_by_foreign
from .environment import function_of, is_foreign
from .errors import ProgramError
from .._values.numeric import Numeric
from .tree import Undefined, has_values, held, is_mutable

_ATOMS = (
    bool, int, float, complex, str, bytes, range, slice, type(None), Numeric, Undefined,
    types.ModuleType,
)

Place = tuple[str, int, int]


class Watched:
    """The objects that free variables of functions lead to, as they are now."""

    def __init__(self, functions: Iterable[Callable[..., Any]]):
        self._seen: set[int] = set()
        self._found: list[tuple[str, Any, list[Any]]] = []
        self._cells: list[tuple[str, types.CellType, Any]] = []
        for function in functions:
            self._follow_closure(function)

    @property
    def variables(self) -> list[tuple[str, Any]]:
        """The variables that lead to objects which a construct can hand on with their changes."""
        found = {id(value): (name, value) for name, _, value in self._cells
                 if any(map(is_mutable, held(value)))}
        return list(found.values())

    def have_variables_changed(self) -> bool:
        """Returns whether such an object, and no variable, has changed."""
        trees = {id(x) for _, value in self.variables for x in held(value) if is_mutable(x)}
        return all(_are_same([content], [_content_of(cell)]) for _, cell, content in self._cells) and any(
            id(value) in trees and not _are_same(before, _held_by(value))
            for _, value, before in self._found)

    def check(self, what: str, place: Place) -> None:
        """Raises where an object holds something else now.

        :param what: the construct, for the message
        """
        for name, cell, content in self._cells:
            if not _are_same([content], [_content_of(cell)]):
                raise ProgramError(_REFUSED_CELL.format(name, what), place)
        for title, value, before in self._found:
            if not _are_same(before, _held_by(value)):
                raise ProgramError(_refusal(title, value, before, what), place)

    def _follow_closure(self, function: Any) -> None:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            if id(cell) not in self._seen:
                self._seen.add(id(cell))
                self._cells.append((name, cell, _content_of(cell)))
                self._follow(name, _content_of(cell))
        self._follow("a default", [*(function.__defaults__ or ()),
                                   *(function.__kwdefaults__ or {}).values()])

    def _follow(self, title: str, value: Any) -> None:
        if isinstance(value, _ATOMS) or id(value) in self._seen:
            return
        self._seen.add(id(value))
        function = function_of(value)
        if function is not None:
            self._follow_closure(function)
            self._follow(title, getattr(value, "__self__", None))
            return
        if isinstance(value, (types.BuiltinMethodType, types.MethodWrapperType)):
            self._follow(title, value.__self__)
            return
        if isinstance(value, functools.partial):
            self._follow(title, [value.func, *value.args, *value.keywords.values()])
            return
        held = _held_by(value)
        if held is None:
            return
        if not isinstance(value, (tuple, frozenset)):
            self._found.append((title, value, held))
        for name, x in _parts_of(title, value):
            self._follow(name, x)


_REFUSED_CELL = (
    "'{}' gets another value in {}, but Python changes it once, while the program is traced; "
    "assign it in the function itself, or make the condition static (Constexpr)"
)


def _content_of(cell: types.CellType) -> Any:
    """Returns the value of a variable that functions share; None where it has none."""
    try:
        content = cell.cell_contents
    except ValueError:
        return None
    return None if isinstance(content, Undefined) else content


def _held_by(value: Any) -> list[Any] | None:
    """Returns the contents of an object, in order; None if it is opaque."""
    if isinstance(value, CONTAINERS):
        return held_by_container(value)
    if is_foreign(value) or isinstance(value, types.GeneratorType):
        return None if isinstance(value, type) else held_by_foreign(value)
    if has_values(value):  # a tree, which notes its values where it likes
        return None
    return [x for pair in _attributes(value) for x in pair]


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """Returns the attributes of an object that have a value and may be set."""
    found = [
        (name, x) for name, x in getattr(value, "__dict__", {}).items()
        if not isinstance(x, Undefined) and not (isinstance(value, type) and name[:2] == "__")
    ]
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name) and name not in ("__dict__", "__weakref__"):
                found.append((name, getattr(value, name)))
    return found


def _parts_of(title: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from ((title, x) for x in value.values())
    elif isinstance(value, CONTAINERS):
        yield from ((title, x) for x in value)
    elif not is_foreign(value):
        yield from ((f"{title}.{name}", x) for name, x in _attributes(value))


def _are_same(before: list[Any], now: list[Any] | None) -> bool:
    if now is None or len(before) != len(now):
        return False
    return all(a is b or _is_equal(a, b) for a, b in zip(before, now))


def _is_equal(a: Any, b: Any) -> bool:
    """Returns whether two objects are one and the same number or text, or static numbers."""
    if type(a) is not type(b):
        return False
    if isinstance(a, Numeric):
        return a.is_static and b.is_static and a.value == b.value
    return isinstance(a, (bool, int, float, str, bytes)) and a == b


def _refusal(title: str, value: Any, before: list[Any], what: str) -> str:
    once = "but Python changes it once, while the program is traced"
    advice = (
        "assign it in the function itself, or make the condition static (Constexpr), or "
        "the loop range_constexpr"
    )
    if isinstance(value, (list, dict)):
        return f"'{title}' changes in {what}, {once}; {advice}"
    kind = type(value).__name__
    article = "an" if kind[0].lower() in "aeiou" else "a"
    if is_foreign(value) or isinstance(value, types.GeneratorType):
        return f"'{title}', {article} {kind}, changes in {what}, {once}; keep numbers in variables or a list; {advice}"
    old = dict(zip(before[::2], before[1::2]))
    name = next(
        (n for n, x in _attributes(value) if n not in old or not _are_same([old[n]], [x])), ""
    )
    dataclass = "" if isinstance(value, type) else f"make {kind} a dataclass, "
    return f"'{title}.{name}' changes in {what}, {once}; {dataclass}{advice}"
