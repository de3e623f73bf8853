"""Goes through all orders in which tasks can run: deadlocks, and memory that resources share.

``TaskManager`` runs the schedules in one order, which finds deadlocks. Where resources overlap in
memory (``MemoryResource.physical_ranges``), the order decides whether one is written while the
other is in use; ``check_all_interleavings`` finds such orders.
"""

from __future__ import annotations

import collections
import dataclasses
from typing import Any, Iterator

from ._verify import _Simulation
from .resources import MemoryResource
from .schedule_builder import STEPS, Step

__all__ = ["CheckResult", "DeadlockInfo", "RaceInfo", "build_alias_info", "check_all_interleavings"]

AliasMap = dict[int, set[int]]


@dataclasses.dataclass
class DeadlockInfo:
    """How far each task has come, and (task, resource, step) of the tasks that wait."""

    cursors: tuple[int, ...]
    blocked_tasks: list[tuple[str, str, str]]


@dataclasses.dataclass
class RaceInfo:
    """A task writes a resource, and another one overlaps it in memory.

    :ivar victim_access: "write", "read", or "data" that nobody has read yet
    """

    cursors: tuple[int, ...]
    writer_task: str
    writer_resource: str
    victim_task: str
    victim_resource: str
    victim_access: str
    overlap_desc: str


@dataclasses.dataclass
class CheckResult:
    """What was found in all orders.

    :ivar hit_state_limit: whether there are more orders than were looked at
    """

    deadlock_states: list[DeadlockInfo]
    race_states: list[RaceInfo]
    states_explored: int
    complete_count: int
    is_safe: bool
    hit_state_limit: bool = False


def build_alias_info(
    resources: list[MemoryResource],
) -> tuple[AliasMap, AliasMap, AliasMap, dict[tuple[int, int], str]]:
    """Returns which resources overlap, by their ``id``: all, seen by producers, seen by consumers
    (the same here), and the overlaps in words."""
    found: AliasMap = {}
    words: dict[tuple[int, int], str] = {}
    for a in resources:
        for b in resources:
            common = [] if a is b else [
                (space, max(first, start), min(end, stop))
                for space, first, end in a.physical_ranges()
                for other, start, stop in b.physical_ranges() if other == space]
            common = [x for x in common if x[1] < x[2]]
            if common:
                found.setdefault(id(a), set()).add(id(b))
                words[id(a), id(b)] = ", ".join(f"{s} {i} to {j}" for s, i, j in common)
    return found, found, found, words


class _Orders:
    """The states of all tasks: how many steps each has taken."""

    def __init__(self, tasks: list[Any], is_true: bool):
        self.tasks = tasks
        self._simulation = _Simulation(tasks, is_true)
        self.steps = [[s for s in self._simulation._steps(t) if isinstance(s, Step)] for t in tasks]
        # After each number of steps, how often a task has entered and left each side.
        self._counts: list[list[dict[Any, int]]] = []
        for steps in self.steps:
            counts: dict[Any, int] = collections.Counter()
            self._counts.append([dict(counts)])
            for step in steps:
                counts[step.resource, *STEPS[step.name]] += 1
                self._counts[-1].append(dict(counts))

    def start(self) -> tuple[int, ...]:
        return (0,) * len(self.tasks)

    def count(self, state: tuple[int, ...], i: int, key: Any) -> int:
        return self._counts[i][state[i]].get(key, 0)

    def _set(self, state: tuple[int, ...]) -> None:
        simulation = self._simulation
        simulation.done, simulation.entered = {}, {}
        for i, task in enumerate(self.tasks):
            for (resource, side, action), count in self._counts[i][state[i]].items():
                if action != "try":
                    kept = simulation.done if action == "leave" else simulation.entered
                    kept[resource, side, task] = count

    def after(self, state: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Returns the states that one step of a task leads to."""
        self._set(state)
        return [(*state[:i], at + 1, *state[i + 1:]) for i, at in enumerate(state)
                if at < len(self.steps[i]) and self._simulation._can(self.tasks[i], self.steps[i][at])]

    def blocked(self, state: tuple[int, ...]) -> list[tuple[str, str, str]]:
        """Returns the tasks that have more to do, and at what."""
        return [(t.name, s[at].resource.name, s[at].name)
                for t, s, at in zip(self.tasks, self.steps, state) if at < len(s)]

    def uses(self, state: tuple[int, ...]) -> Iterator[tuple[Any, Any, str]]:
        """Yields (task, resource, access) of what is in use; data belong to their producer."""
        for i, task in enumerate(self.tasks):
            for resource in dict.fromkeys(s.resource for s in self.steps[i]):
                for side, access in ((True, "write"), (False, "read")):
                    entered, left = (self.count(state, i, (resource, side, action))
                                     for action in ("enter", "leave"))
                    if entered > left:
                        yield task, resource, access
                    elif side and left > self._read(state, resource):
                        yield task, resource, "data"

    def _read(self, state: tuple[int, ...], resource: Any) -> int:
        """Returns how many stages all consumers have entered."""
        return min((self.count(state, i, (resource, False, "enter"))
                    for i, steps in enumerate(self.steps)
                    if any(s.resource is resource and not STEPS[s.name][0] for s in steps)), default=0)


def _races(orders: _Orders, state: tuple[int, ...], aliases: AliasMap,
           words: dict[tuple[int, int], str]) -> Iterator[RaceInfo]:
    uses = list(orders.uses(state))
    for writer, written, access in uses:
        for victim, other, how in uses if access == "write" else ():
            own = victim is writer and how == "read"  # it may have read what it overwrites
            if id(other) in aliases.get(id(written), ()) and not own:
                yield RaceInfo(state, writer.name, written.name, victim.name, other.name, how,
                               words.get((id(written), id(other)), ""))


def check_all_interleavings(
    tasks: list[Any], alias_map: AliasMap | None = None, prod_alias_map: AliasMap | None = None,
    cons_alias_map: AliasMap | None = None, overlap_descs: dict[tuple[int, int], str] | None = None,
    max_states: int = 1_000_000, *, opaque_assignment: bool = True, early_exit: bool = True,
) -> CheckResult:
    """Goes through all orders of the tasks' steps, with few iterations of loops of unknown length.

    :param alias_map: which resources overlap, and in words, as ``build_alias_info`` says; by
        default that of all resources
    :param opaque_assignment: whether conditions that are known only at run time hold
    :param early_exit: whether to end with the first finding
    """
    if alias_map is None:
        resources = list(dict.fromkeys(r for t in tasks for r in t.resources))
        alias_map, _, _, overlap_descs = build_alias_info(resources)
    orders = _Orders(list(tasks), opaque_assignment)
    todo, seen = collections.deque([orders.start()]), {orders.start()}
    deadlocks: list[DeadlockInfo] = []
    races: dict[tuple[str, ...], RaceInfo] = {}
    complete = explored = 0
    while todo and explored < max_states and not (early_exit and (deadlocks or races)):
        state = todo.popleft()
        explored += 1
        for race in _races(orders, state, alias_map, overlap_descs or {}):
            races.setdefault((race.writer_task, race.writer_resource, race.victim_task,
                              race.victim_resource, race.victim_access), race)
        following = orders.after(state)
        if not following:
            blocked = orders.blocked(state)
            complete += not blocked
            deadlocks += [DeadlockInfo(state, blocked)] if blocked else []
        for other in following:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    hit = bool(todo) and explored >= max_states
    return CheckResult(deadlocks, list(races.values()), explored, complete,
                       not deadlocks and not races and not hit, hit)
