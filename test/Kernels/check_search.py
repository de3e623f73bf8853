#!/usr/bin/env python3
"""Checks kernels/search.py: that candidates are valid, different and no more than
asked for, that neighbours are near, and that the model's order is that of what was
measured on an H200 (bench/LOG.md) or what cannot be otherwise."""
import itertools
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "kernels"))
import kernel
import search
from turns import take_turn


def guess(problem, size, **chosen):
    _, values = problem.complete(chosen)
    return problem.guess(values, size)


def check_model(problem):
    """What is known of f16 products."""
    large, small = [4096] * 3, [16, 4096, 4096]
    big = dict(bm=256, bn=128, bk=64, stages=3, warps_m=4, warps_n=2)
    usual = dict(bm=128, bn=128, bk=64, stages=3, warps_m=2, warps_n=2)
    little = dict(bm=64, bn=64, bk=64, stages=3, warps_m=2, warps_n=2)
    tiny = dict(bm=16, bn=32, bk=64, stages=4, warps_m=1, warps_n=2)
    assert (guess(problem, large, **big) < guess(problem, large, **usual)
            < guess(problem, large, **little) < guess(problem, large, **tiny))
    assert guess(problem, small, **tiny) < math.inf
    assert guess(problem, small, **big) == math.inf  # makes no sense
    # More of everything takes longer, and about in proportion.
    for size in ([2048] * 3, [4096] * 3):
        twice = [2 * n for n in size]
        assert 6 < guess(problem, twice, **big) / guess(problem, size, **big) < 10
    # Warps that share K help small tiles, but cost an exchange.
    short = dict(bm=128, bn=64, bk=128, stages=4, warps_m=4, warps_n=2)
    halves = {**short, "warps_n": 1, "warps_k": 2}
    assert guess(problem, small, **tiny) > guess(
        problem, small, **{**tiny, "bk": 128, "warps_k": 4})
    assert guess(problem, [1024, 1024, 16], **halves) > guess(
        problem, [1024, 1024, 16], **short)
    # Under way are more bytes with more stages.
    shallow, deep = (guess(problem, small, **{**tiny, "stages": n}) for n in (2, 6))
    assert deep < shallow


def check_bounds():
    """No guess is below what the device can do."""
    generator = random.Random(1)
    for _ in range(2000):
        work = {"blocks": generator.randint(1, 5000), "steps": generator.randint(1, 500),
                "operations": generator.randint(1, 1 << 22), "speed": 1,
                "shared": generator.randint(1, 1 << 17),
                "read": generator.randint(1, 1 << 16), "written": 1 << 14,
                "distinct": generator.randint(1, 1 << 30),
                "stages": generator.randint(2, 6),
                "threads": generator.choice([64, 128, 256]),
                "registers": generator.randint(64, 255),
                "shared_kib": generator.randint(1, 227)}
        cycles, share = search.cycles(work), work["blocks"] / search.PROCESSORS
        least = share * work["steps"] * max(
            work["operations"] / search.OPERATIONS, work["shared"] / search.SHARED,
            work["read"] / search.CACHE)
        assert cycles >= max(least, work["distinct"] / (
            search.MEMORY * search.PROCESSORS)), work
        work["shared_kib"] = 300
        assert search.cycles(work) == math.inf


def check_candidates(problem, size, count):
    found = problem.candidates(size, count)
    template = problem.template
    assert 0 < len(found) <= count
    assert all(found.count(given) == 1 for given in found)
    for given in found:
        values = template.complete(given)
        assert not template.problems(values), given
        assert all(values[n] == v for n, v in problem.fixed.items()), given
    start = found[0]
    for near in problem.neighbours(start):
        assert 1 <= sum(near[n] != start[n] for n in start) <= 2
    # With only what is near, all after the first few are neighbours of one of them.
    always = len(problem.search["always"]) + 1
    local = problem.candidates(size, count, only_near=True)
    for given in local[always:]:
        assert any(sum(given[n] != first[n] for n in first) <= 2
                   for first in local[:always]), given
    return len(found)


def main():
    gemm = kernel.find("gemm_sm80")
    check_model(search.Problem(gemm, {"type": "f16", "arch": "sm_90"}))
    check_bounds()
    total = 0
    # What is fixed of the tile leaves less to look at.
    problems = ({"type": "f16"}, {"type": "i8", "a_major": "m", "bm": 128},
                {"type": "bf16", "b_major": "n", "bn": 64},
                {"type": "tf32", "bm": 64}, {"batched": True, "bk": 32})
    sizes = [4096] * 3, [1, 4096, 4096], [1000, 7, 64], [300, 300, 8]
    for fixed, size in take_turn(itertools.product(problems, sizes), 3):
        problem = search.Problem(gemm, {**fixed, "arch": "sm_90"})
        total += check_candidates(problem, size, 20)
    attention = kernel.find("attention_sm80")
    for fixed in ({"d": 64}, {"d": 128, "causal": True, "vec": 1}):
        problem = search.Problem(attention, {**fixed, "arch": "sm_90"})
        total += check_candidates(problem, [4, 16, 4096, 4096], 8)
    print(f"{total} candidates, all as they should be")


main()
