"""Evaluates each line `EXPRESSION => RESULT` of a file with cute-layout; a
RESULT that begins with `error:` is the beginning of a message."""
import subprocess
import sys

failed = 0
count = 0
for line in open(sys.argv[1]):
    if " => " not in line or line.startswith("RUN:"):
        continue
    expression, expected = line.rstrip("\n").split(" => ")
    run = subprocess.run(["cute-layout", "eval", expression],
                         capture_output=True, text=True)
    found = run.stdout.rstrip("\n") or run.stderr.split("\n")[0]
    count += 1
    if found == expected or (expected.startswith("error:") and
                             found.startswith(expected)):
        continue
    failed += 1
    print(f"{expression}\n  expected {expected}\n  found    {found}")
print(f"{count} expressions, {failed} wrong")
sys.exit(failed > 0 or count == 0)
