"""Assembles plain products for Hopper, and says what ptxas warns of and which spill.

usage: plain_assemble.py CUTEC PREFIX
"""
import subprocess
import sys

from plain_gemm import Plain

PRODUCTS = [Plain(), Plain("bf16", "km", (128, 256, 64)), Plain("f16", "mm", (64, 256, 64), "relu"),
            Plain("f16", "mk", (128, 128, 64), "gate", "direct"), Plain("f16", "kk", (128, 256, 64), "residual"),
            Plain("f8E4M3FN", "kk", (128, 256, 128)), Plain("i8", "kk", (128, 256, 128)),
            Plain("tf32", "kk", (128, 256, 32)), Plain("f16", "kk", (256, 128, 64)),
            Plain("f16", "kk", (128, 128, 64), "residual"), Plain("f16", "kk", (64, 128, 64), "gate")]


def main():
    tool, prefix = sys.argv[1:]
    clean = 0
    for plain in PRODUCTS:
        for plain.schedule in ("", "persist = 2", "pingpong = 2", "split = 2"):
            with open(f"{prefix}.mlir", "w") as file:
                file.write(plain.text())
            done = subprocess.run([tool, f"{prefix}.mlir", "--arch=sm_90a", "--passes=cute-optimize", "--report",
                                   "-o", f"{prefix}.ptx"], capture_output=True, text=True)
            said = [line for line in done.stderr.splitlines() if "warning" in line or "error" in line]
            good = "wgmma multiplies now" in done.stderr and "0 bytes stored, 0 loaded" in done.stdout + done.stderr
            if said or not good or done.returncode:
                print(plain, said)
            else:
                clean += 1
    print(f"{clean} of {4 * len(PRODUCTS)} without warnings and spills")


main()
