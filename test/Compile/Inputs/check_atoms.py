"""Compiles the kernel of each atom, all for one architecture together, and looks for
the instruction of its row in what comes out.

usage: check_atoms.py mma|wgmma|copy|tma FOLDER [PTXAS]

The architecture is the lowest that has the atom. With PTXAS that must accept the code,
for the lowest later architecture that it still knows, and have nothing to say of it. Of
wgmma, whose kernels are many, those with 64 columns have every atom once, and every
width, place and layout of operands; of TMA it is every third.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "bench"))
import atoms
import copy_atoms
import mma_atoms
import tma_atoms
import wgmma_atoms

LOWEST_OF_PTXAS = 75  # in CUDA 13


def wgmma_kernels():
    """(name, atom, text) of what has another atom or layout than those before."""
    seen = set()
    for name, atom, _, text in wgmma_atoms.kernels(atoms.listed()):
        if eval(atom["shape_mnk"])[1] != 64:
            continue
        layout = (atom["ValTypeA_bits"], atom["ValTypeB_bits"], "_SPARSE_" in name,
                  re.search("_[RS]S[<_].*", name)[0])
        if not {atom["name"], layout} <= seen:
            seen |= {atom["name"], layout}
            yield name, atom, text


def read_kernels(kind):
    """The name, the architecture, a pattern of the instruction and the text of each."""
    if kind == "mma":
        return [(name, atom["arch"], re.escape(atom["instruction"]), text)
                for name, atom, _, _, _, text in mma_atoms.kernels(atoms.listed())]
    if kind == "wgmma":
        return [(name, atom["arch"], re.escape(atom["instruction"]), text)
                for name, atom, text in wgmma_kernels()]
    if kind == "tma":
        return [(name, atom["arch"], re.escape(atom["instruction"]) + r"[\w.:]*", text)
                for name, atom, text in [*tma_atoms.kernels(atoms.listed())][::3]]
    return [(name, atom["arch"], copy_atoms.instruction(atom), text)
            for name, atom, text in copy_atoms.kernels(atoms.listed())]


def arch_for_ptxas(arch):
    number = int(re.match(r"sm_(\d+)", arch)[1])
    return arch if number >= LOWEST_OF_PTXAS else f"sm_{LOWEST_OF_PTXAS}"


def compile_for(arch, path):
    """What cutec says of a file, and its PTX."""
    out = path.with_suffix(f".{arch}.ptx")
    done = subprocess.run(["cutec", path, f"--arch={arch}", "--no-manifest", "-o", out],
                          capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else "", out


def check_code(text, named):
    """What is wrong with the code of each kernel."""
    parts = re.split(r"\.visible \.entry (\w+)\(", text)
    code = dict(zip(parts[1::2], parts[2::2]))
    for name, _, pattern, _ in named:
        body = code.get(mma_atoms.symbol(name), "")
        if not re.search(r"^\s*" + pattern + r"\s", body, re.M):
            yield f"{name}: no {pattern}"
        if ".local" in body:
            yield f"{name}: registers became local memory"


def check(arch, named, folder, ptxas):
    """What is wrong with the kernels for an architecture."""
    path = folder / f"{arch}.mlir"
    path.write_text(mma_atoms.module(*(text for *_, text in named)), encoding="utf-8")
    message, out = compile_for(arch, path)
    if message:
        return [message]
    wrong = list(check_code(out.read_text(encoding="utf-8"), named))
    if not ptxas:
        return wrong
    target = arch_for_ptxas(arch)
    if target != arch:
        message, out = compile_for(target, path)
    done = subprocess.run([ptxas, f"-arch={target}", "-o", os.devnull, out],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return wrong + [m for m in (message, done.stdout) if m]


def main():
    kind, folder, ptxas = sys.argv[1], pathlib.Path(sys.argv[2]), (sys.argv[3:] or [""])[0]
    folder.mkdir(parents=True, exist_ok=True)
    by_arch = collections.defaultdict(list)
    for named in read_kernels(kind):
        by_arch[named[1]].append(named)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda arch: check(arch, by_arch[arch], folder, ptxas), by_arch)
    wrong = [message for messages in found for message in messages]
    print("\n".join(wrong + [f"{sum(map(len, by_arch.values()))} kernels, "
                             f"{len(wrong)} wrong"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
