#!/usr/bin/env python3
"""Runs random arithmetic on vectors and compares with Python's.

  random_vectors.py CUTEC COUNT SEED

Each kernel loads two vectors of integers, works on them with ops of arith and math
and of the dialect, by way of floats, too, reduces the result along a mode and
repeats that, and stores it where a predicate holds; what it then loads with the
predicate is stored, too. Roundings that change nothing, such as of small integers
to f16 with a mode, must change nothing.
"""
import array
import ctypes
import math
import random
import sys

from simulated import Driver, Kernels, Memory


def wrap(x):
    return ((x + 2 ** 31) % 2 ** 32) - 2 ** 31


INTEGER_OPS = {
    "addi": lambda x, y: wrap(x + y), "subi": lambda x, y: wrap(x - y),
    "muli": lambda x, y: wrap(x * y), "maxsi": max, "minsi": min,
    "andi": lambda x, y: x & y, "ori": lambda x, y: x | y,
    "xori": lambda x, y: x ^ y}
COMPARISONS = {
    "slt": lambda x, y: x < y, "sge": lambda x, y: x >= y,
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y}
ROUNDINGS = {
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc,
    "roundeven": round,
    "round": lambda x: int(math.copysign(math.floor(abs(x) + 0.5), x))}
REDUCTIONS = {
    "add": "addi", "mul": "muli", "max": "maxsi", "min": "minsi", "and": "andi",
    "or": "ori", "xor": "xori"}
MODES = ["to_nearest_even", "toward_zero", "upward", "downward",
         "to_nearest_away"]


class Kernel:
    def __init__(self, rng, number):
        self.rng, self.name = rng, f"case{number}"
        self.lines, self.count = [], 0
        self.n = rng.choice([1, 2, 3, 4, 6, 8, 12, 16, 24])
        self.type = f"vector<{self.n}xi32>"
        self.inputs = [[rng.randint(-9, 9) for _ in range(self.n)]
                       for _ in range(2)]
        self.stride = rng.choice([1, 2, 3])
        self.known = [(self.value(f"cute.load_vector(%{x})"), values)
                      for x, values in zip("AB", self.inputs)]
        for _ in range(rng.randint(1, 6)):
            made = rng.choice([self.combine, self.combine, self.select,
                               self.scale, self.gather, self.narrow])()
            if made:
                self.known.append(made)
        self.finish()

    def value(self, text):
        self.count += 1
        self.lines.append(f"    %v{self.count} = {text}")
        return f"%v{self.count}"

    def operand(self):
        return self.rng.choice(self.known)

    # Each gives a value and what it is, or nothing.

    def combine(self):
        (x, xs), (y, ys) = self.operand(), self.operand()
        op = self.rng.choice(list(INTEGER_OPS))
        return self.value(f"arith.{op} {x}, {y} : {self.type}"), \
            list(map(INTEGER_OPS[op], xs, ys))

    def select(self):
        (x, xs), (y, ys) = self.operand(), self.operand()
        name, compare = self.rng.choice(list(COMPARISONS.items()))
        c = self.value(f"arith.cmpi {name}, {x}, {y} : {self.type}")
        return self.value(f"arith.select {c}, {x}, {y} : "
                          f"vector<{self.n}xi1>, {self.type}"), \
            [a if compare(a, b) else b for a, b in zip(xs, ys)]

    def scale(self):
        """A quarter, rounded to an integer."""
        x, xs = self.operand()
        if max(map(abs, xs)) > 1 << 20:
            return None
        floats = f"vector<{self.n}xf32>"
        f = self.value(f"arith.sitofp {x} : {self.type} to {floats}")
        c = self.value(f"arith.constant dense<0.25> : {floats}")
        m = self.value(f"arith.mulf {f}, {c} : {floats}")
        name, rounding = self.rng.choice(list(ROUNDINGS.items()))
        r = self.value(f"math.{name} {m} : {floats}")
        return self.value(f"arith.fptosi {r} : {floats} to {self.type}"), \
            [rounding(a / 4) for a in xs]

    def gather(self):
        x, xs = self.operand()
        d = self.divisor()
        m = self.n // d
        return self.value(f'cute.gather_vector<"({m},{d}):({d},1)">({x})'), \
            [xs[i % m * d + i // m] for i in range(self.n)]

    def narrow(self):
        x, xs = self.operand()
        kind, most = self.rng.choice([("f16", 2048), ("bf16", 256)])
        if max(map(abs, xs)) > most:
            return None
        floats, short = f"vector<{self.n}xf32>", f"vector<{self.n}x{kind}>"
        f = self.value(f"arith.sitofp {x} : {self.type} to {floats}")
        h = self.value(f"arith.truncf {f} {self.rng.choice(MODES)} : {floats} to "
                       f"{short}")
        e = self.value(f"arith.extf {h} : {short} to {floats}")
        return self.value(f"arith.fptosi {e} : {floats} to {self.type}"), xs

    def divisor(self):
        return self.rng.choice([d for d in range(1, self.n + 1)
                                if self.n % d == 0])

    def finish(self):
        x, xs = self.known[-1]
        d = self.divisor()
        m = self.n // d
        kind = self.rng.choice(list(REDUCTIONS))
        keeps_first = self.rng.random() < 0.5
        profile, kept = ("(_,1)", f"({m})") if keeps_first else \
            ("(1,_)", f"(1,{d})")
        z = self.value("arith.constant 3 : i32")
        r = self.value(f'cute.reduce_vector<"{kind}", "({m},{d})", "{profile}">'
                       f"({x}, {z})")
        sums = [3] * (m if keeps_first else d)
        for i, a in enumerate(xs):
            j = i % m if keeps_first else i // m
            sums[j] = INTEGER_OPS[REDUCTIONS[kind]](sums[j], a)
        b = self.value(f'cute.broadcast_vector<"{kept}", "({m},{d})">({r})')
        out = self.value(f"arith.subi {b}, {x} : {self.type}")
        parts = self.divisor()
        self.limit = self.rng.randint(0, parts)
        self.lines.append(f"""    %parts = cute.static : !cute.shape<"{parts}">
    %coords = cute.make_identity_tensor(%parts)
    %bound = cute.make_shape(%limit) : (i32) -> !cute.shape<"?">
    %p = cute.make_predicate(%coords, %bound)
    cute.store_vector({out}, %O, %p)
    %q = cute.load_vector<"77">(%O, %p)
    cute.store_vector(%q, %P)""")
        found = [wrap(sums[i % m if keeps_first else i // m] - a)
                 for i, a in enumerate(xs)]
        holds = [i // (self.n // parts) < self.limit for i in range(self.n)]
        self.wanted = [a if h else -1 for a, h in zip(found, holds)] + \
            [a if h else 77 for a, h in zip(found, holds)]

    def text(self):
        def tensor(stride):
            return f"!cute.tensor<i32, gmem, align<{16 if stride == 1 else 4}>, " \
                f'"{self.n}:{stride}">'
        return (f"  gpu.func @{self.name}(%A: {tensor(1)}, "
                f"%B: {tensor(self.stride)}, %O: {tensor(1)}, %P: {tensor(2)}, "
                "%limit: i32) kernel {\n" + "\n".join(self.lines) +
                "\n    gpu.return\n  }\n")

    def run(self, kernels, memory):
        """The numbers that it writes."""
        a, b, o, p = (m.elements("i") for m in memory)
        a[:self.n] = array.array("i", self.inputs[0])
        b[:self.n * self.stride:self.stride] = array.array("i", self.inputs[1])
        o[:self.n] = array.array("i", [-1] * self.n)
        kernels.launch(self.name, 1, *(m.at(0) for m in memory),
                       ctypes.c_int32(self.limit))
        return o[:self.n].tolist() + p[:2 * self.n:2].tolist()


def main():
    cutec, count, seed = sys.argv[1:4]
    rng = random.Random(int(seed))
    kernels = [Kernel(rng, i) for i in range(int(count))]
    driver = Driver(cutec)
    memory = [Memory(driver, 4 * 128) for _ in "abop"]
    module = Kernels(driver, cutec, [k.text() for k in kernels])
    for k in kernels:
        found = k.run(module, memory)
        if found != k.wanted:
            sys.exit(f"{found}, not {k.wanted}\n{k.text()}inputs {k.inputs}, "
                     f"limit {k.limit}")
    print(f"{len(kernels)} vectors")


if __name__ == "__main__":
    main()
