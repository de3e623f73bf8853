# RUN: env CUTE_DEVICE=sim %python %s
"""Results as the API pages of CuTe DSL say: registers like a tensor, parts of atoms, slices of
composed layouts, comparisons of tuples."""
import array
import math
import unittest

import cute
from cute import Float16, Float32, Int32
from cute.nvgpu import CopyUniversalOp, warp
from cute.runtime import make_fake_tensor, make_ptr

LAYOUT = cute.make_layout((4, 8), stride=(8, 1))


class Registers(unittest.TestCase):
    def test_vectors_of_packed_integers(self):
        @cute.kernel
        def kernel(t: cute.Tensor, dtype: cute.Constexpr):
            held = cute.make_rmem_tensor((2, (2, 2)), dtype)
            held.store(t.load().to(Int32) + 3)
            assert (held.load().dtype, held.load().shape) == (dtype, (2, (2, 2)))
            t.store(held.load().to(Int32) * 2)

        @cute.jit
        def run(pointer: cute.Pointer, dtype: cute.Constexpr):
            kernel(cute.make_tensor(pointer, (2, (2, 2))), dtype).launch(grid=(1, 1, 1), block=(1, 1, 1))

        for dtype, bits in ((cute.Int4, (0, 1, 6, 7, 8, 9, 14, 15)), (cute.Uint4, range(8, 16))):
            memory = array.array("B", [a | b << 4 for a, b in zip(bits[::2], bits[1::2])])
            run(make_ptr(dtype, memory.buffer_info()[0], cute.AddressSpace.gmem), dtype)
            found = [x for byte in memory for x in (byte & 15, byte >> 4)]
            self.assertEqual(found, [(x + 3) * 2 % 16 for x in bits])

    def test_layouts_have_the_shape_of_the_source(self):
        nested = cute.make_layout(((4, 1), 2), stride=((1, 0), 8))
        swizzled = cute.make_composed_layout(
            cute.make_swizzle(3, 3, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))
        for layout, like, in_order in (
            (LAYOUT, "(4,8):(1,4)", "(4,8):(8,1)"),
            (nested, "((4,1),2):((1,0),4)", "((4,1),2):((1,0),4)"),
            (swizzled, "(8,64):(1,8)", "(8,64):(64,1)"),
            (cute.make_layout((100, 256)), "(100,256):(1,100)", "(100,256):(1,100)"),
            (cute.make_layout((4, (2, 3)), stride=(6, (3, 1))), "(4,(2,3)):(1,(12,4))", "(4,(2,3)):(6,(3,1))"),
        ):
            self.assertEqual(str(cute.make_fragment_like(layout)), like)
            self.assertEqual(str(cute.make_rmem_tensor_like(layout)), in_order)
            self.assertTrue(cute.is_congruent(cute.make_fragment_like(layout), layout))

    def test_a_fragment_meets_its_source(self):
        @cute.jit
        def double(pointer: cute.Pointer):
            tensor = cute.make_tensor(pointer, cute.make_layout((2, 3), stride=(3, 1)))
            for like in (cute.make_fragment_like, cute.make_rmem_tensor_like):
                registers = like(tensor)
                registers.store(tensor.load())
                tensor.store(registers.load() + tensor.load())

        memory = array.array("f", range(6))
        double(make_ptr(Float32, memory.buffer_info()[0]))
        self.assertEqual(list(memory), [4.0 * i for i in range(6)])

    def test_vectors_of_thousands(self):
        @cute.kernel
        def double(pointer: cute.Pointer):
            tensor = cute.make_tensor(pointer, cute.make_layout(2048))
            tensor.store(tensor.load() + tensor.load())

        @cute.jit
        def f(pointer: cute.Pointer):
            double(pointer).launch(grid=(1, 1, 1), block=(1, 1, 1))

        memory = array.array("f", range(2048))
        f(make_ptr(Float32, memory.buffer_info()[0], cute.AddressSpace.gmem))
        self.assertEqual(list(memory), [2.0 * i for i in range(2048)])

    def test_wrong_arguments(self):
        @cute.jit
        def f():
            ones = cute.full((2,), 1.0, Float32)
            with self.assertRaisesRegex(ValueError, "a condition is Boolean"):
                cute.where(ones, ones, ones)
            with self.assertRaisesRegex(TypeError, r"expected a tensor, not \(4,8\):\(8,1\)"):
                cute.print_tensor(LAYOUT)

        cute.compile(f)

    def test_coordinates_and_dynamic_shapes(self):
        @cute.jit
        def f(n: Int32):
            coordinates = cute.make_identity_tensor((4, 2))
            made.append(str(cute.make_fragment_like(coordinates, Int32).layout))
            for wrong, error in ((coordinates, "give the type"), (cute.make_layout((n, 2)), "known")):
                with self.assertRaisesRegex((ValueError, TypeError), error):
                    cute.make_fragment_like(wrong)

        made = []
        cute.compile(f, 3)
        self.assertEqual(made, ["(4,2):(1,4)"])


class Atoms(unittest.TestCase):
    def test_fragments_of_an_atom(self):
        @cute.jit
        def f():
            atom = cute.make_mma_atom(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)))
            a = cute.make_rmem_tensor(((2, 2, 2), 1, 1), Float16)
            c = cute.make_rmem_tensor((4, 1, 1), Float32)
            made.append(str(atom.make_fragment_A(a).layout))
            made.append(str(atom.make_fragment_B(cute.make_rmem_tensor((4, 1, 1), Float16)).shape))
            made.append(str(atom.make_fragment_C(c).element_type))

        made = []
        cute.compile(f)
        self.assertEqual(made, ["((2,2,2),1,1):((1,2,4),0,0)", "(4, 1, 1)", "Float32"])

    def test_layouts_of_the_atom_of_a_tiled_copy(self):
        atom = cute.make_copy_atom(CopyUniversalOp(), Float16, num_bits_per_copy=128)
        threads = cute.make_layout((16, 8), stride=(8, 1))
        tiled = cute.make_tiled_copy_tv(atom, threads, cute.make_layout((1, 8)))
        for name in ("layout_src_tv", "layout_dst_tv"):
            self.assertEqual(str(getattr(tiled, name)), "(1,8):(0,1)")
            self.assertEqual(str(getattr(tiled, name + "_tiled")), "((8,16),(8,1)):((128,1),(16,0))")


class Layouts(unittest.TestCase):
    def test_threads_that_are_not_compact(self):
        with self.assertRaisesRegex(ValueError, "not compact: its size is 32, its cosize 56"):
            cute.make_layout_tv(cute.make_layout((4, 8), stride=(16, 1)), cute.make_layout(4))

    def test_slices_of_composed_layouts(self):
        composed = cute.make_composed_layout(
            cute.make_swizzle(3, 3, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))
        part = cute.slice_(composed, (1, None))
        self.assertEqual(str(part), "S<3,3,3> o 64 o (64):(1)")
        self.assertEqual([part(i) for i in range(64)], [composed((1, i)) for i in range(64)])

    def test_the_stride_of_an_integer(self):
        self.assertEqual((cute.is_major(0, 8), cute.is_major(0, 1)), (False, True))

    def test_wider_elements(self):
        @cute.jit
        def f(tensor: cute.Tensor):
            made.append(str(cute.recast_tensor(tensor, Int32).layout))

        made = []
        cute.compile(f, make_fake_tensor(Float16, (4, 6), (6, 1)))
        self.assertEqual(made, ["(4,3):(3,1)"])


class Functions(unittest.TestCase):
    def test_exp_is_two_to_a_power(self):
        @cute.kernel
        def k(a: cute.Tensor):
            i = cute.arch.thread_idx()[0]
            a[i] = cute.math.exp(a[i])

        @cute.jit
        def f(p: cute.Pointer):
            k(cute.make_tensor(p, 256)).launch(grid=(1, 1, 1), block=(256, 1, 1))

        special = [-math.inf, math.inf, math.nan, -105.0, -104.0, -100.0, -87.5, 88.7, 89.0, 0.0]
        memory = array.array("f", special + [(i - 123) / 1.5 for i in range(246)])
        values = list(memory)
        pointer = make_ptr(Float32, memory.buffer_info()[0], cute.AddressSpace.gmem)
        f(pointer)
        self.assertEqual(list(memory[:2]) + [memory[3]], [0, math.inf, 0])
        self.assertTrue(math.isnan(memory[2]))
        self.assertEqual(memory[8], math.inf)
        for x, y in zip(values[9:], memory[9:]):
            self.assertLess(abs(y - math.exp(x)), 2.0**-22 * math.exp(x) + 2.0**-149)
        ptx = cute.compile(f, pointer, options="--gpu-arch sm_90a").__ptx__
        self.assertIn("ex2.approx.ftz.f32", ptx)
        self.assertEqual(ptx.count("fma.rn.f32"), 2)


class Comparisons(unittest.TestCase):
    def test_tuples_with_dynamic_numbers(self):
        @cute.jit
        def f(i: Int32, j: Int32):
            n = Int32(0)
            if (i, j) == (0, 1):
                n = n + 1
            if [i, (j, 2)] != [i, (3, 2)]:
                n = n + 10
            if (i, j) == (0, 1, 2):
                n = n + 100
            while (i, j) != (5, 5) and i < 10:
                i, j = i + 1, j + 1
            return n, i

        self.assertEqual((f(0, 1), f(0, 3), f(4, 4)), ((11, 10), (0, 10), (10, 5)))


if __name__ == "__main__":
    unittest.main()
