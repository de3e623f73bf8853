# RUN: env CUTE_CACHE=off %python %s
"""Code that is kept is made once."""
import tempfile
import unittest
from unittest import mock

import cute
from cute import Float32
from cute._compile.compiled import Compiled
from cute.runtime import make_fake_compact_tensor


@cute.kernel
def clear_kernel(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 0.0


@cute.jit
def clear(a: cute.Tensor):
    clear_kernel(a).launch(grid=(1, 1, 1), block=(32, 1, 1))


class Kept(unittest.TestCase):
    def made(self, options):
        """The kinds of code that compiling makes, and what it keeps."""
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(Compiled, "_code", side_effect=[b"first", b"second"]) as code:
            options += f" --gpu-arch sm_90a --dump-dir {folder}"
            cute.compile(clear, make_fake_compact_tensor(Float32, (32,)), options=options)
        return [call.args[0] for call in code.call_args_list]

    def test_a_cubin_is_all_of_it(self):
        self.assertEqual(len(self.made("--keep-cubin")), 1)

    def test_ptx_is_made_anyway(self):
        self.assertEqual(self.made("--keep-ptx"), self.made(""))
        self.assertNotEqual(self.made("--keep-cubin"), self.made(""))


if __name__ == "__main__":
    unittest.main()
