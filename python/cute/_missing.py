"""What the reference has and this package does not have."""

from __future__ import annotations


class NotThere(ImportError):
    """A name of `cutlass` that this package does not have."""


class NoSuchName(AttributeError):
    """An attribute of a module of `cutlass` that this package does not have."""


def can_find(name: str) -> bool:
    """Says whether a module of this package is there."""
    import importlib.util

    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False
