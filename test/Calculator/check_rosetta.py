"""Checks docs/rosetta.md against the tools.

usage: check_rosetta.py PAGE

Every expression of the last column is one that the calculator evaluates, and every
`cute.NAME` of the third column an op of the dialect. A table of two columns has
expressions and what they give.
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


def evaluate(text):
    """What the calculator prints for an expression, or `error: ` and why."""
    run = subprocess.run(["cute-layout", "eval", text], capture_output=True,
                         text=True, check=False)
    return (run.stderr if run.returncode else run.stdout).splitlines()[0]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    doc = subprocess.run(["cute-opt", "--show-doc"], capture_output=True,
                         text=True, check=True).stdout
    ops = set(re.findall(r"\n### `cute\.(\w+)`", doc))
    problems, expressions, names = [], 0, 0
    for cells in rows(page):
        if len(cells) == 2:
            expressions += 1
            text, wanted = (cell.strip("`") for cell in cells)
            result = evaluate(text)
            if result != wanted:
                problems.append(f"{text}: {result}, not {wanted}")
            continue
        for name in re.findall(r"`cute\.(\w+)", cells[2]):
            names += 1
            if name not in ops and name not in ("parameters", "get_slice"):
                problems.append(f"cute.{name} is not an op")
        for text in re.findall(r"`([^`]+)`", cells[3] if len(cells) > 3 else ""):
            expressions += 1
            result = evaluate(text)
            if result.startswith("error: "):
                problems.append(f"{text}: {result}")
    print("\n".join(problems))
    print(f"{expressions} expressions, {names} ops, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
