"""Small kernels that are right, and the same with one mistake that the simulator finds.

usage: small_mistakes.py CUTE_RUN FOLDER [NAME ...]

A row has the body of a kernel, the part that is replaced, and the finding then: it names a line
that has the marker. The right one runs under several orders without findings.
"""
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HEAD = """gpu.module @m {{
  gpu.func @k(%A: !cute.tensor<i32, gmem, align<16>, "64:1">,
              %B: !cute.tensor<i32, gmem, align<16>, "64:1">) kernel attributes {{
      known_block_size = array<i32: {threads}, 1, 1>,
      known_cluster_size = array<i32: {cluster}, 1, 1>, cute.grid = ["{grid}"]}} {{
    %t = cute.thread_idx
    %block = cute.block_idx
    %first = %t == 0
    %low = %t <u 32
    %other = 63 - %t
    %s = cute.alloc_smem<i32, 128> (64:1)
    %s2 = cute.alloc_smem<i32, 128> (64:1)
    %barriers = cute.alloc_smem<i64, 8> (4:1)
    %b0 = cute.get_iter(%barriers)
    %b1 = cute.add_offset(%b0, 1)
    %to_s = cute.with_barrier(!cute.copy_atom<"SM90_BULK_COPY_G2S", i32>, %b0)
    %to_memory = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", i32>
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", i32>
    %one = cute.static : !cute.layout<"1:1">
    %A_t = cute.make_tensor(cute.add_offset(cute.get_iter(%A), %t), %one)
    %s_t = cute.make_tensor(cute.add_offset(cute.get_iter(%s), %t), %one)
    %s2_t = cute.make_tensor(cute.add_offset(cute.get_iter(%s2), %t), %one)
"""
TAIL = """
    gpu.return
  }
}
"""
BLOCK = {"threads": 64, "cluster": 1, "grid": 1}
PAIR = {"threads": 32, "cluster": 2, "grid": 2}
BLOCKS = {"threads": 1, "cluster": 1, "grid": 2}
INIT = """
    if %first {{
      cute.mbarrier_init(%b0, {0})
      cute.mbarrier_init(%b1, {0})
      cute.fence_mbarrier_init
    }}
    gpu.barrier"""

READERS = INIT.format(64) + """
    if %first {
      %s[0] = 7
    }
    gpu.barrier
    %x = %s[0]
    %B[%t] = %x
    cute.mbarrier_arrive(%b0)
    if %t == 32 {
      cute.mbarrier_wait(%b0, 0)
      %s[0] = 1 // reused
    }"""
READERS_OF_GLOBAL = """
    %x = %A[0]
    %B[%t] = %x
    gpu.barrier
    if %t == 32 {
      %A[0] = 7 // reused
    }"""
ASYNC = INIT.format(32) + """
    if %low {
      cute.copy(%async, %A_t, %s_t)
      %s2[%t] = %t // before
      cute.cp_async_mbarrier_arrive<{noinc}>(%b0)
      cute.copy(%async, %A_t, %s2_t) // later
      cute.cp_async_mbarrier_arrive<{noinc}>(%b1)
    } else {
      cute.mbarrier_wait(%b0, 0)
      %x = %s[%other]
      cute.mbarrier_wait(%b1, 0)
      %y = %s2[%other] // read
      %B[%t] = %x + %y
    }"""
STORED = """
    %s[%t] = %t
    cute.fence_proxy<"async.shared">
    gpu.barrier
    if %first {
      cute.copy(%to_memory, %s, %B)
      cute.cp_async_bulk_commit
      cute.cp_async_bulk_wait<0>
    }
    gpu.barrier
    %x = %B[%other] // read
    %A[%t] = %x"""
STORED_TWICE = """
    %s[%t] = %t
    cute.fence_proxy<"async.shared">
    gpu.barrier
    if %first {
      cute.copy(%to_memory, %s, %A)
      cute.cp_async_bulk_commit
      cute.copy(%to_memory, %s, %B)
      cute.cp_async_bulk_commit
      cute.cp_async_bulk_wait_read<0>
    }
    gpu.barrier
    %s[%t] = 7 // reused"""
LOADED = INIT.format(1) + """
    %B[%t] = %t
    cute.fence_proxy<"async">
    gpu.barrier
    if %first {
      cute.mbarrier_arrive_expect_tx(%b0, 256)
      cute.copy(%to_s, %B, %s) // copied
    }
    cute.mbarrier_wait(%b0, 0)
    %A[%t] = %s[%t]"""
TWO_LOADS = INIT.format(1) + """
    if %first {
      %to_s2 = cute.with_barrier(!cute.copy_atom<"SM90_BULK_COPY_G2S", i32>, %b1)
      cute.mbarrier_arrive_expect_tx(%b0, 256)
      cute.mbarrier_arrive_expect_tx(%b1, 256)
      cute.copy(%to_s, %A, %s)
      cute.copy(%to_s2, %A, %s2)
    }
    cute.mbarrier_wait(%b0, 0)
    cute.mbarrier_wait(%b1, 0)
    %x = %s[%t] // read
    %y = %s2[%t]
    %B[%t] = %x + %y"""
REFILLED = INIT.format(1) + """
    if %low {
      cute.mbarrier_wait(%b0, 0)
      %x = %s[%t]
      cute.fence_proxy<"async.shared">
      cute.warp_sync
      if %first {
        cute.mbarrier_arrive(%b1)
      }
      cute.mbarrier_wait(%b0, 1)
      %y = %s[%t]
      %B[%t] = %x + %y
    }
    if %t == 32 {
      cute.mbarrier_arrive_expect_tx(%b0, 256)
      cute.copy(%to_s, %A, %s)
      cute.mbarrier_wait(%b1, 0)
      cute.mbarrier_arrive_expect_tx(%b0, 256)
      cute.copy(%to_s, %A, %s) // refilled
    }"""
MET = REFILLED.replace('cute.fence_proxy<"async.shared">', "cute.named_barrier_sync(1, 32)")
KEPT = REFILLED.replace('cute.fence_proxy<"async.shared">', "%B[%t] = %x")
AGAIN = INIT.format(1) + """
    if %first {
      cute.mbarrier_arrive(%b0)
    }
    cute.mbarrier_wait(%b0, 0)
    gpu.barrier
    if %first {
      cute.mbarrier_inval(%b0)
      cute.mbarrier_init(%b0, 1) // again
    }
    gpu.barrier"""
REMOTE = """
    %rank = cute.block_rank_in_cluster
    cute.cluster_arrive<{relaxed}>
    cute.cluster_wait
    %theirs = cute.mapa(%s, %rank xor 1)
    cute.store(%t, %theirs, %t) // stored
    cute.cluster_arrive
    cute.cluster_wait // last
    %B[%t] = %s[%t]"""
BARS = """
    cute.named_barrier_sync(1, 64)"""

UNDER_WAY = ("no proxy fence: the asynchronous proxy writes shared memory .*which thread [0-9]+ read "
             "on line [0-9]+; an arrival at an mbarrier does not wait for loads")

# Name, shape of the launch, body, what is replaced by what, message, marker.
ROWS = [
    ("one_of_two_readers", BLOCK, READERS,
     (r"b0, 64\)", "b0, 32)", r"cute.mbarrier_arrive\(%b0\)",
      "if %t >=u 32 { cute.mbarrier_arrive(%b0) }"),
     "race: writes shared memory at offset 0 .*which thread 31 read", "reused"),
    ("one_of_two_readers_of_global", BLOCK, READERS_OF_GLOBAL,
     ("gpu.barrier", "if %t >=u 32 { cute.named_barrier_sync(1, 32) }"),
     "race: writes global memory at byte 0 .*which thread 0 read", "reused"),
    ("other_stage", BLOCK, ASYNC, (r"cute.mbarrier_wait\(%b1, 0\)", ""),
     "race: reads shared memory at offset 256 .*which thread 0 wrote|too early: reads",
     "read"),
    ("stored_after_arrival", BLOCK, ASYNC,
     (r"(.*before)\n(.*)\n(.*later)\n", r"\2\n\1\n", r"cute.mbarrier_wait\(%b1, 0\)", ""),
     "race: reads shared memory at offset .*which thread", "read"),
    ("read_is_not_done", BLOCK, STORED, ("wait<0>", "wait_read<0>"),
     "too early: reads global memory .*where the copy of line [0-9]+ may not be seen yet",
     "// read"),
    ("waited_for_one_store", BLOCK, STORED_TWICE, ("read<0>", "read<1>"),
     "too early: writes shared memory .*may still read", "reused"),
    ("fenced_by_one", BLOCK, STORED,
     ('(cute.fence_proxy.*)', r"if %first { \1 }"), "no proxy fence: .*shared memory", "to_memory"),
    ("no_fence_of_global", BLOCK, LOADED, ("cute.fence_proxy.*", ""),
     "no proxy fence: the asynchronous proxy reads global memory .*thread 0 wrote", "copied"),
    ("load_at_the_end", BLOCK, LOADED, (r"cute.mbarrier_wait(?s:.*)", ""),
     "block ended: the copy to its shared memory at offset 0 .* has not arrived", "copied"),
    ("other_barrier", BLOCK, TWO_LOADS, (r"cute.mbarrier_wait\(%b0, 0\)", ""),
     "race: reads shared memory .*which a copy wrote .*write a wait for its mbarrier", "// read"),
    ("load_under_way", BLOCK, REFILLED, ("cute.fence_proxy.*", ""), UNDER_WAY, "refilled"),
    ("fenced_too_early", BLOCK, REFILLED, (r"(%x = .*)\n(.*fence.*)\n", r"\2\n\1\n"), UNDER_WAY,
     "refilled"),
    ("fenced_after_arrival", BLOCK, REFILLED,
     ("cute.fence_proxy.*", "", r"(cute.mbarrier_arrive\(%b1\))", r'\1 cute.fence_proxy<"async">'),
     UNDER_WAY, "refilled"),
    ("fenced_by_one_reader", BLOCK, REFILLED, ("(cute.fence_proxy.*)", r"if %first { \1 }"),
     UNDER_WAY, "refilled"),
    ("met_by_lanes_alone", BLOCK, MET, ("cute.named_barrier_sync.*", ""), UNDER_WAY, "refilled"),
    ("not_stored_before_arrival", BLOCK, KEPT, (r"%B\[%t\] = %x\n", "\n"), UNDER_WAY, "refilled"),
    ("made_twice", BLOCK, AGAIN, ("cute.mbarrier_inval.*", ""),
     "initializes the barrier at offset 512 .*at which thread 0 arrived", "again"),
    ("block_has_not_begun", PAIR, REMOTE, (r"cute.cluster_arrive<(?s:.*?)wait", ""),
     "block may not have begun: touches shared memory of block [01] of the cluster", "stored"),
    ("second_wait", PAIR, REMOTE, (r"(wait) // last", r"\1 cute.cluster_wait // last"),
     "barrier.cluster.wait without barrier.cluster.arrive before", "last"),
    ("second_arrival", PAIR, REMOTE, (r"(cute.cluster_arrive)\n", r"\1 cute.cluster_arrive\n"),
     "barrier.cluster.arrive twice without barrier.cluster.wait", "cluster_arrive cute"),
    ("other_count", BLOCK, BARS,
     (r"cute.named.*", "if %low { cute.named_barrier_sync(1, 64) } else {"
      " cute.named_barrier_sync(1, 96) }"),
     "barrier 1 is for 96 threads here, but [0-9]+ that have come say 64", "named"),
]


def mend(text, changes):
    for old, new in zip(changes[::2], changes[1::2]):
        changed = re.sub(old, new, text, count=1)
        assert changed != text, f"'{old}' is not in the kernel"
        text = changed
    return text


def run(cute_run, path, *options):
    return subprocess.run([cute_run, path, "--device=sim", "--arch=sm_90a", "--timeout=60",
                           *options, "i32[64]:zeros", "i32[64]:zeros"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def check(cute_run, folder, row):
    """What is wrong with a row; empty where nothing is."""
    name, shape, body, changes, said, marker = row
    path = folder / f"{name}.mlir"
    path.write_text(HEAD.format(**shape) + body + TAIL)
    right = run(cute_run, path, "--schedules=5")
    if right.returncode:
        return f"{name}: a false alarm\n{right.stdout}"
    text = HEAD.format(**shape) + mend(body, changes) + TAIL
    path.write_text(text)
    wrong = run(cute_run, path)
    lines = [i for i, line in enumerate(text.splitlines(), 1) if re.search(marker, line)]
    for message in wrong.stdout.splitlines():
        place = re.search(r"\.mlir:(\d+):\d+: (.*)", message)
        if wrong.returncode == 1 and place and int(place[1]) in lines \
                and re.search(said, place[2]):
            return ""
    return f"{name}: '{said}' at one of {lines} is not said\n{wrong.stdout}"


def main(rows, check):
    """Checks the rows whose names the command line has, or all."""
    cute_run, folder, *names = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row for row in rows if not names or row[0] in names]
    with ThreadPoolExecutor(2) as pool:
        wrong = list(filter(None, pool.map(lambda row: check(cute_run, folder, row), rows)))
    print("".join(wrong) + f"{len(rows) - len(wrong)} of {len(rows)} mistakes are caught")


if __name__ == "__main__":
    main(ROWS, check)
