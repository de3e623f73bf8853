"""Writes a kernel for each MMA atom of `cutec --list-atoms=json`.

One warp computes D = A * B + C with one call of the atom for each place of the
tiled MMA: A is MxK, B is NxK, C and D are MxN, all row-major. Elements are copied
one by one, or in whole bytes where they are smaller, so that every value of every
thread has its own place. What an atom takes beside these, the metadata of a sparse A
and scale factors, follows in the order of gemm. Some more kernels call gemm with other
ranks of operands.

  atoms.py write DIRECTORY < LIST            NAME.mlir of all that compile, and
                                             atoms.txt: a line of each, for bench/atoms.sh
  atoms.py check CUTEC DIRECTORY [PTXAS]     compiles all of them, and looks for
                                             the instruction; ptxas must accept
"""
import json
import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# The lowest architecture of CUDA 13's ptxas.
LOWEST_OF_PTXAS = 75

# What an atom may take beside A, B and C.
EXTRAS = ["E", "SFA", "SFB"]


def size(layout_text):
    """Extents of the two modes of a TV layout, thread and value."""
    shape = eval(layout_text.split(":")[0])

    def product(x):
        return x if isinstance(x, int) else math.prod(map(product, x))
    return [product(mode) for mode in shape]


def file_name(name):
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


def function(atom, m, n, k, lines):
    """A kernel of one warp with a tiled MMA %mma and row-major %A to %D, and what
    the atom takes beside these."""
    args = []
    for x, (rows, columns) in shapes(atom, m, n, k).items():
        element = atom[f"ValType{x}"]
        args.append(f'%{x}: !cute.tensor<{element}, gmem, align<16>, '
                    f'"({rows},{columns}):({columns},1)">')
    body = "\n    ".join(lines)
    return f"""// {atom["name"]}: {atom["instruction"]}
gpu.module @atoms {{
  gpu.func @atom({", ".join(args)}) kernel attributes {{
      known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]}} {{
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %a = cute.static : !cute.mma_atom<"{atom["name"]}">
    %l = cute.static : !cute.layout<"{atom_layout(atom)}">
    %mma = cute.make_tiled_mma(%a, %l)
    {body}
    gpu.return
  }}
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
    return function(atom, m, n, k, lines)


def place(atom):
    """Where column k of the A that is stored stands in the whole one (PTX ISA,
    "Sparse matrix storage"), in the language of cute-run's references."""
    if "ELayout" not in atom:
        return "k"
    if atom["ValTypeE"] == "ui4":  # of tf32: 4 or 14 for one of two
        return "2*k+(E[m,k]-4)/10"
    if eval(atom["ETile"]) != eval(atom["ATile"]):  # two stand together
        return "8*floor(k/4)+2*E[m,floor(k/2)]+k-2*floor(k/2)"
    return "4*floor(k/2)+E[m,k]"


def product(atom):
    """The sum over k without blanks; arguments behind D are E, F and G."""
    factors = ["A[m,k]", f"B[n,{place(atom)}]"]
    for x, letter in zip(extras(atom), "EFG"):
        if x != "E":
            each = eval(atom["BTile"])[1] // eval(atom[f"{x}Tile"])[1]
            row = "n" if x == "SFB" else "m"
            factors.append(f"{letter}[{row},floor(({place(atom)})/{each})]")
    return f"sum[k]({'*'.join(factors)})"


def extra_arguments(atom, m, n, k):
    """The product, and TYPE[SHAPE]:GENERATOR of each; nothing for most atoms."""
    if not extras(atom):
        return []
    found = shapes(atom, m, n, k)
    return [product(atom)] + [
        f"{atom[f'ValType{x}']}[{found[x][0]}x{found[x][1]}]:"
        + ("places" if x == "E" else "scales") for x in extras(atom)]


def gemm_in_registers(coordinate):
    """gemm of fragments without their mode of values, but for a coordinate."""
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
    """The name, the atom, M, N, K and the text of each kernel."""
    for atom in atoms:
        yield atom["name"], atom, *extents(atom), kernel(atom)
    for name, atom, m, n, k, lines in forms(atoms):
        yield name, atom, m, n, k, function(atom, m, n, k, lines)


def read_atoms(lines):
    atoms = [json.loads(line) for line in lines]
    return [a for a in atoms if a["kind"] == "mma" and a["compiles"]]


def write(atoms, directory):
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "atoms.txt"), "w") as table:
        for name, atom, m, n, k, text in kernels(atoms):
            path = os.path.join(directory, file_name(name) + ".mlir")
            with open(path, "w") as file:
                file.write(text)
            print(name, file_name(name), atom["arch"], m, n, k,
                  *(atom[f"ValType{x}"] for x in "ABCD"), atom["instruction"],
                  shapes(atom, m, n, k)["A"][1], *extra_arguments(atom, m, n, k),
                  file=table)


def arch_for_ptxas(arch):
    number = int(re.match(r"sm_(\d+)", arch)[1])
    return arch if number >= LOWEST_OF_PTXAS else f"sm_{LOWEST_OF_PTXAS}"


def check_one(cutec, ptxas, directory, name, atom):
    """What is wrong with the code of a kernel, or nothing."""
    path = os.path.join(directory, file_name(name))
    arch = atom["arch"]

    def compile_for(target):
        return subprocess.run(
            [cutec, path + ".mlir", f"--arch={target}", "--no-manifest",
             "-o", f"{path}.{target}.ptx"],
            capture_output=True, text=True)
    result = compile_for(arch)
    if result.returncode:
        return result.stderr
    with open(f"{path}.{arch}.ptx") as file:
        text = file.read()
    pattern = atom.get("instruction_pattern", re.escape(atom["instruction"]))
    if not re.search(r"^\s*" + pattern + r"\s", text, re.M):
        return "no " + pattern
    if ".local" in text:
        return "registers became local memory"
    if not ptxas:
        return ""
    target = arch_for_ptxas(arch)
    if target != arch and compile_for(target).returncode:
        return f"does not compile for {target}"
    result = subprocess.run(
        [ptxas, f"-arch={target}", "-o", os.devnull, f"{path}.{target}.ptx"],
        capture_output=True, text=True)
    return result.stderr + result.stdout if result.returncode else ""


def list_atoms(cutec):
    return subprocess.run([cutec, "--list-atoms=json"], check=True,
                          capture_output=True, text=True).stdout.splitlines()


def check_all(cutec, directory, ptxas, named):
    """Whether the kernels, (name, atom), that were written all compile."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = list(pool.map(
            lambda row: check_one(cutec, ptxas, directory, *row), named))
    failures = 0
    for (name, atom), message in zip(named, wrong):
        if message:
            failures += 1
            print(f"{name} for {atom['arch']}: {message}")
    print(f"{len(named) - failures} of {len(named)} kernels compile")
    return failures == 0 and len(named) > 0


def check(cutec, directory, ptxas):
    atoms = read_atoms(list_atoms(cutec))
    write(atoms, directory)
    return check_all(cutec, directory, ptxas,
                     [(name, atom) for name, atom, *_ in kernels(atoms)])


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(read_atoms(sys.stdin), sys.argv[2])
    elif not check(sys.argv[2], sys.argv[3], (sys.argv[4:] or [None])[0]):
        sys.exit(1)
