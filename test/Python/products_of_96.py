# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_103a %python %s
# REQUIRES: full
"""sm_103's products of 96 elements along K: rows of 48 bytes, which begin in one buffer of 128
bytes and go on in the next, against sums in float64."""
import unittest

import cute
from cute import Float4E2M1FN, Float8E4M3FN, Float8E8M0FNU, Float32, Int32, Int64, Uint8, arch, utils
from cute.nvgpu import tcgen05
from cute.utils import blackwell_helpers, blockscaled_layout

M, N, TILE_K, THREADS, BUFFERS, PRODUCTS = 128, 256, 768, 128, 3, 8
K_MAJOR = tcgen05.SmemLayoutAtomKind.K_SW128


def ring(rows):
    """Buffers of 128 bytes a row, in units of 16."""
    return tcgen05.tile_to_mma_shape(
        tcgen05.make_smem_layout_atom(K_MAJOR, Uint8), ((rows, 16), 1, 8, BUFFERS))


@cute.kernel
def product(mma, a: cute.Tensor, b: cute.Tensor, sfa: cute.Tensor, sfb: cute.Tensor,
            c: cute.Tensor):
    thread, _, _ = arch.thread_idx()
    warp = arch.make_warp_uniform(arch.warp_idx())
    smem, op = utils.SmemAllocator(), mma.op
    barrier, slot = smem.allocate_array(Int64, 1), smem.allocate_array(Int32, 1)
    tiles, factors, tile = [], [], (M, N, TILE_K)
    for rows, source in ((M, a), (N, b)):
        layout = ring(rows)
        held = smem.allocate_tensor(Uint8, layout.outer, 1024, swizzle=layout.inner)
        for row in range(thread, rows, THREADS):
            for i in range(TILE_K // 2):
                held[(row, i % 16), 0, i // 16 % 8, i // 128] = source[row, i]
        tiles.append(held)
    parts = 4 if op.sf_vec_size == 16 else 2
    for source, make in ((sfa, blockscaled_layout.sm103_make_smem_layout_sfa),
                         (sfb, blockscaled_layout.sm103_make_smem_layout_sfb)):
        layout = make(mma, tile, op.sf_vec_size, parts)
        held = smem.allocate_tensor(op.sf_dtype, layout, 128)
        plain = cute.make_tensor(cute.recast_ptr(held.iterator, dtype=Uint8),
                                 cute.make_layout(cute.cosize(layout)))
        for i in range(thread, cute.cosize(layout), THREADS):
            plain[i] = source[i]
        factors.append(held)
    memory = utils.TmemAllocator(slot, cute.pipeline.NamedBarrier(1, THREADS))
    memory.allocate(512)
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    sums = cute.make_tensor(place, mma.make_fragment_C(mma.partition_shape_C((M, N))).layout)
    column, copies, taken = tcgen05.find_tmem_tensor_col_offset(sums), [], []
    for held, rows, make in ((factors[0], M, blockscaled_layout.make_tmem_layout_sfa),
                             (factors[1], N, blockscaled_layout.make_tmem_layout_sfb)):
        layout = make(mma, tile, op.sf_vec_size, cute.slice_(held.layout, (None,) * 3 + (0,)))
        far = cute.make_tensor(cute.recast_ptr(place + column, dtype=op.sf_dtype), layout)
        column += tcgen05.find_tmem_tensor_col_offset(far)
        each = cute.make_layout((((32, 4), rows // 128), (op.sf_vec_size, 1)))
        single = make(mma, tile, op.sf_vec_size, cute.make_layout((each.shape, 1, 12)))
        taken.append(cute.make_tensor(far.iterator, single))
        copy = tcgen05.make_s2t_copy(
            cute.make_copy_atom(tcgen05.Cp4x32x128bOp(op.cta_group), op.sf_dtype),
            cute.filter_zeros(far))
        copies.append((copy, copy.partition_S(cute.filter_zeros(held)),
                       copy.partition_D(cute.filter_zeros(far))))
    if warp == 0:
        with arch.elect_one():
            arch.mbarrier_init(barrier, 1)
    arch.mbarrier_init_fence()
    arch.fence_proxy("async.shared", space="cta")
    arch.sync_threads()
    if warp == 0:
        for i in cute.range_constexpr(PRODUCTS):
            if cute.const_expr(i % (PRODUCTS // parts) == 0):
                for copy, near, far in copies:
                    cute.copy(copy, near[None, None, None, None, i * parts // PRODUCTS], far)
            first = i % (PRODUCTS // parts) * (96 // op.sf_vec_size)
            for field, x in zip((tcgen05.Field.SFA, tcgen05.Field.SFB), taken):
                mma.set(field, x[None, None, first].iterator)
            buffer, unit = divmod(i * 3, 8)
            operands = []
            for held in tiles:
                here = held[None, 0, unit, buffer]
                after = held[None, 0, 0, (buffer + 1) % BUFFERS]
                desc = tcgen05.make_umma_smem_desc(
                    here.iterator, here.layout, "k", next_src=after.iterator)
                again = tcgen05.int_to_smem_descriptor(tcgen05.smem_descriptor_to_int(desc))
                operands.append(cute.make_tensor(again, cute.make_layout((1, 1), stride=(0, 0))))
            cute.mma_atom_call(mma, sums[None, 0, 0], *(x[None, 0] for x in operands),
                               sums[None, 0, 0])
            mma.set(tcgen05.Field.ACCUMULATE, True)
        with arch.elect_one():
            tcgen05.commit(barrier)
    memory.relinquish_alloc_permit()
    arch.mbarrier_wait(barrier, 0)
    result = mma.get_slice(0).partition_C(c)[None, 0, 0]
    copy = tcgen05.make_tmem_copy(
        cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), Float32),
        sums[None, 0, 0]).get_slice(thread)
    stored = copy.partition_D(result)
    registers = cute.make_rmem_tensor(stored.shape, Float32)
    cute.copy(copy, copy.partition_S(sums[None, 0, 0]), registers)
    cute.autovec_copy(registers, stored)
    arch.sync_threads()
    memory.free(place)


@cute.jit
def multiply(a: cute.Tensor, b: cute.Tensor, sfa: cute.Tensor, sfb: cute.Tensor, c: cute.Tensor,
             sf_dtype: cute.Constexpr, vector: cute.Constexpr):
    mma = blackwell_helpers.sm103_make_blockscaled_trivial_tiled_mma(
        sf_dtype, vector, tcgen05.CtaGroup.ONE, (M, N))
    product(mma, a, b, sfa, sfb, c).launch(grid=(1, 1, 1), block=(THREADS, 1, 1))


REJECTED = [
    # swizzle, layout, major mode, message
    ((3, 4, 3), ((16, 16), (128, 1)), "k", None),
    ((0, 4, 3), ((16, (16, 2)), (16, (1, 256))), "k", None),
    ((3, 4, 3), ((8, 16), (16, 1)), "rows", 'major is "k" or "mn", not .rows.'),
    ((2, 5, 2), ((8, 16), (16, 1)), "k", "the swizzle is S<2,5,2>; descriptors name"),
    ((3, 4, 3), ((8, 16), (1, 8)), "k", "major is 'k', so mode 1 of .* must have stride 1"),
    ((3, 4, 3), ((8, 16), (16, 1)), "mn", "major is 'mn', so mode 0 of .* must have stride 1"),
    ((3, 4, 3), ((16, 16), (20, 1)), "k", "lines of S<3,4,3> are 128 bytes apart, and .* has 20"),
    ((3, 4, 3), ((((8, 2), 16), 1), (((128, 1028), 1), 0)), "k", "not multiples of 16 bytes apart"),
    ((3, 4, 3), (64, 1), "k", r"the layout is a static \(MN,K\) or"),
]
found = []


@cute.kernel
def descriptors():
    memory = utils.SmemAllocator().allocate_array(Uint8, 4096)
    for pattern, layout, major, _ in REJECTED:
        here = cute.recast_ptr(memory, cute.make_swizzle(*pattern))
        try:
            tcgen05.make_umma_smem_desc(here, cute.make_layout(layout[0], stride=layout[1]), major)
            found.append("")
        except ValueError as error:
            found.append(str(error))


@cute.jit
def reject():
    descriptors().launch(grid=(1, 1, 1), block=(1, 1, 1))


class Products(unittest.TestCase):
    def check(self, sf_dtype, vector):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        random = np.random.default_rng(3)
        numbers = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
        held, left = [], []
        parts = 4 if vector == 16 else 2
        for rows in (M, N):
            codes = random.integers(0, 16, (rows, TILE_K))
            held.append((codes[:, ::2] | codes[:, 1::2] << 4).astype(np.uint8))
            left.append(np.concatenate([numbers, -numbers])[codes])
        for i, rows in enumerate((M, N)):
            codes = random.integers(125, 130, (rows, TILE_K // vector))
            factors = 2.0 ** (codes - 127)
            if sf_dtype is Float8E4M3FN:
                codes, factors = codes & 7 | 7 << 3, 1 + (codes & 7) / 8
            # Stages of 12 factors of 128 rows: 512 bytes for 4 of them.
            order = codes.reshape(rows // 128, 4, 32, parts, 3, 4).transpose(3, 0, 4, 2, 1, 5)
            held.append(np.ascontiguousarray(order).reshape(-1).astype(np.uint8))
            left[i] = left[i] * factors.repeat(vector, 1)
        c = np.full((M, N), np.nan, np.float32)
        multiply(*map(from_dlpack, (*held, c)), sf_dtype, vector)
        wanted = left[0] @ left[1].T
        self.assertLess(np.abs(c - wanted).max() / np.abs(wanted).max(), 1e-5)

    def test_factors_of_16(self):
        self.check(Float8E4M3FN, 16)

    def test_factors_of_32(self):
        self.check(Float8E8M0FNU, 32)

    def test_rejected(self):
        make = tcgen05.make_umma_smem_desc
        gmem = cute.runtime.make_ptr(Uint8, 0, cute.AddressSpace.gmem, assumed_align=16)
        layout = cute.make_layout((8, 16), stride=(16, 1))
        with self.assertRaisesRegex(ValueError, "src is a pointer to shared memory"):
            make(gmem, layout, "k")
        cute.compile(reject)
        for said, (*_, message) in zip(found, REJECTED, strict=True):
            self.assertRegex(said, message or "^$")
        with self.assertRaisesRegex(ValueError, "16 or 32 elements, not 8"):
            blackwell_helpers.sm103_make_blockscaled_trivial_tiled_mma(
                Float8E4M3FN, 8, tcgen05.CtaGroup.ONE, (M, N))


if __name__ == "__main__":
    unittest.main()
