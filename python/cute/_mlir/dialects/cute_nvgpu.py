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


class TmaDescriptorTiledType:
    """The type of tensor maps."""

    @staticmethod
    def get(context: Any = None) -> type[TmaDescriptorTiledType]:
        return TmaDescriptorTiledType


class TensorMap:
    """The map of an atom as a value, which programs take apart and store."""

    type = TmaDescriptorTiledType

    def __init__(self, atom: Any):
        self._atom = atom

    def __cute_map__(self, address: Any) -> None:
        """Writes the map to an address of LLVM's."""
        from ..._values.pointer import Pointer
        from ...nvgpu.cpasync import copy_tensormap

        copy_tensormap(self._atom, Pointer(address))


def atom_get_value(
    result: Any, atom: Any, field: Any, *, loc: Any = None, ip: Any = None
) -> TensorMap:
    """Returns the tensor map of an atom's trait.

    :raises NotThere: for another field
    """
    from ..._compat.missing import NotThere

    if result is not TmaDescriptorTiledType or "tma_desc" not in str(field):
        raise NotThere(f"of atoms the tensor map is there, not {field}")
    return TensorMap(atom.atom)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _placeholders.Placeholder(f"cute_nvgpu.{name}", "operations of CuTe DSL by hand")
