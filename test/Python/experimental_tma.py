# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""cute.experimental: TMA copies of parts of a kernel's arguments, and pipelines with states."""
import array
import unittest

import cute
from cute import Float32, Int32, arch
from cute import experimental as cute_ext
from cute.runtime import make_ptr

Kind = cute_ext.OperationTypeEnum
TILE, STAGES, WARPS = (16, 8), 3, 2
ROWS, COLUMNS = 44, 37  # no multiples of the tile's


@cute_ext.kernel
def doubled(src: cute.Tensor, dst: cute.Tensor, reduces: cute.Constexpr):
    """Warp 0 loads tiles, warps 1 and 2 double them and warp 1 stores them."""
    warp, thread = arch.make_warp_uniform(arch.warp_idx()), arch.thread_idx()[0]
    column = arch.block_idx()[0]
    sources = cute.zipped_divide(src, TILE)[(None, None), (None, column)]
    targets = cute.zipped_divide(dst, TILE)[(None, None), (None, column)]
    layout = cute.make_layout((*TILE, STAGES))
    near = cute_ext.allocate(Float32, cute.AddressSpace.smem, layout, alignment=128)
    out = cute_ext.allocate(Float32, cute.AddressSpace.smem, layout, alignment=128)
    loads = cute_ext.TMAToAsyncPipeline.create(
        num_stages=STAGES, consumer=Kind.LD_SHARED, consumer_arv_count=32 * WARPS)
    stores = cute_ext.TMAStorePipeline(STAGES, 32 * WARPS, barrier_id=1, tma_warp_id=1)
    count = cute.size(sources, mode=[2])
    if warp == 0:
        for i in range(count):
            token, stage = loads.producer_acquire_and_get_stage()
            cute_ext.tma_load(sources[None, None, i], near[None, None, stage],
                              cute_ext.get_mbarrier(token))
            loads.producer_commit_and_advance()
        loads.producer_tail()
    else:
        for i in range(count):
            _, stage = loads.consumer_wait_and_get_stage()
            stores.acquire_sync()
            place = stores.get_index()
            for j in range(thread - 32, TILE[0] * TILE[1], 32 * WARPS):
                out[None, None, place][j] = 2.0 * near[None, None, stage][j]
            loads.consumer_release_and_advance()
            stores.commit_sync()
            if warp == 1:
                source, target = out[None, None, place], targets[None, None, i]
                if cute.const_expr(reduces):
                    cute_ext.tma_reduce_store(source, target, kind=cute.ReductionKind.ADD)
                else:
                    cute_ext.tma_store(source, target)
            stores.release_advance()
        stores.tail()


@cute_ext.jit
def double(src: cute.Pointer, dst: cute.Pointer, rows: Int32, columns: Int32,
           reduces: cute.Constexpr):
    layout = cute.make_layout((rows, columns), stride=(1, ROWS))
    tensors = [cute.make_tensor(p, layout) for p in (src, dst)]
    blocks = cute.ceil_div(columns, TILE[1])
    doubled(*tensors, reduces).launch(grid=(blocks, 1, 1), block=(32 + 32 * WARPS, 1, 1))


@cute_ext.kernel
def misuse(src: cute.Tensor, how: cute.Constexpr):
    near = cute_ext.allocate(Float32, cute.AddressSpace.smem, cute.make_layout(32), alignment=128)
    if how == "pair":
        cute_ext.TMAToUMMAPipeline.create(num_stages=1, mma_operation_type=Kind.SM100_MMA_2SM_SS)
    elif how == "sides":
        cute_ext.GenericPipeline.create(producer=Kind.SM100_MMA_1SM_SS, consumer=Kind.SM100_MMA_1SM_SS,
                                        producer_arv_count=1, consumer_arv_count=1, num_stages=1)
    elif how == "operand":
        cute_ext.get_cta_v_map_ab(src, (16, 16, 16), None, "C")
    else:
        other = cute.make_tensor(src.iterator, cute.make_layout(32))
        cute_ext.tma_load(other, near, arch.alloc_smem(cute.Int64, 1))


@cute_ext.jit
def start(src: cute.Pointer, how: cute.Constexpr):
    misuse(cute.make_tensor(src, cute.make_layout(32)), how).launch(grid=1, block=32)


def pointer(memory):
    """(first element used, pointer): of 16 bytes, as TMA needs."""
    first = -memory.buffer_info()[0] % 16 // 4
    address = memory.buffer_info()[0] + 4 * first
    return first, make_ptr(Float32, address, cute.AddressSpace.gmem, assumed_align=16)


class Tma(unittest.TestCase):
    def test_tiles_go_through_shared_memory(self):
        for rows, reduces in ((ROWS, False), (ROWS - 3, True)):
            source = array.array("f", range(ROWS * COLUMNS + 4))
            target = array.array("f", [1.0] * (ROWS * COLUMNS + 4))
            (first, src), (begin, dst) = pointer(source), pointer(target)
            double(src, dst, rows, COLUMNS, reduces)
            for j in range(COLUMNS):
                for i in range(ROWS):
                    place = i + ROWS * j
                    wanted = 2 * source[first + place] + reduces if i < rows else 1.0
                    self.assertEqual(target[begin + place], wanted, (i, j, reduces))

    def test_rejected(self):
        _, src = pointer(array.array("f", [0.0] * 64))
        for error, words, how in (
            (ValueError, "SM100_MMA_2SM_SS are of several blocks: give cluster_layout_vmnk", "pair"),
            (ValueError, "no pipeline leads from SM100_MMA_1SM_SS to SM100_MMA_1SM_SS", "sides"),
            (ValueError, "an operand is A or B, not 'C'", "operand"),
            (ValueError, "is not part of an argument of a kernel", "other"),
        ):
            with self.assertRaisesRegex(error, words):
                start(src, how)


if __name__ == "__main__":
    unittest.main()
