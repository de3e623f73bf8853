"""Checks that docs/tensors.md is true.

usage: check_tensors_page.py PAGE NAMES

NAMES has the functions of the Python interface, one a line: each is in the first
column of the page's table once. Every `cute.NAME` of the page is an op of the
dialect, every operation of the calculator that the table names is one, and each
block of code compiles to PTX.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def output_of(*command, text=None):
    done = subprocess.run(command, capture_output=True, text=True, input=text,
                          check=False)
    return done.stdout if done.returncode == 0 else f"\0{done.stderr}"


def table_of(page):
    """(functions, what they are here) by row."""
    rows = page.split("| Python | here |\n|---|---|\n")[1].splitlines()
    for row in rows:
        first, second = re.fullmatch(r"\| (.*?) \| (.*) \|", row).groups()
        yield re.findall(r"`([\w.]+)`", first), second


def check_functions(rows, names):
    listed = [name for functions, _ in rows for name in functions]
    for name in names:
        if listed.count(name) != 1:
            yield f"{name} is in the table {listed.count(name)} times"
    for name in listed:
        if name not in names:
            yield f"{name} is no function of the interface"


def check_names(page, rows):
    ops = set(re.findall(r"\n### `cute\.(\w+)`",
                         output_of("cute-opt", "--show-doc")))
    types = set(re.findall(r"\n### `!cute\.(\w+)`",
                           output_of("cute-opt", "--show-doc")))
    for name in sorted(set(re.findall(r"(?<!!)\bcute\.(\w+)", page)) - ops):
        yield f"cute.{name} is no op"
    for name in sorted(set(re.findall(r"!cute\.(\w+)", page)) - types):
        yield f"!cute.{name} is no type"
    operations = set(re.findall(r"^(\w+)\(", output_of(
        "cute-layout", "operations"), re.M))
    atom_parts = set(re.findall(r"\b(\w+)\(", output_of(
        "cute-layout", "operations")))
    for _, here in rows:
        for part in re.findall(r"cute-layout ((?:`\w+`(?:, )?)+)", here):
            for name in re.findall(r"`(\w+)`", part):
                if name not in operations | atom_parts:
                    yield f"{name} is no operation of cute-layout"


def check_code(page):
    for block in re.findall(r"```mlir\n(.*?)```", page, re.S):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "in.mlir"
            file.write_text(block, encoding="utf-8")
            ptx = output_of("cutec", str(file), "-o", "-")
            if ".entry" not in ptx:
                yield f"does not compile: {ptx}\n{block}"


def main():
    page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    names = [line for line in pathlib.Path(sys.argv[2]).read_text(
        encoding="utf-8").splitlines() if line and line[0] != "#"]
    rows = list(table_of(page))
    problems = [*check_functions(rows, names), *check_names(page, rows),
                *check_code(page)]
    print("\n".join(problems + [f"{len(rows)} rows, {len(names)} functions, "
                                f"{len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
