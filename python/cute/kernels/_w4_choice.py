"""How blocks share a product with weights of 4 bits: the fastest plan by a model.

Its costs were fitted to times of 170 plans on an H200: the plan that it chooses took 1.03 times as long as
the fastest one on average.
"""

from __future__ import annotations

import math
from typing import Any, Iterator

from ._row_calls import STAGED
from ._w4_weights import STEP, WARP, Plan

ROWS = (8, 16, 32, 64)  # of A, of a block
MOST = ROWS[-1]
REGISTERS = 65536  # of a multiprocessor
# Warps that may share K for few rows of A, with weights in registers; what each wave of a multiprocessor's blocks
# takes in times of a block, and how much more that is where few warps share K.
SHARES, WAVE, FEW = {8: (2, 3, 4, 5, 6, 7, 8, 10, 14), 16: (2, 3, 4, 6, 8)}, 1.5, 8
# Bytes of W and of A that a multiprocessor loads in a us; us of 64 columns of a tile, and of 8 rows of A for
# them, and of reading these from shared memory; of that what comes to it where one warp is alone; us of a
# turn, and of each warp that others meet in it; of a sum of blocks; of a sum of warps; and from a load to its
# end.
WEIGHTS, OPERANDS, TILE, COLUMN, READ, ALONE = 21600.0, 126000.0, 0.0111, 0.00214, 0.00093, 5.9
TURN, MEETING, BLOCKS, SUM, LATENCY = 0.0036, 0.009, 2.3, 6.1e-5, 1.5


def best(kind: Any, m: int, n: int, k: int, gpu: Any) -> Plan:
    """Returns the plan for M rows of A and N of W.

    :param kind: the type, the group, and whether there are zeros
    """
    rows = next(r for r in ROWS if r >= m)
    turns = n / 16 / gpu.multiprocessors
    if rows <= 16 and kind[1] % STEP == 0 and k % (2 * STEP) == 0:
        along, resident = 8 if turns <= 4 else 4, 0
        if kind[1] % (2 * STEP) == 0:
            along, resident = _in_waves(kind, rows, turns / (rows // 8), k // (2 * STEP))
        return Plan(kind[0], rows, rows // 8, *kind[1:], along=along, steps=2, stages=0, resident=resident)
    if rows == 8 or rows == 16 and turns <= 4:
        tiles, warps = (2, 16) if rows == 16 else (1, 16) if turns <= 4 else (1, 8) if turns <= 8 else (2, 8)
        return Plan(kind[0], rows, tiles, *kind[1:], along=warps, stages=0)
    found = [plan for splits in ((1, 2) if gpu.arch >= 90 else (1,))
             for plan in _plans(kind, rows, splits, n, k, gpu)]
    return min(found, key=lambda plan: _cost(plan, n, k, gpu), default=Plan(kind[0], rows, 1, *kind[1:], along=4))


def _in_waves(kind: Any, rows: int, blocks: float, units: int) -> tuple[int, int]:
    """Returns how many warps of a block share K, and how many blocks a multiprocessor has at a time, so that its
    blocks come in few waves of many warps with equal shares.

    :param blocks: of a multiprocessor
    """
    def cost(along: int) -> float:
        resident = _most_warps(kind, rows, along) // along
        waves = math.ceil(blocks / resident)
        work = (waves - 1) * resident + math.ceil(blocks - (waves - 1) * resident)
        return work * -(-units // along) * along / units + waves * (WAVE + FEW / along)

    along = min((x for x in SHARES[rows] if x <= 8 or 4 * x <= units), key=cost)
    return along, min(math.ceil(blocks), _most_warps(kind, rows, along) // along)


def _most_warps(kind: Any, rows: int, along: int) -> int:
    """Returns how many warps a multiprocessor has registers for, with weights in registers, as ptxas takes them."""
    element, _, has_zeros = kind
    if rows == 8:
        return 24 if has_zeros and along not in (3, 4, 5) else 28
    return 12 if has_zeros and element == "bf16" else 16


def _plans(kind: Any, rows: int, splits: int, n: int, k: int, gpu: Any) -> Iterator[Plan]:
    """Returns plans whose blocks have equal shares of W, for one or two blocks of a multiprocessor."""
    element, group, has_zeros = kind
    for resident in (1, 2):
        share = -(-n // 16 // max(1, gpu.multiprocessors * resident // splits))
        share = -(-share // -(-share // 16))  # of several waves where there is more
        for across in range(1, min(8, share) + 1):
            tiles = -(-share // across)
            if tiles * across - share > 1:
                continue
            for along in (1, 2, 3, 4, 6, 8, 12, 16):
                for steps in (1, 2) if group % (2 * STEP) == 0 and k % (2 * STEP) == 0 else (1,):
                    for stages in (1, 2, 3, 4, 6, 8):
                        plan = Plan(element, rows, tiles, group, has_zeros, across, along, splits, steps, stages)
                        if _fits(plan, resident, k, gpu):
                            yield plan


def _fits(plan: Plan, resident: int, k: int, gpu: Any) -> bool:
    """Says whether so many blocks fit into a multiprocessor, with enough warps, and something to do."""
    return (_resident(plan, gpu) >= resident and plan.warps <= 16 and 6 <= plan.warps * resident <= 20
            and k // STEP // plan.steps >= plan.along * plan.splits * plan.stages)


def _resident(plan: Plan, gpu: Any) -> int:
    """Returns how many blocks of a plan fit into a multiprocessor."""
    room = (227 if gpu.arch in STAGED else 99) << 10
    of_loop = plan.columns * (8 if plan.is_scaled else 8 * plan.steps + 4)
    registers = plan.tiles * plan.columns * 4 + 48 + of_loop
    if registers > 255:
        return 0
    return min(room // (4 * plan.words + 1024), REGISTERS // (registers * WARP * plan.warps))


def _cost(plan: Plan, n: int, k: int, gpu: Any) -> float:
    """Returns how many us a plan takes, less what all plans take."""
    blocks, at_once = -(-n // plan.height) * plan.splits, gpu.multiprocessors
    resident = min(2, max(1, _resident(plan, gpu)))
    waves = -(-blocks // (at_once * resident)) * resident if blocks > at_once else 1
    columns = k / plan.splits * waves  # of K, of a multiprocessor
    weights, under_way = plan.height / 2, 512 * plan.warps * plan.tiles * plan.stages * plan.steps * resident
    memory = columns * (max(weights / WEIGHTS, LATENCY * weights / under_way) + 2 * plan.rows / OPERANDS)
    tile = TILE + plan.columns * (COLUMN + READ / plan.tiles)
    work = columns / STEP * plan.tiles * plan.across * tile * (1 + ALONE / min(16, plan.warps * resident))
    turns = columns / STEP / plan.steps / plan.along
    sums = plan.along * plan.rows * plan.height * waves
    turn = TURN + MEETING * plan.across * (plan.across > 1)
    return (max(memory, work) + 0.09 * min(memory, work) + turn * turns + BLOCKS * (plan.splits > 1)
            + SUM * sums)
