# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""TMA's coordinates have the order of its map: first the mode that is contiguous in shared memory, and
none for a mode of extent 1. Programs write them by hand."""

import ctypes
import unittest

import cute
import cute.as_cutlass  # noqa: F401
import cutlass
from cute import Float32, Int32
from cute.nvgpu import cpasync
from cute.runtime import make_ptr

ROWS, COLUMNS, BATCHES = 24, 40, 3
TILE = (8, 16)


@cute.kernel
def kernel(load, tensor: cute.Tensor, out: cute.Tensor, tile: cute.Constexpr,
           by_hand: cute.Constexpr, place: cute.Constexpr, at: cute.Constexpr):
    """Copies the tile of the place, whose first element is at the map's coordinates ``at``."""
    thread, _, _ = cute.arch.thread_idx()
    near = cute.make_tensor(cute.arch.alloc_smem(Float32, 128, 128), tile)
    barrier = cute.arch.alloc_smem(cute.Int64, 1)
    tiles = cute.local_tile(tensor, (*TILE, *(1,) * (cute.rank(tensor) - 2)), place)
    part_s, part_g = cpasync.tma_partition(
        load, 0, cute.make_layout(1), cute.group_modes(near, 0, 2),
        cute.group_modes(tiles, 0, cute.rank(tiles)))
    if cute.const_expr(by_hand):
        start = part_g.iterator
        assert len(start) == len(at)
        origin = cute.local_tile(tensor, (*TILE, *(1,) * (cute.rank(tensor) - 2)),
                                 (0,) * len(place))
        assert tuple(origin.iterator) == (0,) * len(at)
        moved = tuple(a + Int32(b) for a, b in zip(origin.iterator, at))
        part_g = cute.make_tensor(moved, part_g.layout)
    if thread == 0:
        cute.arch.mbarrier_init(barrier, 1)
    cute.arch.mbarrier_init_fence()
    cute.arch.sync_threads()
    if thread == 0:
        cute.arch.mbarrier_arrive_and_expect_tx(barrier, 4 * 128)
    if cute.arch.make_warp_uniform(cute.arch.warp_idx()) == 0:
        cute.copy(load, part_g, part_s, tma_bar_ptr=barrier)
    cute.arch.mbarrier_wait(barrier, 0)
    for i in range(cute.ceil_div(128, 32)):
        k = 32 * i + thread
        out[k] = near[k // TILE[1], k % TILE[1]]


class Orders(unittest.TestCase):
    def check(self, shape, stride, steps, place, at, coordinates):
        """Compares a tile of 8 x 16, as TMA brings it by its coordinates and by ours."""
        size = ROWS * COLUMNS * BATCHES
        given = (ctypes.c_float * size)(*range(size))
        tile = cute.make_layout(TILE, stride=steps)
        for by_hand in (False, True):
            out = (ctypes.c_float * 128)(*[-1] * 128)
            seen = []

            @cute.jit
            def host(given: cute.Pointer, out: cute.Pointer):
                matrix = cute.make_tensor(given, cute.make_layout(shape, stride=stride))
                load, tensor = cpasync.make_tiled_tma_atom(
                    cpasync.CopyBulkTensorTileG2SOp(), matrix, tile,
                    (*TILE, *(1,) * (len(shape) - 2)))
                seen.append(str(tensor.layout))
                kernel(load, tensor, cute.make_tensor(out, 128), tile, by_hand, place,
                       at).launch(grid=(1, 1, 1), block=(32, 1, 1))

            host(make_ptr(Float32, ctypes.addressof(given), cute.AddressSpace.gmem,
                          assumed_align=16),
                 make_ptr(Float32, ctypes.addressof(out), cute.AddressSpace.gmem))
            self.assertEqual(seen, [coordinates])
            first = [n * k for n, k in zip(place, (*TILE, 1))]
            for k in range(128):
                index = (first[0] + k // 16, first[1] + k % 16, *first[2:])
                self.assertEqual(out[k], sum(x * s for x, s in zip(index, stride)))

    def test_second_mode_first(self):
        self.check((ROWS, COLUMNS), (COLUMNS, 1), (16, 1), (2, 1), (16, 16), "(24,40):(1@1,1@0)")

    def test_first_mode_first(self):
        self.check((ROWS, COLUMNS), (1, ROWS), (1, 8), (1, 1), (8, 16), "(24,40):(1@0,1@1)")

    def test_batches(self):
        self.check((ROWS, COLUMNS, BATCHES), (COLUMNS, 1, ROWS * COLUMNS), (16, 1), (1, 0, 2),
                   (0, 8, 2), "(24,40,3):(1@1,1@0,1@2)")

    def test_one_batch(self):
        """A mode of extent 1 has no coordinate."""
        self.check((ROWS, COLUMNS, 1), (COLUMNS, 1, ROWS * COLUMNS), (16, 1), (2, 1, 0),
                   (16, 16), "(24,40,1):(1@1,1@0,0)")


if __name__ == "__main__":
    unittest.main()
