"""The inputs of a traced function besides its arguments: globals, closures, attributes.

Compiled code is right while these are as they were. The names in the code of a function,
and of its callees, tell which they may be: globals, cells of closures, attributes
of modules, classes and objects. What ``getattr`` finds by a computed name is not seen.
"""

from __future__ import annotations

import opcode
import operator
import os
import sys
import types
from enum import Enum
from typing import Any, Iterable, Iterator

from .contents import held_by_container, held_by_foreign
from .errors import ProgramError
from .._values.numeric import Numeric
from .records import field_names, is_record

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_FOREIGN = frozenset(sys.stdlib_module_names) - {"__main__"} | frozenset(
    ("cute", "cutlass", "cuda", "torch", "numpy", "jax", "triton", "ml_dtypes")
)
_PLAIN = (bool, int, float, complex, str, bytes, type(None), Enum)
_MISSING = object()
_EXTENDED, _LOAD_GLOBAL, _LOAD_NAME = (
    opcode.opmap[name] for name in ("EXTENDED_ARG", "LOAD_GLOBAL", "LOAD_NAME")
)


def freeze(value: Any) -> Any:
    """Returns what two values share exactly where code compiled for one fits the other.

    Numbers count with their types, and 0.0 is not -0.0. Lists, tuples, sets, dicts and
    dataclasses are taken by what they hold, objects that have no hash by identity.
    """
    if isinstance(value, float):
        return float, repr(value)
    if isinstance(value, Numeric) and not value.is_static:
        return type(value), id(value.value)
    if isinstance(value, (list, tuple)):
        return (type(value), *map(freeze, value))
    if isinstance(value, dict):
        return (type(value), *((freeze(k), freeze(x)) for k, x in value.items()))
    if isinstance(value, set):
        return type(value), frozenset(map(freeze, value))
    if is_record(value):
        parts = (getattr(value, name, None) for name in field_names(value))
        return (type(value), *map(freeze, parts))
    if type(value).__hash__ is None or hasattr(value, "__dlpack__"):
        return "id", id(value), type(value)
    return type(value), value


class _Read:
    """A place that a function reads: a key of a dict, or a cell; and what was there."""

    __slots__ = ("owner", "name", "title", "value", "accepted", "items")

    def __init__(self, owner: Any, name: str, title: str):
        self.owner, self.name, self.title = owner, name, title
        self.value = self.now()
        self.accepted = [freeze(self.value)]
        self.items: Any = None

    def now(self) -> Any:
        if isinstance(self.owner, types.CellType):
            try:
                return self.owner.cell_contents
            except ValueError:
                return _MISSING
        return self.owner.get(self.name, _MISSING)

    def settle(self) -> bool:
        """Accepts what is there now as well; false of a list or the like that changed
        meanwhile, which tracing writes to."""
        before, self.value = self.value, self.now()
        self.accepted.append(freeze(self.value))
        if isinstance(self.value, list) and all(map(_is_fixed, self.value)):
            self.items = list(self.value)
        return before is not self.value or self.accepted[0] == self.accepted[1]

    def is_same(self) -> bool:
        """Returns whether the present value is one of the accepted ones."""
        value, items = self.now(), self.items
        if value is self.value and items is not None and len(items) == len(value):
            if all(map(operator.is_, items, value)):
                return True
        return freeze(value) in self.accepted


class Environment:
    """The inputs of a function besides its arguments, as they were when it was traced."""

    def __init__(self) -> None:
        self._reads: list[_Read] = []
        self._seen: set[Any] = set()
        self._kept: list[Any] = []  # whose numbers are in _seen
        self._globals: set[str] = set()
        self._names: set[str] = set()
        self._mappings: list[tuple[str, Any]] = []
        self._fast: list[tuple[Any, str, Any]] = []
        self._slow: list[_Read] = []

    def add(self, function: Any, arguments: Iterable[Any] = ()) -> None:
        """Adds the values of the names in a function and its callees.

        :param arguments: values that are compiled in, whose attributes count
        """
        self._add_function(function)
        for value in arguments:
            self._add_value("", value)
        count = -1
        while count != len(self._names):
            count = len(self._names)
            for title, mapping in list(self._mappings):
                self._add_attributes(title, mapping)

    def settle(self) -> None:
        """Accepts what tracing itself left there, and prepares ``holds``."""
        self._reads = [read for read in self._reads if read.settle()]
        for read in self._reads:
            is_key = not isinstance(read.owner, types.CellType)
            if is_key and _is_fixed(read.value):
                self._fast.append((read.owner, read.name, read.value))
            else:
                self._slow.append(read)

    def holds(self) -> bool:
        """Returns whether all is as it was."""
        for owner, name, value in self._fast:
            if owner.get(name, _MISSING) is not value:
                return self._holds_exactly()
        for read in self._slow:
            if not read.is_same():
                return False
        return True

    def _holds_exactly(self) -> bool:
        return all([read.is_same() for read in self._reads])

    # ---- What a construct changes ----

    def contents(self) -> list[Any]:
        """Returns the numbers at these places, and what lists and dicts there hold."""
        return [_contents_of(read.now()) for read in self._reads]

    def check(self, before: list[Any], what: str, place: tuple[str, int, int]) -> None:
        """Raises where a dynamic construct has changed what no variable of it holds.

        :param before: ``contents`` at its start
        """
        for read, old in zip(self._reads, before):
            if not _is_same(old, _contents_of(read.now())):
                raise ProgramError(
                    f"{read.title} changes in {what}, but Python changes it at once and "
                    "for good: make it a variable of the function, return it from the "
                    "helper, or make the condition static (Constexpr)",
                    place,
                )

    # ---- What is read ----

    def _is_new(self, *key: Any) -> bool:
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _add_function(self, function: Any) -> None:
        code = function.__code__
        if not self._is_new(id(function)) or code.co_filename.startswith(_PACKAGE):
            return
        self._kept.append(function)
        read, named = _names_in(code)
        self._names |= named
        for name in read & function.__globals__.keys():
            self._add_place(function.__globals__, name, name)
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            self._add_place(cell, name, name)

    def _add_place(self, owner: Any, name: str, title: str) -> None:
        if not self._is_new(id(owner), name):
            return
        self._kept.append(owner)
        read = _Read(owner, name, title)
        if isinstance(read.value, types.ModuleType):
            if read.value.__name__.partition(".")[0] not in _FOREIGN:
                self._add_mapping(title, read.value.__dict__)
            return
        self._reads.append(read)
        self._add_value(title, read.value)

    def _add_mapping(self, title: str, mapping: Any) -> None:
        self._mappings.append((title, mapping))
        self._add_attributes(title, mapping)

    def _add_attributes(self, title: str, mapping: Any) -> None:
        for name in self._names & mapping.keys():
            self._add_place(mapping, name, f"{title}.{name}" if title else name)

    def _add_value(self, title: str, value: Any) -> None:
        """Adds the parts of a value that a function may read."""
        function = function_of(value)
        if isinstance(value, _HOLDERS):
            for x in value.values() if isinstance(value, dict) else value:
                self._add_value(title, x)
        elif isinstance(value, _PLAIN) or is_foreign(function or value):
            return
        elif function is not None:
            self._add_function(function)
            self._add_value(title, getattr(value, "__self__", None))
        elif self._is_new(id(value)):
            self._kept.append(value)
            kind = value if isinstance(value, type) else type(value)
            for base in kind.__mro__:
                if not is_foreign(base):
                    self._add_mapping(base.__name__, base.__dict__)
            if kind is not value:
                self._add_mapping(title or "self", getattr(value, "__dict__", {}))


_HOLDERS = (list, tuple, dict, set)


def _is_fixed(value: Any) -> bool:
    """Returns whether a value is the same for compiled code while it is the same object."""
    if isinstance(value, tuple):
        return all(map(_is_fixed, value))
    return not isinstance(value, _HOLDERS) and not is_record(value)


def function_of(value: Any) -> Any:
    """Returns the user's function behind a value, or None."""
    for name in ("function", "__func__", "fget"):
        value = value if isinstance(value, types.FunctionType) else getattr(value, name, value)
    return value if isinstance(value, types.FunctionType) else None


def is_foreign(value: Any) -> bool:
    """Returns whether a function, class or object is of a package that does not change."""
    named = value if isinstance(value, (type, types.FunctionType)) else type(value)
    module = getattr(named, "__module__", None) or "builtins"
    return module.partition(".")[0] in _FOREIGN


_SHIFT = 1 if sys.version_info >= (3, 11) else 0


def _names_in(code: types.CodeType) -> tuple[set[str], set[str]]:
    """Returns the globals that code and the functions in it read, and all its names."""
    read, named, extended = set(), set(code.co_names), 0
    for op, arg in zip(code.co_code[::2], code.co_code[1::2]):
        extended = extended << 8 | arg
        if op == _EXTENDED:
            continue
        if op == _LOAD_GLOBAL:
            read.add(code.co_names[extended >> _SHIFT])
        elif op == _LOAD_NAME:
            read.add(code.co_names[extended])
        extended = 0
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            inner = _names_in(constant)
            read, named = read | inner[0], named | inner[1]
    return read, named


_WITHOUT_CONTENTS = (str, type, type(None), types.FunctionType, types.BuiltinFunctionType)


def _contents_of(value: Any) -> Any:
    if isinstance(value, _WITHOUT_CONTENTS):
        return None
    if isinstance(value, (bool, int, float, Numeric)):
        return (value,)
    held = held_by_container(value)
    return held if held is not None or not is_foreign(value) else held_by_foreign(value)


def _is_same(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(
        x is y or freeze(x) == freeze(y) for x, y in zip(a, b)
    )
