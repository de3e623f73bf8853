# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Small names of the reference: annotations, options of launches, assertions, pictures."""

import argparse
import array
import contextlib
import io
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import AddressSpace, Float16, Float32, Int32
from cutlass.cute import nvgpu, testing
from cutlass.cute.runtime import make_ptr


@cute.kernel
def fill(a: cute.Tensor, value: Float32):
    a[cute.arch.thread_idx()[0] + 4 * cute.arch.block_idx()[0]] = value


@cute.jit
def launch(p: cute.Pointer, config: cutlass.Constexpr):
    fill(cute.make_tensor(p, cute.make_layout(8)), 3.0).launch(config=config)


def pointer(memory, dtype=Float32):
    return make_ptr(dtype, memory.buffer_info()[0], AddressSpace.gmem, assumed_align=4)


class Launches(unittest.TestCase):
    def test_config(self):
        for config, wanted in ((cutlass.LaunchConfig(grid=[2, 1, 1], block=[4, 1, 1]), [3] * 8),
                               (cutlass.LaunchConfig(block=[2, 1, 1], use_pdl=True),
                                [3, 3] + [0] * 6)):
            memory = array.array("f", [0] * 8)
            launch(pointer(memory), config)
            self.assertEqual(list(memory), wanted)
        self.assertTrue(cutlass.LaunchConfig(cluster=[2, 1, 1]).has_cluster)
        both = cutlass.LaunchConfig(cluster=[2, 1, 1], fallback_cluster=[1, 1, 1])
        self.assertTrue(both.has_cluster and both.has_fallback_cluster)


class Annotations(unittest.TestCase):
    def test_tensors(self):
        typed = cute.Tensor[Float32, (2, 4), (4, 1)]
        self.assertEqual(typed, cutlass.TypedTensor(Float32, (2, 4), (4, 1)))

        @cute.jit
        def host(p: cute.Pointer, wrong: cutlass.Constexpr):
            @cute.kernel
            def inner(t: typed):
                t[0] = 1.0

            rows = cute.make_tensor(p, cute.make_layout((2, 4), stride=(4, 1)))
            columns = cute.make_tensor(p, cute.make_layout((2, 4)))
            self.assertTrue(typed.isinstance(rows))
            self.assertFalse(typed.isinstance(columns) or typed.isinstance(p))
            narrow = cutlass.TypedTensor(Float32, (2, 4), (4, 1), AddressSpace.smem)
            self.assertFalse(narrow.isinstance(rows))
            inner(columns if wrong else rows).launch(grid=(1, 1, 1), block=(1, 1, 1))

        memory = array.array("f", [0] * 8)
        host(pointer(memory), False)
        self.assertEqual(memory[0], 1.0)
        with self.assertRaisesRegex(TypeError, r"expected a tensor Float32 o \(2, 4\):\(4, 1\)"):
            host(pointer(memory), True)

    def test_pointers(self):
        typed = cute.Pointer[Float32, AddressSpace.gmem]
        self.assertEqual(typed, cutlass.TypedPointer(Float32, AddressSpace.gmem))

        @cute.jit
        def host(p: typed):
            return p.load()

        memory = array.array("f", [5.0])
        self.assertEqual(host(pointer(memory)), 5.0)
        with self.assertRaisesRegex(TypeError, "expected a pointer to Float32 in gmem"):
            host(pointer(memory, Int32))

    def test_numbers(self):
        self.assertEqual([cutlass.align(n) for n in (1, 64)], [1, 64])
        with self.assertRaisesRegex(ValueError, "a power of two, not 24"):
            cutlass.align(24)
        kind = cutlass.FloatNV8E5M3FNU
        self.assertEqual([kind(x).value for x in (1.3, 1e9, 2.0**-17)], [1.25, 114688.0, 2.0**-17])
        self.assertTrue(cutlass.typing.is_int_tuple_type(cute.typing.IntTuple))
        self.assertFalse(cutlass.typing.is_int_tuple_type(int))

    def test_unrolling(self):
        @cute.jit
        def host():
            self.assertIn("unroll = <count = 4 : i32>", str(cutlass.LoopUnroll(count=4)))
            self.assertIn("full = true", str(cutlass.LoopUnroll(full=True)))
            with self.assertRaisesRegex(ValueError, "by count, full, disable, not often"):
                cutlass.LoopUnroll(often=1)

        host()


class Compilation(unittest.TestCase):
    def test_stages(self):
        memory = array.array("f", [0] * 8)
        given = pointer(memory), cutlass.LaunchConfig()
        self.assertIn("gpu.launch_func", cute.compile_to("PreCompiledMlir", launch, *given))
        self.assertIn(".entry", cute.compile_to("ptx", launch, *given))
        with self.assertRaisesRegex(ValueError, "PreCompiledMlir, ptx or cubin, not sass"):
            cute.compile_to("sass", launch, *given)
        self.assertEqual(cute.ConstValue((), 3).value, 3)

    def test_atoms_of_types(self):
        atom = cute.make_atom('!cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">')
        self.assertEqual(atom.shape_mnk, (16, 8, 16))
        with self.assertRaisesRegex(ValueError, "i32 is not an atom"):
            cute.make_atom("i32")

    def test_objects_of_c(self):
        @cute.jit
        def double(p: cute.Pointer):
            p[0] = 2 * p[0]

        memory = array.array("f", [4.0])
        with tempfile.TemporaryDirectory() as folder:
            cute.export.export_to_c(cute.compile(double, pointer(memory)), folder, "d", function_prefix="twice")
            self.assertEqual(sorted(os.listdir(folder)), ["d.h", "d.o"])
            cute.export.load_module(f"{folder}/d.o").twice(pointer(memory))
            self.assertEqual(memory[0], 8.0)

    def test_adapter(self):
        @cute.jit
        def first(t: cute.Tensor):
            return t[1]

        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not there")
        given = cute.runtime.TensorAdapter(numpy.array([1.0, 7.0], numpy.float32))
        self.assertEqual((first(given), given.shape), (7.0, (2,)))


class Assertions(unittest.TestCase):
    def test_of_kernels(self):
        @cute.kernel
        def kernel(checks: testing.Assertion, limit: Int32):
            thread = cute.arch.thread_idx()[0]
            checks.store(0, thread < limit, "a thread is beyond the limit")
            if thread > 100:
                checks.store(1, True, "never")

        @cute.jit
        def run(checks: testing.Assertion, limit: Int32):
            kernel(checks, limit).launch(grid=(1, 1, 1), block=(32, 1, 1))

        with testing.RuntimeAssertion(2, init_value=True) as checks:
            run(checks, 32)
        with self.assertRaisesRegex(testing.AssertionError, "0: a thread is beyond the limit"):
            with testing.RuntimeAssertion(2, init_value=True) as checks:
                run(checks, 31)
        checks = testing.RuntimeAssertion(2)
        run(checks, 32)
        with self.assertRaisesRegex(testing.AssertionError, "1: no thread stored a condition"):
            checks.verify()
        with testing.RuntimeAssertion(2, disable=True) as checks:
            run(checks, 0)

    def test_of_the_host(self):
        @cute.jit
        def run(checks: testing.Assertion, x: Int32):
            checks.store(0, x > 3, "x is small")
            checks.store(0, x < 9, "x is large")

        for x, text in ((2, "0: x is small"), (9, "0: x is large")):
            checks = testing.RuntimeAssertion()
            run(checks, x)
            with self.assertRaisesRegex(testing.AssertionError, text):
                checks.verify()
        with testing.RuntimeAssertion() as checks:
            run(checks, 5)

    def test_profiler(self):
        profiler = testing.CuptiProfiler()
        with self.assertRaisesRegex(RuntimeError, "was not started"):
            profiler.stop()
        profiler.start()
        with self.assertRaisesRegex(RuntimeError, "was not stopped"):
            profiler.get_duration()
        profiler.stop()
        self.assertGreaterEqual(profiler.get_duration(), 0)
        self.assertEqual(testing.TensorInitConfig(True).normal_std, 1.0)

    def test_options_of_tensors(self):
        parser = argparse.ArgumentParser()
        testing.add_tensor_init_args(parser)
        given = parser.parse_args(["--init_normal", "--normal_std", "2"])
        config = testing.tensor_init_config_from_args(given)
        self.assertEqual(config, testing.TensorInitConfig(True, 0.0, 2.0))
        self.assertTrue(testing.should_use_normal_init(config, Float16))
        self.assertFalse(testing.should_use_normal_init(config, cutlass.Uint8))
        self.assertFalse(testing.should_use_normal_init(testing.TensorInitConfig(), Float16))

    def test_part_of_the_tests_of_pytest(self):
        def ran(rand_cfg, name=""):
            calls = []
            test = testing.sample_pytest(rand_cfg)(calls.append)
            pytest = types.SimpleNamespace(skip=lambda text: self.skipped.append(text))
            with mock.patch.dict(sys.modules, pytest=pytest), mock.patch.dict(
                    os.environ, PYTEST_CURRENT_TEST="t"), mock.patch("sys.argv", ["pytest", name]):
                for i in range(40):
                    test(i)
            return len(calls)

        self.skipped = []
        self.assertEqual((ran(None), ran((1, 0.5), "a.py::test")), (40, 40))
        self.assertEqual(self.skipped, [])
        ran((1, 0.5))
        self.assertTrue(5 < len(self.skipped) < 35, self.skipped)
        self.assertIn("0.5 of these tests run", self.skipped[0])


class SmallNames(unittest.TestCase):
    def test_masks(self):
        from cutlass import vector

        @cute.jit
        def host(p: cute.Pointer, n: Int32):
            found = cute.make_tensor(p, 12)
            line, plane = vector.create_mask((4,), (n,)), vector.create_mask((4, 2), (n, 1))
            for i in cutlass.range_constexpr(4):
                found[i] = Float32(line[i])
                for j in cutlass.range_constexpr(2):
                    found[4 + i + 4 * j] = Float32(plane[i, j])

        memory = array.array("f", [0] * 12)
        host(pointer(memory), 3)
        self.assertEqual(list(memory), [1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0])
        with self.assertRaisesRegex(ValueError, r"\(4,\) has 1 modes, and 2 bounds are given"):
            vector.create_mask((4,), (1, 2))

    def test_numbers_of_the_driver(self):
        from cutlass.experimental.cuda import tensor_map

        kinds = tensor_map.TensorMapDataType
        for dtype, kind in ((Float16, kinds.float16), (cutlass.Int8, kinds.uint8),
                            (cutlass.Float8E4M3FN, kinds.uint8), (cutlass.TFloat32, kinds.tfloat32),
                            (cutlass.Int16, kinds.uint16), (cutlass.Uint64, kinds.uint64)):
            self.assertIs(tensor_map.get_dsl_type_to_tensormap_type(dtype), kind)
        self.assertIs(tensor_map.get_tensormap_type_to_dsl_type(9), cutlass.BFloat16)
        with self.assertRaisesRegex(ValueError, "no tensor map has elements of Int4"):
            tensor_map.get_dsl_type_to_tensormap_type(cutlass.Int4)

    def test_metadata_of_sparse_products(self):
        from cutlass.utils import blackwell_helpers

        layout = blackwell_helpers.make_sparse_gmem_layout_e((200, 1, 300, 2), Float16)
        self.assertEqual(str(layout), "(((8,2,8),2),((16,2,4),3),2):"
                         "(((128,16,2048),16384),((1,1024,32),32768),98304)")
        values = {layout((m, k, b)) for m in range(256) for k in range(384) for b in range(2)}
        self.assertEqual(values, set(range(256 * 384 * 2)))
        with self.assertRaisesRegex(ValueError, "no sparse product takes A of Int32"):
            blackwell_helpers.make_tensor_e_atom_layout(Int32)

    def test_architectures_and_versions(self):
        from cutlass.base_dsl.version_info import CUDA_VERSION

        self.assertGreaterEqual(CUDA_VERSION.major, 12)
        self.assertLess(cute.arch.Arch.sm_90, cute.arch.Arch.sm_100)
        self.assertFalse(cute.arch.is_tmem_allocation_exclusive(512, cute.arch.Arch.sm_100))
        compiled = cute.compile[cute.FrontendNext](launch, pointer(array.array("f", [0] * 8)),
                                                   cutlass.LaunchConfig(block=[8, 1, 1]))
        memory = array.array("f", [0] * 8)
        compiled(pointer(memory))
        self.assertEqual(list(memory), [3] * 8)


class Pictures(unittest.TestCase):
    def test_palettes(self):
        layout = cute.make_layout((2, 2))
        for name, wanted in (("pastel", "red,175"), ("rainbow", "red,255;green,0;blue,0"),
                             ("white", "fill=\nwhite"), ("bw", "fill=\nblack!40"),
                             ("bw_dual", "(-0.5,-0.5) rectangle (0,0.5)"),
                             ("rainbow_dual", "red,153;green,255;blue,255")):
            found = []
            cute.viz.print_latex_tv(layout, (2, 2), palette=name, render_func=found.append)
            self.assertIn(wanted, found[0], name)
            self.assertNotIn("documentclass", found[0])
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            cutlass.utils.print_latex_tv(
                layout, (2, 2), palette=lambda t, v: lambda a, b: [cutlass.utils.Band(0, 1, "red")],
                title="a_1\nb", axis_labels=True)
        for text in (r"{a\_1 \\ b}", "{M}", r"\fill[fill=red] (-0.5,-0.5) rectangle (0.5,0.5)"):
            self.assertIn(text, said.getvalue())
        self.assertEqual(cute.viz.tikz_escape("50% {x}"), r"50\% \{x\}")
        self.assertEqual(list(cutlass.utils.PALETTES)[0], "pastel")


@cute.kernel
def through(a: cute.Tensor, load: cutlass.Constexpr, store: cutlass.Constexpr,
            near: cutlass.Constexpr):
    part = cute.make_tensor((a.iterator + 4 * cute.arch.thread_idx()[0]).align(16),
                            cute.make_layout(4))
    held = cute.make_rmem_tensor(4, Float32)
    cute.copy(cute.make_copy_atom(nvgpu.CopyG2ROp(), Float32, **load), part, held)
    if cute.const_expr(near is not None):
        place = cute.arch.alloc_smem(Float32, 128, 16) + 4 * cute.arch.thread_idx()[0]
        shared = cute.make_tensor(place.align(16), cute.make_layout(4))
        cute.copy(cute.make_copy_atom(nvgpu.CopyR2SOp(), Float32, **near), held, shared)
        cute.copy(cute.make_copy_atom(nvgpu.CopyS2ROp(), Float32), shared, held)
    for i in cutlass.range_constexpr(4):
        held[i] += 1.0
    cute.copy(cute.make_copy_atom(nvgpu.CopyR2GOp(), Float32, **store), held, part)


@cute.jit
def go_through(p: cute.Pointer, load: cutlass.Constexpr, store: cutlass.Constexpr,
               near: cutlass.Constexpr):
    through(cute.make_tensor(p, cute.make_layout(128)), load, store, near).launch(
        grid=(1, 1, 1), block=(32, 1, 1))


class Accesses(unittest.TestCase):
    wide = {"num_bits_per_copy": 128}

    def go(self, load=None, store=None, near=None):
        memory = array.array("f", range(132))
        skip = -memory.buffer_info()[0] % 16 // 4
        p = make_ptr(Float32, memory.buffer_info()[0] + 4 * skip, AddressSpace.gmem,
                     assumed_align=16)
        given = load or {}, store or {}, near
        go_through(p, *given)
        self.assertEqual(list(memory[skip : skip + 128]), [skip + i + 1.0 for i in range(128)])
        return cute.compile(go_through, p, *given).__ptx__

    def test_hints(self):
        priority, load, store = (
            nvgpu.CacheEvictionPriority, nvgpu.LoadCacheMode, nvgpu.StoreCacheMode)
        for given, other, text in (
            ({"l1c_evict_priority": priority.NO_ALLOCATE}, {}, "ld.global.L1::no_allocate.v4"),
            ({"load_cache_mode": load.STREAMING}, {}, "ld.global.cs.v4"),
            ({"invariant": True}, {}, "ld.global.nc.v4"),
            ({}, {"store_cache_mode": store.WRITE_THROUGH}, "st.global.wt.v4"),
            ({}, {"l1c_evict_priority": priority.EVICT_LAST}, "st.global.L1::evict_last.v4"),
        ):
            with self.subTest(text):
                self.assertIn(text, self.go({**self.wide, **given}, {**self.wide, **other}))

    def test_orders(self):
        order, scope = nvgpu.MemoryOrder, nvgpu.MemoryScope
        ptx = self.go({"memory_order": order.ACQUIRE, "memory_scope": scope.GPU},
                      {"memory_order": order.RELEASE, "memory_scope": scope.SYS},
                      {"memory_order": order.RELAXED, "shared_space": nvgpu.SharedSpace.CTA})
        for text in ("ld.acquire.gpu.global", "st.release.sys.global", "st.relaxed.cta.shared"):
            self.assertIn(text, ptx)

    def test_names(self):
        name, field = nvgpu.normalize_field_to_ir_name, nvgpu.warpgroup.Field.ACCUMULATE
        self.assertEqual([name(x, [field]) for x in (field, field.value)], [field.value] * 2)
        with self.assertRaisesRegex(ValueError, "'sf_a' is not a field of the atom; it has: Field"):
            name("sf_a", [field])
        self.assertIs(nvgpu.common.OperandMajorMode, nvgpu.warpgroup.OperandMajorMode)
        self.assertEqual([m.value for m in nvgpu.OutputMajorMode], ["m", "n"])

    def test_stores_of_a_product(self):
        @cute.jit
        def host(p: cute.Pointer):
            c = cute.make_tensor(p, cute.make_layout((128, 64), stride=(64, 1)))
            tile = cute.make_layout((64, 32), stride=(32, 1))
            mma = cute.make_tiled_mma(
                nvgpu.warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)), (2, 2, 1))
            op = nvgpu.cpasync.CopyBulkTensorTileS2GOp()
            of_c, coords = nvgpu.make_tiled_tma_atom_C(op, c, tile, (64, 32, 16), mma)
            plain, plain_coords = nvgpu.cpasync.make_tiled_tma_atom(op, c, tile, (64, 32))
            self.assertEqual((of_c.type_text, str(coords)), (plain.type_text, str(plain_coords)))

        host(pointer(array.array("f", [0] * 4)))

    def test_rejected(self):
        for text, given in (
            ("memory_order is RELEASE; it can be WEAK, RELAXED, ACQUIRE",
             {"memory_order": nvgpu.MemoryOrder.RELEASE}),
            ("store_cache_mode is not an option of it", {"store_cache_mode": 1}),
            ("num_bits_per_copy is 256; with it, it is 32, 64 or 128",
             {"invariant": True, "num_bits_per_copy": 256}),
            ("no access has invariant=True, load_cache_mode=GLOBAL",
             {"invariant": True, "load_cache_mode": nvgpu.LoadCacheMode.GLOBAL}),
        ):
            with self.assertRaisesRegex(nvgpu.OpError, text):
                cute.make_copy_atom(nvgpu.CopyG2ROp(), Float32, **given)

        @cute.jit
        def host(p: cute.Pointer):
            t = cute.make_tensor(p, cute.make_layout(4))
            with self.assertRaisesRegex(nvgpu.OpError, "the destination is in g.*; it is in rmem"):
                cute.copy(cute.make_copy_atom(nvgpu.CopyG2ROp(), Float32), t, t)

        host(pointer(array.array("f", [0] * 4)))


class Copies(unittest.TestCase):
    def test_stores_to_another_block(self):
        @cute.kernel
        def kernel(a: cute.Tensor):
            lane, rank = cute.arch.thread_idx()[0], cute.arch.block_idx_in_cluster()
            bar = cute.arch.alloc_smem(cutlass.Int64, 1)
            near = cute.make_tensor(cute.arch.alloc_smem(Float16, 128, 16),
                                    cute.make_layout((4, 32)))
            if lane == 0:
                cute.arch.mbarrier_init(bar, 1)
                cute.arch.mbarrier_expect_tx(bar, 256)
            cute.arch.mbarrier_init_fence()
            cute.arch.cluster_arrive()
            cute.arch.cluster_wait()
            mine = cute.make_rmem_tensor(4, Float16)
            for i in cutlass.range_constexpr(4):
                mine[i] = Float16(lane * 4 + i + rank * 128)
            peer = 1 - rank
            far = cute.make_tensor(cute.arch.map_dsmem_ptr(near.iterator + lane * 4, peer),
                                   cute.make_layout(4))
            atom = cute.make_copy_atom(cute.nvgpu.cpasync.CopyDsmemStoreOp(), Float16)
            cute.copy(atom, mine, far, mbar_ptr=cute.arch.map_dsmem_ptr(bar, peer))
            if lane == 0:
                cute.arch.mbarrier_arrive(bar)
            cute.arch.mbarrier_wait(bar, 0)
            for i in cutlass.range_constexpr(4):
                a[rank * 128 + lane * 4 + i] = Float32(near[i, lane])
            cute.arch.cluster_arrive()
            cute.arch.cluster_wait()

        @cute.jit
        def run(p: cute.Pointer):
            kernel(cute.make_tensor(p, cute.make_layout(256))).launch(
                grid=(2, 1, 1), block=(32, 1, 1), cluster=(2, 1, 1))

        memory = array.array("f", [0] * 256)
        run(pointer(memory))
        self.assertEqual(list(memory), [*range(128, 256), *range(128)])


if __name__ == "__main__":
    unittest.main()
