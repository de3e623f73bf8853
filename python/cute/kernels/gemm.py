"""Products of matrices, alone and with what comes before their store."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, Callable, Sequence

from . import _arrays, _calls, _gemm_choice, _loading, _text, _tuned, gemm_sm80, gemm_sm90
from ._gemm_arrays import in_lines, is_line, is_whole, maker, matrix, wide
from .gemm_sm90 import Product, Step

# The type of the result, by that of a and b.
_RESULTS = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "i8": "int32",
    "f8E4M3FN": "float16", "f8E5M2": "float16",
}
_EIGHT_BITS = ("f8E4M3FN", "f8E5M2")
_BESIDE = ("f16", "bf16", "f32")


def gemm(
    a: Any, b: Any, out: Any = None, *, bias: Any = None, activation: str | None = None,
    residual: Any = None, alpha: float = 1.0, beta: float = 1.0, scale_a: Any = None,
    scale_b: Any = None, out_dtype: Any = None, fast_accum: bool = False, stream: Any = None,
) -> Any:
    """Returns ``activation(alpha * scale_a * scale_b * a @ b.mT + bias) + beta * residual``.

    ``a`` is (M,K) or (L,M,K), ``b`` (N,K) or (L,N,K); the result is (M,N) or (L,M,N). Elements
    are of float16, bfloat16, float32 (multiplied as tf32), int8, float8_e4m3fn or float8_e5m2;
    sums are in float32, of int8 in int32. ``out`` is written if it is given. Does not wait.

    :param bias: (N,) :param activation: ``relu``, ``gelu`` (by tanh), ``silu`` or ``sigmoid``
    :param residual: a tensor of the result's shape :param scale_a: (M,) or one number, of
    float32; ``scale_b`` (N,) or one :param out_dtype: of the result; by default ``a``'s, int32
    for int8, and float16 for 8-bit floats :param fast_accum: whether sums of 8-bit floats stay
    in the tensor cores, which keep
        fewer bits, as ``use_fast_accum`` of torch does

    Operands that TMA cannot load are copied. For TMA, memory begins at a multiple of 16
    bytes, one of the last two modes is contiguous (K for elements of 8 and 32 bits), and the
    other strides are multiples of 16 bytes.
    """
    arrays = (a, b, scale_a, scale_b, bias, residual, out)
    return _calls.run(_prepare, arrays, stream, activation, alpha, beta, out_dtype, fast_accum)


def gated_gemm(
    a: Any, gate: Any, up: Any, out: Any = None, *, activation: str = "silu",
    out_dtype: Any = None, stream: Any = None,
) -> Any:
    """Returns ``activation(a @ gate.mT) * (a @ up.mT)`` by one kernel: SwiGLU, or GeGLU with
    ``gelu``.

    ``a`` is (M,K), ``gate`` and ``up`` are (N,K); types, ``out`` and ``out_dtype`` are as in
    :func:`gemm`, but no int8.
    """
    arrays = (a, gate, up, out)
    return _calls.run(_prepare_gated, arrays, stream, activation, out_dtype)


def grouped_gemm(
    a: Any, b: Any, offsets: Any, out: Any = None, *, out_dtype: Any = None,
    fast_accum: bool = False, stream: Any = None,
) -> Any:
    """Returns the products of groups of rows with a matrix each, by one kernel: rows
    ``offsets[g - 1]`` to ``offsets[g]`` of the result are the same rows of ``a`` times
    ``b[g].mT``.

    ``a`` is (M,K), ``b`` (G,N,K), and ``offsets`` (G,) of int32 on the device, where groups end:
    they do not decrease, a group may have no rows, and none has rows beyond M. Only the kernel
    reads them. Rows of the result from the last offset on are undefined. Types, ``out``,
    ``out_dtype`` and ``fast_accum`` are as in :func:`gemm`.
    """
    arrays = (a, b, offsets, out)
    return _calls.run(_prepare_groups, arrays, stream, out_dtype, fast_accum)


# ---- Checks -----------------------------------------------------------------


def _prepare(
    a: Any, b: Any, scale_a: Any, scale_b: Any, bias: Any, residual: Any, out: Any,
    activation: str | None, alpha: float, beta: float, out_dtype: Any, fast_accum: bool,
) -> Any:
    """Returns the call of a product."""
    request = _Request(a, [b], out, out_dtype, fast_accum)
    m, n = request.shape[-2:]
    steps = [*_scale("scale_a", scale_a, m, "m"), *_scale("scale_b", scale_b, n, "n")]
    if alpha != 1:
        steps.append((Step("scale", factor=True), None, alpha))
    if bias is not None:
        steps.append((_along("add", "bias", bias, n, "n"), bias, None))
    if activation:
        steps.append((Step(_known(activation)), None, None))
    if residual is not None:
        steps.append(_add(residual, request.shape, beta))
    return request.call(steps)


def _prepare_gated(*given: Any) -> Any:
    """Returns the call of two products with a gate between them."""
    a, gate, up, out, activation, out_dtype = given
    if tuple(gate.shape) != tuple(up.shape) or gate.dim() != 2 or a.dim() != 2:
        raise ValueError(
            f"a is (M,K), gate and up are (N,K), not {tuple(a.shape)}, {tuple(gate.shape)}, "
            f"{tuple(up.shape)}")
    if gate.stride() != up.stride():
        raise ValueError(f"gate and up have equal strides, not {gate.stride()}, {up.stride()}")
    request = _Request(a, [gate, up], out, out_dtype, True, gate=_known(activation))
    if request.element == "i8":
        raise TypeError("a, gate and up are of floats, not of int8")
    return request.call([])


def _prepare_groups(*given: Any) -> Any:
    """Returns the call of products of groups."""
    a, b, offsets, out, out_dtype, fast_accum = given
    return _Request(a, [b], out, out_dtype, fast_accum, ends=offsets).call([])


def _known(activation: str) -> str:
    if activation not in gemm_sm90.ACTIVATIONS:
        known = ", ".join(gemm_sm90.ACTIVATIONS)
        raise ValueError(f"activation is one of {known}, not {activation!r}")
    return activation


def _scale(name: str, vector: Any, extent: int, mode: str) -> list[Any]:
    if vector is None:
        return []
    if _arrays.element(vector) != "f32":
        raise TypeError(f"{name} is of float32, not {vector.dtype}")
    if math.prod(vector.shape) == 1:
        return [(Step("scale", tensor="f32", along=""), vector, None)]
    return [(_along("scale", name, vector, extent, mode), vector, None)]


def _along(kind: str, name: str, vector: Any, extent: int, mode: str) -> Step:
    """Returns a step with a vector."""
    if tuple(vector.shape) != (extent,) or vector.stride(0) != 1:
        raise ValueError(
            f"{name} has {extent} contiguous elements, not {tuple(vector.shape)} with strides "
            f"{vector.stride()}")
    element = _arrays.element(vector)
    if element not in _BESIDE:
        raise TypeError(f"{name} is of {', '.join(_BESIDE)}, not {vector.dtype}")
    in_pairs = mode == "n" and extent % 2 == 0 and _is_aligned(vector, 2)
    return Step(kind, tensor=element, along=mode, in_pairs=in_pairs)


def _add(residual: Any, shape: tuple[int, ...], beta: float) -> Any:
    """Returns the step that adds a tensor of the result's shape."""
    element = _arrays.element(residual)
    if tuple(residual.shape) != shape or element not in _BESIDE:
        raise ValueError(
            f"residual is {shape} of {', '.join(_BESIDE)}, not {tuple(residual.shape)} of "
            f"{residual.dtype}")
    step = Step("add", factor=beta != 1, tensor=element, along="?")
    if residual.stride(-1) == 1:
        pitches = [s for s, e in zip(residual.stride()[:-1], shape) if e > 1]
        of = {unit: _is_aligned(residual, unit) and not any(s % unit for s in pitches)
              for unit in (2, 16 // residual.element_size())}
        step = dataclasses.replace(step, along="mn", in_pairs=of[2] and shape[-1] % 2 == 0,
                                   in_lines=of[16 // residual.element_size()])
    return step, residual, beta if beta != 1 else None


def _is_aligned(array: Any, elements: int) -> bool:
    return array.data_ptr() % (elements * array.element_size()) == 0


# ---- Requests ---------------------------------------------------------------


class _Request:
    """A product of arrays: checked, then bound to a kernel.

    :param bs: B, or two of them with a ``gate``
    :param ends: where groups of rows of A end, or None
    """

    def __init__(self, a: Any, bs: Sequence[Any], out: Any, out_dtype: Any, fast_accum: bool,
                 gate: str = "", ends: Any = None):
        self.ends = [] if ends is None else [ends]
        self.ordinal = _loading.place(a, *bs, *self.ends)
        self.a, self.bs, self.gate, self.fast = a, list(bs), gate, fast_accum
        self.element = self._check_elements()
        self.shape = self._check_shapes()
        dtype = out_dtype or _RESULTS[self.element]
        self.new = maker(self.shape, dtype, a.device)
        self.out = self.new() if out is None else out
        if tuple(self.out.shape) != self.shape or out_dtype not in (None, self.out.dtype):
            raise ValueError(f"out is {self.shape} of {dtype}, not {tuple(self.out.shape)} of "
                             f"{self.out.dtype}")
        self.result = _arrays.element(self.out)
        if (self.result == "i32") > (self.element == "i8") or self.result == "i8":
            raise TypeError(f"out is of floats, or of int32 for int8, not {self.out.dtype}")
        _loading.place(a, *bs, *self.ends, self.out)

    def _like(self, operands: Sequence[Any]) -> _Request:
        """Returns the same request of other operands."""
        return _Request(operands[0], operands[1:], self.out, None, self.fast, self.gate,
                        *self.ends)

    def _check_elements(self) -> str:
        elements = [_arrays.element(x) for x in (self.a, *self.bs)]
        first = elements[0]
        are_alike = all(e == first or {e, first} <= set(_EIGHT_BITS) for e in elements)
        if first not in _RESULTS or not are_alike:
            raise TypeError(f"a and b have one type of {', '.join(_RESULTS)}, not "
                            + ", ".join(str(x.dtype) for x in (self.a, *self.bs)))
        return first

    def _check_shapes(self) -> tuple[int, ...]:
        a, b = self.a, self.bs[0]
        if self.ends:
            return self._check_groups()
        fits = (a.dim() in (2, 3) and b.dim() in (2, 3) and a.shape[-1] == b.shape[-1]
                and (a.dim() == b.dim() == 2 or len({x.shape[0] for x in (a, b)
                                                     if x.dim() == 3}) == 1))
        if not fits:
            raise ValueError("a is (M,K) or (L,M,K) and b is (N,K) or (L,N,K), not "
                             f"{tuple(a.shape)}, {tuple(b.shape)}")
        batches = next((tuple(x.shape[:1]) for x in (a, b) if x.dim() == 3), ())
        return (*batches, a.shape[-2], b.shape[-2])

    def _check_groups(self) -> tuple[int, ...]:
        a, b, ends = self.a, self.bs[0], self.ends[0]
        if a.dim() != 2 or b.dim() != 3 or a.shape[1] != b.shape[2]:
            raise ValueError(
                f"a is (M,K) and b is (G,N,K), not {tuple(a.shape)}, {tuple(b.shape)}")
        if tuple(ends.shape) != tuple(b.shape[:1]) or ends.stride(0) != 1:
            raise ValueError(f"offsets has a contiguous element for each of {b.shape[0]} groups, "
                             f"not {tuple(ends.shape)} with strides {ends.stride()}")
        if _arrays.element(ends) != "i32":
            raise TypeError(f"offsets is of int32, not {ends.dtype}")
        return (a.shape[0], b.shape[1])

    def call(self, steps: list[Any]) -> Any:
        """Returns the call.

        :param steps: of each a Step, the array and the number that it takes, or None
        """
        arrays = [self.a, *self.bs, *[x for _, x, _ in steps if x is not None]]
        _loading.place(*arrays, self.out)
        if self.ends and 0 in self.bs[0].shape[:1]:
            return _calls.Nothing(self.new)
        if self.element == "i8" and self.result == "i32" and steps:
            raise TypeError("out is of floats where int8 is scaled, or something is added")
        if 0 in self.shape or 0 in self.a.shape:
            if 0 in self.shape or not steps:
                return _calls.Zero(self.new)
            return self._of_zeros(steps)
        by_pass = self._is_for_passes(steps)
        if not by_pass:
            return self._by_warps()
        return self._copied(steps)

    def _is_for_passes(self, steps: list[Any]) -> bool:
        """Returns whether the plain loop is the kernel: else that of gemm_sm80."""
        if steps or self.gate or self.ends or self.out.dim() == 3:
            return True
        is_special = self.element == "f8E5M2" or self.result != _element_of(self.element)
        is_special |= len({_arrays.element(x) for x in (self.a, *self.bs)}) > 1
        return is_special or self._arch() in (90, *_gemm_choice.WITH_TENSOR_MEMORY)

    def _arch(self) -> int:
        return int(_text.device(self.ordinal).arch)

    def _size(self) -> tuple[int, int, int]:
        """Returns M, N, K; M of a group if all have as many rows."""
        m = -(-self.shape[-2] // self._batch()) if self.ends else self.shape[-2]
        return (m, self.shape[-1], self.a.shape[-1])

    def _of_zeros(self, steps: list[Any]) -> Any:
        """Returns the call where K is 0."""
        unit = 16 // self.a.element_size()
        whole = self._like([x.new_zeros((*x.shape[:-1], unit)) for x in (self.a, *self.bs)])
        return _Replaced(whole.call(steps), [(0, lambda _: whole.a), *[
            (i + 1, lambda _, x=x: x) for i, x in enumerate(whole.bs)]], self.new)

    # ---- Where TMA can load ----

    def _has_lines(self, array: Any) -> bool:
        """Returns whether TMA, or a plain copy of 16 bytes, can load an operand."""
        size = array.element_size()
        strides = array.stride()[-2:]
        along = 1 if is_line(array, 1) else 0
        if self.ends and array is self.a and along == 0:
            return False  # groups begin at any row
        if not is_line(array, along) or (along == 0 and size != 2):
            return False
        others = [(strides[1 - along], array.shape[-2 + 1 - along])]
        others += [(array.stride(0), array.shape[0])] if array.dim() == 3 else []
        return array.data_ptr() % 16 == 0 and not any(
            e > 1 and (s * size % 16 or s == 0) for s, e in others)

    def _copied(self, steps: list[Any]) -> Any:
        """Returns the call of the plain loop, with copies of what TMA cannot load."""
        operands = [self.a, *self.bs]
        copies = []
        for i, x in enumerate(operands):
            if not self._has_lines(x):
                copies.append((i, in_lines))
                operands[i] = in_lines(x)
        if not copies:
            return self._bound(steps)
        whole = self._like(operands)
        return _Replaced(whole._bound(steps), copies, self.new)

    def _bound(self, steps: list[Any]) -> Any:
        """Returns the call of the plain loop on operands that TMA can load."""
        out = self.out
        product = self._product([step for step, _, _ in steps])
        device = _text.device(self.ordinal)
        product = _gemm_choice.chosen(product, self._size(), self._batch(), int(device.arch),
                                      device.multiprocessors)
        swapped = product.is_swapped
        loaded = _loading.kernel(gemm_sm90.program, (("product", product),), "gemm",
                                 self.ordinal)
        arguments = [matrix(x, is_operand=True) for x in (self.a, *self.bs)]
        arguments += map(_arrays.argument, self.ends)
        for step, array, number in steps:
            arguments += [] if array is None else [wide(array, step, out.shape, swapped)]
            arguments += [] if number is None else [number]
        arguments.append(matrix(out, swapped=swapped))
        return _calls.Call(self.ordinal, [(loaded, tuple(arguments), None)], self.new)

    def _batch(self) -> int:
        if self.ends:
            return self.bs[0].shape[0]
        return self.shape[0] if len(self.shape) == 3 else 1

    def _product(self, steps: Sequence[Step]) -> Product:
        a, b, out = self.a, self.bs[0], self.out
        is_transposed = not is_line(out, 1)
        if is_transposed and (self.gate or self.ends or not is_line(out, 0)):
            which = "its rows" if self.gate or self.ends else "rows or columns"
            raise ValueError(f"out: {which} must be contiguous, not {out.stride()}")
        names = [_arrays.element(x) for x in (a, b)]
        names = ["tf32" if x == "f32" else x for x in names]
        made = Product(
            *names, self.result,
            majors="".join("k" if is_line(x, 1) else other for x, other in ((a, "m"), (b, "n"))),
            whole=tuple(map(is_whole, (a, b, out))),
            batches=(a.dim() == 3, b.dim() == 3, out.dim() == 3), gate=self.gate,
            in_levels=names[0] in _EIGHT_BITS and not self.fast and not self.gate,
            d_major="m" if is_transposed else "n", steps=tuple(steps), groups="ends" if self.ends else "")
        return made.swapped() if is_transposed else made

    # ---- By mma.sync ----

    def _by_warps(self) -> Any:
        """Returns the call of the kernel by mma.sync."""
        a, b, out = self.a, self.bs[0], self.out
        plan = _sm80_plan(self.ordinal, a, b, out)
        parameters = {"name": "gemm", **dataclasses.asdict(plan)}
        loaded = _loading.kernel(
            gemm_sm80.program, tuple(parameters.items()), "gemm", self.ordinal)
        arguments = tuple(matrix(x, is_operand=x is not out) for x in (a, b, out))
        if not plan.stream:
            return _calls.Call(self.ordinal, [(loaded, arguments, None)], self.new)
        workspace = functools.partial(_workspace, out.device, plan)
        more = tuple(map(_arrays.argument, workspace()))
        return _calls.Call(self.ordinal, [(loaded, (*arguments, *more), None)], self.new,
                           workspace)


class _Replaced:
    """A call in which copies take the place of some arrays."""

    def __init__(self, call: Any, copies: Sequence[tuple[int, Callable[[Any], Any]]],
                 new: Callable[[], Any]):
        self.is_simulated = call.is_simulated
        self._call, self._copies, self._new = call, copies, new

    def __call__(self, stream: Any, *arrays: Any) -> Any:
        given = list(arrays)
        for i, copy in self._copies:
            given[i] = copy(given[i])
        if given[-1] is None:
            given[-1] = self._new()
        return self._call(stream, *given)


def _element_of(element: str) -> str:
    return {"f32": "f32", "i8": "i32", "f8E4M3FN": "f16"}.get(element, element)


def result_dtype(a: Any) -> str:
    """Returns the name of the type that the result has by default."""
    return _RESULTS[_arrays.element(a)]


# ---- By mma.sync ------------------------------------------------------------


def _sm80_plan(ordinal: int, a: Any, b: Any, out: Any) -> Any:
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


def _workspace(device: Any, plan: Any) -> Any:
    """Returns memory in which blocks of Stream-K hand over sums, and numbers that say
    how many have done so."""
    import torch

    elements = 2 * plan.bm * plan.bn * plan.stream
    kind = {"f32": torch.float32, "i32": torch.int32}[plan.sum]
    return (torch.empty(elements, dtype=kind, device=device),
            torch.zeros(2 * plan.stream, dtype=torch.int32, device=device))


def _ends_within_16_bytes(*arrays: Any) -> bool:
    """Returns whether some line of matrices, which all begin at 16 bytes, ends elsewhere."""
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
