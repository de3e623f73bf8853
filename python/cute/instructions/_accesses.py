"""Loads and stores with all that PTX lets one say of them, and more ways to copy bytes."""

from __future__ import annotations

from typing import Any

from .._values.array import Vector
from .._values.numeric import Float32, Float64, Int64, as_numeric
from ._kinds import word
from ._write import place, shared, space, word32, word64, write

__all__ = [
    "cp_reduce_async_bulk_global_shared_cta",
    "load_ext",
    "st_bulk",
    "store_ext",
    "tensormap_cp_fenceproxy",
]

_ORDERS = ("weak", "relaxed", "acquire", "release", "volatile", "mmio")


def _order(order: Any, scope: Any, refused: str) -> str:
    """Returns ".relaxed.gpu" and the like; "" of a weak access.

    :raises ValueError: for an order that accesses of the kind do not have
    """
    name = "weak" if order is None else word("MemOrder", order)
    if name not in _ORDERS or name == refused:
        raise ValueError(f"an access is {', '.join(x for x in _ORDERS if x != refused)}, "
                         f"not {name}")
    if (name in ("relaxed", "acquire", "release")) != (scope is not None):
        raise ValueError("an access has a scope where it is relaxed, acquire or release")
    tail = "" if scope is None else f".{word('MemScope', scope)}"
    return "" if name == "weak" else f".{name}{tail}" + ".sys" * (name == "mmio")


def _modifiers(
    pointer: Any, kind: str, order: str, cache: Any, evict: Any, shared_space: Any
) -> str:
    """Returns the text between ld or st and the types.

    :raises ValueError: where PTX has no such access
    """
    if cache is not None and (order or evict is not None):
        raise ValueError("a cache modifier goes with weak accesses without an eviction priority")
    memory = space(pointer)
    if shared_space is not None:
        memory = f".{word('SharedSpace', shared_space)}"
    text = f"{order}{memory}"
    if cache is not None:
        text += f".{word(kind, cache)}"
    if evict is not None:
        name = word("L1EvictKind", evict)
        text += f".L1::{'no_allocate' if name == 'noallocate' else f'evict_{name}'}"
    return text


def _vector(count: int) -> str:
    if count not in (1, 2, 4, 8):
        raise ValueError(f"an access has 1, 2, 4 or 8 numbers, not {count}")
    return f".v{count}" if count > 1 else ""


def _kind(dtype: Any) -> str:
    """Returns PTX's type of an access.

    :raises TypeError: for a type that has none
    """
    if dtype in (Float32, Float64):
        return f"f{dtype.width}"
    if not dtype.is_integer or dtype.width not in (8, 16, 32, 64):
        raise TypeError(f"integers of 8 to 64 bits, Float32 and Float64 are loaded and stored, "
                        f"not {dtype}: bitcast it")
    return f"b{dtype.width}"


def load_ext(
    addr: Any, *, dtype: Any = None, count: int | None = None, l2_cache_hint: Any = None,
    order: Any = None, scope: Any = None, prefetch: Any = None, evict: Any = None,
    cache_modifier: Any = None, shared_space: Any = None, unified: bool | None = None,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Returns the number at an address, or with ``count`` 2, 4 or 8 of them: ld.

    :param dtype: an integer of 8 to 64 bits, Float32 or Float64; that of the pointer else
    :param order: MemOrder WEAK, RELAXED, ACQUIRE, VOLATILE or MMIO
    :param scope: MemScope, of RELAXED and ACQUIRE
    :param prefetch: L2PrefetchSize, the bytes to prefetch into the L2 cache
    :param evict: L1EvictKind, of the L1 cache
    :param l2_cache_hint: a policy of 64 bits, from createpolicy
    :raises ValueError: for what PTX does not combine

    For example::

        flag = load_ext(flags, order=MemOrder.ACQUIRE, scope=MemScope.GPU)
        four = load_ext(a.data_ptr(i), count=4, cache_modifier=LoadCacheModifier.CG)
    """
    pointer = place(addr)
    kind = pointer.dtype if dtype is None else dtype
    text = "ld" + _modifiers(pointer, "LoadCacheModifier", _order(order, scope, "release"),
                             cache_modifier, evict, shared_space)
    operands = [pointer]
    if prefetch is not None:
        text += f".L2::{word('L2PrefetchSize', prefetch)[5:].upper()}"
    if l2_cache_hint is not None:
        operands.append(word64(l2_cache_hint))
        text += ".L2::cache_hint"
    n = count or 1
    results = ", ".join(f"${i}" for i in range(n))
    text += f"{'.unified' * bool(unified)}{_vector(n)}.{_kind(kind)} "
    text += f"{f'{{ {results} }}' if n > 1 else results}, [{{0}}]" + ", {1}" * (len(operands) > 1)
    found = write(f"{text};", *operands, results=[kind] * n)
    return found if count is None else Vector.from_elements(found, kind)


def store_ext(
    value: Any, addr: Any, *, l2_cache_hint: Any = None, order: Any = None, scope: Any = None,
    evict: Any = None, cache_modifier: Any = None, shared_space: Any = None,
    loc: Any = None, ip: Any = None,
) -> None:
    """Writes a number, or the 2, 4 or 8 numbers of a Vector, at an address: st.

    :param value: an integer of 8 to 64 bits, a Float32 or Float64, or a Vector of such
    :param order: MemOrder WEAK, RELAXED, RELEASE, VOLATILE or MMIO
    :raises ValueError: for what PTX does not combine

    For example::

        store_ext(1, flags, order=MemOrder.RELEASE, scope=MemScope.GPU)
    """
    pointer = place(addr)
    if hasattr(value, "to_elements"):
        numbers = list(value.to_elements())
    else:
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        numbers = [pointer.dtype(value) if plain else as_numeric(value)]
    text = "st" + _modifiers(pointer, "StoreCacheModifier", _order(order, scope, "acquire"),
                             cache_modifier, evict, shared_space)
    operands, tail = [pointer, *numbers], ""
    if l2_cache_hint is not None:
        text += ".L2::cache_hint"
        tail = f", {{{len(operands)}}}"
        operands.append(word64(l2_cache_hint))
    places = ", ".join(f"{{{1 + i}}}" for i in range(len(numbers)))
    places = f"{{ {places} }}" if len(numbers) > 1 else places
    kind = _kind(numbers[0].dtype)
    write(f"{text}{_vector(len(numbers))}.{kind} [{{0}}], {places}{tail};", *operands)


def st_bulk(
    addr: Any, size: Any, *, init_val: int | None = None, loc: Any = None, ip: Any = None
) -> None:
    """Writes zeros to bytes of shared memory: st.bulk, from sm_100 on.

    :param size: in bytes, a multiple of 16
    :raises ValueError: for another size that is known, and other values than 0

    For example::

        st_bulk(tile, 1024)
    """
    if isinstance(size, int) and (size <= 0 or size % 16):
        raise ValueError(f"st.bulk writes a multiple of 16 bytes, not {size}")
    if init_val:
        raise ValueError(f"st.bulk writes zeros, not {init_val}")
    write("st.bulk.shared::cta [{0}], {1}, 0;", shared(addr), Int64(size))


def cp_reduce_async_bulk_global_shared_cta(
    dst: Any, src: Any, size: Any, *, op: Any = "add", type: Any = "bf16", noftz: bool = False,
    l2_cache_hint: Any = None, loc: Any = None, ip: Any = None,
) -> None:
    """Starts a reduction of bytes of shared memory into global memory: cp.reduce.async.bulk.

    It belongs to a bulk group: cp_async_bulk_commit_group, cp_async_bulk_wait_group.

    :param size: in bytes, a multiple of 16
    :param op: a CpReduceOp
    :param type: a CpReduceType
    :param noftz: keeps subnormal numbers; needed for sums of F16 and BF16
    :raises ValueError: for ``noftz`` with anything else
    """
    operation, kind = word("CpReduceOp", op), word("CpReduceType", type)
    if noftz and (operation != "add" or kind not in ("f16", "bf16")):
        raise ValueError(f"noftz is for sums of F16 and BF16, not {operation} of {kind}")
    hint = "" if l2_cache_hint is None else ".L2::cache_hint"
    operands = [place(dst), shared(src), word32(size)]
    tail = ""
    if l2_cache_hint is not None:
        operands.append(word64(l2_cache_hint))
        tail = ", {3}"
    name = f"cp.reduce.async.bulk.global.shared::cta.bulk_group{hint}.{operation}"
    write(f"{name}{'.noftz' * noftz}.{kind} [{{0}}], [{{1}}], {{2}}{tail};", *operands)


def tensormap_cp_fenceproxy(
    dst: Any, src: Any, size: Any, scope: Any, *, loc: Any = None, ip: Any = None
) -> None:
    """Copies a tensor map from shared to global memory, and releases it: all lanes of a warp.

    :param size: in bytes: 128
    :param scope: a MemScope
    """
    name = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release"
    write(f"{name}.{word('MemScope', scope)}.sync.aligned [{{0}}], [{{1}}], {int(size)};",
          place(dst), shared(src))
