"""The kernels of cute_dsl.py in TileLang: tilelang_kernels.py add|gemm FOLDER."""
import os
import pathlib
import sys
import tempfile

import report

os.environ["TILELANG_DISABLE_CACHE"] = "1"
os.environ["TILELANG_CACHE_DIR"] = tempfile.gettempdir()

begin = report.seconds()
import tilelang
import tilelang.language as T
from tilelang.cuda.backend import tilelang_callback_cuda_compile as to_cubin

report.imported(begin)


def add(block):
    n = T.dynamic("n")

    @T.prim_func
    def kernel(a: T.Tensor((n,), "float32"), b: T.Tensor((n,), "float32"),
               c: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, block), threads=128) as x:
            for i in T.Parallel(block):
                c[x * block + i] = a[x * block + i] + b[x * block + i]

    return kernel


def gemm(columns, depth, threads):
    rows = T.dynamic("rows")

    @T.prim_func
    def kernel(a: T.Tensor((rows, depth), "float16"), b: T.Tensor((columns, depth), "float16"),
               c: T.Tensor((rows, columns), "float16")):
        with T.Kernel(columns // 128, T.ceildiv(rows, 128), threads=threads) as (x, y):
            tile_a = T.alloc_shared((128, 32), "float16")
            tile_b = T.alloc_shared((128, 32), "float16")
            sums = T.alloc_fragment((128, 128), "float32")
            T.clear(sums)
            for k in T.Pipelined(depth // 32, num_stages=3):
                T.copy(a[y * 128, k * 32], tile_a)
                T.copy(b[x * 128, k * 32], tile_b)
                T.gemm(tile_a, tile_b, sums, transpose_B=True)
            T.copy(sums, c[y * 128, x * 128])

    return kernel


def main(what, folder):
    target = tilelang.tvm.target.Target({"kind": "cuda", "arch": "sm_90a"})

    def compile_one(i):
        kernel = add(128 << i % 3) if what == "add" else gemm(4096 + 128 * i, 4096, 128 << i % 2)
        with target:
            source = tilelang.lower(kernel, target=target).kernel_source
        pathlib.Path(folder, f"{what}.cubin").write_bytes(bytes(to_cubin(source, target)))

    report.compiled(compile_one, folder)


main(*sys.argv[1:])
