# RUN: llvm-as %S/Inputs/foreign.ll -o %t.bc
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s %t.bc
"""Functions of device code from elsewhere are linked as bitcode, and inlined."""
import array
import os
import sys
import tempfile
import unittest

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import Float32, Int32
from cutlass.base_dsl.ffi import mangle
from cutlass.cute import BitCode, extern, ffi
from cutlass.cute.runtime import make_ptr

CODE = BitCode(sys.argv.pop())
twice = ffi(name="twice", params_types=[Float32], return_type=Float32, source=CODE)


@extern(source=CODE)
def add_numbers(place: cute.Pointer, n: Int32) -> Int32: ...


@cute.kernel
def kernel(a: cute.Tensor):
    thread = cute.arch.thread_idx()[0]
    a[thread] = twice(a[thread])
    cute.arch.sync_threads()
    if thread == 0:
        a[31] = Float32(add_numbers(a.iterator, 4))


@cute.jit
def launch(p: cute.Pointer):
    kernel(cute.make_tensor(p, cute.make_layout(32))).launch(grid=1, block=32)


@cute.kernel
def calls(function: cute.Constexpr, arguments: cute.Constexpr):
    function(*arguments)


@cute.jit
def call(function: cute.Constexpr, arguments: cute.Constexpr):
    calls(function, arguments).launch(grid=1, block=1)


class Foreign(unittest.TestCase):
    def test_values(self):
        numbers = array.array("f", range(32))
        place = make_ptr(Float32, numbers.buffer_info()[0], cute.AddressSpace.gmem)
        launch(place)
        self.assertEqual(numbers.tolist(), [0, 3, 6, 9, *range(8, 62, 2), 4])
        text = cute.compile(launch, place, options="--gpu-arch=sm_90a --keep-ptx").__ptx__
        self.assertNotIn("call", text)

    def test_libraries(self):
        anywhere = ffi(name="twice", params_types=[Float32], return_type=Float32)

        @cute.kernel
        def writes(a: cute.Tensor):
            a[0] = anywhere(a[0])

        @cute.jit
        def start(p: cute.Pointer):
            writes(cute.make_tensor(p, cute.make_layout(1))).launch(grid=1, block=1)

        numbers = array.array("f", [4])
        place = make_ptr(Float32, numbers.buffer_info()[0], cute.AddressSpace.gmem)
        cute.compile(start, place, options=f"--link-libraries={CODE.path}")(place)
        cute.compile[cute.LinkLibraries(f"{CODE.path},{CODE.path}")](start, place)(place)
        self.assertEqual(numbers.tolist(), [4 * 2 * 2])
        with self.assertRaisesRegex(cutlass.NotThere, "twice is linked as bitcode: source="):
            start(place)

    def test_rejected(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "no.bc")
            with open(path, "wb") as file:
                file.write(b"text")
            other = ffi(name="other", source=BitCode(path))
            bad = ffi(name="bad", params_types=[str], source=CODE)
            pointers = ffi(name="add_numbers", params_types=[cute.Pointer], source=CODE)
            for error, words, function, arguments in (
                (cute.CompileError, "no.bc cannot be linked: it is neither bitcode", other, ()),
                (TypeError, "twice takes 1 arguments, not 2", twice, (1.0, 2.0)),
                (TypeError, "take numbers and pointers, not <class 'str'>", bad, (1,)),
                (TypeError, "add_numbers takes a pointer, not 3", pointers, (3,)),
                (cutlass.NotThere, "linked as bitcode", ffi(name="none"), ()),
            ):
                with self.assertRaisesRegex(error, words):
                    call(function, arguments)
        self.assertIs(mangle, cute.mangle)
        with self.assertRaisesRegex(cutlass.NotThere, "kernels call it"):
            twice(1.0)


if __name__ == "__main__":
    unittest.main()
