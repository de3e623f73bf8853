"""Arrays of JAX for tests of kernels."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["create_tensor"]


def create_tensor(
    shape: tuple[int, ...],
    dtype: Any,
    key: Any,
    *,
    minval: float = -2.0,
    maxval: float = 2.0,
    fill_value: float | int | None = None,
    fill_arange: bool = False,
) -> Any:
    """Returns an array of random numbers, integers for a type of integers, or of one
    number, or of 0, 1, 2, ..."""
    import jax
    import jax.numpy as jnp

    if fill_value is not None:
        return jnp.full(shape, fill_value, dtype)
    if fill_arange:
        return jnp.arange(math.prod(shape)).reshape(shape).astype(dtype)
    if jnp.issubdtype(dtype, jnp.integer):
        return jax.random.randint(key, shape, int(minval), int(maxval)).astype(dtype)
    return jax.random.uniform(key, shape, minval=minval, maxval=maxval).astype(dtype)
