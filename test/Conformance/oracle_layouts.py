"""Composition, complements, divides and products: see oracle.py."""
from oracle_values import *


# Layouts

def compact(shape, start=1):
    """Column-major strides and the running product."""
    if is_tuple(shape):
        strides = []
        for e in shape:
            s, start = compact(e, start)
            strides.append(s)
        return tuple(strides), start
    if is_number(shape, 1):
        return 0, start
    return start, mul(start, shape)


def of_shape(shape):
    need(all(not isinstance(s, int) or s > 0 for s in leaves(shape)))
    return shape, compact(shape)[0]


def modes(layout):
    shape, stride = layout
    if not is_tuple(shape):
        return [layout]
    return [m for pair in zip(shape, stride) for m in modes(pair)]


def join(parts):
    return tuple(s for s, _ in parts), tuple(d for _, d in parts)


def unwrap(parts):
    return parts[0] if len(parts) == 1 else join(parts)


def merges(low, high):
    (s, d), (s2, d2) = low, high
    return all(map(is_static, (s, d, s2, d2))) and mul(s, d) == d2


def coalesce_modes(parts, keep_last=False):
    done = []
    for part in parts:
        while done and is_number(done[-1][0], 1):
            done.pop()
        if done and merges(done[-1], part):
            done[-1] = (static(done[-1][0] * part[0]), done[-1][1])
        else:
            done.append(part)
    if not keep_last and len(done) > 1 and is_number(done[-1][0], 1):
        done.pop()
    return unwrap(done)


def coalesce(layout, profile=1, keep_last=False):
    if not is_tuple(profile):
        return coalesce_modes(modes(layout), keep_last)
    shape, stride = layout
    need(len(profile) <= rank(shape))
    return join([
        coalesce((mode(shape, i), mode(stride, i)), profile[i], keep_last)
        if i < len(profile) else (mode(shape, i), mode(stride, i))
        for i in range(rank(shape))])


def sub_layout(layout, i):
    return mode(layout[0], i), mode(layout[1], i)


def codomain(stride):
    """The profile of a stride's codomain: 1, or a tuple for basis strides."""
    paths = [x.path for x in leaves(stride) if isinstance(x, B)]

    def tree(some):
        some = [p for p in some if p]
        if not some:
            return 1
        return tuple(tree([p[1:] for p in some if p[0] == i])
                     for i in range(max(p[0] for p in some) + 1))
    return tree(paths)


def ordered(shape, order):
    need(all(not isinstance(s, int) or s > 0 for s in leaves(shape)))
    need(weakly_congruent(order, shape))
    keyed = []

    def collect(s, key, outer):
        if is_tuple(s) and is_tuple(key):
            for e, k in zip(s, key):
                collect(e, k, outer)
        else:
            keyed.append((key, s))
    collect(shape, order, ())

    def strides(s, key):
        if is_tuple(s) and is_tuple(key):
            return tuple(map(strides, s, key))
        start = 1
        for other, extent in sorted(keyed, key=lambda m: m[0]):
            if other < key:
                start = mul(start, product(extent))
        return compact(s, start)[0]
    return strides(shape, order)


# Composition: section 4.4

def compose_leaf(a, s, d):
    if is_number(d, 0):
        return s, d
    if not is_tuple(a[0]):
        return s, mul(d, a[1])
    need(len(a[0]), "empty")
    emitted = []
    for size, stride in modes(a)[:-1]:
        need(not (isinstance(size, int) and isinstance(d, int)) or
             d % size == 0 or d < size, "stride")
        n = ceil_div(size, magnitude(d))
        after = mul(ceil_div(magnitude(d), size), signum(d))
        if not (is_number(n, 1) or is_number(s, 1)):
            t = least(n, s)
            need(not (isinstance(t, int) and isinstance(s, int)) or s % t == 0,
                 "extent")
            emitted.append((t, mul(d, stride)))
            s = div(s, t)
        d = after
    last = s, mul(d, modes(a)[-1][1])
    if not emitted:
        return last
    if is_number(s, 1):
        return unwrap(emitted)
    return coalesce_modes(emitted + [last])


def compose_modes(a, b):
    if is_tuple(b[0]):
        return join([compose_modes(a, m) for m in zip(*b)])
    if not isinstance(b[1], B):
        return compose_leaf(a, *b)
    need(isinstance(b[0], int), "dynamic extent at a basis")
    for i in b[1].path:
        need(is_tuple(a[0]) and i < len(a[0]), "path")
        a = sub_layout(a, i)
    return compose_leaf(a, b[0], b[1].value)


def compose(a, b):
    profile = codomain(b[1])
    need(not is_tuple(profile) or len(profile) <= rank(a[0]))
    return compose_modes(coalesce(a, profile, True), b)


class Tile(tuple):
    """A tuple of tiles; a leaf is a layout (pair) or "_"."""


def tile_of(shape):
    return Tile(map(tile_of, shape)) if is_tuple(shape) else of_shape(shape)


def composition(a, b):
    if b == "_":
        return a
    if not isinstance(b, Tile):
        return compose(a, b)
    need(len(b) <= rank(a[0]))
    need(is_tuple(a[0]) or not b or not isinstance(b[0], Tile))
    return join([composition(sub_layout(a, i), t) for i, t in enumerate(b)])


# Complement: section 4.5

def in_direction(layout, path):
    """The modes along a path of the codomain, by integer stride."""
    found = []
    for s, d in modes(layout):
        value, at = (d.value, d.path) if isinstance(d, B) else (d, ())
        if is_number(s, 1) or is_number(value, 0) or at != path:
            continue
        found.append((s, value))
    need(len(found) < 2 or all(isinstance(d, int) for _, d in found))
    return sorted(found, key=lambda m: number(m[1]))


def gaps(parts, positive=True):
    end, found = 1, []
    for s, d in parts:
        gap = div(d, end)
        need(not isinstance(gap, int) or gap > 0 or not positive, "overlap")
        found.append((gap, end))
        end = mul(d, s)
    return found, end


def scaled(layout, path):
    def scale(d):
        if is_tuple(d):
            return tuple(map(scale, d))
        return B(d, path) if path else d
    return layout[0], scale(layout[1])


def minimal_complement(a):
    def direction(profile, path):
        if is_tuple(profile):
            return join([direction(p, path + (i,))
                         for i, p in enumerate(profile)])
        found, end = gaps(in_direction(a, path))
        return coalesce_modes(scaled_modes(found + [(1, end)], path), True)
    return direction(codomain(a[1]), ())


def scaled_modes(parts, path):
    return [scaled(m, path) for m in parts]


def complement(a):
    need(all(map(is_static, leaves(a))) and leaves(a))
    need(all((d.value if isinstance(d, B) else d) >= 0 for d in leaves(a[1])))
    return minimal_complement(a)


def complement_in(a, target, positive=True):
    need(not any(isinstance(d, B) for d in leaves(a[1])))
    need(rank(a[0]) == 1 or all(map(is_static, leaves(a[1]))))
    need(all(not isinstance(t, int) or t > 0 for t in leaves(target))
         or not positive)
    parts = [(s, d) for s, d in modes(a)
             if not is_number(s, 1) and not is_number(d, 0)]
    if not parts:
        whole = coalesce(of_shape(target))
        return (1, 1) if is_number(whole[0], 1) else whole
    parts = modes(coalesce_modes(parts))
    need(len(parts) == 1 or all(is_static(d) for _, d in parts))
    found, end = gaps(sorted(parts, key=lambda m: number(m[1]))
                      if len(parts) > 1 else parts, positive)
    rest = leaves(tuple_ceil_div(target, end))
    n = next((i for i, x in enumerate(rest) if not isinstance(x, int)),
             len(rest))
    prefix = product(tuple(rest[:n]))
    if n == len(rest) or prefix != 1:
        found.append((prefix, end))
        end = mul(end, prefix)
    if n < len(rest):
        found.append((product(tuple(rest[n:])), end))
    return coalesce_modes(found)


def complement_over(t, target):
    def direction(profile, path, part):
        if not is_tuple(profile):
            found, end = gaps(in_direction(t, path))
            stride = end
            for size in leaves(part):
                extent = ceil_div(size, end)
                found.append((extent, stride))
                stride, end = mul(stride, extent), ceil_div(end, size)
            return coalesce_modes(scaled_modes(found, path))
        need(len(profile) <= rank(part) and (is_tuple(part) or not path))
        return join([direction(profile[i], path + (i,), mode(part, i))
                     if i < len(profile) else whole(mode(part, i), path + (i,))
                     for i in range(rank(part))])

    def whole(part, path):
        return part, units(part, path)
    return direction(codomain(t[1]), (), target)


def units(shape, path=()):
    if is_tuple(shape):
        return tuple(units(e, path + (i,)) for i, e in enumerate(shape))
    return B(1, path) if path else 1


# Divides and products: sections 4.7 and 4.8

def check_tiler(a, t, top):
    basis = any(isinstance(d, B) for d in leaves(t[1]))
    need(top or not basis)
    need(not basis or all(map(is_static, leaves(t) + leaves(a[0]))))
    need(rank(t[0]) == 1 or all(map(is_static, leaves(t[1]))))


def logical_divide(a, t, top=True):
    if t == "_":
        return a
    if not isinstance(t, Tile):
        check_tiler(a, t, top)
        return compose(a, join([t, complement_over(t, a[0])]))
    need(len(t) <= rank(a[0]))
    need(is_tuple(a[0]) or not t or not isinstance(t[0], Tile))
    return join([logical_divide(sub_layout(a, i), t[i], False)
                 if i < len(t) else sub_layout(a, i)
                 for i in range(rank(a[0]))])


def zipped(divided, t):
    """((tiles), (rests))."""
    if not isinstance(t, Tile):
        need(rank(divided[0]) == 2 and is_tuple(divided[0]))
        return divided
    pairs = [zipped(sub_layout(divided, i), e) for i, e in enumerate(t)]
    rest = [sub_layout(divided, i) for i in range(len(t), rank(divided[0]))]
    return join([join([sub_layout(p, 0) for p in pairs]),
                 join([sub_layout(p, 1) for p in pairs] + rest)])


def spread(layout):
    return [sub_layout(layout, i) for i in range(rank(layout[0]))] \
        if is_tuple(layout[0]) else [layout]


def arrange(pair, form):
    if form == "tiled":
        return join([sub_layout(pair, 0)] + spread(sub_layout(pair, 1)))
    if form == "flat":
        return join(spread(sub_layout(pair, 0)) + spread(sub_layout(pair, 1)))
    return pair


def divide(form, a, t):
    divided = logical_divide(a, t)
    return divided if form == "logical" else arrange(zipped(divided, t), form)


def is_zero(d):
    return is_number(d, 0)


def logical_product(a, b, op=True):
    if op:
        need(all(map(is_static, leaves(a))))
        need(not any(isinstance(d, B) for d in leaves(b[1])))
        need(not any(isinstance(d, B) for d in leaves(a[1])) or
             all(map(is_static, leaves(b))))
    if all(map(is_zero, leaves(b[1]))):
        return join([a, b])
    need(all((d.value if isinstance(d, B) else number(d)) >= 0
             for d in leaves(a[1])))
    return join([a, compose(minimal_complement(a), b)])


def product_of(form, a, b):
    return arrange(logical_product(a, b),
                   "logical" if form == "zipped" else form)


def padded(layout, n):
    parts = spread(layout)
    return join(parts + [(1, 0)] * (n - len(parts)))


def blocked_product(a, b, op=True):
    """Of rank 1, a scalar has no modes that a tuple's could be paired with."""
    n = max(rank(a[0]), rank(b[0]))
    if n > 1:
        a, b = padded(a, n), padded(b, n)
    both = logical_product(a, b, op)
    if not is_tuple(a[0]):
        return join([both])
    need(is_tuple(b[0]))
    one, two = spread(sub_layout(both, 0)), spread(sub_layout(both, 1))
    need(len(one) == len(two))
    return join([join(pair) for pair in zip(one, two)])


def tile_to_shape(block, target, order=None):
    n = rank(target)
    need(rank(block[0]) <= n)
    order = tuple(range(n)) if order is None else order
    need(rank(order) == n and sorted(order) == list(range(n)))
    block = padded(block, n) if n > 1 else block
    need(len(leaves(block[1])) == 1 or
         all(map(is_static, leaves(block[1]))))
    repeats = tuple(
        ceil_div(product(mode(target, i)), product(mode(block[0], i)))
        for i in range(n))
    return blocked_product(block, (repeats, ordered(repeats, order)), False)
