#!/usr/bin/env python3
"""Executes random accesses to stack memory behind cute-forward-registers.

  check_forward_registers.py CUTE_OPT SEED FUNCTIONS

Each function writes and reads values of several widths at random places of some
stack memory, in loops and branches, and returns a sum of what it read and of all
bytes in the end. lli runs it, and a Python function of the same program, which
knows bytes only, says what the sum is.
"""
import random
import subprocess
import sys

BYTES = 16
TYPES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "vector<2xi16>": 4,
         "vector<4xi8>": 4, "vector<2xi32>": 8}
LOWER = "builtin.module(cute-forward-registers)"
TO_LLVM = ("builtin.module(convert-scf-to-cf,convert-arith-to-llvm,"
           "convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)")


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(f"{command}: {done.stderr[:2000]}")
    return done.stdout


class Program:
    """A function as text, and as nested lists of what it does."""

    def __init__(self, rng, name):
        self.rng, self.names, self.lines = rng, 0, []
        self.emit(f"  func.func @{name}(%n: i32, %seed: i64) -> i64 {{", 0)
        self.emit("%zero = arith.constant 0 : i32", 2)
        self.emit("%one = arith.constant 1 : i32", 2)
        self.emit(f"%count = arith.constant {BYTES} : i32", 2)
        self.emit("%sum = llvm.alloca %one x i64 : (i32) -> !llvm.ptr", 2)
        self.emit("llvm.store volatile %seed, %sum : i64, !llvm.ptr", 2)
        self.memories = ["%a", "%b", "%c"][:rng.randint(1, 3)]
        for memory in self.memories:
            self.emit(f"{memory} = llvm.alloca %count x i8 {{alignment = 16 : "
                      "i64} : (i32) -> !llvm.ptr", 2)
        body = []
        for memory in self.memories:
            for at in range(0, BYTES, 8):
                body.append(self.store(memory, at, "i64", 2))
        body += self.block(2, 12)
        for memory in self.memories:
            for at in range(0, BYTES, 8):
                body.append(self.load(memory, at, "i64", 2))
        self.body = body
        self.emit("%result = llvm.load volatile %sum : !llvm.ptr -> i64", 2)
        self.emit("return %result : i64\n  }", 2)

    def emit(self, text, depth):
        self.lines.append("  " * depth + text)

    def fresh(self):
        self.names += 1
        return f"%v{self.names}"

    def address(self, memory, at, depth):
        if self.rng.random() < 0.3 and at >= 2:
            first, second = self.fresh(), self.fresh()
            self.emit(f"{first} = llvm.getelementptr {memory}[1] : "
                      "(!llvm.ptr) -> !llvm.ptr, i16", depth)
            self.emit(f"{second} = llvm.getelementptr {first}[{at - 2}] : "
                      "(!llvm.ptr) -> !llvm.ptr, i8", depth)
            return second
        name = self.fresh()
        self.emit(f"{name} = llvm.getelementptr {memory}[{at}] : (!llvm.ptr) "
                  "-> !llvm.ptr, i8", depth)
        return name if at or self.rng.random() < 0.5 else memory

    def value(self, depth):
        """sum * 6364136223846793005 + constant"""
        a, b, c = (self.fresh() for _ in range(3))
        constant = self.rng.randrange(1 << 62)
        factor, result = self.fresh(), self.fresh()
        self.emit(f"{a} = llvm.load volatile %sum : !llvm.ptr -> i64", depth)
        self.emit(f"{factor} = arith.constant 6364136223846793005 : i64", depth)
        self.emit(f"{b} = arith.muli {a}, {factor} : i64", depth)
        self.emit(f"{c} = arith.constant {constant} : i64", depth)
        self.emit(f"{result} = arith.addi {b}, {c} : i64", depth)
        return result, constant

    def narrow(self, value, kind, depth):
        bits = TYPES[kind] * 8
        if bits < 64:
            name = self.fresh()
            self.emit(f"{name} = arith.trunci {value} : i64 to i{bits}", depth)
            value = name
        if kind.startswith("vector"):
            name = self.fresh()
            self.emit(f"{name} = llvm.bitcast {value} : i{bits} to {kind}",
                      depth)
            value = name
        return value

    def store(self, memory, at, kind, depth):
        value, constant = self.value(depth)
        value = self.narrow(value, kind, depth)
        address = self.address(memory, at, depth)
        self.emit(f"llvm.store {value}, {address} {{alignment = 1 : i64}} : "
                  f"{kind}, !llvm.ptr", depth)
        return ("store", memory, at, TYPES[kind], constant)

    def load(self, memory, at, kind, depth):
        bits = TYPES[kind] * 8
        address, value = self.address(memory, at, depth), self.fresh()
        self.emit(f"{value} = llvm.load {address} {{alignment = 1 : i64}} : "
                  f"!llvm.ptr -> {kind}", depth)
        if kind.startswith("vector"):
            name = self.fresh()
            self.emit(f"{name} = llvm.bitcast {value} : {kind} to i{bits}",
                      depth)
            value = name
        if bits < 64:
            name = self.fresh()
            self.emit(f"{name} = arith.extui {value} : i{bits} to i64", depth)
            value = name
        old, three, part, new = (self.fresh() for _ in range(4))
        self.emit(f"{old} = llvm.load volatile %sum : !llvm.ptr -> i64", depth)
        self.emit(f"{three} = arith.constant 3 : i64", depth)
        self.emit(f"{part} = arith.muli {old}, {three} : i64", depth)
        self.emit(f"{new} = arith.addi {part}, {value} : i64", depth)
        self.emit(f"llvm.store volatile {new}, %sum : i64, !llvm.ptr", depth)
        return ("load", memory, at, TYPES[kind])

    def step(self, depth, budget):
        choice = self.rng.random()
        if choice < 0.14 and depth < 5:
            self.emit(f"scf.for %i{self.fresh()[1:]} = %zero to %n step %one : "
                      "i32 {", depth)
            body = self.block(depth + 1, budget // 2)
            self.emit("}", depth)
            return ("for", body)
        if choice < 0.28 and depth < 5:
            bit = self.rng.randrange(3)
            k, masked, test = (self.fresh() for _ in range(3))
            self.emit(f"{k} = arith.constant {1 << bit} : i32", depth)
            self.emit(f"{masked} = arith.andi %n, {k} : i32", depth)
            self.emit(f"{test} = arith.cmpi ne, {masked}, %zero : i32", depth)
            self.emit(f"scf.if {test} {{", depth)
            yes = self.block(depth + 1, budget // 2)
            self.emit("} else {", depth)
            no = self.block(depth + 1, budget // 2)
            self.emit("}", depth)
            return ("if", bit, yes, no)
        memory, kind = self.rng.choice(self.memories), self.rng.choice([*TYPES])
        size = TYPES[kind]
        at = self.rng.randrange(0, BYTES - size + 1,
                                size if self.rng.random() < 0.9 else 1)
        act = self.store if self.rng.random() < 0.55 else self.load
        return act(memory, at, kind, depth)

    def block(self, depth, budget):
        return [self.step(depth, budget)
                for _ in range(self.rng.randint(1, max(2, budget)))]

    def evaluate(self, n, seed):
        memory = {m: bytearray(BYTES) for m in self.memories}
        self.sum = seed

        def visit(steps):
            for step in steps:
                if step[0] == "for":
                    for _ in range(n):
                        visit(step[1])
                elif step[0] == "if":
                    visit(step[2] if n >> step[1] & 1 else step[3])
                elif step[0] == "store":
                    value = self.sum * 6364136223846793005 + step[4]
                    memory[step[1]][step[2]:step[2] + step[3]] = (
                        value % (1 << 8 * step[3])).to_bytes(step[3], "little")
                else:
                    found = memory[step[1]][step[2]:step[2] + step[3]]
                    self.sum = (self.sum * 3 + int.from_bytes(
                        found, "little")) % (1 << 64)
        visit(self.body)
        return self.sum


def main():
    tool, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    programs = [Program(rng, f"f{i}") for i in range(count)]
    text = "gpu.module @m {\n" + "\n".join(
        "\n".join(p.lines) for p in programs) + "\n}\n"
    forwarded = run([tool, f"--pass-pipeline={LOWER}", "-"], text)
    before, after = text.count("{alignment = 1"), forwarded.count("alignment = 1")
    body = forwarded[forwarded.index("func.func"):].rsplit("}", 2)[0]
    calls, expected = "", []
    for i, program in enumerate(programs):
        for n in range(4):
            start = rng.randrange(1 << 63)
            expected.append(program.evaluate(n, start))
            calls += (f"  %n{i}_{n} = arith.constant {n} : i32\n"
                      f"  %s{i}_{n} = arith.constant {start} : i64\n"
                      f"  %r{i}_{n} = func.call @f{i}(%n{i}_{n}, %s{i}_{n}) : "
                      "(i32, i64) -> i64\n"
                      "  llvm.call @printf(%format, "
                      f"%r{i}_{n}) vararg(!llvm.func<i32 (ptr, ...)>) : "
                      "(!llvm.ptr, i64) -> i32\n")
    main_function = ("func.func @main() -> i32 {\n  %format = "
                     "llvm.mlir.addressof @format : !llvm.ptr\n" + calls +
                     "  %zero = arith.constant 0 : i32\n"
                     "  return %zero : i32\n}\n")
    prelude = ('llvm.func @printf(!llvm.ptr, ...) -> i32\n'
               'llvm.mlir.global internal constant @format("%llu\\0A\\00")\n')
    in_llvm = run([tool, f"--pass-pipeline={TO_LLVM}", "-"],
                  prelude + body + main_function)
    ir = run(["mlir-translate", "--mlir-to-llvmir"], in_llvm)
    found = [int(x) for x in run(["lli"], ir).split()]
    agree = sum(a == b for a, b in zip(found, expected))
    print(f"{agree} of {len(expected)} agree")
    print("fewer accesses" if after < before * 0.95 else
          f"{before} accesses became {after}")
    sys.exit(found != expected)


if __name__ == "__main__":
    main()
