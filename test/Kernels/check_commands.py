#!/usr/bin/env python3
"""Runs the commands of a file in this process, which saves the start of one for each,
and looks in what they print for the indented lines after them, in this order.

  check_commands.py FILE

Commands begin with "$ kernel.py". {{...}} in a line is a regular expression; a line that
begins with "error:" is what the command must fail with.
"""
import contextlib
import io
import pathlib
import re
import runpy
import shlex
import sys

KERNELS = pathlib.Path(__file__).parents[2] / "kernels"
sys.path.insert(0, str(KERNELS))


def run(arguments):
    """What the command prints, and the message with which it ends."""
    sys.argv = ["kernel.py", *arguments]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            runpy.run_path(str(KERNELS / "kernel.py"), run_name="__main__")
        except SystemExit as end:
            return printed.getvalue(), str(end.code)
    return printed.getvalue(), ""


def pattern(text):
    """A regular expression for a line with {{...}}; a space is one or more."""
    return "".join(part if i % 2 else re.escape(part).replace("\\ ", " +")
                   for i, part in enumerate(re.split(r"\{\{(.*?)\}\}", text)))


def lacks(expected, printed, message):
    """The first line that is not there; a message where none is expected."""
    position = 0
    for line in expected:
        if line.startswith("error:"):
            if not re.search(pattern(line), message, re.S):
                return line
            message = ""
            continue
        found = re.compile(pattern(line), re.M).search(printed, position)
        if not found:
            return line
        position = found.end()
    return "success" if message else None


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    commands = re.findall(r"^\$ kernel\.py(.*)\n((?:  .*\n)+)", text, re.M)
    wrong = 0
    for command, lines in commands:
        printed, message = run(shlex.split(command))
        missing = lacks([line.strip() for line in lines.splitlines()], printed, message)
        if missing:
            wrong += 1
            print(f"$ kernel.py{command}\n  lacks {missing} in\n{printed}{message}")
    print(f"{len(commands)} commands, {wrong} wrong")
    sys.exit(bool(wrong) or len(commands) != text.count("$ kernel.py"))


if __name__ == "__main__":
    main()
