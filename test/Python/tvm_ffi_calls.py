# REQUIRES: tvm_ffi
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Compiled functions as functions of TVM-FFI, and of JAX by it, on the simulator."""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
import tvm_ffi

import cute.as_cutlass  # noqa: F401
import cutlass.cute as cute
from cute import Float32, Int32
from cute._compile import tvm_ffi_export
from cute._compile.diagnostics import DSLRuntimeError
from cute._device import devices
from cute._device.pointers_and_streams import make_fake_stream
from cutlass.cute.runtime import from_dlpack

PROGRAM = """
import jax
import jax_tvm_ffi
import numpy
import cutlass.cute as cute
from cutlass.cute.runtime import from_dlpack

@cute.kernel
def add_one_kernel(a: cute.Tensor, b: cute.Tensor):
    for i in range(a.shape[0]):
        b[i] = a[i] + 1

@cute.jit
def add_one(a: cute.Tensor, b: cute.Tensor):
    add_one_kernel(a, b).launch(grid=(1, 1, 1), block=(1, 1, 1))

a = jax.numpy.arange(10, dtype=jax.numpy.float32)
tensor = from_dlpack(a, enable_tvm_ffi=True).mark_layout_dynamic()
compiled = cute.compile(add_one, tensor, tensor, options="--enable-tvm-ffi")
jax_tvm_ffi.register_ffi_target("add_one", compiled, platform="gpu")
b = jax.ffi.ffi_call("add_one", jax.ShapeDtypeStruct(a.shape, a.dtype))(a)
print(numpy.asarray(b).tolist())
"""


@cute.kernel
def double_kernel(a: cute.Tensor, b: cute.Tensor):
    i, j, _ = cute.arch.thread_idx()
    b[i, j] = a[i, j] + a[i, j]


@cute.jit
def double(a: cute.Tensor, b: cute.Tensor):
    double_kernel(a, b).launch(grid=(1, 1, 1), block=(4, 3, 1))


@cute.kernel
def scaled_kernel(a: cute.Tensor, b: cute.Tensor, n: Int32, f: Float32):
    i, j, _ = cute.arch.thread_idx()
    b[i, j] = a[i, j] * f + n


@cute.jit
def scaled(a: cute.Tensor, pair, kind: cute.Constexpr, f: Float32, nothing, stream):
    b, n = pair
    scaled_kernel(a, b, n, f).launch(grid=(1, 1, 1), block=(4, 3, 1), stream=stream)


# Calls the library without this package: LIBRARY
ALONE = """
import sys
import numpy
import tvm_ffi
a, b = numpy.arange(12, dtype=numpy.float32).reshape(3, 4).T, numpy.zeros((4, 3), numpy.float32)
module = tvm_ffi.load_module(sys.argv[1])
module.scaled(tvm_ffi.from_dlpack(a), (tvm_ffi.from_dlpack(b), 3), 2.0, None)
assert "cute" not in sys.modules
print((b == 2 * a + 3).all())
"""


class Exported(unittest.TestCase):
    """An exported function as a module of TVM-FFI."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.a = np.arange(12, dtype=np.float32).reshape(3, 4).T
        cls.b = np.zeros((4, 3), np.float32)
        a, b = (from_dlpack(x).mark_layout_dynamic() for x in (cls.a, cls.b))
        compiled = cute.compile(scaled, a, (b, Int32(1)), "kind", Float32(1), None,
                                make_fake_stream(use_tvm_ffi_env_stream=True),
                                options="--enable-tvm-ffi")
        path = os.path.join(cls.folder, "scaled.o")
        compiled.export_to_c(path, function_name="scaled")
        cls.library = path[:-2] + ".so"
        cls.runtime = cute.runtime.find_runtime_libraries(enable_tvm_ffi=True)
        subprocess.run(["gcc", "-shared", "-o", cls.library, path, *cls.runtime], check=True)
        cls.module = tvm_ffi.load_module(cls.library)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def call(self, a, n, f):
        self.b[:] = 0
        self.module.scaled(tvm_ffi.from_dlpack(a), (tvm_ffi.from_dlpack(self.b), n), f, None)

    def test_call(self):
        for n, f in ((3, 2.0), (True, 4)):
            self.call(self.a, n, f)
            self.assertEqual(self.b.tolist(), (f * self.a + int(n)).tolist())

    def test_package_loads_it_too(self):
        for path in (self.library, self.library[:-3] + ".o"):
            self.b[:] = 0
            loaded = cute.runtime.load_module(path, enable_tvm_ffi=True)
            loaded.scaled(self.a, (self.b, 5), 2.0)
            self.assertEqual(self.b.tolist(), (2 * self.a + 5).tolist())

    def test_without_the_package(self):
        folders = {os.path.dirname(path) for path in self.runtime}
        done = subprocess.run([sys.executable, "-c", ALONE, self.library], text=True, check=False,
                              env=dict(os.environ, LD_LIBRARY_PATH=":".join(folders)),
                              capture_output=True)
        self.assertEqual(done.stdout.strip(), "True", done.stderr)

    def test_errors(self):
        a = self.a
        for n, f, value, error, said in (
            (3, 1.0, np.ascontiguousarray(a), ValueError, r"a\.stride\[0\] .* 1 instead of 3"),
            (3, 1.0, a.astype(np.float16), TypeError, "another element type"),
            (3, 1.0, a[0], ValueError, "another rank"),
            (3.5, 1.0, a, TypeError, r"pair\[1\] on argument #1 .* an integer"),
        ):
            with self.assertRaisesRegex(error, said):
                self.call(value, n, f)
        with self.assertRaisesRegex(TypeError, "expected Tensor"):
            self.module.scaled(1, (self.b, 3), 1.0, None)
        with self.assertRaisesRegex(TypeError, "a tuple of as many"):
            self.module.scaled(tvm_ffi.from_dlpack(a), (1,), 1.0, None)
        with self.assertRaisesRegex(TypeError, "takes 4 arguments, not 1"):
            self.module.scaled(tvm_ffi.from_dlpack(a))

    def test_no_c_compiler(self):
        with mock.patch.dict(os.environ, PATH="", CC=""):
            with self.assertRaisesRegex(DSLRuntimeError, "needs a C compiler"):
                tvm_ffi_export.add_to(b"", "")
        with mock.patch.dict(os.environ, CC="gcc"):
            with self.assertRaisesRegex(DSLRuntimeError, "gcc fails: "):
                tvm_ffi_export.add_to(b"", "no C")


class Calls(unittest.TestCase):
    def test_tensors_of_tvm_ffi(self):
        for dtype in (np.float32, np.float16, np.int32, np.uint8):
            a = np.arange(12).reshape(3, 4).astype(dtype).T
            b = np.zeros((4, 3), dtype)
            fakes = [from_dlpack(x).mark_layout_dynamic() for x in (a, b)]
            compiled = cute.compile(double, *fakes, options="--enable-tvm-ffi")
            tvm_ffi.convert(compiled)(tvm_ffi.from_dlpack(a), tvm_ffi.from_dlpack(b))
            self.assertEqual(b.tolist(), (2 * a).tolist())

    def test_stream_of_the_caller(self):
        stream = make_fake_stream(use_tvm_ffi_env_stream=True)

        def handle():
            return ctypes.c_uint64.from_address(stream.__c_pointers__()[0]).value

        with tvm_ffi.use_raw_stream(tvm_ffi.device("cuda", 1), 4711):
            self.assertEqual(handle(), 0)
            with mock.patch.object(devices, "ordinal", return_value=1):
                self.assertEqual(handle(), 4711)

    @unittest.skipUnless(importlib.util.find_spec("jax_tvm_ffi"), "jax_tvm_ffi is not there")
    def test_jax(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(PROGRAM)
            done = subprocess.run([sys.executable, "-m", "cute", "run", path], text=True,
                                  env=dict(os.environ, JAX_PLATFORMS="cpu"),
                                  capture_output=True)
        self.assertEqual(done.stdout.strip(), str([i + 1.0 for i in range(10)]), done.stderr)


if __name__ == "__main__":
    unittest.main()
