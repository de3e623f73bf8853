#!/usr/bin/env python3
"""Checks the layout algebra against CuTe C++ and the open `cute` dialect.

  check_algebra.py CUTE_LAYOUT DEVIATIONS.json FILE.jsonl...

Every case (see README.md) goes through `cute-layout --batch`. Expected is the
dialect's normal form where it differs from CuTe C++'s; what the dialect rejects
may be rejected. No result may come with a warning, but for those of the quirks:
these give the function that CuTe C++ gives, each with a warning, and with
--strict an error. DEVIATIONS names the cases that are different, and why.
"""
import collections
import json
import subprocess
import sys


def is_message_of(warnings, strict):
    """The error is the first warning, perhaps after the operation's name."""
    message = strict["error"]
    return any(warnings.startswith(text)
               for text in (message, message.partition(": ")[2]))


def expected(case):
    """A text or list, or None for a case that must be an error."""
    if "dialect" in case:
        return case["dialect"]
    return case.get("result")


def normal(result):
    if isinstance(result, list):
        return [normal(r) for r in result]
    return result.replace("Sw<", "S<") if isinstance(result, str) else result


def run(tool, cases, *options):
    lines = "".join(json.dumps({k: c[k] for k in ("id", "op", "args")}) + "\n"
                    for c in cases)
    done = subprocess.run([tool, "--batch", *options], input=lines,
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{tool} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def agrees(case, answer):
    found = normal(answer.get("result"))
    return (found == normal(expected(case)) or
            ("dialect_rejected" in case and found is None))


def values(tool, texts):
    """What each layout gives at all its coordinates."""
    cases = [{"id": 0, "op": "eval", "args": [t]} for t in texts]
    return [a.get("result") for a in run(tool, cases)]


def check_cases(tool, cases, deviations):
    """The cases that fail, each with the answer."""
    failed = []
    for case, answer in zip(cases, run(tool, cases), strict=True):
        deviates = deviations.get(case["id"], {})
        warns = "warning" in answer
        if (answer["id"] != case["id"] or not agrees(case, answer) or
                warns != ("warns" in deviates)):
            failed.append((case, answer))
    return failed


def check_quirks(tool, cases, deviations):
    answers = run(tool, cases)
    strict = run(tool, cases, "--strict")
    wanted = [deviations.get(c["id"], {}).get("result", c["cute_result"])
              for c in cases]
    same = zip(values(tool, wanted),
               values(tool, [a.get("result", "-") for a in answers]))
    failed = []
    for case, answer, error, (theirs, ours) in zip(cases, answers, strict,
                                                   same, strict=True):
        deviates = deviations.get(case["id"], {})
        if "rejected" in deviates:
            ok = deviates["rejected"] in answer.get("error", "")
        elif "lawful" in deviates:
            ok = ours and ours == theirs and "warning" not in answer
        else:
            ok = (ours and ours == theirs and
                  is_message_of(answer.get("warning", ""), error))
        if not ok:
            failed.append((case, answer))
    return failed


def check_file(tool, path, deviations, counts):
    with open(path, encoding="ascii") as file:
        cases = [c for c in map(json.loads, file) if "op" in c]
    check = check_quirks if "cute_result" in cases[0] else check_cases
    failed = check(tool, cases, deviations)
    for case in cases:
        counts[case["op"]][1] += 1
    for case, answer in failed:
        counts[case["op"]][0] += 1
        print(f"{case['id']} {case['op']} {case['args']}\n"
              f"    wanted {str(expected(case) or case)[:200]}\n"
              f"    found  {str(answer)[:400]}")
    print(f"{path}: {len(cases) - len(failed)} of {len(cases)} agree")
    return not failed


def main():
    tool, deviations, *paths = sys.argv[1:]
    with open(deviations, encoding="ascii") as file:
        deviations = json.load(file)
    counts = collections.defaultdict(lambda: [0, 0])
    ok = [check_file(tool, path, deviations, counts) for path in paths]
    for op, (failed, _) in sorted(counts.items()):
        if failed:
            print(f"  {op}: {failed} failed")
    sys.exit(0 if all(ok) else 1)


if __name__ == "__main__":
    main()
