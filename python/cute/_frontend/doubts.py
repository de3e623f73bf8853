"""Objects that may be one, which is known when the program runs.

Where a dynamic branch, choice or loop gives a place one object or another, the place gets a
new one. A later change of it would reach none of these, and a change of one of these would
not reach it; where both are needed, that is an error. ``variables`` tells what is needed.
"""

from __future__ import annotations

import enum
import types
from typing import TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple

from . import builder as _builder
from .contents import CONTAINERS, held_by_container
from .environment import function_of, is_foreign
from .errors import ProgramError
from .records import attribute_names, is_record
from .tree import Undefined, fields_of, has_values, is_mutable
from .._values.numeric import Numeric

if TYPE_CHECKING:
    from .variables import Variable

Place = tuple[str, int, int]
_ATOMS = (bool, int, float, complex, str, bytes, range, slice, type(None), Numeric, Undefined,
          types.ModuleType, type)


def contents(value: Any) -> list[Any]:
    """Returns what an object holds, in order, without what its parts hold."""
    held = held_by_container(value)
    if held is not None:
        return held
    if is_record(value):
        return [getattr(value, name, None) for name in attribute_names(value)]
    return [*getattr(value, "__dict__", {}).values(), *fields_of(value).values()]


def _taken(value: Any) -> list[Any]:
    """Returns an object's contents, once it has noted what it does as it is flattened."""
    if has_values(value):
        value.__extract_mlir_values__()
    return contents(value)


def has_changed(before: list[Any], now: list[Any]) -> bool:
    """Returns whether contents are others: other objects, numbers or values of the program."""
    return len(before) != len(now) or not all(map(_is_same, before, now))


def _is_same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Undefined):
        return False
    if isinstance(a, Numeric):
        return a.is_static == b.is_static and bool(a.value == b.value)
    if isinstance(a, (bool, int, float, str, bytes)):
        return a == b
    if isinstance(a, list):
        return all(isinstance(x, (bool, int, float, str)) for x in (*a, *b)) and a == b
    if isinstance(a, tuple) or has_values(a) and not is_mutable(a):
        return not has_changed(contents(a), contents(b))
    return hasattr(a, "value") and type(a.value) is not property and not is_mutable(a) and (
        bool(a.value == b.value))


def reached(variable: Variable) -> Iterator[Any]:
    """Yields the objects that a variable leads to and that can change."""
    value, seen = variable.value, set[int]()
    todo = [value]
    while todo:
        x = todo.pop()
        if isinstance(x, _ATOMS) or id(x) in seen:
            continue
        seen.add(id(x))
        if is_mutable(x):
            yield x
        parts = _parts(x)
        if x is value and variable.replaced:
            parts = [part for name, part in getattr(x, "__dict__", {}).items()
                     if name != variable.replaced]
        todo += parts


def _parts(value: Any) -> list[Any]:
    function = function_of(value)
    if function is not None:
        return [getattr(value, "__self__", None),
                *(cell.cell_contents for cell in function.__closure__ or () if _is_full(cell))]
    if is_mutable(value) or isinstance(value, CONTAINERS) or not is_foreign(value):
        return contents(value)
    return []


def _is_full(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _needed(**options: Any) -> Iterator[Variable]:
    from .variables import needed

    return needed(**options)


class _Doubt(NamedTuple):
    """Two objects that may be one; ``before`` are their contents, ``error`` says what to do."""

    objects: tuple[Any, Any]
    before: list[list[Any]]
    error: ProgramError


class Doubts:
    """The objects of a program under construction that may be one."""

    def __init__(self) -> None:
        self.open: list[_Doubt] = []
        self.made: list[tuple[str, Any, list[Any]]] = []  # new objects, their names and contents
        # A new object, the objects on each side of its construct, and which construct made it.
        self._made: dict[int, tuple[Any, list[list[Any]], object]] = {}

    def may_be(self, *values: Any) -> set[int]:
        """Returns the numbers of the objects that some may be: themselves, or what they stand for."""
        found, todo = set[int](), list(values)
        while todo:
            value = todo.pop()
            if id(value) not in found:
                found.add(id(value))
                _, sides, _ = self._made.get(id(value), (None, [], None))
                todo += [x for side in sides for x in side]
        return found

    def _may_be_one(self, a: Any, b: Any) -> bool:
        one, other = self._made.get(id(a)), self._made.get(id(b))
        if one and other and one[2] is other[2]:
            return any(not self.may_be(*x).isdisjoint(self.may_be(*y))
                       for x, y in zip(one[1], other[1]))
        return not self.may_be(a).isdisjoint(self.may_be(b))

    def stand_for(self, value: Any, other: Any) -> None:
        """Notes that a loop's body has an object in place of another, or of one more."""
        if value is not other:
            self._made.setdefault(id(value), (value, [[]], object()))[1][0].append(other)

    def arise(self, made: Iterable[tuple[str, Any, list[Any]]], what: str, place: Place) -> None:
        """Notes new objects: the variable's name, the object, and the one on each side.

        Whatever else is needed later and may be one of them must not change."""
        made = [(name, value, sides) for name, value, sides in made
                if all(value is not side for side in sides)]
        construct = object()
        for _, value, sides in made:
            self._made[id(value)] = value, [[side] for side in sides], construct
        self.made += [(name, value, _taken(value)) for name, value, _ in made]
        for variable in _needed() if made else ():
            for other in reached(variable):
                for name, value, _ in made:
                    if other is not value and self._may_be_one(other, value):
                        error = doubt(name, variable.title, what, place)
                        pair = value, other
                        self.open.append(_Doubt(pair, list(map(_taken, pair)), error))

    def settle(self, count: int = 0) -> None:
        """Raises where one of two objects that may be one has changed, and forgets all but the
        first ``count`` pairs."""
        for found in self.open:
            if any(map(has_changed, found.before, map(contents, found.objects))):
                raise found.error
        del self.open[count:]

    def rebase(self) -> list[_Doubt]:
        """Lets the objects begin as they are now, as in a loop's body, and returns the pairs
        as they were."""
        before, self.open = self.open, [
            x._replace(before=list(map(_taken, x.objects))) for x in self.open]
        return before


def doubts() -> Doubts:
    """Returns the doubts of the program that is being traced."""
    builder: Any = _builder.require("a dynamic branch")
    found = getattr(builder, "doubts", None)
    if found is None:
        found = builder.doubts = Doubts()
    return found


def doubt(name: str, other: str, what: str, place: Place) -> ProgramError:
    """Returns the error of two variables that are one object or two, which nobody knows yet.

    :param other: in quotes
    """
    return ProgramError(
        f"'{name}' is another object after the dynamic {what}, but {other} leads to "
        "the one before, so that later changes would reach only one of them; change "
        f"them before the {what}, or assign a copy before it", place)


class Stands(enum.Enum):
    """How an object stands to the one before a construct: it is it, stands for it, or is it while
    another stands for it; or an inner construct made it, and it may be one before."""

    ITSELF = 0
    FOR_ANOTHER = 1
    BESIDE = 2
    NEW = 3


class Changes:
    """What a branch or an iteration changes of objects that variables had before it."""

    def __init__(self, objects: Iterable[tuple[str, Any, Stands, Any]]):
        """Takes a variable's name, an object, how it stands to one before, and that one."""
        self._before = [(x, _taken(x), (name, how, original, x))
                        for name, x, how, original in objects]
        self._changed: list[tuple[str, Stands, Any, Any]] = []
        self._count = len(doubts().made)

    def note(self) -> None:
        """Notes which have changed now."""
        made, self._count = doubts().made[self._count:], len(doubts().made)
        new = [(x, before, (name, Stands.NEW, x, x)) for name, x, before in made]
        self._changed += [found for x, before, found in [*self._before, *new]
                          if has_changed(before, contents(x))]

    def originals(self) -> set[int]:
        """Returns the objects before that have changed, or that one that has changed stands for."""
        return {id(original) for _, _, original, _ in self._changed}

    def check(self, keeps: Any, own: dict[str, bool], what: str, place: Place) -> None:
        """Raises where a variable that is needed later leads to an object that has changed, and
        would not be told.

        :param keeps: returns whether an object gets its changes after the construct
        :param own: the construct's variables, which it hands on; whether it assigns them
        """
        lost = [(name, how, keeps(original), doubts().may_be(x))
                for name, how, original, x in self._changed
                if how is not Stands.ITSELF or not keeps(original)]
        for variable in _needed(at_start=True) if lost else ():
            found = {id(x) for x in reached(variable)}
            for name, how, is_kept, objects in lost:
                is_told = how is Stands.FOR_ANOTHER and is_kept and not variable.is_read
                if not variable.caller:
                    is_told = is_told or own.get(variable.name, False) or variable.name == name
                if not objects.isdisjoint(found) and not is_told:
                    raise _loss(name, variable.title, what, place)


def _loss(name: str, other: str, what: str, place: Place) -> ProgramError:
    return ProgramError(
        f"the dynamic {what} changes an object by the name '{name}' that {other} leads to as "
        f"well, and that would not reach {other}; change it by the name {other}, or let "
        f"'{name}' be a copy before the {what}", place)
