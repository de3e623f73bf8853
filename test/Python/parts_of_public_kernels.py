# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a CUTE_SIM=checks=off %python %s
"""What kernels of other packages do that our own do not, each in a few lines."""

import array
import dataclasses
import math
import os
import typing
import unittest
from functools import partial

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
import cutlass.pipeline as pipeline
import cutlass.utils as utils
from cutlass._mlir.dialects import arith, llvm, nvvm, vector
from cutlass.cutlass_dsl import T
from cutlass import AddressSpace, Boolean, Float32, Int32, Int64, Uint8
from cutlass.cute.nvgpu import cpasync, tcgen05
from cutlass.cute.runtime import make_ptr


def pointer(memory, dtype=Float32, align=4):
    return make_ptr(dtype, memory.buffer_info()[0], AddressSpace.gmem, assumed_align=align)


class Names(unittest.TestCase):
    def test_modules(self):
        import cutlass.cute.arch.clc as clc
        import cutlass.experimental.cuda.tensor_map as maps
        from cutlass.cute.arch import tmem
        from cutlass.memory.smem import SmemAllocator
        from cutlass.tensor_utils import LayoutEnum

        self.assertIs(LayoutEnum, cutlass.tensor_utils.LayoutEnum)
        self.assertIs(SmemAllocator, utils.SmemAllocator)
        self.assertIs(maps.TensorMap, cutlass.experimental.cuda.TensorMap)
        self.assertIs(clc.issue_clc_query, cute.arch.issue_clc_query)
        self.assertIs(tmem.alloc_tmem, cute.arch.alloc_tmem)
        self.assertIs(cute.typing.Optional, typing.Optional)
        self.assertIs(cute.typing.Type, typing.Type)

    def test_numbers_of_tensor_memory(self):
        arch = cute.arch
        self.assertEqual((arch.SM100_TMEM_MIN_ALLOC_COLUMNS, arch.SM100_TMEM_CAPACITY_COLUMNS), (32, 512))
        self.assertEqual(arch.TMEM_MAX_ALLOC_COLUMNS_MAP["sm_103"],
                         arch.get_max_tmem_alloc_cols("sm_103"))
        self.assertRaisesRegex(ValueError, "a vote is any, all, uni, ballot, not 'most'",
                               lambda: arch.vote_sync_op(Boolean(True), "most"))

    def test_helpers_of_products(self):
        helpers = utils.blackwell_helpers
        self.assertIs(utils.tile_atom_to_shape_SF, utils.blockscaled_layout.tile_atom_to_shape_SF)
        self.assertIs(utils.sm90_make_smem_layout_a, utils.sm90.make_smem_layout_a)
        self.assertIs(utils.cvt_tensor_a, utils.mixed_input_helpers.cvt_tensor_a)
        half, byte = cutlass.Float16, cutlass.Float8E4M3FN
        helpers.check_gemm_tma_alignment(64, 64, 48, byte, byte, half, "k", "k", "n")
        helpers.check_gemm_tma_alignment(64, 3, 48, byte, byte, None, "k", "k", None)
        error = cute.testing.CantImplementError
        with self.assertRaisesRegex(error, "A: K is 40, and contiguous: it is a multiple of 16"):
            helpers.check_gemm_tma_alignment(64, 64, 40, byte, half, half, "k", "k", "n")
        with self.assertRaisesRegex(error, "D is contiguous along m or n, not 'k'"):
            helpers.check_gemm_tma_alignment(64, 64, 64, half, half, half, "m", "n", "k")
        with self.assertRaisesRegex(error, "have no alignment of their own"):
            helpers.get_tma_aligned_contiguous_elements(cutlass.Float6E2M3FN)
        with self.assertRaisesRegex(error, "sm_107a has no products of Int8"):
            helpers.check_int8_mma_arch(cutlass.Int8, "sm_107a")
        helpers.check_int8_mma_arch(cutlass.Int8, "sm_100a")
        with self.assertRaisesRegex(TypeError, "expected a numeric type"):
            helpers.sm120_get_smem_store_op(utils.LayoutEnum.ROW_MAJOR, 3, Float32)
        mma = helpers.make_trivial_tiled_mma(
            half, tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.K, Float32,
            tcgen05.CtaGroup.ONE, (128, 64))
        for is_m_major, strides in ((True, (1, 128)), (False, (64, 1))):
            layout = helpers.make_smem_layout_c(mma, (128, 64, 64), half, 2, is_m_major)
            self.assertEqual(cute.size(layout), 128 * 64 * 2)
            self.assertEqual(layout.outer(((1, 0), 0, 0, 0)), strides[0] if is_m_major else 64)
            self.assertEqual(layout.outer(((0, 0), 0, 0, 1)), 128 * 64)

    def test_pipelines_of_nothing(self):
        made = pipeline.PipelineEmpty.create(num_stages=2)
        self.assertIsNone(made.producer_acquire(None) or made.consumer_wait(None, token=1))

    def test_fields_of_derived_pipelines(self):
        @dataclasses.dataclass(frozen=True)
        class Mine(pipeline.PipelineAsync):
            cta_group: int

        made = Mine("full", "empty", 3, None, 5, 7)
        self.assertEqual((made.sync_object_empty, made.consumer_mask, made.cta_group),
                         ("empty", 5, 7))

    def test_kernel_prefix(self):
        @cute.kernel
        def f():
            pass

        f.set_name_prefix("mine", remove_cutlass_symbol=True)
        self.assertEqual(f.prefix, "mine")


class Layouts(unittest.TestCase):
    def test_order_from_one(self):
        @cute.jit
        def f():
            block = cute.make_layout((4, 2, 1))
            repeated = [cute.tile_to_shape(block, (8, 8, 3), order) for order in
                        ((2, 1, 3), (1, 0, 2), (7, 5, 9))]
            self.assertEqual(str(repeated[0]), "((4,2),(2,4),(1,3)):((1,32),(4,8),(0,64))")
            self.assertEqual(*map(str, repeated[:2]))
            self.assertEqual(*map(str, repeated[1:]))

        f()


    def test_tiles_of_products(self):
        @cute.jit
        def f():
            helpers, kinds = utils.blackwell_helpers, tcgen05.SmemLayoutAtomKind
            atom = tcgen05.make_smem_layout_atom(kinds.MN_SW128, cutlass.Float16)
            tiled = [helpers.tile_to_mma_shape(atom, ((128, 16), 2, 4, 3), order)
                     for order in (None, (2, 1, 3))]
            self.assertEqual(
                str(tiled[0]),
                "S<3,4,3> o 0 o (((64,2),(8,2)),2,4,3):(((1,512),(64,2048)),1024,4096,16384)")
            self.assertEqual(
                str(tiled[1]),
                "S<3,4,3> o 0 o (((64,2),16),2,4,3):(((1,4096),64),8192,1024,16384)")
            names = []
            for rows, pair, part in ((256, True, 128), (128, False, 64), (64, True, 64), (64, False, 64)):
                load = helpers.get_tmem_load_op((rows, 64, 64), utils.LayoutEnum.ROW_MAJOR,
                                                cutlass.Float16, Float32, (part, 32), pair)
                names.append((type(load.op).__name__, load.op.repeat.value))
            self.assertEqual(names, [("Ld32x32bOp", 32), ("Ld16x256bOp", 4), ("Ld32x32bOp", 16),
                                     ("Ld16x256bOp", 4)])

        f()

    def test_major_of_nested_modes(self):
        @cute.jit
        def f(p: cute.Pointer, m: Int32):
            rows = cute.make_layout(((4, m), (8, 2)), stride=((16, 64), (0, 1)))
            columns = cute.make_layout(((2, 4), m), stride=((0, 1), 4))
            found = [utils.LayoutEnum.from_tensor(cute.make_tensor(p, x)) for x in (rows, columns)]
            self.assertEqual(found, [utils.LayoutEnum.ROW_MAJOR, utils.LayoutEnum.COL_MAJOR])

        f(pointer(array.array("f", [0] * 4)), 2)

    def test_descriptors_of_operands(self):
        """Layouts of fragments in shared memory count units of 16 bytes, one for an instruction."""
        seen = []

        @cute.kernel
        def kernel():
            memory = utils.SmemAllocator()
            major = tcgen05.OperandMajorMode
            for mode in (major.K, major.MN):
                mma = utils.make_trivial_tiled_mma(
                    cutlass.Float16, mode, mode, Float32, tcgen05.CtaGroup.ONE, (128, 128))
                layout = utils.make_smem_layout_a(mma, (128, 128, 64), cutlass.Float16, 2)
                s = memory.allocate_tensor(cutlass.Float16, layout.outer, 1024, swizzle=layout.inner)
                part = mma.make_fragment_A(s)
                stage = part[None, None, None, cute.arch.thread_idx()[0]]
                seen.append((str(part.layout), cute.crd2idx((0, 0, 3), stage.layout)))

        @cute.jit
        def f():
            kernel().launch(grid=[1, 1, 1], block=[1, 1, 1])

        f()
        self.assertEqual(seen[:2], [("(1,1,4,2):(0,0,2,1024)", 6), ("(1,1,4,2):(0,0,128,1024)", 384)])


class Threads(unittest.TestCase):
    def test_reductions_of_floats(self):
        values = [float((7 * i) % 32) - 20 for i in range(32)]
        nan = [*values[:5], math.nan, *values[6:]]

        @cute.kernel
        def reduce(a: cute.Tensor, out: cute.Tensor):
            redux = cute.arch.warp_redux_sync
            t = cute.arch.thread_idx()[0]
            x, y = a[t], a[t + 32]
            found = [redux(x, "fmax"), redux(x, "min"), redux(x, "max", abs=True),
                     redux(y, "fmax"), redux(y, "fmin", nan=True),
                     Float32(cute.arch.vote_sync_op(x > 10.0, "any").to(Int32))]
            if t == 3:
                for i in cutlass.range_constexpr(6):
                    out[i] = found[i]

        @cute.jit
        def f(a: cute.Pointer, out: cute.Pointer):
            reduce(cute.make_tensor(a, cute.make_layout(64)),
                   cute.make_tensor(out, cute.make_layout(6))).launch(grid=[1, 1, 1],
                                                                      block=[32, 1, 1])

        memory, out = array.array("f", values + nan), array.array("f", [0] * 6)
        f(pointer(memory), pointer(out))
        some = [x for x in nan if x == x]
        self.assertEqual(list(out[:4]), [max(values), min(values), max(map(abs, values)), max(some)])
        self.assertTrue(math.isnan(out[4]))
        self.assertEqual(out[5], 1)
        self.assertRaisesRegex(TypeError, "integers of 32 bits, not Float32",
                               lambda: cute.arch.warp_redux_sync(Float32(1), "add"))

    def test_values_of_llvm(self):
        @cute.kernel
        def kernel(out: cute.Tensor):
            x = Int32(cute.arch.thread_idx()[0] - 3).ir_value()
            wide = llvm.sext(T.i64(), x)
            short = llvm.trunc(T.i16(), x)
            out[0], out[1] = Int64(wide), Int64(llvm.zext(T.i64(), short))
            pair = vector.from_elements(T.vector(2, T.i32()), [x, x])
            pair = llvm.insertelement(pair, Int32(7).ir_value(), arith.constant(T.i32(), 1))
            some = llvm.extractelement(pair, arith.constant(T.i32(), 1))
            none = llvm.extractelement(llvm.mlir_zero(T.vector(2, T.i32())), arith.constant(T.i32(), 0))
            out[2], out[3] = Int64(Int32(some)), Int64(Int32(none))

        @cute.jit
        def f(out: cute.Pointer):
            kernel(cute.make_tensor(out, cute.make_layout(4))).launch(grid=[1, 1, 1],
                                                                      block=[1, 1, 1])

        out = array.array("q", [1] * 4)
        f(pointer(out, Int64, 8))
        self.assertEqual(list(out), [-3, 65533, 7, 0])

    def test_shared_memory_without_gaps(self):
        """Small arrays around a large one, aligned to 1024 bytes: they fit after it alone."""
        large = 226 * 1024

        @cute.kernel
        def kernel(out: cute.Tensor):
            memory = utils.SmemAllocator()
            first, whole, last = (
                cute.make_tensor(memory.allocate_array(dtype, count, align), cute.make_layout(count))
                for dtype, count, align in ((Int64, 4, 8), (Uint8, large, 1024), (Int64, 32, 8)))
            first[3], last[0], last[31], whole[large - 1] = Int64(5), Int64(6), Int64(7), Uint8(8)
            whole[0] = Uint8(whole.iterator.toint() % 1024 + 9)
            out[0], out[1], out[2] = first[3], last[0], last[31]
            out[3], out[4] = Int64(whole[large - 1]), Int64(whole[0])

        @cute.jit
        def f(out: cute.Pointer):
            kernel(cute.make_tensor(out, cute.make_layout(5))).launch(grid=[1, 1, 1],
                                                                      block=[1, 1, 1])

        out = array.array("q", [0] * 5)
        f(pointer(out, Int64, 8))
        self.assertEqual(list(out), [5, 6, 7, 8, 9])

    def test_gathered_words(self):
        """Rows of bytes whose distance is not known, four bytes by an atom."""
        @cute.kernel
        def kernel(rows: cute.Tensor, out: cute.Tensor):
            t = cute.arch.thread_idx()[0]
            held = utils.SmemAllocator().allocate_tensor(Uint8, cute.make_layout(16), 4)
            atom = cute.make_copy_atom(cpasync.CopyG2SOp(), Uint8, num_bits_per_copy=32)
            near = cute.make_tensor(held.iterator + 4 * t, cute.make_layout(4))
            far = cute.make_tensor(rows[3 - t, None].iterator, cute.make_layout(4))
            cute.copy_atom_call(atom, far, near)
            cute.arch.cp_async_commit_group()
            cute.arch.cp_async_wait_group(0)
            cute.arch.sync_threads()
            for i in range(4):
                out[4 * t + i] = held[4 * t + i]

        @cute.jit
        def f(rows: cute.Pointer, out: cute.Pointer, step: Int32):
            layout = cute.make_layout((4, 4), stride=(step, 1))
            kernel(cute.make_tensor(rows, layout), cute.make_tensor(out, cute.make_layout(16))).launch(
                grid=[1, 1, 1], block=[4, 1, 1])

        rows = array.array("B", range(64))
        out = array.array("B", [0] * 16)
        f(pointer(rows, Uint8, 4), pointer(out, Uint8, 4), 8)
        self.assertEqual(list(out), [8 * r + i for r in (3, 2, 1, 0) for i in range(4)])
        if "checks=off" in os.environ.get("CUTE_SIM", ""):
            return
        with self.assertRaisesRegex(Exception, "misaligned|multiple of 4"):
            f(pointer(rows, Uint8, 4), pointer(out, Uint8, 4), 7)

    def test_barriers(self):
        """One warp stores, another waits and reads: by a class of named barriers, then by NVVM."""
        @dataclasses.dataclass(frozen=True)
        class Unaligned(pipeline.NamedBarrier):
            def meet(self):
                nvvm.barrier_cta_sync(Int32(self.barrier_id).ir_value(), aligned=False,
                                      thread_count=Int32(self.num_threads).ir_value())

        @cute.kernel
        def kernel(out: cute.Tensor):
            t = cute.arch.thread_idx()[0]
            s = utils.SmemAllocator().allocate_tensor(Int32, cute.make_layout(64), 16)
            barrier = Unaligned(barrier_id=3, num_threads=64)
            if t < 32:
                s[t] = 3 * t
                barrier.meet()
                nvvm.barrier_cta_arrive(4, 64)
            else:
                barrier.meet()
                out[t - 32] = s[t - 32]
                nvvm.barrier_cta_sync(4, thread_count=64)

        @cute.jit
        def f(out: cute.Pointer):
            kernel(cute.make_tensor(out, cute.make_layout(32))).launch(grid=[1, 1, 1],
                                                                       block=[64, 1, 1])

        out = array.array("i", [0] * 32)
        f(pointer(out, Int32))
        self.assertEqual(list(out), list(range(0, 96, 3)))
        self.assertRaisesRegex(ValueError, "0 to 15", lambda: Unaligned(16, 64))

    def test_tensor_memory_without_a_place_for_its_address(self):
        @cute.kernel
        def kernel(out: cute.Tensor):
            t = cute.arch.thread_idx()[0]
            tmem = utils.TmemAllocator(barrier_for_retrieve=pipeline.NamedBarrier(1, 128),
                                       arch="sm_100a")
            tmem.allocate(32)
            tmem.wait_for_alloc()
            place = tmem.retrieve_ptr(Float32)
            far = cute.make_tensor(place, cute.make_layout((128, 8), stride=(65536, 1)))
            near = cute.make_rmem_tensor(8, Float32)
            near.fill(2.0)
            near[3] = Float32(t)
            put = tcgen05.make_tmem_copy(cute.make_copy_atom(
                tcgen05.St32x32bOp(tcgen05.Repetition(8)), Float32), far)
            get = tcgen05.make_tmem_copy(cute.make_copy_atom(
                tcgen05.Ld32x32bOp(tcgen05.Repetition(8)), Float32), far)
            to, of = put.get_slice(t).partition_D(far), get.get_slice(t).partition_S(far)
            source = cute.make_tensor(near.iterator, put.get_slice(t).partition_S(far).shape)
            cute.copy(put, source, to)
            cute.arch.fence_view_async_tmem_store()
            back = cute.make_rmem_tensor(source.shape, Float32)
            cute.copy(get, of, back)
            cute.arch.fence_view_async_tmem_load()
            out[t] = back.load().reduce(cute.ReductionOp.ADD, 0.0, 0)
            cute.arch.sync_threads()
            tmem.relinquish_alloc_permit()
            tmem.free(place)

        @cute.jit
        def f(out: cute.Pointer):
            kernel(cute.make_tensor(out, cute.make_layout(128))).launch(grid=[1, 1, 1],
                                                                        block=[128, 1, 1])

        out = array.array("f", [0] * 128)
        f(pointer(out))
        self.assertEqual(list(out), [14.0 + t for t in range(128)])

    def test_copy_of_a_repeated_element(self):
        @cute.kernel
        def copy(a: cute.Tensor, out: cute.Tensor):
            atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=32)
            t = cute.arch.thread_idx()[0]
            source = cute.make_tensor(a.iterator + t, cute.make_layout(((8, 1), 2), stride=((0, 0), 4)))
            near = cute.make_rmem_tensor(source.shape, Float32)
            cute.copy(atom, source, near)
            out[t] = near.load().reduce(cute.ReductionOp.ADD, 0.0, 0)

        @cute.jit
        def f(a: cute.Pointer, out: cute.Pointer):
            copy(cute.make_tensor(a, cute.make_layout(8)),
                 cute.make_tensor(out, cute.make_layout(4))).launch(grid=[1, 1, 1], block=[4, 1, 1])

        memory, out = array.array("f", range(8)), array.array("f", [0] * 4)
        f(pointer(memory), pointer(out))
        self.assertEqual(list(out), [8.0 * (t + t + 4) for t in range(4)])

    def test_copies_of_lanes_fill_stages(self):
        lanes, stages, rows = 32, 3, 128

        @cute.kernel
        def through(a: cute.Tensor, out: cute.Tensor, steps: Int32):
            t = cute.arch.thread_idx()[0]
            memory = utils.SmemAllocator()
            near = memory.allocate_tensor(Float32, cute.make_layout((rows, stages)), 16)
            group = partial(pipeline.CooperativeGroup, pipeline.Agent.Thread)
            full = pipeline.PipelineCpAsync.create(
                barrier_storage=memory.allocate_array(Int64, 2 * stages), num_stages=stages,
                producer_group=group(lanes), consumer_group=group(rows))
            atom = cute.make_copy_atom(cpasync.CopyG2SOp(), Float32, num_bits_per_copy=32)
            copy = cute.make_tiled_copy_tv(atom, cute.make_layout(lanes), cute.make_layout(1))
            if cute.arch.warp_idx() == rows // 32:
                part = copy.get_slice(cute.arch.lane_idx())
                far, to = part.partition_S(a), part.partition_D(near)
                state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, stages)
                for i in cutlass.range(steps):
                    full.producer_acquire(state)
                    cute.copy(copy, far[None, None, i], to[None, None, state.index])
                    full.producer_commit(state)
                    state.advance()
                full.producer_tail(state)
            else:
                state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, stages)
                for i in cutlass.range(steps):
                    full.consumer_wait(state)
                    out[t, i] = near[t, state.index] + 1
                    full.consumer_release(state)
                    state.advance()

        @cute.jit
        def f(a: cute.Pointer, out: cute.Pointer, steps: Int32):
            layout = cute.make_layout((rows, steps))
            through(cute.make_tensor(a, layout), cute.make_tensor(out, layout), steps).launch(
                grid=[1, 1, 1], block=[rows + lanes, 1, 1])

        steps = 5
        memory, out = array.array("f", range(rows * steps)), array.array("f", [0] * rows * steps)
        f(pointer(memory, align=16), pointer(out), steps)
        self.assertEqual(list(out), [x + 1 for x in memory])


class TmaOfBytes(unittest.TestCase):
    def run_copy(self, far, near, tiler, steps):
        """Copies bytes by tiles of a layout to shared memory and, as they lie there, back."""
        size = 512

        @cute.kernel
        def copy(atom: cute.CopyAtom, source: cute.Tensor, out: cute.Tensor, near: cutlass.Constexpr):
            t = cute.arch.thread_idx()[0]
            memory = utils.SmemAllocator()
            s = memory.allocate_tensor(Uint8, near, 128)
            bar = memory.allocate_array(Int64, 1)
            if t == 0:
                cute.arch.mbarrier_init(bar, 1)
            cute.arch.mbarrier_init_fence()
            cute.arch.sync_threads()
            tiles = cute.zipped_divide(source, tiler)
            to, of = cpasync.tma_partition(atom, 0, cute.make_layout(1),
                                           cute.group_modes(s, 0, cute.rank(s)), tiles)
            if cute.arch.warp_idx() == 0:
                with cute.arch.elect_one():
                    cute.arch.mbarrier_arrive_and_expect_tx(bar, size)
                cute.copy(atom, of[None, steps], to, tma_bar_ptr=bar)
            cute.arch.mbarrier_wait(bar, 0)
            flat = cute.make_tensor(s.iterator, cute.make_layout(size))
            for i in cutlass.range(t, size, 32):
                out[i] = flat[i]

        @cute.jit
        def f(a: cute.Pointer, out: cute.Pointer):
            source = cute.make_tensor(a, far())
            layout = near()
            atom, coordinates = cpasync.make_tiled_tma_atom(
                cpasync.CopyBulkTensorTileG2SOp(), source, layout, tiler, internal_type=Uint8)
            copy(atom, coordinates, cute.make_tensor(out, cute.make_layout(size)), layout).launch(
                grid=[1, 1, 1], block=[32, 1, 1])

        memory = array.array("B", [(i * 37 + i // 256 * 11) % 251 for i in range(2048)])
        out = array.array("B", [0] * size)
        f(pointer(memory, Uint8, 16), pointer(out, Uint8))
        return memory, out

    def test_scale_factors(self):
        """A factor for 16 columns: blocks of 128 rows and 4 factors are 512 bytes."""
        memory, out = self.run_copy(
            lambda: cute.make_layout(((32, 4), ((16, 4), 4)), stride=((16, 4), ((0, 1), 512))),
            lambda: cute.make_layout(((32, 4), (16, 4)), stride=((16, 4), (0, 1))),
            (128, 64), (0, 2))
        self.assertEqual(list(out), list(memory[1024:1536]))

    def test_a_page_of_a_tile(self):
        """A tile of 8 rows and 3 pages of 64 columns, copied a page at a time."""
        @cute.kernel
        def copy(atom: cute.CopyAtom, source: cute.Tensor, out: cute.Tensor):
            t = cute.arch.thread_idx()[0]
            memory = utils.SmemAllocator()
            s = memory.allocate_tensor(Uint8, cute.make_layout((8, 64, 2), stride=(64, 1, 512)), 128)
            bar = memory.allocate_array(Int64, 1)
            if t == 0:
                cute.arch.mbarrier_init(bar, 1)
            cute.arch.mbarrier_init_fence()
            cute.arch.sync_threads()
            to, of = cpasync.tma_partition(atom, 0, cute.make_layout(1), cute.group_modes(s, 0, 2),
                                           cute.zipped_divide(source, (8, 64)))
            if cute.arch.warp_idx() == 0:
                with cute.arch.elect_one():
                    cute.arch.mbarrier_arrive_and_expect_tx(bar, 1024)
                cute.copy(atom, of[None, (0, 2)], to[None, 0], tma_bar_ptr=bar)
                cute.copy(atom, of[None, (0, 0)], to[None, 1], tma_bar_ptr=bar)
            cute.arch.mbarrier_wait(bar, 0)
            for i in cutlass.range(t, 1024, 32):
                out[i] = s[i // 64 % 8, i % 64, i // 512]

        @cute.jit
        def f(a: cute.Pointer, out: cute.Pointer):
            source = cute.make_tensor(a, cute.make_layout((8, 192), stride=(192, 1)))
            pages = cute.make_layout((8, (64, (1, 3))), stride=(64, (1, (0, 512))))
            atom, coordinates = cpasync.make_tiled_tma_atom(
                cpasync.CopyBulkTensorTileG2SOp(), source, pages, (8, 192), internal_type=Uint8)
            copy(atom, coordinates, cute.make_tensor(out, cute.make_layout(1024))).launch(
                grid=[1, 1, 1], block=[32, 1, 1])

        memory, out = array.array("B", [i % 251 for i in range(1536)]), array.array("B", [0] * 1024)
        f(pointer(memory, Uint8, 16), pointer(out, Uint8))
        rows = [memory[i:i + 192] for i in range(0, 1536, 192)]
        self.assertEqual(list(out), [x for page in (2, 0) for row in rows
                                     for x in row[64 * page:64 * page + 64]])


class Counter:
    """An object that loops carry as a number."""

    def __init__(self, at):
        self.at = at

    def advance(self):
        self.at = self.at + 1

    def __extract_mlir_values__(self):
        return [self.at.ir_value()]

    def __new_from_mlir_values__(self, values):
        return Counter(Int32(values[0]))


class Control(unittest.TestCase):
    def run_kernel(self, body, n):
        @cute.kernel
        def kernel(out: cute.Tensor, n: Int32):
            body(out, n)

        @cute.jit
        def f(out: cute.Pointer, n: Int32):
            kernel(cute.make_tensor(out, cute.make_layout(4)), n).launch(grid=[1, 1, 1],
                                                                        block=[64, 1, 1])

        out = array.array("i", [0] * 4)
        f(pointer(out, Int32), n)
        return list(out)

    def test_parameters_of_nested_functions_are_their_own(self):
        @cute.jit
        def body(out: cute.Tensor, n: Int32):
            pair = (Counter(Int32(0)), Counter(Int32(5)))
            a, b = pair
            step = Int32(0)
            while step < 2:
                if n > 0:
                    def run(count, pair):
                        for _i in cutlass.range(count):
                            x, y = pair
                            x.advance()
                            pair = (x, y)
                        return pair

                    a, b = run(n, (a, b))
                    b.advance()
                step += 1
            out[0], out[1] = a.at, b.at

        self.assertEqual(self.run_kernel(body, 3)[:2], [6, 7])

    def test_loops_leave_what_they_only_read(self):
        """The field of an atom that one warp sets and others only have within reach."""
        @cute.jit
        def loop(things, n):
            total = Int32(0)
            for i in cutlass.range(n):
                total += self.weigh(things, i)
            return total

        @cute.jit
        def guarded(thread, out, n):
            if n > 1:
                out[0] = loop((thread, 2), n)

        @cute.jit
        def body(out: cute.Tensor, n: Int32):
            op = tcgen05.MmaF16BF16Op(cutlass.Float16, Float32, (128, 64, 16), tcgen05.CtaGroup.ONE,
                                      tcgen05.OperandSource.SMEM, tcgen05.OperandMajorMode.K,
                                      tcgen05.OperandMajorMode.K)
            mma = cute.make_tiled_mma(op)
            thread = mma.get_slice(0)
            warp = cute.arch.warp_idx()
            if warp == 0:
                mma.set(tcgen05.Field.ACCUMULATE, n > 3)
            if warp == 1:
                guarded(thread, out, n)
            if warp == 0:
                out[1] = Int32(mma.get(tcgen05.Field.ACCUMULATE))

        self.assertEqual(self.run_kernel(body, 4)[:2], [20, 1])

    @staticmethod
    def weigh(things, i):
        return i * things[1] + things[1]

    def test_identity_within_const_expr(self):
        @cute.jit
        def body(out: cute.Tensor, n: Int32):
            flag = n > 2
            if cutlass.const_expr(flag is True):
                out[0] = 5
            elif cutlass.const_expr(flag is not False):
                out[0] = 6

        self.assertEqual(self.run_kernel(body, 4)[0], 6)

    def test_a_part_by_another_name(self):
        """A branch that reads a part of an object leaves it the object's."""
        class Inner:
            def __init__(self, flag, state):
                self.flag, self.state = flag, state

            def __extract_mlir_values__(self):
                return [self.flag.ir_value(), *self.state.__extract_mlir_values__()]

            def __new_from_mlir_values__(self, values):
                return Inner(Boolean(values[0]), self.state.__new_from_mlir_values__(values[1:]))

        class Outer:
            def __init__(self, count, inner):
                self.count, self.inner = count, inner

            def __extract_mlir_values__(self):
                return [self.count.ir_value(), *self.inner.__extract_mlir_values__()]

            def __new_from_mlir_values__(self, values):
                return Outer(Int32(values[0]), self.inner.__new_from_mlir_values__(values[1:]))

            @cute.jit
            def note(self, out, state):
                out[self.count] = 10 * self.count + state.phase

            @cute.jit
            def step(self, out):
                inner = self.inner
                if inner.flag:
                    self.note(out, inner.state)
                inner.state.advance()
                self.count = self.count + 1

        @cute.jit
        def body(out: cute.Tensor, n: Int32):
            state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, 1)
            outer = Outer(Int32(0), Inner(n > 0, state))
            outer.step(out)
            while outer.count < n:
                outer.step(out)

        self.assertEqual(self.run_kernel(body, 4), [1, 10, 21, 30])

    def test_states_of_stages(self):
        @cute.jit
        def body(out: cute.Tensor, n: Int32):
            state = pipeline.PerStagePipelineState(2)
            for i in cutlass.range(n):
                if i == 1:
                    state.mark_invalid()
                else:
                    state.mark_valid()
                state.next()
            out[0], out[1], out[2] = state.index, state.phase, state.count
            state.next()
            out[3] = 10 * state.phase + state.count + 100 * cute.arch.log2_of_pow2_int(n - 1)

        self.assertEqual(self.run_kernel(body, 5)[:4], [1, 0, 1, 213])

    def test_barriers_by_name(self):
        @cute.jit
        def body(out: cute.Tensor, n: Int32):
            memory = utils.SmemAllocator()
            thread = cute.arch.thread_idx()[0]
            group = pipeline.CooperativeGroup(pipeline.Agent.Thread, 64)
            pipe = pipeline.PipelineAsync.create(
                barrier_storage=memory.allocate_array(Int64, 2), num_stages=1,
                producer_group=group, consumer_group=group)
            state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
            full = pipe.sync_object_full
            seen = full.recast_to_new_op_type(pipeline.PipelineOp.AsyncLoad)
            if thread < 32:
                seen.arrive(0)
            else:
                full.arrive_mbarrier(0)
            pipe.consumer_wait(state)
            out[0] = Int32(pipe.consumer_get_barrier(state).toint() -
                           pipe.producer_get_barrier(state).toint())

        self.assertEqual(self.run_kernel(body, 1)[0], 8)

    def test_handles_without_waiting(self):
        @cute.jit
        def body(out: cute.Tensor, n: Int32):
            memory = utils.SmemAllocator()
            group = pipeline.CooperativeGroup(pipeline.Agent.Thread, 64)
            producer, consumer = pipeline.PipelineAsync.create(
                barrier_storage=memory.allocate_array(Int64, 4), num_stages=2,
                producer_group=group, consumer_group=group).make_participants()
            producer.advance()
            out[0], out[1] = producer.current_handle().index, consumer.current_handle().index
            out[2] = producer._PipelineProducer__state.index

        self.assertEqual(self.run_kernel(body, 1)[:3], [1, 0, 1])


if __name__ == "__main__":
    unittest.main()
