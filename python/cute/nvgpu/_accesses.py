"""Copies between two given memories, with what PTX lets one say of an access."""

from __future__ import annotations

import enum
from typing import Any

from .. import arch as _arch
from .._compile import ir as _ir
from .._values import algebra as _algebra
from .._values.op import (
    CacheEvictionPriority,
    CopyUniversalOp,
    L2PrefetchSize,
    LoadCacheMode,
    MemoryOrder,
    MemoryScope,
    OpError,
)
from .._values.pointer import AddressSpace

__all__ = [
    "CopyG2ROp",
    "CopyR2GOp",
    "CopyR2SOp",
    "CopyS2ROp",
    "OutputMajorMode",
    "SharedSpace",
    "StoreCacheMode",
    "normalize_field_to_ir_name",
]


class SharedSpace(enum.Enum):
    """Whose shared memory an access is to: the block's, or any of the cluster's."""

    CTA = "cta"
    CLUSTER = "cluster"


class StoreCacheMode(enum.Enum):
    """Which caches keep what is stored."""

    WRITE_BACK = "write_back"
    GLOBAL = "global"
    STREAMING = "streaming"
    WRITE_THROUGH = "write_through"
    NONE = "none"


class OutputMajorMode(enum.Enum):
    """Along which mode a result (M,N) is contiguous."""

    M = "m"
    N = "n"


def normalize_field_to_ir_name(field: Any, admissible_fields: Any) -> str:
    """Returns the name of a field of an atom in the IR.

    :param field: one of ``admissible_fields``, or its name
    :raises ValueError: for another field

        normalize_field_to_ir_name(warpgroup.Field.ACCUMULATE, [warpgroup.Field.ACCUMULATE])
    """
    for known in admissible_fields:
        if field in (known, known.value):
            return known.value
    names = ", ".join(str(known) for known in admissible_fields) or "none"
    raise ValueError(f"{field!r} is not a field of the atom; it has: {names}")


_ORDERS = {MemoryOrder.RELAXED: "relaxed", MemoryOrder.ACQUIRE: "acquire",
           MemoryOrder.RELEASE: "release"}
_GLOBAL = (AddressSpace.gmem, AddressSpace.generic)
_SHARED = (AddressSpace.smem, AddressSpace.dsmem)
_REGISTERS = (AddressSpace.rmem,)


class _Access(CopyUniversalOp):
    """A copy from one memory to another; make_copy_atom takes its options."""

    _from: tuple[AddressSpace, ...] = ()
    _to: tuple[AddressSpace, ...] = ()
    _order = MemoryOrder.ACQUIRE
    # The default of each option; in _atoms the rows of the dialect that others take.
    _defaults: dict[str, Any] = {
        "memory_order": MemoryOrder.WEAK, "memory_scope": MemoryScope.CTA,
        "shared_space": SharedSpace.CTA,
    }
    _atoms: dict[tuple[str, Any], str] = {}

    def configured(self, **options: Any) -> _Access:
        """Returns the operation with options.

        :raises OpError: for an option, or an order, that it does not have
        """
        unknown = set(options) - set(self._defaults)
        if unknown:
            raise OpError(self, f"{', '.join(sorted(unknown))} is not an option of it",
                          f"it has {', '.join(self._defaults)}")
        order = options.get("memory_order", MemoryOrder.WEAK)
        if order not in (MemoryOrder.WEAK, MemoryOrder.RELAXED, self._order):
            raise OpError(self, f"memory_order is {order.name}",
                          f"it can be WEAK, RELAXED, {self._order.name}")
        return type(self)(**options)

    def _said(self) -> list[tuple[str, Any]]:
        """Returns the options of caches that differ from the defaults."""
        ordered = ("memory_order", "memory_scope", "shared_space")
        return [(n, v) for n, v in self.options.items()
                if n not in ordered and v is not self._defaults[n] and v != self._defaults[n]]

    def atom_name(self, bits: int) -> str:
        said = self._said()
        if not said:
            return super().atom_name(bits)
        if len(said) > 1 or said[0] not in self._atoms:
            words = ", ".join(f"{n}={getattr(v, 'name', v)}" for n, v in said)
            raise OpError(self, f"no access has {words}", "give one option of caches")
        if bits not in (32, 64, 128):
            raise OpError(self, f"num_bits_per_copy is {bits}", "with it, it is 32, 64 or 128")
        return f"{self._atoms[said[0]]}<uint{bits}_t>"

    def copy(self, atom: Any, src: Any, dst: Any, *, pred: Any = None) -> None:
        """Copies what a thread has.

        :raises OpError: for tensors in other memory, and a predicate of an ordered access
        """
        for tensor, spaces, what in ((src, self._from, "source"), (dst, self._to, "destination")):
            if tensor.memspace not in spaces:
                raise OpError(self, f"the {what} is in {tensor.memspace}",
                              f"it is in {spaces[0]}")
        order = self.options.get("memory_order", MemoryOrder.WEAK)
        if order is not MemoryOrder.WEAK:
            if pred is not None:
                raise OpError(self, "an ordered access has no predicate", "write it in an if")
            scope = self.options.get("memory_scope", MemoryScope.CTA).name.lower()
            self._ordered(src, dst, _ORDERS[order], scope)
        elif pred is None and not self._said() and isinstance(_algebra.size(src), int):
            _ir.apply("autovec_copy", src.ir, dst.ir, results=[])
        else:
            more = [] if pred is None else [pred.ir]
            _ir.apply("copy", atom.ir, src.ir, dst.ir, *more, results=[])

    def _ordered(self, src: Any, dst: Any, sem: str, scope: str) -> None:
        for i in range(_algebra.size(src)):
            if self._order is MemoryOrder.ACQUIRE:
                place = src.iterator + src.layout(i)
                dst[i] = _arch.load(place, src.element_type, sem=sem, scope=scope)
            else:
                place = dst.iterator + dst.layout(i)
                _arch.store(place, src[i].to(dst.element_type), sem=sem, scope=scope)


_EVICTION = {CacheEvictionPriority.EVICT_FIRST: "EVICTFIRST",
             CacheEvictionPriority.EVICT_LAST: "EVICTLAST",
             CacheEvictionPriority.NO_ALLOCATE: "NOALLOCATION"}


class CopyG2ROp(_Access):
    """Loads from global memory to registers.

    ``make_copy_atom`` takes num_bits_per_copy, and memory_order (WEAK, RELAXED or ACQUIRE) with
    memory_scope, or one of l1c_evict_priority, load_cache_mode and invariant.

        cute.make_copy_atom(CopyG2ROp(), Float32, num_bits_per_copy=128,
                            l1c_evict_priority=CacheEvictionPriority.NO_ALLOCATE)
    """

    _from, _to = _GLOBAL, _REGISTERS
    _defaults = {
        **_Access._defaults, "l2_prefetch_size": L2PrefetchSize.NONE,
        "l1c_evict_priority": CacheEvictionPriority.EVICT_NORMAL,
        "load_cache_mode": LoadCacheMode.ALWAYS, "invariant": False,
    }
    _atoms = {
        ("load_cache_mode", LoadCacheMode.GLOBAL): "SM50_LOAD_CACHE_GLOBAL",
        ("load_cache_mode", LoadCacheMode.STREAMING): "SM50_LOAD_CACHE_STREAMING",
        ("invariant", True): "SM50_LOAD_NC",
        **{("l1c_evict_priority", k): f"SM70_LOAD_CACHE_{v}" for k, v in _EVICTION.items()},
    }

    def __str__(self) -> str:
        return "GMEM -> RMEM copy Operation"


class CopyR2GOp(_Access):
    """Stores from registers to global memory.

    ``make_copy_atom`` takes num_bits_per_copy, and memory_order (WEAK, RELAXED or RELEASE) with
    memory_scope, or one of l1c_evict_priority and store_cache_mode.
    """

    _from, _to, _order = _REGISTERS, _GLOBAL, MemoryOrder.RELEASE
    _defaults = {
        **_Access._defaults, "l1c_evict_priority": CacheEvictionPriority.EVICT_NORMAL,
        "store_cache_mode": StoreCacheMode.WRITE_BACK,
    }
    _atoms = {
        ("store_cache_mode", StoreCacheMode.GLOBAL): "SM50_STORE_CACHE_GLOBAL",
        ("store_cache_mode", StoreCacheMode.STREAMING): "SM50_STORE_CACHE_STREAMING",
        ("store_cache_mode", StoreCacheMode.WRITE_THROUGH): "SM50_STORE_CACHE_WRITETHROUGH",
        **{("l1c_evict_priority", k): f"SM70_STORE_CACHE_{v}" for k, v in _EVICTION.items()},
    }

    def __str__(self) -> str:
        return "RMEM -> GMEM copy Operation"


class CopyS2ROp(_Access):
    """Loads from shared memory to registers, with memory_order and memory_scope."""

    _from, _to = _SHARED, _REGISTERS

    def __str__(self) -> str:
        return "SMEM -> RMEM copy Operation"


class CopyR2SOp(_Access):
    """Stores from registers to shared memory, with memory_order and memory_scope."""

    _from, _to, _order = _REGISTERS, _SHARED, MemoryOrder.RELEASE

    def __str__(self) -> str:
        return "RMEM -> SMEM copy Operation"
