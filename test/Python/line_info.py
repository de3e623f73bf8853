# RUN: %python %s
"""Lines of the program in PTX."""
import os
import unittest

import cute
from cute import runtime


@cute.kernel
def store(a: cute.Tensor):
    a[0] = cute.Float32(1.0)  # the line


@cute.jit
def host(a: cute.Tensor):
    store(a).launch(grid=(1, 1, 1), block=(1, 1, 1))


def compiled(options):
    fake = runtime.make_fake_tensor(cute.Float32, (4,), (1,))
    return cute.compile(host, fake, options=options).__ptx__


class LineInfo(unittest.TestCase):
    def test_lines(self):
        with open(__file__, encoding="utf-8") as file:
            line = 1 + [x.endswith("# the line\n") for x in file].index(True)
        with_lines = compiled("--generate-line-info")
        self.assertIn(os.path.basename(__file__), with_lines)
        self.assertRegex(with_lines, rf"\.loc\s+\d+ {line} ")
        self.assertNotIn(".loc", compiled(""))
        self.assertNotRegex(with_lines, r"\.target .*debug")  # ptxas would optimize less


unittest.main()
