#!/usr/bin/env python3
"""Times cute-opt on generated modules, per op, beside upstream's canonicalize.

usage: opt.py DIRECTORY-WITH-CUTE-OPT [SIZE...]

A module has functions of 20 ops each, drawn from the accepted cases of
test/Conformance/data, so from all op groups, on arguments of those types. Times
are of whole processes less that of an empty module, the least of three; memory
is the peak less that of an empty module. The baseline is `mlir-opt
--canonicalize` on as many arith ops. The last column compares the largest
module with the smallest, per op: 1 is linear.
"""
import json
import os
import pathlib
import random
import re
import sys
import tempfile
import time

GROUPS = ["accessors", "algebra", "arithmetic", "constructors", "size_index",
          "tiling"]
PER_FUNCTION = 20
DATA = pathlib.Path(__file__).parent.parent / "test/Conformance/data"


def cases():
    """(line without its operands' names, operand types) of accepted ops."""
    found = []
    for group in GROUPS:
        for line in (DATA / (group + ".jsonl")).read_text().splitlines():
            case = json.loads(line)
            if "pretty" in case and "rejected" not in case:
                found.append((case["pretty"], case["operands"]))
    return found


def function(name, chosen):
    """A function of the chosen ops, each on arguments of its own."""
    lines, arguments = [], []
    for k, (pretty, operands) in enumerate(chosen):
        first = len(arguments)
        pretty = re.sub(r"%arg(\d+)", lambda m: "%%a%d" % (
            first + int(m[1])), pretty)
        arguments += operands
        head, equals, rest = pretty.partition(" = ")
        if equals and head.startswith("%0"):
            pretty = "%%r%d" % k + head[2:] + equals + rest
        lines.append("  " + pretty)
    header = ", ".join("%%a%d: %s" % pair for pair in enumerate(arguments))
    return "func.func @%s(%s) {\n%s\n  return\n}\n" % (
        name, header, "\n".join(lines))


def cute_module(size, pool, random_):
    return "".join(
        function("f%d" % i, random_.choices(pool, k=PER_FUNCTION))
        for i in range(size // PER_FUNCTION))


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


def run(command):
    """Seconds and peak KiB of a process."""
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit("failed: " + " ".join(command))
    return time.perf_counter() - start, usage.ru_maxrss


def least(command):
    runs = [run(command) for _ in range(3)]
    return min(r[0] for r in runs), min(r[1] for r in runs)


def main():
    tool = os.path.join(sys.argv[1], "cute-opt")
    sizes = [int(size) for size in sys.argv[2:]] or [10000, 100000]
    prefix = os.environ.get("CUTE_LLVM_PREFIX", "/usr/lib/llvm-22")
    upstream = prefix + "/bin/mlir-opt"
    phases = [
        ("parse, verify, print", tool, []),
        ("+ cute-fold-static", tool, ["--cute-fold-static"]),
        ("+ cute-canonicalize", tool, ["--cute-fold-static",
                                       "--cute-canonicalize"]),
        ("mlir-opt canonicalize, arith", upstream, ["--canonicalize"]),
    ]
    random_ = random.Random(1)
    pool = cases()
    with tempfile.TemporaryDirectory() as scratch:
        def write(name, text):
            path = os.path.join(scratch, name)
            pathlib.Path(path).write_text(text)
            return path
        empty = write("empty.mlir", "module {}\n")
        files = {(size, is_arith): write(
            "%d%d.mlir" % (size, is_arith),
            arith_module(size, random_) if is_arith
            else cute_module(size, pool, random_))
            for size in sizes for is_arith in (False, True)}
        print("%-30s" % "us/op (KiB/op)",
              *("%18d ops" % size for size in sizes), "   per op")
        for label, program, options in phases:
            start, base = least([program, empty, *options])
            cells = []
            for size in sizes:
                seconds, peak = least(
                    [program, files[size, program == upstream], *options])
                cells.append(((seconds - start) / size * 1e6,
                              (peak - base) / size))
            print("%-30s" % label,
                  *("%13.1f (%5.2f)   " % cell for cell in cells),
                  " %5.2fx" % (cells[-1][0] / cells[0][0]))


main()
