#!/usr/bin/env python3
"""Runs random tiled MMAs: D = A B + C in exact integers.

  random_gemms.py CUTEC COUNT SEED

Each kernel multiplies matrices of one tile, in any order of modes, with an atom, a
layout of atoms and a permutation, all random; operands go to registers by copies of
the partitions or by tiled copies of the MMA, and the product is one gemm or one for
each k, m and n. The numbers are small integers, so that every sum is exact.
"""
import array
import operator
import random
import struct
import sys

from simulated import Driver, Kernels, Memory

# name: threads, M, N, K, type of A and B, type of C
ATOMS = {
    "UniversalFMA<float,float,float,float>": (1, 1, 1, 1, "f32", "f32"),
    "UniversalFMA<double,double,double,double>": (1, 1, 1, 1, "f64", "f64"),
    "SM80_16x8x16_F32F16F16F32_TN": (32, 16, 8, 16, "f16", "f32"),
    "SM80_8x8x4_F64F64F64F64_TN": (32, 8, 8, 4, "f64", "f64"),
}
FORMATS = {"f16": "H", "f32": "f", "f64": "d"}  # of arrays
HALVES = {x: struct.unpack("H", struct.pack("e", x))[0] for x in range(-3, 5)}
BITS = {"f16": 16, "f32": 32, "f64": 64}
ROOM = 1 << 14  # elements of a matrix


class Gemm:
    def __init__(self, rng, number):
        self.rng, self.name = rng, f"case{number}"
        self.atom = rng.choice(list(ATOMS))
        lanes, m, n, k, self.narrow, self.wide = ATOMS[self.atom]
        most = [1, 2, 3, 4, 8] if lanes == 1 else [1, 2, 3]
        self.atoms = [rng.choice(most), rng.choice(most), 1]
        self.order = rng.random() < 0.5
        self.threads = lanes * self.atoms[0] * self.atoms[1]
        self.permuted = self.permutation([m, n, k])
        self.extents = [t * rng.choice([1, 1, 2]) for t in self.tile]
        self.majors = [rng.random() < 0.5 for _ in range(3)]
        self.how = [rng.choice(["part", "tiled"]) for _ in range(2)]
        self.form = rng.choice(["all", "k", "each"])

    def permutation(self, shape):
        """Text of the permutation operand, or none; sets the tile."""
        self.tile = [s * a for s, a in zip(shape, self.atoms)]
        kind = self.rng.random()
        if kind < 0.4:
            return None
        self.tile = [t * self.rng.choice([1, 2]) for t in self.tile]
        if kind < 0.7:
            return 'shape<"(%d,%d,%d)">' % tuple(self.tile)
        texts = [f"{t}:1" for t in self.tile]
        mode = self.rng.randrange(2)
        half = self.tile[mode]
        # Even elements first, then odd ones: both halves have whole threads.
        if half % (2 * shape[mode] * self.atoms[mode]) == 0:
            texts[mode] = f"({half // 2},2):(2,1)"
        return 'tile<"[%s]">' % ";".join(texts)

    def matrix(self, i):
        rows, columns = [(0, 2), (1, 2), (0, 1)][i]
        shape = self.extents[rows], self.extents[columns]
        stride = (shape[1], 1) if self.majors[i] else (1, shape[0])
        return shape, stride

    def type_of(self, i):
        shape, stride = self.matrix(i)
        element = self.narrow if i < 2 else self.wide
        return f'!cute.tensor<{element}, gmem, align<16>, ' \
            f'"({shape[0]},{shape[1]}):({stride[0]},{stride[1]})">'

    def load(self, i):
        x = "ab"[i]
        lines = f"""    %p{x} = cute.partition_{x}(%mma, %{x.upper()}, %t)
    %r{x} = cute.make_fragment_{x}(%mma, %p{x})
"""
        if self.how[i] == "part":
            return lines + f"    cute.autovec_copy(%p{x}, %r{x})\n"
        return lines + f"""    %atom{x} = cute.static : !cute.copy_atom<"UniversalCopy<uint{BITS[self.narrow]}_t>", {self.narrow}>
    %copy{x} = cute.make_tiled_copy_{x}(%atom{x}, %mma)
    %s{x} = cute.partition_s(%copy{x}, %{x.upper()}, %t)
    %d{x} = cute.retile(%copy{x}, %r{x})
    cute.copy(%copy{x}, %s{x}, %d{x})
"""

    def product(self):
        if self.form == "all":
            return "    cute.gemm(%mma, %rc, %ra, %rb, %rc)\n"
        # How often the atom is repeated in a thread.
        _, m, n, k, _, _ = ATOMS[self.atom]
        repeats = [e // (s * a) for e, s, a in
                   zip(self.extents, (m, n, k), self.atoms)]
        lines = ""
        for z in range(repeats[2]):
            lines += f"""    %ck{z} = cute.static : !cute.coord<"(_,_,{z})">
    %ak{z} = cute.slice(%ra, %ck{z})
    %bk{z} = cute.slice(%rb, %ck{z})
"""
            if self.form == "k":
                lines += f"    cute.gemm(%mma, %rc, %ak{z}, %bk{z}, %rc)\n"
                continue
            for x in range(repeats[0]):
                for y in range(repeats[1]):
                    i = f"{x}_{y}_{z}"
                    lines += f"""    %cx{i} = cute.static : !cute.coord<"(_,{x})">
    %cy{i} = cute.static : !cute.coord<"(_,{y})">
    %cz{i} = cute.static : !cute.coord<"(_,{x},{y})">
    %a{i} = cute.slice(%ak{z}, %cx{i})
    %b{i} = cute.slice(%bk{z}, %cy{i})
    %c{i} = cute.slice(%rc, %cz{i})
    cute.gemm(%mma, %c{i}, %a{i}, %b{i}, %c{i})
"""
        return lines

    def text(self):
        order = [1, self.atoms[0]] if self.order else [self.atoms[1], 1]
        permutation, operand = "", ""
        if self.permuted:
            permutation = f"    %perm = cute.static : !cute.{self.permuted}\n"
            operand = ", %perm"
        return f"""  gpu.func @{self.name}(%A: {self.type_of(0)}, %B: {self.type_of(1)}, %C: {self.type_of(2)}) kernel attributes {{known_block_size = array<i32: {self.threads}, 1, 1>}} {{
    %ti = gpu.thread_id x
    %t = arith.index_cast %ti : index to i32
    %atom = cute.static : !cute.mma_atom<"{self.atom}">
    %layout = cute.static : !cute.layout<"({self.atoms[0]},{self.atoms[1]},1):({order[0]},{order[1]},0)">
{permutation}    %mma = cute.make_tiled_mma(%atom, %layout{operand})
{self.load(0)}{self.load(1)}    %pc = cute.partition_c(%mma, %C, %t)
    %rc = cute.make_fragment_c(%mma, %pc)
    cute.autovec_copy(%pc, %rc)
{self.product()}    cute.autovec_copy(%rc, %pc)
    gpu.return
  }}
"""


class Machine:
    """The device, and the memory of A, B and C."""

    def __init__(self, cutec, rng):
        self.driver, self.rng = Driver(cutec), rng
        self.memory = [Memory(self.driver, 8 * ROOM) for _ in "ABC"]

    def fill(self, i, element, count):
        """Random integers, also as they are written."""
        numbers = [self.rng.randrange(-3, 5) for _ in range(count)]
        code = FORMATS[element]
        written = [HALVES[x] for x in numbers] if element == "f16" else numbers
        self.memory[i].elements(code)[:count] = array.array(code, written)
        return numbers

    def run(self, kernels, g):
        """How many elements of C are wrong."""
        m, n, k = g.extents
        (a0, a1), (b0, b1), (c0, c1) = (g.matrix(i)[1] for i in range(3))
        a, b = self.fill(0, g.narrow, m * k), self.fill(1, g.narrow, n * k)
        c = self.fill(2, g.wide, m * n)
        rows = [[a[x * a0 + z * a1] for z in range(k)] for x in range(m)]
        columns = [[b[y * b0 + z * b1] for z in range(k)] for y in range(n)]
        kernels.launch(g.name, g.threads, *(memory.at(0) for memory in self.memory))
        found = self.memory[2].elements(FORMATS[g.wide])
        return sum(found[x * c0 + y * c1] != c[x * c0 + y * c1]
                   + sum(map(operator.mul, rows[x], columns[y]))
                   for x in range(m) for y in range(n))


def main():
    cutec, count, seed = sys.argv[1:4]
    rng = random.Random(int(seed))
    cases = []
    while len(cases) < int(count):
        g = Gemm(rng, len(cases))
        if max(g.extents) <= 128 and g.threads <= 256:
            cases.append(g)
    machine = Machine(cutec, rng)
    kernels = Kernels(machine.driver, cutec, [g.text() for g in cases])
    for g in cases:
        wrong = machine.run(kernels, g)
        if wrong:
            sys.exit(f"{wrong} of {g.extents} are wrong\n{g.text()}")
    print(f"{len(cases)} products")


if __name__ == "__main__":
    main()
