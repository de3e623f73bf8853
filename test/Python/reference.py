# RUN: %python %s %root/test/data/dsl_names.txt
"""The names of the reference are there, with its parameters in its order."""

import inspect
import operator
import sys
import unittest

import cute


def read(path):
    """Returns (name, parameters) of each line."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if not line.startswith("#")]
    rows = [line.partition(": ") for line in lines]
    return [(name, rest.split(", ") if rest else []) for name, _, rest in rows]


NAMES = read(sys.argv.pop())


class Reference(unittest.TestCase):
    def test_names(self):
        self.assertEqual(len(NAMES), 152)
        for name, _ in NAMES:
            with self.subTest(name):
                operator.attrgetter(name)(cute)

    def test_parameters(self):
        for name, wanted in NAMES:
            if not wanted:
                continue
            with self.subTest(name):
                found = inspect.signature(operator.attrgetter(name)(cute)).parameters.values()
                names = [p.name for p in found if p.name not in ("loc", "ip", "self")]
                self.assertEqual(names[: len(wanted)], wanted)


if __name__ == "__main__":
    unittest.main()
