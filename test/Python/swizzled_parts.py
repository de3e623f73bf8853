# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""A part of swizzled memory is its first element's address with a plain layout from there on."""

import ctypes
import unittest

import cute
from cute import BFloat16, Float4E2M1FN, Float32, Int32, Uint8
from cute._values.layout import ComposedLayout, Layout
from cute.nvgpu import warpgroup
from cute.runtime import make_ptr
from cute.utils import SmemAllocator

# Swizzles of elements, layouts of memory, and tiles of it that have a plain layout, or have none.
CASES = [
    ((3, 3, 3), ((8, 8), (64, 1)), ((64, 512), (1, 0)), (1, 16)),
    ((3, 3, 3), ((8, 4), (64, 2)), ((64, 512), (1, 2048)), (1, 64)),
    ((2, 3, 3), ((8, 8), (32, 2)), ((32, 256), (1, 2048)), (1, 32)),
    ((1, 3, 3), ((8, 12), (16, 2)), ((16, 128), (1, 1536)), ((1, 12), 8)),
    ((3, 3, 3), ((64, 3), (8, 3)), ((1, 1536), (64, 512)), (8, (1, 3))),
    ((3, 0, 3), (8, 8), (8, 1), (1, 8)),
]
MEETING = ((3, 3, 3), (16, 64), (64, 1), (8, 16))


def pieces(case):
    (swizzle, shape, stride, tile) = case
    inner = cute.make_swizzle(*swizzle)
    whole = cute.make_composed_layout(inner, 0, cute.make_layout(shape, stride=stride))
    return whole, tile


@cute.jit
def compare(case: cute.Constexpr, kind: cute.Constexpr):
    """Counts elements of all parts whose address is not the swizzled one."""
    count = Int32(0)
    whole, tile = pieces(case)
    near = cute.make_tensor(cute.arch.alloc_smem(BFloat16, cute.cosize(whole), 1024), whole)
    start = near.iterator.toint()
    divided = cute.zipped_divide(near, tile)
    for k in range(cute.size(divided, mode=[1])):
        part = divided[None, k]
        function, layout = part._whole_layout(), part.layout
        assert isinstance(layout, kind)
        for i in cute.range_constexpr(cute.size(part)):
            address = (part.iterator + layout(i)).toint()
            if address != start + 2 * function(i):
                count += 1
    return count


@cute.kernel
def kernel(out: cute.Tensor, case: cute.Constexpr, kind: cute.Constexpr):
    out[0] = compare(case, kind)


class Parts(unittest.TestCase):
    def run_case(self, case, kind):
        memory = (ctypes.c_int32 * 1)(-1)
        pointer = make_ptr(Int32, ctypes.addressof(memory), cute.AddressSpace.gmem)

        @cute.jit
        def host(out: cute.Pointer):
            kernel(cute.make_tensor(out, 1), case, kind).launch(grid=(1, 1, 1), block=(1, 1, 1))

        host(pointer)
        return memory[0]

    def test_parts_are_plain_layouts(self):
        for case in CASES:
            with self.subTest(case=case):
                self.assertEqual(self.run_case(case, Layout), 0)

    def test_modes_that_meet_in_the_swizzle_stay(self):
        self.assertEqual(self.run_case(MEETING, ComposedLayout), 0)

    def test_stores_of_a_product(self):
        """What quack and flash-attention do: the address of a part of memory whose pointer has
        the swizzle, with the layout of that part of memory whose layout has it."""
        memory = (ctypes.c_int32 * 1)(-1)
        pointer = make_ptr(Int32, ctypes.addressof(memory), cute.AddressSpace.gmem)

        @cute.kernel
        def store(out: cute.Tensor):
            thread = cute.arch.thread_idx()[0]
            atom = warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.K_SW128, BFloat16)
            layout = cute.tile_to_shape(atom, (64, 64), (0, 1))
            near = SmemAllocator().allocate_tensor(BFloat16, layout.outer, 1024, layout.inner)
            op = warpgroup.MmaF16BF16Op(
                BFloat16, Float32, (64, 64, 16), warpgroup.OperandSource.SMEM,
                warpgroup.OperandMajorMode.K, warpgroup.OperandMajorMode.K)
            mma = cute.make_tiled_mma(cute.make_mma_atom(op))
            copy = cute.make_tiled_copy_C(
                cute.make_copy_atom(cute.nvgpu.warp.StMatrix8x8x16bOp(False, 4), BFloat16), mma)
            mine = copy.get_slice(thread)
            swizzle = cute.make_swizzle(3, 3, 3)
            relative = cute.make_tensor(
                cute.recast_ptr(near.iterator, dtype=BFloat16),
                cute.make_composed_layout(swizzle, 0, near.layout))
            address = mine.partition_D(near).iterator.toint()
            address ^= (address & 0x380) >> 3
            to = cute.make_tensor(
                cute.make_ptr(BFloat16, address, cute.AddressSpace.smem, assumed_align=16),
                mine.partition_D(relative).layout)
            values = cute.make_rmem_tensor(mma.partition_shape_C((64, 64)), BFloat16)
            places = mma.get_slice(thread).partition_C(cute.make_identity_tensor((64, 64)))
            for i in cute.range_constexpr(cute.size(values)):
                values[i] = BFloat16(places[i][0] % 16 * 16 + places[i][1] % 16)
            cute.copy(copy, copy.retile(values), to)
            cute.arch.sync_threads()
            if thread == 0:
                wrong = Int32(0)
                for i in range(64):
                    for j in range(64):
                        if Int32(near[i, j]) != i % 16 * 16 + j % 16:
                            wrong += 1
                out[0] = wrong

        @cute.jit
        def host(out: cute.Pointer):
            store(cute.make_tensor(out, 1)).launch(grid=(1, 1, 1), block=(128, 1, 1))

        host(pointer)
        self.assertEqual(memory[0], 0)

    def test_a_swizzle_of_no_bits(self):
        layout = cute.make_layout((8, 8))
        made = cute.make_composed_layout(cute.make_swizzle(0, 4, 3), 0, layout)
        self.assertEqual((str(made), str(made.outer), made.offset), (str(layout), str(layout), 0))
        self.assertEqual(made.inner.num_bits, 0)
        atom = warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.K_INTER, BFloat16)
        self.assertEqual(str(atom), "(8,8):(8,1)")


@cute.kernel
def swizzled_halves(out: cute.Tensor, given: cute.Tensor):
    """Each thread copies a row of 256 elements of 4 bits by a swizzled pointer to its start."""
    thread, _, _ = cute.arch.thread_idx()
    memory = cute.arch.alloc_smem(Uint8, 1024, 1024)
    halves = cute.recast_ptr(memory, cute.make_swizzle(3, 4, 3), Float4E2M1FN)
    row = cute.make_tensor(halves + thread * 256, cute.make_layout((32, 8)))
    for k in cute.range_constexpr(8):
        cute.autovec_copy(given[thread, None, k], row[None, k])
    cute.arch.sync_threads()
    plain = cute.make_tensor(memory, cute.make_layout((8, 128), stride=(128, 1)))
    for i in range(128):
        out[thread, i] = plain[thread, i]


class Halves(unittest.TestCase):
    def test_elements_that_share_a_byte(self):
        """The swizzle moves bytes, 16 at a time: S<3,4,3> of their addresses."""
        given = (ctypes.c_uint8 * 1024)(*((7 * i + i // 256) % 256 for i in range(1024)))
        out = (ctypes.c_uint8 * 1024)()

        @cute.jit
        def host(out: cute.Pointer, given: cute.Pointer):
            halves = cute.recast_ptr(given, dtype=Float4E2M1FN)
            swizzled_halves(
                cute.make_tensor(out, cute.make_layout((8, 128), stride=(128, 1))),
                cute.make_tensor(halves, cute.make_layout((8, 32, 8), stride=(256, 1, 32))),
            ).launch(grid=(1, 1, 1), block=(8, 1, 1))

        host(*(make_ptr(Uint8, ctypes.addressof(x), cute.AddressSpace.gmem, assumed_align=16)
               for x in (out, given)))
        for place in range(1024):
            self.assertEqual(out[place ^ (place >> 3 & 0x70)], given[place])


if __name__ == "__main__":
    unittest.main()
