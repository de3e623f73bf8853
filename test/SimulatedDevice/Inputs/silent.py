"""Runs correct kernels under many schedules: nothing may be said of them.

usage: silent.py ROOT FOLDER [--schedules=N] [--days=N] [--limit=SECONDS] [NAME ...]

The kernels are the ones of examples/ that planted.py lacks, and of kernels/kernel.py with
several choices. Without names those are run whose day it is of so many, each under N
orders, up to the limit, after which none is begun.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from turns import take_turn

GEMM = "f16[{m}x{k}]:normal(1) f16[{n}x{k}]:normal(2) {out}[{m}x{n}]:{initial}"
CHECK = "--check 'C[m,n] = A[m,k] * B[n,k]'"
ATTENTION = ("f16[1x2x77x{d}]:normal(1) f16[1x2x100x{d}]:normal(2) f16[1x2x100x{d}]:normal(3)"
             " f16[1x2x77x{d}]:poison 0.125 {more} --check 'D[b,h,m,d] ="
             " exp(sum[e](A[b,h,m,e] * B[b,h,n,e]) / 8) * C[b,h,n,d] /"
             " sum[j](exp(sum[e](A[b,h,m,e] * B[b,h,j,e]) / 8))'")
WEIGHTS = ("i8[77x96]:integers(1) f16[77x3]:uniform(2) f16[40x192]:normal(3) f16[77x40]:poison --check 'D[m,n] = "
           "((1 - k % 2) * ((A[m,k/2] + 8) % 16 - 8) + k % 2 * floor(A[m,k/2] / 16)) * B[m,k/64] * C[n,k]'")
HOPPER = "--arch=sm_90a --tolerance=2e-3 "
BLACKWELL = "--arch=sm_100a --tolerance=2e-3 "
SCALED = ("f4E2M1FN[128x{k}]:normal(1) f4E2M1FN[256x{k}]:normal(2) f32[128x256]:poison"
          " 'f8E4M3FN[(32,4,4,{steps},1):(16,4,1,512,{all})]:scales(3)'"
          " 'f8E4M3FN[(32,4,4,{steps},2):(16,4,1,512,{all})]:scales(4)'"
          " --check 'C[m,n] ="
          " A[m,k] * D[m-32*floor(m/32),floor(m/32)-4*floor(m/128),floor(k/16)-4*floor(k/64),"
          "floor(k/64),floor(m/128)] *"
          " B[n,k] * E[n-32*floor(n/32),floor(n/32)-4*floor(n/128),floor(k/16)-4*floor(k/64),"
          "floor(k/64),floor(n/128)]'")

WIDE = ("D[b,h,m,d,e] = sum[n](exp(0.1 * sum[k,l](A[b,h,m,k,l] * B[b,h,n,k,l])) * "
        "C[b,h,n,d,e]) / sum[n](exp(0.1 * sum[k,l](A[b,h,m,k,l] * B[b,h,n,k,l])))")
# A page of 64 keys, and 36 of the next one; attention_latent.py compares results.
LATENT = ("f16[1x70x1x576]:normal(1) f16[3x64x576]:normal(2) i32[1x2]:iota i32[1]:fill(100)"
          " f32[1x70x512]:poison f32[1x70x2]:poison 0.04 128")


def gemm(m, n, k, out="f16", initial="poison"):
    return GEMM.format(m=m, n=n, k=k, out=out, initial=initial) + " " + CHECK


# Name: kernel, of examples or the command of kernels/kernel.py, and arguments.
KERNELS = {
    "gemm_plain": ("gemm_plain.mlir", gemm(77, 40, 200)),
    "gemm_plain_optimized": ("gemm_plain.mlir",
                             "--passes=cute-optimize " + gemm(77, 40, 200)),
    "gemm_w4_plain": ("gemm_w4_plain.mlir", WEIGHTS),
    "gemm_w4_plain_optimized": ("gemm_w4_plain.mlir", HOPPER + "--passes=cute-optimize " + WEIGHTS),
    "gemm_sm80_odd": ("gemm_sm80.mlir", gemm(77, 133, 139)),
    "gemm_f64": ("gemm_f64.mlir", "f64[77x17]:normal(1) f64[33x17]:normal(2)"
                 " f64[77x33]:poison --tolerance=1e-12 " + CHECK),
    "pointers": ("pointers.mlir", "f32[77x33]:normal(1) f32[33x77]:poison"
                 " --check 'B[i,j] = A[j,i]'"),
    "sum_inner": ("reduce.mlir", "--kernel=sum_inner f32[5x100x7]:normal(1) f32[5x7]:poison"
                  " --check 'B[i,j] = A[i,k,j]'"),
    "sum_outer": ("reduce.mlir", "--kernel=sum_outer f32[5x300x33]:normal(1) f32[5x33]:poison"
                  " --check 'B[i,j] = A[i,k,j]'"),
    "conv2d_plain": ("conv2d_plain.mlir", "f16[1x9x20x8]:normal(1) f16[136x3x2x8]:normal(2)"
                     " f16[1x5x18x136]:poison 0 2"
                     " --check 'C[n,p,q,k] = A[n,p+2*r,q+2*s,c] * B[k,r,s,c]'"),
    "gemm_grouped_plain": ("gemm_grouped_plain.mlir", "f16[3x72]:normal(1)"
                           " f16[4x40x72]:normal(2) i32[4]:iota f16[3x40]:poison"
                           " --check 'D[m,n] = A[m,k] * B[m+1,n,k]'"),
    "attention_backward": ("attention_backward_plain.mlir",
                           " f16[1x2x77x128]:normal(1) f16[1x2x77x128]:normal(2)"
                           " f16[1x2x100x128]:normal(3) f16[1x2x100x128]:normal(4)"
                           " f32[1x2x128]:fill(-3) f32[1x2x128]:fill(0.5)"
                           " f16[1x2x77x128]:poison 0.1 --check 'G[b,h,m,d] = 0.0125 *"
                           " exp(0.1 * sum[k](A[b,h,m,k] * C[b,h,n,k])) *"
                           " (sum[l](B[b,h,m,l] * D[b,h,n,l]) - 0.5) * C[b,h,n,d]'"),
    "attention_latent_plain": ("attention_latent_plain.mlir", LATENT),
    "attention_latent_plain_optimized": ("attention_latent_plain.mlir",
                                         HOPPER + "--passes=cute-optimize " + LATENT),
    "attention": ("attention.mlir", ATTENTION.format(d=64, more="")),
    "transpose_tutorial": ("tutorial/04_transpose.mlir", "f32[64x32]:normal(1)"
                           " f32[32x64]:poison --check 'B[i,j] = A[j,i]'"),
    "tiled_mma": ("tutorial/06_tiled_mma.mlir", gemm(128, 128, 64)),
    "predicates": ("tutorial/07_predicates.mlir", gemm(77, 40, 72)),
    "registers": ("tutorial/09_registers.mlir", gemm(77, 140, 136)),
    "epilogue": ("tutorial/10_epilogue.mlir", gemm(77, 144, 136)),
    "gemm_fp8_scaled": ("gemm_fp8_scaled_sm90.mlir", HOPPER
                        + "f8E4M3FN[130x144]:normal(1) f8E4M3FN[136x144]:normal(2)"
                        " f16[130x136]:poison f32[(130,2):(1,132)]:scales(3)"
                        " f32[2x2]:scales(4) --check 'C[m,n] = A[m,k] * B[n,k] *"
                        " D[m,floor(k/128)] * E[floor(n/128),floor(k/128)]'"),
    "attention_sm90": ("attention_sm90.mlir", HOPPER
                       + "'f16[(1,1,70,(64,2)):(8960,128,128,(1,64))]:normal(1)'"
                       " 'f16[(1,1,90,(64,2)):(11520,128,128,(1,64))]:normal(2)'"
                       " 'f16[(1,1,90,(64,2)):(11520,128,128,(1,64))]:normal(3)'"
                       " 'f16[(1,1,70,(64,2)):(8960,128,128,(1,64))]:poison' 0.1 0"
                       " --check '%s'" % WIDE),
    "gemm_sm100": ("gemm_sm100.mlir", BLACKWELL + gemm(256, 128, 136, "f32")),
    "gemm_sm100_pair": ("gemm_sm100_pair.mlir", BLACKWELL + gemm(256, 256, 136, "f32")),
    "gemm_sm100_persistent": ("gemm_sm100_persistent.mlir",
                              BLACKWELL + "--grid=2 " + gemm(384, 256, 72, "f32")),
    "gemm_sm100_plain": ("gemm_plain.mlir", BLACKWELL + "--passes=cute-optimize --grid=2 "
                         + gemm(300, 264, 200)),
    "gemm_nvfp4_sm100": ("gemm_nvfp4_sm100.mlir", BLACKWELL + SCALED.format(k=512, steps=8, all=4096)),
    "gemm_nvfp4_sm120": ("gemm_nvfp4_sm120.mlir",
                         "--arch=sm_120a " + SCALED.format(k=256, steps=4, all=2048)),
    "attention_sm100": ("attention_sm100.mlir", BLACKWELL
                        + "'f16[(1,2,70,(64,2)):(17920,8960,128,(1,64))]:normal(1)'"
                        " 'f16[(1,2,300,(64,2)):(76800,38400,128,(1,64))]:normal(2)'"
                        " 'f16[(1,2,300,(64,2)):(76800,38400,128,(1,64))]:normal(3)'"
                        " 'f16[(1,2,70,(64,2)):(17920,8960,128,(1,64))]:poison' 0.1"
                        " --check '%s'" % WIDE),
    "attention_sm100_plain": ("attention_plain.mlir", BLACKWELL
                              + "--passes=cute-optimize "
                              + ATTENTION.format(d=128, more="")),
    "library_gemm": (["gemm_sm80"], gemm(130, 120, 200)),
    "library_gemm_split": (["gemm_sm80", "bm=64", "bn=64", "split=4", "out=f32", "bk=32",
                            "group=2", "stages=2"], gemm(77, 136, 328, "f32", "zeros")),
    "library_gemm_warps_k": (["gemm_sm80", "bm=32", "bn=32", "bk=64", "warps_k=2",
                              "stages=4"], gemm(33, 72, 456)),
    "library_gemm_partial": (["gemm_sm80", "bm=64", "bn=64", "bk=32", "partial=true"],
                             "'f16[(77,327):(328,1)]:normal(1)'"
                             " 'f16[(133,327):(328,1)]:normal(2)'"
                             " 'f16[(77,133):(136,1)]:poison' " + CHECK),
    "library_attention": (["attention_sm80"], ATTENTION.format(d=128, more="0")),
    "library_softmax": (["softmax", "lengths=512"], "--kernel=softmax_512 f16[33x200]:normal(1)"
                        " f16[33x200]:poison --check"
                        " 'B[m,n] = exp(A[m,n]) / sum[k](exp(A[m,k]))'"),
}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stderr or done.stdout or "failed") if done.returncode else ""


def check(given, name):
    """The findings of a kernel, or of compiling it."""
    kernel, arguments = KERNELS[name]
    path = given.root / "examples" / kernel if isinstance(kernel, str) \
        else given.folder / f"{name}.mlir"
    wrong = "" if isinstance(kernel, str) else run(
        [sys.executable, given.root / "kernels" / "kernel.py", *kernel, "-o", path])
    return wrong or run(["cute-run", "--device=sim", "--timeout=300",
                         f"--schedules={given.schedules}", path,
                         *shlex.split(arguments)])


def is_silent(given, end, name):
    """Whether there are no findings; null if there was no time to begin."""
    if time.monotonic() > end:
        return None
    wrong = check(given, name)
    if wrong:
        print(f"{name}: {wrong[:2000]}", flush=True)
    return not wrong


def find_missing(root):
    """Examples that no test runs on the simulator."""
    tests = root / "test"
    texts = [path.read_text(encoding="utf-8")
             for pattern in ("SimulatedDevice/*.test", "SimulatedDevice/Inputs/*.py",
                             "Compile/*simulated.test", "Compile/print_tile.test",
                             "Run/host.test", "Transforms/sm90_attention.test")
             for path in tests.glob(pattern)]
    return sorted(path.stem for path in (root / "examples").rglob("*.mlir")
                  if not any(re.search(rf"\b{path.stem}\b", text) for text in texts))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--schedules", type=int, default=21)
    parser.add_argument("--days", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1e9)
    parser.add_argument("names", nargs="*")
    given = parser.parse_intermixed_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    missing = find_missing(given.root)
    if missing:
        sys.exit(f"no test runs these on the simulator: {', '.join(missing)}")
    end = time.monotonic() + given.limit
    names = given.names or take_turn(KERNELS, given.days)
    with ThreadPoolExecutor(2) as pool:
        silent = list(pool.map(lambda name: is_silent(given, end, name), names))
    ran = [each for each in silent if each is not None]
    print(f"{sum(ran)} of {len(ran)} kernels are silent under {given.schedules} orders")


if __name__ == "__main__":
    main()
