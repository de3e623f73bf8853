"""Runs attention on the device that is simulated, for sizes in turn, against float64.

usage: attention_sizes.py KERNEL D SIZES [--causal=0|1] [--batches=N] [--unit=N]
                          [--scale=X]

Sizes are rows,columns with semicolons between them; a kernel with a causal mask takes
--causal: row m sees columns 0 to m. Rows of the tensors (batch, head, row, D)
are further apart than they are long, heads and batches, too, by multiples of the unit.
"""
import argparse
import subprocess
import sys

HEADS = 2


def tensor(batches, rows, d, unit, generator):
    row = d + unit
    head = row * rows + 2 * unit
    return (f"f16[({batches},{HEADS},{rows},{d}):({head * HEADS + 3 * unit},{head},{row}"
            f",1)]:{generator}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernel")
    parser.add_argument("d", type=int)
    parser.add_argument("sizes")
    parser.add_argument("--causal", type=int)
    parser.add_argument("--batches", type=int, default=1)
    parser.add_argument("--unit", type=int, default=8)
    parser.add_argument("--scale", type=float, default=0.25)
    given = parser.parse_args()
    sizes = [tuple(map(int, size.split(","))) for size in given.sizes.split(";")]
    weight = f"exp({given.scale} * (sum[e](A[b,h,m,e] * B[b,h,n,e]) - 60)%s)" % (
        " + 1e4 * min(m - n, 0)" if given.causal else "")
    arguments = []
    for m, n in sizes:
        arguments += ["--again", *(
            tensor(given.batches, rows, given.d, given.unit, generator)
            for rows, generator in ((m, "normal(1)"), (n, "normal(2)"),
                                    (n, "normal(3)"), (m, "poison"))), str(given.scale),
            *([] if given.causal is None else [str(given.causal)])]
    done = subprocess.run(
        ["cute-run", "--device=sim", given.kernel, "--tolerance=2e-3", "--check",
         f"D[b,h,m,d] = sum[n]({weight} * C[b,h,n,d]) / sum[n]({weight})",
         *arguments[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout, file=sys.stderr)
    print(f"{len(sizes)} sizes, {int(done.returncode != 0)} failures")


main()
