"""Instances of dataclasses, without the module ``dataclasses`` until there is one."""

from __future__ import annotations

from typing import Any


def is_record(value: Any) -> bool:
    """Says whether the value is a dataclass's instance."""
    return not isinstance(value, type) and hasattr(value, "__dataclass_fields__")


def field_names(value: Any) -> tuple[str, ...]:
    """Returns the names of a record's fields."""
    import dataclasses

    return tuple(field.name for field in dataclasses.fields(value))
