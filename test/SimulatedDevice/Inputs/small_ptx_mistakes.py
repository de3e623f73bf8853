"""Small kernels in PTX that are right, and the same with one line wrong.

usage: small_ptx_mistakes.py CUTE_RUN FOLDER [NAME ...]

A row has the shape of a launch, the body of a kernel, what of it is replaced by what, and
what the simulator then says. The right one runs under several orders without findings.
"""
import pathlib
import re
import subprocess
import sys

from small_mistakes import main

# r0 is the thread, r1 and r2 the addresses of s and of the barriers, r3 and r5 of the thread's word
# and of its mirror, r7 the other block's rank; d2 and d3 words of A and B.
HEAD = """.version 8.8
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 A, .param .u64 B) .reqntid {threads} {cluster} {{
.shared .align 128 .b8 s[4096];
.shared .align 8 .b64 bars[4];
.reg .b32 %r<30>; .reg .b64 %d<20>; .reg .pred %p<10>; .reg .f32 %f<4>;
mov.u32 %r0, %tid.x; mov.u32 %r1, s; mov.u32 %r2, bars;
shl.b32 %r6, %r0, 2; add.u32 %r3, %r1, %r6;
mov.u32 %r4, %cluster_ctarank; xor.b32 %r7, %r4, 1;
sub.u32 %r8, {last}, %r0; shl.b32 %r8, %r8, 2; add.u32 %r5, %r1, %r8;
ld.param.u64 %d0, [A]; ld.param.u64 %d1, [B];
cvt.u64.u32 %d4, %r6; add.u64 %d2, %d0, %d4; add.u64 %d3, %d1, %d4;
setp.eq.u32 %p0, %r0, 0; setp.lt.u32 %p1, %r0, 32;
"""
BLOCK, WARP, GROUP, PAIR = (64, 1), (32, 1), (128, 1), (32, 2)
CLUSTER = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
WAIT = "W: mbarrier.try_wait.parity.shared.b64 %p9, [%r2], 0;\n@!%p9 bra W;\n"


def init(count):
    return (f"@!%p0 bra I;\nmbarrier.init.shared.b64 [%r2], {count};\n"
            "fence.mbarrier_init.release.cluster;\nI: bar.sync 0;\n")


REMOTE_READ = "st.shared.u32 [%r3], %r0;\n" + CLUSTER + """mapa.shared::cluster.u32 %r10, %r5, %r7;
ld.shared::cluster.u32 %r11, [%r10];
""" + CLUSTER + "st.global.u32 [%d3], %r11;\n"
REMOTE_WRITE = CLUSTER + """mapa.shared::cluster.u32 %r10, %r3, %r7;
add.u32 %r12, %r0, %r4;
st.shared::cluster.u32 [%r10], %r12;
""" + CLUSTER + "ld.shared.u32 %r11, [%r3];\nst.global.u32 [%d3], %r11;\n"
REMOTE_ARRIVAL = init(32) + CLUSTER + """mapa.shared::cluster.u32 %r10, %r3, %r7;
st.shared::cluster.u32 [%r10], %r0;
mapa.shared::cluster.u32 %r13, %r2, %r7;
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r13];
W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p9, [%r2], 0;
@!%p9 bra W;
ld.shared.u32 %r11, [%r5];
st.global.u32 [%d3], %r11;
""" + CLUSTER
ASYNC_STORE = init(1) + CLUSTER + """@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 128;
mapa.shared::cluster.u32 %r10, %r3, %r7;
mapa.shared::cluster.u32 %r13, %r2, %r7;
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r10], %r0, [%r13];
""" + WAIT + "ld.shared.u32 %r11, [%r5];\nst.global.u32 [%d3], %r11;\n" + CLUSTER
LOAD = init(1) + """@!%p0 bra L;
mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 256;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d0], 256, [%r2];
L:
""" + WAIT + "ld.shared.u32 %r11, [%r5];\nst.global.u32 [%d3], %r11;\n"
REDUCE = """st.shared.u32 [%r3], %r0;
fence.proxy.async.shared::cta;
bar.sync 0;
@!%p0 bra L;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%r1], 256;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
L: bar.sync 0;
st.shared.u32 [%r3], 7;
"""
REDUCE_ZEROED = init(1) + """st.global.u32 [%d3], 0;
fence.proxy.async.global;
bar.sync 0;
@!%p0 bra L;
mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 256;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d0], 256, [%r2];
""" + WAIT + """cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%r1], 256;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group 0;
L:
"""
TO_CLUSTER = init(1) + """st.shared.u32 [%r3], %r0;
fence.proxy.async.shared::cta;
""" + CLUSTER + """@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 128;
add.u32 %r20, %r1, 1024;
mapa.shared::cluster.u32 %r10, %r20, %r7;
mapa.shared::cluster.u32 %r13, %r2, %r7;
@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes
  [%r10], [%r1], 128, [%r13];
""" + WAIT + "ld.shared.u32 %r11, [%r5+1024];\nst.global.u32 [%d3], %r11;\n" + CLUSTER
LDMATRIX = """st.shared.u32 [%r3], %r0; st.shared.u32 [%r3+128], %r0;
st.shared.u32 [%r3+256], %r0; st.shared.u32 [%r3+384], %r0;
bar.warp.sync -1;
shl.b32 %r20, %r0, 4; add.u32 %r20, %r1, %r20;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r21,%r22,%r23,%r24}, [%r20];
add.u32 %r21, %r21, %r22; add.u32 %r21, %r21, %r23; add.u32 %r21, %r21, %r24;
st.global.u32 [%d3], %r21;
"""
STMATRIX = """shl.b32 %r20, %r0, 4; add.u32 %r20, %r1, %r20;
stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r20], {%r0,%r6,%r8,%r3};
bar.warp.sync -1;
ld.shared.u32 %r21, [%r5]; ld.shared.u32 %r22, [%r5+384]; add.u32 %r21, %r21, %r22;
st.global.u32 [%d3], %r21;
"""
NAMED = """@%p1 st.shared.u32 [%r3], %r0;
@!%p1 bra C;
bar.arrive 1, 64;
bra E;
C: bar.sync 1, 64;
ld.shared.u32 %r11, [%r5];
st.global.u32 [%d3], %r11;
E:
"""
NAMED_RING = """@%p1 bra P;
bar.sync 2, 64;
ld.shared.u32 %r11, [%r5];
bar.arrive 3, 64;
bar.sync 2, 64;
ld.shared.u32 %r12, [%r5]; add.u32 %r11, %r11, %r12;
st.global.u32 [%d3], %r11;
bra E;
P: st.shared.u32 [%r3], %r0;
bar.arrive 2, 64;
bar.sync 3, 64;
st.shared.u32 [%r3], 7;
bar.arrive 2, 64;
E:
"""
REGISTERS = "st.global.u32 [%d3], %r0;\nsetmaxnreg.dec.sync.aligned.u32 40;\n"
ARRIVALS = init(64) + """st.shared.u32 [%r3], %r0;
mbarrier.arrive.shared.b64 %d10, [%r2];
W: mbarrier.test_wait.shared.b64 %p9, [%r2], %d10;
@!%p9 bra W;
ld.shared.u32 %r11, [%r5];
st.global.u32 [%d3], %r11;
"""
COPIES = init(64) + """cp.async.ca.shared.global [%r3], [%d2], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
""" + WAIT + "ld.shared.u32 %r11, [%r5];\nst.global.u32 [%d3], %r11;\n"
PRODUCT = """st.shared.u32 [%r3], 0; st.shared.u32 [%r3+512], 0;
st.shared.u32 [%r3+1024], 0; st.shared.u32 [%r3+1536], 0;
fence.proxy.async.shared::cta;
bar.sync 0;
shr.u32 %r20, %r1, 4; and.b32 %r20, %r20, 16383; cvt.u64.u32 %d5, %r20;
or.b64 %d5, %d5, 0x1000080000;
mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %d5, %d5, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
st.global.f32 [%d3], %f0;
"""
WAIT_ALL = "wgmma.wait_group.sync.aligned 0;\n"
COMPUTE = "add.u32 %r14, %r9, %r0;\nadd.u32 %r15, %r9, 1;\n"
MOVE = "mov.b32 %r10, %r14;\nmov.b32 %r11, %r15;\n"
# The product takes A from registers, which threads compute in each round.
ROUNDS = PRODUCT[:PRODUCT.index("wgmma.fence")] + "mov.u32 %r9, 0;\nN: " + WAIT_ALL + COMPUTE + MOVE + """
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, {%r10,%r11,%r10,%r11}, %d5, 1, 1, 1, 0;
wgmma.commit_group.sync.aligned;
add.u32 %r9, %r9, 1; setp.lt.u32 %p8, %r9, 3;
@%p8 bra N;
""" + WAIT_ALL + """mov.f32 %f1, 0f00000000;
st.global.f32 [%d3], %f0;
"""
FLAG = """@%p1 bra P;
W: ld.acquire.gpu.global.u32 %r11, [%d1+256];
setp.eq.u32 %p9, %r11, 1;
@!%p9 bra W;
ld.global.u32 %r12, [%d2+-128];
st.global.u32 [%d3], %r12;
bra E;
P: st.global.u32 [%d2], %r0;
bar.warp.sync -1;
@%p0 st.release.gpu.global.u32 [%d1+256], 1;
E:
"""

ROWS = [
    ("a_computed_early", GROUP, ROUNDS, (WAIT_ALL + COMPUTE, COMPUTE + WAIT_ALL),
     "too early: computes A in registers that the product of line 30 may still read"),
    ("a_moved_early", GROUP, ROUNDS, (WAIT_ALL + COMPUTE + MOVE, COMPUTE + MOVE + WAIT_ALL),
     "too early: computes A in registers that the product of line 30 may still read"),
    ("a_computed_beside", GROUP, ROUNDS,
     (WAIT_ALL + COMPUTE, COMPUTE.replace("r14", "r10") + WAIT_ALL + "mov.b32 %r14, %r10;\n"),
     "too early: computes A in registers that the product of line 31 may still read"),
    ("sums_written_early", GROUP, ROUNDS,
     (WAIT_ALL + "mov.f32 %f1, 0f00000000;", "mov.f32 %f1, 0f00000000;" + WAIT_ALL),
     "too early: writes registers of sums of the product of line 30"),
    ("sums_read_early", GROUP, ROUNDS, (WAIT_ALL + "mov.f32 %f1", "add.f32 %f2, %f0, %f0;\n" + WAIT_ALL + "mov.f32 %f1"),
     "too early: uses sums of the product of line 30"),
    ("sums_moved_early", GROUP, ROUNDS, (WAIT_ALL + "mov.f32 %f1, 0f00000000;\n", "mov.f32 %f1, %f0;\n"),
     "too early: uses sums of the product of line 30"),
    ("read_before_it_began", PAIR, REMOTE_READ, (CLUSTER + "mapa", "bar.sync 0;\nmapa"),
     "block may not have begun: touches"),
    ("read_at_the_end", PAIR, REMOTE_READ, ("[%r10];\n" + CLUSTER, "[%r10];\n"),
     "block may end: touches shared memory"),
    ("rank", PAIR, REMOTE_WRITE, ("%r3, %r7", "%r3, 0"), "race: writes shared memory"),
    ("relaxed_store", PAIR, REMOTE_WRITE,
     ("%r12;\nbarrier.cluster.arrive", "%r12;\nbarrier.cluster.arrive.relaxed"),
     "race: reads shared memory"),
    ("own_barrier", PAIR, REMOTE_ARRIVAL, ("%r13, %r2, %r7", "%r13, %r2, %r4"), "race: "),
    ("relaxed_wait", PAIR, REMOTE_ARRIVAL, ("acquire.cluster", "relaxed.cluster"),
     "race: reads shared memory"),
    ("relaxed_arrival", PAIR, REMOTE_ARRIVAL, ("arrive.release", "arrive.relaxed"),
     "race: reads shared memory"),
    ("one_arrival", PAIR, REMOTE_ARRIVAL, ("[%r2], 32", "[%r2], 1"), "race: "),
    ("other_parity", PAIR, REMOTE_ARRIVAL, ("b64 %p9, [%r2], 0", "b64 %p9, [%r2], 1"), "race: "),
    ("few_async_bytes", PAIR, ASYNC_STORE, ("[%r2], 128", "[%r2], 64"), "too early: reads"),
    ("many_async_bytes", PAIR, ASYNC_STORE, ("[%r2], 128", "[%r2], 256"), "deadlock"),
    ("async_without_wait", PAIR, ASYNC_STORE, (WAIT, "bar.sync 0;\n"), "too early: "),
    ("async_own_barrier", PAIR, ASYNC_STORE, ("%r13, %r2, %r7", "%r13, %r2, %r4"), "too early: "),
    ("all_threads_load", BLOCK, LOAD,
     ("@!%p0 bra L;\nmb", "@!%p0 bra M;\nmb", "cp.async", "M: cp.async"),
     "too early: writes shared memory"),
    ("misaligned", BLOCK, LOAD, ("[%d0], 256", "[%d0+8], 256"), "misaligned: reads 256 bytes"),
    ("bytes", BLOCK, LOAD, ("256, [%r2];", "250, [%r2];"), "not a multiple of 16"),
    ("expects_only", BLOCK, LOAD, ("mbarrier.arrive.expect_tx.shared.b64 _,",
                                   "mbarrier.expect_tx.relaxed.cta.shared.b64"), "deadlock"),
    ("not_initialized", BLOCK, LOAD, ("I: bar.sync 0;", "I:"), "race: reads shared memory"),
    ("reduces_too_early", BLOCK, REDUCE, ("shared::cta;\nbar.sync 0;\n", "shared::cta;\n"),
     "race: "),
    ("reduction_reads", BLOCK, REDUCE, ("cp.async.bulk.wait_group.read 0;\n", ""),
     "too early: writes shared memory"),
    ("not_committed", BLOCK, REDUCE, ("cp.async.bulk.commit_group;\n", ""),
     "too early: writes shared memory"),
    ("reduces_what_threads_wrote", BLOCK, REDUCE_ZEROED, ("fence.proxy.async.global;\n", ""),
     "no proxy fence: the asynchronous proxy changes global memory"),
    ("copied_without_fence", PAIR, TO_CLUSTER, ("fence.proxy.async.shared::cta;\n", ""),
     "no proxy fence: the asynchronous proxy reads shared memory"),
    ("copied_at_the_end", PAIR, TO_CLUSTER, ("%r11;\n" + CLUSTER, "%r11;\n"), "block ended: "),
    ("copied_and_reused", PAIR, TO_CLUSTER, ("%r11;\n", "%r11;\nst.shared.u32 [%r3], 7;\n"),
     "too early: writes shared memory"),
    ("rows_of_others", WARP, LDMATRIX, ("bar.warp.sync -1;\n", ""), "race: reads shared memory"),
    ("rows_of_8_bytes", WARP, LDMATRIX, ("%r20, %r0, 4", "%r20, %r0, 3"), "misaligned: reads"),
    ("rows_beyond", WARP, LDMATRIX, ("%r20, %r0, 4", "%r20, %r0, 8"), "out of bounds: reads"),
    ("one_lane", WARP, LDMATRIX, ("ldmatrix", "@%p0 ldmatrix"), "needs all 32 lanes"),
    ("same_rows", WARP, STMATRIX,
     ("shl.b32 %r20, %r0, 4;", "and.b32 %r20, %r0, 15; shl.b32 %r20, %r20, 4;"),
     "race: writes shared memory"),
    ("nobody_waits", BLOCK, NAMED, ("C: bar.sync", "C: bar.arrive"), "race: reads shared memory"),
    ("count_of_a_warp", BLOCK, NAMED, ("arrive 1, 64", "arrive 1, 32", "sync 1, 64", "sync 1, 32"),
     "race: reads shared memory"),
    ("count_of_three", BLOCK, NAMED, ("arrive 1, 64", "arrive 1, 96", "sync 1, 64", "sync 1, 96"),
     "deadlock"),
    ("other_number", BLOCK, NAMED, ("arrive 1,", "arrive 2,"), "deadlock"),
    ("free_too_early", BLOCK, NAMED_RING, ("ld.shared.u32 %r11, [%r5];\nbar.arrive 3, 64;\n",
                                           "bar.arrive 3, 64;\nld.shared.u32 %r11, [%r5];\n"),
     "race: writes shared memory"),
    ("one_warp_of_four", GROUP, REGISTERS, ("setmaxnreg", "@%p1 setmaxnreg"),
     "warps of one warpgroup hold 40 and 0 registers a thread; let all four come to it"),
    ("dec_to_more", GROUP, REGISTERS, ("40;", "40;\nsetmaxnreg.dec.sync.aligned.u32 80;"),
     "the warp holds 40 registers a thread; .dec is to fewer and .inc to more"),
    ("completes", BLOCK, ARRIVALS,
     ("arrive.shared.b64 %d10, [%r2]", "arrive.noComplete.shared.b64 %d10, [%r2], 1"),
     "completes the phase, which .noComplete denies"),
    ("overwritten", BLOCK, ARRIVALS,
     ("%r0;\nmb", "%r0; @%p0 st.shared.u32 [%r2], 0;\nmb"), "race: "),
    ("arrives_twice", BLOCK, ARRIVALS,
     ("mbarrier.arrive", "mbarrier.arrive.shared.b64 _, [%r2]; mbarrier.arrive"),
     "race: "),
    ("arrives_before_copies", BLOCK, COPIES,
     ("cp.async.mbarrier.arrive.noinc.shared.b64", "mbarrier.arrive.shared.b64 _,"),
     "too early: reads shared memory"),
    ("counts_one_more", BLOCK, COPIES, (".noinc", ""), "deadlock"),
    ("copies_more", BLOCK, COPIES, ("[%d2], 4", "[%d2], 4, 8"),
     "cp.async of 4 bytes reads 8 bytes"),
    ("two_products", GROUP, PRODUCT,
     ("wgmma.mma", "@%p1 bra X;\nwgmma.mma", "wgmma.commit", "bra Y;\nX: wgmma.mma_async.sync."
      "aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %d5, %d5, 1, 1, 1, 0, 0;\nY: wgmma.commit"),
     "other warps of the warpgroup are at another product, on line"),
    ("product_beyond", GROUP, PRODUCT, ("0x1000080000", "0x4000080000"), "out of bounds: reads"),
    ("operands_without_fence", GROUP, PRODUCT, ("fence.proxy.async.shared::cta;\n", ""),
     "no proxy fence: the asynchronous proxy reads shared memory"),
    ("relaxed_flag", BLOCK, FLAG, ("st.release", "st.relaxed"), "race: reads global memory"),
    ("relaxed_reader", BLOCK, FLAG, ("ld.acquire", "ld.relaxed"), "race: reads global memory"),
    ("flag_of_one_lane", BLOCK, FLAG, ("bar.warp.sync -1;\n", ""), "race: reads global memory"),
]


def mend(name, text, changes):
    for old, new in zip(changes[::2], changes[1::2]):
        assert old in text, f"{name}: '{old}' is not in the kernel"
        text = text.replace(old, new, 1)
    return text


def run(cute_run, path, shape, body, *options):
    threads, blocks = shape
    cluster = f".explicitcluster .reqnctapercluster {blocks}, 1, 1" if blocks > 1 else ""
    head = HEAD.format(threads=threads, last=threads - 1, cluster=cluster)
    path.write_text(head + body + "ret;\n}\n")
    return subprocess.run(
        [cute_run, path, "--device=sim", "--arch=sm_90a", "--timeout=60", "--kernel=k",
         f"--grid={blocks}", f"--block={threads}", *options, "i32[128]:zeros",
         "i32[128]:zeros"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def check(cute_run, folder, row):
    """What is wrong with a row; empty where nothing is."""
    name, shape, body, changes, said = row
    path = folder / f"{name}.ptx"
    right = run(cute_run, path, shape, body, "--schedules=3")
    if right.returncode:
        return f"{name}: a false alarm\n{right.stdout}"
    wrong = run(cute_run, path, shape, mend(name, body, changes))
    if wrong.returncode == 1 and re.search(r"PTX:\d+:1: .*" + re.escape(said), wrong.stdout):
        return ""
    return f"{name}: '{said}' is not said\n{wrong.stdout}"


if __name__ == "__main__":
    main(ROWS, check)
