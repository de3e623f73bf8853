# Kernels for torch tensors, with a stand-in for tensors, and for the CUDA driver one that
# writes down what it is asked for.
# RUN: env LD_LIBRARY_PATH=%build/test/fake-cuda FAKE_LOG=%t.log %python %s
# RUN: FileCheck %s < %t.log
# CHECK: map of type 6 dims 64 100 strides 128
# CHECK: cluster 2 1 1
# CHECK-NEXT: launch grid 2 1 1 block 384 1 1

import dataclasses
import sys
import types
import unittest
from unittest import mock

from cute import kernels
from cute.kernels import _calls, _loading, _text, _tuned
from cute.kernels.attention import PARAMETERS


@dataclasses.dataclass(frozen=True)
class Device:
    """A device as torch names them."""

    index: int


class Array:
    """A tensor as torch's are to cute.kernels, with no memory."""

    is_cuda = True
    device = Device(0)

    def __init__(self, shape, dtype="torch.float16", stride=None, address=1 << 20, size=2):
        self.shape, self.dtype = tuple(shape), dtype
        self._stride, self._address, self._size = stride, address, size
        if stride is None:
            self._stride, step = [], 1
            for extent in reversed(shape):
                self._stride.insert(0, step)
                step *= extent

    def dim(self):
        return len(self.shape)

    def stride(self, mode=None):
        return tuple(self._stride) if mode is None else self._stride[mode]

    def data_ptr(self):
        return self._address

    def element_size(self):
        return self._size

    def zero_(self):
        self.zeroed = True
        return self


class Gemm(unittest.TestCase):
    def fails(self, kind, text, *arrays, function=kernels.gemm):
        with self.assertRaises(kind) as caught:
            function(*arrays, stream=0)
        self.assertIn(text, str(caught.exception))

    def test_launch(self):
        out = Array((100, 200))
        self.assertIs(kernels.gemm(Array((100, 64)), Array((200, 64)), out, stream=0), out)

    def test_nothing(self):
        out = Array((100, 0))
        self.assertTrue(kernels.gemm(Array((100, 64)), Array((0, 64)), out, stream=0).zeroed)

    def test_rejected(self):
        a, out = Array((100, 64)), Array((100, 100))
        self.fails(TypeError, "a and b have one type of f16, bf16",
                   a, Array((100, 64), "torch.bfloat16"), out)
        self.fails(TypeError, "no kernel takes torch.float64", Array((9, 64), "torch.float64"), a)
        self.fails(ValueError, "a is (M,K) and b is (N,K), not (100, 64), (64, 100)",
                   a, Array((64, 100)), out)
        self.fails(ValueError, "out is (100, 100) of float16, not (100, 64)", a, a, a)
        self.fails(ValueError, "b: rows or columns must be contiguous, not (2, 100)",
                   a, Array((100, 64), stride=[2, 100]), out)
        self.fails(ValueError, "a begins at a multiple of 16 bytes",
                   Array((100, 64), address=8), a, out)
        other = Array((100, 64))
        other.device = Device(1)
        self.fails(ValueError, "arrays on one GPU", a, other, out)

    def test_attention_rejected(self):
        q, narrow = Array((2, 4, 100, 128)), Array((2, 4, 100, 64))
        three = Array((2, 3, 100, 128))
        for text, arrays in (
            ("q, k and v are (batch, head, row, 64 or 128)", [Array((2, 4, 9, 96))] * 3),
            ("k and v are alike and fit q", [q, narrow, narrow]),
            ("q has a multiple of the heads", [q, three, three]),
        ):
            self.fails(ValueError, text, *arrays, q, function=kernels.attention)
        integers = [Array((2, 4, 9, 64), "torch.int8")] * 3
        self.fails(TypeError, "of float16 or of bfloat16, not torch.int8", *integers, q,
                   function=kernels.attention)


class Calls(unittest.TestCase):
    """Calls like one before only launch."""

    def setUp(self):
        _calls._known.clear()

    def product(self, *, address=1 << 20, rows=100):
        arrays = [Array((rows, 64), address=address), Array((200, 64)), Array((rows, 200))]
        return kernels.gemm(*arrays, stream=0)

    def test_alike(self):
        self.product()
        with mock.patch.object(_loading, "place", side_effect=AssertionError):
            self.assertEqual(self.product(address=1 << 21).shape, (100, 200))
        self.assertEqual(len(_calls._known), 1)
        self.product(rows=101)
        self.assertEqual(len(_calls._known), 2)

    def test_errors_stay(self):
        for _ in range(2):
            with self.assertRaisesRegex(ValueError, "a begins at a multiple of 16 bytes"):
                self.product(address=(1 << 20) + 8)
        self.assertFalse(_calls._known)

    def test_numbers_tell_calls_apart(self):
        prepare = mock.Mock(side_effect=lambda *given: mock.Mock(is_simulated=False))
        a = Array((4, 4))
        first = _calls.find(prepare, (a, None), 0.5)
        self.assertIs(_calls.find(prepare, (a, None), 0.5), first)
        self.assertIsNot(_calls.find(prepare, (a, None), 0.25), first)
        self.assertIsNot(_calls.find(prepare, (a, a), 0.5), first)

    def test_first_are_forgotten(self):
        prepare = mock.Mock(side_effect=lambda *given: mock.Mock(is_simulated=False))
        for i in range(_calls._MOST + 10):
            _calls.find(prepare, (Array((4, 4)),), i)
        self.assertEqual(len(_calls._known), _calls._MOST)
        self.assertEqual(min(key[1] for key in _calls._known), (10,))


class Choice(unittest.TestCase):
    def quicker_by_mma_sync(self, kind, *size):
        out = {"tf32": "f32", "i8": "i32"}.get(kind, kind)
        problem = {"type": kind, "out": out, "a_major": "k", "b_major": "k",
                   "c_major": "n", "batched": False}
        return _tuned.beats_wgmma(_tuned.gemm_plan(problem, size, "sm_90", False), size)

    def test_as_measured(self):
        """Which took less time on an H200."""
        for size in ((16, 4096, 4096), (64, 4096, 4096), (128, 4096, 4096),
                     (256, 4096, 4096), (512, 512, 512), (1024, 1024, 1024),
                     (1000, 1000, 1000), (8, 14336, 4096)):
            self.assertTrue(self.quicker_by_mma_sync("f16", *size), size)
        for size in ((512, 4096, 4096), (1536, 1536, 1536), (2048, 2048, 2048),
                     (4096, 4096, 128), (640, 5120, 5120), (128, 14336, 4096)):
            self.assertFalse(self.quicker_by_mma_sync("f16", *size), size)
        for kind in ("tf32", "i8"):
            for rows in (64, 512, 4096):
                self.assertFalse(self.quicker_by_mma_sync(kind, rows, 4096, 4096))
        for extent in (512, 4096):
            self.assertFalse(self.quicker_by_mma_sync("f8E4M3FN", extent, extent, extent))

    def test_workspace(self):
        """Sums that blocks share have memory behind the operands."""
        torch = types.SimpleNamespace(
            float32=None, int32=None,
            empty=lambda n, **given: Array((n,), "torch.float32", size=4),
            zeros=lambda n, **given: Array((n,), "torch.int32", size=4))
        with mock.patch.dict(sys.modules, torch=torch), \
             mock.patch.object(_loading, "kernel") as kernel:
            kernels.gemm(Array((16, 4096)), Array((4096, 4096)), Array((16, 4096)), stream=0)
        bound = kernel.return_value.bind.call_args.args[0]
        self.assertEqual([x[1] for x in bound], ["f16"] * 3 + ["f32", "i32"])
        self.assertEqual(bound[4][2], (2 * 132,))
        self.assertEqual(len(kernel.return_value.bind.return_value.start.call_args.args[1]), 5)


class Texts(unittest.TestCase):
    def test_parameter(self):
        with self.assertRaisesRegex(Exception, "there is no parameter 'X'"):
            _text.compiled("gemm_sm90", "sm_90a", {"X": "3"})

    def test_attention_compiles(self):
        for name in ("attention_sm90", "attention_d64_sm90"):
            for element, parameters in PARAMETERS.items():
                ptx, manifest = _text.compiled(name, "sm_90a", parameters)
                self.assertIn(f".f32.{element}.{element} ".encode(), ptx)
                self.assertIn('"name": "attention"', manifest)


unittest.main()
