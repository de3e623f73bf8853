"""Which tiles a thread block computes where the launch control hands them out."""

from __future__ import annotations

from typing import Any

from .. import arch
from .._values.numeric import Int32
from .tile_scheduler import PersistentTileSchedulerParams, WorkTileInfo, _Values

__all__ = ["ClcDynamicPersistentTileScheduler", "ClcDynamicPersistentTileSchedulerParams"]


class ClcDynamicPersistentTileSchedulerParams(PersistentTileSchedulerParams):
    """The tiles of a problem, each a block of the grid, and the cluster's shape.

    Blocks have the coordinates of their tiles. In another order, along N first or with
    ``swizzle_size`` above 1, clusters lie along z and take tiles by their number.
    """

    @property
    def is_numbered(self) -> bool:
        """Whether clusters take tiles by their number."""
        return self.swizzle_size != 1 or not self.raster_along_m

    def get_grid_shape(
        self, max_active_clusters: Any = None, *, loc: Any = None, ip: Any = None
    ) -> tuple[Any, Any, Any]:
        """Returns the grid: one block for each tile, in whole clusters."""
        m, n, batches = self.problem_shape_ncluster_mnl
        x, y = self.cluster_shape_mn
        return (x, y, m * n * batches) if self.is_numbered else (m * x, n * y, batches)


class ClcDynamicPersistentTileScheduler(_Values):
    """Computes the block's own tile first, then the tiles of clusters that have not
    begun.

    One warp of a cluster asks (``advance_to_next_work``), and all blocks of it read the
    response (``get_current_work``) when its barrier is complete: ``PipelineClcFetchAsync``.
    """

    _parts = ("params", "cta_id_in_cluster", "_num_tiles_executed", "_block_idx")

    def __init__(
        self,
        params: ClcDynamicPersistentTileSchedulerParams,
        cta_id_in_cluster: Any,
        num_tiles_executed: Any,
        clc_response_ptr: Any,
        block_idx: Any,
        insert_fence: bool = True,
    ):
        self.params = params
        self.cta_id_in_cluster = cta_id_in_cluster
        self._num_tiles_executed = Int32(num_tiles_executed)
        self._clc_response_ptr = clc_response_ptr
        self._block_idx = block_idx
        self._insert_fence = insert_fence

    @staticmethod
    def create(
        params: ClcDynamicPersistentTileSchedulerParams,
        block_idx: Any,
        grid_dim: Any,
        clc_response_ptr: Any,
        insert_fence: bool = True,
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> ClcDynamicPersistentTileScheduler:
        """Returns the scheduler of this block, in a grid of ``get_grid_shape``.

        :param clc_response_ptr: 16 bytes of shared memory, at the same place in all blocks
        :param insert_fence: whether ``get_current_work`` orders its read before the next response
        """
        x, y, _ = block_idx
        m, n = params.cluster_shape_mn
        if params.fallback_cluster_shape_mnk != params.cluster_shape_mnk:
            m, n, _ = params.runtime_cluster_dims()
        inside = (x % m, y % n, Int32(0))
        return ClcDynamicPersistentTileScheduler(
            params, inside, 0, clc_response_ptr, block_idx, insert_fence)

    @staticmethod
    def get_grid_shape(
        params: ClcDynamicPersistentTileSchedulerParams, *, loc: Any = None, ip: Any = None
    ) -> tuple[Any, Any, Any]:
        """Returns the grid to launch."""
        return params.get_grid_shape()

    def _tile_of(self, first: Any, valid: Any) -> WorkTileInfo:
        """Returns the tile of this block in the cluster whose first block is known."""
        x, y, z = self.cta_id_in_cluster
        if self.params.is_numbered:
            m, n, batch = self.params.coordinates(first[2])
            rows, columns = self.params.cluster_shape_mn
            first = (m * rows + first[0], n * columns + first[1], batch)
        return WorkTileInfo((Int32(first[0] + x), Int32(first[1] + y), Int32(first[2] + z)), valid)

    def initial_work_tile_info(self, *, loc: Any = None, ip: Any = None) -> WorkTileInfo:
        """Returns the tile of the block's own place in the grid."""
        inside = self.cta_id_in_cluster
        return self._tile_of([at - i for at, i in zip(self._block_idx, inside)], True)

    def get_current_work(self, *, loc: Any = None, ip: Any = None) -> WorkTileInfo:
        """Returns the tile that the response names, or none; its barrier must be complete."""
        return self.work_tile_info_from_clc_response(self._clc_response_ptr)

    def work_tile_info_from_clc_response(
        self, result_addr: Any, *, loc: Any = None, ip: Any = None
    ) -> WorkTileInfo:
        """Returns the block's tile of a response of 16 bytes in shared memory."""
        x, y, z, valid = arch.clc_response(result_addr)
        if self._insert_fence:
            arch.fence_proxy("async.shared", space="cta")
        return self._tile_of((x, y, z), valid != 0)

    def advance_to_next_work(
        self, mbarrier_addr: Any, *, loc: Any = None, ip: Any = None
    ) -> None:
        """Asks for another cluster: a warp of the cluster's first block."""
        with arch.elect_one():
            arch.issue_clc_query(mbarrier_addr, self._clc_response_ptr)
        self._num_tiles_executed = self._num_tiles_executed + 1

    @property
    def num_tiles_executed(self) -> Int32:
        return self._num_tiles_executed
