"""Products of bf16 at random sizes with each tile that cute.kernels may choose, beside torch.

The regret is the time of the tile that is chosen over that of the fastest. Medians with a cold
L2 cache, in turns; about 0.1 s a size, and 0.5 s to compile each tile.
"""
import importlib
import math
import random

import torch
from library_operands import BF16, medians

from cute.kernels import _gemm_choice, _text
from cute.kernels.gemm_sm90 import Product

gemm = importlib.import_module("cute.kernels.gemm")
PRODUCT = Product("bf16", "bf16", "bf16")
FIELDS = ("step", "beside", "once")
SLOW = 2.5  # times the least estimate; slower tiles are left out


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
    other, *mine = medians(calls, 5)
    return other, [(*c, time) for c, time in zip(found, mine)]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def error_of(tile, rows):
    """How far estimates are from times, as logarithms; slow tiles count less."""
    return sum(weight * abs(math.log(estimate(tile, product, size) / time))
               for product, size, time, weight in rows)


def fitted(tile, rows):
    """The tile with the costs that fit (product, size, microseconds, weight) best."""
    scale = dict(zip(FIELDS, (tile.step, 1.0, 4.0)))
    part, least = 0.3, error_of(tile, rows)
    while part > 0.003:
        tries = [tile._replace(**{f: getattr(tile, f) + sign * part * scale[f]})
                 for f in FIELDS for sign in (-1, 1)]
        error, best = min((error_of(t, rows), t) for t in tries if t.step > 0 and t.once > 0)
        if error < least:
            tile, least = best, error
        else:
            part /= 2
    return tile


def print_fits(measured):
    by_tile = {}
    for size, found in measured:
        best = min(time for *_, time in found)
        for tile, product, time in found:
            by_tile.setdefault(tile, []).append(
                (product, size, time, (best / time) ** 2))
    for tile, rows in sorted(by_tile.items(), key=lambda item: -item[0].bm * item[0].bn):
        values = fitted(tile, rows)._asdict()
        values.update(step=round(values["step"], 5), beside=round(values["beside"], 1),
                      once=round(values["once"], 1))
        print(f"    Tile({', '.join(map(str, values.values()))}),  # {len(rows)} times")


def name_of(tile, product):
    parts = f"/{tile.split}" if tile.split > 1 else ""
    cluster = f" x{tile.cluster}" if tile.cluster > 1 else ""
    return f"{tile.bm}x{tile.bn}{parts}{cluster}{' turns' * tile.in_turns}{' D^T' * product.is_swapped}"


def run(count, fits):
    """Prints for so many sizes torch's time over ours and the regret, and their geometric means;
    with `fits` rows for the tables of _gemm_choice.py that fit these times better."""
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
