# RUN: env CUTE_DEVICE=sim CUTE_ROOT=%root CUTE_LIBRARIES=%build/lib %python %s
"""Compiled functions as objects: loaded again, linked to a library, called from C."""

import array
import os
import shutil
import subprocess
import tempfile
import unittest

import cute
import cute.export
from cute import Float32, Int32, arch
from cute._compile.diagnostics import DSLRuntimeError
from cute.runtime import load_module, make_fake_compact_tensor, make_fake_stream, sym_int


class Floats(array.array):
    """An array of the host that kernels of the simulator read, as numpy's are."""

    @property
    def __array_interface__(self):
        address, count = self.buffer_info()
        return {"data": (address, False), "typestr": "<f4", "shape": (count,)}

    strides = (4,)

    @property
    def shape(self):
        return (len(self),)

    def __dlpack__(self):
        raise NotImplementedError


@cute.kernel
def axpy_kernel(y: cute.Tensor, x: cute.Tensor, a: Float32):
    i = arch.block_idx()[0] * 32 + arch.thread_idx()[0]
    if i < cute.size(y):
        y[i] = a * x[i] + y[i]


@cute.jit
def axpy(y: cute.Tensor, both: tuple, kind: cute.Constexpr, stream):
    x, a = both
    blocks = cute.ceil_div(cute.size(y), 32)
    axpy_kernel(y, x, a).launch(grid=(blocks, 1, 1), block=(32, 1, 1), stream=stream)


@cute.jit
def show(n: Int32, on: cute.Boolean):
    cute.printf("%d, %d", n + 1, on)


PROGRAM = """
#include "axpy.h"
#include "show.h"
int main(void) {
  float x[40], y[40];
  for (int i = 0; i < 40; ++i)
    x[i] = (float)i, y[i] = 1;
  axpy_Kernel_Module_t module;
  if (axpy_Kernel_Module_Load(&module))
    return 1;
  CuteDevicePointer on_x, on_y;
  if (axpy_Report(cuteDeviceAllocate(module.device, sizeof x, &on_x)) ||
      axpy_Report(cuteDeviceAllocate(module.device, sizeof y, &on_y)) ||
      axpy_Report(cuteDeviceWrite(module.device, on_x, x, sizeof x)) ||
      axpy_Report(cuteDeviceWrite(module.device, on_y, y, sizeof y)))
    return 1;
  axpy_Tensor_both_0_t a = {(void *)(uintptr_t)on_x, {40}};
  axpy_Tensor_y_t b = {(void *)(uintptr_t)on_y, {39}};
  if (cute_dsl_axpy_wrapper(&module, &b, &a, 2, NULL) ||
      axpy_Report(cuteDeviceRead(module.device, y, on_y, sizeof y)))
    return 1;
  axpy_Kernel_Module_Unload(&module);
  printf("%g %g %g\\n", (double)y[1], (double)y[38], (double)y[39]);
  show_Kernel_Module_t none = {NULL, NULL};
  return cute_dsl_show_wrapper(&none, 41, true);
}
"""


def fake():
    return make_fake_compact_tensor(Float32, (sym_int(),), memspace=cute.AddressSpace.generic)


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        compiled = cute.compile(axpy, fake(), (fake(), Float32(1)), "axpy", make_fake_stream())
        compiled.export_to_c(cls.folder, "axpy", "axpy")
        cute.compile(show, 1, True).export_to_c(file_path=cls.folder, file_name="show", function_prefix="show")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_streams_by_their_handles(self):
        @cute.jit
        def launch(out: cute.Pointer, stream):
            show_zero(out).launch(stream=stream)

        @cute.kernel
        def show_zero(out: cute.Pointer):
            arch.store(out, 7)

        out = array.array("i", [0])
        pointer = cute.runtime.make_ptr(Int32, out.buffer_info()[0])
        cute.compile(launch, pointer, make_fake_stream())(pointer, 0)
        self.assertEqual(out[0], 7)

    def check(self, module):
        x, y = Floats("f", range(40)), Floats("f", [1] * 40)
        module.axpy(y, (x, 2.0), stream=0)
        self.assertEqual(list(y), [2.0 * i + 1 for i in range(40)])
        with self.assertRaisesRegex(TypeError, "missing a required argument: 'stream'"):
            module.axpy(y, (x, 2.0))
        with self.assertRaisesRegex(AttributeError, "no function other"):
            module.other

    def test_object(self):
        self.check(load_module(self.path("axpy.o")))
        load_module(self.path("show.o")).show(1, on=False)
        cute.export.ExternalBinaryModule(self.path("show.o")).show(1, on=False)

    def test_library(self):
        library = self.path("libboth.so")
        objects = [self.path("axpy.o"), self.path("show.o")]
        subprocess.run(["gcc", "-shared", "-o", library, *objects], check=True)
        module = load_module(library)
        self.check(module)
        module.show(n=5, on=True)

    def test_one_path(self):
        path = self.path("alone.o")
        cute.compile(show, 1, True).export_to_c(path, function_name="shown")
        library = path[:-2] + ".so"
        libraries = cute.runtime.find_runtime_libraries(enable_tvm_ffi=True)
        subprocess.run(["gcc", "-shared", "-o", library, path, *libraries], check=True)
        load_module(library, enable_tvm_ffi=True).shown(4, False)

    def test_c(self):
        libraries = os.environ["CUTE_LIBRARIES"]
        with open(self.path("program.c"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run(
            ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-DCUTE_EXPORT_DEVICE=CUTE_DEVICE_SIMULATED",
             f"-I{os.environ['CUTE_ROOT']}/include", "program.c", "axpy.o", "show.o",
             f"-L{libraries}", "-lcute-run", f"-Wl,-rpath,{libraries}", "-o", "program"],
            cwd=self.folder, check=True,
        )
        done = subprocess.run([self.path("program")], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("3 77 1\n42, 1\n", ""))

    def test_errors(self):
        with self.assertRaisesRegex(DSLRuntimeError, "is neither an object nor"):
            load_module(__file__)
        with self.assertRaises(FileNotFoundError):
            load_module(self.path("none.o"))
        compiled = cute.compile(show, 1, True)
        with self.assertRaisesRegex(Exception, "'a-b' is not an identifier of C"):
            compiled.export_to_c(self.folder, "bad", "a-b")

        @cute.jit
        def takes_dict(d: dict):
            pass

        with self.assertRaisesRegex(DSLRuntimeError, "dict cannot be exported"):
            cute.compile(takes_dict, {"a": Int32(1)}).export_to_c(self.folder, "bad", "bad")


if __name__ == "__main__":
    unittest.main()
