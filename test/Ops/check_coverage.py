"""Lists which kinds of test each op has, and fails where one lacks a kind.

usage: check_coverage.py FOLDER

`cute-opt --show-doc` lists the ops; the tests are the .mlir files in
FOLDER/GROUP, GROUP being the op's. What a file tests, its RUN lines say:

  roundtrip  it is read back after printing, and a CHECK line has the op
  generic    a GENERIC line has the op in the generic form
  infer      the op is called without the types of its results, or accepted in a
             case of FOLDER/../data/ops, which is checked so, too; for ops with
             results that do not have to be written
  fold       folding leaves fewer calls of the op; for ops with
             operands and without effects whose result can be a constant
  lower      the op is called in what is lowered by --cute-lower or cutec
  errors     the op is called on a line for which an error is expected
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

KINDS = ["roundtrip", "generic", "infer", "fold", "lower", "errors"]
# Results of these kinds only are never constants.
IN_MEMORY = {"ptr", "tensor", "struct", "tma_atom", "pipeline", "pipeline_state",
             ""}
# The first one's integers are constants when they are lowered; addresses never, nor
# what an atom comes with.
NOT_FOLDED = {"get_scalars", "ptr_to_int", "with_barrier", "with_cache",
              "with_rows", "with_tensor_map", "pipeline_stage"}
CALL = re.compile(r'(?<!!)\bcute\.(\w+)')


def cute_opt(*arguments):
    return subprocess.run(["cute-opt", *arguments], capture_output=True,
                          text=True, check=True).stdout


def read_ops(document):
    """(group, name, kinds of test) of every op in the reference."""
    for group in document.split("\nCode in [lib/Ops/")[1:]:
        for section in group.split("\n### `cute.")[1:]:
            result = re.search(r"\n- Result, (\w+).*?: (.*)", section)
            results = set(result.group(2).split(", ")) if result else {""}
            inapplicable = set()
            if not result or result.group(1) != "inferred":
                inapplicable.add("infer")
            name = section.split("`")[0]
            if ("- Effects" in section or results <= IN_MEMORY
                    or "- Operand" not in section or name in NOT_FOLDED):
                inapplicable.add("fold")
            yield (group.split(".c]")[0], name,
                   [k for k in KINDS if k not in inapplicable])


def calls(line):
    """The ops that a line of code calls."""
    return [] if line.lstrip().startswith("//") else CALL.findall(line)


def count_calls(text):
    return collections.Counter(op for line in text.splitlines()
                               for op in calls(line))


def expected_errors(lines):
    """The ops in the lines for which an error is expected."""
    for i, line in enumerate(lines):
        for place in re.findall(r"expected-error(?:-re)? *(@\S+)?", line):
            number = re.fullmatch(r"@([+-]\d+)", place)
            below = next((n for n in range(i + 1, len(lines))
                          if lines[n].strip() and calls(lines[n])), i)
            yield from calls(lines[i + int(number.group(1)) if number
                                   else below if place == "@below" else i])


def tested(path):
    """(kind, op) for all that a file tests."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    runs = re.sub(r"\\\n// RUN:", "", text)
    runs = "\n".join(re.findall(r"// RUN: (.*)", runs))
    checks = "\n".join(re.findall(r"// CHECK\S*: (.*)", text))
    for op in re.findall(r'// GENERIC\S*: .*"cute\.(\w+)"\(', text):
        yield "generic", op
    if "--verify-diagnostics" in runs:
        yield from (("errors", op) for op in expected_errors(lines))
    elif "--cute-lower" in runs or "cutec" in runs:
        yield from (("lower", op) for op in count_calls(text).elements())
    elif "--cute-fold-static" in runs:
        folded = count_calls(cute_opt(path, "--cute-fold-static",
                                      "--cute-canonicalize"))
        used = count_calls(cute_opt(path))
        yield from (("fold", op) for op in (used - folded).elements())
    else:
        if "| cute-opt |" in runs:
            yield from (("roundtrip", op) for op in CALL.findall(checks))
        yield from (("infer", op) for line in lines if "->" not in line
                    for op in calls(line))


def inferred_cases(folder):
    """(infer, op) for the cases that test/Conformance/check_ops.py reads."""
    for path in sorted(folder.glob("*.jsonl")):
        for case in map(json.loads, path.read_text(encoding="ascii").splitlines()):
            if "pretty" in case and "op" in case:
                yield "infer", case["op"]


def main():
    folder = pathlib.Path(sys.argv[1])
    ops = list(read_ops(cute_opt("--show-doc")))
    found = {group: collections.Counter(
                 pair for path in sorted((folder / group).glob("*.mlir"))
                 for pair in tested(path)) for group in {op[0] for op in ops}}
    cases = collections.Counter(inferred_cases(folder.parent / "data" / "ops"))
    missing = 0
    print(f"{'':23}" + "".join(f"{kind:>10}" for kind in KINDS))
    for group, op, kinds in ops:
        numbers = [found[group][kind, op] + cases[kind, op]
                   if kind in kinds else "-" for kind in KINDS]
        missing += numbers.count(0)
        print(f"{op:23}" + "".join(f"{number or 'none':>10}"
                                   for number in numbers))
    print(f"{len(ops)} ops, {missing} kinds of test missing")
    return 1 if missing or not ops else 0


if __name__ == "__main__":
    sys.exit(main())
