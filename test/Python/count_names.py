# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Counts the public names of nvidia-cutlass-dsl that are here, placeholders, or missing.

`python3 test/Python/count_names.py table [MODULE ...]` prints the table, and of these modules
the names that are placeholders (?) or missing (-).
"""
import importlib
import pathlib
import sys
import unittest

import cute.as_cutlass  # noqa: F401
from cute._compat.placeholders import Placeholder, PlaceholderModule

LIST = pathlib.Path(__file__).parent / "Inputs" / "names_of_cutlass_dsl.txt"
# Modules whose names are all here.
WHOLE = """
cutlass cutlass.cute cutlass.cute.arch cutlass.cute.math cutlass.cute.runtime
cutlass.cute.testing cutlass.cute.typing cutlass.cute.nvgpu.warp cutlass.cute.nvgpu.warpgroup
cutlass.cute.nvgpu.cpasync cutlass.pipeline cutlass.utils.hopper_helpers cutlass.torch
cutlass.experimental.cuda cutlass.utils.distributed cutlass.utils cutlass.utils.mixed_input_helpers
cutlass.utils.blockscaled_layout cutlass.cute.nvgpu.common cutlass.cute.nvgpu
cutlass.cute.nvgpu.cpasync.copy cutlass.utils.blackwell_helpers
""".split()

# Modules whose every name is at least a placeholder, which says what to use instead.
KNOWN = """cutlass.experimental.primitives cutlass.cute.nvgpu.tcgen05
cutlass.jax cutlass.cute.experimental""".split()


def listed():
    """(module, names) of the list."""
    found = []
    for line in LIST.read_text().splitlines():
        if line.startswith("#"):
            continue
        words = line.split()
        if not line.startswith(" "):
            found.append((words.pop(0), []))
        found[-1][1].extend(words)
    return found


def judge(module, name):
    """' ' for a name that is here, '?' for a placeholder, '-' for a missing one."""
    try:
        value = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        return "-"
    return "?" if isinstance(value, (Placeholder, PlaceholderModule)) else " "


def table():
    """(module, here, placeholders, missing) of all modules: the names."""
    for module, names in listed():
        kinds = {name: judge(module, name) for name in names}
        yield module, *([n for n, k in kinds.items() if k == kind] for kind in " ?-")


class Names(unittest.TestCase):
    def test_whole_modules(self):
        for module, _, placeholders, missing in table():
            if module in WHOLE:
                self.assertEqual((module, placeholders, missing), (module, [], []))
            if module in KNOWN:
                self.assertEqual((module, missing), (module, []))
                for name in placeholders:
                    self.assert_advises(module, name)

    def assert_advises(self, module, name):
        """A placeholder's error names what to use."""
        found = getattr(importlib.import_module(module), name)
        if isinstance(found, PlaceholderModule):
            return
        with self.assertRaisesRegex(ImportError, "; (use|make|leave|import|inline_ptx) ?", msg=name):
            found()


def main(modules):
    total = [0, 0, 0]
    print(f"{'':34}{'here':>6}{'placeholders':>14}{'missing':>9}")
    for module, *kinds in table():
        counts = [len(kind) for kind in kinds]
        total = [a + b for a, b in zip(total, counts)]
        print(f"{module:34}{counts[0]:6}{counts[1]:14}{counts[2]:9}")
        if module in modules:
            print(*(f"  {mark} {' '.join(names)}" for mark, names in zip("?-", kinds[1:])), sep="\n")
    print(f"{'':34}{total[0]:6}{total[1]:14}{total[2]:9}")


if __name__ == "__main__":
    main(sys.argv[2:]) if sys.argv[1:2] == ["table"] else unittest.main()
