#!/usr/bin/env python3
"""Lowers every op that the open `cute` dialect accepts, as a function of its own.

  check_lowering.py CUTE_OPT FILE.jsonl...

The cases come from check_ops.py. The op's operands are the function's parameters
and its results are returned. After the open dialect's passes the function must have
the types that those are passed as, and nothing of the dialect; MLIR's passes must
then get it to the llvm dialect. Comparisons of values that have no integers to
compare must fail to lower.
"""
import json
import re
import sys

import check_eval
import check_ops

PASSES = f"--pass-pipeline={check_eval.PASSES}"
TO_LLVM = f"--pass-pipeline={check_eval.PASSES},{check_eval.TO_LLVM}"


def function_of(case):
    operands, results = case["operands"], case["results"]
    parameters = ", ".join(f"%arg{i}: {t}" for i, t in enumerate(operands))
    names = ", ".join(f"%arg{i}" for i in range(len(operands)))
    types = ", ".join(results)
    left = f"%0:{len(results)} = " if results else ""
    values = ", ".join(f"%0#{i}" for i in range(len(results)))
    returned = f" {values} : {types}" if results else ""
    return (f"func.func @f({parameters}) -> ({types}) {{\n"
            f'  {left}"cute.{case["op"]}"({names}) {case["attrs"]} : '
            f'({", ".join(operands)}) -> ({types})\n'
            f"  return{returned}\n}}")


def signature_of(case):
    def passed(type_text):
        return check_eval.spelled(check_eval.fields_of(type_text))
    parameters = ", ".join(f"%arg{i}: {passed(t)}"
                           for i, t in enumerate(case["operands"]))
    results = ", ".join(passed(t) for t in case["results"])
    arrow = (f" -> ({results})" if len(case["results"]) != 1
             else f" -> {results}") if results else ""
    return f"func.func @f({parameters}){arrow} {{"


def comparison_fails(case, error):
    """Whether an integer was compared with `_`."""
    return (case["op"] == "elem_less" and "_" in "".join(case["operands"])
            and "_ has no value to compare" in error)


def check(case, lowered, in_llvm):
    output, errors = lowered
    if errors:
        return None if comparison_fails(case, errors[0]) else errors[0]
    if signature_of(case) not in output:
        return f"is not {signature_of(case)} but\n{output}"
    if re.search(r"cute\.|unrealized", output):
        return f"is not lowered:\n{output}"
    output, errors = in_llvm
    left = re.findall(r"^ +(?:%\S+ = )?((?!llvm\.)\w+\.\w+)", output, re.M)
    return errors[0] if errors else f"{left} is left" if left else None


def check_file(tool, path):
    cases = [json.loads(line) for line in open(path, encoding="ascii")]
    cases = [c for c in cases if "pretty" in c]
    functions = [function_of(c) for c in cases]
    verdicts = list(map(check, cases, check_ops.run(tool, functions, PASSES),
                        check_ops.run(tool, functions, TO_LLVM)))
    for case, verdict in zip(cases, verdicts):
        if verdict:
            print(f"{case['id']}: {verdict}\n{function_of(case)}")
    print(f"{path}: {verdicts.count(None)} of {len(cases)} are lowered")
    return not any(verdicts)


def main():
    tool, *paths = sys.argv[1:]
    ok = [check_file(tool, path) for path in paths]
    sys.exit(0 if all(ok) else 1)


if __name__ == "__main__":
    main()
