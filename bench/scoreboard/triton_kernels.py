"""The kernels of cute_dsl.py in Triton: triton_kernels.py add|gemm FOLDER."""
import os
import sys

import report

begin = report.seconds()
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

report.imported(begin)


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c + i, tl.load(a + i, i < n) + tl.load(b + i, i < n), i < n)


@triton.jit
def gemm(a, b, c, columns, depth, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), tl.float32)
    for start in range(0, depth, BK):
        x = tl.load(a + m[:, None] * depth + (start + k)[None, :])
        y = tl.load(b + n[None, :] * depth + (start + k)[:, None])
        sums = tl.dot(x, y, sums)
    tl.store(c + m[:, None] * columns + n[None, :], sums.to(tl.float16))


def main(what, folder):
    target = GPUTarget("cuda", 90, 32)
    if what == "add":
        types = {"a": "*fp32", "b": "*fp32", "c": "*fp32", "n": "i32", "BLOCK": "constexpr"}

        def source(i):
            return ASTSource(add, types, {"BLOCK": 128 << i % 3})
    else:
        types = {name: "*fp16" for name in "abc"} | {
            "columns": "i32", "depth": "i32", "BM": "constexpr", "BN": "constexpr",
            "BK": "constexpr"}

        def source(i):
            return ASTSource(gemm, types, {"BM": 128, "BN": 128, "BK": 32},
                             {(p,): [["tt.divisibility", 16]] for p in range(5)})

    def compile_one(i):
        made = triton.compile(source(i), target=target, options={"num_warps": 4 << i % 2})
        with open(os.path.join(folder, f"{what}.cubin"), "wb") as file:
            file.write(made.asm["cubin"])

    report.compiled(compile_one, folder)


os.environ["TRITON_ALWAYS_COMPILE"] = "1"
main(*sys.argv[1:])
