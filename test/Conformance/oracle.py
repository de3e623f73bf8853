"""What the ops of the open dialect infer, and the numbers of dynamic leaves.

Written from the dialect's description alone, apart from the library: values here
are trees of Python tuples whose leaves are integers (static), D (dynamic: a width
and the number that it has when the lowered code runs), B (a scaled basis) and "_".
A layout is a pair (shape, stride). What the dialect rejects raises Reject; where
arithmetic at run time is not defined, the number is None.
"""
import dataclasses

from oracle_layouts import *
from oracle_values import *


# Orders, inverses, recasts

def make_ordered_layout(shape, order):
    need(all(isinstance(k, int) for k in leaves(order)))
    return shape, ordered(shape, order)


def make_identity_layout(shape):
    need(all(not isinstance(s, int) or s > 0 for s in leaves(shape)))
    return shape, units(shape)


def right_inverse(a):
    need(all(isinstance(s, int) for s in leaves(a[0])))
    if isinstance(a[1], B):  # of a single mode the value does not count
        a = a[0], B(a[1].value if is_static(a[1]) else 1, a[1].path)
    parts, place = [], 1
    for s, d in modes(coalesce(a)):
        value, path = (d.value, d.path) if isinstance(d, B) else (d, ())
        need(not isinstance(d, B) or isinstance(value, int))
        parts.append((s, value, path, place))
        place = static(place * s)

    def direction(profile, path):
        if is_tuple(profile):
            return join([direction(p, path + (i,))
                         for i, p in enumerate(profile)])
        end, found, left = 1, [], [p for p in parts if p[2] == path]
        while True:
            nxt = next((p for p in left if is_number(p[1], end)
                        and p[0] != 1), None)
            if nxt is None:
                break
            found.append((nxt[0], nxt[3]))
            left.remove(nxt)
            end = static(end * nxt[0])
        return coalesce_modes(found) if found else (1, 0)
    return direction(codomain(a[1]), ())


def left_inverse(a):
    need(all(map(is_static, leaves(a))))

    def direction(profile, path):
        if is_tuple(profile):
            return join([direction(p, path + (i,))
                         for i, p in enumerate(profile)])
        place, parts = 1, []
        for s, d in modes(coalesce(a)):
            at = d.path if isinstance(d, B) else ()
            if at == path and not is_number(s, 1) and not is_number(d, 0):
                parts.append((s, d.value if at else d, place))
            place = static(place * s)
        need(all(d > 0 for _, d, _ in parts))
        parts.sort(key=lambda m: m[1])
        found, before, at = [], 1, 0
        for s, d, where in parts:
            need(d % before == 0, "no ratio")
            found.append((d // before, at))
            before, at = d, where
        if parts:
            found.append((parts[-1][0], at))
        return coalesce_modes(found) if found else (1, 0)
    return direction(codomain(a[1]), ())


def make_layout_like(a):
    need(not any(isinstance(d, B) for d in leaves(a[1])))
    parts = [(1 if is_number(d, 0) else s, d) for s, d in modes(a)]
    strides = [0] * len(parts)
    fixed = sorted({d for _, d in parts if isinstance(d, int)})
    end = 1
    for value in fixed:
        same = [i for i, (_, d) in enumerate(parts) if is_number(d, value)]
        start = end
        for i in same:
            strides[i] = 0 if is_number(parts[i][0], 1) else start
            end = mul(end, parts[i][0])
    for i, (s, d) in enumerate(parts):
        if isinstance(d, D):
            strides[i] = 0 if is_number(s, 1) else end
            end = mul(end, s)

    def rebuild(t):
        return tuple(map(rebuild, t)) if is_tuple(t) else strides.pop(0)
    return a[0], rebuild(a[0])


def raked_product(a, b):
    n = max(rank(a[0]), rank(b[0]))
    if n > 1:
        a, b = padded(a, n), padded(b, n)
    both = logical_product(a, b)
    if not is_tuple(a[0]):
        pairs = [join([sub_layout(both, 1), sub_layout(both, 0)])]
        need(not is_tuple(pairs[0][0][0]))
    else:
        need(is_tuple(b[0]))
        one, two = spread(sub_layout(both, 0)), spread(sub_layout(both, 1))
        need(len(one) == len(two))
        pairs = [join(pair) for pair in zip(two, one)]
    return join([coalesce(p) for p in pairs])


def recast(a, new, old):
    need(new > 0 and old > 0)
    need(not any(isinstance(d, B) for d in leaves(a[1])))
    if new == old:
        return a
    a0 = a
    g = next(k for k in range(min(new, old), 0, -1)
             if new % k == 0 and old % k == 0)
    p, q = new // g, old // g

    def up(s, d):
        if p == 1 or is_number(d, 0):
            return s, d
        if isinstance(d, D):
            return s, shape_div_leaf(d, p)
        return (ceil_div(s, -(-p // abs(d))),
                sign_of(d) * -(-abs(d) // p))

    def down(s, d):
        if q == 1 or is_number(d, 0):
            return s, d
        if isinstance(d, int) and abs(d) == 1:
            return mul(s, q), d
        return s, mul(d, q)

    def each(layout):
        if is_tuple(layout[0]):
            return join([each(m) for m in zip(*layout)]) \
                if layout[0] else ((), ())
        return down(*up(*layout))
    return each(a0)


# Coordinates

def unit_tuple(value, path):
    return (0,) * path[0] + (unit_tuple(value, path[1:]),) if path else value


def evaluate(c, layout):
    shape, stride = layout
    c = 0 if c == "_" else c
    if not is_tuple(shape):
        need(not is_tuple(c))
        term = mul(c, stride)
        return unit_tuple(term.value, term.path) if isinstance(term, B) \
            else term
    if not is_tuple(c):
        need(shape)
        parts = []
        for e in shape[:-1]:
            parts.append(mod(c, product(e)))
            c = div(c, product(e))
        c = tuple(parts) + (c,)
    need(len(c) == len(shape))
    total = 0
    for e, m in zip(c, zip(*layout)):
        total = arithmetic_sum(total, evaluate(e, m))
    return total


def arithmetic_sum(a, b):
    """Missing elements and a static 0 count as nothing, at any level."""
    if is_number(a, 0) or is_number(b, 0):
        return b if is_number(a, 0) else a
    if not is_tuple(a) and not is_tuple(b):
        return add(a, b)
    need(is_tuple(a) and is_tuple(b))
    n = max(len(a), len(b))
    return tuple(a[i] if i >= len(b) else b[i] if i >= len(a)
                 else arithmetic_sum(a[i], b[i]) for i in range(n))


def crd2idx(c, shape):
    need(weakly_congruent(c, shape))
    return evaluate(c, (shape, compact(shape)[0]))


def idx2crd(i, shape):
    if not is_tuple(shape):
        need(not is_tuple(i))
        return i
    if is_tuple(i):
        need(len(i) == len(shape))
        return tuple(map(idx2crd, i, shape))
    result = []
    for e in shape[:-1]:
        result.append(idx2crd(mod(i, product(e)), e))
        i = div(i, product(e))
    return tuple(result) + tuple(idx2crd(i, e) for e in shape[-1:])


def cosize(layout):
    shape, stride = layout

    def positive(d):
        if is_tuple(d):
            return tuple(map(positive, d))
        return B(magnitude(d.value), d.path) if isinstance(d, B) \
            else magnitude(d)

    def last(s):
        return tuple(map(last, s)) if is_tuple(s) else sub(s, 1)
    top = evaluate(last(shape), (shape, positive(stride)))
    result = 1
    for x in leaves(top):
        result = mul(result, add(x, 1))
    return result


def increment_coord(c, shape):
    need(congruent(c, shape))
    count, done = len(leaves(c)), []
    carry = 1
    for i, (x, s) in enumerate(zip(leaves(c), leaves(shape))):
        total = add(x, carry)
        if i + 1 == count:
            done.append(total)
        elif is_number(s, 1):
            done.append(0)
        elif isinstance(total, int) and isinstance(s, int):
            done.append(total if total < s else 0)
            carry = 0 if total < s else 1
        else:
            known = number(total) is not None and number(s) is not None
            less = known and number(total) < number(s)
            done.append(dynamic(width(total), (number(total) if less else 0)
                                if known else None))
            carry = dynamic(32, (0 if less else 1) if known else None)

    def rebuild(a):
        return tuple(map(rebuild, a)) if is_tuple(a) else done.pop(0)
    return rebuild(c)


# Picking modes

def sliced(a, c, keep):
    """Survivors of a tree (or layout), and whether they are one element."""
    if not is_tuple(c):
        return a if keep(c) else ()
    def collect(t, k):
        if not is_tuple(k):
            return [t] if keep(k) else []
        return [x for e, f in zip(t, k) for x in collect(e, f)]
    return tuple(collect(a, c))


def group_modes(a, begin, end):
    need(0 <= begin < end <= rank(a[0]))
    parts = spread(a)
    if not is_tuple(a[0]):
        return join(parts)
    return join(parts[:begin] + [join(parts[begin:end])] + parts[end:])


def flatten(a):
    return join(modes(a)) if is_tuple(a[0]) else a


def get(a, path):
    """A leaf has one mode, itself, which has no further ones."""
    for k, i in enumerate(path):
        need(0 <= i < rank(a[0]))
        need(is_tuple(a[0]) or not k)
        a = sub_layout(a, i)
    return a


def append_to_rank(a, n, element):
    need(n > 0)
    missing = n - rank(a[0])
    return a if missing <= 0 else join(spread(a) + [element] * missing)


def prepend_to_rank(a, n, element):
    need(n > 0)
    missing = n - rank(a[0])
    return a if missing <= 0 else join([element] * missing + spread(a))


# Composed layouts

@dataclasses.dataclass(frozen=True)
class Swizzle:
    bits: int
    base: int
    shift: int

    def apply(self, v):
        ones = (1 << self.bits) - 1
        y = ones << (self.base + max(0, self.shift))

        def swizzled(n, _):
            taken = n & y
            return n ^ (taken >> self.shift if self.shift >= 0
                        else taken << -self.shift)
        return binary(swizzled, v, 0)

    def __str__(self):
        return "S<%d,%d,%d>" % (self.bits, self.base, self.shift)


@dataclasses.dataclass(frozen=True)
class Composed:
    inner: object  # a Swizzle or a layout
    offset: object
    outer: tuple

    def __str__(self):
        inner = str(self.inner) if isinstance(self.inner, Swizzle) \
            else layout_text(self.inner)
        return "%s o %s o %s" % (inner, text_of(self.offset),
                                 layout_text(self.outer))

    def numbers(self):
        inner = () if isinstance(self.inner, Swizzle) else self.inner
        return numbers((self.outer, self.offset, inner))

    def evaluate(self, c):
        v = arithmetic_sum(self.offset, evaluate(c, self.outer))
        need(not is_tuple(v))
        return self.inner.apply(v) if isinstance(self.inner, Swizzle) \
            else evaluate(v, self.inner)
