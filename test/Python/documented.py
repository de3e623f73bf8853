# RUN: %python %s %root/test/data/dsl_names.txt
"""The reference's functions do what it writes of them: its examples, and its errors."""

import operator
import re
import sys
import unittest

import cute
from cute._frontend.errors import StaticValueError
from cute import Boolean, Float16, Float32, Int8, Int16, Int32, Int64, make_layout
from cute.nvgpu import CopyUniversalOp, warp, warpgroup
from cute.runtime import make_fake_compact_tensor

BOX = make_layout((4, 8))
ROWS = make_layout((4, 8), stride=(8, 1))
GRID = cute.make_identity_tensor((8, 8))


def composed(offset=(0, 0)):
    outer = make_layout((2, 3), stride=(1 * cute.E(0), 1 * cute.E(1)))
    return cute.make_composed_layout(make_layout((4, 8)), offset, outer)


class Words:
    """What is printed; each line of a table is a call and its result."""

    def same(self, *rows):
        for made, text in rows:
            self.assertEqual(str(made), text)

    def fails(self, *rows):
        for error, words, call in rows:
            with self.assertRaisesRegex(error, words):
                call()


class AtThePrompt(Words, unittest.TestCase):
    def test_tuples(self):
        self.same(
            ([cute.depth(x) for x in (1, (1, 2), ((1, 2), (3, 4)), ())], "[0, 1, 2, 1]"),
            ([cute.rank(x) for x in (1, (1, 2), ROWS)], "[1, 2, 2]"),
            ([cute.is_integer(x) for x in (3, Int32(3), True, "3")], "[True, True, False, False]"),
            ([cute.is_int_tuple(x) for x in (1, (1, (2, 3)), (1, "a"))], "[True, True, False]"),
            ([cute.is_static(x) for x in ((1, 2), Int32(3), BOX)], "[True, False, True]"),
            ([cute.has_underscore(x) for x in ((1, None), (1, (2, None)), (1, 2))],
             "[True, True, False]"),
            (cute.flatten_to_tuple((1, 2, 3)), "(1, 2, 3)"),
            (cute.flatten_to_tuple(((1, 2), 3)), "(1, 2, 3)"),
            (cute.flatten_to_tuple((1, (2, (3,)))), "(1, 2, 3)"),
            (cute.flatten(((1, 2), (3, 4))), "(1, 2, 3, 4)"),
            (cute.flatten(5), "5"),
            (cute.repeat_like(0, (1, 2, 3)), "(0, 0, 0)"),
            (cute.repeat_like(1, ((1, 2), 3)), "((1, 1), 1)"),
            (cute.repeat_like(2, 5), "2"),
            (cute.group_modes((2, 3, 4, 5), 1, 3), "(2, (3, 4), 5)"),
            (cute.group_modes((2, 3, 4, 5), 0, 2), "((2, 3), 4, 5)"),
            (cute.prepend((4, 4), 2), "(2, 4, 4)"),
            (cute.prepend((1, 1), 0, up_to_rank=4), "(0, 0, 1, 1)"),
            (cute.append((4, 4), 2), "(4, 4, 2)"),
            (cute.append((1, 1), 0, up_to_rank=4), "(1, 1, 0, 0)"),
            (cute.select((1, 2, 3), mode=[2, 0]), "(3, 1)"),
            (cute.find(4, (1, (4, 3))), "(1, 0)"),
            (cute.find(4, (1, (4, 3)), exclude_when=(1, (0, (1, 1)))), "None"),
            (cute.find(7, (1, 2)), "None"),
            (cute.is_major(0, (1, 8)), "True"),
            (cute.is_major(1, ((1, 2), 8)), "False"),
            (cute.front(((3, 2), 8)), "3"),
            (cute.slice_((1, 2, 3), (None, 2, None)), "(1, 3)"),
            (cute.product((2, (3, 4))), "24"),
            (cute.product_like(((2, 3), 4), (1, 1)), "(6, 4)"),
            (cute.product_each(((2, 3), 4)), "(6, 4)"),
            (cute.ceil_div((10, 6), (3, 4)), "(4, 2)"),
            (cute.round_up((10, 6), (3, 4)), "(12, 8)"),
            (cute.shape_div((6, 8), (2, 4)), "(3, 2)"),
            (cute.elem_less((1, 2), (2, 3)), "True"),
            (cute.elem_less((2, 2), (2, 3)), "False"),
            (cute.pretty_str((1, (2, None))), "(1,(2,_))"),
            (cute.assume(8, divby=4), "8"),
        )

    def test_basis(self):
        self.same(
            ((cute.E(0), cute.E(1), cute.E([0, 1])), "(1@0, 1@1, 1@1@0)"),
            (cute.ScaledBasis(2, 0), "2@0"),
            (cute.ScaledBasis(4, [0, 1]), "4@1@0"),
            (cute.ScaledBasis(4, 1).mode, "[1]"),
            (cute.ScaledBasis(4, [0, 1]).value, "4"),
            (cute.ScaledBasis(4, 0).is_static(), "True"),
            (cute.ScaledBasis(4, 0).to(cute.ScaledBasis), "4@0"),
            (cute.ScaledBasis(cute.Ratio(1, 2), 1), "1/2@1"),
            (cute.ScaledBasis(cute.Ratio(1, 2), 1).is_static(), "True"),
            (make_layout((4, 8), stride=(cute.ScaledBasis(1, 0), cute.ScaledBasis(1, 1))),
             "(4,8):(1@0,1@1)"),
            (make_layout(4, stride=cute.ScaledBasis(cute.Ratio(4, 2), 1)), "4:2@1"),
        )

    def test_ratio(self):
        half = cute.Ratio(1, 2)
        self.same(
            (cute.Ratio(2, -4).reduced(), "-1/2"),
            (half * 4, "4/2"),
            (3 * half * half, "3/4"),
            ((half * 4).is_integral() and not half.is_integral(), "True"),
            ((half.to(float), (half * 4).to(int), half.to(cute.Ratio)), "(0.5, 2, 1/2)"),
        )
        self.assertEqual({half * 4, cute.Ratio(2, 4)}, {2, half})
        self.assertNotEqual(half, 1)
        self.fails(
            (TypeError, "two integers", lambda: cute.Ratio(0.5, 2)),
            (ZeroDivisionError, "Ratio of 1 and 0", lambda: cute.Ratio(1, 0)),
            (TypeError, "1/2 cannot become", lambda: half.to(int)),
            (TypeError, "1/2 is not an integer",
             lambda: make_layout(4, stride=cute.ScaledBasis(half, 0))),
        )

    def test_layouts(self):
        nested = make_layout(((4, 8), 2), stride=((16, 1), 8))
        self.same(
            (cute.make_identity_layout((4, 4)), "(4,4):(1@0,1@1)"),
            (cute.make_identity_layout((32, 16, 8)), "(32,16,8):(1@0,1@1,1@2)"),
            (cute.make_ordered_layout((4, 4), order=(1, 0)), "(4,4):(4,1)"),
            (cute.make_ordered_layout((32, 16, 8), order=(2, 0, 1)), "(32,16,8):(128,1,16)"),
            (cute.crd2idx((1, 2), composed()), "9"),
            ((composed((2, 0)).inner, composed((2, 0)).offset, composed((2, 0)).outer),
             "((4,8):(1,4), (2, 0), (2,3):(1@0,1@1))"),
            (cute.make_layout_image_mask(make_layout((2, 4)), (0, 1), 0), "12"),
            (cute.make_layout_image_mask(make_layout((2, 4)), (1, 1), 1), "170"),
            (cute.make_fragment_like(ROWS), "(4,8):(1,4)"),
            (cute.get(nested, mode=[0, 1]), "8:1"),
            (cute.front(nested), "4:16"),
            (cute.group_modes(make_layout((2, 3, 4, 5)), 1, 3), "(2,(3,4),5):(1,(2,6),24)"),
            (cute.size_in_bytes(Float16, BOX), "64"),
            (cute.size_in_bytes(Float16, None), "0"),
            (cute.prepend(make_layout((8, 8)), make_layout(2)), "(2,8,8):(1,1,8)"),
            (cute.append(make_layout((8, 8)), make_layout(2)), "(8,8,2):(1,8,1)"),
            (cute.slice_and_offset((1, None), BOX), "((8):(4), 1)"),
            (cute.filter_zeros(make_layout((4, 8), stride=(0, 1))), "(1,8):(0,1)"),
            (cute.tile_to_shape(make_layout((2, 4)), (8, 8), (0, 1)), "((2,4),(4,2)):((1,8),(2,32))"),
            (cute.recast_layout(16, 8, BOX), "(2,8):(1,2)"),
            (cute.recast_layout(8, 16, BOX), "(8,8):(1,8)"),
            (cute.cosize(BOX, mode=[0]), "4"),
            (cute.flatten(make_layout(((2, 2), 3))), "(2,2,3):(1,2,4)"),
            (cute.pretty_str(ROWS), "(4,8):(8,1)"),
        )

    def test_algebra(self):
        block, tiler = make_layout((2, 2)), make_layout((3, 4))
        self.same(
            (cute.left_inverse(ROWS), "(8,4):(4,1)"),
            (cute.left_inverse(make_layout(4, stride=2)), "(2,4):(0,1)"),
            (cute.max_common_layout(BOX, BOX), "32:1"),
            (cute.max_common_vector(BOX, make_layout((4, 8), stride=(1, 5))), "4"),
            (cute.is_weakly_congruent(1, (1, 2)), "True"),
            (cute.is_weakly_congruent((1, 2), 1), "False"),
            (cute.is_congruent(BOX, (1, 2)), "True"),
            (cute.logical_product(make_layout(4), make_layout(3)), "(4,3):(1,4)"),
            (cute.zipped_product(block, tiler), "((2,2),(3,4)):((1,2),(4,12))"),
            (cute.tiled_product(block, tiler), "((2,2),3,4):((1,2),4,12)"),
            (cute.flat_divide(BOX, (2, 4)), "(2,4,2,2):(1,4,2,16)"),
            (cute.tiled_divide(BOX, (2, 4)), "((2,4),2,2):((1,4),2,16)"),
        )
        row = make_layout((4, 4), stride=(4, 1))
        self.assertEqual(cute.size(cute.complement(row, 16)), 1)

    def test_parts_of_all_threads(self):
        op = cute.nvgpu.warp.MmaF16BF16Op(cute.Float16, cute.Float32, (16, 8, 16))
        mma = cute.make_tiled_mma(op, (2, 2, 1), (32, 32, 16))
        wide = make_layout((32, 64), stride=(64, 1))
        self.same(
            (mma._thrfrg_A(wide),
             "(((4,8),(2,1)),((2,2,2),(1,4))):(((2,64),(1024,0)),((1,512,8),(0,16)))"),
            (mma._thrfrg_B(wide),
             "(((4,8),(2,1)),((2,2),(2,4))):(((2,64),(512,0)),((1,8),(1024,16)))"),
            (mma._thrfrg_C(make_layout((32, 32), stride=(32, 1))),
             "(((4,8),(2,2)),((2,2),(1,2))):(((2,32),(512,8)),((1,256),(0,16)))"),
        )

        @cute.jit
        def of_tensors(a: cute.Tensor):
            self.assertIn("2,32),(512,8)", str(mma._thrfrg_C(a).layout))

        cute.compile(of_tensors, make_fake_compact_tensor(
            cute.Float32, (32, 32), stride_order=(1, 0)))
        dynamic = make_fake_compact_tensor(cute.Float32, (cute.sym_int32(), 32))
        with self.assertRaisesRegex(StaticValueError, "need a static layout"):
            cute.compile(of_tensors, dynamic)

    def test_coordinates(self):
        self.same(
            ([cute.make_identity_tensor(6)[i] for i in range(6)], "[0, 1, 2, 3, 4, 5]"),
            ([cute.make_identity_tensor((3, 2))[i] for i in range(6)],
             "[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]"),
            ([cute.make_identity_tensor(((2, 1), 3))[i] for i in range(6)],
             "[((0, 0), 0), ((1, 0), 0), ((0, 0), 1), ((1, 0), 1), ((0, 0), 2), ((1, 0), 2)]"),
            (cute.make_tensor(5, make_layout(2, stride=16 * cute.E(0))), "tensor<(5) o 2:16@0>"),
            (cute.front(GRID), "(0, 0)"),
            (cute.append_ones(GRID, up_to_rank=3), "tensor<(0,0) o (8,8,1):(1@0,1@1,0)>"),
            (cute.prepend_ones(GRID), "tensor<(0,0) o (1,8,8):(0,1@0,1@1)>"),
            (cute.domain_offset((1, 2), GRID), "tensor<(1,2) o (8,8):(1@0,1@1)>"),
            (cute.local_tile(GRID, (2, 4), (1, 1)), "tensor<(2,4) o (2,4):(1@0,1@1)>"),
            (cute.local_tile(GRID, (2, 4, 3), (0, 1, 2), proj=(1, None, 1)),
             "tensor<(0,6) o (2,3):(1@0,1@1)>"),
            (cute.local_partition(GRID, make_layout((2, 4)), 3),
             "tensor<(1,1) o (4,2):(2@0,4@1)>"),
        )

    def test_errors(self):
        self.fails(
            (TypeError, "a mode is an int", lambda: cute.E("0")),
            (TypeError, "a mode is an int", lambda: cute.ScaledBasis(2, "x")),
            (TypeError, "cannot become", lambda: cute.ScaledBasis(4, 1).to(int)),
            (TypeError, "not a value of the algebra", lambda: cute.is_static("x")),
            (ValueError, "a mode is a list of ints", lambda: cute.size(BOX, mode=["0"])),
            (ValueError, "not weakly congruent", lambda: cute.slice_(BOX, (1, None, 2))),
            (ValueError, "not weakly congruent", lambda: cute.slice_((1, 2, 3), (None, 2))),
            (ValueError, "needs an argument to print", cute.printf),
            (ValueError, "order", lambda: cute.make_ordered_layout((4, 4), order=(0, 1, 2))),
            (ValueError, "'a' is neither a pointer", lambda: cute.make_tensor("a", BOX)),
            (ValueError, r"no modes \[3, 2\)", lambda: cute.group_modes((2, 3, 4, 5), 3, 2)),
            (TypeError, "not an integer", lambda: cute.product_each("a")),
            (ValueError, "rank 1 is less", lambda: cute.prepend((1, 1), 0, up_to_rank=1)),
            (TypeError, "has no modes", lambda: cute.prepend("a", 0)),
            (TypeError, "write a layout", lambda: cute.prepend(BOX, 3)),
            (TypeError, "write a layout", lambda: cute.append(BOX, "x")),
            (TypeError, "not a layout or tensor", lambda: cute.filter(3)),
            (ValueError, "do not divide", lambda: cute.shape_div(6, 4)),
            (ValueError, "no multiple", lambda: cute.composition(
                make_layout((2, 3), stride=(4, 1)), make_layout((3, 4), stride=(3, 1)))),
            (ValueError, "needs a scalar offset", lambda: cute.make_composed_layout(
                cute.make_swizzle(2, 4, 3), 0, make_layout(4, stride=cute.E(0)))),
            (ValueError, "needs bits >= 0", lambda: cute.make_swizzle(2, -4, 3)),
            (TypeError, "expected a vector or tensor", lambda: cute.empty_like(3)),
            (TypeError, "a pointer has a numeric type", lambda: cute.make_ptr(None, 16)),
            (TypeError, "expected a tensor", lambda: cute.basic_copy(1, 2)),
        )

    def test_structs(self):
        stage = 3

        @cute.struct
        class Complex:
            real: Float32
            imag: Float32

        @cute.struct
        class Storage:
            barriers: cute.struct.MemRange[Int64, stage]
            value: Complex
            count: Int16
            aligned: cute.struct.Align[cute.struct.MemRange[Float32, 5], 1024]
            last: cute.struct.Align[Complex, 16]

        self.assertEqual((Complex.__sizeof__(), Complex.__alignof__()), (8, 4))
        self.assertEqual((Storage.__sizeof__(), Storage.__alignof__()), (2048, 1024))
        self.assertEqual(Storage.size_in_bytes(), 2048)
        numbers = cute.struct.MemRange[Int16, 5]
        self.assertEqual((numbers.size, numbers.elem_width, numbers.size_in_bytes), (5, 16, 10))
        self.fails(
            (TypeError, "has no members", lambda: cute.struct(type("Empty", (), {}))),
            (TypeError, "a member of a struct", lambda: cute.struct.Align[3, 16]),
            (TypeError, "numeric type", lambda: cute.struct.MemRange[3, 16]),
        )


def in_a_kernel(test):
    """Makes a test of what a kernel says while it is traced, of tensors (4,8):(8,1)."""

    def run(self):
        @cute.kernel
        def traced(a: cute.Tensor, b: cute.Tensor):
            test(self, a, b)

        @cute.jit
        def host(a: cute.Tensor, b: cute.Tensor):
            traced(a, b).launch(grid=(1, 1, 1), block=(32, 1, 1))

        like = make_fake_compact_tensor(Float32, (4, 8), stride_order=(1, 0))
        cute.compile(host, like, like, options="--gpu-arch sm_80")

    return run


class InAKernel(Words, unittest.TestCase):
    @in_a_kernel
    def test_tensors(self, a, b):
        self.same(
            (cute.recast_ptr(a.iterator, dtype=Float16), "ptr<f16, gmem, align<4>>"),
            (cute.recast_tensor(a, Float16), "tensor<ptr<f16, gmem, align<4>> o (4,16):(16,1)>"),
            (cute.make_fragment((2, 3), Float32),
             "tensor<ptr<f32, rmem, align<16>> o (2,3):(1,2)>"),
            (cute.make_fragment_like(a), "tensor<ptr<f32, rmem, align<16>> o (4,8):(1,4)>"),
            (cute.make_fragment_like(a, Boolean).element_type, "Boolean"),
            (cute.make_ptr(Float32, 16, cute.AddressSpace.gmem, assumed_align=16),
             "ptr<f32, gmem, align<16>>"),
            (cute.make_tensor(a.iterator, (2, 3)), "tensor<ptr<f32, gmem> o (2,3):(1,2)>"),
            (cute.slice_(a, (1, None)), "tensor<ptr<f32, gmem> o (8):(1)>"),
            (cute.slice_and_offset((1, None), a), "(tensor<ptr<f32, gmem> o (8):(1)>, 8)"),
            (cute.max_common_vector(a, b), "32"),
            (cute.max_common_layout(a, b), "(8,4):(4,1)"),
            (type(cute.front(a)).__name__, "Float32"),
        )
        self.fails(
            (ValueError, "not weakly congruent", lambda: cute.slice_(a, (1, None, 3))),
            (ValueError, "neither a pointer", lambda: cute.make_tensor(3.5, (2, 3))),
            (TypeError, "expected a tensor", lambda: cute.print_tensor(3)),
            (ValueError, "no text for", lambda: cute.printf("{}", object())),
            (ValueError, "divisor 0", lambda: cute.assume(cute.arch.thread_idx()[0], divby=0)),
        )
        index = cute.assume(cute.arch.thread_idx()[0], divby=8)
        self.assertIn("div=8", str(cute.make_layout(index).type))

    @in_a_kernel
    def test_vectors(self, a, b):
        v = cute.make_fragment((4, (5, 4)), Float32).load()
        _ = None
        self.same(
            (v.reduce(cute.ReductionOp.ADD, 0.0, 0).dtype, "Float32"),
            (v.reduce(cute.ReductionOp.MUL, 1.0, (_, 1)).shape, "(4,)"),
            (v.reduce(operator.add, 0.0, (_, (_, 1))).shape, "(4, (5,))"),
            (cute.full_like(v, 1.0).shape, "(4, (5, 4))"),
            (cute.empty_like(v, Int8).dtype, "Int8"),
            ([f(v).dtype for f in (cute.ones_like, cute.zeros_like)], "[Float32, Float32]"),
            (cute.where(v > 1.0, v, cute.zeros_like(v)).shape, "(4, (5, 4))"),
            ([type(f(v > 1.0)).__name__ for f in (cute.any_, cute.all_)], "['Boolean', 'Boolean']"),
            (v.to(Float16).element_type, "Float16"),
        )
        self.fails(
            (TypeError, "numeric type", lambda: v.to(float)),
            (ValueError, "not a reduction", lambda: v.reduce("x", 0.0, 0)),
            (ValueError, "is static", lambda: cute.full(cute.arch.thread_idx()[0], 1.0, Float32)),
            (ValueError, "are positive", lambda: cute.full((0, 2), 1.0, Float32)),
        )

    @in_a_kernel
    def test_copies(self, a, b):
        atom = cute.make_copy_atom(CopyUniversalOp(), Float32, num_bits_per_copy=64)
        threads, values = make_layout((4, 8), stride=(8, 1)), make_layout((1, 2))
        tiled = cute.make_tiled_copy_tv(atom, threads, values)
        tile, layout = cute.make_layout_tv(threads, values)
        other = cute.make_tiled_copy(atom, layout, tile)
        self.assertEqual(tiled.layout_tv_tiled, other.layout_tv_tiled)
        self.same(
            ((tiled.tiler_mn, tiled.size), "((4:1, 16:1), 32)"),
            (tiled.layout_src_tv_tiled, "((8,4),(2,1)):((8,1),(4,0))"),
            (tiled.layout_dst_tv_tiled, "((8,4),(2,1)):((8,1),(4,0))"),
            ((atom.value_type, atom.thr_id, atom.layout_src_tv, atom.layout_dst_tv),
             "(Float32, 1:0, (1,2):(0,1), (1,2):(0,1))"),
        )
        small = cute.make_fragment((2, 3), Float32)
        mask = cute.make_fragment((4, 8), Boolean)
        cute.basic_copy(a, b)
        cute.basic_copy_if(mask, a, b)
        cute.autovec_copy(a, b)
        self.fails(
            (ValueError, "of one size", lambda: cute.basic_copy(a, small)),
            (ValueError, "one element for each",
             lambda: cute.basic_copy_if(cute.make_fragment(4, Boolean), a, b)),
            (ValueError, "of one size", lambda: cute.autovec_copy(a, small)),
            (ValueError, "2 values per thread", lambda: cute.copy(atom, a, b)),
            (TypeError, "copy atom", lambda: cute.copy(3, a, b)),
            (TypeError, "takes no mcast", lambda: cute.copy(atom, a, b, mcast=1)),
            (TypeError, "copy operation", lambda: cute.make_copy_atom(3, Float32)),
            (TypeError, "numeric type", lambda: cute.make_copy_atom(CopyUniversalOp(), 3)),
        )

    @in_a_kernel
    def test_products(self, a, b):
        op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
        atom, tiled = cute.make_mma_atom(op), cute.make_tiled_mma(op, (2, 1, 1))
        self.same(
            ((atom.thr_id, atom.shape_mnk), "(32:1, (16, 8, 16))"),
            (atom.tv_layout_A, "((4,8),(2,2,2)):((32,1),(16,8,128))"),
            (atom.tv_layout_B, "((4,8),(2,2)):((16,1),(8,64))"),
            (atom.tv_layout_C, "((4,8),(2,2)):((32,1),(16,8))"),
            (tiled.tv_layout_C_tiled, "((4,8,2),((2,2),(1,1))):((64,1,16),((32,8),(0,0)))"),
            (tiled.partition_shape_A((32, 16)), "((2, 2, 2), 1, 1)"),
            (tiled.partition_shape_B((8, 16)), "((2, 2), 1, 1)"),
            (tiled.partition_shape_C((32, 8)), "((2, 2), 1, 1)"),
            ((tiled.size, tiled.get_tile_size(0), tiled.permutation_mnk),
             "(64, 32, (None, None, None))"),
            (tiled.thr_layout_vmnk, "(32,2,1,1):(1,32,0,0)"),
            (tiled.make_fragment_C((4, 1, 1)).element_type, "Float32"),
        )
        self.assertIs(atom.op, op)
        copy = cute.make_copy_atom(CopyUniversalOp(), Float32)
        self.assertIsInstance(cute.make_tiled_copy_C_atom(copy, tiled), cute.TiledCopy)
        self.fails(
            (TypeError, "an MMA operation", lambda: cute.make_mma_atom(3)),
            (TypeError, "an MMA operation", lambda: cute.make_tiled_mma(copy)),
            (TypeError, "expected a tensor", lambda: cute.gemm(tiled, a, a, a, 3)),
            (ValueError, "one value of each", lambda: cute.gemm(tiled, a, a, a, a)),
            (ValueError, "no field", lambda: tiled.set(warpgroup.Field.ACCUMULATE, True)),
        )

    def test_fields(self):
        modes = warpgroup.OperandMajorMode.K, warpgroup.OperandMajorMode.K
        op = warpgroup.MmaF16BF16Op(
            Float16, Float32, (64, 64, 16), warpgroup.OperandSource.SMEM, *modes
        )
        tiled = cute.make_tiled_mma(op)
        tiled.set(warpgroup.Field.ACCUMULATE, False)
        self.assertIs(tiled.get(warpgroup.Field.ACCUMULATE), False)
        self.fails(
            (ValueError, "it has: Field.ACCUMULATE", lambda: tiled.set("accumulate", True)),
            (TypeError, "is a Boolean", lambda: tiled.set(warpgroup.Field.ACCUMULATE, "yes")),
        )


class Everything(unittest.TestCase):
    def test_each_name_is_called_somewhere(self):
        with open(REFERENCE, encoding="utf-8") as file:
            names = [x.split(":")[0].strip() for x in file if x.strip() and x[0] != "#"]
        names = [n for n in names if "." not in n]
        with open(__file__, encoding="utf-8") as file:
            here = file.read()
        with open(__file__.replace("documented", "layouts"), encoding="utf-8") as file:
            here += file.read()
        called = {n for n in names if re.search(rf"\bcute\.{n}\b|\b{n}\(", here)}
        made_by_others = {"Atom", "MmaAtom", "CopyAtom", "TiledMma", "TensorSSA",
                          "ComposedLayout", "Swizzle"}
        self.assertEqual(set(names) - called - made_by_others, set())


if __name__ == "__main__":
    REFERENCE = sys.argv.pop()
    unittest.main()
