"""Kernels for the atoms of TMA and of bulk copies in `cutec --list-hardware=json`, and what
they compute: element types, swizzles and ranks, loads with their zeros outside of a
tensor, stores, every reduction on what it takes, two blocks that load for both, and
copies between the shared memory of two blocks.

A block moves a tile. Its threads copy what TMA loads to B, or fill what TMA stores, one
by one, by the layout with the swizzle: the numbers are at their places only if both
agree. Results equal the formulas' in every bit.
"""
import math
import re

import mma_atoms

THREADS = 32
BITS = {"i8": 8, "f8E4M3FN": 8, "f16": 16, "bf16": 16, "i16": 16, "f32": 32, "i32": 32,
        "ui32": 32, "f64": 64, "i64": 64, "ui64": 64}
TILES = {1: (), 2: (16,), 3: (2, 8), 4: (2, 2, 4), 5: (2, 1, 2, 4)}  # without the rows
INDICES = "ijklm"
# The contents of B before, and those after B = op(B, A), where X is A.
REDUCTIONS = {"add": ("fill(1)", "1 + X"), "min": ("fill(1)", "min(1, X)"),
              "max": ("fill(1)", "max(1, X)"), "inc": ("fill(3)", "4 * max(0, min(1, X - 3))"),
              "dec": ("fill(3)", "min(2, X)"), "and": ("fill(255)", "X - 256 * floor(X / 256)"),
              "or": ("fill(255)", "255 + X - (X - 256 * floor(X / 256))"),
              "xor": ("fill(255)", "255 + X - 2 * (X - 256 * floor(X / 256))")}
TAKES = {"add": "i32 ui32 i64 ui64 f16 bf16 f32", "min": "i32 ui32 i64 ui64 f16 bf16",
         "max": "i32 ui32 i64 ui64 f16 bf16", "inc": "ui32", "dec": "ui32",
         "and": "i32 ui32 i64 ui64", "or": "i32 ui32", "xor": "ui32 ui64"}
BETWEEN_BLOCKS = {"add": "i32 ui32 i64 ui64", "min": "i32 ui32", "max": "i32 ui32",
                  "inc": "ui32", "dec": "ui32", "and": "i32 ui32", "or": "ui32",
                  "xor": "i32"}


class Case:
    """A tensor with rows of one tile and a half, and the tile; the last mode is
    contiguous."""

    def __init__(self, atom, element, rank, swizzle, whole_rows):
        self.atom, self.element, self.rank, self.swizzle = atom, element, rank, swizzle
        unit = 128 // BITS[element]  # elements of 16 bytes
        row = unit << swizzle if swizzle else 4 * unit
        self.tile = (*TILES[rank], row)
        rest = row // 2 if whole_rows else row // 2 - 1
        self.extents = tuple(t + t // 2 for t in self.tile[:-1]) + (
            row + (max(unit, rest) if whole_rows else rest),)
        self.unit = unit

    def name(self):
        swizzles = ("none", "32B", "64B", "128B")
        return f"{self.atom['name']} {self.element} {self.rank}d {swizzles[self.swizzle]}"

    def bytes(self):
        return math.prod(self.tile) * BITS[self.element] // 8

    def tiles(self):
        return [-(-e // t) for e, t in zip(self.extents, self.tile)]

    def layout(self):
        """Of a tile in shared memory."""
        plain = f"{tuple_of(self.tile)}:{tuple_of(compact(self.tile))}"
        if not self.swizzle:
            return f'!cute.layout<"{plain}">'
        base = self.unit.bit_length() - 1
        return f'!cute.composed_layout<"S<{self.swizzle},{base},3> o 0 o {plain}">'

    def tensor(self, divisor):
        strides = [f"?{{i64 div={divisor}}}"] * (self.rank - 1) + ["1"]
        return (f'!cute.tensor<{self.element}, gmem, align<16>, '
                f'"{tuple_of(["?"] * self.rank)}:{tuple_of(strides)}">')

    def argument(self, extents, generator, pitched=True):
        """One of cute-run; rows have room for up to two units more than they need."""
        unit = self.unit if pitched else 1
        row = -(-extents[-1] // unit) * unit + (unit if pitched else 0)
        strides = compact((*extents[:-1], row))
        return f"{self.element}[{tuple_of(extents)}:{tuple_of(strides)}]:{generator}"


def tuple_of(values):
    return f"({','.join(map(str, values))})"


def compact(extents):
    return [math.prod(extents[i + 1:]) for i in range(len(extents))]


def generator(element, seed=1):
    if element[0] in "fb":
        return f"normal(@{seed})"
    return f"{'integers' if '64' in element or '32' in element else 'bits'}(@{seed})"


#===-- Parts of kernels -----------------------------------------------------===#

def coordinate(case):
    """Lines that make %at, the tile of this block."""
    lines, modes = [], []
    for i, (count, after) in enumerate(zip(case.tiles(), compact(case.tiles()))):
        lines += [f"%after{i} = arith.constant {after} : i32",
                  f"%count{i} = arith.constant {count} : i32",
                  f"%whole{i} = arith.divui %block, %after{i} : i32",
                  f"%at{i} = arith.remui %whole{i}, %count{i} : i32"]
        modes.append(f"%at{i}")
    types = ", ".join(["i32"] * case.rank)
    marks = tuple_of(["?"] * case.rank)
    return lines + [f'%at = cute.make_coord({", ".join(modes)}) : ({types}) -> '
                    f'!cute.coord<"{marks}">']


def by_threads(case, tensor, source, destination):
    """Lines by which threads copy the elements that exist in a tensor between its tile
    %g and the tile %s in shared memory."""
    along = min(THREADS, case.tile[-1])
    threads = (f"{tuple_of([1] * (case.rank - 1) + [along])}:"
               f"{tuple_of([0] * (case.rank - 1) + [1])}")
    return [f"%shape = cute.get_shape(%{tensor})",
            "%all = cute.make_identity_tensor(%shape)",
            "%c = cute.local_tile(%all, %tile, %at)",
            f"%g = cute.local_tile(%{tensor}, %tile, %at)",
            f'%threads = cute.static : !cute.layout<"{threads}">',
            f"%along = arith.constant {along} : i32",
            "%works = arith.cmpi ult, %i, %along : i32",
            "scf.if %works {",
            *(f"  %{x}_part = cute.local_partition(%{x}, %threads, %i)" for x in "cgs"),
            "  %exists = cute.make_predicate(%c_part, %shape)",
            f"  cute.basic_copy_if(%exists, %{source}_part, %{destination}_part)",
            "}"]


def tile_lines(case):
    return [f'%tile = cute.static : !cute.shape<"{tuple_of(case.tile)}">',
            f"%l = cute.static : {case.layout()}",
            f"%s = cute.alloc_smem<{case.element}, 1024> (%l)",
            '%one = cute.static : !cute.layout<"1:1">',
            "%bars = cute.alloc_smem<i64, 8> (%one)", "%bar = cute.get_iter(%bars)"]


def expects(case, arrivals=1):
    """Lines of one thread that make the barrier and say what comes."""
    return [f'%arrivals = cute.static : !cute.int_tuple<"{arrivals}">',
            f'%bytes = cute.static : !cute.int_tuple<"{case.bytes()}">',
            "cute.mbarrier_init(%bar, %arrivals)", "cute.fence_mbarrier_init",
            "cute.fence_proxy<\"async.shared\">",
            "cute.mbarrier_arrive_expect_tx(%bar, %bytes)"]


def indented(lines):
    return ["scf.if %is_first {", *("  " + line for line in lines), "}"]


def function(case, name, parameters, lines, cluster=1):
    attributes = (f"known_cluster_size = array<i32: {cluster}, 1, 1>, " if cluster > 1
                  else "")
    inside = "\n    ".join(lines)
    grid = math.prod(case.tiles()) * cluster
    return f"""  gpu.func @{mma_atoms.symbol(name)}({parameters}) kernel attributes {{
      known_block_size = array<i32: {THREADS}, 1, 1>, {attributes}cute.grid = ["{grid}"]}} {{
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %c0 = arith.constant 0 : i32
    %is_first = arith.cmpi eq, %i, %c0 : i32
    {inside}
    gpu.return
  }}
"""


def block_lines(cluster=1):
    which = "block" if cluster == 1 else "cluster"
    return [f"%index = gpu.{which}_id x", "%block = arith.index_cast %index : index to i32"]


def by_tma(case, tensor, mask=False):
    """Lines that make the atom and partition a tile of its coordinates and %s."""
    more = (["%two = cute.static : !cute.int_tuple<\"2\">"] if mask else [])
    ctas, rank = (", %two", ", %rank") if mask else ("", "")
    modes = f"<0, {case.rank}> " if case.rank > 1 else "<0, 1> "
    return [*more, f'%tma, %m = cute.make_tma_atom<"{case.atom["name"]}"> '
            f"(%{tensor}, %l, %tile{ctas})",
            "%m_tile = cute.local_tile(%m, %tile, %at)",
            f"%m_flat = cute.group_modes{modes}(%m_tile)",
            f"%s_flat = cute.group_modes{modes}(%s)",
            f"%s_tma, %m_tma = cute.tma_partition(%tma, %s_flat, %m_flat{rank})"]


#===-- Kernels --------------------------------------------------------------===#

def load(case):
    lines = [*block_lines(), *coordinate(case), *tile_lines(case), *by_tma(case, "A"),
             *indented([*expects(case), "%load = cute.with_barrier(%tma, %bar)",
                        "cute.copy(%load, %m_tma, %s_tma)"]),
             "gpu.barrier", "cute.mbarrier_wait(%bar, %c0)", *by_threads(case, "B", "s", "g")]
    return function(case, case.name(),
                    f"%A: {case.tensor(case.unit)}, %B: {case.tensor(1)}", lines)


def multicast(case):
    """Both blocks of a cluster load half of the tile each and store all of it, to a part
    of their own of the first mode of B."""
    lines = [*block_lines(2), *coordinate(case), *tile_lines(case),
             "%rank = cute.block_rank_in_cluster", *by_tma(case, "A", True),
             *indented(expects(case)), "cute.cluster_arrive<{relaxed}>", "cute.cluster_wait",
             *indented(["%both = arith.constant 3 : i16",
                        "%load = cute.with_barrier(%tma, %bar, %both)",
                        "cute.copy(%load, %m_tma, %s_tma)"]),
             "gpu.barrier", "cute.mbarrier_wait(%bar, %c0)",
             "%is_0 = arith.cmpi eq, %rank, %c0 : i32", "scf.if %is_0 {",
             *by_threads(case, "B", "s", "g"), "} else {",
             *by_threads(case, "D", "s", "g"), "}",
             "cute.cluster_arrive", "cute.cluster_wait"]
    of_b = case.tensor(1)
    return function(case, case.name(), f"%A: {case.tensor(case.unit)}, %B: {of_b}, %D: {of_b}",
                    lines, 2)


def store(case):
    lines = [*block_lines(), *coordinate(case), *tile_lines(case), *by_tma(case, "B"),
             *by_threads(case, "A", "g", "s"), 'cute.fence_proxy<"async.shared">',
             "gpu.barrier", *indented(["cute.copy(%tma, %s_tma, %m_tma)",
                                       "cute.cp_async_bulk_commit",
                                       "cute.cp_async_bulk_wait<0>"])]
    return function(case, case.name(),
                    f"%A: {case.tensor(1)}, %B: {case.tensor(case.unit)}", lines)


def bulk_load(case):
    lines = [*block_lines(), *coordinate(case), *tile_lines(case),
             f'%a = cute.static : !cute.copy_atom<"{case.atom["name"]}", {case.element}>',
             "%gA = cute.local_tile(%A, %tile, %at)",
             *indented([*expects(case), "%load = cute.with_barrier(%a, %bar)",
                        "cute.copy(%load, %gA, %s)"]),
             "gpu.barrier", "cute.mbarrier_wait(%bar, %c0)", *by_threads(case, "B", "s", "g")]
    return function(case, case.name(),
                    f"%A: {case.tensor(case.unit)}, %B: {case.tensor(1)}", lines)


def bulk_store(case):
    lines = [*block_lines(), *coordinate(case), *tile_lines(case),
             f'%a = cute.static : !cute.copy_atom<"{case.atom["name"]}", {case.element}>',
             "%gB = cute.local_tile(%B, %tile, %at)", *by_threads(case, "A", "g", "s"),
             'cute.fence_proxy<"async.shared">', "gpu.barrier",
             *indented(["cute.copy(%a, %s, %gB)", "cute.cp_async_bulk_commit",
                        "cute.cp_async_bulk_wait<0>"])]
    return function(case, case.name(),
                    f"%A: {case.tensor(1)}, %B: {case.tensor(case.unit)}", lines)


def bulk_send(case):
    """Block 0 reads A and sends it to block 1, which stores what it has to B; a reduction
    finds D there."""
    first, second = by_threads(case, "A", "g", "s"), by_threads(case, "B", "s", "g")
    lines = [*block_lines(2), *coordinate(case), *tile_lines(case),
             "%rank = cute.block_rank_in_cluster", "%c1 = arith.constant 1 : i32",
             "%is_0 = arith.cmpi eq, %rank, %c0 : i32",
             "%is_1 = arith.cmpi eq, %rank, %c1 : i32",
             *indented([*expects(case)[:-1], "scf.if %is_1 {", expects(case)[-1], "}"]),
             "scf.if %is_0 {", *first, "} else {", *by_threads(case, "D", "g", "s"), "}",
             'cute.fence_proxy<"async.shared">', "cute.cluster_arrive", "cute.cluster_wait",
             f'%a = cute.static : !cute.copy_atom<"{case.atom["name"]}", {case.element}>',
             "%there = cute.mapa(%s, %c1)", "%bar_there = cute.mapa(%bar, %c1)",
             "%send = cute.with_barrier(%a, %bar_there)",
             "scf.if %is_0 {", *indented(["cute.copy(%send, %s, %there)"]), "} else {",
             "cute.mbarrier_wait(%bar, %c0)", *second, "}",
             "cute.cluster_arrive", "cute.cluster_wait"]
    return function(case, case.name(), ", ".join(
        f"%{x}: {case.tensor(1)}" for x in "ABD"), lines, 2)


#===-- Images ---------------------------------------------------------------===#

CHANNELS = PIXELS = 64
IMAGES = (2, 7, 9, CHANNELS)  # N, H, W, C
# Filter, step, padding before and after, dilation, of H and W.
FILTERS = {"3x3": ((3, 3), (2, 1), (1, 1), (1, 2), (1, 2)),
           "1x1": ((1, 1), (1, 1), (0, 0), (0, 0), (1, 1))}


def places(filter_name):
    """How often the filter fits along H and W."""
    return [(extent + lower + upper - dilation * (size - 1) - 1) // step + 1
            for extent, size, step, lower, upper, dilation in zip(
                IMAGES[1:3], *FILTERS[filter_name])]


def images(atom, element, filter_name, swizzle):
    """The matrix of a convolution: a block has 64 of its rows under one place of the
    filter. A store writes rows back to images."""
    name = f"{atom['name']} {element} {filter_name} {'128B' if swizzle else 'none'}"
    unit = 128 // BITS[element]
    row = CHANNELS // (2 if element == "f32" and swizzle else 1)
    plain = f"({PIXELS},{row}):({row},1)"
    layout = (f'!cute.composed_layout<"S<3,{unit.bit_length() - 1},3> o 0 o {plain}">'
              if swizzle else f'!cute.layout<"{plain}">')
    divisor = f"?{{i64 div={unit}}}"
    of_images = (f'!cute.tensor<{element}, gmem, align<16>, '
                 f'"(?,?,?,?):({divisor},{divisor},{divisor},1)">')
    of_matrix = f'!cute.tensor<{element}, gmem, align<16>, "(?,?):(?{{i64}},1)">'
    is_load = atom["class"] == "TMA_LOAD"
    taps = math.prod(FILTERS[filter_name][0])
    case = type("Shape", (), {"tiles": lambda self: [
        -(-IMAGES[0] * math.prod(places(filter_name)) // PIXELS), taps * CHANNELS // row],
        "rank": 2, "tile": (PIXELS, row), "element": element,
        "bytes": lambda self: PIXELS * row * BITS[element] // 8})()
    numbers = [f'%{what} = cute.static : !cute.int_tuple<"{tuple_of(values)}">'
               for what, values in zip(("filter", "step", "lower", "upper", "dilation"),
                                       FILTERS[filter_name])]
    columns = FILTERS[filter_name][0][1]
    lines = [*block_lines(), *coordinate(case),
             f'%tile = cute.static : !cute.shape<"({PIXELS},{row})">',
             f"%l = cute.static : {layout}", f"%s = cute.alloc_smem<{element}, 1024> (%l)",
             '%one = cute.static : !cute.layout<"1:1">',
             "%bars = cute.alloc_smem<i64, 8> (%one)", "%bar = cute.get_iter(%bars)",
             *numbers, f'%tma, %m = cute.make_im2col_tma_atom<"{atom["name"]}"> (%{"A" if is_load else "B"}, %l, '
             "%filter, %step, %lower, %upper, %dilation)",
             f"%pixels = arith.constant {PIXELS} : i32", "%first = arith.muli %at0, %pixels : i32",
             f"%parts = arith.constant {CHANNELS // row} : i32",
             f"%row = arith.constant {row} : i32", f"%columns = arith.constant {columns} : i32",
             "%tap = arith.divui %at1, %parts : i32", "%part = arith.remui %at1, %parts : i32",
             "%channel = arith.muli %part, %row : i32",
             "%s_tap = arith.remui %tap, %columns : i32",
             "%r_tap = arith.divui %tap, %columns : i32",
             "%place = cute.make_coord(%first, %channel, %s_tap, %r_tap) : "
             '(i32, i32, i32, i32) -> !cute.coord<"(?,(?,(?,?)))">',
             "%from = cute.domain_offset(%place, %m)",
             "%s_flat = cute.group_modes<0, 2> (%s)",
             "%s_tma, %m_tma = cute.tma_partition(%tma, %s_flat, %from)"]
    if is_load:
        lines += [*indented([*expects(case), "%load = cute.with_barrier(%tma, %bar)",
                             "cute.copy(%load, %m_tma, %s_tma)"]), "gpu.barrier",
                  "cute.mbarrier_wait(%bar, %c0)", *by_threads(case, "B", "s", "g")]
    else:
        lines += [*by_threads(case, "A", "g", "s"), 'cute.fence_proxy<"async.shared">',
                  "gpu.barrier", *indented(["cute.copy(%tma, %s_tma, %m_tma)",
                                            "cute.cp_async_bulk_commit",
                                            "cute.cp_async_bulk_wait<0>"])]
    types = (of_images, of_matrix) if is_load else (of_matrix, of_images)
    return name, function(case, name, f"%A: {types[0]}, %B: {types[1]}", lines)


def image_forms(atom):
    """(element, filter, swizzle): a store takes no place in the filter."""
    for element, swizzle in (("f16", 3), ("f16", 0), ("f32", 3)):
        yield from ((element, name, swizzle) for name in FILTERS
                    if atom["class"] == "TMA_LOAD" or name == "1x1")


def image_rows(atom):
    """As rows: the matrix has zeros where the filter is over padding."""
    n, h, w, c = IMAGES
    for element, filter_name, swizzle in image_forms(atom):
        name, text = images(atom, element, filter_name, swizzle)
        size, step, lower, _, dilation = FILTERS[filter_name]
        high, wide = places(filter_name)
        image = f"floor(i/{high * wide})"
        tap = f"floor(j/{c})"
        y = (f"(floor(i/{wide})-{high}*{image})*{step[0]}-{lower[0]}+"
             f"{dilation[0]}*floor({tap}/{size[1]})")
        x = (f"(i-{wide}*floor(i/{wide}))*{step[1]}-{lower[1]}+"
             f"{dilation[1]}*({tap}-{size[1]}*floor({tap}/{size[1]}))")
        inside = "*".join(f"max(0,min(1,1+{v}))*max(0,min(1,{e}-({v})))"
                          for v, e in ((y, h), (x, w)))
        at = ",".join([image, f"max(0,min({y},{h - 1}))", f"max(0,min({x},{w - 1}))",
                       f"j-{c}*{tap}"])
        row = c + 128 // BITS[element]
        of_images = f"{element}[{tuple_of(IMAGES)}:{tuple_of(compact((n, h, w, row)))}]"
        matrix = f"{element}[{n * high * wide}x{math.prod(size) * c}]"
        is_load = atom["class"] == "TMA_LOAD"
        check_of = (f"B[i,j] = A[{at}]*{inside}" if is_load
                    else f"B[i,j,k,l] = A[{h * w}*i+{w}*j+k,l]")
        shapes = (of_images, matrix) if is_load else (matrix, of_images)
        yield (f"{name:<58} {atom['instruction']:<68}", mma_atoms.symbol(name), atom, text,
               ["--tolerance=0", f"--check={check_of}"],
               [f"{shapes[0]}:{generator(element)}", f"{shapes[1]}:poison"])


ROUNDING = {"f16": "1e-3", "bf16": "1e-2", "f32": "1e-6", "f64": "1e-14"}  # of a sum


#===-- Which ----------------------------------------------------------------===#

def reduction_of(atom):
    """"add" and so on; None for copies."""
    found = re.search("_REDUCE_([A-Z]+)", atom["name"])
    return found and found[1].lower()


def kinds(atom):
    """(kernel, whether rows are whole units) for the atom."""
    return {"TMA_LOAD": (multicast if "MULTICAST" in atom["name"] else load, False),
            "TMA_STORE": (store, True), "BULK_LOAD": (bulk_load, True),
            "BULK_STORE": (bulk_store, True), "BULK_SEND": (bulk_send, True)}[atom["class"]]


def forms(atom):
    """(element, rank, swizzle) of the atom's rows."""
    reduction = reduction_of(atom)
    if reduction:
        between = atom["class"] == "BULK_SEND"
        for element in (BETWEEN_BLOCKS if between else TAKES)[reduction].split():
            yield element, 2, 0 if atom["class"].startswith("BULK") else 3
    elif atom["class"].startswith("BULK"):
        yield from (("f16", 2, 0), ("f32", 3, 0), ("i8", 1, 0))
    elif "MULTICAST" in atom["name"]:
        yield from (("f16", 2, 3), ("f16", 3, 2), ("f32", 2, 0), ("i8", 2, 1))
    else:
        yield from ((element, 2, swizzle) for element in BITS if element[:2] != "ui"
                    for swizzle in range(4))
        yield from ((element, rank, swizzle) for element in ("f16", "i8", "f32")
                    for rank in (1, 3, 4, 5) for swizzle in (0, 3) if rank > 1 or not swizzle)


def is_of_images(atom):
    return "IM2COL" in atom["name"]


def image_atoms(atoms):
    """The one of multicast is as that without, beside SM90_TMA_LOAD_MULTICAST; test/Python/im2col.py
    compiles the atoms for pairs of blocks."""
    return [a for a in atoms if a["kind"] == "copy" and is_of_images(a)
            and "MULTICAST" not in a["name"] and "_2SM_" not in a["name"]]


def cases(atoms):
    """The kernel's function and the case of each row."""
    for atom in atoms:
        if atom["kind"] == "copy" and atom.get("class", "").split("_")[0] in ("TMA", "BULK"):
            if atom["name"] == "SM90_BULK_COPY_G2S_MULTICAST" or is_of_images(atom):
                continue  # as that without, beside SM90_TMA_LOAD_MULTICAST
            if "X16_P" in atom["name"]:
                continue  # of 4 and 6 bits: test/Python/primitives_of_tensor_memory.py
            if atom["name"].endswith(("GATHER4", "SCATTER4")):
                continue  # of rows by their numbers: test/SimulatedDevice/tma_rows.test
            if "_2SM_" in atom["name"]:
                continue  # of pairs of blocks: test/SimulatedDevice/pair.test
            kernel, whole_rows = kinds(atom)
            if kernel is multicast:  # ptxas has an advisory for sm_90
                atom = {**atom, "arch": "sm_90a"}
            for element, rank, swizzle in forms(atom):
                yield kernel, Case(atom, element, rank, swizzle, whole_rows)


def kernels(atoms):
    """The name, the atom and the text of each kernel."""
    for kernel, case in cases(atoms):
        yield case.name(), case.atom, kernel(case)
    for atom in image_atoms(atoms):
        for form in image_forms(atom):
            name, text = images(atom, *form)
            yield name, atom, text


#===-- What they compute, for cute-run ----------------------------------------===#

def clamped(case):
    """A where it exists, and 0 outside."""
    indices = INDICES[:case.rank]
    inside = ",".join(f"min({i},{e - 1})" for i, e in zip(indices, case.extents))
    return f"A[{inside}]" + "".join(f" * max(0, min(1, {e} - {i}))"
                                    for i, e in zip(indices, case.extents))


def arguments(kernel, case):
    whole = tuple(n * t for n, t in zip(case.tiles(), case.tile))
    of_a = case.argument(case.extents, generator(case.element))
    if kernel in (load, multicast):
        of_b = case.argument(whole, "poison", False)
        return [of_a, *[of_b] * (2 if kernel is multicast else 1)]
    before = REDUCTIONS.get(reduction_of(case.atom), ("poison",))[0]
    if kernel in (bulk_load, bulk_store, bulk_send): # whole tiles
        of_a = case.argument(whole, generator(case.element))
        found = [of_a, case.argument(whole, "poison" if kernel is bulk_send else before)]
        return found + [case.argument(whole, before)] * (kernel is bulk_send)
    return [of_a, case.argument(case.extents, before)]


def check(kernel, case):
    at = f"[{','.join(INDICES[:case.rank])}]"
    if kernel is load:
        return [f"--check=B{at} = {clamped(case)}"]
    if kernel is multicast:
        return [f"--check={x}{at} = {clamped(case)}" for x in "BC"]
    reduction = reduction_of(case.atom)
    value = REDUCTIONS[reduction][1].replace("X", f"A{at}") if reduction else f"A{at}"
    return [f"--check=B{at} = {value}"]


def rows(atoms):
    """(label, name, atom, text, options, arguments) of each run, as of mma_atoms."""
    for kernel, case in cases(atoms):
        tolerance = "0"
        if reduction_of(case.atom) == "add":
            tolerance = ROUNDING.get(case.element, "0")
        label = f"{case.name():<58} {case.atom['instruction']:<68}"
        yield (label, mma_atoms.symbol(case.name()), case.atom, kernel(case),
               [f"--tolerance={tolerance}", *check(kernel, case)], arguments(kernel, case))
    for atom in image_atoms(atoms):
        yield from image_rows(atom)
