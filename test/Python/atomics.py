# RUN: env CUTE_DEVICE=sim %python %s
"""Atomic operations, and accesses with an order: results on the simulator, and the PTX."""

import ctypes
import unittest

import cute
from cute import BFloat16, Float16, Float32, Int8, Int32, Int64, Uint32, Uint64, arch
from cute.runtime import make_ptr


def memory(c_type, dtype, values):
    array = (c_type * len(values))(*values)
    return array, make_ptr(dtype, ctypes.addressof(array))


@cute.kernel
def many(p: cute.Pointer, u: cute.Pointer, f: cute.Pointer, d: cute.Pointer):
    t = arch.thread_idx()[0]
    arch.atomic_add(p, t)
    arch.atomic_max(p + 1, t, sem="relaxed", scope="cta")
    arch.atomic_min(p + 2, -t, sem="acq_rel", scope="gpu")
    if arch.atomic_cas(p + 3, cmp=5, val=t, sem="acquire", scope="gpu") == 5:
        arch.store(p + 4, t, sem="release", scope="gpu")
    arch.atomic_or(u, Uint32(1) << Uint32(t), scope="sys")
    arch.atomic_xor(u + 1, 3)
    arch.atomic_and(u + 2, ~(Uint32(1) << Uint32(t)))
    arch.red(u + 3, Int32(-1) - t, op="max", dtype="u32", sem="relaxed", scope="gpu")
    arch.red(u + 4, Int32(-1) - t, op="umin", dtype="s32")
    arch.atomic_add(f, 0.5)
    arch.red((f + 1).llvm_ptr, Float32(t), op="add", dtype=Float32)
    arch.atomic_fmax(f + 2, Float32(t) * 0.5, sem="acq_rel", scope="gpu")
    arch.atomic_fmin(f + 3, Float32(-t))
    arch.atomic_add(d, Int64(t) << 32)
    count = cute.utils.SmemAllocator().allocate_array(Int32, 1)
    if t == 0:
        arch.store(count, 1)
    arch.sync_threads()
    arch.atomic_add(count, 2, scope="cta")
    arch.sync_threads()
    if t == 0:
        total = arch.load(count, Int32)
        arch.atomic_exch(p + 5, total)
        arch.store(p + 6, arch.load(p + 4, Int32, sem="acquire", scope="gpu"), cop="cg")


@cute.jit
def run(p: cute.Pointer, u: cute.Pointer, f: cute.Pointer, d: cute.Pointer):
    many(p, u, f, d).launch(block=(32, 1, 1))


class Atomics(unittest.TestCase):
    def test_results(self):
        ints, p = memory(ctypes.c_int32, Int32, [1, 0, 0, 5, 9, 0, 9])
        bits, u = memory(ctypes.c_uint32, Uint32, [0, 3, 0xFFFFFFFF, 0, 0xFFFFFFFF])
        floats, f = memory(ctypes.c_float, Float32, [1, 0, -1, 0])
        wide, d = memory(ctypes.c_int64, Int64, [1])
        run(p, u, f, d)
        winner = ints[3]
        self.assertIn(winner, range(32))
        self.assertEqual(list(ints), [497, 31, -31, winner, winner, 65, winner])
        self.assertEqual(list(bits), [0xFFFFFFFF, 3, 0, 0xFFFFFFFF, 0xFFFFFFE0])
        self.assertEqual(list(floats), [17.0, 496.0, 15.5, -31.0])
        self.assertEqual(wide[0], (496 << 32) + 1)

    def test_numbers(self):
        @cute.kernel
        def kernel(out: cute.Pointer, a: Int32, b: Uint64):
            high = arch.mul_hi(a, -7)
            arch.store(out, Uint64(Uint32(high)))
            arch.store(out + 1, arch.mul_hi(b, Uint64(0xF00000000000000F)))
            arch.store(out + 2, Uint64(arch.mul_wide(a, 1 << 30)))
            arch.store(out + 3, Uint64(arch.brev(Uint32(a))))
            arch.store(out + 4, arch.brev(b))
            arch.store(out + 5, Uint64(arch.bfind(a)))
            arch.store(out + 6, Uint64(arch.bfind(b)))
            arch.store(out + 7, Uint64(arch.bfind(a - a)))

        @cute.jit
        def run(out: cute.Pointer, a: Int32, b: Uint64):
            kernel(out, a, b).launch()

        got, out = memory(ctypes.c_uint64, Uint64, [9] * 8)
        a, b = -123456789, 0x123456789ABCDEF1
        run(out, a, b)
        reverse = lambda x, n: int(f"{x:0{n}b}"[::-1], 2)
        self.assertEqual(
            list(got),
            [(a * -7) >> 32, (b * 0xF00000000000000F) >> 64, (a * (1 << 30)) % 2**64,
             reverse(a % 2**32, 32), reverse(b, 64), 26, 60, 0xFFFFFFFF],
        )
        with self.assertRaisesRegex(TypeError, "an integer of 16 or 32 bits is needed, not Int64"):
            arch.mul_wide(Int64(1), Int64(2))

    def ptx(self, body):
        @cute.kernel
        def kernel(p: cute.Pointer, h: cute.Pointer):
            body(p, h)

        @cute.jit
        def host(p: cute.Pointer, h: cute.Pointer):
            kernel(p, h).launch()

        gmem = cute.AddressSpace.gmem
        p, h = make_ptr(Int32, 0, gmem), make_ptr(Float16, 0, gmem)
        return cute.compile(host, p, h, options="--gpu-arch sm_90a").__ptx__

    def test_orders_and_scopes(self):
        def body(p, h):
            arch.atomic_add(p, 1)
            arch.atomic_add(p, 1, sem="acq_rel")
            arch.atomic_add(p.llvm_ptr, Uint64(1), scope="sys")
            arch.red(p, Int32(1), op="add", dtype="s32", sem="release", scope="cluster")
            arch.atomic_add(h, 1.0)
            arch.red(h, BFloat16(1.0), op="add", dtype="bf16")
            arch.store(p, Int32(arch.clock64()) + arch.smid())
            arch.store(p, arch.load(p, Int32, sem="relaxed", scope="sys"), sem="release", scope="cta")

        ptx = self.ptx(body)
        for text in (
            "atom.global.add.u32 ", "atom.acq_rel.gpu.global.add.u32 ",
            "atom.relaxed.sys.global.add.u64 ", "red.release.cluster.global.add.u32 ",
            "atom.global.add.noftz.f16 ", "red.global.add.noftz.bf16 ",
            "ld.relaxed.sys.global.b32", "%clock64", "%smid", "st.release.cta.global.b32",
        ):
            self.assertIn(text, ptx)

    def test_errors(self):
        for error, message, body in (
            (ValueError, "sem is one of relaxed", lambda p, h: arch.atomic_add(p, 1, sem="weak")),
            (ValueError, "scope is one of cta", lambda p, h: arch.load(p, Int32, sem="relaxed", scope="all")),
            (ValueError, "op is add, min", lambda p, h: arch.red(p, 1, op="exch", dtype="s32")),
            (ValueError, "dtype is one of s32", lambda p, h: arch.red(p, 1, op="add", dtype="s8")),
            (ValueError, "cop is one of ca", lambda p, h: arch.load(p, Int32, cop="none")),
            (TypeError, "hint is not an argument", lambda p, h: arch.store(p, 1, hint=1)),
            (TypeError, "atomic and is for integers, not", lambda p, h: arch.atomic_and(h, 1.0)),
            (TypeError, "of 32 and 64 bits, not", lambda p, h: arch.atomic_add(p, Int8(1))),
            (TypeError, "reinterpret floats", lambda p, h: arch.atomic_cas(h, cmp=1.0, val=2.0)),
            (TypeError, "vectors are cute.copy's", lambda p, h: arch.load(p, "vector<4xi32>")),
        ):
            with self.assertRaisesRegex(error, message):
                self.ptx(body)


if __name__ == "__main__":
    unittest.main()
