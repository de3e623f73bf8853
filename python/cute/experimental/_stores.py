"""The pipeline of stores by TMA."""

from __future__ import annotations

from typing import Any

from .. import arch as _arch
from .._frontend.guards import run_if
from .._values.numeric import Int32


class TMAStorePipeline:
    """Threads fill buffers in shared memory, which one warp stores by TMA.

    :param stages: how many buffers there are
    :param arv_count: how many threads fill one; all of them call the methods
    :param barrier_id: a named barrier of the block for them
    :param tma_warp_id: the warp that stores
    """

    def __init__(self, stages: int, arv_count: int, barrier_id: int, tma_warp_id: int, index: Any = 0):
        self.stages, self.arv_count = stages, arv_count
        self.barrier_id, self.tma_warp_id, self.index = barrier_id, tma_warp_id, Int32(index)

    def _by_tma_warp(self, function: Any) -> None:
        run_if(_arch.warp_idx() == self.tma_warp_id, function)

    def _sync(self) -> Any:
        _arch.barrier(barrier_id=self.barrier_id, number_of_threads=self.arv_count)
        return self

    def get_num_stages(self) -> int:
        return self.stages

    def get_index(self) -> Any:
        """Returns the number of the buffer to fill."""
        return self.index

    def acquire_sync(self) -> Any:
        """Waits until TMA has read the buffer."""
        self._by_tma_warp(lambda: _arch.cp_async_bulk_wait_group(self.stages - 1, read=True))
        return self._sync()

    def commit_sync(self) -> Any:
        """Makes all threads' writes visible to TMA."""
        _arch.fence_proxy("async.shared", space="cta")
        return self._sync()

    def release_advance(self) -> Any:
        """Ends the group of the buffer's stores, and advances to the next buffer."""
        self._by_tma_warp(_arch.cp_async_bulk_commit_group)
        self.index = (self.index + 1) % self.stages
        return self

    def tail(self) -> Any:
        """Waits until TMA has read all buffers."""
        self._by_tma_warp(lambda: _arch.cp_async_bulk_wait_group(0, read=True))
        return self

    def __extract_mlir_values__(self) -> list[Any]:
        return [self.index.ir_value()]

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        return TMAStorePipeline(self.stages, self.arv_count, self.barrier_id, self.tma_warp_id,
                                Int32(values[0]))
