# RUN: env CUTE_DEVICE=sim %python %s
"""Arguments that a function cannot take as they are, functions that cannot be traced, and
steps of loops that are known at run time."""
import ctypes
import unittest

import cute
from cute import Int32
from cute.runtime import from_dlpack


class Array:
    """Memory as numpy shows it."""

    def __init__(self, values, shape=None, strides=(4,), typestr="<f4", read_only=False, first=0):
        self.memory = (ctypes.c_float * len(values))(*values)
        self.shape, self.strides, self.dtype = shape or (len(values),), strides, typestr
        self.__array_interface__ = {
            "typestr": typestr,
            "data": (ctypes.addressof(self.memory) + 4 * first, read_only),
        }

    def __dlpack__(self):
        raise NotImplementedError


class Exchanged:
    """Memory as DLPack 1 shows it, with the flags of its capsule."""

    def __init__(self, values, flags):
        from cute._device import dlpack

        self.memory = (ctypes.c_float * len(values))(*values)
        self.shape, self.stride = (ctypes.c_int64 * 1)(len(values)), (ctypes.c_int64 * 1)(1)
        self.managed = dlpack._Versioned(major=1, flags=flags)
        tensor = self.managed.tensor
        tensor.data, tensor.device_type, tensor.ndim = ctypes.addressof(self.memory), 1, 1
        tensor.code, tensor.bits, tensor.lanes = 2, 32, 1
        tensor.shape, tensor.strides = self.shape, self.stride

    def __dlpack__(self, *, max_version):
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.managed), b"dltensor_versioned", None)


@cute.kernel
def double_kernel(a: cute.Tensor, b: cute.Tensor):
    i = cute.arch.thread_idx()[0]
    if i < cute.size(b):
        b[i] = a[i] + a[i]


@cute.jit
def double(a: cute.Tensor, b: cute.Tensor):
    double_kernel(a, b).launch(grid=(1, 1, 1), block=(32, 1, 1))


@cute.jit
def size_of(a: cute.Tensor):
    return cute.size(a)


class Arrays(unittest.TestCase):
    def test_compiled_in_or_none(self):
        @cute.jit
        def known(x: Int32, shape: cute.Constexpr[tuple] | None, flag: cute.Constexpr | None = None):
            return x + (0 if shape is None else len(shape)) + (100 if flag else 0)

        self.assertEqual([known(1, (2, 3)), known(1, None), known(1, None, True)], [3, 1, 101])

    def test_bytes_in_the_other_order(self):
        with self.assertRaisesRegex(TypeError, "bytes in the other order"):
            double(Array([1, 2], typestr=">f4"), Array([0, 0]))

    def test_no_numbers(self):
        for typestr in ("|O", "<c8", "<U1"):
            with self.assertRaisesRegex(TypeError, "cannot be passed"):
                double(Array([1, 2], typestr=typestr), Array([0, 0]))

    def test_strides_of_parts_of_elements(self):
        with self.assertRaisesRegex(TypeError, "not multiples of 4"):
            double(Array([1, 2], strides=(6,)), Array([0, 0]))

    def test_memory_that_is_read_only(self):
        constant, result = Array([1, 2], read_only=True), Array([0, 0])
        double(constant, result)
        self.assertEqual(list(result.memory), [2, 4])
        with self.assertRaisesRegex(cute.DSLError, "which is read-only: pass a copy"):
            double(result, constant)
        self.assertEqual(list(constant.memory), [1, 2])
        constant.__array_interface__["data"] = (ctypes.addressof(constant.memory), False)
        double(result, constant)
        self.assertEqual(list(constant.memory), [4, 8])

    def test_memory_that_the_host_writes_is_not_read_only(self):
        @cute.jit
        def host(source: cute.Tensor, to: cute.Tensor, n: Int32):
            for i in range(n):
                cute.make_tensor(to.iterator, n)[i] = source[i]

        constant, result = Array([1, 2], read_only=True), Array([0, 0])
        host(constant, result, 2)
        self.assertEqual(list(result.memory), [1, 2])
        with self.assertRaisesRegex(TypeError, "'to' is written to, and its array is read-only"):
            host(result, constant, 2)

    def test_memory_that_dlpack_says_is_read_only(self):
        constant, plain = Exchanged([1, 2], flags=1), Exchanged([0, 0], flags=0)
        double(constant, plain)
        self.assertEqual(list(plain.memory), [2, 4])
        with self.assertRaisesRegex(cute.DSLError, "which is read-only: pass a copy"):
            double(plain, constant)
        self.assertEqual(list(constant.memory), [1, 2])

    def test_modes_that_are_not_there(self):
        def rows():
            return from_dlpack(Array([0] * 32, (4, 8), (32, 4)))

        with self.assertRaisesRegex(IndexError, "no mode 2; the tensor has 2"):
            rows().mark_compact_shape_dynamic(2)
        with self.assertRaisesRegex(IndexError, "no mode 5; the tensor has 2"):
            rows().mark_layout_dynamic(leading_dim=5)

    def test_modes_from_the_last_one_on(self):
        signatures = []
        for mode in (1, -1):
            a = from_dlpack(Array([0] * 32, (4, 8), (32, 4))).mark_compact_shape_dynamic(mode)
            signatures.append(str(cute.compile(size_of, a).__mlir__))
        self.assertEqual(*signatures)
        self.assertIn("(4,?)", signatures[0])

    def test_negative_strides(self):
        backwards, result = Array([1, 2, 3], strides=(-4,), first=2), Array([0, 0, 0])
        self.assertEqual(from_dlpack(backwards).span, (-8, 12))
        double(backwards, result)
        self.assertEqual(list(result.memory), [6, 4, 2])
        longer = Array([0, 0, 0, 0])
        with self.assertRaisesRegex(cute.DSLError, "out of bounds"):
            double(backwards, longer)


class OwnPointer(cute.Pointer):
    """A program's pointer, which describes itself and has nothing of the package's class."""

    def __init__(self, address, dtype):
        self.address, self._dtype = address, dtype
        self.cell = ctypes.c_void_p(address)

    @property
    def memspace(self):
        return cute.AddressSpace.gmem

    def __get_mlir_types__(self):
        from cute._mlir.dialects.cute import PtrType

        return [PtrType.get(self._dtype.mlir_type, self.memspace, 4)]

    def __c_pointers__(self):
        return [ctypes.addressof(self.cell)]

    def __new_from_mlir_values__(self, values):
        return values[0]


class Pointers(unittest.TestCase):
    def test_a_class_of_the_program(self):
        @cute.kernel
        def kernel(p: cute.Pointer):
            a = cute.make_tensor(p, 4)
            i = cute.arch.thread_idx()[0]
            a[i] = a[i] + 1.0

        @cute.jit
        def host(p: cute.Pointer):
            kernel(p).launch(grid=(1, 1, 1), block=(4, 1, 1))

        cells = (ctypes.c_float * 4)(1, 2, 3, 4)
        host(OwnPointer(ctypes.addressof(cells), cute.Float32))
        self.assertEqual(list(cells), [2, 3, 4, 5])


class Numbers(unittest.TestCase):
    def test_ranges(self):
        for dtype in (cute.Int8, cute.Uint8, cute.Int32, cute.Int64, cute.Uint64):

            @cute.jit
            def f(n: dtype):
                return n

            for good in (dtype.min, dtype.max):
                self.assertEqual(f(good), good)
            for bad in (dtype.min - 1, dtype.max + 1):
                with self.assertRaisesRegex(OverflowError, f"not in the range of {dtype}"):
                    f(bad)

    def test_without_an_annotation(self):
        @cute.jit
        def f(n):
            return n

        with self.assertRaisesRegex(OverflowError, "annotate the parameter cute.Int64"):
            f(2**31)

    def test_fractions(self):
        @cute.jit
        def f(n: Int32):
            return n

        with self.assertRaisesRegex(TypeError, "2.7 is not an integer, but Int32 is expected"):
            f(2.7)

    def test_sizes_beyond_32_bits(self):
        @cute.jit
        def f(a: cute.Tensor):
            return cute.size(a, mode=[0]), cute.size(a)

        def zeros(*shape):
            return from_dlpack(Array([0], shape, (0, 0))).mark_layout_dynamic()

        self.assertEqual(f(zeros(46340, 46340)), (46340, 46340 * 46340))
        with self.assertRaisesRegex(cute.DSLError, "does not fit into Int32"):
            f(zeros(70000, 70000))


class Divisions(unittest.TestCase):
    def test_by_zero(self):
        @cute.jit
        def signed(n: Int32, m: Int32):
            return n // m, n % m, cute.ceil_div(n, m)

        @cute.jit
        def unsigned(n: cute.Uint64, m: cute.Uint64):
            return n // m, n % m

        self.assertEqual(signed(7, -2), (-4, -1, -3))
        self.assertEqual(unsigned(7, 2), (3, 1))
        for function in (signed, unsigned):
            with self.assertRaisesRegex(ZeroDivisionError, r"arguments.py:\d+:\d+: division by zero"):
                function(1, 0)
        with self.assertRaisesRegex(ZeroDivisionError, "the lowest integer by -1"):
            signed(-(2**31), -1)

    def test_that_do_not_run(self):
        @cute.jit
        def f(n: Int32, m: Int32):
            quotient = Int32(0)
            if m != 0:
                quotient = n // m
            return quotient

        self.assertEqual((f(7, 2), f(7, 0)), (3, 0))

    def test_by_a_zero_that_is_known(self):
        @cute.jit
        def f(n: Int32):
            return n // 0

        with self.assertRaisesRegex(ZeroDivisionError, "by zero"):
            f(1)


class Steps(unittest.TestCase):
    def test_both_ways(self):
        @cute.jit
        def f(a: Int32, b: Int32, s: Int32):
            n, last = Int32(0), Int32(-99)
            for i in range(a, b, s):
                n, last = n + 1, i
            return n, last

        for s in (-3, -1, 1, 2, 5):
            for a, b in ((9, -1), (0, 10), (5, 5), (-7, 8), (8, -7)):
                items = range(a, b, s)
                self.assertEqual(f(a, b, s), (len(items), items[-1] if items else -99))
        with self.assertRaisesRegex(cute.DSLError, "the step of range is 0"):
            f(0, 1, 0)

    def test_strides_of_the_grid_take_no_more(self):
        @cute.kernel
        def k(a: cute.Tensor):
            step = cute.arch.block_dim()[0] * cute.arch.grid_dim()[0]
            for i in range(cute.arch.thread_idx()[0], cute.size(a), step):
                a[i] = 1.0

        @cute.jit
        def f(a: cute.Tensor):
            k(a).launch(grid=(2, 1, 1), block=(32, 1, 1))

        self.assertNotIn("select", cute.compile(f, Array([0, 0])).__mlir__)


class Functions(unittest.TestCase):
    def test_generators(self):
        def steps():
            yield 1

        async def later():
            pass

        for decorator in (cute.jit, cute.kernel):
            with self.assertRaisesRegex(cute.DSLError, "steps has a yield"):
                decorator(steps)
            with self.assertRaisesRegex(cute.DSLError, "later is async"):
                decorator(later)

    def test_decorated_twice(self):
        with self.assertRaisesRegex(TypeError, "double has a decorator of cute already"):
            cute.kernel(double)

    def test_kernels_with_results(self):
        @cute.kernel
        def k():
            return Int32(1)

        @cute.jit
        def f():
            k().launch(grid=(1, 1, 1), block=(1, 1, 1))

        with self.assertRaisesRegex(cute.DSLError, "kernel k returns a value"):
            f()

    def test_compositions_that_are_not_what_they_promise(self):
        with self.assertWarnsRegex(RuntimeWarning, r"R\(c\) = A\(B\(c\)\) fails"):
            cute.composition(cute.make_layout((6, 4), stride=(1, 8)), cute.make_layout(4, stride=4))


if __name__ == "__main__":
    unittest.main()
