#!/usr/bin/env python3
"""Fills a folder with variants of the GEMM at 4096 cubed, f16, for speed.sh: other
parameters of its template, and its PTX rewritten to show what a part of the main loop
costs. Those that leave out work give wrong results and are not checked.

  variants.py FOLDER ARCH CUTEC [PATTERN]
"""
import functools
import re

import speed
from speed import kernel, tune

SIZE = "4096x4096x4096"
BASE = {"bm": 256, "bn": 128, "bk": 64, "stages": 3, "warps_m": 4, "warps_n": 2,
        "group": 8}
TILE = {"bm": 128, "bn": 256, "warps_m": 2, "warps_n": 4}


#===-- PTX ----------------------------------------------------------------===#

class Loop:
    """The main loop of PTX, that with the most MMAs, as statements. What comes before
    and behind it is text."""

    def __init__(self, ptx):
        lines = [""]
        for line in ptx.splitlines(keepends=True):
            lines[-1] += line
            if re.fullmatch(r".*[;:{}]|\s*//.*|", line.rstrip()):
                lines.append("")
        starts, loops = {}, []
        for i, line in enumerate(lines):
            if label := re.match(r"(\$\w+):", line):
                starts[label[1]] = i
            if (branch := re.search(r"\bbra\S*\s+(\$\w+);", line)) and branch[1] in starts:
                loops.append((starts[branch[1]], i))
        count = lambda loop: sum("mma.sync" in s for s in lines[slice(*loop)])
        begin, end = max(loops, key=count)
        self.before, self.behind = lines[:begin], lines[end:]
        self.statements = lines[begin:end]

    def text(self):
        return "".join(self.before + self.statements + self.behind)

    def numbered(self, opcode):
        """(place, number) of the statements that begin with an opcode."""
        places = [i for i, s in enumerate(self.statements)
                  if s.strip().startswith(opcode)]
        return list(zip(places, range(len(places))))

    def drop(self, opcode, which):
        """Without those statements for whose number `which` holds."""
        gone = {place for place, number in self.numbered(opcode) if which(number)}
        self.statements = [s for i, s in enumerate(self.statements) if i not in gone]

    def replace(self, opcode, change):
        """With change(statement, number) for each."""
        for place, number in self.numbered(opcode):
            self.statements[place] = change(self.statements[place], number)


def operands(statement):
    """What is in braces and brackets."""
    return re.findall(r"[\[{]([^\]}]*)[\]}]", statement)


def without_copies(share):
    """The first of so many cp.async left out, a share of them."""
    def edit(loop):
        count = len(loop.numbered("cp.async.cg"))
        loop.drop("cp.async.cg", lambda i: (i + 1) * share // count > i * share // count)
    return edit


def without_loads(loop):
    """Fragments are those of before the loop."""
    first = [operands(s)[0].split(", ") for s in loop.before if "ldmatrix" in s]

    def move(statement, number):
        loaded = first[-1 - number % len(first)]
        return "".join(f"\tmov.b32 {to}, {of};\n"
                       for to, of in zip(operands(statement)[0].split(", "), loaded)
                       if to != of)
    loop.replace("ldmatrix", move)


def from_l1(loop):
    """The same bytes each time, which stay in the L1 cache."""
    first = [operands(s)[1] for s in loop.before if "cp.async.cg" in s]

    def fixed(statement, number):
        source = operands(statement)[1]
        return statement.replace(".cg", ".ca").replace(f"[{source}]", f"[{first[number]}]")
    loop.replace("cp.async.cg", fixed)


def by_rows(loop):
    """The MMAs of a k-block with one fragment of A after the other, and those of B back
    and forth."""
    found = loop.numbered("mma.sync")
    size = len(found) // (BASE["bk"] // 16)
    for start in range(0, len(found), size):
        places = [place for place, _ in found[start:start + size]]
        block = [loop.statements[place] for place in places]
        rows = list(dict.fromkeys(operands(s)[1] for s in block))
        columns = list(dict.fromkeys(operands(s)[2] for s in block))

        def order(s):
            row, column = rows.index(operands(s)[1]), columns.index(operands(s)[2])
            return row, column if row % 2 == 0 else -column
        for place, statement in zip(places, sorted(block, key=order)):
            loop.statements[place] = statement


def later(loop):
    """Two thirds of cp.async in the second k-block, the others in the third."""
    copies = [loop.statements[i] for i, _ in loop.numbered("cp.async.c")]
    loop.drop("cp.async.c", lambda i: True)
    mmas = loop.numbered("mma.sync")
    for quarter, part in ((2, copies[8:]), (1, copies[:8])):
        at = mmas[len(mmas) * quarter // 4][0]
        loop.statements[at:at] = part


def in_clusters(count):
    """Blocks that run together in one GPC."""
    def edit(loop):
        loop.before = [re.sub(r"^(\.maxntid.*\n)",
                              rf"\1.explicitcluster\n.reqnctapercluster {count}, 1, 1\n",
                              s, flags=re.M) for s in loop.before]
    return edit


def rewrite(edit, ptx):
    """The PTX after `edit` of its main loop."""
    loop = Loop(ptx)
    edit(loop)
    return loop.text()


#===-- Rows ---------------------------------------------------------------===#

# Label, parameters beside BASE, what becomes of the PTX, whether the result is right.
VARIANTS = [
    ("256x128x64, 3 stages", {}, None, True),
    ("zeros in A and B", {}, None, True),
    ("cp.async in k-blocks 1 and 2", {}, later, True),
    ("without cp.async", {}, without_copies(12), False),
    ("without half of cp.async", {}, without_copies(6), False),
    ("without a third of cp.async", {}, without_copies(4), False),
    ("cp.async from the L1 cache", {}, from_l1, False),
    ("without ldmatrix", {}, without_loads, False),
    ("MMAs by rows", {}, by_rows, True),
    ("clusters of 2 blocks", {}, in_clusters(2), True),
    ("clusters of 4 blocks", {}, in_clusters(4), True),
    ("4 stages", {"stages": 4}, None, True),
    ("32 of K, 6 stages", {"bk": 32, "stages": 6}, None, True),
    ("group=0", {"group": 0}, None, True),
    ("group=4", {"group": 4}, None, True),
    ("group=16", {"group": 16}, None, True),
    ("128x256x64, 3 stages", TILE, None, True),
    ("128x256x128, 2 stages", {**TILE, "bk": 128, "stages": 2}, None, True),
    ("128x128x64, 3 stages, 4 warps", {"bm": 128, "warps_m": 2}, None, True),
    ("256x64x64, 4 stages, 4 warps", {"bn": 64, "warps_n": 1, "stages": 4}, None, True),
    ("128x64x32, 4 stages, 2 warps",
     {"bm": 128, "bn": 64, "bk": 32, "warps_m": 2, "warps_n": 1, "stages": 4}, None,
     True),
]


class VariantFiller(speed.Filler):
    """Rows of variants."""

    def line(self, number, row):
        label, given, edit, right = row
        template = self.templates["gemm_sm80"]
        given = {**BASE, **given, "arch": self.arch}
        path = self.folder / f"variant_{number}.mlir"
        path.write_text(template.render(given), encoding="utf-8")
        self.compile(path, path.stem, edit and functools.partial(rewrite, edit))
        run = tune.run_arguments(template, given, SIZE)
        arguments = [re.sub(r"normal\(.\)", "zeros", a) if "zeros" in label else a
                     for a in run["arguments"]]
        check = [f"--check={run['check']}", f"--tolerance={run['tolerance']}",
                 f"--sample={speed.SAMPLE}"]
        return [label, path.stem, "--baseline=cublas",
                *(check if right else [f"--flops={run['operations']}"]), "--",
                *arguments]


if __name__ == "__main__":
    speed.fill(VariantFiller, VARIANTS)
