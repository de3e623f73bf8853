"""PTX in programs, and shared memory of other blocks."""

from __future__ import annotations

import re
from typing import Any, Sequence

from .._compile import ir as _ir
from .._mlir.dialects.llvm import StructType, extractvalue, inline_asm
from .._mlir.ir import as_number
from .._values.numeric import Boolean, Int64, Numeric, NumericMeta, as_numeric
from .._values.operands import wrap
from ._ops import address, i32

__all__ = ["get_dyn_smem", "inline_ptx", "map_dsmem_ptr", "prefetch"]

_PLACE = re.compile(r"\{\$(rw|r|w)(\d+)\}")


def _letter(dtype: NumericMeta) -> str:
    """Returns inline PTX's register class for numbers of a type."""
    if dtype.is_float and dtype.width >= 32:
        return "f" if dtype.width == 32 else "d"
    letters = {8: "h", 16: "h", 32: "r", 64: "l"}
    if dtype.is_boolean or dtype.width not in letters:
        raise TypeError(f"inline PTX has no register for {dtype}")
    return letters[dtype.width]


def _operand(value: Any) -> Numeric:
    """Returns a number of a register; of a pointer, its address; of a value of the IR, either."""
    if not isinstance(value, _ir.Value):
        return as_numeric(value.toint() if hasattr(value, "toint") else value)
    if not _ir.text_of(value.type).startswith("!llvm.ptr"):
        return as_numeric(as_number(value))
    address = _ir.require("inline_ptx").create("llvm.ptrtoint", [value], None, [_ir.type("i64")])
    return Int64(address.results[0])


def _register(value: Numeric) -> tuple[str, Any]:
    if type(value).is_boolean:
        return "r", i32(value)
    return _letter(type(value)), value.ir_value()


def _numbered(text: str, first: dict[str, int], counts: dict[str, int]) -> str:
    """Returns the text with numbers of operands for names."""

    def number(found: re.Match[str]) -> str:
        kind, index = found[1], int(found[2])
        if index >= counts[kind]:
            raise ValueError(f"{found[0]}: there are {counts[kind]} such operands")
        return f"${first[kind] + index}"

    return _PLACE.sub(number, text.replace("$", "$$").replace("{$$", "{$"))


def inline_ptx(
    ptx_code: str,
    *,
    write_only_types: Sequence[NumericMeta] | None = None,
    read_only_args: Sequence[Any] | None = None,
    read_write_args: Sequence[Any] | None = None,
    predicate: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """Writes PTX, in which {$w0} is a result, {$r0} an operand and {$rw0} both.

    :param write_only_types: of the results
    :param read_only_args: numbers; a Boolean is a register of 32 bits, 0 if it is false
    :param read_write_args: numbers that the text changes
    :param predicate: if it is false, the instruction (there must be just one) is skipped
    :return: the results, then the new ``read_write_args``: nothing, a number or a tuple
    """
    changed = [_operand(x) for x in read_write_args or ()]
    results = [*(write_only_types or ()), *map(type, changed)]
    operands = [_register(_operand(x)) for x in read_only_args or ()]
    tied = [(str(len(results) - len(changed) + i), x.ir_value()) for i, x in enumerate(changed)]
    counts = {"w": len(results) - len(changed), "rw": len(changed), "r": len(operands)}
    first = {"w": 0, "rw": counts["w"], "r": len(results)}
    text = _numbered(ptx_code, first, counts)
    if predicate is not None:
        at = len(results) + len(operands) + len(tied)
        tied.append(("r", i32(Boolean(predicate))))
        text = f"{{ .reg .pred p; setp.ne.b32 p, ${at}, 0; @p {text} }}"
    inputs = operands + tied
    constraints = [f"={_letter(t)}" for t in results] + [letter for letter, _ in inputs]
    types = [t.mlir_type for t in results]
    kind = None if not types else types[0] if len(types) == 1 else StructType.get_literal(types)
    made = inline_asm(
        kind, [value for _, value in inputs], text, ",".join([*constraints, "~{memory}"]),
        has_side_effects=True,
    )
    if len(types) < 2:
        return results[0](made) if types else None
    parts = [extractvalue(t, made, [i]) for i, t in enumerate(types)]
    return tuple(t(getattr(x, "ir_value", lambda x=x: x)()) for t, x in zip(results, parts))


def map_dsmem_ptr(
    smem_ptr: Any, cta_rank_in_cluster: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the same place in the shared memory of another block of the cluster."""
    return wrap(_ir.apply("mapa", address(smem_ptr), i32(cta_rank_in_cluster)), smem_ptr)


def prefetch(
    addr: Any,
    *,
    cache_level: str | None = None,
    evict_priority: Any = None,
    predicate: Any = None,
    tensormap: bool | None = None,
    uniform: bool | None = None,
    in_param_space: bool | None = None,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Prefetches the data at an address in global memory into a cache.

    :param cache_level: "L1" or "L2", by default "L2"
    :param tensormap: whether the address is a tensor map's
    """
    if cache_level not in (None, "L1", "L2"):
        raise ValueError(f"cache_level is L1 or L2, not {cache_level!r}")
    what = "tensormap" if tensormap else f"global.{cache_level or 'L2'}"
    inline_ptx(f"prefetch.{what} [{{$r0}}];", read_only_args=[addr], predicate=predicate)


def get_dyn_smem(
    element_type: NumericMeta, alignment: int | None = None, *, loc: Any = None, ip: Any = None
) -> Any:
    """Returns a pointer to the shared memory of the launch's ``smem=``.

    :raises ValueError: if the launch gives none, or an unknown size
    """
    from .._values.struct import SmemAllocator

    kernel = _ir.require("get_dyn_smem").kernel
    size = None if kernel is None else kernel.smem
    if size is None or not isinstance(size, int) and not getattr(size, "is_static", False):
        raise ValueError("get_dyn_smem needs a launch with smem=, a number that is known")
    if getattr(kernel, "dynamic", None) is None:
        count = int(size) * 8 // element_type.width
        kernel.dynamic = SmemAllocator().allocate_array(element_type, count, alignment or 16)
    from .._values.pointer import recast_ptr

    return recast_ptr(kernel.dynamic, None, element_type)
