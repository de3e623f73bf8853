# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s %root/bench
"""Names that only some versions of CuTe DSL have, and what finds them in wheels."""
import array
import pathlib
import sys
import tempfile
import unittest
import zipfile

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import Float4E2M1FN, Float16, Int8, Int32
from cutlass._mlir import ir
from cutlass.cute.runtime import make_ptr

sys.path.insert(0, sys.argv.pop())
import versions  # noqa: E402

FILES = {
    "cutlass/__init__.py": "from .a import one, _two\nfrom . import a\nimport os\nclass Own: pass\n",
    "cutlass/a.py": "from .b import *\nfrom . import b as _b\n"
                    "__all__ = ['one', 'gone', *_b.__all__] + ['more']\n"
                    "def one(): pass\nif True:\n    more = 1\nelse:\n    other = 2\n",
    "cutlass/b/__init__.py": "from .c import __all__ as _names\n__all__ = ['here']\nhere = 3\n"
                             "__all__ += _names\n__all__.extend(['last'])\nlast: int = 4\n",
    "cutlass/b/c.py": "__all__ = ['deep', '_hidden']\ndef deep(): pass\n",
    "cutlass/lazy.py": "__all__ = ['late', 'never']\nT = {'late': 1}\n"
                       "def __getattr__(name): pass\n",
}


class Wheels(unittest.TestCase):
    def test_public_names(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = pathlib.Path(folder, "x-1-py3-none-any.whl")
            with zipfile.ZipFile(wheel, "w") as archive:
                for name, text in FILES.items():
                    archive.writestr(f"x/dsl_packages/{name}", text)
            sources = versions.Sources([wheel])
            for module, names in (("cutlass.b", "here deep last"), ("cutlass.a", "one here deep last more"),
                                  ("cutlass", "one Own"), ("cutlass.lazy", "late")):
                self.assertEqual(sources.public(module), set(names.split()), module)
            self.assertIsNone(sources.tree("cutlass.none"))
            self.assertEqual(versions.fetch(pathlib.Path(folder), "x", "1"), wheel)

    def test_page(self):
        verdicts = [versions.judge("cutlass.cute", name) for name in ("copy", "no_such_name")]
        verdicts.append(versions.judge("cutlass.cute.nvgpu.tcgen05", "SM107MmaFP8Op"))
        self.assertEqual(verdicts, ["here", "missing", "placeholder"])
        text = versions.page(
            {"4.4.2": {("cutlass.cute", "old"): "missing", ("cutlass.cute", "copy"): "here"},
             "4.8.1": {("cutlass.cute", "copy"): "here"}},
            [("quack-kernels", "1.0", ">=4.4", {"softmax": "", "rmsnorm": "ValueError: no",
                                               "topk": "runs with checks=off: a race"})])
        for line in ("| public names | 2 | 1 |", "| `cutlass.cute` | 1 of 2 | 1 of 1 |",
                     "| `cutlass.cute`, missing | `old` | 4.4 |",
                     "| quack-kernels 1.0 | >=4.4 | "
                     "softmax, topk (runs with checks=off: a race) | rmsnorm: ValueError: no |"):
            self.assertIn(line, text.splitlines())


class Names(unittest.TestCase):
    def test_context(self):
        class Single(ir.Context):
            def __init__(self, *args):
                super().__init__(*args)
                self.enable_multithreading(False)

        with Single() as context:
            self.assertIsInstance(context, ir.Context)
            self.assertEqual(str(ir.Type.parse("vector<4xf32>")), "vector<4xf32>")

    def test_factors(self):
        self.assertIs(cutlass.utils.make_smem_layout_sf,
                      cutlass.utils.blockscaled_layout.make_smem_layout_sf)

    def test_functions_of_kernels(self):
        @cute.kernel
        def kernel(src: cute.Tensor, out: cute.Tensor):
            near = cute.arch.alloc_smem(Int32, 32 * 4, alignment=16)
            lane = cute.arch.lane_idx()
            cute.arch.cp_async_shared_global(near + 4 * lane, src.iterator + 4 * lane, 16, "cg",
                                             cp_size=8)
            cute.arch.cp_async_commit_group()
            cute.arch.cp_async_wait_group(0)
            for i in cutlass.range_constexpr(4):
                out[i, lane] = cute.make_tensor(near, 128)[4 * lane + i]
            codes = cute.make_rmem_tensor(4, Int8)
            for i in cutlass.range_constexpr(4):
                codes[i] = Int8(0x21 + 0x22 * i)
            small = cute.recast_tensor(codes, Float4E2M1FN).load()
            halves = cute.TensorSSA(
                cute.arch.cvt_f4e2m1_f16_intrinsic(small.ir_value(), 8), 8, Float16)
            for i in cutlass.range_constexpr(8):
                out[4 + i, lane] = Int32(halves[i] * Float16(10))

        @cute.jit
        def launch(src: cute.Pointer, out: cute.Pointer):
            kernel(cute.make_tensor(src, 128), cute.make_tensor(out, (12, 32))).launch(
                grid=1, block=32)

        numbers = array.array("i", range(128 + 4))
        first = -numbers.buffer_info()[0] % 16 // 4
        out = array.array("i", [-1] * 12 * 32)
        launch(*(make_ptr(Int32, address, cute.AddressSpace.gmem, assumed_align=align)
                 for address, align in ((numbers.buffer_info()[0] + 4 * first, 16),
                                        (out.buffer_info()[0], 4))))
        for lane in range(32):
            given = [first + 4 * lane, first + 4 * lane + 1, 0, 0]
            self.assertEqual(out[12 * lane : 12 * lane + 12].tolist(),
                             given + [5, 10, 15, 20, 30, 40, 60, 0])


if __name__ == "__main__":
    unittest.main()
