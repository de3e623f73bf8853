# REQUIRES: torch
# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Plain products as different authors write them: each becomes one by TMA and wgmma, and right."""

import unittest

import torch

import cute
from cute import Float16, Float32
from cute.nvgpu import CopyUniversalOp, cpasync, warp
from cute.runtime import from_dlpack

M, N, K, THREADS = 64, 64, 64, 128


def dynamic(tensor, divisor=8):
    """An array of any extents, the contiguous one a multiple of the divisor."""
    found = from_dlpack(tensor, assumed_align=16)
    order = tuple(sorted(range(tensor.dim()), key=lambda i: -tensor.stride(i)))
    for mode in range(tensor.dim()):
        found = found.mark_compact_shape_dynamic(
            mode, stride_order=order, divisibility=divisor if mode == order[-1] else 1)
    return found


def by_rows(op):
    atom = cute.make_copy_atom(op, Float16, num_bits_per_copy=128)
    return cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8), stride=(8, 1)),
                                   cute.make_layout((1, 8)))


def tiled_mma():
    op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
    return cute.make_tiled_mma(op, cute.make_layout((2, 2, 1)), (32, 32, 16))


# ---- Shared memory ----


def of_allocator():
    layout = cute.make_layout((M, K), stride=(K, 1))
    return [cute.utils.SmemAllocator().allocate_tensor(Float16, layout, 128) for _ in range(2)]


def of_pointer():
    return [cute.make_tensor(cute.arch.alloc_smem(Float16, M * K, alignment=128),
                             cute.make_layout((M, K), stride=(K, 1))) for _ in range(2)]


def of_struct():
    atom = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0,
                                     cute.make_layout((8, K), stride=(K, 1)))
    layout = cute.tile_to_shape(atom, (M, K), (0, 1))

    @cute.struct
    class Storage:
        a: cute.struct.Align[cute.struct.MemRange[Float16, M * K], 1024]
        b: cute.struct.Align[cute.struct.MemRange[Float16, N * K], 1024]

    storage = cute.utils.SmemAllocator().allocate(Storage)
    return storage.a.get_tensor(layout), storage.b.get_tensor(layout)


# ---- Tiles: a function of the number of the round that gives a thread's part ----


def of_rest(fetch, tensor, place):
    """All tiles of a row divided among threads, then one of them."""
    parts = fetch.partition_S(cute.local_tile(tensor, (M, K), (place, None)))
    return lambda k: parts[None, None, None, k]


def of_zipped(fetch, tensor, place):
    tiles = cute.zipped_divide(tensor, (M, K))
    return lambda k: fetch.partition_S(tiles[(None, None), (place, k)])


def of_three(fetch, tensor, place):
    tiles = cute.local_tile(tensor, tiler=(M, N, K), coord=(place, 0, None), proj=(1, None, 1))
    return lambda k: fetch.partition_S(tiles[None, None, k])


def by_depth(a, m):
    return cute.ceil_div(a.shape[1], K)


def by_tiles(a, m):
    return cute.size(cute.local_tile(a, (M, K), (m, None)), mode=[2])


def unchanged(of_a, at, k):
    pass


@cute.jit
def multiply(a, b, m, n, mma, memory, tiles, rounds=by_depth, change=unchanged):
    """The sums of tile (m, n), of A's elements or of what becomes of them in registers."""
    thread = cute.arch.thread_idx()[0]
    part = mma.get_slice(thread)
    tile_a, tile_b = memory()
    of_a = mma.make_fragment_A(part.partition_A(tile_a))
    of_b = mma.make_fragment_B(part.partition_B(tile_b))
    sums = mma.make_fragment_C(mma.partition_shape_C((M, N)))
    sums.fill(0)
    copy = by_rows(cpasync.CopyG2SOp())
    fetch = copy.get_slice(thread)
    from_a, from_b = tiles(fetch, a, m), tiles(fetch, b, n)
    matrices = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(num_matrices=4), Float16)
    load_a, load_b = cute.make_tiled_copy_A(matrices, mma), cute.make_tiled_copy_B(matrices, mma)
    at = part.partition_A(cute.make_identity_tensor((M, K)))
    for k in range(rounds(a, m)):
        cute.copy(copy, from_a(k), fetch.partition_D(tile_a))
        cute.copy(copy, from_b(k), fetch.partition_D(tile_b))
        cute.arch.cp_async_commit_group()
        cute.arch.cp_async_wait_group(0)
        cute.arch.sync_threads()
        cute.copy(load_a, load_a.get_slice(thread).partition_S(tile_a), load_a.retile(of_a))
        cute.copy(load_b, load_b.get_slice(thread).partition_S(tile_b), load_b.retile(of_b))
        change(of_a, at, k)
        cute.gemm(mma, sums, of_a, of_b, sums)
        cute.arch.sync_threads()
    return sums


@cute.kernel
def whole_tiles(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, memory: cute.Constexpr,
                tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    mma = tiled_mma()
    sums = multiply(a, b, m, n, mma, memory, tiles)
    result = cute.make_fragment_like(sums, Float16)
    result.store(sums.load().to(Float16))
    part = mma.get_slice(cute.arch.thread_idx()[0])
    cute.autovec_copy(result, part.partition_C(cute.local_tile(c, (M, N), (m, n))))


@cute.kernel
def counted_tiles(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, memory: cute.Constexpr,
                  tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    mma = tiled_mma()
    sums = multiply(a, b, m, n, mma, memory, tiles, by_tiles)
    part = mma.get_slice(cute.arch.thread_idx()[0])
    part.partition_C(cute.local_tile(c, (M, N), (m, n))).store(sums.load().to(Float16))


@cute.kernel
def add_one_by_one(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, memory: cute.Constexpr,
                   tiles: cute.Constexpr):
    """Whole tiles of c: read as a vector, and stored by elements."""
    m, n, _ = cute.arch.block_idx()
    mma = tiled_mma()
    sums = multiply(a, b, m, n, mma, memory, tiles)
    part = mma.get_slice(cute.arch.thread_idx()[0])
    tile_c = part.partition_C(cute.local_tile(c, (M, N), (m, n)))
    sums.store(sums.load() + tile_c.load())
    for i in range(cute.size(sums)):
        tile_c[i] = sums[i]


# ---- Functions of all sums as one vector; a thread of a tile of 128 x 64 has 64, so these are
# ---- of 128 x 128


def silu(sums):
    x = sums.load()
    sums.store(x / (1.0 + cute.math.exp(-x, fastmath=True)))


def with_another(sums):
    """The function of what was there before the sums change."""
    x = sums.load()
    sums.store(x * 2.0)
    sums.store(cute.math.exp2(x * 0.01, fastmath=True) + sums.load())


def taken_twice(sums):
    x = cute.math.exp2(sums.load() * 0.01, fastmath=True)
    sums.store(x + x * x)


def chosen(sums):
    x = sums.load()
    sums.store(cute.where(x > 0.0, x, cute.math.exp2(x, fastmath=True) - 1.0))


def reversed_sums(sums):
    x = cute.math.exp2(sums.load() * 0.01, fastmath=True)
    for i in cute.range_constexpr(cute.size(sums)):
        sums[i] = x[cute.size(sums) - 1 - i]


@cute.kernel
def of_large_tiles(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, change: cute.Constexpr,
                   tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    thread, rows = cute.arch.thread_idx()[0], 128
    mma = tiled_mma()
    part = mma.get_slice(thread)
    layout = cute.make_layout((rows, K), stride=(K, 1))
    tile_a, tile_b = (cute.utils.SmemAllocator().allocate_tensor(Float16, layout, 128)
                      for _ in range(2))
    from_smem_a, from_smem_b = part.partition_A(tile_a), part.partition_B(tile_b)
    of_a, of_b = mma.make_fragment_A(from_smem_a), mma.make_fragment_B(from_smem_b)
    sums = mma.make_fragment_C(mma.partition_shape_C((rows, rows)))
    sums.fill(0)
    copy = by_rows(cpasync.CopyG2SOp())
    fetch = copy.get_slice(thread)
    for k in range(cute.ceil_div(a.shape[1], K)):
        for x, place, tile in ((a, m, tile_a), (b, n, tile_b)):
            cute.copy(copy, fetch.partition_S(cute.local_tile(x, (rows, K), (place, k))),
                      fetch.partition_D(tile))
        cute.arch.cp_async_commit_group()
        cute.arch.cp_async_wait_group(0)
        cute.arch.sync_threads()
        cute.autovec_copy(from_smem_a, of_a)
        cute.autovec_copy(from_smem_b, of_b)
        cute.gemm(mma, sums, of_a, of_b, sums)
        cute.arch.sync_threads()
    change(sums)
    part.partition_C(cute.local_tile(c, (rows, rows), (m, n))).store(sums.load().to(Float16))


@cute.jit
def gemm_of_large_tiles(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, kernel: cute.Constexpr,
                        memory: cute.Constexpr):
    grid = c.shape[0] // 128, c.shape[1] // 128, 1
    kernel(a, b, c, memory, of_rest).launch(grid=grid, block=(THREADS, 1, 1))


# ---- A changes in registers, on its way to the product ----


def whole_vector(of_a, at, k):
    of_a.store((of_a.load().to(Float32) * 0.5 + 1.0).to(Float16))


@cute.jit
def each_element(of_a, at, k):
    for i in range(cute.size(of_a)):
        of_a[i] = cute.arch.fmax(Float32(of_a[i]), Float32(0)).to(Float16)


@cute.jit
def left_of_diagonal(of_a, at, k):
    for i in cute.range_constexpr(cute.size(of_a)):
        if at[i][1] + k * K > at[i][0]:
            of_a[i] = Float16(0)


@cute.jit
def the_first(of_a, at, k):
    of_a[0] = of_a[0] + Float16(1)


@cute.jit
def the_other_way_round(of_a, at, k):
    x = of_a.load()
    for i in cute.range_constexpr(cute.size(of_a)):
        of_a[i] = x[cute.size(of_a) - 1 - i]


@cute.jit
def of_neighbours(of_a, at, k):
    for i in cute.range_constexpr(cute.size(of_a)):
        of_a[i] = cute.arch.shuffle_sync_bfly(of_a[i], 1)


@cute.jit
def by_thread(of_a, at, k):
    thread = cute.arch.thread_idx()[0]
    of_a.store((of_a.load().to(Float32) * Float32(thread)).to(Float16))


@cute.kernel
def with_change(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, change: cute.Constexpr,
                tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    mma = tiled_mma()
    sums = multiply(a, b, m, n, mma, of_allocator, tiles, by_depth, change)
    part = mma.get_slice(cute.arch.thread_idx()[0])
    part.partition_C(cute.local_tile(c, (M, N), (m, n))).store(sums.load().to(Float16))


# ---- Epilogues, element by element: `own` says which range ----


def element_by_element(own, c, residual, sums, mma, m, n):
    part = mma.get_slice(cute.arch.thread_idx()[0])
    places = cute.make_identity_tensor(c.shape)
    tile_c, tile_r, at = (part.partition_C(cute.local_tile(x, (M, N), (m, n)))
                          for x in (c, residual, places))
    own(c, sums, tile_c, tile_r, at)


@cute.jit
def unrolled(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            x = sums[i]
            tile_c[i] = Float16(cute.arch.fmax(x, Float32(0)) + Float32(tile_r[i]))


@cute.jit
def by_predicate(c, sums, tile_c, tile_r, at):
    inside = cute.make_rmem_tensor(sums.shape, cute.Boolean)
    for i in range(cute.size(sums)):
        inside[i] = cute.elem_less(at[i], c.shape)
    for i in range(cute.size(sums)):
        if inside[i]:
            tile_c[i] = Float16(cute.arch.fmax(sums[i], Float32(0)) + Float32(tile_r[i]))


@cute.jit
def by_comparison(c, sums, tile_c, tile_r, at):
    for i in range(cute.size(sums)):
        if at[i][0] < c.shape[0] and at[i][1] < c.shape[1]:
            tile_c[i] = Float16(cute.arch.fmax(sums[i], Float32(0)) + Float32(tile_r[i]))


@cute.jit
def first_one_otherwise(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            tile_c[i] = Float16(sums[i] if i else sums[i] + 1)


@cute.jit
def in_place(c, sums, tile_c, tile_r, at):
    for i in range(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            tile_c[i] = Float16(sums[i] + Float32(tile_r[i]) * 2 + Float32(tile_c[i]))


@cute.jit
def to_both(c, sums, tile_c, tile_r, at):
    """The residual is read and written, within c's extents."""
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            x = sums[i] + Float32(tile_r[i])
            tile_c[i] = Float16(x)
            tile_r[i] = Float16(x * 0.5)


@cute.jit
def below_diagonal(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            if at[i][0] > at[i][1]:
                tile_c[i] = Float16(sums[i])


@cute.jit
def otherwise(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            if at[i][0] > at[i][1]:
                tile_c[i] = Float16(sums[i])
            else:
                tile_c[i] = tile_r[i]


@cute.jit
def but_the_last_column(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums)):
        if at[i][0] < c.shape[0] and at[i][1] + 1 < c.shape[1]:
            tile_c[i] = Float16(sums[i])


@cute.jit
def read_again(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            tile_c[i] = Float16(sums[i])
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            tile_r[i] = tile_c[i] + tile_r[i]


@cute.jit
def read_in_the_round(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            tile_c[i] = Float16(sums[i])
            tile_r[i] = tile_c[i] + Float16(1)


@cute.jit
def added_to_before(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            cute.arch.atomic_add(tile_r.iterator + cute.crd2idx(i, tile_r.layout), Float16(1))
            tile_c[i] = Float16(sums[i]) + tile_r[i]


@cute.jit
def of_the_neighbour(c, sums, tile_c, tile_r, at):
    for i in cute.range_constexpr(cute.size(sums) // 2):
        if cute.elem_less(at[2 * i + 1], c.shape):
            tile_c[2 * i] = Float16(sums[2 * i + 1])
            tile_c[2 * i + 1] = Float16(sums[2 * i])


@cute.jit
def as_many_rows(c, sums, tile_c, tile_r, at):
    """The residual has more columns, which are written, too."""
    for i in cute.range_constexpr(cute.size(sums)):
        if at[i][0] < c.shape[0]:
            tile_r[i] = Float16(sums[i])


MOVED = (unrolled, by_comparison, in_place, to_both)
ONE_BY_ONE = (below_diagonal, otherwise, but_the_last_column, read_again, read_in_the_round,
              added_to_before, of_the_neighbour)


@cute.kernel
def with_residual(a: cute.Tensor, b: cute.Tensor, r: cute.Tensor, c: cute.Tensor,
                  own: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    mma = tiled_mma()
    sums = multiply(a, b, m, n, mma, of_allocator, of_rest)
    element_by_element(own, c, r, sums, mma, m, n)


@cute.jit
def gemm_and_residual(a: cute.Tensor, b: cute.Tensor, r: cute.Tensor, c: cute.Tensor,
                      own: cute.Constexpr):
    grid = cute.ceil_div(c.shape[0], M), cute.ceil_div(c.shape[1], N), 1
    with_residual(a, b, r, c, own).launch(grid=grid, block=(THREADS, 1, 1))


# ---- A block has a tile, or not ----


@cute.kernel
def of_blocks_with_tiles(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, memory: cute.Constexpr,
                         tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    if cute.ceil_div(c.shape[0], M) <= m or c.shape[1] <= n * N + 2 * N:
        pass
    else:
        mma = tiled_mma()
        sums = multiply(a, b, m, n, mma, memory, tiles)
        part = mma.get_slice(cute.arch.thread_idx()[0])
        at = part.partition_C(cute.local_tile(cute.make_identity_tensor(c.shape), (M, N), (m, n)))
        tile_c = part.partition_C(cute.local_tile(c, (M, N), (m, n)))
        for i in range(cute.size(sums)):
            if cute.elem_less(at[i], c.shape):
                tile_c[i] = Float16(sums[i])


# ---- The largest element ----


@cute.jit
def by_loop(sums):
    most = Float32(0)
    for i in range(cute.size(sums)):
        most = cute.arch.fmax(most, sums[i])
    return most


def by_vector(sums):
    return sums.load().reduce(cute.ReductionOp.MAX, 0.0, 0)


@cute.kernel
def with_largest(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, fold: cute.Constexpr,
                 tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    sums = multiply(a, b, m, n, tiled_mma(), of_allocator, tiles)
    most = cute.arch.warp_reduction_max(fold(sums))
    if cute.arch.lane_idx() == 0:
        cute.arch.atomic_fmax(c.iterator, most)


# ---- Sums in parts of K, added in memory ----


@cute.kernel
def add_parts(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, memory: cute.Constexpr,
              tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    mma = tiled_mma()
    sums = multiply(a, b, m, n, mma, memory, tiles)
    part = mma.get_slice(cute.arch.thread_idx()[0])
    tile_c = part.partition_C(cute.local_tile(c, (M, N), (m, n)))
    for i in range(cute.size(sums)):
        cute.arch.atomic_add(tile_c.iterator + cute.crd2idx(i, tile_c.layout), sums[i])


# ---- Copies by threads ----


@cute.jit
def directly(copy, source, target):
    cute.copy(copy, source, target)


@cute.jit
def through_registers(copy, source, target):
    between = cute.make_fragment_like(target)
    cute.copy(copy, source, between)
    cute.copy(copy, between, target)


@cute.jit
def by_vectors(copy, source, target):
    target.store(source.load())


@cute.kernel
def by_threads(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, move: cute.Constexpr,
               tiles: cute.Constexpr):
    """B lies along N; its tile is seen the other way round through its pointer."""
    m, n, _ = cute.arch.block_idx()
    thread = cute.arch.thread_idx()[0]
    mma = tiled_mma()
    part = mma.get_slice(thread)
    tile_a, _ = of_allocator()
    tile_b = cute.utils.SmemAllocator().allocate_tensor(
        Float16, cute.make_layout((K, N), stride=(N, 1)), 128)
    turned = cute.make_tensor(tile_b.iterator, cute.select(tile_b.layout, mode=[1, 0]))
    from_smem_a, from_smem_b = part.partition_A(tile_a), part.partition_B(turned)
    of_a, of_b = mma.make_fragment_A(from_smem_a), mma.make_fragment_B(from_smem_b)
    tile_c = part.partition_C(cute.local_tile(c, (M, N), (m, n)))
    sums = mma.make_fragment_C(tile_c)
    sums.fill(0)
    copy = by_rows(CopyUniversalOp())
    fetch = copy.get_slice(thread)
    for k in range(cute.ceil_div(a.shape[1], K)):
        move(copy, tiles(fetch, a, m)(k), fetch.partition_D(tile_a))
        move(copy, fetch.partition_S(cute.local_tile(b, (K, N), (k, n))),
             fetch.partition_D(tile_b))
        cute.arch.sync_threads()
        of_a.store(from_smem_a.load())
        cute.autovec_copy(from_smem_b, of_b)
        cute.gemm(mma, sums, of_a, of_b, sums)
        cute.arch.sync_threads()
    tile_c.store(sums.load().to(Float16))


# ---- Copies by threads with predicates, through registers that had zeros before ----


@cute.jit
def in_each_round(before, between, at_first):
    if cute.const_expr(not at_first):
        between.fill(0)


@cute.jit
def before_the_loop(before, between, at_first):
    if cute.const_expr(at_first):
        between.fill(0)


@cute.jit
def ones(before, between, at_first):
    between.fill(1)


@cute.jit
def after_the_copy(before, between, at_first):
    if cute.const_expr(at_first or not before):
        between.fill(0)


@cute.kernel
def through_zeros(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, clear: cute.Constexpr,
                  tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    thread = cute.arch.thread_idx()[0]
    mma = tiled_mma()
    part = mma.get_slice(thread)
    tile_a, tile_b = of_allocator()
    from_smem_a, from_smem_b = part.partition_A(tile_a), part.partition_B(tile_b)
    of_a, of_b = mma.make_fragment_A(from_smem_a), mma.make_fragment_B(from_smem_b)
    at = part.partition_C(cute.local_tile(cute.make_identity_tensor(c.shape), (M, N), (m, n)))
    tile_c = part.partition_C(cute.local_tile(c, (M, N), (m, n)))
    sums = mma.make_fragment_C(tile_c)
    sums.fill(0)
    copy = by_rows(CopyUniversalOp())
    fetch = copy.get_slice(thread)
    moves = [(x, place, fetch.partition_D(tile), cute.make_fragment_like(fetch.partition_D(tile)))
             for x, place, tile in ((a, m, tile_a), (b, n, tile_b))]
    for _, _, _, between in moves:
        clear(True, between, True)
    for k in range(cute.ceil_div(a.shape[1], K)):
        for x, place, target, between in moves:
            source, is_in = fetch.predicated_tile_S(x, (M, K), (place, k))
            clear(True, between, False)
            cute.copy(copy, source, between, pred=is_in)
            if cute.const_expr(clear is after_the_copy):
                clear(False, between, False)
            cute.copy(copy, between, target)
        cute.arch.sync_threads()
        cute.autovec_copy(from_smem_a, of_a)
        cute.autovec_copy(from_smem_b, of_b)
        cute.gemm(mma, sums, of_a, of_b, sums)
        cute.arch.sync_threads()
    for i in range(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            tile_c[i] = Float16(sums[i])


# ---- Predicates by hand: what a thread fills for an access at a place ----


def inside(at, tensor):
    return cute.elem_less(at, tensor.shape)


def inside_rows(at, tensor):
    """K is whole."""
    return at[0] < tensor.shape[0]


def but_the_last_row(at, tensor):
    return at[0] + 1 < tensor.shape[0]


@cute.jit
def predicate_of(fetch, tensor, place, k, decide):
    tiles = cute.local_tile(cute.make_identity_tensor(tensor.shape), (M, K), (place, None))
    at = fetch.partition_S(tiles)[None, None, None, k]
    predicate = cute.make_rmem_tensor(
        (at.shape[0][1], cute.size(at, mode=[1]), cute.size(at, mode=[2])), cute.Boolean)
    for v in cute.range_constexpr(predicate.shape[0]):
        for m in cute.range_constexpr(predicate.shape[1]):
            for i in cute.range_constexpr(predicate.shape[2]):
                predicate[v, m, i] = decide(at[(0, v), m, i], tensor)
    return predicate


@cute.kernel
def with_predicates(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, decide: cute.Constexpr,
                    tiles: cute.Constexpr):
    m, n, _ = cute.arch.block_idx()
    thread = cute.arch.thread_idx()[0]
    mma = tiled_mma()
    part = mma.get_slice(thread)
    tile_a, tile_b = of_allocator()
    from_smem_a, from_smem_b = part.partition_A(tile_a), part.partition_B(tile_b)
    of_a, of_b = mma.make_fragment_A(from_smem_a), mma.make_fragment_B(from_smem_b)
    tile_c = part.partition_C(cute.local_tile(c, (M, N), (m, n)))
    at = part.partition_C(cute.local_tile(cute.make_identity_tensor(c.shape), (M, N), (m, n)))
    sums = mma.make_fragment_C(tile_c)
    sums.fill(0)
    copy = by_rows(cpasync.CopyG2SOp())
    fetch = copy.get_slice(thread)
    for k in range(cute.ceil_div(a.shape[1], K)):
        for x, place, tile in ((a, m, tile_a), (b, n, tile_b)):
            cute.copy(copy, tiles(fetch, x, place)(k), fetch.partition_D(tile),
                      pred=predicate_of(fetch, x, place, k, decide))
        cute.arch.cp_async_commit_group()
        cute.arch.cp_async_wait_group(0)
        cute.arch.sync_threads()
        cute.autovec_copy(from_smem_a, of_a)
        cute.autovec_copy(from_smem_b, of_b)
        cute.gemm(mma, sums, of_a, of_b, sums)
        cute.arch.sync_threads()
    for i in range(cute.size(sums)):
        if cute.elem_less(at[i], c.shape):
            tile_c[i] = Float16(sums[i])


# ---- Rounds of products ----


@cute.kernel
def in_blocks_of_k(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, memory: cute.Constexpr,
                   tiles: cute.Constexpr):
    """Copies to registers and products for each 16 of K, which Python unrolls."""
    m, n, _ = cute.arch.block_idx()
    thread = cute.arch.thread_idx()[0]
    mma = tiled_mma()
    part = mma.get_slice(thread)
    tile_a, tile_b = memory()
    of_a = mma.make_fragment_A(part.partition_A(tile_a))
    of_b = mma.make_fragment_B(part.partition_B(tile_b))
    tile_c = part.partition_C(cute.local_tile(c, (M, N), (m, n)))
    sums = mma.make_fragment_C(tile_c)
    sums.fill(0)
    copy = by_rows(cpasync.CopyG2SOp())
    fetch = copy.get_slice(thread)
    from_a, from_b = tiles(fetch, a, m), tiles(fetch, b, n)
    matrices = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(num_matrices=4), Float16)
    load_a, load_b = cute.make_tiled_copy_A(matrices, mma), cute.make_tiled_copy_B(matrices, mma)
    matrix_a, matrix_b = (load.get_slice(thread).partition_S(tile)
                          for load, tile in ((load_a, tile_a), (load_b, tile_b)))
    into_a, into_b = load_a.retile(of_a), load_b.retile(of_b)
    for k in range(cute.ceil_div(a.shape[1], K)):
        cute.copy(copy, from_a(k), fetch.partition_D(tile_a))
        cute.copy(copy, from_b(k), fetch.partition_D(tile_b))
        cute.arch.cp_async_commit_group()
        cute.arch.cp_async_wait_group(0)
        cute.arch.sync_threads()
        for i in cute.range_constexpr(cute.size(of_a, mode=[2])):
            cute.copy(load_a, matrix_a[None, None, i], into_a[None, None, i])
            cute.copy(load_b, matrix_b[None, None, i], into_b[None, None, i])
            cute.gemm(mma, sums, of_a[None, None, i], of_b[None, None, i], sums)
        cute.arch.sync_threads()
    result = cute.make_fragment_like(sums, Float16)
    result.store(sums.load().to(Float16))
    cute.autovec_copy(result, tile_c)


@cute.jit
def gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, kernel: cute.Constexpr,
         memory: cute.Constexpr = of_allocator, tiles: cute.Constexpr = of_rest):
    grid = cute.ceil_div(c.shape[0], M), cute.ceil_div(c.shape[1], N), 1
    kernel(a, b, c, memory, tiles).launch(grid=grid, block=(THREADS, 1, 1))


class Styles(unittest.TestCase):
    def check(self, kernel, m, n, k, dtype=torch.float16, turns=False, wanted=None, **styles):
        """Compiles, sees that TMA, wgmma and roles are there, and compares what float64, or a
        function of its product, gives."""
        generator = torch.Generator().manual_seed(m + n + k)
        a, b = (torch.randn(x, k, generator=generator).half() for x in (m, n))
        c = torch.zeros(m, n, dtype=dtype)
        arrays = [dynamic(x) for x in (a, b.t().contiguous() if turns else b, c)]
        compiled = cute.compile(gemm, *arrays, kernel, optimize=True, **styles)
        said = "".join(compiled.remarks)
        self.assertSaid(said)
        compiled(*arrays)
        product = a.double() @ b.double().t()
        self.assertLess((c - (wanted(product) if wanted else product)).abs().max(), 0.02)
        return said

    def assertSaid(self, said):
        for text in ("TMA loads the tiles of 2 tensors", "wgmma multiplies", "a separate warp"):
            self.assertIn(text, said)

    def test_rounds(self):
        self.check(in_blocks_of_k, 128, 64, 128)
        self.check(add_parts, 64, 128, 192, dtype=torch.float32)

    def test_copies(self):
        for move in (directly, through_registers, by_vectors):
            with self.subTest(move.__name__):
                self.check(by_threads, 128, 64, 128, turns=True, memory=move)

    def compare(self, kernel, style, m, n, k, function=gemm):
        """What the passes say, and whether they leave each bit as it was."""
        generator = torch.Generator().manual_seed(m + n + k)
        a, b = (torch.randn(x, k, generator=generator).half() for x in (m, n))
        results = [torch.zeros(m, n).half() for _ in range(2)]
        for c, optimize in zip(results, (False, True)):
            arrays = [dynamic(x) for x in (a, b, c)]
            compiled = cute.compile(function, *arrays, kernel, optimize=optimize, memory=style)
            compiled(*arrays)
        self.assertTrue(torch.equal(*results))
        return "".join(compiled.remarks)

    def test_zeros(self):
        self.assertSaid(self.compare(through_zeros, in_each_round, 72, 136, 72))
        for clear in (before_the_loop, ones, after_the_copy):
            with self.subTest(clear.__name__):
                said = self.compare(through_zeros, clear, 72, 136, 72)
                self.assertIn("mma.sync and cp.async on sm_90a: ", said)

    def test_long_vectors(self):
        turns = "two warpgroups take turns"
        for change in (silu, chosen):
            with self.subTest(change.__name__):
                said = self.compare(of_large_tiles, change, 128, 128, 128, gemm_of_large_tiles)
                self.assertIn(turns, said)
        for change in (with_another, taken_twice, reversed_sums):
            with self.subTest(change.__name__):
                self.compare(of_large_tiles, change, 128, 128, 64, gemm_of_large_tiles)

    def test_changes(self):
        for change in (whole_vector, each_element, left_of_diagonal):
            with self.subTest(change.__name__):
                self.assertSaid(self.compare(with_change, change, 128, 64, 192))
        for change in (the_first, the_other_way_round, of_neighbours, by_thread):
            with self.subTest(change.__name__):
                said = self.compare(with_change, change, 128, 64, 128)
                self.assertIn("mma.sync and cp.async on sm_90a: ", said)

    def test_predicates(self):
        for decide, k in ((inside, 72), (inside_rows, 128)):
            with self.subTest(decide.__name__):
                self.check(with_predicates, 72, 136, k, memory=decide)
        a, b, c = (torch.ones(72, x).half() for x in (128, 128, 72))
        arrays = [dynamic(x) for x in (a, b, c)]
        compiled = cute.compile(gemm, *arrays, with_predicates, but_the_last_row, optimize=True)
        self.assertIn("has a predicate that is not whether", "".join(compiled.remarks))
        compiled(*arrays)
        self.assertEqual((c[:-1, :-1].min(), c[-1].max(), c[:, -1].max()), (128, 0, 0))

    def test_elements(self):
        generator = torch.Generator().manual_seed(5)
        a, b, r = (torch.randn(*x, generator=generator).half()
                   for x in ((136, 64), (72, 64), (136, 72)))
        wanted = (a.double() @ b.double().t()).relu() + r.double()
        a, b = (torch.nn.functional.pad(x, (0, 0, 0, 64)) for x in (a, b))
        for own in (unrolled, by_predicate, by_comparison, first_one_otherwise):
            with self.subTest(own.__name__):
                c = torch.full(r.shape, 7.0).half()
                arrays = [dynamic(x) for x in (a, b, r, c)]
                compiled = cute.compile(gemm_and_residual, *arrays, own, optimize=True)
                said = "".join(compiled.remarks)
                if own is first_one_otherwise:
                    self.assertIn("mma.sync and cp.async on sm_90a: ", said)
                    continue
                self.assertSaid(said)
                compiled(*arrays)
                self.assertLess((c - wanted).abs().max(), 0.02)

    def epilogue(self, own, m, n, divisor, optimize, more=0):
        """What the passes say, and both results."""
        generator = torch.Generator().manual_seed(m + n)
        a, b, r, c = (torch.randn(*x, generator=generator).half()
                      for x in ((m, 64), (n, 64), (m, n + more), (m, n)))
        a, b = (torch.nn.functional.pad(x, (0, 0, 0, 64)) for x in (a, b))
        arrays = [dynamic(a), dynamic(b), dynamic(r, divisor), dynamic(c, divisor)]
        compiled = cute.compile(gemm_and_residual, *arrays, own, optimize=optimize)
        compiled(*arrays)
        return "".join(compiled.remarks), r, c

    def test_tiles_by_elements(self):
        for own in MOVED + ONE_BY_ONE:
            with self.subTest(own.__name__):
                said, *ours = self.epilogue(own, 136, 72, 8, True)
                _, *plain = self.epilogue(own, 136, 72, 8, False)
                self.assertTrue(all(torch.equal(x, y) for x, y in zip(ours, plain)))
                self.assertEqual("TMA stores the tile" in said, own in MOVED)
        _, *ours = self.epilogue(as_many_rows, 136, 72, 8, True, 56)
        _, *plain = self.epilogue(as_many_rows, 136, 72, 8, False, 56)
        self.assertTrue(all(torch.equal(x, y) for x, y in zip(ours, plain)))
        # Rows of odd lengths have no whole vectors.
        said, _, c = self.epilogue(unrolled, 136, 74, 2, True)
        self.assertTrue(torch.equal(c, self.epilogue(unrolled, 136, 74, 2, False)[2]))
        self.assertNotIn("in whole rows", said)
        said = self.check(add_one_by_one, 128, 64, 128, dtype=torch.float32)
        self.assertIn("TMA stores the tile", said)

    def test_branches(self):
        said = self.compare(of_blocks_with_tiles, of_allocator, 192, 264, 192)
        self.assertSaid(said)
        self.assertIn("TMA stores the tile", said)

    def test_largest(self):
        def wanted(product):
            return torch.zeros_like(product).index_put_((torch.tensor(0), torch.tensor(0)),
                                                        product.max())
        for fold in (by_loop, by_vector):
            with self.subTest(fold.__name__):
                self.check(with_largest, 128, 64, 128, torch.float32, wanted=wanted, memory=fold,
                           tiles=of_rest)

    def test_tiles(self):
        for tiles in (of_rest, of_zipped, of_three):
            with self.subTest(tiles.__name__):
                self.check(whole_tiles, 128, 192, 192, tiles=tiles)
        said = self.check(counted_tiles, 128, 192, 192)
        self.assertIn("as many blocks as run at a time go from tile to tile", said)

    def test_memory(self):
        for memory in (of_pointer, of_struct):
            with self.subTest(memory.__name__):
                self.check(whole_tiles, 128, 64, 128, memory=memory)


if __name__ == "__main__":
    unittest.main()
