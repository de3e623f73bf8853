#!/usr/bin/env python3
"""Checks the layout algebra against CuTe C++ and the open `cute` dialect.

  check_algebra.py CUTE_LAYOUT FILE.jsonl...

Every case (see README.md) goes through `cute-layout --batch`. Expected is the
dialect's normal form where it differs from CuTe C++'s; what the dialect rejects
may be rejected.
"""
import collections
import json
import subprocess
import sys


def expected(case):
    """A text or list, or None for a case that must be an error."""
    if "dialect" in case:
        return case["dialect"]
    return case.get("result")


def normal(result):
    if isinstance(result, list):
        return [normal(r) for r in result]
    return result.replace("Sw<", "S<") if isinstance(result, str) else result


def run(tool, cases):
    lines = "".join(json.dumps({k: c[k] for k in ("id", "op", "args")}) + "\n"
                    for c in cases)
    done = subprocess.run([tool, "--batch"], input=lines, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"{tool} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_file(tool, path, counts):
    with open(path, encoding="ascii") as file:
        cases = [c for c in map(json.loads, file) if "op" in c]
    answers = run(tool, cases)
    failures = 0
    for case, answer in zip(cases, answers, strict=True):
        wanted = expected(case)
        found = answer.get("result")
        ok = answer["id"] == case["id"] and (
            normal(found) == normal(wanted) or
            ("dialect_rejected" in case and found is None))
        counts[case["op"]][ok] += 1
        if not ok:
            failures += 1
            print(f"{case['id']} {case['op']} {case['args']}\n"
                  f"    wanted {str(wanted or case.get('rejected'))[:200]}\n"
                  f"    found  {str(found or answer.get('error'))[:200]}")
    print(f"{path}: {len(cases) - failures} of {len(cases)} agree")
    return not failures


def main():
    tool, *paths = sys.argv[1:]
    counts = collections.defaultdict(lambda: [0, 0])
    ok = [check_file(tool, path, counts) for path in paths]
    for op, (failed, _) in sorted(counts.items()):
        if failed:
            print(f"  {op}: {failed} failed")
    sys.exit(0 if all(ok) else 1)


if __name__ == "__main__":
    main()
