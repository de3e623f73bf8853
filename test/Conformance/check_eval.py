#!/usr/bin/env python3
"""Executes functions on values with dynamic leaves and compares their integers.

  check_eval.py [--passes=LIST] CUTE_OPT FILE.jsonl...

The cases (see README.md) are modules with one function, values for the dynamic
leaves of its arguments, and the integers that it returns. All functions of a file
are lowered in one run of cute-opt by the named passes (default: all of the open
dialect's). Nothing of the dialect may be left, and each argument must have the
type that its cute type is passed as, which this file works out on its own. Callers
in the dialects of MLIR then print the results, and lli runs it all.
"""
import json
import re
import subprocess
import sys

PASSES = "cute-fold-static,cute-expand-ops,cute-to-base"
TO_LLVM = "base-prepare,one-shot-convert-to-llvm"


# What values are passed as: an integer type such as "i32", or a list of fields.

def integer(width):
    return "i32" if width is None else width


def fields_of_tuple(text):
    widths = re.findall(r"\?(?:\{(i\d+)\})?", text)
    fields = [integer(w or None) for w in widths]
    return fields[0] if len(fields) == 1 else fields


def fields_of_layout(text):
    shape, _, stride = text.partition(":")
    return [fields_of_tuple(shape), fields_of_tuple(stride)]


def fields_of_composed(text):
    inner, offset, outer = text.split(" o ")
    return [fields_of_layout(outer), fields_of_tuple(offset),
            [] if inner.startswith("S<") else fields_of_layout(inner)]


def fields_of_tile(text):
    leaves = re.split(r"[\[\];]", text)
    fields = [fields_of_layout(leaf) for leaf in leaves if leaf not in ("", "_")]
    return fields[0] if len(fields) == 1 else fields


FIELDS = {"int_tuple": fields_of_tuple, "shape": fields_of_tuple,
          "stride": fields_of_tuple, "coord": fields_of_tuple,
          "layout": fields_of_layout, "composed_layout": fields_of_composed,
          "tile": fields_of_tile, "swizzle": lambda text: []}


def fields_of(type_text):
    cute = re.fullmatch(r'!cute\.(\w+)<"(.*)">', type_text)
    return FIELDS[cute[1]](cute[2]) if cute else type_text


def spelled(fields, prefix="!llvm."):
    if isinstance(fields, str):
        return fields
    inner = ", ".join(spelled(f, "") for f in fields)
    return f"{prefix}struct<({inner})>"


# Callers

class Caller:
    """Lines of MLIR that build arguments, call a function and print results."""

    def __init__(self):
        self.lines, self.count = [], 0

    def value(self, text):
        self.count += 1
        self.lines.append(f"    %{self.count} = {text}")
        return f"%{self.count}"

    def build(self, fields, leaves):
        if isinstance(fields, str):
            return self.value(f"arith.constant {leaves.pop(0)} : {fields}")
        whole = self.value(f"llvm.mlir.poison : {spelled(fields)}")
        for i, field in enumerate(fields):
            part = self.build(field, leaves)
            whole = self.value(
                f"llvm.insertvalue {part}, {whole}[{i}] : {spelled(fields)}")
        return whole

    def print(self, value, type_text):
        if type_text != "i64":
            value = self.value(f"arith.extsi {value} : {type_text} to i64")
        self.value(f"llvm.call @printf(%format, {value}) vararg(!llvm.func<i32 "
                   "(ptr, ...)>) : (!llvm.ptr, i64) -> i32")

    def call(self, name, arguments, bindings, results):
        values = []
        for fields, leaves in zip(arguments, bindings, strict=True):
            leaves = list(leaves)
            values.append(self.build(fields, leaves))
            assert not leaves, f"{name}: more values than dynamic leaves"
        self.count += 1
        call = self.count
        types = ", ".join(spelled(a) for a in arguments)
        self.lines.append(f"    %{call}:{len(results)} = func.call @{name}("
                          f"{', '.join(values)}) : ({types}) -> "
                          f"({', '.join(results)})")
        for i, type_text in enumerate(results):
            self.print(f"%{call}#{i}", type_text)


PRELUDE = """
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @format("%lld\\0A\\00")
"""


def signature(case):
    head = re.search(r"func\.func @\w+\((.*)\) -> \(?([^{]*?)\)? \{\n",
                     case["mlir"])
    arguments = re.findall(r"%arg\d+: ((?:![\w.]+<\".*?\">)|\w+)", head[1])
    return [fields_of(a) for a in arguments], head[2].split(", ")


def caller(case, name):
    arguments, results = signature(case)
    assert len(results) == len(case["result"]), case["id"]
    lines = Caller()
    lines.call(name, arguments, case["dynamic_leaf_args"], results)
    return (f"  func.func @call_{name}() {{\n"
            "    %format = llvm.mlir.addressof @format : !llvm.ptr\n"
            + "\n".join(lines.lines) + "\n    return\n  }\n")


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n"
                 f"{done.stderr[:4000]}")
    return done.stdout


def function_of(case, name):
    body = re.fullmatch(r"module \{\n(.*)\}\n", case["mlir"], re.S)[1]
    return body.replace(f"@{case['func']}(", f"@{name}(", 1)


def execute(tool, passes, cases):
    """The integers that each case's function returned, in order."""
    names = [f"f{i}" for i in range(len(cases))]
    functions = "".join(map(function_of, cases, names))
    lowered = run([tool, f"--pass-pipeline={passes}", "-"],
                  f"module {{\n{functions}}}\n")
    left = re.search(r".*(cute\.|unrealized).*", lowered)
    if left:
        sys.exit(f"after {passes} there is still: {left[0]}")
    main = "".join(f"    func.call @call_{n}() : () -> ()\n" for n in names)
    callers = "".join(map(caller, cases, names))
    whole = (lowered.rstrip().removesuffix("}") + PRELUDE + callers
             + "  func.func @main() -> i32 {\n" + main
             + "    %0 = arith.constant 0 : i32\n    return %0 : i32\n  }\n}\n")
    in_llvm = run([tool, f"--pass-pipeline={TO_LLVM}", "-"], whole)
    ir = run(["mlir-translate", "--mlir-to-llvmir"], in_llvm)
    numbers = iter(run(["lli"], ir).split())
    found = [[int(next(numbers)) for _ in c["result"]] for c in cases]
    assert next(numbers, None) is None, "more integers than expected"
    return found


def check_file(tool, passes, path):
    cases = [json.loads(line) for line in open(path, encoding="ascii")]
    found = execute(tool, passes, cases)
    wrong = [(c, f) for c, f in zip(cases, found) if f != c["result"]]
    for case, result in wrong:
        print(f"{case['id']}: gives {result}, not {case['result']}\n"
              f"{case['mlir']}    with {case['dynamic_leaf_args']}")
    print(f"{path}: {len(cases) - len(wrong)} of {len(cases)} agree")
    return not wrong


def main():
    arguments, passes = sys.argv[1:], PASSES
    if arguments[0].startswith("--passes="):
        passes = arguments.pop(0).removeprefix("--passes=")
    tool, *paths = arguments
    ok = [check_file(tool, passes, path) for path in paths]
    sys.exit(0 if all(ok) else 1)


if __name__ == "__main__":
    main()
