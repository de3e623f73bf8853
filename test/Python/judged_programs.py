# RUN: %python %s %root/bench
"""What the table of public programs says of a program that fails."""

import sys
import types
import unittest

sys.path.insert(0, sys.argv.pop())

import programs  # noqa: E402

RACE = "SimulatorError: error: kernel 'k': a.py:1:2: block 0, thread 1: race: writes it; write x"


class Judged(unittest.TestCase):
    def judge(self, text, gpu, status=1):
        """The verdict on a program that ends so, and well with other arguments or switches."""
        execute = programs.execute
        programs.execute = lambda path, name, options, args, **switches: (
            (0, "") if args or switches else (status, text))
        try:
            return programs.judge("", "", types.SimpleNamespace(gpu=gpu, compile=True))
        finally:
            programs.execute = execute

    def test_lack_of_memory_is_no_finding(self):
        for text in ("torch.OutOfMemoryError: CUDA out of memory. Tried to trace 2 GiB",
                     "XlaRuntimeError: RESOURCE_EXHAUSTED: reused too early"):
            kind, reason = self.judge(text, True)
            self.assertEqual((kind, reason[:45]), ("no", "out of memory, perhaps beside other programs:"))

    def test_findings_of_the_simulator(self):
        self.assertEqual(
            self.judge(RACE, False),
            ("runs", "with checks=off; the simulator finds: a.py:1:2: block 0, thread 1: race: writes it"))

    def test_temporary_folders_have_one_name(self):
        text = "OSError: cmake -B '/tmp/tmpcxs2_cct' /tmp/tmpab_12xyz/deeper/ffi failed"
        self.assertEqual(programs.reason_of(text), "OSError: cmake -B 'TMP' ffi failed")

    def test_only_the_program_skips(self):
        text = "-- Check for working C compiler: cc - skipped\n"
        self.assertEqual(self.judge(text, True, 0), ("runs", ""))
        self.assertEqual(self.judge(text + "no GPU: skipping", True, 0), ("skips", "no GPU: skipping"))

    def test_what_compiles_alone(self):
        self.assertEqual(self.judge("ValueError: no", True), ("compiles", "ValueError: no"))


if __name__ == "__main__":
    unittest.main()
