# RUN: %python %s
"""What only Hopper has: products of warpgroups, TMA, pipelines, tile schedulers."""
import unittest

import cute
from cute import pipeline, utils
from cute.nvgpu import OpError, cpasync, warp, warpgroup
from cute.utils import hopper_helpers

F16, F32, I8, I32 = cute.Float16, cute.Float32, cute.Int8, cute.Int32
K, MN = warpgroup.OperandMajorMode.K, warpgroup.OperandMajorMode.MN
SMEM, RMEM = warpgroup.OperandSource.SMEM, warpgroup.OperandSource.RMEM


class Products(unittest.TestCase):
    def test_atoms(self):
        for op, name in (
            (warpgroup.MmaF16BF16Op(F16, F32, (64, 128, 16), SMEM, K, MN),
             "SM90_64x128x16_F32F16F16_SS<K,MN>"),
            (warpgroup.MmaF16BF16Op(cute.BFloat16, F32, (64, 8), RMEM, K, K),
             "SM90_64x8x16_F32BF16BF16_RS<K,K>"),
            (warpgroup.MmaF8Op(cute.Float8E4M3FN, cute.Float8E5M2, F32, (64, 256, 32), SMEM, K, K),
             "SM90_64x256x32_F32E4M3E5M2_SS_TN"),
            (warpgroup.MmaI8Op(I8, I8, I32, (64, 64, 32), SMEM, K, K),
             "SM90_64x64x32_S32S8S8_SS_TN"),
            (warpgroup.MmaTF32Op((64, 16, 8), SMEM), "SM90_64x16x8_F32TF32TF32_SS_TN"),
        ):
            self.assertEqual(op.atom_name(), name)
            self.assertEqual(cute.size(cute.make_mma_atom(op).thr_id), 128)

    def test_rejected(self):
        for text, make in (
            ("can be (64, 8 to 256 by 8, 16)",
             lambda: warpgroup.MmaF16BF16Op(F16, F32, (64, 12, 16), SMEM, K, K)),
            ("summed in Float32 only",
             lambda: warpgroup.MmaF16BF16Op(cute.BFloat16, F16, (64, 8), SMEM, K, K)),
            ("A from registers is K-major",
             lambda: warpgroup.MmaF16BF16Op(F16, F32, (64, 8), RMEM, MN, K)),
            ("operands of Int8 are K-major",
             lambda: warpgroup.MmaI8Op(I8, I8, I32, (64, 8), SMEM, K, MN)),
            ("acc_dtype is Int32", lambda: warpgroup.MmaF16BF16Op(F16, I32, (64, 8), SMEM, K, K)),
        ):
            with self.assertRaisesRegex(OpError, text.replace("(", r"\(").replace(")", r"\)")):
                make()

    def test_layouts(self):
        kinds = warpgroup.SmemLayoutAtomKind
        for kind, text in (
            (kinds.K_SW128, "S<3,4,3> o 0 o (8,64):(64,1)"),
            (kinds.MN_SW64, "S<2,4,3> o 0 o (32,8):(1,32)"),
        ):
            self.assertEqual(str(warpgroup.make_smem_layout_atom(kind, F16)), text)
        row, column = utils.LayoutEnum.ROW_MAJOR, utils.LayoutEnum.COL_MAJOR
        self.assertEqual(
            str(hopper_helpers.make_smem_layout_a(row, (128, 256, 64), F16, 4)),
            "S<3,4,3> o 0 o ((8,16),(64,1),(1,4)):((64,512),(1,0),(0,8192))",
        )
        self.assertIs(hopper_helpers.get_smem_layout_atom(column, F16, 32), kinds.MN_SW64)
        with self.assertRaisesRegex(ValueError, "not a multiple of 16 bytes"):
            hopper_helpers.get_smem_layout_atom(row, F16, 12)

    def test_stores_of_a_tile(self):
        # The copy that follows one whose tile is permuted has the same tile.
        mma = hopper_helpers.make_trivial_tiled_mma(F16, F16, K, K, F32, (1, 1, 1), (64, 256))
        atom = cute.make_copy_atom(warp.StMatrix8x8x16bOp(False, 4), F16)
        first = cute.make_tiled_copy_C_atom(atom, mma)
        second = cute.make_tiled_copy_S(atom, first)
        self.assertEqual(first.layout_dst_tv_tiled, second.layout_dst_tv_tiled)


class States(unittest.TestCase):
    def test_advance(self):
        state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 3)
        seen = []
        for _ in range(7):
            seen.append((int(state.index), int(state.phase), int(state.count)))
            state.advance()
        phases = [(i % 3, 1 - i // 3 % 2, i) for i in range(7)]
        self.assertEqual(seen, phases)
        for i in reversed(range(7)):
            state.reverse()
            self.assertEqual((int(state.index), int(state.phase), int(state.count)), phases[i])

    def test_rejected(self):
        thread = pipeline.Agent.Thread
        with self.assertRaisesRegex(ValueError, "at least one agent"):
            pipeline.CooperativeGroup(thread, 0)
        with self.assertRaisesRegex(ValueError, "not a multiple of 32"):
            pipeline.NamedBarrier(1, 48)
        with self.assertRaisesRegex(ValueError, "barriers 0 to 15"):
            pipeline.NamedBarrier(16, 128)
        group = pipeline.CooperativeGroup(thread)
        with self.assertRaisesRegex(TypeError, "barrier_storage is a pointer"):
            pipeline.PipelineAsync.create(
                num_stages=2, producer_group=group, consumer_group=group, barrier_storage=group
            )


class Releases(unittest.TestCase):
    def fences(self, use):
        """Returns how many proxy fences a consumer has that uses a stage so."""
        @cute.kernel
        def kernel(out: cute.Pointer):
            one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
            loads = pipeline.PipelineTmaAsync.create(
                num_stages=2, producer_group=one, consumer_group=one, tx_count=512)
            tile = cute.make_tensor(cute.arch.alloc_smem(F32, 128), 128)
            reads = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 2)
            loads.consumer_wait(reads)
            use(lambda: loads.consumer_release(reads), tile, cute.make_tensor(out, 128))

        @cute.jit
        def launch(out: cute.Pointer):
            kernel(out).launch(grid=1, block=128)

        out = cute.runtime.make_ptr(F32, 0, cute.AddressSpace.gmem)
        ptx = cute.compile(launch, out, options="--gpu-arch sm_90a").__ptx__
        return ptx.count("fence.proxy.async.shared::cta")

    def test_threads_have_read(self):
        """What threads load, they have loaded before TMA may write; products need no fence."""
        thread = cute.arch.thread_idx

        def loads(release, tile, out):
            out[thread()[0]] = tile[127 - thread()[0]]
            release()

        def products(release, tile, out):
            warpgroup.wait_group(0)
            release()

        def both(release, tile, out):
            warpgroup.wait_group(0)
            loads(release, tile, out)

        self.assertEqual([self.fences(use) for use in (loads, products, both)], [1, 0, 1])


class Scheduler(unittest.TestCase):
    def tiles(self, tiles, cluster, clusters, **options):
        """The tiles of all blocks of a grid."""
        params = utils.PersistentTileSchedulerParams(tiles, (*cluster, 1), **options)
        grid = utils.StaticPersistentTileScheduler.get_grid_shape(params, clusters)
        found = []
        for z in range(int(grid[2])):
            for y in range(cluster[1]):
                for x in range(cluster[0]):
                    at = tuple(map(I32, (x, y, z)))
                    scheduler = utils.StaticPersistentTileScheduler.create(
                        params, at, tuple(map(I32, grid))
                    )
                    work = scheduler.initial_work_tile_info()
                    while bool(work.is_valid_tile):
                        found.append(tuple(map(int, work.tile_idx)))
                        scheduler.advance_to_next_work()
                        work = scheduler.get_current_work()
        return found

    def test_each_tile_once(self):
        for tiles in ((4, 6, 1), (5, 3, 2), (1, 1, 1)):
            for cluster in ((1, 1), (2, 1), (1, 2)):
                for options in ({}, {"raster_along_m": False}, {"swizzle_size": 2},
                                {"swizzle_size": 4, "raster_along_m": False}):
                    found = self.tiles(tiles, cluster, 3, **options)
                    self.assertEqual(len(found), len(set(found)))
                    padded = [-(-n // c) * c for n, c in zip(tiles, (*cluster, 1))]
                    expected = {(m, n, b) for m in range(padded[0])
                                for n in range(padded[1]) for b in range(padded[2])}
                    self.assertEqual(set(found), expected, (tiles, cluster, options))

    def test_rejected(self):
        with self.assertRaisesRegex(ValueError, "extent 1 along K"):
            utils.PersistentTileSchedulerParams((1, 1, 1), (1, 1, 2))
        with self.assertRaisesRegex(ValueError, "at least 1, not 0"):
            utils.PersistentTileSchedulerParams((1, 1, 1), (1, 1, 1), 0)


class Masks(unittest.TestCase):
    def test_mask(self):
        # Of 2 x 4 blocks, those with the same M, and those with the same N.
        cluster = cute.make_layout((2, 4, 1))
        self.assertEqual(cute.make_layout_image_mask(cluster, (1, 2, 0), mode=1), 0b10101010)
        self.assertEqual(cute.make_layout_image_mask(cluster, (1, 2, 0), mode=0), 0b00110000)

    def test_rejected(self):
        with self.assertRaisesRegex(OpError, "use make_tiled_tma_atom"):
            cute.make_copy_atom(cpasync.CopyBulkTensorTileG2SOp(), F16)


unittest.main()
