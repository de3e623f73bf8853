# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""cutlass.experimental.primitives: tensor memory, against sums of products in float64."""

import array
import random
import struct
import subprocess
import tempfile
import unittest

import primitives

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import Float16, Float32, Int32, Int64, Vector
from cutlass.cute.runtime import make_ptr
from cutlass.experimental import cuda, primitives as prims

SMEM = cutlass.AddressSpace.smem
M, N, K = 128, 32, 16


def run(*arguments, **options):
    return primitives.run(*arguments, arch="sm_100a", **options)


def matrix(rows, columns, seed):
    chance = random.Random(seed)
    return [[float(chance.randrange(-4, 5)) for _ in range(columns)] for _ in range(rows)]


def flat(*matrices):
    return [x for m in matrices for row in m for x in row]


def product(a, b):
    return [sum(x * y for x, y in zip(p, q)) for p in a for q in b]


@cute.jit
def allocate(slot, columns=32):
    """Has the first warp allocate, and returns the address."""
    if cute.arch.warp_idx() == 0:
        prims.tcgen05_alloc(slot, columns)
        prims.tcgen05_relinquish_alloc_permit(group="cta_1")
    prims.tcgen05_fence(prims.Tcgen05Fence.BEFORE_THREAD_SYNC)
    prims.barrier_cta_sync(0)
    prims.tcgen05_fence("after_thread_sync")
    return slot.load()


@cute.jit
def free(address, columns=32):
    prims.barrier_cta_sync(0)
    if cute.arch.warp_idx() == 0:
        prims.tcgen05_dealloc(prims.make_tmem_ptr(address, Int32), columns)


def store_rows(near, m, first, count, thread):
    """Puts rows of K elements as core matrices of 8 rows: 128 bytes apart along K, 256 along rows."""
    for i in cutlass.range_constexpr(count * K // 128):
        at = thread + 128 * i
        row, column = at // K, at % K
        near[row // 8 * 128 + column // 8 * 64 + row % 8 * 8 + column % 8] = \
            m[first + at].to(Float16)


class Products(unittest.TestCase):
    def test_sums(self):
        a, b = matrix(M, K, 1), matrix(N, K, 2)

        @cute.kernel
        def k(m: cute.Tensor):
            thread = cute.arch.thread_idx()[0]
            slot = cutlass.Array(Int32, 1, space=SMEM)
            bar = cutlass.Array(Int64, 1, space=SMEM)
            near = cutlass.Array(Float16, (M + N) * K, space=SMEM, alignment=128)
            store_rows(near, m, M * N, M + N, thread)
            if thread == 0:
                prims.mbarrier_init(bar, 1)
            prims.fence_mbarrier_init()
            prims.fence_proxy("async.shared::cta")
            address = allocate(slot)
            sums = prims.make_tmem_ptr(address, Float32)
            of_a = prims.Tcgen05SmemDesc.build(near, 128, 256)
            whole = prims.Tcgen05SmemDesc.build(near, 128, 256,
                                                layout=prims.Tcgen05SmemSwizzle.NONE)
            of_b = whole.advance_start_address(M * K * 2)
            kind = prims.Tcgen05InstrDesc.build(
                c_dtype=Float32, a_dtype=Float16, b_dtype=Float16, m_dim=M, n_dim=N)
            if thread == 0:
                for i in cutlass.range_constexpr(3):
                    prims.tcgen05_mma(prims.Tcgen05MMAKind.F16, prims.CTAGroup.CTA_1, sums, of_a,
                                      of_b, kind, i > 0)
                prims.tcgen05_commit(bar)
            while not prims.mbarrier_try_wait_parity(bar, 0):
                pass
            prims.tcgen05_fence("after_thread_sync")
            rows = prims.make_tmem_ptr_from_warp_row_col(address, thread // 32, 0, Float32)
            loaded = prims.tcgen05_ld(prims.Tcgen05LdStShape.SHAPE_32X32B, rows, num=N)
            prims.tcgen05_wait("load")
            for i in cutlass.range_constexpr(N):
                m[thread * N + i] = loaded[i]
            free(address)

        found = run(k, M * N + (M + N) * K, "f", block=128,
                    fill=lambda n: [0.0] * (M * N) + flat(a, b))
        self.assertEqual(found[: M * N], [3 * x for x in product(a, b)])

    def test_other_forms(self):
        """B that is kept, a sparse A with the first two of each four elements, and both; and sums
        that are halved before."""
        columns = 64

        def case(start, sparse, k):
            @cute.kernel
            def kernel(m: cute.Tensor):
                thread = cute.arch.thread_idx()[0]
                slot = cutlass.Array(Int32, 1, space=SMEM)
                bar = cutlass.Array(Int64, 1, space=SMEM)
                near_a = cutlass.Array(Float16, M * K, space=SMEM, alignment=128)
                near_b = cutlass.Array(Float16, columns * k, space=SMEM, alignment=128)
                for near, width, rows, first in ((near_a, K, M, M * columns),
                                                 (near_b, k, columns, M * columns + M * K)):
                    for i in cutlass.range_constexpr(rows * width // 128):
                        row, column = (thread + 128 * i) // width, (thread + 128 * i) % width
                        near[row // 8 * (8 * width) + column // 8 * 64 + row % 8 * 8
                             + column % 8] = m[first + thread + 128 * i].to(Float16)
                if thread == 0:
                    prims.mbarrier_init(bar, 1)
                prims.fence_mbarrier_init()
                prims.fence_proxy("async.shared::cta")
                address = allocate(slot, 128)
                metadata = prims.make_tmem_ptr(address + columns, Int32)
                prims.tcgen05_st("32x32b", metadata, [Int32(0x44444444)] * 4)
                prims.tcgen05_wait("store")
                prims.tcgen05_fence("before_thread_sync")
                prims.barrier_cta_sync(0)
                prims.tcgen05_fence("after_thread_sync")
                sums = prims.make_tmem_ptr(address, Float32)
                of_a = prims.Tcgen05SmemDesc.build(near_a, 128, 16 * K)
                of_b = prims.Tcgen05SmemDesc.build(near_b, 128, 16 * k)
                kind = prims.Tcgen05InstrDesc.build(
                    sparse_flag=int(sparse), c_dtype=Float32, a_dtype=Float16, b_dtype=Float16,
                    m_dim=M, n_dim=columns)
                if thread == 0:
                    for i in cutlass.range_constexpr(2):
                        start(sums, of_a, of_b, kind, i > 0, metadata)
                    prims.tcgen05_commit(bar)
                while not prims.mbarrier_try_wait_parity(bar, 0):
                    pass
                prims.tcgen05_fence("after_thread_sync")
                rows = prims.make_tmem_ptr_from_warp_row_col(address, thread // 32, 0, Float32)
                loaded = prims.tcgen05_ld("32x32b", rows, num=columns)
                prims.tcgen05_wait("load")
                for i in cutlass.range_constexpr(columns):
                    m[thread * columns + i] = loaded[i]
                free(address, 128)

            return kernel

        one, keep = prims.CTAGroup.CTA_1, prims.Tcgen05MMACollectorBBuffer.B1
        fill = prims.Tcgen05MMACollectorOp.FILL
        a = matrix(M, K, 1)
        for start, sparse, factor in (
            (lambda d, x, y, kind, adds, e: prims.tcgen05_mma(
                "f16", one, d, x, y, kind, adds, scale_input_d=1), False, 1.5),
            (lambda d, x, y, kind, adds, e: prims.tcgen05_mma_ws(
                "f16", d, x, y, kind, adds, collector_b_buffer=keep, collector_op=fill), False, 2),
            (lambda d, x, y, kind, adds, e: prims.tcgen05_mma_sp(
                "f16", one, d, x, y, kind, adds, e), True, 2),
            (lambda d, x, y, kind, adds, e: prims.tcgen05_mma_ws_sp(
                "f16", d, x, y, kind, adds, e), True, 2),
        ):
            k = 2 * K if sparse else K
            b = matrix(columns, k, 2)
            seen = [[q[j] for j in range(k) if not sparse or j % 4 < 2] for q in b]
            found = run(case(start, sparse, k), M * columns + M * K + columns * k, "f", block=128,
                        fill=lambda n: [0.0] * (M * columns) + flat(a, b))
            self.assertEqual(found[: M * columns], [factor * x for x in product(a, seen)])

        @cute.jit
        def wrong():
            with self.assertRaisesRegex(ValueError, "products of mxf4 have factors"):
                prims.tcgen05_mma_ws("mxf4", None, None, None, None, False)
            with self.assertRaisesRegex(ValueError, "scale_input_d is 0 to 15, of f16 and tf32"):
                prims.tcgen05_mma("int8", one, None, None, None, None, False, scale_input_d=1)
            with self.assertRaisesRegex(ImportError, "products with a_shift are not there"):
                prims.tcgen05_mma_sp("f16", one, None, None, None, None, False, None, a_shift=True)

        wrong()

    def test_launch_control(self):
        """No block is left whose place this one could take."""
        @cute.kernel
        def k(m: cute.Tensor):
            bar = cutlass.Array(Int64, 1, space=SMEM)
            response = cutlass.Array(Int32, 4, space=SMEM, alignment=16)
            if cute.arch.thread_idx()[0] == 0:
                prims.mbarrier_init(bar, 1)
                prims.fence_mbarrier_init()
                prims.mbarrier_arrive_expect_tx(bar, 16)
                prims.clusterlaunchcontrol_try_cancel(response, bar)
                while not prims.mbarrier_try_wait_parity(bar, 0):
                    pass
                prims.fence_proxy("async.shared::cta")
                m[0] = Int32(prims.clusterlaunchcontrol_query_cancel(
                    "is_canceled", response[0:4].bitcast(Int64)))

        self.assertEqual(run(k, 1, "i", block=32, fill=lambda n: [-1] * n), [0])

    def test_factors(self):
        """Rows of ones; each 32 rows have twice the factor of the 32 before."""
        @cute.kernel
        def k(m: cute.Tensor):
            thread = cute.arch.thread_idx()[0]
            slot = cutlass.Array(Int32, 1, space=SMEM)
            bar = cutlass.Array(Int64, 1, space=SMEM)
            a = cutlass.Array(Int32, M * 8, space=SMEM, alignment=128)
            b = cutlass.Array(Int32, N * 8, space=SMEM, alignment=128)
            for i in cutlass.range_constexpr(8):
                a[thread + 128 * i] = Int32(0x22222222)
            for i in cutlass.range_constexpr(2):
                b[thread + 128 * i] = Int32(0x22222222)
            if thread == 0:
                prims.mbarrier_init(bar, 1)
            prims.fence_mbarrier_init()
            prims.fence_proxy("async.shared::cta")
            address = allocate(slot, 64)
            mine = prims.make_tmem_ptr(address, cutlass.Int8).subview(32)  # of each warp's lanes
            codes = [Int32(0x38383838 + 0x08080808 * i) for i in range(4)]
            prims.tcgen05_st("32x32b", mine, codes + [Int32(0x38383838)] * 4)
            prims.tcgen05_wait("store")
            prims.tcgen05_fence("before_thread_sync")
            prims.barrier_cta_sync(0)
            prims.tcgen05_fence("after_thread_sync")
            sums = prims.make_tmem_ptr(address, Float32)
            kind = prims.Tcgen05MxOmmaInstrDesc.build(m_dim=M, n_dim=N, scale_format="UE4M3")
            rows = [prims.Tcgen05SmemDesc.build(near, 128, 256) for near in (a, b)]
            if thread == 0:
                prims.tcgen05_mma_block_scale(
                    "mxf4nvf4", prims.CTAGroup.CTA_1, sums, *rows, kind, False,
                    prims.make_tmem_ptr(address + 32, Int32),
                    prims.make_tmem_ptr(address + 36, Int32),
                    scale_vec_size=prims.Tcgen05MMABlockScale.BLOCK16)
                prims.tcgen05_commit(bar)
            while not prims.mbarrier_try_wait_parity(bar, 0):
                pass
            prims.tcgen05_fence("after_thread_sync")
            of_warp = prims.make_tmem_ptr_from_warp_row_col(address, thread // 32, 0, Float32)
            loaded = prims.tcgen05_ld("32x32b", of_warp, num=N)
            prims.tcgen05_wait("load")
            for i in cutlass.range_constexpr(N):
                m[thread * N + i] = loaded[i]
            free(address, 64)

        wanted = [64.0 * 2 ** (row // 32) for row in range(M) for _ in range(N)]
        self.assertEqual(run(k, M * N, "f", block=128), wanted)

    def test_narrow_a(self):
        """Elements of 4 and 6 bits become bytes on their way to tensor memory."""
        for dtype, bits, shown in ((cutlass.Float4E2M1FN, 4, "b4x16_p64"),
                                   (cutlass.Float6E3M2FN, 6, "b6x16_p32")):
            @cute.kernel
            def k(m: cute.Tensor):
                thread = cute.arch.thread_idx()[0]
                slot = cutlass.Array(Int32, 1, space=SMEM)
                bar = cutlass.Array(Int64, 1, space=SMEM)
                a = cutlass.Array(Int32, M * 8, space=SMEM, alignment=128)
                b = cutlass.Array(Int32, N * 8, space=SMEM, alignment=128)
                begin = thread // 8 * 64 + thread % 8 * 4
                for half in cutlass.range_constexpr(2):
                    for i in cutlass.range_constexpr(4):
                        a[begin + 32 * half + i] = prims.mov_b32(
                            m[M * N + thread * 8 + 4 * half + i], target_type=Int32)
                if thread < N:
                    for i in cutlass.range_constexpr(8):
                        b[thread // 8 * 64 + thread % 8 * 4 + 32 * (i // 4) + i % 4] = (
                            Int32(0x38383838) if i < 4 else Int32(0x40404040))
                if thread == 0:
                    prims.mbarrier_init(bar, 1)
                prims.fence_mbarrier_init()
                prims.fence_proxy("async.shared::cta")
                address = allocate(slot, 64)
                mine = prims.make_tmem_ptr(address, cutlass.Int8).subview(32)
                prims.tcgen05_st("32x32b", mine, [Int32(0x7F7F7F7F)] * 8)
                prims.tcgen05_wait("store")
                prims.tcgen05_fence("before_thread_sync")
                prims.barrier_cta_sync(0)
                prims.tcgen05_fence("after_thread_sync")
                kind = prims.Tcgen05MxInstrDesc.build(
                    m_dim=M, n_dim=N, a_dtype=dtype, b_dtype=cutlass.Float8E4M3FN, scale_format=1)
                rows = [prims.Tcgen05SmemDesc.build(near, 128, 256) for near in (a, b)]
                wide = prims.make_tmem_ptr(address + 48, Int32)
                if thread == 0:
                    prims.tcgen05_cp("shape_128x256b", wide, rows[0], src_format=shown)
                    prims.tcgen05_mma_block_scale(
                        "mxf8f6f4", prims.CTAGroup.CTA_1, prims.make_tmem_ptr(address, Float32),
                        wide, rows[1], kind.set_sf_ids(a_sf_id=1, b_sf_id=2), False,
                        prims.make_tmem_ptr(address + 32, Int32),
                        prims.make_tmem_ptr(address + 36, Int32))
                    prims.tcgen05_commit(bar)
                while not prims.mbarrier_try_wait_parity(bar, 0):
                    pass
                prims.tcgen05_fence("after_thread_sync")
                of_warp = prims.make_tmem_ptr_from_warp_row_col(address, thread // 32, 0, Float32)
                loaded = prims.tcgen05_ld("32x32b", of_warp, num=N)
                prims.tcgen05_wait("load")
                for i in cutlass.range_constexpr(N):
                    m[thread * N + i] = loaded[i]
                free(address, 64)

            # 1 and 2 of e2m1 and of e3m2; each row has as many twos as its number modulo 33.
            one, two = (2, 4) if bits == 4 else (12, 16)
            words, wanted = [], []
            for row in range(M):
                codes = [two if i < row % 33 else one for i in range(32)]
                for half in (codes[:16], codes[16:]):
                    chunk = sum(code << bits * i for i, code in enumerate(half))
                    words += [chunk >> 32 * i & 0xFFFFFFFF for i in range(4)]
                first = min(row % 33, 16)
                wanted += [float(16 + first + 2 * (16 + row % 33 - first))] * N
            held = [struct.unpack("f", struct.pack("I", w))[0] for w in words]
            found = run(k, M * N + M * 8, "f", block=128, fill=lambda n: [0.0] * (M * N) + held)
            self.assertEqual(found[: M * N], wanted, dtype)

    def test_stores_and_loads(self):
        @cute.kernel
        def k(m: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            slot = cutlass.Array(Int32, 1, space=SMEM)
            address = allocate(slot)
            place = prims.make_tmem_ptr(address, Float32)
            mine = Vector.from_elements([m[lane * 4 + i] for i in range(4)], Float32)
            prims.tcgen05_st("32x32b", place, mine)
            prims.tcgen05_wait(prims.Tcgen05Wait.STORE)
            further = prims.TmemAddr.from_row_col(0, prims.TmemAddr(address).col_id + 1)
            back = prims.tcgen05_ld("32x32b", further.as_ptr(Float32), num=2)
            last = prims.tcgen05_ld("32x32b", prims.make_tmem_ptr(address + 3, Int32))
            prims.tcgen05_wait("load")
            m[lane * 4] = back[1] + back[0] * 1000.0 + Float32(prims.TmemAddr(address).row_id)
            m[lane * 4 + 1] = prims.mov_b32(last[0], target_type=Float32)
            free(address)

        found = run(k, 128, "f")
        self.assertEqual(found[0:2] + found[124:126], [1002.0, 3.0, 125126.0, 127.0])

    def test_copies(self):
        @cute.kernel
        def k(m: cute.Tensor):
            thread = cute.arch.thread_idx()[0]
            slot = cutlass.Array(Int32, 1, space=SMEM)
            bar = cutlass.Array(Int64, 1, space=SMEM)
            near = cutlass.Array(Float32, 512, space=SMEM, alignment=128)
            for i in cutlass.range_constexpr(4):
                near[thread * 4 + i] = m[thread * 4 + i]
            if thread == 0:
                prims.mbarrier_init(bar, 1)
            prims.fence_mbarrier_init()
            prims.fence_proxy("async.shared::cta")
            address = allocate(slot)
            place = prims.make_tmem_ptr(address, Float32)
            rows = prims.Tcgen05SmemDesc.build(near, 16, 128)
            shape, warps = prims.S2TCopyMode.S2T_128x128b
            if thread == 0:
                prims.tcgen05_cp(shape, place, rows, multicast=warps)
                prims.tcgen05_commit(bar)
            while not prims.mbarrier_try_wait_parity(bar, 0):
                pass
            prims.tcgen05_fence("after_thread_sync")
            mine = prims.make_tmem_ptr_from_warp_row_col(address, thread // 32, 0, Float32)
            loaded = prims.tcgen05_ld("32x32b", mine, num=4)
            prims.tcgen05_wait("load")
            for i in cutlass.range_constexpr(4):
                m[thread * 4 + i] = loaded[i] * 2.0
            free(address)

        self.assertEqual(run(k, 512, "f", block=128), [2.0 * i for i in range(512)])


class Maps(unittest.TestCase):
    def test_rows(self):
        """Four rows of a matrix come together, and go to four others; those outside are zero."""
        @cute.kernel
        def k(source: cutlass.GridConstant[cuda.TensorMap],
              target: cutlass.GridConstant[cuda.TensorMap]):
            near = cutlass.Array(Int32, 32, space=SMEM, alignment=128)
            bar = cutlass.Array(Int64, 1, space=SMEM)
            if cute.arch.thread_idx()[0] == 0:
                prims.mbarrier_init(bar, 1)
                prims.fence_mbarrier_init()
                prims.mbarrier_arrive_expect_tx(bar, 4 * source.global_tx_bytes())
                prims.cp_async_bulk_tensor_shared_cta_global(
                    near, source.get_ptr(), (8, 5, 0, 99, 3), bar, mode="tile_gather4")
                while not prims.mbarrier_try_wait_parity(bar, 0):
                    pass
                prims.cp_async_bulk_tensor_global_shared_cta(
                    target.get_ptr(), near, (0, 7, 1, 2, 4), mode=prims.TMAStoreMode.TILE_SCATTER4)
                prims.cp_async_bulk_commit_group()
                prims.cp_async_bulk_wait_group(0)

        @cute.jit
        def launch(a: cute.Pointer, b: cute.Pointer, rows: Int32):
            maps = [cuda.create_tensor_map_tiled(p.toint(), Int32, [16, rows], [4], [8, 1])
                    for p in (a, b)]
            k(*maps).launch(grid=(1, 1, 1), block=(32, 1, 1))

        source, target = array.array("i", range(128)), array.array("i", [-1] * 128)
        pointers = [make_ptr(Int32, m.buffer_info()[0], cutlass.AddressSpace.gmem,
                             assumed_align=16) for m in (source, target)]
        launch(*pointers, 8)
        if primitives.PTXAS:
            with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
                file.write(cute.compile(launch, *pointers, 8).__ptx__)
                file.flush()
                subprocess.run([primitives.PTXAS, "-arch=sm_100a", "-o", "/dev/null", file.name],
                               check=True)
        wanted = [-1] * 128
        for to, row in ((7, 5), (1, 0), (2, None), (4, 3)):
            wanted[16 * to : 16 * to + 8] = [0 if row is None else 16 * row + 8 + i
                                             for i in range(8)]
        self.assertEqual(list(target), wanted)

    def test_rows_rejected(self):
        @cute.kernel
        def k(m: cute.Tensor):
            near = cutlass.Array(Int32, 32, space=SMEM, alignment=128)
            with self.assertRaisesRegex(ValueError, "a column and four rows, not 2 coordinates"):
                prims.cp_async_bulk_tensor_shared_cta_global(
                    near, m.iterator, (0, 1), near, mode="tile_gather4")

        run(k, 8, "i")

    def test_widened(self):
        """16 elements of 4 or 6 bits get 16 bytes of shared memory and fill the first ones."""
        for dtype, run_bytes in ((cutlass.Float4E2M1FN, 8), (cutlass.Float6E2M3FN, 12)):
            @cute.kernel
            def k(source: cutlass.GridConstant[cuda.TensorMap], out: cute.Tensor):
                near = cutlass.Array(Int32, 64, space=SMEM, alignment=128)
                bar = cutlass.Array(Int64, 1, space=SMEM)
                if cute.arch.thread_idx()[0] == 0:
                    prims.mbarrier_init(bar, 1)
                    prims.fence_mbarrier_init()
                    prims.mbarrier_arrive_expect_tx(bar, source.global_tx_bytes())
                    prims.cp_async_bulk_tensor_shared_cta_global(
                        near, source.get_ptr(), (128, 1), bar)
                    while not prims.mbarrier_try_wait_parity(bar, 0):
                        pass
                    for i in cutlass.range_constexpr(64):
                        if i % 4 < run_bytes // 4:
                            out[i] = near[i]

            @cute.jit
            def launch(a: cute.Pointer, b: cute.Pointer, rows: Int32):
                row = 256 * dtype.width // 8
                source = cuda.create_tensor_map_tiled(
                    a.toint(), dtype, [256, rows], [row // 16], [128, 2])
                self.assertEqual(source.shared_storage_bytes(), 256)
                self.assertEqual(source.global_tx_bytes(), 256 * dtype.width // 8)
                k(source, cute.make_tensor(b, 64)).launch(grid=(1, 1, 1), block=(32, 1, 1))

            words = 8 * dtype.width  # of a row
            memory, out = array.array("i", range(3 * words + 8)), array.array("i", [-1] * 64)
            start = -memory.buffer_info()[0] % 32
            memory[start // 4:] = array.array("i", range(len(memory) - start // 4))
            a, b = (make_ptr(Int32, m.buffer_info()[0] + at, cutlass.AddressSpace.gmem,
                             assumed_align=16) for m, at in ((memory, start), (out, 0)))
            launch(a, b, 3)
            run = run_bytes // 4
            self.assertEqual(list(out), [
                -1 if i % 4 >= run else words * (1 + i // 32) + words // 2 + i % 32 // 4 * run + i % 4
                for i in range(64)])


class Descriptors(unittest.TestCase):
    def test_fields(self):
        @cute.kernel
        def k(m: cute.Tensor):
            kind = prims.Tcgen05InstrDesc.build(
                c_dtype=Int32, a_dtype=cutlass.Int8, b_dtype=cutlass.Uint8, m_dim=128, n_dim=64,
                b_major=1)
            place = prims.Tcgen05SmemDesc.build(Int32(4096), 32, 1024, layout=2)
            place = place.advance_start_address(64)
            found = [kind.c_format, kind.a_format, kind.b_format, kind.m_dim, kind.n_dim,
                     kind.a_major, kind.b_major]
            scaled = prims.Tcgen05MxOmmaInstrDesc.build(m_dim=256, n_dim=64, scale_format="E8M0",
                                                        a_sf_id=2)
            found += [scaled.a_format, scaled.m_dim, scaled.n_dim, scaled.scale_format,
                      scaled.a_sf_id]
            found += [place.start_address, place.leading_byte_offset, place.stride_byte_offset,
                      place.version, place.layout_type]
            for i, x in enumerate(found):
                m[i] = Int32(x)

        self.assertEqual(run(k, 17, block=1), [2, 1, 0, 128, 64, 0, 1, 1, 256, 64, 1, 2, 4160, 32,
                                               1024, 1, 2])

    def test_rejected(self):
        @cute.kernel
        def k(m: cute.Tensor):
            near = cutlass.Array(Int32, 4, space=SMEM, alignment=16)
            tensor = prims.make_tmem_ptr(0, Float32)
            desc = prims.Tcgen05SmemDesc.build(near, 16, 128)
            for error, text, call in (
                (ValueError, "32 to 512, not 48", lambda: prims.tcgen05_alloc(near, 48)),
                (TypeError, "expected tensor memory, not ptr<i32, smem",
                 lambda: prims.tcgen05_dealloc(near, 32)),
                (ValueError, "an offset is for the shape 16x32bx2",
                 lambda: prims.tcgen05_ld("32x32b", tensor, offset=4)),
                (ValueError, "stores 2 registers times a power of two, not 3",
                 lambda: prims.tcgen05_st("16x128b", tensor, [Int32(1)] * 3)),
                (ValueError, "a copy of 32x128b has the multicast warpx4, not None",
                 lambda: prims.tcgen05_cp("shape_32x128b", tensor, desc)),
                (ValueError, "products of mxf4 have factors",
                 lambda: prims.tcgen05_mma("mxf4", 1, tensor, desc, desc, 0, True)),
                (ImportError, "products with a_shift are not there",
                 lambda: prims.tcgen05_mma("f16", "cta_1", tensor, desc, desc, 0, True,
                                           a_shift=True)),
                (ValueError, "m_dim is 100, not a multiple of 16",
                 lambda: prims.Tcgen05InstrDesc.build(m_dim=100)),
                (ValueError, "floats of 8, 6 and 4 bits, not Float16",
                 lambda: prims.Tcgen05MxInstrDesc.build(a_dtype=cutlass.Float16)),
                (ValueError, "these products are of Float4E2M1FN, not Int32",
                 lambda: prims.Tcgen05MxOmmaInstrDesc.build(a_dtype=Int32)),
                (ValueError, "a_dtype is Int32, which products",
                 lambda: prims.Tcgen05InstrDesc.build(a_dtype=Int32)),
                (ValueError, "stride_byte_offset is 100, not a multiple of 16",
                 lambda: prims.Tcgen05SmemDesc.build(near, 16, 100)),
                (ValueError, "begins at a multiple of 16 bytes, not 8",
                 lambda: desc.advance_start_address(8)),
            ):
                with self.assertRaisesRegex(error, text):
                    call()

        run(k, 4, block=1)


if __name__ == "__main__":
    unittest.main()
