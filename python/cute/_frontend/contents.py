"""The contents of Python's objects, to tell whether they have changed."""

from __future__ import annotations

import gc
import itertools
import types
import zlib
from collections import deque
from collections.abc import Iterator
from typing import Any

CONTAINERS = (list, tuple, dict, set, frozenset, deque)
# Iterators whose position cannot be seen.
_HIDDEN = (itertools.cycle, itertools.product, itertools.permutations, itertools.combinations,
           itertools.combinations_with_replacement, type(itertools.tee(())[0]))


def held_by_container(value: Any) -> list[Any] | None:
    """Returns the contents of a container of Python, in order; None of another object."""
    if isinstance(value, dict):
        return [x for pair in value.items() for x in pair]
    return list(value) if isinstance(value, CONTAINERS) else None


def held_by_foreign(value: Any) -> list[Any] | None:
    """Returns what an object of Python's library, numpy or torch holds, in numbers and
    texts; None of one that is not looked into.

    An iterator whose place cannot be seen holds what is never the same twice.
    """
    home = type(value).__module__
    for name in ("getvalue", "getstate") if home in ("_io", "random") else ():
        if hasattr(value, name):
            return [repr(getattr(value, name)())]
    if isinstance(value, types.SimpleNamespace):
        return [x for pair in vars(value).items() for x in pair]
    if isinstance(value, Iterator):
        return _place_of(value) if home != "_io" else None
    if hasattr(value, "__array_interface__") and hasattr(value, "tobytes"):
        return [zlib.crc32(value.tobytes()), str(getattr(value, "shape", ""))]
    if isinstance(value, (bytearray, memoryview)) or home == "array":
        return [zlib.crc32(bytes(value))]
    version = getattr(value, "_version", None) if home.startswith("torch") else None
    return None if version is None else [version]  # torch counts changes of a tensor


def _place_of(iterator: Iterator[Any]) -> list[Any]:
    """Returns the state that changes with each item of an iterator."""
    if isinstance(iterator, _HIDDEN):
        return [object()]
    if hasattr(iterator, "__length_hint__"):
        return [iterator.__length_hint__()]
    if isinstance(iterator, itertools.count):
        return [repr(iterator)]
    held: list[Any] = []
    if isinstance(iterator, types.GeneratorType):
        held.append(iterator.gi_frame and iterator.gi_frame.f_lasti)
    parts = gc.get_referents(iterator)
    parts += [x for part in parts if isinstance(part, tuple) for x in part]  # of zip
    for part in parts:
        held.append(part)
        if isinstance(part, Iterator):
            held += _place_of(part)
    return held
