# RUN: %python %s
"""Errors of programs say what to change: of traced kernels, numbers, and compiled functions."""

import ctypes
import threading
import unittest

from control_flow import agree, refused

import cute
from cute.dsl import Float32, Int8, Int32, Int64
from cute.runtime import make_ptr


class Programs(unittest.TestCase):
    def test_raise_under_a_dynamic_condition(self):
        def program(x):
            if x > 3:
                raise ValueError("too large")
            return x

        text = refused(program, Int32)
        self.assertIn("'raise' is under a condition", text)
        self.assertIn("write assert", text)

    def test_decisions_of_python(self):
        def ordered(x):
            return sorted([x, 1])

        def matched(x):
            match x:
                case 1:
                    return 2
            return 3

        for program in (ordered, matched):
            text = refused(program, Int32)
            self.assertIn("match, sorted, filter and the if of a comprehension", text)

    def test_divmod(self):
        def program(x):
            return divmod(x, 3), divmod(x, -3), divmod(7, x * x + 1)

        agree(program, (Int32,), (-4,), (0,), (5,))

    def test_formats_of_numbers(self):
        def program(x):
            return f"{x:d}"

        self.assertIn("write cute.printf", refused(program, Int32))
        self.assertEqual((f"{Int32(5):03d}", f"{Int32(5)}"), ("005", "5"))


def numbers(count=8):
    memory = (ctypes.c_int32 * count)()
    return memory, make_ptr(Int32, ctypes.addressof(memory), cute.AddressSpace.gmem)


class Calls(unittest.TestCase):
    """Errors of traced kernels, and of what is compiled, that say what to change."""

    def fails(self, error, text, function, *args):
        with self.assertRaisesRegex(error, text):
            cute.compile(function, *args)

    def test_values_that_objects_carry_out_of_place(self):
        cache = threading.local()

        def increased(x):
            if not hasattr(cache, "value"):
                cache.value = x + 1
            return cache.value

        @cute.jit
        def cached(out: cute.Pointer, x: Int32):
            result = cute.make_tensor(out, 8)
            if x > 3:
                result[0] = increased(x)
            if x > 2:
                result[1] = increased(x)

        @cute.jit
        def enclosed(out: cute.Pointer, x: Int32):
            y = x + 1

            @cute.kernel
            def kernel(out: cute.Pointer):
                cute.make_tensor(out, 8)[0] = y

            kernel(out).launch(grid=(1, 1, 1), block=(1, 1, 1))

        _, out = numbers()
        text = "a branch or a loop computed is used outside of it.*\n.*\n.*\n.*it is computed here"
        self.fails(cute.DSLError, text, cached, out, Int32(1))
        self.fails(cute.DSLError, "pass it to the kernel as an argument", enclosed, out, Int32(1))

    def test_constexpr_of_a_kernel(self):
        @cute.kernel
        def kernel(out: cute.Pointer, n: cute.Constexpr):
            cute.make_tensor(out, 8)[0] = n

        @cute.jit
        def host(out: cute.Pointer, x: Int32):
            kernel(out, x).launch(grid=(1, 1, 1), block=(1, 1, 1))

        self.fails(cute.DSLError, "n is a Constexpr, but its argument", host, numbers()[1], Int32(1))

    def test_globals_and_classes_with_dynamic_numbers(self):
        table = [0]

        @cute.jit
        def host(x: Int32):
            table[0] = x
            if x > 3:
                table[0] = x + 1
            return table[0]

        self.fails(cute.DSLError, "table changes in a branch of a dynamic if", host, Int32(1))

    def test_dicts_and_recursion(self):
        @cute.jit
        def looked_up(x: Int32):
            return {1: 2}[x]

        @cute.jit
        def factorial(x: Int32):
            result = Int32(1)
            if x > 0:
                result = x * factorial(x - 1)
            return result

        self.fails(cute.DSLError, "hash needs a number .* in place of a dict", looked_up, Int32(1))
        self.fails(RecursionError, "a function that calls itself is traced again", factorial, Int32(1))

    def test_numbers_that_do_not_fit(self):
        @cute.jit
        def stored(out: cute.Pointer):
            cute.make_tensor(out, 8)[0] = 2**40

        @cute.jit
        def bits(out: cute.Pointer):
            cute.make_tensor(out, 8)[0] = 0xFFFFFFFF

        @cute.jit
        def shifted(x: Int32):
            return x << -1

        memory, out = numbers()
        self.fails(OverflowError, "1099511627776 does not fit into Int32", stored, out)
        self.fails(ValueError, "a shift of Int32 by -1: it must be from 0 to 31", shifted, Int32(1))
        bits(out)
        self.assertEqual(memory[0], -1)
        with self.assertRaisesRegex(OverflowError, "does not fit into Int128"):
            Int32(1) + 2**130

    def test_wide_numbers_keep_their_bits(self):
        @cute.jit
        def host(x: Int32):
            y, z, trips = x, x, 0
            if x > 3:
                y = 2**40
            for i in range(0, 2**40, 2**39):
                trips += 1
            return y, max(z, 2**40), trips

        self.assertEqual(host(5), (2**40, 2**40, 2))

        @cute.jit
        def filled(out: cute.Pointer):
            cute.make_tensor(out, 8).fill(2**40)

        self.fails(OverflowError, "1099511627776 does not fit into Int32", filled, numbers()[1])

    def test_annotations_of_numbers_hold(self):
        @cute.jit
        def host(x: Int32, y: Float32):
            assert type(x) is Int32 and type(y) is Float32
            return x, y

        self.assertEqual(host(Int64(5), Int32(7)), (5, 7.0))
        with self.assertRaisesRegex(TypeError, "'3' is not a number, but Int32 is expected"):
            host("3", 1.0)
        with self.assertRaisesRegex(TypeError, "missing a required argument: 'y'; the parameters are x, y"):
            host(3)

        @cute.kernel
        def kernel(x: Int8):
            pass

        @cute.jit
        def launch():
            kernel(300).launch(grid=(1, 1, 1), block=(1, 1, 1))

        self.fails(OverflowError, "300 does not fit into Int8", launch)

    def test_threads_of_the_host(self):
        @cute.jit
        def host():
            return cute.arch.thread_idx()[0]

        self.fails(cute.DSLError, "call it in a function under @cute.kernel", host)

    def test_arguments_of_what_is_compiled(self):
        @cute.jit
        def host(x: Int32, n: cute.Constexpr):
            return x + n

        compiled = cute.compile(host, Int32(1), 3)
        self.assertEqual(compiled(Int32(2)), 5)
        with self.assertRaisesRegex(TypeError, "takes 1 arguments, and 1 more came; compiled in: n"):
            compiled(Int32(2), 4)
        with self.assertRaisesRegex(TypeError, "host has no parameter y"):
            compiled(Int32(2), y=4)
        with self.assertRaisesRegex(TypeError, "3 is compiled in, and not 4: compile it again"):
            compiled(Int32(2), n=4)

        @cute.jit
        def named(x: Int32, mode: str, pair: tuple):
            return x if mode == "a" else -x

        compiled = cute.compile(named, Int32(1), "a", (1, Int32(2)))
        self.assertEqual(compiled(Int32(2), "a", (1, Int32(3))), 2)
        for arguments, text in (
            (("b", (1, 2)), "'a' is compiled in, and not 'b'"),
            (("a", (5, 2)), "1 is compiled in, and not 5"),
            (("a", (1, 2, 3)), "compiled for 2 parts, called with"),
        ):
            with self.assertRaisesRegex(TypeError, text):
                compiled(Int32(2), *arguments)


if __name__ == "__main__":
    unittest.main()
