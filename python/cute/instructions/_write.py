"""Writes instructions of PTX, with operands by their places."""

from __future__ import annotations

import re
from typing import Any, Sequence

from .._compile import ir as _ir
from .._values.numeric import Boolean, Int32, Int64, Numeric, Uint16, as_numeric
from .._values.pointer import AddressSpace, Pointer
from ..arch.inline import inline_ptx

_SPACES = {
    AddressSpace.smem: ".shared::cta",
    AddressSpace.dsmem: ".shared::cluster",
    AddressSpace.gmem: ".global",
}


def place(memory: Any) -> Any:
    """Returns the pointer of an Array, a pointer, or a pointer of LLVM's."""
    if hasattr(memory, "data_ptr"):
        return memory.data_ptr()
    if isinstance(memory, _ir.Value):
        return Pointer(memory)
    if not hasattr(memory, "toint"):
        raise TypeError(f"expected an Array or a pointer, not {memory!r}")
    return memory


def space(pointer: Any) -> str:
    """Returns PTX's name of the memory of a pointer, "" where that is not known."""
    return _SPACES.get(pointer.memspace, "")


def shared(memory: Any, cluster: bool = False) -> Any:
    """Returns the pointer of shared memory: the block's, or with ``cluster`` any block's."""
    pointer = place(memory)
    if pointer.memspace is not AddressSpace.smem and not (
        cluster and pointer.memspace is AddressSpace.dsmem
    ):
        raise TypeError(f"expected shared memory of the block, not {pointer}")
    return pointer


def word32(value: Any) -> Any:
    """Returns an integer of 32 bits."""
    return Int32(value) if not isinstance(value, Numeric) or value.width != 32 else value


def word64(value: Any) -> Any:
    return Int64(value)


def word16(value: Any) -> Any:
    return Uint16(value)


def write(text: str, *operands: Any, results: Sequence[Any] = ()) -> Any:
    """Writes PTX in which {0}, {1} ... are operands and $0, $1 ... results.

    :param results: their numeric types
    :return: nothing, a number, or a tuple of them
    """
    named = re.sub(r"\{(\d+)\}", r"{$r\1}", text)
    named = re.sub(r"(?<!\{)\$(\d+)", r"{$w\1}", named)
    return inline_ptx(named, write_only_types=list(results), read_only_args=list(operands))


def ask(text: str, *operands: Any) -> Boolean:
    """Writes an instruction whose result is the predicate ``p``; returns that."""
    wrapped = f"{{ .reg .pred p; {text} selp.u32 $0, 1, 0, p; }}"
    return write(wrapped, *operands, results=[Int32]) != 0


def vector(numbers: Sequence[Any], dtype: Any) -> Any:
    """Returns numbers as a vector; a single one as it is."""
    from .._values.array import Vector

    return numbers if not isinstance(numbers, tuple) else Vector.from_elements(numbers, dtype)


def registers(sources: Any) -> list[Any]:
    """Returns the numbers of a vector, a list or a number, as words of 32 bits."""
    if hasattr(sources, "to_elements"):
        sources = sources.to_elements()
    many = sources if isinstance(sources, (list, tuple)) else [sources]
    return [word32(as_numeric(x)) for x in many]
