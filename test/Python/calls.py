# REQUIRES: torch
# RUN: %python %s
"""What is kept of calls: arrays of torch tell calls apart by what kernels are bound to."""
import unittest

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from cute import _bridge


def function():
    """Stands for what prepares calls."""


class Kept(unittest.TestCase):
    def keep(self, arrays, numbers=(1,), call="call"):
        return _bridge.call_keep(function, arrays, numbers, call)

    def find(self, *arrays, numbers=(1,), of=function):
        return _bridge.call_find(of, arrays, numbers)

    def test_alike(self):
        a = torch.zeros(6, 4)
        self.assertTrue(self.keep((a, None)))
        self.assertEqual(self.find(torch.ones(6, 4), None), "call")
        self.assertEqual(self.find(torch.nn.Parameter(a), None), "call")

    def test_others(self):
        """Another type, extent, order, alignment, rank, number or function is another call."""
        whole = torch.zeros(8, 8)
        a = whole[:4, :4]
        self.assertTrue(self.keep((a, a)))
        for other in (a.double(), a.int(), whole[:4, :5], whole[:5, :4], a.t(), a.contiguous(),
                      whole[:4, 1:5], a[None], None):
            self.assertIsNone(self.find(a, other))
            self.assertIsNone(self.find(other, a))
        self.assertIsNone(self.find(a))
        self.assertIsNone(self.find(a, a, numbers=(2,)))
        self.assertIsNone(self.find(a, a, of=self.find))
        self.assertEqual(self.find(a, whole[4:, 4:]), "call")

    def test_anew(self):
        a = torch.zeros(3)
        self.keep((a,), call="first")
        self.keep((a,), call="second")
        self.assertEqual(self.find(a), "second")

    def test_many(self):
        """There is room for the latest ones."""
        arrays = [torch.zeros(3, n) for n in range(2000)]
        for n, a in enumerate(arrays):
            self.keep((a,), call=n)
            self.assertEqual(self.find(a), n)
        self.assertGreater(sum(self.find(a) is not None for a in arrays), 400)

    def test_unknown(self):
        """What has no memory, or is no tensor, is not kept; nor are numbers without a hash."""
        with FakeTensorMode():
            fake = torch.zeros(3)
        for arrays in ((fake,), ("text",), (torch.zeros([1] * 9),)):
            self.assertFalse(self.keep(arrays))
            self.assertIsNone(self.find(*arrays))
        self.assertFalse(self.keep((torch.zeros(3),), ([],)))
        self.assertIsNone(self.find(torch.zeros(3), numbers=([],)))

    def test_rejected(self):
        a = torch.zeros(3)
        for text, call in (
            ("a tuple of arrays", lambda: _bridge.call_find(function, [a], ())),
            ("a tuple of arrays", lambda: _bridge.call_keep(function, (a,), ())),
            ("tuples of launches", lambda: _bridge.call_start([], 0, 0, (a,))),
            ("a launch is wanted", lambda: _bridge.call_start((("x", None, None),), 0, 0, (a,))),
        ):
            with self.assertRaisesRegex(TypeError, text):
                call()
        with self.assertRaisesRegex(IndexError, "an array that is none"):
            _bridge.call_start((("x", None, (1,)),), 0, 0, (a,))
        with self.assertRaisesRegex(ValueError, "at most 32 arrays"):
            _bridge.call_start((), 0, 0, (a,) * 33)
        with self.assertRaises(AttributeError):
            _bridge.call_start((), 0, 0, ("text",))
        self.assertFalse(_bridge.call_start((), None, 0, ()))


if __name__ == "__main__":
    unittest.main()
