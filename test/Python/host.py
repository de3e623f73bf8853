# RUN: env CUTE_DEVICE=sim %python %s
"""Host functions run, print, and launch kernels on the simulator."""
import contextlib
import ctypes
import io
import math
import unittest

import cute
from cute import Float16, Float32, Int32, Int64
from cute.runtime import make_ptr


def memory(values, c_type=ctypes.c_float, dtype=Float32):
    """An array of C, and a pointer to it that can be passed."""
    array = (c_type * len(values))(*values)
    return array, make_ptr(dtype, ctypes.addressof(array))


def printed(function, *args):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function(*args)
    return text.getvalue()


class Calls(unittest.TestCase):
    def test_other_arguments_find_what_was_compiled_for_such(self):
        traced = []

        @cute.jit
        def f(x, what: cute.Constexpr, pointer, n: Int32 = 7):
            traced.append((type(x).__name__, what, str(pointer.dtype)))
            cute.printf("{} {} {} {}", x, n, what, pointer.load())

        kept, floats = memory([0.5])
        kept_too, ints = memory([3], ctypes.c_int, Int32)
        calls = [
            ((1, "a", floats, 2), "1 2 a 0.500000\n"),
            ((1.5, "a", floats, 2), "1.500000 2 a 0.500000\n"),
            ((True, "a", floats, 2), "1 2 a 0.500000\n"),
            ((1, "b", floats, 2), "1 2 b 0.500000\n"),
            ((1, "a", ints, 2), "1 2 a 3\n"),
            ((2, "a", ints), "2 7 a 3\n"),
        ]
        for _ in range(3):
            for args, text in calls:
                self.assertEqual(printed(f, *args), text)
        self.assertEqual(len(traced), len(set(traced)))


class Conversions(unittest.TestCase):
    def test_floats_beyond_an_integer_type(self):
        """What is folded, the host and the simulated device agree upon."""
        types = [cute.Int8, cute.Uint8, Int32, cute.Uint32, Int64]

        @cute.kernel
        def truncate(x: Float32, out: cute.Tensor):
            for i in cute.range_constexpr(len(types)):
                out[i] = Int64(types[i](x))

        @cute.jit
        def host(x: Float32, pointer: cute.Pointer):
            out = cute.make_tensor(pointer, len(types))
            truncate(x, out).launch(grid=(1, 1, 1), block=(1, 1, 1))
            return [Int64(dtype(x)) for dtype in types]

        cells = (ctypes.c_int64 * len(types))()
        pointer = make_ptr(Int64, ctypes.addressof(cells), cute.AddressSpace.gmem)
        for x in (1.9, -1.9, 130.0, 300.0, -300.0, 3e9, -3e9, 1e19, -1e19, math.inf, -math.inf, math.nan):
            wanted = [dtype(x).value for dtype in types]
            self.assertEqual((x, host(x, pointer)), (x, wanted))
            self.assertEqual((x, list(cells)), (x, wanted))


class Printing(unittest.TestCase):
    def test_formats(self):
        @cute.jit
        def f(n: Int32, x: Float32):
            layout = cute.make_layout((n, 2))
            cute.printf("{} {} {{}} %% {}", n, x, layout)
            cute.printf("%d|%5d|%.2f|%x|{:08x}", n, n, x, n, n)
            cute.printf(n)
            cute.printf("")
            cute.printf("{} {} {}", (n, (1, None)), True, Int64(-1))

        self.assertEqual(
            printed(f, 20, 0.5),
            "20 0.500000 {} % (20,2):(1,20)\n"
            "20|   20|0.50|14|00000014\n"
            "20\n"
            "\n"
            "(20,(1,_)) 1 -1\n",
        )

    def test_values_of_f_strings_are_those_of_the_run(self):
        @cute.jit
        def f(n: Int32, x: Float32, name: cute.Constexpr):
            cute.printf(f"{name} {{}} 100% {n + 1} {x:.2f} {name!r}")

        self.assertEqual(printed(f, 20, 0.5, "a"), "a {} 100% 21 0.50 'a'\n")

    def test_formats_that_do_not_fit(self):
        @cute.jit
        def few(n: Int32):
            cute.printf("{} {}", n)

        @cute.jit
        def many(n: Int32):
            cute.printf("{}", n, n)

        @cute.jit
        def none(n: Int32):
            cute.printf()

        for function, message in [
            (few, "asks for more than 1"),
            (many, "asks for fewer than 2"),
            (none, "needs an argument to print"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                function(1)

    def test_tensors(self):
        @cute.jit
        def f(p: cute.Pointer):
            cute.print_tensor(cute.make_tensor(p, cute.make_layout((2, 3), stride=(3, 1))))
            cute.print_tensor(cute.make_identity_tensor((2, 7)))
            cute.print_tensor(cute.make_tensor(p, cute.make_layout((1, 2, 2))))
            cute.print_tensor(cute.make_tensor(p, 2), verbose=True)

        array, pointer = memory([0.5, -1, 2, 3, 4, 5])
        lines = printed(f, pointer).splitlines()
        head = f"tensor(raw_ptr(0x{ctypes.addressof(array):016x}: f32, generic, align<4>) o "
        self.assertEqual(
            lines,
            [
                head + "(2,3):(3,1), data=",
                "       [[ 0.500000, -1.000000,  2.000000, ],",
                "        [ 3.000000,  4.000000,  5.000000, ]])",
                "tensor((0,0) o (2,7):(1@0,1@1), data=",
                "       [[ (0,0),  (0,1),  (0,2), ...,  (0,4),  (0,5),  (0,6), ],",
                "        [ (1,0),  (1,1),  (1,2), ...,  (1,4),  (1,5),  (1,6), ]])",
                head + "(1,2,2):(0,1,2), data=",
                "       [[[ 0.500000, -1.000000, ]],",
                "",
                "        [[ 2.000000,  3.000000, ]]])",
                head + "2:1, data= (",
                "\t(0)= 0.500000",
                "\t(1)= -1.000000",
                ")",
            ],
        )


class Running(unittest.TestCase):
    def test_a_host_function_computes(self):
        @cute.jit
        def saxpy(p: cute.Pointer, n: Int32, a: Float32):
            t = cute.make_tensor(p, n)
            for i in range(n):
                t[i] = t[i] * a + i

        array, pointer = memory([1, 2, 3, 4])
        saxpy(pointer, 4, 2.0)
        self.assertEqual(list(array), [2, 5, 8, 11])
        compiled = cute.compile(saxpy, pointer, 4, 2.0)
        compiled(pointer, 2, 0.0)
        self.assertEqual(list(array), [0, 1, 8, 11])

    def test_a_kernel_runs_on_the_simulator(self):
        @cute.kernel
        def add_kernel(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
            tid, _, _ = cute.arch.thread_idx()
            bid, _, _ = cute.arch.block_idx()
            i = bid * 32 + tid
            if i < cute.size(a):
                c[i] = a[i] + b[i]

        @cute.jit
        def add(a: cute.Pointer, b: cute.Pointer, c: cute.Pointer, n: Int32):
            tensors = [cute.make_tensor(p, n) for p in (a, b, c)]
            add_kernel(*tensors).launch(grid=cute.ceil_div(n, 32), block=32)

        n = 100
        a, pa = memory(range(n))
        b, pb = memory([0.5] * n)
        c, pc = memory([0] * n)
        add(pa, pb, pc, n)
        cute.cuda.stream_sync()
        self.assertEqual(list(c), [i + 0.5 for i in range(n)])

    def test_numbers_of_all_types(self):
        for dtype, c_type, value in [
            (cute.Int8, ctypes.c_int8, -5),
            (cute.Uint8, ctypes.c_uint8, 250),
            (cute.Int16, ctypes.c_int16, -300),
            (cute.Int64, ctypes.c_int64, 1 << 40),
            (cute.Float64, ctypes.c_double, 0.1),
            (cute.Boolean, ctypes.c_uint8, True),
        ]:

            @cute.jit
            def put(p: cute.Pointer, x: dtype):
                cute.make_tensor(p, 1)[0] = x

            array, pointer = memory([0], c_type, dtype)
            put(pointer, value)
            self.assertEqual(array[0], value)


class Results(unittest.TestCase):
    def test_numbers(self):
        @cute.jit
        def f(n: Int32, x: Float16, y: cute.BFloat16):
            total = Int32(0)
            for i in range(n):
                total += i
            return total, [x + 1, y], {"wide": Int64(n) << 40}, cute.Uint8(n), n > 3, 7, None

        expected = (190, [2.5, -2.25], {"wide": 20 << 40}, 20, True, 7, None)
        self.assertEqual(f(20, 1.5, -2.25), expected)
        self.assertEqual(cute.compile(f, 1, 1.0, 0.0)(-56, 1.5, -2.25)[3:5], (200, False))

    def test_what_cannot_be_returned(self):
        @cute.jit
        def f(t: cute.Tensor):
            return t

        with self.assertRaisesRegex(cute.DSLRuntimeError, "f returns a !cute.tensor"):
            cute.compile(f, cute.runtime.make_fake_compact_tensor(Float32, (3,)))


class Symbols(unittest.TestCase):
    def test_extents_of_one_symbol_are_equal(self):
        @cute.jit
        def f(a: cute.Tensor, n: Int32, b: cute.Tensor):
            return cute.size(a) + cute.size(b)

        def tensor(*extents):
            return cute.runtime.make_fake_compact_tensor(Float32, extents)

        m, k, other = cute.sym_int(), cute.sym_int(), cute.sym_int()
        compiled = cute.compile(f, tensor(m, k), 1, tensor(k))
        memory = (ctypes.c_float * 64)()

        def array(*extents):
            stride = [1, *extents[:-1]]
            return cute.runtime.Tensor(
                ctypes.addressof(memory), Float32, extents, stride, is_host=False, align=4)

        self.assertEqual(compiled(array(4, 3), 1, array(3)), 15)
        with self.assertRaisesRegex(TypeError, "extent 1 of a is 3, but extent 0 of b is 4; they"):
            compiled(array(4, 3), 1, array(4))
        compiled = cute.compile(f, tensor(m, k), 1, tensor(other))
        self.assertEqual(compiled(array(4, 3), 1, array(4)), 16)


class Launches(unittest.TestCase):
    def test_size_of_shared_memory(self):
        @cute.kernel
        def kernel(out: cute.Pointer):
            allocator = cute.utils.SmemAllocator()
            allocator.allocate_array(Float16, 3)
            allocator.allocate_array(Float32, 5, byte_alignment=16)
            cute.make_tensor(out, 1)[0] = cute.arch.dynamic_smem_size()

        @cute.jit
        def run(out: cute.Pointer, smem):
            kernel(out).launch(grid=(1, 1, 1), block=(1, 1, 1), smem=smem)

        array, out = memory([0], ctypes.c_int32, Int32)
        run(out, None)
        self.assertEqual(array[0], 36)
        run(out, Int32(48))
        self.assertEqual(array[0], 48)

        @cute.jit
        def run_with_too_little(out: cute.Pointer):
            kernel(out).launch(grid=(1, 1, 1), block=(1, 1, 1), smem=16)

        text = io.StringIO()
        with contextlib.redirect_stderr(text):
            run_with_too_little(out)
        self.assertRegex(text.getvalue(), "allocates 36 bytes of shared memory, more than the 16")
        self.assertEqual(array[0], 16)

    def test_threads_at_most(self):
        @cute.kernel
        def kernel():
            pass

        @cute.jit
        def run(n: Int32):
            kernel().launch(block=(n, 1, 1), max_number_threads=256)
            kernel().launch(block=(64, 1, 1), max_number_threads=(256, 1, 1))

        ptx = cute.compile(run, 1, options="--gpu-arch=sm_80").__ptx__
        self.assertIn(".maxntid 256", ptx)
        self.assertIn(".maxntid 64", ptx)

    def test_events(self):
        class CUevent(int):
            """An event of a driver that there is none of."""

        @cute.kernel
        def kernel():
            pass

        @cute.jit
        def run(event: CUevent, n: Int32):
            kernel().launch(launch_completion_event=event, launch_completion_event_flags=0)
            kernel().launch(programmatic_event=event, programmatic_event_trigger_at_block_start=n)

        run(CUevent(0), 1)
        self.assertEqual(cute.compile(run, CUevent(0), 1).__mlir__.count("call @cuteHostRecord"), 2)

        @cute.jit
        def wrong():
            kernel().launch(colour=1)

        with self.assertRaisesRegex(ImportError, "launch has no option colour"):
            wrong()


class Compatibility(unittest.TestCase):
    def test_inline_ptx_by_the_names_of_the_reference(self):
        import cute.as_cutlass  # noqa: F401
        from cutlass._mlir.dialects import llvm
        from cutlass.cutlass_dsl import T

        @cute.kernel
        def k(out: cute.Tensor):
            tid, _, _ = cute.arch.thread_idx()
            twice = llvm.inline_asm(T.i32(), [tid.ir_value()], "add.s32 $0, $1, $1;", "=r,r")
            is_odd = llvm.inline_asm(
                T.bool(), [tid.ir_value()], "and.b32 $0, $1, 1;", "=r,r"
            )
            out[tid] = Int32(twice) * 10 + Int32(cute.Boolean(is_odd))

        @cute.jit
        def f(p: cute.Pointer):
            k(cute.make_tensor(p, 4)).launch(grid=1, block=4)

        array, pointer = memory([0] * 4, ctypes.c_int32, Int32)
        f(pointer)
        cute.cuda.stream_sync()
        self.assertEqual(list(array), [0, 21, 40, 61])

    def test_constraints_of_inline_ptx_that_do_not_fit(self):
        import cute.as_cutlass  # noqa: F401
        from cutlass._mlir.dialects import llvm
        from cutlass.cutlass_dsl import T

        @cute.kernel
        def k():
            tid = cute.arch.thread_idx()[0].ir_value()
            llvm.inline_asm(T.i32(), [tid], "add.u32 $0, $0, 1;", "+r", has_side_effects=True)

        @cute.jit
        def f():
            k().launch(grid=1, block=1)

        with self.assertRaisesRegex(cute.CompileError, r'there is no \'\+\'; write .* "=r,0"'):
            f()

    def test_what_is_missing_says_so(self):
        import cute.as_cutlass  # noqa: F401

        with self.assertRaisesRegex(ImportError, "cutlass.nothing is not there"):
            import cutlass.nothing  # noqa: F401
        with self.assertRaisesRegex(AttributeError, "cute.nothing is not there"):
            cute.nothing
        with self.assertRaisesRegex(AttributeError, "not there .*; did you mean make_tensor"):
            cute.make_tensr

    def test_a_picture(self):
        text = printed(cute.utils.print_latex, cute.make_layout((2, 2)))
        self.assertIn("\\node[fill=\nblack!60\n] at (1,1) {3};\n", text)
        text = printed(cute.utils.print_latex_tv, cute.make_layout((2, 2)), (2, 2))
        self.assertIn("T1 \\\\ V1", text)
        with self.assertRaisesRegex(ValueError, "at most two modes"):
            cute.utils.print_latex(cute.make_layout((2, 2, 2)))

    def test_marks_of_tensors(self):
        tensor = cute.runtime.Tensor(0, Float32, (8, 4), (4, 1), is_host=True, align=4)
        self.assertIs(tensor.mark_layout_dynamic(), tensor)
        self.assertEqual(str(tensor), "tensor<ptr<f32, generic> o (?,?):(?{i64},1)>")
        tensor.mark_compact_shape_dynamic(1, (0, 1), 4)
        self.assertEqual(
            str(tensor), "tensor<ptr<f32, generic> o (?,?{div=4}):(?{i64 div=4},1)>"
        )
        with self.assertRaisesRegex(ValueError, "not a multiple of 3"):
            tensor.mark_compact_shape_dynamic(1, (0, 1), 3)
        with self.assertRaisesRegex(ValueError, "not compact"):
            tensor.mark_compact_shape_dynamic(1, (1, 0), 1)
        with self.assertRaisesRegex(ValueError, "has stride 4, not 1"):
            tensor.mark_layout_dynamic(leading_dim=0)


if __name__ == "__main__":
    unittest.main()
