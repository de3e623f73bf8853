"""C = A B^T."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from . import _arrays, _calls, _loading, _text, _tuned, gemm_sm80

# By the type of elements: the text, the kernel in it, parameters, the type of the result.
_PRODUCTS: dict[str, tuple[str, str, dict[str, str], str]] = {
    "f16": ("gemm_sm90", "gemm", {}, "float16"),
    "bf16": ("gemm_sm90", "gemm", {"T": "bf16", "PRODUCT": "F32BF16BF16"}, "bfloat16"),
    "f32": ("gemm_tf32_sm90", "gemm", {}, "float32"),
    "i8": (
        "gemm_tf32_sm90",
        "gemm",
        {"AB": "i8", "SUM": "i32", "K": "128", "PIECE": "4", "PRODUCT": "x32_S32S8S8"},
        "int32",
    ),
    "f8E4M3FN": ("gemm_fp8_sm90", "gemm_promoted", {}, "float16"),
}

# Elements of 16 bytes, by the type of the result.
_PIECES = {"float16": 8, "bfloat16": 8, "float32": 4, "int32": 4}


def gemm(a: Any, b: Any, out: Any = None, *, stream: Any = None) -> Any:
    """Returns ``a @ b.T`` for matrices (M,K) and (N,K).

    Elements are of float16, bfloat16 (sums in float32), float32 (multiplied as
    tf32), int8 (int32) or float8_e4m3fn (float16). ``out`` is written if it is given.
    Does not wait.

    Rows or columns of each are contiguous, and memory begins at 16 bytes. Fast are rows
    that begin at multiples of 16 bytes: of those, H100 and H200 have kernels by wgmma.
    """
    return _calls.find(_prepare, (a, b, out))(stream, a, b, out)


def _prepare(a: Any, b: Any, out: Any) -> Any:
    """Returns the call of a product."""
    ordinal = _loading.place(a, b)
    element = _arrays.element(a)
    if element not in _PRODUCTS or _arrays.element(b) != element:
        raise TypeError(
            f"a and b have one type of {', '.join(_PRODUCTS)}, not {a.dtype}, {b.dtype}"
        )
    if a.dim() != 2 or b.dim() != 2 or a.shape[1] != b.shape[1]:
        raise ValueError(
            f"a is (M,K) and b is (N,K), not {tuple(a.shape)}, {tuple(b.shape)}"
        )
    name, entry, parameters, result = _PRODUCTS[element]
    new = functools.partial(_new, a.shape[0], b.shape[0], result, a.device)
    if out is None:
        out = new()
    _check_out(out, (a.shape[0], b.shape[0]), result)
    _loading.place(a, b, out)
    if 0 in (*a.shape, *b.shape):
        return _calls.Zero(new)
    has_rows = all(_arrays.has_rows(x, 16) for x in (a, b, out))
    plan = _plan(ordinal, a, b, out)
    size = (*out.shape, a.shape[1])
    by_wgmma = _loading.is_hopper(ordinal) and has_rows
    if not by_wgmma or _tuned.beats_wgmma(plan, size):
        return _call(ordinal, plan, a, b, out, new)
    kernel = _text.kernel(name, ordinal, entry, **parameters)
    return _calls.Call(ordinal, [(kernel, _arguments(a, b, out), None)], new)


def _arguments(a: Any, b: Any, out: Any) -> tuple[Any, ...]:
    element = _arrays.element(a)
    operand = "tf32" if element == "f32" else element
    return (_arrays.argument(a, operand), _arrays.argument(b, operand),
            _arrays.argument(out))


def _plan(ordinal: int, a: Any, b: Any, out: Any) -> Any:
    """Returns parameters for mma.sync, of the tuner's table."""
    element = _arrays.element(a)
    problem = {
        "type": "tf32" if element == "f32" else element,
        "out": _arrays.element(out),
        "a_major": _major("a", a, "m"),
        "b_major": _major("b", b, "n"),
        "c_major": "n" if _major("out", out, "m") == "k" else "m",
        "batched": False,
    }
    size = (*out.shape, a.shape[1])
    arch = f"sm_{_text.device(ordinal).arch}"
    plan = _tuned.gemm_plan(problem, size, arch, _loading.is_simulated(ordinal))
    return dataclasses.replace(plan, partial=_ends_within_16_bytes(a, b))


def _call(ordinal: int, plan: Any, a: Any, b: Any, out: Any, new: Any) -> Any:
    """Returns the call of a product by mma.sync."""
    parameters = {"name": "gemm", **dataclasses.asdict(plan)}
    loaded = _loading.kernel(
        gemm_sm80.program, tuple(parameters.items()), "gemm", ordinal)
    if not plan.stream:
        return _calls.Call(ordinal, [(loaded, _arguments(a, b, out), None)], new)
    workspace = functools.partial(_workspace, out.device, plan)
    more = tuple(map(_arrays.argument, workspace()))
    return _calls.Call(ordinal, [(loaded, (*_arguments(a, b, out), *more), None)], new,
                       workspace)


def _workspace(device: Any, plan: Any) -> Any:
    """Returns memory in which blocks of Stream-K hand over sums, and numbers that say
    how many have done so."""
    import torch

    elements = 2 * plan.bm * plan.bn * plan.stream
    kind = {"f32": torch.float32, "i32": torch.int32}[plan.sum]
    return (torch.empty(elements, dtype=kind, device=device),
            torch.zeros(2 * plan.stream, dtype=torch.int32, device=device))


def _ends_within_16_bytes(*arrays: Any) -> bool:
    """Says whether some line of matrices, which all begin at 16 bytes, ends elsewhere."""
    begins = ends = 0
    for array in arrays:
        along = int(_major("a matrix", array, "m") == "k")
        begins |= array.stride(1 - along) * array.element_size()
        ends |= array.shape[along] * array.element_size()
    return begins % 16 == 0 and ends % 16 != 0


def _major(name: str, array: Any, other: str) -> str:
    """Returns the mode of a matrix that is contiguous: k, or the other one."""
    if array.data_ptr() % 16:
        raise ValueError(f"{name} begins at a multiple of 16 bytes")
    rows, columns = array.stride()
    if columns == 1 or array.shape[1] == 1:
        return "k"
    if rows == 1:
        return other
    raise ValueError(f"{name}: rows or columns must be contiguous, not {array.stride()}")


def _new(rows: int, columns: int, dtype: str, device: Any) -> Any:
    """Returns a matrix whose rows begin at multiples of 16 bytes."""
    import torch

    piece = _PIECES[dtype]
    padded = -(-columns // piece) * piece
    whole = torch.empty(rows, padded, dtype=getattr(torch, dtype), device=device)
    return whole if padded == columns else whole[:, :columns]


def _check_out(out: Any, shape: tuple[int, int], dtype: str) -> None:
    if tuple(out.shape) != shape or str(out.dtype) != f"torch.{dtype}":
        raise ValueError(
            f"out is {shape} of {dtype}, not {tuple(out.shape)} of {out.dtype}"
        )
