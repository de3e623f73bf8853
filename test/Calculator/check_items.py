"""Checks docs/items.md against the tools and the tree.

usage: check_items.py PAGE ROOT

An expression "gives" what the calculator prints, or "fails with" part of its message;
`cute.NAME` is an op, and test/... and examples/... are files.
"""
import os
import re
import subprocess
import sys

VERDICTS = ("no", "partly", "otherwise")


def check_expressions(text):
    """Says which expressions of a cell have other results."""
    for expression, how, wanted in re.findall(
            r"`([^`]+)` (gives|fails with) `([^`]+)`", text):
        run = subprocess.run(["cute-layout", "eval", expression],
                             capture_output=True, text=True, check=False)
        if how == "gives" and run.stdout.strip() != wanted:
            yield f"{expression}: {run.stdout or run.stderr}"
        if how == "fails with" and not (run.returncode and wanted in run.stderr):
            yield f"{expression}: {run.stdout or run.stderr}"


def check_names(text, ops, root):
    """Says which ops and files of a cell are none."""
    for name in re.findall(r"`cute\.(\w+)", text):
        if name not in ops:
            yield f"cute.{name} is not an op"
    for path in re.findall(r"\b((?:test|examples)/[\w/.]*\w)", text):
        if not os.path.exists(os.path.join(root, path)):
            yield f"{path} is not a file"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    doc = subprocess.run(["cute-opt", "--show-doc"], capture_output=True,
                         text=True, check=True).stdout
    ops = set(re.findall(r"\n### `cute\.(\w+)`", doc))
    rows = [line.strip("| ").split(" | ") for line in page.splitlines()
            if line.startswith("| ")][1:]
    problems = [p for row in rows if len(row) != 3 for p in [f"{row}: not three"]]
    for row in rows:
        problems += check_expressions(row[2])
        problems += check_names(row[2], ops, sys.argv[2])
    problems += [f"{row[0]}: '{row[1]}' is none of {', '.join(VERDICTS)}"
                 for row in rows if row[1] not in VERDICTS]
    print("\n".join(problems))
    print(f"{len(rows)} items, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
