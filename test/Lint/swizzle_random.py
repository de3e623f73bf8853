"""Checks cute-swizzle on random kernels against a model of the banks.

  swizzle_random.py CUTE-OPT COUNT SEED

A kernel copies registers to a tensor in shared memory and back, with different
threads and vectors. The addresses follow from the definition of a tiled copy, the
conflicts from counting distinct words a bank; no swizzle may be better than the
one that was chosen.
"""
import itertools
import random
import re
import subprocess
import sys

KERNEL = '''
gpu.module @m {{
  gpu.func @f() kernel attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %l = cute.static : !cute.layout<"({rows},{columns}):({pitch},1)">
    %s = cute.alloc_smem<{type}, 1024> (%l)
{copies}    gpu.return
  }}
}}
'''
COPY = '''    %a{n} = cute.static : !cute.copy_atom<"UniversalCopy<uint{bits}_t>", {type}>
    %t{n} = cute.static : !cute.layout<"({tr},{tc}):({ds},{dc})">
    %v{n} = cute.static : !cute.layout<"(1,{vector}):(0,1)">
    %c{n} = cute.make_tiled_copy(%a{n}, %t{n}, %v{n})
    %p{n} = cute.partition_{side}(%c{n}, %s, %t)
    %r{n} = cute.make_fragment_like(%p{n})
    cute.copy(%c{n}, {order})
'''


def power(rng, low, high):
    return 2 ** rng.randint(low, high)


def generate(rng):
    width = rng.choice((16, 32))
    threads = power(rng, 5, 7)
    case = {"type": f"f{width}", "width": width, "threads": threads,
            "rows": power(rng, 5, 7), "columns": power(rng, 5, 7)}
    case["pitch"] = case["columns"] + rng.choice((0, 0, 8))
    case["accesses"] = []
    for n in range(2):
        vector = power(rng, 0, 2 if width == 32 else 3)
        most = case["columns"] // vector
        tc = min(power(rng, 0, 5), most, threads)
        while threads // tc > case["rows"]:
            tc *= 2
        if tc > most:
            return None
        tr = threads // tc
        if case["rows"] * case["columns"] > 256 * threads * vector:
            return None  # more requests than are counted
        by_rows = rng.random() < 0.5
        case["accesses"].append({
            "n": n, "vector": vector, "tr": tr, "tc": tc,
            "ds": tc if by_rows else 1, "dc": 1 if by_rows else tr})
    return case


def source(case):
    copies = ""
    for a in case["accesses"]:
        n = a["n"]
        copies += COPY.format(
            **a, type=case["type"], bits=a["vector"] * case["width"],
            side="sd"[n], order=f"%p{n}, %r{n}" if n == 0 else f"%r{n}, %p{n}")
    return KERNEL.format(**case, copies=copies)


def requests(case):
    """(bytes, [index of the first element of each thread]) of each access."""
    for a in case["accesses"]:
        height, width = a["tr"], a["tc"] * a["vector"]
        place = {}
        for r, c in itertools.product(range(a["tr"]), range(a["tc"])):
            place[r * a["ds"] + c * a["dc"]] = (r, c * a["vector"])
        for i, j in itertools.product(range(0, case["rows"], height),
                                      range(0, case["columns"], width)):
            yield a["vector"] * case["width"] // 8, [
                (i + place[t][0]) * case["pitch"] + j + place[t][1]
                for t in range(case["threads"])]


def swizzled(index, swizzle):
    bits, base, shift = swizzle
    return index ^ (index >> (base + shift) & (1 << bits) - 1) << base


def conflicts(case, swizzle, limit=None):
    excess = 0
    for size, indices in requests(case):
        at_once = min(32, 128 // size)
        for first in range(0, len(indices), at_once):
            words = set()
            for index in indices[first:first + at_once]:
                byte = swizzled(index, swizzle) * case["width"] // 8
                words.update(range(byte // 4, (byte + size - 1) // 4 + 1))
            banks = [0] * 32
            for word in words:
                banks[word % 32] += 1
            excess += max(banks) - 1
        if limit is not None and excess >= limit:
            return excess
    return excess


def best(case, limit):
    """The fewest conflicts with any swizzle that leaves vectors whole."""
    base = max(a["vector"] for a in case["accesses"]).bit_length() - 1
    end = (case["rows"] * case["pitch"] - 1).bit_length()
    for bits in range(1, 6):
        for m in range(base, end):
            for shift in range(bits, end - m):
                if limit:
                    limit = min(limit, conflicts(case, (bits, m, shift), limit))
    return limit


def check(case, opt):
    text = source(case)
    done = subprocess.run([opt, "-", "--cute-swizzle"], input=text,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(text + done.stderr)
    plain = conflicts(case, (0, 0, 0))
    gets = re.search(r"gets the swizzle S<(\d+),(\d+),(\d+)>: (\d+) bank conflicts "
                     r"of (\d+) remain", done.stderr)
    if gets:
        bits, base, shift, left, now = (int(g) for g in gets.groups())
        kind, want = "swizzled", (plain, best(case, plain))
        ok = want == (now, left) and left < now and left == conflicts(
            case, (bits, base, shift))
        ok = ok and f"-> !cute.tensor<{case['type']}, smem, align<1024>, " \
            f"\"S<{bits},{base},{shift}> o 0 o" in done.stdout
    elif "needs no swizzle: 2 accesses without bank conflicts" in done.stderr:
        kind, ok = "free", plain == 0
    else:
        kind = "none"
        ok = f"none has fewer than the {plain} bank" in done.stderr \
            and plain and best(case, plain) == plain
    if not ok:
        sys.exit(f"{text}{done.stderr}{plain} conflicts, {best(case, plain)} at best")
    return kind


def main():
    opt, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    kinds = {"swizzled": 0, "free": 0, "none": 0}
    while sum(kinds.values()) < count:
        case = generate(rng)
        if case:
            kinds[check(case, opt)] += 1
    assert all(kinds.values()), f"{kinds}: take another seed"
    print(f"{count} kernels are right")


main()
