#!/usr/bin/env python3
"""Times products of groups of rows, f16, beside the dense product of the size.

usage: grouped.py fill FOLDER     writes texts to FOLDER, to be compiled by
                                  cutec NAME.mlir --arch=sm_90a --passes=cute-optimize
                                        --emit=cubin -o NAME.cubin
       grouped.py FOLDER [MxNxK:GROUPS ...]

The texts are examples/gemm_grouped_plain.mlir and gemm_plain.mlir, by cute-optimize. Groups
have equal numbers of rows, or end at random, some with none. All are checked beside float64,
at odd sizes first, and timed in turns, in bursts as bursts.py has them. Prints medians in
TFLOP/s, the ratio to the dense product, and in brackets the most that the number of tiles allows:
each multiprocessor computes whole tiles, as many as the busiest one, and a group's last tile may
have few rows. Then GB/s of all operands, read once. Needs a GPU of sm_90 and torch.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = ["8192x4096x4096:16", "16384x8192x1024:16", "32768x4096x4096:16", "16384x4096x2048:64"]
ODD = [(1, 8, 8, 1), (129, 264, 200, 3), (777, 336, 144, 16), (2000, 1032, 72, 70)]
ROWS = 128
TILES = {"256": 256, "turns": 128, "192": 192}  # columns of a tile
BY_TURNS = {"gemm_plain": ("cute.grid", "cute.schedule = {pingpong = 1}, cute.grid"),
            "gemm_grouped_plain": ("{persist = 1}", "{persist = 1, pingpong = 1}")}


def fill(folder):
    for name, columns in TILES.items():
        for kind in ("gemm_plain", "gemm_grouped_plain"):
            text = (ROOT / f"examples/{kind}.mlir").read_text()
            if name == "192":
                text = text.replace(*BY_TURNS[kind])
            (folder / f"{name}_{kind}.mlir").write_text(text.replace("BN = 128", f"BN = {columns}"))


def ends_of(m, count, kind):
    import torch
    if kind == "equal":
        return (torch.arange(1, count + 1) * m // count).int()
    generator = torch.Generator().manual_seed(kind)
    ends = torch.randint(0, m + 1, (count,), generator=generator).sort().values.int()
    ends[-1] = m
    return ends


def turns_of(name, rows, n):
    """How many tiles the busiest multiprocessor computes.

    :param rows: of each group, or of the whole matrix
    """
    import torch
    tiles = sum(-(-r // ROWS) for r in rows) * -(-n // TILES[name.split("_")[0]])
    return -(-tiles // torch.cuda.get_device_properties(0).multi_processor_count)


def share_of_tiles(rows, n):
    """The share of the dense product's speed that groups of rows can reach by whole tiles: the
    least elements of the busiest multiprocessor, dense over groups. A tile of 64 rows takes 1.09
    times as long for its size as one of 128."""
    import torch
    count = torch.cuda.get_device_properties(0).multi_processor_count

    def busiest(rows):
        return min(-(-sum(-(-r // height) for r in rows) * -(-n // width) // count) * width * cost
                   for height, width, cost in ((64, 256, 70), *((ROWS, w, ROWS) for w in TILES.values())))
    return busiest([sum(rows)]) / busiest(rows)


def bound(folder, name, given):
    """The kernel of a text, in as many blocks as it has tiles at most, or multiprocessors."""
    import torch
    from bursts import Kernel
    columns = TILES[name.split("_")[0]]
    m, n = given[-1].shape
    groups = len(given[2]) if len(given) == 4 else 0
    blocks = min((-(-m // ROWS) + groups) * -(-n // columns),
                 torch.cuda.get_device_properties(0).multi_processor_count)
    return Kernel(folder, name, "gemm_grouped" if groups else "gemm", (blocks, 1, 1), given)


def made(folder, names, m, n, k, ends):
    """{name: kernel}, checked."""
    import torch
    from bursts import checked
    a, c = torch.randn(m, k, device="cuda").half(), torch.empty(m, n, device="cuda").half()
    b = torch.randn(len(ends), n, k, device="cuda").half()
    starts = [0, *ends.tolist()]
    sums = torch.cat([a[i:j].double() @ w.double().t() for i, j, w in zip(starts, starts[1:], b)])
    kernels = {}
    for name in names:
        if "grouped" in name:
            kernel = bound(folder, name, [a, b, ends.cuda(), c])
            kernels[name] = checked(f"{m}x{n}x{k}", name, kernel, c, sums)
        else:
            kernel = bound(folder, name, [a, b[0], c])
            kernels[name] = checked(f"{m}x{n}x{k}", name, kernel, c, a.double() @ b[0].double().t())
    return kernels


def main():
    if sys.argv[1] == "fill":
        fill(pathlib.Path(sys.argv[2]))
        return
    from operands import bursts_of
    folder = pathlib.Path(sys.argv[1])
    names = sorted(path.stem for path in folder.glob("*.cubin"))
    grouped = [name for name in names if "grouped" in name]
    for *extents, count in ODD:
        made(folder, grouped, *extents, ends_of(extents[0], count, 3))
    print("odd sizes are right", flush=True)
    for size in sys.argv[2:] or SIZES:
        extents, count = size.split(":")
        m, n, k = map(int, extents.split("x"))
        for kind in ("equal", 1, 2):
            ends = ends_of(m, int(count), kind)
            found = bursts_of(made(folder, names, m, n, k, ends), 2 * m * n * k)
            dense = {name.split("_")[0]: x for name, x in found.items() if "grouped" not in name}
            best = max(dense.values())
            rows = ends.diff(prepend=ends.new_zeros(1)).tolist()
            moved = 2 * (m * k + int(count) * n * k + m * n)
            print(f"{size:<18} {kind:<5} dense {best:4.0f}", end="")
            for name in grouped:
                tile = name.split("_")[0]
                most = dense[tile] / best * turns_of(name, [m], n) / turns_of(name, rows, n)
                print(f"  {name.replace('_gemm_grouped_plain', '')} {found[name]:4.0f} {found[name] / best:.3f} "
                      f"({most:.3f}) {moved * found[name] * 500 / (m * n * k):4.0f}", end="")
            print(flush=True)


if __name__ == "__main__":
    main()
