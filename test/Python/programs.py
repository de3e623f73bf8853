# RUN: env CUTE_DEVICE=sim %python %s
"""What public programs do beside kernels: tuning, prepared launches, arguments."""

import array
import ctypes
import unittest

import cute
import cute.dsl
import cute.testing as testing
from cute import Float32, Int32, arch, cuda
from cute._compile.c_struct import offsets_of
from cute._compile.diagnostics import launch_error
from cute._mlir import ir
from cute._mlir.dialects import llvm
from cute.dsl import for_generate, if_generate, not_, while_generate, yield_out
from cute.runtime import from_dlpack, make_fake_compact_tensor, make_ptr
from cute.utils import SmemAllocator


class Floats(array.array):
    """An array of the host that kernels of the simulator read, as numpy's are."""

    @property
    def __array_interface__(self):
        address, count = self.buffer_info()
        return {"data": (address, False), "typestr": "<f4", "shape": (count,)}

    @property
    def strides(self):
        return (4,)

    @property
    def shape(self):
        return (len(self),)

    def __dlpack__(self):
        raise NotImplementedError


def floats(values):
    return Floats("f", values)


def pointer(values):
    return make_ptr(Float32, values.buffer_info()[0], cute.AddressSpace.gmem)


@cute.kernel
def scale_kernel(out: cute.Tensor, a: cute.Tensor, factor: Float32, n: Int32):
    i = arch.block_idx()[0] * 32 + arch.thread_idx()[0]
    if i < n:
        out[i] = a[i] * factor


@cute.jit
def scale(out: cute.Pointer, a: cute.Pointer, factor: Float32, n: Int32):
    layout = cute.make_layout(n)
    scale_kernel(cute.make_tensor(out, layout), cute.make_tensor(a, layout), factor, n).launch(
        grid=((n + 31) // 32, 1, 1), block=(32, 1, 1)
    )


class Prepared(unittest.TestCase):
    def test_launches(self):
        a, out = floats(range(40)), floats([0] * 40)
        compiled = cute.compile(scale, pointer(out), pointer(a), 2.0, 40)
        prepared = compiled.prepare(pointer(out), pointer(a), 2.0, 40)
        prepared.launch(out.buffer_info()[0], a.buffer_info()[0], 3.0, 39)
        self.assertEqual(list(out), [3.0 * i for i in range(39)] + [0])
        with self.assertRaisesRegex(TypeError, "4 arguments were prepared, not 1"):
            prepared.launch(1)

    def test_takes_streams(self):
        """A stream goes with the launch, of any package."""
        @cute.jit
        def on_stream(out: cute.Pointer, a: cute.Pointer, stream: cuda.CUstream):
            layout = cute.make_layout(40)
            scale_kernel(cute.make_tensor(out, layout), cute.make_tensor(a, layout), Float32(2),
                         Int32(40)).launch(grid=(2, 1, 1), block=(32, 1, 1), stream=stream)

        a, out = floats(range(40)), floats([0] * 40)
        stream = cuda.CUstream(0)
        compiled = cute.compile(on_stream, pointer(out), pointer(a), stream)
        prepared = compiled.prepare(pointer(out), pointer(a), stream)
        prepared.launch(out.buffer_info()[0], a.buffer_info()[0], stream)
        self.assertEqual(list(out), [2.0 * i for i in range(40)])

    def test_needs_simple_arguments(self):
        @cute.jit
        def f(t: cute.Tensor):
            pass

        tensor = from_dlpack(floats([1, 2]))
        with self.assertRaisesRegex(Exception, "t is not a pointer, number or stream"):
            cute.compile(f, tensor).prepare(tensor)


@cute.jit
def first_and_size(t: cute.Tensor, out: cute.Tensor):
    out[0] = t[0]
    out[1] = Float32(cute.size(t))


class Arguments(unittest.TestCase):
    """What was compiled for one tensor takes others that pass the same."""

    def setUp(self):
        self.out = floats([0, 0])

    def fake(self, extent):
        return make_fake_compact_tensor(
            Float32, (extent,), memspace=cute.AddressSpace.generic
        )

    def test_array_for_a_fake_tensor(self):
        for extent in (cute.sym_int32(), cute.sym_int64()):
            compiled = cute.compile(first_and_size, self.fake(extent), from_dlpack(self.out))
            compiled(floats([5, 6, 7]), self.out)
            self.assertEqual(list(self.out), [5, 3])

    def test_stream_that_calls_leave_out(self):
        @cute.jit
        def f(out: cute.Pointer, stream, n: Int32):
            vote_kernel(cute.make_tensor(out, cute.make_layout(64)), True).launch(
                block=(64, 1, 1), stream=stream
            )

        stream = cute.runtime.make_fake_stream(use_tvm_ffi_env_stream=True)
        out = floats([0] * 64)
        compiled = cute.compile(f, pointer(out), n=3, stream=stream)
        compiled(pointer(out), 3)
        self.assertEqual(out[63], 1)
        compiled(pointer(out), n=3)
        compiled(pointer(out), cuda.CUstream(0), 3)
        with self.assertRaisesRegex(TypeError, "needs an argument for n"):
            compiled(pointer(out))

    def test_stream_that_calls_leave_out_beside_arguments_that_are_none(self):
        """Each argument has its place, None also, which is compiled in."""
        @cute.jit
        def f(out: cute.Pointer, bias, n: Int32, more, stream):
            vote_kernel(cute.make_tensor(out, cute.make_layout(64)), True).launch(
                block=(64, 1, 1), stream=stream
            )

        stream = cute.runtime.make_fake_stream(use_tvm_ffi_env_stream=True)
        out = floats([0] * 64)
        compiled = cute.compile(f, pointer(out), None, Int32(3), None, stream)
        compiled(pointer(out), None, 3, None)
        self.assertEqual(out[63], 1)
        for args in ((3,), (3, cuda.CUstream(0)), (None, 3, None, cuda.CUstream(0))):
            compiled(pointer(out), *args)
        one = cute.compile(f, pointer(out), None, Int32(3), 1.0, stream)
        one(pointer(out), None, 3, 1.0)

    def test_what_is_compiled_in_must_agree(self):
        compiled = cute.compile(first_and_size, self.fake(4), from_dlpack(self.out))
        with self.assertRaisesRegex(TypeError, "extent 0 is 3, not 4"):
            compiled(floats([5, 6, 7]), self.out)
        compiled = cute.compile(
            first_and_size, self.fake(cute.sym_int32(divisibility=2)), from_dlpack(self.out)
        )
        with self.assertRaisesRegex(TypeError, "extent 0 is 3, not a multiple of 2"):
            compiled(floats([5, 6, 7]), self.out)


@cute.kernel
def vote_kernel(out: cute.Tensor, is_same: cute.Constexpr):
    seen = SmemAllocator().allocate_tensor(Float32, 1)
    x, _, _ = arch.thread_idx()
    seen[0] = Float32(1.0) if cute.const_expr(is_same) else Float32(x)
    arch.sync_threads()
    out[x] = seen[0]


@cute.jit
def vote(out: cute.Pointer, is_same: cute.Constexpr):
    tensor = cute.make_tensor(out, cute.make_layout(64))
    vote_kernel(tensor, is_same).launch(block=(64, 1, 1))


class Races(unittest.TestCase):
    """All threads may write the same to a place, but nothing else."""

    def test_the_same(self):
        out = floats([0] * 64)
        vote(pointer(out), True)
        self.assertEqual(list(out), [1] * 64)

    def test_something_else(self):
        out = floats([0] * 64)  # for as long as the kernel may write to it
        with self.assertRaisesRegex(Exception, "race: writes shared memory"):
            vote(pointer(out), False)


class Triple:
    """A pointer and two numbers in a struct of C."""

    class Struct(ctypes.Structure):
        _fields_ = [("small", ctypes.c_int32), ("data", ctypes.c_void_p),
                    ("pair", ctypes.c_int32 * 2)]  # fmt: skip

    def __init__(self, data):
        self.struct = self.Struct(3, data.buffer_info()[0], (4, 5))

    def __get_mlir_types__(self):
        i32 = ir.IntegerType.get_signless(32)
        pair = llvm.StructType.get_literal([i32, i32])
        return [llvm.StructType.get_literal([i32, llvm.PointerType.get(), pair])]

    def __new_from_mlir_values__(self, values):
        return TripleValue(values[0])

    def __c_pointers__(self):
        return [ctypes.addressof(self.struct)]


class TripleValue(ir.Value):
    def member(self, *position):
        return llvm.extractvalue(ir.IntegerType.get_signless(32), self, position)

    @property
    def tensor(self):
        data = llvm.extractvalue(llvm.PointerType.get(), self, [1])
        return cute.make_tensor(cute.make_ptr(Float32, data), cute.make_layout(self.member(0)))


@cute.jit
def use_triple(t):
    assert isinstance(t, ir.Value)
    t.tensor[0] = Float32(t.member(2, 0) + cute.size(t.tensor))
    t.tensor[1] = Float32(t.member(2, 1))


class Structs(unittest.TestCase):
    def test_members(self):
        data = floats([0, 0, 0])
        use_triple(Triple(data))
        self.assertEqual(list(data), [7, 5, 0])

    def test_offsets(self):
        text = "!llvm.struct<(i1, struct<(ptr, f32)>, i16, ptr<3>)>"
        self.assertEqual(offsets_of(text), [0, 8, 16, 24, 32])
        with self.assertRaisesRegex(ValueError, "without gaps"):
            offsets_of("!llvm.struct<packed (i8, i32)>")


@cute.jit
def generated(out: cute.Tensor, n: Int32):
    for i in for_generate(0, n):
        out[0] = out[0] + Float32(i)
        yield_out()
    big = if_generate(n > 3, lambda: Float32(1), lambda: Float32(2), None, [Float32])
    out[1] = big
    left = n
    with while_generate([left], lambda x: not_(x == 0)) as (x,):
        out[2] = out[2] + 1.0
        yield_out([x - 1])


class Generators(unittest.TestCase):
    """Branches and loops that programs write by hand."""

    def test_all(self):
        for n in (4, 2):
            out = floats([0, 0, 0])
            generated(from_dlpack(out), n)
            self.assertEqual(list(out), [sum(range(n)), 1 if n > 3 else 2, n])


class Cuda(unittest.TestCase):
    def test_errors_of_the_driver_have_its_number(self):
        text = "cuLaunchKernelEx: CUDA error 720: too many blocks in cooperative launch"
        error = launch_error([("error", text, "", 0, 0, [])])
        self.assertIsInstance(error, cute.dsl.DSLCudaRuntimeError)
        self.assertEqual(
            error.error_code, cuda.cudaError_t.cudaErrorCooperativeLaunchTooLarge
        )

    def test_a_cooperative_launch_may_be_too_large(self):
        @cute.kernel
        def nothing():
            pass

        @cute.jit
        def f(blocks: Int32):
            nothing().launch(grid=(blocks, 1, 1), block=(1024, 1, 1), cooperative=True)

        f(2)
        with self.assertRaisesRegex(cute.dsl.DSLCudaRuntimeError, "too many blocks") as raised:
            f(265)
        self.assertEqual(raised.exception.error_code, 720)

    def test_a_launch_says_what_it_cannot_do(self):
        @cute.jit
        def f(out: cute.Tensor):
            scale_kernel(out, out, 1.0, 0).launch(priority=3)

        with self.assertRaisesRegex(ImportError, "no option priority"):
            f(from_dlpack(floats([0])))

    def test_memory(self):
        place = cuda.checkCudaErrors(cuda.cudaMalloc(8))
        cuda.checkCudaErrors(cuda.cudaMemset(place, 1, 8))
        self.assertEqual(ctypes.c_int64.from_address(place).value, 0x0101010101010101)
        cuda.checkCudaErrors(cuda.cudaFree(place))
        with self.assertRaisesRegex(cute.dsl.DSLCudaRuntimeError, "InvalidValue"):
            cuda.checkCudaErrors(cuda.cudaFree(place))


@testing.autotune_jit({"factor": [2, 3]}, ["n"], warmup_iterations=0, iterations=1)
@cute.jit
def tuned(out: cute.Pointer, n, factor: cute.Constexpr = 1):
    assert factor > 1
    cute.make_tensor(out, cute.make_layout(2))[0] = Float32(factor)


class Tuning(unittest.TestCase):
    def test_function_runs_with_its_choice(self):
        out = floats([0, 0])
        place = make_ptr(Float32, out.buffer_info()[0])
        tuned(place, 1)
        self.assertIn(out[0], (2, 3))
        tuned(place, 2)
        self.assertEqual(len(tuned.chosen), 2)
        cute.compile(tuned, place, 1, factor=7)(place, 1)
        self.assertEqual(out[0], 7)

    def test_configurations_that_fail_are_left_out(self):
        def make(n, width):
            if width == 1:
                raise ValueError("too narrow")
            return lambda: None

        given = testing.JitArguments(4)
        self.assertEqual(
            testing.tune(make, {"width": [1, 2]}, given, 0, 1), {"width": 2}
        )
        with self.assertRaisesRegex(cute.DSLRuntimeError, "no configuration runs: too narrow"):
            testing.tune(make, {"width": [1]}, given, 0, 1)

    def test_unknown_parameters(self):
        with self.assertRaisesRegex(ValueError, r"has no parameters \['width'\]"):
            testing.autotune_jit({"width": [1]})(cute.jit(lambda x: None))


if __name__ == "__main__":
    unittest.main()
