"""Where resources lie in a block's shared memory, and in the columns of tensor memory."""

from __future__ import annotations

import dataclasses
from typing import Any

from .._values.array import Array
from .._values.numeric import Int64, Uint8
from .._values.pointer import AddressSpace, recast_ptr

__all__ = ["ResourceContext", "SmemAllocation", "SmemAllocator", "TmemAllocation",
           "TmemAllocator"]

_COLUMNS = 512


@dataclasses.dataclass(eq=False)
class SmemAllocation:
    """A part of shared memory.

    :param size_bytes: or ``count`` elements of ``dtype``
    :param alignment: in bytes
    :ivar offset: in bytes, which the allocator says
    """

    name: str
    size_bytes: int = 0
    alignment: int = 128
    dtype: Any = None
    count: int = 1
    offset: int = dataclasses.field(init=False, default=0)

    def __post_init__(self) -> None:
        if not self.size_bytes and self.dtype is not None:
            self.size_bytes = -(-self.count * self.dtype.width // 8)
        if self.size_bytes < 1 or self.alignment < 1 or self.alignment & (self.alignment - 1):
            raise ValueError(f"{self.name} has {self.size_bytes} bytes, aligned to "
                             f"{self.alignment}: both are positive, and that a power of two")


@dataclasses.dataclass(eq=False)
class TmemAllocation:
    """Columns of tensor memory."""

    name: str
    num_columns: int
    offset: int = dataclasses.field(init=False, default=0)


@dataclasses.dataclass
class ResourceContext:
    """The context of work methods, ``stage_info.context``."""

    smem_base: Any = None
    tmem_ptr_i32: Any = None


class _Layout:
    """Allocations one after the other, and groups whose phases share memory."""

    def __init__(self) -> None:
        self._allocations: list[Any] = []
        self._groups: list[list[list[Any]]] = []
        self._total: int | None = None

    def add(self, alloc: Any) -> Any:
        """Adds an allocation, and returns it."""
        self._allocations.append(alloc)
        return alloc

    def add_alias_group(self, phases: list[list[Any]]) -> None:
        """Lets the allocations of all lists share the same memory."""
        self._groups.append([list(phase) for phase in phases])

    def _place(self, start: int, allocations: list[Any]) -> int:
        for alloc in allocations:
            step = getattr(alloc, "alignment", 1)
            alloc.offset = -(-start // step) * step
            start = alloc.offset + self._extent(alloc)
        return start

    def compute_layout(self) -> int:
        """Gives all allocations their offsets; returns the end of the last."""
        shared = [alloc for group in self._groups for phase in group for alloc in phase]
        end = self._place(0, [a for a in self._allocations if a not in shared])
        for group in self._groups:
            steps = [getattr(a, "alignment", 1) for phase in group for a in phase]
            start = -(-end // max(steps)) * max(steps)
            end = max(self._place(start, phase) for phase in group)
        self._total = end
        return end

    @staticmethod
    def _extent(alloc: Any) -> int:
        raise NotImplementedError

    @property
    def total(self) -> int:
        """The end of the last allocation."""
        return self._end

    def print_usage_report(self) -> None:
        """Prints all allocations with their places."""
        for alloc in self._allocations + [a for g in self._groups for phase in g for a in phase]:
            print(f"{alloc.name}: {alloc.offset} to {alloc.offset + self._extent(alloc)}")
        print(f"{type(self).__name__}: {self._end}")

    @property
    def _end(self) -> int:
        if self._total is None:
            raise ValueError("compute_layout comes first")
        return self._total


class SmemAllocator(_Layout):
    """Gives resources their parts of one piece of shared memory, followed by their barriers."""

    def __init__(self) -> None:
        super().__init__()
        self._resources: list[Any] = []
        self.tmem_ptr_alloc: SmemAllocation | None = None
        self._base: Any = None

    def add_resource(self, resource: Any) -> None:
        """Adds what ``get_smem_requirements`` asks for, and the barriers of a pipeline."""
        for alloc in resource.get_smem_requirements():
            self.add(alloc)
        config = resource.pipeline_config
        if config is not None and config.barrier_ptr is None and resource.pipeline_group is None:
            self._resources.append(resource)

    def add_pipeline_group(self, group: Any) -> None:
        """Adds the barriers of a group, which its members share."""
        self._resources = [r for r in self._resources if r not in group.members]
        if group.pipeline_config.barrier_ptr is None:
            self._resources.append(group)

    def add_tmem_ptr(self, alloc: SmemAllocation) -> SmemAllocation:
        """Adds the word that the address of tensor memory is written to."""
        self.tmem_ptr_alloc = self.add(alloc)
        return alloc

    @staticmethod
    def _extent(alloc: SmemAllocation) -> int:
        return alloc.size_bytes

    @property
    def total_smem_bytes(self) -> int:
        """The bytes of all parts, without barriers."""
        return self._end

    @property
    def barrier_smem_bytes(self) -> int:
        """The bytes of barriers: two of 8 bytes for each stage, of a group some more."""
        return sum(map(_barrier_bytes, self._resources))

    @property
    def smem_base(self) -> Any:
        """The bytes of shared memory, an Array, once there are some."""
        return self._base

    def allocate(self) -> Any:
        """Allocates the memory, within a kernel."""
        end = -(-self._end // 8) * 8
        align = max([a.alignment for a in self._allocations] + [8])
        self._base = Array(Uint8, max(end + self.barrier_smem_bytes, 1), AddressSpace.smem,
                           alignment=align)
        return self._base

    def barriers(self) -> dict[Any, Any]:
        """Returns the pointers to the barriers of resources that have none of their own."""
        place, found = -(-self._end // 8) * 8, {}
        for resource in self._resources:
            found[resource] = recast_ptr(self._base.ptr + place, dtype=Int64)
            place += _barrier_bytes(resource)
        return found

    def get(self, alloc: SmemAllocation) -> Any:
        """Returns an allocation as an Array of its own type.

        :raises ValueError: for one without a type
        """
        if alloc.dtype is None:
            raise ValueError(f"{alloc.name} has no type; use get_as_type")
        return self.get_as_type(alloc, alloc.dtype, alloc.count)

    def get_as_type(self, alloc: SmemAllocation, dtype: Any, count: int = 1) -> Any:
        """Returns an allocation as an Array of a type.

        :raises ValueError: before ``allocate``
        """
        if self._base is None:
            raise ValueError("there is no memory yet: allocate comes first")
        return Array(self._base.ptr + alloc.offset, dtype=dtype, shape=count)

    get_typed_ptr = get_as_type


def _barrier_bytes(resource: Any) -> int:
    each = getattr(type(resource), "num_barriers_per_stage", None)
    count = 2 if each is None else resource.num_barriers_per_stage
    return 8 * count * resource.pipeline_config.num_stages


class TmemAllocator(_Layout):
    """Gives resources their columns; the kernel allocates them by ``tcgen05_alloc``."""

    def add_resource(self, resource: Any) -> None:
        """Adds what ``get_tmem_requirements`` asks for."""
        for alloc in resource.get_tmem_requirements():
            self.add(alloc)

    @staticmethod
    def _extent(alloc: TmemAllocation) -> int:
        return alloc.num_columns

    def compute_layout(self) -> int:
        """Gives all allocations their columns.

        :raises ValueError: for more than there are
        """
        if super().compute_layout() > _COLUMNS:
            raise ValueError(f"tensor memory has {_COLUMNS} columns, not {self._end}")
        return self._end

    @property
    def total_tmem_columns(self) -> int:
        """The columns of all resources."""
        return self._end


def __getattr__(name: str) -> Any:
    """Returns a name that the reference has here, and this package in another module."""
    from ._homes import elsewhere

    return elsewhere(__name__, name)
