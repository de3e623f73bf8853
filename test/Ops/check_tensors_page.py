"""Checks that docs/functions.md and the code of docs/tensors.md are true.

usage: check_tensors_page.py PAGE NAMES HEADERS

NAMES has the functions of the Python interface, one a line: each is in the first
column of the page's table once, if it has one. Every `cute.NAME` of the page is an
op of the dialect, every operation of the calculator in the third column is one,
every function in the fourth is declared in a header of the folder, and each block
of code compiles to PTX.
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
    """(functions, operations of the calculator, functions of C) by row."""
    head = "| Python | dialect | `cute-layout` | C |\n|---|---|---|---|\n"
    rows = page.partition(head)[2].partition("\n\n")[0].splitlines()
    for row in rows:
        cells = row.strip("|").split(" | ")
        yield [re.findall(r"`([\w.]+)`", cells[i]) for i in (0, 2, 3)]


def check_functions(rows, names):
    listed = [name for functions, _, _ in rows for name in functions]
    for name in names if rows else []:
        if listed.count(name) != 1:
            yield f"{name} is in the table {listed.count(name)} times"
    for name in listed:
        if name not in names:
            yield f"{name} is not a function of the interface"


def check_names(page, rows, headers):
    ops = set(re.findall(r"\n### `cute\.(\w+)`",
                         output_of("cute-opt", "--show-doc")))
    types = set(re.findall(r"\n### `!cute\.(\w+)`",
                           output_of("cute-opt", "--show-doc")))
    ops |= {"get_slice", "share_branches"}  # a name in the text alone, an attribute
    for name in sorted(set(re.findall(r"(?<!!)\bcute\.(\w+)", page)) - ops):
        yield f"cute.{name} is not an op"
    for name in sorted(set(re.findall(r"!cute\.(\w+)", page)) - types):
        yield f"!cute.{name} is not a type"
    operations = set(re.findall(r"^(\w+)\(", output_of(
        "cute-layout", "operations"), re.M))
    atom_parts = set(re.findall(r"\b(\w+)\(", output_of(
        "cute-layout", "operations")))
    for _, calculated, in_c in rows:
        for name in set(calculated) - (operations | atom_parts):
            yield f"{name} is not an operation of cute-layout"
        for name in set(in_c):
            if f"{name}(" not in headers:
                yield f"{name} is not a function of the C API"


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
    headers = "".join(file.read_text(encoding="utf-8")
                      for file in pathlib.Path(sys.argv[3]).glob("*.h"))
    rows = list(table_of(page))
    problems = [*check_functions(rows, names),
                *check_names(page, rows, headers),
                *check_code(page)]
    print("\n".join(problems + [f"{len(rows)} rows, {len(names)} functions, "
                                f"{len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
