# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Rows of matrices that numbers name, by gather4 and scatter4."""
import array
import unittest

import cute
from cute import Float32, Int32, arch, utils
from cute.nvgpu import OpError, cpasync, tcgen05
from cute.runtime import make_ptr

ROWS, COLUMNS, TILE, COUNT = 32, 64, (8, 32), 16


@cute.kernel
def move(load, source, numbers, store, target, numbers_out, layout: cute.ComposedLayout):
    """Each block moves a tile of rows, in panels of 32 columns."""
    thread, _, _ = arch.thread_idx()
    block, _, _ = arch.block_idx()
    smem = utils.SmemAllocator()
    bar = smem.allocate_array(cute.Int64, 1)
    near = smem.allocate_tensor(Float32, layout.outer, 1024, swizzle=layout.inner)
    tiles = [cute.group_modes(cute.local_tile(x, TILE, (block, None)), 0, 2)
             for x in (source, numbers, target, numbers_out)]
    one = cute.make_layout(1)
    flat = cute.group_modes(near, 0, 2)
    to, coords, rows = cpasync.tma_partition(load, 0, one, flat, tiles[:2])
    out, coords_out, rows_out = cpasync.tma_partition(store, 0, one, flat, tiles[2:])
    if thread == 0:
        arch.mbarrier_init(bar, 1)
        arch.mbarrier_init_fence()
    arch.sync_threads()
    if arch.make_warp_uniform(arch.warp_idx()) == 0:
        for k in cute.range_constexpr(COLUMNS // TILE[1]):
            with arch.elect_one():
                arch.mbarrier_arrive_and_expect_tx(bar, 4 * TILE[0] * TILE[1])
            cute.copy(load, [coords[None, k], rows[None, k]], to, tma_bar_ptr=bar)
            arch.mbarrier_wait(bar, k % 2)
            cute.copy(store, out, [coords_out[None, k], rows_out[None, k]])
            arch.cp_async_bulk_commit_group()
            arch.cp_async_bulk_wait_group(0, read=True)


def matrix(x, rows):
    return cute.make_tensor(x, cute.make_layout((rows, COLUMNS), stride=(COLUMNS, 1)))


def numbers_at(rows, stride=(1, 0)):
    return cute.make_tensor(rows, cute.make_layout((COUNT, COLUMNS), stride=stride))


def pointer(x):
    dtype = Float32 if x.typecode == "f" else Int32
    return make_ptr(dtype, x.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16)


@cute.jit
def launch(x: cute.Pointer, y: cute.Pointer, from_rows: cute.Pointer, to_rows: cute.Pointer):
    x, y = matrix(x, ROWS), matrix(y, 2 * ROWS)
    layout = cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0,
                                       cute.make_layout(TILE, stride=(TILE[1], 1)))
    numbers, numbers_out = numbers_at(from_rows), numbers_at(to_rows)
    load, a = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensor2DGather4G2SOp(), x, layout, TILE,
                                          gmem_coord_tensor=numbers)
    store, b = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensor2DScatter4S2GOp(), y, layout,
                                           TILE, gmem_coord_tensor=numbers_out)
    move(load, a, numbers, store, b, numbers_out, layout).launch(
        grid=(COUNT // TILE[0], 1, 1), block=(64, 1, 1))


X = array.array("f", [0] * (ROWS * COLUMNS))
NUMBERS = array.array("i", [0] * COUNT)


class Values(unittest.TestCase):
    def test_rows(self):
        """More rows than the matrix has are copied; those outside are zeros, or are not stored."""
        x = array.array("f", range(ROWS * COLUMNS))
        y = array.array("f", [-1] * (2 * ROWS * COLUMNS))
        source = [(5 * i + 2) % ROWS for i in range(COUNT - 1)] + [ROWS]
        target = [(11 * i + 40) % (2 * ROWS) for i in range(COUNT - 2)] + [-1, 7]
        given = [x, y, array.array("i", source), array.array("i", target)]
        launch(*map(pointer, given))
        wanted = [-1] * len(y)
        for a, b in zip(source, target):
            if b >= 0:
                row = x[a * COLUMNS : (a + 1) * COLUMNS] if a < ROWS else [0] * COLUMNS
                wanted[b * COLUMNS : (b + 1) * COLUMNS] = list(row)
        self.assertEqual(list(y), wanted)


class Atoms(unittest.TestCase):
    def test_names(self):
        two = tcgen05.CtaGroup.TWO
        for op, name in (
            (cpasync.CopyBulkTensor2DGather4G2SOp(), "SM100_TMA_LOAD_GATHER4"),
            (cpasync.CopyBulkTensor2DGather4G2SOp(two), "SM100_TMA_2SM_LOAD_GATHER4"),
            (cpasync.CopyBulkTensor2DGather4G2SMulticastOp(), "SM100_TMA_LOAD_MULTICAST_GATHER4"),
            (cpasync.CopyBulkTensor2DGather4G2SMulticastOp(two),
             "SM100_TMA_2SM_LOAD_MULTICAST_GATHER4"),
            (cpasync.CopyBulkTensor2DScatter4S2GOp(), "SM100_TMA_STORE_SCATTER4"),
        ):
            self.assertEqual(op.name, name)

    def test_rejected(self):
        gather, tile = cpasync.CopyBulkTensor2DGather4G2SOp(), cpasync.CopyBulkTensorTileG2SOp()

        @cute.jit
        def make(x: cute.Pointer, rows: cute.Pointer):
            x = matrix(x, ROWS)
            layout = cute.make_layout(TILE, stride=(TILE[1], 1))

            for op, ctas, given, wanted in (
                (gather, 1, None, "the numbers of the rows are missing"),
                (gather, 1, x, r"strides \(1, 0\) or \(0, 1\)"),
                (gather, 1, numbers_at(rows, (1, 2)), r"strides \(1, 0\) or \(0, 1\)"),
                (gather, 2, numbers_at(rows), "2 blocks cannot share a load of rows"),
                (tile, 1, numbers_at(rows), "a box has neighbours alone"),
            ):
                with self.assertRaisesRegex(OpError, wanted):
                    cpasync.make_tiled_tma_atom(op, x, layout, TILE, ctas, gmem_coord_tensor=given)

        make(pointer(X), pointer(NUMBERS))

    def test_unnamed(self):
        @cute.kernel
        def k(load, source, layout: cute.Layout):
            near = utils.SmemAllocator().allocate_tensor(Float32, layout, 1024)
            with self.assertRaisesRegex(OpError, r"pass \[coordinates, rows\]"):
                cute.copy(load, source, near, tma_bar_ptr=near.iterator)

        @cute.jit
        def run(x: cute.Pointer, rows: cute.Pointer):
            layout = cute.make_layout(TILE, stride=(TILE[1], 1))
            load, a = cpasync.make_tiled_tma_atom(
                cpasync.CopyBulkTensor2DGather4G2SOp(), matrix(x, ROWS), layout, TILE,
                gmem_coord_tensor=numbers_at(rows))
            k(load, a, layout).launch(grid=(1, 1, 1), block=(32, 1, 1))

        run(pointer(X), pointer(NUMBERS))


if __name__ == "__main__":
    unittest.main()
