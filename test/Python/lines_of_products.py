# RUN: %python %s
"""What a product for Hopper loads and stores, by how its matrices lie in memory."""

import collections
import dataclasses
import unittest

from cute.kernels.gemm_sm90 import Product, program


def instructions(product):
    """How often each instruction occurs in the PTX of a product."""
    made = program({"product": product})
    made.optimize("sm_90a")
    lines = made.compile("sm_90a").decode().splitlines()
    return collections.Counter(line.strip().split(" ")[-2 if line.strip().startswith("@") else 0]
                               .rstrip(";") if line.strip() else "" for line in lines)


def count(found, *parts):
    """How many instructions have all parts in their names."""
    return sum(n for name, n in found.items() if all(part in name for part in parts))


class Lines(unittest.TestCase):
    product = Product("bf16", "bf16", "bf16", bm=128, bn=256)

    def test_loads(self):
        """One load for each 128 bytes of the contiguous mode."""
        for majors, loads in (("kk", 2), ("mk", 2 + 1), ("kn", 1 + 4), ("mn", 2 + 4)):
            found = instructions(dataclasses.replace(self.product, majors=majors))
            self.assertEqual(count(found, "cp.async.bulk.tensor", "shared::cluster.global"), loads)

    def test_stores(self):
        """Transposed, too, tiles go by stmatrix to shared memory, and by TMA from there."""
        for product, form in ((self.product, ".x4.shared"), (self.product.swapped(), ".x4.trans")):
            found = instructions(dataclasses.replace(product, bn=208))
            self.assertEqual(count(found, "stmatrix", form), 13)
            self.assertLessEqual(count(found, "cp.async.bulk.tensor", "global.shared"), 13)
            self.assertEqual(count(found, "st.global") + count(found, "st.shared.b16"), 0)


if __name__ == "__main__":
    unittest.main()
