#!/usr/bin/env python3
"""Prints "N passed, N failed" and the CPU time for the results of a lit run, and how to run the
failed ones again; fails if any did. Programs that tests started count, except ones that outlive
them."""
import collections
import json
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
IGNORED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main():
    try:
        tests = json.load(open(sys.argv[1], encoding="utf-8"))["tests"]
    except (OSError, ValueError) as error:
        sys.exit(f"the tests did not run: {error}\n0 passed, 1 failed")
    codes = collections.Counter(test["code"] for test in tests)
    passed = sum(codes[c] for c in PASSED)
    ignored = sum(codes[c] for c in IGNORED)
    failed = len(tests) - passed - ignored
    again = [test["name"].replace("cute :: ", "test/") for test in tests
             if test["code"] not in PASSED | IGNORED]
    if again:
        print("again:", "./dev check", *again)
    if ignored:
        print(f"{ignored} left out, which this machine or this run has not")
    seconds = sum(test.get("metrics", {}).get("cpu_seconds", 0) for test in tests)
    print(f"{seconds:.0f} s of CPU time")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
