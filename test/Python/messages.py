# RUN: env CUTE_DEVICE=sim %python %s
"""Messages name what a program writes, and its lines; breakpoints print a thread's variables."""
import array
import os
import subprocess
import sys
import tempfile
import unittest

import cute
from cute import Float32, Int32
from cute.runtime import make_fake_tensor, make_ptr

PROGRAM = """
import array, cute
from cute import Float32, Int32
from cute.runtime import make_ptr

@cute.kernel
def k(a: cute.Tensor, n: Int32):
    i = cute.arch.thread_idx()[0]
    x = Float32(0.5)
    for j in range(n):
        x = x * 2.0
    pair = (i, x)
    a[i + 32 * cute.arch.block_idx()[0]] = x

@cute.jit
def f(p: cute.Pointer, n: Int32):
    k(cute.make_tensor(p, 64), n).launch(grid=(2, 1, 1), block=(32, 1, 1))

memory = array.array("f", [0] * 64)
f(make_ptr(Float32, memory.buffer_info()[0], cute.AddressSpace.gmem), 3)
print("ran")
"""


def run_program(path, **environment):
    kept = {k: v for k, v in os.environ.items() if k != "CUTE_DEVICE"}
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    return subprocess.run([sys.executable, path], capture_output=True, text=True, check=False,
                          env={**kept, **environment})


class Programs(unittest.TestCase):
    def setUp(self):
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "program.py")

    def test_breakpoints(self):
        for place, values in (
            ("13:1,3", "program.py:13: block 1, thread 3\n  i = 3\n  n = 3\n  pair = (3,4.000000)\n  x = 4.000000\n"),
            ("11:0,2", "program.py:11: block 0, thread 2\n  i = 2\n  j = 0\n  n = 3\n  x = 0.500000\n"),
            ("5", ""),
        ):
            done = run_program(self.path, CUTE_DEVICE="sim", CUTE_SIM=f"break={place},checks=on")
            self.assertEqual(done.stdout, values, done.stderr)
            self.assertIn("breakpoint", done.stderr)
        self.assertIn("warning: break=5: no kernel has an operation at that line", done.stderr)
        self.assertIn("reaches the breakpoint 0 times", done.stderr)

    def test_a_note_where_there_is_no_device(self):
        note = "note: there is no CUDA device: kernels run on the simulator"
        self.assertNotIn(note, run_program(self.path, CUTE_DEVICE="sim").stderr)
        if cute._device.devices.ordinal.__wrapped__() == cute._bridge.SIMULATED:
            os.environ.pop("CUTE_DEVICE", None)
        if cute._device.devices.ordinal.__wrapped__() == cute._bridge.SIMULATED:
            self.assertEqual(run_program(self.path).stderr.count(note), 1)
        os.environ["CUTE_DEVICE"] = "sim"


def undecorated(i):
    if i > 3:
        return i
    return i + 1


class Mistakes(unittest.TestCase):
    def test_findings_of_the_simulator(self):
        @cute.kernel
        def k(a: cute.Tensor):
            i = cute.arch.thread_idx()[0]
            shared = cute.utils.SmemAllocator().allocate_tensor(Float32, cute.make_layout(64), 16)
            shared[i] = Float32(i)
            a[i] = shared[63 - i]

        @cute.jit
        def f(p: cute.Pointer):
            k(cute.make_tensor(p, 64)).launch(grid=(1, 1, 1), block=(64, 1, 1))

        memory = array.array("f", [0] * 64)
        with self.assertRaisesRegex(cute.SimulatorError, r"race.*cute\.arch\.sync_threads\(\)") as found:
            f(make_ptr(Float32, memory.buffer_info()[0], cute.AddressSpace.gmem))
        self.assertNotIn("gpu.barrier", str(found.exception))
        self.assertNotIsInstance(found.exception, cute.CompileError)
        self.assertIn("race", found.exception.diagnostics[0][1])

    def test_helpers_without_a_decorator(self):
        @cute.jit
        def f(n: Int32):
            return undecorated(n)

        with self.assertRaisesRegex(cute.DSLError, r"messages.py:\d+:\d+: Python decides this in undecorated.*"
                                    "put @cute.jit above def undecorated"):
            f(3)

    def test_lambdas(self):
        with self.assertRaisesRegex(cute.DSLError, "a lambda cannot be compiled: write a def"):
            cute.jit(lambda n: n + 1)(3)

    def test_no_numbers(self):
        @cute.jit
        def f(a: cute.Tensor):
            a[0] = "x"

        with self.assertRaisesRegex(TypeError, "Float32 is made of a number, not of 'x'"):
            cute.compile(f, make_fake_tensor(Float32, (4,), (1,)))

    def test_architectures(self):
        for name in ("sm_1", "sm_90b", "90"):
            with self.assertRaisesRegex(ValueError, f"not '{name}'; there are sm_70, .*sm_90a"):
                cute.compile(undecorated, 3, options=f"--gpu-arch {name}")

    def test_slips(self):
        @cute.kernel
        def nothing():
            pass

        @cute.jit
        def f():
            nothing().launch(gird=(1, 1, 1), block=(32, 1, 1))

        with self.assertRaisesRegex(ImportError, "no option gird in this package; did you mean grid?"):
            f()
        with self.assertRaisesRegex(cute.DSLError, "num_bits_per_copy is 48; it can be 8, 16, 32, 64 or 128"):
            cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=48)

    def test_endless_while(self):
        code = ("import cute\nfrom cute import Int32\n"
                "@cute.jit\ndef f(n: Int32):\n    i = 0\n    while i < 10001:\n        i += 1\n"
                "    return n\nf(3)\n")
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(code)
            file.flush()
            done = subprocess.run([sys.executable, file.name], capture_output=True, text=True)
        self.assertRegex(done.stderr, r":6: warning: this while has run 10000 rounds in Python")
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
