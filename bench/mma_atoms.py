"""A kernel for each MMA atom of `cutec --list-hardware=json`, and what it computes.

One warp computes D = A * B + C with one call of the atom for each place of the
tiled MMA: A is MxK, B is NxK, C and D are MxN, all row-major. Elements are copied
one by one, or in whole bytes where they are smaller, so that every value of every
thread has its own place. What an atom takes beside these, the metadata of a sparse A
and scale factors, follows in the order of gemm. Some more kernels call gemm with other
ranks of operands.
"""
import math
import re

# Operands that an atom may take beside A, B and C.
EXTRAS = ["E", "SFA", "SFB"]


def size(layout_text):
    """Extents of the two modes of a TV layout, thread and value."""
    shape = eval(layout_text.split(":")[0])

    def product(x):
        return x if isinstance(x, int) else math.prod(map(product, x))
    return [product(mode) for mode in shape]


def symbol(name):
    """A name for the kernel and its file."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")


def atom_layout(atom):
    """Atoms along M, N, K that make a warp: one, or more for smaller ones."""
    shapes = {32: "(1,1,1):(0,0,0)", 8: "(2,2,1):(1,2,0)", 1: "(8,4,1):(1,8,0)"}
    return shapes[size(atom["CLayout"])[0]]


def extents(atom):
    m, n, k = eval(atom["shape_mnk"])
    tile = eval(atom_layout(atom).split(":")[0])
    return m * tile[0], n * tile[1], k


def copy_bits(atom, operand):
    """Whole elements, and of those below 8 bits what a register holds: 4-bit
    floats have a byte each there."""
    bits = atom[f"ValType{operand}_bits"]
    if bits >= 8:
        return bits
    if operand == "E":  # what a thread has of a row
        return bits * leaf(atom["ELayout"].split(":")[0])
    return 16 if atom[f"ValType{operand}"].startswith("f4") else 32


def leaf(shape_text):
    """The first extent of the second mode of a shape."""
    mode = eval(shape_text)[1]
    return mode if isinstance(mode, int) else mode[0]


def extras(atom):
    return [x for x in EXTRAS if f"{x}Layout" in atom]


def shapes(atom, m, n, k):
    """Rows and columns of all operands; columns along K are in proportion to B's."""
    def along_k(x):
        return k * eval(atom[f"{x}Tile"])[1] // eval(atom["BTile"])[1]
    found = {"A": (m, along_k("A")), "B": (n, k), "C": (m, n), "D": (m, n)}
    for x in extras(atom):
        found[x] = (n if x == "SFB" else m, along_k(x))
    return found


def function(name, atom, m, n, k, lines):
    """A kernel of one warp with a tiled MMA %mma and row-major %A to %D, and what
    the atom takes beside these."""
    args = []
    for x, (rows, columns) in shapes(atom, m, n, k).items():
        element = atom[f"ValType{x}"]
        args.append(f'%{x}: !cute.tensor<{element}, gmem, align<16>, '
                    f'"({rows},{columns}):({columns},1)">')
    body = "\n    ".join(lines)
    return f"""  gpu.func @{symbol(name)}({", ".join(args)}) kernel attributes {{
      known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]}} {{
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %a = cute.static : !cute.mma_atom<"{atom["name"]}">
    %l = cute.static : !cute.layout<"{atom_layout(atom)}">
    %mma = cute.make_tiled_mma(%a, %l)
    {body}
    gpu.return
  }}
"""


def kernel(atom):
    m, n, k = extents(atom)
    lines = []
    inputs = [*"ABC", *extras(atom)]
    for x in [*inputs, "D"]:
        part = (f'operand<"{x}"> ' if x in EXTRAS
                else x.lower() if x in "AB" else "c")
        side = "d" if x == "D" else "s"
        lines += [
            f"%p{x} = cute.partition_{part}(%mma, %{x}, %i)",
            f"%r{x} = cute.make_fragment_{part}(%mma, %p{x})",
            f"%move{x} = cute.static : !cute.copy_atom<"
            f'"UniversalCopy<uint{copy_bits(atom, x)}_t>", '
            f'{atom[f"ValType{x}"]}>',
            f"%copy{x} = cute.make_tiled_copy_{part}(%move{x}, %mma)",
            f"%g{x} = cute.partition_{side}(%copy{x}, %{x}, %i)",
            f"%t{x} = cute.retile(%copy{x}, %r{x})"]
    lines += [f"cute.copy(%copy{x}, %g{x}, %t{x})" for x in inputs]
    lines += [f"cute.gemm(%mma, %rD, {', '.join(f'%r{x}' for x in inputs)})",
              "cute.copy(%copyD, %tD, %gD)"]
    return function(atom["name"], atom, m, n, k, lines)


def place(atom):
    """The place of column k of the stored A in the whole one (PTX ISA,
    "Sparse matrix storage"), in the language of cute-run's references."""
    if "ELayout" not in atom:
        return "k"
    if atom["ValTypeE"] == "ui4":  # of tf32: 4 or 14 for one of two
        return "2*k+(E[m,k]-4)/10"
    if eval(atom["ETile"]) != eval(atom["ATile"]):  # two stand together
        return "8*floor(k/4)+2*E[m,floor(k/2)]+k-2*floor(k/2)"
    return "4*floor(k/2)+E[m,k]"


def product(atom):
    """The sum over k without blanks; arguments after D are E, F and G."""
    factors = ["A[m,k]", f"B[n,{place(atom)}]"]
    for x, letter in zip(extras(atom), "EFG"):
        if x != "E":
            each = eval(atom["BTile"])[1] // eval(atom[f"{x}Tile"])[1]
            row = "n" if x == "SFB" else "m"
            factors.append(f"{letter}[{row},floor(({place(atom)})/{each})]")
    return f"sum[k]({'*'.join(factors)})"


def gemm_in_registers(coordinate):
    """gemm of fragments without their mode of values, or with a coordinate for it."""
    lines = ['%copy = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", '
             'f32>']
    for x, part in zip("ABCD", "abcc"):
        at = "(0,_,_)" if x in "CD" else coordinate
        lines += [f"%p{x} = cute.partition_{part}(%mma, %{x}, %i)",
                  f"%r{x} = cute.make_fragment_{part}(%mma, %p{x})",
                  f'%at{x} = cute.static : !cute.coord<"{at}">',
                  f"%s{x} = cute.slice(%r{x}, %at{x})"]
        if x != "D":
            lines.append(f"cute.copy(%copy, %p{x}, %r{x})")
    return lines + ["cute.gemm(%mma, %sD, %sA, %sB, %sC)",
                    "cute.copy(%copy, %rD, %pD)"]


def gemm_in_shared_memory():
    """gemm of A and B in shared memory, with 2 x 2 x 2 calls; D is not C."""
    lines = ['%move = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", '
             'f16>',
             '%threads = cute.static : !cute.layout<"(4,8):(8,1)">',
             '%values = cute.static : !cute.layout<"(1,4):(0,1)">',
             "%tiled = cute.make_tiled_copy(%move, %threads, %values)"]
    for x, rows in (("A", 32), ("B", 16)):
        lines += [f'%l{x} = cute.static : !cute.layout<"({rows},32):(40,1)">',
                  f"%s{x} = cute.alloc_smem<f16, 16> (%l{x})",
                  f"%from{x} = cute.partition_s(%tiled, %{x}, %i)",
                  f"%to{x} = cute.partition_d(%tiled, %s{x}, %i)",
                  f"%f{x} = cute.make_fragment_like(%from{x})",
                  f"cute.copy(%tiled, %from{x}, %f{x})",
                  f"cute.copy(%tiled, %f{x}, %to{x})",
                  f"%p{x} = cute.partition_{x.lower()}(%mma, %s{x}, %i)"]
    lines += ["gpu.barrier",
              '%pair = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", '
              'f32>']
    for x in "CD":
        lines += [f"%p{x} = cute.partition_c(%mma, %{x}, %i)",
                  f"%r{x} = cute.make_fragment_c(%mma, %p{x})"]
    return lines + ["cute.copy(%pair, %pC, %rC)",
                    "cute.gemm(%mma, %rD, %pA, %pB, %rC)",
                    "cute.copy(%pair, %rD, %pD)"]


def forms(atoms):
    """Kernels with other ranks and spaces of gemm's operands: what is computed is
    the same. Yields the name, the atom, M, N, K and the lines."""
    found = {atom["name"]: atom for atom in atoms}
    fma = found["UniversalFMA<float,float,float,float>"]
    mma = found["SM80_16x8x16_F32F16F16F32_TN"]
    yield "(M)x(N)->(M,N)", fma, 24, 8, 1, gemm_in_registers("(0,_,0)")
    yield "(M,K)x(N,K)->(M,N)", fma, 16, 12, 5, gemm_in_registers("(0,_,_)")
    yield "smem:(V,M,K)x(V,N,K)->(V,M,N)", mma, 32, 16, 32, \
        gemm_in_shared_memory()


def kernels(atoms):
    """The name, the atom, M, N, K and the text of each kernel that compiles. Atoms of a
    warpgroup are not among them: wgmma_atoms has those."""
    atoms = [a for a in atoms if a["kind"] == "mma" and a["compiles"]
             and size(a["CLayout"])[0] <= 32]
    for atom in atoms:
        yield atom["name"], atom, *extents(atom), kernel(atom)
    for name, atom, m, n, k, lines in forms(atoms):
        yield name, atom, m, n, k, function(name, atom, m, n, k, lines)


def module(*texts):
    """A file with kernels."""
    return "gpu.module @atoms {\n" + "".join(texts) + "}\n"


#===-- What they compute, for cute-run ------------------------------------===#

def random(element, operand):
    """A generator of numbers of a type: all integers of up to 16 bits, and of 32 bits
    for C."""
    seed = {"A": 1, "B": 2}.get(operand, 3)
    if not re.match(r"u?i\d", element):
        return f"normal(@{seed})"
    bits = int(element.lstrip("ui"))
    is_wide = bits == 64 or (bits == 32 and operand in "AB")
    return f"{'integers' if is_wide else 'bits'}(@{seed})"


def wrapped(element, total):
    """What is left of a sum in a type; in 64 bits all of these sums have room."""
    if element == "i32":
        return f"wrap32({total})"
    if not re.match(r"u?i(8|16|32)$", element):
        return total
    count = 1 << int(element.lstrip("ui"))
    shift = "" if element.startswith("u") else f" + {count // 2}"
    return f"{total} - {count} * floor(({total}{shift}) / {count})"


def reference(atom):
    """D = A * B + C as a formula."""
    total = product(atom)
    if atom["instruction"].endswith(".xor.popc"):
        total = "sum[k](A[m,k] + B[n,k] - 2 * A[m,k] * B[n,k])"
    total = f"C[m,n] + {total}"
    if atom["ValTypeD"] == "i32" and ".satfinite" in atom["instruction"]:
        return f"D[m,n] = min(max({total}, -2147483648), 2147483647)"
    return f"D[m,n] = {wrapped(atom['ValTypeD'], total)}"


def tolerance(atom):
    """Sums of 8-bit floats have fewer bits inside the tensor cores than f32."""
    of_d = {"f64": "1e-14", "f16": "1e-3", "bf16": "8e-3"}
    if re.match(r"u?i\d", atom["ValTypeD"]):
        return "0"
    return of_d.get(atom["ValTypeD"],
                    "1e-3" if re.match("f[864]", atom["ValTypeA"]) else "2e-6")


def arguments(atom, m, n, k, of_c):
    """Those of cute-run, with C from a generator."""
    found = shapes(atom, m, n, k)
    generators = {x: random(atom[f"ValType{x}"], x) for x in "AB"}
    generators |= {"C": of_c, "D": "poison", "E": "places(@4)", "SFA": "scales(@5)",
                   "SFB": "scales(@6)"}
    return [f"{atom[f'ValType{x}']}[{rows}x{columns}]:{generators[x]}"
            for x, (rows, columns) in found.items()]


def rows(atoms):
    """(label, name, atom, text, options, arguments) of each run. Integers are also
    added to numbers near the largest, so that sums saturate or wrap around."""
    for name, atom, m, n, k, text in kernels(atoms):
        label = f"{name:<58} {atom['instruction']:<68}"
        options = [f"--tolerance={tolerance(atom)}", f"--check={reference(atom)}"]
        yield label, symbol(name), atom, text, options, arguments(
            atom, m, n, k, random(atom["ValTypeC"], "C"))
        if atom["ValTypeC"] == "i32":
            yield (f"{name + ' near 2^31':<58} {atom['instruction']:<68}", symbol(name),
                   atom, text, options, arguments(atom, m, n, k, "fill(2147483000)"))
