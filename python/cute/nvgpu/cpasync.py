"""Asynchronous copies from global to shared memory."""

from __future__ import annotations

from typing import Any

from .._compat import placeholders as _placeholders
from .._values.atoms import Trait
from ._bulk import *  # noqa: F403
from ._tensor_maps import *  # noqa: F403
from ._tma import *  # noqa: F403
from ._tma_im2col import *  # noqa: F403
from ._tma_rows import *  # noqa: F403
from ._tma import ReductionOp as ReductionKind, TmaOp as TmaCopyOp  # noqa: F401
from .common import CopyOp, L2PrefetchSize, LoadCacheMode, OpError


class CopyG2SOp(CopyOp):
    """cp.async: 4, 8 or 16 bytes from global to shared memory.

    Where a predicate is false zeros are written.

    :param cache_mode: GLOBAL keeps them out of the L1 cache, for 16 bytes only

    >>> make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(), Float16, num_bits_per_copy=128).layout_dst_tv
    (1,8):(0,1)
    """

    promises_alignment = True  # of copy_atom_call

    def __init__(
        self,
        cache_mode: LoadCacheMode = LoadCacheMode.ALWAYS,
        l2_prefetch_size: L2PrefetchSize = L2PrefetchSize.NONE,
        **options: Any,
    ):
        if cache_mode not in (LoadCacheMode.ALWAYS, LoadCacheMode.GLOBAL):
            raise OpError(self, f"cp.async has no cache mode {cache_mode}")
        self.cache_mode = cache_mode
        self.l2_prefetch_size = l2_prefetch_size

    def atom_name(self, bits: int) -> str:
        if bits not in (32, 64, 128):
            raise OpError(self, f"cp.async copies 32, 64 or 128 bits, not {bits}")
        is_global = self.cache_mode is LoadCacheMode.GLOBAL and bits == 128
        prefetch = self.l2_prefetch_size.value
        more = f"_L2_{prefetch}B" if prefetch else ""
        cache = "GLOBAL" if is_global else "ALWAYS"
        return f"SM80_CP_ASYNC_CACHE{cache}_ZFILL{more}<uint{bits}_t>"

    def __str__(self) -> str:
        return "cp.async GMEM -> SMEM copy Operation"


CopyBulkTensorTileG2SNonExecTrait = Trait
CopyBulkTensorTileG2SMulticastNonExecTrait = Trait
CopyBulkTensorTileS2GNonExecTrait = Trait
CopyReduceBulkTensorTileS2GNonExecTrait = Trait

__getattr__ = _placeholders.itself("cute.nvgpu.cpasync")
