"""Copies, loads and stores of matrices, atomic additions, tensor maps: instructions of PTX."""

from __future__ import annotations

from typing import Any, Sequence

from .. import arch as _arch
from .._values.numeric import Int32, as_numeric
from ._kinds import KINDS, word
from ._write import place, registers, shared, space, vector, word16, word32, word64, write

__all__ = [
    "clusterlaunchcontrol_try_cancel",
    "cp_async_bulk_global_shared_cta",
    "cp_async_bulk_prefetch",
    "cp_async_bulk_shared_cluster_global",
    "cp_async_bulk_shared_cluster_shared_cta",
    "cp_async_bulk_tensor_global_shared_cta",
    "cp_async_bulk_tensor_prefetch",
    "cp_async_bulk_tensor_reduce",
    "cp_async_bulk_tensor_shared_cluster_global",
    "cp_async_bulk_tensor_shared_cta_global",
    "cp_async_mbarrier_arrive",
    "cp_async_shared_global",
    "ldmatrix",
    "prefetch_l1",
    "prefetch_l2",
    "prefetch_tensormap",
    "prefetchu",
    "red",
    "stmatrix",
    "tensormap_replace",
]


# ---- cp.async ---------------------------------------------------------------


def cp_async_shared_global(
    dst: Any, src: Any, size: int, modifier: Any, *, cp_size: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Starts a copy of 4, 8 or 16 bytes to shared memory: cp.async.

    :param modifier: LoadCacheModifier CA or CG, which is for 16 bytes
    :param cp_size: how many of the bytes are read; the others are zeros
    """
    operands, more = [shared(dst), place(src)], ""
    if cp_size is not None:
        operands.append(word32(cp_size))
        more = ", {2}"
    name = f"cp.async.{word('LoadCacheModifier', modifier)}.shared.global"
    write(f"{name} [{{0}}], [{{1}}], {int(size)}{more};", *operands)


def cp_async_mbarrier_arrive(
    addr: Any, *, noinc: bool | None = None, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a barrier once the thread's cp.async copies are complete."""
    name = "cp.async.mbarrier.arrive" + ".noinc" * bool(noinc)
    write(f"{name}.shared::cta.b64 [{{0}}];", shared(addr))


# ---- Bulk copies ------------------------------------------------------------


class _Modifiers:
    """Collects what follows the operands of a bulk copy: a mask of blocks, a cache's hint."""

    def __init__(self, operands: list[Any]):
        self.operands, self.name, self.text = operands, "", ""

    def add(self, name: str, value: Any) -> None:
        """Adds an operand, if it is given."""
        if value is not None:
            self.name += f".{name}"
            self.text += f", {{{len(self.operands)}}}"
            self.operands.append(value)


def _modified(operands: list[Any], mask: Any, hint: Any) -> _Modifiers:
    made = _Modifiers(operands)
    made.add("multicast::cluster", None if mask is None else word16(mask))
    made.add("L2::cache_hint", None if hint is None else word64(hint))
    return made


def cp_async_bulk_shared_cluster_global(
    dst_mem: Any, src_mem: Any, mbar: Any, size: Any, *, multicast_mask: Any = None,
    l2_cache_hint: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a copy of bytes from global to shared memory, which a barrier counts.

    :param size: a multiple of 16
    """
    near = shared(dst_mem, cluster=True)
    more = _modified([near, place(src_mem), word32(size), shared(mbar, cluster=True)],
                     multicast_mask, l2_cache_hint)
    name = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
    write(f"{name}{more.name} [{{0}}], [{{1}}], {{2}}, [{{3}}]{more.text};", *more.operands)


def cp_async_bulk_shared_cluster_shared_cta(
    dst_mem: Any, src_mem: Any, mbar: Any, size: Any, *, loc: Any = None, ip: Any = None
) -> None:
    """Starts a copy of bytes to the shared memory of another block of the cluster."""
    name = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
    write(f"{name} [{{0}}], [{{1}}], {{2}}, [{{3}}];", shared(dst_mem, cluster=True),
          shared(src_mem), word32(size), shared(mbar, cluster=True))


def cp_async_bulk_global_shared_cta(
    dst_mem: Any, src_mem: Any, size: Any, *, l2_cache_hint: Any = None,
    byte_mask: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a copy of bytes from shared to global memory, which belongs to a bulk group."""
    more = _Modifiers([place(dst_mem), shared(src_mem), word32(size)])
    more.add("L2::cache_hint", None if l2_cache_hint is None else word64(l2_cache_hint))
    more.add("cp_mask", None if byte_mask is None else word16(byte_mask))
    name = f"cp.async.bulk.global.shared::cta.bulk_group{more.name}"
    write(f"{name} [{{0}}], [{{1}}], {{2}}{more.text};", *more.operands)


def cp_async_bulk_prefetch(
    src_mem: Any, size: Any, *, l2_cache_hint: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Brings bytes to the L2 cache: cp.async.bulk.prefetch."""
    more = _modified([place(src_mem), word32(size)], None, l2_cache_hint)
    write(f"cp.async.bulk.prefetch.L2.global{more.name} [{{0}}], {{1}}{more.text};",
          *more.operands)


# ---- Copies by tensor maps --------------------------------------------------


def _box(first: int, coordinates: Sequence[Any]) -> str:
    return ", ".join(f"{{{first + i}}}" for i in range(len(coordinates)))


def _units(tensor_map: Any, coordinates: Sequence[Any]) -> list[Any]:
    """Returns the coordinates of a box in units of the map, the innermost first."""
    first, *rest = coordinates
    in_unit = getattr(tensor_map, "in_unit", 1)
    return [first if in_unit == 1 else first // in_unit, *rest]


def _tile(mode: Any, kind: str, coordinates: Sequence[Any] = (), offsets: Any = None) -> str:
    """Returns the mode of a copy in PTX: of tiles, or of four rows that are gathered.

    :raises ValueError: for rows without a column and four numbers
    """
    name = word(kind, mode or "tile").replace("_", "::")
    if "im2col" in name or offsets:
        raise NotImplementedError("boxes of tiles and rows are copied, not of images (im2col)")
    if name != "tile" and len(coordinates) != 5:
        raise ValueError(f"{name} takes a column and four rows, not {len(coordinates)} coordinates")
    return name


def _rank(coordinates: Sequence[Any], mode: str) -> int:
    return 2 if mode != "tile" else len(coordinates)


def _load(
    dst: Any, tensor_map: Any, coordinates: Sequence[Any], mbar: Any,
    mask: Any, hint: Any, group: Any = None, mode: str = "tile",
) -> None:
    pair = word("CTAGroup", group)[-1] if group is not None else ""
    # sm_120 gathers to the own block alone.
    is_near = mode != "tile" and mask is None and not pair
    near, counted = (shared(x, cluster=not is_near) for x in (dst, mbar))
    if pair == "2":
        leader = _arch.block_idx_in_cluster() & ~1
        counted = shared(_arch.map_dsmem_ptr(shared(mbar), leader), cluster=True)
    operands = [near, place(tensor_map), counted, *map(word32, _units(tensor_map, coordinates))]
    more = _modified(operands, mask, hint)
    to = "shared::cta" if is_near else "shared::cluster"
    name = f"cp.async.bulk.tensor.{_rank(coordinates, mode)}d.{to}.global.{mode}"
    name += f".mbarrier::complete_tx::bytes{more.name}"
    if pair:
        part = f".cta_group::{pair}"
        name = name.replace(".L2::", f"{part}.L2::") if ".L2::" in name else name + part
    write(f"{name} [{{0}}], [{{1}}, {{{_box(3, coordinates)}}}], [{{2}}]{more.text};",
          *more.operands)


def cp_async_bulk_tensor_shared_cta_global(
    dst_mem: Any, tma_descriptor: Any, coordinates: Sequence[Any], mbar: Any,
    im2col_offsets: Any = None, *, l2_cache_hint: Any = None, mode: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Starts a copy of a box of a tensor to shared memory, which a barrier counts.

    :param tma_descriptor: the place of a tensor map, ``TensorMap.get_ptr()``
    :param coordinates: of the box, the innermost first
    :param mode: a TMALoadMode, tiles by default; TILE_GATHER4 takes four rows of a matrix whose
        boxes have one row, (column, row, row, row, row), on sm_100 and later
    """
    mode = _tile(mode, "TMALoadMode", coordinates, im2col_offsets)
    _load(dst_mem, tma_descriptor, coordinates, mbar, None, l2_cache_hint, mode=mode)


def cp_async_bulk_tensor_shared_cluster_global(
    dst_mem: Any, tma_descriptor: Any, coordinates: Sequence[Any], mbar: Any,
    im2col_offsets: Any = None, *, multicast_mask: Any = None, l2_cache_hint: Any = None,
    mode: Any = None, group: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a copy of a box of a tensor to the shared memory of blocks of the cluster.

    :param multicast_mask: a bit for each block; only the own where it is left out
    :param group: CTA_2: the barrier of the first block of a pair counts it, on sm_100
    """
    mode = _tile(mode, "TMALoadMode", coordinates, im2col_offsets)
    _load(dst_mem, tma_descriptor, coordinates, mbar, multicast_mask,
          l2_cache_hint, group, mode)


def _store(name: str, tensor_map: Any, src: Any, coordinates: Sequence[Any], hint: Any) -> None:
    at = map(word32, _units(tensor_map, coordinates))
    more = _modified([place(tensor_map), shared(src), *at], None, hint)
    text = f"{name}{more.name} [{{0}}, {{{_box(2, coordinates)}}}], [{{1}}]{more.text};"
    write(text, *more.operands)


def cp_async_bulk_tensor_global_shared_cta(
    tma_descriptor: Any, src_mem: Any, coordinates: Sequence[Any], *,
    l2_cache_hint: Any = None, mode: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a copy of a box from shared memory to a tensor; it belongs to a bulk group."""
    mode = _tile(mode, "TMAStoreMode", coordinates)
    rank = _rank(coordinates, mode)
    name = f"cp.async.bulk.tensor.{rank}d.global.shared::cta.{mode}.bulk_group"
    _store(name, tma_descriptor, src_mem, coordinates, l2_cache_hint)


def cp_async_bulk_tensor_reduce(
    tma_descriptor: Any, src_mem: Any, red_kind: Any, coordinates: Sequence[Any], *,
    mode: Any = None, l2_cache_hint: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a reduction of a box in shared memory into a tensor: cp.reduce.async.bulk."""
    if _tile(mode, "TMAStoreMode", coordinates) != "tile":
        raise NotImplementedError("rows that are scattered are stored, not added")
    name = f"cp.reduce.async.bulk.tensor.{len(coordinates)}d.global.shared::cta"
    _store(f"{name}.{word('TMARedux', red_kind)}.tile.bulk_group", tma_descriptor, src_mem,
           coordinates, l2_cache_hint)


def cp_async_bulk_tensor_prefetch(
    tma_descriptor: Any, coordinates: Sequence[Any], im2col_offsets: Any = None, *,
    mode: Any = None, l2_cache_hint: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Brings a box of a tensor to the L2 cache."""
    mode = _tile(mode, "TMALoadMode", coordinates, im2col_offsets)
    at = map(word32, _units(tma_descriptor, coordinates))
    more = _modified([place(tma_descriptor), *at], None, l2_cache_hint)
    rank = _rank(coordinates, mode)
    name = f"cp.async.bulk.prefetch.tensor.{rank}d.L2.global.{mode}{more.name}"
    text = f"{name} [{{0}}, {{{_box(1, coordinates)}}}]{more.text};"
    write(text, *more.operands)


def prefetch_tensormap(
    addr: Any, *, space: Any = "const", loc: Any = None, ip: Any = None
) -> None:
    """Brings a tensor map to the cache: prefetch.tensormap."""
    write("prefetch.tensormap [{0}];", place(addr))


# The types of fields of a tensor map that have a mode each.
_OF_MODES = ("box_dim", "global_dim", "global_stride", "element_stride")
_CHOICES = {
    "elemtype": "TensormapElemtype", "interleave_layout": "TensormapInterleaveLayout",
    "swizzle_mode": "TensormapSwizzleMode", "swizzle_atomicity": "TensormapSwizzleAtomicity",
    "fill_mode": "TensormapFillMode",
}


def tensormap_replace(
    field: Any, addr: Any, *, new_value: Any = None, ord: int | None = None,
    new_value_attr: Any = None, keep_oob_fetch_window: bool = False,
    loc: Any = None, ip: Any = None,
) -> None:
    """Changes a field of a tensor map in global or shared memory: tensormap.replace.

    :param ord: the mode, of the fields that have one for each
    :param new_value_attr: a choice, for the fields that are one
    """
    name, pointer = word("TensormapField", field), place(addr)
    if (name in _OF_MODES) != (ord is not None):
        raise ValueError(f"{name} is changed {'with' if name in _OF_MODES else 'without'} ord")
    bits = 64 if name in ("global_address", "global_stride") else 32
    head = f"tensormap.replace.tile.{name}{space(pointer)}.b1024.b{bits} [{{0}}], "
    head += "" if ord is None else f"{int(ord)}, "
    if name in _CHOICES:
        choices = [member.value for member in KINDS[_CHOICES[name]]]
        write(f"{head}{choices.index(word(_CHOICES[name], new_value_attr))};", pointer)
    else:
        write(f"{head}{{1}};", pointer, (word64 if bits == 64 else word32)(new_value))


# ---- Matrices, caches, reductions -------------------------------------------


def _trans(layout: Any) -> str:
    return ".trans" if word("MMALayout", layout) == "col" else ""


def ldmatrix(
    ptr: Any, num: int, layout: Any, *, shape: Any = None, src_format: Any = None,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Loads 1, 2 or 4 matrices from shared memory; lanes have their rows' addresses.

    :param layout: MMALayout COL transposes them
    :return: a word of 32 bits for each, a vector where there are several; of M16N16 two
    """
    size = word("LoadShape", shape or "m8n8")
    count = int(num) * (2 if size == "m16n16" else 1)
    kind = "b16" if src_format is None else word("LoadSrcFormat", src_format)
    if kind != "b16":
        kind = "b8" if kind == "b8" else f"b8x16.{kind}"
    words = ", ".join(f"${i}" for i in range(count))
    head = f"ldmatrix.sync.aligned.{size}.x{int(num)}{_trans(layout)}.shared::cta.{kind}"
    found = write(f"{head} {{ {words} }}, [{{0}}];", shared(ptr), results=[Int32] * count)
    return vector(found, Int32)


def stmatrix(
    ptr: Any, sources: Any, layout: Any, *, shape: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Stores 1, 2 or 4 matrices to shared memory; lanes have their rows' addresses.

    :param sources: a word of 32 bits for each matrix
    """
    words = registers(sources)
    size = word("StoreShape", shape or "m8n8")
    kind = "b8" if size == "m16n8" else "b16"
    head = f"stmatrix.sync.aligned.{size}.x{len(words)}{_trans(layout)}.shared::cta.{kind}"
    write(f"{head} [{{0}}], {{ {_box(1, words)} }};", shared(ptr), *words)


def _prefetch(name: str, text: str) -> Any:
    def function(addr: Any, *, loc: Any = None, ip: Any = None, **options: Any) -> None:
        write(f"{text} [{{0}}];", place(addr))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Brings what lies at an address to a cache: {text}."
    return function


prefetch_l1 = _prefetch("prefetch_l1", "prefetch.global.L1")
prefetch_l2 = _prefetch("prefetch_l2", "prefetch.global.L2")
prefetchu = _prefetch("prefetchu", "prefetchu.L1")


def red(
    op: Any, type_: Any, a: Any, b: Any, *, mem_order: Any = None, mem_scope: Any = None,
    shared_space: Any = None, cache_hint: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Atomically combines a number with the one at an address: red.

    :param op: a ReductionOp
    :param type_: a ReductionType of numbers, not of pairs
    """
    order = None if mem_order is None else word("MemOrder", mem_order)
    scope = None if mem_scope is None else word("MemScope", mem_scope)
    _arch.red(place(a), as_numeric(b), op=word("ReductionOp", op),
              dtype=word("ReductionType", type_), sem=order, scope=scope)


def clusterlaunchcontrol_try_cancel(
    smem_address: Any, mbarrier: Any, *, multicast: bool | None = None, loc: Any = None,
    ip: Any = None,
) -> None:
    """Asks for a cluster that has not begun, in its place, from sm_100 on.

    :param smem_address: where the response goes, 16 bytes of shared memory
    :param mbarrier: counts these bytes
    :param multicast: it goes to every block of the cluster
    """
    name = "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
    name += ".multicast::cluster::all" * bool(multicast)
    write(f"{name}.b128 [{{0}}], [{{1}}];", shared(smem_address), shared(mbarrier))
