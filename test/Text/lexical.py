"""What cute-opt prints is made of MLIR's tokens, and each line closes what it
opens, regions apart: what grammars for colours and indentation rely on.

usage: lexical.py ROOT

Prints the suite's modules in the pretty form and checks each line.
"""
import glob
import os
import re
import subprocess
import sys

TOKEN = re.compile(r'''
    "(?:[^"\\\n]|\\.)*"               # strings end on their line
  | //.*                              # comments
  | ->|::|\.\.\.|[<>=]=                # no brackets
  | [%\#^!@]?[A-Za-z_$][\w$.-]*       # words, and names with a sigil
  | [%\#^!]\d+(?:\#\d+)?
  | \#\d+                             # %a#1
  | @"(?:[^"\\\n]|\\.)*"
  | \d[\w.]*(?:[eE][+-]?\d+)?         # numbers, and 4x8xf16
  | [()\[\]{}<>,:=*+?/|-]
  | \s+''', re.X)
PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}


def problem(line):
    """What is wrong with a line, or None."""
    at, tokens = 0, []
    while at < len(line):
        match = TOKEN.match(line, at)
        if not match:
            return "no token begins at column %d" % (at + 1)
        tokens.append(match[0])
        at = match.end()
    solid = [token for token in tokens if not token.isspace()
             and not token.startswith("//")]
    if solid and solid[0] == "}":  # ends a region
        solid = solid[1:]
        while solid and solid[0] in (")", ","):  # of the generic form
            solid = solid[1:]
    opened = []
    for token in solid:
        if token in PAIRS.values():
            opened.append(token)
        elif token in PAIRS and (not opened or opened.pop() != PAIRS[token]):
            return "'%s' closes nothing on its line" % token
    if opened and "".join(opened) not in ("{", "({"):
        return "'%s' is not closed on its line" % opened[-1]
    return None


def printed(path):
    run = subprocess.run(
        ["cute-opt", "--split-input-file", "--allow-unregistered-dialect",
         path], capture_output=True, text=True, check=False)
    return run.stdout.splitlines()


def main():
    root = sys.argv[1]
    paths = [path for pattern in ("examples/*.mlir", "test/IR/*.mlir", "test/Text/*.mlir",
                                  "test/Ops/*/roundtrip.mlir")
             for path in sorted(glob.glob(os.path.join(root, pattern)))
             if "invalid" not in path]
    count = problems = 0
    for path in paths:
        for line in printed(path):
            count += 1
            wrong = problem(line)
            if wrong:
                problems += 1
                print("%s: %s\n  %s" % (os.path.relpath(path, root), wrong,
                                        line))
    for line in ('%0 = "a"() : () -> (i32', "cute.get<[0] (%x)", '"a',
                 "%0 = ` : i32", "[{", "foo)"):
        if not problem(line):
            problems += 1
            print("nothing is found wrong with: %s" % line)
    print("%d lines, %d problems" % (count, problems))
    return 1 if problems or count < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
