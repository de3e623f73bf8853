#!/usr/bin/env python3
"""Runs random views of tensors and compares with their definition.

  random_tensors.py CUTEC COUNT SEED

Each kernel takes a tensor with random extents and strides, some of them dynamic,
and makes a view of it by a few random ops: slice, local_tile, local_partition,
divides, domain_offset, composition and what rearranges modes. The same is done to
the identity tensor of its shape. All elements of the view are read one by one, and
copied to registers where the shape is static; the coordinates are written, and
whether they are in the shape. Here a tensor is a function of coordinates, and what
an op makes of it is its definition, so that nothing of the algebra is used.
"""
import array
import ctypes
import itertools
import random
import subprocess
import sys

from shape_trees import coordinate, is_tuple, leaves, size, text_of, unflatten
from simulated import Driver, Kernels, Memory

MIDDLE = 1 << 18  # where the tensor begins in the memory
MAX_COPIED = 64


# Kernels

class View:
    """A shape, and the base tensor's coordinate, flat, of each coordinate. Where
    `linear`, coordinates past extents above 1 are possible; a mode of extent 1 may
    have lost its stride."""

    def __init__(self, shape, at, linear=True):
        self.shape, self.at, self.linear = shape, at, linear


class Kernel:
    def __init__(self, rng, number):
        self.rng, self.name = rng, f"case{number}"
        self.lines, self.values, self.count = [], [], 0
        self.base()

    def value(self, text):
        self.count += 1
        self.lines.append(f"    %{self.count} = {text}")
        return f"%{self.count}"

    def static(self, kind, text):
        return self.value(f'cute.static : !cute.{kind}<"{text}">')

    def argument(self, value):
        """A dynamic integer."""
        self.values.append(value)
        return f"%d{len(self.values) - 1}"

    def integers(self, values, chance):
        """Leaves as text, and the arguments for dynamic ones."""
        texts, arguments = [], []
        for value in values:
            if value != "_" and self.rng.random() < chance:
                texts.append("?")
                arguments.append(self.argument(value))
            else:
                texts.append(str(value))
        return texts, arguments

    def coord(self, tree, chance=0.5):
        texts, arguments = self.integers(leaves(tree), chance)
        text = text_of(unflatten(tree, iter(texts)))
        if not arguments:
            return self.static("coord", text)
        types = ", ".join(["i32"] * len(arguments))
        return self.value(f"cute.make_coord({', '.join(arguments)}) : ({types}) "
                          f'-> !cute.coord<"{text}">')

    def base(self):
        rng = self.rng
        extents = [1, 2, 3, 4, 4, 5, 6, 8, 12, 16]
        shape = tuple(
            tuple(rng.choice(extents[:8]) for _ in range(rng.randint(1, 2)))
            if rng.random() < 0.25 else rng.choice(extents)
            for _ in range(rng.randint(1, rng.choice([2, 3, 5]))))
        if rng.random() < 0.1:
            shape = rng.choice(extents)
        flat = leaves(shape)
        order, strides, step = list(range(len(flat))), [0] * len(flat), 1
        rng.shuffle(order)
        for k in order:
            strides[k] = step
            step *= flat[k]
            if rng.random() < 0.2:
                step += rng.choice([1, 4, 8])
            if rng.random() < 0.1:
                strides[k] = rng.choice([0, -1, -4, 7])
        self.base_shape, self.strides = shape, strides
        self.parameters = []
        chance = rng.choice([0, 0, 0.3, 0.8])
        self.shape_text = text_of(unflatten(shape, iter(
            [self.leaf(e, chance, 1) for e in flat])))
        stride = text_of(unflatten(shape, iter(
            [self.leaf(d, chance / 2, d) for d in strides])))
        self.type = f'!cute.tensor<i32, gmem, align<16>, "{self.shape_text}:{stride}">'
        self.view = View(shape, leaves)

    def leaf(self, value, chance, divided):
        if self.rng.random() >= chance:
            return str(value)
        self.parameters.append(value)
        divisors = [n for n in (2, 4, 8) if divided and divided % n == 0]
        return "?{div=%d}" % self.rng.choice(divisors) \
            if divisors and self.rng.random() < 0.5 else "?"


# Ops: each gives the text after "cute.", with %s for the tensor, and the view; or
# nothing where it cannot be done.

def random_slice(k, view):
    def pick(shape, depth):
        if is_tuple(shape) and (depth == 0 or k.rng.random() < 0.7):
            return tuple(pick(e, depth + 1) for e in shape)
        return "_" if k.rng.random() < 0.6 else k.rng.randrange(size(shape))

    def kept(shape, c):
        if is_tuple(c):
            return tuple(m for s, x in zip(shape, c) for m in kept(s, x))
        return (shape,) if c == "_" else ()

    def full(shape, c, rest):
        if is_tuple(c):
            return tuple(full(s, x, rest) for s, x in zip(shape, c))
        return next(rest) if c == "_" else coordinate(c, shape)
    coord = pick(view.shape, 0)
    if "_" not in leaves(coord) or not is_tuple(coord):
        return None
    shape = kept(view.shape, coord)
    return f"slice(%s, {k.coord(coord)})", View(
        shape, lambda c: view.at(full(view.shape, coord, iter(c))), view.linear)


def random_group(k, view):
    if not is_tuple(view.shape) or not view.shape:
        return None
    begin = k.rng.randrange(len(view.shape))
    end = k.rng.randint(begin + 1, len(view.shape))
    shape = view.shape
    new = shape[:begin] + (shape[begin:end],) + shape[end:]
    return f"group_modes<{begin}, {end}>(%s)", View(
        new, lambda c: view.at(c[:begin] + c[begin] + c[begin + 1:]), view.linear)


def random_flatten(k, view):
    if not is_tuple(view.shape):
        return None
    return "flatten(%s)", View(
        tuple(leaves(view.shape)),
        lambda c: view.at(unflatten(view.shape, iter(c))), view.linear)


def random_coalesce(k, view):
    shape = (size(view.shape),)
    return "coalesce(%s)", View(
        shape, lambda c: view.at(coordinate(c[0], view.shape)), False)


def random_offset(k, view):
    if not view.linear:
        return None
    flat = [k.rng.randint(-2, 3) if e > 1 else 0 for e in leaves(view.shape)]
    offset = unflatten(view.shape, iter(flat))

    def moved(c):
        return view.at(unflatten(view.shape, iter(
            x + y for x, y in zip(leaves(c), flat))))
    return f"domain_offset({k.coord(offset)}, %s)", View(view.shape, moved)


def random_select(k, view):
    if not is_tuple(view.shape) or len(view.shape) < 2:
        return None
    n = len(view.shape)
    modes = k.rng.sample(range(n), k.rng.randint(1, n))

    def at(c):
        whole = [coordinate(0, e) for e in view.shape]
        for mode, x in zip(modes, c):
            whole[mode] = x
        return view.at(tuple(whole))
    return f"select<[{', '.join(map(str, modes))}]>(%s)", View(
        tuple(view.shape[m] for m in modes), at, view.linear)


def is_flat(view):
    return is_tuple(view.shape) and len(view.shape) > 0 and view.linear and \
        not any(map(is_tuple, view.shape))


def tile_extents(k, view, n):
    return [k.rng.choice([1, 2, 3, 4, 8, min(16, e)]) if e > 1 else 1
            for e in view.shape[:n]]


def with_projection(k, used, extra):
    """The projection that keeps the modes `used`, their places, and as many `extra` values
    between."""
    kept = [True] * len(used)
    if k.rng.random() < 0.4:
        for _ in range(k.rng.randint(1, 2)):
            kept.insert(k.rng.randint(0, len(kept)), False)
    projected = iter(used)
    return "" if all(kept) else '<"(%s)">' % ",".join(
        "1" if x else "_" for x in kept), \
        [next(projected) if x else extra() for x in kept]


def random_tile(k, view):
    if not is_flat(view):
        return None
    n = k.rng.randint(1, len(view.shape))
    tile = tile_extents(k, view, n)
    tiles = [-(-e // t) for e, t in zip(view.shape, tile)]
    place = ["_" if k.rng.random() < 0.4 else k.rng.randrange(t) for t in tiles]
    if n < len(view.shape):  # the rest's modes need their coordinates
        return None
    projection, both = with_projection(
        k, list(zip(tile, place)), lambda: (k.rng.choice([2, 5]), 0))
    tiler = k.static("shape", text_of(tuple(t for t, _ in both)))
    coord = k.coord(tuple(p for _, p in both))
    open_modes = [i for i, p in enumerate(place) if p == "_"]
    shape = tuple(tile) + tuple(tiles[i] for i in open_modes)

    def at(c):
        outer = list(place)
        for i, x in zip(open_modes, c[n:]):
            outer[i] = x
        return view.at(tuple(x + t * o for x, t, o in zip(c, tile, outer)))
    return f"local_tile{projection}(%s, {tiler}, {coord})", View(shape, at)


def random_partition(k, view):
    if not is_flat(view):
        return None
    n = len(view.shape)
    threads = tile_extents(k, view, n)
    projection, extents = with_projection(k, threads, lambda: k.rng.choice([2, 4]))
    order, strides, step = list(range(len(extents))), [0] * len(extents), 1
    k.rng.shuffle(order)
    if k.rng.random() < 0.2:
        order.sort()
    for i in order:
        strides[i] = step
        step *= extents[i]
    layout = k.static("layout", text_of(tuple(extents)) + ":" +
                      text_of(tuple(strides)))
    if order == sorted(order) and k.rng.random() < 0.5:
        layout = k.static("shape", text_of(tuple(extents)))
    index = k.rng.randrange(step)
    mine = [index // d % e for e, d in zip(extents, strides)]
    if projection:
        kept = projection[3:-3].split(",")
        mine = [x for x, p in zip(mine, kept) if p == "1"]
    shape = tuple(-(-e // t) for e, t in zip(view.shape, threads))

    def at(c):
        return view.at(tuple(m + t * x for m, t, x in zip(mine, threads, c)))
    return f"local_partition{projection}(%s, {layout}, {k.argument(index)})", \
        View(shape, at)


def random_divide(k, view):
    if not is_flat(view):
        return None
    n = k.rng.randint(1, len(view.shape))
    tile = tile_extents(k, view, n)
    inner = tuple(tile)
    outer = tuple(-(-e // t) for e, t in zip(view.shape, tile)) + view.shape[n:]

    def place(x, y):
        return view.at(tuple(a + t * b for a, t, b in zip(x, tile, y)) +
                       tuple(y[n:]))
    tiler = k.static("shape", text_of(inner))
    form = k.rng.choice(["zipped", "tiled", "flat", "logical"])
    if form == "logical":
        return f"logical_divide(%s, {tiler})", View(
            tuple(zip(inner, outer)) + outer[n:],
            lambda c: place([x[0] for x in c[:n]],
                            [x[1] for x in c[:n]] + list(c[n:])))
    shape = {"zipped": (inner, outer), "tiled": (inner,) + outer,
             "flat": inner + outer}[form]
    split = {"zipped": lambda c: place(c[0], c[1]),
             "tiled": lambda c: place(c[0], c[1:]),
             "flat": lambda c: place(c[:n], c[n:])}[form]
    return f"{form}_divide(%s, {tiler})", View(shape, split)


def random_composition(k, view):
    """By-mode with layouts of each extent."""
    if not is_flat(view):
        return None
    tiles = []
    for extent in view.shape:
        step = k.rng.choice([1, 1, 2, 3])
        tiles.append((max(1, extent // step), step))
    tiler = k.static("tile", "[%s]" % ";".join(f"{s}:{d}" for s, d in tiles))
    return f"composition(%s, {tiler})", View(
        tuple(s for s, _ in tiles),
        lambda c: view.at(tuple(x * d for x, (_, d) in zip(c, tiles))))


def random_append(k, view):
    if not is_tuple(view.shape) or len(view.shape) > 4:
        return None
    one = k.static("layout", "1:0")
    n = len(view.shape) + 1
    if k.rng.random() < 0.5:
        return f"append_to_rank<{n}>(%s, {one})", View(
            view.shape + (1,), lambda c: view.at(c[:-1]), view.linear)
    return f"prepend_to_rank<{n}>(%s, {one})", View(
        (1,) + view.shape, lambda c: view.at(c[1:]), view.linear)


OPS = [random_slice, random_group, random_flatten, random_flatten,
       random_coalesce, random_offset, random_select, random_tile, random_tile,
       random_partition, random_partition, random_divide, random_composition,
       random_append]


# A kernel and what it must write

def make_kernel(rng, number):
    k = Kernel(rng, number)
    tensor, coords = "%A", None
    coords = k.value("cute.get_shape(%A)")
    bound = coords
    coords = k.value(f"cute.make_identity_tensor({coords})")
    for _ in range(rng.randint(1, 4)):
        made = rng.choice(OPS)(k, k.view)
        if not made or size(made[1].shape) > 5000 or not size(made[1].shape):
            continue
        text, k.view = made
        tensor = k.value("cute." + text.replace("%s", tensor))
        coords = k.value("cute." + text.replace("%s", coords))
        if text.startswith("coalesce"):  # has a profile of its own
            break
    return k, tensor, coords, bound


def body_of(k, tensor, coords, bound):
    """Writes the elements, then the coordinates' leaves."""
    n, depth = size(k.view.shape), len(k.strides)
    lines = [f"""    %n = arith.constant {n} : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {{
      %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %v = cute.load({tensor}, %c)
      cute.store(%v, %out, %c) : i32, !cute.tensor<i32, gmem, align<16>, "?:1">, !cute.coord<"?">
      %e = cute.slice({coords}, %c)
      %o = cute.get_iter(%e)
      %x:{depth} = cute.get_scalars(%o)"""]
    for j in range(depth):
        place = f"%p{j}"
        lines.append(f"""      %b{j} = arith.constant {n + j * n} : i32
      {place} = arith.addi %b{j}, %i : i32
      %c{j} = cute.make_coord({place}) : (i32) -> !cute.coord<"?">
      cute.store(%x#{j}, %out, %c{j}) : i32, !cute.tensor<i32, gmem, align<16>, "?:1">, !cute.coord<"?">""")
    lines.append("    }")
    return lines


def copies_of(k, tensor, coords, bound):
    """Copies to registers, and predicates: for static shapes."""
    n = size(k.view.shape)
    start = n * (1 + len(k.strides))
    lines = []
    for j, how in enumerate(["basic_copy", "autovec_copy"]):
        lines.append(f"""    %l{j} = cute.static : !cute.layout<"{n}:1">
    %f{j} = cute.make_fragment<i32>(%l{j})
    cute.{how}({tensor}, %f{j})
    %w{j} = cute.load_vector(%f{j})
    %at{j} = cute.static : !cute.coord<"{start + j * n}">
    %to{j} = cute.domain_offset(%at{j}, %out)
    %q{j} = cute.get_iter(%to{j})
    %t{j} = cute.make_tensor(%q{j}, %l{j})
    cute.store_vector(%w{j}, %t{j})""")
    lines.append(f"""    %pr = cute.make_predicate({coords}, {bound})
    %pv = cute.load_vector(%pr)
    %pi = arith.extui %pv : vector<{n}xi1> to vector<{n}xi32>
    %at2 = cute.static : !cute.coord<"{start + 2 * n}">
    %to2 = cute.domain_offset(%at2, %out)
    %q2 = cute.get_iter(%to2)
    %t2 = cute.make_tensor(%q2, %l0)
    cute.store_vector(%pi, %t2)""")
    return lines


def expected(k, copied):
    coords = [k.view.at(coordinate(i, k.view.shape))
              for i in range(size(k.view.shape))]
    places = [sum(x * d for x, d in zip(c, k.strides)) for c in coords]
    below = [int(all(x < e for x, e in zip(c, leaves(k.base_shape))))
             for c in coords]
    result = places + [c[j] for j in range(len(k.strides)) for c in coords]
    return result + 2 * places + below if copied else result


def text_of_kernel(k, lines):
    arguments = "".join(f", %d{i}: i32" for i in range(len(k.values)))
    return (f"  gpu.func @{k.name}(%A: {k.type}, %out: !cute.tensor<i32, gmem, "
            f'align<16>, "?:1">{arguments}) kernel {{\n'
            + "\n".join(k.lines + lines) + "\n    gpu.return\n  }\n")


# Running

def compile_kernel(cutec, text):
    done = subprocess.run([cutec, "/dev/stdin", "--emit=mlir", "-o", "-",
                           "--no-manifest"], check=False,
                          input=f"gpu.module @m {{\n{text}}}\n", text=True,
                          capture_output=True)
    return done.returncode, done.stderr


def run_all(cutec, cases):
    """The numbers that each kernel writes: of memory that has its own places."""
    driver = Driver(cutec)
    memory = Memory(driver, 8 * MIDDLE)
    out = Memory(driver, 4 * max((len(wanted) for _, wanted, _ in cases), default=1))
    memory.elements("i")[:] = array.array("i", range(-MIDDLE, MIDDLE))
    kernels = Kernels(driver, cutec, [text for _, _, text in cases])
    found = []
    for k, wanted, _ in cases:
        kernels.launch(k.name, 1, memory.at(4 * MIDDLE),
                       *map(ctypes.c_int32, k.parameters), out.at(0), ctypes.c_int32(1),
                       *map(ctypes.c_int32, k.values))
        found.append(out.elements("i")[:len(wanted)].tolist())
    return found


# What a composition or a divide may say of extents that it cannot split.
ACCEPTABLE = ["divide", "split"]


def main():
    cutec, count, seed = sys.argv[1:4]
    rng = random.Random(int(seed))
    cases, rejected = [], 0
    while len(cases) < int(count):
        k, tensor, coords, bound = make_kernel(rng, len(cases))
        n = size(k.view.shape)
        is_static = not any(p for p in k.parameters)
        copied = is_static and n <= MAX_COPIED
        lines = body_of(k, tensor, coords, bound)
        if copied:
            lines += copies_of(k, tensor, coords, bound)
        text = text_of_kernel(k, lines)
        status, message = compile_kernel(cutec, text)
        if status:
            if status != 1 or not any(w in message for w in ACCEPTABLE):
                sys.exit(f"{message}\n{text}")
            rejected += 1
            continue
        cases.append((k, expected(k, copied), text))
    found = run_all(cutec, cases)
    for (k, wanted, text), values in zip(cases, found):
        if values != wanted:
            i = next(i for i, (a, b) in enumerate(zip(values, wanted)) if a != b)
            sys.exit(f"number {i} is {values[i]}, not {wanted[i]}, of "
                     f"{size(k.view.shape)} elements of {text_of(k.view.shape)}:\n{text}"
                     f"shape {k.base_shape} strides {k.strides} parameters "
                     f"{k.parameters} values {k.values}")
    print(f"{len(found)} views, {rejected} rejected")


if __name__ == "__main__":
    main()
