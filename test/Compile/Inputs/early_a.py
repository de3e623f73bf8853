"""Writes PTX whose threads compute A of eight products in each of some rounds, before the wait
for the products of the last round, or after it ("late"), and in registers of their own which
moves copy to A's ("moved"). B is ones.

usage: early_a.py early|late|moved > k.ptx
"""
import sys

HEAD = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n) .reqntid 128,1,1 {
.reg .pred %p<2>; .reg .b16 %h<2>; .reg .b32 %r<200>; .reg .b64 %d<4>; .reg .f32 %f<128>;
.shared .align 1024 .b8 s[16384];
mov.u32 %r0, %tid.x; ld.param.u64 %d1, [out]; ld.param.u32 %r1, [n];
mul.wide.u32 %d0, %r0, 16; add.u64 %d1, %d1, %d0;
mov.u32 %r2, s; shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r2;
"""
FENCE = """fence.proxy.async.shared::cta;
bar.sync 0;
shr.u32 %r2, %r2, 4; cvt.u64.u32 %d2, %r2; or.b64 %d2, %d2, 0x1000080000;
mov.u32 %r4, 0;
"""
WAIT = "wgmma.wait_group.sync.aligned 0;\n"
SUMS = [f"%f{i}" for i in range(128)]
A = [f"%r{40 + i}" for i in range(32)]
OWN = [f"%r{100 + i}" for i in range(32)]


def compute(registers):
    for i, r in enumerate(registers):
        yield f"add.u32 {r}, %r4, {i}; add.u32 {r}, {r}, %r0; and.b32 {r}, {r}, 7;\n"
        yield f"cvt.rn.f16.u32 %h0, {r}; mov.b32 {r}, {{%h0, %h0}};\n"


def products():
    yield "wgmma.fence.sync.aligned;\n"
    for k in range(0, 32, 4):
        yield ("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%s}, {%s}, %%d2, 1, 1, 1, 0;\n"
               % (", ".join(SUMS), ", ".join(A[k:k + 4])))
    yield "wgmma.commit_group.sync.aligned;\n"


def text(kind):
    yield HEAD
    yield from (f"st.shared.u32 [%r3+{512 * i}], 0x3c003c00;\n" for i in range(32))
    yield FENCE
    yield from (f"mov.f32 {f}, 0f00000000;\n" for f in SUMS)
    yield "L:\n"
    yield WAIT if kind == "late" else ""
    yield from compute(OWN if kind == "moved" else A)
    yield WAIT if kind != "late" else ""
    yield from (f"mov.b32 {a}, {b};\n" for a, b in zip(A, OWN) if kind == "moved")
    yield from products()
    yield "add.u32 %r4, %r4, 1; setp.lt.u32 %p0, %r4, %r1;\n@%p0 bra L;\n" + WAIT
    yield "st.global.v4.f32 [%d1], {%f0, %f1, %f2, %f3};\nret;\n}\n"


sys.stdout.write("".join(text(sys.argv[1])))
