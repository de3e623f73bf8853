"""The tile that each block of many grids takes after cute-rasterize, against the order as
it is defined, which is gone through here step by step.

usage: raster_order.py CUTEC GROUP...
"""
import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                "Conformance"))
from simulated import Driver, Kernels, Memory  # noqa: E402

# Each block writes its number, as the hardware has it, to the place of its tile.
MARK = """
gpu.module @m {
  gpu.func @mark(%C: !cute.tensor<i32, gmem, align<4>, "(?,?):(1,?)">) kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %i = arith.index_cast %x : index to i32
    %j = arith.index_cast %y : index to i32
    %at = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
    %v = llvm.inline_asm "mad.lo.u32 $0, %ctaid.y, %nctaid.x, %ctaid.x;", "=r" : () -> i32
    cute.store(%v, %C, %at)
    gpu.return
  }
}
"""


def tiles(rows, columns, group):
    """The places of the tiles in the order of the blocks."""
    return [x + y * rows for start in range(0, rows, group) for y in range(columns)
            for x in range(start, min(start + group, rows))]


def is_right(kernels, marks, rows, columns, group):
    marks.fill(0xff)
    kernels.launch("mark", 1, marks.at(0), *map(ctypes.c_int32, (rows, columns, rows)),
                   grid=(rows, columns, 1))
    found = marks.elements("i")[:rows * columns].tolist()
    return [found[tile] for tile in tiles(rows, columns, group)] \
        == list(range(rows * columns))


def main():
    cutec, *groups = sys.argv[1:]
    driver = Driver(cutec)
    marks = Memory(driver, 4 * 40 * 40)
    for group in map(int, groups):
        kernels = Kernels(driver, cutec, MARK, passes=f"cute-rasterize{{group={group}}}")
        right = [is_right(kernels, marks, rows, columns, group)
                 for rows in range(1, 18) for columns in range(1, 12)]
        print(f"{group}: {len(right)} grids, {right.count(False)} failures")


main()
