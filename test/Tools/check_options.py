"""Checks docs/cute-opt.md against cute-opt and mlir-opt.

usage: check_options.py FILE.md

The tables of the page list options of cute-opt alone, of both tools, and of
mlir-opt alone. Each must be known to the tools that have it and unknown to the
other; each option that cute-opt's help lists must be in the first two, and each
of mlir-opt's that begins with --mlir- in the last two.
"""
import re
import subprocess
import sys


def help_of(tool):
    """The options in a tool's help, passes left out."""
    text = subprocess.run([tool, "--help-hidden" if tool == "mlir-opt" else
                           "--help"], capture_output=True, text=True,
                          check=True).stdout
    pattern = r"(?:^ +|, )(--?[\w-]+)"
    if tool == "cute-opt":
        text = text.partition("\nOPTIONS:")[2].replace("-h, ", "")
        pattern = r"^  (--?[\w-]+)"
    return set(re.findall(pattern, text, re.M))


def is_unknown(option):
    run = subprocess.run(["cute-opt", "/dev/null", option],
                         capture_output=True, text=True, check=False)
    return f"unknown option '{option}'" in run.stderr


def problems(page):
    own, both, theirs = [
        set(re.findall(r"^\| `(--?[\w-]+)", part, re.M))
        for part in page.split("\n## ")[1:4]]
    ours, mlir = help_of("cute-opt"), help_of("mlir-opt")
    named = {o for o in mlir if o.startswith("--mlir-")}
    for wrong, what in (
            (ours - own - both, "is not in the page"),
            ((own | both) - ours, "is not in cute-opt's help"),
            (own & mlir, "is an option of mlir-opt too"),
            ((both | theirs) - mlir - {"-o"}, "is not an option of mlir-opt"),
            (named - both - theirs, "of mlir-opt is not in the page"),
            ({o for o in theirs if not is_unknown(o)}, "is not left out")):
        yield from (f"{option} {what}" for option in sorted(wrong))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(problems(file.read()))
    print("\n".join(found + [f"{len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
