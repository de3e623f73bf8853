"""Shapes as nested tuples, from their definitions: sizes, leaves and coordinates."""
import math


def is_tuple(x):
    return isinstance(x, tuple)


def size(shape):
    return math.prod(map(size, shape)) if is_tuple(shape) else shape


def leaves(x):
    return [y for e in x for y in leaves(e)] if is_tuple(x) else [x]


def text_of(x):
    return "(%s)" % ",".join(map(text_of, x)) if is_tuple(x) else str(x)


def unflatten(shape, values):
    """The values, an iterator, in the profile of the shape."""
    return tuple(unflatten(e, values) for e in shape) if is_tuple(shape) \
        else next(values)


def coordinate(i, shape):
    """The i-th coordinate of a shape; its last leaf takes what is left."""
    flat, rest = leaves(shape), i
    digits = []
    for k, extent in enumerate(flat):
        last = k + 1 == len(flat)
        digits.append(rest if last else rest % extent)
        rest //= extent
    return unflatten(shape, iter(digits))
