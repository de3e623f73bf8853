"""A sum of vectors and a product of matrices in CuTe DSL, for this package and the closed
one: cute_dsl.py add|gemm|mistake FOLDER prints what importing and compiling took.

``mistake`` is the product without the barrier before shared memory is written again; where
there is a simulator, it runs.
"""
import sys

import report

begin = report.seconds()
if "cute" in sys.argv[3:]:
    import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
import cutlass.utils as utils
from cutlass.cute.nvgpu import warp
from cutlass.cute.runtime import make_fake_compact_tensor

report.imported(begin)
M, N, K, THREADS = 128, 128, 32, 128


@cute.kernel
def add_kernel(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    i = cute.arch.block_idx()[0] * THREADS + cute.arch.thread_idx()[0]
    if i < cute.size(c):
        c[i] = a[i] + b[i]


@cute.jit
def add(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    grid = cute.ceil_div(cute.size(c), THREADS), 1, 1
    add_kernel(a, b, c).launch(grid=grid, block=(THREADS, 1, 1))


@cute.kernel
def gemm_kernel(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, waits: cutlass.Constexpr):
    thread, (m, n, _) = cute.arch.thread_idx()[0], cute.arch.block_idx()
    memory = utils.SmemAllocator()
    rows = cute.make_layout((M, K), stride=(K, 1))
    tile_a = memory.allocate_tensor(cutlass.Float16, rows, 128)
    tile_b = memory.allocate_tensor(cutlass.Float16, rows, 128)
    op = warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))
    mma = cute.make_tiled_mma(op, cute.make_layout((2, 2, 1)), (32, 32, 16))
    part = mma.get_slice(thread)
    of_a = mma.make_fragment_A(part.partition_A(tile_a))
    of_b = mma.make_fragment_B(part.partition_B(tile_b))
    tile_c = part.partition_C(cute.local_tile(c, (M, N), (m, n)))
    sums = mma.make_fragment_C(tile_c)
    sums.fill(0.0)
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16,
                               num_bits_per_copy=128)
    copy = cute.make_tiled_copy_tv(
        atom, cute.make_layout((32, 4), stride=(4, 1)), cute.make_layout((1, 8)))
    fetch = copy.get_slice(thread)
    matrices = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(num_matrices=4), cutlass.Float16)
    load_a, load_b = (cute.make_tiled_copy_A(matrices, mma),
                      cute.make_tiled_copy_B(matrices, mma))
    for k in range(a.shape[1] // K):
        cute.copy(copy, fetch.partition_S(cute.local_tile(a, (M, K), (m, k))),
                  fetch.partition_D(tile_a))
        cute.copy(copy, fetch.partition_S(cute.local_tile(b, (N, K), (n, k))),
                  fetch.partition_D(tile_b))
        cute.arch.sync_threads()
        cute.copy(load_a, load_a.get_slice(thread).partition_S(tile_a), load_a.retile(of_a))
        cute.copy(load_b, load_b.get_slice(thread).partition_S(tile_b), load_b.retile(of_b))
        cute.gemm(mma, sums, of_a, of_b, sums)
        if cutlass.const_expr(waits):
            cute.arch.sync_threads()
    result = cute.make_fragment_like(sums, cutlass.Float16)
    result.store(sums.load().to(cutlass.Float16))
    cute.autovec_copy(result, tile_c)


@cute.jit
def gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, waits: cutlass.Constexpr):
    grid = c.shape[0] // M, c.shape[1] // N, 1
    gemm_kernel(a, b, c, waits).launch(grid=grid, block=(THREADS, 1, 1))


def matrices(rows, columns):
    return make_fake_compact_tensor(cutlass.Float16, (rows, columns), stride_order=(1, 0),
                                    assumed_align=16)


def main(what, folder, *_):
    if what == "mistake":
        return report.mistake(gemm)
    options = f"--gpu-arch sm_90a --keep-cubin --dump-dir {folder}"
    if what == "add":
        def operands(i):
            return [make_fake_compact_tensor(cutlass.Float32, (1024 + i,))] * 3
        report.compiled(lambda i: cute.compile(add, *operands(i), options=options), folder)
    else:
        def operands(i):
            k = 256 + K * i
            return matrices(256, k), matrices(256, k), matrices(256, 256), True
        report.compiled(lambda i: cute.compile(gemm, *operands(i), options=options), folder)


main(*sys.argv[1:])
