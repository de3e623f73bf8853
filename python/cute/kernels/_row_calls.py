"""Calls of kernels of rows: what their arrays are like, and which kernel is for them."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Mapping

from . import _arrays, _calls, _loading, _rows, _text

# Kinds of operands, with a matrix `a` of rows: one like it, one element for each of its
# columns, or one for each row.
MATRIX, VECTOR, NUMBERS, INDICES = "matrix", "vector", "numbers", "indices"
# As many elements of each row as the first number says, and their places.
TOP, TOP_INDICES = "top", "top indices"
# One number for all rows, and a row of float32 for each block, whose sum makes a vector.
NUMBER, PARTS = "number", "parts"
# A matrix of float8_e4m3fn, and a row of float32 for each 128 columns of the matrix.
BYTES, BLOCKS = "bytes", "blocks"
# Multiprocessors of an H100 or H200, the ones that clusters of 4 or 8 can use if each block fills
# one, and threads of one that keep a row of sums each.
MULTIPROCESSORS, IN_CLUSTERS, THREADS = 132, 120, 1024
RESIDENT = 512  # of these where shared memory is full of rows
KNOWN = tuple(map(int, _rows.PARAMETERS["lengths"]["default"]["elements"]["32"].split(",")))
STAGED = (90, 100, 103, 110)  # architectures whose blocks have 227 KiB of shared memory
SHORT = 1024  # rows up to this length have a warp or less
SHORTEST = 256  # and up to this one 16 elements of a thread, where a warp need not have 128 columns at once
# Lengths of rows that clusters have in registers, of up to 8 blocks as every device with
# clusters takes.
LONG = (24576, 32768, 49152, 65536, 98304, 131072)


@dataclasses.dataclass(frozen=True, eq=False)
class Function:
    """A function of the library that is computed row by row.

    :param program: makes its kernels of parameters
    :param operands: kinds of arrays by the names that errors have; first ``a``, a matrix, and
        last the results
    :param results: how many of the last operands a call makes where they are None
    :param scratch: how many operands before the results are memory of float32 that a call makes for
        itself
    :param empty: what the last result is if there are no rows
    :param keeps: whether a kernel keeps a whole row in registers, for which long rows take a
        cluster
    :param shared: rows longer than registers hold that a block keeps in shared memory at once;
        0: it keeps none there
    :param staged: elements of a thread where a block has several rows of two matrices in shared
        memory, if that is as large as Hopper's: of rows longer than registers hold and, as it is
        faster, of all of float32; 0: it never has
    :param staged_rows: how many of one matrix a block then has, if they fit: of 16 bits, of float32, and of
        16 bits in a cluster of more than two blocks
    :param staged_beyond: columns beyond which a block has such rows; up to 131072 if ``shared`` is for longer ones
    :param rounds: other lengths of a round of longer rows: the one with the fewest elements to spare is taken
    :param elements: of a row longer than 1024 that a thread keeps
    :param block: threads of a block where a warp has whole rows
    :param is_aligned: whether it takes only rows that begin and end at 16 bytes, and fit
    :param kernels: names of the kernels, which are started in turn, without a length of rows
    :param alone: elements of a matrix for which the kernel ``{name}_alone`` does all, or fewer
    :param parameters: of the program
    """

    name: str
    program: Callable[[Mapping[str, Any]], Any]
    operands: Mapping[str, str]
    results: int = 1
    scratch: int = 0
    empty: float = 0
    keeps: bool = True
    shared: int = 0
    staged: int = 0
    staged_rows: tuple[int, int, int] = (6, 6, 6)
    staged_beyond: int = SHORT
    rounds: tuple[int, ...] = ()
    elements: int = 32
    block: int = 256
    is_aligned: bool = False
    kernels: tuple[str, ...] = ("{name}_{length}",)
    alone: int = 0
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __call__(self, stream: Any, numbers: Any, *arrays: Any) -> Any:
        """Runs the kernels on arrays; returns the result, or all of several.

        :param numbers: operands before the last result
        """
        return _calls.run(_prepare, arrays, stream, self, numbers)


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
        raise ValueError(f"{next(iter(kinds))} has rows, and is not a single number")
    if TOP in kinds.values() and not 0 <= numbers[0] <= a.shape[-1]:
        raise ValueError(f"selected index k out of range: {numbers[0]} of {a.shape[-1]} columns")
    plan = _plan(function, element, a.shape[-1], ordinal)
    makers = [_arrays.maker(*_like(kind, a, plan, numbers), a.device)
              for kind in list(kinds.values())[-function.results:]]
    new = makers[0] if len(makers) == 1 else _arrays.Makers(makers)
    if arrays[-1] is None:
        found = new()
        arrays[-function.results:] = found if isinstance(found, tuple) else (found,)
    first = len(arrays) - function.results
    of_scratch = list(kinds.values())[first:first + function.scratch]
    memory = _arrays.Memory([_like(kind, a, plan, numbers)[0] for kind in of_scratch], a.device)
    places = [*range(first), *[len(arrays)] * function.scratch, *range(first, len(arrays))]
    offsets = [0] * first + memory.offsets + [0] * function.results
    arrays[first:first] = memory.arrays()
    for (name, kind), array in zip(kinds.items(), arrays):
        _check(name, array, _like(kind, a, plan, numbers), kind)
        if function.is_aligned and kind == MATRIX:
            _check_aligned(name, array, plan)
    if a.shape[-1] == 0 and INDICES in kinds.values():
        raise ValueError("a has rows without elements")
    if 0 in a.shape or 0 in numbers and TOP in kinds.values():
        return _calls.Zero(new, (*[0] * (function.results - 1), function.empty))
    is_alone = math.prod(a.shape) <= function.alone
    parameters = {"name": function.name, "alone": is_alone, "type": element, "elements": plan.elements,
                  "lengths": str(plan.length), "block": plan.block, "shared": plan.shared,
                  "most": plan.most, "overlaps": _text.device(ordinal).arch >= 90,
                  **function.parameters}
    _loading.place(*arrays)
    bound = [_argument(name, kind, array) for (name, kind), array in zip(kinds.items(), arrays)]
    arguments = (*bound[:-1], *numbers, bound[-1])
    launches = [
        (_loading.kernel(function.program, tuple(parameters.items()),
                         kernel.format(name=function.name, length=plan.length), ordinal),
         arguments, offsets if function.scratch else None)
        for kernel in (("{name}_alone",) if is_alone else function.kernels)]
    if not function.scratch:
        return _calls.Call(ordinal, launches, new)
    return _calls.Call(ordinal, launches, new, memory.new, [places] * len(launches))


def _plan(function: Function, element: str, columns: int, ordinal: int) -> _rows.Plan:
    """Returns the plan of the kernel for rows of a length."""
    arch = _text.device(ordinal).arch
    most = _rows.MOST_WARPS * _rows.WARP * function.elements  # of a block
    if function.staged and arch in STAGED and columns > function.staged_beyond and (
            columns <= LONG[-1] or not function.shared):
        return _plan_staged(function.staged, function.staged_rows, _rows.TYPES[element], columns)
    chosen = [n for n in (*[SHORTEST] * (not function.keeps), *KNOWN) if n <= most]
    has_clusters = arch >= 90
    if function.shared and columns > most:
        return _plan_shared(function.shared, _rows.TYPES[element], columns, has_clusters)
    if function.keeps and columns > chosen[-1] and has_clusters:
        chosen += [n for n in (16384, *LONG) if most < n <= 8 * most]
    in_rounds = min((chosen[-1], *function.rounds), key=lambda n: -(-columns // n) * n)
    length = next((n for n in chosen if n >= columns), in_rounds)
    elements = 16 if length == SHORTEST else 32 if length <= SHORT else function.elements
    return _rows.Plan(_rows.TYPES[element], length, elements, function.block)


def _plan_staged(most: int, rows: tuple[int, int, int], dtype: Any, columns: int) -> _rows.Plan:
    """Returns the plan of the kernel that has so many rows in shared memory, as ``staged_rows`` says, or
    192 KiB of them, if threads have at most so many elements, or else 64 bytes of each; the longest there
    is if none fits."""
    for elements in (min(most, 512 // dtype.width), 512 // dtype.width, 32):
        longest = 8 * _rows.MOST_WARPS * _rows.WARP * elements
        fits = 2 * 192 * 8 // (elements * dtype.width)
        for length in (*KNOWN, *LONG):
            if columns <= length <= longest:
                plan = _rows.Plan(dtype, length, elements, 0, fits)
                kind = 1 if dtype.width == 32 else 2 * (plan.blocks > 2)
                return dataclasses.replace(plan, shared=min(rows[kind], fits))
    return _rows.Plan(dtype, longest, elements, 0, fits)


def _plan_shared(most: int, dtype: Any, columns: int, has_clusters: bool) -> _rows.Plan:
    """Returns the plan of the kernel that keeps so many rows in shared memory, or one if only
    one fits; the longest there is if none fits."""
    threads = _rows.MOST_WARPS * _rows.WARP
    for rows in (most, 1):
        elements = 8 * _rows.SHARED // (threads * rows * dtype.width)
        for blocks in (1, 2, 4, 8) if has_clusters else (1,):
            for part in (elements * 3 // 4, elements):
                plan = _rows.Plan(dtype, threads * blocks * part, part, 0, rows)
                if plan.length >= columns:
                    return plan
    return plan


def most_parts(plan: _rows.Plan) -> int:
    """Returns how many blocks or clusters a GPU runs at once that share the rows of a matrix."""
    if not plan.shared:
        return max(1, MULTIPROCESSORS * THREADS // (plan.threads if plan.rows == 1 else plan.block))
    blocks = IN_CLUSTERS if plan.blocks > 2 else MULTIPROCESSORS
    return max(1, blocks * (RESIDENT * plan.blocks // plan.threads) // plan.blocks)


def _parts(rows: int, plan: _rows.Plan) -> int:
    """Returns how many share the rows of a matrix, at least two for each."""
    return min(-(-rows // (2 * plan.rows)), most_parts(plan))


# ---- Operands ---------------------------------------------------------------


def _like(kind: str, a: Any, plan: _rows.Plan, numbers: Any) -> tuple[tuple[int, ...], str]:
    """Returns shape and type of an operand."""
    rows, own = tuple(a.shape[:-1]), str(a.dtype)
    top = (*rows, numbers[0]) if kind in (TOP, TOP_INDICES) else ()
    return {TOP: (top, own), TOP_INDICES: (top, "torch.int64"),
            MATRIX: (tuple(a.shape), own), VECTOR: (tuple(a.shape[-1:]), own),
            NUMBERS: (rows, "torch.float32"), INDICES: (rows, "torch.int64"),
            NUMBER: ((), "torch.float32"),
            BYTES: (tuple(a.shape), "torch.float8_e4m3fn"),
            BLOCKS: ((-(-a.shape[-1] // 128), math.prod(rows)), "torch.float32"),
            PARTS: ((_parts(math.prod(rows), plan), a.shape[-1]), "torch.float32")}[kind]


def _check(name: str, array: Any, like: tuple[tuple[int, ...], str], kind: str) -> None:
    """Raises where an operand is not as its kind says."""
    shape, dtype = like
    if (tuple(array.shape), str(array.dtype)) != (shape, dtype):
        raise ValueError(f"{name} is {shape} of {dtype}, not {tuple(array.shape)} of "
                         f"{array.dtype}")
    if kind in (MATRIX, VECTOR, BYTES):
        if array.stride(-1) != 1:
            raise ValueError(f"{name}: its rows must be contiguous, not {array.stride()}")
        if array.data_ptr() % 16:
            raise ValueError(f"{name} begins at a multiple of 16 bytes")


def _check_aligned(name: str, array: Any, plan: _rows.Plan) -> None:
    """Raises where a kernel that keeps whole rows of whole pieces does not take an operand."""
    if array.shape[-1] > plan.length:
        raise ValueError(f"{name} has rows of at most {plan.length} elements, not "
                         f"{array.shape[-1]}")
    pitch = array.stride(-2) if array.numel() > array.shape[-1] else 0
    if (array.shape[-1] | pitch) % plan.piece:
        raise ValueError(f"{name}: its rows begin and end at multiples of 16 bytes, not of "
                         f"{array.shape[-1]} elements at {array.stride()}")


def _argument(name: str, kind: str, array: Any) -> Any:
    """Returns an array as an argument: matrices have two modes, all others one."""
    has_columns = kind in (MATRIX, BYTES, BLOCKS, PARTS, TOP, TOP_INDICES)
    shape = (-1, array.shape[-1]) if has_columns else (-1,)
    try:
        return _arrays.argument(array.view(*shape), "i64" if kind in (INDICES, TOP_INDICES) else "")
    except RuntimeError:
        raise ValueError(
            f"{name}: its rows must follow each other at one stride, not {array.stride()}"
        ) from None
