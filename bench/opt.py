#!/usr/bin/env python3
"""Times cute-opt on generated modules, per op, beside mlir-opt in the same run.

usage: opt.py DIRECTORY-WITH-CUTE-OPT [SIZE...]

A module has functions of 20 ops each, drawn from the accepted cases of
test/data/ops, so from all op groups, on arguments of those types. The
cases are some thousands, so that ops repeat in the larger modules; "each case
once" is a module in which none does. Lowered are these, and functions of cases
whose results have dynamic leaves, which they return: some 20 ops for each, so
that these modules have a twentieth of the ops.

Times are the processor's, of whole processes less that of an empty module, the
least of three; memory is the peak less that of an empty module. The stages are
what `--time` says in the same runs, without starting and ending the process.
"linear" compares the largest module with the smallest, per op: 1 is linear.

The baseline is mlir-opt on the same module in the generic form, the dialect
from `--irdl-file`: it parses, checks what IRDL says, and prints; and its
`--canonicalize` on as many arith ops; what it adds is the pass alone.
Where there is valgrind, the instructions of the smallest module are counted as
well: they repeat, whatever else the machine does.

CUTE_BASELINE names another cute-opt, as an earlier build or the open tool: both
then do the same on the same modules, in turn, and a table has seconds, peak
memory and instructions of each, and the ratio.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

GROUPS = ["accessors", "algebra", "arithmetic", "constructors", "size_index",
          "tiling"]
PER_FUNCTION = 20
LOWER = ["--cute-expand-ops", "--cute-to-base"]
TO_LLVM = ["--cute-fold-static", *LOWER, "--base-prepare",
           "--one-shot-convert-to-llvm"]
DATA = pathlib.Path(__file__).parent.parent / "test/data/ops"


def cases():
    """Accepted ops: (pretty form, operand types, result types)."""
    found = []
    for group in GROUPS:
        for line in (DATA / (group + ".jsonl")).read_text().splitlines():
            case = json.loads(line)
            if "pretty" in case and "rejected" not in case:
                found.append((case["pretty"], case["operands"],
                              case["results"]))
    return found


def function(name, chosen, returns):
    """A function of the chosen ops, each on its own arguments."""
    lines, arguments, values, types = [], [], [], []
    for k, (pretty, operands, results) in enumerate(chosen):
        first = len(arguments)
        pretty = re.sub(r"%arg(\d+)", lambda m: "%%a%d" % (
            first + int(m[1])), pretty)
        arguments += operands
        head, equals, rest = pretty.partition(" = ")
        if equals and head.startswith("%0"):
            pretty = "%%r%d" % k + head[2:] + equals + rest
            values += ["%%r%d#%d" % (k, i) for i in range(len(results))]
            types += results
        lines.append("  " + pretty)
    header = ", ".join("%%a%d: %s" % pair for pair in enumerate(arguments))
    arrow = " -> (%s)" % ", ".join(types) if returns else ""
    last = " %s : %s" % (", ".join(values), ", ".join(types)) if returns else ""
    return "func.func @%s(%s)%s {\n%s\n  return%s\n}\n" % (
        name, header, arrow, "\n".join(lines), last)


def cute_module(size, pool, random_, returns=False):
    return "".join(
        function("f%d" % i, random_.choices(pool, k=PER_FUNCTION), returns)
        for i in range(size // PER_FUNCTION))


def module_of_each(pool):
    return "".join(function("f%d" % i, pool[i:i + PER_FUNCTION], False)
                   for i in range(0, len(pool), PER_FUNCTION))


def is_lowered(case):
    """Comparisons may have nothing to compare, which lowering rejects."""
    pretty, operands, results = case
    return (any("?" in t for t in operands) and any("?" in t for t in results)
            and not re.search(r"cute\.(equal|elem_less)\b", pretty))


def arith_module(size, random_):
    text = []
    for i in range(size // PER_FUNCTION):
        lines = ["func.func @f%d(%%v0: i32, %%v1: i32) -> i32 {" % i]
        for k in range(2, PER_FUNCTION + 2):
            op = random_.choice(["addi", "muli", "subi", "divsi", "minsi"])
            lines.append("  %%v%d = arith.%s %%v%d, %%v%d : i32" % (
                k, op, random_.randrange(k), random_.randrange(k)))
        lines.append("  return %%v%d : i32\n}" % (PER_FUNCTION + 1))
        text += lines
    return "\n".join(text)


class Run:
    """Processor seconds, peak KiB and milliseconds of stages: the least of
    some runs."""

    def __init__(self, command, count=3):
        self.seconds = self.peak = float("inf")
        self.stages = {}
        for _ in range(count):
            self.once(command)

    def once(self, command):
        with tempfile.TemporaryFile("w+") as errors:
            pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[
                (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, errors.fileno(), 2)])
            _, status, usage = os.wait4(pid, 0)
            seconds = usage.ru_utime + usage.ru_stime
            errors.seek(0)
            text = errors.read()
        if status:
            sys.exit("failed: %s\n%s" % (" ".join(command), text[-1000:]))
        self.seconds = min(self.seconds, seconds)
        self.peak = min(self.peak, usage.ru_maxrss)
        self.note_stages(text)

    def note_stages(self, text):
        for name, milliseconds in re.findall(r"(\w+) ([\d.]+) ms",
                                             text[-400:]):
            self.stages[name] = min(float(milliseconds),
                                    self.stages.get(name, float("inf")))


class Table:
    """Microseconds per op and KiB per op, a column for each size."""

    def __init__(self, sizes):
        self.sizes = sizes
        print("%-32s" % "us/op (KiB/op)",
              *("%13d ops" % size for size in sizes), "  linear  of mlir-opt")

    def row(self, label, times, memory=None, baseline=None):
        """The baseline is mlir-opt's times for the same."""
        cells = ["%9.1f" % t + (" (%4.2f)" % memory[i] if memory else " " * 7)
                 for i, t in enumerate(times)]
        linear = "%6.2fx" % (times[-1] / times[0]) if times[0] > 0.05 else "      -"
        ratio = ("%8.2fx" % (times[-1] / baseline[-1])
                 if baseline and baseline[-1] > 0.05 else "")
        print("%-32s" % label, *cells, linear, " ", ratio, flush=True)


def count(command):
    """Millions of instructions of a process on one thread."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         *command, "--mlir-disable-threading"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"refs:\s+([\d,]+)", run.stderr)
    if run.returncode or not found:
        sys.exit("failed: %s\n%s" % (" ".join(command), run.stderr[-1000:]))
    return int(found[1].replace(",", "")) / 1e6


def per_op(runs, empty, sizes, part=1):
    return [(runs[n].seconds - empty.seconds) / (n // part) * 1e6
            for n in sizes]


def kib_per_op(runs, empty, sizes, part=1):
    return [(runs[n].peak - empty.peak) / (n // part) for n in sizes]


def stage(runs, names, sizes, part=1):
    return [sum(runs[n].stages[name] for name in names) / (n // part) * 1e3
            for n in sizes]


class Bench:
    def __init__(self, tool, upstream, scratch, sizes):
        self.tool, self.upstream = tool, upstream
        self.scratch, self.sizes = scratch, sizes
        self.table = None
        self.canonicalize = None  # mlir-opt's on arith ops, us per op
        self.empty_file = self.write("module {}\n")
        self.irdl = os.path.join(scratch, "cute.irdl.mlir")
        with open(self.irdl, "w") as file:
            subprocess.run([tool, "--show-irdl"], stdout=file, check=True)

    def write(self, text):
        path = os.path.join(self.scratch, "module.mlir")
        if text == "module {}\n":
            path = os.path.join(self.scratch, "empty.mlir")
        pathlib.Path(path).write_text(text)
        return path

    def start_up(self):
        for name in (self.tool, self.upstream):
            print("start-up of %-9s %6.1f ms" % (
                os.path.basename(name),
                Run([name, self.empty_file], 10).seconds * 1e3))
        self.table = Table(self.sizes)

    def runs(self, program, files, options):
        """The runs on files of all sizes, and on the empty module."""
        return ({n: Run([program, files[n], *options]) for n in self.sizes},
                Run([program, self.empty_file, *options]))

    def files(self, generate):
        found = {}
        for size in self.sizes:
            path = os.path.join(self.scratch, "%s%d.mlir" % (
                generate.__name__, size))
            pathlib.Path(path).write_text(generate(size))
            found[size] = path
        return found

    def stock(self, files):
        """The same modules in the generic form, for mlir-opt."""
        found = {}
        for size, path in files.items():
            found[size] = path + ".stock"
            subprocess.run([self.tool, path, "--cute-print-stock",
                            "-o", found[size]], check=True,
                           stderr=subprocess.DEVNULL)
        return found

    def generic(self, files):
        """mlir-opt parses and prints the same."""
        runs, empty = self.runs(self.upstream, files,
                                ["--irdl-file=" + self.irdl])
        times = per_op(runs, empty, self.sizes)
        self.table.row("mlir-opt, the same module", times,
                       kib_per_op(runs, empty, self.sizes))
        return times

    def process(self, files):
        """Parsing, folding and canonicalizing."""
        baseline = self.generic(self.stock(files))
        plain, empty = self.runs(self.tool, files, ["--time"])
        base = per_op(plain, empty, self.sizes)
        self.table.row("parse, verify, print", base,
                       kib_per_op(plain, empty, self.sizes), baseline)
        for names in (["read"], ["parse"], ["locate"], ["verify"], ["laws"],
                      ["print"]):
            self.table.row("    " + names[0], stage(plain, names, self.sizes))
        fold, empty = self.runs(self.tool, files,
                                ["--time", "--cute-fold-static"])
        self.table.row("with cute-fold-static",
                       per_op(fold, empty, self.sizes),
                       kib_per_op(fold, empty, self.sizes))
        both, empty = self.runs(
            self.tool, files,
            ["--time", "--cute-fold-static", "--cute-canonicalize"])
        self.table.row("with cute-canonicalize, too",
                       per_op(both, empty, self.sizes),
                       kib_per_op(both, empty, self.sizes))
        self.table.row("    the passes alone", stage(both, ["passes"],
                                                     self.sizes),
                       baseline=self.canonicalize)
        self.table.row("    verify, laws and passes", stage(
            both, ["verify", "laws", "passes"], self.sizes))

    def arith(self, files):
        plain, empty = self.runs(self.upstream, files, [])
        without = per_op(plain, empty, self.sizes)
        runs, empty = self.runs(self.upstream, files, ["--canonicalize"])
        times = per_op(runs, empty, self.sizes)
        self.table.row("mlir-opt canonicalize, arith", times,
                       kib_per_op(runs, empty, self.sizes))
        self.canonicalize = [a - b for a, b in zip(times, without)]
        self.table.row("    the pass alone", self.canonicalize)

    def lower(self, label, files, part=1):
        runs, empty = self.runs(self.tool, files, ["--time", *LOWER])
        self.table.row(label, per_op(runs, empty, self.sizes, part),
                       kib_per_op(runs, empty, self.sizes, part))
        self.table.row("    the passes alone",
                       stage(runs, ["passes"], self.sizes, part))

    def instructions(self, files, dynamic):
        """Millions, of whole processes on the smallest modules."""
        if not shutil.which("valgrind"):
            print("no valgrind: instructions are not counted")
            return
        size = self.sizes[0]
        stock = self.stock({size: files[size]})[size]
        irdl = "--irdl-file=" + self.irdl
        baseline = count([self.upstream, irdl, stock])
        rows = [
            ("mlir-opt, %d ops" % size, baseline),
            ("mlir-opt, empty", count([self.upstream, irdl, self.empty_file])),
            ("empty", count([self.tool, self.empty_file])),
            ("parse, verify, print", count([self.tool, files[size]])),
            ("the same, generic form", count([self.tool, stock])),
            ("with cute-canonicalize",
             count([self.tool, "--cute-canonicalize", files[size]])),
            ("%d with dynamic results to llvm" % (size // PER_FUNCTION),
             count([self.tool, *TO_LLVM, dynamic[size]]))]
        print("%-40s %12s %14s" % ("M instructions", "", "of mlir-opt"))
        for label, number in rows:
            print("%-40s %12.1f %13.2fx" % (label, number, number / baseline))

    def beside(self, other, files, dynamic):
        """This tool and another: whole processes."""
        size = self.sizes[0]
        rows = [("empty", self.empty_file, []),
                *(("parse, verify, print, %d" % n, files[n], [])
                  for n in self.sizes),
                ("%d with dynamic results to llvm" % (size // PER_FUNCTION),
                 dynamic[size], TO_LLVM)]
        print("beside %s\n%-40s %24s %24s %24s" % (
            other, "", "CPU s", "peak MiB", "M instructions"))
        for label, file, options in rows:
            mine, its = (Run([tool, file, *options])
                         for tool in (self.tool, other))
            cells = [(mine.seconds, its.seconds),
                     (mine.peak / 1024, its.peak / 1024)]
            if shutil.which("valgrind") and file != files[self.sizes[-1]]:
                cells.append(tuple(count([tool, file, *options])
                                   for tool in (self.tool, other)))
            print("%-40s" % label, *("%8.2f %8.2f %5.2fx" % (a, b, a / b)
                                     for a, b in cells), flush=True)

    def each_once(self, pool):
        path = self.write(module_of_each(pool))
        run, empty = Run([self.tool, path]), Run([self.tool, self.empty_file])
        print("each of %d cases once: %.1f us/op to parse, verify and print" % (
            len(pool), (run.seconds - empty.seconds) / len(pool) * 1e6))


def main():
    sizes = [int(size) for size in sys.argv[2:]] or [10000, 100000, 300000]
    prefix = os.environ.get("CUTE_LLVM_PREFIX", "/usr/lib/llvm-22")
    random_ = random.Random(1)
    pool = cases()
    dynamic = [case for case in pool if is_lowered(case)]

    def mixed(size):
        return cute_module(size, pool, random_)

    def returned(size):
        return cute_module(size // PER_FUNCTION, dynamic, random_,
                           returns=True)

    def arith(size):
        return arith_module(size, random_)

    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(os.path.join(sys.argv[1], "cute-opt"),
                      prefix + "/bin/mlir-opt", scratch, sizes)
        bench.start_up()
        files = bench.files(mixed)
        bench.arith(bench.files(arith))
        bench.process(files)
        bench.lower("lowered to arith, llvm", files)
        lowered = bench.files(returned)
        bench.lower("dynamic results, all returned", lowered,
                    part=PER_FUNCTION)
        bench.each_once(pool)
        bench.instructions(files, lowered)
        if os.environ.get("CUTE_BASELINE"):
            bench.beside(os.environ["CUTE_BASELINE"], files, lowered)


main()
