# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Tiles that TMA puts together of pages, by atoms that programs make by hand."""

import array
import random
import unittest

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import AddressSpace, Float32, Int32, pipeline, utils
from cutlass._mlir.dialects import cute_nvgpu as by_hand
from cutlass.cute.nvgpu import OperandMajorMode, cpasync, tcgen05
from cutlass.cute.runtime import make_ptr
from cutlass.utils import blackwell_helpers

KEYS, WIDTH, PAGE, PAGES = 64, 64, 16, 6
TABLE = [4, 0, 5, 2]


@cute.jit
def paged_atom(op, gmem: cute.Tensor, smem_layout, tiler, page):
    """Returns the atom for the part of a tile in a page, and the coordinates of pages."""
    tile = cute.composition(cute.make_identity_layout(gmem.shape), tiler)
    tile = cute.select(cute.flat_divide(tile, (tiler[0],)), mode=[0, 2])
    part = cute.select(cute.zipped_divide(tile, page), mode=[0])
    made = by_hand.atom_make_non_exec_tiled_tma_load(
        gmem.value, smem_layout.value, part, op._to_ir(), num_multicast=1)
    return cute.CopyAtom(op, cpasync.CopyBulkTensorTileG2SNonExecTrait(made[0])), made[1]


@cute.kernel
def gather(load: cute.CopyAtom, coordinates: cute.Tensor, table: cute.Tensor, out: cute.Tensor,
           layout: cute.ComposedLayout, parts: cute.ComposedLayout, page: cutlass.Constexpr):
    smem = utils.SmemAllocator()
    near = smem.allocate_tensor(Float32, layout.outer, 1024, layout.inner)
    pages = cute.make_tensor(near.iterator, parts.outer)
    bar = smem.allocate_array(cutlass.Int64, 1)
    tiles = cute.tiled_divide(coordinates, page)
    to, at = cpasync.tma_partition(load, 0, cute.make_layout(1), pages, tiles)
    if cute.arch.warp_idx() == 0:
        with cute.arch.elect_one():
            cute.arch.mbarrier_init(bar, 1)
            cute.arch.mbarrier_init_fence()
            cute.arch.mbarrier_arrive_and_expect_tx(bar, KEYS * WIDTH * 4)
        for i in cutlass.range_constexpr(KEYS // PAGE):
            place = (None, i, 0, 0) if page[0] == PAGE else (None, 0, i, 0)
            cute.copy(load, at[None, 0, 0, table[i]], to[place], tma_bar_ptr=bar)
    cute.arch.sync_threads()
    cute.arch.mbarrier_wait(bar, 0)
    for i in cutlass.range(cute.arch.thread_idx()[0], KEYS * WIDTH, 64):
        out[i] = near[i % KEYS, i // KEYS, 0]


@cute.jit
def launch(pages: cute.Pointer, table: cute.Pointer, out: cute.Pointer,
           is_transposed: cutlass.Constexpr):
    major = OperandMajorMode.MN if is_transposed else OperandMajorMode.K
    rows = (KEYS, WIDTH) if not is_transposed else (WIDTH, KEYS)
    layout = blackwell_helpers.make_smem_layout(major, rows, Float32, 1)
    page = (PAGE, WIDTH) if not is_transposed else (WIDTH, PAGE)
    parts = cute.tiled_divide(layout, page)
    shape, stride = (PAGE, WIDTH, PAGES), (WIDTH, 1, PAGE * WIDTH)
    order = [1, 0, 2] if is_transposed else [0, 1, 2]
    given = cute.make_layout(tuple(shape[i] for i in order), stride=tuple(stride[i] for i in order))
    op = cpasync.CopyBulkTensorTileG2SOp(tcgen05.CtaGroup.ONE)
    load, coordinates = paged_atom(op, cute.make_tensor(pages, given),
                                   cute.select(parts, mode=[0]), page, page)
    gather(load, coordinates, cute.make_tensor(table, len(TABLE)),
           cute.make_tensor(out, KEYS * WIDTH), layout, parts, page).launch(
        grid=(1, 1, 1), block=(64, 1, 1))


class Pages(unittest.TestCase):
    def check(self, is_transposed):
        count = PAGES * PAGE * WIDTH
        chance = random.Random(5)
        pages = array.array("f", [chance.randrange(4096) for _ in range(count)])
        table, out = array.array("i", TABLE), array.array("f", [-1] * (KEYS * WIDTH))
        launch(*(make_ptr(dtype, m.buffer_info()[0], AddressSpace.gmem, assumed_align=16)
                 for dtype, m in ((Float32, pages), (Int32, table), (Float32, out))),
               is_transposed)
        keys = [pages[(TABLE[k // PAGE] * PAGE + k % PAGE) * WIDTH:][:WIDTH] for k in range(KEYS)]
        wanted = ([x for key in keys for x in key] if is_transposed
                  else [key[i] for i in range(WIDTH) for key in keys])
        self.assertEqual(list(out), wanted)

    def test_rows(self):
        self.check(False)

    def test_columns(self):
        """A page's part of a tile has gaps between panels of the swizzle."""
        self.check(True)

    def test_names(self):
        self.assertIn("is not there", repr(by_hand.ArchPrefetchTmaDescOp))
        with self.assertRaisesRegex(ImportError, "operations of CuTe DSL by hand"):
            by_hand.ArchPrefetchTmaDescOp()


if __name__ == "__main__":
    unittest.main()
