"""Edits of the GEMM's PTX that show what a part of its main loop costs, for the rows of
the table `variants`. Variants that leave out work give wrong results.
"""
import re


#===-- PTX ----------------------------------------------------------------===#

class Loop:
    """The main loop of PTX, that with the most MMAs, as statements. What comes before
    and after it is text."""

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
        self.before, self.after = lines[:begin], lines[end:]
        self.statements = lines[begin:end]

    def text(self):
        return "".join(self.before + self.statements + self.after)

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


def without_copies(loop, share):
    """So many of the first cp.async left out, spread over all."""
    share, count = int(share), len(loop.numbered("cp.async.cg"))
    loop.drop("cp.async.cg", lambda i: (i + 1) * share // count > i * share // count)


def without_loads(loop):
    """Fragments keep their values from before the loop."""
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


def by_columns(loop):
    """The MMAs of a k-block with one fragment of B after the other, and A's up and down."""
    found = loop.numbered("mma.sync")
    size = len(found) // 4
    for start in range(0, len(found), size):
        places = [place for place, _ in found[start:start + size]]
        block = [loop.statements[place] for place in places]
        rows = list(dict.fromkeys(operands(s)[1] for s in block))
        columns = list(dict.fromkeys(operands(s)[2] for s in block))

        def order(s):
            row, column = rows.index(operands(s)[1]), columns.index(operands(s)[2])
            return column, row if column % 2 == 0 else -row
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


def in_clusters(loop, count):
    """So many blocks run together in one GPC."""
    loop.before = [re.sub(r"^(\.maxntid.*\n)",
                          rf"\1.explicitcluster\n.reqnctapercluster {count}, 1, 1\n",
                          s, flags=re.M) for s in loop.before]


EDITS = {edit.__name__: edit for edit in (
    later, without_copies, from_l1, without_loads, by_columns, in_clusters)}


def rewrite(text, ptx):
    """The PTX after an edit of its main loop: a name of EDITS, and perhaps a number."""
    name, *numbers = text.split()
    loop = Loop(ptx)
    EDITS[name](loop, *numbers)
    return loop.text()
