# RUN: env CUTE_DEVICE=sim %python %s
"""Threads, errors and many compilations leave the package as it was."""

import resource
import threading
import unittest

import cute
from cute import Float32, Int32
from cute.runtime import make_fake_compact_tensor


@cute.kernel
def fill(out: cute.Tensor, value: cute.Constexpr):
    for i in range(cute.size(out)):
        out[i] = Float32(value)


@cute.jit
def launch_fill(out: cute.Tensor, value: cute.Constexpr):
    fill(out, value).launch(block=(1, 1, 1))


@cute.jit
def fails(n: Int32):
    for i in range(n):
        if i > 3:
            raise ValueError("in the middle of a loop")


def compiled(value):
    tensor = make_fake_compact_tensor(Float32, (cute.sym_int32(),))
    return cute.compile(launch_fill, tensor, value)


class Robustness(unittest.TestCase):
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

    def test_many_compilations(self):
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        for i in range(40):
            compiled(i % 4)
        before = peak()
        for i in range(200):
            compiled(i % 4)
        self.assertLess(peak() - before, 4000)  # KiB


if __name__ == "__main__":
    unittest.main()
