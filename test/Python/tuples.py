# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Functions on tuples, parts of layouts, unions, and other names of the reference."""

import array
import unittest

import cute
import cute.as_cutlass  # noqa: F401
import cutlass
from cute import E, Float32, Int32, ScaledBasis
from cute.nvgpu import cpasync
from cute.runtime import make_fake_compact_tensor, make_ptr


class Tuples(unittest.TestCase):
    def test_trees(self):
        self.assertEqual((cute.wrap(3), cute.wrap((3, 4))), ((3,), (3, 4)))
        self.assertEqual((cute.unwrap(((3,),)), cute.unwrap((3, 4))), (3, (3, 4)))
        total = cute.transform_apply((1, 2), (3, 4), f=lambda a, b: a * b, g=lambda *x: sum(x))
        self.assertEqual(total, 11)
        odd = cute.filter_tuple((1, 2, 3), f=lambda x: (x,) if x % 2 else ())
        self.assertEqual(odd, (1, 3))
        is_big = lambda x, place: not isinstance(x, tuple) and x > 3  # noqa: E731
        self.assertEqual(cute.find_if((1, (2, 5)), is_big), (1, 1))
        self.assertEqual(cute.find_if((1, 5), is_big), 1)
        self.assertIsNone(cute.find_if((1, (2, 5)), is_big, hierarchical=False))
        self.assertEqual((cute.find_if(5, is_big), cute.find_if(1, is_big)), (0, None))

    def test_bases_and_names(self):
        self.assertEqual((cute.basis_value(ScaledBasis(4, 1)), cute.basis_value(3)), (4, 3))
        self.assertEqual(cute.basis_get(E([1, 0]), (2, (3, 4))), 3)
        self.assertEqual(cute.basis_get(1, (2, 3)), (2, 3))
        self.assertEqual((cute.mangle("a.b-1"), cute.mangle("1x")), ("a_b_1", "_1x"))
        self.assertTrue(cutlass.is_int_tuple_type(cute.IntTuple))
        self.assertEqual((cutlass.is_integer(3), cutlass.is_int_tuple((1, (2,)))), (True, True))

    def test_layouts(self):
        layout = cute.make_layout((4, 3, 2), stride=(0, 1, 0))
        self.assertEqual(str(cute.nullspace(layout)), "(4,2):(1,12)")
        self.assertEqual(cute.size(cute.nullspace(cute.make_layout(4))), 1)
        swizzled = cute.make_composed_layout(cute.make_swizzle(2, 3, 3), 0, cute.make_layout(64))
        self.assertEqual(str(cute.get_swizzle_portion(swizzled)), "S<2,3,3>")
        self.assertEqual(str(cute.get_swizzle_portion(layout)), "S<0,4,3>")
        self.assertEqual(str(cute.get_nonswizzle_portion(swizzled)), "64:1")

    def test_divisors_and_sizes_of_numbers(self):
        @cute.jit
        def host(a: cute.Tensor):
            n = a.shape[0]
            self.assertEqual((cute.get_divisibility(n), cute.get_divisibility(12)), (8, 12))
            self.assertEqual(type(cute.size(n)), Int32)

        cute.compile(host, make_fake_compact_tensor(Float32, (cute.sym_int32(8), 4)))
        with self.assertRaisesRegex(TypeError, "expected an integer, not '3'"):
            cute.get_divisibility("3")


class Kernels(unittest.TestCase):
    def test_unions_and_arithmetic(self):
        @cute.union
        class Either:
            word: Int32
            number: Float32
            many: cute.struct.MemRange[cutlass.Int64, 2]

        self.assertEqual((Either.size_in_bytes(), Either.__alignof__()), (16, 8))

        @cute.kernel
        def k(a: cute.Tensor):
            either = cutlass.utils.SmemAllocator().allocate(Either)
            either.number.ptr.store(1.5)
            a[0] = Float32(either.word.ptr.load())
            x = a[1] + 2.0
            a[1] = cute.math.add(x, cute.math.mul(x, cute.math.div(x, cute.math.sub(x, 1.0))))
            a[2] = cute.math.fpowi(x, 3)
            a[3] = Float32(cute.math.ipowi(Int32(3), 2)) + Float32(cute.math.isnormal(x))
            a[4] = Float32(cute.math.isnormal(x * 1e-30 * 1e-10))
            cute.print_tensor(cute.full((2,), 1.0, Float32))

        @cute.jit
        def launch(pointer: cute.Pointer):
            k(cute.make_tensor(pointer, cute.make_layout(5))).launch(
                grid=(1, 1, 1), block=(1, 1, 1))

        memory = array.array("f", [0] * 5)
        launch(make_ptr(Float32, memory.buffer_info()[0], cute.AddressSpace.gmem))
        self.assertEqual(list(memory), [float(0x3FC00000), 6, 8, 10, 0])

    def test_atoms_with_their_tensors(self):
        @cute.jit
        def host(a: cute.Tensor):
            layout = cute.make_layout((8, 16), stride=(16, 1))
            made = cpasync.make_tiled_tma_atom(
                cpasync.CopyBulkTensorTileG2SOp(), a, layout, (8, 16))
            atom, coordinates = made
            self.assertIs(made.atom, atom)
            self.assertIs(made[1], coordinates)
            self.assertEqual((str(made.smem_layout), isinstance(made, cpasync.TmaInfo)),
                             ("(8,16):(16,1)", True))

        cute.compile(host, make_fake_compact_tensor(
            Float32, (64, 64), stride_order=(1, 0), assumed_align=16))


if __name__ == "__main__":
    unittest.main()
