"""Choices of rewritten functions: Python's, or the IR's if they are dynamic."""

from __future__ import annotations

import functools
import operator
from typing import Any, Callable, Iterator, NamedTuple

from . import builder as _builder
from .errors import ProgramError
from .aliases import Aliases
from .doubts import Changes, Stands, doubts
from .merge import Merge, unify
from .._values.numeric import Boolean, Numeric
from .tree import Undefined, flatten, held, is_mutable, put_back, snapshot
from .watched import Watched

Place = tuple[str, int, int]


class State(NamedTuple):
    """The variables that a construct may change.

    ``assigned`` says of each variable whether the construct assigns it (else
    it may only change the object), ``stored`` has the attributes ``("a", "b")``
    for each ``x.a.b = ...``, and ``()`` for each ``x[i] = ...``, ``live`` whether it is
    needed after the construct or at the start of the next iteration.
    """

    names: tuple[str, ...]
    assigned: tuple[bool, ...]
    stored: tuple[tuple[tuple[str, ...], ...], ...]
    live: tuple[bool, ...]
    get: Callable[[], tuple[Any, ...]]
    set: Callable[[tuple[Any, ...]], None]


def watch(builder: Any, *parts: Callable[..., Any]) -> Callable[[str, Place], None]:
    """Returns a check that what lies outside of the function is as it is now, and what
    the parts of a construct reach besides its variables."""
    environment, watched = getattr(builder, "environment", None), Watched(parts)
    before = environment.contents() if environment is not None else []

    def check(what: str, place: Place) -> None:
        if environment is not None:
            environment.check(before, what, place)
        watched.check(what, place)

    return check


def truth(value: Any, place: Place | None = None) -> bool | Boolean:
    """Returns a static bool, or a dynamic Boolean."""
    if isinstance(value, Numeric) and not value.is_static:
        return value if isinstance(value, Boolean) else value != 0
    return bool(value)


def is_dynamic(value: Any) -> bool:
    """Returns whether a number is known only when the program runs."""
    return isinstance(value, Numeric) and not value.is_static


def static_bool(value: Any, what: str, place: Place) -> bool:
    """Returns the condition of a construct with ``what`` in it, if static."""
    condition = truth(value)
    if isinstance(condition, Boolean):
        instead = (
            "write assert, which the program checks when it runs,"
            if what == "raise"
            else "assign to a variable in both branches instead,"
        )
        raise ProgramError(
            f"'{what}' is under a condition that is known only when the "
            f"program runs; {instead} or make the condition static (Constexpr)",
            place,
        )
    return condition


def if_(
    condition: Any,
    then: Callable[[], None],
    orelse: Callable[[], None],
    state: State,
    place: Place,
) -> None:
    """Runs one branch if the condition is static, else writes both."""
    choice = truth(condition)
    if not isinstance(choice, Boolean):
        (then if choice else orelse)()
        return
    builder = _builder.require("a dynamic if")
    _both(builder, choice, then, orelse, with_attributes(state), place)


def _both(
    builder: Any, choice: Boolean, then: Callable[[], Any], orelse: Callable[[], Any],
    state: State, place: Place,
) -> None:
    """Writes both branches, and gives the variables what comes of them."""
    before = state.get()
    restorers = snapshot(list(before))
    check = watch(builder, then, orelse)
    # Objects that no branch touches stay, with whatever else leads to them.
    untouched = {i: held(value) for i, value in enumerate(before)
                 if not state.assigned[i] and is_mutable(value)}
    changes = Changes((name, x, Stands.ITSELF, x) for name, value in zip(state.names, before)
                      for x in held(value) if is_mutable(x))
    count = len(doubts().open)
    regions, after = [], []
    for branch in (then, orelse):
        region = builder.region()
        with builder.inside(region), put_back():
            branch()
            values = state.get()
            changes.note()
            doubts().settle(count)
            after.append([flatten(value) for value in values])
            untouched = {i: objects for i, objects in untouched.items()
                         if _are(objects, held(values[i]))}
        regions.append(region)
        restore(restorers)
        state.set(before)
        check("a branch of a dynamic if", place)
    merges, aliases = [], Aliases()
    for i, name in enumerate(state.names):
        if state.assigned[i] and not state.live[i]:
            merges.append(None)
        elif i in untouched:
            merges.append(Merge.kept(name, before[i], aliases))
        else:
            merges.append(_merge(name, after[0][i], after[1][i], aliases, place))
    changes.check(aliases.keeps, dict(zip(state.names, state.assigned)), "if", place)
    results = _write_if(choice, regions, [m for m in merges if m], builder)
    made: dict[Any, Any] = {}
    state.set(
        tuple(
            Undefined(f"'{name}' is no longer alive") if m is None else m.value(results, made)
            for name, m in zip(state.names, merges)
        )
    )
    doubts().arise(_places(made, aliases), "if", place)


def _places(made: dict[Any, Any], aliases: Aliases) -> Iterator[tuple[str, Any, list[Any]]]:
    """Yields the places of objects that a construct made, as ``Doubts.arise`` takes them."""
    for key, value in made.items():
        name, sides = aliases.place(key)
        yield name, value, sides


def _are(some: list[Any], others: list[Any]) -> bool:
    """Returns whether both have the same objects."""
    return len(some) == len(others) and all(map(operator.is_, some, others))


def with_attributes(state: State) -> State:
    """Returns the state with the attributes of plain objects that are assigned.

    Objects that are trees themselves go through as a whole.
    """
    slots = []
    for name, value, paths in zip(state.names, state.get(), state.stored):
        for path in paths:
            owner = _owner(value, path)
            if owner is not None:
                slots.append((".".join((name, *path)), owner, path[-1]))
    if not slots:
        return state
    count = len(state.names)

    def get() -> tuple[Any, ...]:
        values = [
            getattr(owner, key, Undefined(f"'{name}' is not assigned yet"))
            for name, owner, key in slots
        ]
        return (*state.get(), *values)

    def set_(values: tuple[Any, ...]) -> None:
        state.set(values[:count])
        for (_, owner, key), value in zip(slots, values[count:]):
            if key in owner.__dict__ or not isinstance(value, Undefined):
                owner.__dict__[key] = value

    more = (True,) * len(slots)
    names = state.names + tuple(slot[0] for slot in slots)
    stored = state.stored + ((),) * len(slots)
    return State(names, state.assigned + more, stored, state.live + more, get, set_)


def _owner(value: Any, path: tuple[str, ...]) -> Any:
    """Returns the plain object whose attribute a path ends with, if it is one."""
    for key in path[:-1]:
        value = getattr(value, "__dict__", {}).get(key)
    plain = path and hasattr(value, "__dict__") and not isinstance(value, (type, Undefined))
    if not plain or is_mutable(value) or getattr(value, "__cute_immutable__", False):
        return None
    return None if hasattr(getattr(type(value), path[-1], None), "__set__") else value


def restore(restorers: list[Callable[[], None]]) -> None:
    for restore in restorers:
        restore()


def _merge(name: str, a: Any, b: Any, aliases: Aliases, place: Place) -> Merge:
    """Prepares one variable: what each branch yields, and what comes of it."""
    for (leaves, _), branch in ((a, "else"), (b, "if")):
        if len(leaves) == 1 and isinstance(leaves[0], Undefined):
            both = len(a[0]) == len(b[0]) == 1 and isinstance(b[0][0], Undefined)
            where = (
                "no branch"
                if both and leaves is a[0]
                else f"only the '{branch}' branch"
            )
            reason = (
                f"'{name}' has a value in {where} of the dynamic if at line "
                f"{place[1]}; assign it before the if, or in both branches"
            )
            return Merge.undefined(Undefined(reason))
    if not a[1].matches(b[1]):
        raise ProgramError(
            f"'{name}' has a different structure in the branches of a dynamic "
            f"if: {describe(a[1])} and {describe(b[1])}; assign "
            "values of one structure in both",
            place,
        )
    pairs = [unify(name, x, y, place) for x, y in zip(a[0], b[0])]
    return Merge.of(name, pairs, a[1], b[1], aliases)


def describe(spec: Any) -> str:
    """Returns the kind of a value for messages."""
    name = type(spec.value).__name__
    if spec.kind in ("sequence", "dict"):
        return f"a {name} of {len(spec.children)}"
    return "None" if spec.value is None else f"an object of {name}"


def _write_if(
    choice: Boolean, regions: Any, merges: Any, builder: Any
) -> Iterator[Any]:
    leaves = [leaf for m in merges for leaf in m.leaves if leaf.is_dynamic]
    for side, region in enumerate(regions):
        with builder.inside(region):
            builder.op("scf.yield", [leaf.ir(side) for leaf in leaves])
    types = [leaf.type for leaf in leaves]
    return iter(builder.op("scf.if", [choice.ir_value()], types, {}, regions))


def ifexp(
    condition: Any, then: Callable[[], Any], orelse: Callable[[], Any], place: Place,
    name: str = "the value",
) -> Any:
    """Evaluates ``then() if condition else orelse()``, which is assigned to a variable ``name``."""
    choice = truth(condition)
    if not isinstance(choice, Boolean):
        return then() if choice else orelse()
    builder = _builder.require("a dynamic choice")
    environment, watched = getattr(builder, "environment", None), Watched((then, orelse))
    before = environment.contents() if environment is not None else []
    regions, after, count = [], [], len(doubts().open)
    restorers = snapshot([value for _, value in watched.variables])
    for branch in (then, orelse):
        region = builder.region()
        with builder.inside(region):
            after.append(flatten(branch()))
        if watched.have_variables_changed():
            restore(restorers)
            return _choice_with_changes(choice, then, orelse, watched, place, name)
        doubts().settle(count)
        regions.append(region)
        if environment is not None:
            environment.check(before, "a dynamic choice", place)
        watched.check("a dynamic choice", place)
    aliases = Aliases()
    merge = _merge(name, after[0], after[1], aliases, place)
    results: Iterator[Any] | None = None
    if all(builder.is_speculatable(region) for region in regions):
        if all(leaf.numeric for leaf in merge.leaves if leaf.is_dynamic):
            for region in regions:
                builder.inline(region)
            chosen = [leaf.select(choice) for leaf in merge.leaves if leaf.is_dynamic]
            results = iter(chosen)
    made: dict[Any, Any] = {}
    value = merge.value(results or _write_if(choice, regions, [merge], builder), made)
    doubts().arise(_places(made, aliases), "choice", place)
    return value


def _choice_with_changes(
    choice: Boolean, then: Callable[[], Any], orelse: Callable[[], Any], watched: Watched,
    place: Place, name: str,
) -> Any:
    """Evaluates a choice whose sides change objects that variables lead to, as a statement does."""
    names, objects = zip(*watched.variables)
    found: list[Any] = [Undefined(f"'{name}' has no value yet")]

    def give(side: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            found[0] = side()

        return run

    def set_(values: tuple[Any, ...]) -> None:
        found[0] = values[-1]

    count = len(names)
    state = State((*names, name), (False,) * count + (True,), ((),) * (count + 1),
                  (True,) * (count + 1), lambda: (*objects, found[0]), set_)
    _both(_builder.require("a dynamic choice"), choice, give(then), give(orelse), state, place)
    return found[0]


def and_(place: Place, first: Any, *rest: Callable[[], Any]) -> Any:
    """Evaluates ``first and rest[0]() and ...``."""
    value = first
    for i, thunk in enumerate(rest):
        choice = truth(value)
        if isinstance(choice, Boolean):
            later = rest[i:]
            kept = value if not isinstance(value, Boolean) else choice
            return ifexp(
                choice,
                lambda: _as_bit(and_(place, later[0](), *later[1:]), kept),
                lambda: kept,
                place,
            )
        if not choice:
            return value
        value = thunk()
    return value


def or_(place: Place, first: Any, *rest: Callable[[], Any]) -> Any:
    """Evaluates ``first or rest[0]() or ...``."""
    value = first
    for i, thunk in enumerate(rest):
        choice = truth(value)
        if isinstance(choice, Boolean):
            later = rest[i:]
            kept = value if not isinstance(value, Boolean) else choice
            return ifexp(
                choice,
                lambda: kept,
                lambda: _as_bit(or_(place, later[0](), *later[1:]), kept),
                place,
            )
        if choice:
            return value
        value = thunk()
    return value


def _as_bit(value: Any, other: Any) -> Any:
    """Returns the right operand as a Boolean where the left one is."""
    if not isinstance(other, Boolean):
        return value
    choice = truth(value)
    return choice if isinstance(choice, Boolean) else Boolean(choice)


def not_(value: Any) -> Any:
    """Evaluates ``not value``."""
    choice = truth(value)
    return ~choice if isinstance(choice, Boolean) else not choice


def equal(place: Place, left: Any, right: Any) -> Any:
    """Evaluates ``left == right``, of sequences with dynamic numbers one by one."""
    if not isinstance(left, (tuple, list)) or type(left) is not type(right):
        return left == right
    if not any(map(_has_dynamic, left)) and not any(map(_has_dynamic, right)):
        return left == right
    if len(left) != len(right):
        return False
    thunks = [lambda a=a, b=b: equal(place, a, b) for a, b in zip(left, right)]
    return and_(place, True, *thunks)


def _has_dynamic(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_has_dynamic, value))
    return is_dynamic(value)


_COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
}


def _ordered(place: Place, name: str, left: Any, right: Any) -> Any:
    """Evaluates ``left < right`` or another order, of sequences with dynamic numbers one by one."""
    if name.startswith("is") and is_dynamic(left) and isinstance(right, (bool, int, float)):
        raise ProgramError(
            f"'{name}' compares objects, and a number that is known only when the program runs "
            f"is not an object like {right}; write {'==' if name == 'is' else '!='}", place)
    if not isinstance(left, (tuple, list)) or type(left) is not type(right):
        return _COMPARE[name](left, right)
    if not _has_dynamic(left) and not _has_dynamic(right):
        return _COMPARE[name](left, right)
    if not left or not right:
        return _COMPARE[name](len(left), len(right))
    rest = functools.partial(_ordered, place, name, left[1:], right[1:])
    return or_(place, _ordered(place, name[0], left[0], right[0]),
               lambda: and_(place, equal(place, left[0], right[0]), rest))


def contains(place: Place, item: Any, container: Any) -> Any:
    """Evaluates ``item in container``; of dynamic numbers by comparisons."""
    if not isinstance(container, (tuple, list, range, dict, set, frozenset)):
        return item in container
    if not is_dynamic(item) and not any(map(is_dynamic, container)):
        return item in container
    if isinstance(container, range) and container.step == 1:
        low, high = container.start, container.stop
        return and_(place, item >= low, lambda: item < high)
    thunks = [lambda element=element: item == element for element in container]
    return or_(place, False, *thunks)


def chain(place: Place, first: Any, *links: Any) -> Any:
    """Evaluates ``first op a op b ...``; links are (op, function of operand)."""

    def evaluate(left: Any, i: int) -> Any:
        name, thunk = links[i]
        right = thunk()
        if name in ("in", "not in"):
            found = contains(place, left, right)
            result = found if name == "in" else not_(found)
        elif name in ("==", "!=") and isinstance(left, (tuple, list)):
            same = equal(place, left, right)
            result = same if name == "==" else not_(same)
        else:
            result = _ordered(place, name, left, right)
        if i + 1 == len(links):
            return result
        return and_(place, result, lambda: evaluate(right, i + 1))

    return evaluate(first, 0)


def assert_(condition: Any, message: Callable[[], Any], place: Place) -> None:
    """Checks a condition now if it is static, else when the program runs."""
    choice = truth(condition)
    if isinstance(choice, Boolean):
        text = str(message()) if message else "assertion failed"
        builder = _builder.require("a dynamic assert")
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        builder.op("cf.assert", [choice.ir_value()], [], {"msg": f'"{quoted}"'})
    elif not choice:
        raise AssertionError(message()) if message else AssertionError()
