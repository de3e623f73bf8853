"""How a function of the library becomes an operator of torch."""

from __future__ import annotations

from typing import Any

import torch

if not hasattr(torch.library, "custom_op"):
    raise ImportError(f"operators and gradients need torch 2.4 or later, not {torch.__version__}")
_COMPOSED = torch.library.Library("cute", "FRAGMENT")


def operator(schema: str, function: Any, fake: Any, written: tuple[str, ...] = ()) -> Any:
    """Returns an operator of a schema ``name(arguments) -> Tensor``, called as it is.

    :param written: names of the arguments that it writes
    """
    name, _, rest = schema.partition("(")
    made = torch.library.custom_op(f"cute::{name}", function, mutates_args=written,
                                   schema=f"({rest}")
    made.register_fake(fake)
    return made


def composed(schema: str, function: Any) -> Any:
    """Returns an operator that is computed, and differentiated, by others."""
    _COMPOSED.define(schema)
    name = schema.partition("(")[0]
    _COMPOSED.impl(name, function, "CompositeImplicitAutograd")
    return getattr(torch.ops.cute, name)


def like(a: Any, *others: Any, **given: Any) -> Any:
    """Returns an empty contiguous tensor of a tensor's shape and type."""
    return torch.empty(tuple(a.shape), dtype=a.dtype, device=a.device)


def numbers_like(a: Any, *shape: int) -> Any:
    """Returns an empty tensor of float32 on a tensor's device."""
    return torch.empty(shape, dtype=torch.float32, device=a.device)
