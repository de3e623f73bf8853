"""Says how many of the functions that cute-opt starts with are in the library, and over
how much of it they are spread.

usage: startup_pages.py LIST LIBRARY
"""
import subprocess
import sys

with open(sys.argv[1], encoding="ascii") as file:
    wanted = set(file.read().split())
out = subprocess.run(["nm", sys.argv[2]], check=True, capture_output=True, text=True).stdout
rows = [line.split() for line in out.splitlines()]
at = {row[2]: int(row[0], 16) for row in rows if len(row) == 3 and row[2] in wanted}
# Those that are run once, by the loader, have a section of their own.
ordered = sorted(at[name] for name in at if not name.startswith("_GLOBAL__sub_I_"))
middle = ordered[len(ordered) // 20:-(len(ordered) // 20)]
found = len(at) * 100 // len(wanted)
print("list:", "good" if found >= 80 else f"only {found} % of it are in the library")
spread = (middle[-1] - middle[0]) / 2**20
print("spread:", "good" if spread < 4 else f"{spread:.1f} MiB")
