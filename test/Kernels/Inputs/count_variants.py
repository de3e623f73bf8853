"""Counts instructions in the PTX of the variants in a folder, and says how those
differ from the first that have the same lines or name a cluster."""
import pathlib
import re
import sys

NAMES = ["cp.async.cg", "cp.async.ca", "ldmatrix", "mma.sync"]
paths = sorted(pathlib.Path(sys.argv[1]).glob("variant_*.ptx"),
               key=lambda path: int(re.search(r"\d+", path.name)[0]))
first = paths[0].read_text(encoding="utf-8")
for path in paths:
    text = path.read_text(encoding="utf-8")
    counts = [len(re.findall(r"^\s*" + re.escape(name), text, re.M)) for name in NAMES]
    note = ""
    if text != first and sorted(text.split("\n")) == sorted(first.split("\n")):
        note = "the same in another order"
    if cluster := re.search(r"\.reqnctapercluster.*", text):
        note = cluster[0]
    print(path.stem, *counts, note)
