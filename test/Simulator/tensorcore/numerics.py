"""Compares the simulator's sums of tensor cores with the vectors of a model, bit for bit, and
prints how many of each instruction agree.

usage: numerics.py FUSED_SUM_TEST VECTORS.jsonl

A line of VECTORS.jsonl is one dot product: instruction `i`, generation `arch`, shape and types
`q`, a row of A, a column of B, C, D and scale factors in hexadecimal digits.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ARCHITECTURES = {"Ampere": 80, "Ada Lovelace": 89, "Hopper": 90, "Blackwell": 100,
                 "RTX Blackwell": 120}


def line_of(row):
    """Returns the vector as fused_sum_test reads it."""
    d, a, b, *rest = [word for word in row["q"].split(".")[1:] if not word.startswith("block")]
    factors = rest[-1] if "block_scale" in row["i"] else "-"
    return " ".join((str(ARCHITECTURES[row["arch"]]), d, a, b, factors,
                     str(int(row["i"] == "wgmma")), row["c"], row["d"], row["a"], row["b"],
                     row.get("sa", "-"), row.get("sb", "-")))


def main():
    test, vectors = sys.argv[1:]
    groups = collections.defaultdict(list)
    with open(vectors, encoding="utf-8") as file:
        for row in map(json.loads, file):
            groups[row["i"], row["arch"]].append(line_of(row))
    agreed = total = 0
    for (instruction, arch), lines in groups.items():
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            out = subprocess.run([test], env={**os.environ, "FUSED_SUMS": file.name},
                                 capture_output=True, text=True, check=False)
        n = int(re.search(r"^(\d+) of \d+ agree", out.stdout, re.M)[1])
        print(f"{instruction} of {arch}: {n} of {len(lines)} agree in bits")
        sys.stderr.write(out.stderr)
        agreed, total = agreed + n, total + len(lines)
    print(f"{agreed} of {total} agree in bits")
    return agreed != total


if __name__ == "__main__":
    sys.exit(main())
