"""Tasks: groups of warps with a schedule."""

from __future__ import annotations

from typing import Any

from .. import arch
from .resources import MemoryResource
from .schedule_builder import Schedule, ScheduleError

__all__ = ["Task"]


class Task:
    """The work of some warps of each block.

    :param src_resources: what it reads :param dst_resources: what it writes :param warp_idx:
    its first warp :param schedule: what a function under ``schedule`` returned :param
    num_registers: the intended number per thread, the same for the tasks of four warps; the
    compiler distributes them
    """

    def __init__(
        self, src_resources: list[MemoryResource], dst_resources: list[MemoryResource],
        warp_idx: int, num_warps: int, *, schedule: Schedule, num_registers: int | None = None,
        name: str = "", debug_print: bool = False, **profiling: Any,
    ):
        if not isinstance(schedule, Schedule):
            raise ScheduleError(f"a task has a schedule, which a function under @schedule returns, "
                                f"not {schedule!r}")
        if warp_idx < 0 or num_warps < 1:
            raise ScheduleError(f"{name} has {num_warps} warps from {warp_idx} on")
        self.name = name or schedule.name
        self.src_resources, self.dst_resources = list(src_resources), list(dst_resources)
        self.warp_idx, self.num_warps, self.num_registers = warp_idx, num_warps, num_registers
        self.schedule = schedule
        self.cache: Any = None

    @property
    def resources(self) -> list[MemoryResource]:
        """All resources, the ones that it reads first."""
        return list(dict.fromkeys(self.src_resources + self.dst_resources))

    def is_selected(self) -> Any:
        """Returns whether the warp is one of the task's."""
        warp = arch.make_warp_uniform(arch.warp_idx())
        first = warp == self.warp_idx
        if self.num_warps == 1:
            return first
        return (warp >= self.warp_idx) & (warp < self.warp_idx + self.num_warps)

    def make_task_cache(self) -> Any:
        """Returns ``stage_info.task_cache`` for works; derived tasks override it."""
        return None
