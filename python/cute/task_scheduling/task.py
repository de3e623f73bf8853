"""Tasks: groups of warps with a schedule."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._frontend.guards import run_if
from .resources import MemoryResource
from .schedule_builder import Schedule, ScheduleError

__all__ = ["Task"]


class Task:
    """The work of some warps of each block.

    :param src_resources: what it reads :param dst_resources: what it writes :param warp_idx:
    its first warp :param schedule: what a function under ``schedule`` returned :param
    num_registers: the intended number per thread, the same for the tasks of four warps; the
    compiler distributes them :param run_only_on_cta_id: the block of a cluster that runs it
    :param iket_enable_profiling: no effect, as the marks of ``cute.experimental.iket``
    """

    def __init__(
        self, src_resources: list[MemoryResource], dst_resources: list[MemoryResource],
        warp_idx: int, num_warps: int, *, schedule: Schedule, num_registers: int | None = None,
        name: str = "", debug_print: bool = False, iket_enable_profiling: bool = False,
        iket_profiling_stages: Any = None, iket_profiling_resources: Any = None,
        run_only_on_cta_id: int | None = None,
    ):
        if not isinstance(schedule, Schedule):
            raise ScheduleError(f"a task has a schedule, which a function under @schedule returns, "
                                f"not {schedule!r}")
        if warp_idx < 0 or num_warps < 1:
            raise ScheduleError(f"{name} has {num_warps} warps from {warp_idx} on")
        self.name = name or schedule.name
        self.src_resources, self.dst_resources = list(src_resources), list(dst_resources)
        self.warp_idx, self.num_warps, self.num_registers = warp_idx, num_warps, num_registers
        if run_only_on_cta_id is not None and (
                type(run_only_on_cta_id) is not int or run_only_on_cta_id < 0):
            raise ValueError(f"{name} runs on a block of the cluster, not {run_only_on_cta_id!r}")
        self.run_only_on_cta_id = run_only_on_cta_id
        self.schedule = schedule
        self.cache: Any = None
        self.runner: Any = None  # makes what runs the schedule, once the manager has set it up

    @property
    def resources(self) -> list[MemoryResource]:
        """All resources, the ones that it reads first."""
        return list(dict.fromkeys(self.src_resources + self.dst_resources))

    def is_selected(self) -> Any:
        """Returns whether the warp is one of the task's."""
        warp = arch.make_warp_uniform(arch.warp_idx())
        is_ours = warp == self.warp_idx
        if self.num_warps > 1:
            is_ours = (warp >= self.warp_idx) & (warp < self.warp_idx + self.num_warps)
        if self.run_only_on_cta_id is None:
            return is_ours
        rank = arch.make_warp_uniform(arch.block_idx_in_cluster())
        return is_ours & (rank == self.run_only_on_cta_id)

    def run(self) -> None:
        """Runs the schedule on the task's warps; the others go on.

        :raises ScheduleError: before the manager's ``setup_resources_and_tasks``
        """
        run_if(self.is_selected(), self.run_body)

    def run_body(self) -> None:
        """Runs the schedule on the warps that come here: the task's.

        :raises ScheduleError: before the manager's ``setup_resources_and_tasks``
        """
        if self.runner is None:
            raise ScheduleError(f"{self.name} runs after its manager's setup_resources_and_tasks")
        self.cache = self.make_task_cache()
        self.runner().run()

    def get_domain(self, tile_coord: Any) -> Any:
        """Returns the iterations of a tile, for ``domain_loop(MyTask.get_domain)``; derived
        tasks override it.

        :param tile_coord: the tile's place: ``work_tile.tile_idx``
        """
        raise NotImplementedError(f"{type(self).__name__} says no get_domain")

    def make_task_cache(self) -> Any:
        """Returns ``stage_info.task_cache`` for works; derived tasks override it."""
        return None


def __getattr__(name: str) -> Any:
    """Returns a name that the reference has here, and this package in another module."""
    from ._homes import elsewhere

    return elsewhere(__name__, name)
