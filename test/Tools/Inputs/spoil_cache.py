"""Compiles with a cache whose entry is spoiled in many ways, again and again.

usage: spoil_cache.py CUTEC INPUT EXPECTED FOLDER
Counts how often the output is another than EXPECTED.
"""
import pathlib
import random
import subprocess
import sys

cutec, source, expected, folder = sys.argv[1:]
command = [cutec, source, "-o", "spoiled.ptx", "--cache=" + folder]
subprocess.run(command, check=True)
(entry,) = pathlib.Path(folder).iterdir()
whole = entry.read_bytes()
random.seed(1)
wrong = 0
for i in range(40):
    spoiled = bytearray(whole)
    if i % 4 == 0:
        spoiled = spoiled[:random.randrange(len(spoiled))]
    elif i % 4 == 1:
        spoiled[random.randrange(len(spoiled))] ^= 1 << random.randrange(8)
    elif i % 4 == 2:
        spoiled = random.randbytes(random.randrange(200))
    else:
        at = 8 + 8 * random.randrange(3)  # a number of the head
        spoiled[at:at + 8] = random.randbytes(8)
    entry.write_bytes(bytes(spoiled))
    run = subprocess.run(command, check=False)
    wrong += run.returncode != 0 or (
        pathlib.Path("spoiled.ptx").read_bytes() != pathlib.Path(expected).read_bytes())
print(f"{wrong} wrong of 40")
