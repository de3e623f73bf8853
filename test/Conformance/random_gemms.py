#!/usr/bin/env python3
"""Runs random tiled MMAs on this machine: D = A B + C in exact integers.

  random_gemms.py CUTEC SIMULATE COUNT SEED

Each kernel multiplies matrices of one tile, in any order of modes, with an atom, a
layout of atoms and a permutation, all random; operands go to registers by copies of
the partitions or by tiled copies of the MMA, and the product is one gemm or one for
each k, m and n. The numbers are small integers, so that every sum is exact.
SIMULATE is test/Compile/Inputs/simulate.py.
"""
import random
import sys

from run_kernels import run_kernels

# name: threads, M, N, K, type of A and B, type of C
ATOMS = {
    "UniversalFMA<float,float,float,float>": (1, 1, 1, 1, "f32", "f32"),
    "UniversalFMA<double,double,double,double>": (1, 1, 1, 1, "f64", "f64"),
    "SM80_16x8x16_F32F16F16F32_TN": (32, 16, 8, 16, "f16", "f32"),
    "SM80_8x8x4_F64F64F64F64_TN": (32, 8, 8, 4, "f64", "f64"),
}
TYPES = {"f16": "_Float16", "f32": "float", "f64": "double"}
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


DRIVER = """
#include "%s/simulate.h"
#include "%s/simulate_mma.h"
static double memory[3][%d];
static int next(void) {
  static unsigned state = 1;
  state = state * 1103515245 + 12345;
  return (int)(state >> 16 & 7) - 3;
}
"""


def driver(cases, folder):
    text = DRIVER % (folder, folder, ROOM)
    main = []
    for g in cases:
        narrow, wide = TYPES[g.narrow], TYPES[g.wide]
        m, n, k = g.extents
        strides = [g.matrix(i)[1] for i in range(3)]
        text += f"void {g.name}({narrow} *, {narrow} *, {wide} *);\n"
        text += f"""static void run_{g.name}(void) {{
  {g.name}((void *)memory[0], (void *)memory[1], (void *)memory[2]);
}}
static void check_{g.name}(void) {{
  {narrow} *a = (void *)memory[0], *b = (void *)memory[1];
  {wide} *c = (void *)memory[2];
  static double wanted[{m} * {n}];
  int wrong = 0;
  for (int i = 0; i < {m * k}; ++i)
    a[i] = next();
  for (int i = 0; i < {n * k}; ++i)
    b[i] = next();
  for (int i = 0; i < {m * n}; ++i)
    c[i] = next();
  for (int x = 0; x < {m}; ++x)
    for (int y = 0; y < {n}; ++y) {{
      double sum = c[x * {strides[2][0]} + y * {strides[2][1]}];
      for (int z = 0; z < {k}; ++z)
        sum += (double)a[x * {strides[0][0]} + z * {strides[0][1]}] *
               b[y * {strides[1][0]} + z * {strides[1][1]}];
      wanted[x * {n} + y] = sum;
    }}
  launch(1, 1, {g.threads}, run_{g.name});
  for (int x = 0; x < {m}; ++x)
    for (int y = 0; y < {n}; ++y)
      wrong += c[x * {strides[2][0]} + y * {strides[2][1]}] != wanted[x * {n} + y];
  printf("%d\\n", wrong);
}}
"""
        main.append(f"  check_{g.name}();\n")
    return text + "int main(void) {\n" + "".join(main) + "  return 0;\n}\n"


def main():
    cutec, simulate, count, seed = sys.argv[1:5]
    rng = random.Random(int(seed))
    cases = []
    while len(cases) < int(count):
        g = Gemm(rng, len(cases))
        if max(g.extents) <= 128 and g.threads <= 256:
            cases.append(g)
    lines = run_kernels(cutec, simulate, [g.text() for g in cases],
                        lambda inputs: driver(cases, inputs))
    for g, wrong in zip(cases, lines):
        if wrong != "0":
            sys.exit(f"{wrong} of {g.extents} are wrong\n{g.text()}")
    print(f"{len(lines)} products")


if __name__ == "__main__":
    main()
