# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_100a %python %s
"""cutlass.experimental.primitives: arithmetic, conversions, integers, loads and stores."""

import math
import random
import struct
import unittest

import primitives

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
from cutlass import BFloat16, Float16, Float32, Float8E4M3FN, Float8E5M2, Int8, Int16, Int32, Int64
from cutlass import Float4E2M1FN, Float8E8M0FNU, Uint32, Vector
from cutlass.experimental import primitives as prims

SMEM = cutlass.AddressSpace.smem


def run(*arguments, **options):
    return primitives.run(*arguments, arch="sm_100a", **options)


def float_of(bits):
    return struct.unpack("f", struct.pack("I", bits & 0xFFFFFFFF))[0]


def bits_of(x):
    return struct.unpack("I", struct.pack("f", x))[0]


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def half(x, code="e"):
    """The nearest f16 of a float, or bf16 where ``code`` is b."""
    if code == "e":
        return struct.unpack("e", struct.pack("e", x))[0]
    bits = bits_of(x)
    return float_of(bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000)


def values(count, seed=5):
    chance = random.Random(seed)
    return [single(chance.gauss(0, 3)) for _ in range(count)]


def compute(function, given, count=None):
    """What ``function`` of a tensor makes of numbers; it writes to the same tensor."""
    @cute.kernel
    def kernel(a: cute.Tensor):
        function(a)

    return run(kernel, len(given), "f", block=1, fill=lambda n: given)[:count]


class Pairs(unittest.TestCase):
    def test_of_float32(self):
        x = values(16)

        def function(a):
            p, q, r = ((a[i], a[i + 1]) for i in (0, 2, 4))
            v, w = (Vector.from_elements(e, Float32) for e in (p, q))
            made = [*prims.add_packed_f32x2(p, q), *prims.sub_packed_f32x2(p, q),
                    *prims.mul_packed_f32x2(v, w).to_elements(),
                    *prims.fma_packed_f32x2(p, q, r)]
            for i, number in enumerate(made):
                a[8 + i] = number

        found = compute(function, x)
        p, q, r = x[:2], x[2:4], x[4:6]
        wanted = [a + b for a, b in zip(p, q)] + [a - b for a, b in zip(p, q)]
        wanted += [a * b for a, b in zip(p, q)] + [a * b + c for a, b, c in zip(p, q, r)]
        self.assertEqual(found[8:], [single(y) for y in wanted])

    def test_rounding(self):
        def function(a):
            for i, mode in enumerate(("rz", prims.FPRoundingMode.RP, "rm")):
                up, down = prims.add_packed_f32x2((a[0], -a[0]), (a[1], -a[1]), rnd=mode)
                a[2 + 2 * i], a[3 + 2 * i] = up, down

        found = compute(function, [1.0, 2.0**-40] + [0.0] * 6)
        after = 1 + 2.0**-23
        self.assertEqual(found[2:], [1, -1, after, -1, 1, -after])

    def test_mixed(self):
        x = values(8)

        def function(a):
            p, q = (Vector.from_elements((a[i], a[i + 1]), Float32) for i in (0, 2))
            for i, (kind, dtype) in enumerate((("f16", Float16), ("bf16", BFloat16))):
                short = p.to(dtype)
                wide = getattr(prims, f"fma_packed_f32x2_{kind}x2_f32x2_f32x2")(short, q, p)
                narrow = getattr(prims, f"mul_packed_{kind}x2_f32x2_f32x2")(p, q)
                self.assertEqual((wide.dtype, narrow.dtype), (Float32, dtype))
                a[4 + 2 * i], a[5 + 2 * i] = wide[0], narrow[1].to(Float32)
            word = prims.mul_bf16x2(Int32(0x40003F80), Int32(0x40404040))
            a[3] = Float32(word == 0x40C04040)

        found = compute(function, x)
        wanted = []
        for code in "eb":
            wanted += [single(half(x[0], code) * x[2] + x[0]), half(x[1] * x[3], code)]
        self.assertEqual(found[3:], [1.0, *wanted])


class Conversions(unittest.TestCase):
    def test_of_vectors(self):
        cases = [(Float16, {}), (BFloat16, {}), (Float16, {"relu": True}), (Float8E4M3FN, {}),
                 (Float8E5M2, {"relu": True}), (Float4E2M1FN, {}), (Float4E2M1FN, {"relu": True}),
                 (BFloat16, {"rnd": "rz"}), (Float8E8M0FNU, {"rnd": "rp"})]

        def function(a):
            pair = Vector.from_elements((a[0], a[1]), Float32)
            for i, (dtype, options) in enumerate(cases):
                made = prims.convert(pair, dtype, **options)
                self.assertEqual(made.dtype, dtype)
                a[2 + 2 * i], a[3 + 2 * i] = made.to(Float32).to_elements()

        found = compute(function, [2.7, -1.3] + [0.0] * 18)
        low, high = single(2.7), single(-1.3)
        self.assertTrue(math.isnan(found.pop()))  # there are no negative powers of two
        self.assertEqual(found[2:], [
            half(low), half(high), half(low, "b"), half(high, "b"), half(low), 0.0,
            2.75, -1.25, 2.5, 0.0, 3.0, -1.5, 3.0, 0.0,
            float_of(bits_of(low) & ~0xFFFF), float_of(bits_of(high) & ~0xFFFF), 4.0])

    def test_pairs_in_a_half_of_a_word(self):
        from cutlass._mlir.dialects import nvvm

        kinds = prims.CVTPackFloat

        @cute.kernel
        def kernel(a: cute.Tensor):
            x, y = a[0].bitcast(Float32), a[1].bitcast(Float32)
            words = [prims.cvt_packfloat_f32(y, x, 0x11223344, kind, extract_hi=upper)
                     for kind in (kinds.E4M3X2, kinds.E2M1X2) for upper in (False, True)]
            words += [prims.cvt_packfloat_f32(y, x, 7, kinds.F16X2),
                      prims.cvt_packfloat_f32(-x, -y, 0, kinds.E5M2X2, relu=True)]
            words += [prims.cvt_packfloat(words[1], 7, kinds.E4M3X2, kinds.F16X2, extract_hi=True),
                      prims.cvt_packfloat(words[4], 0x5500AA, kinds.F16X2, kinds.E2M1X2,
                                          extract_hi=True)]
            words.append(Int32(nvvm.cvt_packfloat_f32(
                y.ir_value(), x.ir_value(), Int32(0).ir_value(), nvvm.CVTPackFloatKind.E4M3x2,
                rnd=nvvm.FPRoundingMode.RN, sat=nvvm.SaturationModeKind.SATFINITE)))
            words.append(Int32(nvvm.cvt_packfloat(
                Int32(0x8180).ir_value(), Int32(0).ir_value(), nvvm.CVTPackFloatKind.UE8M0x2,
                nvvm.CVTPackFloatKind.BF16x2, rnd=nvvm.FPRoundingMode.RN,
                sat=nvvm.SaturationModeKind.NONE)))
            for i, word in enumerate(words):
                a[i] = word

        given = [bits_of(1.5), bits_of(3.0), *[0] * 8]
        found = [hex(x & 0xFFFFFFFF) for x in run(kernel, 10, block=1, fill=lambda n: given)]
        self.assertEqual(found, [
            "0x1122443c", "0x443c3344", "0x11223353", "0x11533344", "0x42003e00", "0x0",
            "0x42003e00", "0x5300aa", "0x443c", "0x40804000"])
        with self.assertRaisesRegex(ValueError, "f32 is no pair of floats in a word; f16x2"):
            prims.cvt_packfloat_f32(1.0, 2.0, 0, kinds.F32)

    def test_words(self):
        def function(a):
            made = [
                prims.cvt_f32x2_to_f8x2(a[0], a[1], Float8E4M3FN).to(Int32) == 0x3840,
                prims.cvt_f32x2_to_f4x2(a[0], a[1], Float4E2M1FN) == 0x24,
                prims.cvt_f32x2_to_f4x2(a[0], a[1], prims.ConvertFP4Type.E2M1) == 0x24,
                prims.cvt_e2m1x2_byte_to_bf16x2(Int32(0x24)) == 0x3F804000,
                prims.cvt_e4m3x2_to_bf16x2(Int16(0x3840)) == 0x3F804000,
                prims.cvt_e4m3x2_byte_to_bf16x2(Int32(0x7740)) == 0x40004000,
                prims.cvt_e4m3x2_word_to_bf16x2(Int32(0x384000), 8) == 0x3F804000,
                prims.convert_float_to_tf32(a[2]) == bits_of(1.0) + 0x2000,
                prims.convert_float_to_tf32(a[2], rnd="rz") == bits_of(1.0),
                prims.convert(Vector.from_elements((a[1], a[0]), Float32), Float16,
                              result_type=Int32) == 0x3C004000]
            low, high = prims.cvt_e2m1_word_to_e4m3_words(Int32(0x76543210), Int32(0x40))
            made += [low == 0x44403800, high == 0x5450_4C48]
            pair = prims.convert_f8x2_to_bf16x2(Vector.from_elements((a[0], -a[1]), Float32)
                                                .to(Float8E4M3FN), relu=True)
            made += [pair[0].to(Float32) == 1.0, pair[1].to(Float32) == 0.0]
            for i, correct in enumerate(made):
                a[i] = Float32(correct)

        self.assertEqual(compute(function, [1.0, 2.0, 1 + 2.0**-11] + [0.0] * 11), [1.0] * 14)

    def test_integers_of_floats(self):
        cases = [(-2.5, {}, -2), (2.5, {"rnd": "rni"}, 2), (-2.5, {"rnd": "rmi"}, -3),
                 (2.1, {"rnd": prims.IntRoundingMode.RPI}, 3), (1e30, {}, 2**31 - 1),
                 (300.0, {"result_type": Int8, "sat": True}, 127), (-7.0, {"is_signed": False}, 0)]

        def function(a):
            for i, (_, options, wanted) in enumerate(cases):
                made = prims.convert_float_to_integer(a[i], **options)
                a[i] = Float32(made == wanted)

        self.assertEqual(compute(function, [c[0] for c in cases]), [1.0] * len(cases))

    def test_rejected(self):
        def function(a):
            pair = Vector.from_elements((a[0], a[1]), Float32)
            with self.assertRaisesRegex(ImportError, "with random_bits are not there"):
                prims.convert(pair, Float16, random_bits=1)
            with self.assertRaisesRegex(TypeError, "Float16 is not a float of 8 bits"):
                prims.cvt_f32x2_to_f8x2(a[0], a[1], Float16)
            with self.assertRaisesRegex(ValueError, "expected a pair, not 3 numbers"):
                prims.add_packed_f32x2((a[0],) * 3, (a[0],) * 3)
            with self.assertRaisesRegex(TypeError, "fma_packed_f32x2 takes 3 pairs"):
                prims.fma_packed_f32x2(pair, pair)

        compute(function, [1.0, 2.0])


class Integers(unittest.TestCase):
    def test_instructions(self):
        def function(a):
            four = Vector.from_elements([Int8(i) for i in (1, -2, 3, -4)], Int8)
            two = Vector.from_elements([Int16(i) for i in (1000, -7)], Int16)
            made = {
                "prmt": prims.prmt(Int32(0x03020100), Int32(0x6240), "default",
                                   hi=Int32(0x07060504)) == 0x06020400,
                "prmt.rc8": prims.prmt(Int32(0x03020100), 2, "rc8") == 0x02020202,
                "mul.lo": prims.mul(Int32(70000), Int32(70000), "lo") == 4900000000 - 2**32,
                "mul.hi": prims.mul(Int32(70000), Int32(70000), prims.MulMode.HI) == 1,
                "mul.wide": prims.mul(Int32(-70000), Int32(70000), "wide") == -4900000000,
                "mul.u": prims.mul(Int32(-1), Int32(2), "hi", is_signed=False) == 1,
                "mul.16": prims.mul(Int16(300), Int16(300), "wide") == 90000,
                "mov": prims.mov_b32(Float32(1.0)) == 0x3F800000,
                "dp4a": prims.dot_accumulate_4way(four, "signed", four, "signed", 100) == 130,
                "dp4a.u": prims.dot_accumulate_4way(
                    Int32(-1), prims.DotAccumulateType.UNSIGNED, four, "signed", 0) == -2 * 255,
                "dp2a": prims.dot_accumulate_2way(two, "signed", four, "signed", 5, False) == 1019,
                "dp2a.hi": prims.dot_accumulate_2way(two, "signed", four, "signed", 5, True) == 3033,
                "pack8": prims.convert_and_pack_integer(
                    Int32(300), Int32(-300), Int8, src_c=Int32(0x1234)) == 0x12347F80,
                "pack16": prims.convert_and_pack_integer(Int32(-1), Int32(70000), Int16)
                    == 0xFFFF7FFF - 2**32,
                "pack4": prims.convert_and_pack_integer(
                    Int32(9), Int32(99), cutlass.Int4.mlir_type, src_c=Int32(2),
                    is_signed=False) == 0x29F,
                "fabs": prims.fabs(Float32(-2.0)) == 2.0,
                "fmin": prims.fmin(Float32.mlir_type, a[0], Float32(-1.0)) == -1.0,
            }
            self.names = list(made)
            for i, correct in enumerate(made.values()):
                a[i] = Float32(correct)

        found = compute(function, [0.0] * 17)
        self.assertEqual([n for n, x in zip(self.names, found) if not x], [])

    def test_rejected(self):
        def function(a):
            with self.assertRaisesRegex(TypeError, "mul.wide takes integers of 16 or 32 bits"):
                prims.mul(Int64(1), Int64(1), "wide")
            with self.assertRaisesRegex(TypeError, "mov.b32 takes numbers of 32 bits"):
                prims.mov_b32(Float16(1.0))
            with self.assertRaisesRegex(TypeError, "integers of 16 bits are not packed above"):
                prims.convert_and_pack_integer(1, 2, Int16, src_c=3)

        compute(function, [1.0])


class Memory(unittest.TestCase):
    def test_loads_and_stores(self):
        @cute.kernel
        def k(a: cute.Tensor):
            near = cutlass.Array(Int32, 8, space=SMEM, alignment=16)
            four = prims.load_ext(a.iterator, count=4, cache_modifier="cg", prefetch="size_128b")
            prims.store_ext(four, near)
            two = prims.load_ext(a.iterator + 4, count=2)
            prims.store_ext(two, near.data_ptr(4), shared_space="shared_cta")
            prims.store_ext(7, near.data_ptr(6), order="volatile")
            flag = prims.load_ext(a.iterator + 5, order=prims.MemOrder.ACQUIRE, scope="gpu")
            hint = Int64(0x12F0000000000000)
            wide = prims.load_ext(a.iterator + 6, dtype=Int64, l2_cache_hint=hint,
                                  evict=prims.L1EvictKind.FIRST)
            prims.store_ext(flag + Int32(wide >> 32), a.iterator + 8, order="release",
                            scope=prims.MemScope.GPU)
            prims.store_ext(near[3] + near[5] + near[6], a.iterator + 9, evict="noallocate",
                            l2_cache_hint=hint)
            prims.store_ext(Uint32(11), a.iterator + 10, cache_modifier="cs")

        self.assertEqual(run(k, 12, block=1)[8:11], [5 + 7, 3 + 5 + 7, 11])

    def test_rejected(self):
        def function(a):
            for text, options in (
                ("not release", {"order": "release", "scope": "gpu"}),
                ("has a scope where it is relaxed", {"order": "relaxed"}),
                ("goes with weak accesses", {"order": "volatile", "cache_modifier": "cg"}),
                ("1, 2, 4 or 8 numbers, not 3", {"count": 3}),
            ):
                with self.assertRaisesRegex(ValueError, text):
                    prims.load_ext(a.iterator, **options)
            with self.assertRaisesRegex(TypeError, "not Float16: bitcast it"):
                prims.load_ext(a.iterator, dtype=Float16)
            near = cutlass.Array(Int32, 8, space=SMEM, alignment=16)
            with self.assertRaisesRegex(ValueError, "a multiple of 16 bytes, not 24"):
                prims.st_bulk(near, 24)
            with self.assertRaisesRegex(ValueError, "writes zeros, not 3"):
                prims.st_bulk(near, 32, init_val=3)
            with self.assertRaisesRegex(ValueError, "noftz is for sums of F16 and BF16"):
                prims.cp_reduce_async_bulk_global_shared_cta(
                    a.iterator, near, 32, type="f32", noftz=True)

        compute(function, [0.0] * 4)

    def test_atomics(self):
        @cute.kernel
        def k(a: cute.Tensor):
            made = [prims.atomicrmw("add", a.iterator, 5),
                    prims.atomicrmw(prims.AtomicOp.MAX, a.iterator + 1, Int32(50)),
                    prims.atomicrmw("cas", a.iterator + 2, 2, b=77),
                    prims.atomicrmw("exch", a.iterator + 3, 9, syncscope="gpu"),
                    prims.atomicrmw("inc", a.iterator + 4, Int32(4)),
                    prims.atomicrmw("xor", a.iterator + 5, 1, mem_order="acq_rel")]
            for i, old in enumerate(made):
                a[8 + i] = old
            with self.assertRaisesRegex(ValueError, "CAS takes two operands"):
                prims.atomicrmw("cas", a.iterator, 1)

        found = run(k, 16, block=1)
        self.assertEqual((found[:6], found[8:14]), ([5, 50, 77, 9, 0, 4], [0, 1, 2, 3, 4, 5]))

    def test_bulk_reduction_and_zeros(self):
        @cute.kernel
        def k(a: cute.Tensor):
            near = cutlass.Array(Int32, 8, space=SMEM, alignment=16)
            for i in cutlass.range_constexpr(8):
                near[i] = 100 + i
            prims.st_bulk(near.data_ptr(4), 16)
            prims.fence_proxy("async.shared::cta")
            prims.cp_reduce_async_bulk_global_shared_cta(a.iterator, near, 32, op="add", type="s32")
            prims.cp_async_bulk_commit_group()
            prims.cp_async_bulk_wait_group(0)

        self.assertEqual(run(k, 8, block=1), [100, 102, 104, 106, 4, 5, 6, 7])

    def test_addresses_and_fences(self):
        @cute.kernel
        def k(a: cute.Tensor):
            same = prims.cvta_to(a.iterator.tospace(cutlass.AddressSpace.generic), "global")
            same.store(7)
            address = prims.cvta_to((a.iterator + 1).toint(), prims.CvtaSpace.GLOBAL)
            cute.make_ptr(Int32, address, cutlass.AddressSpace.gmem, assumed_align=4).store(8)
            prims.fence_sync_restrict("acquire")
            prims.fence_proxy_sync_restrict(prims.MemOrder.RELEASE)
            prims.fence_proxy_async_acquire_sync_restrict()
            prims.fence_proxy_async_release_sync_restrict()
            prims.pmevent(3)
            prims.pmevent(mask=5)
            prims.ptx_add_comment("the {last} one")
            prims.inline_ptx_hl("st.global.b32 [{$r0}], {$r1};",
                                read_only_args=[a.iterator + 2, Int32(9)], pred=a[0] == 7)
            for text, call in (("acquire or release, not relaxed",
                                lambda: prims.fence_sync_restrict("relaxed")),
                               ("takes event_id or mask", prims.pmevent),
                               ("0 to 15, not 16", lambda: prims.pmevent(16)),
                               ("one line", lambda: prims.ptx_add_comment("a\nb"))):
                with self.assertRaisesRegex(ValueError, text):
                    call()

        self.assertEqual(run(k, 4, block=1), [7, 8, 9, 3])

    def test_barriers_that_do_not_complete(self):
        @cute.kernel
        def k(a: cute.Tensor):
            bar = cutlass.Array(Int64, 1, space=SMEM)
            prims.mbarrier_init(bar, 4)
            state = prims.mbarrier_arrive_nocomplete(bar, 2)
            prims.mbarrier_arrive_drop_nocomplete(bar, 1)
            a[0] = Int32(prims.mbarrier_test_wait(bar, state))
            prims.mbarrier_arrive(bar)
            a[1] = Int32(prims.mbarrier_test_wait(bar, state))
            prims.mbarrier_arrive(bar, count=3)  # one has dropped out
            a[2] = Int32(prims.mbarrier_test_wait(bar, Int32(1)))

        self.assertEqual(run(k, 4, block=1), [0, 1, 1, 3])


if __name__ == "__main__":
    unittest.main()
