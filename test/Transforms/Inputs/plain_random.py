"""Makes plain products at random into kernels for Hopper, or for an architecture with tensor
memory, and compares the bits of both.

usage: plain_random.py CUTE-RUN CUTE-OPT PREFIX COUNT [SEED [ARCH]]
"""
import random
import re
import subprocess
import sys

from plain_gemm import choose


def run(tool, arch, source, plain, extents, output, options):
    command = [tool, "--device=sim", f"--arch={arch}", *options, source, *plain.arguments(*extents),
               "--output", f"{plain.output}={output}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{plain} {extents} {options}: {done.stdout}{done.stderr}")
    with open(output, "rb") as file:
        return file.read()


def is_changed(tool, arch, source):
    """Whether all steps can be made."""
    steps = "--cute-sm90" if arch == "sm_90a" else "--cute-sm100"
    done = subprocess.run([tool, source, "--cute-join-loops", f"{steps}=arch={arch}", "-o", "/dev/null"], capture_output=True, text=True)
    last = ("go from tile to tile", "share the rounds of a tile")
    return "a separate warp loads" in done.stderr and "still" not in done.stderr and any(text in done.stderr for text in last)


def extent(schedule, side):
    """How many blocks clusters have along x or y."""
    found = re.search(rf"cluster_{side} = (\d)", schedule)
    return int(found[1]) if found else 1


def main():
    tool, opt, prefix, count, *rest = sys.argv[1:]
    generator = random.Random(int(rest[0]) if rest else 1)
    arch = rest[1] if len(rest) > 1 else "sm_90a"
    differ = left = 0
    for _ in range(int(count)):
        plain, extents = choose(generator, arch != "sm_90a")
        source = f"{prefix}.mlir"
        with open(source, "w") as file:
            file.write(plain.text())
        expected = run(tool, arch, source, plain, extents, f"{prefix}.plain.npy", [])
        options = ["--passes=cute-optimize", f"--schedule={generator.randrange(99)}"]
        if not re.search("split|persist", plain.schedule):
            x, y = (2, 2) if arch != "sm_90a" else (extent(plain.schedule, side) for side in "xy")
            options.append(f"--grid={x * generator.randrange(1, 5)},{y}")
        result = run(tool, arch, source, plain, extents, f"{prefix}.npy", options)
        if not is_changed(opt, arch, source) and "persist" not in plain.schedule:
            left += 1
            print(f"{plain} {extents}: stays as it is")
        if result != expected:
            differ += 1
            print(f"{plain} {extents} {options}: other bits")
    print(f"{differ} of {count} differ, {left} stay as they are")


if __name__ == "__main__":
    main()
