"""Finds registers of A that SASS overwrites while a product of a warpgroup may still read them:
between an HGMMA with A in registers and the WARPGROUP.DEPBAR that waits for its group. ptxas
does not keep them by itself.

usage: registers_in_flight.py SASS ...    what nvdisasm -c writes

The code is followed in the order of its lines, and once along each branch back.
"""
import pathlib
import re
import sys

# What begins with a register and does not write it.
READERS = ("ST", "BRA", "RED", "ATOM", "UTMA", "SYNCS", "BAR", "R2UR", "LDGSTS")


def instructions(text):
    """The instructions without predicates, and the number of the first one after each label."""
    found, labels = [], {}
    for line in text.splitlines():
        if label := re.match(r"\s*(\.L_x_\d+):", line):
            labels[label[1]] = len(found)
        elif code := re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?(\S.*?)\s*;", line):
            found.append(code[1])
    return found, labels


def written(code):
    """The registers that an instruction writes, its accumulators apart."""
    operation = code.split()[0]
    first = re.match(r"\S+ R(\d+)\b", code)
    if not first or operation.startswith(READERS) or operation.startswith("HGMMA"):
        return set()
    wide = 4 if ".128" in operation else 2 if ".64" in operation or ".WIDE" in operation else 1
    return set(range(int(first[1]), int(first[1]) + wide))


def overwritten(text):
    """Instructions that write a register of A in flight."""
    codes, labels = instructions(text)
    groups, group, taken, found, i = [], set(), set(), {}, 0
    while i < len(codes):
        code = codes[i]
        if code.startswith("HGMMA"):
            if a := re.match(r"\S+ R\d+, R(\d+), gdesc", code):
                group |= set(range(int(a[1]), int(a[1]) + 4))
            if "gsb0" in code:
                groups.append(group)
                group = set()
        elif code.startswith("WARPGROUP.DEPBAR"):
            pending = int(re.search(r"gsb0, (0x[0-9a-f]+)", code)[1], 16)
            groups = groups[len(groups) - pending:] if pending < len(groups) else groups
            groups = groups if pending else []
        elif written(code) & set().union(group, *groups):
            found[i] = code
        back = re.match(r"BRA.*(\.L_x_\d+)", code)
        if back and labels.get(back[1], i + 1) <= i and i not in taken:
            taken.add(i)
            i = labels[back[1]]
        else:
            i += 1
    return list(found.values())


def main():
    for path in map(pathlib.Path, sys.argv[1:]):
        found = overwritten(path.read_text(encoding="utf-8"))
        print(f"{path.name}: {len(found)} overwritten", *found[:3], sep="\n  ")


main()
