"""Operands and results of the functions of attention, checked."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Optional, Sequence

from . import _arrays, _calls

PADDED = (16, 32, 48, 64, 96, 128, 160, 192, 224, 256)  # sizes of heads for which there are tiles
PRODUCTS = {"f16": "F32F16F16", "bf16": "F32BF16BF16", "f8E4M3FN": "F32E4M3E4M3"}
FLOAT8 = "torch.float8_e4m3fn"


@dataclasses.dataclass(frozen=True)
class Options:
    """Options that change the products of an attention.

    :raises ValueError: if the options don't go together
    """

    scale: Optional[float] = None  # 1/sqrt(d) if it is None
    is_causal: bool = False
    window: Optional[int] = None  # how many of its columns, the last ones, a row sees
    cap: Optional[float] = None  # x = scale q k becomes cap tanh(x / cap)

    def __post_init__(self) -> None:
        if self.scale is not None and not self.scale > 0:
            raise ValueError(f"the scale is positive, not {self.scale}")
        if self.window is not None and not self.is_causal:
            raise ValueError("a window is of the last columns that a row sees: is_causal=True goes "
                             "with it")
        if self.window is not None and not 0 < self.window < 1 << 31:
            raise ValueError(f"a window has 1 to 2147483647 columns, not {self.window}")
        if self.cap is not None and not self.cap > 0:
            raise ValueError(f"the cap is positive, not {self.cap}")

    @property
    def is_plain(self) -> bool:
        """Whether kernels without a window and a cap do."""
        return self.window is None and self.cap is None

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of the plain loops."""
        return {"CAUSAL": int(self.is_causal), "WINDOW": int(self.window is not None),
                "CAP": int(self.cap is not None)}

    def numbers(self, q: Any) -> tuple[Any, ...]:
        """Returns the last arguments of the plain loops. A window of 2^30 columns has all that
        there are, and rows and columns may still be added to it."""
        window = () if self.window is None else (min(int(self.window), 1 << 30),)
        cap = () if self.cap is None else (float(self.cap),)
        return (*window, *cap, self.scale_for(q))

    def scale_for(self, q: Any) -> float:
        """Returns the scale that is given, or 1/sqrt(d)."""
        return 1 / math.sqrt(q.shape[-1]) if self.scale is None else float(self.scale)


def shared(d: int, warps: int, columns: int) -> tuple[int, int]:
    """Returns how wide tiles are in which rows of d elements lie, and how many elements of a row a
    block's threads copy side by side, so that they share tiles of 16 rows a warp, and of so many
    columns, evenly."""
    return next((size, n) for size in PADDED if size >= d for n in (size, 128, 64, 32, 16)
                if size % n == 0 and 256 * warps % n == 0
                and math.gcd(16 * warps, columns) % (256 * warps // n) == 0)


def check(q: Any, k: Any, v: Any, sizes: Sequence[int], keys: str = "(batch, head, row, d)",
          queries: str = "(batch, head, row, d)", may_differ: bool = False,
          others: Sequence[str] = ()) -> None:
    """Raises where q, k and v don't fit one another.

    :param sizes: the head sizes that the kernels have
    :param keys: the modes of k and v
    :param queries: the modes of q, among which heads are the second
    :param may_differ: whether heads of v may have another size
    :param others: further types with kernels, besides float16 and bfloat16
    """
    shapes = ", ".join(str(tuple(a.shape)) for a in (q, k, v))
    types = {str(a.dtype) for a in (q, k, v)}
    known = ("torch.float16", "torch.bfloat16", *others)
    if len(types) != 1 or not types <= set(known):
        *names, last = [f"of {name.removeprefix('torch.')}" for name in known]
        raise TypeError(f"q, k and v are {', '.join(names)} or {last}, not {', '.join(sorted(types))}")
    dims = [1 + modes.count(",") for modes in (queries, keys, keys)]
    if [a.dim() for a in (q, k, v)] != dims or not {q.shape[-1], v.shape[-1]} <= set(sizes):
        raise ValueError(f"q is {queries}, k and v are {keys}, and d is {_listed(sizes)}, not "
                         f"{shapes}")
    is_batch = keys.startswith("(batch")
    are_alike = k.shape[:-1] == v.shape[:-1] and (may_differ or k.shape[-1] == v.shape[-1])
    if not are_alike or q.shape[-1] != k.shape[-1] or (is_batch and q.shape[0] != k.shape[0]):
        raise ValueError(f"k and v are alike and fit q, not {shapes}")
    if k.shape[1] == 0 or q.shape[1] % k.shape[1]:
        raise ValueError(f"q has a multiple of the heads of k and v, not {shapes}")
    if is_batch and q.shape[0] >= 1 << 16:
        raise ValueError(f"a batch has at most 65535 sequences, not {q.shape[0]}")
    if q.shape[1] >= 1 << 16:
        raise ValueError(f"q has at most 65535 heads, not {q.shape[1]}")


def _listed(sizes: Sequence[int]) -> str:
    """Returns head sizes for a message."""
    if len(sizes) > 2 and len({b - a for a, b in zip(sizes, sizes[1:])}) == 1:
        return f"a multiple of {sizes[1] - sizes[0]} from {sizes[0]} to {sizes[-1]}"
    return f"{', '.join(map(str, sizes[:-1]))} or {sizes[-1]}"


def check_out(q: Any, v: Any, out: Any, name: str = "out") -> None:
    """Raises where the result, or its gradient, has other rows and heads than q, another size of
    heads than v, or another type."""
    shape, dtype = (*q.shape[:-1], v.shape[-1]), _result_type(q)
    if tuple(out.shape) != shape or str(out.dtype) != dtype:
        raise ValueError(f"{name} is {shape} of {dtype}, not {tuple(out.shape)} of {out.dtype}")


def _result_type(q: Any) -> str:
    """Returns the type of a result."""
    return "torch.bfloat16" if str(q.dtype) == FLOAT8 else str(q.dtype)


def is_regular(array: Any) -> bool:
    """Returns whether rows begin at multiples of 16 bytes."""
    strides = array.stride()
    steps = (s * array.element_size() % 16 for s in strides[:-1])
    return strides[-1] == 1 and not array.data_ptr() % 16 and not any(steps)


def need_regular(**arrays: Any) -> None:
    """Raises where rows do not begin at multiples of 16 bytes."""
    for name, array in arrays.items():
        if not is_regular(array):
            raise ValueError(f"{name}: d is contiguous and rows begin at multiples of 16 bytes, "
                             f"not with strides {tuple(array.stride())}")


def run(prepare: Callable[..., Any], given: tuple[Any, ...], out: Any, stream: Any, options: Any,
        return_lse: bool) -> Any:
    """Runs the call of an attention; with ``return_lse`` the result is a pair."""
    if not return_lse:
        return _calls.run(prepare, (*given, out), stream, options, False)
    made = _calls.run(prepare, (*given, out, None), stream, options, True)
    return made if out is None else (out, made)


def without_sums(rest: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the last arguments of a ``_prepare`` without that for the log-sum-exp: the result,
    options, and whether it is asked for."""
    return (*rest[:-3], *rest[-2:]) if rest[-1] else rest


def maker(q: Any, v: Any, result: Any, has_sums: bool) -> Callable[[], Any]:
    """Returns makers of the result, if it is None, and of the log-sum-exp of each row of q,
    (batch, head, row) or (head, row), if it is asked for; both as a pair."""
    shape = tuple(q.shape[:-1]) if q.dim() == 4 else (q.shape[1], q.shape[0])
    sums = _arrays.maker(shape, "torch.float32", q.device)
    out = _arrays.maker((*q.shape[:-1], v.shape[-1]), _result_type(q), q.device)
    if has_sums and result is None:
        return _arrays.Makers((out, sums))
    return sums if has_sums else out


def results_of(new: Callable[[], Any], out: Any, has_sums: bool) -> tuple[Any, ...]:
    """Returns the results that a call is bound to: the one that is given, or new ones."""
    if out is None:
        return new() if has_sums else (new(),)
    return (out, new()) if has_sums else (out,)
