"""The tiles of several products of one launch, each with its own size."""

from __future__ import annotations

from typing import Any

from .._compile.jit import jit
from .._values.numeric import Int32
from ..core import ceil_div
from .tile_scheduler import PersistentTileSchedulerParams, StaticPersistentTileScheduler, _Values

__all__ = [
    "GroupSearchResult",
    "GroupedGemmGroupSearchState",
    "GroupedGemmTileSchedulerHelper",
    "StaticPersistentGroupTileScheduler",
    "create_initial_search_state",
]


class GroupSearchResult(_Values):
    """A tile: its group, its coordinates there, and the group's sizes.

    ``cta_tile_count_k`` is how many tiles there are along K.
    """

    _parts = (
        "group_idx", "cta_tile_idx_m", "cta_tile_idx_n", "problem_shape_m",
        "problem_shape_n", "problem_shape_k", "cta_tile_count_k",
    )  # fmt: skip

    def __init__(
        self,
        group_idx: Any,
        cta_tile_idx_m: Any,
        cta_tile_idx_n: Any,
        problem_shape_m: Any,
        problem_shape_n: Any,
        problem_shape_k: Any,
        cta_tile_count_k: Any,
    ):
        self.group_idx = group_idx
        self.cta_tile_idx_m = cta_tile_idx_m
        self.cta_tile_idx_n = cta_tile_idx_n
        self.problem_shape_m = problem_shape_m
        self.problem_shape_n = problem_shape_n
        self.problem_shape_k = problem_shape_k
        self.cta_tile_count_k = cta_tile_count_k


class GroupedGemmGroupSearchState(_Values):
    """The group of the last search, and the clusters' tiles before it and up to its end."""

    _parts = ("start_group_idx", "tile_count_prev_group", "tile_count_searched")

    def __init__(
        self, start_group_idx: Any, tile_count_prev_group: Any, tile_count_searched: Any
    ):
        self.start_group_idx = Int32(start_group_idx)
        self.tile_count_prev_group = Int32(tile_count_prev_group)
        self.tile_count_searched = Int32(tile_count_searched)


def create_initial_search_state() -> GroupedGemmGroupSearchState:
    """Returns the state before any search."""
    return GroupedGemmGroupSearchState(0, 0, 0)


class GroupedGemmTileSchedulerHelper(_Values):
    """Finds a tile's group by the tile's number among all groups' tiles.

    :param cluster_tile_shape_mnk: the tile that a cluster of blocks computes at once
    """

    _parts = ("tile_sched_params", "search_state")

    def __init__(
        self,
        group_count: int,
        tile_sched_params: PersistentTileSchedulerParams,
        cluster_tile_shape_mnk: tuple[int, int, int],
        search_state: GroupedGemmGroupSearchState,
    ):
        self.group_count = group_count
        self.tile_sched_params = tile_sched_params
        self.cluster_tile_shape_mnk = cluster_tile_shape_mnk
        self.search_state = search_state

    def _tiles_of(self, problem_shape_mnkl: Any, group: Any) -> tuple[Any, Any]:
        tile_m, tile_n, _ = self.cluster_tile_shape_mnk
        return (
            ceil_div(problem_shape_mnkl[(group, 0)], tile_m),
            ceil_div(problem_shape_mnkl[(group, 1)], tile_n),
        )

    @jit
    def _search(self, index: Int32, problem_shape_mnkl: Any) -> Any:
        """Goes on to the group that has a cluster's tile; from the first if it is behind."""
        state = self.search_state
        group, before, after = (
            state.start_group_idx, state.tile_count_prev_group, state.tile_count_searched,
        )  # fmt: skip
        if index < before:
            group, before, after = Int32(0), Int32(0), Int32(0)
        if after == 0:
            tiles_m, tiles_n = self._tiles_of(problem_shape_mnkl, group)
            after = tiles_m * tiles_n
        while index >= after and group < self.group_count - 1:
            group = group + 1
            before = after
            tiles_m, tiles_n = self._tiles_of(problem_shape_mnkl, group)
            after = after + tiles_m * tiles_n
        self.search_state = GroupedGemmGroupSearchState(group, before, after)
        return group, before

    def delinearize_z(
        self, cta_tile_coord: tuple[Any, Any, Any], problem_shape_mnkl: Any,
        *, loc: Any = None, ip: Any = None,
    ) -> GroupSearchResult:  # fmt: skip
        """Returns the tile of a block.

        :param cta_tile_coord: its place in the cluster along M and N, and the number of
            the cluster's tile
        :param problem_shape_mnkl: a tensor (groups, 4) of extents
        """
        index = cta_tile_coord[2]
        group, before = self._search(Int32(index), problem_shape_mnkl)
        tiles_m, _ = self._tiles_of(problem_shape_mnkl, group)
        inside = index - before
        blocks_m, blocks_n = self.tile_sched_params.cluster_shape_mn
        m, n, k = (problem_shape_mnkl[(group, mode)] for mode in (0, 1, 2))
        return GroupSearchResult(
            group,
            (inside % tiles_m) * blocks_m + cta_tile_coord[0],
            (inside // tiles_m) * blocks_n + cta_tile_coord[1],
            m,
            n,
            k,
            ceil_div(k, self.cluster_tile_shape_mnk[2]),
        )

    def search_cluster_tile_count_k(
        self, cta_tile_coord: tuple[Any, Any, Any], problem_shape_mnkl: Any,
        *, loc: Any = None, ip: Any = None,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Returns how many tiles a block's group has along K, and the group."""
        found = self.delinearize_z(cta_tile_coord, problem_shape_mnkl)
        return found.cta_tile_count_k, found.group_idx


class GroupedWorkTileInfo(_Values):
    """A tile of a group, and whether there is one."""

    _parts = ("_is_valid_tile", "group_search_result")

    def __init__(self, is_valid_tile: Any, group_search_result: GroupSearchResult):
        self._is_valid_tile = is_valid_tile
        self.group_search_result = group_search_result

    @property
    def is_valid_tile(self) -> Any:
        return self._is_valid_tile


class StaticPersistentGroupTileScheduler(_Values):
    """Goes through the tiles of all groups, as StaticPersistentTileScheduler does."""

    _parts = ("_tile_sched", "_group_helper")

    def __init__(self, tile_sched: Any, group_helper: Any, problem_shape_mnkl: Any):
        self._tile_sched = tile_sched
        self._group_helper = group_helper
        self._problem_shape_mnkl = problem_shape_mnkl

    @staticmethod
    def create(
        params: PersistentTileSchedulerParams = None,
        block_idx: Any = None,
        grid_dim: Any = None,
        cluster_tile_shape_mnk: tuple[int, int, int] = (0, 0, 0),
        initial_search_state: GroupedGemmGroupSearchState = None,
        group_count: int = 0,
        problem_shape_mnkl: Any = None,
        use_cached_problem_shapes: bool = False,
        *,
        tile_sched_params: Any = None,
        bid: Any = None,
        search_state: Any = None,
        loc: Any = None,
        ip: Any = None,
    ) -> StaticPersistentGroupTileScheduler:
        """Returns the scheduler of this block.

        ``tile_sched_params``, ``bid`` and ``search_state`` are the names of ``params``,
        ``block_idx`` and ``initial_search_state`` before 4.8. Problems are read from memory, also
        with ``use_cached_problem_shapes``.
        """
        params = tile_sched_params if params is None else params
        state = search_state if initial_search_state is None else initial_search_state
        tiles = StaticPersistentTileScheduler.create(
            params, bid if block_idx is None else block_idx, grid_dim)
        groups = GroupedGemmTileSchedulerHelper(
            group_count, params, cluster_tile_shape_mnk, state
        )
        return StaticPersistentGroupTileScheduler(tiles, groups, problem_shape_mnkl)

    @staticmethod
    def get_grid_shape(
        params: PersistentTileSchedulerParams = None,
        max_active_clusters: Any = None,
        *,
        tile_sched_params: Any = None,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        """Returns the grid to launch; ``tile_sched_params`` is the name before 4.8."""
        params = tile_sched_params if params is None else params
        return params.get_grid_shape(max_active_clusters)

    def get_current_work(self, *, loc: Any = None, ip: Any = None) -> GroupedWorkTileInfo:
        """Returns the scheduler's current tile, or the first if there is none."""
        at = self._tile_sched.get_current_work()
        there = at.is_valid_tile.to(Int32)
        m, n, index = at.tile_idx
        found = self._group_helper.delinearize_z(
            (m, n, index * there), self._problem_shape_mnkl
        )
        return GroupedWorkTileInfo(at.is_valid_tile, found)

    def initial_work_tile_info(
        self, *, loc: Any = None, ip: Any = None
    ) -> GroupedWorkTileInfo:
        """Returns the first tile."""
        return self.get_current_work()

    def advance_to_next_work(
        self, *, advance_count: int = 1, loc: Any = None, ip: Any = None
    ) -> None:
        """Goes to the block's next tile."""
        self._tile_sched.advance_to_next_work(advance_count=advance_count)

    @property
    def num_tiles_executed(self) -> Int32:
        return self._tile_sched.num_tiles_executed
