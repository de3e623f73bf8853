"""Reading C++ takes time that grows with the text, however brackets nest in it.

usage: spelling_time.py

Texts of one length whose brackets are never closed: those for which the reader has to
know what stands in a bracket take about as much CPU time as one for which it does not.
"""
import os
import subprocess
import sys

CALLS = 40000
MOST = 6  # times as long; it is about 1, and was 60 when each bracket was looked through


def seconds(text):
    """CPU time, the least of three runs, of the calculator on a text it rejects."""
    best = float("inf")
    for _ in range(3):
        before = os.times()
        run = subprocess.run(["cute-layout"], input=text, text=True, capture_output=True)
        after = os.times()
        if run.returncode == 0 or "nested more than" not in run.stderr + run.stdout:
            sys.exit("not rejected as nested too deep: " + run.stderr[-200:])
        best = min(best, after.children_user + after.children_system
                   - before.children_user - before.children_system)
    return best


plain = max(seconds("make_shape(" * CALLS), 0.02)
for opening in "make_layout(", "Layout<":
    time = seconds(opening * CALLS)
    if time > MOST * plain:
        sys.exit("%s: %.2f s, but make_shape( %.2f s" % (opening, time, plain))
