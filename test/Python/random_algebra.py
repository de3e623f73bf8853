# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Random calls of the layout algebra, each compared with its definition at every coordinate.

`python3 test/Python/random_algebra.py SEED COUNT` runs others, and says which failed.
"""

import array
import collections
import itertools
import math
import random
import sys
import unittest
import warnings
from typing import Any, NamedTuple

import cute
from cute import Int32
from cute.runtime import make_ptr

MOST = 48  # coordinates of a layout


# ---- Layouts as functions, apart from the package ---------------------------


def leaves(tree):
    return [x for branch in tree for x in leaves(branch)] if isinstance(tree, tuple) else [tree]


def size_of(shape):
    return math.prod(leaves(shape))


class Function:
    """A layout as numbers: what it gives for an index, colexicographic, of any size."""

    def __init__(self, shape, stride):
        self.shape, self.stride = shape, stride
        self.pairs = list(zip(leaves(shape), leaves(stride)))
        self.size = size_of(shape)

    def __call__(self, index):
        found = 0
        for i, (extent, stride) in enumerate(self.pairs):
            is_last = i == len(self.pairs) - 1
            found += (index if is_last else index % extent) * stride
            index //= extent
        return found

    def values(self):
        return [self(i) for i in range(self.size)]

    def mode(self, i):
        return Function(self.shape[i], self.stride[i])

    def is_injective(self):
        return len(set(self.values())) == self.size

    def cosize(self):
        return max(self.values()) + 1

    def layout(self):
        return cute.make_layout(self.shape, stride=self.stride)

    def __str__(self):
        return f"{self.shape}:{self.stride}".replace(" ", "")


def of(layout):
    return Function(layout.shape, layout.stride)


# ---- Random layouts ---------------------------------------------------------


def random_tree(chance, numbers):
    """A tuple of these numbers in their order, nested at random."""
    if len(numbers) == 1:
        return numbers[0] if chance.random() < 0.8 else (numbers[0],)
    cuts = sorted(chance.sample(range(1, len(numbers)), chance.randint(1, len(numbers) - 1)))
    parts = [numbers[a:b] for a, b in zip([0, *cuts], [*cuts, len(numbers)])]
    return tuple(part[0] if len(part) == 1 else random_tree(chance, part) for part in parts)


def like(tree, numbers):
    """The numbers in the form of a tree."""
    it = iter(numbers)

    def build(branch):
        return tuple(map(build, branch)) if isinstance(branch, tuple) else next(it)

    return build(tree)


def extents(chance, most, choices=(1, 2, 2, 3, 4, 4, 6, 8)):
    found = []
    for _ in range(chance.randint(1, 4)):
        extent = chance.choice(choices)
        if math.prod(found) * extent <= most:
            found.append(extent)
    return found or [1]


def random_layout(chance, most=MOST, kind=None, choices=(1, 2, 2, 3, 4, 4, 6, 8)):
    """A layout: compact in any order, with gaps, or with any strides."""
    numbers = extents(chance, most, choices)
    shape = random_tree(chance, numbers)
    kind = kind or chance.choice(["compact", "compact", "gaps", "any"])
    order = chance.sample(range(len(numbers)), len(numbers))
    strides, step = [0] * len(numbers), 1
    for i in order:
        strides[i] = step
        step *= numbers[i] * (chance.choice([1, 1, 2, 3]) if kind == "gaps" else 1)
    if kind == "any":
        strides = [chance.choice([0, 1, 2, 3, 4, 8]) for _ in numbers]
    return Function(shape, like(shape, strides))


def random_tiler(chance, extent):
    """A layout whose values are below an extent, which its size divides where it can."""
    divisors = [d for d in range(1, extent + 1) if extent % d == 0]
    tile = chance.choice(divisors)
    strides = [d for d in divisors if tile * d <= extent and extent % (tile * d) == 0]
    return Function(tile, chance.choice(strides or [1]))


# ---- Calls and their definitions --------------------------------------------


def same(found, wanted):
    """Says how a layout differs from numbers; "" where it does not."""
    values = found.values()
    return "" if values == wanted else f"gives {values}, not {wanted}"


def check_composition(a, b, found):
    return same(found, [a(b(i)) for i in range(b.size)])


def check_coalesce(a, found):
    if isinstance(found.shape, tuple) and any(isinstance(x, tuple) for x in found.shape):
        return "has modes within modes"
    return same(found, a.values())


def check_flatten(a, found):
    return same(found, a.values())


def check_filter(a, found):
    values = found.values()
    if set(values) != set(a.values()) or 0 in leaves(found.stride) and found.size > 1:
        return f"has the values {sorted(set(values))}, not {sorted(set(a.values()))}"
    return ""


def check_complement(a, bound, found):
    """The values of both together are different, ascend, reach the bound, and are enough."""
    values = found.values()
    held = math.prod(extent for extent, stride in a.pairs if stride)
    if found.size < bound // held:
        return f"has {found.size} elements, fewer than {bound} / {held}"
    sums = [x + y for x in a.values() for y in values]
    if values != sorted(set(values)):
        return "does not ascend"
    if len(set(sums)) != len(sums):
        return "meets values of the layout"
    return "" if max(sums) + 1 >= bound else f"reaches {max(sums) + 1}, not {bound}"


def check_right_inverse(a, found):
    return same(Function(found.size, 1), [a(found(i)) for i in range(found.size)])


def check_left_inverse(a, found):
    return same(Function(a.size, 1), [found(x) for x in a.values()])


def check_divide(a, b, found):
    """Mode 0 is the tile, and both together have what the layout has."""
    tile, rest = found.mode(0), found.mode(1)
    if text := same(tile, [a(b(i)) for i in range(b.size)]):
        return f"mode 0 {text}"
    if collections.Counter(found.values()) != collections.Counter(a.values()):
        return f"has {sorted(found.values())}, not {sorted(a.values())}"
    return "" if tile.size * rest.size == found.size else "has a wrong size"


def check_product(a, b, found):
    """Mode 0 is the layout, mode 1 repeats it as b does, at other values than the layout has.

    (The law that the package warns about is stricter: mode 1 is the complement of b.)
    """
    first, second = found.mode(0), found.mode(1)
    if text := same(first, a.values()):
        return f"mode 0 {text}"
    if second.size != b.size:
        return f"mode 1 has {second.size} values, not {b.size}"
    values = second.values()
    equal = [x == y for x, y in itertools.combinations(b.values(), 2)]
    if [x == y for x, y in itertools.combinations(values, 2)] != equal:
        return f"mode 1 has {values}, which repeat otherwise than {b.values()}"
    taken = set(a.values())
    different = set(values) - {0}
    return f"mode 1 has {sorted(different & taken)} of mode 0" if different & taken else ""


def check_tiles(a, tiler, found):
    """((tile), (rest)) of a layout of two modes, tiled by extents."""
    (m, n), (tm, tn) = a.shape, tiler
    rows, columns = a.mode(0), a.mode(1)
    inner, outer = found.mode(0), found.mode(1)
    for i, j in itertools.product(range(size_of(inner.shape)), range(size_of(outer.shape))):
        x, y = i % tm + j % (size_of(m) // tm) * tm, i // tm + j // (size_of(m) // tm) * tn
        if inner(i) + outer(j) != rows(x) + columns(y):
            return f"has {inner(i) + outer(j)} at ({i},{j}), not {rows(x) + columns(y)}"
    return "" if found.size == a.size else "has a wrong size"


def two_modes(chance):
    parts = [random_layout(chance, 12, "compact") for _ in range(2)]
    strides = like(parts[1].shape, [s * parts[0].size for s in leaves(parts[1].stride)])
    return Function((parts[0].shape, parts[1].shape), (parts[0].stride, strides))


def powers(chance, most=MOST, kind=None):
    return random_layout(chance, most, kind, (1, 2, 2, 4, 4, 8))


def injective(chance, make=random_layout):
    return next(f for f in iter(lambda: make(chance), None) if f.is_injective())


def operands(name, chance):
    """Random operands of a call, for which it is defined."""
    if name == "composition":
        a = powers(chance)
        return a, powers(chance, a.size, "compact")
    if name == "complement":
        a = injective(chance, powers)
        return a, a.cosize() * chance.choice([1, 1, 2, 4])
    if name == "left_inverse":
        return (injective(chance),)
    if name == "logical_divide":
        a = powers(chance)
        return a, random_tiler(chance, a.size)
    if name == "logical_product":
        a, b = injective(chance, powers), powers(chance, 8)
        return a, b
    if name == "zipped_divide":
        a = two_modes(chance)
        return a, tuple(chance.choice([d for d in range(1, size_of(s) + 1) if size_of(s) % d == 0])
                        for s in a.shape)
    return (random_layout(chance),)


CHECKS = {
    "coalesce": check_coalesce, "complement": check_complement, "composition": check_composition,
    "filter": check_filter, "flatten": check_flatten, "left_inverse": check_left_inverse,
    "logical_divide": check_divide, "logical_product": check_product,
    "right_inverse": check_right_inverse, "zipped_divide": check_tiles,
}


LATER = ("coalesce", "flatten", "composition", "logical_product")


def given(operand):
    return operand.layout() if isinstance(operand, Function) else operand


class Result(NamedTuple):
    """A call: its text, the layout, what is wrong with it, and an error instead of it."""

    text: str
    layout: Any
    wrong: str
    error: str


_known: dict[str, Result] = {}


def call(name, chosen):
    """Calls a function, once. What it warns of, that a law does not hold, is to be wrong."""
    text = f"{name}({', '.join(map(str, chosen))})".replace(" ", "")
    if text not in _known:
        _known[text] = called(name, chosen, text)
    return _known[text]


def called(name, chosen, text):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = getattr(cute, name)(*map(given, chosen))
        except cute.DSLError as error:
            return Result(text, None, "", str(error))
    wrong = CHECKS[name](*chosen, of(made))
    if caught:
        said = str(caught[0].message)
        right = "" if wrong or name == "logical_product" else f"warns of what is right: {said}"
        return Result(text, None, right, said)
    return Result(text, made, wrong and f"{made} {wrong}", "")


class Static(unittest.TestCase):
    def test_every_coordinate(self):
        for name in CHECKS:
            chance = random.Random(name)
            found = [call(name, operands(name, chance)) for _ in range(60)]
            with self.subTest(name):
                self.assertEqual([(r.text, r.wrong) for r in found if r.wrong], [])
                # Compositions and products that no strides have are errors.
                refused = [(r.text, r.error) for r in found if r.error]
                self.assertLess(len(refused), 20, refused[:3])


# ---- The same with extents and strides that are known later -----------------


@cute.jit
def evaluate(numbers: cute.Pointer, out: cute.Pointer, name: cute.Constexpr,
             trees: cute.Constexpr, count: cute.Constexpr):
    """Writes what a call gives for each index. Leaves [i] of ``trees`` are numbers[i]."""
    def build(tree):
        if isinstance(tree, list):
            return numbers[tree[0]]
        return tuple(map(build, tree)) if isinstance(tree, tuple) else tree

    chosen = [cute.make_layout(build(shape), stride=build(stride)) for shape, stride in trees]
    made = getattr(cute, name)(*chosen)
    for i in range(count):
        out[i] = made(i)


def run_later(name, chosen, chance):
    """The numbers that a call gives of layouts some of whose numbers are known later, and
    the layouts' text; an error's text instead of the numbers."""
    hidden = []

    def hide(tree):
        if isinstance(tree, tuple):
            return tuple(map(hide, tree))
        if chance.random() < 0.6:
            return tree
        hidden.append(tree)
        return [len(hidden) - 1]

    trees = [(hide(f.shape), hide(f.stride)) for f in chosen]
    count = chosen[-1].size
    numbers = array.array("i", [*hidden, 0])
    out = array.array("i", [-1] * count)
    pointers = [make_ptr(Int32, m.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=4)
                for m in (numbers, out)]
    try:
        evaluate(*pointers, name, trees, count)
    except cute.DSLError as error:
        return str(error), trees
    return list(out), trees


class Later(unittest.TestCase):
    def test_every_coordinate(self):
        for name in LATER:
            chance = random.Random(name)
            compared = 0
            for _ in range(14):
                chosen = operands(name, chance)
                plain = call(name, chosen)
                found, trees = run_later(name, chosen, chance)
                if plain.error or isinstance(found, str):
                    continue
                compared += 1
                wanted = of(plain.layout).values()[: len(found)]
                self.assertEqual(found, wanted, f"{plain.text} with {trees}")
            self.assertGreater(compared, 1, name)


if __name__ == "__main__":
    if sys.argv[1:]:
        chance = random.Random(int(sys.argv[1]))
        for _ in range(int(sys.argv[2])):
            name = chance.choice(list(CHECKS))
            chosen = operands(name, chance)
            made = call(name, chosen)
            if made.wrong:
                print(f"{made.text}: {made.wrong}")
            if name in LATER and not made.error:
                found, trees = run_later(name, chosen, chance)
                wanted = of(made.layout).values()
                if not isinstance(found, str) and found != wanted[: len(found)]:
                    print(f"{made.text} with {trees}: {found}")
    else:
        unittest.main()
