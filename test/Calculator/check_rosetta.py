"""Checks docs/rosetta.md against the tools.

usage: check_rosetta.py PAGE

Every expression of the last column is one that the calculator evaluates, and every
`cute.NAME` of the third column an op of the dialect.
"""
import re
import subprocess
import sys


def rows(page):
    for line in page.splitlines():
        cells = re.split(r" \| ", line.strip().removeprefix("| ").removesuffix(" |"))
        if line.startswith("| `") or line.startswith("| an ") or (
                line.startswith("| template")):
            yield cells


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    doc = subprocess.run(["cute-opt", "--show-doc"], capture_output=True,
                         text=True, check=True).stdout
    ops = set(re.findall(r"\n### `cute\.(\w+)`", doc))
    problems, expressions, names = [], 0, 0
    for cells in rows(page):
        for name in re.findall(r"`cute\.(\w+)", cells[2]):
            names += 1
            if name not in ops and name != "parameters":
                problems.append(f"cute.{name} is no op")
        for text in re.findall(r"`([^`]+)`", cells[3] if len(cells) > 3 else ""):
            expressions += 1
            run = subprocess.run(["cute-layout", "eval", text],
                                 capture_output=True, text=True, check=False)
            if run.returncode:
                problems.append(f"{text}: {run.stderr.splitlines()[0]}")
    print("\n".join(problems))
    print(f"{expressions} expressions, {names} ops, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
