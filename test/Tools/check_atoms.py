"""Checks that every line is an atom with the fields of its kind."""
import json
import re
import sys

COMMON = {"name": str, "kind": str, "arch": str, "instruction": str,
          "compiles": bool, "class": str, "thr_id": str, "ThrID": str}
FIELDS = {
    "mma": {"shape_mnk": str, "Shape_MNK": str, "ALayout": str, "BLayout": str,
            "CLayout": str,
            **{f"{x}Tile": str for x in "ABC"},
            **{f"ValType{x}": str for x in "ABCD"},
            **{f"ValType{x}_bits": int for x in "ABCD"}},
    "copy": {"bits": int, "SrcLayout": str, "DstLayout": str, "RefLayout": str,
             "ValID": str}}

# Beside A, B and C, where the atom has them.
EXTRAS = {"E": "_SPARSE_", "SFA": "_VS<", "SFB": "_VS<"}

counts = {"mma": 0, "copy": 0}
names = set()
for line in sys.stdin:
    atom = json.loads(line)
    wanted = {**COMMON, **FIELDS[atom["kind"]]}
    for x, part in EXTRAS.items():
        if part in atom["name"]:
            wanted |= {f"{x}Layout": str, f"{x}Tile": str, f"ValType{x}": str,
                       f"ValType{x}_bits": int}
    if atom["class"] == "REDUCE":
        wanted |= {"ValType": str, "ValType_bits": int}
    assert {k: type(v) for k, v in atom.items()} == wanted, line
    assert re.fullmatch(r"sm_\d+a?", atom["arch"]), line
    assert atom["name"] not in names, line
    names.add(atom["name"])
    counts[atom["kind"]] += 1
assert counts["mma"] > 1000 and counts["copy"] > 20, counts
