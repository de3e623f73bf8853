# RUN: env CUTE_DEVICE=sim %python %s
"""Switches of the environment and of compile: what is kept, and the cache on disk."""

import os
import tempfile
import unittest
from unittest import mock

import cute
from cute import Int32, _bridge
from cute._compile import cache as _cache


def add(amount):
    @cute.jit
    def f(n: Int32):
        return n + amount

    return f


class Cache(unittest.TestCase):
    def run_in(self, folder, function, *args, **more):
        with mock.patch.dict(os.environ, {"CUTE_CACHE": folder, **more}):
            return function(*args)

    def test_finds_what_is_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_in(folder, add(1), 4), 5)
            self.assertEqual(len(os.listdir(folder)), 1)
            with mock.patch.object(_bridge, "cache_keep") as keep:
                self.assertEqual(self.run_in(folder, add(1), 6), 7)
                keep.assert_not_called()
                self.assertEqual(self.run_in(folder, add(2), 6), 8)
                keep.assert_called_once()
            self.run_in(folder, add(3), 6, CUTE_DSL_DISABLE_FILE_CACHING="1")
            with mock.patch.object(_bridge, "cache_keep") as keep:
                self.run_in("off", add(3), 6)
                keep.assert_not_called()
            self.assertEqual(len(os.listdir(folder)), 1)

    def test_entries_that_are_damaged_and_folders_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_in(folder, add(1), 4)
            path = os.path.join(folder, os.listdir(folder)[0])
            with open(path, "r+b") as file:
                file.truncate(200)
            self.assertEqual(self.run_in(folder, add(1), 4), 5)
            self.assertGreater(os.path.getsize(path), 200)
        self.assertEqual(self.run_in("/proc/none", add(1), 4), 5)

    def test_lines_count_where_they_can_be_seen(self):
        @cute.jit
        def plain(n: Int32):
            return n

        @cute.jit
        def asserts(n: Int32):
            cute.testing.assert_(n > 1, "few")

        options = ("sm_80", 3, 2, None, False)
        for function, sees in (plain, False), (asserts, True):
            module = cute.compile(function, 2).traced.module
            self.assertEqual(b"switches.py" in _cache._key(module, options), sees)


class Kept(unittest.TestCase):
    def test_files(self):
        options = "--gpu-arch sm_80 --keep-ptx --dump-dir "
        with tempfile.TemporaryDirectory() as folder:
            cute.compile(launching, 1, options=options + folder)
            self.assertEqual(os.listdir(folder), ["launching.ptx"])
            with mock.patch.dict(os.environ, {"CUTE_DSL_KEEP_IR": "1", "CUTE_DUMP_DIR": folder}):
                cute.compile(launching, 1)
            with open(os.path.join(folder, "launching.mlir"), encoding="utf-8") as file:
                self.assertIn("gpu.launch_func", file.read())

    def test_a_list_of_what_is_kept(self):
        for kept, files in (("ir, ptx", ["launching.mlir", "launching.ptx"]), ("none", [])):
            with tempfile.TemporaryDirectory() as folder, mock.patch.dict(
                    os.environ, {"CUTE_DSL_KEEP": kept, "CUTE_DSL_DUMP_DIR": folder}):
                compiled = cute.compile(launching, 1, options="--gpu-arch=sm_80")
                self.assertEqual(sorted(os.listdir(folder)), files)
        self.assertEqual(compiled.function_name, "launching")
        self.assertIn("gpu.launch_func", str(compiled.ir_module))

    def test_what_launches_can_be_replaced(self):
        import cute.as_cutlass  # noqa: F401
        from cutlass.base_dsl import jit_executor

        compiled = cute.compile(launching, 1)
        self.assertIsInstance(compiled, jit_executor.JitExecutor)
        with mock.patch.object(jit_executor.JitCompiledFunction, "__call__",
                               lambda *args: "not launched"):
            self.assertEqual(compiled(1), "not launched")

    def test_architecture(self):
        for name, value in ("CUTE_DSL_ARCH", "sm_90a"), ("CUTE_ARCH", "sm_86"):
            with mock.patch.dict(os.environ, {name: value}):
                self.assertIn(f".target {value}", cute.compile(launching, 1).__ptx__)


@cute.kernel
def kernel():
    pass


@cute.jit
def launching(n: Int32):
    kernel().launch(grid=(n, 1, 1), block=(32, 1, 1))


if __name__ == "__main__":
    unittest.main()
