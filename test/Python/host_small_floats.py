# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Floats of 8 bits in functions of the host: as kernels convert them."""

import array
import random
import unittest

import cute
from cute import Float32, Float64
from cute.runtime import make_ptr


@cute.kernel
def by_kernel(x: cute.Tensor, y: cute.Tensor, kind: cute.Constexpr):
    for i in range(cute.size(x)):
        y[i] = x[i].to(kind).to(Float32)


@cute.jit
def run(x: cute.Pointer, host: cute.Pointer, device: cute.Pointer, n: cute.Constexpr,
        kind: cute.Constexpr):
    x, host, device = (cute.make_tensor(p, cute.make_layout(n)) for p in (x, host, device))
    by_kernel(x, device, kind).launch(grid=(1, 1, 1), block=(1, 1, 1))
    for i in range(n):
        host[i] = x[i].to(kind).to(Float32)


def pointer(element, values):
    return make_ptr(element, values.buffer_info()[0], cute.AddressSpace.gmem)


def hard_values():
    """Values of all magnitudes, and those half way between two floats of 8 bits, or nearly."""
    chance = random.Random(7)
    found = [chance.gauss(0, 1) * 2.0 ** chance.randrange(-30, 24) for _ in range(200)]
    halves = [(1 + i / 32) * 2.0 ** chance.randrange(-20, 10) for i in range(1, 32, 2)]
    near = [x * (1 + s * 2.0 ** -40) for x in halves for s in (-1, 0, 1)]
    edges = [0.0, -0.0, 448, 464, 464.0001, 57344, 61440, 1e30, -1e30, 2.0 ** -10, 2.0 ** -150]
    return found + [-x for x in halves] + near + edges


class HostConversions(unittest.TestCase):
    def test_as_in_kernels(self):
        for kind in (cute.Float8E4M3FN, cute.Float8E5M2, cute.Float4E2M1FN, cute.Float6E2M3FN, cute.Float6E3M2FN):
            for element, code in ((Float32, "f"), (Float64, "d")):
                x = array.array(code, hard_values())
                host, device = (array.array("f", [v] * len(x)) for v in (0, 1))
                run(pointer(element, x), pointer(Float32, host), pointer(Float32, device),
                    len(x), kind)
                with self.subTest(kind=kind, element=element):
                    self.assertEqual(list(host), list(device))
                    self.assertGreater(len(set(host)), {8: 60, 6: 20, 4: 10}[kind.width])


if __name__ == "__main__":
    unittest.main()
