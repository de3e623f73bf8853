"""Instances of dataclasses, without the module ``dataclasses`` until there is one."""

from __future__ import annotations

from typing import Any


def is_record(value: Any) -> bool:
    """Returns whether the value is a dataclass's instance."""
    return not isinstance(value, type) and hasattr(value, "__dataclass_fields__")


def field_names(value: Any) -> tuple[str, ...]:
    """Returns the names of a record's fields."""
    import dataclasses

    return tuple(field.name for field in dataclasses.fields(value))


def attribute_names(value: Any) -> tuple[str, ...]:
    """Returns the names of a record's fields, and of what else was set of it; of another object's
    attributes."""
    import functools

    names = field_names(value) if is_record(value) else ()
    more = getattr(value, "__dict__", {}).keys() - set(names)
    cached = functools.cached_property
    kept = [n for n in more if not isinstance(getattr(type(value), n, None), cached)]
    return names + tuple(sorted(kept))
