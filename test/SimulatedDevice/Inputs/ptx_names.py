"""Checks that docs/simulator.md names the inline PTX that the simulator knows, and no other.

usage: ptx_names.py ROOT
"""
import pathlib
import re
import sys


def names(text, start):
    """The texts that begin the rows of a table in C."""
    begin = text.index(start)
    return set(re.findall(r'\{"([^"]+)"', text[begin:text.index("\n};", begin)]))


def main():
    root = pathlib.Path(sys.argv[1])
    table = (root / "lib/Simulator/ptx/operation_table.c").read_text(encoding="utf-8")
    form = (root / "lib/Simulator/ptx/ptx_form.c").read_text(encoding="utf-8")
    known = names(form, "} instructions[] = {")
    videos = form[form.index("videos[] = {"):]
    known |= set(re.findall(r'"(\w+)"', videos[:videos.index("};")]))
    known |= {n for n in names(table, "Row operations[] = {")
              if not n.startswith(("cute.", "llvm."))}
    known |= {f"%{n}" for n in names(table, "} registers[] = {")}
    page = (root / "docs/simulator.md").read_text(encoding="utf-8")
    begin = page.index("On registers:\n")
    said = set(re.findall(r"`([^`]+)`", page[begin:page.index("Clocks are", begin)]))
    assert said == known, f"not said: {sorted(known - said)}; not there: {sorted(said - known)}"


if __name__ == "__main__":
    main()
