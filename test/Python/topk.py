# REQUIRES: torch, full
# TURN: 4 of 4
# RUN: env CUTE_DEVICE=sim %python %s
# RUN: env CUTE_DEVICE=sim CUTE_SIM=schedule=3 %python %s
"""The largest elements of rows and their places on the simulator, beside what sorts them."""

import math
import unittest
import warnings

import torch

from cute.kernels import argmax, topk


def sorted_rows(a):
    """Elements in falling order, NaN first, and their places; equal ones in rising places."""
    keys = a.double().nan_to_num(nan=math.inf, posinf=1e300)
    places = torch.sort(-keys, dim=-1, stable=True).indices
    return torch.gather(a, -1, places), places


class Largest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def check(self, a, *counts):
        values, places = sorted_rows(a)
        self.assertEqual(argmax(a).tolist(), places[..., 0].tolist())
        for k in counts:
            found, indices = topk(a, k)
            self.assertEqual((found.dtype, indices.dtype), (a.dtype, torch.int64))
            self.assertTrue(torch.equal(indices, places[..., :k]), (a.shape, k))
            self.assertTrue(torch.equal(found.nan_to_num(7), values[..., :k].nan_to_num(7)))

    def test_shapes(self):
        """Rows of lanes, of a block and of several rounds, and whose ends are not at 16 bytes;
        small integers, many of them equal."""
        for shape in ((3, 100), (37, 16), (2, 3, 1000), (2, 1025), (2, 4104), (2, 17001),
                      (2, 17008)):
            with self.subTest(shape=shape):
                self.check(torch.randint(-9, 9, shape).half(), 1, 5)

    def test_types(self):
        for dtype in (torch.bfloat16, torch.float32):
            for columns in (520, 521):
                self.check(torch.randn(3, columns).to(dtype), 8)

    def test_all(self):
        self.check(torch.randn(2, 33), 33)
        self.check(torch.randn(4, 1), 1)

    def test_bounds(self):
        """Groups of one, two and four threads, and of more for few elements; as many elements as bounds are for, and more; and
        more equal ones than there is room for."""
        self.check(torch.randn(2, 1016).half(), 24, 25)
        self.check(torch.randn(2, 5112).half(), 16, 17, 60)
        self.check(torch.randn(1, 16384).half(), 61)
        self.check(torch.randn(1, 17001).half(), 40)
        self.check(torch.zeros(20, 504).half(), 11)
        self.check(torch.zeros(1, 6000).half(), 90)

    def test_bits(self):
        """More elements than groups of threads: by bits of 16, 19 and 32 as numbers have them; and
        as many equal ones as there is room for, or more."""
        self.check(torch.randn(5, 256).half(), 50, 128, 129)
        self.check(torch.randn(3, 1000).bfloat16(), 100)
        self.check(torch.randn(2, 4104), 100)
        self.check(torch.randn(1, 8200).half(), 300)
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            a = torch.full((4, 504), -math.inf)
            a[:, ::8], a[1, 40] = torch.randn(4, 63), math.nan
            self.check(a.to(dtype), 50, 100)

    def test_special(self):
        inf, nan = math.inf, math.nan
        rows = [[-0.0, 0.0, -1.0, -0.0], [-inf, -inf, -inf, -inf], [inf, nan, 1.0, inf],
                [-nan, nan, -inf, 3.0]]
        for dtype in (torch.float16, torch.float32):
            self.check(torch.tensor(rows, dtype=dtype), 4)
            self.check(torch.tensor(rows, dtype=dtype).repeat(1, 2), 8)

    def test_least(self):
        """Places that a row does not have are no candidates, even beside -inf alone."""
        for columns in (16, 21, 30):
            a = torch.full((3, columns), -math.inf)
            a[1, -2:] = torch.tensor([3.0, 5.0])
            self.check(a.half(), columns)
            self.check(a, columns)

    def test_views(self):
        whole = torch.randn(5, 64)
        whole[:, 40:] = 100
        self.check(whole[:, :40], 3)

    def test_nothing(self):
        a = torch.randn(3, 8)
        self.assertEqual([x.shape for x in topk(a, 0)], [(3, 0)] * 2)
        self.assertEqual([x.shape for x in topk(a[:0], 2)], [(0, 2)] * 2)
        self.assertEqual(argmax(a[:0]).shape, (0,))

    def test_rejected(self):
        a = torch.zeros(4, 64)
        for kind, text, function in (
            (ValueError, "k out of range: 65 of 64 columns", lambda: topk(a, 65)),
            (ValueError, "k out of range: -1 of 64 columns", lambda: topk(a, -1)),
            (TypeError, "rows are of f16, bf16, f32, not torch.int32", lambda: topk(a.int(), 1)),
            (TypeError, "rows are of f16, bf16, f32, not torch.int32", lambda: argmax(a.int())),
            (ValueError, "a has rows without elements", lambda: argmax(a[:, :0])),
            (ValueError, "a: its rows must be contiguous", lambda: argmax(a.t())),
            (ValueError, "a has rows, and is not a single number", lambda: argmax(a[0, 0])),
            (TypeError, "expected a torch tensor, not list", lambda: argmax([1.0])),
        ):
            with self.assertRaisesRegex(kind, text):
                function()


@unittest.skipUnless(hasattr(torch.library, "custom_op"), "torch before 2.4")
class Operators(unittest.TestCase):
    def test_as_torch_has_them(self):
        from cute.kernels import torch_ops  # pylint: disable=unused-import

        checks = ("test_schema", "test_autograd_registration", "test_faketensor",
                  "test_aot_dispatch_static")
        a, operators = torch.randn(3, 20, requires_grad=True), torch.ops.cute
        torch.library.opcheck(operators.argmax.default, (a.detach(),), test_utils=checks)
        torch.library.opcheck(operators.topk.default, (a, 4), test_utils=checks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # float32
            x = torch.randperm(24).view(3, 8).float().t().requires_grad_()
            torch.autograd.gradcheck(lambda x: operators.topk(x, 2)[0], x, eps=1e-2, atol=1e-3)


unittest.main()
