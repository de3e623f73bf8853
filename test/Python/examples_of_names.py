# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s %root
"""Examples in docs/api.md of functions without one in their docstring are right."""
import array
import importlib
import pathlib
import sys
import unittest

import cute
from cute.runtime import make_ptr

ROOT = pathlib.Path(sys.argv.pop())
PAGE = ROOT / "docs/api.md"
sys.path.insert(0, str(ROOT / "tools"))
import api_examples  # noqa: E402

LANE = 5


def names():
    """What expressions see: the package, and its public names."""
    return {**vars(cute), "cute": cute, "make_layout": cute.make_layout}


def looked_up(example):
    """The expression with its name as a path that leads to it from `cute`."""
    importlib.import_module(example.module)
    return example.expression.replace("$", f"{example.module}.{example.name}")


def in_kernel(examples, kind, code):
    """What lane 5 has of each example, as Python prints it: all in one kernel."""
    codes = [compile(looked_up(example), str(example), "eval") for example in examples]

    @cute.kernel
    def kernel(out: cute.Tensor):
        lane = cute.arch.thread_idx()[0]
        for i, example in enumerate(examples):
            found = eval(codes[i], {**names(), "lane": lane})
            if cute.const_expr(example.result):
                out[lane, i] = kind(found)

    @cute.jit
    def launch(out: cute.Pointer):
        kernel(cute.make_tensor(out, (32, len(examples)))).launch(grid=1, block=32)

    numbers = array.array(code, [0] * 32 * len(examples))
    launch(make_ptr(kind, numbers.buffer_info()[0], cute.AddressSpace.gmem))
    return [repr(number) for number in numbers[LANE::32]]


class Examples(unittest.TestCase):
    def test_at_the_prompt(self):
        for example in api_examples.read():
            if not example.is_in_kernel:
                with self.subTest(str(example)):
                    self.assertEqual(repr(eval(looked_up(example), names())), example.result)

    def test_in_kernels(self):
        inside = [example for example in api_examples.read() if example.is_in_kernel]
        self.assertGreater(len(inside), 100)
        floats = [example for example in inside if "." in example.result]
        for examples, kind, code in ((floats, cute.Float32, "f"),
                                     ([e for e in inside if e not in floats], cute.Int64, "q")):
            for example, found in zip(examples, in_kernel(examples, kind, code)):
                if example.result:
                    with self.subTest(str(example)):
                        self.assertEqual(found, example.result)

    def test_page_has_all(self):
        text = PAGE.read_text(encoding="utf-8")
        for example in api_examples.read():
            self.assertTrue(example.sentence() in text, f"./dev docs: no {example.sentence()}")


if __name__ == "__main__":
    unittest.main()
