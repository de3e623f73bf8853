"""What programs ask of torch 2 and a torch 1 of the host lacks.

Only for simulated and compiled-only runs, where torch computes on the host:
functions without a form for float16 there run in float32, as torch 2 gives them.
"""

from __future__ import annotations

from typing import Any


def fill_in(torch: Any) -> None:
    """Adds to torch what it lacks."""
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        return
    _Widened = _widening_mode(torch)
    _Widened().__enter__()
    torch.nn.functional.scaled_dot_product_attention = _attention
    if not hasattr(torch.Tensor, "untyped_storage"):
        torch.Tensor.untyped_storage = torch.Tensor.storage
    if not hasattr(torch.library, "custom_op"):
        torch.library.custom_op = _custom_op


def _widening_mode(torch: Any) -> Any:
    """Returns a mode in which functions that lack float16 compute in float32."""
    from torch.overrides import TorchFunctionMode

    class Widened(TorchFunctionMode):
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            try:
                return function(*args, **kwargs)
            except RuntimeError as error:
                name = next((n for n in ("Half", "BFloat16") if f"'{n}'" in str(error)), None)
                if "not implemented for" not in str(error) or name is None:
                    raise
            narrow = torch.float16 if name == "Half" else torch.bfloat16
            wide = function(*_widen(torch, narrow, args), **_widen(torch, narrow, kwargs))
            return _narrowed(torch, narrow, wide)

    return Widened


def _each(value: Any, change: Any) -> Any:
    """Returns a tree of arguments with each leaf changed."""
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(_each(v, change) for v in value)
    if isinstance(value, dict):
        return {k: _each(v, change) for k, v in value.items()}
    return change(value)


def _widen(torch: Any, narrow: Any, args: Any) -> Any:
    def change(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.dtype == narrow:
            return value.float()
        return torch.float32 if value is narrow else value

    return _each(args, change)


def _narrowed(torch: Any, narrow: Any, result: Any) -> Any:
    def change(value: Any) -> Any:
        is_wide = isinstance(value, torch.Tensor) and value.dtype == torch.float32
        return value.to(narrow) if is_wide else value

    return _each(result, change)


def _attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Any:
    """Returns softmax(Q K^T scale + mask) V, computed in float32."""
    import torch

    if dropout_p:
        raise NotImplementedError("attention with dropout on the host needs torch 2")
    q, k, v = query.float(), key.float(), value.float()
    if enable_gqa:
        k, v = (t.repeat_interleave(q.shape[-3] // t.shape[-3], -3) for t in (k, v))
    scores = q @ k.transpose(-2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, float("-inf"))
    elif attn_mask is not None:
        scores = scores + attn_mask
    return (scores.softmax(-1) @ v).to(query.dtype)


def _custom_op(name: str, function: Any = None, **kwargs: Any) -> Any:
    """Returns a function as it is, or a decorator that does so."""
    if function is None:
        return lambda made: _custom_op(name, made, **kwargs)
    function.register_fake = lambda made: made
    function.register_autograd = lambda *args, **kwargs: None
    function.register_kernel = lambda *args: lambda made: made
    return function
