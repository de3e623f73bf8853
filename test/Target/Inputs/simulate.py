"""Compiles kernels for this machine and a program that runs them.

usage: simulate.py KERNELS.ll PROGRAM.c OUTPUT [OPTIONS OF CC]

KERNELS.ll is what `cutec --emit=llvm` writes. Its intrinsics become calls of
functions of simulate.h; address spaces mean nothing to this machine.
"""
import re
import subprocess
import sys

CALLS = {
    "llvm.nvvm.read.ptx.sreg.tid.x": "sim_tid_x",
    "llvm.nvvm.read.ptx.sreg.ntid.x": "sim_ntid_x",
    "llvm.nvvm.read.ptx.sreg.ntid.y": "sim_one",
    "llvm.nvvm.read.ptx.sreg.ntid.z": "sim_one",
    "llvm.nvvm.read.ptx.sreg.ctaid.x": "sim_ctaid_x",
    "llvm.nvvm.read.ptx.sreg.ctaid.y": "sim_ctaid_y",
    "llvm.nvvm.barrier.cta.sync.aligned.all": "sim_barrier",
    "llvm.nvvm.shfl.sync.bfly.f32": "sim_bfly_f32",
    "llvm.nvvm.shfl.sync.bfly.f32p": "sim_bfly_f32p",
    "llvm.nvvm.lg2.approx.f": "log2f",
    "llvm.nvvm.rsqrt.approx.f": "sim_rsqrt",
}
HELPERS = """
declare i64 @sim_bfly(i32, i32, i32, i32)
declare float @sqrtf(float)
define { float, i1 } @sim_bfly_f32p(i32 %m, float %v, i32 %l, i32 %c) {
  %a = bitcast float %v to i32
  %b = call i64 @sim_bfly(i32 %m, i32 %a, i32 %l, i32 %c)
  %w = trunc i64 %b to i32
  %f = bitcast i32 %w to float
  %h = lshr i64 %b, 32
  %p = trunc i64 %h to i1
  %s = insertvalue { float, i1 } poison, float %f, 0
  %t = insertvalue { float, i1 } %s, i1 %p, 1
  ret { float, i1 } %t
}
define float @sim_bfly_f32(i32 %m, float %v, i32 %l, i32 %c) {
  %s = call { float, i1 } @sim_bfly_f32p(i32 %m, float %v, i32 %l, i32 %c)
  %r = extractvalue { float, i1 } %s, 0
  ret float %r
}
define float @sim_rsqrt(float %x) {
  %s = call float @sqrtf(float %x)
  %r = fdiv float 1.0, %s
  ret float %r
}
"""


def main():
    source, program, output, *options = sys.argv[1:]
    with open(source) as file:
        text = file.read()
    text = re.sub(r"target (triple|datalayout) = .*\n", "", text)
    text = re.sub(r' "target-(cpu|features)"="[^"]*"', "", text)
    text = text.replace("ptx_kernel ", "")
    text = re.sub(r"addrspace\(\d\) ", "", text)
    text = re.sub(r"^declare .*@llvm\.nvvm\..*\n", "", text, flags=re.M)
    # Calls may not be moved or merged: they may change coroutines.
    text = re.sub(r"@(llvm\.nvvm\.[\w.]+)",
                  lambda m: "@" + CALLS[m.group(1)], text)
    defined = set(re.findall(r"define .*@(\w+)\(", HELPERS))
    types = {"sim_barrier": "void @sim_barrier(i32)",
             "log2f": "float @log2f(float)"}
    text += HELPERS
    for name in sorted(set(CALLS.values()) - defined):
        text += "declare " + types.get(name, f"i32 @{name}()") + "\n"
    with open(output + ".host.ll", "w") as file:
        file.write(text)
    subprocess.run(["llc", "-O1", "-relocation-model=pic", "-filetype=obj",
                    output + ".host.ll", "-o", output + ".o"], check=True)
    subprocess.run(["cc", "-O1", "-w", *options, program, output + ".o", "-lm",
                    "-o", output], check=True)


if __name__ == "__main__":
    main()
