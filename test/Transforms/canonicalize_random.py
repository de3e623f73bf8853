"""cute-canonicalize changes no integer that a program computes.

usage: canonicalize_random.py COUNT SEED

Random kernels build values of the dialect from i32 constants, which the dialect
takes for dynamic, and return the integers of all of them. Each is lowered and
folded to constants with and without cute-canonicalize: the constants must be
the same. A second run of the pass must change nothing, and over all kernels it
must leave fewer ops.
"""
import random
import re
import subprocess
import sys

LOWER = ["--cute-to-nvvm", "--canonicalize", "--sccp", "--canonicalize"]
TUPLES = ["shape", "stride", "coord", "int_tuple"]


class Value:
    """An SSA value: its kind, its tree (None where not known; a leaf is 0), and
    whether all its integers are known to be positive."""

    def __init__(self, name, kind, tree, positive=True):
        self.name, self.kind, self.tree = name, kind, tree
        self.positive = positive


def leaves(tree):
    return sum(map(leaves, tree)) if isinstance(tree, list) else 1


def flat(tree):
    return [0] * leaves(tree) if isinstance(tree, list) else 0


def rank(tree):
    return len(tree) if isinstance(tree, list) else 1


class Kernel:
    def __init__(self, rng, size):
        self.rng, self.lines, self.count = rng, [], 0
        self.values, self.ints, self.observed = [], [], []
        for _ in range(4):
            self.constant()
        for _ in range(3):
            self.make(rng.choice(TUPLES))
            self.layout()
        self.body(size, 2)

    def fresh(self):
        self.count += 1
        return "%%v%d" % self.count

    def emit(self, text):
        name = self.fresh()
        self.lines.append("%s = %s" % (name, text))
        return name

    def add(self, kind, tree, text, positive=True):
        self.values.append(Value(self.emit(text), kind, tree, positive))
        self.values[-1].text = text
        return self.values[-1]

    def pick(self, kinds, known=True, positive=False):
        found = [v for v in self.values if v.kind in kinds
                 and (v.tree is not None or not known)
                 and (v.positive or not positive)]
        return self.rng.choice(found[-12:]) if found else None

    def constant(self):
        value = self.rng.choice([1, 2, 3, 4, 5, 6, 8])
        self.ints.append(self.emit("arith.constant %d : i32" % value))

    def tree(self, depth=0):
        if depth == 2 or self.rng.random() < 0.35 + 0.2 * depth:
            return 0
        return [self.tree(depth + 1) for _ in range(self.rng.randint(1, 3))]

    def make(self, kind, tree=None):
        """A new value: of integers that are at hand, or of their sums, which
        are not."""
        tree = self.tree() if tree is None else tree
        if self.rng.random() < 0.4:
            return self.make_of_scalars(kind, tree)
        a = self.make_of_scalars("int_tuple", tree)
        b = self.make_of_scalars("int_tuple", tree)
        v = self.add("int_tuple", tree,
                     "cute.tuple_add(%s, %s)" % (a.name, b.name))
        return v if kind == "int_tuple" else self.add(
            kind, tree, "cute.to_%s(%s)" % (kind, v.name))

    def make_of_scalars(self, kind, tree):
        operands = []

        def text(tree):
            if isinstance(tree, list):
                return "(%s)" % ",".join(map(text, tree))
            if self.rng.random() < 0.4:
                return str(self.rng.randint(1, 4))
            operands.append(self.rng.choice(self.ints))
            return "?"
        result = text(tree)
        return self.add(kind, tree, 'cute.make_%s(%s) : (%s) -> !cute.%s<"%s">'
                        % (kind, ", ".join(operands),
                           ", ".join(["i32"] * len(operands)), kind, result))

    def layout(self):
        shape = self.pick(["shape"], positive=True) or self.make("shape")
        stride = self.make("stride", shape.tree)
        self.add("layout", shape.tree, "cute.make_layout(%s, %s)"
                 % (shape.name, stride.name))

    # Ops: each adds values where there is an operand for it.

    def parts(self):
        v = self.pick(["layout"])
        part = self.rng.choice(["shape", "stride"])
        self.add(part, v.tree, "cute.get_%s(%s)" % (part, v.name))

    def path(self, v):
        tree, path = v.tree, []
        while isinstance(tree, list) and tree and self.rng.random() < 0.7:
            path.append(self.rng.randrange(len(tree)))
            tree = tree[path[-1]]
        return path, tree

    def get(self):
        v = self.pick(TUPLES + ["layout"])
        path, tree = self.path(v)
        if path:
            self.add(v.kind, tree, "cute.get<%s> (%s)" % (path, v.name),
                     v.positive)

    def select(self):
        v = self.pick(TUPLES + ["layout"])
        n = rank(v.tree)
        modes = [self.rng.randrange(n) for _ in range(self.rng.randint(1, 3))]
        if isinstance(v.tree, list):
            self.add(v.kind, [v.tree[m] for m in modes],
                     "cute.select<%s> (%s)" % (modes, v.name), v.positive)

    def chain(self):
        """Selections of selections, then a mode and its size."""
        n = self.rng.randint(2, 3)
        v = self.make("shape", [0] * n)
        for _ in range(self.rng.randint(2, 3)):
            modes = [self.rng.randrange(n) for _ in range(n)]
            v = self.add("shape", v.tree,
                         "cute.select<%s> (%s)" % (modes, v.name))
        mode = self.rng.randrange(n)
        self.add("shape", 0, "cute.get<[%d]> (%s)" % (mode, v.name))
        self.add("int_tuple", 0, "cute.size<[%d]> (%s)" % (mode, v.name))

    def flatten(self):
        v = self.pick(TUPLES + ["layout"])
        self.add(v.kind, flat(v.tree), "cute.flatten(%s)" % v.name, v.positive)

    def group(self):
        v = self.pick(["layout"])
        if not isinstance(v.tree, list):
            return
        n, modes = len(v.tree), v.tree
        begin = self.rng.randrange(n)
        end = self.rng.randint(begin + 1, n)
        self.add("layout", modes[:begin] + [modes[begin:end]] + modes[end:],
                 "cute.group_modes<%d, %d> (%s)" % (begin, end, v.name))

    def convert(self):
        v = self.pick(TUPLES)
        if v.kind == "int_tuple":
            kind = self.rng.choice(TUPLES[:3])
        else:
            kind = "int_tuple"
        self.add(kind, v.tree, "cute.to_%s(%s)" % (kind, v.name), v.positive)

    def measure(self):
        v = self.pick(["shape", "layout"], known=False, positive=True)
        op = "size" if v.kind == "shape" else self.rng.choice(
            ["size", "cosize"])
        path = self.path(v)[0] if v.tree is not None else []
        angle = "<%s> " % path if path else ""
        self.add("int_tuple", 0, "cute.%s%s(%s)" % (op, angle, v.name))

    def arithmetic(self):
        a = self.pick(["shape", "int_tuple"], positive=True)
        b = self.make(a.kind, a.tree)
        op = self.rng.choice(["tuple_add", "tuple_sub", "ceil_div"])
        if op == "tuple_add" and self.rng.random() < 0.5:
            a, b = b, a
        for x, y in [(a, b), (b, a)][:self.rng.randint(1, 2)]:
            self.add(a.kind, a.tree, "cute.%s(%s, %s)" % (op, x.name, y.name),
                     op != "tuple_sub")

    def product(self):
        v = self.pick(["shape", "int_tuple"], positive=True)
        if self.rng.random() < 0.5:
            self.add(v.kind, 0, "cute.tuple_product(%s)" % v.name)
        else:
            self.add(v.kind, [0] * rank(v.tree),
                     "cute.tuple_product_each(%s)" % v.name)

    def coalesce(self):
        v = self.pick(["layout"], known=False)
        self.add("layout", None, "cute.coalesce(%s)" % v.name)

    def divide(self):
        v = self.pick(["layout"])
        if isinstance(v.tree, list) and isinstance(v.tree[0], list):
            return  # what is static may not be divisible
        tile = self.emit('cute.static : !cute.tile<"[%d:1]">'
                         % self.rng.randint(1, 4))
        self.add("layout", None, "cute.logical_divide(%s, %s)"
                 % (v.name, tile))

    def compose(self):
        stride = self.rng.choice(self.ints)
        a = self.emit('cute.static : !cute.shape<"64">')
        d = self.emit('cute.make_stride(%s) : (i32) -> !cute.stride<"?">'
                      % stride)
        v = self.add("layout", 0, "cute.make_layout(%s, %s)" % (a, d))
        for text in ["8:2", "(2,2):(1,4)", "2:1"][:self.rng.randint(1, 3)]:
            b = self.emit('cute.static : !cute.layout<"%s">' % text)
            v = self.add("layout", None, "cute.composition(%s, %s)"
                         % (v.name, b))

    def evaluate(self):
        v = self.pick(["layout"], known=False)
        c = self.emit('cute.make_coord(%s) : (i32) -> !cute.coord<"?">'
                      % self.rng.choice(self.ints))
        self.add("int_tuple", 0, "cute.layout_eval(%s, %s)" % (c, v.name))

    def coordinates(self):
        v = self.pick(["shape"], positive=True)
        i = self.emit('cute.make_int_tuple(%s) : (i32) -> !cute.int_tuple<"?">'
                      % self.rng.choice(self.ints))
        self.add("coord", v.tree, "cute.idx2crd(%s, %s)" % (i, v.name), False)

    def append(self):
        v = self.pick(["shape", "layout"])
        e = self.pick([v.kind], positive=True)
        n = rank(v.tree) + self.rng.randint(0, 2)
        op = self.rng.choice(["append", "prepend"])
        modes = v.tree if isinstance(v.tree, list) else [v.tree]
        more = [e.tree] * (n - rank(v.tree))
        tree = modes + more if op == "append" else more + modes
        self.add(v.kind, tree if more else v.tree,
                 "cute.%s_to_rank<%d> (%s, %s)" % (op, n, v.name, e.name),
                 v.positive)

    def slice(self):
        """Modes under `_`, or those under integers."""
        v = self.pick(["shape", "layout"])
        if not isinstance(v.tree, list) or not v.tree:
            return
        keeps = [self.rng.random() < 0.5 for _ in v.tree]
        c = self.emit('cute.static : !cute.coord<"(%s)">'
                      % ",".join("_" if keep else "1" for keep in keeps))
        op = self.rng.choice(["slice", "dice"])
        tree = [mode for mode, keep in zip(v.tree, keeps)
                if keep == (op == "slice")]
        if tree:
            self.add(v.kind, tree, "cute.%s(%s, %s)" % (op, v.name, c),
                     v.positive)

    def tile(self):
        """A tile of a matrix: two ways to it."""
        s, d = self.make("shape", [0, 0]), self.make("stride", [0, 0])
        v = self.emit("cute.make_layout(%s, %s)" % (s.name, d.name))
        t = self.emit('cute.static : !cute.tile<"[1:1;1:1]">')
        op = self.rng.choice(["zipped_divide", "tiled_divide"])
        q = self.emit("cute.%s(%s, %s)" % (op, v, t))
        self.add("layout", [0, 0], "cute.get<[0]> (%s)" % q)
        self.add("layout", 0, "cute.get<[0, 1]> (%s)" % q)

    def compare(self):
        a = self.pick(["shape", "int_tuple"])
        b = self.make(a.kind, a.tree)
        op = self.rng.choice(["equal", "elem_less"])
        b = self.rng.choice([a, b])
        name = self.emit("cute.%s(%s, %s)" % (op, a.name, b.name))
        self.observed.append(self.emit("arith.extui %s : i1 to i32" % name))

    def again(self):
        """An op that is there already, under another name."""
        v = self.rng.choice(self.values[-15:])
        self.add(v.kind, v.tree, v.text, v.positive)

    def scalars(self):
        v = self.pick(TUPLES + ["layout"])
        for name in self.observe(v):
            if v.positive and v.kind != "coord":
                self.ints.append(name)

    def loop(self, depth):
        """A loop of one trip, or a condition that holds; its results are what
        was observed in it."""
        counts = len(self.values), len(self.ints)
        outer, self.lines = self.lines, []
        before, self.observed = self.observed, []
        self.body(6, depth - 1)
        inside, self.lines = self.lines, outer
        results, self.observed = self.observed[:8], before
        del self.values[counts[0]:], self.ints[counts[1]:]
        if not results:
            return
        n, name = len(results), self.fresh()
        types = ", ".join(["i32"] * n)
        if self.rng.random() < 0.7:
            inits = ", ".join("%s_%d = %s" % (name.replace("v", "a"), i,
                                              self.rng.choice(self.ints))
                              for i in range(n))
            head = ("%s:%d = scf.for %s = %%lb to %%ub step %%ub iter_args(%s)"
                    " -> (%s) {" % (name, n, name.replace("v", "i"), inits,
                                    types))
            tail = "}"
        else:
            head = "%s:%d = scf.if %%true -> (%s) {" % (name, n, types)
            tail = "} else {\nscf.yield %s : %s\n}" % (
                ", ".join([self.ints[0]] * n), types)
        self.lines += [head] + inside + [
            "scf.yield %s : %s" % (", ".join(results), types), tail]
        self.observed += ["%s#%d" % (name, i) for i in range(n)]

    def observe(self, v):
        if v.tree is None:
            return []
        n = leaves(v.tree) * (2 if v.kind == "layout" else 1)
        if not n:
            return []
        name = self.fresh()
        self.lines.append("%s:%d = cute.get_scalars(%s)" % (name, n, v.name))
        names = ["%s#%d" % (name, i) for i in range(n)]
        self.observed += names
        return names

    def body(self, size, depth):
        first = len(self.values)
        ops = [self.parts, self.get, self.get, self.select, self.chain,
               self.flatten, self.group, self.convert, self.convert, self.measure,
               self.arithmetic, self.product, self.coalesce, self.divide,
               self.compose, self.evaluate, self.coordinates, self.append,
               self.compare, self.slice, self.tile, self.again, self.again,
               self.scalars, self.layout]
        for _ in range(size):
            if depth and self.rng.random() < 0.12:
                self.loop(depth)
            else:
                self.rng.choice(ops)()
        for v in self.values[first:]:
            self.observe(v)

    def text(self):
        n = len(self.observed)
        types = ", ".join(["i32"] * n)
        return "\n".join(
            ["gpu.module @m {", "gpu.func @f() -> (%s) {" % types,
             "%lb = arith.constant 0 : index", "%ub = arith.constant 1 : index",
             "%true = arith.constant true"] + self.lines +
            ["gpu.return %s : %s" % (", ".join(self.observed), types),
             "}", "}", ""])


def run(text, options):
    done = subprocess.run(["cute-opt", "--split-input-file"] + options,
                          input=text, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr[:4000])
        sys.exit("cute-opt %s failed" % " ".join(options))
    return done.stdout


def returned(text):
    """The integers that a lowered and folded kernel returns."""
    constants = dict(re.findall(r"(%\S+) = arith.constant (-?\d+) : i32", text))
    operands = re.search(r"gpu.return (.*) :", text).group(1).split(", ")
    return [constants.get(name, "not constant: " + name) for name in operands]


def main():
    count, rng = int(sys.argv[1]), random.Random(int(sys.argv[2]))
    kernels = [Kernel(rng, 25).text() for _ in range(count)]
    source = "// -----\n".join(kernels)
    once = run(source, ["--cute-canonicalize"])
    if run(once, ["--cute-canonicalize"]) != once:
        sys.exit("a second run changes something")
    expected = run(source, LOWER).split("// -----")
    found = run(once, LOWER).split("// -----")
    if len(expected) != count or len(found) != count:
        sys.exit("%d and %d results" % (len(expected), len(found)))
    total = 0
    for kernel, a, b in zip(kernels, expected, found):
        wanted = returned(a)
        total += len(wanted)
        if wanted != returned(b) or any("not" in value for value in wanted):
            print(kernel)
            sys.exit("expected %s\nfound    %s" % (wanted, returned(b)))
    before, after = source.count("cute."), once.count(" cute.")
    print("%d integers agree; %d of %d ops are left" % (total, after, before))
    if total < 20 * count or after > 0.8 * before:
        sys.exit("too little to compare, or too little gone")


main()
