"""Times the simulator on the PTX of examples and kernels beside their LLVM IR.

usage: ptx_speed.py CUTE_RUN FOLDER [--turns=N] [--checks=off] [PATTERN]

FOLDER is what `agreement.py fill CUTEC CUTE_RUN FOLDER --rows=gpu` has made: kernels as LLVM
IR, in device/ as PTX, and rows of arguments. Of each kernel the row with the largest
arguments runs both ways in turns, after a comparison of what they write. Prints the least
times of translation ("load") and execution ("run"), and how many times as long PTX takes.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import tempfile

import agreement


def size(row):
    """The number of elements of a row's tensors."""
    shapes = re.findall(r"\[\(?([\dx,]+)", " ".join(row["arguments"]))
    return sum(math.prod(int(n) for n in re.split("[x,]", shape) if n) for shape in shapes)


def largest_rows(folder, pattern):
    rows = {}
    for row in json.loads((folder / "device" / "rows.json").read_text(encoding="utf-8")):
        before = rows.get(row["kernel"])
        if row["kernels"] and pattern in row["label"] and (not before or size(row) > size(before)):
            rows[row["kernel"]] = row
    return list(rows.values())


def run(given, manifest, row, prefix):
    """Seconds of loading and running, and the hashes of the tensors."""
    options = ["--device=sim", "--time", f"--checks={given.checks}"] if given.checks else [
        "--device=sim", "--time"]
    done = subprocess.run([given.cute_run, *agreement.command(
        options, manifest, row["arguments"], prefix)], capture_output=True, text=True, check=True)
    times = dict(re.findall(r"^(\w+) +([\d.]+) s$", done.stderr, re.M))
    hashes = [agreement.read(f"{prefix}.{i}.npy")[1] for i in agreement.outputs(row["arguments"])]
    return float(times["load"]), float(times["run"]), hashes


def compare(given, row, scratch):
    """The least times of both ways, by turns."""
    ways = [given.folder, given.folder / "device"]
    times = [[], []]
    for _ in range(given.turns):
        hashes = []
        for found, folder in zip(times, ways):
            *seconds, written = run(given, folder / f"{row['kernel']}.json", row, f"{scratch}/out")
            found.append(seconds)
            hashes.append(written)
        if hashes[0] != hashes[1] and "split_k" not in row["kernel"]:
            raise SystemExit(f"{row['label']}: PTX writes other bits than LLVM IR")
    return [[min(column) for column in zip(*found)] for found in times]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cute_run")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--checks")
    given = parser.parse_args()
    totals = [[0, 0], [0, 0]]
    print(f"{'row':44} {'IR: load':>9} {'run':>8} {'PTX: load':>10} {'run':>8} {'ratio':>6} "
          f"{'of all':>6}")
    with tempfile.TemporaryDirectory() as scratch:
        for row in largest_rows(given.folder, given.pattern):
            ir, ptx = compare(given, row, scratch)
            for total, seconds in zip(totals, (ir, ptx)):
                total[:] = [a + b for a, b in zip(total, seconds)]
            print(f"{row['label'].split('  ')[0]:44} {ir[0]:9.3f} {ir[1]:8.3f} {ptx[0]:10.3f} "
                  f"{ptx[1]:8.3f} {ptx[1] / ir[1]:6.2f} {sum(ptx) / sum(ir):6.2f}", flush=True)
    ir, ptx = totals
    print(f"{'all':44} {ir[0]:9.3f} {ir[1]:8.3f} {ptx[0]:10.3f} {ptx[1]:8.3f} "
          f"{ptx[1] / ir[1]:6.2f} {sum(ptx) / sum(ir):6.2f}")


if __name__ == "__main__":
    main()
