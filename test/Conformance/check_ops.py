#!/usr/bin/env python3
"""Checks ops and types against verdicts of the open `cute` dialect.

  check_ops.py CUTE_OPT FILE.jsonl...

The cases (see README.md) name an op with its operand types, and the result types
and the line that the open dialect's tool printed, or that it rejects the op; or a
type and how it prints. All cases of a file go through cute-opt in one run, split,
once in the generic and, where accepted, once in the pretty form and once in the
pretty form without its types, which are inferred.
"""
import json
import re
import subprocess
import sys

SEPARATOR = "// -----"
# Ops whose results have to be written.
WRITTEN = {"static", "make_int_tuple", "make_shape", "make_stride", "make_coord",
           "make_tile"}


def chunk_of_op(case, form):
    """A function with the op in a form: "generic", "pretty", or "short", which is
    pretty without types."""
    arguments = ", ".join(
        f"%arg{i}: {t}" for i, t in enumerate(case["operands"]))
    if form == "pretty":
        line = case["pretty"]
    elif form == "short":
        line = case["pretty"].split(" : ")[0]
    else:
        results = case.get("results")
        if results is None:  # whatever is written must be rejected
            results = ["!cute.int_tuple<\"1\">"]
        names = ", ".join(f"%arg{i}" for i in range(len(case["operands"])))
        left = f"%0:{len(results)} = " if results else ""
        line = (f'{left}"cute.{case["op"]}"({names}) {case["attrs"]} : '
                f'({", ".join(case["operands"])}) -> ({", ".join(results)})')
    return f"func.func @f({arguments}) {{\n  {line}\n  return\n}}"


def chunk_of_type(case):
    return f"func.func private @f({case['type_in']})"


def run(tool, chunks, *options):
    """Output text and error messages of each chunk."""
    if not chunks:
        return []
    text, starts, line = [], [], 1
    for chunk in chunks:
        starts.append(line)
        text.append(chunk)
        line += chunk.count("\n") + 2
    done = subprocess.run([tool, "--split-input-file", *options, "-"],
                          input=f"\n{SEPARATOR}\n".join(text) + "\n",
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{tool} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    errors = [[] for _ in chunks]
    for number, message in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$",
                                      done.stderr, re.M):
        index = max(i for i, s in enumerate(starts) if s <= int(number))
        errors[index].append(message)
    return list(zip(done.stdout.split(SEPARATOR + "\n"), errors, strict=True))


def line_with(output, prefix):
    for line in output.splitlines():
        if prefix in line:
            return line.strip()
    return None


def check_printed(case, result, form):
    """What is wrong with how an accepted op in this form is read."""
    output, errors = result
    if form == "short" and case["op"] in WRITTEN:
        return None if any("cannot infer" in e for e in errors) else "inferred"
    if errors:
        return f"rejected in {form} form: {errors[0]}"
    found = line_with(output, f"cute.{case['op']}")
    return None if found == case["pretty"] else f"{form} form prints {found}"


def check_rejected(case, errors):
    if not errors:
        return "accepted, but is to be rejected"
    if "results" not in case and any("inferred" in e for e in errors):
        return f"inferred, but is to be rejected: {errors[0]}"
    return None


def check_type(case, result):
    output, errors = result
    if "rejected" in case:
        return None if errors else "accepted, but is to be rejected"
    if errors:
        return f"rejected: {errors[0]}"
    found = line_with(output, "func.func")
    wanted = f"func.func private @f({case['prints']})"
    return None if found == wanted else f"prints {found}"


def check_ops(tool, cases):
    accepted = [c for c in cases if "pretty" in c]
    rejected = [c for c in cases if "pretty" not in c]
    verdicts = {}
    for case, (_, errors) in zip(rejected, run(
            tool, [chunk_of_op(c, "generic") for c in rejected])):
        verdicts[case["id"]] = check_rejected(case, errors)
    for form in "generic", "pretty", "short":
        for case, result in zip(accepted, run(
                tool, [chunk_of_op(c, form) for c in accepted])):
            verdicts[case["id"]] = (verdicts.get(case["id"])
                                    or check_printed(case, result, form))
    return [verdicts[c["id"]] for c in cases]


def check_file(tool, path):
    cases = [json.loads(line) for line in open(path, encoding="ascii")]
    if "type_in" in cases[0]:
        results = run(tool, [chunk_of_type(c) for c in cases])
        verdicts = [check_type(c, r) for c, r in zip(cases, results)]
    else:
        verdicts = check_ops(tool, cases)
    failures = [(c, v) for c, v in zip(cases, verdicts) if v]
    for case, verdict in failures:
        print(f"{case['id']} ({case.get('rejected', 'accepted')}): {verdict}\n"
              f"    {json.dumps(case)[:600]}")
    print(f"{path}: {len(cases) - len(failures)} of {len(cases)} agree")
    return not failures


def main():
    tool, *paths = sys.argv[1:]
    ok = [check_file(tool, path) for path in paths]
    sys.exit(0 if all(ok) else 1)


if __name__ == "__main__":
    main()
