"""Leaves and tuples of oracle.py: sections 3.5 and 4.1."""
import dataclasses


class Reject(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class D:
    width: int
    value: object


@dataclasses.dataclass(frozen=True)
class B:
    value: object
    path: tuple  # outermost mode first


def is_tuple(a):
    return isinstance(a, tuple)


def is_static(a):
    return isinstance(a, int) or isinstance(a, B) and isinstance(a.value, int)


def need(condition, why=""):
    if not condition:
        raise Reject(why)


# Text

def text_of(a):
    if is_tuple(a):
        return "(%s)" % ",".join(map(text_of, a))
    if isinstance(a, D):
        return "?" if a.width == 32 else "?{i%d}" % a.width
    if isinstance(a, B):
        return text_of(a.value) + "".join("@%d" % m for m in reversed(a.path))
    return str(a)


def layout_text(layout):
    return "%s:%s" % tuple(map(text_of, layout))


def leaves(a):
    return [x for e in a for x in leaves(e)] if is_tuple(a) else [a]


def numbers(a):
    """The numbers of the dynamic leaves in order."""
    values = [x.value if isinstance(x, B) else x for x in leaves(a)]
    return [x.value for x in values if isinstance(x, D)]


# Leaves: section 4.1

def width(a):
    if isinstance(a, D):
        return a.width
    return 32 if -2**31 <= a < 2**31 else 64


def static(n):
    need(-2**63 <= n < 2**63, "overflow")
    return n


def dynamic(bits, n):
    if n is not None and not -2**(bits - 1) <= n < 2**(bits - 1):
        n = None
    return D(bits, n)


def number(a):
    return a.value if isinstance(a, D) else a


def binary(function, a, b):
    if isinstance(a, int) and isinstance(b, int):
        return static(function(a, b))
    x, y = number(a), number(b)
    known = x is not None and y is not None
    return dynamic(max(width(a), width(b)), function(x, y) if known else None)


def is_number(a, n):
    return isinstance(a, int) and a == n


def add(a, b):
    if is_number(a, 0):
        return b
    return a if is_number(b, 0) else binary(lambda x, y: x + y, a, b)


def sub(a, b):
    return a if is_number(b, 0) else binary(lambda x, y: x - y, a, b)


def mul(a, b):
    if isinstance(a, B):
        return B(mul(a.value, b), a.path)
    if isinstance(b, B):
        return B(mul(a, b.value), b.path)
    if is_number(a, 0) or is_number(b, 1):
        return a
    if is_number(b, 0) or is_number(a, 1):
        return b
    return binary(lambda x, y: x * y, a, b)


def truncated(x, y):
    if not y:
        return None
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


def div(a, b):
    need(not is_number(b, 0), "division by zero")
    if is_number(b, 1) or is_number(a, 0):
        return a
    return binary(truncated, a, b)


def mod(a, b):
    need(not is_number(b, 0), "division by zero")
    if is_number(b, 1) or is_number(b, -1) or is_number(a, 0):
        return 0
    return binary(lambda x, y: x - y * truncated(x, y) if y else None, a, b)


def ceil_div(a, b):
    need(not is_number(b, 0), "division by zero")
    if is_number(b, 1) or is_number(a, 0):
        return a
    return binary(lambda x, y: -(-x // y) if y else None, a, b)


def least(a, b):
    return binary(min, a, b)


def magnitude(a):
    return static(abs(a)) if isinstance(a, int) else \
        dynamic(a.width, a.value if a.value is None else abs(a.value))


def sign_of(n):
    return (n > 0) - (n < 0)


def signum(a):
    return sign_of(a) if isinstance(a, int) else \
        dynamic(a.width, a.value if a.value is None else sign_of(a.value))


def product(a):
    result = 1
    for x in leaves(a):
        result = mul(result, x)
    return result


# Tuples

def rank(a):
    return len(a) if is_tuple(a) else 1


def mode(a, i):
    return a[i] if is_tuple(a) else a


def weakly_congruent(a, b):
    return not is_tuple(a) or (is_tuple(b) and len(a) == len(b) and
                               all(map(weakly_congruent, a, b)))


def congruent(a, b):
    return weakly_congruent(a, b) and weakly_congruent(b, a)


def shape_div_leaf(a, b):
    need(not is_number(b, 0))
    if is_number(b, 1) or is_number(a, 0):
        return a

    def divide(x, y):
        if not y:
            return None
        return truncated(x, y) or sign_of(x) * sign_of(y)
    if isinstance(a, int) and isinstance(b, int):
        need(a % b == 0 or b % a == 0, "divisibility")
    return binary(divide, a, b)


def divide_in_turn(function, a, b):
    result = []
    for i, e in enumerate(a):
        result.append(function(e, b))
        if i + 1 < len(a):
            b = function(b, product(e))
    return tuple(result)


def shape_div(a, b, top=True):
    if is_tuple(a) and is_tuple(b):
        need(len(a) == len(b))
        return tuple(shape_div(x, y, False) for x, y in zip(a, b))
    if is_tuple(a):
        need(top or len(a) == 1, "one divisor for several modes inside a tuple")
        return divide_in_turn(shape_div, a, b)
    return shape_div_leaf(a, product(b) if is_tuple(b) else b)


def tuple_ceil_div(a, b):
    if is_tuple(a) and is_tuple(b):
        need(len(b) <= len(a))
        return tuple(tuple_ceil_div(e, b[i]) if i < len(b) else e
                     for i, e in enumerate(a))
    if is_tuple(a):
        return divide_in_turn(tuple_ceil_div, a, b)
    return ceil_div(a, product(b) if is_tuple(b) else b)


def tuple_sum(function, a, b, top=True):
    if is_tuple(a) != is_tuple(b):
        need(top and is_number(b, 0) or
             top and function is add and is_number(a, 0), "leaf with tuple")
        return a if is_number(b, 0) else b
    if not is_tuple(a):
        return function(a, b)
    n = max(len(a), len(b))
    return tuple(a[i] if i >= len(b) else b[i] if i >= len(a)
                 else tuple_sum(function, a[i], b[i], False)
                 for i in range(n))
