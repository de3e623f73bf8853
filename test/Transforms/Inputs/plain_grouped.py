"""Compares the grouped product of a plain kernel with float64, and what passes make of it
with its bits, for groups of rows at random. The plain kernel has as many blocks as there are
tiles with rows.

usage: plain_grouped.py CUTE-RUN KERNEL PREFIX COUNT [SEED]
"""
import operator
import random
import re
import struct
import subprocess
import sys


def load(path):
    """The bytes of a file of f16, and its elements."""
    with open(path, "rb") as file:
        data = file.read()
    data = data[10 + struct.unpack("<H", data[8:10])[0]:]
    return data, struct.unpack(f"<{len(data) // 2}e", data)


def arguments(prefix, sizes, ends):
    """Tensors for the kernel; a file has the ends."""
    m, n, k = sizes
    groups = len(ends)
    with open(f"{prefix}.ends.npy", "wb") as file:
        head = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({groups},), }}".ljust(117) + "\n"
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{groups}i", *ends))
    return [f"f16[{m}x{k}]:normal(1)", f"f16[{groups}x{n}x{k}]:normal(2)", f"{prefix}.ends.npy", f"f16[{m}x{n}]:fill(-7)"]


def run(tool, kernel, prefix, sizes, ends, options):
    """Runs it; returns the path of the result."""
    tensors = arguments(prefix, sizes, ends)
    outputs = [f"--output={i}={prefix}.{i}.npy" for i in (0, 1, 3)]
    done = subprocess.run([tool, "--device=sim", "--arch=sm_90a", *options, kernel, *tensors, *outputs], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{sizes} {ends} {options}: {done.stdout}{done.stderr}")
    return f"{prefix}.3.npy"


def count_wrong(prefix, sizes, ends):
    """How many elements are further from float64 than rounding allows."""
    m, n, k = sizes
    a, b, c = [load(f"{prefix}.{i}.npy")[1] for i in (0, 1, 3)]
    wrong = row = 0
    for g, end in enumerate(ends):
        for i in range(row, end):
            x = a[i * k:(i + 1) * k]
            for j in range(n):
                at = (g * n + j) * k
                exact = sum(map(operator.mul, x, b[at:at + k]))
                wrong += not abs(c[i * n + j] - exact) <= 1e-3 * (1 + abs(exact))
        row = end
    return wrong + sum(x != -7 for x in c[row * n:])


def choose(generator):
    """Extents M, N, K, and where groups end; some have no rows."""
    groups = generator.choice([1, 2, 3, 5, 8])
    rows = [generator.choice([0, 1, generator.randrange(20), generator.randrange(140), 128]) for _ in range(groups)]
    ends = [sum(rows[:i + 1]) for i in range(groups)]
    m = max(ends[-1] + generator.choice([0, 0, 5]), 1)
    return (m, 8 * generator.randrange(1, 22), 8 * generator.choice([1, 3, 9, 17])), ends


def count_tiles(kernel, sizes, ends):
    """How many tiles have rows of a group."""
    with open(kernel) as file:
        rows, columns = map(int, re.search(r"BM = (\d+), BN = (\d+)", file.read()).groups())
    of_groups = [-(-(end - start) // rows) for start, end in zip([0, *ends], ends)]
    return sum(of_groups) * -(-sizes[1] // columns)


def main():
    tool, kernel, prefix, count, *seed = sys.argv[1:]
    generator = random.Random(int(seed[0]) if seed else 1)
    differ = wrong = 0
    for i in range(int(count)):
        sizes, ends = choose(generator) if i else ((140, 264, 8), [0, 129, 130, 140])
        blocks = max(count_tiles(kernel, sizes, ends), 1)
        plain = load(run(tool, kernel, prefix, sizes, ends, [f"--grid={blocks}"]))[0]
        wrong += count_wrong(prefix, sizes, ends) > 0
        order = ["--passes=cute-optimize", f"--schedule={generator.randrange(99)}", f"--grid={generator.randrange(1, 6)}"]
        if load(run(tool, kernel, prefix, sizes, ends, order))[0] != plain:
            differ += 1
            print(f"{sizes} {ends} {order}: other bits")
    print(f"{wrong} of {count} wrong, {differ} differ")


if __name__ == "__main__":
    main()
