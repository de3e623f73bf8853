"""Runs the kernels of guarded_copies.py with matrices of many sizes.

usage: guarded_rows.py CUTEC ROWS...
"""
import ctypes
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Conformance"))
from simulated import Driver, Kernels, Memory  # noqa: E402

COLUMNS, PITCH = 40, 48


def matrix(memory, rows, columns):
    """The arguments of a matrix."""
    return (memory.at(0), ctypes.c_int32(rows), ctypes.c_int32(columns),
            ctypes.c_int64(PITCH))


def is_right(kernels, a, c, size, rows, columns):
    c.fill(0xff)
    kernels.launch("copies", 1, *matrix(a, rows, columns), *matrix(c, size, COLUMNS))
    found, given = c.elements("H"), a.elements("H")
    return all(found[i * PITCH + k] == (
        given[i * PITCH + k] if i < rows and k < columns else 0)
        for i in range(size) for k in range(COLUMNS))


def main():
    cutec, *sizes = sys.argv[1:]
    driver = Driver(cutec)
    for size in map(int, sizes):
        source = subprocess.run(
            [sys.executable, os.path.join(HERE, "guarded_copies.py"), str(size)],
            check=True, capture_output=True, text=True).stdout
        kernels = Kernels(driver, cutec, source)
        a, c = (Memory(driver, 2 * size * PITCH) for _ in "AC")
        a.elements("H")[:] = memoryview(bytearray(
            b for i in range(size * PITCH) for b in (i + 1).to_bytes(2, "little"))
        ).cast("H")
        right = [is_right(kernels, a, c, size, rows, columns)
                 for rows in range(size + 1) for columns in range(0, COLUMNS + 1, 8)]
        print(f"{size}: {len(right)} sizes, {right.count(False)} failures")


main()
