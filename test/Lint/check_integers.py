"""Compares the integers that cute-lint follows with Python's.

Random expressions of ops of arith and gpu compute from the thread's index where
it stores; how many wavefronts that takes and how many threads write the same
element shows whether each thread's index was computed right.
"""
import random
import re
import sys

from check_memory import lint, wavefronts

KERNEL = """gpu.module @m {{
  gpu.func @k(%v: f32, %unknown: i32) kernel
      attributes {{known_block_size = array<i32: {block[0]}, {block[1]}, {block[2]}>}} {{
    %layout = cute.static : !cute.layout<"4096:1">
    %s = cute.alloc_smem<f32, 128> (%layout)
{body}
    %limit = arith.constant 4096 : i32
    %index = arith.remui %{last}, %limit : i32
    %at = cute.make_coord(%index) : (i32) -> !cute.coord<"?">
    cute.store(%v, %s, %at)
    gpu.return
  }}
}}
"""


def signed(x, bits=32):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def unsigned(x, bits=32):
    return x & ((1 << bits) - 1)


def quotient(a, b):
    """Toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# Operands are signed; a zero divisor never gets here.
BINARY = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": min,
    "maxsi": max,
    "minui": lambda a, b: min(unsigned(a), unsigned(b)),
    "maxui": lambda a, b: max(unsigned(a), unsigned(b)),
}
DIVISIONS = {
    "divui": lambda a, b: unsigned(a) // unsigned(b),
    "remui": lambda a, b: unsigned(a) % unsigned(b),
    "ceildivui": lambda a, b: -(-unsigned(a) // unsigned(b)),
    "divsi": quotient,
    "remsi": lambda a, b: a - b * quotient(a, b),
    "ceildivsi": lambda a, b: -(-a // b),
    "floordivsi": lambda a, b: a // b,
}
SHIFTS = {
    "shli": lambda a, b: a << b,
    "shrui": lambda a, b: unsigned(a) >> b,
    "shrsi": lambda a, b: a >> b,
}
COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: unsigned(a) < unsigned(b),
    "ule": lambda a, b: unsigned(a) <= unsigned(b),
    "ugt": lambda a, b: unsigned(a) > unsigned(b),
    "uge": lambda a, b: unsigned(a) >= unsigned(b),
}


class Program:
    def __init__(self, rng):
        self.rng, self.lines, self.values = rng, [], {}
        self.block = rng.choice([(32, 1, 1), (64, 1, 1), (8, 4, 2), (16, 6, 1)])
        self.threads = [(t % self.block[0],
                         t // self.block[0] % self.block[1],
                         t // self.block[0] // self.block[1])
                        for t in range(
                            self.block[0] * self.block[1] * self.block[2])]
        self.registers()
        for _ in range(rng.randrange(4, 14)):
            rng.choice([self.binary, self.binary, self.division, self.shift,
                        self.select, self.convert])()

    def add(self, text, values):
        name = f"v{len(self.values)}"
        self.lines.append(f"    %{name} = {text}")
        self.values[name] = values
        return name

    def registers(self):
        for axis, letter in enumerate("xyz"):
            self.lines.append(f"    %t{letter} = gpu.thread_id {letter}")
            self.add(f"arith.index_cast %t{letter} : index to i32",
                     [t[axis] for t in self.threads])
        self.lines.append("    %dim = gpu.block_dim x")
        self.add("arith.index_castui %dim : index to i32",
                 [self.block[0]] * len(self.threads))
        self.add("nvvm.read.ptx.sreg.laneid : i32",
                 [i % 32 for i in range(len(self.threads))])

    def any(self):
        """Mostly a value that was computed of late."""
        names = list(self.values)
        return self.rng.choice(names[-4:] if self.rng.random() < 0.6 else names)

    def constant(self, value):
        return self.add(f"arith.constant {value} : i32",
                        [value] * len(self.threads))

    def apply(self, op, function, a, b):
        self.add(f"arith.{op} %{a}, %{b} : i32",
                 [signed(function(x, y))
                  for x, y in zip(self.values[a], self.values[b])])

    def binary(self):
        op = self.rng.choice(list(BINARY))
        a = self.any()
        b = self.any() if self.rng.random() < 0.5 else self.constant(
            self.rng.choice([1, 2, 3, 5, 32, 33, 64, -1, -7, 2**31 - 1]))
        self.apply(op, BINARY[op], a, b)

    def division(self):
        op = self.rng.choice(list(DIVISIONS))
        a, b = self.any(), self.constant(self.rng.choice([1, 2, 3, 7, 32, -5]))
        self.apply(op, DIVISIONS[op], a, b)

    def shift(self):
        op = self.rng.choice(list(SHIFTS))
        a, b = self.any(), self.constant(self.rng.randrange(0, 9))
        self.apply(op, SHIFTS[op], a, b)

    def select(self):
        predicate = self.rng.choice(list(COMPARISONS))
        a, b, c, d = self.any(), self.any(), self.any(), self.any()
        n = len(self.values)
        self.lines.append(
            f"    %c{n} = arith.cmpi {predicate}, %{a}, %{b} : i32")
        self.add(f"arith.select %c{n}, %{c}, %{d} : i32",
                 [z if COMPARISONS[predicate](x, y) else w
                  for x, y, z, w in zip(*(self.values[k]
                                          for k in (a, b, c, d)))])

    def convert(self):
        a, n = self.any(), len(self.values)
        bits = self.rng.choice([8, 16, 64])
        extend = self.rng.choice(["extsi", "extui"])
        if bits == 64:
            self.lines.append(f"    %w{n} = arith.{extend} %{a} : i32 to i64")
            self.add(f"arith.trunci %w{n} : i64 to i32", self.values[a])
            return
        self.lines.append(f"    %w{n} = arith.trunci %{a} : i32 to i{bits}")
        narrow = signed if extend == "extsi" else unsigned
        self.add(f"arith.{extend} %w{n} : i{bits} to i32",
                 [narrow(x, bits) for x in self.values[a]])

    def text(self):
        return KERNEL.format(block=self.block, body="\n".join(self.lines),
                             last=list(self.values)[-1])

    def expected(self):
        index = [unsigned(x) % 4096 for x in list(self.values.values())[-1]]
        taken = least = 0
        for first in range(0, len(index), 32):
            cost = wavefronts([4 * i for i in index[first:first + 32]], 4)
            taken, least = taken + cost[0], least + cost[1]
        again = len(index) - len(set(index))
        return (taken, least) if taken > least else None, again


def found(said):
    banks = re.search(r"(\d+) wavefronts where (\d+) would do", said)
    again = re.search(r"(\d+) of the block's \d+ writes", said)
    return (tuple(map(int, banks.groups())) if banks else None,
            int(again[1]) if again else 0)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    seen = set()
    programs = [Program(random.Random(seed + i)) for i in range(count)]
    texts = [program.text() for program in programs]
    for i, (program, said) in enumerate(zip(programs, lint(texts))):
        expected, actual = program.expected(), found(said)
        if expected != actual:
            sys.exit(f"seed {seed + i}: expected {expected}, cute-lint has "
                     f"{actual}\n{texts[i]}")
        seen.add(expected)
    if len(seen) < 10:
        sys.exit(f"only {seen} occurred")
    print(f"{count} programs agree")


if __name__ == "__main__":
    main()
