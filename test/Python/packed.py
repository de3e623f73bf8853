# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Pairs in words, carries, conversions of small vectors, stores to other blocks."""

import array
import unittest

import cute
from cute._frontend.errors import StaticValueError
from cute import BFloat16, Float16, Float32, Float8E4M3FN, Int32, Int64, Int8, Uint32, arch, dsl


def run(kernel, count, threads=1, cluster=1):
    """Returns what a kernel writes to an array of words, 0 at first."""

    @cute.jit
    def launch(pointer: cute.Pointer):
        kernel(cute.make_tensor(pointer, cute.make_layout(count))).launch(
            grid=(cluster, 1, 1), block=(threads, 1, 1), cluster=(cluster, 1, 1))

    memory = array.array("I", [0] * count)
    launch(cute.runtime.make_ptr(Uint32, memory.buffer_info()[0], cute.AddressSpace.gmem))
    return list(memory)


class Pairs(unittest.TestCase):
    def test_words_and_pairs(self):
        @cute.kernel
        def k(a: cute.Tensor):
            one = Float32(a[0]) + 1.0
            pair = (Float16(one), Float16(one * 2.0))
            word = arch.fma_packed_f16x2(0x3C003C00, 0x40004000, 0x3C004000)
            total = arch.add_packed_f16x2(pair, pair)
            ones = (BFloat16(one), BFloat16(one))
            rest = arch.sub_packed_bf16x2(ones, (BFloat16(3.0), BFloat16(0.5)))
            power = arch.exp2_packed_f16x2(total)
            clamped = arch.fma_f16(one, -2.0, 1.0, relu=True)
            mixed = arch.add_packed_f32x2_bf16x2_f32x2(rest, (one, one))
            narrow = arch.add_packed_bf16x2_f32x2_f32x2((one, one), (one, one))
            a[0] = Uint32(word)
            for i, x in enumerate((*total, *rest, *power, clamped, *mixed, *narrow)):
                a[i + 1] = Float32(x).bitcast(Uint32)

        found = run(k, 12)
        floats = array.array("f", array.array("I", found).tobytes())
        self.assertEqual(found[0], 0x42004400)
        self.assertEqual(list(floats[1:12]), [2, 4, -2, 0.5, 4, 16, 0, -1, 1.5, 2, 2])
        with self.assertRaisesRegex(TypeError, "takes 2 operands, not 1"):
            arch.add_packed_f16x2(1)
        with self.assertRaisesRegex(TypeError, "fast is not an option"):
            arch.add_packed_f16x2(1, 2, fast=True)

    def test_carries(self):
        @cute.kernel
        def k(a: cute.Tensor):
            big = a[0] + Uint32(0xFFFFFFFF)
            a[0] = arch.add_cc(big, Uint32(2))
            a[1] = arch.addc(Uint32(a[2]), Uint32(5))
            a[2] = arch.sub_cc(Uint32(a[3]), Uint32(1))
            a[3] = arch.subc(Uint32(a[4]), Uint32(0))
            a[4] = arch.mad_cc(big, big, Uint32(7))
            a[5] = arch.madc(big, Uint32(1), Uint32(1))
            a[6] = Uint32(arch.add_sat_int(Int32(2**31 - 1), Int32(a[7]) + 5))
            a[7] = Uint32(arch.sub_sat_int(Int32(-(2**31)), Int32(a[8]) + 5))

        found = run(k, 9)
        self.assertEqual(found[:4], [1, 6, 0xFFFFFFFF, 0xFFFFFFFF])
        self.assertEqual(found[4:8], [8, 0, 2**31 - 1, 2**31])
        with self.assertRaisesRegex(TypeError, "integers of 32 or 64 bits, not Int8"):
            arch.addc(Int8(1), Int8(2))

        @cute.kernel
        def alone(a: cute.Tensor):
            a[0] = arch.addc(a[1], a[2])

        with self.assertRaisesRegex(StaticValueError, "addc takes a carry, but no add_cc"):
            run(alone, 3)

    def test_conversions(self):
        @cute.kernel
        def k(a: cute.Tensor):
            small = dsl.Vector.from_elements([Int8(i - 2) for i in range(4)], Int8)
            wide = cute.TensorSSA(arch.cvt_i8x4_to_f32x4(small.ir_value()), 4, Float32)
            half = cute.TensorSSA(arch.cvt_i8_bf16_intrinsic(small, 4), 4, BFloat16)
            total = wide + half.to(Float32)
            for i in dsl.range_constexpr(4):
                a[i] = Uint32(total[i].to(Int32))
            a[4] = Uint32(Int32(arch.cvt_f32_tf32(1.0 + 2.0**-12)))

        self.assertEqual(run(k, 5)[2:], [0, 2, 0x3F800000])

    def test_integers_and_floats_of_4_bits(self):
        signed = [i - 16 if i & 8 else i for i in range(16)]
        e2m1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
        e2m1 += [-x for x in e2m1]

        @cute.kernel
        def k(a: cute.Tensor):
            for half in dsl.range_constexpr(2):
                word = Int32(0x76543210 if half == 0 else 0xFEDCBA98 - 2**32)
                fours = dsl.Vector.from_elements([word + a[80] * 0], Int32)
                ints = fours.bitcast(dsl.Int4)
                bf16 = cute.TensorSSA(arch.cvt_i4x8_to_bf16x8(ints.ir_value()), 8, BFloat16)
                by_word = cute.TensorSSA(arch.cvt_f4e2m1x8_to_f16x8(word.ir_value()), 8, Float16)
                e4m3 = cute.TensorSSA(
                    arch.cvt_i4_mxf8_intrinsic(ints.ir_value(), 8, Float8E4M3FN), 8, Float8E4M3FN)
                as_bytes = cute.TensorSSA(
                    arch.cvt_i4x8_to_mxf8x8(ints.ir_value(), Int8), 8, Int8).bitcast(Float8E4M3FN)
                for i in dsl.range_constexpr(8):
                    a[8 * half + i] = Uint32(bf16[i].to(Int32))
                    a[8 * half + i + 16] = Uint32((by_word[i].to(Float32) * 2).to(Int32))
                    a[8 * half + i + 32] = Uint32(e4m3[i].to(Float32).to(Int32))
                    a[8 * half + i + 48] = Uint32(as_bytes[i].to(Float32).to(Int32))
            apart = dsl.Vector.from_elements([Int8(x) for x in (7, 8, 15, 0)], Int8)
            wide = cute.TensorSSA(arch.sext_unpacked_i4x4_to_i8x4(apart.ir_value()), 4, Int8)
            for i in dsl.range_constexpr(4):
                a[64 + i] = Uint32(wide[i].to(Int32))
            a[68] = Uint32(arch.log2_of_pow2_int(Int32(1) << Int32(a[80] + 9)))
            a[69] = Uint32(arch.log2_of_pow2_int(Int32(a[80])))
            a[70] = Uint32(arch.log2_of_pow2_int(Int32(64)))

        @cute.kernel
        def uneven(a: cute.Tensor):
            arch.cvt_i4_mxf8_intrinsic(a[0], 7)

        found = [x - 2**32 if x >> 31 else x for x in run(k, 81)]
        self.assertEqual(found[:16], signed)
        self.assertEqual([x / 2 for x in found[16:32]], e2m1)
        self.assertEqual((found[32:48], found[48:64]), (signed, signed))
        self.assertEqual(found[64:71], [7, -8, -1, 0, 9, -1, 6])
        with self.assertRaisesRegex(ValueError, "the length is a multiple of 8, not 7"):
            run(uneven, 1)

    def test_lanes_and_registers(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane = arch.thread_idx()[0]
            a[lane] = arch.match_sync(0xFFFFFFFF, lane // 8)
            a[lane + 32] = arch.match_sync(0xFFFFFFFF, lane // 32, "all")
            if lane == 0:
                a[0] = Uint32(arch.total_smem_size()) * 0 + Uint32(arch.globaltimer_lo() != 0)

        found = run(k, 64, 32)
        self.assertEqual((found[0], found[9], found[40]), (1, 0xFF00, 0xFFFFFFFF))
        with self.assertRaisesRegex(ValueError, "kind is any or all"):
            arch.match_sync(1, 1, "some")

    def test_stores_to_other_blocks(self):
        @cute.kernel
        def k(a: cute.Tensor):
            lane, rank = arch.thread_idx()[0], arch.block_idx_in_cluster()
            near = dsl.Array(Int32, 4, space=cute.AddressSpace.smem, alignment=16)
            bar = dsl.Array(Int64, 1, space=cute.AddressSpace.smem)
            if lane == 0:
                arch.mbarrier_init(bar.ptr, 1)
                arch.mbarrier_init_fence()
                arch.mbarrier_arrive_and_expect_tx(bar.ptr, 16)
            arch.cluster_arrive()
            arch.cluster_wait()
            if lane == 0:
                numbers = tuple(rank * 10 + i for i in range(4))
                arch.store_async_dsmem(near.ptr, numbers, bar.ptr, 1 - rank)
            arch.mbarrier_wait(bar.ptr, 0)
            if lane < 4:
                a[rank * 4 + lane] = Uint32(near[lane])
            arch.cluster_arrive()
            arch.cluster_wait()

        self.assertEqual(run(k, 8, 32, 2), [10, 11, 12, 13, 0, 1, 2, 3])
        with self.assertRaisesRegex(TypeError, "1, 2 or 4 integers"):
            arch.store_async_dsmem(None, (1, 2, 3), None, 0)


if __name__ == "__main__":
    unittest.main()
