"""A kernel for each MMA atom of a warpgroup in `cutec --list-hardware=json`, in the layouts
of shared memory that it reads, and what it computes.

One warpgroup computes D = C + A * B with one call of the atom along M and N and some
along K. Global memory has A and B as the atom's major modes have them, so that plain
copies take vectors to shared memory; A in registers is K-major. A sparse A has half of
its elements there, and E says where they stand. Rows with integers are exact: every
product and sum of theirs is a number of each type.
"""
import math
import re

import mma_atoms

COLUMNS = 8, 16, 64, 96, 192, 256
LAYOUTS = "INTER", "SW32", "SW64", "SW128"
THREADS = 128


class Tile:
    """An operand in shared memory in one of the layouts, over `depth` of K."""

    def __init__(self, operand, element, bits, major, rows, depth, swizzle):
        self.operand, self.element, self.bits = operand, element, bits
        self.shape, self.is_k, self.swizzle = (rows, depth), major == "K", swizzle
        self.unit = 128 // bits
        self.row = self.unit << swizzle
        self.extent, self.others = (depth, rows) if self.is_k else (rows, depth)

    def pair(self, contiguous, other):
        """A text with two modes, one of them K's."""
        return f"({other},{contiguous})" if self.is_k else f"({contiguous},{other})"

    def layout(self):
        """The pattern that the tile repeats."""
        plain = f"{self.pair(self.row, 8)}:{self.pair(1, self.row)}"
        if not self.swizzle:
            return f'!cute.layout<"{plain}">'
        base = self.unit.bit_length() - 1
        return f'!cute.composed_layout<"S<{self.swizzle},{base},3> o 0 o {plain}">'

    def global_layout(self):
        return f"({self.shape[0]},{self.shape[1]}):{self.pair(1, self.extent)}"

    def threads(self):
        """Elements of the longest vectors that let threads share the tile evenly, and
        how many threads are along the contiguous mode and the other."""
        vector = self.unit
        while True:
            along = math.gcd(self.extent // vector, THREADS)
            if self.others % (THREADS // along) == 0:
                return vector, along, THREADS // along
            vector //= 2

    def copy(self):
        """Lines that copy %A or %B to %sA or %sB."""
        x = self.operand
        vector, along, across = self.threads()
        return f"""\
    %tile{x} = cute.static : {self.layout()}
    %shape{x} = cute.static : !cute.shape<"({self.shape[0]},{self.shape[1]})">
    %layout{x} = cute.tile_to_shape(%tile{x}, %shape{x})
    %s{x} = cute.alloc_smem<{self.element}, 1024> (%layout{x})
    %move{x} = cute.static : !cute.copy_atom<"UniversalCopy<uint{vector * self.bits}_t>", \
{self.element}>
    %threads{x} = cute.static : !cute.layout<"{self.pair(along, across)}:\
{self.pair(1, along)}">
    %values{x} = cute.static : !cute.layout<"{self.pair(vector, 1)}:{self.pair(1, 0)}">
    %copy{x} = cute.make_tiled_copy(%move{x}, %threads{x}, %values{x})
    %from{x} = cute.partition_s(%copy{x}, %{x}, %i)
    %to{x} = cute.partition_d(%copy{x}, %s{x}, %i)
    cute.copy(%copy{x}, %from{x}, %to{x})
    %p{x} = cute.partition_{x.lower()}(%mma, %s{x}, %i)
    %d{x} = cute.make_fragment_{x.lower()}(%mma, %p{x})
"""


#===-- Which ---------------------------------------------------------------===#

def places(atom):
    """Where A is, SS or RS, and the major modes of A and B."""
    name = atom["name"]
    majors = re.search(r"<(K|MN),(K|MN)>", name)
    return (re.search(r"_(SS|RS)", name)[1], *(majors.groups() if majors else "KK"))


def admits(atom, swizzle):
    """Whether the operands in shared memory are whole rows of the layout."""
    m, n, _ = eval(atom["shape_mnk"])
    _, *majors = places(atom)
    row = 128 // atom["ValTypeB_bits"] << swizzle
    return all(major == "K" or extent % row == 0
               for major, extent in zip(majors, (m, n)))


def layouts(atom):
    """All of them where the atom has 64 columns, else the widest one. Sums that saturate
    do so after each call, so there is only one; with a sparse A it fills no row of a layout that
    has a whole row of B."""
    if "satfinite" in atom["instruction"]:
        return [0 if is_sparse(atom) else 1]
    found = [s for s in range(4) if admits(atom, s) and holds(atom, s)]
    return found if eval(atom["shape_mnk"])[1] == 64 else found[-1:]


def holds(atom, swizzle):
    """Whether a row of a K-major layout with a swizzle has all that a call reads of it."""
    _, _, k = eval(atom["shape_mnk"])
    _, *majors = places(atom)
    row = 128 // atom["ValTypeB_bits"] << swizzle
    return not swizzle or majors[1] != "K" or k <= row


def depth_of(atom, swizzle):
    """How much of K: two rows of K-major layouts where there is room for them."""
    _, n, k = eval(atom["shape_mnk"])
    if "satfinite" in atom["instruction"]:
        return k
    row = 128 // atom["ValTypeB_bits"] << swizzle
    row *= k // eval(atom["ATile"])[1]  # whole rows of a sparse A, too
    return max(2 * k, row * (2 if n <= 96 else 1))


#===-- Kernels -------------------------------------------------------------===#

def tiles(atom, swizzle):
    m, n, _ = eval(atom["shape_mnk"])
    _, *majors = places(atom)
    return [Tile(x, atom[f"ValType{x}"], atom[f"ValType{x}_bits"], major, rows,
                 along_k(atom, x, swizzle), swizzle)
            for x, major, rows in zip("AB", majors, (m, n))]


def along_k(atom, operand, swizzle):
    """The operand's own elements along K; a sparse A and E have fewer."""
    return depth_of(atom, swizzle) * eval(atom[f"{operand}Tile"])[1] // eval(
        atom["BTile"])[1]


def is_sparse(atom):
    return "ELayout" in atom


def of_places(atom, swizzle):
    """E as a parameter of the kernel, and the lines that load it."""
    if not is_sparse(atom):
        return "", ""
    rows, depth = eval(atom["shape_mnk"])[0], along_k(atom, "E", swizzle)
    bits = mma_atoms.copy_bits(atom, "E")
    return (f', %E: !cute.tensor<{atom["ValTypeE"]}, gmem, align<16>, '
            f'"({rows},{depth}):({depth},1)">', f"""\
    %pE = cute.partition_operand<"E"> (%mma, %E, %i)
    %dE = cute.make_fragment_operand<"E"> (%mma, %pE)
    %moveE = cute.static : !cute.copy_atom<"UniversalCopy<uint{bits}_t>", \
{atom["ValTypeE"]}>
    %copyE = cute.make_tiled_copy_operand<"E"> (%moveE, %mma)
    %gE = cute.partition_s(%copyE, %E, %i)
    %tE = cute.retile(%copyE, %dE)
    cute.copy(%copyE, %gE, %tE)
""")


def kernel(name, atom, swizzle):
    m, n, _ = eval(atom["shape_mnk"])
    a, b = tiles(atom, swizzle)
    in_registers = places(atom)[0] == "RS"
    of_a = """\
    %pA = cute.partition_a(%mma, %A, %i)
    %dA = cute.make_fragment_a(%mma, %pA)
    cute.autovec_copy(%pA, %dA)
""" if in_registers else a.copy()
    places_e, load_e = of_places(atom, swizzle)
    sums = "".join(f', %{x}: !cute.tensor<{atom[f"ValType{x}"]}, gmem, align<16>, '
                   f'"({m},{n}):({n},1)">' for x in "CD") + places_e
    in_registers_too = ", %dA" * in_registers + ", %dE" * is_sparse(atom)
    return f"""  gpu.func @{mma_atoms.symbol(name)}(
      %A: !cute.tensor<{a.element}, gmem, align<16>, "{a.global_layout()}">,
      %B: !cute.tensor<{b.element}, gmem, align<16>, "{b.global_layout()}">{sums}) kernel
      attributes {{known_block_size = array<i32: {THREADS}, 1, 1>, cute.grid = ["1"]}} {{
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %atom = cute.static : !cute.mma_atom<"{atom["name"]}">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %pC = cute.partition_c(%mma, %C, %i)
    %pD = cute.partition_c(%mma, %D, %i)
    %r = cute.make_fragment_c(%mma, %pC)
    cute.autovec_copy(%pC, %r)
{of_a}{b.copy()}{load_e}\
    cute.fence_proxy<"async.shared">
    gpu.barrier
    cute.warpgroup_fence(%r{in_registers_too})
    cute.gemm(%mma, %r, %dA, %dB, %r{", %dE" * is_sparse(atom)})
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%r)
    cute.autovec_copy(%r, %pD)
    gpu.return
  }}
"""


def kernels(atoms):
    """The name, the atom, the layout and the text of each kernel."""
    for atom in atoms:
        if (atom["kind"] == "mma" and atom["compiles"]
                and mma_atoms.size(atom["CLayout"])[0] == THREADS
                and eval(atom["shape_mnk"])[1] in COLUMNS):
            for swizzle in layouts(atom):
                name = f"{atom['name']} {LAYOUTS[swizzle]}"
                yield name, atom, swizzle, kernel(name, atom, swizzle)


#===-- What they compute, for cute-run -------------------------------------===#

def tolerance(atom):
    """Floats are rounded, or cut off, after each call."""
    if atom["ValTypeD"] == "f16":
        return "4e-3"
    return "1e-5" if atom["ValTypeA_bits"] > 8 else mma_atoms.tolerance(atom)


def arguments(atom, swizzle, of_inputs, of_c):
    """Those of cute-run, with inputs and C from generators."""
    m, n, _ = eval(atom["shape_mnk"])
    of_ab = [f"{t.element}[{t.global_layout()}]:{of_x}"
             for t, of_x in zip(tiles(atom, swizzle), of_inputs)]
    of_e = ([f"{atom['ValTypeE']}[{m}x{along_k(atom, 'E', swizzle)}]:places(@4)"]
            if is_sparse(atom) else [])
    return [*of_ab, f"{atom['ValTypeC']}[{m}x{n}]:{of_c}",
            f"{atom['ValTypeD']}[{m}x{n}]:poison", *of_e]


def rows(atoms):
    """(label, name, atom, text, options, arguments) of each run, as of mma_atoms: with
    integers, and with any numbers where an atom has 64 columns."""
    for name, atom, swizzle, text in kernels(atoms):
        check = f"--check={mma_atoms.reference(atom)}"

        def row(suffix, most, of_inputs, of_c):
            return (f"{name + suffix:<58} {atom['instruction']:<68}",
                    mma_atoms.symbol(name), atom, text,
                    [f"--tolerance={most}", check],
                    arguments(atom, swizzle, of_inputs, of_c))

        yield row("", "0", ("integers(@1)", "integers(@2)"), "integers(@3)")
        if eval(atom["shape_mnk"])[1] == 64:
            yield row(" any", tolerance(atom),
                      [mma_atoms.random(atom[f"ValType{x}"], x) for x in "AB"],
                      mma_atoms.random(atom["ValTypeC"], "C"))
            if "satfinite" in atom["instruction"]:
                yield row(" near 2^31", "0", ("bits(@1)", "bits(@2)"),
                          "fill(2147483000)")
