"""What --cute-sugar prints is the module that it was printed of.

usage: sugar_law.py FILE...

Constants may be at other places: they are put in place of their names.
"""
import re
import subprocess
import sys


def print_module(text, *options):
    return subprocess.run(["cute-opt", "-", "--allow-unregistered-dialect",
                           *options], input=text, text=True,
                          capture_output=True, check=True).stdout


def put_constants(text):
    """The text without constants, and each function's values by number."""
    lines = []
    names = {}
    for line in text.split("\n"):
        if "func @" in line:
            names = {}
        found = re.match(r"\s*(%\w+) = (arith\.constant .*)$", line)
        if found:
            names[found[1]] = "{" + found[2] + "}"
        else:
            lines.append(re.sub(r"%[\w#]+", lambda m: names.get(m[0], m[0]),
                                line))
    return lines


def main():
    wrong = 0
    for path in sys.argv[1:]:
        module = print_module(open(path, encoding="utf-8").read())
        sugar = print_module(module, "--cute-sugar")
        again = print_module(sugar)
        if put_constants(again) != put_constants(module):
            print(path, "is another module after --cute-sugar")
            wrong += 1
    print(len(sys.argv) - 1, "files,", wrong, "wrong")


main()
