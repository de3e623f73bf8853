# Kernels for torch tensors, with a stand-in for tensors, and for the CUDA driver one that
# writes down what it is asked for.
# RUN: echo > %t.log
# RUN: env LD_LIBRARY_PATH=%build/test/fake-cuda FAKE_LOG=%t.log %python %s
# RUN: FileCheck %s < %t.log
# CHECK: map of type 6 dims 2048 4000 strides 4096
# CHECK: launch grid {{[0-9]+}} 1 1 block 384 1 1

import dataclasses
import importlib
import os
import sys
import types
import unittest
from unittest import mock

from cute import kernels
from cute.kernels import _attention_fp8, _attention_split, _calls, _loading, _text, attention_gradient
from cute.kernels._attention_operands import PRODUCTS, Options
from cute.kernels.attention import TILES, plain_parameters

gemm = importlib.import_module("cute.kernels.gemm")


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

    def fill_(self, value):
        self.filled = value
        return self


class Gemm(unittest.TestCase):
    def fails(self, kind, text, *arrays, function=kernels.gemm):
        with self.assertRaises(kind) as caught:
            function(*arrays, stream=0)
        self.assertIn(text, str(caught.exception))

    def test_launch(self):
        out = Array((4000, 2048))
        self.assertIs(kernels.gemm(Array((4000, 2048)), Array((2048, 2048)), out, stream=0), out)

    def test_nothing(self):
        out = Array((100, 0))
        self.assertEqual(kernels.gemm(Array((100, 64)), Array((0, 64)), out, stream=0).filled, 0)

    def test_rejected(self):
        a, out = Array((100, 64)), Array((100, 100))
        self.fails(TypeError, "a and b have one type of f16, bf16",
                   a, Array((100, 64), "torch.bfloat16"), out)
        self.fails(TypeError, "no kernel accepts torch.float64", Array((9, 64), "torch.float64"), a)
        self.fails(ValueError, "a is (M,K) or (L,M,K) and b is (N,K) or (L,N,K), not (100, 64), (64, 100)",
                   a, Array((64, 100)), out)
        self.fails(ValueError, "out is (100, 100) of float16, not (100, 64)", a, a, a)
        self.fails(ValueError, "out: rows or columns must be contiguous, not (200, 2)",
                   a, a, Array((100, 100), stride=[200, 2]))
        other = Array((100, 64))
        other.device = Device(1)
        self.fails(ValueError, "arrays on one GPU", a, other, out)

    def test_attention_rejected(self):
        q, narrow = Array((2, 4, 100, 128)), Array((2, 4, 100, 64))
        three = Array((2, 3, 100, 128))
        for text, arrays in (
            ("d is a multiple of 8 from 8 to 256, not (2, 4, 9, 68)", [Array((2, 4, 9, 68))] * 3),
            ("k and v are alike and fit q", [q, narrow, narrow]),
            ("out is (2, 4, 100, 64) of torch.float16, not (2, 4, 100, 128)", [q, q, narrow]),
            ("q has a multiple of the heads", [q, three, three]),
        ):
            self.fails(ValueError, text, *arrays, q, function=kernels.attention)
        many = [Array((1 << 16, 1, 9, 64))] * 4
        self.fails(ValueError, "at most 65535 sequences, not 65536", *many, function=kernels.attention)
        many = [Array((1, 1 << 16, 9, 64))] * 4
        self.fails(ValueError, "at most 65535 heads, not 65536", *many, function=kernels.attention)
        odd = Array((2, 4, 9, 96), address=2)
        self.fails(ValueError, "for d of 96 rows begin at multiples of 16 bytes", *[odd] * 4,
                   function=kernels.attention)
        integers = [Array((2, 4, 9, 64), "torch.int8")] * 3
        self.fails(TypeError, "of float16, of bfloat16 or of float8_e4m3fn, not torch.int8", *integers, q,
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

    def test_maps(self):
        """Tensor maps are encoded anew where addresses have changed."""
        def count():
            with open(os.environ["FAKE_LOG"], encoding="utf-8") as log:
                return log.read().count("map of type")

        for address, encoded in ((1 << 22, None), (1 << 21, 1), (1 << 21, 0), (1 << 22, 1)):
            before = count()
            kernels.gemm(Array((4000, 2048), address=address), Array((2048, 2048)),
                         Array((4000, 2048)), stream=0)
            if encoded is not None:
                self.assertEqual(count() - before, encoded)

    def test_errors_stay(self):
        for _ in range(2):
            with self.assertRaisesRegex(ValueError, "a is"):
                kernels.gemm(Array((8, 64)), Array((8, 32)), Array((8, 8)), stream=0)
        self.assertFalse(_calls._known)

    def test_numbers_tell_calls_apart(self):
        prepare = mock.Mock(side_effect=lambda *given: mock.Mock(is_simulated=False))
        a = Array((4, 4))
        first = _calls.found(prepare, (a, None), (0.5,))
        self.assertIs(_calls.found(prepare, (a, None), (0.5,)), first)
        self.assertIsNot(_calls.found(prepare, (a, None), (0.25,)), first)
        self.assertIsNot(_calls.found(prepare, (a, a), (0.5,)), first)

    def test_first_are_forgotten(self):
        prepare = mock.Mock(side_effect=lambda *given: mock.Mock(is_simulated=False))
        for i in range(_calls._MOST + 10):
            _calls.found(prepare, (Array((4, 4)),), (i,))
        self.assertEqual(len(_calls._known), _calls._MOST)
        self.assertEqual(min(key[1] for key in _calls._known), (10,))


class Choice(unittest.TestCase):
    def test_workspace(self):
        """Sums that blocks share have memory behind the operands."""
        torch = types.SimpleNamespace(
            float32=None, int32=None,
            empty=lambda n, **given: Array((n,), "torch.float32", size=4),
            zeros=lambda n, **given: Array((n,), "torch.int32", size=4))
        with mock.patch.dict(sys.modules, torch=torch), \
             mock.patch.object(gemm._Request, "_arch", lambda _: 89), \
             mock.patch.object(_loading, "kernel") as kernel, \
             mock.patch.object(_calls._bridge, "call_start") as start:
            kernels.gemm(Array((16, 4096)), Array((4096, 4096)), Array((16, 4096)), stream=0)
        bound = kernel.return_value.bind.call_args.args[0]
        self.assertEqual([x[1] for x in bound], ["f16"] * 3 + ["f32", "i32"])
        self.assertEqual(bound[4][2], (2 * 132,))
        self.assertEqual(sum(x is not None for x in start.call_args.args[3]), 5)


    def test_chunks(self):
        """Keys are split where blocks of all keys would leave the last of few turns half empty."""
        for tiles, steps in ((1024, 64), (396, 64), (256, 128), (5, 64)):
            chunks = _attention_split.chunks_for(tiles, steps, 396)
            self.assertLessEqual(-(-tiles * chunks // 396) * -(-steps // chunks), -(-tiles // 396) * steps)
            self.assertEqual(chunks > 1, tiles % 396 > 0, (tiles, steps, chunks))


class Texts(unittest.TestCase):
    def test_parameter(self):
        with self.assertRaisesRegex(Exception, "there is no parameter 'X'"):
            _text.compiled("gemm_sm90", "sm_90a", {"X": "3"})

    def test_attention_compiles(self):
        """On H100 all heads have products of warpgroups."""
        types = {"f16": "float16", "bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn"}
        for element, product in PRODUCTS.items():
            for d in _attention_fp8.TILES if element == "f8E4M3FN" else TILES:
                q, k = (Array((1, h, 9, d), f"torch.{types[element]}") for h in (6, 3))
                values = plain_parameters(q, k, k, Options(is_causal=element == "f16"), True)
                self.assertEqual((values["GROUP"], values["PRODUCT"]), (2, product))
                self.assertEqual(values["TOGETHER"], 2 if element == "f16" else 1)
                values = {name: str(value) for name, value in values.items()}
                code, manifest = _text.compiled("attention_plain", "sm_90a", values)
                name = "e4m3" if element == "f8E4M3FN" else element
                self.assertRegex(code.decode(), rf"wgmma.*f32\.{name}\.{name} ")
                self.assertIn('"name": "attention"', manifest)

    def test_gradients_compile(self):
        """On H100 all have products of warpgroups, also of shared heads, and elsewhere none."""
        for d, arch in ((64, "sm_90a"), (128, "sm_90a"), (96, "sm_90a"), (96, "sm_80")):
            for of_keys in (0, 1):
                tile = {**attention_gradient._tile(d, of_keys, arch == "sm_90a"), "D": d, "GROUP": 3}
                code, _ = _text.compiled("attention_backward_plain", arch, {n: str(x) for n, x in tile.items()})
                self.assertEqual(b"wgmma" in code, arch == "sm_90a")

    def test_heads_together(self):
        """As many as the cache holds K and V of."""
        for heads, columns, together in ((16, 4096, 16), (16, 16384, 4), (16, 1 << 20, 1), (6, 64, 2)):
            q = Array((1, heads, columns, 128))
            self.assertEqual(plain_parameters(q, q, q, Options(is_causal=True), True)["TOGETHER"], together)
            self.assertEqual(plain_parameters(q, q, q, Options(), True)["TOGETHER"], 1)

    def test_attention_of_others(self):
        for d in (32, 96, 104):
            q = Array((1, 1, 9, d))
            values = plain_parameters(q, q, q, Options(), False)
            values = {name: str(value) for name, value in values.items()}
            code, _ = _text.compiled("attention_plain", "sm_80", values)
            self.assertIn(b"mma.sync", code)


unittest.main()
