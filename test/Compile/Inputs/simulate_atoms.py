"""Runs atoms that take metadata or scale factors on this machine.

usage: simulate_atoms.py CUTEC FOLDER

Each kernel of bench/mma_atoms.py becomes a program with run_atom.c, which knows from
the atom's name alone what is computed.
"""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "bench"))
import mma_atoms  # noqa: E402

# One of each shape and kind of elements.
NAMES = [
    "SM80_SPARSE_16x8x16_F32F16F16F32_TN",
    "SM80_SPARSE_16x8x32_F32BF16BF16F32_TN",
    "SM80_SPARSE_16x8x8_F32TF32TF32F32_TN",
    "SM80_SPARSE_16x8x16_F32TF32TF32F32_TN",
    "SM80_SPARSE_16x8x32_S32S8U8S32_TN",
    "SM80_SPARSE_16x8x64_S32U8S8S32_TN_SATURATE",
    "SM80_SPARSE_16x8x64_S32S4U4S32_TN_SATURATE",
    "SM80_SPARSE_16x8x128_S32U4S4S32_TN",
    "SM89_SPARSE_16x8x64_F32E4M3E5M2F32_TN",
    "SM120_SPARSE_16x8x64_TN<float_e2m1_t,float_e3m2_t,float>",
    "SM120_16x8x32_TN_VS<float_e5m2_t,float_e2m3_t,float,float_ue8m0_t,32>",
    "SM120_16x8x32_TN_VS<float_e2m1_t,float_e4m3_t,float,float_ue8m0_t,32>",
    "SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,32>",
    "SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>",
    "SM120_SPARSE_16x8x64_TN_VS<float_e3m2_t,float_e2m1_t,float,float_ue8m0_t,"
    "64>",
    "SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,"
    "64>",
    "SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,"
    "32>",
]
BITS = {"F16": 16, "BF16": 16, "TF32": 32, "S4": 4, "U4": 4}


def options(name):
    """What run_atom.c has to know, by the name."""
    k = int(re.search(r"_16x8x(\d+)_", name)[1])
    if "<" in name:
        a, b, _, *factor = name[name.index("<") + 1:-1].split(",")
        a, b = (re.match(r"float_(\w+)_t", x)[1].upper() for x in (a, b))
    else:
        a, b = re.search(r"_[FS]32([A-Z]+[0-9]+(?:M[0-9])?)([A-Z]+[0-9]+(?:M[0-9])?)"
                         r"[FS]32_TN", name).groups()
        factor = []
    is_sparse = "SPARSE" in name
    is_four = a in ("S4", "U4") or (
        a == b == "E2M1" and bool(factor) and k == (128 if is_sparse else 64))
    bits = [4 if is_four else BITS.get(x, 8) for x in (a, b)]
    found = [f"-DK={k}", f"-DA={a}", f"-DB={b}", f"-DBITS_A={bits[0]}",
             f"-DBITS_B={bits[1]}"]
    if is_sparse:
        found += ["-DSPARSE"] + (["-DPAIRS"] if is_four else [])
    if factor:
        kind, each = factor
        found += [f"-DFACTORS={k // int(each)}",
                  "-DFACTOR=" + re.match(r"float_(\w+)_t", kind)[1].upper()]
    if "_S32" in name:
        found += ["-DSUM=int32_t", f"-DSATURATES={int('SATURATE' in name)}"]
    return found


def simulate(cutec, folder, atom):
    """What the program prints."""
    path = os.path.join(folder, mma_atoms.symbol(atom["name"]))
    text = mma_atoms.kernel(atom)
    with open(path + ".mlir", "w") as file:
        file.write(mma_atoms.module(re.sub(r"@\w+\(", "@atom(", text, count=1)))
    subprocess.run([cutec, path + ".mlir", f"--arch={atom['arch']}", "--emit=llvm",
                    "--no-manifest", "-o", path + ".ll"], check=True)
    subprocess.run([sys.executable, os.path.join(HERE, "simulate.py"), path + ".ll",
                    os.path.join(HERE, "run_atom.c"), path, "-O0",
                    *options(atom["name"])],
                   check=True)
    return subprocess.run([path], capture_output=True, text=True).stdout


def main():
    cutec, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    listed = subprocess.run([cutec, "--list-atoms=json"], check=True,
                            capture_output=True, text=True).stdout
    found = {a["name"]: a for a in map(json.loads, listed.splitlines())}
    right = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(lambda name: simulate(cutec, folder, found[name]),
                              NAMES))
    for name, text in zip(NAMES, texts):
        right += text == "128 elements, 0 wrong\n"
        if text != "128 elements, 0 wrong\n":
            print(f"{name}: {text}")
    print(f"{right} of {len(NAMES)} atoms are right")


if __name__ == "__main__":
    main()
