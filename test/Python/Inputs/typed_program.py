"""A right program with types, for type checkers; it is not run."""
import cute
from cute import Float16, Float32, Int32
from cute.nvgpu import CopyUniversalOp, cpasync, warp, warpgroup
from cute import pipeline, utils, arch


@cute.struct
class Storage:
    barriers: cute.struct.MemRange[cute.Int64, 2]
    tile: cute.struct.Align[cute.struct.MemRange[Float32, 64], 128]


@cute.kernel
def kernel(a: cute.Tensor, b: cute.Tensor, scale: Float32, mma: cute.TiledMma, copy: cute.CopyAtom,
           n: cute.Constexpr[int]) -> None:
    thread, _, _ = arch.thread_idx()
    block = arch.block_idx()[0]
    tile = cute.local_tile(a, (64, 32), (block, 0))
    smem = utils.SmemAllocator()
    near = smem.allocate_tensor(Float16, cute.make_layout((64, 32)), 128)
    atom = cute.make_copy_atom(CopyUniversalOp(), Float16, num_bits_per_copy=128)
    ld = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), Float16)
    tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((32, 4)), cute.make_layout((1, 8)))
    part = tiled.get_slice(thread)
    cute.copy(tiled, part.partition_S(tile), part.partition_D(near))
    arch.cp_async_commit_group()
    arch.cp_async_wait_group(0)
    arch.sync_threads()
    acc = cute.make_rmem_tensor((4, 2), Float32)
    acc.fill(0.0)
    for i in range(n):
        acc[0, 0] += a[i, 0].to(Float32) * scale
    total = Float32(0.0)
    for j in cute.range_constexpr(4):
        total = total + acc[j, 1]
    x = acc.load()
    y = (x * 2.0 + x).reduce(cute.ReductionOp.ADD, 0.0, 0)
    if thread < 32 and block == 0:
        b[thread, 0] = cute.exp(total) + y
    m = Int32(3) + thread // 4
    thr = mma.get_slice(thread)
    frag = mma.make_fragment_A(thr.partition_A(near))
    cute.gemm(mma, acc, frag, frag, acc)
    mma.set(warpgroup.Field.ACCUMULATE, True)


@cute.jit
def launch(a: cute.Tensor, b: cute.Tensor) -> None:
    op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
    mma = cute.make_tiled_mma(op, (2, 2, 1))
    copy = cute.make_copy_atom(cpasync.CopyG2SOp(), Float16, num_bits_per_copy=128)
    load, coords = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileG2SOp(), a, cute.make_layout((64, 32)), (64, 32))
    kernel(a, b, 1.0, mma, load, 4).launch(grid=(1, 1, 1), block=(128, 1, 1), smem=4096)
    kernel(a, b, Float32(1.0), mma, copy, 4).launch(grid=[1, 1, 1], block=[128, 1, 1])


compiled = cute.compile(launch, None, None)
compiled(None, None)
