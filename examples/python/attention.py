"""Attention in Python as a plain loop over keys, which the compiler makes fast: on Hopper by
TMA, wgmma, a warp that loads ahead and products that overlap with the softmax. Run python
attention.py, on a GPU or, without one, on the simulator; CUTE_PRINT_REMARKS=1 shows what the
passes do.
"""
import torch

import cute
from cute import Float16, Float32
from cute.nvgpu import CopyUniversalOp, cpasync, warp
from cute.runtime import from_dlpack

ROWS, KEYS, HEAD, THREADS = 128, 128, 64, 256  # a block's queries, a round's keys


def by_rows(op):
    """A copy of rows of HEAD elements, 8 of them a thread."""
    atom = cute.make_copy_atom(op, Float16, num_bits_per_copy=128)
    threads = cute.make_layout((THREADS * 8 // HEAD, HEAD // 8), stride=(HEAD // 8, 1))
    return cute.make_tiled_copy_tv(atom, threads, cute.make_layout((1, 8)))


def shared_tile(rows):
    layout = cute.make_layout((rows, HEAD), stride=(HEAD, 1))
    return cute.utils.SmemAllocator().allocate_tensor(Float16, layout, 128)


def row_of(fragment, row):
    """What a thread has of one of its two rows: pairs of columns, 8 apart."""
    pairs = cute.make_layout((2, cute.size(fragment) // 4), stride=(1, 4))
    return cute.make_tensor(fragment.iterator + 2 * row, pairs)


def over_row(op, value):
    """The value of all four threads that share a row."""
    for lanes in (1, 2):
        value = op(value, cute.arch.shuffle_sync_bfly(value, lanes))
    return value


@cute.kernel(optimize=True)
def attend(q: cute.Tensor, k: cute.Tensor, v: cute.Tensor, o: cute.Tensor, scale: Float32):
    thread, (block, head, _) = cute.arch.thread_idx()[0], cute.arch.block_idx()
    q, k, v, o = (x[None, None, head] for x in (q, k, v, o))
    tile_q, tile_k, tile_v = shared_tile(ROWS), shared_tile(KEYS), shared_tile(KEYS)
    tile_vt = cute.composition(tile_v, cute.make_layout((HEAD, KEYS), stride=(KEYS, 1)))
    op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
    mma = cute.make_tiled_mma(op, cute.make_layout((8, 1, 1)), (ROWS, 16, 16))
    part = mma.get_slice(thread)
    of_q = mma.make_fragment_A(part.partition_A(tile_q))
    of_k = mma.make_fragment_B(part.partition_B(tile_k))
    of_v = mma.make_fragment_B(part.partition_B(tile_vt))
    scores = mma.make_fragment_C(mma.partition_shape_C((ROWS, KEYS)))
    sums = mma.make_fragment_C(mma.partition_shape_C((ROWS, HEAD)))
    weights = cute.make_fragment_like(scores, Float16)
    as_a = cute.make_layout(((2, 2, 2), 1, KEYS // 16), stride=((1, 2, 4), 0, 8))
    of_p = cute.make_tensor(weights.iterator, cute.composition(weights.layout, as_a))
    columns = part.partition_C(cute.make_identity_tensor((ROWS, KEYS)))

    copy = by_rows(cpasync.CopyG2SOp())
    fetch = copy.get_slice(thread)
    matrices = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(num_matrices=4), Float16)
    turned = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(transpose=True, num_matrices=4), Float16)
    load_q, load_k = cute.make_tiled_copy_A(matrices, mma), cute.make_tiled_copy_B(matrices, mma)
    load_v = cute.make_tiled_copy_B(turned, mma)
    from_q, is_in_q = fetch.predicated_tile_S(q, (ROWS, HEAD), (block, 0))
    cute.copy(copy, from_q, fetch.partition_D(tile_q), pred=is_in_q)
    cute.arch.cp_async_commit_group()
    cute.arch.cp_async_wait_group(0)
    cute.arch.sync_threads()
    cute.copy(load_q, load_q.get_slice(thread).partition_S(tile_q), load_q.retile(of_q))

    scale = scale * 1.44269504  # so that exp2 serves
    most, total = cute.make_rmem_tensor(2, Float32), cute.make_rmem_tensor(2, Float32)
    most.fill(-1e30)
    total.fill(0)
    sums.fill(0)
    for i in range(cute.ceil_div(k.shape[0], KEYS)):
        from_k, is_in_k = fetch.predicated_tile_S(k, (KEYS, HEAD), (i, 0))
        from_v, is_in_v = fetch.predicated_tile_S(v, (KEYS, HEAD), (i, 0))
        cute.copy(copy, from_k, fetch.partition_D(tile_k), pred=is_in_k)
        cute.copy(copy, from_v, fetch.partition_D(tile_v), pred=is_in_v)
        cute.arch.cp_async_commit_group()
        cute.arch.cp_async_wait_group(0)
        cute.arch.sync_threads()
        cute.copy(load_k, load_k.get_slice(thread).partition_S(tile_k), load_k.retile(of_k))
        scores.fill(0)
        cute.gemm(mma, scores, of_q, of_k, scores)
        left = k.shape[0] - i * KEYS
        if left < KEYS:
            for j in cute.range_constexpr(cute.size(scores)):
                if columns[j][1] >= left:
                    scores[j] = -Float32.inf
        for row in cute.range_constexpr(2):
            s = row_of(scores, row).load()
            largest = over_row(cute.arch.fmax, s.reduce(cute.ReductionOp.MAX, -Float32.inf, 0))
            new = cute.arch.fmax(largest, most[row])
            shrink = cute.math.exp2((most[row] - new) * scale, fastmath=True)
            p = cute.math.exp2(s * scale - new * scale, fastmath=True)
            total[row] = total[row] * shrink + p.reduce(cute.ReductionOp.ADD, 0.0, 0)
            most[row] = new
            row_of(weights, row).store(p.to(Float16))
            of_row = row_of(sums, row)
            of_row.store(of_row.load() * shrink)
        cute.copy(load_v, load_v.get_slice(thread).partition_S(tile_vt), load_v.retile(of_v))
        cute.gemm(mma, sums, of_p, of_v, sums)
        cute.arch.sync_threads()

    for row in cute.range_constexpr(2):
        of_row = row_of(sums, row)
        of_row.store(of_row.load() / over_row(lambda x, y: x + y, total[row]))
    result = cute.make_fragment_like(sums, Float16)
    result.store(sums.load().to(Float16))
    tile_o = shared_tile(ROWS)
    pair = cute.make_copy_atom(CopyUniversalOp(), Float16, num_bits_per_copy=32)
    put = cute.make_tiled_copy_C(pair, mma)
    cute.copy(put, put.retile(result), put.get_slice(thread).partition_D(tile_o))
    cute.arch.sync_threads()
    copy = by_rows(CopyUniversalOp())
    rows = copy.get_slice(thread).partition_S(tile_o)
    to_o, is_in_o = copy.get_slice(thread).predicated_tile_D(o, (ROWS, HEAD), (block, 0))
    through = cute.make_fragment_like(rows)
    cute.copy(copy, rows, through)
    cute.copy(copy, through, to_o, pred=is_in_o)


@cute.jit
def attention(q: cute.Tensor, k: cute.Tensor, v: cute.Tensor, o: cute.Tensor, scale: Float32):
    """o = softmax(q k^T scale) v of (rows, HEAD, heads)."""
    grid = cute.ceil_div(q.shape[0], ROWS), q.shape[2], 1
    attend(q, k, v, o, scale).launch(grid=grid, block=(THREADS, 1, 1))


def heads(tensor):
    """A tensor (heads, rows, HEAD) as (rows, HEAD, heads), with any rows and heads."""
    found = from_dlpack(tensor.permute(1, 2, 0), assumed_align=16)
    for mode in (0, 2):
        found = found.mark_compact_shape_dynamic(mode, stride_order=(2, 0, 1))
    return found


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    q, k, v = (torch.randn(2, rows, HEAD, device=device).half() for rows in (200, 270, 270))
    o = torch.empty_like(q)
    attention(*map(heads, (q, k, v, o)), Float32(HEAD**-0.5))
    weights = torch.softmax(q.double() @ k.double().transpose(1, 2) * HEAD**-0.5, -1)
    error = (o.double() - weights @ v.double()).abs().max().item()
    print("right" if error < 0.01 else "wrong", "on", device)


if __name__ == "__main__":
    main()
