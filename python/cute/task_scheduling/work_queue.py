"""The queue of tiles that the blocks of a persistent kernel take from."""

from __future__ import annotations

import dataclasses
from typing import Any

from .. import arch
from .._compile.arguments import Constexpr
from .._compile.jit import jit
from .._values.numeric import Boolean
from ..utils.dynamic_scheduler import ClcDynamicPersistentTileScheduler
from ..utils.tile_scheduler import StaticPersistentTileScheduler
from .enums import TileSchedulerType, WorkAttr
from .resources import MemoryResource, StageInfo, TaskLocalVariable, consumer_work, producer_work

__all__ = ["TileSchedulerConfig", "WorkQueue"]


@dataclasses.dataclass
class TileSchedulerConfig:
    """The scheduler that hands out tiles, and its parameters."""

    tile_scheduler_type: TileSchedulerType
    tile_scheduler_params: Any
    response_ptr: Any = None

    @staticmethod
    def create_static_persistent_tile_scheduler_params(
        tile_scheduler_params: Any,
    ) -> TileSchedulerConfig:
        """Returns the configuration of blocks that go through their own share of the tiles."""
        return TileSchedulerConfig(TileSchedulerType.StaticPersistent, tile_scheduler_params)

    @staticmethod
    def create_clc_dynamic_persistent_tile_scheduler_params(
        tile_scheduler_params: Any, response_ptr: Any
    ) -> TileSchedulerConfig:
        """Returns the configuration of blocks that take the tiles of blocks that have
        not begun.

        :param response_ptr: 16 bytes of shared memory
        """
        return TileSchedulerConfig(TileSchedulerType.ClcDynamicPersistent, tile_scheduler_params,
                                   response_ptr)


@dataclasses.dataclass(eq=False)
class WorkQueue(MemoryResource):
    """Tiles, one after the other: ``stage_info.work_tile`` in a ``work_tile_loop``.

    Static tiles need no pipeline, and waits for them do nothing. Others have one of type
    ClcFetchAsync, whose producer is a task of one warp that fetches them.
    """

    tile_scheduler: Any = dataclasses.field(init=False, default=None)
    tile_scheduler_config: Constexpr[Any] = None
    work_tile: Constexpr[TaskLocalVariable] = TaskLocalVariable.uninitialized()
    skip_work_tile: Constexpr[TaskLocalVariable] = TaskLocalVariable.uninitialized()

    def __init__(self, tile_scheduler_config: TileSchedulerConfig, **kwargs: Any):
        super().__init__(**kwargs)
        self.tile_scheduler = None
        self.tile_scheduler_config = tile_scheduler_config
        self.work_tile = TaskLocalVariable(runtime_slot_name="work_tile",
                                           default_factory=self.initial_work_tile_info)
        self.skip_work_tile = TaskLocalVariable(runtime_slot_name="skip_work_tile",
                                                default_factory=lambda: Boolean(False))

    def create_tile_scheduler(self) -> Any:
        """Returns a scheduler at the block's first tile."""
        config, place = self.tile_scheduler_config, arch.block_idx()
        if config.tile_scheduler_type is TileSchedulerType.StaticPersistent:
            return StaticPersistentTileScheduler.create(
                config.tile_scheduler_params, place, arch.grid_dim())
        return ClcDynamicPersistentTileScheduler.create(
            config.tile_scheduler_params, place, arch.grid_dim(), config.response_ptr)

    def initial_work_tile_info(self) -> Any:
        """Returns the block's first tile."""
        return self.tile_scheduler.initial_work_tile_info()

    @jit
    def skip_work_tile_if(self, work_tile: Any) -> Boolean:
        """Returns whether a tile is skipped: none is; for queues that derive of this."""
        return Boolean(False)

    @consumer_work(work_attrs=WorkAttr.AUXILIARY, returns=("work_tile", "skip_work_tile"))
    @jit
    def init_work_tile(self, stage_info: StageInfo) -> Any:
        """Begins with the block's first tile, and says whether it is skipped."""
        first = self.initial_work_tile_info()
        return first, self.skip_work_tile_if(first)

    @consumer_work(returns="work_tile")
    @jit
    def get_and_advance_work_tile(self, stage_info: StageInfo) -> Any:
        """Goes on to the next tile."""
        if isinstance(self.tile_scheduler, StaticPersistentTileScheduler):
            self.tile_scheduler.advance_to_next_work()
        return self.tile_scheduler.get_current_work()

    @producer_work
    @jit
    def fetch_work_tile(self, stage_info: StageInfo) -> None:
        """Asks for a tile, which the pipeline's stage is for."""
        self.tile_scheduler.advance_to_next_work(stage_info.barrier.ptr)
