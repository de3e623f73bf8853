"""Runs a command once for each of its allocations, or for a sample of them, each time
with another one that fails: the process says so and ends, or does what it should.

usage: fail_allocations.py LIBRARY RUNS [--only LIBCUTE] COMMAND ...

With --only, calls of libcute's own functions that allocate count, where it contains LLVM.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

library, runs, *command = sys.argv[1:]
callers = {}
if command[0] == "--only":
    symbols = subprocess.run(["nm", "-S", command[1]], capture_output=True, text=True,
                             check=True).stdout
    found = re.findall(r"^(\w+) (\w+) t cute(?:Rea|A)llocate$", symbols, re.M)
    callers["CUTE_CALLERS"] = " ".join("-".join(pair) for pair in found)
    command = command[2:]


def run(**settings):
    return subprocess.run(command, capture_output=True, timeout=60,
                          env=os.environ | {"LD_PRELOAD": library} | callers | settings)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "count")
    expected = run(CUTE_COUNT_TO=path)
    assert expected.returncode == 0, expected
    with open(path, encoding="ascii") as file:
        total = int(file.read())
ended = wrong = 0
step = max(1, total // int(runs))
for at in range(1, total + 1, step):
    got = run(CUTE_FAIL_AT=str(at))
    says = b"cute: out of memory\n" in got.stderr
    if got.returncode == -signal.SIGABRT and says:
        ended += 1
    elif (got.returncode, got.stdout) != (0, expected.stdout):
        print(f"allocation {at} of {total}: exit code {got.returncode}, {got.stderr[-300:]}")
        wrong += 1
print(f"{wrong} wrong")
sys.exit(ended == 0 or wrong != 0)
