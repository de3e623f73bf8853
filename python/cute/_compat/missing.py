"""What the reference has and this package does not have."""

from __future__ import annotations

from typing import Any


class NotThere(ImportError):
    """A name of `cutlass` that this package does not have."""


class NoSuchName(AttributeError):
    """An attribute of a module of `cutlass` that this package does not have."""


def no_such_name(package: str, name: str, known: Any) -> NoSuchName:
    """Returns the error of a missing name, which names one that is like it. None is like a
    ``__name__``, for which Python and this package ask objects of all kinds."""
    if name.startswith("__"):
        return NoSuchName(f"{package}.{name} is not there in this package")
    import difflib

    close = difflib.get_close_matches(name, [x for x in known if not x.startswith("_")], 1, 0.75)
    advice = f"; did you mean {close[0]}?" if close else ""
    return NoSuchName(f"{package}.{name} is not there in this package{advice}")


def can_find(name: str) -> bool:
    """Returns whether a module of this package is there."""
    import importlib.util

    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False
