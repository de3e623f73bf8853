# RUN: env CUTE_CACHE=off %python %s
"""Code that is kept is made once."""
import os
import pathlib
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

    def test_sass(self):
        """nvdisasm of PATH gets the options and the cubin."""
        text = ("#!/bin/sh\nfor x; do case $x in *.cubin) echo '/*' $1 $2 '*/'; cat $x;; esac; done\n")
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(Compiled, "_code", return_value=b"the code"):
            tool = pathlib.Path(folder, "nvdisasm")
            tool.write_text(text)
            tool.chmod(0o755)
            path = os.pathsep.join([folder, os.environ["PATH"]])
            fake = make_fake_compact_tensor(Float32, (32,))
            with mock.patch.dict(os.environ, PATH=path):
                options = f"--gpu-arch sm_90a --keep-sass --dump-dir {folder}"
                made = cute.compile(clear, fake, options=options)
                self.assertEqual(made.artifacts.SASS, "/* -g -c */\nthe code")
                self.assertEqual(pathlib.Path(folder, f"{made.function_name}.sass").read_text(),
                                 made.__sass__)
                other = cute.compile[cute.NvdisasmOptions("-c -raw"), cute.GPUArch("sm_90a")]
                self.assertEqual(other(clear, fake).__sass__, "/* -c -raw */\nthe code")
            with mock.patch("shutil.which", return_value=None), \
                    self.assertRaisesRegex(FileNotFoundError, "nvdisasm is not in PATH or CUDA_HOME"):
                cute.compile[cute.KeepSASS, cute.DumpDir(folder), cute.GPUArch("sm_90a")](clear, fake)

    def test_options_that_are_off(self):
        fake = make_fake_compact_tensor(Float32, (32,))
        for option, wanted in (
            (cute.RDC, "RDC is off here; link LLVM bitcode by cute.LinkLibraries"),
            (cute.DeviceTarget, "DeviceTarget is off here; call it in a function under @cute.kernel"),
            (cute.RemarkFilter(".*"), "RemarkFilter is off here; read remarks of cute.compile"),
            (cute.RemarkOutput("x.yaml"), "RemarkOutput is off here; read remarks of cute.compile"),
        ):
            with self.assertRaisesRegex(ValueError, wanted):
                cute.compile[option](clear, fake)
        cute.compile[cute.RDC(False), cute.RemarkFilter(""), cute.GPUArch("sm_90a")](clear, fake)


if __name__ == "__main__":
    unittest.main()
