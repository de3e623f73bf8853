#!/usr/bin/env python3
"""Runs random loops that copy tiles by cp.async, as written and optimized.

  random_loops.py CUTEC COUNT SEED [PASSES ...]

Each kernel is a loop, or two, that copies up to four tiles to shared memory, waits and
computes with them: sums in which the order of the rounds matters, or products.
Everything else is random: element types, layouts, predicates, bounds and step, what
the loop carries, loops around it, ops between. The numbers are small integers, so that
what must come out is exact. Each kernel is run as it is and after each of PASSES,
or three of those below, on the device that is simulated, which checks every access for
races. SEED may be `fresh`.
"""
import ctypes
import random
import re
import sys

from loop_parts import Again, Sum, Tile
from loop_products import Product
from loop_values import CODES, I32, numbers_of
from simulated import Driver, Kernels, Memory

PASSES = ["cute-pipeline", "cute-pipeline{stages=2}",
          "cute-pipeline{stages=5 fragments=false}",
          "cute-swizzle,cute-pipeline{stages=4}", "cute-pipeline,cute-share-smem",
          "cute-optimize", "cute-optimize{stages=2 group=4}"]
MOST_STAGES, MOST_BYTES = 5, 99 * 1024  # of shared memory, on sm_89


class Loop:
    """A kernel: parameters, and the ops before, in and after its loop."""

    def __init__(self, rng, number, first=None):
        self.rng, self.name, self.first = rng, f"case{number}", first
        self.threads = first.threads if first else rng.choice([32, 32, 64, 128])
        self.parameters = []  # (name, type, [C type], [C value])
        self.outputs = []     # (number of elements, expected values)
        self.draw_bounds()
        self.tiles, self.parts = [], []
        while not self.tiles or (len(self.tiles) < 4 and rng.random() < 0.3):
            self.add_part()
        if self.bytes() > MOST_BYTES:
            raise Again
        self.barrier = rng.choice(["end", "end", "start", "both"])
        self.wait = rng.choice(["all", "commit", "commit"])
        self.is_split = rng.random() < 0.2  # reads and computes of each in turn
        self.carries = rng.random() < 0.4
        self.extra = [x for x in ("fill", "barrier", "store", "lanes")
                      if rng.random() < {"store": 0.05, "lanes": 0.1}.get(x, 0.15)]

    def bytes(self):
        """At most what it takes of shared memory."""
        return sum(tile.bytes() for tile in self.tiles) * MOST_STAGES + sum(
            part.bytes() for part in self.parts) + (self.first.bytes() if self.first
                                                    else 0)

    def draw_bounds(self):
        rng = self.rng
        self.trips = rng.randrange(8)
        self.step = rng.choice([1, 1, 1, 2, 3])
        self.lower = rng.choice([0, 0, 0, 2, -3])
        self.upper = self.lower + self.trips * self.step
        if self.trips and self.step > 1:
            self.upper -= rng.randrange(self.step)
        if not self.trips:
            self.upper -= rng.choice([0, 0, 4])
        self.kind = rng.choice(["i32", "i32", "index", "i64"])
        self.is_unsigned = self.lower >= 0 and self.upper >= 0 and rng.random() < 0.2
        self.is_static = [rng.random() < 0.3 for _ in range(2)]
        self.around = rng.choice([None, None, None, "loop", "if"])
        self.repeats = {"loop": rng.randrange(4), "if": rng.choice([0, 1, 1])}.get(
            self.around, 1)

    def add_part(self):
        kind = Product if len(self.tiles) < 3 and self.rng.random() < 0.6 else Sum
        part = kind(self, len(self.parts))
        self.parts.append(part)

    def add_tile(self, *arguments):
        tile = Tile(self, len(self.tiles) + (4 if self.first else 0), *arguments)
        self.tiles.append(tile)
        return tile

    def parameter(self, name, mlir, c_types, values):
        self.parameters.append((name, mlir, c_types, values))

    def integer(self, name, value, kind="i32"):
        self.parameter(name, kind, ["long" if kind in ("i64", "index") else "int"],
                       [value])

    def output(self, name, mlir, c_type, count, expected):
        number = len(self.outputs) + (len(self.first.outputs) if self.first else 0)
        self.parameter(name, mlir, [c_type + " *"], [f"outputs[{number}]"])
        self.outputs.append((c_type, count, expected))

    def rounds(self):
        """The loop's index in each round, and that of the loop around."""
        for o in range(self.repeats):
            for k in range(self.lower, self.upper, self.step):
                yield o, k

    # The kernel

    def bound(self, name, value, i):
        if self.is_static[i]:
            return f"    %{name} = arith.constant {value} : {self.kind}\n"
        self.integer(f"{name}a", value)
        op = {"i32": "addi %{0}a, %zero : i32", "i64": "extsi %{0}a : i32 to i64",
              "index": "index_cast %{0}a : i32 to index"}[self.kind]
        return f"    %{name} = arith.{op.format(name)}\n"

    def body(self):
        text = "      gpu.barrier\n" if self.barrier != "end" else ""
        text += "      %%j = arith.%s\n" % {
            "index": "index_cast %k : index to i32", "i32": "addi %k, %zero : i32",
            "i64": "trunci %k : i64 to i32"}[self.kind]
        order = list(self.tiles)
        self.rng.shuffle(order)
        text += "".join(tile.fetch() for tile in order)
        text += "      cute.cp_async_wait_all\n" if self.wait == "all" else \
            "      cute.cp_async_commit\n      cute.cp_async_wait<0>\n"
        text += "      gpu.barrier\n"
        reads = [part.read() for part in self.parts]
        computes = [part.compute() for part in self.parts]
        if self.is_split:
            pieces = [r + c for r, c in zip(reads, computes)]
        else:
            pieces = reads + computes
        extras = {"fill": "      cute.fill(%junk, %zero)\n",
                  "barrier": "      gpu.barrier\n", "store": self.log(),
                  "lanes": self.lanes()}
        for extra in self.extra:
            pieces.insert(self.rng.randrange(len(pieces) + 1), extras[extra])
        text += "".join(pieces)
        if self.barrier != "start":
            text += "      gpu.barrier\n"
        return text

    def log(self):
        return """      %logAt = cute.make_coord(%ti32, %logK) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%j, %log, %logAt)
""".replace("%logK", "%c0i" if self.around == "loop" else "%c0i")

    def lanes(self):
        return """      %lanesOf = arith.constant 32 : i32
      %lane1 = arith.constant 1 : i32
      %jf = arith.sitofp %j : i32 to f32
      %moved, %isMoved = gpu.shuffle xor %jf, %lane1, %lanesOf : f32
"""

    def carried(self):
        """(name, type, initial value, yielded value) of what the loop carries."""
        values = [c for part in self.parts for c in part.carried()]
        if self.carries:
            values.append(("sum", "i32", "%one", "%sumNext"))
        return values

    def loop(self):
        carried = self.carried()
        text, tail = "    ", ""
        if carried:
            names = [c[0] for c in carried]
            text += "%s = " % ", ".join(f"%{n}End" for n in names)
        text += "scf.for %s%%k = %%lb to %%ub step %%step" % (
            "unsigned " if self.is_unsigned else "")
        types = ", ".join(c[1] for c in carried)
        if carried:
            text += " iter_args(%s) -> (%s)" % (
                ", ".join(f"%{c[0]} = {c[2]}" for c in carried), types)
            tail = "      scf.yield %s : %s\n" % (", ".join(c[3] for c in carried),
                                                types)
        text += f" : {self.kind} {{\n" + self.body()
        if self.carries:
            text += """      %five = arith.constant 5 : i32
      %sumTimes = arith.muli %sum, %five : i32
      %sumNext = arith.addi %sumTimes, %j : i32
"""
        return text + tail + "    }\n"

    def store_carried(self):
        text = ""
        if self.carries:
            text = """    %sumAt = cute.make_coord(%ti32) : (i32) -> !cute.coord<"?">
    cute.store(%sumEnd, %sums, %sumAt)
"""
        return text + "".join(part.store_carried() for part in self.parts)

    def wrapped(self):
        """The loop with what is around it."""
        text = "".join(part.before_loop() for part in self.parts)
        text += self.loop() + self.store_carried()
        if self.around == "loop":
            return f"    scf.for %o = %c0i to %repeats step %one : i32 {{\n{text}    }}\n"
        text = "    %o = arith.constant 0 : i32\n" + text
        if self.around == "if":
            return ("    %is = arith.cmpi sgt, %repeats, %c0i : i32\n"
                    f"    scf.if %is {{\n{text}    }}\n")
        return text

    def code(self):
        """All but the return, and the parameters."""
        self.integer("zero", 0)
        self.integer("repeats", self.repeats)
        head = f"""    %ti = gpu.thread_id x
    %ti32 = arith.index_cast %ti : index to i32
    %c0i = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant {self.step} : {self.kind}
    %junkLayout = cute.static : !cute.layout<"4:1">
    %junk = cute.make_fragment<i32> (%junkLayout)
"""
        head += self.bound("lb", self.lower, 0) + self.bound("ub", self.upper, 1)
        middle = "".join(x.before() for x in self.tiles + self.parts)
        middle += self.wrapped()
        middle += "".join(part.after() for part in self.parts)
        if self.carries:
            self.output("sums", '!cute.tensor<i32, gmem, align<16>, "%d:1">'
                        % self.threads, "int", self.threads, self.expected_sums())
        if "store" in self.extra:
            last = [k for _, k in self.rounds()][-1:]
            self.output("log", '!cute.tensor<i32, gmem, align<16>, "(%d,1):(1,0)">'
                        % self.threads, "int", self.threads,
                        last * self.threads if last else [None] * self.threads)
        for part in self.parts:
            part.add_outputs()
        parameters = ", ".join(f"%{n}: {t}" for n, t, _, _ in self.parameters)
        return head + middle, parameters

    def text(self):
        code, parameters = self.code()
        if self.first:
            other, others = self.first.text_parts
            code = other + re.sub(r"%([a-zA-Z]\w*)", r"%second_\1", code)
            parameters = others + ", " + re.sub("%", "%second_", parameters)
            self.parameters = self.first.parameters + self.parameters
            self.outputs = self.first.outputs + self.outputs
            self.tiles = self.first.tiles + self.tiles
        return (f"  gpu.func @{self.name}({parameters}) kernel attributes "
                f"{{known_block_size = array<i32: {self.threads}, 1, 1>}} {{\n"
                f"{code}    gpu.return\n  }}\n")

    def expected_sums(self):
        value, stored = 1, None
        for o in range(self.repeats):
            value = 1
            for k in range(self.lower, self.upper, self.step):
                value = I32(value * 5 + k)
            stored = value
        return [stored] * self.threads


# C's types of elements, as struct names them
FORMATS = {"signed char": "b", "int": "i", "long": "q", "_Float16": "e", "float": "f",
           "double": "d"}
INPUT, OUTPUT = 1 << 18, 1 << 16  # bytes of each


class Machine:
    """The device, and the memory of inputs and outputs."""

    def __init__(self, cutec):
        self.driver = Driver(cutec)
        self.inputs = Memory(self.driver, 8 * INPUT)
        self.outputs = Memory(self.driver, 32 * OUTPUT)
        self.filled = {}

    def fill(self, tile):
        """The codes of random numbers, byte by byte."""
        size, codes = CODES[tile.element]
        if self.filled.get(tile.n) == tile.element:
            return
        self.filled[tile.n] = tile.element
        numbers = numbers_of(tile.n)[:INPUT // size]
        begin = tile.n * INPUT
        for byte in range(size):
            table = bytes(code >> 8 * byte & 255 for code in codes).ljust(256, b"\0")
            self.inputs.view[begin + byte:begin + INPUT:size] = numbers.translate(table)

    def argument(self, c_type, value):
        """A value as text: inputs[0], outputs[1], or a number."""
        place = re.fullmatch(r"(inputs|outputs)\[(\d+)\]", str(value))
        if place:
            memory, each = (self.inputs, INPUT) if place[1] == "inputs" else \
                (self.outputs, OUTPUT)
            return memory.at(int(place[2]) * each)
        return (ctypes.c_int64 if "long" in c_type else ctypes.c_int32)(value)

    def run(self, kernels, loop):
        """All numbers of the outputs."""
        for tile in loop.tiles:
            self.fill(tile)
        self.outputs.fill(0x55)
        kernels.launch(loop.name, loop.threads, *(
            self.argument(t, v) for p in loop.parameters for t, v in zip(p[2], p[3])))
        found = []
        for i, (c_type, count, _) in enumerate(loop.outputs):
            each = self.outputs.elements(FORMATS[c_type], i * OUTPUT, (i + 1) * OUTPUT)
            found += each[:count].tolist()
        return found


def check(loop, found, passes):
    wanted = [v for _, _, expected in loop.outputs for v in expected]
    wrong = [i for i, (w, f) in enumerate(zip(wanted, found))
             if w is not None and w != f]
    if wrong:
        i = wrong[0]
        sys.exit(f"{passes}: {len(wrong)} of {len(wanted)} are wrong, the first is "
                 f"{i}: {found[i]}, not {wanted[i]}\n{loop.source}")


def main():
    cutec, count, seed, *passes = sys.argv[1:]
    machine = Machine(cutec)
    if seed == "fresh":
        seed = random.SystemRandom().randrange(1 << 30)
    print(f"seed {seed}", file=sys.stderr)
    rng = random.Random(int(seed))
    loops = []
    while len(loops) < int(count):
        try:
            loop = Loop(rng, len(loops))
            if rng.random() < 0.2:  # and another loop behind it
                loop.text_parts = loop.code()
                loop = Loop(rng, len(loops), loop)
        except Again:
            continue
        loop.source = loop.text()
        loops.append(loop)
    for chosen in [""] + (passes or rng.sample(PASSES, 3)):
        log = []
        kernels = Kernels(machine.driver, cutec, [loop.source for loop in loops],
                          passes=chosen, arch="sm_89", log=log)
        for loop in loops:
            check(loop, machine.run(kernels, loop), chosen)
        kernels.unload()
        made, ahead, wider = [len(re.findall(what, log[0])) for what in (
            "the loop has", r"\d k-blocks ahead", " bits at a time")]
        print(f"{len(loops)} loops: {chosen or 'as written'}: {made} are pipelined, "
              f"{ahead} load fragments ahead, {wider} copies are wider")


if __name__ == "__main__":
    main()
