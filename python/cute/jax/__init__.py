"""Calls of compiled functions from JAX, where kernels run on the simulator.

``cutlass_call(f, output_shape_dtype=...)`` is a function of JAX's arrays, also under
``jax.jit`` and ``jax.shard_map``; XLA calls back to this package, which compiles f for the
arrays' types once. Memory of JAX on a GPU is not passed yet. Only functions import jax.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Callable, Sequence

from .. import _bridge
from .._compat.missing import NotThere
from .._compile.jit import jit
from .._device import devices as _device
from .._values import numeric as _numeric
from .._values.numeric import NumericMeta
from ..cuda import CUstream
from ..runtime import from_dlpack as _from_dlpack

__all__ = [
    "TensorSpec",
    "cutlass_call",
    "cutlass_to_jax_dtype",
    "from_dlpack",
    "get_export_disabled_safety_checks",
    "is_available",
    "jax_to_cutlass_dtype",
    "jax_to_cutlass_layout_order",
    "release_compile_cache",
]

_ALIGNMENT = 256

# JAX's types by ours.
_DTYPES = {
    "Boolean": "bool", "Int4": "int4", "Int8": "int8", "Int16": "int16", "Int32": "int32",
    "Int64": "int64", "Uint4": "uint4", "Uint8": "uint8", "Uint16": "uint16",
    "Uint32": "uint32", "Uint64": "uint64", "Float16": "float16", "BFloat16": "bfloat16",
    "Float32": "float32", "Float64": "float64", "Float8E4M3FN": "float8_e4m3fn",
    "Float8E4M3B11FNUZ": "float8_e4m3b11fnuz", "Float8E5M2": "float8_e5m2",
    "Float8E8M0FNU": "float8_e8m0fnu", "Float4E2M1FN": "float4_e2m1fn",
}


def cutlass_to_jax_dtype(dtype: NumericMeta) -> Any:
    """Returns JAX's type of numbers for a numeric type.

    :raises ValueError: where it has none
    """
    import jax.numpy as jnp

    name = _DTYPES.get(str(dtype))
    if name is None or not hasattr(jnp, name):
        raise ValueError(f"JAX has no type for {dtype}")
    return getattr(jnp, name)


def jax_to_cutlass_dtype(dtype: Any) -> NumericMeta:
    """Returns the numeric type for JAX's type of numbers, or numpy's.

    :raises ValueError: where there is none
    """
    import jax.numpy as jnp

    name = jnp.dtype(dtype).name
    for ours, theirs in _DTYPES.items():
        if theirs == name:
            return getattr(_numeric, ours)
    raise ValueError(f"no numeric type is JAX's {name}")


def jax_to_cutlass_layout_order(layout: Sequence[int] | None) -> Sequence[int] | None:
    """Returns the rank of each mode's stride, 0 the smallest, for the modes from the one
    with the largest stride to that with the smallest."""
    if layout is None:
        return None
    ranks = [0] * len(layout)
    for place, mode in enumerate(layout):
        ranks[mode] = len(layout) - 1 - place
    return tuple(ranks)


@dataclasses.dataclass(frozen=True)
class TensorSpec:
    """How a kernel sees an array.

    :param layout: the rank of each mode's stride, 0 the smallest; row-major by default
    :param mode: the array's modes in the kernel's order
    :param static: extents and strides are compiled in
    :param ptr_assumed_align: the alignment that is promised, in bytes
    :param divisibility: what dynamic extents are multiples of, by the kernel's modes; it
        is not used, as extents are checked where they are passed
    """

    layout: Sequence[int] | None = None
    mode: Sequence[int] | None = None
    static: bool | None = None
    ptr_assumed_align: int = _ALIGNMENT
    divisibility: Any = None

    def __post_init__(self) -> None:
        for name in ("layout", "mode"):
            order = getattr(self, name)
            if order is not None and sorted(order) != list(range(len(order))):
                raise ValueError(f"{name} is a permutation of the modes, not {order}")


def is_available() -> bool:
    """Says whether jax is installed."""
    import importlib.util

    return importlib.util.find_spec("jax") is not None


def get_export_disabled_safety_checks() -> Sequence[Any]:
    """Returns none: calls go back to this process, and jax.export refuses them."""
    return []


def release_compile_cache() -> None:
    """Forgets the functions that calls have compiled."""
    _entry.cache_clear()


def from_dlpack(array: Any, assumed_align: int = _ALIGNMENT) -> Any:
    """Returns an array of JAX as a tensor that is passed to compiled functions."""
    return _from_dlpack(array, assumed_align=assumed_align)


# ---- Calls ------------------------------------------------------------------


class _Static:
    """Keyword arguments of a call, equal where all values are."""

    def __init__(self, values: dict[str, Any]):
        self.values = values
        self._key = tuple((name, repr(value)) for name, value in sorted(values.items()))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, _Static) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@functools.lru_cache(maxsize=256)
def _entry(function: Callable[..., Any], static: _Static, tree: Any) -> Callable[..., Any]:
    """Returns the function of a stream and tensors that is compiled for a call."""
    import jax

    values = static.values

    @jit
    def entry(stream: CUstream, tensors: tuple):
        function(stream, *jax.tree.unflatten(tree, tensors), **values)

    return entry


def _aligned(shape: Sequence[int], dtype: Any) -> Any:
    """Returns an array of numpy with undefined contents, aligned as memory of a GPU is."""
    import math

    import numpy as np

    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.empty(size + _ALIGNMENT, np.uint8)
    start = -room.ctypes.data % _ALIGNMENT
    return room[start : start + size].view(dtype).reshape(shape)


def _ordered(array: Any, spec: TensorSpec) -> Any:
    """Returns an array with the strides of a specification's layout, and its modes."""
    import numpy as np

    if spec.layout is not None and len(spec.layout) == array.ndim:
        order = sorted(range(array.ndim), key=lambda mode: -spec.layout[mode])
        extents = [array.shape[mode] for mode in order]
        array = array.reshape(extents).transpose(np.argsort(order))
    return array if spec.mode is None else array.transpose(spec.mode)


def _tensor(array: Any, spec: TensorSpec, is_static: bool) -> Any:
    """Returns an array as a tensor that is passed, of dynamic extents unless static."""
    dtype = jax_to_cutlass_dtype(array.dtype)
    seen = _ordered(array, spec)
    is_known = array.dtype.kind in "biuf" and array.dtype.isbuiltin
    plain = seen if is_known else seen.view(f"u{array.dtype.itemsize}")
    made = _from_dlpack(plain, assumed_align=min(spec.ptr_assumed_align, _ALIGNMENT))
    if not is_known:
        made.element_type = dtype
    if is_static or not seen.ndim:
        return made
    unit = [i for i, stride in enumerate(seen.strides) if stride == array.dtype.itemsize]
    leading = max(unit, key=lambda i: seen.shape[i], default=None)
    return made.mark_layout_dynamic(leading_dim=leading)


def _specs(given: Any, count: int) -> list[TensorSpec]:
    """Returns a specification for each of so many arrays."""
    import jax

    def is_leaf(value: Any) -> bool:
        return value is None or isinstance(value, TensorSpec)

    listed = [] if given is None else jax.tree.leaves(given, is_leaf=is_leaf)
    if given is not None and len(listed) != count:
        raise ValueError(f"there are {count} arrays, and specifications of {len(listed)}")
    return [spec or TensorSpec() for spec in listed or [None] * count]


def cutlass_call(
    fn: Callable[..., Any],
    *,
    output_shape_dtype: Any,
    input_spec: Any = None,
    output_spec: Any = None,
    input_output_aliases: dict[int, int] | None = None,
    allow_cuda_graph: bool = True,
    compile_options: Any = None,
    use_static_tensors: bool = False,
    **kwargs: Any,
) -> Callable[..., Any]:
    """Returns a function of JAX's arrays that calls a compiled one.

    :param fn: ``fn(stream, *inputs, *outputs, **kwargs)`` of tensors, or trees of them
    :param output_shape_dtype: ``jax.ShapeDtypeStruct`` of each result, in a tree
    :param input_spec: a ``TensorSpec`` or None for each input
    :param input_output_aliases: inputs, by number, that become results; these results are
        not passed to ``fn``
    :param use_static_tensors: extents and strides are compiled in
    :param kwargs: what is compiled in
    :raises NotThere: where kernels run on a GPU
    """
    aliases = dict(input_output_aliases or {})
    static = _Static(kwargs)

    def call(*inputs: Any) -> Any:
        import jax

        leaves, tree = jax.tree.flatten(inputs)
        results, result_tree = jax.tree.flatten(output_shape_dtype)
        specs = _specs(input_spec, len(leaves)) + _specs(output_spec, len(results))

        def run(*arrays: Any) -> tuple[Any, ...]:
            return _run(fn, static, tree, arrays, results, specs, aliases, use_static_tensors)

        made = jax.pure_callback(run, tuple(results), *leaves)
        return jax.tree.unflatten(result_tree, made)

    return call


def _run(
    fn: Callable[..., Any], static: _Static, tree: Any, arrays: Sequence[Any],
    results: Sequence[Any], specs: Sequence[TensorSpec], aliases: dict[int, int],
    use_static: bool,
) -> tuple[Any, ...]:
    """Calls a function with copies of arrays, and new ones for its results."""
    import jax
    import numpy as np

    if not _device.compile_only and _device.ordinal() != _bridge.SIMULATED:
        raise NotThere("calls from JAX run on the simulator; memory of a GPU is not passed: "
                       "set CUTE_DEVICE=sim")
    inputs = []
    for array in arrays:
        inputs.append(_aligned(array.shape, array.dtype))
        inputs[-1][...] = np.asarray(array)
    outputs = [_aligned(result.shape, result.dtype) for result in results]
    for source, target in aliases.items():
        outputs[target] = inputs[source]
    given = len(inputs)
    places = [*range(given), *(given + i for i in range(len(outputs)) if i not in aliases.values())]
    memory = [*inputs, *outputs]
    tensors = tuple(
        _tensor(memory[i], specs[i], use_static if specs[i].static is None else specs[i].static)
        for i in places)
    children = jax.tree.unflatten(tree, range(given))
    whole = jax.tree.structure((*children, *range(len(tensors) - given)))
    _entry(fn, static, whole)(CUstream(0), tensors)
    return tuple(outputs)
