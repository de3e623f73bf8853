# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_103a %python %s
"""Loads of tensor memory that compare what they load, for sm_103a."""
import unittest

import cute
from cute import Float32, Int32, arch, pipeline, utils
from cute.nvgpu import OpError, tcgen05

ROWS, COLUMNS = 128, 64


@cute.kernel
def rows(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, op: cute.Constexpr):
    thread, _, _ = arch.thread_idx()
    smem = utils.SmemAllocator()
    slot = smem.allocate_array(Int32, 1)
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, ROWS))
    memory.allocate(COLUMNS)
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    tile = cute.make_tensor(place, cute.make_layout((ROWS, COLUMNS), stride=(1 << 16, 1)))
    store = tcgen05.make_tmem_copy(cute.make_copy_atom(
        tcgen05.St32x32bOp(tcgen05.Repetition.x32), Float32), tile).get_slice(thread)
    given = store.partition_S(a)
    held = cute.make_rmem_tensor(given.shape, Float32)
    cute.autovec_copy(given, held)
    cute.copy(store, held, store.partition_D(tile))
    load = tcgen05.make_tmem_copy(cute.make_copy_atom(op, Float32), tile).get_slice(thread)
    near, far = load.partition_S(tile), load.partition_D(b)
    loaded = cute.make_rmem_tensor(far.shape, Float32)
    reduced = cute.make_rmem_tensor((1, *far.shape[1:]), Float32)
    cute.copy(load, near, (loaded, reduced))
    cute.autovec_copy(loaded, far)
    for i in cute.range_constexpr(cute.size(reduced)):
        c[thread, i] = reduced[i]
    pipeline.sync(barrier_id=1)
    memory.relinquish_alloc_permit()
    memory.free(place)


@cute.jit
def run(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, op: cute.Constexpr):
    rows(a, b, c, op).launch(grid=(1, 1, 1), block=(ROWS, 1, 1))


class Reduced(unittest.TestCase):
    def check(self, op, wanted):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        a = np.random.default_rng(1).standard_normal((ROWS, COLUMNS)).astype(np.float32)
        parts = COLUMNS // op.repeat.value
        b, c = np.zeros_like(a), np.zeros((ROWS, parts), np.float32)
        run(*(cute.runtime.from_dlpack(x, assumed_align=16) for x in (a, b, c)), op)
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(wanted(np, a.reshape(ROWS, parts, -1)), c)

    def test_largest(self):
        self.check(tcgen05.LdRed32x32bOp(tcgen05.Repetition.x32), lambda np, x: x.max(2))

    def test_smallest_magnitude(self):
        op = tcgen05.LdRed32x32bOp(tcgen05.Repetition.x64, redOp=tcgen05.TmemLoadRedOp.MINABS,
                                   nan=True)
        self.check(op, lambda np, x: np.abs(x).min(2))

    def test_rejected(self):
        op = tcgen05.LdRed32x32bOp(tcgen05.Repetition.x32)

        @cute.kernel
        def few(a: cute.Tensor):
            tile = cute.make_tensor(cute.make_ptr(Float32, 0, cute.AddressSpace.tmem),
                                    cute.make_layout((ROWS, COLUMNS), stride=(1 << 16, 1)))
            load = tcgen05.make_tmem_copy(cute.make_copy_atom(op, Float32), tile).get_slice(0)
            far = load.partition_D(a)
            loaded = cute.make_rmem_tensor(far.shape, Float32)
            with self.assertRaisesRegex(OpError, "2 accesses give 1 values"):
                cute.copy(load, load.partition_S(tile), (loaded, cute.make_rmem_tensor((1,), Float32)))

        @cute.jit
        def host(a: cute.Tensor):
            few(a).launch(grid=(1, 1, 1), block=(32, 1, 1))

        cute.compile(host, cute.runtime.make_fake_compact_tensor(Float32, (ROWS, COLUMNS), stride_order=(1, 0)))


if __name__ == "__main__":
    unittest.main()
