# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""cutlass.experimental: instructions one by one, tensor maps, pointers and vectors."""

import array
import shutil
import subprocess
import tempfile
import unittest

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import Boolean, Float32, Int32, Int64, Vector
from cutlass.cute.runtime import make_ptr
from cutlass.experimental import cuda, primitives as prims

SMEM = cutlass.AddressSpace.smem
NEAR = cutlass.AddressSpace.dsmem


PTXAS = shutil.which("ptxas")


def assemble(launch, pointer, arch):
    """Has ptxas, where there is one, accept what the simulator runs."""
    ptx = cute.compile(launch, pointer, options=f"--gpu-arch {arch}").__ptx__
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        subprocess.run([PTXAS, f"-arch={arch}", "-o", "/dev/null", file.name], check=True)


def run(kernel, count=64, code="i", block=32, cluster=1, fill=range, arch="sm_90a"):
    """Returns what a kernel makes of an array of numbers of 32 bits."""
    dtype = {"i": Int32, "f": Float32}[code]

    @cute.jit
    def launch(pointer: cute.Pointer):
        tensor = cute.make_tensor(pointer, cute.make_layout(count))
        kernel(tensor).launch(
            grid=(cluster, 1, 1), block=(block, 1, 1), cluster=(cluster, 1, 1))

    memory = array.array(code, fill(count))
    # Memory of the host is at a multiple of 16 bytes.
    pointer = make_ptr(dtype, memory.buffer_info()[0], cutlass.AddressSpace.gmem,
                       assumed_align=16)
    launch(pointer)
    if PTXAS:
        assemble(launch, pointer, arch)
    return list(memory)


class Threads(unittest.TestCase):
    def test_exchange(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            x = a[lane]
            up, valid = prims.shfl_sync(-1, x, 1, 0, "up", return_value_and_is_valid=True)
            lanes, same = prims.match_sync(-1, lane // 32, prims.MatchSync.ALL)
            total = prims.redux_sync(x, prims.ReductionKind.ADD, 0xFFFFFFFF)
            votes = prims.vote_sync(0xFFFFFFFF, lane < 3, prims.VoteSync.BALLOT)
            a[lane] = up + Int32(valid) * 100 + Int32(same) * 1000 + total * 10000
            a[lane + 32] = votes + (prims.match_sync(-1, lane // 16, "any") & 0xFF0000)

        found = run(k)
        self.assertEqual(found[:3], [4961000, 4961100, 4961101])
        self.assertEqual((found[32], found[63]), (7, 7 + 0xFF0000))

    def test_barriers(self):
        @cute.kernel
        def k(a: cute.Tensor):
            thread = cute.arch.thread_idx()[0]
            near = cutlass.Array(Int32, 64, space=SMEM)
            near[thread] = a[thread]
            prims.barrier_cta_sync()
            every = prims.barrier_cta_red(thread < 64, 1, "and", thread_count=64)
            some = prims.barrier_cta_red(thread == 70, 0, prims.BarrierRedux.OR)
            count = prims.barrier_cta_red(thread < 5, 0, "popc")
            prims.bar_warp_sync(0xFFFFFFFF)
            a[thread] = near[63 - thread] + Int32(every) * 100 + Int32(some) * 1000 + count * 10000

        self.assertEqual(run(k, block=64)[:2], [50163, 50162])

    def test_halves_of_a_warp(self):
        """A branch reads its own element alone: no pass reads both, which would be a race."""
        @cute.kernel
        def k(a: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            near = cutlass.Array(Int32, 2, space=SMEM)
            if lane == 0:
                near[0] = 5
            if lane == 16:
                near[1] = 7
            if lane < 16:
                prims.bar_warp_sync(0xFFFF)
            else:
                prims.bar_warp_sync(0xFFFF0000)
            if lane < 16:
                a[lane] = near[0]
            else:
                a[lane] = near[1]

        self.assertEqual(run(k, 32), [5] * 16 + [7] * 16)

    def test_elected_threads(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            a[lane] = 0
            if lane < 16:
                if prims.elect_sync(membermask=0xFFFF):
                    a[lane] = 7
            if prims.elect_sync():
                a[lane + 32] = 9

        found = run(k)
        self.assertEqual((found[:16].count(7), sum(found[:32])), (1, 7))
        self.assertEqual(found[32:].count(9), 1)


class Barriers(unittest.TestCase):
    def test_states_and_parities(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            bar = cutlass.Array(Int64, 1, space=SMEM)
            near = cutlass.Array(Int32, 32, space=SMEM)
            if lane == 0:
                prims.mbarrier_init(bar, 32)
            prims.fence_mbarrier_init()
            prims.barrier_cta_sync(0)
            near[lane] = a[lane]
            state = prims.mbarrier_arrive(bar)
            while not prims.mbarrier_try_wait_timelimit(bar, state, 1000):
                pass
            a[lane] = near[31 - lane]
            prims.barrier_cta_sync(0)
            a[lane + 32] = Int32(prims.mbarrier_wait_parity(bar, 0, prims.MBarrierWait.TRY))
            prims.barrier_cta_sync(0)
            if lane == 0:
                prims.mbarrier_inval(bar)

        found = run(k)
        self.assertEqual((found[:2], found[32:]), ([31, 30], [1] * 32))

    def test_other_blocks(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane, rank = cute.arch.thread_idx()[0], prims.cluster_ctarank()
            bar = cutlass.Array(Int64, 1, space=SMEM)
            near = cutlass.Array(Int32, 32, space=SMEM)
            if lane == 0:
                prims.mbarrier_init(bar, 64)
            prims.fence_mbarrier_init()
            near[lane] = rank * 100 + lane
            prims.barrier_cluster_arrive()
            prims.barrier_cluster_wait()
            prims.mbarrier_arrive(prims.mapa(bar, 0), scope=prims.MemScope.CLUSTER)
            far = prims.mapa(near.data_ptr(), 1 - rank)
            a[rank * 32 + lane] = far[lane]
            if rank == 0:
                while not prims.mbarrier_try_wait_parity(bar, 0):
                    pass
            prims.barrier_cluster_arrive()
            prims.barrier_cluster_wait()

        found = run(k, cluster=2)
        self.assertEqual(found, [100 + i for i in range(32)] + list(range(32)))


class Copies(unittest.TestCase):
    def test_cp_async(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            near = cutlass.Array(Int32, 64, space=SMEM, alignment=16)
            if lane < 16:
                prims.cp_async_shared_global(
                    near.data_ptr(lane * 4), a.iterator + lane * 4, 16, "cg")
            prims.cp_async_commit_group()
            prims.cp_async_wait_group(0)
            prims.barrier_cta_sync(0)
            if lane == 0:
                prims.cp_async_shared_global(near, a.iterator, 4, "ca", cp_size=0)
                prims.cp_async_commit_group()
                prims.cp_async_wait_group(0)
                a[63] = near[0]
            a[lane] = near[lane + 16]

        found = run(k)
        self.assertEqual((found[:2], found[63]), ([16, 17], 0))

    def test_bulk(self):
        @cute.kernel
        def k(a: cute.Tensor):
            near = cutlass.Array(Int32, 32, space=SMEM, alignment=128)
            bar = cutlass.Array(Int64, 1, space=SMEM)
            if cute.arch.thread_idx()[0] == 0:
                prims.mbarrier_init(bar, 1)
                prims.fence_mbarrier_init()
                prims.mbarrier_arrive_expect_tx(bar, 128)
                prims.cp_async_bulk_shared_cluster_global(near, a.iterator, bar, 128)
                while not prims.mbarrier_try_wait_parity(bar, 0):
                    pass
                prims.cp_async_bulk_global_shared_cta(a.iterator + 32, near, 128)
                prims.cp_async_bulk_commit_group()
                prims.cp_async_bulk_wait_group(0)

        self.assertEqual(run(k), [*range(32)] * 2)

    def test_copies_that_a_barrier_counts(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane, rank = cute.arch.thread_idx()[0], prims.cluster_ctarank()
            near = cutlass.Array(Int32, 32, space=SMEM, alignment=128)
            far = cutlass.Array(Int32, 32, space=SMEM, alignment=128)
            bars = cutlass.Array(Int64, 2, space=SMEM)
            if lane == 0:
                prims.mbarrier_init(bars, 32)
                prims.mbarrier_init(bars.subview(1), 1)
            prims.fence_mbarrier_init()
            prims.barrier_cluster_arrive()
            prims.barrier_cluster_wait()
            prims.cp_async_shared_global(near.data_ptr(lane), a.iterator + lane, 4, "ca")
            prims.cp_async_mbarrier_arrive(bars, noinc=True)
            while not prims.mbarrier_try_wait(bars, Int32(0), ticks=100):
                pass
            prims.fence_proxy(prims.Proxy.ASYNC_SHARED, space=prims.SharedSpace.shared_cta)
            prims.barrier_cta_sync(0)
            if lane == 0:
                prims.mbarrier_expect_tx(bars.subview(1), 128)
                prims.mbarrier_arrive(bars.subview(1))
                prims.cp_async_bulk_shared_cluster_shared_cta(
                    prims.mapa(far, 1 - rank), near, prims.mapa(bars.data_ptr(1), 1 - rank), 128)
            while not prims.mbarrier_test_wait(bars.subview(1), 0):
                pass
            a[32 + rank * 32 + lane] = far[lane] + rank * 100
            prims.barrier_cluster_arrive()
            prims.barrier_cluster_wait()

        found = run(k, 96, cluster=2)
        self.assertEqual((found[32:64], found[64:67]), ([*range(32)], [100, 101, 102]))

    def test_matrices(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            near = cutlass.Array(cutlass.Int16, (16, 8), space=SMEM, alignment=16)
            far = cutlass.Array(cutlass.Int16, (16, 8), space=SMEM, alignment=16)
            for i in cutlass.range_constexpr(4):
                near[lane * 4 + i] = cutlass.Int16(lane * 4 + i)
            prims.barrier_cta_sync(0)
            row = (lane % 16) * 8
            words = prims.ldmatrix(near.data_ptr(row), 2, prims.MMALayout.COL)
            prims.stmatrix(far.data_ptr(row), words, "row")
            one = prims.ldmatrix(near.data_ptr(row), 1, "row")
            prims.barrier_cta_sync(0)
            a[lane] = Int32(far[lane])
            a[lane + 32] = one

        found = run(k)
        self.assertEqual(found[:9], [0, 8, 16, 24, 32, 40, 48, 56, 1])
        self.assertEqual(found[33], 2 + (3 << 16))

    def test_reductions(self):
        @cute.kernel
        def k(a: cute.Tensor):
            prims.red(prims.ReductionOp.MAX, prims.ReductionType.S32, a.iterator, Int32(40),
                      mem_order="relaxed", mem_scope="gpu")
            prims.red("add", "s32", a.iterator + 1, Int32(1))
            prims.prefetch_l2(a.iterator)

        self.assertEqual(run(k)[:2], [40, 33])


class Maps(unittest.TestCase):
    def test_boxes(self):
        @cute.kernel
        def k(source: cutlass.GridConstant[cuda.TensorMap],
              target: cutlass.GridConstant[cuda.TensorMap]):
            near = cutlass.Array(Int32, 32, space=SMEM, alignment=128)
            bar = cutlass.Array(Int64, 1, space=SMEM)
            if cute.arch.thread_idx()[0] == 0:
                prims.prefetch_tensormap(source.get_ptr())
                prims.mbarrier_init(bar, 1)
                prims.fence_mbarrier_init()
                prims.mbarrier_arrive_expect_tx(bar, source.global_tx_bytes())
                prims.cp_async_bulk_tensor_shared_cta_global(near, source.get_ptr(), (8, 2), bar)
                while not prims.mbarrier_try_wait_parity(bar, 0):
                    pass
                prims.cp_async_bulk_tensor_global_shared_cta(target.get_ptr(), near, (0, 0))
                prims.cp_async_bulk_commit_group()
                prims.cp_async_bulk_wait_group(0)
                prims.cp_async_bulk_tensor_reduce(target.get_ptr(), near, "add", (0, 0))
                prims.cp_async_bulk_commit_group()
                prims.cp_async_bulk_wait_group(0)

        @cute.jit
        def launch(a: cute.Pointer, b: cute.Pointer, rows: Int32):
            source = cuda.create_tensor_map_tiled(a.toint(), Int32, [16, rows], [4], [8, 4])
            out = cute.make_tensor(b, cute.make_layout((8, 16), stride=(16, 1)))
            target = cuda.create_tensor_map_tiled_from_view(out, (4, 8))
            self.assertEqual((source.box_dims, source.shared_storage_bytes()), ((8, 4), 128))
            self.assertEqual((source.dtype, source.swizzle.name), (Int32, "none"))
            k(source, target).launch(grid=(1, 1, 1), block=(32, 1, 1))

        source, target = array.array("i", range(128)), array.array("i", [0] * 128)
        launch(*(make_ptr(Int32, m.buffer_info()[0], cutlass.AddressSpace.gmem, assumed_align=16)
                 for m in (source, target)), 8)
        self.assertEqual(list(target[:8]), [2 * (2 * 16 + 8 + i) for i in range(8)])
        self.assertEqual((target[8], target[16 * 3 + 7]), (0, 2 * (5 * 16 + 15)))

    def test_maps_that_kernels_change(self):
        @cute.kernel
        def k(source: cutlass.GridConstant[cuda.TensorMap], words: cute.Tensor, out: cute.Tensor):
            near = cutlass.Array(Int32, 32, space=SMEM, alignment=128)
            bar = cutlass.Array(Int64, 1, space=SMEM)
            copy = words.iterator.raw_ptr()
            if cute.arch.thread_idx()[0] == 0:
                given = cutlass.Pointer(source.get_ptr(), dtype=Int64)
                for i in cutlass.range_constexpr(16):
                    (copy + i).store((given + i).load())
                prims.tensormap_replace("global_address", copy, new_value=out.iterator.toint(Int64))
                prims.tensormap_replace(prims.TensormapField.GLOBAL_DIM, copy, new_value=3, ord=1)
                prims.fence_proxy_release("gpu", from_proxy="generic", to_proxy="tensormap")
                prims.fence_proxy_acquire(prims.MemScope.GPU, copy, 128)
                prims.mbarrier_init(bar, 1)
                prims.fence_mbarrier_init()
                prims.mbarrier_arrive_expect_tx(bar, source.global_tx_bytes())
                prims.cp_async_bulk_tensor_shared_cta_global(near, copy, (0, 0), bar)
                while not prims.mbarrier_try_wait_parity(bar, 0):
                    pass
                for i in cutlass.range_constexpr(32):
                    out[i] = near[i]

        @cute.jit
        def launch(a: cute.Pointer, words: cute.Pointer, out: cute.Pointer):
            source = cuda.create_tensor_map_tiled(a.toint(), Int32, [8, 4], [2], [8, 4])
            k(source, cute.make_tensor(words, 16), cute.make_tensor(out, 32)).launch(
                grid=(1, 1, 1), block=(32, 1, 1))

        room = array.array("q", [0] * 32)
        start = -room.buffer_info()[0] % 128
        numbers = [array.array("i", [s * i for i in range(32)]) for s in (1, 3)]
        a, out = (make_ptr(Int32, m.buffer_info()[0], cutlass.AddressSpace.gmem, assumed_align=16)
                  for m in numbers)
        words = make_ptr(Int64, room.buffer_info()[0] + start, cutlass.AddressSpace.gmem,
                         assumed_align=128)
        launch(a, words, out)
        self.assertEqual(list(numbers[1]), [3 * i if i < 24 else 0 for i in range(32)])

    def test_rejected(self):
        @cute.jit
        def make(a: cute.Pointer):
            for text, words in (
                ("of 2 modes there are 1 strides", dict(global_strides=[])),
                ("rows of a box have 128 bytes", dict(swizzle=cuda.TensorMapSwizzle.s128b)),
                ("interleaving of a tensor map is none", dict(
                    interleave=cuda.TensorMapInterleave.i16b)),
                ("every element", dict(traversal_strides=[2, 1])),
            ):
                given = dict(global_address=a.toint(), dtype=Int32, global_dims=[16, 8],
                             global_strides=[4], box_dims=[8, 4])
                with self.assertRaisesRegex((ValueError, NotImplementedError), text):
                    cuda.create_tensor_map_tiled(**{**given, **words})
            tensor = cute.make_tensor(a, cute.make_layout((8, 16), stride=(16, 1)))
            with self.assertRaisesRegex(ValueError, "an entry for each of the 2 modes"):
                cuda.create_tensor_map_tiled_from_view(tensor, (4,))

        make(make_ptr(Int32, 16, cutlass.AddressSpace.gmem, assumed_align=16))


class Memory(unittest.TestCase):
    def test_masks(self):
        @cute.kernel
        def k(a: cute.Tensor):
            mask = Vector.from_elements((True, False, True, False), Boolean)
            found = a.iterator.masked_load(mask, Float32(9.0), alignment=16)
            (a.iterator + 4).masked_store(found + 1.0, mask)
            a.iterator.raw_ptr().store(found, alignment=16)

        found = run(k, 8, "f", block=1)
        self.assertEqual(found, [0, 9, 2, 9, 1, 5, 3, 7])

    def test_vectors(self):
        @cute.kernel
        def k(a: cute.Tensor):
            row = Vector.from_elements((1.0, 2.0, 3.0), Float32)
            rows = cutlass.vector.broadcast_to(row, (2, 3))
            outer = cutlass.vector.outerproduct(row[0:2], row)
            part = outer[:, 1:3]
            cutlass.print_nd_vector(part)
            a.iterator.store(rows + outer)
            for i, element in enumerate(part.to_elements()):
                a[6 + i] = element
            a[10] = Float32(part.numel())

        self.assertEqual(run(k, 11, "f", block=1), [2, 4, 6, 3, 6, 9, 2, 3, 4, 6, 4])

    def test_swizzles_and_views(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane = cute.arch.thread_idx()[0]
            near = cutlass.Array(Int32, (8, 32), space=SMEM, alignment=1024)
            swizzle = cutlass.Swizzle.from_name("s128b")
            place = near.data_ptr((lane % 8, 0)).apply_swizzle(swizzle)
            if lane < 8:
                place.store(lane)
            prims.barrier_cta_sync(0)
            a[lane] = near.data_ptr((lane % 8, 0)).load_swizzled(swizzle)
            row = near[3, :]
            a[lane + 32] = Int32(row.shape[0]) + near.subview((3, 12))[0]
            same = cutlass.Pointer(a.iterator.tospace(cutlass.AddressSpace.generic), dtype=Int64)
            self.assertEqual((same.dtype, same.space.name), (Int64, "generic"))
            with self.assertRaisesRegex(ValueError, "is not in gmem"):
                near.tospace(cutlass.AddressSpace.gmem)

        found = run(k)
        self.assertEqual((found[:9], found[32]), ([*range(8), 0], 35))

    def test_rejected(self):
        with self.assertRaisesRegex(ValueError, "Shfl is one of BFLY, UP, DOWN, IDX, not 'left'"):
            prims.shfl_sync(-1, 1, 0, 31, "left")
        with self.assertRaisesRegex(TypeError, "missing a required argument: 'mask'"):
            prims.bar_warp_sync()
        with self.assertRaisesRegex(ValueError, "global_dim is changed with ord"):
            prims.tensormap_replace("global_dim", cuda.MapPointer(None), new_value=1)
        with self.assertRaisesRegex(ImportError, "leaves out registers by number; use cute.arch.lane_idx"):
            prims.read_sreg_hw(1)
        with self.assertRaisesRegex(AttributeError, "did you mean mbarrier_init"):
            prims.mbarrier_initialize
        with self.assertRaisesRegex(TypeError, "expected an Array or a pointer, not 3"):
            prims.mbarrier_init(3, 1)

        @cute.jit
        def place(a: cute.Pointer):
            with self.assertRaisesRegex(TypeError, "expected shared memory of the block, not ptr<i64"):
                prims.mbarrier_init(a, 1)

        place(make_ptr(Int64, 16, cutlass.AddressSpace.gmem))


if __name__ == "__main__":
    unittest.main()
