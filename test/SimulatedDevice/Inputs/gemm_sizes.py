"""Runs a GEMM on the device that is simulated, for sizes in turn, against float64.

usage: gemm_sizes.py KERNEL SIZES [--types=AB,C] [--units=K,C] [--tolerance=T]
                     [--initial=GENERATOR] [--batches=N] [--more=ARGUMENTS]
                     [-- OPTIONS OF CUTE-RUN]

Sizes are M,N,K with semicolons between them. Rows begin at multiples of as many elements
as the units say; C is `initial` before, and `more`
are arguments after C, with semicolons between them. All sizes run in one process, up to
the first that is wrong.
"""
import argparse
import subprocess
import sys


def tensor(kind, rows, columns, unit, batches, generator):
    pitch = -(-columns // unit) * unit
    shape, strides = f"{rows},{columns}", f"{pitch},1"
    if batches:
        shape, strides = f"{shape},{batches}", f"{strides},{rows * pitch}"
    return f"{kind}[({shape}):({strides})]:{generator}"


def main():
    argv = sys.argv[1:]
    at = argv.index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser()
    parser.add_argument("kernel")
    parser.add_argument("sizes")
    parser.add_argument("--types", default="f16,f16")
    parser.add_argument("--units", default="8,8")
    parser.add_argument("--tolerance", default="1e-3")
    parser.add_argument("--initial", default="poison")
    parser.add_argument("--batches", type=int, default=0)
    parser.add_argument("--more")
    given = parser.parse_args(argv[:at])
    factors, sums = given.types.split(",")
    k_unit, c_unit = map(int, given.units.split(","))
    check = "C[m,n,b] = sum[k](A[m,k,b] * B[n,k,b])" if given.batches \
        else "C[m,n] = A[m,k] * B[n,k]"
    sizes = [tuple(map(int, size.split(","))) for size in given.sizes.split(";")]
    arguments = []
    for m, n, k in sizes:
        arguments += [
            "--again",
            tensor(factors, m, k, k_unit, given.batches, "normal(1)"),
            tensor(factors, n, k, k_unit, given.batches, "normal(2)"),
            tensor(sums, m, n, c_unit, given.batches, given.initial),
            *(given.more.split(";") if given.more else [])]
    done = subprocess.run(
        ["cute-run", "--device=sim", given.kernel, "--check", check,
         f"--tolerance={given.tolerance}", *argv[at + 1:], *arguments[1:]],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    right = done.stdout.count("argument 2: relative error") \
        - done.stdout.count("argument 2 differs")
    if done.returncode:
        print("x".join(map(str, sizes[right])) + f": {done.stdout}", end="")
    print(f"{len(sizes)} sizes, {int(done.returncode != 0)} failures")


if __name__ == "__main__":
    main()
