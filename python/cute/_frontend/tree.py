"""Trees of values: how they come apart into leaves, and together again.

Tuples, lists, dicts, named tuples, dataclasses and objects that have
``__extract_mlir_values__`` and ``__new_from_mlir_values__`` are nodes. Leaves
are numbers, SSA values of such objects, and anything else, which is static.
"""

from __future__ import annotations

import contextlib
import threading
from enum import Enum
from typing import Any, Callable, Iterator

from . import builder as _builder
from .environment import function_of, is_foreign
from .errors import ProgramError
from .._values.numeric import Numeric, as_numeric
from .records import attribute_names, is_record


class Undefined:
    """Stands for a variable that has no value; every use of it is an error."""

    def __init__(self, reason: str):
        object.__setattr__(self, "_reason", reason)

    def _fail(self, *args: Any, **kwargs: Any) -> Any:
        raise ProgramError(object.__getattribute__(self, "_reason"))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._fail()


for _name in (
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow "
    "rpow and rand or ror xor rxor lshift rlshift rshift rrshift neg pos invert "
    "abs lt le gt ge eq ne bool int float index len iter getitem setitem call str "
    "setattr contains"
).split():
    setattr(Undefined, f"__{_name}__", Undefined._fail)
Undefined.__hash__ = object.__hash__
del _name


class SsaLeaf:
    """An SSA value of an object, with the IR's type."""

    __slots__ = ("value", "type")

    def __init__(self, value: Any):
        self.value = value
        self.type = _builder.require("a value of the program").type_of(value)


class Spec:
    """How a value is made of leaves: of children, or ``count`` leaves.

    ``noted`` are the attributes that an object had when its values were taken: classes
    of users note there how many values belong to which attribute.
    """

    __slots__ = ("kind", "value", "children", "keys", "count", "noted")

    def __init__(
        self, kind: str, value: Any, children: list[Spec], keys: tuple[Any, ...] = (),
        count: int = 1,
    ):
        self.kind, self.value, self.children = kind, value, children
        self.keys, self.count = keys, count
        self.noted = dict(getattr(value, "__dict__", ())) if kind == "object" else {}

    def matches(self, other: Spec) -> bool:
        """Returns whether both have the same structure."""
        if self.kind != other.kind or self.keys != other.keys:
            return False
        if self.kind != "leaf" and type(self.value) is not type(other.value):
            return False
        if self.kind == "object" and _signature(self.value) != _signature(other.value):
            return False
        if self.count != other.count or len(self.children) != len(other.children):
            return False
        return all(a.matches(b) for a, b in zip(self.children, other.children))


    def is_of(self, other: Spec) -> bool:
        """Returns whether both have the same objects as nodes."""
        return (self.kind == other.kind and (self.kind == "leaf" or self.value is other.value)
                and len(self.children) == len(other.children)
                and all(a.is_of(b) for a, b in zip(self.children, other.children)))


def _signature(value: Any) -> Any:
    signature = getattr(value, "__cute_signature__", None)
    return signature() if signature else None


def has_values(value: Any) -> bool:
    """Returns whether the object says itself how it is flattened."""
    return (
        not isinstance(value, (type, Numeric, Undefined))
        and hasattr(value, "__extract_mlir_values__")
        and hasattr(value, "__new_from_mlir_values__")
    )


def fields_of(value: Any) -> dict[Any, Any]:
    """Returns the fields that can be set on an object such as a tiled MMA."""
    if isinstance(value, type):
        return {}
    return getattr(value, "__cute_fields__", None) or {}


def is_node(value: Any) -> bool:
    """Returns whether a value's attributes are parts of it: of a record's, and with
    ``FrontendNext`` of an object of any class of users."""
    if is_record(value):
        return True
    if not getattr(_builder.current(), "carries_objects", False):
        return False
    kind = type(value)
    is_object = hasattr(value, "__dict__") and not isinstance(value, (type, Enum, Undefined))
    return is_object and function_of(value) is None and not is_foreign(value) and not (
        has_values(value) or getattr(kind, "__cute_immutable__", False))


def flatten(value: Any) -> tuple[list[Any], Spec]:
    """Returns the leaves of a value in order, and how they belong together."""
    leaves: list[Any] = []
    return leaves, _flatten(value, leaves, ())


def _flatten(value: Any, leaves: list[Any], around: tuple[Any, ...]) -> Spec:
    if isinstance(value, (tuple, list)):
        return Spec("sequence", value, [_flatten(x, leaves, around) for x in value])
    if isinstance(value, dict):
        children = [_flatten(x, leaves, around) for x in value.values()]
        return Spec("dict", value, children, tuple(value))
    fields = fields_of(value)
    if fields:
        children = [_flatten(as_numeric(x), leaves, around) for x in fields.values()]
        return Spec("fields", value, children, tuple(fields))
    if has_values(value):
        values = list(value.__extract_mlir_values__())
        if values:
            leaves += [SsaLeaf(x) for x in values]
            return Spec("object", value, [], count=len(values))
    elif is_node(value) and all(x is not value for x in around):
        names = attribute_names(value)
        children = [_flatten(getattr(value, n), leaves, (*around, value)) for n in names]
        return Spec("record", value, children, names)
    leaves.append(value)
    return Spec("leaf", value, [])


def unflatten(
    spec: Spec, leaves: Iterator[Any], in_place: Callable[[Spec], bool],
    once: Callable[[Spec, Any], Any] = lambda spec, made: made,
) -> Any:
    """Returns the value that ``spec`` describes, made of other leaves.

    Nodes that can change and for which ``in_place`` holds are changed; others
    are new. ``once`` gets the node and its value, and returns the object that takes its place.
    """
    if spec.kind == "leaf":
        return next(leaves)
    if spec.kind == "object":
        taken = [next(leaves) for _ in range(spec.count)]
        raw = [x.value if isinstance(x, SsaLeaf) else x for x in taken]
        return once(spec, _put_object(spec, raw, in_place(spec)))
    children = [unflatten(child, leaves, in_place, once) for child in spec.children]
    return once(spec, _put(spec, children, in_place(spec)))


def _put(spec: Spec, children: list[Any], in_place: bool) -> Any:
    if spec.kind == "record":
        return _put_record(spec, children, in_place)
    if spec.kind == "fields":
        target = spec.value if in_place else _copy(spec.value)
        if target is not spec.value:
            target.fields = {}
        target.fields.update(zip(spec.keys, children))
        return target
    if spec.kind == "dict":
        target = spec.value if in_place else type(spec.value)()
        target.update(zip(spec.keys, children))
        return target
    return _put_sequence(spec.value, children, in_place)


def _copy(value: Any) -> Any:
    import copy

    return copy.copy(value)


def _put_sequence(value: Any, children: list[Any], in_place: bool) -> Any:
    if isinstance(value, list):
        if in_place:
            _note_list(value)
            value[:] = children
            return value
        return type(value)(children)
    if all(a is b for a, b in zip(value, children)):
        return value
    if hasattr(value, "_make"):
        return value._make(children)
    return type(value)(children)


def _put_record(spec: Spec, children: list[Any], in_place: bool) -> Any:
    value = spec.value
    if is_mutable(value) and in_place:
        _note(value)
        for name, child in zip(spec.keys, children):
            setattr(value, name, child)
        return value
    made = object.__new__(type(value))
    for name, child in zip(spec.keys, children):
        object.__setattr__(made, name, child)
    return made


def _put_object(spec: Spec, raw: list[Any], in_place: bool) -> Any:
    value = spec.value
    for name in spec.noted.keys() - getattr(value, "__dict__", spec.noted).keys():
        value.__dict__[name] = spec.noted[name]
    made = value.__new_from_mlir_values__(raw)
    if in_place and is_mutable(value) and hasattr(made, "__dict__"):
        _note(value)
        value.__dict__.clear()
        value.__dict__.update(made.__dict__)
        return value
    return made


class _Journals(threading.local):
    """The changes in place since branches began, one within the other."""

    def __init__(self) -> None:
        self.open: list[list[Callable[[], None]]] = []


_journals = _Journals()


def _note(value: Any) -> None:
    """Notes the fields of an object as they are, to which they go back where a branch ends."""
    if _journals.open:
        _keep_fields(value, _journals.open[-1])


def _note_list(value: list[Any]) -> None:
    if _journals.open:
        before = list(value)
        _journals.open[-1].append(lambda: value.__setitem__(slice(None), before))


@contextlib.contextmanager
def put_back() -> Iterator[None]:
    """Restores objects that are changed in place meanwhile, whoever has them, including
    objects that only a function holds."""
    _journals.open.append([])
    try:
        yield
    finally:
        for restore in reversed(_journals.open.pop()):
            restore()


def is_mutable(value: Any) -> bool:
    """Returns whether the value itself can change while it is the same object."""
    if isinstance(value, (list, dict)):
        return True
    if is_record(value):
        return not type(value).__dataclass_params__.frozen
    if getattr(value, "__cute_immutable__", False):
        return False
    return has_values(value) and hasattr(value, "__dict__") or is_node(value)


def snapshot(value: Any) -> list[Callable[[], None]]:
    """Returns a function that restores a tree's objects to their present state."""
    restorers: list[Callable[[], None]] = []
    _snapshot(value, restorers, set())
    return restorers


def _snapshot(value: Any, restorers: list[Any], seen: set[int]) -> None:
    if id(value) in seen or isinstance(value, (Numeric, Undefined)):
        return
    seen.add(id(value))
    children: Any = ()
    if isinstance(value, list):
        children = list(value)
        restorers.append(lambda: value.__setitem__(slice(None), children))
    elif isinstance(value, tuple):
        children = value
    elif isinstance(value, dict):
        children = _keep(value, restorers)
    elif fields_of(value):
        children = _keep(fields_of(value), restorers)
    elif is_mutable(value):
        children = _keep_fields(value, restorers)
    for child in children:
        _snapshot(child, restorers, seen)


def held(value: Any) -> list[Any]:
    """Returns the objects of a tree, in order: an unchanged tree has the same ones."""
    found: list[Any] = []
    _hold(value, found, set())
    return found


def _hold(value: Any, found: list[Any], seen: set[int]) -> None:
    found.append(value)
    if id(value) in seen or isinstance(value, (Numeric, Undefined)):
        return
    seen.add(id(value))
    children: Any = ()
    if isinstance(value, (list, tuple)):
        children = value
    elif isinstance(value, dict):
        children = value.values()
    elif fields_of(value):
        children = fields_of(value).values()
    elif is_mutable(value):
        children = (value.__dict__.values() if hasattr(value, "__dict__") else
                    [getattr(value, name) for name in attribute_names(value)])
    for child in children:
        _hold(child, found, seen)


def _keep_fields(value: Any, restorers: list[Any]) -> list[Any]:
    """Keeps the fields of an object: its ``__dict__``, or the slots of a dataclass."""
    if hasattr(value, "__dict__"):
        return _keep(value.__dict__, restorers)
    kept = {name: getattr(value, name) for name in attribute_names(value)}
    restorers.append(lambda: [setattr(value, name, x) for name, x in kept.items()])
    return list(kept.values())


def _keep(mapping: dict[Any, Any], restorers: list[Any]) -> list[Any]:
    kept = dict(mapping)

    def restore() -> None:
        mapping.clear()
        mapping.update(kept)

    restorers.append(restore)
    return list(kept.values())


def extract_mlir_values(obj: Any) -> list[Any]:
    """Returns the SSA values of a tree; static leaves have none."""
    values = []
    for leaf in flatten(obj)[0]:
        if isinstance(leaf, SsaLeaf):
            values.append(leaf.value)
        elif isinstance(leaf, Numeric):
            values.append(leaf.ir_value())
    return values


def _for_call(value: Any, method: str) -> list[Any]:
    """Returns the results of a method of the parts of an argument, in order."""
    if hasattr(value, method) and not isinstance(value, type):
        return list(getattr(value, method)())
    if isinstance(value, dict):
        value = list(value.values())
    elif is_record(value):
        value = [getattr(value, name) for name in attribute_names(value)]
    parts = value if isinstance(value, (tuple, list)) else ()
    return [x for part in parts for x in _for_call(part, method)]


def get_mlir_types(value: Any) -> list[Any]:
    """Returns the types of an object's SSA values, or of an argument's passed parts."""
    if _builder.current() is not None and not hasattr(value, "__get_mlir_types__"):
        return [x.type for x in extract_mlir_values(value)]
    return _for_call(value, "__get_mlir_types__")


def get_c_pointers(value: Any) -> list[Any]:
    """Returns the addresses of an argument's passed parts, in order."""
    return _for_call(value, "__c_pointers__")


def new_from_mlir_values(obj: Any, values: list[Any]) -> Any:
    """Returns a tree like ``obj`` that is made of other SSA values."""
    if hasattr(obj, "__get_mlir_types__"):
        return obj.__new_from_mlir_values__(list(values))  # an argument of a function
    rest = iter(values)

    def replaced(leaf: Any) -> Any:
        if isinstance(leaf, SsaLeaf):
            return SsaLeaf(next(rest))
        return type(leaf)(next(rest)) if isinstance(leaf, Numeric) else leaf

    leaves, spec = flatten(obj)
    made = unflatten(spec, iter([replaced(x) for x in leaves]), lambda x: False)
    if next(rest, None) is not None:
        raise ValueError(f"{len(values)} values are more than {obj!r} holds")
    return made
