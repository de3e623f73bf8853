"""Atoms of TMA by hand, as programs make them for tiles that are parts of pages."""

from __future__ import annotations

from typing import Any

from ..._compat import placeholders as _placeholders


def _made(
    gmem_tensor: Any, smem_layout: Any, cta_v_map: Any, kind: Any, *,
    num_multicast: int | None = None, **_: Any,
) -> tuple[Any, Any]:
    """Returns what a copy atom is made of with its operation, and the tensor of coordinates.

    :param cta_v_map: value -> coordinate of a tile, ``(64,64):(1@0,1@1)``
    :param kind: the operation

        atom, coordinates = atom_make_non_exec_tiled_tma_load(gmem, smem, tile, op._to_ir())
        copy = CopyAtom(op, cpasync.CopyBulkTensorTileG2SNonExecTrait(atom))
    """
    from ...nvgpu.cpasync import make_tiled_tma_atom

    return tuple(make_tiled_tma_atom(kind, gmem_tensor, smem_layout, cta_v_map, num_multicast or 1))


atom_make_non_exec_tiled_tma_load = _made
atom_make_non_exec_tiled_tma_store = _made
atom_make_non_exec_tiled_tma_reduce = _made


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _placeholders.Placeholder(f"cute_nvgpu.{name}", "operations of CuTe DSL by hand")
