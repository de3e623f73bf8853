"""Runs plain attention on the simulated device, against float64, for sizes in turn.

usage: plain_attention.py CUTEC CUTE-RUN PREFIX KERNEL PASSES SIZES [PARAMETER=VALUE ...]
                          [OPTIONS OF CUTE-RUN]

Sizes are BATCHxHEADSxROWSxCOLUMNS with semicolons between them. Rows of the tensors are
further apart than they are long, and so are heads and batches. With CAUSAL=1, row m of M
sees the columns up to m + N - M. With GROUP=2 pairs of heads share K and V. With --arch=sm_XX
it is compiled for another architecture than sm_90a. With --plain=PREFIX, the results are, bit for
bit, the results of another run of one size with that prefix.
"""
import filecmp
import subprocess
import sys

SCALE = 0.25


def tensor(batches, heads, rows, d, generator):
    row = d + 8
    head = row * rows + 16
    return (f"f16[({batches},{heads},{rows},{d}):({head * heads + 24},{head},{row},1)]"
            f":{generator}")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
    return done.returncode


def main():
    cutec, cute_run, prefix, kernel, passes, sizes, *rest = sys.argv[1:]
    values = [item for item in rest if not item.startswith("--")]
    options = [item for item in rest if item.startswith("--")]
    own = dict(item[2:].split("=") for item in options if item.startswith(("--arch", "--plain")))
    options = [item for item in options if not item.startswith(("--arch", "--plain"))]
    parameters = dict(item.split("=") for item in values)
    d, causal = int(parameters.get("D", 128)), int(parameters.get("CAUSAL", 0))
    group = int(parameters.get("GROUP", 1))
    if run([cutec, kernel, f"--arch={own.get('arch', 'sm_90a')}", "--emit=llvm", "--line-info",
            *([f"--passes={passes}"] if passes else []),
            *(f"-D{item}" for item in values), "-o", f"{prefix}.ll"]):
        sys.exit(1)
    failures = 0
    for size in sizes.split(";"):
        b, h, m, n = map(int, size.split("x"))
        mask = f" + 1e4 * min(m + {n - m} - n, 0)" if causal else ""
        head = f"h/{group}" if group > 1 else "h"
        weight = f"exp({SCALE} * (sum[e](A[b,h,m,e] * B[b,{head},n,e]) - 60){mask})"
        failures += run(
            [cute_run, "--device=sim", "--tolerance=2e-3", *options, f"{prefix}.json",
             tensor(b, h, m, d, "normal(1)"), tensor(b, h // group, n, d, "normal(2)"),
             tensor(b, h // group, n, d, "normal(3)"), tensor(b, h, m, d, "poison"), str(SCALE),
             "--output", f"3={prefix}.npy", "--check", f"D[b,h,m,d] = sum[n]({weight} * C[b,{head},n,d]) / sum[n]({weight})"]) != 0
    if "plain" in own:
        failures += not filecmp.cmp(f"{prefix}.npy", f"{own['plain']}.npy", shallow=False)
    print(f"{len(sizes.split(';'))} sizes, {failures} failures")


main()
