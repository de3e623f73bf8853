"""Compares what cute-lint says of banks and sectors with a count of its own.

Random kernels copy between shared or global memory and registers through tiled
copies of random thread and value layouts. The model here knows nothing of
layout algebra: it evaluates shape:stride at coordinates, walks the tile
thread by thread, and counts words per bank and sectors with dictionaries.
"""
import bisect
import itertools
import random
import re
import subprocess
import sys

SEPARATOR = "// -----\n"

KERNEL = """gpu.module @m {{
  gpu.func @k(%A: !cute.tensor<{element}, gmem, align<16>, "{layout}">) kernel
      attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %L = cute.static : !cute.{kind}<"{layout}">
    %S = cute.alloc_smem<{element}, 1024> (%L)
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint{bits}_t>", {element}>
    %threads = cute.static : !cute.layout<"{thread_layout}">
    %values = cute.static : !cute.layout<"{value_layout}">
    %c = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.{partition}(%c, %{memory}, %thread)
    %r = cute.make_fragment_like(%part)
    cute.copy(%c, {operands})
    gpu.return
  }}
}}
"""


def wavefronts(addresses, size):
    """(taken, least) of one warp."""
    step = 32 if size <= 4 else 128 // size
    taken = least = 0
    for first in range(0, len(addresses), step):
        words = {word for address in addresses[first:first + step]
                 for word in range(address // 4, (address + size - 1) // 4 + 1)}
        banks = [0] * 32
        for word in words:
            banks[word % 32] += 1
        taken += max(banks)
        least += 1
    return taken, least


def sectors(addresses, size):
    touched = {b for a in addresses for b in range(a, a + size)}
    return len({b // 32 for b in touched}), -(-len(touched) // 32)


class Case:
    def __init__(self, rng):
        self.rng = rng
        self.element, self.element_bytes = rng.choice(
            [("f16", 2), ("f32", 4), ("i8", 1), ("f64", 8)])
        most = 16 // self.element_bytes
        self.values = rng.choice([v for v in (1, 2, 4, 8) if v <= most])
        self.choose_threads()
        self.choose_layout()
        self.in_smem = rng.random() < 0.6
        self.is_store = rng.random() < 0.5

    def choose_threads(self):
        """Threads (tm, tn) in either order; a value run along mode 1."""
        rng = self.rng
        self.tm, self.tn = rng.choice(
            [(32, 1), (1, 32), (8, 4), (4, 8), (16, 4), (2, 16), (8, 16)])
        self.columns = rng.random() < 0.5
        self.repeat = rng.choice([1, 2])  # accesses of a thread along mode 0

    def choose_layout(self):
        """A layout of the tile, or twice it, with aligned runs along mode 1."""
        rng, run = self.rng, self.values
        self.m = self.tm * self.repeat * rng.choice([1, 2])
        self.n = self.tn * run * rng.choice([1, 2])
        if run == 1 and rng.random() < 0.2:
            self.strides = rng.choice([(1, 1), (2, 1), (0, 1), (3, 4)])
        elif run == 1 and rng.random() < 0.4:
            self.strides = (1, self.m + rng.choice([0, 0, 1, 8]))
        else:
            self.strides = (self.n + run * rng.choice([0, 0, 1, 3]), 1)
        self.swizzle = None
        if rng.random() < 0.5:
            base = run.bit_length() - 1 + rng.choice([0, 1])
            bits = rng.choice([1, 2, 3])
            self.swizzle = (bits, base, bits + rng.choice([0, 1, 2]))

    def index(self, i, j):
        x = i * self.strides[0] + j * self.strides[1]
        if self.swizzle and self.in_smem:
            bits, base, shift = self.swizzle
            for b in range(bits):
                x ^= (x >> (base + shift + b) & 1) << (base + b)
        return x

    def elements(self):
        """One more than the last element that is accessed."""
        return max(i for r in Plain(self).requests() for i in r) + self.values

    def excess(self, swizzle, limit=None):
        """Wavefronts too many with that swizzle, or as many as the limit."""
        case, excess = Plain(self), 0
        case.swizzle, case.in_smem = swizzle, True
        for taken, least in case.costs(wavefronts):
            excess += taken - least
            if limit is not None and excess >= limit:
                return limit
        return excess

    def thread_coord(self, t):
        if self.columns:
            return t % self.tm, t // self.tm
        return t // self.tn, t % self.tn

    def requests(self):
        """The first index of each thread, request by request."""
        tile_m, tile_n = self.tm * self.repeat, self.tn * self.values
        for rest_n in range(0, self.n, tile_n):
            for rest_m in range(0, self.m, tile_m):
                for k in range(self.repeat):
                    yield [self.index(rest_m + a * self.repeat + k,
                                      rest_n + b * self.values)
                           for a, b in map(self.thread_coord,
                                           range(self.tm * self.tn))]

    def text(self):
        layout = "({},{}):({},{})".format(self.m, self.n, *self.strides)
        kind = "layout"
        if self.swizzle and self.in_smem:
            layout = "S<{},{},{}> o 0 o ".format(*self.swizzle) + layout
            kind = "composed_layout"
        strides = (1, self.tm) if self.columns else (self.tn, 1)
        thread_layout = f"({self.tm},{self.tn}):({strides[0]},{strides[1]})"
        # The run first, then the repetitions.
        value_layout = (f"({self.repeat},{self.values})"
                        f":({self.values},1)")
        return KERNEL.format(
            element=self.element, layout=layout, kind=kind,
            threads=self.tm * self.tn, bits=8 * self.element_bytes * self.values,
            thread_layout=thread_layout, value_layout=value_layout,
            partition="partition_d" if self.is_store else "partition_s",
            memory="S" if self.in_smem else "A",
            operands="%r, %part" if self.is_store else "%part, %r")

    def costs(self, count):
        for request in self.requests():
            for first in range(0, len(request), 32):
                warp = [i * self.element_bytes
                        for i in request[first:first + 32]]
                yield count(warp, self.values * self.element_bytes)

    def expected(self):
        size = self.values * self.element_bytes
        costs = list(self.costs(wavefronts if self.in_smem else sectors))
        taken, least = map(sum, zip(*costs))
        if self.in_smem:
            return ("warning", taken, least) if taken > least else None
        if 4 * taken < 5 * least:
            return None
        return (self.severity(size), taken, least)

    def severity(self, size):
        """A remark where the requests of the block together waste no sectors."""
        taken, least = sectors([i * self.element_bytes
                                for request in self.requests()
                                for i in request], size)
        return "warning" if 4 * taken >= 5 * least else "remark"


class Plain(Case):
    """A case without its swizzle."""

    def __init__(self, case):
        self.__dict__.update(case.__dict__)
        self.swizzle = None


def is_best(case, excess):
    """Whether no swizzle that leaves accesses whole has less, by trying them."""
    run, top = case.values.bit_length() - 1, case.elements() - 1
    return not excess or all(case.excess((bits, base, shift), excess) == excess
                             for bits in range(1, 6)
                             for base in range(run, top.bit_length())
                             for shift in range(bits, 12))


def check_advice(case, stderr):
    """The note's swizzle leaves what it says, and none leaves less."""
    now = sum(t - l for t, l in case.costs(wavefronts))
    match = re.search(r"note: S<(\d+),(\d+),(\d+)> over its layout "
                      r"(?:has no|leaves (\d+) of (\d+)) conflicts", stderr)
    if not match:
        return "no swizzle of its layout" in stderr and is_best(case, now)
    left = int(match[4] or 0)
    if case.excess(tuple(map(int, match.groups()[:3]))) != left:
        return False
    return not left or (int(match[5]) == now and is_best(case, left))


def check_writes(case, stderr):
    """Writes to an address that has another are counted."""
    writes = [i for request in case.requests() for i in request]
    again = len(writes) - len(set(writes)) if case.is_store else 0
    match = re.search(r"(\d+) of the block's (\d+) writes", stderr)
    said = (int(match[1]), int(match[2])) if match else (0, len(writes))
    return said == (again, len(writes))


def lint(texts):
    """What cute-lint says of each text, in one run of it."""
    run = subprocess.run(["cute-opt", "--split-input-file", "--cute-lint", "-"],
                         input=SEPARATOR.join(texts), capture_output=True,
                         text=True, check=False)
    if run.returncode:
        sys.exit(f"cute-opt failed:\n{run.stderr}")
    starts = list(itertools.accumulate(
        (text.count("\n") + SEPARATOR.count("\n") for text in texts), initial=1))
    said, index = [""] * len(texts), 0
    for line in run.stderr.splitlines(keepends=True):
        place = re.match(r"[^ ]*:(\d+):\d+: ", line)
        if place:
            index = bisect.bisect(starts, int(place[1])) - 1
        said[index] += line
    return said


def found(case, text, said):
    match = re.search(r"(warning|remark): 'cute.copy' op .*?(\d+) (?:wavefronts|sectors)"
                      r".*? where (\d+) would do", said)
    if not check_writes(case, said):
        sys.exit(f"writes are counted wrongly:\n{said}\n{text}")
    if match and case.in_smem and not check_advice(case, said):
        sys.exit(f"the advice is wrong:\n{said}\n{text}")
    return (match[1], int(match[2]), int(match[3])) if match else None


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    seen = {}
    cases = [Case(random.Random(seed + i)) for i in range(count)]
    texts = [case.text() for case in cases]
    for i, (case, text, said) in enumerate(zip(cases, texts, lint(texts))):
        expected, actual = case.expected(), found(case, text, said)
        if expected != actual:
            sys.exit(f"seed {seed + i}: expected {expected}, cute-lint has "
                     f"{actual}\n{text}")
        key = ("smem" if case.in_smem else "gmem",
               expected[0] if expected else "silent")
        seen[key] = seen.get(key, 0) + 1
    if len(seen) < 5:
        sys.exit(f"only {seen} occurred")
    print(f"{count} kernels agree")


if __name__ == "__main__":
    main()
