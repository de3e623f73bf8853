"""Which scale factors the threads of a tiled product of sm_120 have.

Lane t has A's factors of row t / 4 + 8 (t mod 2) of an instruction's 16, and B's of column t / 4
of its 8; a factor's elements along K have a stride of 0.
"""

from __future__ import annotations

from typing import Any

from .. import core

__all__ = [
    "get_layoutSFA_TV",
    "get_layoutSFB_TV",
    "partition_fragment_SFA",
    "partition_fragment_SFB",
    "thrfrg_SFA",
    "thrfrg_SFB",
]

# Operand: mode of its rows, rows of lanes, their strides, and that of K in (rows, K).
_LANES = {"A": (0, (2, 2, 8), (8, 0, 1), 16), "B": (1, (4, 8), (0, 1), 8)}


def _thrfrg(operand: str, given: Any, tiled_mma: Any) -> Any:
    """Returns a layout (rows, K) as ((ThrV, (Thr, ThrK)), (FrgV, (Rest, RestK)))."""
    mode, lanes, steps, step_k = _LANES[operand]
    shape, tile = tiled_mma.op.shape_mnk, tiled_mma.permutation_mnk
    by_tile = core.logical_divide(given, (tile[mode] or tiled_mma.get_tile_size(mode), tile[2]))
    by_product = core.zipped_divide(
        by_tile, (core.make_layout(shape[mode]), core.make_layout(shape[2])))
    values = core.make_layout((lanes, shape[2]), stride=(steps, step_k))
    threads = tiled_mma.thr_layout_vmnk.shape
    return core.zipped_divide(
        core.composition(by_product, (values, None)),
        (None, (core.make_layout(threads[mode + 1]), core.make_layout(threads[3]))))


def _of_tensor(operand: str, tensor: Any, tiled_mma: Any) -> Any:
    if not hasattr(tensor, "iterator"):
        return _thrfrg(operand, tensor, tiled_mma)
    return core.make_tensor(tensor.iterator, _thrfrg(operand, tensor.layout, tiled_mma))


def thrfrg_SFA(sfa_tensor: Any, tiled_mma: Any) -> Any:  # noqa: N802 (the reference's name)
    """Returns A's factors (M,K), a tensor or layout, by threads and the values of each."""
    return _of_tensor("A", sfa_tensor, tiled_mma)


def thrfrg_SFB(sfb_tensor: Any, tiled_mma: Any) -> Any:  # noqa: N802
    """Returns B's factors (N,K) by threads and the values of each."""
    return _of_tensor("B", sfb_tensor, tiled_mma)


def _fragment(operand: str, tensor: Any, thr_mma: Any, thread: Any) -> Any:
    """Returns registers for a thread's factors (V, rest of rows, rest of K)."""
    parts = _of_tensor(operand, tensor, thr_mma)
    lane, m, n, k = thr_mma.thr_layout_vmnk.get_hier_coord(thread)
    at = (lane, (m if operand == "A" else n, k))
    values = (None, (None,) * core.rank(parts.shape[1][1]))
    return core.make_fragment_like(parts[(at, values)])


def partition_fragment_SFA(  # noqa: N802
    sfa_tensor: Any, thr_mma: Any, tidx: Any
) -> Any:
    """Returns registers for a thread's factors of A: (V, M, K)."""
    return _fragment("A", sfa_tensor, thr_mma, tidx)


def partition_fragment_SFB(  # noqa: N802
    sfb_tensor: Any, thr_mma: Any, tidx: Any
) -> Any:
    """Returns registers for a thread's factors of B: (V, N, K)."""
    return _fragment("B", sfb_tensor, thr_mma, tidx)


def _layout_tv(operand: str, tiled_mma: Any) -> Any:
    """Returns the layout (thread, value) of the factors of a tile (rows, K)."""
    mode = _LANES[operand][0]
    tile = core.make_layout((tiled_mma.get_tile_size(mode), tiled_mma.get_tile_size(2)))
    parts = _thrfrg(operand, tile, tiled_mma)
    threads = tiled_mma.thr_layout_vmnk
    _, m, n, _ = threads.shape
    shared = core.make_layout((m, n), stride=((1, 0), (0, 1))[mode])
    by_block = core.composition(parts, ((None, (shared, None)), None))
    return core.composition(by_block, (core.right_inverse(threads), None))


def get_layoutSFA_TV(tiled_mma: Any) -> Any:  # noqa: N802
    """Returns (thread, value) to an element of A's tile (M,K), which its factor is for."""
    return _layout_tv("A", tiled_mma)


def get_layoutSFB_TV(tiled_mma: Any) -> Any:  # noqa: N802
    """Returns (thread, value) to an element of B's tile (N,K), which its factor is for."""
    return _layout_tv("B", tiled_mma)
