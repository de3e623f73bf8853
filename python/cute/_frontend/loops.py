"""Loops of rewritten functions: Python's, or the IR's if they are dynamic."""

from __future__ import annotations

import builtins
import functools
import itertools
import sys
from typing import Any, Callable, Iterable, Iterator

from . import builder as _builder
from .._compile import ir as _ir
from .branches import (
    Place,
    State,
    assert_,
    describe,
    ifexp,
    is_dynamic,
    restore,
    truth,
    watch,
    with_attributes,
)
from .errors import ProgramError, StaticValueError
from .aliases import Aliases
from .doubts import Changes, Stands, doubt, doubts
from .merge import as_carried, carried_type, once, raw, rebuilt, wrap
from .._values.numeric import Boolean, Int32, Numeric, as_numeric, promote
from .._values.operators import is_positive
from .tree import Undefined, flatten, held, is_mutable, snapshot, unflatten


class LoopRange:
    """The bounds of a loop of the IR, with hints for compiling it.

    ``unroll`` is a number of iterations; ``unroll_full`` unrolls all of them if their
    number is known. ``prefetch_stages`` and ``pipelining``, which request loads that
    many iterations ahead, have no effect except one warning: write stages in the
    program, or use the pass cute-pipeline. ``vectorize`` also has no effect.
    """

    def __init__(
        self,
        *bounds: Any,
        unroll: int = -1,
        unroll_full: bool = False,
        prefetch_stages: int | None = None,
        pipelining: int | None = None,
        vectorize: bool | None = None,
        loc: Any = None,
        ip: Any = None,
    ):
        if not 1 <= len(bounds) <= 3:
            raise TypeError(f"range takes 1 to 3 bounds, not {len(bounds)}")
        for bound in bounds:
            if isinstance(bound, float) or not _is_integer(bound):
                raise TypeError(f"a bound of range is an integer, not {bound!r}")
        self.start, self.stop = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
        self.step = bounds[2] if len(bounds) == 3 else 1
        if not is_dynamic(self.step) and int(self.step) == 0:
            raise ValueError("the step of range is 0")
        for name, count in (("unroll", unroll), ("prefetch_stages", prefetch_stages or 0),
                            ("pipelining", pipelining or 0)):
            if not hasattr(count, "__index__") or is_dynamic(count):
                raise TypeError(f"{name} of range is an integer that is known, not {count!r}")
            if count < -1 or count == -1 and name != "unroll":
                raise ValueError(f"{name} of range is not negative as {count} is")
        self.unroll, self.unroll_full = unroll, unroll_full
        self.prefetch_stages = prefetch_stages or pipelining
        if self.prefetch_stages:
            warn_of_stages("prefetch_stages" if prefetch_stages else "pipelining")

    @property
    def is_static(self) -> bool:
        return not any(map(is_dynamic, (self.start, self.stop, self.step)))

    def __iter__(self) -> Iterator[int]:
        if not self.is_static:
            raise StaticValueError(
                "a range with dynamic bounds is iterated by a 'for' statement of "
                "a function under @cute.jit or @cute.kernel only"
            )
        return iter(builtins.range(int(self.start), int(self.stop), int(self.step)))

    def attributes(self) -> dict[str, str]:
        """Returns the attributes of the loop."""
        if self.unroll_full and self.is_static:
            return {"cute.unroll": '"full"'}
        if self.unroll == 1:
            return {"cute.unroll": '"none"'}
        return {"cute.unroll": f"{self.unroll} : i32"} if self.unroll > 1 else {}


@functools.cache
def warn_of_stages(name: str) -> None:
    """Warns once, at the requesting line, that loads are not moved ahead."""
    frame = _ir.user_frame()
    place = f"{frame.f_code.co_filename}:{frame.f_lineno}: " if frame else ""
    print(
        f"{place}warning: {name} of range has no effect: loads stay where they are written",
        file=sys.stderr,
    )


def _is_integer(value: Any) -> bool:
    if isinstance(value, Numeric):
        return type(value).is_integer
    return hasattr(value, "__index__")


def range_constexpr(*bounds: Any) -> range:
    """Returns a range that Python runs through while the program is traced."""
    for bound in bounds:
        if is_dynamic(bound):
            raise StaticValueError(
                "range_constexpr needs bounds that are known when the program is "
                "compiled; use range or cutlass.range for a loop of the program"
            )
    return builtins.range(*(int(bound) for bound in bounds))


def loop_range(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Evaluates the iterable of a 'for' statement; Python's range is dynamic."""
    if function is builtins.range:
        return LoopRange(*args, **kwargs)
    return function(*args, **kwargs)


def static_items(iterable: Any, what: str, place: Place) -> Iterable[Any]:
    """Returns the items of a loop with ``what`` in it, if they are static."""
    if isinstance(iterable, LoopRange) and not iterable.is_static:
        raise ProgramError(
            f"'{what}' is in a loop whose bounds are known only when the "
            "program runs; use a while loop with a condition, or a flag",
            place,
        )
    return iterable


def for_(items: Any, body: Callable[[Any], None], state: State, place: Place) -> None:
    """Runs the body for each item, or writes a loop of the IR for a LoopRange."""
    if not isinstance(items, LoopRange) or _builder.current() is None:
        for item in items:
            body(item)
        return
    builder = _builder.require("a dynamic for")
    dtype, bounds, at = _bounds(items, place)
    loop = _Carried(state, builder, place, body)
    region = builder.region([dtype.ir_name, *loop.types])
    with builder.inside(region):
        index, *arguments = region.arguments
        loop.enter(arguments)
        body(at(dtype(index)))
        builder.op("scf.yield", loop.leave("for"))
    attributes = items.attributes()
    if not dtype.signed:
        attributes["unsignedCmp"] = "unit"
    operands = [dtype(bound).ir_value() for bound in bounds] + loop.initial
    loop.finish(builder.op("scf.for", operands, loop.types, attributes, [region]))


def _bounds(items: LoopRange, place: Place) -> tuple[Any, tuple[Any, Any, Any], Callable[[Any], Any]]:
    """Returns the counter's type, its bounds, and the item from the counter."""
    bounds = (items.start, items.stop, items.step)
    dtype: Any = Int32
    for bound in bounds:
        number = as_numeric(bound)
        fits = not is_dynamic(bound) and dtype.min <= number.value <= dtype.max
        dtype = dtype if fits else promote(dtype, type(number))
    if is_dynamic(items.step) and dtype.signed and not is_positive(items.step):
        return _either_way(items, dtype, place)
    if is_dynamic(items.step) or int(items.step) > 0:
        return dtype, bounds, lambda counter: counter
    stride = -int(items.step)
    trips = (dtype(items.start) - dtype(items.stop) + (stride - 1)) // stride
    return dtype, (0, trips, 1), lambda k: dtype(items.start) - k * stride


def _either_way(items: LoopRange, dtype: Any, place: Place) -> Any:
    """Returns the bounds of a loop that runs down where its step is negative.

    The loop counts sign * item upwards, where the sign is that of the step.
    """
    step = dtype(items.step)
    assert_(step != 0, lambda: "the step of range is 0", place)
    sign = ifexp(step > 0, lambda: dtype(1), lambda: dtype(-1), place)
    bounds = (dtype(items.start) * sign, dtype(items.stop) * sign, step * sign)
    return dtype, bounds, lambda counter: counter * sign


class _Carried:
    """The values that go around a loop of the IR."""

    def __init__(self, state: State, builder: Any, place: Place, *parts: Callable[..., Any]):
        self.state, self.place = with_attributes(state), place
        self.before = self.state.get()
        self.restorers = snapshot(list(self.before))
        self.trees = [self._tree(i) for i in builtins.range(len(self.state.names))]
        leaves = [x for t in self.trees if t for x in t[0] if carried_type(x)]
        self.initial = [raw(x) for x in leaves]
        self.types = [carried_type(x) for x in leaves]
        self.arguments: list[Any] = []
        self.constant = [True] * len(leaves)  # what each iteration hands on as it came
        self.shared = {id(x) for i, tree in enumerate(self.trees) if tree
                       and not self.state.assigned[i] for x in held(self.before[i])}
        self.originals: dict[int, tuple[Any, Any]] = {}  # what an iteration has instead
        self.aliases: list[Aliases] = []
        self.check = watch(builder, *parts)

    def _tree(self, i: int) -> Any:
        """Returns a variable's leaves and structure, None if it is not carried."""
        if self.state.assigned[i]:
            if not self.state.live[i]:
                return None
        elif not snapshot(self.before[i]):
            return None
        leaves, spec = flatten(self.before[i])
        if self.state.assigned[i] or self.state.stored[i]:
            leaves = [as_carried(leaf) for leaf in leaves]
        return leaves, spec

    def enter(self, values: list[Any]) -> None:
        """Gives the variables the values that an iteration starts with.

        Objects of variables that the loop assigns are others, which stand for the ones before it.
        """
        self.arguments = values
        rest = iter(values)
        current = list(self.before)
        made: dict[Any, Any] = {}

        def stand_in(place: Any, value: Any) -> Any:
            found = once(made, lambda x: id(x.value))(place, value)
            self.originals[id(found)] = found, place.value
            return found

        for i, tree in enumerate(self.trees):
            if tree:
                leaves = [rebuilt(leaf, rest) for leaf in tree[0]]
                kept = lambda place: id(place.value) in self.shared
                current[i] = unflatten(tree[1], iter(leaves), kept, stand_in)
        self.state.set(tuple(current))
        for found, original in self.originals.values():
            doubts().stand_for(found, original)
        self.changes = Changes(self._objects(current))
        self.doubts = doubts().rebase()

    def _objects(self, current: list[Any]) -> Iterator[tuple[str, Any, Stands, Any]]:
        """Yields the objects that an iteration begins with, and what they stand for."""
        stand_ins = {id(x) for found, x in self.originals.values() if found is not x}
        for name, value, before in zip(self.state.names, current, self.before):
            for x in filter(is_mutable, held(value)):
                original = self._original(x)
                yield name, x, Stands.ITSELF if x is original else Stands.FOR_ANOTHER, original
            for x in filter(is_mutable, held(before)):
                yield name, x, Stands.BESIDE if id(x) in stand_ins else Stands.ITSELF, x

    def _original(self, value: Any) -> Any:
        """Returns the object before the loop that one stands for."""
        return self.originals.get(id(value), (value, value))[1]

    def _final(self, i: int, values: Iterator[Any], constant: Iterator[bool],
               made: dict[Any, Any]) -> Any:
        """Returns a variable with the results of the loop; ``constant`` tells which of an object
        that is only within reach stay as they were before, so that nothing changes outside."""
        leaves, spec = self.trees[i]
        fresh = [rebuilt(leaf, values) for leaf in leaves]
        kept = [bool(carried_type(leaf)) and next(constant) for leaf in leaves]
        if not (self.state.assigned[i] or self.state.stored[i]):
            fresh = [a if is_ else b for a, b, is_ in zip(leaves, fresh, kept)]
        return unflatten(spec, iter(fresh), lambda x: all(a.kept(x) for a in self.aliases),
                         once(made, lambda x: tuple(a.key(x) for a in self.aliases)))

    def leave(self, what: str) -> list[Any]:
        """Returns the values that an iteration hands to the next, and undoes its changes."""
        self.changes.note()
        doubts().settle(len(self.doubts))
        after = [flatten(value) for value in self.state.get()]
        values = []
        aliases = Aliases(self._original)
        for name, tree, (leaves, spec) in zip(self.state.names, self.trees, after):
            if not tree or isinstance(tree[1].value, Undefined):
                continue
            self._check(name, tree, leaves, spec, what)
            aliases.pair(name, tree[1], spec)
            for old, new in zip(tree[0], leaves):
                value = wrap(name, old, new, what, self.place)
                if value is not None:
                    values.append(value)
        restore(self.restorers)
        doubts().open = self.doubts
        self.state.set(self.before)
        self._check_aliases(aliases)
        self.check(f"a dynamic {what}", self.place)
        self.constant = [is_ and new == old for is_, new, old in
                         zip(self.constant, values, self.arguments)]
        return values

    def _check_aliases(self, aliases: Aliases) -> None:
        """Raises where what is one object before the loop is two after an iteration, or the other
        way round, and objects change."""
        self.aliases.append(aliases)
        for one, other in aliases.pairs():
            for found, original in self.originals.values():
                if original is one:
                    doubts().stand_for(found, other)
        found = aliases.doubtful(0) or aliases.doubtful(1, self.changes.originals())
        if found:
            raise doubt(found[0], f"'{found[1]}'", "loop", self.place)
        own = dict(zip(self.state.names, self.state.assigned))
        self.changes.check(aliases.keeps, own, "loop", self.place)

    def _check(self, name: str, tree: Any, leaves: Any, spec: Any, what: str) -> None:
        if tree[1].matches(spec):
            return
        if len(leaves) == 1 and isinstance(leaves[0], Undefined):
            raise ProgramError(leaves[0].__dict__["_reason"], self.place)
        raise ProgramError(
            f"'{name}' changes its structure in a dynamic {what}: from "
            f"{describe(tree[1])} to {describe(spec)}; "
            "it must stay the same in all iterations",
            self.place,
        )

    def finish(self, results: list[Any]) -> None:
        """Gives the variables the values that the loop ends with."""
        rest, constant = iter(results), iter(self.constant)
        final: list[Any] = []
        made: dict[Any, Any] = {}
        for i, (name, value) in enumerate(zip(self.state.names, self.before)):
            if self.trees[i] and not isinstance(value, Undefined):
                final.append(self._final(i, rest, constant, made))
            elif self.state.assigned[i]:
                final.append(_local(name, self.place))
            else:
                final.append(value)
        self.state.set(tuple(final))
        doubts().arise(self._places(made), "loop", self.place)

    def _places(self, made: dict[Any, Any]) -> Iterator[tuple[str, Any, list[Any]]]:
        """Yields the places of objects that the loop made, as ``Doubts.arise`` takes them."""
        for keys, value in made.items():
            (name, sides), *ends = (a.place(key) for a, key in zip(self.aliases, keys))
            yield name, value, sides + [end[1] for _, end in ends]


def _local(name: str, place: Place) -> Undefined:
    return Undefined(
        f"'{name}' has a value only in the dynamic loop at line {place[1]}; "
        "assign it before the loop"
    )


def while_(
    condition: Callable[[], Any],
    body: Callable[[Any], None],
    state: State,
    place: Place,
) -> None:
    """Runs a loop while its condition is static, or writes one of the IR."""
    for rounds in itertools.count():
        if rounds == 10_000:
            file, line = place[:2]
            print(f"{file}:{line}: warning: this while has run 10000 rounds in Python, since its "
                  "condition is known; one that never changes has no end", file=sys.stderr)
        choice = _try_condition(condition, state)
        if isinstance(choice, Boolean):
            _write_while(condition, body, state, place)
            return
        if not choice:
            return
        body(None)


def _try_condition(condition: Callable[[], Any], state: State) -> bool | Boolean:
    """Evaluates a condition; its writes stay only if it is static."""
    builder = _builder.current()
    if builder is None:
        return truth(condition())
    state = with_attributes(state)
    before, count = state.get(), len(doubts().open)
    restorers = snapshot(list(before))
    region = builder.region()
    with builder.inside(region):
        choice = truth(condition())
    if isinstance(choice, Boolean):
        doubts().settle(count)
        restore(restorers)
        state.set(before)
    else:
        builder.inline(region)
    return choice


def _write_while(condition: Any, body: Any, state: State, place: Place) -> None:
    builder = _builder.require("a dynamic while")
    loop = _Carried(state, builder, place, condition, body)
    head, tail = builder.region(loop.types), builder.region(loop.types)
    with builder.inside(head):
        loop.enter(list(head.arguments))
        choice = truth(condition())
        bit = Boolean(choice).ir_value()
        builder.op("scf.condition", [bit, *loop.leave("while")])
    with builder.inside(tail):
        loop.enter(list(tail.arguments))
        body(None)
        builder.op("scf.yield", loop.leave("while"))
    loop.finish(builder.op("scf.while", loop.initial, loop.types, {}, [head, tail]))
