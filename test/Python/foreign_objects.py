# REQUIRES: ptxas
# RUN: ptxas -c -arch=sm_90a %S/Inputs/foreign.ptx -o %t.cubin
# RUN: ptxas -c -arch=sm_80 %S/Inputs/foreign.ptx -o %t.80.cubin
# RUN: llvm-as %S/Inputs/foreign.ll -o %t.bc
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s %t %S/Inputs/foreign.ptx
"""Functions of device code from elsewhere as PTX and machine code, which nvJitLink links."""
import os
import sys
import tempfile
import unittest

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import Float32, Int32
from cutlass.cute.runtime import make_fake_compact_tensor
from cute._device import linker

PTX = sys.argv.pop()
PLACE = sys.argv.pop()
OLD, CUBIN = PLACE + ".80.cubin", PLACE + ".cubin"


def functions(source):
    return (cute.ffi(name="twice", params_types=[Float32], return_type=Float32, source=source),
            cute.ffi(name="add_one", params_types=[cute.Pointer], return_type=Int32, source=source))


@cute.kernel
def kernel(a: cute.Tensor, n: cute.Tensor, twice: cute.Constexpr, add_one: cute.Constexpr):
    thread = cute.arch.thread_idx()[0]
    a[thread] = twice(a[thread])
    if thread == 0:
        n[0] = add_one(n.iterator)


@cute.jit
def launch(a: cute.Tensor, n: cute.Tensor, source: cute.Constexpr):
    kernel(a, n, *functions(source)).launch(grid=1, block=32)


def compiled(source, options="--gpu-arch=sm_90a --lazy"):
    tensors = [make_fake_compact_tensor(t, (32,)) for t in (Float32, Int32)]
    return cute.compile(launch, *tensors, source, options=options)


def symbols(cubin):
    """The names in an ELF's string tables."""
    return {name.decode(errors="replace") for name in cubin.split(b"\0") if name}


class Objects(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            linker._library()
        except cutlass.NotThere as missing:
            raise unittest.SkipTest(str(missing))

    def test_linked(self):
        for source in (PTX, CUBIN):
            made = compiled(source)
            self.assertIn(".extern .func", made.__ptx__)
            found = symbols(made.__cubin__)
            self.assertLess({".text.kernel_kernel_0", ".text.twice", ".text.add_one"}, found)

    def test_beside_bitcode(self):
        twice, _ = functions(cute.BitCode(PLACE + ".bc"))
        _, add_one = functions(PTX)

        @cute.jit
        def both(a: cute.Tensor, n: cute.Tensor):
            kernel(a, n, twice, add_one).launch(grid=1, block=32)

        tensors = [make_fake_compact_tensor(t, (32,)) for t in (Float32, Int32)]
        made = cute.compile(both, *tensors, options="--gpu-arch=sm_90a --lazy")
        self.assertEqual(made.__ptx__.count(".extern .func"), 1)
        self.assertTrue(made.__cubin__.startswith(b"\x7fELF"))
        anywhere = compiled(None, f"--gpu-arch=sm_90a --lazy --link-libraries={CUBIN}")
        self.assertTrue(anywhere.__cubin__.startswith(b"\x7fELF"))

    def test_errors_of_the_linker(self):
        with self.assertRaisesRegex(cute.CompileError, "nvJitLink .*twice|twice.*ndefined"):
            linker.linked(compiled(PTX).__ptx__.encode(), [], "sm_90a")
        with self.assertRaisesRegex(cute.CompileError, "nvJitLink"):
            _ = compiled(OLD, "--gpu-arch=sm_100a --lazy").__cubin__


class Rejected(unittest.TestCase):
    def test_simulator(self):
        for source, name in ((PTX, "foreign.ptx"), (CUBIN, os.path.basename(CUBIN))):
            with self.assertRaisesRegex(cutlass.NotThere, f"{name} is code for a device, which the "
                                        "simulator cannot run: give LLVM bitcode"):
                _ = compiled(source)._host

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "no.o")
            with open(path, "wb") as file:
                file.write(b"text")
            with self.assertRaisesRegex(cute.CompileError, "no.o cannot be linked: it is neither"):
                compiled(path)
            with self.assertRaisesRegex(cutlass.NotThere, "are linked when kernels are loaded"):
                compiled(PTX).export_to_c(object_file_path=os.path.join(folder, "f.o"))

    def test_kinds(self):
        with open(CUBIN, "rb") as file:
            cubin = file.read()
        for code, kind in ((cubin, 1), (b".version 8.0", 2), (b"\xed\x43\x4e\x7f", 3),
                           (b"\x50\xed\x55\xba", 4), (b"\x7fELF" + bytes(14) + b">\0", 5),
                           (b"!<arch>\n", 6)):
            self.assertEqual(linker._kind_of("x", code), kind)

    def test_without_nvjitlink(self):
        names, linker._NAMES = linker._NAMES, ("libnothing.so",)
        try:
            with self.assertRaisesRegex(cutlass.NotThere, "pip install nvidia-nvjitlink"):
                _ = compiled(PTX).__cubin__
        finally:
            linker._NAMES = names


if __name__ == "__main__":
    unittest.main()
