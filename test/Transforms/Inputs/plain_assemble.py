"""Assembles plain products and kernels for Hopper, and says what ptxas warns of and which spill.

usage: plain_assemble.py CUTEC PREFIX KERNEL...
"""
import subprocess
import sys

from plain_gemm import Plain

PRODUCTS = [Plain(), Plain("bf16", "km", (128, 256, 64)), Plain("f16", "mm", (64, 256, 64), "relu"),
            Plain("f16", "mk", (128, 128, 64), "gate", "direct"), Plain("f16", "kk", (128, 256, 64), "residual"),
            Plain("f8E4M3FN", "kk", (128, 256, 128)), Plain("i8", "kk", (128, 256, 128)),
            Plain("tf32", "kk", (128, 256, 32)), Plain("f16", "kk", (256, 128, 64)),
            Plain("f16", "kk", (128, 128, 64), "residual"), Plain("f16", "kk", (64, 128, 64), "gate")]


def is_clean(tool, source, prefix):
    """Whether it becomes a kernel for Hopper without warnings and spills."""
    done = subprocess.run([tool, source, "--arch=sm_90a", "--passes=cute-optimize", "--report", "-o", f"{prefix}.ptx"],
                          capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "warning" in line or "error" in line]
    good = "wgmma multiplies now" in done.stderr and "0 bytes stored, 0 loaded" in done.stdout + done.stderr
    if said or not good or done.returncode:
        print(source, said)
        return False
    return True


def main():
    tool, prefix, *kernels = sys.argv[1:]
    clean = sum(is_clean(tool, kernel, prefix) for kernel in kernels)
    for plain in PRODUCTS:
        for plain.schedule in ("", "persist = 2", "pingpong = 2", "split = 2"):
            with open(f"{prefix}.mlir", "w") as file:
                file.write(plain.text())
            if is_clean(tool, f"{prefix}.mlir", prefix):
                clean += 1
            else:
                print(plain)
    print(f"{clean} of {4 * len(PRODUCTS) + len(kernels)} without warnings and spills")


main()
