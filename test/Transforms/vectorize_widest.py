"""What cute-vectorize chooses, against the widest accesses by their definition.

  vectorize_widest.py CUTE-OPT COUNT SEED

A copy of random layouts may take V elements at a time if the elements can be divided
into groups of V that lie side by side, in the same order, in all memory that it
touches, each group at a multiple of V, and if the registers of all groups lie in the
same order. Whether they can is seen by looking at the address of every element. SEED
may be `fresh`.
"""
import math
import random
import re
import subprocess
import sys

WIDTH = {"i8": 8, "f16": 16, "f32": 32, "f64": 64}


def split(rng, extents):
    """The extents, some as products of two: ((2,4), 3) for (8, 3)."""
    result = []
    for extent in extents:
        factors = [f for f in (2, 3, 4) if extent % f == 0 and extent > f]
        if factors and rng.random() < 0.3:
            f = rng.choice(factors)
            result.append([f, extent // f])
        else:
            result.append([extent])
    return result


def strides(rng, modes, order):
    """Strides of all leaves in some order of the modes, compact but for padding."""
    result, step = [[0] * len(m) for m in modes], 1
    for i in order:
        for j, extent in enumerate(modes[i]):
            result[i][j] = step
            step *= extent
        if rng.random() < 0.25:
            step += rng.choice((1, 2, 4, 8))
    return result


def text(modes):
    return "(" + ",".join(str(m[0]) if len(m) == 1 else
                          "(" + ",".join(map(str, m)) + ")" for m in modes) + ")"


class Side:
    def __init__(self, rng, space, case, order):
        self.space = space
        self.modes = split(rng, case.extents) if rng.random() < 0.5 \
            else [[e] for e in case.extents]
        self.steps = strides(rng, self.modes, order)
        self.align = rng.choice((16, 16, 16, 8, 4)) if space != "rmem" else 16
        self.align = max(self.align, case.bits // 8)
        self.swizzle = None
        if space == "smem" and rng.random() < 0.4:
            self.swizzle = (rng.choice((1, 2, 3)), rng.choice((0, 1, 2, 3, 4)), 3)

    def layout(self, values):
        """As text, with the values of an access as mode 0."""
        modes, steps = [list(m) for m in self.modes], [list(s) for s in self.steps]
        if values == 1:
            return f"{text([[1]] + modes)}:{text([[0]] + steps)}"
        return f"{text(modes)}:{text(steps)}"

    def type(self, case):
        layout = self.layout(case.values)
        if self.swizzle:
            layout = "S<%d,%d,%d> o 0 o " % self.swizzle + layout
        return f'!cute.tensor<{case.element}, {self.space}, align<{self.align}>, ' \
            f'"{layout}">'

    def address(self, i):
        at = 0
        for mode, steps in zip(self.modes, self.steps):
            for extent, step in zip(mode, steps):
                at += i % extent * step
                i //= extent
        if self.swizzle:
            b, m, s = self.swizzle
            at ^= (at >> (m + s) & ((1 << b) - 1)) << m
        return at


class Case:
    def __init__(self, rng, number):
        self.number = number
        self.element = rng.choice(list(WIDTH))
        self.width = WIDTH[self.element]
        self.extents = [rng.choice((2, 2, 3, 4, 8, 16)) for _ in range(rng.randint(1, 3))]
        self.values = rng.choice([1, 1, 1, 2])
        self.bits = self.values * self.width
        spaces = rng.choice([("gmem", "gmem"), ("gmem", "rmem"), ("rmem", "gmem"),
                             ("gmem", "smem"), ("smem", "rmem"), ("rmem", "smem"),
                             ("smem", "gmem")])
        order = list(range(len(self.extents)))
        rng.shuffle(order)
        other = order if rng.random() < 0.7 else rng.sample(order, len(order))
        self.sides = [Side(rng, spaces[0], self, order),
                      Side(rng, spaces[1], self, other)]
        self.size = math.prod(self.extents)

    def is_legal(self, values):
        """Whether accesses of so many elements do what the copy does."""
        memory = [s for s in self.sides if s.space != "rmem"]
        if any(s.align * 8 < values * self.width or
               s.swizzle and 1 << s.swizzle[1] < values for s in memory):
            return False
        registers = [s for s in self.sides if s.space == "rmem"]
        groups, layouts = {}, set()
        for i in range(self.size):
            at = [s.address(i) for s in memory + registers]
            groups.setdefault(at[0] // values, []).append(at)
        for group in groups.values():
            group.sort()
            first = group[0][:len(memory)]
            if len(group) != values or any(x % values for x in first):
                return False
            for v, at in enumerate(group):
                if at[:len(memory)] != [x + v for x in first]:
                    return False
            layouts.add(tuple(at[-1] - group[0][-1] for at in group))
        return len(layouts) == 1

    def has_values(self):
        """Whether the copy is valid as it is: mode 0 is the values of an access."""
        return self.values == 1 or (self.is_legal(self.values) and all(
            s.modes[0][0] == self.values for s in self.sides) and all(
                s.steps[0][0] == 1 for s in self.sides))

    def widest(self):
        best = self.values
        while best * 2 * self.width <= 128 and self.is_legal(best * 2):
            best *= 2
        return best * self.width

    def kernel(self):
        lines, names, parameters = "", [], []
        for name, side in zip("sd", self.sides):
            if side.space == "gmem":
                parameters.append(f"%{name}: {side.type(self)}")
            elif side.space == "smem":
                kind = "composed_layout" if side.swizzle else "layout"
                layout = side.type(self).split('"')[1]
                lines += f"""    %l{name} = cute.static : !cute.{kind}<"{layout}">
    %{name} = cute.alloc_smem<{self.element}, {side.align}> (%l{name})
"""
            else:
                lines += f"""    %l{name} = cute.static : !cute.layout<"{side.layout(self.values)}">
    %{name} = cute.make_fragment<{self.element}> (%l{name})
"""
            names.append("%" + name)
        return f"""  gpu.func @f{self.number}({", ".join(parameters)}) kernel {{
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint{self.bits}_t>", {self.element}>
{lines}    cute.copy(%a, {", ".join(names)})
    gpu.return
  }}
"""


def main():
    opt, count, seed = sys.argv[1:4]
    if seed == "fresh":
        seed = random.SystemRandom().randrange(1 << 30)
    print(f"seed {seed}", file=sys.stderr)
    rng, cases = random.Random(int(seed)), []
    while len(cases) < int(count):
        case = Case(rng, len(cases))
        if case.has_values() and case.bits < 128:
            cases.append(case)
    lines, module = {}, "gpu.module @m {\n"
    for case in cases:
        module += case.kernel()
        lines[module[:module.rindex("cute.copy(")].count("\n") + 1] = case
    module += "}\n"
    done = subprocess.run([opt, "-", "--cute-vectorize"], input=module,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    chosen = {}
    for line, words, bits in re.findall(
            r"<stdin>:(\d+):\d+: remark: (accesses|keeps its accesses of) (\d+) bits",
            done.stderr):
        chosen[int(line)] = int(bits)
    wider = 0
    for line, case in lines.items():
        if chosen[line] != case.widest():
            remark = re.search(rf":{line}:\d+: .*", done.stderr)
            sys.exit(f"{chosen[line]} bits, not {case.widest()}:\n{case.kernel()}"
                     f"{remark and remark.group(0)}")
        wider += case.widest() > case.bits
    print(f"{len(cases)} copies have the widest accesses, {wider} wider than before")


if __name__ == "__main__":
    main()
