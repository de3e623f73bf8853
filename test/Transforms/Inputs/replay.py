"""Runs cute-sm90 on a kernel, and again with the cute.schedule that its remark says: the
outputs are the same.

usage: replay.py CUTE-OPT PREFIX KERNEL [SCHEDULE ...]

Prints what each schedule, and none, becomes.
"""
import re
import subprocess
import sys


def optimize(tool, prefix, text, schedule):
    """The output and the choices."""
    if schedule:
        text = text.replace("cute.grid =", f"cute.schedule = {{{schedule}}}, cute.grid =")
    with open(f"{prefix}.mlir", "w") as file:
        file.write(text)
    done = subprocess.run([tool, f"{prefix}.mlir", "--cute-sm90=arch=sm_90a"], capture_output=True, text=True)
    chosen = re.search(r"remark: cute.schedule = \{(.*)\} gives these choices", done.stderr)
    return done.stdout, chosen[1] if chosen else sys.exit(done.stderr)


def main():
    tool, prefix, kernel, *schedules = sys.argv[1:]
    with open(kernel) as file:
        text = file.read()
    for schedule in ["", *schedules]:
        output, chosen = optimize(tool, prefix, text, schedule)
        again = optimize(tool, prefix, text, chosen)
        print(f"{{{schedule}}} {{{chosen}}} {'same' if again == (output, chosen) else 'differs'}")


main()
