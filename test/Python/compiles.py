# RUN: env CUTE_DEVICE=sim %python %s
"""cute.compile makes the code that is launched, and finds its errors; --compile-only compiles
all kernels of a program."""
import os
import subprocess
import sys
import tempfile
import unittest

import cute
from cute import Float32
from cute.runtime import make_fake_tensor


@cute.kernel
def cluster_kernel(a: cute.Tensor):
    cute.arch.cluster_arrive()
    cute.arch.cluster_wait()
    a[0] = Float32(1.0)


@cute.jit
def needs_hopper(a: cute.Tensor):
    cluster_kernel(a).launch(grid=(1, 1, 1), block=(1, 1, 1))


FAKE = make_fake_tensor(Float32, (4,), (1,))
PROGRAM = """
import array, sys, cute
from cute.runtime import make_ptr

@cute.kernel
def first(a: cute.Tensor):
    a[0] = cute.Float32(1.0)

@cute.kernel
def second(a: cute.Tensor):
    {body}
    a[1] = cute.Float32(2.0)

@cute.jit
def f(p: cute.Pointer):
    first(cute.make_tensor(p, 4)).launch(grid=(1, 1, 1), block=(1, 1, 1))

@cute.jit
def g(p: cute.Pointer):
    second(cute.make_tensor(p, 4)).launch(grid=(1, 1, 1), block=(1, 1, 1))

memory = array.array("f", [0] * 4)
pointer = make_ptr(cute.Float32, memory.buffer_info()[0], cute.AddressSpace.gmem)
f(pointer)
g(pointer)
assert memory[1] == 2, "wrong result"
print("right")
"""


class Compile(unittest.TestCase):
    def test_finds_errors_of_code_generation(self):
        with self.assertRaisesRegex(cute.DSLError, "sm_90"):
            cute.compile(needs_hopper, FAKE, options="--gpu-arch sm_80")
        cute.compile(needs_hopper, FAKE, options="--gpu-arch sm_90a")

    def test_makes_what_is_launched(self):
        self.assertIn("_host", cute.compile(needs_hopper, FAKE).__dict__)

    def test_lazily(self):
        for compiled in (
            cute.compile(needs_hopper, FAKE, options="--gpu-arch sm_80 --lazy"),
            cute.compile[cute.GPUArch("sm_80"), cute.Lazy](needs_hopper, FAKE),
        ):
            self.assertFalse({"_host", "__ptx__"} & compiled.__dict__.keys())
            with self.assertRaisesRegex(cute.DSLError, "sm_90"):
                _ = compiled.__ptx__


class CompileOnly(unittest.TestCase):
    def run_program(self, body):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(PROGRAM.format(body=body))
            return subprocess.run(
                [sys.executable, "-m", "cute", "run", "--compile-only", "--arch", "sm_80", path],
                capture_output=True, text=True, check=False)

    def test_all_kernels(self):
        done = self.run_program("pass")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"compiled kernel_first_0 for sm_80: \d+ bytes of PTX\n"
                         r"cute: compiled kernel_second_0 for sm_80: \d+ bytes of PTX\n"
                         r"cute: kernels did not run; the program ended with AssertionError: wrong")

    def test_a_kernel_that_cannot_be_compiled(self):
        done = self.run_program("cute.arch.cluster_arrive(); cute.arch.cluster_wait()")
        self.assertEqual(done.returncode, 1)
        self.assertIn("compiled kernel_first_0", done.stdout)
        self.assertIn("sm_90", done.stderr)


class Notebooks(unittest.TestCase):
    def test_leave_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.ipynb")
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"cells": [{"cell_type": "code", "source": ["print(6 * 7)"]}]}')
            scratch = os.path.join(folder, "tmp")
            os.mkdir(scratch)
            done = subprocess.run([sys.executable, "-m", "cute", "run", path], check=True,
                                  capture_output=True, text=True, env={**os.environ, "TMPDIR": scratch})
            self.assertIn("42", done.stdout)
            self.assertEqual(os.listdir(scratch), [])


if __name__ == "__main__":
    unittest.main()
