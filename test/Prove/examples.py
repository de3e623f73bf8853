"""Compares what cutec --prove says of each example with a table: a row for each kernel, in the
order of bounds of global memory, of shared memory, of registers, alignment, one writer,
outputs that are written as a whole, races in shared memory, and registers and shared memory that
are written before they are read. `+` is proved, `-` not decided, `!` refuted, `.` nothing to claim.

  examples.py CUTEC EXAMPLES TABLE [quick | write] [optimize]

`quick` leaves out files with a `-` before the last three claims. `optimize` has rows of the plain
examples for two architectures: whether the optimised kernel writes what the plain one does, and
reads nothing else."""
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys

CLAIMS = ["access of global memory", "access of shared memory", "access of registers",
          "vector is aligned", "is written by two threads", "output is", "race in shared memory",
          "register is read", "shared memory is read"]
SAME = ["writes the elements", "reads no elements"]
SIGNS = {"proved": "+", "not decided": "-", "refuted": "!"}


def arch(path):
    return next((a for part, a in [("sm90", "sm_90a"), ("sm100", "sm_100a"),
                               ("sm120", "sm_120a")]
                 if part in path.name), "sm_80")


def claims(cutec, path, optimized):
    names, options = CLAIMS, [f"--arch={optimized or arch(path)}"]
    if optimized:
        names, options = SAME, [*options, "--passes=cute-optimize"]
    done = subprocess.run([cutec, path, "--prove", *options],
                          capture_output=True, text=True, check=False)
    rows = collections.defaultdict(lambda: ["."] * len(names))
    for line in done.stdout.splitlines():
        kernel, _, said = line.partition(": ")
        sign = next((s for word, s in SIGNS.items() if said.startswith(word)), None)
        for i, claim in enumerate(names):
            if sign and claim in said.partition(": ")[2 if sign != "-" else 0]:
                rows[kernel][i] = sign
    said = "" if optimized else done.stderr
    return said, {kernel: "".join(row) for kernel, row in rows.items()}


def rows_of(cutec, folder, paths, archs):
    cases = [(path, name) for path in paths for name in archs]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (path, name), (said, rows) in zip(
                cases, pool.map(lambda case: claims(cutec, *case), cases)):
            print(said, end="")
            for kernel, row in rows.items():
                file = path.relative_to(folder)
                yield f"{row} {file} {kernel}" + (f" {name}" if name else "")


def main():
    cutec, folder, table = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    paths = sorted([*folder.glob("*.mlir"), *folder.glob("tutorial/*.mlir")])
    archs = [None]
    if "optimize" in sys.argv:
        paths, archs = sorted(folder.glob("*_plain.mlir")), ["sm_90a", "sm_100a"]
    expected = [] if "write" in sys.argv else table.read_text(encoding="utf-8").splitlines()
    if "quick" in sys.argv:
        left = {row.split()[1] for row in expected if "-" in row[:6]}
        expected = [row for row in expected if row.split()[1] not in left]
        names = {row.split()[1] for row in expected}
        paths = [path for path in paths if str(path.relative_to(folder)) in names]
    rows = list(rows_of(cutec, folder, paths, archs))
    if "write" in sys.argv:
        table.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
        return
    for row in expected:
        if row not in rows:
            print(f"{row} is expected")
    for row in rows:
        if row not in expected:
            print(f"{row} is proved now, or no longer: examples.py ... write, if that is right")
    print(f"{len(rows)} kernels")


main()
