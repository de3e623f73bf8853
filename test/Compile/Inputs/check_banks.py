"""Reads a module and evaluates the layouts of f16 tensors in shared memory.

rows      ldmatrix: 8 rows at a time, 16 bytes of each
pieces    32 threads read four columns, each 2 bytes of 8 rows that are 8 apart,
          and 8 threads write 16 bytes each of one row
"""
import re
import sys

text = sys.stdin.read()
layouts = set(re.findall(
    r'alloc_smem<f16, 128> .*-> !cute.tensor<f16, smem, align<128>, "(.*?)">',
    text))
assert layouts


def leaves(tree):
    return [leaf for sub in tree for leaf in leaves(sub)] if isinstance(
        tree, tuple) else [tree]


def mode_offset(i, shape, stride):
    offset = 0
    for n, d in zip(leaves(shape), leaves(stride)):
        offset += i % n * d
        i //= n
    return offset


for layout in layouts:
    bits, base, shift, outer = re.fullmatch(
        r"S<(\d+),(\d+),(\d+)> o 0 o (.*)", layout).groups()
    bits, base, shift = int(bits), int(base), int(shift)
    shape, stride = (eval(part) for part in outer.split(":"))

    def address(*coord):
        i = sum(mode_offset(*m) for m in zip(coord, shape, stride))
        mask = ((1 << bits) - 1) << (base + shift)
        return 2 * (i ^ ((i & mask) >> shift))

    def size(mode):
        n = 1
        for leaf in leaves(shape[mode]):
            n *= leaf
        return n

    def every(rows, columns, rest):
        return [address(r, c, *rest) // 4 % 32 for r in rows for c in columns]

    # A bijection: no two elements share a place.
    rest = [0] * (len(shape) - 2)
    places = {address(r, c, *rest)
              for r in range(size(0)) for c in range(size(1))}
    assert len(places) == size(0) * size(1)
    if sys.argv[1] == "rows":
        for stage in range(size(2)):
            for row in range(0, size(0), 8):
                for column in range(0, size(1), 8):
                    banks = every(range(row, row + 8),
                                  range(column, column + 8, 2), [stage])
                    assert len(set(banks)) == 32, (row, column)
    else:
        for column in range(0, size(1), 4):
            for first in [*range(8), *range(64, 72)]:
                words = {address(row, c) // 4
                         for row in range(first, first + 64, 8)
                         for c in range(column, column + 4)}
                assert len({w % 32 for w in words}) == len(words), column
        for row in range(size(0)):
            for column in range(0, size(1), 64):
                banks = every([row], range(column, column + 64, 2), [])
                assert len(set(banks)) == 32, row
