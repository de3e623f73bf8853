# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""cutlass.utils: schedulers of sizes known on the device, pools of tensor memory, choices."""

import array
import unittest

import cute
from cute import Float8E8M0FNU, Float32, Int32, arch, pipeline, utils
from cute.nvgpu import tcgen05
from cute.runtime import make_ptr

GMEM = cute.AddressSpace.gmem


def words(count, value=0):
    memory = array.array("i", [value] * count)
    return memory, make_ptr(Int32, memory.buffer_info()[0], GMEM, assumed_align=16)


class Schedulers(unittest.TestCase):
    def tiles(self, inner_mode, shape):
        """(number, m, n, l) of the tiles of each of 4 clusters of 2x1 blocks."""
        memory, pointer = words(4 * 2 * 8 * 4, -1)

        @cute.kernel
        def kernel(out: cute.Pointer, sizes: cute.Pointer):
            size = cute.make_tensor(sizes, 3)
            params = utils.PersistentTileSchedulerParams((size[0], size[1], size[2]), (2, 1, 1))
            block, _, cluster = arch.block_idx()
            tiles = utils.StaticPersistentRuntimeTileScheduler.create(
                params, arch.block_idx(), arch.grid_dim(), inner_mode)
            work = tiles.initial_work_tile_info()
            at = Int32(0)
            row = cute.make_tensor(out + (cluster * 2 + block) * 32, 32)
            while work.is_valid_tile:
                row[at] = tiles.num_tiles_executed
                for i in cute.range_constexpr(3):
                    row[at + i + 1] = work.tile_idx[i]
                at += 4
                tiles.advance_to_next_work()
                work = tiles.get_current_work()

        @cute.jit
        def launch(out: cute.Pointer, sizes: cute.Pointer):
            kernel(out, sizes).launch(grid=(2, 1, 4), block=(1, 1, 1), cluster=(2, 1, 1))

        given, sizes = words(4)
        given[:3] = array.array("i", shape)
        launch(pointer, sizes)
        rows = [memory[i : i + 4].tolist() for i in range(0, len(memory), 4)]
        return [[row for row in rows[8 * i : 8 * i + 8] if row[0] >= 0] for i in range(8)]

    def wanted(self, inner_mode, shape):
        m, n, batches = (shape[0] + 1) // 2, shape[1], shape[2]
        order = [(i, j, b) for b in range(batches) for j in range(n) for i in range(m)]
        if inner_mode == 1:
            order = [(i, j, b) for b in range(batches) for i in range(m) for j in range(n)]
        return [[[turn, 2 * i + block, j, b] for turn, (i, j, b) in enumerate(order[cluster::4])]
                for cluster in range(4) for block in range(2)]

    def test_orders(self):
        for mode in (0, 1):
            for shape in ((4, 3, 2), (2, 1, 1), (5, 2, 1)):
                self.assertEqual(self.tiles(mode, shape), self.wanted(mode, shape))
        with self.assertRaisesRegex(ValueError, "inner_mode is 0, along M, or 1, along N, not 2"):
            utils.StaticPersistentRuntimeTileScheduler(None, 1, 0, 0, 0, 2)


class TensorMemory(unittest.TestCase):
    def test_pool(self):
        @cute.kernel
        def kernel(out: cute.Pointer):
            thread, _, _ = arch.thread_idx()
            smem = utils.SmemAllocator()
            slot = smem.allocate_array(Int32, 1)
            memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, 128))
            pool = memory.reserve(64)
            layout = cute.make_layout((128, 32), stride=(65536, 1))
            parts = [pool.allocate_tensor(layout, Int32), pool.allocate_tensor(layout, Int32)]
            put = cute.make_copy_atom(tcgen05.St32x32bOp(tcgen05.Repetition.x32), Int32)
            get = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), Int32)
            rows = cute.make_tensor(out, cute.make_layout((128, 32), stride=(32, 1)))
            for i in cute.range_constexpr(2):
                copy = tcgen05.make_tmem_copy(put, parts[i]).get_slice(thread)
                registers = cute.make_rmem_tensor(copy.partition_S(rows).shape, Int32)
                registers.fill(thread + 1000 * (i + 1))
                cute.copy(copy, registers, copy.partition_D(parts[i]))
            copy = tcgen05.make_tmem_copy(get, parts[0]).get_slice(thread)
            stored = copy.partition_D(rows)
            loaded = cute.make_rmem_tensor(stored.shape, Int32)
            cute.copy(copy, copy.partition_S(parts[0]), loaded)
            cute.autovec_copy(loaded, stored)
            memory.relinquish_alloc_permit()
            pipeline.sync(barrier_id=1)
            memory.free(parts[0].iterator)

        @cute.jit
        def launch(out: cute.Pointer):
            kernel(out).launch(grid=(1, 1, 1), block=(128, 1, 1))

        memory, pointer = words(128 * 32)
        launch(pointer)
        self.assertEqual(list(memory), [1000 + i // 32 for i in range(128 * 32)])

    def test_pool_ends(self):
        @cute.jit
        def host():
            base = make_ptr(Float32, 16, cute.AddressSpace.tmem, assumed_align=16)
            pool = utils.TmemBufferPool(base, 96)
            pool.allocate(64, Float32)
            with self.assertRaisesRegex(ValueError, "48 columns of .* are requested, and 32 of 96 are left"):
                pool.allocate(48, Float8E8M0FNU)
            pool.allocate(cute.make_layout((128, 32), stride=(65536, 1)), Float32)
            with self.assertRaisesRegex(ValueError, "and 0 of 96 are left"):
                pool.allocate(1, Float32)

        host()


class Choices(unittest.TestCase):
    def test_loads_of_scale_factors(self):
        def load(cluster, blocks):
            made = utils.cluster_shape_to_tma_atom_SFB(cluster, cute.make_layout(blocks))
            return type(made).__name__, made.cta_group

        one, many = "CopyBulkTensorTileG2SOp", "CopyBulkTensorTileG2SMulticastOp"
        for cluster, blocks, name in (((1, 1, 1), 1, one), ((1, 2, 1), 1, one),
                                      ((2, 1, 1), 1, many), ((2, 1, 1), 2, many)):
            self.assertEqual(load(cluster, blocks), (name, tcgen05.CtaGroup(blocks)))
        with self.assertRaisesRegex(ValueError, "has no whole pairs along M"):
            load((1, 2, 1), 2)

    def test_products_of_float32(self):
        k = tcgen05.OperandMajorMode.K
        for dtype in (Float32, cute.TFloat32):
            mma = utils.make_trivial_tiled_mma(
                dtype, dtype, k, k, Float32, tcgen05.CtaGroup.ONE, (128, 64))
            self.assertIsInstance(mma.op, tcgen05.MmaTF32Op)
        with self.assertRaisesRegex(TypeError, "takes Float32 and Float16"):
            utils.make_trivial_tiled_mma(
                Float32, cute.Float16, k, k, Float32, tcgen05.CtaGroup.ONE, (128, 64))

    def test_permutations(self):
        m, columns, k = utils.get_permutation_mnk((256, 128, 128), 16, False)
        self.assertEqual((m, str(columns), k), (128, "(8,2,2):(1,16,8)", 64))
        self.assertEqual(utils.get_permutation_mnk((64, 64, 64), 32, True)[::2], (64, 32))
        with self.assertRaisesRegex(ValueError, "for 32 elements along K, which .* the tile's K, 48"):
            utils.get_permutation_mnk((128, 128, 48), 32, True)

    def test_size_of_shared_memory(self):
        @cute.kernel
        def kernel(out: cute.Pointer):
            near = utils.SmemAllocator().allocate_tensor(Int32, cute.make_layout(40), 16)
            near[0] = 1
            cute.make_tensor(out, 1)[0] = near[0]

        sizes = []

        @cute.jit
        def launch(out: cute.Pointer):
            with self.assertRaisesRegex(ValueError, "call get_kernel_smem_size after its launch"):
                utils.get_kernel_smem_size(kernel)
            kernel(out).launch(grid=(1, 1, 1), block=(1, 1, 1))
            sizes.append(utils.get_kernel_smem_size(kernel))

        memory, pointer = words(1)
        launch(pointer)
        self.assertEqual((sizes, list(memory)), ([160], [1]))


if __name__ == "__main__":
    unittest.main()
