"""Trees of integers and of modes: what they are made of, their parts, and their order."""

from __future__ import annotations

from typing import Any, Callable

from .._compile import ir as _ir
from . import operands as _values
from .layout import ComposedLayout, Layout
from .numeric import Integer, Numeric
from .operands import IrObject, ScaledBasis, wrap

__all__ = (
    "depth find flatten flatten_to_tuple front get group_modes has_scaled_basis has_underscore "
    "is_int_tuple is_integer is_major is_static is_valid_leaf leading_dim rank repeat "
    "repeat_as_tuple repeat_like select transform_leaf unflatten"
).split()


def is_integer(a: Any) -> bool:
    """Returns whether ``a`` is an integer, known now or at run time.

    >>> is_integer(3), is_integer((3,))
    (True, False)
    """
    return isinstance(a, (int, Integer)) and not isinstance(a, bool)


def is_int_tuple(a: Any) -> bool:
    """Returns whether ``a`` is an integer or a tree of integers.

    >>> is_int_tuple((2, (3, 4))), is_int_tuple('ab')
    (True, False)
    """
    if isinstance(a, tuple):
        return all(is_int_tuple(x) for x in a)
    return is_integer(a)


def is_valid_leaf(a: Any) -> bool:
    """Returns whether ``a`` may be a leaf of a tuple of modes: an integer, None, a basis vector's
    multiple, or a layout.

    >>> is_valid_leaf(3), is_valid_leaf(make_layout(4)), is_valid_leaf("ab")
    (True, True, False)
    """
    return is_integer(a) or a is None or isinstance(a, (ScaledBasis, Layout, ComposedLayout))


def has_scaled_basis(a: Any) -> bool:
    """Returns whether a tuple, or one in it, has a multiple of a basis vector.

    >>> has_scaled_basis((1, (E(0), 2))), has_scaled_basis((1, 2))
    (True, False)
    """
    if isinstance(a, (tuple, list)):
        return any(map(has_scaled_basis, a))
    return isinstance(a, ScaledBasis)


def is_static(x: Any) -> bool:
    """Returns whether all of ``x`` is known now.

    >>> is_static(make_layout((4, 8)))
    True
    """
    if isinstance(x, (tuple, list)):
        return all(is_static(y) for y in x)
    if isinstance(x, Numeric):
        return False
    if isinstance(x, ScaledBasis):
        return x.is_static()
    if isinstance(x, IrObject):
        return "?" not in x.type_text if _is_view(x) else x.is_static
    if isinstance(x, (bool, int, float)) or x is None:
        return True
    raise TypeError(f"{x!r} is not a value of the algebra")


def _is_view(x: Any) -> bool:
    return hasattr(x, "iterator")


def has_underscore(a: Any) -> bool:
    """Returns whether None is anywhere in a tuple.

    >>> has_underscore((None, (2, 3)))
    True
    """
    if isinstance(a, (tuple, list)):
        return any(has_underscore(x) for x in a)
    return a is None


def _tree_of(a: Any) -> Any:
    """Returns the tuple itself, or the shape of a layout or tensor."""
    return a if isinstance(a, (tuple, list)) or not hasattr(a, "shape") else a.shape


def depth(a: Any) -> int:
    """Returns the depth of a tuple or shape: 0 for an integer, 1 for (1, 2).

    >>> depth(((1, 2), (3, 4)))
    2
    """
    tree = _tree_of(a)
    if not isinstance(tree, (tuple, list)):
        return 0
    return 1 + max((depth(x) for x in tree), default=0)


def rank(obj: Any, mode: Any = ()) -> int:
    """Returns the number of modes; 1 for an integer.

    >>> rank((2, (3, 4))), rank((2, (3, 4)), mode=[1]), rank(7)
    (2, 2, 1)
    """
    tree = _tree_of(obj)
    for i in mode:
        tree = tree[i]
    return len(tree) if isinstance(tree, (tuple, list)) else 1


def _operand(a: Any, kind: str = "shape") -> _ir.Operand:
    if isinstance(a, IrObject):
        return a.ir
    return _values.tuple_operand(a, _kind_of(a, kind))


def _kind_of(a: Any, kind: str) -> str:
    """Returns the kind that holds the leaves of a tuple."""
    if isinstance(a, (tuple, list)):
        kinds = [_kind_of(x, kind) for x in a]
        return next((k for k in ("coord", "stride") if k in kinds), kind)
    if a is None:
        return "coord"
    return "stride" if isinstance(a, ScaledBasis) else kind


def _path(mode: Any) -> list[int] | None:
    if isinstance(mode, int):
        mode = [mode]
    if not all(isinstance(m, int) for m in mode):
        raise ValueError(f"a mode is a list of ints, not {mode!r}")
    return list(mode) or None


# ---- Parts and order --------------------------------------------------------


def get(obj: Any, mode: Any = (), *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the part at a path of modes.

    >>> get((2, (3, 4)), mode=[1, 0])
    3
    """
    if isinstance(mode, int):
        mode = [mode]
    if not all(isinstance(m, int) for m in mode):
        raise TypeError(f"a mode is a list of ints, not {mode!r}")
    if isinstance(obj, (tuple, list)) or is_integer(obj):
        for m in mode:
            if rank(obj) <= m or m < 0:
                raise ValueError(f"{_values.show(obj)} has no mode {m}")
            obj = obj[m] if isinstance(obj, (tuple, list)) else obj
        return obj
    if not isinstance(obj, IrObject):
        raise TypeError(f"{obj!r} has no modes")
    for depth_, m in enumerate(mode):
        if not 0 <= m < rank(obj, mode[:depth_]):
            raise ValueError(f"{obj} has no mode {mode}")
    return wrap(_ir.apply("get", obj.ir, mode=_path(mode)), obj)


def select(obj: Any, mode: Any = (), *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the tuple of the named modes.

    >>> select((2, 3, 4), mode=[2, 0])
    (4, 2)
    >>> select(make_layout((2, 3, 4)), mode=[0, 2])
    (2,4):(1,6)
    """
    if isinstance(obj, (tuple, list)):
        for m in mode:
            if not 0 <= m < len(obj):
                raise ValueError(f"{_values.show(obj)} has no mode {m}")
        return tuple(obj[m] for m in mode)
    if not isinstance(obj, IrObject):
        raise TypeError(f"{obj!r} has no modes")
    if any(not 0 <= m < rank(obj) for m in mode):
        raise ValueError(f"{obj} does not have all of the modes {mode}")
    return wrap(_ir.apply("select", obj.ir, mode=list(mode)), obj)


def front(input: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the first leaf of a tuple, mode of a layout, or element of a tensor.

    >>> front(((4, 2), 8)), front(make_layout(((4, 2), 8), stride=((2, 1), 8)))
    (4, 4:2)
    """
    while isinstance(input, (tuple, list)):
        input = input[0]
    if not isinstance(input, IrObject):
        return input
    if _is_view(input):
        return input[0]
    while depth(input) > 0:
        input = get(input, mode=[0])
    return input


def is_major(mode: int, stride: Any, *, loc: Any = None, ip: Any = None) -> bool:
    """Returns whether the stride of a mode begins with 1.

    >>> is_major(1, make_layout((4, 8), stride=(8, 1)).stride)
    True
    """
    first = front(stride[mode] if isinstance(stride, (tuple, list)) else (stride,)[mode])
    return isinstance(first, int) and first == 1


def leading_dim(shape: Any, stride: Any) -> Any:
    """Returns the mode of stride 1 that is not of extent 1, or None.

    >>> leading_dim((4, 8), (8, 1))
    1
    """
    return find(1, stride, exclude_when=(1, shape))


def find(
    t: Any, x: Any, hierarchical: bool = True, *, exclude_when: Any = None,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the first position of the integer ``x`` in a tree: an int, a tuple or None.

    ``find(x, t)``, the order before 4.8, is taken, too. ``exclude_when`` is (value, tree):
    positions where that tree has the value do not count.

    :param hierarchical: whether to search trees within the tree

    >>> find((2, (3, 4)), 3)
    (1, 0)
    """
    if isinstance(x, (tuple, list)):
        t, x = x, t
    if not isinstance(x, int):
        raise TypeError(f"expected an int to find, not {x!r}")
    if not isinstance(t, (tuple, list)):
        if exclude_when is not None and _is_equal(exclude_when[1], exclude_when[0]):
            return None
        return 0 if _is_equal(t, x) else None
    for i, part in enumerate(t):
        is_tree = isinstance(part, (tuple, list))
        if is_tree and not hierarchical:
            continue
        inner = None if exclude_when is None else (exclude_when[0], exclude_when[1][i])
        found = find(part, x, exclude_when=inner)
        if found is not None and is_tree:
            return (i, *(found if isinstance(found, tuple) else (found,)))
        if found is not None:
            return i
    return None


def _is_equal(a: Any, b: int) -> bool:
    return isinstance(a, int) and a == b


def flatten_to_tuple(a: Any) -> tuple[Any, ...]:
    """Returns the leaves of a tree as one tuple.

    >>> flatten_to_tuple(2), flatten_to_tuple((2, (3, 4)))
    ((2,), (2, 3, 4))
    """
    if not isinstance(a, (tuple, list)):
        return (a,)
    return tuple(leaf for x in a for leaf in flatten_to_tuple(x))


def flatten(a: Any) -> Any:
    """Returns a tuple without nesting; an integer stays as it is.

    >>> flatten((2, (3, (4, 5))))
    (2, 3, 4, 5)
    >>> flatten(make_layout((2, (3, 4))))
    (2,3,4):(1,2,6)
    """
    if isinstance(a, IrObject):
        return wrap(_ir.apply("flatten", a.ir), a)
    return flatten_to_tuple(a) if isinstance(a, (tuple, list)) else a


def unflatten(sequence: Any, profile: Any) -> Any:
    """Returns the values of a sequence in the structure of a tree.

    >>> unflatten((2, 3, 4), (None, (None, None)))
    (2, (3, 4))
    """
    values = iter(sequence)
    return transform_leaf(lambda _: next(values), profile)


def transform_leaf(f: Callable[..., Any], *args: Any) -> Any:
    """Applies a function to the leaves of trees of one structure.

    >>> transform_leaf(lambda x: 2 * x, (1, (2, 3)))
    (2, (4, 6))
    """
    if isinstance(args[0], (tuple, list)):
        return tuple(transform_leaf(f, *parts) for parts in zip(*args))
    return f(*args)


def repeat_like(x: Any, target: Any) -> Any:
    """Returns a tree like ``target`` with ``x`` at each leaf.

    >>> repeat_like(1, ((1, 2), 3))
    ((1, 1), 1)
    """
    tree = _tree_of(target)
    if isinstance(tree, (tuple, list)):
        return tuple(repeat_like(x, y) for y in tree)
    return x


def repeat(x: Any, n: int) -> Any:
    """Returns ``x``, or for n > 1 a tuple with n times x.

    >>> repeat(1, 3)
    (1, 1, 1)
    """
    if n < 1:
        raise ValueError(f"{n} is not a number of repetitions")
    return x if n == 1 else (x,) * n


def repeat_as_tuple(x: Any, n: int) -> tuple[Any, ...]:
    """Returns a tuple of n times x.

    >>> repeat_as_tuple(4, 1)
    (4,)
    """
    if n < 1:
        raise ValueError(f"{n} is not a number of repetitions")
    return (x,) * n


def group_modes(
    input: Any, begin: int, end: int | None = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the input with modes [begin, end) as one mode; up to the last one without an end.

    >>> group_modes(make_layout((2, 3, 4)), 0, 2)
    ((2,3),4):((1,2),6)
    """
    if end is None or end == -1:
        end = rank(input)
    if isinstance(input, (tuple, list)):
        if not 0 <= begin < end <= len(input):
            raise ValueError(f"{_values.show(input)} has no modes [{begin}, {end})")
        grouped = tuple(input[begin:end])
        return (*input[:begin], grouped, *input[end:])
    return wrap(_ir.apply("group_modes", input.ir, begin=begin, end=end), input)
