"""Reading C++ takes time that grows with the text, however brackets nest in it.

usage: spelling_time.py

Counts the instructions of the calculator for each more of many brackets that are never
closed. Where it has to know what a bracket contains they are about as many as where it
does not.
"""
import re
import subprocess
import sys

CALLS = 1000
MOST = 2  # times as many; it is about 1, and was 20 when each bracket was looked through


def instructions(text):
    """Counts the calculator's instructions on a text that it rejects."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "cute-layout"],
        input=text, text=True, capture_output=True)
    if run.returncode == 0 or "nested more than" not in run.stderr + run.stdout:
        sys.exit("not rejected as nested too deep: " + run.stderr[-200:])
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def of_each(opening):
    """Counts the instructions for one bracket more."""
    return (instructions(opening * 2 * CALLS) - instructions(opening * CALLS)) / CALLS


plain = of_each("make_shape(")
for opening in "make_layout(", "Layout<":
    count = of_each(opening)
    if count > MOST * plain:
        sys.exit(f"{opening}: {count} instructions, but make_shape( {plain}")
