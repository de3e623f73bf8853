#!/usr/bin/env python3
"""Checks that the code in a page is that of the files it speaks about.

usage: check_snippets.py PAGE.md

Each line of a block that starts with ```mlir occurs in the file of the last
link to a .mlir before it, and lines of a block in their order there.
"""
import pathlib
import re
import sys


def main():
    page = pathlib.Path(sys.argv[1])
    code, at, inside, count, failed = [], 0, False, 0, False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside, at = line == "```mlir", 0
            continue
        if not inside:
            for link in re.findall(r"\]\(([^)]*\.mlir)\)", line):
                code = (page.parent / link).read_text().splitlines()
            continue
        count += 1
        if line in code[at:]:
            at = code.index(line, at) + 1
        else:
            print(f"{page.name}:{number}: not in the file: {line}")
            failed = True
    print(f"{page.name}: {count} lines of code")
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
