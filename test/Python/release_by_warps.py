# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""One lane of a warp releases a stage of PipelineTmaAsync for all lanes, which have read it."""

import array
import unittest

import cute
from cute import Float32, Int64, arch, pipeline
from cute.nvgpu import cpasync
from cute.runtime import make_ptr

TILES, ELEMENTS = 5, 128


@cute.kernel
def kernel(load: cute.CopyAtom, source: cute.Tensor, out: cute.Tensor, alone: cute.Constexpr):
    """Warp 0 loads tiles into two stages; warp 1 reads them back to front."""
    near = cute.make_tensor(arch.alloc_smem(Float32, 2 * ELEMENTS, 128),
                            cute.make_layout((ELEMENTS, 2)))
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    fill, use = pipeline.PipelineTmaAsync.create(
        num_stages=2, producer_group=one, consumer_group=one, tx_count=4 * ELEMENTS,
        barrier_storage=arch.alloc_smem(Int64, 4)).make_participants()
    to, tiles = cpasync.tma_partition(
        load, 0, cute.make_layout(1), near,
        cute.group_modes(cute.local_tile(source, (ELEMENTS, 1), (0, None)), 0, 2))
    lane = arch.lane_idx()
    if arch.warp_idx() == 0:
        for tile in range(TILES):
            empty = fill.acquire_and_advance()
            cute.copy(load, tiles[None, tile], to[None, empty.index], tma_bar_ptr=empty.barrier)
        fill.tail()
    else:
        for tile in range(TILES):
            full = use.wait_and_advance()
            for i in range(0, ELEMENTS, 32):
                out[lane + i, tile] = near[ELEMENTS - 1 - lane - i, full.index]
            if cute.const_expr(alone):
                arch.sync_warp()
                with arch.elect_one():
                    full.release()
            else:
                full.release()


@cute.jit
def launch(source: cute.Pointer, out: cute.Pointer, alone: cute.Constexpr):
    tensor = cute.make_tensor(source, cute.make_layout((ELEMENTS, TILES)))
    load, coordinates = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileG2SOp(), tensor, cute.make_layout((ELEMENTS, 1)), (ELEMENTS, 1))
    found = cute.make_tensor(out, cute.make_layout((ELEMENTS, TILES)))
    kernel(load, coordinates, found, alone).launch(grid=1, block=64)


class Releases(unittest.TestCase):
    def test_of_all_lanes(self):
        given = array.array("f", range(TILES * ELEMENTS))
        wanted = [x for tile in range(TILES) for x in
                  reversed(given[tile * ELEMENTS:(tile + 1) * ELEMENTS])]
        for alone in (False, True):
            out = array.array("f", [-1] * (TILES * ELEMENTS))
            launch(*(make_ptr(Float32, x.buffer_info()[0], cute.AddressSpace.gmem,
                              assumed_align=16) for x in (given, out)), alone)
            self.assertEqual(out.tolist(), wanted, alone)


if __name__ == "__main__":
    unittest.main()
