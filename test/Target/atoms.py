"""Writes a kernel for each MMA atom of `cutec --list-atoms=json`.

One warp computes D = A * B + C with one call of the atom for each place of the
tiled MMA: A is MxK, B is NxK, C and D are MxN, all row-major. Elements are copied
one by one, or in whole bytes where they are smaller, so that every value of every
thread has its own place.

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


def file_name(atom):
    return re.sub(r"[^A-Za-z0-9]+", "_", atom["name"]).strip("_")


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


def kernel(atom):
    m, n, k = extents(atom)
    shapes = {"A": (m, k), "B": (n, k), "C": (m, n), "D": (m, n)}
    args, lines = [], []
    for x, (rows, columns) in shapes.items():
        element = atom[f"ValType{x}"]
        args.append(f'%{x}: !cute.tensor<{element}, gmem, align<16>, '
                    f'"({rows},{columns}):({columns},1)">')
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
              "cute.copy(%copyD, %tD, %gD)", "gpu.return"]
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
  }}
}}
"""


def read_atoms(lines):
    atoms = [json.loads(line) for line in lines]
    return [a for a in atoms if a["kind"] == "mma" and a["compiles"]]


def write(atoms, directory):
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "atoms.txt"), "w") as table:
        for atom in atoms:
            name = file_name(atom)
            with open(os.path.join(directory, name + ".mlir"), "w") as file:
                file.write(kernel(atom))
            sizes = " ".join(map(str, extents(atom)))
            types = " ".join(atom[f"ValType{x}"] for x in "ABCD")
            print(atom["name"], name, atom["arch"], sizes, types,
                  atom["instruction"], file=table)


def arch_for_ptxas(arch):
    number = int(re.match(r"sm_(\d+)", arch)[1])
    return arch if number >= LOWEST_OF_PTXAS else f"sm_{LOWEST_OF_PTXAS}"


def check_one(cutec, ptxas, directory, atom):
    """What is wrong with the code of an atom, or nothing."""
    path = os.path.join(directory, file_name(atom))
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
    if not re.search(r"^\s*" + re.escape(atom["instruction"]) + r"\s", text,
                     re.M):
        return "no " + atom["instruction"]
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


def check(cutec, directory, ptxas):
    listed = subprocess.run([cutec, "--list-atoms=json"], check=True,
                            capture_output=True, text=True).stdout
    atoms = read_atoms(listed.splitlines())
    write(atoms, directory)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = list(pool.map(
            lambda atom: check_one(cutec, ptxas, directory, atom), atoms))
    failures = 0
    for atom, message in zip(atoms, wrong):
        if message:
            failures += 1
            print(f"{atom['name']} for {atom['arch']}: {message}")
    print(f"{len(atoms) - failures} of {len(atoms)} atoms compile")
    return failures == 0 and len(atoms) > 0


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(read_atoms(sys.stdin), sys.argv[2])
    elif not check(sys.argv[2], sys.argv[3], (sys.argv[4:] or [None])[0]):
        sys.exit(1)
