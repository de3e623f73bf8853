"""Calls whose arrays need gradients: operators of ``torch_ops`` make their results."""

from __future__ import annotations

from typing import Any, Callable

import torch

from . import _calls, torch_ops
from ._row_calls import Function

# Functions that are not named as their files.
_NAMES = {"_prepare_gated": "gated_gemm", "_prepare_groups": "grouped_gemm",
          "attention_gradient": "attention_backward",
          "layernorm_steps": "layernorm with residual or scales",
          "rmsnorm_steps": "rmsnorm with residual or scales"}


def run(prepare: Callable[..., Any], arrays: tuple[Any, ...], stream: Any,
        numbers: tuple[Any, ...]) -> Any:
    """Returns the result of a call as ``_calls.run`` has it, with its gradients.

    It is an error if the function has none, and with ``out`` or ``stream``.
    """
    function = numbers[0] if numbers and isinstance(numbers[0], Function) else None
    name = function.name if function else _name(prepare)
    if name == "argmax":
        with torch.no_grad():
            return _calls.run(prepare, arrays, stream, *numbers)
    if name not in _CALLS:
        raise _without(_NAMES.get(name, name), "detach() them")
    results = function.results if function else 2 if name == "attention" and numbers[-1] else 1
    if stream is not None or any(x is not None for x in arrays[-results:]):
        raise _without(f"{name} with out or stream", "leave these out")
    return _CALLS[name](*arrays[:-results], *(numbers[1] if function else ()), numbers)


def _name(prepare: Any) -> str:
    """Returns the name of a function that is not of rows."""
    file = prepare.__module__.rpartition(".")[2]
    return _NAMES.get(prepare.__name__, _NAMES.get(file, file))


def _without(name: str, advice: str) -> RuntimeError:
    return RuntimeError(f"{name} has no gradient, which tensors here need: {advice}, or call it under "
                        "torch.no_grad()")


def _gemm(a: Any, b: Any, scale_a: Any, scale_b: Any, bias: Any, residual: Any, numbers: Any
          ) -> Any:
    activation, alpha, beta, out_dtype, fast_accum = numbers
    return torch_ops.gemm(a, b, bias, residual, activation or "", alpha, beta, scale_a, scale_b,
                          _dtype(out_dtype), fast_accum)


def _gated_gemm(a: Any, gate: Any, up: Any, numbers: Any) -> Any:
    activation, out_dtype = numbers
    return torch_ops.gated_gemm(a, gate, up, activation, _dtype(out_dtype))


def _dtype(name: Any) -> Any:
    return name and getattr(torch, str(name).removeprefix("torch."))


def _attention(q: Any, k: Any, v: Any, sinks: Any, *rest: Any) -> Any:
    *factors, ((scale, is_causal, window, cap), has_sums) = rest
    if any(x is not None for x in factors):
        raise _without("attention of 8-bit floats", "detach() them")
    out = torch_ops.attention_lse(q, k, v, is_causal, scale, window, cap, sinks)
    return out if has_sums else out[0]


def _cross_entropy(a: Any, target: Any, ignored: int, numbers: Any) -> Any:
    if not numbers[0].scratch:
        raise _without("cross_entropy_forward", "call cross_entropy")
    return torch_ops.cross_entropy(a, target, ignored, numbers[0].parameters["reduction"])


def _rope(x: Any, cos: Any, sin: Any, positions: Any, slots: Any, numbers: Any) -> Any:
    return torch_ops.rope(x, cos, sin, positions, *numbers)


_CALLS: dict[str, Callable[..., Any]] = {
    "attention": _attention,
    "cross_entropy": _cross_entropy,
    "cumsum": lambda a, _: torch_ops.cumsum(a),
    "gated_gemm": _gated_gemm,
    "gemm": _gemm,
    "layernorm": lambda a, gamma, beta, eps, _: torch_ops.layernorm(a, gamma, beta, eps),
    "log_softmax": lambda a, _: torch_ops.log_softmax(a),
    "rmsnorm": lambda a, gamma, eps, _: torch_ops.rmsnorm(a, gamma, eps),
    "rope": _rope,
    "softmax": lambda a, _: torch_ops.softmax(a),
    "topk": lambda a, k, _: torch_ops.topk(a, k),
}
