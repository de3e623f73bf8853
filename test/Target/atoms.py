"""Writes a kernel for each MMA atom of `cutec --list-atoms=json`.

One warp computes D = A * B + C with one call of the atom for each place of the
tiled MMA: A is MxK, B is NxK, C and D are MxN, all row-major. Elements are copied
one by one, or in whole bytes where they are smaller, so that every value of every
thread has its own place. Some more kernels call gemm with other ranks of operands.

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
    return 16 if atom[f"ValType{operand}"].startswith("f4") else 32


def function(atom, m, n, k, lines):
    """A kernel of one warp with a tiled MMA %mma and row-major %A to %D."""
    shapes = {"A": (m, k), "B": (n, k), "C": (m, n), "D": (m, n)}
    args = []
    for x, (rows, columns) in shapes.items():
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
    for x in "ABCD":
        part = x.lower() if x in "AB" else "c"
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
    lines += [f"cute.copy(%copy{x}, %g{x}, %t{x})" for x in "ABC"]
    lines += ["cute.gemm(%mma, %rD, %rA, %rB, %rC)",
              "cute.copy(%copyD, %tD, %gD)"]
    return function(atom, m, n, k, lines)


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
