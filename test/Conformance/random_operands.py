"""Random operands for random_ops.py, and how they are written."""
import random

import oracle as o

EXTENTS = [1, 2, 2, 3, 4, 4, 6, 8, 12, 16]


class Random(random.Random):
    def flip(self, probability):
        return self.random() < probability

    def dynamic(self, values):
        return o.D(64 if self.flip(0.25) else 32, self.choice(values))

    def extent(self):
        if self.flip(self.dynamic_rate):
            return self.dynamic([1, 2, 3, 4, 6, 8])
        return self.choice(EXTENTS)

    def tree(self, leaf, depth=2):
        if depth == 0 or self.flip(0.4):
            return leaf()
        n = self.choice([1, 2, 2, 2, 3])
        return tuple(self.tree(leaf, depth - 1) for _ in range(n))

    def shape(self, depth=2):
        return self.tree(self.extent, depth)

    def strides_of(self, shape):
        """Compact in some order of modes, or anything."""
        kind = self.random()
        if kind < 0.12:
            return self.like(shape, self.any_stride)
        if kind < 0.24:
            return self.bases(shape)
        order = self.like(shape, lambda: self.randrange(4)) \
            if kind < 0.5 else 0
        stride = o.ordered(shape, order)
        return self.disturbed(stride)

    def bases(self, shape):
        """Those of an identity layout, scaled, or some of few directions."""
        paths = self.choice([[(0,), (1,)], [(0,), (1, 0), (1, 1)], [(1,)]])

        def basis():
            value = self.dynamic([1, 2, 5]) if self.flip(self.dynamic_rate / 3) \
                else self.choice([1, 1, 1, 2, 4, 6, 0, -1])
            return 0 if self.flip(0.05) else o.B(value, self.choice(paths))
        if self.flip(0.6):
            return self.like(shape, basis)
        return o.units(shape) if o.is_tuple(shape) else 1

    def disturbed(self, stride):
        if o.is_tuple(stride):
            return tuple(map(self.disturbed, stride))
        if isinstance(stride, int) and self.flip(self.dynamic_rate / 2):
            return self.dynamic([1, 2, 3, 4, 6, 8, 12, 24, -1, -4])
        if self.flip(0.06):
            return self.any_stride()
        return stride

    def any_stride(self):
        if self.flip(self.dynamic_rate):
            return self.dynamic([1, 2, 3, 4, 6, 8, 12, 24, -1, -4])
        return self.choice([0, 0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, -1, -2])

    def like(self, shape, leaf):
        return tuple(self.like(e, leaf) for e in shape) \
            if o.is_tuple(shape) else leaf()

    def layout(self, depth=2):
        self.dynamic_rate = self.choice([0, 0, 0.15, 0.4, 0.9])
        shape = self.shape(depth)
        return shape, self.strides_of(shape)

    def tile(self, shape, depth=1):
        n = self.randint(1, max(1, min(3, o.rank(shape) + self.flip(0.1))))
        return o.Tile(self.tile_leaf(o.mode(shape, i) if i < o.rank(shape)
                                     else 1, depth) for i in range(n))

    def tile_leaf(self, shape, depth):
        if depth and o.is_tuple(shape) and self.flip(0.5):
            return self.tile(shape, depth - 1)
        if self.flip(0.15):
            return "_"
        return self.layout(0) if self.flip(0.8) else self.layout(1)

    def coord(self, shape, underscore=0.0):
        if not o.is_tuple(shape) or self.flip(0.25):
            if self.flip(underscore):
                return "_"
            if self.flip(self.dynamic_rate):
                return self.dynamic([0, 1, 2, 5, 7, 30])
            return self.choice([0, 0, 1, 2, 3, 5, 7, 30, -1])
        return tuple(self.coord(e, underscore) for e in shape)

    def tuple_like(self, a):
        def leaf():
            if self.flip(self.dynamic_rate):
                return self.dynamic([1, 2, 3, 4, 6])
            return self.choice([1, 2, 3, 4, 6, 12, -3, 0])
        if self.flip(0.2):
            return self.tree(leaf)
        return self.like(a, leaf)


# Operands and results with their kinds

def tile_text(t):
    if isinstance(t, o.Tile):
        return "[%s]" % ";".join(map(tile_text, t))
    return t if t == "_" else o.layout_text(t)


def spelled(kind, value):
    text = {"layout": o.layout_text, "tile": tile_text,
            "composed_layout": str}.get(kind, o.text_of)
    return '!cute.%s<"%s">' % (kind, text(value))


def tile_numbers(t):
    if isinstance(t, o.Tile):
        return [n for e in t for n in tile_numbers(e)]
    return [] if t == "_" else o.numbers(t)


def numbers_of(kind, value):
    if kind == "composed_layout":
        return value.numbers()
    return tile_numbers(value) if kind == "tile" else o.numbers(value)


def check_layout(layout):
    """What the type of a layout demands."""
    shape, stride = layout
    o.need(o.congruent(shape, stride))
    o.need(all(not isinstance(s, int) or s > 0 for s in o.leaves(shape)))
    strides = o.leaves(stride)
    if any(isinstance(d, o.B) for d in strides):
        o.need(all(isinstance(d, o.B) or o.is_number(d, 0) for d in strides))
        paths = {d.path for d in strides if isinstance(d, o.B)}
        o.need(not any(p != q and q[:len(p)] == p
                       for p in paths for q in paths))
    return layout
