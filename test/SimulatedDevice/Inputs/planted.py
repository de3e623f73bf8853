"""Plants one mistake after another in kernels and has the simulator find each.

usage: planted.py CUTE_RUN EXAMPLES FOLDER [NAME ...]

A row has the kernel, what of its text is replaced (the n-th occurrence, counted from
0), and what the simulator must say. The line that it names is the line of a marker in
the text after the replacement. The kernels themselves are run under several schedules
first, and nothing may be said of them. Without names, kernels, mistakes and schedules are
those whose turn it is.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from turns import take_turn

GEMM = "f16[{m}x{k}]:normal(1) f16[{n}x{k}]:normal(2) f16[{m}x{n}]:poison"
GEMM_CHECK = "C[m,n] = A[m,k] * B[n,k]"
# Kernel: architecture, arguments, reference.
KERNELS = {
    "vector_add": ("sm_80", "f32[3000]:normal(1) f32[3000]:normal(2) f32[3000]:poison",
                   "C[i] = A[i] + B[i]"),
    "transpose": ("sm_80", "f16[104x72]:normal(1) f16[72x104]:poison",
                  "B[i,j] = A[j,i]"),
    "softmax": ("sm_80", "f16[33x200]:normal(1) f16[33x200]:poison",
                "B[m,n] = exp(A[m,n]) / sum[k](exp(A[m,k]))"),
    "tutorial/08_cp_async": ("sm_80", GEMM.format(m=77, n=140, k=136), GEMM_CHECK),
    "gemm_sm80": ("sm_80", GEMM.format(m=136, n=120, k=200), GEMM_CHECK),
    "copy_sm90": ("sm_90a", "f16[70x264]:normal(1) f16[70x264]:poison",
                  "B[i,j] = A[i,j]"),
    "transpose_sm90": ("sm_90a", "f16[72x264]:normal(1) f16[264x72]:poison",
                       "B[j,i] = A[i,j]"),
    "tutorial/11_wgmma_sm90": ("sm_90a", GEMM.format(m=128, n=256, k=128), GEMM_CHECK),
    "gemm_sm90": ("sm_90a", GEMM.format(m=129, n=264, k=136), GEMM_CHECK),
    "tutorial/12_pipeline_sm90": ("sm_90a", GEMM.format(m=128, n=256, k=328), GEMM_CHECK),
    # Kernels beside this file, of instructions by hand.
    "ldmatrix": ("sm_80", "i32[16x8]:iota i32[16x8]:poison", "B[i,j] = A[i,j]"),
    "descriptor": ("sm_90a", "f16[64x64]:normal(1) f16[8x64]:normal(2) f32[64x8]:poison",
                   GEMM_CHECK),
    "multicast": ("sm_90a", "f16[32x64]:normal(1) f16[(32,64,2):(64,1,2048)]:poison",
                  "B[i,j,b] = A[i,j]"),
}
SCHEDULES = len(take_turn(range(21), 5))


def replace(text, old, new, n=0):
    """The text with the n-th occurrence of a pattern replaced."""
    found = list(re.finditer(old, text))
    if len(found) <= n:
        raise ValueError(f"'{old}' is {len(found)} times in the kernel")
    at = found[n]
    return text[:at.start()] + at.expand(new) + text[at.end():]


def path_of(examples, kernel):
    path = f"{examples}/{kernel}.mlir"
    return path if os.path.exists(path) else f"{os.path.dirname(__file__)}/{kernel}.mlir"


def run(cute_run, path, kernel, *options, arguments=None):
    arch, usual, check = KERNELS[kernel]
    return subprocess.run(
        [cute_run, path, "--device=sim", f"--arch={arch}", "--timeout=60", *options,
         "--check", check, *(arguments or usual).split()],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def is_silent(cute_run, examples, kernel):
    """The unchanged kernel has no findings."""
    done = run(cute_run, path_of(examples, kernel), kernel,
               f"--schedules={SCHEDULES}")
    if done.returncode:
        print(f"{kernel}: a false alarm\n{done.stdout[:2000]}")
    return done.returncode == 0


def plant(examples, row):
    """The text of the kernel with the mistake."""
    with open(path_of(examples, row[1]), encoding="utf-8") as file:
        text = file.read()
    for change in row[2]:
        text = replace(text, *change)
    return text


def is_caught(cute_run, examples, folder, row):
    """The mistake is found, at a line that has the marker."""
    name, kernel, _, said, marker, *arguments = row
    text = plant(examples, row)
    path = f"{folder}/{name}.mlir"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = run(cute_run, path, kernel, arguments=arguments[0] if arguments else None)
    if said is WRONG and done.returncode == 1 and WRONG in done.stdout:
        return True
    lines = [i for i, line in enumerate(text.splitlines(), 1) if re.search(marker, line)]
    for message in done.stdout.splitlines():
        place = re.search(re.escape(name) + r"\.mlir:(\d+):\d+: (.*)", message)
        if done.returncode == 1 and place and int(place[1]) in lines \
                and re.search(said, place[2]):
            return True
    print(f"{name}: '{said}' at one of {lines} is not said:\n{done.stdout[:1500]}")
    return False


# Name, kernel, changes, message, the line that it names, perhaps arguments.
C8 = r"cute.copy\(%A_by_8, %tAgA, %rA, %pA\)"
HALF = r"""%half = arith.constant 128 : i32
    %low = arith.cmpi ult, %thread, %half : i32
    %id = arith.constant 1 : i32
    %all_threads = cute.static : !cute.int_tuple<"256">
    scf.if %low {
      cute.named_barrier_sync(%id, %all_threads)
    }"""
ODD_GEMM = "f16[77x139]:normal(1) f16[133x139]:normal(2) f16[77x133]:poison"
# Of these the result alone tells.
WRONG = "differs from the reference"
MISTAKES = [
    ("transpose_no_barrier", "transpose",
     [("gpu.barrier", "")],
     "race: reads shared memory", r"cute.copy\(%B_by_1"),
    ("transpose_half_barrier", "transpose",
     [("gpu.barrier", HALF)],
     "deadlock", "named_barrier_sync"),
    ("transpose_A_beyond", "transpose",
     [(C8, "cute.copy(%A_by_8, %tAgA, %rA)")],
     "out of bounds: reads 16 bytes", r"%tAgA, %rA\)"),
    ("transpose_B_beyond", "transpose",
     [(r", %tBgB, %pB\)", ", %tBgB)")],
     "out of bounds: writes 16 bytes", r"%tBgB\)"),
    ("transpose_misaligned", "transpose",
     [("& 7 == 0", "& 0 == 0")],
     "misaligned: reads 16 bytes", r"cute.copy\(%A_by_8", "f16[101x71]:normal(1) f16[71x101]:poison"),
    ("add_beyond", "vector_add",
     [("%length /u 1024", "(%length + 1023) /u 1024")],
     "out of bounds: reads 16 bytes", "cute.copy"),
    ("add_A_beyond", "vector_add",
     [(r"basic_copy_if\(%in_range, %tA", "basic_copy(%tA")],
     "out of bounds: reads", "basic_copy"),
    ("add_B_beyond", "vector_add",
     [(r"basic_copy_if\(%in_range, %tB", "basic_copy(%tB")],
     "out of bounds: reads", "basic_copy"),
    ("add_C_beyond", "vector_add",
     [(r"basic_copy_if\(%in_range, %rA, %tC", "basic_copy(%rA, %tC")],
     "out of bounds: writes", "basic_copy"),
    ("stage_hasty", "tutorial/08_cp_async",
     [("cp_async_wait<1>", "cp_async_wait<2>")],
     "too early: reads shared", "%s2r_A"),
    ("stage_no_wait", "tutorial/08_cp_async",
     [("cute.cp_async_wait<1>", "")],
     "too early: reads shared", "%s2r_A"),
    ("stage_no_barrier", "tutorial/08_cp_async",
     [("gpu.barrier", "")],
     "race: reads shared", "%s2r_A"),
    ("stage_A_beyond", "tutorial/08_cp_async",
     [(r"(%sA_write\[.*\]), %pA\)", r"\1)")],
     "out of bounds: reads", "%sA_write"),
    ("stage_B_beyond", "tutorial/08_cp_async",
     [(r"(%sB_write\[.*\]), %pB\)", r"\1)")],
     "out of bounds: reads", "%sB_write"),
    ("stage_no_commit", "tutorial/08_cp_async",
     [("cute.cp_async_commit", "")],
     "too early: reads shared", "%s2r_A"),
    ("stage_written", "tutorial/08_cp_async",
     [(r"\[_,_,_,%write\]", "[_,_,_,%read]")],
     "race|too early", "%g2s|%s2r"),
    ("stage_wraps", "tutorial/08_cp_async",
     [("%read_1 == 3", "%read_1 == 2")],
     "race|too early", "%g2s|%s2r"),
    ("gemm_hasty_first", "gemm_sm80",
     [("cp_async_wait<1>", "cp_async_wait<2>")],
     "too early: reads shared", "%s2r_A"),
    ("gemm_hasty", "gemm_sm80",
     [("cp_async_wait<1>", "cp_async_wait<2>", 1)],
     "too early: reads shared", "%s2r_A"),
    ("gemm_no_barrier_first", "gemm_sm80",
     [("gpu.barrier", "")],
     "race: reads shared", "%s2r_A"),
    ("gemm_no_barrier", "gemm_sm80",
     [("gpu.barrier", "", 1)],
     "race: reads shared", "%s2r_A"),
    ("gemm_no_barrier_sums", "gemm_sm80",
     [("gpu.barrier", "", 4)],
     "race: writes shared", "%r2s"),
    ("gemm_no_barrier_C", "gemm_sm80",
     [("gpu.barrier", "", 5)],
     "race: reads shared", "%s2g"),
    ("gemm_C_beyond", "gemm_sm80",
     [(r"%gC_write, %pC\)", "%gC_write)")],
     "out of bounds: writes", "%gC_write"),
    ("gemm_A_beyond", "gemm_sm80",
     [(r"%sA_k, %pA\)", "%sA_k)")],
     "out of bounds: reads", "%sA_k"),
    ("gemm_B_beyond", "gemm_sm80",
     [(r"%sB_k, %pB\)", "%sB_k)", 1)],
     "out of bounds: reads", "%sB_k"),
    ("gemm_written", "gemm_sm80",
     [(r"\(_,_,_,%write\)", "(_,_,_,%read)")],
     "race|too early", "%g2s|%s2r"),
    ("gemm_wraps", "gemm_sm80",
     [("%read_1 == 3", "%read_1 == 2")],
     "race|too early", "%g2s|%s2r"),
    ("gemm_no_last_wait", "gemm_sm80",
     [("cute.cp_async_wait<0>", "")],
     "too early: writes shared", "%r2s",
     GEMM.format(m=136, n=120, k=264)),
    ("gemm_two_stages", "gemm_sm80",
     [(r"\(128,64,3\)", "(128,64,2)")],
     "race|too early|out of bounds", "%g2s|%s2r"),
    ("any_no_barrier_before", "gemm_sm80",
     [("gpu.barrier", "", 2)],
     "race: writes shared", "%sA_t|%sB_t", ODD_GEMM),
    ("any_no_barrier", "gemm_sm80",
     [("gpu.barrier", "", 3)],
     "race|uninitialised", "%s2r_", ODD_GEMM),
    ("any_A_beyond", "gemm_sm80",
     [(r"%gA_t, %fA, %pA\)", "%gA_t, %fA)")],
     "out of bounds: reads", "%gA_t", ODD_GEMM),
    ("any_B_beyond", "gemm_sm80",
     [(r"%gB_t, %fB, %pB\)", "%gB_t, %fB)")],
     "out of bounds: reads", "%gB_t", ODD_GEMM),
    ("any_C_beyond", "gemm_sm80",
     [(r"%gC_t, %pC\)", "%gC_t)")],
     "out of bounds: writes", "%gC_t", ODD_GEMM),
    ("tma_phase", "copy_sm90",
     [(r"mbarrier_wait\(%full, 0\)", "mbarrier_wait(%full, 1)")],
     "too early: reads", "cute.copy|basic_copy"),
    ("tma_no_wait", "copy_sm90",
     [(r"cute.mbarrier_wait\(%full, 0\)", "")],
     "too early: reads", "cute.copy|basic_copy"),
    ("tma_arrivals", "copy_sm90",
     [(r"mbarrier_init\(%full, 1\)", "mbarrier_init(%full, 2)")],
     "deadlock", "mbarrier_wait"),
    ("tma_no_init", "copy_sm90",
     [(r"cute.mbarrier_init\(%full, 1\)", "")],
     "no barrier|uninitialised", "mbarrier|cute.copy"),
    ("tma_no_init_fence", "copy_sm90",
     [(r"cute.fence_mbarrier_init\n.*", "")],
     "no proxy fence: the asynchronous proxy arrives at the mbarrier", "cute.copy"),
    ("products_not_waited_for", "tutorial/11_wgmma_sm90",
     [(r"( *)cute.warpgroup_wait<0> \(%rC\)(\n\n.*\n.*\n    })",
       r"\2\n    cute.warpgroup_wait<0> (%rC)")],
     "too early: writes shared memory .*the product of line", r"cute.copy\(%to_"),
    ("tma_no_barrier", "copy_sm90",
     [("gpu.barrier", "")],
     "no barrier|uninitialised|race", "mbarrier|cute.copy"),
    ("tma_no_arrive", "copy_sm90",
     [(r"cute.mbarrier_arrive_expect_tx\(%full, 32768\)", "")],
     "deadlock|bytes", "mbarrier|cute.copy"),
    ("tma_no_fence", "transpose_sm90",
     [(r'cute.fence_proxy<"async.shared">', "", 1)],
     "no proxy fence", r"cute.copy\(%to_"),
    ("wgmma_no_fence", "gemm_sm90",
     [(r'cute.fence_proxy<"async.shared">', "")],
     "no proxy fence", r"copy\(%store_C"),
    ("gemm_not_cleared", "gemm_sm80",
     [(r"cute.clear\(%rC\)", "")],
     "uninitialised: uses a register", "cute.gemm|cute.mma|%rC"),
    ("wgmma_adds_to_nothing", "tutorial/11_wgmma_sm90",
     [(r", %rC, %is_later\)", ", %rC)")],
     "uninitialised: adds to sums", "cute.gemm"),
    ("tma_bytes_less", "tutorial/11_wgmma_sm90",
     [(r"expect_tx\(%full, 32768\)", "expect_tx(%full, 32752)")],
     "waits for 32752 bytes, but the 2 copies with it bring 32768", "expect_tx"),
    ("tma_bytes_more", "tutorial/11_wgmma_sm90",
     [(r"expect_tx\(%full, 32768\)", "expect_tx(%full, 32784)")],
     "waits for 32784 bytes, but the 2 copies with it bring 32768", "expect_tx"),
    ("tma_stale_phase", "tutorial/11_wgmma_sm90",
     [("%k & 1", "%k & 0")],
     "too early: reads|phase: |deadlock", r"cute.gemm\(|mbarrier_wait",
     GEMM.format(m=128, n=256, k=328)),
    ("wgmma_step_no_fence", "tutorial/11_wgmma_sm90",
     [(r'cute.fence_proxy<"async.shared">', "")],
     "no proxy fence", r"copy\(%store"),
    ("wgmma_no_turn", "gemm_sm90",
     [(r"cute.named_barrier_sync\(%barrier_id, 128\)", "")],
     "race: writes shared", r"%r2s, %rD_read"),
    ("wgmma_no_sync", "gemm_sm90",
     [(r"cute.named_barrier_sync\(%barrier_id, 128\)", "", 1)],
     "race: reads shared", r"copy\(%store_C"),
    ("cluster_ends", "gemm_sm90",
     [(r"cute.cluster_arrive\n *cute.cluster_wait", "")],
     "block may end|block ended", "consumer_release|producer|cute.copy"),
    ("cluster_ends_relaxed", "gemm_sm90",
     [(r"cute.cluster_arrive\n", "cute.cluster_arrive<{relaxed}>\n")],
     "block may end.*write cute.cluster_arrive without relaxed", "consumer_release"),
    ("cluster_begins", "gemm_sm90",
     [(r"cute.cluster_arrive<{relaxed}>\n *cute.cluster_wait", "gpu.barrier")],
     "race: (reads|writes) shared memory.*write cute.cluster_arrive",
     "consumer_release|producer_acquire|cute.copy"),
    ("wgmma_no_acquire", "gemm_sm90",
     [(r"cute.producer_acquire\(%buffers, %state\)", "")],
     "too early: writes shared", r"%r2s, %rD_read"),
    ("wgmma_named_wrong", "gemm_sm90",
     [(r"named_barrier_sync\(%barrier_id, 128\)", "named_barrier_sync(%barrier_id, 256)")],
     "deadlock", "cluster_wait"),
    ("wgmma_no_cluster_wait", "gemm_sm90",
     [("cute.cluster_wait", "")],
     "arrive twice|race: |there is no barrier", "cluster_arrive|consumer_wait|producer_acquire"),
    ("wgmma_no_consumer_wait", "gemm_sm90",
     [(r"cute.consumer_wait\(%pipeline, %state\)", "")],
     "uninitialised: reads shared", "cute.gemm"),
    ("pipeline_not_released", "tutorial/12_pipeline_sm90",
     [(r"cute.consumer_release\(%pipeline, %\w+\)", "")],
     "deadlock|mbarrier", "producer_acquire|consumer_wait"),
    ("tma_bytes_twice", "tutorial/11_wgmma_sm90",
     [(r"cute.mbarrier_arrive_expect_tx\(%full, 32768\)",
       "cute.mbarrier_expect_tx(%full, 32768)\n cute.mbarrier_arrive_expect_tx(%full, 32768)")],
     "which no copy brings", "mbarrier_wait"),
    ("tma_arrives_twice", "tutorial/11_wgmma_sm90",
     [(r"cute.mbarrier_arrive_expect_tx\(%full, 32768\)",
       "cute.mbarrier_arrive(%full)\n cute.mbarrier_arrive_expect_tx(%full, 32768)")],
     "too early: reads|phase|arrivals", r"cute.gemm\(|mbarrier"),
    # Of ldmatrix: addresses of lanes.
    ("ldmatrix_misaligned", "ldmatrix",
     [("offset = arith.constant 0", "offset = arith.constant 8")],
     "misaligned: reads 16 bytes", "%four = "),
    ("ldmatrix_beyond", "ldmatrix",
     [("offset = arith.constant 0", "offset = arith.constant 16")],
     "out of bounds: reads 16 bytes", "%four = "),
    ("ldmatrix_swapped", "ldmatrix",
     [("arith.remui %lane, %c16", "arith.divui %lane, %c2"), ("%c4 = arith",
      "%c2 = arith.constant 2 : i32\n    %c4 = arith")],
     WRONG, ""),
    ("ldmatrix_overlaps", "ldmatrix",
     [("arith.divui %lane, %c16", "arith.divui %c0, %c16")],
     WRONG, ""),
    ("ldmatrix_transposed", "ldmatrix",
     [("x4.shared", "x4.trans.shared")],
     WRONG, ""),
    # Of wgmma: fields of descriptors.
    ("descriptor_exchanged", "descriptor",
     [("leading_offset = arith.constant 16", "leading_offset = arith.constant 1024"),
      ("stride_offset = arith.constant 1024", "stride_offset = arith.constant 16")],
     "descriptor: .*are the two exchanged", "%sums = "),
    ("descriptor_swizzle", "descriptor",
     [("swizzle = arith.constant 1", "swizzle = arith.constant 2")],
     "descriptor: .*swizzle of 64 bytes, and the copy .* one of 128", "%sums = "),
    ("descriptor_no_swizzle", "descriptor",
     [("swizzle = arith.constant 1", "swizzle = arith.constant 0")],
     "descriptor: .*swizzle of 0 bytes, and the copy .* one of 128", "%sums = "),
    ("descriptor_base", "descriptor",
     [("base = arith.constant 0", "base = arith.constant 3")],
     "descriptor: .*in the middle of the 1024 bytes", "%sums = "),
    ("descriptor_start", "descriptor",
     [("start = arith.constant 0", "start = arith.constant 128")],
     "descriptor: .*in the middle of the 1024 bytes", "%sums = "),
    ("descriptor_far", "descriptor",
     [("start = arith.constant 0", "start = arith.constant 65536")],
     "out of bounds: reads 16 bytes of shared", "%sums = "),
    ("descriptor_past", "descriptor",
     [("start = arith.constant 0", "start = arith.constant 4096")],
     "out of bounds: reads 16 bytes of shared", "%sums = "),
    # Of multicast: masks, and blocks that wait.
    ("multicast_far", "multicast",
     [(r'cute.static : !cute.int_tuple<"3">', "arith.addi %far, %part : i32"),
      (r"(%part = .*)\n", ""), (r"(%two = )",
      r"%part = arith.andi %block, %c1 : i32\n    %far = arith.constant 6 : i32\n    \1")],
     "the mask 0x[67] names blocks that the cluster of 2 does not have", r"cute.copy\("),
    ("multicast_leaves_out", "multicast",
     [('int_tuple<"3">', 'int_tuple<"1">')],
     "mbarrier.try_wait.*which no copy brings", "mbarrier_wait"),
    ("multicast_not_expected", "multicast",
     [(r"cute.mbarrier_arrive_expect_tx\(%full, 4096\)",
       "%is_0 = arith.cmpi eq, %block, %c0 : i32\n scf.if %is_0 {\n"
       " cute.mbarrier_arrive_expect_tx(%full, 4096)\n }")],
     "mbarrier.try_wait.*copies have brought more", "mbarrier_wait"),
    ("multicast_half_expected", "multicast",
     [("full, 4096", "full, 2048")],
     "too early: reads shared", r"cute.load\(%s"),
    ("multicast_begins", "multicast",
     [(r"cute.cluster_arrive<{relaxed}>\n *cute.cluster_wait", "gpu.barrier")],
     "race: |there is no barrier", r"cute.copy\("),
    ("multicast_no_init_fence", "multicast",
     [("cute.fence_mbarrier_init", "")],
     "race: .*write cute.fence_mbarrier_init", r"cute.copy\(|mbarrier_wait"),
]


def main():
    cute_run, examples, folder, *names = sys.argv[1:]
    for row in MISTAKES:
        plant(examples, row)  # also those whose turn it is not
    rows = [row for row in MISTAKES if row[0] in names] if names \
        else take_turn(MISTAKES, 5)
    with ThreadPoolExecutor(2) as pool:
        silent = list(pool.map(lambda kernel: is_silent(cute_run, examples, kernel),
                               [] if names else take_turn(KERNELS, 3)))
        caught = list(pool.map(lambda row: is_caught(cute_run, examples, folder, row),
                               rows))
    print(f"{sum(silent)} of {len(silent)} kernels are silent, "
          f"{sum(caught)} of {len(caught)} mistakes are caught")


if __name__ == "__main__":
    main()
