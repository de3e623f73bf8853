# REQUIRES: tvm_ffi
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Compiled functions as functions of TVM-FFI, and of JAX by it, on the simulator."""

import ctypes
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
import tvm_ffi

import cute.as_cutlass  # noqa: F401
import cutlass.cute as cute
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
