"""Runs a product on the simulated device with passes and without, and compares the bits.

usage: run_plain.py CUTE-RUN PREFIX KERNEL PASSES SIZES [OPTIONS OF CUTE-RUN]

Sizes are MxNxK with semicolons between them. Both results are compared with float64, too.
"""
import subprocess
import sys


def run(tool, kernel, size, output, options, arch, element="f16"):
    m, n, k = size.split("x")
    tensors = [f"{element}[{m}x{k}]:normal(1)", f"{element}[{n}x{k}]:normal(2)", f"{element}[{m}x{n}]:poison"]
    check = ["--check", "C[m,n] = A[m,k] * B[n,k]", "--output", f"2={output}"]
    command = [tool, "--device=sim", arch, *options, kernel, *tensors, *check]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{size}: {done.stdout}{done.stderr}")
    with open(output, "rb") as file:
        return file.read()


def main():
    tool, prefix, kernel, passes, sizes, *options = sys.argv[1:]
    sizes = sizes.split(";")
    arch = next((option for option in options if option.startswith("--arch=")), "--arch=sm_90a")
    differ = 0
    for size in sizes:
        plain = run(tool, kernel, size, f"{prefix}.plain.npy", [], arch)
        other = run(tool, kernel, size, f"{prefix}.npy", [f"--passes={passes}", *options], arch)
        differ += plain != other
    print(f"{differ} of {len(sizes)} differ")


main()
