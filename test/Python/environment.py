# RUN: env CUTE_DEVICE=sim %python %s
"""What a function reads besides its arguments is as current as these are, and Python's
state that changes under a dynamic condition is right or an error."""
import ctypes
import types
import unittest

import cute
from cute import Constexpr, Float32, Int32
from cute.runtime import make_ptr

FACTOR = 1
BOX = [0.0]
settings = types.ModuleType("settings")
settings.bias = 1


class State:
    value = 0.0


def helper():
    return FACTOR


@cute.jit
def reads_global():
    return Int32(FACTOR)


@cute.jit
def reads_by_helper():
    return Int32(helper())


@cute.jit
def reads_attributes():
    return Int32(settings.bias + int(State.value))


class Scale:
    def __init__(self, factor):
        self.factor, self.calls, self.parts = factor, 0, [1]

    @cute.jit
    def __call__(self):
        self.made = cute.make_layout((self.factor, 4))
        return self.times(self.factor) + self.parts[0]

    def times(self, n):
        return Int32(10 * n)


class Stale(unittest.TestCase):
    def test_globals(self):
        global FACTOR
        reads_global.compiled.clear()
        for FACTOR in (1, 2, 1):
            self.assertEqual((reads_global(), reads_by_helper()), (FACTOR, FACTOR))
        self.assertEqual(sum(map(len, reads_global.compiled.values())), 2)
        FACTOR = 1.0
        self.assertEqual(reads_global(), 1)
        self.assertEqual(sum(map(len, reads_global.compiled.values())), 3)
        FACTOR = 1

    def test_functions_that_are_defined_anew(self):
        global helper
        before, helper = helper, lambda: 7
        self.assertEqual(reads_by_helper(), 7)
        helper = before
        self.assertEqual(reads_by_helper(), FACTOR)

    def test_attributes_of_modules_and_classes(self):
        for settings.bias, State.value in ((1, 0.0), (2, 0.0), (2, 5.0), (1, 0.0)):
            self.assertEqual(reads_attributes(), settings.bias + State.value)
        self.assertEqual(sum(map(len, reads_attributes.compiled.values())), 3)

    def test_variables_of_an_enclosing_function(self):
        n = 3

        @cute.jit
        def f():
            return Int32(n)

        self.assertEqual(f(), 3)
        n = 4
        self.assertEqual(f(), 4)

    def test_attributes_of_the_object(self):
        a, b = Scale(1), Scale(2)
        self.assertEqual((a(), b(), a()), (11, 21, 11))
        a.factor = 3
        self.assertEqual((a(), b()), (31, 21))
        a.parts[0] = 5
        self.assertEqual(a(), 35)
        a.parts = [6]
        self.assertEqual(a(), 36)

    def test_what_is_not_read_does_not_count(self):
        a = Scale(1)
        Scale.__call__.compiled.clear()
        for a.calls in range(3):
            self.assertEqual(a(), 11)
        self.assertEqual([len(v) for v in Scale.__call__.compiled.values()], [1])

    def test_constants(self):
        @cute.jit
        def first(values: Constexpr):
            traced.append(values)
            return Float32(values[0])

        traced = []
        values = [1]
        self.assertEqual(first(values), 1)
        values[0] = 2
        self.assertEqual(first(values), 2)
        self.assertEqual((first([2]), first([1]), first((1,)), first((True,)), first([1.0])),
                         (2, 1, 1, 1, 1))
        self.assertEqual(len(traced), 5)  # [1], [2], (1,), (True,), [1.0]
        self.assertEqual(str(first([0.0])), "0.0")
        self.assertEqual(str(first([-0.0])), "-0.0")

    def test_attributes_of_what_says_itself_what_is_passed(self):
        class Part:
            def __init__(self, n, tile):
                self.n, self.tile = Int32(n), tile

            def __get_mlir_types__(self):
                return self.n.__get_mlir_types__()

            def __c_pointers__(self):
                return self.n.__c_pointers__()

            def __new_from_mlir_values__(self, values):
                return Part(Int32(values[0]), self.tile)

        @cute.jit
        def f(parts):
            traced.append(1)
            return parts[0].n * parts[0].tile

        traced = []
        self.assertEqual([f((Part(n, tile),)) for n, tile in ((2, 10), (3, 100), (4, 10))], [20, 300, 40])
        self.assertEqual(len(traced), 2)
        part = Part(1, 5)
        self.assertEqual(f((part,)), 5)
        part.tile = 7
        self.assertEqual(f((part,)), 7)
        compiled = cute.compile(f, (part,))
        self.assertEqual(compiled((Part(2, 7),)), 14)
        with self.assertRaisesRegex(TypeError, "Part was compiled with its tile"):
            compiled((Part(2, 8),))

    def test_a_compiled_function_stays_as_it_is(self):
        global FACTOR
        compiled = cute.compile(reads_global)
        FACTOR = 9
        self.assertEqual((compiled(), reads_global()), (1, 9))
        FACTOR = 1


def run(kernel):
    """Returns the first elements that one thread of a kernel writes."""

    @cute.jit
    def launch(pointer: cute.Pointer):
        kernel(cute.make_tensor(pointer, 4)).launch(grid=(1, 1, 1), block=(1, 1, 1))

    memory = (ctypes.c_float * 4)(77, 77, 77, 77)
    launch(make_ptr(Float32, ctypes.addressof(memory), cute.AddressSpace.gmem))
    return list(memory)


class Changes(unittest.TestCase):
    def test_nonlocal(self):
        @cute.kernel
        def k(a: cute.Tensor):
            v, w = Float32(0.0), Float32(0.0)

            def inc():
                nonlocal v
                v = v + 1.0

            def both():
                nonlocal w
                inc()
                w = v

            g = both
            if cute.arch.thread_idx()[0] > 100:
                inc()
            a[0] = v
            for i in range(cute.arch.thread_idx()[0] + 3):
                g()
            a[1], a[2] = v, w

        self.assertEqual(run(k), [0, 3, 3, 77])

    def test_a_global_list(self):
        @cute.kernel
        def k(a: cute.Tensor):
            if cute.arch.thread_idx()[0] > 100:
                BOX[0] = 5.0
            a[0] = BOX[0]

        with self.assertRaisesRegex(cute.DSLError, "BOX changes in a branch of a dynamic if"):
            run(k)
        BOX[0] = 0.0

    def test_an_attribute_of_a_class(self):
        @cute.kernel
        def k(a: cute.Tensor):
            for i in range(cute.arch.thread_idx()[0]):
                set_state()
            a[0] = State.value

        def set_state():
            State.value = 6.0

        with self.assertRaisesRegex(cute.DSLError, "State.value changes in a dynamic for"):
            run(k)
        State.value = 0.0

    def test_a_method(self):
        class Counter:
            n = 0

            def __init__(self):
                self.n = 0

            def inc(self):
                self.n += 1
                return Float32(1.0)

        counter = Counter()

        @cute.kernel
        def k(a: cute.Tensor):
            a[0] = counter.inc() if cute.arch.thread_idx()[0] > 100 else Float32(0.0)
            a[1] = counter.n

        with self.assertRaisesRegex(cute.DSLError, "counter.n changes in a dynamic choice"):
            run(k)

    def test_the_same_in_both_branches(self):
        @cute.kernel
        def k(a: cute.Tensor):
            BOX[0] = 2.0
            if cute.arch.thread_idx()[0] > 100:
                BOX[0] = 2.0
            a[0] = BOX[0]

        self.assertEqual(run(k)[0], 2)
        BOX[0] = 0.0


if __name__ == "__main__":
    unittest.main()
