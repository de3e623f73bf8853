#!/usr/bin/env python3
"""Runs random tiled copies: every element goes to its place once.

  random_copies.py CUTEC COUNT SEED

Each kernel copies one tile of a matrix with random extents, odd ones, too, perhaps
one of a tensor of up to 5 modes, to the same tile of another, with a tiled copy of random threads, values and atom, through
registers or shared memory, in either order of modes on each side. Elements past the
extents have a predicate. Afterwards the destination has the source's elements where
tile and matrix overlap and is as before everywhere else.
"""
import array
import ctypes
import functools
import random
import sys

from simulated import Driver, Kernels, Memory

# the format of struct, bits
TYPES = {"i8": ("b", 8), "f16": ("h", 16), "f32": ("i", 32), "i64": ("q", 64)}
ROOM = 1 << 17  # elements of a matrix


class Copy:
    def __init__(self, rng, number):
        self.name = f"case{number}"
        self.element = rng.choice(list(TYPES))
        bits = TYPES[self.element][1]
        self.vector = rng.choice([v for v in (1, 2, 4, 8, 16) if v * bits <= 128])
        self.major = rng.randrange(2)  # the mode along which values are neighbours
        self.threads = [rng.choice([1, 2, 3, 4, 8]) for _ in range(2)]
        self.swapped = rng.random() < 0.5
        values = [rng.choice([1, 1, 2, 3]) for _ in range(2)]
        values[self.major] = self.vector * rng.choice([1, 1, 2])
        self.values = values
        repeats = [rng.choice([1, 1, 2]) for _ in range(2)]
        self.tile = [t * v * r for t, v, r in zip(self.threads, values, repeats)]
        self.place = [rng.randrange(2), rng.randrange(2)]
        # Extents: along the vector a multiple of it, else any.
        self.extents = []
        for mode in range(2):
            before = self.tile[mode] * self.place[mode]
            unit = self.vector if mode == self.major else 1
            extent = before + self.tile[mode] - rng.choice([0, 0, 1, 3, unit])
            self.extents.append(max(before + unit, extent // unit * unit))
        # Matrices one after another; one is copied.
        self.batch = [rng.choice([1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 3]))]
        self.chosen = [rng.randrange(e) for e in self.batch]
        self.slice_first = rng.random() < 0.3
        self.through = rng.choice(["rmem", "rmem", "smem", "none"])
        self.is_dynamic = rng.random() < 0.5
        # The destination has the vector's mode as its first, too, unless single
        # elements are copied.
        other = 1 - self.major if self.vector == 1 and rng.random() < 0.5 \
            else self.major
        self.strides = [self.strides_of(rng, self.major),
                        self.strides_of(rng, other)]
        self.predicated = rng.choice(["copy", "copy_if"])

    def strides_of(self, rng, major):
        pad = rng.choice([0, 0, 1, 2]) * max(self.vector, 1)
        result = [0, 0]
        result[major] = 1
        pitch = self.extents[major] + pad
        result[1 - major] = -(-pitch // self.vector) * self.vector
        step = result[1 - major] * self.extents[1 - major]
        for extent in reversed(self.batch):
            result.insert(2, step)
            step *= extent
        return result

    def room(self):
        return max(sum((e - 1) * d for e, d in zip(self.extents + self.batch, s))
                   for s in self.strides) + 1

    # The kernel

    def matrix_type(self, side):
        stride = self.strides[side]
        fast = stride[:2].index(1)
        texts = [str(d) for d in stride]
        shape = [str(e) for e in self.extents + self.batch]
        if self.is_dynamic:
            texts[1 - fast] = "?{div=%d}" % self.vector if self.vector > 1 else "?"
            texts[fast] = "1"
            shape[:2] = ["?", "?"]
        return (f"!cute.tensor<{self.element}, gmem, align<16>, "
                f'"({",".join(shape)}):({",".join(texts)})">')

    def one(self, kept):
        """The coordinate of the chosen matrix behind so many modes."""
        return "(%s)" % ",".join(["_"] * kept + list(map(str, self.chosen)))

    def only(self, is_here, value, coord):
        if is_here and self.batch:
            return f"cute.slice({value}, {coord})"
        return f"cute.append_to_rank<1>({value}, %unit)"  # as it is

    def text(self):
        bits = TYPES[self.element][1] * self.vector
        stride = [1, self.threads[0]]
        if self.swapped:
            stride = [self.threads[1], 1]
        vstride = [1, self.values[0]] if self.major == 0 else [self.values[1], 1]
        count = self.threads[0] * self.threads[1]
        lines = f"""  gpu.func @{self.name}(%A: {self.matrix_type(0)}, %B: {self.matrix_type(1)}, %i: i32) kernel attributes {{known_block_size = array<i32: {count}, 1, 1>}} {{
    %unit = cute.static : !cute.layout<"1:0">
    %ti = gpu.thread_id x
    %t = arith.index_cast %ti : index to i32
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint{bits}_t>", {self.element}>
    %tl = cute.static : !cute.layout<"({self.threads[0]},{self.threads[1]}):({stride[0]},{stride[1]})">
    %vl = cute.static : !cute.layout<"({self.values[0]},{self.values[1]}):({vstride[0]},{vstride[1]})">
    %copy = cute.make_tiled_copy_tv(%atom, %tl, %vl)
    %tile = cute.static : !cute.shape<"({self.tile[0]},{self.tile[1]})">
    %place = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,{self.place[1]})">
    %shape = cute.get_shape(%A)
    %id = cute.make_identity_tensor(%shape)
    %one = cute.static : !cute.coord<"{self.one(2)}">
    %A0 = {self.only(self.slice_first, "%A", "%one")}
    %B0 = {self.only(self.slice_first, "%B", "%one")}
    %id0 = {self.only(self.slice_first, "%id", "%one")}
    %a = cute.local_tile(%A0, %tile, %place)
    %b = cute.local_tile(%B0, %tile, %place)
    %c = cute.local_tile(%id0, %tile, %place)
    %s0 = cute.partition_s(%copy, %a, %t)
    %d0 = cute.partition_d(%copy, %b, %t)
    %x0 = cute.partition_s(%copy, %c, %t)
    %two = cute.static : !cute.coord<"{self.one(3)}">
    %s = {self.only(not self.slice_first, "%s0", "%two")}
    %d = {self.only(not self.slice_first, "%d0", "%two")}
    %x = {self.only(not self.slice_first, "%x0", "%two")}
    %first = cute.static : !cute.coord<"((0,_),_,_)">
    %y = cute.slice(%x, %first)
    %p = cute.make_predicate(%y, %shape)
"""
        return lines + self.moves() + "    gpu.return\n  }\n"

    def move(self, source, destination):
        if self.predicated == "copy_if":
            return f"    cute.copy_if(%copy, %p, {source}, {destination})\n"
        return f"    cute.copy(%copy, {source}, {destination}, %p)\n"

    def moves(self):
        if self.through == "none":
            return self.move("%s", "%d")
        if self.through == "rmem":
            return ("    %r = cute.make_fragment_like(%s)\n" +
                    self.move("%s", "%r") + self.move("%r", "%d"))
        stride = [self.tile[1], 1] if self.major else [1, self.tile[0]]
        return f"""    %sl = cute.static : !cute.layout<"({self.tile[0]},{self.tile[1]}):({stride[0]},{stride[1]})">
    %m = cute.alloc_smem<{self.element}, 16>(%sl)
    %md = cute.partition_d(%copy, %m, %t)
    %ms = cute.partition_s(%copy, %m, %t)
    cute.clear(%md)
{self.move("%s", "%md")}    gpu.barrier
{self.move("%ms", "%d")}"""

    # What it does

    def arguments(self, side):
        stride = self.strides[side]
        return [] if not self.is_dynamic else \
            self.extents + [stride[1 - stride[:2].index(1)]]

    def place_of(self, side, i, j):
        return sum(x * d for x, d in zip([i, j] + self.chosen,
                                         self.strides[side]))

    def expected(self):
        """Destination place -> source place of what is copied."""
        begin = [p * t for p, t in zip(self.place, self.tile)]
        end = [min(b + t, e) for b, t, e in zip(begin, self.tile, self.extents)]
        return {self.place_of(1, i, j): self.place_of(0, i, j)
                for i in range(begin[0], end[0]) for j in range(begin[1], end[1])}


class Machine:
    """The device, and the memory of sources and destinations."""

    def __init__(self, cutec):
        self.driver = Driver(cutec)
        self.source = Memory(self.driver, 8 * ROOM)
        self.destination = Memory(self.driver, 8 * ROOM)

    def run(self, kernels, k):
        """Copies, and says what is wrong."""
        code = TYPES[k.element][0]
        self.source.elements(code)[:ROOM] = elements = numbers(k.element)
        wanted = array.array(code, [0x55]) * ROOM
        destination = self.destination.elements(code)[:ROOM]
        destination[:] = wanted
        parameters = [list(map(ctypes.c_int32, k.arguments(side))) for side in range(2)]
        kernels.launch(k.name, k.threads[0] * k.threads[1], self.source.at(0),
                       *parameters[0], self.destination.at(0), *parameters[1],
                       ctypes.c_int32(k.place[0]))
        for to, at in k.expected().items():
            wanted[to] = elements[at]
        if destination != memoryview(wanted):
            fail(k, destination, wanted)


@functools.cache
def numbers(element):
    code, bits = TYPES[element]
    return array.array(code, (wrapped(i * 7 + 1, bits) for i in range(ROOM)))


def wrapped(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def fail(k, found, wanted):
    wrong = [i for i in range(ROOM) if found[i] != wanted[i]]
    sys.exit(f"{len(wrong)} elements are wrong, the first at {wrong[0]}: "
             f"{found[wrong[0]]}, not {wanted[wrong[0]]}\n{k.text()}"
             f"extents {k.extents} strides {k.strides} place {k.place}")


def main():
    cutec, count, seed = sys.argv[1:4]
    rng = random.Random(int(seed))
    copies = []
    while len(copies) < int(count):
        k = Copy(rng, len(copies))
        if k.room() <= ROOM:
            copies.append(k)
    machine = Machine(cutec)
    kernels = Kernels(machine.driver, cutec, [k.text() for k in copies])
    for k in copies:
        machine.run(kernels, k)
    print(f"{len(copies)} copies")


if __name__ == "__main__":
    main()
