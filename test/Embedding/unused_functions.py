"""Prints the functions in the output of nm that no test calls: no program under test/,
be it C, Python by ctypes or Rust. Comments and what examples call do not count.

usage: unused_functions.py ROOT NM_OUTPUT
"""
import pathlib
import re
import sys

COMMENTS = {".py": re.compile(r'#[^\n]*|"""(?:.*?)"""', re.DOTALL)}
C_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def names_in(path):
    text = path.read_text(encoding="utf-8")
    text = COMMENTS.get(path.suffix, C_COMMENTS).sub("", text)
    return re.findall(r"\bcute[A-Za-z0-9]+", text)


root, listing = map(pathlib.Path, sys.argv[1:])
used = set()
for path in (root / "test").rglob("*"):
    if path.suffix in {".c", ".h", ".py", ".rs"}:
        used.update(names_in(path))
for line in listing.read_text(encoding="utf-8").splitlines():
    name = line.split()[-1]
    if name.startswith("cute") and name not in used:
        print(name)
