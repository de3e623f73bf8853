"""Plants mistakes in examples, one at a time, and has cutec --prove find them.

  planted.py CUTEC EXAMPLES [quick]

Each row is a file, what is replaced (all of it), by what, and a part of the claim that
is refuted. cutec says that a claim is refuted only after a run of the simulator that
shows it."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

GLOBAL = "an access of global memory is out of bounds"
SHARED = "an access of shared memory is out of bounds"
RACES = "two threads race in shared memory"
ALIGNED = "a vector is not aligned"
WRITTEN = "an element of an output is not written"
REGISTERS = "a register is read before it is written"
READS = "shared memory is read before it is written"

ADD, TENSOR, TILES = "vector_add.mlir", "tutorial/02_tensor.mlir", "tutorial/03_tiles.mlir"
TURN, TURN2 = "tutorial/04_transpose.mlir", "transpose.mlir"
GUARDS, ASYNC = "tutorial/07_predicates.mlir", "tutorial/08_cp_async.mlir"
STEPS, F64 = "tutorial/09_registers.mlir", "gemm_f64.mlir"
WGMMA, PIPE = "tutorial/11_wgmma_sm90.mlir", "tutorial/12_pipeline_sm90.mlir"
COPY9, TURN9 = "copy_sm90.mlir", "transpose_sm90.mlir"
PLAIN, FLASH = "gemm_plain.mlir", "attention_plain.mlir"
LATENT = "attention_latent_plain.mlir"
BLACKWELL = "gemm_sm100.mlir"
SOFTMAX, MMA = "softmax.mlir", "tutorial/06_tiled_mma.mlir"

CARRIED = "%r, %w = for %k in 0..%k_tiles carry(%read = 0 : i32, %write = 2 : i32)"

ROWS = [
    # Guards that are missing, of too much, or of the wrong thing.
    (ADD, "cute.basic_copy_if(%in_range, ", "cute.copy(%copy, ", GLOBAL),
    (ADD, "cute.basic_copy_if(%in_range, %tA, %rA)", "cute.copy(%copy, %tA, %rA)", GLOBAL),
    (ADD, "cute.basic_copy_if(%in_range, %rA, %tC)", "cute.copy(%copy, %rA, %tC)", GLOBAL),
    (ADD, "if %block <u %length", "if %block <=u %length", GLOBAL),
    (ADD, "%length /u 1024", "%length /u 1000", GLOBAL),
    (ADD, "%length /u 1024", "(%length + 1023) /u 1024", GLOBAL),
    (TENSOR, "cute.elem_less(%i, %shape)", "cute.elem_less(%block * 256, %shape)", GLOBAL),
    (TENSOR, "cute.elem_less(%i, %shape)", "cute.elem_less(%thread, %shape)", GLOBAL),
    (TENSOR, "cute.elem_less(%i, %shape)", "cute.elem_less(%block, %shape)", GLOBAL),
    # Grids, tiles and strides that do not fit together.
    (TILES, '"arg2.shape[0] / 32", ', '"arg2.shape[0] / 16", ', GLOBAL),
    (TILES, '"arg2.shape[1] / 32"', '"arg2.shape[1] / 32 + 1"', GLOBAL),
    (TILES, "arg2.shape[0] / 32", "ceil_div(arg2.shape[0], 31)", GLOBAL),
    (TILES, '"arg2.shape[0] / 32", "arg2.shape[1] / 32"',
     '"arg2.shape[1] / 32", "arg2.shape[0] / 32"', GLOBAL),
    (TILES, "(%C, (32,32), (%bm,%bn))", "(%C, (32,32), (%bn,%bm))", GLOBAL),
    (TURN, '"arg0.shape[0] / 32", ', '"ceil_div(arg0.shape[0], 16)", ', GLOBAL),
    (TURN, "(32,32):(1,32)", "(32,32):(2,32)", SHARED),
    (MMA, "%K /u 64", "%K + 64", GLOBAL),
    (MMA, "%K /u 64", "%K /u 1", GLOBAL),
    (MMA, '"arg2.shape[0] / 128"', '"arg2.shape[0] / 64"', GLOBAL),
    (GUARDS, "cute.make_predicate(%cA_read[0,_,_,%k], %A)",
     "cute.make_predicate(%cA_read[0,_,_,0], %A)", GLOBAL),
    (GUARDS, "cute.make_predicate(%cB_read[0,_,_,%k], %B)",
     "cute.make_predicate(%cB_read[0,_,_,0], %B)", GLOBAL),
    (GUARDS, "cute.copy(%g2s, %gA_read[_,_,_,%k], %fA, %pA)",
     "cute.copy(%g2s, %gA_read[_,_,_,%k], %fA)", GLOBAL),
    (GUARDS, "cute.copy(%g2s, %gB_read[_,_,_,%k], %fB, %pB)",
     "cute.copy(%g2s, %gB_read[_,_,_,%k], %fB)", GLOBAL),
    (GUARDS, "cute.basic_copy_if(%pC, %rD, %tCgC)", "cute.basic_copy(%rD, %tCgC)", GLOBAL),
    (GUARDS, "(?,?{div=8}):(?{i64 div=8},1)", "(?,?):(?{i64 div=8},1)", GLOBAL),
    (SOFTMAX, '"(?,?{div=8}):', '"(?,?):', GLOBAL),
    (SOFTMAX, 'cute.load_vector<"-inf">(%tA[_,_,_,%k], %p)',
     "cute.load_vector(%tA[_,_,_,%k])", GLOBAL),
    (SOFTMAX, "cute.store_vector(f16(%e), %tB_k, %p)",
     "cute.store_vector(f16(%e), %tB_k)", GLOBAL),
    (TURN2, "cute.copy(%A_by_8, %tAgA, %rA, %pA)", "cute.copy(%A_by_8, %tAgA, %rA)", GLOBAL),
    (TURN2, "cute.copy(%B_by_8, %rB_8, %tBgB, %pB)", "cute.copy(%B_by_8, %rB_8, %tBgB)",
     GLOBAL),
    # Blocks for whole tiles alone, where threads test whether elements are in the output.
    (ADD, "ceil_div(arg2.shape[0], 1024)", "arg2.shape[0] / 1024", WRITTEN),
    (TENSOR, "ceil_div(arg2.shape[0], 256)", "arg2.shape[0] / 256", WRITTEN),
    (COPY9, "ceil_div(arg0.shape[0], 64)", "arg0.shape[0] / 64", WRITTEN),
    *((name, f"ceil_div(arg2.shape[{mode}], 128)", f"arg2.shape[{mode}] / 128", WRITTEN)
      for name in [GUARDS, ASYNC, STEPS, F64] for mode in range(2)),
    # Rings of stages that go too far.
    (ASYNC, "%read_1 == 3", "%read_1 >s 3", SHARED),
    (ASYNC, CARRIED, CARRIED.replace("2 : i32", "3 : i32"), SHARED),
    (ASYNC, "for %k in 0..2 {", "for %k in 0..%k_tiles {", SHARED),
    (ASYNC, "%sA_write[_,_,_,%write]", "%sA_write[_,_,_,%ahead]", SHARED),
    # Barriers that are missing: the number is that of the barrier, from 0.
    *((name, "gpu.barrier", i, RACES) for name, n in
      [(TURN, 1), (TURN2, 1), (MMA, 2), (GUARDS, 2), (PLAIN, 3), (FLASH, 4), (ASYNC, 1),
       (STEPS, 2), (F64, 1), (COPY9, 1), (TURN9, 2), (WGMMA, 2), (PIPE, 1)]
      for i in range(n)),
    # Rings: a wait or group too few, a stage too near, a copy after the reads' barrier.
    *((name, old, new, RACES) for name in [ASYNC, STEPS, F64] for old, new in
      [("cp_async_wait<1>", "cp_async_wait<2>"), ("cute.cp_async_commit", 0),
       ("cute.cp_async_commit", 1)]),
    (ASYNC, "cute.cp_async_wait<1>", 0, RACES),
    (ASYNC, CARRIED, CARRIED.replace("2 : i32", "1 : i32"), RACES),
    (F64, "%write = 2 : i32)", "%write = 0 : i32)", RACES),
    (ASYNC, "for %k in 0..2 {", "for %k in 0..1 {", RACES),
    # mbarriers: waits that are missing or for another phase, products that are not complete.
    *((name, f"cute.mbarrier_wait(%full, {phase})", 0, RACES) for name, phase in
      [(COPY9, "0"), (TURN9, "0"), (WGMMA, "%k & 1")]),
    (COPY9, "cute.mbarrier_wait(%full, 0)", "cute.mbarrier_wait(%full, 1)", RACES),
    (WGMMA, "%k & 1", "%k & 0", RACES),
    (PIPE, "cute.consumer_wait(%pipeline, %state)", 0, RACES),
    (PIPE, "cute.warpgroup_wait<1> ()", "cute.warpgroup_wait<2> ()", RACES),
    (PIPE, "cute.named_barrier_sync(1, 128)", 0, RACES),
    # Sums that are not cleared, or that the first product adds to; elements that nobody loads.
    *((name, "cute.clear(%rC)", 0, REGISTERS) for name in [MMA, GUARDS, ASYNC, STEPS, F64]),
    *((name, "%is_later = %k != 0", "%is_later = %k >=s 0", REGISTERS) for name in [WGMMA, PIPE]),
    (ADD, "cute.basic_copy_if(%in_range, %tA, %rA)", "", REGISTERS),
    # Shared memory that nobody writes: a copy that is missing, in the prologue or in the loop, of
    # few threads, or that leaves out elements beyond the edges.
    *((name, f"cute.copy({copy})", 0, READS) for name, copy in
      [(TURN, "%copy, %rA, %sA_t"), (TURN2, "%A_by_8, %rA, %tAsA"), (MMA, "%g2s, %fB, %sB_write"),
       (GUARDS, "%g2s, %fA, %sA_write"), (PLAIN, "%r2s, %rD_read, %sC_write"),
       (F64, "%g2s, %gA_k, %sA_k, %pA"), (STEPS, "%g2s, %gB_k, %sB_write[_,_,_,%k], %pB"),
       (ASYNC, "%g2s, %gB_k, %sB_write[_,_,_,%k], %pB"),
       (ASYNC, "%g2s, %gA_k, %sA_write[_,_,_,%write], %pA")]),
    (TURN, "cute.copy(%copy, %rA, %sA_t)", "if %thread <u 128 { cute.copy(%copy, %rA, %sA_t) }",
     READS),
    (ASYNC, "CACHEGLOBAL_ZFILL<", "CACHEGLOBAL<", READS),
    # Numbers of warps.
    (LATENT, "%half = %warp /u 4", "%half = %warp /u 2", SHARED),
    (LATENT, "(%warp modu 4) * 16", "(%warp modu 4) * 32", SHARED),
    (LATENT, "gpu.barrier", 6, RACES),
    # tcgen05: operands that are not there yet, or written while they are read.
    (BLACKWELL, "cute.mbarrier_wait(%full, %phase)", 0, RACES),
    (BLACKWELL, "cute.mbarrier_wait(%done, %phase)", 0, RACES),
]


def plant(source, old, new):
    text = source.read_text(encoding="utf-8")
    assert old in text, f"{source}: no {old!r}"
    if isinstance(new, int):
        lines = text.splitlines(keepends=True)
        del lines[[i for i, line in enumerate(lines) if line.strip() == old][new]]
        return "".join(lines)
    return text.replace(old, new)


def run(cutec, examples, row):
    name, old, new, claim = row
    text = plant(examples / name, old, new)
    arch = "sm_90a" if "sm90" in name else "sm_100a" if "sm100" in name else "sm_80"
    done = subprocess.run([cutec, "-", "--prove", f"--arch={arch}"], input=text,
                          capture_output=True, text=True, check=False)
    return done, claim


def main():
    cutec, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    rows = ROWS[:2] if "quick" in sys.argv else ROWS
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, (done, claim) in zip(rows, pool.map(lambda r: run(cutec, examples, r), rows)):
            refuted = [line for line in done.stdout.splitlines() if ": refuted: " in line]
            if "-v" in sys.argv:
                print(row[0], "|", row[1][:50].strip(), "|", str(row[2])[:50].strip(), "|", claim)
                print(done.stdout, done.stderr[:300])
            elif not any(claim in line for line in refuted):
                print(f"{row[0]}: {row[2]!r} is not found: {done.stdout}{done.stderr}")
    print(f"{len(rows)} mistakes")


main()
