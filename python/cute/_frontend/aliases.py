"""Objects that variables lead to on both sides of a dynamic branch or loop.

The sides are the two branches of an if, or a loop's begin and the end of an iteration. A
place, such as ``p``, ``p.more`` or ``w[0]``, that has one object on both sides keeps it;
else it gets a new one. Two places that are one object on both sides stay one object. If
they are one object on one side only, then which object they are is known when the program runs.
"""

from __future__ import annotations

import itertools
from typing import Any, Callable, Iterator

from .tree import Spec, held, is_mutable


class Aliases:
    """The pairs of objects that places are on both sides.

    ``original`` returns the object that one stands for.
    """

    def __init__(self, original: Callable[[Any], Any] = lambda value: value):
        self._original = original
        self._other: dict[int, Any] = {}
        self._names: dict[tuple[int, int], set[tuple[str, bool]]] = {}
        self._alive: list[Any] = []
        self._objects: dict[int, Any] = {}

    def pair(self, name: str, one: Spec, other: Spec, is_part: bool = False) -> None:
        """Notes the places of a variable, whose structures match."""
        found = self._original(other.value)
        self._other[id(one)] = found
        self._alive += [one, found]
        if is_mutable(one.value):
            self._objects.update({id(one.value): one.value, id(found): found})
            self._names.setdefault((id(one.value), id(found)), set()).add((name, is_part))
        for a, b in zip(one.children, other.children):
            self.pair(name, a, b, True)

    def same(self, name: str, value: Any) -> None:
        """Notes the places of a variable that is the same on both sides."""
        for x in filter(is_mutable, held(value)):
            self._alive.append(x)
            self._names.setdefault((id(x), id(x)), set()).add((name, x is not value))

    def kept(self, place: Spec) -> bool:
        """Returns whether a place has one object on both sides."""
        return self._other[id(place)] is place.value

    def kept_whole(self, place: Spec) -> bool:
        return self.kept(place) and all(map(self.kept_whole, place.children))

    def key(self, place: Spec) -> tuple[int, int]:
        """Returns what is equal for places that are one object on both sides."""
        return id(place.value), id(self._other[id(place)])

    def keeps(self, value: Any) -> bool:
        """Returns whether an object is in one place on both sides, which hands on its changes."""
        return (id(value), id(value)) in self._names

    def place(self, key: tuple[int, int]) -> tuple[str, list[Any]]:
        """Returns a variable's name and the objects on both sides, of a place's ``key``."""
        return min(self._names[key])[0], [self._objects[i] for i in key]

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Yields the objects on both sides of the places that get new ones."""
        yield from ((self._objects[a], self._objects[b]) for a, b in self._names if a != b)

    def doubtful(self, side: int, changed: set[int] | None = None) -> tuple[str, str] | None:
        """Returns the variables of two places that are one object on a side and two on the other,
        first that which gets a new object; None if there are none.

        :param changed: counts places only if one of these objects is on the other side
        """
        groups: dict[int, list[tuple[int, int]]] = {}
        for pair in self._names:
            groups.setdefault(pair[side], []).append(pair)
        for pairs in groups.values():
            pairs.sort(key=lambda pair: pair[0] == pair[1])
            for one, other in itertools.combinations(pairs, 2):
                if changed is None or not changed.isdisjoint((one[1 - side], other[1 - side])):
                    return min(self._names[one])[0], min(self._names[other])[0]
        return None
