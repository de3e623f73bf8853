"""Compares `cutec --report=json`, on standard input, with ptxas' own statistics and
the definition of occupancy: the most blocks for which registers and the like suffice.

usage: check_report.py CODE.ptx ARCH PTXAS
"""
import json
import re
import subprocess
import sys

LIMITS = {"sm_86": (48, 16, 100), "sm_90": (64, 32, 228)}  # warps, blocks, KiB


def blocks(kernel, arch):
    """Adds blocks one by one, whose warps take turns in four parts."""
    warps, most, kib = LIMITS[arch]
    own = -(-kernel["threads"] // 32)
    registers = -(-kernel["registers"] * 32 // 256) * 256
    shared = kernel["static_shared_bytes"] + kernel["dynamic_shared_bytes"]
    shared = -(-(shared + 1024) // 128) * 128
    count = 0
    while True:
        next_warps = (count + 1) * own
        if (count == most or next_warps > warps
                or (count + 1) * shared > kib * 1024
                or -(-next_warps // 4) * registers > 65536 // 4):
            return count
        count += 1


path, arch, ptxas = sys.argv[1:]
report = json.load(sys.stdin)
text = subprocess.run([ptxas, "-v", f"-arch={arch}", "-o", "/dev/null", path],
                      capture_output=True, text=True, check=True).stderr
assert report["arch"] == arch
parts = re.split(r"Compiling entry function '(\w+)'", text)
assert len(parts) // 2 == len(report["kernels"]) > 0
for name, part in zip(parts[1::2], parts[2::2]):
    kernel, = (k for k in report["kernels"] if k["name"] == name)
    number = lambda what: int(re.search(rf"(\d+) {what}", part).group(1))
    assert kernel["registers"] == number("registers"), name
    assert kernel["stack_bytes"] == number("bytes stack frame"), name
    assert kernel["spill_store_bytes"] == number("bytes spill stores"), name
    assert kernel["spill_load_bytes"] == number("bytes spill loads"), name
    assert kernel["occupancy"]["blocks"] == blocks(kernel, arch), name
    loop = kernel["main_loop"]
    assert sum(loop["mix"].values()) == loop["instructions"], name
