"""What cutec --prove says of each example: a row for each kernel, in the order of bounds of
global memory, of shared memory, of registers, alignment, and
one writer. `+` is proved, `-` not
decided, `!` refuted, `.` nothing to claim.

  examples.py CUTEC EXAMPLES"""
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys

CLAIMS = ["access of global memory", "access of shared memory", "access of registers",
          "vector is aligned", "two threads"]
SIGNS = {"proved": "+", "not decided": "-", "refuted": "!"}


def arch(path):
    return next((a for part, a in [("sm90", "sm_90a"), ("sm100", "sm_100a")]
                 if part in path.name), "sm_80")


def claims(cutec, path):
    done = subprocess.run([cutec, path, "--prove", f"--arch={arch(path)}"],
                          capture_output=True, text=True, check=False)
    rows = collections.defaultdict(lambda: ["."] * len(CLAIMS))
    for line in done.stdout.splitlines():
        kernel, _, said = line.partition(": ")
        sign = next((s for word, s in SIGNS.items() if said.startswith(word)), None)
        for i, claim in enumerate(CLAIMS):
            if sign and claim in said.partition(": ")[2 if sign != "-" else 0]:
                rows[kernel][i] = sign
    return done.stderr, {kernel: "".join(row) for kernel, row in rows.items()}


def main():
    cutec, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    paths = sorted([*folder.glob("*.mlir"), *folder.glob("tutorial/*.mlir")])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, (said, rows) in zip(paths, pool.map(lambda p: claims(cutec, p), paths)):
            print(said, end="")
            for kernel, row in rows.items():
                print(row, path.relative_to(folder), kernel)


main()
