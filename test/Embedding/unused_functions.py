"""Prints the functions in the output of nm that no test and no example names.

usage: unused_functions.py ROOT NM_OUTPUT
"""
import pathlib
import re
import sys

root, listing = map(pathlib.Path, sys.argv[1:])
used = set()
for folder in "test", "examples":
    for path in (root / folder).rglob("*"):
        if path.suffix in {".c", ".h", ".py", ".rs"}:
            used.update(re.findall(r"\bcute[A-Za-z0-9]+", path.read_text(encoding="utf-8")))
for line in listing.read_text(encoding="utf-8").splitlines():
    name = line.split()[-1]
    if name.startswith("cute") and name not in used:
        print(name)
