"""Compares rows that were gathered and scattered: X.npy, the rows' numbers, Y.npy."""

import array
import sys


def rows_of(path, code, bytes_of_row):
    data = open(path, "rb").read()
    start = 10 + int.from_bytes(data[8:10], "little")
    values = array.array(code, data[start:])
    width = bytes_of_row // values.itemsize
    return [values[i : i + width].tolist() for i in range(0, len(values), width)]


x, y = rows_of(sys.argv[1], "H", 256), rows_of(sys.argv[3], "H", 256)
named = {i for (i,) in rows_of(sys.argv[2], "i", 4) if 0 <= i < len(x)}
SEVEN = 0x4700
for i, row in enumerate(y):
    assert row == (x[i] if i in named else [SEVEN] * len(row)), i
print(f"{len(named)} rows copied, {len(y) - len(named)} untouched")
