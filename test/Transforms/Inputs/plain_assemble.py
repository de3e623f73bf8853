"""Assembles plain products and kernels for Hopper, or for architectures with tensor memory, and says
what ptxas warns of and which spill.

usage: plain_assemble.py CUTEC ARCH PREFIX KERNEL...
"""
import re
import subprocess
import sys

from plain_gemm import Plain

PRODUCTS = [Plain(), Plain("bf16", "km", (128, 256, 64)), Plain("f16", "mm", (64, 256, 64), "relu"),
            Plain("f16", "mk", (128, 128, 64), "gate", "direct"), Plain("f16", "kk", (128, 256, 64), "residual"),
            Plain("f8E4M3FN", "kk", (128, 256, 128)), Plain("i8", "kk", (128, 256, 128)),
            Plain("tf32", "kk", (128, 256, 32)), Plain("f16", "kk", (256, 128, 64)),
            Plain("f16", "kk", (128, 128, 64), "residual"), Plain("f16", "kk", (64, 128, 64), "gate")]


SCHEDULES = ("", "persist = 2", "pingpong = 2", "split = 2")
ON_TENSOR_MEMORY = ("", "persist = 2", "cluster_x = 1")


def is_clean(tool, arch, source, prefix):
    """Whether it becomes a kernel for the architecture without warnings and spills."""
    done = subprocess.run([tool, source, f"--arch={arch}", "--passes=cute-optimize", "--report", "-o", f"{prefix}.ptx"],
                          capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "warning" in line or "error" in line]
    good = (re.search("(wgmma|tcgen05.mma) multiplies", done.stderr)
            and "0 bytes stored, 0 loaded" in done.stdout + done.stderr)
    if said or not good or done.returncode:
        print(source, said)
        return False
    return True


def main():
    tool, arch, prefix, *kernels = sys.argv[1:]
    schedules = SCHEDULES if arch == "sm_90a" else ON_TENSOR_MEMORY
    products = [plain for plain in PRODUCTS if arch != "sm_103a" or plain.element != "i8"]
    clean = sum(is_clean(tool, arch, kernel, prefix) for kernel in kernels)
    made = [(plain, schedule) for plain in products for schedule in schedules]
    if arch == "sm_90a":  # 192 sums in a thread
        made += [(Plain(element, "kk", (128, 192, depth)), "pingpong = 1")
                 for element, depth in (("f16", 64), ("f8E4M3FN", 128), ("tf32", 32))]
    for plain, plain.schedule in made:
        with open(f"{prefix}.mlir", "w") as file:
            file.write(plain.text())
        if is_clean(tool, arch, f"{prefix}.mlir", prefix):
            clean += 1
        else:
            print(plain)
    print(f"{clean} of {len(made) + len(kernels)} without warnings and spills")


main()
