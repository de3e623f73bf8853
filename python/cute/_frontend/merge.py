"""Values that branches and iterations hand on, leaf by leaf."""

from __future__ import annotations

from typing import Any, Callable, Iterator

from .._values import arith as _arith
from .aliases import Aliases
from .errors import ProgramError
from .._values.numeric import Float, Integer, Numeric, as_numeric, promote
from .tree import Spec, SsaLeaf, Undefined, flatten, is_mutable, unflatten

_SCALARS = (bool, int, float)


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if isinstance(a, SsaLeaf) and isinstance(b, SsaLeaf):
        return a.value is b.value
    if type(a) is not type(b) or isinstance(a, (Undefined, SsaLeaf)):
        return False
    if isinstance(a, Numeric):
        return a.is_static and b.is_static and a.value == b.value
    try:
        return bool(a == b)
    except Exception:
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, (Numeric, *_SCALARS))


def meet(a: Any, b: Any) -> type:
    """Returns the type for a number that is ``a`` or ``b``.

    A Python number takes the type of the other one if that holds its kind.
    """
    for number, other in ((a, b), (b, a)):
        if isinstance(number, _SCALARS) and isinstance(other, Numeric):
            if _fits(number, type(other)):
                return type(other)
    return promote(type(as_numeric(a)), type(as_numeric(b)))


def _fits(number: bool | int | float, dtype: Any) -> bool:
    if isinstance(number, bool):
        return True
    if isinstance(number, int):
        if issubclass(dtype, Integer) and not dtype.is_boolean:
            return -(1 << dtype.width - 1) <= number < 1 << dtype.width
        return issubclass(dtype, Float)
    return issubclass(dtype, Float)


class Pair:
    """One leaf that two branches give; ``sides`` are its two values."""

    def __init__(self, sides: tuple[Any, Any], is_dynamic: bool):
        self.sides = sides
        self.is_dynamic = is_dynamic
        self.numeric = None
        if is_dynamic and not isinstance(sides[0], SsaLeaf):
            self.numeric = meet(*sides)
        if is_dynamic:
            self.type = self.numeric.ir_name if self.numeric else sides[0].type

    def ir(self, side: int) -> Any:
        """Returns the value of one branch, at the insertion point."""
        value = self.sides[side]
        return self.numeric(value).ir_value() if self.numeric else value.value

    def select(self, condition: Any) -> Any:
        """Chooses a number without branches."""
        return _arith.select(condition.ir_value(), self.ir(0), self.ir(1), self.numeric)

    def result(self, results: Iterator[Any]) -> Any:
        """Returns the leaf behind the branches."""
        if not self.is_dynamic:
            return self.sides[0]
        value = next(results)
        return self.numeric(value) if self.numeric else SsaLeaf(value)


def unify(name: str, a: Any, b: Any, place: Any) -> Pair:
    """Returns how a leaf of two branches becomes one."""
    if _same(a, b):
        return Pair((a, b), False)
    if _is_number(a) and _is_number(b):
        return Pair((a, b), True)
    if isinstance(a, SsaLeaf) and isinstance(b, SsaLeaf) and a.type == b.type:
        return Pair((a, b), True)
    raise ProgramError(
        f"'{name}' is {_text(a)} in one branch of a dynamic if and {_another(a, b)} in "
        f"the other; {_advice(a) or 'give it one type in both'}, or make the condition static",
        place,
    )


def _advice(leaf: Any) -> str:
    """Returns advice to make a changing value of an object of a user's class."""
    kind = type(leaf)
    is_users = not isinstance(leaf, (Numeric, SsaLeaf, Undefined)) and hasattr(leaf, "__dict__")
    return f"make {kind.__name__} a dataclass" if is_users and not isinstance(leaf, type) else ""


def _another(a: Any, b: Any) -> str:
    return _text(b) if _text(a) != _text(b) else f"another {_text(b).removeprefix('an ')}"


def _text(leaf: Any) -> str:
    if isinstance(leaf, SsaLeaf):
        return str(leaf.type)
    if isinstance(leaf, Numeric):
        return str(type(leaf))
    if leaf is None or isinstance(leaf, (bool, int, float, str)):
        return repr(leaf)
    return f"an object of {type(leaf).__name__}"


class Merge:
    """The value of one variable after two branches."""

    def __init__(self, leaves: list[Pair], spec: Spec | None, aliases: Aliases | None):
        self.leaves, self.spec, self.aliases = leaves, spec, aliases
        self.reason: Any = None

    @staticmethod
    def undefined(value: Undefined) -> Merge:
        """Returns the merge of a variable that some branch leaves undefined."""
        merge = Merge([], None, None)
        merge.reason = value
        return merge

    @staticmethod
    def kept(name: str, value: Any, aliases: Aliases) -> Merge:
        """Returns the merge of an object that no branch changes."""
        aliases.same(name, value)
        return Merge.undefined(value)

    @staticmethod
    def of(name: str, leaves: list[Pair], a: Spec, b: Spec, aliases: Aliases) -> Merge:
        """Returns the merge of two values of one structure."""
        aliases.pair(name, a, b)
        return Merge(leaves, a, aliases)

    def value(self, results: Iterator[Any], made: dict[Any, Any]) -> Any:
        """Returns the variable's value, of the results of the branches. ``made`` has the objects
        that other variables have got."""
        if self.spec is None or self.aliases is None:
            return self.reason
        if self.aliases.kept_whole(self.spec) and self._is_as_before(self.spec):
            return self.spec.value
        leaves = iter([leaf.result(results) for leaf in self.leaves])
        return unflatten(self.spec, leaves, self.aliases.kept, once(made, self.aliases.key))


    def _is_as_before(self, spec: Spec) -> bool:
        """Returns whether an object that both branches keep has in both what it has now."""
        now, current = flatten(spec.value)
        return spec.is_of(current) and all(
            not leaf.is_dynamic and _same(leaf.sides[0], x) for leaf, x in zip(self.leaves, now))


def once(made: dict[Any, Any], key: Callable[[Spec], Any]) -> Callable[[Spec, Any], Any]:
    """Returns a function that makes nodes of one key one object, if they can change."""
    return lambda spec, value: made.setdefault(key(spec), value) if is_mutable(value) else value


def as_carried(leaf: Any) -> Any:
    """Returns a Python number as the numeric value that a loop carries."""
    return as_numeric(leaf) if isinstance(leaf, _SCALARS) else leaf


def _is_fixed(leaf: Any) -> bool:
    """Returns whether a leaf is a value that no loop can change: a TMA atom, whose descriptor is
    a parameter of the kernel."""
    return isinstance(leaf, SsaLeaf) and str(leaf.type).startswith("!cute.tma_atom<")


def carried_type(leaf: Any) -> str | None:
    """Returns the IR type of a leaf that a loop carries, None if it is static."""
    if isinstance(leaf, Numeric):
        return type(leaf).ir_name
    return leaf.type if isinstance(leaf, SsaLeaf) and not _is_fixed(leaf) else None


def raw(leaf: Any) -> Any:
    """Returns the SSA value of a carried leaf."""
    return leaf.ir_value() if isinstance(leaf, Numeric) else leaf.value


def rebuilt(leaf: Any, values: Iterator[Any]) -> Any:
    """Returns a leaf like this one with the next of the values."""
    if isinstance(leaf, Numeric):
        return type(leaf)(next(values))
    return SsaLeaf(next(values)) if carried_type(leaf) else leaf


def wrap(name: str, old: Any, new: Any, what: str, place: Any) -> Any:
    """Returns the SSA value that an iteration yields for a leaf, if it is carried."""
    if isinstance(old, Numeric):
        if type(new) is type(old):
            return new.ir_value()
        if isinstance(new, _SCALARS) and _fits(new, type(old)):
            return type(old)(new).ir_value()
    elif isinstance(old, SsaLeaf) and not _is_fixed(old):
        if isinstance(new, SsaLeaf) and new.type == old.type:
            return new.value
    elif _same(old, new):
        return None
    raise ProgramError(_change(name, old, new, what), place)


def _change(name: str, old: Any, new: Any, what: str) -> str:
    text = f"'{name}' changes in a dynamic {what} from {_text(old)} to {_another(old, new)}"
    if isinstance(old, Numeric) and _is_number(new):
        dtype = type(as_numeric(new))
        return (
            f"{text}; give it that type before the loop ({name} = {dtype}(...)), or "
            f"convert it in the loop (.to({type(old)}))"
        )
    if isinstance(old, _SCALARS) and _is_number(new):
        return f"{text}; let it begin as {type(as_numeric(old))}({old}), which a loop can change"
    if _is_fixed(old):
        return f"{text}; a TMA atom stays the same in all iterations"
    if isinstance(old, (Numeric, SsaLeaf)) or _is_number(new):
        return f"{text}; it must keep its type in all iterations"
    advice = _advice(old) or "what is not a number must stay the same"
    return f"{text}; {advice}, or use range_constexpr"
