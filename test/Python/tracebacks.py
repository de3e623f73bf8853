# RUN: env CUTE_DEVICE=sim %python %s
# RUN: not env CUTE_DEVICE=sim %python -m cute run %S/Inputs/fails.py 2>&1 | FileCheck %s
# RUN: not env CUTE_DEVICE=sim CUTE_TRACEBACK=full %python -m cute run %S/Inputs/fails.py 2>&1 \
# RUN:   | FileCheck %s --check-prefix=FULL
"""Errors in programs: the frames of users, by their functions' names and at their lines."""
# CHECK: {{^}}Traceback (most recent call last):
# CHECK-NEXT: fails.py", line 22, in <module>
# CHECK-NEXT: host(
# CHECK-NEXT: fails.py", line 18, in host
# CHECK-NEXT: helper(
# CHECK-NEXT: fails.py", line 13, in helper
# CHECK-NEXT: a[i] = cute.nothing(i)
# CHECK-NEXT: {{^ +\^+$}}
# CHECK-NEXT: NoSuchName: cute.nothing
# FULL: in trace_function
# FULL: in if_

import traceback
import unittest

import cute
from cute import Int32
from cute.runtime import make_ptr


@cute.jit
def double(x):
    if x > 1:
        y = Int32(0)
        while y < x:
            if y > 2:
                y += {}["here"]  # LINE
            y += 1
    return x


@cute.jit
def host(a: cute.Pointer):
    double(a.load() * 2)


class Tracebacks(unittest.TestCase):
    def test_frames_of_a_caught_error(self):
        frames = []
        try:
            host(make_ptr(Int32, 16, cute.AddressSpace.gmem))
        except KeyError as error:
            frames = traceback.extract_tb(error.__traceback__)
        own = [(f.name, f.line) for f in frames if f.filename == __file__][1:]
        self.assertEqual([name for name, _ in own], ["host", "double"])
        self.assertIn("# LINE", own[-1][1])
        self.assertLessEqual(len(frames), 5)

    def test_errors_of_the_package_keep_their_frames(self):
        try:
            raise ValueError
        except ValueError as error:
            from cute._frontend import tracebacks

            self.assertIs(tracebacks.shown(error), error)
            self.assertEqual(len(traceback.extract_tb(error.__traceback__)), 1)


if __name__ == "__main__":
    unittest.main()
