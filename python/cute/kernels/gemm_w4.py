"""D = A W^T for few rows of A and weights of 4 bits, scaled by groups along K.

Such a product reads each weight once, so that memory bounds it. Weights are packed so that 16
bytes of a thread are its operands of ``mma.sync`` 16x8x16 for 16 rows of W and 64 columns;
columns of A come in an order that gives a thread 8 neighbours at a time.

- a block has some tiles of 16 rows of W, and its warps share them and the columns of K; for more than
  8 rows of A both arrive through rings in shared memory, so that enough bytes are under way;
- a weight q becomes a number by placing its bits below the bits of 1024 (128 in bfloat16), from
  which 1024 and the zero are subtracted; all of this is exact;
- for up to 16 rows of A the sums of a group are multiplied by its scale in float32; for more,
  weights are in 16 bits, rounded as ``unpack_w4`` rounds them;
- all warps' sums are added in order, so that equal inputs give equal bits.

More rows of A than that is for read weights that are made wide first, and go to ``gemm``.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping

from .._compile.arguments import Constexpr
from .._compile.jit import kernel
from .._values.tensor import Tensor
from . import _arrays, _calls, _loading, _text, _w4_direct, _w4_loop
from .gemm import gemm
from ._program import Program
from ._w4_choice import MOST, best
from ._w4_weights import HALF, STEP, TYPES, Plan, widen


def pack_w4(q: Any) -> Any:
    """Returns weights (N,K) of 0 to 15, of uint8, as ``gemm_w4`` reads them.

    N is a multiple of 16, K of 64. The result is (N/16, K/64, 32, 4) of int32.
    """
    import torch

    if q.dtype != torch.uint8:
        raise TypeError(f"weights are of uint8, not of {q.dtype}")
    if q.dim() != 2 or q.shape[0] % 16 or q.shape[1] % STEP or 0 in q.shape:
        raise ValueError("weights are (N,K), N a multiple of 16 and K of 64, not "
                         f"{tuple(q.shape)}")
    if int(q.max()) > 15:
        raise ValueError(f"weights are 0 to 15, not {int(q.max())}")
    n, k = q.shape
    # 16 rows are 8 h + g, and 64 columns 32 u + 8 t + 4 j + 2 c + e: lane 4 g + t has, in word
    # 2 u + j, nibble h + 2 c + 4 e.
    parts = q.view(n // 16, 2, 8, k // STEP, 2, 4, 2, 2, 2).permute(0, 3, 2, 5, 4, 6, 8, 7, 1)
    nibbles = parts.reshape(n // 16, k // STEP, 32, 4, 8).long()
    shifts = torch.arange(0, 32, 4, device=q.device)
    words = (nibbles << shifts).sum(-1)
    return torch.where(words > 0x7FFFFFFF, words - (1 << 32), words).int()


def gemm_w4(a: Any, w: Any, scales: Any, zeros: Any = None, out: Any = None, *,
            stream: Any = None) -> Any:
    """Returns D = A W^T, with W[n,k] = scales[n,k/group] * (q[n,k] - zeros[n,k/group]).

    ``a`` is (M,K) of float16 or bfloat16, and D is (M,N) of its type. ``w`` are weights q of 0 to
    15 as ``pack_w4`` returns them. Scales are (N,K/group) of the type of ``a``, with groups of a
    multiple of 32, as are zeros, integers from 0 to 16 that are 8 by default. ``out`` is written
    if it is given. Does not wait.

    Up to 64 rows are multiplied as the weights are read. For more, the weights are widened
    first.
    """
    if a.dim() == 2 and a.shape[0] > MOST:
        wide = unpack_w4(w, scales, zeros, stream=stream)
        return gemm(a, wide, out, stream=stream)
    arrays = (a, w, scales, *(() if zeros is None else (zeros,)), out)
    return _calls.run(_prepare, arrays, stream)


def unpack_w4(w: Any, scales: Any, zeros: Any = None, out: Any = None, *, stream: Any = None
              ) -> Any:
    """Returns the weights (N,K) of ``gemm_w4`` in the type of the scales."""
    arrays = (w, scales, *(() if zeros is None else (zeros,)), out)
    return _calls.run(_prepare_wide, arrays, stream)


def _prepare(a: Any, w: Any, scales: Any, *rest: Any) -> Any:
    """Returns the call of a product."""
    zeros, out = rest if len(rest) == 2 else (None, rest[0])
    given = [x for x in (a, w, scales, zeros) if x is not None]
    ordinal = _loading.place(*given)
    n, k = _check(w, scales, zeros)
    if a.dim() != 2 or a.shape[1] != k or a.dtype != scales.dtype:
        raise ValueError(f"a is (M,{k}) of {scales.dtype}, not {tuple(a.shape)} of {a.dtype}")
    if a.stride(1) != 1 or a.stride(0) % 8 or a.data_ptr() % 16:
        raise ValueError("a: its rows are contiguous and begin at multiples of 16 bytes, not "
                         f"{tuple(a.stride())}")
    new = _arrays.maker((a.shape[0], n), a.dtype, a.device)
    out = _result(out, new, (a.shape[0], n), a.dtype)
    if not a.shape[0]:
        return _calls.Zero(new)
    _loading.place(*given, out)
    kind = _arrays.element(a), k // scales.shape[1], zeros is not None
    plan = best(kind, a.shape[0], n, k, _text.device(ordinal))
    return _call(ordinal, plan, "gemm_w4", (*given, out), new)


def _prepare_wide(w: Any, scales: Any, *rest: Any) -> Any:
    """Returns the call that makes weights wide."""
    zeros, out = rest if len(rest) == 2 else (None, rest[0])
    given = [x for x in (w, scales, zeros) if x is not None]
    ordinal = _loading.place(*given)
    n, k = _check(w, scales, zeros)
    new = _arrays.maker((n, k), scales.dtype, scales.device)
    out = _result(out, new, (n, k), scales.dtype)
    _loading.place(*given, out)
    plan = Plan(_arrays.element(scales), 8, 1, k // scales.shape[1], zeros is not None)
    return _call(ordinal, plan, "unpack_w4", (*given, out), new)


def _call(ordinal: int, plan: Plan, name: str, arrays: Any, new: Any) -> Any:
    parameters = tuple(dataclasses.asdict(plan).items())
    loaded = _loading.kernel(program, parameters, name, ordinal)
    return _calls.Call(ordinal, [(loaded, tuple(map(_arrays.argument, arrays)), None)], new)


def _result(out: Any, new: Any, shape: tuple[int, int], dtype: Any) -> Any:
    if out is None:
        return new()
    if tuple(out.shape) != shape or out.dtype != dtype or out.stride(1) != 1 or (
            out.data_ptr() % 16 or out.stride(0) % 8):
        raise ValueError(f"out is {shape} of {dtype}, with contiguous rows that begin at multiples "
                         f"of 16 bytes, not {tuple(out.shape)} of {out.dtype} by {out.stride()}")
    return out


def _check(w: Any, scales: Any, zeros: Any) -> tuple[int, int]:
    """Returns N and K."""
    if str(scales.dtype) not in ("torch.float16", "torch.bfloat16"):
        raise TypeError(f"scales are of float16 or of bfloat16, not of {scales.dtype}")
    if str(w.dtype) != "torch.int32" or w.dim() != 4 or tuple(w.shape[2:]) != (32, 4) or (
            not w.is_contiguous() or 0 in w.shape or w.data_ptr() % 16):
        raise ValueError("w is contiguous, (N/16,K/64,32,4) of int32 as pack_w4 returns it, not "
                         f"{tuple(w.shape)} of {w.dtype}")
    n, k = 16 * w.shape[0], STEP * w.shape[1]
    if scales.dim() != 2 or scales.shape[0] != n or not scales.shape[1] or (
            k % scales.shape[1] or k // scales.shape[1] % HALF):
        raise ValueError(f"scales are ({n},{k}/group), groups of a multiple of 32, not "
                         f"{tuple(scales.shape)}")
    if any(x.stride(0) >= 1 << 23 or x.stride(1) * x.shape[1] >= 1 << 31 for x in (scales, zeros) if x is not None):
        raise ValueError(f"scales and zeros: rows are less than 2^23 elements apart, not {scales.stride()}")
    if zeros is not None and (zeros.shape != scales.shape or zeros.dtype != scales.dtype):
        raise ValueError(f"zeros are like scales, not {tuple(zeros.shape)} of {zeros.dtype}")
    return n, k


def program(values: Mapping[str, Any]) -> Program:
    """Returns the kernels of some parameters."""
    plan = Plan(**values)
    element = TYPES[plan.type].ir_name
    matrix = f'!cute.tensor<{element}, gmem, align<16>, "(?,?):(?{{i64 div=8}},1)">'
    table = f'!cute.tensor<{element}, gmem, align<2>, "(?,?):(?{{i64}},?{{i64}})">'
    words = ('!cute.tensor<i32, gmem, align<16>, '
             '"(?,?,32,4):(?{i64 div=128},128,4,1)">')
    beside = [table, table] if plan.has_zeros else [table]
    product, wide = (product_zeros, wide_zeros) if plan.has_zeros else (product_8, wide_8)
    made = Program("gemm_w4")
    made.add("gemm_w4", product, matrix, words, *beside, matrix, plan=plan, threads=32 * plan.warps,
             cluster=plan.splits, resident=plan.resident if plan.is_bounded else 0,
             grid=[f"ceil_div(arg1.shape[0], {plan.tiles * plan.across}) * {plan.splits}",
                   f"ceil_div(arg0.shape[0], {plan.rows})"])
    made.add("unpack_w4", wide, words, *beside, matrix, plan=plan, threads=32 * plan.warps,
             grid=[f"ceil_div(arg0.shape[1], {plan.warps})", "arg0.shape[0]"])
    return made


@kernel
def product_8(a: Tensor, w: Tensor, scales: Tensor, out: Tensor, plan: Constexpr) -> None:
    """Writes the product of some rows of A and of W, all of whose zeros are 8."""
    (_w4_loop if plan.stages else _w4_direct).multiply(plan, a, w, scales, None, out)


@kernel
def product_zeros(a: Tensor, w: Tensor, scales: Tensor, zeros: Tensor, out: Tensor,
                  plan: Constexpr) -> None:
    """Writes the product of some rows of A and of W."""
    (_w4_loop if plan.stages else _w4_direct).multiply(plan, a, w, scales, zeros, out)


@kernel
def wide_8(w: Tensor, scales: Tensor, out: Tensor, plan: Constexpr) -> None:
    """Writes weights whose zeros are 8."""
    widen(plan, w, scales, None, out)


@kernel
def wide_zeros(w: Tensor, scales: Tensor, zeros: Tensor, out: Tensor, plan: Constexpr) -> None:
    """Writes weights."""
    widen(plan, w, scales, zeros, out)
