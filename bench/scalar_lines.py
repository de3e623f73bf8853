#!/usr/bin/env python3
"""Counts the lines of scalar code in examples/: ops of arith, math, index and vector,
expressions, conversions and numbers.

usage: bench/scalar_lines.py [REVISION] [REVISION]

Without a revision it is the working tree. Loops, branches and their yields, places of
threads and blocks, and the dialect's ops are counted apart. With two revisions the last line
is the ratio of the first to the second, of files that both have and of all; "" is the tree.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFINED = r"(?:%[\w$]+(?::\d+)?, )*%[\w$]+(?::\d+)? = "
KINDS = (
    ("control", rf"(?:{DEFINED})?(?:scf\.|for %|if |yield\b|\}} else if)"),
    ("places", rf"{DEFINED}(?:gpu\.(?:thread|block|grid|cluster)_\w+ "
               r"|cute\.(?:thread|block|warp|lane|grid)_\w+(?:<\"\w\">)?$)"),
    ("ops", rf"(?:{DEFINED})?(?:arith|math|index|vector)\.\w+ "),
    ("numbers", rf"{DEFINED}(?:-?\d[\w.+-]*|true|false) : \S+$"),
    ("conversions", rf"{DEFINED}[a-z]+\d*[su]?\(%[\w$#]+\)$"),
    ("tiles", rf"(?:{DEFINED})?cute\.\w+(?:<.*?>(?= ?\()|<.*>)?(?: ?\(\))?(?:$| [:{{]| ->)"),
    ("elements", r"%[\w$]+\["),
    ("expressions", DEFINED + r"(?!gpu\.|func\.|nvvm\.|llvm\.)"),
)
SCALAR = ("ops", "numbers", "conversions", "elements", "expressions")


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], check=True, text=True,
                          capture_output=True).stdout


def names(revision):
    files = (git("ls-tree", "-r", "--name-only", revision, "examples").split() if revision else
             (str(path.relative_to(ROOT)) for path in (ROOT / "examples").rglob("*.mlir")))
    return {name for name in files if name.endswith(".mlir")}


def read(revision, name):
    return (git("show", f"{revision}:{name}") if revision else
            (ROOT / name).read_text(encoding="utf-8"))


def without_operands(line):
    """The line with `()` for what is in parentheses."""
    while (less := re.sub(r"\((?:[^()]|\(\))+\)", "()", line)) != line:
        line = less
    return line


def kind_of(line):
    line = re.sub(r"\s*//.*", "", line).strip()
    return next((kind for kind, pattern in KINDS
                 if re.match(pattern, without_operands(line) if kind == "tiles" else line)), None)


def count(revision, files):
    return collections.Counter(kind_of(line) for name in files
                               for line in read(revision, name).split("\n"))


def scalar(kinds):
    return sum(kinds[kind] for kind in SCALAR)


def main():
    revisions = sys.argv[1:3] or [""]
    files = [names(revision) for revision in revisions]
    kinds = [count(*pair) for pair in zip(revisions, files)]
    for revision, found in zip(revisions, kinds):
        print(revision or "here", scalar(found), "scalar:",
              ", ".join(f"{found[kind]} {kind}" for kind, _ in KINDS))
    if len(revisions) == 2:
        both = [scalar(count(revision, files[0] & files[1])) for revision in revisions]
        print(f"{both[0]} -> {both[1]} in files of both, {both[0] / both[1]:.2f} times fewer;",
              f"{scalar(kinds[0]) / scalar(kinds[1]):.2f} in all")


main()
