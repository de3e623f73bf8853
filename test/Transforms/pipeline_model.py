"""Runs what cute-pipeline makes of loops, symbolically.

  pipeline_model.py CUTE-OPT

One thread is followed through the copies, groups, waits and barriers of the IR;
barriers count epochs. What is checked, for trip counts from 0 to 10, several
numbers of stages and several loops:

  - each gemm reads the tiles and k-blocks that the plain loop gives it, in its
    order;
  - shared memory is read only where its copies were waited for in an epoch
    before, so that all threads' copies are there;
  - a stage is written only in an epoch after that of its last read, so that no
    thread reads it any more, and after its last copies have come.

Then lines of the IR are left out or changed, one at a time, to see that the model
notices.
"""
import itertools
import re
import subprocess
import sys

TENSOR = '!cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">'
HEAD = '''
gpu.module @m {
  gpu.func @f(%A: TENSOR, %B: TENSOR, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant STEP : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
'''.replace("TENSOR", TENSOR)
FETCH = '''
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      PREDICATE
      cute.copy(%g2s, %gA_k, %sA_writePARG)
      cute.copy(%g2s, %gB_k, %sB_write)
'''
COMPUTE = '''
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
'''
PREDICATE = "%p = cute.make_predicate(%cA, %bound)"
FOR = "    scf.for %k = %lb to %ub step %step : i32 {"
CARRY = ("    %n = scf.for %k = %lb to %ub step %step iter_args(%i = %lb) -> (i32)"
         " : i32 {\n      %j = arith.addi %i, %step : i32")
TAIL = "\n    gpu.return\n  }\n}\n"
WAIT, BARRIER = "      cute.cp_async_wait_all\n", "      gpu.barrier\n"
COMMIT0 = "      cute.cp_async_commit\n      cute.cp_async_wait<0>\n"

# name -> (step, body)
LOOPS = {
    "plain": (1, FOR + FETCH + WAIT + BARRIER + COMPUTE + BARRIER + "    }"),
    "predicated": (1, FOR + FETCH.replace("PREDICATE", PREDICATE).replace(
        "PARG", ", %p") + COMMIT0 + BARRIER + COMPUTE + BARRIER + "    }"),
    "barrier_first": (1, FOR + "\n" + BARRIER + FETCH + WAIT + BARRIER + COMPUTE +
                      "    }"),
    "carried": (3, CARRY + FETCH + WAIT + BARRIER + COMPUTE + BARRIER +
                "      scf.yield %j : i32\n    }"),
    "pair": (2, FOR + FETCH + FETCH.replace("%at ", "%at2 ").replace(
        ", %at)", ", %at2)").replace("%gA_k", "%gA_l").replace("%gB_k", "%gB_l").replace(
            "%sA_write", "%sC_write").replace("%sB_write", "%sD_write").replace(
                "%sB,", "%sD,") + WAIT + BARRIER + COMPUTE + COMPUTE.replace(
                    "%sA_read", "%sC_read").replace("%sB_read", "%sD_read").replace(
                        "%rA", "%qA").replace("%rB", "%qB") + BARRIER + "    }"),
}
PAIR = '''
    %sC = cute.alloc_smem<f16, 128> (%layout)
    %sD = cute.alloc_smem<f16, 128> (%layout)
    %qA = cute.make_fragment_a(%mma, %tA)
    %qB = cute.make_fragment_b(%mma, %tB)
    %sC_read = cute.partition_s(%s2r_A, %sC, %thread)
    %sD_read = cute.partition_s(%s2r_B, %sD, %thread)
    %qA_write = cute.retile(%s2r_A, %qA)
    %qB_write = cute.retile(%s2r_B, %qB)
    %sC_write = cute.partition_d(%g2s, %sC, %thread)
'''


def source(name):
    step, body = LOOPS[name]
    body = body.replace("PREDICATE", "").replace("PARG", "")
    head = HEAD.replace("STEP", str(step))
    return head + (PAIR if name == "pair" else "") + body + TAIL


class Wrong(Exception):
    pass


class View:
    """A tensor: its memory, and what slices have chosen in it."""

    def __init__(self, memory, chosen=()):
        self.memory, self.chosen = memory, chosen


class Machine:
    def __init__(self, text, lb, ub):
        self.lines = [line.strip() for line in text.splitlines()]
        self.values, self.lb, self.ub = {}, lb, ub
        self.epoch, self.next_id = 0, 0
        self.open, self.groups = [], []  # writes, and lists of them
        self.cells = {}  # (memory, stage) -> dict
        self.fragments, self.gemms = {}, []

    # -- shared memory

    def cell(self, key):
        return self.cells.setdefault(
            key, {"tile": None, "there": None, "read": -1})

    def write(self, view, tile):
        key = (view.memory, view.chosen[:1])
        cell = self.cell(key)
        if cell["read"] >= self.epoch:
            raise Wrong(f"{key} is written while it may be read")
        if cell["tile"] is not None and cell["there"] is None:
            raise Wrong(f"{key} is written while it is written")
        cell.update(tile=tile, there=None)
        self.open.append(cell)

    def read(self, view):
        cell = self.cell((view.memory, view.chosen[:1]))
        cell["read"] = self.epoch
        ready = cell["there"] is not None and cell["there"] < self.epoch
        return cell["tile"] if ready else "not there"

    def wait(self, pending):
        done = len(self.groups) - pending
        for cell in itertools.chain(*self.groups[:max(done, 0)]):
            if cell["there"] is None:
                cell["there"] = self.epoch
        self.groups = self.groups[max(done, 0):]

    # -- ops

    def operands(self, line):
        inside = re.search(r"cute\.\w+(?:<[^(]*>)? ?\(([^)]*)\)", line).group(1)
        return [self.values.get(name.strip()) for name in inside.split(",")]

    def new(self):
        self.next_id += 1
        return self.next_id

    def copy(self, source, target, predicate):
        if isinstance(target.memory, tuple) and target.memory[0] == "smem":
            self.write(target, source.chosen if predicate else "zero")
            return
        tile = self.read(source)
        # A k-block, or all of them.
        for k in [target.chosen[-1]] if target.chosen else range(2):
            block = source.chosen[-1] if target.chosen else k
            self.fragments[target.memory, k] = (source.memory, tile, block)

    def gemm(self, operands):
        a, b = operands[2], operands[3]
        for k in [a.chosen[-1]] if a.chosen else range(2):
            self.gemms.append((self.fragments.get((a.memory, k)),
                               self.fragments.get((b.memory, k))))

    def slice(self, tensor, coord):
        chosen = [c for c in coord if c is not None]
        return View(tensor.memory, tensor.chosen + tuple(chosen))

    def coord(self, line):
        text = re.search(r'coord<"\((.*)\)">$', line).group(1)
        dynamic = iter(self.operands(line)) if "make_coord" in line else iter(())
        return [None if part == "_" else next(dynamic) if part.startswith("?")
                else int(part) for part in text.split(",")]

    def arith(self, line):
        name = line.split("arith.")[1].split()[0]
        if name == "constant":
            text = line.split()[3]
            return {"true": True, "false": False}.get(text) or int(text)
        args = [self.values[v] for v in re.findall(r"%[\w#]+", line)[1:]]
        if name == "cmpi":
            kind = line.split("cmpi ")[1].split(",")[0]
            x, y = args
            if kind.startswith("u"):
                x, y = x % 2**32, y % 2**32
            return {"eq": x == y, "slt": x < y, "ugt": x > y, "ult": x < y}[kind]
        if name == "select":
            return args[1] if args[0] else args[2]
        return {"addi": lambda x, y: x + y, "subi": lambda x, y: x - y,
                "andi": lambda x, y: x and y,
                "index_cast": lambda x: x}[name](*args)

    def compute(self, line):
        """The value of an op with one result."""
        if " arith." in line:
            return self.arith(line)
        name = re.search(r"= ([\w.]+)", line).group(1)
        if name in ("gpu.thread_id",):
            return 0
        if name in ("cute.make_coord", "cute.static"):
            if name == "cute.static" and "!cute.coord<" not in line:
                return line.split(":", 1)[1]
            return self.coord(line)
        if name == "vector.broadcast":
            return self.values[re.findall(r"%[\w#]+", line)[1]]
        args = self.operands(line)
        if name == "cute.alloc_smem":
            return View(("smem", self.new()))
        if name in ("cute.make_fragment", "cute.make_fragment_a",
                    "cute.make_fragment_b", "cute.make_fragment_like"):
            return View(("rmem", self.new()))
        if name == "cute.make_predicate":
            view = View(("rmem", self.new()))
            self.fragments[view.memory] = True
            return view
        if name == "cute.load_vector":
            return self.fragments[args[0].memory]
        if name == "cute.slice":
            return self.slice(*args)
        if name in ("cute.partition_s", "cute.partition_d", "cute.partition_a",
                    "cute.partition_b", "cute.retile"):
            return args[1]
        return None

    def effect(self, line):
        if line.startswith("gpu.barrier"):
            self.epoch += 1
        elif line.startswith("cute.cp_async_commit"):
            self.groups.append(self.open)
            self.open = []
        elif line.startswith("cute.cp_async_wait<"):
            self.wait(int(re.search(r"<(\d+)>", line).group(1)))
        elif line.startswith("cute.copy("):
            copy = self.operands(line)
            when = len(copy) < 4 or self.fragments[copy[3].memory]
            self.copy(copy[1], copy[2], when)
        elif line.startswith("cute.gemm("):
            self.gemm(self.operands(line))
        elif line.startswith("cute.fill("):
            fragment, value = self.operands(line)
            self.fragments[fragment.memory] = value
        elif line.startswith("cute.store_vector("):
            value, fragment = self.operands(line)
            self.fragments[fragment.memory] = value

    def loop(self, at):
        line = self.lines[at]
        end = next(i for i in range(at, len(self.lines))
                   if self.lines[i].startswith("}"))
        index, lb, ub, step = re.search(
            r"scf.for (%\w+) = (%\w+) to (%\w+) step (%\w+)", line).groups()
        carried = re.search(r"iter_args\((.*?)\) ->", line)
        pairs = re.findall(r"(%\w+) = (%[\w#]+)", carried.group(1))
        state = [self.values[init] for _, init in pairs]
        result = re.match(r"(%\w+)", line).group(1)
        for i in range(self.values[lb], self.values[ub], self.values[step]):
            self.values[index] = i
            self.values.update(zip([name for name, _ in pairs], state))
            state = self.run(at + 1, end)
        for n, value in enumerate(state):
            self.values[f"{result}#{n}"] = value
        return end

    def run(self, at, end):
        while at < end:
            line = self.lines[at]
            if "scf.for" in line:
                at = self.loop(at)
            elif line.startswith("scf.yield"):
                return [self.values[v]
                        for v in re.findall(r"%[\w#]+", line.split(":")[0])]
            elif re.match(r"%\w+ = ", line):
                self.values[line.split()[0]] = self.compute(line)
            else:
                self.effect(line)
            at += 1
        return []

    def execute(self):
        head = next(i for i, line in enumerate(self.lines) if "gpu.func" in line)
        names = re.findall(r"(%\w+):", self.lines[head])
        self.values.update(zip(names, [View("A"), View("B"), self.lb, self.ub,
                                       View("coordinates"), None]))
        self.run(head + 1, len(self.lines))


def expected(name, lb, ub):
    """(tile, k-block) of the operands of each gemm, one a k-block."""
    times = 2 if name == "pair" else 1
    return [((i,), k) for i in range(lb, ub, LOOPS[name][0])
            for _ in range(times) for k in range(2)]


def check(name, text, lb, ub, by_blocks):
    machine = Machine(text, lb, ub)
    machine.execute()
    got = machine.gemms
    if any(g is None for pair in got for g in pair):
        raise Wrong("a gemm reads a fragment that was not filled")
    want = expected(name, lb, ub)
    # With two gemms, block k of both comes before block k+1.
    order = sorted if name == "pair" and by_blocks else list
    for side in (0, 1):
        if order([(g[side][1], g[side][2]) for g in got]) != order(want):
            raise Wrong(f"gemms read {got}, not {want}")
    if machine.open or any(machine.groups):
        raise Wrong("copies are left pending")


def run(opt, name, options):
    passes = f"cute-pipeline{{{options}}},cute-fold-static,cute-canonicalize"
    done = subprocess.run(
        [opt, "-", f"--pass-pipeline=builtin.module({passes})"],
        input=source(name), capture_output=True, text=True, check=False)
    if done.returncode or "the loop has" not in done.stderr:
        sys.exit(f"{name} {options}: not pipelined\n{done.stderr}")
    return done.stdout


def trips(name):
    step = LOOPS[name][0]
    for n in range(11):
        yield 0, n * step
        yield -5, n * step - 5 - (step > 1 and n > 0)
    yield 3, -4


def mutations(text):
    """(line, changed text), for what the gemms depend on: not the barrier in front of the first
    copies, nor the one after the loop for later code."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if "cute.copy(" in line)
    loop = next(i for i, line in enumerate(lines) if "scf.for" in line)
    end = next(i for i in range(loop, len(lines)) if lines[i].strip()[0] == "}")
    for i in range(start, end):
        line = lines[i]
        stripped = line.strip()
        rest = lines[:i], lines[i + 1:]
        if stripped.startswith(("gpu.barrier", "cute.cp_async_commit")):
            yield line, "\n".join(rest[0] + rest[1])
        wait = re.match(r"cute.cp_async_wait<(\d+)>", stripped)
        if wait:
            yield line, "\n".join(
                rest[0] + [line.replace(wait.group(1), str(int(wait.group(1)) + 1))]
                + rest[1])
        if "iter_args" in line and "scf.yield" not in line:
            swapped = re.sub(r"iter_args\((.*), (%\w+) = (%\w+), (%\w+) = (%\w+)\)",
                             r"iter_args(\1, \2 = \5, \4 = \3)", line)
            if swapped != line:
                yield line, "\n".join(rest[0] + [swapped] + rest[1])


def is_wrong(name, text, by_blocks):
    for lb, ub in trips(name):
        try:
            check(name, text, lb, ub, by_blocks)
        except Wrong:
            return True
    return False


def main():
    opt = sys.argv[1]
    runs = caught = 0
    unnoticed = []
    for name in LOOPS:
        for stages, fragments in itertools.product((2, 3, 4, 7), ("true", "false")):
            by_blocks = fragments == "true" and name != "pair"
            text = run(opt, name, f"stages={stages} fragments={fragments}")
            for lb, ub in trips(name):
                try:
                    check(name, text, lb, ub, by_blocks)
                except Wrong as wrong:
                    sys.exit(f"{name}, {stages} stages, {lb} to {ub}: {wrong}\n{text}")
                runs += 1
            for line, mutant in mutations(text):
                if is_wrong(name, mutant, by_blocks):
                    caught += 1
                else:
                    unnoticed.append((name, stages, fragments, line))
    print(f"{runs} runs are right", f"{caught} changes are noticed",
          f"{len(unnoticed)} are not", *unnoticed, sep="\n")


main()
