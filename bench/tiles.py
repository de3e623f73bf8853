"""Products of bf16 at random sizes with each tile that cute.kernels may choose, beside torch.

The regret is the time of the tile that is chosen over that of the fastest. Medians with a cold
L2 cache, in turns; about 0.1 s a size, and 0.5 s to compile each tile.
"""
import importlib
import itertools
import math
import random

import torch
from library_operands import BF16, medians

from cute.kernels import _gemm_choice, _text
from cute.kernels.gemm_sm90 import Product

gemm = importlib.import_module("cute.kernels.gemm")
PRODUCT = Product("bf16", "bf16", "bf16")
COSTS = ("_BYTES", "_LINES", "_PRODUCT", "_ROW", "_SHARED_ROUND", "_STORE", "_IN_TURNS", "_ODD_STORE", "_ONCE", "_CLUSTER",
         "_LARGE_CLUSTER", "_SPLIT", "_SUM")
SLOW = 1.6  # times the least estimate; slower tiles are left out


def size_at_random():
    """M, N, K of up to 0.4 TFLOP; rows begin at 16 bytes, or at whole lines."""
    while True:
        m, n, k = (int(2 ** random.uniform(*e)) for e in ((0, 13), (6, 14), (9, 14)))
        step = random.choice((8, 16, 32, 64, 64, 128, 128))
        n, k = max(64, n // step * step), max(512, k // step * step)
        if 2e8 < 2 * m * n * k < 4e11:
            return m, n, k


def estimate(tile, product, size):
    count = _text.device(0).multiprocessors
    return _gemm_choice.microseconds(product, tile, size, 1, count)


def times_of(size):
    """(torch's time, [(tile, product, microseconds)]), the tile first that is chosen."""
    m, n, k = size
    a, b = (torch.randn(rows, k, device="cuda").to(BF16) for rows in (m, n))
    out = torch.empty(m, n, device="cuda", dtype=BF16)
    found = sorted(_gemm_choice.candidates(PRODUCT, size), key=lambda c: estimate(*c, size))
    most = SLOW * estimate(*found[0], size)
    found = [c for c in found if estimate(*c, size) <= most]
    calls = [lambda: torch.matmul(a, b.t(), out=out)]
    chosen = _gemm_choice.chosen
    for _, product in found:
        _gemm_choice.chosen = lambda *_, product=product: product
        call = gemm._Request(a, [b], out, None, True).call([])  # pylint: disable=protected-access
        calls.append(lambda call=call: call(None, a, b, out))
    _gemm_choice.chosen = chosen
    other, *mine = medians(calls, 6)
    return other, [(*c, time) for c, time in zip(found, mine)]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def error_of(measured):
    """How far estimates are from times, as logarithms; slow tiles count less."""
    return sum((min(time for *_, time in found) / time) ** 4 * abs(math.log(estimate(tile, product, size) / time))
               for size, found in measured for tile, product, time in found)


def print_fits(measured):
    """Prints costs of the model that fit the times better."""
    part, least = 0.2, error_of(measured)
    while part > 0.005:
        before = least
        for name, sign in itertools.product(COSTS, (-1, 1)):
            cost = getattr(_gemm_choice, name)
            setattr(_gemm_choice, name, cost * (1 + sign * part))
            error = error_of(measured)
            least = min(least, error)
            if error > least:
                setattr(_gemm_choice, name, cost)
        part /= 2 if least == before else 1
    for name in COSTS:
        print(f"{name} = {getattr(_gemm_choice, name):.3g}")


def name_of(tile, product):
    parts = f"/{tile.split}" if tile.split > 1 else ""
    cluster = f" x{tile.x}" * (tile.x > 1) + f" y{tile.y}" * (tile.y > 1)
    return f"{tile.bm}x{tile.bn}{parts}{cluster}{' turns' * tile.in_turns}{' D^T' * product.is_swapped}"


def run(count, fits):
    """Prints for so many sizes torch's time over ours and the regret, and their geometric means;
    with `fits` costs for _gemm_choice.py that fit these times better."""
    measured, regrets, ratios = [], [], []
    for size in (size_at_random() for _ in range(count)):
        other, found = times_of(size)
        *chosen, mine = found[0]
        *best, least = min(found, key=lambda c: c[-1])
        measured.append((size, found))
        regrets.append(mine / least)
        ratios.append(other / mine)
        print(f"  bf16 {'x'.join(map(str, size))}: {name_of(*chosen)} {mine:.1f} us, torch {other:.1f}, "
              f"{ratios[-1]:.3f}; {name_of(*best)} {least:.1f}, regret {regrets[-1]:.3f}", flush=True)
    print(f"random: geometric mean {mean(ratios):.3f}, least {min(ratios):.3f}, {sum(r < 0.95 for r in ratios)} "
          f"below 0.95; regret {mean(regrets):.3f}, at most {max(regrets):.3f}")
    if fits:
        print_fits(measured)
