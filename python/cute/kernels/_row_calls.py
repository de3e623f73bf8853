"""Calls of kernels of rows: what their arrays are like, and which kernel is for them."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Callable, Mapping

from . import _arrays, _calls, _loading, _rows, _text

# Kinds of operands, with a matrix `a` of rows: one like it, one element for each of its
# columns, or one for each row.
MATRIX, VECTOR, NUMBERS, INDICES = "matrix", "vector", "numbers", "indices"
# One number for all rows.
NUMBER = "number"
# Lengths of rows that clusters have, of up to 8 blocks as every device with clusters takes.
LONG = (24576, 32768, 49152, 65536, 98304, 131072)


@dataclasses.dataclass(frozen=True, eq=False)
class Function:
    """A function of the library that is computed row by row.

    :param program: makes its kernels of parameters
    :param operands: kinds of arrays by the names that errors have; first ``a``, a matrix, and
        last the results
    :param results: how many of the last operands a call makes where they are None
    :param keeps: whether a kernel keeps a whole row in registers, for which long rows take a
        cluster
    :param kernels: names of the kernels, which are started in turn, but for a length of rows
    :param parameters: of the program
    """

    name: str
    program: Callable[[Mapping[str, Any]], Any]
    operands: Mapping[str, str]
    results: int = 1
    keeps: bool = True
    kernels: tuple[str, ...] = ("{name}_{length}",)
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __call__(self, stream: Any, numbers: Any, *arrays: Any) -> Any:
        """Runs the kernels on arrays; returns the result, or all of several.

        :param numbers: operands before the last result
        """
        return _calls.find(_prepare, arrays, self, numbers)(stream, *arrays)


def _prepare(*given: Any) -> Any:
    """Returns the call of a function with numbers, which are the last arguments."""
    *arrays, function, numbers = given
    ordinal = _loading.place(*arrays[:-function.results])
    a = arrays[0]
    element = _arrays.element(a)
    if element not in _rows.TYPES:
        raise TypeError(f"rows are of {', '.join(_rows.TYPES)}, not {a.dtype}")
    kinds = function.operands
    if a.dim() == 0:
        raise ValueError(f"{next(iter(kinds))} has rows, and is no single number")
    new = functools.partial(_make, a, list(kinds.values())[-function.results:])
    if arrays[-1] is None:
        made = new()
        arrays[-function.results:] = made if isinstance(made, tuple) else (made,)
    for (name, kind), array in zip(kinds.items(), arrays):
        _check(name, kind, array, a)
    if a.shape[-1] == 0 and INDICES in kinds.values():
        raise ValueError("a has rows without elements")
    if 0 in a.shape:
        return _calls.Zero(new)
    length = _length(a.shape[-1], ordinal, function.keeps)
    parameters = {"name": function.name, "type": element, "elements": 32, "lengths": str(length),
                  "block": _rows.PARAMETERS["block"]["default"], **function.parameters}
    _loading.place(*arrays)
    bound = [_argument(name, kind, array)
             for (name, kind), array in zip(kinds.items(), arrays)]
    arguments = (*bound[:-1], *numbers, bound[-1])
    launches = [
        (_loading.kernel(function.program, tuple(parameters.items()),
                         kernel.format(name=function.name, length=length), ordinal),
         arguments, None)
        for kernel in function.kernels]
    return _calls.Call(ordinal, launches, new)


def _length(columns: int, ordinal: int, keeps: bool) -> int:
    """Returns the length of rows whose kernel is for these."""
    known = _rows.PARAMETERS["lengths"]["default"]["elements"]["32"]
    chosen = [int(n) for n in known.split(",")]
    if keeps and columns > chosen[-1] and _text.device(ordinal).arch >= 90:
        chosen += LONG
    return next((n for n in chosen if n >= columns), chosen[-1])


# ---- Operands ---------------------------------------------------------------


def _like(kind: str, a: Any) -> tuple[tuple[int, ...], str]:
    """Returns shape and type of an operand."""
    rows, own = tuple(a.shape[:-1]), str(a.dtype)
    return {MATRIX: (tuple(a.shape), own), VECTOR: (tuple(a.shape[-1:]), own),
            NUMBERS: (rows, "torch.float32"), INDICES: (rows, "torch.int64"),
            NUMBER: ((), "torch.float32")}[kind]


def _make(a: Any, kinds: list[str]) -> Any:
    """Returns a new array, or several."""
    made = []
    for kind in kinds:
        shape, dtype = _like(kind, a)
        made.append(_arrays.empty(shape, dtype.removeprefix("torch."), a.device))
    return made[0] if len(made) == 1 else tuple(made)


def _check(name: str, kind: str, array: Any, a: Any) -> None:
    """Raises where an operand is not as its kind says."""
    shape, dtype = _like(kind, a)
    if (tuple(array.shape), str(array.dtype)) != (shape, dtype):
        raise ValueError(f"{name} is {shape} of {dtype}, not {tuple(array.shape)} of "
                         f"{array.dtype}")
    if kind in (MATRIX, VECTOR):
        if array.stride(-1) != 1:
            raise ValueError(f"{name}: its rows must be contiguous, not {array.stride()}")
        if array.data_ptr() % 16:
            raise ValueError(f"{name} begins at a multiple of 16 bytes")


def _argument(name: str, kind: str, array: Any) -> Any:
    """Returns an array as an argument: matrices have two modes, all others one."""
    shape = (-1, array.shape[-1]) if kind == MATRIX else (-1,)
    try:
        return _arrays.argument(array.view(*shape), "i64" if kind == INDICES else "")
    except RuntimeError:
        raise ValueError(
            f"{name}: its rows must follow each other at one stride, not {array.stride()}"
        ) from None
