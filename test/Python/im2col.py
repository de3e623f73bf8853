# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Tiles of convolutions' matrices by TMA, and stores of pixels to images."""
import array
import itertools
import math
import unittest

import cute
from cute import Float16, Float32, arch, nvgpu, utils
from cute.nvgpu import OpError, cpasync, tcgen05, warpgroup
from cute.runtime import make_ptr

LOAD, SHARED = cpasync.CopyBulkTensorIm2ColG2SOp(), cpasync.CopyBulkTensorIm2ColG2SMulticastOp()
STORE = cpasync.CopyBulkTensorIm2ColS2GOp()


def pointer(x, dtype=Float32):
    return make_ptr(dtype, x.buffer_info()[0], cute.AddressSpace.gmem, assumed_align=16)


def images(x, whdn, channels, is_transposed=False):
    """((W, H, D, N), C)"""
    strides = [channels * math.prod(whdn[:i]) for i in range(len(whdn))]
    whdn = tuple(cute.Int32(n) for n in whdn)
    shape, stride = (whdn, channels), (tuple(strides), 1)
    if is_transposed:
        shape, stride = reversed(shape), reversed(stride)
    return cute.make_tensor(x, cute.make_layout(tuple(shape), stride=tuple(stride)))


@cute.kernel
def load(atom, matrix, out, layout: cute.Constexpr, tile: cute.Constexpr, blocks: cute.Constexpr):
    """A cluster copies a tile of the matrix, and each of its blocks writes it to ``out``."""
    thread, _, _ = arch.thread_idx()
    m, k, rank = arch.block_idx()
    smem = utils.SmemAllocator()
    bar = smem.allocate_array(cute.Int64, 1)
    near = smem.allocate_tensor(Float32, layout.outer, 1024, swizzle=layout.inner)
    far = cute.local_tile(matrix, tile, (None, None))
    to, coords = cpasync.tma_partition(
        atom, rank, cute.make_layout(blocks), cute.group_modes(near, 0, 2),
        cute.group_modes(far, 0, 2))
    if thread == 0:
        arch.mbarrier_init(bar, 1)
        arch.mbarrier_init_fence()
        arch.mbarrier_arrive_and_expect_tx(bar, 4 * cute.size(layout.outer))
    arch.sync_threads()
    if cute.const_expr(blocks > 1):
        arch.cluster_arrive()
        arch.cluster_wait()
    if arch.make_warp_uniform(arch.warp_idx()) == 0:
        if cute.const_expr(blocks > 1):
            cute.copy(atom, coords[None, m, k], to, tma_bar_ptr=bar, mcast_mask=(1 << blocks) - 1)
        else:
            cute.copy(atom.with_(tma_bar_ptr=bar), coords[None, m, k], to)
    arch.mbarrier_wait(bar, 0)
    part = cute.local_tile(out, (*tile, 1), (m, k, rank))
    for i in range(thread, cute.size(part), 64):
        part[i] = near[i]
    if cute.const_expr(blocks > 1):
        arch.cluster_arrive()
        arch.cluster_wait()


def tile_layout(tile, major=1):
    """A layout of Float32 with channels contiguous, in panels of 32."""
    kind = warpgroup.SmemLayoutAtomKind
    atom = warpgroup.make_smem_layout_atom(kind.K_SW128 if major else kind.MN_SW128, Float32)
    return cute.tile_to_shape(atom, tile, (0, 1) if major else (1, 0))


class Case:
    """A convolution: numbers for W, H and D."""

    def __init__(self, whdn, channels, filter, lower, upper, stride, dilation, tile=(16, 32),
                 blocks=1, backwards=False, transposed=False):
        self.whdn, self.channels, self.filter = whdn, channels, filter
        self.lower, self.upper, self.stride, self.dilation = lower, upper, stride, dilation
        self.tile, self.blocks = tile, blocks
        self.backwards, self.transposed = backwards, transposed

    def numbers(self):
        """The numbers that the atom takes."""
        reach = [(n - 1) * s for n, s in zip(self.filter, self.dilation)]
        corner = tuple(-x for x in self.lower)
        upper = tuple(x - r for x, r in zip(self.upper, reach))
        if not self.backwards:
            return (corner, upper, self.lower, self.upper, self.stride, (0,) * len(reach),
                    self.dilation)
        lower = tuple(r - x for r, x in zip(reach, self.lower))
        return (corner, upper, lower, self.upper, self.stride, tuple(reach),
                tuple(-s for s in self.dilation))

    def places(self):
        """The number of places of the filter along W, H and D."""
        return [(n + a + b - s * (f - 1) - 1) // t + 1 for n, a, b, s, f, t in zip(
            self.whdn, self.lower, self.upper, self.dilation, self.filter, self.stride)]

    def rows(self):
        return itertools.product(range(self.whdn[-1]), *map(range, reversed(self.places())))

    def columns(self):
        for place in itertools.product(*map(range, reversed(self.filter))):
            yield from (((*reversed(place),), c) for c in range(self.channels))

    def wanted(self, x):
        """The matrix, row by row."""
        return [[self.at(x, row, *column) for column in self.columns()] for row in self.rows()]

    def at(self, x, row, place, channel):
        n, *pixel = row
        index, step = channel, self.channels
        for i, at in enumerate(reversed(pixel)):
            tap = self.filter[i] - 1 - place[i] if self.backwards else place[i]
            at = at * self.stride[i] - self.lower[i] + tap * self.dilation[i]
            if not 0 <= at < self.whdn[i]:
                return 0
            index, step = index + at * step, step * self.whdn[i]
        return x[index + n * step]

    def launch(self):
        case = self

        @cute.jit
        def run(x: cute.Pointer, y: cute.Pointer):
            x = images(x, case.whdn, case.channels, case.transposed)
            tile = case.tile[::-1] if case.transposed else case.tile
            layout = tile_layout(tile, 0 if case.transposed else 1)
            op = SHARED if case.blocks > 1 else LOAD
            atom, matrix = cpasync.make_im2col_tma_atom(
                op, x, layout, tile, *case.numbers(), case.blocks)
            m, k = case.grid()
            shape = (m * case.tile[0], k * case.tile[1], case.blocks)
            out = cute.make_tensor(y, cute.make_layout(shape, stride=(shape[1], 1, shape[0] * shape[1])))
            if case.transposed:
                out = cute.select(out, mode=[1, 0, 2])
                m, k = k, m
            load(atom, matrix, out, layout, tile, case.blocks).launch(
                grid=(m, k, case.blocks), block=(64, 1, 1), cluster=(1, 1, case.blocks))

        x = array.array("f", (1 + i % 251 for i in range(math.prod(self.whdn) * self.channels)))
        m, k = self.grid()
        size = m * self.tile[0] * k * self.tile[1]
        y = array.array("f", [-1] * size * self.blocks)
        run(pointer(x), pointer(y))
        return x, [y[i * size : (i + 1) * size] for i in range(self.blocks)]

    def grid(self):
        rows, columns = math.prod(self.places()) * self.whdn[-1], self.channels * math.prod(self.filter)
        return -(-rows // self.tile[0]), columns // self.tile[1]


CASES = {
    "strides, dilation and uneven padding": Case((7, 5, 2), 32, (3, 2), (1, 0), (2, 1), (2, 1), (1, 2)),
    "two tiles of channels": Case((4, 4, 1), 64, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1)),
    "panels": Case((4, 4, 1), 64, (2, 1), (1, 0), (0, 0), (1, 1), (1, 1), tile=(16, 64)),
    "a line": Case((19, 2), 32, (3,), (1,), (1,), (3,), (2,)),
    "volumes": Case((4, 3, 2, 2), 32, (1, 2, 2), (0, 1, 1), (0, 1, 0), (1, 2, 1), (1, 1, 1)),
    "blocks that share": Case((6, 4, 2), 32, (3, 1), (1, 0), (1, 0), (1, 1), (1, 1), blocks=2),
    "backwards": Case((5, 4, 1), 32, (3, 2), (1, 0), (2, 1), (1, 1), (2, 1), backwards=True),
    "channels first": Case((5, 4, 1), 64, (3, 1), (1, 0), (1, 0), (1, 1), (1, 1), transposed=True),
}


class Loads(unittest.TestCase):
    def test_matrices(self):
        """Each block of the cluster gets the matrix; rows behind its end are not compared."""
        for title, case in CASES.items():
            with self.subTest(title):
                x, found = case.launch()
                wanted = case.wanted(x)
                columns = len(wanted[0])
                for got in found:
                    rows = [list(got[i * columns : (i + 1) * columns]) for i in range(len(wanted))]
                    wrong = [i for i, (a, b) in enumerate(zip(rows, wanted)) if a != b]
                    self.assertEqual(wrong, [])


class Channels(unittest.TestCase):
    def test_numbers_known_at_run_time(self):
        """Tiles of channels divide them, or are one mode of them."""
        case = CASES["two tiles of channels"]

        def run(tile, channels):
            @cute.jit
            def launch(x: cute.Pointer, y: cute.Pointer, channels: cute.Int32):
                x = images(x, case.whdn, channels)
                layout = tile_layout((16, 32))
                atom, matrix = cpasync.make_im2col_tma_atom(LOAD, x, layout, tile, *case.numbers())
                out = cute.make_tensor(y, cute.make_layout((16, 32, 1), stride=(32, 1, 0)))
                load(atom, matrix, out, layout, tile, 1).launch(grid=(1, 1, 1), block=(64, 1, 1))

            x = array.array("f", (1 + i % 251 for i in range(16 * channels)))
            y = array.array("f", [-1] * 512)
            launch(pointer(x), pointer(y), channels)
            return x, y

        for tile in ((16, 32), (16, (32,))):
            x, y = run(tile, 64)
            self.assertEqual(list(y), [v for row in case.wanted(x) for v in row[:32]])
        run((16, (32,)), 48)
        with self.assertRaisesRegex(cute.DSLError, "no multiple of a tile's 32"):
            run((16, 32), 48)


@cute.kernel
def store(atom, pixels, source, layout: cute.Constexpr, tile: cute.Constexpr):
    thread, _, _ = arch.thread_idx()
    m, _, _ = arch.block_idx()
    near = utils.SmemAllocator().allocate_tensor(Float32, layout.outer, 1024, swizzle=layout.inner)
    part = cute.local_tile(source, tile, (m, 0))
    for i in range(thread, cute.size(part), 64):
        near[i] = part[i]
    arch.fence_view_async_shared()
    arch.sync_threads()
    far = cute.local_tile(pixels, tile, (None, None))
    out, coords = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(near, 0, 2), cute.group_modes(far, 0, 2))
    if arch.make_warp_uniform(arch.warp_idx()) == 0:
        cute.copy(atom, out, coords[None, m, 0])
        arch.cp_async_bulk_commit_group()
        arch.cp_async_bulk_wait_group(0, read=True)


class Stores(unittest.TestCase):
    def test_pixels(self):
        """Tiles of pixels go to images; what is behind the last image is not written."""
        whdn, channels, tile = (5, 3, 2), 32, (16, 32)
        count = math.prod(whdn)

        @cute.jit
        def run(x: cute.Pointer, y: cute.Pointer):
            layout = tile_layout(tile)
            atom, pixels = cpasync.make_im2col_tma_atom(STORE, images(y, whdn, channels), layout, tile)
            source = cute.make_tensor(x, cute.make_layout((32, channels), stride=(channels, 1)))
            store(atom, pixels, source, layout, tile).launch(grid=(2, 1, 1), block=(64, 1, 1))

        x = array.array("f", range(32 * channels))
        y = array.array("f", [-1] * (count * channels + 64))
        run(pointer(x), pointer(y))
        self.assertEqual(list(y), [*x[: count * channels], *[-1] * 64])


@cute.kernel
def multiply(mma, atom, matrix, gB, gC, layout: cute.Constexpr, near_b: cute.Constexpr,
             columns: cute.Constexpr):
    """One block's tile of a convolution by wgmma."""
    thread, _, _ = arch.thread_idx()
    m, _, _ = arch.block_idx()
    smem = utils.SmemAllocator()
    bar = smem.allocate_array(cute.Int64, 1)
    sA = smem.allocate_tensor(Float16, layout.outer, 1024, swizzle=layout.inner)
    sB = smem.allocate_tensor(Float16, near_b.outer, 1024, swizzle=near_b.inner)
    gA = cute.local_tile(matrix, (64, (64,)), (m, None))
    tA, coords = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(sA, 0, 2), cute.group_modes(gA, 0, 2))
    if thread == 0:
        arch.mbarrier_init(bar, 1)
        arch.mbarrier_init_fence()
    arch.sync_threads()
    thr = mma.get_slice(thread)
    tiles_a, tiles_b = thr.make_fragment_A(thr.partition_A(sA)), thr.make_fragment_B(thr.partition_B(sB))
    sums = thr.make_fragment_C(thr.partition_shape_C((64, 64)))
    sums.fill(0)
    for k in cute.range_constexpr(columns):
        if arch.make_warp_uniform(arch.warp_idx()) == 0:
            with arch.elect_one():
                arch.mbarrier_arrive_and_expect_tx(bar, 2 * 64 * 64)
            cute.copy(atom, coords[None, k], tA[None, 0], tma_bar_ptr=bar)
        part = cute.local_tile(gB, (64, 64), (0, k))
        for i in range(thread, 64 * 64, 128):
            sB[i % 64, i // 64, 0] = part[i % 64, i // 64]
        arch.fence_view_async_shared()
        arch.mbarrier_wait(bar, k % 2)
        arch.sync_threads()
        mma.set(warpgroup.Field.ACCUMULATE, True)
        warpgroup.fence()
        for i in cute.range_constexpr(cute.size(tiles_a, mode=[2])):
            cute.gemm(mma, sums, tiles_a[None, None, i, 0], tiles_b[None, None, i, 0], sums)
        warpgroup.commit_group()
        warpgroup.wait_group(0)
        arch.sync_threads()
    cute.autovec_copy(sums, thr.partition_C(cute.local_tile(gC, (64, 64), (m, 0))))


class Products(unittest.TestCase):
    def test_convolution(self):
        """A convolution's product of its images, loaded by A's atom, and its filter."""
        case = Case((9, 7, 1, 1), 64, (3, 2, 1), (1, 1, 0), (1, 0, 0), (1, 1, 1), (1, 1, 1))
        filters = 64

        @cute.jit
        def run(x: cute.Pointer, w: cute.Pointer, y: cute.Pointer):
            tile = (64, filters, (64,))
            mma = utils.sm90.make_trivial_tiled_mma(
                Float16, Float16, nvgpu.OperandMajorMode.K, nvgpu.OperandMajorMode.K, Float32,
                (1, 1, 1), (64, filters))
            layouts = [make(utils.LayoutEnum.ROW_MAJOR, (64, filters, 64), Float16, 1) for make in (
                utils.sm90.make_smem_layout_a, utils.sm90.make_smem_layout_b)]
            atom, matrix = nvgpu.make_im2col_tma_atom_A(
                LOAD, images(x, case.whdn, case.channels), cute.select(layouts[0], mode=[0, 1]), tile,
                mma, *(tuple(reversed(n)) for n in (
                    case.filter, case.upper, case.lower, case.stride, case.dilation)))
            k = case.channels * math.prod(case.filter)
            gB = cute.make_tensor(w, cute.make_layout((filters, k), stride=(k, 1)))
            gC = cute.make_tensor(y, cute.make_layout((64, filters), stride=(filters, 1)))
            multiply(mma, atom, matrix, gB, gC, *layouts, math.prod(case.filter)).launch(
                grid=(1, 1, 1), block=(128, 1, 1))

        import struct
        values = [float(i * 7 % 5 - 2) for i in range(math.prod(case.whdn) * case.channels)]
        weights = [float(i * 3 % 7 - 3) for i in range(filters * case.channels * math.prod(case.filter))]
        half = [array.array("H", struct.unpack(f"{len(v)}H", struct.pack(f"{len(v)}e", *v)))
                for v in (values, weights)]
        y = array.array("f", [0] * 64 * filters)
        run(*(pointer(v, Float16) for v in half), pointer(y))
        matrix = case.wanted(values)
        k = len(matrix[0])
        self.assertLessEqual(len(matrix), 64)
        for i, row in enumerate(matrix):
            wanted = [sum(a * b for a, b in zip(row, weights[j * k : (j + 1) * k]))
                      for j in range(filters)]
            self.assertEqual(list(y[i * filters : (i + 1) * filters]), wanted)


class Names(unittest.TestCase):
    def test_names(self):
        two = tcgen05.CtaGroup.TWO
        for op, name in (
            (LOAD, "SM90_TMA_LOAD_IM2COL"),
            (SHARED, "SM90_TMA_LOAD_IM2COL_MULTICAST"),
            (cpasync.CopyBulkTensorIm2ColG2SOp(two), "SM100_TMA_2SM_LOAD_IM2COL"),
            (cpasync.CopyBulkTensorIm2ColG2SMulticastOp(two), "SM100_TMA_2SM_LOAD_IM2COL_MULTICAST"),
            (cpasync.CopyBulkTensorIm2ColG2SMulticastOp(two).for_blocks(1), "SM100_TMA_2SM_LOAD_IM2COL"),
            (STORE, "SM90_TMA_STORE_IM2COL"),
        ):
            self.assertEqual(op.name, name)


class Rejected(unittest.TestCase):
    def test_rejected(self):
        """Numbers, tiles and tensors that TMA does not copy."""
        tile = (16, 32)
        good = Case((7, 5, 2), 32, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1)).numbers()

        @cute.jit
        def make(x: cute.Pointer):
            whole = images(x, (7, 5, 2), 32)
            layout = tile_layout(tile)
            few = images(x, (7, 5, 2), 48)
            flat = cute.make_tensor(x, cute.make_layout((64, 32), stride=(32, 1)))
            n = cute.Int32(1) + cute.size(whole, mode=[0])
            for wanted, *arguments in (
                ("stride is missing; a load takes one number for each", LOAD, whole, layout, tile, *good[:4]),
                ("upper_corner is .* here 2", LOAD, whole, layout, tile, good[0], (1, 1, 1), *good[2:]),
                ("take static numbers", LOAD, whole, layout, tile, *good[:4], (n, 1), *good[5:]),
                ("no filter has corners", LOAD, whole, layout, tile, good[0], (9, 9), *good[2:]),
                ("has no images", LOAD, flat, layout, tile, *good),
                (r"a divisor of 48, or \(32,\)", LOAD, few, layout, tile, *good),
                ("has the layout", LOAD, whole, layout, (32, 32), *good),
                ("2 blocks share a load", LOAD, whole, layout, tile, *good, 2),
                ("3 blocks share a load of 16", SHARED, whole, layout, tile, *good, 3),
            ):
                with self.assertRaisesRegex(OpError, wanted):
                    cpasync.make_im2col_tma_atom(*arguments)
            with self.assertRaisesRegex(OpError, "is not copied as Float16"):
                cpasync.make_im2col_tma_atom(LOAD, whole, layout, tile, *good, internal_type=Float16)
            with self.assertRaisesRegex(TypeError, "expected an operation of images"):
                cpasync.make_im2col_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), whole, layout, tile)
            with self.assertRaisesRegex(OpError, "use make_im2col_tma_atom"):
                cpasync.make_tiled_tma_atom(LOAD, flat, layout, tile)

        make(pointer(array.array("f", [0] * 4096)))


if __name__ == "__main__":
    unittest.main()
