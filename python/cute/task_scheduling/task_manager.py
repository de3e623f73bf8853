"""Checks tasks together, and runs each on its warps."""

from __future__ import annotations

import functools
from typing import Any

from .. import arch
from .._values.array import Array
from .._values.numeric import Int64
from .._values.pointer import AddressSpace
from ..pipeline import pipeline_init_arrive, pipeline_init_wait
from ._run import Runner
from ._verify import users, verify
from .memory import ResourceContext, SmemAllocator
from .pipeline import make_pipeline
from .resources import MemoryResource
from .schedule_builder import ScheduleError
from .task import Task

__all__ = ["TaskManager"]


class TaskManager:
    """The tasks of a kernel and the resources that they share.

    :param resource_dependency_graph: which resources each is made of :param smem_allocator:
    has the resources' shared memory; barriers elsewhere get their own :raises ScheduleError:
    for schedules that deadlock, that touch a stage without holding it, or that disagree with
    their tasks' resources
    """

    def __init__(
        self, tasks: list[Task],
        resource_dependency_graph: dict[MemoryResource, list[MemoryResource]],
        *, smem_allocator: SmemAllocator | None = None, tmem_allocator: Any = None,
        tmem_ptr_i32: Any = None, skip_validation: bool = False,
        dma_consumer_release_labels: Any = None, iket_enable_profiling: bool = False,
        iket_profiling_stages: Any = None, iket_profiling_resources: Any = None,
    ):
        self.tasks, self.graph = list(tasks), dict(resource_dependency_graph)
        self.smem_allocator, self.tmem_allocator = smem_allocator, tmem_allocator
        self._tmem_ptr, self._context = tmem_ptr_i32, None
        if not skip_validation:
            self.print_and_verify()

    @property
    def resources(self) -> list[MemoryResource]:
        """All tasks' resources, and the groups that they are in."""
        found = [r for task in self.tasks for r in task.resources]
        groups = [r.pipeline_group for r in found if r.pipeline_group is not None]
        return list(dict.fromkeys(found + groups))

    def print_and_verify(self) -> None:
        """Checks the schedules, as the constructor does."""
        verify(self.tasks, self.graph)

    def get_marmaid_string_dependency_graph(
        self, direction: str = "TD", include_resource_details: bool = True, **_: Any
    ) -> str:
        """Returns the graph of resources for Mermaid, with the tasks on its edges."""
        names = {resource: f"r{i}" for i, resource in enumerate(
            dict.fromkeys([*self.resources, *self.graph]))}
        lines = [f"flowchart {direction}"]
        for resource, name in names.items():
            text = resource.name
            if include_resource_details and resource.pipeline_config is not None:
                config = resource.pipeline_config
                text += f": {config.pipeline_type.value}, {config.num_stages} stages"
            lines.append(f'    {name}["{text}"]')
        for resource, sources in self.graph.items():
            for source in sources:
                by = ", ".join(t.name for t in self.tasks
                               if source in t.src_resources and resource in t.dst_resources)
                lines.append(f'    {names[source]} -->|"{by}"| {names[resource]}')
        return "\n".join(lines)

    def setup_resources_and_tasks(self) -> None:
        """Allocates shared memory, and makes the barriers, which all threads see then."""
        context = ResourceContext(tmem_ptr_i32=self._tmem_ptr)
        barriers: dict[Any, Any] = {}
        if self.smem_allocator is not None:
            context.smem_base = self.smem_allocator.allocate()
            barriers = self.smem_allocator.barriers()
            if self.smem_allocator.tmem_ptr_alloc is not None:
                context.tmem_ptr_i32 = self.smem_allocator.get(self.smem_allocator.tmem_ptr_alloc)
        made = False
        for resource in self.resources:
            config = resource.pipeline_config
            if config is None or resource.pipeline_group is not None:
                continue
            made, storage = True, config.barrier_ptr or barriers.get(resource)
            is_group = hasattr(resource, "members")
            if storage is None:
                count = resource.num_barriers_per_stage if is_group else 2
                storage = Array(Int64, count * config.num_stages, AddressSpace.smem, alignment=8).ptr
            if is_group:
                resource.make_pipelines(storage)
                resource.pipeline = resource.group_pipeline
            else:
                resource.pipeline = make_pipeline(config, storage)
        if made:
            clusters = [r.pipeline_config.cluster for r in self.resources
                        if r.pipeline_config is not None]
            shape = next((x.shape for x in clusters if x is not None), None)
            pipeline_init_arrive(shape)
            pipeline_init_wait(shape)
        self._context = context
        thread = arch.thread_idx()[0]
        warps = {(r, p): sum(t.num_warps for t in users(self.tasks, r, p))
                 for r in self.resources for p in (True, False)}
        for task in self.tasks:
            task.runner = functools.partial(
                Runner, task, context, thread - 32 * task.warp_idx, warps)

    def run(self) -> None:
        """Runs each task on its warps.

        :raises ScheduleError: before ``setup_resources_and_tasks``
        """
        if self._context is None:
            raise ScheduleError("setup_resources_and_tasks comes first")
        for task in self.tasks:
            task.run()


def __getattr__(name: str) -> Any:
    """Returns a name that the reference has here, and this package in another module."""
    from ._homes import elsewhere

    return elsewhere(__name__, name)
