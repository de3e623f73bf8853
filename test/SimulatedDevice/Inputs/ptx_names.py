"""Checks that docs/simulator.md names the inline PTX that the simulator knows, and no other.

usage: ptx_names.py ROOT
"""
import pathlib
import re
import sys


def names(root, table):
    """The texts that name the rows of a table."""
    rows = (root / "dialect/hardware" / table).read_text(encoding="utf-8")
    return set(re.findall(r'^\w+\([^")]*"([^"]+)"', rows, re.MULTILINE))


def main():
    root = pathlib.Path(sys.argv[1])
    known = names(root, "ptx_instruction.def")
    known |= {n for n in names(root, "operation.def")
              if not n.startswith(("cute.", "llvm."))}
    known |= {f"%{n}" for n in names(root, "special_register.def")}
    page = (root / "docs/simulator.md").read_text(encoding="utf-8")
    begin = page.index("On registers:\n")
    said = set(re.findall(r"`([^`]+)`", page[begin:page.index("Clocks are", begin)]))
    assert said == known, f"not said: {sorted(known - said)}; not there: {sorted(said - known)}"


if __name__ == "__main__":
    main()
