"""Python's objects that branches and loops reach: what they hold, and what must not change.

The body of a dynamic ``if`` or loop is traced once. An object that it changes, other than a
variable or a tree that the construct hands on, would change once and for good.
"""

from __future__ import annotations

import types
from collections import deque
from typing import Any, Callable, Iterable, Iterator

from .environment import function_of, is_foreign
from .errors import ProgramError
from .._values.numeric import Numeric
from .tree import Undefined, has_values

_ATOMS = (
    bool, int, float, complex, str, bytes, range, slice, type(None), type, Numeric, Undefined,
    types.ModuleType, types.BuiltinFunctionType,
)
_CONTAINERS = (list, tuple, dict, set, frozenset, deque)

Place = tuple[str, int, int]


class Watched:
    """What the free variables of functions lead to, as it is now."""

    def __init__(self, functions: Iterable[Callable[..., Any]]):
        self._seen: set[int] = set()
        self._found: list[tuple[str, Any, list[Any]]] = []
        for function in functions:
            self._follow_closure(function)

    def check(self, what: str, place: Place) -> None:
        """Raises where an object holds something else now.

        :param what: the construct, for the message
        """
        for title, value, before in self._found:
            if not _are_same(before, _held_by(value)):
                raise ProgramError(_refusal(title, value, before, what), place)

    def _follow_closure(self, function: Any) -> None:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                self._follow(name, cell.cell_contents)
            except ValueError:  # no value yet
                continue

    def _follow(self, title: str, value: Any) -> None:
        if isinstance(value, _ATOMS) or id(value) in self._seen:
            return
        self._seen.add(id(value))
        function = function_of(value)
        if function is not None:
            self._follow_closure(function)
            self._follow(title, getattr(value, "__self__", None))
            return
        held = _held_by(value)
        if held is None:
            return
        if not isinstance(value, (tuple, frozenset)):
            self._found.append((title, value, held))
        for name, x in _parts_of(title, value):
            self._follow(name, x)


def _held_by(value: Any) -> list[Any] | None:
    """Returns what an object holds, in order; None of one that is not looked into."""
    if isinstance(value, dict):
        return [x for pair in value.items() for x in pair]
    if isinstance(value, _CONTAINERS):
        return list(value)
    if isinstance(value, bytearray):
        return [bytes(value)]
    if isinstance(value, types.GeneratorType):
        return [value.gi_frame and value.gi_frame.f_lasti]
    if is_foreign(value):
        return [value.__length_hint__()] if hasattr(value, "__length_hint__") else None
    if has_values(value):  # a tree, which notes its values where it likes
        return None
    return [x for pair in _attributes(value) for x in pair]


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """Returns the attributes of an object that have a value and may be set."""
    found = [x for x in getattr(value, "__dict__", {}).items() if not isinstance(x[1], Undefined)]
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name) and name not in ("__dict__", "__weakref__"):
                found.append((name, getattr(value, name)))
    return found


def _parts_of(title: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from ((title, x) for x in value.values())
    elif isinstance(value, _CONTAINERS):
        yield from ((title, x) for x in value)
    elif not is_foreign(value):
        yield from ((f"{title}.{name}", x) for name, x in _attributes(value))


def _are_same(before: list[Any], now: list[Any] | None) -> bool:
    if now is None or len(before) != len(now):
        return False
    return all(a is b or _is_equal(a, b) for a, b in zip(before, now))


def _is_equal(a: Any, b: Any) -> bool:
    """Says whether two objects are one and the same number or text, or static numbers."""
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
    if is_foreign(value):
        return f"'{title}', a {kind}, changes in {what}, {once}; keep numbers in variables or a list; {advice}"
    old = dict(zip(before[::2], before[1::2]))
    name = next(
        (n for n, x in _attributes(value) if n not in old or not _are_same([old[n]], [x])), ""
    )
    return (
        f"'{title}.{name}' changes in {what}, {once}; "
        f"make {kind} a dataclass, {advice}"
    )
