# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Arrays of torch that are passed again: what is passed is what the first look found.

The tensors are stand-ins, so that torch is not needed; a device is, for which nothing runs.
"""
import ctypes
import struct
import unittest
from unittest import mock

from cute._compile import arguments
from cute._compile.results import Results
from cute._device import devices
from cute.runtime import from_dlpack


class Tensor:
    """As torch's: in memory that is not there."""

    def __init__(self, address, shape, stride, dtype="torch.float32", device="cuda"):
        self.address, self.shape, self.strides, self.dtype = address, shape, stride, dtype
        self.is_cpu = device == "cpu"
        self.device = mock.Mock(type=device)
        self.looks = 0

    def data_ptr(self):
        return self.address

    def stride(self):
        self.looks += 1
        return self.strides


Tensor.__module__ = "torch"


def words(what, tensor):
    """The numbers that are passed of a tensor."""
    found, kept = [], []
    what.pack(tensor, found, kept)
    # The tensor itself, or one of ours that has the cells, is kept.
    assert kept
    return [struct.unpack("q", x)[0] if isinstance(x, bytes)
            else ctypes.c_int64.from_address(x).value for x in found]


class Repeated(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(devices, "ordinal", lambda: 0)
        patch.start()
        self.addCleanup(patch.stop)

    def described(self, shape=(4, 8), stride=(8, 1), divisibility=1):
        made = from_dlpack(Tensor(0x1000, shape, stride), assumed_align=16)
        return arguments.describe(made.mark_compact_shape_dynamic(0, divisibility=divisibility))

    def test_same_form_at_another_address(self):
        what = self.described()
        self.assertEqual(words(what, Tensor(0x2000, (6, 8), (8, 1))), [0x2000, 6])
        again = Tensor(0x3000, (6, 8), (8, 1))
        self.assertEqual(words(what, again), [0x3000, 6])
        self.assertEqual(again.looks, 1, "one look at its strides")
        self.assertEqual(words(what, Tensor(0x4000, (10, 8), (8, 1))), [0x4000, 10])
        again = Tensor(0x5000, (6, 8), (8, 1))
        self.assertEqual((words(what, again), again.looks), ([0x5000, 6], 1))
        for rows in range(20, 30):
            self.assertEqual(words(what, Tensor(0x6000, (rows, 8), (8, 1))), [0x6000, rows])
        self.assertEqual(len(what.seen), 4, "the last ones are kept")

    def test_other_forms_are_looked_at(self):
        what = self.described(divisibility=2)
        words(what, Tensor(0x2000, (6, 8), (8, 1)))
        for text, tensor in (
            ("the elements are Int32", Tensor(0x2000, (6, 8), (8, 1), "torch.int32")),
            ("extent 1 is 9", Tensor(0x2000, (6, 9), (8, 1))),
            ("stride 0 is 16", Tensor(0x2000, (6, 8), (16, 1))),
            ("extent 0 is 7, not a multiple of 2", Tensor(0x2000, (7, 8), (8, 1))),
            ("rank 1 is not 2", Tensor(0x2000, (6,), (1,))),
            ("one of them is on the host", Tensor(0x2000, (6, 8), (8, 1), device="cpu")),
            ("the address is not a multiple of 16", Tensor(0x2004, (6, 8), (8, 1))),
        ):
            with self.assertRaisesRegex(TypeError, text):
                words(what, tensor)
        self.assertEqual(words(what, Tensor(0x5000, (6, 8), (8, 1))), [0x5000, 6])

    def test_classes_made_of_tensors_are_looked_at(self):
        class Wrapped(Tensor):
            pass

        what = self.described()
        for _ in range(2):
            tensor = Wrapped(0x2000, (6, 8), (8, 1))
            self.assertEqual(words(what, tensor), [0x2000, 6])
        self.assertEqual(what.seen, [])

    def test_nothing_returned(self):
        self.assertIsNone(Results(None).read([]))
        self.assertEqual(Results((1, None)).read([]), (1, None))

    def test_arguments_of_functions(self):
        what = arguments.ConvertedTensor(Tensor(0x1000, (4, 8), (8, 1)))
        words(what, Tensor(0x1000, (4, 8), (8, 1)))
        self.assertTrue(what.is_like(Tensor(0x2000, (4, 8), (8, 1))))
        self.assertTrue(what.is_like(Tensor(0x2000, (5, 8), (8, 1))), "extents are passed")
        self.assertFalse(what.is_like(Tensor(0x2000, (4, 8), (8, 1), "torch.int32")))
        self.assertFalse(what.is_like(Tensor(0x2000, (4, 8), (1, 4))))

    def test_simulator_looks_always(self):
        with mock.patch.object(devices, "ordinal", lambda: devices.SIMULATED):
            what = self.described()
            words(what, Tensor(0x2000, (6, 8), (8, 1)))
            self.assertEqual(what.seen, [])


if __name__ == "__main__":
    unittest.main()
