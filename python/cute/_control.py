"""Control flow of rewritten functions: Python's, or the IR's if it is dynamic.

``_rewrite`` puts calls of these functions in the place of statements. A
construct gets its branches as functions without arguments that share the
variables of the user's function, and a ``State`` that reads and sets these.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any, Callable, Iterable, Iterator, NamedTuple

from . import _builder
from ._errors import ProgramError, StaticValueError
from ._merge import Merge, as_carried, carried_type, raw, rebuilt, unify, wrap
from ._numeric import Boolean, Int32, Numeric, as_numeric, maximum, minimum, promote
from ._tree import Undefined, flatten, snapshot, unflatten

Place = tuple[str, int, int]


class State(NamedTuple):
    """The variables that a construct may change.

    ``assigned`` says of each variable whether the construct assigns it (else
    it may only change the object), ``stored`` whether it assigns to a part of
    it, ``live`` whether it is needed behind the construct or at the start of
    the next iteration.
    """

    names: tuple[str, ...]
    assigned: tuple[bool, ...]
    stored: tuple[bool, ...]
    live: tuple[bool, ...]
    get: Callable[[], tuple[Any, ...]]
    set: Callable[[tuple[Any, ...]], None]


def peek(read: Callable[[], Any], name: str) -> Any:
    """Returns a variable's value, Undefined if it has none."""
    try:
        return read()
    except NameError:
        return Undefined(f"'{name}' is used before it is assigned")


def truth(value: Any, place: Place | None = None) -> bool | Boolean:
    """Returns a static bool, or a dynamic Boolean."""
    if isinstance(value, Numeric) and not value.is_static:
        return value if isinstance(value, Boolean) else value != 0
    return bool(value)


def is_dynamic(value: Any) -> bool:
    """Says whether a number is known only when the program runs."""
    return isinstance(value, Numeric) and not value.is_static


def static_bool(value: Any, what: str, place: Place) -> bool:
    """Returns the condition of a construct with ``what`` in it, if static."""
    condition = truth(value)
    if isinstance(condition, Boolean):
        raise ProgramError(
            f"'{what}' stands under a condition that is known only when the "
            "program runs; assign to a variable in both branches instead, or "
            "make the condition static (Constexpr)",
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
    before = state.get()
    restorers = snapshot(list(before))
    regions, after = [], []
    for branch in (then, orelse):
        region = builder.region()
        with builder.inside(region):
            branch()
            after.append([flatten(value) for value in state.get()])
        regions.append(region)
        _restore(restorers)
        state.set(before)
    merges = []
    for i, name in enumerate(state.names):
        if state.assigned[i] and not state.live[i]:
            merges.append(None)
        else:
            merges.append(_merge(name, after[0][i], after[1][i], builder, place))
    results = _write_if(choice, regions, [m for m in merges if m], builder)
    state.set(
        tuple(
            Undefined(f"'{name}' is no longer alive") if m is None else m.value(results)
            for name, m in zip(state.names, merges)
        )
    )


def _restore(restorers: list[Callable[[], None]]) -> None:
    for restore in restorers:
        restore()


def _merge(name: str, a: Any, b: Any, builder: Any, place: Place) -> Merge:
    """Prepares one variable: what each branch yields, and what comes of it."""
    for (leaves, _), branch in ((a, "else"), (b, "if")):
        if len(leaves) == 1 and isinstance(leaves[0], Undefined):
            both = len(a[0]) == len(b[0]) == 1 and isinstance(b[0][0], Undefined)
            where = "no branch" if both and leaves is a[0] else f"only the '{branch}' branch"
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
    return Merge.of(pairs, a[1], b[1])


def describe(spec: Any) -> str:
    """Returns the kind of a value for messages."""
    name = type(spec.value).__name__
    if spec.kind in ("sequence", "dict"):
        return f"a {name} of {len(spec.children)}"
    return "None" if spec.value is None else f"an object of {name}"


def _write_if(choice: Boolean, regions: Any, merges: Any, builder: Any) -> Iterator[Any]:
    leaves = [leaf for m in merges for leaf in m.leaves if leaf.is_dynamic]
    for side, region in enumerate(regions):
        with builder.inside(region):
            builder.op("scf.yield", [leaf.ir(side) for leaf in leaves])
    types = [leaf.type for leaf in leaves]
    return iter(builder.op("scf.if", [choice.ir_value()], types, {}, regions))


class LoopRange:
    """The bounds of a loop of the IR, with wishes on how it is compiled.

    ``unroll`` is a number of iterations, ``unroll_full`` asks for all of them.
    ``prefetch_stages`` and ``pipelining`` ask for loads that are issued so
    many iterations ahead.
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
        self.unroll, self.unroll_full = unroll, unroll_full
        self.prefetch_stages = prefetch_stages or pipelining

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
    """Calls what a 'for' statement iterates over; Python's range is dynamic."""
    if function is builtins.range:
        return LoopRange(*args, **kwargs)
    return function(*args, **kwargs)


def static_items(iterable: Any, what: str, place: Place) -> Iterable[Any]:
    """Returns the items of a loop with ``what`` in it, if they are static."""
    if isinstance(iterable, LoopRange) and not iterable.is_static:
        raise ProgramError(
            f"'{what}' stands in a loop whose bounds are known only when the "
            "program runs; use a while loop with a condition, or a flag",
            place,
        )
    return iterable


def for_(
    items: Any, body: Callable[[Any], None], state: State, place: Place
) -> None:
    """Runs the body for each item, or writes a loop of the IR for a LoopRange."""
    if not isinstance(items, LoopRange) or _builder.current() is None:
        for item in items:
            body(item)
        return
    builder = _builder.require("a dynamic for")
    dtype, bounds, at = _bounds(items)
    loop = _Carried(state, builder, place)
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


def _bounds(items: LoopRange) -> tuple[Any, tuple[Any, Any, Any], Callable[[Any], Any]]:
    """Returns the counter's type, its bounds, and the item from the counter."""
    bounds = (items.start, items.stop, items.step)
    dtype: Any = Int32
    for bound in bounds:
        dtype = promote(dtype, type(as_numeric(bound))) if is_dynamic(bound) else dtype
    if is_dynamic(items.step) or int(items.step) > 0:
        return dtype, bounds, lambda counter: counter
    stride = -int(items.step)
    trips = (dtype(items.start) - dtype(items.stop) + (stride - 1)) // stride
    return dtype, (0, trips, 1), lambda k: dtype(items.start) - k * stride


class _Carried:
    """The values that go around a loop of the IR."""

    def __init__(self, state: State, builder: Any, place: Place):
        self.state, self.place = state, place
        self.before = state.get()
        self.restorers = snapshot(list(self.before))
        self.trees = [self._tree(i) for i in builtins.range(len(state.names))]
        leaves = [x for t in self.trees if t for x in t[0] if carried_type(x)]
        self.initial = [raw(x) for x in leaves]
        self.types = [carried_type(x) for x in leaves]
        self.arguments: list[Any] = []

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

    def _rebuild(self, i: int, values: Iterator[Any]) -> Any:
        leaves, spec = self.trees[i]
        fresh = iter([rebuilt(leaf, values) for leaf in leaves])
        return unflatten(spec, fresh, lambda node: not self.state.assigned[i])

    def enter(self, values: list[Any]) -> None:
        """Gives the variables the values that an iteration starts with."""
        rest = iter(values)
        current = list(self.before)
        for i, tree in enumerate(self.trees):
            if tree:
                current[i] = self._rebuild(i, rest)
        self.state.set(tuple(current))

    def leave(self, what: str) -> list[Any]:
        """Returns what an iteration hands to the next, and undoes its changes."""
        after = [flatten(value) for value in self.state.get()]
        values = []
        for name, tree, (leaves, spec) in zip(self.state.names, self.trees, after):
            if not tree or isinstance(tree[1].value, Undefined):
                continue
            self._check(name, tree, leaves, spec, what)
            for old, new in zip(tree[0], leaves):
                value = wrap(name, old, new, what, self.place)
                if value is not None:
                    values.append(value)
        _restore(self.restorers)
        self.state.set(self.before)
        return values

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
        rest = iter(results)
        final = []
        for i, (name, value) in enumerate(zip(self.state.names, self.before)):
            if self.trees[i] and not isinstance(value, Undefined):
                final.append(self._rebuild(i, rest))
            elif self.state.assigned[i]:
                final.append(_local(name, self.place))
            else:
                final.append(value)
        self.state.set(tuple(final))


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
    while True:
        choice = _try_condition(condition, state)
        if isinstance(choice, Boolean):
            _write_while(condition, body, state, place)
            return
        if not choice:
            return
        body(None)


def _try_condition(condition: Callable[[], Any], state: State) -> bool | Boolean:
    """Evaluates a condition; what it writes stays only if it is static."""
    builder = _builder.current()
    if builder is None:
        return truth(condition())
    restorers = snapshot(list(state.get()))
    region = builder.region()
    with builder.inside(region):
        choice = truth(condition())
    if isinstance(choice, Boolean):
        _restore(restorers)
    else:
        builder.inline(region)
    return choice


def _write_while(condition: Any, body: Any, state: State, place: Place) -> None:
    builder = _builder.require("a dynamic while")
    loop = _Carried(state, builder, place)
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


def ifexp(
    condition: Any, then: Callable[[], Any], orelse: Callable[[], Any], place: Place
) -> Any:
    """Evaluates ``then() if condition else orelse()``."""
    choice = truth(condition)
    if not isinstance(choice, Boolean):
        return then() if choice else orelse()
    builder = _builder.require("a dynamic choice")
    regions, after = [], []
    for branch in (then, orelse):
        region = builder.region()
        with builder.inside(region):
            after.append(flatten(branch()))
        regions.append(region)
    merge = _merge("the value", after[0], after[1], builder, place)
    if all(builder.is_speculatable(region) for region in regions):
        if all(leaf.numeric for leaf in merge.leaves if leaf.is_dynamic):
            for region in regions:
                builder.inline(region)
            return merge.value(iter([leaf.select(choice) for leaf in merge.leaves if leaf.is_dynamic]))
    return merge.value(_write_if(choice, regions, [merge], builder))


def and_(place: Place, first: Any, *rest: Callable[[], Any]) -> Any:
    """Evaluates ``first and rest[0]() and ...``."""
    value = first
    for i, thunk in enumerate(rest):
        choice = truth(value)
        if isinstance(choice, Boolean):
            later = rest[i:]
            kept = value if not isinstance(value, Boolean) else choice
            return ifexp(
                choice, lambda: _as_bit(and_(place, later[0](), *later[1:]), kept), lambda: kept, place
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
                choice, lambda: kept, lambda: _as_bit(or_(place, later[0](), *later[1:]), kept), place
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


_COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def chain(place: Place, first: Any, *links: Any) -> Any:
    """Evaluates ``first op a op b ...``; links are (op, function of operand)."""

    def evaluate(left: Any, i: int) -> Any:
        name, thunk = links[i]
        right = thunk()
        result = _COMPARE[name](left, right)
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


def const_expr(value: Any) -> Any:
    """Returns a static value, and refuses a dynamic one."""
    if is_dynamic(value):
        raise StaticValueError(
            "const_expr needs a value that is known when the program is compiled, "
            "but this one is dynamic; leave const_expr out"
        )
    return value.value if isinstance(value, Numeric) else value


def dynamic_expr(value: Any) -> Any:
    """Returns a value that the program decides upon when it runs."""
    if _builder.current() is None or not isinstance(value, (bool, int, float, Numeric)):
        return value
    number = as_numeric(value)
    return type(number)(number.ir_value())


def _any(items: Any) -> Any:
    return _fold_items(items, or_, False)


def _all(items: Any) -> Any:
    return _fold_items(items, and_, True)


def _fold_items(items: Any, function: Any, start: bool) -> Any:
    result: Any = start
    for item in items:
        result = function(("", 0, 0), result, lambda item=item: item)
    choice = truth(result)
    return choice


def _min(*args: Any, **kwargs: Any) -> Any:
    return _extremum(builtins.min, minimum, args, kwargs)


def _max(*args: Any, **kwargs: Any) -> Any:
    return _extremum(builtins.max, maximum, args, kwargs)


def _extremum(plain: Any, two: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    items = list(args[0]) if len(args) == 1 else list(args)
    if kwargs or not any(map(is_dynamic, items)):
        return plain(items, **kwargs)
    result = items[0]
    for item in items[1:]:
        result = two(result, item)
    return result


def _number(plain: type, dtype: Any) -> Callable[..., Any]:
    def convert(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and is_dynamic(args[0]):
            return dtype(args[0])
        return plain(*args, **kwargs)

    return convert


def _float(*args: Any, **kwargs: Any) -> Any:
    from ._numeric import Float32

    return _number(float, Float32)(*args, **kwargs)


_BUILTINS = {
    builtins.any: _any,
    builtins.all: _all,
    builtins.min: _min,
    builtins.max: _max,
    builtins.bool: _number(bool, Boolean),
    builtins.int: _number(int, Int32),
    builtins.float: _float,
}


def builtin(function: Any) -> Any:
    """Returns what takes the place of one of Python's functions."""
    try:
        return _BUILTINS.get(function, function)
    except TypeError:
        return function
