# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""Products of tensor memory with scale factors, which TMA and tcgen05.cp bring, against sums in
float64."""
import unittest

import cute
from cute import (
    Float4E2M1FN,
    Float8E4M3FN,
    Float8E5M2,
    Float8E8M0FNU,
    Float32,
    Int16,
    Int32,
    Uint64,
    arch,
    pipeline,
    utils,
)
from cute import experimental as cute_ext
from cute.nvgpu import OpError, cpasync, tcgen05
from cute.runtime import make_ptr
from cute.utils import blackwell_helpers, blockscaled_layout

K = tcgen05.OperandMajorMode.K
ROWS, THREADS = 128, 128


@cute.kernel
def product(mma, load_a, a, load_b, b, load_sfa, sfa, load_sfb, sfb, c, layouts: cute.Constexpr,
            tile: cute.Constexpr, cluster: cute.Layout, by_field: cute.Constexpr):
    op = mma.op
    blocks = cute.size(cluster, mode=[0])
    rank = arch.block_idx_in_cluster()
    leads = rank == 0
    thread, _, _ = arch.thread_idx()
    warp = arch.make_warp_uniform(arch.warp_idx())
    smem = utils.SmemAllocator()
    barriers = smem.allocate_array(cute.Int64, 4)
    last = smem.allocate_array(cute.Int64, 1)
    slot = smem.allocate_array(Int32, 1)
    layout_a, layout_b, layout_sfa, layout_sfb = layouts
    tile_a = smem.allocate_tensor(op.a_dtype, layout_a.outer, 128, swizzle=layout_a.inner)
    tile_b = smem.allocate_tensor(op.b_dtype, layout_b.outer, 128, swizzle=layout_b.inner)
    tile_sfa = smem.allocate_tensor(op.sf_dtype, layout_sfa, 128)
    tile_sfb = smem.allocate_tensor(op.sf_dtype, layout_sfb, 128)
    bytes_ = sum(cute.size_in_bytes(t, x) for t, x in (
        (op.a_dtype, layout_a), (op.b_dtype, layout_b), (op.sf_dtype, layout_sfa),
        (op.sf_dtype, layout_sfb)))
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    filling, using = pipeline.PipelineTmaUmma.create(
        num_stages=1, producer_group=one, consumer_group=one, tx_count=blocks * bytes_,
        barrier_storage=barriers, cta_layout_vmnk=cluster).make_participants()
    summing, storing = pipeline.PipelineUmmaAsync.create(
        num_stages=1, producer_group=one,
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, blocks * THREADS),
        barrier_storage=barriers + 2, cta_layout_vmnk=cluster).make_participants()
    memory = utils.TmemAllocator(slot, pipeline.NamedBarrier(1, THREADS), is_two_cta=blocks == 2,
                                 two_cta_tmem_dealloc_mbar_ptr=last)
    memory.allocate(512)
    part = mma.get_slice(rank)
    result = part.partition_C(c)
    moves = []
    for load, memory_tile, matrix, shape, partition in (
        (load_a, tile_a, a, (tile[0], tile[2]), part.partition_A),
        (load_b, tile_b, b, (tile[1], tile[2]), part.partition_B),
        (load_sfa, tile_sfa, sfa, (tile[0], tile[2]), part.partition_A),
        (load_sfb, tile_sfb, sfb, (tile[1], tile[2]),
         part.partition_B if blocks == 1 else mma.get_slice(0).partition_B),
    ):
        pieces = partition(cute.local_tile(matrix, shape, (0, None)))
        near, far = cpasync.tma_partition(load, 0, cute.make_layout(1),
                                          cute.group_modes(memory_tile, 0, 3),
                                          cute.group_modes(pieces, 0, 3))
        moves.append((load, cute.filter_zeros(far), cute.filter_zeros(near)))
    operand_a, operand_b = mma.make_fragment_A(tile_a), mma.make_fragment_B(tile_b)
    sums = mma.make_fragment_C(mma.partition_shape_C(tile[:2]))
    memory.wait_for_alloc()
    place = memory.retrieve_ptr(Float32)
    sums = cute.make_tensor(place, sums.layout)
    column = tcgen05.find_tmem_tensor_col_offset(sums)
    copies, factors = [], []
    for tile_sf, make in ((tile_sfa, blockscaled_layout.make_tmem_layout_sfa),
                          (tile_sfb, blockscaled_layout.make_tmem_layout_sfb)):
        layout = make(mma, tile, op.sf_vec_size, cute.slice_(tile_sf.layout, (None,) * 3 + (0,)))
        factor = cute.make_tensor(cute.recast_ptr(place + column, dtype=op.sf_dtype), layout)
        column += tcgen05.find_tmem_tensor_col_offset(factor)
        atom = cute.make_copy_atom(tcgen05.Cp4x32x128bOp(op.cta_group), op.sf_dtype)
        copy = tcgen05.make_s2t_copy(atom, cute.filter_zeros(factor))
        # An offset of whole rows that is not known.
        start = tile_sf.iterator + Int32(arch.block_idx()[1]) * 16
        rows = cute.filter_zeros(cute.make_tensor(start, tile_sf.layout))
        if cute.const_expr(by_field):
            rows = tcgen05.append_s2t_broadcast_mode(atom.op, rows)
        near = copy.get_slice(0).partition_S(rows)
        copies.append((copy, tcgen05.get_s2t_smem_desc_tensor(copy, near),
                       copy.get_slice(0).partition_D(cute.filter_zeros(factor))))
        factors.append(factor)
    if warp == 0:
        if leads:
            summing.acquire_and_advance()
        for k_tile in range(cute.size(a, mode=[1]) // tile[2]):
            empty = filling.acquire_and_advance()
            for load, far, near in moves:
                cute.copy(load, far[None, k_tile], near[None, empty.index],
                          tma_bar_ptr=empty.barrier)
            if leads:
                full = using.wait_and_advance()
                for copy, near, far in copies:
                    cute.copy(copy, near[None, None, None, None, full.index], far)
                for k in cute.range_constexpr(cute.size(operand_a, mode=[2])):
                    parts = [x[None, None, k, full.index] for x in (operand_a, operand_b)]
                    if cute.const_expr(by_field):
                        mma.set(tcgen05.Field.SFA, factors[0][None, None, k].iterator)
                        mma.set(tcgen05.Field.SFB, factors[1][None, None, k].iterator)
                    else:
                        scales = [f[None, None, k] for f in factors]
                    if cute.const_expr(by_field):
                        cute.gemm(mma, sums, parts[0], parts[1], sums)
                    else:
                        cute_ext.dot_block_scaled(mma, parts[0], scales[0], parts[1], scales[1], sums)
                    mma.set(tcgen05.Field.ACCUMULATE, True)
                full.release()
        if leads:
            summing.commit()
    memory.relinquish_alloc_permit()
    done = storing.wait_and_advance()
    atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), Float32)
    copy = tcgen05.make_tmem_copy(atom, sums[None, 0, 0]).get_slice(thread)
    loaded, stored = copy.partition_S(sums[None, 0, 0]), copy.partition_D(result[None, 0, 0])
    registers = cute.make_rmem_tensor(stored.shape, Float32)
    cute.copy(copy, loaded, registers)
    cute.autovec_copy(registers, stored)
    done.release()
    if warp == 0:
        filling.tail()
        if leads:
            summing.tail()
    pipeline.sync(barrier_id=1)
    memory.free(place)


def relaid(coords, shape):
    """Coordinates with their own strides, by the shape of the factors, as programs write it to
    change an extent."""
    assert str(shape) != str(coords.shape), "factors share units"
    made = cute.make_tensor(coords.iterator, cute.make_layout(shape, stride=coords.stride))
    assert str(made) == str(coords)
    other = (*shape[:-1], tuple(2 * n if i else n for i, n in enumerate(shape[-1])))
    longer = cute.make_layout(other, stride=coords.stride)
    assert cute.size(longer) == 2 * cute.size(made)
    try:
        cute.make_layout(((32, 4), (16, 6)), stride=coords.stride)
    except cute.CompileError:
        return made
    raise AssertionError("six factors of a unit of other extents")


@cute.jit
def multiply(pa: cute.Pointer, pb: cute.Pointer, psa: cute.Pointer, psb: cute.Pointer,
             c: cute.Tensor, k: cute.Constexpr[int], op: cute.Constexpr, tile_k: cute.Constexpr,
             by_field: cute.Constexpr):
    mma = cute.make_tiled_mma(op)
    m, n, _ = op.shape_mnk
    tile, vector = (m, n, tile_k), op.sf_vec_size
    a = cute.make_tensor(pa, cute.make_layout((m, k), stride=(k, 1)))
    b = cute.make_tensor(pb, cute.make_layout((n, k), stride=(k, 1)))
    sfa = cute.make_tensor(psa, blockscaled_layout.tile_atom_to_shape_SF((m, k), vector))
    rows = -(-n // 128) * 128
    sfb = cute.make_tensor(psb, blockscaled_layout.tile_atom_to_shape_SF((rows, k), vector))
    layouts = (
        blackwell_helpers.make_smem_layout_a(mma, tile, op.a_dtype, 1),
        blackwell_helpers.make_smem_layout_b(mma, tile, op.b_dtype, 1),
        blockscaled_layout.make_smem_layout_sfa(mma, tile, vector, 1),
        blockscaled_layout.make_smem_layout_sfb(mma, tile, vector, 1),
    )
    blocks = op.cta_group.value
    cluster = cute.tiled_divide(cute.make_layout((blocks, 1, 1)), (mma.thr_id,))
    load = cpasync.CopyBulkTensorTileG2SOp(op.cta_group)
    whole = cute.tiled_divide(cute.make_layout((1, 1, 1)), ((1,),))
    made = []
    for make, matrix, layout, more in (
        (cute.nvgpu.make_tiled_tma_atom_A, a, layouts[0], {}),
        (cute.nvgpu.make_tiled_tma_atom_B, b, layouts[1], {}),
        (cute.nvgpu.make_tiled_tma_atom_A, sfa, layouts[2], {"internal_type": Int16}),
        (cute.nvgpu.make_tiled_tma_atom_B, sfb, layouts[3], {"internal_type": Uint64}),
    ):
        shape = whole.shape if matrix is sfb else cluster.shape
        atom, coords = make(load, matrix, cute.slice_(layout, (None, None, None, 0)), tile, mma,
                            shape, **more)
        if cute.const_expr(by_field and more):
            coords = relaid(coords, matrix.shape)
        made += [atom, coords]
    product(mma, *made, c, layouts, tile, cluster, by_field).launch(
        grid=(blocks, 1, 1), block=(THREADS, 1, 1), cluster=(blocks, 1, 1))


def chunks(np, factors):
    """Factors (rows, columns) in the order of memory."""
    rows, columns = factors.shape
    parts = factors.reshape(rows // 128, 4, 32, columns // 4, 4)
    return np.ascontiguousarray(parts.transpose(0, 3, 2, 1, 4)).reshape(-1)


NUMBERS = [0, 0.5, 1, 1.5, 2, 3, 4, 6]


class Products(unittest.TestCase):
    def matrix(self, np, random, dtype, rows, k):
        """Bytes of random elements, and their numbers."""
        if dtype is Float4E2M1FN:
            codes = random.integers(0, 16, (rows, k))
            table = np.array(NUMBERS + [-x for x in NUMBERS])
            return (codes[:, ::2] | codes[:, 1::2] << 4).astype(np.uint8), table[codes]
        codes = random.integers(0, 8, (rows, k)).astype(np.uint8)
        bits, bias = (3, 7) if dtype is Float8E4M3FN else (2, 15)
        codes = (codes & ((1 << bits) - 1)) | (bias << bits)
        return codes.astype(np.uint8), 1 + (codes & ((1 << bits) - 1)) / (1 << bits)

    def factors(self, np, random, dtype, rows, columns):
        if dtype is Float8E8M0FNU:
            codes = random.integers(125, 130, (rows, columns))
            return codes.astype(np.uint8), 2.0 ** (codes - 127)
        codes = random.integers(0, 8, (rows, columns))
        return (codes | 7 << 3).astype(np.uint8), 1 + codes / 8

    def check(self, op, k, tile_k, by_field=True):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not there")
        from cute.runtime import from_dlpack

        random = np.random.default_rng(3)
        m, n, _ = op.shape_mnk
        a, numbers_a = self.matrix(np, random, op.a_dtype, m, k)
        b, numbers_b = self.matrix(np, random, op.b_dtype, n, k)
        rows = -(-n // 128) * 128
        sfa, factors_a = self.factors(np, random, op.sf_dtype, m, k // op.sf_vec_size)
        sfb, factors_b = self.factors(np, random, op.sf_dtype, rows, k // op.sf_vec_size)
        c = np.full((m, n), np.nan, np.float32)
        held = [np.ascontiguousarray(a), np.ascontiguousarray(b), chunks(np, sfa), chunks(np, sfb)]
        tensors = [from_dlpack(x, assumed_align=16) for x in held]
        types = (op.a_dtype, op.b_dtype, op.sf_dtype, op.sf_dtype)
        pointers = [make_ptr(t, x.data_ptr, cute.AddressSpace.gmem,
                             assumed_align=16) for t, x in zip(types, tensors)]
        multiply(*pointers, from_dlpack(c, assumed_align=16), k, op, tile_k, by_field)
        left = numbers_a * factors_a.repeat(op.sf_vec_size, 1)
        right = numbers_b * factors_b[:n].repeat(op.sf_vec_size, 1)
        wanted = left @ right.T
        error = np.abs(c - wanted).max() / np.abs(wanted).max()
        self.assertLess(error, 1e-5, op)

    def test_nvfp4(self):
        self.check(tcgen05.MmaMXF4NVF4Op(Float8E4M3FN, (128, 256, 64), tcgen05.CtaGroup.ONE), 512,
                   256)

    def test_mxf4(self):
        self.check(tcgen05.MmaMXF4Op((128, 128, 64), tcgen05.CtaGroup.ONE), 512, 256, False)

    def test_mxf8(self):
        self.check(tcgen05.MmaMXF8F6F4Op(Float8E4M3FN, Float8E5M2, (128, 128, 32),
                                         tcgen05.CtaGroup.ONE), 256, 128)

    def test_pair(self):
        self.check(tcgen05.MmaMXF4NVF4Op(Float8E4M3FN, (256, 128, 64), tcgen05.CtaGroup.TWO), 512,
                   256)

    def test_atoms(self):
        for op, name in (
            (tcgen05.MmaMXF8Op(Float8E5M2, (128, 64, 32), tcgen05.CtaGroup.ONE),
             "SM100_MMA_MXF8F6F4_SS<float_e5m2_t,float_e5m2_t,float,float_ue8m0_t,128,64,K,K>"),
            (tcgen05.MmaMXF4NVF4Op(Float8E8M0FNU, (256, 64, 64), tcgen05.CtaGroup.TWO),
             "SM100_MMA_MXF4_2x1SM_SS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,256,64,16,K,K>"),
        ):
            self.assertEqual(op.atom_name(), name)
            cute.make_mma_atom(op)
        make = utils.make_blockscaled_trivial_tiled_mma
        mma = make(Float4E2M1FN, K, K, Float8E8M0FNU, 32, tcgen05.CtaGroup.ONE, (128, 64))
        self.assertIsInstance(mma.op, tcgen05.MmaMXF4Op)
        mma = make(Float8E4M3FN, Float8E5M2, K, K, Float8E8M0FNU, 32, tcgen05.CtaGroup.ONE,
                   (128, 64))
        self.assertIsInstance(mma.op, tcgen05.MmaMXF8F6F4Op)

    def test_rejected(self):
        with self.assertRaisesRegex(OpError, "sf_dtype is Float32"):
            tcgen05.MmaMXF4NVF4Op(Float32, (128, 64, 64), tcgen05.CtaGroup.ONE)
        with self.assertRaisesRegex(TypeError, "no product of Float8E4M3FN and Float8E4M3FN"):
            utils.make_blockscaled_trivial_tiled_mma(
                Float8E4M3FN, K, K, Float8E4M3FN, 16, tcgen05.CtaGroup.ONE, (128, 64))
        mma = cute.make_tiled_mma(tcgen05.MmaMXF4Op((128, 64, 64), tcgen05.CtaGroup.ONE))
        with self.assertRaisesRegex(ValueError, "multiples of 128 elements of K, not of 64"):
            blockscaled_layout.make_smem_layout_sfa(mma, (128, 64, 64), 32, 1)


if __name__ == "__main__":
    unittest.main()
