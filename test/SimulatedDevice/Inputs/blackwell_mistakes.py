"""Kernels of tensor memory with one mistake each, and who finds it: the verifier, when the
kernel is compiled, or the simulator. The rules are in the PTX ISA, "Memory Consistency Model for
tcgen05", and in the instructions' sections. The correct kernels have no findings.

usage: blackwell_mistakes.py ROOT FOLDER [NAME ...]
"""
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

CHECK = " --tolerance=1e-5 --check 'C[m,n] = A[m,k] * B[n,k]'"
FACTORS = "'f8E8M0FNU[(32,4,4):(16,4,1)]:normal({})'"
# Name: file below the root, arguments.
KERNELS = {
    "gemm": ("examples/gemm_sm100.mlir",
             "f16[128x136]:normal(1) f16[128x136]:normal(2) f32[128x128]:poison" + CHECK),
    "stages": ("examples/gemm_sm100_persistent.mlir", "f16[384x136]:normal(1)"
               " f16[128x136]:normal(2) f32[384x128]:poison --grid=1" + CHECK),
    "pair": ("test/SimulatedDevice/Inputs/pair.mlir",
             "f16[256x64]:normal(1) f16[64x64]:normal(2) f32[256x64]:poison" + CHECK),
    "pairs": ("examples/gemm_sm100_pair.mlir",
              "f16[256x64]:normal(1) f16[128x64]:normal(2) f32[256x128]:poison" + CHECK),
    "a": ("test/SimulatedDevice/Inputs/tensor_a.mlir",
          "f16[128x64]:normal(1) f16[64x64]:normal(2) f32[128x64]:poison" + CHECK),
    "cp": ("test/SimulatedDevice/Inputs/tensor_copy.mlir",
           "f32[128x8]:normal(1) f32[128x8]:poison --tolerance=0 --check 'B[m,n] = A[m,n]'"),
    "scaled": ("test/SimulatedDevice/Inputs/block_scaled.mlir",
               "f8E4M3FN[128x128]:normal(1) f8E4M3FN[64x128]:normal(2) f32[128x64]:poison"
               f" {FACTORS.format(3)} {FACTORS.format(4)} --tolerance=1e-5 --check"
               " 'C[m,n] = A[m,k] * D[m-32*floor(m/32),floor(m/32),floor(k/32)]"
               " * B[n,k] * E[n-32*floor(n/32),floor(n/32),floor(k/32)]'"),
    "of 96": ("test/SimulatedDevice/Inputs/block_scaled_96.mlir",
              "--arch=sm_103a f4E2M1FN[128x192]:normal(1) f4E2M1FN[64x192]:normal(2)"
              " f32[128x64]:poison 'f8E8M0FNU[(32,4,4,3):(16,4,1,512)]:normal(3)'"
              " 'f8E8M0FNU[(32,4,4,3):(16,4,1,512)]:normal(4)' --tolerance=1e-5 --check"
              " 'C[m,n] = A[m,k] * D[m-32*floor(m/32),floor(m/32),floor(k/16)-4*floor(k/64),floor(k/64)]"
              " * B[n,k] * E[n-32*floor(n/32),floor(n/32),floor(k/16)-4*floor(k/64),floor(k/64)]'"),
    "reduce": ("test/SimulatedDevice/Inputs/tensor_reduce.mlir", "--arch=sm_103a"
               " f32[128x64]:normal(1) f32[128x64]:poison f32[128x1]:poison --tolerance=0"
               " --check 'C[m,n] = max[k](A[m,k])'"),
    "sparse": ("test/SimulatedDevice/Inputs/tensor_sparse.mlir",
               "f16[128x64]:normal(1) f16[64x128]:normal(2) f32[128x64]:poison --tolerance=1e-5"
               " --check 'C[m,n] = A[m,j] * B[n,2*floor(j/2)+j+2*floor(m/8)-4*floor(m/16)]'"),
}

VERIFIER, SIMULATOR = "verifier", "simulator"
HALF = "of the lanes 0xffffffff of warp 0 that do it together, 0xffff0000 have not come"
# Mistake: kernel, edit by sed, who finds it, words of the finding.
MISTAKES = {
    # Allocation
    "columns that are not allocated": (
        "gemm", r"s/tmem_\(de\)\?alloc<128/tmem_\1alloc<64/", SIMULATOR,
        "reaches lane 0, column 64 of tensor memory, which is not allocated"),
    "a number of columns that is no power of two": (
        "gemm", r"s/alloc<128/alloc<96/", VERIFIER, "is 32, 64, 128, 256 or 512"),
    "columns that are freed": (
        "gemm", r"/cute.copy(%copy/i if %is_warp0 { cute.tmem_dealloc<128, 1> (%tmem) }",
        SIMULATOR, "which is not allocated"),
    "columns that are never freed": (
        "gemm", "/tmem_dealloc/d", SIMULATOR, "is not freed when the kernel ends"),
    "others are freed": (
        "gemm", "s/tmem_dealloc<128/tmem_dealloc<64/", SIMULATOR, "which are not an allocation"),
    "columns freed while a warp loads them": (
        "gemm", '/"before"/{n;d}', SIMULATOR, "race: uses tensor memory"),
    "allocation after relinquishing": (
        "gemm", "s/tmem_relinquish<1>/& cute.tmem_alloc<32, 1> (%slot)/", SIMULATOR,
        "allocates tensor memory after giving up the right to"),
    "more columns than there are": (
        "gemm", "s/tmem_relinquish<1>/tmem_alloc<512, 1> (%slot)/", SIMULATOR,
        "512 columns of tensor memory are not free"),
    "allocation by one thread": (
        "gemm", "s/if %is_warp0/if %is_first/", SIMULATOR,
        "lanes 0xffffffff of warp 0 that do it together"),
    "the address is read before it is written": (
        "gemm", "/^    gpu.barrier$/{0,//d}", SIMULATOR, "shared memory"),
    "blocks and pairs in one kernel": (
        "pair", "s/tmem_relinquish<2>/tmem_relinquish<1>/", SIMULATOR,
        "either by blocks or by pairs"),
    "a pair without a second block": (
        "pair", "s/known_cluster_size = array<i32: 2/known_cluster_size = array<i32: 1/",
        SIMULATOR, "this one has no other"),
    # Lanes and places
    "lanes of another warp": (
        "gemm", r"s/\(%tAcc = .*\)%thread)/\1%other)/;"
        r"s/%is_first = .*/&\n%other = 127 - %thread/", SIMULATOR, "the warp reaches lanes"),
    "sums that are read and were never written": (
        "gemm", "/cute.gemm/d", SIMULATOR, "which was never written"),
    "a first product that adds": (
        "gemm", "s/%k != 0/true/", SIMULATOR, "adds to sums in tensor memory"),
    "factors where sums are": (
        "scaled", "s/%place_SFA = cute.add_offset(%start, 256)/"
        "%place_SFA = cute.add_offset(%start, 128)/", SIMULATOR, "overlap what the product reads"),
    "accumulators that overlap": (
        "stages", "s/%which [*] 128/%which * 32/", SIMULATOR, "race: uses tensor memory"),
    # From products to loads
    "no wait for the products": (
        "gemm", "/mbarrier_wait(%done/d", SIMULATOR, "too early: reads lane 0, column 0"),
    "no commit": (
        "gemm", "s/tcgen05_commit<1>/mbarrier_arrive/", SIMULATOR,
        "no cute.tcgen05_commit follows it"),
    "a commit before the product": (
        "pair", "/tcgen05_commit/d; s/cute.gemm/cute.tcgen05_commit<2> (%done, %c3)\\n&/",
        SIMULATOR, "too early: reads lane 0, column 0"),
    "a commit by another thread": (
        "gemm", r"/tcgen05_commit/d; s/^      cute.mbarrier_wait(%done/"
        r"if %thread == 32 { cute.tcgen05_commit<1> (%done) }\n&/", SIMULATOR,
        "no cute.tcgen05_commit follows it"),
    "no fence after the products": (
        "gemm", '/tcgen05_fence<"after">/d', SIMULATOR, 'write cute.tcgen05_fence<"after">'),
    "registers used before the load is complete": (
        "gemm", "/tmem_wait/d", SIMULATOR, "uses registers that the load of tensor memory"),
    "half of a warp loads": (
        "gemm", r"s/^    cute.copy(%copy, %tAcc, %r)/%lane = %thread \& 31\n"
        "if %lane <u 16 { cute.copy(%copy, %tAcc, %r) }/", SIMULATOR, HALF),
    "half of a warp stores": (
        "a", r"s/^    cute.copy(%store, %rA, %tA)/%c16 = arith.constant 16 : i32\n"
        r"%half = arith.cmpi ult, %thread, %c16 : i32\nscf.if %half { cute.copy(%store, %rA, %tA) }/",
        SIMULATOR, HALF),
    "half of a warp waits for its loads": (
        "gemm", r's/^    cute.tmem_wait<"ld"> (%r)/%lane = %thread \& 31\n'
        'if %lane <u 16 { cute.tmem_wait<"ld"> (%r) }/', SIMULATOR, HALF),
    "a maximum used before the load is complete": (
        "reduce", '/tmem_wait<"ld">/d', SIMULATOR, "has not brought"),
    "a maximum of an access that is none": (
        "reduce", "s/LOAD_32dp32b64x/LOAD_32dp32b64x_16b/", VERIFIER, "does not compare"),
    # From loads and stores to products
    "sums are written while warps load them": (
        "stages", "/mbarrier_wait(%room/d", SIMULATOR, "race: uses tensor memory"),
    "loads that are waited for after products may begin": (
        "stages", '/tmem_wait<"ld"> (%r)/d; s/^        cute.autovec_copy(%r, %into)/'
        r'cute.tmem_wait<"ld"> (%r)\n&/', SIMULATOR, "has not fenced its load"),
    "no fence after loads": (
        "stages", '0,/tcgen05_fence<"before">/{/tcgen05_fence<"before">/d}', SIMULATOR,
        'write cute.tcgen05_fence<"before"> before the barrier'),
    "no fence before products": (
        "stages", '0,/tcgen05_fence<"after">/{/tcgen05_fence<"after">/d}', SIMULATOR,
        "no fence follows the barrier after a load"),
    "A is stored, and not waited for": (
        "a", '/tmem_wait<"st">/d', SIMULATOR, 'write cute.tmem_wait<"st"> after the store'),
    "no fence after A is stored": (
        "a", '0,/tcgen05_fence<"before">/{/tcgen05_fence<"before">/d}', SIMULATOR,
        "has not fenced its store"),
    "no fence before A is taken": (
        "a", '0,/tcgen05_fence<"after">/{/tcgen05_fence<"after">/d}', SIMULATOR,
        "no fence follows the barrier after a store"),
    "A is overwritten while the product reads it": (
        "a", "s/cute.mbarrier_wait(%done, %c0)/cute.copy(%store, %rA, %tA)/", SIMULATOR,
        "which the product of line"),
    # Shared memory and the asynchronous proxy
    "no proxy fence before a product": (
        "pair", "/fence_proxy/d", SIMULATOR, "no proxy fence"),
    "no proxy fence before tcgen05.cp": (
        "cp", "/fence_proxy/d", SIMULATOR, "no proxy fence"),
    "no wait for TMA": (
        "gemm", "/mbarrier_wait(%full/d", SIMULATOR, "to which a copy that thread 0 started"),
    "a stage is filled while products read it": (
        "stages", "s/tcgen05_commit<1> (cute.add/mbarrier_arrive(cute.add/", SIMULATOR,
        "which a copy or product that thread 160 started"),
    "tcgen05.cp reads rows that are not there yet": (
        "cp", "/^    gpu.barrier/{0,//d}", SIMULATOR, "shared memory"),
    # Operands
    "M that no instruction has": (
        "gemm", "s/float,128,128,K/float,96,128,K/", VERIFIER, "M is 64 or 128, not 96"),
    "N that no instruction has": (
        "a", "s/float,128,64,K/float,128,72,K/", VERIFIER, "N is a multiple of 16 up to 256"),
    "a layout that no descriptor has": (
        "gemm", "s/tile_to_shape(S<3,3,3> o 0 o/tile_to_shape(S<3,3,4> o 0 o/", VERIFIER,
        "in none of them"),
    "sums of another shape": (
        "gemm", "s/%acc = cute.make_tensor(%tmem, .*/"
        "%acc = cute.make_tensor(%tmem, ((64,128),1,1):((65536,1),0,0))/", VERIFIER,
        "whose mode 0 is"),
    "factors from a number that no product has": (
        "of 96", r"s/SFA\[_,_,6\]/SFA[_,_,7]/", SIMULATOR, "begin with number 3 of four"),
    "factors that were never copied": (
        "scaled", "/cute.copy(%cp, %rows_SFB/d", SIMULATOR, "which was never written"),
    "factors copied to other lanes": (
        "scaled", "s/8388608),0)/0),0)/", VERIFIER, "needs mode 0 to "),
    "metadata of one element twice": (
        "sparse", "s/0xEEEE4444/0x55554444/", SIMULATOR, "has metadata that"),
    "an instruction that the architecture lacks": (
        "gemm", "s/LOAD_32dp32b32x/LOAD_STAT_32dp32b32x/", VERIFIER,
        "but the code is for sm_100a"),
    "another swizzle than TMA's": (
        "gemm", r"s/%load_B, %mB = \(.*\)%layout,/"
        r"%other = cute.tile_to_shape(S<2,3,3> o 0 o (8,32):(32,1), (128,64))\n"
        r"%load_B, %mB = \1%other,/", VERIFIER, "swizzle"),
    "an operand that is not aligned": (
        "gemm", "s/alloc_smem<f16, 1024>/alloc_smem<f16, 128>/", VERIFIER, "begins at multiples"),
    "lanes of a pair that are left out in one block": (
        "gemm", r"s/%is_first = .*/&\n%left = arith.constant dense<1> : vector<8xi32>/;"
        "s/%k != 0)/%k != 0, %left)/", VERIFIER, "must be a vector<4xi32>"),
    "lanes of one block that are left out in a pair": (
        "pair", r"s/^    %no = .*/&\n%left = arith.constant dense<1> : vector<4xi32>/;"
        "s/%acc, %no)/%acc, %no, %left)/", VERIFIER, "must be a vector<8xi32>"),
    "lanes that are always left out": (
        "pair", r"s/^    %no = .*/&\n%left = arith.constant dense<8> : vector<8xi32>/;"
        "s/%acc, %no)/%acc, %no, %left)/", SIMULATOR, "reads lane 3, column 0"),
    "all lanes start the product": (
        "a", "/%acc = cute.make_tensor/,/tcgen05_commit/s/%is_first/%is_warp0/", SIMULATOR,
        "too early: reads lane 0, column 0"),
    "products of two shapes into the same sums": (
        "a", r"s/^      cute.gemm(.*/&\n"
        r'      %narrow = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_TS<half_t,half_t,float,128,32,K,K>">)\n'
        r"      %pB2 = cute.partition_b(%narrow, %sB, 0)\n"
        r"      %pC2 = cute.partition_c(%narrow, %C, 0)\n"
        r"      %dB2 = cute.make_fragment_b(%narrow, %pB2)\n"
        r"      %like2 = cute.make_fragment_c(%narrow, %pC2)\n"
        r"      %layout2 = cute.get_layout(%like2)\n"
        r"      %acc2 = cute.make_tensor(%sums, %layout2)\n"
        r"      cute.gemm(%narrow, %acc2, %fA, %dB2, %acc2)/", SIMULATOR,
        "of another shape or kind, may still write these sums"),
    "the phase before": (
        "gemm", "s/mbarrier_wait(%done, %phase)/mbarrier_wait(%done, %phase xor 1)/", SIMULATOR,
        "which a copy or product that thread 0 started"),
    "no wait for tcgen05.cp": (
        "cp", "/mbarrier_wait(%done/d", SIMULATOR, "too early: reads lane 0, column 0"),
    "rows are overwritten while tcgen05.cp reads them": (
        "cp", r"s/cute.mbarrier_wait(%done, %c0)/cute.basic_copy(%theirs, %mine)\n&/", SIMULATOR,
        "may still read"),
    "what was stored is loaded before it is there": (
        "a", r's/cute.tmem_wait<"st"> ()/'
        r'%back = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b32x", f16>, %T)\n'
        r'cute.copy(%back, %tA, %rA)\ncute.tmem_wait<"ld"> (%rA)\n&/', SIMULATOR, "store"),
    # Pairs
    "the second block starts the products": (
        "pair", "s/%is_leader = arith.cmpi eq, %rank/%is_leader = arith.cmpi ne, %rank/",
        SIMULATOR, "the first block of a pair starts its products"),
    "the other block is not told": (
        "pair", "s/(%done, %c3)/(%done)/", SIMULATOR, "block 1, threads 0 to 127 wait"),
    "a mask of blocks that are not there": (
        "pair", "s/arith.constant 3 :/arith.constant 5 :/", SIMULATOR, "names no blocks"),
    "the other block's operands are not there": (
        "pair", "0,/cluster_arrive/{s/cute.cluster_arrive/gpu.barrier/};"
        "0,/cluster_wait/{/cluster_wait/d}", SIMULATOR, "shared memory"),
    "the bytes of one block are expected": (
        "pairs", "s/49152/24576/", SIMULATOR, "has not arrived"),
    "the other block leaves while products run": (
        "pair", r"s/^ *cute.mbarrier_wait(%done.*/scf.if %is_leader { & }/;"
        r"/cute.copy(%load/d; /tmem_wait/d; /autovec_copy(%rC/d; /tmem_dealloc/d;"
        r'/"before"/,$s/cute.cluster_.*//', SIMULATOR,
        "the other block of the pair has ended before the product"),
    "one block frees the columns of both": (
        "pair", r'/"before"/,$s/%is_warp0/%one/;'
        r"s/^    %starts = .*/&\n    %one = arith.andi %is_leader, %is_warp0 : i1/", SIMULATOR,
        "is not freed when the kernel ends"),
    "the columns of a pair are freed as a block's": (
        "pair", "s/tmem_dealloc<64, 2>/tmem_dealloc<64, 1>/", SIMULATOR,
        "either by blocks or by pairs"),
}


def edited(root, folder, name, kernel, script):
    path = folder / (re.sub(r"\W+", "_", name) + ".mlir")
    done = subprocess.run(["sed", script, root / KERNELS[kernel][0]], capture_output=True,
                          text=True, check=True)
    path.write_text(done.stdout, encoding="utf-8")
    return path


def run(path, kernel, *more):
    arguments = shlex.split(KERNELS[kernel][1])
    if "--arch=sm_103a" not in arguments:
        arguments.append("--arch=sm_100a")
    command = ["cute-run", path, "--device=sim", "--timeout=60", *more, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def is_found(root, folder, name):
    """Tells whether the mistake is found by whom the table names, in its words."""
    kernel, script, finder, words = MISTAKES[name]
    status, said = run(edited(root, folder, name, kernel, script), kernel)
    refused = "cannot be compiled" in said
    found = status != 0 and refused == (finder == VERIFIER) and words in said
    if not found:
        print(f"{name}: not found by the {finder}\n{said[:1500]}", flush=True)
    return found


def is_silent(root, folder, name):
    path = edited(root, folder, f"right {name}", name, "")
    status, said = run(path, name, "--schedules=3")
    if status:
        print(f"{name} is right: {said[:1500]}", flush=True)
    return not status


def main():
    root, folder, *names = sys.argv[1:]
    root, folder = pathlib.Path(root), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = names or list(MISTAKES)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda name: is_found(root, folder, name), names))
        silent = list(pool.map(lambda name: is_silent(root, folder, name), KERNELS))
    print(f"{sum(found)} of {len(found)} mistakes found,"
          f" {len(silent) - sum(silent)} false alarms on {len(silent)} kernels")


if __name__ == "__main__":
    main()
