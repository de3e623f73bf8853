# REQUIRES: torch
# RUN: %python %s
"""What is kept of calls: arrays of torch tell calls apart by what kernels are bound to."""
import unittest
from unittest import mock

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from cute import _bridge


def function():
    """Stands for what prepares calls."""


class Kept(unittest.TestCase):
    def keep(self, arrays, numbers=(1,), call="call"):
        return _bridge.call_keep(function, arrays, lambda *_: call, *numbers)

    def find(self, *arrays, numbers=(1,), of=function):
        return _bridge.call_run(lambda *_: None, of, arrays, None, *numbers)

    def run_on(self, stream, *arrays):
        return _bridge.call_run(None, function, arrays, stream)

    def test_otherwise(self):
        """What is not kept is another function's."""
        given = (function, (torch.zeros(77),), 7, 8, "nine")
        self.assertEqual(_bridge.call_run(lambda *args: args, *given), given)

    def test_alike(self):
        a = torch.zeros(6, 4)
        self.assertTrue(self.keep((a, None)))
        self.assertEqual(self.find(torch.ones(6, 4), None), "call")
        with torch.no_grad():
            self.assertEqual(self.find(torch.nn.Parameter(a), None), "call")

    def test_gradients(self):
        """What torch records is not the kept call's."""
        a = torch.zeros(5, 4)
        self.assertTrue(self.keep((a, a)))
        self.assertIsNone(self.find(a, torch.nn.Parameter(a)))
        self.assertEqual(self.find(a, torch.nn.Parameter(a).detach()), "call")
        with torch.inference_mode():
            self.assertEqual(self.find(a, torch.nn.Parameter(a)), "call")

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
        for numbers in ((2,), (), (1, 1), (None,)):
            self.assertIsNone(self.find(a, a, numbers=numbers))
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

    def test_plan(self):
        """A call that only starts kernels is followed without its own code."""
        a, b, made = (torch.zeros(n) for n in (5, 6, 7))
        memory = mock.Mock(return_value=(b, b))

        def keep(*plan):
            call = mock.Mock(plan=plan, side_effect=lambda *given: given)
            _bridge.call_keep(function, (a, None), call)

        keep((), 0, lambda: made, memory)
        self.assertIs(self.run_on(0, a, None), made)
        memory.assert_called_once_with()
        self.assertEqual(self.run_on("stream", a, None), ("stream", a, None))
        keep((), 0, lambda: (made, b), None)
        self.assertEqual(self.run_on(7, a, None), (made, b))
        for error, text, plan in (
                (IndexError, "more results than it has", ((), 0, lambda: (a, a, a), None)),
                (AttributeError, "data_ptr", ((), 0, lambda: "text", None)),
                (AttributeError, "data_ptr", ((), 0, lambda: made, lambda: "text")),
                (TypeError, "expected a launch", ((("x", None, None),), 0, lambda: made, None)),
                (ZeroDivisionError, "", ((), 0, lambda: 1 // 0, None))):
            keep(*plan)
            with self.assertRaisesRegex(error, text):
                self.run_on(0, a, None)

    def test_makers(self):
        """Results and memory are made by makers: on the current device, or where they are wanted."""
        a = torch.zeros(3)
        made = [torch.zeros(n) for n in (4, 5, 6)]

        def keep(*plan):
            _bridge.call_keep(function, (a, None), mock.Mock(plan=plan))

        here = [(lambda *n, m=m: m, (1, 2), None) for m in made]
        keep((), 0, (here[0],), (here[1],))
        self.assertIs(self.run_on(0, a, None), made[0])
        keep((), 0, tuple(here[:2]), tuple(here[1:]))
        self.assertEqual(list(map(len, self.run_on(0, a, None))), [4, 5])
        for fails in (lambda: made[0], lambda: 1 // 0, lambda: "text"):
            keep((), 3, ((fails, (), lambda: made[2]),), None)
            self.assertIs(self.run_on(0, a, None), made[2])
        for error, maker in ((ZeroDivisionError, (lambda: "", (), lambda: 1 // 0)),
                             (AttributeError, (lambda: "", (), lambda: "text")),
                             (TypeError, (lambda: "", [], lambda: a)), (TypeError, (1, 2)),
                             (TypeError, None)):
            keep((), 3, (maker, maker), None)
            with self.assertRaises(error):
                self.run_on(0, a, None)

    def test_rejected(self):
        a = torch.zeros(3)
        for text, call in (
            ("a tuple of arrays", lambda: _bridge.call_run(None, function, [a], None)),
            ("a tuple of arrays", lambda: _bridge.call_run(None, function, (a,))),
            ("a tuple of arrays", lambda: _bridge.call_keep(function, (a,))),
            ("tuples of launches", lambda: _bridge.call_start([], 0, 0, (a,))),
            ("expected a launch", lambda: _bridge.call_start((("x", None, None),), 0, 0, (a,))),
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
