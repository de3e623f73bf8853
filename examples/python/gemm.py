"""C = A B^T in Python as a plain loop, which the compiler makes fast: on Hopper by TMA, wgmma
and a warp that loads ahead. Run python gemm.py, on a GPU or, without one, on the simulator;
CUTE_PRINT_REMARKS=1 shows what the passes do.
"""
import torch

import cute
from cute import Float16, Float32
from cute.nvgpu import CopyUniversalOp, cpasync, warp
from cute.runtime import from_dlpack

M, N, K, THREADS = 128, 128, 64, 128  # a block's tile


def by_rows(op, width):
    """A copy of a tile's rows, 8 elements a thread."""
    atom = cute.make_copy_atom(op, Float16, num_bits_per_copy=128)
    threads = cute.make_layout((THREADS * 8 // width, width // 8), stride=(width // 8, 1))
    return cute.make_tiled_copy_tv(atom, threads, cute.make_layout((1, 8)))


def shared_tile(rows, columns):
    layout = cute.make_layout((rows, columns), stride=(columns, 1))
    return cute.utils.SmemAllocator().allocate_tensor(Float16, layout, 128)


@cute.kernel(optimize="group=8")
def multiply(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    thread, (m, n, _) = cute.arch.thread_idx()[0], cute.arch.block_idx()
    tile_a, tile_b, tile_c = shared_tile(M, K), shared_tile(N, K), shared_tile(M, N)
    op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
    mma = cute.make_tiled_mma(op, cute.make_layout((2, 2, 1)), (32, 32, 16))
    part = mma.get_slice(thread)
    of_a = mma.make_fragment_A(part.partition_A(tile_a))
    of_b = mma.make_fragment_B(part.partition_B(tile_b))
    sums = mma.make_fragment_C(part.partition_C(tile_c))
    sums.fill(0)
    copy = by_rows(cpasync.CopyG2SOp(), K)
    fetch = copy.get_slice(thread)
    matrices = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(num_matrices=4), Float16)
    load_a, load_b = cute.make_tiled_copy_A(matrices, mma), cute.make_tiled_copy_B(matrices, mma)
    for k in range(cute.ceil_div(a.shape[1], K)):
        from_a, is_in_a = fetch.predicated_tile_S(a, (M, K), (m, k))
        from_b, is_in_b = fetch.predicated_tile_S(b, (N, K), (n, k))
        cute.copy(copy, from_a, fetch.partition_D(tile_a), pred=is_in_a)
        cute.copy(copy, from_b, fetch.partition_D(tile_b), pred=is_in_b)
        cute.arch.cp_async_commit_group()
        cute.arch.cp_async_wait_group(0)
        cute.arch.sync_threads()
        cute.copy(load_a, load_a.get_slice(thread).partition_S(tile_a), load_a.retile(of_a))
        cute.copy(load_b, load_b.get_slice(thread).partition_S(tile_b), load_b.retile(of_b))
        cute.gemm(mma, sums, of_a, of_b, sums)
        cute.arch.sync_threads()
    result = cute.make_fragment_like(sums, Float16)
    result.store(sums.load().to(Float16))
    pair = cute.make_copy_atom(CopyUniversalOp(), Float16, num_bits_per_copy=32)
    put = cute.make_tiled_copy_C(pair, mma)
    cute.copy(put, put.retile(result), put.get_slice(thread).partition_D(tile_c))
    cute.arch.sync_threads()
    copy = by_rows(CopyUniversalOp(), N)
    rows = copy.get_slice(thread).partition_S(tile_c)
    to_c, is_in_c = copy.get_slice(thread).predicated_tile_D(c, (M, N), (m, n))
    row = cute.make_fragment_like(rows)
    cute.copy(copy, rows, row)
    cute.copy(copy, row, to_c, pred=is_in_c)


@cute.jit
def gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    grid = cute.ceil_div(c.shape[0], M), cute.ceil_div(c.shape[1], N), 1
    multiply(a, b, c).launch(grid=grid, block=(THREADS, 1, 1))


def matrix(tensor):
    """Rows that begin and end at multiples of 16 bytes, of any number and length."""
    found = from_dlpack(tensor, assumed_align=16)
    return found.mark_compact_shape_dynamic(0).mark_compact_shape_dynamic(1, divisibility=8)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    a, b = (torch.randn(rows, 136, device=device).half() for rows in (200, 264))
    c = torch.empty(200, 264, device=device).half()
    gemm(*map(matrix, (a, b, c)))
    error = (c.double() - a.double() @ b.double().t()).abs().max().item()
    print("right" if error < 0.1 else "wrong", "on", device)


if __name__ == "__main__":
    main()
