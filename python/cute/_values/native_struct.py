"""Structs of numbers and pointers as values, which branches and loops hand on by their fields."""

from __future__ import annotations

import typing
from typing import Any, Iterator

from .._compile import arguments as _arguments
from .numeric import NumericMeta

__all__ = ["make_native_struct", "native_struct"]


def _is_compiled_in(annotation: Any) -> bool:
    constexpr = _arguments.Constexpr
    return annotation is constexpr or typing.get_origin(annotation) is constexpr


def _is_struct(annotation: Any) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "_native_fields")


def _as_field(annotation: Any, value: Any) -> Any:
    """Returns a value as a field's type has it."""
    if isinstance(annotation, NumericMeta):
        return annotation(value)
    if _is_struct(annotation) and not isinstance(value, annotation):
        raise TypeError(f"a field of {annotation.__name__} takes one, not {value!r}")
    return value


def _first(annotation: Any) -> Any:
    """Returns the value of a field that is not given: zeros, None for other types."""
    return annotation(0) if isinstance(annotation, NumericMeta) else (
        annotation() if _is_struct(annotation) else None)


def _text_of(annotation: Any) -> str:
    if _is_struct(annotation):
        return annotation._struct_type().removeprefix("!llvm.")
    return annotation.ir_name if isinstance(annotation, NumericMeta) else "ptr"


class _Struct:
    """What structs have in common."""

    _native_fields: dict[str, Any] = {}
    _constants: tuple[str, ...] = ()
    _packed = False

    def __init__(self, *, loc: Any = None, ip: Any = None, **fields: Any):
        known = (*self._native_fields, *self._constants)
        unknown = sorted(fields.keys() - set(known))
        if unknown:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(unknown)}; it has "
                            + ", ".join(known))
        for name, annotation in self._native_fields.items():
            setattr(self, name, fields.get(name, _first(annotation)))
        for name in self._constants:
            if name in fields:
                setattr(self, name, fields[name])

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._constants:
            object.__setattr__(self, name, value)
        elif name in self._native_fields:
            object.__setattr__(self, name, _as_field(self._native_fields[name], value))
        else:
            raise AttributeError(f"{type(self).__name__} has no field {name}; it has "
                                 + ", ".join((*self._native_fields, *self._constants)))

    def __iter__(self) -> Iterator[Any]:
        return iter(getattr(self, name) for name in self._native_fields)

    @classmethod
    def _struct_type(cls) -> str:
        """The type in the IR."""
        inner = ", ".join(map(_text_of, cls._native_fields.values()))
        return f"!llvm.struct<{'packed ' * cls._packed}({inner})>"


def native_struct(cls: Any = None, *, zero_init: bool = True, packed: bool = False) -> Any:
    """Makes a class with annotations a struct of these fields, made by their names.

    Fields are numbers, pointers, other such structs, or ``Constexpr``, which is compiled in. An
    assignment converts to the field's type, and an object unpacks into its fields. A field that is
    not given is zero.

    :param packed: whether fields follow each other without gaps in the type in the IR
    :raises TypeError: for a class without such fields

    For example::

        @cute.native_struct
        class Range:
            first: Int32
            count: Int32

        part = Range(first=3)
        part.count += 4
        first, count = part
    """
    import dataclasses  # which few programs need

    if cls is None:
        return lambda made: native_struct(made, zero_init=zero_init, packed=packed)
    hints = typing.get_type_hints(cls)
    constants = tuple(name for name, hint in hints.items() if _is_compiled_in(hint))
    fields = {name: hint for name, hint in hints.items() if name not in constants}
    if not fields:
        raise TypeError(f"{cls.__name__} has no fields; write them as 'name: cute.Int32'")
    own = {name: x for name, x in vars(cls).items()
           if name not in ("__dict__", "__weakref__", "__init__", *hints)}
    made = type(cls.__name__, (_Struct, *(b for b in cls.__bases__ if b is not object)), {
        **own, "_native_fields": fields, "_constants": constants, "_packed": packed})
    made.__qualname__ = cls.__qualname__
    made.__annotations__ = hints
    return dataclasses.dataclass(init=False, repr=True, eq=False)(made)


def make_native_struct(
    name: str, *, zero_init: bool = True, packed: bool = False, **fields: Any
) -> type:
    """Returns the class of a struct with these fields, as ``native_struct`` makes it.

    :param fields: types by the fields' names

    >>> pair = make_native_struct("Pair", x=Int32, y=Float32)(x=3, y=0.5)
    >>> pair.x + 1, pair.y
    (4, 0.5)
    """
    return native_struct(type(name, (), {"__annotations__": dict(fields)}), zero_init=zero_init,
                         packed=packed)
