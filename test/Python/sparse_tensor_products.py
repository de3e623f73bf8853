# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Products of tensor memory with a sparse A, whose metadata threads store there."""
import array
import ctypes
import random
import struct
import unittest

import cute
from cute import (BFloat16, Float4E2M1FN, Float8E4M3FN, Float16, Float32, Int32, TFloat32, arch,
                  pipeline, utils)
from cute import experimental as cute_ext
from cute.instructions.primitives import tcgen05_fence
from cute.nvgpu import OpError, tcgen05
from cute._values.numeric import Uint2
from cute.nvgpu.warp import SparseMetadataFormat
from cute.runtime import make_ptr
from cute.utils import blackwell_helpers as helpers

K, TID = tcgen05.OperandMajorMode.K, SparseMetadataFormat.TID
ONE, SMEM = tcgen05.CtaGroup.ONE, tcgen05.OperandSource.SMEM
M, N, LONG, THREADS = 128, 64, 128, 128  # LONG elements along K, half of them stored


@cute.kernel
def product(mma, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, words: cute.Tensor,
            rows_of_a: cute.Constexpr, rows_of_b: cute.Constexpr, by_field: cute.Constexpr,
            dtype: cute.Constexpr):
    thread, _, _ = arch.thread_idx()
    warp = arch.make_warp_uniform(arch.warp_idx())
    smem = utils.SmemAllocator()
    done = smem.allocate_array(cute.Int64, 1)
    slot = smem.allocate_array(Int32, 1)
    near_a, near_b = (smem.allocate_tensor(t, x.outer, 1024, swizzle=x.inner)
                      for t, x in ((dtype, rows_of_a), (mma.op.a_dtype, rows_of_b)))
    if thread == 0:
        arch.mbarrier_init(done, 1)
        arch.mbarrier_init_fence()
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, THREADS))
    memory.allocate(128)
    for i in range(thread, M * LONG // 2, THREADS):
        if cute.const_expr(dtype is mma.op.a_dtype):
            near_a[i % M, i // M] = a[i % M, i // M]
        else:  # the element by its pair along K
            k = 2 * (i // M)
            step = mma.op.shape_mnk[2]
            near_a[(i % M, k % step), 0, k // step, 0] = a[i % M, i // M]
    for i in range(thread, N * LONG, THREADS):
        near_b[i % N, i // N] = b[i % N, i // N]
    arch.fence_proxy("async.shared", space="cta")
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    metadata = cute.make_tensor(cute.recast_ptr(place + N, dtype=Int32),
                                cute.make_layout((M, 8), stride=(65536, 1)))
    store = tcgen05.make_tmem_copy(
        cute.make_copy_atom(tcgen05.St32x32bOp(tcgen05.Repetition.x8), Int32), metadata)
    given = store.get_slice(thread).partition_S(words)
    held = cute.make_rmem_tensor(given.shape, Int32)
    cute.autovec_copy(given, held)
    cute.copy(store, held, store.get_slice(thread).partition_D(metadata))
    arch.fence_view_async_tmem_store()
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()  # products have the fence after it
    part = mma.get_slice(0)
    if cute.const_expr(dtype is mma.op.a_dtype):
        pairs = cute.composition(near_a, cute.make_layout((M, (2, LONG // 2)), stride=(1, (0, M))))
        operand_a = mma.make_fragment_A(part.partition_A(pairs))
    else:
        operand_a = mma.make_fragment_A(near_a)[None, None, None, 0]
    operand_b = mma.make_fragment_B(part.partition_B(near_b))
    sums = cute.make_tensor(place, mma.make_fragment_C(mma.partition_shape_C((M, N))).layout)
    result = part.partition_C(c)
    if warp == 0:
        layout = mma.op.metadata_layout(mma, 1, cute.size(operand_a, mode=[2]))
        for k in cute.range_constexpr(cute.size(operand_a, mode=[2])):
            start = cute.make_tensor(cute.recast_ptr(metadata.iterator, dtype=Uint2), layout)
            start = start[None, None, k]
            parts = operand_a[None, None, k]
            if cute.const_expr(by_field):
                mma.set(tcgen05.Field.METADATA, start.iterator)
                cute.gemm(mma, sums, parts, operand_b[None, None, k], sums)
            else:
                cute_ext.dot_sparse(mma, parts, start, operand_b[None, None, k], sums)
            mma.set(tcgen05.Field.ACCUMULATE, True)
        with arch.elect_one():
            tcgen05.commit(done)
    arch.mbarrier_wait(done, 0)
    tcgen05_fence("after_thread_sync")
    memory.relinquish_alloc_permit()
    atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x32), Float32)
    copy = tcgen05.make_tmem_copy(atom, sums[None, 0, 0]).get_slice(thread)
    loaded, stored = copy.partition_S(sums[None, 0, 0]), copy.partition_D(result[None, 0, 0])
    found = cute.make_rmem_tensor(stored.shape, Float32)
    cute.copy(copy, loaded, found)
    cute.autovec_copy(found, stored)
    tcgen05_fence("before_thread_sync")
    arch.sync_threads()
    memory.free(place)


@cute.jit
def multiply(op: cute.Constexpr, a: cute.Pointer, b: cute.Pointer, c: cute.Pointer,
             words: cute.Pointer, by_field: cute.Constexpr, by_type: cute.Constexpr):
    swizzle = cute.make_swizzle(3, 4, 3)
    rows = 1024 // op.a_dtype.width  # elements of 128 bytes
    atom = cute.make_composed_layout(swizzle, 0, cute.make_layout((8, rows), stride=(rows, 1)))
    layouts = [cute.tile_to_shape(atom, shape, (0, 1)) for shape in ((M, LONG // 2), (N, LONG))]
    a = cute.make_tensor(a, cute.make_layout((M, LONG // 2), stride=(LONG // 2, 1)))
    b = cute.make_tensor(b, cute.make_layout((N, LONG), stride=(LONG, 1)))
    c = cute.make_tensor(c, cute.make_layout((M, N), stride=(N, 1)))
    words = cute.make_tensor(words, cute.make_layout((M, 8), stride=(8, 1)))
    mma, dtype = cute.make_tiled_mma(op), op.a_dtype
    if cute.const_expr(by_type):
        layouts[0] = helpers.make_sparse_smem_layout_a(mma, (M, N, LONG), op.a_dtype, 1)
        dtype = helpers.make_sparse_a_dtype(op.a_dtype)
    product(mma, a, b, c, words, *layouts, by_field, dtype).launch(
        grid=(1, 1, 1), block=(THREADS, 1, 1))


def words_of(op, places):
    """Returns 8 words of each lane, in which the numbers of (row, stored element) lie."""
    rows, columns = [], []

    @cute.jit
    def look():
        steps = LONG // op.shape_mnk[2]
        layout = op.metadata_layout(cute.make_tiled_mma(op), 1, steps)
        rows.extend(layout(((m, 0), 0, 0)) for m in range(M))
        columns.extend(layout(((0, j), 0, step)) for step in range(steps)
                       for j in range(LONG // 2 // steps))

    look()
    words = [0] * (8 * M)
    for (m, j), place in places.items():
        lane, at = divmod(rows[m] + columns[j], 1 << 20)
        words[8 * lane + at // 16] |= place << 2 * (at % 16)
    return array.array("I", words)


def place_of(x, dtype):
    return make_ptr(dtype, x.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16)


class Products(unittest.TestCase):
    def check(self, op, codes, code_of, by_field, by_type=False):
        """Elements are small integers, so that sums are exact."""
        numbers = random.Random(1)
        a, b = ([numbers.randrange(-3, 4) for _ in range(n)] for n in (M * LONG // 2, N * LONG))
        places = {}
        for m in range(M):
            for j in range(0, LONG // 2, 2):
                places[m, j], places[m, j + 1] = sorted(numbers.sample(range(4), 2))
        given = [array.array(codes, map(code_of, x)) for x in (a, b)]
        c, words = array.array("f", [7] * (M * N)), words_of(op, places)
        multiply(op, *(place_of(x, op.a_dtype) for x in given), place_of(c, Float32),
                 place_of(words, Int32), by_field, by_type)
        for m in range(0, M, 5):
            for n in range(N):
                wanted = sum(a[m * LONG // 2 + j] * b[n * LONG + 4 * (j // 2) + places[m, j]]
                             for j in range(LONG // 2))
                self.assertEqual(c[m * N + n], wanted, (m, n))

    def test_f16(self):
        op = tcgen05.MmaF16BF16SparseOp(Float16, Float32, (M, N, 32), ONE, SMEM, K, K, TID)
        self.check(op, "H", lambda x: HALVES[x], False)

    def test_f8(self):
        op = tcgen05.MmaFP8SparseOp(Float8E4M3FN, Float32, (M, N, 64), ONE, SMEM, K, K, TID)
        self.check(op, "B", lambda x: BYTES[x], True)

    def test_elements_of_a_sparse_type(self):
        """A's tile has a layout of all elements, and memory half of them."""
        op = tcgen05.MmaF16BF16SparseOp(Float16, Float32, (M, N, 32), ONE, SMEM, K, K, TID)
        self.check(op, "H", lambda x: HALVES[x], False, True)
        op = tcgen05.MmaFP8SparseOp(Float8E4M3FN, Float32, (M, N, 64), ONE, SMEM, K, K, TID)
        self.check(op, "B", lambda x: BYTES[x], True, True)


class Layouts(unittest.TestCase):
    """CuTe DSL 4.8.1 has the same layouts, with other spellings of modes of one element."""

    def same(self, found, wanted):
        """Both have the same indices at every 61st coordinate, and modes of the same sizes."""
        self.assertEqual(*([cute.size(x, mode=[i]) for i in range(cute.rank(x))]
                           for x in (found, wanted)))
        self.assertEqual(*([x(i) for i in range(0, cute.size(x), 61)] for x in (found, wanted)))

    def test_tiles(self):
        make = cute.make_layout
        f16 = tcgen05.MmaF16BF16SparseOp(Float16, Float32, (M, N, 32), ONE, SMEM, K, K, TID)
        f16_mn = tcgen05.MmaF16BF16SparseOp(
            Float16, Float32, (M, N, 32), ONE, SMEM, tcgen05.OperandMajorMode.MN, K, TID)
        f8 = tcgen05.MmaFP8SparseOp(Float8E4M3FN, Float32, (M, N, 64), ONE, SMEM, K, K, TID)

        @cute.jit
        def look():
            for op, dtype, tile, swizzle, a, e, tmem in (
                (f16, Float16, (128, N, 128), "S<3,4,3>",
                 make(((128, 32), 1, 4, 2), stride=((128, 1), 0, 32, 16384)),
                 make((((8, 2, 8), (16, 2)), 1, 4, 2),
                      stride=(((128, 16, 2048), (1, 1024)), 0, 32, 16384)),
                 make((((8, 2, 8), (16, 2)), 1, 4),
                      stride=(((1 << 21, 16, 1 << 25), (1, 1 << 24)), 0, 32))),
                (f16_mn, Float16, (256, N, 256), "S<3,4,3>",
                 make((((64, 2), (2, 16)), 2, 8, 2), stride=(((2, 16384), (1, 128)), 32768, 2048, 65536)),
                 make((((8, 2, 8), (16, 2)), 2, (4, 2), 2),
                      stride=(((128, 16, 2048), (1, 1024)), 16384, (32, 32768), 65536)),
                 make((((8, 2, 8), (16, 2)), 2, (4, 2)),
                      stride=(((1 << 21, 16, 1 << 25), (1, 1 << 24)), 32, (64, 256)))),
                (f8, Float8E4M3FN, (256, N, 256), "S<3,4,3>",
                 make(((128, 64), 2, 4, 2), stride=((256, 1), 32768, 64, 65536)),
                 make(((128, 64), 2, (2, 2), 2), stride=((128, 1), 16384, (64, 32768), 65536)),
                 make(((128, 64), 2, (2, 2)), stride=((1 << 21, 1), 64, (128, 256)))),
            ):
                mma = cute.make_tiled_mma(op)
                found = helpers.make_sparse_smem_layout_a(mma, tile, dtype, 2)
                self.assertEqual(str(found.inner), swizzle)
                self.same(found.outer, a)
                layout = helpers.make_sparse_smem_layout_e(mma, tile, dtype, 2)
                self.same(layout, e)
                shape = cute.select(layout, mode=[0, 1, 2]).shape
                self.same(helpers.make_sparse_tmem_layout_e(shape, dtype), tmem)

        look()

    def test_atoms(self):
        """Two neighbours along K share a stored element, and neighbours in memory follow."""
        kinds = tcgen05.SmemLayoutAtomKind
        for kind in (kinds.K_SW128, kinds.K_SW32, kinds.MN_SW128, kinds.MN_SW64):
            for dtype in (Float16, Float8E4M3FN):
                atom = tcgen05.make_sparse_smem_layout_atom(kind, dtype)
                dense = tcgen05.make_smem_layout_atom(kind, dtype)
                self.assertEqual(str(atom.inner), str(dense.inner))
                rows, columns = (cute.size(dense.outer, mode=[i]) for i in (0, 1))
                for m in range(rows):
                    for k in range(2 * columns):
                        self.assertEqual(atom.outer((m, k)), 2 * dense.outer((m, k // 2)) + k % 2)

    def test_types(self):
        for dtype, a, e in (
            (Float16, "<2, vector<1xf16>>", 8), (Float8E4M3FN, "<2, vector<1xf8E4M3FN>>", 8),
            (TFloat32, "<2, vector<1xtf32>>", 4), (Float4E2M1FN, "<4, vector<1xi8>>", 16),
        ):
            self.assertEqual(str(helpers.make_sparse_a_dtype(dtype)), f"!cute.sparse_elem{a}")
            self.assertEqual(str(helpers.make_sparse_e_dtype(dtype)),
                             f"!cute.sparse_elem<{e}, vector<1xi8>>")

    def test_stored(self):
        """A pointer to sparse elements takes layouts of all, also in groups of 4 and 8."""
        memory = (ctypes.c_float * 64)(*range(64))

        @cute.jit
        def look(x: cute.Pointer, y: cute.Tensor):
            for ratio in (2, 4, 8):
                part = cute.recast_ptr(x, dtype=cute.get_sparse_elem_type(ratio, 1, Float32))
                whole = cute.make_tensor(part, cute.make_layout((4, 16), stride=(16, 1)))
                for m in range(4):
                    for k in range(16):
                        y[ratio // 4, m, k] = whole[m, k]

        found = (ctypes.c_float * 192)()
        y = cute.runtime.make_ptr(Float32, ctypes.addressof(found), cute.AddressSpace.gmem)

        @cute.jit
        def run(x: cute.Pointer, y: cute.Pointer):
            look(x, cute.make_tensor(y, cute.make_layout((3, 4, 16), stride=(64, 16, 1))))

        run(cute.runtime.make_ptr(Float32, ctypes.addressof(memory), cute.AddressSpace.gmem), y)
        self.assertEqual(list(found), [i // ratio for ratio in (2, 4, 8) for i in range(64)])

    def test_rejected(self):
        layout = cute.make_layout((3, 5), stride=(5, 1))
        for make, wanted in (
            (lambda: cute.get_sparse_elem_type(3, 2, Float16), "a multiple of the first"),
            (lambda: cute.get_sparse_elem_type(2, 1, Float16).stored(layout), "does not go along groups"),
            (lambda: helpers.make_sparse_e_dtype(cute.Int16), "no sparse product takes A of Int16"),
            (lambda: helpers.make_sparse_tmem_layout_e(((64, 32), 1, 4), Float16),
             "has 128 rows and 32 elements"),
        ):
            with self.assertRaisesRegex(ValueError, wanted):
                make()


HALVES = {x: int.from_bytes(struct.pack("<e", x), "little") for x in range(-3, 4)}
BYTES = {x: (HALVES[x] >> 8 & 0x80) | (0 if not x else (HALVES[x] >> 7 & 0xff) - (8 << 3) & 0x7f)
         for x in range(-3, 4)}  # e4m3 has 7 for the exponent 0, f16 15


class Rejected(unittest.TestCase):
    def test_operands(self):
        for given, wanted in (
            (dict(dtype=BFloat16, k=16), "K is 32"),
            (dict(source=tcgen05.OperandSource.TMEM), "comes from shared memory"),
            (dict(format=None), "it can be SparseMetadataFormat.TID"),
            (dict(dtype=Float8E4M3FN), "the type of A is Float8E4M3FN"),
        ):
            with self.subTest(given), self.assertRaisesRegex(OpError, wanted):
                tcgen05.MmaF16BF16SparseOp(
                    given.get("dtype", Float16), Float32, (M, N, given.get("k", 32)), ONE,
                    given.get("source", SMEM), K, K, given.get("format", TID))

    def test_missing(self):
        @cute.jit
        def run():
            op = tcgen05.MmaF16BF16SparseOp(Float16, Float32, (M, N, 32), ONE, SMEM, K, K, TID)
            mma = cute.make_tiled_mma(op)
            with self.assertRaisesRegex(OpError, "the metadata of A is missing"):
                cute.gemm(mma, mma, mma, mma, mma)

        run()


if __name__ == "__main__":
    unittest.main()
