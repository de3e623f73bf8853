# RUN: env CUTE_DEVICE=sim %python %s
"""Names that programs for later versions of cutlass use, on the simulator."""

import contextlib
import ctypes
import io
import math
import unittest

import cute
import cute.as_cutlass  # noqa: F401
import cutlass
from cute import Boolean, Float16, Float32, Int32, Int64, Uint32, arch
from cute.nvgpu import OpError, cpasync, make_tiled_tma_atom_A, make_tiled_tma_atom_B, warpgroup
from cute.utils import SmemAllocator, SmemPartition

GMEM = cute.AddressSpace.gmem


def computed(body, rows, dtype=Float32, cluster=None, **launch):
    """Returns rows of 32 numbers that threads of a warp write: body(out, thread)."""
    function = cute.jit(body)

    @cute.kernel
    def kernel(out: cute.Pointer):
        x, _, _ = arch.thread_idx()
        function(cute.make_tensor(out, cute.make_layout((rows, 32), stride=(32, 1))), x)

    @cute.jit
    def host(out: cute.Pointer):
        kernel(out).launch(grid=cluster or 1, block=32, cluster=cluster, **launch)

    memory = (ctypes.c_float * (rows * 32))()
    host(cute.runtime.make_ptr(dtype, ctypes.addressof(memory), GMEM, 16))
    return [list(memory[32 * i : 32 * i + 32]) for i in range(rows)]


def angle(x):
    return x * 0.25 - 3.875


class Functions(unittest.TestCase):
    def test_of_floats(self):
        def body(out, x):
            a = angle(x.to(Float32))
            values = (
                cute.math.abs(a), cute.math.rcp(a, approx=True), cute.math.roundeven(a),
                cute.math.expm1(a), cute.math.log1p(cute.math.absf(a)), cute.math.cbrt(a),
                cute.math.asinh(a), cute.math.acosh(cute.math.abs(a) + 1.0),
                cute.math.atanh(a / 8.0), cute.math.clamp(a, -1.0, 1.0),
                cute.math.rem(a, 1.5), *cute.math.sincos(a),
            )
            for i in cutlass.range_constexpr(13):
                out[i, x] = values[i]

        wanted = (
            abs, lambda a: 1 / a, round, math.expm1, lambda a: math.log1p(abs(a)),
            lambda a: math.copysign(abs(a) ** (1 / 3), a), math.asinh,
            lambda a: math.acosh(abs(a) + 1), lambda a: math.atanh(a / 8),
            lambda a: min(max(a, -1), 1), lambda a: math.fmod(a, 1.5), math.sin, math.cos,
        )
        for function, row in zip(wanted, computed(body, 13)):
            for x, value in enumerate(row):
                self.assertAlmostEqual(value, function(angle(x)), delta=1e-4)

    def test_known_and_integers(self):
        self.assertEqual(cute.math.abs(-3), 3)
        self.assertEqual(cute.math.absi(Int32(-3)).value, 3)
        self.assertEqual(cute.math.rem(Int32(-7), 3).value, -1)
        self.assertAlmostEqual(cute.math.cbrt(27.0), 3.0)
        self.assertEqual(cute.math.log1p(-1.0), -math.inf)
        with self.assertRaisesRegex(TypeError, "takes floats"):
            cute.math.absf(Int32(1))
        with self.assertRaisesRegex(TypeError, "takes integers"):
            cute.math.absi(1.0)
        with self.assertRaisesRegex(NotImplementedError, "to the nearest"):
            cute.math.rcp(2.0, rounding=cute.math.RoundingMode.UP)

    def test_tests(self):
        def body(out, x):
            a = cutlass.select_(x == 0, Float32(math.nan), x.to(Float32))
            a = cutlass.select_(x == 1, Float32(-math.inf), a)
            for i, test in enumerate((cute.math.isnan, cute.math.isinf, cute.math.isfinite)):
                out[i, x] = test(a).to(Float32)

        rows = computed(body, 3)
        self.assertEqual([row[:3] for row in rows], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

    def test_of_bits(self):
        def body(out, x):
            word = Uint32(x)
            values = (
                arch.lop3(word, Uint32(12), Uint32(10), 0xF0 ^ 0xCC ^ 0xAA),
                arch.shf(Uint32(1) << 31, word, 1), arch.bfe(Int32(x), 1, 2),
                arch.bfi(Uint32(5), word, 4, 3), arch.mad24(Int32(x) - 3, Int32(-7), 1),
                arch.popc(arch.lanemask_lt()), arch.popc(arch.lanemask_ge()),
                arch.warpsize(), arch.cluster_size(),
            )
            for i in cutlass.range_constexpr(9):
                out[i, x] = values[i].to(Float32)

        wanted = (
            lambda x: x ^ 12 ^ 10, lambda x: 2 * x + 1,
            lambda x: (x >> 1 & 3) - 4 * (x >> 2 & 1), lambda x: x & ~0x70 | 0x50,
            lambda x: (x - 3) * -7 + 1, lambda x: x, lambda x: 32 - x, lambda x: 32, lambda x: 1,
        )
        rows = computed(body, 9)
        for function, row in zip(wanted, rows):
            self.assertEqual(row, [function(x) for x in range(32)])
        for wrong, text in ((lambda: arch.lop3(Uint32(1), Uint32(1), Uint32(1), 300), "8 bits"),
                            (lambda: arch.shf(Uint32(1), Uint32(1), 1, "x"), "kind is one of"),
                            (lambda: arch.bfe(Int64(1), 1, 1), "32 bits is needed")):
            with self.assertRaisesRegex((TypeError, ValueError), text):
                wrong()


class Conditions(unittest.TestCase):
    def test_of_lists(self):
        def body(out, x):
            out[0, x] = cutlass.all_([x > 3, x < 6, Int32(2)]).to(Float32)
            out[1, x] = cutlass.any_([x < 3, x == 6]).to(Float32)

        self.assertEqual(computed(body, 2), [[float(3 < x < 6) for x in range(32)],
                                             [float(x < 3 or x == 6) for x in range(32)]])


class Instructions(unittest.TestCase):
    def test_inline_ptx(self):
        def body(out, x):
            doubled = arch.inline_ptx(
                "add.f32 {$w0}, {$r0}, {$r0};",
                write_only_types=[Float32], read_only_args=[x.to(Float32)],
            )
            product, changed = arch.inline_ptx(
                "{ mul.lo.s32 {$w0}, {$r0}, {$r1}; add.s32 {$rw0}, {$rw0}, {$r0}; }",
                write_only_types=[Int32], read_only_args=[x, 3], read_write_args=[Int32(40)],
            )
            out[0, x], out[1, x], out[2, x] = doubled, product.to(Float32), changed.to(Float32)
            arch.inline_ptx(
                "st.global.f32 [{$r0}], {$r1};", predicate=x < 4,
                read_only_args=[out.iterator + 96 + x, Float32(7.0)],
            )
            arch.inline_ptx(
                "st.global.f32 [{$r0}], {$r1};", predicate=x >= 28,
                read_only_args=[(out.iterator + 96 + x).llvm_ptr, Float32(5.0).ir_value()],
            )

        rows = computed(body, 4)
        self.assertEqual(rows[0], [2 * x for x in range(32)])
        self.assertEqual(rows[1], [3 * x for x in range(32)])
        self.assertEqual(rows[2], [40 + x for x in range(32)])
        self.assertEqual(rows[3], [7] * 4 + [0] * 24 + [5] * 4)

    def test_inline_ptx_that_is_wrong(self):
        def body(out, x):
            arch.inline_ptx("mov.b32 {$w1}, {$r0};", write_only_types=[Int32], read_only_args=[x])

        with self.assertRaisesRegex(ValueError, "there are 1 such operands"):
            computed(body, 1)

        def boolean(out, x):
            arch.inline_ptx("mov.pred {$w0}, 1;", write_only_types=[Boolean])

        with self.assertRaisesRegex(TypeError, "no register for Boolean"):
            computed(boolean, 1)

    def test_shared_memory(self):
        def body(out, x):
            shared = cute.make_tensor(arch.get_dyn_smem(Float32, 16), 32)
            shared[x] = x.to(Float32)
            arch.prefetch(out.iterator)
            arch.sync_threads()
            at = cutlass.inttoptr((shared.iterator + 31 - x).toint(), 3, Float32)
            out[0, x] = at.load()

        self.assertEqual(computed(body, 1, smem=128)[0], [31 - x for x in range(32)])
        with self.assertRaisesRegex(ValueError, "a launch with smem="):
            computed(body, 1)

    def test_partition(self):
        def body(out, x):
            numbers = SmemAllocator().allocate_tensor(
                Float32, cute.make_layout(32), 16, partition=SmemPartition.RESERVED
            )
            numbers[x] = 1.0
            out[0, x] = numbers[x]

        self.assertEqual(computed(body, 1)[0], [1.0] * 32)
        self.assertEqual(SmemAllocator.capacity_in_bytes("sm_90"), 232448)

    def test_another_block(self):
        def body(out, x):
            shared = SmemAllocator().allocate_array(Float32, 32, 16)
            rank = arch.block_idx_in_cluster()
            (shared + x).store((100 * rank + x).to(Float32))
            arch.cluster_arrive()
            arch.cluster_wait()
            out[rank, x] = arch.map_dsmem_ptr(shared + x, 1 - rank).load()
            arch.cluster_arrive()
            arch.cluster_wait()

        rows = computed(body, 2, cluster=(2, 1, 1))
        self.assertEqual(rows, [[100 + x for x in range(32)], [*map(float, range(32))]])


class BulkCopies(unittest.TestCase):
    def test_there_and_back(self):
        def body(out, x):
            shared = SmemAllocator().allocate_tensor(Float32, cute.make_layout(32), 128)
            barrier = SmemAllocator().allocate_array(Int64, 1, 8)
            into = cute.make_copy_atom(cpasync.CopyBulkG2SOp(), Float32)
            back = cute.make_copy_atom(cpasync.CopyBulkS2GOp(), Float32)
            out[0, x] = x.to(Float32)
            arch.fence_proxy("async.global")
            if x == 0:
                arch.mbarrier_init(barrier, 1)
                arch.mbarrier_init_fence()
            arch.sync_threads()
            if x == 0:
                arch.mbarrier_arrive_and_expect_tx(barrier, 128)
                source, to = cpasync.group_bulk_copy_modes(out[0, None], shared)
                cute.copy(into, source, to, mbar_ptr=barrier)
            arch.mbarrier_wait(barrier, 0)
            if x == 0:
                cute.copy(back, shared, out[1, None])
                arch.cp_async_bulk_commit_group()
                arch.cp_async_bulk_wait_group(0)

        self.assertEqual(computed(body, 2)[1], [*map(float, range(32))])

    def test_rejected(self):
        def missing(out, x):
            shared = SmemAllocator().allocate_tensor(Float32, cute.make_layout(32), 128)
            atom = cute.make_copy_atom(cpasync.CopyBulkG2SOp(), Float32)
            cute.copy(atom, out[0, None], shared)

        with self.assertRaisesRegex(OpError, "pass mbar_ptr"):
            computed(missing, 1)

        def masked(out, x):
            shared = SmemAllocator().allocate_tensor(Float32, cute.make_layout(32), 128)
            barrier = SmemAllocator().allocate_array(Int64, 1, 8)
            atom = cute.make_copy_atom(cpasync.CopyBulkG2SOp(), Float32)
            cute.copy(atom, out[0, None], shared, mbar_ptr=barrier, mcast_mask=3)

        with self.assertRaisesRegex(OpError, "leave out mcast_mask"):
            computed(masked, 1)

    def test_atoms_of_operands(self):
        """They have the product's tiles, and what the cluster shares is divided."""
        K = warpgroup.OperandMajorMode.K
        seen = []

        @cute.jit
        def host(a: cute.Tensor):
            op = warpgroup.MmaF16BF16Op(
                Float16, Float32, (64, 128, 16), warpgroup.OperandSource.SMEM, K, K
            )
            mma = cute.make_tiled_mma(op)
            for make, rows, shared in ((make_tiled_tma_atom_A, 64, 4),
                                       (make_tiled_tma_atom_B, 128, 2)):
                layout = cute.make_layout((rows, 64), stride=(64, 1))
                atom, _ = make(cpasync.CopyBulkTensorTileG2SMulticastOp(), a, layout,
                               (64, 128, 64), mma, (1, 2, 4, 1))
                seen.append((atom.fields["tiler"], atom.fields["num_multicast"] == shared))
                atom, _ = make(cpasync.CopyBulkTensorTileG2SOp(), a, layout, (64, 128, 64), mma)
                seen.append(atom.fields["num_multicast"])
                with self.assertRaisesRegex(cutlass.NotThere, "pairs of blocks"):
                    make(cpasync.CopyBulkTensorTileG2SOp(), a, layout, (64, 128, 64), mma,
                         (2, 1, 1, 1))

        fake = cute.runtime.make_fake_compact_tensor(Float16, (256, 256), stride_order=(1, 0))
        cute.compile(host, fake)
        self.assertEqual(seen, [((64, 64), True), 1, ((64, 128), True), 1])


    def test_tile_as_a_map_to_coordinates(self):
        tilers = []

        @cute.jit
        def host(a: cute.Tensor):
            layout = cute.make_layout((64, 32), stride=(32, 1))
            identity = cute.make_identity_layout(a.shape)
            op = cpasync.CopyBulkTensorTileS2GOp()
            tile = cute.composition(identity, (64, 32))
            atom, _ = cpasync.make_tiled_tma_atom(op, a, layout, tile)
            tilers.append(atom.fields["tiler"])
            with self.assertRaisesRegex(ValueError, "a box"):
                swapped = cute.make_layout((64, 32), stride=(cute.E(1), cute.E(0)))
                cpasync.make_tiled_tma_atom(op, a, layout, swapped)

        fake = cute.runtime.make_fake_compact_tensor(Float16, (256, 256), stride_order=(1, 0))
        cute.compile(host, fake)
        self.assertEqual(tilers, [(32, 64)])


    def test_tile_of_modes_in_modes(self):
        """Heads that share a row of blocks are packed with the rows, as attention does."""
        tilers = []

        @cute.jit
        def host(a: cute.Tensor):
            packed = cute.group_modes(cute.select(a, [2, 0, 1]), 0, 2)
            layout = cute.make_layout((64, 64), stride=(64, 1))
            op = cpasync.CopyBulkTensorTileG2SOp()
            for tile in (((2, 32), 64), (64, 64)):
                atom, tensor = cpasync.make_tiled_tma_atom(op, packed, layout, tile)
                tilers.append(atom.fields["tiler"])

        fake = cute.runtime.make_fake_compact_tensor(Float16, (96, 64, 8), stride_order=(2, 0, 1))
        cute.compile(host, fake)
        self.assertEqual(tilers, [((2, 32), 64), (64, 64)])


class Layouts(unittest.TestCase):
    def test_tiles_of_one_mode(self):
        """Have no tuple around that mode, as in the reference."""
        tensor = cute.make_identity_tensor(24)
        pairs = cute.make_layout((4, 2))
        for tiler, coord, layout in (
            ((8,), (None,), "(8,3):(1,8)"), ((8,), (1,), "(8):(1)"),
            ((pairs,), (None,), "((4,2),3):((1,4),8)"), ((pairs,), (1,), "((4,2)):((1,4))"),
        ):
            self.assertEqual(str(cute.local_tile(tensor, tiler, coord).layout), layout)

    def test_offsets_without_all_coordinates(self):
        tensor = cute.make_identity_tensor((8, 8))
        self.assertEqual(str(cute.domain_offset((2, None), tensor)[0, 0]), "(2, 0)")

    def test_shapes_of_modes(self):
        layout = cute.make_layout(((4, 2), 3))
        self.assertEqual(cute.shape(layout, mode=[0]), (4, 2))
        self.assertEqual(cute.shape(layout, mode=[0, 1]), 2)
        self.assertEqual(cute.shape((5, 6), [1]), 6)

    def test_swizzles_of_pointers(self):
        """A pointer that is recast without one has none."""
        seen = []

        @cute.jit
        def host(p: cute.Pointer):
            q = cute.recast_ptr(p, cute.make_swizzle(3, 4, 3), Float16)
            r = cute.recast_ptr(q, dtype=Float32)
            seen.extend((str(q.type), str(r.type)))
            kind = q.type.swizzle_type
            seen.append((kind.num_bits, kind.num_base, kind.num_shift))
            seen.append(p.type.swizzle_type.num_bits)

        cute.compile(host, cute.runtime.make_ptr(Float16, 0, cute.AddressSpace.smem, 1024))
        self.assertEqual(seen, ["!cute.ptr<f16, smem, align<1024>, S<3,4,3>>",
                                "!cute.ptr<f32, smem, align<1024>>", (3, 4, 3), 0])


class Arguments(unittest.TestCase):
    def test_of_functions(self):
        self.assertEqual(cute.math.exp2(3.0, approx=True, ftz=True), 8.0)
        self.assertEqual(cute.math.max(1.0, math.nan), 1.0)
        self.assertTrue(math.isnan(cute.math.max(1.0, math.nan, propagate_nan=True)))
        self.assertTrue(math.isnan(cute.math.min(math.nan, 1.0, propagate_nan=True)))
        self.assertEqual(cute.math.min(Int32(3), 5, propagate_nan=True).value, 3)
        for wrong in (lambda: cute.math.sqrt(2.0, rounding=cute.math.RoundingMode.ZERO),
                      lambda: cute.math.fma(2.0, 1.0, 1.0, rounding=cute.math.RoundingMode.UP)):
            with self.assertRaisesRegex(NotImplementedError, "rounds to the nearest"):
                wrong()

        def body(out, x):
            a = cutlass.select_(x == 0, Float32(math.nan), x.to(Float32))
            out[0, x] = cute.math.isnan(cute.math.max(a, 3.0, propagate_nan=True)).to(Float32)
            out[1, x] = cute.math.max(a, 3.0)

        rows = computed(body, 2)
        self.assertEqual(rows[0], [1] + [0] * 31)
        self.assertEqual(rows[1], [max(3, x) for x in range(32)])


class Declarations(unittest.TestCase):
    def test_of_cutlass(self):
        from cutlass.base_dsl.enums import Arch
        from cutlass.utils import sm90

        self.assertIs(Arch, cutlass.base_dsl.Arch)
        self.assertIs(sm90, cutlass.utils.hopper_helpers)
        self.assertIs(cutlass.GridConstant[Int32], Int32)
        self.assertTrue(cutlass.target_version(min_version="12.0", max_version=(13, 0)))
        self.assertFalse(cutlass.target_version("11.8"))
        self.assertTrue(issubclass(cute.testing.CantImplementError, cute.DSLError))
        q, r = divmod(Int32(17), cute.FastDivmodDivisorV2(5))
        self.assertEqual((q.value, r.value), (3, 2))


class Mistakes(unittest.TestCase):
    def test_of_launches(self):
        for launch, text in (({"grid": (0, 1, 1)}, "a grid has at least 1"),
                             ({"block": (32, 0)}, "a block has at least 1")):

            @cute.kernel
            def kernel():
                pass

            @cute.jit
            def host():
                kernel().launch(**launch)

            with self.assertRaisesRegex(ValueError, text):
                cute.compile(host)

    def test_stages_are_warned_of_once(self):
        cute._frontend.loops.warn_of_stages.cache_clear()

        @cute.jit
        def host(n: Int32):
            for i in cutlass.range(n, prefetch_stages=2):
                pass
            for i in cutlass.range(n, prefetch_stages=3):
                pass

        with contextlib.redirect_stderr(io.StringIO()) as said:
            cute.compile(host, 3)
        self.assertRegex(said.getvalue(), r"^\S+later_names.py:\d+: warning: prefetch_stages of "
                                          r"range has no effect: [^\n]*\n$")


if __name__ == "__main__":
    unittest.main()
