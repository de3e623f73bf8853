"""Where names are that the reference has in several modules."""

from __future__ import annotations

import importlib
from typing import Any

# Names that the reference has in other modules than this package, by their module here.
_ROOM = __name__.rpartition(".")[0]
_HOMES = {
    "enums": "BlockGuard Every FIRST_ITER IterationPredicate LAST_ITER LoopGuard OpaqueCondition "
             "PipelineGroupMode PipelineType SKIPPABLE ScheduleStage ScheduleStageType "
             "SignalingThreads TileSchedulerType WorkAttr guard_fires is_iteration_predicate "
             "is_loop_guard is_skippable_guard",
    "memory": "ResourceContext SmemAllocation SmemAllocator TmemAllocation TmemAllocator",
    "pipeline_group": "PipelineGroup",
    "resources": "MemoryResource PipelineConfig StageInfo TaskLocalVariable consumer_work "
                 "producer_work",
    "schedule_builder": "Schedule ScheduleError",
    "work_queue": "TileSchedulerConfig WorkQueue",
}


def elsewhere(module: str, name: str) -> Any:
    """Returns a name that the reference has in a module, and this package in another one.

    :raises AttributeError: for a name that is in none
    """
    for home, names in _HOMES.items():
        if name in names.split() and module != f"{_ROOM}.{home}":
            return getattr(importlib.import_module(f"{_ROOM}.{home}"), name)
    raise AttributeError(f"module {module!r} has no attribute {name!r}")
