#!/usr/bin/env python3
"""Counts the lines of scalar code in examples/: ops of arith, math, index and vector,
expressions, conversions and numbers.

usage: bench/scalar_lines.py [REVISION] [REVISION]

Without a revision it is the working tree. Loops, branches and their yields, places of
threads and blocks, and the dialect's ops are counted apart. With two revisions only files that
both have count, and the last line is the ratio of the first to the second.
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
    ("tiles", rf"(?:{DEFINED})?cute\.\w+(?:<.*?>(?= ?\()|<.*>)?"
              r"(?: ?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?(?:$| [:{]| ->)"),
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


def count(revision, files):
    kinds = collections.Counter()
    for name in files:
        for line in read(revision, name).split("\n"):
            line = re.sub(r"\s*//.*", "", line).strip()
            for kind, pattern in KINDS:
                if re.match(pattern, line):
                    kinds[kind] += 1
                    break
    return kinds


def main():
    sums = []
    revisions = sys.argv[1:3] or [""]
    files = set.intersection(*map(names, revisions))
    for revision in revisions:
        kinds = count(revision, files)
        sums.append(sum(kinds[kind] for kind in SCALAR))
        print(revision or "here", sums[-1], "scalar:",
              ", ".join(f"{kinds[kind]} {kind}" for kind, _ in KINDS))
    if len(sums) == 1:
        sums.insert(0, sums[0])
    print(f"{sums[0] / sums[-1]:.2f} times fewer")


main()
