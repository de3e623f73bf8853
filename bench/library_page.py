#!/usr/bin/env python3
"""Writes docs/library_speed.md from what `./dev bench library --rows speed` printed.

usage: library_page.py LOG... > docs/library_speed.md

A log that a time limit cut into parts may be given as several. Ratios are torch's time over
ours, so that 2 is twice as fast; a group of products gets its geometric mean and its
slowest row. Fails where a log has no rows, or logs of different devices are mixed.
"""
import collections
import math
import re
import sys

BURST = re.compile(r"(?P<label>\S.*?) +(?P<burst>\d+) +(?P<sustained>\d+)  (?P<ratio>[\d.]+)x$")
COLD = re.compile(r"  (?P<size>.+): (?P<ours>[\d.]+) us, torch (?P<torch>[\d.]+), (?P<ratio>[\d.]+)$")
MOVED = re.compile(r"(?P<name>[\w ]+?) (?P<kind>bf16|f32) (?P<size>\d+x\d+) +(?P<ours>\d+) +(?P<torch>\d+) +(?P<copy>\d+)"
                   r" +(?P<ratio>[\d.]+) +(?P<share>[\d.]+)$")


def table(*rows):
    """Lines of a table in Markdown; the first row is its head."""
    lines = ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return [lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""]


def grids(lines):
    """The cold rows by the heading before them."""
    found, group = collections.defaultdict(list), None
    for line in lines:
        if line.startswith("grid ") and ":" not in line:
            group = line.removeprefix("grid ")
        elif row := COLD.match(line):
            found[group].append(row.groupdict())
    return found


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary_of_grids(found):
    yield ("group", "rows", "mean", "slowest")
    for group, rows in found.items():
        slowest = min(rows, key=lambda row: float(row["ratio"]))
        yield (group, len(rows), f"{mean([float(row['ratio']) for row in rows]):.3f}",
               f"{slowest['ratio']} at {slowest['size']}")


def rows_of_grid(rows):
    yield ("", "us", "torch", "ratio")
    for row in rows:
        yield row["size"], row["ours"], row["torch"], row["ratio"]


def bursts(lines):
    """(row, function, figures of ours, figures of the library), in the log's order.

    A label is a row and a function; the first line of a row is the library's."""
    row, library = "", {}
    for found in filter(None, map(BURST.match, lines)):
        label = found["label"]
        if label.endswith(" library"):
            row, library = label.removesuffix(" library").rstrip(), found
        elif label.startswith(row + " "):
            yield row, label.removeprefix(row).strip(), found, library
        else:
            sys.exit(f"library_page.py: no row `library` before {label}")


def rows_of_bursts(found):
    yield ("", "function", "burst, sustained", "library", "ratio of bursts")
    for row, name, ours, library in found:
        yield (row, f"`{name}`", f"{ours['burst']}, {ours['sustained']}",
               f"{library['burst']}, {library['sustained']}", ours["ratio"])


def functions_of_rows(lines):
    """A row for each function and type: its sizes, shares of a copy, and ratios."""
    found = collections.defaultdict(list)
    for row in filter(None, map(MOVED.match, lines)):
        found[row["name"], row["kind"]].append(row)
    yield ("", "sizes", "share of a copy", "ratio")
    for (name, kind), rows in found.items():
        yield (f"`{name}` {kind}", *(", ".join(row[what] for row in rows) for what in ("size", "share", "ratio")))


def page(lines):
    devices = {line for line in lines if line.startswith("on ")}
    found = grids(lines)
    if len(devices) != 1 or not found:
        sys.exit("library_page.py: needs rows of the grid, and in all logs the same line `on DEVICE`")
    yield "# The kernel library's speed\n"
    yield ("`./dev bench library --rows speed` in one run " + devices.pop() + "; `python3 bench/library_page.py LOG` wrote "
           "this page. It times alone; `--rows check` compares results with float64 at random sizes. "
           "A ratio is torch's time over ours.\n")
    yield "## Products, and attention of few rows\n"
    yield "Medians of single launches with a cold L2 cache, in turns with torch (cuBLAS, cuDNN): geometric means by group.\n"
    yield from table(*summary_of_grids(found))
    for group, rows in found.items():
        yield f"### {group}\n"
        yield from table(*rows_of_grid(rows))
    yield "## Bursts\n"
    yield ("TFLOP/s, for `decode` and `w4` GB/s of K and V or of packed weights. A burst is the median of batches of 10 launches "
           "after 0.12 s of rest, sustained are launches back to back. The library is torch, or a copy of as many bytes where "
           "torch has no such function.\n")
    yield from table(*rows_of_bursts(bursts(lines)))
    yield "## Functions of rows\n"
    yield ("Bytes that a function must read and write by its time, as a share of what a copy of them reaches; medians with a cold "
           "L2 cache, in turns with torch.\n")
    yield from table(*functions_of_rows(lines))


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    lines = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            lines += file.read().splitlines()
    print("\n".join(page(lines)).rstrip())


if __name__ == "__main__":
    main()
