#!/usr/bin/env python3
"""Times plain products with a tensor of the result's size added, f16, beside the product alone.

usage: operands.py fill FOLDER     writes texts to FOLDER, which `cutec` is to make cubins of
       operands.py FOLDER [MxNxK ...]

The tile of what is added comes by TMA through the loop's stages (cute-tma-operands), or by
threads (cute.schedule = {operands = 2}). All are checked beside float64, at odd sizes first,
and timed in turns, in bursts as bursts.py has them, 7 of each. Prints medians in TFLOP/s and
their ratios to the product alone. Needs a GPU of sm_90 and torch.
"""
import pathlib
import sys
import time

SIZES = ["4096x4096x4096", "8192x8192x8192", "16384x8192x1024", "4096x14336x4096", "8192x8192x512"]
ODD = [(1, 8, 8), (129, 264, 200), (777, 336, 144), (300, 1032, 1008)]
TILES = {"256": (128, 256, 64), "turns": (128, 128, 64)}
KINDS = {"alone": ("convert", ""), "tma": ("residual", ""), "threads": ("residual", "operands = 2")}


def fill(folder):
    root = pathlib.Path(__file__).resolve().parent.parent
    sys.path.insert(0, str(root / "test/Transforms/Inputs"))
    from plain_gemm import Plain
    for tile, extents in TILES.items():
        for kind, (epilogue, schedule) in KINDS.items():
            text = Plain("f16", "kk", extents, epilogue, schedule=schedule).text()
            (folder / f"{tile}_{kind}.mlir").write_text(text)


def bound(folder, tile, kind, m, n, k, given):
    import torch
    from bursts import Kernel, ceil_div
    bm, bn, _ = TILES[tile]
    grid = min(ceil_div(m, bm) * ceil_div(n, bn),
               torch.cuda.get_device_properties(0).multi_processor_count)
    arguments = given if kind != "alone" else given[:3]
    return Kernel(folder, f"{tile}_{kind}", "gemm", (grid, 1, 1), arguments)


def made(folder, tile, m, n, k):
    """{kind: kernel}, checked."""
    import torch
    from bursts import checked
    a, b, c, more = (torch.randn(*shape, device="cuda").half()
                     for shape in ((m, k), (n, k), (m, n), (m, n)))
    sums = a.double() @ b.double().t()
    kernels = {}
    for kind in KINDS:
        kernel = bound(folder, tile, kind, m, n, k, [a, b, c, more])
        wanted = sums if kind == "alone" else sums + more.double()
        kernels[kind] = checked(f"{tile} {m}x{n}x{k}", kind, kernel, c, wanted)
    return kernels


def bursts_of(functions, flops):
    import torch
    from bursts import milliseconds
    times = {name: [] for name in functions}
    for function in functions.values():
        milliseconds(function, 3)
    for _ in range(7):
        for name, function in functions.items():
            torch.cuda.synchronize()
            time.sleep(0.08)
            times[name].append(flops / milliseconds(function, 10) * 1e-9)
    return {name: sorted(found)[3] for name, found in times.items()}


def main():
    if sys.argv[1] == "fill":
        fill(pathlib.Path(sys.argv[2]))
        return
    folder = pathlib.Path(sys.argv[1])
    for tile in TILES:
        for odd in ODD:
            made(folder, tile, *odd)
        print(f"{tile}: odd sizes are right", flush=True)
    for size in sys.argv[2:] or SIZES:
        m, n, k = map(int, size.split("x"))
        functions = {f"{tile} {kind}": kernel for tile in TILES
                     for kind, kernel in made(folder, tile, m, n, k).items()}
        found = bursts_of(functions, 2 * m * n * k)
        for tile in TILES:
            alone = found[f"{tile} alone"]
            print(f"{size:<18} {tile:<6}", "  ".join(
                f"{kind} {found[f'{tile} {kind}']:5.0f} ({found[f'{tile} {kind}'] / alone:.3f})"
                for kind in KINDS), flush=True)


if __name__ == "__main__":
    main()
