"""Compares what is proved of random kernels with runs of them: no proof may be false.

usage: random_tiles.py [--count=N] [--seed=N] [--sizes=N]

The kernels write tiles of a matrix in loops and blocks of several kinds, most of them with
a mistake of one: a guard, a step, a grid, a width. A proof that an access is in bounds, that
each element is written, or that one thread alone writes it, is compared with runs of the
simulator at random sizes. Who writes an element is shown by a kernel that keeps the lowest
and the highest number of a thread that does.
"""
import argparse
import array
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

BOUNDS, WRITTEN, WRITER = "access of global", "output is written", "written by two"
ROWS = (1, 2, 3, 4, 7, 8, 9, 12, 16, 17, 33)
COLUMNS = (1, 2, 4, 7, 8, 9, 15, 16, 31, 32, 33, 40)


def text_of(number, is_marked):
    """A kernel that writes 1 to each element of a matrix, if it has no mistake; or notes the
    threads that would in two others."""
    r = random.Random(number)

    def pick(right, *wrong):
        return right if r.random() < .94 else r.choice(wrong)

    tx, ty = r.choice([(8, 4), (16, 2), (32, 1), (4, 8)])
    rounds = r.choice([1, 1, 2, 3])
    rows = ty * rounds
    tile = pick(rows, rows + 1, rows - 1, 2 * rows), pick(tx, tx + 1, 2 * tx, tx - 1)
    row = pick(f"%y + %k * {ty}", f"%y * {rounds} + %k", f"%y + %k * {ty + 1}", f"%y * {rounds + 1} + %k",
               f"({rows - 1} - %y - %k * {ty})", "%y + %k", f"(%y xor 1) + %k * {ty}")
    column = pick("%x", f"({tx - 1} - %x)", "(%x xor 1)", "(%x xor 3)", "(%x /u 2) * 2", "%x * 2")
    loop = f"i32({pick(0, 1)})..i32({pick(rounds, rounds + 1, max(rounds - 1, 1))}){pick('', ' step 2')}"
    guard = pick("%m <s %M and %n <s %N", "%m <s %M", "%n <s %N", "%m <=s %M and %n <s %N",
                 "%m <s %M - 1 and %n <s %N", "%m <s %N and %n <s %M")
    m = r.choice(["%m0 + 0"] * 19 + ["%M - 1 - %m0"])
    down = f"ceil_div(arg0.shape[0], {pick(rows, rows + 1, 2 * rows)})"
    along = f"ceil_div(arg0.shape[1], {pick(tx, tx + 1, 2 * tx)})"
    if r.random() < .1:
        down = f"arg0.shape[0] / {rows}"
    kind = r.choice(["plain", "plain", "persistent", "rows", "numbers"])
    end = ""
    if kind == "plain":
        grid = f'"{along}", "{down}"'
        begin = '%bm = cute.block_idx<"y">\n    %bn = cute.block_idx<"x">'
    elif kind == "persistent":
        grid, end = f'"{pick("3", "1", "2")}", "{along}"', "    }\n"
        tiles = f"%M {pick('ceildivu', '/u')} {pick(rows, 2 * rows)}"
        first, step = pick("%b", "(%b + 1)", "(%b * 2)"), pick("%g", "(%g + 1)", "3", "(%g * 2)")
        begin = ('%b = cute.block_idx<"x">\n    %bn = cute.block_idx<"y">\n    %g = cute.grid_dim<"x">\n'
                 f"    %tiles = {tiles}\n    for %bm in {first}..%tiles step {step} {{")
    elif kind == "rows":
        grid, end = f'"{down}"', "    }\n"
        tiles = f"%N {pick('ceildivu', '/u')} {pick(tx, 2 * tx)}"
        begin = f'%bm = cute.block_idx<"x">\n    %tiles = {tiles}\n    for %bn in {pick(0, 1)}..%tiles {{'
    else:
        grid = f'"{down} * {along}"'
        tiles = f"%N {pick('ceildivu', '/u')} {pick(tx, 2 * tx)}"
        begin = (f'%b = cute.block_idx<"x">\n    %w = {tiles}\n    %v = %w {pick("+ 0", "+ 1")}\n'
                 f"    %bm = %b /u %w\n    %bn = %b modu {pick('%w', '%v')}")
    store = "%A[%m,%n] = 1.0"
    if is_marked:
        store = ('%l = cute.atomic_rmw<"min"> (%number, %L, (%m,%n))\n'
                 '          %h = cute.atomic_rmw<"max"> (%number, %H, (%m,%n))')
    return f"""!matrix = !cute.tensor<f32, gmem, align<4>, "(?,?):(?,1)">
!numbers = !cute.tensor<i32, gmem, align<4>, "(?,?):(?,1)">
gpu.module @module {{
  gpu.func @tiles(%A: !matrix{', %L: !numbers, %H: !numbers' if is_marked else ''}) kernel
      attributes {{known_block_size = array<i32: {tx}, {ty}, 1>, cute.grid = [{grid}]}} {{
    %x = cute.thread_idx<"x">
    %y = cute.thread_idx<"y">
    %M, %N = cute.get_scalars(cute.get_shape(%A))
    %number = ((cute.block_idx<"y"> * 1000 + cute.block_idx<"x">) * {ty} + %y) * {tx} + %x
    {begin}
      for %k in {loop} {{
        %m0 = %bm * {tile[0]} + {row}
        %n = %bn * {tile[1]} + {column}
        %m = {m}
        if {guard} {{
          {store}
        }}
      }}
{end}    gpu.return
  }}
}}
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def proved_of(path, counts):
    """What is proved of a kernel, and the contracts: a mode of the matrix, and what its extent is
    a multiple of."""
    code, said = run("cutec", path, "--prove")
    if code not in (0, 1) or (code and "refuted" not in said):
        sys.exit(f"{said}\n{pathlib.Path(path).read_text(encoding='utf-8')}")
    proved, contracts = set(), set()
    for outcome, claim in re.findall(r"^tiles: (proved|refuted|not decided)(.*)", said, re.MULTILINE):
        for known in (BOUNDS, WRITTEN, WRITER):
            if known in claim:
                counts[f"{outcome}: {known}"] += 1
                proved |= {known} if outcome == "proved" else set()
        if outcome == "proved" and ", where " in claim:
            contracts |= set(re.findall(r"arg0\.shape\[(\d)\] % (\d+) == 0", claim))
            if re.sub(r"arg0\.shape\[\d\] % \d+ == 0|, | and ", "", claim.split(", where ")[1]):
                return set(), contracts  # another contract
    return proved, contracts


def integers_of(path):
    """The 32-bit integers of a .npy file, after its header of `bytes[8] + 256 * bytes[9]`."""
    data = pathlib.Path(path).read_bytes()
    return array.array("i", data[10 + data[8] + 256 * data[9]:])


def shown_by(folder, size):
    """The mistakes that a run at a size shows, None where a grid is empty."""
    size = "x".join(map(str, size))
    code, said = run("cute-run", folder + "/k.mlir", "--device=sim", "--checks=written", f"f32[{size}]:poison")
    if "nothing to launch" in said or "no blocks" in said:
        return None
    shown = {BOUNDS} if "out of bounds" in said else {WRITTEN} if "never written" in said else set()
    lowest, highest = (f"{folder}/{name}.npy" for name in ("lowest", "highest"))
    code, _ = run("cute-run", folder + "/marked.mlir", "--device=sim", f"f32[{size}]:poison",
                  f"i32[{size}]:fill(100000000)", f"i32[{size}]:fill(-1)",
                  "--output", f"1={lowest}", "--output", f"2={highest}")
    if not code:
        pairs = zip(integers_of(lowest), integers_of(highest))
        shown |= {WRITER} if any(high >= 0 and low != high for low, high in pairs) else set()
    return shown


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", type=int, default=8)
    options = parser.parse_args()
    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.seed, options.seed + options.count):
            for name, is_marked in (("k", False), ("marked", True)):
                pathlib.Path(f"{folder}/{name}.mlir").write_text(text_of(number, is_marked), encoding="utf-8")
            proved, contracts = proved_of(folder + "/k.mlir", counts)
            r = random.Random(~number)
            for _ in range(options.sizes if proved else 0):
                size = r.choice(ROWS), r.choice(COLUMNS)
                if any(size[int(mode)] % int(divisor) for mode, divisor in contracts):
                    continue
                shown = shown_by(folder, size)
                counts["runs"] += shown is not None
                for claim in sorted(proved & (shown or set())):
                    wrong += 1
                    print(f"seed {number}, {size}: proved, and false: {claim}\n{text_of(number, False)}")
    for what, count in sorted(counts.items()):
        print(count, what)
    print(f"{wrong} false proofs of {options.count} kernels")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
