"""Parameters for a size from the tuner's table, kernels/tuned."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import os
from typing import Any, Callable, Iterator, Mapping

from ..utils.hardware_info import get_smem_capacity_in_bytes
from ._gemm_plan import TYPES, Plan

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tuned")
# Doublings of a size that a row of another kind counts as: that of another type of as
# many bits, of another order of a matrix, of another architecture.
_OTHER_TYPE, _OTHER_ORDER, _OTHER_ARCH = 0.5, 2, 2
_FARTHEST = 6  # of a row that still says something


@functools.lru_cache(maxsize=None)
def rows(name: str) -> list[dict[str, Any]]:
    """Returns the rows of a kernel."""
    with open(os.path.join(_FOLDER, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)["rows"]


def nearest(
    name: str, size: Any, cost: Callable[[Mapping[str, Any]], float]
) -> Iterator[dict[str, Any]]:
    """Returns rows that are not too far, the nearest first: by how often extents double,
    and what else they cost, the later ones of equals. Few rows or columns of a matrix
    are as many as 16."""

    def distance(row: Mapping[str, Any]) -> float:
        doublings = sum(
            weight * abs(math.log2(max(mine, least) / max(its, least)))
            for mine, its, weight, least in zip(size, row["size"], (1, 1, 0.5), (16, 16, 1))
        )
        return doublings + cost(row)

    near = [row for row in rows(name) if distance(row) <= _FARTHEST]
    return iter(sorted(reversed(near), key=distance))


@functools.lru_cache(maxsize=None)
def _gemm_plan(
    problem: tuple[tuple[str, Any], ...], size: tuple[int, ...], arch: str, simulated: bool
) -> Plan:
    given = dict(problem)
    base = _default(given, arch)
    if simulated:
        return dataclasses.replace(base, bm=64, bn=64, bk=base.atom_k * 2)

    def cost(row: Mapping[str, Any]) -> float:
        its = row["problem"]
        orders = sum(its[n] != given[n] for n in ("a_major", "b_major", "c_major"))
        types = sum(its[n] != given[n] for n in ("type", "out"))
        arches = int(row["arch"] != arch)
        return _OTHER_TYPE * types + _OTHER_ORDER * orders + _OTHER_ARCH * arches

    names = {f.name for f in dataclasses.fields(Plan)}
    for row in nearest("gemm_sm80", size, cost):
        own = {n: v for n, v in row["parameters"].items() if n in names and n != "arch"}
        plan = dataclasses.replace(base, **own)
        if _bits(row["problem"]) == base.bits and _fits(plan, row["problem"]):
            return plan
    return base


def _bits(problem: Mapping[str, Any]) -> int:
    kind = problem["type"]
    return 32 if kind == "tf32" else TYPES[kind].width


def _fits(plan: Plan, problem: Mapping[str, Any]) -> bool:
    """Returns whether parameters of a problem serve the plan's."""
    if plan.split > 1 or plan.shared_bytes > get_smem_capacity_in_bytes(plan.arch):
        return False
    meets = plan.warps_k * plan.bm * plan.bn * plan.sum_bits // 8
    return not plan.meets or meets <= max(plan.bm, plan.bn) * plan.bk * plan.stages * plan.bits // 8


def _default(problem: Mapping[str, Any], arch: str) -> Plan:
    """Returns the parameters that all architectures have room for."""
    kind = problem["type"]
    bits = _bits(problem)
    return Plan(
        **problem, partial=False, bm=128, bn=128, bk=1024 // bits, stages=3 if bits > 8 else 2,
        warps_m=4 if kind in ("f64", "f8E4M3FN") else 2, warps_n=2, warps_k=1, group=8,
        split=1, stream=0, arch=arch,
    )


def gemm_plan(problem: Mapping[str, Any], size: Any, arch: str, simulated: bool) -> Plan:
    """Returns how to cut a product of a size (M,N,K)."""
    return _gemm_plan(tuple(problem.items()), tuple(size), arch, simulated)
