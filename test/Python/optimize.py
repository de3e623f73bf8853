# REQUIRES: full
# RUN: env CUTE_DEVICE=sim %python %s %examples/python
"""Plain kernels in Python that passes change: optimize=True, and what it says."""

import ctypes
import math
import random
import struct
import sys
import types
import unittest
from unittest import mock

import cute
from cute.runtime import from_dlpack

sys.path.insert(0, sys.argv.pop())
sys.modules["torch"] = types.ModuleType("torch")
import attention
import gemm


class Matrix:
    """A matrix of f16 on the host, whose elements begin as 77."""

    def __init__(self, rows, columns):
        self.shape, self.count = (rows, columns), rows * columns
        self.strides, self.dtype = (2 * columns, 2), "<f2"
        self.memory = (ctypes.c_char * (2 * self.count + 16))()
        self.begin = -ctypes.addressof(self.memory) % 16
        address = ctypes.addressof(self.memory) + self.begin
        self.__array_interface__ = {"typestr": "<f2", "data": (address, False)}
        self.fill([77] * self.count)

    def fill(self, numbers):
        struct.pack_into(f"{self.count}e", self.memory, self.begin, *numbers)
        return self

    def __dlpack__(self):
        raise NotImplementedError

    def rows(self):
        numbers = struct.unpack_from(f"{self.count}e", self.memory, self.begin)
        columns = self.shape[1]
        return [numbers[i:i + columns] for i in range(0, self.count, columns)]


class Heads:
    """A matrix as heads of so many rows each."""

    def __init__(self, matrix, heads):
        rows, columns = matrix.shape[0] // heads, matrix.shape[1]
        self.shape, self.dtype = (rows, columns, heads), matrix.dtype
        self.strides = 2 * columns, 2, 2 * rows * columns
        self.__array_interface__ = matrix.__array_interface__

    def __dlpack__(self):
        raise NotImplementedError

    def permute(self, *_):
        return self


def softmax_product(q, k, v, scale):
    """One head's attention, of rows."""
    for row in q:
        scores = [scale * sum(x * y for x, y in zip(row, key)) for key in k]
        weights = [math.exp(score - max(scores)) for score in scores]
        yield [sum(w * x for w, x in zip(weights, column)) / sum(weights)
               for column in zip(*v)]


def random_matrix(rows, columns, seed):
    generator = random.Random(seed)
    return Matrix(rows, columns).fill([generator.randint(-3, 3) for _ in range(rows * columns)])


@cute.kernel
def plain(a: cute.Tensor):
    a[cute.arch.thread_idx()[0], 0] = cute.Float16(1)


@cute.jit
def launch(a: cute.Tensor, optimize: cute.Constexpr = 0):
    plain(a).launch(grid=(1, 1, 1), block=(32, 1, 1))


multiply_layer = cute.jit(gemm.multiply.function)


@cute.kernel(optimize=True)
def multiply_layers(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    layer = cute.arch.block_idx()[2]
    multiply_layer(a[None, None, layer], b, c[None, None, layer])


@cute.jit
def gemm_of_layers(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    rows = a.shape[0] // 2
    a, c = (cute.make_tensor(x.iterator, cute.make_layout(
        (rows, x.shape[1], 2), stride=(x.stride[0], 1, cute.assume(rows * x.stride[0], 8)))) for x in (a, c))
    grid = cute.ceil_div(rows, gemm.M), cute.ceil_div(b.shape[0], gemm.N), 2
    multiply_layers(a, b, c).launch(grid=grid, block=(gemm.THREADS, 1, 1))


def product(a, b):
    return [tuple(sum(x * y for x, y in zip(row, column)) for column in b.rows())
            for row in a.rows()]


class Optimized(unittest.TestCase):
    def arrays(self, m, n, k):
        return random_matrix(m, k, 1), random_matrix(n, k, 2), Matrix(m, n)

    def test_product(self):
        for size in ((130, 24, 72), (1, 136, 8)):
            a, b, c = self.arrays(*size)
            gemm.gemm(*map(gemm.matrix, (a, b, c)))
            self.assertEqual(c.rows(), product(a, b))

    def test_more_tiles_than_blocks(self):
        """Blocks go from tile to tile of a grid that the host gives, in all dimensions."""
        with mock.patch.multiple(gemm, M=64, N=32, K=32):
            for function, m, n in ((gemm.gemm, 513, 512), (gemm_of_layers, 512, 544)):
                a, b, c = self.arrays(m, n, 8)
                arrays = list(map(gemm.matrix, (a, b, c)))
                compiled = cute.compile(function, *arrays)
                self.assertIn("as many blocks as run at a time", "".join(compiled.remarks))
                compiled(*arrays)
                self.assertEqual(c.rows(), product(a, b))
                compiled(*map(gemm.matrix, self.arrays(0, n, 8)))

    def test_attention(self):
        """One MMA for both products, sums of a constant shape, a mask element by element."""
        for queries, keys in ((130, 70), (3, 200)):
            q, o = random_matrix(2 * queries, 64, 3), Matrix(2 * queries, 64)
            k, v = (random_matrix(2 * keys, 64, seed) for seed in (4, 5))
            arrays = [attention.heads(Heads(x, 2)) for x in (q, k, v, o)]
            scale = cute.Float32(0.05)
            compiled = cute.compile(attention.attention, *arrays, scale)
            said = "".join(compiled.remarks)
            for text in ("_RS<K,MN>", "a separate warp loads", "from tile to tile",
                         "start before the last ones of the previous round"):
                self.assertIn(text, said)
            compiled(*arrays, scale)
            wanted = [row for head in range(2) for row in softmax_product(
                q.rows()[head * queries:][:queries], k.rows()[head * keys:][:keys],
                v.rows()[head * keys:][:keys], 0.05)]
            for row, right in zip(o.rows(), wanted, strict=True):
                self.assertLess(max(abs(x - y) for x, y in zip(row, right)), 0.01)

    def test_remarks(self):
        arrays = list(map(gemm.matrix, self.arrays(8, 8, 8)))
        compiled = cute.compile(gemm.gemm, *arrays)
        said = "\n".join(compiled.remarks)
        for text in ("TMA loads the tiles of 2 tensors", "TMA stores the tile",
                     "by 1 warpgroup", "two warpgroups take turns", "a separate warp loads", "in groups of 8 rows"):
            self.assertIn(text, said)
        self.assertRegex(said, r"gemm\.py:\d+:\d+: remark: wgmma")
        self.assertIn("wgmma.mma_async", compiled.__ptx__)
        compiled = cute.compile(gemm.gemm, *arrays, options="--arch sm_80")
        self.assertIn("the loop has 3 stages", "\n".join(compiled.remarks))

    def test_blackwell(self):
        a, b, c = self.arrays(130, 24, 72)
        arrays = list(map(gemm.matrix, (a, b, c)))
        with mock.patch.dict("os.environ", CUTE_ARCH="sm_100a"):
            compiled = cute.compile(gemm.gemm, *arrays, options="--arch sm_100a")
            self.assertIn("tcgen05.mma", compiled.__ptx__)
            compiled(*arrays)
        self.assertEqual(c.rows(), product(a, b))

    def test_what_prevents_it(self):
        with mock.patch.object(gemm, "M", 32):
            arrays = map(gemm.matrix, self.arrays(8, 8, 8))
            said = "\n".join(cute.compile(gemm.gemm, *arrays).remarks)
        self.assertIn("a warpgroup has 64 rows and a multiple of 8 columns: choose such", said)

    def test_on_request(self):
        """Of compile, of jit, and where the function has a parameter of this name."""
        a = from_dlpack(Matrix(32, 8))
        self.assertEqual(cute.compile(launch, a).remarks, [])
        kernel = gemm.multiply.function
        arrays = list(map(gemm.matrix, self.arrays(8, 8, 8)))
        with mock.patch.object(gemm, "multiply", cute.kernel(kernel)):
            host = gemm.gemm.function
            self.assertEqual(cute.compile(cute.jit(host), *arrays).remarks, [])
            self.assertTrue(cute.compile(cute.jit(host), *arrays, optimize=True).remarks)
            self.assertTrue(cute.compile(cute.jit(host), *arrays, options="--optimize").remarks)
            self.assertTrue(cute.compile(cute.jit(optimize=True)(host), *arrays).remarks)
            said = cute.compile(cute.jit(host), *arrays, optimize="group=4").remarks
            self.assertIn("in groups of 4 rows", "".join(said))
            with self.assertRaisesRegex(ValueError, "cute-optimize.*depth"):
                cute.compile(cute.jit(host), *arrays, optimize="depth=4")
        self.assertEqual(cute.compile(launch, a, optimize=3).remarks, [])


unittest.main()
