"""What a launch says besides the arguments, as an object."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LaunchConfig"]


def _one() -> list[Any]:
    return [1, 1, 1]


@dataclass
class LaunchConfig:
    """The options of a launch: ``kernel(...).launch(config=LaunchConfig(grid=[8, 1, 1]))``.

    Fields have the names and meaning of the keywords of ``launch``. ``has_cluster`` follows
    from ``cluster``, ``has_fallback_cluster`` from ``fallback_cluster``.
    """

    cluster: list[Any] | None = None
    fallback_cluster: list[Any] | None = None
    grid: list[Any] = field(default_factory=_one)
    block: list[Any] = field(default_factory=_one)
    max_number_threads: list[Any] = field(default_factory=list)
    smem: int | None = None
    async_deps: list[Any] = field(default_factory=list)
    has_cluster: bool = False
    has_fallback_cluster: bool = False
    min_blocks_per_mp: int = 0
    use_pdl: bool = False
    cooperative: bool = False
    launch_completion_event: Any = None
    launch_completion_event_flags: int | None = None
    programmatic_event: Any = None
    programmatic_event_flags: int | None = None
    programmatic_event_trigger_at_block_start: int | None = None
    smem_merge_branch_allocs: bool = False
    preferred_smem_carveout: int | None = None
    hint_smem_base_uniform: bool | None = True

    def __post_init__(self) -> None:
        self.has_cluster = self.cluster is not None
        self.has_fallback_cluster = self.fallback_cluster is not None

    def options(self) -> dict[str, Any]:
        """Returns the keywords of ``launch`` that differ from their defaults."""
        plain = LaunchConfig()
        unsaid = ("has_cluster", "has_fallback_cluster", "hint_smem_base_uniform")
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)
                if f.name not in unsaid and getattr(self, f.name) != getattr(plain, f.name)}
