"""Checks cute.autovec_copy on random layouts against its definition.

usage: autovec_random.py CUTE_OPT COUNT [SEED]

Each kernel copies between two tensors in gmem of one shape with other strides,
alignments and swizzles. What was lowered is executed: every element must be
copied to its place once, by accesses that are aligned to their size and not
wider than 16 bytes. Where both tensors are compact in one order and aligned, no
narrower access is allowed than the size of all has room for.
"""
import itertools
import math
import random
import re
import subprocess
import sys

BYTES = {"i8": 1, "f16": 2, "f32": 4, "f64": 8}


def swizzled(swizzle, index):
    if not swizzle:
        return index
    bits, base, shift = swizzle
    return index ^ ((index >> shift) & (((1 << bits) - 1) << base))


class Tensor:
    def __init__(self, rng, shape, order, element, pads):
        strides, step = [0] * len(shape), 1
        for mode in order:
            strides[mode] = step
            step *= shape[mode]
            if pads and rng.random() < 0.3:
                step += rng.choice([1, 2, 4, 8])
        self.shape, self.strides = shape, strides
        self.swizzle = (rng.choice([(1, 2, 2), (2, 3, 3), (2, 1, 2)])
                        if pads and rng.random() < 0.2 else None)
        self.align = rng.choice([a for a in (1, 2, 4, 8, 16)
                                 if a >= BYTES[element]]) if pads else 16
        self.element = element

    def index(self, coord):
        return swizzled(self.swizzle, sum(c * d for c, d in
                                          zip(coord, self.strides)))

    def type(self):
        text = "(" + ",".join(map(str, self.shape)) + "):(" + ",".join(
            map(str, self.strides)) + ")"
        if self.swizzle:
            text = "S<%d,%d,%d> o 0 o %s" % (*self.swizzle, text)
        return (f'!cute.tensor<{self.element}, gmem, align<{self.align}>, '
                f'"{text}">')


def make_case(rng):
    element = rng.choice(list(BYTES))
    shape = [rng.choice([1, 2, 3, 4, 6, 8]) for _ in range(rng.randint(1, 3))]
    orders = list(itertools.permutations(range(len(shape))))
    order = rng.choice(orders)
    same = rng.random() < 0.3
    a = Tensor(rng, shape, order, element, not same)
    b = Tensor(rng, shape, order if same or rng.random() < 0.5
               else rng.choice(orders), element, not same)
    return a, b, same


def execute(lines):
    """(source index, destination index, elements, alignment in bytes) of each
    access."""
    offsets, values = {"%arg0": 0, "%arg1": 0}, {}
    for line in lines:
        step = re.search(r"(%\w+) = llvm.getelementptr (%\w+)\[(\d+)\]", line)
        load = re.search(r"(%\w+) = llvm.load (%\w+) \{alignment = (\d+) .* -> "
                         r"(?:vector<(\d+)x)?", line)
        store = re.search(r"llvm.store (%\w+), (%\w+) \{alignment = (\d+)", line)
        if step:
            offsets[step[1]] = offsets[step[2]] + int(step[3])
        elif load:
            values[load[1]] = (offsets[load[2]], int(load[4] or 1),
                               int(load[3]))
        elif store:
            source, n, align = values[store[1]]
            assert align == int(store[3]), line
            yield source, offsets[store[2]], n, align


def check(case, lines):
    a, b, same = case
    size = BYTES[a.element]
    wanted = sorted((a.index(c), b.index(c)) for c in itertools.product(
        *map(range, a.shape)))
    found, narrowest = [], 16
    for source, destination, n, align in execute(lines):
        assert align == n * size <= 16, "alignment"
        assert source * size % align == destination * size % align == 0, "place"
        assert n == 1 or align <= min(a.align, b.align), "alignment of types"
        found += [(source + i, destination + i) for i in range(n)]
        narrowest = min(narrowest, align)
    assert sorted(found) == wanted, "elements"
    total = math.prod(a.shape) * size
    assert not same or narrowest == min(16, total & -total), "too narrow"


def main():
    cute_opt, count = sys.argv[1], int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    cases = [make_case(rng) for _ in range(count)]
    text = "".join(f"  gpu.func @case{i}(%a: {a.type()}, %b: {b.type()}) kernel "
                   "{\n    cute.autovec_copy(%a, %b)\n    gpu.return\n  }\n"
                   for i, (a, b, _) in enumerate(cases))
    lowered = subprocess.run([cute_opt, "--cute-lower"], check=True, text=True,
                             input=f"gpu.module @m {{\n{text}}}\n",
                             capture_output=True).stdout
    kernels = lowered.split("gpu.func @")[1:]
    assert len(kernels) == count
    wide = 0
    for case, kernel in zip(cases, kernels):
        try:
            check(case, kernel.splitlines())
        except AssertionError as problem:
            sys.exit(f"{problem}: {case[0].type()} to {case[1].type()}\n"
                     f"{kernel}")
        wide += "vector<" in kernel
    print(f"{count} copies, {'some' if wide > count / 5 else 'few'} wide")


if __name__ == "__main__":
    main()
