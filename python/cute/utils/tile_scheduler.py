"""Which tiles of a result a thread block computes, one after another."""

from __future__ import annotations

from typing import Any

from .._frontend.guards import choose
from .. import arch
from .._values.numeric import Boolean, Int32, Numeric
from .._frontend.tree import flatten, unflatten
from ..core import ceil_div, make_layout, size

__all__ = [
    "PersistentTileSchedulerParams",
    "StaticPersistentRuntimeTileScheduler",
    "StaticPersistentTileScheduler",
    "WorkTileInfo",
]


class _Values:
    """An object of the parts ``_parts`` names; their SSA values are its own."""

    _parts: tuple[str, ...] = ()

    def _tree(self) -> tuple[list[Any], Any]:
        return flatten(tuple(getattr(self, name) for name in self._parts))

    def __extract_mlir_values__(self) -> list[Any]:
        leaves, _ = self._tree()
        return [_raw(leaf) for leaf in leaves if _is_value(leaf)]

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        leaves, spec = self._tree()
        left = iter(values)
        made = [_rebuilt(leaf, next(left)) if _is_value(leaf) else leaf
                for leaf in leaves]
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        parts = unflatten(spec, iter(made), lambda node: False)
        for name, part in zip(self._parts, parts):
            setattr(copy, name, part)
        return copy


def _is_value(leaf: Any) -> bool:
    """Returns whether a loop carries a leaf: all numbers, for known ones change, too."""
    return isinstance(leaf, Numeric) or hasattr(leaf, "value") and hasattr(leaf, "type")


def _raw(leaf: Any) -> Any:
    return leaf.ir_value() if isinstance(leaf, Numeric) else leaf.value


def _rebuilt(leaf: Any, value: Any) -> Any:
    return type(leaf)(value)


class WorkTileInfo(_Values):
    """A tile: its coordinates (M, N, L), and whether there is one."""

    _parts = ("_tile_idx", "_is_valid_tile")

    def __init__(self, tile_idx: Any, is_valid_tile: Any):
        self._tile_idx = tile_idx
        self._is_valid_tile = Boolean(is_valid_tile)

    @property
    def tile_idx(self) -> Any:
        return self._tile_idx

    @property
    def is_valid_tile(self) -> Boolean:
        return self._is_valid_tile


class PersistentTileSchedulerParams(_Values):
    """The tiles of a problem, ``problem_shape_ntile_mnl``, and the cluster's shape.

    Clusters are numbered along M first, or along N. With ``swizzle_size`` above 1 they
    go in groups of that many along the other mode, so clusters that run at the same
    time share more of A and B in the L2 cache. Where the grid runs in clusters of
    ``fallback_cluster_shape_mnk``, several have the tiles of one of ``cluster_shape_mnk``.

    >>> tiles = cute.utils.PersistentTileSchedulerParams((10, 6, 1), (2, 1, 1))
    >>> tiles.problem_shape_ncluster_mnl, tiles.get_grid_shape(12)
    ((5, 6, 1), (2, 1, 12))
    """

    _parts = ("problem_shape_ntile_mnl", "problem_shape_ncluster_mnl")

    def __init__(
        self,
        problem_shape_ntile_mnl: Any,
        cluster_shape_mnk: Any,
        swizzle_size: int = 1,
        raster_along_m: bool = True,
        *,
        fallback_cluster_shape_mnk: Any = None,
        loc: Any = None,
        ip: Any = None,
    ):
        fallback = tuple(fallback_cluster_shape_mnk or cluster_shape_mnk)
        if any(b < 1 or a % b for a, b in zip(cluster_shape_mnk, fallback)):
            raise ValueError(f"the cluster {fallback} to fall back to does not divide "
                             f"{tuple(cluster_shape_mnk)}; extents along M and N are divisors")
        self.fallback_cluster_shape_mnk = fallback
        if cluster_shape_mnk[2] != 1:
            raise ValueError(
                f"a cluster of tiles has extent 1 along K, not {cluster_shape_mnk}"
            )
        if swizzle_size < 1:
            raise ValueError(f"swizzle_size is at least 1, not {swizzle_size}")
        self.problem_shape_ntile_mnl = tuple(problem_shape_ntile_mnl)
        self.cluster_shape_mn = tuple(cluster_shape_mnk[:2])
        self.swizzle_size = swizzle_size
        self.raster_along_m = raster_along_m
        m, n, batches = problem_shape_ntile_mnl
        self.problem_shape_ncluster_mnl = (
            ceil_div(m, cluster_shape_mnk[0]),
            ceil_div(n, cluster_shape_mnk[1]),
            batches,
        )

    @property
    def cluster_shape_mnk(self) -> tuple[int, int, int]:
        return (*self.cluster_shape_mn, 1)

    def runtime_cluster_dims(self) -> tuple[Any, Any, Any]:
        """Returns the shape of the cluster that a kernel's block is in."""
        return arch.block_in_cluster_dim()

    def get_grid_shape(
        self, max_active_clusters: Any, *, loc: Any = None, ip: Any = None
    ) -> tuple[Any, Any, Any]:
        """Returns the grid, with at most as many clusters as there are tiles."""
        clusters = size(self.problem_shape_ncluster_mnl)
        work = choose(clusters < max_active_clusters, clusters, max_active_clusters)
        return (*self.cluster_shape_mn, work)

    def coordinates(self, index: Any) -> tuple[Any, Any, Any]:
        """Returns the coordinates of the cluster with a number."""
        m, n, _batches = self.problem_shape_ncluster_mnl
        if self.swizzle_size == 1:
            shape = self.problem_shape_ncluster_mnl
            if self.raster_along_m:
                return make_layout(shape).get_hier_coord(index)
            order = make_layout((shape[1], shape[0], shape[2]))
            at = order.get_hier_coord(index)
            return (at[1], at[0], at[2])
        inner, outer = (m, n) if self.raster_along_m else (n, m)
        of_batch = inner * outer
        batch, rest = index // of_batch, index % of_batch
        group = inner * self.swizzle_size
        first = (rest // group) * self.swizzle_size
        left = outer - first
        width = choose(left < self.swizzle_size, left, self.swizzle_size)
        in_group = rest % group
        at_outer, at_inner = first + in_group % width, in_group // width
        if self.raster_along_m:
            return (at_inner, at_outer, batch)
        return (at_outer, at_inner, batch)


class StaticPersistentTileScheduler(_Values):
    """Goes through the tiles whose number equals the cluster's, modulo the number of clusters."""

    _parts = (
        "params",
        "num_persistent_clusters",
        "_current_work_linear_idx",
        "cta_id_in_cluster",
        "_num_tiles_executed",
    )

    def __init__(
        self,
        params: PersistentTileSchedulerParams,
        num_persistent_clusters: Any,
        current_work_linear_idx: Any,
        cta_id_in_cluster: Any,
        num_tiles_executed: Any,
    ):
        self.params = params
        self.num_persistent_clusters = Int32(num_persistent_clusters)
        self._current_work_linear_idx = Int32(current_work_linear_idx)
        self.cta_id_in_cluster = cta_id_in_cluster
        self._num_tiles_executed = Int32(num_tiles_executed)

    @staticmethod
    def create(
        params: PersistentTileSchedulerParams,
        block_idx: Any,
        grid_dim: Any,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> StaticPersistentTileScheduler:
        """Returns the scheduler of this block, in a grid of ``get_grid_shape``."""
        blocks = params.cluster_shape_mn[0] * params.cluster_shape_mn[1]
        clusters = (grid_dim[0] * grid_dim[1] * grid_dim[2]) // blocks
        x, y, z = block_idx
        inside = (x % params.cluster_shape_mn[0], y % params.cluster_shape_mn[1], Int32(0))
        return StaticPersistentTileScheduler(params, clusters, z, inside, 0)

    @staticmethod
    def get_grid_shape(
        params: PersistentTileSchedulerParams,
        max_active_clusters: Any,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> tuple[Any, Any, Any]:
        """Returns the grid to launch."""
        return params.get_grid_shape(max_active_clusters)

    def _cluster(self, index: Any) -> Any:
        """Returns the coordinates of a cluster of blocks by its number."""
        return self.params.coordinates(index)

    def get_current_work(self, *, loc: Any = None, ip: Any = None) -> WorkTileInfo:
        """Returns the scheduler's current tile."""
        index = self._current_work_linear_idx
        valid = index < size(self.params.problem_shape_ncluster_mnl)
        cluster = self._cluster(index)
        shape = self.params.cluster_shape_mnk
        tile = tuple(
            Int32(at * extent + inside)
            for at, extent, inside in zip(cluster, shape, self.cta_id_in_cluster)
        )
        return WorkTileInfo(tile, valid)

    def initial_work_tile_info(self, *, loc: Any = None, ip: Any = None) -> WorkTileInfo:
        """Returns the first tile."""
        return self.get_current_work()

    def advance_to_next_work(
        self, *, advance_count: int = 1, loc: Any = None, ip: Any = None
    ) -> None:
        """Goes to the block's next tile."""
        step = Int32(advance_count) * self.num_persistent_clusters
        self._current_work_linear_idx = self._current_work_linear_idx + step
        self._num_tiles_executed = self._num_tiles_executed + 1

    @property
    def num_tiles_executed(self) -> Int32:
        return self._num_tiles_executed


class StaticPersistentRuntimeTileScheduler(StaticPersistentTileScheduler):
    """Goes through tiles whose sizes are known only on the device.

    The grid has as many clusters as run at the same time, whatever the problem's size.

    :param inner_mode: the mode whose tiles follow one another: 0 along M, 1 along N
    """

    def __init__(
        self,
        params: PersistentTileSchedulerParams,
        num_persistent_clusters: Any,
        current_work_linear_idx: Any,
        cta_id_in_cluster: Any,
        num_tiles_executed: Any,
        inner_mode: int = 1,
    ):
        if inner_mode not in (0, 1):
            raise ValueError(f"inner_mode is 0, along M, or 1, along N, not {inner_mode}")
        super().__init__(params, num_persistent_clusters, current_work_linear_idx,
                         cta_id_in_cluster, num_tiles_executed)
        self.inner_mode = inner_mode

    @staticmethod
    def create(
        params: PersistentTileSchedulerParams,
        block_idx: Any,
        grid_dim: Any,
        inner_mode: int = 1,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> StaticPersistentRuntimeTileScheduler:
        """Returns the scheduler of this block."""
        made = StaticPersistentTileScheduler.create(params, block_idx, grid_dim)
        return StaticPersistentRuntimeTileScheduler(
            params, made.num_persistent_clusters, made._current_work_linear_idx,
            made.cta_id_in_cluster, 0, inner_mode)

    def _cluster(self, index: Any) -> Any:
        m, n, batches = self.params.problem_shape_ncluster_mnl
        if self.inner_mode == 0:
            return make_layout((m, n, batches)).get_hier_coord(index)
        at = make_layout((n, m, batches)).get_hier_coord(index)
        return at[1], at[0], at[2]
