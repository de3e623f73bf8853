"""Breaks the kernels that cute-sm90 and cute-sm100 make of plain products, alone and of groups, of a plain convolution and of plain attention
in one place at a time, and says which mistakes neither the verifier nor the simulator finds.

usage: sm90_mutants.py CUTE-OPT CUTE-RUN PREFIX GEMM ATTENTION GROUPED CONVOLUTION
"""
import re
import subprocess
import sys

import plain_conv
import plain_grouped
from plain_gemm import Plain
from turns import take_turn

SIZE = (300, 264, 520)  # more tiles than blocks, more tiles along K than stages
SHORT = (300, 520, 72)  # both consumers are about to store at a time


def without(pattern, nth=0):
    """Leaves out a line; the nth that has the pattern."""
    def edit(text):
        lines = text.split("\n")
        hits = [i for i, line in enumerate(lines) if re.search(pattern, line)]
        del lines[hits[nth]]
        return "\n".join(lines)
    return edit


def instead(pattern, other, count=1):
    return lambda text: re.sub(pattern, other, text, count=count)


def last(pattern, other):
    """Replaces the last place of a pattern."""
    def edit(text):
        *_, hit = re.finditer(pattern, text)
        return text[:hit.start()] + hit.expand(other) + text[hit.end():]
    return edit


MUTANTS = {
    "no release in the loop": without(r"cute\.consumer_release", 0),
    "no release after the loop": without(r"cute\.consumer_release", 1),
    "no wait for a full stage": without(r"cute\.consumer_wait"),
    "no wait for an empty stage": without(r"cute\.producer_acquire\(.*\"tma\""),
    "no wait for the products": without(r"cute\.warpgroup_wait<0>"),
    "a product too many under way": instead(r"cute\.warpgroup_wait<1>", "cute.warpgroup_wait<2>"),
    "no group of products": without(r"cute\.warpgroup_commit"),
    "another phase of the producer": instead(r'make_pipeline_state<"producer"> \((%\d+)\) : (!cute.pipeline<"tma",)', r'make_pipeline_state<"consumer"> (\1) : \2'),
    "one release too few awaited": instead(r'make_pipeline_tma<6, 2,', "make_pipeline_tma<6, 3,"),
    "releases by warps": instead(r'make_pipeline_tma<6, 2, "warpgroup">', 'make_pipeline_tma<6, 2, "warp">'),
    "the other stage": last(r"cute\.pipeline_stage\((%\w+)\)", r"cute.pipeline_stage(%arg7)"),
    "no barrier before roles part": without(r"gpu\.barrier"),
    "no fence before the store": without(r"cute\.fence_proxy"),
    "no barrier before the buffer is written": without(r"cute\.named_barrier_sync", 0),
    "no barrier before the store": without(r"cute\.named_barrier_sync", 1),
    "the buffer is not waited for": without(r"cute\.producer_acquire\(.*\"tma_store\""),
    "a barrier of too few threads": last(r'!cute\.int_tuple<"256">\n(.*named_barrier_sync)', r'!cute.int_tuple<"128">\n\1'),
    "a swizzle of another width": instead(r"S<3,3,3> o 0 o \(\(8,16\),\(64,1\),6\)", "S<2,3,3> o 0 o ((8,16),(64,1),6)"),
    "tiles of another row": instead(r"cute\.make_coord\((%\d+), (%arg5)\)", r"cute.make_coord(%c1_i32, \2)"),
    "only one of two loads": without(r"cute\.copy\(.*SM90_TMA_LOAD", 1),
    "the first round adds, too": instead(r"(cute\.gemm\(.*), %\d+\)", r"%yes = arith.constant true \1, %yes)"),
    "no barriers made": without(r"cute\.init_pipeline"),
}


TURNS = {
    "no wait for the turn": without(r"cute\.order_wait"),
    "no turn given": without(r"cute\.order_arrive"),
    "the turn given before the products": lambda text: text.replace("order_wait", "order_?").replace("order_arrive", "order_wait").replace("order_?", "order_arrive"),
    "both begin with the first stages": instead(r"(cute\.pipeline_advance\(%\d+, )%\d+(.*\n.*make_pipeline_state<\"order\")", r"\1%c0_i32\2"),
    "the other's stages are not passed over": last(r"(cute\.pipeline_advance\(%\d+#0, )%\d+", r"\1%c0_i32"),
    "both take the same tiles": last(r"= %\d+( to %\d+ step %\d+ iter_args\(%arg4 = %\d+, )", r"= %c0_i32\1"),
    "one buffer for both": instead(r"(cute\.make_coord\()%\d+(.*\n.*\(1,2\),2\))", r"\1%c0_i32\2"),
    "one barrier for both": instead(r"cute\.named_barrier_sync\(%\d+", "cute.named_barrier_sync(%c1_i32", 9),
    "threads count over both": instead(r"arith\.andi (%\d+), %c127_i32\w*", r"arith.addi \1, %c0_i32"),
    "a turn of three": instead(r"make_pipeline_order<1, 2, 128>", "make_pipeline_order<1, 3, 128>"),
}


ATTENTION = {
    "no release of Q": without(r"cute\.consumer_release.*stages<1>"),
    "no release of K in the first round": without(r"cute\.consumer_release", 0),
    "no release of K": without(r"cute\.consumer_release", 1),
    "no release of V": without(r"cute\.consumer_release", 2),
    "no release of the last V": without(r"cute\.consumer_release", 3),
    "no wait for K": without(r"cute\.consumer_wait", 2),
    "no wait for V": without(r"cute\.consumer_wait", 3),
    "no wait for the first scores": without(r"cute\.warpgroup_wait<0>", 0),
    "a product too many under way": instead(r"cute\.warpgroup_wait<1>", "cute.warpgroup_wait<2>"),
    "no wait for the last products": without(r"cute\.warpgroup_wait<0>", 1),
    "no wait after the loop": without(r"cute\.warpgroup_wait<0>", 2),
    "no group of scores": without(r"cute\.warpgroup_commit", 1),
    "scores are added to those before": instead(r"%false(\w*) = arith.constant false", r"%false\1 = arith.constant true", 2),
    "Q of the tile before": last(r"cute\.pipeline_advance\((%\w+)\)( : !cute.pipeline_state<\"consumer\", stages<1>>)", r"cute.pipeline_advance(%arg6, %c0_i32)\2"),
    "no turn given": without(r"cute\.named_barrier_arrive", 2),
    "no turn at first": without(r"cute\.named_barrier_arrive", 0),
    "another phase of V": last(r'make_pipeline_state<"consumer"> \((%\d+)\) : (!cute.pipeline<"tma", stages<2>)', r'make_pipeline_state<"producer"> (\1) : \2'),
}

SPLIT = {
    "sums are not waited for": without(r"cute\.cluster_wait", 2),
    "nobody says that sums are there": without(r"cute\.cluster_arrive", 2),
    "the first block leaves its sums": instead(r"(block_rank_in_cluster\n.*\n.*arith\.cmpi) ne", r"\1 eq"),
    "every block stores": instead(r"(block_rank_in_cluster\n.*\n.*arith\.cmpi) eq", r"\1 uge"),
    "sums of one block twice": instead(r"(cute\.mapa\(%\d+, )%c2_i32", r"\1%c1_i32"),
    "rounds of the next block, too": instead("arith.minsi", "arith.maxsi", 9),
    "a block of another tile": instead(r"gpu\.cluster_id  x", "gpu.block_id  x", 9),
}

MULTICAST = {
    "no release in the loop": without(r"cute\.consumer_release", 0),
    "no release after the loop": without(r"cute\.consumer_release", 1),
    "releases in the own block alone": lambda text: instead(r'int_tuple<"3">', 'int_tuple<"1">', 99)(text).replace('"warpgroup", bytes<32768>, "3"', '"warpgroup", bytes<32768>, "1"'),
    "one release too few awaited": instead(r"make_pipeline_tma<6, 2,", "make_pipeline_tma<6, 1,"),
    "no meeting at first": lambda text: without(r"cute\.cluster_arrive", 0)(without(r"cute\.cluster_wait", 0)(text)),
    "only the block meets at first": lambda text: without(r"cute\.cluster_wait", 0)(instead(r"cute\.cluster_arrive<.*", "gpu.barrier")(text)),
    "no meeting in the end": lambda text: without(r"cute\.cluster_arrive", 1)(without(r"cute\.cluster_wait", 1)(text)),
    "both load the first half": instead(r"(cute\.tma_partition\(%\d+#0, %\d+, %\d+, )%\d+\)", r"\1%c0_i32)"),
    "both load the first rows": instead(r"(arith\.addi %\d+, )%\d+( : i32\n.*c1_i32.*\n.*arith\.subi)", r"\1%c0_i32\2"),
    "blocks of a cluster take different tiles": instead(r"gpu\.cluster_id  x", "gpu.block_id  x"),
}

BOTH_WAYS = {
    "releases in the column alone": instead(r"arith\.ori (%\d+), %\d+", r"arith.ori \1, \1"),
    "releases in the row alone": instead(r"arith\.ori %\d+, (%\d+)", r"arith.ori \1, \1"),
    "A to the blocks of a row": instead(r"arith\.constant 5 : i32", "arith.constant 3 : i32"),
    "A to the own block alone": instead(r"arith\.constant 5 : i32", "arith.constant 1 : i32"),
    "B to a block of the column": instead(r"arith\.constant 3 : i32", "arith.constant 5 : i32"),
    "B of the first row to all": instead(r"arith\.constant 3 : i32", "arith.constant 15 : i32"),
    "A to another column": instead(r"arith\.shli (%\w+), %\d+", r"arith.shli \1, %c0_i32"),
    "B from the row's number alone": instead(r"(arith\.muli %\d+, )%c2_i32\w*", r"\1%c0_i32"),
    "the same half of A": instead(r"gpu\.cluster_block_id  y", "gpu.cluster_block_id  x"),
    "a half of B by the column": last(r"gpu\.cluster_block_id  x(?=(.*\n)*?.*make_tma_atom.*%arg1)", "gpu.cluster_block_id  y"),
    "the same tiles along y": last(r"gpu\.cluster_block_id  y", "gpu.cluster_block_id  x"),
    "one release too few awaited": instead(r"make_pipeline_tma<6, 2,", "make_pipeline_tma<6, 1,"),
    "no release after the loop": without(r"cute\.consumer_release", 1),
    "no meeting in the end": lambda text: without(r"cute\.cluster_arrive", 1)(without(r"cute\.cluster_wait", 1)(text)),
}


ADDED = {
    "no wait for the first stage of the tile": without(r"cute\.consumer_wait", 1),
    "no wait for its last stage": without(r"cute\.consumer_wait", 2),
    "no release of its first stage": without(r"cute\.consumer_release", 2),
    "no release of its last stage": without(r"cute\.consumer_release", 3),
    "its stages released while others read them": without(r"cute\.named_barrier_sync", 0),
    "the bytes of the loop's tiles": instead(r"(producer_acquire\(%\d+, %\d+)(?:, %\d+#0)+\)( : .*?, .*?stages<\d+>>).*", r"\1)\2"),
    "a piece is not loaded": without(r"cute\.copy\(.*SM90_TMA_LOAD", 2),
    "a piece twice": instead(r'coord<"\(0,1\)">', 'coord<"(0,0)">', 99),
    "the next tile begins in its last stage": last(r"(%\d+)( = cute.pipeline_advance\()(%\d+)(\) : !cute.pipeline_state<\"producer\".*\n\s+scf.yield )\1", r"\1\2\3\4\3"),
    "no wait until its stage is empty": without(r"cute\.producer_acquire\(.*\"tma\"", 1),
}

ADDED_BY_TURNS = {
    "no wait for the tile": without(r"cute\.consumer_wait", 1),
    "no release of its stage": without(r"cute\.consumer_release", 2),
    "the other's tile is not passed over": instead(r"(%\d+)( = arith\.ceildivui .*\n.*\n.*arith\.addi )\1, %\w+", r"\1\2%c0_i32, \1"),
}


GROUPED = {
    "the weight of another group": instead(r'(make_coord\((%\d+)\)( : \(i32\) -> !cute\.coord<)"\(\?,0\)">(?:.*\n)*?.*make_coord\()%\d+(\)\3"\(\?,_,_\)">)', r"\1\2\4"),
    "rows from another place": instead(r'(arith\.cmpi ult, (%\d+), (%\d+) (?:.*\n)*?.*make_coord\()\2(\) : \(i32\) -> !cute\.coord<"\(\?,0\)">)', r"\1\3\4"),
    "loads count the tiles of groups otherwise": instead(r'(make_coord\(%\w+\) : \(i32\) -> !cute\.coord<"\?">(?:.*\n)*?.*arith\.constant )127', r"\g<1>0"),
    "a round more is loaded": instead(r"arith\.constant 63", "arith.constant 127"),
    "no round where there is no tile": instead(r"arith\.cmpi ult", "arith.cmpi ule"),
    "rows of the next group are stored": instead(r"make_shape\(%\d+, (%\d+)#1\)", r"make_shape(\1#0, \1#1)"),
    "rows before the group are stored": last(r'(%\d+ = cute\.make_coord\()%\d+(\) : \(i32\) -> !cute\.coord<"\(\?,0\)">)', r"%none = arith.constant 0 : i32 \1%none\2"),
    "the buffer is written while others read it": without(r"cute\.named_barrier_sync", -1),
    "a cut tile by TMA, too": instead(r"arith\.minsi", "arith.maxsi", 9),
    "whole tiles by threads, cut ones by nobody": instead(r"arith\.xori", "arith.andi"),
    "no release after the loop": without(r"cute\.consumer_release", 1),
}


CONVOLUTION = {
    "rows and columns of a tap swapped": instead(r"make_coord\((%\d+), (%\d+)\)(.*\"\(\(\?,\?,0\),0\)\")", r"make_coord(\2, \1)\3"),
    "no tap": instead(r"cute\.domain_offset\(%\d+, (%\d+)\)", r"cute.group_modes<0, 1> (\1)"),
    "columns before rows in a box": instead(r"\(\(1,8,16,64\)\):\(\(0,16,1,128\)\)", "((1,8,16,64)):((0,1,8,128))", 9),
    "another order of shared memory": instead(r"\(1,8,16,64\):\(0,1024,64,1\)", "(1,8,16,64):(0,64,512,1)"),
    "channels of another place": instead(r"(cute\.idx2crd\(%\w+, %\d+\).*\n\s+(%\d+):3 = (?:.*\n)*?.*make_coord\(%\d+), %\d+, %\d+, \2#0", r"\1, %c0_i32, %c0_i32, \2#1"),
    "the weights of another tap": instead(r"make_coord\((%\d+)#2, \1#1\)", r"make_coord(\1#1, \1#2)"),
    "another image": last(r"make_coord\((%\d+), (%\d+), (%\d+), (%\d+)\)", r"make_coord(\1, \2, \1, \4)"),
    "no release in the loop": without(r"cute\.consumer_release", 0),
}


TENSOR = {
    "no release of a stage": without(r"cute\.consumer_release\(.*\"tma\""),
    "no wait for a full stage": without(r"cute\.consumer_wait\(.*\"tma\""),
    "no wait for an empty stage": without(r"cute\.producer_acquire\(.*\"tma\""),
    "a stage released by the thread": lambda text: text.replace('6, 1, "tcgen05">', '6, 1, "thread">').replace('"tcgen05", bytes<32768>', '"thread", bytes<32768>'),
    "sums committed by a thread": lambda text: text.replace('make_pipeline_async<"tcgen05"', 'make_pipeline_async<"async"').replace('pipeline<"tcgen05"', 'pipeline<"async"'),
    "sums never committed": without(r"cute\.producer_commit\(.*pipeline<\"tcgen05\""),
    "sums not waited for": without(r"cute\.consumer_wait\(.*pipeline<\"tcgen05\""),
    "sums not released": without(r"cute\.consumer_release\(.*pipeline<\"tcgen05\""),
    "sums overwritten while they are taken": without(r"cute\.producer_acquire\(.*pipeline<\"tcgen05\""),
    "one release of sums too many awaited": lambda text: text.replace('2, 1, 4, "warp">', '2, 1, 5, "warp">').replace('consumers<4>, "warp"', 'consumers<5>, "warp"'),
    "sums are taken by a warp less": lambda text: text.replace('2, 1, 4, "warp">', '2, 1, 3, "warp">').replace('consumers<4>, "warp"', 'consumers<3>, "warp"'),
    "another phase of the sums": last(r'make_pipeline_state<"consumer"> \((%\d+)\) : (!cute.pipeline<"tcgen05")', r'make_pipeline_state<"producer"> (\1) : \2'),
    "no fence after the sums are taken back": without(r'cute\.tcgen05_fence<"after">', 0),
    "no fence after the sums are there": without(r'cute\.tcgen05_fence<"after">', 1),
    "no fence before the sums are released": without(r'cute\.tcgen05_fence<"before">'),
    "loads not waited for": without(r"cute\.tmem_wait"),
    "the first round adds, too": instead(r"(cute\.gemm\(.*), %\d+\)", r"%yes = arith.constant true \1, %yes)"),
    "each round begins anew": instead(r"(cute\.gemm\(.*), %\d+\)", r"%no = arith.constant false \1, %no)"),
    "sums of both tiles in one place": instead(r"(\(\(65536,1\),128,128,)128", r"\g<1>0", 9),
    "lanes of another warp": instead(r"arith\.andi (%\d+), %c127_i32\w*", r"arith.xori \1, %c32_i32"),
    "too few columns": instead(r"(cute\.tmem_(?:de)?alloc)<256", r"\1<128", 9),
    "columns never freed": without(r"cute\.tmem_dealloc"),
    "others are freed": last(r"tmem_dealloc<256", "tmem_dealloc<128"),
    "no barrier before roles part": without(r"gpu\.barrier"),
    "a swizzle of another width": instead(r"S<3,3,3> o 0 o \(\(8,16\),\(64,1\),6\)", "S<2,3,3> o 0 o ((8,16),(64,1),6)"),
}

KEPT = ["no release of a stage", "no wait for a full stage", "no wait for an empty stage", "sums never committed", "sums not waited for",
        "sums not released", "sums overwritten while they are taken", "another phase of the sums", "no fence after the sums are taken back",
        "no fence after the sums are there", "no fence before the sums are released", "loads not waited for", "the first round adds, too",
        "each round begins anew", "sums of both tiles in one place", "too few columns", "columns never freed"]


def other_half(name):
    """Has blocks of a pair load another half of B."""
    def edit(text):
        lines = text.split("\n")
        (i,) = [i for i, line in enumerate(lines) if 'make_coord' in line and '(?,0)' in line]
        rank = re.search(r"make_coord\((%\d+)\)", lines[i])[1]
        lines.insert(i, f"%one = arith.constant 1 : i32 %half = arith.{name} {rank}, %one : i32")
        lines[i + 1] = lines[i + 1].replace(f"make_coord({rank})", "make_coord(%half)")
        return "\n".join(lines)
    return edit


PAIRS = {name: TENSOR[name] for name in KEPT} | {
    "both blocks multiply": instead(r"arith\.andi (%\d+), %\d+ : i1", r"arith.andi \1, \1 : i1"),
    "the second block multiplies": last(r"(block_rank_in_cluster\s+%\w+ = arith.constant 0 : i32\s+%\d+ = arith\.cmpi) eq", r"\1 ne"),
    "halves of B exchanged": other_half("xori"),
    "both load the second half": other_half("ori"),
    "sums of one block": lambda text: text.replace('4, "warp", 2>', '4, "warp">').replace('"warp", bytes<0>, "3"', '"warp", bytes<0>, ""'),
    "stages of one block": lambda text: text.replace("SM100_TMA_2SM_LOAD", "SM90_TMA_LOAD"),
    "the blocks do not meet first": lambda text: text.replace("cute.cluster_arrive", "gpu.barrier", 1).replace("cute.cluster_wait", "", 1),
    "the blocks do not meet in the end": last(r"cute\.cluster_arrive\s+cute\.cluster_wait", "gpu.barrier"),
    "columns of one block": lambda text: re.sub(r"(cute\.tmem_\w+<(?:256, )?)2>", r"\g<1>1>", text),
    "one frees columns of one block": last(r"tmem_dealloc<256, 2", "tmem_dealloc<256, 1"),
    "a product of one block": lambda text: text.replace("F16BF16_2x1SM_SS", "F16BF16_SS").replace("float,256,128", "float,128,128"),
    "a swizzle of another width": instead(r"S<3,3,3> o 0 o \(\(8,8\),\(64,1\),", "S<2,3,3> o 0 o ((8,8),(64,1),"),
    "bytes of one tile of A less": instead(r'(make_pipeline_tma<\d+, 1, "tcgen05"> \()%\d+#0, ', r"\1"),
    "tiles of a pair one row on": instead(r"arith\.addi (%\d+), (%\d+) : i32\n(\s+%\w+ = arith\.constant 1 : i32\n\s+%\d+ = arith\.subi)",
                                          r"arith.addi \1, \1 : i32\n\3"),
}


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def count_found(tool, arch, options, prefix, text, mutants):
    """The mutants of a kernel that fail; what else there is is printed."""
    found = 0
    for name, edit in {"nothing": lambda same: same, **mutants}.items():
        mutant = edit(text)
        with open(f"{prefix}.mlir", "w") as file:
            file.write(mutant)
        orders = 1 if name == "nothing" else 3  # sm90_run.test and others have more of right ones
        done = run([tool, "--device=sim", f"--arch={arch}", f"--schedules={orders}", "--timeout=60",
                    f"{prefix}.mlir", *options])
        if name == "nothing":
            if done.returncode:
                sys.exit(f"the kernel itself: {done.stdout}{done.stderr}")
            continue
        if mutant == text:
            print(f"{name}: changes nothing")
        elif not done.returncode:
            print(f"{name}: not found")
        else:
            found += 1
    return found


def gemm(m, n, k):
    return [f"f16[{m}x{k}]:normal(1)", f"f16[{n}x{k}]:normal(2)", f"f16[{m}x{n}]:poison",
            "--check", "C[m,n] = A[m,k] * B[n,k]"]


def added(m, n, k):
    return [*gemm(m, n, k)[:3], f"f16[{m}x{n}]:normal(4)", "--check", "C[m,n] = sum[k](A[m,k] * B[n,k]) + D[m,n]"]


def attention(heads, rows, columns, d):
    weight = "exp(0.25 * (sum[e](A[b,h,m,e] * B[b,h,n,e]) - 60))"
    tensors = [f"f16[1x{heads}x{extent}x{d}]:{generator}" for extent, generator in (
        (rows, "normal(1)"), (columns, "normal(2)"), (columns, "normal(3)"), (rows, "poison"))]
    return [*tensors, "0.25", "--tolerance=2e-3",
            "--check", f"D[b,h,m,d] = sum[n]({weight} * C[b,h,n,d]) / sum[n]({weight})"]


def main():
    optimizer, runner, prefix, plain_gemm, plain_attention, grouped, convolution = sys.argv[1:]
    ends = [5, 5, 140, 300]
    reference = plain_grouped.run(runner, grouped, prefix, (300, 136, 200), ends, [])
    of_groups = [*plain_grouped.arguments(prefix, (300, 136, 200), ends), f"--reference=3={reference}", "--tolerance=0", "--grid=2"]
    cases = [(plain_gemm, "rows = 8, cluster_x = 1", [], gemm(*SIZE) + ["--grid=2"], TENSOR),
             (plain_gemm, "rows = 8", [], gemm(*SIZE) + ["--grid=4"], PAIRS),
             (plain_gemm, "pingpong = 2", [], gemm(*SIZE) + ["--grid=2"], MUTANTS),
             (plain_gemm, "pingpong = 1", [], gemm(*SHORT) + ["--grid=2"], TURNS),
             (plain_gemm, "split = 3", [], gemm(*SIZE), SPLIT),
             (plain_gemm, "cluster_x = 2, pingpong = 2", [], gemm(*SIZE) + ["--grid=4"], MULTICAST),
             (plain_gemm, "cluster_x = 2, cluster_y = 2, pingpong = 2", [], gemm(*SIZE) + ["--grid=4,2"], BOTH_WAYS),
             (grouped, "persist = 1", [], of_groups, GROUPED),
             (plain_attention, "stages = 2, pingpong = 1", ["-D", "D=64", "-D", "KEYS=64"], attention(4, 130, 400, 64) + ["--grid=2"], ATTENTION)]
    image, filters = (2, 9, 20, 72), (40, 3, 2)
    plain_conv.run(runner, convolution, (image, filters, 1, 1, 1), prefix, [])
    of_images = ["f16[2x9x20x72]:normal(1)", "f16[40x3x2x72]:normal(2)", "f16[2x9x21x40]:poison", "1", "1",
                 f"--reference=2={prefix}.2.npy", "--tolerance=0", "--grid=2"]
    for tile, turns, mutants in (((128, 192, 64), 2, ADDED), ((128, 128, 64), 1, ADDED_BY_TURNS)):
        with open(f"{prefix}.{turns}.mlir", "w") as file:
            file.write(Plain("f16", "kk", tile, "residual").text())
        cases.append((f"{prefix}.{turns}.mlir", f"pingpong = {turns}", [], added(*SIZE) + ["--grid=2"], mutants))
    cases.append((convolution, "pingpong = 2", [], of_images, CONVOLUTION))
    found = total = 0
    for kernel, choice, parameters, options, mutants in cases:
        with open(kernel) as file, open(f"{prefix}.plain.mlir", "w") as chosen:
            text = re.sub(r"cute.schedule = .*?},", "", file.read())
            chosen.write(text.replace("cute.grid =", f"cute.schedule = {{{choice}}}, cute.grid ="))
        arch = "sm_100a" if mutants in (TENSOR, PAIRS) else "sm_90a"
        steps = "--cute-sm100" if mutants in (TENSOR, PAIRS) else "--cute-sm90"
        text = run([optimizer, f"{prefix}.plain.mlir", *parameters, f"{steps}=arch={arch}"]).stdout
        chosen = dict(take_turn(mutants.items(), 7))
        total += len(chosen)
        found += count_found(runner, arch, options, prefix, text, chosen)
    print(f"{found} of {total} found")


main()
