"""Checks cute-swizzle on random kernels against a model of the banks.

  swizzle_random.py CUTE-OPT COUNT SEED

A kernel copies registers to a tensor in shared memory and back, with different
threads and vectors; the tensor is row-major, column-major or made of blocks. The
addresses follow from the definition of a tiled copy, the conflicts from counting
distinct words a bank; no swizzle, in either direction, may be better than the one
that was chosen. SEED may be `fresh`.
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
    %l = cute.static : !cute.layout<"{layout}">
    %s = cute.alloc_smem<{type}, 1024> (%l)
{copies}    gpu.return
  }}
}}
'''
COPY = '''    %a{n} = cute.static : !cute.copy_atom<"UniversalCopy<uint{bits}_t>", {type}>
    %t{n} = cute.static : !cute.layout<"({tr},{tc}):({ds},{dc})">
    %v{n} = cute.static : !cute.layout<"{values}">
    %c{n} = cute.make_tiled_copy(%a{n}, %t{n}, %v{n})
    %p{n} = cute.partition_{side}(%c{n}, %s, %t)
    %r{n} = cute.make_fragment_like(%p{n})
    cute.copy(%c{n}, {order})
'''


def power(rng, low, high):
    return 2 ** rng.randint(low, high)


def draw_layout(rng, case):
    """Text of the layout, and the strides and extents of its leaves."""
    r, c = case["rows"], case["columns"]
    kind = rng.choice(("rows", "rows", "columns", "blocks"))
    pad = rng.choice((0, 0, 8))
    case["fast"] = 0 if kind == "columns" else 1
    if kind == "rows":
        leaves = [(r, c + pad)], [(c, 1)]
    elif kind == "columns":
        leaves = [(r, 1)], [(c, r + pad)]
    elif case["threads"] == 96:
        return None
    else:
        leaves = [(8, 8), (r // 8, 8 * c)], [(8, 1), (c // 8, 64)]
    case["leaves"] = leaves
    shape = ["(%s)" % ",".join(str(leaf[0]) for leaf in mode) for mode in leaves]
    stride = ["(%s)" % ",".join(str(leaf[1]) for leaf in mode) for mode in leaves]
    return f"({','.join(shape)}):({','.join(stride)})"


def generate(rng):
    width = rng.choice((8, 16, 16, 32, 64))
    threads = rng.choice((32, 64, 96, 128))
    case = {"type": f"f{width}" if width > 8 else "i8", "width": width,
            "threads": threads, "rows": power(rng, 3, 6), "columns": power(rng, 3, 6)}
    if threads == 96:
        case["rows"] *= 3
    case["layout"] = draw_layout(rng, case)
    if not case["layout"]:
        return None
    extents = case["rows"], case["columns"]
    case["accesses"] = []
    for n in range(rng.randint(1, 3)):
        vector = power(rng, 0, min(3, (128 // width).bit_length() - 1))
        grid = [0, 0]
        fast = case["fast"]
        grid[fast] = power(rng, 0, 5)
        if threads % grid[fast]:
            return None
        grid[1 - fast] = threads // grid[fast]
        unit = list(grid)
        unit[fast] *= vector
        if any(e % u for e, u in zip(extents, unit)):
            return None
        if extents[0] * extents[1] > 256 * threads * vector:
            return None  # more requests than are counted
        by_rows = rng.random() < 0.5
        case["accesses"].append({
            "n": n, "vector": vector, "tr": grid[0], "tc": grid[1],
            "values": f"(1,{vector}):(0,1)" if fast else f"({vector},1):(1,0)",
            "ds": grid[1] if by_rows else 1, "dc": 1 if by_rows else grid[0]})
    return case


def source(case):
    copies = ""
    for a in case["accesses"]:
        n = a["n"]
        copies += COPY.format(
            **a, type=case["type"], bits=a["vector"] * case["width"],
            side="sd"[n % 2], order=f"%p{n}, %r{n}" if n % 2 == 0 else
            f"%r{n}, %p{n}")
    return KERNEL.format(**case, copies=copies)


def index_of(case, coordinates):
    index = 0
    for x, mode in zip(coordinates, case["leaves"]):
        for extent, stride in mode:
            index += x % extent * stride
            x //= extent
    return index


def requests(case):
    """(bytes, [index of the first element of each thread]) of each access."""
    for a in case["accesses"]:
        height, width = a["tr"], a["tc"]
        wide = [1, 1]
        wide[case["fast"]] = a["vector"]
        place = {}
        for r, c in itertools.product(range(height), range(width)):
            place[r * a["ds"] + c * a["dc"]] = (r * wide[0], c * wide[1])
        for i, j in itertools.product(
                range(0, case["rows"], height * wide[0]),
                range(0, case["columns"], width * wide[1])):
            yield a["vector"] * case["width"] // 8, [
                index_of(case, (i + place[t][0], j + place[t][1]))
                for t in range(case["threads"])]


def swizzled(index, swizzle):
    bits, base, shift = swizzle
    if shift < 0:
        return index ^ (index >> base & (1 << bits) - 1) << base - shift
    return index ^ (index >> (base + shift) & (1 << bits) - 1) << base


def conflicts(case, swizzle, limit=None):
    excess, scale = 0, case["width"]
    for size, indices in case["requests"]:
        at_once = min(32, 128 // size)
        for warp in range(0, len(indices), 32):
            for first in range(warp, min(warp + 32, len(indices)), at_once):
                words = set()
                for index in indices[first:first + at_once]:
                    byte = swizzled(index, swizzle) * scale // 8
                    words.update(range(byte // 4, (byte + size - 1) // 4 + 1))
                banks = [0] * 32
                for word in words:
                    banks[word % 32] += 1
                excess += max(banks) - 1
        if limit is not None and excess >= limit:
            return excess
    return excess


def best(case, limit):
    """The fewest conflicts with any swizzle that leaves vectors whole; the limit
    where none has fewer."""
    base = max(a["vector"] for a in case["accesses"]).bit_length() - 1
    end = max(max(indices) + size * 8 // case["width"] - 1
              for size, indices in case["requests"]).bit_length()
    for bits in range(1, 8):
        for m in range(base, end):
            for shift in range(bits, end - m):
                for s in (shift, -shift):
                    if limit:
                        limit = min(limit, conflicts(case, (bits, m, s), limit))
    return limit


def check(case, opt):
    text = source(case)
    case["requests"] = list(requests(case))
    done = subprocess.run([opt, "-", "--cute-swizzle"], input=text,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(text + done.stderr)
    plain = conflicts(case, (0, 0, 0))
    gets = re.search(r"gets the swizzle S<(\d+),(\d+),(\d+)>: (\d+) bank conflicts "
                     r"of (\d+) remain", done.stderr)
    if gets:
        bits, base, shift, left, now = (int(g) for g in gets.groups())
        kind = "swizzled"
        ok = now == plain and left < now and left == conflicts(
            case, (bits, base, shift)) and left == best(case, left)
        ok = ok and f"-> !cute.tensor<{case['type']}, smem, align<1024>, " \
            f"\"S<{bits},{base},{shift}> o 0 o" in done.stdout
    elif re.search("needs no swizzle: . access(es)? without bank", done.stderr):
        kind, ok = "free", plain == 0
    else:
        kind = "none"
        ok = f"none has fewer than the {plain} bank" in done.stderr \
            and plain and best(case, plain) == plain
    if not ok:
        sys.exit(f"{text}{done.stderr}{plain} conflicts, {best(case, plain)} at best")
    return kind


def main():
    opt, count, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if seed == "fresh":
        seed = random.SystemRandom().randrange(1 << 30)
    print(f"seed {seed}", file=sys.stderr)
    rng = random.Random(int(seed))
    kinds = {"swizzled": 0, "free": 0, "none": 0}
    while sum(kinds.values()) < count:
        case = generate(rng)
        if case:
            kinds[check(case, opt)] += 1
    print(f"{count} kernels are right:", ", ".join(
        f"{number} {kind}" for kind, number in kinds.items()))


main()
