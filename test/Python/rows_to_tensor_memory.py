# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""tcgen05.cp of each shape moves rows of shared memory to the lanes that its name says; loads and
stores of a shape give back what another shape's left in tensor memory."""

import array
import unittest

import cute
from cute import Float16, Float32, Int32, arch, pipeline, utils
from cute.instructions.primitives import tcgen05_fence
from cute.nvgpu import OpError, tcgen05
from cute.runtime import make_ptr

LANES, COLUMNS, LANE = 128, 8, 65536
# Operation: rows, columns and copies of a row in shared memory, without swizzle, and in tensor
# memory, and the row that a lane has; None where a lane stays as it was.
SHAPES = {
    tcgen05.Cp128x256bOp: (
        ((8, 16), (4, 2)), ((4, 32), (1, 512)), (128, 8), (LANE, 1), lambda lane: lane),
    tcgen05.Cp128x128bOp: (((8, 16), 4), ((4, 32), 1), (128, 4), (LANE, 1), lambda lane: lane),
    tcgen05.Cp2x64x128b0213Op: (
        ((8, 8), 4, 2), ((4, 32), 1, 0), (64, 4, 2), (LANE, 1, 64 * LANE), lambda lane: lane % 64),
    tcgen05.Cp2x64x128b0123Op: (
        ((8, 4), 4, 2, 2), ((4, 32), 1, 128, 0), (32, 4, 2, 2), (LANE, 1, 64 * LANE, 32 * LANE),
        lambda lane: lane % 32 + lane // 64 * 32),
    tcgen05.Cp4x256bOp: (
        (4, (4, 2)), (4, (1, 512)), (4, 8), (32 * LANE, 1),
        lambda lane: None if lane % 32 else lane // 32),
}


@cute.kernel
def kernel(source: cute.Tensor, found: cute.Tensor, which: cute.Constexpr):
    thread, _, _ = arch.thread_idx()
    smem = utils.SmemAllocator()
    done = smem.allocate_array(cute.Int64, 1)
    slot = smem.allocate_array(Int32, 1)
    near = smem.allocate_tensor(Float32, cute.make_layout(LANES * COLUMNS), 128)
    if thread == 0:
        arch.mbarrier_init(done, 1)
        arch.mbarrier_init_fence()
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, LANES))
    memory.allocate(32)
    for i in range(thread, LANES * COLUMNS, LANES):
        near[i] = source[i]
    arch.fence_proxy("async.shared", space="cta")
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    lanes = cute.make_tensor(place, cute.make_layout((LANES, COLUMNS), stride=(LANE, 1)))
    store = cute.make_copy_atom(tcgen05.St32x32bOp(tcgen05.Repetition.x8), Float32)
    store = tcgen05.make_tmem_copy(store, lanes).get_slice(thread)
    load = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x8), Float32)
    load = tcgen05.make_tmem_copy(load, lanes).get_slice(thread)
    part = load.partition_D(found)
    held = cute.make_rmem_tensor(part.shape, Float32)
    held.fill(-1.0)
    cute.copy(store, held, store.partition_D(lanes))
    arch.fence_view_async_tmem_store()
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()
    tcgen05_fence("after_thread_sync")
    shape, strides, there, steps, _ = SHAPES[which]
    if arch.warp_idx() == 0:
        rows = cute.make_tensor(near.iterator, cute.make_layout((shape, 1), stride=(strides, 0)))
        to = cute.make_tensor(place, cute.make_layout((there, 1), stride=(steps, 0)))
        cute.copy(cute.make_copy_atom(which(), Float32), rows, to)
        with arch.elect_one():
            tcgen05.commit(done)
    arch.mbarrier_wait(done, 0)
    tcgen05_fence("after_thread_sync")
    cute.copy(load, load.partition_S(lanes), held)
    cute.autovec_copy(held, part)
    memory.relinquish_alloc_permit()
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()
    memory.free(place)


@cute.jit
def launch(source: cute.Pointer, found: cute.Pointer, which: cute.Constexpr):
    a = cute.make_tensor(source, cute.make_layout(LANES * COLUMNS))
    b = cute.make_tensor(found, cute.make_layout((LANES, COLUMNS), stride=(COLUMNS, 1)))
    kernel(a, b, which).launch(grid=1, block=LANES)


@cute.kernel
def exchange(source: cute.Tensor, found: cute.Tensor, store: cute.Constexpr, load: cute.Constexpr):
    """Stores a matrix to tensor memory by one shape, and loads it by another."""
    thread, _, _ = arch.thread_idx()
    slot = utils.SmemAllocator().allocate_array(Int32, 1)
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, LANES))
    memory.allocate(64)
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(source.element_type)
    apart = 32 // source.element_type.width  # an element has a column of its own
    lanes = cute.make_tensor(
        place, cute.make_layout(source.shape, stride=(LANE * apart, apart)))
    store, load = (tcgen05.make_tmem_copy(cute.make_copy_atom(op, source.element_type), lanes)
                   .get_slice(thread) for op in (store, load))
    given = store.partition_S(source)
    held = cute.make_rmem_tensor(given.shape, source.element_type)
    cute.basic_copy(given, held)
    cute.copy(store, held, store.partition_D(lanes))
    arch.fence_view_async_tmem_store()
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()
    tcgen05_fence("after_thread_sync")
    part = load.partition_D(found)
    taken = cute.make_rmem_tensor(part.shape, source.element_type)
    cute.copy(load, load.partition_S(lanes), taken)
    cute.basic_copy(taken, part)
    memory.relinquish_alloc_permit()
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()
    memory.free(place)


@cute.jit
def launch_exchange(source: cute.Pointer, found: cute.Pointer, store: cute.Constexpr,
                    load: cute.Constexpr):
    layout = cute.make_layout((LANES, 64), stride=(64, 1))
    exchange(cute.make_tensor(source, layout), cute.make_tensor(found, layout), store,
             load).launch(grid=1, block=LANES)


class LoadsAndStores(unittest.TestCase):
    def check(self, store, load, dtype, code):
        numbers = array.array(code, range(LANES * 64))
        found = array.array(code, [0] * len(numbers))
        launch_exchange(*(make_ptr(dtype, x.buffer_info()[0], cute.AddressSpace.gmem,
                                   assumed_align=16) for x in (numbers, found)), store, load)
        self.assertEqual(numbers, found, f"{store} {load}")

    def test_shapes(self):
        pack, unpack = tcgen05.Pack.PACK_16b_IN_32b, tcgen05.Unpack.UNPACK_32b_IN_16b
        for shape, count in (("16x64b", 8), ("16x128b", 2), ("16x256b", 4), ("16x32bx2", 16),
                             ("32x32b", 64)):
            count = tcgen05.Repetition(count)
            store, load = (getattr(tcgen05, f"{kind}{shape}Op") for kind in ("St", "Ld"))
            rows = tcgen05.Repetition(32)
            self.check(store(count), tcgen05.Ld32x32bOp(rows), Float32, "f")
            self.check(tcgen05.St32x32bOp(rows), load(count), Float32, "f")
            if shape != "32x32b":
                self.check(store(count, unpack), tcgen05.Ld32x32bOp(rows, pack), Float16, "H")
                self.check(tcgen05.St32x32bOp(rows, unpack), load(count, pack), Float16, "H")


class Copies(unittest.TestCase):
    def test_shapes(self):
        for which, (shape, strides, (_, width, *_), _, row_of) in SHAPES.items():
            near = array.array("f", range(LANES * COLUMNS))
            found = array.array("f", [0] * (LANES * COLUMNS))
            launch(*(make_ptr(Float32, x.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16)
                     for x in (near, found)), which)
            layout = cute.make_layout(shape[:2], stride=strides[:2])
            if which is tcgen05.Cp2x64x128b0123Op:
                layout = cute.make_layout(((8, 8), 4), stride=((4, 32), 1))
            for lane in range(LANES):
                row = row_of(lane)
                got = found[lane * COLUMNS:(lane + 1) * COLUMNS].tolist()
                want = [-1.0] * COLUMNS
                if row is not None:
                    want[:width] = [near[layout((row, k))] for k in range(width)]
                self.assertEqual(got, want, (which.__name__, lane))

    def test_rejected(self):
        @cute.jit
        def host():
            nowhere = cute.make_ptr(Float32, 0, cute.AddressSpace.smem, assumed_align=16)
            near = cute.make_tensor(nowhere, cute.make_layout(8))
            atom = cute.make_copy_atom(tcgen05.Cp128x256bOp(), Float32)
            with self.assertRaisesRegex(OpError, "all rows are copied"):
                cute.copy(atom, near, near, pred=near)
            with self.assertRaisesRegex(TypeError, "scale factors are copied by Cp4x32x128bOp"):
                tcgen05.make_s2t_copy(atom, near)

        host()


if __name__ == "__main__":
    unittest.main()
