#!/usr/bin/env python3
"""Checks ops and types against verdicts of the open `cute` dialect.

  check_ops.py CUTE_OPT FILE.jsonl...

The cases (see README.md) name an op with its operand types, and the result types
and the line that the open dialect's tool printed, or that it rejects the op; or a
type and how it prints. All cases of a file go through cute-opt in one run, split,
once in the generic and, where accepted, once in the pretty form.
"""
import json
import re
import subprocess
import sys

SEPARATOR = "// -----"


def chunk_of_op(case, pretty):
    arguments = ", ".join(
        f"%arg{i}: {t}" for i, t in enumerate(case["operands"]))
    if pretty:
        line = case["pretty"]
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


def check_op(case, generic, pretty):
    output, errors = generic
    if "pretty" not in case:
        if not errors:
            return "accepted, but is to be rejected"
        if "results" not in case and any("inferred" in e for e in errors):
            return f"inferred, but is to be rejected: {errors[0]}"
        return None
    if errors:
        return f"rejected: {errors[0]}"
    found = line_with(output, f"cute.{case['op']}")
    if found != case["pretty"]:
        return f"prints {found}"
    output, errors = pretty
    if errors:
        return f"rejected in pretty form: {errors[0]}"
    found = line_with(output, f"cute.{case['op']}")
    return None if found == case["pretty"] else f"round trip prints {found}"


def check_type(case, result):
    output, errors = result
    if "rejected" in case:
        return None if errors else "accepted, but is to be rejected"
    if errors:
        return f"rejected: {errors[0]}"
    found = line_with(output, "func.func")
    wanted = f"func.func private @f({case['prints']})"
    return None if found == wanted else f"prints {found}"


def check_file(tool, path):
    cases = [json.loads(line) for line in open(path, encoding="ascii")]
    if "type_in" in cases[0]:
        results = run(tool, [chunk_of_type(c) for c in cases])
        verdicts = [check_type(c, r) for c, r in zip(cases, results)]
    else:
        generic = run(tool, [chunk_of_op(c, False) for c in cases])
        accepted = [c for c in cases if "pretty" in c]
        pretty = dict(zip((c["id"] for c in accepted),
                          run(tool, [chunk_of_op(c, True) for c in accepted])))
        verdicts = [check_op(c, g, pretty.get(c["id"]))
                    for c, g in zip(cases, generic)]
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
