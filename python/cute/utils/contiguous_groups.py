"""The tiles of several products whose rows or columns lie one after the other."""

from __future__ import annotations

from typing import Any

from .._compile.jit import jit
from .._values.numeric import Boolean, Int32
from .tile_scheduler import _Values

__all__ = [
    "ContiguousGGSearchState",
    "ContiguousGroupWorkTileInfo",
    "contiguous_group_search",
    "create_initial_contiguous_group_search_state",
    "make_contiguous_group_work_tile_info",
]


class ContiguousGGSearchState(_Values):
    """Where the search for a tile's group is.

    :param last_tile_count: of the groups before this one
    :param cur_boundary: where this group ends
    :param cur_tile_count: of the groups up to this one
    :param cur_group_idx: how many groups were looked at
    :param cur_offset: where this group starts
    :param cur_start: where the tile starts
    """

    _parts = ("last_tile_count", "cur_boundary", "cur_tile_count", "cur_group_idx",
              "cur_offset", "cur_start")

    def __init__(
        self, last_tile_count: Any, cur_boundary: Any, cur_tile_count: Any, cur_group_idx: Any,
        cur_offset: Any, cur_start: Any,
    ):
        given = (last_tile_count, cur_boundary, cur_tile_count, cur_group_idx, cur_offset,
                 cur_start)
        for name, value in zip(self._parts, given):
            setattr(self, name, Int32(value))


def create_initial_contiguous_group_search_state() -> ContiguousGGSearchState:
    """Returns the state before any search."""
    return ContiguousGGSearchState(0, 0, 0, 0, 0, 0)


@jit
def contiguous_group_search(
    cluster_tile_shape_mnk: tuple[int, int, int], group_count: Int32, linear_idx: Int32,
    search_state: ContiguousGGSearchState, cumsum: Any, search_mode: int,
) -> ContiguousGGSearchState:
    """Goes on to the group that has a cluster's tile.

    :param linear_idx: the tile, not before that of the last search
    :param cumsum: where group i ends, at i + 1
    :param search_mode: 0 for groups along M, 1 along N
    :return: the state, with ``cur_group_idx`` above ``group_count`` if there is no such tile
    """
    tile = cluster_tile_shape_mnk[search_mode]
    before, end, tiles = (search_state.last_tile_count, search_state.cur_boundary,
                          search_state.cur_tile_count)
    group, start = search_state.cur_group_idx, search_state.cur_offset
    is_before = linear_idx >= tiles
    while is_before:
        group = group + 1
        if group <= group_count:
            start = end
            end = Int32(cumsum[group])
            before = tiles
            tiles = tiles + (end - start + tile - 1) // tile
        is_before = group <= group_count and linear_idx >= tiles
    return ContiguousGGSearchState(before, end, tiles, group, start,
                                   start + (linear_idx - before) * tile)


class ContiguousGroupWorkTileInfo(_Values):
    """A tile of a group.

    :param cta_coord_m: the block's tile along M
    :param coord_n: where it starts along N
    :param distance_to_boundary: how much of its group is left there
    """

    _parts = ("cta_coord_m", "coord_n", "group_idx", "distance_to_boundary")

    def __init__(
        self, group_count: int, cta_coord_m: Any, coord_n: Any, group_idx: Any,
        distance_to_boundary: Any,
    ):
        self.group_count = group_count
        given = (cta_coord_m, coord_n, group_idx, distance_to_boundary)
        for name, value in zip(self._parts, given):
            setattr(self, name, Int32(value))

    @property
    def is_valid_tile(self) -> Boolean:
        """Whether there is such a tile."""
        return Boolean(self.group_idx < self.group_count)


def make_contiguous_group_work_tile_info(
    group_count: int, sTile_info: Any
) -> ContiguousGroupWorkTileInfo:
    """Returns the tile of 4 integers in the order of the parameters."""
    return ContiguousGroupWorkTileInfo(group_count, *(sTile_info[i] for i in range(4)))
