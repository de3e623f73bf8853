# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""cute.experimental: a product in tensor memory, whose operands TMA loads."""
import array
import unittest

import cute
from cute import Float32, arch
from cute import experimental as cute_ext
from cute.nvgpu import tcgen05
from cute.runtime import make_ptr
from cute.utils import blackwell_helpers

Kind, Major = cute_ext.OperationTypeEnum, tcgen05.OperandMajorMode
M, N, K = 128, 64, 64


@cute_ext.kernel
def product(a: cute.Tensor, b: cute.Tensor, d: cute.Tensor):
    """A tile of tf32: warp 0 loads parts of K, warp 1 multiplies, all store the sums."""
    mma = blackwell_helpers.make_trivial_tiled_mma(
        Float32, Major.K, Major.K, Float32, tcgen05.CtaGroup.ONE, (M, N))
    tiler = (M, N, 32)
    near_a, near_b = (
        cute_ext.allocate(Float32, cute.AddressSpace.smem, make(mma, tiler, Float32, 2), alignment=1024)
        for make in (blackwell_helpers.make_smem_layout_a, blackwell_helpers.make_smem_layout_b))
    sums = cute_ext.allocate(Float32, cute.AddressSpace.tmem,
                             cute_ext.make_tmem_layout_acc(mma, tiler, 1), alignment=16)
    loads = cute_ext.TMAToUMMAPipeline.create(num_stages=2, mma_operation_type=Kind.SM100_MMA_1SM_SS)
    ready = cute_ext.UMMAtoAsyncPipeline.create(
        num_stages=1, mma_operation_type=Kind.SM100_MMA_1SM_SS, consumer=Kind.SM100_COPY_T2R,
        consumer_arv_count=128)
    warp = arch.make_warp_uniform(arch.warp_idx())
    tiles_a, tiles_b = cute.zipped_divide(a, (M, 32)), cute.zipped_divide(b, (N, 32))
    if warp == 0:
        for i in range(K // 32):
            token, stage = loads.producer_acquire_and_get_stage()
            for tiles, near, arg, name in ((tiles_a, near_a, a, "A"), (tiles_b, near_b, b, "B")):
                cute_ext.tma_load(
                    tiles[(None, None), (0, i)], near[None, None, None, stage], token,
                    cta_v_map=cute_ext.get_cta_v_map_ab(arg, tiler, mma, name))
            loads.producer_commit_and_advance()
    if warp == 1:
        _, place = ready.producer_acquire_and_get_stage()
        atom = cute.make_mma_atom(mma.op)
        atom.set(tcgen05.Field.ACCUMULATE, False)
        for i in range(K // 32):
            _, stage = loads.consumer_wait_and_get_stage()
            for k in cute.range_constexpr(4):
                parts = [cute.append_ones(t[None, None, None, stage][None, None, k], up_to_rank=3)
                         for t in (near_a, near_b)]
                cute_ext.dot(atom, *parts, sums[None, None, None, place])
                atom.set(tcgen05.Field.ACCUMULATE, True)
            loads.consumer_release_and_advance()
        ready.producer_commit_and_advance()
    ready.consumer_wait_and_get_stage()
    tile = sums[(None, None), 0, 0, 0]
    load = tcgen05.make_tmem_copy(
        cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition(N)), Float32), tile)
    thread = arch.thread_idx()[0]
    parts = cute.flat_divide(d, (M, N))
    held = cute_ext.allocate(Float32, cute.AddressSpace.rmem,
                             cute_ext.make_t2r_rmem_layout(load, parts, thread), alignment=32)
    cute_ext.partition_and_copy(load.get_slice(thread), tile, held)
    store = cute.make_tiled_copy_D(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32), load)
    cute_ext.partition_and_copy(store.get_slice(thread), held, parts[None, None, 0, 0])
    ready.consumer_release_and_advance()


@cute_ext.jit
def multiply(a: cute.Pointer, b: cute.Pointer, d: cute.Pointer):
    tensors = (cute.make_tensor(a, cute.make_layout((M, K), stride=(K, 1))),
               cute.make_tensor(b, cute.make_layout((N, K), stride=(K, 1))),
               cute.make_tensor(d, cute.make_layout((M, N), stride=(N, 1))))
    product(*tensors).launch(grid=1, block=128)


def pointer(memory):
    """(first element used, pointer): of 16 bytes, as TMA needs."""
    first = -memory.buffer_info()[0] % 16 // 4
    address = memory.buffer_info()[0] + 4 * first
    return first, make_ptr(Float32, address, cute.AddressSpace.gmem, assumed_align=16)


class Products(unittest.TestCase):
    def test_against_sums(self):
        numbers_a = array.array("f", [(7 * i) % 5 - 2 for i in range(M * K + 4)])
        numbers_b = array.array("f", [(3 * i) % 7 - 3 for i in range(N * K + 4)])
        result = array.array("f", [0.5] * (M * N + 4))
        (at_a, a), (at_b, b), (at_d, d) = map(pointer, (numbers_a, numbers_b, result))
        multiply(a, b, d)
        for m in range(M):
            row = numbers_a[at_a + m * K : at_a + m * K + K]
            for n in range(0, N, 5):
                column = numbers_b[at_b + n * K : at_b + n * K + K]
                wanted = sum(map(float.__mul__, row, column))
                self.assertEqual(result[at_d + m * N + n], wanted, (m, n))

    def test_maps_of_operands(self):
        mma = blackwell_helpers.make_trivial_tiled_mma(
            Float32, Major.K, Major.K, Float32, tcgen05.CtaGroup.ONE, (M, N))
        tensor = cute.make_identity_tensor((256, 512, 2))
        self.assertEqual(str(cute_ext.get_cta_v_map_ab(tensor, (M, N, 32), mma, "A")),
                         "((128,8),(1,4)):((1@0,1@1),(0,8@1))")
        self.assertEqual(str(cute_ext.get_cta_v_map_ab(tensor, (M, N, 32), mma, "B")),
                         "((64,8),(1,4)):((1@0,1@1),(0,8@1))")
        self.assertEqual(str(cute_ext.get_cta_v_map_c(tensor, (M, 32))), "(128,32):(1@0,1@1)")


if __name__ == "__main__":
    unittest.main()
