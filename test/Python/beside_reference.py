"""Random calls of CuTe's algebra, in this package and in nvidia-cutlass-dsl, which needs no GPU.

usage: beside_reference.py PYTHON [SEED [COUNT]]

PYTHON is an interpreter that has nvidia-cutlass-dsl. Prints each call whose results are not
one function: other values, another shape, or an error on one side; results of one function that
have other texts ("spelt"); and how many agree.
"""

import collections
import json
import os
import random
import subprocess
import sys

LEAVES = (1, 2, 2, 3, 4, 4, 6, 8)


class Calls:
    """Random calls as texts of Python."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def tree(self, numbers):
        if len(numbers) == 1:
            return str(numbers[0])
        if len(numbers) > 2 and self.chance.random() < 0.5:
            cut = self.chance.randrange(1, len(numbers))
            parts = [self.tree(numbers[:cut]), self.tree(numbers[cut:])]
            return f"({', '.join(parts)})"
        return f"({', '.join(map(str, numbers))})"

    def shape(self, most=64):
        numbers = []
        for _ in range(self.chance.randint(1, 4)):
            n = self.chance.choice(LEAVES)
            size = 1
            for x in numbers:
                size *= x
            if size * n <= most:
                numbers.append(n)
        return numbers or [1]

    def layout(self, kind=None, most=64):
        numbers = self.shape(most)
        state = self.chance.getstate()
        shape = self.tree(numbers)
        self.chance.setstate(state)
        order = self.chance.sample(range(len(numbers)), len(numbers))
        strides, step = [0] * len(numbers), 1
        for i in order:
            strides[i], step = step, step * numbers[i]
        kind = kind or self.chance.choice(["compact", "compact", "gaps", "any"])
        if kind == "gaps":
            strides = [2 * s for s in strides]
        if kind == "any":
            strides = [self.chance.choice([0, 1, 2, 3, 4, 8]) for _ in numbers]
        marks = iter(strides)
        stride = "".join(c if c in "(), " else "#" for c in shape)
        while "##" in stride:
            stride = stride.replace("##", "#")
        for s in marks:
            stride = stride.replace("#", str(s), 1)
        return f"cute.make_layout({shape}, stride={stride})"

    def number(self, *choices):
        return str(self.chance.choice(choices or (1, 2, 3, 4, 8)))

    def call(self):
        layout, number = self.layout, self.number
        pick = self.chance.choice
        compact = lambda most: layout("compact", most)
        plane = f"({number(4, 8)}, {number(4, 6, 8)})"
        two = f"cute.make_layout({plane}, stride=({number(1, 8, 16)}, {number(1, 2, 8)}))"
        small = f"cute.make_layout({number(2, 4)}, stride={number(1, 2, 4)})"
        four, bits = "cute.make_layout((2, 3, 4, 5))", pick(["8, 16", "16, 8", "32, 8", "4, 8"])
        kinds = ["logical", "zipped", "tiled", "flat"]
        order = pick(["(0, 1, 2)", "(2, 0, 1)", "(1, 2, 0)", "(2, 1, 0)"])
        wide = f"cute.make_layout((8, 4), stride=({pick(['1, 8', '1, 16'])}))"
        tree = lambda: self.tree(self.shape())
        grid = "cute.make_identity_tensor((16, 24))"
        tile = f"({number(2, 4)}, {number(2, 3, 4)})"
        swizzle = f"cute.make_swizzle({number(1, 2, 3)}, {number(0, 1, 3)}, {number(3, 4)})"
        return pick([
            lambda: f"cute.coalesce({layout()})",
            lambda: f"cute.filter({layout()})",
            lambda: f"cute.filter_zeros({layout('any')})",
            lambda: f"cute.flatten({layout()})",
            lambda: f"cute.composition({layout()}, {layout('compact', 16)})",
            lambda: f"cute.composition({two}, {tile})",
            lambda: f"cute.composition({swizzle}, {layout('compact')})",
            lambda: f"cute.complement({layout('compact', 16)}, {number(16, 32, 64, 100)})",
            lambda: f"cute.left_inverse({layout('compact')})",
            lambda: f"cute.right_inverse({layout()})",
            lambda: f"cute.{pick(kinds)}_divide({two}, {tile})",
            lambda: f"cute.logical_divide({layout('compact')}, {number(1, 2, 3, 4)})",
            lambda: f"cute.logical_divide({layout('compact')}, {small})",
            lambda: f"cute.{pick(kinds)}_product({compact(16)}, {compact(8)})",
            lambda: f"cute.{pick(['blocked', 'raked'])}_product({two}, cute.make_layout({tile}))",
            lambda: f"cute.make_ordered_layout((4, 6, 2), order={order})",
            lambda: f"cute.make_layout_like({layout()})",
            lambda: f"cute.group_modes({four}, {number(0, 1)}, {number(2, 3, 4)})",
            lambda: f"cute.select({four}, mode={pick([[0], [2, 1], [3, 0, 1], [1, 1]])})",
            lambda: f"cute.append({layout('compact')}, {layout('compact', 8)})",
            lambda: f"cute.prepend({layout('compact')}, {layout('compact', 8)})",
            lambda: f"cute.slice_({two}, {pick(['(None, 1)', '(2, None)', '(None, None)'])})",
            lambda: f"cute.dice({two}, {pick(['(1, None)', '(None, 1)', '(1, 1)'])})",
            lambda: f"cute.recast_layout({bits}, {wide})",
            lambda: f"cute.tile_to_shape({two}, (16, 24), order={pick(['(0, 1)', '(1, 0)'])})",
            lambda: f"cute.{pick(['size', 'cosize', 'rank', 'depth'])}({layout()})",
            lambda: f"cute.crd2idx({number(0, 1, 3, 5)}, {layout('compact')})",
            lambda: f"cute.idx2crd({number(0, 1, 3, 5, 11)}, {tree()})",
            lambda: f"cute.ceil_div((17, 9), ({number()}, {number()}))",
            lambda: f"cute.shape_div(({number(4, 8, 16)}, 6), {number(1, 2, 4)})",
            lambda: f"cute.product_each({tree()})",
            lambda: f"cute.elem_less(({number()}, {number()}), ({number()}, {number()}))",
            lambda: f"cute.is_congruent({tree()}, {tree()})",
            lambda: f"cute.is_weakly_congruent({tree()}, {tree()})",
            lambda: f"cute.make_composed_layout({swizzle}, {number(0, 4, 8)}, {layout('compact')})",
            lambda: f"cute.max_common_layout({layout('compact')}, {layout('compact')})",
            lambda: f"cute.max_common_vector({layout('compact')}, {layout('compact')})",
            lambda: f"cute.nullspace({layout('any')})",
            lambda: f"cute.make_identity_layout({tree()})",
            lambda: f"cute.local_tile({grid}, {tile}, ({number(0, 1)}, None)).layout",
            lambda: f"cute.round_up({number(5, 9, 17)}, {number(2, 4, 8)})",
            lambda: f"cute.increment_coord(({number(0, 1)}, {number(1, 2)}), (2, 4))",
            lambda: f"cute.flatten_to_tuple((({number()}, 2), 3))",
            lambda: f"cute.shape_div(({number(4, 8, 16)}, 6), ({number(2, 4)}, {number(1, 3)}))",
            lambda: f"cute.transform_leaf(lambda x: x + 1, {tree()})",
        ])()


def shown(value):
    """A result as text, and the values of a layout."""
    values = None
    if hasattr(value, "shape") and callable(value):
        size = SIZE(value)
        if isinstance(size, int) and size <= 4096:
            values = [str(value(i)) for i in range(size)]
    return [str(value).replace(" ", ""), str(getattr(value, "shape", "")).replace(" ", ""), values]


SIZE = None


def run(texts):
    """Prints what the calls give, a line for each."""
    global SIZE
    import cutlass.cute as cute

    SIZE = cute.size

    @cute.jit
    def host():
        evaluate(texts, cute)

    host()


def evaluate(texts, cute):
    for text in texts:
        try:
            found = shown(eval(text, {"cute": cute}))
        except Exception as error:
            found = ["error", type(error).__name__, str(error)[:100]]
        print("@" + json.dumps(found), flush=True)


def asked(python, texts, environment):
    """Returns what the calls give in a process of their own; one may end it."""
    found = []
    while len(found) < len(texts):
        made = subprocess.run([python, "-W", "ignore", __file__, "--run"], text=True,
                              input=json.dumps(texts[len(found):]), capture_output=True,
                              env=environment)
        lines = [json.loads(line[1:]) for line in made.stdout.splitlines() if line.startswith("@")]
        found += lines
        if len(found) < len(texts):
            said = made.stderr.splitlines() or [""]
            found.append(["error", "the process ends", said[-1][:100]])
    return found


def main(python, seed=1, count=500):
    calls = Calls(int(seed))
    texts = [calls.call() for _ in range(int(count))]
    theirs = asked(python, texts, {**os.environ, "PYTHONPATH": ""})
    ours = asked(sys.executable, texts, {**os.environ, "CUTE_DEVICE": "sim", "CUTE_OURS": "1"})
    found = collections.Counter()
    for text, a, b in zip(texts, ours, theirs):
        if a[0] == "error" and b[0] == "error":
            found["refused by both"] += 1
        elif a[0] == b[0]:
            found["same text"] += 1
        elif b[0] == "?":
            found["a number that is known later there"] += 1
        elif "error" not in (a[0], b[0]) and a[1] == b[1] and a[2] is not None and a[2] == b[2]:
            found["same function, spelt otherwise"] += 1
            print(f"spelt: {text}: here {a[0]}, there {b[0]}")
        else:
            found["different"] += 1
            print(f"{text}\n    here {a[0]} {a[1:] if a[0] == 'error' else ''}\n"
                  f"    there {b[0]} {b[1:] if b[0] == 'error' else ''}")
    print(dict(found))


if __name__ == "__main__":
    if sys.argv[1:] == ["--run"]:
        if os.environ.get("CUTE_OURS"):
            import cute.as_cutlass  # noqa: F401
        run(json.loads(sys.stdin.read()))
    else:
        main(*sys.argv[1:])
