# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""A product whose A another product and conversion left in tensor memory, as in attention."""
import unittest

import cute
from cute import experimental as cute_ext
from cute import Float16, Float32, Int32, arch, pipeline, utils
from cute.instructions.primitives import tcgen05_fence
from cute.nvgpu import cpasync, tcgen05
from cute.utils import blackwell_helpers

ONE, K, MN = tcgen05.CtaGroup.ONE, tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.MN
M, N, D, THREADS = 128, 64, 64, 128


@cute.kernel
def attend(qk, pv, loads: cute.Constexpr, q, k, v, load_q, load_k, load_v, o,
           layouts: cute.Constexpr):
    thread, _, _ = arch.thread_idx()
    warp = arch.make_warp_uniform(arch.warp_idx())
    smem = utils.SmemAllocator()
    barriers = smem.allocate_array(cute.Int64, 3)
    slot = smem.allocate_array(Int32, 1)
    tiles = [smem.allocate_tensor(Float16, x.outer, 1024, swizzle=x.inner) for x in layouts[:3]]
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, THREADS))
    memory.allocate(256)
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    if warp == 0:
        with arch.elect_one():
            for i in range(3):
                arch.mbarrier_init(barriers + i, 1)
            arch.mbarrier_init_fence()
    arch.sync_threads()
    parts = [(load_q, tiles[0], qk.get_slice(0).partition_A(q)),
             (load_k, tiles[1], qk.get_slice(0).partition_B(k)),
             (load_v, tiles[2], pv.get_slice(0).partition_B(v))]
    if warp == 0:
        with arch.elect_one():
            arch.mbarrier_arrive_and_expect_tx(barriers, (M * D + N * D + N * D) * 2)
        for load, tile, part in parts:
            near, far = cpasync.tma_partition(load, 0, cute.make_layout(1),
                                              cute.group_modes(tile, 0, 3),
                                              cute.group_modes(part, 0, 3))
            cute.copy(load, far, near[None, 0], tma_bar_ptr=barriers)
    arch.mbarrier_wait(barriers, 0)
    frags = [qk.make_fragment_A(tiles[0]), qk.make_fragment_B(tiles[1]),
             pv.make_fragment_B(tiles[2])]
    s = qk.make_fragment_C(qk.partition_shape_C((M, N)))
    s = cute.make_tensor(place, s.layout)
    out = pv.make_fragment_C(pv.partition_shape_C((M, D)))
    out = cute.make_tensor(place + N, out.layout)
    if warp == 0:
        for i in cute.range_constexpr(D // 16):
            cute.gemm(qk, s, frags[0][None, None, i, 0], frags[1][None, None, i, 0], s)
            qk.set(tcgen05.Field.ACCUMULATE, True)
        with arch.elect_one():
            tcgen05.commit(barriers + 1)
    arch.mbarrier_wait(barriers + 1, 0)
    tcgen05_fence("after_thread_sync")
    atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), Float32)
    copy = tcgen05.make_tmem_copy(atom, s[None, 0, 0]).get_slice(thread)
    loaded = copy.partition_S(s[None, 0, 0])
    places = qk.get_slice(0).partition_C(cute.make_identity_tensor((M, N)))
    shape = copy.partition_D(places[None, 0, 0]).shape
    numbers = cute.make_rmem_tensor(shape, Float32)
    cute.copy(copy, loaded, numbers)
    # P takes the columns of S, two elements in each.
    p = cute.make_tensor(place, layouts[3].outer)
    p = pv.make_fragment_A(p)[None, None, None, 0]
    same = cute_ext.make_tmem_layout_a(pv, (M, N), 1)
    assert str(cute.slice_(same, (None, None, None, 0))) == str(p.layout), same
    p = cute.make_tensor(cute.recast_ptr(place, dtype=Float16) + 2 * (N + D), p.layout)
    words = cute.make_tensor(place + N + D, cute.composition(s.layout, cute.make_layout((M, N // 2))))
    halves = cute.make_rmem_tensor(N // 2, Float32)
    cute.recast_tensor(halves, Float16).store(
        cute.make_tensor(numbers.iterator, cute.make_layout(N)).load().to(Float16))
    store = cute.make_copy_atom(tcgen05.St32x32bOp(tcgen05.Repetition.x32), Float32)
    to = tcgen05.make_tmem_copy(store, words).get_slice(thread)
    target = to.partition_D(words)
    from_ = to.partition_S(cute.make_identity_tensor((M, N // 2))).shape
    cute.copy(to, cute.make_tensor(halves.iterator, cute.make_layout(from_)), target)
    arch.fence_view_async_tmem_store()
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()
    tcgen05_fence("after_thread_sync")
    if warp == 0:
        for i in cute.range_constexpr(N // 16):
            cute.gemm(pv, out, p[None, None, i], frags[2][None, None, i, 0], out)
            pv.set(tcgen05.Field.ACCUMULATE, True)
        with arch.elect_one():
            tcgen05.commit(barriers + 2)
    arch.mbarrier_wait(barriers + 2, 0)
    tcgen05_fence("after_thread_sync")
    result = pv.get_slice(0).partition_C(o)
    copy = tcgen05.make_tmem_copy(atom, out[None, 0, 0]).get_slice(thread)
    stored = copy.partition_D(result[None, 0, 0])
    registers = cute.make_rmem_tensor(stored.shape, Float32)
    cute.copy(copy, copy.partition_S(out[None, 0, 0]), registers)
    cute.autovec_copy(registers, stored)
    memory.relinquish_alloc_permit()
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()
    memory.free(place)


@cute.jit
def launch(q: cute.Tensor, k: cute.Tensor, v: cute.Tensor, o: cute.Tensor):
    qk = blackwell_helpers.make_trivial_tiled_mma(Float16, K, K, Float32, ONE, (M, N))
    pv = blackwell_helpers.make_trivial_tiled_mma(Float16, K, MN, Float32, ONE, (M, D),
                                                  tcgen05.OperandSource.TMEM)
    layouts = (blackwell_helpers.make_smem_layout_a(qk, (M, N, D), Float16, 1),
               blackwell_helpers.make_smem_layout_b(qk, (M, N, D), Float16, 1),
               blackwell_helpers.make_smem_layout_b(pv, (M, D, N), Float16, 1),
               blackwell_helpers.make_smem_layout_a(pv, (M, D, N), Float16, 1))
    op = cpasync.CopyBulkTensorTileG2SOp(ONE)
    cluster = (1, 1, 1, 1)
    load_q, q_ = cute.nvgpu.make_tiled_tma_atom_A(op, q, layouts[0], (M, N, D), qk, cluster)
    load_k, k_ = cute.nvgpu.make_tiled_tma_atom_B(op, k, layouts[1], (M, N, D), qk, cluster)
    load_v, v_ = cute.nvgpu.make_tiled_tma_atom_B(op, v, layouts[2], (M, D, N), pv, cluster)
    attend(qk, pv, None, q_, k_, v_, load_q, load_k, load_v, o, layouts).launch(
        grid=(1, 1, 1), block=(THREADS, 1, 1))


class Attention(unittest.TestCase):
    def test_run(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        random = np.random.default_rng(1)
        q, k = (random.integers(-1, 2, (n, D)).astype(np.float16) for n in (M, N))
        v = random.integers(-2, 3, (N, D)).astype(np.float16)
        o = np.full((M, D), np.nan, np.float32)
        tensors = [from_dlpack(x, assumed_align=16) for x in (q, k, v.T, o)]
        launch(*tensors)
        wanted = (q.astype(np.float64) @ k.astype(np.float64).T) @ v.astype(np.float64)
        self.assertTrue((o == wanted).all())


if __name__ == "__main__":
    unittest.main()
