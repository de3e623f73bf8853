# REQUIRES: full
# RUN: env CUTE_DEVICE=sim %python %s
"""Threads, errors, Ctrl-C and many compilations leave the package as it was."""

import array
import os
import resource
import signal
import subprocess
import sys
import threading
import unittest

import cute
from cute import Float32, Int32
from cute.runtime import make_fake_compact_tensor, make_ptr


@cute.kernel
def fill(out: cute.Tensor, value: cute.Constexpr):
    for i in range(cute.size(out)):
        out[i] = Float32(value)


@cute.jit
def launch_fill(out: cute.Tensor, value: cute.Constexpr):
    fill(out, value).launch(block=(1, 1, 1))


@cute.kernel
def wait_for_zero(cell: cute.Pointer):
    while cell.load() > 0:
        cute.arch.sync_threads()


@cute.kernel
def write_seven(cell: cute.Pointer):
    if cute.arch.block_idx()[0] == 0:
        cell.store(Int32(7))


@cute.jit
def run(cell: cute.Pointer, blocks: Int32, waits: cute.Constexpr):
    kernel = wait_for_zero if waits else write_seven
    kernel(cell).launch(grid=(blocks, 1, 1), block=(32, 1, 1))


@cute.jit
def fails(n: Int32):
    for i in range(n):
        if i > 3:
            int("in the middle of a loop")


def compiled(value):
    tensor = make_fake_compact_tensor(Float32, (cute.sym_int32(),))
    return cute.compile(launch_fill, tensor, value)


class Robustness(unittest.TestCase):
    def test_importing_leaves_out_what_only_some_programs_need(self):
        names = "inspect dataclasses ctypes ast shlex tokenize numpy torch cute.nvgpu"
        program = f"import sys, cute; print([n for n in {names.split()} if n in sys.modules])"
        made = subprocess.run([sys.executable, "-S", "-c", program], stdout=subprocess.PIPE)
        self.assertEqual(made.stdout, b"[]\n")

    def test_threads_compile_at_once(self):
        made, alone = {}, [compiled(i).__ptx__ for i in range(4)]

        def work(i):
            made[i] = compiled(i).__ptx__

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([made[i] for i in range(4)], alone)

    def test_errors_while_tracing(self):
        before = compiled(1).__mlir__
        for _ in range(3):
            with self.assertRaisesRegex(ValueError, "in the middle"):
                fails(5)
        with self.assertRaisesRegex(cute.DSLRuntimeError, "known at run time only"):
            cute.size(cute.make_layout(Int32(3)))
            fill(None, 1)
        self.assertEqual(compiled(1).__mlir__, before)

    def interrupt(self, seconds, function, *args):
        """Calls a function that Ctrl-C is to end, which the shell may have told to ignore."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.alarm(60)
        timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            function(*args)
            timer.join()
        signal.alarm(0)

    def test_ctrl_c_while_kernels_run(self):
        cell = array.array("i", [1])
        pointer = make_ptr(Int32, cell.buffer_info()[0], cute.AddressSpace.gmem)
        run(pointer, 1, False)
        self.assertEqual(cell[0], 7)
        for blocks, waits in ((1, True), (10**8, False)):
            self.interrupt(0.3, run, pointer, blocks, waits)
            cell[0] = 1
            run(pointer, 1, False)
            self.assertEqual(cell[0], 7)

    def test_ctrl_c_while_compiling(self):
        def compile_on():
            while True:
                compiled(2).__ptx__

        before = compiled(1).__ptx__
        for seconds in (0.05, 0.1, 0.17):
            self.interrupt(seconds, compile_on)
            self.assertEqual(compiled(1).__ptx__, before)

    def test_many_compilations(self):
        """Each leaves less than 4 KiB; it is 0.8 KiB, whether of 200 or of 1,000."""
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        count = 1000 if os.environ.get("CUTE_ALL_CASES") else 200
        for i in range(40):
            compiled(i % 4)
        before = peak()
        for i in range(count):
            compiled(i % 4)
        self.assertLess(peak() - before, 4 * count)  # KiB


if __name__ == "__main__":
    unittest.main()
